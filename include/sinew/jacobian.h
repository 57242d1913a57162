#ifndef SINEW_JACOBIAN_H
#define SINEW_JACOBIAN_H

/// \file
/// Derivatives of an effector by the degrees of freedom, for users who build their own solvers.

#include "goal.h"
#include "pose.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Rows that a goal contributes to a solve: 0..6.
SINEW_API int sinew_goal_row_count(const sinew_Goal *goal);

/// Whether a goal is a position, orientation or pose in the world, with all axes and no constraint:
/// the goals that the functions below are for. Rows of other goals are made of these and of
/// sinew_jacobian_center_of_mass; here they are zero.
SINEW_API bool sinew_goal_is_plain(const sinew_Goal *goal);

/// Goal minus current in world axes: position difference, metres, then the rotation vector
/// log(R_goal R_current^T), radians. out_error has sinew_goal_row_count numbers, unweighted.
SINEW_API void sinew_goal_error(
    const sinew_Goal *goal, const sinew_Transform *world_from_joint, double *out_error);

/// Analytic Jacobian of one goal's effector.
///
/// world_from_joint  transforms of the pose; those of goal->joint and its ancestors are read
/// out_jacobian      rows x dof_count, row-major, caller's memory, world axes; metres per radian,
///                   metres per metre for a slide, radians per radian in the rotation rows; zero
///                   where a dof does not move the effector
///
/// Columns are in the order of the skeleton's dofs: root first, then outward. A rotation about the
/// unit world axis a through P has the column (a x (p_e - P); a), a slide (a; 0). An axis of a
/// joint with several is taken as the axes before it have turned it, so the columns are right at
/// any angle. The three dofs of a ball turn about the axes of the frame the ball turns in
/// (the parent's frame turned by the rest rotation and the axes before the ball).
/// Never allocates. O(depth).
/// Source: Meredith and Maddock (2004), eq. 1.12-1.14; eq. 1.4 prints the transpose, and its axes
/// (columns of the finished frame) hold at zero angles only.
SINEW_API void sinew_jacobian(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Transform *world_from_joint, const sinew_Goal *goal, double *out_jacobian);

/// Analytic Jacobian of the centre of mass (sinew_pose_center_of_mass): 3 x dof_count, row-major, world
/// axes. A rotation about the unit world axis a through P has the column (M_sub / M) a x (c_sub - P), a
/// slide (M_sub / M) a: M_sub and c_sub are mass and centre of everything that the dof moves.
///
/// scratch  4 joint_count numbers
/// Never allocates. O(joints + dofs).
/// Source: Hoang (2014), section 5, names J_c; the columns are ours.
SINEW_API void sinew_jacobian_center_of_mass(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Transform *world_from_joint, double *scratch, double *out_jacobian);

typedef enum sinew_Difference {
    SINEW_DIFFERENCE_FORWARD, ///< error about step/2
    SINEW_DIFFERENCE_CENTRAL, ///< error about step^2/6
} sinew_Difference;

/// The same by finite differences; the test of the analytic one. step in radians or metres.
///
/// scratch_q has coordinate_count numbers, scratch_transforms joint_count. O(dofs x depth).
/// Source: Bhatti et al. (2013), eq. 5 (forward); the central form is ours.
SINEW_API void sinew_jacobian_numeric(const sinew_Skeleton *skeleton, const double *q,
    const sinew_Goal *goal, sinew_Difference difference, double step, double *scratch_q,
    sinew_Transform *scratch_transforms, double *out_jacobian);

#ifdef __cplusplus
}
#endif

#endif
