// What must never happen: NaN, crashes, allocations while solving, leaks, changed poses on errors,
// results that depend on where the body stands or on which thread solves.

#include "bodies.h"

#include <pthread.h>

#define MAX_NUMBERS 256

static const sinew_Method methods[5] = { SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_TRANSPOSE,
    SINEW_METHOD_DAMPED, SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_METHOD_AUTO };

static void check_finite(const double *q, int count)
{
    for (int k = 0; k < count; ++k) { TEST_TRUE(isfinite(q[k])); }
}

// ---------------------------------------------------------------------------------------------
// Broken rules

typedef struct Refusal {
    scene_Scene *scene;
    sinew_Solver *solver;
    double q[MAX_NUMBERS], before[MAX_NUMBERS];
    sinew_Goal goals[4];
    sinew_SolveOptions options;
    int goal_count;
} Refusal;

static void set_valid(Refusal *r)
{
    sinew_pose_middle(r->scene->skeleton, r->q);
    sinew_Goal goals[SCENE_MAX_EFFECTORS];
    body_scene_goals(r->scene, r->q, goals);
    r->goals[0] = goals[0];
    r->goals[1] = sinew_goal_pose(goals[1].joint, goals[1].position, sinew_quat_identity());
    r->goal_count = 2;
    r->options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    r->options.max_iterations = 3;
}

// the call must be refused with this status and word in its message, and leave the pose alone
static void expect_refusal(Refusal *r, sinew_Status expected, const char *word)
{
    memcpy(r->before, r->q, sizeof r->q);
    sinew_Report report;
    memset(&report, 0x5a, sizeof report);
    sinew_Message message = { "" };
    sinew_Status status = sinew_solver_solve(
        r->solver, &r->options, r->goals, r->goal_count, r->q, &report, &message);
    if (status != expected || strstr(message.text, word) == NULL) {
        print_error("status %s, message '%s', wanted %s with '%s'\n", sinew_status_text(status),
            message.text, sinew_status_text(expected), word);
        fail();
    }
    TEST_TRUE(memcmp(r->before, r->q, sizeof r->q) == 0);
    // the solver still works, and the message may be left out
    TEST_INT(sinew_solver_solve(r->solver, &r->options, r->goals, r->goal_count, r->q, NULL, NULL),
        expected);
    set_valid(r);
    TEST_OK(
        sinew_solver_solve(r->solver, &r->options, r->goals, r->goal_count, r->q, NULL, &message),
        &message);
    set_valid(r);
}

/// Goals, poses and options that break a rule are refused with the field's name; the pose keeps its
/// bits.
static void test_broken_rules(void **state)
{
    (void)state;
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    static Refusal r;
    r.scene = body_scene("BODY11");
    r.solver = body_solver(r.scene->skeleton, 3);
    int joints = sinew_skeleton_joint_count(r.scene->skeleton);
    static const double wrong[3] = { NAN, INFINITY, -INFINITY };
    set_valid(&r);
    for (int k = 0; k < 3; ++k) {
        r.goals[0].position.x = wrong[k];
        expect_refusal(&r, bad, "goals[0].position");
        r.goals[1].position.z = wrong[k];
        expect_refusal(&r, bad, "goals[1].position");
        r.goals[1].orientation.w = wrong[k];
        expect_refusal(&r, bad, "goals[1].orientation");
        r.goals[1].position_weight = wrong[k];
        expect_refusal(&r, bad, "goals[1]: weights");
        r.goals[1].orientation_weight = wrong[k];
        expect_refusal(&r, bad, "goals[1]: weights");
        r.goals[0].joint_from_effector.position.y = wrong[k];
        expect_refusal(&r, bad, "goals[0].joint_from_effector");
        r.goals[0].joint_from_effector.rotation.y = wrong[k];
        expect_refusal(&r, bad, "goals[0].joint_from_effector");
        for (int c = 0; c < sinew_skeleton_coordinate_count(r.scene->skeleton); ++c) {
            char name[64];
            sinew_skeleton_coordinate_name(r.scene->skeleton, c, name, sizeof name);
            // any number of a ball makes the whole quaternion wrong
            char *dot = strchr(name, '.');
            if (dot != NULL && dot[1] == 'q') { dot[1] = '\0'; }
            r.q[c] = wrong[k];
            expect_refusal(&r, bad, name);
        }
    }
    r.goals[0].position.x = 1e12;
    expect_refusal(&r, bad, "m away");
    r.goals[1].orientation = (sinew_Quat){ 0.0, 0.0, 0.0, 0.0 };
    expect_refusal(&r, bad, "goals[1].orientation");
    r.goals[1].orientation.w = 1.1;
    expect_refusal(&r, bad, "goals[1].orientation");
    r.goals[1].joint = -1;
    expect_refusal(&r, bad, "goals[1].joint");
    r.goals[1].joint = joints;
    expect_refusal(&r, bad, "goals[1].joint");
    r.goals[1].kind = (sinew_GoalKind)SINEW_GOAL_KIND_COUNT;
    expect_refusal(&r, bad, "goals[1].kind");
    r.goals[0].chain_root = -2;
    expect_refusal(&r, bad, "goals[0].chain_root");
    r.goals[0].chain_root = joints;
    expect_refusal(&r, bad, "goals[0].chain_root");
    // the other hand is no ancestor
    r.goals[0].chain_root = r.goals[1].joint;
    expect_refusal(&r, bad, "goals[0].chain_root");
    r.goals[0].position_weight = -1.0;
    expect_refusal(&r, bad, "weights");
    r.goals[0].kind = SINEW_GOAL_ORIENTATION;
    r.options.rows = SINEW_ROWS_HALF;
    expect_refusal(&r, bad, "goals[0]");
    r.goal_count = -3;
    expect_refusal(&r, bad, "goal_count");
    r.goal_count = 4;
    expect_refusal(&r, SINEW_STATUS_CAPACITY, "max_goals");
    r.q[0] = 1e6;
    expect_refusal(&r, bad, "1e+6");
    sinew_solver_destroy(r.solver);
    scene_destroy(r.scene);
}

