#ifndef SNW_CHORD_H
#define SNW_CHORD_H

// How far one rotation is from another, without trigonometry.

#include "sinew/vecmath.h"

/// Chord 2 sin(angle/2) along the axis of the rotation from current to goal, in world axes: monotone up
/// to a half turn, where any axis across will do.
static inline sinew_Vec3 snw_rotation_chord(const sinew_Mat3 *current, const sinew_Mat3 *goal)
{
    sinew_Vec3 w = sinew_vec3_add(sinew_vec3_add(sinew_vec3_cross(current->x, goal->x),
                                      sinew_vec3_cross(current->y, goal->y)),
        sinew_vec3_cross(current->z, goal->z));
    double trace = sinew_vec3_dot(current->x, goal->x) + sinew_vec3_dot(current->y, goal->y)
        + sinew_vec3_dot(current->z, goal->z);
    if (trace > -0.99) { return sinew_vec3_scale(w, 1.0 / sqrt(1.0 + trace)); }

    // near a half turn w vanishes; the quaternion does not
    sinew_Quat q = sinew_quat_from_mat3(sinew_mat3_mul(*goal, sinew_mat3_transpose(*current)));
    double sign = q.w < 0.0 ? -2.0 : 2.0;
    return sinew_vec3_scale(sinew_vec3(q.x, q.y, q.z), sign);
}

#endif
