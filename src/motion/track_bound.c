#include "motion/track.h"

#include "math/holds.h"
#include "solve/asked.h"

#include <string.h>

// What moves by more than this share of the body in a frame asks for nothing: people's hands move by 0.1 of
// the body in a frame of 1/30 s at most.
#define MOST_SHARE 0.25
// Of goals that jump beside others it is the body that jumped, as in recordings that are cut, where one of the
// others moves by more than this share of it: 8 m/s at 90 frames a second.
#define STAY_SHARE 0.05
// a limb shorter than this share of the body asks for turns like one that long: 9 mm, the joints of a
// tongue
#define SHORTEST_LEVER 0.005
// how often what the goals ask the bound goes: a limb near its full stretch turns faster than its goal
#define ASKED_SHARE 3.0
// What turns faster than this, rad/s, is most often a flip of a capture, and asks of that limb alone:
// people reach 20 with the arm in sports. It weighs a tenth, since a thumb that limits keep from turning over
// shakes the arm that carries it; and this where its bone can be aimed: with a tenth it was 1.1 mm off (0.6 mm),
// with half a limited thumb turned 1.95 rad in 1/60 s (1.2).
#define FLIP_RATE 24.0
#define FLIP_WEIGHT 0.1
#define AIMED_WEIGHT 0.2
// A descent turns a bone that flips by so much, radians, and shares it with the joints that carry it; twice as
// much is done by aiming the bone alone, and in between in part. With 0.3 a thumb turned 1.5 times as fast as
// any joint of its capture, with 0.5 it was 3 mm off.
#define DESCENT_TURN 0.4
// how often a way is cut before a joint is left where it was, and by which share: turns about several
// axes do not shrink evenly
#define CUTS 8
#define CUT_SHARE 0.8

// ---------------------------------------------------------------------------------------------
// What the goals ask

static bool has_place(const sinew_Goal *goal)
{
    return (goal->kind == SINEW_GOAL_POSITION || goal->kind == SINEW_GOAL_POSE)
        && snw_goal_asks_place(goal);
}

static bool has_turn(const sinew_Goal *goal)
{
    return (goal->kind == SINEW_GOAL_ORIENTATION || goal->kind == SINEW_GOAL_POSE)
        && snw_goal_asks_turn(goal);
}

// whether a goal has moved so far that nothing that was shown leads there
static bool has_jumped(const sinew_Tracker *tracker, const sinew_Goal *goals, int g)
{
    SNW_ASSERT(g >= 0);
    return has_place(&goals[g])
        && !(sinew_vec3_distance(goals[g].position, tracker->goals[g].position)
            <= tracker->jump_distance);
}

snw_GoalChange snw_track_goal_change(
    const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Goal *before = tracker->goals;
    if (goal_count != tracker->goal_count) { return SNW_GOALS_CHANGED; }
    bool jumped = false;
    for (int g = 0; g < goal_count; ++g) {
        if (goals[g].kind != before[g].kind || goals[g].joint != before[g].joint
            || goals[g].chain_root != before[g].chain_root
            || goals[g].reference != before[g].reference
            // what was not asked for was nowhere
            || has_place(&goals[g]) != has_place(&before[g])
            || has_turn(&goals[g]) != has_turn(&before[g])) {
            return SNW_GOALS_CHANGED;
        }
        jumped = jumped || has_jumped(tracker, goals, g);
    }
    return jumped ? SNW_GOALS_JUMPED : SNW_GOALS_MOVED;
}

