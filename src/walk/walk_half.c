#include "walk/walk_half.h"
#include "math/holds.h"
#include "math/quat.h"
#include "solve/method.h"

#include "walk/foot_place.h"
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
// a heel below the ground by less than this is on it, radians of the foot
#define LIFT_SLACK 4e-4
#define LEAST_KNEE 0.1 // flexion of a trailing knee, radians: 0.8 % of the leg's length
#define FASTEST 15.0   // radians per second, of that knee
// a joint axis is along a direction from this cosine on
#define ALONG 0.7
// a leg goes on as in the last frame, as long as that was no leap: radians, and ratio of frame times
#define LARGEST_STEP 0.3
#define LONGEST_RATIO 3.0
// a heel that was lifted otherwise than planned and now stands comes nearer to that by this share a frame
#define DOWN_SHARE 0.8
#define DOWN_ENOUGH 1e-3 // radians

enum { HIP, KNEE, ANKLE };

static const sinew_Vec3 left_axis = { 1.0, 0.0, 0.0 };
static const sinew_Vec3 ahead_axis = { 0.0, 0.0, 1.0 };
static const sinew_Vec3 up_axis = { 0.0, 1.0, 0.0 };

static int entry_of(const snw_WalkLegBody *leg, int index)
{
    return index == HIP ? leg->hip_entry : index == KNEE ? leg->knee_entry : leg->ankle_entry;
}

static const snw_WalkJoint *joint_of(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, int index)
{
    return &poser->body->joints[entry_of(leg, index)];
}

// a foot on its toes alone, whose heel may come up as it likes
static bool trails(const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return !foot->told.is_swinging && foot->held == SINEW_PLANTED_TOE && leg->sole.point_count > 1
        && (foot->told.planted & (SINEW_PLANTED_HEEL | SINEW_PLANTED_SOLE)) == 0;
}

static sinew_Goal ankle_goal(const snw_WalkLegBody *leg, const sinew_Transform *foot)
{
    sinew_Goal goal = sinew_goal_position(leg->def.ankle, foot->position);
    goal.chain_root = leg->def.hip;
    return goal;
}

