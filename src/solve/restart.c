#include "solve/restart.h"
#include "math/holds.h"
#include "math/quat.h"

#include "solve/start_table.h"

// directions tried for a ball before the nearest allowed pose is taken instead
#define MAX_BALL_TRIES 200

void snw_restart_take(snw_Restart *restart, snw_Sizes sizes, snw_Arena *arena)
{
    restart->best_values = snw_arena_take(arena, (size_t)sizes.values, sizeof(double));
}

// ---------------------------------------------------------------------------------------------
// Random poses

// uniform on the unit sphere: the height of such a point is uniform (Archimedes)
static sinew_Vec3 random_direction(snw_Random *random)
{
    double s, c, z = snw_random_range(random, -1.0, 1.0);
    sinew_sincos(snw_random_range(random, -SINEW_PI, SINEW_PI), &s, &c);
    double r = sqrt(1.0 - z * z);
    return sinew_vec3(r * c, r * s, z);
}

// uniform over all rotations; Shoemake (1992), Uniform random rotations
static sinew_Quat random_rotation(snw_Random *random)
{
    double u = snw_random_unit(random), s1, c1, s2, c2;
    sinew_sincos(snw_random_range(random, -SINEW_PI, SINEW_PI), &s1, &c1);
    sinew_sincos(snw_random_range(random, -SINEW_PI, SINEW_PI), &s2, &c2);
    double a = sqrt(1.0 - u), b = sqrt(u);
    sinew_Quat r = { a * s1, a * c1, b * s2, b * c2 };
    return sinew_quat_normalize(r);
}

static sinew_Quat random_ball(const sinew_BallLimit *limit, snw_Random *random)
{
    if (limit == NULL) { return random_rotation(random); }
    const sinew_BallLimitDef *def = sinew_ball_limit_def(limit);
    double lower = def->twist_lower > -SINEW_PI ? def->twist_lower : -SINEW_PI;
    double upper = def->twist_upper < SINEW_PI ? def->twist_upper : SINEW_PI;
    double twist = snw_random_range(random, lower, upper);
    sinew_Quat ball = sinew_quat_identity();
    for (int tries = 0; tries < MAX_BALL_TRIES; ++tries) {
        ball = sinew_ball_limit_pose(limit, random_direction(random), twist);
        if (sinew_ball_limit_allows(limit, ball)) { return ball; }
    }
    return sinew_ball_limit_clamp(limit, ball);
}

static double random_scalar(
    const snw_Plan *plan, const snw_Link *link, bool limits, snw_Random *random, double from)
{
    double lower = limits ? plan->lower[link->dof] : -INFINITY;
    double upper = limits ? plan->upper[link->dof] : INFINITY;
    if (!isfinite(upper - lower)) {
        if (!snw_motion_is_hinge(link->motion)) { return from; }
        if (isfinite(lower)) {
            upper = lower + 2.0 * SINEW_PI;
        } else if (isfinite(upper)) {
            lower = upper - 2.0 * SINEW_PI;
        } else {
            lower = from - SINEW_PI;
            upper = from + SINEW_PI;
        }
    }
    double value = snw_random_range(random, lower, upper);
    return value < upper ? value : upper;
}

void snw_random_values(
    const snw_Plan *plan, bool limits, snw_Random *random, const double *from, double *out_values)
{
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        double *value = &out_values[link->value];
        if (link->motion == SNW_BALL) {
            sinew_Quat ball = random_ball(limits ? link->limit : NULL, random);
            snw_quat_store(ball, value);
            (void)snw_state_bound_ball(plan, link, limits, value);
        } else {
            value[0] = random_scalar(plan, link, limits, random, from[link->value]);
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Starts

// a ball that may change by a part of its limit only: back along the way from where it stood, or there
// where that leaves the limit
static void bound_ball(const snw_Plan *plan, const snw_Link *link, bool limits, double *value)
{
    const double *given = &plan->change_start[link->value];
    sinew_Quat start = snw_quat_load(given);
    sinew_Quat ball = snw_quat_load(value);
    double angle = sinew_quat_angle(start, ball);
    if (angle <= plan->most_change) { return; }
    sinew_Quat r = sinew_quat_slerp(start, ball, plan->most_change / angle);
    if (limits && link->limit != NULL && !sinew_ball_limit_allows(link->limit, r)) { r = start; }
    snw_quat_store(r, value);
}

static void bound_balls(const snw_Plan *plan, bool limits, double *values)
{
    if (!isfinite(plan->most_change) || plan->change_start == NULL) { return; }
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0 || link->motion != SNW_BALL) { continue; }
        bound_ball(plan, link, limits, &values[link->value]);
    }
}

