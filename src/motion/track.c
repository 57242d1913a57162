#include "motion/track.h"

#include "base/message.h"
#include "math/holds.h"
#include "solve/options.h"

#include <string.h>

// sizes and times that the weights of the definition are for
#define REFERENCE_SIZE 1.75
#define REFERENCE_FRAME_TIME (1.0 / 120.0)
// share of the error below which an iteration is the last, where goals rest
#define REST_STALL 1e-9
// Goals at rest that are met, or do not come nearer by this share of the body in a frame, let the pose
// rest: 0.1 mm/s for a person.
#define SETTLED 1e-6
// damped steps that come nearer by less than this share of the body in a frame have stalled: 10 mm/s
#define STALLED 1e-4
// a frame that starts cold has no smoothness to keep and may take longer
#define COLD_ITERATIONS 100
// share of the error below which an iteration of it is the last: there are other starts
#define COLD_STALL 1e-3
// iterations of all attempts of a cold frame, and iterations times degrees of freedom of those after a
// jump, which happens in the midst of a motion: 100 for a body of 90
#define COLD_TOTAL 800
#define JUMP_COST 9000
// share of the longest turn by which a pose from the goals alone must do to be taken after a jump
#define CLEARLY_LESS 0.9
// a limb that meets its goals as soon as its joints have had so many frames to turn needs no other branch
#define CATCH_UP_FRAMES 2.0
// metres: the pull to another branch, times the square of this, is still a weight that a solver takes
#define MOST_SIZE 1e5

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
    // of the error of goals beyond reach, most of which is there to stay: with 1e-3 a hand that follows one
    // went by 20 % faster and slower from frame to frame
    def.options.stall_share = 1e-5;
    def.options.damping_gain = 1.0;
    def.options.damping_floor = 1e-5;
    def.options.rest_weight = 1e-6;
    def.options.velocity_weight = 1e-5;
    def.options.orientation_length = 0.1;
    def.frame_time = 1.0 / 60.0;
    def.max_turn_rate = 18.0;
    def.lost_distance = 0.005;
    def.jump_share = 0.25;
    def.cookie = SNW_COOKIE;
    return def;
}

// what counts by frames, for frames of another length
static void take_frame_time(sinew_Tracker *tracker, double frame_time)
{
    SNW_ASSERT(frame_time > 0.0);
    double size = tracker->size / REFERENCE_SIZE, rate = REFERENCE_FRAME_TIME / frame_time;
    tracker->warm.velocity_weight = tracker->velocity_weight * (size * size * rate * rate);
    tracker->free_turn = tracker->max_turn_rate * frame_time;
    if (tracker->branch.joining) { tracker->branch.speed *= frame_time / tracker->frame_time; }
    tracker->frame_time = frame_time;
}

// weights as they are for this body and this frame time
static void scale_options(sinew_Tracker *tracker, const sinew_TrackerDef *def)
{
    tracker->size = sinew_skeleton_size(def->skeleton);
    double size = tracker->size / REFERENCE_SIZE;
    memcpy(&tracker->warm, &def->options, sizeof tracker->warm);
    tracker->warm.rest_weight *= size * size;
    tracker->velocity_weight = def->options.velocity_weight;
    tracker->warm.orientation_length *= size;
    tracker->lost_distance = def->lost_distance * size;
    tracker->jump_distance = def->jump_share * tracker->size;
    tracker->max_turn_rate = def->max_turn_rate;
    take_frame_time(tracker, def->frame_time);
    tracker->max_turn = def->options.max_joint_change;

    // from nowhere the last pose means nothing, and more damping finds the plain posture
    memcpy(&tracker->cold, &tracker->warm, sizeof tracker->cold);
    tracker->cold.velocity_weight = 0.0;
    tracker->cold.stall_share = fmax(tracker->cold.stall_share, COLD_STALL);
    tracker->cold.max_joint_change = INFINITY;
    if (tracker->cold.damping < 0.0) { tracker->cold.damping_floor *= 10.0; }
    if (tracker->cold.max_iterations < COLD_ITERATIONS) {
        tracker->cold.max_iterations = COLD_ITERATIONS;
    }
}

