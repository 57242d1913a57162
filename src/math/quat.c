#include "math/trig.h"

sinew_Quat sinew_quat_from_axis_angle(sinew_Vec3 unit_axis, double angle)
{
    double s, c;
    sinew_sincos(0.5 * angle, &s, &c);
    sinew_Quat r = { unit_axis.x * s, unit_axis.y * s, unit_axis.z * s, c };
    return r;
}

sinew_Quat sinew_quat_exp(sinew_Vec3 v)
{
    double angle = sinew_vec3_length(v);
    // sin(a/2)/a; below 1e-4 two terms of its series are exact to the last bit
    double s, c;
    sinew_sincos(0.5 * angle, &s, &c);
    double scale = angle > 1e-4 ? s / angle : 0.5 - angle * angle * (1.0 / 48.0);
    sinew_Quat r = { v.x * scale, v.y * scale, v.z * scale, c };
    return r;
}

sinew_Vec3 sinew_quat_log(sinew_Quat q)
{
    if (q.w < 0.0) {
        sinew_Quat opposite = { -q.x, -q.y, -q.z, -q.w };
        q = opposite;
    }
    double n = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    // angle over sine of its half; 2 (1 + n^2/6) to the last bit when n is small
    double scale = n > 1e-4 ? 2.0 * sinew_atan2(n, q.w) / n : 2.0 + n * n * (1.0 / 3.0);
    return sinew_vec3(q.x * scale, q.y * scale, q.z * scale);
}

sinew_Quat sinew_quat_between(sinew_Vec3 a, sinew_Vec3 b)
{
    // the half angle by normalising (a x b, 1 + a.b); Blow (2002), listing 1
    double d = sinew_vec3_dot(a, b);
    sinew_Vec3 c = sinew_vec3_cross(a, b);
    double w = 1.0 + d;
    if (d < -0.9) {
        // the same from a + b, which keeps its digits where 1 + a.b and a x b lose theirs
        sinew_Vec3 sum = sinew_vec3_add(a, b);
        c = sinew_vec3_cross(a, sum);
        w = 0.5 * sinew_vec3_dot(sum, sum);
    }
    // closer to opposite than this, the axis drowns in rounding: any orthogonal one will do
    if (d < 0.0 && sinew_vec3_dot(c, c) < 1e-28) {
        sinew_Vec3 other = fabs(a.x) < 0.6 ? sinew_vec3(1.0, 0.0, 0.0) : sinew_vec3(0.0, 1.0, 0.0);
        sinew_Vec3 axis = sinew_vec3_normalize_or(sinew_vec3_cross(a, other), other);
        sinew_Quat half_turn = { axis.x, axis.y, axis.z, 0.0 };
        return half_turn;
    }
    sinew_Quat q = { c.x, c.y, c.z, w };
    return sinew_quat_normalize(q);
}

sinew_Quat sinew_quat_slerp(sinew_Quat a, sinew_Quat b, double t)
{
    sinew_Vec3 turn = sinew_quat_log(sinew_quat_mul(sinew_quat_conjugate(a), b));
    return sinew_quat_normalize(sinew_quat_mul(a, sinew_quat_exp(sinew_vec3_scale(turn, t))));
}

double sinew_quat_angle(sinew_Quat a, sinew_Quat b)
{
    sinew_Quat d = sinew_quat_mul(sinew_quat_conjugate(a), b);
    return 2.0 * sinew_atan2(sqrt(d.x * d.x + d.y * d.y + d.z * d.z), fabs(d.w));
}

sinew_Quat sinew_quat_from_mat3(sinew_Mat3 m)
{
    // start from the largest component, so that nothing is divided by a small number
    double trace = m.x.x + m.y.y + m.z.z;
    sinew_Quat q;
    if (trace >= m.x.x && trace >= m.y.y && trace >= m.z.z) {
        sinew_Quat r = { m.y.z - m.z.y, m.z.x - m.x.z, m.x.y - m.y.x, 1.0 + trace };
        q = r;
    } else if (m.x.x >= m.y.y && m.x.x >= m.z.z) {
        sinew_Quat r = { 1.0 + m.x.x - m.y.y - m.z.z, m.x.y + m.y.x, m.x.z + m.z.x, m.y.z - m.z.y };
        q = r;
    } else if (m.y.y >= m.z.z) {
        sinew_Quat r = { m.x.y + m.y.x, 1.0 + m.y.y - m.x.x - m.z.z, m.y.z + m.z.y, m.z.x - m.x.z };
        q = r;
    } else {
        sinew_Quat r = { m.x.z + m.z.x, m.y.z + m.z.y, 1.0 + m.z.z - m.x.x - m.y.y, m.x.y - m.y.x };
        q = r;
    }
    return sinew_quat_normalize(q);
}
