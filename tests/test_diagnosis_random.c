// Diagnoses of random problems: limits of balls are really taken away, and any body, goals and options
// leave the solver as it was.

#include "bodies.h"
#include "limit_shapes.h"

#include "sinew/diagnosis.h"

// ---------------------------------------------------------------------------------------------
// A human arm of balls

typedef struct Arm {
    sinew_Axis shoulder, elbow, wrist;
    sinew_JointDef joints[4];
} Arm;

static void lay_out(Arm *arm, const sinew_BallLimit *shoulder, const sinew_BallLimit *wrist)
{
    arm->shoulder = sinew_axis_ball();
    arm->shoulder.limit = shoulder;
    arm->elbow = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), 0.0, 2.5);
    arm->elbow.rest = 0.6;
    arm->wrist = sinew_axis_ball();
    arm->wrist.limit = wrist;
    sinew_Axis *axes[4] = { &arm->shoulder, &arm->elbow, &arm->wrist, NULL };
    const char *const names[4] = { "Shoulder", "Elbow", "Wrist", "Fist" };
    for (int j = 0; j < 4; ++j) {
        arm->joints[j] = sinew_joint_def_default();
        arm->joints[j].name = names[j];
        arm->joints[j].parent = j - 1;
        arm->joints[j].offset = sinew_vec3(j == 0 ? 0.0 : j == 3 ? 0.1 : 0.3, 0.0, 0.0);
        arm->joints[j].axes = axes[j];
        arm->joints[j].axis_count = axes[j] != NULL ? 1 : 0;
    }
}

static sinew_Skeleton *make_skeleton(const Arm *arm)
{
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(arm->joints, 4, NULL, &skeleton, NULL), NULL);
    return skeleton;
}

// the same limit without its windows or without its twist range
static sinew_BallLimit *without(const sinew_BallLimit *limit, bool swing)
{
    sinew_BallLimitDef def = *sinew_ball_limit_def(limit);
    if (swing) {
        def.windows = NULL;
        def.window_count = 0;
        def.star = false;
    } else {
        def.twist_lower = -INFINITY;
        def.twist_upper = INFINITY;
    }
    return shape_create(&def);
}

static double size_of(const sinew_Solver *solver, const sinew_SolveOptions *o, double length)
{
    const sinew_GoalResult *result = sinew_solver_goal_results(solver);
    double p = result->position_error, r = result->orientation_error;
    p = p > o->position_tolerance ? p : 0.0;
    r = r > o->orientation_tolerance ? r * length : 0.0;
    return sqrt(p * p + r * r);
}

// error that is left when a limit is not there, on a skeleton made without it
static double size_without(const sinew_Blocker *blocker, const sinew_BallLimit *shoulder,
    const sinew_BallLimit *wrist, const sinew_SolveOptions *options, const sinew_Goal *goal,
    const double *from, double length)
{
    Arm arm;
    bool swing = blocker->kind == SINEW_BLOCKER_SWING;
    sinew_BallLimit *released = NULL;
    if (blocker->axis == 0) { released = without(shoulder, swing); }
    if (blocker->axis == 2) { released = without(wrist, swing); }
    lay_out(&arm, blocker->axis == 0 ? released : shoulder, blocker->axis == 2 ? released : wrist);
    if (blocker->kind == SINEW_BLOCKER_LOWER) { arm.elbow.lower = -INFINITY; }
    if (blocker->kind == SINEW_BLOCKER_UPPER) { arm.elbow.upper = INFINITY; }
    sinew_Skeleton *skeleton = make_skeleton(&arm);
    sinew_Solver *solver = body_solver(skeleton, 1);
    double q[9];
    memcpy(q, from, sizeof q);
    (void)body_solve(solver, options, goal, 1, q);
    double size = size_of(solver, options, length);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
    sinew_ball_limit_destroy(released);
    return size;
}

static bool is_limit(const sinew_Blocker *blocker)
{
    return blocker->kind <= SINEW_BLOCKER_TWIST_UPPER && !blocker->together;
}

