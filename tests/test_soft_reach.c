// Soft reach: the curve, the reach that it is measured by, and legs pulled through full stretch.

#include "plan_rig.h"

#include "sinew/diagnosis.h"
#include "solve/reach.h"
#include "solve/soft_reach.h"

#include <stdio.h>

#define DEGREES (SINEW_PI / 180.0)

static void test_curve(void **state)
{
    (void)state;
    const double longest = 0.9, shares[] = { 0.005, 0.02, 0.05, 0.2 };
    for (int i = 0; i < 4; ++i) {
        double share = shares[i], h = 1e-6, last = -1.0, last_slope = 1.0, worst = 0.0;
        for (double d = 0.5 * longest; d < 1.8 * longest; d += 1e-4) {
            double eased = snw_soft_reach_distance(d, longest, share);
            double slope = (snw_soft_reach_distance(d + h, longest, share)
                               - snw_soft_reach_distance(d - h, longest, share))
                / (2.0 * h);
            TEST_TRUE(eased <= longest && eased <= d && eased >= last);
            TEST_TRUE(slope <= 1.0 + 1e-8 && slope <= last_slope + 1e-8);
            // C1: the slope falls by no more than its own rate, 3 / (4 share longest)
            worst = fmax(worst, last_slope - slope);
            if (d < (1.0 - share) * longest - 1e-12) { TEST_NEAR(eased, d, 0.0); }
            last = eased;
            last_slope = slope;
        }
        TEST_TRUE(worst <= 1.01 * 0.75 * 1e-4 / (share * longest) + 1e-8);
        TEST_NEAR(snw_soft_reach_distance(longest, longest, share),
            longest * (1.0 - 0.31640625 * share), 1e-12);
        TEST_NEAR(
            snw_soft_reach_distance(longest * (1.0 + 3.0 * share), longest, share), longest, 1e-12);
    }
    TEST_NEAR(snw_soft_reach_distance(0.7, longest, 0.0), 0.7, 0.0);
    TEST_NEAR(snw_soft_reach_distance(1.7, longest, 0.0), longest, 0.0);
}

// ---------------------------------------------------------------------------------------------
// A leg: hip (ball), knee (hinge about x, forward), ankle; the knee may stand out of line

typedef struct Leg {
    sinew_Skeleton *skeleton;
    sinew_Solver *solver;
    double q[BODY_MAX_NUMBERS];
} Leg;

static sinew_Skeleton *make_leg(double lower, double upper, double knee_forward, bool slides)
{
    sinew_Axis hip[2] = { sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_ball() };
    sinew_Axis knee = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), lower, upper);
    knee.rest = fmax(lower, fmin(upper, 0.5));
    sinew_JointDef joints[3];
    for (int j = 0; j < 3; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
    }
    joints[0].name = "Hip";
    joints[0].offset = sinew_vec3(0.1, 0.9, 0.0);
    joints[0].axes = slides ? hip : hip + 1;
    joints[0].axis_count = slides ? 2 : 1;
    joints[1].name = "Knee";
    joints[1].offset = sinew_vec3(0.01, -0.43, knee_forward);
    joints[1].axes = &knee;
    joints[1].axis_count = 1;
    joints[2].name = "Ankle";
    joints[2].offset = sinew_vec3(-0.02, -0.42, -knee_forward);
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

static void test_reach_is_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(4201, i);
        double lower = test_range(&random, -2.5, 2.0);
        double upper = lower + test_range(&random, 0.05, 2.5);
        sinew_Skeleton *skeleton = make_leg(lower, upper, test_range(&random, -0.1, 0.1), false);
        sinew_Goal goal = sinew_goal_position(2, sinew_vec3(0.0, 0.0, 0.0));
        rig_Rig rig;
        rig_init(&rig, skeleton, 1);
        double q[5], longest = 0.0, shortest = INFINITY;
        sinew_Transform world[3];
        sinew_pose_rest(skeleton, q);
        for (int k = 0; k <= 2000; ++k) {
            q[4] = lower + (upper - lower) * k / 2000.0;
            sinew_pose_forward(skeleton, q, world);
            double distance = sinew_vec3_distance(world[0].position, world[2].position);
            longest = fmax(longest, distance);
            shortest = fmin(shortest, distance);
        }
        body_random_pose(&random, skeleton, 1.0, q);
        q[4] = test_range(&random, lower, upper);
        rig_set(&rig, &goal, 1, q, false);
        snw_Reach reach = snw_reach(&rig.plan, &rig.state, 0, true);
        TEST_TRUE(reach.known);
        TEST_INT(reach.inner_count, 1);
        // sampling misses an inner extremum by less than its curvature times the spacing squared
        TEST_NEAR(reach.longest, longest, 1e-6);
        // and by more where the leg folds to almost nothing
        TEST_NEAR(reach.shortest, shortest, 1e-5);
        TEST_TRUE(reach.longest >= longest - 1e-12 && reach.shortest <= shortest + 1e-12);
        rig_free(&rig);
        sinew_skeleton_destroy(skeleton);
    }
}

