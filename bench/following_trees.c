// Several goals on trees of hinges: robots with a fixed base, all tips at once, in places that a random
// pose inside the limits has.

#include "bench/following.h"

#include "scenes/reckoning.h"
#include "sinew/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEMS = 20000, MOST_TIPS = 5, ROBOT_COUNT = 10, PASSES = 3 };

#define TOLERANCE 1e-5
// solves that take longer than this, seconds, are not repeated: they are far too long anyway
#define LONG_SOLVE 2e-3

/// A robot and its tips, by link. Limbs of six and more hinges have poses as goals, others places.
static const struct {
    const char *name, *file;
    const char *poses[MOST_TIPS], *places[MOST_TIPS];
} robots[ROBOT_COUNT] = {
    { "simple humanoid", "urdf/simple_humanoid.urdf",
        { "l_wrist", "r_wrist", "l_ankle", "r_ankle" }, { NULL } },
    { "Unitree G1", "urdf/unitree_g1_29dof.urdf",
        { "left_rubber_hand", "right_rubber_hand", "left_ankle_roll_link",
            "right_ankle_roll_link" },
        { NULL } },
    { "Talos", "urdf/talos_full_v2.urdf",
        { "arm_left_7_link", "arm_right_7_link", "left_sole_link", "right_sole_link" },
        { "rgbd_link" } },
    { "Romeo", "urdf/romeo.urdf", { "l_gripper", "r_gripper", "l_sole", "r_sole" }, { "gaze" } },
    { "Nao", "urdf/nao.urdf", { "l_sole" }, { "l_gripper", "r_gripper", "r_sole", "gaze" } },
    { "Baxter", "urdf/baxter.urdf", { "left_gripper", "right_gripper" }, { NULL } },
    { "ANYmal", "urdf/anymal_b.urdf", { NULL }, { "LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT" } },
    { "A1", "urdf/a1_quadruped.urdf", { NULL }, { "FL_toe", "FR_toe", "RL_toe", "RR_toe" } },
    { "Solo", "urdf/solo12.urdf", { NULL }, { "FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT" } },
    { "Allegro hand", "hand/allegro_right_hand.urdf", { NULL },
        { "link_3.0_tip", "link_7.0_tip", "link_11.0_tip", "link_15.0_tip" } },
};

typedef struct Robot {
    sinew_MotionFile *file;
    const sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    sinew_Goal goals[2 * MOST_TIPS];
    int goal_count;
    double *start, *q, *times, *iterations; ///< of each problem
    double worst_violation;
} Robot;

static void close_robot(Robot *robot)
{
    sinew_solver_destroy(robot->solver);
    sinew_motion_destroy(robot->file);
    free(robot->start);
    free(robot->q);
    free(robot->times);
    free(robot->iterations);
}

static bool add_tip(Robot *robot, const char *link, bool pose)
{
    int joint = sinew_motion_find_joint(robot->file, link);
    if (joint < 0) {
        fprintf(stderr, "sinew: bench following: no link %s\n", link);
        return false;
    }
    sinew_Goal *goal = &robot->goals[robot->goal_count++];
    *goal = pose ? sinew_goal_pose(joint, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity())
                 : sinew_goal_position(joint, sinew_vec3(0.0, 0.0, 0.0));
    return true;
}

/// The middle of all ranges; joints that are locked stay at rest.
static void set_start(const sinew_Skeleton *skeleton, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        bool ranged = isfinite(axes[a].lower) && isfinite(axes[a].upper);
        q[places[a].coordinate] = ranged && axes[a].mobility > 0.0
            ? 0.5 * (axes[a].lower + axes[a].upper)
            : axes[a].rest;
    }
}

static void set_random(
    const sinew_Skeleton *skeleton, uint64_t seed, const double *start, double *q)
{
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    scene_Random random = scene_random(seed);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        double lower = fmax(axes[a].lower, -SINEW_PI), upper = fmin(axes[a].upper, SINEW_PI);
        double value = scene_random_range(&random, lower, upper);
        int c = places[a].coordinate;
        q[c] = axes[a].mobility > 0.0 ? value : start[c];
    }
}

