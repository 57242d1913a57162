#ifndef SINEW_SWITCH_H
#define SINEW_SWITCH_H

/// \file
/// One chain of joints, two ways to pose it: forward kinematics (FK), where the caller turns the
/// joints, and inverse kinematics (IK), where the caller moves a handle. Each limb of a body has the
/// attribute *Enable IK*; switching it shows no pop, since there is one set of joints: the handle is
/// read off the pose when IK begins, and the joints stay where IK left them when FK begins.
///
///     sinew_switch_set_pose(s, animated, NULL);         // joints in FK follow the animation
///     sinew_switch_enable_ik(s, left_arm, true, NULL);  // nothing moves
///     sinew_switch_set_handle(s, left_arm, &handle, NULL);
///     sinew_switch_update(s, 1.0 / 60.0, NULL, NULL);   // the arm follows its handle
///     const double *q = sinew_switch_pose(s);
///
/// Where poses go on coming for a limb in IK (sinew_switch_set_pose), what its handle leaves free, as the twist of a thigh, keeps
/// to them; and a limb that leaves IK goes over to them with its end ahead: the joints make up for it.
///
/// Nothing here allocates after creation; the same calls give the same bits.
/// Source: Bhatti et al. (2013), sections 2 and 5, figure 9.

#include "role.h"
#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest number of limbs of one switch.
#define SINEW_MAX_SWITCH_LIMBS 64

/// A foot that rolls about its ball and its heel. Points are in the frame of the limb's tip.
typedef struct sinew_FootRoll {
    sinew_Vec3 heel, ball;
    /// Unit: about it the sole turns when the heel lifts (positive angles), the foot's left.
    sinew_Vec3 axis;
    /// The joint of the toes, which stay flat while the foot rolls about its ball; -1: none.
    int toe;
} sinew_FootRoll;

/// One limb. Start from sinew_switch_limb or sinew_switch_find_limbs.
typedef struct sinew_SwitchLimb {
    /// The first joint that IK may turn (shoulder, hip) and the one that carries the handle (hand, foot).
    int root, tip;
    /// The joint that a pole keeps on one side (elbow, knee), between both; -1: none.
    int middle;
    /// Where the handle is, in the tip's frame. Default identity.
    sinew_Transform tip_from_handle;
    /// The joint in whose frame handle and pole are given, and with which they go; not below root.
    /// -1 (default): the world.
    int reference;
    /// Whether IK holds the orientation of the handle as well as its place. Default: whether the limb
    /// has six degrees of freedom, which that takes.
    bool holds_orientation;
    /// Default false.
    bool has_foot_roll;
    sinew_FootRoll foot_roll;
} sinew_SwitchLimb;

/// What an animator holds in IK. Derived from the pose in FK.
typedef struct sinew_Handle {
    /// World, or reference, from handle; of a foot that rolls, of the flat foot.
    sinew_Transform place;
    /// The middle joint is on this side of the line from root to handle; world or reference, metres.
    sinew_Vec3 pole;
    /// Turn of the foot about its ball (positive: the heel is up) or its heel (negative), radians.
    double foot_roll;
    /// Turn of the toes against the flat foot.
    sinew_Quat toe;
} sinew_Handle;

/// A limb from root to tip. middle may be -1.
SINEW_API sinew_SwitchLimb sinew_switch_limb(
    const sinew_Skeleton *skeleton, int root, int middle, int tip);

/// The limbs of a body by its roles, in this order: spine, left and right arm, left and right leg;
/// of animals front legs in place of arms. Writes up to capacity of them and returns how many there are.
/// Robots' limbs, where several joints are one hip, go from the first to the last of them.
SINEW_API int sinew_switch_find_limbs(const sinew_Skeleton *skeleton, const sinew_RoleGuess *roles,
    sinew_SwitchLimb *out_limbs, int capacity);

