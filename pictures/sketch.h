#ifndef PICTURES_SKETCH_H
#define PICTURES_SKETCH_H

// One joint's limits as a flat drawing: its window by swing and azimuth, its ranges as dials.

#include "pictures/gizmo.h"

/// Draw the limits of one joint, count of them, into a rectangle of the page.
void snw_sketch_draw(cairo_t *cr, const sinew_Skeleton *skeleton, const snw_JointLimit *limits,
    int count, snw_Rect rect, double unit);

#endif