bool snw_track_mark_jumped(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    int joint_count = sinew_skeleton_joint_count(tracker->skeleton);
    bool others = false, stay = true;
    memset(tracker->sought, 0, (size_t)joint_count);
    for (int pass = 0; pass < 2; ++pass) {
        for (int g = 0; g < goal_count; ++g) {
            bool jumped = has_jumped(tracker, goals, g);
            if (jumped != (pass == 0) || goals[g].joint < 0 || goals[g].kind == SINEW_GOAL_REST) {
                continue;
            }
            if (!jumped && !snw_goal_asks_place(&goals[g]) && !snw_goal_asks_turn(&goals[g])) {
                continue;
            }
            others = others || !jumped;
            double moved = has_place(&goals[g])
                ? sinew_vec3_distance(goals[g].position, tracker->goals[g].position)
                : 0.0;
            stay = stay && (jumped || moved <= STAY_SHARE * tracker->size);
            sinew_Vec3 offset = goals[g].joint_from_effector.position;
            // no turn of a joint moves its own place
            bool own = jumped || goals[g].kind != SINEW_GOAL_POSITION
                || sinew_vec3_dot(offset, offset) > 0.0;
            if (!own && goals[g].joint == goals[g].chain_root) { continue; }
            int first = own ? goals[g].joint : joints[goals[g].joint].parent;
            for (int j = first; j >= 0; j = joints[j].parent) {
                tracker->sought[j] = jumped;
                if (j == goals[g].chain_root) { break; }
            }
        }
    }
    for (int g = 0; g < goal_count; ++g) {
        tracker->weighed[g] = tracker->others[g] = goals[g];
        bool jumped = has_jumped(tracker, goals, g);
        sinew_Goal *out = jumped ? &tracker->others[g] : &tracker->weighed[g];
        out->position_weight = out->orientation_weight = 0.0;
    }
    return others && stay;
}

static bool same_place(sinew_Vec3 a, sinew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_turn(sinew_Quat a, sinew_Quat b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

bool snw_track_goals_rest(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    bool same = snw_track_goal_change(tracker, goals, goal_count) == SNW_GOALS_MOVED;
    for (int g = 0; same && g < goal_count; ++g) {
        const sinew_Goal *a = &goals[g], *b = &tracker->goals[g];
        same = (!snw_goal_asks_place(a) || same_place(a->position, b->position))
            && (!snw_goal_asks_turn(a) || same_turn(a->orientation, b->orientation))
            && same_place(a->joint_from_effector.position, b->joint_from_effector.position)
            && same_turn(a->joint_from_effector.rotation, b->joint_from_effector.rotation)
            && a->position_weight == b->position_weight
            && a->orientation_weight == b->orientation_weight && a->priority == b->priority
            && a->constraint == b->constraint && a->position_mask == b->position_mask
            && a->orientation_mask == b->orientation_mask && same_place(a->axis, b->axis)
            && same_place(a->direction, b->direction) && a->start_joint == b->start_joint
            && a->middle_joint == b->middle_joint && a->support_points == NULL;
    }
    return same;
}

void snw_track_keep_goals(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0 && goal_count <= tracker->max_goals);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        tracker->goal_at[j] = -1;
    }
    // of several goals of one joint the first
    for (int g = goal_count - 1; g >= 0; --g) {
        tracker->goals[g] = goals[g];
        if (has_place(&goals[g]) && goals[g].reference < 0) {
            tracker->goal_at[goals[g].joint] = g;
        }
    }
    tracker->goal_count = goal_count;
}

static void widen(double *most, int joint, double turn)
{
    if (most[joint] < turn) { most[joint] = turn; }
}

// the joints of the limb of one goal may turn as its place asks
static void widen_for_place(sinew_Tracker *tracker, const sinew_Goal *goals, int g)
{
    SNW_ASSERT(g >= 0);
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    sinew_Vec3 way = sinew_vec3_sub(goals[g].position, tracker->goals[g].position);
    if (sinew_vec3_length(way) > MOST_SHARE * tracker->size) { return; }
    double bones = sinew_vec3_length(goals[g].joint_from_effector.position);
    int joint = goals[g].joint, above = -1;
    // a limb is carried by the goal above it, or hangs where its chain begins
    while (above < 0 && joint != goals[g].chain_root && joints[joint].parent >= 0) {
        bones += sinew_vec3_length(joints[joint].offset);
        joint = joints[joint].parent;
        above = tracker->goal_at[joint];
    }
    // no turn brings a joint to where it is carried
    if (!(bones > 0.0)) { return; }
    sinew_Vec3 from = tracker->sweep.world[joint].position;
    if (above >= 0) {
        from = goals[above].position;
        way = sinew_vec3_sub(
            way, sinew_vec3_sub(goals[above].position, tracker->goals[above].position));
    }
    // what is far beyond reach swings past, and asks for less
    double lever = fmax(bones, sinew_vec3_distance(goals[g].position, from));
    double asked = sinew_vec3_length(way) / fmax(lever, SHORTEST_LEVER * tracker->size);
    // what a capture flips asks the joints of its limb alone, any other motion may take the whole body
    if (asked <= FLIP_RATE * tracker->frame_time) {
        tracker->asked = fmax(tracker->asked, asked);
        return;
    }
    tracker->flipped = true;
    if (above >= 0 && joints[goals[g].joint].parent == joint) { tracker->turned[joint] = 1; }
    tracker->weighed[g].position_weight *= FLIP_WEIGHT;
    for (int j = goals[g].joint; j >= 0; j = joints[j].parent) {
        widen(tracker->most, j, ASKED_SHARE * asked);
        if (j == joint) { break; }
    }
}

