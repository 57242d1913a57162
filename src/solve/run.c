#include "solve/run.h"
#include "math/quat.h"

#include "base/message.h"
#include "math/trig.h"
#include "solve/asked.h"
#include "solve/method_table.h"
#include "solve/turn_bound.h"

#include <string.h>

// hinges beyond this many radians are refused: sines are exact below 1e6, and steps add up
#define MAX_HINGE 1e5
// what a slide may stand at in a pose given, metres: more than any goal in reach can make it, so that
// an answer is a start for the next solve
#define MAX_SLIDE 1e15
// goals farther away than this many reaches are mistakes
#define MAX_GOAL_DISTANCE 1e6

void snw_run_take(snw_Solve *solve, snw_Sizes sizes, bool every_method, snw_Arena *arena)
{
    size_t goals = (size_t)sizes.goals, values = (size_t)sizes.values;
    solve->ease = snw_arena_take(arena, goals, sizeof(snw_Ease));
    solve->start_values = snw_arena_take(arena, values, sizeof(double));
    solve->best_values = snw_arena_take(arena, values, sizeof(double));
    solve->holds = snw_arena_take(arena, (size_t)sizes.links, sizeof(snw_BallHold));
    snw_plan_take(&solve->plan, sizes, arena);
    snw_targets_take(&solve->targets, sizes, arena);
    snw_state_take(&solve->states[0], sizes, arena);
    snw_state_take(&solve->states[1], sizes, arena);
    snw_linear_take(&solve->linear, sizes, arena);
    snw_restart_take(&solve->restart, sizes, arena);
    snw_auto_take(&solve->method, sizes, arena);
    snw_levels_take(&solve->levels, sizes, arena);
    snw_escape_take(&solve->escape, sizes, arena);
    if (!every_method) { return; }
    snw_sweep_take(&solve->sweep, sizes, arena);
    solve->svd = snw_arena_take(arena, snw_selectively_damped_scratch(sizes), sizeof(double));
}

void snw_run_load_rest(snw_Solve *solve, const double *rest)
{
    const snw_Plan *plan = &solve->plan;
    for (int l = 0; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        for (int k = 0; k < (link->motion == SNW_BALL ? 4 : 1); ++k) {
            solve->targets.rest_values[link->value + k] = rest[link->coordinate + k];
        }
    }
}

// what is laid out by the plan
static void lay_out(snw_Solve *solve)
{
    snw_linear_prepare(&solve->linear, &solve->plan);
    solve->cheapest_form = snw_linear_choose(&solve->plan, true);
    snw_auto_plan(&solve->method, &solve->plan);
}

void snw_run_plan(snw_Solve *solve, const snw_PlanScratch *scratch, const double *mobility,
    const double *rest, const sinew_Goal *goals, int goal_count, bool rows_half)
{
    snw_plan_build(&solve->plan, scratch, solve->skeleton, mobility, goals, goal_count, rows_half);
    lay_out(solve);
    snw_run_load_rest(solve, rest);
}

// ---------------------------------------------------------------------------------------------
// The beginning

// find the links of hinges that follow, where the plan or they are new
static void follow(snw_Solve *solve, const double *q)
{
    snw_Plan *plan = &solve->plan;
    if (plan->follow_count != solve->follow_count || plan->follows != solve->follows) {
        snw_plan_follow(plan, solve->skeleton, solve->follows, solve->follow_count);
    }
    for (int i = 0; i < plan->follow_count; ++i) {
        snw_Follow *f = &plan->follows[i];
        f->end = 0.0;
        f->may_leave = true;
        if (f->link < 0) { continue; }
        f->near = q[plan->links[f->link].coordinate];
        int d = plan->links[f->link].dof;
        bool is_known = f->own_lower == plan->range_lower[d] && f->own_upper == plan->range_upper[d]
            && f->known_lower == f->lower && f->known_upper == f->upper;
        if (!is_known) { snw_plan_know_range(plan, i); }
    }
}

