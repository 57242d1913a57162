#ifndef SNW_CORE_H
#define SNW_CORE_H

// Two legs by one mechanism for all grounds. Each tick:
//
//     steering ─► clock ─► footholds ─► swings ─► carry ─► feet
//                   ▲          ▲          ▲         ▲
//               ground view    └── leg projector ───┘
//
// The projector says which pitch of a standing foot a leg can hold; planners ask it with the same state that
// the feet have. The carry looks ahead to the highest hips that all legs hold at moments to come, above all
// just before a foot leaves and just after one lands, and keeps below with bounded acceleration. A swing is
// the way of people, with a rope over what that does not clear. Nothing here knows of stairs or slopes.

#include "walk/core_alive.h"
#include "walk/foot_roll.h"
#include "walk/gait.h"
#include "walk/walk_aboard.h"
#include "walk/walk_bounds.h"
#include "walk/walk_drive.h"
#include "walk/walk_events.h"
#include "walk/walk_layer.h"
#include "walk/walk_view.h"
#include "walk/walker_root.h"

enum { SNW_CORE_ROWS = 7, SNW_CORE_COLUMNS = 3, SNW_CORE_SOLE = SNW_CORE_ROWS * SNW_CORE_COLUMNS };
enum { SNW_ROPE_NODES = 25 };
/// How fast the pitch of a landing changes on the way, rad/s.
#define SNW_CORE_EASE_SPEED 3.0
/// A knee turns no faster for a moving foot, rad/s, which then is late by a frame.
#define SNW_CORE_KNEE_SPEED 15.0
/// Hips are sped up and stopped by no more than this, up and down, m/s^2. People have 2 to 5.
#define SNW_CORE_MOST_RISE 6.99
/// Seconds that speeds need to follow: a planted foot is looked at so much earlier.
#define SNW_CORE_LAG 0.08
/// Share of the leg that plans reach a foothold with; of one that reaches for more nobody foresees the knee.
#define SNW_CORE_LANDING_REACH 0.985
/// Height of the hips over the lower foot when a foot lands, as plans take it, L.
#define SNW_CORE_LANDING_HIPS 0.925
/// Share of the leg that a moving foot is reached with: one that waits for hips to come down lands with a knee that can
/// give way.
#define SNW_CORE_MOVING_REACH 0.992
/// Height of the hips when a runner's foot lands or leaves, L: lower ones run crouched, higher ones miss the ground.
#define SNW_CORE_RUN_HEIGHT 0.93
/// Most that a step goes up or down, metres at L = 0.9: more, and steep slopes are walked with strides that fold one leg and
/// stretch the other; with less, stairs are climbed in short steps that do not come from tread to tread.
#define SNW_CORE_STEP_RISE 0.22
/// From a landing to the middle of its stance, periods.
#define SNW_CORE_MID_STANCE 0.29
/// Ground that is so much higher than the feet, L, is a wall: nobody steps onto it, and no foot is lifted over it.
#define SNW_CORE_WALL 0.6
/// Feet of who stands are no farther apart, L: else the hind one comes to the other.
#define SNW_CORE_NEAR_FEET 0.42

/// A moving foot.
typedef struct snw_CoreSwing {
    sinew_Vec3 from, from_speed; ///< ankle at lift-off, and its velocity, m/s
    double from_pitch, from_pitch_speed, from_bend;
    double
        from_knee; ///< heading of the knee at lift-off, against what snw_core_knee_yaw says, radians
    snw_Foothold left, to;
    double landing_pitch, landing_bank;
    double begin,
        end; ///< the level way lasts from and to these shares of the swing, its turn from the first
    double rope[SNW_ROPE_NODES];   ///< lift beyond the natural way, metres
    double amplitude, forwardness; ///< A and f when it was planned
    double duration;               ///< seconds, as planned
    double glide_from; ///< share of the swing of the last change of plan, 0: there was none
    sinew_Vec3 glide,
        glide_turn;      ///< from what the plan says to what was shown then, as a rotation vector
    double landing_goal; ///< what its landing pitch is eased to
    double need_time;    ///< seconds that rises and falls of the rope ask for
    double wish_x, wish_z, wish_heading; ///< of the place that was looked for
    bool is_guess;                       ///< not all was known when it was planned
    double share;                        ///< of the cycle that it takes
    double run;                          ///< how much of a run it is, 0..1
    double waited;                       ///< to land since it should have, seconds
} snw_CoreSwing;

