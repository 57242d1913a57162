#ifndef SNW_ACTIVE_SET_H
#define SNW_ACTIVE_SET_H

// Limits inside the step: what a limit holds is taken out of the linear system, so that the other
// dofs make up for it. Projected Newton, Bertsekas (1982); one further solve a step is enough.

#include "solve/method.h"

/// Before the step: with the active set, fix each dof that stands on its bound and is pushed outward;
/// otherwise let all free. Reads the Jacobian when the step's form has one.
void snw_active_begin(snw_Solve *solve, bool has_jacobian);

/// After the step: fix each free dof that would pass its bound, with a step that ends on it. Returns
/// whether any was; the step has to be solved again then.
bool snw_active_stop(snw_Solve *solve);

#endif
