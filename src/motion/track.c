#include "sinew/track.h"

#include "base/memory.h"
#include "base/message.h"
#include "math/random.h"
#include "motion/bone_sweep.h"

#include <string.h>

// sizes and times that the weights of the definition are for
#define REFERENCE_SIZE 1.75
#define REFERENCE_FRAME_TIME (1.0 / 120.0)
// share of aimed bones from which a swept pose is trusted
#define TRUSTED_SHARE 0.5
// a lost frame is given up only for a pose this much better
#define RECOVERY_SHARE 0.25
// frames between attempts to recover while targets stay out of reach
#define RECOVERY_PAUSE 30
// how far a start is shaken, radians, and how many starts a cold frame may try
#define SHAKE 0.6
#define COLD_ATTEMPTS 8
// a frame that starts cold has no smoothness to keep and may take longer
#define COLD_ITERATIONS 100

struct sinew_Tracker {
    sinew_Allocator allocator;
    size_t memory_size;
    const sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    sinew_SolveOptions warm, cold;
    double lost_distance;
    bool always_cold, started;
    int max_goals;
    int pause; // frames until the next attempt to recover
    double *q, *attempt, *placed;
    sinew_GoalResult *results;
    snw_BoneSweep sweep;
};

sinew_TrackerDef sinew_tracker_def_default(void)
{
    sinew_TrackerDef def;
    memset(&def, 0, sizeof def);
    def.max_goals = 8;
    def.options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    def.options.position_tolerance = 5e-4;
    def.options.orientation_tolerance = 5e-3;
    def.options.min_iterations = 2;
    def.options.max_iterations = 15;
    def.options.stall_share = 1e-3;
    def.options.damping_gain = 1.0;
    def.options.damping_floor = 1e-5;
    def.options.rest_weight = 1e-6;
    def.options.velocity_weight = 1e-5;
    def.options.orientation_length = 0.1;
    def.frame_time = 1.0 / 60.0;
    def.lost_distance = 0.005;
    return def;
}

// weights as they are for this body and this frame time
static void scale_options(sinew_Tracker *tracker, const sinew_TrackerDef *def)
{
    double size = sinew_skeleton_size(def->skeleton) / REFERENCE_SIZE;
    double rate = REFERENCE_FRAME_TIME / def->frame_time;
    memcpy(&tracker->warm, &def->options, sizeof tracker->warm);
    tracker->warm.rest_weight *= size * size;
    tracker->warm.velocity_weight *= size * size * rate * rate;
    tracker->warm.orientation_length *= size;
    tracker->lost_distance = def->lost_distance * size;

    // from nowhere the last pose means nothing, and more damping finds the plain posture
    memcpy(&tracker->cold, &tracker->warm, sizeof tracker->cold);
    tracker->cold.velocity_weight = 0.0;
    tracker->cold.max_joint_change = INFINITY;
    if (tracker->cold.damping < 0.0) { tracker->cold.damping_floor *= 10.0; }
    if (tracker->cold.max_iterations < COLD_ITERATIONS) {
        tracker->cold.max_iterations = COLD_ITERATIONS;
    }
}

static void take_arrays(sinew_Tracker *tracker, snw_Arena *arena)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(tracker->skeleton);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(tracker->skeleton);
    (void)snw_arena_take(arena, 1, sizeof *tracker);
    tracker->q = snw_arena_take(arena, coordinates, sizeof(double));
    tracker->attempt = snw_arena_take(arena, coordinates, sizeof(double));
    tracker->placed = snw_arena_take(arena, coordinates, sizeof(double));
    tracker->results = snw_arena_take(arena, (size_t)tracker->max_goals, sizeof(sinew_GoalResult));
    tracker->sweep.target = snw_arena_take(arena, joints, sizeof(sinew_Vec3));
    tracker->sweep.known = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->sweep.world = snw_arena_take(arena, joints, sizeof(sinew_Transform));
}