/// What of a foot is on the ground.
typedef enum snw_FootStage {
    SNW_FOOT_MOVES,
    SNW_FOOT_ON_HEEL,
    SNW_FOOT_FLAT,
    SNW_FOOT_ON_TOES,
} snw_FootStage;

typedef struct snw_CoreLeg {
    bool is_swinging;
    bool rests;           ///< stands as it stood in the tick before; of a body that rests
    double phase;         ///< since its landing, 0..1
    double t;             ///< share of the swing
    snw_Foothold at;      ///< where it stands, or stood last
    double landing_pitch; ///< of the roll since then
    double landing_phase; ///< share of the cycle that roll takes
    double correction;    ///< of the natural pitch, kept as state and bounded in rate
    double pitch;         ///< as shown
    double bank;          ///< onto an edge of the sole, left edge up, bounded in rate
    double knee;          ///< its flexion in the last tick
    snw_CoreSwing swing;
    snw_FootPose pose;
    double heading;         ///< of a moving foot before it gave way to its knee
    sinew_Vec3 ankle_speed; ///< of the pose, m/s
    double pitch_speed;
    snw_FootStage was_stage; ///< what was told of it
    snw_FootSurface surface; ///< that it stands on
} snw_CoreLeg;

/// A jump, from both feet or from one on the way.
typedef enum snw_JumpStage {
    SNW_JUMP_NONE,
    SNW_JUMP_WAITS,  ///< for its step
    SNW_JUMP_DIPS,   ///< hips go down over both feet
    SNW_JUMP_PUSHES, ///< and up
    SNW_JUMP_FLIES,
    SNW_JUMP_LANDS, ///< on both feet, hips give way
    SNW_JUMP_RISES, ///< and come up again over them
} snw_JumpStage;

typedef struct snw_CoreJump {
    snw_JumpStage stage;
    bool is_leap;     ///< from one foot to the other
    double speed;     ///< of the hips at take-off, m/s
    double left;      ///< seconds of the stage that are left
    double from, to;  ///< height of the hips at take-off and landing, metres
    double low;       ///< lowest before or after, metres
    double time, air; ///< seconds in the air so far, and in all
    double heel;      ///< pitch of both feet that push, radians
} snw_CoreJump;

/// Moments ahead at which ceilings are known: when each leg leaves or lands next, and evenly ahead.
enum { SNW_CORE_EVENTS = 2, SNW_CORE_MOMENTS = SNW_CORE_EVENTS + 4 };
/// The highest hips that all legs hold at a moment: so many seconds from now, metres; infinity: not known.
typedef struct snw_CoreCeiling {
    double later, height;
} snw_CoreCeiling;

/// What is asked ahead of the next step.
typedef struct snw_CoreAhead {
    int leg, row; ///< whose step; the next row
    bool is_judged,
        is_rough; ///< its place was looked at; it is not good where it is wanted, so more around is asked
} snw_CoreAhead;

/// Places of the ground that a sixtieth of a second, an update at 60 Hz, asks at most: with the root's and two of what
/// carries the feet (walk_aboard.c) no more than 64. Each SNW_WALK_TICK of it leaves so many of its part to plans: what
/// is around gets a few, what is ahead more, and a step that begins all that was not asked.
enum { SNW_CORE_SAMPLES = 61, SNW_CORE_AROUND = 14, SNW_CORE_AHEAD = 24 };
/// Places that are asked at most in the tick that puts a body down: all that a search for both feet may want to know.
enum { SNW_CORE_PUT = 800 };

