#ifndef GOAL_ROWS_H
#define GOAL_ROWS_H

// The table of goals that were set for the solver: work, goal, what sinew makes of it, what KDL makes of
// the same, and a verdict.

#include "bench/bench_chain.h"
#include "bench/bench_setup.h"

typedef struct bench_GoalRow {
    char work[96], goal[96], ours[320];
    char kdl[128];  ///< empty: not measured, or KDL knows no such work
    char ratio[32]; ///< of KDL's mean time to ours
    char verdict[96];
} bench_GoalRow;

typedef struct bench_GoalRows {
    bench_GoalRow rows[32];
    int count;
} bench_GoalRows;

bench_GoalRow *bench_goal_row(bench_GoalRows *rows, const char *work, const char *goal);

/// Add to what a row missed.
__attribute__((format(printf, 2, 3))) void bench_goal_miss(
    bench_GoalRow *row, const char *format, ...);
/// "met" where nothing was missed.
void bench_goal_end(bench_GoalRow *row);

/// Microseconds wanted; 0: no such goal.
typedef struct bench_Wanted {
    double median, mean, p99;
} bench_Wanted;

/// Put share and times, and judge them; wanted: NULL where no goal was set.
void bench_goal_times(
    bench_GoalRow *row, const bench_ChainResult *result, const bench_Wanted *wanted);

/// Put KDL beside a row. within_limits: its Newton-Raphson within limits, else its
/// Levenberg-Marquardt, whose answers outside of limits count here.
void bench_goal_kdl(bench_GoalRow *row, const bench_ChainResult *ours, const bench_PeerResult *peer,
    bool within_limits);

/// Print the table, as text, JSON or markdown.
void bench_goal_put(const bench_GoalRows *rows, bench_Output *out, const bench_Request *request);

/// What arms make of their goals, gathered from measurements as they come.
typedef struct bench_ArmGoals {
    bench_ChainResult panda[2]; ///< start in the middle, and at random
    bench_PeerResult panda_kdl[2];
    bool has_panda[2], has_panda_kdl[2];
    int arm_count, kdl_count; ///< started in the middle
    double least, median, mean_sum, kdl_solved_sum, kdl_mean_sum, kdl_our_mean_sum;
    char slowest[64];
} bench_ArmGoals;

/// kdl may be NULL.
void bench_arm_goals_note(bench_ArmGoals *goals, const char *name, bool random_start,
    const bench_ChainResult *result, const bench_PeerResult *kdl);
void bench_arm_goals_rows(const bench_ArmGoals *goals, bench_GoalRows *rows);

/// Lengths of chains that have a goal together, and their row; kdl: of the chain of 300 links, or NULL.
extern const int bench_chain_lengths[];
enum { BENCH_CHAIN_LENGTHS = 5 };
void bench_chain_goals_row(const bench_ChainResult results[BENCH_CHAIN_LENGTHS],
    const bench_PeerResult *kdl, bench_GoalRows *rows);

#endif
