#include "measure/flops.h"

#include "math/holds.h"

// Source: M. Meredith, S. Maddock (2004), Real-time inverse kinematics: the return of the Jacobian;
// eq. 1.6-1.10, appendices A to C, tables 1.1 and 1.2.

// Every operation goes through the functions below.

enum { MAX_ROWS = 6, MAX_SIZE = 8 };

// A pivot below this share of the largest entry, or a determinant below this share of the product
// of the rows' largest entries, is round-off: about 1000 times what a rank-deficient 6x6 leaves.
#define SINGULAR_SHARE 1e-13

static double mul(measure_Flops *count, double a, double b)
{
    ++count->mul;
    return a * b;
}

static double divide(measure_Flops *count, double a, double b)
{
    ++count->div;
    return a / b;
}

static double add(measure_Flops *count, double a, double b)
{
    ++count->add;
    return a + b;
}

static double subtract(measure_Flops *count, double a, double b)
{
    ++count->add;
    return a - b;
}

/// a b - c d
static double minor2(measure_Flops *count, double a, double b, double c, double d)
{
    return subtract(count, mul(count, a, b), mul(count, c, d));
}

/// a0 b0 - a1 b1 + a2 b2
static double alternate3(
    measure_Flops *count, double a0, double b0, double a1, double b1, double a2, double b2)
{
    return add(count, minor2(count, a0, b0, a1, b1), mul(count, a2, b2));
}

/// a0 b0 - a1 b1 + a2 b2 - a3 b3
static double alternate4(measure_Flops *count, double a0, double b0, double a1, double b1,
    double a2, double b2, double a3, double b3)
{
    return subtract(count, alternate3(count, a0, b0, a1, b1, a2, b2), mul(count, a3, b3));
}

// ---------------------------------------------------------------------------------------------
// Guards; they compare, and are not counted

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

/// Whether a determinant is worth dividing by; a NaN is not.
static bool is_regular(const double *a, int n, double determinant)
{
    double bound = SINGULAR_SHARE;
    for (int i = 0; i < n; ++i) { bound *= largest_entry(a + i * n, n); }
    return fabs(determinant) > bound && isfinite(determinant);
}

/// 1 / determinant, or 0 and false.
static double invert_determinant(
    const double *a, int n, double determinant, bool *out_regular, measure_Flops *count)
{
    *out_regular = is_regular(a, n, determinant);
    double scale = divide(count, 1.0, *out_regular ? determinant : 1.0);
    return *out_regular ? scale : 0.0;
}

/// out = cofactors, already transposed, times scale; all 0 when the matrix is singular.
static bool scale_adjugate(double *out, int n, double scale, bool regular, measure_Flops *count)
{
    for (int i = 0; i < n * n; ++i) {
        double value = mul(count, out[i], scale);
        out[i] = regular ? value : 0.0;
    }
    return regular;
}

// ---------------------------------------------------------------------------------------------
// 3x3

bool measure_flops_invert3(const double a[9], double out_inverse[9], measure_Flops *count)
{
    double r00 = a[0], r01 = a[1], r02 = a[2];
    double r10 = a[3], r11 = a[4], r12 = a[5];
    double r20 = a[6], r21 = a[7], r22 = a[8];

    // eq. 1.10; the determinant does not reuse the cofactors
    double determinant = add(count,
        add(count, mul(count, r00, minor2(count, r11, r22, r12, r21)),
            mul(count, r01, minor2(count, r12, r20, r10, r22))),
        mul(count, r02, minor2(count, r10, r21, r11, r20)));
    bool regular;
    double scale = invert_determinant(a, 3, determinant, &regular, count);
    out_inverse[0] = minor2(count, r11, r22, r21, r12);
    out_inverse[1] = minor2(count, r21, r02, r01, r22);
    out_inverse[2] = minor2(count, r01, r12, r11, r02);
    out_inverse[3] = minor2(count, r20, r12, r10, r22);
    out_inverse[4] = minor2(count, r00, r22, r20, r02);
    out_inverse[5] = minor2(count, r10, r02, r00, r12);
    out_inverse[6] = minor2(count, r10, r21, r20, r11);
    out_inverse[7] = minor2(count, r20, r01, r00, r21);
    out_inverse[8] = minor2(count, r00, r11, r10, r01);
    return scale_adjugate(out_inverse, 3, scale, regular, count);
}

