#ifndef SNW_LITERAL_H
#define SNW_LITERAL_H

// The pseudo-inverse solver literally as Meredith and Maddock (2004) publish it, counting its
// floating-point operations while it runs. The solver uses these functions when the explicit
// inverse or the literal halving loop is asked for; the flop tables are made of them.
//
// A count may be NULL; the code then is as fast as code that never counts. Functions that invert
// always run to their end, so cost and count depend on the sizes alone; they return false when the
// matrix is singular to working precision, and the output is then finite but no inverse.
// Matrices are row-major. A Jacobian is given by dof: n columns of m contiguous numbers, stride
// apart; its pseudo-inverse as n rows of m contiguous numbers.
// Weights of dofs: give columns times sqrt(w), and multiply the step by sqrt(w).

#include "sinew/vecmath.h"

typedef struct snw_FlopCount {
    long long mul, div, add; ///< add: sums and differences; a change of sign is free
    long long other; ///< what the paper leaves out: roots, sines, cosines, the norm of eq. 1.7
} snw_FlopCount;

/// Multiplications, divisions and additions together.
static inline long long snw_flop_total(const snw_FlopCount *count)
{
    return count->mul + count->div + count->add;
}

// ---------------------------------------------------------------------------------------------
// Inverses

/// 3x3 by adjugate over determinant, eq. 1.10 and appendix C: 36 mul, 1 div, 14 add.
bool snw_literal_invert3(const double a[9], double out_inverse[9], snw_FlopCount *count);
/// The same with the cofactors of the determinant reused (42), and of a symmetric matrix (30).
bool snw_literal_invert3_shared(const double a[9], double out_inverse[9], snw_FlopCount *count);
bool snw_literal_invert3_symmetric(const double a[9], double out_inverse[9], snw_FlopCount *count);
/// 4x4 by the twelve 2x2 minors of its upper and lower half: 144.
bool snw_literal_invert4(const double a[16], double out_inverse[16], snw_FlopCount *count);
/// 5x5 by cofactors, each minor expanded along its first row and shared: 500.
bool snw_literal_invert5(const double a[25], double out_inverse[25], snw_FlopCount *count);
/// 5x5 with the minors shared from the upper and from the lower end: 420.
bool snw_literal_invert5_ends(const double a[25], double out_inverse[25], snw_FlopCount *count);

/// n x n by Doolittle LU without pivoting and substitution of each unit column, eq. 1.8-1.9 and
/// appendix A, B. n = 6: 151 and 468. scratch has 2 n^2 + n numbers; out_inverse may be a.
bool snw_literal_invert_lu(
    const double *a, int n, double *out_inverse, double *scratch, snw_FlopCount *count);
/// Its two halves. l is unit lower, u upper, y has n numbers.
bool snw_literal_factor_lu(
    const double *a, int n, double *out_l, double *out_u, snw_FlopCount *count);
void snw_literal_substitute_lu(
    const double *l, const double *u, int n, double *out_inverse, double *y, snw_FlopCount *count);

/// n x n by plain cofactor expansion, 2 <= n <= 8. Of factorial cost.
bool snw_literal_invert_cofactors(
    const double *a, int n, double *out_inverse, snw_FlopCount *count);

/// Solve a x = b by plain Cholesky, n <= 8: 32 flops for n = 3, 163 for 6, of them n roots (counted
/// as other). What replaces the explicit inverses.
bool snw_literal_solve_cholesky(
    const double *a, int n, const double *b, double *out_x, snw_FlopCount *count);

// ---------------------------------------------------------------------------------------------
// Pseudo-inverse, error check, halving

/// A = J J^T in full, m x m: m^2 (2n - 1). m <= 6 here and below.
void snw_literal_product(
    const double *jacobian, int m, int n, int stride, double *out_a, snw_FlopCount *count);
/// The same by its lower triangle alone: m (m + 1) / 2 (2n - 1).
void snw_literal_product_symmetric(
    const double *jacobian, int m, int n, int stride, double *out_a, snw_FlopCount *count);
/// J^T B, n x m: n m (2m - 1).
void snw_literal_transpose_product(const double *jacobian, const double *b, int m, int n,
    int stride, double *out_product, snw_FlopCount *count);