static bool open_robot(Robot *robot, int index, int count)
{
    char path[600];
    memset(robot, 0, sizeof *robot);
    if (!bench_data_path(robots[index].file, path, sizeof path)
        || sinew_motion_read(path, NULL, &robot->file, NULL) != SINEW_STATUS_OK) {
        return false;
    }
    robot->skeleton = sinew_motion_skeleton(robot->file);
    for (int t = 0; t < MOST_TIPS && robots[index].poses[t] != NULL; ++t) {
        if (!add_tip(robot, robots[index].poses[t], true)) { return false; }
    }
    for (int t = 0; t < MOST_TIPS && robots[index].places[t] != NULL; ++t) {
        if (!add_tip(robot, robots[index].places[t], false)) { return false; }
    }
    size_t coordinates = (size_t)sinew_skeleton_coordinate_count(robot->skeleton);
    robot->start = malloc(coordinates * sizeof(double));
    robot->q = malloc(coordinates * sizeof(double));
    robot->times = malloc((size_t)count * sizeof(double));
    robot->iterations = malloc((size_t)count * sizeof(double));
    robot->solver = bench_solver(robot->skeleton, robot->goal_count);
    if (robot->start == NULL || robot->q == NULL || robot->times == NULL
        || robot->iterations == NULL || robot->solver == NULL) {
        return false;
    }
    set_start(robot->skeleton, robot->start);
    return true;
}

static bool goals_are_met(Robot *robot)
{
    const double most = TOLERANCE * (1.0 + 1e-9);
    for (int g = 0; g < robot->goal_count; ++g) {
        const sinew_Goal *goal = &robot->goals[g];
        sinew_Transform tip = scene_reckon(
            robot->skeleton, robot->q, goal->joint, goal->joint_from_effector);
        if (!(sinew_vec3_distance(tip.position, goal->position) <= most)) { return false; }
        if (goal->kind == SINEW_GOAL_POSE
            && !(scene_reckon_angle(tip.rotation, goal->orientation) <= most)) {
            return false;
        }
    }
    double violation = scene_reckon_violation(
        robot->skeleton, robot->q, 0, sinew_skeleton_axis_count(robot->skeleton) - 1);
    robot->worst_violation = fmax(robot->worst_violation, violation);
    return violation <= 1e-9;
}

/// Solve one problem as often as times need it; whether it was met.
static bool solve(Robot *robot, uint64_t seed, double *out_time, double *out_iterations)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(robot->skeleton) * sizeof(double);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    options.position_tolerance = options.orientation_tolerance = TOLERANCE;
    set_random(robot->skeleton, seed, robot->start, robot->q);
    for (int g = 0; g < robot->goal_count; ++g) {
        sinew_Transform tip = scene_reckon(
            robot->skeleton, robot->q, robot->goals[g].joint, robot->goals[g].joint_from_effector);
        robot->goals[g].position = tip.position;
        robot->goals[g].orientation = tip.rotation;
    }
    *out_time = INFINITY;
    double spent = 0.0;
    sinew_Report report = { 0 };
    for (int pass = 0; pass < PASSES && spent < LONG_SOLVE; ++pass) {
        memcpy(robot->q, robot->start, size);
        double begin = bench_clock(NULL);
        (void)sinew_solver_solve(
            robot->solver, &options, robot->goals, robot->goal_count, robot->q, &report, NULL);
        double time = bench_clock(NULL) - begin;
        *out_time = fmin(*out_time, time);
        spent += time;
    }
    *out_iterations = report.iterations;
    return goals_are_met(robot);
}

typedef struct Totals {
    int robots, problems, missed, over_median, over_p99;
    double median, p99, violation;
} Totals;

static const bench_Column columns[] = { { "robot", "robot", NULL, 0.0 },
    { "first missed", "first_missed", NULL, 0.0 }, { "goals", "goals", "0", 1.0 },
    { "problems", "problems", "0", 1.0 }, { "missed", "missed", "0", 1.0 },
    { "median us", "median_us", "1", 1e6 }, { "p99 us", "p99_us", "1", 1e6 },
    { "p99.9 us", "p999_us", "1", 1e6 }, { "iterations", "mean_iterations", "1", 1.0 },
    { "p99", "p99_iterations", "0", 1.0 }, { NULL, NULL, NULL, 0.0 } };

