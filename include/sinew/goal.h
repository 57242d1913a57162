#ifndef SINEW_GOAL_H
#define SINEW_GOAL_H

/// \file
/// What an end effector should do. A plain struct; any joint can carry an effector.

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_GoalKind {
    SINEW_GOAL_POSITION,    ///< the effector's point at a place: 3 rows (half Jacobian)
    SINEW_GOAL_ORIENTATION, ///< the effector's frame turned so: 3 rows
    SINEW_GOAL_POSE,        ///< both: 6 rows (full Jacobian)
} sinew_GoalKind;

/// Start from sinew_goal_position, sinew_goal_orientation or sinew_goal_pose.
typedef struct sinew_Goal {
    sinew_GoalKind kind;
    /// The joint that carries the effector.
    int joint;
    /// The first joint that may move for this goal: one of joint's ancestors or joint itself, -1
    /// for all of them. A joint moves when any goal lets it.
    int chain_root;
    /// The effector's point and frame in the joint's frame. Default identity.
    sinew_Transform joint_from_effector;
    /// Where it should be, world, metres.
    sinew_Vec3 position;
    /// How it should be turned: world_from_effector, unit quaternion.
    sinew_Quat orientation;
    /// How much its error counts, > 0 (0 leaves the goal out). Default 1 each.
    double position_weight, orientation_weight;
} sinew_Goal;

SINEW_API sinew_Goal sinew_goal_position(int joint, sinew_Vec3 position);
SINEW_API sinew_Goal sinew_goal_orientation(int joint, sinew_Quat orientation);
SINEW_API sinew_Goal sinew_goal_pose(int joint, sinew_Vec3 position, sinew_Quat orientation);

#ifdef __cplusplus
}
#endif

#endif
