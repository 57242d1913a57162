#ifndef SNW_WALK_POSER_H
#define SNW_WALK_POSER_H

// What poses a walker's body from frame to frame.

#include "solve/follow.h"
#include "walk/walk.h"

/// What a leg's solver was told for half rows: walk_half.c.
typedef struct snw_HalfSolver {
    bool is_held;           ///< mobilities and ranges about the heading are set
    bool has_hinges;        ///< it is known which hinges of hip, knee and ankle turn the leg how
    int twist, pitch, roll; ///< thigh about itself, ankle; -1: none
    bool pitches_up;        ///< toes down are positive
    snw_Follow
        follows[SNW_MOST_FOLLOWS]; ///< hinges whose range is about the heading, for the solver
    int follow_count;
    int heel;      ///< which of them lifts the heel
    sinew_Vec3 up; ///< of a free foot whose heel is as low as it may be
    double down;   ///< by which that is lower than planned, radians
    double extra;  ///< of the heel above what is planned, that the first one was told for
} snw_HalfSolver;

/// Coordinates of hip, knee and ankle of a leg, as many of each as its joint has.
typedef struct snw_LegCoordinates {
    double values[3][4];
} snw_LegCoordinates;

/// What half rows know of a leg from frame to frame.
typedef struct snw_HalfLeg {
    bool is_known;           ///< last is of the frame before
    snw_LegCoordinates last; ///< of the last pose but one
    double time;             ///< from there to the last one, seconds
    int kept_side;           ///< the end of its range that the heel was kept on; snw_Follow
    bool is_free;            ///< its heel was free in the last frame
    double extra;            ///< of the heel above what was planned, radians; negative: below
    double extra_step;       ///< what that changed by, while it is free
} snw_HalfLeg;

/// What the pose stage keeps; memory belongs to the walker, or to those of one body together (walk_share.h).
typedef struct snw_WalkPoser {
    const snw_WalkBody *body;
    sinew_Solver *const *solvers; ///< one for each leg, so that each keeps its plan
    snw_HalfSolver *told;         ///< by leg
    sinew_SolveOptions options;
    sinew_Transform *world; ///< of the body's list of joints             (joint_count)
    sinew_Transform *all;   ///< of all joints of the skeleton
    double *q;              ///< the last pose, where the next goes on from
    bool is_first;          ///< it was just put down: q is no pose that it stood in
    double frame_time;      ///< since the last pose, seconds
    double *rest;           ///< the pose that legs on tips start from: rest, or as they stand
    sinew_Clock clock;
    void *clock_user;

    // half rows: walk_half.c
    double trailing_weight;
    double *mobility; ///< scratch                                        (axis_count)
    snw_HalfLeg half[SINEW_MAX_LEGS];

    sinew_Goal *goals; ///< one a leg
    int goal_count, solve_count;
    double time;
} snw_WalkPoser;

/// Keep the coordinates of a leg, and put them back.
void snw_walk_read_leg(
    const snw_WalkPoser *poser, const snw_WalkLegBody *leg, snw_LegCoordinates *out_leg);
void snw_walk_write_leg(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, const snw_LegCoordinates *values);
/// Solve a leg for another goal from where its last solve came to. The report, of that one, becomes that
/// of both.
sinew_Status snw_walk_solve_on(snw_WalkPoser *poser, int limb, const sinew_Goal *goal,
    sinew_Report *report, sinew_Message *out_message);

#endif
