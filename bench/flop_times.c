#include "bench/flop_times.h"

#include "bench/bench.h"
#include "math/dense.h"
#include "solve/literal.h"

// The explicit inverses as published against the symmetric solves of the library.

enum { REPEATS = 64 };

typedef struct Work {
    int m, n;
    bool published;
    double jacobian[6 * FLOP_MAX_DOFS], inverse[6 * FLOP_MAX_DOFS], step[FLOP_MAX_DOFS];
    double angle[FLOP_MAX_DOFS], dx[6], a[36], packed[21];
    double sum; ///< so that no work is optimised away
} Work;

static void solve_published(Work *w)
{
    double b[36], scratch[78];
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        if (w->m == 3) {
            snw_literal_invert3(w->a, b);
        } else {
            snw_literal_invert_lu(w->a, 6, b, scratch);
        }
        double x[6];
        snw_literal_step(b, w->dx, w->m, w->m, x);
        w->sum += x[0];
        // each solve waits for the one before
        w->a[0] += 1e-30 * x[0];
    }
}

static void solve_default(Work *w)
{
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        double x[6] = { 0.0 };
        if (w->m == 3) {
            snw_solve3(w->packed, 1e-14, w->dx, x);
        } else {
            snw_solve6(w->packed, 1e-14, w->dx, x);
        }
        w->sum += x[0];
        w->packed[0] += 1e-30 * x[0];
    }
}

static void time_solve(void *user)
{
    Work *w = user;
    if (w->published) {
        solve_published(w);
    } else {
        solve_default(w);
    }
}

/// Steps 3 to 6 as published.
static void step_published(Work *w)
{
    double e[36];
    snw_literal_pseudo_inverse(w->jacobian, w->m, w->n, w->m, w->inverse);
    snw_literal_error_matrix(w->jacobian, w->inverse, w->m, w->n, w->m, e);
    w->sum += snw_literal_error(e, w->dx, w->m);
    snw_literal_step(w->inverse, w->dx, w->m, w->n, w->step);
}

/// The same work by half the product, a symmetric solve and the residual of the step.
static inline __attribute__((always_inline)) void step_default(Work *w, int m)
{
    double a[21] = { 0.0 }, f[6] = { 0.0 }, residual[6] = { 0.0 };
    for (int k = 0; k < w->n; ++k) {
        const double *column = w->jacobian + k * m;
        if (m == 3) {
            snw_add_outer3(a, column, 1.0);
        } else {
            snw_add_outer6(a, column, 1.0);
        }
    }
    if (m == 3) {
        snw_solve3(a, 1e-14, w->dx, f);
    } else {
        snw_solve6(a, 1e-14, w->dx, f);
    }
    for (int k = 0; k < w->n; ++k) {
        const double *column = w->jacobian + k * m;
        double sum = 0.0;
        for (int i = 0; i < m; ++i) { sum += column[i] * f[i]; }
        w->step[k] = sum;
        for (int i = 0; i < m; ++i) { residual[i] += column[i] * sum; }
    }
    double square = 0.0;
    for (int i = 0; i < m; ++i) { square += (w->dx[i] - residual[i]) * (w->dx[i] - residual[i]); }
    w->sum += sqrt(square);
}

static void time_steps(void *user)
{
    Work *w = user;
    for (int repeat = 0; repeat < REPEATS; ++repeat) {
        if (w->published) {
            step_published(w);
        } else if (w->m == 3) {
            step_default(w, 3);
        } else {
            step_default(w, 6);
        }
        for (int k = 0; k < w->n; ++k) { w->angle[k] += w->step[k]; }
        w->dx[0] = 1.0 + 1e-30 * w->angle[0];
    }
}

void flop_times_run(const flop_Study *study, flop_Timing out_timings[FLOP_TIMINGS])
{
    static const int sizes[FLOP_TIMINGS][2] = { { 3, 0 }, { 6, 0 }, { 3, 7 }, { 3, 30 }, { 6, 7 },
        { 6, 30 } };
    for (int i = 0; i < FLOP_TIMINGS; ++i) {
        int m = sizes[i][0], n = sizes[i][1] > 0 ? sizes[i][1] : 12;
        Work w = { .m = m, .n = n };
        flop_fill_jacobian(w.jacobian, m, n);
        for (int r = 0; r < 6; ++r) { w.dx[r] = 1.0; }
        snw_literal_product(w.jacobian, m, n, m, w.a);
        for (int r = 0; r < m; ++r) {
            for (int c = 0; c <= r; ++c) { w.packed[SNW_PACKED(r, c)] = w.a[r * m + c]; }
        }

        flop_Timing t = { .m = m, .n = sizes[i][1] };
        void (*work)(void *) = t.n > 0 ? time_steps : time_solve;
        w.published = true;
        t.seconds_published = bench_time(work, &w, 100, 21).median / REPEATS;
        w.published = false;
        t.seconds_default = bench_time(work, &w, 100, 21).median / REPEATS;
        if (t.n > 0) {
            t.work = "steps 3-6";
            t.flops_published = 0;
            for (int step = FLOP_STEP_3; step <= FLOP_STEP_6; ++step) {
                t.flops_published += flop_row(study, m == 6, step, n, 0);
            }
            t.flops_default = flop_default_steps(m, n);
        } else {
            // inverse times vector
            t.work = m == 3 ? "adjugate, solve" : "LU, solve";
            t.flops_published = (m == 3 ? study->cofactors[3] : study->lu[6]) + m * (2 * m - 1);
            t.flops_default = m == 3 ? study->cholesky3 : study->cholesky6;
        }
        out_timings[i] = t;
    }
}
