#include "bench/bench.h"

#include "bench/bench_ceilings.h"
#include "bench/bench_phases.h"
#include "bench/bench_setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `sinew bench solvers`: reachable random goals from one start pose with every method; where an
// iteration's time goes; what a ceiling of iterations bounds; and following motions frame by frame with every linear form.

static const bench_Problem problems[] = {
    { "LEG", "ankle position", "Ankle", false, 2000 },
    { "LEG", "heel pose", "Heel", true, 2000 },
    { "ARM", "hand position", NULL, false, 2000 },
    { "ARM", "hand pose", NULL, true, 2000 },
    { "HAND", "20 positions", NULL, false, 200 },
    { "MAN18", "all effectors", NULL, false, 200 },
};
enum { PROBLEM_COUNT = (int)(sizeof problems / sizeof problems[0]) };

static const bench_Variant variants[] = {
    { SINEW_METHOD_DAMPED, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_DAMPED, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_PSEUDO_INVERSE, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_PSEUDO_INVERSE, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_TRANSPOSE, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_ROOT_TO_TIP },
};
enum { VARIANT_COUNT = (int)(sizeof variants / sizeof variants[0]) };

static const sinew_LinearForm forms[] = { SINEW_FORM_RECURSION, SINEW_FORM_TREE, SINEW_FORM_DOFS,
    SINEW_FORM_ROWS };
enum { FORM_COUNT = (int)(sizeof forms / sizeof forms[0]), TIMED_PASSES = 3 };

// ---------------------------------------------------------------------------------------------
// Random goals

typedef struct GoalRow {
    double met_share, mean_error, mean_iterations, median, mean, p99, violation;
} GoalRow;

static GoalRow run_variant(
    bench_Setup *setup, const bench_Problem *problem, bench_Variant variant, double *times)
{
    GoalRow row = { 0 };
    sinew_SolveOptions options = bench_variant_options(variant);
    scene_Random random = scene_random(2004);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    for (int i = 0; i < problem->count; ++i) {
        scene_random_pose(setup->scene, &random, setup->q);
        int count = bench_goals(setup, problem, setup->q, goals);
        sinew_Report report;
        double best = INFINITY;
        for (int pass = 0; pass < TIMED_PASSES; ++pass) {
            bench_copy_pose(setup, setup->start, setup->q);
            (void)sinew_solver_solve(
                setup->solver, &options, goals, count, setup->q, &report, NULL);
            best = report.time < best ? report.time : best;
        }
        times[i] = best;
        row.mean += best / problem->count;
        row.met_share += report.outcome == SINEW_OUTCOME_CONVERGED ? 1.0 / problem->count : 0.0;
        row.mean_error += report.position_error / problem->count;
        row.mean_iterations += (double)report.iterations / problem->count;
        row.violation = fmax(row.violation, report.limit_violation);
    }
    qsort(times, (size_t)problem->count, sizeof *times, bench_compare);
    row.median = times[problem->count / 2];
    row.p99 = times[problem->count * 99 / 100];
    return row;
}