bool measure_flops_invert3_shared(const double a[9], double out_inverse[9], measure_Flops *count)
{
    double *out = out_inverse;
    out[0] = minor2(count, a[4], a[8], a[7], a[5]);
    out[1] = minor2(count, a[7], a[2], a[1], a[8]);
    out[2] = minor2(count, a[1], a[5], a[4], a[2]);
    out[3] = minor2(count, a[6], a[5], a[3], a[8]);
    out[4] = minor2(count, a[0], a[8], a[6], a[2]);
    out[5] = minor2(count, a[3], a[2], a[0], a[5]);
    out[6] = minor2(count, a[3], a[7], a[6], a[4]);
    out[7] = minor2(count, a[6], a[1], a[0], a[7]);
    out[8] = minor2(count, a[0], a[4], a[3], a[1]);
    double determinant = add(count, add(count, mul(count, a[0], out[0]), mul(count, a[1], out[3])),
        mul(count, a[2], out[6]));
    bool regular;
    double scale = invert_determinant(a, 3, determinant, &regular, count);
    return scale_adjugate(out, 3, scale, regular, count);
}

bool measure_flops_invert3_symmetric(const double a[9], double out_inverse[9], measure_Flops *count)
{
    double c00 = minor2(count, a[4], a[8], a[5], a[5]);
    double c01 = minor2(count, a[2], a[5], a[1], a[8]);
    double c02 = minor2(count, a[1], a[5], a[2], a[4]);
    double c11 = minor2(count, a[0], a[8], a[2], a[2]);
    double c12 = minor2(count, a[1], a[2], a[0], a[5]);
    double c22 = minor2(count, a[0], a[4], a[1], a[1]);
    double determinant = add(
        count, add(count, mul(count, a[0], c00), mul(count, a[1], c01)), mul(count, a[2], c02));
    bool regular;
    double scale = invert_determinant(a, 3, determinant, &regular, count);
    out_inverse[0] = mul(count, c00, scale);
    out_inverse[1] = out_inverse[3] = mul(count, c01, scale);
    out_inverse[2] = out_inverse[6] = mul(count, c02, scale);
    out_inverse[4] = mul(count, c11, scale);
    out_inverse[5] = out_inverse[7] = mul(count, c12, scale);
    out_inverse[8] = mul(count, c22, scale);
    return regular;
}

// ---------------------------------------------------------------------------------------------
// 4x4 and 5x5 with shared minors

/// The six 2x2 minors of two rows of four; of columns 01, 02, 03, 12, 13, 23.
static void minors_of_rows4(const double *p, const double *q, double *out, measure_Flops *count)
{
    int k = 0;
    for (int c = 0; c < 4; ++c) {
        for (int d = c + 1; d < 4; ++d) { out[k++] = minor2(count, p[c], q[d], p[d], q[c]); }
    }
}

/// Determinants of `row` above two rows with known minors m; out[c] leaves out column c.
static void minors_without_column4(
    const double *row, const double *m, double out[4], measure_Flops *count)
{
    // m by columns: 01 02 03 12 13 23
    out[0] = alternate3(count, row[1], m[5], row[2], m[4], row[3], m[3]);
    out[1] = alternate3(count, row[0], m[5], row[2], m[2], row[3], m[1]);
    out[2] = alternate3(count, row[0], m[4], row[1], m[2], row[3], m[0]);
    out[3] = alternate3(count, row[0], m[3], row[1], m[1], row[2], m[0]);
}

