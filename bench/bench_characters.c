// `sinew bench characters`: how limits, methods and restarts do on whole limbs and bodies.

#include "bench/bench.h"

#include "bench/bench_goals.h"
#include "bench/character_claims.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COUNT = 10000, RESTARTS = 8, MANY_RESTARTS = 32 };

// a solve that takes longer is timed twice, as another program may have had the processor; seconds
#define SUSPICIOUS 1e-3

static const bench_Problem problems[] = {
    { "LEG", "ankle position", "Ankle", false, 1000 },
    { "LEG", "heel pose", "Heel", true, 1000 },
    { "ARM", "hand position", NULL, false, 1000 },
    { "ARM", "hand pose", NULL, true, 1000 },
    { "LIMITARM", "hand position", NULL, false, 1000 },
    { "LIMITARM", "hand pose", NULL, true, 1000 },
    { "SPINEARM", "hand position", NULL, false, 500 },
    { "SPINEARM", "hand pose", NULL, true, 500 },
    { "HAND5", "5 finger tips", NULL, false, 500 },
    { "MAN18", "all effectors", NULL, false, 100 },
};
enum { PROBLEMS = (int)(sizeof problems / sizeof problems[0]) };

static const bench_Variant variants[] = {
    { SINEW_METHOD_DAMPED, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_DAMPED, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_PSEUDO_INVERSE, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_PSEUDO_INVERSE, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_TRANSPOSE, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_TRANSPOSE, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_ROOT_TO_TIP },
};
enum { VARIANTS = (int)(sizeof variants / sizeof variants[0]) };

/// What one way to solve made of all goals.
typedef struct Result {
    int met;
    int most_restarts; ///< in a solve that met its goals
    double mean_error, mean_iterations, median, p99, violation;
} Result;

/// Without and with restarts.
typedef struct Results {
    Result rows[PROBLEMS][VARIANTS][2];
} Results;

static Result run(
    bench_Setup *setup, const bench_Problem *problem, bench_Variant variant, int restarts)
{
    static double times[MAX_COUNT];
    Result result = { 0 };
    sinew_SolveOptions options = bench_variant_options(variant);
    options.restarts = restarts;
    scene_Random random = scene_random(2004);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    for (int i = 0; i < problem->count; ++i) {
        scene_random_pose(setup->scene, &random, setup->q);
        int count = bench_goals(setup, problem, setup->q, goals);
        sinew_Report report;
        times[i] = INFINITY;
        for (int pass = 0; pass < 2 && times[i] > SUSPICIOUS; ++pass) {
            bench_copy_pose(setup, setup->start, setup->q);
            (void)sinew_solver_solve(
                setup->solver, &options, goals, count, setup->q, &report, NULL);
            times[i] = fmin(times[i], report.time);
        }
        if (report.outcome == SINEW_OUTCOME_CONVERGED) {
            ++result.met;
            if (report.restarts > result.most_restarts) { result.most_restarts = report.restarts; }
        }
        result.mean_error += report.position_error / problem->count;
        result.mean_iterations += (double)report.iterations / problem->count;
        result.violation = fmax(result.violation, report.limit_violation);
    }
    qsort(times, (size_t)problem->count, sizeof *times, bench_compare);
    result.median = times[problem->count / 2];
    result.p99 = times[problem->count * 99 / 100];
    return result;
}

// ---------------------------------------------------------------------------------------------
// Tables

static void bench_methods(bench_Output *out, Results *results)
{
    static const bench_Column columns[] = { { "scene", "scene", NULL, 0.0 },
        { "goals", "goals", NULL, 0.0 }, { "method", "method", NULL, 0.0 },
        { "limits", "limits", NULL, 0.0 }, { "met", "met_share", "2 %", 100.0 },
        { "mean mm", "mean_error_m", "3", 1e3 }, { "iterations", "mean_iterations", "1", 1.0 },
        { "median us", "median_us", "1", 1.0 }, { "p99 us", "p99_us", "0", 1.0 },
        { "8 restarts: met", "restarts_met_share", "2 %", 100.0 },
        { "median us", "restarts_median_us", "1", 1.0 }, { "p99 us", "restarts_p99_us", "0", 1.0 },
        { NULL, NULL, NULL, 0.0 } };
    bench_columns_begin(out, "methods",
        "Random reachable goals (1 mm, 0.01 rad) from the middle of all ranges, alone and with up "
        "to 8 random restarts",
        columns);
    for (int p = 0; p < PROBLEMS; ++p) {
        const bench_Problem *problem = &problems[p];
        bench_Setup setup;
        if (!bench_setup_open(problem->scene, &setup)) {
            out->failed = true;
            break;
        }
        for (int v = 0; v < VARIANTS; ++v) {
            Result *pair = results->rows[p][v];
            for (int r = 0; r < 2; ++r) {
                pair[r] = run(&setup, problem, variants[v], r * RESTARTS);
            }
            bench_row(out, columns,
                (const char *[]){ problem->scene, problem->goal_text,
                    bench_variant_method(variants[v]), bench_variant_limits(variants[v]) },
                (const double[]){ (double)pair[0].met / problem->count, pair[0].mean_error,
                    pair[0].mean_iterations, 1e6 * pair[0].median, 1e6 * pair[0].p99,
                    (double)pair[1].met / problem->count, 1e6 * pair[1].median,
                    1e6 * pair[1].p99 });
        }
        bench_setup_close(&setup);
    }
    bench_table_end(out);
}

