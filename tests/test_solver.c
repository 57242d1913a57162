// The solver around its methods: reports, options, weights, units, what stays untouched.

#include "bodies.h"

#include "sinew/answers.h"
#include "sinew/jacobian.h"

#define MAX_NUMBERS 256

static const sinew_Method methods[5] = { SINEW_METHOD_PSEUDO_INVERSE, SINEW_METHOD_TRANSPOSE,
    SINEW_METHOD_DAMPED, SINEW_METHOD_SELECTIVELY_DAMPED, SINEW_METHOD_AUTO };

// one second a call
static double ticking(void *user)
{
    double *now = user;
    *now += 1.0;
    return *now;
}

static int effector_goals(
    const scene_Scene *scene, const double *q, bool full, sinew_Goal *out_goals)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    int count = body_scene_goals(scene, q, out_goals);
    sinew_pose_forward(scene->skeleton, q, world);
    for (int g = 0; full && g < count; ++g) {
        int joint = out_goals[g].joint;
        out_goals[g] = sinew_goal_pose(joint, world[joint].position, world[joint].rotation);
        out_goals[g].chain_root = scene->effectors[g].chain_root;
    }
    return count;
}

// the report of a pose against forward kinematics from scratch
static void check_report(const sinew_Skeleton *skeleton, const sinew_Goal *goals, int goal_count,
    const double *q, const sinew_Report *report, const sinew_GoalResult *results)
{
    sinew_Transform world[BODY_MAX_JOINTS];
    sinew_pose_forward(skeleton, q, world);
    double position = 0.0, orientation = 0.0;
    for (int g = 0; g < goal_count; ++g) {
        const sinew_Goal *goal = &goals[g];
        double error[6];
        sinew_goal_error(goal, world, error);
        if (goal->kind != SINEW_GOAL_ORIENTATION) {
            double far = sqrt(error[0] * error[0] + error[1] * error[1] + error[2] * error[2]);
            TEST_NEAR(results[g].position_error, far, 1e-12);
            position = fmax(position, far);
        }
        if (goal->kind != SINEW_GOAL_POSITION) {
            const double *turn = goal->kind == SINEW_GOAL_POSE ? &error[3] : error;
            double angle = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]);
            // near a half turn the arc sine of the chord keeps half of the digits
            TEST_NEAR(results[g].orientation_error, angle, angle < 3.0 ? 1e-12 : 1e-7);
            orientation = fmax(orientation, angle);
        }
    }
    TEST_NEAR(report->position_error, position, 1e-12);
    TEST_NEAR(report->orientation_error, orientation, orientation < 3.0 ? 1e-12 : 1e-7);
    TEST_NEAR(report->limit_violation, sinew_pose_limit_violation(skeleton, q), 1e-15);
}

/// PINV-9: on each way out (converged, stalled, out of iterations or time) the report is filled
/// and its errors are those of a fresh forward kinematics to 1e-12; for every method.
static void test_report_pinv9(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "ARM", "BODY11", "MAN18" };
    long seen[4] = { 0 };
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        double now = 0.0;
        sinew_SolverDef def = sinew_solver_def_default();
        def.skeleton = scene->skeleton;
        def.max_goals = SCENE_MAX_EFFECTORS;
        def.clock = ticking;
        def.clock_user = &now;
        sinew_Solver *solver = NULL;
        TEST_OK(sinew_solver_create(&def, &solver, NULL), NULL);
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(1201 + s, i);
            scene_Random poses = scene_random(1201 + (uint64_t)i);
            sinew_SolveOptions options = sinew_solve_options_default(methods[i % 5]);
            options.max_iterations = i % 3 == 0 ? test_int(&random, 6) : 60;
            options.time_budget = i % 5 == 0 ? 0.5 + test_int(&random, 5) : 0.0;
            options.stall_share = i % 7 < 3 ? 1e-3 : 0.0;
            double q[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            int count = effector_goals(scene, q, i % 2 == 0, goals);
            for (int g = 0; i % 4 == 3 && g < count; ++g) {
                goals[g].position = sinew_vec3_add(goals[g].position, test_vector(&random, 1.0));
            }
            if (i % 11 != 0) { scene_random_pose(scene, &poses, q); }
            sinew_Report report = body_solve(solver, &options, goals, count, q);
            check_report(
                scene->skeleton, goals, count, q, &report, sinew_solver_goal_results(solver));
            ++seen[report.outcome];
            TEST_TRUE(report.iterations <= options.max_iterations);
            TEST_TRUE(report.objective <= report.start_objective);
            TEST_TRUE(report.time >= 1.0);
            TEST_TRUE(report.forward_count >= 1);
            if (report.outcome == SINEW_OUTCOME_CONVERGED) {
                TEST_TRUE(report.position_error <= options.position_tolerance);
                TEST_TRUE(report.orientation_error <= options.orientation_tolerance);
            }
            if (report.outcome == SINEW_OUTCOME_OUT_OF_TIME) {
                TEST_TRUE(options.time_budget > 0.0);
            }
            if (report.outcome == SINEW_OUTCOME_OUT_OF_ITERATIONS) {
                TEST_INT(report.iterations, options.max_iterations);
            }
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
    print_message("converged %ld, stalled %ld, out of iterations %ld, out of time %ld\n", seen[0],
        seen[1], seen[2], seen[3]);
    for (int k = 0; k < 4; ++k) { TEST_TRUE(seen[k] > 50); }
}

