#ifndef MEASURE_FLOPS_H
#define MEASURE_FLOPS_H

// The pseudo-inverse solver literally as Meredith and Maddock (2004) publish it, counting its
// floating-point operations while it runs: what the flop tables are made of. The solver's own copy of it
// (solve/literal.h) does not count and gives the same bits.
//
// Functions that invert always run to their end, so cost and count depend on the sizes alone; they return
// false when the matrix is singular to working precision, and the output is then finite but no inverse.
// Matrices are row-major. A Jacobian is given by dof: n columns of m contiguous numbers, stride
// apart; its pseudo-inverse as n rows of m contiguous numbers.
// Weights of dofs: give columns times sqrt(w), and multiply the step by sqrt(w).

#include "sinew/vecmath.h"

typedef struct measure_Flops {
    long long mul, div, add; ///< add: sums and differences; a change of sign is free
    long long other; ///< what the paper leaves out: roots, sines, cosines, the norm of eq. 1.7
} measure_Flops;

/// Multiplications, divisions and additions together.
static inline long long measure_flops_total(const measure_Flops *count)
{
    return count->mul + count->div + count->add;
}

// ---------------------------------------------------------------------------------------------
// Inverses

/// 3x3 by adjugate over determinant, eq. 1.10 and appendix C: 36 mul, 1 div, 14 add.
bool measure_flops_invert3(const double a[9], double out_inverse[9], measure_Flops *count);
/// The same with the cofactors of the determinant reused (42), and of a symmetric matrix (30).
bool measure_flops_invert3_shared(const double a[9], double out_inverse[9], measure_Flops *count);
bool measure_flops_invert3_symmetric(
    const double a[9], double out_inverse[9], measure_Flops *count);
/// 4x4 by the twelve 2x2 minors of its upper and lower half: 144.
bool measure_flops_invert4(const double a[16], double out_inverse[16], measure_Flops *count);
/// 5x5 by cofactors, each minor expanded along its first row and shared: 500.
bool measure_flops_invert5(const double a[25], double out_inverse[25], measure_Flops *count);
/// 5x5 with the minors shared from the upper and from the lower end: 420.
bool measure_flops_invert5_ends(const double a[25], double out_inverse[25], measure_Flops *count);

/// n x n by Doolittle LU without pivoting and substitution of each unit column, eq. 1.8-1.9 and
/// appendix A, B. n = 6: 151 and 468. scratch has 2 n^2 + n numbers; out_inverse may be a.
bool measure_flops_invert_lu(
    const double *a, int n, double *out_inverse, double *scratch, measure_Flops *count);
/// Its two halves. l is unit lower, u upper, y has n numbers.
bool measure_flops_factor_lu(
    const double *a, int n, double *out_l, double *out_u, measure_Flops *count);
void measure_flops_substitute_lu(
    const double *l, const double *u, int n, double *out_inverse, double *y, measure_Flops *count);

/// n x n by plain cofactor expansion, 2 <= n <= 8. Of factorial cost.
bool measure_flops_invert_cofactors(
    const double *a, int n, double *out_inverse, measure_Flops *count);

/// Solve a x = b by plain Cholesky, n <= 8: 32 flops for n = 3, 163 for 6, of them n roots (counted
/// as other). What replaces the explicit inverses.
bool measure_flops_solve_cholesky(
    const double *a, int n, const double *b, double *out_x, measure_Flops *count);

// ---------------------------------------------------------------------------------------------
// Pseudo-inverse, error check, halving

/// A = J J^T in full, m x m: m^2 (2n - 1). m <= 6 here and below.
void measure_flops_product(
    const double *jacobian, int m, int n, int stride, double *out_a, measure_Flops *count);
/// The same by its lower triangle alone: m (m + 1) / 2 (2n - 1).
void measure_flops_product_symmetric(
    const double *jacobian, int m, int n, int stride, double *out_a, measure_Flops *count);
/// J^T B, n x m: n m (2m - 1).
void measure_flops_transpose_product(const double *jacobian, const double *b, int m, int n,
    int stride, double *out_product, measure_Flops *count);

