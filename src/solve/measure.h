#ifndef SNW_SOLVE_MEASURE_H
#define SNW_SOLVE_MEASURE_H

// How far a pose is from its goals.

#include "solve/state.h"

/// Errors and F from the transforms. O(effectors), and O(links) with rest or velocity weights.
void snw_state_measure(const snw_Plan *plan, const snw_Targets *targets, snw_State *state);

#endif