static void put_goal_row(
    bench_Output *out, const bench_Problem *problem, bench_Variant variant, GoalRow row)
{
    const char *method = bench_variant_method(variant);
    const char *limits = bench_variant_limits(variant);
    if (out->as_json) {
        cli_json_object(&out->json, NULL);
        cli_json_text(&out->json, "scene", problem->scene);
        cli_json_text(&out->json, "goals", problem->goal_text);
        cli_json_text(&out->json, "method", method);
        cli_json_text(&out->json, "limits", limits);
        cli_json_number(&out->json, "met_share", row.met_share);
        cli_json_number(&out->json, "mean_position_error_m", row.mean_error);
        cli_json_number(&out->json, "mean_iterations", row.mean_iterations);
        cli_json_number(&out->json, "median_us", 1e6 * row.median);
        cli_json_number(&out->json, "mean_us", 1e6 * row.mean);
        cli_json_number(&out->json, "p99_us", 1e6 * row.p99);
        cli_json_number(&out->json, "limit_violation", row.violation);
        cli_json_object_end(&out->json);
        return;
    }
    cli_table_cell(&out->table, "%s", problem->scene);
    cli_table_cell(&out->table, "%s", problem->goal_text);
    cli_table_cell(&out->table, "%s", method);
    cli_table_cell(&out->table, "%s", limits);
    cli_table_cell(&out->table, "%.2f %%", 100.0 * row.met_share);
    cli_table_cell(&out->table, "%.3f", 1e3 * row.mean_error);
    cli_table_cell(&out->table, "%.1f", row.mean_iterations);
    cli_table_cell(&out->table, "%.2f", 1e6 * row.median);
    cli_table_cell(&out->table, "%.2f", 1e6 * row.mean);
    cli_table_cell(&out->table, "%.1f", 1e6 * row.p99);
    cli_table_cell(&out->table, "%g", row.violation);
}

static void bench_random_goals(bench_Output *out)
{
    static const char *const heads[] = { "scene", "goals", "method", "limits", "met", "mean mm",
        "iterations", "median us", "mean us", "p99 us", "beyond limits" };
    bench_table_begin(out, "goals",
        "Random reachable goals (1 mm, 0.01 rad) from the middle of all ranges", "llllrrrrrrr",
        heads);
    double *times = malloc(2000 * sizeof *times);
    for (int p = 0; times != NULL && p < PROBLEM_COUNT; ++p) {
        bench_Setup setup;
        if (!bench_setup_open(problems[p].scene, &setup)) {
            out->failed = true;
            break;
        }
        for (int v = 0; v < VARIANT_COUNT; ++v) {
            put_goal_row(out, &problems[p], variants[v],
                run_variant(&setup, &problems[p], variants[v], times));
        }
        bench_setup_close(&setup);
    }
    out->failed = out->failed || times == NULL;
    free(times);
    bench_table_end(out);
}

// ---------------------------------------------------------------------------------------------
// Phases

static void put_phase_row(bench_Output *out, const bench_Problem *problem, const bench_Phases *p)
{
    double sum = p->forward + p->errors + p->linear + p->integrate;
    bool matrix = p->form == SINEW_FORM_ROWS || p->form == SINEW_FORM_DOFS;
    if (matrix) { sum += p->jacobian; }
    if (out->as_json) {
        cli_json_object(&out->json, NULL);
        cli_json_text(&out->json, "scene", problem->scene);
        cli_json_text(&out->json, "goals", problem->goal_text);
        cli_json_whole(&out->json, "rows", p->rows);
        cli_json_whole(&out->json, "dofs", p->dofs);
        cli_json_number(&out->json, "forward_ns", 1e9 * p->forward);
        cli_json_number(&out->json, "errors_ns", 1e9 * p->errors);
        cli_json_number(&out->json, "jacobian_ns", matrix ? 1e9 * p->jacobian : 0.0);
        cli_json_number(&out->json, "linear_ns", 1e9 * p->linear);
        cli_json_number(&out->json, "integrate_and_limits_ns", 1e9 * p->integrate);
        cli_json_number(&out->json, "iteration_ns", 1e9 * sum);
        cli_json_text(&out->json, "form", sinew_form_name(p->form));
        for (int f = 0; f < FORM_COUNT; ++f) {
            char key[32];
            snprintf(key, sizeof key, "%s_ns", sinew_form_name(forms[f]));
            cli_json_number(&out->json, key, 1e9 * p->by_form[forms[f]]);
            snprintf(key, sizeof key, "%s_flops", sinew_form_name(forms[f]));
            cli_json_number(&out->json, key, p->flops[forms[f]]);
        }
        cli_json_object_end(&out->json);
        return;
    }
    cli_table_cell(&out->table, "%s", problem->scene);
    cli_table_cell(&out->table, "%s", problem->goal_text);
    cli_table_cell(&out->table, "%d x %d", p->rows, p->dofs);
    cli_table_cell(&out->table, "%.0f", 1e9 * p->forward);
    cli_table_cell(&out->table, "%.0f", 1e9 * p->errors);
    cli_table_cell(&out->table, matrix ? "%.0f" : "-", 1e9 * p->jacobian);
    cli_table_cell(&out->table, "%.0f %s", 1e9 * p->linear, sinew_form_name(p->form));
    cli_table_cell(&out->table, "%.0f", 1e9 * p->integrate);
    cli_table_cell(&out->table, "%.0f", 1e9 * sum);
    cli_table_cell(&out->table, "%.0f / %.0f / %.0f / %.0f", 1e9 * p->by_form[forms[0]],
        1e9 * p->by_form[forms[1]], 1e9 * p->by_form[forms[2]], 1e9 * p->by_form[forms[3]]);
}

