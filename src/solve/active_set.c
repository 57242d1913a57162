#include "solve/active_set.h"

static void fix(snw_Linear *linear, int dof, double step)
{
    linear->fixed[dof] = 1;
    linear->fixed_step[dof] = step;
    linear->any_fixed = true;
}

void snw_active_begin(snw_Solve *solve, bool has_jacobian)
{
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    linear->any_fixed = false;
    if (solve->options.limits != SINEW_LIMITS_ACTIVE) { return; }
    snw_linear_release(linear, plan);
    snw_linear_set_force(linear, plan, &solve->targets, solve->current, has_jacobian);
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        int d = link->dof;
        if (d < 0 || link->motion == SNW_BALL) { continue; }
        double value = solve->current->values[link->value];
        bool held = (value <= plan->near_lower[d] && linear->force[d] < 0.0)
            || (value >= plan->near_upper[d] && linear->force[d] > 0.0);
        if (held) { fix(linear, d, 0.0); }
    }
}

bool snw_active_stop(snw_Solve *solve)
{
    if (solve->options.limits != SINEW_LIMITS_ACTIVE) { return false; }
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    bool stopped = false;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        int d = link->dof;
        if (d < 0 || link->motion == SNW_BALL || linear->fixed[d]) { continue; }
        double value = solve->current->values[link->value];
        double next = value + linear->step[d];
        if (next >= plan->lower[d] && next <= plan->upper[d]) { continue; }
        fix(linear, d, (next < plan->lower[d] ? plan->lower[d] : plan->upper[d]) - value);
        stopped = true;
    }
    return stopped;
}
