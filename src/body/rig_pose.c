// Keys of joints, and poses in the numbers of a rig.

#include "body/rig.h"

#include "base/message.h"
#include "body/skeleton.h"
#include "math/holds.h"

#include <string.h>

// ---------------------------------------------------------------------------------------------
// Keys

void sinew_rig_key(const sinew_Skeleton *skeleton, int joint, char *out_key, size_t size)
{
    if (out_key == NULL || size == 0) { return; }
    out_key[0] = '\0';
    if (joint < 0 || joint >= sinew_skeleton_joint_count(skeleton)) { return; }
    const char *name = sinew_skeleton_joints(skeleton)[joint].name;
    char ending[16];
    snw_skeleton_key_ending(skeleton, joint, ending);
    size_t length = strlen(name), used = strlen(ending);
    if (length + used >= size) { length = size > used ? size - 1 - used : 0; }
    memcpy(out_key, name, length);
    memcpy(out_key + length, ending, used < size - length ? used : size - length - 1);
    out_key[length + (used < size - length ? used : size - length - 1)] = '\0';
}

int sinew_rig_key_joint(const sinew_Skeleton *skeleton, const char *key)
{
    if (skeleton == NULL || key == NULL) { return -1; }
    return snw_skeleton_keyed(skeleton, key, strlen(key));
}

int snw_rig_ball_axis(const sinew_Skeleton *skeleton, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL) { return a; }
    }
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Poses

// what one unit of an axis of the skeleton is in the rig's numbers
static double rig_scale(const sinew_Rig *rig, sinew_AxisKind kind)
{
    double unit = sinew_rig_unit(rig);
    switch (kind) {
    case SINEW_AXIS_SLIDE: return unit > 0.0 ? 1.0 / unit : 1.0;
    case SINEW_AXIS_HINGE: return 1.0 / SNW_DEGREE;
    default: return 1.0;
    }
}

sinew_Status sinew_rig_capture_pose(
    sinew_Rig *rig, const char *name, const sinew_Skeleton *skeleton, const double *q)
{
    if (rig == NULL || name == NULL || skeleton == NULL || q == NULL) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    sinew_Status status = sinew_pose_check(skeleton, q, NULL);
    if (status != SINEW_STATUS_OK) { return status; }
    int count = sinew_skeleton_joint_count(skeleton), used = 0;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    sinew_RigValues *list = snw_rig_take(rig, (size_t)count, sizeof *list);
    double *values = snw_rig_take(
        rig, (size_t)sinew_skeleton_coordinate_count(skeleton), sizeof(double));
    if (list == NULL || values == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    for (int j = 0; j < count; ++j) {
        if (joints[j].coordinate_count == 0) { continue; }
        char key[SNW_RIG_KEY_SIZE];
        sinew_rig_key(skeleton, j, key, sizeof key);
        list[used].key = snw_rig_take_text(rig, key);
        if (list[used].key == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
        list[used].values = &values[joints[j].coordinate_start];
        list[used++].value_count = joints[j].coordinate_count;
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            int c = places[a].coordinate, width = axes[a].kind == SINEW_AXIS_BALL ? 4 : 1;
            double scale = rig_scale(rig, axes[a].kind);
            for (int i = 0; i < width; ++i) { values[c + i] = scale * q[c + i]; }
        }
    }
    sinew_RigPose pose = { name, list, used };
    return sinew_rig_set_pose(rig, &pose);
}

sinew_Status sinew_rig_pose_values(const sinew_Rig *rig, const sinew_RigPose *pose,
    const sinew_Skeleton *skeleton, double *out_q, sinew_Message *out_message)
{
    sinew_Status status = SNW_CHECK_NULL(
        out_message, "rig pose skeleton out_q", rig, pose, skeleton, out_q);
    if (status != SINEW_STATUS_OK) { return status; }
    if (!snw_rig_pose_is_good(pose)) {
        return snw_refuse(out_message,
            "pose has a NULL for its name, joints, key or values, want none, and 1 to %d finite "
            "values a joint",
            SNW_RIG_MOST_VALUES);
    }
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int i = 0; i < pose->joint_count; ++i) {
        int j = sinew_rig_key_joint(skeleton, pose->joints[i].key);
        if (j < 0) {
            return snw_refuse(out_message, "pose '%s' has a joint '%s', want one of the skeleton",
                pose->name, pose->joints[i].key);
        }
        if (pose->joints[i].value_count != joints[j].coordinate_count) {
            return snw_refuse(out_message, "pose '%s': joint '%s' has %d value%s, want %d",
                pose->name, pose->joints[i].key, pose->joints[i].value_count,
                snw_plural(pose->joints[i].value_count), joints[j].coordinate_count);
        }
    }
    sinew_pose_rest(skeleton, out_q);
    for (int i = 0; i < pose->joint_count; ++i) {
        const sinew_Joint *joint = &joints[sinew_rig_key_joint(skeleton, pose->joints[i].key)];
        for (int a = joint->axis_start; a < joint->axis_start + joint->axis_count; ++a) {
            int c = places[a].coordinate, width = axes[a].kind == SINEW_AXIS_BALL ? 4 : 1;
            double scale = rig_scale(rig, axes[a].kind);
            for (int k = 0; k < width; ++k) {
                out_q[c + k] = pose->joints[i].values[c - joint->coordinate_start + k] / scale;
            }
        }
    }
    return sinew_pose_check(skeleton, out_q, out_message);
}
