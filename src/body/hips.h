#ifndef SNW_HIPS_H
#define SNW_HIPS_H

// What carries a body through the world: its hips, or a root above them.

#include "sinew/role.h"

/// Whether hips go and turn anywhere by themselves, and carry the whole body: then the joints above them are
/// no part of it, as the root that characters of games have on the ground. hips: -1 is no such joint; roles
/// are of all joints. O(joints).
bool snw_hips_are_free(const sinew_Skeleton *skeleton, const sinew_JointRole *roles, int hips);

#endif
