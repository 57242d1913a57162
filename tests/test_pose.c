// Poses: forward kinematics against products of 4x4 matrices, steps and differences, limits, copies,
// the centre of mass.

#include "bodies.h"

// ---------------------------------------------------------------------------------------------
// 4x4 matrices of libm's sines, the long way

typedef struct Mat4 {
    double m[4][4];
} Mat4;

static Mat4 mat4_identity(void)
{
    Mat4 r = { { { 1.0, 0.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0, 0.0 }, { 0.0, 0.0, 1.0, 0.0 },
        { 0.0, 0.0, 0.0, 1.0 } } };
    return r;
}

static Mat4 mat4_mul(Mat4 a, Mat4 b)
{
    Mat4 r;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = 0.0;
            for (int k = 0; k < 4; ++k) { r.m[i][j] += a.m[i][k] * b.m[k][j]; }
        }
    }
    return r;
}

static Mat4 mat4_translate(sinew_Vec3 v)
{
    Mat4 r = mat4_identity();
    r.m[0][3] = v.x, r.m[1][3] = v.y, r.m[2][3] = v.z;
    return r;
}

/// Rodrigues' formula.
static Mat4 mat4_rotate(sinew_Vec3 axis, double angle)
{
    double a[3] = { axis.x, axis.y, axis.z }, c = cos(angle), s = sin(angle);
    double cross[3][3] = { { 0.0, -a[2], a[1] }, { a[2], 0.0, -a[0] }, { -a[1], a[0], 0.0 } };
    Mat4 r = mat4_identity();
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r.m[i][j] = (i == j ? c : 0.0) + s * cross[i][j] + (1.0 - c) * a[i] * a[j];
        }
    }
    return r;
}

static Mat4 mat4_quat(sinew_Quat q)
{
    sinew_Vec3 v = { q.x, q.y, q.z };
    double length = sinew_vec3_length(v);
    if (length == 0.0) { return mat4_identity(); }
    return mat4_rotate(sinew_vec3_scale(v, 1.0 / length), 2.0 * atan2(length, q.w));
}

static sinew_Quat ball_at(const double *q)
{
    sinew_Quat r = { q[0], q[1], q[2], q[3] };
    return r;
}

static Mat4 brute_local(const sinew_Skeleton *skeleton, const double *q, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    Mat4 r = mat4_mul(mat4_translate(j->offset), mat4_quat(j->rest_rotation));
    for (int a = j->axis_start; a < j->axis_start + j->axis_count; ++a) {
        const sinew_Axis *axis = &sinew_skeleton_axes(skeleton)[a];
        const double *value = &q[sinew_skeleton_axis_places(skeleton)[a].coordinate];
        if (axis->kind == SINEW_AXIS_SLIDE) {
            r = mat4_mul(r, mat4_translate(sinew_vec3_scale(axis->direction, *value)));
        } else if (axis->kind == SINEW_AXIS_HINGE) {
            r = mat4_mul(r, mat4_rotate(axis->direction, *value));
        } else {
            r = mat4_mul(r, mat4_quat(ball_at(value)));
        }
    }
    return r;
}

static void check_matrix(sinew_Transform t, const Mat4 *m, double tolerance)
{
    sinew_Mat3 r = sinew_mat3_from_quat(t.rotation);
    TEST_VEC3_NEAR(t.position, sinew_vec3(m->m[0][3], m->m[1][3], m->m[2][3]), tolerance);
    TEST_VEC3_NEAR(r.x, sinew_vec3(m->m[0][0], m->m[1][0], m->m[2][0]), tolerance);
    TEST_VEC3_NEAR(r.y, sinew_vec3(m->m[0][1], m->m[1][1], m->m[2][1]), tolerance);
    TEST_VEC3_NEAR(r.z, sinew_vec3(m->m[0][2], m->m[1][2], m->m[2][2]), tolerance);
}

// ---------------------------------------------------------------------------------------------
// Forward kinematics

/// World transforms of 1000 random bodies of all kinds of joints, forests among them, equal products
/// of 4x4 matrices to 1e-12.
static void test_matrix_products_fk1(void **state)
{
    (void)state;
    long joints_seen = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2201, i);
        sinew_Skeleton *skeleton = body_random(
            &random, 1 + test_int(&random, BODY_MAX_JOINTS), BODY_EVERYTHING);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        static Mat4 brute[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_pose_forward(skeleton, q, world);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            Mat4 local = brute_local(skeleton, q, j);
            check_matrix(sinew_pose_local(skeleton, q, j), &local, 1e-13);
            brute[j] = joints[j].parent < 0 ? local : mat4_mul(brute[joints[j].parent], local);
            check_matrix(world[j], &brute[j], 1e-12);
            ++joints_seen;
        }
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    %ld joints as their matrices\n", joints_seen);
}

