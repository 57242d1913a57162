#include "math/dense.h"
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
#define PINNED 1e-9
#define MAX_RESTORING 16
// passes of the active set in one step
#define MAX_PASSES 12
// what is left of a row across those before, as a share of it, below which it says nothing new
#define INDEPENDENT 1e-10
#define MAX_BOOST 1e10
#define SMALLEST_STEP 1e-10
// steps in a row with little gain that end a level
#define STILL_STEPS 3

void snw_levels_take(
    snw_Levels *levels, const sinew_Skeleton *skeleton, int max_goals, snw_Arena *arena)
{
    size_t goals = (size_t)max_goals, dofs = (size_t)sinew_skeleton_dof_count(skeleton);
    size_t rows = 6 * goals > SNW_MAX_CONSTRAINT_ROWS ? 6 * goals : SNW_MAX_CONSTRAINT_ROWS;
    levels->level = snw_arena_take(arena, goals, sizeof *levels->level);
    levels->position_scale = snw_arena_take(arena, goals, sizeof(double));
    levels->orientation_scale = snw_arena_take(arena, goals, sizeof(double));
    snw_state_take(&levels->pinned, skeleton, max_goals, arena);
    snw_state_take(&levels->spare, skeleton, max_goals, arena);
    levels->basis = snw_arena_take(arena, rows * dofs, sizeof(double));
    levels->rows = snw_arena_take(arena, rows * dofs, sizeof(double));
}

void snw_levels_prepare(snw_Solve *solve, const sinew_Goal *goals, int goal_count)
{
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
    double length2 = targets->orientation_length * targets->orientation_length;
    for (int k = 0; k < count; ++k) { levels->rest_weight[k] = solve->options.rest_weight; }
    for (int g = 0; g < goal_count; ++g) {
        int level = place[goals[g].priority];
        levels->level[g] = (unsigned char)level;
        levels->position_scale[g] = targets->position_scale[g];
        levels->orientation_scale[g] = targets->orientation_scale[g];
        if (goals[g].kind == SINEW_GOAL_REST) {
            levels->rest_weight[level] += length2 * goals[g].orientation_weight;
        }
    }
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

// ---------------------------------------------------------------------------------------------
// One step: least length for the pinned rows, then the level's own rows across them

static double dot(const double *a, const double *b, int n)
{
    double sum = 0.0;
    for (int i = 0; i < n; ++i) { sum += a[i] * b[i]; }
    return sum;
}

// take the part along the basis off a row; twice, for the digits that the first time loses
static void cross_out(const snw_Levels *levels, double *row, int n)
{
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < levels->rank; ++k) {
            const double *q = &levels->basis[(size_t)k * (size_t)n];
            double along = dot(q, row, n);
            for (int i = 0; i < n; ++i) { row[i] -= along * q[i]; }
        }
    }
}

// square root of a dof's softness, 0 where its step is given
static void set_roots(snw_Linear *linear, const snw_Plan *plan, double scale)
{
    for (int i = 0; i < plan->dof_count; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->softness[i] = fixed ? 0.0 : sqrt(scale / snw_linear_damping(linear, plan, i));
    }
}

// a row in the metric of the softness; returns what the given steps leave of its error
static double load_row(const snw_Linear *linear, const snw_Plan *plan, int row, double *out_row)
{
    int m = plan->row_count;
    double left = linear->error[row];
    for (int i = 0; i < plan->dof_count; ++i) {
        double entry = linear->jacobian[i * m + row];
        out_row[i] = linear->softness[i] * entry;
        if (linear->any_fixed && linear->fixed[i]) { left -= entry * linear->fixed_step[i]; }
    }
    return left;
}

// the basis of the pinned rows, by Gram and Schmidt; y becomes the shortest step that meets them
static void pin_rows(snw_Solve *solve, double *y)
{
    snw_Levels *levels = &solve->levels;
    const snw_Plan *plan = &solve->plan;
    const snw_Linear *linear = &solve->linear;
    int n = plan->dof_count;
    levels->rank = 0;
    for (int i = 0; i < n; ++i) { y[i] = 0.0; }
    for (int g = 0; g < plan->effector_count; ++g) {
        int count, first = snw_goal_rows(plan, g, &count);
        if (levels->level[g] >= levels->now) { continue; }
        for (int r = 0; r < count && levels->rank < n; ++r) {
            double *row = &levels->basis[(size_t)levels->rank * (size_t)n];
            double left = load_row(linear, plan, first + r, row);
            double whole = sqrt(dot(row, row, n));
            left -= dot(row, y, n);
            cross_out(levels, row, n);
            double across = sqrt(dot(row, row, n));
            if (!(across > INDEPENDENT * whole) || !(whole > 0.0)) { continue; }
            double way = left / across;
            for (int i = 0; i < n; ++i) {
                row[i] /= across;
                y[i] += way * row[i];
            }
            ++levels->rank;
        }
    }
}

