#include "math/holds.h"
#include "math/quat.h"
#include "motion/track.h"

#include "math/random.h"
#include "solve/answers.h"
#include "solve/asked.h"
#include "solve/tops.h"

#include <string.h>

// A change of branch turns joints by this, rad/s: two thirds of the bound for a body, whose goals move the
// same joints meanwhile; all of it for a limb, also one of a body: with two thirds a hand that went over was
// 169 mm off on its way, with all of it 80.
#define JOIN_RATE 12.0
#define LIMB_JOIN_RATE 18.0
// It begins with the speed that joints have and changes by no more than this, rad/s^2: from rest to the most
// of a limb in four frames of 1/60 s, and down again. With 270 frames were stuck for longer, 2.0 % of them.
#define JOIN_ACCELERATION 330.0
// How often the turn that the goals ask for is gone of the way by the goals alone. With 0 joins ended by
// changes of speed of 0.22 rad a frame, with 1 by 0.19, with this by 0.17, with 3 by 0.10; but then a jump
// of `fair_jumping` took a branch that went 80 mm astray.
#define GOALS_SHARE 2.0
// The pull along the way to a branch, m^2/rad^2 for a body of 1 m. It doubles in each frame in which the
// way left did not become shorter by this share of the rate, until it is the most: then limits block it.
// Goals that are far off pull as strongly as they are far, in bodies: a limb's has the way to itself.
#define PULL 5e-4
#define FAR_PULL 0.05
#define LIMB_FAR_PULL 0.3
#define PULL_GROWTH 2.0
#define MOST_PULL 10.0
#define PROGRESS 0.4
// share of the bound with which a branch follows
#define FOLLOW_SHARE 0.5
// Iterations times degrees of freedom that seeking may cost a frame. Limbs of up to so many degrees of
// freedom have cheap attempts: the best of a frame's is taken, and they never pause for long; of a body's
// it is the first good one, of which one in WHOLE_EVERY is of the whole body. With all of them hands that came
// back from overhead and from circles were 94 mm off at most in the mean of 48 paths, with this 32.
#define SEEK_COST 1800
#define WHOLE_EVERY 4
#define SEEK_LEAST 8
#define LIMB_COST 4000
#define LIMB_DOFS 11
#define LIMB_PAUSE 5
// share of the error below which an iteration is the last, where a limb tries another branch
#define LIMB_STALL 1e-3
// A branch is taken when it brings the goals nearer by this share of the body and this share of what is
// missing, and when that, lasting for so many seconds, is worth more than what the way to it costs.
#define WORTH_SIZE 0.004
#define WORTH_SHARE 0.03
#define LASTING 0.5
// what is won where goals rest lasts, seconds, and it need be no more than their tolerance
#define LASTING_AT_REST 5.0
// and for a limb no better one is looked for when it has this share of what there is to win
#define ENOUGH 0.9
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

// ---------------------------------------------------------------------------------------------
// Seeking

// how far a goal is off, metres, less what soft reach has put there
static double miss_of(const sinew_Goal *goal, const sinew_GoalResult *result)
{
    return snw_goal_asks_place(goal) ? result->position_error - result->eased_distance : 0.0;
}

// the distance of all goals together, metres
static double distance_of(const sinew_Tracker *tracker, const sinew_Goal *goals,
    const sinew_GoalResult *results, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    double sum = 0.0, length = tracker->warm.orientation_length;
    for (int g = 0; g < goal_count; ++g) {
        double place = miss_of(&goals[g], &results[g]);
        double turn = snw_goal_asks_turn(&goals[g]) ? length * results[g].orientation_error : 0.0;
        sum += place * place + turn * turn;
    }
    return sqrt(sum);
}

