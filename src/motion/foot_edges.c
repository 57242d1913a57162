// A moving sole beside steps of the ground: it keeps a distance from walls and from their upper edges, as if
// these were rounded. The way out is the shortest, so it grows from nothing as the sole comes near.

#include "motion/foot_swing.h"

// A rise over the distance kept that is an edge, metres.
#define EDGE_RISE 0.03
#define MOST_BACK 0.05 // metres out of a wall
#define HALVINGS 5
#define ROWS 5

/// A point of the rim of the sole, and the level way out of the sole there.
typedef struct RimPoint {
    sinew_Vec3 at, out;
} RimPoint;

// the way back out of a wall that a point is in, where that is nearer than over its top
static sinew_Vec3 way_back(snw_WalkGround *ground, const RimPoint *point, double here, double reach)
{
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    sinew_Vec3 start = sinew_vec3_add_scaled(point->at, point->out, -MOST_BACK);
    double over = here - point->at.y;
    if (over < EDGE_RISE || snw_walk_height(ground, start.x, start.z) > point->at.y) {
        return none;
    }
    double low = 0.0, high = MOST_BACK;
    for (int i = 0; i < HALVINGS; ++i) {
        double half = 0.5 * (low + high);
        sinew_Vec3 place = sinew_vec3_add_scaled(point->at, point->out, -half);
        if (snw_walk_height(ground, place.x, place.z) > point->at.y) {
            low = half;
        } else {
            high = half;
        }
    }
    return high + reach < over ? sinew_vec3_scale(point->out, -high - reach) : none;
}

// how far a point is from the step that begins within reach of it, and the way from there to the point
static sinew_Vec3 push_of(snw_WalkGround *ground, const RimPoint *point, double reach)
{
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    sinew_Vec3 end = sinew_vec3_add_scaled(point->at, point->out, reach);
    double top = snw_walk_height(ground, end.x, end.z);
    double up = point->at.y - top;
    if (up > reach) { return none; }
    double here = snw_walk_height(ground, point->at.x, point->at.z);
    if (here > point->at.y) { return way_back(ground, point, here, reach); }
    if (top - here < EDGE_RISE) { return none; }
    double low = 0.0, high = reach;
    for (int i = 0; i < HALVINGS; ++i) {
        double half = 0.5 * (low + high);
        sinew_Vec3 place = sinew_vec3_add_scaled(point->at, point->out, half);
        if (snw_walk_height(ground, place.x, place.z) - here > 0.5 * (top - here)) {
            high = half;
        } else {
            low = half;
        }
    }
    if (up <= 0.0) { return sinew_vec3_scale(point->out, low - reach); }
    double far = sqrt(low * low + up * up);
    if (far >= reach || far < 1e-6) { return none; }
    sinew_Vec3 way = sinew_vec3_scale(point->out, -low / far);
    way.y = up / far;
    return sinew_vec3_scale(way, reach - far);
}

static void keep_longer(sinew_Vec3 push, sinew_Vec3 *longest)
{
    if (sinew_vec3_dot(push, push) > sinew_vec3_dot(*longest, *longest)) { *longest = push; }
}

sinew_Vec3 snw_foot_off_edges(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, const snw_FootPose *pose, double reach)
{
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    sinew_Vec3 left = sinew_quat_rotate(pose->foot.rotation, sinew_vec3(1.0, 0.0, 0.0));
    left = sinew_vec3_normalize_or(sinew_vec3(left.x, 0.0, left.z), sinew_vec3(1.0, 0.0, 0.0));
    sinew_Vec3 ahead = sinew_vec3_cross(left, up);
    sinew_Vec3 longest = { 0.0, 0.0, 0.0 };
    for (int k = -1; k <= 1; ++k) {
        double side = k * leg->ball_width;
        RimPoint tip = { sinew_vec3_add_scaled(pose->toe, left, side), ahead };
        RimPoint heel = { sinew_vec3_add_scaled(pose->heel, left, side),
            sinew_vec3_scale(ahead, -1.0) };
        keep_longer(push_of(ground, &tip, reach), &longest);
        keep_longer(push_of(ground, &heel, reach), &longest);
        if (k == 0) { continue; }
        for (int r = 0; r < ROWS; ++r) {
            sinew_Vec3 middle = r < ROWS - 1
                ? sinew_vec3_lerp(pose->heel, pose->ball, r / (ROWS - 2.0))
                : pose->toe;
            RimPoint edge = { sinew_vec3_add_scaled(middle, left, side),
                sinew_vec3_scale(left, k) };
            keep_longer(push_of(ground, &edge, reach), &longest);
        }
    }
    return longest;
}