static void run_robot(bench_Following *following, int index, Totals *totals)
{
    Robot robot;
    int count = bench_following_count(following, PROBLEMS), missed = 0;
    char seeds[64] = "";
    if (!open_robot(&robot, index, count)) {
        close_robot(&robot);
        return;
    }
    for (int i = 0; i < count; ++i) {
        uint64_t seed = following->request->seed + (uint64_t)i;
        if (solve(&robot, seed, &robot.times[i], &robot.iterations[i])) { continue; }
        if (missed++ == 0) { snprintf(seeds, sizeof seeds, "seed %llu", (unsigned long long)seed); }
    }
    double median = bench_quantile(robot.times, (size_t)count, 0.5);
    double p99 = bench_quantile(robot.times, (size_t)count, 0.99);
    double p999 = bench_quantile(robot.times, (size_t)count, 0.999), mean = 0.0;
    for (int i = 0; i < count; ++i) { mean += robot.iterations[i] / count; }
    double most = bench_quantile(robot.iterations, (size_t)count, 0.99);
    totals->robots += 1;
    totals->problems += count;
    totals->missed += missed;
    totals->median = fmax(totals->median, median);
    totals->p99 = fmax(totals->p99, p99);
    totals->over_median += median > 30e-6 ? 1 : 0;
    totals->over_p99 += p99 > 400e-6 ? 1 : 0;
    totals->violation = fmax(totals->violation, robot.worst_violation);
    if (!following->request->markdown) {
        bench_row(following->out, columns, (const char *[]){ robots[index].name, seeds },
            (const double[]){ robot.goal_count, count, missed, median, p99, p999, mean, most });
    }
    close_robot(&robot);
}

// ---------------------------------------------------------------------------------------------
// Diagnosis of goals that are not met

enum { SAMPLES = 500, SAMPLED_ROBOTS = 4, SEARCH_RESTARTS = 60 };

typedef struct Truth {
    int stuck, denied; ///< poses exist, and a weak solve met none; diagnoses that blame something
    int unmet, found, silent; ///< the default gave up; another search met them; no cause was told
    sinew_Diagnosis *diagnosis;
} Truth;

static bool solve_by(Robot *robot, const sinew_SolveOptions *options)
{
    size_t size = (size_t)sinew_skeleton_coordinate_count(robot->skeleton) * sizeof(double);
    memcpy(robot->q, robot->start, size);
    return sinew_solver_solve(
               robot->solver, options, robot->goals, robot->goal_count, robot->q, NULL, NULL)
        == SINEW_STATUS_OK
        && goals_are_met(robot);
}

static void set_goals_of(Robot *robot, const double *q)
{
    for (int g = 0; g < robot->goal_count; ++g) {
        sinew_Transform tip = scene_reckon(
            robot->skeleton, q, robot->goals[g].joint, robot->goals[g].joint_from_effector);
        robot->goals[g].position = tip.position;
        robot->goals[g].orientation = tip.rotation;
    }
}

static sinew_SolveOptions options_of(sinew_Method method, int restarts, uint64_t seed)
{
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.position_tolerance = options.orientation_tolerance = TOLERANCE;
    options.restarts = restarts;
    options.seed = seed;
    return options;
}

/// A pose exists: whoever misses it may only be told that it was the way of solving.
static void sample_reachable(Robot *robot, uint64_t seed, Truth *truth)
{
    const sinew_SolveOptions weak = options_of(SINEW_METHOD_DAMPED, 0, 0);
    set_random(robot->skeleton, seed, robot->start, robot->q);
    set_goals_of(robot, robot->q);
    if (solve_by(robot, &weak)) { return; }
    ++truth->stuck;
    (void)sinew_solver_diagnose(robot->solver, &weak, robot->goals, robot->goal_count, robot->q,
        NULL, truth->diagnosis, NULL);
    bool denied = false;
    for (int g = 0; g < robot->goal_count; ++g) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(truth->diagnosis, g);
        if (goal->met) { continue; }
        sinew_BlockerKind kind = goal->blockers[0].kind;
        denied = denied || goal->blocker_count == 0
            || (kind != SINEW_BLOCKER_VALLEY && kind != SINEW_BLOCKER_ITERATIONS
                && kind != SINEW_BLOCKER_UNFINISHED);
    }
    truth->denied += denied ? 1 : 0;
}

