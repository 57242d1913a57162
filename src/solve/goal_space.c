#include "sinew/goal.h"

// Goals of other spaces.

// which of the other space's axes each bit of a mask stands for; signs do not matter
static unsigned convert_mask(const sinew_Space *space, unsigned mask, bool inward)
{
    unsigned r = 0;
    for (int i = 0; i < 3; ++i) {
        if ((mask >> i & 1U) == 0) { continue; }
        sinew_Vec3 axis = sinew_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
        axis = inward ? sinew_direction_from_space(space, axis)
                      : sinew_direction_to_space(space, axis);
        r |= axis.x != 0.0 ? SINEW_MASK_X : axis.y != 0.0 ? SINEW_MASK_Y : SINEW_MASK_Z;
    }
    return r;
}

static sinew_Goal convert(const sinew_Space *space, sinew_Goal goal, bool inward)
{
    sinew_Goal r = goal;
    r.joint_from_effector = inward ? sinew_transform_from_space(space, goal.joint_from_effector)
                                   : sinew_transform_to_space(space, goal.joint_from_effector);
    r.position = inward ? sinew_point_from_space(space, goal.position)
                        : sinew_point_to_space(space, goal.position);
    r.orientation = inward ? sinew_rotation_from_space(space, goal.orientation)
                           : sinew_rotation_to_space(space, goal.orientation);
    r.axis = inward ? sinew_direction_from_space(space, goal.axis)
                    : sinew_direction_to_space(space, goal.axis);
    r.direction = inward ? sinew_direction_from_space(space, goal.direction)
                         : sinew_direction_to_space(space, goal.direction);
    r.position_mask = convert_mask(space, goal.position_mask, inward);
    r.orientation_mask = convert_mask(space, goal.orientation_mask, inward);
    if (sinew_space_check(space, NULL) == SINEW_STATUS_OK) {
        r.support_margin = inward ? goal.support_margin * space->unit
                                  : goal.support_margin / space->unit;
    }
    return r;
}

sinew_Goal sinew_goal_from_space(const sinew_Space *space, sinew_Goal goal)
{
    return convert(space, goal, true);
}

sinew_Goal sinew_goal_to_space(const sinew_Space *space, sinew_Goal goal)
{
    return convert(space, goal, false);
}