/// PINV-9: the objective is the function that the header states.
static void test_objective_pinv9(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = body_solver(skeleton, 1);
    int dofs = sinew_skeleton_dof_count(skeleton);
    scene_Random poses = scene_random(1210);
    for (int i = 0; i < 1000; ++i) {
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        options.rest_weight = 1e-3;
        options.velocity_weight = 2e-3;
        options.orientation_length = 0.25;
        options.max_iterations = i % 10;
        double start[16], q[16], rest[16];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(scene, &poses, q);
        effector_goals(scene, q, true, goals);
        goals[0].position_weight = 3.0;
        goals[0].orientation_weight = 0.5;
        scene_random_pose(scene, &poses, start);
        memcpy(q, start, sizeof q);
        sinew_pose_rest(skeleton, rest);
        sinew_Report report = body_solve(solver, &options, goals, 1, q);

        double far = report.position_error, chord = 2.0 * sin(0.5 * report.orientation_error);
        double expected = 0.5 * 3.0 * far * far + 0.5 * 0.25 * 0.25 * 0.5 * chord * chord;
        for (int d = 0; d < dofs; ++d) {
            expected += 0.5 * 1e-3 * (rest[d] - q[d]) * (rest[d] - q[d]);
            expected += 0.5 * 2e-3 * (start[d] - q[d]) * (start[d] - q[d]);
        }
        TEST_NEAR(report.objective, expected, 1e-12 * (1.0 + expected));
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// the same body with every length times scale
static sinew_Skeleton *scaled_copy(const sinew_Skeleton *skeleton, double scale)
{
    sinew_JointDef joints[BODY_MAX_JOINTS];
    int count = sinew_skeleton_joint_count(skeleton);
    for (int j = 0; j < count; ++j) {
        const sinew_Joint *from = &sinew_skeleton_joints(skeleton)[j];
        joints[j] = sinew_joint_def_default();
        joints[j].name = from->name;
        joints[j].parent = from->parent;
        joints[j].offset = sinew_vec3_scale(from->offset, scale);
        joints[j].rest_rotation = from->rest_rotation;
        joints[j].axes = &sinew_skeleton_axes(skeleton)[from->axis_start];
        joints[j].axis_count = from->axis_count;
    }
    sinew_Skeleton *copy = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &copy, &message), &message);
    return copy;
}

/// JAC-10: the leg in metres, centimetres, millimetres takes the same iterations to the same pose
/// to 1e-9, positions with orientations, when tolerances and the orientation length are scaled too.
static void test_units_jac10(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    static const double units[3] = { 1.0, 100.0, 1000.0 };
    sinew_Skeleton *bodies[3];
    sinew_Solver *solvers[3];
    for (int u = 0; u < 3; ++u) {
        bodies[u] = scaled_copy(scene->skeleton, units[u]);
        solvers[u] = body_solver(bodies[u], 1);
    }
    int heel = scene->effectors[body_effector(scene, "Heel")].joint, amplified = 0;
    for (int m = 0; m < 4; ++m) {
        for (int i = 0; i < 1000; ++i) {
            scene_Random poses = scene_random(1220 + (uint64_t)i);
            double wanted[16], start[16], q[3][16];
            sinew_Transform world[BODY_MAX_JOINTS];
            sinew_Report reports[3];
            scene_random_pose(scene, &poses, wanted);
            sinew_pose_middle(scene->skeleton, start);
            sinew_pose_forward(scene->skeleton, wanted, world);
            for (int u = 0; u < 3; ++u) {
                sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
                options.max_iterations = 40;
                options.position_tolerance = 1e-3 * units[u];
                options.halving_threshold = 1e-3 * units[u];
                // in a third of the cases the default, which scales by itself
                options.orientation_length = i % 3 == 0 ? 0.0 : 0.2 * units[u];
                sinew_Goal goal = sinew_goal_pose(
                    heel, sinew_vec3_scale(world[heel].position, units[u]), world[heel].rotation);
                memcpy(q[u], start, sizeof start);
                reports[u] = body_solve(solvers[u], &options, &goal, 1, q[u]);
            }
            for (int u = 1; u < 3; ++u) {
                TEST_INT(reports[u].iterations, reports[0].iterations);
                TEST_INT(reports[u].outcome, reports[0].outcome);
                // near a singular pose the pseudo-inverse makes more of the rounding of the units
                double apart = body_largest_step(scene->skeleton, q[0], q[u]);
                TEST_NEAR(apart, 0.0, 1e-7);
                amplified += apart > 1e-9;
            }
        }
    }
    print_message("%d of 8000 poses differ by more than 1e-9\n", amplified);
    TEST_TRUE(amplified <= 16);
    for (int u = 0; u < 3; ++u) {
        sinew_solver_destroy(solvers[u]);
        sinew_skeleton_destroy(bodies[u]);
    }
    scene_destroy(scene);
}

