#include "pictures/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const snw_Color MIDDLE = { 0.660, 0.655, 0.640 };
static const snw_Color LEFT = { 0.330, 0.560, 0.740 };
static const snw_Color RIGHT = { 0.880, 0.545, 0.400 };
static const snw_Color GHOST = { 0.855, 0.860, 0.870 };
static const snw_Color SHADE = { 0.200, 0.215, 0.300 };

// where the light comes from, in the axes of the camera: over the viewer's left shoulder
static const sinew_Vec3 LIGHT = { -0.462, 0.727, 0.508 };

// radii of torso and head against the body's size
#define TORSO_DEPTH 0.056
#define HEAD_CRANIUM 0.056
#define HEAD_JAW 0.040

typedef enum PartKind { PART_LIMB, PART_HULL, PART_HEAD } PartKind;

// one piece of a figure, drawn from far to near
typedef struct Part {
    PartKind kind;
    double depth;
    int order;
    int side;
    bool swells;
    // the joint that a limb turns with, -1 for none
    int joint;
    // a limb: from, to; a hull: two points left and right at each end
    sinew_Vec3 points[4];
    double radii[4];
} Part;

typedef struct Painter {
    cairo_t *cr;
    const snw_Camera *camera;
    snw_FigureStyle style;
    // depths between which a figure goes from near to far
    double near, far;
} Painter;

snw_Color snw_side_color(int side)
{
    if (side == SNW_SIDE_LEFT) { return LEFT; }
    if (side == SNW_SIDE_RIGHT) { return RIGHT; }
    if (side < SNW_SIDE_BRANCH) { return MIDDLE; }
    const snw_Color white = { 1.0, 1.0, 1.0 };
    return snw_color_mix(SNW_CURVES[(side - SNW_SIDE_BRANCH) % SNW_CURVE_COUNT], white, 0.22);
}

snw_Color snw_trail_color(int side, int index)
{
    if (side == SNW_SIDE_MIDDLE) { return SNW_CURVES[2 + index % (SNW_CURVE_COUNT - 2)]; }
    return snw_side_color(side);
}

// ---------------------------------------------------------------------------------------------
// Light

// colour of a surface whose unit normal in the camera's axes is n, before haze
static snw_Color light_surface(snw_Color base, sinew_Vec3 n)
{
    const snw_Color white = { 1.0, 0.995, 0.98 };
    double lit = 0.5 + 0.5 * sinew_vec3_dot(n, LIGHT);
    lit = fmin(fmax(lit, 0.0), 1.0);
    snw_Color dark = snw_color_mix(base, SHADE, 0.52);
    snw_Color bright = snw_color_mix(base, white, 0.50);
    return lit < 0.62 ? snw_color_mix(dark, base, lit / 0.62)
                      : snw_color_mix(base, bright, (lit - 0.62) / 0.38);
}

// far parts go toward the paper, and a whole figure does by its fade
static snw_Color add_haze(const Painter *painter, snw_Color color, double depth)
{
    double range = fmax(painter->far - painter->near, 1e-12);
    double t = fmin(fmax((depth - painter->near) / range, 0.0), 1.0);
    color = snw_color_mix(color, SNW_PAPER, 0.26 * t);
    return snw_color_mix(color, SNW_PAPER, painter->style.fade);
}

static snw_Color part_color(const Painter *painter, int side)
{
    return painter->style.ghost ? GHOST : snw_side_color(side);
}

