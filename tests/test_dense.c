// Symmetric solves of 3, 6 and n rows, products of Jacobians, singular values.

#include "testing.h"

#include "math/dense.h"
#include "math/svd.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 300 };

static double *array(size_t count)
{
    double *a = calloc(count > 0 ? count : 1, sizeof *a);
    TEST_TRUE(a != NULL);
    return a;
}

/// A random Jacobian by dof, n columns of m numbers.
static void random_matrix(test_Random *random, double *out, int m, int n, int stride)
{
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < m; ++i) { out[k * stride + i] = test_normal(random); }
    }
}

/// The same with fewer columns than rows and clearly independent ones, so that no pivot but those
/// that should be 0 comes near it.
static void random_independent(test_Random *random, double *out, int m, int n)
{
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < m; ++i) {
            out[k * m + i] = test_normal(random) / m + (i == k ? 1.5 : 0.0);
        }
    }
}

/// A = J diag(w) J^T in the plainest way.
static void plain_product(const double *j, int m, int n, int stride, const double *w, double *out)
{
    for (int r = 0; r < m; ++r) {
        for (int c = 0; c < m; ++c) {
            double sum = 0.0;
            for (int k = 0; k < n; ++k) {
                sum += j[k * stride + r] * (w ? w[k] : 1.0) * j[k * stride + c];
            }
            out[r * m + c] = sum;
        }
    }
}

static void pack(const double *a, int n, double *out)
{
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) { out[SNW_PACKED(i, j)] = a[i * n + j]; }
    }
}

static double residual(const double *a, int n, const double *x, const double *b)
{
    double worst = 0.0, scale = 0.0;
    for (int i = 0; i < n; ++i) {
        double r = -b[i], size = fabs(b[i]);
        for (int j = 0; j < n; ++j) {
            r += a[i * n + j] * x[j];
            size += fabs(a[i * n + j] * x[j]);
        }
        worst = fmax(worst, fabs(r));
        scale = fmax(scale, size);
    }
    return scale > 0.0 ? worst / scale : worst;
}

static bool solve_small(const double *packed, int n, double floor, const double *b, double *x)
{
    return n == 3 ? snw_solve3(packed, floor, b, x) : snw_solve6(packed, floor, b, x);
}

/// Well conditioned, nearly singular and strongly damped ones: the residual is at round-off.
static void test_small_solves(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(11, i);
        for (int n = 3; n <= 6; n += 3) {
            double j[6 * 30], a[36], packed[21], b[6], x[6];
            int columns = test_int(&random, 30) + 1;
            random_matrix(&random, j, n, columns, n);
            plain_product(j, n, columns, n, NULL, a);
            double damping = pow(10.0, test_range(&random, -9.0, 0.0));
            for (int k = 0; k < n; ++k) {
                a[k * n + k] += damping;
                b[k] = test_normal(&random);
            }
            pack(a, n, packed);
            double added[21] = { 0.0 };
            for (int k = 0; k < n; ++k) { added[SNW_PACKED(k, k)] = damping; }
            for (int k = 0; k < columns; ++k) {
                if (n == 3) {
                    snw_add_outer3(added, j + 3 * k, 1.0);
                } else {
                    snw_add_outer6(added, j + 6 * k, 1.0);
                }
            }
            TEST_ARRAY_NEAR(added, packed, SNW_PACKED(n, 0), 1e-11);

            TEST_TRUE(solve_small(packed, n, 1e-14, b, x));
            TEST_NEAR(residual(a, n, x, b), 0.0, 2e-11);
            // the answer may replace the right side
            double y[6];
            memcpy(y, b, sizeof y);
            TEST_TRUE(solve_small(packed, n, 1e-14, y, y));
            TEST_ARRAY_NEAR(y, x, n, 0.0);
        }
    }
}

/// Fewer columns than rows, zeros, not definite, NaN, infinity: false, and nothing is written.
static void test_small_failures(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(12, i);
        for (int n = 3; n <= 6; n += 3) {
            double j[6 * 6], a[36], packed[21], b[6] = { 1, 2, 3, 4, 5, 6 };
            double x[6] = { 7, 7, 7, 7, 7, 7 };
            int columns = test_int(&random, n);
            random_independent(&random, j, n, columns);
            plain_product(j, n, columns, n, NULL, a);
            double scale = pow(10.0, test_range(&random, -12.0, 12.0));
            for (int k = 0; k < n * n; ++k) { a[k] *= scale; }
            pack(a, n, packed);
            TEST_TRUE(!solve_small(packed, n, 1e-13, b, x));

            // regular, then spoilt in one place
            static const double poison[4] = { NAN, INFINITY, -INFINITY, -1e3 };
            random_matrix(&random, j, n, n, n);
            plain_product(j, n, n, n, NULL, a);
            for (int k = 0; k < n; ++k) { a[k * n + k] += 1.0; }
            pack(a, n, packed);
            int kind = test_int(&random, 4);
            int place = test_int(&random, n);
            int other = kind == 3 ? place : test_int(&random, place + 1);
            packed[SNW_PACKED(place, other)] = poison[kind];
            TEST_TRUE(!solve_small(packed, n, 1e-13, b, x));
            for (int k = 0; k < n; ++k) { TEST_NEAR(x[k], 7.0, 0.0); }
        }
    }
    // positive diagonal and determinant, and yet two negative eigenvalues
    const double saddle[6] = { 1, 2, 1, 2, 2, 1 }, b[3] = { 1, 1, 1 };
    double x[3];
    TEST_TRUE(!snw_solve3(saddle, 1e-14, b, x));
}

