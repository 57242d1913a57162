// A rope is pulled tight over all that the path must clear; a spline along it rounds its corners.

#include "walk/leg_path.h"

#include "math/holds.h"
#include "walk/gait.h"

// Control points at both ends that are the footholds: there the spline starts and ends, at rest.
#define HELD 3
#define LAST (SNW_PATH_NODES - 1)
// Most of the swing's time before and after the level way.
#define MOST_WAIT 0.30

/// Share of the level way that is done at 0..1.
static double progress_at(const snw_LegPath *path, double t)
{
    return snw_smoothstep((t - path->begin) / (path->end - path->begin));
}

static sinew_Vec3 level_place(const snw_LegPath *path, double t)
{
    return sinew_vec3_lerp(path->from, path->to, progress_at(path, t));
}

/// Highest ground along the level way, over a margin to both sides; which narrows towards the footholds.
typedef struct Ridge {
    double heights[SNW_PATH_NODES]; ///< at equal steps of the way
    double near; ///< steps of the way that are within the margin, but for its ends
} Ridge;

static Ridge look_along(snw_View *view, const snw_LegPath *path, double distance, double margin)
{
    const sinew_Vec3 level = { path->to.x - path->from.x, 0.0, path->to.z - path->from.z };
    const sinew_Vec3 along = sinew_vec3_normalize_or(level, snw_ahead_axis);
    Ridge ridge = { .near = LAST * margin / snw_max(distance, margin) };
    for (int k = 0; k <= LAST; ++k) {
        const sinew_Vec3 at = sinew_vec3_lerp(path->from, path->to, (double)k / LAST);
        const int end = k < LAST - k ? k : LAST - k;
        const double side = snw_max(1e-4, snw_min(margin, 0.5 * distance * end / LAST));
        double high = snw_view_close(view, at.x, at.z);
        for (int i = -1; i <= 1; i += 2) {
            const double x = i * side * along.z, z = -i * side * along.x;
            high = snw_max(high, snw_view_close(view, at.x + x, at.z + z));
        }
        ridge.heights[k] = high;
    }
    return ridge;
}

// around a share of the way
static double highest_near(const Ridge *ridge, double s)
{
    SNW_ASSERT(snw_holds_share(s));
    const double at = s * LAST, wide = snw_min(ridge->near, 0.5 * snw_min(at, LAST - at));
    double high = -(double)INFINITY;
    for (int k = (int)(at - wide); k <= LAST && k < at + wide + 1.0; ++k) {
        high = snw_max(high, ridge->heights[k]);
    }
    return high;
}

// the least that is not below any node and has no dents, from one foothold to the other
static void pull_tight(double *heights)
{
    int first = HELD - 1, end = LAST - HELD + 1;
    while (first < end) {
        // the next corner is the node that is seen under the steepest way up
        int corner = end;
        double steepest = -(double)INFINITY;
        for (int k = first + 1; k <= end; ++k) {
            double slope = (heights[k] - heights[first]) / (k - first);
            if (slope >= steepest) {
                steepest = slope;
                corner = k;
            }
        }
        for (int k = first + 1; k < corner; ++k) {
            heights[k] = heights[first] + steepest * (k - first);
        }
        first = corner;
    }
}

snw_LegPath snw_leg_path_over(
    snw_View *view, sinew_Vec3 from, sinew_Vec3 to, double room, double margin)
{
    snw_LegPath path = { .from = from, .to = to, .begin = 0.0, .end = 1.0 };
    const double dx = to.x - from.x, dz = to.z - from.z, distance = sqrt(dx * dx + dz * dz);
    const Ridge ridge = look_along(view, &path, distance, margin);

    // where it goes up at once, up comes first; where it goes down at last, down comes last
    double up = 0.0, down = 0.0;
    for (int k = 0; k <= LAST; ++k) {
        const double high = ridge.heights[k];
        if (8.0 * (k - ridge.near) <= 5.0 * LAST) { up = snw_max(up, high - from.y); }
        if (8.0 * (k + ridge.near) >= 3.0 * LAST) { down = snw_max(down, high - to.y); }
    }
    path.begin = MOST_WAIT * up / (up + 0.3 * distance + room);
    path.end = 1.0 - MOST_WAIT * down / (down + 0.3 * distance + room);

    double needs[SNW_PATH_NODES];
    for (int k = 0; k <= LAST; ++k) {
        const double t = (double)k / LAST, full = snw_smoothstep(2.5 * snw_min(t, 1.0 - t));
        needs[k] = highest_near(&ridge, progress_at(&path, t)) + room * full;
    }
    for (int k = 0; k <= LAST; ++k) {
        double need = needs[k];
        if (k > 0) { need = snw_max(need, needs[k - 1]); }
        if (k < LAST) { need = snw_max(need, needs[k + 1]); }
        path.heights[k] = k < HELD ? from.y : k > LAST - HELD ? to.y : need;
    }
    pull_tight(path.heights);
    double rise = 0.0;
    for (int k = 1; k <= LAST; ++k) {
        double straight = level_place(&path, (double)k / LAST).y;
        path.bulge = snw_max(path.bulge, path.heights[k] - straight);
        rise += fabs(path.heights[k] - path.heights[k - 1]);
    }
    path.length = distance + rise;
    return path;
}

static double control(const snw_LegPath *path, int k)
{
    return path->heights[k < 0 ? 0 : k > LAST ? LAST : k];
}

sinew_Vec3 snw_leg_path_at(const snw_LegPath *path, double t)
{
    sinew_Vec3 at = level_place(path, t);
    double place = snw_clamp(t, 0.0, 1.0) * LAST;
    int k = place >= LAST ? LAST - 1 : (int)place;
    double x = place - k, y = 1.0 - x;
    at.y = (y * y * y * control(path, k - 1)
               + (4.0 - 6.0 * x * x + 3.0 * x * x * x) * control(path, k)
               + (4.0 - 6.0 * y * y + 3.0 * y * y * y) * control(path, k + 1)
               + x * x * x * control(path, k + 2))
        / 6.0;
    return at;
}

void snw_leg_path_move(const sinew_Transform *move, snw_LegPath *path)
{
    path->from = sinew_transform_point(*move, path->from);
    path->to = sinew_transform_point(*move, path->to);
    for (int k = 0; k <= LAST; ++k) { path->heights[k] += move->position.y; }
}
