#include "limit_shapes.h"

#include <string.h>

// Moving balls along their limits: what is held, what is hit, and where moves end.

static const sinew_Vec3 along_x = { 1.0, 0.0, 0.0 };

static sinew_Quat turned(sinew_Quat r, sinew_Vec3 w)
{
    return sinew_quat_normalize(sinew_quat_mul(sinew_quat_exp(w), r));
}

// neutral_from_bone inside the limits
static sinew_Quat inside_limits(const sinew_BallLimit *limit, test_Random *random)
{
    return snw_ball_rotation(limit, shape_pose_inside(limit, random));
}

// the same, moved somewhere onto the limits
static sinew_Quat on_limits(const sinew_BallLimit *limit, test_Random *random)
{
    return snw_ball_clamp(limit, limit->response, test_unit_quat(random), NULL);
}

static void check_axes(const snw_BallHold *hold)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            TEST_NEAR(sinew_vec3_dot(hold->axes[i], hold->axes[j]), i == j ? 1.0 : 0.0, 1e-13);
        }
    }
    TEST_VEC3_NEAR(sinew_vec3_cross(hold->axes[0], hold->axes[1]), hold->axes[2], 1e-13);
    TEST_TRUE(hold->count >= 0 && hold->count <= 3);
}

// a step with the held directions at their prescribed values
static sinew_Vec3 held_step(const snw_BallHold *hold, sinew_Vec3 w)
{
    for (int i = 0; i < hold->count; ++i) {
        double change = hold->values[i] - sinew_vec3_dot(hold->axes[i], w);
        w = sinew_vec3_add_scaled(w, hold->axes[i], change);
    }
    return w;
}

// ---------------------------------------------------------------------------------------------
// The cone

// The longest feasible projection on what is orthogonal to some of the normals, all subsets tried.
static sinew_Vec3 project_by_enumeration(
    const sinew_Vec3 *normals, int count, int locked, sinew_Vec3 force)
{
    sinew_Vec3 best = { 0.0, 0.0, 0.0 };
    for (int set = 0; set < 1 << count; ++set) {
        if (locked >= 0 && !(set >> locked & 1)) { continue; }
        sinew_Vec3 w = force, basis[4];
        int size = 0;
        for (int i = 0; i < count; ++i) {
            if (!(set >> i & 1)) { continue; }
            sinew_Vec3 v = normals[i];
            for (int pass = 0; pass < 2; ++pass) {
                for (int j = 0; j < size; ++j) {
                    v = sinew_vec3_add_scaled(v, basis[j], -sinew_vec3_dot(v, basis[j]));
                }
            }
            if (sinew_vec3_length(v) < 1e-9) { continue; }
            basis[size] = sinew_vec3_normalize_or(v, v);
            w = sinew_vec3_add_scaled(w, basis[size], -sinew_vec3_dot(w, basis[size]));
            ++size;
        }
        bool feasible = true;
        for (int i = 0; i < count; ++i) {
            feasible = feasible && sinew_vec3_dot(normals[i], w) >= -1e-11;
        }
        if (feasible && sinew_vec3_dot(w, w) > sinew_vec3_dot(best, best)) { best = w; }
    }
    return best;
}

static void projection_on_the_cone_is_exact(void **state)
{
    (void)state;
    int held_counts[4] = { 0 };
    for (int i = 0; i < 200000; ++i) {
        test_Random random = test_case(301, i);
        sinew_Vec3 normals[4], w,
            force = sinew_vec3_scale(
                test_unit_vector(&random), pow(10.0, test_range(&random, -6.0, 3.0)));
        double size = sinew_vec3_length(force);
        int count = 1 + test_int(&random, 4), held[3] = { -1, -1, -1 };
        int locked = test_int(&random, 4) == 0 ? 0 : -1;
        sinew_Vec3 u = test_unit_vector(&random);
        normals[0] = sinew_vec3_scale(test_unit_vector(&random), test_range(&random, 1.0, 5.0));
        for (int j = 1; j < count; ++j) {
            // sides: across u, now and then nearly opposite or the same
            normals[j] = sinew_vec3_cross(u, test_unit_vector(&random));
            normals[j] = sinew_vec3_normalize_or(normals[j], u);
            if (j == 2 && i % 7 == 0) { normals[2] = sinew_vec3_scale(normals[1], -1.0); }
            if (j == 3 && i % 5 == 0) { normals[3] = normals[1]; }
        }
        int held_count = snw_project_cone(normals, count, locked, force, &w, held);
        sinew_Vec3 expected = project_by_enumeration(
            normals, count, locked, sinew_vec3_scale(force, 1.0 / size));
        TEST_VEC3_NEAR(sinew_vec3_scale(w, 1.0 / size), expected, 1e-9);
        ++held_counts[held_count];
        for (int j = 0; j < held_count && held_count < 3; ++j) {
            TEST_NEAR(sinew_vec3_dot(normals[held[j]], w), 0.0, 1e-10 * size);
        }
    }
    print_message("    none held %d, one %d, two %d, all %d\n", held_counts[0], held_counts[1],
        held_counts[2], held_counts[3]);
    for (int i = 0; i < 4; ++i) { TEST_TRUE(held_counts[i] > 1000); }
}