sinew_Status sinew_tracker_create(
    const sinew_TrackerDef *def, sinew_Tracker **out_tracker, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (out_tracker == NULL) { return snw_fail(out_message, bad, "out_tracker is NULL"); }
    *out_tracker = NULL;
    if (def == NULL || def->skeleton == NULL) {
        return snw_fail(out_message, bad, "skeleton is NULL");
    }
    if (!(def->frame_time > 0.0 && def->frame_time <= 1e6)) {
        return snw_fail(out_message, bad, "frame_time is %g, want above 0", def->frame_time);
    }
    if (!(def->lost_distance > 0.0)) {
        return snw_fail(out_message, bad, "lost_distance is %g, want above 0", def->lost_distance);
    }

    sinew_Tracker draft;
    memset(&draft, 0, sizeof draft);
    draft.allocator = snw_allocator_or_default(&def->allocator);
    draft.skeleton = def->skeleton;
    draft.max_goals = def->max_goals;
    draft.always_cold = def->always_cold;
    scale_options(&draft, def);
    sinew_SolverDef solver_def = sinew_solver_def_default();
    solver_def.skeleton = def->skeleton;
    solver_def.max_goals = def->max_goals;
    solver_def.allocator = def->allocator;
    solver_def.clock = def->clock;
    solver_def.clock_user = def->clock_user;
    sinew_Status status = sinew_solver_create(&solver_def, &draft.solver, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    snw_Arena arena = { NULL, 0 };
    take_arrays(&draft, &arena);
    draft.memory_size = arena.used;
    arena.base = snw_alloc(&draft.allocator, draft.memory_size);
    if (arena.base == NULL) {
        sinew_solver_destroy(draft.solver);
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "no memory for a tracker");
    }
    arena.used = 0;
    take_arrays(&draft, &arena);
    sinew_Tracker *tracker = (sinew_Tracker *)(void *)arena.base;
    *tracker = draft;
    *out_tracker = tracker;
    return SINEW_STATUS_OK;
}

void sinew_tracker_destroy(sinew_Tracker *tracker)
{
    if (tracker == NULL) { return; }
    sinew_solver_destroy(tracker->solver);
    sinew_Allocator allocator = tracker->allocator;
    snw_free(&allocator, tracker, tracker->memory_size);
}

void sinew_tracker_reset(sinew_Tracker *tracker)
{
    tracker->started = false;
    tracker->pause = 0;
}

const sinew_GoalResult *sinew_tracker_goal_results(const sinew_Tracker *tracker)
{
    return tracker->results;
}

static void copy_pose(const sinew_Tracker *tracker, const double *from, double *to)
{
    memcpy(to, from, (size_t)sinew_skeleton_coordinate_count(tracker->skeleton) * sizeof(double));
}

// turn every joint by some tenths of a radian, inside its range; the same for the same seed
static void shake_pose(const sinew_Skeleton *skeleton, uint64_t seed, double *q)
{
    snw_Random random = snw_random(seed);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *value = &q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_HINGE) {
            value[0] += snw_random_range(&random, -SHAKE, SHAKE);
        } else if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Vec3 turn = { snw_random_range(&random, -SHAKE, SHAKE),
                snw_random_range(&random, -SHAKE, SHAKE),
                snw_random_range(&random, -SHAKE, SHAKE) };
            sinew_Quat ball = { value[0], value[1], value[2], value[3] };
            sinew_Quat turned = sinew_quat_mul(sinew_quat_exp(turn), ball);
            value[0] = turned.x;
            value[1] = turned.y;
            value[2] = turned.z;
            value[3] = turned.w;
        }
    }
    sinew_pose_apply_limits(skeleton, q);
}

// a start from the goals alone; attempts after the first shake the rest pose first
static void pose_from_goals(
    const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, int attempt, double *q)
{
    sinew_pose_rest(tracker->skeleton, q);
    if (attempt > 0) { shake_pose(tracker->skeleton, (uint64_t)attempt, q); }
    snw_place_root(&tracker->sweep, tracker->skeleton, goals, goal_count, q);
    copy_pose(tracker, q, tracker->placed);
    double share = snw_bone_sweep(&tracker->sweep, tracker->skeleton, goals, goal_count, q);
    if (share < TRUSTED_SHARE) { copy_pose(tracker, tracker->placed, q); }
}

