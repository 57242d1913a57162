#include "solve/active_set.h"
#include "math/quat.h"

// a hinge that was kept on an end of its range and is not farther from there is tried on it first, radians
#define NEAR_END 0.02

static void fix(snw_Linear *linear, int dof, double step)
{
    linear->fixed[dof] = 1;
    linear->fixed_step[dof] = step;
    linear->any_fixed = true;
}

// ---------------------------------------------------------------------------------------------
// Balls: the limit tells which directions are held, in its neutral frame

static sinew_Quat ball_value(const snw_Solve *solve, const snw_Link *link)
{
    const double *value = &solve->current->values[link->value];
    sinew_Quat r = snw_quat_load(value);
    return r;
}

// world_from_neutral of a ball's limit
static sinew_Mat3 neutral_frame(const snw_Solve *solve, int l)
{
    const snw_Link *link = &solve->plan.links[l];
    sinew_Quat link_from_neutral = sinew_quat_mul(
        sinew_quat_conjugate(ball_value(solve, link)), link->limit->socket_from_neutral);
    return sinew_mat3_mul(solve->current->rotation[l], sinew_mat3_from_quat(link_from_neutral));
}

// let the ball's dofs be about the directions of its hold, and fix the held ones
static void apply_hold(
    snw_Solve *solve, int l, const sinew_Mat3 *world_from_neutral, bool has_jacobian)
{
    snw_Linear *linear = &solve->linear;
    const snw_BallHold *hold = &solve->holds[l];
    int dof = solve->plan.links[l].dof;
    sinew_Mat3 triad = { sinew_mat3_mul_vec3(*world_from_neutral, hold->axes[0]),
        sinew_mat3_mul_vec3(*world_from_neutral, hold->axes[1]),
        sinew_mat3_mul_vec3(*world_from_neutral, hold->axes[2]) };
    snw_linear_turn_ball(linear, &solve->plan, l, &triad, has_jacobian);
    for (int k = 0; k < hold->count; ++k) { fix(linear, dof + k, hold->values[k]); }
}

static void hold_ball(snw_Solve *solve, int l, bool has_jacobian)
{
    const snw_Link *link = &solve->plan.links[l];
    const double *force = &solve->linear.force[link->dof];
    sinew_Mat3 frame = neutral_frame(solve, l);
    sinew_Vec3 pressing = sinew_mat3_transpose_mul_vec3(
        frame, sinew_vec3(force[0], force[1], force[2]));
    sinew_Quat r = snw_ball_rotation(link->limit, ball_value(solve, link));
    solve->holds[l] = snw_ball_hold(link->limit, r, pressing, NULL);
    if (solve->holds[l].count > 0) { apply_hold(solve, l, &frame, has_jacobian); }
}

// the ball's step in its neutral frame, from whichever axes its dofs are about
static sinew_Vec3 neutral_step(const snw_Solve *solve, int l, const sinew_Mat3 *world_from_neutral)
{
    const snw_Linear *linear = &solve->linear;
    const double *step = &linear->step[solve->plan.links[l].dof];
    sinew_Vec3 world = { step[0], step[1], step[2] };
    if (linear->any_turned && linear->turned[l]) {
        world = sinew_mat3_mul_vec3(linear->triad[l], world);
    }
    return sinew_mat3_transpose_mul_vec3(*world_from_neutral, world);
}

static bool stop_ball(snw_Solve *solve, int l, bool has_jacobian)
{
    const snw_Link *link = &solve->plan.links[l];
    sinew_Mat3 frame = neutral_frame(solve, l);
    sinew_Quat r = snw_ball_rotation(link->limit, ball_value(solve, link));
    sinew_Quat next = sinew_quat_mul(sinew_quat_exp(neutral_step(solve, l, &frame)), r);
    if (!snw_ball_hold_hits(link->limit, r, next, &solve->holds[l], NULL)) { return false; }
    apply_hold(solve, l, &frame, has_jacobian);
    return true;
}

// ---------------------------------------------------------------------------------------------
// Ranges

