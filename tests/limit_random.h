#ifndef LIMIT_RANDOM_H
#define LIMIT_RANDOM_H

// Random limits of balls, of every kind: cones, polygons, stars and several windows, tiny ones and such
// as leave little out, on either side of half turns; twists free, locked, with and without zero.

#include "limit_shapes.h"

enum { RANDOM_RAYS = 64 };

/// What a random limit is made of.
typedef struct random_Draft {
    sinew_BallLimitDef def;
    sinew_ReachWindow windows[4];
    sinew_Vec3 rays[4 * RANDOM_RAYS];
} random_Draft;

// 10^-from to 10^-to
static inline double random_small(test_Random *random, double from, double to)
{
    return pow(10.0, -test_range(random, from, to));
}

static inline sinew_Vec3 random_beside(test_Random *random, sinew_Vec3 u, double angle)
{
    sinew_Vec3 axis = sinew_vec3_normalize_or(
        sinew_vec3_cross(u, test_unit_vector(random)), sinew_vec3(0.0, 0.0, 1.0));
    return sinew_quat_rotate(sinew_quat_from_axis_angle(axis, angle), u);
}

static inline double random_radius(test_Random *random, double most)
{
    return test_int(random, 3) == 0 ? random_small(random, 1.0, 4.5)
                                    : test_range(random, 0.02, most);
}

static inline int random_polygon(
    test_Random *random, sinew_Vec3 center, double radius, sinew_Vec3 *rays)
{
    int count = 3 + test_int(random, test_int(random, 4) == 0 ? 20 : 6);
    shape_convex(random, center, radius, count, rays);
    return count;
}

static inline void random_window(test_Random *random, random_Draft *draft, sinew_Vec3 center)
{
    if (test_int(random, 2) == 0) {
        double half = test_int(random, 4) == 0 ? SINEW_PI - random_small(random, 1.0, 4.5)
                                               : random_radius(random, 3.1);
        draft->rays[0] = center;
        draft->windows[0] = sinew_reach_cone(draft->rays, half);
    } else {
        int count = random_polygon(random, center, random_radius(random, 1.55), draft->rays);
        draft->windows[0] = sinew_reach_polygon(draft->rays, count);
    }
    draft->def.window_count = 1;
}

// windows of which each holds a part of the one before
static inline void random_windows(test_Random *random, random_Draft *draft, sinew_Vec3 center)
{
    int count = 2 + test_int(random, 3);
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 *rays = draft->rays + (ptrdiff_t)i * RANDOM_RAYS;
        double radius = test_range(random, 0.2, 1.3);
        if (test_int(random, 2) == 0) {
            rays[0] = center;
            draft->windows[i] = sinew_reach_cone(rays, radius);
        } else {
            draft->windows[i] = sinew_reach_polygon(
                rays, random_polygon(random, center, radius, rays));
        }
        center = random_beside(random, center, 0.6 * radius);
    }
    draft->def.window_count = count;
}

static inline void random_star(test_Random *random, random_Draft *draft, sinew_Vec3 center)
{
    int count = 5 + test_int(random, 12);
    sinew_Quat turn = sinew_quat_mul(sinew_quat_from_x(center),
        sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), test_range(random, 0.0, 6.0)));
    double azimuths[RANDOM_RAYS], swings[RANDOM_RAYS];
    for (int i = 0; i < count; ++i) {
        azimuths[i] = (i + test_range(random, 0.0, 0.6)) * 2.0 * SINEW_PI / count;
        swings[i] = test_range(random, 0.1, 3.0);
    }
    sinew_reach_polar(azimuths, swings, count, test_int(random, 2) == 0, draft->rays);
    for (int i = 0; i < count; ++i) { draft->rays[i] = sinew_quat_rotate(turn, draft->rays[i]); }
    draft->windows[0] = sinew_reach_polygon(draft->rays, count);
    draft->def.window_count = 1;
    draft->def.star = true;
    draft->def.star_center = center;
}

// free, about zero, without zero, from zero on, locked, tiny, all but a little
static inline void random_twist(test_Random *random, sinew_BallLimitDef *def)
{
    double a = test_range(random, -3.14, 3.14), b = test_range(random, -3.14, 3.14);
    double lower = fmin(a, b), upper = fmax(a, b);
    switch (test_int(random, 8)) {
    case 0: return;
    case 1:
        lower = -fabs(a);
        upper = fabs(b);
        break;
    case 2:
        lower = fmin(fabs(a), fabs(b));
        upper = fmax(fabs(a), fabs(b));
        break;
    case 3:
        lower = fmin(-fabs(a), -fabs(b));
        upper = fmax(-fabs(a), -fabs(b));
        break;
    case 4:
        lower = b > 0.0 ? 0.0 : -fabs(a);
        upper = b > 0.0 ? fabs(a) : 0.0;
        break;
    case 5: lower = upper = test_int(random, 3) == 0 ? 0.0 : a; break;
    case 6:
        lower = a - random_small(random, 2.7, 13.0);
        upper = a;
        break;
    default:
        lower = -SINEW_PI + random_small(random, 1.0, 13.0);
        upper = SINEW_PI - random_small(random, 1.0, 13.0);
    }
    def->twist_lower = lower;
    def->twist_upper = upper;
}

