#ifndef BENCH_FLOP_STUDY_H
#define BENCH_FLOP_STUDY_H

// Counts of the published algorithms, collected by running them.

#include "measure/flops.h"

enum { FLOP_MIN_DOFS = 3, FLOP_MAX_DOFS = 30, FLOP_MAX_HALVINGS = 20, FLOP_MAX_SIZE = 8 };

/// Rows of tables 1.1 and 1.2.
enum {
    FLOP_STEP_1,
    FLOP_STEP_2,
    FLOP_STEP_3,
    FLOP_STEP_4,
    FLOP_STEP_5,
    FLOP_STEP_6,
    FLOP_STEP_7,
    FLOP_TOTAL,
    FLOP_PRODUCT,
    FLOP_INVERSE,
    FLOP_TRANSPOSE_PRODUCT,
};

typedef struct flop_Study {
    // inverses by size
    long lu[FLOP_MAX_SIZE + 1], cofactors[FLOP_MAX_SIZE + 1];
    long factor6, substitute6, shared3, symmetric3, shared4, shared5, shared5_ends;
    long cholesky3, cholesky6; ///< with their roots
    measure_Flops invert3_parts, factor6_parts, substitute6_parts;
    // iterations: half and full, by dofs and halvings
    measure_FlopIteration iteration[2][FLOP_MAX_DOFS + 1][FLOP_MAX_HALVINGS + 1];
    measure_Flops link, link_matrix, multiply4;
    long norm3, norm6;
    long symmetric_product3[FLOP_MAX_DOFS + 1], symmetric_product6[FLOP_MAX_DOFS + 1];
    // a chain in a plane: exact zeros in J J^T, and whether LU found its pivots
    int planar_zeros;
    bool planar_regular;
} flop_Study;

/// Run everything that is counted.
void flop_study_run(flop_Study *out_study);

/// One figure of the tables: full is 0 or 1, row one of the above.
long flop_row(const flop_Study *study, int full, int row, int dofs, int halvings);

/// Steps 3 to 6 with half the product, a Cholesky solve, J^T f, the residual and the update; counted.
long flop_default_steps(int m, int n);

/// A fixed, well conditioned Jacobian by dof.
void flop_fill_jacobian(double *out_jacobian, int m, int n);

#endif
