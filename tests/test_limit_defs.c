#include "limit_shapes.h"

#include <float.h>
#include <string.h>

static const sinew_Vec3 along_x = { 1.0, 0.0, 0.0 };

// ---------------------------------------------------------------------------------------------
// Frames

// the same limit in turned frames says the same; a rest near a half turn is no special case
static void frames_turn_with_the_joint(void **state)
{
    (void)state;
    sinew_BallLimit *plain = shape_star(SHAPE_SHOULDER, SINEW_RESPONSE_CLOSEST);
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(160, i);
        sinew_BallLimitDef def = *sinew_ball_limit_def(plain);
        sinew_Vec3 axis = test_unit_vector(&random);
        // every other one within 1e-6 of a half turn
        double angle = i % 2 == 0 ? SINEW_PI + test_range(&random, -1e-6, 1e-6)
                                  : test_range(&random, -3.0, 3.0);
        def.neutral = sinew_quat_from_axis_angle(axis, angle);
        def.bone = test_unit_quat(&random);
        sinew_BallLimit *turned = shape_create(&def);
        sinew_Quat r = test_unit_quat(&random);
        sinew_Quat q = sinew_quat_mul(
            sinew_quat_mul(def.neutral, r), sinew_quat_conjugate(def.bone));
        TEST_TRUE(sinew_ball_limit_allows(turned, q) == sinew_ball_limit_allows(plain, r));
        TEST_NEAR(
            sinew_ball_limit_violation(turned, q), sinew_ball_limit_violation(plain, r), 1e-11);
        sinew_Quat clamped = sinew_ball_limit_clamp(turned, q);
        sinew_Quat back = sinew_quat_mul(
            sinew_quat_mul(sinew_quat_conjugate(def.neutral), clamped), def.bone);
        TEST_QUAT_NEAR(back, sinew_ball_limit_clamp(plain, r), 1e-9);
        TEST_TRUE(sinew_quat_dot(clamped, q) >= 0.0);
        sinew_ball_limit_destroy(turned);
    }
    sinew_ball_limit_destroy(plain);
}

// the neutral pose has no swing and no twist, y is where it was asked for, and the bone is the bone
static void neutral_pose_sets_the_frames(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; ++i) {
        test_Random random = test_case(161, i);
        sinew_Quat pose = test_unit_quat(&random);
        sinew_Vec3 bone = test_unit_vector(&random), zero = test_unit_vector(&random);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        sinew_ball_limit_def_set_neutral(&def, pose, bone, zero);
        sinew_BallLimit *limit = shape_create(&def);
        sinew_Vec3 u;
        double twist;
        sinew_ball_limit_measure(limit, pose, &u, &twist);
        TEST_VEC3_NEAR(u, sinew_vec3(1.0, 0.0, 0.0), 1e-12);
        TEST_NEAR(twist, 0.0, 1e-12);

        // direction of the bone in the socket, whatever the pose
        sinew_Quat q = test_unit_quat(&random);
        sinew_ball_limit_measure(limit, q, &u, &twist);
        TEST_VEC3_NEAR(sinew_quat_rotate(def.neutral, u), sinew_quat_rotate(q, bone), 1e-12);
        TEST_QUAT_NEAR(sinew_ball_limit_pose(limit, u, twist), q, 1e-10);
        sinew_Vec3 y = sinew_quat_rotate(def.neutral, sinew_vec3(0.0, 1.0, 0.0));
        sinew_Vec3 x = sinew_quat_rotate(def.neutral, sinew_vec3(1.0, 0.0, 0.0));
        TEST_TRUE(sinew_vec3_dot(y, zero) > 0.0);
        TEST_NEAR(sinew_vec3_dot(sinew_vec3_cross(x, y), zero), 0.0, 1e-12);

        // turning the joint about its bone is twist
        sinew_Quat turned = sinew_quat_mul(pose, sinew_quat_from_axis_angle(bone, 0.4));
        sinew_ball_limit_measure(limit, turned, &u, &twist);
        TEST_VEC3_NEAR(u, sinew_vec3(1.0, 0.0, 0.0), 1e-12);
        TEST_NEAR(twist, 0.4, 1e-12);
        sinew_ball_limit_destroy(limit);
    }
}

