// In which order joints are turned, which legs are closed forms, and what becomes of those that the solver has to pose.

#include "walk/walker_pose.h"

#include "math/quat.h"
#include "walk/foot_roll.h"
#include "walk/gait.h"
#include "walk/leg_form.h"
#include "walk/walk_half.h"

#include <string.h>

// Closed forms are right to rounding where limits and axes let them.
#define CLOSED_POSITION 2e-5
#define CLOSED_ORIENTATION 2e-4

static sinew_Quat about(sinew_Vec3 axis, double angle)
{
    return sinew_quat_from_axis_angle(axis, angle);
}

// ---------------------------------------------------------------------------------------------
// All joints, one after the other

/// Rotations of the parts that several joints share.
typedef struct Parts {
    sinew_Quat thigh[SINEW_MAX_LEGS], shank[SINEW_MAX_LEGS];
    bool posed[SINEW_MAX_LEGS];  ///< this leg is set in closed form
    bool solved[SINEW_MAX_LEGS]; ///< and goes back to its last pose, to be solved from there
} Parts;

static sinew_Quat turned_on(sinew_Quat from, sinew_Quat to, double share)
{
    if (share >= 1.0) { return to; }
    const sinew_Vec3 turn = sinew_quat_log(snw_quat_mul(sinew_quat_conjugate(from), to));
    return snw_quat_mul(from, sinew_quat_exp(sinew_vec3_scale(turn, share)));
}

void snw_hang_arms(const double swing[2], const double elbow[2], snw_WalkTarget *target)
{
    for (int side = 0; side < 2; ++side) {
        double out = side == 0 ? 1.0 : -1.0;
        sinew_Quat arm = snw_quat_on_z(about(snw_left_axis, -swing[side]), 0.10 * out);
        target->upper_arm[side] = snw_quat_mul(target->chest, arm);
        target->forearm[side] = snw_quat_on_x(target->upper_arm[side], -elbow[side]);
        target->hand[side] = target->forearm[side];
    }
}

// the world rotation of a part, before the neutral one of its joint
static sinew_Quat part_rotation(
    const snw_WalkJoint *joint, const snw_WalkTarget *target, const Parts *parts)
{
    switch (joint->part) {
    case SNW_PART_TRUNK: return turned_on(target->hips.rotation, target->chest, joint->share);
    case SNW_PART_NECK: return turned_on(target->chest, target->head, joint->share);
    case SNW_PART_CLAVICLE: return target->clavicle[joint->limb];
    case SNW_PART_ARM_UPPER: return target->upper_arm[joint->limb];
    case SNW_PART_ARM_LOWER: return target->forearm[joint->limb];
    case SNW_PART_ARM_HAND: return target->hand[joint->limb];
    case SNW_PART_LEG_UPPER: return parts->thigh[joint->limb];
    case SNW_PART_LEG_LOWER: return parts->shank[joint->limb];
    case SNW_PART_LEG_FOOT: return target->feet[joint->limb].foot.rotation;
    default: return target->hips.rotation;
    }
}

// slides of a joint, given its turns: place its origin, in its parent's frame
static void place_joint(const sinew_Skeleton *skeleton, int joint, sinew_Vec3 position, double *q)
{
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    sinew_Vec3 columns[3], rest = own->offset;
    double *values[3] = { NULL, NULL, NULL };
    int count = 0;
    sinew_Quat turn = own->rest_rotation;
    for (int a = own->axis_start; a < own->axis_start + own->axis_count && count < 3; ++a) {
        double *value = &q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_SLIDE) {
            columns[count] = sinew_quat_rotate(turn, axes[a].direction);
            values[count++] = value;
        } else if (axes[a].kind == SINEW_AXIS_HINGE) {
            turn = snw_quat_mul(turn, about(axes[a].direction, *value));
        }
    }
    // without three slides it stays, which creation refuses
    if (count < 3) { return; }
    // three slides at any angles: Cramer's rule
    sinew_Vec3 way = sinew_vec3_sub(position, rest);
    sinew_Vec3 yz = sinew_vec3_cross(columns[1], columns[2]);
    double volume = sinew_vec3_dot(columns[0], yz);
    if (fabs(volume) < 1e-9) { return; }
    *values[0] = sinew_vec3_dot(way, yz) / volume;
    *values[1] = sinew_vec3_dot(way, sinew_vec3_cross(columns[2], columns[0])) / volume;
    *values[2] = sinew_vec3_dot(way, sinew_vec3_cross(columns[0], columns[1])) / volume;
}

