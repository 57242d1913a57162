#ifndef SNW_RETARGET_H
#define SNW_RETARGET_H

// Retargeting from the inside. Both bodies are seen in the axes of their stance: left +X, up +Y, ahead +Z.
// A *delta* is how a joint is turned against its stance, in these axes; what carries a motion over is that
// deltas of one body fit any other.

#include "base/memory.h"
#include "sinew/retarget.h"

// ---------------------------------------------------------------------------------------------
// Times and bounds of feet that stand

// the pitch of the foot comes back over this time beside the frames in which it lies flat, seconds
#define SNW_ROLL_TIME 0.1
// feet that stand on ball or heel turn about it fully from this angle on; less is drift, radians
#define SNW_MEANT_PIVOT 0.1
// what was corrected fades within this; between stands nearer than twice this it goes from one to the other, seconds
#define SNW_FADE_TIME 0.3
// a foot that dips into the floor goes round above it from this long before until this long after, seconds
#define SNW_CLEAR_TIME 0.3
// and on another body by so many times what it dips: along the floor it would scrape, higher its knee would jerk
#define SNW_CLEAR_SHARE 1.2
// feet leave at this times the speed at which contacts end
#define SNW_LEAVING_SPEED 1.15
// speeds at the ends of a stand are seen over this, seconds
#define SNW_SPEED_TIME 0.02
// joints of legs turn by at most this faster than the animation that is corrected, radians per second: 0.3 of a frame of
// 60 a second, what a pop is (docs/requirements.md)
#define SNW_LEG_SPEED 18.0

/// Left and right.
enum { SNW_SIDES = 2 };

/// Thigh, shin and foot of one side.
typedef struct snw_RetargetLeg {
    int thigh, shin;
    int ankle;             ///< its first joint, of robots one of two hinges in a row
    int foot;              ///< and the last, which carries the sole
    int toe;               ///< -1 without one
    double upper, lower;   ///< lengths, metres
    sinew_Vec3 heel, ball; ///< below the foot, in the foot's frame
    bool has_tip;          ///< the toes have an end
    sinew_Vec3 tip;        ///< below it, on the sole's plane, in the toes' frame
    sinew_Vec3 toe_place;  ///< of the toes, in the foot's frame
} snw_RetargetLeg;

/// Upper arm, forearm and hand of one side; all -1 where one is missing.
typedef struct snw_RetargetArm {
    int upper, lower, hand;
    double upper_length, lower_length;
    sinew_Vec3 palm; ///< what touches, in the hand's frame
} snw_RetargetArm;

/// One of the two bodies.
typedef struct snw_RetargetSide {
    const sinew_Skeleton *skeleton;
    const sinew_Joint *joints;
    int count;
    const sinew_RoleGuess *roles;
    const sinew_Stance *stance;
    sinew_Quat own_from_world; ///< to left, up, ahead
    sinew_Quat *stand;         ///< world rotations in the stance, own axes      (count)
    sinew_Vec3 *offset;        ///< place in the parent in the stance            (count)
    double *rest;              ///< the rest pose                                (coordinates)
    int hips;
    bool has_root; ///< the hips move by themselves, and what is above them is a root of its own
    snw_RetargetLeg legs[SNW_SIDES];
    snw_RetargetArm arms[SNW_SIDES];
    double leg;        ///< thigh and shank, mean of both sides, metres
    double hip_height; ///< middle of the hip joints over the soles in the stance, metres
} snw_RetargetSide;

/// Where the delta of a target's joint comes from.
typedef struct snw_RetargetFollow {
    int from, to; ///< joints of the source; -1: as the joint's parent
    double share; ///< 0: as from .. 1: as to
} snw_RetargetFollow;

/// What carries one pose over.
typedef struct snw_RetargetCarry {
    snw_RetargetSide source, target;
    snw_RetargetFollow *follow; //                                 (target.count)
    double scale;               ///< of the target's legs to the source's
    double stop_time; ///< a foot comes as fast as the source's and is at rest after this, seconds
    bool same_body;   ///< source and target are one
    const sinew_IndividualEffects *effects; ///< NULL: nobody in particular
    double hurt[SNW_SIDES];                 ///< how much standing hurts in this pose
    int spine_count, neck_count;            ///< joints that share a lean
    sinew_Quat *carried;                    ///< deltas before posture         (target.count)
    sinew_Vec3 source_shift;                ///< added to places of the source; its floor
    // scratch of one pose
    sinew_Transform *source_world; //                              (source.count)
    sinew_Quat *source_delta;      //                              (source.count)
    sinew_Quat *delta;             // of the target                (target.count)
    sinew_Transform *world;        // of the target, own axes      (target.count)
    sinew_Transform *scratch;      //                              (target.count)
} snw_RetargetCarry;