static void test_limits_of_balls(void **state)
{
    (void)state;
    sinew_BallLimit *shapes[SHAPE_COUNT];
    shape_all(shapes);
    const sinew_BallLimit *shoulder = shapes[SHAPE_SHOULDER], *wrist = shapes[SHAPE_WRIST];
    Arm arm;
    lay_out(&arm, shoulder, wrist);
    sinew_Skeleton *skeleton = make_skeleton(&arm);
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_Diagnosis *diagnosis = NULL;
    TEST_OK(sinew_diagnosis_create(skeleton, 1, NULL, &diagnosis, NULL), NULL);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    options.restarts = 4;
    int unmet = 0, limits = 0, kinds[3] = { 0, 0, 0 }, right = 0, unexplained = 0;
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(4301, i);
        double distance = test_range(&random, 0.15, 0.62);
        sinew_Vec3 place = sinew_vec3_scale(test_unit_vector(&random), distance);
        sinew_Goal goal = sinew_goal_pose(3, place, test_unit_quat(&random));
        double q[9];
        sinew_pose_rest(skeleton, q);
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        if (report.outcome == SINEW_OUTCOME_CONVERGED) { continue; }
        TEST_OK(
            sinew_solver_diagnose(solver, &options, &goal, 1, q, &report, diagnosis, NULL), NULL);
        const sinew_GoalDiagnosis *found = sinew_diagnosis_goal(diagnosis, 0);
        ++unmet;
        unexplained += found->blocker_count == 0 ? 1 : 0;
        // every limit that is blamed, not the first alone
        for (int b = 0; b < found->blocker_count; ++b) {
            const sinew_Blocker *blocker = &found->blockers[b];
            if (!is_limit(blocker)) { continue; }
            ++limits;
            ++kinds[blocker->kind == SINEW_BLOCKER_SWING         ? 0
                    : blocker->kind >= SINEW_BLOCKER_TWIST_LOWER ? 1
                                                                 : 2];
            double length = 0.7 / 3.0, before = size_of(solver, &options, length);
            sinew_SolveOptions once = options;
            once.restarts = 0;
            double after = size_without(blocker, shoulder, wrist, &once, &goal, q, length);
            right += 1.0 - after / before > 0.8 * blocker->gain - 0.02 ? 1 : 0;
        }
    }
    print_message(
        "%d goals unmet, %d unexplained; %d limits blamed: %d swings, %d twists, %d ranges; "
        "without them the error falls as told in %d\n",
        unmet, unexplained, limits, kinds[0], kinds[1], kinds[2], right);
    TEST_TRUE(unmet > 100 && kinds[0] > 30 && kinds[1] > 30 && kinds[2] > 3);
    TEST_TRUE(right >= limits * 95 / 100);
    TEST_TRUE(unexplained <= unmet / 20);
    sinew_diagnosis_destroy(diagnosis);
    sinew_solver_destroy(solver);
    sinew_skeleton_destroy(skeleton);
    shape_destroy_all(shapes);
}

// ---------------------------------------------------------------------------------------------
// Anything at all

static void check_goal(const sinew_Diagnosis *diagnosis, const sinew_Skeleton *skeleton, int g)
{
    const sinew_GoalDiagnosis *goal = sinew_diagnosis_goal(diagnosis, g);
    TEST_TRUE(goal->blocker_count >= 0 && goal->blocker_count <= SINEW_MAX_BLOCKERS);
    TEST_TRUE(!goal->met || goal->blocker_count == 0);
    TEST_TRUE(!isnan(goal->reach_margin) && isfinite(goal->largest_singular));
    TEST_TRUE(goal->smallest_singular >= 0.0 && goal->smallest_singular <= goal->largest_singular);
    for (int b = 0; b < goal->blocker_count; ++b) {
        const sinew_Blocker *blocker = &goal->blockers[b];
        TEST_TRUE(blocker->gain >= SINEW_SMALLEST_GAIN && blocker->gain <= 1.0);
        if (b > 0) { TEST_TRUE(blocker->gain <= blocker[-1].gain + 0.011 * SINEW_MAX_BLOCKERS); }
        TEST_TRUE(isfinite(blocker->bound) && isfinite(blocker->amount));
        TEST_TRUE(blocker->joint < sinew_skeleton_joint_count(skeleton));
        TEST_TRUE((blocker->axis >= 0) == (blocker->joint >= 0));
        TEST_TRUE(blocker->goal != g);
    }
    char text[1024], cut[24];
    size_t length = sinew_diagnosis_text(diagnosis, g, NULL, text, sizeof text);
    TEST_INT((long long)length, (long long)strlen(text));
    TEST_INT(
        (long long)sinew_diagnosis_text(diagnosis, g, NULL, cut, sizeof cut), (long long)length);
    TEST_TRUE(strlen(cut) < sizeof cut && strncmp(cut, text, strlen(cut)) == 0);
    TEST_TRUE(length >= sizeof cut || strlen(cut) == length);
    TEST_INT((long long)sinew_diagnosis_text(diagnosis, g, NULL, NULL, 0), (long long)length);
    (void)sinew_diagnosis_conditioning_text(diagnosis, g, text, sizeof text);
}

