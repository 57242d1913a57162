#ifndef MEASURE_MOTION_METER_H
#define MEASURE_MOTION_METER_H

// How a motion moves: speeds of joints, shaking, sudden flips, and how two motions differ.

#include "sinew/clip.h"

/// A joint that turns farther than this between two frames has flipped, radians (100 degrees).
#define MEASURE_FLIP_ANGLE 1.7453292519943295

/// Measures of one motion. Joint rotations are those against the parent, so that the channels of a
/// file (Euler angles or quaternions) make no difference.
typedef struct measure_Motion {
    /// Largest angular speed of a joint between two frames, rad/s, and where it was: the joint and
    /// the later frame; -1 when nothing turns.
    double max_joint_speed;
    int fastest_joint, fastest_frame;
    /// Shaking: p99 over joints and frames of the length of the change from one frame-to-frame
    /// rotation step to the next, radians. 0 for less than three frames.
    double jitter;
    /// Steps longer than MEASURE_FLIP_ANGLE, and where the first was; -1 when there was none.
    int flip_count;
    int flip_joint, flip_frame;
} measure_Motion;

/// Measure a motion. allocator may be NULL. OUT_OF_MEMORY; then *out_measure is all zero.
/// O(frames x joints).
sinew_Status measure_motion(
    const sinew_Clip *clip, const sinew_Allocator *allocator, measure_Motion *out_measure);

/// Angles between the world rotations of the joints of two motions with equal joints and frames:
/// mean and largest over frames and over joints that can turn, radians. OUT_OF_MEMORY.
sinew_Status measure_rotation_error(const sinew_Clip *a, const sinew_Clip *b,
    const sinew_Allocator *allocator, double *out_mean, double *out_max);

/// Largest distance between the joints of two motions with equal joints and frames, metres.
sinew_Status measure_position_error(
    const sinew_Clip *a, const sinew_Clip *b, const sinew_Allocator *allocator, double *out_max);

/// How tall the figure stands: the extent along its upright axis (Y or Z, whichever is longer on
/// average), median over up to 101 frames; of the rest pose when the clip has no frame. Metres.
sinew_Status measure_height(
    const sinew_Clip *clip, const sinew_Allocator *allocator, double *out_height);

/// Whether any axis turns the joint.
bool measure_joint_turns(const sinew_Skeleton *skeleton, int joint);

/// Whether any dof of the skeleton moves the joint's origin.
bool measure_joint_travels(const sinew_Skeleton *skeleton, int joint);

#endif
