#ifndef SNW_DENSE_H
#define SNW_DENSE_H

// Symmetric positive definite systems: unrolled ones of 3 and 6 rows, and dense ones of any size.
//
// Sums are taken in one written order, so that every compiler and every vector width gives the
// same bits. Nothing here allocates. A matrix that is not positive definite (or holds NaN) is
// reported, never answered with infinities.

#include <stdbool.h>

// Below this share of its largest possible value (the product of the diagonal, Hadamard) a 3x3
// determinant has lost more digits to cancellation than factoring would; then LDL^T takes over.
// 1e-3 leaves 13 digits for the Schur complement that stands on the first block, and sends 1 % of
// the systems of random seven-hinge arms the slow way.
#define SNW_ADJUGATE_FLOOR 1e-3

/// Place of row i, column j <= i in a packed lower triangle.
#define SNW_PACKED(i, j) ((i) * ((i) + 1) / 2 + (j))

/// Smallest diagonal that an adjugate may meet so that all pivots stay above relative_floor times
/// the largest diagonal: a pivot is at least SNW_ADJUGATE_FLOOR of its diagonal there.
static inline double snw_smallest_diagonal(double largest, double relative_floor)
{
    return largest * (relative_floor * (1.0 / SNW_ADJUGATE_FLOOR));
}

static inline double snw_larger(double a, double b)
{
    return a > b ? a : b;
}

/// Inverse of a symmetric 3x3 matrix by adjugate: packed in, packed out. One division. false unless
/// positive definite, clearly so (SNW_ADJUGATE_FLOOR), and each diagonal above smallest_diagonal.
static inline bool snw_invert_symmetric3(
    const double a[6], double smallest_diagonal, double out_inverse[6])
{
    double a00 = a[0], a10 = a[1], a11 = a[2], a20 = a[3], a21 = a[4], a22 = a[5];
    double c00 = a11 * a22 - a21 * a21;
    double c10 = a21 * a20 - a10 * a22;
    double c20 = a10 * a21 - a11 * a20;
    double c22 = a00 * a11 - a10 * a10;
    double determinant = a00 * c00 + a10 * c10 + a20 * c20;

    // leading minors decide (Sylvester); written so that NaN fails
    bool large = (a00 > smallest_diagonal) & (a11 > smallest_diagonal) & (a22 > smallest_diagonal);
    bool definite = (c22 > 0.0) & (determinant > SNW_ADJUGATE_FLOOR * (a00 * a11) * a22);
    if (!(large & definite)) { return false; }
    double scale = 1.0 / determinant;
    out_inverse[0] = c00 * scale;
    out_inverse[1] = c10 * scale;
    out_inverse[2] = (a00 * a22 - a20 * a20) * scale;
    out_inverse[3] = c20 * scale;
    out_inverse[4] = (a10 * a20 - a00 * a21) * scale;
    out_inverse[5] = c22 * scale;
    return true;
}

/// out = a v for a packed symmetric 3x3 matrix.
static inline void snw_mul_symmetric3(const double a[6], const double v[3], double out[3])
{
    out[0] = a[0] * v[0] + a[1] * v[1] + a[3] * v[2];
    out[1] = a[1] * v[0] + a[2] * v[1] + a[4] * v[2];
    out[2] = a[3] * v[0] + a[4] * v[1] + a[5] * v[2];
}

/// a += weight c c^T, packed, 3 rows: one column of a product J W J^T, unrolled.
static inline void snw_add_outer3(double a[6], const double c[3], double weight)
{
    double w0 = c[0] * weight, w1 = c[1] * weight, w2 = c[2] * weight;
    a[0] += w0 * c[0];
    a[1] += w1 * c[0];
    a[2] += w1 * c[1];
    a[3] += w2 * c[0];
    a[4] += w2 * c[1];
    a[5] += w2 * c[2];
}

/// The same with 6 rows.
static inline void snw_add_outer6(double a[21], const double c[6], double weight)
{
    snw_add_outer3(a, c, weight);
    double w3 = c[3] * weight, w4 = c[4] * weight, w5 = c[5] * weight;
    a[6] += w3 * c[0];
    a[7] += w3 * c[1];
    a[8] += w3 * c[2];
    a[9] += w3 * c[3];
    a[10] += w4 * c[0];
    a[11] += w4 * c[1];
    a[12] += w4 * c[2];
    a[13] += w4 * c[3];
    a[14] += w4 * c[4];
    a[15] += w5 * c[0];
    a[16] += w5 * c[1];
    a[17] += w5 * c[2];
    a[18] += w5 * c[3];
    a[19] += w5 * c[4];
    a[20] += w5 * c[5];
}

/// Solve a x = b with packed a of n <= 6 rows by LDL^T; a is overwritten. false when a pivot is not
/// above relative_floor times the largest diagonal. The slow and careful way of the two below.
bool snw_solve_packed(double *a, int n, double relative_floor, const double *b, double *out_x);

