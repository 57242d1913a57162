#ifndef SNW_QUAT_H
#define SNW_QUAT_H

// Quaternions as the four numbers that a ball joint has in a pose: x, y, z, w.

#include "sinew/vecmath.h"

static inline sinew_Quat snw_quat_load(const double *values)
{
    sinew_Quat r = { values[0], values[1], values[2], values[3] };
    return r;
}

static inline void snw_quat_store(sinew_Quat q, double *out_values)
{
    out_values[0] = q.x;
    out_values[1] = q.y;
    out_values[2] = q.z;
    out_values[3] = q.w;
}

static inline bool snw_quat_is_identity(sinew_Quat q)
{
    return q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

#endif
