// The lift curve of Meredith and Maddock (2004), and how it is laid over uneven ground.

#include "testing.h"

#include "walk/stride_curve.h"

static double slope_at(double u)
{
    return (snw_lift_curve(u + 1e-6) - snw_lift_curve(u - 1e-6)) / 2e-6;
}

/// WALK-1: the five published values, and a slope without jumps; the second derivative has one.
static void test_lift_curve_walk1(void **state)
{
    (void)state;
    TEST_NEAR(snw_lift_curve(0.0), 0.0, 1e-15);
    TEST_NEAR(snw_lift_curve(0.5 * SINEW_PI), 1.0, 1e-15);
    TEST_NEAR(snw_lift_curve(SINEW_PI), 2.0, 1e-15);
    TEST_NEAR(snw_lift_curve(2.0 * SINEW_PI), 1.0, 1e-15);
    TEST_NEAR(snw_lift_curve(3.0 * SINEW_PI), 0.0, 1e-15);
    double sum = 0.0, steepest = 0.0, falling = 0.0, before = slope_at(1e-3);
    enum { COUNT = 30000 };
    for (int i = 1; i < COUNT; ++i) {
        double u = 3.0 * SINEW_PI * i / COUNT;
        double y = snw_lift_curve(u), slope = slope_at(u);
        TEST_TRUE(y >= 0.0 && y <= 2.0);
        // C1: from sample to sample the slope changes by no more than the curvature allows
        TEST_TRUE(fabs(slope - before) <= 1.01 * 3.0 * SINEW_PI / COUNT + 1e-3);
        before = slope;
        sum += y / COUNT;
        steepest = fmax(steepest, slope);
        falling = fmin(falling, slope);
    }
    TEST_NEAR(sum, 1.0, 1e-3);
    TEST_NEAR(steepest, 1.0, 1e-6);
    TEST_NEAR(falling, -0.5, 1e-6);
    TEST_NEAR(slope_at(SINEW_PI), 0.0, 1e-6);
    double left = (slope_at(SINEW_PI - 0.001) - slope_at(SINEW_PI - 0.002)) / 0.001;
    double right = (slope_at(SINEW_PI + 0.002) - slope_at(SINEW_PI + 0.001)) / 0.001;
    TEST_NEAR(left, -1.0, 0.02);
    TEST_NEAR(right, -0.25, 0.02);
    // nothing outside, and no number gives no number away
    TEST_NEAR(snw_lift_curve(-1.0), 0.0, 0.0);
    TEST_NEAR(snw_lift_curve(100.0), 0.0, 0.0);
    TEST_NEAR(snw_lift_curve((double)NAN), 0.0, 0.0);
}

static snw_Stride plain_stride(double way, double rise, double clearance, snw_StrideShape shape)
{
    snw_Stride stride = {
        .start = { 0.3, 0.1, -0.2 }, .clearance = clearance, .shape = shape, .low = 0.2, .high = 0.7
    };
    stride.end = sinew_vec3(0.3 + 0.6 * way, 0.1 + rise, -0.2 + 0.8 * way);
    return stride;
}

/// WALK-2: the peak after a third of the time, progress even.
static void test_progress_walk2(void **state)
{
    (void)state;
    snw_Stride stride = plain_stride(0.6, 0.0, 0.08, SNW_STRIDE_SKEW);
    TEST_NEAR(snw_stride_point(&stride, 1.0 / 3.0).y, 0.1 + 0.08, 1e-15);
    for (int i = 0; i <= 1000; ++i) {
        double t = i / 1000.0;
        sinew_Vec3 p = snw_stride_point(&stride, t);
        TEST_NEAR(p.x, 0.3 + 0.36 * t, 1e-12);
        TEST_NEAR(p.z, -0.2 + 0.48 * t, 1e-12);
        TEST_TRUE(p.y <= 0.1 + 0.08 + 1e-15);
        TEST_TRUE(t < 1.0 / 3.0 || p.y <= snw_stride_point(&stride, t - 1e-3).y);
    }
}