// left and right arms mirror: outward and forward stay what they are
static void mirrored_tables_keep_outward_and_forward(void **state)
{
    (void)state;
    static const sinew_Vec3 down = { 0.0, -1.0, 0.0 };
    double azimuths[2] = { 0.0, 0.5 * SINEW_PI }, swings[2] = { 0.7, 0.3 };
    for (int side = 0; side < 2; ++side) {
        double outward = side == 0 ? 1.0 : -1.0;
        sinew_Vec3 rays[2];
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        sinew_ball_limit_def_set_neutral(
            &def, sinew_quat_identity(), down, sinew_vec3(outward, 0.0, 0.0));
        sinew_reach_polar(azimuths, swings, 2, side == 1, rays);
        sinew_Vec3 abducted = sinew_quat_rotate(def.neutral, rays[0]);
        sinew_Vec3 flexed = sinew_quat_rotate(def.neutral, rays[1]);
        TEST_VEC3_NEAR(abducted, sinew_vec3(outward * sin(0.7), -cos(0.7), 0.0), 1e-14);
        TEST_VEC3_NEAR(flexed, sinew_vec3(0.0, -cos(0.3), sin(0.3)), 1e-14);
    }
}

// the worked example of docs/limits.md, left and right
static void worked_example_says_what_the_page_says(void **state)
{
    (void)state;
    static const double azimuths[12] = { 0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330 };
    double azimuth[12], swing[12];
    for (int i = 0; i < 12; ++i) {
        azimuth[i] = azimuths[i] * DEGREE;
        swing[i] = shape_stars[SHAPE_SHOULDER].swings[i] * DEGREE;
    }
    for (int k = 0; k < 2; ++k) {
        bool right = k == 1;
        double side = right ? -1.0 : 1.0;
        sinew_Vec3 rays[12], bone = { side, 0.0, 0.0 }, outward = { side, 0.0, 0.0 }, u;
        sinew_Vec3 about_z = { 0.0, 0.0, 1.0 }, about_y = { 0.0, 1.0, 0.0 };
        sinew_Quat hanging = sinew_quat_from_axis_angle(about_z, -side * SINEW_PI / 2.0);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        sinew_ball_limit_def_set_neutral(&def, hanging, bone, outward);
        sinew_reach_polar(azimuth, swing, 12, right, rays);
        sinew_ReachWindow window = sinew_reach_polygon(rays, 12);
        def.windows = &window;
        def.window_count = 1;
        def.star = true;
        double lateral = 95.0 * DEGREE, medial = 70.0 * DEGREE, twist;
        def.twist_lower = right ? -medial : -lateral;
        def.twist_upper = right ? lateral : medial;
        sinew_BallLimit *limit = shape_create(&def);

        TEST_VEC3_NEAR(sinew_quat_rotate(def.neutral, along_x), sinew_vec3(0.0, -1.0, 0.0), 1e-14);
        TEST_VEC3_NEAR(sinew_quat_rotate(def.neutral, about_z), sinew_vec3(0.0, 0.0, side), 1e-14);
        sinew_ball_limit_measure(limit, sinew_quat_identity(), &u, &twist);
        TEST_VEC3_NEAR(u, sinew_vec3(0.0, 1.0, 0.0), 1e-14);
        TEST_NEAR(twist, 0.0, 1e-14);

        // arms forward 170 degrees, back 60, and medial rotation of the hanging arm by 70
        for (int way = -1; way <= 1; way += 2) {
            double most = way > 0 ? 170.0 : 60.0;
            for (int over = -1; over <= 1; over += 2) {
                double angle = (most + 0.1 * over) * DEGREE * way;
                sinew_Quat lift = sinew_quat_from_axis_angle(sinew_vec3(-1.0, 0.0, 0.0), angle);
                sinew_Quat q = sinew_quat_mul(lift, hanging);
                TEST_TRUE(sinew_ball_limit_allows(limit, q) == (over < 0));
            }
            double turn = way > 0 ? 70.0 : 95.0;
            for (int over = -1; over <= 1; over += 2) {
                double angle = (turn + 0.1 * over) * DEGREE * way * -side;
                sinew_Quat spin = sinew_quat_from_axis_angle(about_y, angle);
                TEST_TRUE(
                    sinew_ball_limit_allows(limit, sinew_quat_mul(spin, hanging)) == (over < 0));
            }
        }
        sinew_ball_limit_destroy(limit);
    }
}

