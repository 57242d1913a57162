#ifndef SNW_WALK_POSER_H
#define SNW_WALK_POSER_H

// What poses a walker's body from frame to frame.

#include "walk/walk.h"

/// What the pose stage keeps; memory belongs to the walker, or to those of one body together (walk_share.h).
typedef struct snw_WalkPoser {
    const snw_WalkBody *body;
    sinew_Solver *const *solvers; ///< one for each leg, so that each keeps its plan
    bool *is_held;                ///< by leg: its thigh has a temporary limit
    sinew_SolveOptions options;
    sinew_Transform *world; ///< of the body's list of joints             (joint_count)
    sinew_Transform *all;   ///< of all joints of the skeleton
    double *q;              ///< the last pose, where the next goes on from
    double frame_time;      ///< since the last pose, seconds
    const double *rest;     ///< the rest pose, where legs on tips start from
    sinew_Clock clock;
    void *clock_user;

    // half rows: walk_half.c
    double trailing_weight;
    double *mobility; ///< scratch                                        (axis_count)
    double extra_lift[SINEW_MAX_LEGS]; ///< of a trailing heel above what was planned, radians
    bool strides[SINEW_MAX_LEGS];      ///< was in the air in the last frame
    bool *is_weighted, *has_weights;   ///< by leg
    long fix_count;                    ///< heels put back onto the ground so far

    sinew_Goal *goals; ///< one a leg
    int goal_count, solve_count;
    double time;
} snw_WalkPoser;

/// Solve a leg for another goal from where its last solve came to. The report, of that one, becomes that
/// of both.
sinew_Status snw_walk_solve_again(snw_WalkPoser *poser, int limb, const sinew_Goal *goal,
    sinew_Report *report, sinew_Message *out_message);

#endif
