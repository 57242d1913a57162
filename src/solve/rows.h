#ifndef SNW_ROWS_H
#define SNW_ROWS_H

// What the goals ask of the linear step: errors and the Jacobian's rows.

#include "solve/linear.h"

/// Scaled error of the state, each goal's position part no longer than longest metres.
void snw_linear_set_error(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, double longest);

/// Analytic Jacobian of the state, scaled.
void snw_linear_set_jacobian(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state);

#endif
