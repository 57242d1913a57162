#ifndef PICTURES_CHARACTER_H
#define PICTURES_CHARACTER_H

// A body to draw that moves with the joints: a solid character, a stick figure, or the body's own skin.

#include "pictures/raster.h"
#include "shape/character_shape.h"

typedef struct snw_Character {
    const snw_Body *body;
    snw_Skin skin;
    /// Corners in the frames of their two joints, with the normals there   (2 x vertex_count).
    sinew_Vec3 *local_positions, *local_normals;
    /// What snw_character_pose put there.
    sinew_Transform *world_from_joint;
    sinew_Vec3 *vertices, *normals;
    /// The body's own skin, which takes the place of the other one; NULL: none.
    const picture_Skin *own;
} snw_Character;

/// The body must outlive the character. motion: shows how a body stands whose rest pose is no figure,
/// or NULL. own: the body's own skin, which must outlive the character, instead of that form; or NULL.
/// False when out of memory; then there is nothing to destroy.
bool snw_character_create(const snw_Body *body, const sinew_PoseList *motion, snw_Form form,
    const picture_Skin *own, snw_Character *out_character);
void snw_character_destroy(snw_Character *character);

/// Move the skin to a pose.
void snw_character_pose(snw_Character *character, const double *q);

/// Places in a pose of every step-th corner alone, from the first on; what was set is lost.
void snw_character_points(
    snw_Character *character, const double *q, int step, sinew_Vec3 *out_points);

/// The skin in the pose that was set.
snw_Mesh snw_character_mesh(const snw_Character *character);

#endif
