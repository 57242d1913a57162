#ifndef SNW_SWING_TWIST_H
#define SNW_SWING_TWIST_H

// Swing and twist about x, and square roots without square roots.

#include "sinew/limit.h"

/// Directions are taken for opposite, without a shortest way between them, where a . b < -1 + this: the
/// sum has lost its digits there.
#define SNW_DOT_EPSILON 1e-12

/// About 1/sqrt(s), within 1.1e-4 of it, for normal s > 0: a first guess from the bits, then one
/// cubic step, which beats two of Newton's. Only + - * inside.
static inline double snw_fast_inverse_root(double s)
{
    union {
        double number;
        uint64_t bits;
    } guess = { s };
    guess.bits = 0x5FE6EB50C7B537A9ULL - (guess.bits >> 1);
    double y = guess.number;
    double e = 1.0 - s * y * y;
    return y * (1.0 + e * (0.5 + 0.375 * e));
}

/// The bone of a rotation: its image of x.
static inline sinew_Vec3 snw_bone_of(sinew_Quat r)
{
    sinew_Vec3 u = {
        1.0 - 2.0 * (r.y * r.y + r.z * r.z),
        2.0 * (r.x * r.y + r.w * r.z),
        2.0 * (r.x * r.z - r.w * r.y),
    };
    return u;
}

/// Twist of a rotation, in (-pi, pi]; 0 at a swing of exactly pi. One arc tangent.
double snw_twist_of(sinew_Quat r);

/// Rotation with the bone along unit u and that twist.
sinew_Quat snw_swing_twist(sinew_Vec3 u, double twist);

#endif
