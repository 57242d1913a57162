#ifndef CLI_FOOT_FIGURES_H
#define CLI_FOOT_FIGURES_H

// How well the feet of a motion stand on a ground, measured from its poses alone.

#include "sinew/clip.h"
#include "sinew/ground.h"
#include "sinew/retarget.h"

/// Lengths in metres, slides at a leg of 0.9 m; accelerations in m/s2, p99 over the frames.
typedef struct cli_FootFigures {
    int contacts; ///< of heels and balls, found anew
    double slide_median, slide_p95, slide_max;
    double sink_max,
        float_max; ///< of soles of which heel and ball touch: below and above the ground
    double penetration_p99, penetration_max; ///< lowest point of both feet, in any frame
    double overhang_max; ///< largest share of a standing sole with no ground below it, 0..1
    double hips, hips_vertical, knee;
    double knee_step; ///< longest way of a knee beside the hips from frame to frame
    double knee_over; ///< highest place of a knee over its hip joint, below 0: always under it
    double shin_deep; ///< lowest place of knees and shins under the ground, in any frame
} cli_FootFigures;

/// Measure; the level floor of the motion is at floor above the ground's heights. False: no memory.
bool cli_foot_figures(const sinew_RetargetBody *body, const sinew_Clip *clip,
    const sinew_Ground *ground, double floor, cli_FootFigures *out_figures);

/// Height of the floor that a motion walks on, metres along the body's up; 0 where nothing stands. False after a
/// message.
bool cli_find_floor(const sinew_RetargetBody *body, const sinew_Clip *clip, double *out_floor);

/// Length of the legs, thigh and shank, mean of both sides, metres; 0 without legs.
double cli_leg_length(const sinew_RetargetBody *body);

#endif
