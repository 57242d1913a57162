#ifndef SNW_LANES_H
#define SNW_LANES_H

// Two numbers at once, which every machine with vectors has: SSE2, NEON, WebAssembly. Each lane is
// computed as it would be alone, so the bits are the same without them, which SINEW_NO_VECTOR asks for
// (SNW_PLAIN_LANES for this header alone).

#include "base/compiler.h"
#include "math/trig.h"

#define SNW_LANE_COUNT 2

/// Groups of lanes that hold count numbers.
static inline int snw_lane_groups(int count)
{
    return (count + SNW_LANE_COUNT - 1) / SNW_LANE_COUNT;
}

#if SNW_VECTORS && !defined(SNW_PLAIN_LANES)

typedef double snw_Lanes __attribute__((vector_size(16), may_alias));
typedef uint64_t snw_LaneBits __attribute__((vector_size(16), may_alias));

/// In an array of the caller's, which lies as numbers do: 32-bit machines give its start no more than that.
typedef double snw_LooseLanes
    __attribute__((vector_size(16), may_alias, aligned(_Alignof(double))));

#define SNW_LANES_INLINE SNW_ALWAYS_INLINE

SNW_LANES_INLINE snw_Lanes snw_lanes(double x)
{
    return (snw_Lanes){ x, x };
}

SNW_LANES_INLINE snw_Lanes snw_lanes_pair(double first, double second)
{
    return (snw_Lanes){ first, second };
}

SNW_LANES_INLINE snw_Lanes snw_lanes_add(snw_Lanes a, snw_Lanes b)
{
    return a + b;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_sub(snw_Lanes a, snw_Lanes b)
{
    return a - b;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_mul(snw_Lanes a, snw_Lanes b)
{
    return a * b;
}

/// The number in one lane.
SNW_LANES_INLINE double snw_lanes_get(snw_Lanes a, int k)
{
    return a[k];
}

/// first + second
SNW_LANES_INLINE double snw_lanes_sum(snw_Lanes a)
{
    return a[0] + a[1];
}

/// Sine and cosine of angles of at most SNW_SINCOS_EXACT: the bits of snw_sincos.
SNW_LANES_INLINE void snw_lanes_sincos(snw_Lanes angle, snw_Lanes *out_sin, snw_Lanes *out_cos)
{
    const double magic = 6755399441055744.0; // 1.5 * 2^52
    snw_Lanes shifted = angle * (2.0 / SINEW_PI) + magic;
    snw_LaneBits bits = (snw_LaneBits)shifted;
    snw_Lanes n = shifted - magic;
    snw_Lanes r = ((angle - n * 1.57079632673412561417e+00) - n * 6.07710050630396597660e-11)
        - n * 2.02226624879595063154e-21;
    snw_Lanes z = r * r;
    snw_Lanes z2 = z * z;
    snw_Lanes z4 = z2 * z2;
    snw_Lanes s = (-1.0 / 6.0 + z * (1.0 / 120.0)) + z2 * (-1.0 / 5040.0 + z * (1.0 / 362880.0))
        + z4 * ((-1.0 / 39916800.0 + z * (1.0 / 6227020800.0)) + z2 * (-1.0 / 1307674368000.0));
    snw_Lanes c = (-0.5 + z * (1.0 / 24.0)) + z2 * (-1.0 / 720.0 + z * (1.0 / 40320.0))
        + z4
            * ((-1.0 / 3628800.0 + z * (1.0 / 479001600.0))
                + z2 * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0)));
    s = r + r * z * s;
    c = 1.0 + z * c;
    // the quadrant says which is which, and the signs
    snw_LaneBits odd = 0 - (bits & 1);
    snw_LaneBits sine = ((snw_LaneBits)c & odd) | ((snw_LaneBits)s & ~odd);
    snw_LaneBits cosine = ((snw_LaneBits)s & odd) | ((snw_LaneBits)c & ~odd);
    *out_sin = (snw_Lanes)(sine ^ ((bits & 2) << 62));
    *out_cos = (snw_Lanes)(cosine ^ (((bits + 1) & 2) << 62));
}

#else

typedef struct snw_Lanes {
    double lane[SNW_LANE_COUNT];
} snw_Lanes;
typedef snw_Lanes snw_LooseLanes;

#define SNW_LANES_INLINE static inline

SNW_LANES_INLINE snw_Lanes snw_lanes(double x)
{
    snw_Lanes r = { { x, x } };
    return r;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_pair(double first, double second)
{
    snw_Lanes r = { { first, second } };
    return r;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_add(snw_Lanes a, snw_Lanes b)
{
    for (int k = 0; k < SNW_LANE_COUNT; ++k) { a.lane[k] += b.lane[k]; }
    return a;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_sub(snw_Lanes a, snw_Lanes b)
{
    for (int k = 0; k < SNW_LANE_COUNT; ++k) { a.lane[k] -= b.lane[k]; }
    return a;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_mul(snw_Lanes a, snw_Lanes b)
{
    for (int k = 0; k < SNW_LANE_COUNT; ++k) { a.lane[k] *= b.lane[k]; }
    return a;
}

SNW_LANES_INLINE double snw_lanes_get(snw_Lanes a, int k)
{
    return a.lane[k];
}

SNW_LANES_INLINE double snw_lanes_sum(snw_Lanes a)
{
    return a.lane[0] + a.lane[1];
}

SNW_LANES_INLINE void snw_lanes_sincos(snw_Lanes angle, snw_Lanes *out_sin, snw_Lanes *out_cos)
{
    for (int k = 0; k < SNW_LANE_COUNT; ++k) {
        snw_sincos(angle.lane[k], &out_sin->lane[k], &out_cos->lane[k]);
    }
}

#endif

/// sum + a b
SNW_LANES_INLINE snw_Lanes snw_lanes_madd(snw_Lanes sum, snw_Lanes a, snw_Lanes b)
{
    return snw_lanes_add(sum, snw_lanes_mul(a, b));
}

#endif