bool measure_flops_invert4(const double a[16], double out_inverse[16], measure_Flops *count)
{
    double upper[6], lower[6], minors[4];
    minors_of_rows4(a, a + 4, upper, count);
    minors_of_rows4(a + 8, a + 12, lower, count);

    // cofactor of row r: the other row of its half against the minors of the other half
    for (int r = 0; r < 4; ++r) {
        minors_without_column4(a + 4 * (r ^ 1), r < 2 ? lower : upper, minors, count);
        for (int c = 0; c < 4; ++c) {
            out_inverse[4 * c + r] = (r + c) % 2 == 0 ? minors[c] : -minors[c];
        }
    }
    // Laplace expansion by the two halves
    double determinant = add(count,
        alternate3(count, upper[0], lower[5], upper[1], lower[4], upper[2], lower[3]),
        alternate3(count, upper[3], lower[2], upper[4], lower[1], upper[5], lower[0]));
    bool regular;
    double scale = invert_determinant(a, 4, determinant, &regular, count);
    return scale_adjugate(out_inverse, 4, scale, regular, count);
}

/// Place of the minor of columns c < d, or c < d < e, among those of five columns.
static int place2(int c, int d)
{
    return c * 5 + d;
}

static int place3(int c, int d, int e)
{
    return (c * 5 + d) * 5 + e;
}

/// All ten 2x2 minors of two rows of five.
static void minors2_of_5(const double *p, const double *q, double out[25], measure_Flops *count)
{
    for (int c = 0; c < 5; ++c) {
        for (int d = c + 1; d < 5; ++d) {
            out[place2(c, d)] = minor2(count, p[c], q[d], p[d], q[c]);
        }
    }
}

/// All ten 3x3 minors of a row above two rows with known minors.
static void minors3_of_5(const double *row, const double *m, double out[125], measure_Flops *count)
{
    for (int c = 0; c < 5; ++c) {
        for (int d = c + 1; d < 5; ++d) {
            for (int e = d + 1; e < 5; ++e) {
                out[place3(c, d, e)] = alternate3(count, row[c], m[place2(d, e)], row[d],
                    m[place2(c, e)], row[e], m[place2(c, d)]);
            }
        }
    }
}

/// One row of cofactors, written as a column of the adjugate: `row` beside three rows with known
/// minors. sign: of the first cofactor.
static void cofactors_of_5(
    const double *row, const double *m, int r, double sign, double *out, measure_Flops *count)
{
    for (int c = 0; c < 5; ++c, sign = -sign) {
        int k[4], used = 0;
        for (int d = 0; d < 5; ++d) {
            if (d != c) { k[used++] = d; }
        }
        double minor = alternate4(count, row[k[0]], m[place3(k[1], k[2], k[3])], row[k[1]],
            m[place3(k[0], k[2], k[3])], row[k[2]], m[place3(k[0], k[1], k[3])], row[k[3]],
            m[place3(k[0], k[1], k[2])]);
        // a change of sign is no flop
        out[5 * c + r] = sign > 0.0 ? minor : -minor;
    }
}

/// Determinant by the first row and its cofactors, and the scaling.
static bool finish5(const double *a, double *out, measure_Flops *count)
{
    double determinant = mul(count, a[0], out[0]);
    for (int c = 1; c < 5; ++c) {
        determinant = add(count, determinant, mul(count, a[c], out[5 * c]));
    }
    bool regular;
    double scale = invert_determinant(a, 5, determinant, &regular, count);
    return scale_adjugate(out, 5, scale, regular, count);
}

bool measure_flops_invert5(const double a[25], double out_inverse[25], measure_Flops *count)
{
    // rows left after one is struck out, always expanded by the first: three pairs, four triples
    double pair23[25], pair24[25], pair34[25];
    double triple123[125], triple124[125], triple134[125], triple234[125];
    minors2_of_5(a + 10, a + 15, pair23, count);
    minors2_of_5(a + 10, a + 20, pair24, count);
    minors2_of_5(a + 15, a + 20, pair34, count);
    minors3_of_5(a + 5, pair23, triple123, count);
    minors3_of_5(a + 5, pair24, triple124, count);
    minors3_of_5(a + 5, pair34, triple134, count);
    minors3_of_5(a + 10, pair34, triple234, count);
    cofactors_of_5(a + 5, triple234, 0, 1.0, out_inverse, count);
    cofactors_of_5(a, triple234, 1, -1.0, out_inverse, count);
    cofactors_of_5(a, triple134, 2, 1.0, out_inverse, count);
    cofactors_of_5(a, triple124, 3, -1.0, out_inverse, count);
    cofactors_of_5(a, triple123, 4, 1.0, out_inverse, count);
    return finish5(a, out_inverse, count);
}

