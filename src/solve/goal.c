#include "sinew/jacobian.h"

static sinew_Goal goal_of(
    sinew_GoalKind kind, int joint, sinew_Vec3 position, sinew_Quat orientation)
{
    sinew_Goal goal = { kind, joint, -1, sinew_transform_identity(), position, orientation, 1.0,
        1.0 };
    return goal;
}

sinew_Goal sinew_goal_position(int joint, sinew_Vec3 position)
{
    return goal_of(SINEW_GOAL_POSITION, joint, position, sinew_quat_identity());
}

sinew_Goal sinew_goal_orientation(int joint, sinew_Quat orientation)
{
    return goal_of(SINEW_GOAL_ORIENTATION, joint, sinew_vec3(0.0, 0.0, 0.0), orientation);
}

sinew_Goal sinew_goal_pose(int joint, sinew_Vec3 position, sinew_Quat orientation)
{
    return goal_of(SINEW_GOAL_POSE, joint, position, orientation);
}

int sinew_goal_row_count(const sinew_Goal *goal)
{
    return goal->kind == SINEW_GOAL_POSE ? 6 : 3;
}

void sinew_goal_error(
    const sinew_Goal *goal, const sinew_Transform *world_from_joint, double *out_error)
{
    sinew_Transform effector = sinew_transform_mul(
        world_from_joint[goal->joint], goal->joint_from_effector);
    if (goal->kind != SINEW_GOAL_ORIENTATION) {
        sinew_Vec3 d = sinew_vec3_sub(goal->position, effector.position);
        out_error[0] = d.x;
        out_error[1] = d.y;
        out_error[2] = d.z;
        out_error += 3;
    }
    if (goal->kind != SINEW_GOAL_POSITION) {
        sinew_Quat inverse = sinew_quat_conjugate(effector.rotation);
        sinew_Vec3 r = sinew_quat_log(sinew_quat_mul(goal->orientation, inverse));
        out_error[0] = r.x;
        out_error[1] = r.y;
        out_error[2] = r.z;
    }
}