static void bench_iteration(bench_Output *out)
{
    static const char *const heads[] = { "scene", "goals", "rows x dofs", "forward", "errors",
        "Jacobian", "linear step", "move, limits", "iteration", "recursion / tree / dofs / rows" };
    bench_table_begin(
        out, "phases", "One damped iteration by phase, nanoseconds (median)", "lllrrrrrrr", heads);
    for (int p = 0; p < PROBLEM_COUNT; ++p) {
        bench_Setup setup;
        if (!bench_setup_open(problems[p].scene, &setup)) {
            out->failed = true;
            break;
        }
        scene_Random random = scene_random(2004);
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(setup.scene, &random, setup.q);
        int count = bench_goals(&setup, &problems[p], setup.q, goals);
        bench_Phases phases;
        if (bench_phases(setup.scene->skeleton, goals, count, setup.start, &phases)
            == SINEW_STATUS_OK) {
            put_phase_row(out, &problems[p], &phases);
        } else {
            out->failed = true;
        }
        bench_setup_close(&setup);
    }
    bench_table_end(out);
}

// ---------------------------------------------------------------------------------------------
// Following

typedef struct TrackRow {
    double frame_time, mean_error, mean_iterations;
} TrackRow;

// follow the scene's motion with the tracker; the best of some passes, frame by frame
static bool run_tracker(
    bench_Setup *setup, const bench_Problem *problem, sinew_LinearForm form, TrackRow *out_row)
{
    enum { FRAMES = 600 };
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = setup->scene->skeleton;
    def.max_goals = SCENE_MAX_EFFECTORS;
    def.options.form = form;
    def.clock = bench_clock;
    sinew_Tracker *tracker;
    if (sinew_tracker_create(&def, &tracker, NULL) != SINEW_STATUS_OK) { return false; }
    TrackRow row = { 0 };
    static double best[FRAMES];
    for (int pass = 0; pass < TIMED_PASSES; ++pass) {
        sinew_tracker_reset(tracker);
        row = (TrackRow){ 0 };
        for (int frame = 0; frame < FRAMES; ++frame) {
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            sinew_Report report;
            scene_pose_at(setup->scene, frame * def.frame_time, setup->q);
            int count = bench_goals(setup, problem, setup->q, goals);
            (void)sinew_tracker_update(tracker, goals, count, setup->q, &report, NULL);
            if (pass == 0 || report.time < best[frame]) { best[frame] = report.time; }
            row.frame_time += best[frame] / FRAMES;
            row.mean_iterations += (double)report.iterations / FRAMES;
            for (int g = 0; g < count; ++g) {
                row.mean_error += sinew_tracker_goal_results(tracker)[g].position_error / FRAMES
                    / count;
            }
        }
    }
    sinew_tracker_destroy(tracker);
    *out_row = row;
    return true;
}

