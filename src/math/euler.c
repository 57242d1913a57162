#include "math/euler.h"

// Cosine of the middle angle below which the first angle may be held at gimbal lock, and how far
// the held angle may turn the result, radians.
#define GIMBAL_COSINE 1e-6
#define GIMBAL_ERROR 1e-10

#define TWO_PI (2.0 * SINEW_PI)

static double component(sinew_Quat q, int axis)
{
    return axis == 0 ? q.x : axis == 1 ? q.y : q.z;
}

static double element(const sinew_Vec3 *column, int row)
{
    return row == 0 ? column->x : row == 1 ? column->y : column->z;
}

/// Rotation about the axis of that index (0 x, 1 y, 2 z).
static sinew_Quat quat_about(int axis, double angle)
{
    double s, c;
    sinew_sincos(0.5 * angle, &s, &c);
    sinew_Quat r = { axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0, c };
    return r;
}

sinew_Quat snw_euler_to_quat(const int order[3], const double angles[3])
{
    sinew_Quat first = quat_about(order[0], angles[0]);
    sinew_Quat second = quat_about(order[1], angles[1]);
    sinew_Quat third = quat_about(order[2], angles[2]);
    return sinew_quat_mul(sinew_quat_mul(first, second), third);
}

// the same angle, moved by full turns next to another
static double unwrap(double angle, double near)
{
    return angle - TWO_PI * floor((angle - near) / TWO_PI + 0.5);
}

static double squared_distance(const double a[3], const double b[3])
{
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) { sum += (a[i] - b[i]) * (a[i] - b[i]); }
    return sum;
}

void snw_euler_from_quat(
    const int order[3], sinew_Quat q, const double previous[3], double out_angles[3])
{
    sinew_Quat unit = sinew_quat_normalize(q);
    sinew_Mat3 m = sinew_mat3_from_quat(unit);
    const sinew_Vec3 *last = order[2] == 0 ? &m.x : order[2] == 1 ? &m.y : &m.z;
    double sign = (order[0] + 1) % 3 == order[1] ? 1.0 : -1.0;

    // the column of the last axis is (sign sin b, -sign sin a cos b, cos a cos b) in this order
    double sine_part = -sign * element(last, order[1]);
    double cosine_part = element(last, order[2]);
    double cos_b = sqrt(sine_part * sine_part + cosine_part * cosine_part);
    double a = sinew_atan2(sine_part, cosine_part);
    double b = sinew_atan2(sign * element(last, order[0]), cos_b);

    // near gimbal lock the first angle is noise: hold it where that does not change the rotation
    if (cos_b < GIMBAL_COSINE
        && cos_b * fabs(unwrap(a, previous[0]) - previous[0]) < GIMBAL_ERROR) {
        a = previous[0];
    }

    // the third angle is what is left, so errors of the first two meet here and do not add up
    sinew_Quat left = sinew_quat_mul(
        quat_about(order[1], -b), sinew_quat_mul(quat_about(order[0], -a), unit));
    double c = 2.0 * sinew_atan2(component(left, order[2]), left.w);

    double plain[3] = { unwrap(a, previous[0]), unwrap(b, previous[1]), unwrap(c, previous[2]) };
    double flipped[3] = { unwrap(a + SINEW_PI, previous[0]), unwrap(SINEW_PI - b, previous[1]),
        unwrap(c + SINEW_PI, previous[2]) };
    bool flip = squared_distance(flipped, previous) < squared_distance(plain, previous);
    for (int i = 0; i < 3; ++i) { out_angles[i] = flip ? flipped[i] : plain[i]; }
}

// ---------------------------------------------------------------------------------------------
// Orders by name

static const int orders[SINEW_EULER_ORDER_COUNT][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
    { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

static const int *axes_of(sinew_EulerOrder order)
{
    bool known = (int)order >= 0 && (int)order < SINEW_EULER_ORDER_COUNT;
    return orders[known ? (int)order : (int)SINEW_EULER_XYZ];
}

const char *sinew_euler_order_name(sinew_EulerOrder order)
{
    static const char *const names[SINEW_EULER_ORDER_COUNT] = { "XYZ", "XZY", "YXZ", "YZX", "ZXY",
        "ZYX" };
    bool known = (int)order >= 0 && (int)order < SINEW_EULER_ORDER_COUNT;
    return known ? names[order] : "";
}

sinew_Quat sinew_quat_from_euler(sinew_EulerOrder order, const double angles[3])
{
    if (angles == NULL) { return sinew_quat_identity(); }
    return snw_euler_to_quat(axes_of(order), angles);
}

void sinew_quat_to_euler(
    sinew_EulerOrder order, sinew_Quat q, const double previous[3], double out_angles[3])
{
    static const double zero[3] = { 0.0, 0.0, 0.0 };
    if (out_angles == NULL) { return; }
    if (previous == NULL) { previous = zero; }
    snw_euler_from_quat(axes_of(order), q, previous, out_angles);
}
