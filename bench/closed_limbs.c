#include "bench/closed_limbs.h"

#include "bench/following.h"
#include "scenes/reckoning.h"

#include "sinew/answers.h"
#include "sinew/file.h"
#include "sinew/rig.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// goals of a limb where none are asked for, draws of a ball before it is put on its bound, and runs of
// which the lowest time tells whether an answer came in time
enum { GOALS = 200, DRAWS = 64, NAME = 160, MOST_FILES = 64, PASSES = 3 };
#define LIMIT_SLACK 1e-9

typedef struct Table {
    const bench_Request *request;
    bench_Output *out;
    int goals, limbs, closed, failed;
} Table;

static const bench_Column columns[] = { { "limb", "limb", NULL, 0.0 },
    { "goal", "goal", NULL, 0.0 }, { "solved", "solved_share", "2 %", 100.0 },
    { "hard", "hard_share", "2 %", 100.0 }, { "what it is", "class", NULL, 0.0 },
    { NULL, NULL, NULL, 0.0 } };

static void put_limb(
    Table *table, const char *name, bool place, double solved, double hard, const char *text)
{
    bool closed = strstr(text, "no closed form") == NULL;
    ++table->limbs;
    table->closed += closed ? 1 : 0;
    table->failed += solved < 1.0 || hard < 1.0 ? 1 : 0;
    bench_row(table->out, columns, (const char *[]){ name, place ? "place" : "pose", text },
        (const double[]){ solved, hard });
}

// ---------------------------------------------------------------------------------------------
// Limbs of hinges

static bool moves(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    for (int a = 0; a < j->axis_count; ++a) {
        if (sinew_skeleton_axes(skeleton)[j->axis_start + a].mobility > 0.0) { return true; }
    }
    return false;
}

// how many branches below a joint move
static int moving_branches(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int count = 0;
    for (int c = joint + 1; c < joint + joints[joint].subtree_count; ++c) {
        if (joints[c].parent != joint) { continue; }
        bool any = false;
        for (int j = c; j < c + joints[c].subtree_count; ++j) { any = any || moves(skeleton, j); }
        count += any ? 1 : 0;
    }
    return count;
}

// what a limb to a tip hangs on: the first joint above it with other limbs
static int base_of(const sinew_Skeleton *skeleton, int tip)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int base = joints[tip].parent;
    while (base >= 0 && moving_branches(skeleton, base) < 2) { base = joints[base].parent; }
    return base;
}

// the least share that is met of some draws
static double share_of(const Table *table, const bench_Chain *chain, bool hard)
{
    double least = 1.0;
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    for (int d = hard ? BENCH_DRAW_ON_BOUNDS : BENCH_DRAW_ANYWHERE;
         d <= (hard ? BENCH_DRAW_NEAR_ZERO : BENCH_DRAW_ANYWHERE); ++d) {
        bench_Targets targets;
        bench_ChainResult result = { 0 };
        if (!bench_targets_draw(
                chain, table->request->seed, table->goals, (bench_Draw)d, &targets)) {
            return NAN;
        }
        (void)bench_chain_run(chain, &targets, false, &options, PASSES, &result);
        bench_targets_close(&targets);
        least = fmin(least, result.solved_any_limit > result.solved ? 0.0 : result.solved);
    }
    return least;
}

static void put_chain(Table *table, const char *file, const sinew_Skeleton *skeleton,
    sinew_Solver *solver, int tip, const double *q)
{
    bench_Chain chain;
    int base = base_of(skeleton, tip);
    if (!bench_chain_open(skeleton, base, tip, false, &chain)) { return; }
    chain.position_alone = chain.axis_count < 6;
    if (chain.axis_count >= 3) {
        char name[NAME];
        sinew_Message text = { "" };
        sinew_Goal goal = bench_chain_goal(&chain, sinew_transform_identity());
        (void)sinew_solver_closed_form(solver, &goal, q, &text);
        snprintf(name, sizeof name, "%.40s %.60s", file, sinew_skeleton_joints(skeleton)[tip].name);
        put_limb(table, name, chain.position_alone, share_of(table, &chain, false),
            share_of(table, &chain, true), text.text);
    }
    bench_chain_close(&chain);
}