static bool pushes_outward(const snw_Solve *solve, const snw_Link *link)
{
    const snw_Plan *plan = &solve->plan;
    int d = link->dof;
    double value = solve->current->values[link->value], force = solve->linear.force[d];
    return (value <= plan->near_lower[d] && force < 0.0)
        || (value >= plan->near_upper[d] && force > 0.0);
}

static bool stop_axis(snw_Solve *solve, const snw_Link *link)
{
    const snw_Plan *plan = &solve->plan;
    int d = link->dof;
    if (solve->linear.fixed[d]) { return false; }
    double value = solve->current->values[link->value];
    double next = value + solve->linear.step[d];
    if (next >= plan->lower[d] && next <= plan->upper[d]) { return false; }
    fix(&solve->linear, d, (next < plan->lower[d] ? plan->lower[d] : plan->upper[d]) - value);
    return true;
}

// ---------------------------------------------------------------------------------------------

static bool is_on_bound(const snw_Solve *solve, const snw_Link *link)
{
    double value = solve->current->values[link->value];
    int d = link->dof;
    return value <= solve->plan.near_lower[d] || value >= solve->plan.near_upper[d];
}

// whether any limit may hold something: most poses stand on none, and need no force then
static bool may_hold(const snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        if (link->motion == SNW_BALL ? link->limit != NULL : is_on_bound(solve, link)) {
            return true;
        }
    }
    return false;
}

// ---------------------------------------------------------------------------------------------
// Support polygons: inactive while the centre of mass stays inside

// forget the sides of the last step; where the centre is outside, the errors are of now already
static void release_supports(snw_Solve *solve)
{
    if (!solve->any_support_side) { return; }
    for (int t = 0; t < solve->plan.task_count; ++t) {
        const snw_Task *task = &solve->plan.tasks[t];
        if (task->kind != SINEW_GOAL_SUPPORT) { continue; }
        const double *outside = &solve->current->error[task->row];
        if (outside[0] != 0.0 || outside[1] != 0.0) { continue; }
        solve->linear.error[task->row] = solve->linear.error[task->row + 1] = 0.0;
    }
    for (int s = 0; s < SINEW_MAX_SUPPORT_GOALS; ++s) { solve->support_side_count[s] = 0; }
    solve->any_support_side = false;
    solve->fresh_jacobian = false;
}

// the step about the world's axes, whatever its balls are about; in dof_work
static const double *world_step(const snw_Solve *solve)
{
    const snw_Linear *linear = &solve->linear;
    double *step = linear->dof_work;
    for (int d = 0; d < solve->plan.dof_count; ++d) { step[d] = linear->step[d]; }
    for (int l = solve->plan.static_link_count; linear->any_turned && l < solve->plan.link_count;
         ++l) {
        if (!linear->turned[l]) { continue; }
        double *s = &step[solve->plan.links[l].dof];
        sinew_Vec3 world = sinew_mat3_mul_vec3(linear->triad[l], sinew_vec3(s[0], s[1], s[2]));
        s[0] = world.x;
        s[1] = world.y;
        s[2] = world.z;
    }
    return step;
}

static bool is_stopped_by(const snw_Solve *solve, int support, snw_Ground2 normal)
{
    for (int i = 0; i < solve->support_side_count[support]; ++i) {
        snw_Ground2 n = solve->support_sides[support][i];
        if (n.x * normal.x + n.z * normal.z > 1.0 - 1e-9) { return true; }
    }
    return false;
}

// the sides that the centre of mass would leave by become rows
static bool stop_supports(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    const snw_State *state = solve->current;
    bool stopped = false;
    for (int t = 0; t < plan->task_count; ++t) {
        const snw_Task *task = &plan->tasks[t];
        if (task->kind != SINEW_GOAL_SUPPORT) { continue; }
        int *count = &solve->support_side_count[task->support];
        const snw_Support *support = &solve->targets.supports[task->support];
        snw_Ground2 c = snw_ground_from_world(support->z_up, state->center), normal;
        if (*count == 2 || solve->targets.position_scale[task->goal] == 0.0
            || !snw_support_locate(support, c).inside) {
            continue;
        }
        snw_Ground2 way = snw_ground_from_world(
            support->z_up, snw_center_step(plan, state, world_step(solve)));
        double depth;
        bool leaves = snw_support_side(
            support, (snw_Ground2){ c.x + way.x, c.z + way.z }, &normal, &depth);
        if (!leaves || is_stopped_by(solve, task->support, normal)) { continue; }
        double slack = depth - (normal.x * way.x + normal.z * way.z);
        snw_support_activate(&solve->linear, plan, &solve->targets, state, task, *count, normal,
            slack > 0.0 ? slack : 0.0);
        snw_linear_turn_row(&solve->linear, plan, task->row + *count);
        solve->support_sides[task->support][*count] = normal;
        ++*count;
        solve->any_support_side = stopped = true;
    }
    return stopped;
}

