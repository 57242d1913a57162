// The Jacobian against finite differences and its own definition, on every scene and random bodies.

#include "bodies.h"

#include "math/svd.h"
#include "sinew/jacobian.h"

static double largest_entry(const double *a, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) { largest = fmax(largest, fabs(a[i])); }
    return largest;
}

static double largest_difference(const double *a, const double *b, int count)
{
    double largest = 0.0;
    for (int i = 0; i < count; ++i) { largest = fmax(largest, fabs(a[i] - b[i])); }
    return largest;
}

// place first, then orientation: the order of arguments is the compiler's
static sinew_Goal random_pose_goal(test_Random *random, int joint)
{
    sinew_Vec3 place = test_vector(random, 1.0);
    return sinew_goal_pose(joint, place, test_unit_quat(random));
}

typedef struct Workbench {
    const sinew_Skeleton *skeleton;
    int dofs;
    double q[BODY_MAX_NUMBERS], scratch_q[BODY_MAX_NUMBERS];
    sinew_Transform world[BODY_MAX_JOINTS], scratch_world[BODY_MAX_JOINTS];
    double analytic[6 * BODY_MAX_NUMBERS], numeric[6 * BODY_MAX_NUMBERS];
} Workbench;

static void set_body(Workbench *bench, const sinew_Skeleton *skeleton)
{
    bench->skeleton = skeleton;
    bench->dofs = sinew_skeleton_dof_count(skeleton);
    TEST_TRUE(sinew_skeleton_joint_count(skeleton) <= BODY_MAX_JOINTS);
    TEST_TRUE(sinew_skeleton_coordinate_count(skeleton) <= BODY_MAX_NUMBERS);
}

static void set_numeric(
    Workbench *bench, const sinew_Goal *goal, sinew_Difference difference, double step)
{
    sinew_jacobian_numeric(bench->skeleton, bench->q, goal, difference, step, bench->scratch_q,
        bench->scratch_world, bench->numeric);
}

static void set_analytic(Workbench *bench, const sinew_Goal *goal)
{
    sinew_pose_forward(bench->skeleton, bench->q, bench->world);
    sinew_jacobian(bench->skeleton, bench->q, bench->world, goal, bench->analytic);
}

// analytic and central differences at one step width; the error of central differences is
// h^2 / 6 times the third derivative (about the arm) plus rounding of about 1e-16 size / h
static void check_central(Workbench *bench, const sinew_Goal *goal, double step)
{
    int count = sinew_goal_row_count(goal) * bench->dofs;
    set_analytic(bench, goal);
    set_numeric(bench, goal, SINEW_DIFFERENCE_CENTRAL, step);
    double scale = fmax(largest_entry(bench->analytic, count), 0.1);
    TEST_NEAR(largest_difference(bench->analytic, bench->numeric, count) / scale, 0.0, 1e-7);
}

static const double widths[3] = { 1e-4, 1e-5, 1e-6 };

/// JAC-1, JAC-6: analytic and central differences agree to 1e-7 on 1000 random poses of each scene.
static void test_scenes_jac6(void **state)
{
    (void)state;
    static Workbench bench;
    for (int s = 0; s < scene_count(); ++s) {
        scene_Scene *scene = body_scene(scene_name(s));
        set_body(&bench, scene->skeleton);
        scene_Random poses = scene_random(601 + (uint64_t)s);
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(601 + (uint64_t)s, i);
            scene_random_pose(scene, &poses, bench.q);
            int joint = test_int(&random, sinew_skeleton_joint_count(scene->skeleton));
            sinew_Goal goal = i % 2 == 0 ? sinew_goal_position(joint, test_vector(&random, 1.0))
                                         : random_pose_goal(&random, joint);
            if (i % 3 == 0) { goal.joint_from_effector = test_transform(&random, 0.3); }
            check_central(&bench, &goal, widths[i / 2 % 3]);
        }
        scene_destroy(scene);
    }
}