static void run_robot(Table *table, const char *path)
{
    sinew_ReadOptions reading = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    if (sinew_motion_read(path, &reading, &file, NULL) != SINEW_STATUS_OK) { return; }
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    sinew_Solver *solver = bench_solver(skeleton, 1);
    double *q = malloc((size_t)sinew_skeleton_coordinate_count(skeleton) * sizeof *q + 1);
    if (solver != NULL && q != NULL) {
        sinew_pose_rest(skeleton, q);
        for (int tip = 0; tip < sinew_skeleton_joint_count(skeleton); ++tip) {
            if (sinew_skeleton_joints(skeleton)[tip].subtree_count > 1) { continue; }
            put_chain(table, strrchr(path, '/') + 1, skeleton, solver, tip, q);
        }
    }
    free(q);
    sinew_solver_destroy(solver);
    sinew_motion_destroy(file);
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void run_robots(Table *table)
{
    static char paths[MOST_FILES][1024];
    char folder[1024];
    int count = 0;
    if (!bench_data_path("urdf/panda.urdf", folder, sizeof folder)) { return; }
    *strrchr(folder, '/') = '\0';
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot == NULL || strcmp(dot, ".urdf") != 0 || count == MOST_FILES) { continue; }
        int length = snprintf(paths[count], sizeof paths[0], "%s/%s", folder, entry->d_name);
        count += length < (int)sizeof paths[0] ? 1 : 0;
    }
    if (dir != NULL) { closedir(dir); }
    qsort(paths, (size_t)count, sizeof paths[0], compare_paths);
    for (int i = 0; i < count; ++i) { run_robot(table, paths[i]); }
}

// ---------------------------------------------------------------------------------------------
// Arms and legs of recorded bodies

typedef struct Body {
    sinew_MotionFile *file;
    sinew_RoleGuess *roles;
    sinew_Skeleton *skeleton; // with guessed limits
    sinew_Solver *solver;
    double *q, *rest;
} Body;

static void close_body(Body *body)
{
    free(body->q);
    free(body->rest);
    sinew_solver_destroy(body->solver);
    sinew_skeleton_destroy(body->skeleton);
    sinew_roles_destroy(body->roles);
    sinew_motion_destroy(body->file);
}

static bool open_body(const char *path, Body *body)
{
    sinew_ReadOptions reading = sinew_read_options_default();
    sinew_Rig *rig = NULL;
    memset(body, 0, sizeof *body);
    if (sinew_motion_read(path, &reading, &body->file, NULL) != SINEW_STATUS_OK) { return false; }
    const sinew_Skeleton *own = sinew_motion_skeleton(body->file);
    bool good = sinew_roles_guess(own, NULL, NULL, &body->roles, NULL) == SINEW_STATUS_OK
        && sinew_rig_guess(own, body->roles, NULL, NULL, &rig, NULL) == SINEW_STATUS_OK
        && sinew_rig_apply(own, rig, NULL, &body->skeleton, NULL) == SINEW_STATUS_OK;
    sinew_rig_destroy(rig);
    if (good) {
        size_t size = (size_t)sinew_skeleton_coordinate_count(own) * sizeof(double) + 1;
        body->solver = bench_solver(body->skeleton, 1);
        body->q = malloc(size);
        body->rest = malloc(size);
        good = body->solver != NULL && body->q != NULL && body->rest != NULL;
    }
    if (!good) {
        close_body(body);
        return false;
    }
    sinew_pose_rest(body->skeleton, body->rest);
    return true;
}

static sinew_Quat draw_ball(const sinew_BallLimit *limit, scene_Random *random, bool hard)
{
    sinew_Quat ball = scene_random_rotation(random);
    if (limit == NULL) { return ball; }
    bool bound = hard && scene_random_unit(random) < 0.3;
    for (int i = 0; i < DRAWS && !bound && sinew_ball_limit_violation(limit, ball) > 0.0; ++i) {
        ball = scene_random_rotation(random);
    }
    return sinew_ball_limit_clamp(limit, ball);
}

// joints from a hand or foot up to where its limb begins, inside their limits
static void draw_limb(const Body *body, scene_Random *random, int root, int end, bool hard)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(body->skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(body->skeleton);
    for (int j = end; j >= 0; j = j == root ? -1 : joints[j].parent) {
        for (int a = joints[j].axis_start; a < joints[j].axis_start + joints[j].axis_count; ++a) {
            double *value = &body->q[places[a].coordinate];
            if (axes[a].kind == SINEW_AXIS_HINGE) {
                value[0] = scene_random_range(
                    random, fmax(axes[a].lower, -SINEW_PI), fmin(axes[a].upper, SINEW_PI));
            }
            if (axes[a].kind != SINEW_AXIS_BALL) { continue; }
            sinew_Quat ball = draw_ball(axes[a].limit, random, hard);
            value[0] = ball.x;
            value[1] = ball.y;
            value[2] = ball.z;
            value[3] = ball.w;
        }
    }
}

