#ifndef SNW_PAPER_FOOT_H
#define SNW_PAPER_FOOT_H

// A foot of the two-stage cycle against its leg: how far it has to pitch so that the hip reaches the
// ankle and ankle and thigh stay inside their ranges.

#include "motion/walk.h"

/// The straight leg as far as it may be used: hip joint to ankle, metres.
double snw_paper_reach(const snw_WalkLegBody *leg);
/// The most a heel is lifted, radians.
double snw_paper_most_lift(const snw_WalkLegBody *leg);

/// How far the heel of a foot on its toes has to be lifted for the hip joint to reach it, radians;
/// at most most.
double snw_paper_heel_lift(const snw_WalkLegBody *leg, const sinew_Transform *flat, sinew_Vec3 hip,
    double reach, double most);

/// A foot on its place, pitched: toes up it turns about the heel, heel up about the toes.
sinew_Transform snw_paper_posed(
    const snw_WalkLegBody *leg, const sinew_Transform *flat, double pitch);

/// How far the foot has to be turned about a point of it (foot frame), toes down, for ankle and thigh
/// to come back inside their ranges, radians; 0 where they are.
double snw_paper_ease(const snw_WalkLegBody *leg, const sinew_Transform *foot, sinew_Vec3 about,
    const sinew_Transform *hips);

/// The pitch nearest to a wanted one, and not above it, that the leg can give: within reach of the hip
/// joint when it stands on its toes, ankle and thigh inside their ranges. An ankle that is stretched to
/// its end comes before reach.
double snw_paper_stand_pitch(const snw_WalkLegBody *leg, const sinew_Transform *flat,
    const sinew_Transform *hips, double wanted);

#endif
