// Very many solves of random limited bodies by every method: a limit is never violated, whatever the
// goal. SINEW_TEST_SOLVES sets how many (default 30000; a million takes minutes).

#include "bodies.h"

#include <stdio.h>

enum { JOINTS = 8, SOLVES_PER_BODY = 20 };

// windows, cones and twist ranges about any neutral pose, also beside a half turn
static sinew_BallLimit *random_limit(test_Random *random)
{
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.neutral = test_int(random, 2)
        ? test_unit_quat(random)
        : sinew_quat_from_axis_angle(test_unit_vector(random), test_range(random, 3.0, 3.3));
    def.bone = test_int(random, 2) ? test_unit_quat(random) : sinew_quat_identity();
    def.response = (sinew_LimitResponse)test_int(random, 3);
    sinew_Vec3 rays[12], axis = { 1.0, 0.0, 0.0 };
    sinew_ReachWindow window = sinew_reach_cone(&axis, test_range(random, 0.05, 2.6));
    if (test_int(random, 2)) {
        int count = 4 + test_int(random, 9);
        sinew_reach_ellipse(
            test_range(random, 0.1, 1.4), test_range(random, 0.1, 1.4), count, rays);
        window = sinew_reach_polygon(rays, count);
    }
    def.windows = &window;
    def.window_count = test_int(random, 5) > 0 ? 1 : 0;
    if (test_int(random, 4)) {
        def.twist_lower = test_range(random, -3.0, 2.0);
        def.twist_upper = test_range(random, def.twist_lower, 3.0);
    }
    sinew_BallLimit *limit = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, &message), &message);
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
            limits[j] = random_limit(random);
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

static int wanted_solves(void)
{
    const char *text = getenv("SINEW_TEST_SOLVES");
    return text != NULL ? atoi(text) : 30000;
}

// DLS-6, DLS-7, PINV-4, CCD-3: no method leaves a limit by more than rounding, and no pose is NaN
static void test_limits_never_violated(void **state)
{
    (void)state;
    int solves = wanted_solves(), done = 0;
    double worst = 0.0;
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
                options.form = (sinew_LinearForm)test_int(&random, SINEW_FORM_RECURSION + 1);
                options.velocity_weight = test_int(&random, 2) ? 1e-3 : 0.0;
            }
            sinew_Goal goals[3];
            int count = 1 + test_int(&random, 3);
            for (int g = 0; g < count; ++g) { goals[g] = random_goal(&random); }
            // starts outside the limits are brought inside
            double q[BODY_MAX_NUMBERS];
            body_random_pose(&random, skeleton, 3.0, q);
            sinew_Report report;
            sinew_Message message = { "" };
            TEST_OK(
                sinew_solver_solve(solver, &options, goals, count, q, &report, &message), &message);
            TEST_TRUE(sinew_pose_check(skeleton, q, NULL) == SINEW_STATUS_OK);
            worst = fmax(worst, report.limit_violation);
            TEST_TRUE(report.limit_violation < 1e-9);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    printf("%d solves, largest violation %g\n", done, worst);
}

TEST_MAIN(cmocka_unit_test(test_limits_never_violated))
