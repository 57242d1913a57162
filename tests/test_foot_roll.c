// A standing foot on ground that is no plane: whatever its pitch, something of its sole is on the ground and nothing
// of it far below.

#include "testing.h"

#include "walk/core.h"

#include <stdlib.h>
#include <string.h>

static snw_WalkLegBody make_leg(void)
{
    snw_WalkLegBody leg;
    memset(&leg, 0, sizeof leg);
    leg.def.toe = 1;
    leg.gait = &snw_gait_numbers;
    leg.ankle_height = 0.085;
    leg.heel = -0.055;
    leg.ball = 0.145;
    leg.tip = 0.205;
    leg.heel_width = 0.03;
    leg.ball_width = 0.045;
    leg.toe_height = 0.025;
    leg.toe_joint = sinew_vec3(0.0, leg.toe_height - leg.ankle_height, leg.ball);
    leg.toe_lower = -0.5;
    leg.toe_upper = 1.0;
    leg.roll_lower = -0.5;
    leg.roll_upper = 0.5;
    return leg;
}

/// Gaps below a flat sole by rows from the heel to the tip, metres.
typedef struct Gaps {
    const char *name;
    double rows[SNW_CORE_ROWS];
} Gaps;

/// The gaps below a foothold whose rows are level across.
static void set_gaps(snw_Foothold *at, const double rows[SNW_CORE_ROWS])
{
    for (int c = 0; c < SNW_PRINT_COLUMNS; ++c) {
        for (int r = 0; r < SNW_HEEL_PRINTS; ++r) { at->heel_gaps[r][c] = rows[r]; }
        for (int r = 0; r < SNW_TOE_PRINTS; ++r) {
            at->toe_gaps[r][c] = rows[SNW_HEEL_PRINTS - 1 + r];
        }
    }
}

static const Gaps grounds[] = {
    { "level", { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0 } },
    { "tip in the air", { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.010 } },
    { "toes in the air", { 0.0, 0.0, 0.0, 0.0, 0.0, 0.008, 0.015 } },
    { "hump under the arch", { 0.012, 0.006, 0.0, 0.004, 0.008, 0.010, 0.012 } },
    { "heel alone", { 0.0, 0.004, 0.008, 0.012, 0.016, 0.016, 0.016 } },
};

/// The least height of a row above its ground, to the 5 mm that floating may be: rows are taken to rise by sines.
static double least_gap(const snw_WalkLegBody *leg, const snw_FootPose *pose, const Gaps *ground)
{
    sinew_Vec3 points[SNW_CORE_SOLE];
    snw_core_sole(leg, &pose->foot, pose->toe_bend, points);
    double least = 1.0;
    for (int i = 0; i < SNW_CORE_SOLE; ++i) {
        least = fmin(least, points[i].y + ground->rows[i / SNW_CORE_COLUMNS]);
    }
    return least;
}

// CTRL-6, TERR-1: contact by construction; a point that is told as held is on the ground
static void feet_roll_over_what_is_on_the_ground(void **state)
{
    (void)state;
    enum { BALL = SNW_HEEL_PRINTS - 1, TIP = SNW_CORE_ROWS - 1 };
    const snw_WalkLegBody leg = make_leg();
    for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; ++g) {
        const double *rows = grounds[g].rows;
        snw_Foothold at;
        memset(&at, 0, sizeof at);
        at.basis = sinew_quat_identity();
        set_gaps(&at, rows);
        double before = 0.0;
        for (int i = -90; i <= 40; ++i) {
            double pitch = 0.01 * i;
            snw_FootPose pose = snw_foot_roll(&leg, &at, pitch, 0.5);
            double least = least_gap(&leg, &pose, &grounds[g]);
            if (fabs(least) > 5e-3) {
                print_message("%s, pitch %.2f: %.1f mm\n", grounds[g].name, pitch, 1e3 * least);
            }
            TEST_TRUE(fabs(least) <= 5e-3);
            // no leap from one thing that it rolls over to the next
            double high = pose.foot.position.y;
            if (i > -90) { TEST_TRUE(fabs(high - before) <= 3e-3); }
            before = high;
            // what is told as held is on the ground, and something is
            const unsigned held = pose.planted;
            TEST_TRUE(held != 0u);
            if (held & SINEW_PLANTED_HEEL) { TEST_NEAR(pose.heel.y + rows[0], 0.0, 2e-3); }
            if (held & SINEW_PLANTED_BALL) { TEST_NEAR(pose.ball.y + rows[BALL], 0.0, 2e-3); }
            if (held & SINEW_PLANTED_TOE) { TEST_NEAR(pose.toe.y + rows[TIP], 0.0, 2e-3); }
        }
    }
}

