#include "solve/active_set.h"
#include "solve/literal.h"
#include "solve/method_table.h"

// The seven steps of Meredith and Maddock (2004), eq. 1.6-1.7; steps 1, 2, 6 and 7 are the loop's:
// (3) J+ = J^T (J J^T)^-1, (4) error = |(I - J J+) dX|, (5) while that is above the threshold,
// halve dX. With exact arithmetic and full rank the error is 0: it sees round-off and missing rank
// alone and does not bound the step. So a step out of all proportion counts as missing rank too,
// and damping takes over where the inverse fails.

// a step this many times longer than the cap says that J J^T is as good as singular
#define ABSURD_STEP 20.0

// |dX - J step|: the part of dX that the linear model cannot follow
static double unreached(const snw_Linear *linear, const snw_Plan *plan)
{
    int m = plan->row_count;
    double *left = linear->vector;
    for (int r = 0; r < m; ++r) { left[r] = linear->error[r]; }
    for (int i = 0; i < plan->dof_count; ++i) {
        const double *column = &linear->jacobian[i * m];
        for (int r = 0; r < m; ++r) { left[r] -= column[r] * linear->step[i]; }
    }
    double square = 0.0;
    for (int r = 0; r < m; ++r) { square += left[r] * left[r]; }
    return sqrt(square);
}

double snw_error_length(const snw_Linear *linear, int row_count)
{
    double square = 0.0;
    for (int r = 0; r < row_count; ++r) { square += linear->error[r] * linear->error[r]; }
    return sqrt(square);
}

static void scale_step(snw_Linear *linear, const snw_Plan *plan, double scale)
{
    for (int i = 0; i < plan->dof_count; ++i) { linear->step[i] *= scale; }
}

static bool is_absurd(const snw_Solve *solve)
{
    double limit = ABSURD_STEP * solve->options.max_joint_step;
    for (int i = 0; i < solve->plan.dof_count; ++i) {
        // written so that NaN is absurd
        if (!(fabs(solve->linear.step[i]) <= limit)) { return true; }
    }
    return false;
}

// steps 3 to 5 by factoring J J^T; the halvings in closed form
static bool step_by_factoring(snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    snw_Linear *linear = &solve->linear;
    linear->lambda2 = 0.0;
    if (!snw_linear_solve(linear, &solve->plan, &solve->targets, solve->current, SINEW_FORM_ROWS)) {
        return false;
    }
    double error = unreached(linear, &solve->plan);
    int halvings = snw_halving_count(error, o->halving_threshold, o->max_halvings);
    solve->report.halvings += halvings;
    if (halvings > 0) { scale_step(linear, &solve->plan, ldexp(1.0, -halvings)); }
    return ldexp(error, -halvings) <= o->halving_threshold && !is_absurd(solve);
}

// square root of a dof's mobility, 0 where its step is given
static double dof_root(const snw_Linear *linear, const snw_Plan *plan, int dof)
{
    return linear->any_fixed && linear->fixed[dof] ? 0.0 : sqrt(plan->mobility[dof]);
}

// steps 3 to 5 as published, for one goal: explicit inverse and the inner loop run literally
static bool step_as_published(snw_Solve *solve)
{
    const sinew_SolveOptions *o = &solve->options;
    const snw_Plan *plan = &solve->plan;
    snw_Linear *linear = &solve->linear;
    int m = plan->row_count, n = plan->dof_count;

    // columns times sqrt(w), step times sqrt(w): the weighted pseudo-inverse; fixed dofs have none
    double *columns = linear->link_work, *inverse = columns + n * m;
    for (int i = 0; i < n; ++i) {
        double root = dof_root(linear, plan, i);
        for (int r = 0; r < m; ++r) { columns[i * m + r] = root * linear->jacobian[i * m + r]; }
    }
    if (!snw_literal_pseudo_inverse(columns, m, n, m, inverse)) { return false; }
    double e[36], dx[6];
    snw_literal_error_matrix(columns, inverse, m, n, m, e);
    for (int r = 0; r < m; ++r) { dx[r] = linear->error[r]; }
    for (int i = 0; linear->any_fixed && i < n; ++i) {
        double step = linear->fixed[i] ? linear->fixed_step[i] : 0.0;
        for (int r = 0; r < m; ++r) { dx[r] -= linear->jacobian[i * m + r] * step; }
    }
    double error = snw_literal_error(e, dx, m);
    if (o->literal_halving) {
        solve->report.halvings += snw_literal_halve(
            e, m, o->halving_threshold, o->max_halvings, error, dx);
    } else {
        int halvings = snw_halving_count(error, o->halving_threshold, o->max_halvings);
        solve->report.halvings += halvings;
        for (int r = 0; r < m; ++r) { dx[r] = ldexp(dx[r], -halvings); }
    }
    snw_literal_step(inverse, dx, m, n, linear->step);
    for (int i = 0; i < n; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        linear->step[i] = fixed ? linear->fixed_step[i]
                                : dof_root(linear, plan, i) * linear->step[i];
    }
    return snw_literal_error(e, dx, m) <= o->halving_threshold && !is_absurd(solve);
}

// with fewer free dofs than rows J J^T is singular, whatever rounding makes of its pivots
static bool has_too_few_dofs(const snw_Linear *linear, const snw_Plan *plan)
{
    int free_count = plan->dof_count;
    for (int i = 0; linear->any_fixed && i < plan->dof_count; ++i) {
        free_count -= linear->fixed[i] ? 1 : 0;
    }
    return free_count < plan->row_count;
}

// steps 3 to 5, with the dofs that are fixed
static bool solve_once(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    int m = solve->plan.row_count;
    bool published = (solve->options.inverse == SINEW_INVERSE_EXPLICIT
                         || solve->options.literal_halving)
        && (m == 3 || m == 6);
    bool singular = has_too_few_dofs(linear, &solve->plan);
    if (!singular && (published ? step_as_published(solve) : step_by_factoring(solve))) {
        return true;
    }

    // missing rank: damping that grows with the error. A limb of two equal links that is nearly
    // straight and cannot reach shortens by L/8 times its bend squared, so that below |e| L/4 the
    // step would overshoot the straight pose, and the limb would shake instead of lying still
    ++solve->report.singular_steps;
    double reach = solve->plan.reach;
    double lambda2 = 1e-6 * reach * reach + 0.25 * reach * snw_error_length(linear, m);
    for (int tries = 0; tries < 6; ++tries, lambda2 *= 10.0) {
        linear->lambda2 = lambda2;
        bool solved = snw_linear_solve(
            linear, &solve->plan, &solve->targets, solve->current, SINEW_FORM_ROWS);
        if (solved && !is_absurd(solve)) { return true; }
    }
    return false;
}

static bool take_step(snw_Solve *solve)
{
    solve->linear.stiffness = 0.0;
    solve->linear.has_pull = false;
    return snw_active_solve(solve, solve_once, true, true);
}

static void set_defaults(sinew_SolveOptions *o)
{
    o->max_joint_step = 0.5;
}

const snw_MethodRow snw_method_pinv = {
    .abilities = SNW_CAN_RELATE,
    .step = take_step,
    .orientation_divisor = 3.0,
    .defaults = set_defaults,
};
