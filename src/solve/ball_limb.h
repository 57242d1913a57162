#ifndef SNW_BALL_LIMB_H
#define SNW_BALL_LIMB_H

// Arms and legs whose root is a ball, in closed form: a ball, a hinge or a ball in the middle, and the tip
// to a place, or a ball at the end and that to a pose. The middle bends by the law of cosines. What is
// left is the swivel about the line from root to tip, and of two balls the roll of either bone; of these
// the limits leave arcs, in which the values nearest to the pose given are taken.

#include "solve/limb.h"
#include "solve/state.h"

typedef struct snw_BallLimb {
    bool fits;             // a plan is such a limb
    bool pose;             // to a pose, by a ball at its end; else to a place
    int root, middle, end; // links; -1: no joint at the end
    // whether limits count from the bones, as it was found when the plan's had been set so often
    bool along;
    unsigned range_count;
} snw_BallLimb;

/// Whether a plan is such a limb with one goal; joints at the tip of one to a place do not move it.
snw_BallLimb snw_ball_limb_find(const snw_Plan *plan);

/// Whether the limits of two balls count from the bones, as the form takes them to. state: any that is
/// posed.
bool snw_ball_limb_is_along(
    const snw_BallLimb *shape, const snw_Plan *plan, const snw_State *state);

/// Values that bring the tip to its target within the limits, from others; of a hinge to a place, or as
/// near as a limb can be. state: any pose that is posed.
snw_LimbAnswer snw_ball_limb_solve(snw_BallLimb *shape, const snw_Plan *plan,
    const snw_Targets *targets, const snw_State *state, bool limits, double *values);

#endif