/// A level foothold whose heel and tip stick out over edges so far, above ground so far below.
static snw_Foothold make_ledge(
    const snw_WalkLegBody *leg, double heel_over, double tip_over, double drop)
{
    enum { BALL = SNW_HEEL_PRINTS - 1 };
    snw_Foothold at;
    memset(&at, 0, sizeof at);
    at.basis = sinew_quat_identity();
    at.heel_over = heel_over;
    at.tip_over = tip_over;
    double rows[SNW_CORE_ROWS];
    for (int r = 0; r < SNW_CORE_ROWS; ++r) {
        double z = snw_mix(leg->heel, leg->ball, (double)r / BALL);
        rows[r] = r > BALL || z < leg->heel + heel_over || z > leg->tip - tip_over ? drop : 0.0;
    }
    set_gaps(&at, rows);
    return at;
}

// CTRL-6, TERR-3: a foot with its heel or ball beyond an edge turns over that and not over what is in the air; its
// toes hang down and end above the ground there
static void feet_turn_over_edges(void **state)
{
    (void)state;
    static const double drops[] = { 0.05, 0.2 };
    const snw_WalkLegBody leg = make_leg();
    for (size_t d = 0; d < sizeof drops / sizeof drops[0]; ++d) {
        for (int over = 1; over <= 8; ++over) {
            const double heel_over = 0.01 * over, tip_over = leg.tip - leg.ball + 0.01 * over;
            const snw_Foothold heel = make_ledge(&leg, heel_over, 0.0, drops[d]);
            const snw_Foothold ball = make_ledge(&leg, 0.0, tip_over, drops[d]);
            for (int i = 1; i <= 70; ++i) {
                const double up = fmin(0.4, 0.01 * i), down = -0.01 * i;
                const snw_FootPose heels = snw_foot_roll(&leg, &heel, up, 0.9);
                const snw_FootPose balls = snw_foot_roll(&leg, &ball, down, 0.9);
                const sinew_Vec3 behind = { 0.0, -leg.ankle_height, leg.heel + heel_over };
                const sinew_Vec3 ahead = { 0.0, -leg.ankle_height, leg.tip - tip_over };
                const sinew_Vec3 back = sinew_transform_point(heels.foot, behind);
                const sinew_Vec3 front = sinew_transform_point(balls.foot, ahead);
                TEST_NEAR(back.z, behind.z, 1e-12);
                TEST_NEAR(back.y, 0.0, 1e-12);
                TEST_NEAR(front.z, ahead.z, 1e-12);
                TEST_NEAR(front.y, 0.0, 1e-12);
                TEST_INT(heels.planted, SINEW_PLANTED_SOLE);
                TEST_INT(balls.planted & ~(unsigned)SINEW_PLANTED_SOLE, 0u);
                TEST_TRUE(balls.toe_bend >= 0.0 && balls.toe_bend <= -down + 1e-12);
                // as long as the ball, that cannot give way, is above it
                if (balls.ball.y > -drops[d] + leg.toe_height) {
                    TEST_TRUE(balls.toe.y >= -drops[d]);
                }
            }
        }
    }
}

