#ifndef SNW_CHAIN_H
#define SNW_CHAIN_H

// One unbranched chain of hinges and slides to one effector, laid out for speed: the commonest and the
// hottest case, an arm, a leg, a robot. Every joint frame is turned so that its axis is z, and about z
// so that the next axis lies in the frame's yz plane; what is left between two joints is one turn
// about x and one offset. All lengths are in units of the reach L.

#include "base/memory.h"
#include "math/lanes.h"
#include "solve/state.h"

typedef struct snw_ChainJoint {
    double offset_x, offset_y, offset_z; // to the next joint (or the tip), after the joint's motion
    double sine, cosine;                 // of the turn about x to the next joint's frame
    bool slide;
} snw_ChainJoint;

/// How the effector moves with each joint, in units of L and radians: six rows of count numbers, by
/// lanes. A goal of three rows has them in the linear ones, whichever they are.
typedef struct snw_ChainColumns {
    snw_Lanes *x, *y, *z;                // linear
    snw_Lanes *turn_x, *turn_y, *turn_z; // angular, times the weight of orientation
} snw_ChainColumns;

/// A vector of the rows.
typedef struct snw_ChainRows {
    sinew_Vec3 linear, angular;
} snw_ChainRows;

typedef struct snw_Chain {
    int count;  // joints; 0: the plan is no such chain
    int groups; // of lanes
    bool position, orientation, has_slides, has_locked;
    unsigned locked;  // those of the first 32 joints that stand still, by bit
    int first_value;  // in a state; those of the other joints follow it
    double reach;     // L, metres
    sinew_Mat3 first; // frame of the first joint, in the frame that carries the chain
    sinew_Vec3 first_origin;
    sinew_Mat3 effector_from_tip; // the effector's frame against the last joint's
    // by joint; padded with zeros to whole lanes
    snw_ChainJoint *joints;
    double *angle;            // of the frame against a hinge's value; slides stand at it
    double *lower, *upper;    // ranges; slides in units of L
    unsigned range_count;     // of the plan, when they were taken over,
    bool ranges_open;         // and that it was without limits
    unsigned own_range_count; // how often they were

    // where the effector should be, in the frame that carries the chain
    sinew_Vec3 target;
    sinew_Mat3 target_frame;
    double weight; // of orientation errors, radians, against position errors, L

    // the pose measured last
    bool has_frames; // of the joints; only its tip and sines otherwise
    double *sine, *cosine;
    double *axis_x, *axis_y, *axis_z, *origin_x, *origin_y, *origin_z;
    sinew_Vec3 tip;
    sinew_Mat3 frame;                             // of the last joint, moved
    double position_error2, chord2;               // (L^2), unweighted
    sinew_Vec3 position_error, orientation_error; // weighted: what the step reduces

    // the linear model of the pose that the step starts from
    snw_ChainColumns columns;
    snw_ChainRows error;
    double *change; // of each joint
    double *free;   // 1, or 0 where a bound holds the joint
} snw_Chain;

void snw_chain_take(snw_Chain *chain, snw_Sizes sizes, snw_Arena *arena);

/// Lay out a plan; chain->count is 0 when it has branches, balls, several effectors, or mobilities.
void snw_chain_build(snw_Chain *chain, const snw_Plan *plan);

/// Take the ranges and goals of this solve over. world_from_base: what carries the chain.
void snw_chain_begin(snw_Chain *chain, const snw_Plan *plan, const snw_Targets *targets,
    sinew_LimitMode limits, const sinew_Mat3 *base_rotation, sinew_Vec3 base_position);

/// Values of a state to joint values and back; a value on its bound is the bound. Returns whether the joints
/// were these before.
bool snw_chain_load(
    const snw_Chain *chain, const snw_Plan *plan, const double *values, double *joints);
void snw_chain_store(
    const snw_Chain *chain, const snw_Plan *plan, const double *joints, double *values);
/// Columns turned about the third one.
sinew_Mat3 snw_turned_about_z(const sinew_Mat3 *frame, double sine, double cosine);
/// The angle about z that brings the next axis into the yz plane of a frame, and the turn about x to it.
double snw_fit_turn(
    const sinew_Mat3 *frame, sinew_Vec3 next_axis, double *out_sine, double *out_cosine);

/// Joint values of a chain of hinges to a pose.
void snw_chain_put(const snw_Chain *chain, const snw_Plan *plan, const double *joints, double *q);

/// Pose the joints and measure the effector's error: E = |position error / L|^2 + |weight chord|^2.
double snw_chain_measure(snw_Chain *chain, const double *joints);

/// The same for a goal of position alone, without the frames that a step would need: the tip is taken
/// through the joints from the last to the first.
double snw_chain_measure_tip(snw_Chain *chain, const double *joints);

/// The error of the pose measured last against another goal; of its tip alone, where that has no frames.
double snw_chain_judge(snw_Chain *chain);

/// Take the pose measured last as the one to step from.
void snw_chain_linearize(snw_Chain *chain);

/// A damped step from joints within their ranges, into moved. Joints on a bound that are pushed
/// outward stay; those that would pass one end on it, and the rest is solved once more. Returns what
/// the linear model promises E to become; out_largest: the largest change of a joint.
double snw_chain_step(
    snw_Chain *chain, const double *joints, double damping, double *moved, double *out_largest);

#endif
