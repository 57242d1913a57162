#include "body/pose.h"
#include "math/holds.h"
#include "math/quat.h"

#include "base/message.h"
#include "body/mass.h"

void sinew_pose_rest(const sinew_Skeleton *skeleton, double *out_q)
{
    if (out_q == NULL) { return; }
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *q = &out_q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat rest = sinew_quat_identity();
            snw_quat_store(
                axes[a].limit != NULL ? sinew_ball_limit_clamp(axes[a].limit, rest) : rest, q);
        } else {
            q[0] = axes[a].rest;
        }
    }
}

void sinew_pose_middle(const sinew_Skeleton *skeleton, double *out_q)
{
    if (out_q == NULL) { return; }
    sinew_pose_rest(skeleton, out_q);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL) {
            if (axes[a].limit == NULL) { continue; }
            snw_quat_store(sinew_ball_limit_middle(axes[a].limit), &out_q[places[a].coordinate]);
        } else if (isfinite(axes[a].lower) && isfinite(axes[a].upper)) {
            out_q[places[a].coordinate] = 0.5 * axes[a].lower + 0.5 * axes[a].upper;
        }
    }
}

sinew_Status sinew_pose_check(
    const sinew_Skeleton *skeleton, const double *q, sinew_Message *out_message)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    sinew_Status status = SNW_CHECK_NULL(out_message, "skeleton q", skeleton, q);
    if (status != SINEW_STATUS_OK) { return status; }
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        int c = places[a].coordinate;
        char name[128];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            double length = sqrt(sinew_quat_dot(snw_quat_load(&q[c]), snw_quat_load(&q[c])));
            if (fabs(length - 1.0) <= 1e-3) { continue; }
            sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
            return snw_refuse(
                out_message, "%s: the quaternion has length %g, want 1", name, length);
        }
        if (isfinite(q[c])) { continue; }
        sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
        return snw_refuse(out_message, "%s is %g, want a finite number", name, q[c]);
    }
    return SINEW_STATUS_OK;
}

double sinew_pose_limit_violation(const sinew_Skeleton *skeleton, const double *q)
{
    return sinew_pose_worst_limit(skeleton, q, NULL);
}

double sinew_pose_worst_limit(const sinew_Skeleton *skeleton, const double *q, int *out_axis)
{
    int at = -1;
    if (out_axis == NULL) { out_axis = &at; }
    *out_axis = -1;
    if (q == NULL) { return 0.0; }
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    double worst = 0.0;
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        const double *value = &q[places[a].coordinate];
        double outside = 0.0;
        if (axes[a].kind != SINEW_AXIS_BALL) {
            outside = isfinite(value[0]) ? fmax(axes[a].lower - value[0], value[0] - axes[a].upper)
                                         : INFINITY;
        } else if (axes[a].limit != NULL) {
            outside = sinew_ball_limit_violation(axes[a].limit, snw_quat_load(value));
        } else if (!sinew_quat_is_finite(snw_quat_load(value))) {
            outside = INFINITY;
        }
        if (outside > worst) {
            worst = outside;
            *out_axis = a;
        }
    }
    return worst;
}

void sinew_pose_apply_limits(const sinew_Skeleton *skeleton, double *q)
{
    if (q == NULL) { return; }
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double *value = &q[places[a].coordinate];
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat ball = sinew_quat_normalize(snw_quat_load(value));
            snw_quat_store(
                axes[a].limit != NULL ? sinew_ball_limit_clamp(axes[a].limit, ball) : ball, value);
        } else {
            value[0] = fmin(fmax(value[0], axes[a].lower), axes[a].upper);
        }
    }
}

sinew_Transform sinew_pose_local(const sinew_Skeleton *skeleton, const double *q, int joint)
{
    if (q == NULL || joint < 0 || joint >= sinew_skeleton_joint_count(skeleton)) {
        return sinew_transform_identity();
    }
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    const double *value = &q[j->coordinate_start];
    sinew_Transform local = { j->offset, j->rest_rotation };
    for (int a = 0; a < j->axis_count; ++a) {
        switch (axes[a].kind) {
        case SINEW_AXIS_SLIDE: {
            sinew_Vec3 along = sinew_quat_rotate(local.rotation, axes[a].direction);
            local.position = sinew_vec3_add_scaled(local.position, along, *value);
            value += 1;
            break;
        }
        case SINEW_AXIS_HINGE: {
            sinew_Quat turn = sinew_quat_from_axis_angle(axes[a].direction, *value);
            local.rotation = sinew_quat_mul(local.rotation, turn);
            value += 1;
            break;
        }
        case SINEW_AXIS_BALL:
            local.rotation = sinew_quat_mul(local.rotation, snw_quat_load(value));
            value += 4;
            break;
        }
    }
    return local;
}

