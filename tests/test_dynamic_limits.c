// Limits that come and go, half and full Jacobians switched while moving, and orientation without
// orientation goals.

#include "auto_bodies.h"

#include "math/quat.h"
#include "solve/method.h"

#include <stdio.h>

static sinew_Solver *solver_of(const sinew_Skeleton *skeleton, int goals)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    def.max_goals = goals;
    sinew_Solver *solver = NULL;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    return solver;
}

// axis of the joint of that name that turns about a direction
static int axis_about(const sinew_Skeleton *skeleton, const char *joint, sinew_Vec3 direction)
{
    const sinew_Joint *j = &sinew_skeleton_joints(
        skeleton)[sinew_skeleton_find_joint(skeleton, joint)];
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        if (fabs(sinew_vec3_dot(sinew_skeleton_axes(skeleton)[a].direction, direction)) > 0.99) {
            return a;
        }
    }
    return -1;
}

/// MODE-6, LIM: a tightened range holds in every method from the next solve on, and goes away again.
static void test_ranges_come_and_go_mode6(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = solver_of(skeleton, 1);
    int axes = sinew_skeleton_axis_count(skeleton);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
    int beyond = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(313, i);
        int axis = test_int(&random, axes);
        const sinew_Axis *own = &sinew_skeleton_axes(skeleton)[axis];
        double a = test_range(&random, own->lower, own->upper),
               b = test_range(&random, own->lower, own->upper);
        double lower = fmin(a, b), upper = fmax(a, b);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        scene_Random poses = scene_random(test_bits(&random));
        scene_random_pose(scene, &poses, q);
        sinew_pose_forward(skeleton, q, world);
        int joint = scene->effectors[0].joint;
        sinew_Goal goal = sinew_goal_position(joint, world[joint].position);
        sinew_SolveOptions options = sinew_solve_options_default(
            (sinew_Method)test_int(&random, SINEW_METHOD_COUNT));
        options.max_iterations = 60;

        TEST_OK(sinew_solver_set_range(solver, axis, lower, upper), NULL);
        sinew_pose_middle(skeleton, q);
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, NULL), NULL);
        double value = q[places[axis].coordinate];
        TEST_TRUE(value >= lower && value <= upper);

        sinew_solver_reset_limits(solver);
        sinew_pose_middle(skeleton, q);
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, NULL), NULL);
        value = q[places[axis].coordinate];
        TEST_TRUE(value >= own->lower && value <= own->upper);
        beyond += value < lower || value > upper;
    }
    // without the tightened range many answers lie outside it, or nothing would have been tested
    TEST_TRUE(beyond > 200);
    TEST_INT(sinew_solver_set_range(solver, 0, 5.0, 6.0), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_solver_set_range(solver, 0, (double)NAN, 6.0), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_solver_set_range(solver, axes, 0.0, 0.1), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_solver_set_ball_limit(solver, 0, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// what an earlier solve left behind has no part in the next one
static void check_fresh(const sinew_Skeleton *skeleton, const sinew_SolveOptions *options,
    const sinew_Goal *goal, const double *start, const double *answer, const double *ranges,
    const sinew_Report *report)
{
    sinew_Solver *fresh = solver_of(skeleton, 1);
    for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
        if (sinew_skeleton_axes(skeleton)[a].kind == SINEW_AXIS_BALL) { continue; }
        TEST_OK(sinew_solver_set_range(fresh, a, ranges[2 * a], ranges[2 * a + 1]), NULL);
    }
    double q[BODY_MAX_NUMBERS];
    int count = sinew_skeleton_coordinate_count(skeleton);
    memcpy(q, start, (size_t)count * sizeof(double));
    sinew_Report second = body_solve(fresh, options, goal, 1, q);
    TEST_TRUE(body_same_bits(q, answer, count));
    TEST_TRUE(second.iterations == report->iterations && second.outcome == report->outcome);
    sinew_solver_destroy(fresh);
}

// Ranges that change each frame are taken over by the plan there is, and the answer is that of a solver
// that never knew others.
static void test_ranges_change_without_a_new_plan(void **state)
{
    (void)state;
    for (int i = 0; i < 60; ++i) {
        test_Random random = test_case(317, i);
        auto_Draft draft;
        auto_begin(&draft, &random, i % 2 == 0, true);
        draft.scale = 0.4;
        int joints = 3 + test_int(&random, 6), last = -1;
        for (int j = 0; j < joints; ++j) {
            bool branch = i % 3 == 0 && j > 1 && test_int(&random, 3) == 0;
            last = auto_joint(&draft, &random, branch ? draft.joints[last].parent : last,
                1 + test_int(&random, 2));
        }
        sinew_Skeleton *skeleton = auto_skeleton(&draft);
        sinew_Solver *solver = solver_of(skeleton, 1);
        const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
        sinew_Goal goal = sinew_goal_position(last, test_vector(&random, draft.scale));
        goal.kind = i % 4 == 0 ? SINEW_GOAL_POSE : SINEW_GOAL_POSITION;
        sinew_SolveOptions options = sinew_solve_options_default(
            i % 5 == 0 ? SINEW_METHOD_DAMPED : SINEW_METHOD_AUTO);
        options.max_iterations = 200;
        const snw_Plan *plan = &snw_solver_inside(solver)->plan;
        double q[BODY_MAX_NUMBERS], start[BODY_MAX_NUMBERS], ranges[2 * BODY_MAX_NUMBERS];
        for (int frame = 0; frame < 12; ++frame) {
            if (frame % 4 == 3) { sinew_solver_reset_limits(solver); }
            for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
                double low = fmax(axes[a].lower, -3.0);
                double high = fmin(axes[a].upper, 3.0);
                double x = test_range(&random, fmin(low, high), high), y = x;
                if (test_int(&random, 3)) { y = test_range(&random, x, fmax(x, high)); }
                bool own = frame % 4 == 3;
                ranges[2 * a] = own ? axes[a].lower : fmax(x, axes[a].lower);
                ranges[2 * a + 1] = own ? axes[a].upper : fmin(y, axes[a].upper);
                if (own) { continue; }
                TEST_OK(sinew_solver_set_range(solver, a, ranges[2 * a], ranges[2 * a + 1]), NULL);
            }
            // the same weights are no new ones
            TEST_OK(sinew_solver_set_mobility(solver, NULL), NULL);
            auto_pose(&random, skeleton, draft.scale, start);
            memcpy(q, start, sizeof q);
            goal.position = sinew_vec3_add(goal.position, test_vector(&random, 0.1 * draft.scale));
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            TEST_INT(plan->build_count, 1);
            check_fresh(skeleton, &options, &goal, start, q, ranges, &report);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

// largest angle between the foot, seen from above, and the way ahead, over some strides of the heel
static double largest_yaw(scene_Scene *scene, bool tight)
{
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = solver_of(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.rows = SINEW_ROWS_HALF;
    if (tight) {
        int twist = axis_about(skeleton, "Hip", sinew_vec3(0.0, 1.0, 0.0));
        TEST_TRUE(twist >= 0);
        TEST_OK(sinew_solver_set_range(solver, twist, -0.05, 0.05), NULL);
    }
    int heel = scene->effectors[body_effector(scene, "Heel")].joint;
    int toe = scene->effectors[body_effector(scene, "Toe")].joint;
    double q[BODY_MAX_NUMBERS], source[BODY_MAX_NUMBERS], worst = 0.0;
    sinew_Transform world[BODY_MAX_JOINTS];
    scene_pose_at(scene, 0.0, q);
    int frames = 100 * 30;
    double period = scene_motion_period(scene);
    for (int frame = 0; frame < frames; ++frame) {
        scene_pose_at(scene, period * frame / 30.0, source);
        sinew_pose_forward(skeleton, source, world);
        // the heel is pushed aside now and then, which a free femur answers by twisting
        sinew_Vec3 aside = { 0.02 * sin(0.37 * frame), 0.0, 0.0 };
        sinew_Goal goal = sinew_goal_position(heel, sinew_vec3_add(world[heel].position, aside));
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
        TEST_TRUE(report.position_error < 0.02);
        sinew_pose_forward(skeleton, q, world);
        sinew_Vec3 foot = sinew_vec3_sub(world[toe].position, world[heel].position);
        worst = fmax(worst, fabs(sinew_atan2(foot.x, foot.z)));
    }
    sinew_solver_destroy(solver);
    return worst;
}

/// MODE-6: with the femur's twist tightened the half Jacobian alone keeps the foot ahead, within 10
/// degrees over 100 strides.
static void test_foot_points_ahead_mode6(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    double tight = largest_yaw(scene, true), loose = largest_yaw(scene, false);
    printf("largest yaw of the foot: %.1f degrees with the twist tightened, %.1f without\n",
        tight * 180.0 / SINEW_PI, loose * 180.0 / SINEW_PI);
    TEST_TRUE(tight < 10.0 * SINEW_PI / 180.0);
    TEST_TRUE(loose > tight);
    scene_destroy(scene);
}

// largest angle between where the hand points and where it should, over a motion whose places are off by up to
// 4 mm: by half rows, ranges of forearm and wrist tightened about what the direction asks of them, or not
static double largest_hand_turn(scene_Scene *scene, bool tight, int *out_missed)
{
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = solver_of(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.rows = SINEW_ROWS_HALF;
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    int wrist = sinew_skeleton_find_joint(skeleton, "Wrist");
    int twist = axis_about(skeleton, "Shoulder", sinew_vec3(0.0, 1.0, 0.0));
    int grip = scene->effectors[body_effector(scene, "Grip")].joint;
    double q[BODY_MAX_NUMBERS], source[BODY_MAX_NUMBERS], worst = 0.0;
    *out_missed = 0;
    sinew_Transform world[BODY_MAX_JOINTS];
    double period = scene_motion_period(scene);
    scene_pose_at(scene, 0.0, q);
    for (int frame = 0; frame < 3000; ++frame) {
        scene_pose_at(scene, period * frame / 300.0, source);
        sinew_pose_forward(skeleton, source, world);
        sinew_Vec3 wanted = sinew_vec3_sub(world[grip].position, world[wrist].position);
        for (int i = 0; tight && i < 4; ++i) {
            int axis = i < 3 ? joints[wrist].axis_start + i : twist;
            double at = source[sinew_skeleton_axis_places(skeleton)[axis].coordinate];
            TEST_OK(sinew_solver_set_range(solver, axis, at - 0.05, at + 0.05), NULL);
        }
        sinew_Vec3 aside = { 0.003 * sin(0.37 * frame), 0.0, 0.003 * cos(0.23 * frame) };
        sinew_Goal goal = sinew_goal_position(grip, sinew_vec3_add(world[grip].position, aside));
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, NULL), NULL);
        *out_missed += report.position_error > 1e-3;
        sinew_pose_forward(skeleton, q, world);
        sinew_Vec3 found = sinew_vec3_sub(world[grip].position, world[wrist].position);
        double across = sinew_vec3_length(sinew_vec3_cross(wanted, found));
        worst = fmax(worst, sinew_atan2(across, sinew_vec3_dot(wanted, found)));
    }
    sinew_solver_destroy(solver);
    return worst;
}

/// FUT-1, MODE-6: with forearm and wrist tightened the half Jacobian alone keeps the direction of the hand within
/// 10 degrees, and the hand is met in every frame.
static void test_hand_points_as_asked_fut1(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    int missed, missed_loose;
    double tight = largest_hand_turn(scene, true, &missed);
    double loose = largest_hand_turn(scene, false, &missed_loose);
    printf("largest turn of the hand: %.1f degrees with the wrist tightened, %.1f without\n",
        tight * 180.0 / SINEW_PI, loose * 180.0 / SINEW_PI);
    TEST_TRUE(tight < 10.0 * SINEW_PI / 180.0);
    TEST_TRUE(loose > tight);
    TEST_INT(missed, 0);
    scene_destroy(scene);
}

/// MODE-1, MODE-2: half and full change from frame to frame on the same solver without a jump, and in
/// one solve a full and a half goal stand side by side.
static void test_half_and_full_switch_mode1_mode2(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = solver_of(skeleton, 2);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.position_tolerance = 1e-5;
    options.orientation_tolerance = 1e-4;
    int heel = scene->effectors[body_effector(scene, "Heel")].joint;
    int toe = scene->effectors[body_effector(scene, "Toe")].joint;
    double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS], source[BODY_MAX_NUMBERS];
    double fastest = 0.0, source_fastest = 0.0, step[BODY_MAX_NUMBERS], last[BODY_MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS];
    double period = scene_motion_period(scene);
    scene_pose_at(scene, 0.0, q);
    memcpy(last, q, sizeof last);
    for (int frame = 0; frame < 600; ++frame) {
        scene_pose_at(scene, period * frame / 120.0, source);
        sinew_pose_forward(skeleton, source, world);
        options.rows = (frame / 7) % 2 ? SINEW_ROWS_HALF : SINEW_ROWS_AS_GOALS;
        sinew_Goal goals[2] = { sinew_goal_pose(heel, world[heel].position, world[heel].rotation),
            sinew_goal_position(toe, world[toe].position) };
        memcpy(before, q, sizeof before);
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, &options, goals, 2, q, &report, NULL), NULL);
        TEST_TRUE(report.position_error < 1e-4);
        sinew_pose_difference(skeleton, before, q, step);
        for (int d = 0; d < sinew_skeleton_dof_count(skeleton); ++d) {
            fastest = fmax(fastest, fabs(step[d]));
        }
        sinew_pose_difference(skeleton, last, source, step);
        for (int d = 0; d < sinew_skeleton_dof_count(skeleton); ++d) {
            source_fastest = fmax(source_fastest, fabs(step[d]));
        }
        memcpy(last, source, sizeof last);
    }
    TEST_TRUE(fastest < 2.0 * source_fastest + 0.02);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// MODE-3: eight tips of a spider are followed with position rows alone, within a millimetre.
static void test_spider_walks_on_tips_mode3(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("SPIDER");
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = solver_of(skeleton, scene->effector_count);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.rows = SINEW_ROWS_HALF;
    double q[BODY_MAX_NUMBERS * 2], source[BODY_MAX_NUMBERS * 2], worst = 0.0;
    sinew_Transform world[BODY_MAX_JOINTS * 2];
    scene_pose_at(scene, 0.0, q);
    for (int frame = 0; frame < 400; ++frame) {
        scene_pose_at(scene, frame / 60.0, source);
        sinew_pose_forward(skeleton, source, world);
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        for (int e = 0; e < scene->effector_count; ++e) {
            int joint = scene->effectors[e].joint;
            goals[e] = sinew_goal_position(joint, world[joint].position);
        }
        sinew_Report report;
        TEST_OK(
            sinew_solver_solve(solver, &options, goals, scene->effector_count, q, &report, NULL),
            NULL);
        worst = fmax(worst, report.position_error);
    }
    printf("spider: worst tip error %.3f mm\n", 1e3 * worst);
    TEST_TRUE(worst <= 1e-3);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

static int ball_of(const sinew_Skeleton *skeleton, const char *joint)
{
    return sinew_skeleton_joints(skeleton)[sinew_skeleton_find_joint(skeleton, joint)].axis_start;
}

// LIM: a ball that no goal moves is told by where it stands and by the limit that holds now, solve by solve.
static void test_resting_balls_are_told(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("FIGURE1");
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = solver_of(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    int ball = ball_of(skeleton, "RightShoulder");
    int place = sinew_skeleton_axis_places(skeleton)[ball].coordinate;
    int hand = sinew_skeleton_find_joint(skeleton, "LeftHand");
    sinew_BallLimit *limits[2];
    for (int k = 0; k < 2; ++k) {
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        def.twist_upper = k == 0 ? 0.2 : 1.0;
        def.twist_lower = -def.twist_upper;
        TEST_OK(sinew_ball_limit_create(&def, NULL, &limits[k], NULL), NULL);
    }
    int inside = 0, outside = 0;
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(331, i / 2); // each pose twice
        double q[BODY_MAX_NUMBERS];
        sinew_pose_rest(skeleton, q);
        sinew_Quat turned = test_unit_quat(&random);
        double part = test_range(&random, 0.0, 1.0);
        turned = sinew_quat_slerp(sinew_quat_identity(), turned, part);
        snw_quat_store(turned, &q[place]);
        // changes between two looks at one pose, and between poses
        const sinew_BallLimit *limit = limits[i / 7 % 2];
        if (i % 7 == 0) { TEST_OK(sinew_solver_set_ball_limit(solver, ball, limit), NULL); }
        sinew_Goal goal = sinew_goal_position(hand, test_vector(&random, 0.5));
        goal.chain_root = sinew_skeleton_find_joint(skeleton, "LeftShoulder");
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        double expected = sinew_ball_limit_violation(limit, snw_quat_load(&q[place]));
        TEST_NEAR(report.limit_violation, expected, 1e-12);
        inside += expected == 0.0;
        outside += expected > 0.0;
    }
    TEST_TRUE(inside > 20 && outside > 20);
    sinew_solver_destroy(solver);
    for (int k = 0; k < 2; ++k) { sinew_ball_limit_destroy(limits[k]); }
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_resting_balls_are_told),
    cmocka_unit_test(test_ranges_come_and_go_mode6),
    cmocka_unit_test(test_ranges_change_without_a_new_plan),
    cmocka_unit_test(test_foot_points_ahead_mode6),
    cmocka_unit_test(test_hand_points_as_asked_fut1),
    cmocka_unit_test(test_half_and_full_switch_mode1_mode2),
    cmocka_unit_test(test_spider_walks_on_tips_mode3))
