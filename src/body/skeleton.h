#ifndef SNW_SKELETON_H
#define SNW_SKELETON_H

// What the floor asks of a skeleton beyond its public interface.

#include "sinew/skeleton.h"

/// What is fixed to a joint is no farther from it than this, metres: its children and effectors.
#define SNW_MAX_OFFSET 1e9
static inline bool snw_is_offset(sinew_Vec3 offset)
{
    return sinew_vec3_length(offset) <= SNW_MAX_OFFSET; // false for NaN
}

/// The joint that is the number-th, from 0, of those called by the first `length` letters of a name; -1 without
/// one. O(log joint_count), as all that goes by names.
int snw_skeleton_named(const sinew_Skeleton *skeleton, const char *name, size_t length, int number);

/// How many earlier joints have the name of this one.
int snw_skeleton_namesakes(const sinew_Skeleton *skeleton, int joint);

/// What follows a joint's name in its key: `#2` for the second one of a name, nothing for the first.
void snw_skeleton_key_ending(const sinew_Skeleton *skeleton, int joint, char out_ending[16]);

/// The joint of a key, the first `length` letters of a text: a name, or that with `#2`; -1 when there is none.
int snw_skeleton_keyed(const sinew_Skeleton *skeleton, const char *key, size_t length);

#endif
