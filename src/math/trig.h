#ifndef SNW_TRIG_H
#define SNW_TRIG_H

// Sine and cosine for hot loops, inlined. Fixed order of operations, so the bits are the same on
// every platform that rounds as IEEE 754 says and does not contract products into sums.

#include "base/compiler.h"
#include "sinew/vecmath.h"

/// In radians.
#define SNW_DEGREE (SINEW_PI / 180.0)

/// Largest angle that is reduced exactly.
#define SNW_SINCOS_EXACT 1e6
/// An angle below pi/4 by more than rounding: nothing is reduced.
#define SNW_SINCOS_SMALL 0.785

/// Sine and cosine on [-pi/4, pi/4] by their Taylor series; the first dropped terms are below 5e-17. Both at once where
/// there are vectors: each lane is computed as it would be alone.
static inline void snw_sincos_reduced(double r, double *out_sin, double *out_cos)
{
#if SNW_VECTORS
    typedef double Pair __attribute__((vector_size(16)));
    const Pair c0 = { -1.0 / 6.0, -0.5 }, c1 = { 1.0 / 120.0, 1.0 / 24.0 };
    const Pair c2 = { -1.0 / 5040.0, -1.0 / 720.0 }, c3 = { 1.0 / 362880.0, 1.0 / 40320.0 };
    const Pair c4 = { -1.0 / 39916800.0, -1.0 / 3628800.0 };
    const Pair c5 = { 1.0 / 6227020800.0, 1.0 / 479001600.0 };
    const Pair c6 = { -1.0 / 1307674368000.0, -1.0 / 87178291200.0 };
    const Pair c7 = { 0.0, 1.0 / 20922789888000.0 };
    const Pair first = { r, 1.0 }, both = { r, r };
    Pair z = both * both, z2 = z * z, z4 = z2 * z2;
    Pair p = (c0 + z * c1) + z2 * (c2 + z * c3) + z4 * ((c4 + z * c5) + z2 * (c6 + z * c7));
    p = first + first * z * p;
    *out_sin = p[0];
    *out_cos = p[1];
#else
    double z = r * r;
    double z2 = z * z;
    double z4 = z2 * z2;
    double s = (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z * (1.0 / 362880.0))
        + z4 * ((-1.0 / 39916800.0 + z * (1.0 / 6227020800.0)) + z2 * (-1.0 / 1307674368000.0));
    double c = (-0.5 + z * (1.0 / 24.0)) + z2 * (-1.0 / 720.0 + z * (1.0 / 40320.0))
        + z4
            * ((-1.0 / 3628800.0 + z * (1.0 / 479001600.0))
                + z2 * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0)));
    *out_sin = r + r * z * s;
    *out_cos = 1.0 + z * c;
#endif
}

/// Take off the nearest multiple of pi/2 of an angle of at most SNW_SINCOS_EXACT; how many, in the last bits of the result.
static inline uint64_t snw_sincos_reduce(double angle, double *out_r)
{
    // by the rounding of an addition
    const double magic = 6755399441055744.0; // 1.5 * 2^52
    double shifted = angle * (2.0 / SINEW_PI) + magic;
    union {
        double number;
        uint64_t bits;
    } cast = { shifted };
    double n = shifted - magic;

    // pi/2 in three parts of 33, 33 and 53 bits: the first two products are exact
    *out_r = ((angle - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11)
        - n * 2.02226624879595063154e-21;
    return cast.bits;
}

/// Sine and cosine of what was reduced turned back by so many quarters.
static inline void snw_sincos_turn(uint64_t quarters, double *sine, double *cosine)
{
    double s = *sine, c = *cosine;
    bool swap = (quarters & 1) != 0;
    double turned_sine = swap ? c : s;
    double turned_cosine = swap ? s : c;
    *sine = (quarters & 2) != 0 ? -turned_sine : turned_sine;
    *cosine = ((quarters + 1) & 2) != 0 ? -turned_cosine : turned_cosine;
}

/// Sine and cosine of an angle that is mostly small: those of sinew_sincos, which then is not called.
static inline void snw_sincos_usual(double angle, double *out_sin, double *out_cos)
{
    if (fabs(angle) <= SNW_SINCOS_SMALL) {
        snw_sincos_reduced(angle, out_sin, out_cos);
    } else {
        sinew_sincos(angle, out_sin, out_cos);
    }
}

/// Sine and cosine for |angle| <= SNW_SINCOS_EXACT.
static inline void snw_sincos(double angle, double *out_sin, double *out_cos)
{
    double r, s, c;
    uint64_t quarters = snw_sincos_reduce(angle, &r);
    snw_sincos_reduced(r, &s, &c);
    snw_sincos_turn(quarters, &s, &c);
    *out_sin = s;
    *out_cos = c;
}

#endif
