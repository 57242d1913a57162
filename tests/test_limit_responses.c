#include "limit_shapes.h"

// Where poses end that were sent outside: the three responses, and both limits together.

static const sinew_Vec3 along_x = { 1.0, 0.0, 0.0 };

// any window, by its sides
static bool inside(const sinew_BallLimit *limit, sinew_Vec3 u, double slack)
{
    for (int i = 0; i < limit->window_count; ++i) {
        const snw_Window *window = limit->windows + i;
        if (snw_sides_hold(limit->sides + window->side_start, window->side_count, u, slack)) {
            return true;
        }
    }
    return false;
}

// a direction outside
static sinew_Vec3 attempt(const sinew_BallLimit *limit, test_Random *random)
{
    for (;;) {
        sinew_Vec3 u = test_unit_vector(random);
        if (!inside(limit, u, 1e-6)) { return u; }
    }
}

static sinew_BallLimit *random_convex(
    test_Random *random, int count, double radius, sinew_LimitResponse response, sinew_Vec3 *rays)
{
    sinew_Vec3 off = sinew_vec3_scale(test_unit_vector(random), 0.3 * sin(radius));
    sinew_Vec3 center = sinew_vec3_add(along_x, off);
    shape_convex(random, sinew_vec3_normalize_or(center, along_x), radius, count, rays);
    return shape_window(rays, count, response);
}

static double slerp_distance(sinew_Vec3 a, sinew_Vec3 b, sinew_Vec3 u, double t)
{
    double angle = shape_angle(a, b);
    sinew_Vec3 p = sinew_vec3_add(sinew_vec3_scale(a, sin((1.0 - t) * angle) / sin(angle)),
        sinew_vec3_scale(b, sin(t * angle) / sin(angle)));
    return shape_angle(p, u);
}

// Smallest distance from u to the side from a to b, by looking at all of it.
static double search_side(sinew_Vec3 a, sinew_Vec3 b, sinew_Vec3 u)
{
    enum { STEPS = 200 };
    double best = 8.0, at = 0.0;
    for (int i = 0; i <= STEPS; ++i) {
        double distance = slerp_distance(a, b, u, i / (double)STEPS);
        if (distance < best) {
            best = distance;
            at = i / (double)STEPS;
        }
    }
    for (double step = 1.0 / STEPS; step > 1e-9; step *= 0.5) {
        for (int way = -1; way <= 1; way += 2) {
            double t = fmin(fmax(at + way * step, 0.0), 1.0);
            double distance = slerp_distance(a, b, u, t);
            if (distance < best) {
                best = distance;
                at = t;
            }
        }
    }
    return best;
}

// Where the straight path from x to u leaves, by small steps and halving; with the angle along it.
static sinew_Vec3 search_exit(const sinew_BallLimit *limit, sinew_Vec3 u, double *out_angle)
{
    double whole = shape_angle(along_x, u), low = 0.0, high = whole;
    for (int i = 1; i <= 400; ++i) {
        double t = whole * i / 400;
        sinew_Vec3 p = sinew_vec3_add(sinew_vec3_scale(along_x, sin(whole - t) / sin(whole)),
            sinew_vec3_scale(u, sin(t) / sin(whole)));
        if (!inside(limit, p, 1e-12)) {
            high = t;
            break;
        }
        low = t;
    }
    sinew_Vec3 p = along_x;
    for (int i = 0; i < 60; ++i) {
        double t = 0.5 * (low + high);
        p = sinew_vec3_add(sinew_vec3_scale(along_x, sin(whole - t) / sin(whole)),
            sinew_vec3_scale(u, sin(t) / sin(whole)));
        if (inside(limit, p, 1e-12)) {
            low = t;
        } else {
            high = t;
        }
    }
    *out_angle = low;
    return p;
}

// how far p is from the nearest side of the window, as a plane
static int nearest_plane(const sinew_BallLimit *limit, sinew_Vec3 p, double *out_height)
{
    int best = -1;
    *out_height = 8.0;
    for (int i = 0; i < limit->windows[0].side_count; ++i) {
        double height = fabs(sinew_vec3_dot(limit->sides[i].n, p));
        if (height < *out_height) {
            *out_height = height;
            best = i;
        }
    }
    return best;
}

