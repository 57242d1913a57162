#ifndef SNW_WALKER_LEGS_H
#define SNW_WALKER_LEGS_H

// Bodies on many legs that stand on points: dogs, spiders. The natural style for them.
//
// The root follows the steering, or is led, and waits for legs that are at the end of their reach
// (legs_root.c). Legs go by a table of phases and duty factors (leg_gait.h); each
// has a clock of its own that keeps in step with the table. A foothold is where the leg stands at rest
// below the body in the middle of the stance to come, kept inside the leg's measured reach
// (leg_reach.h) and off edges (leg_plan.c). Swings go along a rope over the ground (legs_swing.c, leg_path.h).
// The body is carried over the plane of all feet (legs_carry.c).

#include "walk/gait.h"
#include "walk/leg_gait.h"
#include "walk/leg_path.h"
#include "walk/walk_aboard.h"
#include "walk/walk_bounds.h"
#include "walk/walk_drive.h"
#include "walk/walk_events.h"
#include "walk/walk_layer.h"

#include <stddef.h>

// A tip flies at most so many lengths of its leg in a second against the body, mean of a swing.
#define SNW_LEGS_FASTEST_TIP 4.0
// A foothold takes no more of its leg's reach, and the body slows down where a leg that stands, or a path behind it, needs more.
#define SNW_LEGS_WAIT_SHARE 0.80
#define SNW_LEGS_LOOK_AHEAD 0.05 // seconds in which it is seen whether a place comes nearer

typedef struct snw_LegsLeg {
    bool is_swinging, was_swinging; ///< and when it was told last
    bool is_guess;                  ///< its path was laid over what was not known yet
    double phase;                   ///< 0 when it lands, up to 1
    double lift_phase;              ///< when it left
    double progress;                ///< of the swing, 0..1
    double duration;                ///< of the swing, seconds
    double quickest;                ///< duration if joints turned as fast as the tip flies, seconds
    sinew_Vec3 at;                  ///< where it stands, or stood last
    snw_LegPath path;
    sinew_Vec3 off;          ///< from the path to where it was when the path changed; fades
    double off_progress;     ///< of the swing when that was
    snw_FootSurface surface; ///< that it stands on
} snw_LegsLeg;

typedef struct snw_Legs {
    bool has_started; ///< false: feet have not seen the ground yet
    bool is_walking;
    bool is_astray; ///< a foothold is
    snw_Ride ride;  ///< all else is in its frame
    snw_WalkRoot root;
    sinew_Steering wanted;          ///< after cropping
    double clock;                   ///< phase of the first leg by the table, grows on
    double period;                  ///< of the cycle, seconds
    snw_LegGaitRow gait;            ///< at this speed
    double still_time;              ///< seconds in which no leg left the ground
    double uneven;                  ///< 0..1: legs go up onto something, or will
    double high;                    ///< the same of who does not run
    double heeded;                  ///< 1, less while legs have the body wait: told to who leads it
    double pace;                    ///< of the body along its way: that, 1 of who is led
    double stoop;                   ///< 0 upright .. 1 as low as it is asked to go
    snw_Follower height;            ///< of the middle of the first joints over 0, without the bob
    snw_Follower rise;              ///< of the body over what it rides at on even ground
    snw_Follower slope, side_slope; ///< tangents of the plane of the feet, ahead and to the left
    snw_Follower roll;              ///< towards legs that are in the air
    snw_Follower swung;             ///< share of what its legs swing it up and down by
    double bob, most_bob;           ///< how high they have it, and get it
    double roll_s, roll_c, nod_s, nod_c; ///< sines and cosines of these
    snw_Follower sway;                   ///< over the legs that stand
    snw_Follower bend;                   ///< of the trunk into turns, yaw
    int tick;
    int step_count;
    double distance;
    sinew_Transform hips;
    snw_Bounds bounds;
    snw_Look look; ///< as last shown
    snw_WalkEvents events;
    snw_LegsLeg legs[SINEW_MAX_LEGS];
} snw_Legs;

/// Whether they go by the clock: more than half of the legs may be in the air, and none waits for others
/// at the end of its reach.
static inline bool snw_legs_are_quick(const snw_Legs *state)
{
    return state->gait.duty < 0.64;
}

/// Where a leg stands, or will.
static inline sinew_Vec3 snw_legs_foothold(const snw_LegsLeg *leg)
{
    return leg->is_swinging ? leg->path.to : leg->at;
}

/// What a state takes: it has no room for legs that the body does not have, so it is never copied whole.
static inline size_t snw_legs_size(const snw_WalkBody *body)
{
    return offsetof(snw_Legs, legs) + (size_t)body->leg_count * sizeof(snw_LegsLeg);
}

/// Stand at a place.
void snw_legs_reset(
    const snw_WalkBody *body, double x, double z, double heading, snw_Legs *out_state);
/// Run on by h seconds, at most a tick; is_whole: a whole tick, in which plans are made.
/// drive: SINEW_DRIVE_ROOT has the root at the end of this tick.
void snw_legs_tick(const snw_WalkBody *body, const snw_WalkSetup *setup, snw_View *view,
    const sinew_Drive *drive, double h, bool is_whole, snw_Legs *state);