static void turn_joint(snw_WalkPoser *poser, int index, const snw_WalkTarget *target, Parts *parts)
{
    const snw_WalkJoint *joint = &poser->body->joints[index];
    const sinew_Transform *parent = &poser->world[joint->parent];
    sinew_Transform *world = &poser->world[index];
    if (joint->bears_leg) { world->position = sinew_transform_point(*parent, joint->offset); }

    bool is_leg = joint->part >= SNW_PART_LEG_UPPER && joint->part <= SNW_PART_LEG_FOOT;
    // legs that are solved pose themselves
    if (is_leg && !parts->posed[joint->limb]) { return; }
    bool is_turned = joint->part != SNW_PART_STILL
        && (joint->part != SNW_PART_CLAVICLE || target->moves_clavicles);
    if (joint->part == SNW_PART_LEG_UPPER && is_turned) {
        const snw_WalkFootTarget *foot = &target->feet[joint->limb];
        const snw_WalkLegBody *leg = &poser->body->legs[joint->limb];
        sinew_Vec3 pole = snw_knee_pole(poser->body, leg, foot);
        snw_leg_close(leg, world->position, foot->foot.position, pole, &parts->thigh[joint->limb],
            &parts->shank[joint->limb]);
    }
    if (joint->part == SNW_PART_LEG_TOE) {
        // against the foot, which may be turned later by the solver
        double bend = target->feet[joint->limb].toe_bend;
        const snw_WalkJoint *foot = &poser->body->joints[joint->parent];
        sinew_Quat bent = snw_quat_on_x(sinew_quat_conjugate(foot->neutral), -bend);
        sinew_Quat local = snw_quat_mul(bent, joint->neutral);
        (void)snw_joint_turn(&joint->set, local, poser->q);
        return;
    }
    if (is_turned) {
        sinew_Quat wanted = snw_quat_mul(part_rotation(joint, target, parts), joint->neutral);
        sinew_Quat local = snw_quat_mul(sinew_quat_conjugate(parent->rotation), wanted);
        const snw_JointTurn turned = snw_joint_turn(&joint->set, local, poser->q);
        // nothing hangs on it
        if (joint->is_end) { return; }
        if (turned == SNW_TURN_WHOLE) {
            world->rotation = wanted;
            return;
        }
        if (turned == SNW_TURN_NEAR && joint->set.kind == SNW_JOINT_TWO) {
            world->rotation = snw_quat_mul(
                parent->rotation, snw_joint_nearest(&joint->set, local, poser->q));
            return;
        }
    }
    sinew_Quat local = joint->set.kind != SNW_JOINT_OTHER
        ? snw_joint_rotation(&joint->set, poser->q)
        : sinew_pose_local(poser->body->skeleton, poser->q, joint->joint).rotation;
    world->rotation = snw_quat_mul(parent->rotation, local);
}

/// Turn and place a free joint in its parent's frame; where it then is.
static sinew_Transform carry(
    const snw_WalkPoser *poser, const snw_WalkJoint *joint, const sinew_Transform *wanted)
{
    const sinew_Skeleton *skeleton = poser->body->skeleton;
    const snw_JointTurn turned = snw_joint_turn(&joint->set, wanted->rotation, poser->q);
    place_joint(skeleton, joint->joint, wanted->position, poser->q);
    return turned == SNW_TURN_WHOLE ? *wanted : sinew_pose_local(skeleton, poser->q, joint->joint);
}

