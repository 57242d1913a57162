#ifndef SNW_FOOT_EASE_H
#define SNW_FOOT_EASE_H

// What standing and moving feet share to stay inside the ranges of hip and ankle.

#include "walk/walker_natural.h"
#include "walk/walker_pose.h"

#define SNW_EASE_RANGE_MARGIN (0.3 * (SINEW_PI / 180.0)) // kept to the ends of ranges
#define SNW_EASE_STEPS 8
#define SNW_EASE_ROLL_MARGIN (0.6 * (SINEW_PI / 180.0)) // the same of the ankle's roll
#define SNW_EASE_ROLL_STEPS 4
#define SNW_EASE_MOST_EDGE_ROLL 0.5 // radians

/// How far a value is above its range (> 0) or below it (< 0), or 0.
static inline double snw_outside(double value, double lower, double upper)
{
    return value > upper ? value - upper : (value < lower ? value - lower : 0.0);
}

#endif
