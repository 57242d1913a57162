#ifndef SNW_CLOSED_H
#define SNW_CLOSED_H

// Closed forms of chains of hinges: answers within the ranges, or all of them, without a search.
// Ranges are tested on sines and cosines as soon as these are known, so branches end early and angles
// are formed for what is left alone. A form may be an answer's neighbour only, as where axes meet but
// nearly: the caller measures it, and a descent finishes it.

#include "solve/closed_shape.h"

/// Values of a free last joint that are tried after the one it stands at. Most are ruled out by a
/// distance; Panda's have an answer among 64 of them for 99.9 % of all goals, among 16 for 93 %.
#define SNW_CLOSED_VALUES 64
/// Steps of a swing, of an eighth of a turn to either side, that are looked at before its ends are found: a
/// stretch that one meets is entered in its inside, at a third of the cost. A humanoid's answers take 1.41 us
/// in the mean with 15 of them, 1.27 with 11, 1.23 with 7, 1.57 with none.
#define SNW_CLOSED_SWINGS 7
/// Ends of the swing of an arm whose hinges meet at both ends, in pairs: two for each of six joints, and
/// two for each end of the arm, where two answers become one.
#define SNW_CLOSED_ENDS 16
/// Joints that a chain may have, locked ones among them.
#define SNW_CLOSED_CHAIN 24
/// Answers that there are at most for one value of a free joint: two ways, three times.
#define SNW_CLOSED_ANSWERS 8

/// What rounding lets an angle miss, radians, before it is put on its bound: where several joints stand on theirs
/// the rounding of one is up to a hundred thousand times as much in another. With 1e-12 an arm's own pose was
/// none of its answers in 1.8 % of such poses, with 1e-9 in two of 38,400.
#define SNW_CLOSED_BEYOND 1e-8

/// A joint's range as the kernels see it: within the half turn either side of its middle.
typedef struct snw_ClosedRange {
    double lower, upper; // of the joint's value
    double sine, cosine; // of the middle, as the shape's frames turn
    double least;        // cosine of half the range; -2: a whole turn
} snw_ClosedRange;

/// Where a joint of three that meet stands at an end of its range: the last column of the turn that the
/// three make, or its last row, has a height along a direction.
typedef struct snw_ClosedEnd {
    int first; // of the three
    bool of_row;
    sinew_Vec3 direction;
    double height;
} snw_ClosedEnd;

typedef struct snw_Closed {
    snw_ClosedShape shape;
    bool chain_fits;                        // hinges alone, and not too many
    unsigned locked;                        // joints of the chain that stand still, by bit
    double locked_values[SNW_CLOSED_CHAIN]; // where they stood when the shape was found
    snw_ClosedRange ranges[SNW_CLOSED_JOINTS];
    // what the free joint is tried at, spread over its range, or steps of a swing outwards; and what the distance of the two points
    // can be at all within the range of the joint between them
    snw_Turn values[SNW_CLOSED_VALUES];
    double nearest2, farthest2;
    int end_count; // of a swing
    snw_ClosedEnd ends[SNW_CLOSED_ENDS];
    bool ready;           // ranges are made,
    unsigned range_count; // of those that the chain had taken over so often
} snw_Closed;

/// Which of several answers.
typedef enum snw_ClosedWanted {
    SNW_CLOSED_FIRST, ///< the first that is found
    SNW_CLOSED_NEAREST, ///< of those at the first value of a free joint or the least swing that has any
    SNW_CLOSED_ALL,     ///< all at one value of a free joint, or one swing
} snw_ClosedWanted;

/// One solve of a closed form; the kernels fill in turn after turn and offer what is complete.
typedef struct snw_ClosedSearch {
    const snw_Closed *closed;
    const snw_ClosedRange *ranges; // by joint; those of the form, or none
    double nearest2, farthest2;    // likewise
    snw_ClosedWanted wanted;
    const double *start; // by joint of the chain
    snw_Turn here[SNW_CLOSED_JOINTS];
    snw_Turn swing;  // from where an arm that swings is nearest to its wrist's start
    sinew_Mat3 turn; // the last joint's moved frame, seen from the first one's
    sinew_Vec3 way;
    snw_Turn turns[SNW_CLOSED_JOINTS];
    int ways[3]; // which of two ways was taken, three times
    // one answer: its turns, and the squared way of the joints to it
    snw_Turn chosen[SNW_CLOSED_JOINTS];
    double best;
    int found;
    double *answers; // of all: SNW_CLOSED_ANSWERS x count, in the order of the shape
    // the turns of the last answer, and the values of those that are in their ranges, by bit: answers differ
    // by a joint or two from the last
    unsigned formed_known;
    snw_Turn formed[SNW_CLOSED_JOINTS];
    double values[SNW_CLOSED_JOINTS];
    int *branches; // and their ways as a number of three bits
} snw_ClosedSearch;