// Source of a long rounded surface: an ellipse of half axes a along x and b along z (directions in
// the camera's axes) swept along a direction that is `axis` on the page; shades by true normals.
static void set_rounded_source(const Painter *painter, snw_Spot center, sinew_Vec3 axis,
    sinew_Vec3 x, double a, sinew_Vec3 z, double b, snw_Color base)
{
    double flat = hypot(axis.x, axis.y);
    sinew_Vec3 across = flat > 1e-9 ? sinew_vec3(-axis.y / flat, axis.x / flat, 0.0)
                                    : sinew_vec3(1.0, 0.0, 0.0);

    // the visible half of the ellipse starts where its normal lies in the page
    double start = atan2(-x.z / a, z.z / b);
    double middle = start + 0.5 * SINEW_PI;
    if (x.z * cos(middle) / a + z.z * sin(middle) / b < 0.0) { start += SINEW_PI; }

    enum { STOPS = 9 };
    double places[STOPS];
    snw_Color colors[STOPS];
    for (int i = 0; i < STOPS; ++i) {
        double angle = start + SINEW_PI * i / (STOPS - 1);
        double c = cos(angle), s = sin(angle);
        sinew_Vec3 point = sinew_vec3_add_scaled(sinew_vec3_scale(x, a * c), z, b * s);
        sinew_Vec3 normal = sinew_vec3_add_scaled(sinew_vec3_scale(x, c / a), z, s / b);
        normal = sinew_vec3_normalize_or(normal, sinew_vec3(0.0, 0.0, 1.0));
        places[i] = sinew_vec3_dot(point, across);
        colors[i] = add_haze(painter, light_surface(base, normal), center.depth);
    }
    double low = places[0], range = places[STOPS - 1] - places[0];
    if (fabs(range) < 1e-12) { range = 1e-12; }
    double px = center.scale;
    cairo_pattern_t *pattern = cairo_pattern_create_linear(center.x + across.x * low * px,
        center.y - across.y * low * px, center.x + across.x * (low + range) * px,
        center.y - across.y * (low + range) * px);
    for (int i = 0; i < STOPS; ++i) {
        cairo_pattern_add_color_stop_rgb(
            pattern, (places[i] - low) / range, colors[i].r, colors[i].g, colors[i].b);
    }
    cairo_set_source(painter->cr, pattern);
    cairo_pattern_destroy(pattern);
}

// a ball, or the end of a limb that points at the viewer
static void draw_ball(
    const Painter *painter, snw_Spot spot, double pixels, snw_Color base, double alpha)
{
    double lx = LIGHT.x, ly = LIGHT.y;
    double flat = hypot(lx, ly);
    cairo_pattern_t *pattern = cairo_pattern_create_radial(
        spot.x + 0.55 * lx * pixels, spot.y - 0.55 * ly * pixels, 0.0, spot.x, spot.y, pixels);
    for (int i = 0; i <= 4; ++i) {
        // from the brightest point over the centre to the dark rim
        double t = i / 4.0;
        double along = 0.55 - t * 1.55;
        double z = sqrt(fmax(0.0, 1.0 - along * along));
        sinew_Vec3 n = { lx / flat * along, ly / flat * along, z };
        snw_Color c = add_haze(painter, light_surface(base, n), spot.depth);
        cairo_pattern_add_color_stop_rgba(pattern, t, c.r, c.g, c.b, alpha);
    }
    cairo_set_source(painter->cr, pattern);
    cairo_pattern_destroy(pattern);
    cairo_new_path(painter->cr);
    cairo_arc(painter->cr, spot.x, spot.y, pixels, 0.0, 2.0 * SINEW_PI);
    cairo_fill(painter->cr);
}

// fill the path with the source that is set, with a thin dark edge that parts it from what is
// behind
static void fill_with_edge(const Painter *painter, snw_Color base, double depth, double pixels)
{
    cairo_t *cr = painter->cr;
    cairo_pattern_t *source = cairo_pattern_reference(cairo_get_source(cr));
    if (!painter->style.ghost) {
        snw_Color edge = add_haze(painter, snw_color_mix(base, SHADE, 0.70), depth);
        snw_color_set(cr, edge, 0.55);
        cairo_set_line_width(cr, fmin(fmax(0.10 * pixels, 0.6), 1.8));
        cairo_stroke_preserve(cr);
    }
    cairo_set_source(cr, source);
    cairo_pattern_destroy(source);
    cairo_fill(cr);
}

// ---------------------------------------------------------------------------------------------
// Limbs