// one warm solve a frame around a stride of the ankle
static bool run_stride(bench_Setup *setup, TrackRow *out_row)
{
    enum { FRAMES = 200, PASSES = 50 };
    const bench_Problem problem = { "LEG", "", "Ankle", false, 0 };
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    static sinew_Goal goals[FRAMES][SCENE_MAX_EFFECTORS];
    double period = scene_motion_period(setup->scene);
    for (int frame = 0; frame < FRAMES; ++frame) {
        scene_pose_at(setup->scene, period * frame / FRAMES, setup->q);
        (void)bench_goals(setup, &problem, setup->q, goals[frame]);
    }
    TrackRow row = { .frame_time = INFINITY };
    for (int pass = 0; pass < PASSES; ++pass) {
        double iterations = 0.0, error = 0.0, start = bench_clock(NULL);
        for (int frame = 0; frame < FRAMES; ++frame) {
            sinew_Report report;
            (void)sinew_solver_solve(
                setup->solver, &options, goals[frame], 1, setup->q, &report, NULL);
            iterations += report.iterations;
            error += report.position_error;
        }
        double time = (bench_clock(NULL) - start) / FRAMES;
        // the first pass warms up
        if (pass > 0 && time < row.frame_time) { row.frame_time = time; }
        row.mean_iterations = iterations / FRAMES;
        row.mean_error = error / FRAMES;
    }
    *out_row = row;
    return true;
}

static void put_track_row(
    bench_Output *out, const char *scene, const char *text, const char *form, TrackRow row)
{
    if (out->as_json) {
        cli_json_object(&out->json, NULL);
        cli_json_text(&out->json, "scene", scene);
        cli_json_text(&out->json, "targets", text);
        cli_json_text(&out->json, "form", form);
        cli_json_number(&out->json, "us_per_frame", 1e6 * row.frame_time);
        cli_json_number(&out->json, "mean_iterations", row.mean_iterations);
        cli_json_number(&out->json, "mean_error_m", row.mean_error);
        cli_json_object_end(&out->json);
        return;
    }
    cli_table_cell(&out->table, "%s", scene);
    cli_table_cell(&out->table, "%s", text);
    cli_table_cell(&out->table, "%s", form);
    cli_table_cell(&out->table, "%.2f", 1e6 * row.frame_time);
    cli_table_cell(&out->table, "%.2f", row.mean_iterations);
    cli_table_cell(&out->table, "%.4f", 1e3 * row.mean_error);
}

static void bench_following(bench_Output *out)
{
    static const char *const heads[] = { "scene", "targets", "linear form", "us per frame",
        "iterations", "mean mm" };
    bench_table_begin(out, "tracking",
        "Following the scenes' own motions, warm; 600 frames of 1/60 s (the stride: 200 frames a "
        "round, "
        "best of 49 rounds)",
        "lllrrr", heads);
    static const bench_Problem followed[] = { { "HAND", "20 positions", NULL, false, 0 },
        { "MAN18", "all effectors", NULL, false, 0 } };
    bench_Setup setup;
    TrackRow row;
    if (bench_setup_open("LEG", &setup)) {
        if (run_stride(&setup, &row)) { put_track_row(out, "LEG", "ankle, a stride", "auto", row); }
        bench_setup_close(&setup);
    }
    for (int i = 0; i < 2; ++i) {
        if (!bench_setup_open(followed[i].scene, &setup)) {
            out->failed = true;
            break;
        }
        for (int f = 0; f < FORM_COUNT; ++f) {
            if (!run_tracker(&setup, &followed[i], forms[f], &row)) {
                out->failed = true;
                break;
            }
            put_track_row(
                out, followed[i].scene, followed[i].goal_text, sinew_form_name(forms[f]), row);
        }
        bench_setup_close(&setup);
    }
    bench_table_end(out);
}

int sinew_bench_solvers(bool json)
{
    bench_Output out = { .as_json = json };
    if (json) { out.json = cli_json_begin(); }
    bench_random_goals(&out);
    bench_iteration(&out);
    bench_ceilings(&out);
    bench_following(&out);
    if (json) { cli_json_end(&out.json); }
    if (out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    return out.failed ? 1 : 0;
}