// LIM-6, LIM-7, LIM-8
static void path_responses_end_on_the_side_that_is_hit(void **state)
{
    (void)state;
    double worst_planar = 0.0;
    int tests = 0, planar_tests = 0, planar_longer = 0, not_closest = 0;
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(201, i);
        sinew_Vec3 rays[9];
        int count = 3 + test_int(&random, 7);
        double radius = test_range(&random, 0.2, 1.2);
        sinew_BallLimit *limit = random_convex(&random, count, radius, SINEW_RESPONSE_ARC, rays);
        sinew_Vec3 u = attempt(limit, &random);
        // for every direction to have a path, and a plane path at that, x must be well inside
        if (inside(limit, along_x, -1e-3) && shape_angle(along_x, u) < 3.1) {
            double angle, height;
            sinew_Vec3 left = search_exit(limit, u, &angle);
            int side = nearest_plane(limit, left, &height);
            snw_Foot b = snw_ball_respond(limit, SINEW_RESPONSE_INTERSECTION, u, NULL);
            snw_Foot a = snw_ball_respond(limit, SINEW_RESPONSE_CLOSEST, u, NULL);
            snw_Foot c = snw_ball_respond(limit, SINEW_RESPONSE_ARC, u, NULL);

            // B: on the outline and on the great circle, at the angle found by search
            nearest_plane(limit, b.point, &height);
            TEST_NEAR(height, 0.0, 1e-12);
            TEST_TRUE(inside(limit, b.point, SNW_LIMIT_SLACK));
            sinew_Vec3 plane = sinew_vec3_cross(along_x, u);
            plane = sinew_vec3_normalize_or(plane, along_x);
            TEST_NEAR(sinew_vec3_dot(plane, b.point), 0.0, 1e-12);
            TEST_NEAR(shape_angle(along_x, b.point), angle, 1e-8);

            // A: on that side, as close as a dense search along it gets
            TEST_TRUE(inside(limit, a.point, SNW_LIMIT_SLACK));
            const snw_Piece *piece = limit->pieces + a.piece;
            TEST_NEAR(sinew_vec3_dot(piece->side.n, a.point), 0.0, 1e-12);
            sinew_Vec3 corner[2] = { piece->a, piece->b };
            double along_side = search_side(corner[0], corner[1], u);
            TEST_NEAR(shape_angle(a.point, u), along_side, 1e-8);
            double to_corner = fmin(
                sinew_vec3_distance(left, corner[0]), sinew_vec3_distance(left, corner[1]));
            if (to_corner > 1e-6) {
                TEST_NEAR(sinew_vec3_distance(piece->side.n, limit->sides[side].n), 0.0, 0.0);
            }

            // C is nearest of all, A is no farther than B
            TEST_TRUE(c.chord2 <= a.chord2 + 1e-14 && a.chord2 <= b.chord2 + 1e-14);
            not_closest += a.chord2 > c.chord2 + 1e-12;
            ++tests;

            // in the plane across the middle of the window, where it can be looked at
            sinew_Vec3 m = limit->cap_center;
            double um = sinew_vec3_dot(u, m);
            if (um > 0.05) {
                sinew_Vec3 pu = sinew_vec3_scale(u, 1.0 / um);
                sinew_Vec3 pa = sinew_vec3_scale(a.point, 1.0 / sinew_vec3_dot(a.point, m));
                sinew_Vec3 pb = sinew_vec3_scale(b.point, 1.0 / sinew_vec3_dot(b.point, m));
                double da = sinew_vec3_distance(pu, pa), db = sinew_vec3_distance(pu, pb);
                ++planar_tests;
                planar_longer += da > db + 1e-12;
                worst_planar = fmax(worst_planar, da / db - 1.0);
            }
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message(
        "    %d attempts; the side hit is not the nearest in %.1f %%; in a plane A is farther "
        "than B in %.2f %% of %d, by %.1f %% at most\n",
        tests, 100.0 * not_closest / tests, 100.0 * planar_longer / planar_tests, planar_tests,
        100.0 * worst_planar);
    TEST_TRUE(tests > 10000);
}

// LIM-8: accepted attempts are the same for all, with their bits
static void responses_agree_on_what_is_accepted(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limits[3];
        for (int i = 0; i < 3; ++i) { limits[i] = shape_star(shape, (sinew_LimitResponse)i); }
        for (int i = 0; i < 20000; ++i) {
            test_Random random = test_case(202, i);
            sinew_Quat q = test_unit_quat(&random);
            bool allowed = sinew_ball_limit_allows(limits[0], q);
            for (int k = 0; k < 3; ++k) {
                TEST_TRUE(sinew_ball_limit_allows(limits[k], q) == allowed);
                sinew_Quat r = sinew_ball_limit_clamp(limits[k], q);
                bool same = r.x == q.x && r.y == q.y && r.z == q.z && r.w == q.w;
                TEST_TRUE(same == allowed);
            }
        }
        for (int i = 0; i < 3; ++i) { sinew_ball_limit_destroy(limits[i]); }
    }
}

