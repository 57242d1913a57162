#ifndef SINEW_GROUND_H
#define SINEW_GROUND_H

/// \file
/// The ground as a walker sees it: a height and a normal at every place. An engine answers with its
/// own ray casts; sinew's own terrains (terrain.h) answer from a grid or a formula. Where there are
/// bridges, storeys, lifts or rafts, a query says from which height to look down, and what moves how.

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

// ---------------------------------------------------------------------------------------------
// Storeys and what moves

/// A place that is asked for, metres.
typedef struct sinew_GroundPlace {
    double x, z;
} sinew_GroundPlace;

/// What is found there.
typedef struct sinew_GroundHit {
    double height;     ///< metres
    sinew_Vec3 normal; ///< all zero: not known, heights tell
    /// How far that place of the surface has come since the update before, per second of it, m/s; and how
    /// its surface turns, rad/s from +Z towards +X. A platform that a game moves by velocity * dt has these
    /// numbers; they are followed exactly.
    sinew_Vec3 velocity;
    double turn;
    uint32_t surface; ///< the caller's name of it, told back with feet and events
} sinew_GroundHit;

/// Most places of one call.
#define SINEW_MAX_GROUND_PLACES 64

/// Ground of several storeys, with what moves on it. A plain struct: fill in the callback.
typedef struct sinew_GroundQuery {
    /// The highest surface at or below start at each of count places, as it is now: a ray cast down from
    /// there. Where start is inside of something solid: its top, or start itself. Finite everywhere.
    ///
    /// start   metres; above what can be stepped on, below the ceiling: 1.5 leg lengths over the higher foot
    /// places  1..SINEW_MAX_GROUND_PLACES of them, near to each other
    /// out_hits  count of them, all zero before the call
    void (*ask)(void *user, double start, const sinew_GroundPlace *places, int count,
        sinew_GroundHit *out_hits);
    void *user;
} sinew_GroundQuery;

/// A ground without storeys that stands still, asked so; *ground must stay as long as the query is used.
/// NULL: level ground at height 0.
SINEW_API sinew_GroundQuery sinew_ground_query(const sinew_Ground *ground);

// ---------------------------------------------------------------------------------------------

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
