#ifndef SINEW_SKELETON_H
#define SINEW_SKELETON_H

/// \file
/// The body: a tree of joints that never changes after creation and may be shared by threads.
///
/// A joint sits at a constant offset in its parent's frame, is turned by a constant rest rotation,
/// and then moves along or about its axes, in their order:
///
///     parent_from_joint = translate(offset) rotate(rest_rotation) axis[0] axis[1] ...
///
/// Three kinds of axis make every kind of joint: hinge, universal, Euler and prismatic joints, the
/// channels of a motion file, a free root; and the ball, all three rotations at once.
///
/// Two counts are kept apart. *Coordinates* are the numbers of a pose: one for a slide or hinge,
/// four (a quaternion x, y, z, w) for a ball. *Degrees of freedom* (dofs) are the directions a
/// joint can move in: one for a slide or hinge, three for a ball (rotation about x, y, z of the
/// frame that the ball turns). Steps, speeds and Jacobian columns live in dofs.

#include "limit.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Largest number of joints, and of axes of one joint.
#define SINEW_MAX_JOINTS 100000
#define SINEW_MAX_AXES_PER_JOINT 6

typedef enum sinew_AxisKind {
    SINEW_AXIS_SLIDE, ///< translation along a fixed direction, metres
    SINEW_AXIS_HINGE, ///< rotation about a fixed direction, radians
    SINEW_AXIS_BALL,  ///< free rotation, a unit quaternion
} sinew_AxisKind;

/// One way in which a joint can move. Start from sinew_axis_slide, _hinge or _ball.
typedef struct sinew_Axis {
    sinew_AxisKind kind;
    /// Unit direction in the joint's frame as turned by the axes before this one. Unused by a ball.
    sinew_Vec3 direction;
    /// Range, metres or radians, lower <= upper; -INFINITY and INFINITY mean unlimited. Unused by a
    /// ball.
    double lower, upper;
    /// Value of the rest pose, inside the range. A ball rests at the identity, or as near to it as its
    /// limit allows.
    double rest;
    /// How readily the axis takes part, >= 0; 1 is plain, 0 locks it. See sinew_SolveOptions.
    double mobility;
    /// Where a ball may stand; NULL: anywhere. Copied by sinew_skeleton_create. Unused by others.
    const sinew_BallLimit *limit;
} sinew_Axis;

/// A slide without ends that rests at 0; a hinge that rests at 0, or at the end of its range nearest to that; a ball that may
/// stand anywhere. All of mobility 1.
SINEW_API sinew_Axis sinew_axis_slide(sinew_Vec3 direction);
SINEW_API sinew_Axis sinew_axis_hinge(sinew_Vec3 direction, double lower, double upper);
SINEW_API sinew_Axis sinew_axis_ball(void);

/// How one joint is made. Start from sinew_joint_def_default().
typedef struct sinew_JointDef {
    /// Any text, copied; names need not differ, but only the first of equal names is found.
    const char *name;
    /// Index of the parent, -1 for a joint that hangs in the world. Depth-first order: the parent
    /// is the joint before this one or one of that joint's ancestors.
    int parent;
    /// Place of the joint in its parent's frame, metres, no farther than 1e9.
    sinew_Vec3 offset;
    /// Turn of the joint against its parent before any axis moves. Unit quaternion, within 1e-6.
    sinew_Quat rest_rotation;
    /// The ways it can move, in order, copied. At most one ball, which comes last.
    const sinew_Axis *axes;
    int axis_count;
    /// Mass of what is rigidly fixed to the joint, kilograms, 0..1e12, and its centre in the joint's
    /// frame. Default 0.
    double mass;
    sinew_Vec3 mass_center;
    /// Name of an object to show at the joint (a prop, a mesh of an engine), copied. sinew carries it and
    /// does not look at it. Default NULL: none.
    const char *object;
} sinew_JointDef;

/// A joint that hangs in the world, at its origin, and does not move; name is the caller's to say.
SINEW_API sinew_JointDef sinew_joint_def_default(void);

