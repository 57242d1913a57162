#ifndef SNW_FOOT_PLACE_H
#define SNW_FOOT_PLACE_H

// A foot on the ground: laid down, pitched until heel or toes touch, and tested against it.
// Feet are given by their frame (walk.h): origin at the ankle, +Z ahead, +Y up, +X to the left.

#include "walk/turn_arc.h"
#include "walk/walk.h"
#include "walk/walk_view.h"

/// The middle of the heel's edge of the sole, foot frame.
sinew_Vec3 snw_foot_heel(const snw_WalkLegBody *leg);

/// What a foot turns about when its heel lifts: the joint of the toes, so that they stay where they
/// are; the tip of a foot in one piece. Foot frame.
sinew_Vec3 snw_foot_pivot(const snw_WalkLegBody *leg);

/// The foot turned about one of its points (foot frame) by a pitch, toes up positive.
sinew_Transform snw_foot_pitched(const sinew_Transform *foot, sinew_Vec3 about, double pitch);

/// A foot that stands.
typedef struct snw_FootPlace {
    sinew_Transform foot;
    double toe_bend; ///< that the ground asks for
    double heading;
    double height;            ///< of the ground under the ankle, as the foot stands on it
    double slope;             ///< tangent of the sole against the level
    double sinks;             ///< how far a point of the sole is below the view, metres, >= 0
    double hangs;             ///< share of the sole that has no ground below it
    double heel_gap, toe_gap; ///< below the heel, and below ball and toes, metres
} snw_FootPlace;

/// Lay a foot down with the point under its ankle at (x, z): heel and ball on the ground, rolled to
/// the slope of the ground across, lifted where a point between would sink and tipped onto the ball there;
/// level on the higher part where the ground has an edge below it; toes bent up where their tip would
/// sink. is_exact: ask the ground, do not remember: some 30 places of an even one, more where it bends.
snw_FootPlace snw_foot_lay(
    const snw_WalkLegBody *leg, snw_View *view, double x, double z, double heading, bool is_exact);

/// The lowest height of the sole above the ground, metres. Near edges that is what they can be at most;
/// is_near: a foot that stands or stood beside one, for which it is looked closer.
double snw_foot_clearance(const snw_WalkLegBody *leg, snw_View *view, const sinew_Transform *foot,
    double toe_bend, bool is_near);

#endif
