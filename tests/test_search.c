// The search of the default method over made-up problems whose minima are known: each start leads into
// a valley with a floor of its own, and the goals are met where the floor is low enough.

#include "testing.h"

#include "solve/search.h"

#include <string.h>

enum { VALUES = 3, MOST_STARTS = 2000 };

// A floor is the E that is left at the bottom of a valley. The valley is as wide as the way between
// starts, so that a step never leaves it.
typedef struct Valley {
    double floor;
    double steepness; // the model's slope against the true one: above 2 its steps go too far
    bool fails;       // no step can be computed
    bool broken;      // away from the start everything is infinite
} Valley;

typedef struct Mock {
    const Valley *valleys; // by attempt; the last one serves all others
    int valley_count;
    double met_error2;

    double measured[VALUES]; // last
    double modelled[VALUES]; // at the last fresh step
    bool any_measured, any_model;
    int measures, steps, fresh_steps, starts;
    double last_fresh_error2;
    bool uphill; // a step was taken to a higher E than the one before
    int asked, asked_after_end, steps_after_end; // after the clock told the end
    double now, tick, end;
} Mock;

#define WAY 100.0

static int valley_of(const Mock *mock, const double *values)
{
    int place = (int)floor(values[0] / WAY + 0.5);
    return place < mock->valley_count ? place : mock->valley_count - 1;
}

static double center_of(const double *values, int k)
{
    return k == 0 ? floor(values[0] / WAY + 0.5) * WAY : 0.25 * k;
}

static double error_at(const Mock *mock, const double *values)
{
    const Valley *valley = &mock->valleys[valley_of(mock, values)];
    double sum = valley->floor;
    for (int k = 0; k < VALUES; ++k) {
        double way = values[k] - center_of(values, k);
        sum += way * way;
        if (valley->broken && k == 0 && fabs(way - 0.5) > 1e-12) { return INFINITY; }
    }
    return sum;
}

static double measure(void *self, const double *values)
{
    Mock *mock = self;
    memcpy(mock->measured, values, sizeof mock->measured);
    mock->any_measured = true;
    ++mock->measures;
    return error_at(mock, values);
}

static bool meets(void *self)
{
    const Mock *mock = self;
    TEST_TRUE(mock->any_measured);
    return error_at(mock, mock->measured) <= mock->met_error2;
}

static double step(void *self, const double *values, double damping, bool fresh, double *moved,
    double *out_largest)
{
    Mock *mock = self;
    ++mock->steps;
    if (mock->now >= mock->end) { ++mock->steps_after_end; }
    TEST_TRUE(damping > 0.0 && isfinite(damping));
    double error2 = error_at(mock, values);
    if (fresh) {
        // a model needs the pose that was measured last
        TEST_TRUE(memcmp(values, mock->measured, sizeof mock->measured) == 0);
        memcpy(mock->modelled, values, sizeof mock->modelled);
        mock->any_model = true;
        ++mock->fresh_steps;
        if (error2 > mock->last_fresh_error2) { mock->uphill = true; }
        mock->last_fresh_error2 = error2;
    } else {
        TEST_TRUE(mock->any_model && memcmp(values, mock->modelled, sizeof mock->modelled) == 0);
    }
    const Valley *valley = &mock->valleys[valley_of(mock, values)];
    *out_largest = 0.0;
    double promise = valley->floor;
    for (int k = 0; k < VALUES; ++k) {
        double way = values[k] - center_of(values, k);
        double change = -valley->steepness * way / (1.0 + damping);
        moved[k] = valley->fails ? values[k] : values[k] + change;
        double left = way + change / valley->steepness;
        promise += left * left;
        *out_largest = fmax(*out_largest, fabs(moved[k] - values[k]));
    }
    return valley->fails ? INFINITY : promise;
}

static double change(void *self, const double *from, const double *to)
{
    double largest = 0.0;
    (void)self;
    for (int k = 0; k < VALUES; ++k) { largest = fmax(largest, fabs(to[k] - from[k])); }
    return largest;
}

static bool escape(void *self, double *values)
{
    (void)self;
    (void)values;
    return false;
}