/// JAC-1, JAC-4, JAC-6, SKEL-5: the same on random bodies of every mixture of axes, any angle.
static void test_random_bodies_jac6(void **state)
{
    (void)state;
    static Workbench bench;
    static const unsigned kinds[] = { BODY_HINGE, BODY_SLIDE, BODY_BALL, BODY_HINGE | BODY_SLIDE,
        BODY_HINGE | BODY_SKEW | BODY_TURNED, BODY_EVERYTHING };
    for (int k = 0; k < 6; ++k) {
        for (int i = 0; i < 1000; ++i) {
            test_Random random = test_case(620 + (uint64_t)k, i);
            sinew_Skeleton *skeleton = body_random(&random, 2 + test_int(&random, 12), kinds[k]);
            set_body(&bench, skeleton);
            body_random_pose(&random, skeleton, 1.5, bench.q);
            sinew_pose_forward(skeleton, bench.q, bench.world);
            sinew_Goal goal = body_random_goal(&random, skeleton, bench.world, true);
            check_central(&bench, &goal, widths[i % 3]);
            sinew_skeleton_destroy(skeleton);
        }
    }
}

/// JAC-6: the error of forward differences is about half the step, down to rounding.
static void test_forward_difference_jac6(void **state)
{
    (void)state;
    static Workbench bench;
    scene_Scene *scene = body_scene("LEG");
    set_body(&bench, scene->skeleton);
    scene_Random poses = scene_random(630);
    double mean_wide = 0.0, mean_fine = 0.0;
    const int count = 1000;
    for (int i = 0; i < count; ++i) {
        scene_random_pose(scene, &poses, bench.q);
        sinew_Goal goal = sinew_goal_position(scene->effectors[1].joint, sinew_vec3(0.0, 0.0, 0.0));
        set_analytic(&bench, &goal);
        double scale = largest_entry(bench.analytic, 3 * bench.dofs);
        set_numeric(&bench, &goal, SINEW_DIFFERENCE_FORWARD, 1e-3);
        mean_wide += largest_difference(bench.analytic, bench.numeric, 3 * bench.dofs) / scale;
        set_numeric(&bench, &goal, SINEW_DIFFERENCE_FORWARD, 1e-8);
        mean_fine += largest_difference(bench.analytic, bench.numeric, 3 * bench.dofs) / scale;
    }
    print_message("forward difference: %.2e at h = 1e-3, %.2e at h = 1e-8\n", mean_wide / count,
        mean_fine / count);
    TEST_NEAR(mean_wide / count, 5e-4, 1e-4);
    // 1e-16 of the pelvis' height of 1 m over h and arms of 0.3 to 0.9 m
    TEST_TRUE(mean_fine / count < 1e-7);
    scene_destroy(scene);
}

/// JAC-2: J times joint speeds is the effector's velocity and angular velocity in the world.
static void test_velocity_jac2(void **state)
{
    (void)state;
    static Workbench bench;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(640, i);
        sinew_Skeleton *skeleton = body_random(&random, 2 + test_int(&random, 10), BODY_EVERYTHING);
        set_body(&bench, skeleton);
        body_random_pose(&random, skeleton, 1.5, bench.q);
        sinew_pose_forward(skeleton, bench.q, bench.world);
        sinew_Goal goal = body_random_goal(&random, skeleton, bench.world, false);
        goal.kind = SINEW_GOAL_POSE;
        set_analytic(&bench, &goal);

        double speed[BODY_MAX_NUMBERS], step[BODY_MAX_NUMBERS];
        const double h = 1e-5;
        sinew_Transform at[2];
        for (int d = 0; d < bench.dofs; ++d) { speed[d] = test_normal(&random); }
        for (int side = 0; side < 2; ++side) {
            for (int d = 0; d < bench.dofs; ++d) { step[d] = (side == 0 ? -h : h) * speed[d]; }
            sinew_pose_integrate(skeleton, bench.q, step, bench.scratch_q);
            sinew_pose_forward(skeleton, bench.scratch_q, bench.scratch_world);
            at[side] = sinew_transform_mul(
                bench.scratch_world[goal.joint], goal.joint_from_effector);
        }
        sinew_Vec3 velocity = sinew_vec3_scale(
            sinew_vec3_sub(at[1].position, at[0].position), 0.5 / h);
        sinew_Vec3 turn = sinew_quat_log(sinew_quat_normalize(
            sinew_quat_mul(at[1].rotation, sinew_quat_conjugate(at[0].rotation))));
        turn = sinew_vec3_scale(turn, 0.5 / h);
        double expected[6] = { velocity.x, velocity.y, velocity.z, turn.x, turn.y, turn.z };
        double scale = fmax(1.0, largest_entry(expected, 6));
        for (int r = 0; r < 6; ++r) {
            double sum = 0.0;
            for (int d = 0; d < bench.dofs; ++d) {
                sum += bench.analytic[r * bench.dofs + d] * speed[d];
            }
            TEST_NEAR(sum / scale, expected[r] / scale, 1e-6);
        }
        sinew_skeleton_destroy(skeleton);
    }
}

