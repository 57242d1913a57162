#include "pictures/marks.h"

#include "pictures/shade.h"
#include "shape/character_shape.h"

#include <math.h>

snw_Color snw_trail_color(int side, int index)
{
    if (side == SNW_SIDE_MIDDLE) { return SNW_CURVES[2 + index % (SNW_CURVE_COUNT - 2)]; }
    return snw_material_color(snw_side_material(side));
}

void snw_targets_draw(
    cairo_t *cr, const snw_Camera *camera, const sinew_Vec3 *targets, int count, double radius)
{
    const snw_Color white = { 1.0, 1.0, 1.0 };
    for (int i = 0; i < count; ++i) {
        if (!sinew_vec3_is_finite(targets[i])) { continue; }
        snw_Spot spot = snw_camera_project(camera, targets[i]);
        double r = fmin(fmax(radius * spot.scale, 1.8), 14.0);
        cairo_new_path(cr);
        cairo_arc(cr, spot.x, spot.y, r, 0.0, 2.0 * SINEW_PI);
        for (int k = 0; k < 4 && r > 3.0; ++k) {
            double c = k == 0 ? 1.0 : k == 1 ? -1.0 : 0.0, s = k == 2 ? 1.0 : k == 3 ? -1.0 : 0.0;
            cairo_move_to(cr, spot.x + 0.65 * r * c, spot.y + 0.65 * r * s);
            cairo_line_to(cr, spot.x + 1.45 * r * c, spot.y + 1.45 * r * s);
        }
        snw_color_set(cr, white, 0.75);
        cairo_set_line_width(cr, fmin(fmax(0.62 * r, 1.8), 3.2));
        cairo_stroke_preserve(cr);
        snw_color_set(cr, SNW_TARGET, 1.0);
        cairo_set_line_width(cr, fmin(fmax(0.30 * r, 0.8), 1.7));
        cairo_stroke(cr);
    }
}

void snw_trail_draw(cairo_t *cr, const snw_Camera *camera, const sinew_Vec3 *points, int count,
    size_t stride, snw_Color color, double width, double faintest)
{
    // pieces of rising strength that share their ends
    enum { PIECES = 12 };
    if (count < 2) { return; }
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (int piece = 0; piece < PIECES; ++piece) {
        int start = (int)((long)(count - 1) * piece / PIECES);
        int end = (int)((long)(count - 1) * (piece + 1) / PIECES);
        if (end <= start) { continue; }
        cairo_new_path(cr);
        for (int i = start; i <= end; ++i) {
            snw_Spot spot = snw_camera_project(camera, points[(size_t)i * stride]);
            cairo_line_to(cr, spot.x, spot.y);
        }
        double t = (piece + 1.0) / PIECES;
        snw_color_set(cr, color, faintest + (0.85 - faintest) * t);
        cairo_set_line_width(cr, width * (0.55 + 0.45 * t));
        cairo_stroke(cr);
    }
}
