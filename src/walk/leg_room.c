// How far the legs of a body on tips go on the ground while they stand.

#include "walk/walker_legs.h"

// Most of its reach that a leg goes to each side of its foothold.
#define STANCE_SHARE 0.68
// The middle of a stance is where the leg stands at rest, and so much of the way to the middle of its
// reach.
#define STANCE_SHIFT 0.4
#define SHORTER 2.0    // stances by 1 / (1 + this times the slope)
#define HIGH_LESS 0.10 // share of the reach that legs then keep for heights

double snw_legs_foothold_speed(
    const snw_WalkBody *body, int index, const sinew_Steering *motion, sinew_Vec3 *out_way)
{
    const sinew_Vec3 *rest = &body->legs[index].tip_rest;
    sinew_Vec3 way = { motion->left + motion->turn * rest->z, 0.0,
        motion->forward - motion->turn * rest->x };
    *out_way = sinew_vec3_normalize_or(way, snw_ahead_axis);
    return sinew_vec3_length(way);
}

double snw_legs_steepness(const snw_Legs *state)
{
    double a = state->slope.value, b = state->side_slope.value;
    return snw_max(0.0, sqrt(a * a + b * b) - 0.08);
}

double snw_legs_stance_room(
    const snw_WalkBody *body, const snw_Legs *state, int index, sinew_Vec3 way, double *out_shift)
{
    const snw_LegReach *reach = &body->legs[index].reach;
    // who rides lower does so for where its legs throw it
    double height = body->crouch - snw_max(0.0, state->rise.value);
    double ahead = snw_leg_reach_radius(reach, sinew_vec3(way.x, height, way.z));
    double back = snw_leg_reach_radius(reach, sinew_vec3(-way.x, height, -way.z));
    *out_shift = STANCE_SHIFT * (ahead - back);
    // shorter strides on slopes and stairs, where legs need their reach for heights
    double share = STANCE_SHARE / (1.0 + SHORTER * snw_legs_steepness(state));
    return 2.0 * share * snw_min(ahead - *out_shift, back + *out_shift);
}

double snw_legs_kept_for_heights(const snw_WalkBody *body, const snw_Legs *state)
{
    return HIGH_LESS * state->high * (1.0 - body->sprawl);
}
