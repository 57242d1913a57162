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

// ---------------------------------------------------------------------------------------------
// Poses

// directions where something may break: the neutral one and its opposite, axes of cones and their
// opposites, corners, middles of sides and what is opposite to their planes
static sinew_Vec3 special_direction(test_Random *random, const sinew_BallLimitDef *def)
{
    sinew_Vec3 u = { 1.0, 0.0, 0.0 };
    if (def->window_count > 0 && test_int(random, 3) > 0) {
        const sinew_ReachWindow *window = def->windows + test_int(random, def->window_count);
        int i = test_int(random, window->ray_count), j = (i + 1) % window->ray_count;
        u = window->rays[i];
        switch (window->ray_count > 1 ? test_int(random, 3) : 0) {
        case 0: break;
        case 1: u = sinew_vec3_normalize_or(sinew_vec3_lerp(u, window->rays[j], 0.5), u); break;
        default: u = sinew_vec3_normalize_or(sinew_vec3_cross(u, window->rays[j]), u);
        }
    }
    return test_int(random, 2) == 0 ? u : sinew_vec3_scale(u, -1.0);
}

static double special_twist(test_Random *random, const sinew_BallLimitDef *def)
{
    double twist = test_range(random, -SINEW_PI, SINEW_PI);
    if (isfinite(def->twist_lower)) {
        switch (test_int(random, 5)) {
        case 0: return def->twist_lower;
        case 1: return def->twist_upper;
        case 2: return 0.5 * (def->twist_lower + def->twist_upper) + SINEW_PI;
        default: break;
        }
    }
    return twist;
}

static sinew_Quat turned(test_Random *random, sinew_Quat q, double angle)
{
    sinew_Quat turn = sinew_quat_from_axis_angle(test_unit_vector(random), angle);
    return sinew_quat_normalize(sinew_quat_mul(turn, q));
}

static sinew_Quat random_pose(test_Random *random, const sinew_BallLimit *limit)
{
    const sinew_BallLimitDef *def = sinew_ball_limit_def(limit);
    sinew_Quat q;
    switch (test_int(random, 6)) {
    case 0: return test_unit_quat(random);
    case 1: {
        // a half turn of the neutral frame about an axis across the bone, to the last bit or nearly
        double angle = test_range(random, 0.0, 6.3);
        sinew_Quat half = { 0.0, cos(angle), sin(angle), 0.0 };
        if (test_int(random, 3) == 0) { half = sinew_quat_from_x(sinew_vec3(-1.0, 0.0, 0.0)); }
        q = sinew_quat_mul(sinew_quat_mul(def->neutral, half), sinew_quat_conjugate(def->bone));
        break;
    }
    case 2:
    case 3:
        q = sinew_ball_limit_pose(
            limit, special_direction(random, def), special_twist(random, def));
        break;
    case 4: q = sinew_ball_limit_clamp(limit, test_unit_quat(random)); break;
    default: q = sinew_ball_limit_pose(limit, test_unit_vector(random), special_twist(random, def));
    }
    if (test_int(random, 3) > 0) { q = turned(random, q, random_small(random, 0.5, 16.0)); }
    if (test_int(random, 2) == 0) { q = (sinew_Quat){ -q.x, -q.y, -q.z, -q.w }; }
    return q;
}

// ---------------------------------------------------------------------------------------------
// The test

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
            check_clamp(limit, random_pose(&random, limit), &worst);
        }
        sinew_ball_limit_destroy(limit);
    }
    print_message(
        "    %d clamps, %ld let pass, %ld at half turns, %d limits refused: outside by %.1e "
        "rad at most, told wrongly by %.1e\n",
        done, worst.inside, worst.poles, refused, worst.outside, worst.other);
    TEST_TRUE(refused < done / CLAMPS_PER_LIMIT / 4);
}

TEST_MAIN(cmocka_unit_test(clamps_end_inside_any_limit))
