#ifndef SINEW_POSE_H
#define SINEW_POSE_H

/// \file
/// A pose is one plain array of sinew_skeleton_coordinate_count numbers, called q; forward
/// kinematics turns it into world transforms. Nothing here allocates; all of it may run in any
/// number of threads on one skeleton.

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Poses behind each other in memory, such as the frames of a clip.
typedef struct sinew_PoseList {
    const double *q; ///< (count x coordinate_count)
    int count;
} sinew_PoseList;

/// The rest values: each axis at its rest, balls at the identity, or at what their limit allows that is
/// nearest to it. Inside all limits.
SINEW_API void sinew_pose_rest(const sinew_Skeleton *skeleton, double *out_q);

/// The middle of each range and of each ball's limit; the rest value where there is none.
SINEW_API void sinew_pose_middle(const sinew_Skeleton *skeleton, double *out_q);

/// Check a pose: every number finite, every ball's quaternion of length 1 within 1e-3.
/// INVALID_ARGUMENT with the coordinate's name otherwise. Limits are not looked at.
SINEW_API sinew_Status sinew_pose_check(
    const sinew_Skeleton *skeleton, const double *q, sinew_Message *out_message);

/// The largest amount by which an axis is outside its limit, radians or metres, 0 inside; infinity for
/// numbers that are not finite.
SINEW_API double sinew_pose_limit_violation(const sinew_Skeleton *skeleton, const double *q);

/// The same, and the axis that it is of; -1 where all are inside.
SINEW_API double sinew_pose_worst_limit(
    const sinew_Skeleton *skeleton, const double *q, int *out_axis);

/// Crop every coordinate to its range, make the quaternions of balls unit again and bring those that
/// are outside their limits to the nearest allowed pose.
SINEW_API void sinew_pose_apply_limits(const sinew_Skeleton *skeleton, double *q);

/// World transforms of all joints, joint_count of them, parents first. O(joints).
/// Source: Meredith and Maddock (2004), eq. 1.1; Bhatti et al. (2013), eq. 1.
SINEW_API void sinew_pose_forward(
    const sinew_Skeleton *skeleton, const double *q, sinew_Transform *out_world_from_joint);

/// World transforms of one joint and its ancestors alone; other entries of the array (joint_count
/// long) are left as they are. O(depth).
SINEW_API void sinew_pose_forward_chain(const sinew_Skeleton *skeleton, const double *q, int joint,
    sinew_Transform *out_world_from_joint);

/// parent_from_joint of one joint in a pose.
SINEW_API sinew_Transform sinew_pose_local(
    const sinew_Skeleton *skeleton, const double *q, int joint);

/// parent_from_joint of all joints in a pose, joint_count of them.
SINEW_API void sinew_pose_to_local(
    const sinew_Skeleton *skeleton, const double *q, sinew_Transform *out_parent_from_joint);

/// How far a pose is from the transforms that it was made of.
typedef struct sinew_PoseFit {
    /// The largest rotation, radians, and way, metres, that a joint could not take, and which joint's
    /// that is; -1 where nothing is left.
    double rotation, position;
    int rotation_joint, position_joint;
} sinew_PoseFit;

/// The pose of an animated character: the coordinates that give these transforms, parent_from_joint,
/// joint_count of them (rotations are made unit).
///
/// A joint that cannot take a rotation or a way, as a hinge or a joint without slides, gets the nearest
/// that its axes can give, and *out_fit (may be NULL) tells what is left. Where several values give the
/// same, those nearest to near_q are taken (NULL: the rest pose); hinges in front of a ball stay there. Limits are not looked at
/// (sinew_pose_apply_limits). out_q may be near_q. INVALID_ARGUMENT for a NULL pointer and numbers that
/// are not finite; then *out_q is undefined. O(joints).
SINEW_API sinew_Status sinew_pose_from_local(const sinew_Skeleton *skeleton,
    const sinew_Transform *parent_from_joint, const double *near_q, double *out_q,
    sinew_PoseFit *out_fit, sinew_Message *out_message);

/// The same from world transforms. What a joint could not take is made up for by those below it, so
/// that each is as near to its own world rotation as it can be. out_world_from_joint: what the pose
/// gives, joint_count transforms, as sinew_pose_forward; may be world_from_joint itself.
SINEW_API sinew_Status sinew_pose_from_world(const sinew_Skeleton *skeleton,
    const sinew_Transform *world_from_joint, const double *near_q, double *out_q,
    sinew_Transform *out_world_from_joint, sinew_PoseFit *out_fit, sinew_Message *out_message);

/// The order in which a joint's three hinges turn it, where each is along an axis of the frame; its three coordinates from
/// the first hinge on are then Euler angles of that order (negated where *out_negated says so, bit by
/// bit from the first; may be NULL). false: the joint turns otherwise.
SINEW_API bool sinew_joint_euler_order(
    const sinew_Skeleton *skeleton, int joint, sinew_EulerOrder *out_order, unsigned *out_negated);

/// Move a pose by a step, dof_count numbers (metres, radians, rotation vectors of balls):
/// out_q = q (+) step. A ball takes exp(step) q, made unit again. out_q may be q.
SINEW_API void sinew_pose_integrate(
    const sinew_Skeleton *skeleton, const double *q, const double *step, double *out_q);

/// The step that leads from one pose to another: to = from (+) out_step. Rotation vectors of
/// balls have length at most pi.
SINEW_API void sinew_pose_difference(
    const sinew_Skeleton *skeleton, const double *from, const double *to, double *out_step);

/// The pose a fraction t of the way from a to b; balls by slerp. out_q may be a or b.
SINEW_API void sinew_pose_interpolate(
    const sinew_Skeleton *skeleton, const double *a, const double *b, double t, double *out_q);

/// Copy the local poses of one skeleton to another of the same structure (the same axes in the same
/// order; offsets and limits may differ). INVALID_ARGUMENT when the structures differ.
SINEW_API sinew_Status sinew_pose_copy(
    const sinew_Skeleton *from, const double *from_q, const sinew_Skeleton *to, double *out_q);

/// Centre of mass in the world. A skeleton without any mass is taken to be made of its bones: each
/// has a mass in proportion to its length (slides at rest) and its centre in the middle.
/// Source: Hoang (2014), section 5.
SINEW_API sinew_Vec3 sinew_pose_center_of_mass(
    const sinew_Skeleton *skeleton, const sinew_Transform *world_from_joint);

#ifdef __cplusplus
}
#endif

#endif
