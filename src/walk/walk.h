#ifndef SNW_WALK_H
#define SNW_WALK_H

// What the layers of the walker tell each other.
//
//     steering -> way of walking: root, feet, hips -> target -> pose (walker_pose.c): legs by
//     the solver, trunk, arms and head by their ornaments -> q
//
// A way of walking (two feet, tips, paper) is a state without pointers, a tick that runs it on and a target
// read from it; walker_state.h chooses. So a state can be copied, run on by a part of a tick and thrown away.
//
// Walker's frames: +Z forward, +Y up, +X left. A segment's frame is the identity when the body stands
// upright on level ground with straight legs, feet pointing ahead, arms hanging, heading +Z. So
// world_from_joint = world_from_segment * neutral[joint], whatever the skeleton's own frames are.

#include "sinew/walker.h"
#include "walk/gait.h"
#include "walk/joint_set.h"
#include "walk/leg_gait.h"
#include "walk/leg_reach.h"

static const sinew_Vec3 snw_left_axis = { 1.0, 0.0, 0.0 };
static const sinew_Vec3 snw_up_axis = { 0.0, 1.0, 0.0 };
static const sinew_Vec3 snw_ahead_axis = { 0.0, 0.0, 1.0 };

/// Where a rotation takes them: the bits of sinew_quat_rotate, without the products by zero.
static inline sinew_Vec3 snw_left_of(sinew_Quat q)
{
    const double y2 = 2.0 * q.y, z2 = 2.0 * q.z;
    return sinew_vec3(1.0 - (q.y * y2 + q.z * z2), q.w * z2 + q.x * y2, q.x * z2 - q.w * y2);
}
static inline sinew_Vec3 snw_up_of(sinew_Quat q)
{
    const double x2 = 2.0 * q.x, z2 = 2.0 * q.z;
    return sinew_vec3(q.y * x2 - q.w * z2, 1.0 - (q.z * z2 + q.x * x2), q.w * x2 + q.y * z2);
}
static inline sinew_Vec3 snw_ahead_of(sinew_Quat q)
{
    const double x2 = 2.0 * q.x, y2 = 2.0 * q.y;
    return sinew_vec3(q.w * y2 + q.z * x2, q.z * y2 - q.w * x2, 1.0 - (q.x * x2 + q.y * y2));
}

#define SNW_WALK_TICK (1.0 / 120.0) // seconds

/// One leg's sizes, metres. Foot frame: origin at the ankle.
typedef struct snw_WalkLegBody {
    sinew_LegDef def;
    const struct snw_GaitNumbers *gait; ///< how it walks; style natural
    sinew_Vec3 hip; ///< hip joint in the hips frame (origin: middle between the hip joints)
    double thigh, shank;
    double length;                   ///< from hip joint to sole, leg straight
    double ankle_height;             ///< of the ankle above the sole
    double heel, ball, tip;          ///< along +Z from the point below the ankle; heel < 0
    double heel_width, ball_width;   ///< half of the sole's width there
    double toe_height;               ///< of the joint of the toes above the sole
    sinew_Vec3 toe_joint;            ///< foot frame; bend turns about +X there
    double toe_lower, toe_upper;     ///< bend that the joint allows, radians, up positive
    double ankle_lower, ankle_upper; ///< pitch of the foot against the shank, up positive, radians
    double ankle_middle[2],
        ankle_half[2]; ///< of that range, the middle and half its width: sine and cosine
    double roll_lower, roll_upper; ///< about +Z: left edge up positive, radians
    double hip_back;               ///< how far the thigh goes behind the pelvis, radians > 0
    double hip_back_s, hip_back_c; ///< its sine and cosine
    double twist;                  ///< most that its foot is turned against the body, radians
    double across;                 ///< how far hips may be past it on its outer side, metres
    double knee_upper;             ///< greatest flexion, radians
    double folded; ///< least way from hip to ankle that a stiff knee lets it have, metres; 0: any
    sinew_Sole sole;
    /// Of a tip: where it stands at rest, hips frame; what it reaches from there; the leg on the other
    /// side of the body, -1.
    sinew_Vec3 tip_rest;
    bool is_placed;      ///< the caller said where
    double rest_stretch; ///< from the first joint to there, metres
    /// The joints of its hip turn about one point, and those of its ankle about the ankle: closed forms are right.
    bool is_exact;
    snw_LegReach reach;
    snw_LegBend bend;
    int mate;
    /// Joints as entries of snw_WalkBody.joints; toe -1 when there is none.
    int hip_entry, knee_entry, ankle_entry, toe_entry;
} snw_WalkLegBody;

/// What turns a joint.
typedef enum snw_LegPart {
    SNW_PART_STILL, ///< keeps its rest coordinates
    SNW_PART_ROOT,  ///< goes with the hips
    SNW_PART_TRUNK, ///< a share of the way from hips to chest
    SNW_PART_NECK,  ///< a share of the way from chest to head
    SNW_PART_CLAVICLE,
    SNW_PART_ARM_UPPER,
    SNW_PART_ARM_LOWER,
    SNW_PART_ARM_HAND,
    SNW_PART_LEG_UPPER,
    SNW_PART_LEG_LOWER,
    SNW_PART_LEG_FOOT,
    SNW_PART_LEG_TOE,
} snw_LegPart;

