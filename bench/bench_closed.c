// `sinew bench closed`: closed forms of arms and limbs through the public call, with the goals that were
// set for them. Every answer is judged as in `sinew bench arms`, inside limits by a reckoning of its own.

#include "bench/bench_goals.h"
#include "bench/closed_limbs.h"
#include "bench/closed_peer.h"
#include "bench/following.h"

#include "sinew/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS = 20000, PASSES = 3, STRIDE_FRAMES = 200, STRIDE_ROUNDS = 100 };

typedef struct Run {
    const bench_Request *request;
    bench_Output out;
    int targets;
} Run;

// ---------------------------------------------------------------------------------------------
// Verdicts

typedef struct Verdict {
    char text[160];
} Verdict;

static void judge(Verdict *verdict, const char *what, double value, double most)
{
    if (!(value > most)) { return; }
    size_t used = strlen(verdict->text);
    snprintf(verdict->text + used, sizeof verdict->text - used, "%s%s %.3g (%.3g)",
        used > 0 ? ", " : "missed: ", what, value, most);
}

static const char *end_verdict(Verdict *verdict)
{
    return verdict->text[0] != '\0' ? verdict->text : "met";
}

// ---------------------------------------------------------------------------------------------
// Arms

static const bench_Column arm_columns[] = { { "arm", "arm", NULL, 0.0 },
    { "axes", "axes", "0", 1.0 }, { "first", "first_us", NULL, 0.0 },
    { "nearest", "nearest_us", NULL, 0.0 }, { "kept", "kept_us", NULL, 0.0 },
    { "all", "all_median_us", "2", 1e6 }, { "answers", "answers", "1", 1.0 },
    { "solved", "solved_share", "3 %", 100.0 }, { "hard", "hard_share", "3 %", 100.0 },
    { "verdict", "verdict", NULL, 0.0 }, { NULL, NULL, NULL, 0.0 } };

// the median time of all answers, and how many there are
static double time_all(const bench_Chain *chain, const bench_Targets *targets, double *out_answers)
{
    enum { CAPACITY = 16 };
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    size_t width = (size_t)sinew_skeleton_coordinate_count(chain->skeleton);
    double *poses = malloc(CAPACITY * width * sizeof *poses), ways[CAPACITY];
    double *times = malloc((size_t)targets->count * sizeof *times);
    int branches[CAPACITY];
    sinew_SolverDef def = sinew_solver_def_default();
    sinew_Solver *solver = NULL;
    def.skeleton = chain->skeleton;
    def.max_goals = 1;
    bool good = poses != NULL && times != NULL
        && sinew_solver_create(&def, &solver, NULL) == SINEW_STATUS_OK;
    sinew_Answers answers = {
        .capacity = CAPACITY, .poses = poses, .ways = ways, .branches = branches
    };
    *out_answers = 0.0;
    for (int pass = 0; good && pass < PASSES; ++pass) {
        for (int i = 0; i < targets->count; ++i) {
            sinew_Goal goal = bench_chain_goal(chain, targets->places[i]);
            double begin = bench_clock(NULL);
            (void)sinew_solver_answers(solver, &options, &goal, chain->q, &answers, NULL);
            double time = bench_clock(NULL) - begin;
            times[i] = pass == 0 ? time : fmin(times[i], time);
            *out_answers += (double)answers.count / targets->count / PASSES;
        }
    }
    double median = INFINITY;
    if (good) {
        qsort(times, (size_t)targets->count, sizeof *times, bench_compare);
        median = times[targets->count / 2];
    }
    sinew_solver_destroy(solver);
    free(poses);
    free(times);
    return median;
}

static bool has_closed_form(const bench_Chain *chain)
{
    sinew_SolverDef def = sinew_solver_def_default();
    sinew_Solver *solver = NULL;
    def.skeleton = chain->skeleton;
    def.max_goals = 1;
    if (sinew_solver_create(&def, &solver, NULL) != SINEW_STATUS_OK) { return false; }
    sinew_Goal goal = bench_chain_goal(chain, sinew_transform_identity());
    bool closed = sinew_solver_closed_form(solver, &goal, chain->q, NULL);
    sinew_solver_destroy(solver);
    return closed;
}

// the least share of goals met on the hard sets
static double hard_share(const Run *run, const bench_Chain *chain)
{
    static const bench_Draw draws[] = { BENCH_DRAW_ON_BOUNDS, BENCH_DRAW_AT_ZERO,
        BENCH_DRAW_NEAR_ZERO };
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    double least = 1.0;
    for (int d = 0; d < 3; ++d) {
        bench_Targets targets;
        bench_ChainResult result;
        if (!bench_targets_draw(chain, run->request->seed, run->targets, draws[d], &targets)) {
            return NAN;
        }
        bool good = bench_chain_run(chain, &targets, false, &options, 2, &result);
        bench_targets_close(&targets);
        if (!good) { return NAN; }
        least = fmin(least, result.solved);
    }
    return least;
}

