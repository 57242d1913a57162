// Very many solves of random limited bodies by every method: no joint that a goal moves leaves its
// limits, by a measure that shares nothing with the library, and the others keep their bits and are
// told. SINEW_TEST_SOLVES sets how many (default 12000; a million takes five minutes).

#include "bodies.h"
#include "limit_random.h"
#include "limit_truth.h"

#include <stdio.h>
#include <string.h>

enum { JOINTS = 8, SOLVES_PER_BODY = 20 };

static sinew_BallLimit *some_limit(test_Random *random)
{
    static random_Draft draft;
    sinew_BallLimit *limit = NULL;
    while (limit == NULL) { limit = random_limit(random, &draft); }
    return limit;
}

static sinew_Skeleton *random_limited_body(test_Random *random)
{
    sinew_JointDef joints[JOINTS];
    sinew_Axis axes[JOINTS][3];
    sinew_BallLimit *limits[JOINTS] = { NULL };
    for (int j = 0; j < JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "joint";
        joints[j].parent = j - 1 - (j > 3 && test_int(random, 4) == 0 ? 1 : 0);
        // a step back may leave a closed branch: the joint before is always open
        if (joints[j].parent != j - 1) { joints[j].parent = joints[j - 1].parent; }
        if (test_int(random, 6)) { joints[j].offset = test_vector(random, 0.4); }
        if (test_int(random, 2)) { joints[j].rest_rotation = test_unit_quat(random); }
        joints[j].axes = axes[j];
        if (test_int(random, 2)) {
            limits[j] = some_limit(random);
            axes[j][0] = sinew_axis_ball();
            axes[j][0].limit = limits[j];
            joints[j].axis_count = 1;
        } else {
            joints[j].axis_count = 1 + test_int(random, 3);
            for (int a = 0; a < joints[j].axis_count; ++a) {
                axes[j][a] = body_random_axis(
                    random, BODY_HINGE | BODY_SLIDE | BODY_SKEW | BODY_LIMITS);
            }
        }
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, JOINTS, NULL, &skeleton, &message), &message);
    for (int j = 0; j < JOINTS; ++j) { sinew_ball_limit_destroy(limits[j]); }
    return skeleton;
}

static sinew_Goal random_goal(test_Random *random)
{
    sinew_Goal goal = sinew_goal_position(test_int(random, JOINTS), test_vector(random, 1.0));
    goal.kind = (sinew_GoalKind)test_int(random, 3);
    goal.orientation = test_unit_quat(random);
    // far out of reach now and then
    if (test_int(random, 4) == 0) { goal.position = sinew_vec3_scale(goal.position, 1e3); }
    return goal;
}

// anywhere, and now and then where limits may break
static void random_start(test_Random *random, const sinew_Skeleton *skeleton, double *q)
{
    body_random_pose(random, skeleton, 3.0, q);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        if (axes[a].limit == NULL || test_int(random, 2)) { continue; }
        sinew_Quat ball = random_ball(random, axes[a].limit);
        memcpy(&q[sinew_skeleton_axis_places(skeleton)[a].coordinate], &ball, sizeof ball);
    }
}

typedef struct Worst {
    double outside, told;
} Worst;

static void check_answer(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count,
    const double *start, const double *q, const sinew_Report *report, Worst *worst)
{
    double whole = 0.0;
    bool exact = true;
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        sinew_AxisPlace place = sinew_skeleton_axis_places(skeleton)[a];
        bool ball = sinew_skeleton_axes(skeleton)[a].kind == SINEW_AXIS_BALL, moves = false;
        for (int g = 0; g < goal_count; ++g) {
            moves = moves || sinew_skeleton_is_ancestor(skeleton, place.joint, goals[g].joint);
        }
        double outside = truth_axis_outside(skeleton, a, q);
        whole = fmax(whole, outside);
        // next to a half turn the angle that is told is mostly rounding
        const sinew_BallLimit *limit = sinew_skeleton_axes(skeleton)[a].limit;
        exact = exact
            && (limit == NULL
                || truth_violation(sinew_ball_limit_def(limit), truth_ball(skeleton, a, q)).pole
                    > 1e-3);
        if (moves) {
            worst->outside = fmax(worst->outside, outside);
            TEST_TRUE(outside <= 1e-9);
        } else {
            size_t size = (ball ? 4 : 1) * sizeof *q;
            TEST_TRUE(memcmp(&q[place.coordinate], &start[place.coordinate], size) == 0);
        }
    }
    if (!exact) { return; }
    worst->told = fmax(worst->told, fabs(report->limit_violation - whole));
    TEST_NEAR(report->limit_violation, whole, 5e-9);
}

static int wanted_solves(void)
{
    const char *text = getenv("SINEW_TEST_SOLVES");
    return text != NULL ? atoi(text) : 12000;
}

// DLS-6, DLS-7, PINV-4, CCD-3: no method leaves a limit by more than rounding, and no pose is NaN
static void test_limits_never_violated(void **state)
{
    (void)state;
    int solves = wanted_solves(), done = 0;
    Worst worst = { 0.0, 0.0 };
    for (int body = 0; done < solves; ++body) {
        test_Random random = test_case(20022014, body);
        sinew_Skeleton *skeleton = random_limited_body(&random);
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = skeleton;
        sinew_Solver *solver = NULL;
        TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
        for (int i = 0; i < SOLVES_PER_BODY; ++i, ++done) {
            sinew_Method method = (sinew_Method)test_int(&random, SINEW_METHOD_COUNT);
            sinew_SolveOptions options = sinew_solve_options_default(method);
            options.limits = test_int(&random, 3) ? SINEW_LIMITS_ACTIVE : SINEW_LIMITS_CLAMP;
            options.max_iterations = 40;
            if (method == SINEW_METHOD_DAMPED) {
                options.form = (sinew_LinearForm)test_int(&random, SINEW_FORM_COUNT);
                options.velocity_weight = test_int(&random, 2) ? 1e-3 : 0.0;
            }
            sinew_Goal goals[3];
            int count = 1 + test_int(&random, 3);
            for (int g = 0; g < count; ++g) { goals[g] = random_goal(&random); }
            // starts outside the limits are brought inside
            double start[BODY_MAX_NUMBERS], q[BODY_MAX_NUMBERS];
            random_start(&random, skeleton, start);
            memcpy(q, start, sizeof q);
            sinew_Report report;
            sinew_Message message = { "" };
            TEST_OK(
                sinew_solver_solve(solver, &options, goals, count, q, &report, &message), &message);
            TEST_TRUE(sinew_pose_check(skeleton, q, NULL) == SINEW_STATUS_OK);
            check_answer(skeleton, goals, count, start, q, &report, &worst);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    printf(
        "%d solves, outside by %g at most, told wrongly by %g\n", done, worst.outside, worst.told);
}

TEST_MAIN(cmocka_unit_test(test_limits_never_violated))