/// How to build a switch. Start from sinew_switch_def_default().
typedef struct sinew_SwitchDef {
    /// Required. Only read; must outlive the switch.
    const sinew_Skeleton *skeleton;
    /// limb_count limbs, 1..SINEW_MAX_SWITCH_LIMBS, copied. No joint may be in two of them; a limb may hang
    /// on another (an arm on the spine).
    const sinew_SwitchLimb *limbs;
    int limb_count;
    /// Largest speed of a joint in IK, rad/s, > 0. Default 18, 0.3 rad a frame at 60 Hz. A limb whose
    /// handle is moved faster comes after it. Of a limb that left IK: beyond that of the poses it goes over to.
    double max_joint_speed;
    /// Seconds in which a limb that left IK goes over to the poses that sinew_switch_set_pose brings, which may be
    /// others than IK had found: how far its tip, its middle joint's side and its joints were off fades to nothing, so that a tip
    /// that was with the motion stays with it. Some frames more where max_joint_speed asks for them. >= 0. Default 0.25;
    /// 0: at once, a pop where they differ.
    double release_time;
    sinew_Allocator allocator;
    /// Set by the default function, checked by sinew_switch_create. Do not set.
    uint32_t cookie;
} sinew_SwitchDef;

/// The defaults told above; skeleton and limbs are the caller's to say.
SINEW_API sinew_SwitchDef sinew_switch_def_default(void);

typedef struct sinew_Switch sinew_Switch;

/// All limbs begin in FK, in the rest pose. INVALID_ARGUMENT for limbs that break a rule, with its number
/// and field; OUT_OF_MEMORY. Then *out_switch is NULL.
SINEW_API sinew_Status sinew_switch_create(
    const sinew_SwitchDef *def, sinew_Switch **out_switch, sinew_Message *out_message);
/// NULL is ignored.
SINEW_API void sinew_switch_destroy(sinew_Switch *sw);

/// How many limbs there are, and one of them as it was given; NULL for one that is not there.
SINEW_API int sinew_switch_limb_count(const sinew_Switch *sw);
SINEW_API const sinew_SwitchLimb *sinew_switch_get_limb(const sinew_Switch *sw, int limb);

// ---------------------------------------------------------------------------------------------
// The pose, and FK

/// The pose that is shown, coordinate_count numbers, always inside the limits. Joints in FK are as they
/// were set; those in IK as the last update left them.
SINEW_API const double *sinew_switch_pose(const sinew_Switch *sw);

/// Begin again in FK with all joints as q has them, cropped to their limits. INVALID_ARGUMENT for a pose that breaks
/// a rule (sinew_pose_check); then nothing is changed.
SINEW_API sinew_Status sinew_switch_reset(
    sinew_Switch *sw, const double *q, sinew_Message *out_message);

/// Set all joints that FK poses from an animated pose, cropped to their limits. Those of limbs in IK stay, and what their handle
/// leaves free follows this pose in the next update; limbs that left IK come by the updates of release_time, also where this is
/// the first pose since.
/// INVALID_ARGUMENT as sinew_switch_reset.
SINEW_API sinew_Status sinew_switch_set_pose(
    sinew_Switch *sw, const double *q, sinew_Message *out_message);

