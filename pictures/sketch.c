#include "pictures/sketch.h"

#include "sinew/skeleton.h"

#include <math.h>
#include <stdio.h>

// from the middle of a window's plot, in pixels
typedef struct Polar {
    double x, y, pixels, most; // most: swing at the rim, radians
} Polar;

static double degrees(double angle)
{
    // no minus before a zero
    double r = angle * 180.0 / SINEW_PI;
    return fabs(r) < 0.5 ? 0.0 : r;
}

static double swing_of(sinew_Vec3 direction)
{
    return atan2(hypot(direction.y, direction.z), direction.x);
}

static void polar_point(
    const Polar *polar, double swing, double azimuth, double *out_x, double *out_y)
{
    double r = polar->pixels * swing / polar->most;
    *out_x = polar->x + r * cos(azimuth);
    *out_y = polar->y - r * sin(azimuth);
}

static void direction_point(const Polar *polar, sinew_Vec3 direction, double *out_x, double *out_y)
{
    polar_point(polar, swing_of(direction), atan2(direction.z, direction.y), out_x, out_y);
}

// ---------------------------------------------------------------------------------------------
// Window

static void draw_rings(cairo_t *cr, const Polar *polar, double unit)
{
    char text[24];
    double step = polar->most > 1.6 ? SINEW_PI / 6.0 : SINEW_PI / 12.0;
    cairo_set_line_width(cr, 0.9 * unit);
    for (int i = 1; i * step < polar->most + 1e-6; ++i) {
        double r = polar->pixels * i * step / polar->most;
        cairo_new_path(cr);
        cairo_arc(cr, polar->x, polar->y, r, 0.0, 2.0 * SINEW_PI);
        snw_color_set(cr, SNW_QUIET, (i + 1) * step < polar->most + 1e-6 ? 0.28 : 0.60);
        cairo_stroke(cr);
    }
    for (int i = 0; i < 12; ++i) {
        double a = i * SINEW_PI / 6.0;
        cairo_new_path(cr);
        cairo_move_to(cr, polar->x, polar->y);
        cairo_line_to(cr, polar->x + polar->pixels * cos(a), polar->y - polar->pixels * sin(a));
        snw_color_set(cr, SNW_QUIET, i % 3 == 0 ? 0.30 : 0.14);
        cairo_stroke(cr);
        if (i % 3 != 0) { continue; }
        double r = polar->pixels + 16.0 * unit;
        snprintf(text, sizeof text,
            i == 0       ? "%d\u00b0 (y)"
                : i == 3 ? "%d\u00b0 (z)"
                         : "%d\u00b0",
            30 * i);
        snw_Align align = i == 0 ? SNW_ALIGN_LEFT : i == 6 ? SNW_ALIGN_RIGHT : SNW_ALIGN_CENTER;
        snw_color_set(cr, SNW_QUIET, 1.0);
        snw_text_draw(cr, polar->x + (r - 8.0 * unit * (i % 6 == 0)) * cos(a),
            polar->y - r * sin(a) + 4.5 * unit, 12.5 * unit, false, align, 0.0, text);
    }
}

static void draw_ring_labels(cairo_t *cr, const Polar *polar, double unit)
{
    const double along = 5.0 * SINEW_PI / 12.0;
    double step = polar->most > 1.6 ? SINEW_PI / 6.0 : SINEW_PI / 12.0;
    for (int i = 1; i * step < polar->most - 1e-6; ++i) {
        char text[24];
        double x, y;
        polar_point(polar, i * step, along, &x, &y);
        snprintf(text, sizeof text, "%.0f\u00b0", degrees(i * step));
        snw_color_set(cr, SNW_INK, 0.62);
        snw_text_draw(cr, x, y + 3.8 * unit, 10.5 * unit, false, SNW_ALIGN_CENTER, 0.0, text);
    }
}

// loops in the plane; a region that holds the opposite of neutral has the rim as its edge too
static void trace_region(cairo_t *cr, const snw_Reach *reach, const Polar *polar)
{
    double x, y;
    cairo_new_path(cr);
    for (int loop = 0; loop < reach->loop_count; ++loop) {
        cairo_new_sub_path(cr);
        for (int i = reach->starts[loop]; i < reach->starts[loop + 1]; ++i) {
            direction_point(polar, reach->points[i], &x, &y);
            cairo_line_to(cr, x, y);
        }
        cairo_close_path(cr);
    }
}

static void draw_window(cairo_t *cr, const snw_JointLimit *limit, const Polar *polar, double unit)
{
    snw_Color color = snw_limit_window_color(), deep = snw_color_mix(color, SNW_INK, 0.35);
    trace_region(cr, &limit->reach, polar);
    if (snw_reach_allows(&limit->reach, sinew_vec3(-1.0, 0.0, 0.0))) {
        cairo_new_sub_path(cr);
        cairo_arc(cr, polar->x, polar->y, polar->pixels, 0.0, 2.0 * SINEW_PI);
    }
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
    snw_color_set(cr, color, 0.24);
    cairo_fill(cr);
    cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING);
    trace_region(cr, &limit->reach, polar);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    snw_color_set(cr, deep, 0.95);
    cairo_set_line_width(cr, 2.0 * unit);
    cairo_stroke(cr);
    for (int i = 0; i < limit->reach.corner_count && limit->reach.corner_count <= 40; ++i) {
        double x, y;
        direction_point(polar, limit->reach.corners[i], &x, &y);
        cairo_new_path(cr);
        cairo_arc(cr, x, y, 2.6 * unit, 0.0, 2.0 * SINEW_PI);
        cairo_fill(cr);
    }
}

