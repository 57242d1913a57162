// Which ranges, weights and goals stand in for the orientation of a foot, and how it is turned after the solve.

#include "walk/walk_half.h"
#include "math/holds.h"
#include "math/quat.h"
#include "solve/method.h"

#include "walk/foot_roll.h"
#include "walk/gait.h"
#include "walk/leg_form.h"

#include <string.h>

// How far a thigh may be twisted away from the heading, and an ankle rolled away from the sole, radians.
// People vary by some 5 degrees; MODE-6 asks for 10 at most.
#define TWIST_WIDTH 0.105
#define ROLL_WIDTH 0.05
// a joint nearer than this to what is asked of it is there, radians: 0.1 mm at the toes
#define ENOUGH 6e-4
#define PASSES 4
// what turns as the heading asks moves this much less readily than what brings the foot to its place
#define HELD_MOBILITY 0.02
// a joint axis is along a direction from this cosine on
#define ALONG 0.7
// a leg goes on as in the last frame, as long as that was no leap: radians, and ratio of frame times
#define LARGEST_STEP 0.3
#define LONGEST_RATIO 3.0
// a heel that half rows left where it is not planned comes nearer to that by this share a frame, when they are not asked
#define DOWN_SHARE 0.8
#define DOWN_ENOUGH 1e-3 // radians

enum { HIP, KNEE, ANKLE };

static int entry_of(const snw_WalkLegBody *leg, int index)
{
    return index == HIP ? leg->hip_entry : index == KNEE ? leg->knee_entry : leg->ankle_entry;
}

static const snw_WalkJoint *joint_of(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, int index)
{
    return &poser->body->joints[entry_of(leg, index)];
}

// ---------------------------------------------------------------------------------------------
// The leg as it is in q

// pose its joints up to one of them
static void pose_leg(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int last)
{
    for (int i = HIP; i <= last; ++i) {
        const snw_WalkJoint *joint = joint_of(poser, leg, i);
        const snw_WalkJoint *parent = &poser->body->joints[joint->parent];
        sinew_Transform local = sinew_pose_local(poser->body->skeleton, poser->q, joint->joint);
        if (joint->first != joint->joint || parent->first != parent->joint) {
            local = (sinew_Transform){ joint->offset, snw_joint_rotation(&joint->set, poser->q) };
        }
        poser->world[entry_of(leg, i)] = sinew_transform_mul(poser->world[joint->parent], local);
    }
}

// how the solver left the shank
static sinew_Quat shank_of(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    const snw_Solve *solve = snw_solver_inside(poser->solvers[limb]);
    const snw_JointSet *set = &joint_of(poser, leg, KNEE)->set;
    const sinew_Axis *axes = sinew_skeleton_axes(poser->body->skeleton);
    int count = set->kind == SNW_JOINT_BALL ? 1 : snw_joint_count(set);
    for (int l = solve->plan.static_link_count; count > 0 && l < solve->plan.link_count; ++l) {
        if (solve->plan.links[l].axis != set->axis_of[count - 1]) { continue; }
        // the link of a hinge about another direction has a frame of its own, not the joint's
        const sinew_Vec3 axis = axes[set->axis_of[count - 1]].direction;
        bool is_own = set->kind == SNW_JOINT_BALL
            || snw_max(axis.x, snw_max(axis.y, axis.z)) == 1.0;
        if (!is_own) { break; }
        return sinew_quat_from_mat3(solve->current->rotation[l]);
    }
    pose_leg(poser, leg, KNEE);
    return poser->world[leg->knee_entry].rotation;
}

static sinew_Quat parent_of(const snw_WalkPoser *poser, const snw_WalkJoint *joint)
{
    return poser->world[joint->parent].rotation;
}

