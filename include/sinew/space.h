#ifndef SINEW_SPACE_H
#define SINEW_SPACE_H

/// \file
/// The door for engines and tools: which way up, forward and which hand their numbers have, in which unit,
/// and how their matrices lie in memory. Inside sinew everything is in metres, right-handed, with Y up and
/// forward +Z; what is converted here comes back exactly but for the rounding of the unit. A
/// character's left hand stays its left hand. Nothing allocates. Goals: sinew_goal_from_space in goal.h.

#include "skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_Direction {
    SINEW_DIRECTION_X,
    SINEW_DIRECTION_Y,
    SINEW_DIRECTION_Z,
    SINEW_DIRECTION_MINUS_X,
    SINEW_DIRECTION_MINUS_Y,
    SINEW_DIRECTION_MINUS_Z,
} sinew_Direction;

/// How an engine's numbers are meant. Start from sinew_space_preset.
typedef struct sinew_Space {
    /// Two different axes: where up is and where a character looks.
    sinew_Direction up, forward;
    bool left_handed;
    /// Metres that 1 stands for, > 0: 0.01 for centimetres.
    double unit;
} sinew_Space;

typedef enum sinew_SpacePreset {
    SINEW_SPACE_SINEW,   ///< right-handed, Y up, forward +Z, metres
    SINEW_SPACE_UNREAL,  ///< left-handed, Z up, forward +X, centimetres
    SINEW_SPACE_UNITY,   ///< left-handed, Y up, forward +Z, metres
    SINEW_SPACE_GODOT,   ///< right-handed, Y up, metres; models look along +Z (cameras along -Z)
    SINEW_SPACE_BLENDER, ///< right-handed, Z up, models look along -Y, metres
    SINEW_SPACE_GLTF,    ///< right-handed, Y up, forward +Z, metres
    SINEW_SPACE_ROS,     ///< right-handed, Z up, forward +X, metres
} sinew_SpacePreset;

#define SINEW_SPACE_PRESET_COUNT (SINEW_SPACE_ROS + 1)

/// The space of an engine; that of sinew for numbers that are no preset.
SINEW_API sinew_Space sinew_space_preset(sinew_SpacePreset preset);

/// INVALID_ARGUMENT with the field's name for directions along the same axis, or a unit that is not a
/// finite number > 0. The functions below want a space that passes; with another, or NULL, values come
/// back as they are.
SINEW_API sinew_Status sinew_space_check(const sinew_Space *space, sinew_Message *out_message);

/// A place, in units of the space, to metres, and back.
SINEW_API sinew_Vec3 sinew_point_from_space(const sinew_Space *space, sinew_Vec3 point);
SINEW_API sinew_Vec3 sinew_point_to_space(const sinew_Space *space, sinew_Vec3 point);
/// A direction; its length stays. Bit for bit there and back.
SINEW_API sinew_Vec3 sinew_direction_from_space(const sinew_Space *space, sinew_Vec3 direction);
SINEW_API sinew_Vec3 sinew_direction_to_space(const sinew_Space *space, sinew_Vec3 direction);
/// The direction of an axis that something turns about, by the same angle: in a left-handed space a
/// positive angle turns the other way round.
SINEW_API sinew_Vec3 sinew_hinge_from_space(const sinew_Space *space, sinew_Vec3 direction);
SINEW_API sinew_Vec3 sinew_hinge_to_space(const sinew_Space *space, sinew_Vec3 direction);
/// A rotation. Bit for bit there and back.
SINEW_API sinew_Quat sinew_rotation_from_space(const sinew_Space *space, sinew_Quat rotation);
SINEW_API sinew_Quat sinew_rotation_to_space(const sinew_Space *space, sinew_Quat rotation);
/// A transform between any two frames, local ones as well as world ones.
SINEW_API sinew_Transform sinew_transform_from_space(
    const sinew_Space *space, sinew_Transform transform);
SINEW_API sinew_Transform sinew_transform_to_space(
    const sinew_Space *space, sinew_Transform transform);

/// A joint's definition: offset, rest rotation, centre of mass and its axes, which go to out_axes, at
/// least axis_count of them, the caller's memory, and are what the result points at. Ranges of slides are
/// scaled; hinges keep their angles. Limits of balls stay as they are: make them in sinew's space.
/// out_axes may be joint->axes where those are the caller's own.
SINEW_API sinew_JointDef sinew_joint_def_from_space(
    const sinew_Space *space, const sinew_JointDef *joint, sinew_Axis *out_axes);
SINEW_API sinew_JointDef sinew_joint_def_to_space(
    const sinew_Space *space, const sinew_JointDef *joint, sinew_Axis *out_axes);

// ---------------------------------------------------------------------------------------------
// Matrices

/// How 4x4 matrices lie in memory. Both forms hold the same rigid transform; engines that multiply
/// row vectors from the left (DirectX, Unreal) store what COLUMNS names, with the place in numbers
/// 12, 13, 14, as OpenGL and glTF do; ROWS has it in 3, 7, 11.
typedef enum sinew_MatrixOrder {
    SINEW_MATRIX_COLUMNS,
    SINEW_MATRIX_ROWS,
} sinew_MatrixOrder;

typedef struct sinew_MatrixLayout {
    sinew_MatrixOrder order;
    /// Numbers from the start of one matrix to the start of the next, at least 16.
    int stride;
} sinew_MatrixLayout;

/// Columns, packed.
SINEW_API sinew_MatrixLayout sinew_matrix_layout_default(void);

/// count transforms from matrices of a space (NULL: sinew's), and back. Scale and shear are left out:
/// the rotation is that of the x and y columns made orthonormal, and where a mirror is in, of x and y.
/// Rotation and place survive the way there and back within 1e-12 of their size (float: 1e-6).
/// INVALID_ARGUMENT for a NULL pointer, a count below 0, a layout or space that breaks a rule, numbers
/// that are not finite, columns without length, rotations not of length 1; outputs are then undefined. O(count).
SINEW_API sinew_Status sinew_transforms_from_matrices(const sinew_Space *space,
    sinew_MatrixLayout layout, const double *matrices, int count, sinew_Transform *out_transforms,
    sinew_Message *out_message);
SINEW_API sinew_Status sinew_transforms_from_matrices_float(const sinew_Space *space,
    sinew_MatrixLayout layout, const float *matrices, int count, sinew_Transform *out_transforms,
    sinew_Message *out_message);
SINEW_API sinew_Status sinew_transforms_to_matrices(const sinew_Space *space,
    sinew_MatrixLayout layout, const sinew_Transform *transforms, int count, double *out_matrices,
    sinew_Message *out_message);
SINEW_API sinew_Status sinew_transforms_to_matrices_float(const sinew_Space *space,
    sinew_MatrixLayout layout, const sinew_Transform *transforms, int count, float *out_matrices,
    sinew_Message *out_message);

/// Skinning: out = transform * inverse(rest), one by one, which moves a vertex of the mesh at rest to
/// where it goes. out_skin may be either input.
SINEW_API sinew_Status sinew_transforms_skin(const sinew_Transform *world_from_joint,
    const sinew_Transform *rest_world_from_joint, int count, sinew_Transform *out_skin,
    sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
