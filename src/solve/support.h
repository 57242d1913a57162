#ifndef SNW_SUPPORT_H
#define SNW_SUPPORT_H

// The polygon that the centre of mass should stay over, on the ground: points are (x, z), or (x, y) where Z is up.

#include "sinew/goal.h"

/// A point of the ground.
typedef struct snw_Ground2 {
    double x, z;
} snw_Ground2;

/// Whether the ground of a support goal is x and y; else it is x and z.
static inline bool snw_goal_is_z_up(const sinew_Goal *goal)
{
    return goal->position_mask == (SINEW_MASK_X | SINEW_MASK_Y);
}

/// A point or direction of the world as the ground has it, and a direction of the ground in the world.
static inline snw_Ground2 snw_ground_from_world(bool z_up, sinew_Vec3 v)
{
    return (snw_Ground2){ v.x, z_up ? v.y : v.z };
}

static inline sinew_Vec3 snw_world_from_ground(bool z_up, snw_Ground2 v)
{
    return z_up ? sinew_vec3(v.x, v.z, 0.0) : sinew_vec3(v.x, 0.0, v.z);
}

/// What a support goal allows: the corners of a convex polygon, its hull less the margin, in order,
/// inside to the left of each side as seen with x to the right and z up. Two corners are a segment,
/// one is a point.
typedef struct snw_Support {
    bool z_up;
    int count;
    snw_Ground2 corners[2 * SINEW_MAX_SUPPORT_POINTS];
} snw_Support;

/// The convex hull of a support goal's points, less the margin, or less what can be taken of it until nothing
/// but a point or segment is left.
void snw_support_build(snw_Support *support, const sinew_Goal *goal);

/// Where a point is seen from the polygon.
typedef struct snw_SupportPlace {
    bool inside;
    snw_Ground2 way; // to the closest point of the polygon
    int side;        // outside: of the closest point where it is within a side; -1: at a corner
} snw_SupportPlace;

snw_SupportPlace snw_support_locate(const snw_Support *support, snw_Ground2 p);

/// The side a (outside by most of all half-planes at) point p lies beyond: its unit normal, pointing
/// inward, and how far inside of it p is (negative: outside). false when p is inside, or when there
/// is no area and so no side.
bool snw_support_side(
    const snw_Support *support, snw_Ground2 p, snw_Ground2 *out_normal, double *out_depth);

#endif
