#include "solve/active_set.h"
#include "solve/method_table.h"

// Damped least squares: step = (J^T J + lambda^2)^-1 J^T e; Hoang (2014), eq. 2-5. The automatic
// lambda^2 follows the error, Sugihara (2011), and grows while steps are taken back.

static double damping_squared(const snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    double reach2 = solve->plan.reach * solve->plan.reach;
    if (o->damping >= 0.0) {
        // a fixed lambda is the user's; only a step that was taken back adds to it
        double lambda2 = o->damping * o->damping * solve->targets.weight_unit;
        return solve->boost > 1.0 ? lambda2 * solve->boost + 1e-9 * reach2 * solve->boost : lambda2;
    }
    double error2 = 2.0 * solve->current->goal_objective;
    return solve->boost * (o->damping_gain * error2 + o->damping_floor * reach2);
}

static bool solve_linear(snw_Solve *solve)
{
    if (solve->plan.has_constraint) { return snw_constrained_solve(solve); }
    return snw_linear_solve(
        &solve->linear, &solve->plan, &solve->targets, solve->current, solve->report.form);
}

// the step at this damping; where rank is missing and there is none to speak of, at the smallest
// that factors
static bool solve_once(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    if (solve_linear(solve)) { return true; }
    ++solve->report.singular_steps;
    double floor = 1e-8 * plan->reach * plan->reach;
    for (int tries = 0; tries < 8; ++tries, floor *= 100.0) {
        linear->lambda2 = floor;
        if (solve_linear(solve)) { return true; }
    }
    return false;
}

bool snw_step_damped_by(snw_Solve *solve, double lambda2)
{
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    linear->lambda2 = lambda2;
    linear->stiffness = solve->targets.rest_weight + solve->targets.velocity_weight;
    linear->has_pull = linear->stiffness > 0.0;
    if (linear->has_pull) { snw_state_pull(plan, &solve->targets, solve->current, linear->pull); }

    sinew_LinearForm form = solve->form;
    if (form == SINEW_FORM_RECURSION && solve->options.form == SINEW_FORM_AUTO
        && linear->lambda2 + linear->stiffness < SNW_RECURSION_FLOOR * plan->reach * plan->reach) {
        form = snw_linear_choose(plan, false);
    }
    solve->report.form = form;
    return snw_active_solve(solve, solve_once, snw_form_needs_jacobian(form), true);
}

static bool take_step(snw_Solve *solve)
{
    return snw_step_damped_by(solve, damping_squared(solve));
}

static void set_defaults(sinew_SolveOptions *o)
{
    o->descent = true;
    o->stall_share = 1e-6;
}

const snw_MethodRow snw_method_dls = {
    .abilities = SNW_CAN_ALL,
    .step = take_step,
    .orientation_divisor = 3.0,
    .defaults = set_defaults,
};
