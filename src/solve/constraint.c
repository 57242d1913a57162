#include "math/dense.h"
#include "solve/method.h"

// Goals held as constraints; Hoang (2014), eq. 6-9. Of the rows, J e are weighed against each other
// and J_c e_c are constraints: minimise 1/2 |J step - e|^2 + 1/2 step^T D step under J_c step = e_c.
// With M = J^T J + D and multipliers mu,
//     M step = J^T e + J_c^T mu,    (J_c M^-1 J_c^T + lambda^2) mu = e_c - J_c M^-1 J^T e,
// whose lambda damps the multipliers alone. (The paper prints lambda for both of them.)

typedef struct System {
    snw_Linear *linear;
    const snw_Plan *plan;
    int rows[SNW_MAX_CONSTRAINT_ROWS]; // the constraints'
    int count, weighed_count;
    bool by_rows;     // M^-1 by the matrix J S J^T + s instead of M itself; Woodbury's identity
    double scale;     // s
    double *softness; // S = s / D by dof, 0 where a step is given
    double *weighed;  // J, dof by dof, without the constraints' rows  (dof_count x weighed_count)
    double *errors;   // of those rows, less what the given steps make up for
    double *columns;  // M^-1 J_c^T                                    (count x dof_count)
    double *between;  // see snw_Levels
} System;

static void find_rows(System *system, const snw_Targets *targets)
{
    const snw_Plan *plan = system->plan;
    system->count = 0;
    for (int t = 0; t < plan->task_count; ++t) {
        const snw_Task *task = &plan->tasks[t];
        for (int r = 0; task->constraint && r < task->row_count; ++r) {
            bool counts = snw_goal_row_scale(plan, targets, task->goal, r) > 0.0;
            if (counts) { system->rows[system->count++] = task->row + r; }
        }
    }
    system->weighed_count = plan->row_count - system->count;
}

static bool is_constraint(const System *system, int row)
{
    for (int i = 0; i < system->count; ++i) {
        if (system->rows[i] == row) { return true; }
    }
    return false;
}

static double entry_of(const System *system, int row, int dof)
{
    return system->linear->jacobian[dof * system->plan->row_count + row];
}

// what the given steps leave of a row's error
static double error_left(const System *system, int row)
{
    const snw_Linear *linear = system->linear;
    double left = linear->error[row];
    for (int i = 0; linear->any_fixed && i < system->plan->dof_count; ++i) {
        if (linear->fixed[i]) { left -= entry_of(system, row, i) * linear->fixed_step[i]; }
    }
    return left;
}

static void gather_weighed(System *system)
{
    int n = system->plan->dof_count, m = system->weighed_count, at = 0;
    for (int r = 0; r < system->plan->row_count; ++r) {
        if (is_constraint(system, r)) { continue; }
        for (int i = 0; i < n; ++i) { system->weighed[i * m + at] = entry_of(system, r, i); }
        system->errors[at++] = error_left(system, r);
    }
}

static void set_softness(System *system)
{
    const snw_Linear *linear = system->linear;
    system->scale = linear->lambda2 + linear->stiffness;
    for (int i = 0; i < system->plan->dof_count; ++i) {
        bool fixed = linear->any_fixed && linear->fixed[i];
        system->softness[i] = fixed ? 0.0
                                    : system->scale / snw_linear_damping(linear, system->plan, i);
    }
}

static bool factor(System *system)
{
    snw_Linear *linear = system->linear;
    int m = system->weighed_count, n = system->plan->dof_count;
    double *a = linear->matrix;
    if (system->by_rows) {
        snw_product_rows(system->weighed, m, n, m, system->softness, a, m);
        for (int r = 0; r < m; ++r) { a[r * m + r] += system->scale; }
        return snw_cholesky_factor(a, m, m, SNW_PIVOT_FLOOR);
    }
    snw_product_dofs(system->weighed, m, n, m, NULL, a, n);
    for (int i = 0; i < n; ++i) { a[i * n + i] += snw_linear_damping(linear, system->plan, i); }
    for (int i = 0; linear->any_fixed && i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
            if (linear->fixed[i] || linear->fixed[j]) { a[i * n + j] = i == j ? 1.0 : 0.0; }
        }
    }
    return snw_cholesky_factor(a, n, n, SNW_PIVOT_FLOOR);
}

