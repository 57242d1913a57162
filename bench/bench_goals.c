// `sinew bench all`: every goal that was set for the solver, with what it reaches, and the cases that
// nobody has published figures of. `sinew bench characters` begins with its rows about bodies.

#include "bench/bench_goals.h"

#include "bench/goal_rows.h"
#include "scenes/reckoning.h"

#include "sinew/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PASSES = 3, KDL_TARGETS = 1000, KDL_ARM_TARGETS = 200 };

typedef struct Goals {
    const bench_Request *request;
    sinew_Method method;
    bench_Output *out;
    bench_GoalRows rows;
} Goals;

// ---------------------------------------------------------------------------------------------
// Scenes with any number of goals

typedef struct SceneRun {
    bench_Setup *setup;
    const bench_Problem *problem;
    sinew_SolveOptions options;
    int count, goal_count;
    sinew_Goal *goals; // count x goal_count
    double *times;
    unsigned char *good;
} SceneRun;

static bool meets_goals(const SceneRun *run, const sinew_Goal *goals, const double *q)
{
    const sinew_Skeleton *skeleton = run->setup->scene->skeleton;
    double most = BENCH_CHAIN_TOLERANCE * (1.0 + 1e-9);
    for (int g = 0; g < run->goal_count; ++g) {
        sinew_Transform tip = scene_reckon(
            skeleton, q, goals[g].joint, goals[g].joint_from_effector);
        if (!(sinew_vec3_distance(tip.position, goals[g].position) <= most)) { return false; }
        if (goals[g].kind == SINEW_GOAL_POSE
            && !(scene_reckon_angle(tip.rotation, goals[g].orientation) <= most)) {
            return false;
        }
    }
    return true;
}

static void finish(SceneRun *run, bench_ChainResult *result)
{
    int count = run->count;
    result->count = count;
    for (int i = 0; i < count; ++i) {
        result->mean += run->times[i] / count;
        if (run->good[i]) {
            result->solved += 1.0;
        } else if (result->failure_count++ < BENCH_TOLD_FAILURES) {
            result->failures[result->failure_count - 1] = i;
        }
    }
    result->solved /= count;
    qsort(run->times, (size_t)count, sizeof *run->times, bench_compare);
    result->median = run->times[count / 2];
    result->p99 = run->times[(size_t)count * 99 / 100];
    result->p999 = run->times[(size_t)count * 999 / 1000];
}

static void solve_all(SceneRun *run, bench_ChainResult *result)
{
    bench_Setup *setup = run->setup;
    const sinew_Skeleton *skeleton = setup->scene->skeleton;
    int last_axis = sinew_skeleton_axis_count(skeleton) - 1;
    for (int pass = 0; pass < PASSES; ++pass) {
        for (int i = 0; i < run->count; ++i) {
            const sinew_Goal *goals = &run->goals[(size_t)i * (size_t)run->goal_count];
            sinew_Report report;
            bench_copy_pose(setup, setup->start, setup->q);
            double begin = bench_clock(NULL);
            (void)sinew_solver_solve(
                setup->solver, &run->options, goals, run->goal_count, setup->q, &report, NULL);
            double time = bench_clock(NULL) - begin;
            run->times[i] = pass == 0 ? time : fmin(run->times[i], time);
            if (pass > 0) { continue; }
            double violation = scene_reckon_violation(skeleton, setup->q, 0, last_axis);
            run->good[i] = meets_goals(run, goals, setup->q) && violation <= 1e-9;
            result->violation = fmax(result->violation, violation);
            result->iterations += (double)report.iterations / run->count;
            result->attempts += (1.0 + report.restarts) / run->count;
        }
    }
}

