#ifndef SNW_STANCE_H
#define SNW_STANCE_H

// A stance under construction: where bones point, how each joint is turned when the body stands.

#include "body/human.h"
#include "body/stance_look.h"

/// A body that is made to stand. All arrays have joint_count entries.
typedef struct snw_StanceBody {
    const sinew_Skeleton *skeleton;
    const sinew_Joint *joints;
    int count;
    const sinew_RoleGuess *guess;
    const sinew_JointRole *roles; ///< guessed, or said
    bool is_person;
    snw_StanceLook seen;
    sinew_StanceSource source;
    sinew_Vec3 up, left, forward;
    int hips;             ///< -1 without any
    bool has_clavicle[2]; ///< left, right
    sinew_Transform
        *look;           ///< world transforms of the reference pose, turned to up, left and forward
    int *next;           ///< the joint at the far end of the bone, -1
    sinew_Vec3 *bone;    ///< unit direction of the bone in the world of look; 0 when unknown
    sinew_Quat *neutral; ///< world_from_joint when the body stands
    double askew[4]; ///< how askew elbows left and right, knees left and right bent before, radians

    // scratch
    sinew_Quat *turn; ///< what takes look to neutral, before twists
    double *q;
    sinew_Allocator allocator;
    void *block;
    size_t size;
} snw_StanceBody;

/// A direction of the body for a joint of that side.
sinew_Vec3 snw_body_way(const snw_StanceBody *body, snw_BodyWay way, sinew_Side side);

/// The joint of a role and side, -1.
int snw_body_find(const snw_StanceBody *body, sinew_Role role, sinew_Side side, int number);

/// Look at a body and make it stand. guess is of the skeleton, roles are its joints' or what a person made
/// of them; both must outlive the body, motion may be NULL. OUT_OF_MEMORY leaves nothing to give back.
sinew_Status snw_stance_body_create(const sinew_Skeleton *skeleton, const sinew_RoleGuess *guess,
    const sinew_JointRole *roles, const sinew_PoseList *motion, const sinew_Allocator *allocator,
    snw_StanceBody *out_body);
void snw_stance_body_destroy(snw_StanceBody *body);

/// Fill next, bone and neutral (stance_pose.c).
void snw_body_neutral(snw_StanceBody *body);

/// How far the middle joint of a limb bends askew: the turn of its upper part about itself that makes it bend
/// as people do, radians; 0 when no bend is clear. middle: SINEW_ROLE_FOREARM or SINEW_ROLE_SHIN.
double snw_body_bend_askew(const snw_StanceBody *body, sinew_Role middle, sinew_Side side);
/// Turn upper and lower part of a limb about themselves, all but hand and foot.
void snw_body_twist_limb(snw_StanceBody *body, sinew_Role middle, sinew_Side side, double angle);

/// Where the end of the body's foot is that tells the direction of toes, -1.
int snw_body_ball(const snw_StanceBody *body, sinew_Side side);

/// The stance of a guess, and the body that it was made of; lives as long as the stance.
const snw_StanceBody *snw_stance_body(const sinew_Stance *stance);

#endif
