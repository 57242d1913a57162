#ifndef SNW_JOINT_SET_H
#define SNW_JOINT_SET_H

// Turning joints to a wanted rotation, whatever axes they have.

#include "sinew/skeleton.h"

typedef enum snw_JointKind {
    SNW_JOINT_FIXED,
    SNW_JOINT_ONE,   ///< one hinge
    SNW_JOINT_TWO,   ///< two hinges at right angles
    SNW_JOINT_THREE, ///< three hinges, each at right angles to the one before
    SNW_JOINT_BALL,
    SNW_JOINT_OTHER, ///< anything else: left as it is
} snw_JointKind;

/// How one joint is turned, or several in a row that turn about one point, such as the hip of a robot.
typedef struct snw_JointSet {
    snw_JointKind kind;
    int coordinates[3]; ///< of the hinges in order; [0]: first of the ball
    int axis_of[3];     ///< axes of the skeleton that these are
    sinew_Vec3 axes[3]; ///< of the hinges; of two the third is their cross product
    double handed;      ///< 1 or -1: the three axes are a right- or left-handed frame
    double lower[3], upper[3];
    double at_lower[3][2], at_upper[3][2]; ///< sine and cosine of these
    double rest[3];
    const sinew_BallLimit *limit;
    sinew_Quat socket_from_parent; ///< inverse of the rest rotation
    sinew_Quat socket_from_hinges; ///< of two or three: x along the first, y along the second
    sinew_Quat hinges_from_parent;
} snw_JointSet;

/// Look at the joints from first down to last, one below the other: as one that hangs where the first does, turns
/// about the hinges of all, and ends in the frame of the last.
snw_JointSet snw_joint_set(const sinew_Skeleton *skeleton, int first, int last);

/// Its rotation in a pose: parent_from_joint, of hinges and balls.
sinew_Quat snw_joint_rotation(const snw_JointSet *set, const double *q);
/// That of two hinges that have turned as near to a rotation as they may, their limits taking nothing: mostly without sines.
sinew_Quat snw_joint_nearest(
    const snw_JointSet *set, sinew_Quat parent_from_joint, const double *q);

/// How many coordinates of a pose turn it: 4 of a ball, 0 of joints that are left alone.
int snw_joint_count(const snw_JointSet *set);
/// Copy these coordinates from a pose, and back.
void snw_joint_read(const snw_JointSet *set, const double *q, double out_values[4]);
void snw_joint_write(const snw_JointSet *set, const double values[4], double *q);

/// How a joint has turned.
typedef enum snw_JointTurn {
    SNW_TURN_HELD,  ///< limits took something away
    SNW_TURN_NEAR,  ///< its axes do not turn all of the way
    SNW_TURN_WHOLE, ///< as wanted, to rounding
} snw_JointTurn;

/// Set the coordinates so that parent_from_joint turns as near to a rotation as the axes allow, inside
/// their limits, going on from the angles in q. Slides are left alone.
snw_JointTurn snw_joint_turn(const snw_JointSet *set, sinew_Quat parent_from_joint, double *q);

/// Turn a rotation to what the limit of a ball allows; whether it does already.
bool snw_joint_keep_ball(const snw_JointSet *set, sinew_Quat *parent_from_joint);

/// How far beyond its end the axis is that would be the nearest to one, radians, negative inside, as near
/// to a rotation as the axes allow without their limits. Of a ball inside: minus pi. Where hinges are inside by more than
/// room, which is seen without arc tangents, no more may be told than that; infinity: how far.
double snw_joint_excess(const snw_JointSet *set, sinew_Quat parent_from_joint, double room);

#endif
