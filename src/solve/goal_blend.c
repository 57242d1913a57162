#include "sinew/goal.h"
#include "sinew/pose.h"

// A goal part of the way: what the given pose has is moved towards what the goal wants.

// the direction a share of the way from one to the other, on the sphere
static sinew_Vec3 blend_direction(sinew_Vec3 from, sinew_Vec3 to, double weight)
{
    sinew_Quat way = sinew_quat_between(from, to);
    return sinew_quat_rotate(sinew_quat_slerp(sinew_quat_identity(), way, weight), from);
}

sinew_Goal sinew_goal_blend(const sinew_Skeleton *skeleton, const sinew_Transform *world_from_joint,
    sinew_Goal goal, double weight)
{
    sinew_Goal r = goal;
    int count = skeleton != NULL ? sinew_skeleton_joint_count(skeleton) : 0;
    bool has_joint = goal.joint >= 0 && goal.joint < count;
    if (world_from_joint == NULL || skeleton == NULL || !(weight < 1.0)
        || goal.reference >= count) {
        return r;
    }
    double w = weight > 0.0 ? weight : 0.0;
    sinew_Transform here = has_joint
        ? sinew_transform_mul(world_from_joint[goal.joint], goal.joint_from_effector)
        : sinew_transform_identity();
    sinew_Transform reference = sinew_transform_identity();
    if (goal.reference >= 0) {
        reference = sinew_transform_inverse(world_from_joint[goal.reference]);
        here = sinew_transform_mul(reference, here);
    }
    sinew_Quat turned = sinew_quat_normalize(here.rotation);
    sinew_Vec3 axis = sinew_quat_rotate(turned, goal.axis);
    switch (goal.kind) {
    case SINEW_GOAL_POSITION:
    case SINEW_GOAL_ORIENTATION:
    case SINEW_GOAL_POSE:
        if (!has_joint) { break; }
        r.position = sinew_vec3_lerp(here.position, goal.position, w);
        r.orientation = sinew_quat_slerp(turned, goal.orientation, w);
        break;
    case SINEW_GOAL_AIM: {
        sinew_Vec3 way = sinew_vec3_sub(goal.position, here.position);
        double far = sinew_vec3_length(way);
        if (!has_joint || !(far > 0.0)) { break; }
        sinew_Vec3 aim = blend_direction(axis, sinew_vec3_scale(way, 1.0 / far), w);
        r.position = sinew_vec3_add_scaled(here.position, aim, far);
        break;
    }
    case SINEW_GOAL_DIRECTION:
        if (has_joint) { r.direction = blend_direction(axis, goal.direction, w); }
        break;
    case SINEW_GOAL_POLE:
        if (goal.middle_joint < 0 || goal.middle_joint >= count) { break; }
        here = sinew_transform_mul(reference, world_from_joint[goal.middle_joint]);
        r.position = sinew_vec3_lerp(here.position, goal.position, w);
        break;
    case SINEW_GOAL_CENTER_OF_MASS: {
        sinew_Vec3 center = sinew_pose_center_of_mass(skeleton, world_from_joint);
        center = sinew_transform_point(reference, center);
        r.position = sinew_vec3_lerp(center, goal.position, w);
        break;
    }
    case SINEW_GOAL_SUPPORT: break;
    case SINEW_GOAL_REST: r.orientation_weight = w * goal.orientation_weight; break;
    }
    return r;
}
