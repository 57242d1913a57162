// Arcs on the ground: Meredith and Maddock (2004), eq. 1.16-1.18, with the sides put right.

#include "testing.h"

#include "walk/turn_arc.h"

#define DEGREE (SINEW_PI / 180.0)

static snw_GroundPose random_pose(test_Random *random)
{
    snw_GroundPose pose;
    pose.x = test_range(random, -3.0, 3.0);
    pose.z = test_range(random, -3.0, 3.0);
    pose.heading = test_range(random, -SINEW_PI, SINEW_PI);
    return pose;
}

/// TURN-1: the place on the circle and its centre undo each other.
static void test_circle_turn1(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2201, i);
        snw_GroundPose pose = random_pose(&random);
        double r = test_range(&random, -1.0, 1.0), x, z;
        snw_turn_center(&pose, r, &x, &z);
        snw_GroundPose back = snw_turn_place(x, z, r, pose.heading);
        TEST_NEAR(back.x, pose.x, 1e-15);
        TEST_NEAR(back.z, pose.z, 1e-15);
    }
}

/// TURN-2: for every heading and both sides the walk is tangent, the centre at its distance and on the
/// side turned to. The published arc sine and sign give other centres.
static void test_center_turn2(void **state)
{
    (void)state;
    for (int degrees = 0; degrees < 360; ++degrees) {
        for (int side = -1; side <= 1; side += 2) {
            double r = 2.0 * side, s, c, x, z;
            sinew_sincos(degrees * DEGREE, &s, &c);
            snw_GroundPose pose = { 0.4, -1.1, snw_heading_of(s, c) };
            snw_turn_center(&pose, r, &x, &z);
            double dx = pose.x - x, dz = pose.z - z;
            TEST_NEAR(s * dx + c * dz, 0.0, 1e-12);
            TEST_NEAR(sqrt(dx * dx + dz * dz), 2.0, 1e-12);
            // left of (s, c) is (c, -s)
            TEST_TRUE(side * (-dx * c + dz * s) > 1.99);
        }
    }
    // what the printed formulas do at headings of 120 and 180 degrees, to the left: 2 m and 4 m off
    double expected[2] = { 2.0, 4.0 };
    for (int k = 0; k < 2; ++k) {
        double heading = (120.0 + 60.0 * k) * DEGREE, s, c, x, z, px, pz;
        sinew_sincos(heading, &s, &c);
        snw_GroundPose pose = { 0.0, 0.0, heading }, printed = { 0.0, 0.0, sinew_asin(s) };
        snw_turn_center(&pose, 2.0, &x, &z);
        snw_turn_center(&printed, 2.0, &px, &pz);
        TEST_NEAR(sqrt((x - px) * (x - px) + (z - pz) * (z - pz)), expected[k], 1e-9);
    }
    // and to the right with the angle negated, at 0, 30 and 60 degrees: 4, 3.46 and 2 m off
    double right[3] = { 4.0, 2.0 * sqrt(3.0), 2.0 };
    for (int k = 0; k < 3; ++k) {
        double x, z, px, pz;
        snw_GroundPose pose = { 0.0, 0.0, 30.0 * k * DEGREE };
        snw_GroundPose printed = { 0.0, 0.0, -pose.heading };
        snw_turn_center(&pose, -2.0, &x, &z);
        snw_turn_center(&printed, 2.0, &px, &pz);
        TEST_NEAR(sqrt((x - px) * (x - px) + (z - pz) * (z - pz)), right[k], 1e-9);
    }
}