/// Turning any joint leaves the local transforms of everything else bit-identical and carries its
/// subtree along rigidly; what is not below it keeps its place to the bit.
static void test_parents_carry_descendants_fk2(void **state)
{
    (void)state;
    int moved = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2202, i);
        sinew_Skeleton *skeleton = body_random(&random, 2 + test_int(&random, 40), BODY_EVERYTHING);
        int count = sinew_skeleton_joint_count(skeleton), joint = test_int(&random, count);
        double q[BODY_MAX_NUMBERS], other[BODY_MAX_NUMBERS], step[BODY_MAX_NUMBERS] = { 0.0 };
        sinew_Transform before[BODY_MAX_JOINTS], after[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 3.0, q);
        memcpy(other, q, sizeof q);
        const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
        for (int d = 0; d < j->dof_count; ++d) {
            step[j->dof_start + d] = test_range(&random, -1.0, 1.0);
        }
        double turned[BODY_MAX_NUMBERS];
        sinew_pose_integrate(skeleton, q, step, turned);
        memcpy(&other[j->coordinate_start], &turned[j->coordinate_start],
            (size_t)j->coordinate_count * sizeof *other);
        sinew_pose_forward(skeleton, q, before);
        sinew_pose_forward(skeleton, other, after);
        sinew_Transform old_inverse = sinew_transform_inverse(before[joint]);
        for (int k = 0; k < count; ++k) {
            if (k != joint) {
                sinew_Transform a = sinew_pose_local(skeleton, q, k);
                sinew_Transform b = sinew_pose_local(skeleton, other, k);
                TEST_TRUE(memcmp(&a, &b, sizeof a) == 0);
            }
            if (sinew_skeleton_is_ancestor(skeleton, joint, k)) {
                sinew_Transform carried = sinew_transform_mul(
                    sinew_transform_mul(after[joint], old_inverse), before[k]);
                TEST_VEC3_NEAR(after[k].position, carried.position, 1e-12);
                TEST_QUAT_NEAR(after[k].rotation, carried.rotation, 1e-12);
            } else {
                TEST_TRUE(memcmp(&after[k], &before[k], sizeof after[k]) == 0);
            }
        }
        moved += memcmp(&after[joint], &before[joint], sizeof after[joint]) != 0;
        sinew_skeleton_destroy(skeleton);
    }
    TEST_TRUE(moved > 500);
}

/// A pose goes from one body to another of other bone lengths with the same local rotations, bit for
/// bit; bodies of another structure are refused and nothing is written.
static void test_copied_poses_fk3(void **state)
{
    (void)state;
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 };
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2203, i);
        sinew_Axis axes[2][6];
        sinew_JointDef joints[2][3];
        sinew_Skeleton *bodies[2] = { NULL, NULL };
        // 0: alike; the others differ in one thing
        int change = test_int(&random, 6);
        for (int b = 0; b < 2; ++b) {
            axes[b][0] = sinew_axis_slide(x);
            axes[b][1] = sinew_axis_ball();
            axes[b][2] = sinew_axis_hinge(x, b ? -2.0 : -1.0, 2.0);
            axes[b][3] = sinew_axis_hinge(y, -2.0, 2.0);
            axes[b][4] = sinew_axis_hinge(x, -2.0, 2.0);
            axes[b][5] = sinew_axis_hinge(y, -2.0, 2.0);
            static const int starts[3] = { 0, 2, 4 }, counts[3] = { 2, 2, 1 };
            for (int j = 0; j < 3; ++j) {
                joints[b][j] = sinew_joint_def_default();
                joints[b][j].name = b ? "other" : "one";
                joints[b][j].parent = j - 1;
                joints[b][j].offset = test_vector(&random, 0.5);
                joints[b][j].axes = &axes[b][starts[j]];
                joints[b][j].axis_count = counts[j];
            }
        }
        if (change == 1) { axes[1][3].direction = x; }
        if (change == 2) { axes[1][3] = sinew_axis_slide(y); }
        if (change == 3) { joints[1][2].parent = 0; }
        if (change == 4) { joints[1][2].axis_count = 2; }
        if (change == 5) { axes[1][3] = sinew_axis_ball(); }
        for (int b = 0; b < 2; ++b) {
            TEST_OK(sinew_skeleton_create(joints[b], 3, NULL, &bodies[b], NULL), NULL);
        }
        double q[16], copy[16];
        for (int c = 0; c < 16; ++c) { copy[c] = 77.0; }
        body_random_pose(&random, bodies[0], 1.0, q);
        sinew_Status status = sinew_pose_copy(bodies[0], q, bodies[1], copy);
        if (change == 0) {
            TEST_OK(status, NULL);
            for (int j = 0; j < 3; ++j) {
                sinew_Quat a = sinew_pose_local(bodies[0], q, j).rotation;
                sinew_Quat b = sinew_pose_local(bodies[1], copy, j).rotation;
                TEST_TRUE(memcmp(&a, &b, sizeof a) == 0);
            }
        } else {
            TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
            for (int c = 0; c < 16; ++c) { TEST_TRUE(copy[c] == 77.0); }
        }
        sinew_skeleton_destroy(bodies[0]);
        sinew_skeleton_destroy(bodies[1]);
    }
}