// which hinge of a joint turns about a direction of the walker's frame; -1: none
static int hinge_along(const snw_WalkJoint *joint, sinew_Vec3 direction)
{
    SNW_ASSERT(snw_holds_direction(direction));
    if (joint->set.kind == SNW_JOINT_BALL) { return -1; }
    sinew_Vec3 local = sinew_quat_rotate(sinew_quat_conjugate(joint->neutral), direction);
    int best = -1;
    double most = ALONG;
    for (int k = 0; k < snw_joint_count(&joint->set); ++k) {
        double along = fabs(sinew_vec3_dot(joint->set.axes[k], local));
        if (along > most) {
            most = along;
            best = k;
        }
    }
    return best;
}

static void find_hinges(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, snw_HalfSolver *half)
{
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    half->twist = hinge_along(joint_of(poser, leg, HIP), snw_up_axis);
    half->pitch = hinge_along(ankle, snw_left_axis);
    half->roll = hinge_along(ankle, snw_ahead_axis);
    half->pitches_up = half->pitch >= 0
        && sinew_quat_rotate(ankle->neutral, ankle->set.axes[half->pitch]).x > 0.0;
    half->has_hinges = true;
}

// what the solver of a leg was told
static snw_HalfSolver *told_of(const snw_WalkPoser *poser, const snw_WalkLegBody *leg)
{
    snw_HalfSolver *half = &poser->told[leg - poser->body->legs];
    if (!half->has_hinges) { find_hinges(poser, leg, half); }
    return half;
}

// a foot on its toes alone, whose heel is free; an ankle without a hinge for that leaves it to what is planned
static bool trails(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return foot->heel_free > 0.0 && told_of(poser, leg)->pitch >= 0;
}

// where the ankle is; what turns there moves nothing, so it is a point of the shank
static sinew_Goal ankle_goal(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, const sinew_Transform *foot)
{
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    bool is_next = ankle->parent == leg->knee_entry;
    sinew_Goal goal = sinew_goal_position(
        is_next ? joint_of(poser, leg, KNEE)->joint : leg->def.ankle, foot->position);
    if (is_next) { goal.joint_from_effector.position = ankle->offset; }
    goal.chain_root = leg->def.hip;
    return goal;
}

static sinew_Goal goal_of(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    if (!trails(poser, leg, foot)) { return ankle_goal(poser, leg, &foot->foot); }
    // toes keep their place when what they turn about does
    sinew_Vec3 pivot = snw_foot_pivot(leg);
    sinew_Goal goal = sinew_goal_position(leg->def.ankle, sinew_transform_point(foot->foot, pivot));
    goal.chain_root = leg->def.hip;
    goal.joint_from_effector.position = sinew_quat_rotate(
        sinew_quat_conjugate(joint_of(poser, leg, ANKLE)->neutral), pivot);
    return goal;
}

// ---------------------------------------------------------------------------------------------
// Ranges about the heading

// keep a hinge by width from where a direction of the walker's frame, fixed to the joint, is as near as it can be to a
// wanted one
static snw_Follow *follow(snw_HalfSolver *half, const snw_WalkJoint *joint, int k,
    sinew_Vec3 direction, sinew_Vec3 wanted, double width)
{
    SNW_ASSERT(snw_holds_direction(direction));
    const snw_JointSet *set = &joint->set;
    snw_Follow *r = &half->follows[half->follow_count++];
    r->axis = set->axis_of[k];
    r->last_axis = set->axis_of[snw_joint_count(set) - 1];
    r->direction = sinew_quat_rotate(sinew_quat_conjugate(joint->neutral), direction);
    r->wanted = wanted;
    r->lower = -width;
    r->upper = width;
    r->is_free = false;
    return r;
}

/// A foot: where its ankle is, and where it points.
typedef struct Pointed {
    sinew_Vec3 ankle, ahead;
} Pointed;