static double distance_to_hip(const sinew_Skeleton *skeleton, const double *q)
{
    sinew_Transform world[3];
    sinew_pose_forward(skeleton, q, world);
    return sinew_vec3_distance(world[0].position, world[2].position);
}

// the largest speed and change of speed of the knee, and the largest error before full stretch, of an
// ankle that leaves at one metre a second, 240 frames a second
typedef struct Pull {
    double speed, acceleration, error;
} Pull;

static Pull pull(sinew_Skeleton *skeleton, sinew_Method method, double share, double longest)
{
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(method);
    options.soft_reach = share;
    options.position_tolerance = 1e-7;
    options.max_iterations = 1000;
    Pull most = { 0.0, 0.0, 0.0 };
    double q[BODY_MAX_NUMBERS], last = 0.0, last_speed = 0.0;
    const double step = 1.0 / 240.0;
    sinew_pose_rest(skeleton, q);
    sinew_Transform world[3];
    sinew_pose_forward(skeleton, q, world);
    int frame = 0;
    for (double d = 0.7 * longest; d < 1.5 * longest; d += step, ++frame) {
        sinew_Vec3 place = sinew_vec3_add(world[0].position, sinew_vec3(0.0, -0.8 * d, 0.6 * d));
        sinew_Goal goal = sinew_goal_position(2, place);
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        double stretched = distance_to_hip(skeleton, q);
        TEST_TRUE(stretched <= longest + 1e-9);

        // what is told is the true miss, and soft reach is to blame for what it says
        sinew_Transform there[3];
        sinew_pose_forward(skeleton, q, there);
        double miss = sinew_vec3_distance(there[2].position, place);
        TEST_NEAR(report.position_error, miss, 1e-12);
        TEST_NEAR(sinew_solver_goal_results(solver)[0].position_error, miss, 1e-12);
        double cost = fmin(d, longest) - snw_soft_reach_distance(d, longest, share);
        TEST_NEAR(report.eased_distance, share > 0.0 ? cost : 0.0, 1e-9);
        if (share > 0.0) {
            bool within = d <= longest + options.position_tolerance;
            TEST_INT(report.outcome, within ? SINEW_OUTCOME_CONVERGED : SINEW_OUTCOME_STALLED);
            TEST_NEAR(miss - fmax(0.0, d - longest), cost, 2e-7);
        }
        if (d <= longest) { most.error = fmax(most.error, miss); }
        double knee = q[sinew_skeleton_coordinate_count(skeleton) - 1];
        double speed = (knee - last) / step;
        if (frame > 0) { most.speed = fmax(most.speed, fabs(speed)); }
        if (frame > 1) {
            most.acceleration = fmax(most.acceleration, fabs(speed - last_speed) / step);
        }
        last = knee;
        last_speed = speed;
    }
    sinew_solver_destroy(solver);
    return most;
}

static void test_pulled_leg(void **state)
{
    (void)state;
    const double shares[] = { 0.0, 0.01, 0.02, 0.04 };
    const double forward[] = { 0.0, 0.04 };
    for (int kind = 0; kind < 3; ++kind) {
        // in line, the knee standing out by 4 cm, and stopped at 5 degrees by its limit
        double lower = kind == 2 ? 5.0 * DEGREES : 0.0;
        sinew_Skeleton *skeleton = make_leg(lower, 2.6, kind == 1 ? forward[1] : forward[0], false);
        double longest = 0.0, q[5];
        sinew_pose_rest(skeleton, q);
        for (int k = 0; k <= 20000; ++k) {
            q[4] = lower + (2.6 - lower) * k / 20000.0;
            longest = fmax(longest, distance_to_hip(skeleton, q));
        }
        Pull plain = { 0.0, 0.0, 0.0 };
        for (int m = 0; m < 8; ++m) {
            int s = m % 4;
            sinew_Method method = m < 4 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED;
            Pull most = pull(skeleton, method, shares[s], longest);
            print_message(
                "knee %d, %s, share %.2f: at most %.1f rad/s, %.0f rad/s^2, off by %.2f mm\n", kind,
                sinew_method_name(method), shares[s], most.speed, most.acceleration,
                1e3 * most.error);
            if (s == 0) {
                plain = most;
                continue;
            }
            TEST_TRUE(most.speed < 0.8 * plain.speed);
            TEST_TRUE(most.acceleration < 0.25 * plain.acceleration);
            TEST_TRUE(most.error <= 0.3165 * shares[s] * longest + 1e-6);
        }
        sinew_skeleton_destroy(skeleton);
    }
}

