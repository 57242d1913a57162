#ifndef SNW_WALKER_NATURAL_H
#define SNW_WALKER_NATURAL_H

// The natural style: feet first. Footholds are planned, feet roll and swing by themselves, the hips go
// where both legs reach. No curve of a joint is prescribed.

#include "walk/foot_swing.h"
#include "walk/gait.h"
#include "walk/leg_form.h"
#include "walk/walker_root.h"

typedef struct snw_NaturalLeg {
    bool is_swinging;
    double phase;         ///< since its landing, 0..1
    snw_Foothold at;      ///< where it stands, or stood last
    double landing_pitch; ///< of the roll since then
    double landing_share; ///< of the cycle, which that roll takes
    double release_phase;
    double pitch;          ///< as shown
    snw_Foothold shown;    ///< at, with the foot on its edge where the ankle's range asks for it
    double pitch_rate;     ///< radians per second
    snw_LegAngles angles;  ///< of the standing leg, before the foot goes onto its edge
    double holds_back;     ///< hips could be higher by this without it, metres
    bool is_strained;      ///< hip or turn at the end of their range: should leave the ground
    bool left_near_stairs; ///< the moving foot's turn is exact
    snw_FootSwing swing;
    snw_FootPose pose;
    sinew_Transform pose_hips; ///< the hips at that pose
} snw_NaturalLeg;

typedef struct snw_Natural {
    bool has_started; ///< false: feet have not seen the ground yet
    bool is_walking;
    snw_WalkRoot root;
    sinew_Steering steering; ///< that the step under way was planned with
    sinew_Steering wanted;   ///< after cropping
    double period, stance;   ///< of the cycle: seconds, share
    double amplitude;        ///< A: of lifts and rolls
    double pace;             ///< share of the period that the footholds ask for
    double tread;            ///< of the stairs under way, metres; 0 elsewhere
    double hurry;            ///< what a foothold farther or nearer than wanted asks for, m/s
    double stairs_speed;     ///< that steps on the way allow, m/s; infinity elsewhere
    double forwardness;      ///< f: -1 backwards .. 1
    snw_Follower moving;     ///< 0 standing .. 1 walking
    snw_Follower height;     ///< of the middle between the hip joints, over 0
    snw_Follower sway, surge;
    snw_Follower slope, side_slope; ///< tangents along and across the heading
    snw_Follower tilt;              ///< of the soles along the heading, tangent
    snw_Follower hips_yaw;          ///< of the hips after feet that point far aside
    snw_Follower gaze, bank;        ///< yaw of the head, lean into the turn
    double stop_time;               ///< seconds since nothing is wanted
    int stop_steps;
    int tick;
    int step_count;
    double distance;
    sinew_Transform hips;
    snw_NaturalLeg legs[SINEW_MAX_LEGS];
} snw_Natural;

/// Stand at a place.
void snw_natural_reset(
    const snw_WalkBody *body, double x, double z, double heading, snw_Natural *out_state);
/// Run on by h seconds, at most a tick; is_whole: a whole tick, in which plans are made.
void snw_natural_tick(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_WalkGround *ground,
    const sinew_Steering *steering, double h, bool is_whole, snw_Natural *state);
/// What the pose should be.
void snw_natural_target(const snw_WalkBody *body, const snw_WalkSetup *setup,
    const snw_Natural *state, snw_WalkTarget *out_target);

/// Heading of a foot, planned or standing.
double snw_natural_foot_heading(const snw_NaturalLeg *leg);
/// Where the knee of a leg points, radians; how far its foot may give way to that at t of its swing.
double snw_natural_knee(
    const snw_Natural *state, const snw_NaturalLeg *leg, double t, double *out_freedom);

// Parts of it, in files of their own.

/// stair_sense.c: the speed that steps of the ground allow a body which wants to move by x, z in a
/// second; infinity where there are none on its way.
double snw_stairs_speed(
    const snw_WalkBody *body, snw_WalkGround *ground, const snw_WalkRoot *root, double x, double z);

/// foot_stand.c: pose standing feet, h seconds after the last time.
void snw_feet_stand(const snw_WalkBody *body, double h, snw_Natural *state);
/// foot_move.c: pose moving feet, h seconds after the last time.
void snw_feet_move(const snw_WalkBody *body, snw_WalkGround *ground, double h, snw_Natural *state);

/// foot_move.c: whether a foot at the end of its swing is where it lands, as far as its joints turn in h seconds.
bool snw_foot_arrives(const snw_WalkBody *body, int index, double h, const snw_Natural *state);

/// foot_move.c: share of its pace at which a swing may go on for h seconds, so that no joint of its leg turns too fast.
double snw_swing_pace(const snw_WalkBody *body, double h, const snw_Natural *state);

/// pelvis.c: carry the hips; sets state->hips.
void snw_pelvis_step(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Natural *state);

/// stance.c: what is left of the pitch of its landing at a phase.
double snw_stance_landing(const snw_NaturalLeg *leg, double phase);
/// Pitch that a standing foot has by itself at a phase.
double snw_stance_pitch(
    const snw_GaitNumbers *gait, const snw_Natural *state, const snw_NaturalLeg *leg, double phase);
/// The same with the heel raised as far as the ankle's range asks for it below a hip.
double snw_stance_pitch_below(const snw_WalkLegBody *sizes, const snw_Natural *state,
    const snw_NaturalLeg *leg, double phase, sinew_Vec3 hip);
/// Least pitch, not above pitch, of a foot on a foothold whose hip is here: steep ground and bent knees
/// raise the heel. Seen from the flat foot alone, so that it is smooth.
double snw_stance_ease(
    const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch, sinew_Vec3 hip);
/// How far down a standing foot of this pitch may go to reach a hip.
double snw_stance_lowest_pitch(
    const snw_Natural *state, const snw_NaturalLeg *leg, double pitch, sinew_Vec3 hip);
/// The same where hips cannot come down any faster: any heel may rise, only not at once.
double snw_stance_last_pitch(const snw_NaturalLeg *leg, double h);
double snw_toe_cap(const snw_WalkLegBody *leg);

/// stride_plan.c: plan where a swinging leg lands, and its way there.
void snw_stride_plan(
    const snw_WalkBody *body, snw_WalkGround *ground, int index, snw_Natural *state);
/// Pitch of the landing as the ankle allows it, for hips as they are expected then.
void snw_stride_ease(const snw_WalkBody *body, int index, snw_Natural *state);
snw_SwingStyle snw_swing_style(
    const snw_WalkBody *body, const snw_Natural *state, const snw_WalkLegBody *leg);

#endif
