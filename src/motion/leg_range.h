#ifndef SNW_LEG_RANGE_H
#define SNW_LEG_RANGE_H

// Whether a leg in closed form keeps inside the ranges of its joints.

#include "motion/walk.h"

/// How far hip, knee or ankle would be beyond the end of its range, radians, negative inside: with the
/// foot there, as it is turned, and the knee in the plane that the foot asks for. heading: of the body.
double snw_leg_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading);

#endif
