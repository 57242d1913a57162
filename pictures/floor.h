#ifndef PICTURES_FLOOR_H
#define PICTURES_FLOOR_H

// What figures on a page stand on, or before.

#include "pictures/camera.h"
#include "pictures/canvas.h"
#include "shape/body.h"

/// A floor disc with a grid, fading outward. half_x and half_z: its horizontal half axes, metres.
void snw_floor_draw(cairo_t *cr, const snw_Camera *camera, sinew_Vec3 center, double half_x,
    double half_z, double step);

/// A round number of metres for the grid of a body of that size.
double snw_floor_step(double size);

/// Soft shadows of a figure on the floor at that height.
void snw_floor_draw_shadow(cairo_t *cr, const snw_Camera *camera, const snw_Body *body,
    const sinew_Vec3 *positions, double floor);

/// A soft pale disc behind a figure that has no floor; radius in pixels.
void snw_floor_draw_backdrop(cairo_t *cr, double x, double y, double radius);

#endif