/// Goals shifted at random: where the default meets them not, many descents of another method from
/// random poses must not either, and a cause must be told.
static void sample_shifted(Robot *robot, uint64_t seed, Truth *truth)
{
    const sinew_SolveOptions usual = options_of(SINEW_METHOD_AUTO, 1000, 0);
    const sinew_SolveOptions other = options_of(SINEW_METHOD_DAMPED, SEARCH_RESTARTS, seed + 77);
    scene_Random random = scene_random(seed + 1000000);
    set_random(robot->skeleton, seed, robot->start, robot->q);
    set_goals_of(robot, robot->q);
    for (int g = 0; g < robot->goal_count; ++g) {
        sinew_Goal *goal = &robot->goals[g];
        goal->position = sinew_vec3_add_scaled(
            goal->position, scene_random_direction(&random), scene_random_range(&random, 0.0, 0.1));
    }
    if (solve_by(robot, &usual)) { return; }
    ++truth->unmet;
    (void)sinew_solver_diagnose(robot->solver, &usual, robot->goals, robot->goal_count, robot->q,
        NULL, truth->diagnosis, NULL);
    bool silent = false;
    for (int g = 0; g < robot->goal_count; ++g) {
        const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(truth->diagnosis, g);
        silent = silent || (!goal->met && goal->blocker_count == 0);
    }
    truth->silent += silent ? 1 : 0;
    truth->found += solve_by(robot, &other) ? 1 : 0;
}

void bench_following_diagnosis(bench_Following *following)
{
    Truth truth = { 0 };
    int samples = bench_following_count(following, SAMPLES);
    for (int i = 0; i < SAMPLED_ROBOTS; ++i) {
        Robot robot;
        bool good = open_robot(&robot, i, 1)
            && sinew_diagnosis_create(
                   robot.skeleton, robot.goal_count, NULL, &truth.diagnosis, NULL)
                == SINEW_STATUS_OK;
        for (int k = 0; good && k < samples; ++k) {
            uint64_t seed = following->request->seed + (uint64_t)k;
            if (4 * truth.stuck < samples * (i + 1)) { sample_reachable(&robot, seed, &truth); }
            if (4 * truth.unmet < samples * (i + 1)) { sample_shifted(&robot, seed, &truth); }
        }
        sinew_diagnosis_destroy(truth.diagnosis);
        truth.diagnosis = NULL;
        close_robot(&robot);
    }
    if (truth.stuck + truth.unmet == 0) { return; }
    bench_following_row(following, "diagnosis where a pose exists: blames something", "0",
        truth.denied, 0.0, "%d of %d", truth.denied, truth.stuck);
    bench_following_row(following, "given up by default, met by another search", "0", truth.found,
        0.0, "%d of %d", truth.found, truth.unmet);
    bench_following_row(following, "given up by default, and no cause is told", "0", truth.silent,
        0.0, "%d of %d", truth.silent, truth.unmet);
}

// ---------------------------------------------------------------------------------------------

void bench_following_trees(bench_Following *following)
{
    Totals totals = { 0 };
    if (!following->request->markdown) {
        bench_columns_begin(following->out, "trees",
            "Robots, all tips at once, reachable, 1e-5, from the middle of the ranges", columns);
    }
    for (int i = 0; i < ROBOT_COUNT; ++i) { run_robot(following, i, &totals); }
    if (!following->request->markdown) { bench_table_end(following->out); }
    if (totals.robots == 0) { return; }
    bench_following_row(following, "robots, several goals, reachable problems at 1e-5", "100 %",
        totals.missed, 0.0, "%d of %d missed on %d robots", totals.missed, totals.problems,
        totals.robots);
    bench_following_row(following, "robots, several goals, median of the slowest", "30 us",
        totals.median, 30e-6, "%.1f us, %d of %d over", 1e6 * totals.median, totals.over_median,
        totals.robots);
    bench_following_row(following, "robots, several goals, p99 of the slowest", "0.4 ms",
        totals.p99, 400e-6, "%.3f ms, %d of %d over", 1e3 * totals.p99, totals.over_p99,
        totals.robots);
    bench_following_row(following, "robots, several goals, farthest outside a limit", "1e-9 rad",
        totals.violation, 1e-9, "%.2g rad", totals.violation);
}
