#include "limit_shapes.h"

enum { ROTATIONS = 100000 };

static const sinew_Vec3 along_x = { 1.0, 0.0, 0.0 };

// the same rotation by its axis and angle, with libm
static sinew_Quat by_axis_and_angle(sinew_Vec3 a, sinew_Vec3 b)
{
    sinew_Vec3 axis = sinew_vec3_cross(a, b);
    double length = sinew_vec3_length(axis);
    double half = 0.5 * atan2(length, sinew_vec3_dot(a, b));
    axis = sinew_vec3_scale(axis, sin(half) / length);
    sinew_Quat r = { axis.x, axis.y, axis.z, cos(half) };
    return r;
}

static double component_error(sinew_Quat a, sinew_Quat b)
{
    double x = fabs(a.x - b.x), y = fabs(a.y - b.y), z = fabs(a.z - b.z), w = fabs(a.w - b.w);
    return fmax(fmax(x, y), fmax(z, w));
}

// LIM-1
static void decomposition_gives_swing_then_turn_about_the_bone(void **state)
{
    (void)state;
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(1, i);
        sinew_Quat r = test_unit_quat(&random);
        sinew_SwingTwist parts = sinew_swing_twist_decompose(r);
        sinew_Vec3 bone = sinew_quat_rotate(r, along_x);
        TEST_VEC3_NEAR(sinew_quat_rotate(parts.swing, along_x), bone, 1e-12);
        TEST_TRUE(parts.swing.x == 0.0);
        TEST_TRUE(parts.twist > -SINEW_PI && parts.twist <= SINEW_PI);

        // R = T S, T about the bone
        sinew_Quat about_bone = sinew_quat_mul(r, sinew_quat_conjugate(parts.swing));
        TEST_VEC3_NEAR(sinew_quat_rotate(about_bone, bone), bone, 1e-12);
        TEST_QUAT_NEAR(sinew_quat_mul(about_bone, parts.swing), r, 1e-12);
        TEST_QUAT_NEAR(about_bone, sinew_quat_from_axis_angle(bone, parts.twist), 1e-12);
        TEST_QUAT_NEAR(sinew_swing_twist_compose(parts), r, 1e-12);
    }
}

// LIM-2, with sinew_quat_between as Simple(a, b)
static void simple_rotation_is_axis_and_angle(void **state)
{
    (void)state;
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(2, i);
        sinew_Vec3 a = test_unit_vector(&random), b = test_unit_vector(&random);
        sinew_Vec3 axis = sinew_vec3_cross(a, b);
        // nearly parallel ones have no axis to 1e-12
        if (sinew_vec3_length(axis) < 1e-2) { continue; }
        axis = sinew_vec3_normalize_or(axis, along_x);
        sinew_Quat q = sinew_quat_between(a, b);
        TEST_NEAR(component_error(q, by_axis_and_angle(a, b)), 0.0, 1e-12);
        TEST_VEC3_NEAR(sinew_quat_rotate(q, axis), axis, 1e-12);
        TEST_VEC3_NEAR(sinew_quat_rotate(q, a), b, 1e-12);
        TEST_NEAR(
            component_error(sinew_quat_from_x(b), sinew_quat_between(along_x, b)), 0.0, 1e-12);
    }
}

// LIM-3
static void twist_is_twice_the_arc_tangent(void **state)
{
    (void)state;
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(3, i);
        sinew_Quat r = test_unit_quat(&random);
        double twist = 2.0 * atan2(r.x, r.w);
        if (twist > SINEW_PI) { twist -= 2.0 * SINEW_PI; }
        if (twist <= -SINEW_PI) { twist += 2.0 * SINEW_PI; }
        TEST_NEAR(sinew_swing_twist_decompose(r).twist, twist, 4e-15);
        sinew_Quat opposite = { -r.x, -r.y, -r.z, -r.w };
        TEST_NEAR(sinew_swing_twist_decompose(opposite).twist, twist, 4e-15);
    }
}

