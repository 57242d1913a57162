#ifndef PICTURES_MARKS_H
#define PICTURES_MARKS_H

// What is drawn beside figures on a page: targets, and the paths of joints.

#include "pictures/camera.h"
#include "pictures/canvas.h"

/// A ring with a cross at each target, radius in metres.
void snw_targets_draw(
    cairo_t *cr, const snw_Camera *camera, const sinew_Vec3 *targets, int count, double radius);

/// A curve through points, the oldest palest. stride: distance between points of the array.
void snw_trail_draw(cairo_t *cr, const snw_Camera *camera, const sinew_Vec3 *points, int count,
    size_t stride, snw_Color color, double width, double faintest);

/// The colour of a path by its joint's side; index tells those in the middle apart.
snw_Color snw_trail_color(int side, int index);

#endif
