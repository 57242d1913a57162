#ifndef SINEW_WALKER_H
#define SINEW_WALKER_H

/// \file
/// A character that walks wherever it is steered, on any ground, without a motion clip.
///
/// Each frame: steering (steering.h) and the time since the last frame go in, a pose comes out.
/// Inside, layer by layer: the root follows the steering; a clock and a table of phases say which
/// leg moves; footholds are searched on the ground; feet roll over heel, ball and toe while they
/// stand and swing clear of the ground while they do not; the hips are carried so that both legs
/// reach; the legs are solved by inverse kinematics; spine, arms and head follow.
///
/// Time runs in ticks of 1/120 s, of two legs in the style natural 1/60 s where none lands or leaves in it and
/// the body does not run or jump; what is left of a frame is run on a copy. So footfalls do not depend on the
/// frame rate. Steering is read at the start of each tick.
///
/// Nothing is allocated after creation. One walker per thread; skeletons are shared. Same input, same
/// bits.
///
/// Sources: Meredith and Maddock (2004), the style "paper"; Grieve (1968), Winter (1989, 1991) for
/// the natural one.

#include "drive.h"
#include "ground.h"
#include "manner.h"
#include "paper_walk.h"
#include "role.h"
#include "solver.h"
#include "stance.h"
#include "steering.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_MAX_LEGS 8
/// Most goals of one frame, and most points of one sole.
#define SINEW_MAX_WALKER_GOALS (3 * SINEW_MAX_LEGS)
#define SINEW_MAX_SOLE_POINTS 9

typedef enum sinew_WalkStyle {
    SINEW_WALK_NATURAL, ///< as people walk; many legs on tips as animals do
    SINEW_WALK_PAPER,   ///< the two-stage cycle of Meredith and Maddock (2004)
} sinew_WalkStyle;

/// What the legs are asked for. May change while walking.
typedef enum sinew_WalkRows {
    SINEW_WALK_ROWS_AUTO,   ///< whatever is best: closed form where the leg has one
    SINEW_WALK_ROWS_HALF,   ///< positions alone; temporary limits of the thigh keep feet straight
    SINEW_WALK_ROWS_FULL,   ///< positions and orientations
    SINEW_WALK_ROWS_HYBRID, ///< the leading foot full, the trailing one half
} sinew_WalkRows;

/// How much of each ornament is shown; 1 is what people do, 0 switches it off. 0..100.
typedef struct sinew_WalkOrnaments {
    double bob;   ///< rise and fall of the hips; of the style paper and of many legs
    double swing; ///< turn of the hips about the vertical
    double sway;  ///< shift of the hips over the standing foot
    double list;  ///< drop of the hips on the side of the moving leg
    double lean;  ///< of the trunk into speed, slopes and turns
    double spine; ///< shoulders against hips
    double arms;  ///< swing of the arms
    double head;  ///< head to where the way goes
} sinew_WalkOrnaments;

/// All 1.
SINEW_API sinew_WalkOrnaments sinew_walk_ornaments_default(void);

/// One leg. Legs are found by themselves: two of a body with roles; four to eight of one that stands on
/// so many tips in its rest pose, as dogs and spiders do.
typedef struct sinew_LegDef {
    int hip;  ///< the first joint that may move for the foot; of hinges in a row the uppermost
    int knee; ///< -1: a leg without a knee of its own, left to the solver
    int ankle; ///< the joint that carries the foot, of hinges in a row the last; the tip of a leg without a foot
    int toe;     ///< the joint that the toes turn about, -1: the foot is one piece
    bool is_tip; ///< stands on the ankle's point alone, such as a spider's leg
    /// Where the leg is in the cycle when the first is at 0, [0, 1). Legs that were found walk by
    /// tables, which change with speed.
    double phase;
    sinew_Side side; ///< LEFT or RIGHT
    /// Of a tip: where it stands below the body at rest, against the middle of all first joints,
    /// level, and how much higher than the others; +X left, +Z ahead. All 0: as in the rest pose.
    sinew_Vec3 foothold;
} sinew_LegDef;

typedef struct sinew_Walker sinew_Walker;

