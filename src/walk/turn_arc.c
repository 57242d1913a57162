// Arcs on the ground. Source: Meredith and Maddock (2004), eq. 1.16-1.18, figures 1.6 and 1.7.

#include "walk/turn_arc.h"

void snw_turn_center(const snw_GroundPose *pose, double r, double *out_x, double *out_z)
{
    double s, c;
    sinew_sincos(pose->heading, &s, &c);
    *out_x = pose->x + r * c;
    *out_z = pose->z - r * s;
}

snw_GroundPose snw_turn_place(double center_x, double center_z, double r, double heading)
{
    double s, c;
    sinew_sincos(heading, &s, &c);
    snw_GroundPose pose = { center_x - r * c, center_z + r * s, heading };
    return pose;
}

double snw_heading_of(double x, double z)
{
    return sinew_atan2(x, z);
}

double snw_turn_wrap(double angle)
{
    double turns = floor((angle + SINEW_PI) / (2.0 * SINEW_PI));
    double wrapped = angle - 2.0 * SINEW_PI * turns;
    return wrapped > -SINEW_PI ? wrapped : SINEW_PI;
}

// sin(a) / a
static double chord_share(double a)
{
    if (fabs(a) < 1e-4) { return 1.0 - a * a / 6.0; }
    double s, c;
    sinew_sincos(a, &s, &c);
    return s / a;
}

// the chord of the arc: it points half-way between both headings and is shorter by sin(a) / a, a half
// of the angle turned
snw_GroundPose snw_ground_path(
    const snw_GroundPose *from, const sinew_Steering *motion, double time)
{
    double half = 0.5 * motion->turn * time;
    double way = time * chord_share(half);
    snw_GroundPose middle = { from->x, from->z, from->heading + half }, to;
    snw_ground_point(&middle, motion->left * way, motion->forward * way, &to.x, &to.z);
    to.heading = from->heading + 2.0 * half;
    return to;
}

void snw_ground_point(
    const snw_GroundPose *pose, double left, double forward, double *out_x, double *out_z)
{
    double s, c;
    sinew_sincos(pose->heading, &s, &c);
    *out_x = pose->x + left * c + forward * s;
    *out_z = pose->z - left * s + forward * c;
}
