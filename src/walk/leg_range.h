#ifndef SNW_LEG_RANGE_H
#define SNW_LEG_RANGE_H

// Whether a leg in closed form keeps inside the ranges of its joints.

#include "walk/walk.h"

/// How far joints would be beyond the ends of their ranges, radians, negative inside.
typedef struct snw_LegExcess {
    double hip, knee, ankle;
} snw_LegExcess;

/// With the foot there, as it is turned, and the knee in the plane that the foot asks for. heading: of the
/// body.
snw_LegExcess snw_leg_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading);

#endif