static sinew_Status check_frame_time(double frame_time, sinew_Message *message)
{
    if (frame_time > 0.0 && frame_time <= 1e6) { return SINEW_STATUS_OK; }
    return snw_refuse(message, "frame_time is %g, want above 0", frame_time);
}

// What is refused here would be refused in each frame.
static sinew_Status check_scaled(const sinew_Tracker *tracker, sinew_Message *message)
{
    if (!(tracker->size <= MOST_SIZE)) {
        return snw_refuse(
            message, "the skeleton is %g m large, want at most %g m", tracker->size, MOST_SIZE);
    }
    return snw_options_check(
        &tracker->warm, "scaled to this body and frame_time, options", tracker->clock, message);
}

static void take_arrays(sinew_Tracker *tracker, snw_Arena *arena)
{
    size_t joints = (size_t)sinew_skeleton_joint_count(tracker->skeleton);
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(tracker->skeleton);
    size_t goals = (size_t)tracker->max_goals;
    (void)snw_arena_take(arena, 1, sizeof *tracker);
    tracker->q = snw_arena_take(arena, coordinates, sizeof(double));
    double **poses[] = { &tracker->next, &tracker->last, &tracker->pose, &tracker->attempt,
        &tracker->placed, &tracker->best, &tracker->chosen, &tracker->rest, &tracker->branch.q,
        &tracker->branch.next };
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; ++i) {
        *poses[i] = snw_arena_take(arena, coordinates, sizeof(double));
    }
    tracker->aim = snw_arena_take(arena, coordinates, sizeof(double));
    tracker->sought = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->over = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->goals = snw_arena_take(arena, goals, sizeof(sinew_Goal));
    tracker->weighed = snw_arena_take(arena, goals, sizeof(sinew_Goal));
    tracker->others = snw_arena_take(arena, goals, sizeof(sinew_Goal));
    tracker->results = snw_arena_take(arena, goals, sizeof(sinew_GoalResult));
    tracker->movable = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->held = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->turned = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->most = snw_arena_take(arena, joints, sizeof(double));
    tracker->goal_at = snw_arena_take(arena, joints, sizeof(int));
    tracker->tops = snw_arena_take(arena, joints, sizeof(int));
    tracker->mobility = snw_arena_take(
        arena, (size_t)sinew_skeleton_axis_count(tracker->skeleton), sizeof(double));
    tracker->sweep.target = snw_arena_take(arena, joints, sizeof(sinew_Vec3));
    tracker->sweep.known = snw_arena_take(arena, joints, sizeof(unsigned char));
    tracker->sweep.world = snw_arena_take(arena, joints, sizeof(sinew_Transform));
    tracker->sweep.movable = tracker->movable;
}

