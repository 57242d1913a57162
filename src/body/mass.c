#include "body/mass.h"

#include "math/holds.h"

double snw_bone_length(const sinew_Skeleton *skeleton, int joint)
{
    SNW_ASSERT(joint >= 0 && joint < sinew_skeleton_joint_count(skeleton));
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    if (j->parent < 0) { return 0.0; }
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    sinew_Transform frame = { j->offset, j->rest_rotation };
    for (int a = 0; a < j->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE) {
            sinew_Vec3 way = sinew_quat_rotate(frame.rotation, axes[a].direction);
            frame.position = sinew_vec3_add_scaled(frame.position, way, axes[a].rest);
        } else if (axes[a].kind == SINEW_AXIS_HINGE) {
            frame.rotation = sinew_quat_mul(
                frame.rotation, sinew_quat_from_axis_angle(axes[a].direction, axes[a].rest));
        }
    }
    return sinew_vec3_length(frame.position);
}

void snw_body_masses(const sinew_Skeleton *skeleton, snw_PointMass *out_masses)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = sinew_skeleton_joint_count(skeleton);
    double total = 0.0;
    for (int j = 0; j < count; ++j) {
        out_masses[j] = (snw_PointMass){ joints[j].mass, joints[j].mass_center };
        total += joints[j].mass;
    }
    if (!(total > 0.0)) {
        for (int j = 0; j < count; ++j) {
            out_masses[j] = (snw_PointMass){ 0.0, { 0.0, 0.0, 0.0 } };
            double length = snw_bone_length(skeleton, j);
            if (length == 0.0) { continue; }
            out_masses[j].mass += 0.5 * length;
            out_masses[joints[j].parent].mass += 0.5 * length;
            total += length;
        }
    }
    if (!(total > 0.0)) {
        out_masses[0].mass = 1.0;
        return;
    }
    for (int j = 0; j < count; ++j) { out_masses[j].mass /= total; }
}