// ---------------------------------------------------------------------------------------------
// Definitions that are refused, memory, odd numbers

static void refuse(const sinew_BallLimitDef *def, const char *part)
{
    sinew_BallLimit *limit = (sinew_BallLimit *)(uintptr_t)64;
    sinew_Message message = { "" };
    sinew_Status status = sinew_ball_limit_create(def, NULL, &limit, &message);
    if (status != SINEW_STATUS_INVALID_ARGUMENT || strstr(message.text, part) == NULL) {
        print_message("    want '%s', got status %d, '%s'\n", part, (int)status, message.text);
    }
    TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(limit == NULL && strstr(message.text, part) != NULL);
}

static sinew_Vec3 at(double azimuth, double swing)
{
    double a = azimuth * DEGREE, s = swing * DEGREE;
    sinew_Vec3 r = { cos(s), sin(s) * cos(a), sin(s) * sin(a) };
    return r;
}

// LIM-5: each broken rule has its message
static void broken_windows_are_refused(void **state)
{
    (void)state;
    sinew_Vec3 square[4] = { at(0, 30), at(90, 30), at(180, 30), at(270, 30) };
    sinew_ReachWindow windows[2] = { sinew_reach_polygon(square, 4),
        sinew_reach_polygon(square, 4) };
    sinew_BallLimitDef good = sinew_ball_limit_def_default();
    good.windows = windows;
    good.window_count = 1;
    sinew_ball_limit_destroy(shape_create(&good));
    TEST_INT(sinew_ball_limit_create(NULL, NULL, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);

    sinew_BallLimitDef def = good;
    windows[0].ray_count = 2;
    refuse(&def, "windows[0].ray_count is 2");
    windows[0].ray_count = SINEW_MAX_WINDOW_RAYS + 1;
    refuse(&def, "windows[0].ray_count is 65");
    windows[0] = sinew_reach_polygon(NULL, 4);
    refuse(&def, "windows[0].rays is NULL");
    windows[0] = sinew_reach_polygon(square, 4);

    sinew_Vec3 crossed[4] = { square[0], square[2], square[1], square[3] };
    windows[0] = sinew_reach_polygon(crossed, 4);
    refuse(&def, "not convex");
    sinew_Vec3 dented[5] = { square[0], at(45, 5), square[1], square[2], square[3] };
    windows[0] = sinew_reach_polygon(dented, 5);
    refuse(&def, "not convex");
    sinew_Vec3 twice[8];
    for (int i = 0; i < 8; ++i) { twice[i] = square[i % 4]; }
    windows[0] = sinew_reach_polygon(twice, 8);
    refuse(&def, "rays[4] is the same as rays[0]");
    sinew_Vec3 opposite[3] = { at(0, 90), at(180, 90), at(90, 20) };
    windows[0] = sinew_reach_polygon(opposite, 3);
    refuse(&def, "opposite");
    sinew_Vec3 thin[3] = { at(0, 0), at(0, 50), at(1e-5, 25) };
    windows[0] = sinew_reach_polygon(thin, 3);
    refuse(&def, "too thin");
    sinew_Vec3 around[3] = { at(0, 120), at(120, 120), at(240, 120) };
    windows[0] = sinew_reach_polygon(around, 3);
    // the convex side of a loop is its inside: the cap about -x, which leaves the neutral direction out
    sinew_BallLimit *limit = shape_create(&def);
    TEST_TRUE(
        shape_allows_direction(limit, at(0, 170)) && !shape_allows_direction(limit, at(0, 10)));
    sinew_ball_limit_destroy(limit);
    sinew_Vec3 great_circle[4] = { at(0, 90), at(90, 90), at(180, 90), at(270, 90) };
    windows[0] = sinew_reach_polygon(great_circle, 4);
    refuse(&def, "on one great circle");
    sinew_Vec3 lengths[4] = { square[0], square[1], { 2.0, 0.0, 0.0 }, square[3] };
    windows[0] = sinew_reach_polygon(lengths, 4);
    refuse(&def, "windows[0].rays[2] has length 2");
    lengths[2].x = NAN;
    refuse(&def, "windows[0].rays[2] has length");
    windows[0] = sinew_reach_polygon(square, 4);

    // apart, at a corner alone, along part of a side, overlapping
    def.window_count = 2;
    sinew_Vec3 apart[3] = { at(0, 40), at(10, 60), at(350, 60) };
    windows[1] = sinew_reach_polygon(apart, 3);
    refuse(&def, "windows[1] is apart");
    apart[0] = square[0];
    refuse(&def, "windows[1] is apart");
    sinew_Vec3 beside[4] = { square[0], square[1], at(80, 60), at(10, 60) };
    windows[1] = sinew_reach_polygon(beside, 4);
    sinew_ball_limit_destroy(shape_create(&def));
    apart[0] = at(0, 29);
    windows[1] = sinew_reach_polygon(apart, 3);
    sinew_ball_limit_destroy(shape_create(&def));
    sinew_Vec3 axis = at(0, 60);
    windows[1] = sinew_reach_cone(&axis, 29 * DEGREE);
    refuse(&def, "windows[1] is apart");
    windows[1] = sinew_reach_cone(&axis, 31 * DEGREE);
    sinew_ball_limit_destroy(shape_create(&def));
    windows[1] = sinew_reach_cone(&axis, 3.2);
    refuse(&def, "cone_half_angle is 3.2");
    windows[1] = sinew_reach_cone(&axis, NAN);
    refuse(&def, "cone_half_angle");
}

static void other_broken_rules_are_refused(void **state)
{
    (void)state;
    sinew_Vec3 square[4] = { at(0, 30), at(90, 30), at(180, 30), at(270, 30) };
    sinew_ReachWindow window = sinew_reach_polygon(square, 4);
    sinew_BallLimitDef good = sinew_ball_limit_def_default(), def = good;
    def.window_count = 1;
    refuse(&def, "windows is NULL");
    def.window_count = -1;
    refuse(&def, "window_count is -1");
    def.window_count = 1000;
    refuse(&def, "window_count is 1000");

    def = good;
    def.neutral.w = 0.5;
    refuse(&def, "neutral has length 0.5");
    def = good;
    def.bone.x = NAN;
    refuse(&def, "bone has length");
    def = good;
    def.twist_lower = 1.0;
    def.twist_upper = 0.5;
    refuse(&def, "twist_lower is 1");
    def.twist_upper = 4.0;
    refuse(&def, "twist range is 1 to 4");
    def.twist_upper = INFINITY;
    refuse(&def, "twist range");
    def.twist_upper = NAN;
    refuse(&def, "twist range");
    def = good;
    def.response = (sinew_LimitResponse)7;
    refuse(&def, "response is 7");

    def = good;
    def.star = true;
    refuse(&def, "star is set");
    def.windows = &window;
    def.window_count = 1;
    def.star_center = sinew_vec3(0.0, 0.0, 0.0);
    refuse(&def, "star_center has length 0");
    def.star_center = at(0, 60);
    refuse(&def, "no star");
    def.star_center = at(0, 30);
    refuse(&def, "along star_center");
    def.star_center = at(45, 10);
    sinew_ball_limit_destroy(shape_create(&def));
    sinew_Vec3 backward[4] = { at(0, 30), at(180, 30), at(90, 30), at(270, 30) };
    window = sinew_reach_polygon(backward, 4);
    def.star_center = sinew_vec3(1.0, 0.0, 0.0);
    refuse(&def, "star");
    sinew_Vec3 two_turns[6] = { at(0, 30), at(120, 30), at(240, 30), at(1, 50), at(121, 50),
        at(241, 50) };
    window = sinew_reach_polygon(two_turns, 6);
    refuse(&def, "goes round star_center 2 times");
}

// either way round, a star and a window are the same
static void order_of_rays_does_not_matter(void **state)
{
    (void)state;
    sinew_Vec3 rays[12], turned[12];
    int count = shape_rays(SHAPE_HIP, rays);
    for (int i = 0; i < count; ++i) { turned[i] = rays[count - 1 - i]; }
    sinew_BallLimit *one = shape_star(SHAPE_HIP, SINEW_RESPONSE_ARC);
    sinew_BallLimitDef def = *sinew_ball_limit_def(one);
    sinew_ReachWindow window = sinew_reach_polygon(turned, count);
    def.windows = &window;
    sinew_BallLimit *other = shape_create(&def);
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(170, i);
        sinew_Quat q = test_unit_quat(&random);
        TEST_NEAR(sinew_ball_limit_violation(one, q), sinew_ball_limit_violation(other, q), 1e-12);
    }
    sinew_ball_limit_destroy(one);
    sinew_ball_limit_destroy(other);
}

