#include "sinew/jacobian.h"
#include "math/holds.h"
#include "math/quat.h"

#include "body/mass.h"

// the world transform of a joint before its axes move it
static sinew_Transform frame_before(
    const sinew_Skeleton *skeleton, const sinew_Transform *world_from_joint, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    sinew_Transform frame = { j->offset, j->rest_rotation };
    if (j->parent >= 0) { frame = sinew_transform_mul(world_from_joint[j->parent], frame); }
    return frame;
}

// write one column: linear part b, angular part a, each where the goal has such rows
static void put_column(
    const sinew_Goal *goal, double *jacobian, int dof_count, int dof, sinew_Vec3 b, sinew_Vec3 a)
{
    SNW_ASSERT(dof_count >= 0);
    SNW_ASSERT(dof >= 0);
    double *entry = &jacobian[dof];
    if (goal->kind != SINEW_GOAL_ORIENTATION) {
        entry[0] = b.x;
        entry[dof_count] = b.y;
        entry[2 * dof_count] = b.z;
        entry += 3 * dof_count;
    }
    if (goal->kind != SINEW_GOAL_POSITION) {
        entry[0] = a.x;
        entry[dof_count] = a.y;
        entry[2 * dof_count] = a.z;
    }
}

// columns of one joint; frame is the world transform of the joint before its axes move
static void put_joint(const sinew_Skeleton *skeleton, const double *q, const sinew_Goal *goal,
    int joint, sinew_Transform frame, sinew_Vec3 effector, double *jacobian)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    int dof_count = sinew_skeleton_dof_count(skeleton);
    int dof = j->dof_start;
    const double *value = &q[j->coordinate_start];
    const sinew_Vec3 zero = { 0.0, 0.0, 0.0 };

    // an axis also depends on the slides after it only through the effector, which is final
    for (int a = 0; a < j->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Mat3 turned = sinew_mat3_from_quat(frame.rotation);
            const sinew_Vec3 directions[3] = { turned.x, turned.y, turned.z };
            sinew_Vec3 arm = sinew_vec3_sub(effector, frame.position);
            for (int k = 0; k < 3; ++k) {
                put_column(goal, jacobian, dof_count, dof++, sinew_vec3_cross(directions[k], arm),
                    directions[k]);
            }
            continue;
        }
        sinew_Vec3 direction = sinew_quat_rotate(frame.rotation, axes[a].direction);
        if (axes[a].kind == SINEW_AXIS_SLIDE) {
            put_column(goal, jacobian, dof_count, dof++, direction, zero);
            frame.position = sinew_vec3_add_scaled(frame.position, direction, *value++);
        } else {
            sinew_Vec3 arm = sinew_vec3_sub(effector, frame.position);
            put_column(
                goal, jacobian, dof_count, dof++, sinew_vec3_cross(direction, arm), direction);
            sinew_Quat turn = sinew_quat_from_axis_angle(axes[a].direction, *value++);
            frame.rotation = sinew_quat_mul(frame.rotation, turn);
        }
    }
}

// goals without a joint have no rows of their own here
static bool is_on(const sinew_Skeleton *skeleton, const sinew_Goal *goal)
{
    if (skeleton == NULL || goal == NULL) { return false; }
    return !sinew_goal_is_plain(goal)
        || (goal->joint >= 0 && goal->joint < sinew_skeleton_joint_count(skeleton));
}

void sinew_jacobian(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Transform *world_from_joint, const sinew_Goal *goal, double *out_jacobian)
{
    if (q == NULL || world_from_joint == NULL || out_jacobian == NULL || !is_on(skeleton, goal)) {
        return;
    }
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    size_t entries = (size_t)sinew_goal_row_count(goal)
        * (size_t)sinew_skeleton_dof_count(skeleton);
    for (size_t i = 0; i < entries; ++i) { out_jacobian[i] = 0.0; }
    if (!sinew_goal_is_plain(goal)) { return; }
    sinew_Vec3 effector = sinew_transform_point(
        world_from_joint[goal->joint], goal->joint_from_effector.position);
    for (int j = goal->joint; j >= 0; j = joints[j].parent) {
        sinew_Transform frame = frame_before(skeleton, world_from_joint, j);
        put_joint(skeleton, q, goal, j, frame, effector, out_jacobian);
    }
}

