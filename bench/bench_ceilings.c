#include "bench/bench_ceilings.h"

#include "bench/bench.h"

#include <math.h>
#include <stdlib.h>

// An iteration costs the same whatever the goal, so a ceiling of iterations is a ceiling of time. Half of
// the goals are out of reach: those solves go on until they stall or are at the ceiling.

enum { SOLVES = 100000, CEILING = 20, PASSES = 3 };
// of the bound, for what a solve does once, before and after its iterations
#define ALLOWED 1.5
// goals out of reach are this many times as far from the root of the chain as a reachable one
#define FAR 3.0

static const bench_Problem problems[] = {
    { "LEG", "ankle position", "Ankle", false, SOLVES },
    { "LEG", "heel pose", "Heel", true, SOLVES },
    { "ARM", "hand position", NULL, false, SOLVES },
    { "ARM", "hand pose", NULL, true, SOLVES },
};
enum { PROBLEM_COUNT = (int)(sizeof problems / sizeof problems[0]) };

static const bench_Column columns[] = {
    { "scene", "scene", NULL, 0.0 },
    { "goals", "goals", NULL, 0.0 },
    { "verdict", "verdict", NULL, 0.0 },
    { "iterations", "mean_iterations", "1", 1.0 },
    { "most", "most_iterations", "0", 1.0 },
    { "iteration us", "iteration_us", "3", 1.0 },
    { "ceiling us", "ceiling_us", "2", 1.0 },
    { "p99.9 us", "p999_us", "2", 1.0 },
    { "p99.9 / ceiling", "p999_by_ceiling", "2", 1.0 },
    { "largest us", "largest_us", "1", 1.0 },
    { NULL, NULL, NULL, 0.0 },
};

typedef struct Ceiling {
    double mean_iterations, iteration, p999, largest;
    int most_iterations;
} Ceiling;

// times: seconds of each solve; each: of its iterations, SOLVES of both
static Ceiling measure(
    bench_Setup *setup, const bench_Problem *problem, double *times, double *each)
{
    Ceiling row = { 0 };
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    options.max_iterations = CEILING;
    scene_Random random = scene_random(2004);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    int long_solves = 0;
    for (int i = 0; i < problem->count; ++i) {
        scene_random_pose(setup->scene, &random, setup->q);
        int count = bench_goals(setup, problem, setup->q, goals);
        for (int g = 0; g < count && i % 2 == 1; ++g) {
            goals[g].position = sinew_vec3_scale(goals[g].position, FAR);
        }
        sinew_Report report;
        // the best of some passes, else the machine's interruptions would be what is measured
        times[i] = INFINITY;
        for (int pass = 0; pass < PASSES; ++pass) {
            bench_copy_pose(setup, setup->start, setup->q);
            double start = bench_clock(NULL);
            (void)sinew_solver_solve(
                setup->solver, &options, goals, count, setup->q, &report, NULL);
            times[i] = fmin(times[i], bench_clock(NULL) - start);
        }
        row.mean_iterations += (double)report.iterations / problem->count;
        if (report.iterations > row.most_iterations) { row.most_iterations = report.iterations; }
        // of solves that are long enough for what is done once not to matter
        if (report.iterations >= CEILING / 2) {
            each[long_solves++] = times[i] / report.iterations;
        }
    }
    qsort(times, (size_t)problem->count, sizeof *times, bench_compare);
    qsort(each, (size_t)long_solves, sizeof *each, bench_compare);
    row.iteration = long_solves > 0 ? each[long_solves / 2] : NAN;
    row.p999 = times[(int)(0.999 * problem->count)];
    row.largest = times[problem->count - 1];
    return row;
}

void bench_ceilings(bench_Output *out)
{
    bench_columns_begin(out, "ceilings",
        "Ceilings: pseudo-inverse, at most 20 iterations, 100,000 goals of which half are out of "
        "reach; "
        "the ceiling is 20 times the median iteration",
        columns);
    double *times = malloc(2 * SOLVES * sizeof *times);
    for (int p = 0; times != NULL && p < PROBLEM_COUNT; ++p) {
        bench_Setup setup;
        if (!bench_setup_open(problems[p].scene, &setup)) {
            out->failed = true;
            break;
        }
        const Ceiling row = measure(&setup, &problems[p], times, times + SOLVES);
        const double ceiling = CEILING * row.iteration;
        const bool holds = row.most_iterations <= CEILING && row.p999 <= ALLOWED * ceiling;
        const char *texts[] = { problems[p].scene, problems[p].goal_text,
            holds ? "holds" : "does not hold" };
        const double numbers[] = { row.mean_iterations, row.most_iterations, 1e6 * row.iteration,
            1e6 * ceiling, 1e6 * row.p999, row.p999 / ceiling, 1e6 * row.largest };
        bench_row(out, columns, texts, numbers);
        bench_setup_close(&setup);
    }
    out->failed = out->failed || times == NULL;
    free(times);
    bench_table_end(out);
}