static void definition_and_clone_keep_every_bit(void **state)
{
    (void)state;
    test_Memory memory;
    test_memory_init(&memory);
    sinew_BallLimit *limit = shape_star(SHAPE_SHOULDER, SINEW_RESPONSE_CLOSEST), *clone = NULL;
    sinew_Vec3 rays[12];
    int count = shape_rays(SHAPE_SHOULDER, rays);
    TEST_OK(sinew_ball_limit_clone(limit, &memory.allocator, &clone), NULL);
    const sinew_BallLimitDef *a = sinew_ball_limit_def(limit), *b = sinew_ball_limit_def(clone);
    TEST_TRUE(b->windows != a->windows && b->windows[0].rays != a->windows[0].rays);
    TEST_INT(b->windows[0].ray_count, count);
    TEST_TRUE(memcmp(b->windows[0].rays, rays, sizeof(rays)) == 0);
    TEST_TRUE(memcmp(a->windows[0].rays, rays, sizeof(rays)) == 0);
    TEST_TRUE(b->star && b->twist_lower == a->twist_lower && b->response == a->response);
    sinew_ball_limit_destroy(limit);
    TEST_INT(clone->piece_count, 12);
    sinew_ball_limit_destroy(clone);
    sinew_ball_limit_destroy(NULL);
    TEST_INT((long long)memory.live_bytes, 0);
    TEST_TRUE(!memory.wrong_size);
    TEST_INT(sinew_ball_limit_clone(NULL, NULL, &clone), SINEW_STATUS_INVALID_ARGUMENT);
}