static bool goals_are_usable(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    int joint_count = sinew_skeleton_joint_count(tracker->skeleton);
    if (goals == NULL) { return false; }
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].joint < 0 || goals[g].joint >= joint_count) { return false; }
        if (!sinew_vec3_is_finite(goals[g].position)) { return false; }
    }
    return true;
}

static void keep_results(sinew_Tracker *tracker, int goal_count)
{
    const sinew_GoalResult *results = sinew_solver_goal_results(tracker->solver);
    for (int g = 0; g < goal_count; ++g) { tracker->results[g] = results[g]; }
}

// the largest position error, less what soft reach has put there
static double missed_by(const sinew_Report *report)
{
    return report->position_error - report->eased_distance;
}

// Pose the body from the goals alone: attempts until one is not lost. The best that is below
// objective_to_beat is kept with its results; out_report has its figures, and the iterations and time
// of all. Returns with out_report->objective as large as it was given when none was.
static sinew_Status pose_afresh(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double objective_to_beat, sinew_Report *out_report, sinew_Message *message)
{
    // a broken goal is refused by the solver, with its message; only the start would trip over it
    bool usable = goals_are_usable(tracker, goals, goal_count);
    int iterations = out_report->iterations;
    double time = out_report->time;
    bool found = false;
    for (int attempt = 0; attempt < COLD_ATTEMPTS; ++attempt) {
        sinew_pose_rest(tracker->skeleton, tracker->attempt);
        if (usable) { pose_from_goals(tracker, goals, goal_count, attempt, tracker->attempt); }
        sinew_Report report;
        sinew_Status status = sinew_solver_solve(
            tracker->solver, &tracker->cold, goals, goal_count, tracker->attempt, &report, message);
        if (status != SINEW_STATUS_OK) { return status; }
        iterations += report.iterations;
        time += report.time;
        if (report.objective < objective_to_beat) {
            objective_to_beat = report.objective;
            found = true;
            copy_pose(tracker, tracker->attempt, tracker->q);
            keep_results(tracker, goal_count);
            *out_report = report;
        }
        if (found && missed_by(out_report) <= tracker->lost_distance) { break; }
    }
    out_report->iterations = iterations;
    out_report->time = time;
    return SINEW_STATUS_OK;
}

// the first frame, and every one when nothing is to be remembered
static sinew_Status start_cold(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    // the rest pose of the last cold frame would be a memory of it
    (void)sinew_solver_set_rest(tracker->solver, NULL);
    sinew_Status status = pose_afresh(tracker, goals, goal_count, INFINITY, out_report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    tracker->started = true;
    // what no target sees stays as the start left it, so that it does not drift for the whole clip
    return sinew_solver_set_rest(tracker->solver, tracker->q);
}

// every other frame: from the last pose; a lost one is given up for a much better start
static sinew_Status follow_warm(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    sinew_Status status = sinew_solver_solve(
        tracker->solver, &tracker->warm, goals, goal_count, tracker->q, out_report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    keep_results(tracker, goal_count);
    if (tracker->pause > 0) { --tracker->pause; }
    // with bounded joint speeds nothing may jump
    bool may_jump = !isfinite(tracker->warm.max_joint_change);
    bool lost = missed_by(out_report) > tracker->lost_distance;
    if (!lost || !may_jump || tracker->pause > 0) { return status; }
    double to_beat = RECOVERY_SHARE * out_report->objective;
    status = pose_afresh(tracker, goals, goal_count, to_beat, out_report, message);
    // while targets stay out of reach there is nothing to be found for some time
    tracker->pause = out_report->objective < to_beat ? 0 : RECOVERY_PAUSE;
    return status;
}

sinew_Status sinew_tracker_update(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double *out_q, sinew_Report *out_report, sinew_Message *out_message)
{
    if (tracker == NULL || out_q == NULL) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT, "tracker or out_q is NULL");
    }
    sinew_Report report = { 0 };
    bool cold = !tracker->started || tracker->always_cold;
    sinew_Status status = cold ? start_cold(tracker, goals, goal_count, &report, out_message)
                               : follow_warm(tracker, goals, goal_count, &report, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    copy_pose(tracker, tracker->q, out_q);
    if (out_report != NULL) { *out_report = report; }
    return SINEW_STATUS_OK;
}