/// All that a tick changes. Each part is written by the file that is named, and by who begins (snw_core_reset), moves the
/// body elsewhere (core_move.c) or starts and stops it (core.c, core_clock.c).
typedef struct snw_Core {
    // core.c: the whole body
    bool has_started, is_walking;
    bool is_pushed; ///< it steps for that alone
    bool rests;     ///< but for its sway; core_rest.c
    int tick;
    double span;   ///< of the tick under way, seconds
    snw_Ride ride; ///< all else is in its frame
    snw_WalkRoot root;
    sinew_Steering wanted;
    snw_Follower stoop;     ///< 0 upright .. 1 as low as it goes
    double crouch;          ///< of the hips, metres
    snw_Look look;          ///< and what it carries, as last shown
    double pace, turn_pace; ///< that legs can hold along the way, m/s and rad/s

    // core.c: steps
    snw_CoreLeg legs[2];
    int stop_steps, step_count;
    double rate;  ///< of the clock, cycles per second
    double hurry; ///< of swings, against their own time: 1 or more

    // core_clock.c: root and cycle
    double distance;
    double period, stance; ///< of the cycle: seconds; share that a foot stands
    double walk_stance;    ///< what stance is before a run shortens it
    double amplitude;      ///< A, of lifts and rolls
    double forwardness;    ///< f: -1 backwards .. 1
    double late;           ///< what swings take of the time that the cycle gives them, >= 1
    snw_Follower moving;   ///< 0 standing .. 1 walking

    // core_look.c, core_ahead.c: the ground
    double slope;               ///< of the ground along the way that is wanted, smoothed
    double slope_now, lean_now; ///< there, and along the heading
    double steep_ahead;         ///< of the way of who wants to run, farther ahead
    snw_Follower lean, gaze;
    snw_Bounds bounds;
    snw_CoreAhead ahead;

    // core_run.c
    bool is_running;  ///< wants to
    snw_Follower run; ///< 0 walking .. 1 running
    double run_lift;  ///< of feet that swing, by speed too
    snw_CoreJump jump;

    // core_shift.c, core_carry.c: hips
    sinew_Transform hips;
    double tilt; ///< of the pelvis, forward
    snw_Follower sway, height;
    snw_CoreCeiling ceilings[SNW_CORE_MOMENTS];
    double rises; ///< acceleration of the hips in the tick under way, up, m/s^2

    // core_life.c: above the legs
    snw_CoreLife life;

    // core_events.c: what is told of an update, which is not copied for the next one
    snw_WalkEvents events;
} snw_Core;

void snw_core_reset(
    const snw_WalkBody *body, double x, double z, double heading, snw_Core *out_state);
/// How many times SNW_WALK_TICK the next tick lasts, 1 or 2; two only from an even one on.
int snw_core_ticks(const snw_Core *state);
/// Run on by h seconds, at most a tick; is_whole: a whole tick, in which plans are made.
/// drive: SINEW_DRIVE_ROOT has the root at the end of this tick.
void snw_core_tick(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view,
    const sinew_Drive *drive, double h, bool is_whole, snw_Core *state);
/// Take the whole body somewhere else, as it is: turned about the root, which goes to (x, z) and heading.
void snw_core_teleport(double x, double z, double heading, double rise, snw_Core *state);
/// Stand on what is there: hips go along so that no leg is longer than it was.
void snw_core_stand_anew(const snw_WalkBody *body, snw_View *view, snw_Core *state);
/// Take hips and feet on their way up, from ground that is not as high as it was thought to be.
void snw_core_raise(double rise, snw_Core *state);
/// Feet that nothing holds to the ground, of a jump in the air, go where the root has taken them along.
void snw_core_take_along(const snw_WalkRoot *before, snw_Core *state);
/// Where the root will be so many seconds later, if what is wanted stays.
snw_WalkRoot snw_core_later(const snw_Core *state, double time);
/// What the pose should be.
void snw_core_target(const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_Core *state,
    snw_WalkTarget *out_target);

// ---------------------------------------------------------------------------------------------
// core_move.c: what carries the body