// random reachable goals from the middle of all ranges; false without memory
static bool run_scene(const Goals *all, const bench_Problem *problem, bench_ChainResult *out_result)
{
    bench_Setup setup;
    if (!bench_setup_open(problem->scene, &setup)) { return false; }
    int asked = all->request->targets;
    SceneRun run = { .setup = &setup,
        .problem = problem,
        .options = bench_chain_options(all->method),
        .count = asked > 0 && asked < problem->count ? asked : problem->count };
    sinew_Goal first[SCENE_MAX_EFFECTORS];
    run.goal_count = bench_goals(&setup, problem, setup.start, first);
    size_t count = (size_t)run.count, goal_count = (size_t)run.goal_count;
    run.goals = malloc(count * goal_count * sizeof *run.goals);
    run.times = malloc(count * sizeof *run.times);
    run.good = malloc(count);
    bool enough = run.goals != NULL && run.times != NULL && run.good != NULL;
    *out_result = (bench_ChainResult){ 0 };
    if (enough) {
        for (size_t i = 0; i < count; ++i) {
            scene_Random random = scene_random(all->request->seed + i);
            scene_random_pose(setup.scene, &random, setup.q);
            (void)bench_goals(&setup, problem, setup.q, &run.goals[i * goal_count]);
        }
        solve_all(&run, out_result);
        finish(&run, out_result);
    }
    free(run.goals);
    free(run.times);
    free(run.good);
    bench_setup_close(&setup);
    return enough;
}

// KDL on the same scene, where it is a chain of hinges to one tip
static void add_scene_kdl(const Goals *all, const bench_Problem *problem,
    const bench_ChainResult *ours, bench_GoalRow *row)
{
    bench_Setup setup;
    bench_Chain chain;
    bench_Targets targets;
    bench_PeerResult peer;
    if (!bench_has_kdl() || !bench_setup_open(problem->scene, &setup)) { return; }
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    bool one = bench_goals(&setup, problem, setup.start, goals) == 1;
    if (one
        && bench_chain_open(setup.scene->skeleton, -1, goals[0].joint, !problem->pose, &chain)) {
        if (bench_targets_open(&chain, all->request->seed, KDL_TARGETS, &targets)) {
            if (bench_chain_run_kdl(&chain, &targets, false, KDL_TARGETS, problem->pose, &peer)) {
                bench_goal_kdl(row, ours, &peer, problem->pose);
            }
            bench_targets_close(&targets);
        }
        bench_chain_close(&chain);
    }
    bench_setup_close(&setup);
}

static void add_scene(Goals *all, const char *work, const char *goal, const bench_Problem *problem,
    const bench_Wanted *wanted)
{
    bench_ChainResult r;
    bench_GoalRow *row = bench_goal_row(&all->rows, work, goal);
    if (!run_scene(all, problem, &r)) {
        all->out->failed = true;
        return;
    }
    bench_goal_times(row, &r, wanted);
    if (wanted != NULL) { add_scene_kdl(all, problem, &r, row); }
}

// ---------------------------------------------------------------------------------------------
// Arms and chains

static void add_arms(Goals *all)
{
    bench_ArmGoals goals = { 0 };
    int asked = all->request->targets;
    for (int i = 0; i < bench_arm_count(); ++i) {
        bench_ArmResult arm = { .name = bench_arm_name(i) };
        bool panda = strcmp(arm.name, "Franka Panda") == 0;
        int count = asked > 0 ? asked : panda ? 100000 : 20000;
        int kdl = panda ? KDL_TARGETS : KDL_ARM_TARGETS;
        for (int s = 0; s < (panda ? 2 : 1); ++s) {
            if (!bench_arm_run(all->request, all->method, s == 1, count, kdl, &arm)) { break; }
            bench_arm_goals_note(
                &goals, arm.name, s == 1, &arm.result, arm.has_kdl ? &arm.kdl : NULL);
        }
    }
    bench_arm_goals_rows(&goals, &all->rows);
}

static void add_chains(Goals *all)
{
    bench_ChainResult results[BENCH_CHAIN_LENGTHS];
    bench_PeerResult kdl;
    bool has_kdl = false;
    for (int i = 0; i < BENCH_CHAIN_LENGTHS; ++i) {
        bool compared = bench_chain_lengths[i] == 300 && bench_has_kdl();
        if (!bench_snake_run(bench_chain_lengths[i], all->request, all->method, &results[i],
                compared ? &kdl : NULL)) {
            all->out->failed = true;
            return;
        }
        has_kdl = has_kdl || compared;
    }
    bench_chain_goals_row(results, has_kdl ? &kdl : NULL, &all->rows);
}

