#include "solve/literal.h"

#include "base/compiler.h"
#include "math/holds.h"

// Source: M. Meredith, S. Maddock (2004), Real-time inverse kinematics: the return of the Jacobian;
// eq. 1.6-1.10, appendices A to C. measure/flops.c counts the same operations and gives the same bits.

// bodies are inlined once more for the two sizes that the method has
#define INLINE SNW_ALWAYS_INLINE

enum { MAX_ROWS = 6 };

// A pivot below this share of the largest entry, or a determinant below this share of the product
// of the rows' largest entries, is round-off: about 1000 times what a rank-deficient 6x6 leaves.
#define SINGULAR_SHARE 1e-13

static double largest_entry(const double *a, int count)
{
    SNW_ASSERT(count >= 0);
    double largest = 0.0;
    for (int i = 0; i < count; ++i) {
        double size = fabs(a[i]);
        // a NaN stays, and fails every later comparison
        if (!(size <= largest)) { largest = size; }
    }
    return largest;
}

// ---------------------------------------------------------------------------------------------
// Inverses

bool snw_literal_invert3(const double a[9], double out_inverse[9])
{
    double r00 = a[0], r01 = a[1], r02 = a[2];
    double r10 = a[3], r11 = a[4], r12 = a[5];
    double r20 = a[6], r21 = a[7], r22 = a[8];

    // eq. 1.10; the determinant does not reuse the cofactors
    double determinant = r00 * (r11 * r22 - r12 * r21) + r01 * (r12 * r20 - r10 * r22)
        + r02 * (r10 * r21 - r11 * r20);
    double bound = SINGULAR_SHARE * largest_entry(a, 3) * largest_entry(a + 3, 3)
        * largest_entry(a + 6, 3);
    // written so that a NaN is singular
    bool regular = fabs(determinant) > bound && isfinite(determinant);
    double scale = 1.0 / (regular ? determinant : 1.0);
    const double adjugate[9] = {
        r11 * r22 - r21 * r12,
        r21 * r02 - r01 * r22,
        r01 * r12 - r11 * r02,
        r20 * r12 - r10 * r22,
        r00 * r22 - r20 * r02,
        r10 * r02 - r00 * r12,
        r10 * r21 - r20 * r11,
        r20 * r01 - r00 * r21,
        r00 * r11 - r10 * r01,
    };
    for (int i = 0; i < 9; ++i) { out_inverse[i] = regular ? adjugate[i] * scale : 0.0; }
    return regular;
}

INLINE bool factor_lu(const double *a, int n, double *l, double *u)
{
    SNW_ASSERT(n >= 0);
    double floor = SINGULAR_SHARE * largest_entry(a, n * n);
    bool regular = true;
    for (int i = 0; i < n * n; ++i) { l[i] = u[i] = 0.0; }

    for (int k = 0; k < n; ++k) {
        // row k of U; sums run from zero and are subtracted afterwards
        for (int j = k; j < n; ++j) {
            double sum = 0.0;
            for (int s = 0; s < k; ++s) { sum += l[k * n + s] * u[s * n + j]; }
            u[k * n + j] = a[k * n + j] - sum;
        }
        double pivot = u[k * n + k];
        if (!(fabs(pivot) > floor && isfinite(pivot))) {
            regular = false;
            u[k * n + k] = pivot = 1.0;
        }
        l[k * n + k] = 1.0;
        for (int i = k + 1; i < n; ++i) {
            double sum = 0.0;
            for (int s = 0; s < k; ++s) { sum += l[i * n + s] * u[s * n + k]; }
            l[i * n + k] = (a[i * n + k] - sum) / pivot;
        }
    }
    return regular;
}

INLINE void substitute_lu(const double *l, const double *u, int n, double *out, double *y)
{
    SNW_ASSERT(n >= 0);
    for (int c = 0; c < n; ++c) {
        // L y = unit column c, then U x = y
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int s = 0; s < i; ++s) { sum += l[i * n + s] * y[s]; }
            y[i] = (i == c ? 1.0 : 0.0) - sum;
        }
        for (int i = n - 1; i >= 0; --i) {
            double sum = 0.0;
            for (int s = i + 1; s < n; ++s) { sum += u[i * n + s] * out[s * n + c]; }
            out[i * n + c] = (y[i] - sum) / u[i * n + i];
        }
    }
}