/// Kinematics of one chain gives the bits of the whole body for a joint and its ancestors, and leaves
/// all other entries as they were.
static void test_chain_alone_fk4(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2204, i);
        sinew_Skeleton *skeleton = body_random(
            &random, 1 + test_int(&random, BODY_MAX_JOINTS), BODY_EVERYTHING);
        int count = sinew_skeleton_joint_count(skeleton);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS], chain[BODY_MAX_JOINTS], marks[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_pose_forward(skeleton, q, world);
        for (int repeat = 0; repeat < 5; ++repeat) {
            int joint = test_int(&random, count);
            memset(marks, 0x5a, sizeof marks);
            memset(chain, 0x5a, sizeof chain);
            sinew_pose_forward_chain(skeleton, q, joint, chain);
            for (int j = 0; j < count; ++j) {
                bool above = sinew_skeleton_is_ancestor(skeleton, j, joint);
                const sinew_Transform *expected = above ? &world[j] : &marks[j];
                TEST_TRUE(memcmp(&chain[j], expected, sizeof chain[j]) == 0);
            }
        }
        sinew_skeleton_destroy(skeleton);
    }
}

/// Arms and spine are posed by hand while the legs are solved: what is posed keeps its bits.
static void test_arms_by_hand_while_legs_are_solved_fk5(void **state)
{
    (void)state;
    scene_Scene *scene = body_scene("MAN18");
    const sinew_Joint *joints = sinew_skeleton_joints(scene->skeleton);
    sinew_Solver *solver = body_solver(scene->skeleton, 2);
    int spine = sinew_skeleton_find_joint(scene->skeleton, "Spine");
    int heels[2] = { body_effector(scene, "LeftHeel"), body_effector(scene, "RightHeel") };
    int solved = 0;
    for (int i = 0; i < 1000; ++i) {
        scene_Random random = scene_random(2205 + (uint64_t)i);
        double q[BODY_MAX_NUMBERS], before[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_Goal goals[2];
        scene_random_pose(scene, &random, q);
        sinew_pose_forward(scene->skeleton, q, world);
        for (int g = 0; g < 2; ++g) {
            const scene_Effector *heel = &scene->effectors[heels[g]];
            goals[g] = sinew_goal_position(heel->joint, world[heel->joint].position);
            goals[g].chain_root = heel->limb_root;
            // the leg starts elsewhere, the rest of the body is as posed
            const sinew_Joint *thigh = &joints[heel->limb_root];
            double other[BODY_MAX_NUMBERS];
            scene_random_pose(scene, &random, other);
            memcpy(&q[thigh->coordinate_start], &other[thigh->coordinate_start],
                (size_t)thigh->coordinate_count * sizeof *q);
        }
        memcpy(before, q, sizeof q);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        sinew_Report report = body_solve(solver, &options, goals, 2, q);
        solved += report.outcome == SINEW_OUTCOME_CONVERGED && report.iterations > 0;
        int first = joints[spine].coordinate_start;
        int last = spine + joints[spine].subtree_count;
        TEST_TRUE(body_same_bits(q, before, joints[0].coordinate_count));
        TEST_TRUE(body_same_bits(&q[first], &before[first], joints[last].coordinate_start - first));
    }
    print_message("    %d of 1000 pairs of legs solved\n", solved);
    TEST_TRUE(solved > 900);
    sinew_solver_destroy(solver);
    scene_destroy(scene);
}

/// However a body without slides is posed, its bones keep their lengths to 1e-12 of themselves.
static void test_posing_keeps_bone_lengths_skel2(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2206, i);
        sinew_Skeleton *skeleton = body_random(
            &random, 1 + test_int(&random, BODY_MAX_JOINTS), BODY_EVERYTHING & ~BODY_SLIDE);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_pose_forward(skeleton, q, world);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            double length = sinew_vec3_length(joints[j].offset);
            if (joints[j].parent < 0 || length < 0.02) { continue; }
            double now = sinew_vec3_distance(world[j].position, world[joints[j].parent].position);
            worst = fmax(worst, fabs(now / length - 1.0));
        }
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    bones are off by at most %.2g of their lengths\n", worst);
    TEST_NEAR(worst, 0.0, 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Steps

static bool is_ball(const sinew_Skeleton *skeleton, int axis)
{
    return sinew_skeleton_axes(skeleton)[axis].kind == SINEW_AXIS_BALL;
}

/// integrate and difference undo each other both ways, balls up to a half turn apart; balls come out
/// unit; a pose may be moved in place; a ball takes exp(step) from the left.
static void test_integrate_and_difference(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2207, i);
        sinew_Skeleton *skeleton = body_random(&random, 1 + test_int(&random, 30), BODY_EVERYTHING);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
        int coordinates = sinew_skeleton_coordinate_count(skeleton);
        double a[BODY_MAX_NUMBERS], b[BODY_MAX_NUMBERS], step[BODY_MAX_NUMBERS],
            back[BODY_MAX_NUMBERS];
        body_random_pose(&random, skeleton, 3.0, a);
        for (int x = 0; x < sinew_skeleton_axis_count(skeleton); ++x) {
            double *s = &step[places[x].dof];
            s[0] = test_range(&random, -2.0, 2.0);
            if (!is_ball(skeleton, x)) { continue; }
            double angle = SINEW_PI - exp(test_range(&random, -25.0, 1.1));
            if (test_int(&random, 3) == 0) { angle = exp(test_range(&random, -40.0, 1.0)); }
            sinew_Vec3 v = sinew_vec3_scale(test_unit_vector(&random), angle);
            s[0] = v.x, s[1] = v.y, s[2] = v.z;
        }
        sinew_pose_integrate(skeleton, a, step, b);
        sinew_pose_difference(skeleton, a, b, back);
        for (int x = 0; x < sinew_skeleton_axis_count(skeleton); ++x) {
            const double *s = &step[places[x].dof], *r = &back[places[x].dof];
            if (!is_ball(skeleton, x)) {
                TEST_NEAR(r[0], s[0], 1e-15);
                continue;
            }
            // within rounding of a half turn the other way round is as short
            sinew_Vec3 u = { s[0], s[1], s[2] }, v = { r[0], r[1], r[2] };
            double error = sinew_vec3_distance(u, v);
            if (sinew_vec3_length(u) > SINEW_PI - 1e-14) {
                error = fmin(error, sinew_vec3_length(sinew_vec3_add(u, v)));
            }
            worst = fmax(worst, error);
            TEST_TRUE(sinew_vec3_length(v) <= SINEW_PI + 1e-15);
            const double *ball = &b[places[x].coordinate];
            TEST_NEAR(sinew_quat_dot(ball_at(ball), ball_at(ball)), 1.0, 1e-15);
            sinew_Quat expected = sinew_quat_mul(
                sinew_quat_exp(u), ball_at(&a[places[x].coordinate]));
            TEST_QUAT_NEAR(ball_at(ball), expected, 1e-15);
        }
        double in_place[BODY_MAX_NUMBERS];
        memcpy(in_place, a, sizeof a);
        sinew_pose_integrate(skeleton, in_place, step, in_place);
        TEST_TRUE(body_same_bits(in_place, b, coordinates));

        // the other way: from any pose to any pose
        body_random_pose(&random, skeleton, 3.0, b);
        sinew_pose_difference(skeleton, a, b, step);
        sinew_pose_integrate(skeleton, a, step, back);
        for (int x = 0; x < sinew_skeleton_axis_count(skeleton); ++x) {
            int c = places[x].coordinate;
            if (is_ball(skeleton, x)) {
                TEST_QUAT_NEAR(ball_at(&back[c]), ball_at(&b[c]), 4e-15);
            } else {
                TEST_NEAR(back[c], b[c], 1e-15);
            }
        }
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    steps come back within %.2g\n", worst);
    TEST_NEAR(worst, 0.0, 4e-15);
}

