#ifndef SNW_POSE_H
#define SNW_POSE_H

#include "sinew/pose.h"

/// World transform of a frame that hangs on a joint, without those of all joints; joint -1: on the world.
/// O(depth).
sinew_Transform snw_pose_frame(
    const sinew_Skeleton *skeleton, const double *q, int joint, sinew_Transform joint_from_frame);

#endif
