#include "math/dense.h"
#include "math/holds.h"
#include "solve/active_set.h"
#include "solve/method.h"

// Strict priorities, level by level. The highest level is solved by the loop that serves every solve,
// as if it were alone. Then what it measures is pinned where it stands, met or not, and the next level
// takes damped steps within the null space of the pinned rows; limits take dofs out of all of them.
// A step is brought back to the pinned places by Newton steps of least length before it is judged, and
// taken when it lessens the level's own F; else it is damped more. So a lower level never moves a
// higher one, also where that is out of reach, singular, or held by limits.
// Projection: Siciliano and Slotine (1991); active limits and the restoring are ours.

// pinned rows are brought back to within this, radians and shares of the reach
#define PINNED 1e-8
#define MAX_RESTORING 16
// passes of the active set in one step
#define MAX_PASSES 12
// share of the largest pinned row that is added to all of them
#define REDUNDANT 1e-12
#define MAX_BOOST 1e10
#define SMALLEST_STEP 1e-10
// steps in a row with little gain that end a level, and the share of F that is little
#define STILL_STEPS 3
#define LITTLE_GAIN 1e-4
// steps of a lower level, however many iterations there are: those that bring it back count as well
#define MAX_LEVEL_ITERATIONS 200

void snw_levels_take(snw_Levels *levels, snw_Sizes sizes, snw_Arena *arena)
{
    size_t goals = (size_t)sizes.goals, dofs = (size_t)sizes.dofs;
    size_t rows = 6 * goals;
    size_t held = rows < SNW_MAX_CONSTRAINT_ROWS ? rows : SNW_MAX_CONSTRAINT_ROWS;
    levels->level = snw_arena_take(arena, goals, sizeof *levels->level);
    levels->position_scale = snw_arena_take(arena, goals, sizeof(double));
    levels->orientation_scale = snw_arena_take(arena, goals, sizeof(double));
    snw_state_take(&levels->pinned, sizes, arena);
    snw_state_take(&levels->spare, sizes, arena);
    levels->rows = snw_arena_take(arena, snw_linear_room(rows, dofs), sizeof(double));
    levels->errors = snw_arena_take(arena, rows, sizeof(double));
    levels->columns = snw_arena_take(arena, held * dofs, sizeof(double));
    levels->between = snw_arena_take(arena, 2 * held * held, sizeof(double));
}

// let the goals of the levels up to one count, and the rest posture of that one
static void open_levels(snw_Solve *solve, int last)
{
    snw_Levels *levels = &solve->levels;
    snw_Targets *targets = &solve->targets;
    levels->now = last;
    targets->rest_weight = levels->rest_weight[last];
    for (int g = 0; g < solve->plan.effector_count; ++g) {
        bool counts = levels->level[g] <= last;
        targets->position_scale[g] = counts ? levels->position_scale[g] : 0.0;
        targets->orientation_scale[g] = counts ? levels->orientation_scale[g] : 0.0;
    }
    solve->fresh_jacobian = false;
}

void snw_levels_prepare(snw_Solve *solve, const sinew_Goal *goals, int goal_count)
{
    SNW_ASSERT(goal_count >= 0);
    snw_Levels *levels = &solve->levels;
    bool used[SINEW_MAX_PRIORITY + 1] = { false };
    int first = goals[0].priority;
    bool equal = true;
    for (int g = 0; g < goal_count; ++g) {
        used[goals[g].priority] = true;
        equal = equal && goals[g].priority == first;
    }
    levels->count = 1;
    if (equal) { return; }

    int place[SINEW_MAX_PRIORITY + 1], count = 0;
    for (int p = 0; p <= SINEW_MAX_PRIORITY; ++p) {
        place[p] = count;
        count += used[p] ? 1 : 0;
    }
    levels->count = count;
    const snw_Targets *targets = &solve->targets;
    double length2 = targets->orientation_length * targets->orientation_length
        * targets->weight_unit;
    for (int k = 0; k < count; ++k) {
        levels->rest_weight[k] = solve->options.rest_weight * targets->weight_unit;
    }
    for (int g = 0; g < goal_count; ++g) {
        int level = place[goals[g].priority];
        levels->level[g] = (unsigned char)level;
        levels->position_scale[g] = targets->position_scale[g];
        levels->orientation_scale[g] = targets->orientation_scale[g];
        if (goals[g].kind == SINEW_GOAL_REST) {
            levels->rest_weight[level] += length2 * goals[g].orientation_weight;
        }
    }
    // what the pose given is measured by is as if there were no other
    open_levels(solve, 0);
}

