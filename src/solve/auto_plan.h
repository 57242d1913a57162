#ifndef SNW_AUTO_PLAN_H
#define SNW_AUTO_PLAN_H

// What the default method keeps of a plan: the fastest exact way that it allows, and the search around it.

#include "solve/ball_limb.h"
#include "solve/branches.h"
#include "solve/chain.h"
#include "solve/closed.h"
#include "solve/reach.h"
#include "solve/search.h"
#include "solve/two_bone.h"

/// Starts of a chain, spread evenly over its ranges, with the places where they bring the effector.
#define SNW_SEED_COUNT 64
/// Longer chains are not helped by so few.
#define SNW_SEED_JOINTS 64
/// The seeds that are tried, nearest first, before random poses.
#define SNW_SEED_TRIES 4

typedef struct snw_Seeds {
    bool made;             // for the plan there is
    double *joints;        // SNW_SEED_COUNT poses
    double *lower, *upper; // the ranges that they were spread over
    sinew_Vec3 *position;
    sinew_Quat *rotation;
    int nearest[SNW_SEED_TRIES]; // to the goal of this solve
    int nearest_count;
} snw_Seeds;

/// What is searched.
typedef enum snw_Layout {
    SNW_LAYOUT_BODY, ///< anything, by the general state and linear step
    SNW_LAYOUT_BRANCHES,
    SNW_LAYOUT_CHAIN,
} snw_Layout;

typedef struct snw_Auto {
    snw_Layout layout; // of the plan there is
    snw_Chain chain;
    snw_Branches branches;
    snw_TwoBone two_bone;   // the chain is a limb of two bones
    snw_BallLimb ball_limb; // or the body is
    snw_Closed closed;      // other closed forms of the chain
    snw_Seeds seeds;
    snw_Search search;
    snw_Span *spans;     // scratch, by link
    snw_State *measured; // of a body: the state that was measured last
    double *joints;
    bool posed; // the joints are those that the chain has measured last
} snw_Auto;

void snw_auto_take(snw_Auto *method, snw_Sizes sizes, snw_Arena *arena);

/// There is a new plan.
void snw_auto_plan(snw_Auto *method, const snw_Plan *plan);

#endif
