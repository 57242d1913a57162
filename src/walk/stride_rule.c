// Numbers of the two-stage cycle. Source: Meredith and Maddock (2004).

#include "walk/stride_rule.h"

#include "sinew/vecmath.h"

double snw_stride_longest(double leg_length, double trailing)
{
    return 0.5 * leg_length + trailing;
}

snw_StrideTimes snw_stride_times(double stride, double gap, double speed)
{
    double way = 0.5 * stride;
    snw_StrideTimes times;
    times.roll_way = fmin(fmax(0.0, gap), 0.5 * way);
    times.swing_way = way - times.roll_way;
    times.swing_time = times.swing_way / speed;
    times.roll_time = times.roll_way / speed;
    return times;
}

double snw_hip_height(double from, double to, double amplitude, double share)
{
    double line = from + (to - from) * share;
    if (!(amplitude > 0.0)) { return line; }
    double s, c;
    sinew_sincos(SINEW_PI * share, &s, &c);
    return line + amplitude * s * s;
}

double snw_hip_swing(double from, double to, int side, double share)
{
    double amplitude = from + (to - from) * share;
    double s, c;
    sinew_sincos(SINEW_PI * share, &s, &c);
    return side * amplitude * c;
}
