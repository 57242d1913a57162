#ifndef SNW_RETARGET_LIMITS_H
#define SNW_RETARGET_LIMITS_H

// Poses inside the target's limits, with feet where they should be: cropped first, and where that moved
// what is held, the solver brings it back.

#include "motion/retarget.h"
#include "sinew/solver.h"

/// Where a foot should be.
typedef struct snw_Held {
    int joint, chain_root;
    sinew_Vec3 point[2]; ///< ball and heel, in the joint's frame
    sinew_Vec3 place[2]; ///< and in the world
    sinew_Quat rotation;
    sinew_Vec3 up; ///< unit
    bool stands;   ///< a miss is told
} snw_Held;

enum { SNW_MOST_HELD = SNW_SIDES };

typedef struct snw_RetargetLimits {
    sinew_Solver *solver; ///< NULL: the target has no limits, or they are not kept
    sinew_SolveOptions options;
    double *cropped;        ///< the pose before the solve                       (coordinates)
    double *correction;     ///< the step from there to the answer, of the frame before (dofs)
    sinew_Transform *world; ///< of the target                   (joints)
    int count;
    double leg;
} snw_RetargetLimits;

/// What became of a pose.
typedef struct snw_LimitResult {
    bool solved;
    double held_error; ///< of what stands, metres
} snw_LimitResult;

/// A foot that should be at a place, of the target's own axes; after snw_retarget_leg.
snw_Held snw_hold_foot(const snw_RetargetCarry *carry, int side, sinew_Transform foot, bool stands);

/// world, cropped and correction: the caller's memory. OUT_OF_MEMORY.
sinew_Status snw_retarget_limits_open(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton,
    double leg, const sinew_Allocator *allocator, sinew_Message *out_message);
void snw_retarget_limits_close(snw_RetargetLimits *limits);
/// The next pose does not continue the last.
void snw_retarget_limits_reset(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton);

/// Bring a pose inside.
sinew_Status snw_retarget_limits_keep(snw_RetargetLimits *limits, const sinew_Skeleton *skeleton,
    const snw_Held *held, int held_count, double *q, snw_LimitResult *out_result,
    sinew_Message *out_message);

#endif