/// J+ = J^T (J J^T)^-1, eq. 1.6; m = 3 by adjugate, else LU. out_pseudo_inverse has n x m numbers.
bool snw_literal_pseudo_inverse(const double *jacobian, int m, int n, int stride,
    double *out_pseudo_inverse, snw_FlopCount *count);

/// E = I - J J+, m x m: m^2 (2n - 1) + m^2.
void snw_literal_error_matrix(const double *jacobian, const double *pseudo_inverse, int m, int n,
    int stride, double *out_e, snw_FlopCount *count);
/// |E dx|, eq. 1.7: m (2m - 1), and the norm as other.
double snw_literal_error(const double *e, const double *dx, int m, snw_FlopCount *count);

/// The inner loop: while error > threshold, halve dx and evaluate it again with the same E; at most
/// max_halvings times. error is that of the given dx. Returns the number of halvings.
/// m + m (2m - 1) flops each: 18 or 72.
int snw_literal_halve(const double *e, int m, double threshold, int max_halvings, double error,
    double *dx, snw_FlopCount *count);

/// How often that loop halves, without running it: the error is linear in dx, so it is
/// ceil(log2(error / threshold)) cropped to 0..max_halvings; computed without rounding. NaN gives 0.
int snw_halving_count(double error, double threshold, int max_halvings);

/// step = J+ dx, n numbers: n (2m - 1).
void snw_literal_step(const double *pseudo_inverse, const double *dx, int m, int n,
    double *out_step, snw_FlopCount *count);

/// What a step leaves of dx by the linear model, dx - J step, m numbers: m (2n - 1) + m. Beside
/// |E dx| it needs no m x m matrix and holds for damped steps too.
void snw_literal_residual(const double *jacobian, const double *step, const double *dx, int m,
    int n, int stride, double *out_residual, snw_FlopCount *count);

// ---------------------------------------------------------------------------------------------
// The chain of the cost study: links of three Euler angles, R = Rx Ry Rz

/// A chain. Angles beyond dof_count are 0, so the last link may have fewer dofs than three.
typedef struct snw_LiteralChain {
    int dof_count;            ///< n
    const sinew_Vec3 *offset; ///< of each link in the frame before it, and last of the effector
    double *angle;            ///< 3 a link, radians
    double *world;            ///< 4x4 matrix a link
    sinew_Vec3 effector;      ///< in the world, as forward kinematics left it
} snw_LiteralChain;

/// Links of n dofs: n / 3, rounded up.
int snw_literal_link_count(int dof_count);

/// Frame of a link in the frame before: 16 mul, 4 add, and six sines and cosines as other.
void snw_literal_link_matrix(
    const double angle[3], sinew_Vec3 offset, double out_matrix[16], snw_FlopCount *count);
/// Full product of 4x4 matrices: 64 mul, 48 add. out_product is neither a nor b.
void snw_literal_multiply4(
    const double a[16], const double b[16], double out_product[16], snw_FlopCount *count);

/// Forward kinematics: 132 a link, and 18 for the effector.
void snw_literal_forward(snw_LiteralChain *chain, snw_FlopCount *count);
/// The chain's frames again, as the paper charges them, and the Jacobian of m = 3 or 6 rows:
/// 98 mul, 64 add for a link of three dofs. Its axes are the columns of the finished frames, which
/// is right at zero angles only; the solver's own Jacobian does not come from here.
void snw_literal_jacobian(
    snw_LiteralChain *chain, int m, double *out_jacobian, snw_FlopCount *count);

/// One iteration of the seven steps, each with a count of its own.
typedef struct snw_LiteralIteration {
    snw_FlopCount step[7];
    snw_FlopCount product, inverse, transpose_product; ///< the parts of step 3
    int halvings;
} snw_LiteralIteration;

/// goal       m numbers: position, and for m = 6 an orientation difference that is taken as given
/// threshold  of eq. 1.7; a negative one makes the loop run max_halvings times
/// scratch    snw_literal_scratch_count(dof_count) numbers
/// Returns false when J J^T was singular; the angles are then not changed (and the work is done).
bool snw_literal_iterate(snw_LiteralChain *chain, const double *goal, int m, double threshold,
    int max_halvings, double *scratch, snw_LiteralIteration *out_iteration);

int snw_literal_scratch_count(int dof_count);

#endif
