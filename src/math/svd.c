#include "math/svd.h"

#include "math/holds.h"

#include <math.h>

// What is rotated: `count` columns of `length` numbers, length >= count, and with them the columns
// of an orthogonal matrix of count rows. In the end the columns are sigma u, the matrix holds v.
typedef struct Columns {
    int count, length;
    double *column;   // count x length
    double *rotation; // count x count
    double *square;   // squared lengths of the columns, count
    double tolerance; // cosine of two columns that counts as 0
} Columns;

enum { MAX_SWEEPS = 60 };

// Two columns are orthogonal when their cosine is below this times the root of their length, which
// is what round-off leaves of it.
#define ORTHOGONAL_COSINE 4e-16

// Squared lengths below this cannot be told from 0; the largest entry is scaled to [0.5, 1).
#define ZERO_SQUARE 1e-300

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

size_t snw_svd_scratch_count(int m, int n)
{
    size_t count = (size_t)min_int(m, n);
    return count * (size_t)max_int(m, n) + count * count + count;
}

/// Four sums side by side, in a fixed order.
static double dot(const double *a, const double *b, int count)
{
    SNW_ASSERT(count >= 0);
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < count; ++i) { s0 += a[i] * b[i]; }
    return (s0 + s1) + (s2 + s3);
}

static void rotate(double *restrict a, double *restrict b, int count, double cosine, double sine)
{
    for (int i = 0; i < count; ++i) {
        double x = a[i], y = b[i];
        a[i] = cosine * x - sine * y;
        b[i] = sine * x + cosine * y;
    }
}

static double *column_of(const Columns *c, int i)
{
    return c->column + (size_t)i * (size_t)c->length;
}

/// Copy with the longer side as columns, scaled by 2^-exponent so that squares neither overflow
/// nor vanish. false when some number is not finite.
static bool take_columns(Columns *c, const double *a, int m, int n, int stride, int *out_exponent)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    double largest = 0.0;
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
            double size = fabs(a[(size_t)j * (size_t)stride + (size_t)i]);
            if (!isfinite(size)) { return false; }
            largest = size > largest ? size : largest;
        }
    }
    frexp(largest, out_exponent);

    bool by_column = m >= n;
    for (int s = 0; s < c->count; ++s) {
        double *column = column_of(c, s);
        for (int i = 0; i < c->length; ++i) {
            size_t place = by_column ? (size_t)s * (size_t)stride + (size_t)i
                                     : (size_t)i * (size_t)stride + (size_t)s;
            column[i] = ldexp(a[place], -*out_exponent);
        }
        double *row = c->rotation + (size_t)s * (size_t)c->count;
        for (int i = 0; i < c->count; ++i) { row[i] = i == s ? 1.0 : 0.0; }
    }
    return true;
}

/// Make columns p and q orthogonal; false when they are already.
static bool rotate_pair(Columns *c, int p, int q)
{
    double *a = column_of(c, p), *b = column_of(c, q);
    double alpha = c->square[p], beta = c->square[q];
    if (alpha < ZERO_SQUARE || beta < ZERO_SQUARE) { return false; }
    double gamma = dot(a, b, c->length);
    if (fabs(gamma) <= c->tolerance * sqrt(alpha) * sqrt(beta)) { return false; }

    // tangent of the smaller of the two angles that do it
    double zeta = (beta - alpha) / (2.0 * gamma);
    double tangent = fabs(zeta) > 1e8
        ? 0.5 / zeta
        : copysign(1.0, zeta) / (fabs(zeta) + sqrt(1.0 + zeta * zeta));
    double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
    rotate(a, b, c->length, cosine, cosine * tangent);
    rotate(c->rotation + (size_t)p * (size_t)c->count, c->rotation + (size_t)q * (size_t)c->count,
        c->count, cosine, cosine * tangent);

    // squared lengths follow by formula, unless most of one cancels
    double new_alpha = alpha - tangent * gamma, new_beta = beta + tangent * gamma;
    c->square[p] = new_alpha > 0.1 * alpha ? new_alpha : dot(a, a, c->length);
    c->square[q] = new_beta > 0.1 * beta ? new_beta : dot(b, b, c->length);
    return true;
}

static bool rotate_until_orthogonal(Columns *c)
{
    for (int sweep = 0; sweep < MAX_SWEEPS; ++sweep) {
        for (int s = 0; s < c->count; ++s) {
            c->square[s] = dot(column_of(c, s), column_of(c, s), c->length);
        }
        bool rotated = false;
        for (int p = 0; p < c->count - 1; ++p) {
            for (int q = p + 1; q < c->count; ++q) {
                if (rotate_pair(c, p, q)) { rotated = true; }
            }
        }
        if (!rotated) { return true; }
    }
    return false;
}

/// The place of the largest length that is left, which is then marked as taken.
static int take_largest(double *square, int count)
{
    SNW_ASSERT(count >= 0);
    int best = 0;
    for (int s = 1; s < count; ++s) {
        if (square[s] > square[best]) { best = s; }
    }
    square[best] = -1.0;
    return best;
}

static void fill_zero(double *values, size_t count)
{
    for (size_t i = 0; i < count; ++i) { values[i] = 0.0; }
}

bool snw_svd(const double *a, int m, int n, int stride, double *out_u, double *out_sigma,
    double *out_v, double *scratch)
{
    SNW_ASSERT(m >= 0);
    SNW_ASSERT(n >= 0);
    Columns c = { .count = min_int(m, n), .length = max_int(m, n) };
    size_t count = (size_t)c.count, length = (size_t)c.length;
    c.column = scratch;
    c.rotation = c.column + count * length;
    c.square = c.rotation + count * count;

    c.tolerance = ORTHOGONAL_COSINE * sqrt((double)c.length);

    int exponent = 0;
    if (!take_columns(&c, a, m, n, stride, &exponent)) {
        fill_zero(out_u, count * (size_t)m);
        fill_zero(out_sigma, count);
        fill_zero(out_v, count * (size_t)n);
        return false;
    }
    bool done = rotate_until_orthogonal(&c);

    for (int s = 0; s < c.count; ++s) {
        c.square[s] = dot(column_of(&c, s), column_of(&c, s), c.length);
    }
    double *out_long = m >= n ? out_u : out_v;
    double *out_short = m >= n ? out_v : out_u;
    for (size_t s = 0; s < count; ++s) {
        int from = take_largest(c.square, c.count);
        const double *column = column_of(&c, from);
        double square = dot(column, column, c.length);
        double size = square < ZERO_SQUARE ? 0.0 : sqrt(square);
        double scale = size > 0.0 ? 1.0 / size : 0.0;
        out_sigma[s] = ldexp(size, exponent);
        for (size_t i = 0; i < length; ++i) { out_long[s * length + i] = column[i] * scale; }
        const double *row = c.rotation + (size_t)from * count;
        for (size_t i = 0; i < count; ++i) { out_short[s * count + i] = row[i]; }
    }
    return done;
}
