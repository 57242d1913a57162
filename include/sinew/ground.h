#ifndef SINEW_GROUND_H
#define SINEW_GROUND_H

/// \file
/// The ground as a walker sees it: a height and a normal at every place. An engine answers with its
/// own ray casts; sinew's own terrains (terrain.h) answer from a grid or a formula.

#include "vecmath.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The ground at one place.
typedef struct sinew_GroundSample {
    double height;     ///< of the highest surface there, metres
    sinew_Vec3 normal; ///< of that surface, unit length, normal.y > 0
} sinew_GroundSample;

/// Where the ground is. A plain struct: fill in the callback, or take that of a terrain.
typedef struct sinew_Ground {
    /// The ground at (x, z), metres. Same place, same answer while a walker uses it; finite
    /// everywhere. NULL: level ground at height 0.
    sinew_GroundSample (*sample)(void *user, double x, double z);
    void *user;
} sinew_Ground;

/// The ground at (x, z).
SINEW_API sinew_GroundSample sinew_ground_sample(const sinew_Ground *ground, double x, double z);

#ifdef __cplusplus
}
#endif

#endif