// ---------------------------------------------------------------------------------------------
// One step

// Rows of the levels at work, pinned ones first, dof by dof, and their errors less what the given
// steps make up for. Pinned rows come in metres and reaches, whatever their goals weigh. Returns their
// number.
static int gather_rows(snw_Solve *solve, double *out_rows, double *out_errors, int *out_pinned)
{
    const snw_Levels *levels = &solve->levels;
    const snw_Plan *plan = &solve->plan;
    const snw_Linear *linear = &solve->linear;
    int n = plan->dof_count, m = plan->row_count, total = 0;
    int last = levels->restoring ? levels->now - 1 : levels->now;
    for (int g = 0; g < plan->effector_count; ++g) {
        int count;
        (void)snw_goal_rows(plan, g, &count);
        total += levels->level[g] <= last ? count : 0;
    }
    int at = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int g = 0; g < plan->effector_count; ++g) {
            bool pinned = levels->level[g] < levels->now;
            if (levels->level[g] > last || pinned != (pass == 0)) { continue; }
            int count, first = snw_goal_rows(plan, g, &count);
            for (int r = 0; r < count; ++r, ++at) {
                double scale = snw_goal_row_scale(plan, &solve->targets, g, r), unit = 1.0;
                if (pinned && scale > 0.0) {
                    bool metres = r < snw_goal_position_rows(plan, g);
                    unit = (metres ? 1.0 : plan->reach) / scale;
                }
                double left = linear->error[first + r];
                for (int i = 0; i < n; ++i) {
                    double entry = linear->jacobian[i * m + first + r];
                    out_rows[i * total + at] = unit * entry;
                    if (linear->any_fixed && linear->fixed[i]) {
                        left -= entry * linear->fixed_step[i];
                    }
                }
                out_errors[at] = unit * left;
            }
        }
        if (pass == 0) { *out_pinned = at; }
    }
    return total;
}

// s / D by dof, 0 where a step is given
static void set_softness(snw_Linear *linear, const snw_Plan *plan, double scale)
{
    for (int i = 0; i < plan->dof_count; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->softness[i] = fixed ? 0.0 : scale / snw_linear_damping(linear, plan, i);
    }
}

// Minimise 1/2 |B step - e|^2 + 1/2 step^T D step - pull^T step under A step = b, A pinned: with
// C = (A; B), C S C^T + diag(mu, s) on the errors gives the forces, and step = S (pull / s + C^T f).
// Eliminating A first leaves B projected on the null space of A. mu is as good as 0; it stands for what
// rows that say the same leave.
static bool solve_at(snw_Solve *solve, double scale)
{
    SNW_ASSERT(scale >= 0.0);
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    double *rows = solve->levels.rows, *f = linear->vector, *a = linear->matrix;
    int n = plan->dof_count, pinned = 0;
    int m = gather_rows(solve, rows, f, &pinned);
    bool pulls = linear->has_pull && !solve->levels.restoring;
    set_softness(linear, plan, scale);
    for (int i = 0; i < n; ++i) {
        linear->step[i] = pulls ? linear->softness[i] * linear->pull[i] / scale : 0.0;
        for (int r = 0; pulls && r < m; ++r) { f[r] -= rows[i * m + r] * linear->step[i]; }
    }
    snw_product_rows(rows, m, n, m, linear->softness, a, m);
    double largest = 0.0;
    for (int r = 0; r < pinned; ++r) { largest = fmax(largest, a[r * m + r]); }
    for (int r = 0; r < m; ++r) {
        a[r * m + r] += r < pinned ? REDUNDANT * largest + 1e-300 : scale;
    }
    if (!snw_cholesky_factor(a, m, m, 0.0)) { return false; }
    snw_cholesky_solve(a, m, m, f);
    for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int r = 0; r < m; ++r) { sum += rows[i * m + r] * f[r]; }
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->step[i] = fixed ? linear->fixed_step[i]
                                : linear->step[i] + linear->softness[i] * sum;
    }
    return true;
}

