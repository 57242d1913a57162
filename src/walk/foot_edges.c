// A moving sole beside steps of the ground: it keeps a distance from walls and from their upper edges, as if
// these were rounded. The way out is the shortest, so it grows from nothing as the sole comes near.

#include "walk/foot_swing.h"

#include "math/holds.h"

// A rise over the distance kept that is an edge, metres.
#define EDGE_RISE 0.03
#define MOST_BACK 0.05 // metres out of a wall
#define LOOK 0.05 // metres ahead and aside in which a step that is crossed aslant is looked for
#define HALVINGS 6
#define ROWS 5

/// A point of the rim of the sole, and the level ways out of the sole there: one straight out, one along
/// the rim, either way where it is no corner.
typedef struct RimPoint {
    sinew_Vec3 at, out, aside;
    bool is_corner;
} RimPoint;

// How far along a way the ground rises to above a height, or falls below it; infinity where it does not
// within most.
static double find_rise(
    snw_WalkGround *ground, sinew_Vec3 from, sinew_Vec3 way, double most, double height, bool is_up)
{
    sinew_Vec3 end = sinew_vec3_add_scaled(from, way, most);
    if ((snw_walk_height(ground, end.x, end.z) > height) != is_up) { return (double)INFINITY; }
    double low = 0.0, high = most;
    for (int i = 0; i < HALVINGS; ++i) {
        double half = 0.5 * (low + high);
        sinew_Vec3 place = sinew_vec3_add_scaled(from, way, half);
        if ((snw_walk_height(ground, place.x, place.z) > height) == is_up) {
            high = half;
        } else {
            low = half;
        }
    }
    return is_up ? low : high;
}

/// A straight edge beside a rim point.
typedef struct Edge {
    double far;     // level distance; infinity: none
    sinew_Vec3 way; // level, towards it at right angles
} Edge;

// The straight edge that is met after these distances out and along the rim: their inverses are the parts
// of its normal over its distance. One that is met only far along the rim comes in from nothing.
static Edge edge_of(const RimPoint *point, double out, const double along[2])
{
    double a = 1.0 / fmax(out, 1e-6);
    double b = 1.0 / fmax(along[0], 1e-6) - 1.0 / fmax(along[1], 1e-6);
    b = copysign(fmax(0.0, fabs(b) - 1.0 / LOOK), b);
    double inverse = sqrt(a * a + b * b);
    Edge edge = { (double)INFINITY, point->out };
    if (inverse <= 1.0 / LOOK) { return edge; }
    edge.far = 1.0 / inverse;
    edge.way = sinew_vec3_scale(point->out, a * edge.far);
    edge.way = sinew_vec3_add_scaled(edge.way, point->aside, b * edge.far);
    return edge;
}

static Edge find_edge(snw_WalkGround *ground, const RimPoint *point, double height, bool is_up)
{
    sinew_Vec3 out = sinew_vec3_scale(point->out, is_up ? 1.0 : -1.0);
    sinew_Vec3 aside = sinew_vec3_scale(point->aside, is_up ? 1.0 : -1.0);
    double most = is_up ? LOOK : MOST_BACK, along[2] = { (double)INFINITY, (double)INFINITY };
    double first = find_rise(ground, point->at, out, most, height, is_up);
    along[0] = find_rise(ground, point->at, aside, most, height, is_up);
    if (!point->is_corner) {
        sinew_Vec3 other = sinew_vec3_scale(aside, -1.0);
        along[1] = find_rise(ground, point->at, other, most, height, is_up);
    }
    return edge_of(point, first, along);
}

