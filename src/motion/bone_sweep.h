#ifndef SNW_BONE_SWEEP_H
#define SNW_BONE_SWEEP_H

// A pose from joint positions alone, without iterating over the whole body: from the root outward,
// each joint is turned so that its bones point at their targets.

#include "sinew/goal.h"
#include "sinew/pose.h"

typedef struct snw_BoneSweep {
    sinew_Vec3 *target;           // by joint
    unsigned char *known;         // by joint: it has a target
    sinew_Transform *world;       // by joint
    const unsigned char *movable; // by joint: it may be posed
} snw_BoneSweep;

/// Pose the movable joints of q (given: any pose; result: the swept one, inside its limits) from the
/// position goals that sit on joint origins. Locked axes (mobility 0) stay. Returns the share of the bones on
/// movable joints that could be aimed, 0..1; below about a
/// half the pose is not to be trusted. O(joints).
double snw_bone_sweep(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, double *q);

/// Turn and move the first joint, as far as it can and may, so that the effectors of q lie around their
/// targets as one rigid body.
void snw_place_root(const snw_BoneSweep *sweep, const sinew_Skeleton *skeleton,
    const sinew_Goal *goals, int goal_count, double *q);

#endif
