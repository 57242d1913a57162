#include "limit_shapes.h"

enum { DIRECTIONS = 1000000 };

// ---------------------------------------------------------------------------------------------
// Windows against independent tests

// Even and odd crossings of a polygon in the plane x = 1, by 2D coordinates alone.
static bool inside_plane_polygon(const sinew_Vec3 *rays, int count, double y, double z)
{
    bool inside = false;
    for (int i = 0, j = count - 1; i < count; j = i++) {
        double yi = rays[i].y / rays[i].x, zi = rays[i].z / rays[i].x;
        double yj = rays[j].y / rays[j].x, zj = rays[j].z / rays[j].x;
        if ((zi > z) != (zj > z) && y < (yj - yi) * (z - zi) / (zj - zi) + yi) { inside = !inside; }
    }
    return inside;
}

static double distance_to_outline(const sinew_BallLimit *limit, sinew_Vec3 u)
{
    double best = 8.0;
    for (int i = 0; i < limit->piece_count; ++i) {
        best = fmin(best, sinew_vec3_distance(u, snw_piece_closest(limit->pieces + i, u)));
    }
    return best;
}

// LIM-4
static void convex_windows_agree_with_a_polygon_in_a_plane(void **state)
{
    (void)state;
    sinew_Vec3 rays[12];
    sinew_BallLimit *limit = NULL;
    int count = 0;
    long near_side = 0, inside = 0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        test_Random random = test_case(101, i);
        if (i % 5000 == 0) {
            sinew_ball_limit_destroy(limit);
            count = 3 + i / 5000 % 10;
            sinew_Vec3 center = { 1.0, test_range(&random, -0.5, 0.5),
                test_range(&random, -0.5, 0.5) };
            center = sinew_vec3_normalize_or(center, center);
            shape_convex(&random, center, test_range(&random, 0.1, 0.6), count, rays);
            limit = shape_window(rays, count, SINEW_RESPONSE_ARC);
        }
        sinew_Vec3 u = test_unit_vector(&random);
        if (i % 2 == 0) {
            // half of them where the window is
            sinew_Vec3 toward = sinew_vec3_scale(test_unit_vector(&random), 0.35);
            u = sinew_vec3_add(limit->cap_center, toward);
            u = sinew_vec3_normalize_or(u, limit->cap_center);
        }
        if (distance_to_outline(limit, u) < 1e-9) {
            ++near_side;
            continue;
        }
        bool expected = u.x > 0.0 && inside_plane_polygon(rays, count, u.y / u.x, u.z / u.x);
        inside += expected;
        TEST_TRUE(shape_allows_direction(limit, u) == expected);
    }
    sinew_ball_limit_destroy(limit);
    print_message("    %ld of %d inside\n", inside, DIRECTIONS);
    TEST_TRUE(near_side < 10 && inside > DIRECTIONS / 10);
}

// A loop around x as swing over azimuth: inside when nearer to x than the side met on the way out.
static bool inside_star(const sinew_Vec3 *rays, int count, sinew_Vec3 u)
{
    double azimuth = atan2(u.z, u.y);
    for (int i = 0; i < count; ++i) {
        sinew_Vec3 a = rays[i], b = rays[(i + 1) % count];
        double from = atan2(a.z, a.y), turn = atan2(b.z, b.y) - from, along = azimuth - from;
        if (turn < 0.0) { turn += 2.0 * SINEW_PI; }
        while (along < 0.0) { along += 2.0 * SINEW_PI; }
        if (along > turn) { continue; }
        // where the half plane of that azimuth meets the side
        sinew_Vec3 across = { 0.0, -sin(azimuth), cos(azimuth) };
        sinew_Vec3 p = sinew_vec3_cross(across, sinew_vec3_cross(a, b));
        if (p.y * cos(azimuth) + p.z * sin(azimuth) < 0.0) { p = sinew_vec3_scale(p, -1.0); }
        double reach = atan2(p.y * cos(azimuth) + p.z * sin(azimuth), p.x);
        return acos(u.x) <= reach;
    }
    return false;
}