// Which goals a branch is sought for, and what it must bring, where all are so far off. Goals that rest
// are to be met; those that move are followed as well as it looks.
static void set_stakes(sinew_Tracker *tracker, bool rest, double now)
{
    snw_TrackBranch *branch = &tracker->branch;
    double tolerance = tracker->warm.position_tolerance;
    branch->unmet = rest ? tolerance : tracker->lost_distance;
    branch->least = rest ? tolerance : fmax(WORTH_SIZE * tracker->size, WORTH_SHARE * now);
    branch->lasting = rest ? LASTING_AT_REST : LASTING;
}

static bool is_lost(const sinew_Tracker *tracker, const sinew_Goal *goals, int g)
{
    return miss_of(&goals[g], &tracker->results[g]) > tracker->branch.unmet;
}

// tops of the goals of effectors that are lost, or of the others
static void find_tops(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, bool lost)
{
    SNW_ASSERT(goal_count >= 0);
    snw_tops_clear(tracker->skeleton, tracker->tops);
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].joint < 0 || is_lost(tracker, goals, g) != lost) { continue; }
        snw_tops_add(&goals[g], tracker->tops);
    }
    snw_tops_carry_up(tracker->skeleton, tracker->tops);
}

// the joints that lost goals may move
static void mark_sought(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    bool whole = false;
    for (int g = 0; g < goal_count; ++g) {
        whole = whole || (goals[g].joint < 0 && is_lost(tracker, goals, g));
    }
    find_tops(tracker, goals, goal_count, true);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        tracker->sought[j] = snw_top_moves(tracker->tops, j) || (whole && tracker->movable[j]);
    }
}

// Whether goals that are met move joints that lost ones may: hips that are lost carry the body, and each attempt
// costs as much.
static bool shares_sought(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    find_tops(tracker, goals, goal_count, false);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        if (tracker->sought[j] && snw_top_moves(tracker->tops, j)) { return true; }
    }
    return false;
}

static int dofs_of(const sinew_Tracker *tracker, const unsigned char *joints_counted)
{
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    int count = 0;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        if (joints_counted[j]) { count += joints[j].dof_count; }
    }
    return count > 0 ? count : 1;
}

// How far a goal stays off at least, metres: what is beyond the bones of a limb that hangs where it is.
static double least_distance(const sinew_Tracker *tracker, const sinew_Goal *goal)
{
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    bool place = goal->kind == SINEW_GOAL_POSITION || goal->kind == SINEW_GOAL_POSE;
    if (!place || !snw_goal_asks_place(goal) || goal->chain_root < 0 || goal->reference >= 0) {
        return 0.0;
    }
    double reach = sinew_vec3_length(goal->joint_from_effector.position);
    for (int j = goal->joint; j >= 0; j = joints[j].parent) {
        for (int a = 0; a < joints[j].axis_count; ++a) {
            if (axes[joints[j].axis_start + a].kind == SINEW_AXIS_SLIDE) { return 0.0; }
        }
        if (j == goal->chain_root) { break; }
        reach += sinew_vec3_length(joints[j].offset);
    }
    for (int j = joints[goal->chain_root].parent; j >= 0; j = joints[j].parent) {
        if (tracker->movable[j]) { return 0.0; }
    }
    sinew_Vec3 from = tracker->sweep.world[goal->chain_root].position;
    return fmax(0.0, sinew_vec3_distance(goal->position, from) - reach);
}

