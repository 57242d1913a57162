#ifndef SINEW_GOAL_H
#define SINEW_GOAL_H

/// \file
/// What a solve should bring about: mostly what an end effector should do, and what the centre of
/// mass or the posture should. A plain struct; any joint can carry an effector, and any number of
/// goals may name the same joint. docs/goals.md has examples.

#include "space.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sinew_GoalKind {
    SINEW_GOAL_POSITION,    ///< the effector's point at a place: 3 rows (half Jacobian)
    SINEW_GOAL_ORIENTATION, ///< the effector's frame turned so: 3 rows
    SINEW_GOAL_POSE,        ///< both: 6 rows (full Jacobian)
    /// The effector's axis points at a place, however far that is (eyes, head, a torch): 2 rows. A
    /// place at the effector's own point is no direction and asks for nothing.
    SINEW_GOAL_AIM,
    /// The effector's axis is parallel to a direction (a tray kept level: up to up): 2 rows.
    SINEW_GOAL_DIRECTION,
    /// The middle joint of a chain (knee, elbow) swivels about the line from the chain's start to
    /// the effector until it is on the side of a place: 1 row. It fades as the chain gets straight
    /// or the place comes to the line, where there is no side.
    SINEW_GOAL_POLE,
    /// The centre of mass over a point of the ground: 2 rows, x and z; the height is free unless the
    /// mask says so. Masses as sinew_pose_center_of_mass has them. Hoang (2014), section 5.
    SINEW_GOAL_CENTER_OF_MASS,
    /// The centre of mass over the inside of a polygon, margin away from its sides: asks for nothing
    /// while it is there. 2 rows.
    SINEW_GOAL_SUPPORT,
    /// The rest posture (sinew_solver_set_rest): each joint that may move near its rest value. No
    /// rows; never met or unmet. Slides without end, as those of a free root, have no rest.
    SINEW_GOAL_REST,
} sinew_GoalKind;

#define SINEW_GOAL_KIND_COUNT (SINEW_GOAL_REST + 1)

/// Axes of a mask.
#define SINEW_MASK_X 1u
#define SINEW_MASK_Y 2u
#define SINEW_MASK_Z 4u
#define SINEW_MASK_ALL 7u
#define SINEW_MASK_HORIZONTAL (SINEW_MASK_X | SINEW_MASK_Z)

/// Largest number of points of one support polygon, of support goals in one solve, and of the
/// priority levels' numbers.
#define SINEW_MAX_SUPPORT_POINTS 32
#define SINEW_MAX_SUPPORT_GOALS 4
#define SINEW_MAX_PRIORITY 15

/// Start from one of the functions below.
typedef struct sinew_Goal {
    sinew_GoalKind kind;
    /// The joint that carries the effector. Centre of mass, support and rest have none: -1 lets all
    /// joints from chain_root on (-1: of the body) move for it, a joint those on the way to it.
    int joint;
    /// The first joint that may move for this goal: one of joint's ancestors or joint itself, -1
    /// for all of them. A joint moves when any goal lets it.
    int chain_root;
    /// The effector's point and frame in the joint's frame, no farther than 1e9 m. Default identity.
    sinew_Transform joint_from_effector;
    /// Where it should be, metres: the place to be at, aim at or swivel towards, the point under the
    /// centre of mass. In the world, or in the frame of reference.
    sinew_Vec3 position;
    /// How it should be turned: world_from_effector, or reference_from_effector; unit quaternion.
    sinew_Quat orientation;
    /// How much its error counts against the others, 0..1e12. Default 1 each. 0 leaves the goal out: its
    /// place, turn and direction are not read and may be NAN, as of a device that is not seen; joint, axis and
    /// masks still hold, so that a plan is kept while a weight comes and goes.
    /// Position and centre of mass take the first; orientation, aim, direction, pole and rest the second,
    /// which weighs a radian as orientation_length metres. A goal that weighs less than a millionth of
    /// another one may stay unmet though both could be met: what must not give way is another priority.
    double position_weight, orientation_weight;

    /// The joint in whose frame position, orientation and direction are given, for an effector that
    /// goes with another one (two hands that hold one thing); -1 (default): the world. It need not be
    /// moved by this goal. Not for support and rest. Nothing moves a joint in its own frame; in that of one
    /// below it, only what other goals let move between the two.
    int reference;
    /// Level: a goal never gives way to one with a larger number, not even a little. Default 0, the
    /// highest; 0..SINEW_MAX_PRIORITY. Within a level weights decide. More than one level needs the
    /// damped method or auto.
    int priority;
    /// Hold this goal as a constraint, J_c step = error, by Lagrange multipliers, instead of weighing
    /// it against the others; Hoang (2014), eq. 6-9. options.constraint_damping says how firmly. Needs
    /// the damped method or auto. Not for support and rest. Default false.
    bool constraint;
    /// Which axes count, SINEW_MASK_X and so on, of the world or of reference (centre of mass: always
    /// of the world; support: see support_points). Defaults all; centre of mass horizontal. Not 0.
    unsigned position_mask, orientation_mask;
    /// Aim and direction: unit vector in the effector's frame.
    sinew_Vec3 axis;
    /// Direction: what axis should be parallel to, unit, world or reference.
    sinew_Vec3 direction;
    /// Pole: where the chain starts (hip) and the joint that swivels (knee); the effector ends it.
    int start_joint, middle_joint;
    /// Support: the ground polygon's points, metres, world; only x and z are read, or x and y where position_mask
    /// is SINEW_MASK_X | SINEW_MASK_Y, as in a world whose Z is up. The order does not matter: the convex hull is taken. 1..SINEW_MAX_SUPPORT_POINTS, the caller's memory, read during
    /// the solve. A hull without area is the segment or point that it is, without margin.
    const sinew_Vec3 *support_points;
    int support_count;
    /// Support: how far inside, metres, >= 0; where the polygon is too small for it, as far as it
    /// goes. Default 0.01.
    double support_margin;
} sinew_Goal;