/// JAC-3: a hinge's column is (a x (p_e - p_j); a), and the half Jacobian is the full one's top.
static void test_hinge_columns_jac3(void **state)
{
    (void)state;
    static Workbench bench;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(650, i);
        // one hinge a joint, so that its axis stands still in the joint's own frame
        sinew_JointDef joints[6];
        sinew_Axis axes[6];
        for (int j = 0; j < 6; ++j) {
            joints[j] = sinew_joint_def_default();
            joints[j].name = "hinge";
            joints[j].parent = j - 1;
            joints[j].offset = test_vector(&random, 0.4);
            axes[j] = sinew_axis_hinge(test_unit_vector(&random), -INFINITY, INFINITY);
            joints[j].axes = &axes[j];
            joints[j].axis_count = 1;
        }
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(joints, 6, NULL, &skeleton, NULL), NULL);
        set_body(&bench, skeleton);
        body_random_pose(&random, skeleton, 3.0, bench.q);
        sinew_Goal full = random_pose_goal(&random, 5);
        full.joint_from_effector = test_transform(&random, 0.2);
        set_analytic(&bench, &full);
        sinew_Vec3 effector = sinew_transform_point(
            bench.world[5], full.joint_from_effector.position);
        for (int d = 0; d < 6; ++d) {
            sinew_Vec3 a = sinew_quat_rotate(bench.world[d].rotation, axes[d].direction);
            sinew_Vec3 b = sinew_vec3_cross(a, sinew_vec3_sub(effector, bench.world[d].position));
            const double *j = bench.analytic;
            TEST_VEC3_NEAR(sinew_vec3(j[d], j[6 + d], j[12 + d]), b, 1e-13);
            TEST_VEC3_NEAR(sinew_vec3(j[18 + d], j[24 + d], j[30 + d]), a, 1e-13);
        }
        sinew_Goal half = full;
        half.kind = SINEW_GOAL_POSITION;
        TEST_INT(sinew_goal_row_count(&half), 3);
        TEST_INT(sinew_goal_row_count(&full), 6);
        sinew_jacobian(skeleton, bench.q, bench.world, &half, bench.numeric);
        TEST_TRUE(body_same_bits(bench.numeric, bench.analytic, 18));
        sinew_skeleton_destroy(skeleton);
    }
}

/// JAC-4: the axes of R = Rx Ry Rz are x, Rx y and Rx Ry z, at angles up to 1.5 rad.
static void test_intermediate_axes_jac4(void **state)
{
    (void)state;
    sinew_Axis axes[3] = { sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -INFINITY, INFINITY),
        sinew_axis_hinge(sinew_vec3(0.0, 1.0, 0.0), -INFINITY, INFINITY),
        sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -INFINITY, INFINITY) };
    sinew_JointDef joint = sinew_joint_def_default();
    joint.name = "euler";
    joint.axes = axes;
    joint.axis_count = 3;
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &skeleton, NULL), NULL);
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(660, i);
        double q[3];
        for (int k = 0; k < 3; ++k) { q[k] = test_range(&random, -1.5, 1.5); }
        sinew_Transform world;
        sinew_pose_forward(skeleton, q, &world);
        sinew_Goal goal = sinew_goal_orientation(0, sinew_quat_identity());
        double jacobian[9];
        sinew_jacobian(skeleton, q, &world, &goal, jacobian);
        double sx = sin(q[0]), cx = cos(q[0]), sy = sin(q[1]), cy = cos(q[1]);
        // x; Rx y; Rx Ry z
        const sinew_Vec3 expected[3] = { { 1.0, 0.0, 0.0 }, { 0.0, cx, sx },
            { sy, -sx * cy, cx * cy } };
        for (int d = 0; d < 3; ++d) {
            TEST_VEC3_NEAR(
                sinew_vec3(jacobian[d], jacobian[3 + d], jacobian[6 + d]), expected[d], 1e-14);
        }
    }
    sinew_skeleton_destroy(skeleton);
}