// outline of two circles and their common tangents, which swell outward by that part of the radius
static void trace_limb(cairo_t *cr, snw_Spot from, double r0, snw_Spot to, double r1, double swell)
{
    double dx = to.x - from.x, dy = to.y - from.y;
    double distance = hypot(dx, dy);
    cairo_new_path(cr);
    if (distance <= fabs(r0 - r1) + 1e-6) {
        const snw_Spot *big = r0 > r1 ? &from : &to;
        cairo_arc(cr, big->x, big->y, fmax(r0, r1), 0.0, 2.0 * SINEW_PI);
        return;
    }
    double angle = atan2(dy, dx), half = acos((r0 - r1) / distance);
    double out = swell * fmax(r0, r1);

    cairo_arc(cr, to.x, to.y, r1, angle - half, angle + half);
    for (int side = 0; side < 2; ++side) {
        // along one tangent back to the first circle, along the other to the second
        double a = side == 0 ? angle + half : angle - half;
        double nx = cos(a), ny = sin(a);
        double x0 = side == 0 ? to.x + r1 * nx : from.x + r0 * nx;
        double y0 = side == 0 ? to.y + r1 * ny : from.y + r0 * ny;
        double x1 = side == 0 ? from.x + r0 * nx : to.x + r1 * nx;
        double y1 = side == 0 ? from.y + r0 * ny : to.y + r1 * ny;
        // the thicker third swells most
        double first = side == 0 ? 0.4 * out : out, second = side == 0 ? out : 0.4 * out;
        cairo_curve_to(cr, x0 + (x1 - x0) / 3.0 + first * nx, y0 + (y1 - y0) / 3.0 + first * ny,
            x0 + 2.0 * (x1 - x0) / 3.0 + second * nx, y0 + 2.0 * (y1 - y0) / 3.0 + second * ny, x1,
            y1);
        if (side == 0) {
            cairo_arc(cr, from.x, from.y, r0, angle + half, angle - half + 2.0 * SINEW_PI);
        }
    }
    cairo_close_path(cr);
}

// Dark stripes along a limb, fixed to the joint that turns it, so that its twist can be seen. One
// of them is coloured. Source of the idea: Blow (2002), figure 1.
static void draw_stripes(const Painter *painter, const Part *part)
{
    enum { STRIPES = 5, ALONG = 10 };
    sinew_Vec3 from = part->points[0], way = sinew_vec3_sub(part->points[1], from);
    double length = sinew_vec3_length(way);
    if (!(length > 0.0) || part->joint < 0) { return; }
    way = sinew_vec3_scale(way, 1.0 / length);

    // where on the limb the joint's own axis across it points
    sinew_Quat turn = painter->style.stripes[part->joint];
    sinew_Vec3 local = sinew_quat_rotate(sinew_quat_conjugate(turn), way);
    sinew_Vec3 own = fabs(local.y) < 0.8 ? sinew_vec3(0.0, 1.0, 0.0) : sinew_vec3(0.0, 0.0, 1.0);
    sinew_Vec3 x = sinew_quat_rotate(turn, own);
    x = sinew_vec3_add_scaled(x, way, -sinew_vec3_dot(x, way));
    x = sinew_vec3_normalize_or(x, sinew_vec3(1.0, 0.0, 0.0));
    sinew_Vec3 z = sinew_vec3_cross(way, x);

    cairo_t *cr = painter->cr;
    sinew_Vec3 eye = sinew_vec3_sub(
        painter->camera->eye, sinew_vec3_lerp(from, part->points[1], 0.5));
    for (int i = 0; i < STRIPES; ++i) {
        double middle = 2.0 * SINEW_PI * i / STRIPES, half = 0.36 * SINEW_PI / STRIPES;
        // a stripe is drawn as far as it faces the viewer
        sinew_Vec3 edge[2][ALONG + 1];
        double angles[2] = { middle - half, middle + half };
        double facing = atan2(sinew_vec3_dot(eye, z), sinew_vec3_dot(eye, x));
        for (int side = 0; side < 2; ++side) {
            double off = remainder(angles[side] - facing, 2.0 * SINEW_PI);
            angles[side] = facing + fmin(fmax(off, -0.47 * SINEW_PI), 0.47 * SINEW_PI);
        }
        if (angles[1] - angles[0] < 1e-3 || angles[1] - angles[0] > 3.0 * half) { continue; }
        for (int side = 0; side < 2; ++side) {
            sinew_Vec3 out = sinew_vec3_add_scaled(
                sinew_vec3_scale(x, cos(angles[side])), z, sin(angles[side]));
            for (int k = 0; k <= ALONG; ++k) {
                double t = 0.04 + 0.92 * k / ALONG;
                double radius = part->radii[0] + (part->radii[1] - part->radii[0]) * t;
                if (part->swells) {
                    radius += 0.22 * 0.75 * part->radii[0] * 4.0 * t * (1.0 - t) * (1.3 - 0.6 * t);
                }
                edge[side][k] = sinew_vec3_add_scaled(
                    sinew_vec3_add_scaled(from, way, t * length), out, 0.97 * radius);
            }
        }
        cairo_new_path(cr);
        for (int k = 0; k <= 2 * ALONG + 1; ++k) {
            sinew_Vec3 p = k <= ALONG ? edge[0][k] : edge[1][2 * ALONG + 1 - k];
            snw_Spot spot = snw_camera_project(painter->camera, p);
            cairo_line_to(cr, spot.x, spot.y);
        }
        cairo_close_path(cr);
        snw_color_set(cr, i == 0 ? SNW_TARGET : SHADE, i == 0 ? 0.46 : 0.34);
        cairo_fill(cr);
    }
}

