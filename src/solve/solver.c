#include "sinew/solver.h"

#include "base/message.h"
#include "math/trig.h"
#include "solve/goal_check.h"
#include "solve/method.h"
#include "solve/options.h"
#include "solve/soft_reach.h"
#include "solve/start_table.h"

#include <string.h>

// hinges beyond this many radians are refused: sines are exact below 1e6, and steps add up
#define MAX_HINGE 1e5
// what a slide may stand at in a pose given, metres: more than any goal in reach can make it, so that
// an answer is a start for the next solve
#define MAX_SLIDE 1e15
// goals farther away than this many reaches are mistakes
#define MAX_GOAL_DISTANCE 1e6

struct sinew_Solver {
    sinew_Allocator allocator;
    size_t memory_size;
    const sinew_Skeleton *skeleton;
    int max_goals;

    double *mobility;      // by axis of the skeleton
    snw_AxisLimit *limits; // by axis of the skeleton, as they hold now
    bool limits_changed;   // since the plan took them over
    double *rest;          // by coordinate of the skeleton
    sinew_Goal *planned;   // the goals that the plan was built for
    int planned_count;     // -1: no plan
    bool planned_half;
    sinew_SolveOptions checked_options;
    bool has_checked_options;

    snw_PlanScratch plan_scratch;
    snw_State states[2];
    double *start_values;
    sinew_GoalResult *results;
    snw_Ease *ease; // by goal
    double beyond;  // how far eased goals are beyond reach, metres; negative: none is eased
    snw_Solve solve;
};

sinew_SolverDef sinew_solver_def_default(void)
{
    sinew_SolverDef def;
    memset(&def, 0, sizeof def);
    def.max_goals = 8;
    return def;
}

// one block for everything; called once to measure and once to place
static void take_arrays(sinew_Solver *solver, snw_Arena *arena)
{
    (void)snw_arena_take(arena, 1, sizeof *solver);
    const sinew_Skeleton *skeleton = solver->skeleton;
    size_t goals = (size_t)solver->max_goals;
    size_t values = (size_t)sinew_skeleton_coordinate_count(skeleton);
    solver->limits = snw_arena_take(
        arena, (size_t)sinew_skeleton_axis_count(skeleton), sizeof(snw_AxisLimit));
    solver->mobility = snw_arena_take(
        arena, (size_t)sinew_skeleton_axis_count(skeleton), sizeof(double));
    solver->rest = snw_arena_take(arena, values, sizeof(double));
    solver->planned = snw_arena_take(arena, goals, sizeof(sinew_Goal));
    solver->results = snw_arena_take(arena, goals, sizeof(sinew_GoalResult));
    solver->ease = snw_arena_take(arena, goals, sizeof(snw_Ease));
    solver->start_values = snw_arena_take(arena, values, sizeof(double));
    solver->solve.best_values = snw_arena_take(arena, values, sizeof(double));
    snw_plan_take(&solver->solve.plan, &solver->plan_scratch, skeleton, solver->max_goals, arena);
    snw_targets_take(&solver->solve.targets, skeleton, solver->max_goals, arena);
    snw_state_take(&solver->states[0], skeleton, solver->max_goals, arena);
    snw_state_take(&solver->states[1], skeleton, solver->max_goals, arena);
    snw_linear_take(&solver->solve.linear, skeleton, solver->max_goals, arena);
    snw_sweep_take(&solver->solve.sweep, skeleton, arena);
    snw_restart_take(&solver->solve.restart, skeleton, arena);
    snw_auto_take(&solver->solve.method, skeleton, solver->max_goals, arena);
    snw_levels_take(&solver->solve.levels, skeleton, solver->max_goals, arena);
    solver->solve.holds = snw_arena_take(
        arena, (size_t)sinew_skeleton_axis_count(skeleton), sizeof(snw_BallHold));
    solver->solve.svd = snw_arena_take(
        arena, snw_selectively_damped_scratch(skeleton, solver->max_goals), sizeof(double));
}