// a foot whose heel is lifted about the toes by that much more than planned
static Pointed lifted_by(const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot, double extra)
{
    const sinew_Mat3 axes = sinew_mat3_from_quat(foot->foot.rotation);
    if (extra == 0.0) { return (Pointed){ foot->foot.position, axes.z }; }
    double s, c;
    sinew_sincos(extra, &s, &c);
    sinew_Vec3 pivot = snw_foot_pivot(leg), ahead, up;
    ahead = sinew_vec3_add_scaled(sinew_vec3_scale(axes.z, c), axes.y, -s);
    up = sinew_vec3_add_scaled(sinew_vec3_scale(axes.y, c), axes.z, s);
    // the pivot stays
    sinew_Vec3 way = sinew_vec3_scale(sinew_vec3_sub(axes.y, up), pivot.y);
    way = sinew_vec3_add_scaled(way, sinew_vec3_sub(axes.z, ahead), pivot.z);
    return (Pointed){ sinew_vec3_add(foot->foot.position, way), ahead };
}

// the axis of a knee that bends in the plane through hip, ankle and heading
static sinew_Vec3 knee_axis(const snw_WalkPoser *poser, const snw_WalkLegBody *leg,
    const snw_WalkFootTarget *foot, const Pointed *to)
{
    sinew_Vec3 way = sinew_vec3_sub(to->ankle, poser->world[leg->hip_entry].position);
    sinew_Vec3 pole = snw_knee_pole_of(poser->body, leg, foot, to->ahead);
    return sinew_vec3_normalize_or(sinew_vec3_cross(pole, way), snw_left_axis);
}

// a ball has no range for its twist alone: it begins as wanted, and where its bone points stays
static double twist_ball(snw_WalkPoser *poser, const snw_WalkJoint *joint, sinew_Vec3 wanted)
{
    double *q = &poser->q[joint->set.coordinates[0]];
    sinew_Quat at = snw_quat_load(q), parent = parent_of(poser, joint);
    sinew_Quat rest = sinew_quat_conjugate(joint->set.socket_from_parent);
    sinew_Quat segment = sinew_quat_mul(
        sinew_quat_mul(sinew_quat_mul(parent, rest), at), sinew_quat_conjugate(joint->neutral));
    sinew_Vec3 bone = snw_up_of(segment);
    sinew_Vec3 left = snw_left_of(segment);
    double x = sinew_vec3_dot(wanted, left),
           y = sinew_vec3_dot(wanted, sinew_vec3_cross(bone, left));
    double angle = sinew_atan2(y, x);
    if (!(x * x + y * y > 1e-12) || fabs(angle) <= ENOUGH) { return 0.0; }
    sinew_Quat turn = sinew_quat_from_axis_angle(bone, angle);
    sinew_Quat world = sinew_quat_mul(sinew_quat_mul(turn, segment), joint->neutral);
    (void)snw_joint_turn(
        &joint->set, sinew_quat_mul(sinew_quat_conjugate(parent), world), poser->q);
    return fabs(angle);
}

// The thigh's twist is about the plane in which the knee bends. Returns how far off it was, where only its
// beginning can be told
static double hold_thigh(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, const Pointed *to)
{
    snw_HalfSolver *half = &poser->told[limb];
    const snw_WalkJoint *hip = joint_of(poser, leg, HIP);
    sinew_Vec3 axis = knee_axis(poser, leg, foot, to);
    if (hip->set.kind == SNW_JOINT_BALL) { return twist_ball(poser, hip, axis); }
    half->follow_count = 0;
    if (half->twist >= 0) {
        (void)follow(half, hip, half->twist, snw_left_axis, axis, TWIST_WIDTH);
    }
    snw_solver_follow(poser->solvers[limb], half->follows, half->follow_count);
    return 0.0;
}