/// Look at what is below the feet, dt seconds after the last look, and go along with it.
void snw_core_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Core *state);
/// Feet on surfaces that go past the body go along with them for h seconds.
void snw_core_drift(double h, snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_sole.c: one sole

/// Points of the underside, heel to tip, side to side, of a foot somewhere.
void snw_core_sole(const snw_WalkLegBody *leg, const sinew_Transform *foot, double toe_bend,
    sinew_Vec3 out_points[SNW_CORE_SOLE]);
/// A box that this is in, made wider and longer by so much on each side.
snw_SoleBox snw_core_sole_box(const snw_WalkLegBody *leg, const snw_FootPose *pose, double beside);

/// How a foot would stand.
typedef struct snw_CoreFit {
    sinew_Vec3 ground; ///< below its ankle
    double along;      ///< tangent of the rise of its sole from heel to ball
    double slope;      ///< and of the steepest one
    double overhang,
        depth; ///< share of the sole with nothing below it; by which toes would be in the ground, metres
} snw_CoreFit;

/// Judge a place at (x, z) by what is remembered of it.
snw_CoreFit snw_core_judge(
    const snw_WalkLegBody *leg, snw_View *view, double x, double z, double heading);
/// Stand a foot there: the ground is asked; out_fit, what that is like, may be NULL.
snw_Foothold snw_core_fit(const snw_WalkLegBody *leg, snw_View *view, double x, double z,
    double heading, snw_CoreFit *out_fit);

/// How deep the sole of a moving foot is below what is seen of the ground, least or more; metres. before: where it was: what
/// comes from beside a step has its edge above it. share: of the level way since then that it goes on to a step.
double snw_core_depth(const snw_WalkLegBody *leg, snw_View *view, const snw_FootPose *pose,
    const snw_FootPose *before, double share, double least);

// ---------------------------------------------------------------------------------------------
// core_project.c: what a leg can hold

double snw_core_toe_cap(const snw_WalkLegBody *leg);
/// Where a foot stands, or will, rolled onto its edge as it is.
snw_Foothold snw_core_rolled(const snw_WalkLegBody *sizes, const snw_CoreLeg *leg);
snw_Foothold snw_core_rolled_to(const snw_WalkLegBody *sizes, const snw_CoreSwing *swing);

/// How a foot rolls off its landing: the pitch it landed with, and the share of the cycle that takes.
typedef struct snw_CoreRoll {
    double landing_pitch, landing_phase;
} snw_CoreRoll;
/// Pitch that a standing foot has by itself at a phase.
double snw_core_roll_pitch(
    const snw_WalkLegBody *sizes, const snw_Core *state, const snw_CoreRoll *roll, double phase);
static inline double snw_core_pitch(
    const snw_WalkLegBody *sizes, const snw_Core *state, const snw_CoreLeg *leg, double phase)
{
    const snw_CoreRoll roll = { leg->landing_pitch, leg->landing_phase };
    return snw_core_roll_pitch(sizes, state, &roll, phase);
}
/// Where a pelvis points: unit vectors, in which thighs have their ranges.
typedef struct snw_CorePelvis {
    sinew_Vec3 ahead, up;
} snw_CorePelvis;
snw_CorePelvis snw_core_pelvis(const sinew_Transform *hips);
/// A pelvis turned on about the vertical by an angle, given by its sine and cosine.
snw_CorePelvis snw_core_pelvis_turned(const snw_CorePelvis *pelvis, double s, double c);
/// What a standing foot does for hips behind it that are out of reach.
typedef enum snw_CoreBehind {
    SNW_BEHIND_TOES_RISE,
    SNW_BEHIND_HEEL_RISES, ///< as far as the ankle goes
    SNW_BEHIND_STAYS,      ///< hips have to come down
} snw_CoreBehind;
/// How a standing leg gives way; it is reached with a share of its length, and keeps ankle and thigh off the ends of their
/// ranges, metres that bone ends move on for that.
typedef struct snw_CoreGive {
    double reach, slack;
    snw_CoreBehind behind;
} snw_CoreGive;
/// The pitch nearest to natural at which the leg reaches from this hip, with ankle and hip in their ranges; give NULL: as
/// people do.
double snw_core_project(const snw_WalkLegBody *sizes, const snw_Foothold *at, double natural,
    sinew_Vec3 hip, const snw_CorePelvis *pelvis, const snw_CoreGive *give);
/// How far a pitch is from what the leg can do, metres: out of reach, or off the range of ankle or hip.
double snw_core_strain(const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch,
    sinew_Vec3 hip, const snw_CorePelvis *pelvis);
/// Whether an ankle is as far from its hip as standing legs hold it.
bool snw_core_reaches(const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle);
/// The pitch that a standing leg is projected to at a phase of its walk: as near to natural as it reaches, its heel up as
/// well for hips that were as high as people carry them, so that they need not come down first.
double snw_core_hold(const snw_WalkLegBody *sizes, const snw_Core *state, const snw_Foothold *at,
    double phase, double natural, sinew_Vec3 hip, const snw_CorePelvis *pelvis);
/// How far a foot has to be rolled onto an edge of its sole, left edge up, for its ankle to stay in the range
/// of its roll.
double snw_core_bank(
    const snw_WalkLegBody *sizes, const snw_Foothold *at, double pitch, sinew_Vec3 hip);
/// A bank after h seconds, from now towards wanted.
double snw_core_bank_on(double now, double wanted, double h);
/// The correction of a natural pitch after time, from now: bounded in rate, beyond what takes back the way that
/// the natural pitch goes.
double snw_core_correct(
    double now, double natural_now, double natural, double projected, double time);
/// Pitch of a standing foot h seconds later: natural and its correction, and where the leg cannot hold that, moved on
/// towards what it can, no farther than it must, and than it may in that time.
double snw_core_stand_on(const snw_WalkLegBody *sizes, const snw_Core *state,
    const snw_CoreLeg *leg, const snw_Foothold *at, double natural, sinew_Vec3 hip, double h);
/// Instead of a pitch that the knee would turn to too fast in h seconds: between that of now, or one whose heel is farther
/// up, and this the farthest that it does not, if the leg holds it.
double snw_core_slow_knee(const snw_WalkLegBody *sizes, const snw_Core *state,
    const snw_CoreLeg *leg, const snw_Foothold *at, double pitch, sinew_Vec3 hip, double h);
/// Flexion of a knee whose ankle is so far from the hip.
double snw_core_knee(const snw_WalkLegBody *sizes, double reach);
/// The ankle of a moving foot as near to a place as the knee turns to in h seconds, from its flexion before.
sinew_Vec3 snw_core_bend(
    const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle, double knee, double h);
/// A moving foot pitched as far as its ankle lets it, below a hip.
sinew_Quat snw_core_flex(const snw_WalkLegBody *sizes, sinew_Vec3 hip, const sinew_Transform *foot);
/// The ankle of a moving foot drawn in to what the leg reaches, softly; t: share of its swing.
sinew_Vec3 snw_core_reach(const snw_WalkLegBody *sizes, const snw_Core *state, sinew_Vec3 hip,
    sinew_Vec3 ankle, double t);
/// What a stiff knee asks of a moving foot: lower, so that the leg need not fold; and where the ground does not let
/// it, aside, around its own hip.
sinew_Vec3 snw_core_lower(const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle);
sinew_Vec3 snw_core_aside(
    const snw_WalkLegBody *sizes, sinew_Vec3 hip, sinew_Vec3 ankle, double heading);
/// The ankle of a moving foot, ahead by what its thigh would be behind the range of the hip.
sinew_Vec3 snw_core_behind(
    const snw_WalkLegBody *sizes, const snw_Core *state, sinew_Vec3 hip, sinew_Vec3 ankle);

/// How high a hip is over the ankle of a leg that reaches from there, whatever the height of hip is; 0: it does not.
/// square: of the leg's length between them.
static inline double snw_core_hip_over(sinew_Vec3 hip, sinew_Vec3 ankle, double square)
{
    const double dx = hip.x - ankle.x, dz = hip.z - ankle.z;
    return sqrt(snw_positive(square - dx * dx - dz * dz));
}

// ---------------------------------------------------------------------------------------------
// core_shift.c, core_carry.c: hips

/// Share of the weight that a leg carries at a phase.
double snw_core_load(const snw_Core *state, double phase);
/// Half of the way to how hips of who stands come to rest: listing for what legs ask, and aside for that.
void snw_core_even_out(const snw_WalkBody *body, snw_Core *state);
/// Where the hips are on the level, and how they are turned.
void snw_core_shift(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Core *state);
/// How much farther up the left side of the hips will be so many seconds later, radians.
double snw_core_list_change(const snw_Core *state, double later);
/// How high legs that stand want the hips, as their feet are posed below them now.
double snw_core_find_standing_height(const snw_WalkBody *body, const snw_Core *state);
/// How high they are: what a tick raises them with is decided as it begins, so that its parts are on its way.
void snw_core_plan_carry(const snw_WalkBody *body, snw_Core *state);
void snw_core_carry(const snw_WalkBody *body, double h, snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_life.c, core_upper.c: above the legs

void snw_core_begin_life(const snw_WalkSetup *setup, snw_Core *state);
/// Draw what differs in the step that begins.
void snw_core_vary(snw_CoreLife *life);
/// Noise, breath: what goes on at rest.
void snw_core_breathe(const snw_WalkSetup *setup, double h, bool is_whole, snw_CoreLife *life);
/// Speed, phase, level: what hips are placed by.
void snw_core_live(const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Core *state);
/// Chest, head and arms, once the legs are posed.
void snw_core_move_upper(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Core *state);
snw_CoreArmTurns snw_core_turn_arm(
    const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_CoreLife *life, int side);
void snw_core_pose_upper(const snw_WalkBody *body, const snw_WalkSetup *setup,
    const snw_Core *state, snw_WalkTarget *target);

// ---------------------------------------------------------------------------------------------
// core_run.c: running, jumping, crouching

/// Fastest that a body runs, m/s.
double snw_core_fastest_run(const snw_WalkBody *body);
/// Turn period and stance of a walk into those of a run, by u = v / sqrt(g L) of a moment ahead.
void snw_core_run(const snw_WalkBody *body, double u, double h, snw_Core *state);
/// A run is begun no more suddenly than legs can follow.
void snw_core_ease_start(const snw_WalkBody *body, snw_Core *state);
/// The lean of a runner into the curve that a root goes, to its left, radians.
static inline double snw_core_lean_into(const snw_Core *state, const snw_WalkRoot *root)
{
    const double run = state->run.value;
    return run > 0.0 ? run * snw_root_lean(root) : 0.0;
}
/// Whether the clock has moments without a foot on the ground.
static inline bool snw_core_has_flight(const snw_Core *state)
{
    return state->run.value > 0.0 && state->stance < 0.5;
}
/// Carry the hips of a run or a jump: ballistic in the air, up again from each foot. false: it is neither.
bool snw_core_bounce(const snw_WalkBody *body, double h, snw_Core *state);
/// Hips are no lower than folded legs let them be.
void snw_core_stop_fall(const snw_WalkBody *body, snw_Core *state);
/// Go on with a jump that was asked for; heights are those of the carry.
void snw_core_jump(
    const snw_WalkBody *body, snw_View *view, double h, bool is_whole, snw_Core *state);
/// Whether a jump from both feet holds the steps back.
bool snw_core_is_jumping(const snw_Core *state);
/// How far both feet are taken along by hips that fly, metres.
double snw_core_air(const snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_place.c and core_swing.c: footholds, and the way there

/// Where a foot stands, or will.
static inline const snw_Foothold *snw_core_foothold(const snw_CoreLeg *leg)
{
    return leg->is_swinging ? &leg->swing.to : &leg->at;
}

/// Seconds until a standing leg leaves.
static inline double snw_core_leaves_in(const snw_Core *state, const snw_CoreLeg *leg)
{
    return snw_max(0.0, state->stance - leg->phase) / snw_max(0.1, state->rate);
}

/// The leg that is farther in its cycle: of two that stand the hind one, which leaves first; of two that swing the one
/// that lands first.
static inline int snw_core_older_leg(const snw_Core *state)
{
    return state->legs[0].phase > state->legs[1].phase ? 0 : 1;
}

/// The phase of a foot that stands: a runner's that came down early is a little below 0.
static inline bool snw_core_holds_phase(double phase)
{
    return phase >= -0.05 && phase <= 1.0;
}

/// Seconds until a leg lands; of a leap, the first with the flight and the other half a cycle later.
static inline double snw_core_landing_time(const snw_Core *state, const snw_CoreLeg *leg)
{
    if (state->jump.stage == SNW_JUMP_FLIES && state->jump.is_leap) {
        const snw_CoreLeg *lead = &state->legs[snw_core_older_leg(state)];
        double air = snw_max(0.0, state->jump.air - state->jump.time);
        return air + snw_max(0.0, lead->phase - leg->phase) * state->period;
    }
    if (leg->is_swinging) { return snw_max(0.0, 1.0 - leg->t) * leg->swing.duration; }
    return snw_max(0.0, 1.0 - leg->phase) * state->period;
}
/// What holds a foot that is on its way to the place that it was for.
typedef struct snw_CoreHold {
    double most_shift; ///< from there, metres
    bool keeps_step;   ///< it stays on the same step
} snw_CoreHold;

/// Look for the next foothold of a leg, held to that of before;
/// replaces to of the swing, and landing_pitch when it begins. False: what is wanted is as before.
bool snw_core_place(
    const snw_WalkBody *body, snw_View *view, int index, const snw_CoreHold *hold, snw_Core *state);
/// Stand both feet where they are put, or will land, on what is there; false: on what is beside that, as it is no good.
bool snw_core_put(const snw_WalkBody *body, snw_View *view, snw_Core *state);
/// Whether the next foothold of a leg is good where it is wanted.
bool snw_core_foresee(const snw_WalkBody *body, snw_View *view, int index, const snw_Core *state);
/// What speaks against a foothold where it is: overhang, toes in the ground, steepness, walls.
double snw_core_objections(
    const snw_WalkLegBody *sizes, snw_View *view, const snw_CoreFit *fit, double heading);
/// What a moving sole keeps off the ground but for what is a wall, from a height on: so far above it, and beside edges, which
/// are looked at closely then; 0: as people do. Metres.
typedef struct snw_CoreRoom {
    double wall, margin, beside;
} snw_CoreRoom;
/// How much higher the sole has to be for that at a share t of its swing, and how much of it edges ask for, metres.
double snw_core_need(const snw_WalkLegBody *sizes, snw_View *view, const snw_FootPose *pose,
    const snw_CoreRoom *room, double t, double *out_edge);
/// Least concave line above SNW_ROPE_NODES needs behind a node, from there to the last; and a point of the smooth line near
/// it.
void snw_core_lay_rope(const double *needs, int first, double *out_rope);
double snw_core_rope_at(const double *rope, double t);
/// The landing pitch some time later.
double snw_core_eased(const snw_CoreSwing *swing, double time);
/// Let the pitch of a landing follow what the leg will be able to hold.
void snw_core_ease(const snw_WalkBody *body, double h, int index, snw_Core *state);
/// Lift off: the swing begins.
void snw_core_lift(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state);
/// Begin the swing of a foot that moves already anew, from where it is shown.
void snw_core_lift_again(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state);
/// Look again for a foothold and a way to it.
void snw_core_aim(const snw_WalkBody *body, snw_View *view, int index, snw_Core *state);
/// Where a foot points, by its side: one that hangs down steeply points nowhere ahead, a runner's even behind.
double snw_core_heading(const sinew_Transform *foot);
/// Heading of a knee: most of the way from the body's to its foot's, and what is left of the turn that it was held by when
/// its foot left; farther where a ball ankle asks for that. out_kept: the rotation of the foot that the ankle holds.
double snw_core_knee_yaw(const snw_WalkBody *body, int index, const snw_Core *state,
    const sinew_Transform *foot, sinew_Quat *out_kept);
/// How far a moving foot may give way to its knee: where it lands it is as it stands.
double snw_core_knee_freedom(double t);
/// The rotation of a moving foot that gives way to its knee and keeps to what the ankle turns to. heading: of the body;
/// out_heading: of the foot before, as near to that; may be NULL.
sinew_Quat snw_core_give_way(const snw_WalkBody *body, const snw_WalkLegBody *sizes,
    const snw_CoreSwing *swing, sinew_Vec3 hip, double heading, double t,
    const sinew_Transform *foot, double *out_heading);
/// The foot at its share of the swing.
snw_FootPose snw_core_swing_pose(
    const snw_WalkBody *body, int index, const snw_Core *state, double t);

// ---------------------------------------------------------------------------------------------
// core_clock.c: steering, pace, steps

/// What the body can do of what is wanted.
sinew_Steering snw_core_crop(
    const snw_WalkBody *body, const snw_Core *state, const sinew_Steering *steering);
void snw_core_pace(const snw_WalkBody *body, const sinew_Manner *manner, double h, snw_Core *state);
/// Move the root; legs vote on its speed, where it is their own.
void snw_core_root(const snw_WalkBody *body, const sinew_Drive *drive, double h, snw_Core *state);
/// How much faster than planned a swing should be, for the planted foot to be in reach until it lands.
double snw_core_hurry(const snw_WalkBody *body, const snw_Core *state);
/// Fastest that legs can follow a root along the way it goes or is wanted to, m/s.
double snw_core_find_pace(const snw_WalkBody *body, const snw_Core *state);
/// Fastest that legs can follow its turn, rad/s.
double snw_core_find_turn_pace(const snw_WalkBody *body, const snw_Core *state);
/// Whether its own root has nowhere to go.
static inline bool snw_core_is_stopping(const snw_Core *state)
{
    return !state->root.is_led && snw_steering_is_none(&state->wanted);
}
/// Where a body comes to rest over its feet, as they stand or will; on the ground.
sinew_Vec3 snw_core_find_rest_place(const snw_WalkBody *body, const snw_Core *state);
/// Whether the root is where standing feet can carry it.
bool snw_core_is_over_feet(const snw_WalkBody *body, const snw_Core *state);
/// Whether standing feet can catch the body as it moves: its capture point is over them.
bool snw_core_is_caught(const snw_WalkBody *body, const snw_Core *state);
void snw_core_start(snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_look.c: what a tick sees of the ground

/// What is not known and may not be asked goes on from the higher foot that stands as the ground ahead does, and aside as
/// that foot lies.
snw_ViewGuess snw_core_guess_ground(const snw_Core *state);
/// Let a tick ask what is left of its sixtieth of a second, and guess what it may not. Between two ticks nothing is asked,
/// so that what is known, and with it what is done, does not depend on when the body is shown.
void snw_core_open_view(const snw_Core *state, bool is_whole, snw_View *view);
/// Look around for what cannot be walked. Who stands and wants nothing remembers what is around.
void snw_core_look_for_bounds(const snw_WalkBody *body, const sinew_WalkLimits *limits,
    const sinew_Steering *steering, int ticks, snw_View *view, snw_Core *state);
/// The slope along the way that is wanted, and what head and trunk make of it.
void snw_core_look_around(const snw_WalkBody *body, snw_View *view, double h, bool is_whole,
    const sinew_Steering *steering, snw_Core *state);
/// Ask early for what the next step will be planned on.
void snw_core_look_ahead(const snw_WalkBody *body, int ticks, snw_View *view, snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_far.c: where it cannot go farther along the way of who is fast, as far as it takes to stop

/// Look, one of SNW_BOUND_PARTS parts of it.
void snw_core_look_far(const snw_WalkBody *body, const sinew_WalkLimits *limits, int part,
    snw_View *view, snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_ahead.c

/// Ask early for what the next step will be planned on.
void snw_core_ask_ahead(const snw_WalkBody *body, snw_View *view, snw_Core *state);

// ---------------------------------------------------------------------------------------------
// core_rest.c: who stands and has come to rest

/// The slope of the ground is looked at each so many ticks, from this one on: even numbers, so that ticks of twice the
/// length meet them.
enum { SNW_CORE_SLOPE_TICKS = 4, SNW_CORE_SLOPE_TICK = 2 };
/// What changes in a tick of who does not rest, but for what sways and breathes.
enum { SNW_CORE_STILL = 25 + SNW_VARIES };
typedef struct snw_CoreStill {
    double numbers[SNW_CORE_STILL];
    double held_yaw, pitch[2], bank[2]; ///< of feet
} snw_CoreStill;
/// Whether the tick that begins, a whole one, may show that a body rests.
bool snw_core_may_rest(const snw_Core *state);
void snw_core_list_still(const snw_Core *state, snw_CoreStill *out_still);
/// Whether a body, and which of its feet, rest after a whole tick that began so.
void snw_core_find_rest(const snw_CoreStill *before, snw_Core *state);
/// Whether a body that rests still does in the tick that begins: nothing is asked of it, and it is not time to look.
bool snw_core_rests_on(const snw_Core *state, const sinew_Drive *drive);

// ---------------------------------------------------------------------------------------------
// core_events.c: what is told of a tick

/// What of a foot is on the ground now.
snw_FootStage snw_core_stage(const snw_CoreLeg *leg);
void snw_core_watch(snw_Core *state);

#endif