sinew_Transform snw_pose_frame(
    const sinew_Skeleton *skeleton, const double *q, int joint, sinew_Transform joint_from_frame)
{
    SNW_ASSERT(joint >= -1 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    sinew_Transform world = joint_from_frame;
    for (int j = joint; j >= 0; j = joints[j].parent) {
        world = sinew_transform_mul(sinew_pose_local(skeleton, q, j), world);
    }
    return world;
}

static void forward_joint(
    const sinew_Skeleton *skeleton, const double *q, int joint, sinew_Transform *world)
{
    int parent = sinew_skeleton_joints(skeleton)[joint].parent;
    sinew_Transform local = sinew_pose_local(skeleton, q, joint);
    world[joint] = parent < 0 ? local : sinew_transform_mul(world[parent], local);
}

void sinew_pose_forward(
    const sinew_Skeleton *skeleton, const double *q, sinew_Transform *out_world_from_joint)
{
    if (q == NULL || out_world_from_joint == NULL) { return; }
    int count = sinew_skeleton_joint_count(skeleton);
    for (int j = 0; j < count; ++j) { forward_joint(skeleton, q, j, out_world_from_joint); }
}

void sinew_pose_forward_chain(const sinew_Skeleton *skeleton, const double *q, int joint,
    sinew_Transform *out_world_from_joint)
{
    if (q == NULL || out_world_from_joint == NULL || joint < 0
        || joint >= sinew_skeleton_joint_count(skeleton)) {
        return;
    }
    // downwards from the root: the next joint on the way is the ancestor whose parent was last done
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int done = -1;
    while (done != joint) {
        int next = done + 1;
        while (next + joints[next].subtree_count <= joint) { next += joints[next].subtree_count; }
        forward_joint(skeleton, q, next, out_world_from_joint);
        done = next;
    }
}

void sinew_pose_integrate(
    const sinew_Skeleton *skeleton, const double *q, const double *step, double *out_q)
{
    if (q == NULL || step == NULL || out_q == NULL) { return; }
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        int c = places[a].coordinate, d = places[a].dof;
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat turn = sinew_quat_exp(sinew_vec3(step[d], step[d + 1], step[d + 2]));
            sinew_Quat turned = sinew_quat_mul(turn, snw_quat_load(&q[c]));
            snw_quat_store(sinew_quat_normalize(turned), &out_q[c]);
        } else {
            out_q[c] = q[c] + step[d];
        }
    }
}

void sinew_pose_difference(
    const sinew_Skeleton *skeleton, const double *from, const double *to, double *out_step)
{
    if (from == NULL || to == NULL || out_step == NULL) { return; }
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        int c = places[a].coordinate, d = places[a].dof;
        if (axes[a].kind == SINEW_AXIS_BALL) {
            sinew_Quat inverse = sinew_quat_conjugate(snw_quat_load(&from[c]));
            sinew_Vec3 turn = sinew_quat_log(sinew_quat_mul(snw_quat_load(&to[c]), inverse));
            out_step[d] = turn.x;
            out_step[d + 1] = turn.y;
            out_step[d + 2] = turn.z;
        } else {
            out_step[d] = to[c] - from[c];
        }
    }
}

void snw_pose_mix(const sinew_Skeleton *skeleton, int first_axis, int axis_count,
    const double *from, const double *to, double share, double *out_q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int i = first_axis; i < first_axis + axis_count; ++i) {
        int c = places[i].coordinate;
        if (axes[i].kind == SINEW_AXIS_BALL) {
            sinew_Quat start = snw_quat_load(&from[c]), end = snw_quat_load(&to[c]);
            snw_quat_store(sinew_quat_slerp(start, end, share), &out_q[c]);
        } else {
            out_q[c] = from[c] + (to[c] - from[c]) * share;
        }
    }
}

void sinew_pose_interpolate(
    const sinew_Skeleton *skeleton, const double *a, const double *b, double t, double *out_q)
{
    if (a == NULL || b == NULL || out_q == NULL) { return; }
    snw_pose_mix(skeleton, 0, sinew_skeleton_axis_count(skeleton), a, b, t, out_q);
}