static bool run_ball_limb(Body *body, uint64_t seed, int count, int root, int end, bool hard,
    int passes, bench_ChainResult *result)
{
    const sinew_Joint *joints = sinew_skeleton_joints(body->skeleton);
    size_t size = (size_t)sinew_skeleton_coordinate_count(body->skeleton) * sizeof(double);
    int last = joints[end].axis_start + joints[end].axis_count - 1;
    sinew_SolveOptions options = bench_chain_options(bench_default_method());
    sinew_Transform none = sinew_transform_identity();
    double *times = malloc((size_t)count * sizeof *times);
    if (times == NULL) { return false; }
    *result = (bench_ChainResult){ .count = count };
    for (int i = 0; i < count; ++i) {
        scene_Random random = scene_random(seed + (uint64_t)i);
        memcpy(body->q, body->rest, size);
        draw_limb(body, &random, root, end, hard);
        sinew_Transform place = scene_reckon(body->skeleton, body->q, end, none);
        sinew_Goal goal = sinew_goal_pose(end, place.position, place.rotation);
        goal.chain_root = root;
        times[i] = INFINITY;
        for (int pass = 0; pass < passes; ++pass) {
            sinew_Report report;
            memcpy(body->q, body->rest, size);
            double begin = bench_clock(NULL);
            (void)sinew_solver_solve(body->solver, &options, &goal, 1, body->q, &report, NULL);
            times[i] = fmin(times[i], bench_clock(NULL) - begin);
        }
        sinew_Transform tip = scene_reckon(body->skeleton, body->q, end, none);
        double most = BENCH_CHAIN_TOLERANCE * (1.0 + 1e-9);
        bool good = sinew_vec3_distance(tip.position, place.position) <= most
            && scene_reckon_angle(tip.rotation, place.rotation) <= most
            && scene_reckon_violation(body->skeleton, body->q, joints[root].axis_start, last)
                <= LIMIT_SLACK;
        result->solved += good ? 1.0 : 0.0;
        result->mean += times[i] / count;
    }
    result->solved /= count;
    qsort(times, (size_t)count, sizeof *times, bench_compare);
    result->median = times[count / 2];
    result->p99 = times[(size_t)count * 99 / 100];
    free(times);
    return true;
}

static bool find_limb(const Body *body, bool leg, sinew_Side side, int *out_root, int *out_end)
{
    *out_root = sinew_roles_find(
        body->roles, leg ? SINEW_ROLE_THIGH : SINEW_ROLE_UPPERARM, side, -1);
    *out_end = sinew_roles_find(body->roles, leg ? SINEW_ROLE_FOOT : SINEW_ROLE_HAND, side, -1);
    return *out_root >= 0 && *out_end >= 0;
}

bool bench_ball_limb_run(
    const bench_Request *request, int count, bool leg, int passes, bench_ChainResult *out_result)
{
    char path[1024];
    Body body;
    int root, end;
    if (!bench_data_path("bvh/cmu_01_01_mb.bvh", path, sizeof path) || !open_body(path, &body)) {
        return false;
    }
    bool good = find_limb(&body, leg, SINEW_SIDE_LEFT, &root, &end)
        && run_ball_limb(&body, request->seed, count, root, end, false, passes, out_result);
    close_body(&body);
    return good;
}

static void run_bodies(Table *table)
{
    char path[1024];
    for (int i = 0; bench_motion_path(i, path, sizeof path); ++i) {
        Body body;
        if (!open_body(path, &body)) { continue; }
        for (int limb = 0; limb < 4; ++limb) {
            bool leg = limb >= 2;
            sinew_Side side = limb % 2 == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
            bench_ChainResult usual = { 0 }, hard = { 0 };
            sinew_Message text = { "" };
            char name[NAME];
            int root, end;
            if (!find_limb(&body, leg, side, &root, &end)) { continue; }
            sinew_Goal goal = sinew_goal_pose(
                end, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity());
            goal.chain_root = root;
            (void)sinew_solver_closed_form(body.solver, &goal, body.rest, &text);
            uint64_t seed = table->request->seed;
            (void)run_ball_limb(&body, seed, table->goals, root, end, false, 1, &usual);
            (void)run_ball_limb(&body, seed, table->goals, root, end, true, 1, &hard);
            snprintf(name, sizeof name, "%.60s %.60s", strrchr(path, '/') + 1,
                sinew_skeleton_joints(body.skeleton)[end].name);
            put_limb(table, name, false, usual.solved, hard.solved, text.text);
        }
        close_body(&body);
    }
}

void bench_closed_limbs(const bench_Request *request, bench_Output *out)
{
    Table table = { .request = request, .out = out, .goals = GOALS };
    if (request->targets > 0) { table.goals = request->targets; }
    char title[160];
    snprintf(title, sizeof title,
        "Every limb of the robots, and arms and legs of the recorded bodies with guessed limits; "
        "%d "
        "goals each",
        table.goals);
    bench_columns_begin(out, "limbs", title, columns);
    run_robots(&table);
    run_bodies(&table);
    bench_table_end(out);
    if (out->as_json) { return; }
    printf("%d limbs, %d with a closed form, %d with goals that are not met\n", table.limbs,
        table.closed, table.failed);
}