void sinew_jacobian_center_of_mass(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Transform *world_from_joint, double *scratch, double *out_jacobian)
{
    if (q == NULL || world_from_joint == NULL || scratch == NULL || out_jacobian == NULL) {
        return;
    }
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    int dof_count = sinew_skeleton_dof_count(skeleton);
    snw_PointMass *below = (snw_PointMass *)(void *)scratch;
    snw_body_masses(skeleton, below);
    for (int j = 0; j < joint_count; ++j) {
        // from here on mass times centre
        sinew_Vec3 center = sinew_transform_point(world_from_joint[j], below[j].center);
        below[j].center = sinew_vec3_scale(center, below[j].mass);
    }
    for (int j = joint_count - 1; j >= 0; --j) {
        int parent = joints[j].parent;
        if (parent < 0) { continue; }
        below[parent].mass += below[j].mass;
        below[parent].center = sinew_vec3_add(below[parent].center, below[j].center);
    }
    // a goal that has three rows, for a point that all dofs of a joint carry
    const sinew_Goal rows = sinew_goal_position(0, sinew_vec3(0.0, 0.0, 0.0));
    for (int i = 0; i < 3 * dof_count; ++i) { out_jacobian[i] = 0.0; }
    for (int j = 0; j < joint_count; ++j) {
        double mass = below[j].mass;
        if (!(mass > 0.0)) { continue; }
        put_joint(skeleton, q, &rows, j, frame_before(skeleton, world_from_joint, j),
            sinew_vec3_scale(below[j].center, 1.0 / mass), out_jacobian);
        for (int d = joints[j].dof_start; d < joints[j].dof_start + joints[j].dof_count; ++d) {
            for (int r = 0; r < 3; ++r) { out_jacobian[r * dof_count + d] *= mass; }
        }
    }
}

// effector position and rotation of a pose
static sinew_Transform effector_of(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Goal *goal, sinew_Transform *scratch)
{
    sinew_pose_forward_chain(skeleton, q, goal->joint, scratch);
    return sinew_transform_mul(scratch[goal->joint], goal->joint_from_effector);
}

static sinew_Vec3 rate(sinew_Vec3 from, sinew_Vec3 to, double step)
{
    return sinew_vec3_scale(sinew_vec3_sub(to, from), 1.0 / step);
}

// rotation vector per step from one rotation to another, in world axes
static sinew_Vec3 turn_rate(sinew_Quat from, sinew_Quat to, double step)
{
    sinew_Quat turn = sinew_quat_mul(to, sinew_quat_conjugate(from));
    return sinew_vec3_scale(sinew_quat_log(turn), 1.0 / step);
}

// q with one dof of one axis moved; a ball turns about one of its own three directions
static void perturb(const sinew_Skeleton *skeleton, int axis, int local_dof, double step,
    const double *original, double *q)
{
    SNW_ASSERT(axis >= 0);
    const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[axis];
    double *value = &q[place->coordinate];
    const double *start = &original[place->coordinate];
    if (sinew_skeleton_axes(skeleton)[axis].kind != SINEW_AXIS_BALL) {
        value[0] = start[0] + step;
        return;
    }
    sinew_Vec3 turn = { local_dof == 0 ? step : 0.0, local_dof == 1 ? step : 0.0,
        local_dof == 2 ? step : 0.0 };
    sinew_Quat ball = snw_quat_load(start);
    sinew_Quat turned = sinew_quat_normalize(sinew_quat_mul(sinew_quat_exp(turn), ball));
    snw_quat_store(turned, value);
}

void sinew_jacobian_numeric(const sinew_Skeleton *skeleton, const double *q, const sinew_Goal *goal,
    sinew_Difference difference, double step, double *scratch_q,
    sinew_Transform *scratch_transforms, double *out_jacobian)
{
    if (q == NULL || scratch_q == NULL || scratch_transforms == NULL || out_jacobian == NULL
        || !is_on(skeleton, goal)) {
        return;
    }
    int dof_count = sinew_skeleton_dof_count(skeleton);
    if (!sinew_goal_is_plain(goal)) {
        for (int i = 0; i < sinew_goal_row_count(goal) * dof_count; ++i) { out_jacobian[i] = 0.0; }
        return;
    }
    for (int c = 0; c < sinew_skeleton_coordinate_count(skeleton); ++c) { scratch_q[c] = q[c]; }
    sinew_Transform here = effector_of(skeleton, q, goal, scratch_transforms);
    bool central = difference == SINEW_DIFFERENCE_CENTRAL;
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[a];
        bool ball = sinew_skeleton_axes(skeleton)[a].kind == SINEW_AXIS_BALL;
        for (int k = 0; k < (ball ? 3 : 1); ++k) {
            sinew_Transform before = here;
            double width = step;
            if (central) {
                perturb(skeleton, a, k, -step, q, scratch_q);
                before = effector_of(skeleton, scratch_q, goal, scratch_transforms);
                width = 2.0 * step;
            }
            perturb(skeleton, a, k, step, q, scratch_q);
            sinew_Transform after = effector_of(skeleton, scratch_q, goal, scratch_transforms);
            put_column(goal, out_jacobian, dof_count, place->dof + k,
                rate(before.position, after.position, width),
                turn_rate(before.rotation, after.rotation, width));
            for (int c = 0; c < (ball ? 4 : 1); ++c) {
                scratch_q[place->coordinate + c] = q[place->coordinate + c];
            }
        }
    }
}
