#ifndef SNW_QUAT_H
#define SNW_QUAT_H

// Quaternions as the four numbers that a ball joint has in a pose: x, y, z, w.

#include "math/lanes.h"
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

/// The bits of sinew_quat_mul, two numbers at once where that is quicker.
SNW_LANES_INLINE sinew_Quat snw_quat_mul(sinew_Quat a, sinew_Quat b)
{
#ifdef __wasm__
    // clang 14 has made other bits of the lanes
    return sinew_quat_mul(a, b);
#else
    const snw_Lanes xy = snw_lanes_pair(b.x, b.y), zw = snw_lanes_pair(b.z, b.w);
    const snw_Lanes yx = snw_lanes_pair(b.y, -b.x), wz = snw_lanes_pair(b.w, -b.z);
    const snw_Lanes x = snw_lanes(a.x), y = snw_lanes(a.y), z = snw_lanes(a.z), w = snw_lanes(a.w);
    snw_Lanes r_xy = snw_lanes_madd(snw_lanes_mul(w, xy), x, wz);
    r_xy = snw_lanes_sub(snw_lanes_madd(r_xy, y, zw), snw_lanes_mul(z, yx));
    snw_Lanes r_zw = snw_lanes_madd(snw_lanes_mul(w, zw), x, yx);
    r_zw = snw_lanes_madd(snw_lanes_sub(r_zw, snw_lanes_mul(y, xy)), z, wz);
    sinew_Quat r = { snw_lanes_get(r_xy, 0), snw_lanes_get(r_xy, 1), snw_lanes_get(r_zw, 0),
        snw_lanes_get(r_zw, 1) };
    return r;
#endif
}

/// Sine and cosine of half an angle.
typedef struct snw_Half {
    double s, c;
} snw_Half;

static inline snw_Half snw_half(double angle)
{
    snw_Half half;
    snw_sincos_usual(0.5 * angle, &half.s, &half.c);
    return half;
}

/// Those of several angles, mostly small.
static inline void snw_halves(const double *angles, int count, snw_Half *out_halves)
{
    for (int i = 0; i < count; ++i) {
        snw_sincos_usual(0.5 * angles[i], &out_halves[i].s, &out_halves[i].c);
    }
}

/// A rotation turned on about its own x, y or z axis: times that turn, without the products by zero.
static inline sinew_Quat snw_quat_by_x(sinew_Quat q, snw_Half h)
{
    const double s = h.s, c = h.c;
    sinew_Quat r = { q.w * s + q.x * c, q.y * c + q.z * s, q.z * c - q.y * s, q.w * c - q.x * s };
    return r;
}

static inline sinew_Quat snw_quat_by_y(sinew_Quat q, snw_Half h)
{
    const double s = h.s, c = h.c;
    sinew_Quat r = { q.x * c - q.z * s, q.w * s + q.y * c, q.x * s + q.z * c, q.w * c - q.y * s };
    return r;
}

static inline sinew_Quat snw_quat_by_z(sinew_Quat q, snw_Half h)
{
    const double s = h.s, c = h.c;
    sinew_Quat r = { q.x * c + q.y * s, q.y * c - q.x * s, q.w * s + q.z * c, q.w * c - q.z * s };
    return r;
}

/// That turn about y, times a rotation: turned on in the world.
static inline sinew_Quat snw_quat_about_y(snw_Half h, sinew_Quat q)
{
    const double s = h.s, c = h.c;
    sinew_Quat r = { c * q.x + s * q.z, c * q.y + s * q.w, c * q.z - s * q.x, c * q.w - s * q.y };
    return r;
}

static inline sinew_Quat snw_quat_on_x(sinew_Quat q, double angle)
{
    return snw_quat_by_x(q, snw_half(angle));
}

static inline sinew_Quat snw_quat_on_y(sinew_Quat q, double angle)
{
    return snw_quat_by_y(q, snw_half(angle));
}

static inline sinew_Quat snw_quat_on_z(sinew_Quat q, double angle)
{
    return snw_quat_by_z(q, snw_half(angle));
}

static inline bool snw_quat_is_identity(sinew_Quat q)
{
    return q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

#endif