// CTRL-6, TERR-1: a foot with its heel up that leans onto its edge turns about the edge of its toes, however they are bent and
// however far it has come down onto the ground
static void feet_lean_about_the_edge_that_carries(void **state)
{
    (void)state;
    const snw_WalkLegBody leg = make_leg();
    const double cap = 0.5, pitch = -0.8;
    for (int side = -1; side <= 1; side += 2) {
        for (int k = 0; k < 4; ++k) {
            snw_Foothold at;
            memset(&at, 0, sizeof at);
            at.basis = sinew_quat_identity();
            at.toe_base = k < 2 ? 0.0 : 0.15;
            const double gap = 0.012 * (k % 2);
            const double rows[SNW_CORE_ROWS] = { gap, gap, gap, gap, gap, gap, gap };
            set_gaps(&at, rows);
            sinew_Vec3 first = { 0.0, 0.0, 0.0 };
            for (int i = 0; i <= 10; ++i) {
                const snw_Foothold on = snw_foothold_rolled(&leg, &at, pitch, -0.02 * side * i);
                const snw_FootPose pose = snw_foot_roll(&leg, &on, pitch, cap);
                const sinew_Vec3 edge = { side * leg.ball_width, 0.0, 0.0 };
                const sinew_Vec3 tip = sinew_vec3_add(
                    pose.toe, sinew_quat_rotate(pose.foot.rotation, edge));
                if (i == 0) { first = tip; }
                TEST_NEAR(sinew_vec3_distance(tip, first), 0.0, 1e-4);
            }
        }
    }
}

// CTRL-6, TERR-1: over a hole below one edge a foot that leans there turns about the other one, until its edge has come down
// into the hole; what is told as held keeps its place
static void feet_lean_about_the_edge_that_is_on_the_ground(void **state)
{
    (void)state;
    const snw_WalkLegBody leg = make_leg();
    const double cap = 0.5, pitch = -0.6, hole = 0.009, width = leg.ball_width;
    for (int side = -1; side <= 1; side += 2) {
        snw_Foothold at;
        memset(&at, 0, sizeof at);
        at.basis = sinew_quat_identity();
        for (int c = 0; c < SNW_PRINT_COLUMNS; ++c) {
            const double gap = 0.5 * hole * (1 + side * (c - 1));
            for (int r = 0; r < SNW_HEEL_PRINTS; ++r) { at.heel_gaps[r][c] = gap; }
            for (int r = 0; r < SNW_TOE_PRINTS; ++r) { at.toe_gaps[r][c] = gap; }
        }
        const double whole = sinew_asin(hole / (2.0 * width));
        sinew_Vec3 first[2] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0 } };
        for (int i = 1; i <= 20; ++i) {
            const double angle = 0.01 * i;
            const snw_Foothold on = snw_foothold_rolled(&leg, &at, pitch, -side * angle);
            const snw_FootPose pose = snw_foot_roll(&leg, &on, pitch, cap);
            sinew_Vec3 tips[2];
            for (int k = 0; k < 2; ++k) {
                const sinew_Vec3 edge = { (k == 0 ? -1.0 : 1.0) * side * width, 0.0, 0.0 };
                tips[k] = sinew_vec3_add(pose.toe, sinew_quat_rotate(pose.foot.rotation, edge));
            }
            // the one that is on the ground from the start, and that over the hole
            const bool is_down = angle > whole + 0.005;
            const unsigned there = side > 0 ? SINEW_PLANTED_LEFT : SINEW_PLANTED_RIGHT;
            const unsigned here = side > 0 ? SINEW_PLANTED_RIGHT : SINEW_PLANTED_LEFT;
            if (angle < whole - 0.005) {
                TEST_NEAR(tips[0].y, 0.0, 2e-4);
                TEST_INT(pose.edge, here);
                if (i == 1) { first[0] = tips[0]; }
                TEST_NEAR(sinew_vec3_distance(tips[0], first[0]), 0.0, 2e-4);
            } else if (is_down) {
                TEST_NEAR(tips[1].y, -hole, 1e-3);
                TEST_INT(pose.edge, there);
                if (first[1].z == 0.0) { first[1] = tips[1]; }
                TEST_NEAR(sinew_vec3_distance(tips[1], first[1]), 0.0, 5e-4);
            }
        }
    }
}

