#ifndef SNW_PAPER_CYCLE_H
#define SNW_PAPER_CYCLE_H

// The style "paper": the two-stage cycle of Meredith and Maddock (2004), Table 1.3.
//
//     swing (their a)  one foot strides, heel first; the hips advance over the other foot, whose
//                      toes are planted and whose heel is free
//     roll  (their b)  the heel of the landed foot is planted while its toes come down; the hips
//                      advance by the gap that was below them
//     then the feet swap. Their stage for standing has no name; here it is stand.
//
// Everything is planned at the start of a cycle and is then a function of time alone, so frames of
// any length give the same footfalls. A state has no pointers: it can be copied and thrown away.

#include "walk/core.h"
#include "walk/stride_curve.h"
#include "walk/stride_rule.h"
#include "walk/turn_arc.h"

enum { SNW_PAPER_LIFTS = 17 };

typedef enum snw_PaperStage {
    SNW_PAPER_STAND,
    SNW_PAPER_SWING,
    SNW_PAPER_ROLL,
} snw_PaperStage;

/// Where a foot stands, and what that is like.
typedef struct snw_PaperPlace {
    snw_Foothold at;
    snw_CoreFit fit;
} snw_PaperPlace;

typedef struct snw_PaperCycle {
    sinew_PaperWalk settings;
    bool on_ground; ///< feet have been laid down
    snw_PaperStage stage;
    double time; ///< since the start of the cycle's present stage

    // the plan of this cycle
    snw_StrideTimes times;
    double stride, trailing;       ///< metres, along the way
    snw_GroundPose start;          ///< of the hips' path
    sinew_Steering motion;         ///< along it, as it really goes
    int moving;                    ///< the foot that strides: 0 left, 1 right
    snw_PaperPlace places[2];      ///< where feet stand; of the striding one: where it stood
    snw_PaperPlace next;           ///< where it lands
    sinew_Transform lifted;        ///< the striding foot when it left the ground
    double lifted_bend;            ///< and its toes
    snw_Stride heel;               ///< the path of its heel
    double stride_time;            ///< that its joints need at least, seconds
    double lifts[SNW_PAPER_LIFTS]; ///< of the standing heel, at even shares of the whole cycle
    double land_pitch;             ///< toes up when the heel lands, radians
    double landing_pitch;          ///< what leg and hips leave of it then
    double hip_from, hip_to;       ///< heights
    double hip_rise;               ///< of the hips where it starts, m/s
    double dips[SNW_ROPE_NODES];   ///< of the hips below their way, where legs do not reach else
    double bob;                    ///< share of it
    double swing_from, swing_to;   ///< amplitudes
    double arm_from, arm_to;       ///< and those of the arms
    double lean_from, lean_to;     ///< of the trunk, forward

    double speed;    ///< of the last cycle, m/s
    int ask_row;     ///< of what is asked ahead, the next
    int stop_count;  ///< steps of the present stop
    int step_count;  ///< landings
    double distance; ///< of the hips' path up to the start of this cycle, metres
} snw_PaperCycle;

/// Whether numbers are inside their ranges; says which is not.
sinew_Status snw_paper_check(const sinew_PaperWalk *paper, sinew_Message *message);

/// A cycle that stands at a place; feet are laid down by the first advance.
snw_PaperCycle snw_paper_begin(const sinew_PaperWalk *settings, double x, double z, double heading);

/// Let dt seconds pass. Steering is looked at where a cycle starts; what is left of dt at the end of a
/// stage goes into the next. ornaments scale bob and swing.
void snw_paper_advance(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_View *view,
    double dt);

/// What the body should do at this moment: paper_target.c.
void snw_paper_target(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, snw_View *view, snw_WalkTarget *out_target);

/// Where the hips' path is.
snw_GroundPose snw_paper_root(const snw_PaperCycle *cycle);

