// Exponential, logarithm and power against libm.

#include "testing.h"

#include "math/exp.h"

#include <math.h>

// distance in units in the last place of the expected value
static double units_off(double value, double expected)
{
    int exponent;
    (void)frexp(expected, &exponent);
    return fabs(value - expected) / ldexp(1.0, exponent - 53);
}

static void test_exp_is_near_libm(void **state)
{
    (void)state;
    test_Random random = test_random(9101);
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i) {
        double x = i % 2 == 0 ? test_range(&random, -700.0, 700.0) : test_range(&random, -2.0, 2.0);
        worst = fmax(worst, units_off(snw_exp(x), exp(x)));
    }
    TEST_TRUE(worst <= 1.5);
}

static void test_log_is_near_libm(void **state)
{
    (void)state;
    test_Random random = test_random(9102);
    double worst = 0.0;
    for (int i = 0; i < 200000; ++i) {
        double x = i % 2 == 0 ? exp(test_range(&random, -300.0, 300.0))
                              : test_range(&random, 0.5, 2.0);
        worst = fmax(worst, units_off(snw_log(x), log(x)));
    }
    TEST_TRUE(worst <= 1.5);
}

static void test_pow_is_near_libm(void **state)
{
    (void)state;
    test_Random random = test_random(9103);
    double worst = 0.0;
    for (int i = 0; i < 100000; ++i) {
        double x = test_range(&random, 1e-3, 4.0), y = test_range(&random, 0.0, 4.0);
        double allowed = 3.0 + 4.0 * fabs(y * log(x));
        worst = fmax(worst, units_off(snw_pow(x, y), pow(x, y)) / allowed);
    }
    TEST_TRUE(worst <= 1.0);
}

static void test_ends(void **state)
{
    (void)state;
    TEST_NEAR(snw_exp(0.0), 1.0, 0.0);
    TEST_NEAR(snw_log(1.0), 0.0, 0.0);
    TEST_NEAR(snw_pow(1.0, 17.0), 1.0, 0.0);
    TEST_NEAR(snw_exp(-800.0), 0.0, 0.0);
    TEST_TRUE(isinf(snw_exp(710.0)) && snw_exp(710.0) > 0.0);
    TEST_TRUE(isinf(snw_log(0.0)) && snw_log(0.0) < 0.0);
    TEST_NEAR(snw_pow(0.0, 2.0), 0.0, 0.0);
    TEST_TRUE(isnan(snw_exp((double)NAN)) && isnan(snw_log((double)NAN)));
    TEST_TRUE(isnan(snw_log(-1.0)));
    // the smallest numbers keep what digits they have
    TEST_NEAR(snw_exp(-744.0), exp(-744.0), 5e-324);
    TEST_NEAR(snw_log(5e-324), log(5e-324), 1e-12);
}

TEST_MAIN(cmocka_unit_test(test_exp_is_near_libm), cmocka_unit_test(test_log_is_near_libm),
    cmocka_unit_test(test_pow_is_near_libm), cmocka_unit_test(test_ends))