/// JAC-11, FK-4: one forward kinematics of the chain and at most one Jacobian an iteration, and
/// no more than two evaluations beside them; a Jacobian serves again only after a step taken back.
static void test_counters_jac11(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 3);
    for (int m = 0; m < 4; ++m) {
        for (int i = 0; i < 1000; ++i) {
            scene_Random poses = scene_random(1230 + (uint64_t)i);
            sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
            options.max_iterations = 30;
            options.stall_share = 0.0;
            double q[16];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            effector_goals(scene, q, false, goals);
            goals[1].position.y -= i % 2;
            scene_random_pose(scene, &poses, q);
            sinew_Report report = body_solve(solver, &options, &goals[1], 1, q);
            TEST_TRUE(report.forward_count >= report.iterations);
            TEST_TRUE(report.forward_count <= report.iterations + 2);
            TEST_TRUE(report.jacobian_count <= report.iterations);
            TEST_TRUE(report.jacobian_count >= report.iterations - report.rejections);
            if (methods[m] != SINEW_METHOD_DAMPED) { TEST_INT(report.rejections, 0); }
        }
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// JAC-6: with the Jacobian by central differences the solver takes the same course as with the
/// analytic one; by forward differences it converges as well.
static void test_numeric_option_jac6(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "BODY11", "HAND5" };
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        for (int m = 0; m < 4; m += 2) {
            int met[3] = { 0 }, same = 0;
            long iterations[3] = { 0 };
            const int count = 1000;
            for (int i = 0; i < count; ++i) {
                scene_Random poses = scene_random(1240 + (uint64_t)i);
                double start[MAX_NUMBERS], q[MAX_NUMBERS];
                sinew_Goal goals[SCENE_MAX_EFFECTORS];
                scene_random_pose(scene, &poses, start);
                int goal_count = effector_goals(scene, start, s == 0 && i % 2 == 0, goals);
                sinew_pose_middle(scene->skeleton, start);
                int first = 0;
                for (int k = 0; k < 3; ++k) {
                    sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
                    options.jacobian = k == 0 ? SINEW_JACOBIAN_ANALYTIC
                        : k == 1              ? SINEW_JACOBIAN_CENTRAL_DIFFERENCE
                                              : SINEW_JACOBIAN_FORWARD_DIFFERENCE;
                    options.max_iterations = 50;
                    memcpy(q, start, sizeof q);
                    sinew_Report report = body_solve(solver, &options, goals, goal_count, q);
                    met[k] += report.outcome == SINEW_OUTCOME_CONVERGED;
                    iterations[k] += report.iterations;
                    if (k == 0) { first = report.iterations; }
                    if (k == 1) { same += report.iterations == first; }
                }
            }
            print_message("%s %s: met %d, central %d, forward %d; iterations %.2f, %.2f, %.2f\n",
                names[s], sinew_method_name(methods[m]), met[0], met[1], met[2],
                (double)iterations[0] / count, (double)iterations[1] / count,
                (double)iterations[2] / count);
            TEST_TRUE(same >= 0.85 * count);
            TEST_TRUE(abs(met[1] - met[0]) <= 0.01 * count);
            TEST_TRUE(abs(met[2] - met[0]) <= 0.02 * count);
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

/// WGT-1, WGT-2: mobility 1 everywhere changes no bit; more mobility of the knee gives it a larger
/// share of the motion and the goal is met all the same; 0 locks an axis to the bit.
static void test_mobility_wgt2(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *plain = body_solver(skeleton, 1), *weighted = body_solver(skeleton, 1);
    int axes = sinew_skeleton_axis_count(skeleton);
    int heel = scene->effectors[body_effector(scene, "Heel")].joint;
    int knee = sinew_skeleton_find_joint(skeleton, "Knee");
    int knee_axis = sinew_skeleton_joints(skeleton)[knee].axis_start;
    for (int m = 0; m < 4; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default(methods[m]);
        int met = 0, tried = 0;
        double knee_share[2] = { 0.0, 0.0 };
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(1250, i);
            scene_Random poses = scene_random(1250 + (uint64_t)i);
            double start[16], q[16], other[16], mobility[16];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            effector_goals(scene, q, false, goals);
            sinew_Goal goal = goals[body_effector(scene, "Heel")];
            sinew_pose_middle(skeleton, start);
            memcpy(q, start, sizeof q);
            memcpy(other, start, sizeof q);
            for (int a = 0; a < axes; ++a) { mobility[a] = 1.0; }
            TEST_OK(sinew_solver_set_mobility(weighted, mobility), NULL);
            body_solve(plain, &options, &goal, 1, q);
            body_solve(weighted, &options, &goal, 1, other);
            TEST_TRUE(body_same_bits(q, other, 6));

            // a nudge of 1 cm, so that the share is that of the linear step
            sinew_Transform world[BODY_MAX_JOINTS];
            sinew_pose_forward(skeleton, start, world);
            goal.position = sinew_vec3_add_scaled(
                world[heel].position, test_unit_vector(&random), 0.01);
            for (int k = 0; k < 2; ++k) {
                mobility[knee_axis] = k == 0 ? 1.0 : 2.0;
                TEST_OK(sinew_solver_set_mobility(weighted, mobility), NULL);
                memcpy(other, start, sizeof q);
                sinew_Report report = body_solve(weighted, &options, &goal, 1, other);
                met += report.outcome == SINEW_OUTCOME_CONVERGED;
                ++tried;
                double sum = 0.0;
                for (int d = 0; d < 6; ++d) { sum += fabs(other[d] - start[d]); }
                int c = sinew_skeleton_joints(skeleton)[knee].coordinate_start;
                knee_share[k] += fabs(other[c] - start[c]) / sum / 1000.0;
            }

            int locked = test_int(&random, axes);
            mobility[locked] = 0.0;
            TEST_OK(sinew_solver_set_mobility(weighted, mobility), NULL);
            memcpy(other, start, sizeof q);
            body_solve(weighted, &options, &goal, 1, other);
            TEST_TRUE(body_same_bits(&other[locked], &start[locked], 1));
            TEST_TRUE(!body_same_bits(other, start, 6));
        }
        print_message("%s: the knee's share %.3f, with mobility 2 %.3f; met %d of %d\n",
            sinew_method_name(methods[m]), knee_share[0], knee_share[1], met, tried);
        TEST_TRUE(knee_share[1] > knee_share[0] * 1.02);
        TEST_INT(met, tried);
        TEST_OK(sinew_solver_set_mobility(weighted, NULL), NULL);
    }
    double bad[16] = { 1.0, 1.0, -1.0, 1.0, 1.0, 1.0 };
    TEST_INT(sinew_solver_set_mobility(weighted, bad), SINEW_STATUS_INVALID_ARGUMENT);
    bad[2] = NAN;
    TEST_INT(sinew_solver_set_mobility(weighted, bad), SINEW_STATUS_INVALID_ARGUMENT);
    bad[2] = 1e7;
    TEST_INT(sinew_solver_set_mobility(weighted, bad), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(plain);
    sinew_solver_destroy(weighted);
    scene_destroy(scene);
}

/// FK-5: coordinates that no goal may move keep their bits, whatever is beside the chain.
static void test_untouched_fk5(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(1260, i);
        sinew_Skeleton *skeleton = body_random(&random, 3 + test_int(&random, 15), BODY_EVERYTHING);
        sinew_Solver *solver = body_solver(skeleton, 2);
        double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 2.0, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_Goal goals[2];
        for (int g = 0; g < 2; ++g) {
            goals[g] = body_random_goal(&random, skeleton, world, true);
            goals[g].position = sinew_vec3_add(goals[g].position, test_vector(&random, 0.3));
        }
        sinew_SolveOptions options = sinew_solve_options_default(methods[i % 5]);
        options.max_iterations = 10;
        memcpy(before, q, sizeof before);
        body_solve(solver, &options, goals, 2, q);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            bool moves = false;
            for (int g = 0; g < 2; ++g) {
                moves = moves
                    || (sinew_skeleton_is_ancestor(skeleton, j, goals[g].joint)
                        && (goals[g].chain_root < 0
                            || sinew_skeleton_is_ancestor(skeleton, goals[g].chain_root, j)));
            }
            if (moves) { continue; }
            int c = joints[j].coordinate_start;
            TEST_TRUE(body_same_bits(&q[c], &before[c], joints[j].coordinate_count));
        }
        sinew_solver_destroy(solver);
        sinew_skeleton_destroy(skeleton);
    }
}

