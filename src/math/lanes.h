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

/// a where a bit of the mask is set, b elsewhere.
SNW_LANES_INLINE snw_LaneBits snw_lane_choose(snw_LaneBits mask, snw_Lanes a, snw_Lanes b)
{
    return ((snw_LaneBits)a & mask) | ((snw_LaneBits)b & ~mask);
}

/// Angles of points that are not near the ends of the range of numbers: the bits of sinew_atan2, whose
/// steps they are.
SNW_LANES_INLINE snw_Lanes snw_lanes_atan2_inner(snw_Lanes y, snw_Lanes x)
{
    const snw_LaneBits sign = { 1ULL << 63, 1ULL << 63 };
    const snw_Lanes none = { 0.0, 0.0 }, quarter = { 0.25, 0.25 };
    snw_Lanes ax = (snw_Lanes)((snw_LaneBits)x & ~sign), ay = (snw_Lanes)((snw_LaneBits)y & ~sign);
    snw_LaneBits steep = (snw_LaneBits)(ay > ax), behind = (snw_LaneBits)(x < none);
    snw_Lanes larger = (snw_Lanes)snw_lane_choose(steep, ay, ax);
    snw_Lanes smaller = (snw_Lanes)snw_lane_choose(steep, ax, ay);
    snw_LaneBits over[4] = { (snw_LaneBits)(smaller > 0.125 * larger),
        (snw_LaneBits)(smaller > 0.375 * larger), (snw_LaneBits)(smaller > 0.625 * larger),
        (snw_LaneBits)(smaller > 0.875 * larger) };
    // each of these is exact: quarters one by one, and the bits that tell one angle from the next
    snw_Lanes c = (snw_Lanes)((snw_LaneBits)quarter & over[0]);
    for (int k = 1; k < 4; ++k) { c += (snw_Lanes)((snw_LaneBits)quarter & over[k]); }
    static const double atan_quarters[4] = { 0.24497866312686415417, 0.46364760900080611621,
        0.64350110879328438680, 0.78539816339744830962 };
    snw_Lanes angle = none;
    for (int k = 0; k < 4; ++k) {
        angle = (snw_Lanes)snw_lane_choose(over[k], snw_lanes(atan_quarters[k]), angle);
    }
    snw_Lanes t = (smaller - c * larger) / (larger + c * smaller);
    snw_Lanes z = t * t, z2 = z * z, z4 = z2 * z2;
    snw_Lanes p = ((-1.0 / 3.0 + z * (1.0 / 5.0)) + z2 * (-1.0 / 7.0 + z * (1.0 / 9.0)))
        + z4 * ((-1.0 / 11.0 + z * (1.0 / 13.0)) + z2 * (-1.0 / 15.0 + z * (1.0 / 17.0)));
    angle = angle + (t + t * z * p);
    snw_Lanes back = (snw_Lanes)((snw_LaneBits)snw_lanes(SINEW_PI) & behind);
    snw_Lanes back_low = (snw_Lanes)((snw_LaneBits)snw_lanes(1.2246467991473532e-16) & behind);
    snw_Lanes high = (snw_Lanes)snw_lane_choose(steep, snw_lanes(0.5 * SINEW_PI), back);
    snw_Lanes low = (snw_Lanes)snw_lane_choose(steep, snw_lanes(6.123233995736766e-17), back_low);
    angle = high + ((snw_Lanes)((snw_LaneBits)angle ^ ((steep ^ behind) & sign)) + low);
    return (snw_Lanes)(((snw_LaneBits)angle & ~sign) | ((snw_LaneBits)y & sign));
}

/// Places of two directions on the way round the square |x| + |y| = 1: the bits of snw_arcs_place.
SNW_LANES_INLINE snw_Lanes snw_lanes_place(snw_Lanes sine, snw_Lanes cosine)
{
    const snw_LaneBits sign = { 1ULL << 63, 1ULL << 63 };
    const snw_Lanes none = { 0.0, 0.0 }, two = { 2.0, 2.0 };
    snw_Lanes as = (snw_Lanes)((snw_LaneBits)sine & ~sign);
    snw_Lanes ac = (snw_Lanes)((snw_LaneBits)cosine & ~sign);
    snw_Lanes share = sine / (as + ac);
    snw_Lanes over = (snw_Lanes)((snw_LaneBits)two | ((snw_LaneBits)sine & sign)) - share;
    return (snw_Lanes)snw_lane_choose((snw_LaneBits)(cosine >= none), share, over);
}

/// The larger size of a point's numbers is where snw_lanes_atan2_inner may be asked.
SNW_LANES_INLINE bool snw_lane_is_usual(double y, double x)
{
    double ax = fabs(x), ay = fabs(y), larger = ax > ay ? ax : ay;
    return larger > 1e-280 && larger < 1e280;
}

/// Angles of two points: the bits of sinew_atan2.
SNW_LANES_INLINE snw_Lanes snw_lanes_atan2(snw_Lanes y, snw_Lanes x)
{
    if (snw_lane_is_usual(y[0], x[0]) && snw_lane_is_usual(y[1], x[1])) {
        return snw_lanes_atan2_inner(y, x);
    }
    return (snw_Lanes){ sinew_atan2(y[0], x[0]), sinew_atan2(y[1], x[1]) };
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

SNW_LANES_INLINE snw_Lanes snw_lanes_place(snw_Lanes sine, snw_Lanes cosine)
{
    for (int k = 0; k < SNW_LANE_COUNT; ++k) {
        double share = sine.lane[k] / (fabs(sine.lane[k]) + fabs(cosine.lane[k]));
        sine.lane[k] = cosine.lane[k] >= 0.0 ? share : copysign(2.0, sine.lane[k]) - share;
    }
    return sine;
}

SNW_LANES_INLINE snw_Lanes snw_lanes_atan2(snw_Lanes y, snw_Lanes x)
{
    for (int k = 0; k < SNW_LANE_COUNT; ++k) { y.lane[k] = sinew_atan2(y.lane[k], x.lane[k]); }
    return y;
}

#endif

/// sum + a b
SNW_LANES_INLINE snw_Lanes snw_lanes_madd(snw_Lanes sum, snw_Lanes a, snw_Lanes b)
{
    return snw_lanes_add(sum, snw_lanes_mul(a, b));
}

#endif