// linear.vector: the level's errors; levels.rows: its rows across the basis, dof by dof
static int load_level(snw_Solve *solve, const double *y)
{
    snw_Levels *levels = &solve->levels;
    const snw_Plan *plan = &solve->plan;
    int n = plan->dof_count, count_all = 0;
    double *row = solve->linear.dof_work;
    for (int pass = 0; pass < 2; ++pass) {
        int at = 0;
        for (int g = 0; g < plan->effector_count; ++g) {
            int count, first = snw_goal_rows(plan, g, &count);
            if (levels->level[g] != levels->now) { continue; }
            for (int r = 0; r < count; ++r, ++at) {
                // the first pass counts them
                if (pass == 0) { continue; }
                double left = load_row(&solve->linear, plan, first + r, row);
                solve->linear.vector[at] = left - dot(row, y, n);
                cross_out(levels, row, n);
                for (int i = 0; i < n; ++i) { levels->rows[i * count_all + at] = row[i]; }
            }
        }
        count_all = at;
    }
    return count_all;
}

static bool add_level_step(snw_Solve *solve, double scale, double *y)
{
    snw_Levels *levels = &solve->levels;
    snw_Linear *linear = &solve->linear;
    int n = solve->plan.dof_count;
    int m = load_level(solve, y);
    double *pull = linear->dof_work, *f = linear->vector, *a = linear->matrix;
    if (linear->has_pull) {
        for (int i = 0; i < n; ++i) { pull[i] = linear->softness[i] * linear->pull[i] / scale; }
        cross_out(levels, pull, n);
        for (int i = 0; i < n; ++i) {
            y[i] += pull[i];
            for (int r = 0; r < m; ++r) { f[r] -= levels->rows[i * m + r] * pull[i]; }
        }
    }
    if (m == 0) { return true; }
    snw_product_rows(levels->rows, m, n, m, NULL, a, m);
    for (int r = 0; r < m; ++r) { a[r * m + r] += scale; }
    if (!snw_cholesky_factor(a, m, m, 1e-13)) { return false; }
    snw_cholesky_solve(a, m, m, f);
    for (int i = 0; i < n; ++i) { y[i] += dot(&levels->rows[i * m], f, m); }
    return true;
}