// LIM-16: human joints and spiky stars, against swing over azimuth
static void star_windows_agree_with_swing_over_azimuth(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_Vec3 rays[12];
        int count = shape_rays(shape, rays);
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        TEST_INT(limit->window_count, shape_stars[shape].window_count);
        int inside = 0;
        for (int i = 0; i < DIRECTIONS / SHAPE_COUNT; ++i) {
            test_Random random = test_case(102 + (uint64_t)shape, i);
            sinew_Vec3 u = test_unit_vector(&random);
            if (distance_to_outline(limit, u) < 1e-9) { continue; }
            bool expected = inside_star(rays, count, u);
            inside += expected;
            TEST_TRUE(shape_allows_direction(limit, u) == expected);
        }
        print_message("    %s: %d windows, %.1f %% of all directions\n", shape_stars[shape].name,
            limit->window_count, 100.0 * inside * SHAPE_COUNT / DIRECTIONS);
        sinew_ball_limit_destroy(limit);
    }
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(110, i);
        double azimuths[40], swings[40];
        sinew_Vec3 rays[40];
        int count = 4 + test_int(&random, 37);
        for (int j = 0; j < count; ++j) {
            azimuths[j] = (j + test_range(&random, 0.0, 0.9)) * 2.0 * SINEW_PI / count;
            swings[j] = test_range(&random, 0.2, 3.0);
        }
        sinew_reach_polar(azimuths, swings, count, false, rays);
        sinew_ReachWindow window = sinew_reach_polygon(rays, count);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        def.windows = &window;
        def.window_count = 1;
        def.star = true;
        sinew_BallLimit *limit = NULL;
        // gaps of azimuth beyond a half turn do not happen from 4 rays on, but may be close
        TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, NULL), NULL);
        for (int j = 0; j < 2000; ++j) {
            sinew_Vec3 u = test_unit_vector(&random);
            if (distance_to_outline(limit, u) < 1e-9) { continue; }
            TEST_TRUE(shape_allows_direction(limit, u) == inside_star(rays, count, u));
        }
        sinew_ball_limit_destroy(limit);
    }
}

// two hemispheres less 20 degrees each, their first centres 100 degrees apart
static sinew_BallLimit *two_window_shoulder(sinew_Vec3 centers[2])
{
    static sinew_Vec3 rays[2][16];
    sinew_ReachWindow windows[2];
    for (int i = 0; i < 2; ++i) {
        double turn = 100.0 * DEGREE * i;
        centers[i] = sinew_vec3(cos(turn), sin(turn), 0.0);
        sinew_Quat from_x = sinew_quat_from_x(centers[i]);
        sinew_reach_ellipse(70.0 * DEGREE, 70.0 * DEGREE, 16, rays[i]);
        for (int j = 0; j < 16; ++j) { rays[i][j] = sinew_quat_rotate(from_x, rays[i][j]); }
        windows[i] = sinew_reach_polygon(rays[i], 16);
    }
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = windows;
    def.window_count = 2;
    def.response = SINEW_RESPONSE_INTERSECTION;
    return shape_create(&def);
}

// LIM-5
static void windows_join_beyond_a_hemisphere(void **state)
{
    (void)state;
    sinew_Vec3 centers[2];
    sinew_BallLimit *limit = two_window_shoulder(centers);
    for (int i = 0; i <= 160; ++i) {
        sinew_Vec3 u = { cos(i * DEGREE), sin(i * DEGREE), 0.0 };
        TEST_TRUE(shape_allows_direction(limit, u));
        // the path from the neutral direction passes the seam: what is beyond is left alone
        sinew_Quat q = sinew_ball_limit_pose(limit, u, 0.3);
        TEST_QUAT_NEAR(sinew_ball_limit_clamp(limit, q), q, 0.0);
    }
    // and it ends at the far side of the second window, not at the seam
    sinew_Vec3 beyond = { cos(178 * DEGREE), sin(178 * DEGREE), 0.0 }, u;
    sinew_Quat stopped = sinew_ball_limit_clamp(limit, sinew_ball_limit_pose(limit, beyond, 0.0));
    sinew_ball_limit_measure(limit, stopped, &u, NULL);
    TEST_NEAR(shape_angle(u, centers[0]), 170.0 * DEGREE, 1e-12);
    sinew_ball_limit_destroy(limit);
}