// a force straight into a corner holds its two sides and leaves the turn about the bone free
static void corner_leaves_the_turn_about_the_bone(void **state)
{
    (void)state;
    sinew_Vec3 rays[4];
    sinew_reach_ellipse(0.5, 0.7, 4, rays);
    sinew_BallLimit *limit = shape_window(rays, 4, SINEW_RESPONSE_ARC);
    for (int i = 0; i < 4; ++i) {
        sinew_Quat r = sinew_quat_from_x(rays[i]);
        // outward: from x to the corner
        sinew_Vec3 out = sinew_vec3_cross(along_x, rays[i]);
        snw_BallHold hold = snw_ball_hold(limit, r, out, NULL);
        check_axes(&hold);
        TEST_INT(hold.count, 2);
        TEST_NEAR(fabs(sinew_vec3_dot(hold.axes[2], rays[i])), 1.0, 1e-9);
        hold = snw_ball_hold(limit, r, sinew_vec3_scale(out, -1.0), NULL);
        TEST_INT(hold.count, 0);
        hold = snw_ball_hold(limit, r, rays[i], NULL);
        TEST_INT(hold.count, 0);
    }
    sinew_ball_limit_destroy(limit);
}

// ---------------------------------------------------------------------------------------------
// Rates: small moves against what is held

