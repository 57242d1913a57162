#ifndef SNW_LEG_FORM_H
#define SNW_LEG_FORM_H

// Legs in closed form: thigh and shank between a hip and an ankle.

#include "walk/walk.h"

// The triangle of hip, knee and ankle by the law of cosines; reach: from hip to ankle, metres.

/// Cosine of the angle at the hip, between the thigh and the line to the ankle; beyond -1..1 out of reach.
static inline double snw_leg_hip_cosine(const snw_WalkLegBody *leg, double reach)
{
    const double a = leg->thigh, b = leg->shank;
    return (a * a + reach * reach - b * b) / (2.0 * a * reach);
}
/// Cosine of the angle at the ankle, between the shank and the line to the hip.
static inline double snw_leg_ankle_cosine(const snw_WalkLegBody *leg, double reach)
{
    const double a = leg->thigh, b = leg->shank;
    return (b * b + reach * reach - a * a) / (2.0 * b * reach);
}
/// Cosine of the flexion of the knee.
static inline double snw_leg_knee_cosine(const snw_WalkLegBody *leg, double reach)
{
    const double a = leg->thigh, b = leg->shank;
    return (reach * reach - a * a - b * b) / (2.0 * a * b);
}
/// The square of the reach that a knee flexed by an angle of this cosine leaves, metres^2.
static inline double snw_leg_square(const snw_WalkLegBody *leg, double knee_cosine)
{
    const double a = leg->thigh, b = leg->shank;
    return a * a + b * b + 2.0 * a * b * knee_cosine;
}

/// Thigh and shank of a leg from hip to ankle, the knee towards a direction; world rotations of both
/// segments. An ankle out of reach is reached for with a straight leg.
void snw_leg_close(const snw_WalkLegBody *leg, sinew_Vec3 hip, sinew_Vec3 ankle,
    sinew_Vec3 knee_toward, sinew_Quat *out_thigh, sinew_Quat *out_shank);

/// Where a knee points: with its foot (freedom 0), to a heading (1), or between: the less with the foot, the
/// more it hangs in line with the leg, when it says little about the knee.
typedef struct snw_KneeWay {
    sinew_Vec3 heading; ///< level, unit
    double freedom;
} snw_KneeWay;

/// Where the knee of a target's foot points. An ankle that cannot turn about the shank holds the foot only when the knee's axis
/// stands across the foot; a moving foot may give way to the knee instead.
sinew_Vec3 snw_knee_pole(
    const snw_WalkBody *body, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot);
/// Where the knee of a target's foot points, of which it is known where it points ahead in the world.
sinew_Vec3 snw_knee_pole_of(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const snw_WalkFootTarget *foot, sinew_Vec3 ahead);

/// Heading of the knee of a foot that stands: across its axis; wanted where the ankle leaves it free.
double snw_leg_knee_heading(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, double wanted);

/// Sine of the roll of the foot against the shank, left edge up positive; knee NULL: the knee is in the plane of the foot.
double snw_leg_roll_sine(const snw_WalkLegBody *leg, sinew_Vec3 hip, const sinew_Transform *foot,
    const snw_KneeWay *knee);

/// The rotation of a foot that gives way to its knee: an ankle that turns about two axes holds its sole, turned in the
/// plane of that until it points as the knee does.
sinew_Quat snw_leg_give_way(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, const snw_KneeWay *knee);

/// Heading of a knee above a ball ankle, whose window leaves less than what is left along two axes: as wanted, or turned on to the
/// heading of its foot by the least that lets the ankle hold that. out_kept: the rotation that it holds then.
double snw_leg_turn_knee(const snw_WalkBody *body, const snw_WalkLegBody *leg, sinew_Vec3 hip,
    const sinew_Transform *foot, double wanted, double with_foot, sinew_Quat *out_kept);

/// How far joints would be beyond the ends of their ranges, radians, negative inside.
typedef struct snw_LegExcess {
    double hip, knee, ankle;
} snw_LegExcess;

/// With the foot there, as it is turned, and the knee in the plane that the foot asks for. heading: of the
/// body.
snw_LegExcess snw_leg_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading);
/// Of the hip alone; room as of snw_joint_excess.
double snw_leg_hip_excess(const snw_WalkBody *body, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, const sinew_Transform *foot, double heading, double room);

#endif
