#ifndef SINEW_GROUNDER_H
#define SINEW_GROUNDER_H

/// \file
/// Feet of an animation on a ground it knows nothing of.
///
/// An engine's own animation walks on a level floor. A grounder takes its poses one by one, with any ground
/// (ground.h), and gives each back some frames later with the feet on that ground: feet that stand are
/// locked in prints that lie on it, feet between two stands go from one print to the next and over what
/// is in their way, the hips follow the ground and sink where a leg would be too short.
///
///     sinew_GrounderDef def = sinew_grounder_def_default();
///     def.body = (sinew_RetargetBody){ skeleton, roles, stance };
///     def.ground = my_ray_casts;
///     sinew_grounder_create(&def, &grounder, NULL);
///     sinew_grounder_update(grounder, animated_q, shown_q, &report, NULL); // each frame
///
/// The more it may look ahead, the earlier it knows where a foot will stand: 0.1 s is for play, 2 s for
/// clips. Nothing here allocates after creation; the same calls give the same bits. One thread per
/// grounder. Limits of joints are not looked at.
///
/// Between two frames no joint turns by more than in the animation and 18 radians per second more. A foot whose landing is
/// seen too late for that is on the ground some frames late.

#include "clip.h"
#include "ground.h"
#include "retarget.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Longest look-ahead of a grounder, seconds.
#define SINEW_MAX_GROUNDER_LOOK_AHEAD 3.0

/// How to build a grounder. Start from sinew_grounder_def_default().
typedef struct sinew_GrounderDef {
    /// The character. Required; must outlive the grounder.
    sinew_RetargetBody body;
    /// Where the feet go, in the axes of the poses; up is +Y. Bodies that stand along another axis are turned
    /// onto it by the shortest way. Default: level ground at height 0.
    sinew_Ground ground;
    /// Height of the level floor that the animation walks on, metres, along the body's up: feet that stay 5 % of
    /// a leg above it (contacts.begin_height) never stand, however far it looks ahead. sinew_contacts_find tells
    /// it of a recorded clip (sinew_Contacts.floor). Default 0.
    double floor;
    /// Seconds between poses, 0.001..0.2. Default 1/60.
    double frame_time;
    /// How long a pose may come after its sample, seconds, 0..SINEW_MAX_GROUNDER_LOOK_AHEAD. Default 0.1.
    double look_ahead;
    /// Seconds in which it fades in and out, 0..10. Default 0.2.
    double fade_time;
    /// Legs are used up to this share of their length, 0.8..1. Default 0.98.
    double reach;
    /// Steepest ground that a sole is laid on, radians, 0..1.2. Default 0.5; feet stay level on what is steeper.
    double max_slope;
    /// Feet that would hang over an edge are shifted along their sole by up to this, metres, 0..0.5;
    /// 0: never. Default 0.16.
    double max_shift;
    /// What a contact of the animation is.
    sinew_ContactSettings contacts;
    /// Where memory comes from; all zero means malloc and free.
    sinew_Allocator allocator;
    /// Set by the default function, checked by create. Do not set.
    uint32_t cookie;
} sinew_GrounderDef;

/// The defaults told above; body is the caller's to say.
SINEW_EXPERIMENTAL sinew_GrounderDef sinew_grounder_def_default(void);

typedef struct sinew_Grounder sinew_Grounder;

/// UNSUPPORTED, with the reason, for bodies that are no persons on two legs or cannot move up and down;
/// INVALID_ARGUMENT for what breaks a rule above; OUT_OF_MEMORY. Then *out_grounder is NULL.
SINEW_EXPERIMENTAL sinew_Status sinew_grounder_create(
    const sinew_GrounderDef *def, sinew_Grounder **out_grounder, sinew_Message *out_message);
/// NULL is ignored.
SINEW_EXPERIMENTAL void sinew_grounder_destroy(sinew_Grounder *grounder);

/// One foot of one frame.
typedef struct sinew_GroundedFoot {
    bool stands;
    double
        ground; ///< height of the ground that it stands on, or that it comes from and goes to, metres
    double
        lift; ///< how much higher it goes than the animation, so that it clears the ground, metres
    double beyond; ///< by how much the leg is too short for it, metres
} sinew_GroundedFoot;

/// What became of a frame.
typedef struct sinew_GrounderReport {
    /// Which of the poses since creation or reset came out, from 0; -1: none yet.
    int frame;
    double weight;              ///< 0 the animation .. 1 on the ground
    double hips_raised;         ///< with the ground, metres
    double hips_sunk;           ///< below that so that legs reach, metres, >= 0
    sinew_GroundedFoot feet[2]; ///< left, right
    /// How often the ground was asked for each foot in this call.
    int samples[2];
    /// Of a clip that leaps: which of its parts the frame is in, from 0. Else 0.
    int part;
} sinew_GrounderReport;

/// Take the next pose of the animation and give the pose that is due, sinew_grounder_latency frames older;
/// until then out_q is left alone and report.frame is -1. q NULL: the animation has ended, give what is left;
/// report.frame is -1 when nothing is. out_q may be q; out_report may be NULL. INVALID_ARGUMENT for NULL
/// pointers and poses that are not finite; then nothing is changed. INVALID_ARGUMENT, too, for a ground whose
/// height is not within 1e6 m or whose normal is no unit vector that points up; then all poses are forgotten.
SINEW_EXPERIMENTAL sinew_Status sinew_grounder_update(sinew_Grounder *grounder, const double *q,
    double *out_q, sinew_GrounderReport *out_report, sinew_Message *out_message);

/// Frames between a pose and its grounded one. 0 for NULL.
SINEW_EXPERIMENTAL int sinew_grounder_latency(const sinew_Grounder *grounder);

/// Let it fade in or out from the next pose on; nothing leaps. It is on after creation. NULL is ignored.
SINEW_EXPERIMENTAL void sinew_grounder_enable(sinew_Grounder *grounder, bool on);

/// Forget all poses: the next one comes from somewhere else. NULL is ignored.
SINEW_EXPERIMENTAL void sinew_grounder_reset(sinew_Grounder *grounder);

/// A whole clip of the body's skeleton: reset, then every frame; the result has the clip's frames. Where the hips go
/// farther from one frame to the next than a body does (20 legs a second), another motion begins, which is put on the ground
/// by itself; reports tell the parts. (With poses one by one that is sinew_grounder_reset.) The frame
/// time must be the clip's within 1 %. INVALID_ARGUMENT, OUT_OF_MEMORY; then *out_clip is NULL.
/// out_reports: frame by frame (frame_count), may be NULL.
SINEW_EXPERIMENTAL sinew_Status sinew_grounder_clip(sinew_Grounder *grounder,
    const sinew_Clip *clip, sinew_Clip **out_clip, sinew_GrounderReport *out_reports,
    sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
