#ifndef SNW_CLOSED_SHAPE_H
#define SNW_CLOSED_SHAPE_H

// Which closed form a chain of hinges has, found from its axes alone: whether three of them meet in a
// point or stand parallel, and whether two beside these meet. A robot's name, its joints' names and the
// frames they were written in say nothing here.
//
// Three axes that meet decouple place and orientation (Pieper 1968): the place is up to the others.
// The chain is read from either end, so that only one order of each class is written: taking the
// inverse of the pose, the joints in reverse and their axes negated leaves the joints' values.

#include "solve/chain.h"
#include "solve/circle.h"

/// Joints that a closed form takes at most.
#define SNW_CLOSED_JOINTS 7

/// How the place of one point follows from three hinges a, b, c; found in this order.
typedef enum snw_ClosedPlace {
    SNW_PLACE_NONE,
    SNW_PLACE_LAST_MEET,      ///< b and c meet: a by the distance from there, then both
    SNW_PLACE_FIRST_MEET,     ///< a and b meet: c by the distance from there, then both
    SNW_PLACE_LAST_PARALLEL,  ///< b and c parallel: a by the height along them, then two bones
    SNW_PLACE_FIRST_PARALLEL, ///< a and b parallel: c by the height along them, then two bones
} snw_ClosedPlace;

typedef enum snw_ClosedKind {
    SNW_CLOSED_NONE,
    SNW_CLOSED_POINT, ///< three hinges, a goal of place
    SNW_CLOSED_TURN,  ///< three hinges that meet, a goal of orientation
    /// Three hinges that meet, then three that bring a point of the effector to where those meet, and
    /// a seventh, last, that is free.
    SNW_CLOSED_WRIST,
    SNW_CLOSED_SWIVEL,   ///< three hinges that meet, one between, three that meet
    SNW_CLOSED_PARALLEL, ///< six: one, three parallel ones, two that meet
} snw_ClosedKind;

/// A joint after the origins were moved along their axes to where these meet: a turn about z, an
/// offset, a turn about x to the next one's frame.
typedef struct snw_ClosedJoint {
    sinew_Vec3 offset;
    snw_Turn twist;
    double angle;        // of the frame against the joint's value
    snw_Turn from_chain; // of the frame against that of the chain's joint
    int joint;           // of the chain
} snw_ClosedJoint;

typedef struct snw_ClosedShape {
    snw_ClosedKind kind;
    snw_ClosedPlace place;
    bool mirrored; // read from the effector
    int count;
    int free; // a joint that may stand anywhere; -1: none
    snw_ClosedJoint joints[SNW_CLOSED_JOINTS];
    // the last joint's moved frame seen from the first one's = left goal right; mirrored: of the
    // goal's inverse
    sinew_Mat3 left_turn, right_turn;
    sinew_Vec3 left_way, right_way;
    sinew_Vec3 tip; // SNW_CLOSED_POINT: in the last joint's moved frame
} snw_ClosedShape;

/// Find the shape of a chain of at most 32 joints whose locked ones stand at these values.
void snw_closed_shape_find(const snw_Chain *chain, const double *joints, snw_ClosedShape *out);

#endif