/// Interpolation gives both ends, moves every axis in proportion to t, and may write over an end.
static void test_interpolate(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2208, i);
        sinew_Skeleton *skeleton = body_random(&random, 1 + test_int(&random, 30), BODY_EVERYTHING);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
        int coordinates = sinew_skeleton_coordinate_count(skeleton);
        double a[BODY_MAX_NUMBERS], b[BODY_MAX_NUMBERS], q[BODY_MAX_NUMBERS];
        double whole[BODY_MAX_NUMBERS], part[BODY_MAX_NUMBERS], t = test_uniform(&random);
        body_random_pose(&random, skeleton, 3.0, a);
        body_random_pose(&random, skeleton, 3.0, b);
        for (int end = 0; end < 2; ++end) {
            sinew_pose_interpolate(skeleton, a, b, end, q);
            for (int x = 0; x < sinew_skeleton_axis_count(skeleton); ++x) {
                const double *want = &(end ? b : a)[places[x].coordinate];
                const double *is = &q[places[x].coordinate];
                if (is_ball(skeleton, x)) {
                    TEST_QUAT_NEAR(ball_at(is), ball_at(want), 4e-15);
                } else {
                    TEST_NEAR(is[0], want[0], 1e-15);
                }
            }
        }
        sinew_pose_interpolate(skeleton, a, b, t, q);
        sinew_pose_difference(skeleton, a, b, whole);
        sinew_pose_difference(skeleton, a, q, part);
        for (int d = 0; d < sinew_skeleton_dof_count(skeleton); ++d) {
            TEST_NEAR(part[d], t * whole[d], 1e-14);
        }
        double over[BODY_MAX_NUMBERS];
        memcpy(over, a, sizeof a);
        sinew_pose_interpolate(skeleton, over, b, t, over);
        TEST_TRUE(body_same_bits(over, q, coordinates));
        memcpy(over, b, sizeof b);
        sinew_pose_interpolate(skeleton, a, over, t, over);
        TEST_TRUE(body_same_bits(over, q, coordinates));
        sinew_skeleton_destroy(skeleton);
    }
}

