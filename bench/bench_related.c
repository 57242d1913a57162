// `sinew bench related`: what the papers say of the work beside theirs, each claim run here with a verdict. Meredith
// and Maddock (2004), Related Work; Hoang (2014), 1 and 4.

#include "bench/bench.h"

#include "bench/bench_setup.h"
#include "bench/point_masses.h"
#include "bench/stretched.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(bench_Output *out, const char *key, const char *text)
{
    if (out->as_json) {
        cli_json_text(&out->json, key, text);
    } else {
        printf("  %s\n\n", text);
    }
}

// ---------------------------------------------------------------------------------------------
// Lengths

enum { LENGTHS = 4, LENGTH_TARGETS = 300, LENGTH_METHODS = 4 };
static const int lengths[LENGTHS] = { 3, 10, 30, 100 };

typedef struct Solves {
    double met, median, error; ///< share, seconds, mean metres over the chain's length
} Solves;

static bool solve_chain(const char *scene, sinew_Method method, int iterations, Solves *solves)
{
    static double times[LENGTH_TARGETS];
    bench_Setup setup;
    if (!bench_setup_open(scene, &setup)) { return false; }
    const sinew_Skeleton *skeleton = setup.scene->skeleton;
    const bench_Problem problem = { scene, "", NULL, false, LENGTH_TARGETS };
    double length = sinew_skeleton_chain_length(skeleton, 0, setup.scene->effectors[0].joint);
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.position_tolerance = 1e-4 * length;
    if (iterations > 0) { options.max_iterations = iterations; }
    scene_Random random = scene_random(2004);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    *solves = (Solves){ 0 };
    for (int i = 0; i < LENGTH_TARGETS; ++i) {
        sinew_Report report;
        scene_random_pose(setup.scene, &random, setup.q);
        int count = bench_goals(&setup, &problem, setup.q, goals);
        times[i] = INFINITY;
        for (int pass = 0; pass < 3; ++pass) {
            sinew_pose_rest(skeleton, setup.q);
            (void)sinew_solver_solve(setup.solver, &options, goals, count, setup.q, &report, NULL);
            times[i] = fmin(times[i], report.time);
        }
        solves->met += report.outcome == SINEW_OUTCOME_CONVERGED ? 1.0 / LENGTH_TARGETS : 0.0;
        solves->error += report.position_error / length / LENGTH_TARGETS;
    }
    qsort(times, LENGTH_TARGETS, sizeof *times, bench_compare);
    solves->median = times[LENGTH_TARGETS / 2];
    bench_setup_close(&setup);
    return true;
}

static void bench_lengths(bench_Output *out)
{
    static const sinew_Method methods[LENGTH_METHODS] = { SINEW_METHOD_PSEUDO_INVERSE,
        SINEW_METHOD_DAMPED, SINEW_METHOD_TRANSPOSE, SINEW_METHOD_CCD };
    static const bench_Column columns[] = { { "links", "links", "0", 1.0 },
        { "method", "method", NULL, 0.0 }, { "met", "met_share", "1 %", 100.0 },
        { "median us", "median_us", "2", 1e6 },
        { "error after 5, L/1000", "error_after_5", "2", 1e3 }, { NULL, NULL, NULL, 0.0 } };
    Solves found[LENGTHS][LENGTH_METHODS], early[LENGTHS][LENGTH_METHODS];
    bench_columns_begin(out, "lengths",
        "Chains by length: 300 reachable places of the tip to L/10000, from rest", columns);
    bool good = true;
    for (int l = 0; l < LENGTHS && good; ++l) {
        char scene[16];
        snprintf(scene, sizeof scene, "CHAIN%d", lengths[l]);
        for (int m = 0; m < LENGTH_METHODS && good; ++m) {
            good = solve_chain(scene, methods[m], 0, &found[l][m])
                && solve_chain(scene, methods[m], 5, &early[l][m]);
            if (!good) { break; }
            bench_row(out, columns, (const char *[]){ sinew_method_name(methods[m]) },
                (const double[]){
                    lengths[l], found[l][m].met, found[l][m].median, early[l][m].error });
        }
    }
    bench_table_end(out);
    out->failed = out->failed || !good;
    if (!good) { return; }
    const Solves *short_dls = &found[0][1], *short_ccd = &found[0][3];
    const Solves *long_dls = &found[LENGTHS - 1][1], *long_ccd = &found[LENGTHS - 1][3];
    char text[400];
    snprintf(text, sizeof text,
        "Claim 'differential solvers are slower than CCD': %s on 3 links (dls %.2f us, ccd %.2f); "
        "'but better for "
        "long chains': %s on 100 (dls %.0f us and %.1f %% met, ccd %.0f us and %.1f %%).",
        short_dls->median > short_ccd->median ? "holds" : "does not hold", 1e6 * short_dls->median,
        1e6 * short_ccd->median,
        long_dls->met >= long_ccd->met && long_dls->median < long_ccd->median ? "holds"
                                                                              : "does not hold",
        1e6 * long_dls->median, 100.0 * long_dls->met, 1e6 * long_ccd->median,
        100.0 * long_ccd->met);
    say(out, "lengths_verdict", text);
    int nearer = 0;
    for (int l = 0; l < LENGTHS; ++l) { nearer += early[l][1].error < early[l][3].error ? 1 : 0; }
    snprintf(text, sizeof text,
        "Claim 'CCD is quick and pays with accuracy': after 5 iterations dls is nearer on %d of %d "
        "lengths: %s.",
        nearer, LENGTHS, nearer == LENGTHS ? "holds" : "does not hold on all");
    say(out, "accuracy_verdict", text);
}