// LIM-5: windows that share only a side; round-off on the seam leaves no gap
static void shared_sides_have_no_gap(void **state)
{
    (void)state;
    sinew_BallLimit *limit = shape_star(SHAPE_SHOULDER, SINEW_RESPONSE_ARC);
    sinew_Vec3 rays[12], center = { 1.0, 0.0, 0.0 };
    int count = shape_rays(SHAPE_SHOULDER, rays);
    for (int i = 0; i < 100000; ++i) {
        test_Random random = test_case(120, i);
        sinew_Vec3 ray = rays[test_int(&random, count)];
        // by angle: opposite rays would leave a straight mean too short
        double angle = shape_angle(center, ray) * test_range(&random, 0.0, 0.999999);
        sinew_Vec3 across = sinew_vec3_normalize_or(sinew_vec3(0.0, ray.y, ray.z), center);
        sinew_Vec3 u = sinew_vec3_add_scaled(
            sinew_vec3_scale(center, cos(angle)), across, sin(angle));
        TEST_TRUE(snw_windows_hold(limit, u, SNW_LIMIT_SLACK, NULL));
    }
    sinew_ball_limit_destroy(limit);
}

// the outline of a star is its loop: seams are not part of it
static void outline_is_the_loop(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_Vec3 rays[12];
        int count = shape_rays(shape, rays);
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        TEST_INT(sinew_ball_limit_side_count(limit), count);
        for (int i = 0; i < count; ++i) {
            sinew_ReachSide side = sinew_ball_limit_side(limit, i);
            double nearest = 8.0;
            for (int j = 0; j < count; ++j) {
                double gap = fmax(sinew_vec3_distance(side.start, rays[j]),
                    sinew_vec3_distance(side.end, rays[(j + 1) % count]));
                nearest = fmin(nearest, gap);
            }
            TEST_NEAR(nearest, 0.0, 1e-12);
            int next = limit->pieces[i].next, previous = limit->pieces[i].previous;
            TEST_TRUE(next >= 0 && limit->pieces[next].previous == i && previous >= 0);
        }
        sinew_ball_limit_destroy(limit);
    }
}

// cones and polygons overlap at will; the outline separates inside from outside
static void outlines_of_mixed_windows_are_borders(void **state)
{
    (void)state;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(130, i);
        sinew_Vec3 rays[4][8], axes[4];
        sinew_ReachWindow windows[4];
        int count = 2 + test_int(&random, 3);
        for (int j = 0; j < count; ++j) {
            axes[j] = sinew_vec3_add(
                sinew_vec3(1.0, 0.0, 0.0), sinew_vec3_scale(test_unit_vector(&random), 0.5));
            axes[j] = sinew_vec3_normalize_or(axes[j], axes[j]);
            double radius = test_range(&random, 0.6, j == 0 ? 2.0 : 0.9);
            windows[j] = sinew_reach_cone(axes + j, radius);
            if (j % 2 == 1) {
                shape_convex(&random, axes[j], radius, 8, rays[j]);
                windows[j] = sinew_reach_polygon(rays[j], 8);
            }
        }
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        def.windows = windows;
        def.window_count = count;
        sinew_BallLimit *limit = shape_create(&def);
        for (int k = 0; k < limit->piece_count; ++k) {
            // inside on one side of each piece, outside on the other
            const snw_Piece *piece = limit->pieces + k;
            sinew_Vec3 p = piece->whole ? piece->a : sinew_vec3_add(piece->a, piece->b);
            p = snw_piece_closest(piece, sinew_vec3_normalize_or(p, piece->a));
            if (!piece->whole
                && fmin(sinew_vec3_distance(p, piece->a), sinew_vec3_distance(p, piece->b))
                    < 1e-5) {
                continue;
            }
            sinew_Vec3 in = sinew_vec3_add_scaled(p, piece->side.n, 1e-7);
            sinew_Vec3 out = sinew_vec3_add_scaled(p, piece->side.n, -1e-7);
            TEST_TRUE(shape_allows_direction(limit, sinew_vec3_normalize_or(in, p)));
            TEST_TRUE(!shape_allows_direction(limit, sinew_vec3_normalize_or(out, p)));
        }
        // and no border anywhere else: short steps that do not cross it change nothing
        for (int k = 0; k < 300; ++k) {
            sinew_Vec3 u = test_unit_vector(&random);
            double room = distance_to_outline(limit, u);
            sinew_Vec3 v = sinew_vec3_add_scaled(u, test_unit_vector(&random), 0.4 * room);
            v = sinew_vec3_normalize_or(v, u);
            TEST_TRUE(shape_allows_direction(limit, u) == shape_allows_direction(limit, v));
        }
        sinew_ball_limit_destroy(limit);
    }
}

