#include "math/dense.h"

#include "math/holds.h"
#include "math/lanes.h"

#include <string.h>

// Numbers side by side; lanes are never added across except where the code says so, so the bits do not
// depend on it.
typedef snw_Lanes Pair;

SNW_ALWAYS_INLINE Pair load(const double *p)
{
    Pair r;
    memcpy(&r, p, sizeof r);
    return r;
}

SNW_ALWAYS_INLINE void store(double *p, Pair v)
{
    memcpy(p, &v, sizeof v);
}

SNW_ALWAYS_INLINE Pair both(double v)
{
    return snw_lanes(v);
}

/// sum - a b
SNW_ALWAYS_INLINE Pair less(Pair sum, Pair a, Pair b)
{
    return snw_lanes_sub(sum, snw_lanes_mul(a, b));
}

/// sum + a b
SNW_ALWAYS_INLINE Pair more(Pair sum, Pair a, Pair b)
{
    return snw_lanes_madd(sum, a, b);
}

static inline int min_int(int a, int b)
{
    return a < b ? a : b;
}

// ---------------------------------------------------------------------------------------------
// Small systems, one pivot after the other

bool snw_solve_packed(double *a, int n, double relative_floor, const double *b, double *out_x)
{
    SNW_ASSERT(n >= 0);
    double inverse_pivot[6], x[6];
    double largest = 0.0;
    for (int i = 0; i < n; ++i) { largest = snw_larger(largest, a[SNW_PACKED(i, i)]); }
    double floor = largest * relative_floor;

    // A = L D L^T; row i keeps t = l d until its pivot is known
    for (int i = 0; i < n; ++i) {
        double *row = a + SNW_PACKED(i, 0);
        double pivot = row[i];
        for (int j = 0; j < i; ++j) {
            const double *other = a + SNW_PACKED(j, 0);
            double t = row[j];
            for (int k = 0; k < j; ++k) { t -= row[k] * other[k]; }
            row[j] = t;
        }
        for (int j = 0; j < i; ++j) {
            double l = row[j] * inverse_pivot[j];
            pivot -= l * row[j];
            row[j] = l;
        }
        if (!(pivot > floor)) { return false; }
        inverse_pivot[i] = 1.0 / pivot;
    }

    for (int i = 0; i < n; ++i) {
        const double *row = a + SNW_PACKED(i, 0);
        double y = b[i];
        for (int k = 0; k < i; ++k) { y -= row[k] * x[k]; }
        x[i] = y;
    }
    for (int i = n - 1; i >= 0; --i) {
        double y = x[i] * inverse_pivot[i];
        for (int k = i + 1; k < n; ++k) { y -= a[SNW_PACKED(k, i)] * x[k]; }
        x[i] = y;
    }
    for (int i = 0; i < n; ++i) { out_x[i] = x[i]; }
    return true;
}

// ---------------------------------------------------------------------------------------------
// Dense factorisation, left-looking in panels of four columns
//
// For j <= i, with u_kj = d_k l_jk in the upper triangle and l_ik in the lower one:
//     t_ij = a_ij - sum over k < j of l_ik u_kj,    l_ij = t_ij / d_j,    u_ji = t_ij
// Each entry subtracts its products in the order of k, whatever the tiles.

enum { PANEL = 4 };

/// Subtract the first `depth` products from a few columns of one row.
static void update_entries(double *a, int stride, int i, int j, int columns, int depth)
{
    SNW_ASSERT(columns >= 0);
    double *row = a + (size_t)i * (size_t)stride;
    for (int c = j; c < j + columns; ++c) {
        const double *upper = a + c;
        double t = row[c];
        for (int k = 0; k < depth; ++k, upper += stride) { t -= row[k] * *upper; }
        row[c] = t;
    }
}