// ---------------------------------------------------------------------------------------------
// Point masses

static void bench_point_masses(bench_Output *out)
{
    static const int sizes[] = { 3, 10, 30 };
    enum { SIZES = 3 };
    static const bench_Column columns[] = { { "links", "links", "0", 1.0 },
        { "bends", "limits", NULL, 0.0 }, { "met", "met_share", "1 %", 100.0 },
        { "passes", "mean_passes", "1", 1.0 }, { "median us", "median_us", "2", 1e6 },
        { NULL, NULL, NULL, 0.0 } };
    bench_columns_begin(out, "point_masses",
        "Point masses held by sticks: 300 reachable places of the end to L/1000, at most 1000 "
        "passes",
        columns);
    double dearer[SIZES];
    for (int s = 0; s < SIZES; ++s) {
        bench_PointRow rows[2];
        for (int limited = 0; limited < 2; ++limited) {
            rows[limited] = bench_points_measure(sizes[s], limited == 1);
            bench_row(out, columns, (const char *[]){ limited ? "at most 60 degrees" : "free" },
                (const double[]){
                    sizes[s], rows[limited].met, rows[limited].passes, rows[limited].median });
        }
        dearer[s] = rows[1].median / rows[0].median;
    }
    bench_table_end(out);
    char text[300];
    snprintf(text, sizeof text,
        "Claim 'point masses with correcting forces are dearer with limits': %s (%.1f, %.1f and "
        "%.1f times for 3, 10 and "
        "30 links).",
        dearer[0] > 1.1 && dearer[1] > 1.1 && dearer[2] > 1.1 ? "holds" : "does not hold on all",
        dearer[0], dearer[1], dearer[2]);
    say(out, "point_masses_verdict", text);
}

// ---------------------------------------------------------------------------------------------
// An analytic arm on a numeric spine

enum { SPINE_TARGETS = 500 };

// share of all rotation from rest that the joints above the shoulder took
static double spine_share(const sinew_Skeleton *skeleton, int shoulder, const double *from,
    const double *to, double *step)
{
    double spine = 0.0, all = 0.0;
    sinew_pose_difference(skeleton, from, to, step);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double turn = fabs(step[places[a].dof]);
        all += turn;
        if (!sinew_skeleton_is_ancestor(skeleton, shoulder, places[a].joint)) { spine += turn; }
    }
    return all > 0.0 ? spine / all : 0.0;
}

// the arm by itself; where it does not reach, the spine brings the shoulder nearer and the arm tries again
static bool solve_in_two(const bench_Setup *setup, sinew_Goal goal, int shoulder, double *q)
{
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    sinew_Report report;
    goal.chain_root = shoulder;
    if (sinew_solver_solve(setup->solver, &options, &goal, 1, q, &report, NULL)
        != SINEW_STATUS_OK) {
        return false;
    }
    if (report.outcome == SINEW_OUTCOME_CONVERGED) { return true; }
    sinew_pose_rest(setup->scene->skeleton, q);
    sinew_pose_forward(setup->scene->skeleton, q, setup->world);
    sinew_Vec3 place = setup->world[shoulder].position;
    double arm = sinew_skeleton_chain_length(setup->scene->skeleton, shoulder, goal.joint);
    double away = sinew_vec3_distance(place, goal.position);
    double way = fmax(away - 0.9 * arm, 0.2 * arm) / away;
    sinew_Goal nearer = sinew_goal_position(
        shoulder, sinew_vec3_add_scaled(place, sinew_vec3_sub(goal.position, place), way));
    options.method = SINEW_METHOD_DAMPED;
    (void)sinew_solver_solve(setup->solver, &options, &nearer, 1, q, &report, NULL);
    options.method = SINEW_METHOD_AUTO;
    (void)sinew_solver_solve(setup->solver, &options, &goal, 1, q, &report, NULL);
    return report.outcome == SINEW_OUTCOME_CONVERGED;
}

