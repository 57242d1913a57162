// How people walk: cadence and stance by speed, curves of the swing, the knee that a standing leg wants.

#include "walk/gait.h"

#include "math/exp.h"
#include "math/holds.h"
#include "math/trig.h"

#include <stddef.h>

const snw_GaitNumbers snw_gait_numbers = {
    .most_height = 0.9818,
    .late_height = 0.991,
    .late_drop = 0.00449,
    .push_pitch = 57.9,
    .push_start = 0.235,
    .heel_pitch = 18.8,
    .toe_bend = 33.5,
    .knee = { 0.5, 4.0, 26.46, 3.0, 8.52, 5.45 },
    .lift = 1.46,
    .pitch = 0.883,
    .lift_early = 0.814,
    .pitch_early = -0.126,
    .stance = 0.6456,
    .stance_slope = 0.1565,
};

double snw_follow(double h, double time_constant)
{
    return 1.0 - snw_exp(-h / time_constant);
}

double snw_follow_to(double value, double target, double h, double time_constant)
{
    const double away = target - value;
    return fabs(away) < SNW_ARRIVED ? target : value + snw_follow(h, time_constant) * away;
}

void snw_follower_step(snw_Follower *follower, double target, double omega, double h)
{
    double away = follower->value - target;
    if (fabs(away) + fabs(follower->speed) < SNW_ARRIVED) {
        follower->value = target;
        follower->speed = 0.0;
        return;
    }
    const double exponent = -omega * h;
    if (exponent != follower->exponent || exponent == 0.0) {
        follower->exponent = exponent;
        follower->fade = snw_exp(exponent);
    }
    const double fade = follower->fade;
    double rate = follower->speed + omega * away;
    follower->value = target + (away + rate * h) * fade;
    follower->speed = (follower->speed - omega * rate * h) * fade;
}

// ---------------------------------------------------------------------------------------------
// Stride and cadence

double snw_stride_length(double u)
{
    // exponent after Grieve (1968); with this factor steps are 6.0 to 6.6 mm long for each step a minute from
    // 0.8 to 1.6 m/s, as those of people are (5.9 to 6.7)
    return u > 1e-6 ? 2.12 * snw_pow(u, 0.42) : 0.0;
}

double snw_stride_period(double u, double leg_length)
{
    double scale = sqrt(leg_length / SNW_USUAL_LEG);
    if (!(u > 1e-3)) { return SNW_LONGEST_PERIOD * scale; }
    double period = snw_stride_length(u) / u * sqrt(leg_length / SNW_GRAVITY);
    return snw_clamp(period, SNW_SHORTEST_PERIOD * scale, SNW_LONGEST_PERIOD * scale);
}

double snw_stance_share(const snw_GaitNumbers *numbers, double u)
{
    return snw_clamp(numbers->stance - numbers->stance_slope * u, 0.54, 0.70);
}

// ---------------------------------------------------------------------------------------------
// Curves: values at equal steps from 0 to 1, between them cubic pieces (Catmull and Rom), whose slope
// has no jumps

static double read_curve(const double *values, int last, double t, double *out_slope)
{
    SNW_ASSERT(snw_holds_share(t));
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

/// A curve that runs earlier, which keeps its ends, and higher.
static double shape(const double *values, double size, double early, double t, double *out_slope)
{
    double slope, value = size * read_curve(values, 10, t + early * t * (1.0 - t), &slope);
    if (out_slope != NULL) { *out_slope = size * slope * (1.0 + early * (1.0 - 2.0 * t)); }
    return value;
}

double snw_swing_lift(const snw_GaitNumbers *numbers, double t, double *out_slope)
{
    static const double values[11] = { 0.111, 0.124, 0.120, 0.106, 0.085, 0.058, 0.033, 0.014,
        0.008, 0.006, 0.0074 };
    return shape(values, numbers->lift, numbers->lift_early, t, out_slope);
}

double snw_swing_pitch(const snw_GaitNumbers *numbers, double t, double *out_slope)
{
    static const double values[11] = { -52.2 * SNW_DEGREE, -61.8 * SNW_DEGREE, -59.2 * SNW_DEGREE,
        -48.7 * SNW_DEGREE, -34.8 * SNW_DEGREE, -20.0 * SNW_DEGREE, -5.2 * SNW_DEGREE,
        10.0 * SNW_DEGREE, 21.0 * SNW_DEGREE, 24.0 * SNW_DEGREE, 19.0 * SNW_DEGREE };
    return shape(values, numbers->pitch, numbers->pitch_early, t, out_slope);
}

double snw_stance_knee(const snw_GaitNumbers *numbers, double phase)
{
    SNW_ASSERT(snw_holds_share(phase));
    // every 0.05 of the cycle; from 0.55 on only the shape counts, the leg is about to leave
    const double *k = numbers->knee;
    double near = k[2] - 2.0;
    const double values[15] = { k[0], k[1], near, k[2], near, 0.5 * (near + k[3]), k[3],
        0.5 * (k[3] + k[4]), k[4], 0.5 * (k[4] + k[5]), k[5], 24.0, 36.5, 47.0, 58.0 };
    return SNW_DEGREE * read_curve(values, 14, phase / 0.7, NULL);
}
