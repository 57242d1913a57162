#include "math/svd.h"
#include "solve/active_set.h"
#include "solve/method_table.h"

// Selectively damped least squares; Buss and Kim (2005). J = sum sigma u v^T. Each singular
// direction gets its own largest turn: where a unit of target motion would need joints to move the
// effectors much farther than the target moves, the direction is held back.

size_t snw_selectively_damped_scratch(snw_Sizes sizes)
{
    size_t n = (size_t)sizes.dofs;
    size_t m = 6 * (size_t)sizes.goals;
    size_t k = m < n ? m : n;
    // u, sigma, v; the weighted columns; the reach of each dof; the decomposition's own
    // of plans that have a Jacobian
    size_t svd = snw_linear_room(m, n) + snw_linear_room(k, k) + k;
    return snw_linear_room(k, m) + k + snw_linear_room(k, n) + snw_linear_room(n, m) + n + svd;
}

// rows that belong together from a row on: three of a point or a turn, or those of a task's part
static int part_rows(const snw_Plan *plan, int row)
{
    for (int t = 0; t < plan->task_count; ++t) {
        const snw_Task *task = &plan->tasks[t];
        if (row < task->row || row >= task->row + task->row_count) { continue; }
        int position_end = task->row + task->position_row_count;
        return (row < position_end ? position_end : task->row + task->row_count) - row;
    }
    return 3;
}

// sum over the effectors of the lengths of a vector's parts
static double effector_lengths(const snw_Plan *plan, const double *rows)
{
    double sum = 0.0;
    for (int r = 0, count; r < plan->row_count; r += count) {
        count = part_rows(plan, r);
        double square = 0.0;
        for (int i = 0; i < count; ++i) { square += rows[r + i] * rows[r + i]; }
        sum += sqrt(square);
    }
    return sum;
}

// A ball's three dofs are taken together, as lengths and not one by one, so that the step does not
// depend on the world's axes.
static int dof_span(const snw_Plan *plan, int dof)
{
    return plan->links[plan->dof_link[dof]].motion == SNW_BALL ? 3 : 1;
}

static double part_length(const double *v, int span)
{
    if (span == 1) { return fabs(v[0]); }
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// how far a turn of the joint moves the effectors, their lengths added up; for a ball about an axis
// across the arm, which is the length of its three columns together over the root of 2
static double joint_reach(const snw_Plan *plan, const double *columns, int span)
{
    int m = plan->row_count;
    if (span == 1) { return effector_lengths(plan, columns); }
    double sum = 0.0;
    for (int r = 0, count; r < m; r += count) {
        count = part_rows(plan, r);
        double square = 0.0;
        for (int k = 0; k < 3 * count; ++k) {
            double c = columns[(k / count) * m + r + k % count];
            square += c * c;
        }
        sum += sqrt(0.5 * square);
    }
    return sum;
}

static bool solve_once(snw_Solve *solve)
{
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    int m = plan->row_count, n = plan->dof_count, k = m < n ? m : n;
    double *u = solve->svd, *sigma = u + (size_t)k * (size_t)m, *v = sigma + k;
    double *columns = v + (size_t)k * (size_t)n, *reach = columns + (size_t)n * (size_t)m;
    double *scratch = reach + n;
    double *error = linear->vector;

    for (int r = 0; r < m; ++r) { error[r] = linear->error[r]; }
    for (int i = 0; i < n; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        double root = fixed ? 0.0 : sqrt(plan->mobility[i]);
        const double *column = &linear->jacobian[i * m];
        for (int r = 0; r < m; ++r) { columns[i * m + r] = root * column[r]; }
        for (int r = 0; fixed && r < m; ++r) { error[r] -= column[r] * linear->fixed_step[i]; }
        linear->step[i] = 0.0;
    }
    for (int i = 0; i < n; i += dof_span(plan, i)) {
        reach[i] = joint_reach(plan, &columns[i * m], dof_span(plan, i));
    }
    if (!snw_svd(columns, m, n, m, u, sigma, v, scratch)) { return false; }

    double largest_turn = solve->options.max_joint_step;
    for (int s = 0; s < k; ++s) {
        // directions below this share of the strongest are rounding
        if (!(sigma[s] > 1e-12 * sigma[0])) { break; }
        const double *us = &u[s * m], *vs = &v[s * n];
        double along = 0.0, moved = 0.0, turn = 0.0;
        for (int r = 0; r < m; ++r) { along += us[r] * error[r]; }
        for (int i = 0; i < n; i += dof_span(plan, i)) {
            double part = part_length(&vs[i], dof_span(plan, i));
            moved += part * reach[i];
            turn = part > turn ? part : turn;
        }
        double wanted = effector_lengths(plan, us); // N
        moved /= sigma[s];                          // M
        double most = (wanted < moved ? wanted / moved : 1.0) * largest_turn;
        double factor = along / sigma[s];
        double largest = fabs(factor) * turn;
        if (largest > most) { factor *= most / largest; }
        for (int i = 0; i < n; ++i) { linear->step[i] += factor * vs[i]; }
    }
    for (int i = 0; i < n; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->step[i] = fixed ? linear->fixed_step[i] : linear->step[i] * sqrt(plan->mobility[i]);
    }
    return true;
}

static bool take_step(snw_Solve *solve)
{
    solve->linear.has_pull = false;
    return snw_active_solve(solve, solve_once, true, true);
}

static void set_defaults(sinew_SolveOptions *o)
{
    o->max_joint_step = 0.25 * SINEW_PI;
}

const snw_MethodRow snw_method_sdls = {
    .abilities = SNW_CAN_RELATE,
    .step = take_step,
    .orientation_divisor = 3.0,
    .defaults = set_defaults,
};
