// Bodies that consist of slides, as gantries and lifts do, or carry an arm on some: what their reach is, and
// what is said in units of it.

#include "bodies.h"

#include "solve/method.h"

#include "sinew/diagnosis.h"

enum { COORDINATES = 3, JOINTS = 4 };

// three slides across each other, carrying a tool that may be a point
static sinew_Skeleton *make_gantry(const double travel[3], double tool, double unit)
{
    static const sinew_Vec3 directions[3] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 },
        { 0.0, 0.0, 1.0 } };
    sinew_Axis axes[3];
    sinew_JointDef joints[JOINTS];
    for (int j = 0; j < JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "part";
        joints[j].parent = j - 1;
        if (j == 3) { break; }
        axes[j] = sinew_axis_slide(directions[j]);
        if (isfinite(travel[j])) {
            axes[j].lower = 0.0;
            axes[j].upper = travel[j] * unit;
        }
        joints[j].axes = &axes[j];
        joints[j].axis_count = 1;
    }
    joints[3].offset = sinew_vec3(0.0, -tool * unit, 0.0);
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, JOINTS, NULL, &skeleton, &message), &message);
    return skeleton;
}

static sinew_Vec3 tip_at(const sinew_Skeleton *skeleton, const double *q)
{
    sinew_Transform world[JOINTS];
    sinew_pose_forward(skeleton, q, world);
    return world[JOINTS - 1].position;
}

static const double finite_travel[3] = { 4.0, 3.0, 2.0 };

// the reach is how far the slides go, or the tool is long; of any size
static void test_reach_is_the_travel(void **state)
{
    (void)state;
    static const double endless[3] = { INFINITY, INFINITY, INFINITY };
    for (int i = -3; i <= 3; ++i) {
        double unit = pow(10.0, i);
        for (int k = 0; k < 4; ++k) {
            double tool = k % 2 == 0 ? 0.0 : 0.5;
            sinew_Skeleton *skeleton = make_gantry(k < 2 ? finite_travel : endless, tool, unit);
            sinew_Solver *solver = body_solver(skeleton, 1);
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
            double q[COORDINATES] = { 0.0 };
            sinew_Goal goal = sinew_goal_position(JOINTS - 1, tip_at(skeleton, q));
            (void)body_solve(solver, &options, &goal, 1, q);
            double reach = snw_solver_inside(solver)->plan.reach;
            double expected = k < 2 ? 9.0 : tool;
            // without an end and without a tool there is nothing to measure by but the body itself
            if (k == 2) { expected = sinew_skeleton_size(skeleton) / unit; }
            TEST_NEAR(reach / unit, expected, 1e-9);
            sinew_solver_destroy(solver);
            sinew_skeleton_destroy(skeleton);
        }
    }
}

