#include "solve/active_set.h"
#include "solve/method_table.h"

// step = alpha J^T e with the alpha that brings J step closest to e:
// alpha = <e, J J^T e> / <J J^T e, J J^T e>
static bool solve_once(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    int m = plan->row_count;
    double *image = linear->vector;
    for (int r = 0; r < m; ++r) { image[r] = 0.0; }
    for (int i = 0; i < plan->dof_count; ++i) {
        const double *column = &linear->jacobian[i * m];
        double force = 0.0;
        for (int r = 0; r < m; ++r) { force += column[r] * linear->error[r]; }
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->step[i] = fixed ? 0.0 : plan->mobility[i] * force;
        for (int r = 0; r < m; ++r) { image[r] += column[r] * linear->step[i]; }
    }
    double along = 0.0, square = 0.0;
    for (int r = 0; r < m; ++r) {
        along += linear->error[r] * image[r];
        square += image[r] * image[r];
    }
    // no force left: the error is orthogonal to everything the joints can do
    if (!(square > 0.0)) { return false; }
    for (int i = 0; i < plan->dof_count; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->step[i] = fixed ? linear->fixed_step[i] : linear->step[i] * (along / square);
    }
    return true;
}

static bool take_step(snw_Solve *solve)
{
    solve->linear.has_pull = false;
    return snw_active_solve(solve, solve_once, true, false);
}

static void set_defaults(sinew_SolveOptions *o)
{
    o->max_iterations = 1000;
}

const snw_MethodRow snw_method_transpose = {
    .abilities = SNW_CAN_RELATE,
    .step = take_step,
    .orientation_divisor = 3.0,
    .defaults = set_defaults,
};
