#include "solve/soft_distance.h"

#include "math/holds.h"

// Near full stretch the bend of a knee goes with the square root of what is left of the reach, so a
// goal that leaves at an even speed turns it infinitely fast. Here the bend follows another curve from
// the point on where the easing sets in: with s the width of the easing, R the reach and d the goal's
// distance,
//
//     R - d' = s (1 - x / 4)^4,  x = (d - (R - s)) / s
//
// The slope at x = 0 is that of d itself. The bend, its square root, becomes a parabola that ends flat:
// no speed is larger than at x = 0, and the acceleration is constant, half of what it is just before.
// Of the family (1 - x / p)^p this is the nearest to the goal whose acceleration is bounded: at full
// stretch it is off by 0.316 s, where the exponential (p infinite) is by 0.368 s and x / (1 + x) by
// 0.5 s; p = 2 and 3 are nearer but end with a jolt.

double snw_soft_reach_distance(double distance, double longest, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    SNW_ASSERT(distance >= 0.0);
    double width = share * longest;
    double x = (distance - (longest - width)) / width;
    if (!(width > 0.0)) { return distance < longest ? distance : longest; }
    if (!(x > 0.0)) { return distance; }
    if (x >= 4.0) { return longest; }
    double left = 1.0 - 0.25 * x;
    left *= left;
    return longest - width * left * left;
}