bool measure_flops_invert5_ends(const double a[25], double out_inverse[25], measure_Flops *count)
{
    // rows 0 and 1 struck out: minors of the last three; 3 and 4: of the first three
    double pair01[25], pair34[25], triple012[125], triple134[125], triple234[125];
    minors2_of_5(a, a + 5, pair01, count);
    minors2_of_5(a + 15, a + 20, pair34, count);
    minors3_of_5(a + 10, pair34, triple234, count);
    minors3_of_5(a + 5, pair34, triple134, count);
    // row 2 stands below its pair: two exchanges of rows, so the same sign
    minors3_of_5(a + 10, pair01, triple012, count);
    cofactors_of_5(a + 5, triple234, 0, 1.0, out_inverse, count);
    cofactors_of_5(a, triple234, 1, -1.0, out_inverse, count);
    cofactors_of_5(a, triple134, 2, 1.0, out_inverse, count);
    // row 4 or 3 stands below its triple: three exchanges, so the other sign
    cofactors_of_5(a + 20, triple012, 3, 1.0, out_inverse, count);
    cofactors_of_5(a + 15, triple012, 4, -1.0, out_inverse, count);
    return finish5(a, out_inverse, count);
}

// ---------------------------------------------------------------------------------------------
// Any size

/// All 0 where a singular matrix gave no inverse.
static bool finish_inverse(double *out, int n, bool regular)
{
    for (int i = 0; i < n * n; ++i) { regular = regular && isfinite(out[i]); }
    for (int i = 0; i < n * n && !regular; ++i) { out[i] = 0.0; }
    return regular;
}

bool measure_flops_factor_lu(
    const double *a, int n, double *out_l, double *out_u, measure_Flops *count)
{
    SNW_ASSERT(n >= 0);
    double floor = SINGULAR_SHARE * largest_entry(a, n * n);
    bool regular = true;
    for (int i = 0; i < n * n; ++i) { out_l[i] = out_u[i] = 0.0; }

    for (int k = 0; k < n; ++k) {
        // row k of U; sums run from zero and are subtracted afterwards
        for (int j = k; j < n; ++j) {
            double value = a[k * n + j];
            if (k > 0) {
                double sum = 0.0;
                for (int s = 0; s < k; ++s) {
                    sum = add(count, sum, mul(count, out_l[k * n + s], out_u[s * n + j]));
                }
                value = subtract(count, value, sum);
            }
            out_u[k * n + j] = value;
        }
        double pivot = out_u[k * n + k];
        if (!(fabs(pivot) > floor && isfinite(pivot))) {
            regular = false;
            out_u[k * n + k] = pivot = 1.0;
        }
        // column k of L; the first column divides its diagonal too, one division more than needed
        out_l[k * n + k] = 1.0;
        for (int i = k == 0 ? 0 : k + 1; i < n; ++i) {
            double value = a[i * n + k];
            if (k > 0) {
                double sum = 0.0;
                for (int s = 0; s < k; ++s) {
                    sum = add(count, sum, mul(count, out_l[i * n + s], out_u[s * n + k]));
                }
                value = subtract(count, value, sum);
            }
            out_l[i * n + k] = divide(count, value, pivot);
        }
    }
    return regular;
}

void measure_flops_substitute_lu(
    const double *l, const double *u, int n, double *out_inverse, double *y, measure_Flops *count)
{
    SNW_ASSERT(n >= 0);
    for (int c = 0; c < n; ++c) {
        // L y = unit column c, then U x = y
        for (int i = 0; i < n; ++i) {
            double sum = 0.0;
            for (int s = 0; s < i; ++s) { sum = add(count, sum, mul(count, l[i * n + s], y[s])); }
            y[i] = subtract(count, i == c ? 1.0 : 0.0, sum);
        }
        for (int i = n - 1; i >= 0; --i) {
            double sum = 0.0;
            for (int s = i + 1; s < n; ++s) {
                sum = add(count, sum, mul(count, u[i * n + s], out_inverse[s * n + c]));
            }
            out_inverse[i * n + c] = divide(count, subtract(count, y[i], sum), u[i * n + i]);
        }
    }
}