// Whatever is allowed by the cone keeps r inside to second order; held directions stop it.
static void free_moves_stay_inside_to_second_order(void **state)
{
    (void)state;
    int held_counts[4] = { 0 };
    double worst = 0.0;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        for (int i = 0; i < 40000; ++i) {
            test_Random random = test_case(302, i);
            sinew_Quat r = on_limits(limit, &random);
            sinew_Vec3 force = test_unit_vector(&random);
            // near a swing of pi the rate of the twist itself runs away
            if (snw_bone_of(r).x < -0.9) { continue; }
            snw_BallHold hold = snw_ball_hold(limit, r, force, NULL);
            check_axes(&hold);
            ++held_counts[hold.count];
            sinew_Vec3 w = held_step(&hold, force);
            // so small that no other corner is near
            double h = 1e-7;
            double excess = snw_ball_violation(limit, turned(r, sinew_vec3_scale(w, h)), NULL);
            worst = fmax(worst, excess);
            TEST_TRUE(excess <= 1e-12);
            // and where something was held, the force itself would leave
            if (hold.count > 0 && hold.count < 3) {
                double lost = sinew_vec3_distance(w, force);
                double out = snw_ball_violation(limit, turned(r, sinew_vec3_scale(force, h)), NULL);
                if (lost > 0.1) { TEST_TRUE(out > 0.01 * h); }
            }
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message("    held none %d, one %d, two %d, three %d; excess %.0e at most\n",
        held_counts[0], held_counts[1], held_counts[2], held_counts[3], worst);
    TEST_TRUE(held_counts[0] > 100 && held_counts[1] > 100 && held_counts[2] > 100);
}

// the twist's rate by differences, and the bound that is told apart
static void twist_bounds_hold_their_own_side(void **state)
{
    (void)state;
    for (int i = 0; i < 40000; ++i) {
        test_Random random = test_case(303, i);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        double a = test_range(&random, -3.1, 3.1), b = test_range(&random, -3.1, 3.1);
        def.twist_lower = fmin(a, b) - 0.01;
        def.twist_upper = fmax(a, b) + 0.01;
        sinew_BallLimit *limit = shape_create(&def);
        bool upper = test_int(&random, 2) == 0;
        sinew_Vec3 u = test_unit_vector(&random);
        if (u.x < -0.95) { u.x = -u.x; }
        sinew_Quat r = snw_swing_twist(u, upper ? def.twist_upper : def.twist_lower);

        sinew_Vec3 g = { 1.0, u.y / (1.0 + u.x), u.z / (1.0 + u.x) };
        TEST_NEAR(sinew_vec3_dot(g, u), 1.0, 1e-12);
        TEST_NEAR(sinew_vec3_length(g), 1.0 / cos(0.5 * acos(u.x)), 1e-9);
        sinew_Vec3 w = test_unit_vector(&random);
        double h = 1e-6;
        double change = snw_twist_of(turned(r, sinew_vec3_scale(w, h)))
            - snw_twist_of(turned(r, sinew_vec3_scale(w, -h)));
        TEST_NEAR(remainder(change, 2.0 * SINEW_PI) / (2.0 * h), sinew_vec3_dot(w, g), 1e-7);

        bool out = (sinew_vec3_dot(w, g) > 0.0) == upper;
        snw_BallHold hold = snw_ball_hold(limit, r, w, NULL);
        TEST_INT(hold.count, out ? 1 : 0);
        if (out) {
            double along = fabs(sinew_vec3_dot(hold.axes[0], g)) / sinew_vec3_length(g);
            TEST_NEAR(along, 1.0, 1e-12);
        }
        sinew_ball_limit_destroy(limit);
    }
}

static void locked_twist_is_always_held(void **state)
{
    (void)state;
    sinew_Vec3 rays[6];
    sinew_reach_ellipse(1.0, 0.6, 6, rays);
    sinew_ReachWindow window = sinew_reach_polygon(rays, 6);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.twist_lower = def.twist_upper = 0.2;
    sinew_BallLimit *limit = shape_create(&def);
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(304, i);
        sinew_Quat r = on_limits(limit, &random);
        sinew_Vec3 u = snw_bone_of(r);
        sinew_Vec3 g = { 1.0, u.y / (1.0 + u.x), u.z / (1.0 + u.x) };
        snw_BallHold hold = snw_ball_hold(limit, r, test_unit_vector(&random), NULL);
        TEST_TRUE(hold.count >= 1);
        sinew_Vec3 w = held_step(&hold, test_unit_vector(&random));
        TEST_NEAR(sinew_vec3_dot(w, g), 0.0, 1e-9);
        // a pose at the bound is one that is allowed, with the bound's bits or nearly
        TEST_TRUE(snw_ball_holds(limit, r, NULL));
        TEST_NEAR(snw_twist_of(r), 0.2, 1e-15 * 4.0);
    }
    sinew_ball_limit_destroy(limit);
}

// ---------------------------------------------------------------------------------------------
// Seams and corners of unions

// on a seam, and at the point that all windows share, every way is free
static void seams_hold_nothing(void **state)
{
    (void)state;
    sinew_BallLimit *limit = shape_star(SHAPE_HIP, SINEW_RESPONSE_ARC);
    sinew_Vec3 rays[12];
    int count = shape_rays(SHAPE_HIP, rays);
    // without circles that would answer first
    limit->near_x = 2.0;
    limit->cap_cosine = 2.0;
    for (int i = 0; i < 50000; ++i) {
        test_Random random = test_case(305, i);
        sinew_Vec3 ray = rays[test_int(&random, count)];
        sinew_Vec3 u = sinew_vec3_lerp(
            along_x, ray, i % 10 == 0 ? 0.0 : test_range(&random, 0.0, 0.9));
        sinew_Quat r = snw_swing_twist(sinew_vec3_normalize_or(u, along_x), 0.1);
        snw_BallHold hold = snw_ball_hold(limit, r, test_unit_vector(&random), NULL);
        TEST_INT(hold.count, 0);
        // nor does a step into the next window hit anything
        sinew_Quat next = turned(r, test_vector(&random, 1e-3));
        if (snw_ball_holds(limit, next, NULL)) {
            TEST_TRUE(!snw_ball_hold_hits(limit, r, next, &hold, NULL));
        }
    }
    sinew_ball_limit_destroy(limit);
}