static void draw_limb(const Painter *painter, const Part *part)
{
    snw_Spot from = snw_camera_project(painter->camera, part->points[0]);
    snw_Spot to = snw_camera_project(painter->camera, part->points[1]);
    double r0 = part->radii[0] * from.scale, r1 = part->radii[1] * to.scale;
    snw_Color base = part_color(painter, part->side);

    sinew_Vec3 axis = sinew_vec3_sub(part->points[1], part->points[0]);
    axis = sinew_vec3_normalize_or(
        snw_camera_turn(painter->camera, axis), sinew_vec3(0.0, 1.0, 0.0));
    double flat = hypot(axis.x, axis.y);
    sinew_Vec3 across = flat > 1e-9 ? sinew_vec3(-axis.y / flat, axis.x / flat, 0.0)
                                    : sinew_vec3(1.0, 0.0, 0.0);
    sinew_Vec3 facing = sinew_vec3_cross(across, axis);
    if (facing.z < 0.0) { facing = sinew_vec3_scale(facing, -1.0); }

    snw_Spot center = snw_camera_project(
        painter->camera, sinew_vec3_lerp(part->points[0], part->points[1], 0.5));
    double radius = 0.5 * (part->radii[0] + part->radii[1]);
    set_rounded_source(painter, center, axis, across, radius, facing, radius, base);
    trace_limb(painter->cr, from, r0, to, r1, part->swells ? 0.22 : 0.0);
    fill_with_edge(painter, base, center.depth, fmax(r0, r1));
    if (painter->style.stripes) { draw_stripes(painter, part); }

    // the end that points at the viewer is a ball
    double toward = fmin(fmax((fabs(axis.z) - 0.45) / 0.4, 0.0), 1.0);
    if (toward > 0.0) {
        bool near_to = to.depth < from.depth;
        draw_ball(painter, near_to ? to : from, near_to ? r1 : r0, base, toward);
    }
}

static void draw_head(const Painter *painter, const Part *part)
{
    snw_Spot jaw = snw_camera_project(painter->camera, part->points[0]);
    snw_Spot cranium = snw_camera_project(painter->camera, part->points[1]);
    double r0 = part->radii[0] * jaw.scale, r1 = part->radii[1] * cranium.scale;
    snw_Color base = part_color(painter, part->side);

    // one ball of light over the whole of both
    double dx = cranium.x - jaw.x, dy = cranium.y - jaw.y;
    double reach = hypot(dx, dy);
    snw_Spot middle = cranium;
    middle.x = cranium.x - 0.22 * dx;
    middle.y = cranium.y - 0.22 * dy;
    double pixels = fmax(r1, 0.5 * (reach + r0 + r1)) * 1.06;
    double lx = LIGHT.x, ly = LIGHT.y, flat = hypot(lx, ly);
    cairo_pattern_t *pattern = cairo_pattern_create_radial(middle.x + 0.5 * lx * pixels,
        middle.y - 0.5 * ly * pixels, 0.0, middle.x, middle.y, pixels);
    for (int i = 0; i <= 5; ++i) {
        double t = i / 5.0, along = 0.5 - t * 1.5;
        sinew_Vec3 n = { lx / flat * along, ly / flat * along,
            sqrt(fmax(0.0, 1.0 - along * along)) };
        snw_Color c = add_haze(painter, light_surface(base, n), cranium.depth);
        cairo_pattern_add_color_stop_rgb(pattern, t, c.r, c.g, c.b);
    }
    cairo_set_source(painter->cr, pattern);
    cairo_pattern_destroy(pattern);
    trace_limb(painter->cr, jaw, r0, cranium, r1, 0.10);
    fill_with_edge(painter, base, cranium.depth, r1);
}

