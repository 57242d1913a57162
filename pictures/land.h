#ifndef PICTURES_LAND_H
#define PICTURES_LAND_H

// The ground as triangles to draw: blocks of a terrain's mesh, repeated as far as one sees.

#include "pictures/raster.h"
#include "sinew/terrain.h"

typedef struct snw_Block {
    int vertex_count, triangle_count;
    sinew_Vec3 *vertices, *normals; ///< normals NULL: flat triangles
    uint32_t *indices;
    sinew_Vec3 center;
    double radius;
} snw_Block;

typedef struct snw_Land {
    sinew_TerrainPatch patch;
    /// Of the patch, then of its mirror images along X, Z and both (mirrored terrains alone). Of a
    /// strip: level ground, then the strip itself.
    snw_Block *blocks[4];
    int block_count;
    bool is_strip;
} snw_Land;

/// terrain NULL: level ground at that height; a terrain is drawn at its own. Smooth ground gets smooth normals, steps keep their
/// edges. False when out of memory; then there is nothing to destroy.
bool snw_land_create(const sinew_Terrain *terrain, double level, snw_Land *out_land);
/// Stairs or a ramp as a thing that stands on level ground: only what is within half_width of x, with
/// walls at its sides. snw_land_can_strip: the terrain is the same all along X and nowhere below 0.
bool snw_land_can_strip(const sinew_Terrain *terrain, bool *out_can);
bool snw_land_create_strip(
    const sinew_Terrain *terrain, double x, double half_width, snw_Land *out_land);
void snw_land_destroy(snw_Land *land);

/// Draw what is within reach metres of a point and on the page. one_patch: only the patch around
/// that point, as it was made. False when out of memory.
bool snw_land_draw(const snw_Land *land, snw_Raster *raster, const snw_Camera *camera,
    sinew_Vec3 around, double reach, bool one_patch);

#endif