static void test_goals_it_leaves_alone(void **state)
{
    (void)state;
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.soft_reach = 0.02;
    double q[BODY_MAX_NUMBERS];

    // a hip that slides has no end of its reach
    sinew_Skeleton *skeleton = make_leg(0.0, 2.6, 0.0, true);
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_pose_rest(skeleton, q);
    sinew_Goal goal = sinew_goal_position(2, sinew_vec3(0.1, -0.2, 0.0));
    sinew_Report report = body_solve(solver, &options, &goal, 1, q);
    TEST_NEAR(report.eased_distance, 0.0, 0.0);
    TEST_TRUE(report.position_error <= options.position_tolerance);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);

    // nor has a goal well inside anything to ease: the same bits
    skeleton = make_leg(0.0, 2.6, 0.0, false);
    solver = body_solver(skeleton, 1);
    double plain[BODY_MAX_NUMBERS];
    goal.position = sinew_vec3(0.2, 0.3, 0.2);
    sinew_pose_rest(skeleton, q);
    sinew_pose_rest(skeleton, plain);
    report = body_solve(solver, &options, &goal, 1, q);
    TEST_NEAR(report.eased_distance, 0.0, 0.0);
    options.soft_reach = 0.0;
    (void)body_solve(solver, &options, &goal, 1, plain);
    TEST_TRUE(body_same_bits(q, plain, 5));

    options.soft_reach = 0.3;
    sinew_Message message = { "" };
    TEST_INT(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    assert_string_equal(message.text, "options.soft_reach is 0.3, want 0..0.2");
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

// a leg of hinges alone, which some methods lay out in their own way
static void test_every_method(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    int joint = sinew_skeleton_find_joint(scene->skeleton, "Ankle");
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_pose_rest(scene->skeleton, q);
        sinew_pose_forward(scene->skeleton, q, world);
        int hip = sinew_skeleton_find_joint(scene->skeleton, "Hip");
        TEST_TRUE(hip >= 0);
        double length = sinew_skeleton_chain_length(scene->skeleton, hip, joint);
        sinew_Vec3 place = sinew_vec3_add(
            world[hip].position, sinew_vec3(0.0, -0.9 * length, 0.43 * length));
        sinew_Goal goal = sinew_goal_position(joint, place);
        sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
        options.soft_reach = 0.05;
        options.restarts = 4;
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        sinew_pose_forward(scene->skeleton, q, world);
        double miss = sinew_vec3_distance(world[joint].position, place);
        print_message("%s: eased by %.2f mm, off by %.2f mm\n", sinew_method_name((sinew_Method)m),
            1e3 * report.eased_distance, 1e3 * miss);
        TEST_TRUE(report.eased_distance > 1e-3);
        TEST_NEAR(report.position_error, miss, 1e-9);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_TRUE(fabs(miss - report.eased_distance) <= options.position_tolerance + 1e-9);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

static void test_diagnosis_names_it(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_leg(0.0, 2.6, 0.0, false);
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_Diagnosis *diagnosis = NULL;
    TEST_OK(sinew_diagnosis_create(skeleton, 1, NULL, &diagnosis, NULL), NULL);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.soft_reach = 0.04;
    double q[5];
    sinew_pose_rest(skeleton, q);
    sinew_Goal goal = sinew_goal_position(2, sinew_vec3(0.1, 0.055, 0.0));
    sinew_Report report = body_solve(solver, &options, &goal, 1, q);
    TEST_OK(sinew_solver_diagnose(solver, &options, &goal, 1, q, &report, diagnosis, NULL), NULL);
    const sinew_GoalDiagnosis *found = sinew_diagnosis_goal(diagnosis, 0);
    TEST_INT(found->blockers[0].kind, SINEW_BLOCKER_SOFT_REACH);
    TEST_NEAR(found->blockers[0].amount, report.eased_distance, 0.0);
    TEST_NEAR(sinew_solver_goal_results(solver)[0].eased_distance, report.eased_distance, 0.0);
    char text[200];
    sinew_diagnosis_cause_text(diagnosis, 0, NULL, text, sizeof text);
    print_message("%s\n", text);
    TEST_TRUE(strstr(text, "eased by ") == text);
    sinew_diagnosis_destroy(diagnosis);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

// One bone is as long as it is: there is nothing to bend, so a goal at its end is not eased.
static void test_a_single_bone_is_not_eased(void **state)
{
    (void)state;
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[2];
    for (int j = 0; j < 2; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
    }
    joints[0].axes = &ball;
    joints[0].axis_count = 1;
    joints[1].offset = sinew_vec3(0.0, 0.5, 0.0);
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, NULL), NULL);
    sinew_Solver *solver = body_solver(skeleton, 1);
    for (int i = 0; i < 100; ++i) {
        test_Random random = test_case(4210, i);
        double q[BODY_MAX_NUMBERS];
        sinew_pose_rest(skeleton, q);
        sinew_Goal goal = sinew_goal_position(1, sinew_vec3_scale(test_unit_vector(&random), 0.5));
        sinew_SolveOptions options = sinew_solve_options_default(
            i % 2 == 0 ? SINEW_METHOD_AUTO : SINEW_METHOD_DAMPED);
        options.soft_reach = 0.05;
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        TEST_NEAR(report.eased_distance, 0.0, 0.0);
        TEST_TRUE(report.position_error <= options.position_tolerance);
    }
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_a_single_bone_is_not_eased), cmocka_unit_test(test_curve),
    cmocka_unit_test(test_reach_is_exact), cmocka_unit_test(test_pulled_leg),
    cmocka_unit_test(test_goals_it_leaves_alone), cmocka_unit_test(test_every_method),
    cmocka_unit_test(test_diagnosis_names_it))
