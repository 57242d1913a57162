#ifndef SNW_POSE_H
#define SNW_POSE_H

#include "sinew/pose.h"

/// World transform of a frame that hangs on a joint, without those of all joints; joint -1: on the world.
/// O(depth).
sinew_Transform snw_pose_frame(
    const sinew_Skeleton *skeleton, const double *q, int joint, sinew_Transform joint_from_frame);

/// Go a share of the way from one pose to another with some of the axes, balls along the shortest arc. out_q may
/// be one of the two.
void snw_pose_mix(const sinew_Skeleton *skeleton, int first_axis, int axis_count,
    const double *from, const double *to, double share, double *out_q);

#endif
