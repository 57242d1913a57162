#include "sinew/jacobian.h"

// what every goal starts from
static sinew_Goal plain_goal(sinew_GoalKind kind, int joint)
{
    sinew_Goal goal = { .kind = kind,
        .joint = joint,
        .chain_root = -1,
        .joint_from_effector = sinew_transform_identity(),
        .orientation = sinew_quat_identity(),
        .position_weight = 1.0,
        .orientation_weight = 1.0,
        .reference = -1,
        .position_mask = SINEW_MASK_ALL,
        .orientation_mask = SINEW_MASK_ALL,
        .axis = { 0.0, 0.0, 1.0 },
        .direction = { 0.0, 1.0, 0.0 },
        .start_joint = -1,
        .middle_joint = -1,
        .support_margin = 0.01 };
    return goal;
}

sinew_Goal sinew_goal_position(int joint, sinew_Vec3 position)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_POSITION, joint);
    goal.position = position;
    return goal;
}

sinew_Goal sinew_goal_orientation(int joint, sinew_Quat orientation)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_ORIENTATION, joint);
    goal.orientation = orientation;
    return goal;
}

sinew_Goal sinew_goal_pose(int joint, sinew_Vec3 position, sinew_Quat orientation)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_POSE, joint);
    goal.position = position;
    goal.orientation = orientation;
    return goal;
}

sinew_Goal sinew_goal_aim(int joint, sinew_Vec3 axis, sinew_Vec3 position)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_AIM, joint);
    goal.axis = axis;
    goal.position = position;
    return goal;
}

sinew_Goal sinew_goal_direction(int joint, sinew_Vec3 axis, sinew_Vec3 direction)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_DIRECTION, joint);
    goal.axis = axis;
    goal.direction = direction;
    return goal;
}

sinew_Goal sinew_goal_pole(int start, int middle, int joint, sinew_Vec3 position)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_POLE, joint);
    goal.start_joint = start;
    goal.middle_joint = middle;
    goal.position = position;
    return goal;
}

sinew_Goal sinew_goal_center_of_mass(sinew_Vec3 position)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_CENTER_OF_MASS, -1);
    goal.position = position;
    goal.position_mask = SINEW_MASK_HORIZONTAL;
    return goal;
}

sinew_Goal sinew_goal_support(const sinew_Vec3 *points, int point_count)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_SUPPORT, -1);
    goal.support_points = points;
    goal.support_count = point_count;
    return goal;
}

sinew_Goal sinew_goal_rest(double weight)
{
    sinew_Goal goal = plain_goal(SINEW_GOAL_REST, -1);
    goal.orientation_weight = weight;
    return goal;
}

const char *sinew_goal_kind_name(sinew_GoalKind kind)
{
    static const char *const names[] = { "position", "orientation", "pose", "aim", "direction",
        "pole", "center_of_mass", "support", "rest" };
    return (int)kind >= 0 && (int)kind < SINEW_GOAL_KIND_COUNT ? names[kind] : "unknown";
}

static int mask_count(unsigned mask)
{
    return (int)(mask & 1u) + (int)(mask >> 1 & 1u) + (int)(mask >> 2 & 1u);
}

int sinew_goal_row_count(const sinew_Goal *goal)
{
    if (goal == NULL) { return 0; }
    switch (goal->kind) {
    case SINEW_GOAL_POSITION:
    case SINEW_GOAL_CENTER_OF_MASS: return mask_count(goal->position_mask);
    case SINEW_GOAL_ORIENTATION: return mask_count(goal->orientation_mask);
    case SINEW_GOAL_POSE:
        return mask_count(goal->position_mask) + mask_count(goal->orientation_mask);
    case SINEW_GOAL_AIM:
    case SINEW_GOAL_DIRECTION:
    case SINEW_GOAL_SUPPORT: return 2;
    case SINEW_GOAL_POLE: return 1;
    case SINEW_GOAL_REST: return 0;
    }
    return 0;
}

bool sinew_goal_is_plain(const sinew_Goal *goal)
{
    if (goal == NULL) { return false; }
    return goal->kind <= SINEW_GOAL_POSE && goal->reference < 0 && !goal->constraint
        && (goal->position_mask & goal->orientation_mask) == SINEW_MASK_ALL;
}

void sinew_goal_error(
    const sinew_Goal *goal, const sinew_Transform *world_from_joint, double *out_error)
{
    if (goal == NULL || world_from_joint == NULL || out_error == NULL
        || (sinew_goal_is_plain(goal) && goal->joint < 0)) {
        return;
    }
    if (!sinew_goal_is_plain(goal)) {
        for (int r = 0; r < sinew_goal_row_count(goal); ++r) { out_error[r] = 0.0; }
        return;
    }
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