// ---------------------------------------------------------------------------------------------
// A stride

static void add_stride(Goals *all)
{
    enum { FRAMES = 200, ROUNDS = 200 };
    const bench_Problem problem = { "LEG", "", "Ankle", false, 0 };
    bench_GoalRow *row = bench_goal_row(
        &all->rows, "smooth stride of LEG's ankle, warm, 1e-5, a frame", "0.3 us");
    bench_Setup setup;
    if (!bench_setup_open("LEG", &setup)) {
        all->out->failed = true;
        return;
    }
    sinew_SolveOptions options = sinew_solve_options_default(all->method);
    options.position_tolerance = BENCH_CHAIN_TOLERANCE;
    static sinew_Goal goals[FRAMES][SCENE_MAX_EFFECTORS];
    double period = scene_motion_period(setup.scene), best = INFINITY, error = 0.0, total = 0.0;
    for (int f = 0; f < FRAMES; ++f) {
        scene_pose_at(setup.scene, period * f / FRAMES, setup.q);
        (void)bench_goals(&setup, &problem, setup.q, goals[f]);
    }
    // the rounds are timed as a whole, since one frame is not much longer than a look at the clock
    for (int round = 0; round < ROUNDS; ++round) {
        double begin = bench_clock(NULL);
        for (int f = 0; f < FRAMES; ++f) {
            sinew_Report report;
            (void)sinew_solver_solve(setup.solver, &options, goals[f], 1, setup.q, &report, NULL);
            if (round > 0) { continue; }
            error = fmax(error, report.position_error);
            total += report.iterations;
        }
        double time = (bench_clock(NULL) - begin) / FRAMES;
        if (round > 0) { best = fmin(best, time); }
    }
    bench_setup_close(&setup);
    snprintf(row->ours, sizeof row->ours, "%.3f us, %.2f iterations, at most %.1g m off",
        1e6 * best, total / FRAMES, error);
    if (error > BENCH_CHAIN_TOLERANCE) { bench_goal_miss(row, "%.1g m off", error); }
    if (1e6 * best > 0.3) { bench_goal_miss(row, "%.3f us", 1e6 * best); }
    bench_goal_end(row);
}

// ---------------------------------------------------------------------------------------------
// The ceiling

// goals half of which are out of reach, so that many solves end at the ceiling
static void add_ceiling(Goals *all, sinew_Method method)
{
    const bench_Problem problem = { "ARM", "", NULL, true, 0 };
    char work[96];
    snprintf(work, sizeof work, "ARM, half the goals out of reach, %s: p99.9 of time",
        sinew_method_name(method));
    bench_GoalRow *row = bench_goal_row(&all->rows, work, "1.5 x ceiling x iteration");
    int count = all->request->targets > 0 ? all->request->targets : 100000;
    bench_Setup setup;
    double *times = malloc((size_t)count * sizeof *times);
    double *shares = malloc((size_t)count * sizeof *shares);
    if (times == NULL || shares == NULL || !bench_setup_open("ARM", &setup)) {
        all->out->failed = true;
        free(times);
        free(shares);
        return;
    }
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.restarts = 0;
    // as published: limits crop, and no step is solved twice for them
    if (method == SINEW_METHOD_PSEUDO_INVERSE) { options.limits = SINEW_LIMITS_CLAMP; }
    int most = 0, long_count = 0;
    for (int i = 0; i < count; ++i) {
        scene_Random random = scene_random(all->request->seed + (uint64_t)i);
        sinew_Goal goal[SCENE_MAX_EFFECTORS];
        scene_random_pose(setup.scene, &random, setup.q);
        (void)bench_goals(&setup, &problem, setup.q, goal);
        if (i % 2 == 1) { goal[0].position = sinew_vec3_scale(goal[0].position, 2.0); }
        sinew_Report report;
        times[i] = INFINITY;
        for (int pass = 0; pass < 2; ++pass) {
            bench_copy_pose(&setup, setup.start, setup.q);
            (void)sinew_solver_solve(setup.solver, &options, goal, 1, setup.q, &report, NULL);
            times[i] = fmin(times[i], report.time);
        }
        most = report.iterations > most ? report.iterations : most;
        if (report.iterations >= 10) { shares[long_count++] = times[i] / report.iterations; }
    }
    qsort(times, (size_t)count, sizeof *times, bench_compare);
    qsort(shares, (size_t)long_count, sizeof *shares, bench_compare);
    double iteration = long_count > 0 ? shares[long_count / 2] : times[count / 2];
    double p999 = times[(size_t)count * 999 / 1000];
    double bound = 1.5 * options.max_iterations * iteration;
    snprintf(row->ours, sizeof row->ours,
        "%.1f us; bound %.1f us (%d x %.0f ns), most iterations %d", 1e6 * p999, 1e6 * bound,
        options.max_iterations, 1e9 * iteration, most);
    if (p999 > bound) { bench_goal_miss(row, "%.1f us", 1e6 * p999); }
    if (most > options.max_iterations) { bench_goal_miss(row, "%d iterations", most); }
    bench_goal_end(row);
    free(times);
    free(shares);
    bench_setup_close(&setup);
}