// ---------------------------------------------------------------------------------------------
// Torso

typedef struct Flat {
    double x, y;
} Flat;

static int compare_flat(const void *a, const void *b)
{
    const Flat *p = a, *q = b;
    if (p->x != q->x) { return p->x < q->x ? -1 : 1; }
    return p->y < q->y ? -1 : p->y > q->y ? 1 : 0;
}

static double turn_of(Flat a, Flat b, Flat c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// convex hull of four circles, by Andrew's monotone chain over points on them
static void trace_hull(cairo_t *cr, const snw_Spot spots[4], const double pixels[4])
{
    enum { AROUND = 28, ALL = 4 * AROUND };
    Flat points[ALL], hull[2 * ALL];
    for (int i = 0; i < ALL; ++i) {
        double angle = 2.0 * SINEW_PI * (i % AROUND) / AROUND;
        points[i].x = spots[i / AROUND].x + pixels[i / AROUND] * cos(angle);
        points[i].y = spots[i / AROUND].y + pixels[i / AROUND] * sin(angle);
    }
    qsort(points, ALL, sizeof points[0], compare_flat);
    int count = 0;
    for (int i = 0; i < ALL; ++i) {
        while (count >= 2 && turn_of(hull[count - 2], hull[count - 1], points[i]) <= 0.0) {
            --count;
        }
        hull[count++] = points[i];
    }
    int lower = count + 1;
    for (int i = ALL - 2; i >= 0; --i) {
        while (count >= lower && turn_of(hull[count - 2], hull[count - 1], points[i]) <= 0.0) {
            --count;
        }
        hull[count++] = points[i];
    }
    cairo_new_path(cr);
    for (int i = 0; i + 1 < count; ++i) { cairo_line_to(cr, hull[i].x, hull[i].y); }
    cairo_close_path(cr);
}

static void draw_hull(const Painter *painter, const Part *part)
{
    snw_Spot spots[4];
    double pixels[4], most = 0.0;
    sinew_Vec3 middle = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 4; ++i) {
        spots[i] = snw_camera_project(painter->camera, part->points[i]);
        pixels[i] = part->radii[i] * spots[i].scale;
        most = fmax(most, pixels[i]);
        middle = sinew_vec3_add_scaled(middle, part->points[i], 0.25);
    }

    // the frame of the torso: along the spine, and from right to left
    sinew_Vec3 top = sinew_vec3_lerp(part->points[0], part->points[1], 0.5);
    sinew_Vec3 bottom = sinew_vec3_lerp(part->points[2], part->points[3], 0.5);
    sinew_Vec3 axis = snw_camera_turn(painter->camera, sinew_vec3_sub(top, bottom));
    axis = sinew_vec3_normalize_or(axis, sinew_vec3(0.0, 1.0, 0.0));
    sinew_Vec3 wide = sinew_vec3_add(sinew_vec3_sub(part->points[0], part->points[1]),
        sinew_vec3_sub(part->points[2], part->points[3]));
    wide = snw_camera_turn(painter->camera, sinew_vec3_scale(wide, 0.25));
    wide = sinew_vec3_add_scaled(wide, axis, -sinew_vec3_dot(wide, axis));
    double depth_radius = 0.25
        * (part->radii[0] + part->radii[1] + part->radii[2] + part->radii[3]);
    double half = sinew_vec3_length(wide) + depth_radius;
    wide = sinew_vec3_normalize_or(wide, sinew_vec3(1.0, 0.0, 0.0));
    sinew_Vec3 front = sinew_vec3_cross(wide, axis);

    snw_Spot center = snw_camera_project(painter->camera, middle);
    snw_Color base = part_color(painter, part->side);
    set_rounded_source(painter, center, axis, wide, half, front, depth_radius, base);
    trace_hull(painter->cr, spots, pixels);
    fill_with_edge(painter, base, center.depth, most);
}