sinew_Status sinew_solver_create(
    const sinew_SolverDef *def, sinew_Solver **out_solver, sinew_Message *out_message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (out_solver == NULL) { return snw_fail(out_message, bad, "out_solver is NULL"); }
    *out_solver = NULL;
    if (def == NULL || def->skeleton == NULL) {
        return snw_fail(out_message, bad, "skeleton is NULL");
    }
    if (def->max_goals < 1 || def->max_goals > SINEW_MAX_JOINTS) {
        return snw_fail(
            out_message, bad, "max_goals is %d, want 1..%d", def->max_goals, SINEW_MAX_JOINTS);
    }

    sinew_Solver draft;
    memset(&draft, 0, sizeof draft);
    draft.allocator = snw_allocator_or_default(&def->allocator);
    draft.skeleton = def->skeleton;
    draft.max_goals = def->max_goals;
    draft.solve.clock = def->clock;
    draft.solve.clock_user = def->clock_user;
    draft.planned_count = -1;
    snw_Arena arena = { NULL, 0 };
    take_arrays(&draft, &arena);
    draft.memory_size = arena.used;
    arena.base = snw_alloc(&draft.allocator, draft.memory_size);
    if (arena.base == NULL) {
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY,
            "no memory for a solver of %z bytes", draft.memory_size);
    }
    arena.used = 0;
    take_arrays(&draft, &arena);
    sinew_Solver *solver = (sinew_Solver *)(void *)arena.base;
    *solver = draft;
    sinew_solver_set_mobility(solver, NULL);
    sinew_solver_reset_limits(solver);
    sinew_solver_set_rest(solver, NULL);
    *out_solver = solver;
    return SINEW_STATUS_OK;
}

void sinew_solver_destroy(sinew_Solver *solver)
{
    if (solver == NULL) { return; }
    sinew_Allocator allocator = solver->allocator;
    snw_free(&allocator, solver, solver->memory_size);
}

const sinew_Skeleton *snw_solver_skeleton(const sinew_Solver *solver)
{
    return solver->skeleton;
}

const double *snw_solver_mobility(const sinew_Solver *solver)
{
    return solver->mobility;
}

snw_AxisLimit *snw_solver_open_limits(sinew_Solver *solver)
{
    solver->limits_changed = true;
    return solver->limits;
}

snw_Solve *snw_solver_inside(sinew_Solver *solver)
{
    return &solver->solve;
}

size_t sinew_solver_memory(const sinew_Solver *solver)
{
    return solver->memory_size;
}

void sinew_solver_set_trace(sinew_Solver *solver, double *trace, int capacity)
{
    solver->solve.trace = trace;
    solver->solve.trace_capacity = trace != NULL ? capacity : 0;
}

// the rest pose in the order of the plan's values
static void load_rest(sinew_Solver *solver)
{
    const snw_Plan *plan = &solver->solve.plan;
    for (int l = 0; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        for (int k = 0; k < (link->motion == SNW_BALL ? 4 : 1); ++k) {
            solver->solve.targets.rest_values[link->value + k] = solver->rest[link->coordinate + k];
        }
    }
}

