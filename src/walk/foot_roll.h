#ifndef SNW_FOOT_ROLL_H
#define SNW_FOOT_ROLL_H

// A standing foot: it rolls over heel, ball and tip of the toes. Contact is exact by construction; no
// solving takes part in it.

#include "walk/walk.h"

/// Places along the stiff part of a sole, evenly from the heel to the ball, and along the toes, evenly from there to their
/// tip; across, from right to left.
#define SNW_HEEL_PRINTS 5
#define SNW_TOE_PRINTS 3
#define SNW_PRINT_COLUMNS 3
/// Pitches nearer to flat than this are flat, radians.
#define SNW_FLAT_PITCH 1e-9

/// Where a foot stands.
typedef struct snw_Foothold {
    sinew_Vec3 ground; ///< the point of the sole below the ankle when the foot is flat
    sinew_Quat basis;  ///< world_from_foot when the foot is flat
    double lean;       ///< of its basis onto an edge of the sole, left edge up, radians
    double heading;    ///< of the foot
    double toe_base;   ///< bend of the toes that follows the ground, radians
    /// How far heel and tip stick out over an edge of what carries the sole, metres; 0: they are above ground. A foot
    /// turns over the edge then.
    double heel_over, tip_over;
    /// By how much less they do on the left of the sole than on its right, where they do by the lesser of both.
    double heel_askew, tip_askew;
    /// Gaps below the flat sole from the heel on, where the ground bends: a foot with its toes up rolls over what
    /// of it is on the ground, heel or not.
    double heel_gaps[SNW_HEEL_PRINTS][SNW_PRINT_COLUMNS];
    /// Gaps below the bent toes, from the ball on: a foot on its toes alone rolls over what of them is on the ground.
    double toe_gaps[SNW_TOE_PRINTS][SNW_PRINT_COLUMNS];
    double toe_more; ///< bend beyond the usual one, of toes that stick out: nothing holds their tip
} snw_Foothold;

/// A foot at one pitch.
typedef struct snw_FootPose {
    sinew_Transform foot; ///< world_from_foot
    double toe_bend;
    unsigned planted, edge; ///< SINEW_PLANTED_ bits: its points, and the edge of a sole that leans
    sinew_Vec3 heel, ball, toe;
} snw_FootPose;

/// The least gap of a row.
static inline double snw_row_gap(const double row[SNW_PRINT_COLUMNS])
{
    return snw_min(row[0], snw_min(row[1], row[2]));
}

/// How far the ball sticks out, below 0: not at all.
static inline double snw_ball_over(const snw_WalkLegBody *leg, const snw_Foothold *at)
{
    return at->tip_over - (leg->tip - leg->ball);
}

/// The foot on its foothold, pitched by pitch radians (toe up positive): up it stands on the heel, down
/// on ball and toes, farther down on their tip alone. toe_cap: largest bend of the toes.
snw_FootPose snw_foot_roll(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double toe_cap);

/// A foothold whose foot, pitched so far, is rolled onto its left (angle < 0) or right edge, radians: one with its heel up
/// onto that of its toes.
snw_Foothold snw_foothold_rolled(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double angle);

/// Only the ankle of it; out_bend: of its toes, may be NULL. And only the foot.
sinew_Vec3 snw_foot_roll_ankle(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double *out_bend);
sinew_Transform snw_foot_roll_foot(
    const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch, double toe_cap);

/// The ankle in the frame of the foothold; out_turn: sine and cosine of the pitch.
sinew_Vec3 snw_foot_roll_flat(const snw_WalkLegBody *leg, const snw_Foothold *at, double pitch,
    double toe_cap, double out_turn[2]);

/// What a foot turns about when its heel lifts: the joint of the toes, so that they stay where they
/// are; the tip of a foot in one piece. Foot frame.
sinew_Vec3 snw_foot_pivot(const snw_WalkLegBody *leg);
/// The foot turned about one of its points (foot frame) by a pitch, toes up positive.
sinew_Transform snw_foot_pitched(const sinew_Transform *foot, sinew_Vec3 about, double pitch);

/// Points of a foot somewhere, from its transform and the bend of its toes.
void snw_foot_points(const snw_WalkLegBody *leg, const sinew_Transform *foot, double toe_bend,
    snw_FootPose *out_pose);

#endif
