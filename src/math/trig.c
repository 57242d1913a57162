#include "math/trig.h"

void sinew_sincos(double angle, double *out_sin, double *out_cos)
{
    double unused;
    if (out_sin == NULL) { out_sin = &unused; }
    if (out_cos == NULL) { out_cos = &unused; }
    if (!(fabs(angle) <= SNW_SINCOS_EXACT)) {
        if (!isfinite(angle)) {
            *out_sin = NAN;
            *out_cos = NAN;
            return;
        }
        angle = fmod(angle, 2.0 * SINEW_PI);
    }
    snw_sincos(angle, out_sin, out_cos);
}

// What the angle of a point is, from its angle less than pi/4 in the first eighth: high + (sign * angle
// + low). pi and pi/2 with their remainders, so that results near them keep their last bits.
typedef struct Eighth {
    double sign, low, high;
} Eighth;

// points whose sizes are not near the ends of the range of numbers
static double atan2_inner(double y, double x)
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
    bool is_steep = ay > ax;
    double larger = is_steep ? ay : ax, smaller = is_steep ? ax : ay;

    // the nearest quarter is taken off by the addition theorem, which leaves 1/8 at most; found by
    // comparing, since a division would have to be waited for
    int i = (smaller > 0.125 * larger) + (smaller > 0.375 * larger) + (smaller > 0.625 * larger)
        + (smaller > 0.875 * larger);
    double c = 0.25 * i;
    double t = (smaller - c * larger) / (larger + c * smaller);

    // series of atan, the first dropped term is below 3e-18; paired, so that few products wait for
    // each other
    double z = t * t, z2 = z * z, z4 = z2 * z2;
    double p = ((-1.0 / 3.0 + z * (1.0 / 5.0)) + z2 * (-1.0 / 7.0 + z * (1.0 / 9.0)))
        + z4 * ((-1.0 / 11.0 + z * (1.0 / 13.0)) + z2 * (-1.0 / 15.0 + z * (1.0 / 17.0)));
    double angle = atan_quarters[i] + (t + t * z * p);
    const Eighth *eighth = &eighths[(is_steep ? 1 : 0) + (x < 0.0 ? 2 : 0)];
    return copysign(eighth->high + (eighth->sign * angle + eighth->low), y);
}

double sinew_atan2(double y, double x)
{
    double ax = fabs(x), ay = fabs(y), larger = ax > ay ? ax : ay;
    if (larger > 1e-280 && larger < 1e280) { return atan2_inner(y, x); }
    if (isnan(x) || isnan(y)) { return NAN; }
    if (larger == 0.0) { return y; }
    if (isinf(larger)) {
        return atan2_inner(copysign(isinf(ay) ? 1.0 : 0.0, y), copysign(isinf(ax) ? 1.0 : 0.0, x));
    }
    double scale = larger > 1.0 ? 0x1p-200 : 0x1p200;
    return atan2_inner(scale * y, scale * x);
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
