#include "solve/asked.h"

sinew_Vec3 snw_goal_place(const sinew_Goal *goal)
{
    bool usable = snw_goal_asks_place(goal) || snw_is_place(goal->position);
    return usable ? goal->position : (sinew_Vec3){ 0.0, 0.0, 0.0 };
}

sinew_Quat snw_goal_turn(const sinew_Goal *goal)
{
    bool usable = snw_goal_asks_turn(goal)
        || snw_is_unit(sinew_quat_dot(goal->orientation, goal->orientation));
    return usable ? goal->orientation : sinew_quat_identity();
}

sinew_Vec3 snw_goal_direction(const sinew_Goal *goal)
{
    bool usable = snw_goal_asks_turn(goal)
        || snw_is_unit(sinew_vec3_dot(goal->direction, goal->direction));
    return usable ? goal->direction : (sinew_Vec3){ 0.0, 1.0, 0.0 };
}