/// Every field of the options is checked, and named when it is wrong.
static void test_broken_options(void **state)
{
    (void)state;
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    static Refusal r;
    r.scene = body_scene("LEG");
    r.solver = body_solver(r.scene->skeleton, 3);
    static const struct {
        size_t offset;
        const char *name;
        double low; // refused, beside NaN and infinity
    } numbers[] = {
#define FIELD(name, low) { offsetof(sinew_SolveOptions, name), #name, low }
        FIELD(difference_step, 0.0),
        FIELD(position_tolerance, 0.0),
        FIELD(orientation_tolerance, -1.0),
        FIELD(time_budget, -1.0),
        FIELD(stall_share, -0.1),
        FIELD(damping, -INFINITY),
        FIELD(damping_gain, -1.0),
        FIELD(damping_floor, -1.0),
        FIELD(constraint_damping, -1.0),
        FIELD(rest_weight, -1e-9),
        FIELD(velocity_weight, -1.0),
        FIELD(orientation_length, -1.0),
        FIELD(step_scale, 0.0),
        FIELD(max_joint_step, 0.0),
        FIELD(max_target_step, 0.0),
        FIELD(halving_threshold, 0.0),
#undef FIELD
    };
    set_valid(&r);
    for (size_t f = 0; f < sizeof numbers / sizeof numbers[0]; ++f) {
        const double values[3] = { numbers[f].low, NAN, INFINITY };
        for (int k = 0; k < 3; ++k) {
            memcpy((char *)&r.options + numbers[f].offset, &values[k], sizeof(double));
            expect_refusal(&r, bad, numbers[f].name);
        }
    }
    r.options.method = (sinew_Method)9;
    expect_refusal(&r, bad, "method");
    r.options.rows = (sinew_JacobianRows)9;
    expect_refusal(&r, bad, "rows");
    r.options.jacobian = (sinew_JacobianSource)9;
    expect_refusal(&r, bad, "jacobian");
    r.options.form = (sinew_LinearForm)9;
    expect_refusal(&r, bad, "form");
    r.options.limits = (sinew_LimitMode)9;
    expect_refusal(&r, bad, "limits");
    r.options.inverse = (sinew_Inverse)9;
    expect_refusal(&r, bad, "inverse");
    r.options.max_iterations = -1;
    expect_refusal(&r, bad, "max_iterations");
    r.options.min_iterations = 4;
    expect_refusal(&r, bad, "min_iterations");
    r.options.max_halvings = -1;
    expect_refusal(&r, bad, "max_halvings");
    r.options.step_scale = 1.5;
    expect_refusal(&r, bad, "step_scale");
    r.options.time_budget = 1.0;
    expect_refusal(&r, bad, "clock");
    sinew_solver_destroy(r.solver);
    scene_destroy(r.scene);
}