// ---------------------------------------------------------------------------------------------
// Early acceptance

// every window and side, without any early answer
static bool inside_by_sides(const sinew_BallLimit *limit, sinew_Vec3 u, double slack)
{
    for (int i = 0; i < limit->window_count; ++i) {
        const snw_Window *window = limit->windows + i;
        if (snw_sides_hold(limit->sides + window->side_start, window->side_count, u, slack)) {
            return true;
        }
    }
    return false;
}

static void check_early_acceptance(
    const sinew_BallLimit *limit, uint64_t seed, int count, const char *name, double *out_share)
{
    long inside = 0, by_x = 0, by_cap = 0, by_window = 0;
    for (int i = 0; i < count; ++i) {
        test_Random random = test_case(seed, i);
        sinew_Vec3 u = test_unit_vector(&random);
        bool expected = inside_by_sides(limit, u, 0.0);
        bool x = 0.5 * (1.0 + u.x) >= limit->near_x;
        bool cap = sinew_vec3_dot(limit->cap_center, u) >= limit->cap_cosine;
        bool window = false;
        for (int j = 0; j < limit->window_count; ++j) {
            const snw_Window *w = limit->windows + j;
            window = window || sinew_vec3_dot(w->cap_center, u) >= w->cap_cosine;
        }
        inside += expected;
        by_x += x;
        by_cap += cap;
        by_window += window;
        TEST_TRUE(expected || !(x || cap || window));
        // what is accepted early is clear of all sides
        if (x || cap || window) { TEST_TRUE(inside_by_sides(limit, u, -SNW_LIMIT_TOUCH)); }
    }
    double all = inside > 0 ? (double)inside : 1.0;
    print_message("    %s: of those inside x alone accepts %.0f %%, the circle %.0f %% (%.0f deg), "
                  "windows' circles %.0f %%\n",
        name, 100.0 * (double)by_x / all, 100.0 * (double)by_cap / all,
        acos(limit->cap_cosine) / DEGREE, 100.0 * (double)by_window / all);
    *out_share = (double)by_cap / all;
}

// LIM-9
static void circle_accepts_most_of_a_hexagon(void **state)
{
    (void)state;
    sinew_Vec3 rays[6];
    double share;
    sinew_reach_ellipse(40.0 * DEGREE, 40.0 * DEGREE, 6, rays);
    sinew_BallLimit *limit = shape_window(rays, 6, SINEW_RESPONSE_ARC);
    check_early_acceptance(limit, 140, DIRECTIONS, "hexagon", &share);
    TEST_TRUE(share >= 0.85);
    sinew_ball_limit_destroy(limit);
}

// LIM-9, LIM-10
static void early_answers_are_never_wrong(void **state)
{
    (void)state;
    double share;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        check_early_acceptance(limit, 141, DIRECTIONS / 2, shape_stars[shape].name, &share);
        sinew_ball_limit_destroy(limit);
    }
}

// LIM-9: a circle in the plane of a window is no circular cone when its centre is off the foot of the
// normal; the published threshold, radius over distance of the centre, accepts what is outside
static void circle_off_the_normal_is_no_cone(void **state)
{
    (void)state;
    sinew_Vec3 rays[64];
    for (int i = 0; i < 64; ++i) {
        double t = 2.0 * SINEW_PI * i / 64;
        rays[i] = sinew_vec3(1.0, 0.5 + 0.5 * cos(t), 0.5 * sin(t));
        rays[i] = sinew_vec3_normalize_or(rays[i], rays[i]);
    }
    sinew_BallLimit *limit = shape_window(rays, 64, SINEW_RESPONSE_ARC);
    sinew_Vec3 center = sinew_vec3_normalize_or(sinew_vec3(1.0, 0.5, 0.0), rays[0]);
    double published = cos(atan(0.5 / sqrt(1.25)));
    int accepted = 0, wrong = 0;
    for (int i = 0; i < DIRECTIONS; ++i) {
        test_Random random = test_case(142, i);
        sinew_Vec3 u = test_unit_vector(&random);
        bool inside = inside_by_sides(limit, u, 0.0);
        if (sinew_vec3_dot(u, limit->cap_center) >= limit->cap_cosine) { TEST_TRUE(inside); }
        if (sinew_vec3_dot(u, center) >= published) {
            ++accepted;
            wrong += !inside;
        }
    }
    print_message(
        "    the published threshold accepts %.1f %% wrongly\n", 100.0 * wrong / accepted);
    TEST_TRUE(wrong > accepted / 10);
    sinew_ball_limit_destroy(limit);
}