static void start(void *self, int attempt, double *values)
{
    Mock *mock = self;
    ++mock->starts;
    TEST_INT(attempt, mock->starts);
    values[0] = attempt * WAY + 0.5;
    values[1] = -0.1;
    values[2] = 0.6;
}

static double fake_time(void *user)
{
    Mock *mock = user;
    ++mock->asked;
    if (mock->now >= mock->end) { ++mock->asked_after_end; }
    mock->now += mock->tick;
    return mock->now;
}

typedef struct Run {
    Mock mock;
    double values[VALUES];
    snw_SearchResult result;
} Run;

static Run run_from(const Valley *valleys, int count, double met_error2,
    const snw_SearchLimits *limits, const double *from, double tick)
{
    Run run;
    memset(&run, 0, sizeof run);
    run.mock.valleys = valleys;
    run.mock.valley_count = count;
    run.mock.met_error2 = met_error2;
    run.mock.last_fresh_error2 = INFINITY;
    run.mock.tick = tick;
    run.mock.end = INFINITY;
    memcpy(run.values, from, sizeof run.values);
    double a[VALUES], b[VALUES], begin[VALUES], best[VALUES];
    snw_Search search = { { a, b }, begin, best };
    snw_Problem problem = { &run.mock, VALUES, measure, meets, step, change, escape, start, NULL };
    snw_SearchLimits l = *limits;
    if (tick > 0.0) {
        l.time = fake_time;
        l.time_user = &run.mock;
        run.mock.end = l.time_end;
    }
    run.result = snw_search_run(&search, &problem, &l, run.values);

    // whatever the end: the answer was measured last, its E is told, ceilings hold, counts are true
    TEST_TRUE(memcmp(run.values, run.mock.measured, sizeof run.values) == 0);
    TEST_TRUE(run.result.error2 == error_at(&run.mock, run.values));
    TEST_TRUE(run.result.start_error2 == error_at(&run.mock, from));
    TEST_TRUE(run.result.met || run.result.error2 <= run.result.start_error2);
    TEST_TRUE(!run.result.met || run.result.error2 <= met_error2);
    TEST_TRUE(run.result.iterations <= limits->max_iterations);
    TEST_TRUE(run.result.attempts <= limits->max_attempts);
    TEST_INT(run.result.attempts, run.mock.starts + 1);
    TEST_INT(run.result.iterations, run.mock.steps);
    TEST_INT(run.result.steps, run.mock.fresh_steps);
    TEST_INT(run.result.measures, run.mock.measures);
    return run;
}

static const double far_start[VALUES] = { 0.5, -0.1, 0.6 };
static const double bottom[VALUES] = { 0.0, 0.25, 0.5 };

static snw_SearchLimits plain_limits(void)
{
    return (snw_SearchLimits){ .max_iterations = 8000, .max_attempts = 1001, .enough_bottoms = 3 };
}

// ---------------------------------------------------------------------------------------------

static void test_first_descent(void **state)
{
    (void)state;
    const Valley valley = { 0.0, 1.0, false, false };
    snw_SearchLimits limits = plain_limits();
    Run run = run_from(&valley, 1, 1e-10, &limits, far_start, 0.0);
    TEST_TRUE(run.result.met);
    TEST_INT(run.result.attempt, 0);
    TEST_INT(run.result.attempts, 1);
    TEST_TRUE(run.result.iterations < 8);
    // a pose that meets is not touched
    Run again = run_from(&valley, 1, 1e-10, &limits, run.values, 0.0);
    TEST_TRUE(again.result.met);
    TEST_INT(again.result.iterations, 0);
    TEST_TRUE(memcmp(again.values, run.values, sizeof run.values) == 0);
}

