#ifndef SINEW_VECMATH_H
#define SINEW_VECMATH_H

/// \file
/// Vectors, quaternions, matrices and rigid transforms.
///
/// Metres and radians, right-handed, Y up, column vectors. A quaternion is (x, y, z, w) and turns
/// a vector by q v q*. Rotations are named target_from_source, so that a correct product has equal
/// neighbours: world_from_hand = sinew_quat_mul(world_from_arm, arm_from_hand).

#include "base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_PI 3.14159265358979323846

typedef struct sinew_Vec3 {
    double x, y, z;
} sinew_Vec3;

typedef struct sinew_Quat {
    double x, y, z, w;
} sinew_Quat;

/// 3x3 matrix by columns: m = [x y z], so m v = x v.x + y v.y + z v.z.
typedef struct sinew_Mat3 {
    sinew_Vec3 x, y, z;
} sinew_Mat3;

/// Rigid transform: v -> rotation v + position.
typedef struct sinew_Transform {
    sinew_Vec3 position;
    sinew_Quat rotation;
} sinew_Transform;

// ---------------------------------------------------------------------------------------------
// Trigonometry with the same bits on every platform (only + - * / and sqrt inside).

/// Sine and cosine together. Error below 1e-15 for |angle| <= 1e6; for larger angles the
/// argument is first reduced by the double nearest to 2 pi. Not finite in, NaN out.
SINEW_API void sinew_sincos(double angle, double *out_sin, double *out_cos);
/// Angle of the point (x, y), in [-pi, pi]; 0 at the origin. Error below 1e-15.
SINEW_API double sinew_atan2(double y, double x);
/// Angle in [0, pi]; the argument is cropped to [-1, 1]. Error below 2e-15.
SINEW_API double sinew_acos(double cosine);
/// Angle in [-pi/2, pi/2]; the argument is cropped to [-1, 1]. Error below 2e-15.
SINEW_API double sinew_asin(double sine);

// ---------------------------------------------------------------------------------------------
// Vectors

/// (x, y, z)
static inline sinew_Vec3 sinew_vec3(double x, double y, double z)
{
    sinew_Vec3 r = { x, y, z };
    return r;
}

/// a + b
static inline sinew_Vec3 sinew_vec3_add(sinew_Vec3 a, sinew_Vec3 b)
{
    sinew_Vec3 r = { a.x + b.x, a.y + b.y, a.z + b.z };
    return r;
}

/// a - b
static inline sinew_Vec3 sinew_vec3_sub(sinew_Vec3 a, sinew_Vec3 b)
{
    sinew_Vec3 r = { a.x - b.x, a.y - b.y, a.z - b.z };
    return r;
}

/// a s
static inline sinew_Vec3 sinew_vec3_scale(sinew_Vec3 a, double s)
{
    sinew_Vec3 r = { a.x * s, a.y * s, a.z * s };
    return r;
}

/// a + b s
static inline sinew_Vec3 sinew_vec3_add_scaled(sinew_Vec3 a, sinew_Vec3 b, double s)
{
    sinew_Vec3 r = { a.x + b.x * s, a.y + b.y * s, a.z + b.z * s };
    return r;
}

