// Euler angles: round trips, continuity, gimbal lock.

#include "math/euler.h"
#include "sinew/pose.h"
#include "testing.h"

#include <math.h>

static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 },
    { 2, 1, 0 } };

#define GIMBAL_MARGIN 1e-3

// independent of the code under test: libm and rotation matrices
static sinew_Mat3 rotation_about(int axis, double angle)
{
    double c = cos(angle), s = sin(angle);
    double m[3][3] = { { 0.0 } }; // rows
    int a = (axis + 1) % 3, b = (axis + 2) % 3;
    m[axis][axis] = 1.0;
    m[a][a] = m[b][b] = c;
    m[a][b] = -s;
    m[b][a] = s;
    sinew_Mat3 r = { { m[0][0], m[1][0], m[2][0] }, { m[0][1], m[1][1], m[2][1] },
        { m[0][2], m[1][2], m[2][2] } };
    return r;
}

// SKEL-8: the quaternion is the product of the three rotations in their order
static void test_order_of_rotations(void **state)
{
    (void)state;
    test_Random random = test_random(11);
    for (int i = 0; i < 6000; ++i) {
        const int *order = orders[i % 6];
        double angles[3];
        for (int k = 0; k < 3; ++k) { angles[k] = test_range(&random, -7.0, 7.0); }
        sinew_Mat3 m = sinew_mat3_mul(sinew_mat3_mul(rotation_about(order[0], angles[0]),
                                          rotation_about(order[1], angles[1])),
            rotation_about(order[2], angles[2]));
        sinew_Mat3 got = sinew_mat3_from_quat(snw_euler_to_quat(order, angles));
        TEST_VEC3_NEAR(got.x, m.x, 1e-14);
        TEST_VEC3_NEAR(got.y, m.y, 1e-14);
        TEST_VEC3_NEAR(got.z, m.z, 1e-14);
    }
}

// SKEL-8: 1e5 random round trips per order, angles back within 1e-9 away from gimbal lock
static void test_round_trip(void **state)
{
    (void)state;
    test_Random random = test_random(12);
    double worst = 0.0;
    for (int o = 0; o < 6; ++o) {
        for (int i = 0; i < 100000; ++i) {
            double angles[3], near[3], back[3];
            // also the other half of the middle angle and further turns: previous says which
            do {
                for (int k = 0; k < 3; ++k) {
                    angles[k] = test_range(&random, -3.0 * SINEW_PI, 3.0 * SINEW_PI);
                }
            } while (fabs(cos(angles[1])) < GIMBAL_MARGIN);
            for (int k = 0; k < 3; ++k) { near[k] = angles[k] + test_range(&random, -0.3, 0.3); }
            // (the second solution is pi away in two angles, so 0.3 cannot make it the nearer one)
            snw_euler_from_quat(orders[o], snw_euler_to_quat(orders[o], angles), near, back);
            for (int k = 0; k < 3; ++k) { worst = fmax(worst, fabs(back[k] - angles[k])); }
        }
    }
    print_message("largest error of an angle: %g rad\n", worst);
    TEST_TRUE(worst <= 1e-9);
}

// the rotation comes back everywhere, exactly at the poles and near them, whatever was before
static void test_rotation_survives_gimbal(void **state)
{
    (void)state;
    test_Random random = test_random(13);
    static const double distances[] = { 0.0, 1e-17, 1e-15, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5,
        1e-3 };
    double worst = 0.0;
    for (int i = 0; i < 120000; ++i) {
        const int *order = orders[i % 6];
        double angles[3], previous[3], back[3];
        for (int k = 0; k < 3; ++k) {
            angles[k] = test_range(&random, -4.0, 4.0);
            previous[k] = test_range(&random, -4.0, 4.0);
        }
        double pole = test_int(&random, 2) == 0 ? 0.5 * SINEW_PI : -0.5 * SINEW_PI;
        angles[1] = pole
            + (test_int(&random, 2) == 0 ? 1.0 : -1.0) * distances[test_int(&random, 10)];
        sinew_Quat q = snw_euler_to_quat(order, angles);
        snw_euler_from_quat(order, q, previous, back);
        sinew_Quat again = snw_euler_to_quat(order, back);
        sinew_Quat between = sinew_quat_mul(sinew_quat_conjugate(q), again);
        double error = 2.0
            * sqrt(between.x * between.x + between.y * between.y + between.z * between.z);
        worst = fmax(worst, error);
    }
    print_message("largest turn lost near gimbal lock: %g rad\n", worst);
    TEST_TRUE(worst <= 1e-9);
}