static void widen_for_turn(sinew_Tracker *tracker, const sinew_Goal *goal, sinew_Quat before)
{
    SNW_ASSERT(snw_holds_unit(before));
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    double turn = ASKED_SHARE
        * sinew_quat_angle(sinew_quat_normalize(goal->orientation), sinew_quat_normalize(before));
    for (int j = goal->joint; j >= 0; j = joints[j].parent) {
        widen(tracker->most, j, turn);
        if (j == goal->chain_root) { break; }
    }
}

void snw_track_set_bounds(sinew_Tracker *tracker)
{
    double free_turn = fmin(tracker->free_turn, tracker->max_turn);
    tracker->flipped = false;
    tracker->asked = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        tracker->most[j] = free_turn;
        tracker->turned[j] = 0;
    }
}

void snw_track_widen_bounds(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_pose_forward(tracker->skeleton, tracker->q, tracker->sweep.world);
    for (int g = 0; g < goal_count; ++g) { tracker->weighed[g] = goals[g]; }
    for (int g = 0; g < goal_count; ++g) {
        if (has_place(&goals[g])) { widen_for_place(tracker, goals, g); }
        if (has_turn(&goals[g])) {
            widen_for_turn(tracker, &goals[g], tracker->goals[g].orientation);
        }
    }
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        widen(tracker->most, j, ASKED_SHARE * tracker->asked);
        tracker->most[j] = fmin(tracker->most[j], tracker->max_turn);
    }
}

void snw_track_widen_body(sinew_Tracker *tracker)
{
    double widest = fmin(
        snw_track_widest_bound(tracker), ASKED_SHARE * FLIP_RATE * tracker->frame_time);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        widen(tracker->most, j, widest);
    }
}

void snw_track_slow_down(sinew_Tracker *tracker, double speed)
{
    SNW_ASSERT(speed >= 0.0);
    double most = speed + ASKED_SHARE * tracker->asked;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        bool fast = tracker->over[j] || tracker->most[j] > tracker->free_turn;
        if (!fast) { tracker->most[j] = fmin(tracker->most[j], most); }
    }
}

double snw_track_widest_bound(const sinew_Tracker *tracker)
{
    double widest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        widest = tracker->most[j] > widest ? tracker->most[j] : widest;
    }
    return widest;
}

// ---------------------------------------------------------------------------------------------
// Turns of joints

// no less than the turn of a joint, and cheap
static double turn_at_most(
    const sinew_Tracker *tracker, const double *from, const double *to, int joint)
{
    SNW_ASSERT(joint >= 0);
    const sinew_Joint *j = &sinew_skeleton_joints(tracker->skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(tracker->skeleton)[j->axis_start];
    double sum = 0.0;
    for (int a = 0; a < j->axis_count; ++a) {
        const double *x = &from[j->coordinate_start + a], *y = &to[j->coordinate_start + a];
        if (axes[a].kind == SINEW_AXIS_HINGE) { sum += fabs(y[0] - x[0]); }
        if (axes[a].kind != SINEW_AXIS_BALL) { continue; }
        double same = fabs(x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]);
        // 2 acos(c) <= pi sqrt(1 - c), with equality at c = 0
        sum += same < 1.0 ? SINEW_PI * sqrt(1.0 - same) : 0.0;
    }
    return sum;
}