// any attempt may be the one
static void test_later_attempt(void **state)
{
    (void)state;
    static Valley valleys[MOST_STARTS];
    static const int lucky[] = { 1, 2, 7, 23, 24, 25, 40, 41, 300, 999 };
    for (size_t t = 0; t < sizeof lucky / sizeof lucky[0]; ++t) {
        for (int k = 0; k < MOST_STARTS; ++k) {
            // no two floors are the same, or the search would take the goals for out of reach
            valleys[k] = (Valley){ 0.1 + 0.01 * (k * 37 % 11) + 0.001 * k, 1.0, k % 5 == 3,
                k % 7 == 4 };
        }
        valleys[0] = (Valley){ 0.2, 1.0, false, false };
        valleys[lucky[t]] = (Valley){ 0.0, 1.0, false, false };
        snw_SearchLimits limits = plain_limits();
        Run run = run_from(valleys, MOST_STARTS, 1e-10, &limits, far_start, 0.0);
        TEST_TRUE(run.result.met);
        TEST_INT(run.result.attempt, lucky[t]);
        TEST_INT(run.result.attempts, lucky[t] + 1);
        TEST_INT((int)floor(run.values[0] / WAY + 0.5), lucky[t]);
        // and the same again
        Run again = run_from(valleys, MOST_STARTS, 1e-10, &limits, far_start, 0.0);
        TEST_TRUE(memcmp(&again.result, &run.result, sizeof run.result) == 0
            || (again.result.iterations == run.result.iterations
                && again.result.attempt == run.result.attempt));
        TEST_TRUE(memcmp(again.values, run.values, sizeof run.values) == 0);
    }
}

// where no start meets the goals, the lowest valley is the answer, down to its bottom
static void test_best_is_returned(void **state)
{
    (void)state;
    static Valley valleys[MOST_STARTS];
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(31, i);
        int attempts = 2 + test_int(&random, 60), lowest = 0;
        for (int k = 0; k < attempts; ++k) {
            valleys[k] = (Valley){ test_range(&random, 0.3, 1.0), test_range(&random, 0.5, 1.5),
                k > 0 && test_int(&random, 8) == 0, k > 0 && test_int(&random, 8) == 0 };
            bool whole = !valleys[k].fails && !valleys[k].broken;
            if (whole && valleys[k].floor < valleys[lowest].floor) { lowest = k; }
        }
        snw_SearchLimits limits = plain_limits();
        limits.max_attempts = attempts;
        Run run = run_from(valleys, attempts, 1e-10, &limits, far_start, 0.0);
        TEST_TRUE(!run.result.met && !run.result.out_of_time && !run.result.out_of_iterations);
        TEST_INT(run.result.attempts, attempts);
        // descents are given up early, so the lowest end decides, not always the lowest floor
        TEST_INT((int)floor(run.values[0] / WAY + 0.5), run.result.attempt);
        const Valley *valley = &valleys[run.result.attempt];
        double left = valley->fails || valley->broken ? 0.25 + 0.1225 + 0.01 : 0.0;
        TEST_NEAR(run.result.error2, valley->floor + left, 1e-12);
        TEST_TRUE(run.result.error2 <= valleys[lowest].floor + 0.2);
    }
}

// Goals that cannot be met: once a few patient descents from starts of their own ended at the same E, and
// nothing was lower, the search gives up; as long as something else was lower it goes on.
static void test_gives_up_where_descents_agree(void **state)
{
    (void)state;
    enum { COUNT = 400, LOWER = 5 };
    static Valley valleys[COUNT];
    for (int lower = 0; lower < 2; ++lower) {
        for (int k = 0; k < COUNT; ++k) {
            valleys[k] = (Valley){ k % 3 == 0 ? 0.5 : 0.7 + 0.001 * k, 1.0, false, false };
        }
        if (lower == 1) { valleys[LOWER].floor = 0.2; }
        snw_SearchLimits limits = plain_limits();
        limits.max_attempts = COUNT;
        Run run = run_from(valleys, COUNT, 1e-10, &limits, far_start, 0.0);
        TEST_TRUE(!run.result.met && !run.result.out_of_iterations);
        TEST_NEAR(run.result.error2, lower == 1 ? 0.2 : 0.5, 1e-9);
        int many = run.result.attempts;
        // of goals that no pose meets, each descent says where the bottom is
        limits.beyond = true;
        run = run_from(valleys, COUNT, 1e-10, &limits, far_start, 0.0);
        TEST_NEAR(run.result.error2, lower == 1 ? 0.2 : 0.5, 1e-9);
        TEST_TRUE(lower == 1 || run.result.attempts <= 12);
        run.result.attempts = many;
        if (lower == 1) {
            TEST_INT(run.result.attempts, COUNT);
            TEST_INT(run.result.attempt, LOWER);
        } else {
            TEST_TRUE(run.result.attempts < COUNT / 2);
        }
    }
}

