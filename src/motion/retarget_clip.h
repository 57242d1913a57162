#ifndef SNW_RETARGET_CLIP_H
#define SNW_RETARGET_CLIP_H

// A clip that is carried over as a whole: feet of all frames, when they stand, what that asks of them.

#include "motion/retarget.h"

#include "base/memory.h"

/// One stretch of time in which heel or ball of a foot touches.
typedef struct snw_Plant {
    int first, last; ///< frames, both counted
    snw_Footprint print;
} snw_Plant;

/// One foot in all frames.
typedef struct snw_FootTrack {
    snw_CarriedFoot *naive; ///< as carried over                   (frames)
    snw_FootShift *shift;   ///< what is added                     (frames)
    bool *heel, *ball;      ///< which touches                     (frames)
    snw_Plant *plants;      //                                     (plant_count of frames / 2 + 1)
    int plant_count;
} snw_FootTrack;

typedef struct snw_RetargetClip {
    snw_RetargetCarry *carry;
    int frames;
    /// Frames that the report tells of: all, or the round of a cycle that is kept; without to.
    int from, to;
    double frame_time;
    int first; ///< 1 where frame 0 is a pose of its own
    const sinew_ContactSettings *settings;
    snw_FootTrack feet[SNW_SIDES];
    bool holds[SNW_SIDES];       ///< whether the hand kept to something in the last frame
    sinew_Vec3 *hips[SNW_SIDES]; ///< hip joints as carried over     (frames)
    double *lowered;             ///< how far the hips sink          (frames)
    double *hurt[SNW_SIDES];     ///< how much standing hurts        (frames)
    double *scratch;             //                                  (frames)
    double *need;                //                                  (frames)
    sinew_Vec3 *places;          ///< of one point                   (frames)
    bool *own;                   ///< when it touches                (frames)
    int *away;                   ///< frames to where its ball touches           (frames)
} snw_RetargetClip;

/// When the feet stand, and where; shifts of all frames.
void snw_clip_plant(snw_RetargetClip *clip, int side);

/// The largest value within a time, seconds, before and after each frame; a smooth mean over it.
void snw_clip_most(
    const snw_RetargetClip *clip, double time, const double *values, double *out_values);
void snw_clip_mean(
    const snw_RetargetClip *clip, double time, const double *values, double *out_values);

/// What somebody's own legs ask: dips over a leg that hurts, hips that rise and feet that swing round for
/// a knee that does not bend. After snw_clip_lower, with carry->effects.
void snw_trait_legs(snw_RetargetClip *clip);

/// How far the hips sink in each frame so that legs reach their feet.
void snw_clip_lower(snw_RetargetClip *clip, double reach);

#endif
