#include "math/trig.h"

void sinew_sincos(double angle, double *out_sin, double *out_cos)
{
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

// atan on [0, 1]: the nearest quarter is taken off by the addition theorem, what is left is at
// most 1/8 and its series ends below 1e-17
static double atan_unit(double a)
{
    static const double atan_quarters[5] = { 0.0, 0.24497866312686415417, 0.46364760900080611621,
        0.64350110879328438680, 0.78539816339744830962 };
    int i = (int)(a * 4.0 + 0.5);
    double c = 0.25 * i;
    double t = (a - c) / (1.0 + a * c);
    double z = t * t;
    double p = -1.0 / 19.0;
    p = 1.0 / 17.0 + z * p;
    p = -1.0 / 15.0 + z * p;
    p = 1.0 / 13.0 + z * p;
    p = -1.0 / 11.0 + z * p;
    p = 1.0 / 9.0 + z * p;
    p = -1.0 / 7.0 + z * p;
    p = 1.0 / 5.0 + z * p;
    p = -1.0 / 3.0 + z * p;
    return atan_quarters[i] + (t + t * z * p);
}

double sinew_atan2(double y, double x)
{
    if (isnan(x) || isnan(y)) { return NAN; }
    double ax = fabs(x), ay = fabs(y);
    if (isinf(ax) && isinf(ay)) {
        ax = 1.0;
        ay = 1.0;
    }
    double larger = ax > ay ? ax : ay;
    double smaller = ax > ay ? ay : ax;
    double angle = larger > 0.0 ? atan_unit(smaller / larger) : 0.0;
    if (ay > ax) { angle = 0.5 * SINEW_PI - angle; }
    // pi and its remainder, so that results near pi keep their last bits
    if (x < 0.0) { angle = SINEW_PI - (angle - 1.2246467991473532e-16); }
    return copysign(angle, y);
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
