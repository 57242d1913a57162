// Limits as suspects: which are pressed and how hard, and how to release one.

#include "math/holds.h"
#include "math/quat.h"
#include "solve/diagnosis.h"

// a value this close to its bound is at it
#define AT_BOUND 1e-7

// keep the list in order of falling pressure
static int put_held(sinew_HeldLimit *limits, int count, sinew_HeldLimit limit)
{
    SNW_ASSERT(count >= 0);
    int place = count;
    for (; place > 0 && limits[place - 1].pressure < limit.pressure; --place) {
        limits[place] = limits[place - 1];
    }
    limits[place] = limit;
    return count + 1;
}

static int find_held_range(const snw_Solve *solve, const snw_Link *link, double unit,
    sinew_HeldLimit *limits, int count, int joint)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(joint >= 0);
    double value = solve->current->values[link->value], force = solve->linear.force[link->dof];
    double lower = solve->plan.range_lower[link->dof], upper = solve->plan.range_upper[link->dof];
    bool low = force < 0.0 && value <= lower + AT_BOUND * (1.0 + fabs(lower));
    bool high = force > 0.0 && value >= upper - AT_BOUND * (1.0 + fabs(upper));
    if (!low && !high) { return count; }
    sinew_HeldLimit held = { low ? SINEW_BLOCKER_LOWER : SINEW_BLOCKER_UPPER, joint, link->axis,
        low ? lower : upper, fabs(force) * unit };
    return put_held(limits, count, held);
}

static int find_held_ball(
    const snw_Solve *solve, int l, double unit, sinew_HeldLimit *limits, int count, int joint)
{
    SNW_ASSERT(count >= 0);
    SNW_ASSERT(joint >= 0);
    const snw_Link *link = &solve->plan.links[l];
    const double *value = &solve->current->values[link->value];
    const double *force = &solve->linear.force[link->dof];
    sinew_Quat ball = snw_quat_load(value);
    sinew_Mat3 world_from_neutral = sinew_mat3_mul(solve->current->rotation[l],
        sinew_mat3_from_quat(
            sinew_quat_mul(sinew_quat_conjugate(ball), link->limit->socket_from_neutral)));
    sinew_Vec3 pressing = sinew_mat3_transpose_mul_vec3(
        world_from_neutral, sinew_vec3(force[0], force[1], force[2]));
    snw_BallHold hold = snw_ball_hold(
        link->limit, snw_ball_rotation(link->limit, ball), pressing, NULL);
    double held2 = 0.0;
    for (int k = 0; k < hold.count; ++k) {
        double along = sinew_vec3_dot(hold.axes[k], pressing);
        held2 += along * along;
    }
    // a ball held in all directions does not say by what
    bool all = hold.count == 3;
    sinew_Vec3 direction;
    double twist;
    sinew_ball_limit_measure(link->limit, ball, &direction, &twist);
    sinew_HeldLimit held = { SINEW_BLOCKER_SWING, joint, link->axis,
        sinew_acos(fmax(-1.0, fmin(1.0, direction.x))), sqrt(held2) * unit };
    if (hold.side_count > 0 || (all && link->limit->window_count > 0)) {
        count = put_held(limits, count, held);
    }
    if (hold.twist != 0 || (all && !link->limit->twist_free)) {
        bool low = hold.twist != 0 ? hold.twist < 0 : twist < link->limit->twist_middle;
        held.kind = low ? SINEW_BLOCKER_TWIST_LOWER : SINEW_BLOCKER_TWIST_UPPER;
        held.bound = low ? link->limit->def.twist_lower : link->limit->def.twist_upper;
        count = put_held(limits, count, held);
    }
    return count;
}

int snw_find_held(sinew_Solver *solver, sinew_HeldLimit *out_limits)
{
    snw_Solve *solve = snw_solver_inside(solver);
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    if (linear->any_turned || linear->any_fixed) { snw_linear_release(linear, plan); }
    solve->fresh_jacobian = false;
    snw_linear_set_error(linear, plan, &solve->targets, solve->current, plan->reach);
    // the largest plans have none
    bool has_jacobian = snw_linear_is_dense(plan);
    if (has_jacobian) { snw_solve_need_jacobian(solve); }
    double length = snw_error_length(&solve->linear, solve->plan.row_count);
    if (solve->options.limits == SINEW_LIMITS_NONE || !(length > 0.0)) { return 0; }
    linear->has_pull = false;
    snw_linear_set_force(linear, plan, &solve->targets, solve->current, has_jacobian);

    const sinew_AxisPlace *places = sinew_skeleton_axis_places(snw_solver_skeleton(solver));
    double unit = 1.0 / (length * plan->reach);
    int count = 0;
    for (int l = plan->static_link_count; l < plan->link_count; ++l) {
        const snw_Link *link = &plan->links[l];
        if (link->dof < 0) { continue; }
        int joint = places[link->axis].joint;
        if (link->motion != SNW_BALL) {
            count = find_held_range(solve, link, unit, out_limits, count, joint);
        } else if (link->limit != NULL) {
            count = find_held_ball(solve, l, unit, out_limits, count, joint);
        }
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Releasing

static void release_swing(sinew_BallLimit *limit)
{
    // as it is compiled without windows
    limit->window_count = 0;
    limit->piece_count = 0;
    limit->near_x = -1.0;
    limit->cap_cosine = -2.0;
    limit->def.window_count = 0;
}

static void release_twist(sinew_BallLimit *limit)
{
    const snw_TwistTest always = { 0.0, 0.0, 0.0, 0.0 };
    limit->twist = always;
    limit->twist_free = true;
    limit->twist_locked = false;
    limit->twist_middle = 0.0;
    limit->twist_half = SINEW_PI;
    limit->def.twist_lower = -INFINITY;
    limit->def.twist_upper = INFINITY;
}

void snw_release_limit(sinew_Solver *solver, const sinew_HeldLimit *limit, sinew_BallLimit *copy)
{
    snw_AxisLimit *now = &snw_solver_open_limits(solver)[limit->axis];
    switch (limit->kind) {
    case SINEW_BLOCKER_LOWER: now->lower = -INFINITY; break;
    case SINEW_BLOCKER_UPPER: now->upper = INFINITY; break;
    default:
        *copy = *now->limit;
        now->limit = copy;
        if (limit->kind == SINEW_BLOCKER_SWING) {
            release_swing(copy);
        } else {
            release_twist(copy);
        }
    }
}

void snw_release_all_limits(sinew_Solver *solver)
{
    snw_AxisLimit *limits = snw_solver_open_limits(solver);
    int count = sinew_skeleton_axis_count(snw_solver_skeleton(solver));
    for (int a = 0; a < count; ++a) { limits[a] = (snw_AxisLimit){ -INFINITY, INFINITY, NULL }; }
}

void snw_restore_limits(sinew_Solver *solver, const snw_AxisLimit *own)
{
    snw_AxisLimit *limits = snw_solver_open_limits(solver);
    int count = sinew_skeleton_axis_count(snw_solver_skeleton(solver));
    for (int a = 0; a < count; ++a) { limits[a] = own[a]; }
}