/// SKEL-2: solving never changes the length of a bone by more than 1e-12 of it.
static void test_bone_lengths_skel2(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "BODY11", "HAND", "MAN18", "SPIDER", "QUADRUPED" };
    for (size_t s = 0; s < sizeof names / sizeof names[0]; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
        for (int i = 0; i < 200; ++i) {
            scene_Random poses = scene_random(1270 + (uint64_t)i);
            double q[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            sinew_Transform world[BODY_MAX_JOINTS];
            scene_random_pose(scene, &poses, q);
            int count = effector_goals(scene, q, false, goals);
            scene_random_pose(scene, &poses, q);
            sinew_SolveOptions options = sinew_solve_options_default(methods[i % 5]);
            options.max_iterations = 30;
            body_solve(solver, &options, goals, count, q);
            sinew_pose_forward(scene->skeleton, q, world);
            for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
                int parent = joints[j].parent;
                const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
                bool slides = false;
                for (int a = 0; a < joints[j].axis_count; ++a) {
                    slides = slides || axes[joints[j].axis_start + a].kind == SINEW_AXIS_SLIDE;
                }
                if (parent < 0 || slides) { continue; }
                double length = sinew_vec3_length(joints[j].offset);
                double now = sinew_vec3_distance(world[j].position, world[parent].position);
                TEST_NEAR(now, length, 1e-12 * (1.0 + length));
            }
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

/// SKEL-3: effectors in the middle of a chain converge, in BODY11 and in HAND.
static void test_middle_effectors_skel3(void **state)
{
    (void)state;
    static const char *const names[] = { "BODY11", "HAND" };
    for (int s = 0; s < 2; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, 1);
        const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
        int met = 0, tried = 0;
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(1280 + (uint64_t)s, i);
            scene_Random poses = scene_random(1280 + (uint64_t)i);
            // a joint with children that something above it moves
            int joint = test_int(&random, sinew_skeleton_joint_count(scene->skeleton));
            if (joints[joint].subtree_count < 2 || joints[joint].parent < 0
                || joints[joint].dof_start == 0) {
                continue;
            }
            ++tried;
            double q[MAX_NUMBERS];
            sinew_Transform world[BODY_MAX_JOINTS];
            scene_random_pose(scene, &poses, q);
            sinew_pose_forward(scene->skeleton, q, world);
            sinew_Goal goal = sinew_goal_position(joint, world[joint].position);
            sinew_pose_middle(scene->skeleton, q);
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            met += report.outcome == SINEW_OUTCOME_CONVERGED;
        }
        print_message("%s: %d of %d goals of mid-chain joints met\n", names[s], met, tried);
        TEST_TRUE(tried > 100);
        TEST_TRUE(met >= 0.99 * tried);
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

/// SKEL-4: each effector of the humanoid of figure 1.1 hangs on a chain up to the root that reaches
/// its goals.
static void test_figure_skel4(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("FIGURE1");
    sinew_Solver *solver = body_solver(scene->skeleton, 1);
    TEST_TRUE(scene->effector_count >= 5);
    for (int e = 0; e < scene->effector_count; ++e) {
        int joint = scene->effectors[e].joint;
        TEST_TRUE(sinew_skeleton_is_ancestor(scene->skeleton, 0, joint));
        int met = 0;
        for (int i = 0; i < 200; ++i) {
            scene_Random poses = scene_random(1290 + (uint64_t)i);
            double q[MAX_NUMBERS];
            sinew_Transform world[BODY_MAX_JOINTS];
            scene_random_pose(scene, &poses, q);
            sinew_pose_forward(scene->skeleton, q, world);
            sinew_Goal goal = sinew_goal_position(joint, world[joint].position);
            sinew_pose_middle(scene->skeleton, q);
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
            sinew_Report report = body_solve(solver, &options, &goal, 1, q);
            met += report.outcome == SINEW_OUTCOME_CONVERGED;
        }
        print_message("%s: %d of 200 met\n", scene->effectors[e].name, met);
        TEST_TRUE(met >= 190);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// A goal that is met already costs no iteration and no bit; min_iterations asks for more.
static void test_goal_met_at_start(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "BODY11", "HAND" };
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
        for (int i = 0; i < 1000; ++i) {
            scene_Random poses = scene_random(1300 + (uint64_t)i);
            double q[MAX_NUMBERS], before[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, q);
            int count = effector_goals(scene, q, false, goals);
            memcpy(before, q, sizeof q);
            sinew_SolveOptions options = sinew_solve_options_default(methods[i % 5]);
            sinew_Report report = body_solve(solver, &options, goals, count, q);
            TEST_INT(report.iterations, 0);
            TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
            TEST_TRUE(body_same_bits(q, before, numbers));
            options.min_iterations = 2;
            for (int g = 0; g < count; ++g) { goals[g].position.x += 5e-4; }
            report = body_solve(solver, &options, goals, count, q);
            TEST_TRUE(report.iterations >= 2);
        }
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

// Nothing asked for is met: the pose keeps its bits, also outside its limits, which the report tells. A pose that is none is
// refused.
static void test_no_goals(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("LEG");
    sinew_Solver *solver = body_solver(scene->skeleton, 4);
    double q[MAX_NUMBERS], before[MAX_NUMBERS];
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    sinew_pose_rest(scene->skeleton, q);
    q[numbers - 1] += 9.0;
    memcpy(before, q, sizeof q);
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        sinew_SolveOptions options = sinew_solve_options_default((sinew_Method)m);
        sinew_Report report;
        sinew_Message message = { "" };
        TEST_OK(sinew_solver_solve(solver, &options, NULL, 0, q, &report, &message), &message);
        TEST_INT(report.outcome, SINEW_OUTCOME_CONVERGED);
        TEST_INT(report.iterations, 0);
        TEST_NEAR(report.limit_violation, sinew_pose_limit_violation(scene->skeleton, q), 1e-12);
        TEST_TRUE(report.limit_violation > 1.0);
        TEST_TRUE(body_same_bits(q, before, numbers));
        // and the solver goes on as before
        sinew_Goal goal = sinew_goal_position(1, sinew_vec3(0.1, 0.5, 0.1));
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, &message), &message);
        memcpy(q, before, sizeof q);
        TEST_INT(sinew_solver_solve(solver, &options, NULL, 1, q, NULL, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        assert_string_equal(message.text, "goals is NULL");
        TEST_INT(sinew_solver_solve(solver, &options, &goal, -1, q, NULL, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        q[0] = NAN;
        TEST_INT(sinew_solver_solve(solver, &options, NULL, 0, q, NULL, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        memcpy(q, before, sizeof q);
    }
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

// A game that is paused: a frame of no seconds moves nothing and tells how far the goals are.
static void test_frame_without_time(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("BODY11");
    sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    sinew_Tracker *tracker;
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    for (int i = 0; i < 100; ++i) {
        scene_Random poses = scene_random(1400 + (uint64_t)i);
        double q[MAX_NUMBERS], before[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(scene, &poses, q);
        int count = effector_goals(scene, q, false, goals);
        memcpy(before, q, sizeof q);
        for (int g = 0; g < count; ++g) { goals[g].position.x += 0.2; }
        sinew_SolveOptions options = sinew_solve_options_motion(0.0);
        sinew_Report report = body_solve(solver, &options, goals, count, q);
        TEST_TRUE(body_same_bits(q, before, numbers));
        TEST_NEAR(report.position_error, 0.2, 1e-9);
        TEST_INT(report.iterations, 0);
        // going on moves again
        options = sinew_solve_options_motion(1.0 / 60.0);
        report = body_solve(solver, &options, goals, count, q);
        TEST_TRUE(!body_same_bits(q, before, numbers));
    }
    double q[MAX_NUMBERS];
    sinew_pose_rest(scene->skeleton, q);
    sinew_Goal goal = sinew_goal_rest(1.0);
    sinew_SolveOptions options = sinew_solve_options_motion(-1.0 / 60.0);
    TEST_INT(sinew_solver_solve(solver, &options, &goal, 1, q, NULL, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    sinew_TrackerDef def = sinew_tracker_def_default();
    def.skeleton = scene->skeleton;
    def.options.max_joint_change = 0.0;
    TEST_INT(sinew_tracker_create(&def, &tracker, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// DLS-2: the four forms lead a solve to the same pose, and the report says which was taken.
static void test_forms_in_the_loop_dls2(void **state)
{
    (void)state;
    static const char *const names[] = { "LEG", "BODY11", "HAND", "MAN18" };
    for (int s = 0; s < 4; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        double worst = 0.0;
        for (int i = 0; i < 250; ++i) {
            scene_Random poses = scene_random(1310 + (uint64_t)i);
            double start[MAX_NUMBERS], first[MAX_NUMBERS], q[MAX_NUMBERS];
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            scene_random_pose(scene, &poses, start);
            int count = effector_goals(scene, start, s == 0, goals);
            sinew_pose_middle(scene->skeleton, start);
            for (int form = SINEW_FORM_ROWS; form < SINEW_FORM_COUNT; ++form) {
                sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
                options.form = (sinew_LinearForm)form;
                options.damping = 0.1;
                options.max_iterations = 5;
                options.stall_share = 0.0;
                memcpy(q, start, sizeof q);
                sinew_Report report = body_solve(solver, &options, goals, count, q);
                TEST_INT(report.form, form);
                if (form == SINEW_FORM_ROWS) { memcpy(first, q, sizeof q); }
                worst = fmax(worst, body_largest_step(scene->skeleton, first, q));
            }
        }
        print_message("%s: poses of the four forms differ by at most %.1e\n", names[s], worst);
        TEST_TRUE(worst < 1e-8);
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

/// What was solved before leaves no trace: a used solver gives the bits of a new one.
static void test_no_memory_of_the_past(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    sinew_Solver *used = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
    int numbers = sinew_skeleton_coordinate_count(scene->skeleton);
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(1320, i);
        scene_Random poses = scene_random(1320 + (uint64_t)i);
        double q[MAX_NUMBERS], other[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_random_pose(scene, &poses, q);
        int count = effector_goals(scene, q, test_int(&random, 2) == 0, goals);
        count = 1 + test_int(&random, count);
        scene_random_pose(scene, &poses, q);
        memcpy(other, q, sizeof q);
        sinew_SolveOptions options = sinew_solve_options_default(methods[test_int(&random, 5)]);
        options.max_iterations = 8;
        options.form = (sinew_LinearForm)test_int(&random, 5);
        sinew_Solver *fresh = body_solver(scene->skeleton, SCENE_MAX_EFFECTORS);
        body_solve(used, &options, goals, count, q);
        body_solve(fresh, &options, goals, count, other);
        TEST_TRUE(body_same_bits(q, other, numbers));
        sinew_solver_destroy(fresh);
    }
    sinew_solver_destroy(used);
    scene_destroy(scene);
}

// one frame of a limb by a solver that has a past and by a new one
static void check_limb_frame(const scene_Scene *scene, sinew_Solver *used,
    const sinew_SolveOptions *options, const sinew_Goal *goal, double narrow, double *q)
{
    const sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *fresh = body_solver(skeleton, 1);
    double other[MAX_NUMBERS];
    int numbers = sinew_skeleton_coordinate_count(skeleton);
    memcpy(other, q, (size_t)numbers * sizeof *q);
    const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
    for (int a = 0; narrow > 0.0 && a < sinew_skeleton_axis_count(skeleton); ++a) {
        if (axes[a].kind == SINEW_AXIS_BALL) { continue; }
        double upper = fmax(axes[a].lower, fmin(axes[a].upper, narrow));
        TEST_OK(sinew_solver_set_range(used, a, axes[a].lower, upper), NULL);
        TEST_OK(sinew_solver_set_range(fresh, a, axes[a].lower, upper), NULL);
    }
    sinew_Report r = body_solve(used, options, goal, 1, q);
    sinew_Report s = body_solve(fresh, options, goal, 1, other);
    const double left[4] = { r.position_error, r.orientation_error, r.objective,
        r.start_objective };
    const double right[4] = { s.position_error, s.orientation_error, s.objective,
        s.start_objective };
    TEST_TRUE(body_same_bits(q, other, numbers));
    TEST_TRUE(body_same_bits(left, right, 4));
    TEST_INT(r.found_by, s.found_by);
    TEST_INT(r.branch_change, s.branch_change);
    TEST_INT(r.iterations, s.iterations);
    TEST_INT(r.forward_count, s.forward_count);
    if (narrow > 0.0) { sinew_solver_reset_limits(used); }
    sinew_solver_destroy(fresh);
}

/// Nor do limbs that go on from their last answer, whose pose is known then, whatever came between: other
/// ways to keep limits, ranges that change, goals that are met, all answers.
static void test_limbs_have_no_memory(void **state)
{
    (void)state;
    static const char *const names[2] = { "LEG", "ARM" };
    for (int s = 0; s < 2; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *used = body_solver(scene->skeleton, 1);
        double q[MAX_NUMBERS], to[MAX_NUMBERS], rest[MAX_NUMBERS];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        scene_Random poses = scene_random(1321 + (uint64_t)s);
        sinew_pose_rest(scene->skeleton, rest);
        memcpy(q, rest, sizeof q);
        for (int i = 0; i < 1500; ++i) {
            test_Random random = test_case(1321, i);
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_AUTO);
            options.position_tolerance = options.orientation_tolerance = 1e-6;
            int what = test_int(&random, 12);
            options.branch = (sinew_BranchChoice)test_int(&random, 3);
            if (what < 2) { options.limits = what == 0 ? SINEW_LIMITS_CLAMP : SINEW_LIMITS_NONE; }
            if (what == 2) { options.restarts = 0; }
            if (what == 3) { options.max_joint_change = 0.3; }
            if (what == 4) { options.rest_weight = 1e-3; }
            if (what == 5) { memcpy(q, rest, sizeof q); }
            // a goal that is met is asked for again, or the next one is anywhere
            if (what != 6) { scene_random_pose(scene, &poses, to); }
            (void)effector_goals(scene, what == 6 ? q : to, i / 300 % 2 == 1, goals);
            if (what == 7) {
                double pose[MAX_NUMBERS], way;
                int branch;
                sinew_Answers answers = {
                    .capacity = 1, .poses = pose, .ways = &way, .branches = &branch
                };
                (void)sinew_solver_answers(used, &options, &goals[0], q, &answers, NULL);
            }
            check_limb_frame(scene, used, &options, &goals[0], what == 8 ? 0.4 : 0.0, q);
        }
        sinew_solver_destroy(used);
        scene_destroy(scene);
    }
}

/// The rest pull goes to the pose that was set, the velocity pull stays at the start; both give way
/// to the goals.
static void test_rest_and_velocity(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = body_solver(skeleton, 1);
    int dofs = sinew_skeleton_dof_count(skeleton);
    double far[3] = { 0.0, 0.0, 0.0 };
    for (int i = 0; i < 1000; ++i) {
        scene_Random poses = scene_random(1330 + (uint64_t)i);
        double wanted[16], start[16], q[16];
        sinew_Goal goals[SCENE_MAX_EFFECTORS];
        sinew_pose_middle(skeleton, start);
        for (int d = 0; d < dofs; ++d) {
            wanted[d] = start[d] + scene_random_range(&poses, -0.3, 0.3);
        }
        effector_goals(scene, wanted, false, goals);
        for (int k = 0; k < 3; ++k) {
            // 0: nothing; 1: pull to the pose that the goal comes from; 2: held at the start
            sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
            options.stall_share = 1e-9;
            options.position_tolerance = 1e-9;
            options.rest_weight = k == 1 ? 1e-4 : 0.0;
            options.velocity_weight = k == 2 ? 1e-1 : 0.0;
            TEST_OK(sinew_solver_set_rest(solver, k == 1 ? wanted : NULL), NULL);
            memcpy(q, start, sizeof q);
            body_solve(solver, &options, goals, 1, q);
            far[k] += body_largest_step(skeleton, k == 2 ? start : wanted, q) / 1000.0;
        }
    }
    print_message("mean distance to the wanted pose: %.3f rad, with a pull %.4f rad; "
                  "to the start when held back %.3f rad\n",
        far[0], far[1], far[2]);
    TEST_TRUE(far[1] < 0.05 * far[0]);
    TEST_TRUE(far[2] < far[0]);
    double bad[16] = { NAN };
    TEST_INT(sinew_solver_set_rest(solver, bad), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// PINV-9: what is called converged meets every goal in the pose that is returned, also where an
/// earlier pose had a smaller sum of errors.
static void test_converged_is_met_pinv9(void **state)
{
    (void)state;
    static const char *const names[] = { "HAND5", "BODY11", "LEG" };
    for (int s = 0; s < 3; ++s) {
        scene_Scene *scene = body_scene(names[s]);
        sinew_Solver *solver = body_solver(scene->skeleton, scene->effector_count);
        int converged = 0;
        for (int i = 0; i < 400; ++i) {
            test_Random random = test_case(1208, i);
            sinew_SolveOptions options = sinew_solve_options_default(
                (sinew_Method)test_int(&random, SINEW_METHOD_COUNT));
            options.limits = test_int(&random, 2) ? SINEW_LIMITS_ACTIVE : SINEW_LIMITS_CLAMP;
            options.restarts = test_int(&random, 3);
            double q[BODY_MAX_NUMBERS];
            sinew_Transform world[BODY_MAX_JOINTS];
            scene_Random poses = scene_random(test_bits(&random));
            scene_random_pose(scene, &poses, q);
            sinew_pose_forward(scene->skeleton, q, world);
            sinew_Goal goals[SCENE_MAX_EFFECTORS];
            for (int e = 0; e < scene->effector_count; ++e) {
                int joint = scene->effectors[e].joint;
                goals[e] = sinew_goal_position(joint, world[joint].position);
            }
            sinew_pose_middle(scene->skeleton, q);
            sinew_Report report = body_solve(solver, &options, goals, scene->effector_count, q);
            if (report.outcome != SINEW_OUTCOME_CONVERGED) { continue; }
            ++converged;
            sinew_pose_forward(scene->skeleton, q, world);
            for (int e = 0; e < scene->effector_count; ++e) {
                double error = sinew_vec3_distance(
                    world[scene->effectors[e].joint].position, goals[e].position);
                TEST_TRUE(error <= options.position_tolerance + 1e-12);
            }
        }
        TEST_TRUE(converged > 250);
        sinew_solver_destroy(solver);
        scene_destroy(scene);
    }
}

TEST_MAIN(cmocka_unit_test(test_report_pinv9), cmocka_unit_test(test_objective_pinv9),
    cmocka_unit_test(test_units_jac10), cmocka_unit_test(test_counters_jac11),
    cmocka_unit_test(test_numeric_option_jac6), cmocka_unit_test(test_mobility_wgt2),
    cmocka_unit_test(test_untouched_fk5), cmocka_unit_test(test_bone_lengths_skel2),
    cmocka_unit_test(test_middle_effectors_skel3), cmocka_unit_test(test_figure_skel4),
    cmocka_unit_test(test_goal_met_at_start), cmocka_unit_test(test_no_goals),
    cmocka_unit_test(test_frame_without_time), cmocka_unit_test(test_forms_in_the_loop_dls2),
    cmocka_unit_test(test_no_memory_of_the_past), cmocka_unit_test(test_limbs_have_no_memory),
    cmocka_unit_test(test_rest_and_velocity), cmocka_unit_test(test_converged_is_met_pinv9))