// LIM-3, LIM-8: whatever the response, a clamped pose is inside, stays there when clamped again, and
// swing and twist go by themselves
static void clamped_poses_are_inside(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        for (int response = 0; response < 3; ++response) {
            sinew_BallLimit *limit = shape_star(shape, (sinew_LimitResponse)response);
            for (int i = 0; i < 40000; ++i) {
                test_Random random = test_case(203, i);
                sinew_Quat q = test_unit_quat(&random), again;
                sinew_Quat r = sinew_ball_limit_clamp(limit, q);
                worst = fmax(worst, sinew_ball_limit_violation(limit, r));
                TEST_TRUE(sinew_ball_limit_allows(limit, r));
                again = sinew_ball_limit_clamp(limit, r);
                TEST_TRUE(again.x == r.x && again.y == r.y && again.z == r.z && again.w == r.w);

                // the twist is what it was, or the bound nearer to it
                sinew_Vec3 u_before, u;
                double before, after;
                sinew_ball_limit_measure(limit, q, &u_before, &before);
                sinew_ball_limit_measure(limit, r, &u, &after);
                double lower = limit->def.twist_lower, upper = limit->def.twist_upper;
                double wanted = before;
                if (before < lower || before > upper) {
                    bool low = fabs(remainder(before - lower, 2.0 * SINEW_PI))
                        < fabs(remainder(before - upper, 2.0 * SINEW_PI));
                    wanted = low ? lower : upper;
                }
                TEST_NEAR(after, wanted, 1e-9);
                if (inside(limit, u_before, 0.0)) { TEST_VEC3_NEAR(u, u_before, 1e-9); }
            }
            sinew_ball_limit_destroy(limit);
        }
    }
    print_message("    worst violation after a clamp %.1e rad\n", worst);
    TEST_TRUE(worst < 1e-12);
}

// LIM-6, LIM-7 where windows are several: the path goes on over seams
static void check_star_path(const sinew_BallLimit *limit, const sinew_Vec3 *rays, int count,
    sinew_Vec3 u, const snw_Foot *hit)
{
    double angle;
    sinew_Vec3 left = search_exit(limit, u, &angle);
    snw_Foot exit = snw_ball_respond(limit, SINEW_RESPONSE_INTERSECTION, u, NULL);
    TEST_NEAR(sinew_vec3_distance(exit.point, left), 0.0, 1e-8);
    int side = -1;
    for (int i = 0; i < count; ++i) {
        if (search_side(rays[i], rays[(i + 1) % count], left) < 1e-8) { side = i; }
    }
    TEST_TRUE(side >= 0);
    double best = search_side(rays[side], rays[(side + 1) % count], u);
    TEST_NEAR(shape_angle(hit->point, u), best, 1e-7);
}

// LIM-8: the nearest point of all windows, against a look at every side
static void arc_response_is_the_nearest_point(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        sinew_Vec3 rays[12];
        int count = shape_rays(shape, rays), side_hit_farther = 0;
        double farther = 0.0;
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(204, i);
            sinew_Vec3 u = attempt(limit, &random);
            double best = 8.0;
            for (int j = 0; j < count; ++j) {
                best = fmin(best, search_side(rays[j], rays[(j + 1) % count], u));
            }
            snw_Foot foot = snw_outline_closest(limit, u);
            TEST_NEAR(shape_angle(foot.point, u), best, 1e-7);
            TEST_NEAR(sinew_ball_limit_violation(
                          limit, sinew_ball_limit_pose(limit, u, limit->twist_middle)),
                best, 1e-7);
            snw_Foot hit = snw_ball_respond(limit, SINEW_RESPONSE_CLOSEST, u, NULL);
            check_star_path(limit, rays, count, u, &hit);
            side_hit_farther += hit.chord2 > foot.chord2 + 1e-12;
            farther = fmax(farther, shape_angle(hit.point, u) - best);
        }
        print_message(
            "    %s: the side hit is not the nearest in %.1f %%, up to %.0f deg farther\n",
            shape_stars[shape].name, side_hit_farther / 10.0, farther / DEGREE);
        sinew_ball_limit_destroy(limit);
    }
}

// Points that differ by less than 1e-8 rad have the same cosine: chords tell them apart.
static void tiny_excess_is_measured(void **state)
{
    (void)state;
    sinew_BallLimit *limits[SHAPE_COUNT];
    shape_all(limits);
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(205, i);
        const sinew_BallLimit *limit = limits[i % SHAPE_COUNT];
        const snw_Piece *piece = limit->pieces + test_int(&random, limit->piece_count);
        sinew_Vec3 p = sinew_vec3_lerp(piece->a, piece->b, test_range(&random, 0.1, 0.9));
        p = snw_piece_closest(piece, sinew_vec3_normalize_or(p, piece->a));
        double excess = pow(10.0, test_range(&random, -11.0, -4.0));
        sinew_Vec3 u = sinew_vec3_add_scaled(p, piece->side.n, -excess);
        u = sinew_vec3_normalize_or(u, p);
        sinew_Quat q = sinew_ball_limit_pose(limit, u, limit->twist_middle);
        TEST_NEAR(sinew_ball_limit_violation(limit, q), excess, 1e-14 + 1e-4 * excess);
        sinew_Vec3 back;
        sinew_ball_limit_measure(limit, sinew_ball_limit_clamp(limit, q), &back, NULL);
        TEST_NEAR(sinew_vec3_distance(back, p), 0.0, 1e-13 + 1e-4 * excess);
    }
    shape_destroy_all(limits);
}