// ---------------------------------------------------------------------------------------------
// Limits

/// A ball with a round window of 0.5 rad about neutral and a twist of 0.4 to each side, and another
/// whose window excludes the identity; between them a hinge 0.2..1 and one without a range.
static sinew_Skeleton *limited_body(void)
{
    static const sinew_Vec3 rays[2] = { { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } };
    sinew_BallLimit *limits[2] = { NULL, NULL };
    for (int k = 0; k < 2; ++k) {
        sinew_ReachWindow window = sinew_reach_cone(&rays[k], 0.5);
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        def.windows = &window;
        def.window_count = 1;
        if (k == 0) { def.twist_lower = -0.4, def.twist_upper = 0.4; }
        TEST_OK(sinew_ball_limit_create(&def, NULL, &limits[k], NULL), NULL);
    }
    sinew_Axis axes[4] = { sinew_axis_ball(), sinew_axis_hinge(rays[0], 0.2, 1.0),
        sinew_axis_slide(rays[1]), sinew_axis_ball() };
    axes[0].limit = limits[0];
    axes[3].limit = limits[1];
    sinew_JointDef joints[4];
    static const char *const names[4] = { "Hip", "Knee", "Rail", "Foot" };
    for (int j = 0; j < 4; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.3, 0.0, 0.0);
        joints[j].axes = &axes[j];
        joints[j].axis_count = 1;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 4, NULL, &skeleton, NULL), NULL);
    sinew_ball_limit_destroy(limits[0]);
    sinew_ball_limit_destroy(limits[1]);
    return skeleton;
}

enum { HIP = 0, KNEE = 4, RAIL = 5, FOOT = 6, LIMITED_COUNT = 10 };

static void put_ball(double *q, sinew_Quat ball)
{
    q[0] = ball.x, q[1] = ball.y, q[2] = ball.z, q[3] = ball.w;
}

