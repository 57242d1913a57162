#include "solve/method_table.h"

// The loop that serves every method: measure, step, integrate, limit, measure; and the attempts from
// other starts around it.

// a step below this, radians, is no step
#define SMALLEST_STEP 1e-12
#define MAX_BOOST 1e12
// cosine of the angle between a step and the way back of the last, from which it leads back
#define LEADS_BACK 0.5

double snw_solve_cap_step(snw_Solve *solve, double *out_scale)
{
    const snw_Plan *plan = &solve->plan;
    double *step = solve->linear.step;
    double slide_unit = 1.0 / plan->reach;
    double largest2 = 0.0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        int d = link->dof;
        if (d < 0) { continue; }
        double size2 = step[d] * step[d];
        if (link->motion == SNW_BALL) {
            size2 += step[d + 1] * step[d + 1] + step[d + 2] * step[d + 2];
        } else if (!snw_motion_is_hinge(link->motion)) {
            size2 *= slide_unit * slide_unit;
        }
        largest2 = size2 > largest2 ? size2 : largest2;
    }
    double largest = sqrt(largest2);
    double scale = solve->options.step_scale;
    if (largest * scale > solve->options.max_joint_step) {
        scale = solve->options.max_joint_step / largest;
    }
    if (scale != 1.0) {
        for (int d = 0; d < plan->dof_count; ++d) { step[d] *= scale; }
    }
    *out_scale = scale;
    return largest * scale;
}

// give the trial state new values by a step or a sweep, pose and measure it; false: no way from here
static bool move(snw_Solve *solve, double *out_largest)
{
    const snw_Plan *plan = &solve->plan;
    const snw_MethodRow *method = snw_method(solve->options.method);
    if (method->sweep != NULL) {
        *out_largest = method->sweep(solve);
        return true;
    }
    if (method->step == NULL || !method->step(solve)) { return false; }
    double scale;
    *out_largest = snw_solve_cap_step(solve, &scale);
    // a step that was cut short does not reach what it was to end on
    bool whole = scale == 1.0 && solve->options.limits == SINEW_LIMITS_ACTIVE;
    snw_state_integrate(plan, solve->current, solve->linear.step, solve->options.limits,
        whole ? solve->holds : NULL, solve->trial);
    snw_state_forward(plan, solve->trial, plan->static_link_count);
    snw_state_measure(plan, &solve->targets, solve->trial);
    ++solve->report.forward_count;
    return true;
}

static void accept(snw_Solve *solve)
{
    snw_State *moved = solve->trial;
    solve->trial = solve->current;
    solve->current = moved;
    solve->fresh_jacobian = false;
    snw_linear_set_error(&solve->linear, &solve->plan, &solve->targets, solve->current,
        solve->options.max_target_step * solve->plan.reach);
}

static void keep_best(snw_Solve *solve)
{
    if (!(solve->current->objective < solve->best_objective)) { return; }
    solve->best_objective = solve->current->objective;
    snw_copy(solve->best_values, solve->current->values, solve->plan.value_count);
}

// After a step that was taken: less damping, unless the step leads back where the last one came from.
// Far from any goal the residual curves the valley more than the linear model knows; then steps leap
// from one of its sides to the other, each a little lower, and only damping stops them.
static void adapt_boost(snw_Solve *solve)
{
    const double *step = solve->linear.step;
    double *last = solve->linear.last_step;
    double along = 0.0, step2 = 0.0, last2 = 0.0;
    for (int d = 0; d < solve->plan.dof_count; ++d) {
        along += step[d] * last[d];
        step2 += step[d] * step[d];
        last2 += last[d] * last[d];
        last[d] = step[d];
    }
    bool leads_back = along < 0.0 && along * along > LEADS_BACK * LEADS_BACK * step2 * last2;
    double boost = solve->boost * (leads_back ? 4.0 : 0.3);
    solve->boost = boost > 1.0 ? boost : 1.0;
}

bool snw_solve_out_of_time(snw_Solve *solve)
{
    double budget = solve->options.time_budget;
    if (!solve->out_of_time && budget > 0.0) {
        solve->time_told = solve->clock(solve->clock_user);
        solve->out_of_time = solve->time_told - solve->start_time >= budget;
    }
    return solve->out_of_time;
}