// a corner that points inward lets the bone go to the better side of it
static void inward_corners_open_to_the_better_side(void **state)
{
    (void)state;
    sinew_Vec3 loop[8];
    double azimuths[8], swings[8];
    for (int i = 0; i < 8; ++i) {
        azimuths[i] = i * SINEW_PI / 4.0;
        swings[i] = i % 2 == 0 ? 1.0 : 0.3;
    }
    sinew_reach_polar(azimuths, swings, 8, false, loop);
    sinew_ReachWindow window = sinew_reach_polygon(loop, 8);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.star = true;
    sinew_BallLimit *limit = shape_create(&def);
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(306, i);
        sinew_Vec3 corner = loop[1 + 2 * test_int(&random, 4)];
        sinew_Quat r = sinew_quat_from_x(corner);
        sinew_Vec3 force = test_unit_vector(&random);
        snw_BallHold hold = snw_ball_hold(limit, r, force, NULL);
        // never both sides: along one of them there is always a way
        TEST_TRUE(hold.count <= 1);
        sinew_Vec3 w = held_step(&hold, force);
        sinew_Vec3 step = sinew_vec3_scale(w, 1e-4 / fmax(sinew_vec3_length(w), 1e-3));
        TEST_TRUE(snw_ball_violation(limit, turned(r, step), NULL) < 1e-7);
        // and no feasible way is better: try many
        for (int k = 0; k < 20; ++k) {
            sinew_Vec3 way = test_unit_vector(&random);
            if (snw_ball_violation(limit, turned(r, sinew_vec3_scale(way, 1e-4)), NULL) > 0.0) {
                continue;
            }
            TEST_TRUE(sinew_vec3_dot(way, force) <= sinew_vec3_length(w) + 1e-3);
        }
    }
    sinew_ball_limit_destroy(limit);
}

// ---------------------------------------------------------------------------------------------
// Hits

// Prescribed rotations end on the limits that would be crossed, but for second order: with the sign of
// a prescribed value wrong, or another normal, they would end h away.
static void prescribed_moves_end_on_the_limit(void **state)
{
    (void)state;
    sinew_BallLimit *limits[SHAPE_COUNT];
    shape_all(limits);
    for (int digit = 1; digit <= 4; ++digit) {
        double h = pow(10.0, -digit), worst_side = 0.0, worst_twist = 0.0, worst_before = 0.0;
        int sides = 0, corners = 0, twists = 0;
        for (int i = 0; i < 20000; ++i) {
            test_Random random = test_case(307, i);
            const sinew_BallLimit *limit = limits[i % SHAPE_COUNT];
            // up to h inside the limits, and a move of that size
            sinew_Quat r = on_limits(limit, &random);
            sinew_Quat moved = turned(r, test_vector(&random, h));
            if (snw_ball_holds(limit, moved, NULL)) { r = moved; }
            sinew_Vec3 w = test_vector(&random, h);
            sinew_Quat next = turned(r, w);
            snw_BallHold hold = snw_ball_hold_none();
            if (snw_bone_of(r).x > -0.8 && snw_ball_hold_hits(limit, r, next, &hold, NULL)) {
                check_axes(&hold);
                worst_before = fmax(worst_before, snw_ball_violation(limit, next, NULL) / h);
                next = turned(r, held_step(&hold, w));
                for (int k = 0; k < hold.side_count; ++k) {
                    double height = sinew_vec3_dot(hold.sides[k].n, snw_bone_of(next));
                    worst_side = fmax(worst_side, fabs(height - hold.sides[k].d) / (h * h));
                }
                if (hold.twist != 0) {
                    double bound = hold.twist < 0 ? limit->def.twist_lower : limit->def.twist_upper;
                    worst_twist = fmax(worst_twist, fabs(snw_twist_of(next) - bound) / (h * h));
                }
                sides += hold.side_count > 0;
                corners += hold.side_count == 2;
                twists += hold.twist != 0;
            }
        }
        print_message(
            "    h %.0e: %d sides, %d corners, %d twists hit, by %.1f h; ends %.1f h^2 off a "
            "side, %.1f h^2 off a twist\n",
            h, sides, corners, twists, worst_before, worst_side, worst_twist);
        TEST_TRUE(sides > 1000 && corners > 100 && twists > 500 && worst_before > 1.0);
        TEST_TRUE(worst_side < 10.0 && worst_twist < 30.0);
    }
    shape_destroy_all(limits);
}