/// NULL pointers and wrong definitions are refused by solve, solver and tracker.
static void test_broken_calls(void **state)
{
    (void)state;
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 1), *none = solver;
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
    sinew_Goal goal = sinew_goal_position(3, sinew_vec3(0.0, 0.5, 0.0));
    double q[16];
    sinew_pose_rest(scene->skeleton, q);
    TEST_INT(sinew_solver_solve(NULL, &options, &goal, 1, q, NULL, NULL), bad);
    TEST_INT(sinew_solver_solve(solver, NULL, &goal, 1, q, NULL, NULL), bad);
    TEST_INT(sinew_solver_solve(solver, &options, NULL, 1, q, NULL, NULL), bad);
    TEST_INT(sinew_solver_solve(solver, &options, &goal, 1, NULL, NULL, NULL), bad);
    sinew_solver_destroy(solver);
    sinew_solver_destroy(NULL);

    sinew_SolverDef def = sinew_solver_def_default();
    TEST_INT(sinew_solver_create(&def, &none, NULL), bad);
    TEST_TRUE(none == NULL);
    TEST_INT(sinew_solver_create(NULL, &none, NULL), bad);
    def.skeleton = scene->skeleton;
    TEST_INT(sinew_solver_create(&def, NULL, NULL), bad);
    static const int counts[3] = { 0, -5, 2000000000 };
    for (int k = 0; k < 3; ++k) {
        sinew_Message message = { "" };
        def.max_goals = counts[k];
        TEST_INT(sinew_solver_create(&def, &none, &message), bad);
        TEST_TRUE(strstr(message.text, "max_goals") != NULL);
    }

    sinew_Tracker *tracker = NULL;
    sinew_TrackerDef track = sinew_tracker_def_default();
    TEST_INT(sinew_tracker_create(&track, &tracker, NULL), bad);
    TEST_INT(sinew_tracker_create(NULL, &tracker, NULL), bad);
    track.skeleton = scene->skeleton;
    TEST_INT(sinew_tracker_create(&track, NULL, NULL), bad);
    for (int k = 0; k < 3; ++k) {
        track = sinew_tracker_def_default();
        track.skeleton = scene->skeleton;
        if (k == 0) { track.frame_time = 0.0; }
        if (k == 1) { track.lost_distance = NAN; }
        if (k == 2) { track.max_goals = 0; }
        TEST_INT(sinew_tracker_create(&track, &tracker, NULL), bad);
        TEST_TRUE(tracker == NULL);
    }
    sinew_tracker_destroy(NULL);
    scene_destroy(scene);
}