// A free ankle rolls about the sole, and pitches about where it is planned. Neither heel nor toes go into the ground, and
// toes bend no farther than they can
static void hold_ankle(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, const snw_WalkFootTarget *foot)
{
    snw_HalfSolver *half = &poser->told[limb];
    const sinew_Vec3 aside = snw_left_of(foot->foot.rotation);
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    if (half->roll >= 0) {
        (void)follow(half, ankle, half->roll, snw_left_axis, aside, ROLL_WIDTH);
    }
    double up = foot->heel_free;
    half->down = snw_min(up, foot->lift);
    if (leg->def.toe >= 0) {
        up = snw_clamp(leg->toe_upper - foot->toe_bend, 0.0, up);
        half->down = snw_clamp(foot->toe_bend - leg->toe_lower, 0.0, half->down);
    }
    // an ankle that is rolled pitches by less than its foot: about the lower end, so that this is exact
    const sinew_Vec3 ahead = lifted_by(leg, foot, -half->down).ahead;
    half->up = sinew_vec3_cross(ahead, aside);
    half->heel = half->follow_count;
    snw_Follow *heel = follow(half, ankle, half->pitch, snw_ahead_axis, ahead, 0.0);
    heel->is_free = true;
    heel->kept_side = poser->half[limb].kept_side;
    *(half->pitches_up ? &heel->upper : &heel->lower) = half->pitches_up ? half->down + up
                                                                         : -half->down - up;
    snw_solver_follow(poser->solvers[limb], half->follows, half->follow_count);
}

// ---------------------------------------------------------------------------------------------
// Before the solve

// one joint as it would go on in the next frame; false where that is a leap
static bool joint_goes_on(
    const snw_JointSet *set, double ratio, const double *before, const double *now, double *next)
{
    int count = snw_joint_count(set);
    for (int k = 0; k < count; ++k) {
        double step = ratio * (now[k] - before[k]);
        if (!(fabs(step) <= LARGEST_STEP)) { return false; }
        next[k] = now[k] + step;
        if (set->kind != SNW_JOINT_BALL) {
            next[k] = snw_clamp(next[k], set->lower[k], set->upper[k]);
        }
    }
    if (set->kind == SNW_JOINT_BALL) {
        sinew_Quat q = sinew_quat_normalize(snw_quat_load(next));
        memcpy(next, &q, sizeof q);
    }
    return true;
}

// the leg moves on as it did in the last frame: what is left to the solver is what changed
static void go_on(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool moves)
{
    snw_HalfLeg *half = &poser->half[limb];
    double ratio = half->time > 0.0 ? poser->frame_time / half->time : LONGEST_RATIO;
    snw_LegCoordinates now;
    snw_walk_read_leg(poser, leg, &now);
    // the ankle is turned afterwards
    for (int i = HIP; i <= KNEE && moves && half->is_known && ratio < LONGEST_RATIO; ++i) {
        const snw_JointSet *set = &joint_of(poser, leg, i)->set;
        double next[4];
        if (joint_goes_on(set, ratio, half->last.values[i], now.values[i], next)) {
            snw_joint_write(set, next, poser->q);
        }
    }
    half->last = now;
    half->time = poser->frame_time;
    half->is_known = true;
}

// Mobilities. A weight resists: thigh and shank of a trailing leg turn less than its ankle. The ankle of any
// other leg moves nothing, so all share the same ones and plans stay
static void set_weights(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    const snw_HalfSolver *half = &poser->told[limb];
    double *mobility = poser->mobility;
    const sinew_Skeleton *skeleton = poser->body->skeleton;
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        mobility[a] = axes[a].mobility;
    }
    for (int i = HIP; i <= ANKLE; ++i) {
        const snw_JointSet *set = &joint_of(poser, leg, i)->set;
        int held = i == HIP ? half->twist : i == ANKLE ? half->roll : -1;
        double light = i == ANKLE ? poser->trailing_weight : 1.0;
        int count = set->kind == SNW_JOINT_BALL ? 1 : snw_joint_count(set);
        for (int k = 0; k < count; ++k) {
            mobility[set->axis_of[k]] *= k == held ? HELD_MOBILITY : light;
        }
    }
    (void)sinew_solver_set_mobility(poser->solvers[limb], mobility);
}

