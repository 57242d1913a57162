#ifndef LIMIT_TRUTH_H
#define LIMIT_TRUTH_H

// How far a ball is outside its limits, told from the definition alone: own products of quaternions,
// own spherical geometry, in long double, and nothing of the library's tests or responses.
//
// The bone's distance to the windows is an arc. What the twist has too much is told twice: as the
// angle itself, which rounding of q drowns as 1/cos(swing/2), and as the smallest rotation that mends
// it, 2 asin(cos(swing/2) sin(excess/2)), which is as exact as q at any swing: all rotations of one
// twist are a great sphere of unit quaternions, and that is the distance to it.

#include "testing.h"

#include "sinew/limit.h"
#include "sinew/pose.h"

typedef long double truth_Real;

typedef struct truth_Vec {
    truth_Real x, y, z;
} truth_Vec;

typedef struct truth_Quat {
    truth_Real x, y, z, w;
} truth_Quat;

typedef struct truth_Violation {
    double swing; ///< of the bone, radians
    double twist; ///< angle of twist outside its range
    double turn;  ///< smallest rotation that mends the twist
    double pole;  ///< pi less the angle of the swing
} truth_Violation;

static inline truth_Real truth_dot(truth_Vec a, truth_Vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline truth_Vec truth_cross(truth_Vec a, truth_Vec b)
{
    truth_Vec r = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
    return r;
}

static inline truth_Real truth_length(truth_Vec a)
{
    return sqrtl(truth_dot(a, a));
}

static inline truth_Vec truth_unit(truth_Vec a)
{
    truth_Real s = 1.0L / truth_length(a);
    truth_Vec r = { a.x * s, a.y * s, a.z * s };
    return r;
}

static inline truth_Vec truth_ray(sinew_Vec3 v)
{
    truth_Vec r = { v.x, v.y, v.z };
    return truth_unit(r);
}

static inline truth_Real truth_angle(truth_Vec a, truth_Vec b)
{
    return atan2l(truth_length(truth_cross(a, b)), truth_dot(a, b));
}

static inline truth_Quat truth_quat(sinew_Quat q)
{
    truth_Quat r = { q.x, q.y, q.z, q.w };
    truth_Real s = 1.0L / sqrtl(r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w);
    r.x *= s;
    r.y *= s;
    r.z *= s;
    r.w *= s;
    return r;
}

static inline truth_Quat truth_mul(truth_Quat a, truth_Quat b)
{
    truth_Quat r = {
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
    return r;
}

static inline truth_Quat truth_inverse(truth_Quat q)
{
    truth_Quat r = { -q.x, -q.y, -q.z, q.w };
    return r;
}

// ---------------------------------------------------------------------------------------------
// Windows

// arc from u to the shorter great arc from a to b
static inline truth_Real truth_to_side(truth_Vec a, truth_Vec b, truth_Vec u)
{
    truth_Vec n = truth_unit(truth_cross(a, b));
    truth_Real height = truth_dot(n, u);
    truth_Vec foot = { u.x - n.x * height, u.y - n.y * height, u.z - n.z * height };
    if (truth_dot(n, truth_cross(a, foot)) >= 0.0L && truth_dot(n, truth_cross(foot, b)) >= 0.0L) {
        return fabsl(asinl(fminl(fmaxl(height, -1.0L), 1.0L)));
    }
    return fminl(truth_angle(a, u), truth_angle(b, u));
}

// Whether u is in a triangle, its sides included. Two triangles that share a side compute the same
// number for it, so that nothing falls between them.
static inline bool truth_in_triangle(truth_Vec a, truth_Vec b, truth_Vec c, truth_Vec u)
{
    truth_Real sign = truth_dot(truth_cross(a, b), c) < 0.0L ? -1.0L : 1.0L;
    return sign * truth_dot(truth_cross(a, b), u) >= 0.0L
        && sign * truth_dot(truth_cross(b, c), u) >= 0.0L
        && sign * truth_dot(truth_cross(c, a), u) >= 0.0L;
}

// Arc from u to a loop of rays and what it encloses, which is seen whole from center.
static inline truth_Real truth_to_loop(
    const sinew_Vec3 *rays, int count, truth_Vec center, truth_Vec u)
{
    truth_Real best = 8.0L;
    for (int i = 0; i < count; ++i) {
        truth_Vec a = truth_ray(rays[i]), b = truth_ray(rays[(i + 1) % count]);
        if (truth_in_triangle(center, a, b, u)) { return 0.0L; }
        best = fminl(best, truth_to_side(a, b, u));
    }
    return best;
}

static inline truth_Real truth_to_window(
    const sinew_BallLimitDef *def, const sinew_ReachWindow *window, truth_Vec u)
{
    if (window->ray_count == 1) {
        return fmaxl(truth_angle(truth_ray(window->rays[0]), u) - window->cone_half_angle, 0.0L);
    }
    truth_Vec center = truth_ray(def->star_center);
    if (!def->star) {
        // the mean of its corners is inside a convex polygon
        truth_Vec sum = { 0.0L, 0.0L, 0.0L };
        for (int i = 0; i < window->ray_count; ++i) {
            truth_Vec ray = truth_ray(window->rays[i]);
            sum.x += ray.x;
            sum.y += ray.y;
            sum.z += ray.z;
        }
        center = truth_unit(sum);
    }
    return truth_to_loop(window->rays, window->ray_count, center, u);
}

// ---------------------------------------------------------------------------------------------
// Both

static inline truth_Violation truth_violation(const sinew_BallLimitDef *def, sinew_Quat q)
{
    truth_Quat r = truth_mul(
        truth_inverse(truth_quat(def->neutral)), truth_mul(truth_quat(q), truth_quat(def->bone)));
    truth_Real share = sqrtl(r.x * r.x + r.w * r.w);
    truth_Vec u = { 1.0L - 2.0L * (r.y * r.y + r.z * r.z), 2.0L * (r.x * r.y + r.w * r.z),
        2.0L * (r.x * r.z - r.w * r.y) };
    truth_Violation out = { 0.0, 0.0, 0.0,
        (double)(2.0L * atan2l(share, sqrtl(r.y * r.y + r.z * r.z))) };

    truth_Real swing = def->window_count > 0 ? 8.0L : 0.0L;
    for (int i = 0; i < def->window_count; ++i) {
        swing = fminl(swing, truth_to_window(def, def->windows + i, u));
    }
    out.swing = (double)swing;

    if (isfinite(def->twist_lower)) {
        const truth_Real turn = 2.0L * 3.14159265358979323846264338327950288L;
        truth_Real twist = 2.0L * atan2l(r.x, r.w);
        truth_Real middle = 0.5L * ((truth_Real)def->twist_lower + def->twist_upper);
        truth_Real half = 0.5L * ((truth_Real)def->twist_upper - def->twist_lower);
        truth_Real excess = fmaxl(fabsl(remainderl(twist - middle, turn)) - half, 0.0L);
        out.twist = (double)excess;
        out.turn = (double)(2.0L * asinl(fminl(share * sinl(0.5L * excess), 1.0L)));
    }
    return out;
}

/// What is outside by more than rounding at any swing; the twist itself where it has digits left: 3e-5
/// rad from a swing of pi the rounding that the library lets pass, 8e-15 of rotation, is 5e-10 rad.
static inline double truth_outside(const sinew_BallLimitDef *def, sinew_Quat q)
{
    truth_Violation v = truth_violation(def, q);
    return fmax(v.swing, v.pole > 3e-5 ? v.twist : v.turn);
}

static inline sinew_Quat truth_ball(const sinew_Skeleton *skeleton, int axis, const double *q)
{
    const double *v = &q[sinew_skeleton_axis_places(skeleton)[axis].coordinate];
    sinew_Quat r = { v[0], v[1], v[2], v[3] };
    return r;
}

/// The same of one axis of a pose; ranges of hinges and slides in their units.
static inline double truth_axis_outside(const sinew_Skeleton *skeleton, int axis, const double *q)
{
    const sinew_Axis *a = &sinew_skeleton_axes(skeleton)[axis];
    const double *v = &q[sinew_skeleton_axis_places(skeleton)[axis].coordinate];
    if (a->kind != SINEW_AXIS_BALL) { return fmax(fmax(a->lower - v[0], v[0] - a->upper), 0.0); }
    if (a->limit == NULL) { return 0.0; }
    return truth_outside(sinew_ball_limit_def(a->limit), truth_ball(skeleton, axis, q));
}

#endif