// every ceiling of iterations from none on, with and without other attempts
static void test_iteration_ceiling(void **state)
{
    (void)state;
    static const Valley valleys[3] = { { 0.2, 1.7, false, false }, { 0.3, 2.6, false, false },
        { 0.1, 0.6, false, false } };
    for (int most = 1; most <= 40; most += 13) {
        for (int iterations = 0; iterations < 120; ++iterations) {
            snw_SearchLimits limits = plain_limits();
            limits.max_attempts = most;
            limits.max_iterations = iterations;
            Run run = run_from(valleys, 3, 1e-10, &limits, far_start, 0.0);
            TEST_TRUE(!run.result.met);
            // a descent may come to its own end with the last iteration
            TEST_TRUE(!run.result.out_of_iterations || run.result.iterations == iterations);
            if (iterations == 0) {
                TEST_TRUE(memcmp(run.values, far_start, sizeof far_start) == 0);
            }
        }
    }
}

// the one descent of a solve that keeps to its branch never goes uphill, whatever the model says
static void test_follows_downhill(void **state)
{
    (void)state;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(32, i);
        Valley valley = { test_int(&random, 2) ? 0.0 : test_range(&random, 0.0, 2.0),
            test_range(&random, 0.1, 60.0), false, false };
        double from[VALUES];
        for (int k = 0; k < VALUES; ++k) { from[k] = test_range(&random, -0.9, 0.9); }
        snw_SearchLimits limits = plain_limits();
        limits.max_attempts = 1;
        Run run = run_from(&valley, 1, 1e-12, &limits, from, 0.0);
        TEST_TRUE(!run.mock.uphill);
        TEST_INT(run.result.attempts, 1);
        if (valley.floor == 0.0) {
            TEST_TRUE(run.result.met);
        } else {
            TEST_TRUE(!run.result.met);
            TEST_NEAR(run.result.error2, valley.floor, 1e-6);
        }
        TEST_TRUE(run.result.rejections > 0 || valley.steepness < 4.0 || run.result.iterations < 3
            || valley.floor > 0.0 || run.result.error2 < run.result.start_error2);
    }
}

static void test_out_of_time(void **state)
{
    (void)state;
    static const Valley valleys[2] = { { 0.2, 1.0, false, false }, { 0.3, 1.4, false, false } };
    for (int budget = 0; budget <= 60; ++budget) {
        for (int most = 1; most <= 101; most += 50) {
            snw_SearchLimits limits = plain_limits();
            limits.max_attempts = most;
            limits.time_end = budget + 1;
            Run run = run_from(valleys, 2, 1e-10, &limits, far_start, 1.0);
            TEST_TRUE(!run.result.met);
            // no iteration begins after the clock told the end, and it is asked no more
            TEST_INT(run.mock.steps_after_end, 0);
            TEST_INT(run.mock.asked_after_end, 0);
            if (run.result.out_of_time) {
                TEST_TRUE(run.mock.asked >= budget);
                TEST_TRUE(run.result.iterations <= budget);
            }
            if (budget == 0) {
                TEST_TRUE(run.result.out_of_time);
                TEST_INT(run.result.iterations, 0);
                TEST_TRUE(memcmp(run.values, far_start, sizeof far_start) == 0);
            }
            if (most == 101) { TEST_TRUE(run.result.out_of_time); }
        }
    }
}

// ---------------------------------------------------------------------------------------------
// Motion: the pose given is that of the last frame