/// The violation is the amount of the worst axis: of a hinge, of a ball's swing, of its twist.
static void test_limit_violation(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = limited_body();
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 };
    double q[LIMITED_COUNT], good[LIMITED_COUNT];
    sinew_pose_middle(skeleton, good);
    TEST_TRUE(sinew_pose_limit_violation(skeleton, good) == 0.0);
    TEST_NEAR(good[KNEE], 0.6, 1e-15);
    TEST_NEAR(good[RAIL], 0.0, 0.0);
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2209, i);
        double more = test_range(&random, 1e-9, 1.0), less = more * test_uniform(&random);
        memcpy(q, good, sizeof q);
        q[RAIL] = test_range(&random, -100.0, 100.0);
        q[KNEE] = test_int(&random, 2) ? 1.0 + more : 0.2 - more;
        TEST_NEAR(sinew_pose_limit_violation(skeleton, q), more, 1e-14);
        // the knee and one ball are out: the worse of the two counts
        put_ball(&q[HIP], sinew_quat_from_axis_angle(y, 0.5 + less));
        TEST_NEAR(sinew_pose_limit_violation(skeleton, q), more, 1e-13);
        q[KNEE] = 0.5;
        TEST_NEAR(sinew_pose_limit_violation(skeleton, q), less, 1e-13);
        put_ball(&q[HIP], sinew_quat_from_axis_angle(x, -0.4 - more));
        TEST_NEAR(sinew_pose_limit_violation(skeleton, q), more, 1e-13);
    }
    // what is no number is not inside
    for (int c = 0; c < LIMITED_COUNT; ++c) {
        static const double bad[3] = { NAN, INFINITY, -INFINITY };
        for (int k = 0; k < 3; ++k) {
            memcpy(q, good, sizeof q);
            q[c] = bad[k];
            TEST_TRUE(sinew_pose_limit_violation(skeleton, q) == INFINITY);
        }
    }
    sinew_skeleton_destroy(skeleton);
}

/// Limits are applied to the nearest allowed value, and a second time changes nothing; balls come
/// out unit; poses inside keep their bits; rest and middle are inside.
static void test_apply_limits(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = limited_body();
    double q[LIMITED_COUNT], before[LIMITED_COUNT], again[LIMITED_COUNT];
    int inside = 0;
    for (int i = 0; i < 2000; ++i) {
        test_Random random = test_case(2210, i);
        sinew_Quat balls[2];
        sinew_pose_middle(skeleton, q);
        for (int k = 0; k < 2; ++k) {
            sinew_Vec3 v = sinew_vec3_scale(
                test_unit_vector(&random), test_range(&random, 0.0, 3.1));
            // a third of them close to the middle of their windows
            sinew_Quat middle = ball_at(&q[k ? FOOT : HIP]);
            balls[k] = i % 3 ? sinew_quat_exp(v)
                             : sinew_quat_mul(sinew_quat_exp(sinew_vec3_scale(v, 0.1)), middle);
            // a length that the check of poses lets pass
            double length = i % 2 ? 1.0 : test_range(&random, 0.9995, 1.0005);
            sinew_Quat scaled = { balls[k].x * length, balls[k].y * length, balls[k].z * length,
                balls[k].w * length };
            put_ball(&q[k ? FOOT : HIP], scaled);
        }
        q[KNEE] = i % 3 ? test_range(&random, -2.0, 2.0) : test_range(&random, 0.2, 1.0);
        q[RAIL] = test_range(&random, -50.0, 50.0);
        memcpy(before, q, sizeof q);
        double violation = sinew_pose_limit_violation(skeleton, q);
        sinew_pose_apply_limits(skeleton, q);
        TEST_NEAR(q[KNEE], before[KNEE] < 0.2 ? 0.2 : fmin(before[KNEE], 1.0), 0.0);
        TEST_NEAR(q[RAIL], before[RAIL], 0.0);
        TEST_NEAR(sinew_quat_dot(ball_at(&q[HIP]), ball_at(&q[HIP])), 1.0, 1e-14);
        TEST_NEAR(sinew_quat_dot(ball_at(&q[FOOT]), ball_at(&q[FOOT])), 1.0, 1e-14);
        TEST_NEAR(sinew_pose_limit_violation(skeleton, q), 0.0, 1e-12);
        memcpy(again, q, sizeof q);
        sinew_pose_apply_limits(skeleton, again);
        TEST_ARRAY_NEAR(again, q, LIMITED_COUNT, 1e-12);
        if (violation == 0.0) {
            ++inside;
            TEST_QUAT_NEAR(ball_at(&q[HIP]), balls[0], 1e-15);
            TEST_QUAT_NEAR(ball_at(&q[FOOT]), balls[1], 1e-15);
        }
    }
    print_message("    %d of 2000 poses inside already\n", inside);
    TEST_TRUE(inside > 300);

    // the second ball cannot stand at the identity: it rests at the edge of its window
    sinew_pose_rest(skeleton, q);
    TEST_NEAR(sinew_pose_limit_violation(skeleton, q), 0.0, 1e-12);
    TEST_NEAR(q[KNEE], 0.2, 0.0);
    sinew_Quat rest = { 0.0, 0.0, 0.0, 1.0 };
    TEST_QUAT_NEAR(ball_at(&q[HIP]), rest, 1e-15);
    TEST_NEAR(sinew_quat_angle(ball_at(&q[FOOT]), rest), 0.5 * SINEW_PI - 0.5, 1e-12);
    sinew_skeleton_destroy(skeleton);
}

