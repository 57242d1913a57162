#ifndef SINEW_SWIVEL_H
#define SINEW_SWIVEL_H

/// \file
/// Two things that a joint with three free rotations can do exactly: turn a whole limb about the line
/// from its root to its tip (the knee ring), and give the tip its orientation when another joint has
/// brought it to its place (the penultimate joint).
/// Source: Meredith and Maddock (2004), figure 1.3 and the section on half over full.

#include "solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Whether a joint can take any rotation: a ball (with hinges before it or not), or three hinges of
/// which each stands across the next. Ranges are not looked at.
SINEW_API bool sinew_joint_turns_freely(const sinew_Skeleton *skeleton, int joint);

/// Turn a joint so that its world rotation is world_from_joint (unit), its ancestors being as q has
/// them. Of the two ways that three hinges have, the one inside the ranges is taken, and of two such
/// the nearer to q; full turns are chosen likewise. out_violation, which may be NULL, receives how
/// far the way taken leaves the ranges (or a ball's limit), radians; nothing is cropped.
/// UNSUPPORTED when the joint does not turn freely, INVALID_ARGUMENT for a joint that is not there
/// or a rotation that is not unit; then q is untouched.
SINEW_API sinew_Status sinew_joint_set_rotation(const sinew_Skeleton *skeleton, int joint,
    sinew_Quat world_from_joint, double *q, double *out_violation, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// The knee ring

/// Where a middle joint can be while the root and the tip of its limb stay in place: knee, hip and
/// heel; elbow, shoulder and hand.
typedef struct sinew_Ring {
    sinew_Vec3 center; ///< on the line from root to tip, world, metres
    sinew_Vec3 axis;   ///< unit, from root to tip
    double radius;     ///< 0 for a stretched limb
    /// Unit, across axis: from the center to where the middle joint is in the pose that the ring was
    /// made from, swivel 0. Any direction across axis when the radius is 0.
    sinew_Vec3 zero;
    /// The joints it was made from, and the tip's point in tip's frame.
    int root, middle, tip;
    sinew_Vec3 tip_from_joint;
    /// World rotation of the root in that pose.
    sinew_Quat root_rotation;
} sinew_Ring;

/// The ring of a pose. root is an ancestor of middle, middle of tip (or tip itself). tip_point is in
/// tip's frame. INVALID_ARGUMENT when they are not in this order, or when root and tip are in one
/// place, which leaves the axis open; UNSUPPORTED when root does not turn freely.
SINEW_API sinew_Status sinew_ring_find(const sinew_Skeleton *skeleton, const double *q, int root,
    int middle, int tip, sinew_Vec3 tip_point, sinew_Ring *out_ring, sinew_Message *out_message);

/// The point of the ring at a swivel angle, radians, positive about axis.
SINEW_EXPERIMENTAL sinew_Vec3 sinew_ring_point(const sinew_Ring *ring, double swivel);

/// Pose the limb at a swivel angle: the root joint is turned, all joints below keep their
/// coordinates, so the tip's point stays and its frame turns along. q is the pose that the ring was
/// made from, or another one of the same limb and place; out_violation as in
/// sinew_joint_set_rotation. INVALID_ARGUMENT also for what is no ring of sinew_ring_find.
SINEW_API sinew_Status sinew_ring_pose(const sinew_Skeleton *skeleton, const sinew_Ring *ring,
    double swivel, double *q, double *out_violation, sinew_Message *out_message);

// ---------------------------------------------------------------------------------------------
// The penultimate joint

/// Reach a SINEW_GOAL_POSE goal by positions alone: the last joint that turns before the effector,
/// the wrist, is brought to where it has to be (three rows: the half Jacobian) and then turned
/// exactly. Cheaper than a full solve, and the orientation is exact.
///
/// options are those of the position part; its tolerance is the goal's, as the effector is rigid from
/// the wrist on. Where the wrist's ranges or limit forbid the exact turn, and limits are on, it takes
/// the nearest turn inside instead and a full solve of the goal goes on from there; out_exact, which
/// may be NULL, tells (true: the turn was exact). The report is that of the answer: iterations and
/// evaluations of all parts, errors of the pose goal.
///
/// UNSUPPORTED when the wrist does not turn freely, has slides or locked axes, or starts the goal's
/// chain; INVALID_ARGUMENT as sinew_solver_solve and for goals of other kinds. Then q is untouched.
SINEW_EXPERIMENTAL sinew_Status sinew_solver_solve_penultimate(sinew_Solver *solver,
    const sinew_SolveOptions *options, const sinew_Goal *goal, double *q, sinew_Report *out_report,
    bool *out_exact, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
