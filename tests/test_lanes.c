// Two numbers at once give the bits of one at a time, with vectors and without them.

#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "math/trig.h"
#include "solve/arcs.h"

// the same header twice: first without vectors, under other names
#define SNW_PLAIN_LANES
#define snw_Lanes plain_Lanes
#define snw_LooseLanes plain_LooseLanes
#define snw_lanes plain_lanes
#define snw_lanes_pair plain_lanes_pair
#define snw_lanes_add plain_lanes_add
#define snw_lanes_sub plain_lanes_sub
#define snw_lanes_mul plain_lanes_mul
#define snw_lanes_madd plain_lanes_madd
#define snw_lanes_get plain_lanes_get
#define snw_lanes_sum plain_lanes_sum
#define snw_lanes_sincos plain_lanes_sincos
#define snw_lanes_atan2 plain_lanes_atan2
#define snw_lanes_place plain_lanes_place
#define snw_lane_groups plain_lane_groups
#include "math/lanes.h"
#undef SNW_PLAIN_LANES
#undef snw_Lanes
#undef snw_LooseLanes
#undef snw_lanes
#undef snw_lanes_pair
#undef snw_lanes_add
#undef snw_lanes_sub
#undef snw_lanes_mul
#undef snw_lanes_madd
#undef snw_lanes_get
#undef snw_lanes_sum
#undef snw_lanes_sincos
#undef snw_lanes_atan2
#undef snw_lanes_place
#undef snw_lane_groups
#undef SNW_LANES_H
#undef SNW_LANES_INLINE
#undef SNW_LANE_COUNT
#include "math/lanes.h"

enum { COUNT = SNW_LANE_COUNT };

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void same(double a, double b, const char *what, double x)
{
    if (bits_of(a) == bits_of(b)) { return; }
    print_error("%s of %.17g is %.17g, expected %.17g\n", what, x, a, b);
    fail();
}

static snw_Lanes load(const double *numbers)
{
    snw_Lanes r;
    memcpy(&r, numbers, sizeof r);
    return r;
}

static plain_Lanes plain_load(const double *numbers)
{
    plain_Lanes r;
    memcpy(&r, numbers, sizeof r);
    return r;
}

static void check_sincos(const double *angle)
{
    snw_Lanes sine, cosine;
    snw_lanes_sincos(load(angle), &sine, &cosine);
    plain_Lanes plain_sine, plain_cosine;
    plain_lanes_sincos(plain_load(angle), &plain_sine, &plain_cosine);
    double s[COUNT], c[COUNT];
    memcpy(s, &sine, sizeof s);
    memcpy(c, &cosine, sizeof c);
    for (int k = 0; k < COUNT; ++k) {
        double es, ec, ls, lc;
        snw_sincos(angle[k], &es, &ec);
        sinew_sincos(angle[k], &ls, &lc);
        same(s[k], es, "sine", angle[k]);
        same(c[k], ec, "cosine", angle[k]);
        same(plain_sine.lane[k], es, "plain sine", angle[k]);
        same(plain_cosine.lane[k], ec, "plain cosine", angle[k]);
        // the public function's bits, as joints and forward kinematics must agree
        same(s[k], ls, "public sine", angle[k]);
        same(c[k], lc, "public cosine", angle[k]);
    }
}

static void test_sincos_bits(void **state)
{
    (void)state;
    test_Random random = test_random(21);
    static const double sizes[] = { 1e-300, 1e-9, 1e-3, 1.0, 4.0, 100.0, 1e4, SNW_SINCOS_EXACT };
    enum { SIZES = sizeof sizes / sizeof sizes[0] };
    for (int i = 0; i < 400000; ++i) {
        double angle[COUNT];
        // lanes of different sizes and quadrants must not disturb each other
        for (int k = 0; k < COUNT; ++k) {
            double size = sizes[test_int(&random, SIZES)];
            angle[k] = test_range(&random, -size, size);
        }
        check_sincos(angle);
    }
}

// both zeros, multiples of an eighth turn and their neighbours, the largest angles
static void test_sincos_edges(void **state)
{
    (void)state;
    double edges[2000];
    int count = 0;
    edges[count++] = 0.0;
    edges[count++] = -0.0;
    edges[count++] = 5e-324;
    edges[count++] = -5e-324;
    edges[count++] = SNW_SINCOS_EXACT;
    edges[count++] = -SNW_SINCOS_EXACT;
    for (int n = -200; n <= 200; ++n) {
        double angle = n * 0.25 * SINEW_PI;
        edges[count++] = angle;
        edges[count++] = nextafter(angle, INFINITY);
        edges[count++] = nextafter(angle, -INFINITY);
    }
    for (int i = 0; i < count; ++i) {
        double angle[COUNT] = { edges[i], edges[(i * 7 + 3) % count] };
        check_sincos(angle);
    }
}