// LIM-13, with fast answers and the whole decomposition side by side
static void fast_answers_agree_with_the_decomposition(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        int inside = 0;
        for (int i = 0; i < DIRECTIONS; ++i) {
            test_Random random = test_case(143 + (uint64_t)shape, i);
            sinew_Quat r = test_unit_quat(&random);
            sinew_SwingTwist parts = sinew_swing_twist_decompose(r);
            sinew_Vec3 u = snw_bone_of(r);
            double to_twist = fmin(fabs(parts.twist - limit->def.twist_lower),
                fabs(parts.twist - limit->def.twist_upper));
            if (to_twist < 1e-12) { continue; }
            bool expected = parts.twist >= limit->def.twist_lower
                && parts.twist <= limit->def.twist_upper
                && inside_by_sides(limit, u, SNW_LIMIT_SLACK);
            inside += expected;
            TEST_TRUE(snw_ball_holds(limit, r, NULL) == expected);
            TEST_TRUE(snw_ball_allows(limit, r, NULL) == expected);
        }
        TEST_TRUE(inside > 1000);
        sinew_ball_limit_destroy(limit);
    }
}

// LIM-14: a long walk inside the limits
static void trigonometry_runs_on_violation_only(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        test_Random random = test_random(150 + (uint64_t)shape);
        snw_LimitCounts counts = { 0 };
        sinew_Quat r = snw_ball_rotation(limit, sinew_ball_limit_middle(limit));
        for (int i = 0; i < 200000; ++i) {
            sinew_Quat next = sinew_quat_normalize(
                sinew_quat_mul(sinew_quat_exp(test_vector(&random, 0.1)), r));
            if (!snw_ball_holds(limit, next, NULL)) { continue; }
            snw_BallHold hold = snw_ball_hold(limit, r, test_unit_vector(&random), &counts);
            TEST_TRUE(snw_ball_violation(limit, next, &counts) == 0.0);
            TEST_TRUE(!snw_ball_hold_hits(limit, r, next, &hold, &counts));
            next = snw_ball_retract(limit, r, next, &hold, &counts);
            r = snw_ball_clamp(limit, limit->response, next, &counts);
        }
        print_message("    %s: %ld checks, %ld by x alone, %ld by the circle, %ld by a window's, "
                      "%ld windows gone through\n",
            shape_stars[shape].name, counts.checks, counts.near_accepts, counts.union_accepts,
            counts.window_accepts, counts.polygon_tests);
        TEST_TRUE(counts.checks > 100000);
        TEST_TRUE(counts.trigonometry == 0 && counts.responses == 0);
        // and it does run when something is violated
        snw_ball_violation(limit, snw_swing_twist(sinew_vec3(-1.0, 0.0, 0.0), 0.0), &counts);
        snw_ball_violation(limit, snw_swing_twist(limit->cap_center, 3.0), &counts);
        TEST_TRUE(counts.trigonometry > 0 && counts.responses == 2);
        sinew_ball_limit_destroy(limit);
    }
}

TEST_MAIN(cmocka_unit_test(convex_windows_agree_with_a_polygon_in_a_plane),
    cmocka_unit_test(star_windows_agree_with_swing_over_azimuth),
    cmocka_unit_test(windows_join_beyond_a_hemisphere), cmocka_unit_test(shared_sides_have_no_gap),
    cmocka_unit_test(outline_is_the_loop), cmocka_unit_test(outlines_of_mixed_windows_are_borders),
    cmocka_unit_test(circle_accepts_most_of_a_hexagon),
    cmocka_unit_test(early_answers_are_never_wrong),
    cmocka_unit_test(circle_off_the_normal_is_no_cone),
    cmocka_unit_test(fast_answers_agree_with_the_decomposition),
    cmocka_unit_test(trigonometry_runs_on_violation_only))