// the joint that goes with the hips
static sinew_Transform carry_hips(const snw_WalkPoser *poser, const snw_WalkTarget *target)
{
    const snw_WalkBody *body = poser->body;
    const snw_WalkJoint *joint = &body->joints[body->carrier];
    sinew_Vec3 offset = sinew_quat_rotate(target->hips.rotation, body->hips_from_root);
    sinew_Transform wanted;
    wanted.rotation = snw_quat_mul(target->hips.rotation, joint->neutral);
    wanted.position = sinew_vec3_sub(target->hips.position, offset);
    if (joint->parent >= 0) {
        sinew_Transform back = sinew_transform_inverse(poser->world[joint->parent]);
        wanted = sinew_transform_mul(back, wanted);
    }
    return carry(poser, joint, &wanted);
}

// a root above free hips stands on the ground below them and looks along the heading
static sinew_Transform carry_root(const snw_WalkPoser *poser, const snw_WalkTarget *target)
{
    const snw_WalkBody *body = poser->body;
    sinew_Quat heading = about(snw_up_axis, target->heading);
    sinew_Transform wanted = { target->root, snw_quat_mul(heading, body->root_rest.rotation) };
    wanted.position.y += body->root_rest.position.y;
    return carry(poser, &body->joints[0], &wanted);
}

static void turn_joints(snw_WalkPoser *poser, const snw_WalkTarget *target, Parts *parts)
{
    const snw_WalkBody *body = poser->body;
    for (int i = 0; i <= body->carrier; ++i) {
        const snw_WalkJoint *joint = &body->joints[i];
        sinew_Transform local = i == body->carrier ? carry_hips(poser, target)
            : i == 0                               ? carry_root(poser, target)
                     : sinew_pose_local(body->skeleton, poser->q, joint->joint);
        poser->world[i] = joint->parent < 0
            ? local
            : sinew_transform_mul(poser->world[joint->parent], local);
    }
    for (int i = body->carrier + 1; i < body->joint_count; ++i) {
        turn_joint(poser, i, target, parts);
    }
}

// ---------------------------------------------------------------------------------------------
// Goals

static void set_full_goal(const snw_WalkPoser *poser, const snw_WalkLegBody *leg,
    const snw_WalkFootTarget *foot, sinew_Goal *out_goal)
{
    const snw_WalkJoint *ankle = &poser->body->joints[leg->ankle_entry];
    sinew_Quat turn = snw_quat_mul(foot->foot.rotation, ankle->neutral);
    *out_goal = sinew_goal_pose(leg->def.ankle, foot->foot.position, turn);
    out_goal->chain_root = leg->def.hip;
}

// half rows know where an ankle is when its foot is turned: not where its hinges do not meet
static bool wants_full(
    sinew_WalkRows rows, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot)
{
    return !leg->is_exact || rows == SINEW_WALK_ROWS_AUTO || rows == SINEW_WALK_ROWS_FULL
        || (rows == SINEW_WALK_ROWS_HYBRID && foot->is_leading);
}

// errors of the closed form as it came out, against a goal of the ankle
static void measure_ankle(const snw_WalkPoser *poser, const snw_WalkLegBody *leg,
    const sinew_Goal *goal, sinew_WalkerLeg *told)
{
    const sinew_Transform *ankle = &poser->world[leg->ankle_entry];
    told->position_error = sinew_vec3_distance(ankle->position, goal->position);
    told->orientation_error = 0.0;
    if (goal->kind == SINEW_GOAL_POSE) {
        // chord instead of angle: the same where it matters
        double dot = fabs(sinew_quat_dot(ankle->rotation, goal->orientation));
        told->orientation_error = dot >= 1.0 ? 0.0 : 2.0 * sqrt(2.0 * (1.0 - dot));
    }
    told->iterations = 0;
    told->halvings = 0;
}

