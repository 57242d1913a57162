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

/// A rotation turned on about its own x, y or z axis: times that turn, without the products by zero.
static inline sinew_Quat snw_quat_on_x(sinew_Quat q, double angle)
{
    double s, c;
    sinew_sincos(0.5 * angle, &s, &c);
    sinew_Quat r = { q.w * s + q.x * c, q.y * c + q.z * s, q.z * c - q.y * s, q.w * c - q.x * s };
    return r;
}

static inline sinew_Quat snw_quat_on_y(sinew_Quat q, double angle)
{
    double s, c;
    sinew_sincos(0.5 * angle, &s, &c);
    sinew_Quat r = { q.x * c - q.z * s, q.w * s + q.y * c, q.x * s + q.z * c, q.w * c - q.y * s };
    return r;
}

static inline sinew_Quat snw_quat_on_z(sinew_Quat q, double angle)
{
    double s, c;
    sinew_sincos(0.5 * angle, &s, &c);
    sinew_Quat r = { q.x * c + q.y * s, q.y * c - q.x * s, q.w * s + q.z * c, q.w * c - q.z * s };
    return r;
}

static inline bool snw_quat_is_identity(sinew_Quat q)
{
    return q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

#endif
