#ifndef PICTURES_THINGS_H
#define PICTURES_THINGS_H

// Boxes, balls and tubes that stand beside a figure, as one mesh.

#include "pictures/raster.h"

typedef struct snw_Things {
    sinew_Vec3 *vertices, *normals;
    uint32_t *indices;
    uint8_t *materials;
    int vertex_count, triangle_count;
    /// Corners of the boxes around them, which show what they take of a page.
    sinew_Vec3 *corners;
    int corner_count;
} snw_Things;

/// Places are turned by upright: pictures have Y up. False when out of memory; destroy it in any case.
bool snw_things_create(
    const picture_Thing *things, int count, sinew_Quat upright, snw_Things *out_things);
void snw_things_destroy(snw_Things *things);

/// Without triangles where there are no things.
snw_Mesh snw_things_mesh(const snw_Things *things);

#endif