// chest and pelvis, each wide at one end and meeting at the waist
static int add_torso(const snw_Body *body, const sinew_Vec3 *positions, Part *parts)
{
    const double depth = TORSO_DEPTH * body->size;
    sinew_Vec3 ls = positions[body->shoulders[0]], rs = positions[body->shoulders[1]];
    sinew_Vec3 lh = positions[body->hips[0]], rh = positions[body->hips[1]];
    sinew_Vec3 neck = sinew_vec3_lerp(ls, rs, 0.5), hip = sinew_vec3_lerp(lh, rh, 0.5);
    sinew_Vec3 waist = positions[body->waist];

    // the waist is kept between the ends, whatever the spine's joints do
    sinew_Vec3 spine = sinew_vec3_sub(neck, hip);
    double length2 = sinew_vec3_dot(spine, spine);
    double t = length2 > 0.0 ? sinew_vec3_dot(sinew_vec3_sub(waist, hip), spine) / length2 : 0.5;
    if (t < 0.25 || t > 0.65) { waist = sinew_vec3_lerp(hip, neck, 0.42); }

    sinew_Vec3 across = sinew_vec3_add(sinew_vec3_sub(ls, rs), sinew_vec3_sub(lh, rh));
    across = sinew_vec3_normalize_or(across, sinew_vec3(1.0, 0.0, 0.0));
    double narrow = 0.034 * body->size;
    sinew_Vec3 lw = sinew_vec3_add_scaled(waist, across, narrow);
    sinew_Vec3 rw = sinew_vec3_add_scaled(waist, across, -narrow);

    Part *chest = &parts[0], *pelvis = &parts[1];
    memset(parts, 0, 2 * sizeof *parts);
    chest->joint = pelvis->joint = -1;
    chest->kind = pelvis->kind = PART_HULL;
    chest->points[0] = sinew_vec3_lerp(sinew_vec3_lerp(ls, rs, 0.22), lw, 0.12);
    chest->points[1] = sinew_vec3_lerp(sinew_vec3_lerp(rs, ls, 0.22), rw, 0.12);
    chest->points[2] = pelvis->points[0] = lw;
    chest->points[3] = pelvis->points[1] = rw;
    pelvis->points[2] = sinew_vec3_lerp(lh, rh, 0.08);
    pelvis->points[3] = sinew_vec3_lerp(rh, lh, 0.08);
    for (int i = 0; i < 4; ++i) {
        chest->radii[i] = i < 2 ? 0.88 * depth : 0.80 * depth;
        pelvis->radii[i] = i < 2 ? 0.78 * depth : 0.86 * depth;
    }
    return 2;
}

static int add_head(const snw_Body *body, const sinew_Vec3 *positions, Part *part)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    sinew_Vec3 from = positions[body->head], to = positions[body->head_end];
    int neck = joints[body->head].parent;
    sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    if (neck >= 0) { up = sinew_vec3_normalize_or(sinew_vec3_sub(from, positions[neck]), up); }
    up = sinew_vec3_normalize_or(sinew_vec3_sub(to, from), up);

    // heads have human sizes, whatever the last bone's length is
    double cranium = HEAD_CRANIUM * body->size, jaw = HEAD_JAW * body->size;
    memset(part, 0, sizeof *part);
    part->kind = PART_HEAD;
    part->joint = -1;
    part->points[0] = sinew_vec3_add_scaled(from, up, 0.030 * body->size);
    part->points[1] = sinew_vec3_add_scaled(from, up, 0.072 * body->size);
    part->radii[0] = jaw;
    part->radii[1] = cranium;
    return 1;
}

// ---------------------------------------------------------------------------------------------
// Figure

static int compare_parts(const void *a, const void *b)
{
    const Part *p = a, *q = b;
    if (p->depth != q->depth) { return p->depth > q->depth ? -1 : 1; }
    return p->order - q->order;
}

// what hangs on the head is drawn as the head
static bool is_inside_head(const snw_Body *body, const snw_Bone *bone)
{
    return body->head >= 0 && bone->to != body->head
        && sinew_skeleton_is_ancestor(body->skeleton, body->head, bone->to);
}

