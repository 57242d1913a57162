// The path of a heel through the air.
// Source: Meredith and Maddock (2004), eq. 1.15 and the section on uneven ground. The paper turns the
// curve in one place and skews it in another; both are here, with a guard that keeps turned curves from
// going back, and a ramp for steps, whose edges neither of them clears.

#include "walk/stride_curve.h"

#include "math/holds.h"
#include "walk/gait.h"

double snw_lift_curve(double u)
{
    if (!(u > 0.0) || u >= 3.0 * SINEW_PI) { return 0.0; }
    double s, c;
    sinew_sincos(u <= SINEW_PI ? u : 0.5 * (SINEW_PI + u), &s, &c);
    return 1.0 - c;
}

double snw_stride_steepest(double stride, double clearance, bool rising)
{
    double most = (rising ? 2.0 : 4.0) * stride;
    double least = 3.0 * SINEW_PI * clearance;
    return most >= least ? 1.0 : most / least;
}

// lift across the chord: a share of it goes sideways, back when rising and forward when falling
static sinew_Vec3 turned(const snw_Stride *stride, sinew_Vec3 base, double lift)
{
    sinew_Vec3 chord = sinew_vec3_sub(stride->end, stride->start);
    double way = sqrt(chord.x * chord.x + chord.z * chord.z);
    double length = sinew_vec3_length(chord);
    if (!(way > 0.0)) { return sinew_vec3(base.x, base.y + lift, base.z); }
    double sine = chord.y / length;
    double most = snw_stride_steepest(way, stride->clearance, sine > 0.0);
    double back = fmin(most, fmax(-most, sine)) * lift / way;
    return sinew_vec3(
        base.x - back * chord.x, base.y + lift * way / length, base.z - back * chord.z);
}

double snw_stride_way(const snw_Stride *stride, double share)
{
    double t = fmin(1.0, fmax(0.0, share));
    if (stride->shape != SNW_STRIDE_RAMP) { return t; }
    double wait = fmax(0.0, stride->hold), early = fmax(0.0, -stride->hold);
    return fmin(1.0, fmax(0.0, (t - wait) / (1.0 - wait - early)));
}

sinew_Vec3 snw_stride_point(const snw_Stride *stride, double share)
{
    SNW_ASSERT(snw_holds_share(share));
    double t = fmin(1.0, fmax(0.0, share));
    double lift = 0.5 * stride->clearance * snw_lift_curve(3.0 * SINEW_PI * t);
    sinew_Vec3 base = sinew_vec3_lerp(stride->start, stride->end, snw_stride_way(stride, t));
    if (t >= 1.0) { base = stride->end; }
    switch (stride->shape) {
    case SNW_STRIDE_SKEW: base.y += lift; break;
    case SNW_STRIDE_ROTATE: base = turned(stride, base, lift); break;
    case SNW_STRIDE_RAMP: {
        double rise = stride->end.y - stride->start.y;
        base.y = stride->start.y
            + rise * snw_smoothstep((t - stride->low) / (stride->high - stride->low));
        base.y += lift;
        break;
    }
    }
    return base;
}