/// Set one joint, its coordinate_count numbers, cropped to their limits. UNSUPPORTED for a joint of a limb in IK:
/// its handle poses it; INVALID_ARGUMENT for a joint that is not there or values that are no pose. Then nothing is
/// changed.
SINEW_API sinew_Status sinew_switch_set_joint(
    sinew_Switch *sw, int joint, const double *values, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// Switching, and IK

/// Enable or disable IK on a limb; -1: on all. The pose keeps its bits either way. INVALID_ARGUMENT
/// for a limb that is not there.
SINEW_API sinew_Status sinew_switch_enable_ik(
    sinew_Switch *sw, int limb, bool enable, sinew_Message *out_message);

/// How much of a limb is IK: 0 in FK, 1 in IK, between while it is blended; -1 for a limb that is not there.
SINEW_API double sinew_switch_blend(const sinew_Switch *sw, int limb);

/// Blend a limb between its joints as FK has them (0) and as its handle wants them (1), joint by
/// joint, so that bones keep their lengths and joints their limits. While it is between, joints and handle can
/// both be set. Leaving 0 takes the handle from the pose; a limb that is brought back to 0 shows the
/// joints that were set meanwhile. For a pop-free way back from an animation (a fall) to a
/// handle, raise it over some frames. INVALID_ARGUMENT outside 0..1 or for a limb that is not there.
SINEW_API sinew_Status sinew_switch_set_blend(
    sinew_Switch *sw, int limb, double blend, sinew_Message *out_message);

/// The handle of a limb: as it was set in IK, as the pose has it in FK. INVALID_ARGUMENT for a limb that is
/// not there.
SINEW_API sinew_Status sinew_switch_handle(
    const sinew_Switch *sw, int limb, sinew_Handle *out_handle, sinew_Message *out_message);

/// Move the handle of a limb; the next update follows. UNSUPPORTED in FK, where the handle follows the joints;
/// INVALID_ARGUMENT for numbers that are not finite or quaternions that are not unit (1e-3).
/// Then nothing is changed.
SINEW_API sinew_Status sinew_switch_set_handle(
    sinew_Switch *sw, int limb, const sinew_Handle *handle, sinew_Message *out_message);

/// Pose all limbs in IK for one frame of frame_time seconds, from the root of the body to its tips, so that an arm in IK
/// makes up for a spine in FK. A limb whose handle, reference and root have not moved since its handle
/// was met, nor the pose that was set, keeps its bits. out_worst, which may be NULL, receives the report of the limb that misses its
/// handle most (zero when none is in IK). Slides without end stay as they are, so that bones keep their lengths in files whose
/// joints all have position channels. A frame of 0 seconds, as of a game that is paused, moves nothing; out_worst is then
/// what the last one told. INVALID_ARGUMENT for a frame_time below 0 or not finite.
SINEW_API sinew_Status sinew_switch_update(
    sinew_Switch *sw, double frame_time, sinew_Report *out_worst, sinew_Message *out_message);

/// What the last solve of a limb reported; NULL for a limb that is not there. All zero before the first.
SINEW_API const sinew_Report *sinew_switch_report(const sinew_Switch *sw, int limb);

// ---------------------------------------------------------------------------------------------
// The control rig

typedef enum sinew_ControlKind {
    SINEW_CONTROL_RING,   ///< FK: turns a joint about one axis
    SINEW_CONTROL_BALL,   ///< FK: turns a joint about all
    SINEW_CONTROL_HANDLE, ///< IK: place and orientation
    SINEW_CONTROL_POLE,   ///< IK: the side of elbow or knee
    SINEW_CONTROL_ROLL,   ///< IK: turns the foot about its ball and heel
    SINEW_CONTROL_TOES,   ///< IK: turns the toes
} sinew_ControlKind;

/// Something that an animator takes hold of, where it is in the pose shown; world, metres.
typedef struct sinew_Control {
    sinew_ControlKind kind;
    int limb, joint;
    int axis; ///< ring: of the skeleton's axes; else -1
    sinew_Vec3 center;
    /// Unit: what a ring, a roll or toes turn about; zero for the others.
    sinew_Vec3 normal;
    double radius; ///< half of what the control measures on the screen
} sinew_Control;

/// "ring", "ball", "handle", "pole", "roll", "toes".
SINEW_API const char *sinew_control_kind_name(sinew_ControlKind kind);

/// The controls of all limbs as they are posed now: rings and balls of joints in FK; handle, pole, roll and toes
/// in IK; both while they are blended. Writes up to capacity of them and returns how many there are.
/// Source: Bhatti et al. (2013), section 5.
SINEW_API int sinew_switch_controls(
    const sinew_Switch *sw, sinew_Control *out_controls, int capacity);

// ---------------------------------------------------------------------------------------------
// Matching onto another chain

/// How well one limb could be matched by another.
typedef struct sinew_MatchReport {
    /// The joint values were taken as they are, since both chains are built alike.
    bool copied;
    /// Of the handle: metres and radians (0 where orientation is not held).
    double position_error, orientation_error;
    int iterations;
} sinew_MatchReport;

/// Pose a limb of another body so that its handle is where that of the first is in the world: another order of
/// rotations, other limits, other proportions. Joint values are taken over where both chains are built alike;
/// else they are found as Bhatti et al. (2013) do, with the right-hand inverse J^T (J J^T)^-1 (their eq. 6 prints the
/// left-hand one, which has rank 3 of n), damped where it is singular, and from further starts where that ends
/// unmet: the least error, told by the report.
///
/// solver   made for the skeleton of to_q, with room for one goal
/// to_q     the pose of that body: start in, answer out; only joints of to_limb change
///
/// INVALID_ARGUMENT as sinew_solver_solve; then to_q is untouched.
SINEW_API sinew_Status sinew_limb_match(const sinew_Skeleton *from,
    const sinew_SwitchLimb *from_limb, const double *from_q, sinew_Solver *solver,
    const sinew_SwitchLimb *to_limb, double *to_q, sinew_MatchReport *out_report,
    sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