/// How to build a walker. Start from sinew_walker_def_default().
typedef struct sinew_WalkerDef {
    /// Body to walk with. Required. Only read; must outlive the walker. Its root must be free to
    /// move and turn, or its hips: where these are, the root above them is at sinew_WalkerReport.root, at the
    /// height of its rest pose, upright along the heading. Limits of its joints are kept.
    const sinew_Skeleton *skeleton;
    /// Its roles; NULL: guessed, as those of no robot: their hinges in a row are one joint by sinew_RoleOptions.is_robot alone.
    const sinew_RoleGuess *roles;
    /// How it stands, guessed for this skeleton or for one of the same joints without its limits; NULL: by
    /// its rest pose. A body whose rest pose is no figure
    /// needs one that was found by a motion. Only read while the walker is made.
    const sinew_Stance *stance;
    /// Legs in the order of the read-outs; 0 of them (default): found by themselves. Two with feet, or
    /// two to eight tips, no joint of one in another; tips walk in the natural style alone, and for positions alone.
    const sinew_LegDef *legs;
    int leg_count;
    sinew_WalkStyle style;
    sinew_WalkRows rows;
    /// How legs are solved. Defaults: damped, 1e-4 m, 1e-3 rad, 30 iterations. rows is not used.
    sinew_SolveOptions solve;
    sinew_WalkOrnaments ornaments;
    /// With half rows the trailing leg of the style paper may lift its heel up to 0.1 rad above or below the plan; this is how much less readily its
    /// thigh and shank turn than its ankle: the higher, the later the heel comes up. 1: alike. (0,
    /// 1000], default 4. Meredith and Maddock (2004), Other Motion Details: weights are raised on femur
    /// and tibia.
    double trailing_weight;
    /// Numbers of the style paper; read by it alone.
    sinew_PaperWalk paper;
    /// How quickly it answers, and what it does not walk on. Read by the style natural alone.
    sinew_WalkResponse response;
    sinew_WalkLimits limits;
    /// What lives above the legs, and whose walk it is (manner.h). Default: of people in general. Read by two legs
    /// in the style natural alone.
    sinew_Manner manner;
    /// Where it stands at first, metres, and where it looks: radians from +Z towards +X.
    double x, z, heading;
    /// Crowds: a walker of the same skeleton, to share what was measured of the body and the solvers of its
    /// legs with. Roles, stance, legs and clock are then those that it was made with, and not read
    /// here; trailing_weight must be the same. All that share are updated one after the other, never at
    /// once in two threads; they are destroyed in any order. Same bits as on its own; takes a tenth of the
    /// memory. NULL (default): its own.
    sinew_Walker *share;
    sinew_Allocator allocator;
    /// For sinew_WalkerReport.solve_time; NULL (default): no times.
    sinew_Clock clock;
    void *clock_user;
    /// Set by the default function, checked by sinew_walker_create. Do not set.
    uint32_t cookie;
} sinew_WalkerDef;

/// The defaults told above; skeleton is the caller's to say.
SINEW_API sinew_WalkerDef sinew_walker_def_default(void);

/// All memory is taken here. The walker stands at its place; the ground is seen with the first update, which asks for all that
/// its feet stand on.
///
/// INVALID_ARGUMENT with a message for fields that break a rule (those of solve included), bodies without a pair of
/// legs (thigh, shin, foot), whose legs are not 0.08 to 10 m long, quadrupeds whose legs are not told, bodies that
/// do not stand in their stance, whose root is not free, or whose joints do not let them walk: legs are tried for two
/// seconds on level ground, longer where they are longer than 0.9 m, unless they share a body; UNSUPPORTED for one leg,
/// and tips in the style paper; OUT_OF_MEMORY. *out_walker is NULL then.
SINEW_API sinew_Status sinew_walker_create(
    const sinew_WalkerDef *def, sinew_Walker **out_walker, sinew_Message *out_message);

/// Give it back; NULL is ignored.
SINEW_API void sinew_walker_destroy(sinew_Walker *walker);

/// Stand at another place, as after creation. INVALID_ARGUMENT for places beyond 1e9 m and headings beyond 1e6 rad.
SINEW_API sinew_Status sinew_walker_reset(sinew_Walker *walker, double x, double z, double heading);

/// Walk on by dt seconds, 0..1, and pose the body.
///
/// steering  what is wanted from now on; NULL: stand
/// ground    the same at each update; what moves says how fast (sinew_walker_drive_on), or who stands there does not see
///           it; NULL: level ground at height 0
/// out_q     coordinate_count numbers of the skeleton: the pose at the end of the frame
///
/// INVALID_ARGUMENT for dt or steering out of range or not finite, or ground that is not finite where
/// it was asked; then the walker stays as it was.
SINEW_API sinew_Status sinew_walker_update(sinew_Walker *walker, const sinew_Steering *steering,
    double dt, const sinew_Ground *ground, double *out_q, sinew_Message *out_message);

/// The same for a game: steered in the world's axes, or led by a root from outside (drive.h), on two legs and on
/// many. Both need the style natural: UNSUPPORTED otherwise.
///
/// A led root is followed exactly. sinew_WalkerReport.pace says how fast it may go for its legs to keep up; one
/// that goes faster is followed by quicker steps and, where a leg is too short, by a hop; goals are missed then,
/// which is_met tells (docs/walking.md, In a game).
SINEW_API sinew_Status sinew_walker_drive(sinew_Walker *walker, const sinew_Drive *drive, double dt,
    const sinew_Ground *ground, double *out_q, sinew_Message *out_message);