/// JAC-5: the column of a slide is its world axis with an angular part of exactly 0, anywhere.
static void test_slide_columns_jac5(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(670, i);
        sinew_Axis axes[3] = { sinew_axis_slide(test_unit_vector(&random)), sinew_axis_ball(),
            sinew_axis_slide(test_unit_vector(&random)) };
        sinew_JointDef joints[3];
        for (int j = 0; j < 3; ++j) {
            joints[j] = sinew_joint_def_default();
            joints[j].name = "joint";
            joints[j].parent = j - 1;
            joints[j].offset = test_vector(&random, 0.5);
            joints[j].axes = &axes[j];
            joints[j].axis_count = 1;
        }
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, NULL), NULL);
        double q[6], jacobian[30];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_Transform world[3];
        sinew_pose_forward(skeleton, q, world);
        sinew_Goal goal = random_pose_goal(&random, 2);
        sinew_jacobian(skeleton, q, world, &goal, jacobian);
        // dofs: slide 0, ball 1..3, slide 4
        sinew_Vec3 turned = sinew_quat_rotate(world[1].rotation, axes[2].direction);
        TEST_VEC3_NEAR(
            sinew_vec3(jacobian[0], jacobian[5], jacobian[10]), axes[0].direction, 1e-15);
        TEST_VEC3_NEAR(sinew_vec3(jacobian[4], jacobian[9], jacobian[14]), turned, 1e-14);
        for (int r = 3; r < 6; ++r) {
            TEST_TRUE(jacobian[r * 5] == 0.0);
            TEST_TRUE(jacobian[r * 5 + 4] == 0.0);
        }
        sinew_skeleton_destroy(skeleton);
    }
}

/// JAC-7: column k is dof k of the skeleton, root first: ancestors have the smaller columns, and
/// column k is what moving dof k alone does.
static void test_column_order_jac7(void **state)
{
    (void)state;
    static Workbench bench;
    for (int s = 0; s < scene_count(); ++s) {
        scene_Scene *scene = body_scene(scene_name(s));
        set_body(&bench, scene->skeleton);
        const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(scene->skeleton);
        int next = 0;
        for (int j = 0; j < sinew_skeleton_joint_count(scene->skeleton); ++j) {
            TEST_INT(joints[j].dof_start, next);
            next += joints[j].dof_count;
            TEST_TRUE(joints[j].parent < j);
        }
        TEST_INT(next, bench.dofs);
        for (int a = 1; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
            TEST_TRUE(places[a].dof > places[a - 1].dof);
        }

        scene_Random random = scene_random(680);
        scene_random_pose(scene, &random, bench.q);
        const scene_Effector *effector = &scene->effectors[scene->effector_count - 1];
        sinew_Goal goal = sinew_goal_position(effector->joint, sinew_vec3(0.0, 0.0, 0.0));
        set_analytic(&bench, &goal);
        sinew_Vec3 before = bench.world[effector->joint].position;
        for (int d = 0; d < bench.dofs; ++d) {
            double step[BODY_MAX_NUMBERS] = { 0.0 };
            step[d] = 1e-7;
            sinew_pose_integrate(scene->skeleton, bench.q, step, bench.scratch_q);
            sinew_pose_forward(scene->skeleton, bench.scratch_q, bench.scratch_world);
            sinew_Vec3 moved = sinew_vec3_scale(
                sinew_vec3_sub(bench.scratch_world[effector->joint].position, before), 1e7);
            const double *j = &bench.analytic[d];
            TEST_VEC3_NEAR(moved, sinew_vec3(j[0], j[bench.dofs], j[2 * bench.dofs]), 1e-6);
        }
        scene_destroy(scene);
    }
}

/// JAC-8: columns of joints that are no ancestors are exactly zero, those of ancestors are not.
static void test_zero_pattern_jac8(void **state)
{
    (void)state;
    static Workbench bench;
    int zero_count = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(690, i);
        sinew_Skeleton *skeleton = body_random(&random, 3 + test_int(&random, 12), BODY_EVERYTHING);
        set_body(&bench, skeleton);
        body_random_pose(&random, skeleton, 1.5, bench.q);
        sinew_pose_forward(skeleton, bench.q, bench.world);
        sinew_Goal goal = body_random_goal(&random, skeleton, bench.world, false);
        goal.kind = SINEW_GOAL_POSE;
        goal.joint_from_effector.position = test_vector(&random, 0.2);
        for (int k = 0; k < 6 * bench.dofs; ++k) { bench.analytic[k] = 7.0; }
        set_analytic(&bench, &goal);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            bool moves = sinew_skeleton_is_ancestor(skeleton, j, goal.joint);
            for (int d = joints[j].dof_start; d < joints[j].dof_start + joints[j].dof_count; ++d) {
                double size = 0.0;
                for (int r = 0; r < 6; ++r) { size += fabs(bench.analytic[r * bench.dofs + d]); }
                TEST_TRUE(moves ? size > 0.5 : size == 0.0);
                zero_count += !moves;
            }
        }
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(zero_count > 1000);
}