/// Each size up to 70, and some to 300: same answer as the definition.
static void test_cholesky(void **state)
{
    (void)state;
    double *j = array(MAX_N * MAX_N), *a = array(MAX_N * MAX_N), *f = array(MAX_N * (MAX_N + 3));
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(13, i);
        int n = i < 900 ? i % 70 : 71 + test_int(&random, i < 990 ? 60 : 230);
        int stride = n + test_int(&random, 4);
        double b[MAX_N], x[MAX_N];
        random_matrix(&random, j, n, n, n);
        plain_product(j, n, n, n, NULL, a);
        for (int r = 0; r < n; ++r) {
            a[r * n + r] += pow(10.0, test_range(&random, -6.0, 1.0));
            b[r] = x[r] = test_normal(&random);
            // what is right of the diagonal must not be read
            for (int c = 0; c < n; ++c) { f[r * stride + c] = c <= r ? a[r * n + c] : NAN; }
        }
        TEST_TRUE(snw_cholesky_factor(f, n, stride, 1e-14));
        snw_cholesky_solve(f, n, stride, x);
        TEST_NEAR(residual(a, n, x, b), 0.0, 1e-12);
    }
    free(j);
    free(a);
    free(f);
}

static void test_cholesky_failures(void **state)
{
    (void)state;
    double j[40 * 40], a[40 * 40];
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(14, i);
        int n = 1 + test_int(&random, 40);
        int rank = test_int(&random, n);
        random_independent(&random, j, n, rank);
        plain_product(j, n, rank, n, NULL, a);
        TEST_TRUE(!snw_cholesky_factor(a, n, n, 1e-13));

        random_matrix(&random, j, n, n, n);
        plain_product(j, n, n, n, NULL, a);
        for (int r = 0; r < n; ++r) { a[r * n + r] += 1.0; }
        int place = test_int(&random, n);
        a[place * n + test_int(&random, place + 1)] = i % 2 == 0 ? NAN : INFINITY;
        TEST_TRUE(!snw_cholesky_factor(a, n, n, 1e-13));
    }
    double zero[4] = { 0 };
    TEST_TRUE(!snw_cholesky_factor(zero, 2, 2, 1e-14));
    TEST_TRUE(snw_cholesky_factor(zero, 0, 0, 1e-14));
}

/// J W J^T and J^T W J against the definition, with and without weights; only the lower triangle
/// is written.
static void test_products(void **state)
{
    (void)state;
    double *j = array(90 * 90), *t = array(90 * 90), *a = array(90 * 90),
           *expected = array(90 * 90);
    for (int i = 0; i < 1500; ++i) {
        test_Random random = test_case(15, i);
        int m = 1 + test_int(&random, i % 3 ? 12 : 70), n = 1 + test_int(&random, i % 2 ? 9 : 70);
        int stride = m + test_int(&random, 4);
        double weight[90];
        bool weighted = test_int(&random, 2) == 1;
        random_matrix(&random, j, m, n, stride);
        for (int k = 0; k < 90; ++k) { weight[k] = test_uniform(&random); }
        for (int form = 0; form < 2; ++form) {
            int size = form == 0 ? m : n;
            for (int k = 0; k < 90 * 90; ++k) { a[k] = 77.0; }
            if (form == 0) {
                snw_product_rows(j, m, n, stride, weighted ? weight : NULL, a, size + 1);
                plain_product(j, m, n, stride, weighted ? weight : NULL, expected);
            } else {
                snw_product_dofs(j, m, n, stride, weighted ? weight : NULL, a, size + 1);
                for (int k = 0; k < n; ++k) {
                    for (int r = 0; r < m; ++r) { t[r * n + k] = j[k * stride + r]; }
                }
                plain_product(t, n, m, n, weighted ? weight : NULL, expected);
            }
            for (int r = 0; r < size; ++r) {
                TEST_ARRAY_NEAR(a + r * (size + 1), expected + r * size, r + 1, 1e-12);
                for (int c = r + 1; c < size + 1; ++c) {
                    TEST_NEAR(a[r * (size + 1) + c], 77.0, 0.0);
                }
            }
        }
    }
    free(j);
    free(t);
    free(a);
    free(expected);
}

