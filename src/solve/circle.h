#ifndef SNW_CIRCLE_H
#define SNW_CIRCLE_H

// What closed forms are made of: turns by their sines and cosines, no angle being formed before it is
// wanted, and the circle a cos + b sin = c, to which a hinge's equation comes down wherever others have
// been taken out of it. Paden (1986) and Kahan: subproblems of inverse kinematics.

#include "sinew/vecmath.h"

/// Circles that miss each other by this share of their size touch, by rounding.
#define SNW_TOUCHING 1e-12

/// An angle by its sine and cosine.
typedef struct snw_Turn {
    double sine, cosine;
} snw_Turn;

static inline snw_Turn snw_turn_of(double angle)
{
    snw_Turn r;
    sinew_sincos(angle, &r.sine, &r.cosine);
    return r;
}

/// v after a turn about z, and before it.
static inline sinew_Vec3 snw_turn_z(sinew_Vec3 v, snw_Turn t)
{
    sinew_Vec3 r = { t.cosine * v.x - t.sine * v.y, t.sine * v.x + t.cosine * v.y, v.z };
    return r;
}

static inline sinew_Vec3 snw_unturn_z(sinew_Vec3 v, snw_Turn t)
{
    sinew_Vec3 r = { t.cosine * v.x + t.sine * v.y, t.cosine * v.y - t.sine * v.x, v.z };
    return r;
}

/// The same about x.
static inline sinew_Vec3 snw_turn_x(sinew_Vec3 v, snw_Turn t)
{
    sinew_Vec3 r = { v.x, t.cosine * v.y - t.sine * v.z, t.sine * v.y + t.cosine * v.z };
    return r;
}

static inline sinew_Vec3 snw_unturn_x(sinew_Vec3 v, snw_Turn t)
{
    sinew_Vec3 r = { v.x, t.cosine * v.y + t.sine * v.z, t.cosine * v.z - t.sine * v.y };
    return r;
}

/// The turn about z that brings from over to: their heights do not count, and their distances from z
/// are taken to be equal. {0, 0} where from stands on z, as any turn does.
static inline snw_Turn snw_turn_between(sinew_Vec3 from, sinew_Vec3 to)
{
    double size2 = from.x * from.x + from.y * from.y;
    double scale = size2 > 0.0 ? 1.0 / size2 : 0.0;
    snw_Turn r = { scale * (from.x * to.y - from.y * to.x),
        scale * (from.x * to.x + from.y * to.y) };
    return r;
}

/// Turns with a cos + b sin = c: 0 or 2 of them, the same one twice where circles touch.
static inline int snw_circle(double a, double b, double c, snw_Turn out[2])
{
    double size2 = a * a + b * b, left2 = size2 - c * c;
    if (!(left2 >= -SNW_TOUCHING * size2) || !(size2 > 0.0)) { return 0; }
    double inverse = 1.0 / size2, half = left2 > 0.0 ? sqrt(left2) : 0.0;
    out[0].cosine = (a * c - b * half) * inverse;
    out[0].sine = (b * c + a * half) * inverse;
    out[1].cosine = (a * c + b * half) * inverse;
    out[1].sine = (b * c - a * half) * inverse;
    return 2;
}

/// The same, the turn nearer to a given one first.
static inline int snw_circle_near(double a, double b, double c, snw_Turn near, snw_Turn out[2])
{
    int count = snw_circle(a, b, c, out);
    // the sine of the way from the middle of both decides which is nearer
    if (count == 2 && a * near.sine - b * near.cosine < 0.0) {
        snw_Turn swap = out[0];
        out[0] = out[1];
        out[1] = swap;
    }
    return count;
}

/// angle + n full turns, as near to a value as it goes; that is at most 1e9.
static inline double snw_unwind(double angle, double near)
{
    // whole turns by the rounding of an addition
    const double magic = 6755399441055744.0; // 1.5 * 2^52
    double turns = ((near - angle) * (0.5 / SINEW_PI) + magic) - magic;
    return angle + turns * (2.0 * SINEW_PI);
}

/// The way of writing an angle that lies in a range, nearest to a value; false: none does. An angle
/// that rounding took out of the range by less than slack is on its bound.
static inline bool snw_place_angle(
    double angle, double lower, double upper, double near, double slack, double *out)
{
    double value = snw_unwind(angle, near);
    if (value < lower - slack) { value += 2.0 * SINEW_PI; }
    if (value > upper + slack) { value -= 2.0 * SINEW_PI; }
    if (value < lower - slack || value > upper + slack) { return false; }
    *out = value < lower ? lower : (value > upper ? upper : value);
    return true;
}

#endif