/// Fill the parts of the report that are the style's.
void snw_paper_report(const snw_PaperCycle *cycle, const snw_WalkTarget *target, snw_View *view,
    sinew_WalkerReport *report);

/// Ask a few places early on which feet will come down, so that the plan of a step does not ask for all of
/// them at once. Nothing is decided here; answers are only remembered.
void snw_paper_ask_ahead(snw_PaperCycle *cycle, const snw_WalkBody *body, snw_View *view);

// ---------------------------------------------------------------------------------------------
// Parts, for tests

/// How far a foot stands behind its place below the hips, along the motion, metres: of a turn, the
/// part that it lacks counts as well.
double snw_paper_trailing(const snw_WalkBody *body, int foot, const snw_Foothold *at,
    const snw_GroundPose *hips, const sinew_Steering *motion);

/// The foot that goes first from standing: the one on the side of a step aside, the inner one of a
/// turn on the spot, else the one that did not move last.
int snw_paper_first_foot(const snw_PaperCycle *cycle, const sinew_Steering *steering);

/// Plan the cycle that starts now: paper_plan.c. moving and lifted, where that foot is, are set.
void snw_paper_plan(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, const sinew_Steering *steering, snw_View *view);

/// One moment of a stride: what does not depend on the way of the foot.
typedef struct snw_PaperMoment {
    double share;         ///< of the stride's time, 0..1
    sinew_Transform hips; ///< as they are then
    /// As the foot would land below these hips: its turn, its heel and the bend of its toes.
    sinew_Quat landing;
    sinew_Vec3 landing_heel;
    double landing_bend;
} snw_PaperMoment;

snw_PaperMoment snw_paper_moment(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg,
    const sinew_Transform *hips, double share);

/// The striding foot at that moment, without the ground's objections: paper_stride.c.
sinew_Transform snw_paper_stride_foot(const snw_PaperCycle *cycle, const snw_WalkLegBody *leg,
    const snw_PaperMoment *moment, double *out_bend);

/// Choose the way of the striding foot over the view, when its ends, the hips and their times are
/// planned: heel and stride_time. share: of the longest stride.
void snw_paper_plan_stride(snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, double share, snw_View *view);

/// Carry the hips of the planned cycle over the feet that stand: fills lifts. Returns how far joints of
/// these legs come beyond their ranges, radians, negative inside: paper_strain.c.
double snw_paper_carry(
    snw_PaperCycle *cycle, const snw_WalkBody *body, const sinew_WalkOrnaments *ornaments);

/// How far the heel of the standing foot is up at least, at a share 0..1 of the whole cycle, radians.
double snw_paper_lift(const snw_PaperCycle *cycle, double share);

/// The straight leg as far as it may be used: hip joint to ankle, metres.
double snw_paper_reach(const snw_WalkLegBody *leg);
/// How far hips have to move for the leg to reach the ankle, metres, <= 0: down. 0 where no height helps.
double snw_paper_over_reach(
    const snw_WalkLegBody *leg, const sinew_Transform *hips, sinew_Vec3 ankle);
/// A standing foot as its leg holds it: pitched, and on an edge of its sole where the ankle's roll ends.
typedef struct snw_PaperHold {
    snw_Foothold at; ///< on that edge
    double pitch;
} snw_PaperHold;
/// The pitch nearest to a wanted one, and not above it, that the leg can give: within reach of the hip joint, ankle and
/// thigh inside their ranges.
snw_PaperHold snw_paper_hold(
    const snw_WalkLegBody *leg, const snw_Foothold *at, const sinew_Transform *hips, double wanted);
/// The foot that is held so.
snw_FootPose snw_paper_pose(const snw_WalkLegBody *leg, const snw_PaperHold *hold);

/// The hips at a share 0..1 of the whole cycle, before they come down to where legs reach.
sinew_Transform snw_paper_hips(const snw_PaperCycle *cycle, const snw_WalkBody *body,
    const sinew_WalkOrnaments *ornaments, double share);

#endif
