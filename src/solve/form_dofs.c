// The dense normal equations of the dofs.

#include "math/dense.h"
#include "math/holds.h"
#include "solve/form.h"

// take the fixed dofs out of the system: their steps go to the right side
static void fix_dofs(snw_Linear *linear, double *a, int n)
{
    SNW_ASSERT(n >= 0);
    for (int k = 0; k < n; ++k) {
        if (!linear->fixed[k]) { continue; }
        for (int i = 0; i < n; ++i) {
            double *entry = i < k ? &a[k * n + i] : &a[i * n + k];
            linear->step[i] -= *entry * linear->fixed_step[k];
            *entry = i == k ? 1.0 : 0.0;
        }
    }
    for (int k = 0; k < n; ++k) {
        if (linear->fixed[k]) { linear->step[k] = linear->fixed_step[k]; }
    }
}

// (J^T J + D) step = J^T e + pull
static bool solve(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    (void)targets;
    (void)state;
    int m = plan->row_count, n = plan->dof_count;
    double *a = linear->matrix;
    snw_product_dofs(linear->jacobian, m, n, m, NULL, a, n);
    for (int i = 0; i < n; ++i) {
        const double *column = &linear->jacobian[i * m];
        double sum = linear->has_pull ? linear->pull[i] : 0.0;
        for (int r = 0; r < m; ++r) { sum += column[r] * linear->error[r]; }
        linear->step[i] = sum;
        a[i * n + i] += snw_linear_damping(linear, plan, i);
    }
    if (linear->any_fixed) { fix_dofs(linear, a, n); }
    if (!snw_cholesky_factor(a, n, n, SNW_PIVOT_FLOOR)) { return false; }
    snw_cholesky_solve(a, n, n, linear->step);
    return true;
}

static double count_flops(const snw_Plan *plan)
{
    double m = plan->row_count, n = plan->dof_count;
    return m * n * (n + 2.0) + n * n * n / 3.0 + 4.0 * n * m + 2.0 * n * n;
}

const snw_FormRow snw_form_dofs = {
    .solve = solve,
    .flops = count_flops,
    .reads_jacobian = true,
    .squares_dofs = true,
};
