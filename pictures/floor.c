#include "pictures/floor.h"

#include <math.h>

static const snw_Color PLATE = { 0.925, 0.917, 0.900 };
static const snw_Color SHADE = { 0.200, 0.215, 0.300 };

// the page's affine map of a piece of floor: the unit circle becomes an ellipse around center
static cairo_matrix_t map_floor(
    const snw_Camera *camera, sinew_Vec3 center, sinew_Vec3 x, sinew_Vec3 z)
{
    snw_Spot x0 = snw_camera_project(camera, sinew_vec3_sub(center, x));
    snw_Spot x1 = snw_camera_project(camera, sinew_vec3_add(center, x));
    snw_Spot z0 = snw_camera_project(camera, sinew_vec3_sub(center, z));
    snw_Spot z1 = snw_camera_project(camera, sinew_vec3_add(center, z));
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, 0.5 * (x1.x - x0.x), 0.5 * (x1.y - x0.y), 0.5 * (z1.x - z0.x),
        0.5 * (z1.y - z0.y), 0.25 * (x0.x + x1.x + z0.x + z1.x),
        0.25 * (x0.y + x1.y + z0.y + z1.y));
    return matrix;
}

static bool is_invertible(const cairo_matrix_t *m)
{
    double determinant = m->xx * m->yy - m->xy * m->yx;
    return isfinite(determinant) && fabs(determinant) > 1e-6;
}

// a radial gradient in that map, from alpha in the middle to nothing
static cairo_pattern_t *make_glow(const cairo_matrix_t *map, snw_Color color, double alpha)
{
    cairo_pattern_t *pattern = cairo_pattern_create_radial(0.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    for (int i = 0; i <= 6; ++i) {
        double t = i / 6.0, soft = 1.0 - t * t;
        cairo_pattern_add_color_stop_rgba(
            pattern, t, color.r, color.g, color.b, alpha * soft * soft);
    }
    cairo_matrix_t inverse = *map;
    cairo_matrix_invert(&inverse);
    cairo_pattern_set_matrix(pattern, &inverse);
    return pattern;
}

static void fill_glow(cairo_t *cr, const cairo_matrix_t *map, snw_Color color, double alpha)
{
    if (!is_invertible(map)) { return; }
    cairo_pattern_t *pattern = make_glow(map, color, alpha);
    cairo_set_source(cr, pattern);
    cairo_pattern_destroy(pattern);
    cairo_save(cr);
    cairo_transform(cr, map);
    cairo_new_path(cr);
    cairo_arc(cr, 0.0, 0.0, 1.0, 0.0, 2.0 * SINEW_PI);
    cairo_restore(cr);
    cairo_fill(cr);
}

void snw_floor_draw_shadow(cairo_t *cr, const snw_Camera *camera, const snw_Body *body,
    const sinew_Vec3 *positions, double floor)
{
    const double size = body->size;

    // one wide soft shadow of the whole, then a darker one of each bone, fading as it rises
    sinew_Vec3 low = positions[body->bone_count > 0 ? body->bones[0].from : 0], high = low;
    for (int i = 0; i < body->bone_count; ++i) {
        sinew_Vec3 p = positions[body->bones[i].to];
        low = sinew_vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = sinew_vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    double rise = fmax(low.y - floor, 0.0);
    sinew_Vec3 middle = { 0.5 * (low.x + high.x), floor, 0.5 * (low.z + high.z) };
    cairo_matrix_t map = map_floor(camera, middle,
        sinew_vec3(0.5 * (high.x - low.x) + 0.16 * size, 0.0, 0.0),
        sinew_vec3(0.0, 0.0, 0.5 * (high.z - low.z) + 0.16 * size));
    fill_glow(cr, &map, SHADE, 0.16 / (1.0 + 4.0 * rise / size));

    for (int i = 0; i < body->bone_count; ++i) {
        const snw_Bone *bone = &body->bones[i];
        sinew_Vec3 a = positions[bone->from], b = positions[bone->to];
        double height = fmax(0.5 * (a.y + b.y) - floor, 0.0) / size;
        double alpha = 0.34 * exp(-height / 0.10);
        if (alpha < 0.012) { continue; }
        sinew_Vec3 along = { 0.5 * (b.x - a.x), 0.0, 0.5 * (b.z - a.z) };
        double half = sinew_vec3_length(along);
        along = sinew_vec3_normalize_or(along, sinew_vec3(1.0, 0.0, 0.0));
        double soft = 2.3 * bone->from_radius + 0.10 * height * size;
        sinew_Vec3 across = { -along.z * soft, 0.0, along.x * soft };
        sinew_Vec3 center = { 0.5 * (a.x + b.x), floor, 0.5 * (a.z + b.z) };
        map = map_floor(camera, center, sinew_vec3_scale(along, half + soft), across);
        fill_glow(cr, &map, SHADE, alpha);
    }
}

double snw_floor_step(double size)
{
    double want = 0.32 * size;
    double decade = pow(10.0, floor(log10(want)));
    double rest = want / decade;
    return decade * (rest < 1.6 ? 1.0 : rest < 3.5 ? 2.0 : rest < 7.5 ? 5.0 : 10.0);
}

void snw_floor_draw(cairo_t *cr, const snw_Camera *camera, sinew_Vec3 center, double half_x,
    double half_z, double step)
{
    cairo_matrix_t map = map_floor(
        camera, center, sinew_vec3(half_x, 0.0, 0.0), sinew_vec3(0.0, 0.0, half_z));
    if (!is_invertible(&map) || !(step > 0.0)) { return; }
    fill_glow(cr, &map, PLATE, 0.95);

    // lines at multiples of the step, whole numbers of them inside the ellipse
    while (half_x / step > 100.0 || half_z / step > 100.0) { step *= 10.0; }
    cairo_new_path(cr);
    for (int along_x = 0; along_x < 2; ++along_x) {
        double middle = along_x ? center.z : center.x;
        double half = along_x ? half_z : half_x, length = along_x ? half_x : half_z;
        for (double at = ceil((middle - half) / step) * step; at < middle + half; at += step) {
            double part = (at - middle) / half;
            double reach = length * sqrt(fmax(0.0, 1.0 - part * part));
            sinew_Vec3 a = { center.x - reach, center.y, at },
                       b = { center.x + reach, center.y, at };
            if (!along_x) {
                a = sinew_vec3(at, center.y, center.z - reach);
                b = sinew_vec3(at, center.y, center.z + reach);
            }
            snw_Spot s = snw_camera_project(camera, a), t = snw_camera_project(camera, b);
            cairo_move_to(cr, s.x, s.y);
            cairo_line_to(cr, t.x, t.y);
        }
    }
    const snw_Color line = { 0.700, 0.690, 0.670 };
    cairo_pattern_t *pattern = make_glow(&map, line, 0.85);
    cairo_set_source(cr, pattern);
    cairo_pattern_destroy(pattern);
    cairo_set_line_width(cr, 0.8);
    cairo_stroke(cr);
}

void snw_floor_draw_backdrop(cairo_t *cr, double x, double y, double radius)
{
    cairo_matrix_t map;
    cairo_matrix_init(&map, radius, 0.0, 0.0, radius, x, y);
    fill_glow(cr, &map, PLATE, 0.80);
}