// what is wanted of the damped method with the active set; other published code for comparison
typedef struct Wanted {
    bench_Problem problem;
    bool all; // nothing less will do
    const char *others;
} Wanted;

static const Wanted wanted[] = {
    { { "LEG", "ankle position", "Ankle", false, 10000 }, true, "" },
    { { "LEG", "heel pose", "Heel", true, 10000 }, true, "" },
    { { "SPINEARM", "hand position", NULL, false, 10000 }, true, "" },
    { { "SPINEARM", "hand pose", NULL, true, 10000 }, true, "" },
    { { "HAND5", "5 finger tips", NULL, false, 10000 }, true,
        "published 99.6 %, 185 us; prototype 6-9 us" },
    { { "ARM", "hand pose", NULL, true, 10000 }, false, "" },
    { { "LIMITARM", "hand pose", NULL, true, 10000 }, false, "" },
    { { "MAN18", "all effectors", NULL, false, 2000 }, false, "" },
};
enum { WANTED = (int)(sizeof wanted / sizeof wanted[0]) };

static const char *judge(
    const Wanted *row, const Result *alone, const Result *few, const Result *many)
{
    if (alone->met == row->problem.count) { return "met"; }
    if (few->met == row->problem.count) { return "met with 8 restarts"; }
    if (many->met == row->problem.count) { return "met with 32 restarts"; }
    return "not met";
}

static void bench_wanted(bench_Output *out)
{
    static const bench_Column columns[] = { { "scene", "scene", NULL, 0.0 },
        { "goals", "goals", NULL, 0.0 }, { "wanted", "wanted_share", "0 %", 100.0 },
        { "alone", "met_share", "2 %", 100.0 }, { "median us", "median_us", "1", 1.0 },
        { "8 restarts", "restarts_8_share", "2 %", 100.0 },
        { "32 restarts", "restarts_32_share", "2 %", 100.0 },
        { "most needed", "most_restarts", "0", 1.0 }, { "p99 us", "p99_us", "0", 1.0 },
        { "all goals", "verdict", NULL, 0.0 }, { "others", "others", NULL, 0.0 },
        { NULL, NULL, NULL, 0.0 } };
    static const int restarts[3] = { 0, RESTARTS, MANY_RESTARTS };
    bench_columns_begin(out, "wanted",
        "Reachable goals met within limits by dls with the active set, 10000 goals each (MAN18 "
        "2000)",
        columns);
    for (int i = 0; i < WANTED; ++i) {
        bench_Setup setup;
        if (!bench_setup_open(wanted[i].problem.scene, &setup)) {
            out->failed = true;
            break;
        }
        Result results[3];
        for (int r = 0; r < 3; ++r) {
            results[r] = run(&setup, &wanted[i].problem, variants[0], restarts[r]);
        }
        double count = wanted[i].problem.count;
        bench_row(out, columns,
            (const char *[]){ wanted[i].problem.scene, wanted[i].problem.goal_text,
                judge(&wanted[i], &results[0], &results[1], &results[2]), wanted[i].others },
            (const double[]){ wanted[i].all ? 1.0 : NAN, results[0].met / count,
                1e6 * results[0].median, results[1].met / count, results[2].met / count,
                results[2].most_restarts, 1e6 * results[2].p99 });
        bench_setup_close(&setup);
    }
    bench_table_end(out);
}

// active set against clamping, same goals and starts; variants come in pairs
static void bench_clamping(bench_Output *out, const Results *results)
{
    static const bench_Column columns[] = { { "scene", "scene", NULL, 0.0 },
        { "goals", "goals", NULL, 0.0 }, { "method", "method", NULL, 0.0 },
        { "active set", "active_met", "0", 1.0 }, { "clamp", "clamp_met", "0", 1.0 },
        { "of", "goal_count", "0", 1.0 }, { NULL, NULL, NULL, 0.0 } };
    double violation = 0.0;
    int lower = 0, pairs = 0;
    bench_columns_begin(
        out, "clamping", "Where the active set meets fewer goals than clamping", columns);
    for (int p = 0; p < PROBLEMS; ++p) {
        for (int v = 0; v < VARIANTS; ++v) {
            const Result *pair = results->rows[p][v];
            violation = fmax(violation, fmax(pair[0].violation, pair[1].violation));
            if (variants[v].limits != SINEW_LIMITS_CLAMP) { continue; }
            int active = results->rows[p][v - 1][0].met, clamp = pair[0].met;
            ++pairs;
            if (active >= clamp) { continue; }
            ++lower;
            bench_row(out, columns,
                (const char *[]){
                    problems[p].scene, problems[p].goal_text, bench_variant_method(variants[v]) },
                (const double[]){ active, clamp, problems[p].count });
        }
    }
    bench_table_end(out);
    if (out->as_json) {
        cli_json_number(&out->json, "limit_violation_rad", violation);
    } else {
        printf("  %d of %d rows. Largest limit violation of all answers: %g.\n\n", lower, pairs,
            violation);
    }
}

int sinew_bench_characters(const bench_Request *request)
{
    static Results results;
    bool json = request->json;
    bench_Output out = { .as_json = json };
    if (json) { out.json = cli_json_begin(); }
    bench_character_goals(&out, request);
    bench_methods(&out, &results);
    bench_wanted(&out);
    bench_clamping(&out, &results);
    bench_rotation_shares(&out);
    bench_corner_dwell(&out);
    bench_start_counts(&out);
    if (json) { cli_json_end(&out.json); }
    if (out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    return out.failed ? 1 : 0;
}
