#ifndef SNW_RUN_H
#define SNW_RUN_H

// One problem from the pose given to its report: all goals of a solve, or a part of them that shares
// no movable joint with the others (parts.h).

#include "solve/method.h"

/// What a solve is about.
typedef struct snw_Run {
    const sinew_SolveOptions *options;
    const sinew_Goal *goals; // of this problem
    int goal_count;
    const sinew_Goal *all_goals; // of the whole solve
    int all_goal_count;
    const int *places; // of the goals among all; NULL: they are all
    const double *q;   // the pose given
} snw_Run;

/// All but the results. every_method: also what the default method never uses.
void snw_run_take(snw_Solve *solve, snw_Sizes sizes, bool every_method, snw_Arena *arena);

/// Lay out the plan of goals that were checked; solve->skeleton is set. mobility is by axis, rest by
/// coordinate of the skeleton. The limits are the skeleton's own then.
void snw_run_plan(snw_Solve *solve, const snw_PlanScratch *scratch, const double *mobility,
    const double *rest, const sinew_Goal *goals, int goal_count, bool rows_half);

/// The rest pose, by coordinate of the skeleton, in the order of the plan's values.
void snw_run_load_rest(snw_Solve *solve, const double *rest);

/// Take targets and pose over; what is wrong with them is told here, before anything is changed.
sinew_Status snw_run_begin(snw_Solve *solve, const snw_Run *run, sinew_Message *message);

/// Solve what was begun, within solve->options, into the current state, the results and the report.
void snw_run(snw_Solve *solve);

/// The answer's coordinates into a pose of the skeleton.
void snw_run_store(const snw_Solve *solve, double *q);

#endif