/// Broken goals of a tracker are refused, out_q is not written, and it goes on as if nothing was.
static void test_broken_tracking(void **state)
{
    (void)state;
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    scene_Scene *scene = body_scene("HAND5");
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    sinew_Tracker *trackers[2] = { NULL, NULL };
    for (int k = 0; k < 2; ++k) { TEST_OK(sinew_tracker_create(&def, &trackers[k], NULL), NULL); }
    for (int frame = 0; frame < 60; ++frame) {
        double q[2][MAX_NUMBERS], before[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS], broken[SCENE_MAX_EFFECTORS];
        scene_pose_at(scene, frame / 60.0, q[0]);
        int count = body_scene_goals(scene, q[0], goals);
        // the first tracker is shown a broken goal before each frame
        memcpy(broken, goals, sizeof goals);
        switch (frame % 4) {
        case 0: broken[1].position.x = NAN; break;
        case 1: broken[1].joint = 1000; break;
        case 2: broken[1].position_weight = -1.0; break;
        default: broken[1].joint_from_effector.rotation.w = 3.0; break;
        }
        memcpy(before, q[0], sizeof before);
        TEST_INT(sinew_tracker_update(trackers[0], broken, count, q[0], NULL, NULL), bad);
        TEST_TRUE(body_same_bits(before, q[0], numbers));
        TEST_INT(sinew_tracker_update(trackers[0], NULL, count, q[0], NULL, NULL), bad);
        TEST_INT(sinew_tracker_update(trackers[0], goals, 0, q[0], NULL, NULL), bad);
        TEST_INT(sinew_tracker_update(NULL, goals, count, q[0], NULL, NULL), bad);
        for (int k = 0; k < 2; ++k) {
            TEST_OK(sinew_tracker_update(trackers[k], goals, count, q[k], NULL, NULL), NULL);
        }
        TEST_TRUE(body_same_bits(q[0], q[1], numbers));
    }
    for (int k = 0; k < 2; ++k) { sinew_tracker_destroy(trackers[k]); }
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Garbage that breaks no rule

static sinew_Vec3 garbage_point(test_Random *random)
{
    double size = pow(10.0, test_range(random, -12.0, 4.0));
    return test_vector(random, size);
}

/// Every method on every scene with 200 goals of finite garbage: a code, no NaN, limits kept, never
/// worse than the start.
static void test_garbage_goals(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count(); ++s) {
        scene_Scene *scene = body_scene(scene_name(s));
        sinew_Solver *solver = body_solver(scene->skeleton, 6);
        int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
        for (int m = 0; m < 5; ++m) {
            for (int i = 0; i < 200; ++i) {
                test_Random random = test_case(1400 + (uint64_t)s, 1000 * m + i);
                double q[MAX_NUMBERS];
                sinew_Transform world[BODY_MAX_JOINTS];
                sinew_Goal goals[6];
                body_random_pose(&random, scene->skeleton, 4.0, q);
                double outside = sinew_pose_limit_violation(scene->skeleton, q);
                sinew_pose_forward(scene->skeleton, q, world);
                int count = 1 + test_int(&random, 6);
                for (int g = 0; g < count; ++g) {
                    goals[g] = body_random_goal(&random, scene->skeleton, world, true);
                    goals[g].position = garbage_point(&random);
                    goals[g].orientation = test_unit_quat(&random);
                    goals[g].joint_from_effector.position = garbage_point(&random);
                    if (test_int(&random, 4) == 0) {
                        goals[g].position_weight = pow(10.0, test_range(&random, -12.0, 12.0));
                    }
                    if (test_int(&random, 8) == 0) { goals[g].orientation_weight = 0.0; }
                }
                sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
                options.max_iterations = 15;
                options.form = (sinew_LinearForm)test_int(&random, 5);
                if (test_int(&random, 3) == 0) {
                    options.damping = pow(10.0, test_range(&random, -9.0, 3.0));
                }
                if (test_int(&random, 5) == 0) { options.damping = 0.0; }
                sinew_Report report;
                sinew_Message message = { "" };
                sinew_Status status = sinew_solver_solve(
                    solver, &options, goals, count, q, &report, &message);
                check_finite(q, numbers);
                if (status != SINEW_STATUS_OK) {
                    // only a goal too many reaches away may be refused
                    TEST_TRUE(strstr(message.text, "m away") != NULL);
                    continue;
                }
                TEST_TRUE(sinew_pose_check(scene->skeleton, q, NULL) == SINEW_STATUS_OK);
                // joints that no goal moves stay where they were given
                TEST_TRUE(report.limit_violation <= outside);
                TEST_NEAR(
                    report.limit_violation, sinew_pose_limit_violation(scene->skeleton, q), 1e-12);
                TEST_TRUE(isfinite(report.position_error) && isfinite(report.orientation_error));
                TEST_TRUE(report.objective <= report.start_objective);
            }
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

/// Random bodies with bones of no length, effectors on the root and fixed in the world, weight 0,
/// nothing free to move, no iterations: finite answers everywhere.
static void test_degenerate_bodies(void **state)
{
    (void)state;
    for (int i = 0; i < 4000; ++i) {
        test_Random random = test_case(1420, i);
        sinew_Skeleton *skeleton = body_random(&random, 1 + test_int(&random, 8), BODY_EVERYTHING);
        if (i % 4 == 0) {
            // all in one point: four joints without any length
            sinew_skeleton_destroy(skeleton);
            sinew_JointDef joints[4];
            sinew_Axis axes[2] = { body_random_axis(&random, BODY_HINGE | BODY_SLIDE | BODY_SKEW),
                sinew_axis_ball() };
            for (int j = 0; j < 4; ++j) {
                joints[j] = sinew_joint_def_default();
                joints[j].name = "point";
                joints[j].parent = j - 1;
                joints[j].axes = axes;
                joints[j].axis_count = 1 + test_int(&random, 2);
            }
            TEST_OK(sinew_skeleton_create(joints, 4, NULL, &skeleton, NULL), NULL);
        }
        int numbers = sinew_skeleton_coordinate_count(skeleton);
        sinew_Solver *solver = body_solver(skeleton, 2);
        double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS], mobility[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 2.0, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_Goal goals[2];
        for (int g = 0; g < 2; ++g) {
            goals[g] = body_random_goal(&random, skeleton, world, true);
            if (test_int(&random, 2)) { goals[g].position = world[0].position; }
            if (test_int(&random, 3) == 0) {
                goals[g].joint = 0;
                goals[g].chain_root = -1;
            }
            if (test_int(&random, 4) == 0) { goals[g].position_weight = 0.0; }
            goals[g].orientation = test_unit_quat(&random);
        }
        bool stuck = i % 5 == 0;
        for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) { mobility[a] = 0.0; }
        if (stuck) { TEST_OK(sinew_solver_set_mobility(solver, mobility), NULL); }
        memcpy(before, q, sizeof q);
        for (int m = 0; m < 5; ++m) {
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.max_iterations = i % 7 == 0 ? 0 : 12;
            options.form = (sinew_LinearForm)test_int(&random, 5);
            if (i % 3 == 0) { options.damping = 0.0; }
            if (i % 11 == 0) { options.jacobian = SINEW_JACOBIAN_CENTRAL_DIFFERENCE; }
            sinew_Report report = body_solve(solver, &options, goals, 2, q);
            check_finite(q, numbers);
            TEST_TRUE(report.objective <= report.start_objective);
            TEST_TRUE(isfinite(report.position_error));
            if (stuck) { TEST_TRUE(body_same_bits(q, before, numbers)); }
            TEST_TRUE(options.max_iterations > 0 || report.iterations == 0);
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

/// A joint that nothing moves may carry a goal: it is measured and left.
static void test_fixed_in_the_world(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 2);
    double q[16], before[16];
    sinew_pose_middle(scene->skeleton, q);
    memcpy(before, q, sizeof q);
    sinew_Goal goals[2] = { sinew_goal_pose(0, sinew_vec3(1.0, 0.95, 0.0), sinew_quat_identity()),
        sinew_goal_position(5, sinew_vec3(0.1, 0.2, 0.1)) };
    for (int m = 0; m < 5; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        sinew_Report report = body_solve(solver, &options, goals, 1, q);
        TEST_NEAR(report.position_error, 1.0, 1e-12);
        TEST_TRUE(body_same_bits(q, before, 6));
        // beside one that can be met
        report = body_solve(solver, &options, goals, 2, q);
        TEST_NEAR(report.position_error, 1.0, 1e-12);
        TEST_TRUE(sinew_solver_goal_results(solver)[1].position_error < 0.05);
        memcpy(q, before, sizeof q);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// A folded and a straight chain with the goal on its root: finite, never worse, mostly met.
static void test_goal_on_root(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("CHAIN10");
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    int end = scene->effectors[0].joint;
    for (int m = 0; m < 5; ++m) {
        for (int i = 0; i < 200; ++i) {
            test_Random random = test_case(1440, i);
            double q[MAX_NUMBERS];
            for (int c = 0; c < numbers; ++c) {
                q[c] = i % 2 == 0 ? test_range(&random, -1e-3, 1e-3) : (c % 2 == 0 ? 1.5 : -1.5);
            }
            sinew_Transform world[BODY_MAX_JOINTS];
            sinew_pose_forward(scene->skeleton, q, world);
            sinew_Goal goal = sinew_goal_position(end, world[1].position);
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            check_finite(q, numbers);
            TEST_TRUE(report.objective <= report.start_objective);
        }
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// The world around

// the body hung into the world elsewhere: a joint without axes above all its roots, lengths scaled
static sinew_Skeleton *moved_copy(
    const sinew_Skeleton *skeleton, sinew_Transform world_from_root, double scale)
{
    sinew_JointDef joints[BODY_MAX_JOINTS + 1];
    int count = sinew_skeleton_joint_count(skeleton);
    joints[0] = sinew_joint_def_default();
    joints[0].name = "world";
    joints[0].offset = world_from_root.position;
    joints[0].rest_rotation = world_from_root.rotation;
    for (int j = 0; j < count; ++j) {
        const sinew_Joint *from = &sinew_skeleton_joints(skeleton)[j];
        sinew_JointDef *to = &joints[j + 1];
        *to = sinew_joint_def_default();
        to->name = from->name;
        to->parent = from->parent + 1;
        to->offset = sinew_vec3_scale(from->offset, scale);
        to->rest_rotation = from->rest_rotation;
        to->axes = &sinew_skeleton_axes(skeleton)[from->axis_start];
        to->axis_count = from->axis_count;
    }
    sinew_Skeleton *copy = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count + 1, NULL, &copy, &message), &message);
    return copy;
}

/// A body that hangs elsewhere, turned, and as large as you like, solves to the same joint values.
static void test_moved_roots(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "ARM", "BODY11", "SPINEARM" };
    for (int s = 0; s < 4; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
        sinew_Solver *here = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        int other_course = 0;
        const int count = 1000;
        for (int i = 0; i < count; ++i) {
            test_Random random = test_case(1450 + (uint64_t)s, i);
            scene_Random poses = scene_random(1450 + (uint64_t)i);
            double scale = i % 2 == 0 ? 1.0 : pow(10.0, test_range(&random, -2.0, 2.0));
            sinew_Transform root = test_transform(&random, 3.0);
            sinew_Skeleton *moved = moved_copy(scene->skeleton, root, scale);
            sinew_Solver *there = body_solver(moved, SCENE_MAX_EFFECTORS);

            double q[MAX_NUMBERS], other[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS], elsewhere[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            int goal_count = body_scene_goals(scene, q, goals);
            for (int g = 0; g < goal_count; ++g) {
                elsewhere[g] = goals[g];
                elsewhere[g].joint += 1;
                if (elsewhere[g].chain_root >= 0) { elsewhere[g].chain_root += 1; }
                elsewhere[g].position = sinew_transform_point(
                    root, sinew_vec3_scale(goals[g].position, scale));
            }
            sinew_pose_middle(scene->skeleton, q);
            memcpy(other, q, sizeof q);
            sinew_SolveOptions options = sinew_solve_options_default(methods[i % 5]);
            options.max_iterations = 15;
            sinew_Report first = body_solve(here, &options, goals, goal_count, q);
            options.position_tolerance *= scale;
            options.halving_threshold *= scale;
            sinew_Report second = body_solve(there, &options, elsewhere, goal_count, other);
            // where a comparison is decided by rounding, the two may part; nearly never
            bool same = first.iterations == second.iterations && first.outcome == second.outcome;
            for (int c = 0; c < numbers; ++c) { same = same && fabs(q[c] - other[c]) < 1e-7; }
            other_course += !same;
            sinew_solver_destroy(there);
            sinew_skeleton_destroy(moved);
        }
        print_message("%s: %d of %d took another course\n", names[s], other_course, count);
        TEST_TRUE(other_course <= count / 100);
        sinew_solver_destroy(here);
        scene_destroy(scene);
    }
}

// ---------------------------------------------------------------------------------------------
// Memory and threads

/// No allocation in 1000 solves of each method, nor in 1000 tracked frames.
static void test_no_allocation(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("HAND5");
    test_Memory memory;
    test_memory_init(&memory);
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = scene->skeleton;
    def.allocator = memory.allocator;
    sinew_TrackerDef track = sinew_tracker_def_default();
    track.skeleton = scene->skeleton;
    track.allocator = memory.allocator;
    sinew_Solver *solver = NULL;
    sinew_Tracker *tracker = NULL;
    TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
    TEST_TRUE(sinew_solver_memory(solver) <= memory.live_bytes);
    TEST_OK(sinew_tracker_create(&track, &tracker, NULL), NULL);
    // creation may give back what it drafted on
    long taken = memory.alloc_count, given_back = memory.free_count;
    TEST_TRUE(taken > given_back);
    for (int m = 0; m < 5; ++m) {
        scene_Random poses = scene_random(1460);
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        options.max_iterations = 5;
        for (int i = 0; i < 1000; ++i) {
            double q[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            int count = body_scene_goals(scene, q, goals);
            options.form = (sinew_LinearForm)(i % 5);
            scene_random_pose(scene, &poses, q);
            // other sets of goals make new plans
            body_solve(solver, &options, goals, 1 + i % count, q);
        }
    }
    for (int i = 0; i < 1000; ++i) {
        double q[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_pose_at(scene, i / 60.0, q);
        int count = body_scene_goals(scene, q, goals);
        if (i % 100 == 50) { sinew_tracker_reset(tracker); }
        for (int g = 0; i % 100 == 75 && g < count; ++g) { goals[g].position.x += 1.0; }
        TEST_OK(sinew_tracker_update(tracker, goals, count, q, NULL, NULL), NULL);
    }
    TEST_INT(memory.alloc_count, taken);
    TEST_INT(memory.free_count, given_back);
    sinew_solver_destroy(solver);
    sinew_tracker_destroy(tracker);
    TEST_INT(memory.free_count, taken);
    TEST_TRUE(memory.live_bytes == 0);
    TEST_TRUE(!memory.wrong_size);
    scene_destroy(scene);
}

typedef sinew_Status (*Create)(
    const scene_Scene *scene, const sinew_Allocator *allocator, void **out);

static sinew_Status create_solver(
    const scene_Scene *scene, const sinew_Allocator *allocator, void **out)
{
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = scene->skeleton;
    def.allocator = *allocator;
    sinew_Solver *solver = NULL;
    sinew_Status status = sinew_solver_create(&def, &solver, NULL);
    *out = solver;
    if (solver != NULL) { sinew_solver_destroy(solver); }
    return status;
}

static sinew_Status create_tracker(
    const scene_Scene *scene, const sinew_Allocator *allocator, void **out)
{
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    def.allocator = *allocator;
    sinew_Tracker *tracker = NULL;
    sinew_Status status = sinew_tracker_create(&def, &tracker, NULL);
    *out = tracker;
    if (tracker != NULL) { sinew_tracker_destroy(tracker); }
    return status;
}

static sinew_Status create_skeleton(
    const scene_Scene *scene, const sinew_Allocator *allocator, void **out)
{
    sinew_JointDef joints[BODY_MAX_JOINTS];
    int count = sinew_skeleton_joint_count(scene->skeleton);
    for (int j = 0; j < count; ++j) {
        const sinew_Joint *from = &sinew_skeleton_joints(scene->skeleton)[j];
        joints[j] = sinew_joint_def_default();
        joints[j].name = from->name;
        joints[j].parent = from->parent;
        joints[j].axes = &sinew_skeleton_axes(scene->skeleton)[from->axis_start];
        joints[j].axis_count = from->axis_count;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Status status = sinew_skeleton_create(joints, count, allocator, &skeleton, NULL);
    *out = skeleton;
    if (skeleton != NULL) { sinew_skeleton_destroy(skeleton); }
    return status;
}

static sinew_Status create_clip(
    const scene_Scene *scene, const sinew_Allocator *allocator, void **out)
{
    sinew_Clip *clip = NULL;
    sinew_Status status = sinew_clip_create(scene->skeleton, 20, 0.01, allocator, &clip);
    *out = clip;
    if (clip != NULL) { sinew_clip_destroy(clip); }
    return status;
}

/// Failing each allocation of each create function in turn gives OUT_OF_MEMORY and no leak.
static void test_out_of_memory(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    static const Create creates[] = { create_solver, create_tracker, create_skeleton, create_clip };
    for (int c = 0; c < 4; ++c) {
        test_Memory memory;
        void *made = NULL;
        test_memory_init(&memory);
        TEST_OK(creates[c](scene, &memory.allocator, &made), NULL);
        TEST_TRUE(made != NULL);
        TEST_TRUE(memory.live_bytes == 0);
        TEST_TRUE(!memory.wrong_size);
        long count = memory.alloc_count;
        TEST_TRUE(count >= 1);
        for (long n = 1; n <= count; ++n) {
            test_memory_init(&memory);
            memory.fail_at = n;
            made = scene;
            TEST_INT(creates[c](scene, &memory.allocator, &made), SINEW_STATUS_OUT_OF_MEMORY);
            TEST_TRUE(made == NULL);
            TEST_TRUE(memory.live_bytes == 0);
            TEST_TRUE(!memory.wrong_size);
        }
    }
    scene_destroy(scene);
}

#define THREAD_SOLVES 400

typedef struct Worker {
    const scene_Scene *scene;
    sinew_Solver *solver;
    double q[THREAD_SOLVES][MAX_NUMBERS];
    bool failed;
} Worker;

static void *work(void *data)
{
    Worker *worker = data;
    scene_Random poses = scene_random(1480);
    for (int i = 0; i < THREAD_SOLVES; ++i) {
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        sinew_Transform world[BODY_MAX_JOINTS];
        double *q = worker->q[i];
        scene_random_pose(worker->scene, &poses, q);
        sinew_pose_forward(worker->scene->skeleton, q, world);
        for (int e = 0; e < worker->scene->effector_count; ++e) {
            int joint = worker->scene->effectors[e].joint;
            goals[e] = sinew_goal_position(joint, world[joint].position);
        }
        scene_random_pose(worker->scene, &poses, q);
        sinew_SolveOptions options = sinew_solve_options_default(methods[i % 5]);
        options.max_iterations = 10;
        if (sinew_solver_solve(
                worker->solver, &options, goals, worker->scene->effector_count, q, NULL, NULL)
            != SINEW_STATUS_OK) {
            worker->failed = true;
        }
    }
    return NULL;
}

/// Two threads with one skeleton and a solver each give the bits of one thread.
static void test_threads(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    static Worker workers[3];
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    for (int k = 0; k < 3; ++k) {
        workers[k].scene = scene;
        workers[k].solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    }
    work(&workers[0]);
    pthread_t threads[2];
    for (int k = 0; k < 2; ++k) {
        TEST_INT(pthread_create(&threads[k], NULL, work, &workers[k + 1]), 0);
    }
    for (int k = 0; k < 2; ++k) { TEST_INT(pthread_join(threads[k], NULL), 0); }
    for (int k = 0; k < 3; ++k) {
        TEST_TRUE(!workers[k].failed);
        for (int i = 0; i < THREAD_SOLVES; ++i) {
            TEST_TRUE(body_same_bits(workers[k].q[i], workers[0].q[i], numbers));
        }
        sinew_solver_destroy(workers[k].solver);
    }
    scene_destroy(scene);
}

/// Nothing of a solve lasts to the next: after one with numeric differences and a bound on the change of
/// joints, a solver gives the bits of a new one.
static void test_no_memory_of_solves(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    for (int m = 0; m < 4; ++m) {
        for (int i = 0; i < 10; ++i) {
            test_Random random = test_case(1900 + (uint64_t)m, i);
            double target[MAX_NUMBERS], start[MAX_NUMBERS], q[2][MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            body_random_pose(&random, scene->skeleton, 0.3, target);
            body_random_pose(&random, scene->skeleton, 0.3, start);
            int count = body_scene_goals(scene, target, goals);
            for (int g = 0; g < count; ++g) {
                goals[g].kind = SINEW_GOAL_POSE;
                goals[g].orientation = test_unit_quat(&random);
            }
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.max_iterations = 10;
            options.start = SINEW_START_REST;
            sinew_SolveOptions before = options;
            before.jacobian = SINEW_JACOBIAN_FORWARD_DIFFERENCE;
            before.max_joint_change = 1e-3;
            before.start = SINEW_START_GIVEN;
            sinew_Solver *used = body_solver(scene->skeleton, count);
            sinew_Solver *fresh = body_solver(scene->skeleton, count);
            memcpy(q[0], start, sizeof q[0]);
            (void)body_solve(used, &before, goals, count, q[0]);
            memcpy(q[0], start, sizeof q[0]);
            memcpy(q[1], start, sizeof q[1]);
            (void)body_solve(used, &options, goals, count, q[0]);
            (void)body_solve(fresh, &options, goals, count, q[1]);
            TEST_TRUE(body_same_bits(q[0], q[1], numbers));
            sinew_solver_destroy(used);
            sinew_solver_destroy(fresh);
        }
    }
    scene_destroy(scene);
}

/// Where limits are ignored, slides leave their ranges as hinges do, and the errors that are told are
/// those of the pose.
static void test_open_slides(void **state)
{
    (void)state;
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(1910, i);
        sinew_Skeleton *skeleton = body_random(
            &random, 4, BODY_HINGE | BODY_SLIDE | BODY_SKEW | BODY_LIMITS);
        if (sinew_skeleton_chain_length(skeleton, 0, 3) < 0.1) {
            sinew_skeleton_destroy(skeleton);
            continue; // the goal would be out of all proportion
        }
        sinew_Solver *solver = body_solver(skeleton, 1);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 1.0, q);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
        options.limits = SINEW_LIMITS_NONE;
        options.restarts = 0;
        sinew_Goal goal = sinew_goal_position(3, test_vector(&random, 2.0));
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        sinew_pose_forward(skeleton, q, world);
        double error = sinew_vec3_distance(world[3].position, goal.position);
        TEST_NEAR(report.position_error, error, 1e-12);
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

/// A goal beyond all numbers is refused with its name, also one that weighs nothing or is only looked at;
/// what is taken has finite figures.
static void test_objectives_are_finite(void **state)
{
    (void)state;
    static const double places[] = { 1e300, -1e300, 1e160, 1e100, 1e20 };
    scene_Scene *scene = body_scene("HAND5");
    sinew_Solver *solver = body_solver(scene->skeleton, 2);
    sinew_SolveOptions o = sinew_solve_options_default(SINEW_METHOD_AUTO);
    int refused = 0;
    for (int i = 0; i < 5; ++i) {
        for (int kind = 0; kind < 4; ++kind) {
            double q[MAX_NUMBERS];
            sinew_Goal goals[2];
            for (int g = 0; g < 2; ++g) {
                goals[g] = sinew_goal_position(
                    scene->effectors[g].joint, sinew_vec3(0.05, 0.1, 0.02));
            }
            // in the last pass it is the effector that is so far off
            if (kind < 3) { goals[1].position.y = places[i]; }
            if (kind == 3) { goals[1].joint_from_effector.position.y = places[i]; }
            if (kind > 0) { goals[1].position_weight = 0.0; }
            if (kind == 2) {
                goals[1].kind = SINEW_GOAL_AIM;
                goals[1].axis = sinew_vec3(0.0, 0.0, 1.0);
            }
            sinew_pose_rest(scene->skeleton, q);
            sinew_Report r;
            sinew_Message message = { "" };
            if (sinew_solver_solve(solver, &o, goals, 2, q, &r, &message) != SINEW_STATUS_OK) {
                ++refused;
                TEST_TRUE(strstr(message.text, "goal") != NULL);
                continue;
            }
            TEST_TRUE(isfinite(r.objective) && isfinite(r.start_objective));
            TEST_TRUE(isfinite(r.position_error) && isfinite(r.orientation_error));
        }
    }
    TEST_TRUE(refused >= 9 + 5);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_open_slides), cmocka_unit_test(test_no_memory_of_solves),
    cmocka_unit_test(test_broken_rules), cmocka_unit_test(test_broken_options),
    cmocka_unit_test(test_broken_calls), cmocka_unit_test(test_broken_tracking),
    cmocka_unit_test(test_garbage_goals), cmocka_unit_test(test_degenerate_bodies),
    cmocka_unit_test(test_fixed_in_the_world), cmocka_unit_test(test_goal_on_root),
    cmocka_unit_test(test_moved_roots), cmocka_unit_test(test_no_allocation),
    cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_threads),
    cmocka_unit_test(test_objectives_are_finite))
