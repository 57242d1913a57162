// Prints of feet on the ground: where the sole lies, and where it lies whole.

#include "math/holds.h"
#include "math/select.h"
#include "motion/grounder.h"

// the ground under a sole that stands out by less is one surface, metres
#define SAME_SURFACE 0.03
// shifts of a sole that hangs over an edge, metres
#define SHIFT_STEP 0.04
// what a shift of a metre costs, in shares of a sole that hangs over
#define SHIFT_COST 0.5
// what toes that have not this much room before a riser cost, in the same; metres. They go ahead at once as the foot
// leaves, and would have to be on the next tread within a frame
#define TOE_ROOM 0.04
#define TOE_COST 1.0
// the same of a heel before a step that the foot came down: it would have to fall by the step within a frame; less, for
// soles that are as long as a tread have no room for both
#define HEEL_ROOM 0.06
#define HEEL_COST 0.4
// heights of a ground, metres: the same as of the floor
#define MOST_HEIGHT 1e6

static const sinew_Vec3 up = { 0.0, 1.0, 0.0 };

static bool is_ground(const sinew_GroundSample *sample)
{
    return fabs(sample->height) <= MOST_HEIGHT && sample->normal.y > 0.0
        && fabs(sinew_vec3_dot(sample->normal, sample->normal) - 1.0) <= 1e-3;
}

double snw_grounder_height(sinew_Grounder *g, int side, sinew_Vec3 place, sinew_Vec3 *out_normal)
{
    sinew_Vec3 at = sinew_quat_rotate(g->ground_from_own, place);
    sinew_GroundSample sample = sinew_ground_sample(&g->def.ground, at.x, at.z);
    ++g->feet[side].samples;
    if (!is_ground(&sample)) {
        if (!g->has_wrong) {
            g->wrong = sample;
            g->wrong_x = at.x;
            g->wrong_z = at.z;
        }
        g->has_wrong = true;
        sample = (sinew_GroundSample){ 0.0, up };
    }
    if (out_normal != NULL) { *out_normal = sinew_quat_rotate(g->own_from_ground, sample.normal); }
    return sample.height;
}

// ---------------------------------------------------------------------------------------------
// Where the animation stands

static double numbers_of(const snw_CarriedFoot *pose, int what)
{
    switch (what) {
    case 0: return pose->ball.x;
    case 1: return pose->ball.z;
    case 2: return pose->ball.x - pose->heel.x;
    default: return pose->ball.z - pose->heel.z;
    }
}

// the middle of the frames of a stand; of those in which the sole lies flat where there are any
static void find_place(
    sinew_Grounder *g, int side, int first, sinew_Vec3 *out_ball, sinew_Vec3 *out_heading)
{
    SNW_ASSERT(side >= 0 && side < 2);
    int end = snw_grounder_seen(g);
    double middle[4];
    bool flat = false;
    int last = first;
    for (int t = first; t <= end; ++t) {
        const snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
        if (!foot->touching[0] && !foot->touching[1]) { break; }
        flat |= foot->touching[0] && foot->touching[1];
        last = t;
    }
    for (int what = 0; what < 4; ++what) {
        size_t count = 0;
        for (int t = first; t <= last; ++t) {
            const snw_GroundFoot *foot = &snw_grounder_frame(g, t)->feet[side];
            if (flat && !(foot->touching[0] && foot->touching[1])) { continue; }
            g->scratch[count++] = numbers_of(&foot->naive, what);
        }
        middle[what] = snw_select(g->scratch, count, (count - 1) / 2);
    }
    *out_ball = sinew_vec3(middle[0], 0.0, middle[1]);
    *out_heading = sinew_vec3_normalize_or(
        sinew_vec3(middle[2], 0.0, middle[3]), sinew_vec3(0.0, 0.0, 1.0));
}

// ---------------------------------------------------------------------------------------------
// On the ground

enum { ALONG = 4 }; ///< places under a sole, heel to ball

