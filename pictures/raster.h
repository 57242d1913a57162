#ifndef PICTURES_RASTER_H
#define PICTURES_RASTER_H

// Triangles into samples: which surface is nearest, its normal and material. Light comes later
// (shade.h). Neighbouring triangles leave no gaps and never both take a sample.

#include "pictures/camera.h"
#include "pictures/pictures.h"

#include <stdint.h>

typedef struct snw_Raster {
    int width, height;
    /// Nothing nearer to the camera is drawn, metres; may be changed.
    double nearest;
    /// Seen in perspective: 1 / distance along the camera's axis, else minus that distance; larger is
    /// nearer. Interpolated linearly on the page.
    float *nearness;
    /// Packed unit normals and materials of the nearest surface; NULL where only nearness is wanted.
    uint32_t *normals;
    uint8_t *materials;
    /// Shown colours of samples of SNW_MATERIAL_PAINTED; NULL until a painted mesh is drawn.
    uint32_t *colors;
    /// Vertices on the page.
    struct snw_Corner *corners;
    int corner_capacity;
} snw_Raster;

/// Material of a sample that nothing covers.
#define SNW_MATERIAL_NONE 255

/// Triangles of the world, anticlockwise seen from outside; surfaces seen from inside are not drawn.
typedef struct snw_Mesh {
    int vertex_count, triangle_count;
    const sinew_Vec3 *vertices;
    /// Unit normal of each vertex, or NULL: each triangle is flat.
    const sinew_Vec3 *normals;
    /// 3 x triangle_count.
    const uint32_t *indices;
    /// One for each triangle, or NULL: all are material.
    const uint8_t *materials;
    uint8_t material;
    /// Colours and images of its own, with SNW_MATERIAL_PAINTED; NULL: those of the materials.
    const picture_Skin *paint;
} snw_Mesh;

/// False when out of memory; then there is nothing to destroy.
bool snw_raster_create(int width, int height, bool with_surfaces, snw_Raster *out_raster);
void snw_raster_destroy(snw_Raster *raster);

void snw_raster_clear(snw_Raster *raster, bool perspective);

/// Draw the triangles that are on the page. flat: seen along parallel lines; camera.focal is then
/// samples per metre. False when out of memory; then nothing was drawn.
bool snw_raster_draw(
    snw_Raster *raster, const snw_Camera *camera, bool parallel, const snw_Mesh *mesh);

sinew_Vec3 snw_raster_normal(uint32_t packed);

#endif