/// What a foot is asked to do beyond what was carried over.
typedef struct snw_FootShift {
    sinew_Vec3 ball; ///< the ball's way, metres
    sinew_Vec3 turn; ///< of the foot, a rotation vector
    sinew_Vec3 toe;  ///< of the toes
} snw_FootShift;

/// The same as numbers, which fade alike.
enum { SNW_SHIFT_NUMBERS = 9 };
void snw_shift_to_numbers(const snw_FootShift *shift, double out_numbers[SNW_SHIFT_NUMBERS]);
snw_FootShift snw_shift_from_numbers(const double numbers[SNW_SHIFT_NUMBERS]);

/// A foot as it was carried over.
typedef struct snw_CarriedFoot {
    sinew_Transform foot;
    sinew_Vec3 heel, ball;
    sinew_Quat toe;
    double pitch; ///< of the sole: above 0 the heel is higher than the ball, radians
    double yaw;   ///< of the sole's direction about up, from ahead, radians
} snw_CarriedFoot;

/// A foot that stands: its print on the floor.
typedef struct snw_Footprint {
    sinew_Quat flat;       ///< of the foot when the sole lies on the floor
    sinew_Vec3 heel, ball; ///< on the floor
    sinew_Vec3 axis;       ///< the sole's left, about which positive turns lift the heel
    sinew_Quat toe;        ///< of the toes when they lie on the floor
    double yaw;            ///< as of a foot's pose
} snw_Footprint;

/// How a foot stands in its print: flat where all is 0.
typedef struct snw_FootRoll {
    double pitch; ///< above 0 on the ball, the heel up; below 0 on the heel
    double yaw;   ///< about the point that it stands on, against the print
    double toes;  ///< how far they lie on the floor, 0..1; else they go with the foot
    bool on_heel; ///< the heel alone stands
} snw_FootRoll;

// ---------------------------------------------------------------------------------------------
// The parts (retarget_match.c, retarget_carry.c, retarget_foot.c)

/// Arrays of a side, and those that a pose is carried over by, all but carried.
void snw_retarget_take_side(
    snw_Arena *arena, snw_RetargetSide *side, const sinew_Skeleton *skeleton);
void snw_retarget_take_carry(
    snw_Arena *arena, snw_RetargetCarry *carry, size_t source_joints, size_t target_joints);

/// Whether a body is whole; which names it in the message.
sinew_Status snw_retarget_check_body(
    const sinew_RetargetBody *body, const char *which, sinew_Message *out_message);

/// Whether something at or above the hips slides in three directions.
bool snw_retarget_travels(const snw_RetargetSide *side);

/// Whether a joint is a root above hips that move by themselves.
static inline bool snw_is_root(const snw_RetargetSide *side, int joint)
{
    int end = joint + side->joints[joint].subtree_count;
    return side->has_root && joint < side->hips && side->hips < end;
}

/// See a body in its own axes; arrays are the caller's. Fails with a reason for bodies that cannot be
/// used; which names it in the message.
sinew_Status snw_retarget_see(snw_RetargetSide *side, const sinew_RetargetBody *body,
    const char *which, sinew_Message *out_message);

/// Where each joint of the target takes its turn from.
void snw_retarget_match(snw_RetargetCarry *carry, const sinew_RetargetPair *pairs, int pair_count);

/// Carry one pose of the source over: carry->delta and carry->world, in the target's own axes.
void snw_retarget_carry(snw_RetargetCarry *carry, const double *source_q);

/// Give deltas somebody's posture; joints that share a lean are counted once.
void snw_trait_posture(snw_RetargetCarry *carry);
void snw_trait_count(snw_RetargetCarry *carry);

/// A foot that stands on its ball, its heel lower where the knee cannot bend for it.
sinew_Transform snw_trait_foot(
    const snw_RetargetCarry *carry, int side, sinew_Vec3 hip, sinew_Transform foot);

/// Length of a leg whose knee bends by an angle.
double snw_shortest_leg(const snw_RetargetLeg *leg, double bend);

/// Move the whole body; a root of its own stays where it is.
void snw_retarget_move(snw_RetargetCarry *carry, sinew_Vec3 way);

/// Bring the foot of a leg to a place and turn; the toes turn by themselves. Returns by how much the leg is
/// too short, metres.
double snw_retarget_leg(
    snw_RetargetCarry *carry, int side, sinew_Transform foot, sinew_Quat toe, double reach);

/// Turn a joint and all below it; places follow with snw_retarget_place of the joint that the limb begins at.
void snw_retarget_set(snw_RetargetCarry *carry, int joint, sinew_Quat rotation);
void snw_retarget_place(snw_RetargetCarry *carry, int joint);

/// Thigh, shin, foot and toes.
enum { SNW_LEG_JOINTS = 4 };

