#ifndef SNW_WALK_HALF_H
#define SNW_WALK_HALF_H

// Legs by positions alone. Three rows say where heel or toes are; how the foot is turned is left to
// limits that are tightened for the moment, the trailing heel to weights.
// Source: Meredith and Maddock (2004), figure 1.3, Walking and Other Motion Details.

#include "walk/walk_poser.h"

/// A heel that half rows lifted higher than planned comes back to the plan: while its foot strides, or
/// where it may not be free any longer. is_half: of this frame.
void snw_half_carry_lift(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool is_half,
    snw_WalkFootTarget *foot);

/// Get a leg ready for a half solve: tighten its limits about the angles that the foot asks for and set
/// its weights. The leg's coordinates start from the last frame.
void snw_half_prepare(
    snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, snw_WalkFootTarget *foot);

/// Give a leg its own limits and weights back, for full solves.
void snw_half_release(snw_WalkPoser *poser, int limb);

/// After the solve of a trailing leg: put a heel that sank below the ground back onto it (the toes
/// stay), bend the toes as the heel lifts, note how far it is above what was planned. The report is
/// that of both solves where the leg had to be solved again.
sinew_Status snw_half_finish(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, const sinew_Goal *goal, sinew_Report *report,
    sinew_Message *out_message);

#endif
