#ifndef PICTURES_REACH_H
#define PICTURES_REACH_H

// Where the bone of a ball joint may point, as something to draw: closed loops on the unit sphere.

#include "pictures/camera.h"
#include "pictures/canvas.h"

#include "sinew/limit.h"

typedef struct snw_Reach {
    const sinew_BallLimit *limit;
    /// All loops one after the other, unit directions in the neutral frame; inside is on the left
    /// as seen from outside the sphere.
    sinew_Vec3 *points;
    /// Where each loop starts; loop_count + 1 numbers.
    int *starts;
    int loop_count;
    /// Pieces meet at these points, corner_count of them.
    sinew_Vec3 *corners;
    int corner_count;
} snw_Reach;

/// Loops of the limit's windows, none when the bone may point anywhere. False when out of memory.
bool snw_reach_create(const sinew_BallLimit *limit, snw_Reach *out_reach);
void snw_reach_destroy(snw_Reach *reach);

/// Whether the bone may point there.
bool snw_reach_allows(const snw_Reach *reach, sinew_Vec3 direction_neutral);

/// How far a direction is from the outline, radians; negative outside; INFINITY without one.
double snw_reach_margin(const snw_Reach *reach, sinew_Vec3 direction_neutral);

/// A sphere on the page.
typedef struct snw_Globe {
    const snw_Camera *camera;
    sinew_Vec3 center;
    double radius;
    /// world_from_neutral, with Y up.
    sinew_Quat turn;
} snw_Globe;

snw_Spot snw_globe_project(const snw_Globe *globe, sinew_Vec3 direction_neutral);

/// Add the part of the region that lies on the near half of the sphere, or on the far half, to the
/// path; to be filled by the even-odd rule. False when out of memory.
bool snw_reach_trace(cairo_t *cr, const snw_Reach *reach, const snw_Globe *globe, bool near);

/// Add the outline's part on the near or far half as open lines.
void snw_reach_trace_outline(
    cairo_t *cr, const snw_Reach *reach, const snw_Globe *globe, bool near);

#endif
