#ifndef SINEW_CLEAN_H
#define SINEW_CLEAN_H

/// \file
/// Repair of recorded motion on its own body: single frames that stick out, trembling, feet that slide or miss
/// the floor, joints outside their limits.

#include "clip.h"
#include "retarget.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What to repair. Start from sinew_clean_def_default().
typedef struct sinew_CleanDef {
    /// The body of the clip. Limits hold where its skeleton has some (sinew_rig_apply). Must outlive the call.
    sinew_RetargetBody body;
    /// Frames from which a joint leaps and to which it comes back are replaced. Default true.
    bool remove_spikes;
    /// What changes to and fro from frame to frame is taken out; motion of up to a sixth of the frame rate
    /// stays within 7 %. Default true.
    bool remove_jitter;
    /// Feet that stand are held and the floor comes to height 0 (retarget.h). Default true.
    bool hold_feet;
    /// Legs are used up to this share of their length, 0.8..1. Default 0.98.
    double reach;
    /// Feet that are held come to rest and leave within this, seconds, 0.01..1. Default 0.06, which keeps the
    /// times of contacts.
    double stop_time;
    /// Where memory comes from; all zero means malloc and free.
    sinew_Allocator allocator;
    /// Set by the default function, checked by sinew_clean_clip. Do not set.
    uint32_t cookie;
} sinew_CleanDef;

/// The defaults told above; body is the caller's to say.
SINEW_EXPERIMENTAL sinew_CleanDef sinew_clean_def_default(void);

/// What was done.
typedef struct sinew_CleanReport {
    int spikes; ///< rotations of single joints in single frames that were replaced
    /// Largest turn that trembling was taken out by, radians.
    double smoothed_max;
    /// Of feet, hips and limits; all zero where none were asked for.
    sinew_RetargetReport feet;
} sinew_CleanReport;

/// A repaired copy of a clip of the body's skeleton, with its frames and frame time. out_report may be
/// NULL. INVALID_ARGUMENT, UNSUPPORTED (hold_feet: the body is no person), OUT_OF_MEMORY; then *out_clip is
/// NULL. O(frames x joints), deterministic.
SINEW_EXPERIMENTAL sinew_Status sinew_clean_clip(const sinew_CleanDef *def, const sinew_Clip *clip,
    sinew_Clip **out_clip, sinew_CleanReport *out_report, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