// a window that leaves the neutral direction out: paths start at the point nearest to it
static void windows_may_leave_the_neutral_direction_out(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(206, i);
        sinew_Vec3 rays[6], center = test_unit_vector(&random);
        if (center.x > 0.5) { continue; }
        shape_convex(&random, center, 0.5, 6, rays);
        sinew_BallLimit *limit = shape_window(rays, 6, SINEW_RESPONSE_INTERSECTION);
        for (int k = 0; k < 20; ++k) {
            sinew_Vec3 u = attempt(limit, &random);
            for (int response = 0; response < 3; ++response) {
                snw_Foot foot = snw_ball_respond(limit, (sinew_LimitResponse)response, u, NULL);
                TEST_TRUE(inside(limit, foot.point, SNW_LIMIT_SLACK));
                TEST_TRUE(foot.piece >= 0);
            }
        }
        sinew_ball_limit_destroy(limit);
    }
}

// cones: all three responses where they can be computed by hand
static void cones_respond_on_their_rim(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(207, i);
        sinew_Vec3 axis = test_unit_vector(&random);
        double half = test_range(&random, 0.01, 3.1);
        sinew_ReachWindow window = sinew_reach_cone(&axis, half);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        def.windows = &window;
        def.window_count = 1;
        sinew_BallLimit *limit = shape_create(&def);
        sinew_Vec3 u = test_unit_vector(&random);
        double away = shape_angle(axis, u);
        sinew_Quat q = sinew_ball_limit_pose(limit, u, 0.0);
        TEST_NEAR(sinew_ball_limit_violation(limit, q), fmax(away - half, 0.0), 1e-9);
        if (away > half + 1e-9) {
            for (int response = 0; response < 3; ++response) {
                snw_Foot foot = snw_ball_respond(limit, (sinew_LimitResponse)response, u, NULL);
                TEST_NEAR(shape_angle(axis, foot.point), half, 1e-9);
            }
        }
        sinew_ball_limit_destroy(limit);
    }
}

// LIM-12: at and near a swing of pi nothing breaks, and the twist is free at the very pole
static void swings_of_half_a_turn_are_clamped_like_others(void **state)
{
    (void)state;
    sinew_BallLimit *limit = shape_star(SHAPE_SHOULDER, SINEW_RESPONSE_ARC);
    sinew_BallLimitDef def = *sinew_ball_limit_def(limit);
    def.window_count = 0;
    def.star = false;
    sinew_BallLimit *twist_alone = shape_create(&def);
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(208, i);
        double off = i % 4 == 0 ? 0.0 : pow(10.0, test_range(&random, -9.0, -2.0));
        double turn = test_range(&random, 0.0, 6.3), lean = test_range(&random, 0.0, 6.3);
        sinew_Quat q = { off * cos(lean), cos(turn), sin(turn), off * sin(lean) };
        q = sinew_quat_normalize(q);
        TEST_TRUE(!sinew_ball_limit_allows(limit, q));
        sinew_Quat r = sinew_ball_limit_clamp(limit, q);
        TEST_TRUE(sinew_ball_limit_violation(limit, r) < 1e-12);
        r = sinew_ball_limit_clamp(twist_alone, q);
        TEST_TRUE(sinew_ball_limit_violation(twist_alone, r) < 1e-9);
        if (off == 0.0) { TEST_TRUE(sinew_ball_limit_allows(twist_alone, q)); }
    }
    sinew_ball_limit_destroy(limit);
    sinew_ball_limit_destroy(twist_alone);
}

TEST_MAIN(cmocka_unit_test(path_responses_end_on_the_side_that_is_hit),
    cmocka_unit_test(responses_agree_on_what_is_accepted),
    cmocka_unit_test(clamped_poses_are_inside), cmocka_unit_test(arc_response_is_the_nearest_point),
    cmocka_unit_test(tiny_excess_is_measured),
    cmocka_unit_test(windows_may_leave_the_neutral_direction_out),
    cmocka_unit_test(cones_respond_on_their_rim),
    cmocka_unit_test(swings_of_half_a_turn_are_clamped_like_others))
