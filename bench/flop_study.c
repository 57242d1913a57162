#include "bench/flop_study.h"

/// The next of a fixed sequence of numbers in [-1, 1).
static double next_number(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(*state >> 8) / 8388608.0 - 1.0;
}

void flop_fill_jacobian(double *out_jacobian, int m, int n)
{
    unsigned state = 7;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < m; ++i) {
            out_jacobian[k * m + i] = 0.5 * next_number(&state) + (k % m == i ? 1.0 : 0.0);
        }
    }
}

static void fill_matrix(double *out, int n)
{
    flop_fill_jacobian(out, n, n);
}

static long total(measure_Flops count)
{
    return (long)measure_flops_total(&count);
}

static void count_inverses(flop_Study *study)
{
    double a[64], inverse[64], l[36], u[36], y[6], x[6], scratch[136];
    for (int n = 1; n <= FLOP_MAX_SIZE; ++n) {
        measure_Flops lu = { 0 }, cofactors = { 0 };
        fill_matrix(a, n);
        measure_flops_invert_lu(a, n, inverse, scratch, &lu);
        study->lu[n] = total(lu);
        if (n > 1) {
            measure_flops_invert_cofactors(a, n, inverse, &cofactors);
            study->cofactors[n] = total(cofactors);
        }
    }

    fill_matrix(a, 6);
    measure_flops_factor_lu(a, 6, l, u, &study->factor6_parts);
    measure_flops_substitute_lu(l, u, 6, inverse, y, &study->substitute6_parts);
    study->factor6 = total(study->factor6_parts);
    study->substitute6 = total(study->substitute6_parts);

    measure_Flops shared3 = { 0 }, symmetric3 = { 0 }, shared4 = { 0 }, shared5 = { 0 };
    measure_Flops ends = { 0 }, cholesky3 = { 0 }, cholesky6 = { 0 };
    measure_flops_invert3(a, inverse, &study->invert3_parts);
    measure_flops_invert3_shared(a, inverse, &shared3);
    measure_flops_invert3_symmetric(a, inverse, &symmetric3);
    measure_flops_invert4(a, inverse, &shared4);
    measure_flops_invert5(a, inverse, &shared5);
    measure_flops_invert5_ends(a, inverse, &ends);
    double b[6] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    measure_flops_solve_cholesky(a, 3, b, x, &cholesky3);
    measure_flops_solve_cholesky(a, 6, b, x, &cholesky6);
    study->shared3 = total(shared3);
    study->symmetric3 = total(symmetric3);
    study->shared4 = total(shared4);
    study->shared5 = total(shared5);
    study->shared5_ends = total(ends);
    study->cholesky3 = total(cholesky3) + (long)cholesky3.other;
    study->cholesky6 = total(cholesky6) + (long)cholesky6.other;
}

enum { MAX_LINKS = FLOP_MAX_DOFS / 3 };

typedef struct Arm {
    measure_FlopChain chain;
    sinew_Vec3 offset[MAX_LINKS + 1];
    double angle[FLOP_MAX_DOFS], world[16 * MAX_LINKS];
} Arm;

/// A bent arm of n dofs.
static void make_arm(Arm *arm, int n)
{
    unsigned state = 3;
    for (int i = 0; i <= MAX_LINKS; ++i) { arm->offset[i] = sinew_vec3(0.3, 0.02 * i, 0.1); }
    for (int k = 0; k < FLOP_MAX_DOFS; ++k) { arm->angle[k] = k < n ? next_number(&state) : 0.0; }
    measure_FlopChain chain = { n, arm->offset, arm->angle, arm->world, { 0.0, 0.0, 0.0 } };
    arm->chain = chain;
    measure_Flops unused = { 0 };
    measure_flops_forward(&arm->chain, &unused);
}