// v <- M^-1 v; dofs whose step is given get 0
static void apply_inverse(System *system, double *v)
{
    snw_Linear *linear = system->linear;
    int m = system->weighed_count, n = system->plan->dof_count;
    if (!system->by_rows) {
        for (int i = 0; linear->any_fixed && i < n; ++i) { v[i] = linear->fixed[i] ? 0.0 : v[i]; }
        snw_cholesky_solve(linear->matrix, n, n, v);
        return;
    }
    // S (v - J^T (J S J^T + s)^-1 J S v) / s
    double *f = linear->vector;
    for (int r = 0; r < m; ++r) { f[r] = 0.0; }
    for (int i = 0; i < n; ++i) {
        double soft = system->softness[i] * v[i];
        for (int r = 0; r < m; ++r) { f[r] += system->weighed[i * m + r] * soft; }
    }
    snw_cholesky_solve(linear->matrix, m, m, f);
    for (int i = 0; i < n; ++i) {
        double sum = v[i];
        for (int r = 0; r < m; ++r) { sum -= system->weighed[i * m + r] * f[r]; }
        v[i] = system->softness[i] * sum / system->scale;
    }
}

static bool solve_multipliers(System *system, double damping2, double *mu)
{
    int count = system->count, n = system->plan->dof_count;
    double *a = system->between, *copy = a + count * count;
    double b[SNW_MAX_CONSTRAINT_ROWS];
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        b[i] = error_left(system, system->rows[i]);
        for (int d = 0; d < n; ++d) {
            b[i] -= entry_of(system, system->rows[i], d) * system->linear->step[d];
        }
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0;
            for (int d = 0; d < n; ++d) {
                sum += entry_of(system, system->rows[i], d) * system->columns[j * n + d];
            }
            a[i * count + j] = sum;
        }
        largest = fmax(largest, a[i * count + i]);
    }
    // constraints that contradict each other, or that nothing moves, have no multipliers undamped
    double floor = 0.0;
    for (int tries = 0; tries < 6; ++tries) {
        for (int i = 0; i < count * count; ++i) { copy[i] = i % count <= i / count ? a[i] : 0.0; }
        for (int i = 0; i < count; ++i) { copy[i * count + i] += damping2 + floor; }
        if (snw_cholesky_factor(copy, count, count, SNW_PIVOT_FLOOR)) {
            snw_cholesky_solve(copy, count, count, b);
            for (int i = 0; i < count; ++i) { mu[i] = b[i]; }
            return true;
        }
        floor = floor > 0.0 ? 100.0 * floor : 1e-12 * largest + 1e-300;
    }
    return false;
}

bool snw_constrained_solve(snw_Solve *solve)
{
    snw_Linear *linear = &solve->linear;
    const snw_Plan *plan = &solve->plan;
    int n = plan->dof_count;
    System system = { .linear = linear,
        .plan = plan,
        .by_rows = solve->report.form == SINEW_FORM_ROWS,
        .softness = linear->softness,
        .weighed = solve->levels.rows,
        .errors = solve->levels.errors,
        .columns = solve->levels.columns,
        .between = solve->levels.between };
    find_rows(&system, &solve->targets);
    if (!(linear->lambda2 + linear->stiffness > 0.0)) { return false; }
    gather_weighed(&system);
    set_softness(&system);
    if (!factor(&system)) { return false; }

    // without constraints first
    int m = system.weighed_count;
    for (int i = 0; i < n; ++i) {
        double sum = linear->has_pull ? linear->pull[i] : 0.0;
        for (int r = 0; r < m; ++r) { sum += system.weighed[i * m + r] * system.errors[r]; }
        linear->step[i] = sum;
    }
    apply_inverse(&system, linear->step);
    for (int c = 0; c < system.count; ++c) {
        double *column = &system.columns[c * n];
        for (int i = 0; i < n; ++i) { column[i] = entry_of(&system, system.rows[c], i); }
        apply_inverse(&system, column);
    }
    double mu[SNW_MAX_CONSTRAINT_ROWS];
    double lambda = solve->options.constraint_damping;
    if (!solve_multipliers(&system, lambda * lambda, mu)) { return false; }
    for (int i = 0; i < n; ++i) {
        for (int c = 0; c < system.count; ++c) {
            linear->step[i] += system.columns[c * n + i] * mu[c];
        }
        if (linear->any_fixed && linear->fixed[i]) { linear->step[i] = linear->fixed_step[i]; }
    }
    return true;
}