/// TURN-3: the swept angle is the way over the radius, evenly in time; once round one is back.
static void test_sweep_turn3(void **state)
{
    (void)state;
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(2203, i);
        snw_GroundPose from = random_pose(&random);
        double r = test_range(&random, 0.05, 6.0) * (test_int(&random, 2) ? 1.0 : -1.0);
        double speed = test_range(&random, 0.2, 2.0), time = test_range(&random, 0.1, 3.0);
        sinew_Steering motion = { speed, 0.0, speed / r };
        double x, z;
        snw_turn_center(&from, r, &x, &z);
        for (int k = 0; k <= 10; ++k) {
            double t = time * k / 10.0;
            snw_GroundPose at = snw_ground_path(&from, &motion, t);
            // swept angle times radius: the arc's length
            TEST_NEAR((at.heading - from.heading) * r, speed * t, 1e-12);
            snw_GroundPose expected = snw_turn_place(x, z, r, from.heading + speed * t / r);
            TEST_NEAR(at.x, expected.x, 1e-12);
            TEST_NEAR(at.z, expected.z, 1e-12);
        }
        snw_GroundPose round = snw_ground_path(&from, &motion, 2.0 * SINEW_PI * fabs(r) / speed);
        TEST_NEAR(round.x, from.x, 1e-9);
        TEST_NEAR(round.z, from.z, 1e-9);
        // in strides of uneven length, too
        snw_GroundPose at = from;
        double left = 2.0 * SINEW_PI * fabs(r) / speed;
        while (left > 0.0) {
            double part = fmin(left, test_range(&random, 0.05, 0.4));
            at = snw_ground_path(&at, &motion, part);
            left -= part;
        }
        TEST_NEAR(at.x, from.x, 1e-9);
        TEST_NEAR(at.z, from.z, 1e-9);
    }
}

/// CTRL-2: a huge radius is a straight walk, to a micrometre per stride.
static void test_huge_radius_ctrl2(void **state)
{
    (void)state;
    snw_GroundPose from = { 1.0, 2.0, 0.7 };
    for (int k = 0; k < 2; ++k) {
        double r = k == 0 ? 1e6 : -1e6;
        sinew_Steering straight = { 1.3, 0.0, 0.0 }, turning = { 1.3, 0.0, 1.3 / r };
        snw_GroundPose a = snw_ground_path(&from, &straight, 0.6 / 1.3);
        snw_GroundPose b = snw_ground_path(&from, &turning, 0.6 / 1.3);
        double apart = sqrt((a.x - b.x) * (a.x - b.x) + (a.z - b.z) * (a.z - b.z));
        TEST_TRUE(apart <= 1e-6 && apart > 1e-8);
        // to the left for a positive radius: left of heading 0.7 is (cos, -sin)
        double s, c;
        sinew_sincos(0.7, &s, &c);
        TEST_TRUE(((b.x - a.x) * c - (b.z - a.z) * s) * r > 0.0);
    }
}

/// TURN-4: both feet sweep the same angle on their own circles, to either side as in a mirror. Swept by
/// the arc of its own radius each foot would fall behind or run ahead.
static void test_feet_turn4(void **state)
{
    (void)state;
    double w = 0.1, stride = 0.6;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(2204, i);
        double r = test_range(&random, 0.3, 5.0), time = test_range(&random, 0.1, 1.0);
        for (int foot = -1; foot <= 1; foot += 2) {
            snw_GroundPose from = { 0.0, 0.0, 0.0 };
            sinew_Steering left = { 1.0, 0.0, 1.0 / r }, right = { 1.0, 0.0, -1.0 / r };
            snw_GroundPose a = snw_ground_path(&from, &left, time);
            snw_GroundPose b = snw_ground_path(&from, &right, time);
            double ax, az, bx, bz;
            snw_ground_point(&a, foot * w, 0.0, &ax, &az);
            snw_ground_point(&b, -foot * w, 0.0, &bx, &bz);
            TEST_NEAR(ax, -bx, 1e-9);
            TEST_NEAR(az, bz, 1e-9);
            // on the circle of radius r - w (left foot, inside) or r + w
            double x, z;
            snw_turn_center(&from, r, &x, &z);
            TEST_NEAR(sqrt((ax - x) * (ax - x) + (az - z) * (az - z)), fabs(r - foot * w), 1e-12);
        }
    }
    // r = 2 m, w = 0.1 m, stride 0.6 m: by its own radius a foot would be 3 cm off
    double same = stride / 2.0, own = stride / (2.0 - w);
    TEST_NEAR((own - same) * (2.0 - w), 0.03, 1e-12);
}

TEST_MAIN(cmocka_unit_test(test_circle_turn1), cmocka_unit_test(test_center_turn2),
    cmocka_unit_test(test_sweep_turn3), cmocka_unit_test(test_huge_radius_ctrl2),
    cmocka_unit_test(test_feet_turn4))