// Planes of sides go on beyond their ends, through other windows; there they hold nothing. Held at a
// distance of 0, as they would be, they keep a bone where no limit is.
static void sides_hold_nothing_beyond_their_ends(void **state)
{
    (void)state;
    sinew_BallLimit *limits[SHAPE_COUNT];
    shape_all(limits);
    int hits = 0;
    for (int i = 0; i < 100000; ++i) {
        test_Random random = test_case(312, i);
        const sinew_BallLimit *limit = limits[i % 3];
        // inside, on the circle of some side
        const snw_Side *side = &limit->pieces[test_int(&random, limit->piece_count)].side;
        sinew_Vec3 u = sinew_vec3_cross(side->n, test_unit_vector(&random));
        u = sinew_vec3_normalize_or(u, along_x);
        if (u.x > -0.9 && snw_windows_hold(limit, u, -1e-3, NULL)) {
            sinew_Quat r = snw_swing_twist(u, limit->twist_middle);
            sinew_Quat next = turned(r, test_vector(&random, 0.7));
            snw_BallHold hold = snw_ball_hold_none();
            if (snw_ball_hold_hits(limit, r, next, &hold, NULL) && hold.side_count > 0) {
                TEST_TRUE(fabs(sinew_vec3_dot(hold.sides[0].n, u) - hold.sides[0].d) > 1e-9);
                ++hits;
            }
        }
    }
    print_message("    %d hits\n", hits);
    TEST_TRUE(hits > 1000);
    shape_destroy_all(limits);
}

// from the axis of a cone no side has a direction yet: the move gives it
static void cones_are_hit_from_their_axis(void **state)
{
    (void)state;
    sinew_ReachWindow window = sinew_reach_cone(&along_x, 0.3);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    sinew_BallLimit *limit = shape_create(&def);
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(308, i);
        double angle = test_range(&random, 0.0, 6.3), twist = test_range(&random, -3.0, 3.0);
        sinew_Vec3 w = { 0.0, 0.6 * cos(angle), 0.6 * sin(angle) };
        sinew_Quat r = snw_swing_twist(along_x, twist), next = turned(r, w);
        snw_BallHold hold = snw_ball_hold_none();
        TEST_TRUE(snw_ball_hold_hits(limit, r, next, &hold, NULL));
        sinew_Quat held = turned(r, held_step(&hold, w));
        TEST_NEAR(acos(snw_bone_of(held).x), 0.3, 1e-9);
        TEST_VEC3_NEAR(
            snw_bone_of(snw_ball_retract(limit, r, next, NULL, NULL)), snw_bone_of(held), 1e-9);
    }
    sinew_ball_limit_destroy(limit);
}

// a twist that goes over half a turn comes back to the bound that it passed
static void twist_over_half_a_turn_keeps_its_bound(void **state)
{
    (void)state;
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.twist_lower = -3.0;
    def.twist_upper = 3.0;
    sinew_BallLimit *limit = shape_create(&def);
    for (int sign = -1; sign <= 1; sign += 2) {
        sinew_Vec3 u = sinew_vec3_normalize_or(sinew_vec3(1.0, 0.5, -0.2), along_x);
        sinew_Quat r = snw_swing_twist(u, sign * 2.9);
        sinew_Vec3 w = sinew_vec3_scale(u, sign * 0.35);
        sinew_Quat next = turned(r, w);
        TEST_NEAR(snw_twist_of(next), -sign * (2.0 * SINEW_PI - 3.25), 1e-12);
        snw_BallHold hold = snw_ball_hold_none();
        TEST_TRUE(snw_ball_hold_hits(limit, r, next, &hold, NULL));
        TEST_NEAR(snw_twist_of(turned(r, held_step(&hold, w))), sign * 3.0, 0.02);
        TEST_NEAR(snw_twist_of(snw_ball_retract(limit, r, next, NULL, NULL)), sign * 3.0, 1e-14);
    }
    sinew_ball_limit_destroy(limit);
}