/// One joint of a finished skeleton; read only.
typedef struct sinew_Joint {
    const char *name;
    int parent;
    /// Number of joints in the subtree that starts here, this one counted; they follow each other.
    int subtree_count;
    sinew_Vec3 offset;
    sinew_Quat rest_rotation;
    double mass;
    sinew_Vec3 mass_center;
    const char *object; ///< as in sinew_JointDef; NULL: none
    /// Its part of the skeleton's lists of axes, coordinates and dofs.
    int axis_start, axis_count;
    int coordinate_start, coordinate_count;
    int dof_start, dof_count;
} sinew_Joint;

/// Where the numbers of one axis are.
typedef struct sinew_AxisPlace {
    int joint;
    int coordinate; ///< first coordinate: 1, or 4 for a ball
    int dof;        ///< first dof: 1, or 3 for a ball
} sinew_AxisPlace;

typedef struct sinew_Skeleton sinew_Skeleton;

/// Make a skeleton of joint_count joints, 1..SINEW_MAX_JOINTS; everything is copied.
///
/// allocator may be NULL for malloc and free. On failure *out_skeleton is NULL and the message
/// names the joint and the field: INVALID_ARGUMENT for a broken rule, OUT_OF_MEMORY.
SINEW_API sinew_Status sinew_skeleton_create(const sinew_JointDef *joints, int joint_count,
    const sinew_Allocator *allocator, sinew_Skeleton **out_skeleton, sinew_Message *out_message);

/// Give it back; NULL is ignored. Nothing that was created for the skeleton may be used afterwards.
SINEW_API void sinew_skeleton_destroy(sinew_Skeleton *skeleton);

// What follows takes NULL and indices that are none: 0, -1, NULL, false or an empty name comes back.

/// How many it has of each.
SINEW_API int sinew_skeleton_joint_count(const sinew_Skeleton *skeleton);
SINEW_API int sinew_skeleton_axis_count(const sinew_Skeleton *skeleton);
SINEW_API int sinew_skeleton_coordinate_count(const sinew_Skeleton *skeleton);
SINEW_API int sinew_skeleton_dof_count(const sinew_Skeleton *skeleton);

/// All joints, joint_count of them; they live as long as the skeleton.
SINEW_API const sinew_Joint *sinew_skeleton_joints(const sinew_Skeleton *skeleton);
/// All axes, axis_count of them, joint by joint.
SINEW_API const sinew_Axis *sinew_skeleton_axes(const sinew_Skeleton *skeleton);
/// Where each axis keeps its numbers, axis_count of them.
SINEW_API const sinew_AxisPlace *sinew_skeleton_axis_places(const sinew_Skeleton *skeleton);

/// Index of the first joint of that name, -1 when there is none.
SINEW_API int sinew_skeleton_find_joint(const sinew_Skeleton *skeleton, const char *name);

/// Whether ancestor is joint itself or above it.
SINEW_API bool sinew_skeleton_is_ancestor(const sinew_Skeleton *skeleton, int ancestor, int joint);

/// Name of one coordinate, in which the second joint of a name is called NAME#2 and the third NAME#3, as in rig files:
/// the joint's plain name where the joint has one coordinate, else
/// JOINT.tx .ty .tz for slides and JOINT.rx .ry .rz for hinges along the frame's own directions,
/// JOINT.qx .qy .qz .qw for a ball, and JOINT.t1 .r2 (t or r, then the place of the axis from 1)
/// for skew directions and for a second axis along the same direction. Terminated; cut to size.
SINEW_API void sinew_skeleton_coordinate_name(
    const sinew_Skeleton *skeleton, int coordinate, char *out_name, size_t size);

/// Index of the first coordinate of that name (as above), -1 when there is none. O(log joint_count) where few
/// joints share its name.
SINEW_API int sinew_skeleton_find_coordinate(const sinew_Skeleton *skeleton, const char *name);

/// Sum of the lengths of the offsets from joint ancestor down to joint, metres.
SINEW_API double sinew_skeleton_chain_length(
    const sinew_Skeleton *skeleton, int ancestor, int joint);

/// The longest of the three extents of the joints' places when all coordinates are zero and balls at
/// the identity, metres; at least 1e-6. What "body size" means in tolerances. A root that marks the
/// origin does not count: one that carries nothing but a joint of several children which slides freely.
SINEW_API double sinew_skeleton_size(const sinew_Skeleton *skeleton);

#ifdef __cplusplus
}
#endif

#endif