/// DLS-1: both forms of the damped step agree to 1e-11, on 6x11 and 60x66.
static void test_forms_agree_dls1(void **state)
{
    (void)state;
    double *j = array(60 * 66), *a = array(66 * 66);
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(16, i);
        int m = i < 900 ? 6 : 60, n = i < 900 ? 11 : 66;
        double e[66], f[66] = { 0 }, by_rows[66], by_dofs[66];
        random_matrix(&random, j, m, n, m);
        for (int r = 0; r < m; ++r) { f[r] = e[r] = test_normal(&random); }
        double damping = test_range(&random, 0.05, 1.0);

        snw_product_rows(j, m, n, m, NULL, a, m);
        for (int r = 0; r < m; ++r) { a[r * m + r] += damping * damping; }
        TEST_TRUE(snw_cholesky_factor(a, m, m, 1e-14));
        snw_cholesky_solve(a, m, m, f);
        for (int k = 0; k < n; ++k) {
            by_rows[k] = by_dofs[k] = 0.0;
            for (int r = 0; r < m; ++r) {
                by_rows[k] += j[k * m + r] * f[r];
                by_dofs[k] += j[k * m + r] * e[r];
            }
        }
        snw_product_dofs(j, m, n, m, NULL, a, n);
        for (int k = 0; k < n; ++k) { a[k * n + k] += damping * damping; }
        TEST_TRUE(snw_cholesky_factor(a, n, n, 1e-14));
        snw_cholesky_solve(a, n, n, by_dofs);
        TEST_ARRAY_NEAR(by_rows, by_dofs, n, 1e-11);
    }
    free(j);
    free(a);
}

// ---------------------------------------------------------------------------------------------
// Singular values

typedef struct Svd {
    int m, n, k;
    double *a, *u, *sigma, *v, *scratch;
} Svd;

static Svd make_svd(int m, int n)
{
    int k = m < n ? m : n;
    Svd s = { m, n, k, array((size_t)(m * n)), array((size_t)(k * m)), array((size_t)k),
        array((size_t)(k * n)), array(snw_svd_scratch_count(m, n)) };
    return s;
}

static void free_svd(Svd *s)
{
    free(s->a);
    free(s->u);
    free(s->sigma);
    free(s->v);
    free(s->scratch);
}

/// Vectors orthonormal; those flagged by a zero sigma may be zero.
static void check_orthonormal(
    const double *vectors, const double *sigma, int k, int length, bool may_be_zero)
{
    for (int s = 0; s < k; ++s) {
        for (int t = 0; t <= s; ++t) {
            double sum = 0.0;
            for (int i = 0; i < length; ++i) {
                sum += vectors[s * length + i] * vectors[t * length + i];
            }
            double expected = s == t ? 1.0 : 0.0;
            if (s == t && may_be_zero && !(sigma[s] > 0.0)) { expected = 0.0; }
            TEST_NEAR(sum, expected, 1e-12);
        }
    }
}

static void check_svd(Svd *s)
{
    double largest = 0.0;
    TEST_TRUE(snw_svd(s->a, s->m, s->n, s->m, s->u, s->sigma, s->v, s->scratch));
    for (int i = 0; i < s->k; ++i) {
        TEST_TRUE(s->sigma[i] >= 0.0);
        TEST_TRUE(i == 0 || s->sigma[i] <= s->sigma[i - 1]);
    }
    largest = s->k > 0 ? s->sigma[0] : 0.0;
    check_orthonormal(s->u, s->sigma, s->k, s->m, s->m >= s->n);
    check_orthonormal(s->v, s->sigma, s->k, s->n, s->m < s->n);
    for (int c = 0; c < s->n; ++c) {
        for (int r = 0; r < s->m; ++r) {
            double sum = 0.0;
            for (int i = 0; i < s->k; ++i) {
                sum += s->u[i * s->m + r] * s->sigma[i] * s->v[i * s->n + c];
            }
            TEST_NEAR(sum, s->a[c * s->m + r], 1e-12 * largest);
        }
    }
}

/// Random shapes; full rank, low rank, graded, repeated and zero columns, any scale.
static void test_svd_random(void **state)
{
    (void)state;
    for (int i = 0; i < 1200; ++i) {
        test_Random random = test_case(17, i);
        Svd s = make_svd(1 + test_int(&random, 20), 1 + test_int(&random, 20));
        random_matrix(&random, s.a, s.m, s.n, s.m);
        int kind = i % 6;
        double grade = test_range(&random, 0.0, 8.0);
        double scale = kind == 5 ? ldexp(1.0, test_int(&random, 1900) - 950) : 1.0;
        for (int c = 0; c < s.n; ++c) {
            for (int r = 0; r < s.m; ++r) {
                double *entry = &s.a[c * s.m + r];
                if (kind == 1) { *entry = s.a[(c % 2) * s.m + r] * (c + 1); }
                if (kind == 2) { *entry *= pow(10.0, -grade * c); }
                if (kind == 3) { *entry *= pow(10.0, -grade * r); }
                if (kind == 4 && (c + r) % 3 != 0) { *entry = 0.0; }
                *entry *= scale;
            }
        }
        check_svd(&s);
        free_svd(&s);
    }
}

