#include "math/trig.h"

// of an angle that cannot be reduced exactly
static SNW_NEVER_INLINE void sincos_far(double angle, double *out_sin, double *out_cos)
{
    if (isfinite(angle)) {
        sinew_sincos(fmod(angle, 2.0 * SINEW_PI), out_sin, out_cos);
        return;
    }
    if (out_sin != NULL) { *out_sin = NAN; }
    if (out_cos != NULL) { *out_cos = NAN; }
}

void sinew_sincos(double angle, double *out_sin, double *out_cos)
{
    double r = angle, s, c;
    uint64_t quarters = 0;
    // most angles are small
    if (!(fabs(angle) <= SNW_SINCOS_SMALL)) {
        if (!(fabs(angle) <= SNW_SINCOS_EXACT)) {
            sincos_far(angle, out_sin, out_cos);
            return;
        }
        quarters = snw_sincos_reduce(angle, &r);
    }
    snw_sincos_reduced(r, &s, &c);
    if (quarters != 0) { snw_sincos_turn(quarters, &s, &c); }
    if (out_sin != NULL) { *out_sin = s; }
    if (out_cos != NULL) { *out_cos = c; }
}

// What the angle of a point is, from its angle less than pi/4 in the first eighth: high + (sign * angle
// + low). pi and pi/2 with their remainders, so that results near them keep their last bits.
typedef struct Eighth {
    double sign, low, high;
} Eighth;

// points whose sizes are near the ends of the range of numbers, or beyond
static SNW_NEVER_INLINE double atan2_extreme(double y, double x)
{
    double ax = fabs(x), ay = fabs(y), larger = ax > ay ? ax : ay;
    if (isnan(x) || isnan(y)) { return NAN; }
    if (larger == 0.0) { return y; }
    if (isinf(larger)) {
        return sinew_atan2(copysign(isinf(ay) ? 1.0 : 0.0, y), copysign(isinf(ax) ? 1.0 : 0.0, x));
    }
    double scale = larger > 1.0 ? 0x1p-200 : 0x1p200;
    return sinew_atan2(scale * y, scale * x);
}

// The quarter of the larger number that the smaller one is nearest to, 0..1; found by comparing, since a division would have
// to be waited for.
static double quarter_of(double smaller, double larger)
{
#if SNW_VECTORS
    typedef double Pair __attribute__((vector_size(16)));
    const Pair low = { 0.125, 0.375 }, high = { 0.625, 0.875 }, quarter = { 0.25, 0.25 };
    const Pair part = { smaller, smaller }, whole = { larger, larger };
    typedef __typeof__(part > whole) Mask;
    const Pair sum = (Pair)((part > low * whole) & (Mask)quarter)
        + (Pair)((part > high * whole) & (Mask)quarter);
    return sum[0] + sum[1];
#else
    return 0.25
        * ((smaller > 0.125 * larger) + (smaller > 0.375 * larger) + (smaller > 0.625 * larger)
            + (smaller > 0.875 * larger));
#endif
}

// atan(t) / t - 1, over t squared, for |t| <= 1/8: its series, the first dropped term is below 3e-18; paired, so that few
// products wait for each other.
static double atan_series(double z)
{
    double z2 = z * z, z4 = z2 * z2;
#if SNW_VECTORS
    typedef double Pair __attribute__((vector_size(16)));
    const Pair c0 = { -1.0 / 3.0, -1.0 / 11.0 }, c1 = { 1.0 / 5.0, 1.0 / 13.0 };
    const Pair c2 = { -1.0 / 7.0, -1.0 / 15.0 }, c3 = { 1.0 / 9.0, 1.0 / 17.0 };
    const Pair p = (c0 + z * c1) + z2 * (c2 + z * c3);
    return p[0] + z4 * p[1];
#else
    return ((-1.0 / 3.0 + z * (1.0 / 5.0)) + z2 * (-1.0 / 7.0 + z * (1.0 / 9.0)))
        + z4 * ((-1.0 / 11.0 + z * (1.0 / 13.0)) + z2 * (-1.0 / 15.0 + z * (1.0 / 17.0)));
#endif
}

// one copy, for all that call it here as well
SNW_NEVER_INLINE double sinew_atan2(double y, double x)
{
    static const Eighth eighths[4] = {
        { 1.0, 0.0, 0.0 },
        { -1.0, 6.123233995736766e-17, 0.5 * SINEW_PI },
        { -1.0, 1.2246467991473532e-16, SINEW_PI },
        { 1.0, 6.123233995736766e-17, 0.5 * SINEW_PI },
    };
    static const double atan_quarters[5] = { 0.0, 0.24497866312686415417, 0.46364760900080611621,
        0.64350110879328438680, 0.78539816339744830962 };
    double ax = fabs(x), ay = fabs(y);
    // most angles are small: no quarter and no eighth is taken off
    if (ay <= 0.125 * x && x > 1e-280 && x < 1e280) {
        const double t = y / x, z = t * t;
        return copysign(t + t * z * atan_series(z), y);
    }
    bool is_steep = !(ax >= ay);
    double larger = is_steep ? ay : ax, smaller = is_steep ? ax : ay;
    if (!(larger > 1e-280 && larger < 1e280)) { return atan2_extreme(y, x); }

    // the nearest quarter is taken off by the addition theorem, which leaves 1/8 at most
    double c = quarter_of(smaller, larger);
    double t = (smaller - c * larger) / (larger + c * smaller);
    double z = t * t;
    double angle = atan_quarters[(int)(4.0 * c)] + (t + t * z * atan_series(z));
    const Eighth *eighth = &eighths[(is_steep ? 1 : 0) + (x < 0.0 ? 2 : 0)];
    return copysign(eighth->high + (eighth->sign * angle + eighth->low), y);
}

double sinew_acos(double cosine)
{
    if (isnan(cosine)) { return NAN; }
    double c = cosine > 1.0 ? 1.0 : (cosine < -1.0 ? -1.0 : cosine);
    return sinew_atan2(sqrt((1.0 - c) * (1.0 + c)), c);
}

double sinew_asin(double sine)
{
    if (isnan(sine)) { return NAN; }
    double s = sine > 1.0 ? 1.0 : (sine < -1.0 ? -1.0 : sine);
    return sinew_atan2(s, sqrt((1.0 - s) * (1.0 + s)));
}