bool snw_track_within(const sinew_Tracker *tracker, const double *from, const double *to)
{
    int joint_count = sinew_skeleton_joint_count(tracker->skeleton);
    for (int j = 0; j < joint_count; ++j) {
        if (tracker->movable[j] && turn_at_most(tracker, from, to, j) > tracker->most[j]
            && snw_track_turn(tracker, from, to, j) > tracker->most[j]) {
            return false;
        }
    }
    return true;
}

double snw_track_longest_turn(const sinew_Tracker *tracker, const double *from, const double *to)
{
    double longest = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        if (tracker->movable[j]) { longest = fmax(longest, snw_track_turn(tracker, from, to, j)); }
    }
    return longest;
}

static void keep_joint(const sinew_Tracker *tracker, const double *from, int joint, double *to)
{
    const sinew_Joint *j = &sinew_skeleton_joints(tracker->skeleton)[joint];
    for (int k = 0; k < j->coordinate_count; ++k) {
        to[j->coordinate_start + k] = from[j->coordinate_start + k];
    }
}

bool snw_track_hold_back(sinew_Tracker *tracker, const double *from, double *to, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    bool any = false;
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        double most = share * tracker->most[j];
        tracker->held[j] = 0;
        if (!tracker->movable[j] || turn_at_most(tracker, from, to, j) <= most) { continue; }
        double turn = snw_track_turn(tracker, from, to, j);
        if (turn <= most) { continue; }
        if (!any) { snw_track_copy(tracker, to, tracker->aim); }
        any = true;
        tracker->held[j] = 1;
        double part = most / turn;
        for (int cut = 0; cut < CUTS && turn > most; ++cut) {
            if (!snw_track_part_over(tracker, from, tracker->aim, part, j, to)) {
                snw_track_step_joint(tracker, from, tracker->aim, part, j, to);
            }
            turn = snw_track_turn(tracker, from, to, j);
            part *= CUT_SHARE;
        }
        if (turn > most) { keep_joint(tracker, from, j, to); }
    }
    return any;
}

void snw_track_lock(sinew_Tracker *tracker, const unsigned char *chosen, bool which)
{
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(tracker->skeleton);
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        bool locked = (chosen[j] != 0) == which;
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            tracker->mobility[a] = locked ? 0.0 : axes[a].mobility;
        }
    }
    (void)sinew_solver_set_mobility(tracker->solver, tracker->mobility);
}

// the joints that were held back stay, and the others begin again
static void lock_held(sinew_Tracker *tracker, const double *from, double *to)
{
    for (int j = 0; j < sinew_skeleton_joint_count(tracker->skeleton); ++j) {
        if (tracker->movable[j] && !tracker->held[j]) { keep_joint(tracker, from, j, to); }
    }
    snw_track_lock(tracker, tracker->held, true);
}

sinew_Status snw_track_solve_bounded(sinew_Tracker *tracker, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, const double *from, double *q, sinew_Report *report,
    sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    sinew_SolveOptions bounded;
    memcpy(&bounded, options, sizeof bounded);
    bounded.max_joint_change = snw_track_widest_bound(tracker);
    sinew_Status status = snw_track_solve(tracker, &bounded, goals, goal_count, q, report, message);
    if (status != SINEW_STATUS_OK || !snw_track_hold_back(tracker, from, q, 1.0)) { return status; }

    // a joint of several hinges, or one whose neighbours may turn farther: the others make up for it
    tracker->state.bounded = true;
    lock_held(tracker, from, q);
    status = snw_track_solve(tracker, &bounded, goals, goal_count, q, report, message);
    (void)sinew_solver_set_mobility(tracker->solver, NULL);
    if (status != SINEW_STATUS_OK || !snw_track_hold_back(tracker, from, q, 1.0)) { return status; }
    return snw_track_measure(tracker, goals, goal_count, q, report, message);
}

// ---------------------------------------------------------------------------------------------
// Flips

