#include "math/holds.h"
#include "math/quat.h"
#include "motion/track.h"

#include "math/random.h"
#include "solve/asked.h"
#include "solve/tops.h"

#include <string.h>

// share of aimed bones from which a swept pose is trusted
#define TRUSTED_SHARE 0.5
// how far a start is shaken, radians, and how many starts a cold frame may try
#define SHAKE 0.6
#define COLD_ATTEMPTS 8
// part of the iterations that the search gets where none of them met the goals
#define SEARCH_SHARE 4

void snw_track_mark_movable(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    snw_tops_find(tracker->skeleton, goals, goal_count, tracker->tops);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        tracker->movable[j] = snw_top_moves(tracker->tops, j);
    }
}

// turn every joint that may move by some tenths of a radian, inside its range; the same for the same seed
static void shake_pose(const sinew_Tracker *tracker, uint64_t seed, double *q)
{
    snw_Random random = snw_random(seed);
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(tracker->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(tracker->skeleton); ++a) {
        bool free = tracker->movable[places[a].joint] && axes[a].mobility > 0.0;
        double *value = &q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_HINGE) {
            double turn = snw_random_range(&random, -SHAKE, SHAKE);
            if (!free) { continue; }
            value[0] = fmin(fmax(value[0] + turn, axes[a].lower), axes[a].upper);
        } else if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Vec3 turn = { snw_random_range(&random, -SHAKE, SHAKE),
                snw_random_range(&random, -SHAKE, SHAKE),
                snw_random_range(&random, -SHAKE, SHAKE) };
            if (!free) { continue; }
            sinew_Quat ball = snw_quat_load(value);
            sinew_Quat turned = sinew_quat_normalize(sinew_quat_mul(sinew_quat_exp(turn), ball));
            if (axes[a].limit != NULL) { turned = sinew_ball_limit_clamp(axes[a].limit, turned); }
            snw_quat_store(turned, value);
        }
    }
}

bool snw_track_usable(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    int joint_count = sinew_skeleton_joint_count(tracker->skeleton);
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].joint < -1 || goals[g].joint >= joint_count) { return false; }
        if (goals[g].chain_root < -1 || goals[g].chain_root >= joint_count) { return false; }
        if (snw_goal_asks_place(&goals[g]) && !sinew_vec3_is_finite(goals[g].position)) {
            return false;
        }
    }
    return true;
}

// the rest values of the joints that may move
static void rest_movable(const sinew_Tracker *tracker, double *q)
{
    sinew_pose_rest(tracker->skeleton, tracker->placed);
    snw_track_take_joints(tracker, tracker->movable, true, tracker->placed, q);
}

// A bone that a sweep aims leaves the twist about it open, and at rest it may be any: balls with limits get
// the one that these count from.
static void untwist_movable(const sinew_Tracker *tracker, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(tracker->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(tracker->skeleton); ++a) {
        const sinew_BallLimit *limit = axes[a].limit;
        bool free = tracker->movable[places[a].joint] && axes[a].mobility > 0.0;
        if (!free || limit == NULL) { continue; }
        double *ball = &q[places[a].coordinate], twist;
        sinew_Vec3 bone;
        sinew_ball_limit_measure(limit, snw_quat_load(ball), &bone, &twist);
        sinew_Quat untwisted = sinew_ball_limit_pose(limit, bone, 0.0);
        snw_quat_store(sinew_ball_limit_clamp(limit, untwisted), ball);
    }
}

void snw_track_pose_from_goals(
    sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, int attempt, double *q)
{
    SNW_ASSERT(goal_count >= 0);
    // a broken goal is refused by the solver, with its message; only the start would trip over it
    if (!snw_track_usable(tracker, goals, goal_count)) { return; }
    snw_track_mark_movable(tracker, goals, goal_count);
    rest_movable(tracker, q);
    if (attempt > 0) { shake_pose(tracker, (uint64_t)attempt, q); }
    snw_place_root(&tracker->sweep, tracker->skeleton, goals, goal_count, q);
    snw_track_copy(tracker, q, tracker->placed);
    if (attempt == 0) { untwist_movable(tracker, q); }
    double share = snw_bone_sweep(&tracker->sweep, tracker->skeleton, goals, goal_count, q);
    if (share < TRUSTED_SHARE) { snw_track_copy(tracker, tracker->placed, q); }
}

// Postures that look right are tried first, and then whatever meets the goals.
static sinew_Status search_from(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    int iterations, double *q, sinew_Report *report, sinew_Report *total, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_SolveOptions options = snw_track_search_options(tracker);
    options.max_iterations = iterations;
    sinew_Report found;
    snw_track_copy(tracker, q, tracker->attempt);
    sinew_Status status = sinew_solver_solve(
        tracker->solver, &options, goals, goal_count, tracker->attempt, &found, message);
    if (status != SINEW_STATUS_OK) { return status; }
    total->iterations += found.iterations;
    total->time += found.time;
    if (!(snw_track_missed_by(&found) <= tracker->lost_distance)) { return status; }
    snw_track_keep_results(tracker, goal_count);
    snw_track_copy(tracker, tracker->attempt, q);
    *report = found;
    return status;
}

sinew_Status snw_track_pose_afresh(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    int iterations, double objective_to_beat, double *q, sinew_Report *out_report,
    sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Report total = *out_report;
    sinew_SolveOptions options;
    memcpy(&options, &tracker->cold, sizeof options);
    bool found = false;
    int left = iterations;
    for (int attempt = 0; attempt < COLD_ATTEMPTS && left > 0; ++attempt) {
        snw_track_copy(tracker, q, tracker->attempt);
        snw_track_pose_from_goals(tracker, goals, goal_count, attempt, tracker->attempt);
        if (options.max_iterations > left) { options.max_iterations = left; }
        if (options.min_iterations > left) { options.min_iterations = left; }
        sinew_Report report;
        sinew_Status status = sinew_solver_solve(
            tracker->solver, &options, goals, goal_count, tracker->attempt, &report, message);
        if (status != SINEW_STATUS_OK) { return status; }
        left -= report.iterations;
        total.iterations += report.iterations;
        total.time += report.time;
        if (!(report.objective < objective_to_beat)) { continue; }
        found = true;
        objective_to_beat = report.objective;
        snw_track_keep_results(tracker, goal_count);
        snw_track_copy(tracker, tracker->attempt, tracker->best);
        *out_report = report;
        if (snw_track_missed_by(&report) <= tracker->lost_distance) { break; }
    }
    if (found) { snw_track_copy(tracker, tracker->best, q); }
    sinew_Status status = SINEW_STATUS_OK;
    if (snw_track_missed_by(out_report) > tracker->lost_distance) {
        status = search_from(
            tracker, goals, goal_count, iterations / SEARCH_SHARE, q, out_report, &total, message);
    }
    out_report->iterations = total.iterations;
    out_report->time = total.time;
    return status;
}
