#include "motion/track.h"

#include <string.h>

// A change of branch turns joints by this, rad/s: two thirds of the bound, so that the branch can follow
// its goals meanwhile.
#define JOIN_RATE 12.0
// The pull along the way to a branch, m^2/rad^2 for a body of 1 m. It doubles in each frame in which the
// way left did not become shorter by this share of the rate, until it is the most: then limits block it.
// Goals that are far off pull as strongly as they are far, in bodies.
#define PULL 1e-3
#define FAR_PULL 0.05
#define PULL_GROWTH 2.0
#define MOST_PULL 10.0
#define PROGRESS 0.4
// share of the bound with which a branch follows
#define FOLLOW_SHARE 0.5
// iterations times degrees of freedom that seeking may cost a frame
#define SEEK_COST 1800
#define SEEK_LEAST 8
#define SEEK_MOST 400
// A branch is taken when it brings the goals nearer by this share of the body and this share of what is
// missing, and when that, lasting for so many seconds, is worth more than what the way to it costs.
#define WORTH_SIZE 0.005
#define WORTH_SHARE 0.03
#define LASTING 0.5
// The middle of a way may be outside limits by this, radians; the goals pull it in by so many iterations,
// each joint by so many radians.
#define MOST_BLOCKED 0.3
#define MIDDLE_ITERATIONS 6
#define MIDDLE_TURN 0.2

// Failures in a row after which attempts pause. A pause ends early when the distance of the goals has
// changed by this share of the body and this share of itself: there may be something new to find.
#define FAILURES 8
#define CHANGED_SIZE 0.002
#define CHANGED_SHARE 0.02

static int pause_after(int failures)
{
    static const int pauses[] = { 5, 10, 20, 30 };
    int longest = (int)(sizeof pauses / sizeof pauses[0]) - 1;
    int place = failures - FAILURES;
    return place < 0 ? 0 : pauses[place < longest ? place : longest];
}

static int movable_dofs(const sinew_Tracker *tracker)
{
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    int count = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        if (tracker->movable[j]) { count += joints[j].dof_count; }
    }
    return count > 0 ? count : 1;
}

// ---------------------------------------------------------------------------------------------
// Seeking

// the distance of all goals together, metres, less what soft reach has put there
static double distance_of(
    const sinew_Tracker *tracker, const sinew_GoalResult *results, int goal_count)
{
    double sum = 0.0, length = tracker->warm.orientation_length;
    for (int g = 0; g < goal_count; ++g) {
        double place = results[g].position_error - results[g].eased_distance;
        double turn = length * results[g].orientation_error;
        sum += place * place + turn * turn;
    }
    return sqrt(sum);
}

// hinges without ends: the whole turns nearest to another pose
static void unwind(const sinew_Tracker *tracker, const double *from, double *to)
{
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(tracker->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(tracker->skeleton); ++a) {
        if (axes[a].kind != SINEW_AXIS_HINGE) { continue; }
        double *value = &to[places[a].coordinate];
        double turns = floor((from[places[a].coordinate] - *value) / (2.0 * SINEW_PI) + 0.5);
        double nearer = *value + 2.0 * SINEW_PI * turns;
        if (nearer >= axes[a].lower && nearer <= axes[a].upper) { *value = nearer; }
    }
}

static sinew_Status attempt_branch(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    int iterations, sinew_Report *report, sinew_Message *message)
{
    int number = tracker->branch.attempt++;
    snw_track_copy(tracker, tracker->next, tracker->attempt);
    sinew_SolveOptions options;
    if (number % 2 == 0) {
        memcpy(&options, &tracker->cold, sizeof options);
        snw_track_pose_from_goals(tracker, goals, goal_count, number / 2, tracker->attempt);
    } else {
        options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        options.position_tolerance = tracker->warm.position_tolerance;
        options.orientation_tolerance = tracker->warm.orientation_tolerance;
        options.orientation_length = tracker->warm.orientation_length;
        options.soft_reach = tracker->warm.soft_reach;
        options.start = SINEW_START_REST;
        options.seed = (uint64_t)number;
    }
    options.max_iterations = iterations;
    if (options.min_iterations > iterations) { options.min_iterations = iterations; }
    return sinew_solver_solve(
        tracker->solver, &options, goals, goal_count, tracker->attempt, report, message);
}

// How far the goals are half way to the pose that was found, where they pull it in as well as they can.
// A way that limits block has no middle: INFINITY.
static sinew_Status measure_middle(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double *out_distance, sinew_Report *report, sinew_Message *message)
{
    double *middle = tracker->best;
    sinew_pose_interpolate(tracker->skeleton, tracker->next, tracker->attempt, 0.5, middle);
    *out_distance = INFINITY;
    if (sinew_pose_limit_violation(tracker->skeleton, middle) > MOST_BLOCKED) {
        return SINEW_STATUS_OK;
    }
    sinew_SolveOptions options;
    memcpy(&options, &tracker->warm, sizeof options);
    options.max_iterations = MIDDLE_ITERATIONS;
    options.min_iterations = 0;
    options.max_joint_change = MIDDLE_TURN;
    sinew_Report found;
    sinew_Status status = sinew_solver_solve(
        tracker->solver, &options, goals, goal_count, middle, &found, message);
    if (status != SINEW_STATUS_OK) { return status; }
    report->iterations += found.iterations;
    report->time += found.time;
    *out_distance = distance_of(tracker, sinew_solver_goal_results(tracker->solver), goal_count);
    return status;
}