static void check_atan2(const double *y, const double *x)
{
    double angle[COUNT];
    snw_Lanes r = snw_lanes_atan2(load(y), load(x));
    plain_Lanes plain = plain_lanes_atan2(plain_load(y), plain_load(x));
    memcpy(angle, &r, sizeof angle);
    for (int k = 0; k < COUNT; ++k) {
        same(angle[k], sinew_atan2(y[k], x[k]), "angle of a point", y[k]);
        same(plain.lane[k], angle[k], "plain angle of a point", y[k]);
    }
    double place[COUNT];
    r = snw_lanes_place(load(y), load(x));
    plain = plain_lanes_place(plain_load(y), plain_load(x));
    memcpy(place, &r, sizeof place);
    for (int k = 0; k < COUNT; ++k) {
        // there is none of no direction
        double expected = snw_arcs_place(y[k], x[k]);
        if (isnan(expected)) { continue; }
        same(place[k], expected, "place of a direction", y[k]);
        same(plain.lane[k], place[k], "plain place of a direction", y[k]);
    }
}

// points of all eighths and sizes, on the lines between them and between quarters of an eighth, and those
// whose lane is left to the scalar
static void test_atan2_bits(void **state)
{
    (void)state;
    static const double numbers[] = { 0.0, -0.0, 1.0, -1.0, 0.125, 0.375, -0.625, 0.875, 0.25, -3.0,
        1e-9, -1e-9, 1e-279, 1e-281, 5e-324, -1e279, 1e281, 1.7e308, INFINITY, -INFINITY, NAN };
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    for (int i = 0; i < NUMBERS * NUMBERS; ++i) {
        for (int j = 0; j < NUMBERS * NUMBERS; ++j) {
            double y[COUNT] = { numbers[i % NUMBERS], numbers[j % NUMBERS] };
            double x[COUNT] = { numbers[i / NUMBERS], numbers[j / NUMBERS] };
            check_atan2(y, x);
        }
    }
    test_Random random = test_random(23);
    for (int i = 0; i < 400000; ++i) {
        double y[COUNT], x[COUNT];
        for (int k = 0; k < COUNT; ++k) {
            y[k] = test_normal(&random) * pow(10.0, test_range(&random, -3.0, 3.0));
            x[k] = test_normal(&random);
            double size = pow(10.0, test_range(&random, -270.0, 270.0));
            bool far = test_int(&random, 10) == 0;
            y[k] *= far ? size : 1.0;
            x[k] *= far ? size : 1.0;
        }
        check_atan2(y, x);
    }
}

static double any_number(test_Random *random)
{
    double power = test_range(random, -30.0, 30.0);
    return test_normal(random) * pow(10.0, power);
}

static void test_arithmetic_bits(void **state)
{
    (void)state;
    test_Random random = test_random(22);
    for (int i = 0; i < 100000; ++i) {
        double a[COUNT], b[COUNT], c[COUNT], sum[COUNT], difference[COUNT], product[COUNT];
        double madd[COUNT], plain[COUNT];
        for (int k = 0; k < COUNT; ++k) {
            a[k] = any_number(&random);
            b[k] = any_number(&random);
            c[k] = any_number(&random);
        }
        snw_Lanes la = load(a), lb = load(b), lc = load(c);
        plain_Lanes pa = plain_load(a), pb = plain_load(b), pc = plain_load(c);
        snw_Lanes r = snw_lanes_add(la, lb);
        memcpy(sum, &r, sizeof sum);
        r = snw_lanes_sub(la, lb);
        memcpy(difference, &r, sizeof difference);
        r = snw_lanes_mul(la, lb);
        memcpy(product, &r, sizeof product);
        r = snw_lanes_madd(lc, la, lb);
        memcpy(madd, &r, sizeof madd);
        plain_Lanes p = plain_lanes_madd(pc, pa, pb);
        memcpy(plain, &p, sizeof plain);
        for (int k = 0; k < COUNT; ++k) {
            same(sum[k], a[k] + b[k], "sum", a[k]);
            same(difference[k], a[k] - b[k], "difference", a[k]);
            same(product[k], a[k] * b[k], "product", a[k]);
            // a product of its own, rounded, and then the sum: not contracted
            volatile double rounded = a[k] * b[k];
            same(madd[k], c[k] + rounded, "product and sum", a[k]);
            same(plain[k], madd[k], "plain product and sum", a[k]);
            same(plain_lanes_add(pa, pb).lane[k], sum[k], "plain sum", a[k]);
            same(plain_lanes_sub(pa, pb).lane[k], difference[k], "plain difference", a[k]);
            same(plain_lanes_mul(pa, pb).lane[k], product[k], "plain product", a[k]);
        }
        same(snw_lanes_sum(la), a[0] + a[1], "sum of lanes", a[0]);
        same(plain_lanes_sum(pa), a[0] + a[1], "plain sum of lanes", a[0]);
        double both[COUNT];
        snw_Lanes spread = snw_lanes(a[0]);
        memcpy(both, &spread, sizeof both);
        for (int k = 0; k < COUNT; ++k) {
            same(both[k], a[0], "spread", a[0]);
            same(plain_lanes(a[0]).lane[k], a[0], "plain spread", a[0]);
        }
    }
}

static void test_groups(void **state)
{
    (void)state;
    for (int count = 0; count < 100; ++count) {
        int groups = snw_lane_groups(count);
        TEST_TRUE(groups * COUNT >= count && (groups - 1) * COUNT < count);
        TEST_INT(plain_lane_groups(count), groups);
    }
}

TEST_MAIN(cmocka_unit_test(test_sincos_bits), cmocka_unit_test(test_sincos_edges),
    cmocka_unit_test(test_atan2_bits), cmocka_unit_test(test_arithmetic_bits),
    cmocka_unit_test(test_groups))