/// The same on ground of several storeys, with what moves on it (ground.h): lifts, rafts and platforms are
/// walked as still ground is. Velocities that are wanted are those on board; facings, places and all that is
/// told are of the world. A body that steps from one surface to another goes on as it went in the world. Until
/// it stands it is on the highest surface, or where sinew_walker_teleport has put it.
SINEW_API sinew_Status sinew_walker_drive_on(sinew_Walker *walker, const sinew_Drive *drive,
    double dt, const sinew_GroundQuery *query, double *out_q, sinew_Message *out_message);

/// Take it somewhere else as it is: pose, speeds relative to its heading and phase of its step stay. With the next
/// update it stands on the ground there, each of two feet on what is below it; of several storeys on the highest up to
/// 1.5 leg lengths over root.y. What it has seen of the ground is forgotten, so that a level that has changed under
/// it is told by a teleport to its own place. A led walker is led on from where it is led to next. INVALID_ARGUMENT
/// for places beyond 1e9 m and headings beyond 1e6 rad, UNSUPPORTED in the style paper.
SINEW_API sinew_Status sinew_walker_teleport(
    sinew_Walker *walker, sinew_Vec3 root, double heading, sinew_Message *out_message);

/// Push it: its root goes faster by a velocity in the world, metres per second, from now on. It steps where the
/// standing feet would not catch it (by the capture point) and comes back to what is wanted, for so long with a
/// response no slower than sinew_walk_response_game. The whole speed is cropped to SINEW_MAX_PUSH. A led root is not pushed: its caller moves it.
/// INVALID_ARGUMENT for numbers that are not finite, UNSUPPORTED in the style paper.
#define SINEW_MAX_PUSH 3.0
SINEW_API sinew_Status sinew_walker_push(
    sinew_Walker *walker, double velocity_x, double velocity_z, sinew_Message *out_message);

/// Jump: hips rise by so much over where they leave the ground, 0.05..1 m. Who stands jumps from both feet, after
/// a dip of a quarter of a second, and lands on both; who walks or runs leaps from its next step. While it jumps
/// already nothing happens. A led body's root goes on as it is led. INVALID_ARGUMENT for another height,
/// UNSUPPORTED for all others than two legs in the style natural.
SINEW_API sinew_Status sinew_walker_jump(
    sinew_Walker *walker, double height, sinew_Message *out_message);

/// Lay a pose of the caller over the walk from the next update on; a layer of weight 0 takes it away. Goals of the
/// feet are those of the walk. All styles. INVALID_ARGUMENT for NULL or shares out of 0..1, named.
SINEW_API sinew_Status sinew_walker_set_layer(
    sinew_Walker *walker, const sinew_WalkLayer *layer, sinew_Message *out_message);

/// Change how quickly it answers, or what it does not walk on; seen with the next update, by the style natural
/// alone. INVALID_ARGUMENT for NULL or numbers out of their range, named; then nothing is changed.
SINEW_API sinew_Status sinew_walker_set_response(
    sinew_Walker *walker, const sinew_WalkResponse *response, sinew_Message *out_message);
SINEW_API sinew_Status sinew_walker_set_limits(
    sinew_Walker *walker, const sinew_WalkLimits *limits, sinew_Message *out_message);
/// The same for its manner; a new seed counts from the next reset on.
SINEW_API sinew_Status sinew_walker_set_manner(
    sinew_Walker *walker, const sinew_Manner *manner, sinew_Message *out_message);

/// Change the numbers of the style paper, stride length among them; seen where its next step begins.
/// INVALID_ARGUMENT for NULL or numbers out of their range, named; then nothing is changed.
SINEW_API sinew_Status sinew_walker_set_paper(
    sinew_Walker *walker, const sinew_PaperWalk *paper, sinew_Message *out_message);

/// Change what the legs are asked for, or the ornaments; seen with the next update. INVALID_ARGUMENT for
/// NULL, rows that are none, or amounts out of their range; then nothing is changed.
SINEW_API sinew_Status sinew_walker_set_rows(sinew_Walker *walker, sinew_WalkRows rows);
SINEW_API sinew_Status sinew_walker_set_ornaments(
    sinew_Walker *walker, const sinew_WalkOrnaments *ornaments);

// ---------------------------------------------------------------------------------------------
// What it does

/// Points of a foot that are held in place at the moment; bits.
enum {
    SINEW_PLANTED_HEEL = 1 << 0,
    SINEW_PLANTED_BALL = 1 << 1,
    SINEW_PLANTED_TOE = 1 << 2, ///< tip of the toes; the point of a leg without a foot
    /// The foot stands on its left or right edge: of the points above those edges alone are held.
    SINEW_PLANTED_LEFT = 1 << 3,
    SINEW_PLANTED_RIGHT = 1 << 4,
    /// The sole between these points, where the ground is higher than below them.
    SINEW_PLANTED_SOLE = 1 << 5,
};