/// The same for four columns of one row.
static void update_strip(double *a, int stride, int i, int j, int depth)
{
    double *row = a + (size_t)i * (size_t)stride;
    Pair t0 = load(row + j), t1 = load(row + j + 2);
    const double *upper = a + j;
    for (int k = 0; k < depth; ++k, upper += stride) {
        Pair l = both(row[k]);
        t0 = less(t0, l, load(upper));
        t1 = less(t1, l, load(upper + 2));
    }
    store(row + j, t0);
    store(row + j + 2, t1);
}

/// The same for a whole tile of four by four.
static void update_tile(double *a, int stride, int i, int j, int depth)
{
    double *row0 = a + (size_t)i * (size_t)stride;
    double *row1 = row0 + stride, *row2 = row1 + stride, *row3 = row2 + stride;
    Pair t00 = load(row0 + j), t01 = load(row0 + j + 2);
    Pair t10 = load(row1 + j), t11 = load(row1 + j + 2);
    Pair t20 = load(row2 + j), t21 = load(row2 + j + 2);
    Pair t30 = load(row3 + j), t31 = load(row3 + j + 2);
    const double *upper = a + j;
    for (int k = 0; k < depth; ++k, upper += stride) {
        Pair u0 = load(upper), u1 = load(upper + 2);
        Pair l0 = both(row0[k]), l1 = both(row1[k]), l2 = both(row2[k]), l3 = both(row3[k]);
        t00 = less(t00, l0, u0);
        t01 = less(t01, l0, u1);
        t10 = less(t10, l1, u0);
        t11 = less(t11, l1, u1);
        t20 = less(t20, l2, u0);
        t21 = less(t21, l2, u1);
        t30 = less(t30, l3, u0);
        t31 = less(t31, l3, u1);
    }
    store(row0 + j, t00);
    store(row0 + j + 2, t01);
    store(row1 + j, t10);
    store(row1 + j + 2, t11);
    store(row2 + j, t20);
    store(row2 + j + 2, t21);
    store(row3 + j, t30);
    store(row3 + j + 2, t31);
}

/// Subtract the products of all earlier columns from the panel of columns j..j + width - 1.
static void update_panel(double *a, int n, int stride, int j, int width)
{
    SNW_ASSERT(n >= 0);
    if (width < PANEL) {
        // the last columns: nothing is below them
        for (int i = j; i < n; ++i) { update_entries(a, stride, i, j, i - j + 1, j); }
        return;
    }

    // the tile on the diagonal is filled up, so that it is like the others
    for (int r = 0; r < PANEL; ++r) {
        for (int c = r + 1; c < PANEL; ++c) {
            a[(size_t)(j + r) * (size_t)stride + (size_t)(j + c)] =
                a[(size_t)(j + c) * (size_t)stride + (size_t)(j + r)];
        }
    }
    int i = j;
    for (; i + PANEL <= n; i += PANEL) { update_tile(a, stride, i, j, j); }
    for (; i < n; ++i) { update_strip(a, stride, i, j, j); }
}

/// Finish the panel of columns j..j + width - 1 whose products with earlier columns are subtracted.
static bool factor_panel(double *a, int n, int stride, int j, int width, double floor)
{
    SNW_ASSERT(n >= 0);
    double inverse[PANEL] = { 0.0 };
    for (int i = j; i < n; ++i) {
        double *row = a + (size_t)i * (size_t)stride;
        int columns = min_int(width, i - j);
        for (int c = 0; c < columns; ++c) {
            double t = row[j + c];
            for (int p = 0; p < c; ++p) {
                t -= row[j + p] * a[(size_t)(j + p) * (size_t)stride + (size_t)(j + c)];
            }
            row[j + c] = t * inverse[c];
            a[(size_t)(j + c) * (size_t)stride + (size_t)i] = t;
        }
        if (i - j < width) {
            // the pivot of row i; its inverse is what the diagonal keeps
            double pivot = row[i];
            for (int p = j; p < i; ++p) {
                pivot -= row[p] * a[(size_t)p * (size_t)stride + (size_t)i];
            }
            if (!(pivot > floor)) { return false; }
            inverse[i - j] = 1.0 / pivot;
            row[i] = inverse[i - j];
        }
    }
    return true;
}