static void put_arm(Run *run, const bench_Chain *chain, const char *name)
{
    static const sinew_BranchChoice branches[3] = { SINEW_BRANCH_FIRST, SINEW_BRANCH_NEAREST,
        SINEW_BRANCH_KEPT };
    bench_Targets targets;
    if (!has_closed_form(chain)) { return; }
    if (!bench_targets_open(chain, run->request->seed, run->targets, &targets)) {
        run->out.failed = true;
        return;
    }
    bench_ChainResult r[3];
    char times[3][48];
    double solved = 1.0, answers = NAN, all = NAN;
    for (int b = 0; b < 3; ++b) {
        sinew_SolveOptions options = bench_chain_options(bench_default_method());
        options.branch = branches[b];
        bool good = bench_chain_run(chain, &targets, false, &options, PASSES, &r[b]);
        run->out.failed = run->out.failed || !good;
        solved = fmin(solved, r[b].solved);
        snprintf(times[b], sizeof times[b], "%.2f / %.2f / %.1f", 1e6 * r[b].median,
            1e6 * r[b].mean, 1e6 * r[b].p99);
    }
    bool six = chain->axis_count == 6, panda = strcmp(name, "Franka Panda") == 0;
    if (six) { all = time_all(chain, &targets, &answers); }
    double hard = hard_share(run, chain);
    bench_targets_close(&targets);

    Verdict verdict = { "" };
    judge(&verdict, "first", 1e6 * r[0].median, panda ? 0.9 : six ? 0.8 : 1.0);
    judge(&verdict, "mean", 1e6 * r[0].mean, panda ? 1.0 : six ? 0.9 : 1.3);
    judge(&verdict, "p99", 1e6 * r[0].p99, panda ? 1.6 : six ? 1.3 : 5.0);
    judge(&verdict, "nearest", 1e6 * r[1].median, six ? 1.2 : 1.3);
    if (!six) {
        judge(&verdict, "mean", 1e6 * r[1].mean, 1.4);
        judge(&verdict, "p99", 1e6 * r[1].p99, 5.0);
    }
    judge(&verdict, "kept p99", 1e6 * r[2].p99, six ? 7.0 : 5.0);
    judge(&verdict, "all", 1e6 * all, 1.5);
    judge(&verdict, "share", 1.0 - fmin(solved, hard), 0.0);
    bench_row(&run->out, arm_columns,
        (const char *[]){ name, times[0], times[1], times[2], end_verdict(&verdict) },
        (const double[]){ chain->axis_count, all, answers, solved, hard });
}

static void run_arms(Run *run)
{
    char title[240];
    snprintf(title, sizeof title,
        "Arms with a closed form, us (median / mean / p99): %d random reachable poses (1e-5 m, "
        "1e-5 "
        "rad) from the middle of all ranges; hard: as many with joints on bounds, at 0 and next to "
        "0",
        run->targets);
    bench_columns_begin(&run->out, "arms", title, arm_columns);
    for (int i = 0; i < bench_arm_count(); ++i) {
        sinew_MotionFile *file = NULL;
        bench_Chain chain;
        if (!bench_arm_open(i, &file, &chain)) { continue; }
        put_arm(run, &chain, bench_arm_name(i));
        bench_chain_close(&chain);
        sinew_motion_destroy(file);
    }
    bench_table_end(&run->out);
}

// ---------------------------------------------------------------------------------------------
// Small limbs

static const bench_Column small_columns[] = { { "limb", "limb", NULL, 0.0 },
    { "solved", "solved_share", "3 %", 100.0 }, { "median us", "median_us", "3", 1e6 },
    { "mean us", "mean_us", "3", 1e6 }, { "p99 us", "p99_us", "2", 1e6 },
    { "verdict", "verdict", NULL, 0.0 }, { NULL, NULL, NULL, 0.0 } };

static void put_small(
    Run *run, const char *name, const bench_ChainResult *r, double median, double mean, double p99)
{
    Verdict verdict = { "" };
    judge(&verdict, "median", 1e6 * r->median, median);
    judge(&verdict, "mean", 1e6 * r->mean, mean);
    judge(&verdict, "p99", 1e6 * r->p99, p99);
    judge(&verdict, "share", 1.0 - r->solved, 0.0);
    bench_row(&run->out, small_columns, (const char *[]){ name, end_verdict(&verdict) },
        (const double[]){ r->solved, r->median, r->mean, r->p99 });
}

// a leg that places its foot
static void run_leg(
    Run *run, const sinew_Skeleton *skeleton, int base, int tip, const char *name, double median)
{
    bench_Chain chain;
    bench_Targets targets;
    bench_ChainResult r;
    if (!bench_chain_open(skeleton, base, tip, true, &chain)) { return; }
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    if (bench_targets_open(&chain, run->request->seed, run->targets, &targets)) {
        if (bench_chain_run(&chain, &targets, false, &options, PASSES, &r)) {
            put_small(run, name, &r, median, INFINITY, INFINITY);
        }
        bench_targets_close(&targets);
    }
    bench_chain_close(&chain);
}