/// A number that is not finite and a quaternion that is not unit are refused with the name of the
/// coordinate; poses outside their limits are not.
static void test_check_names_the_coordinate(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = limited_body();
    static const char *const names[LIMITED_COUNT] = { "Hip.qx", "Hip.qx", "Hip.qx", "Hip.qx",
        "Knee", "Rail", "Foot.qx", "Foot.qx", "Foot.qx", "Foot.qx" };
    static const double bad[3] = { NAN, INFINITY, -INFINITY };
    double good[LIMITED_COUNT], q[LIMITED_COUNT];
    sinew_Message message = { "" };
    sinew_pose_rest(skeleton, good);
    TEST_OK(sinew_pose_check(skeleton, good, &message), &message);
    good[KNEE] = 50.0;
    TEST_OK(sinew_pose_check(skeleton, good, &message), &message);
    for (int c = 0; c < LIMITED_COUNT; ++c) {
        for (int k = 0; k < 3; ++k) {
            memcpy(q, good, sizeof q);
            q[c] = bad[k];
            message.text[0] = '\0';
            TEST_INT(sinew_pose_check(skeleton, q, &message), SINEW_STATUS_INVALID_ARGUMENT);
            TEST_TRUE(strncmp(message.text, names[c], strlen(names[c])) == 0);
            TEST_INT(sinew_pose_check(skeleton, q, NULL), SINEW_STATUS_INVALID_ARGUMENT);
        }
    }
    static const double lengths[] = { 0.0, 0.5, 0.998, 1.002, 2.0, 1e200 };
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; ++k) {
        memcpy(q, good, sizeof q);
        for (int c = HIP; c < HIP + 4; ++c) { q[c] *= lengths[k]; }
        TEST_INT(sinew_pose_check(skeleton, q, &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(strstr(message.text, "Hip.qx") != NULL && strstr(message.text, "length") != NULL);
    }
    q[HIP] = q[HIP + 1] = q[HIP + 2] = 0.0;
    q[HIP + 3] = -1.0005;
    TEST_OK(sinew_pose_check(skeleton, q, &message), &message);
    sinew_skeleton_destroy(skeleton);
}

// ---------------------------------------------------------------------------------------------
// Centre of mass

/// Centroid of the bones: the place integrated along each in long double, by Simpson's rule, which
/// is exact for what is linear.
static sinew_Vec3 centroid_of_bones(
    const sinew_Skeleton *skeleton, const sinew_Transform *world, bool *out_any)
{
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    long double sum[3] = { 0.0L, 0.0L, 0.0L }, total = 0.0L;
    double rest[BODY_MAX_NUMBERS];
    sinew_pose_rest(skeleton, rest);
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        if (joints[j].parent < 0) { continue; }
        sinew_Vec3 a = world[joints[j].parent].position, b = world[j].position;
        long double d[3] = { (long double)b.x - a.x, (long double)b.y - a.y,
            (long double)b.z - a.z };
        long double start[3] = { a.x, a.y, a.z };
        // a slide stretches a bone and leaves its mass
        long double length = sinew_vec3_length(sinew_pose_local(skeleton, rest, j).position);
        for (int k = 0; k <= 2; ++k) {
            long double share = (k == 1 ? 4.0L : 1.0L) / 6.0L * length;
            for (int c = 0; c < 3; ++c) { sum[c] += share * (start[c] + 0.5L * k * d[c]); }
        }
        total += length;
    }
    *out_any = total > 0.0L;
    if (!*out_any) { return world[0].position; }
    return sinew_vec3((double)(sum[0] / total), (double)(sum[1] / total), (double)(sum[2] / total));
}

