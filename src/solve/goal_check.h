#ifndef SNW_GOAL_CHECK_H
#define SNW_GOAL_CHECK_H

// Whether goals keep the rules of goal.h. What names joints is checked when a plan is built, numbers
// in every solve.

#include "sinew/solver.h"

sinew_Status snw_goal_check_structure(const sinew_Skeleton *skeleton,
    const sinew_SolveOptions *options, const sinew_Goal *goal, int g, sinew_Message *message);

/// Numbers; and what depends on the method.
sinew_Status snw_goal_check_values(
    const sinew_SolveOptions *options, const sinew_Goal *goal, int g, sinew_Message *message);

/// Rules of all goals together.
sinew_Status snw_goal_check_all(const sinew_SolveOptions *options, const sinew_Goal *goals,
    int goal_count, sinew_Message *message);

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

/// Whether two goals may share a plan: the same joints and rows.
bool snw_goal_same_structure(const sinew_Goal *a, const sinew_Goal *b);

#endif
