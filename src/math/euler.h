#ifndef SNW_EULER_H
#define SNW_EULER_H

// Euler angles of any order of three different axes, and back without jumps.

#include "sinew/vecmath.h"

/// order holds three different axis indices; the rotation is
/// R_order[0](angles[0]) R_order[1](angles[1]) R_order[2](angles[2]).
sinew_Quat snw_euler_to_quat(const int order[3], const double angles[3]);

/// The angles of that order that are nearest to previous (sum of squares), among both solutions and
/// all full turns. At gimbal lock the first angle stays as it was and the last takes what is left,
/// so the rotation is exact there as well. q is made unit first; out_angles may be previous.
void snw_euler_from_quat(
    const int order[3], sinew_Quat q, const double previous[3], double out_angles[3]);

#endif