/// A joint's own point at a place of the world; its frame turned so in the world, wherever it is; both.
SINEW_API sinew_Goal sinew_goal_position(int joint, sinew_Vec3 position);
SINEW_API sinew_Goal sinew_goal_orientation(int joint, sinew_Quat orientation);
SINEW_API sinew_Goal sinew_goal_pose(int joint, sinew_Vec3 position, sinew_Quat orientation);
/// axis: unit, in the joint's frame; position: what it points at.
SINEW_API sinew_Goal sinew_goal_aim(int joint, sinew_Vec3 axis, sinew_Vec3 position);
/// axis: unit, in the joint's frame; direction: unit, world.
SINEW_API sinew_Goal sinew_goal_direction(int joint, sinew_Vec3 axis, sinew_Vec3 direction);
/// start, middle, joint: from the root outward, such as hip, knee and ankle.
SINEW_API sinew_Goal sinew_goal_pole(int start, int middle, int joint, sinew_Vec3 position);
/// All joints may move for it. position.y counts only when the mask is changed.
SINEW_API sinew_Goal sinew_goal_center_of_mass(sinew_Vec3 position);
/// All joints may move for it. The points are not copied.
SINEW_API sinew_Goal sinew_goal_support(const sinew_Vec3 *points, int point_count);
/// All joints may move for it. weight as orientation_weight.
SINEW_API sinew_Goal sinew_goal_rest(double weight);

/// A goal whose places, rotations, directions, masks and margin are an engine's, as sinew has it, and back.
/// Support points are not converted: they are the caller's memory (sinew_point_from_space).
SINEW_API sinew_Goal sinew_goal_from_space(const sinew_Space *space, sinew_Goal goal);
SINEW_API sinew_Goal sinew_goal_to_space(const sinew_Space *space, sinew_Goal goal);

/// The goal a share of the way, weight in 0..1, from what a pose has to what the goal wants: 0 asks the
/// effector to stay as it is in that pose, 1 is the goal itself, and between them it moves evenly. So an
/// animated pose and a goal are blended, each goal by a weight of its own, and nothing jumps when a
/// weight leaves 0. world_from_joint: of the pose given, joint_count transforms. Places go along a
/// straight line, rotations and directions along the shortest turn; rest goals count less; support goals
/// stay as they are. A goal, joint or reference outside the skeleton comes back as it was.
SINEW_API sinew_Goal sinew_goal_blend(const sinew_Skeleton *skeleton,
    const sinew_Transform *world_from_joint, sinew_Goal goal, double weight);

/// "position", "orientation", "pose", "aim", "direction", "pole", "center_of_mass", "support", "rest".
SINEW_API const char *sinew_goal_kind_name(sinew_GoalKind kind);

#ifdef __cplusplus
}
#endif

#endif