sinew_Status sinew_tracker_create(
    const sinew_TrackerDef *def, sinew_Tracker **out_tracker, sinew_Message *out_message)
{
    if (out_tracker == NULL) { return snw_refuse(out_message, "out_tracker is NULL"); }
    *out_tracker = NULL;
    if (def == NULL) { return snw_refuse(out_message, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "tracker"); }
    if (def->skeleton == NULL) { return snw_refuse(out_message, "skeleton is NULL"); }
    sinew_Status status = check_frame_time(def->frame_time, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!(def->max_turn_rate > 0.0)) {
        return snw_refuse(out_message, "max_turn_rate is %g, want above 0", def->max_turn_rate);
    }
    if (!(def->lost_distance > 0.0)) {
        return snw_refuse(out_message, "lost_distance is %g, want above 0", def->lost_distance);
    }
    if (!(def->jump_share > 0.0)) {
        return snw_refuse(out_message, "jump_share is %g, want above 0", def->jump_share);
    }
    status = snw_options_check(&def->options, "options", def->clock, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    sinew_Tracker draft;
    memset(&draft, 0, sizeof draft);
    draft.allocator = snw_allocator_or_default(&def->allocator);
    draft.skeleton = def->skeleton;
    draft.max_goals = def->max_goals;
    draft.always_cold = def->always_cold;
    scale_options(&draft, def);
    draft.clock = def->clock;
    status = check_scaled(&draft, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_SolverDef solver_def = sinew_solver_def_default();
    solver_def.skeleton = def->skeleton;
    solver_def.max_goals = def->max_goals;
    solver_def.allocator = def->allocator;
    solver_def.clock = def->clock;
    solver_def.clock_user = def->clock_user;
    status = sinew_solver_create(&solver_def, &draft.solver, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    snw_Arena arena = { NULL, 0 };
    take_arrays(&draft, &arena);
    if (!snw_arena_open(&arena, &draft.allocator, &draft.memory_size)) {
        sinew_solver_destroy(draft.solver);
        return snw_no_memory(out_message, "a tracker");
    }
    take_arrays(&draft, &arena);
    sinew_Tracker *tracker = (sinew_Tracker *)(void *)arena.base;
    *tracker = draft;
    sinew_tracker_reset(tracker);
    *out_tracker = tracker;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_tracker_set_frame_time(
    sinew_Tracker *tracker, double frame_time, sinew_Message *out_message)
{
    if (tracker == NULL) { return snw_refuse(out_message, "tracker is NULL"); }
    sinew_Status status = check_frame_time(frame_time, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    const double before = tracker->frame_time;
    take_frame_time(tracker, frame_time);
    status = check_scaled(tracker, out_message);
    if (status != SINEW_STATUS_OK) { take_frame_time(tracker, before); }
    return status;
}

void sinew_tracker_destroy(sinew_Tracker *tracker)
{
    if (tracker == NULL) { return; }
    sinew_solver_destroy(tracker->solver);
    snw_free(&tracker->allocator, tracker, tracker->memory_size);
}

void sinew_tracker_reset(sinew_Tracker *tracker)
{
    if (tracker == NULL) { return; }
    tracker->started = false;
    tracker->given = tracker->settled = false;
    tracker->goal_count = -1;
    tracker->branch.joining = false;
    tracker->branch.attempt = tracker->branch.failures = tracker->branch.pause = 0;
    memset(&tracker->state, 0, sizeof tracker->state);
}

sinew_TrackerState sinew_tracker_state(const sinew_Tracker *tracker)
{
    if (tracker == NULL) { return (sinew_TrackerState){ 0 }; }
    return tracker->state;
}

const sinew_GoalResult *sinew_tracker_goal_results(const sinew_Tracker *tracker)
{
    if (tracker == NULL) { return NULL; }
    return tracker->results;
}

// ---------------------------------------------------------------------------------------------
// Poses given

sinew_Status sinew_tracker_set_pose(
    sinew_Tracker *tracker, const double *q, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "tracker q", tracker, q);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_pose_check(tracker->skeleton, q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_track_copy(tracker, q, tracker->pose);
    if (!tracker->started) {
        snw_track_copy(tracker, q, tracker->q);
        snw_track_copy(tracker, q, tracker->last);
    }
    tracker->started = tracker->given = true;
    tracker->settled = false;
    snw_track_copy(tracker, q, tracker->rest);
    return sinew_solver_set_rest(tracker->solver, q);
}

// ---------------------------------------------------------------------------------------------
// Frames

// the first frame, and every one when nothing is to be remembered
static sinew_Status start_cold(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    // the rest pose of the last cold frame would be a memory of it
    (void)sinew_solver_set_rest(tracker->solver, tracker->given ? tracker->pose : NULL);
    sinew_pose_rest(tracker->skeleton, tracker->next);
    if (tracker->given) { snw_track_copy(tracker, tracker->pose, tracker->next); }
    sinew_Status status = snw_track_pose_afresh(
        tracker, goals, goal_count, COLD_TOTAL, INFINITY, tracker->next, out_report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    tracker->started = true;
    tracker->state.posed_anew = true;
    // what no target sees stays as the start left it, so that it does not drift for the whole clip
    snw_track_copy(tracker, tracker->given ? tracker->pose : tracker->next, tracker->rest);
    return sinew_solver_set_rest(tracker->solver, tracker->rest);
}

// Of two poses at goals that jumped: one that meets them, and of such the one to which joints turn less, by
// far for one that forgets the last pose. A descent from far off may turn an arm the long way round.
static bool keep_followed(const sinew_Tracker *tracker, const double *followed,
    const sinew_Report *report, const double *fresh, const sinew_Report *report_of_fresh)
{
    bool lost = snw_track_missed_by(report) > tracker->lost_distance;
    bool fresh_lost = snw_track_missed_by(report_of_fresh) > tracker->lost_distance;
    if (lost != fresh_lost) { return fresh_lost; }
    if (lost) { return report->objective < report_of_fresh->objective; }
    return CLEARLY_LESS * snw_track_longest_turn(tracker, tracker->q, followed)
        < snw_track_longest_turn(tracker, tracker->q, fresh);
}

// A frame whose goals jumped: from the last pose, and as in a first frame.
static sinew_Status follow_jump(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    tracker->state.posed_anew = true;
    tracker->branch.joining = false;
    tracker->branch.failures = tracker->branch.pause = 0;
    sinew_Report followed = { 0 };
    snw_track_copy(tracker, tracker->next, tracker->chosen);
    sinew_Status status = snw_track_solve(
        tracker, &tracker->warm, goals, goal_count, tracker->chosen, &followed, message);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_report = (sinew_Report){ .iterations = followed.iterations, .time = followed.time };
    status = snw_track_pose_afresh(tracker, goals, goal_count,
        1 + JUMP_COST / (1 + sinew_skeleton_dof_count(tracker->skeleton)), INFINITY, tracker->next,
        out_report, message);
    if (status != SINEW_STATUS_OK
        || !keep_followed(tracker, tracker->chosen, &followed, tracker->next, out_report)) {
        return status;
    }
    snw_track_copy(tracker, tracker->chosen, tracker->next);
    return snw_track_measure(tracker, goals, goal_count, tracker->next, out_report, message);
}

// A frame in which some goals jumped and others did not: these are followed as in any frame, and the limbs that
// the jumped ones alone move are posed anew where the body is then.
static sinew_Status follow_jumped_limbs(sinew_Tracker *tracker, const sinew_Goal *goals,
    int goal_count, sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    tracker->state.posed_anew = true;
    tracker->branch.joining = false;
    tracker->branch.failures = tracker->branch.pause = 0;
    sinew_SolveOptions options = snw_track_search_options(tracker);
    options.max_iterations = 1 + JUMP_COST / (1 + sinew_skeleton_dof_count(tracker->skeleton));
    sinew_Report report = { 0 };
    snw_track_set_bounds(tracker);
    snw_track_lock(tracker, tracker->sought, true);
    sinew_Status status = snw_track_solve_bounded(tracker, &tracker->warm, tracker->others,
        goal_count, tracker->q, tracker->next, &report, message);
    if (status == SINEW_STATUS_OK) {
        snw_track_lock(tracker, tracker->sought, false);
        status = snw_track_solve(
            tracker, &options, tracker->weighed, goal_count, tracker->next, &report, message);
    }
    (void)sinew_solver_set_mobility(tracker->solver, NULL);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_report = (sinew_Report){ .iterations = report.iterations, .time = report.time };
    return snw_track_measure(tracker, goals, goal_count, tracker->next, out_report, message);
}

// A frame in which bones flip: they are aimed. Where that does not meet the goals, limits keep them from
// turning over.
static sinew_Status follow_flips(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    snw_track_set_bounds(tracker);
    snw_track_widen_bounds(tracker, goals, goal_count);
    return snw_track_solve_weighed(tracker, goals, goal_count, out_report, message);
}

// from the last pose, no joint turning farther than it may
static sinew_Status follow_bounded(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    bool comparable, bool rest, sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    tracker->catching_up = false;
    if (comparable && snw_track_any_flips(tracker, goals, goal_count)) {
        sinew_Status aimed = follow_flips(tracker, goals, goal_count, out_report, message);
        bool met = snw_track_missed_by(out_report) <= tracker->warm.position_tolerance;
        if (aimed != SINEW_STATUS_OK || met) { return aimed; }
        snw_track_copy(tracker, tracker->q, tracker->next);
        snw_track_take_given(tracker, tracker->next);
    }
    // where goals rest the descent is finished, so that the pose comes to rest
    sinew_SolveOptions options;
    memcpy(&options, &tracker->warm, sizeof options);
    if (rest) { options.stall_share = fmin(options.stall_share, REST_STALL); }
    // most frames keep the bounds by themselves
    sinew_Status status = snw_track_solve(
        tracker, &options, goals, goal_count, tracker->next, out_report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_track_set_bounds(tracker);
    if (snw_track_within(tracker, tracker->q, tracker->next)) { return status; }
    if (comparable) {
        snw_track_widen_bounds(tracker, goals, goal_count);
        if (snw_track_within(tracker, tracker->q, tracker->next)) { return status; }
    }
    tracker->state.bounded = true;
    double widest = snw_track_widest_bound(tracker);
    bool met = snw_track_missed_by(out_report) <= tracker->lost_distance;
    double longest = snw_track_longest_turn(tracker, tracker->q, tracker->next);
    bool in_widest = longest <= widest;
    tracker->catching_up = met && longest <= CATCH_UP_FRAMES * widest;
    snw_track_copy(tracker, tracker->next, tracker->best);
    snw_track_copy(tracker, tracker->q, tracker->next);
    snw_track_take_given(tracker, tracker->next);
    status = comparable ? snw_track_solve_weighed(tracker, goals, goal_count, out_report, message)
                        : snw_track_solve_bounded(tracker, &tracker->warm, goals, goal_count,
                            tracker->q, tracker->next, out_report, message);
    if (status != SINEW_STATUS_OK || !met || !in_widest
        || snw_track_missed_by(out_report) <= tracker->lost_distance) {
        return status;
    }
    // what flips cannot turn by itself: the body helps
    snw_track_copy(tracker, tracker->best, tracker->next);
    snw_track_widen_body(tracker);
    (void)snw_track_hold_back(tracker, tracker->q, tracker->next, 1.0);
    return snw_track_measure(tracker, goals, goal_count, tracker->next, out_report, message);
}

// another branch is joined from the last pose
static sinew_Status follow_branch(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    snw_track_set_bounds(tracker);
    if (snw_track_goal_change(tracker, goals, goal_count) != SNW_GOALS_CHANGED) {
        snw_track_widen_bounds(tracker, goals, goal_count);
    }
    snw_track_copy(tracker, tracker->q, tracker->next);
    snw_track_take_given(tracker, tracker->next);
    return snw_track_join(tracker, goals, goal_count, out_report, message);
}

// A frame whose goals are not met: another branch may be found, and is joined at once.
static sinew_Status follow_lost(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    bool rest, sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Status status = snw_track_seek(tracker, goals, goal_count, rest, out_report, message);
    if (status != SINEW_STATUS_OK || !tracker->branch.joining) { return status; }
    const sinew_Report sought = *out_report;
    status = follow_branch(tracker, goals, goal_count, out_report, message);
    out_report->iterations += sought.iterations;
    out_report->time += sought.time;
    return status;
}

// the goals rest, and the pose does
static sinew_Status follow_still(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    *out_report = tracker->report;
    out_report->iterations = 0;
    out_report->time = 0.0;
    if (out_report->outcome == SINEW_OUTCOME_CONVERGED) { return SINEW_STATUS_OK; }
    return follow_lost(tracker, goals, goal_count, true, out_report, message);
}

// every frame but cold ones
static sinew_Status follow(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    snw_track_copy(tracker, tracker->q, tracker->next);
    bool rest = snw_track_goals_rest(tracker, goals, goal_count);
    if (tracker->settled && rest && !tracker->branch.joining) {
        return follow_still(tracker, goals, goal_count, out_report, message);
    }
    tracker->settled = false;
    if (snw_track_usable(tracker, goals, goal_count)) {
        snw_track_mark_movable(tracker, goals, goal_count);
        snw_track_take_given(tracker, tracker->next);
    }
    snw_GoalChange change = snw_track_goal_change(tracker, goals, goal_count);
    // with bounded joint speeds nothing may jump
    if (change == SNW_GOALS_JUMPED && !isfinite(tracker->max_turn)) {
        if (snw_track_mark_jumped(tracker, goals, goal_count)) {
            return follow_jumped_limbs(tracker, goals, goal_count, out_report, message);
        }
        return follow_jump(tracker, goals, goal_count, out_report, message);
    }
    bool comparable = change != SNW_GOALS_CHANGED;
    if (tracker->branch.joining) {
        return follow_branch(tracker, goals, goal_count, out_report, message);
    }
    sinew_Status status = follow_bounded(
        tracker, goals, goal_count, comparable, rest, out_report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    double nearer = tracker->report.position_error - out_report->position_error;
    tracker->settled = rest
        && (out_report->outcome == SINEW_OUTCOME_CONVERGED
            || fabs(nearer) <= SETTLED * tracker->size);
    // What rests is looked at closely: next to straight limbs, and on limits, the damped steps stall.
    bool stalled = rest && fabs(nearer) <= STALLED * tracker->size
        && out_report->outcome != SINEW_OUTCOME_CONVERGED;
    bool lost = snw_track_missed_by(out_report) > tracker->lost_distance;
    // a flip may be undone by the next frame: nothing to look for a branch for
    if (lost && tracker->flipped) { return status; }
    if (stalled || lost) {
        return follow_lost(tracker, goals, goal_count, stalled, out_report, message);
    }
    tracker->branch.failures = tracker->branch.pause = tracker->branch.attempt = 0;
    return status;
}

sinew_Status sinew_tracker_update(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double *out_q, sinew_Report *out_report, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(out_message, "tracker out_q", tracker, out_q);
    if (status != SINEW_STATUS_OK) { return status; }
    if (goal_count < 1) {
        return snw_refuse(out_message, "goal_count is %d, want 1 or more", goal_count);
    }
    if (goals == NULL || goal_count > tracker->max_goals) {
        // the solver says what is wrong
        return sinew_solver_solve(
            tracker->solver, &tracker->warm, goals, goal_count, tracker->next, NULL, out_message);
    }
    sinew_Report report = { 0 };
    sinew_TrackerState before = tracker->state;
    memset(&tracker->state, 0, sizeof tracker->state);
    bool cold = !tracker->started || tracker->always_cold;
    status = cold ? start_cold(tracker, goals, goal_count, &report, out_message)
                  : follow(tracker, goals, goal_count, &report, out_message);
    if (status != SINEW_STATUS_OK) {
        tracker->state = before;
        return status;
    }
    tracker->state.lost = snw_track_missed_by(&report) > tracker->lost_distance;
    // a pose that does not go on from the last has no speed
    snw_track_copy(tracker, tracker->state.posed_anew ? tracker->next : tracker->q, tracker->last);
    snw_track_copy(tracker, tracker->next, tracker->q);
    snw_track_keep_goals(tracker, goals, goal_count);
    snw_track_copy(tracker, tracker->q, out_q);
    tracker->report = report;
    if (out_report != NULL) { *out_report = report; }
    return SINEW_STATUS_OK;
}
