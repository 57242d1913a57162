#include "bench/character_claims.h"

#include "measure/shares.h"
#include "sinew/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// A line under a table, or a field of the JSON object.
static void say(bench_Output *out, const char *key, const char *text)
{
    if (out->as_json) {
        cli_json_text(&out->json, key, text);
    } else {
        printf("  %s\n\n", text);
    }
}

// ---------------------------------------------------------------------------------------------
// Which joints do the work

enum { LINKS = 10, SHARE_GOALS = 500, SHARE_METHODS = 4 };

// mean shares over random goals from the rest pose, which is bent
static bool measure_shares(bench_Setup *setup, bench_Variant variant, double *shares)
{
    const sinew_Skeleton *skeleton = setup->scene->skeleton;
    const bench_Problem problem = { "CHAIN10", "", NULL, false, SHARE_GOALS };
    sinew_SolveOptions options = bench_variant_options(variant);
    size_t scratch_size = (size_t)sinew_skeleton_coordinate_count(skeleton)
        + (size_t)sinew_skeleton_dof_count(skeleton);
    double *scratch = malloc(scratch_size * sizeof *scratch);
    double one[LINKS + 1];
    scene_Random random = scene_random(2004);
    bool good = scratch != NULL;
    for (int j = 0; j < LINKS; ++j) { shares[j] = 0.0; }
    for (int i = 0; good && i < SHARE_GOALS; ++i) {
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(setup->scene, &random, setup->q);
        int count = bench_goals(setup, &problem, setup->q, goals);
        sinew_pose_rest(skeleton, setup->q);
        good = measure_rotation_shares(
                   setup->solver, &options, goals, count, setup->q, scratch, one, NULL, NULL)
            == SINEW_STATUS_OK;
        for (int j = 0; good && j < LINKS; ++j) { shares[j] += one[j] / SHARE_GOALS; }
    }
    free(scratch);
    return good;
}

static double spread_of(const double *shares)
{
    double least = shares[0], most = shares[0];
    for (int j = 1; j < LINKS; ++j) {
        least = fmin(least, shares[j]);
        most = fmax(most, shares[j]);
    }
    return most / least;
}

static double root_half(const double *shares)
{
    double sum = 0.0;
    for (int j = 0; j < LINKS / 2; ++j) { sum += shares[j]; }
    return sum;
}

static void say_share_verdict(bench_Output *out, double shares[SHARE_METHODS][LINKS])
{
    // in the sweep from the tips, earlier in update order is the half of the tip
    double tip_first = 1.0 - root_half(shares[0]), root_first = root_half(shares[1]);
    double ccd = fmin(spread_of(shares[0]), spread_of(shares[1]));
    double jacobian = fmax(spread_of(shares[2]), spread_of(shares[3]));
    char text[400];
    snprintf(text, sizeof text,
        "Claim 'CCD moves earlier joints much more than others, the Jacobian spreads the motion': "
        "the half updated first has %.1f %% (tip first) and %.1f %% (root first): earlier in "
        "update order %s; most to least joint %.1f and %.1f for CCD, %.1f pinv, %.1f dls: %s.",
        100.0 * tip_first, 100.0 * root_first,
        tip_first > 0.5 && root_first > 0.5 ? "holds" : "does not hold in both orders",
        spread_of(shares[0]), spread_of(shares[1]), spread_of(shares[2]), spread_of(shares[3]),
        ccd > jacobian ? "the Jacobian spreads better" : "the Jacobian spreads no better");
    say(out, "shares_verdict", text);
}