/// Solve a x = b, a packed, 3 rows. out_x may be b. By adjugate, or by LDL^T where that is safer.
static inline bool snw_solve3(
    const double a[6], double relative_floor, const double b[3], double out_x[3])
{
    double inverse[6], x[3];
    double largest = snw_larger(snw_larger(a[0], a[2]), a[5]);
    if (snw_invert_symmetric3(a, snw_smallest_diagonal(largest, relative_floor), inverse)) {
        snw_mul_symmetric3(inverse, b, x);
        out_x[0] = x[0];
        out_x[1] = x[1];
        out_x[2] = x[2];
        return true;
    }
    double copy[6] = { a[0], a[1], a[2], a[3], a[4], a[5] };
    return snw_solve_packed(copy, 3, relative_floor, b, out_x);
}

/// Solve a x = b, a packed, 6 rows. out_x may be b.
///
/// Two blocks of three: the inverse of the first and of the Schur complement by adjugates, so two
/// divisions stand in the chain instead of six; by LDL^T where a determinant is poor.
static inline bool snw_solve6(
    const double a[21], double relative_floor, const double b[6], double out_x[6])
{
    double inverse[6], w[9], schur[6], schur_inverse[6];
    double largest = snw_larger(
        snw_larger(snw_larger(a[0], a[2]), a[5]), snw_larger(snw_larger(a[9], a[14]), a[20]));
    double smallest = snw_smallest_diagonal(largest, relative_floor);
    if (snw_invert_symmetric3(a, smallest, inverse)) {
        // w = A21 A11^-1, row by row; schur = A22 - w A21^T, lower triangle
        const double *r0 = a + 6, *r1 = a + 10, *r2 = a + 15;
        snw_mul_symmetric3(inverse, r0, w);
        snw_mul_symmetric3(inverse, r1, w + 3);
        snw_mul_symmetric3(inverse, r2, w + 6);
        schur[0] = a[9] - (w[0] * r0[0] + w[1] * r0[1] + w[2] * r0[2]);
        schur[1] = a[13] - (w[3] * r0[0] + w[4] * r0[1] + w[5] * r0[2]);
        schur[2] = a[14] - (w[3] * r1[0] + w[4] * r1[1] + w[5] * r1[2]);
        schur[3] = a[18] - (w[6] * r0[0] + w[7] * r0[1] + w[8] * r0[2]);
        schur[4] = a[19] - (w[6] * r1[0] + w[7] * r1[1] + w[8] * r1[2]);
        schur[5] = a[20] - (w[6] * r2[0] + w[7] * r2[1] + w[8] * r2[2]);

        if (snw_invert_symmetric3(schur, smallest, schur_inverse)) {
            // second half of x from the complement, then the first: x1 = A11^-1 b1 - w^T x2
            double c[3], x1[3], x2[3];
            c[0] = b[3] - (w[0] * b[0] + w[1] * b[1] + w[2] * b[2]);
            c[1] = b[4] - (w[3] * b[0] + w[4] * b[1] + w[5] * b[2]);
            c[2] = b[5] - (w[6] * b[0] + w[7] * b[1] + w[8] * b[2]);
            snw_mul_symmetric3(schur_inverse, c, x2);
            snw_mul_symmetric3(inverse, b, x1);
            out_x[0] = x1[0] - (w[0] * x2[0] + w[3] * x2[1] + w[6] * x2[2]);
            out_x[1] = x1[1] - (w[1] * x2[0] + w[4] * x2[1] + w[7] * x2[2]);
            out_x[2] = x1[2] - (w[2] * x2[0] + w[5] * x2[1] + w[8] * x2[2]);
            out_x[3] = x2[0];
            out_x[4] = x2[1];
            out_x[5] = x2[2];
            return true;
        }
    }
    double copy[21];
    for (int i = 0; i < 21; ++i) { copy[i] = a[i]; }
    return snw_solve_packed(copy, 6, relative_floor, b, out_x);
}

/// Factor a symmetric positive definite matrix in place, A = L D L^T.
///
/// a               n rows of stride numbers, row-major, n <= stride; only the lower triangle is
///                 read, the whole square is overwritten (both L and D L^T are kept, so that all
///                 later work runs along contiguous rows)
/// relative_floor  a pivot must be above this share of the largest diagonal, else false is returned
///                 and a is spoilt. 1e-14 tells round-off from rank.
/// n^3/3 flops. n = 0 is fine.
bool snw_cholesky_factor(double *a, int n, int stride, double relative_floor);

/// Solve A x = b with the factored a; b becomes x. 2 n^2 flops.
void snw_cholesky_solve(const double *a, int n, int stride, double *b);

/// A = J diag(weights) J^T, lower triangle with diagonal, m x m.
///
/// jacobian  n columns of m contiguous numbers, jacobian_stride apart (row-major by dof)
/// weights   n numbers, one per dof; NULL for ones
/// out_a     row-major, a_stride apart; numbers right of the diagonal are left alone
/// n m^2 flops and m n / 2 more for weights.
void snw_product_rows(const double *jacobian, int m, int n, int jacobian_stride,
    const double *weights, double *out_a, int a_stride);

/// A = J^T diag(weights) J, lower triangle with diagonal, n x n; weights has m numbers, one per
/// row, or is NULL. Otherwise as above.
void snw_product_dofs(const double *jacobian, int m, int n, int jacobian_stride,
    const double *weights, double *out_a, int a_stride);

#endif
