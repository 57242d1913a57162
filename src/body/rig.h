#ifndef SNW_RIG_H
#define SNW_RIG_H

// What the files that make and use rigs share.

#include "sinew/rig.h"

#define SNW_DEGREE (SINEW_PI / 180.0)

/// Longest key that is looked at.
#define SNW_RIG_KEY_SIZE 512

/// Some bytes that live as long as the rig; NULL without memory.
void *snw_rig_take(sinew_Rig *rig, size_t count, size_t size);
const char *snw_rig_take_text(sinew_Rig *rig, const char *text);

/// The joint's ball among the skeleton's axes, -1.
int snw_rig_ball_axis(const sinew_Skeleton *skeleton, int joint);

/// Where the bone of a joint points in its frame: to the child with most below it; +x without one.
sinew_Vec3 snw_rig_bone_direction(const sinew_Skeleton *skeleton, int joint);

/// The coordinates of a joint that come nearest to parent_from_joint; limits are not looked at.
void snw_rig_set_local(
    const sinew_Skeleton *skeleton, int joint, sinew_Transform parent_from_joint, double *q);

/// Whether a pose that a caller made has all that its counts promise.
bool snw_rig_pose_is_whole(const sinew_RigPose *pose);

/// Degrees as radians, infinities kept.
double snw_rig_radians(double degrees);

#endif