static void count_iterations(flop_Study *study)
{
    double scratch[13 * FLOP_MAX_DOFS];
    const double goal[6] = { 0.2, 0.3, 0.4, 0.1, 0.1, 0.1 };
    Arm arm;
    for (int full = 0; full < 2; ++full) {
        for (int n = FLOP_MIN_DOFS; n <= FLOP_MAX_DOFS; ++n) {
            for (int k = 0; k <= FLOP_MAX_HALVINGS; ++k) {
                make_arm(&arm, n);
                measure_flops_iterate(&arm.chain, goal, full ? 6 : 3, -1.0, k, scratch,
                    &study->iteration[full][n][k]);
            }
        }
    }
    study->norm3 = (long)study->iteration[0][6][0].step[3].other;
    study->norm6 = (long)study->iteration[1][6][0].step[3].other;

    make_arm(&arm, 3);
    measure_flops_jacobian(&arm.chain, 3, scratch, &study->link);
    double matrix[16], product[16];
    measure_flops_link_matrix(arm.angle, arm.offset[0], matrix, &study->link_matrix);
    measure_flops_multiply4(matrix, arm.world, product, &study->multiply4);
}

static void count_products(flop_Study *study)
{
    double jacobian[6 * FLOP_MAX_DOFS], a[36];
    for (int n = FLOP_MIN_DOFS; n <= FLOP_MAX_DOFS; ++n) {
        measure_Flops half = { 0 }, full = { 0 };
        flop_fill_jacobian(jacobian, 3, n);
        measure_flops_product_symmetric(jacobian, 3, n, 3, a, &half);
        flop_fill_jacobian(jacobian, 6, n);
        measure_flops_product_symmetric(jacobian, 6, n, 6, a, &full);
        study->symmetric_product3[n] = total(half);
        study->symmetric_product6[n] = total(full);
    }
}

/// Seven hinges about z, in the xy plane.
static void try_planar_chain(flop_Study *study)
{
    enum { HINGES = 7 };
    double jacobian[3 * HINGES], a[9], inverse[9], scratch[21];
    unsigned state = 5;
    for (int k = 0; k < HINGES; ++k) {
        jacobian[3 * k] = next_number(&state);
        jacobian[3 * k + 1] = next_number(&state);
        jacobian[3 * k + 2] = 0.0;
    }
    measure_Flops unused = { 0 };
    measure_flops_product(jacobian, 3, HINGES, 3, a, &unused);
    for (int i = 0; i < 9; ++i) {
        if (!(fabs(a[i]) > 0.0)) { ++study->planar_zeros; }
    }
    study->planar_regular = measure_flops_invert_lu(a, 3, inverse, scratch, &unused);
}

void flop_study_run(flop_Study *out_study)
{
    flop_Study zero = { 0 };
    *out_study = zero;
    count_inverses(out_study);
    count_iterations(out_study);
    count_products(out_study);
    try_planar_chain(out_study);
}

long flop_row(const flop_Study *study, int full, int row, int dofs, int halvings)
{
    const measure_FlopIteration *it = &study->iteration[full][dofs][halvings];
    switch (row) {
    case FLOP_PRODUCT: return total(it->product);
    case FLOP_INVERSE: return total(it->inverse);
    case FLOP_TRANSPOSE_PRODUCT: return total(it->transpose_product);
    case FLOP_TOTAL: break;
    default: return total(it->step[row]);
    }
    long sum = 0;
    for (int step = 0; step < 7; ++step) { sum += total(it->step[step]); }
    return sum;
}

long flop_default_steps(int m, int n)
{
    double jacobian[6 * FLOP_MAX_DOFS], a[36], f[6], step[FLOP_MAX_DOFS], residual[6];
    double dx[6] = { 1.0, 1.0, 1.0, 1.0, 1.0, 1.0 };
    measure_Flops count = { 0 };
    flop_fill_jacobian(jacobian, m, n);
    measure_flops_product_symmetric(jacobian, m, n, m, a, &count);
    measure_flops_solve_cholesky(a, m, dx, f, &count);
    // J^T f: a Jacobian by dof is the transpose by rows
    measure_flops_step(jacobian, f, m, n, step, &count);
    measure_flops_residual(jacobian, step, dx, m, n, m, residual, &count);
    // and one addition for each new angle
    return total(count) + (long)count.other + n;
}