// LIM-3: asymmetric ranges, and the swing is left alone
static void twist_is_clamped_to_asymmetric_ranges(void **state)
{
    (void)state;
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(4, i);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        double a = test_range(&random, -3.14, 3.14), b = test_range(&random, -3.14, 3.14);
        def.twist_lower = fmin(a, b);
        def.twist_upper = fmax(a, b);
        if (i % 10 == 0) { def.twist_upper = def.twist_lower; }
        sinew_BallLimit *limit = shape_create(&def);
        sinew_Quat r = test_unit_quat(&random);
        sinew_SwingTwist before = sinew_swing_twist_decompose(r);
        bool inside = before.twist >= def.twist_lower && before.twist <= def.twist_upper;
        sinew_Quat clamped = sinew_ball_limit_clamp(limit, r);
        sinew_SwingTwist after = sinew_swing_twist_decompose(clamped);
        TEST_TRUE(sinew_ball_limit_allows(limit, r) == inside);
        TEST_TRUE(after.twist >= def.twist_lower - 1e-12 && after.twist <= def.twist_upper + 1e-12);
        TEST_QUAT_NEAR(after.swing, before.swing, 1e-12);
        if (inside) {
            TEST_QUAT_NEAR(clamped, r, 0.0);
        } else {
            // the nearer end, the way round
            double to_lower = fabs(remainder(before.twist - def.twist_lower, 2.0 * SINEW_PI));
            double to_upper = fabs(remainder(before.twist - def.twist_upper, 2.0 * SINEW_PI));
            TEST_NEAR(sinew_ball_limit_violation(limit, r), fmin(to_lower, to_upper), 1e-12);
            TEST_NEAR(fabs(remainder(after.twist - before.twist, 2.0 * SINEW_PI)),
                fmin(to_lower, to_upper), 1e-12);
            TEST_TRUE(sinew_ball_limit_allows(limit, clamped));
        }
        sinew_ball_limit_destroy(limit);
    }
}

// LIM-3: over a window a swing never creates twist; two angles of Euler, the third being locked, do
static void swing_alone_creates_no_twist(void **state)
{
    (void)state;
    double worst_euler = 0.0;
    for (int i = -20; i <= 20; ++i) {
        for (int j = -20; j <= 20; ++j) {
            double about_y = 0.06 * i, about_z = 0.06 * j;
            sinew_Quat y = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), about_y);
            sinew_Quat z = sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), about_z);
            sinew_Quat euler = sinew_quat_mul(z, y);
            sinew_Vec3 bone = sinew_quat_rotate(euler, along_x);
            sinew_SwingTwist swing = sinew_swing_twist_decompose(sinew_quat_from_x(bone));
            TEST_NEAR(swing.twist, 0.0, 1e-12);
            double twist = fabs(sinew_swing_twist_decompose(euler).twist);
            if (twist > worst_euler) { worst_euler = twist; }
        }
    }
    TEST_TRUE(worst_euler > 0.5);
}

// LIM-10: x . Rx without a product of matrices
static void cosine_of_the_swing_comes_from_the_quaternion(void **state)
{
    (void)state;
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(5, i);
        sinew_Quat q = test_unit_quat(&random);
        double cosine = sinew_vec3_dot(along_x, sinew_quat_rotate(q, along_x));
        TEST_NEAR(q.w * q.w + q.x * q.x - q.y * q.y - q.z * q.z, cosine, 1e-15);
        // these two also carry the rounding of the quaternion's length
        TEST_NEAR(2.0 * (q.w * q.w + q.x * q.x) - 1.0, cosine, 3e-15);
        TEST_NEAR(snw_bone_of(q).x, cosine, 3e-15);
    }
}

// LIM-11, over the whole domain of squared lengths, (SNW_DOT_EPSILON/2, 1], and on to the smallest
static void fast_normaliser_is_within_a_thousandth(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i <= 2000000; ++i) {
        double s = pow(1e-280, 1.0 - i / 2000000.0);
        double error = fabs(snw_fast_inverse_root(s) * sqrt(s) - 1.0);
        if (error > worst) { worst = error; }
    }
    print_message("    fast normaliser: worst relative error %.2e\n", worst);
    TEST_TRUE(worst <= 1e-3);
}

