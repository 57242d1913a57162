#ifndef SNW_BALL_LIMB_H
#define SNW_BALL_LIMB_H

// Legs and arms whose root is a ball, to a place, in closed form: the middle hinge by the law of
// cosines, the ball by the shortest turn from where it is; where its limit forbids that, the limb is
// turned about the line from root to tip until the limit lets it, as little as need be.

#include "solve/limb.h"
#include "solve/state.h"

/// Whether a plan is such a limb: a ball, a hinge, one goal of position; joints at the tip do not move
/// it.
bool snw_ball_limb_fits(const snw_Plan *plan);

/// Values that bring the tip to its target within the limits, or as near as a limb can be, from a state
/// that is posed.
snw_LimbAnswer snw_ball_limb_solve(const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, bool limits, double *values);

#endif