sinew_Status sinew_solver_set_mobility(sinew_Solver *solver, const double *mobility)
{
    int count = sinew_skeleton_axis_count(solver->skeleton);
    for (int a = 0; mobility != NULL && a < count; ++a) {
        if (!(mobility[a] >= 0.0 && mobility[a] <= 1e6)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    }
    const sinew_Axis *axes = sinew_skeleton_axes(solver->skeleton);
    for (int a = 0; a < count; ++a) {
        double next = mobility != NULL ? mobility[a] : axes[a].mobility;
        if (next == solver->mobility[a]) { continue; }
        // a plan is laid out for what is locked and what is weighed
        solver->mobility[a] = next;
        solver->planned_count = -1;
    }
    return SINEW_STATUS_OK;
}

void sinew_solver_reset_limits(sinew_Solver *solver)
{
    const sinew_Axis *axes = sinew_skeleton_axes(solver->skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(solver->skeleton); ++a) {
        solver->limits[a] = (snw_AxisLimit){ axes[a].lower, axes[a].upper, axes[a].limit };
    }
    solver->limits_changed = true;
}

static bool is_axis(const sinew_Solver *solver, int axis, bool ball)
{
    if (axis < 0 || axis >= sinew_skeleton_axis_count(solver->skeleton)) { return false; }
    return (sinew_skeleton_axes(solver->skeleton)[axis].kind == SINEW_AXIS_BALL) == ball;
}

sinew_Status sinew_solver_set_range(sinew_Solver *solver, int axis, double lower, double upper)
{
    if (!is_axis(solver, axis, false)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    const sinew_Axis *own = &sinew_skeleton_axes(solver->skeleton)[axis];
    double low = lower > own->lower ? lower : own->lower;
    double high = upper < own->upper ? upper : own->upper;
    if (isnan(lower) || isnan(upper) || !(low <= high)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    solver->limits[axis].lower = low;
    solver->limits[axis].upper = high;
    solver->limits_changed = true;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_set_ball_limit(
    sinew_Solver *solver, int axis, const sinew_BallLimit *limit)
{
    if (!is_axis(solver, axis, true)) { return SINEW_STATUS_INVALID_ARGUMENT; }
    const sinew_BallLimit *own = sinew_skeleton_axes(solver->skeleton)[axis].limit;
    solver->limits[axis].limit = limit != NULL ? limit : own;
    solver->limits_changed = true;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_set_rest(sinew_Solver *solver, const double *q)
{
    if (q != NULL) {
        sinew_Status status = sinew_pose_check(solver->skeleton, q, NULL);
        if (status != SINEW_STATUS_OK) { return status; }
        memcpy(solver->rest, q,
            (size_t)sinew_skeleton_coordinate_count(solver->skeleton) * sizeof(double));
    } else {
        sinew_pose_rest(solver->skeleton, solver->rest);
    }
    if (solver->planned_count >= 0) { load_rest(solver); }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_set_starts(sinew_Solver *solver, const sinew_StartTable *table)
{
    if (table != NULL && !snw_start_table_is_for(table, solver->skeleton)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    solver->solve.restart.table = table;
    return SINEW_STATUS_OK;
}

const sinew_GoalResult *sinew_solver_goal_results(const sinew_Solver *solver)
{
    return solver->results;
}

// ---------------------------------------------------------------------------------------------
// Checking and preparing

// limits that come and go change numbers of the plan and nothing of its layout
static void take_limits(sinew_Solver *solver)
{
    if (!solver->limits_changed) { return; }
    snw_plan_set_limits(&solver->solve.plan, solver->limits);
    solver->limits_changed = false;
}

// the plan of these goals: that of the last solve when they name the same joints
static sinew_Status prepare_plan(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, sinew_Message *message)
{
    bool half = options->rows == SINEW_ROWS_HALF;
    bool known = solver->planned_count == goal_count && solver->planned_half == half;
    for (int g = 0; g < goal_count; ++g) {
        // kinds first: what else is read depends on them
        known = known && snw_goal_same_structure(&goals[g], &solver->planned[g]);
        sinew_Status status = known
            ? SINEW_STATUS_OK
            : snw_goal_check_structure(solver->skeleton, options, &goals[g], g, message);
        if (status == SINEW_STATUS_OK) {
            status = snw_goal_check_values(options, &goals[g], g, message);
        }
        if (status != SINEW_STATUS_OK) { return status; }
    }
    sinew_Status status = snw_goal_check_all(options, goals, goal_count, message);
    if (status != SINEW_STATUS_OK) { return status; }
    if (known) {
        take_limits(solver);
        return SINEW_STATUS_OK;
    }
    snw_plan_build(&solver->solve.plan, &solver->plan_scratch, solver->skeleton, solver->mobility,
        goals, goal_count, half);
    solver->limits_changed = true; // since the plan begins with the skeleton's own
    take_limits(solver);
    snw_linear_prepare(&solver->solve.linear, &solver->solve.plan);
    solver->solve.cheapest_form = snw_linear_choose(&solver->solve.plan, true);
    snw_auto_plan(&solver->solve.method, &solver->solve.plan);
    for (int g = 0; g < goal_count; ++g) { solver->planned[g] = goals[g]; }
    load_rest(solver);
    solver->planned_count = goal_count;
    solver->planned_half = half;
    return SINEW_STATUS_OK;
}

static void prepare_targets(snw_Solve *solve, const sinew_Goal *goals, const double *start_values)
{
    snw_Targets *targets = &solve->targets;
    const sinew_SolveOptions *o = &solve->options;
    double reach = solve->plan.reach;
    double length = o->orientation_length > 0.0 ? o->orientation_length
        : o->method == SINEW_METHOD_AUTO        ? reach
                                                : reach / 3.0;
    targets->orientation_length = length;
    targets->rest_weight = o->rest_weight;
    targets->velocity_weight = o->velocity_weight;
    targets->start_values = start_values;
    double s = 0.0, c;
    if (solve->plan.has_orientation) {
        snw_sincos(0.5 * fmin(o->orientation_tolerance, SINEW_PI), &s, &c);
    }
    solve->met_position2 = o->position_tolerance * o->position_tolerance;
    solve->met_chord2 = solve->plan.has_orientation ? 4.0 * s * s : INFINITY;
    // damped multipliers weigh a constraint's square by 1 / lambda^2, and so does F
    double lambda = o->constraint_damping > 1e-3 ? o->constraint_damping : 1e-3;
    targets->constraint_merit = 1.0 / (lambda * lambda);
    for (int e = 0; e < solve->plan.effector_count; ++e) {
        if (solve->plan.effectors[e].task >= 0) {
            snw_task_set_target(&solve->plan, targets, &goals[e], e);
            continue;
        }
        targets->position[e] = goals[e].position;
        targets->position_scale[e] = sqrt(goals[e].position_weight);
        if (solve->plan.effectors[e].orientation) {
            targets->orientation[e] = sinew_mat3_from_quat(
                sinew_quat_normalize(goals[e].orientation));
            targets->orientation_scale[e] = length * sqrt(goals[e].orientation_weight);
        } else {
            targets->orientation_scale[e] = 0.0;
        }
    }
}

// take the plan's coordinates out of the pose, cropped to their ranges
static sinew_Status load_pose(sinew_Solver *solver, const double *q, sinew_Message *message)
{
    const snw_Plan *plan = &solver->solve.plan;
    bool clamp = solver->solve.options.limits != SINEW_LIMITS_NONE;
    double *values = solver->solve.current->values, *other = solver->solve.trial->values;
    for (int l = 0; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        const double *given = &q[link->coordinate];
        double *value = &values[link->value];
        char name[96];
        if (link->motion == SNW_BALL) {
            sinew_Quat ball = { given[0], given[1], given[2], given[3] };
            double square = sinew_quat_dot(ball, ball);
            if (!(fabs(square - 1.0) <= 2e-3)) {
                sinew_skeleton_coordinate_name(
                    solver->skeleton, link->coordinate, name, sizeof name);
                return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
                    "%s: the quaternion has length %g, want 1", name, sqrt(square));
            }
            // one that is unit to rounding keeps its bits, so that a met goal changes nothing
            double scale = fabs(square - 1.0) > 1e-14 ? 1.0 / sqrt(square) : 1.0;
            for (int k = 0; k < 4; ++k) { value[k] = given[k] * scale; }
            if (clamp && link->dof >= 0 && link->limit != NULL) {
                sinew_Quat whole = { value[0], value[1], value[2], value[3] };
                sinew_Quat inside = sinew_ball_limit_clamp(link->limit, whole);
                value[0] = inside.x;
                value[1] = inside.y;
                value[2] = inside.z;
                value[3] = inside.w;
            }
        } else {
            bool hinge = snw_motion_is_hinge(link->motion);
            if (!(fabs(given[0]) <= (hinge ? MAX_HINGE : MAX_SLIDE))) {
                sinew_skeleton_coordinate_name(
                    solver->skeleton, link->coordinate, name, sizeof name);
                return snw_fail(message, SINEW_STATUS_INVALID_ARGUMENT,
                    "%s is %g, want a finite number of at most %g", name, given[0],
                    hinge ? MAX_HINGE : MAX_SLIDE);
            }
            value[0] = given[0];
            if (clamp && link->dof >= 0) {
                int d = link->dof;
                double lower = plan->range_lower[d], upper = plan->range_upper[d];
                value[0] = value[0] < lower ? lower : value[0];
                value[0] = value[0] > upper ? upper : value[0];
            }
        }
        if (l < plan->static_link_count) {
            for (int k = 0; k < (link->motion == SNW_BALL ? 4 : 1); ++k) {
                other[link->value + k] = value[k];
            }
        }
    }
    return SINEW_STATUS_OK;
}

// the default method poses chains itself: of the states, only what carries the chain is needed
static void start_states(sinew_Solver *solver, bool carrier_only)
{
    snw_Solve *solve = &solver->solve;
    const snw_Plan *plan = &solve->plan;
    for (int i = 0; i < plan->value_count; ++i) {
        solver->start_values[i] = solve->current->values[i];
    }
    snw_plan_bound_change(&solve->plan, solver->start_values, solve->options.max_joint_change);
    solve->posed = !carrier_only;
    if (carrier_only && plan->static_link_count == 0) { return; }
    if (plan->static_link_count > 0) {
        // links that nothing moves are posed here once, with all others
        snw_state_forward(plan, solve->current, 0);
        for (int l = 0; l < plan->static_link_count; ++l) {
            solve->trial->rotation[l] = solve->current->rotation[l];
            solve->trial->position[l] = solve->current->position[l];
        }
    } else {
        snw_state_forward(plan, solve->current, plan->static_link_count);
    }
    if (carrier_only) { return; }
    snw_state_measure(plan, &solve->targets, solve->current);
    ++solve->report.forward_count;
}

static void ease_goals(sinew_Solver *solver)
{
    snw_Solve *solve = &solver->solve;
    bool posed = solve->posed;
    snw_solve_pose(solve);
    solver->beyond = snw_soft_reach_apply(&solve->plan, solve->current, solve->options.soft_reach,
        solve->options.limits != SINEW_LIMITS_NONE, &solve->targets, solver->ease);
    if (solver->beyond >= 0.0) { snw_state_measure(&solve->plan, &solve->targets, solve->current); }
    // a method that poses the plan itself still does
    solve->posed = posed;
}

// ---------------------------------------------------------------------------------------------
// The end

static void store_pose(const snw_Solve *solve, double *q)
{
    for (int l = solve->plan.static_link_count; l < solve->plan.link_count; ++l) {
        const snw_Link *link = &solve->plan.links[l];
        if (link->dof < 0) { continue; }
        const double *value = &solve->current->values[link->value];
        for (int k = 0; k < (link->motion == SNW_BALL ? 4 : 1); ++k) {
            q[link->coordinate + k] = value[k];
        }
    }
}

static double angle_of_chord(double chord)
{
    return 2.0 * sinew_asin(0.5 * chord);
}

static void fill_results(sinew_Solver *solver)
{
    const snw_Solve *solve = &solver->solve;
    for (int e = 0; e < solve->plan.effector_count; ++e) {
        double position2, chord2;
        snw_goal_errors2(&solve->plan, solve->current, e, &position2, &chord2);
        sinew_GoalResult result = { sqrt(position2), 0.0, 0.0 };
        if (chord2 > 0.0) { result.orientation_error = angle_of_chord(sqrt(chord2)); }
        solver->results[e] = result;
    }
}

// results of eased goals against the true ones
static void tell_eased(sinew_Solver *solver)
{
    const snw_Solve *solve = &solver->solve;
    for (int e = 0; e < solve->plan.effector_count; ++e) {
        const snw_Effector *effector = &solve->plan.effectors[e];
        if (!effector->position) { continue; }
        const double *error = &solve->current->error[effector->row];
        sinew_Vec3 miss = sinew_vec3_add(
            sinew_vec3(error[0], error[1], error[2]), solver->ease[e].way);
        solver->results[e].position_error = sinew_vec3_length(miss);
        solver->results[e].eased_distance = solver->ease[e].cost;
    }
}

static double limit_violation(const snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    double worst = 0.0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        const double *value = &solve->current->values[link->value];
        if (link->motion == SNW_BALL) {
            if (link->limit == NULL) { continue; }
            sinew_Quat ball = { value[0], value[1], value[2], value[3] };
            double outside = sinew_ball_limit_violation(link->limit, ball);
            worst = outside > worst ? outside : worst;
            continue;
        }
        double below = plan->range_lower[link->dof] - value[0];
        double above = value[0] - plan->range_upper[link->dof];
        worst = below > worst ? below : worst;
        worst = above > worst ? above : worst;
    }
    return worst;
}

static void finish_report(sinew_Solver *solver, sinew_Outcome outcome)
{
    snw_Solve *solve = &solver->solve;
    sinew_Report *report = &solve->report;
    report->outcome = outcome;
    report->position_error = sqrt(solve->current->position_error2);
    report->orientation_error = solve->current->orientation_chord2 > 0.0
        ? angle_of_chord(sqrt(solve->current->orientation_chord2))
        : 0.0;
    // told against the true goals
    if (solver->beyond >= 0.0) { report->position_error = 0.0; }
    for (int e = 0; solver->beyond >= 0.0 && e < solve->plan.effector_count; ++e) {
        const sinew_GoalResult *result = &solver->results[e];
        if (!(solve->targets.position_scale[e] > 0.0)) { continue; }
        report->position_error = fmax(report->position_error, result->position_error);
        report->eased_distance = fmax(report->eased_distance, result->eased_distance);
    }
    report->objective = solve->current->objective;
    // hinges and slides that the default method moved are in their ranges
    bool inside = !solve->posed && solve->options.limits != SINEW_LIMITS_NONE;
    report->limit_violation = inside ? 0.0 : limit_violation(solve);
    report->time = solve->clock != NULL ? solve->clock(solve->clock_user) - solve->start_time : 0.0;
}

static sinew_Status check_call(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, const double *q, sinew_Message *message)
{
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    if (solver == NULL || options == NULL || goals == NULL || q == NULL) {
        return snw_fail(message, bad, "solver, options, goals or q is NULL");
    }
    if (goal_count < 1) {
        return snw_fail(message, bad, "goal_count is %d, want 1 or more", goal_count);
    }
    if (goal_count > solver->max_goals) {
        return snw_fail(message, SINEW_STATUS_CAPACITY, "goal_count is %d, and max_goals was %d",
            goal_count, solver->max_goals);
    }
    // padding can only make options look new, and then they are checked again
    bool known = solver->has_checked_options
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        && memcmp(options, &solver->checked_options, sizeof *options) == 0;
    if (!known) {
        sinew_Status status = snw_options_check(options, message);
        if (status != SINEW_STATUS_OK) { return status; }
        if (options->time_budget > 0.0 && solver->solve.clock == NULL) {
            return snw_fail(
                message, bad, "options.time_budget needs the clock of the solver definition");
        }
        memcpy(&solver->checked_options, options, sizeof *options);
        solver->has_checked_options = true;
    }
    return SINEW_STATUS_OK;
}

static sinew_Status check_form(const snw_Solve *solve, sinew_Message *message)
{
    if (snw_form_fits(&solve->plan, solve->options.form)) { return SINEW_STATUS_OK; }
    return snw_fail(message, SINEW_STATUS_CAPACITY,
        "options.form is %s, which is for at most %d movable degrees of freedom, and the goals "
        "move %d",
        sinew_form_name(solve->options.form), SNW_MOST_SQUARE_DOFS, solve->plan.dof_count);
}

static void choose_form(snw_Solve *solve)
{
    solve->form = solve->options.form;
    // differences give the matrix J alone, and only its rows can hold what is no point mass
    bool matrix = solve->options.jacobian != SINEW_JACOBIAN_ANALYTIC || solve->plan.task_count > 0;
    if (solve->form == SINEW_FORM_AUTO) { solve->form = solve->cheapest_form; }
    if (matrix && !snw_form_needs_jacobian(solve->form)) {
        bool fewer_dofs = snw_linear_flops(&solve->plan, SINEW_FORM_DOFS)
            < snw_linear_flops(&solve->plan, SINEW_FORM_ROWS);
        solve->form = fewer_dofs && snw_form_fits(&solve->plan, SINEW_FORM_DOFS) ? SINEW_FORM_DOFS
                                                                                 : SINEW_FORM_ROWS;
    }
    // only damped steps have a choice
    bool damped = solve->options.method == SINEW_METHOD_DAMPED
        || solve->options.method == SINEW_METHOD_AUTO;
    solve->report.form = damped ? solve->form : SINEW_FORM_ROWS;
}

sinew_Status sinew_solver_solve(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Report *out_report,
    sinew_Message *out_message)
{
    sinew_Status status = check_call(solver, options, goals, goal_count, q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Solve *solve = &solver->solve;
    solve->start_time = solve->clock != NULL ? solve->clock(solve->clock_user) : 0.0;
    status = prepare_plan(solver, options, goals, goal_count, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    memcpy(&solve->options, options, sizeof *options);
    status = check_form(solve, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    memset(&solve->report, 0, sizeof solve->report);
    solve->out_of_time = false;
    solve->current = &solver->states[0];
    solve->trial = &solver->states[1];
    prepare_targets(solve, goals, solver->start_values);
    snw_levels_prepare(solve, goals, goal_count);
    // sides of polygons that the last solve ended on
    solve->any_support_side = false;
    for (int s = 0; s < SINEW_MAX_SUPPORT_GOALS; ++s) { solve->support_side_count[s] = 0; }
    status = load_pose(solver, q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    choose_form(solve);
    snw_restart_begin(&solve->restart, solver->skeleton, options, goals, goal_count, q);
    // a start is placed in the ranges, not in those that the last solve's max_joint_change left
    snw_plan_bound_change(&solve->plan, NULL, INFINITY);
    snw_restart_first(
        &solve->restart, &solve->plan, options, &solve->targets, solve->current->values);
    bool automatic = options->method == SINEW_METHOD_AUTO;
    start_states(solver, automatic && snw_auto_poses_itself(solve));
    double farthest = MAX_GOAL_DISTANCE * solve->plan.reach;
    double distance = solve->posed ? sqrt(solve->current->position_error2)
                                   : snw_auto_distance(solve);
    if (!(distance <= farthest)) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "a goal is %g m away, want at most a million times the reach of %g m", distance,
            solve->plan.reach);
    }
    solver->beyond = -1.0;
    if (options->soft_reach > 0.0) { ease_goals(solver); }
    solve->report.start_objective = solve->posed ? solve->current->objective : 0.0;

    sinew_Outcome outcome = solve->levels.count > 1 ? snw_levels_run(solve)
        : automatic                                 ? snw_solve_auto(solve)
                                                    : snw_solve_run(solve);
    // at its eased place a goal beyond reach is not met
    if (outcome == SINEW_OUTCOME_CONVERGED && solver->beyond > options->position_tolerance) {
        outcome = SINEW_OUTCOME_STALLED;
    }
    store_pose(solve, q);
    fill_results(solver);
    if (solver->beyond >= 0.0) { tell_eased(solver); }
    finish_report(solver, outcome);
    if (out_report != NULL) { *out_report = solve->report; }
    return SINEW_STATUS_OK;
}