// LIM-11: from near 0 to near a half turn, evenly in the exponent of 1 + a.b
static void fast_simple_rotation_has_the_exact_direction(void **state)
{
    (void)state;
    double worst_length[2] = { 0.0, 0.0 }, worst_angle = 0.0;
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(6, i);
        sinew_Vec3 a = i % 2 == 0 ? along_x : test_unit_vector(&random);
        double s = pow(10.0, test_range(&random, -12.0, 0.0)); // cos^2 of half the angle
        double angle = 2.0 * acos(sqrt(s));
        sinew_Vec3 across = sinew_vec3_normalize_or(
            sinew_vec3_cross(a, test_unit_vector(&random)), along_x);
        sinew_Vec3 b = sinew_vec3_add_scaled(
            sinew_vec3_scale(a, cos(angle)), sinew_vec3_cross(across, a), sin(angle));
        b = sinew_vec3_normalize_or(b, a);

        sinew_Quat exact = i % 2 == 0 ? sinew_quat_from_x(b) : sinew_quat_between(a, b);
        sinew_Quat fast = i % 2 == 0 ? sinew_quat_from_x_fast(b) : sinew_quat_between_fast(a, b);
        double length[2] = { sqrt(sinew_quat_dot(exact, exact)), sqrt(sinew_quat_dot(fast, fast)) };
        for (int k = 0; k < 2; ++k) {
            worst_length[k] = fmax(worst_length[k], fabs(length[k] - 1.0));
        }
        worst_angle = fmax(worst_angle, shape_angle(sinew_quat_rotate(exact, a), b));
        TEST_TRUE(shape_angle(sinew_quat_rotate(sinew_quat_normalize(fast), a), b) < 1e-7);
        if (i % 2 == 0) { TEST_TRUE(fast.x == 0.0 && exact.x == 0.0); }
    }
    print_message("    length errors: accurate %.1e, fast %.1e; direction %.1e rad\n",
        worst_length[0], worst_length[1], worst_angle);
    TEST_TRUE(worst_length[0] <= 1e-12);
    TEST_TRUE(worst_length[1] <= 1e-3);
    TEST_TRUE(worst_angle <= 1e-7);
}

// LIM-12
static void opposite_directions_take_a_half_turn_about_a_fitting_axis(void **state)
{
    (void)state;
    static const sinew_Vec3 special[6] = { { 0.0, 1.0, 0.0 }, { 0.0, -1.0, 0.0 }, { 1.0, 0.0, 0.0 },
        { -1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0 }, { 0.0, 0.0, -1.0 } };
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(7, i);
        sinew_Vec3 a = i < 6 ? special[i] : test_unit_vector(&random);
        sinew_Vec3 b = sinew_vec3_scale(a, -1.0);
        sinew_Quat exact = sinew_quat_between(a, b), fast = sinew_quat_between_fast(a, b);
        TEST_VEC3_NEAR(sinew_quat_rotate(exact, a), b, 1e-7);
        TEST_VEC3_NEAR(sinew_quat_rotate(fast, a), b, 1e-7);
        TEST_NEAR(sinew_quat_dot(fast, fast), 1.0, 1e-12);
    }
    TEST_VEC3_NEAR(sinew_quat_rotate(sinew_quat_from_x(special[3]), along_x), special[3], 1e-15);
    TEST_VEC3_NEAR(
        sinew_quat_rotate(sinew_quat_from_x_fast(special[3]), along_x), special[3], 1e-15);
}

