// Random limits of every kind, and poses where they may break: half turns, antipodes, bounds to the
// last digit. A clamp ends inside by a measure that shares nothing with the library, twice clamped is
// once clamped, and what is inside keeps its bits. SINEW_TEST_CLAMPS sets how many (default 150000;
// ten million takes a minute).

#include "limit_random.h"
#include "limit_truth.h"

#include <stdlib.h>
#include <string.h>

enum { CLAMPS_PER_LIMIT = 200 };

// The bound of the tests: what is left of a limit's rounding, radians.
#define OUTSIDE 1e-9
// What is told of how far a pose is outside: heights over tiny windows and cones round to this, radians.
#define TOLD 5e-9

typedef struct Worst {
    double outside, other;
    long inside, poles;
} Worst;

static bool same_bits(sinew_Quat a, sinew_Quat b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void check_clamp(const sinew_BallLimit *limit, sinew_Quat q, Worst *worst)
{
    const sinew_BallLimitDef *def = sinew_ball_limit_def(limit);
    truth_Violation before = truth_violation(def, q);
    double outside_before = fmax(before.swing, before.turn);
    worst->poles += before.pole < 1e-5;

    sinew_Quat r = sinew_ball_limit_clamp(limit, q);
    TEST_NEAR(sinew_quat_dot(r, r), 1.0, 1e-12);
    double outside = truth_outside(def, r);
    worst->outside = fmax(worst->outside, outside);
    TEST_TRUE(outside <= OUTSIDE);
    TEST_TRUE(sinew_ball_limit_allows(limit, r));
    TEST_TRUE(sinew_ball_limit_violation(limit, r) == 0.0);
    TEST_TRUE(same_bits(sinew_ball_limit_clamp(limit, r), r));

    // what is inside keeps its bits, and what is not is told
    bool same = same_bits(q, r);
    worst->inside += same;
    TEST_TRUE(sinew_ball_limit_allows(limit, q) == same);
    if (outside_before == 0.0) { TEST_TRUE(same); }
    if (same) {
        TEST_TRUE(outside_before <= OUTSIDE);
    } else if (before.pole > 1e-3) {
        double told = sinew_ball_limit_violation(limit, q);
        worst->other = fmax(worst->other, fabs(told - fmax(before.swing, before.twist)));
        TEST_NEAR(told, fmax(before.swing, before.twist), TOLD);
    }
}

static int wanted_clamps(void)
{
    const char *text = getenv("SINEW_TEST_CLAMPS");
    return text != NULL ? atoi(text) : 150000;
}

// LIM-3, LIM-5, LIM-8, LIM-12, LIM-16: whatever the limit and the pose
static void clamps_end_inside_any_limit(void **state)
{
    (void)state;
    int wanted = wanted_clamps(), done = 0, refused = 0;
    Worst worst = { 0.0, 0.0, 0, 0 };
    static random_Draft draft;
    for (int i = 0; done < wanted; ++i) {
        test_Random random = test_case(10022002, i);
        sinew_BallLimit *limit = random_limit(&random, &draft);
        if (limit == NULL) {
            ++refused;
            continue;
        }
        for (int k = 0; k < CLAMPS_PER_LIMIT; ++k, ++done) {
            check_clamp(limit, random_ball(&random, limit), &worst);
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message(
        "    %d clamps, %ld let pass, %ld at half turns, %d limits refused: outside by %.1e "
        "rad at most, told wrongly by %.1e\n",
        done, worst.inside, worst.poles, refused, worst.outside, worst.other);
    TEST_TRUE(refused < done / CLAMPS_PER_LIMIT / 4);
}

// Put a corner on a side, near the end of it: the rounding of short sides' ends turns their planes.
static int add_flat_corner(test_Random *random, sinew_Vec3 *rays, int count)
{
    int at = test_int(random, count);
    sinew_Vec3 a = rays[at], b = rays[(at + 1) % count];
    double share = random_small(random, 2.0, 5.5);
    for (int i = count; i > at + 1; --i) { rays[i] = rays[i - 1]; }
    rays[at + 1] = sinew_vec3_normalize_or(
        sinew_vec3_add_scaled(a, sinew_vec3_sub(b, a), test_int(random, 2) ? share : 1.0 - share),
        a);
    return count + 1;
}

// LIM-5, LIM-8: corners that lie on a side but for their rounding
static void clamps_end_inside_flat_corners(void **state)
{
    (void)state;
    Worst worst = { 0.0, 0.0, 0, 0 };
    static random_Draft draft;
    int made = 0, limits = 2000;
    for (int i = 0; i < limits; ++i) {
        test_Random random = test_case(27112026, i);
        draft.def = sinew_ball_limit_def_default();
        draft.def.response = (sinew_LimitResponse)test_int(&random, 3);
        int count = random_polygon(
            &random, test_unit_vector(&random), test_range(&random, 0.1, 1.4), draft.rays);
        count = add_flat_corner(&random, draft.rays, count);
        draft.windows[0] = sinew_reach_polygon(draft.rays, count);
        draft.def.windows = draft.windows;
        draft.def.window_count = 1;
        sinew_BallLimit *limit = NULL;
        if (sinew_ball_limit_create(&draft.def, NULL, &limit, NULL) != SINEW_STATUS_OK) {
            continue;
        }
        ++made;
        for (int k = 0; k < 50; ++k) { check_clamp(limit, random_ball(&random, limit), &worst); }
        sinew_ball_limit_destroy(limit);
    }
    print_message("    %d of %d limits made: outside by %.1e rad at most, told wrongly by %.1e\n",
        made, limits, worst.outside, worst.other);
    TEST_TRUE(made > limits / 2);
}

TEST_MAIN(
    cmocka_unit_test(clamps_end_inside_any_limit), cmocka_unit_test(clamps_end_inside_flat_corners))
