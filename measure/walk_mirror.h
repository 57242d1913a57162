#ifndef MEASURE_WALK_MIRROR_H
#define MEASURE_WALK_MIRROR_H

// A walk as somebody who watches sees it: poses, the ground and the clock alone. When a foot stands is
// found from the motion, by height and speed; nothing that the walker says of itself is used, but for
// where its root is commanded to be. It looks at a walk from end to end, so frames are kept.

#include "measure/sole_look.h"

/// What is watched of a body.
typedef struct measure_MirrorBody {
    const sinew_Skeleton *skeleton;
    int leg_count;
    const sinew_LegDef *legs[SINEW_MAX_LEGS];
    const sinew_Sole *soles[SINEW_MAX_LEGS];
    int chest, head; ///< joints; -1: none
} measure_MirrorBody;

/// The body of a walker. roles NULL: without chest and head.
measure_MirrorBody measure_mirror_body(
    const sinew_Walker *walker, const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles);

/// Figures of a walk: metres, radians, seconds. Of figures per frame, the time is 1/60 s.
typedef struct measure_MirrorFigures {
    int frame_count;
    double time;

    /// Feet. A point of the middle line stands while it is slower than 0.12 m/s and some of its part of the sole
    /// less than 10 mm above the ground, for six frames at least; in the two at either end it comes to rest and
    /// leaves.
    /// A foot stands while from each frame to the next some point of it does, as it rolls from heel to toe.
    int stance_count;
    double slide_median,
        slide_most;       ///< of points that stand: level way from where they are in mid-stance
    double planted_depth; ///< of any point of a sole that stands, in the ground
    double moving_depth;  ///< of any other
    double clearance;     ///< least height of a sole between 20 and 80 % of a swing; infinity: none
    int landing_count;
    double step_length,
        cadence;           ///< mean way of the hips from landing to landing; landings per minute
    double double_support; ///< share of the time in which the hips go and two feet stand

    /// Joints.
    double joint_step;     ///< largest turn of any against its parent in 1/60 s
    int joint_step_frames; ///< frames with one above 0.3 rad

    /// Body.
    double hips_vertical, hips_level; ///< largest accelerations of the middle of the hips, m/s^2
    double head_acceleration;         ///< m/s^2; 0 without a head
    double head_step;                 ///< way in 1/60 s beyond that of the root
    double chest_step;                ///< turn in 1/60 s beyond the commanded turn
    double head_height;               ///< least height of the head above the hips
    double trunk_tilt;                ///< largest angle of hips to chest from upright

    /// Standing: the hips were within 1 cm of their place for half a second, and no foot was in the air.
    double standing_time;
    double standing_knee;    ///< mean flexion of the knees over the lowest ground that is stood on
    double standing_outside; ///< how far the centre of mass is outside of the feet, at most

    double samples_mean; ///< questions to the ground per frame
    int samples_most;    ///< in one frame after the first, in which a body is put down
} measure_MirrorFigures;

typedef struct measure_Mirror measure_Mirror;

/// Room for so many frames of frame_time seconds. What body points to must stay. NULL without memory.
measure_Mirror *measure_mirror_create(
    const measure_MirrorBody *body, int frame_capacity, double frame_time);
void measure_mirror_destroy(measure_Mirror *mirror);

/// One frame; false when there is no room. root and heading as they were commanded, samples: questions
/// to the ground since the last frame.
bool measure_mirror_frame(measure_Mirror *mirror, const double *q, const sinew_Ground *ground,
    sinew_Vec3 root, double heading, int samples);

/// All so far.
measure_MirrorFigures measure_mirror_figures(const measure_Mirror *mirror);

/// A ground that counts the questions.
typedef struct measure_CountedGround {
    sinew_Ground asked;
    int count;
} measure_CountedGround;

/// counted must stay where it is while the result is used.
sinew_Ground measure_count_ground(measure_CountedGround *counted);

#endif