static bool solve_once(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    double floor = 1e-8 * plan->reach * plan->reach;
    for (int tries = 0; tries < 8; ++tries, floor *= 100.0) {
        double scale = linear->lambda2 + linear->stiffness;
        bool solved = scale > 0.0;
        double *y = linear->step;
        if (solved) {
            set_roots(linear, plan, scale);
            pin_rows(solve, y);
            solved = solve->levels.restoring || add_level_step(solve, scale, y);
        }
        if (!solved) {
            linear->lambda2 = floor;
            continue;
        }
        for (int i = 0; i < plan->dof_count; ++i) {
            bool fixed = linear->any_fixed && linear->fixed[i];
            y[i] = fixed ? linear->fixed_step[i] : linear->softness[i] * y[i];
        }
        return true;
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
        double moved[6], position2, chord2;
        snw_goal_moved(plan, &solve->targets, &levels->pinned, solve->current, g, moved);
        snw_goal_errors2(plan, &levels->pinned, g, &position2, &chord2);
        // a polygon only asks the centre to get no farther outside
        double outside2 = 0.0;
        if (support) { snw_goal_errors2(plan, solve->current, g, &outside2, &chord2); }
        double farther = outside2 > position2 ? 1.0 - sqrt(position2 / outside2) : 0.0;
        for (int r = 0; r < count; ++r) {
            double scale = snw_goal_row_scale(plan, &solve->targets, g, r);
            double left = support ? farther * solve->current->error[first + r] : -moved[r];
            error[r] = scale * left;
            bool metres = r < snw_goal_position_rows(plan, g);
            double size = scale > 0.0 ? fabs(left) / (metres ? plan->reach : 1.0) : 0.0;
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
        if (!snw_active_solve_passes(solve, solve_once, MAX_PASSES)) { break; }
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
    const sinew_SolveOptions *o = &solve->options;
    for (int g = 0; g < solve->plan.effector_count; ++g) {
        if (solve->levels.level[g] != level) { continue; }
        double position2, chord2;
        snw_goal_errors2(&solve->plan, solve->current, g, &position2, &chord2);
        if (solve->targets.position_scale[g] > 0.0 && sqrt(position2) > o->position_tolerance) {
            return false;
        }
        double angle = 2.0 * sinew_asin(0.5 * sqrt(chord2));
        if (solve->targets.orientation_scale[g] > 0.0 && angle > o->orientation_tolerance) {
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
    double goals2 = 2.0 * (objective - solve->current->pull_objective);
    linear->lambda2 = o->damping >= 0.0
        ? o->damping * o->damping * solve->boost + (solve->boost - 1.0) * 1e-9 * reach2
        : solve->boost * (o->damping_gain * goals2 + o->damping_floor * reach2);
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

static sinew_Outcome run_level(snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    snw_Levels *levels = &solve->levels;
    double objective = level_objective(solve, solve->current);
    bool has_rest = levels->rest_weight[levels->now] > 0.0;
    solve->boost = 1.0;
    int still_count = 0;
    for (int iteration = 0;; ++iteration) {
        // a posture is never met; it goes on until it gets no better
        bool met = is_met(solve, levels->now);
        if (met && !has_rest && iteration >= o->min_iterations) { return SINEW_OUTCOME_CONVERGED; }
        sinew_Outcome end = met ? SINEW_OUTCOME_CONVERGED : SINEW_OUTCOME_STALLED;
        if (iteration >= o->max_iterations) { return met ? end : SINEW_OUTCOME_OUT_OF_ITERATIONS; }
        if (o->time_budget > 0.0
            && solve->clock(solve->clock_user) - solve->start_time >= o->time_budget) {
            return SINEW_OUTCOME_OUT_OF_TIME;
        }
        ++solve->report.iterations;
        double largest;
        if (!try_step(solve, objective, &largest) || !(largest > SMALLEST_STEP)) { return end; }
        double after = restore(solve) ? level_objective(solve, solve->trial) : INFINITY;
        if (!(after <= objective)) {
            ++solve->report.rejections;
            solve->boost *= 10.0;
            if (solve->boost > MAX_BOOST) { return end; }
            continue;
        }
        double share = o->stall_share > 0.0 ? o->stall_share : 1e-9;
        still_count = objective - after < share * objective ? still_count + 1 : 0;
        objective = after;
        snw_State *moved = solve->trial;
        solve->trial = solve->current;
        solve->current = moved;
        solve->fresh_jacobian = false;
        solve->boost = solve->boost > 10.0 ? 0.1 * solve->boost : 1.0;
        if (still_count >= STILL_STEPS) { return end; }
    }
}

static void pin(snw_Solve *solve)
{
    snw_State *pinned = &solve->levels.pinned;
    const snw_Plan *plan = &solve->plan;
    for (int i = 0; i < plan->value_count; ++i) { pinned->values[i] = solve->current->values[i]; }
    snw_state_forward(plan, pinned, 0);
    snw_state_measure(plan, &solve->targets, pinned);
    // links that nothing moves are posed in every state
    for (int l = 0; l < plan->static_link_count; ++l) {
        solve->levels.spare.rotation[l] = pinned->rotation[l];
        solve->levels.spare.position[l] = pinned->position[l];
    }
    for (int i = 0; i < plan->value_count; ++i) {
        solve->levels.spare.values[i] = pinned->values[i];
    }
}

// the outcome of two levels together: the worse one
static sinew_Outcome worse(sinew_Outcome a, sinew_Outcome b)
{
    return a == SINEW_OUTCOME_CONVERGED || b == SINEW_OUTCOME_OUT_OF_TIME ? b : a;
}

sinew_Outcome snw_levels_run(snw_Solve *solve)
{
    snw_Levels *levels = &solve->levels;
    levels->restoring = false;
    open_levels(solve, 0);
    snw_state_measure(&solve->plan, &solve->targets, solve->current);
    sinew_Outcome outcome = solve->options.method == SINEW_METHOD_AUTO ? snw_solve_auto(solve)
                                                                       : snw_solve_run(solve);
    for (int k = 1; k < levels->count && outcome != SINEW_OUTCOME_OUT_OF_TIME; ++k) {
        open_levels(solve, k);
        snw_state_measure(&solve->plan, &solve->targets, solve->current);
        pin(solve);
        outcome = worse(outcome, run_level(solve));
    }
    // the report is about all goals
    int last = levels->count - 1;
    open_levels(solve, last);
    snw_state_measure(&solve->plan, &solve->targets, solve->current);
    return outcome;
}