// ---------------------------------------------------------------------------------------------
// Goals that contradict each other

// two places for one hand, one weighing more: how far the answer is from the best of many attempts
static void add_conflict(Goals *all)
{
    enum { COUNT = 2000, ATTEMPTS = 40 };
    bench_GoalRow *row = bench_goal_row(
        &all->rows, "ARM's hand at two places, weights 1 and 4", "");
    const bench_Problem problem = { "ARM", "", NULL, false, 0 };
    bench_Setup setup;
    if (!bench_setup_open("ARM", &setup)) {
        all->out->failed = true;
        return;
    }
    static double times[COUNT];
    int count = all->request->targets > 0 && all->request->targets < COUNT ? all->request->targets
                                                                           : COUNT;
    sinew_SolveOptions options = bench_chain_options(all->method), patient;
    patient = options;
    patient.restarts = ATTEMPTS;
    patient.max_iterations = 400;
    int best_count = 0;
    double iterations = 0.0;
    for (int i = 0; i < count; ++i) {
        scene_Random random = scene_random(all->request->seed + (uint64_t)i);
        sinew_Goal goals[SCENE_MAX_EFFECTORS], other[SCENE_MAX_EFFECTORS];
        scene_random_pose(setup.scene, &random, setup.q);
        (void)bench_goals(&setup, &problem, setup.q, goals);
        scene_random_pose(setup.scene, &random, setup.q);
        (void)bench_goals(&setup, &problem, setup.q, other);
        goals[1] = other[0];
        goals[1].position_weight = 4.0;
        sinew_Report report, best;
        times[i] = INFINITY;
        for (int pass = 0; pass < PASSES; ++pass) {
            bench_copy_pose(&setup, setup.start, setup.q);
            (void)sinew_solver_solve(setup.solver, &options, goals, 2, setup.q, &report, NULL);
            times[i] = fmin(times[i], report.time);
        }
        bench_copy_pose(&setup, setup.start, setup.q);
        (void)sinew_solver_solve(setup.solver, &patient, goals, 2, setup.q, &best, NULL);
        best_count += report.objective <= best.objective * (1.0 + 1e-6) + 1e-12;
        iterations += (double)report.iterations / count;
    }
    qsort(times, (size_t)count, sizeof *times, bench_compare);
    snprintf(row->ours, sizeof row->ours,
        "%.1f %% as good as %d attempts, %.1f us median, %.1f iterations",
        100.0 * best_count / count, ATTEMPTS, 1e6 * times[count / 2], iterations);
    bench_setup_close(&setup);
}

// ---------------------------------------------------------------------------------------------
// The table

