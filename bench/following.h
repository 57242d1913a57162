#ifndef BENCH_FOLLOWING_H
#define BENCH_FOLLOWING_H

// What the parts of `sinew bench following` share: rows of a goal with a verdict, and the ways in which a
// solve a frame can follow.

#include "bench/bench.h"
#include "bench/bench_setup.h"
#include "bench/following_measure.h"

#include "sinew/track.h"

/// Frames of a second, where a clip has no own rate.
#define BENCH_FRAME_RATE 60.0

// ---------------------------------------------------------------------------------------------
// Rows

typedef struct bench_FollowingRow {
    const char *part;
    char what[CLI_TABLE_CELL], asked[48], measured[CLI_TABLE_CELL];
    /// What is judged: at most bound; NAN where nothing was asked.
    double value, bound;
} bench_FollowingRow;

enum { BENCH_FOLLOWING_ROWS = 96 };

typedef struct bench_Following {
    const bench_Request *request;
    bench_Output *out;
    const char *part; ///< the one that runs
    bench_FollowingRow rows[BENCH_FOLLOWING_ROWS];
    int row_count;
} bench_Following;

/// A row: met where value is at most bound (NAN: nothing was asked). asked is in words.
__attribute__((format(printf, 6, 7))) void bench_following_row(bench_Following *following,
    const char *what, const char *asked, double value, double bound, const char *format, ...);

/// How many problems a row takes: as asked for on the command line, else usual.
int bench_following_count(const bench_Following *following, int usual);

/// A pelvis with a free root and two legs that hang straight from it at rest: hips of three hinges and
/// knees of one, which stand on their lower bound; or balls without limits. Thighs and shanks of
/// 0.43 m. NULL without memory.
sinew_Skeleton *bench_biped(bool balls);

/// Recorded motions of the test data, in order of their names.
int bench_motion_count(void);
/// Path of one of them; false when there are not so many.
bool bench_motion_path(int index, char *out_path, size_t size);

/// The parts, in the order in which they run.
void bench_following_limbs(bench_Following *following);
void bench_following_bodies(bench_Following *following);
void bench_following_trees(bench_Following *following);
void bench_following_diagnosis(bench_Following *following);
void bench_following_cases(bench_Following *following);
void bench_following_clips(bench_Following *following);

// ---------------------------------------------------------------------------------------------
// Ways to follow

typedef enum bench_Mode {
    BENCH_MODE_AUTO,   ///< auto with its defaults, from the last pose
    BENCH_MODE_WARM,   ///< auto, restarts 0
    BENCH_MODE_MOTION, ///< sinew_solve_options_motion
    BENCH_MODE_TRACKER,
    BENCH_MODE_COUNT,
} bench_Mode;

/// "auto", "restarts 0", "motion", "tracker".
const char *bench_mode_name(bench_Mode mode);

typedef struct bench_Follower {
    bench_Mode mode;
    const sinew_Skeleton *skeleton;
    sinew_Solver *solver; ///< of the modes but the tracker
    sinew_Tracker *tracker;
    sinew_SolveOptions options;
    double *q; ///< the last pose
} bench_Follower;

/// tracker: how to track; NULL: as by default. False without memory.
bool bench_follower_open(bench_Follower *follower, const sinew_Skeleton *skeleton, int max_goals,
    bench_Mode mode, const sinew_TrackerDef *tracker);
void bench_follower_close(bench_Follower *follower);

/// Begin anew, at rest.
void bench_follower_reset(bench_Follower *follower);

/// Follow the goals of the next frame; returns the seconds it took, or a negative number when the
/// goals were refused.
double bench_follower_next(bench_Follower *follower, const sinew_Goal *goals, int goal_count);

/// The best answer there is to goals, as far as a cold solve by default finds it, from rest.
bool bench_best_pose(sinew_Solver *solver, const sinew_Goal *goals, int goal_count, double *out_q);

/// A solver for up to so many goals, NULL without memory.
sinew_Solver *bench_solver(const sinew_Skeleton *skeleton, int max_goals);

#endif