// ---------------------------------------------------------------------------------------------
// Retraction

static void retraction_is_the_smallest_turn_inside(void **state)
{
    (void)state;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        for (int i = 0; i < 20000; ++i) {
            test_Random random = test_case(309, i);
            sinew_Quat r = inside_limits(limit, &random);
            sinew_Quat next = turned(r, test_vector(&random, 0.7));
            sinew_Quat back = snw_ball_retract(limit, r, next, NULL, NULL);
            TEST_TRUE(snw_ball_holds(limit, back, NULL));
            sinew_Quat again = snw_ball_retract(limit, r, back, NULL, NULL);
            TEST_TRUE(memcmp(&again, &back, sizeof(back)) == 0);
            if (snw_ball_holds(limit, next, NULL)) {
                TEST_TRUE(memcmp(&next, &back, sizeof(back)) == 0);
                continue;
            }
            // where the twist stays inside by itself: no more than the bone's way
            double twist = snw_twist_of(back);
            if (twist > limit->def.twist_lower + 1e-9 && twist < limit->def.twist_upper - 1e-9) {
                double way = sqrt(snw_outline_closest(limit, snw_bone_of(next)).chord2);
                TEST_NEAR(2.0 * sin(0.5 * sinew_quat_angle(back, next)), way, 1e-7);
            }
        }
        sinew_ball_limit_destroy(limit);
    }
}

// What is held ends on its limits themselves, from wherever the move has curved to.
static void held_limits_are_met_exactly(void **state)
{
    (void)state;
    int sides = 0, corners = 0, twists = 0;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        sinew_BallLimit *limit = shape_star(shape, SINEW_RESPONSE_ARC);
        for (int i = 0; i < 20000; ++i) {
            test_Random random = test_case(311, i);
            sinew_Quat r = i % 2 == 0 ? on_limits(limit, &random) : inside_limits(limit, &random);
            sinew_Vec3 force = test_vector(&random, 0.2);
            snw_BallHold hold = snw_ball_hold(limit, r, force, NULL);
            sinew_Quat next = turned(r, held_step(&hold, force));
            if (snw_ball_hold_hits(limit, r, next, &hold, NULL)) {
                next = turned(r, held_step(&hold, force));
            }
            sinew_Quat back = snw_ball_retract(limit, r, next, &hold, NULL);
            TEST_TRUE(snw_ball_holds(limit, back, NULL));
            TEST_NEAR(sinew_quat_dot(back, back), 1.0, 1e-14);
            if (hold.twist != 0) {
                double bound = hold.twist < 0 ? limit->def.twist_lower : limit->def.twist_upper;
                // rounding grows towards a swing of pi
                TEST_NEAR(snw_twist_of(back), bound, 1e-14 / (1.0 + snw_bone_of(back).x));
                ++twists;
            }
            // where the outline there is of the side that was held
            sinew_Vec3 u = snw_bone_of(back);
            snw_Foot foot = snw_outline_closest(limit, u);
            const snw_Side *near = &limit->pieces[foot.piece].side;
            for (int k = 0; k < hold.side_count; ++k) {
                double height = sinew_vec3_dot(hold.sides[k].n, u) - hold.sides[k].d;
                bool same = sinew_vec3_distance(near->n, hold.sides[k].n) == 0.0;
                if (same && foot.neighbor < 0) { TEST_NEAR(height, 0.0, 1e-12); }
            }
            sides += hold.side_count == 1;
            corners += hold.side_count == 2;
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message("    %d sides, %d corners, %d twists\n", sides, corners, twists);
    TEST_TRUE(sides > 10000 && corners > 1000 && twists > 10000);
}

// ---------------------------------------------------------------------------------------------
// A whole solver of one ball: turn two weighted points towards their goals, as near as limits let

typedef struct Problem {
    const sinew_BallLimit *limit;
    sinew_Vec3 points[2], goals[2];
    double weights[2];
} Problem;

static double problem_error(const Problem *p, sinew_Quat r)
{
    double sum = 0.0;
    for (int i = 0; i < 2; ++i) {
        sinew_Vec3 gap = sinew_vec3_sub(p->goals[i], sinew_quat_rotate(r, p->points[i]));
        sum += p->weights[i] * sinew_vec3_dot(gap, gap);
    }
    return sum;
}

static sinew_Vec3 problem_force(const Problem *p, sinew_Quat r)
{
    sinew_Vec3 sum = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 2; ++i) {
        sinew_Vec3 torque = sinew_vec3_cross(sinew_quat_rotate(r, p->points[i]), p->goals[i]);
        sum = sinew_vec3_add_scaled(sum, torque, p->weights[i]);
    }
    return sum;
}