/// One point of the underside of a foot, fixed to a joint of the skeleton.
typedef struct sinew_SolePoint {
    int joint;
    sinew_Vec3 offset; ///< in the joint's frame, metres
    unsigned planted;  ///< the SINEW_PLANTED_... bit that holds it
    bool is_edge;      ///< beside the middle line
} sinew_SolePoint;

/// The underside of a foot: heel, ball and tip of the toes, each with its inner and outer edge; one
/// point of a leg without a foot.
typedef struct sinew_Sole {
    int point_count;
    sinew_SolePoint points[SINEW_MAX_SOLE_POINTS];
} sinew_Sole;

/// One leg at the end of the last frame.
typedef struct sinew_WalkerLeg {
    double phase;     ///< of its cycle, [0, 1): 0 is when it lands
    bool is_swinging; ///< moves to its next foothold
    double swing;     ///< share of the swing that is done, 0..1; 1 while it stands
    unsigned planted; ///< SINEW_PLANTED_... bits
    /// Where the middle points of heel, ball and tip are meant to be, world. Those with a planted
    /// bit keep their place until it falls; on uneven ground they may rise and sink as the foot rolls.
    sinew_Vec3 heel, ball, toe;
    /// Where it lands next, or stands: the point of the ground below the ankle, the ground's normal as
    /// the foot will stand on it, and the heading of the foot.
    sinew_Vec3 foothold, normal;
    double foot_heading;
    double toe_bend;  ///< radians, upwards positive
    uint32_t surface; ///< of the foothold, as the ground query named it; 0 without one
    /// Its part of sinew_walker_goals, and whether all of it was met.
    int goal_start, goal_count;
    bool is_met;
    /// Errors of its goals, metres and radians, and what the solver needed.
    double position_error, orientation_error;
    int iterations, halvings;
    /// Solves of this frame: 1, or more where half rows had to be solved again.
    int solve_count;
} sinew_WalkerLeg;

/// The walker at the end of the last frame.
typedef struct sinew_WalkerReport {
    double time;           ///< seconds since creation or reset
    sinew_Vec3 root;       ///< the path on the ground: below the middle of the body
    double heading;        ///< radians from +Z towards +X
    sinew_Steering motion; ///< how the root really moves
    sinew_Vec3 hips;       ///< middle between the hip joints, world
    bool is_walking;       ///< false: stands
    int leg_count;
    int step_count;    ///< landings so far
    double distance;   ///< length of the root's path so far, metres
    int solve_count;   ///< of the last frame
    bool is_met;       ///< all goals of the last frame were met
    int unmet_frames;  ///< updates so far with a goal that was not
    double solve_time; ///< of the last frame's legs, seconds; 0 without a clock
    /// Of the style natural, 0 and false in the style paper: fastest that the legs can follow along the way it goes and to
    /// the side it turns, m/s and rad/s, for a game that moves the root; whether what is wanted leads to ground
    /// that is not walked; and how far that is, metres, infinity where none is seen.
    double pace, turn_pace;
    bool is_blocked;
    double free_way;
} sinew_WalkerReport;

/// All zero for NULL, as is what stands below for NULL or a leg that there is not: legs are counted from 0
/// to leg_count - 1.
SINEW_API sinew_WalkerReport sinew_walker_report(const sinew_Walker *walker);
SINEW_API sinew_WalkerLeg sinew_walker_leg(const sinew_Walker *walker, int leg);
/// Never changes; NULL for a leg that there is not.
SINEW_API const sinew_Sole *sinew_walker_sole(const sinew_Walker *walker, int leg);
/// Joints and phase of a leg as used; never changes; NULL for a leg that there is not.
SINEW_API const sinew_LegDef *sinew_walker_leg_def(const sinew_Walker *walker, int leg);
/// From hip joint to sole, standing with straight legs, metres; mean of all legs.
SINEW_API double sinew_walker_leg_length(const sinew_Walker *walker);
/// What happened in the last update, by the ticks that ended in it: *out_count events in the order
/// of time, valid until the next update; a tip tells contact and toe off. NULL and 0 in the style paper. out_count may be NULL.
SINEW_API const sinew_WalkEvent *sinew_walker_events(const sinew_Walker *walker, int *out_count);
/// Goals of the last frame, as the solver got them; *out_count of them, valid until the next update.
/// out_count may be NULL.
SINEW_API const sinew_Goal *sinew_walker_goals(const sinew_Walker *walker, int *out_count);

#ifdef __cplusplus
}
#endif

#endif
