#ifndef SNW_CLOSED_H
#define SNW_CLOSED_H

// Closed forms of chains of hinges: answers within the ranges, or all of them, without a search.
// Ranges are tested on sines and cosines as soon as these are known, so branches end early and angles
// are formed for what is left alone. A form may be an answer's neighbour only, as where axes meet but
// nearly: the caller measures it, and a descent finishes it.

#include "solve/closed_shape.h"

/// Values of a free joint that are tried after the one it stands at. Of a last joint most are ruled out
/// by a distance; Panda's have an answer among 64 of them for 99.9 % of all goals, among 16 for 93 %.
/// Where each costs all the rest of the way, more than 16 cost more than the descent that follows.
#define SNW_CLOSED_VALUES 64
#define SNW_CLOSED_SWIVELS 16
/// Joints that a chain may have, locked ones among them.
#define SNW_CLOSED_CHAIN 24
/// Answers that there are at most for one value of a free joint: two ways, three times.
#define SNW_CLOSED_ANSWERS 8

/// A joint's range as the kernels see it: within the half turn either side of its middle.
typedef struct snw_ClosedRange {
    double lower, upper; // of the joint's value
    double sine, cosine; // of the middle, as the shape's frames turn
    double least;        // cosine of half the range; -2: a whole turn
} snw_ClosedRange;

typedef struct snw_Closed {
    snw_ClosedShape shape;
    bool chain_fits;                        // hinges alone, and not too many
    unsigned locked;                        // joints of the chain that stand still, by bit
    double locked_values[SNW_CLOSED_CHAIN]; // where they stood when the shape was found
    snw_ClosedRange ranges[SNW_CLOSED_JOINTS];
    // what the free joint is tried at, spread over its range, and what the distance of the two points
    // can be at all within the range of the joint between them
    snw_Turn values[SNW_CLOSED_VALUES];
    double nearest2, farthest2;
    bool ready; // ranges are made
} snw_Closed;

/// Which of several answers.
typedef enum snw_ClosedWanted {
    SNW_CLOSED_FIRST,   ///< the first that is found
    SNW_CLOSED_NEAREST, ///< of those at the first value of a free joint that has any
    SNW_CLOSED_ALL,     ///< all at one value of a free joint: where it stands
} snw_ClosedWanted;

/// One solve of a closed form; the kernels fill in turn after turn and offer what is complete.
typedef struct snw_ClosedSearch {
    const snw_Closed *closed;
    snw_ClosedWanted wanted;
    const double *start; // by joint of the chain
    snw_Turn here[SNW_CLOSED_JOINTS];
    sinew_Mat3 turn; // the last joint's moved frame, seen from the first one's
    sinew_Vec3 way;
    snw_Turn turns[SNW_CLOSED_JOINTS];
    int ways[3]; // which of two ways was taken, three times
    // one answer: its turns, and the squared way of the joints to it
    snw_Turn chosen[SNW_CLOSED_JOINTS];
    double best;
    int found;
    double *answers; // of all: SNW_CLOSED_ANSWERS x count, in the order of the shape
    // the turns of the last of all, and their angles: answers differ by a joint or two from the last
    snw_Turn formed[SNW_CLOSED_JOINTS];
    double angles[SNW_CLOSED_JOINTS];
    int *branches; // and their ways as a number of three bits
} snw_ClosedSearch;

/// The chain has a new plan.
void snw_closed_build(snw_Closed *closed, const snw_Chain *chain);

/// Take ranges and locked joints of this solve over; whether there is a closed form. joints: as loaded.
bool snw_closed_begin(snw_Closed *closed, const snw_Chain *chain, const double *joints);

/// An answer to the chain's goal; false: none was found, and the joints are as they were.
bool snw_closed_solve(
    snw_Closed *closed, const snw_Chain *chain, snw_ClosedWanted wanted, double *joints);

/// The joint of the chain that is free, -1: none.
int snw_closed_free_joint(const snw_Closed *closed);

/// All answers at one value of the free joint, where there is one, each as near to the joints as whole
/// turns let it be. out: SNW_CLOSED_ANSWERS rows as wide as the chain; out_branches: a number 0..7 that
/// stays the same as goal and free joint move, until the branch ends. Returns how many.
int snw_closed_all(snw_Closed *closed, const snw_Chain *chain, const double *joints,
    double free_value, double *out, int *out_branches);

// ---------------------------------------------------------------------------------------------
// For the kernels

/// Take a turn for a joint if its range has it.
static inline bool snw_closed_admit(snw_ClosedSearch *search, int i, snw_Turn turn)
{
    const snw_ClosedRange *range = &search->closed->ranges[i];
    search->turns[i] = turn;
    return turn.cosine * range->cosine + turn.sine * range->sine >= range->least;
}

/// All turns are there: take them as an answer; whether the search is over.
bool snw_closed_offer(snw_ClosedSearch *search);

/// Three hinges that meet, three that place a point, or both; closed_arm.c.
void snw_closed_arm(snw_ClosedSearch *search);
/// Six hinges of which three are parallel; closed_parallel.c.
void snw_closed_parallel(snw_ClosedSearch *search);

/// Turns of the second of two hinges that stand along z, or against it, so that a point reaches as far
/// from the first as the target is: a joint and its offset carry the second, which carries the tip.
static inline int snw_closed_bones(
    const snw_ClosedJoint *joint, sinew_Vec3 target, sinew_Vec3 tip, snw_Turn out[2])
{
    sinew_Vec3 o = joint->offset;
    double side = joint->twist.cosine;
    double far2 = target.x * target.x + target.y * target.y;
    double lengths2 = o.x * o.x + o.y * o.y + tip.x * tip.x + tip.y * tip.y;
    return snw_circle(o.x * tip.x + side * o.y * tip.y, side * o.y * tip.x - o.x * tip.y,
        0.5 * (far2 - lengths2), out);
}

#endif