static void bench_spine(bench_Output *out)
{
    bench_Setup setup;
    if (!bench_setup_open("SPINEARM", &setup)) {
        out->failed = true;
        return;
    }
    const sinew_Skeleton *skeleton = setup.scene->skeleton;
    int shoulder = setup.scene->effectors[0].limb_root;
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(skeleton);
    double *rest = malloc(
        (2 * coordinates + (size_t)sinew_skeleton_dof_count(skeleton)) * sizeof *rest);
    if (rest == NULL) {
        out->failed = true;
        bench_setup_close(&setup);
        return;
    }
    double *whole = rest + coordinates, *step = whole + coordinates;
    const bench_Problem problem = { "SPINEARM", "", NULL, false, SPINE_TARGETS };
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    scene_Random random = scene_random(2004);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    double shares[2] = { 0.0, 0.0 }, untouched = 0.0, count = 0.0;
    sinew_pose_rest(skeleton, rest);
    for (int i = 0; i < SPINE_TARGETS; ++i) {
        sinew_Report report;
        scene_random_pose(setup.scene, &random, setup.q);
        (void)bench_goals(&setup, &problem, setup.q, goals);
        sinew_pose_rest(skeleton, whole);
        sinew_pose_rest(skeleton, setup.q);
        (void)sinew_solver_solve(setup.solver, &options, goals, 1, whole, &report, NULL);
        if (report.outcome != SINEW_OUTCOME_CONVERGED
            || !solve_in_two(&setup, goals[0], shoulder, setup.q)) {
            continue;
        }
        double together = spine_share(skeleton, shoulder, rest, whole, step);
        double apart = spine_share(skeleton, shoulder, rest, setup.q, step);
        shares[0] += together, shares[1] += apart;
        untouched += apart < 1e-9 ? 1.0 : 0.0;
        count += 1.0;
    }
    free(rest);
    bench_setup_close(&setup);
    for (int k = 0; k < 2; ++k) { shares[k] /= count; }
    char text[400];
    snprintf(text, sizeof text,
        "Claim 'analytic limbs on a numeric spine move joints out of proportion' (SPINEARM, %d "
        "places "
        "that both meet): %s. The spine has %.0f %% of the rotation as one chain, %.0f %% where "
        "the arm "
        "goes first: none at all in %.0f %% of the goals.",
        (int)count, shares[1] < 0.5 * shares[0] ? "holds" : "does not hold", 100.0 * shares[0],
        100.0 * shares[1], 100.0 * untouched / count);
    say(out, "spine_verdict", text);
}

// ---------------------------------------------------------------------------------------------
// Stretched

static void bench_stretched(bench_Output *out)
{
    static const bench_Column columns[] = { { "method", "method", NULL, 0.0 },
        { "error, L/1000", "mean_error", "2", 1e3 }, { "rms jerk, rad/s^3", "rms_jerk", "0", 1.0 },
        { "largest step, rad", "max_step", "3", 1.0 }, { NULL, NULL, NULL, 0.0 } };
    bench_StretchRow rows[BENCH_STRETCH_METHODS];
    bench_columns_begin(out, "stretched",
        "A leg of five hinges follows a target through its full reach and back (0.9 to 1.1 L), 10 "
        "iterations a frame",
        columns);
    for (int m = 0; m < BENCH_STRETCH_METHODS; ++m) {
        rows[m] = bench_stretch_run((bench_StretchMethod)m);
        bench_row(out, columns, (const char *[]){ bench_stretch_name((bench_StretchMethod)m) },
            (const double[]){ rows[m].error, rows[m].jerk, rows[m].step });
    }
    bench_table_end(out);
    const bench_StretchRow *dls = &rows[BENCH_STRETCH_DLS], *pinv = &rows[BENCH_STRETCH_PINV];
    const bench_StretchRow *transpose = &rows[BENCH_STRETCH_TRANSPOSE];
    char text[400];
    snprintf(text, sizeof text,
        "Claim 'DLS is less jerky when fully stretched': %s against the pseudo-inverse as "
        "published "
        "(%.0f rad/s^3, %.0f), %s against the transpose (%.0f), which lags: it is off by %.1f "
        "thousandths, "
        "DLS by %.1f.",
        dls->jerk < pinv->jerk ? "holds" : "does not hold", dls->jerk, pinv->jerk,
        dls->jerk < transpose->jerk ? "holds" : "does not hold", transpose->jerk,
        1e3 * transpose->error, 1e3 * dls->error);
    say(out, "stretched_verdict", text);
}

int sinew_bench_related(bool json)
{
    bench_Output out = { .as_json = json };
    if (json) { out.json = cli_json_begin(); }
    bench_lengths(&out);
    bench_point_masses(&out);
    bench_spine(&out);
    bench_stretched(&out);
    if (json) { cli_json_end(&out.json); }
    if (out.failed) { fprintf(stderr, "sinew: out of memory; rows are missing\n"); }
    return out.failed ? 1 : 0;
}