/// a . b
static inline double sinew_vec3_dot(sinew_Vec3 a, sinew_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/// a x b
static inline sinew_Vec3 sinew_vec3_cross(sinew_Vec3 a, sinew_Vec3 b)
{
    sinew_Vec3 r = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return r;
}

/// |a|
static inline double sinew_vec3_length(sinew_Vec3 a)
{
    return sqrt(sinew_vec3_dot(a, a));
}

/// |a - b|
static inline double sinew_vec3_distance(sinew_Vec3 a, sinew_Vec3 b)
{
    return sinew_vec3_length(sinew_vec3_sub(a, b));
}

/// Unit vector along a; fallback when a is shorter than 1e-150 (its square would be lost).
static inline sinew_Vec3 sinew_vec3_normalize_or(sinew_Vec3 a, sinew_Vec3 fallback)
{
    double length = sinew_vec3_length(a);
    if (!(length > 1e-150)) { return fallback; }
    return sinew_vec3_scale(a, 1.0 / length);
}

/// a + (b - a) t; a for t = 0, b but for rounding for t = 1
static inline sinew_Vec3 sinew_vec3_lerp(sinew_Vec3 a, sinew_Vec3 b, double t)
{
    return sinew_vec3_add_scaled(a, sinew_vec3_sub(b, a), t);
}

/// Whether no component is infinite or NaN.
static inline bool sinew_vec3_is_finite(sinew_Vec3 a)
{
    return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

// ---------------------------------------------------------------------------------------------
// Quaternions

/// No rotation.
static inline sinew_Quat sinew_quat_identity(void)
{
    sinew_Quat r = { 0.0, 0.0, 0.0, 1.0 };
    return r;
}

/// First b, then a.
static inline sinew_Quat sinew_quat_mul(sinew_Quat a, sinew_Quat b)
{
    sinew_Quat r = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return r;
}

/// Inverse of a unit quaternion.
static inline sinew_Quat sinew_quat_conjugate(sinew_Quat q)
{
    sinew_Quat r = { -q.x, -q.y, -q.z, q.w };
    return r;
}

/// Cosine of half the angle between two unit quaternions; the square of the length of one with itself.
static inline double sinew_quat_dot(sinew_Quat a, sinew_Quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/// Unit quaternion along q; identity when q is shorter than 1e-150.
static inline sinew_Quat sinew_quat_normalize(sinew_Quat q)
{
    double length = sqrt(sinew_quat_dot(q, q));
    if (!(length > 1e-150)) { return sinew_quat_identity(); }
    double s = 1.0 / length;
    sinew_Quat r = { q.x * s, q.y * s, q.z * s, q.w * s };
    return r;
}

/// q v q*, for a unit q.
static inline sinew_Vec3 sinew_quat_rotate(sinew_Quat q, sinew_Vec3 v)
{
    // v + 2 u x (u x v + w v)
    double tx = 2.0 * (q.y * v.z - q.z * v.y);
    double ty = 2.0 * (q.z * v.x - q.x * v.z);
    double tz = 2.0 * (q.x * v.y - q.y * v.x);
    sinew_Vec3 r = {
        v.x + q.w * tx + (q.y * tz - q.z * ty),
        v.y + q.w * ty + (q.z * tx - q.x * tz),
        v.z + q.w * tz + (q.x * ty - q.y * tx),
    };
    return r;
}

/// Whether no component is infinite or NaN.
static inline bool sinew_quat_is_finite(sinew_Quat q)
{
    return isfinite(q.x) && isfinite(q.y) && isfinite(q.z) && isfinite(q.w);
}

/// Rotation by angle about a unit axis.
SINEW_API sinew_Quat sinew_quat_from_axis_angle(sinew_Vec3 unit_axis, double angle);
/// Rotation by |v| radians about v.
SINEW_API sinew_Quat sinew_quat_exp(sinew_Vec3 rotation_vector);
/// Rotation vector of a unit quaternion, length in [0, pi].
SINEW_API sinew_Vec3 sinew_quat_log(sinew_Quat q);
/// The shortest rotation that takes direction a to direction b (unit vectors). When they are
/// opposite, a half turn about some axis orthogonal to a.
SINEW_API sinew_Quat sinew_quat_between(sinew_Vec3 unit_a, sinew_Vec3 unit_b);
/// Constant-speed interpolation along the shorter arc, t in [0, 1].
SINEW_API sinew_Quat sinew_quat_slerp(sinew_Quat a, sinew_Quat b, double t);
/// Angle between two rotations, in [0, pi].
SINEW_API double sinew_quat_angle(sinew_Quat a, sinew_Quat b);
/// Unit quaternion of a rotation matrix.
SINEW_API sinew_Quat sinew_quat_from_mat3(sinew_Mat3 m);

/// Orders of three rotations about the axes of a frame, each axis as the rotations before it have turned it:
/// SINEW_EULER_ZXY is Rz Rx Ry, as a file with the channels Zrotation Xrotation Yrotation has it.
typedef enum sinew_EulerOrder {
    SINEW_EULER_XYZ,
    SINEW_EULER_XZY,
    SINEW_EULER_YXZ,
    SINEW_EULER_YZX,
    SINEW_EULER_ZXY,
    SINEW_EULER_ZYX,
} sinew_EulerOrder;
#define SINEW_EULER_ORDER_COUNT (SINEW_EULER_ZYX + 1)

/// "XYZ", ...; "" for an order that is not there. Static memory.
SINEW_API const char *sinew_euler_order_name(sinew_EulerOrder order);

/// The rotation by three angles, radians, in the order of the product.
SINEW_API sinew_Quat sinew_quat_from_euler(sinew_EulerOrder order, const double angles[3]);

/// The angles of an order that are nearest to those of the key or frame before (sum of squares), of both ways
/// and all full turns, so that what is keyed interpolates sensibly. At gimbal lock the first angle stays
/// as it was and the last takes what is left, so that the rotation is exact there, too. q is made unit first; out_angles may
/// be previous. An order that is not there is taken for XYZ.
SINEW_API void sinew_quat_to_euler(
    sinew_EulerOrder order, sinew_Quat q, const double previous[3], double out_angles[3]);

// ---------------------------------------------------------------------------------------------
// Matrices

/// No rotation.
static inline sinew_Mat3 sinew_mat3_identity(void)
{
    sinew_Mat3 r = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
    return r;
}

/// m v
static inline sinew_Vec3 sinew_mat3_mul_vec3(sinew_Mat3 m, sinew_Vec3 v)
{
    sinew_Vec3 r = {
        m.x.x * v.x + m.y.x * v.y + m.z.x * v.z,
        m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
        m.x.z * v.x + m.y.z * v.y + m.z.z * v.z,
    };
    return r;
}

/// Transpose of m, times v; the inverse rotation when m is one.
static inline sinew_Vec3 sinew_mat3_transpose_mul_vec3(sinew_Mat3 m, sinew_Vec3 v)
{
    sinew_Vec3 r = { sinew_vec3_dot(m.x, v), sinew_vec3_dot(m.y, v), sinew_vec3_dot(m.z, v) };
    return r;
}

/// First b, then a.
static inline sinew_Mat3 sinew_mat3_mul(sinew_Mat3 a, sinew_Mat3 b)
{
    sinew_Mat3 r = { sinew_mat3_mul_vec3(a, b.x), sinew_mat3_mul_vec3(a, b.y),
        sinew_mat3_mul_vec3(a, b.z) };
    return r;
}

/// Rows for columns; the inverse of a rotation.
static inline sinew_Mat3 sinew_mat3_transpose(sinew_Mat3 m)
{
    sinew_Mat3 r = { { m.x.x, m.y.x, m.z.x }, { m.x.y, m.y.y, m.z.y }, { m.x.z, m.y.z, m.z.z } };
    return r;
}

/// The rotation of a unit quaternion.
static inline sinew_Mat3 sinew_mat3_from_quat(sinew_Quat q)
{
    double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
    double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
    double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
    double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    sinew_Mat3 r = {
        { 1.0 - (yy + zz), xy + wz, xz - wy },
        { xy - wz, 1.0 - (xx + zz), yz + wx },
        { xz + wy, yz - wx, 1.0 - (xx + yy) },
    };
    return r;
}

// ---------------------------------------------------------------------------------------------
// Rigid transforms

/// No rotation, at the origin.
static inline sinew_Transform sinew_transform_identity(void)
{
    sinew_Transform r = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };
    return r;
}

/// First b, then a.
static inline sinew_Transform sinew_transform_mul(sinew_Transform a, sinew_Transform b)
{
    sinew_Transform r = {
        sinew_vec3_add(a.position, sinew_quat_rotate(a.rotation, b.position)),
        sinew_quat_mul(a.rotation, b.rotation),
    };
    return r;
}

/// Where a point of t's frame is outside of it.
static inline sinew_Vec3 sinew_transform_point(sinew_Transform t, sinew_Vec3 point)
{
    return sinew_vec3_add(t.position, sinew_quat_rotate(t.rotation, point));
}

/// The way back: inverse(t) t is the identity but for rounding.
static inline sinew_Transform sinew_transform_inverse(sinew_Transform t)
{
    sinew_Quat inverse = sinew_quat_conjugate(t.rotation);
    sinew_Transform r = { sinew_quat_rotate(inverse, sinew_vec3_scale(t.position, -1.0)), inverse };
    return r;
}

#ifdef __cplusplus
}
#endif

#endif
