#ifndef SNW_PAPER_FOOT_H
#define SNW_PAPER_FOOT_H

// A foot of the two-stage cycle against its leg: how far it has to pitch so that the hip reaches the
// ankle and ankle and thigh stay inside their ranges.

#include "walk/foot_place.h"

/// The straight leg as far as it may be used: hip joint to ankle, metres.
double snw_paper_reach(const snw_WalkLegBody *leg);
/// How far hips have to move for the leg to reach the ankle, metres, <= 0: down. 0 where no height helps.
double snw_paper_over_reach(
    const snw_WalkLegBody *leg, const sinew_Transform *hips, sinew_Vec3 ankle);
/// The most a heel is lifted, radians; toe_bend: that the ground asks for already.
double snw_paper_most_lift(const snw_WalkLegBody *leg, double toe_bend);

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
double snw_paper_stand_pitch(const snw_WalkLegBody *leg, const snw_FootPlace *place,
    const sinew_Transform *hips, double wanted);

#endif