// the default method and sweeps know no hinges that follow
static void step_instead(sinew_SolveOptions *options)
{
    const sinew_SolveOptions steps = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options->method = SINEW_METHOD_DAMPED;
    options->descent = steps.descent;
    options->stall_share = steps.stall_share;
    options->max_joint_step = steps.max_joint_step;
    options->damping = steps.damping;
    options->damping_gain = steps.damping_gain;
    options->damping_floor = steps.damping_floor;
}

// Weights count against each other alone, while floors of the damping and what counts as near are numbers of
// their own. So the largest is brought near 1, by powers of 1024 squared: ordinary ones are as they are given.
static void normalise_weights(snw_Targets *targets, double reach, int goal_count)
{
    double largest = sqrt(targets->rest_weight + targets->velocity_weight) / reach;
    int exponent;
    for (int e = 0; e < goal_count; ++e) {
        double turn = targets->orientation_scale[e] / targets->orientation_length;
        largest = fmax(largest, fmax(targets->position_scale[e], turn));
    }
    (void)frexp(fmax(largest, 1e-60), &exponent);
    double scale = ldexp(1.0, 1000 - (exponent + 1004) / 10 * 10);
    targets->weight_unit = scale * scale;
    if (scale == 1.0) { return; }
    targets->rest_weight *= targets->weight_unit;
    targets->velocity_weight *= targets->weight_unit;
    for (int e = 0; e < goal_count; ++e) {
        targets->position_scale[e] *= scale;
        targets->orientation_scale[e] *= scale;
    }
}

static void prepare_targets(snw_Solve *solve, const sinew_Goal *goals, int goal_count)
{
    snw_Targets *targets = &solve->targets;
    const sinew_SolveOptions *o = &solve->options;
    double reach = solve->plan.reach;
    double length = o->orientation_length;
    if (!(length > 0.0)) { length = reach / snw_method(o->method)->orientation_divisor; }
    targets->orientation_length = length;
    targets->rest_weight = o->rest_weight;
    targets->velocity_weight = o->velocity_weight;
    targets->start_values = solve->start_values;
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
        targets->position[e] = snw_goal_place(&goals[e]);
        targets->position_scale[e] = sqrt(goals[e].position_weight);
        if (solve->plan.effectors[e].orientation) {
            targets->orientation[e] = sinew_mat3_from_quat(
                sinew_quat_normalize(snw_goal_turn(&goals[e])));
            targets->orientation_scale[e] = length * sqrt(goals[e].orientation_weight);
        } else {
            targets->orientation_scale[e] = 0.0;
        }
    }
    normalise_weights(targets, reach, goal_count);
    solve->levels.count = 1;
    if (goal_count > 1) { snw_levels_prepare(solve, goals, goal_count); }
}

// take the plan's coordinates out of the pose, cropped to their ranges
static sinew_Status load_pose(snw_Solve *solve, const double *q, sinew_Message *message)
{
    const snw_Plan *plan = &solve->plan;
    bool clamp = solve->options.limits != SINEW_LIMITS_NONE;
    double *values = solve->current->values, *other = solve->trial->values;
    // by names of their own: what is stored could be any of them otherwise
    const snw_Link *links = plan->links;
    const double *range_lower = plan->range_lower, *range_upper = plan->range_upper;
    const int count = plan->link_count, static_count = plan->static_link_count;
    for (int l = 0; l < count; ++l) {
        const snw_Link *link = &links[l];
        const double *given = &q[link->coordinate];
        double *value = &values[link->value];
        char name[96];
        if (link->motion == SNW_BALL) {
            sinew_Quat ball = snw_quat_load(given);
            double square = sinew_quat_dot(ball, ball);
            if (!(fabs(square - 1.0) <= 2e-3)) {
                sinew_skeleton_coordinate_name(
                    solve->skeleton, link->coordinate, name, sizeof name);
                return snw_refuse(
                    message, "%s: the quaternion has length %g, want 1", name, sqrt(square));
            }
            // one that is unit to rounding keeps its bits, so that a met goal changes nothing
            double scale = fabs(square - 1.0) > 1e-14 ? 1.0 / sqrt(square) : 1.0;
            for (int k = 0; k < 4; ++k) { value[k] = given[k] * scale; }
            if (clamp && link->dof >= 0 && link->limit != NULL) {
                sinew_Quat whole = snw_quat_load(value);
                sinew_Quat inside = sinew_ball_limit_clamp(link->limit, whole);
                snw_quat_store(inside, value);
            }
        } else {
            double here = given[0];
            bool hinge = snw_motion_is_hinge(link->motion);
            if (!(fabs(here) <= MAX_HINGE) && (hinge || !(fabs(here) <= MAX_SLIDE))) {
                sinew_skeleton_coordinate_name(
                    solve->skeleton, link->coordinate, name, sizeof name);
                return snw_refuse(message, "%s is %g, want a finite number of at most %g", name,
                    here, hinge ? MAX_HINGE : MAX_SLIDE);
            }
            if (clamp && link->dof >= 0) {
                int d = link->dof;
                double lower = range_lower[d], upper = range_upper[d];
                here = here < lower ? lower : here;
                here = here > upper ? upper : here;
            }
            value[0] = here;
        }
        if (l < static_count) {
            for (int k = 0; k < (link->motion == SNW_BALL ? 4 : 1); ++k) {
                other[link->value + k] = value[k];
            }
        }
    }
    for (int i = 0; i < plan->follow_count; ++i) {
        const snw_Follow *f = &plan->follows[i];
        if (f->link >= 0 && !f->is_free) { values[links[f->link].value] = 0.0; }
    }
    return SINEW_STATUS_OK;
}