// Whether no branch can bring goals that are so far off much nearer.
static bool is_vain(
    const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, double now)
{
    SNW_ASSERT(goal_count >= 0);
    double least = 0.0;
    sinew_pose_forward(tracker->skeleton, tracker->next, tracker->sweep.world);
    for (int g = 0; g < goal_count; ++g) {
        double distance = least_distance(tracker, &goals[g]);
        least += distance * distance;
    }
    return now - sqrt(least) <= tracker->branch.least;
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

// A start anywhere in the ranges of the joints that lost goals may move; the others stay.
static void draw_pose(const sinew_Tracker *tracker, uint64_t seed, double *q)
{
    snw_Random random = snw_random(seed);
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(tracker->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(tracker->skeleton); ++a) {
        if (!tracker->sought[places[a].joint] || !(axes[a].mobility > 0.0)) { continue; }
        double *value = &q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_HINGE) {
            double lower = fmax(axes[a].lower, value[0] - SINEW_PI);
            double upper = fmin(axes[a].upper, value[0] + SINEW_PI);
            value[0] = snw_random_range(&random, lower, upper);
        } else if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Vec3 turn = { snw_random_range(&random, -SINEW_PI, SINEW_PI),
                snw_random_range(&random, -SINEW_PI, SINEW_PI),
                snw_random_range(&random, -SINEW_PI, SINEW_PI) };
            sinew_Quat ball = sinew_quat_exp(turn);
            if (axes[a].limit != NULL) { ball = sinew_ball_limit_clamp(axes[a].limit, ball); }
            snw_quat_store(ball, value);
        }
    }
}

// Mark in `sought` the joints that one goal moves alone, of all goals in turn; false: there are none, or they are
// most of the body.
static bool mark_limb(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, int turn)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Skeleton *skeleton = tracker->skeleton;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int g = turn % goal_count, root = goals[g].chain_root, marked = 0;
    memset(tracker->sought, 0, (size_t)sinew_skeleton_joint_count(skeleton));
    for (int j = goals[g].joint; j >= 0; j = joints[j].parent) {
        bool shared = false;
        for (int h = 0; h < goal_count; ++h) {
            shared = shared
                || (h != g && goals[h].joint >= 0
                    && sinew_skeleton_is_ancestor(skeleton, j, goals[h].joint));
        }
        if (shared) { break; }
        tracker->sought[j] = 1;
        marked += joints[j].dof_count;
        if (j == root) { break; }
    }
    return marked > 0 && 2 * marked <= dofs_of(tracker, tracker->movable);
}

