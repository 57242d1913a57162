#ifndef SNW_TURN_ARC_H
#define SNW_TURN_ARC_H

// Places on the ground and the arcs between them. Headings are measured from +Z towards +X; a turn to
// the left is positive, forward is (sin, cos) of the heading in (x, z).

#include "sinew/steering.h"
#include "sinew/vecmath.h"

/// A place on the ground and where it looks.
typedef struct snw_GroundPose {
    double x, z, heading;
} snw_GroundPose;

/// The centre of the circle of radius r that a walker at a place goes on: at its left for r > 0, at its
/// right for r < 0, whatever its heading. (*out_x, *out_z) = (x + r cos, z - r sin).
/// Meredith and Maddock (2004), eq. 1.17; they find the angle by an arc sine, which holds for half of
/// all headings, and negate it for turns to the right, which puts the centre on the wrong side.
void snw_turn_center(const snw_GroundPose *pose, double r, double *out_x, double *out_z);

/// The place on that circle whose heading is given: eq. 1.16.
snw_GroundPose snw_turn_place(double center_x, double center_z, double r, double heading);

/// The heading of a direction, also one that is not of unit length: atan2(x, z).
double snw_heading_of(double x, double z);

/// An angle brought into (-pi, pi].
double snw_turn_wrap(double angle);

/// Where one comes to from a place by moving steadily for a time: along an arc, a line or on the
/// spot. One formula for all, exact also where the radius is far greater than the way.
snw_GroundPose snw_ground_path(
    const snw_GroundPose *from, const sinew_Steering *motion, double time);

/// A point beside a place: left and forward of it.
void snw_ground_point(
    const snw_GroundPose *pose, double left, double forward, double *out_x, double *out_z);

#endif
