#ifndef SNW_HOLDS_H
#define SNW_HOLDS_H

// What private functions believe of their arguments, for SNW_ASSERT.

#include "base/assert.h"
#include "sinew/vecmath.h"

#include <math.h>

// A quaternion or direction is taken for one of length 1 while its square is off by less: twice the 1e-3 of
// length that the public edge lets pass, and a little. A wrong one is off by far more.
#define SNW_UNIT_SLACK 2.1e-3

static inline bool snw_holds_unit(sinew_Quat q)
{
    return fabs(sinew_quat_dot(q, q) - 1.0) <= SNW_UNIT_SLACK;
}

static inline bool snw_holds_direction(sinew_Vec3 v)
{
    return fabs(sinew_vec3_dot(v, v) - 1.0) <= SNW_UNIT_SLACK;
}

static inline bool snw_holds_rigid(sinew_Transform t)
{
    return sinew_vec3_is_finite(t.position) && snw_holds_unit(t.rotation);
}

/// In 0..1, both counted.
static inline bool snw_holds_share(double share)
{
    return share >= 0.0 && share <= 1.0;
}

/// A range with an inside; either end may be infinite.
static inline bool snw_holds_range(double lower, double upper)
{
    return lower <= upper;
}

#endif
