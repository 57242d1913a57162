#ifndef SHAPE_CHARACTER_SHAPE_H
#define SHAPE_CHARACTER_SHAPE_H

// A body to draw, made from its skeleton alone: a solid character of exactly 11,101 triangles, or a
// stick figure.

#include "shape/body.h"
#include "shape/human_shape.h"

/// Triangles of a solid character, as many as Meredith and Maddock (2004) drew.
#define SNW_CHARACTER_TRIANGLES 11101

typedef enum snw_Form {
    SNW_FORM_SOLID,
    SNW_FORM_STRIPED, ///< solid, with stripes along limbs that show how they are twisted
    SNW_FORM_STICK,
} snw_Form;

/// Build the skin. motion: shows how a body stands whose rest pose is no figure, or NULL.
/// out_world_from_joint: the pose that the skin is built in, joint_count transforms. False when out of
/// memory; then there is nothing to destroy.
bool snw_character_shape(const snw_Body *body, const sinew_PoseList *motion, snw_Form form,
    snw_Skin *out_skin, sinew_Transform *out_world_from_joint);

/// The material of limbs of a side (snw_Side).
uint8_t snw_side_material(int side);

/// Unit normals of all corners in the pose that the skin was built in.
void snw_skin_normals(const snw_Skin *skin, sinew_Vec3 *out_normals);

#endif