bool measure_flops_invert_lu(
    const double *a, int n, double *out_inverse, double *scratch, measure_Flops *count)
{
    SNW_ASSERT(n >= 0);
    double *l = scratch, *u = l + n * n, *y = u + n * n;
    bool regular = measure_flops_factor_lu(a, n, l, u, count);
    measure_flops_substitute_lu(l, u, n, out_inverse, y, count);
    return finish_inverse(out_inverse, n, regular);
}

/// Determinant of the k x k matrix m by its first row: d(k) = k d(k - 1) + 2 k - 1, d(1) = 0.
static double expand(const double *m, int k, measure_Flops *count)
{
    if (k == 1) { return m[0]; }
    double minor[(MAX_SIZE - 1) * (MAX_SIZE - 1)];
    double sum = 0.0;
    for (int c = 0; c < k; ++c) {
        for (int i = 1; i < k; ++i) {
            for (int j = 0, to = 0; j < k; ++j) {
                if (j != c) { minor[(i - 1) * (k - 1) + to++] = m[i * k + j]; }
            }
        }
        double term = mul(count, m[c], expand(minor, k - 1, count));
        if (c == 0) {
            sum = term;
        } else {
            sum = c % 2 == 0 ? add(count, sum, term) : subtract(count, sum, term);
        }
    }
    return sum;
}

bool measure_flops_invert_cofactors(
    const double *a, int n, double *out_inverse, measure_Flops *count)
{
    SNW_ASSERT(n >= 0);
    double minor[(MAX_SIZE - 1) * (MAX_SIZE - 1)];
    bool regular;
    double scale = invert_determinant(a, n, expand(a, n, count), &regular, count);
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            int to = 0;
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) {
                    if (i != r && j != c) { minor[to++] = a[i * n + j]; }
                }
            }
            double value = expand(minor, n - 1, count);
            out_inverse[c * n + r] = (r + c) % 2 == 0 ? value : -value;
        }
    }
    return scale_adjugate(out_inverse, n, scale, regular, count);
}

bool measure_flops_solve_cholesky(
    const double *a, int n, const double *b, double *out_x, measure_Flops *count)
{
    SNW_ASSERT(n >= 0);
    double l[MAX_SIZE * MAX_SIZE];
    double floor = SINGULAR_SHARE * largest_entry(a, n * n);
    bool regular = true;
    for (int j = 0; j < n; ++j) {
        double pivot = a[j * n + j];
        for (int k = 0; k < j; ++k) {
            pivot = subtract(count, pivot, mul(count, l[j * n + k], l[j * n + k]));
        }
        if (!(pivot > floor && isfinite(pivot))) {
            regular = false;
            pivot = 1.0;
        }
        ++count->other;
        l[j * n + j] = sqrt(pivot);
        for (int i = j + 1; i < n; ++i) {
            double t = a[i * n + j];
            for (int k = 0; k < j; ++k) {
                t = subtract(count, t, mul(count, l[i * n + k], l[j * n + k]));
            }
            l[i * n + j] = divide(count, t, l[j * n + j]);
        }
    }
    for (int i = 0; i < n; ++i) {
        double t = b[i];
        for (int k = 0; k < i; ++k) { t = subtract(count, t, mul(count, l[i * n + k], out_x[k])); }
        out_x[i] = divide(count, t, l[i * n + i]);
    }
    for (int i = n - 1; i >= 0; --i) {
        double t = out_x[i];
        for (int k = i + 1; k < n; ++k) {
            t = subtract(count, t, mul(count, l[k * n + i], out_x[k]));
        }
        out_x[i] = divide(count, t, l[i * n + i]);
    }
    for (int i = 0; i < n; ++i) { out_x[i] = regular ? out_x[i] : 0.0; }
    return regular;
}

// ---------------------------------------------------------------------------------------------
// Pseudo-inverse

/// out = left right: both by dof, n times m numbers; entry (i, j) sums over the dofs.
static void multiply_by_dof(const double *left, int left_stride, const double *right,
    int right_stride, int m, int n, bool lower_alone, double *out, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < (lower_alone ? i + 1 : m); ++j) {
            double sum = mul(count, left[i], right[j]);
            for (int k = 1; k < n; ++k) {
                sum = add(
                    count, sum, mul(count, left[k * left_stride + i], right[k * right_stride + j]));
            }
            out[i * m + j] = sum;
            if (lower_alone) { out[j * m + i] = sum; }
        }
    }
}

