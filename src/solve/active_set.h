#ifndef SNW_ACTIVE_SET_H
#define SNW_ACTIVE_SET_H

// Limits inside the step: what a limit holds is taken out of the linear system, so that the other
// dofs make up for it. Projected Newton, Bertsekas (1982); one further solve a step is enough.

#include "solve/method.h"

/// Solve a step of a method, linear.step, within the limits.
///
/// With the active set: fix each dof that stands on its bound and is pushed outward, and the
/// directions of balls that their limits hold; call solve_once; fix what would pass a limit with a
/// step that ends on it; and call solve_once again if there was any. In the other modes: call it
/// once. has_jacobian says whether solve_once reads the Jacobian, which is brought up to date first.
/// again false is for steps along the gradient: ranges only crop them (the projected gradient), balls
/// are held, and the second solve is left out.
/// Returns false when solve_once does.
bool snw_active_solve(
    snw_Solve *solve, bool (*solve_once)(snw_Solve *solve), bool has_jacobian, bool again);

/// The same for steps whose force is not that of F, as within the null space of higher levels: nothing
/// is held beforehand; what a pass would take past its limit is fixed for the next one.
bool snw_active_solve_passes(
    snw_Solve *solve, bool (*solve_once)(snw_Solve *solve), int max_passes);

#endif