/// JAC-9: the orientation error is a world rotation vector of length at most pi that leads from the
/// current to the wanted orientation.
static void test_orientation_error_jac9(void **state)
{
    (void)state;
    for (int i = 0; i < 10000; ++i) {
        test_Random random = test_case(700, i);
        sinew_Transform world = test_transform(&random, 1.0);
        sinew_Goal goal = random_pose_goal(&random, 0);
        // every tenth beside a half turn
        if (i % 10 == 0) {
            double angle = SINEW_PI - 1e-9 * test_int(&random, 3);
            sinew_Quat turn = sinew_quat_from_axis_angle(test_unit_vector(&random), angle);
            goal.orientation = sinew_quat_mul(turn, world.rotation);
        }
        double error[6];
        sinew_goal_error(&goal, &world, error);
        TEST_VEC3_NEAR(sinew_vec3(error[0], error[1], error[2]),
            sinew_vec3_sub(goal.position, world.position), 1e-15);
        sinew_Vec3 turn = { error[3], error[4], error[5] };
        TEST_TRUE(sinew_vec3_length(turn) <= SINEW_PI + 1e-12);
        TEST_QUAT_NEAR(
            sinew_quat_mul(sinew_quat_exp(turn), world.rotation), goal.orientation, 1e-7);
    }
}

/// JAC-9: one full step from an error of 1e-3 rad lands within 1e-5 rad, on ARM wherever its
/// Jacobian is well conditioned.
static void test_one_step_jac9(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("ARM");
    sinew_Skeleton *skeleton = scene->skeleton;
    sinew_Solver *solver = body_solver(skeleton, 1);
    sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_PSEUDO_INVERSE);
    options.max_iterations = 1;
    options.orientation_tolerance = 1e-9;
    options.limits = SINEW_LIMITS_NONE;
    int joint = scene->effectors[0].joint, used = 0;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(710, i);
        double q[16], jacobian[64];
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 1.0, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_Quat turn = sinew_quat_from_axis_angle(test_unit_vector(&random), 1e-3);
        sinew_Goal goal = sinew_goal_orientation(
            joint, sinew_quat_mul(turn, world[joint].rotation));
        sinew_jacobian(skeleton, q, world, &goal, jacobian);
        int n = sinew_skeleton_dof_count(skeleton);
        double columns[64], u[16], sigma[3], v[64], scratch[400];
        for (int d = 0; d < n; ++d) {
            for (int r = 0; r < 3; ++r) { columns[d * 3 + r] = jacobian[r * n + d]; }
        }
        TEST_TRUE(snw_svd_scratch_count(3, n) <= 400);
        TEST_TRUE(snw_svd(columns, 3, n, 3, u, sigma, v, scratch));
        if (sigma[2] < 0.5) { continue; }
        ++used;
        sinew_Report report = body_solve(solver, &options, &goal, 1, q);
        TEST_INT(report.iterations, 1);
        TEST_NEAR(report.orientation_error, 0.0, 1e-5);
    }
    TEST_TRUE(used > 1000);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

TEST_MAIN(cmocka_unit_test(test_scenes_jac6), cmocka_unit_test(test_random_bodies_jac6),
    cmocka_unit_test(test_forward_difference_jac6), cmocka_unit_test(test_velocity_jac2),
    cmocka_unit_test(test_hinge_columns_jac3), cmocka_unit_test(test_intermediate_axes_jac4),
    cmocka_unit_test(test_slide_columns_jac5), cmocka_unit_test(test_column_order_jac7),
    cmocka_unit_test(test_zero_pattern_jac8), cmocka_unit_test(test_orientation_error_jac9),
    cmocka_unit_test(test_one_step_jac9))
