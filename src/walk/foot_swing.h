#ifndef SNW_FOOT_SWING_H
#define SNW_FOOT_SWING_H

// A moving foot: from where it left the ground to its next foothold, clear of everything between.

#include "walk/foothold.h"

/// Moments of a swing at which its way is looked at ahead; from one to the next, share of the swing.
#define SNW_SWING_MOMENTS 25
#define SNW_MOMENT 0.04

/// What a swing keeps.
typedef struct snw_FootSwing {
    double progress; ///< 0..1
    /// At lift-off: ankle, its velocity per unit of progress, pitch and its rate, bend of the toes.
    sinew_Vec3 from, from_speed;
    double from_pitch, from_pitch_speed, from_bend;
    snw_Foothold left;
    /// Where it goes; moves smoothly to what was planned last.
    snw_Foothold to, planned;
    double landing_pitch;       ///< as the ankle's range lets it
    double planned_pitch;       ///< of the landing, as the style wants it
    double landing_pitch_speed; ///< per unit of progress, of the roll that follows
    double shift, tread;        ///< of the plan
    /// What was wanted when it was made: place and heading of the foothold; and A.
    double wish_x, wish_z, wish_heading, wish_amplitude;
    /// Extra height of the two bumps, metres, and what was planned for them.
    double bump[2], planned_bump[2];
    double delay, planned_delay; ///< > 0: first up, then forward; < 0: first forward, then down
    bool has_edge; ///< there are steps of the ground on the way, or it was not seen whole
    double late;   ///< seconds that its landing has waited for the foot
    double needs[SNW_SWING_MOMENTS]; ///< lift that these moments ask for beyond the plan, metres
    int seen, looks;                 ///< the first that was not looked at; looks at others again
} snw_FootSwing;

/// How a swing is shown.
typedef struct snw_SwingStyle {
    double amplitude;  ///< of lift and pitch, A
    double leg_length; ///< L
    double toe_cap;
    bool is_backward; ///< the same in reverse
    /// Where the hip joint is now and will be at landing: a bent leg lets the toes hang, which clearance
    /// must know.
    sinew_Vec3 hip_now, hip_then;
    const struct snw_GaitNumbers *gait;
} snw_SwingStyle;

/// What a curve of the swing is at both ends: values and slopes.
typedef struct snw_SwingEnds {
    double v0, v1, s0, s1;
} snw_SwingEnds;

/// What is the same for all moments of a swing as it is planned now.
typedef struct snw_SwingPath {
    sinew_Vec3 to, arrival;    ///< ankle at landing, its velocity per unit of progress
    sinew_Vec3 turn;           ///< from the foothold that was left to the next, left's frame
    double bend;               ///< of the toes at landing
    double start, end;         ///< slopes of the progress along the way at lift-off and landing
    snw_SwingEnds lift, pitch; ///< curves
} snw_SwingPath;

snw_SwingPath snw_foot_swing_path(
    const snw_WalkLegBody *leg, const snw_FootSwing *swing, const snw_SwingStyle *style);

/// The foot at a moment 0..1 of its swing.
snw_FootPose snw_foot_swing_pose(const snw_WalkLegBody *leg, const snw_FootSwing *swing,
    const snw_SwingStyle *style, const snw_SwingPath *path, double t);

/// Plan bumps and delay so that the sole clears the ground by margin from now to the landing.
void snw_foot_swing_clear(const snw_WalkLegBody *leg, snw_WalkGround *ground,
    const snw_SwingStyle *style, double margin, snw_FootSwing *swing);

/// How far the lowest point of the sole is below the ground, metres; negative: above.
double snw_foot_lack(const snw_WalkLegBody *leg, snw_WalkGround *ground, const snw_FootPose *pose);

/// foot_edges.c: the way, world, that brings the rim of a moving sole as far as reach from walls and their
/// upper edges.
sinew_Vec3 snw_foot_off_edges(
    const snw_WalkLegBody *leg, snw_WalkGround *ground, const snw_FootPose *pose, double reach);

/// Move the goal, bumps and delay towards what was planned, h seconds; all at once at landing.
void snw_foot_swing_glide(snw_FootSwing *swing, double h, double time_left);

#endif
