#include "pictures/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// angle between neighbouring points of a loop and of the rim of a sphere, radians
#define STEP 0.03

// ---------------------------------------------------------------------------------------------
// Loops

// angle that a piece runs through about its normal
static double side_angle(const sinew_ReachSide *side)
{
    sinew_Vec3 a = sinew_vec3_add_scaled(side->start, side->normal, -side->offset);
    sinew_Vec3 b = sinew_vec3_add_scaled(side->end, side->normal, -side->offset);
    double angle = atan2(
        sinew_vec3_dot(sinew_vec3_cross(a, b), side->normal), sinew_vec3_dot(a, b));
    // a whole circle ends where it starts
    return angle > 1e-9 ? angle : angle + 2.0 * SINEW_PI;
}

static int side_points(const sinew_ReachSide *side)
{
    return (int)ceil(side_angle(side) / STEP) + 1;
}

// all points of a piece but the last; returns how many
static int sample_side(const sinew_ReachSide *side, sinew_Vec3 *out_points)
{
    sinew_Vec3 middle = sinew_vec3_scale(side->normal, side->offset);
    sinew_Vec3 x = sinew_vec3_sub(side->start, middle), y = sinew_vec3_cross(side->normal, x);
    double angle = side_angle(side);
    int count = side_points(side) - 1;
    for (int i = 0; i < count; ++i) {
        double a = angle * i / count;
        sinew_Vec3 p = sinew_vec3_add_scaled(middle, x, cos(a));
        out_points[i] = sinew_vec3_normalize_or(sinew_vec3_add_scaled(p, y, sin(a)), side->start);
    }
    return count;
}

