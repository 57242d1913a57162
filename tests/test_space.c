// The door for engines: spaces, matrices, and poses made of transforms.

#include "bodies.h"

static bool same_vec3(sinew_Vec3 a, sinew_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

// up, forward and right of a space, as it says
static sinew_Vec3 unit_of(sinew_Direction direction)
{
    double v[3] = { 0.0, 0.0, 0.0 };
    v[(int)direction % 3] = (int)direction >= 3 ? -1.0 : 1.0;
    return sinew_vec3(v[0], v[1], v[2]);
}

/// Every space: up and forward arrive, a character's left stays left, all comes back.
static void test_every_space(void **state)
{
    (void)state;
    test_Random random = test_random(8801);
    int spaces = 0;
    for (int s = 0; s < 6 * 6 * 2; ++s) {
        sinew_Space space = { (sinew_Direction)(s % 6), (sinew_Direction)(s / 6 % 6), s >= 36,
            0.01 };
        if (sinew_space_check(&space, NULL) != SINEW_STATUS_OK) { continue; }
        ++spaces;
        sinew_Vec3 up = unit_of(space.up), forward = unit_of(space.forward);
        TEST_TRUE(same_vec3(sinew_direction_from_space(&space, up), sinew_vec3(0.0, 1.0, 0.0)));
        TEST_TRUE(
            same_vec3(sinew_direction_from_space(&space, forward), sinew_vec3(0.0, 0.0, 1.0)));
        // left of a right hand is up x forward
        sinew_Vec3 left = space.left_handed ? sinew_vec3_cross(forward, up)
                                            : sinew_vec3_cross(up, forward);
        TEST_TRUE(same_vec3(sinew_direction_from_space(&space, left), sinew_vec3(1.0, 0.0, 0.0)));

        sinew_Transform t = test_transform(&random, 300.0);
        sinew_Vec3 p = test_vector(&random, 50.0);
        sinew_Transform inside = sinew_transform_from_space(&space, t);
        // a point turned there and taken inside is the point taken inside and turned
        TEST_VEC3_NEAR(sinew_point_from_space(&space, sinew_transform_point(t, p)),
            sinew_transform_point(inside, sinew_point_from_space(&space, p)), 1e-13);
        sinew_Transform back = sinew_transform_to_space(&space, inside);
        TEST_VEC3_NEAR(back.position, t.position, 1e-12);
        TEST_TRUE(memcmp(&back.rotation, &t.rotation, sizeof t.rotation) == 0);
        sinew_Vec3 d = sinew_direction_to_space(&space, sinew_direction_from_space(&space, p));
        TEST_TRUE(same_vec3(d, p));
        // a hinge turns the same points by the same angle
        sinew_Vec3 axis = test_unit_vector(&random);
        sinew_Quat there = sinew_quat_from_axis_angle(axis, 0.7);
        sinew_Quat here = sinew_quat_from_axis_angle(sinew_hinge_from_space(&space, axis), 0.7);
        TEST_QUAT_NEAR(sinew_rotation_from_space(&space, there), here, 1e-15);
    }
    TEST_INT(spaces, 6 * 4 * 2);
}

/// The presets are what their engines' documents say.
static void test_presets(void **state)
{
    (void)state;
    // 1 m to the right of, in front of and above a character, in each engine's numbers
    static const struct {
        sinew_SpacePreset preset;
        sinew_Vec3 right, forward, up;
    } rows[] = {
        { SINEW_SPACE_SINEW, { -1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
        { SINEW_SPACE_UNREAL, { 0, 100, 0 }, { 100, 0, 0 }, { 0, 0, 100 } },
        { SINEW_SPACE_UNITY, { 1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
        { SINEW_SPACE_GODOT, { -1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
        { SINEW_SPACE_BLENDER, { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, 1 } },
        { SINEW_SPACE_GLTF, { -1, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 } },
        { SINEW_SPACE_ROS, { 0, -1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } },
    };
    TEST_INT((int)(sizeof rows / sizeof rows[0]), SINEW_SPACE_PRESET_COUNT);
    for (int i = 0; i < SINEW_SPACE_PRESET_COUNT; ++i) {
        sinew_Space space = sinew_space_preset(rows[i].preset);
        TEST_OK(sinew_space_check(&space, NULL), NULL);
        TEST_VEC3_NEAR(sinew_point_from_space(&space, rows[i].right), sinew_vec3(-1, 0, 0), 1e-15);
        TEST_VEC3_NEAR(sinew_point_from_space(&space, rows[i].forward), sinew_vec3(0, 0, 1), 1e-15);
        TEST_VEC3_NEAR(sinew_point_from_space(&space, rows[i].up), sinew_vec3(0, 1, 0), 1e-15);
    }
}

/// Spaces that break a rule are refused by the name of the field.
static void test_bad_spaces(void **state)
{
    (void)state;
    const sinew_Space good = sinew_space_preset(SINEW_SPACE_UNREAL);
    sinew_Space bad[5] = { good, good, good, good, good };
    bad[0].up = (sinew_Direction)6;
    bad[1].forward = (sinew_Direction)-1;
    bad[2].forward = SINEW_DIRECTION_MINUS_Z; // along up
    bad[3].unit = 0.0;
    bad[4].unit = NAN;
    static const char *const named[5] = { "up", "forward", "axis", "unit", "unit" };
    for (int i = 0; i < 5; ++i) {
        sinew_Message message = { "" };
        TEST_INT(sinew_space_check(&bad[i], &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(strstr(message.text, named[i]) != NULL);
    }
}

/// Skeletons and goals come back; a solve in an engine's numbers is the solve in sinew's.
static void test_skeleton_and_goals(void **state)
{
    (void)state;
    test_Random random = test_random(8802);
    sinew_Space space = sinew_space_preset(SINEW_SPACE_UNREAL);
    sinew_Axis axes[3] = { sinew_axis_slide(test_unit_vector(&random)),
        sinew_axis_hinge(test_unit_vector(&random), -0.4, 1.2), sinew_axis_ball() };
    axes[0].lower = -12.0;
    axes[0].upper = 30.0;
    axes[0].rest = 7.0;
    sinew_JointDef joint = sinew_joint_def_default();
    joint.offset = test_vector(&random, 100.0);
    joint.rest_rotation = test_unit_quat(&random);
    joint.mass_center = test_vector(&random, 10.0);
    joint.axes = axes;
    joint.axis_count = 3;
    sinew_Axis inner[3], outer[3];
    sinew_JointDef inside = sinew_joint_def_from_space(&space, &joint, inner);
    sinew_JointDef back = sinew_joint_def_to_space(&space, &inside, outer);
    TEST_NEAR(inner[0].upper, 0.3, 1e-15);
    TEST_NEAR(inner[1].upper, 1.2, 0.0);
    TEST_VEC3_NEAR(back.offset, joint.offset, 1e-12);
    TEST_VEC3_NEAR(back.mass_center, joint.mass_center, 1e-12);
    TEST_TRUE(memcmp(&back.rest_rotation, &joint.rest_rotation, sizeof joint.rest_rotation) == 0);
    for (int a = 0; a < 3; ++a) {
        TEST_TRUE(same_vec3(back.axes[a].direction, axes[a].direction));
        TEST_NEAR(back.axes[a].lower, axes[a].lower, 1e-12);
        TEST_NEAR(back.axes[a].rest, axes[a].rest, 1e-12);
    }
    // the joint moves there as here
    sinew_Skeleton *here = NULL, *there = NULL;
    TEST_OK(sinew_skeleton_create(&inside, 1, NULL, &here, NULL), NULL);
    TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &there, NULL), NULL);
    sinew_Quat ball = test_unit_quat(&random), inner_ball = sinew_rotation_from_space(&space, ball);
    double q[6] = { 11.0, 0.9, ball.x, ball.y, ball.z, ball.w };
    double p[6] = { 0.11, 0.9, inner_ball.x, inner_ball.y, inner_ball.z, inner_ball.w };
    sinew_Transform a = sinew_transform_from_space(&space, sinew_pose_local(there, q, 0));
    sinew_Transform b = sinew_pose_local(here, p, 0);
    TEST_VEC3_NEAR(a.position, b.position, 1e-14);
    TEST_QUAT_NEAR(a.rotation, b.rotation, 1e-14);
    sinew_skeleton_destroy(here);
    sinew_skeleton_destroy(there);

    sinew_Goal goal = sinew_goal_pose(3, test_vector(&random, 200.0), test_unit_quat(&random));
    goal.axis = test_unit_vector(&random);
    goal.direction = test_unit_vector(&random);
    goal.position_mask = SINEW_MASK_X | SINEW_MASK_Z;
    goal.orientation_mask = SINEW_MASK_Z;
    sinew_Goal inner_goal = sinew_goal_from_space(&space, goal);
    // Unreal's x is forward, its z up
    TEST_INT(inner_goal.position_mask, SINEW_MASK_Y | SINEW_MASK_Z);
    TEST_INT(inner_goal.orientation_mask, SINEW_MASK_Y);
    sinew_Goal outer_goal = sinew_goal_to_space(&space, inner_goal);
    TEST_INT(outer_goal.position_mask, goal.position_mask);
    TEST_VEC3_NEAR(outer_goal.position, goal.position, 1e-12);
    TEST_TRUE(
        same_vec3(outer_goal.axis, goal.axis) && same_vec3(outer_goal.direction, goal.direction));
    TEST_TRUE(memcmp(&outer_goal.orientation, &goal.orientation, sizeof goal.orientation) == 0);
}

/// Matrices in both orders, with a stride, in doubles and floats.
static void test_matrices(void **state)
{
    (void)state;
    enum { COUNT = 50, STRIDE = 19 };
    test_Random random = test_random(8803);
    sinew_Space space = sinew_space_preset(SINEW_SPACE_UNREAL);
    sinew_Transform t[COUNT], back[COUNT];
    double m[COUNT * STRIDE];
    float f[COUNT * STRIDE];
    for (int i = 0; i < COUNT; ++i) { t[i] = test_transform(&random, 2.0); }
    for (int order = 0; order < 2; ++order) {
        sinew_MatrixLayout layout = { (sinew_MatrixOrder)order, STRIDE };
        for (int i = 0; i < COUNT * STRIDE; ++i) { m[i] = 77.0; }
        TEST_OK(sinew_transforms_to_matrices(&space, layout, t, COUNT, m, NULL), NULL);
        TEST_TRUE(m[16] == 77.0 && m[15] == 1.0);
        // the matrix itself, by hand: x of the place, in centimetres
        sinew_Vec3 place = sinew_point_to_space(&space, t[1].position);
        TEST_NEAR(m[STRIDE + (order == SINEW_MATRIX_COLUMNS ? 12 : 3)], place.x, 0.0);
        TEST_OK(sinew_transforms_from_matrices(&space, layout, m, COUNT, back, NULL), NULL);
        for (int i = 0; i < COUNT; ++i) {
            TEST_VEC3_NEAR(back[i].position, t[i].position, 1e-12);
            TEST_QUAT_NEAR(back[i].rotation, t[i].rotation, 1e-12);
        }
        TEST_OK(sinew_transforms_to_matrices_float(&space, layout, t, COUNT, f, NULL), NULL);
        TEST_OK(sinew_transforms_from_matrices_float(&space, layout, f, COUNT, back, NULL), NULL);
        for (int i = 0; i < COUNT; ++i) {
            TEST_VEC3_NEAR(back[i].position, t[i].position, 1e-6);
            TEST_QUAT_NEAR(back[i].rotation, t[i].rotation, 1e-6);
        }
    }
    // scale is left out
    sinew_MatrixLayout packed = sinew_matrix_layout_default();
    TEST_OK(sinew_transforms_to_matrices(NULL, packed, t, 1, m, NULL), NULL);
    for (int k = 0; k < 12; ++k) { m[k] *= 2.5; }
    TEST_OK(sinew_transforms_from_matrices(NULL, packed, m, 1, back, NULL), NULL);
    TEST_QUAT_NEAR(back[0].rotation, t[0].rotation, 1e-12);
    m[0] = m[1] = m[2] = 0.0;
    TEST_INT(sinew_transforms_from_matrices(NULL, packed, m, 1, back, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    packed.stride = 15;
    TEST_INT(sinew_transforms_from_matrices(NULL, packed, m, 1, back, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);
    // what is no transform makes no matrix
    packed.stride = 16;
    sinew_Message message = { "" };
    const sinew_Transform good = t[0];
    for (int wrong = 0; wrong < 4; ++wrong) {
        t[0] = good;
        if (wrong == 0) { t[0].position.y = NAN; }
        if (wrong == 1) { t[0].position.x = INFINITY; }
        if (wrong == 2) { t[0].rotation.z = NAN; }
        if (wrong == 3) { t[0].rotation = (sinew_Quat){ 0.0, 0.0, 0.0, 0.0 }; }
        TEST_INT(sinew_transforms_to_matrices(NULL, packed, t, 1, m, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(strncmp(message.text, "transforms[0]: ", 15) == 0);
        TEST_INT(sinew_transforms_to_matrices_float(NULL, packed, t, 1, f, NULL),
            SINEW_STATUS_INVALID_ARGUMENT);
    }
    t[0] = good;
    TEST_INT(sinew_transforms_to_matrices(NULL, packed, t, 1, NULL, NULL),
        SINEW_STATUS_INVALID_ARGUMENT);

    // a vertex of the mesh at rest goes where its joint takes it
    sinew_Transform skin;
    sinew_Vec3 vertex = test_vector(&random, 1.0);
    TEST_OK(sinew_transforms_skin(&t[0], &t[1], 1, &skin, NULL), NULL);
    sinew_Vec3 local = sinew_transform_point(sinew_transform_inverse(t[1]), vertex);
    TEST_VEC3_NEAR(sinew_transform_point(skin, vertex), sinew_transform_point(t[0], local), 1e-13);
}

// where a slide follows a hinge, the split of a turn between two hinges decides where the slide goes
static bool slides_come_first(const sinew_Skeleton *skeleton, int joint)
{
    const sinew_Joint *j = &sinew_skeleton_joints(skeleton)[joint];
    const sinew_Axis *axes = &sinew_skeleton_axes(skeleton)[j->axis_start];
    for (int a = 1; a < j->axis_count; ++a) {
        if (axes[a].kind == SINEW_AXIS_SLIDE && axes[a - 1].kind != SINEW_AXIS_SLIDE) {
            return false;
        }
    }
    return true;
}

/// The transforms of a pose give that pose again, or one of the same transforms.
static void test_poses_come_back(void **state)
{
    (void)state;
    for (int i = 0; i < 400; ++i) {
        test_Random random = test_case(8804, i);
        // up to three hinges in a joint, or hinges and slides; axes along the frame's, or skew
        unsigned kinds = BODY_HINGE | BODY_TURNED | (i % 2 ? BODY_SLIDE : BODY_BALL);
        if (i % 3 == 0) { kinds |= BODY_SKEW; }
        sinew_Skeleton *skeleton = body_random(&random, 2 + test_int(&random, 8), kinds);
        double q[BODY_MAX_NUMBERS], found[BODY_MAX_NUMBERS], from_world[BODY_MAX_NUMBERS];
        sinew_Transform local[BODY_MAX_JOINTS], got[BODY_MAX_JOINTS], world[BODY_MAX_JOINTS];
        body_random_pose(&random, skeleton, 3.0, q);
        sinew_pose_to_local(skeleton, q, local);
        sinew_PoseFit fit;
        TEST_OK(sinew_pose_from_local(skeleton, local, NULL, found, &fit, NULL), NULL);
        sinew_pose_to_local(skeleton, found, got);
        int count = sinew_skeleton_joint_count(skeleton);
        bool all = true;
        for (int j = 0; j < count; ++j) {
            all = all && slides_come_first(skeleton, j);
            if (slides_come_first(skeleton, j)) {
                TEST_VEC3_NEAR(got[j].position, local[j].position, 1e-12);
            }
            TEST_QUAT_NEAR(got[j].rotation, sinew_quat_normalize(local[j].rotation), 1e-12);
        }
        TEST_TRUE(fit.rotation < 1e-11 && (!all || fit.position < 1e-12));
        sinew_pose_forward(skeleton, q, world);
        TEST_OK(sinew_pose_from_world(skeleton, world, NULL, from_world, got, &fit, NULL), NULL);
        sinew_pose_forward(skeleton, from_world, got);
        for (int j = 0; j < count; ++j) {
            if (all) { TEST_VEC3_NEAR(got[j].position, world[j].position, 1e-11); }
            TEST_QUAT_NEAR(sinew_quat_normalize(got[j].rotation),
                sinew_quat_normalize(world[j].rotation), 1e-11);
        }
        // near the pose itself it is the pose, balls but for their sign
        TEST_OK(sinew_pose_from_local(skeleton, local, q, found, &fit, NULL), NULL);
        TEST_TRUE(body_largest_step(skeleton, q, found) < 1e-7);
        sinew_skeleton_destroy(skeleton);
    }
}

/// A hinge or two cannot take every rotation: no other angle is nearer, and what is left is told.
static void test_nearest_rotation(void **state)
{
    (void)state;
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(8805, i);
        sinew_Axis axes[2] = { sinew_axis_hinge(test_unit_vector(&random), -INFINITY, INFINITY),
            sinew_axis_hinge(test_unit_vector(&random), -INFINITY, INFINITY) };
        sinew_JointDef joint = sinew_joint_def_default();
        joint.axes = axes;
        joint.axis_count = 1 + i % 2;
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &skeleton, NULL), NULL);
        sinew_Transform wanted = test_transform(&random, 1.0);
        double q[2];
        sinew_PoseFit fit;
        TEST_OK(sinew_pose_from_local(skeleton, &wanted, NULL, q, &fit, NULL), NULL);
        double least = sinew_quat_angle(sinew_pose_local(skeleton, q, 0).rotation, wanted.rotation);
        TEST_NEAR(fit.rotation, least, 1e-12);
        TEST_NEAR(fit.position, sinew_vec3_length(wanted.position), 1e-12);
        TEST_INT(fit.rotation_joint, 0);
        for (int k = 0; k < 1000; ++k) {
            double other[2];
            other[0] = test_range(&random, -SINEW_PI, SINEW_PI);
            other[1] = test_range(&random, -SINEW_PI, SINEW_PI);
            sinew_Quat r = sinew_pose_local(skeleton, other, 0).rotation;
            TEST_TRUE(sinew_quat_angle(r, wanted.rotation) > least - 1e-6);
        }
        sinew_skeleton_destroy(skeleton);
    }
}

TEST_MAIN(cmocka_unit_test(test_every_space), cmocka_unit_test(test_presets),
    cmocka_unit_test(test_bad_spaces), cmocka_unit_test(test_skeleton_and_goals),
    cmocka_unit_test(test_matrices), cmocka_unit_test(test_poses_come_back),
    cmocka_unit_test(test_nearest_rotation))