// Limbs have many answers and are solved from anywhere; bodies from what looks like a posture, and more often as
// they stand but for one limb: what is off is most often one whose branch ended, and its way disturbs no other.
static sinew_Status attempt_branch(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    bool limb, int place, int iterations, sinew_Report *report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    int number = tracker->branch.attempt++;
    // one in so many is of the whole body, and no goal's turn is always there
    int whole = goal_count % WHOLE_EVERY == 0 ? WHOLE_EVERY + 1 : WHOLE_EVERY;
    snw_track_copy(tracker, tracker->next, tracker->attempt);
    sinew_SolveOptions options = snw_track_search_options(tracker);
    tracker->branch.rate = limb ? LIMB_JOIN_RATE : JOIN_RATE;
    if (limb) {
        options.restarts = 0;
        options.stall_share = LIMB_STALL;
        double way;
        // straight limbs bend from where they are; a closed form knows all branches
        bool known = place == 1 && goal_count == 1
            && snw_solver_other_branch(
                tracker->solver, &options, goals, tracker->next, tracker->attempt, &way);
        if (place > 0 && !known) { draw_pose(tracker, (uint64_t)number, tracker->attempt); }
    } else if (number % whole != 0 && mark_limb(tracker, goals, goal_count, number)) {
        tracker->branch.rate = LIMB_JOIN_RATE;
        options.restarts = 0;
        options.stall_share = LIMB_STALL;
        // where the posture has it, and from all over its ranges, in turn
        if (number / goal_count % 2 == 1) {
            snw_track_take_joints(tracker, tracker->sought, true, tracker->rest, tracker->attempt);
        } else {
            draw_pose(tracker, (uint64_t)number, tracker->attempt);
        }
    } else if (number % whole == 0) {
        memcpy(&options, &tracker->cold, sizeof options);
        snw_track_pose_from_goals(tracker, goals, goal_count, number / whole, tracker->attempt);
    } else {
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
    SNW_ASSERT(goal_count >= 0);
    double *middle = tracker->best;
    snw_track_half_way(tracker, tracker->next, tracker->attempt, middle);
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
    *out_distance = distance_of(
        tracker, goals, sinew_solver_goal_results(tracker->solver), goal_count);
    return status;
}

// What the branch that was tried last, which is so far from the goals, is worth beyond its way, metres
// times seconds.
static sinew_Status weigh_attempt(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    double now, double then, double *out_worth, sinew_Report *report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    double gain = now - then, middle;
    *out_worth = 0.0;
    if (!(gain > tracker->branch.least)) { return SINEW_STATUS_OK; }
    unwind(tracker, tracker->next, tracker->attempt);
    double way = snw_track_longest_turn(tracker, tracker->next, tracker->attempt);
    sinew_Status status = measure_middle(tracker, goals, goal_count, &middle, report, message);
    *out_worth = gain * tracker->branch.lasting - (middle - now) * way / tracker->branch.rate;
    return status;
}

static sinew_Status try_branch(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    bool limb, int place, int iterations, double now, double *out_worth, sinew_Report *report,
    sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_Report found;
    sinew_Status status = attempt_branch(
        tracker, goals, goal_count, limb, place, iterations, &found, message);
    if (status != SINEW_STATUS_OK) { return status; }
    report->iterations += found.iterations;
    report->time += found.time;
    double then = distance_of(
        tracker, goals, sinew_solver_goal_results(tracker->solver), goal_count);
    return weigh_attempt(tracker, goals, goal_count, now, then, out_worth, report, message);
}

// The goals that a branch is sought for. A posture is never met, and while it counts no search tells whether
// it comes nearer to what is: its descents were given up as leading nowhere.
static const sinew_Goal *without_posture(
    sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    for (int g = 0; g < goal_count; ++g) {
        tracker->weighed[g] = goals[g];
        if (goals[g].kind == SINEW_GOAL_REST) { tracker->weighed[g].orientation_weight = 0.0; }
    }
    return tracker->weighed;
}

static void begin_joining(sinew_Tracker *tracker, double now, bool limb)
{
    snw_TrackBranch *branch = &tracker->branch;
    snw_track_copy(tracker, tracker->chosen, branch->q);
    branch->joining = true;
    branch->pull = fmax(PULL, (limb ? LIMB_FAR_PULL : FAR_PULL) * now / tracker->size);
    branch->failures = branch->attempt = 0;
    branch->way = INFINITY;
    branch->speed = snw_track_longest_turn(tracker, tracker->last, tracker->q);
    branch->ending = false;
}

sinew_Status snw_track_seek(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    bool rest, sinew_Report *report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    snw_TrackBranch *branch = &tracker->branch;
    double now = distance_of(tracker, goals, tracker->results, goal_count);
    double change = CHANGED_SIZE * tracker->size + CHANGED_SHARE * branch->tried_at;
    if (branch->pause > 0 && fabs(now - branch->tried_at) <= change) {
        --branch->pause;
        return SINEW_STATUS_OK;
    }
    branch->pause = 0;
    branch->tried_at = now;
    set_stakes(tracker, rest, now);
    snw_track_mark_movable(tracker, goals, goal_count);
    mark_sought(tracker, goals, goal_count);
    int dofs = dofs_of(tracker, tracker->sought);
    bool limb = dofs <= LIMB_DOFS;
    if ((limb && tracker->catching_up) || is_vain(tracker, goals, goal_count, now)) {
        return SINEW_STATUS_OK;
    }
    tracker->state.seeking = true;
    bool carries = limb && shares_sought(tracker, goals, goal_count);
    int moved = limb && !carries ? dofs : dofs_of(tracker, tracker->movable);
    int left = (limb ? LIMB_COST : SEEK_COST) / moved;
    left = left < SEEK_LEAST ? SEEK_LEAST : left;
    const sinew_Goal *asked = without_posture(tracker, goals, goal_count);
    int place = 0;
    double most = 0.0;
    bool enough = false;
    while (left > 0 && branch->pause == 0 && !enough) {
        int before = report->iterations;
        double worth = 0.0;
        sinew_Status status = try_branch(
            tracker, asked, goal_count, limb, place++, left, now, &worth, report, message);
        if (status != SINEW_STATUS_OK) { return status; }
        int spent = report->iterations - before;
        left -= spent > 0 ? spent : 1;
        if (worth > most) {
            most = worth;
            snw_track_copy(tracker, tracker->attempt, tracker->chosen);
        }
        enough = most > (limb ? ENOUGH * branch->lasting * now : 0.0);
        if (!limb && most == 0.0) { branch->pause = pause_after(++branch->failures); }
    }
    if (most > 0.0) {
        begin_joining(tracker, now, limb);
    } else if (limb) {
        int pause = pause_after(++branch->failures);
        branch->pause = pause < LIMB_PAUSE ? pause : LIMB_PAUSE;
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
    SNW_ASSERT(goal_count >= 0);
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
    *out_distance = distance_of(tracker, goals, tracker->results, goal_count);
    return status;
}

// the most that the speed of a join changes by, radians a frame
static double speed_step(const sinew_Tracker *tracker)
{
    return JOIN_ACCELERATION * tracker->frame_time * tracker->frame_time;
}

// How far joints turn to the branch in this frame, radians, a way that is left: as fast as they may where
// they can come to rest on it, a step less in each frame; slower each frame once it is of no more use.
static double next_speed(const sinew_Tracker *tracker, double way)
{
    const snw_TrackBranch *branch = &tracker->branch;
    double step = speed_step(tracker);
    double most = fmin(branch->rate * tracker->frame_time, tracker->max_turn);
    if (branch->ending) { return fmin(fmax(0.0, branch->speed - step), most); }
    // v + (v - step) + (v - 2 step) + ... = what the goals leave of the way
    double left = fmax(0.0, way - GOALS_SHARE * tracker->asked);
    double brake = 0.5 * (sqrt(step * (step + 8.0 * left)) - step);
    return fmin(fmin(branch->speed + step, brake), most);
}

sinew_Status snw_track_join(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count,
    sinew_Report *out_report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    snw_TrackBranch *branch = &tracker->branch;
    double found;
    sinew_Report report = { 0 };
    sinew_Status status = follow_branch(tracker, goals, goal_count, &found, &report, message);
    if (status != SINEW_STATUS_OK) { return status; }

    // the way goes where the goals let it, and the more it is pulled the less they do
    double way = snw_track_longest_turn(tracker, tracker->next, branch->next);
    double speed = next_speed(tracker, way);
    if (branch->ending) { branch->pull *= speed / branch->speed; }
    branch->speed = speed;
    snw_track_advance(tracker, tracker->next, branch->next, speed, tracker->best);
    // the joints that go over to the other writing of their hinges begin there: no descent leads to it
    snw_track_take_joints(tracker, tracker->over, true, tracker->best, tracker->next);
    // what is a change of a step is eased
    snw_track_slow_down(tracker, fmax(speed, speed_step(tracker)));
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
    double here = distance_of(tracker, goals, tracker->results, goal_count);
    bool slow = way > branch->way - PROGRESS * speed;
    bool blocked = branch->pull >= MOST_PULL && slow;
    if (slow) { branch->pull *= PULL_GROWTH; }
    branch->way = way;
    bool near = way <= branch->rate * tracker->frame_time;
    bool met = snw_track_missed_by(&report) <= tracker->warm.position_tolerance;
    bool arrived = way <= speed || (near && slow) || met;
    // no nearer than the pose shown, or than the one it was sought for
    bool vain = found > here || found > branch->tried_at || blocked;
    if (vain && !arrived) { branch->pause = pause_after(FAILURES); }
    branch->ending = branch->ending || arrived || vain;
    branch->joining = !branch->ending || speed > speed_step(tracker);
    tracker->state.joining = branch->joining;
    tracker->state.way_left = branch->joining ? way : 0.0;
    return status;
}
