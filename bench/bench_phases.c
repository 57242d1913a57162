#include "bench/bench_phases.h"

#include "bench/bench.h"

#include "solve/form.h"
#include "solve/measure.h"
#include "solve/rows.h"

#include <math.h>

// a prepared iteration, put together from the solver's own parts
typedef struct Iteration {
    snw_Plan plan;
    snw_PlanScratch scratch;
    snw_Targets targets;
    snw_State current, trial;
    snw_Linear linear;
    double *mobility, *start_values;
    sinew_LinearForm form; // of time_linear
} Iteration;

static void take(Iteration *it, const sinew_Skeleton *skeleton, int goal_count, snw_Arena *arena)
{
    size_t axes = (size_t)sinew_skeleton_axis_count(skeleton);
    size_t values = (size_t)sinew_skeleton_coordinate_count(skeleton);
    it->mobility = snw_arena_take(arena, axes, sizeof(double));
    it->start_values = snw_arena_take(arena, values, sizeof(double));
    snw_Sizes sizes = snw_sizes_of(skeleton, goal_count);
    snw_plan_take(&it->plan, sizes, arena);
    snw_plan_scratch_take(&it->scratch, skeleton, arena);
    snw_targets_take(&it->targets, sizes, arena);
    snw_state_take(&it->current, sizes, arena);
    snw_state_take(&it->trial, sizes, arena);
    snw_linear_take(&it->linear, sizes, arena);
}

static void prepare(Iteration *it, const sinew_Skeleton *skeleton, const sinew_Goal *goals,
    int goal_count, const double *q)
{
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) { it->mobility[a] = 1.0; }
    snw_plan_build(&it->plan, &it->scratch, skeleton, it->mobility, goals, goal_count, false);
    snw_linear_prepare(&it->linear, &it->plan);
    double length = it->plan.reach / 3.0;
    for (int e = 0; e < goal_count; ++e) {
        it->targets.position[e] = goals[e].position;
        it->targets.orientation[e] = sinew_mat3_from_quat(goals[e].orientation);
        it->targets.position_scale[e] = 1.0;
        it->targets.orientation_scale[e] = it->plan.effectors[e].orientation ? length : 0.0;
    }
    it->targets.start_values = it->start_values;
    for (int l = 0; l < it->plan.link_count; ++l) {
        const snw_Link *link = &it->plan.links[l];
        for (int k = 0; k < (link->motion == SNW_BALL ? 4 : 1); ++k) {
            it->current.values[link->value + k] = q[link->coordinate + k];
            it->trial.values[link->value + k] = q[link->coordinate + k];
        }
    }
    snw_state_forward(&it->plan, &it->current, 0);
    snw_state_forward(&it->plan, &it->trial, 0);
    snw_state_measure(&it->plan, &it->targets, &it->current);
    it->linear.lambda2 = 1e-3 * it->plan.reach * it->plan.reach;
    snw_linear_set_error(&it->linear, &it->plan, &it->targets, &it->current, it->plan.reach);
    snw_linear_set_jacobian(&it->linear, &it->plan, &it->targets, &it->current);
}

static void run_forward(void *user)
{
    Iteration *it = user;
    snw_state_forward(&it->plan, &it->trial, it->plan.static_link_count);
}

static void run_errors(void *user)
{
    Iteration *it = user;
    snw_state_measure(&it->plan, &it->targets, &it->trial);
}

static void run_jacobian(void *user)
{
    Iteration *it = user;
    snw_linear_set_jacobian(&it->linear, &it->plan, &it->targets, &it->current);
}

static void run_linear(void *user)
{
    Iteration *it = user;
    (void)snw_linear_solve(&it->linear, &it->plan, &it->targets, &it->current, it->form);
}

static void run_integrate(void *user)
{
    Iteration *it = user;
    snw_state_integrate(
        &it->plan, &it->current, it->linear.step, SINEW_LIMITS_CLAMP, NULL, &it->trial);
}

// as many calls in a row as take about two milliseconds
static double time_phase(void (*phase)(void *), Iteration *it)
{
    bench_Times once = bench_time(phase, it, 1, 3);
    double calls = once.median > 0.0 ? 2e-3 / once.median : 1000.0;
    int count = calls < 1.0 ? 1 : (calls > 20000.0 ? 20000 : (int)calls);
    return bench_time(phase, it, count, 11).median;
}

sinew_Status bench_phases(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count,
    const double *q, bench_Phases *out_phases)
{
    Iteration it = { .form = SINEW_FORM_ROWS };
    sinew_Allocator allocator = snw_allocator_or_default(NULL);
    snw_Arena arena = { NULL, 0 };
    take(&it, skeleton, goal_count, &arena);
    size_t size = arena.used;
    arena.base = snw_alloc(&allocator, size);
    if (arena.base == NULL) { return SINEW_STATUS_OUT_OF_MEMORY; }
    arena.used = 0;
    take(&it, skeleton, goal_count, &arena);
    prepare(&it, skeleton, goals, goal_count, q);

    bench_Phases p = { .links = it.plan.link_count - it.plan.static_link_count,
        .dofs = it.plan.dof_count,
        .rows = it.plan.row_count,
        .form = snw_linear_choose(&it.plan, true) };
    p.jacobian = time_phase(run_jacobian, &it);
    for (int form = SINEW_FORM_ROWS; form < SINEW_FORM_COUNT; ++form) {
        it.form = (sinew_LinearForm)form;
        p.by_form[form] = time_phase(run_linear, &it);
        p.flops[form] = snw_linear_flops(&it.plan, it.form);
    }
    p.linear = p.by_form[p.form];
    p.integrate = time_phase(run_integrate, &it);
    p.forward = time_phase(run_forward, &it);
    p.errors = time_phase(run_errors, &it);
    *out_phases = p;
    snw_free(&allocator, arena.base, size);
    return SINEW_STATUS_OK;
}
