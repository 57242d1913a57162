#ifndef SNW_WALK_HALF_H
#define SNW_WALK_HALF_H

// Legs by positions alone: three rows say where the ankle is, or the toes of a foot whose heel is free. What
// they leave open is kept plausible by ranges that are tightened for the moment, about where the leg is
// headed; the ankle then turns the foot as far as it goes. Nothing here solves a leg: the loop does, and lays the
// ranges anew in every pose (solve/follow.h).
//
//     a foot that strides or lies   goal: its ankle. Thigh's twist within a range about the heading
//     a foot on its toes alone      goal: its toes. The same, and the ankle's roll within a range about the
//                                   sole's; its pitch about what is planned, so weights decide when the heel comes up
//
// Source: Meredith and Maddock (2004), figure 1.3, half over full, Walking and Other Motion Details.

#include "walk/walk_poser.h"

/// A heel that half rows left where it is not planned comes back, a little a frame, where they are not asked any more.
/// is_half: of this frame.
void snw_half_carry_heel(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb, bool is_half,
    snw_WalkFootTarget *foot);

/// Give a leg its own ranges and weights back, for full solves.
void snw_half_release(snw_WalkPoser *poser, int limb);

/// Solve a leg, from its pose in q, by positions alone, and turn its foot as far as the ankle goes. A leg that
/// does not reach its goal is solved again by its ankle, then in the ranges of its joints alone, and told in
/// foot->told.solve_count; goal and report are then of the last solve. What is in report counts as well.
sinew_Status snw_half_solve(snw_WalkPoser *poser, const snw_WalkLegBody *leg, int limb,
    snw_WalkFootTarget *foot, sinew_Goal *goal, sinew_Report *report, sinew_Message *out_message);

#endif
