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

/// The highest place of a strip of ground.
typedef struct sinew_GroundPeak {
    double height;   ///< metres
    double fraction; ///< how far along the strip, 0..1; the first of several equal ones
} sinew_GroundPeak;

/// The highest ground within half_width (>= 0, level distance to either side) of the straight way
/// from (from_x, from_z) to (to_x, to_z), as a swinging foot needs it. Asks for places at most
/// spacing (> 0) apart, borders and ends included, so what is narrower can be missed; at most 1000
/// along and 64 across. Other half widths count as 0, other spacings as 0.02 m.
SINEW_API sinew_GroundPeak sinew_ground_highest(const sinew_Ground *ground, double from_x,
    double from_z, double to_x, double to_z, double half_width, double spacing);

#ifdef __cplusplus
}
#endif

#endif
