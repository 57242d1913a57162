#ifndef SNW_STRIDE_CURVE_H
#define SNW_STRIDE_CURVE_H

// The path of a heel through the air: the lift curve of Meredith and Maddock (2004), eq. 1.15, laid
// over ground whose height differs between its ends.

#include "sinew/vecmath.h"

/// The lift curve over u in [0, 3 pi]: 1 - cos u up to pi, then 1 - cos((pi + u) / 2). From 0 up to 2 at
/// pi, a third of the way, and down to 0. Continuous with its slope (C1, not C2). Cropped outside.
double snw_lift_curve(double u);

/// How the curve is laid over a difference in height. All keep both ends.
typedef enum snw_StrideShape {
    /// The difference is added in proportion to the way: height alone changes.
    SNW_STRIDE_SKEW,
    /// The curve is turned about its start, so that lift stands across the chord; where that would
    /// make the heel go back (steep and high), it is turned less.
    SNW_STRIDE_ROTATE,
    /// The difference is made up between two moments, low and high: before a step up is reached,
    /// after a step down is left.
    SNW_STRIDE_RAMP,
} snw_StrideShape;

typedef struct snw_Stride {
    sinew_Vec3 start, end; ///< of the heel, world, metres
    double clearance;      ///< height of the curve above its base at its peak, metres
    snw_StrideShape shape;
    double low, high; ///< RAMP: shares of the time, 0 <= low < high <= 1
    /// RAMP: share of the time that the way waits for at the start; negative: by which it is early at
    /// the end. Otherwise the way goes evenly, as published.
    double hold;
} snw_Stride;

/// The largest sine of the chord's slope, upward (rising) or downward, at which a turned curve does
/// not go back: 2S / (3 pi h) and 4S / (3 pi h), with the stride S and clearance h; at most 1.
double snw_stride_steepest(double stride, double clearance, bool rising);

/// The share of the way that is done at a share of the time, both 0..1.
double snw_stride_way(const snw_Stride *stride, double share);

/// The heel at a share of the stride's time, 0..1 (cropped).
sinew_Vec3 snw_stride_point(const snw_Stride *stride, double share);

#endif
