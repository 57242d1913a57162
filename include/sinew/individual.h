#ifndef SINEW_INDIVIDUAL_H
#define SINEW_INDIVIDUAL_H

/// \file
/// Somebody in particular: a stiff knee, a limp, a bad back, weight, childhood, age, tiredness, a mood; each by a
/// strength from 0 to 1, in any combination.
///
/// What a trait does are a few plain numbers: ranges of joints, how readily joints take part, how far they
/// move, how upright the body is, in which time. A rig takes the first two (sinew_individual_rig), so that
/// solving, tracking and walking feel them; a retargeter takes all (def.individual).
/// Source: Meredith and Maddock (2004), Conclusions: weights individualise a character.

#include "clip.h"
#include "rig.h"
#include "role.h"
#include "stance.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_Trait {
    SINEW_TRAIT_STIFF_KNEE_LEFT,
    SINEW_TRAIT_STIFF_KNEE_RIGHT,
    SINEW_TRAIT_LIMP_LEFT, ///< standing on the left leg hurts
    SINEW_TRAIT_LIMP_RIGHT,
    SINEW_TRAIT_BAD_BACK,
    SINEW_TRAIT_HEAVY,
    SINEW_TRAIT_CHILD,
    SINEW_TRAIT_OLD,
    SINEW_TRAIT_TIRED,
    SINEW_TRAIT_HAPPY,
    SINEW_TRAIT_SAD,
    SINEW_TRAIT_ANGRY,
} sinew_Trait;

#define SINEW_TRAIT_COUNT (SINEW_TRAIT_ANGRY + 1)

/// How much of each trait, 0..1. All zero is nobody in particular.
typedef struct sinew_Individual {
    double strength[SINEW_TRAIT_COUNT];
} sinew_Individual;

/// "stiff_knee_left", "limp_right", "bad_back", ...; "" for a trait that is not there. Static memory.
SINEW_EXPERIMENTAL const char *sinew_trait_name(sinew_Trait trait);

/// Read "limp_left", "old:0.5,bad_back:0.8" and so on: names, each with a strength (1 without), added to
/// nobody in particular. INVALID_ARGUMENT for other names and strengths, which the message tells.
SINEW_EXPERIMENTAL sinew_Status sinew_individual_parse(
    const char *text, sinew_Individual *out_individual, sinew_Message *out_message);

/// What the traits together do. Factors are 1 and sums 0 for nobody in particular.
typedef struct sinew_IndividualEffects {
    /// By role and side: what ranges of joints, their mobility and their motion about the stance are
    /// multiplied by.
    double range[SINEW_ROLE_COUNT][3], mobility[SINEW_ROLE_COUNT][3], motion[SINEW_ROLE_COUNT][3];
    /// The most that each knee bends, left and right, radians; pi: as it is.
    double knee_bend[2];
    /// Trunk and head lean ahead, upper arms are held off the trunk, radians.
    double lean, head_lean, arms_out;
    /// The hips are this much lower, legs.
    double crouch;
    /// How much standing on the left and right leg hurts, 0..1: it is cut short, the trunk leans over it.
    double hurt[2];
    /// Times are divided by this.
    double tempo;
    /// Masses are multiplied by this.
    double mass;
} sinew_IndividualEffects;

/// Strengths outside 0..1 count as the nearer end. NULL: nobody in particular.
SINEW_EXPERIMENTAL sinew_IndividualEffects sinew_individual_effects(
    const sinew_Individual *individual);

/// Change a rig that has roles and limits (sinew_rig_guess): ranges, mobility and masses. OUT_OF_MEMORY,
/// INVALID_ARGUMENT for NULL; then the rig may have been changed in part.
SINEW_EXPERIMENTAL sinew_Status sinew_individual_rig(
    const sinew_Individual *individual, sinew_Rig *rig, sinew_Message *out_message);

/// A motion in somebody's own time: slower or faster, and quicker over a leg that hurts. The result is of the
/// same skeleton and frame time, with other frames. allocator may be NULL. INVALID_ARGUMENT, OUT_OF_MEMORY.
SINEW_EXPERIMENTAL sinew_Status sinew_individual_time(const sinew_Individual *individual,
    const sinew_Clip *clip, const sinew_RoleGuess *roles, const sinew_Stance *stance,
    const sinew_Allocator *allocator, sinew_Clip **out_clip, sinew_Message *out_message);

/// Read a file {"sinew_individual": 1, "traits": {"limp_left": 0.7, "old": 0.5}}; part of libsinew-io.
/// CANNOT_READ, BAD_FILE with FILE:LINE:COLUMN, OUT_OF_MEMORY.
SINEW_EXPERIMENTAL sinew_Status sinew_individual_read(
    const char *path, sinew_Individual *out_individual, sinew_Message *out_message);
/// Write such a file; all or nothing.
SINEW_EXPERIMENTAL sinew_Status sinew_individual_write(
    const char *path, const sinew_Individual *individual, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