static inline sinew_Quat random_frame(test_Random *random)
{
    switch (test_int(random, 4)) {
    case 0: return sinew_quat_identity();
    case 1: return sinew_quat_from_axis_angle(test_unit_vector(random), SINEW_PI);
    default: return test_unit_quat(random);
    }
}

// NULL when it was refused: random windows may touch where they should overlap
static inline sinew_BallLimit *random_limit(test_Random *random, random_Draft *draft)
{
    draft->def = sinew_ball_limit_def_default();
    draft->def.windows = draft->windows;
    draft->def.neutral = random_frame(random);
    draft->def.bone = random_frame(random);
    draft->def.response = (sinew_LimitResponse)test_int(random, 3);
    sinew_Vec3 center = test_int(random, 2) == 0 ? sinew_vec3(1.0, 0.0, 0.0)
                                                 : test_unit_vector(random);
    if (test_int(random, 12) == 0) { center = sinew_vec3(-1.0, 0.0, 0.0); }
    switch (test_int(random, 8)) {
    case 0: break;
    case 1:
    case 2: random_windows(random, draft, center); break;
    case 3:
    case 4: random_star(random, draft, center); break;
    default: random_window(random, draft, center);
    }
    random_twist(random, &draft->def);
    sinew_BallLimit *limit = NULL;
    (void)sinew_ball_limit_create(&draft->def, NULL, &limit, NULL);
    return limit;
}

// ---------------------------------------------------------------------------------------------
// Poses

// directions where something may break: the neutral one and its opposite, axes of cones and their
// opposites, corners, middles of sides and what is opposite to their planes
static inline sinew_Vec3 random_direction(test_Random *random, const sinew_BallLimitDef *def)
{
    sinew_Vec3 u = { 1.0, 0.0, 0.0 };
    if (def->window_count > 0 && test_int(random, 3) > 0) {
        const sinew_ReachWindow *window = def->windows + test_int(random, def->window_count);
        int i = test_int(random, window->ray_count), j = (i + 1) % window->ray_count;
        u = window->rays[i];
        switch (window->ray_count > 1 ? test_int(random, 3) : 0) {
        case 0: break;
        case 1: u = sinew_vec3_normalize_or(sinew_vec3_lerp(u, window->rays[j], 0.5), u); break;
        default: u = sinew_vec3_normalize_or(sinew_vec3_cross(u, window->rays[j]), u);
        }
    }
    return test_int(random, 2) == 0 ? u : sinew_vec3_scale(u, -1.0);
}

static inline double random_angle(test_Random *random, const sinew_BallLimitDef *def)
{
    double twist = test_range(random, -SINEW_PI, SINEW_PI);
    if (isfinite(def->twist_lower)) {
        switch (test_int(random, 5)) {
        case 0: return def->twist_lower;
        case 1: return def->twist_upper;
        case 2: return 0.5 * (def->twist_lower + def->twist_upper) + SINEW_PI;
        default: break;
        }
    }
    return twist;
}

static inline sinew_Quat random_turn(test_Random *random, sinew_Quat q, double angle)
{
    sinew_Quat turn = sinew_quat_from_axis_angle(test_unit_vector(random), angle);
    return sinew_quat_normalize(sinew_quat_mul(turn, q));
}

/// A pose of a ball with that limit, often at half turns, antipodes and bounds.
static inline sinew_Quat random_ball(test_Random *random, const sinew_BallLimit *limit)
{
    const sinew_BallLimitDef *def = sinew_ball_limit_def(limit);
    sinew_Quat q;
    switch (test_int(random, 6)) {
    case 0: return test_unit_quat(random);
    case 1: {
        // a half turn of the neutral frame about an axis across the bone, to the last bit or nearly
        double angle = test_range(random, 0.0, 6.3);
        sinew_Quat half = { 0.0, cos(angle), sin(angle), 0.0 };
        if (test_int(random, 3) == 0) { half = sinew_quat_from_x(sinew_vec3(-1.0, 0.0, 0.0)); }
        q = sinew_quat_mul(sinew_quat_mul(def->neutral, half), sinew_quat_conjugate(def->bone));
        break;
    }
    case 2:
    case 3:
        q = sinew_ball_limit_pose(limit, random_direction(random, def), random_angle(random, def));
        break;
    case 4: q = sinew_ball_limit_clamp(limit, test_unit_quat(random)); break;
    default: q = sinew_ball_limit_pose(limit, test_unit_vector(random), random_angle(random, def));
    }
    if (test_int(random, 3) > 0) { q = random_turn(random, q, random_small(random, 0.5, 16.0)); }
    if (test_int(random, 2) == 0) { q = (sinew_Quat){ -q.x, -q.y, -q.z, -q.w }; }
    return q;
}

#endif
