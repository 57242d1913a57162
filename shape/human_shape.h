#ifndef SHAPE_HUMAN_SHAPE_H
#define SHAPE_HUMAN_SHAPE_H

// The shape of a person around a humanoid skeleton: trunk, head, arms, hands, legs and feet.

#include "shape/loft.h"
#include "sinew/stance.h"

/// Limbs without a side that are told apart; then they repeat.
#define SNW_BRANCH_COUNT 6

/// Colours of parts of characters and of what is drawn beside them.
typedef enum snw_Material {
    SNW_MATERIAL_GROUND,
    SNW_MATERIAL_MIDDLE,
    SNW_MATERIAL_LEFT,
    SNW_MATERIAL_RIGHT,
    SNW_MATERIAL_GOAL_LEADING,
    SNW_MATERIAL_GOAL_TRAILING,
    SNW_MATERIAL_PLANT,
    /// Limbs of a body without sides, one after the other.
    SNW_MATERIAL_BRANCH,
    /// Stripes along what turns, one of them told apart (snw_Skin.striped).
    SNW_MATERIAL_STRIPE = SNW_MATERIAL_BRANCH + SNW_BRANCH_COUNT,
    SNW_MATERIAL_FIRST_STRIPE,
    SNW_MATERIAL_COUNT,
    /// Samples have their own colours (snw_Raster.colors).
    SNW_MATERIAL_PAINTED = SNW_MATERIAL_COUNT,
} snw_Material;

/// Whether fingers move below a hand's joint: a person then gets no mitten there.
bool snw_human_has_fingers(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles, int hand);

/// Add a person to a skin. world_from_joint is the pose that up, left and forward of the roles hold
/// in. False, and nothing added, when hips, thighs, shins or feet have no joint.
bool snw_human_skin(snw_Skin *skin, const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    const sinew_Stance *stance, const sinew_Transform *world_from_joint);

#endif
