#ifndef SNW_TERRAIN_H
#define SNW_TERRAIN_H

// What terrain.c shares with the generators.

#include "sinew/terrain.h"

/// Slopes and ramps tilt by so much at most, and slopes rise towards angles within so much, radians.
#define SNW_TERRAIN_STEEPEST 1.2
#define SNW_TERRAIN_MOST_TOWARD 100.0

/// Fill the heights of a repeating grid of SINEW_TERRAIN_ROWS x SINEW_TERRAIN_ROWS vertices.
void snw_terrain_hills(uint64_t seed, double cell, double steepest, double *out_heights);
void snw_terrain_rough(uint64_t seed, double bumps, double undulation, double *out_heights);

/// Height along Z of stairs and ramps, which repeat every period and are even in z.
typedef struct snw_Profile {
    double half_landing, run, period; ///< metres; run: horizontal length of flight or ramp
    double rise, tread, per_tread;    ///< stairs; rise 0: a ramp
    int flight_steps;
    double tangent; ///< ramp
} snw_Profile;

/// out_slope: dh/dz.
double snw_profile_height(const snw_Profile *profile, double z, double *out_slope);

/// The rows of the mesh, SINEW_TERRAIN_ROWS of them, sorted; both rows of a riser have one z.
void snw_profile_rows(const snw_Profile *profile, double *out_z, double *out_height);

/// INVALID_ARGUMENT for a field out of its range, named.
sinew_Status snw_terrain_check(const sinew_TerrainDef *def, sinew_Message *out_message);

#endif