// Lay the level print on the ground. Returns the share of the sole that hangs in the air, 0: it lies.
static double lay(sinew_Grounder *g, int side, snw_Footprint *print, double *out_height)
{
    SNW_ASSERT(side >= 0 && side < 2);
    double height[ALONG], highest = -INFINITY;
    sinew_Vec3 normal = up;
    for (int i = 0; i < ALONG; ++i) {
        sinew_Vec3 at = sinew_vec3_lerp(print->heel, print->ball, (double)i / (ALONG - 1));
        height[i] = snw_grounder_height(g, side, at, i == ALONG - 1 ? &normal : NULL);
        highest = fmax(highest, height[i]);
    }
    sinew_Vec3 sole = sinew_vec3_sub(print->ball, print->heel);
    double length = sinew_vec3_length(sole), rise = height[ALONG - 1] - height[0];
    double out = 0.0;
    for (int i = 1; i < ALONG - 1; ++i) {
        double line = height[0] + rise * i / (ALONG - 1);
        out = fmax(out, fabs(height[i] - line));
    }
    double most = g->def.max_slope, slope = sinew_atan2(rise, length);
    if (out < SAME_SURFACE && fabs(slope) <= most) {
        // what stands out in the middle lifts the sole
        double lift = 0.0;
        for (int i = 1; i < ALONG - 1; ++i) {
            lift = fmax(lift, height[i] - height[0] - rise * i / (ALONG - 1));
        }
        // about the ball along the sole, then about the sole as the ground beside the ball is
        sinew_Quat pitch = sinew_quat_from_axis_angle(print->axis, -slope);
        sinew_Vec3 along = sinew_vec3_normalize_or(sinew_quat_rotate(pitch, sole), sole);
        double roll = sinew_atan2(-sinew_vec3_dot(normal, print->axis), normal.y);
        roll = fmin(fmax(roll, -most), most);
        sinew_Quat tilt = sinew_quat_mul(sinew_quat_from_axis_angle(along, roll), pitch);
        print->ball.y = height[ALONG - 1] + lift;
        print->heel = sinew_vec3_sub(print->ball, sinew_quat_rotate(tilt, sole));
        print->axis = sinew_quat_rotate(tilt, print->axis);
        print->flat = sinew_quat_mul(tilt, print->flat);
        print->toe = sinew_quat_mul(tilt, print->toe);
        *out_height = 0.5 * (height[0] + height[ALONG - 1]);
        return 0.0;
    }
    int hanging = 0;
    for (int i = 0; i < ALONG; ++i) { hanging += highest - height[i] > SAME_SURFACE ? 1 : 0; }
    print->ball.y = print->heel.y = highest;
    *out_height = highest;
    return (hanging + 0.5) / ALONG;
}

// what it costs that the ground rises before the toes or behind the heel of a laid sole
static double blocked_cost(sinew_Grounder *g, int side, const snw_Footprint *print)
{
    sinew_Vec3 sole = sinew_vec3_sub(print->ball, print->heel);
    double length = fmax(sinew_vec3_length(sole), TOE_ROOM), cost = 0.0;
    const double along[2] = { 1.0 + SNW_TOE_LENGTH + TOE_ROOM / length, -HEEL_ROOM / length };
    const double costs[2] = { TOE_COST, HEEL_COST };
    for (int i = 0; i < 2; ++i) {
        sinew_Vec3 at = sinew_vec3_add_scaled(print->heel, sole, along[i]);
        double rise = snw_grounder_height(g, side, at, NULL) - at.y;
        cost += rise > SAME_SURFACE ? costs[i] : 0.0;
    }
    return cost;
}

static void consider(sinew_Grounder *g, int side, snw_GroundPrint *print, double shift)
{
    SNW_ASSERT(side >= 0 && side < 2);
    sinew_Vec3 ball = sinew_vec3_add_scaled(print->ball, print->heading, shift);
    snw_Footprint laid = snw_footprint(&g->carry, side, ball, print->heading);
    double height = 0.0, hangs = lay(g, side, &laid, &height);
    hangs += blocked_cost(g, side, &laid);
    double cost = hangs + SHIFT_COST * fabs(shift);
    if (hangs <= 0.0) { print->settled = true; }
    if (print->tried > 0 && hangs > 0.0 && cost >= print->cost) { return; }
    print->print = laid;
    print->height = height;
    print->shift = shift;
    print->cost = cost;
}

// 0, 1, -1, 2, -2, ... steps
static double shift_of(int index)
{
    int steps = (index + 1) / 2;
    return SHIFT_STEP * (index % 2 == 1 ? steps : -steps);
}

void snw_grounder_print(sinew_Grounder *g, int side, int first, snw_GroundPrint *print)
{
    SNW_ASSERT(side >= 0 && side < 2);
    // farther: another stand; nearer than this it is the same place
    const double other_stand = 0.1, same_place = 0.003;
    sinew_Vec3 ball, heading;
    find_place(g, side, first, &ball, &heading);
    double moved = sinew_vec3_distance(ball, print->ball)
        + 0.2 * sinew_vec3_distance(heading, print->heading);
    if (!print->known || moved > same_place) {
        bool other = !print->known || moved > other_stand;
        double shift = other ? 0.0 : print->shift;
        *print = (snw_GroundPrint){ .known = true, .ball = ball, .heading = heading };
        consider(g, side, print, shift);
        print->tried = 1;
        return;
    }
    if (print->settled) { return; }
    double shift = shift_of(print->tried);
    if (fabs(shift) > g->def.max_shift + 1e-9) {
        print->settled = true;
        return;
    }
    consider(g, side, print, shift);
    ++print->tried;
}
