#ifndef SNW_SOFT_REACH_H
#define SNW_SOFT_REACH_H

// Goals near the end of a chain's reach, eased so that its joints do not snap straight.

#include "solve/soft_distance.h"
#include "solve/state.h"

/// What was done to one goal.
typedef struct snw_Ease {
    sinew_Vec3 way; // from the eased goal to the goal
    double cost;    // metres of it that are within reach
} snw_Ease;

/// Ease the position goals of a solve about to start; state has been posed and measured. limits: ranges
/// hold. out_ease is by effector. Returns how far the farthest goal that was eased is beyond reach,
/// metres; negative when none was eased, 0 when those that were are within reach.
double snw_soft_reach_apply(const snw_Plan *plan, const snw_State *state, double share, bool limits,
    snw_Targets *targets, snw_Ease *out_ease);

#endif
