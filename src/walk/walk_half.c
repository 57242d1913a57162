// Which ranges, weights and goals stand in for the orientation of a foot, and how it is turned after the solve.

#include "walk/walk_half.h"
#include "math/holds.h"
#include "math/quat.h"
#include "solve/method.h"

#include "walk/foot_roll.h"
#include "walk/gait.h"
#include "walk/leg_form.h"
#include "walk/paper_cycle.h"

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
#define LEAST_KNEE 0.1  // flexion of a trailing knee, radians: 0.8 % of the leg's length
#define LEAST_BEND 0.02 // of one that begins straighter
// a joint axis is along a direction from this cosine on
#define ALONG 0.7
// a leg goes on as in the last frame, as long as that was no leap: radians, and ratio of frame times
#define LARGEST_STEP 0.3
#define LONGEST_RATIO 3.0
// a heel that was lifted otherwise than planned and now stands comes nearer to that by this share a frame
#define DOWN_SHARE 0.8
#define DOWN_ENOUGH 1e-3  // radians
#define MOST_LIFT 0.9     // of a heel, radians
#define MOST_TOE_BASE 0.3 // bend of the toes left to the ground, radians

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

// the most that a heel is lifted, radians
static double most_lift(const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    if (leg->def.toe < 0) { return MOST_LIFT; }
    const double toe_base = snw_max(MOST_TOE_BASE, foot->toe_bend - foot->lift);
    return snw_min(MOST_LIFT, snw_max(0.0, leg->toe_upper - toe_base));
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

// the angle of hinge k that turns a direction, fixed to the joint, as near as it can to a wanted one in the
// world while the other hinges stay as in q
static double angle_towards(const snw_WalkJoint *joint, int k, sinew_Quat parent,
    sinew_Vec3 direction, sinew_Vec3 wanted, const double *q)
{
    SNW_ASSERT(snw_holds_unit(parent));
    SNW_ASSERT(snw_holds_direction(direction));
    const snw_JointSet *set = &joint->set;
    sinew_Vec3 inner = sinew_quat_rotate(sinew_quat_conjugate(joint->neutral), direction);
    for (int i = snw_joint_count(set) - 1; i > k; --i) {
        inner = sinew_quat_rotate(
            sinew_quat_from_axis_angle(set->axes[i], q[set->coordinates[i]]), inner);
    }
    sinew_Vec3 outer = sinew_quat_rotate(
        sinew_quat_mul(set->socket_from_parent, sinew_quat_conjugate(parent)), wanted);
    for (int i = 0; i < k; ++i) {
        outer = sinew_quat_rotate(
            sinew_quat_from_axis_angle(set->axes[i], -q[set->coordinates[i]]), outer);
    }
    sinew_Vec3 axis = set->axes[k];
    sinew_Vec3 across = sinew_vec3_add_scaled(inner, axis, -sinew_vec3_dot(inner, axis));
    double x = sinew_vec3_dot(outer, across),
           y = sinew_vec3_dot(outer, sinew_vec3_cross(axis, across));
    double now = q[set->coordinates[k]];
    if (!(x * x + y * y > 1e-12)) { return now; }
    double angle = sinew_atan2(y, x);
    return angle + 2.0 * SINEW_PI * floor((now - angle) / (2.0 * SINEW_PI) + 0.5);
}

static void find_hinges(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, snw_HalfSolver *half)
{
    const snw_WalkJoint *knee = joint_of(poser, leg, KNEE), *ankle = joint_of(poser, leg, ANKLE);
    half->twist = hinge_along(joint_of(poser, leg, HIP), snw_up_axis);
    half->bend = hinge_along(knee, snw_left_axis);
    half->pitch = hinge_along(ankle, snw_left_axis);
    half->roll = hinge_along(ankle, snw_ahead_axis);
    half->bends_up = half->bend >= 0
        && sinew_quat_rotate(knee->neutral, knee->set.axes[half->bend]).x > 0.0;
    half->pitches_up = half->pitch >= 0
        && sinew_quat_rotate(ankle->neutral, ankle->set.axes[half->pitch]).x > 0.0;
    if (half->bend >= 0) {
        half->straight = angle_towards(knee, half->bend, joint_of(poser, leg, HIP)->neutral,
            snw_up_axis, snw_up_axis, poser->q);
    }
    half->has_hinges = true;
}

// what the solver of a leg was told
static snw_HalfSolver *told_of(const snw_WalkPoser *poser, const snw_WalkLegBody *leg)
{
    snw_HalfSolver *half = &poser->told[leg - poser->body->legs];
    if (!half->has_hinges) { find_hinges(poser, leg, half); }
    return half;
}

// a foot on its toes alone, whose heel may come up as it likes; an ankle without a hinge for that leaves it to
// what is planned
static bool trails(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return !foot->told.is_swinging && foot->held == SINEW_PLANTED_TOE && leg->sole.point_count > 1
        && (foot->told.planted & (SINEW_PLANTED_HEEL | SINEW_PLANTED_SOLE)) == 0
        && told_of(poser, leg)->pitch >= 0;
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

static Pointed pointed(const snw_WalkFootTarget *foot)
{
    return (Pointed){ foot->foot.position, sinew_quat_rotate(foot->foot.rotation, snw_ahead_axis) };
}

// a foot whose heel is lifted about the toes by that much instead of as planned; axes: of its rotation
static Pointed lifted_to(
    const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot, const sinew_Mat3 *axes, double lift)
{
    double s, c;
    sinew_sincos(lift - foot->lift, &s, &c);
    sinew_Vec3 pivot = snw_foot_pivot(leg), ahead, up;
    ahead = sinew_vec3_add_scaled(sinew_vec3_scale(axes->z, c), axes->y, -s);
    up = sinew_vec3_add_scaled(sinew_vec3_scale(axes->y, c), axes->z, s);
    // the pivot stays
    sinew_Vec3 way = sinew_vec3_scale(sinew_vec3_sub(axes->y, up), pivot.y);
    way = sinew_vec3_add_scaled(way, sinew_vec3_sub(axes->z, ahead), pivot.z);
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
    sinew_Vec3 bone = sinew_quat_rotate(segment, snw_up_axis);
    sinew_Vec3 left = sinew_quat_rotate(segment, snw_left_axis);
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

// A free ankle rolls about the sole, and pitches from where the heel is on the ground to where it is lifted most;
// aside, ahead: of the foot that lies
static void hold_ankle(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, sinew_Vec3 aside,
    sinew_Vec3 ahead, double most_lift)
{
    snw_HalfSolver *half = &poser->told[limb];
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    if (half->roll >= 0) {
        (void)follow(half, ankle, half->roll, snw_left_axis, aside, ROLL_WIDTH);
    }
    half->heel = half->follow_count;
    snw_Follow *heel = follow(half, ankle, half->pitch, snw_ahead_axis, ahead, 0.0);
    heel->is_free = true;
    heel->kept_side = poser->half[limb].kept_side;
    *(half->pitches_up ? &heel->upper : &heel->lower) = half->pitches_up ? most_lift : -most_lift;
    snw_solver_follow(poser->solvers[limb], half->follows, half->follow_count);
}

// The knee of a leg whose heel may come up instead does not straighten: from there no step bends it again. One that is
// straighter yet stays as it is, and does not leap there
static void hold_knee(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    const snw_JointSet *set = &joint_of(poser, leg, KNEE)->set;
    snw_HalfSolver *half = &poser->told[limb];
    double *least_bend = &poser->half[limb].least_bend;
    int k = half->bend;
    if (k < 0) { return; }
    double way = half->bends_up ? 1.0 : -1.0;
    double bend = way * (poser->q[set->coordinates[k]] - half->straight);
    *least_bend = snw_max(*least_bend, snw_clamp(bend, LEAST_BEND, LEAST_KNEE));
    if (half->least_bend == *least_bend) { return; }
    half->least_bend = *least_bend;
    double end = half->straight + way * *least_bend;
    double least = half->bends_up ? end : set->lower[k];
    double most = half->bends_up ? set->upper[k] : end;
    (void)sinew_solver_set_range(poser->solvers[limb], set->axis_of[k], least, most);
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
static void go_on(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    snw_HalfLeg *half = &poser->half[limb];
    double ratio = half->time > 0.0 ? poser->frame_time / half->time : LONGEST_RATIO;
    snw_LegCoordinates now;
    snw_walk_read_leg(poser, leg, &now);
    // the ankle is turned afterwards
    for (int i = HIP; i <= KNEE && half->is_known && ratio < LONGEST_RATIO; ++i) {
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
    sinew_solver_reset_limits(poser->solvers[limb]);
    (void)sinew_solver_set_mobility(poser->solvers[limb], NULL);
    snw_solver_follow(poser->solvers[limb], NULL, 0);
    half->is_held = false;
}

// get a leg ready: begin it at q and tighten its ranges about the heading
static void prepare(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, const snw_WalkFootTarget *foot)
{
    snw_HalfSolver *half = told_of(poser, leg);
    snw_HalfLeg *known = &poser->half[limb];
    bool is_trailing = trails(poser, leg, foot);
    if (!half->is_held) { set_weights(poser, leg, limb); }
    if (!half->is_held || half->is_trailing != is_trailing) {
        sinew_solver_reset_limits(poser->solvers[limb]);
        half->is_trailing = is_trailing;
        half->is_held = true;
        half->least_bend = 0.0;
    }
    if (!is_trailing) {
        known->is_free = false;
        go_on(poser, leg, limb);
        Pointed to = pointed(foot);
        (void)hold_thigh(poser, leg, limb, foot, &to);
        return;
    }
    // weights share out what moves a leg, so a free heel begins where it was
    snw_walk_read_leg(poser, leg, &known->last);
    known->time = poser->frame_time;
    known->is_known = true;
    if (!known->is_free) {
        known->lift = foot->lift + known->extra_lift;
        known->lift_step = 0.0;
        known->least_bend = 0.0;
        known->is_free = true;
        known->kept_side = 0;
    }
    hold_knee(poser, leg, limb);
    double most = most_lift(leg, foot);
    sinew_Mat3 axes = sinew_mat3_from_quat(foot->foot.rotation);
    half->lift = snw_clamp(known->lift + known->lift_step, 0.0, most);
    Pointed to = lifted_to(leg, foot, &axes, half->lift);
    (void)hold_thigh(poser, leg, limb, foot, &to);
    sinew_Vec3 flat_ahead = lifted_to(leg, foot, &axes, 0.0).ahead;
    half->flat_up = sinew_vec3_cross(flat_ahead, axes.x);
    hold_ankle(poser, leg, limb, axes.x, flat_ahead, most);
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

// Turn a foot by its ankle. The twist of a thigh on a ball is not where it was told to begin: such a leg is solved
// on until it is
static sinew_Status finish_foot(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    bool is_ball = joint_of(poser, leg, HIP)->set.kind == SNW_JOINT_BALL;
    const snw_HalfSolver *half = &poser->told[limb];
    for (int pass = 0; pass < PASSES; ++pass) {
        if (report->outcome != SINEW_OUTCOME_CONVERGED) { break; }
        Pointed to = pointed(foot);
        if (is_ball ? hold_thigh(poser, leg, limb, foot, &to) == 0.0
                    : half->twist < 0 || fabs(half->follows[0].end) <= ENOUGH) {
            break;
        }
        sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    turn_foot(poser, leg, shank_of(poser, leg, limb), foot->foot.rotation);
    return SINEW_STATUS_OK;
}

// how far the solver lifted the heel: it pitches about the shank, which is not quite across the foot
static double lift_of(const snw_WalkPoser *poser, int limb)
{
    const snw_HalfSolver *half = &poser->told[limb];
    const snw_Follow *heel = &half->follows[half->heel];
    if (heel->link < 0) { return half->lift; }
    const snw_Solve *solve = snw_solver_inside(poser->solvers[limb]);
    sinew_Vec3 ahead = sinew_mat3_mul_vec3(solve->current->rotation[heel->last], heel->inner);
    double lift = sinew_atan2(
        -sinew_vec3_dot(ahead, half->flat_up), sinew_vec3_dot(ahead, heel->wanted));
    return snw_max(lift, 0.0);
}

// Where a free heel went otherwise than it was going, the plane in which the knee bends is not where it was
// told to be: solved on until it is
static sinew_Status settle_heel(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report, double *out_lift,
    sinew_Message *out_message)
{
    snw_HalfSolver *half = &poser->told[limb];
    for (int pass = 0;; ++pass) {
        *out_lift = lift_of(poser, limb);
        // the plane turns by less than the heel
        if (pass == PASSES || report->outcome != SINEW_OUTCOME_CONVERGED
            || fabs(*out_lift - half->lift) <= ENOUGH) {
            return SINEW_STATUS_OK;
        }
        half->lift = *out_lift;
        sinew_Mat3 axes = sinew_mat3_from_quat(foot->foot.rotation);
        Pointed to = lifted_to(leg, foot, &axes, half->lift);
        sinew_Vec3 axis = knee_axis(poser, leg, foot, &to);
        snw_Follow *twist = half->twist >= 0 ? &half->follows[0] : NULL;
        if (twist == NULL || sinew_vec3_distance(axis, twist->wanted) <= 0.5 * ENOUGH) {
            return SINEW_STATUS_OK;
        }
        twist->wanted = axis;
        sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
}

// the leg is solved from where it was in the last frame, by its ankle
static sinew_Status solve_again(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const sinew_Transform *foot, snw_WalkFootTarget *target, sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    snw_WalkFootTarget fixed = *target;
    fixed.foot = *foot;
    fixed.held = 0;
    *goal = ankle_goal(poser, leg, foot);
    ++target->told.solve_count;
    sinew_solver_reset_limits(poser->solvers[limb]);
    poser->told[limb].is_held = false;
    snw_walk_write_leg(poser, leg, &poser->half[limb].last);
    Pointed to = pointed(&fixed);
    (void)hold_thigh(poser, leg, limb, &fixed, &to);
    sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    return finish_foot(poser, leg, limb, &fixed, goal, report, out_message);
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

// Turn the foot. A leg that its tightened ranges kept from its goal is given its own: it is solved again by its ankle,
// and told; goal and report are then of the last solve
static sinew_Status finish(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Goal *goal, sinew_Report *report, sinew_Message *out_message)
{
    snw_HalfLeg *half = &poser->half[limb];
    if (!trails(poser, leg, foot)) {
        if (report->outcome != SINEW_OUTCOME_CONVERGED) {
            return solve_again(poser, leg, limb, &foot->foot, foot, goal, report, out_message);
        }
        return finish_foot(poser, leg, limb, foot, goal, report, out_message);
    }
    double lift;
    sinew_Status status = settle_heel(poser, leg, limb, foot, goal, report, &lift, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (report->outcome != SINEW_OUTCOME_CONVERGED) {
        lift = half->lift;
        sinew_Transform fixed = snw_foot_pitched(
            &foot->foot, snw_foot_pivot(leg), foot->lift - lift);
        status = solve_again(poser, leg, limb, &fixed, foot, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    half->kept_side = poser->told[limb].follows[poser->told[limb].heel].kept_side;
    half->lift_step = lift - half->lift;
    half->lift = lift;
    half->extra_lift = lift - foot->lift;
    foot->told.toe_bend = foot->toe_bend + lift - foot->lift;
    bend_toes(poser, leg, foot->told.toe_bend);
    return SINEW_STATUS_OK;
}

sinew_Status snw_half_solve(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Goal *goal, sinew_Report *report, sinew_Message *out_message)
{
    prepare(poser, leg, limb, foot);
    *goal = goal_of(poser, leg, foot);
    sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
    return status != SINEW_STATUS_OK ? status
                                     : finish(poser, leg, limb, foot, goal, report, out_message);
}

void snw_half_carry_lift(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool is_half,
    snw_WalkFootTarget *foot)
{
    snw_HalfLeg *half = &poser->half[limb];
    double extra = half->extra_lift;
    if (!foot->told.is_swinging && half->strides) { extra = 0.0; }
    half->strides = foot->told.is_swinging;
    // a heel is not free before the foot has come to lie: it would begin with toes in the air
    bool is_on_toes = !leg->def.is_tip && trails(poser, leg, foot), was_on_toes = half->is_on_toes;
    half->is_on_toes = is_on_toes;
    if (is_half && is_on_toes && was_on_toes) { return; }
    if (foot->told.is_swinging) {
        double rest = 1.0 - foot->told.swing;
        extra *= rest * rest;
    } else {
        // stands: the heel comes down to what is planned, and is not free meanwhile
        bool on_toes = foot->held == SINEW_PLANTED_TOE;
        extra = on_toes && fabs(extra) > DOWN_ENOUGH ? extra * DOWN_SHARE : 0.0;
        half->extra_lift = extra;
        if (on_toes) { foot->held = SINEW_PLANTED_BALL; }
        if (extra != 0.0) { foot->told.planted &= ~(unsigned)SINEW_PLANTED_HEEL; }
    }
    if (extra == 0.0) { return; }
    foot->foot = snw_foot_pitched(&foot->foot, snw_foot_pivot(leg), -extra);
    if (leg->def.toe >= 0) {
        foot->toe_bend = snw_clamp(foot->toe_bend + extra, leg->toe_lower, leg->toe_upper);
    }
    snw_FootPose points;
    snw_foot_points(leg, &foot->foot, foot->toe_bend, &points);
    foot->told.heel = points.heel;
    foot->told.ball = points.ball;
    foot->told.toe = points.toe;
    foot->told.toe_bend = foot->toe_bend;
}