static bool solve_once(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    double floor = 1e-8 * solve->plan.reach * solve->plan.reach;
    for (int tries = 0; tries < 8; ++tries, floor *= 100.0) {
        double scale = linear->lambda2 + linear->stiffness;
        if (scale > 0.0 && solve_at(solve, scale)) { return true; }
        linear->lambda2 = floor;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Pinned places

// what the pinned rows should make up for, into their errors; returns the largest, in shares of the
// reach and radians
static double set_pinned_error(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    snw_Levels *levels = &solve->levels;
    double largest = 0.0;
    for (int g = 0; g < plan->effector_count; ++g) {
        if (levels->level[g] >= levels->now) { continue; }
        int count, first = snw_goal_rows(plan, g, &count), task = plan->effectors[g].task;
        double *error = &solve->linear.error[first];
        bool support = task >= 0 && plan->tasks[task].kind == SINEW_GOAL_SUPPORT;
        double moved[6], away[6], position2, chord2;
        // the way back, in the bases of the rows that are to make it
        snw_goal_moved(plan, &solve->targets, solve->current, &levels->pinned, g, moved);
        // and how far it is as seen from where they were pinned: there they have not faded since
        if (task >= 0) {
            snw_goal_moved(plan, &solve->targets, &levels->pinned, solve->current, g, away);
        }
        snw_goal_errors2(plan, &levels->pinned, g, &position2, &chord2);
        // a polygon only asks the centre to get no farther outside
        double outside2 = 0.0;
        if (support) { snw_goal_errors2(plan, solve->current, g, &outside2, &chord2); }
        double farther = outside2 > position2 ? 1.0 - sqrt(position2 / outside2) : 0.0;
        for (int r = 0; r < count; ++r) {
            double scale = snw_goal_row_scale(plan, &solve->targets, g, r);
            double left = support ? farther * solve->current->error[first + r] : moved[r];
            error[r] = scale * left;
            bool metres = r < snw_goal_position_rows(plan, g);
            double far = task < 0 || support ? fabs(left) : fmax(fabs(left), fabs(away[r]));
            double size = scale > 0.0 ? far / (metres ? plan->reach : 1.0) : 0.0;
            largest = fmax(largest, size);
        }
    }
    return largest;
}

static double cap_step(snw_Solve *solve, double most)
{
    const snw_Plan *plan = &solve->plan;
    double *step = solve->linear.step, largest = 0.0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        const double *s = &step[link->dof];
        double size = fabs(s[0]);
        if (link->motion == SNW_BALL) {
            size = sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
        } else if (!snw_motion_is_hinge(link->motion)) {
            size /= plan->reach;
        }
        largest = fmax(largest, size);
    }
    if (!(largest > most)) { return largest; }
    for (int d = 0; d < plan->dof_count; ++d) { step[d] *= most / largest; }
    return most;
}

// a step from the current state to another one
static void step_to(snw_Solve *solve, snw_State *to, bool whole)
{
    const snw_Plan *plan = &solve->plan;
    snw_state_integrate(plan, solve->current, solve->linear.step, solve->options.limits,
        whole && solve->options.limits == SINEW_LIMITS_ACTIVE ? solve->holds : NULL, to);
    snw_state_forward(plan, to, plan->static_link_count);
    snw_state_measure(plan, &solve->targets, to);
    ++solve->report.forward_count;
}

// Newton steps of the trial state until the levels above are where they were pinned; false when they
// cannot get there
static bool restore(snw_Solve *solve)
{
    snw_Levels *levels = &solve->levels;
    snw_State *start = solve->current;
    bool back = false;
    solve->current = solve->trial;
    levels->restoring = true;
    double last = INFINITY;
    for (int i = 0; i < MAX_RESTORING; ++i) {
        solve->fresh_jacobian = false;
        double left = set_pinned_error(solve);
        back = left <= PINNED;
        if (back || !isfinite(left) || (i > 3 && left > 0.9 * last)) { break; }
        last = left;
        bool spent = solve->report.iterations >= levels->last_iteration
            || snw_solve_out_of_time(solve);
        if (spent) { break; }
        if (!snw_active_solve_passes(solve, solve_once, MAX_PASSES)) { break; }
        ++solve->report.iterations; // it costs as much as the step that it brings back
        double largest = cap_step(solve, solve->options.max_joint_step);
        step_to(solve, &levels->spare, largest < solve->options.max_joint_step);
        snw_State next = levels->spare;
        levels->spare = *solve->current;
        *solve->current = next;
    }
    levels->restoring = false;
    solve->current = start;
    solve->fresh_jacobian = false;
    return back;
}

// ---------------------------------------------------------------------------------------------
// One level

static bool is_met(const snw_Solve *solve, int level)
{
    const snw_Targets *targets = &solve->targets;
    for (int g = 0; g < solve->plan.effector_count; ++g) {
        double position2, chord2;
        if (solve->levels.level[g] != level) { continue; }
        snw_goal_errors2(&solve->plan, solve->current, g, &position2, &chord2);
        if ((targets->position_scale[g] > 0.0 && position2 > solve->met_position2)
            || (targets->orientation_scale[g] > 0.0 && chord2 > solve->met_chord2)) {
            return false;
        }
    }
    return true;
}

// F of the level at work
static double level_objective(const snw_Solve *solve, const snw_State *state)
{
    double sum = 0.0;
    for (int g = 0; g < solve->plan.effector_count; ++g) {
        if (solve->levels.level[g] != solve->levels.now) { continue; }
        double position2, chord2;
        snw_goal_errors2(&solve->plan, state, g, &position2, &chord2);
        double position = solve->targets.position_scale[g];
        double orientation = solve->targets.orientation_scale[g];
        sum += position * position * position2 + orientation * orientation * chord2;
    }
    return 0.5 * sum + state->pull_objective;
}

static void set_damping(snw_Solve *solve, double objective)
{
    const sinew_SolveOptions *o = &solve->options;
    double reach2 = solve->plan.reach * solve->plan.reach;
    snw_Linear *linear = &solve->linear;
    linear->lambda2 = o->damping >= 0.0
        ? o->damping * o->damping * solve->targets.weight_unit * solve->boost
            + (solve->boost - 1.0) * 1e-9 * reach2
        : solve->boost * (o->damping_gain * 2.0 * objective + o->damping_floor * reach2);
    linear->stiffness = solve->targets.rest_weight + solve->targets.velocity_weight;
    linear->has_pull = linear->stiffness > 0.0;
    if (linear->has_pull) {
        snw_state_pull(&solve->plan, &solve->targets, solve->current, linear->pull);
    }
}

// one step of the level to the trial state; false when there is none
static bool try_step(snw_Solve *solve, double objective, double *out_largest)
{
    const sinew_SolveOptions *o = &solve->options;
    set_damping(solve, objective);
    snw_linear_set_error(&solve->linear, &solve->plan, &solve->targets, solve->current,
        o->max_target_step * solve->plan.reach);
    (void)set_pinned_error(solve);
    if (!snw_active_solve_passes(solve, solve_once, MAX_PASSES)) { return false; }
    double before = cap_step(solve, INFINITY);
    *out_largest = cap_step(solve, o->max_joint_step);
    step_to(solve, solve->trial, *out_largest == before);
    return true;
}

// What a level may spend of max_iterations, which is of all together: what is left, less what the lower
// ones should have. For the damped method it is of each attempt.
static int ceiling_of(const snw_Solve *solve, int max_iterations)
{
    int attempts = solve->options.method == SINEW_METHOD_AUTO ? 1 : 1 + solve->report.restarts;
    int lower = solve->levels.count - solve->levels.now - 1;
    int left = max_iterations * attempts - solve->report.iterations;
    int even = left / (lower + 1);
    return left - lower * (even < MAX_LEVEL_ITERATIONS ? even : MAX_LEVEL_ITERATIONS);
}

static sinew_Outcome run_level(snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    snw_Levels *levels = &solve->levels;
    double objective = level_objective(solve, solve->current);
    bool has_rest = levels->rest_weight[levels->now] > 0.0;
    solve->boost = 1.0;
    int still_count = 0;
    levels->last_iteration = solve->report.iterations + ceiling_of(solve, o->max_iterations);
    bool rejected = false;
    for (int iteration = 0;; ++iteration) {
        // a posture is never met; it goes on until it gets no better
        bool met = is_met(solve, levels->now);
        if (met && !has_rest && iteration >= o->min_iterations) { return SINEW_OUTCOME_CONVERGED; }
        sinew_Outcome end = met ? SINEW_OUTCOME_CONVERGED : SINEW_OUTCOME_STALLED;
        bool spent = iteration >= MAX_LEVEL_ITERATIONS
            || solve->report.iterations >= levels->last_iteration;
        if (spent) { return met ? end : SINEW_OUTCOME_OUT_OF_ITERATIONS; }
        if (snw_solve_out_of_time(solve)) { return SINEW_OUTCOME_OUT_OF_TIME; }
        ++solve->report.iterations;
        double largest;
        if (!try_step(solve, objective, &largest) || !(largest > SMALLEST_STEP)) { return end; }
        double after = restore(solve) ? level_objective(solve, solve->trial) : INFINITY;
        if (!(after <= objective)) {
            ++solve->report.rejections;
            rejected = true;
            solve->boost *= 10.0;
            if (solve->boost > MAX_BOOST) { return end; }
            continue;
        }
        still_count = objective - after < LITTLE_GAIN * objective ? still_count + 1 : 0;
        objective = after;
        snw_State *moved = solve->trial;
        solve->trial = solve->current;
        solve->current = moved;
        solve->fresh_jacobian = false;
        // what was needed once is needed again, until a step after it is taken at once
        if (!rejected) { solve->boost = solve->boost > 10.0 ? 0.1 * solve->boost : 1.0; }
        rejected = false;
        if (still_count >= STILL_STEPS) { return end; }
    }
}

static void pin(snw_Solve *solve)
{
    snw_State *pinned = &solve->levels.pinned;
    const snw_Plan *plan = &solve->plan;
    snw_copy(pinned->values, solve->current->values, plan->value_count);
    snw_state_forward(plan, pinned, 0);
    snw_state_measure(plan, &solve->targets, pinned);
    // links that nothing moves are posed in every state
    for (int l = 0; l < plan->static_link_count; ++l) {
        solve->levels.spare.rotation[l] = pinned->rotation[l];
        solve->levels.spare.position[l] = pinned->position[l];
    }
    snw_copy(solve->levels.spare.values, pinned->values, plan->value_count);
}

// the outcome of two levels together: the worse one
static sinew_Outcome worse(sinew_Outcome a, sinew_Outcome b)
{
    return a == SINEW_OUTCOME_CONVERGED || b == SINEW_OUTCOME_OUT_OF_TIME ? b : a;
}

// all levels up to the one at work as if they were one, from the current state
static sinew_Outcome solve_together(snw_Solve *solve)
{
    int max_iterations = solve->options.max_iterations;
    solve->options.max_iterations = ceiling_of(solve, max_iterations);
    sinew_Outcome outcome = solve->options.method == SINEW_METHOD_AUTO ? snw_solve_auto(solve)
                                                                       : snw_solve_run(solve);
    solve->options.max_iterations = max_iterations;
    return outcome;
}

// A level has ended off its goals in the null space of those above, which are met: that says nothing of other
// poses that meet those. One that meets all is looked for by all that the options allow; else all is as it was.
static bool find_together(snw_Solve *solve)
{
    double *ended = solve->levels.spare.values;
    sinew_Report *report = &solve->report;
    sinew_FoundBy found_by = report->found_by;
    bool branch_change = report->branch_change;
    snw_copy(ended, solve->current->values, solve->plan.value_count);
    snw_solve_return_to(solve, solve->start_values);
    if (solve_together(solve) == SINEW_OUTCOME_CONVERGED) { return true; }
    report->found_by = found_by;
    report->branch_change = branch_change;
    snw_solve_return_to(solve, ended);
    return false;
}

// the current state by the levels up to one
static void measure_levels(snw_Solve *solve, int last)
{
    open_levels(solve, last);
    snw_state_measure(&solve->plan, &solve->targets, solve->current);
}

sinew_Outcome snw_levels_run(snw_Solve *solve)
{
    snw_Levels *levels = &solve->levels;
    int last = levels->count - 1;
    levels->restoring = false;
    // the report is about all goals
    measure_levels(solve, last);
    solve->report.start_objective = solve->current->objective;
    measure_levels(solve, 0);
    sinew_Outcome outcome = solve_together(solve);
    for (int k = 1; k < levels->count && outcome != SINEW_OUTCOME_OUT_OF_TIME; ++k) {
        measure_levels(solve, k);
        pin(solve);
        sinew_Outcome end = run_level(solve);
        bool missed = outcome == SINEW_OUTCOME_CONVERGED && end != SINEW_OUTCOME_CONVERGED
            && end != SINEW_OUTCOME_OUT_OF_TIME;
        if (missed && solve->options.restarts > 0 && find_together(solve)) { end = outcome; }
        outcome = worse(outcome, end);
    }
    measure_levels(solve, last);
    return outcome;
}