/// Ground of stones: waves of so many directions, heights and lengths.
enum { WAVES = 5 };
typedef struct Stones {
    double x[WAVES], z[WAVES], phase[WAVES], high[WAVES];
} Stones;

static sinew_GroundSample sample_stones(void *user, double x, double z)
{
    const Stones *stones = user;
    sinew_GroundSample sample = { 0.0, { 0.0, 1.0, 0.0 } };
    for (int i = 0; i < WAVES; ++i) {
        sample.height += stones->high[i]
            * sin(stones->x[i] * x + stones->z[i] * z + stones->phase[i]);
    }
    return sample;
}

static Stones draw_stones(test_Random *random)
{
    Stones stones;
    for (int i = 0; i < WAVES; ++i) {
        // 17 to 60 cm long, as high as a twentieth of that
        const double length = test_range(random, 0.17, 0.6);
        const double toward = test_range(random, 0.0, 2.0 * SINEW_PI);
        stones.x[i] = 2.0 * SINEW_PI / length * cos(toward);
        stones.z[i] = 2.0 * SINEW_PI / length * sin(toward);
        stones.phase[i] = test_range(random, 0.0, 2.0 * SINEW_PI);
        stones.high[i] = 0.025 * length;
    }
    return stones;
}

// CTRL-6, TERR-1: on stones a foot is on the ground whatever its pitch and lean, by a sole that is looked at more closely than
// it was laid: no more than 2 mm in it, no more than 7 mm above it, or 12 where a stone falls away below heel or toes
static void feet_are_on_stones_however_they_stand(void **state)
{
    (void)state;
    enum { FEET = 400, CLOSER = 8 };
    const uint64_t seed = 2101;
    const snw_WalkLegBody leg = make_leg();
    snw_View *view = malloc(sizeof *view);
    assert_non_null(view);
    double deepest = 0.0, highest = 0.0;
    int stood = 0;
    for (int n = 0; n < FEET; ++n) {
        test_Random random = test_case(seed, n);
        Stones stones = draw_stones(&random);
        const sinew_Ground ground = { sample_stones, &stones };
        snw_view_open(view, &ground, NULL);
        const double heading = test_range(&random, -3.0, 3.0);
        snw_CoreFit fit;
        const snw_Foothold at = snw_core_fit(&leg, view, 0.0, 0.0, heading, &fit);
        // places that no plan takes
        if (fit.depth > 0.0 || fit.overhang > 0.2) { continue; }
        ++stood;
        const double most = fit.overhang > 0.0 ? 12e-3 : 7e-3;
        for (int k = 0; k < 20; ++k) {
            const double pitch = test_range(&random, -0.8, 0.3);
            const double lean = k % 2 == 0 ? 0.0 : test_range(&random, -0.1, 0.1);
            const snw_Foothold on = snw_foothold_rolled(&leg, &at, pitch, lean);
            const snw_FootPose pose = snw_foot_roll(&leg, &on, pitch, 0.5);
            sinew_Vec3 points[SNW_CORE_SOLE];
            snw_core_sole(&leg, &pose.foot, pose.toe_bend, points);
            double least = 1.0;
            for (int i = 0; i + SNW_CORE_COLUMNS < SNW_CORE_SOLE; ++i) {
                for (int m = 0; m < CLOSER; ++m) {
                    const sinew_Vec3 p = sinew_vec3_lerp(
                        points[i], points[i + SNW_CORE_COLUMNS], (double)m / CLOSER);
                    least = fmin(least, p.y - sample_stones(&stones, p.x, p.z).height);
                }
            }
            deepest = fmax(deepest, -least);
            highest = fmax(highest, least / most);
            if (least < -2e-3 || least > most) {
                print_message("seed %d, foot %d, pitch %.2f, lean %.2f: %.1f mm\n", (int)seed, n,
                    pitch, lean, 1e3 * least);
            }
        }
    }
    print_message("%d feet: deepest %.2f mm, highest %.2f of what they may be\n", stood,
        1e3 * deepest, highest);
    free(view);
    TEST_TRUE(stood >= 300);
    TEST_TRUE(deepest <= 2e-3);
    TEST_TRUE(highest <= 1.0);
}