static sinew_Outcome run_loop(snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    snw_linear_set_error(&solve->linear, &solve->plan, &solve->targets, solve->current,
        o->max_target_step * solve->plan.reach);

    // a joint that lets go of its limit may cost a sweep all its progress once
    const bool sweeps = snw_method(o->method)->sweep != NULL;
    int still_count = 0, still_limit = sweeps ? 2 : 1;
    for (;;) {
        int iteration = solve->report.iterations - solve->restart.iterations_before;
        if (iteration >= o->min_iterations && snw_solve_met_by(solve, solve->current)) {
            return SINEW_OUTCOME_CONVERGED;
        }
        if (iteration >= o->max_iterations) { return SINEW_OUTCOME_OUT_OF_ITERATIONS; }
        if (snw_solve_out_of_time(solve)) { return SINEW_OUTCOME_OUT_OF_TIME; }
        ++solve->report.iterations;

        double largest;
        if (!move(solve, &largest)) { return SINEW_OUTCOME_STALLED; }
        double before = solve->current->objective, after = solve->trial->objective;
        if (o->descent && !(after <= before)) {
            // the model promised too much: damp more and try again from the same pose
            ++solve->report.rejections;
            solve->boost *= 10.0;
            // a sweep knows no damping; it grows by rounding alone, at the end of its way
            if (solve->boost > MAX_BOOST || largest < SMALLEST_STEP || sweeps) {
                return SINEW_OUTCOME_STALLED;
            }
            continue;
        }
        // a pose that is not finite would be an error of ours; it is never taken
        if (!isfinite(after)) { return SINEW_OUTCOME_STALLED; }
        bool still = before - after < o->stall_share * before && o->stall_share > 0.0;
        bool met = snw_solve_met_by(solve, solve->trial);
        // no way to go from the start: it stays as it is, so that a held goal leaves a still pose
        if (still && !met && iteration == 0 && o->descent && o->min_iterations == 0) {
            return SINEW_OUTCOME_STALLED;
        }
        accept(solve);
        if (o->descent) {
            adapt_boost(solve);
        } else {
            keep_best(solve);
        }
        int traced = solve->report.iterations - 1;
        if (traced < solve->trace_capacity) {
            solve->trace[traced] = sqrt(solve->current->position_error2);
        }
        still_count = still ? still_count + 1 : 0;
        bool stalled = still_count >= still_limit;
        if ((stalled || largest < SMALLEST_STEP) && iteration + 1 >= o->min_iterations && !met) {
            return SINEW_OUTCOME_STALLED;
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Attempts

// pose and measure the current values
static void pose_current(snw_Solve *solve)
{
    snw_state_forward(&solve->plan, solve->current, solve->plan.static_link_count);
    snw_state_measure(&solve->plan, &solve->targets, solve->current);
    ++solve->report.forward_count;
}

void snw_solve_return_to(snw_Solve *solve, const double *values)
{
    snw_copy(solve->current->values, values, solve->plan.value_count);
    pose_current(solve);
}

// one run of the loop from the current state
static sinew_Outcome run_attempt(snw_Solve *solve)
{
    bool descent = solve->options.descent;
    solve->boost = 1.0;
    for (int d = 0; d < solve->plan.dof_count; ++d) { solve->linear.last_step[d] = 0.0; }
    solve->fresh_jacobian = false;
    solve->best_objective = INFINITY;
    solve->restart.iterations_before = solve->report.iterations;
    if (!descent) { keep_best(solve); }
    sinew_Outcome outcome = run_loop(solve);
    // a pose that meets every goal is the answer, even where one seen before had a smaller sum of errors
    bool met = outcome == SINEW_OUTCOME_CONVERGED;
    if (!descent && !met && solve->current->objective > solve->best_objective) {
        snw_solve_return_to(solve, solve->best_values);
    }
    return outcome;
}

// attempts until one meets the goals; the best of them is left as the current state
sinew_Outcome snw_solve_run(snw_Solve *solve)
{
    snw_Restart *restart = &solve->restart;
    restart->best_attempt = -1;
    sinew_Outcome outcome = run_attempt(solve);
    // without iterations the pose given is the answer, and no other start is looked at
    int last = solve->options.max_iterations > 0 ? solve->options.restarts : 0;
    for (int attempt = 0; last > 0; ++attempt) {
        snw_restart_keep(restart, &solve->plan, attempt, solve->current, outcome);
        bool over = outcome == SINEW_OUTCOME_CONVERGED || outcome == SINEW_OUTCOME_OUT_OF_TIME;
        if (over || attempt == last) { break; }
        snw_restart_next(restart, &solve->plan, &solve->options, &solve->targets, attempt + 1,
            solve->current->values);
        pose_current(solve);
        outcome = run_attempt(solve);
        ++solve->report.restarts;
    }
    if (restart->best_attempt > 0) { solve->report.found_by = SINEW_FOUND_RESTART; }
    if (last == 0 || restart->best_attempt == solve->report.restarts) { return outcome; }
    snw_solve_return_to(solve, restart->best_values);
    return outcome == SINEW_OUTCOME_OUT_OF_TIME ? outcome : restart->best_outcome;
}
