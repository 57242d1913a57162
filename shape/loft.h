#ifndef SHAPE_LOFT_H
#define SHAPE_LOFT_H

// Skin: surfaces drawn over rings, bound to one or two joints each, built up part by part to an
// exact number of triangles.

#include "sinew/skeleton.h"

/// A ring of skin around a part of a body. side x front is the way along the part.
typedef struct snw_Ring {
    sinew_Vec3 center, side, front;
    /// Half the width along side, and how far the ring reaches to the front and to the back, metres.
    double width, front_reach, back_reach;
    /// 1: round; towards 0 the back grows flat, as the sole of a foot.
    double back_round;
    /// Bound to the first joint, and by blend (0..1) to the second.
    int joints[2];
    double blend;
} snw_Ring;

/// A corner of the skin in the pose it was built in.
typedef struct snw_SkinVertex {
    sinew_Vec3 position;
    int joints[2];
    double blend;
} snw_SkinVertex;

typedef struct snw_Skin {
    snw_SkinVertex *vertices;
    int vertex_count, vertex_capacity;
    uint32_t *indices;  // 3 x triangle_count
    uint8_t *materials; // triangle_count
    int triangle_count, triangle_capacity;
    /// Fineness of what is added: multiplies sides and rings.
    double fineness;
    /// Material of the first of five stripes along what is added; the others have the one before it. 0: none.
    uint8_t stripe;
    bool failed; ///< out of memory; what came after was dropped
} snw_Skin;

void snw_skin_destroy(snw_Skin *skin);

int snw_skin_vertex(snw_Skin *skin, snw_SkinVertex vertex);
void snw_skin_triangle(snw_Skin *skin, int a, int b, int c, uint8_t material);

/// A closed surface over rings (2 at least), rounded between them; sides and rows at fineness 1.
void snw_skin_loft(
    snw_Skin *skin, const snw_Ring *rings, int ring_count, int sides, int rows, uint8_t material);

/// More triangles, on the same surface, until there are count: the largest are parted in three. One
/// triangle is left out when the number has to become odd. False when there are too many already.
bool snw_skin_fill_up(snw_Skin *skin, int count);

#endif
