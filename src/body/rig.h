#ifndef SNW_RIG_H
#define SNW_RIG_H

// What the files that make and use rigs share.

#include "math/trig.h"
#include "sinew/rig.h"

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

// What a rig can say is what its file can (rig_check.c, file/rig_read.c).
#define SNW_RIG_LARGEST 1e12
#define SNW_RIG_MOST_MOBILITY 1e6
#define SNW_RIG_LEAST_CONE 1e-3
#define SNW_RIG_MOST_CONE 179.0
#define SNW_RIG_LEAST_UNIT 1e-9
#define SNW_RIG_MOST_UNIT 1e9
#define SNW_RIG_LEAST_REACH 1e-9
#define SNW_RIG_MOST_VALUES (SINEW_MAX_AXES_PER_JOINT + 3) // of a joint in a pose
#define SNW_RIG_MOST_GOALS 64                              // of a start table, and poses
#define SNW_RIG_MOST_CENTROIDS 4096

/// Whether what a caller said can be kept, written and read back. Of NULL false.
bool snw_rig_unit_is_good(double unit);
bool snw_rig_joint_is_good(const sinew_RigJoint *joint);
bool snw_rig_effector_is_good(const sinew_RigEffector *effector);
bool snw_rig_pose_is_good(const sinew_RigPose *pose);
bool snw_rig_starts_are_good(const sinew_RigStarts *starts);

/// Degrees as radians, infinities kept.
double snw_rig_radians(double degrees);

#endif