// next to the bottom of a valley that does not meet the goals: the pose stays in it, however much lower
// others are, and a few attempts look for one that meets
static void test_stuck_keeps_its_valley(void **state)
{
    (void)state;
    static Valley valleys[MOST_STARTS];
    for (int k = 0; k < MOST_STARTS; ++k) { valleys[k] = (Valley){ 1e-5, 1.0, false, false }; }
    valleys[0].floor = 5e-3;
    snw_SearchLimits limits = plain_limits();
    limits.warm = true;
    Run run = run_from(valleys, MOST_STARTS, 1e-10, &limits, bottom, 0.0);
    TEST_TRUE(!run.result.met);
    TEST_INT(run.result.attempt, 0);
    TEST_TRUE(run.result.attempts <= 8);
    // held still, it does not move at all
    TEST_TRUE(memcmp(run.values, bottom, sizeof bottom) == 0);

    // a little beside the bottom it goes there
    double beside[VALUES] = { 0.01, 0.24, 0.51 };
    run = run_from(valleys, MOST_STARTS, 1e-10, &limits, beside, 0.0);
    TEST_INT(run.result.attempt, 0);
    for (int k = 0; k < VALUES; ++k) { TEST_NEAR(run.values[k], bottom[k], 1e-6); }

    // one that meets is taken, and told
    valleys[5].floor = 0.0;
    run = run_from(valleys, MOST_STARTS, 1e-10, &limits, bottom, 0.0);
    TEST_TRUE(run.result.met);
    TEST_INT(run.result.attempt, 5);

    // cold, the same pose is one start among many
    valleys[5].floor = 1e-5;
    limits.warm = false;
    run = run_from(valleys, MOST_STARTS, 1e-10, &limits, bottom, 0.0);
    TEST_TRUE(run.result.attempt > 0);
    TEST_TRUE(run.result.attempts > 8);
}

// where a goal moved a little, the descent is followed to its end and not given up for others
static void test_near_start_is_followed(void **state)
{
    (void)state;
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(33, i);
        // not 2, from where steps leap to and fro without end
        double steepness = test_int(&random, 2) ? test_range(&random, 0.4, 1.7)
                                                : test_range(&random, 2.3, 8.0);
        const Valley valley = { 0.0, steepness, false, false };
        double from[VALUES];
        for (int k = 0; k < VALUES; ++k) { from[k] = bottom[k] + test_range(&random, -0.05, 0.05); }
        snw_SearchLimits limits = plain_limits();
        limits.warm = true;
        Run run = run_from(&valley, 1, 1e-12, &limits, from, 0.0);
        TEST_TRUE(run.result.met);
        TEST_INT(run.result.attempt, 0);
        TEST_TRUE(!run.mock.uphill);
    }
}

// at least so many iterations, also from a pose that meets; and a pose that meets where nothing is left
// to gain stays the answer
static void test_min_iterations(void **state)
{
    (void)state;
    const Valley valley = { 0.0, 0.5, false, false };
    for (int least = 0; least < 6; ++least) {
        for (int most = 1; most <= 50; most += 49) {
            for (int warm = 0; warm < 2; ++warm) {
                snw_SearchLimits limits = plain_limits();
                limits.min_iterations = least;
                limits.max_attempts = most;
                limits.warm = warm != 0;
                double from[VALUES] = { 0.001, 0.251, 0.499 };
                Run run = run_from(&valley, 1, 1e-4, &limits, from, 0.0);
                TEST_TRUE(run.result.met);
                TEST_INT(run.result.attempt, 0);
                TEST_INT(run.result.iterations, least);

                run = run_from(&valley, 1, 1e-4, &limits, bottom, 0.0);
                TEST_TRUE(run.result.met);
                TEST_INT(run.result.attempt, 0);
                TEST_TRUE(memcmp(run.values, bottom, sizeof bottom) == 0);
            }
        }
    }
    // the same where there is a floor below the tolerance
    const Valley floor = { 1e-6, 1.0, false, false };
    snw_SearchLimits limits = plain_limits();
    limits.min_iterations = 2;
    limits.warm = true;
    Run run = run_from(&floor, 1, 1e-4, &limits, bottom, 0.0);
    TEST_TRUE(run.result.met);
    TEST_INT(run.result.attempt, 0);
    TEST_TRUE(memcmp(run.values, bottom, sizeof bottom) == 0);
}

TEST_MAIN(cmocka_unit_test(test_first_descent), cmocka_unit_test(test_later_attempt),
    cmocka_unit_test(test_best_is_returned), cmocka_unit_test(test_gives_up_where_descents_agree),
    cmocka_unit_test(test_iteration_ceiling), cmocka_unit_test(test_follows_downhill),
    cmocka_unit_test(test_out_of_time), cmocka_unit_test(test_stuck_keeps_its_valley),
    cmocka_unit_test(test_near_start_is_followed), cmocka_unit_test(test_min_iterations))