/// Level ground that ends at an edge, a place on it and the direction from there into the air.
typedef struct Ledge {
    double x, z, out_x, out_z;
} Ledge;

static sinew_GroundSample sample_ledge(void *user, double x, double z)
{
    const Ledge *ledge = user;
    const bool is_over = (x - ledge->x) * ledge->out_x + (z - ledge->z) * ledge->out_z > 0.0;
    return (sinew_GroundSample){ is_over ? -0.2 : 0.0, { 0.0, 1.0, 0.0 } };
}

// TERR-1: over an edge askew a foot turns about where that reaches farthest, and leans about what of it is on the ground
static void feet_lean_over_edges_askew(void **state)
{
    (void)state;
    enum { FEET = 300, CLOSER = 16 };
    const uint64_t seed = 3011;
    const snw_WalkLegBody leg = make_leg();
    snw_View *view = malloc(sizeof *view);
    assert_non_null(view);
    double deepest = 0.0, highest = 0.0;
    int stood = 0;
    for (int n = 0; n < FEET; ++n) {
        test_Random random = test_case(seed, n);
        const bool on_heel = n % 3 == 0;
        const double askew = test_range(&random, -0.7, 0.7) + (on_heel ? SINEW_PI : 0.0);
        const double along = on_heel ? test_range(&random, -0.035, 0.0)
                                     : test_range(&random, 0.09, 0.13);
        Ledge ledge = { 0.0, along, sin(askew), cos(askew) };
        const sinew_Ground ground = { sample_ledge, &ledge };
        snw_view_open(view, &ground, NULL);
        const snw_Foothold at = snw_core_fit(&leg, view, 0.0, 0.0, 0.0, NULL);
        if (!(on_heel ? at.heel_over > 0.0 : snw_ball_over(&leg, &at) > 0.0)) { continue; }
        ++stood;
        for (int k = 0; k < 20; ++k) {
            const double pitch = on_heel ? test_range(&random, 0.02, 0.3)
                                         : test_range(&random, -1.1, -0.05);
            const double lean = k % 2 == 0 ? 0.0 : test_range(&random, -0.15, 0.15);
            const snw_Foothold on = snw_foothold_rolled(&leg, &at, pitch, lean);
            const snw_FootPose pose = snw_foot_roll(&leg, &on, pitch, 0.5);
            sinew_Vec3 points[SNW_CORE_SOLE];
            snw_core_sole(&leg, &pose.foot, pose.toe_bend, points);
            double least = 1.0;
            for (int row = 0; row + 1 < SNW_CORE_ROWS; ++row) {
                for (int i = 0; i < (CLOSER + 1) * (CLOSER + 1); ++i) {
                    const double t = (double)(i / (CLOSER + 1)) / CLOSER;
                    const double u = (double)(i % (CLOSER + 1)) / CLOSER;
                    const sinew_Vec3 *a = &points[SNW_CORE_COLUMNS * row];
                    const sinew_Vec3 *b = a + SNW_CORE_COLUMNS;
                    const sinew_Vec3 p = sinew_vec3_lerp(
                        sinew_vec3_lerp(a[0], a[2], u), sinew_vec3_lerp(b[0], b[2], u), t);
                    least = fmin(least, p.y - sample_ledge(&ledge, p.x, p.z).height);
                }
            }
            deepest = fmax(deepest, -least);
            highest = fmax(highest, least);
            if (least < -2e-3 || least > 4e-3) {
                print_message("seed %d, foot %d, pitch %.2f, lean %.2f: %.1f mm\n", (int)seed, n,
                    pitch, lean, 1e3 * least);
            }
        }
    }
    print_message(
        "%d feet: deepest %.2f mm, highest %.2f mm\n", stood, 1e3 * deepest, 1e3 * highest);
    free(view);
    TEST_TRUE(stood >= 150);
    TEST_TRUE(deepest <= 2e-3);
    TEST_TRUE(highest <= 4e-3); // 16 mm when it leant about an edge of its sole
}

