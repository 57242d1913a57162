#include "solve/support.h"

#include "math/holds.h"

// points closer to a side than this share of the polygon's size add no corner
#define FLAT 1e-12
// halvings in the search for the margin that fits
#define MARGIN_HALVINGS 50

static snw_Ground2 minus(snw_Ground2 a, snw_Ground2 b)
{
    return (snw_Ground2){ a.x - b.x, a.z - b.z };
}

static double cross(snw_Ground2 a, snw_Ground2 b)
{
    return a.x * b.z - a.z * b.x;
}

static double dot(snw_Ground2 a, snw_Ground2 b)
{
    return a.x * b.x + a.z * b.z;
}

static bool comes_before(snw_Ground2 a, snw_Ground2 b)
{
    return a.x < b.x || (a.x == b.x && a.z < b.z);
}

// monotone chain; Andrew (1979)
static int build_hull(const sinew_Goal *goal, bool z_up, snw_Ground2 *hull)
{
    int count = goal->support_count;
    SNW_ASSERT(count >= 0);
    snw_Ground2 sorted[SINEW_MAX_SUPPORT_POINTS];
    double size = 0.0;
    for (int i = 0; i < count; ++i) {
        snw_Ground2 p = snw_ground_from_world(z_up, goal->support_points[i]);
        int place = i;
        for (; place > 0 && comes_before(p, sorted[place - 1]); --place) {
            sorted[place] = sorted[place - 1];
        }
        sorted[place] = p;
    }
    for (int i = 1; i < count; ++i) {
        snw_Ground2 d = minus(sorted[i], sorted[0]);
        size = fmax(size, fmax(fabs(d.x), fabs(d.z)));
    }
    if (size == 0.0) {
        hull[0] = sorted[0];
        return 1;
    }
    double flat = FLAT * size * size;
    int n = 0;
    for (int i = 0; i < count; ++i) {
        while (n >= 2
            && cross(minus(hull[n - 1], hull[n - 2]), minus(sorted[i], hull[n - 2])) <= flat) {
            --n;
        }
        hull[n++] = sorted[i];
    }
    for (int i = count - 2, lower = n + 1; i >= 0; --i) {
        while (n >= lower
            && cross(minus(hull[n - 1], hull[n - 2]), minus(sorted[i], hull[n - 2])) <= flat) {
            --n;
        }
        hull[n++] = sorted[i];
    }
    // the last one is the first
    return n - 1;
}

// unit normal of a side, inward
static snw_Ground2 side_normal(const snw_Support *support, int side)
{
    snw_Ground2 a = support->corners[side], b = support->corners[(side + 1) % support->count];
    snw_Ground2 d = minus(b, a);
    double scale = 1.0 / sqrt(dot(d, d));
    return (snw_Ground2){ -d.z * scale, d.x * scale };
}

static double side_depth(const snw_Support *support, int side, snw_Ground2 p)
{
    return dot(side_normal(support, side), minus(p, support->corners[side]));
}

// what is left of a polygon at least margin inside of each of its sides: cut by one after another;
// Sutherland and Hodgman (1974)
static int inset(const snw_Support *hull, double margin, snw_Ground2 *out)
{
    snw_Ground2 buffers[2][2 * SINEW_MAX_SUPPORT_POINTS];
    int count = hull->count, now = 0;
    for (int i = 0; i < count; ++i) { buffers[0][i] = hull->corners[i]; }
    for (int s = 0; s < hull->count && count > 0; ++s) {
        const snw_Ground2 *from = buffers[now];
        snw_Ground2 *to = buffers[1 - now];
        int kept = 0;
        for (int i = 0; i < count; ++i) {
            snw_Ground2 a = from[i], b = from[(i + 1) % count];
            double da = side_depth(hull, s, a) - margin, db = side_depth(hull, s, b) - margin;
            if (da >= 0.0) { to[kept++] = a; }
            if ((da >= 0.0) == (db >= 0.0)) { continue; }
            double t = da / (da - db);
            to[kept++] = (snw_Ground2){ a.x + t * (b.x - a.x), a.z + t * (b.z - a.z) };
        }
        count = kept;
        now = 1 - now;
    }
    for (int i = 0; i < count; ++i) { out[i] = buffers[now][i]; }
    return count;
}