static void draw_pose(cairo_t *cr, const snw_JointLimit *limit, const Polar *polar, double unit)
{
    const snw_Color white = { 1.0, 1.0, 1.0 };
    double x, y;
    direction_point(polar, limit->direction, &x, &y);
    snw_color_set(cr, SNW_INK, 0.85);
    cairo_set_line_width(cr, 1.8 * unit);
    cairo_new_path(cr);
    cairo_move_to(cr, polar->x, polar->y);
    cairo_line_to(cr, x, y);
    cairo_stroke(cr);

    // neutral is a small cross
    cairo_set_line_width(cr, 1.4 * unit);
    for (int i = 0; i < 2; ++i) {
        cairo_new_path(cr);
        cairo_move_to(cr, polar->x - 5.0 * unit * i, polar->y - 5.0 * unit * (1 - i));
        cairo_line_to(cr, polar->x + 5.0 * unit * i, polar->y + 5.0 * unit * (1 - i));
        cairo_stroke(cr);
    }
    cairo_new_path(cr);
    cairo_arc(cr, x, y, 7.0 * unit, 0.0, 2.0 * SINEW_PI);
    snw_color_set(cr, white, 0.95);
    cairo_fill(cr);
    bool inside = snw_reach_allows(&limit->reach, limit->direction);
    cairo_arc(cr, x, y, 4.8 * unit, 0.0, 2.0 * SINEW_PI);
    snw_color_set(cr, inside ? SNW_INK : SNW_TARGET, 1.0);
    cairo_fill(cr);
}

static void draw_polar(cairo_t *cr, const snw_JointLimit *limit, Polar *polar, double unit)
{
    const snw_Reach *reach = &limit->reach;
    double most = swing_of(limit->direction);
    for (int i = 0; i < reach->starts[reach->loop_count]; ++i) {
        most = fmax(most, swing_of(reach->points[i]));
    }
    if (snw_reach_allows(reach, sinew_vec3(-1.0, 0.0, 0.0))) { most = SINEW_PI; }
    double step = most > 1.5 ? SINEW_PI / 6.0 : SINEW_PI / 12.0;
    polar->most = fmin(step * ceil(most / step + 0.02), SINEW_PI);

    const snw_Color white = { 1.0, 1.0, 1.0 };
    cairo_new_path(cr);
    cairo_arc(cr, polar->x, polar->y, polar->pixels, 0.0, 2.0 * SINEW_PI);
    snw_color_set(cr, white, 0.75);
    cairo_fill(cr);
    draw_rings(cr, polar, unit);
    draw_window(cr, limit, polar, unit);
    draw_ring_labels(cr, polar, unit);
    draw_pose(cr, limit, polar, unit);

    char text[128];
    double azimuth = degrees(atan2(limit->direction.z, limit->direction.y));
    double margin = degrees(snw_reach_margin(reach, limit->direction));
    snprintf(text, sizeof text, "swing %.0f\u00b0 at azimuth %.0f\u00b0, %.0f\u00b0 %s the edge",
        degrees(swing_of(limit->direction)), azimuth < -0.5 ? azimuth + 360.0 : azimuth,
        fabs(margin), margin < 0.0 ? "outside" : "inside");
    snw_color_set(cr, SNW_INK, 1.0);
    snw_text_draw(cr, polar->x, polar->y + polar->pixels + 46.0 * unit, 14.0 * unit, false,
        SNW_ALIGN_CENTER, 0.0, text);
}

// ---------------------------------------------------------------------------------------------
// Dials

// angles count counter-clockwise from the top
static void dial_point(
    double x, double y, double pixels, double angle, double *out_x, double *out_y)
{
    *out_x = x - pixels * sin(angle);
    *out_y = y - pixels * cos(angle);
}

