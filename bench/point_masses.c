#include "bench/point_masses.h"

#include "bench/bench.h"
#include "bench/bench_setup.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LINKS = 30, TARGETS = 300, MOST_PASSES = 1000 };

#define MOST_BEND (SINEW_PI / 3.0)

/// A chain that is held at points[0]. least: of two bones, the distance from the first joint to the third.
typedef struct Points {
    sinew_Vec3 points[MOST_LINKS + 1];
    int links;
    bool limited;
    double least;
} Points;

/// Bring two points to a distance; the first stays where its mass is infinite.
static double pull(sinew_Vec3 *a, sinew_Vec3 *b, double wanted, bool a_stays, bool b_stays)
{
    sinew_Vec3 between = sinew_vec3_sub(*b, *a);
    double distance = sinew_vec3_length(between);
    if (!(distance > 0.0)) { return wanted; }
    double off = (distance - wanted) / distance;
    double of_a = a_stays ? 0.0 : b_stays ? 1.0 : 0.5;
    *a = sinew_vec3_add_scaled(*a, between, off * of_a);
    if (!b_stays) { *b = sinew_vec3_add_scaled(*b, between, off * (of_a - 1.0)); }
    return fabs(distance - wanted);
}

/// Sticks and bends until all are within the tolerance; passes that took, or MOST_PASSES.
static int relax(Points *p, sinew_Vec3 target, double tolerance)
{
    int n = p->links;
    p->points[n] = target;
    for (int pass = 1; pass <= MOST_PASSES; ++pass) {
        double worst = 0.0;
        for (int i = 0; i < n; ++i) {
            worst = fmax(worst, pull(&p->points[i], &p->points[i + 1], 1.0, i == 0, i + 1 == n));
        }
        for (int i = 0; p->limited && i + 2 <= n; ++i) {
            double distance = sinew_vec3_distance(p->points[i], p->points[i + 2]);
            if (distance >= p->least) { continue; }
            worst = fmax(
                worst, pull(&p->points[i], &p->points[i + 2], p->least, i == 0, i + 2 == n));
        }
        if (worst <= tolerance) { return pass; }
    }
    return MOST_PASSES;
}

/// A random chain inside the bends, from the origin.
static void draw(Points *p, scene_Random *random)
{
    sinew_Vec3 along = scene_random_direction(random);
    p->points[0] = sinew_vec3(0.0, 0.0, 0.0);
    for (int i = 0; i < p->links; ++i) {
        sinew_Vec3 side = sinew_vec3_cross(along, scene_random_direction(random));
        sinew_Quat turn = sinew_quat_from_axis_angle(
            sinew_vec3_normalize_or(side, sinew_vec3(1.0, 0.0, 0.0)),
            scene_random_range(random, 0.0, MOST_BEND));
        along = sinew_quat_rotate(turn, along);
        p->points[i + 1] = sinew_vec3_add(p->points[i], along);
    }
}

/// An arc of 45 degrees, as CHAINn rests.
static void rest(Points *p)
{
    sinew_Vec3 at = { 0.0, 0.0, 0.0 };
    for (int i = 0; i <= p->links; ++i) {
        p->points[i] = at;
        double angle = 0.25 * SINEW_PI * (i + 1) / p->links, s, c;
        sinew_sincos(angle, &s, &c);
        at = sinew_vec3_add(at, sinew_vec3(s, c, 0.0));
    }
}

bench_PointRow bench_points_measure(int links, bool limited)
{
    static double times[TARGETS];
    double tolerance = 1e-3 * links, least = 2.0 * cos(0.5 * MOST_BEND);
    Points p = { .links = links, .limited = limited, .least = least };
    bench_PointRow row = { 0 };
    scene_Random random = scene_random(2004);
    for (int i = 0; i < TARGETS; ++i) {
        draw(&p, &random);
        sinew_Vec3 target = p.points[links];
        int passes = 0;
        times[i] = INFINITY;
        for (int again = 0; again < 3; ++again) {
            rest(&p);
            double start = bench_clock(NULL);
            passes = relax(&p, target, tolerance);
            times[i] = fmin(times[i], bench_clock(NULL) - start);
        }
        row.met += passes < MOST_PASSES ? 1.0 / TARGETS : 0.0;
        row.passes += (double)passes / TARGETS;
    }
    qsort(times, TARGETS, sizeof *times, bench_compare);
    row.median = times[TARGETS / 2];
    return row;
}