// WALK-5: while toes lie and the heel is up the ball carries, which turns with the toes: in the frame of the foot it was 4 mm
// higher, and each foot that left went as far into its own tread
static void soles_are_seen_with_the_ball_that_carries(void **state)
{
    (void)state;
    const snw_WalkLegBody leg = make_leg();
    snw_Foothold at;
    memset(&at, 0, sizeof at);
    at.basis = sinew_quat_identity();
    for (double pitch = -0.9; pitch <= 0.3; pitch += 0.1) {
        const snw_FootPose pose = snw_foot_roll(&leg, &at, pitch, 1.0);
        const sinew_Vec3 told[3] = { pose.heel, pose.ball, pose.toe };
        sinew_Vec3 points[SNW_CORE_SOLE];
        snw_core_sole(&leg, &pose.foot, pose.toe_bend, points);
        for (int i = 0; i < 3; ++i) {
            double nearest = 1.0;
            for (int k = 0; k < SNW_CORE_SOLE; ++k) {
                nearest = fmin(nearest, sinew_vec3_distance(points[k], told[i]));
            }
            TEST_NEAR(nearest, 0.0, 1e-9);
        }
    }
}

// TERR-1: a tick that may ask for no more places sees the lattice alone, whose cell at an edge says nothing of the tread: a
// foot that left went 1.5 mm into it
static void soles_beside_edges_unseen_go_no_lower(void **state)
{
    (void)state;
    const snw_WalkLegBody leg = make_leg();
    snw_View *view = malloc(sizeof *view);
    assert_non_null(view);
    // the ball is in the cell of the edge, and nothing else of the sole on the ground
    Ledge ledge = { 0.0, 0.149, 0.0, 1.0 };
    const sinew_Ground ground = { sample_ledge, &ledge };
    snw_view_open(view, &ground, NULL);
    snw_Foothold at;
    memset(&at, 0, sizeof at);
    at.basis = sinew_quat_identity();
    const snw_FootPose before = snw_foot_roll(&leg, &at, -0.3, 1.0);
    snw_FootPose pose = before;
    TEST_NEAR(snw_core_depth(&leg, view, &pose, &before, 1.0, 0.0), 0.0, 1e-9);
    // nodes are known now; what is beside edges is not
    memset(view->beside, 0, sizeof view->beside);
    const snw_ViewGuess guess = { { 0.0, 0.0, 0.0 }, 0.0, 0.0 };
    snw_view_allow(view, 0, &guess);
    sinew_Transform lower = before.foot;
    lower.position.y -= 0.003;
    snw_foot_points(&leg, &lower, before.toe_bend, &pose);
    TEST_NEAR(snw_core_depth(&leg, view, &pose, &before, 1.0, 0.0), 0.003, 1e-9);
    // between two ticks, where none is asked for at all, it stays on its way: it jumped down in the next tick
    view->is_between = true;
    TEST_NEAR(snw_core_depth(&leg, view, &pose, &before, 1.0, 0.0), 0.0, 1e-9);
    view->is_between = false;
    // one that rises is free to
    lower.position.y += 0.006;
    snw_foot_points(&leg, &lower, before.toe_bend, &pose);
    TEST_NEAR(snw_core_depth(&leg, view, &pose, &before, 1.0, 0.0), 0.0, 1e-9);
    free(view);
}

TEST_MAIN(cmocka_unit_test(feet_roll_over_what_is_on_the_ground),
    cmocka_unit_test(feet_turn_over_edges), cmocka_unit_test(feet_lean_about_the_edge_that_carries),
    cmocka_unit_test(feet_lean_about_the_edge_that_is_on_the_ground),
    cmocka_unit_test(feet_are_on_stones_however_they_stand),
    cmocka_unit_test(feet_lean_over_edges_askew),
    cmocka_unit_test(soles_are_seen_with_the_ball_that_carries),
    cmocka_unit_test(soles_beside_edges_unseen_go_no_lower))
