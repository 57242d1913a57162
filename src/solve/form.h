#ifndef SNW_FORM_H
#define SNW_FORM_H

// Forms of the linear step: a form is a row of SINEW_FORM_LIST and a file that defines snw_form_<word>.

#include "solve/linear.h"

/// A pivot this small against the largest diagonal means that rank is missing, not that digits are.
#define SNW_PIVOT_FLOOR 1e-13

/// Below this share of L^2 the recursion loses its digits to the cancellation in I - U U^T / d.
#define SNW_RECURSION_FLOOR 1e-7

typedef struct snw_FormRow {
    /// The step. false when the matrix is not positive definite (lambda2 too small).
    bool (*solve)(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
        const snw_State *state);
    /// Flops of one linear step, counted from the code.
    double (*flops)(const snw_Plan *plan);
    bool reads_jacobian;
    bool squares_dofs;  ///< its matrix has dofs squared entries
    bool needs_damping; ///< lambda2 must stay above SNW_RECURSION_FLOOR times L^2
} snw_FormRow;

double snw_linear_flops(const snw_Plan *plan, sinew_LinearForm form);

/// The cheapest form for a plan; those that need damping only where there is.
sinew_LinearForm snw_linear_choose(const snw_Plan *plan, bool has_damping);

/// Whether there is room for a form's matrix.
bool snw_form_fits(const snw_Plan *plan, sinew_LinearForm form);

/// Whether a form reads the Jacobian.
bool snw_form_needs_jacobian(sinew_LinearForm form);

/// The step, linear->step; false as above. AUTO: by rows.
bool snw_linear_solve(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, sinew_LinearForm form);

#endif
