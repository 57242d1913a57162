#include "sinew/solver.h"
#include "math/holds.h"
#include "math/quat.h"

#include "base/compiler.h"
#include "base/message.h"
#include "solve/answers.h"
#include "solve/asked.h"
#include "solve/goal_check.h"
#include "solve/options.h"
#include "solve/parts.h"
#include "solve/start_table.h"

#include <string.h>

struct sinew_Solver {
    sinew_Allocator allocator;
    size_t memory_size;
    const sinew_Skeleton *skeleton;
    int max_goals;

    double *mobility;      // by axis of the skeleton
    snw_AxisLimit *limits; // by axis of the skeleton, as they hold now
    bool limits_changed;   // since the plan took them over
    sinew_Quat *judged;    // by axis: the ball that outside is of, NAN: none
    double *outside;       // by axis: how far that is outside its limit, radians
    double *rest;          // by coordinate of the skeleton
    sinew_Goal *planned;   // the goals that the plan was built for
    int planned_count;     // -1: no plan
    bool planned_half;
    sinew_SolveOptions checked_options;
    bool has_checked_options;

    snw_PlanScratch plan_scratch;
    bool whole_planned; // the whole has a plan
    snw_Solve whole;    // all goals together
    snw_Parts parts;
};

sinew_SolverDef sinew_solver_def_default(void)
{
    sinew_SolverDef def;
    memset(&def, 0, sizeof def);
    def.max_goals = 8;
    def.cookie = SNW_COOKIE;
    return def;
}

// one block for everything; called once to measure and once to place
static SNW_NEVER_INLINE void take_arrays(sinew_Solver *solver, snw_Arena *arena)
{
    (void)snw_arena_take(arena, 1, sizeof *solver);
    const sinew_Skeleton *skeleton = solver->skeleton;
    size_t goals = (size_t)solver->max_goals;
    size_t values = (size_t)sinew_skeleton_coordinate_count(skeleton);
    size_t axes = (size_t)sinew_skeleton_axis_count(skeleton);
    solver->limits = snw_arena_take(arena, axes, sizeof(snw_AxisLimit));
    solver->mobility = snw_arena_take(arena, axes, sizeof(double));
    solver->judged = snw_arena_take(arena, axes, sizeof(sinew_Quat));
    solver->outside = snw_arena_take(arena, axes, sizeof(double));
    solver->rest = snw_arena_take(arena, values, sizeof(double));
    solver->planned = snw_arena_take(arena, goals, sizeof(sinew_Goal));
    snw_plan_scratch_take(&solver->plan_scratch, skeleton, arena);
    snw_parts_take(&solver->parts, &solver->whole, skeleton, solver->max_goals, arena);
}

sinew_Status sinew_solver_create(
    const sinew_SolverDef *def, sinew_Solver **out_solver, sinew_Message *out_message)
{
    if (out_solver == NULL) { return snw_refuse(out_message, "out_solver is NULL"); }
    *out_solver = NULL;
    if (def == NULL) { return snw_refuse(out_message, "def is NULL"); }
    if (def->cookie != SNW_COOKIE) { return SNW_FAIL_COOKIE(out_message, "solver"); }
    if (def->skeleton == NULL) { return snw_refuse(out_message, "skeleton is NULL"); }
    if (def->max_goals < 1 || def->max_goals > SINEW_MAX_JOINTS) {
        return snw_refuse(
            out_message, "max_goals is %d, want 1..%d", def->max_goals, SINEW_MAX_JOINTS);
    }

    // a solver is too large for a stack
    sinew_Allocator allocator = snw_allocator_or_default(&def->allocator);
    sinew_Solver *measured = snw_alloc(&allocator, sizeof *measured);
    if (measured == NULL) { return snw_no_memory(out_message, "a solver"); }
    measured->skeleton = def->skeleton;
    measured->max_goals = def->max_goals;
    snw_Arena arena = { NULL, 0 };
    take_arrays(measured, &arena);
    snw_free(&allocator, measured, sizeof *measured);
    size_t size;
    if (!snw_arena_open(&arena, &allocator, &size)) {
        return snw_no_memory(out_message, "a solver of %z bytes", size);
    }
    sinew_Solver *solver = (sinew_Solver *)(void *)arena.base;
    solver->allocator = allocator;
    solver->memory_size = size;
    solver->skeleton = def->skeleton;
    solver->max_goals = def->max_goals;
    solver->whole.skeleton = def->skeleton;
    solver->whole.clock = def->clock;
    solver->whole.clock_user = def->clock_user;
    solver->planned_count = -1;
    take_arrays(solver, &arena);
    sinew_solver_set_mobility(solver, NULL);
    sinew_solver_reset_limits(solver);
    sinew_solver_set_rest(solver, NULL);
    *out_solver = solver;
    return SINEW_STATUS_OK;
}

