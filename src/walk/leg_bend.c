#include "walk/leg_bend.h"

#include <math.h>

double snw_leg_bend_turn(const snw_LegBend *bend, sinew_Vec3 tip, sinew_Vec3 way)
{
    double distance = sinew_vec3_length(tip);
    sinew_Vec3 line = sinew_vec3_normalize_or(tip, bend->line);
    double at = (distance - bend->nearest) / bend->spacing;
    at = fmin(SNW_BEND_ROWS - 1.0, fmax(0.0, at));
    int row = at >= SNW_BEND_ROWS - 2.0 ? SNW_BEND_ROWS - 2 : (int)at;
    double share = at - row, away = sinew_vec3_dot(way, line);
    double bent = bend->bent[row] * (1.0 - share) + bend->bent[row + 1] * share;
    sinew_Vec3 turned = sinew_vec3_lerp(bend->turned[row], bend->turned[row + 1], share);

    // the leg as it was measured, turned to where it is now
    turned = sinew_quat_rotate(sinew_quat_between(bend->line, line), turned);
    double near = fmax(distance, bend->nearest);
    sinew_Vec3 swung = sinew_vec3_scale(sinew_vec3_cross(line, way), 1.0 / near);
    double whole = sinew_vec3_length(sinew_vec3_add_scaled(swung, turned, away));
    return fmax(whole, bent * fabs(away));
}