// the piece that starts nearest to where the last one ended; -1 when none does
static int next_side(const sinew_ReachSide *sides, const bool *used, int count, sinew_Vec3 end)
{
    int best = -1;
    double nearest = 1e-6;
    for (int i = 0; i < count; ++i) {
        double distance = sinew_vec3_distance(sides[i].start, end);
        if (!used[i] && distance < nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

static void chain_sides(snw_Reach *reach, const sinew_ReachSide *sides, bool *used, int count)
{
    int total = 0;
    for (int first = 0; first < count; ++first) {
        if (used[first]) { continue; }
        reach->starts[reach->loop_count++] = total;
        for (int i = first; i >= 0; i = next_side(sides, used, count, sides[i].end)) {
            used[i] = true;
            total += sample_side(&sides[i], reach->points + total);
            reach->corners[reach->corner_count++] = sides[i].start;
        }
    }
    reach->starts[reach->loop_count] = total;
}

bool snw_reach_create(const sinew_BallLimit *limit, snw_Reach *out_reach)
{
    memset(out_reach, 0, sizeof *out_reach);
    snw_Reach *reach = out_reach;
    reach->limit = limit;
    int count = sinew_ball_limit_side_count(limit);
    size_t total = 1;
    size_t n = (size_t)count + 1;
    sinew_ReachSide *sides = calloc(n, sizeof *sides);
    bool *used = calloc(n, sizeof *used);
    for (int i = 0; i < count && sides; ++i) {
        sides[i] = sinew_ball_limit_side(limit, i);
        total += (size_t)side_points(&sides[i]);
    }
    reach->points = calloc(total, sizeof *reach->points);
    reach->starts = calloc(n, sizeof *reach->starts);
    reach->corners = calloc(n, sizeof *reach->corners);
    bool ready = sides && used && reach->points && reach->starts && reach->corners;
    if (ready) { chain_sides(reach, sides, used, count); }
    free(sides);
    free(used);
    if (!ready) { snw_reach_destroy(reach); }
    return ready;
}

void snw_reach_destroy(snw_Reach *reach)
{
    free(reach->points);
    free(reach->starts);
    free(reach->corners);
    memset(reach, 0, sizeof *reach);
}

bool snw_reach_allows(const snw_Reach *reach, sinew_Vec3 direction_neutral)
{
    // with a twist that is surely allowed
    sinew_Vec3 ignored;
    double twist;
    sinew_ball_limit_measure(reach->limit, sinew_ball_limit_middle(reach->limit), &ignored, &twist);
    return sinew_ball_limit_allows(
        reach->limit, sinew_ball_limit_pose(reach->limit, direction_neutral, twist));
}

double snw_reach_margin(const snw_Reach *reach, sinew_Vec3 direction_neutral)
{
    double nearest = INFINITY;
    for (int i = 0; i < reach->starts[reach->loop_count]; ++i) {
        double chord = sinew_vec3_distance(reach->points[i], direction_neutral);
        nearest = fmin(nearest, 2.0 * asin(fmin(0.5 * chord, 1.0)));
    }
    return snw_reach_allows(reach, direction_neutral) ? nearest : -nearest;
}

// ---------------------------------------------------------------------------------------------
// On a sphere

// one half of the sphere: z towards its pole, x and y along its rim
typedef struct Half {
    sinew_Vec3 x, y, z;
} Half;

static sinew_Vec3 to_world(const snw_Globe *globe, sinew_Vec3 direction_neutral)
{
    return sinew_vec3_add_scaled(
        globe->center, sinew_quat_rotate(globe->turn, direction_neutral), globe->radius);
}

snw_Spot snw_globe_project(const snw_Globe *globe, sinew_Vec3 direction_neutral)
{
    return snw_camera_project(globe->camera, to_world(globe, direction_neutral));
}

// axes of a half in the neutral frame
static Half half_of(const snw_Globe *globe, bool near)
{
    sinew_Vec3 toward = sinew_vec3_sub(globe->camera->eye, globe->center);
    toward = sinew_vec3_normalize_or(toward, globe->camera->toward);
    sinew_Vec3 up = globe->camera->up;
    up = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(up, toward, -sinew_vec3_dot(up, toward)), globe->camera->up);
    sinew_Vec3 right = sinew_vec3_cross(up, toward);
    if (!near) {
        toward = sinew_vec3_scale(toward, -1.0);
        right = sinew_vec3_scale(right, -1.0);
    }
    sinew_Quat neutral_from_world = sinew_quat_conjugate(globe->turn);
    Half half = { sinew_quat_rotate(neutral_from_world, right),
        sinew_quat_rotate(neutral_from_world, up), sinew_quat_rotate(neutral_from_world, toward) };
    return half;
}

static void line_to(cairo_t *cr, const snw_Globe *globe, sinew_Vec3 direction)
{
    snw_Spot spot = snw_globe_project(globe, direction);
    cairo_line_to(cr, spot.x, spot.y);
}

static sinew_Vec3 rim_point(const Half *half, double angle)
{
    return sinew_vec3_add_scaled(sinew_vec3_scale(half->x, cos(angle)), half->y, sin(angle));
}

// along the rim, counter-clockwise as seen from the pole
static void trace_rim(
    cairo_t *cr, const snw_Globe *globe, const Half *half, double from, double angle)
{
    int count = (int)ceil(angle / STEP) + 1;
    for (int i = 0; i <= count; ++i) {
        line_to(cr, globe, rim_point(half, from + angle * i / count));
    }
}

// A piece of a loop on the half: point indices of its loop, and where it meets the rim.
typedef struct Run {
    int loop, first, count;
    double enters, leaves;
    bool used;
} Run;

static double height_of(const snw_Reach *reach, const Half *half, int loop, int i)
{
    int start = reach->starts[loop], count = reach->starts[loop + 1] - start;
    return sinew_vec3_dot(reach->points[start + i % count], half->z);
}

static sinew_Vec3 point_of(const snw_Reach *reach, int loop, int i)
{
    int start = reach->starts[loop], count = reach->starts[loop + 1] - start;
    return reach->points[start + i % count];
}

// angle on the rim where the loop crosses between two points
static double crossing(const snw_Reach *reach, const Half *half, int loop, int i)
{
    double a = height_of(reach, half, loop, i), b = height_of(reach, half, loop, i + 1);
    double t = a != b ? a / (a - b) : 0.5;
    sinew_Vec3 p = sinew_vec3_lerp(point_of(reach, loop, i), point_of(reach, loop, i + 1), t);
    return atan2(sinew_vec3_dot(p, half->y), sinew_vec3_dot(p, half->x));
}

// runs of one loop that crosses the rim; loops that lie on the half whole give one without ends
static int collect_runs(
    const snw_Reach *reach, const Half *half, int loop, Run *runs, bool *out_whole)
{
    int count = reach->starts[loop + 1] - reach->starts[loop], found = 0;
    *out_whole = false;
    int outside = -1;
    for (int i = 0; i < count && outside < 0; ++i) {
        if (!(height_of(reach, half, loop, i) > 0.0)) { outside = i; }
    }
    if (outside < 0) {
        *out_whole = true;
        return 0;
    }
    for (int i = outside; i < outside + count; ++i) {
        bool here = height_of(reach, half, loop, i) > 0.0;
        bool there = height_of(reach, half, loop, i + 1) > 0.0;
        if (!here && there) {
            Run run = { loop, i + 1, 0, crossing(reach, half, loop, i), 0.0, false };
            runs[found++] = run;
        }
        if (there && found > 0) { ++runs[found - 1].count; }
        if (here && !there && found > 0) {
            runs[found - 1].leaves = crossing(reach, half, loop, i);
        }
    }
    return found;
}

static double turn_to(double from, double to)
{
    double angle = fmod(to - from, 2.0 * SINEW_PI);
    return angle < 0.0 ? angle + 2.0 * SINEW_PI : angle;
}

// inside is left of a run and left of the rim: from where a run leaves, the region's edge goes
// along the rim to where the next one enters
static void trace_runs(cairo_t *cr, const snw_Reach *reach, const snw_Globe *globe,
    const Half *half, Run *runs, int run_count)
{
    for (int first = 0; first < run_count; ++first) {
        if (runs[first].used) { continue; }
        cairo_new_sub_path(cr);
        for (int r = first; !runs[r].used;) {
            runs[r].used = true;
            line_to(cr, globe, rim_point(half, runs[r].enters));
            for (int i = 0; i < runs[r].count; ++i) {
                line_to(cr, globe, point_of(reach, runs[r].loop, runs[r].first + i));
            }
            int next = r;
            double least = INFINITY;
            for (int k = 0; k < run_count; ++k) {
                double angle = turn_to(runs[r].leaves, runs[k].enters);
                if (angle < least) {
                    least = angle;
                    next = k;
                }
            }
            trace_rim(cr, globe, half, runs[r].leaves, least);
            r = next;
        }
        cairo_close_path(cr);
    }
}

bool snw_reach_trace(cairo_t *cr, const snw_Reach *reach, const snw_Globe *globe, bool near)
{
    Half half = half_of(globe, near);
    Run *runs = calloc((size_t)reach->starts[reach->loop_count] + 1, sizeof *runs);
    if (!runs) { return false; }
    int run_count = 0;
    for (int loop = 0; loop < reach->loop_count; ++loop) {
        bool whole;
        run_count += collect_runs(reach, &half, loop, runs + run_count, &whole);
        if (!whole) { continue; }
        cairo_new_sub_path(cr);
        for (int i = 0; i < reach->starts[loop + 1] - reach->starts[loop]; ++i) {
            line_to(cr, globe, point_of(reach, loop, i));
        }
        cairo_close_path(cr);
    }
    trace_runs(cr, reach, globe, &half, runs, run_count);
    free(runs);

    // a rim that nothing crosses is inside or outside as a whole
    if (run_count == 0 && snw_reach_allows(reach, rim_point(&half, 0.3))) {
        cairo_new_sub_path(cr);
        trace_rim(cr, globe, &half, 0.0, 2.0 * SINEW_PI);
        cairo_close_path(cr);
    }
    return true;
}

void snw_reach_trace_outline(cairo_t *cr, const snw_Reach *reach, const snw_Globe *globe, bool near)
{
    Half half = half_of(globe, near);
    for (int loop = 0; loop < reach->loop_count; ++loop) {
        int count = reach->starts[loop + 1] - reach->starts[loop];
        bool open = false;
        for (int i = 0; i <= count; ++i) {
            bool here = height_of(reach, &half, loop, i) > 0.0;
            if (here && !open) {
                cairo_new_sub_path(cr);
                if (i > 0) {
                    line_to(cr, globe, rim_point(&half, crossing(reach, &half, loop, i - 1)));
                }
            }
            if (here) { line_to(cr, globe, point_of(reach, loop, i)); }
            if (!here && open) {
                line_to(cr, globe, rim_point(&half, crossing(reach, &half, loop, i - 1)));
            }
            open = here;
        }
    }
}