/// Look at what carries it, dt seconds after the last look, and go along with it.
void snw_legs_ride(const snw_WalkBody *body, double dt, snw_View *view, snw_Legs *state);
/// Take the whole body somewhere else, as it is: turned about the root, which goes to (x, z) and heading.
void snw_legs_teleport(
    const snw_WalkBody *body, double x, double z, double heading, double rise, snw_Legs *state);
/// What the pose should be.
void snw_legs_target(const snw_WalkBody *body, const snw_WalkSetup *setup, const snw_Legs *state,
    snw_View *view, snw_WalkTarget *out_target);

// Parts of it, in files of their own.

/// legs_swing.c: the shortest swing, seconds.
double snw_legs_shortest_swing(const snw_WalkBody *body);
/// Where a swing has its tip at a progress, before it gives way to the reach of its leg.
sinew_Vec3 snw_legs_on_path(const snw_LegsLeg *leg, double progress);
/// How high a swing goes over where it left, metres; 0..1: by how much of its length a leg goes up.
double snw_legs_rise(const snw_LegsLeg *leg);
double snw_legs_highness(const snw_WalkBody *body, double rise);
/// Let a standing leg go, if it would move far enough or must; whether it left.
bool snw_legs_lift(const snw_WalkBody *body, snw_View *view, bool must, int index, snw_Legs *state);
void snw_legs_swing_on(
    const snw_WalkBody *body, snw_View *view, int index, double h, bool is_whole, snw_Legs *state);
/// Whether a foothold that is left behind is out of reach, or about to be.
bool snw_legs_is_lost(const snw_WalkBody *body, const snw_Legs *state, int index, sinew_Vec3 place);
/// Whether the ground is not where a foothold has it: a deck that goes past came over it, or left it in the air.
bool snw_legs_is_astray(const snw_LegsLeg *leg);
/// Where a tip is now.
sinew_Vec3 snw_legs_tip(const snw_WalkBody *body, snw_View *view, const snw_Legs *state, int index);

/// legs_root.c: what legs can do of what is wanted, within bounds: an arc stays the same arc.
void snw_legs_choose(const snw_WalkBody *body, const sinew_Drive *drive,
    const sinew_Steering *steering, snw_Legs *state);
/// Go for h seconds, and wait for legs.
void snw_legs_go(
    const snw_WalkBody *body, snw_View *view, const sinew_Drive *drive, double h, snw_Legs *state);
/// Let gait and period follow the speed.
void snw_legs_set_gait(const snw_WalkBody *body, double h, snw_Legs *state);
/// How fast a game may move the root along its way and turn it for legs to keep up, m/s and rad/s.
void snw_legs_find_paces(
    const snw_WalkBody *body, const snw_Legs *state, double *out_pace, double *out_turn_pace);

/// leg_plan.c: where a leg should land after a time, standing for the time after that.
sinew_Vec3 snw_leg_plan(const snw_WalkBody *body, snw_View *view, const snw_Legs *state, int index,
    double until_landing, const sinew_Vec3 *kept);

/// legs_carry.c: carry the body; sets state->hips.
void snw_legs_carry(
    const snw_WalkBody *body, const snw_WalkSetup *setup, double h, snw_Legs *state);
/// Start to carry at once, without easing.
void snw_legs_settle(const snw_WalkBody *body, snw_Legs *state);
/// The body's frame for the root at another place, the ground as it is now.
sinew_Transform snw_legs_hips_at(const snw_Legs *state, const snw_WalkRoot *root);
/// The same for where the root will be when it goes on for so many seconds.
sinew_Transform snw_legs_hips_after(const snw_Legs *state, double seconds);
/// Where a leg stands below the body for a root, level.
sinew_Vec3 snw_legs_rest_place(
    const snw_WalkBody *body, const snw_Legs *state, const snw_WalkRoot *root, int index);
/// How far a leg whose foothold passes below along a way can go on the ground while it stands, with some
/// of its reach kept back; *out_shift: how far ahead of where it stands at rest the middle of that is.
double snw_legs_stance_room(
    const snw_WalkBody *body, const snw_Legs *state, int index, sinew_Vec3 way, double *out_shift);
/// How steep the plane of the feet is, beyond what does not matter, tangent.
double snw_legs_steepness(const snw_Legs *state);
/// Speed of a leg's foothold against the body, and its direction, body's frame.
double snw_legs_foothold_speed(
    const snw_WalkBody *body, int index, const sinew_Steering *motion, sinew_Vec3 *out_way);
/// Share of its reach that a leg below the body keeps for heights where there are steps.
double snw_legs_kept_for_heights(const snw_WalkBody *body, const snw_Legs *state);
/// Where a place is from where the leg stands at rest, body's frame; and how much of its reach it needs for that.
sinew_Vec3 snw_legs_off(
    const snw_WalkBody *body, const sinew_Transform *hips, int index, sinew_Vec3 place);
double snw_legs_share(
    const snw_WalkBody *body, const sinew_Transform *hips, int index, sinew_Vec3 place);

#endif