bool snw_cholesky_factor(double *a, int n, int stride, double relative_floor)
{
    SNW_ASSERT(n >= 0);
    double largest = 0.0;
    for (int i = 0; i < n; ++i) {
        largest = snw_larger(largest, a[(size_t)i * (size_t)stride + (size_t)i]);
    }

    for (int j = 0; j < n; j += PANEL) {
        int width = min_int(PANEL, n - j);
        update_panel(a, n, stride, j, width);
        if (!factor_panel(a, n, stride, j, width, largest * relative_floor)) { return false; }
    }
    return true;
}

/// y -= x s, contiguous.
static inline void subtract_scaled(double *y, const double *x, double s, int count)
{
    SNW_ASSERT(count >= 0);
    Pair scale = both(s);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        Pair y0 = less(load(y + i), load(x + i), scale);
        Pair y1 = less(load(y + i + 2), load(x + i + 2), scale);
        store(y + i, y0);
        store(y + i + 2, y1);
    }
    for (; i < count; ++i) { y[i] -= x[i] * s; }
}

void snw_cholesky_solve(const double *a, int n, int stride, double *b)
{
    SNW_ASSERT(n >= 0);
    // L y = b and z = D^-1 y, by the rows of D L^T
    for (int k = 0; k < n; ++k) {
        const double *row = a + (size_t)k * (size_t)stride;
        b[k] *= row[k];
        subtract_scaled(b + k + 1, row + k + 1, b[k], n - k - 1);
    }
    // L^T x = z, by the rows of L
    for (int i = n - 1; i > 0; --i) { subtract_scaled(b, a + (size_t)i * (size_t)stride, b[i], i); }
}

// ---------------------------------------------------------------------------------------------
// Products

/// One entry of J W J^T.
static double row_product(
    const double *jacobian, int n, int stride, const double *weights, int i, int j)
{
    double sum = 0.0;
    for (int k = 0; k < n; ++k, jacobian += stride) {
        sum += (weights ? jacobian[i] * weights[k] : jacobian[i]) * jacobian[j];
    }
    return sum;
}

/// Entries j..j + 3 of row i.
static void rows_strip(
    const double *jacobian, int n, int stride, const double *weights, int i, int j, double *out)
{
    SNW_ASSERT(n >= 0);
    Pair t0 = both(0.0), t1 = t0;
    for (int k = 0; k < n; ++k, jacobian += stride) {
        Pair left = both(weights ? jacobian[i] * weights[k] : jacobian[i]);
        t0 = more(t0, left, load(jacobian + j));
        t1 = more(t1, left, load(jacobian + j + 2));
    }
    store(out, t0);
    store(out + 2, t1);
}

/// Entries j..j + 3 of rows i..i + 3, row by row.
static void rows_tile(
    const double *jacobian, int n, int stride, const double *weights, int i, int j, double out[16])
{
    SNW_ASSERT(n >= 0);
    Pair t00 = both(0.0), t01 = t00, t10 = t00, t11 = t00;
    Pair t20 = t00, t21 = t00, t30 = t00, t31 = t00;
    for (int k = 0; k < n; ++k, jacobian += stride) {
        Pair left01 = load(jacobian + i), left23 = load(jacobian + i + 2);
        if (weights) {
            left01 = snw_lanes_mul(left01, both(weights[k]));
            left23 = snw_lanes_mul(left23, both(weights[k]));
        }
        Pair u0 = load(jacobian + j), u1 = load(jacobian + j + 2);
        Pair l0 = both(snw_lanes_get(left01, 0)), l1 = both(snw_lanes_get(left01, 1));
        Pair l2 = both(snw_lanes_get(left23, 0)), l3 = both(snw_lanes_get(left23, 1));
        t00 = more(t00, l0, u0);
        t01 = more(t01, l0, u1);
        t10 = more(t10, l1, u0);
        t11 = more(t11, l1, u1);
        t20 = more(t20, l2, u0);
        t21 = more(t21, l2, u1);
        t30 = more(t30, l3, u0);
        t31 = more(t31, l3, u1);
    }
    store(out, t00);
    store(out + 2, t01);
    store(out + 4, t10);
    store(out + 6, t11);
    store(out + 8, t20);
    store(out + 10, t21);
    store(out + 12, t30);
    store(out + 14, t31);
}

