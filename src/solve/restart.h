#ifndef SNW_RESTART_H
#define SNW_RESTART_H

// Attempts from other starts, wrapped around the solver's loop: those of a start table, nearest
// first, then random poses inside the limits. The best attempt is kept.

#include "math/random.h"
#include "sinew/start.h"
#include "solve/state.h"

/// What another start has led to must leave less than this share of what the pose given does (F, E): goals
/// that cannot be met together are missed alike in many poses, and no digit is worth a tumble.
#define SNW_WORTH_A_CHANGE 0.98

typedef struct snw_Restart {
    const sinew_StartTable *table; // NULL: none
    // starts of the table by distance from the goals; 0 of them when the table is for other goals
    int start_count;
    int starts[SINEW_MAX_STARTS];

    int iterations_before; // of the attempts that are over
    int best_attempt;      // -1: none
    double *best_values;   // of the best attempt that is over
    double best_objective;
    sinew_Outcome best_outcome;
} snw_Restart;

void snw_restart_take(snw_Restart *restart, snw_Sizes sizes, snw_Arena *arena);

/// Forget the last solve, and order the table's starts for these goals, or for only those of them;
/// q is the pose given.
void snw_restart_begin(snw_Restart *restart, const sinew_Skeleton *skeleton,
    const sinew_SolveOptions *options, const sinew_Goal *goals, int goal_count, const int *only,
    int only_count, const double *q);

/// Values of the first attempt: those there (the pose given), the rest pose or a start of the table.
void snw_restart_first(const snw_Restart *restart, const snw_Plan *plan,
    const sinew_SolveOptions *options, const snw_Targets *targets, double *values);

/// One stream of random numbers for each attempt, so that they do not depend on the attempts before.
snw_Random snw_restart_random(const sinew_SolveOptions *options, int attempt);

/// Values of attempt 1, 2, ... of this solve.
void snw_restart_next(const snw_Restart *restart, const snw_Plan *plan,
    const sinew_SolveOptions *options, const snw_Targets *targets, int attempt, double *values);

/// An attempt is over: keep it if it meets the goals, or is clearly better than the best so far.
void snw_restart_keep(snw_Restart *restart, const snw_Plan *plan, int attempt,
    const snw_State *state, sinew_Outcome outcome);

/// Free coordinates of a pose, uniform in their limits: hinges and slides in their ranges, balls
/// evenly in their windows and in twist. Without an end: hinges half a turn around the value there
/// is, slides keep it.
void snw_random_values(
    const snw_Plan *plan, bool limits, snw_Random *random, const double *from, double *out_values);

#endif