void snw_half_release(snw_WalkPoser *poser, int limb)
{
    snw_HalfSolver *half = &poser->told[limb];
    poser->half[limb].is_known = false;
    poser->half[limb].is_free = false;
    if (!half->is_held) { return; }
    (void)sinew_solver_set_mobility(poser->solvers[limb], NULL);
    snw_solver_follow(poser->solvers[limb], NULL, 0);
    half->is_held = false;
}

/// How a leg is solved: what does not reach its goal is solved the next way.
typedef enum Attempt {
    GOES_ON, ///< from where it would be if it went on as in the last frame; a free heel from where it was
    FROM_LAST, ///< by its ankle, from where it was
    AS_JOINTS, ///< in the ranges of its joints and by their weights alone
    ATTEMPTS
} Attempt;

// get a leg ready: begin it, and lay its ranges about the heading
static void prepare(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, Attempt attempt)
{
    if (attempt == AS_JOINTS) {
        snw_half_release(poser, limb);
        return;
    }
    snw_HalfSolver *half = told_of(poser, leg);
    snw_HalfLeg *known = &poser->half[limb];
    const bool is_trailing = trails(poser, leg, foot);
    if (!half->is_held) { set_weights(poser, leg, limb); }
    half->is_held = true;
    // weights share out what moves a leg, so a free heel begins where it was
    go_on(poser, leg, limb, attempt == GOES_ON && !is_trailing);
    if (!is_trailing || !known->is_free) {
        known->kept_side = 0;
        known->extra_step = 0.0;
    }
    known->is_free = is_trailing;
    half->extra = is_trailing ? known->extra + known->extra_step : 0.0;
    const Pointed to = lifted_by(leg, foot, half->extra);
    (void)hold_thigh(poser, leg, limb, foot, &to);
    if (is_trailing) { hold_ankle(poser, leg, limb, foot); }
}

// ---------------------------------------------------------------------------------------------
// After the solve

static void turn_foot(snw_WalkPoser *poser, const snw_WalkLegBody *leg, sinew_Quat world_from_shank,
    sinew_Quat world_from_foot)
{
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    sinew_Quat wanted = sinew_quat_mul(world_from_foot, ankle->neutral);
    sinew_Quat local = sinew_quat_mul(sinew_quat_conjugate(world_from_shank), wanted);
    (void)snw_joint_turn(&ankle->set, local, poser->q);
}

// how far the solver lifted the heel above what is planned: it pitches about the shank, which is not quite across the foot
static double extra_of(const snw_WalkPoser *poser, int limb)
{
    const snw_HalfSolver *half = &poser->told[limb];
    const snw_Follow *heel = &half->follows[half->heel];
    if (heel->link < 0) { return half->extra; }
    const snw_Solve *solve = snw_solver_inside(poser->solvers[limb]);
    sinew_Vec3 ahead = sinew_mat3_mul_vec3(solve->current->rotation[heel->last], heel->inner);
    const double lift = sinew_atan2(
        -sinew_vec3_dot(ahead, half->up), sinew_vec3_dot(ahead, heel->wanted));
    return snw_max(lift, 0.0) - half->down;
}

// Whether the thigh is twisted as its foot asks; else it is told to begin so. A ball cannot be kept there, a hinge takes its
// share where another one stops at an end, and a free heel that went otherwise than it was going turns the plane
static bool is_twisted(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, const snw_WalkFootTarget *foot)
{
    snw_HalfSolver *half = &poser->told[limb];
    const Pointed to = lifted_by(leg, foot, half->extra);
    if (joint_of(poser, leg, HIP)->set.kind == SNW_JOINT_BALL) {
        return hold_thigh(poser, leg, limb, foot, &to) == 0.0;
    }
    if (half->twist < 0) { return true; }
    snw_Follow *twist = &half->follows[0];
    const sinew_Vec3 axis = knee_axis(poser, leg, foot, &to);
    const double turn = sinew_vec3_distance(axis, twist->wanted);
    twist->wanted = axis;
    return snw_max(fabs(twist->end), turn) <= ENOUGH;
}