// the default method poses chains itself: of the states, only what carries the chain is needed
static void start_states(snw_Solve *solve, bool carrier_only)
{
    const snw_Plan *plan = &solve->plan;
    const double *values = solve->current->values;
    double *start_values = solve->start_values;
    for (int i = 0, count = plan->value_count; i < count; ++i) { start_values[i] = values[i]; }
    snw_plan_bound_change(&solve->plan, solve->start_values, solve->options.max_joint_change);
    solve->posed = !carrier_only;
    if (carrier_only && plan->static_link_count == 0) { return; }
    if (plan->static_link_count > 0) {
        // links that nothing moves are posed here once; the others too, unless the method does that
        if (carrier_only) {
            snw_state_forward_carrier(plan, solve->current);
        } else {
            snw_state_forward(plan, solve->current, 0);
        }
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

// How far goals of place are, metres: from what carries a chain that poses itself, or where slides may have taken
// that away and for other bodies, from the effectors.
static double goal_distance(snw_Solve *solve)
{
    bool posed = solve->posed;
    if (!posed && !solve->plan.is_endless) { return snw_auto_distance(solve); }
    snw_solve_pose(solve);
    solve->posed = posed;
    return sqrt(solve->current->position_error2);
}

static void ease_goals(snw_Solve *solve)
{
    bool posed = solve->posed;
    snw_solve_pose(solve);
    solve->beyond = snw_soft_reach_apply(&solve->plan, solve->current, solve->options.soft_reach,
        solve->options.limits != SINEW_LIMITS_NONE, &solve->targets, solve->ease);
    if (solve->beyond >= 0.0) { snw_state_measure(&solve->plan, &solve->targets, solve->current); }
    // a method that poses the plan itself still does
    solve->posed = posed;
}

// differences give the matrix J alone, and only its rows can hold what is no point mass or no free hinge
static bool wants_jacobian(const snw_Solve *solve)
{
    return solve->options.jacobian != SINEW_JACOBIAN_ANALYTIC || solve->plan.task_count > 0
        || solve->plan.follow_count > 0;
}

static sinew_Status check_form(const snw_Solve *solve, sinew_Message *message)
{
    const sinew_SolveOptions *o = &solve->options;
    const snw_Plan *plan = &solve->plan;
    bool by_rows = wants_jacobian(solve) || plan->has_constraint || solve->levels.count > 1
        || (snw_method(o->method)->run == NULL && !snw_method_can(o->method, SNW_CAN_CHOOSE_FORM));
    if (by_rows && !snw_linear_is_dense(plan)) {
        return snw_fail(message, SINEW_STATUS_CAPACITY,
            "%d movable degrees of freedom and %d rows are too many for what needs their Jacobian",
            plan->dof_count, plan->row_count);
    }
    if (snw_form_fits(plan, o->form)) { return SINEW_STATUS_OK; }
    return snw_fail(message, SINEW_STATUS_CAPACITY,
        "options.form is %s, which is for at most %d movable degrees of freedom; the goals move %d "
        "by %d row%s",
        sinew_form_name(o->form), SNW_MOST_SQUARE_DOFS, plan->dof_count, plan->row_count,
        snw_plural(plan->row_count));
}

static void choose_form(snw_Solve *solve)
{
    solve->form = solve->options.form;
    if (solve->form == SINEW_FORM_AUTO) { solve->form = solve->cheapest_form; }
    if (wants_jacobian(solve) && !snw_form_needs_jacobian(solve->form)) {
        bool fewer_dofs = snw_linear_flops(&solve->plan, SINEW_FORM_DOFS)
            < snw_linear_flops(&solve->plan, SINEW_FORM_ROWS);
        solve->form = fewer_dofs && snw_form_fits(&solve->plan, SINEW_FORM_DOFS) ? SINEW_FORM_DOFS
                                                                                 : SINEW_FORM_ROWS;
    }
    bool chooses = snw_method_can(solve->options.method, SNW_CAN_CHOOSE_FORM);
    solve->report.form = chooses ? solve->form : SINEW_FORM_ROWS;
}

// ---------------------------------------------------------------------------------------------
// The end

void snw_run_store(const snw_Solve *solve, double *q)
{
    const double *values = solve->current->values;
    const snw_Link *links = solve->plan.links;
    int count = solve->plan.link_count;
    for (int l = solve->plan.static_link_count; l < count; ++l) {
        const snw_Link *link = &links[l];
        if (link->dof < 0) { continue; }
        const double *value = &values[link->value];
        double *to = &q[link->coordinate];
        to[0] = value[0];
        for (int k = 1; link->motion == SNW_BALL && k < 4; ++k) { to[k] = value[k]; }
    }
    for (int i = 0; i < solve->plan.follow_count; ++i) {
        snw_Follow *f = &solve->plan.follows[i];
        if (f->link < 0) { continue; }
        q[links[f->link].coordinate] = snw_follow_angle(&solve->plan, i, solve->current);
        f->end = values[links[f->link].value];
        if (f->is_free) { f->end -= snw_follow_aim(&solve->plan, i, solve->current); }
    }
}

static double angle_of_chord(double chord)
{
    return 2.0 * sinew_asin(0.5 * chord);
}

static void fill_results(snw_Solve *solve)
{
    for (int e = 0; e < solve->plan.effector_count; ++e) {
        double position2, chord2;
        snw_goal_errors2(&solve->plan, solve->current, e, &position2, &chord2);
        sinew_GoalResult result = { sqrt(position2), 0.0, 0.0 };
        if (chord2 > 0.0) { result.orientation_error = angle_of_chord(sqrt(chord2)); }
        solve->results[e] = result;
    }
}

// results of eased goals against the true ones
static void tell_eased(snw_Solve *solve)
{
    for (int e = 0; e < solve->plan.effector_count; ++e) {
        const snw_Effector *effector = &solve->plan.effectors[e];
        if (!effector->position) { continue; }
        const double *error = &solve->current->error[effector->row];
        sinew_Vec3 miss = sinew_vec3_add(
            sinew_vec3(error[0], error[1], error[2]), solve->ease[e].way);
        solve->results[e].position_error = sinew_vec3_length(miss);
        solve->results[e].eased_distance = solve->ease[e].cost;
    }
}

static void finish_report(snw_Solve *solve, sinew_Outcome outcome)
{
    sinew_Report *report = &solve->report;
    report->outcome = outcome;
    report->position_error = sqrt(solve->current->position_error2);
    report->orientation_error = solve->current->orientation_chord2 > 0.0
        ? angle_of_chord(sqrt(solve->current->orientation_chord2))
        : 0.0;
    // told against the true goals
    if (solve->beyond >= 0.0) { report->position_error = 0.0; }
    for (int e = 0; solve->beyond >= 0.0 && e < solve->plan.effector_count; ++e) {
        const sinew_GoalResult *result = &solve->results[e];
        if (!(solve->targets.position_scale[e] > 0.0)) { continue; }
        report->position_error = fmax(report->position_error, result->position_error);
        report->eased_distance = fmax(report->eased_distance, result->eased_distance);
    }
    report->objective = solve->current->objective / solve->targets.weight_unit;
    report->start_objective /= solve->targets.weight_unit;
}

// ---------------------------------------------------------------------------------------------

sinew_Status snw_run_begin(snw_Solve *solve, const snw_Run *run, sinew_Message *message)
{
    memcpy(&solve->options, run->options, sizeof solve->options);
    const sinew_SolveOptions *options = &solve->options;
    memset(&solve->report, 0, sizeof solve->report);
    solve->out_of_time = false;
    solve->time_told = solve->start_time;
    solve->current = &solve->states[0];
    solve->trial = &solve->states[1];
    follow(solve, run->q);
    if (solve->plan.follow_count > 0 && snw_method(options->method)->step == NULL) {
        step_instead(&solve->options);
    }
    prepare_targets(solve, run->goals, run->goal_count);
    sinew_Status status = check_form(solve, message);
    if (status != SINEW_STATUS_OK) { return status; }
    // sides of polygons that the last solve ended on
    solve->any_support_side = false;
    for (int s = 0; s < SINEW_MAX_SUPPORT_GOALS; ++s) { solve->support_side_count[s] = 0; }
    status = load_pose(solve, run->q, message);
    if (status != SINEW_STATUS_OK) { return status; }
    choose_form(solve);
    snw_restart_begin(&solve->restart, solve->skeleton, options, run->all_goals,
        run->all_goal_count, run->places, run->goal_count, run->q);
    // a start is placed in the ranges, not in those that the last solve's max_joint_change left
    snw_plan_bound_change(&solve->plan, NULL, INFINITY);
    if (options->start != SINEW_START_GIVEN) {
        snw_restart_first(
            &solve->restart, &solve->plan, options, &solve->targets, solve->current->values);
    }
    bool itself = options->method == SINEW_METHOD_AUTO && snw_auto_poses_itself(solve);
    start_states(solve, itself);
    double distance = goal_distance(solve);
    if (snw_plan_fit_reach(&solve->plan, distance)) {
        lay_out(solve);
        prepare_targets(solve, run->goals, run->goal_count);
        start_states(solve, itself);
    }
    double farthest = MAX_GOAL_DISTANCE * solve->plan.reach;
    if (!(distance <= farthest)) {
        return snw_refuse(message,
            "a goal is %g m away, want at most a million times the reach of %g m", distance,
            solve->plan.reach);
    }
    solve->beyond = -1.0;
    if (options->soft_reach > 0.0) { ease_goals(solve); }
    solve->report.start_objective = solve->posed ? solve->current->objective : 0.0;
    return SINEW_STATUS_OK;
}

void snw_run(snw_Solve *solve)
{
    const snw_MethodRow *method = snw_method(solve->options.method);
    sinew_Outcome outcome = solve->levels.count > 1 ? snw_levels_run(solve)
        : method->run != NULL                       ? method->run(solve)
                                                    : snw_solve_run(solve);
    if (snw_bound_turns(solve) && outcome == SINEW_OUTCOME_CONVERGED
        && !snw_solve_met_by(solve, solve->current)) {
        outcome = SINEW_OUTCOME_STALLED;
    }
    // at its eased place a goal beyond reach is not met
    if (outcome == SINEW_OUTCOME_CONVERGED && solve->beyond > solve->options.position_tolerance) {
        outcome = SINEW_OUTCOME_STALLED;
    }
    if (solve->report.found_by == SINEW_FOUND_GIVEN && solve->report.iterations > 0) {
        solve->report.found_by = SINEW_FOUND_DESCENT;
    }
    fill_results(solve);
    if (solve->beyond >= 0.0) { tell_eased(solve); }
    finish_report(solve, outcome);
}
