#ifndef PICTURES_GIZMO_H
#define PICTURES_GIZMO_H

// Limits of joints drawn where they are: windows on a sphere around the joint, ranges as arcs and
// fans. One limit for each rotation of a joint that has one.

#include "pictures/reach.h"
#include "shape/body.h"

#include "sinew/pose.h"

typedef struct snw_JointLimit {
    int joint;
    /// Its first coordinate; a ball has four.
    int coordinate;
    bool is_ball;
    /// Windows of a ball.
    bool has_window;
    snw_Reach reach;
    /// world_from_neutral with Y up, and where the bone points in the neutral frame.
    sinew_Quat turn;
    sinew_Vec3 direction;
    /// A range: the twist of a ball or the angle of a hinge, radians.
    bool has_range;
    double lower, upper, value;
    /// Place of angle 0 and of a quarter turn, unit, world with Y up.
    sinew_Vec3 zero, quarter;
    /// The range turns about the bone; otherwise it moves it.
    bool about_bone;
    /// Which of the joint's ranges it is, from 0.
    int rank;
    /// Joint, its bone's unit direction and length, world with Y up; size of the drawing, metres.
    sinew_Vec3 place, bone;
    double length, radius;
    /// Half the thickness of the bone as it is drawn, metres.
    double thickness;
} snw_JointLimit;

/// Limits of a skeleton in a pose; *out_limits is an array to be given back to snw_limits_destroy.
/// least: shorter bones but balls of limbs, trunk and head are left out, metres. Twists and helpers on the way are parts of
/// a bone. False when out of memory.
bool snw_limits_create(const snw_Body *body, const double *q, double least,
    snw_JointLimit **out_limits, int *out_count);
void snw_limits_destroy(snw_JointLimit *limits, int count);

/// Draw one. unit: pixels of a thin line.
sinew_Status snw_limit_draw(
    cairo_t *cr, const snw_Camera *camera, const snw_JointLimit *limit, double unit);

/// The colour of windows, and of a joint's ranges.
snw_Color snw_limit_window_color(void);
snw_Color snw_limit_range_color(const snw_JointLimit *limit);

#endif