static void creation_survives_lack_of_memory(void **state)
{
    (void)state;
    sinew_BallLimit *source = shape_star(SHAPE_HIP, SINEW_RESPONSE_ARC);
    for (long n = 1; n < 10; ++n) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        sinew_BallLimit *limit = NULL;
        sinew_Message message = { "" };
        sinew_Status status = sinew_ball_limit_create(
            sinew_ball_limit_def(source), &memory.allocator, &limit, &message);
        if (status == SINEW_STATUS_OK) {
            TEST_TRUE(n > 2);
            sinew_ball_limit_destroy(limit);
        } else {
            TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
            TEST_TRUE(limit == NULL && message.text[0] != '\0');
        }
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
    }
    sinew_ball_limit_destroy(source);
}

static void numbers_that_are_not_finite_come_back_as_a_pose(void **state)
{
    (void)state;
    static const double odd[4] = { NAN, INFINITY, -INFINITY, DBL_MAX };
    for (int response = 0; response < 3; ++response) {
        sinew_BallLimit *limit = shape_star(SHAPE_WRIST, (sinew_LimitResponse)response);
        for (int i = 0; i < 4 * 16; ++i) {
            double x = odd[i / 16];
            sinew_Quat q = { i & 1 ? x : 0.1, i & 2 ? x : 0.2, i & 4 ? x : 0.3, i & 8 ? x : 0.4 };
            if (i % 16 != 0) {
                TEST_TRUE(sinew_ball_limit_violation(limit, q) > 0.0);
                TEST_TRUE(!sinew_ball_limit_allows(limit, q) || x == DBL_MAX);
            }
            sinew_Quat clamped = sinew_ball_limit_clamp(limit, q);
            TEST_NEAR(sinew_quat_dot(clamped, clamped), 1.0, 1e-12);
            TEST_TRUE(sinew_ball_limit_violation(limit, clamped) < 1e-12);
        }
        sinew_Quat zero = { 0.0, 0.0, 0.0, 0.0 };
        TEST_TRUE(sinew_ball_limit_violation(limit, sinew_ball_limit_clamp(limit, zero)) < 1e-12);
        sinew_ball_limit_destroy(limit);
    }
}