// ---------------------------------------------------------------------------------------------

// ranges about directions are where the pose has them
static void lay_ranges(snw_Solve *solve)
{
    snw_Plan *plan = &solve->plan;
    for (int i = 0; i < plan->follow_count; ++i) {
        const snw_Follow *f = &plan->follows[i];
        if (f->link < 0 || f->is_free) { continue; }
        int d = plan->links[f->link].dof;
        bool is_laid = plan->lower[d] == f->lower && plan->upper[d] == f->upper;
        if (is_laid && !solve->current->followed[i].is_near_end) { continue; }
        double aim = snw_follow_aim(plan, i, solve->current);
        snw_plan_lay_range(plan, i, aim);
    }
}

// ---------------------------------------------------------------------------------------------
// Free hinges with a range about a direction

// the only one that a step may have, -1: none
static int free_of(const snw_Plan *plan)
{
    for (int i = plan->follow_count - 1; i >= 0; --i) {
        if (plan->follows[i].link >= 0 && plan->follows[i].is_free) { return i; }
    }
    return -1;
}

// how far it is from where its direction is as wanted
static double off_of(const snw_Solve *solve, int i)
{
    const snw_Plan *plan = &solve->plan;
    return solve->current->values[plan->links[plan->follows[i].link].value]
        - snw_follow_aim(plan, i, solve->current);
}

static double end_of(const snw_Follow *follow, int side)
{
    return side < 0 ? follow->lower : follow->upper;
}

// let it go along on an end of its range, from a way before it
static void keep_on_end(snw_Solve *solve, int i, int side, double off)
{
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    snw_follow_share_columns(linear, plan, i);
    fix(linear, plan->links[plan->follows[i].link].dof, end_of(&plan->follows[i], side) - off);
    plan->follows[i].kept_side = side;
    solve->fresh_jacobian = false;
}

// one that lies on an end, or did so in the last step, is tried there first
static void begin_free(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    int i = free_of(plan);
    if (i < 0) { return; }
    snw_Follow *f = &plan->follows[i];
    int side = solve->current->followed[i].side;
    if (side == 0) { side = f->kept_side; }
    f->kept_side = 0;
    if (side == 0) { return; }
    double off = off_of(solve, i);
    if (fabs(end_of(f, side) - off) > NEAR_END) { return; }
    snw_follow_shares(plan, solve->current, i, solve->linear.shares);
    keep_on_end(solve, i, side, off);
}

// Whether the step is another one since it would leave the range, or leave the end that it was kept on
static bool stop_free(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    int i = free_of(plan), m = plan->row_count;
    if (i < 0) { return false; }
    snw_Follow *f = &plan->follows[i];
    int own = plan->links[f->link].dof;
    if (f->kept_side == 0 ? linear->fixed[own] : !f->may_leave) { return false; }
    double step = linear->step[own], off = off_of(solve, i), next = off;
    if (f->kept_side == 0) {
        // it goes along by no more than twice what all hinges turn
        double most = 0.0;
        for (int d = 0; d < plan->dof_count; ++d) { most += fabs(linear->step[d]); }
        if (off - f->lower > 2.0 * most && f->upper - off > 2.0 * most) { return false; }
        snw_follow_shares(plan, solve->current, i, linear->shares);
    } else {
        // as it would go by itself; where the rows' forces are not known, along the gradient
        const double *column = &linear->jacobian[own * m];
        const double *force = linear->has_row_force ? linear->row_force : linear->error;
        step = 0.0;
        for (int r = 0; r < m; ++r) { step += column[r] * force[r]; }
        step *= plan->mobility[own];
    }
    next += step;
    for (int d = 0; d < plan->dof_count; ++d) { next -= linear->shares[d] * linear->step[d]; }
    int side = next < f->lower ? -1 : (next > f->upper ? 1 : 0);
    if (side == f->kept_side) { return false; }
    if (f->kept_side == 0) {
        keep_on_end(solve, i, side, off);
        return true;
    }
    linear->fixed[own] = 0;
    f->kept_side = 0;
    snw_solve_need_jacobian(solve);
    return true;
}