// frames of a stride are timed as a whole, since one is not much longer than a look at the clock; nor does the
// solver look at one, as those of all other rows
static void run_stride(Run *run)
{
    const bench_Problem problem = { "LEG", "", "Ankle", false, 0 };
    static sinew_Goal goals[STRIDE_FRAMES][SCENE_MAX_EFFECTORS];
    bench_Setup setup;
    if (!bench_setup_open("LEG", &setup)) { return; }
    sinew_Solver *solver = bench_solver(setup.scene->skeleton, 1);
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    double period = scene_motion_period(setup.scene), times[STRIDE_ROUNDS];
    for (int f = 0; f < STRIDE_FRAMES; ++f) {
        scene_pose_at(setup.scene, period * f / STRIDE_FRAMES, setup.q);
        (void)bench_goals(&setup, &problem, setup.q, goals[f]);
    }
    bench_ChainResult r = { .solved = 1.0, .mean = NAN, .p99 = NAN };
    for (int round = 0; round < STRIDE_ROUNDS; ++round) {
        sinew_Report report = { .outcome = SINEW_OUTCOME_STALLED };
        double begin = bench_clock(NULL);
        for (int f = 0; f < STRIDE_FRAMES; ++f) {
            (void)sinew_solver_solve(solver, &options, goals[f], 1, setup.q, &report, NULL);
            if (report.outcome != SINEW_OUTCOME_CONVERGED) { r.solved = 0.0; }
        }
        times[round] = (bench_clock(NULL) - begin) / STRIDE_FRAMES;
    }
    sinew_solver_destroy(solver);
    bench_setup_close(&setup);
    qsort(times, STRIDE_ROUNDS, sizeof *times, bench_compare);
    r.median = times[0];
    put_small(run, "leg of 4 hinges, a frame of a stride", &r, 0.22, INFINITY, INFINITY);
}

static void run_small(Run *run)
{
    bench_columns_begin(&run->out, "small", "Small limbs", small_columns);
    char path[1024];
    sinew_ReadOptions reading = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    if (bench_data_path("urdf/a1_quadruped.urdf", path, sizeof path)
        && sinew_motion_read(path, &reading, &file, NULL) == SINEW_STATUS_OK) {
        run_leg(run, sinew_motion_skeleton(file), sinew_motion_find_joint(file, "trunk"),
            sinew_motion_find_joint(file, "FR_toe"), "leg of 3 hinges, place of the foot", 0.32);
        sinew_motion_destroy(file);
    }
    scene_Scene *scene = NULL;
    if (scene_create("LEG", NULL, &scene, NULL) == SINEW_STATUS_OK) {
        int tip = sinew_skeleton_find_joint(scene->skeleton, "Ankle");
        run_leg(run, scene->skeleton, -1, tip, "leg of 4 hinges, place of the ankle", 0.28);
        scene_destroy(scene);
    }
    run_stride(run);
    static const char *const names[2] = { "human arm of balls, pose of the hand",
        "human leg of balls, pose of the foot" };
    for (int leg = 0; leg < 2; ++leg) {
        bench_ChainResult r;
        if (!bench_ball_limb_run(run->request, run->targets, leg == 1, PASSES, &r)) { continue; }
        put_small(run, names[leg], &r, 2.0, 2.5, 10.0);
    }
    bench_table_end(&run->out);
}

// ---------------------------------------------------------------------------------------------

static const char *const part_names[] = { "arms", "small", "limbs" };
enum { PARTS = (int)(sizeof part_names / sizeof part_names[0]) };

static bool is_wanted(const bench_Request *request, int part)
{
    for (int i = 0; i < request->file_count; ++i) {
        if (strcmp(request->files[i], part_names[part]) == 0) { return true; }
    }
    return request->file_count == 0;
}

static bool names_are_parts(const bench_Request *request)
{
    for (int i = 0; i < request->file_count; ++i) {
        bool known = false;
        for (int p = 0; p < PARTS; ++p) {
            known = known || strcmp(request->files[i], part_names[p]) == 0;
        }
        if (known) { continue; }
        fprintf(stderr, "sinew: bench closed: found '%s', expected arms, small or limbs\n",
            request->files[i]);
        return false;
    }
    return true;
}

int sinew_bench_closed(const bench_Request *request)
{
    if (!names_are_parts(request)) { return 2; }
    Run run = { .request = request, .out = { .as_json = request->json } };
    run.targets = request->targets > 0 ? request->targets : TARGETS;
    if (request->json) { run.out.json = cli_json_begin(); }
    if (is_wanted(request, 0)) {
        run_arms(&run);
        bench_closed_peer(request, &run.out, run.targets);
    }
    if (is_wanted(request, 1)) { run_small(&run); }
    if (is_wanted(request, 2)) { bench_closed_limbs(request, &run.out); }
    if (request->json) { cli_json_end(&run.out.json); }
    if (run.out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    return run.out.failed ? 1 : 0;
}