// every method meets goals in reach, and stops each slide at its end for those beyond
static void test_goals_are_met_and_missed_by_what_is_missing(void **state)
{
    (void)state;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(9301, i);
        double unit = pow(10.0, test_range(&random, -3.0, 3.0));
        double tool = test_int(&random, 2) ? 0.05 : 0.0;
        sinew_Skeleton *skeleton = make_gantry(finite_travel, tool, unit);
        sinew_Solver *solver = body_solver(skeleton, 1);
        double made[COORDINATES], beyond[COORDINATES], q[COORDINATES];
        for (int k = 0; k < 3; ++k) {
            double over = test_range(&random, -0.5, 1.5);
            beyond[k] = over * finite_travel[k] * unit;
            made[k] = fmin(fmax(beyond[k], 0.0), finite_travel[k] * unit);
        }
        sinew_Vec3 nearest = tip_at(skeleton, made);
        sinew_Goal goal = sinew_goal_position(JOINTS - 1, tip_at(skeleton, beyond));
        double missing = sinew_vec3_distance(nearest, goal.position);
        static const sinew_Method methods[] = { SINEW_METHOD_AUTO, SINEW_METHOD_DAMPED,
            SINEW_METHOD_CCD };
        for (int m = 0; m < 3; ++m) {
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.position_tolerance = 1e-5 * unit;
            for (int soft = 0; soft < 2; ++soft) {
                // slides do not snap straight: nothing is eased
                options.soft_reach = soft == 1 ? 0.02 : 0.0;
                for (int k = 0; k < 3; ++k) {
                    q[k] = test_range(&random, 0.0, finite_travel[k] * unit);
                }
                sinew_Report r = body_solve(solver, &options, &goal, 1, q);
                TEST_NEAR(r.position_error / unit, missing / unit, 1.1e-5);
                TEST_TRUE((r.outcome == SINEW_OUTCOME_CONVERGED) == (missing == 0.0));
                TEST_TRUE(r.eased_distance == 0.0 && r.limit_violation <= 0.0);
            }
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

// max_joint_change of a slide is a share of the reach; what was not reached is told by its end
static void test_change_and_diagnosis(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_gantry(finite_travel, 0.5, 1.0);
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_Diagnosis *diagnosis = NULL;
    TEST_OK(sinew_diagnosis_create(skeleton, 1, NULL, &diagnosis, NULL), NULL);
    for (int m = 0; m < 3; ++m) {
        static const sinew_Method methods[] = { SINEW_METHOD_AUTO, SINEW_METHOD_DAMPED,
            SINEW_METHOD_CCD };
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.max_joint_change = 0.1;
        double q[COORDINATES] = { 0.5, 0.5, 0.5 };
        sinew_Goal goal = sinew_goal_position(JOINTS - 1, sinew_vec3(3.5, 0.0, 0.5));
        (void)body_solve(solver, &options, &goal, 1, q);
        TEST_NEAR(q[0], 0.5 + 0.1 * 9.0, 1e-9);
        TEST_NEAR(q[1], 0.5, 1e-3);

        options.max_joint_change = INFINITY;
        goal.position = sinew_vec3(5.0, 0.0, 0.5);
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        TEST_NEAR(report.position_error, 1.0, 1e-3);
        TEST_TRUE(!report.branch_change);
        TEST_OK(
            sinew_solver_diagnose(solver, &options, &goal, 1, q, &report, diagnosis, NULL), NULL);
        const sinew_GoalDiagnosis *d = sinew_diagnosis_goal(diagnosis, 0);
        TEST_TRUE(!d->met && isinf(d->reach_margin));
        TEST_INT(d->blocker_count, 1);
        TEST_INT(d->blockers[0].kind, SINEW_BLOCKER_UPPER);
        TEST_NEAR(d->blockers[0].bound, 4.0, 0.0);
    }
    sinew_diagnosis_destroy(diagnosis);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

// A slide of a body with a ball is no branch of its own: going along with a goal that moves is not told as
// a change of branch, however large the body is.
static void test_slides_that_follow_are_told_as_such(void **state)
{
    (void)state;
    for (int i = 0; i < 40; ++i) {
        test_Random random = test_case(9302, i);
        double unit = pow(10.0, test_range(&random, -3.0, 4.0));
        sinew_Axis root[2] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)), sinew_axis_ball() };
        sinew_JointDef joints[2] = { sinew_joint_def_default(), sinew_joint_def_default() };
        joints[0].name = "root";
        joints[0].axes = root;
        joints[0].axis_count = 2;
        joints[1].name = "tip";
        joints[1].parent = 0;
        joints[1].offset = sinew_vec3(0.0, -unit, 0.0);
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, NULL), NULL);
        sinew_Solver *solver = body_solver(skeleton, 1);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        options.position_tolerance = 1e-6 * unit;
        double q[BODY_MAX_NUMBERS];
        sinew_pose_rest(skeleton, q);
        sinew_Goal goal = sinew_goal_position(1, sinew_vec3(0.0, -unit, 0.0));
        for (int frame = 0; frame < 20; ++frame) {
            goal.position.x += 0.02 * unit;
            sinew_Report r = body_solve(solver, &options, &goal, 1, q);
            TEST_INT(r.outcome, SINEW_OUTCOME_CONVERGED);
            TEST_TRUE(!r.branch_change);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

// three slides across each other and a hinge, which carries a tool that may be a point
static sinew_Skeleton *make_turning_gantry(double travel, double tool)
{
    sinew_Axis axes[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -INFINITY, INFINITY) };
    sinew_JointDef joints[2] = { sinew_joint_def_default(), sinew_joint_def_default() };
    for (int j = 0; j < 3; ++j) {
        axes[j].lower = -travel;
        axes[j].upper = travel;
    }
    joints[0].name = "hand";
    joints[0].axes = axes;
    joints[0].axis_count = 4;
    joints[1].name = "tool";
    joints[1].parent = 0;
    joints[1].offset = sinew_vec3(tool, 0.0, 0.0);
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

// What turns at the end of slides does not make them short: a goal within their travel is met by few steps,
// however short the tool and however far the goal, and the next one as if it were the first.
static void test_slides_that_carry_a_hinge_reach_as_far(void **state)
{
    (void)state;
    static const double travels[] = { 0.5, 20.0, 1e6, INFINITY };
    static const double tools[] = { 0.0, 1e-3, 0.01, 0.3 };
    static const sinew_Method methods[] = { SINEW_METHOD_AUTO, SINEW_METHOD_DAMPED,
        SINEW_METHOD_CCD };
    int most = 0;
    for (int i = 0; i < 240; ++i) {
        test_Random random = test_case(9303, i);
        double travel = travels[i % 4], far = fmin(0.8 * travel, test_int(&random, 2) ? 1.0 : 1e3);
        sinew_Skeleton *skeleton = make_turning_gantry(travel, tools[i / 4 % 4]);
        sinew_Solver *solver = body_solver(skeleton, 1), *fresh = body_solver(skeleton, 1);
        sinew_SolveOptions options = sinew_solve_options_default(methods[i / 16 % 3]);
        double q[5] = { 0.0 }, again[5] = { 0.0 };
        sinew_Goal goal = sinew_goal_position(1, test_vector(&random, far));
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        if (options.method == SINEW_METHOD_AUTO && report.iterations > most) {
            most = report.iterations;
        }
        goal.position = sinew_vec3_add(goal.position, sinew_vec3(0.0, 0.01, 0.0));
        memcpy(again, q, sizeof q);
        report = body_solve(solver, &options, &goal, 1, q);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        (void)body_solve(fresh, &options, &goal, 1, again);
        TEST_TRUE(memcmp(q, again, 4 * sizeof *q) == 0);
        sinew_solver_destroy(fresh);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    by the default method %d iterations at most\n", most);
    TEST_TRUE(most <= 20);
}

TEST_MAIN(cmocka_unit_test(test_slides_that_carry_a_hinge_reach_as_far),
    cmocka_unit_test(test_reach_is_the_travel),
    cmocka_unit_test(test_goals_are_met_and_missed_by_what_is_missing),
    cmocka_unit_test(test_change_and_diagnosis),
    cmocka_unit_test(test_slides_that_follow_are_told_as_such))