/// J+ = J^T (J J^T)^-1, eq. 1.6; m = 3 by adjugate, else LU. out_pseudo_inverse has n x m numbers.
bool measure_flops_pseudo_inverse(const double *jacobian, int m, int n, int stride,
    double *out_pseudo_inverse, measure_Flops *count);

/// E = I - J J+, m x m: m^2 (2n - 1) + m^2.
void measure_flops_error_matrix(const double *jacobian, const double *pseudo_inverse, int m, int n,
    int stride, double *out_e, measure_Flops *count);
/// |E dx|, eq. 1.7: m (2m - 1), and the norm as other.
double measure_flops_error(const double *e, const double *dx, int m, measure_Flops *count);

/// The inner loop: while error > threshold, halve dx and evaluate it again with the same E; at most
/// max_halvings times. error is that of the given dx. Returns the number of halvings.
/// m + m (2m - 1) flops each: 18 or 72.
int measure_flops_halve(const double *e, int m, double threshold, int max_halvings, double error,
    double *dx, measure_Flops *count);

/// step = J+ dx, n numbers: n (2m - 1).
void measure_flops_step(const double *pseudo_inverse, const double *dx, int m, int n,
    double *out_step, measure_Flops *count);

/// What a step leaves of dx by the linear model, dx - J step, m numbers: m (2n - 1) + m. Beside
/// |E dx| it needs no m x m matrix and holds for damped steps too.
void measure_flops_residual(const double *jacobian, const double *step, const double *dx, int m,
    int n, int stride, double *out_residual, measure_Flops *count);

// ---------------------------------------------------------------------------------------------
// The chain of the cost study: links of three Euler angles, R = Rx Ry Rz

/// A chain. Angles beyond dof_count are 0, so the last link may have fewer dofs than three.
typedef struct measure_FlopChain {
    int dof_count;            ///< n
    const sinew_Vec3 *offset; ///< of each link in the frame before it, and last of the effector
    double *angle;            ///< 3 a link, radians
    double *world;            ///< 4x4 matrix a link
    sinew_Vec3 effector;      ///< in the world, as forward kinematics left it
} measure_FlopChain;

/// Links of n dofs: n / 3, rounded up.
int measure_flops_link_count(int dof_count);

/// Frame of a link in the frame before: 16 mul, 4 add, and six sines and cosines as other.
void measure_flops_link_matrix(
    const double angle[3], sinew_Vec3 offset, double out_matrix[16], measure_Flops *count);
/// Full product of 4x4 matrices: 64 mul, 48 add. out_product is neither a nor b.
void measure_flops_multiply4(
    const double a[16], const double b[16], double out_product[16], measure_Flops *count);

/// Forward kinematics: 132 a link, and 18 for the effector.
void measure_flops_forward(measure_FlopChain *chain, measure_Flops *count);
/// The chain's frames again, as the paper charges them, and the Jacobian of m = 3 or 6 rows:
/// 98 mul, 64 add for a link of three dofs. Its axes are the columns of the finished frames, which
/// is right at zero angles only; the solver's own Jacobian does not come from here.
void measure_flops_jacobian(
    measure_FlopChain *chain, int m, double *out_jacobian, measure_Flops *count);

/// One iteration of the seven steps, each with a count of its own.
typedef struct measure_FlopIteration {
    measure_Flops step[7];
    measure_Flops product, inverse, transpose_product; ///< the parts of step 3
    int halvings;
} measure_FlopIteration;

/// goal       m numbers: position, and for m = 6 an orientation difference that is taken as given
/// threshold  of eq. 1.7; a negative one makes the loop run max_halvings times
/// scratch    measure_flops_scratch_count(dof_count) numbers
/// Returns false when J J^T was singular; the angles are then not changed (and the work is done).
bool measure_flops_iterate(measure_FlopChain *chain, const double *goal, int m, double threshold,
    int max_halvings, double *scratch, measure_FlopIteration *out_iteration);

int measure_flops_scratch_count(int dof_count);

#endif
