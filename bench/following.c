#include "bench/following.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Rows

void bench_following_row(bench_Following *following, const char *what, const char *asked,
    double value, double bound, const char *format, ...)
{
    if (following->row_count == BENCH_FOLLOWING_ROWS) {
        following->out->failed = true;
        return;
    }
    bench_FollowingRow *row = &following->rows[following->row_count++];
    row->part = following->part;
    row->value = value;
    row->bound = bound;
    snprintf(row->what, sizeof row->what, "%s", what);
    snprintf(row->asked, sizeof row->asked, "%s", asked);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->measured, sizeof row->measured, format, arguments);
    va_end(arguments);
}

int bench_following_count(const bench_Following *following, int usual)
{
    return following->request->targets > 0 ? following->request->targets : usual;
}

// ---------------------------------------------------------------------------------------------
// Ways to follow

const char *bench_mode_name(bench_Mode mode)
{
    static const char *const names[BENCH_MODE_COUNT] = { "auto", "restarts 0", "motion",
        "tracker" };
    return names[mode];
}

sinew_Solver *bench_solver(const sinew_Skeleton *skeleton, int max_goals)
{
    sinew_SolverDef def = sinew_solver_def_default();
    sinew_Solver *solver = NULL;
    def.skeleton = skeleton;
    def.max_goals = max_goals;
    return sinew_solver_create(&def, &solver, NULL) == SINEW_STATUS_OK ? solver : NULL;
}

bool bench_follower_open(bench_Follower *follower, const sinew_Skeleton *skeleton, int max_goals,
    bench_Mode mode, const sinew_TrackerDef *tracker)
{
    memset(follower, 0, sizeof *follower);
    follower->mode = mode;
    follower->skeleton = skeleton;
    follower->options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    if (mode != BENCH_MODE_AUTO) { follower->options.restarts = 0; }
    if (mode == BENCH_MODE_MOTION) {
        follower->options = sinew_solve_options_motion(1.0 / BENCH_FRAME_RATE);
    }
    follower->q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *follower->q);
    if (mode == BENCH_MODE_TRACKER) {
        sinew_TrackerDef def = tracker != NULL ? *tracker : sinew_tracker_def_default();
        def.skeleton = skeleton;
        def.max_goals = max_goals;
        (void)sinew_tracker_create(&def, &follower->tracker, NULL);
    } else {
        follower->solver = bench_solver(skeleton, max_goals);
    }
    bool good = follower->q != NULL && (follower->tracker != NULL || follower->solver != NULL);
    if (good) { bench_follower_reset(follower); }
    if (!good) { bench_follower_close(follower); }
    return good;
}

void bench_follower_close(bench_Follower *follower)
{
    sinew_solver_destroy(follower->solver);
    sinew_tracker_destroy(follower->tracker);
    free(follower->q);
    memset(follower, 0, sizeof *follower);
}

void bench_follower_reset(bench_Follower *follower)
{
    sinew_pose_rest(follower->skeleton, follower->q);
    if (follower->tracker != NULL) { sinew_tracker_reset(follower->tracker); }
}

double bench_follower_next(bench_Follower *follower, const sinew_Goal *goals, int goal_count)
{
    double start = bench_clock(NULL);
    sinew_Status status = follower->tracker != NULL
        ? sinew_tracker_update(follower->tracker, goals, goal_count, follower->q, NULL, NULL)
        : sinew_solver_solve(
            follower->solver, &follower->options, goals, goal_count, follower->q, NULL, NULL);
    double time = bench_clock(NULL) - start;
    return status == SINEW_STATUS_OK ? time : -1.0;
}

bool bench_best_pose(sinew_Solver *solver, const sinew_Goal *goals, int goal_count, double *out_q)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.start = SINEW_START_REST;
    return sinew_solver_solve(solver, &options, goals, goal_count, out_q, NULL, NULL)
        == SINEW_STATUS_OK;
}
