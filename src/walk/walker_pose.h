#ifndef SNW_WALKER_POSE_H
#define SNW_WALKER_POSE_H

// From what a style wants (snw_WalkTarget) to coordinates: root, trunk, arms and head are turned, legs
// are solved.

#include "walk/walk.h"

/// What the pose stage keeps; memory belongs to the walker.
typedef struct snw_WalkPoser {
    const snw_WalkBody *body;
    sinew_Solver *solvers[SINEW_MAX_LEGS]; ///< one for each leg, so that each keeps its plan
    bool is_held[SINEW_MAX_LEGS];          ///< its thigh has a temporary limit
    sinew_SolveOptions options;
    sinew_Transform *world; ///< of the body's list of joints             (joint_count)
    sinew_Transform *all;   ///< of all joints of the skeleton
    double *q;              ///< the last pose, where the next goes on from
    double frame_time;      ///< since the last pose, seconds
    double *rest;           ///< the rest pose, where legs on tips start from
    sinew_Clock clock;
    void *clock_user;

    // half rows: walk_half.c
    double trailing_weight;
    double *mobility; ///< scratch                                        (axis_count)
    double extra_lift[SINEW_MAX_LEGS]; ///< of a trailing heel above what was planned, radians
    bool strides[SINEW_MAX_LEGS];      ///< was in the air in the last frame
    bool is_weighted[SINEW_MAX_LEGS], has_weights[SINEW_MAX_LEGS];
    long fix_count; ///< heels put back onto the ground so far

    sinew_Goal goals[SINEW_MAX_WALKER_GOALS];
    int goal_count, solve_count;
    double time;
} snw_WalkPoser;

/// Pose the body. Fills the parts of target->feet[].told that speak of goals.
sinew_Status snw_walk_pose(snw_WalkPoser *poser, const snw_WalkSetup *setup, snw_WalkTarget *target,
    sinew_Message *out_message);

/// Solve a leg for another goal from where its last solve came to. The report, of that one, becomes that
/// of both.
sinew_Status snw_walk_solve_again(snw_WalkPoser *poser, int limb, const sinew_Goal *goal,
    sinew_Report *report, sinew_Message *out_message);

/// walk_tips.c: measure what the legs of a body on tips reach, and how high it rides. q is scratch.
sinew_Status snw_tips_measure(snw_WalkPoser *poser, snw_WalkBody *body, sinew_Message *message);
/// Solve the leg of a tip from its last pose on, joints to spare as folded as the leg is.
sinew_Status snw_tip_solve(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Message *message);

/// Thigh and shank of a leg from hip to ankle, the knee towards a direction; world rotations of both
/// segments. An ankle out of reach is reached for with a straight leg.
void snw_leg_close(const snw_WalkLegBody *leg, sinew_Vec3 hip, sinew_Vec3 ankle,
    sinew_Vec3 knee_toward, sinew_Quat *out_thigh, sinew_Quat *out_shank);

/// Where a knee points: with its foot (freedom 0), to a heading (1), or between: the less with the foot, the
/// more it hangs in line with the leg, when it says little about the knee.
typedef struct snw_KneeWay {
    sinew_Vec3 heading; ///< level, unit
    double freedom;
} snw_KneeWay;

/// The direction for snw_leg_close; ahead: of the foot.
sinew_Vec3 snw_knee_toward(const snw_KneeWay *knee, sinew_Vec3 ahead);

/// The same of a target. An ankle that cannot turn about the shank holds the foot only when the knee's axis
/// stands across the foot; a moving foot may give way to the knee instead.
sinew_Vec3 snw_knee_pole(
    const snw_WalkBody *body, const snw_WalkLegBody *leg, const snw_WalkFootTarget *foot);

/// Angles of a leg, radians.
typedef struct snw_LegAngles {
    double hip;   ///< thigh behind the pelvis' own vertical
    double ankle; ///< pitch of the foot against the shank, toe up positive
    double roll;  ///< of the foot against the shank, left edge up positive
} snw_LegAngles;

/// knee NULL: the knee is in the plane of the foot.
snw_LegAngles snw_leg_angles(const snw_WalkLegBody *leg, const sinew_Transform *hips,
    sinew_Vec3 ankle, sinew_Quat world_from_foot, const snw_KneeWay *knee);

/// The ankle alone.
double snw_leg_dorsiflexion(
    const snw_WalkLegBody *leg, sinew_Vec3 hip, sinew_Vec3 ankle, sinew_Quat world_from_foot);

#endif