void measure_flops_product(
    const double *jacobian, int m, int n, int stride, double *out_a, measure_Flops *count)
{
    multiply_by_dof(jacobian, stride, jacobian, stride, m, n, false, out_a, count);
}

void measure_flops_product_symmetric(
    const double *jacobian, int m, int n, int stride, double *out_a, measure_Flops *count)
{
    multiply_by_dof(jacobian, stride, jacobian, stride, m, n, true, out_a, count);
}

void measure_flops_transpose_product(const double *jacobian, const double *b, int m, int n,
    int stride, double *out_product, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int k = 0; k < n; ++k) {
        const double *column = jacobian + k * stride;
        for (int j = 0; j < m; ++j) {
            double sum = mul(count, column[0], b[j]);
            for (int i = 1; i < m; ++i) {
                sum = add(count, sum, mul(count, column[i], b[i * m + j]));
            }
            out_product[k * m + j] = sum;
        }
    }
}

/// The inverse of step 3.
static bool invert(const double *a, int m, double *out_inverse, measure_Flops *count)
{
    double scratch[2 * MAX_ROWS * MAX_ROWS + MAX_ROWS];
    if (m == 3) { return measure_flops_invert3(a, out_inverse, count); }
    return measure_flops_invert_lu(a, m, out_inverse, scratch, count);
}

bool measure_flops_pseudo_inverse(const double *jacobian, int m, int n, int stride,
    double *out_pseudo_inverse, measure_Flops *count)
{
    double a[MAX_ROWS * MAX_ROWS], b[MAX_ROWS * MAX_ROWS];
    measure_flops_product(jacobian, m, n, stride, a, count);
    bool regular = invert(a, m, b, count);
    measure_flops_transpose_product(jacobian, b, m, n, stride, out_pseudo_inverse, count);
    return regular;
}

void measure_flops_error_matrix(const double *jacobian, const double *pseudo_inverse, int m, int n,
    int stride, double *out_e, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    multiply_by_dof(jacobian, stride, pseudo_inverse, m, m, n, false, out_e, count);
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) {
            out_e[i * m + j] = subtract(count, i == j ? 1.0 : 0.0, out_e[i * m + j]);
        }
    }
}

double measure_flops_error(const double *e, const double *dx, int m, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    double square = 0.0;
    for (int i = 0; i < m; ++i) {
        double sum = mul(count, e[i * m], dx[0]);
        for (int j = 1; j < m; ++j) { sum = add(count, sum, mul(count, e[i * m + j], dx[j])); }
        square += sum * sum;
    }
    // m products, m - 1 sums and a root
    count->other += 2 * m;
    return sqrt(square);
}

int measure_flops_halve(const double *e, int m, double threshold, int max_halvings, double error,
    double *dx, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    int halvings = 0;
    while (error > threshold && halvings < max_halvings) {
        for (int i = 0; i < m; ++i) { dx[i] = mul(count, dx[i], 0.5); }
        error = measure_flops_error(e, dx, m, count);
        ++halvings;
    }
    return halvings;
}

void measure_flops_step(const double *pseudo_inverse, const double *dx, int m, int n,
    double *out_step, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int k = 0; k < n; ++k) {
        const double *row = pseudo_inverse + k * m;
        double sum = mul(count, row[0], dx[0]);
        for (int i = 1; i < m; ++i) { sum = add(count, sum, mul(count, row[i], dx[i])); }
        out_step[k] = sum;
    }
}

void measure_flops_residual(const double *jacobian, const double *step, const double *dx, int m,
    int n, int stride, double *out_residual, measure_Flops *count)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int i = 0; i < m; ++i) {
        double sum = mul(count, jacobian[i], step[0]);
        for (int k = 1; k < n; ++k) {
            sum = add(count, sum, mul(count, jacobian[k * stride + i], step[k]));
        }
        out_residual[i] = subtract(count, dx[i], sum);
    }
}
