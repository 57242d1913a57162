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

/// Whether two goals may share a plan: the same joints and rows.
bool snw_goal_same_structure(const sinew_Goal *a, const sinew_Goal *b);

#endif
