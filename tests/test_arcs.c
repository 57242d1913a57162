// Arcs of a turning ball, against its limit tested at many angles.

#include "limit_shapes.h"

#include "solve/ball_turn.h"

enum { STEPS = 720 };

static bool holds(const snw_Arcs *arcs, double place)
{
    for (int a = 0; a < arcs->count; ++a) {
        if (place >= arcs->lower[a] && place <= arcs->upper[a]) { return true; }
    }
    return false;
}

// how near a place is to an end of the arcs
static double from_end(const snw_Arcs *arcs, double place)
{
    double least = 4.0;
    for (int a = 0; a < arcs->count; ++a) {
        least = fmin(least, fmin(fabs(place - arcs->lower[a]), fabs(place - arcs->upper[a])));
    }
    return least;
}

static void check_turn(
    const sinew_BallLimit *limit, const snw_BallTurn *turn, int *inside, int *outside)
{
    snw_Arcs arcs;
    snw_arcs_set_whole(&arcs);
    snw_ball_turn_twist(limit, turn, &arcs);
    snw_ball_turn_windows(limit, turn, &arcs);
    for (int i = 0; i < STEPS; ++i) {
        double angle = (i + 0.5) * 2.0 * SINEW_PI / STEPS - SINEW_PI;
        double place = snw_arcs_place(sin(angle), cos(angle));
        sinew_Quat q = { cos(0.5 * angle) * turn->at.x + sin(0.5 * angle) * turn->by.x,
            cos(0.5 * angle) * turn->at.y + sin(0.5 * angle) * turn->by.y,
            cos(0.5 * angle) * turn->at.z + sin(0.5 * angle) * turn->by.z,
            cos(0.5 * angle) * turn->at.w + sin(0.5 * angle) * turn->by.w };
        TEST_NEAR(fabs(sinew_quat_dot(q, snw_ball_turned(turn, place))), 1.0, 1e-14);
        bool allowed = sinew_ball_limit_allows(limit, q);
        *inside += allowed ? 1 : 0;
        *outside += allowed ? 0 : 1;
        if (from_end(&arcs, place) < 1e-9) { continue; }
        TEST_INT(holds(&arcs, place), allowed);
    }
    // ends are on the limit
    for (int a = 0; a < arcs.count; ++a) {
        double lower = sinew_ball_limit_violation(limit, snw_ball_turned(turn, arcs.lower[a]));
        double upper = sinew_ball_limit_violation(limit, snw_ball_turned(turn, arcs.upper[a]));
        TEST_TRUE(lower < 1e-6 && upper < 1e-6);
    }
}

static void test_arcs_are_what_the_limit_allows(void **state)
{
    (void)state;
    sinew_BallLimit *limits[SHAPE_COUNT];
    shape_all(limits);
    for (int s = 0; s < SHAPE_COUNT; ++s) {
        int inside = 0, outside = 0;
        for (int i = 0; i < 300; ++i) {
            test_Random random = test_case(7400 + (uint64_t)s, i);
            sinew_Quat q = shape_pose_inside(limits[s], &random);
            sinew_Vec3 axis = test_unit_vector(&random);
            snw_BallTurn turn = snw_ball_turn(axis, q), roll = snw_ball_roll(q, axis);
            check_turn(limits[s], &turn, &inside, &outside);
            check_turn(limits[s], &roll, &inside, &outside);
        }
        TEST_TRUE(inside > 10000 && outside > 10000);
    }
    shape_destroy_all(limits);
}

// sets of arcs that waves leave, against the waves
static void test_waves_cut_arcs(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(7410, i);
        snw_Wave waves[4];
        snw_Arcs sets[2];
        for (int w = 0; w < 4; ++w) {
            waves[w] = (snw_Wave){ test_range(&random, -0.5, 1.0), test_range(&random, -1.0, 1.0),
                test_range(&random, -1.0, 1.0) };
        }
        for (int s = 0; s < 2; ++s) {
            snw_arcs_set_whole(&sets[s]);
            snw_arcs_keep(&sets[s], &waves[2 * s]);
            snw_arcs_keep(&sets[s], &waves[2 * s + 1]);
        }
        snw_arcs_join(&sets[0], &sets[1]);
        for (int k = 0; k < 200; ++k) {
            double angle = test_range(&random, -SINEW_PI, SINEW_PI);
            bool in[4];
            for (int w = 0; w < 4; ++w) {
                in[w] = waves[w].even + waves[w].cosine * cos(angle) + waves[w].sine * sin(angle)
                    >= 0.0;
            }
            double place = snw_arcs_place(sin(angle), cos(angle));
            if (from_end(&sets[0], place) < 1e-9) { continue; }
            TEST_INT(holds(&sets[0], place), (in[0] && in[1]) || (in[2] && in[3]));
        }
        double nearest = 0.0;
        bool any = snw_arcs_nearest(&sets[0], &nearest);
        TEST_INT(any, sets[0].count > 0);
        if (any) { TEST_TRUE(holds(&sets[0], snw_arcs_at(&sets[0], test_uniform(&random)))); }
    }
}

TEST_MAIN(
    cmocka_unit_test(test_arcs_are_what_the_limit_allows), cmocka_unit_test(test_waves_cut_arcs))