sinew_Status sinew_pose_copy(
    const sinew_Skeleton *from, const double *from_q, const sinew_Skeleton *to, double *out_q)
{
    if (from == NULL || from_q == NULL || to == NULL || out_q == NULL) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    bool same = sinew_skeleton_joint_count(from) == sinew_skeleton_joint_count(to)
        && sinew_skeleton_axis_count(from) == sinew_skeleton_axis_count(to);
    const sinew_Joint *a = sinew_skeleton_joints(from), *b = sinew_skeleton_joints(to);
    for (int j = 0; same && j < sinew_skeleton_joint_count(from); ++j) {
        same = a[j].parent == b[j].parent && a[j].axis_start == b[j].axis_start
            && a[j].axis_count == b[j].axis_count;
    }
    for (int i = 0; same && i < sinew_skeleton_axis_count(from); ++i) {
        const sinew_Axis *x = &sinew_skeleton_axes(from)[i], *y = &sinew_skeleton_axes(to)[i];
        same = x->kind == y->kind
            && (x->kind == SINEW_AXIS_BALL
                || sinew_vec3_distance(x->direction, y->direction) <= 1e-9);
    }
    if (!same) { return SINEW_STATUS_INVALID_ARGUMENT; }
    for (int c = 0; c < sinew_skeleton_coordinate_count(from); ++c) { out_q[c] = from_q[c]; }
    return SINEW_STATUS_OK;
}

sinew_Vec3 sinew_pose_center_of_mass(
    const sinew_Skeleton *skeleton, const sinew_Transform *world_from_joint)
{
    if (skeleton == NULL || world_from_joint == NULL) { return sinew_vec3(0.0, 0.0, 0.0); }
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton);
    double mass = 0.0;
    sinew_Vec3 moment = { 0.0, 0.0, 0.0 };
    for (int j = 0; j < count; ++j) {
        sinew_Vec3 center = sinew_transform_point(world_from_joint[j], joints[j].mass_center);
        moment = sinew_vec3_add_scaled(moment, center, joints[j].mass);
        mass += joints[j].mass;
    }
    if (mass > 0.0) { return sinew_vec3_scale(moment, 1.0 / mass); }

    // no masses: bones of one density, each from its parent's origin to its own
    for (int j = 0; j < count; ++j) {
        if (joints[j].parent < 0) { continue; }
        sinew_Vec3 a = world_from_joint[joints[j].parent].position,
                   b = world_from_joint[j].position;
        double length = snw_bone_length(skeleton, j);
        moment = sinew_vec3_add_scaled(moment, sinew_vec3_lerp(a, b, 0.5), length);
        mass += length;
    }
    if (mass > 0.0) { return sinew_vec3_scale(moment, 1.0 / mass); }
    return world_from_joint[0].position;
}

// the axis of a frame that a direction is along, 0..2, and whether against it; -1: none
static int frame_axis(sinew_Vec3 direction, bool *out_negated)
{
    SNW_ASSERT(snw_holds_direction(direction));
    const double parts[3] = { direction.x, direction.y, direction.z };
    for (int i = 0; i < 3; ++i) {
        // directions come from files and hands: what is a whole axis is meant to be one
        if (fabs(parts[i]) < 1.0 - 1e-9) { continue; }
        *out_negated = parts[i] < 0.0;
        return i;
    }
    return -1;
}

bool sinew_joint_euler_order(
    const sinew_Skeleton *skeleton, int joint, sinew_EulerOrder *out_order, unsigned *out_negated)
{
    if (skeleton == NULL || out_order == NULL || joint < 0
        || joint >= sinew_skeleton_joint_count(skeleton)) {
        return false;
    }
    const sinew_Joint *own = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[own->axis_start];
    int found[3], count = 0;
    unsigned negated = 0;
    for (int a = 0; a < own->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE) { continue; }
        bool against = false;
        if (axes[a].kind == SINEW_AXIS_BALL || count == 3) { return false; }
        found[count] = frame_axis(axes[a].direction, &against);
        if (found[count] < 0) { return false; }
        negated |= against ? 1u << count : 0u;
        ++count;
    }
    if (count != 3 || found[0] == found[1] || found[1] == found[2] || found[0] == found[2]) {
        return false;
    }
    // two orders begin with each axis: the one whose second axis comes first in the alphabet, and the other
    bool rising = found[1] < found[2];
    *out_order = (sinew_EulerOrder)(2 * found[0] + (rising ? 0 : 1));
    if (out_negated != NULL) { *out_negated = negated; }
    return true;
}