static sinew_Status solve_leg(snw_WalkPoser *poser, const snw_WalkSetup *setup,
    snw_WalkTarget *target, const Parts *parts, int limb, sinew_Message *message)
{
    const snw_WalkLegBody *leg = &poser->body->legs[limb];
    snw_WalkFootTarget *foot = &target->feet[limb];
    sinew_WalkerLeg *told = &foot->told;
    if (leg->def.is_tip) { return snw_tip_solve(poser, leg, limb, foot, message); }
    sinew_Goal *goal = &poser->goals[poser->goal_count];
    told->goal_start = poser->goal_count++;
    told->goal_count = 1;
    told->solve_count = 1;
    ++poser->solve_count;
    sinew_Report report = { 0 };
    sinew_Status status = SINEW_STATUS_OK;
    bool is_half = !wants_full(setup->rows, leg, foot);
    if (!is_half) {
        snw_half_release(poser, limb);
        set_full_goal(poser, leg, foot, goal);
        const bool is_free = parts->posed[limb] && foot->freedom > 0.0;
        if (is_free) { goal->orientation = poser->world[leg->ankle_entry].rotation; }
        const bool is_closed = parts->posed[limb] && !parts->solved[limb] && leg->is_exact;
        if (is_closed) {
            measure_ankle(poser, leg, goal, told);
            told->is_met = told->position_error <= CLOSED_POSITION
                && told->orientation_error <= CLOSED_ORIENTATION;
            if (told->is_met) { return SINEW_STATUS_OK; }
        }
        // a moving foot that the leg cannot hold as planned keeps its place and turns as far as it goes
        is_half = is_closed && is_free;
        if (!is_half) {
            status = snw_walk_solve_on(poser, limb, goal, &report, message);
            if (status != SINEW_STATUS_OK) { return status; }
            is_half = is_free && report.outcome != SINEW_OUTCOME_CONVERGED;
            told->solve_count += is_half ? 1 : 0;
        }
    }
    if (is_half) { status = snw_half_solve(poser, leg, limb, foot, goal, &report, message); }
    if (status != SINEW_STATUS_OK) { return status; }
    told->position_error = report.position_error;
    told->orientation_error = report.orientation_error;
    told->iterations = report.iterations;
    told->halvings = report.halvings;
    told->is_met = report.outcome == SINEW_OUTCOME_CONVERGED;
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------

sinew_Status snw_walk_pose(snw_WalkPoser *poser, const snw_WalkSetup *setup, snw_WalkTarget *target,
    sinew_Message *out_message)
{
    const snw_WalkBody *body = poser->body;
    Parts parts;
    bool closed = setup->rows == SINEW_WALK_ROWS_AUTO;
    snw_LegCoordinates last[SINEW_MAX_LEGS];
    for (int i = 0; i < body->leg_count; ++i) {
        const snw_WalkLegBody *leg = &body->legs[i];
        snw_WalkFootTarget *foot = &target->feet[i];
        bool is_full = wants_full(setup->rows, leg, foot);
        snw_half_carry_heel(poser, leg, i, !is_full, foot);
        // the closed form says how far a foot gives way to the knee; a solve that asks for all of its
        // turn gets stuck where the thigh's twist ends
        parts.posed[i] = !leg->def.is_tip && (closed || (is_full && foot->freedom > 0.0));
        parts.solved[i] = parts.posed[i] && !closed;
        if (parts.solved[i]) { snw_walk_read_leg(poser, leg, &last[i]); }
    }
    turn_joints(poser, target, &parts);
    for (int i = 0; i < body->leg_count; ++i) {
        if (parts.solved[i]) { snw_walk_write_leg(poser, &body->legs[i], &last[i]); }
    }

    poser->goal_count = 0;
    poser->solve_count = 0;
    double start = poser->clock != NULL ? poser->clock(poser->clock_user) : 0.0;
    sinew_Status status = SINEW_STATUS_OK;
    for (int i = 0; i < body->leg_count && status == SINEW_STATUS_OK; ++i) {
        status = solve_leg(poser, setup, target, &parts, i, out_message);
    }
    poser->time = poser->clock != NULL ? poser->clock(poser->clock_user) - start : 0.0;
    return status;
}