void sinew_solver_destroy(sinew_Solver *solver)
{
    if (solver == NULL) { return; }
    snw_free(&solver->allocator, solver, solver->memory_size);
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
    return &solver->whole;
}

size_t sinew_solver_memory(const sinew_Solver *solver)
{
    if (solver == NULL) { return 0; }
    return solver->memory_size;
}

void sinew_solver_set_trace(sinew_Solver *solver, double *trace, int capacity)
{
    if (solver == NULL) { return; }
    solver->whole.trace = trace;
    solver->whole.trace_capacity = trace != NULL ? capacity : 0;
}

sinew_Status sinew_solver_set_mobility(sinew_Solver *solver, const double *mobility)
{
    if (solver == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
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
    if (solver == NULL) { return; }
    const sinew_Axis *axes = sinew_skeleton_axes(solver->skeleton);
    int count = sinew_skeleton_axis_count(solver->skeleton);
    for (int a = 0; a < count; ++a) {
        solver->limits[a] = (snw_AxisLimit){ axes[a].lower, axes[a].upper, axes[a].limit };
        solver->judged[a].x = NAN;
    }
    solver->limits_changed = true;
}

void snw_solver_follow(sinew_Solver *solver, snw_Follow *follows, int count)
{
    solver->whole.follows = follows;
    solver->whole.follow_count = count;
}

static bool is_axis(const sinew_Solver *solver, int axis, bool ball)
{
    if (solver == NULL || axis < 0 || axis >= sinew_skeleton_axis_count(solver->skeleton)) {
        return false;
    }
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
    solver->judged[axis].x = NAN;
    solver->limits_changed = true;
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_set_rest(sinew_Solver *solver, const double *q)
{
    if (solver == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    if (q != NULL) {
        sinew_Status status = sinew_pose_check(solver->skeleton, q, NULL);
        if (status != SINEW_STATUS_OK) { return status; }
        memcpy(solver->rest, q,
            (size_t)sinew_skeleton_coordinate_count(solver->skeleton) * sizeof(double));
    } else {
        sinew_pose_rest(solver->skeleton, solver->rest);
    }
    if (solver->planned_count < 0) { return SINEW_STATUS_OK; }
    if (solver->whole_planned) { snw_run_load_rest(&solver->whole, solver->rest); }
    for (int p = 0; solver->parts.planned && p < solver->parts.count; ++p) {
        snw_run_load_rest(&solver->parts.parts[p].solve, solver->rest);
    }
    return SINEW_STATUS_OK;
}

sinew_Status sinew_solver_set_starts(sinew_Solver *solver, const sinew_StartTable *table)
{
    if (solver == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    if (table != NULL && !snw_start_table_is_for(table, solver->skeleton)) {
        return SINEW_STATUS_INVALID_ARGUMENT;
    }
    solver->whole.restart.table = table;
    return SINEW_STATUS_OK;
}

const sinew_GoalResult *sinew_solver_goal_results(const sinew_Solver *solver)
{
    if (solver == NULL) { return NULL; }
    return solver->whole.results;
}

// ---------------------------------------------------------------------------------------------
// Checking and preparing

// limits that come and go change numbers of the plans and nothing of their layout
static void take_limits(sinew_Solver *solver)
{
    if (!solver->limits_changed) { return; }
    if (solver->whole_planned) { snw_plan_set_limits(&solver->whole.plan, solver->limits); }
    for (int p = 0; solver->parts.planned && p < solver->parts.count; ++p) {
        snw_plan_set_limits(&solver->parts.parts[p].solve.plan, solver->limits);
    }
    solver->limits_changed = false;
}

// Whether the goals are solved part by part. The other methods are as published; without iterations
// nothing is solved, and the whole is what a diagnosis looks at.
static bool takes_parts(const sinew_Solver *solver, const sinew_SolveOptions *options)
{
    const snw_Parts *parts = &solver->parts;
    int least = options->min_iterations > 1 ? options->min_iterations : 1;
    return parts->count > 1 && options->method == SINEW_METHOD_AUTO
        && options->max_iterations / least >= parts->count;
}

// the parts and plans of these goals: those of the last solve when they name the same joints
static sinew_Status prepare_plans(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, sinew_Message *message)
{
    SNW_ASSERT(goal_count >= 0);
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
    // what goals may not be together
    sinew_Status status = goal_count > 1 ? snw_goal_check_all(options, goals, goal_count, message)
                                         : SINEW_STATUS_OK;
    if (status != SINEW_STATUS_OK) { return status; }
    if (!known) {
        for (int g = 0; g < goal_count; ++g) { solver->planned[g] = goals[g]; }
        solver->planned_count = goal_count;
        solver->planned_half = half;
        solver->whole_planned = false;
        snw_parts_find(&solver->parts, solver->skeleton, solver->mobility, goals, goal_count);
    }
    bool apart = takes_parts(solver, options);
    if (apart && !solver->parts.planned) {
        snw_parts_plan(&solver->parts, &solver->whole, &solver->plan_scratch, solver->mobility,
            solver->rest, goals, goal_count, half);
        solver->whole_planned = false;
        solver->limits_changed = true; // since a plan begins with the skeleton's own
    }
    if (!apart && !solver->whole_planned) {
        snw_parts_leave(&solver->parts);
        snw_run_plan(&solver->whole, &solver->plan_scratch, solver->mobility, solver->rest, goals,
            goal_count, half);
        solver->whole_planned = true;
        solver->limits_changed = true;
    }
    take_limits(solver);
    return SINEW_STATUS_OK;
}

// a frame without time: no joint may move, goals are only measured
static bool stands_still(const sinew_SolveOptions *options)
{
    return options->max_joint_change == 0.0;
}

static sinew_Status check_call(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, const double *q, sinew_Message *message)
{
    if (solver == NULL || options == NULL || q == NULL) {
        return SNW_CHECK_NULL(message, "solver options q", solver, options, q);
    }
    if (goal_count < 0) {
        return snw_refuse(message, "goal_count is %d, want 0 or more", goal_count);
    }
    if (goal_count > 0 && goals == NULL) { return snw_refuse(message, "goals is NULL"); }
    if (goal_count > solver->max_goals) {
        return snw_fail(message, SINEW_STATUS_CAPACITY, "goal_count is %d, and max_goals was %d",
            goal_count, solver->max_goals);
    }
    // padding can only make options look new, and then they are checked again
    bool known = solver->has_checked_options
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        && memcmp(options, &solver->checked_options, sizeof *options) == 0;
    if (!known) {
        sinew_SolveOptions bounded = *options;
        if (stands_still(options)) { bounded.max_joint_change = INFINITY; }
        sinew_Status status = snw_options_check(&bounded, "options", solver->whole.clock, message);
        if (status != SINEW_STATUS_OK) { return status; }
        memcpy(&solver->checked_options, options, sizeof *options);
        solver->has_checked_options = true;
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_solver_begin(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *q, sinew_Message *message)
{
    sinew_Status status = check_call(solver, options, goal, 1, q, message);
    if (status == SINEW_STATUS_OK && options->method != SINEW_METHOD_AUTO) {
        status = snw_refuse(
            message, "options.method is %s, want auto", sinew_method_name(options->method));
    }
    if (status == SINEW_STATUS_OK) { status = prepare_plans(solver, options, goal, 1, message); }
    if (status != SINEW_STATUS_OK) { return status; }
    const snw_Run run = { options, goal, 1, goal, 1, NULL, q };
    return snw_run_begin(&solver->whole, &run, message);
}

// Most balls of a body stand as they did when they were judged last.
static double ball_violation(const sinew_Solver *solver, int axis, sinew_Quat ball)
{
    sinew_Quat *judged = &solver->judged[axis];
    bool same = ball.x == judged->x && ball.y == judged->y && ball.z == judged->z
        && ball.w == judged->w;
    if (!same) {
        *judged = ball;
        solver->outside[axis] = sinew_ball_limit_violation(solver->limits[axis].limit, ball);
    }
    return solver->outside[axis];
}

// of the whole pose, by the limits as they hold now: what no goal moves is told, too
static double limit_violation(const sinew_Solver *solver, const double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(solver->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(solver->skeleton);
    int count = sinew_skeleton_axis_count(solver->skeleton);
    const snw_AxisLimit *limits = solver->limits;
    double worst = 0.0, finite = 0.0; // NAN once some value is not
    for (int a = 0; a < count; ++a) {
        const double *value = &q[places[a].coordinate];
        if (axes[a].kind != SINEW_AXIS_BALL) {
            double below = limits[a].lower - value[0], above = value[0] - limits[a].upper;
            worst = below > worst ? below : worst;
            worst = above > worst ? above : worst;
            finite += 0.0 * value[0];
        } else if (limits[a].limit != NULL) {
            double outside = ball_violation(solver, a, snw_quat_load(value));
            worst = outside > worst ? outside : worst;
        }
    }
    return finite == 0.0 ? worst : INFINITY;
}

// no goal moves any joint: the pose is the answer as it is
static sinew_Status ask_nothing(sinew_Solver *solver, const double *q, sinew_Message *message)
{
    sinew_Status status = sinew_pose_check(solver->skeleton, q, message);
    if (status != SINEW_STATUS_OK) { return status; }
    memset(&solver->whole.report, 0, sizeof solver->whole.report);
    solver->whole.report.outcome = SINEW_OUTCOME_CONVERGED;
    solver->whole.report.found_by = SINEW_FOUND_GIVEN;
    return SINEW_STATUS_OK;
}

// nobody is off a place or a turn that was not told
static void tell_unasked(sinew_GoalResult *results, const sinew_Goal *goals, int goal_count)
{
    for (int g = 0; g < goal_count; ++g) {
        bool place = snw_goal_asks_place(&goals[g]), turn = snw_goal_asks_turn(&goals[g]);
        if (!place && !sinew_vec3_is_finite(goals[g].position)) {
            results[g].position_error = results[g].eased_distance = 0.0;
        }
        if (!turn && !sinew_quat_is_finite(goals[g].orientation)) {
            results[g].orientation_error = 0.0;
        }
    }
}

sinew_Status sinew_solver_solve(sinew_Solver *solver, const sinew_SolveOptions *options,
    const sinew_Goal *goals, int goal_count, double *q, sinew_Report *out_report,
    sinew_Message *out_message)
{
    sinew_Status status = check_call(solver, options, goals, goal_count, q, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    sinew_SolveOptions still;
    if (stands_still(options)) {
        still = *options;
        still.max_iterations = still.min_iterations = 0;
        still.max_joint_change = INFINITY;
        options = &still;
    }
    snw_Solve *whole = &solver->whole;
    whole->start_time = whole->clock != NULL ? whole->clock(whole->clock_user) : 0.0;
    if (goal_count > 0) {
        status = prepare_plans(solver, options, goals, goal_count, out_message);
        if (status != SINEW_STATUS_OK) { return status; }
    }
    if (goal_count == 0) {
        status = ask_nothing(solver, q, out_message);
    } else if (takes_parts(solver, options)) {
        status = snw_parts_run(&solver->parts, whole, options, goals, goal_count, q, out_message);
    } else {
        const snw_Run run = { options, goals, goal_count, goals, goal_count, NULL, q };
        status = snw_run_begin(whole, &run, out_message);
        if (status == SINEW_STATUS_OK) {
            snw_run(whole);
            snw_run_store(whole, q);
        }
    }
    if (status != SINEW_STATUS_OK) { return status; }
    tell_unasked(whole->results, goals, goal_count);
    if (whole->clock != NULL) {
        whole->report.time = whole->clock(whole->clock_user) - whole->start_time;
    }
    if (out_report != NULL) {
        *out_report = whole->report;
        out_report->limit_violation = limit_violation(solver, q);
    }
    return status;
}