/// The chain has a new plan.
void snw_closed_build(snw_Closed *closed, const snw_Chain *chain);

/// Take ranges and locked joints of this solve over; whether there is a closed form. joints: as loaded.
bool snw_closed_begin(snw_Closed *closed, const snw_Chain *chain, const double *joints);

/// An answer to the chain's goal; false: none was found, and the joints are as they were. measured: the
/// chain's last measure was of these joints.
bool snw_closed_solve(snw_Closed *closed, const snw_Chain *chain, bool measured,
    snw_ClosedWanted wanted, double *joints);

/// The joint of the chain that is free, -1: none.
int snw_closed_free_joint(const snw_Closed *closed);

/// Whether it is an arm that swings about a line.
static inline bool snw_closed_swings(const snw_Closed *closed)
{
    return closed->shape.kind == SNW_CLOSED_SWIVEL;
}

/// Swings at which branches begin or end, radians in any order; returns how many, at most
/// 4 SNW_CLOSED_ENDS.
int snw_closed_swing_ends(
    snw_Closed *closed, const snw_Chain *chain, const double *joints, double *out);

/// All answers at one value of the free joint, where there is one, or at one swing, each as near to the
/// joints as whole turns let it be. out: SNW_CLOSED_ANSWERS rows as wide as the chain; out_branches: a number 0..7 that
/// stays the same as goal and free joint move, until the branch ends. Returns how many.
int snw_closed_all(snw_Closed *closed, const snw_Chain *chain, const double *joints, bool limits,
    double free_value, double *out, int *out_branches);

// ---------------------------------------------------------------------------------------------
// For the kernels; closed_offer.c

/// Take a turn for a joint if its range has it.
static inline bool snw_closed_admit(snw_ClosedSearch *search, int i, snw_Turn turn)
{
    const snw_ClosedRange *range = &search->ranges[i];
    search->turns[i] = turn;
    return turn.cosine * range->cosine + turn.sine * range->sine >= range->least;
}

/// Three hinges that meet and are to make a turn Q = Rz(1) Rx Rz(2) Rx Rz(3), of which the last column
/// has the second angle alone, and with it the first; the last row has the third.
typedef struct snw_ClosedMeeting {
    int first; // of the three
    sinew_Vec3 column, row;
    snw_Turn second; // one of two, the other one's sine having the other sign
} snw_ClosedMeeting;

/// false: their axes lean too little for it
bool snw_closed_meet(const snw_ClosedSearch *search, int first, sinew_Vec3 column, sinew_Vec3 row,
    snw_ClosedMeeting *out);
/// Take the turns of one side of the second joint, 0 or 1, if their ranges have them.
bool snw_closed_meet_side(snw_ClosedSearch *search, const snw_ClosedMeeting *meeting, int side);

/// The values of the joints after these turns, as near to the start as whole turns let them be; false:
/// one is out of its range after all.
bool snw_closed_angles(snw_ClosedSearch *search, const snw_Turn *turns, double *out);

/// All turns are there: take them as an answer; whether the search is over.
bool snw_closed_offer(snw_ClosedSearch *search);

/// Three hinges that meet, three that place a point, or both; closed_arm.c.
void snw_closed_arm(snw_ClosedSearch *search);
/// Seven that meet by threes at both ends, and snw_closed_swing_ends for them; closed_swivel.c.
void snw_closed_swivel(snw_ClosedSearch *search);
int snw_closed_swivel_ends(snw_ClosedSearch *search, double *out);
/// Six hinges of which three are parallel; closed_parallel.c.
void snw_closed_parallel(snw_ClosedSearch *search);

/// What a joint carries, seen from the next one's frame before its turn.
static inline sinew_Vec3 snw_closed_behind(
    const snw_ClosedJoint *joint, snw_Turn turn, sinew_Vec3 point)
{
    return snw_unturn_x(sinew_vec3_sub(snw_unturn_z(point, turn), joint->offset), joint->twist);
}

/// Turns of a joint that bring a target to a distance from the next one's origin.
static inline int snw_closed_distance(
    const snw_ClosedJoint *joint, sinew_Vec3 target, double distance2, snw_Turn out[2])
{
    sinew_Vec3 o = joint->offset;
    double sizes2 = sinew_vec3_dot(target, target) + sinew_vec3_dot(o, o);
    return snw_circle(target.x * o.x + target.y * o.y, target.y * o.x - target.x * o.y,
        0.5 * (sizes2 - distance2) - target.z * o.z, out);
}

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