// at exact gimbal lock the first angle stays as it was
static void test_gimbal_holds_first_angle(void **state)
{
    (void)state;
    for (int o = 0; o < 6; ++o) {
        double angles[3] = { 0.3, 0.5 * SINEW_PI, -0.8 };
        double previous[3] = { 1.1, 1.5, 0.2 };
        double back[3];
        snw_euler_from_quat(orders[o], snw_euler_to_quat(orders[o], angles), previous, back);
        TEST_NEAR(back[0], 1.1, 1e-15);
    }
}

// a smooth motion gives smooth angles, however often it goes round and through the far half
static void test_smooth_motion_stays_smooth(void **state)
{
    (void)state;
    for (int o = 0; o < 6; ++o) {
        double last[3] = { 0.2, 0.1, -0.4 };
        for (int i = 1; i <= 20000; ++i) {
            double t = i * 1e-3;
            double angles[3] = { 0.2 + 1.7 * t, 0.1 + 2.3 * sin(t), -0.4 - 0.9 * t };
            double now[3];
            snw_euler_from_quat(orders[o], snw_euler_to_quat(orders[o], angles), last, now);
            // passing the pole itself may exchange the two solutions, never jump by more than a step
            bool near_pole = fabs(cos(angles[1])) < 0.02;
            for (int k = 0; k < 3 && !near_pole; ++k) { TEST_NEAR(now[k], angles[k], 1e-9); }
            for (int k = 0; k < 3; ++k) { last[k] = near_pole ? angles[k] : now[k]; }
        }
    }
}

static void test_in_place_and_unnormalised(void **state)
{
    (void)state;
    double angles[3] = { 0.7, -0.6, 2.0 };
    sinew_Quat q = snw_euler_to_quat(orders[4], angles);
    sinew_Quat longer = { -3.0 * q.x, -3.0 * q.y, -3.0 * q.z, -3.0 * q.w };
    double in_place[3] = { 0.6, -0.5, 1.9 };
    snw_euler_from_quat(orders[4], longer, in_place, in_place);
    TEST_ARRAY_NEAR(in_place, angles, 3, 1e-14);
}

// SW-10: the same by name, and read out of a joint
static void test_orders_by_name_sw10(void **state)
{
    (void)state;
    static const char *const names[] = { "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX" };
    for (int n = 0; n < SINEW_EULER_ORDER_COUNT; ++n) {
        sinew_EulerOrder order = (sinew_EulerOrder)n;
        assert_string_equal(sinew_euler_order_name(order), names[n]);
        sinew_Axis axes[3];
        for (int i = 0; i < 3; ++i) {
            int axis = names[n][i] - 'X';
            sinew_Vec3 direction = { axis == 0, axis == 1, axis == 2 };
            if (i == 1) { direction = sinew_vec3_scale(direction, -1.0); }
            axes[i] = sinew_axis_hinge(direction, -INFINITY, INFINITY);
        }
        sinew_JointDef def = sinew_joint_def_default();
        def.name = "joint";
        def.parent = -1;
        def.axes = axes;
        def.axis_count = 3;
        sinew_Skeleton *skeleton;
        TEST_OK(sinew_skeleton_create(&def, 1, NULL, &skeleton, NULL), NULL);
        sinew_EulerOrder read;
        unsigned negated;
        TEST_TRUE(sinew_joint_euler_order(skeleton, 0, &read, &negated));
        TEST_INT(read, order);
        TEST_INT(negated, 2);
        for (int i = 0; i < 100; ++i) {
            test_Random random = test_case(77, 100 * n + i);
            double q[3], angles[3], back[3];
            for (int k = 0; k < 3; ++k) { q[k] = test_range(&random, -1.5, 1.5); }
            for (int k = 0; k < 3; ++k) { angles[k] = k == 1 ? -q[k] : q[k]; }
            sinew_Transform world;
            sinew_pose_forward(skeleton, q, &world);
            sinew_Quat same = sinew_quat_from_euler(order, angles);
            TEST_QUAT_NEAR(world.rotation, same, 1e-14);
            sinew_quat_to_euler(order, same, angles, back);
            TEST_ARRAY_NEAR(back, angles, 3, 1e-12);
        }
        TEST_TRUE(!sinew_joint_euler_order(skeleton, 1, &read, NULL));
        sinew_skeleton_destroy(skeleton);
    }
    assert_string_equal(sinew_euler_order_name((sinew_EulerOrder)99), "");
}

TEST_MAIN(cmocka_unit_test(test_orders_by_name_sw10), cmocka_unit_test(test_order_of_rotations),
    cmocka_unit_test(test_round_trip), cmocka_unit_test(test_rotation_survives_gimbal),
    cmocka_unit_test(test_gimbal_holds_first_angle),
    cmocka_unit_test(test_smooth_motion_stays_smooth),
    cmocka_unit_test(test_in_place_and_unnormalised))