// The way out of a step for a point that is far behind its wall and over below its top. Near the edge it goes
// from back to up bit by bit: away from a place deep in the step, onto what is reach from it.
static sinew_Vec3 way_out(const Edge *edge, double over, double reach)
{
    SNW_ASSERT(reach >= 0.0);
    double out, up;
    double back = fmax(0.0, MOST_BACK - edge->far), rise = fmax(0.0, MOST_BACK - over);
    if (back * MOST_BACK >= rise * (MOST_BACK + reach)) {
        // back, and up as far as the line from the deep place has it
        out = edge->far + reach;
        up = back > 0.0 ? rise * out / back : 0.0;
    } else if (rise * MOST_BACK >= back * (MOST_BACK + reach)) {
        up = over + reach;
        out = back * up / rise;
    } else {
        double size = sqrt(back * back + rise * rise);
        double x = back / size, y = rise / size, along = MOST_BACK * (x + y);
        double far = along
            + sqrt(fmax(0.0, along * along - 2.0 * MOST_BACK * MOST_BACK + reach * reach));
        out = far * x - back;
        up = far * y - rise;
    }
    sinew_Vec3 way = sinew_vec3_scale(edge->way, -out);
    way.y = up;
    return way;
}

static sinew_Vec3 way_back(snw_WalkGround *ground, const RimPoint *point, double here, double reach)
{
    SNW_ASSERT(reach >= 0.0);
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    Edge edge = find_edge(ground, point, point->at.y, false);
    if (!(edge.far < MOST_BACK)) { return none; }
    // what is only a slope or a low kerb is stepped on
    sinew_Vec3 before = sinew_vec3_add_scaled(point->at, edge.way, -edge.far - 1e-3);
    if (here - snw_walk_height(ground, before.x, before.z) < EDGE_RISE) { return none; }
    return way_out(&edge, here - point->at.y, reach);
}

// how far a point is from the step that begins within reach of it, and the way from there to the point
static sinew_Vec3 push_of(snw_WalkGround *ground, const RimPoint *point, double reach)
{
    SNW_ASSERT(reach >= 0.0);
    const sinew_Vec3 none = { 0.0, 0.0, 0.0 };
    double here = snw_walk_height(ground, point->at.x, point->at.z);
    if (here > point->at.y) { return way_back(ground, point, here, reach); }
    // steps lower than that are passed high enough
    double least = fmax(here + EDGE_RISE, point->at.y - reach);
    Edge edge = find_edge(ground, point, least, true);
    if (edge.far >= reach) { return none; }
    sinew_Vec3 beyond = sinew_vec3_add_scaled(point->at, edge.way, edge.far + 1e-3);
    double up = point->at.y - snw_walk_height(ground, beyond.x, beyond.z);
    if (up <= 0.0) { return sinew_vec3_scale(edge.way, edge.far - reach); }
    double far = sqrt(edge.far * edge.far + up * up);
    if (far >= reach || far < 1e-6) { return none; }
    sinew_Vec3 way = sinew_vec3_scale(edge.way, -edge.far / far);
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
    SNW_ASSERT(reach >= 0.0);
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    sinew_Vec3 left = sinew_quat_rotate(pose->foot.rotation, sinew_vec3(1.0, 0.0, 0.0));
    left = sinew_vec3_normalize_or(sinew_vec3(left.x, 0.0, left.z), sinew_vec3(1.0, 0.0, 0.0));
    sinew_Vec3 ahead = sinew_vec3_cross(left, up), behind = sinew_vec3_scale(ahead, -1.0);
    sinew_Vec3 longest = { 0.0, 0.0, 0.0 };
    for (int k = -1; k <= 1; ++k) {
        double side = k * leg->ball_width;
        sinew_Vec3 aside = k < 0 ? sinew_vec3_scale(left, -1.0) : left;
        RimPoint tip = { sinew_vec3_add_scaled(pose->toe, left, side), ahead, aside, k != 0 };
        RimPoint heel = { sinew_vec3_add_scaled(pose->heel, left, side), behind, aside, k != 0 };
        keep_longer(push_of(ground, &tip, reach), &longest);
        keep_longer(push_of(ground, &heel, reach), &longest);
        for (int r = 1; r < ROWS - 1 && k != 0; ++r) {
            sinew_Vec3 middle = sinew_vec3_lerp(pose->heel, pose->ball, r / (ROWS - 2.0));
            RimPoint edge = { sinew_vec3_add_scaled(middle, left, side), aside, ahead, false };
            keep_longer(push_of(ground, &edge, reach), &longest);
        }
    }
    return longest;
}
