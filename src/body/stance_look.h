#ifndef SNW_STANCE_LOOK_H
#define SNW_STANCE_LOOK_H

// What a body shows of how it stands: which of its poses is a figure, where up is, and on which side the
// feet, the knees and the elbows say that left is. Nothing here knows names; sides are those of the keys.

#include "sinew/pose.h"
#include "sinew/stance.h"

/// Joints that are looked at, each on both sides.
typedef enum snw_StanceKey {
    SNW_KEY_UPPERARM,
    SNW_KEY_FOREARM,
    SNW_KEY_HAND,
    SNW_KEY_THIGH,
    SNW_KEY_SHIN,
    SNW_KEY_FOOT,
    SNW_KEY_BALL, ///< toe joint, else whatever ends the foot
    SNW_KEY_COUNT,
} snw_StanceKey;

/// Joint of each key, left and right; -1 where there is none.
typedef struct snw_StanceKeys {
    int joint[2][SNW_KEY_COUNT];
} snw_StanceKeys;

/// One pose.
typedef struct snw_StanceFrame {
    int frame; ///< of the motion, -1: the rest pose
    sinew_Transform at[2][SNW_KEY_COUNT];
    double moved[2]; ///< how far ankle and ball move to the next frame, metres
} snw_StanceFrame;

typedef struct snw_StanceLook {
    snw_StanceKeys keys;
    double leg; ///< thigh and shank, metres; 0 without legs
    snw_StanceFrame rest;
    snw_StanceFrame *frames; ///< of the motion, evenly spread
    struct snw_StanceScratch *scratch;
    int frame_count;
    sinew_Vec3 rest_up, up; ///< in the rest pose, and in the motion; 0 without legs and arms
    double rest_cost,
        frame_cost; ///< how far from a figure: rest pose, best frame; 0 .. 14, or infinity
    int reference;  ///< -1 rest pose, else the frame; SNW_NO_REFERENCE
    sinew_StanceSign signs[SINEW_STANCE_WITNESS_COUNT];
    double sides; ///< above 0: left is where the keys say; its size, 0 .. 2.5, tells how clearly

    // memory
    sinew_Allocator allocator;
    size_t size;
} snw_StanceLook;

#define SNW_NO_REFERENCE (-2)
/// Witnesses as clear as this decide.
#define SNW_CLEAR_SIDES 0.5

/// Look at the rest pose and at a motion (NULL: none); out_look must have its keys set. False: no memory.
bool snw_stance_look(const sinew_Skeleton *skeleton, const sinew_PoseList *motion,
    const sinew_Allocator *allocator, snw_StanceLook *out_look);
void snw_stance_look_free(snw_StanceLook *look);

/// The axis about which a limb bends in the motion, else in the rest pose: median of upper bone x lower
/// bone over bends above 20 degrees, unit, in the axes of the upper joint and in those of the lower one.
/// first: SNW_KEY_UPPERARM or SNW_KEY_THIGH; side 0 left, 1 right. False where no bend is clear.
bool snw_stance_bend_axis(const snw_StanceLook *look, snw_StanceKey first, int side,
    sinew_Vec3 *out_upper, sinew_Vec3 *out_lower);

/// What is up, in the axes of a foot or of its ball, while the foot stands still in the motion: unit.
/// Returns how many frames show it; 0 where there are none.
int snw_stance_sole_up(const snw_StanceLook *look, int side, snw_StanceKey key, sinew_Vec3 *out_up);

/// An axis, or its opposite, whose cosine with a direction is least or more; else the direction.
sinew_Vec3 snw_nearest_axis(sinew_Vec3 v, double least);

/// Whether a motion to look at, NULL for none, has poses of finite numbers.
sinew_Status snw_stance_check_motion(
    const sinew_Skeleton *skeleton, const sinew_PoseList *motion, sinew_Message *message);

#endif
