#include "bench/paper_starts.h"

#include "bench/bench.h"
#include "scenes/random.h"

#include <math.h>
#include <stdlib.h>

enum { SOLVES = 1000 };
#define SEED 1404

const int bench_ceilings_tried[BENCH_CEILINGS] = { 25, 50, 100, 200, 400 };
const int bench_halvings_tried[BENCH_HALVINGS] = { 0, 1, 2, 3, 5, 10, 20 };

// a heel moves with its ankle whatever the knee does; an ankle cannot leave a straight leg by any first step
static const bench_Problem problems[BENCH_STARTS][2] = {
    { { "LEG", "heel position", "Heel", false, SOLVES },
        { "LEG", "heel pose", "Heel", true, SOLVES } },
    { { "LEG", "ankle position", "Ankle", false, SOLVES },
        { "LEG", "ankle pose", "Ankle", true, SOLVES } },
};

static sinew_SolveOptions published(int iterations, int halvings)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    options.inverse = SINEW_INVERSE_EXPLICIT;
    options.literal_halving = true;
    options.limits = SINEW_LIMITS_CLAMP;
    options.max_iterations = iterations;
    options.max_halvings = halvings;
    return options;
}

// goal and start of a solve: the same for all ways to solve it
static int pose_problem(bench_Setup *setup, const bench_Problem *problem, bench_PaperStart kind,
    scene_Random *random, sinew_Goal *goals, double *start)
{
    scene_random_pose(setup->scene, random, setup->q);
    int count = bench_goals(setup, problem, setup->q, goals);
    scene_random_pose(setup->scene, random, start);
    if (kind == BENCH_START_STRAIGHT) {
        int knee = sinew_skeleton_find_joint(setup->scene->skeleton, "Knee");
        const sinew_Joint *joint = &sinew_skeleton_joints(setup->scene->skeleton)[knee];
        start[joint->coordinate_start] = pow(10.0, scene_random_range(random, -9.0, -5.0));
    }
    return count;
}

static double share_met(bench_Setup *setup, const bench_Problem *problem, bench_PaperStart kind,
    double *start, int halvings)
{
    scene_Random random = scene_random(SEED);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    sinew_SolveOptions options = published(200, halvings);
    int met = 0;
    for (int i = 0; i < SOLVES; ++i) {
        int count = pose_problem(setup, problem, kind, &random, goals, start);
        sinew_Report report;
        bench_copy_pose(setup, start, setup->q);
        (void)sinew_solver_solve(setup->solver, &options, goals, count, setup->q, &report, NULL);
        met += report.outcome == SINEW_OUTCOME_CONVERGED;
    }
    return (double)met / SOLVES;
}

static void measure(bench_Setup *setup, const bench_Problem *problem, bench_PaperStart kind,
    double *start, double *times, bench_PaperStarts *row)
{
    scene_Random random = scene_random(SEED);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    const int most = bench_ceilings_tried[BENCH_CEILINGS - 1];
    sinew_SolveOptions options = published(most, 20);
    double *each = times + SOLVES;
    int timed = 0;
    for (int i = 0; i < SOLVES; ++i) {
        int count = pose_problem(setup, problem, kind, &random, goals, start);
        sinew_Report report;
        bench_copy_pose(setup, start, setup->q);
        (void)sinew_solver_solve(setup->solver, &options, goals, count, setup->q, &report, NULL);
        // one run up to the highest ceiling is that of each lower one as well
        bool met = report.outcome == SINEW_OUTCOME_CONVERGED;
        for (int c = 0; c < BENCH_CEILINGS; ++c) {
            bool within = met && report.iterations <= bench_ceilings_tried[c];
            row->met_by_ceiling[c] += within ? 1.0 / SOLVES : 0.0;
        }
        int counted = report.iterations < 200 ? report.iterations : 200;
        row->iterations += (double)counted / SOLVES;
        row->halvings += (double)report.halvings / SOLVES;
        row->halved += report.halvings > 0 ? 1.0 / SOLVES : 0.0;
        if (report.iterations > 0) { each[timed++] = report.time / report.iterations; }
        times[i] = counted > 0 ? report.time * counted / report.iterations : report.time;
    }
    row->met = row->met_by_ceiling[3];
    qsort(times, SOLVES, sizeof *times, bench_compare);
    qsort(each, (size_t)timed, sizeof *each, bench_compare);
    row->solve_time = times[SOLVES / 2];
    row->iteration_time = timed > 0 ? each[timed / 2] : 0.0;
    for (int h = 0; h < BENCH_HALVINGS; ++h) {
        row->met_by_halvings[h] = share_met(setup, problem, kind, start, bench_halvings_tried[h]);
    }
}

bool bench_paper_starts(bench_PaperStarts out[BENCH_STARTS][2])
{
    bench_Setup setup;
    if (!bench_setup_open("LEG", &setup)) { return false; }
    size_t numbers = (size_t)sinew_skeleton_coordinate_count(setup.scene->skeleton);
    double *start = malloc(numbers * sizeof *start);
    double *times = malloc(2 * SOLVES * sizeof *times);
    bool done = start != NULL && times != NULL;
    for (int kind = 0; kind < BENCH_STARTS && done; ++kind) {
        for (int full = 0; full < 2; ++full) {
            out[kind][full] = (bench_PaperStarts){ 0 };
            measure(&setup, &problems[kind][full], (bench_PaperStart)kind, start, times,
                &out[kind][full]);
        }
    }
    free(start);
    free(times);
    bench_setup_close(&setup);
    return done;
}