// no limits at all: every pose keeps its bits
static void free_balls_are_free(void **state)
{
    (void)state;
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    sinew_Vec3 axes[2] = { { 1.0, 0.0, 0.0 }, { -1.0, 0.0, 0.0 } };
    sinew_ReachWindow all[2] = { sinew_reach_cone(axes, 2.0), sinew_reach_cone(axes + 1, 2.0) };
    for (int k = 0; k < 2; ++k) {
        // none, and two cones that cover all directions
        def.windows = all;
        def.window_count = 2 * k;
        sinew_BallLimit *limit = shape_create(&def);
        TEST_INT(sinew_ball_limit_side_count(limit), 0);
        for (int i = 0; i < 10000; ++i) {
            test_Random random = test_case(180, i);
            sinew_Quat q = test_unit_quat(&random);
            TEST_TRUE(sinew_ball_limit_allows(limit, q));
            TEST_TRUE(sinew_ball_limit_violation(limit, q) == 0.0);
            sinew_Quat same = sinew_ball_limit_clamp(limit, q);
            TEST_TRUE(memcmp(&same, &q, sizeof(q)) == 0);
            TEST_INT(snw_ball_hold(limit, q, test_unit_vector(&random), NULL).count, 0);
        }
        sinew_ball_limit_destroy(limit);
    }
}

TEST_MAIN(cmocka_unit_test(worked_example_says_what_the_page_says),
    cmocka_unit_test(frames_turn_with_the_joint), cmocka_unit_test(neutral_pose_sets_the_frames),
    cmocka_unit_test(mirrored_tables_keep_outward_and_forward),
    cmocka_unit_test(broken_windows_are_refused), cmocka_unit_test(other_broken_rules_are_refused),
    cmocka_unit_test(order_of_rays_does_not_matter),
    cmocka_unit_test(definition_and_clone_keep_every_bit),
    cmocka_unit_test(creation_survives_lack_of_memory),
    cmocka_unit_test(numbers_that_are_not_finite_come_back_as_a_pose),
    cmocka_unit_test(free_balls_are_free))