static void measure_bodies(Goals *all)
{
    static const bench_Wanted spine = { 3.0, 3.5, 15.0 }, hand = { 7.0, 8.0, 30.0 },
                              leg = { 0.0, 0.25, 0.0 };
    static const bench_Problem spine_pose = { "SPINEARM", "", NULL, true, 100000 };
    static const bench_Problem ankle = { "LEG", "", "Ankle", false, 100000 };
    static const bench_Problem tips = { "HAND5", "", NULL, false, 20000 };
    add_scene(all, "17-axis spine and arm, pose 1e-5", "100 %, 3 / 3.5 / 15", &spine_pose, &spine);
    add_scene(all, "leg, ankle 1e-5, within limits", "100 %, mean 0.25", &ankle, &leg);
    add_scene(all, "hand of 23 axes, 5 finger tips 1e-5", "100 %, 7 / 8 / 30", &tips, &hand);
    add_stride(all);
    add_ceiling(all, SINEW_METHOD_PSEUDO_INVERSE);
    add_ceiling(all, all->method);
}

static void measure_unpublished(Goals *all)
{
    static const bench_Problem windows = { "LIMITARM", "", NULL, true, 10000 };
    static const bench_Problem windows_place = { "LIMITARM", "", NULL, false, 10000 };
    static const bench_Problem man = { "MAN18", "", NULL, false, 1000 };
    static const bench_Problem man_turned = { "MAN18", "", NULL, true, 1000 };
    static const bench_Problem hand_free = { "HAND", "", NULL, false, 500 };
    static const bench_Problem tips_turned = { "HAND5", "", NULL, true, 5000 };
    add_scene(all, "arm with ball windows, hand pose 1e-5", "", &windows, NULL);
    add_scene(all, "arm with ball windows, hand place 1e-5", "", &windows_place, NULL);
    add_scene(all, "MAN18, moving root, all effectors 1e-5", "", &man, NULL);
    add_scene(all, "MAN18, moving root, all effectors, poses 1e-5", "", &man_turned, NULL);
    add_scene(all, "HAND, moving root, 20 places 1e-5", "", &hand_free, NULL);
    add_scene(all, "hand of 23 axes, 5 finger tips, poses 1e-5", "", &tips_turned, NULL);
    add_conflict(all);
}

static Goals begin(const bench_Request *request, bench_Output *out)
{
    Goals all = { .request = request, .out = out };
    all.method = request->method_given ? request->method : bench_default_method();
    return all;
}

void bench_character_goals(bench_Output *out, const bench_Request *request)
{
    Goals all = begin(request, out);
    measure_bodies(&all);
    measure_unpublished(&all);
    bench_goal_put(&all.rows, all.out, request);
}

// "model name : ..." of the first processor
static void put_machine(bench_Output *out)
{
    char line[256], machine[256] = "unknown processor", date[32] = "";
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL) { continue; }
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(machine, sizeof machine, "%s", colon + 2);
        break;
    }
    if (file != NULL) { fclose(file); }
    time_t now = time(NULL);
    (void)strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
#ifdef __clang__
    const char *compiler = __VERSION__;
#else
    const char *compiler = "gcc " __VERSION__;
#endif
    if (out->as_json) {
        cli_json_text(&out->json, "machine", machine);
        cli_json_text(&out->json, "compiler", compiler);
        cli_json_text(&out->json, "date", date);
    } else {
        printf("One core of %s, %s, %s.\n\n", machine, compiler, date);
    }
}

int sinew_bench_all(const bench_Request *request)
{
    bench_Output out = { .as_json = request->json };
    if (request->json) { out.json = cli_json_begin(); }
    put_machine(&out);
    Goals all = begin(request, &out);
    add_arms(&all);
    measure_bodies(&all);
    add_chains(&all);
    measure_unpublished(&all);
    bench_goal_put(&all.rows, all.out, request);
    if (request->json) { cli_json_end(&out.json); }
    if (out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    int status = out.failed ? 1 : 0;
    if (request->json || request->markdown) { return status; }
    // and the claims of the papers
    int (*const others[])(
        bool json) = { sinew_bench_flops, sinew_bench_paper, sinew_bench_gait, sinew_bench_limits };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) { status |= others[i](false); }
    return status;
}