// Whether the branch that was tried last, which is so far from the goals, is worth its way.
static sinew_Status weigh_attempt(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double now, double then, bool *out_worth, sinew_Report *report, sinew_Message *message)
{
    double gain = now - then, middle;
    *out_worth = false;
    if (!(gain > fmax(WORTH_SIZE * tracker->size, WORTH_SHARE * now))) { return SINEW_STATUS_OK; }
    unwind(tracker, tracker->next, tracker->attempt);
    double way = snw_track_longest_turn(tracker, tracker->next, tracker->attempt);
    sinew_Status status = measure_middle(tracker, goals, goal_count, &middle, report, message);
    *out_worth = gain * LASTING > (middle - now) * way / JOIN_RATE;
    return status;
}

static void begin_joining(sinew_Tracker *tracker, double now)
{
    snw_TrackBranch *branch = &tracker->branch;
    snw_track_copy(tracker, tracker->attempt, branch->q);
    branch->joining = true;
    branch->pull = fmax(PULL, FAR_PULL * now / tracker->size);
    branch->failures = branch->attempt = 0;
    branch->way = snw_track_longest_turn(tracker, tracker->next, branch->q);
    tracker->state.joining = true;
    tracker->state.way_left = branch->way;
}

sinew_Status snw_track_seek(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *report, sinew_Message *message)
{
    snw_TrackBranch *branch = &tracker->branch;
    double now = distance_of(tracker, tracker->results, goal_count);
    double change = CHANGED_SIZE * tracker->size + CHANGED_SHARE * branch->tried_at;
    if (branch->pause > 0 && fabs(now - branch->tried_at) <= change) {
        --branch->pause;
        return SINEW_STATUS_OK;
    }
    branch->pause = 0;
    branch->tried_at = now;
    tracker->state.seeking = true;
    snw_track_mark_movable(tracker, goals, goal_count);
    int left = SEEK_COST / movable_dofs(tracker);
    left = left < SEEK_LEAST ? SEEK_LEAST : left > SEEK_MOST ? SEEK_MOST : left;
    while (left > 0 && branch->pause == 0) {
        sinew_Report found;
        bool worth = false;
        sinew_Status status = attempt_branch(tracker, goals, goal_count, left, &found, message);
        if (status != SINEW_STATUS_OK) { return status; }
        left -= found.iterations > 0 ? found.iterations : 1;
        report->iterations += found.iterations;
        report->time += found.time;
        double then = distance_of(tracker, sinew_solver_goal_results(tracker->solver), goal_count);
        status = weigh_attempt(tracker, goals, goal_count, now, then, &worth, report, message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (worth) {
            begin_joining(tracker, now);
            return status;
        }
        branch->pause = pause_after(++branch->failures);
    }
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Joining

// The branch itself follows the goals from where it was in the last frame. out_distance receives how far
// it is from them.
static sinew_Status follow_branch(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double *out_distance, sinew_Report *report, sinew_Message *message)
{
    snw_TrackBranch *branch = &tracker->branch;
    sinew_SolveOptions options;
    memcpy(&options, &tracker->warm, sizeof options);
    options.max_joint_change = FOLLOW_SHARE * snw_track_widest_bound(tracker);
    snw_track_copy(tracker, branch->q, branch->next);
    snw_track_take_given(tracker, branch->next);
    sinew_Status status = snw_track_solve(
        tracker, &options, goals, goal_count, branch->next, report, message);
    if (status != SINEW_STATUS_OK) { return status; }
    (void)snw_track_hold_back(tracker, branch->q, branch->next, FOLLOW_SHARE);
    *out_distance = distance_of(tracker, tracker->results, goal_count);
    return status;
}

sinew_Status snw_track_join(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    snw_TrackBranch *branch = &tracker->branch;
    double rate = fmin(JOIN_RATE * tracker->frame_time, tracker->max_turn), found;
    sinew_Report report = { 0 };
    sinew_Status status = follow_branch(tracker, goals, goal_count, &found, &report, message);
    if (status != SINEW_STATUS_OK) { return status; }

    // the way goes where the goals let it, and the more it is pulled the less they do
    sinew_pose_difference(tracker->skeleton, tracker->next, branch->next, tracker->offset);
    double way = snw_track_advance(tracker, tracker->next, tracker->offset, rate, tracker->best);
    sinew_SolveOptions options;
    memcpy(&options, &tracker->warm, sizeof options);
    options.velocity_weight = 0.0;
    options.rest_weight = branch->pull * tracker->size * tracker->size;
    (void)sinew_solver_set_rest(tracker->solver, tracker->best);
    status = snw_track_solve_bounded(
        tracker, &options, goals, goal_count, tracker->q, tracker->next, &report, message);
    (void)sinew_solver_set_rest(tracker->solver, tracker->rest);
    if (status != SINEW_STATUS_OK) { return status; }
    *out_report = report;
    snw_track_copy(tracker, branch->next, branch->q);
    double here = distance_of(tracker, tracker->results, goal_count);
    bool blocked = branch->pull >= MOST_PULL && way > branch->way - PROGRESS * rate;
    if (way > branch->way - PROGRESS * rate) { branch->pull *= PULL_GROWTH; }
    branch->way = way;
    bool arrived = way <= rate || snw_track_missed_by(&report) <= tracker->lost_distance;
    bool vain = found > here || blocked;
    if (vain && !arrived) { branch->pause = pause_after(FAILURES); }
    branch->joining = !arrived && !vain;
    tracker->state.joining = branch->joining;
    tracker->state.way_left = branch->joining ? way : 0.0;
    return status;
}
