#ifndef SNW_TWO_BONE_H
#define SNW_TWO_BONE_H

// Legs and arms to a place, in closed form: three hinges in one point, two bones, a hinge between
// them. The middle joint follows from the law of cosines; what is left free, the limb's turn about the
// line from root to tip, is chosen inside the limits and nearest to where it is.

#include "solve/chain.h"
#include "solve/limb.h"

typedef struct snw_TwoBone {
    bool fits; // a chain is such a limb
    double even, a,
        b; // the square of its length is even + 2 (a cos + b sin) of the middle joint's turn
} snw_TwoBone;

snw_TwoBone snw_two_bone_find(const snw_Chain *chain);

/// Joint values that bring the tip to the chain's target within all ranges, or as near as a limb can be,
/// from where they are, which was measured last.
snw_LimbAnswer snw_two_bone_solve(const snw_TwoBone *bones, const snw_Chain *chain, double *joints);

#endif