/// The joints of a leg in the pose before, in their parents.
typedef struct snw_LegTurns {
    sinew_Quat naive[SNW_LEG_JOINTS]; ///< in the animation
    sinew_Quat shown[SNW_LEG_JOINTS];
    bool known; ///< there was one
} snw_LegTurns;

/// Rotations of a leg's joints in their parents, as they are now.
void snw_leg_locals(
    const snw_RetargetCarry *carry, int side, sinew_Quat out_locals[SNW_LEG_JOINTS]);

/// Let no joint of a leg turn faster than the animation by more than SNW_LEG_SPEED: what is beyond comes in the
/// next poses. naive: the animation's own rotations.
void snw_leg_steady(snw_RetargetCarry *carry, int side, const sinew_Quat naive[SNW_LEG_JOINTS],
    double dt, snw_LegTurns *last);

/// Bring the hand of an arm to a place, turned as it was.
void snw_retarget_arm(snw_RetargetCarry *carry, int side, sinew_Vec3 hand, double reach);

/// Bring hands to where they are beside what they are near; how much each was, 0..1. The source's pose is
/// the one carried last.
void snw_retarget_hands(snw_RetargetCarry *carry, double out_weights[SNW_SIDES]);

/// The target's coordinates of what was carried; near_q: the frame before, or NULL.
sinew_Status snw_retarget_store(const snw_RetargetCarry *carry, const double *near_q, double *out_q,
    sinew_PoseFit *out_fit, sinew_Message *out_message);

/// The foot as it is now.
snw_CarriedFoot snw_carried_foot(const snw_RetargetCarry *carry, int side);

/// A print with the ball at a place and the sole pointing along a level direction.
snw_Footprint snw_footprint(
    const snw_RetargetCarry *carry, int side, sinew_Vec3 ball, sinew_Vec3 heading);

/// What makes a foot stand in its print as it rolls.
snw_FootShift snw_foot_stand(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    const snw_Footprint *print, const snw_FootRoll *roll);

/// The foot and its toes after a shift.
sinew_Transform snw_foot_shifted(const snw_RetargetCarry *carry, int side,
    const snw_CarriedFoot *naive, const snw_FootShift *shift, sinew_Quat *out_toe);

/// Height of the lower one of its heel and ball then.
double snw_foot_low(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    const snw_FootShift *shift);

/// How far toes that reach into the floor then have to bend up, about the foot's left, to lie on it; radians.
double snw_toes_need(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    const snw_FootShift *shift, double floor);
/// Bend them up.
void snw_toes_bend(const snw_RetargetCarry *carry, int side, const snw_CarriedFoot *naive,
    double turn, snw_FootShift *shift);

/// How far the hips must fall for the leg to reach, at most reach of its length; hardly for feet
/// beside or above the hip. Metres, >= 0.
double snw_hips_need(sinew_Vec3 hip, sinew_Vec3 ankle, double most);

/// How high a foot goes over the floor for what it would dip into it.
static inline double snw_clear_share(const snw_RetargetCarry *carry)
{
    // on its own body a ball leaves as it did in the source, and scrapes no more than there
    return carry->same_body ? 1.0 : SNW_CLEAR_SHARE;
}

/// The same angle, -pi..pi.
static inline double snw_least_turn_of(double angle)
{
    return angle - 2.0 * SINEW_PI * floor(angle / (2.0 * SINEW_PI) + 0.5);
}

/// 0..1 with no speed and no acceleration at the ends; cropped.
static inline double snw_quintic(double u)
{
    if (!(u > 0.0)) { return 0.0; }
    if (u >= 1.0) { return 1.0; }
    return u * u * u * (10.0 - u * (15.0 - 6.0 * u));
}

/// A share that goes to another on that way within SNW_ROLL_TIME, at its steepest at most: what comes into sight late
/// is gone over to.
static inline double snw_ease(double from, double to, double dt)
{
    double most = 1.875 * dt / SNW_ROLL_TIME;
    return fmin(fmax(to, from - most), from + most);
}

/// A number's way from value and speed to value and speed in a time; no acceleration at the ends.
typedef struct snw_Bridge {
    double from, from_speed, to, to_speed;
} snw_Bridge;

static inline double snw_bridge_at(snw_Bridge b, double duration, double time)
{
    double u = time / duration;
    if (!(u > 0.0)) { return b.from; }
    if (u >= 1.0) { return b.to; }
    double u3 = u * u * u;
    double rise = u3 * (10.0 - u * (15.0 - 6.0 * u));
    double start = u - u3 * (6.0 - u * (8.0 - 3.0 * u));
    double end = u3 * (-4.0 + u * (7.0 - 3.0 * u));
    return b.from + (b.to - b.from) * rise + duration * (b.from_speed * start + b.to_speed * end);
}

#endif