// Solve a leg on until its thigh is twisted as its foot asks
static sinew_Status settle(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    snw_HalfSolver *half = &poser->told[limb];
    for (int pass = 0; report->outcome == SINEW_OUTCOME_CONVERGED; ++pass) {
        if (poser->half[limb].is_free) { half->extra = extra_of(poser, limb); }
        if (pass == PASSES || is_twisted(poser, leg, limb, foot)) { break; }
        sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

static void bend_toes(snw_WalkPoser *poser, const snw_WalkLegBody *leg, double bend)
{
    if (leg->toe_entry < 0) { return; }
    const snw_WalkJoint *toe = &poser->body->joints[leg->toe_entry];
    sinew_Quat turn = sinew_quat_mul(
        sinew_quat_from_axis_angle(snw_left_axis, -bend), toe->neutral);
    sinew_Quat local = sinew_quat_mul(
        sinew_quat_conjugate(joint_of(poser, leg, ANKLE)->neutral), turn);
    (void)snw_joint_turn(&toe->set, local, poser->q);
}

static sinew_Status solve_as(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, Attempt attempt, sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    prepare(poser, leg, limb, foot, attempt);
    *goal = goal_of(poser, leg, foot);
    sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
    if (status != SINEW_STATUS_OK || attempt == AS_JOINTS) { return status; }
    return settle(poser, leg, limb, foot, goal, report, out_message);
}

void snw_half_carry_heel(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool is_half,
    snw_WalkFootTarget *foot)
{
    double *extra = &poser->half[limb].extra;
    if (*extra == 0.0 || (is_half && trails(poser, leg, foot))) { return; }
    *extra = fabs(*extra) > DOWN_ENOUGH ? *extra * DOWN_SHARE : 0.0;
    foot->foot = snw_foot_pitched(&foot->foot, snw_foot_pivot(leg), -*extra);
    if (leg->def.toe >= 0) {
        foot->toe_bend = snw_clamp(foot->toe_bend + *extra, leg->toe_lower, leg->toe_upper);
    }
    snw_FootPose points;
    snw_foot_points(leg, &foot->foot, foot->toe_bend, &points);
    foot->told.heel = points.heel;
    foot->told.ball = points.ball;
    foot->told.toe = points.toe;
    foot->told.toe_bend = foot->toe_bend;
}

sinew_Status snw_half_solve(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Goal *goal, sinew_Report *report, sinew_Message *out_message)
{
    snw_HalfLeg *half = &poser->half[limb];
    bool was_free = false;
    for (int attempt = GOES_ON; attempt < ATTEMPTS; ++attempt) {
        if (attempt != GOES_ON) {
            snw_walk_write_leg(poser, leg, &half->last);
            if (half->is_free) { snw_half_carry_heel(poser, leg, limb, false, foot); }
            foot->heel_free = 0.0;
            ++foot->told.solve_count;
        }
        sinew_Status status = solve_as(
            poser, leg, limb, foot, (Attempt)attempt, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
        was_free = was_free || half->is_free;
        if (report->outcome == SINEW_OUTCOME_CONVERGED) { break; }
    }
    if (half->is_free) {
        const snw_HalfSolver *told = &poser->told[limb];
        half->kept_side = told->follows[told->heel].kept_side;
        half->extra_step = told->extra - half->extra;
        half->extra = told->extra;
        foot->told.toe_bend = foot->toe_bend + half->extra;
    } else {
        turn_foot(poser, leg, shank_of(poser, leg, limb), foot->foot.rotation);
    }
    if (was_free) { bend_toes(poser, leg, foot->told.toe_bend); }
    return SINEW_STATUS_OK;
}
