#ifndef SINEW_TERRAIN_H
#define SINEW_TERRAIN_H

/// \file
/// Grounds that sinew brings along: level, hills, rough, stairs, ramps, slopes, and grids of heights.
///
/// A terrain answers for every place, from a formula or from a grid of triangles, in constant time,
/// and has a mesh of a finite patch for drawing that is exactly the surface it answers with. A
/// terrain is immutable: threads may share it. Names and files are read by terrain_file.h.

#include "ground.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_TerrainKind {
    SINEW_TERRAIN_FLAT,   ///< level ground at height 0; 2 triangles
    SINEW_TERRAIN_HILLS,  ///< random hills some 10 m across
    SINEW_TERRAIN_ROUGH,  ///< random cobbles on gentle undulation
    SINEW_TERRAIN_STAIRS, ///< flights up and down along Z, with landings, without end
    SINEW_TERRAIN_RAMP,   ///< ramps up and down along Z, with level ground between, without end
    SINEW_TERRAIN_SLOPE,  ///< one tilted plane; 2 triangles
    SINEW_TERRAIN_GRID,   ///< heights given by the caller
} sinew_TerrainKind;

/// How a grid goes on outside of what was given.
typedef enum sinew_TerrainOutside {
    SINEW_OUTSIDE_MIRROR, ///< mirrored at its borders, again and again
    SINEW_OUTSIDE_REPEAT, ///< repeated; the last row and column should be those of the other side
    SINEW_OUTSIDE_LEVEL,  ///< its borders go on straight outward at their height
} sinew_TerrainOutside;

/// Rows of vertices and triangles of each generated uneven terrain, as many as those of Meredith
/// and Maddock (2004) had.
#define SINEW_TERRAIN_ROWS 180
#define SINEW_TERRAIN_TRIANGLES (2 * (SINEW_TERRAIN_ROWS - 1) * (SINEW_TERRAIN_ROWS - 1))

/// Most vertices of a grid.
#define SINEW_TERRAIN_MAX_VERTICES ((size_t)1 << 26)

/// What a terrain is like. Start from sinew_terrain_def_default().
typedef struct sinew_TerrainDef {
    sinew_TerrainKind kind;

    /// Hills, rough: picks one of 2^64 grounds, the same with every compiler. Default 1. Their
    /// patch of 179 x 179 cells repeats seamlessly.
    uint64_t seed;
    /// Hills: angle of the steepest triangle, radians, 0..1.2. Default 0.42 (24 degrees).
    double steepest;
    /// Rough: height of the cobbles above and below the undulation, metres, 0..1. Default 0.05.
    double bumps;
    /// Rough: height of the undulation above and below 0, metres, 0..10. Default 0.15.
    double undulation;

    /// Stairs: rise of a step and depth of a tread, metres, 0.001..2 and 0.01..10. Default 0.17 and
    /// 0.29. A negative rise, -2..-0.001, goes down first.
    double rise, tread;
    /// Stairs: steps of a flight, 1..40. Default 12.
    int flight_steps;

    /// Ramp, slope: angle, radians, within +-1.2; a negative one goes down first. Default 0.2.
    double angle;
    /// Slope: where up is, radians from +Z toward +X; pi/2 rises to the left of a walker along +Z.
    /// Default 0.
    double toward;
    /// Ramp: horizontal length of the tilted part, metres, 0.1..1000. Default 12.
    double ramp_length;

    /// Stairs, ramp: length of the level ground between, metres, 0.1..100; the origin is in the
    /// middle of the first. Default 3.
    double landing;

    /// Grid: heights in metres, row by row along +Z, within a row along +X; finite, within +-1e6.
    /// Read by create alone.
    const double *heights;
    int columns, rows; ///< at least 2 each
    double cell;       ///< metres between neighbours, 1e-4..1e4. Default 0.25
    /// Place of the first height, metres, within +-1e6. centered (the default) puts the middle of
    /// the grid at the origin instead.
    double first_x, first_z;
    bool centered;
    sinew_TerrainOutside outside;

    /// Where memory comes from; all zero means malloc and free.
    sinew_Allocator allocator;
    /// Set by the default function, checked by create. Do not set.
    uint32_t cookie;
} sinew_TerrainDef;

/// The defaults told above, of a kind; heights, columns and rows of a grid are the caller's to say.
SINEW_API sinew_TerrainDef sinew_terrain_def_default(sinew_TerrainKind kind);

typedef struct sinew_Terrain sinew_Terrain;

/// Make a terrain. INVALID_ARGUMENT for a field out of its range, CAPACITY for too many heights,
/// OUT_OF_MEMORY; the message (may be NULL) names the field and its value.
SINEW_API sinew_Status sinew_terrain_create(
    const sinew_TerrainDef *def, sinew_Terrain **out_terrain, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_terrain_destroy(sinew_Terrain *terrain);

/// The terrain as a walker asks for it; valid as long as the terrain is.
SINEW_API sinew_Ground sinew_terrain_ground(const sinew_Terrain *terrain);

/// Height and normal at (x, z). Cells of a grid are two triangles each, split from the vertex at
/// low x and z to that at high x and z; the normal is that of the triangle. Where a riser of a stair
/// stands exactly, the answer is the upper tread. Finite for all numbers: places farther out than
/// 1e9 m count as there, and those that are no number as 0. Constant time.
SINEW_API sinew_GroundSample sinew_terrain_sample(const sinew_Terrain *terrain, double x, double z);

/// The part of a terrain that its mesh covers.
typedef struct sinew_TerrainPatch {
    double low_x, low_z, high_x, high_z;
    /// How the surface goes on beside it; for a flat terrain and a slope: LEVEL (the plane goes on).
    sinew_TerrainOutside outside;
    /// Vertices along X and along Z; vertex row * columns + column is where both meet.
    int columns, rows;
    int vertex_count, triangle_count;
} sinew_TerrainPatch;

/// What the mesh of a terrain covers, and how large it is.
SINEW_API sinew_TerrainPatch sinew_terrain_patch(const sinew_Terrain *terrain);

/// The mesh of the patch: vertex_count points and 3 x triangle_count vertex numbers, anticlockwise
/// seen from above, in the caller's memory; either may be NULL. Inside the patch its highest point
/// above (x, z) is what sinew_terrain_sample answers. Risers are vertical triangles; where two
/// rows of vertices coincide (grids never) triangles may have no area.
SINEW_API void sinew_terrain_mesh(
    const sinew_Terrain *terrain, sinew_Vec3 *out_vertices, uint32_t *out_indices);

#ifdef __cplusplus
}
#endif

#endif