// Gauss and Newton, over the free directions; held ones at their values.
static sinew_Vec3 problem_step(const Problem *p, sinew_Quat r, const snw_BallHold *hold)
{
    double h[3][3] = { { 1e-9, 0.0, 0.0 }, { 0.0, 1e-9, 0.0 }, { 0.0, 0.0, 1e-9 } };
    for (int k = 0; k < 2; ++k) {
        sinew_Vec3 v = sinew_quat_rotate(r, p->points[k]);
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) {
                sinew_Vec3 a = sinew_vec3_cross(hold->axes[i], v);
                h[i][j] += p->weights[k] * sinew_vec3_dot(a, sinew_vec3_cross(hold->axes[j], v));
            }
        }
    }
    double b[3];
    sinew_Vec3 force = problem_force(p, r);
    for (int i = 0; i < 3; ++i) { b[i] = sinew_vec3_dot(hold->axes[i], force); }
    for (int i = 0; i < hold->count; ++i) {
        for (int j = 0; j < 3; ++j) { h[i][j] = i == j ? 1.0 : 0.0; }
        b[i] = hold->values[i];
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (k == i) { continue; }
            double f = h[k][i] / h[i][i];
            for (int j = 0; j < 3; ++j) { h[k][j] -= f * h[i][j]; }
            b[k] -= f * b[i];
        }
    }
    sinew_Vec3 w = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 3; ++i) { w = sinew_vec3_add_scaled(w, hold->axes[i], b[i] / h[i][i]); }
    double length = sinew_vec3_length(w);
    return length > 0.7 ? sinew_vec3_scale(w, 0.7 / length) : w;
}

// One iteration; clamp instead of the active set where asked.
static sinew_Quat iterate(const Problem *p, sinew_Quat r, bool clamp)
{
    if (clamp) {
        snw_BallHold none = snw_ball_hold_none();
        return snw_ball_clamp(
            p->limit, p->limit->response, turned(r, problem_step(p, r, &none)), NULL);
    }
    snw_BallHold hold = snw_ball_hold(p->limit, r, problem_force(p, r), NULL);
    sinew_Quat next = turned(r, problem_step(p, r, &hold));
    if (snw_ball_hold_hits(p->limit, r, next, &hold, NULL)) {
        next = turned(r, problem_step(p, r, &hold));
    }
    return snw_ball_retract(p->limit, r, next, &hold, NULL);
}

// what is left of the force that limits do not take
static double unmet_force(const Problem *p, sinew_Quat r)
{
    snw_BallHold hold = snw_ball_hold(p->limit, r, problem_force(p, r), NULL);
    sinew_Vec3 left = held_step(&hold, problem_force(p, r));
    return sinew_vec3_length(left);
}