// a swing of exactly pi has no unique parts, one next to it has; all make the rotation again
static void half_turns_decompose(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; ++i) {
        test_Random random = test_case(8, i);
        double angle = test_range(&random, 0.0, 6.3), lean = test_range(&random, 0.0, 6.3);
        double off = i % 5 == 0 ? 0.0 : pow(10.0, -test_range(&random, 2.0, 120.0));
        sinew_Quat r = { off * sin(lean), cos(angle), sin(angle), off * cos(lean) };
        r = sinew_quat_normalize(r);
        sinew_SwingTwist parts = sinew_swing_twist_decompose(r);
        TEST_NEAR(
            remainder(parts.twist - (off > 0.0 ? 2.0 * lean : 0.0), 2.0 * SINEW_PI), 0.0, 1e-14);
        TEST_TRUE(parts.swing.x == 0.0);
        TEST_QUAT_NEAR(sinew_swing_twist_compose(parts), r, 1e-15);
    }
}

// LIM-13: the published cosine and sine of the twist, and the test without either
static void fast_twist_test_agrees_with_the_angle(void **state)
{
    (void)state;
    static const sinew_Vec3 along_y = { 0.0, 1.0, 0.0 };
    for (int i = 0; i < ROTATIONS; ++i) {
        test_Random random = test_case(9, i);
        sinew_Quat r = test_unit_quat(&random);
        sinew_SwingTwist parts = sinew_swing_twist_decompose(r);
        sinew_Vec3 ry = sinew_quat_rotate(r, along_y);
        sinew_Vec3 sy = sinew_quat_rotate(parts.swing, along_y);
        sinew_Vec3 bone = sinew_quat_rotate(r, along_x);
        TEST_NEAR(sinew_vec3_dot(ry, sy), cos(parts.twist), 2e-14);
        TEST_NEAR(sinew_vec3_dot(sinew_vec3_cross(sy, ry), bone), sin(parts.twist), 2e-14);
    }
}

// LIM-10: with x in the middle of the window x alone accepts most poses inside, and saves the rest of the test; how
// much time that is tells sinew bench limits
static void test_of_x_alone_accepts_most(void **state)
{
    (void)state;
    enum { POSES = 4096 };
    test_Random random = test_random(10);
    sinew_Vec3 axis = along_x;
    sinew_ReachWindow window = sinew_reach_cone(&axis, 1.0);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    sinew_BallLimit *with_x = shape_create(&def), *without_x = shape_create(&def);
    without_x->near_x = 2.0;
    snw_LimitCounts with = { 0 }, without = { 0 };
    for (int i = 0; i < POSES; ++i) {
        const sinew_Quat pose = shape_pose_inside(with_x, &random);
        TEST_TRUE(snw_ball_allows(with_x, pose, &with));
        TEST_TRUE(snw_ball_allows(without_x, pose, &without));
    }
    print_message("    by x alone %ld of %d\n", with.near_accepts, POSES);
    TEST_TRUE(with.near_accepts > POSES / 2);
    TEST_INT(
        with.union_accepts + with.window_accepts + with.polygon_tests, POSES - with.near_accepts);
    TEST_INT(without.near_accepts, 0);
    sinew_ball_limit_destroy(with_x);
    sinew_ball_limit_destroy(without_x);
}

TEST_MAIN(cmocka_unit_test(decomposition_gives_swing_then_turn_about_the_bone),
    cmocka_unit_test(simple_rotation_is_axis_and_angle),
    cmocka_unit_test(twist_is_twice_the_arc_tangent),
    cmocka_unit_test(twist_is_clamped_to_asymmetric_ranges),
    cmocka_unit_test(swing_alone_creates_no_twist),
    cmocka_unit_test(cosine_of_the_swing_comes_from_the_quaternion),
    cmocka_unit_test(fast_normaliser_is_within_a_thousandth),
    cmocka_unit_test(fast_simple_rotation_has_the_exact_direction),
    cmocka_unit_test(opposite_directions_take_a_half_turn_about_a_fitting_axis),
    cmocka_unit_test(half_turns_decompose), cmocka_unit_test(fast_twist_test_agrees_with_the_angle),
    cmocka_unit_test(test_of_x_alone_accepts_most))
