#ifndef SNW_STRIDE_RULE_H
#define SNW_STRIDE_RULE_H

// How long a stride is, how far and how fast the hips go, and how high they are carried: the numbers
// of the two-stage cycle of Meredith and Maddock (2004), Move forwards and Other Motion Details.

/// The longest stride: half a leg length and what the foot trails behind the hips.
double snw_stride_longest(double leg_length, double trailing);

/// One cycle in numbers: a foot strides while the hips advance half as far (each leg moves in every
/// other cycle), then its toes come down over a gap while the hips advance by that gap.
typedef struct snw_StrideTimes {
    double swing_way, roll_way;   ///< of the hips in the stages, metres; together half the stride
    double swing_time, roll_time; ///< seconds, at the same speed
} snw_StrideTimes;

/// The cycle of a stride at a hip speed, > 0. The published rule gives the first stage half the stride
/// and adds the gap to it, so that feet trail farther by 4/3 of the gap every cycle without end; here
/// the gap is a part of that half, and cropped to at most half of it.
snw_StrideTimes snw_stride_times(double stride, double gap, double speed);

/// A hip height on the line between two heights, with the square of half a wave of a sine on it, which begins and ends
/// level: at a share 0..1 of the way; amplitude is the greatest distance from the line, half-way.
double snw_hip_height(double from, double to, double amplitude, double share);

/// Turn of the hips about the vertical, against the path's heading, at a share 0..1 of a cycle: the
/// side of the striding foot goes from back to front. side 1: the left foot strides, -1: the right
/// one. Goes from amplitude `from` to amplitude `to`, radians.
double snw_hip_swing(double from, double to, int side, double share);

/// How far a point may be from the hip, as a share of the straight leg.
#define SNW_REACH_SHARE 0.99

#endif