static void active_set_arrives_where_clamping_creeps(void **state)
{
    (void)state;
    sinew_BallLimit *limits[SHAPE_COUNT];
    shape_all(limits);
    enum { CASES = 2000, MOST = 300 };
    static const char *names[2] = { "active set", "clamp" };
    double mean[2] = { 0.0, 0.0 };
    int arrived[2] = { 0, 0 }, worse = 0;
    for (int i = 0; i < CASES; ++i) {
        test_Random random = test_case(310, i);
        const sinew_BallLimit *limit = limits[i % SHAPE_COUNT];
        // a goal a radian or so outside
        sinew_Quat goal = turned(on_limits(limit, &random), test_vector(&random, 0.6));
        Problem p = { limit, { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } }, { along_x, along_x },
            { 1.0, test_range(&random, 0.05, 1.0) } };
        for (int k = 0; k < 2; ++k) { p.goals[k] = sinew_quat_rotate(goal, p.points[k]); }
        sinew_Quat start = inside_limits(limit, &random);
        double errors[2] = { 0.0, 0.0 };
        for (int method = 0; method < 2; ++method) {
            sinew_Quat r = start;
            int iterations = 0;
            while (iterations < MOST && unmet_force(&p, r) > 1e-8) {
                r = iterate(&p, r, method == 1);
                TEST_TRUE(snw_ball_holds(limit, r, NULL));
                ++iterations;
            }
            arrived[method] += iterations < MOST;
            mean[method] += iterations;
            errors[method] = problem_error(&p, r);
        }
        worse += errors[0] > errors[1] + 1e-6;
    }
    for (int method = 0; method < 2; ++method) {
        print_message("    %s: %d of %d at rest, %.1f iterations\n", names[method], arrived[method],
            (int)CASES, mean[method] / CASES);
    }
    print_message("    ends higher than clamping in %.1f %%\n", 100.0 * worse / CASES);
    TEST_TRUE(arrived[0] > CASES * 99 / 100);
    TEST_TRUE(arrived[1] < arrived[0]);
    TEST_TRUE(mean[0] < mean[1]);
    shape_destroy_all(limits);
}

// ---------------------------------------------------------------------------------------------
// The same bits everywhere

static uint64_t mix(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; ++i) { hash = (hash ^ bytes[i]) * 0x100000001b3ULL; }
    return hash;
}

static double next_number(uint64_t *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) * 0x1p-52 - 1.0;
}

static void results_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    uint64_t hash = 0xcbf29ce484222325ULL, numbers = 1;
    for (int shape = 0; shape < SHAPE_COUNT; ++shape) {
        for (int response = 0; response < 3; ++response) {
            sinew_BallLimit *limit = shape_star(shape, (sinew_LimitResponse)response);
            hash = mix(hash, &limit->cap_center, sizeof(limit->cap_center));
            hash = mix(hash, &limit->cap_cosine, sizeof(limit->cap_cosine));
            sinew_Quat r = snw_ball_rotation(limit, sinew_ball_limit_middle(limit));
            for (int i = 0; i < 3000; ++i) {
                sinew_Vec3 w = { next_number(&numbers), next_number(&numbers),
                    next_number(&numbers) };
                snw_BallHold hold = snw_ball_hold(limit, r, w, NULL);
                sinew_Quat next = turned(r, held_step(&hold, w));
                snw_ball_hold_hits(limit, r, next, &hold, NULL);
                double violation = snw_ball_violation(limit, next, NULL);
                sinew_Quat clamped = snw_ball_clamp(limit, limit->response, next, NULL);
                r = snw_ball_retract(limit, r, turned(r, held_step(&hold, w)), &hold, NULL);
                hash = mix(hash, &violation, sizeof(violation));
                hash = mix(hash, &clamped, sizeof(clamped));
                hash = mix(hash, &r, sizeof(r));
            }
            sinew_ball_limit_destroy(limit);
        }
    }
    print_message("    %016llx\n", (unsigned long long)hash);
    TEST_TRUE(hash == 0x9dd23b658716af10ULL);
}

TEST_MAIN(cmocka_unit_test(projection_on_the_cone_is_exact),
    cmocka_unit_test(corner_leaves_the_turn_about_the_bone),
    cmocka_unit_test(free_moves_stay_inside_to_second_order),
    cmocka_unit_test(twist_bounds_hold_their_own_side),
    cmocka_unit_test(locked_twist_is_always_held), cmocka_unit_test(seams_hold_nothing),
    cmocka_unit_test(inward_corners_open_to_the_better_side),
    cmocka_unit_test(prescribed_moves_end_on_the_limit),
    cmocka_unit_test(sides_hold_nothing_beyond_their_ends),
    cmocka_unit_test(cones_are_hit_from_their_axis),
    cmocka_unit_test(twist_over_half_a_turn_keeps_its_bound),
    cmocka_unit_test(retraction_is_the_smallest_turn_inside),
    cmocka_unit_test(held_limits_are_met_exactly),
    cmocka_unit_test(active_set_arrives_where_clamping_creeps),
    cmocka_unit_test(results_have_the_same_bits_everywhere))
