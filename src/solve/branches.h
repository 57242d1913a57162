#ifndef SNW_BRANCHES_H
#define SNW_BRANCHES_H

// A tree of hinges and slides to several effectors, laid out for speed: hands, both arms of a robot.
// Joint frames and units are those of chain.h. The normal equations are sparse in the way of the tree:
// joints of different branches share no entry, and elimination from the tips to the root makes none;
// Featherstone (2005). A row holds a joint's ancestors by their depth, so all inner loops run over
// neighbouring numbers.

#include "base/memory.h"
#include "math/lanes.h"
#include "math/symmetric3.h"
#include "solve/state.h"

/// Entries of the matrix that a layout may have; larger trees are left to the general method.
#define SNW_BRANCH_ENTRIES 4096
/// Joints that several tips may share where each tip's own are eliminated by its rows.
#define SNW_MAX_TRUNK 8

typedef struct snw_BranchJoint {
    int parent; // -1: carried by what nothing moves
    int depth;  // ancestors
    int child_count;
    int row;   // where its row of the matrix starts; depth + 1 entries
    int base;  // a root: the link that carries it, -1 for the world
    int trunk; // place among the joints that several tips share, -1: moves one tip at most
    bool slide;
    bool kept;                           // not drawn anew
    bool has_before;                     // the turn about z before the one about x is not zero
    double offset_x, offset_y, offset_z; // from the parent's moved frame, L
    double before_sine, before_cosine;   // of the turn about z that follows
    double sine, cosine;                 // and of the one about x
} snw_BranchJoint;

typedef struct snw_BranchTip {
    int joint;  // the last one that moves it
    int column; // where its columns start: one for each joint on the way, the root first
    int shared; // joints of the way that move other tips, too; those of the limb follow
    bool position, orientation;
    sinew_Vec3 offset;                          // the point in the joint's moved frame, L
    sinew_Mat3 effector_from_joint;             // the joint's moved frame against the effector's
    sinew_Vec3 target;                          // world, L
    sinew_Mat3 target_frame;                    // where the joint's moved frame should be
    double position_weight, orientation_weight; // of errors in L and radians
    sinew_Vec3 point;                           // in the pose measured last
    sinew_Vec3 position_error, chord;           // unweighted: L, and chords of rotations
    double position_error2, chord2;
    double drawn_error2;                 // the least of the draws
    sinew_Vec3 start_error, start_chord; // of the pose that the step starts from
    sinew_Vec3 linear, angular;          // what is left of them, weighted
    snw_Symmetric3 inverse;              // of what the limb can do for them, damped
} snw_BranchTip;

typedef struct snw_Branches {
    int count; // joints; 0: the plan is no such tree
    int groups, tip_count;
    int trunk_count; // joints that several tips share
    bool has_limbs;  // each tip has joints enough of its own, see snw_branch_limbs_solve
    double reach;
    snw_BranchJoint *joints;
    snw_BranchTip *tips;
    int *path; // joints from the root to each, itself last, from where its row starts
    double *angle, *lower, *upper;
    sinew_Mat3 *root_turn; // of roots: frame and origin against what carries them, L
    sinew_Vec3 *root_offset;

    // the pose measured last; of roots, also the frame before it is moved
    double *sine, *cosine;
    sinew_Mat3 *frame, *root_frame;
    sinew_Vec3 *origin, *root_origin;

    // the linear model; columns by tip, then by joint on its way
    double *x, *y, *z, *turn_x, *turn_y, *turn_z;
    double *matrix, *force, *change, *free;
} snw_Branches;

void snw_branches_take(snw_Branches *branches, snw_Sizes sizes, snw_Arena *arena);

/// Lay out a plan; branches->count is 0 when it has balls, mobilities, or too large a matrix.
void snw_branches_build(snw_Branches *branches, const snw_Plan *plan);

/// Take the ranges and goals of this solve over; carrier: the state that has the links which nothing
/// moves.
void snw_branches_begin(snw_Branches *branches, const snw_Plan *plan, const snw_Targets *targets,
    sinew_LimitMode limits, const snw_State *carrier);

/// Values of a state to joint values and back; a value on its bound is the bound.
void snw_branches_load(
    snw_Branches *branches, const snw_Plan *plan, const double *values, double *joints);
void snw_branches_store(
    const snw_Branches *branches, const snw_Plan *plan, const double *joints, double *values);

// as those of chains
double snw_branches_measure(snw_Branches *branches, const double *joints);
void snw_branches_linearize(snw_Branches *branches);
double snw_branches_step(snw_Branches *branches, const double *joints, double damping,
    double *moved, double *out_largest);

/// Decide what the next start keeps of the pose measured last: trunk and limbs whose tips have less than a
/// share of the error; of no such limb, nothing.
void snw_branches_keep_limbs(snw_Branches *branches, double share);

/// Take what one draw, joint values, is good for: joints that are not kept take the first; limbs also a
/// later one when it brings their tips nearer to the goals. Measures; drawn receives the pose measured.
void snw_branches_take_draw(snw_Branches *branches, bool first, double *drawn, double *joints);

/// Mark trunk and limbs of a layout; has_limbs where snw_branch_limbs_solve can take it.
void snw_branch_limbs_lay_out(snw_Branches *branches);

/// The changes of a damped step from the errors that are left, as the tree's matrix gives them, for
/// goals of place: each limb is eliminated by the three rows of its tip, not by its joints. What is left
/// is one small system for the trunk. false: some limb is all but singular, and change is not set.
bool snw_branch_limbs_solve(snw_Branches *branches, double damping);

#endif