static int collect_parts(const snw_Body *body, const sinew_Vec3 *positions, Part *parts)
{
    int count = 0;
    for (int i = 0; i < body->bone_count; ++i) {
        const snw_Bone *bone = &body->bones[i];
        if (is_inside_head(body, bone)) { continue; }
        Part *part = &parts[count++];
        memset(part, 0, sizeof *part);
        part->kind = PART_LIMB;
        // under the skin of a torso nothing shows
        part->joint = body->has_torso && bone->side == SNW_SIDE_MIDDLE ? -1 : bone->from;
        part->side = bone->side;
        part->swells = bone->limb;
        part->points[0] = positions[bone->from];
        part->points[1] = positions[bone->to];
        part->radii[0] = bone->from_radius;
        part->radii[1] = bone->to_radius;
    }
    if (body->has_torso) { count += add_torso(body, positions, &parts[count]); }
    if (body->head >= 0) { count += add_head(body, positions, &parts[count]); }
    if (count == 0) {
        // a single joint is a ball
        memset(&parts[0], 0, sizeof parts[0]);
        parts[0].joint = -1;
        parts[0].points[0] = parts[0].points[1] = positions[0];
        parts[0].radii[0] = parts[0].radii[1] = 0.08 * body->size;
        count = 1;
    }
    return count;
}

// from far to near by the middle of each part
static void sort_parts(const snw_Camera *camera, Part *parts, int count, double *near, double *far)
{
    *near = INFINITY;
    *far = -INFINITY;
    for (int i = 0; i < count; ++i) {
        Part *part = &parts[i];
        int points = part->kind == PART_HULL ? 4 : 2;
        double depth = 0.0;
        for (int k = 0; k < points; ++k) {
            depth += snw_camera_project(camera, part->points[k]).depth / points;
        }
        part->depth = depth;
        part->order = i;
        *near = fmin(*near, depth);
        *far = fmax(*far, depth);
    }
    qsort(parts, (size_t)count, sizeof *parts, compare_parts);
}

sinew_Status snw_figure_draw(cairo_t *cr, const snw_Camera *camera, const snw_Body *body,
    const sinew_Vec3 *positions, snw_FigureStyle style)
{
    Part *parts = malloc(((size_t)body->bone_count + 4) * sizeof *parts);
    if (!parts) { return SINEW_STATUS_OUT_OF_MEMORY; }
    int count = collect_parts(body, positions, parts);
    Painter painter = { cr, camera, style, 0.0, 0.0 };
    sort_parts(camera, parts, count, &painter.near, &painter.far);

    // a flat figure has no near and far
    double least = 0.5 * body->size;
    if (painter.far - painter.near < least) {
        double middle = 0.5 * (painter.near + painter.far);
        painter.near = middle - 0.5 * least;
        painter.far = middle + 0.5 * least;
    }
    for (int i = 0; i < count; ++i) {
        switch (parts[i].kind) {
        case PART_LIMB: draw_limb(&painter, &parts[i]); break;
        case PART_HULL: draw_hull(&painter, &parts[i]); break;
        case PART_HEAD: draw_head(&painter, &parts[i]); break;
        }
    }
    free(parts);
    return SINEW_STATUS_OK;
}

// ---------------------------------------------------------------------------------------------
// Floor

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

void snw_figure_draw_shadow(cairo_t *cr, const snw_Camera *camera, const snw_Body *body,
    const sinew_Vec3 *positions, double floor, double strength)
{
    const double size = body->size;

    // one wide soft shadow of the whole, then a darker one of each bone, fading as it rises
    sinew_Vec3 low = positions[0], high = positions[0];
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
    fill_glow(cr, &map, SHADE, strength * 0.16 / (1.0 + 4.0 * rise / size));

    for (int i = 0; i < body->bone_count; ++i) {
        const snw_Bone *bone = &body->bones[i];
        sinew_Vec3 a = positions[bone->from], b = positions[bone->to];
        double height = fmax(0.5 * (a.y + b.y) - floor, 0.0) / size;
        double alpha = strength * 0.34 * exp(-height / 0.10);
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
    const snw_Color plate = { 0.925, 0.917, 0.900 };
    cairo_matrix_t map = map_floor(
        camera, center, sinew_vec3(half_x, 0.0, 0.0), sinew_vec3(0.0, 0.0, half_z));
    if (!is_invertible(&map) || !(step > 0.0)) { return; }
    fill_glow(cr, &map, plate, 0.95);

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

// ---------------------------------------------------------------------------------------------
// Targets and trails

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