/// One joint that the pose stage looks at, or several that turn as one (the hip of a robot); parents before
/// children.
typedef struct snw_WalkJoint {
    int first, joint; ///< of several: the uppermost, and the last, whose rotation it is
    int parent;       ///< entry of the list, -1
    snw_LegPart part;
    int limb;           ///< leg, or 0 left and 1 right arm
    bool is_end;        ///< no entry is below it, and it is no part of a leg
    bool bears_leg;     ///< it is part of a leg, or one is below it: where it is matters
    double share;       ///< of trunk and neck
    sinew_Quat neutral; ///< world_from_joint of the neutral pose
    sinew_Vec3
        offset; ///< from the parent's origin, its frame; of several: of the point they turn about
    snw_JointSet set;
} snw_WalkJoint;

/// How near the root of a body may come to what cannot be walked, as if its legs had SNW_USUAL_LEG.
typedef struct snw_Girth {
    double length;               ///< that they really have, metres
    double climb;                ///< what limits are multiplied by
    double ahead, behind, aside; ///< it keeps off
    double pass_by;              ///< what its way leads past by more than this is not on it
    double near;                 ///< is looked at around it at any speed
} snw_Girth;

typedef struct snw_WalkBody {
    const sinew_Skeleton *skeleton;
    int leg_count;
    snw_WalkLegBody legs[SINEW_MAX_LEGS];
    double length;    ///< mean of the legs' lengths: L
    double hip_width; ///< half the distance of the hip joints of a pair
    double
        hang; ///< upper arms at least so far off the vertical, or hands would go through thighs, radians
    snw_Girth girth;
    snw_WalkJoint *joints;
    int joint_count;
    int carrier;               ///< entry that goes with the hips: the root, or free hips below it
    sinew_Transform root_rest; ///< of a root above free hips, walker's frame
    sinew_Vec3 hips_from_root; ///< origin of the hips frame from the carrier's, walker's frame
    sinew_Vec3 chest;          ///< in the hips frame, neutral pose
    /// Bodies whose legs are all tips (walker_legs.h): as the rest pose has them.
    bool on_tips;
    snw_LegGait leg_gait;
    double ride_height; ///< of the hips frame over the tips
    double crouch;      ///< how much lower that is than in the rest pose
    double most_rise;   ///< by which it may ride higher over steps
    double most_stoop;  ///< by which it rides lower when it is asked to
    double sprawl;      ///< 0: legs stand below their first joints; 1: far out, as a spider's
    sinew_Quat walker_from_skeleton;
} snw_WalkBody;

/// Measure a skeleton. joints has room for all joints of it. Scratch memory is given back.
sinew_Status snw_walk_body_measure(const sinew_WalkerDef *def, const sinew_Stance *stance,
    snw_WalkBody *out_body, sinew_Message *out_message);

/// What follows from where the tips of a body stand (tip_rest, ride_height): footholds, sprawl, mates.
void snw_walk_body_stand(snw_WalkBody *body);

/// leg_shape.c: the legs that a body stands on in its rest pose, told by shape: chains of joints that
/// end on one floor, in pairs left and right from the front. world holds all joints, walker's frame; floor: tips so
/// near to the lowest stand on it, share of the body's height.
/// Returns how many there are, 0 where there are less than four.
int snw_legs_by_shape(const sinew_Skeleton *skeleton, const sinew_Transform *world, double floor,
    sinew_LegDef out_legs[SINEW_MAX_LEGS]);

/// What the caller chose.
typedef struct snw_WalkSetup {
    sinew_WalkStyle style;
    sinew_WalkRows rows;
    sinew_WalkOrnaments ornaments;
    sinew_PaperWalk paper;       ///< of the style paper
    sinew_WalkResponse response; // of the style natural, as what follows
    sinew_WalkLimits limits;
    sinew_Manner manner;
} snw_WalkSetup;

/// Where a foot should be.
typedef struct snw_WalkFootTarget {
    sinew_Transform foot; ///< world_from_foot
    double toe_bend;
    double knee_yaw;      ///< heading that the knee points to
    double freedom;       ///< 0: the foot's turn is exact; 1: it may give way to the knee
    sinew_WalkerLeg told; ///< phase, planted, heel, ball, toe, foothold ...; goals are filled later
    bool is_leading;      ///< full rows in the hybrid mode
    double lift;          ///< of a heel over its toes, radians
    double heel_free;     ///< by which half rows may lift it more or less about the toes, radians
} snw_WalkFootTarget;

/// What the pose should be.
typedef struct snw_WalkTarget {
    sinew_Transform hips; ///< world_from_hips, origin in the middle between the hip joints
    sinew_Quat chest;     ///< world_from_chest
    sinew_Quat head;      ///< world_from_head
    /// World rotations of arms, left and right; clavicles where they are moved, else they stay at rest.
    sinew_Quat upper_arm[2], forearm[2], hand[2], clavicle[2];
    bool moves_clavicles;
    double heading;
    sinew_Vec3 root; ///< on the ground below
    snw_WalkFootTarget feet[SINEW_MAX_LEGS];
} snw_WalkTarget;

/// Hang the arms on the chest, a little out: swing forward and flexion of the elbows, left and right, radians.
void snw_hang_arms(const double swing[2], const double elbow[2], snw_WalkTarget *target);

/// Walk by other numbers, which must outlive the walker; for fitting. walker_set.c.
void snw_walker_use_gait(sinew_Walker *walker, const struct snw_GaitNumbers *numbers);

#endif
