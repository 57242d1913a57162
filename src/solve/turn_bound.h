#ifndef SNW_TURN_BOUND_H
#define SNW_TURN_BOUND_H

// max_joint_change of joints with several turning axes: each axis is bounded by its range already, and
// all together may still turn the joint by three times as much.

#include "solve/method.h"

/// Bring the joints of the current state that turned, as a whole, farther than max_joint_change back along
/// their way from the start; whether there was one. The state is posed and measured then, and no worse than
/// the start.
bool snw_bound_turns(snw_Solve *solve);

#endif
