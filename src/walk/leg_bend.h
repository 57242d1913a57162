#ifndef SNW_LEG_BEND_H
#define SNW_LEG_BEND_H

// How fast the joints of a leg turn when its tip moves, without solving: measured once along one line
// from the leg's first joint, asked for many times while walking.

#include "sinew/vecmath.h"

enum { SNW_BEND_ROWS = 15 };

/// Per metre that the tip goes away from the first joint, straight on. The first two freedoms of a leg turn
/// it, the others bend it.
typedef struct snw_LegBend {
    sinew_Vec3 line;                  ///< from the first joint to the tip, body's frame, unit
    double nearest, spacing;          ///< distances of the rows, metres
    sinew_Vec3 turned[SNW_BEND_ROWS]; ///< of the part below the first two freedoms, body's frame
    double bent[SNW_BEND_ROWS];       ///< the fastest of the other joints
} snw_LegBend;

/// Radians by which the fastest joint turns while the tip goes a short way, both from the first joint, in
/// the body's frame.
double snw_leg_bend_turn(const snw_LegBend *bend, sinew_Vec3 tip, sinew_Vec3 way);

#endif
