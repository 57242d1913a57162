#include "solve/form.h"

#define DECLARE(name, word) extern const snw_FormRow snw_form_##word;
SINEW_FORM_LIST(DECLARE)

// none of its own: whoever asks for it is given another
const snw_FormRow snw_form_auto = { .solve = NULL };

#define ROW(name, word) [name] = &snw_form_##word,
static const snw_FormRow *const form_rows[] = { SINEW_FORM_LIST(ROW) };

double snw_linear_flops(const snw_Plan *plan, sinew_LinearForm form)
{
    return form_rows[form]->flops != NULL ? form_rows[form]->flops(plan) : 0.0;
}

sinew_LinearForm snw_linear_choose(const snw_Plan *plan, bool has_damping)
{
    bool by_rows = snw_form_fits(plan, SINEW_FORM_ROWS);
    sinew_LinearForm best = by_rows ? SINEW_FORM_ROWS : SINEW_FORM_RECURSION;
    double cost = snw_linear_flops(plan, best);
    for (int f = SINEW_FORM_AUTO + 1; f < SINEW_FORM_COUNT; ++f) {
        sinew_LinearForm form = (sinew_LinearForm)f;
        if (!snw_form_fits(plan, form) || (form_rows[f]->needs_damping && !has_damping)) {
            continue;
        }
        double other = snw_linear_flops(plan, form);
        if (other < cost) {
            cost = other;
            best = form;
        }
    }
    return best;
}

bool snw_form_fits(const snw_Plan *plan, sinew_LinearForm form)
{
    const snw_FormRow *row = form_rows[form];
    return (!row->squares_dofs || plan->dof_count <= SNW_MOST_SQUARE_DOFS)
        && (!row->reads_jacobian || snw_linear_is_dense(plan));
}

bool snw_form_needs_jacobian(sinew_LinearForm form)
{
    return form_rows[form]->reads_jacobian;
}

bool snw_linear_solve(snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets,
    const snw_State *state, sinew_LinearForm form)
{
    const snw_FormRow *row = form_rows[form == SINEW_FORM_AUTO ? SINEW_FORM_ROWS : form];
    return row->solve(linear, plan, targets, state);
}
