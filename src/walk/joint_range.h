#ifndef SNW_JOINT_RANGE_H
#define SNW_JOINT_RANGE_H

// How far joints turn, found by trying; whatever axes and limits they have.

#include "sinew/skeleton.h"

/// How far a joint turns about a direction of the world from a pose, radians, up to 100 degrees; what
/// other axes of it must do is their business. q is scratch.
double snw_joint_range(const sinew_Skeleton *skeleton, const sinew_Transform *world, int joint,
    sinew_Vec3 axis, double *q);

/// How far the way a knee bends is turned about +Y from straight ahead (+Z), of a leg that hangs
/// straight: 0 where it bends far enough straight ahead, or nowhere. Radians. q is scratch.
double snw_knee_yaw(
    const sinew_Skeleton *skeleton, const sinew_Transform *world, int knee, double *q);

#endif
