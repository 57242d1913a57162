#ifndef SNW_ASKED_H
#define SNW_ASKED_H

// What a goal asks for, and what it only carries along.

#include "sinew/goal.h"

#include <math.h>

/// numbers of a goal's place, metres: their squares times any weight are finite
#define SNW_MAX_PLACE 1e100

static inline bool snw_is_place(sinew_Vec3 p)
{
    return fabs(p.x) <= SNW_MAX_PLACE && fabs(p.y) <= SNW_MAX_PLACE && fabs(p.z) <= SNW_MAX_PLACE;
}
/// of a squared length
static inline bool snw_is_unit(double square)
{
    return fabs(square - 1.0) <= 1e-3;
}

/// Whether the place of a goal counts, and its turn: what weighs nothing is not asked for.
static inline bool snw_goal_asks_place(const sinew_Goal *goal)
{
    const bool pointed = goal->kind == SINEW_GOAL_AIM || goal->kind == SINEW_GOAL_POLE;
    return (pointed ? goal->orientation_weight : goal->position_weight) > 0.0;
}
static inline bool snw_goal_asks_turn(const sinew_Goal *goal)
{
    return goal->orientation_weight > 0.0;
}

/// Places, turns and directions as they are for a solve. Those that are not asked for may be no numbers, as
/// of a device that is not seen: they are any then, for nothing that weighs 0 may be NAN times 0.
sinew_Vec3 snw_goal_place(const sinew_Goal *goal);
sinew_Quat snw_goal_turn(const sinew_Goal *goal);
sinew_Vec3 snw_goal_direction(const sinew_Goal *goal);

#endif