/// Without masses the bones count by their lengths: the centre is their centroid to 1e-12; it moves
/// and turns with the body.
static void test_bones_by_length_com1(void **state)
{
    (void)state;
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2211, i);
        sinew_Skeleton *skeleton = body_random(
            &random, 1 + test_int(&random, BODY_MAX_JOINTS), BODY_EVERYTHING);
        double q[BODY_MAX_NUMBERS];
        sinew_Transform world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_pose_forward(skeleton, q, world);
        bool any;
        sinew_Vec3 expected = centroid_of_bones(skeleton, world, &any);
        sinew_Vec3 center = sinew_pose_center_of_mass(skeleton, world);
        worst = fmax(worst, sinew_vec3_distance(center, expected));

        sinew_Transform move = test_transform(&random, 2.0);
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            world[j] = sinew_transform_mul(move, world[j]);
        }
        sinew_Vec3 moved = sinew_pose_center_of_mass(skeleton, world);
        TEST_VEC3_NEAR(moved, sinew_transform_point(move, center), 1e-13);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    bones by length: off by at most %.2g m\n", worst);
    TEST_NEAR(worst, 0.0, 1e-12);
}

/// A rod of two parts bent at a right angle, a single joint, and bodies with masses of their own:
/// sums that can be done by hand.
static void test_given_masses_com1(void **state)
{
    (void)state;
    sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -2.0, 2.0);
    sinew_JointDef joints[3];
    for (int j = 0; j < 3; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(j == 2 ? 1.0 : 3.0 * j, 0.0, 0.0);
    }
    joints[1].axes = &hinge;
    joints[1].axis_count = 1;
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, NULL), NULL);
    double q = 0.5 * SINEW_PI;
    sinew_Transform world[3];
    sinew_pose_forward(skeleton, &q, world);
    // 3 m with its middle at (1.5, 0), 1 m with its middle at (3, 0.5)
    TEST_VEC3_NEAR(sinew_pose_center_of_mass(skeleton, world),
        sinew_vec3((3.0 * 1.5 + 3.0) / 4.0, 0.5 / 4.0, 0.0), 1e-15);
    sinew_skeleton_destroy(skeleton);

    TEST_OK(sinew_skeleton_create(joints, 1, NULL, &skeleton, NULL), NULL);
    world[0].position = sinew_vec3(1.0, 2.0, 3.0);
    TEST_VEC3_NEAR(sinew_pose_center_of_mass(skeleton, world), world[0].position, 0.0);
    sinew_skeleton_destroy(skeleton);

    // masses: 2 kg at (0, 1, 0) of the first, 6 kg half a metre along the turned second
    joints[0].mass = 2.0, joints[0].mass_center = sinew_vec3(0.0, 1.0, 0.0);
    joints[1].mass = 6.0, joints[1].mass_center = sinew_vec3(0.5, 0.0, 0.25);
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, NULL), NULL);
    sinew_pose_forward(skeleton, &q, world);
    TEST_VEC3_NEAR(sinew_pose_center_of_mass(skeleton, world),
        sinew_vec3(6.0 * 3.0 / 8.0, (2.0 * 1.0 + 6.0 * 0.5) / 8.0, 6.0 * 0.25 / 8.0), 1e-15);
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_matrix_products_fk1),
    cmocka_unit_test(test_parents_carry_descendants_fk2), cmocka_unit_test(test_copied_poses_fk3),
    cmocka_unit_test(test_chain_alone_fk4),
    cmocka_unit_test(test_arms_by_hand_while_legs_are_solved_fk5),
    cmocka_unit_test(test_posing_keeps_bone_lengths_skel2),
    cmocka_unit_test(test_integrate_and_difference), cmocka_unit_test(test_interpolate),
    cmocka_unit_test(test_limit_violation), cmocka_unit_test(test_apply_limits),
    cmocka_unit_test(test_check_names_the_coordinate), cmocka_unit_test(test_bones_by_length_com1),
    cmocka_unit_test(test_given_masses_com1))
