#ifndef SNW_JOINT_RANGE_H
#define SNW_JOINT_RANGE_H

// How far joints turn, found by trying; whatever axes and limits they have.

#include "walk/joint_set.h"

/// How far a joint turns about a direction of the world from a pose (world rotations of its parent and of
/// itself), radians, up to 100 degrees; what other axes of it must do is their business. q is scratch.
double snw_joint_range(const sinew_Skeleton *skeleton, const snw_JointSet *set, sinew_Quat parent,
    sinew_Quat joint, sinew_Vec3 axis, double *q);

/// How far the way a knee bends is turned about +Y from straight ahead (+Z), of a leg that hangs
/// straight: 0 where it bends far enough straight ahead, or nowhere. Radians. q is scratch.
double snw_knee_yaw(
    const sinew_Skeleton *skeleton, const sinew_Transform *world, int knee, double *q);

#endif
