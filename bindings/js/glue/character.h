#ifndef JS_CHARACTER_H
#define JS_CHARACTER_H

/// \file
/// A body to draw, made from its skeleton alone, in the form that graphics cards take: a mesh whose corners
/// follow two joints each.

#include "sinew/sinew.h"

/// A mesh and how it is bound; as long as the character.
typedef struct js_Character {
    int joint_count, vertex_count, triangle_count;
    /// Places and unit normals in the pose that the mesh was built in; 3 floats a corner.
    const float *positions, *normals;
    /// Two joints a corner, and two that count nothing; 4 a corner.
    const uint16_t *joints;
    const float *weights;
    /// 3 x triangle_count, anticlockwise from outside; middle first, then left, then right.
    const uint32_t *indices;
    /// Triangles of the middle, of the left and of the right side of the body.
    int middle_count, left_count, right_count;
    /// The pose that it was built in; joint_count.
    const sinew_Transform *rest;
} js_Character;

/// A solid character of 11,101 triangles, or a stick figure. motion: a clip that shows how a body stands
/// whose rest pose is no figure, or NULL.
SINEW_API sinew_Status js_character_create(const sinew_Skeleton *skeleton, const sinew_Clip *motion,
    bool solid, js_Character **out_character);
SINEW_API void js_character_destroy(js_Character *character);

#endif
