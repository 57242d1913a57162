#ifndef SNW_ANSWERS_H
#define SNW_ANSWERS_H

// What closed forms tell beyond one answer; inside the solver.

#include "sinew/answers.h"

/// Prepare a solve of one goal with the default method, and nothing of its search; solver.c.
sinew_Status snw_solver_begin(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, sinew_Message *message);

/// The nearest pose to q, inside the limits, that meets the goal on another branch than the one that q
/// stands on or next to: where to go when that ends. out_q receives q with the limb's coordinates
/// changed, out_way the largest way of a joint, radians. false: there is none, or no closed form; then
/// nothing is written. q need not meet the goal. Never allocates; 1 to 6 microseconds.
bool snw_solver_other_branch(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, double *out_q, double *out_way);

#endif