// leave out corners that say nothing: sides need a length
static int drop_flat_corners(snw_Ground2 *corners, int count, double size)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(size >= 0.0);
    double flat = 1e-9 * size;
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        snw_Ground2 d = kept > 0 ? minus(corners[i], corners[kept - 1])
                                 : (snw_Ground2){ INFINITY, 0.0 };
        if (fabs(d.x) > flat || fabs(d.z) > flat) { corners[kept++] = corners[i]; }
    }
    while (kept > 1) {
        snw_Ground2 d = minus(corners[0], corners[kept - 1]);
        if (fabs(d.x) > flat || fabs(d.z) > flat) { break; }
        --kept;
    }
    return kept;
}

void snw_support_build(snw_Support *support, const sinew_Goal *goal)
{
    double margin = goal->support_margin;
    snw_Support hull;
    hull.z_up = snw_goal_is_z_up(goal);
    hull.count = build_hull(goal, hull.z_up, hull.corners);
    *support = hull;
    if (hull.count < 3 || margin == 0.0) { return; }
    double size = 0.0;
    for (int i = 1; i < hull.count; ++i) {
        snw_Ground2 d = minus(hull.corners[i], hull.corners[0]);
        size = fmax(size, fmax(fabs(d.x), fabs(d.z)));
    }
    int count = inset(&hull, margin, support->corners);
    if (count == 0) {
        // the largest margin that leaves something
        double low = 0.0, high = fmin(margin, size);
        for (int i = 0; i < MARGIN_HALVINGS; ++i) {
            double middle = 0.5 * (low + high);
            if (inset(&hull, middle, support->corners) > 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        count = inset(&hull, low, support->corners);
    }
    support->count = drop_flat_corners(support->corners, count, size);
}

static snw_Ground2 closest_on_segment(snw_Ground2 a, snw_Ground2 b, snw_Ground2 p, bool *out_within)
{
    snw_Ground2 d = minus(b, a);
    double length2 = dot(d, d), t = length2 > 0.0 ? dot(minus(p, a), d) / length2 : 0.0;
    *out_within = t > 0.0 && t < 1.0;
    t = fmin(fmax(t, 0.0), 1.0);
    return (snw_Ground2){ a.x + t * d.x, a.z + t * d.z };
}

snw_SupportPlace snw_support_locate(const snw_Support *support, snw_Ground2 p)
{
    snw_SupportPlace place = { support->count >= 3, { 0.0, 0.0 }, -1 };
    for (int s = 0; place.inside && s < support->count; ++s) {
        place.inside = side_depth(support, s, p) >= 0.0;
    }
    if (place.inside) { return place; }
    double best = INFINITY;
    for (int s = 0; s < support->count; ++s) {
        bool within;
        snw_Ground2 q = closest_on_segment(
            support->corners[s], support->corners[(s + 1) % support->count], p, &within);
        snw_Ground2 d = minus(q, p);
        if (!(dot(d, d) < best)) { continue; }
        best = dot(d, d);
        place.way = d;
        place.side = within ? s : -1;
    }
    return place;
}

bool snw_support_side(
    const snw_Support *support, snw_Ground2 p, snw_Ground2 *out_normal, double *out_depth)
{
    if (support->count < 3) { return false; }
    *out_depth = 0.0;
    for (int s = 0; s < support->count; ++s) {
        double depth = side_depth(support, s, p);
        if (!(depth < *out_depth)) { continue; }
        *out_depth = depth;
        *out_normal = side_normal(support, s);
    }
    return *out_depth < 0.0;
}
