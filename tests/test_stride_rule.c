// Lengths, times and heights of the two-stage cycle.

#include "paper_body.h"

/// CTRL-4: from standing with no gap, strides are L (1/2, 3/4, 5/8, ...) and go to 2/3 L; the foot then
/// trails by a sixth of the leg.
static void test_strides_ctrl4(void **state)
{
    (void)state;
    double leg = 0.9, trailing[2] = { 0.0, 0.0 };
    static const double first[4] = { 0.5, 0.75, 0.625, 0.6875 };
    for (int cycle = 0; cycle < 60; ++cycle) {
        int foot = cycle % 2;
        double stride = snw_stride_longest(leg, trailing[foot]);
        if (cycle < 4) { TEST_NEAR(stride / leg, first[cycle], 1e-12); }
        snw_StrideTimes times = snw_stride_times(stride, 0.0, 1.3);
        double way = times.swing_way + times.roll_way;
        TEST_NEAR(way, 0.5 * stride, 1e-15);
        trailing[foot] = way - 0.5 * leg;
        trailing[1 - foot] += way;
        if (cycle == 59) {
            TEST_NEAR(stride, 2.0 * leg / 3.0, 1e-12);
            TEST_NEAR(trailing[1 - foot], leg / 6.0, 1e-12);
        }
    }
}

/// CTRL-5: the gap is a part of the half stride. With the published sum the trailing distance grows by
/// 4/3 of the gap every cycle.
static void test_no_drift_ctrl5(void **state)
{
    (void)state;
    double leg = 0.9, gap = 0.02 * leg, printed[2] = { 0.0, 0.0 }, ours[2] = { 0.0, 0.0 };
    for (int cycle = 0; cycle < 1000; ++cycle) {
        int foot = cycle % 2;
        snw_StrideTimes times = snw_stride_times(snw_stride_longest(leg, ours[foot]), gap, 1.0);
        double way = times.swing_way + times.roll_way;
        ours[foot] = way - 0.5 * leg;
        ours[1 - foot] += way;
        if (cycle > 20) { TEST_NEAR(ours[1 - foot], leg / 6.0, 0.01 * leg / 6.0); }

        double stride = snw_stride_longest(leg, printed[foot]);
        double before = printed[1 - foot];
        printed[foot] = 0.5 * stride + gap - 0.5 * leg;
        printed[1 - foot] += 0.5 * stride + gap;
        if (cycle == 999) {
            // two cycles apart: the same foot
            TEST_NEAR(printed[1 - foot] - (before + 0.0), 0.5 * stride + gap, 1e-9);
            TEST_NEAR(printed[1 - foot] / 1000.0, 4.0 * gap / 3.0, 0.01 * gap);
        }
    }
}

/// WALK-9: hips are as fast in the roll as in the swing; without a gap there is no roll and nothing is
/// divided by zero.
static void test_times_walk9(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2301, i);
        double stride = test_range(&random, 0.01, 1.2), speed = test_range(&random, 0.05, 3.0);
        double gap = test_int(&random, 4) ? test_range(&random, 0.0, 0.2) : 0.0;
        snw_StrideTimes times = snw_stride_times(stride, gap, speed);
        TEST_NEAR(times.swing_way / times.swing_time, speed, 1e-9);
        if (gap > 0.0) {
            TEST_NEAR(times.roll_way / times.roll_time, speed, 1e-9);
        } else {
            TEST_NEAR(times.roll_time, 0.0, 0.0);
        }
        TEST_TRUE(times.swing_way >= 0.25 * stride);
        TEST_TRUE(times.roll_way <= gap);
    }
}

/// WALK-11: a line between both heights, and a wave on it whose greatest distance is the amplitude.
static void test_hip_height_walk11(void **state)
{
    (void)state;
    double amplitude = 0.03, farthest = 0.0;
    for (int i = 0; i <= 1000; ++i) {
        double t = i / 1000.0, line = 0.9 + 0.12 * t;
        TEST_NEAR(snw_hip_height(0.9, 1.02, 0.0, t), line, 1e-15);
        farthest = fmax(farthest, fabs(snw_hip_height(0.9, 1.02, amplitude, t) - line));
    }
    TEST_NEAR(farthest, amplitude, 1e-12);
    TEST_NEAR(snw_hip_height(0.9, 1.02, amplitude, 1.0), 1.02, 1e-15);
}

/// WALK-12: amplitude 0 leaves the heading bit by bit, A turns by A to each side; the striding side
/// comes forward, and one cycle ends where the next begins.
static void test_hip_swing_walk12(void **state)
{
    (void)state;
    double peak = 0.0;
    for (int i = 0; i <= 1000; ++i) {
        double t = i / 1000.0, heading = 0.3 + 0.01 * i;
        TEST_TRUE(heading + snw_hip_swing(0.0, 0.0, 1, t) == heading);
        peak = fmax(peak, fabs(snw_hip_swing(0.1, 0.1, -1, t)));
    }
    TEST_NEAR(peak, 0.1, 1e-15);
    // left foot: its side is back at first, so the hips look to the left
    TEST_NEAR(snw_hip_swing(0.1, 0.1, 1, 0.0), 0.1, 1e-15);
    TEST_NEAR(snw_hip_swing(0.05, 0.1, 1, 1.0), snw_hip_swing(0.1, 0.2, -1, 0.0), 1e-15);
}

TEST_MAIN(cmocka_unit_test(test_strides_ctrl4), cmocka_unit_test(test_no_drift_ctrl5),
    cmocka_unit_test(test_times_walk9), cmocka_unit_test(test_hip_height_walk11),
    cmocka_unit_test(test_hip_swing_walk12))