// a given value of a free link, inside its limits
static void place_value(
    const snw_Plan *plan, const snw_Link *link, bool limits, const double *given, double *value)
{
    if (link->motion != SNW_BALL) {
        value[0] = given[0];
        if (!limits) { return; }
        value[0] = value[0] > plan->lower[link->dof] ? value[0] : plan->lower[link->dof];
        value[0] = value[0] < plan->upper[link->dof] ? value[0] : plan->upper[link->dof];
        return;
    }
    sinew_Quat ball = snw_quat_load(given);
    if (limits && link->limit != NULL) { ball = sinew_ball_limit_clamp(link->limit, ball); }
    snw_quat_store(ball, value);
    (void)snw_state_bound_ball(plan, link, limits, value);
}

static void place_start(
    const snw_Restart *restart, const snw_Plan *plan, bool limits, int place, double *values)
{
    const sinew_StartTableData *data = sinew_start_table_data(restart->table);
    const double *pose =
        &data->poses[(size_t)restart->starts[place] * (size_t)data->coordinate_count];
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        place_value(plan, link, limits, &pose[link->coordinate], &values[link->value]);
    }
}

void snw_restart_begin(snw_Restart *restart, const sinew_Skeleton *skeleton,
    const sinew_SolveOptions *options, const sinew_Goal *goals, int goal_count, const int *only,
    int only_count, const double *q)
{
    SNW_ASSERT(goal_count >= 0);
    SNW_ASSERT(only_count >= 0);
    restart->start_count = 0;
    restart->iterations_before = 0;
    restart->best_attempt = -1;
    bool wanted = options->start == SINEW_START_TABLE || options->restarts > 0;
    if (restart->table != NULL && wanted) {
        restart->start_count = snw_start_table_order(
            restart->table, skeleton, goals, goal_count, only, only_count, q, restart->starts);
    }
}

void snw_restart_first(const snw_Restart *restart, const snw_Plan *plan,
    const sinew_SolveOptions *options, const snw_Targets *targets, double *values)
{
    bool limits = options->limits != SINEW_LIMITS_NONE;
    if (options->start == SINEW_START_TABLE && restart->start_count > 0) {
        place_start(restart, plan, limits, 0, values);
    } else if (options->start != SINEW_START_GIVEN) {
        for (int l = plan->static_link_count; l < plan->link_count; ++l) {
            const snw_Link *link = &plan->links[l];
            if (link->dof < 0) { continue; }
            // where there is no rest to go to, as for a free root, the place given is kept
            if (link->motion != SNW_BALL && plan->rest_pull[link->dof] == 0.0) { continue; }
            place_value(
                plan, link, limits, &targets->rest_values[link->value], &values[link->value]);
        }
    }
}

snw_Random snw_restart_random(const sinew_SolveOptions *options, int attempt)
{
    snw_Random seeds = snw_random(options->seed);
    uint64_t mixed = snw_random_bits(&seeds);
    return snw_random(mixed + (uint64_t)attempt * UINT64_C(0xd1342543de82ef95));
}

void snw_restart_next(const snw_Restart *restart, const snw_Plan *plan,
    const sinew_SolveOptions *options, const snw_Targets *targets, int attempt, double *values)
{
    bool limits = options->limits != SINEW_LIMITS_NONE;
    int place = options->start == SINEW_START_TABLE ? attempt : attempt - 1;
    if (place < restart->start_count) {
        place_start(restart, plan, limits, place, values);
        bound_balls(plan, limits, values);
        return;
    }
    snw_Random random = snw_restart_random(options, attempt);
    snw_random_values(plan, limits, &random, targets->start_values, values);
    bound_balls(plan, limits, values);
}

void snw_restart_keep(snw_Restart *restart, const snw_Plan *plan, int attempt,
    const snw_State *state, sinew_Outcome outcome)
{
    bool better = restart->best_attempt < 0 || outcome == SINEW_OUTCOME_CONVERGED
        || state->objective < SNW_WORTH_A_CHANGE * restart->best_objective;
    if (!better) { return; }
    restart->best_attempt = attempt;
    restart->best_objective = state->objective;
    restart->best_outcome = outcome;
    snw_copy(restart->best_values, state->values, plan->value_count);
}
