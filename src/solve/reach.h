#ifndef SNW_REACH_H
#define SNW_REACH_H

// How far and how near the effector of a chain can get to where the chain begins.

#include "solve/state.h"

typedef struct snw_Reach {
    bool known;       // false: the chain slides, or nothing of it moves
    sinew_Vec3 pivot; // where its first moving joint is, world
    double longest;   // metres; exact for one hinge between pivot and effector, else a bound
    double shortest;  // the same for folding
    int inner_count;  // places between the two where it bends
} snw_Reach;

/// Reach of one effector; state has been posed. limits: ranges of the hinge between hold. O(depth).
snw_Reach snw_reach(const snw_Plan *plan, const snw_State *state, int effector, bool limits);

/// The chain from the first link that moves down to a link.
typedef struct snw_Span {
    int first;
    double longest; // metres, by its bones and by the way of its slides
} snw_Span;

/// Whether some goal of place is farther from where its chain begins than the bones and slides between are
/// long, by more than the tolerance, metres: then no pose meets it. carrier: the state that has the links
/// which nothing moves. limits: ranges of slides hold; without them nothing bounds those. out_least2: what
/// no pose brings the sum of squared, scaled errors below. spans: scratch, by link. O(links + goals).
bool snw_reach_is_passed(const snw_Plan *plan, const snw_Targets *targets, const snw_State *carrier,
    bool limits, double tolerance, snw_Span *spans, double *out_least2);

#endif