/// Given singular values come back to 1e-12 of the largest.
static void test_svd_known_values(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(18, i);
        int m = 2 + test_int(&random, 14), n = 2 + test_int(&random, 14);
        Svd s = make_svd(m, n);
        double known[16];
        for (int k = 0; k < s.k; ++k) {
            known[k] = k == 0 ? 3.0 : known[k - 1] * pow(10.0, -test_range(&random, 0.0, 2.0));
            s.a[k * m + k] = known[k];
        }
        // reflections from both sides keep them
        for (int round = 0; round < 6; ++round) {
            double w[16], square = 0.0;
            bool left = round % 2 == 0;
            int length = left ? m : n;
            for (int k = 0; k < length; ++k) {
                w[k] = test_normal(&random);
                square += w[k] * w[k];
            }
            for (int line = 0; line < (left ? n : m); ++line) {
                double *first = left ? s.a + line * m : s.a + line;
                int step = left ? 1 : m;
                double sum = 0.0;
                for (int k = 0; k < length; ++k) { sum += w[k] * first[k * step]; }
                for (int k = 0; k < length; ++k) { first[k * step] -= 2.0 * sum / square * w[k]; }
            }
        }
        check_svd(&s);
        TEST_ARRAY_NEAR(s.sigma, known, s.k, 3e-12);
        free_svd(&s);
    }
}

static void test_svd_special(void **state)
{
    (void)state;
    test_Random random = test_random(19);
    static const int sizes[][2] = { { 1, 1 }, { 1, 300 }, { 600, 1 }, { 5, 5 }, { 60, 66 },
        { 600, 40 }, { 40, 300 } };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        Svd s = make_svd(sizes[i][0], sizes[i][1]);
        check_svd(&s); // all zero
        for (int k = 0; k < s.k; ++k) { TEST_NEAR(s.sigma[k], 0.0, 0.0); }
        random_matrix(&random, s.a, s.m, s.n, s.m);
        check_svd(&s);
        for (int k = 0; k < s.m * s.n; ++k) { s.a[k] = 1.0; }
        check_svd(&s);
        TEST_NEAR(s.sigma[0], sqrt((double)(s.m * s.n)), 1e-11);

        // the same bits twice
        double *again = array((size_t)(s.k * s.m));
        TEST_TRUE(snw_svd(s.a, s.m, s.n, s.m, again, s.sigma, s.v, s.scratch));
        TEST_TRUE(memcmp(again, s.u, sizeof(double) * (size_t)(s.k * s.m)) == 0);
        free(again);

        s.a[s.m * s.n - 1] = i % 2 == 0 ? NAN : INFINITY;
        TEST_TRUE(!snw_svd(s.a, s.m, s.n, s.m, s.u, s.sigma, s.v, s.scratch));
        for (int k = 0; k < s.k; ++k) { TEST_NEAR(s.sigma[k], 0.0, 0.0); }
        for (int k = 0; k < s.k * s.m; ++k) { TEST_NEAR(s.u[k], 0.0, 0.0); }
        free_svd(&s);
    }
    // smallest and largest doubles
    Svd s = make_svd(2, 3);
    for (int k = 0; k < 6; ++k) { s.a[k] = k % 2 == 0 ? DBL_MIN : DBL_MIN / 4.0; }
    check_svd(&s);
    for (int k = 0; k < 6; ++k) { s.a[k] = DBL_MAX / (4.0 + k); }
    check_svd(&s);
    free_svd(&s);
}

/// The largest shape there is.
static void test_svd_large(void **state)
{
    (void)state;
    test_Random random = test_random(20);
    Svd s = make_svd(600, 300);
    random_matrix(&random, s.a, s.m, s.n, s.m);
    check_svd(&s);
    free_svd(&s);
}

TEST_MAIN(cmocka_unit_test(test_small_solves), cmocka_unit_test(test_small_failures),
    cmocka_unit_test(test_cholesky), cmocka_unit_test(test_cholesky_failures),
    cmocka_unit_test(test_products), cmocka_unit_test(test_forms_agree_dls1),
    cmocka_unit_test(test_svd_random), cmocka_unit_test(test_svd_known_values),
    cmocka_unit_test(test_svd_special), cmocka_unit_test(test_svd_large))
