// Rays of common windows, and definitions of limits.

#include "base/message.h"
#include "body/swing_twist.h"

void sinew_reach_polar(
    const double *azimuths, const double *swings, int count, bool mirrored, sinew_Vec3 *out_rays)
{
    if (azimuths == NULL || swings == NULL || out_rays == NULL) { return; }
    for (int i = 0; i < count; ++i) {
        double sin_swing, cos_swing, s, c;
        sinew_sincos(swings[i], &sin_swing, &cos_swing);
        sinew_sincos(mirrored ? -azimuths[i] : azimuths[i], &s, &c);
        out_rays[i] = sinew_vec3(cos_swing, sin_swing * c, sin_swing * s);
    }
}

void sinew_reach_ellipse(double half_y, double half_z, int ray_count, sinew_Vec3 *out_rays)
{
    if (out_rays == NULL) { return; }
    double sy, cy, sz, cz;
    sinew_sincos(half_y, &sy, &cy);
    sinew_sincos(half_z, &sz, &cz);
    for (int i = 0; i < ray_count; ++i) {
        // an ellipse in the plane x = 1, times cy cz so that nothing is divided by a small cosine
        double s, c;
        sinew_sincos(2.0 * SINEW_PI * i / ray_count, &s, &c);
        sinew_Vec3 ray = { cy * cz, sy * cz * c, cy * sz * s };
        out_rays[i] = sinew_vec3_normalize_or(ray, sinew_vec3(1.0, 0.0, 0.0));
    }
}

sinew_BallLimitDef sinew_ball_limit_def_default(void)
{
    sinew_BallLimitDef r = {
        .cookie = SNW_COOKIE,
        .neutral = { 0.0, 0.0, 0.0, 1.0 },
        .bone = { 0.0, 0.0, 0.0, 1.0 },
        .windows = NULL,
        .window_count = 0,
        .star = false,
        .star_center = { 1.0, 0.0, 0.0 },
        .twist_lower = -INFINITY,
        .twist_upper = INFINITY,
        .response = SINEW_RESPONSE_ARC,
    };
    return r;
}

// any unit vector orthogonal to a unit one
static sinew_Vec3 orthogonal(sinew_Vec3 a)
{
    sinew_Vec3 other = fabs(a.x) < 0.6 ? sinew_vec3(1.0, 0.0, 0.0) : sinew_vec3(0.0, 1.0, 0.0);
    return sinew_vec3_normalize_or(sinew_vec3_cross(a, other), other);
}

void sinew_ball_limit_def_set_neutral(
    sinew_BallLimitDef *def, sinew_Quat neutral_pose, sinew_Vec3 bone_joint, sinew_Vec3 zero_socket)
{
    if (def == NULL) { return; }
    sinew_Vec3 along_x = { 1.0, 0.0, 0.0 };
    sinew_Quat pose = sinew_quat_normalize(neutral_pose);
    sinew_Vec3 x = sinew_quat_rotate(pose, sinew_vec3_normalize_or(bone_joint, along_x));

    // y: what is left of zero_socket across the bone
    sinew_Vec3 zero = sinew_vec3_normalize_or(zero_socket, x);
    sinew_Vec3 across = sinew_vec3_add_scaled(zero, x, -sinew_vec3_dot(zero, x));
    sinew_Vec3 y = sinew_vec3_dot(across, across) > 1e-12
        ? sinew_vec3_normalize_or(across, orthogonal(x))
        : orthogonal(x);
    sinew_Mat3 axes = { x, y, sinew_vec3_cross(x, y) };
    def->neutral = sinew_quat_from_mat3(axes);
    def->bone = sinew_quat_mul(sinew_quat_conjugate(pose), def->neutral);
}
