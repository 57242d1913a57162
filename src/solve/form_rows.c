// The dense system of the goals' rows.

#include "math/dense.h"
#include "solve/form.h"

// S_i = s / D_i by dof, 0 where a dof is fixed; NULL when all are 1. Returns s.
static double set_softness(snw_Linear *linear, const snw_Plan *plan, const double **out_softness)
{
    double scale = linear->lambda2 + linear->stiffness;
    bool stiff = linear->stiffness > 0.0;
    if (!stiff && !linear->any_fixed) {
        *out_softness = plan->has_softness ? plan->softness : NULL;
        return scale;
    }
    for (int i = 0; i < plan->dof_count; ++i) {
        double w = plan->softness[i];
        double soft = stiff ? w * scale / (linear->lambda2 + linear->stiffness * w) : w;
        linear->softness[i] = linear->any_fixed && linear->fixed[i] ? 0.0 : soft;
    }
    *out_softness = linear->softness;
    return scale;
}

// (J S J^T + s) f = e - J S pull / s;  step = S (pull / s + J^T f),  S_i = s / D_i
static bool solve(
    snw_Linear *linear, const snw_Plan *plan, const snw_Targets *targets, const snw_State *state)
{
    (void)targets;
    (void)state;
    int m = plan->row_count, n = plan->dof_count;
    const double *softness;
    double scale = set_softness(linear, plan, &softness);

    double *f = linear->row_force;
    linear->has_row_force = true;
    for (int r = 0; r < m; ++r) { f[r] = linear->error[r]; }
    for (int i = 0; linear->any_fixed && i < n; ++i) {
        if (!linear->fixed[i] || linear->fixed_step[i] == 0.0) { continue; }
        const double *column = &linear->jacobian[i * m];
        for (int r = 0; r < m; ++r) { f[r] -= column[r] * linear->fixed_step[i]; }
    }
    if (linear->has_pull) {
        for (int i = 0; i < n; ++i) {
            const double *column = &linear->jacobian[i * m];
            linear->step[i] = (softness != NULL ? softness[i] : 1.0) * linear->pull[i] / scale;
            for (int r = 0; r < m; ++r) { f[r] -= column[r] * linear->step[i]; }
        }
    }

    if (m == 3) {
        double a[6] = { scale, 0.0, scale, 0.0, 0.0, scale };
        for (int i = 0; i < n; ++i) {
            const double *b = &linear->jacobian[i * 3];
            double w = softness != NULL ? softness[i] : 1.0;
            double x = w * b[0], y = w * b[1], z = w * b[2];
            a[0] += x * b[0];
            a[1] += y * b[0];
            a[2] += y * b[1];
            a[3] += z * b[0];
            a[4] += z * b[1];
            a[5] += z * b[2];
        }
        if (!snw_solve3(a, SNW_PIVOT_FLOOR, f, f)) { return false; }
    } else if (m == 6) {
        double a[21] = { 0.0 };
        for (int i = 0; i < n; ++i) {
            const double *b = &linear->jacobian[i * 6];
            double w = softness != NULL ? softness[i] : 1.0;
            for (int r = 0; r < 6; ++r) {
                double wb = w * b[r];
                for (int c = 0; c <= r; ++c) { a[SNW_PACKED(r, c)] += wb * b[c]; }
            }
        }
        for (int r = 0; r < 6; ++r) { a[SNW_PACKED(r, r)] += scale; }
        if (!snw_solve6(a, SNW_PIVOT_FLOOR, f, f)) { return false; }
    } else {
        double *a = linear->matrix;
        snw_product_rows(linear->jacobian, m, n, m, softness, a, m);
        for (int r = 0; r < m; ++r) { a[r * m + r] += scale; }
        if (!snw_cholesky_factor(a, m, m, SNW_PIVOT_FLOOR)) { return false; }
        snw_cholesky_solve(a, m, m, f);
    }

    for (int i = 0; i < n; ++i) {
        const double *column = &linear->jacobian[i * m];
        double sum = 0.0;
        for (int r = 0; r < m; ++r) { sum += column[r] * f[r]; }
        double soft = softness != NULL ? softness[i] * sum : sum;
        linear->step[i] = linear->has_pull ? linear->step[i] + soft : soft;
        if (linear->any_fixed && linear->fixed[i]) { linear->step[i] = linear->fixed_step[i]; }
    }
    return true;
}

static double count_flops(const snw_Plan *plan)
{
    double m = plan->row_count, n = plan->dof_count;
    return n * m * (m + 2.0) + m * m * m / 3.0 + 4.0 * n * m + 2.0 * m * m;
}

const snw_FormRow snw_form_rows = {
    .solve = solve,
    .flops = count_flops,
    .reads_jacobian = true,
};