sinew_Goal snw_half_goal(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    sinew_Goal goal = ankle_goal(leg, &foot->foot);
    if (trails(leg, foot)) {
        // toes keep their place when what they turn about does
        sinew_Vec3 pivot = snw_foot_pivot(leg);
        goal.position = sinew_transform_point(foot->foot, pivot);
        goal.joint_from_effector.position = sinew_quat_rotate(
            sinew_quat_conjugate(joint_of(poser, leg, ANKLE)->neutral), pivot);
    }
    return goal;
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

// turns of its joints as the solver found them, which are those in q
static void take_turns(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, int last)
{
    SNW_ASSERT(limb >= 0);
    const snw_Solve *solve = snw_solver_inside(poser->solvers[limb]);
    if (!solve->posed) {
        pose_leg(poser, leg, last);
        return;
    }
    int l = solve->plan.static_link_count;
    for (int i = HIP; i <= last; ++i) {
        const snw_JointSet *set = &joint_of(poser, leg, i)->set;
        int count = set->kind == SNW_JOINT_BALL ? 1 : snw_joint_count(set);
        if (count == 0) { continue; }
        int axis = set->axis_of[count - 1];
        while (l < solve->plan.link_count && solve->plan.links[l].axis != axis) { ++l; }
        if (l == solve->plan.link_count) { break; }
        poser->world[entry_of(leg, i)].rotation = sinew_quat_from_mat3(solve->current->rotation[l]);
    }
}

static sinew_Quat parent_of(const snw_WalkPoser *poser, const snw_WalkJoint *joint)
{
    return poser->world[joint->parent].rotation;
}

// a foot on its toes as it was before its heel came up
static sinew_Transform flat_foot(const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return snw_foot_pitched(&foot->foot, snw_foot_pivot(leg), foot->lift);
}

static double most_lift(const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return snw_paper_most_lift(leg, foot->toe_bend - foot->lift);
}

// how far the heel is lifted about the toes, against the foot that lies flat; out_roll: the sine of how far it is
// rolled off that
static double lift_of(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, const sinew_Transform *flat, double *out_roll)
{
    sinew_Quat now = sinew_quat_mul(poser->world[leg->ankle_entry].rotation,
        sinew_quat_conjugate(joint_of(poser, leg, ANKLE)->neutral));
    sinew_Quat turn = sinew_quat_mul(sinew_quat_conjugate(flat->rotation), now);
    *out_roll = 2.0 * (turn.x * turn.y + turn.w * turn.z);
    return 2.0 * sinew_atan2(turn.w < 0.0 ? -turn.x : turn.x, fabs(turn.w));
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
    half->twist = hinge_along(joint_of(poser, leg, HIP), up_axis);
    half->bend = hinge_along(knee, left_axis);
    half->pitch = hinge_along(ankle, left_axis);
    half->roll = hinge_along(ankle, ahead_axis);
    half->bends_up = half->bend >= 0
        && sinew_quat_rotate(knee->neutral, knee->set.axes[half->bend]).x > 0.0;
    half->pitches_up = half->pitch >= 0
        && sinew_quat_rotate(ankle->neutral, ankle->set.axes[half->pitch]).x > 0.0;
    sinew_Quat thigh = sinew_quat_conjugate(joint_of(poser, leg, HIP)->neutral);
    half->thigh_left = sinew_quat_rotate(thigh, left_axis);
    half->thigh_ahead = sinew_quat_rotate(thigh, ahead_axis);
    if (half->bend >= 0) {
        half->straight = angle_towards(
            knee, half->bend, joint_of(poser, leg, HIP)->neutral, up_axis, up_axis, poser->q);
    }
    half->has_hinges = true;
}

// ---------------------------------------------------------------------------------------------
// Ranges about the heading

// Lay the range of a hinge, where it has any of that, and begin it at an angle. Returns how far it was from
// there; nothing is done where that is not more than enough
static double hold_hinge(snw_WalkPoser *poser, int limb, const snw_WalkJoint *joint, int k,
    double lower, double angle, double upper, double enough)
{
    SNW_ASSERT(snw_holds_range(lower, upper));
    SNW_ASSERT(limb >= 0);
    const snw_JointSet *set = &joint->set;
    double *now = &poser->q[set->coordinates[k]];
    angle = snw_clamp(angle, set->lower[k], set->upper[k]);
    double off = fabs(angle - *now);
    if (off <= enough) { return off; }
    *now = angle;
    (void)sinew_solver_set_range(
        poser->solvers[limb], set->axis_of[k], fmin(lower, angle), fmax(upper, angle));
    return off;
}

// a ball has no range for its twist alone: it begins as wanted, and where its bone points stays
static double twist_ball(
    snw_WalkPoser *poser, const snw_WalkJoint *joint, sinew_Vec3 wanted, double enough)
{
    double *q = &poser->q[joint->set.coordinates[0]];
    sinew_Quat at = snw_quat_load(q), parent = parent_of(poser, joint);
    sinew_Quat rest = sinew_quat_conjugate(joint->set.socket_from_parent);
    sinew_Quat segment = sinew_quat_mul(
        sinew_quat_mul(sinew_quat_mul(parent, rest), at), sinew_quat_conjugate(joint->neutral));
    sinew_Vec3 bone = sinew_quat_rotate(segment, up_axis);
    sinew_Vec3 left = sinew_quat_rotate(segment, left_axis);
    double x = sinew_vec3_dot(wanted, left),
           y = sinew_vec3_dot(wanted, sinew_vec3_cross(bone, left));
    double angle = sinew_atan2(y, x);
    if (!(x * x + y * y > 1e-12) || fabs(angle) <= enough) { return 0.0; }
    sinew_Quat turn = sinew_quat_from_axis_angle(bone, angle);
    sinew_Quat world = sinew_quat_mul(sinew_quat_mul(turn, segment), joint->neutral);
    (void)snw_joint_turn(
        &joint->set, sinew_quat_mul(sinew_quat_conjugate(parent), world), poser->q);
    return fabs(angle);
}

// The thigh's twist about the plane through hip, goal and heading, in which the knee bends. Where it is near
// enough, of a leg that is posed, its axes tell so without an angle
static double hold_thigh(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, double enough)
{
    SNW_ASSERT(limb >= 0);
    const snw_WalkJoint *hip = joint_of(poser, leg, HIP);
    const sinew_Transform *thigh = &poser->world[leg->hip_entry];
    sinew_Vec3 way = sinew_vec3_sub(foot->foot.position, thigh->position);
    sinew_Vec3 axis = sinew_vec3_normalize_or(
        sinew_vec3_cross(snw_knee_pole(poser->body, leg, foot), way), left_axis);
    if (hip->set.kind == SNW_JOINT_BALL) { return twist_ball(poser, hip, axis, enough); }
    int k = poser->told[limb].twist;
    if (k < 0) { return 0.0; }
    if (enough >= 0.0) {
        const snw_HalfSolver *told = &poser->told[limb];
        sinew_Vec3 left = sinew_quat_rotate(thigh->rotation, told->thigh_left);
        sinew_Vec3 ahead = sinew_quat_rotate(thigh->rotation, told->thigh_ahead);
        double off = fabs(sinew_vec3_dot(axis, ahead));
        if (off <= enough && sinew_vec3_dot(axis, left) > 0.0) { return off; }
    }
    double angle = angle_towards(hip, k, parent_of(poser, hip), left_axis, axis, poser->q);
    return hold_hinge(poser, limb, hip, k, angle - TWIST_WIDTH, angle, angle + TWIST_WIDTH, enough);
}

// Ranges of a free ankle about the sole: its roll about that of the ground, its pitch from where the heel is
// on the ground to where it is lifted most
static double hold_ankle(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const sinew_Transform *flat, double most_up, double enough)
{
    SNW_ASSERT(limb >= 0);
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    const snw_HalfSolver *half = &poser->told[limb];
    sinew_Quat shank = parent_of(poser, ankle);
    double off = 0.0;
    if (half->roll >= 0) {
        sinew_Vec3 aside = sinew_quat_rotate(flat->rotation, left_axis);
        double angle = angle_towards(ankle, half->roll, shank, left_axis, aside, poser->q);
        off = hold_hinge(
            poser, limb, ankle, half->roll, angle - ROLL_WIDTH, angle, angle + ROLL_WIDTH, enough);
    }
    if (half->pitch >= 0) {
        sinew_Vec3 ahead = sinew_quat_rotate(flat->rotation, ahead_axis);
        double down = angle_towards(ankle, half->pitch, shank, ahead_axis, ahead, poser->q);
        double up = down + (half->pitches_up ? most_up : -most_up);
        double least = fmin(down, up), most = fmax(down, up);
        double now = poser->q[ankle->set.coordinates[half->pitch]];
        double sunk = hold_hinge(
            poser, limb, ankle, half->pitch, least, snw_clamp(now, least, most), most, enough);
        off = fmax(off, sunk);
    }
    return off;
}

// the knee of a leg whose heel may come up instead does not straighten: from there no step bends it again
static void hold_knee(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    SNW_ASSERT(limb >= 0);
    const snw_WalkJoint *knee = joint_of(poser, leg, KNEE);
    const snw_HalfSolver *half = &poser->told[limb];
    const double *last = poser->half[limb].last[KNEE];
    int k = half->bend;
    if (k < 0) { return; }
    double least = half->bends_up ? half->straight + LEAST_KNEE : knee->set.lower[k];
    double most = half->bends_up ? knee->set.upper[k] : half->straight - LEAST_KNEE;
    if (!(least < most)) { return; }
    double now = poser->q[knee->set.coordinates[k]], step = FASTEST * poser->frame_time;
    // no faster than joints turn: the two ways of a nearly straight leg to hold its toes are far apart
    least = fmin(most, fmax(least, last[k] - step));
    most = fmax(least, fmin(most, last[k] + step));
    (void)hold_hinge(poser, limb, knee, k, least, snw_clamp(now, least, most), most, -1.0);
}

// lay the ranges about what the pose in q asks for; returns how far it was from there. out_lift: of a heel
// that is free
static double hold_leg(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, double enough, double *out_lift)
{
    SNW_ASSERT(limb >= 0);
    *out_lift = 0.0;
    if (!trails(leg, foot)) {
        if (enough >= 0.0) { take_turns(poser, leg, limb, KNEE); }
        return hold_thigh(poser, leg, limb, foot, enough);
    }
    // the heel is where the solver lifts it to
    snw_WalkFootTarget lifted = *foot;
    snw_HalfSolver *told = &poser->told[limb];
    double most = most_lift(leg, foot), roll;
    bool is_first = enough < 0.0;
    if (is_first) {
        told->flat = flat_foot(leg, foot);
        pose_leg(poser, leg, ANKLE);
    } else {
        take_turns(poser, leg, limb, ANKLE);
    }
    const sinew_Transform flat = told->flat;
    *out_lift = lift_of(poser, leg, &flat, &roll);
    lifted.foot = snw_foot_pitched(&flat, snw_foot_pivot(leg), -*out_lift);
    if (is_first) { hold_knee(poser, leg, limb); }
    double twist = hold_thigh(poser, leg, limb, &lifted, enough);
    double off = fmax(fabs(roll), fmax(-*out_lift, *out_lift - most));
    if (!is_first && twist <= enough && off <= enough) { return fmax(twist, off); }
    if (twist > enough) { pose_leg(poser, leg, KNEE); }
    return fmax(twist, hold_ankle(poser, leg, limb, &flat, most, enough));
}

// ---------------------------------------------------------------------------------------------
// Before the solve

static void read_leg(const snw_WalkPoser *poser, const snw_WalkLegBody *leg, double values[3][4])
{
    for (int i = HIP; i <= ANKLE; ++i) {
        snw_joint_read(&joint_of(poser, leg, i)->set, poser->q, values[i]);
    }
}

static void write_leg(snw_WalkPoser *poser, const snw_WalkLegBody *leg, double values[3][4])
{
    for (int i = HIP; i <= ANKLE; ++i) {
        snw_joint_write(&joint_of(poser, leg, i)->set, values[i], poser->q);
    }
}

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
    SNW_ASSERT(limb >= 0);
    snw_HalfLeg *half = &poser->half[limb];
    double ratio = half->time > 0.0 ? poser->frame_time / half->time : LONGEST_RATIO;
    double now[3][4];
    read_leg(poser, leg, now);
    for (int i = HIP; i <= ANKLE && half->is_known && ratio < LONGEST_RATIO; ++i) {
        const snw_JointSet *set = &joint_of(poser, leg, i)->set;
        double next[4];
        if (joint_goes_on(set, ratio, half->last[i], now[i], next)) {
            snw_joint_write(set, next, poser->q);
        }
    }
    memcpy(half->last, now, sizeof now);
    half->time = poser->frame_time;
    half->is_known = true;
}