// how far it went along
static void end_free(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    int i = free_of(plan);
    if (i < 0) { return; }
    plan->follows[i].may_leave = false;
    if (plan->follows[i].kept_side == 0) { return; }
    double *step = &solve->linear.step[plan->links[plan->follows[i].link].dof];
    for (int d = 0; d < plan->dof_count; ++d) {
        *step += solve->linear.shares[d] * solve->linear.step[d];
    }
}

// ranges: also hold hinges and slides; a step along the gradient is cropped at those instead, which is
// the projected gradient and needs nothing held
static void begin(snw_Solve *solve, bool has_jacobian, bool ranges)
{
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    lay_ranges(solve);
    linear->has_row_force = false;
    release_supports(solve);
    // columns that a limit of the last step has turned are of no use to this one
    if (linear->any_turned) { solve->fresh_jacobian = false; }
    if (linear->any_turned || linear->any_fixed) { snw_linear_release(linear, plan); }
    if (has_jacobian) { snw_solve_need_jacobian(solve); }
    if (plan->follow_count > 0) { begin_free(solve); }
    if (solve->options.limits != SINEW_LIMITS_ACTIVE || !may_hold(solve)) { return; }
    snw_linear_set_force(linear, plan, &solve->targets, solve->current, has_jacobian);
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        if (link->motion == SNW_BALL) {
            if (link->limit != NULL) { hold_ball(solve, l, has_jacobian); }
        } else if (ranges && pushes_outward(solve, link)) {
            fix(linear, link->dof, 0.0);
        }
    }
}

static bool stop(snw_Solve *solve, bool has_jacobian)
{
    const snw_Plan *plan = &solve->plan;
    bool stopped = plan->support_count > 0 && has_jacobian && stop_supports(solve);
    if (plan->follow_count > 0) { stopped = stop_free(solve) || stopped; }
    if (solve->options.limits != SINEW_LIMITS_ACTIVE) { return stopped; }
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        if (link->motion != SNW_BALL) {
            stopped = stop_axis(solve, link) || stopped;
        } else if (link->limit != NULL) {
            stopped = stop_ball(solve, l, has_jacobian) || stopped;
        }
    }
    return stopped;
}

bool snw_active_solve(
    snw_Solve *solve, bool (*solve_once)(snw_Solve *solve), bool has_jacobian, bool again)
{
    begin(solve, has_jacobian, again);
    if (!solve_once(solve)) { return false; }
    if (again && stop(solve, has_jacobian) && !solve_once(solve)) { return false; }
    if (solve->plan.follow_count > 0) { end_free(solve); }
    snw_linear_turn_step_back(&solve->linear, &solve->plan);
    return true;
}

bool snw_active_solve_passes(snw_Solve *solve, bool (*solve_once)(snw_Solve *solve), int max_passes)
{
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    lay_ranges(solve);
    release_supports(solve);
    if (linear->any_turned) { solve->fresh_jacobian = false; }
    if (linear->any_turned || linear->any_fixed) { snw_linear_release(linear, plan); }
    snw_solve_need_jacobian(solve);
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        solve->holds[l] = snw_ball_hold_none();
    }
    if (plan->follow_count > 0) { begin_free(solve); }
    for (int pass = 0; pass < max_passes; ++pass) {
        if (!solve_once(solve)) { return false; }
        if (!stop(solve, true)) { break; }
    }
    if (plan->follow_count > 0) { end_free(solve); }
    snw_linear_turn_step_back(linear, plan);
    return true;
}
