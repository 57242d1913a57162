#include "motion/gait.h"

#include "math/exp.h"

#include <stddef.h>

#define DEGREE (3.14159265358979323846 / 180.0)
#define GRAVITY 9.81

double snw_follow(double h, double time_constant)
{
    return 1.0 - snw_exp(-h / time_constant);
}

void snw_follower_step(snw_Follower *follower, double target, double omega, double h)
{
    double fade = snw_exp(-omega * h);
    double away = follower->value - target;
    double rate = follower->speed + omega * away;
    follower->value = target + (away + rate * h) * fade;
    follower->speed = (follower->speed - omega * rate * h) * fade;
}

// ---------------------------------------------------------------------------------------------
// Stride and cadence

double snw_stride_length(double u)
{
    // exponent after Grieve (1968)
    return u > 1e-6 ? 2.33 * snw_pow(u, 0.42) : 0.0;
}

double snw_stride_period(double u, double leg_length)
{
    double scale = sqrt(leg_length / 0.9);
    if (!(u > 1e-3)) { return SNW_LONGEST_PERIOD * scale; }
    double period = snw_stride_length(u) / u * sqrt(leg_length / GRAVITY);
    return snw_clamp(period, SNW_SHORTEST_PERIOD * scale, SNW_LONGEST_PERIOD * scale);
}

double snw_stance_share(double u)
{
    return snw_clamp(0.645 - 0.18 * u, 0.54, 0.70);
}

// ---------------------------------------------------------------------------------------------
// Curves: values at equal steps from 0 to 1, between them cubic pieces (Catmull and Rom), whose slope
// has no jumps

static double read_curve(const double *values, int last, double t, double *out_slope)
{
    double at = snw_clamp(t, 0.0, 1.0) * last;
    int i = (int)at;
    if (i >= last) { i = last - 1; }
    double x = at - i;
    double a = values[i], b = values[i + 1];
    // slopes at both ends of the piece, from the neighbours
    double m0 = i > 0 ? 0.5 * (b - values[i - 1]) : b - a;
    double m1 = i + 2 <= last ? 0.5 * (values[i + 2] - a) : b - a;
    double c2 = 3.0 * (b - a) - 2.0 * m0 - m1, c3 = 2.0 * (a - b) + m0 + m1;
    if (out_slope != NULL) { *out_slope = (m0 + x * (2.0 * c2 + 3.0 * x * c3)) * last; }
    return a + x * (m0 + x * (c2 + x * c3));
}

double snw_swing_progress(double t, double *out_slope)
{
    static const double values[11] = { 0.0, 0.085, 0.18, 0.295, 0.425, 0.565, 0.705, 0.83, 0.923,
        0.978, 1.0 };
    return read_curve(values, 10, t, out_slope);
}

double snw_swing_lift(double t, double *out_slope)
{
    static const double values[11] = { 0.111, 0.124, 0.120, 0.106, 0.085, 0.058, 0.033, 0.014,
        0.008, 0.006, 0.0074 };
    return read_curve(values, 10, t, out_slope);
}

double snw_swing_pitch(double t, double *out_slope)
{
    static const double values[11] = { -52.2 * DEGREE, -61.8 * DEGREE, -59.2 * DEGREE,
        -48.7 * DEGREE, -34.8 * DEGREE, -20.0 * DEGREE, -5.2 * DEGREE, 10.0 * DEGREE, 21.0 * DEGREE,
        24.0 * DEGREE, 19.0 * DEGREE };
    return read_curve(values, 10, t, out_slope);
}

double snw_stance_knee(double phase)
{
    // every 0.05 of the cycle
    static const double values[15] = { 12.0 * DEGREE, 22.0 * DEGREE, 27.0 * DEGREE, 29.0 * DEGREE,
        27.0 * DEGREE, 17.5 * DEGREE, 10.0 * DEGREE, 7.0 * DEGREE, 7.0 * DEGREE, 8.5 * DEGREE,
        12.0 * DEGREE, 24.0 * DEGREE, 36.5 * DEGREE, 47.0 * DEGREE, 58.0 * DEGREE };
    return read_curve(values, 14, phase / 0.7, NULL);
}