bool snw_track_any_flips(const sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    double turn = fmax(FLIP_RATE * tracker->frame_time, DESCENT_TURN);
    double shortest = SHORTEST_LEVER * tracker->size;
    for (int g = 0; g < goal_count; ++g) {
        int parent = has_place(&goals[g]) ? joints[goals[g].joint].parent : -1;
        int above = parent >= 0 ? tracker->goal_at[parent] : -1;
        if (above < 0) { continue; }
        sinew_Vec3 way = sinew_vec3_sub(
            sinew_vec3_sub(goals[g].position, tracker->goals[g].position),
            sinew_vec3_sub(goals[above].position, tracker->goals[above].position));
        double bone = sinew_vec3_length(joints[goals[g].joint].offset);
        double lever = fmax(bone, sinew_vec3_distance(goals[g].position, goals[above].position));
        if (bone > 0.0 && sinew_vec3_length(way) > turn * fmax(lever, shortest)) { return true; }
    }
    return false;
}

// whether a goal of the frame flips a bone that one joint turns
static bool is_aimed(const sinew_Tracker *tracker, const sinew_Goal *goals, int g)
{
    int parent = goals[g].joint >= 0
        ? sinew_skeleton_joints(tracker->skeleton)[goals[g].joint].parent
        : -1;
    return parent >= 0 && tracker->turned[parent]
        && tracker->weighed[g].position_weight != goals[g].position_weight;
}

// Goals that are aimed at weigh nothing at first; returns whether there are any.
static bool leave_out_aimed(sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    bool any = false;
    for (int g = 0; g < goal_count; ++g) {
        if (!is_aimed(tracker, goals, g)) { continue; }
        any = true;
        tracker->weighed[g].position_weight = 0.0;
    }
    return any;
}

// a joint of q turns a bone that flips most of the way to where it is aimed
static void turn_over(const sinew_Tracker *tracker, const double *aimed, int joint, double *q)
{
    double turn = snw_track_turn(tracker, q, aimed, joint);
    double left = fmax(0.0, fmin(turn, 2.0 * DESCENT_TURN - turn));
    if (left < turn) { snw_track_step_joint(tracker, q, aimed, 1.0 - left / turn, joint, q); }
}

// From a pose that meets the other goals, which gets lost here, joints of q turn bones that flip towards
// theirs, where limits let them arrive. The others weigh less.
static void aim_flipped(
    sinew_Tracker *tracker, const sinew_Goal *goals, int goal_count, double *pose, double *q)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_Joint *joints = sinew_skeleton_joints(tracker->skeleton);
    snw_BoneSweep sweep = tracker->sweep;
    sweep.movable = tracker->turned;
    (void)snw_bone_sweep(&sweep, tracker->skeleton, goals, goal_count, pose);
    for (int g = 0; g < goal_count; ++g) {
        if (!is_aimed(tracker, goals, g)) { continue; }
        double off = sinew_vec3_distance(sweep.world[goals[g].joint].position, goals[g].position);
        bool arrives = off <= tracker->warm.position_tolerance;
        tracker->weighed[g].position_weight = goals[g].position_weight
            * (arrives ? AIMED_WEIGHT : FLIP_WEIGHT);
        if (arrives) { turn_over(tracker, pose, joints[goals[g].joint].parent, q); }
    }
}

sinew_Status snw_track_solve_weighed(sinew_Tracker *tracker, const sinew_Goal *goals,
    int goal_count, sinew_Report *report, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
    const sinew_SolveOptions *options = &tracker->warm;
    if (leave_out_aimed(tracker, goals, goal_count)) {
        sinew_Status status = snw_track_solve_bounded(tracker, options, tracker->weighed,
            goal_count, tracker->q, tracker->next, report, message);
        if (status != SINEW_STATUS_OK) { return status; }
        snw_track_copy(tracker, tracker->next, tracker->attempt);
        snw_track_copy(tracker, tracker->q, tracker->next);
        snw_track_take_given(tracker, tracker->next);
        aim_flipped(tracker, goals, goal_count, tracker->attempt, tracker->next);
    }
    return snw_track_solve_bounded(
        tracker, options, tracker->weighed, goal_count, tracker->q, tracker->next, report, message);
}
