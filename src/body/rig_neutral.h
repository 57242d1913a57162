#ifndef SNW_RIG_NEUTRAL_H
#define SNW_RIG_NEUTRAL_H

// The anatomical neutral pose of a body in whatever rest pose: standing, arms hanging, palms in.

#include "body/human.h"
#include "body/rig.h"

/// A body whose rig is being guessed. All arrays have joint_count entries.
typedef struct snw_RigBody {
    const sinew_Skeleton *skeleton;
    const sinew_Joint *joints;
    int count;
    const sinew_RoleGuess *guess;
    sinew_JointRole *roles; ///< guessed, or said
    sinew_Vec3 up, left, forward;
    bool has_clavicle[2];  ///< left, right
    sinew_Transform *look; ///< world transforms of the pose in which up, left and forward hold
    int *next;             ///< the joint at the far end of the bone, -1
    sinew_Vec3 *bone;      ///< unit direction of the bone in the world of look; 0 when unknown
    sinew_Quat *neutral;   ///< world_from_joint in the neutral pose

    // scratch
    sinew_Quat *turn;        ///< what takes look to neutral, before twists
    sinew_Transform *moving; ///< of a frame of the motion
} snw_RigBody;

/// A direction of the body for a joint of that side.
sinew_Vec3 snw_body_way(const snw_RigBody *body, snw_BodyWay way, sinew_Side side);

/// The joint of a role and side, -1.
int snw_body_find(const snw_RigBody *body, sinew_Role role, sinew_Side side, int number);

/// Fill next, bone and neutral. motion may be NULL.
void snw_body_neutral(snw_RigBody *body, const sinew_PoseList *motion);

/// Hold the slides of a joint that does not carry the body to what the motion shows of them, after all
/// other ranges were set (rig_slides.c). Without a motion they stay at rest.
void snw_rig_hold_slides(
    const snw_RigBody *body, const sinew_RigOptions *options, int joint, sinew_RigJoint *out);

/// Masses of the segments, and the points that goals are set for (rig_mass.c).
sinew_Status snw_rig_guess_masses(
    const snw_RigBody *body, const sinew_RigOptions *options, sinew_Rig *rig);
sinew_Status snw_rig_guess_effectors(const snw_RigBody *body, sinew_Rig *rig);

#endif
