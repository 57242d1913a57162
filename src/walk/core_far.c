// What runners see of their way beyond the memory of the view: three lines ahead, asked and not remembered, as far as
// it takes to stop. What cannot be walked there bounds the speed as what is near does (walk_bounds.c).

#include "walk/core.h"

#include "math/holds.h"

// Metres between places of a line, two cells of walk_bounds.c, and the lines' distance to either side.
#define SPACING (4.0 * SNW_VIEW_CELL)
#define ASIDE 0.2
// The view is remembered so far; beyond it a line ends after this time and what hard braking takes, seconds and m/s^2.
#define REMEMBERED (SNW_VIEW_FAR - 2.0 * SNW_VIEW_CELL)
#define AHEAD_TIME 0.3
#define HARD_BRAKE 2.8
enum { LINES = 3, MOST_PLACES = 24, STEEP_PLACES = 3, OVERLAP = 3 };

typedef struct Line {
    double heights[MOST_PLACES];
    int count, gap; ///< places; of the widest ditch
    double step, drop, steep;
} Line;

/// Whether within the width of a ditch there is ground that is a step from a height.
static bool is_stepped_over(const Line *line, int from, int way, double height, double sign)
{
    for (int n = 1; n <= line->gap; ++n) {
        int at = from + n * way;
        // what is not seen yet does not stop anybody
        if (at < 0 || at >= line->count) { return true; }
        double rise = sign * (line->heights[at] - height);
        if (rise < line->step && rise > -line->drop) { return true; }
    }
    return false;
}

/// Whether the ground cannot be walked from the place before onto this one.
static bool is_shut(const Line *line, int n)
{
    SNW_ASSERT(n > 0 && n < line->count);
    const double *h = line->heights;
    double rise = h[n] - h[n - 1];
    if (rise > line->step) { return !is_stepped_over(line, n - 1, -1, h[n], -1.0); }
    if (rise < -line->drop) { return !is_stepped_over(line, n, 1, h[n - 1], 1.0); }
    if (n + STEEP_PLACES > line->count) { return false; }
    for (int k = 0; k < STEEP_PLACES; ++k) {
        double next = h[n + k] - h[n + k - 1];
        if (next * rise <= 0.0 || fabs(next) <= line->steep) { return false; }
    }
    return true;
}

void snw_core_look_far(const snw_WalkBody *body, const sinew_WalkLimits *limits, int part,
    snw_View *view, snw_Core *state)
{
    const snw_WalkRoot *root = &state->root;
    double speed = snw_root_speed(root);
    double reach = speed * AHEAD_TIME + speed * speed / (2.0 * HARD_BRAKE);
    if (reach <= REMEMBERED) { return; }
    double scale = body->length / SNW_USUAL_LEG, slope_s, slope_c;
    sinew_sincos(limits->slope, &slope_s, &slope_c);
    Line line = { .step = limits->step_height * scale,
        .drop = limits->drop * scale,
        .steep = slope_s / slope_c * SPACING,
        .gap = (int)(limits->gap * scale / SPACING) + 1 };
    // half of a line a tick, the far one with the end of the near one
    int whole = (int)snw_min(MOST_PLACES, (reach - REMEMBERED) / SPACING + 2.0),
        half = (whole + 1) / 2;
    int first = part % 2 == 0 || half <= OVERLAP ? 0 : half - OVERLAP;
    line.count = part % 2 == 0 ? half : whole - first;
    if (line.count > view->allowance) { line.count = view->allowance; }
    if (line.count <= 0) { return; }
    const sinew_Vec3 way = snw_root_to_world(root, root->forward, root->left);
    const double x = way.x / speed, z = way.z / speed;
    int line_aside = part / 2 - LINES / 2; // the middle one is 0
    double aside = ASIDE * scale * line_aside;
    sinew_GroundPlace places[MOST_PLACES];
    for (int n = 0; n < line.count; ++n) {
        double far = REMEMBERED + (first + n - 1) * SPACING;
        places[n] = (sinew_GroundPlace){ root->x + far * x + aside * z,
            root->z + far * z - aside * x };
    }
    snw_view_ask_all(view, places, line.count, line.heights);
    for (int n = 1; n < line.count; ++n) {
        if (!is_shut(&line, n)) { continue; }
        // it may be just beyond the place before
        const sinew_GroundPlace *at = &places[n - 1];
        snw_bounds_note(at->x, at->z, at->x - root->x, at->z - root->z, &state->bounds.next);
        return;
    }
}