/// WALK-3: every shape meets both ends and never goes back.
static void test_ends_and_progress_walk3(void **state)
{
    (void)state;
    int steep = 0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(2103, i);
        double way = test_range(&random, 0.05, 0.9), rise = test_range(&random, -0.8, 0.8);
        double clearance = test_range(&random, 0.0, 0.4);
        snw_StrideShape shape = (snw_StrideShape)test_int(&random, 3);
        snw_Stride stride = plain_stride(way, rise, clearance, shape);
        stride.hold = test_range(&random, -0.8, 0.8);
        TEST_VEC3_NEAR(snw_stride_point(&stride, 0.0), stride.start, 1e-9);
        TEST_VEC3_NEAR(snw_stride_point(&stride, 1.0), stride.end, 1e-9);
        TEST_VEC3_NEAR(snw_stride_point(&stride, 1.0 - 1e-12), stride.end, 1e-9);
        double sine = fabs(rise) / sqrt(way * way + rise * rise);
        steep += shape == SNW_STRIDE_ROTATE
            && sine > snw_stride_steepest(way, clearance, rise > 0.0);
        double before = 0.0;
        for (int k = 1; k <= 300; ++k) {
            sinew_Vec3 p = snw_stride_point(&stride, k / 300.0);
            double along = 0.6 * (p.x - stride.start.x) + 0.8 * (p.z - stride.start.z);
            TEST_TRUE(along >= before - 1e-12);
            // and stays on its line
            TEST_NEAR(0.8 * (p.x - stride.start.x), 0.6 * (p.z - stride.start.z), 1e-12);
            before = along;
        }
    }
    TEST_TRUE(steep > 50);
}

/// WALK-3: a turned curve stands 1 / cos(slope) higher above its chord, and without the guard it
/// would go back where the guard says so.
static void test_turned_curve_walk3(void **state)
{
    (void)state;
    // 30 degrees: 15 % more clearance, measured upward from the chord
    double rise = 0.9 * 0.5 / sqrt(0.75);
    snw_Stride stride = plain_stride(0.9, rise, 0.05, SNW_STRIDE_ROTATE);
    double highest = 0.0;
    for (int k = 0; k <= 30000; ++k) {
        sinew_Vec3 p = snw_stride_point(&stride, k / 30000.0);
        double along = 0.6 * (p.x - stride.start.x) + 0.8 * (p.z - stride.start.z);
        highest = fmax(highest, p.y - (0.1 + rise * along / 0.9));
    }
    TEST_NEAR(highest / 0.05, 1.0 / sqrt(0.75), 1e-6);

    // a stride of 0.6 m, 0.3 m high: turned by its whole slope it goes back from a sine of 0.4244 on
    double limit = snw_stride_steepest(0.6, 0.3, true);
    TEST_NEAR(limit, 2.0 * 0.6 / (3.0 * SINEW_PI * 0.3), 1e-15);
    TEST_NEAR(snw_stride_steepest(0.6, 0.3, false), 2.0 * limit, 1e-15);
    TEST_NEAR(snw_stride_steepest(0.6, 0.0, true), 1.0, 0.0);
    for (int falling = 0; falling < 2; ++falling) {
        for (int k = 0; k < 2; ++k) {
            double sine = snw_stride_steepest(0.6, 0.3, !falling) * (k == 0 ? 0.99 : 1.01);
            double least = INFINITY;
            for (int i = 0; i < 30000; ++i) {
                double t = i / 30000.0, dt = 1e-6, h = 3.0 * SINEW_PI;
                double lift = 0.15 * (snw_lift_curve(h * (t + dt)) - snw_lift_curve(h * t)) / dt;
                least = fmin(least, 0.6 - (falling ? -sine : sine) * lift);
            }
            // the limits are those of the curve itself
            TEST_TRUE((k == 0) == (least > 0.0));
        }
    }
}

/// Ramps make up the height between their two moments alone.
static void test_ramp(void **state)
{
    (void)state;
    snw_Stride stride = plain_stride(0.6, 0.2, 0.0, SNW_STRIDE_RAMP);
    for (int k = 0; k <= 100; ++k) {
        double y = snw_stride_point(&stride, k / 100.0).y;
        if (k <= 20) { TEST_NEAR(y, 0.1, 1e-15); }
        if (k >= 70) { TEST_NEAR(y, 0.3, 1e-12); }
    }
    TEST_NEAR(snw_stride_point(&stride, 0.45).y, 0.2, 1e-12);
    // the way waits, or is early
    for (int k = 0; k <= 100; ++k) {
        double t = k / 100.0;
        stride.hold = 0.25;
        double late = (snw_stride_point(&stride, t).x - 0.3) / 0.36;
        TEST_NEAR(late, fmax(0.0, (t - 0.25) / 0.75), 1e-12);
        stride.hold = -0.25;
        double early = (snw_stride_point(&stride, t).x - 0.3) / 0.36;
        TEST_NEAR(early, fmin(1.0, t / 0.75), 1e-12);
    }
}

TEST_MAIN(cmocka_unit_test(test_lift_curve_walk1), cmocka_unit_test(test_progress_walk2),
    cmocka_unit_test(test_ends_and_progress_walk3), cmocka_unit_test(test_turned_curve_walk3),
    cmocka_unit_test(test_ramp))