void snw_product_rows(const double *jacobian, int m, int n, int jacobian_stride,
    const double *weights, double *out_a, int a_stride)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    double tile[16];
    int i = 0;
    for (; i + 4 <= m; i += 4) {
        for (int j = 0; j <= i; j += 4) {
            rows_tile(jacobian, n, jacobian_stride, weights, i, j, tile);
            for (int r = 0; r < 4; ++r) {
                double *row = out_a + (size_t)(i + r) * (size_t)a_stride + (size_t)j;
                int columns = j < i ? 4 : r + 1;
                for (int c = 0; c < columns; ++c) { row[c] = tile[4 * r + c]; }
            }
        }
    }
    // the last one to three rows
    for (; i < m; ++i) {
        double *row = out_a + (size_t)i * (size_t)a_stride;
        int j = 0;
        for (; j + 4 <= i + 1; j += 4) {
            rows_strip(jacobian, n, jacobian_stride, weights, i, j, row + j);
        }
        for (; j <= i; ++j) { row[j] = row_product(jacobian, n, jacobian_stride, weights, i, j); }
    }
}

/// One entry of J^T W J: even and odd rows are summed apart, then together; that is the order of
/// the tile below.
static double dof_product(const double *a, const double *b, int m, const double *weights)
{
    SNW_ASSERT(m >= 0);
    double even = 0.0, odd = 0.0;
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        even += (weights ? a[i] * weights[i] : a[i]) * b[i];
        odd += (weights ? a[i + 1] * weights[i + 1] : a[i + 1]) * b[i + 1];
    }
    double sum = even + odd;
    if (i < m) { sum += (weights ? a[i] * weights[i] : a[i]) * b[i]; }
    return sum;
}

/// Four entries side by side: dof a with dofs b[0..3].
static void dofs_tile(
    const double *a, const double *b, int stride, int m, const double *weights, double *out)
{
    SNW_ASSERT(m >= 0);
    const double *b1 = b + stride, *b2 = b1 + stride, *b3 = b2 + stride;
    Pair t0 = both(0.0), t1 = t0, t2 = t0, t3 = t0;
    int i = 0;
    for (; i + 2 <= m; i += 2) {
        Pair left = load(a + i);
        if (weights) { left = snw_lanes_mul(left, load(weights + i)); }
        t0 = more(t0, left, load(b + i));
        t1 = more(t1, left, load(b1 + i));
        t2 = more(t2, left, load(b2 + i));
        t3 = more(t3, left, load(b3 + i));
    }
    out[0] = snw_lanes_sum(t0);
    out[1] = snw_lanes_sum(t1);
    out[2] = snw_lanes_sum(t2);
    out[3] = snw_lanes_sum(t3);
    if (i < m) {
        double left = weights ? a[i] * weights[i] : a[i];
        out[0] += left * b[i];
        out[1] += left * b1[i];
        out[2] += left * b2[i];
        out[3] += left * b3[i];
    }
}

void snw_product_dofs(const double *jacobian, int m, int n, int jacobian_stride,
    const double *weights, double *out_a, int a_stride)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    for (int i = 0; i < n; ++i) {
        const double *a = jacobian + (size_t)i * (size_t)jacobian_stride;
        double *row = out_a + (size_t)i * (size_t)a_stride;
        int j = 0;
        for (; j + 4 <= i + 1; j += 4) {
            const double *b = jacobian + (size_t)j * (size_t)jacobian_stride;
            dofs_tile(a, b, jacobian_stride, m, weights, row + j);
        }
        for (; j <= i; ++j) {
            const double *b = jacobian + (size_t)j * (size_t)jacobian_stride;
            row[j] = dof_product(a, b, m, weights);
        }
    }
}