bool snw_literal_invert_lu(const double *a, int n, double *out_inverse, double *scratch)
{
    SNW_ASSERT(n >= 0);
    double *l = scratch, *u = l + n * n, *y = u + n * n;
    bool regular;
    if (n == 6) {
        regular = factor_lu(a, 6, l, u);
        substitute_lu(l, u, 6, out_inverse, y);
    } else {
        regular = factor_lu(a, n, l, u);
        substitute_lu(l, u, n, out_inverse, y);
    }
    // all 0 where a singular matrix gave no inverse
    for (int i = 0; i < n * n; ++i) { regular = regular && isfinite(out_inverse[i]); }
    for (int i = 0; i < n * n && !regular; ++i) { out_inverse[i] = 0.0; }
    return regular;
}

// ---------------------------------------------------------------------------------------------
// Pseudo-inverse

/// out = left right: both by dof, n times m numbers; entry (i, j) sums over the dofs.
INLINE void multiply_by_dof(const double *left, int left_stride, const double *right,
    int right_stride, int m, int n, double *out)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            double sum = left[i] * right[j];
            for (int k = 1; k < n; ++k) {
                sum += left[k * left_stride + i] * right[k * right_stride + j];
            }
            out[i * m + j] = sum;
        }
    }
}

void snw_literal_product(const double *jacobian, int m, int n, int stride, double *out_a)
{
    if (m == 3) {
        multiply_by_dof(jacobian, stride, jacobian, stride, 3, n, out_a);
    } else {
        multiply_by_dof(jacobian, stride, jacobian, stride, m, n, out_a);
    }
}

/// J^T B, n x m.
INLINE void transpose_product(
    const double *jacobian, const double *b, int m, int n, int stride, double *out)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int k = 0; k < n; ++k) {
        const double *column = jacobian + k * stride;
        for (int j = 0; j < m; ++j) {
            double sum = column[0] * b[j];
            for (int i = 1; i < m; ++i) { sum += column[i] * b[i * m + j]; }
            out[k * m + j] = sum;
        }
    }
}

bool snw_literal_pseudo_inverse(
    const double *jacobian, int m, int n, int stride, double *out_pseudo_inverse)
{
    double a[MAX_ROWS * MAX_ROWS], b[MAX_ROWS * MAX_ROWS];
    double scratch[2 * MAX_ROWS * MAX_ROWS + MAX_ROWS];
    snw_literal_product(jacobian, m, n, stride, a);
    if (m == 3) {
        bool regular = snw_literal_invert3(a, b);
        transpose_product(jacobian, b, 3, n, stride, out_pseudo_inverse);
        return regular;
    }
    bool regular = snw_literal_invert_lu(a, m, b, scratch);
    transpose_product(jacobian, b, m, n, stride, out_pseudo_inverse);
    return regular;
}

void snw_literal_error_matrix(
    const double *jacobian, const double *pseudo_inverse, int m, int n, int stride, double *out_e)
{
    if (m == 3) {
        multiply_by_dof(jacobian, stride, pseudo_inverse, 3, 3, n, out_e);
    } else {
        multiply_by_dof(jacobian, stride, pseudo_inverse, m, m, n, out_e);
    }
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) { out_e[i * m + j] = (i == j ? 1.0 : 0.0) - out_e[i * m + j]; }
    }
}

double snw_literal_error(const double *e, const double *dx, int m)
{
    SNW_ASSERT(m >= 0);
    double square = 0.0;
    for (int i = 0; i < m; ++i) {
        double sum = e[i * m] * dx[0];
        for (int j = 1; j < m; ++j) { sum += e[i * m + j] * dx[j]; }
        square += sum * sum;
    }
    return sqrt(square);
}

int snw_literal_halve(
    const double *e, int m, double threshold, int max_halvings, double error, double *dx)
{
    SNW_ASSERT(m >= 0);
    int halvings = 0;
    while (error > threshold && halvings < max_halvings) {
        for (int i = 0; i < m; ++i) { dx[i] *= 0.5; }
        error = snw_literal_error(e, dx, m);
        ++halvings;
    }
    return halvings;
}

int snw_halving_count(double error, double threshold, int max_halvings)
{
    if (!(error > threshold) || max_halvings <= 0) { return 0; }
    if (!(threshold > 0.0) || !isfinite(error)) { return max_halvings; }

    // error = fe 2^a, threshold = ft 2^b with fe, ft in [0.5, 1): the smallest k with
    // fe 2^(a - k) <= ft 2^b
    int a, b;
    double error_fraction = frexp(error, &a), threshold_fraction = frexp(threshold, &b);
    int k = a - b + (error_fraction > threshold_fraction ? 1 : 0);
    return k < max_halvings ? k : max_halvings;
}

void snw_literal_step(
    const double *pseudo_inverse, const double *dx, int m, int n, double *out_step)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int k = 0; k < n; ++k) {
        const double *row = pseudo_inverse + k * m;
        double sum = row[0] * dx[0];
        for (int i = 1; i < m; ++i) { sum += row[i] * dx[i]; }
        out_step[k] = sum;
    }
}