// Mobilities. A weight resists: thigh and shank of a trailing leg turn less than its ankle. The ankle of any
// other leg moves nothing, so all share the same ones and plans stay
static void set_weights(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb)
{
    SNW_ASSERT(limb >= 0);
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
    SNW_ASSERT(limb >= 0);
    snw_HalfSolver *half = &poser->told[limb];
    poser->half[limb].is_known = false;
    if (!half->is_held) { return; }
    sinew_solver_reset_limits(poser->solvers[limb]);
    (void)sinew_solver_set_mobility(poser->solvers[limb], NULL);
    half->is_held = false;
}

void snw_half_prepare(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, const snw_WalkFootTarget *foot)
{
    SNW_ASSERT(limb >= 0);
    snw_HalfSolver *half = &poser->told[limb];
    bool is_trailing = trails(leg, foot);
    if (!half->has_hinges) { find_hinges(poser, leg, half); }
    if (!half->is_held) { set_weights(poser, leg, limb); }
    if (!half->is_held || half->is_trailing != is_trailing) {
        sinew_solver_reset_limits(poser->solvers[limb]);
        half->is_trailing = is_trailing;
        half->is_held = true;
    }
    go_on(poser, leg, limb);
    double lift;
    (void)hold_leg(poser, leg, limb, foot, -1.0, &lift);
    if (!is_trailing) { return; }
    // weights share out what moves a leg, so a free heel begins where it was: twist and roll alone go on
    double held[2] = { 0.0, 0.0 };
    const snw_JointSet *hip = &joint_of(poser, leg, HIP)->set;
    const snw_JointSet *ankle = &joint_of(poser, leg, ANKLE)->set;
    if (half->twist >= 0) { held[0] = poser->q[hip->coordinates[half->twist]]; }
    if (half->roll >= 0) { held[1] = poser->q[ankle->coordinates[half->roll]]; }
    write_leg(poser, leg, poser->half[limb].last);
    if (half->twist >= 0) { poser->q[hip->coordinates[half->twist]] = held[0]; }
    if (half->roll >= 0) { poser->q[ankle->coordinates[half->roll]] = held[1]; }
}