void bench_rotation_shares(bench_Output *out)
{
    static const bench_Variant variants[SHARE_METHODS] = {
        { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
        { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_ROOT_TO_TIP },
        { SINEW_METHOD_PSEUDO_INVERSE, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
        { SINEW_METHOD_DAMPED, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    };
    static const bench_Column columns[] = { { "joint", "joint", NULL, 0.0 },
        { "ccd, tip first", "ccd_tip", "1 %", 100.0 },
        { "ccd, root first", "ccd_root", "1 %", 100.0 }, { "pinv", "pinv", "1 %", 100.0 },
        { "dls", "dls", "1 %", 100.0 }, { NULL, NULL, NULL, 0.0 } };
    double shares[SHARE_METHODS][LINKS];
    bench_Setup setup;
    if (!bench_setup_open("CHAIN10", &setup)) {
        out->failed = true;
        return;
    }
    const sinew_Joint *joints = sinew_skeleton_joints(setup.scene->skeleton);
    bool good = true;
    for (int m = 0; good && m < SHARE_METHODS; ++m) {
        good = measure_shares(&setup, variants[m], shares[m]);
    }
    bench_columns_begin(out, "shares",
        "Share of all rotation by joint, CHAIN10, 500 random goals from the rest pose", columns);
    for (int j = 0; good && j < LINKS; ++j) {
        double row[SHARE_METHODS];
        for (int m = 0; m < SHARE_METHODS; ++m) { row[m] = shares[m][j]; }
        bench_row(out, columns, (const char *[]){ joints[j].name }, row);
    }
    bench_table_end(out);
    if (good) { say_share_verdict(out, shares); }
    out->failed = out->failed || !good;
    bench_setup_close(&setup);
}

// ---------------------------------------------------------------------------------------------
// Corners

enum { PATHS = 60, PATH_FRAMES = 60, MAX_AXES = 8 };

// nearer than this to a corner or side, radians, is on it
#define ON_SIDE 1e-6

// how far the forearm twists to either side, radians
#define FOREARM_TWIST 1.4

// LIMITARM with another response in all its limits and with Blow's elbow, which bends and twists the forearm
static bool with_response(
    const sinew_Skeleton *body, sinew_LimitResponse response, sinew_Skeleton **out_skeleton)
{
    int joint_count = sinew_skeleton_joint_count(body);
    int axis_count = sinew_skeleton_axis_count(body);
    const sinew_Joint *joints = sinew_skeleton_joints(body);
    sinew_JointDef *defs = calloc((size_t)joint_count, sizeof *defs);
    sinew_Axis axes[MAX_AXES], elbow[2];
    sinew_BallLimit *limits[MAX_AXES] = { NULL };
    bool good = defs != NULL && axis_count <= MAX_AXES;
    for (int a = 0; good && a < axis_count; ++a) {
        axes[a] = sinew_skeleton_axes(body)[a];
        if (axes[a].limit == NULL) { continue; }
        sinew_BallLimitDef def = *sinew_ball_limit_def(axes[a].limit);
        def.response = response;
        good = sinew_ball_limit_create(&def, NULL, &limits[a], NULL) == SINEW_STATUS_OK;
        axes[a].limit = limits[a];
    }
    for (int j = 0; good && j < joint_count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = joints[j].name;
        defs[j].parent = joints[j].parent;
        defs[j].offset = joints[j].offset;
        defs[j].rest_rotation = joints[j].rest_rotation;
        defs[j].axes = &axes[joints[j].axis_start];
        defs[j].axis_count = joints[j].axis_count;
        if (strcmp(joints[j].name, "Elbow") == 0) {
            elbow[0] = axes[joints[j].axis_start];
            elbow[1] = sinew_axis_hinge(sinew_vec3(0.0, 1.0, 0.0), -FOREARM_TWIST, FOREARM_TWIST);
            defs[j].axes = elbow;
            defs[j].axis_count = 2;
        }
    }
    good = good
        && sinew_skeleton_create(defs, joint_count, NULL, out_skeleton, NULL) == SINEW_STATUS_OK;
    for (int a = 0; a < MAX_AXES; ++a) { sinew_ball_limit_destroy(limits[a]); }
    free(defs);
    return good;
}

typedef struct Dwell {
    double met, on_corner, on_side, iterations, error;
} Dwell;

// where the bone of a limited ball stands on its outline
static void count_place(const sinew_BallLimit *limit, const double *q, Dwell *dwell, double share)
{
    sinew_Vec3 direction;
    double twist, corner = INFINITY, side = INFINITY;
    sinew_ball_limit_measure(limit, (sinew_Quat){ q[0], q[1], q[2], q[3] }, &direction, &twist);
    for (int i = 0; i < sinew_ball_limit_side_count(limit); ++i) {
        sinew_ReachSide piece = sinew_ball_limit_side(limit, i);
        corner = fmin(corner, sinew_vec3_length(sinew_vec3_sub(direction, piece.start)));
        side = fmin(side, fabs(sinew_vec3_dot(piece.normal, direction) - piece.offset));
    }
    if (corner < ON_SIDE) { dwell->on_corner += share; }
    if (side < ON_SIDE) { dwell->on_side += share; }
}

// straight paths about the shoulder, from within reach to out of it and to where no window lets the
// arm point; each frame starts from the one before
static bool follow_paths(const sinew_Skeleton *skeleton, const sinew_SolveOptions *options,
    int shoulder, int hand, double *q, Dwell *dwell)
{
    const double share = 1.0 / (PATHS * PATH_FRAMES);
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    sinew_Solver *solver = NULL;
    if (sinew_solver_create(&def, &solver, NULL) != SINEW_STATUS_OK) { return false; }
    double reach = sinew_skeleton_chain_length(skeleton, shoulder, hand);
    sinew_Transform world[MAX_AXES];
    sinew_pose_rest(skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    sinew_Vec3 center = world[shoulder].position;
    const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[shoulder];
    const sinew_BallLimit *limit = sinew_skeleton_axes(skeleton)[joint->axis_start].limit;
    scene_Random random = scene_random(2002);
    bool good = true;
    for (int p = 0; p < PATHS; ++p) {
        sinew_Vec3 ends[2];
        for (int e = 0; e < 2; ++e) {
            double radius = reach * scene_random_range(&random, 0.4, 1.3);
            ends[e] = sinew_vec3_add_scaled(center, scene_random_direction(&random), radius);
        }
        sinew_pose_middle(skeleton, q);
        for (int f = 0; good && f < PATH_FRAMES; ++f) {
            double way = (double)f / (PATH_FRAMES - 1);
            sinew_Vec3 place = sinew_vec3_add_scaled(
                sinew_vec3_scale(ends[0], 1.0 - way), ends[1], way);
            sinew_Goal goal = sinew_goal_position(hand, place);
            sinew_Report report;
            good = sinew_solver_solve(solver, options, &goal, 1, q, &report, NULL)
                == SINEW_STATUS_OK;
            if (!good) { break; }
            dwell->met += report.outcome == SINEW_OUTCOME_CONVERGED ? share : 0.0;
            dwell->iterations += report.iterations * share;
            dwell->error += report.position_error * share;
            count_place(limit, &q[joint->coordinate_start], dwell, share);
        }
    }
    sinew_solver_destroy(solver);
    return good;
}

enum { CCD, CLAMPED, ACTIVE, VARIANTS };
enum { ARC, CLOSEST, INTERSECTION, RESPONSES };

// What Blow (2002), Limiting the Reach, says of the two ways to come back to the opening.
static void say_corner_verdicts(bench_Output *out, Dwell dwell[VARIANTS][RESPONSES])
{
    // a claim of "slowly" and "more often" holds where it is half as much again
    const double clear = 1.5;
    if (out->as_json) { cli_json_array(&out->json, "corner_verdicts"); }
    static const char *const names[VARIANTS] = { "ccd", "dls, clamped", "dls, active set" };
    for (int v = 0; v < VARIANTS; ++v) {
        const Dwell *d = dwell[v];
        char text[400];
        snprintf(text, sizeof text,
            "%s: the closest point of the side lingers in corners: %s (%.2f %% of frames, %.2f %% "
            "at the "
            "intersection); the intersection grinds along walls: %s (%.1f iterations a frame and "
            "%.1f mm left, "
            "%.1f and %.1f at the closest point).",
            names[v],
            d[CLOSEST].on_corner > clear * d[INTERSECTION].on_corner ? "holds" : "does not hold",
            100.0 * d[CLOSEST].on_corner, 100.0 * d[INTERSECTION].on_corner,
            d[INTERSECTION].iterations > clear * d[CLOSEST].iterations
                    || d[INTERSECTION].error > clear * d[CLOSEST].error
                ? "holds"
                : "does not hold",
            d[INTERSECTION].iterations, 1e3 * d[INTERSECTION].error, d[CLOSEST].iterations,
            1e3 * d[CLOSEST].error);
        if (out->as_json) {
            cli_json_text(&out->json, NULL, text);
        } else {
            printf("  %s\n", text);
        }
    }
    if (out->as_json) { cli_json_array_end(&out->json); }
}

void bench_corner_dwell(bench_Output *out)
{
    static Dwell results[VARIANTS][RESPONSES];
    memset(results, 0, sizeof results);
    static const bench_Column columns[] = { { "response", "response", NULL, 0.0 },
        { "method", "method", NULL, 0.0 }, { "limits", "limits", NULL, 0.0 },
        { "met", "met_share", "2 %", 100.0 }, { "mean mm", "mean_error_m", "2", 1e3 },
        { "iterations", "mean_iterations", "2", 1.0 }, { "on a side", "side_share", "2 %", 100.0 },
        { "on a corner", "corner_share", "2 %", 100.0 }, { NULL, NULL, NULL, 0.0 } };
    static const struct {
        const char *name;
        sinew_LimitResponse response;
    } responses[] = { { "arc", SINEW_RESPONSE_ARC }, { "closest", SINEW_RESPONSE_CLOSEST },
        { "intersection", SINEW_RESPONSE_INTERSECTION } };
    static const bench_Variant variants[] = {
        { SINEW_METHOD_CCD, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
        { SINEW_METHOD_DAMPED, SINEW_LIMITS_CLAMP, SINEW_SWEEP_TIP_TO_ROOT },
        { SINEW_METHOD_DAMPED, SINEW_LIMITS_ACTIVE, SINEW_SWEEP_TIP_TO_ROOT },
    };
    bench_Setup setup;
    if (!bench_setup_open("LIMITARM", &setup)) {
        out->failed = true;
        return;
    }
    const scene_Effector *hand = &setup.scene->effectors[0];
    bench_columns_begin(out, "corners",
        "Corner dwell: the shoulder of LIMITARM with Blow's elbow (bend and forearm twist), 60 "
        "paths of 60 frames "
        "partly out of reach, warm",
        columns);
    for (int v = 0; v < VARIANTS; ++v) {
        sinew_SolveOptions options = bench_variant_options(variants[v]);
        for (int r = 0; r < RESPONSES; ++r) {
            sinew_Skeleton *skeleton = NULL;
            Dwell dwell = { 0 };
            bool good = with_response(setup.scene->skeleton, responses[r].response, &skeleton)
                && follow_paths(skeleton, &options, hand->limb_root, hand->joint, setup.q, &dwell);
            sinew_skeleton_destroy(skeleton);
            out->failed = out->failed || !good;
            results[v][r] = dwell;
            bench_row(out, columns,
                (const char *[]){ responses[r].name, bench_variant_method(variants[v]),
                    bench_variant_limits(variants[v]) },
                (const double[]){
                    dwell.met, dwell.error, dwell.iterations, dwell.on_side, dwell.on_corner });
        }
    }
    bench_table_end(out);
    say_corner_verdicts(out, results);
    bench_setup_close(&setup);
}

// ---------------------------------------------------------------------------------------------
// Starts

enum { START_COUNTS = 4 };
static const int start_counts[START_COUNTS] = { 1, 2, 4, 8 };

typedef struct StartCase {
    bench_Problem problem; // count: goals that success is measured on
    sinew_Method method;
} StartCase;

static const StartCase start_cases[] = {
    { { "ARM", "hand position", NULL, false, 10000 }, SINEW_METHOD_CCD },
    { { "ARM", "hand pose", NULL, true, 10000 }, SINEW_METHOD_CCD },
    { { "ARM", "hand pose", NULL, true, 10000 }, SINEW_METHOD_DAMPED },
    { { "LIMITARM", "hand pose", NULL, true, 2000 }, SINEW_METHOD_CCD },
    { { "LIMITARM", "hand pose", NULL, true, 2000 }, SINEW_METHOD_DAMPED },
};
enum { START_CASES = (int)(sizeof start_cases / sizeof start_cases[0]) };

static bool measure_starts(const StartCase *tried, sinew_StartSuccess *success)
{
    bench_Setup setup;
    if (!bench_setup_open(tried->problem.scene, &setup)) { return false; }
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    sinew_StartDef def = sinew_start_def_default();
    def.skeleton = setup.scene->skeleton;
    def.goals = goals;
    def.goal_count = bench_goals(&setup, &tried->problem, setup.start, goals);
    def.options = sinew_solve_options_default(tried->method);
    def.start_count = start_counts[START_COUNTS - 1];
    def.target_count = 500;
    def.candidate_count = 32;
    def.seed = 2002;
    bool good = sinew_start_success(
                    &def, start_counts, START_COUNTS, tried->problem.count, success, NULL)
        == SINEW_STATUS_OK;
    bench_setup_close(&setup);
    return good;
}

// the published rule: the start whose cluster is nearest to the goal, once (Blow 2002, Convergence Issues)
static void say_start_verdict(
    bench_Output *out, const StartCase *tried, const sinew_StartSuccess *success)
{
    const double enough = 0.99;
    int found[3] = { -1, -1, -1 };
    for (int i = START_COUNTS - 1; i >= 0; --i) {
        const double share[3] = { success[i].nearest, success[i].table, success[i].random };
        for (int k = 0; k < 3; ++k) {
            if (share[k] >= enough) { found[k] = start_counts[i]; }
        }
    }
    char text[300], need[3][40];
    for (int k = 0; k < 3; ++k) {
        if (found[k] > 0) {
            snprintf(need[k], sizeof need[k], "%d", found[k]);
        } else {
            snprintf(need[k], sizeof need[k], "more than %d", start_counts[START_COUNTS - 1]);
        }
    }
    snprintf(text, sizeof text,
        "The nearest of 4 starts, tried once, suffices (99 %%) on %s, %s, %s: %s (%.2f %%). "
        "Needed: %s of which "
        "the nearest alone is tried, %s tried in turn, %s random ones.",
        tried->problem.scene, tried->problem.goal_text, sinew_method_name(tried->method),
        success[2].nearest >= enough ? "holds" : "does not hold", 100.0 * success[2].nearest,
        need[0], need[1], need[2]);
    if (out->as_json) {
        cli_json_text(&out->json, NULL, text);
    } else {
        printf("  %s\n", text);
    }
}

void bench_start_counts(bench_Output *out)
{
    static const bench_Column columns[] = { { "scene", "scene", NULL, 0.0 },
        { "goals", "goals", NULL, 0.0 }, { "method", "method", NULL, 0.0 },
        { "starts", "starts", "0", 1.0 }, { "nearest alone", "nearest_share", "2 %", 100.0 },
        { "all of the table", "table_share", "2 %", 100.0 },
        { "as many random", "random_share", "2 %", 100.0 }, { NULL, NULL, NULL, 0.0 } };
    sinew_StartSuccess success[START_CASES][START_COUNTS];
    bool good[START_CASES];
    bench_columns_begin(out, "starts",
        "Success by number of starts, 10000 reachable random goals (LIMITARM 2000)", columns);
    for (int c = 0; c < START_CASES; ++c) {
        const StartCase *tried = &start_cases[c];
        good[c] = measure_starts(tried, success[c]);
        out->failed = out->failed || !good[c];
        for (int i = 0; good[c] && i < START_COUNTS; ++i) {
            const sinew_StartSuccess *s = &success[c][i];
            bench_row(out, columns,
                (const char *[]){ tried->problem.scene, tried->problem.goal_text,
                    sinew_method_name(tried->method) },
                (const double[]){ start_counts[i], s->nearest, s->table, s->random });
        }
    }
    bench_table_end(out);
    if (out->as_json) { cli_json_array(&out->json, "starts_verdicts"); }
    for (int c = 0; c < START_CASES; ++c) {
        if (good[c]) { say_start_verdict(out, &start_cases[c], success[c]); }
    }
    if (out->as_json) { cli_json_array_end(&out->json); }
}
