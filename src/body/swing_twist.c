#include "body/swing_twist.h"

// A half turn about any axis orthogonal to a takes it to -a. Blow (2002), listing 1, always takes
// the same axis, which fails for many a.
static sinew_Quat half_turn(sinew_Vec3 a)
{
    sinew_Vec3 other = fabs(a.x) < 0.6 ? sinew_vec3(1.0, 0.0, 0.0) : sinew_vec3(0.0, 1.0, 0.0);
    sinew_Vec3 axis = sinew_vec3_normalize_or(sinew_vec3_cross(a, other), other);
    sinew_Quat r = { axis.x, axis.y, axis.z, 0.0 };
    return r;
}

sinew_Quat sinew_quat_between_fast(sinew_Vec3 a, sinew_Vec3 b)
{
    // (a x b, 1 + a.b)/2 has the squared length (1 + a.b)/2
    double d = sinew_vec3_dot(a, b);
    if (d < -1.0 + SNW_DOT_EPSILON) { return half_turn(a); }
    sinew_Vec3 c = sinew_vec3_cross(a, b);
    double y = 0.5 * snw_fast_inverse_root(0.5 + 0.5 * d);
    sinew_Quat r = { c.x * y, c.y * y, c.z * y, (1.0 + d) * y };
    return r;
}

// 1 + b . x of a unit vector; next to -x, where the sum loses its digits, from what is across x
static double one_plus_x(sinew_Vec3 b)
{
    return b.x < 0.0 ? (b.y * b.y + b.z * b.z) / (1.0 - b.x) : 1.0 + b.x;
}

// opposite to x for all that numbers tell, with room for roots and divisions
#define OPPOSITE 1e-280

sinew_Quat sinew_quat_from_x(sinew_Vec3 b)
{
    double d = one_plus_x(b);
    if (d < OPPOSITE) {
        sinew_Quat about_z = { 0.0, 0.0, 1.0, 0.0 };
        return about_z;
    }
    // the length from the components themselves, so that it is unit whatever rounding b has
    double scale = 1.0 / sqrt(b.z * b.z + b.y * b.y + d * d);
    sinew_Quat r = { 0.0, -b.z * scale, b.y * scale, d * scale };
    return r;
}

sinew_Quat sinew_quat_from_x_fast(sinew_Vec3 b)
{
    double d = one_plus_x(b);
    if (d < OPPOSITE) {
        sinew_Quat about_z = { 0.0, 0.0, 1.0, 0.0 };
        return about_z;
    }
    double y = 0.5 * snw_fast_inverse_root(0.5 * d);
    sinew_Quat r = { 0.0, -b.z * y, b.y * y, d * y };
    return r;
}

double snw_twist_of(sinew_Quat r)
{
    // of the two quaternions of a rotation, the one with w >= 0; x = -pi counts as pi
    bool turn = r.w < 0.0 || (r.w == 0.0 && r.x < 0.0);
    return 2.0 * (turn ? sinew_atan2(-r.x, -r.w) : sinew_atan2(r.x, r.w));
}

sinew_Quat snw_swing_twist(sinew_Vec3 u, double twist)
{
    double s, c;
    sinew_sincos(0.5 * twist, &s, &c);
    sinew_Quat swing = sinew_quat_from_x(u);
    sinew_Quat about_x = { s, 0.0, 0.0, c };
    return sinew_quat_mul(swing, about_x);
}

sinew_SwingTwist sinew_swing_twist_decompose(sinew_Quat q)
{
    sinew_SwingTwist r = { q, 0.0 };
    double s = q.x * q.x + q.w * q.w;
    if (s < OPPOSITE) {
        // a half turn about an axis orthogonal to x
        r.swing.x = 0.0;
        r.swing.w = 0.0;
        r.swing = sinew_quat_normalize(r.swing);
        return r;
    }
    // swing = q twist^-1 with twist = (x, 0, 0, w)/sqrt(x^2 + w^2): no trigonometry
    double scale = 1.0 / sqrt(s);
    r.twist = snw_twist_of(q);
    r.swing.x = 0.0;
    r.swing.y = (q.y * q.w - q.z * q.x) * scale;
    r.swing.z = (q.z * q.w + q.y * q.x) * scale;
    r.swing.w = s * scale;
    return r;
}

sinew_Quat sinew_swing_twist_compose(sinew_SwingTwist parts)
{
    double s, c;
    sinew_sincos(0.5 * parts.twist, &s, &c);
    sinew_Quat about_x = { s, 0.0, 0.0, c };
    return sinew_quat_mul(parts.swing, about_x);
}
