#ifndef PICTURES_FIGURE_H
#define PICTURES_FIGURE_H

// A body in a pose drawn as a shaded mannequin, with the floor below it, its targets and trails.

#include "pictures/camera.h"
#include "pictures/canvas.h"
#include "shape/body.h"

/// How a figure is drawn.
typedef struct snw_FigureStyle {
    /// 0 drawn fully, 1 gone into the paper.
    double fade;
    /// Flat and pale.
    bool ghost;
    /// Rotations of all joints, with Y up: limbs get stripes that turn with them. NULL: none.
    const sinew_Quat *stripes;
} snw_FigureStyle;

sinew_Status snw_figure_draw(cairo_t *cr, const snw_Camera *camera, const snw_Body *body,
    const sinew_Vec3 *positions, snw_FigureStyle style);

/// Soft shadows of a figure on the floor at that height.
void snw_figure_draw_shadow(cairo_t *cr, const snw_Camera *camera, const snw_Body *body,
    const sinew_Vec3 *positions, double floor, double strength);

/// A floor disc with a grid, fading outward. half_x and half_z: its horizontal half axes, metres.
void snw_floor_draw(cairo_t *cr, const snw_Camera *camera, sinew_Vec3 center, double half_x,
    double half_z, double step);

/// A round number of metres for the grid of a body of that size.
double snw_floor_step(double size);

/// A ring with a cross at each target, radius in metres.
void snw_targets_draw(
    cairo_t *cr, const snw_Camera *camera, const sinew_Vec3 *targets, int count, double radius);

/// A curve through points, the oldest palest. stride: distance between points of the array.
void snw_trail_draw(cairo_t *cr, const snw_Camera *camera, const sinew_Vec3 *points, int count,
    size_t stride, snw_Color color, double width, double faintest);

/// The colour of a joint's side, for limbs and for curves.
snw_Color snw_side_color(int side);
snw_Color snw_trail_color(int side, int index);

#endif
