#ifndef SCENES_RECKONING_H
#define SCENES_RECKONING_H

/// \file
/// Where a pose puts a joint, reckoned another way than the library does: by quaternions in long
/// double and the sines of libm. Checks and benchmarks judge answers by it, so that no solver is its
/// own judge.

#include "sinew/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// world_from_effector of an effector that is fixed to a joint. O(depth).
sinew_Transform scene_reckon(const sinew_Skeleton *skeleton, const double *q, int joint,
    sinew_Transform joint_from_effector);

/// Angle between two rotations, radians, in 0..pi; exact near 0 as well.
double scene_reckon_angle(sinew_Quat a, sinew_Quat b);

/// How far the axes first..last of the skeleton's list are outside their own limits, radians or
/// metres, at most; 0 inside.
double scene_reckon_violation(
    const sinew_Skeleton *skeleton, const double *q, int first_axis, int last_axis);

#ifdef __cplusplus
}
#endif

#endif