static void test_random_bodies(void **state)
{
    (void)state;
    enum { GOALS = 4 };
    int unmet = 0, explained = 0;
    for (int i = 0; i < 300; ++i) {
        test_Random random = test_case(4302, i);
        int joint_count = 1 + test_int(&random, 20);
        sinew_Skeleton *skeleton = body_random(&random, joint_count, BODY_EVERYTHING);
        test_Memory memory;
        test_memory_init(&memory);
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = skeleton;
        def.allocator = memory.allocator;
        sinew_Solver *solver = NULL, *other = body_solver(skeleton, 8);
        sinew_Diagnosis *diagnosis = NULL;
        TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
        TEST_OK(sinew_diagnosis_create(skeleton, GOALS, &memory.allocator, &diagnosis, NULL), NULL);
        long allocs = memory.alloc_count;

        double mobility[BODY_MAX_NUMBERS], q[BODY_MAX_NUMBERS], kept[BODY_MAX_NUMBERS];
        for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
            mobility[a] = test_int(&random, 6) == 0 ? 0.0 : 1.0;
        }
        TEST_OK(sinew_solver_set_mobility(solver, mobility), NULL);
        TEST_OK(sinew_solver_set_mobility(other, mobility), NULL);
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 1.5, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_Goal goals[GOALS];
        int count = 1 + test_int(&random, GOALS);
        for (int g = 0; g < count; ++g) {
            goals[g] = body_random_goal(&random, skeleton, world, true);
            goals[g].position = sinew_vec3_add(goals[g].position, test_vector(&random, 0.5));
            if (test_int(&random, 8) == 0) { goals[g].position_weight = 0.0; }
        }
        sinew_SolveOptions options = sinew_solve_options_default(
            (sinew_Method)test_int(&random, SINEW_METHOD_COUNT));
        options.restarts = test_int(&random, 2);
        options.rest_weight = test_int(&random, 3) == 0 ? 1e-3 : 0.0;
        options.soft_reach = test_int(&random, 3) == 0 ? 0.03 : 0.0;
        options.max_iterations = test_int(&random, 3) == 0 ? 3 : options.max_iterations;

        sinew_pose_rest(skeleton, q);
        sinew_Report report = body_solve(solver, &options, goals, count, q);
        int coordinates = sinew_skeleton_coordinate_count(skeleton);
        memcpy(kept, q, (size_t)coordinates * sizeof *q);
        sinew_GoalResult results[GOALS];
        memcpy(results, sinew_solver_goal_results(solver), (size_t)count * sizeof *results);
        sinew_Message message = { "" };
        TEST_OK(
            sinew_solver_diagnose(solver, &options, goals, count, q, &report, diagnosis, &message),
            &message);
        TEST_TRUE(body_same_bits(q, kept, coordinates));
        TEST_INT(sinew_diagnosis_goal_count(diagnosis), count);
        int misses = 0;
        for (int g = 0; g < count; ++g) {
            check_goal(diagnosis, skeleton, g);
            const sinew_GoalResult *after = &sinew_solver_goal_results(solver)[g];
            TEST_NEAR(after->position_error, results[g].position_error, 1e-9);
            TEST_NEAR(after->orientation_error, results[g].orientation_error, 1e-7);
            TEST_NEAR(after->eased_distance, results[g].eased_distance, 1e-9);
            const sinew_GoalDiagnosis *found = sinew_diagnosis_goal(diagnosis, g);
            misses += found->met ? 0 : 1;
            explained += found->blocker_count > 0 ? 1 : 0;
        }
        TEST_INT(sinew_diagnosis_unmet_count(diagnosis), misses);
        unmet += misses;
        double pressure = INFINITY;
        for (int l = 0; l < sinew_diagnosis_limit_count(diagnosis); ++l) {
            const sinew_HeldLimit *limit = &sinew_diagnosis_limits(diagnosis)[l];
            TEST_TRUE(limit->pressure >= 0.0 && limit->pressure <= pressure);
            pressure = limit->pressure;
        }

        // the same once more
        double gains[GOALS];
        for (int g = 0; g < count; ++g) {
            gains[g] = sinew_diagnosis_goal(diagnosis, g)->blockers[0].gain;
        }
        TEST_OK(
            sinew_solver_diagnose(solver, &options, goals, count, q, &report, diagnosis, &message),
            &message);
        for (int g = 0; g < count; ++g) {
            TEST_NEAR(sinew_diagnosis_goal(diagnosis, g)->blockers[0].gain, gains[g], 0.0);
        }

        // the next solve is that of a solver that was never asked
        double again[BODY_MAX_NUMBERS];
        sinew_pose_rest(skeleton, q);
        sinew_pose_rest(skeleton, again);
        (void)body_solve(solver, &options, goals, count, q);
        (void)body_solve(other, &options, goals, count, again);
        TEST_TRUE(body_same_bits(q, again, coordinates));
        TEST_INT(memory.alloc_count, allocs);
        sinew_diagnosis_destroy(diagnosis);
        sinew_solver_destroy(solver);
        sinew_solver_destroy(other);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("%d of %d unmet goals have a cause\n", explained, unmet);
    TEST_TRUE(unmet > 100 && explained >= unmet * 95 / 100);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG"), *other = body_scene("ARM");
    sinew_Solver *solver = body_solver(scene->skeleton, 4);
    sinew_Diagnosis *diagnosis = NULL, *foreign = NULL;
    sinew_Message message = { "" };
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    TEST_INT(sinew_diagnosis_create(NULL, 1, NULL, &diagnosis, &message), bad);
    TEST_INT(sinew_diagnosis_create(scene->skeleton, 0, NULL, &diagnosis, &message), bad);
    assert_string_equal(message.text, "max_goals is 0, want 1..100000");
    test_Memory memory;
    test_memory_init(&memory);
    memory.fail_at = 1;
    TEST_INT(sinew_diagnosis_create(scene->skeleton, 1, &memory.allocator, &diagnosis, &message),
        SINEW_STATUS_OUT_OF_MEMORY);
    assert_null(diagnosis);
    TEST_OK(sinew_diagnosis_create(scene->skeleton, 1, NULL, &diagnosis, NULL), NULL);
    TEST_OK(sinew_diagnosis_create(other->skeleton, 1, NULL, &foreign, NULL), NULL);

    double q[BODY_MAX_NUMBERS];
    sinew_pose_rest(scene->skeleton, q);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
    sinew_Goal goals[2] = { sinew_goal_position(3, sinew_vec3(0.0, 0.0, 0.0)),
        sinew_goal_position(3, sinew_vec3(0.0, 0.0, NAN)) };
    TEST_INT(sinew_solver_diagnose(solver, &options, goals, 1, q, NULL, foreign, &message), bad);
    assert_string_equal(message.text, "the diagnosis was made for another skeleton");
    TEST_INT(sinew_solver_diagnose(solver, &options, goals, 2, q, NULL, diagnosis, &message),
        SINEW_STATUS_CAPACITY);
    TEST_INT(
        sinew_solver_diagnose(solver, &options, goals + 1, 1, q, NULL, diagnosis, &message), bad);
    TEST_TRUE(strstr(message.text, "goals[0].position") != NULL);
    TEST_INT(sinew_solver_diagnose(solver, &options, goals, 1, q, NULL, NULL, &message), bad);
    options.position_tolerance = -1.0;
    TEST_INT(sinew_solver_diagnose(solver, &options, goals, 1, q, NULL, diagnosis, &message), bad);
    TEST_TRUE(strstr(message.text, "options.position_tolerance") != NULL);
    sinew_diagnosis_destroy(diagnosis);
    sinew_diagnosis_destroy(foreign);
    sinew_diagnosis_destroy(NULL);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
    scene_destroy(other);
}

TEST_MAIN(cmocka_unit_test(test_limits_of_balls), cmocka_unit_test(test_random_bodies),
    cmocka_unit_test(test_wrong_arguments))