static void draw_dial(cairo_t *cr, const sinew_Skeleton *skeleton, const snw_JointLimit *limit,
    double x, double y, double pixels, double unit)
{
    snw_Color color = snw_limit_range_color(limit), deep = snw_color_mix(color, SNW_INK, 0.35);
    const snw_Color white = { 1.0, 1.0, 1.0 };
    double inner = 0.74 * pixels, px, py;
    cairo_new_path(cr);
    cairo_arc(cr, x, y, pixels, 0.0, 2.0 * SINEW_PI);
    cairo_new_sub_path(cr);
    cairo_arc_negative(cr, x, y, inner, 2.0 * SINEW_PI, 0.0);
    snw_color_set(cr, white, 0.75);
    cairo_fill_preserve(cr);
    snw_color_set(cr, SNW_QUIET, 0.35);
    cairo_set_line_width(cr, 0.9 * unit);
    cairo_stroke(cr);

    double upper = fmin(limit->upper, limit->lower + 2.0 * SINEW_PI);
    cairo_new_path(cr);
    cairo_arc_negative(cr, x, y, pixels, -0.5 * SINEW_PI - limit->lower, -0.5 * SINEW_PI - upper);
    cairo_arc(cr, x, y, inner, -0.5 * SINEW_PI - upper, -0.5 * SINEW_PI - limit->lower);
    cairo_close_path(cr);
    snw_color_set(cr, color, 0.45);
    cairo_fill_preserve(cr);
    snw_color_set(cr, deep, 0.9);
    cairo_set_line_width(cr, 1.4 * unit);
    cairo_stroke(cr);

    // zero, the ends of the range and the pose
    char text[96];
    double ends[2] = { limit->lower, limit->upper };
    for (int i = 0; i < 2; ++i) {
        dial_point(x, y, pixels + 13.0 * unit, ends[i], &px, &py);
        double s = -sin(ends[i]);
        snw_Align align = s > 0.3 ? SNW_ALIGN_LEFT : s < -0.3 ? SNW_ALIGN_RIGHT : SNW_ALIGN_CENTER;
        snprintf(text, sizeof text, "%.0f\u00b0", degrees(ends[i]));
        snw_color_set(cr, SNW_QUIET, 1.0);
        snw_text_draw(cr, px, py + 4.0 * unit, 12.0 * unit, false, align, 0.0, text);
    }
    cairo_new_path(cr);
    dial_point(x, y, inner, 0.0, &px, &py);
    cairo_move_to(cr, px, py);
    cairo_line_to(cr, px, y - pixels);
    snw_color_set(cr, SNW_INK, 0.35);
    cairo_stroke(cr);
    cairo_new_path(cr);
    cairo_move_to(cr, x, y);
    dial_point(x, y, pixels, limit->value, &px, &py);
    cairo_line_to(cr, px, py);
    snw_color_set(cr, SNW_INK, 0.9);
    cairo_set_line_width(cr, 2.0 * unit);
    cairo_stroke(cr);
    bool inside = limit->value >= limit->lower - 1e-9 && limit->value <= limit->upper + 1e-9;
    cairo_arc(cr, px, py, 4.4 * unit, 0.0, 2.0 * SINEW_PI);
    snw_color_set(cr, inside ? SNW_INK : SNW_TARGET, 1.0);
    cairo_fill(cr);

    char name[128];
    if (limit->is_ball) {
        snprintf(name, sizeof name, "twist");
    } else {
        sinew_skeleton_coordinate_name(skeleton, limit->coordinate, name, sizeof name);
    }
    snprintf(text, sizeof text, "%.60s %.0f\u00b0", name, degrees(limit->value));
    snw_color_set(cr, SNW_INK, 1.0);
    snw_text_draw(cr, x, y + pixels + 46.0 * unit, 14.0 * unit, false, SNW_ALIGN_CENTER, 0.0, text);
}

void snw_sketch_draw(cairo_t *cr, const sinew_Skeleton *skeleton, const snw_JointLimit *limits,
    int count, snw_Rect rect, double unit)
{
    const char *name = sinew_skeleton_joints(skeleton)[limits[0].joint].name;
    snw_color_set(cr, SNW_INK, 1.0);
    snw_text_draw(cr, rect.x + 0.5 * rect.width, rect.y + 16.0 * unit, 18.0 * unit, true,
        SNW_ALIGN_CENTER, rect.width, name ? name : "");

    const snw_JointLimit *window = NULL;
    int dials = 0;
    for (int i = 0; i < count; ++i) {
        if (limits[i].has_window) { window = &limits[i]; }
        dials += limits[i].has_range;
    }
    double top = rect.y + 60.0 * unit, bottom = rect.y + rect.height;
    if (window) {
        double share = dials > 0 ? 0.60 : 0.90;
        double room = share * (bottom - top) - 64.0 * unit;
        Polar polar = { rect.x + 0.5 * rect.width, 0.0, 0.0, 1.0 };
        polar.pixels = fmin(0.5 * room, 0.5 * rect.width - 52.0 * unit);
        polar.y = top + polar.pixels;
        draw_polar(cr, window, &polar, unit);
        top = polar.y + polar.pixels + 92.0 * unit;
    }
    // below a window dials stand side by side, else one below the other
    double each = window ? rect.width / fmax(dials, 1.0) : (bottom - top) / fmax(dials, 1.0);
    double room = window ? 0.5 * (bottom - top - 60.0 * unit) : 0.5 * (each - 76.0 * unit);
    double aside = 0.5 * (window ? each : rect.width) - 40.0 * unit;
    double pixels = fmin(fmin(room, aside), 96.0 * unit);
    for (int i = 0, k = 0; i < count; ++i) {
        if (!limits[i].has_range || !(pixels > 8.0 * unit)) { continue; }
        double x = window ? rect.x + (k + 0.5) * each : rect.x + 0.5 * rect.width;
        double y = window ? top + pixels : top + k * each + pixels;
        draw_dial(cr, skeleton, &limits[i], x, y, pixels, unit);
        ++k;
    }
}
