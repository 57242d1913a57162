#ifndef LIMIT_SHAPES_H
#define LIMIT_SHAPES_H

// Limits that tests share: human joints, as published tables of swing by azimuth, and random convex
// windows. Neutral: the limb hangs, or the hand is straight; azimuth 0 outward, 90 forward.

#include "testing.h"

#include "body/ball_limit.h"

#define DEGREE (SINEW_PI / 180.0)

typedef struct shape_Star {
    const char *name;
    int count;
    double swings[12]; // degrees, at equal steps of azimuth
    double twist_lower, twist_upper;
    int window_count; // that the loop is cut into
} shape_Star;

enum {
    SHAPE_SHOULDER,
    SHAPE_SHOULDER_WITH_CLAVICLE,
    SHAPE_HIP,
    SHAPE_WRIST,
    SHAPE_SPINE,
    SHAPE_COUNT
};

static const shape_Star shape_stars[SHAPE_COUNT] = {
    { "shoulder", 12, { 175, 175, 172, 170, 130, 75, 45, 30, 40, 60, 80, 130 }, -95, 70, 6 },
    { "shoulder with clavicle", 12, { 120, 122, 122, 120, 100, 60, 30, 20, 35, 50, 65, 95 }, -95,
        70, 4 },
    { "hip", 12, { 45, 75, 110, 125, 85, 45, 30, 20, 18, 20, 28, 38 }, -45, 45, 2 },
    { "wrist", 8, { 21, 40, 78, 55, 33, 48, 72, 38 }, -10, 20, 2 },
    { "spine", 8, { 35, 48, 75, 48, 35, 32, 30, 32 }, -45, 45, 1 },
};

static inline sinew_BallLimit *shape_create(const sinew_BallLimitDef *def)
{
    sinew_BallLimit *limit = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_ball_limit_create(def, NULL, &limit, &message), &message);
    return limit;
}

/// The loop of a table, 12 rays at most.
static inline int shape_rays(int shape, sinew_Vec3 *out_rays)
{
    const shape_Star *star = shape_stars + shape;
    double azimuths[12], swings[12];
    for (int i = 0; i < star->count; ++i) {
        azimuths[i] = i * 2.0 * SINEW_PI / star->count;
        swings[i] = star->swings[i] * DEGREE;
    }
    sinew_reach_polar(azimuths, swings, star->count, false, out_rays);
    return star->count;
}

static inline sinew_BallLimit *shape_star(int shape, sinew_LimitResponse response)
{
    sinew_Vec3 rays[12];
    sinew_ReachWindow window = sinew_reach_polygon(rays, shape_rays(shape, rays));
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.star = true;
    def.twist_lower = shape_stars[shape].twist_lower * DEGREE;
    def.twist_upper = shape_stars[shape].twist_upper * DEGREE;
    def.response = response;
    return shape_create(&def);
}

/// All of them, compiled once, and given back.
static inline void shape_all(sinew_BallLimit *limits[SHAPE_COUNT])
{
    for (int i = 0; i < SHAPE_COUNT; ++i) { limits[i] = shape_star(i, SINEW_RESPONSE_ARC); }
}

static inline void shape_destroy_all(sinew_BallLimit *limits[SHAPE_COUNT])
{
    for (int i = 0; i < SHAPE_COUNT; ++i) { sinew_ball_limit_destroy(limits[i]); }
}

/// A convex polygon with corners on a circle about center; they go round either way.
static inline void shape_convex(
    test_Random *random, sinew_Vec3 center, double radius, int count, sinew_Vec3 *out_rays)
{
    sinew_Quat turn = sinew_quat_from_x(center);
    double start = test_range(random, 0.0, 6.0);
    double way = test_int(random, 2) == 0 ? 1.0 : -1.0;
    for (int i = 0; i < count; ++i) {
        double azimuth = start + way * (i + test_range(random, 0.0, 0.7)) * 2.0 * SINEW_PI / count;
        sinew_Vec3 ray = { cos(radius), sin(radius) * cos(azimuth), sin(radius) * sin(azimuth) };
        out_rays[i] = sinew_quat_rotate(turn, ray);
    }
}

/// A limit of one window and no twist limit.
static inline sinew_BallLimit *shape_window(
    const sinew_Vec3 *rays, int count, sinew_LimitResponse response)
{
    sinew_ReachWindow window = sinew_reach_polygon(rays, count);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.response = response;
    return shape_create(&def);
}

/// A pose of the shape with the bone along u.
static inline bool shape_allows_direction(const sinew_BallLimit *limit, sinew_Vec3 u)
{
    return sinew_ball_limit_allows(limit, sinew_ball_limit_pose(limit, u, limit->twist_middle));
}

/// A pose inside the limits, drawn from all.
static inline sinew_Quat shape_pose_inside(const sinew_BallLimit *limit, test_Random *random)
{
    for (;;) {
        sinew_Quat q = test_unit_quat(random);
        if (sinew_ball_limit_allows(limit, q)) { return q; }
    }
}

/// Angle between two unit vectors, exact for small ones.
static inline double shape_angle(sinew_Vec3 a, sinew_Vec3 b)
{
    return atan2(sinew_vec3_length(sinew_vec3_cross(a, b)), sinew_vec3_dot(a, b));
}

#endif