// ---------------------------------------------------------------------------------------------
// After the solve

// the foot of a leg that is posed
static void turn_posed_foot(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, sinew_Quat world_from_foot)
{
    const snw_WalkJoint *ankle = joint_of(poser, leg, ANKLE);
    sinew_Quat wanted = sinew_quat_mul(world_from_foot, ankle->neutral);
    sinew_Quat local = sinew_quat_mul(sinew_quat_conjugate(parent_of(poser, ankle)), wanted);
    (void)snw_joint_turn(&ankle->set, local, poser->q);
}

void snw_half_turn_foot(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, sinew_Quat world_from_foot)
{
    pose_leg(poser, leg, KNEE);
    turn_posed_foot(poser, leg, world_from_foot);
}

// Solve on while the ranges, laid about the pose that the solver found, are not where they were: it turned
// the thigh about other axes meanwhile
static sinew_Status settle(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report, double *out_lift,
    sinew_Message *out_message)
{
    SNW_ASSERT(limb >= 0);
    // heel and toes of a trailing foot are both near the ground
    double near_enough = trails(leg, foot) ? 0.5 * ENOUGH : ENOUGH;
    for (int pass = 0;; ++pass) {
        bool is_last = pass == PASSES || report->outcome != SINEW_OUTCOME_CONVERGED;
        double enough = is_last ? (double)INFINITY : near_enough;
        if (hold_leg(poser, leg, limb, foot, enough, out_lift) <= enough) { break; }
        sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    return SINEW_STATUS_OK;
}

// the leg is solved from where it was in the last frame, by its ankle
static sinew_Status solve_again(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    const sinew_Transform *foot, snw_WalkFootTarget *target, sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message)
{
    SNW_ASSERT(limb >= 0);
    snw_WalkFootTarget fixed = *target;
    fixed.foot = *foot;
    fixed.held = 0;
    *goal = ankle_goal(leg, foot);
    ++target->told.solve_count;
    sinew_solver_reset_limits(poser->solvers[limb]);
    poser->told[limb].is_held = false;
    write_leg(poser, leg, poser->half[limb].last);
    double none;
    (void)hold_leg(poser, leg, limb, &fixed, -1.0, &none);
    sinew_Status status = snw_walk_solve_on(poser, limb, goal, report, out_message);
    if (status == SINEW_STATUS_OK) {
        status = settle(poser, leg, limb, &fixed, goal, report, &none, out_message);
    }
    if (status == SINEW_STATUS_OK) { turn_posed_foot(poser, leg, foot->rotation); }
    return status;
}

static void bend_toes(snw_WalkPoser *poser, const snw_WalkLegBody *leg, double bend)
{
    if (leg->toe_entry < 0) { return; }
    const snw_WalkJoint *toe = &poser->body->joints[leg->toe_entry];
    sinew_Quat turn = sinew_quat_mul(sinew_quat_from_axis_angle(left_axis, -bend), toe->neutral);
    sinew_Quat local = sinew_quat_mul(
        sinew_quat_conjugate(joint_of(poser, leg, ANKLE)->neutral), turn);
    (void)snw_joint_turn(&toe->set, local, poser->q);
}

sinew_Status snw_half_finish(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Goal *goal, sinew_Report *report, sinew_Message *out_message)
{
    SNW_ASSERT(limb >= 0);
    snw_HalfLeg *half = &poser->half[limb];
    double lift = 0.0;
    sinew_Status status = settle(poser, leg, limb, foot, goal, report, &lift, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    bool is_stuck = report->outcome != SINEW_OUTCOME_CONVERGED;
    if (!trails(leg, foot)) {
        if (is_stuck) {
            return solve_again(poser, leg, limb, &foot->foot, foot, goal, report, out_message);
        }
        turn_posed_foot(poser, leg, foot->foot.rotation);
        return SINEW_STATUS_OK;
    }
    const sinew_Transform flat = poser->told[limb].flat;
    double most = most_lift(leg, foot);
    if (is_stuck) { lift = foot->lift + half->extra_lift; }
    if (is_stuck || lift < -LIFT_SLACK || lift > most + LIFT_SLACK) {
        lift = snw_clamp(lift, 0.0, most);
        sinew_Transform fixed = snw_foot_pitched(&flat, snw_foot_pivot(leg), -lift);
        status = solve_again(poser, leg, limb, &fixed, foot, goal, report, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    lift = fmax(0.0, lift);
    half->extra_lift = lift - foot->lift;
    foot->told.toe_bend = foot->toe_bend + lift - foot->lift;
    bend_toes(poser, leg, foot->told.toe_bend);
    return SINEW_STATUS_OK;
}

void snw_half_carry_lift(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool is_half,
    snw_WalkFootTarget *foot)
{
    SNW_ASSERT(limb >= 0);
    snw_HalfLeg *half = &poser->half[limb];
    double extra = half->extra_lift;
    if (!foot->told.is_swinging && half->strides) { extra = 0.0; }
    half->strides = foot->told.is_swinging;
    if (is_half && trails(leg, foot)) { return; }
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
        foot->toe_bend = snw_clamp(foot->toe_bend + extra, 0.0, leg->toe_upper);
    }
    snw_FootPose points;
    snw_foot_points(leg, &foot->foot, foot->toe_bend, &points);
    foot->told.heel = points.heel;
    foot->told.ball = points.ball;
    foot->told.toe = points.toe;
    foot->told.toe_bend = foot->toe_bend;
}
