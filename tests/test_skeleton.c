// Skeletons: which trees are made and which are refused, names, places of numbers, memory.

#include "bodies.h"

#include <stdio.h>

// ---------------------------------------------------------------------------------------------
// Trees

/// A straight tree of joints with one hinge, each hanging on the one that parents tells.
static sinew_Status make_tree(
    const int *parents, int count, sinew_Skeleton **out_skeleton, sinew_Message *out_message)
{
    static const char *const names[4] = { "hips", "knee", "foot", "toes" };
    static sinew_JointDef joints[20000];
    static sinew_Axis axis;
    TEST_TRUE(count <= 20000);
    axis = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -1.0, 1.0);
    for (int j = 0; j < count; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j % 4];
        joints[j].parent = parents[j];
        joints[j].offset = sinew_vec3(0.0, 0.1, 0.0);
        joints[j].axes = &axis;
        joints[j].axis_count = 1;
    }
    return sinew_skeleton_create(joints, count, NULL, out_skeleton, out_message);
}

/// Depth-first numbering of a tree in which each joint down to a depth has as many children.
static int grow(int *parents, int count, int parent, int depth, int children)
{
    int joint = count++;
    parents[joint] = parent;
    for (int i = 0; depth > 1 && i < children; ++i) {
        count = grow(parents, count, joint, depth - 1, children);
    }
    return count;
}

/// Trees of depth 1, depth 64 and with eight children everywhere load, and forward kinematics puts
/// every joint at its depth.
static void test_deep_and_bushy_trees_skel1(void **state)
{
    (void)state;
    static const int shapes[][2] = { { 1, 0 }, { 64, 1 }, { 2, 8 }, { 5, 8 }, { 3, 64 },
        { 12, 2 } };
    static int parents[20000];
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        int count = grow(parents, 0, -1, shapes[s][0], shapes[s][1]);
        sinew_Skeleton *skeleton = NULL;
        sinew_Message message = { "" };
        TEST_OK(make_tree(parents, count, &skeleton, &message), &message);
        TEST_INT(sinew_skeleton_joint_count(skeleton), count);
        TEST_INT(sinew_skeleton_dof_count(skeleton), count);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        TEST_INT(joints[0].subtree_count, count);
        double *q = calloc((size_t)count, sizeof *q);
        sinew_Transform *world = calloc((size_t)count, sizeof *world);
        TEST_TRUE(q != NULL && world != NULL);
        sinew_pose_forward(skeleton, q, world);
        int deepest = 0;
        for (int j = 0; j < count; ++j) {
            int depth = 1;
            for (int p = joints[j].parent; p >= 0; p = joints[p].parent) { ++depth; }
            deepest = depth > deepest ? depth : deepest;
            TEST_VEC3_NEAR(world[j].position, sinew_vec3(0.0, 0.1 * depth, 0.0), 1e-13);
            TEST_NEAR(sinew_skeleton_chain_length(skeleton, 0, j), 0.1 * (depth - 1), 1e-13);
        }
        TEST_INT(deepest, shapes[s][0]);
        free(world);
        free(q);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    depth 1, depth 64, 8 children down to depth 5, 64 children load\n");
}

static void expect_refused(sinew_Status status, const sinew_Skeleton *skeleton,
    const sinew_Message *message, const char *joint, const char *field)
{
    TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(skeleton == NULL);
    if (strstr(message->text, joint) == NULL || strstr(message->text, field) == NULL) {
        print_error("message '%s' does not name %s and %s\n", message->text, joint, field);
        fail();
    }
}

/// A cycle, a joint that is its own parent and a parent that does not exist are refused; the
/// message names the joint and the field.
static void test_cycles_and_missing_parents_refused_skel1(void **state)
{
    (void)state;
    static const int bad[][4] = {
        { -1, 2, 1, 2 }, // 1 and 2 are each other's parents
        { 3, 0, 1, 2 },  // all in a ring
        { -1, 1, 1, 2 }, // its own parent
        { 0, 0, 1, 2 },  // the first one too
        { -1, 0, 99, 2 },
        { -1, 0, -2, 2 },
        { -1, 0, INT32_MAX, 2 },
        { -1, INT32_MIN, 0, 2 },
    };
    static const char *const joints[] = { "joint 1 'knee'", "joint 0 'hips'", "joint 1 'knee'",
        "joint 0 'hips'", "joint 2 'foot'", "joint 2 'foot'", "joint 2 'foot'", "joint 1 'knee'" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        sinew_Skeleton *skeleton = (sinew_Skeleton *)(uintptr_t)1;
        sinew_Message message = { "" };
        sinew_Status status = make_tree(bad[i], 4, &skeleton, &message);
        expect_refused(status, skeleton, &message, joints[i], "parent");
    }
}

/// The order must be depth-first: a joint may hang on the one before it or on that one's ancestors
/// only. All orders of parents of six joints are tried against the rule in its plain form.
static void test_depth_first_order_skel1(void **state)
{
    (void)state;
    int made = 0, refused = 0;
    for (int code = 0; code < 1 * 2 * 3 * 4 * 5 * 6; ++code) {
        int parents[6], rest = code;
        bool valid = true;
        for (int j = 0; j < 6; ++j) {
            parents[j] = rest % (j + 1) - 1;
            rest /= j + 1;
            // everything between the parent and the joint has to be in the parent's subtree
            for (int k = parents[j] + 1; parents[j] >= 0 && k < j; ++k) {
                int above = k;
                while (above > parents[j]) { above = parents[above]; }
                valid = valid && above == parents[j];
            }
        }
        sinew_Skeleton *skeleton = NULL;
        sinew_Message message = { "" };
        sinew_Status status = make_tree(parents, 6, &skeleton, &message);
        if (valid) {
            TEST_OK(status, &message);
            sinew_skeleton_destroy(skeleton);
            ++made;
        } else {
            expect_refused(status, skeleton, &message, "joint ", "depth-first");
            ++refused;
        }
    }
    print_message("    %d orders made, %d refused\n", made, refused);
    // forests of 6 in depth-first order: the Catalan number
    TEST_INT(made, 132);
}

// ---------------------------------------------------------------------------------------------
// Rules of joints and axes

typedef struct Rules {
    sinew_JointDef joints[2];
    sinew_Axis axes[8];
} Rules;

static void set_good(Rules *rules)
{
    for (int a = 0; a < 8; ++a) {
        rules->axes[a] = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -1.0, 1.0);
    }
    rules->axes[2] = sinew_axis_ball();
    for (int j = 0; j < 2; ++j) {
        rules->joints[j] = sinew_joint_def_default();
        rules->joints[j].name = j == 0 ? "hips" : "knee";
        rules->joints[j].parent = j - 1;
    }
    rules->joints[1].axes = rules->axes;
    rules->joints[1].axis_count = 3;
}

static void expect_rule(Rules *rules, const char *field)
{
    sinew_Skeleton *skeleton = (sinew_Skeleton *)(uintptr_t)1;
    sinew_Message message = { "" };
    sinew_Status status = sinew_skeleton_create(rules->joints, 2, NULL, &skeleton, &message);
    expect_refused(status, skeleton, &message, "joint 1", field);
    skeleton = (sinew_Skeleton *)(uintptr_t)1;
    status = sinew_skeleton_create(rules->joints, 2, NULL, &skeleton, NULL);
    TEST_INT(status, SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(skeleton == NULL);
    set_good(rules);
}

/// Every rule of joints in skeleton.h is checked, and the message names joint and field.
static void test_joint_rules_skel1(void **state)
{
    (void)state;
    static const double not_finite[3] = { NAN, INFINITY, -INFINITY };
    Rules rules;
    set_good(&rules);
    sinew_JointDef *joint = &rules.joints[1];
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(rules.joints, 2, NULL, &skeleton, NULL), NULL);
    sinew_skeleton_destroy(skeleton);

    joint->name = NULL, expect_rule(&rules, "name");
    joint->axis_count = -1, expect_rule(&rules, "axis_count");
    joint->axis_count = SINEW_MAX_AXES_PER_JOINT + 1, expect_rule(&rules, "axis_count");
    joint->axes = NULL, expect_rule(&rules, "axis_count");
    joint->mass = -1e-9, expect_rule(&rules, "mass");
    for (int i = 0; i < 3; ++i) {
        double bad = not_finite[i];
        joint->offset.x = bad, expect_rule(&rules, "offset");
        joint->offset.y = bad, expect_rule(&rules, "offset");
        joint->offset.z = bad, expect_rule(&rules, "offset");
        joint->rest_rotation.x = bad, expect_rule(&rules, "rest rotation");
        joint->rest_rotation.w = bad, expect_rule(&rules, "rest rotation");
        joint->mass = bad, expect_rule(&rules, "mass");
        joint->mass_center.y = bad, expect_rule(&rules, "mass");
    }
    joint->offset.x = 1e10, expect_rule(&rules, "offset");
    joint->rest_rotation.w = 1.001, expect_rule(&rules, "rest rotation");
    joint->rest_rotation.w = 0.0, expect_rule(&rules, "rest rotation");
    joint->rest_rotation.w = 1e200, expect_rule(&rules, "rest rotation");
}

/// Every rule of axes is checked.
static void test_axis_rules_skel1(void **state)
{
    (void)state;
    Rules rules;
    set_good(&rules);
    sinew_Axis *axis = &rules.axes[1];
    axis->direction.z = 1.01, expect_rule(&rules, "direction");
    axis->direction.z = 0.0, expect_rule(&rules, "direction");
    axis->direction.x = NAN, expect_rule(&rules, "direction");
    axis->direction.z = INFINITY, expect_rule(&rules, "direction");
    axis->lower = 1.5, expect_rule(&rules, "range");
    axis->upper = -1.5, expect_rule(&rules, "range");
    axis->lower = NAN, expect_rule(&rules, "range");
    axis->upper = NAN, expect_rule(&rules, "range");
    axis->rest = 1.0 + 1e-12, expect_rule(&rules, "rest");
    axis->rest = -1.0 - 1e-12, expect_rule(&rules, "rest");
    axis->rest = NAN, expect_rule(&rules, "rest");
    axis->upper = INFINITY, axis->rest = INFINITY, expect_rule(&rules, "rest");
    axis->lower = axis->upper = INFINITY, expect_rule(&rules, "rest");
    axis->mobility = -0.1, expect_rule(&rules, "mobility");
    axis->mobility = NAN, expect_rule(&rules, "mobility");
    axis->mobility = INFINITY, expect_rule(&rules, "mobility");
    memset(&axis->kind, 0x7f, sizeof axis->kind);
    expect_rule(&rules, "kind");
    // a ball that is not the last axis, two balls
    *axis = sinew_axis_ball(), expect_rule(&rules, "ball");
    rules.joints[1].axis_count = 4, expect_rule(&rules, "ball");

    // what is allowed at the edge: one value alone, no range at all, six axes
    sinew_Skeleton *skeleton = NULL;
    axis->lower = axis->upper = axis->rest = 0.5;
    rules.axes[0].lower = -INFINITY, rules.axes[0].upper = INFINITY;
    TEST_OK(sinew_skeleton_create(rules.joints, 2, NULL, &skeleton, NULL), NULL);
    sinew_skeleton_destroy(skeleton);
    set_good(&rules);
    rules.axes[2] = rules.axes[1];
    rules.axes[5] = sinew_axis_ball();
    rules.joints[1].axis_count = 6;
    TEST_OK(sinew_skeleton_create(rules.joints, 2, NULL, &skeleton, NULL), NULL);
    TEST_INT(sinew_skeleton_coordinate_count(skeleton), 9);
    TEST_INT(sinew_skeleton_dof_count(skeleton), 8);
    sinew_skeleton_destroy(skeleton);
}

/// The count of joints, NULL for joints and for the result.
static void test_arguments_refused_skel1(void **state)
{
    (void)state;
    Rules rules;
    set_good(&rules);
    static const int counts[] = { 0, -1, INT32_MIN, SINEW_MAX_JOINTS + 1, INT32_MAX };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; ++i) {
        sinew_Skeleton *skeleton = (sinew_Skeleton *)(uintptr_t)1;
        sinew_Message message = { "" };
        sinew_Status status = sinew_skeleton_create(
            rules.joints, counts[i], NULL, &skeleton, &message);
        expect_refused(status, skeleton, &message, "joint_count", "want 1");
    }
    sinew_Skeleton *skeleton = (sinew_Skeleton *)(uintptr_t)1;
    sinew_Message message = { "" };
    sinew_Status no_joints = sinew_skeleton_create(NULL, 2, NULL, &skeleton, &message);
    expect_refused(no_joints, skeleton, &message, "joints", "NULL");
    TEST_INT(sinew_skeleton_create(rules.joints, 2, NULL, NULL, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "out_skeleton") != NULL);
    sinew_skeleton_destroy(NULL);

    // a name longer than the message is cut, not followed over its end
    static char name[5000];
    memset(name, 'n', sizeof name - 1);
    rules.joints[1].name = name;
    rules.joints[1].mass = -1.0;
    skeleton = NULL;
    TEST_INT(sinew_skeleton_create(rules.joints, 2, NULL, &skeleton, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strlen(message.text) < sizeof message.text);
}

// ---------------------------------------------------------------------------------------------
// Names and places

/// A random body in which names and kinds of axes are as they come, with different names.
static sinew_Skeleton *named_body(test_Random *random, int joint_count)
{
    static char names[BODY_MAX_JOINTS][24];
    static sinew_Axis axes[BODY_MAX_JOINTS][SINEW_MAX_AXES_PER_JOINT];
    sinew_JointDef joints[BODY_MAX_JOINTS] = { { 0 } };
    for (int j = 0; j < joint_count; ++j) {
        joints[j] = sinew_joint_def_default();
        const char *word = test_int(random, 3) ? "j" : "Left Arm.";
        snprintf(names[j], sizeof names[j], "%s%d", word, j);
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        while (joints[j].parent >= 0 && test_int(random, 3) == 0) {
            joints[j].parent = joints[joints[j].parent].parent;
        }
        joints[j].offset = test_vector(random, 0.5);
        joints[j].axes = axes[j];
        joints[j].axis_count = test_int(random, SINEW_MAX_AXES_PER_JOINT + 1);
        for (int a = 0; a < joints[j].axis_count; ++a) {
            axes[j][a] = body_random_axis(random, BODY_EVERYTHING);
            bool last = a + 1 == joints[j].axis_count;
            if (last && test_int(random, 3) == 0) { axes[j][a] = sinew_axis_ball(); }
        }
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(joints, joint_count, NULL, &skeleton, &message), &message);
    for (int j = 0; j < joint_count; ++j) {
        const sinew_Joint *made = &sinew_skeleton_joints(skeleton)[j];
        TEST_INT(strcmp(made->name, joints[j].name), 0);
        TEST_TRUE(made->name != joints[j].name);
        TEST_INT(made->parent, joints[j].parent);
        TEST_INT(made->axis_count, joints[j].axis_count);
        TEST_VEC3_NEAR(made->offset, joints[j].offset, 0.0);
    }
    return skeleton;
}

/// All coordinates of 1000 random bodies have different names, by which they are found again; cut
/// names stay terminated.
static void test_coordinate_names_round_trip(void **state)
{
    (void)state;
    long coordinates = 0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2101, i);
        sinew_Skeleton *skeleton = named_body(&random, 1 + test_int(&random, 30));
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        int count = sinew_skeleton_coordinate_count(skeleton);
        coordinates += count;
        for (int c = 0; c < count; ++c) {
            char name[64], cut[5] = "....";
            sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
            TEST_INT(sinew_skeleton_find_coordinate(skeleton, name), c);
            sinew_skeleton_coordinate_name(skeleton, c, cut, 4);
            TEST_TRUE(strncmp(cut, name, 3) == 0 && strlen(cut) <= 3 && cut[4] == '\0');
            sinew_skeleton_coordinate_name(skeleton, c, cut, 0);
            TEST_TRUE(strncmp(cut, name, 3) == 0);
            // the plain name of the joint stands for its only coordinate
            size_t length = strlen(name);
            bool plain = sinew_skeleton_find_joint(skeleton, name) >= 0;
            int joint = -1;
            for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
                if (places[a].coordinate <= c) { joint = places[a].joint; }
            }
            TEST_TRUE(plain == (joints[joint].coordinate_count == 1));
            TEST_TRUE(plain || name[length - 3] == '.');
        }
        for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
            TEST_INT(sinew_skeleton_find_joint(skeleton, joints[j].name), j);
        }
        TEST_INT(sinew_skeleton_find_coordinate(skeleton, "nobody"), -1);
        TEST_INT(sinew_skeleton_find_coordinate(skeleton, ""), -1);
        TEST_INT(sinew_skeleton_find_coordinate(skeleton, "j1.qxx"), -1);
        TEST_INT(sinew_skeleton_find_joint(skeleton, "nobody"), -1);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("    %ld coordinates found by their names\n", coordinates);
}

/// The names that skeleton.h promises, and the first of equal names is found.
static void test_coordinate_names_as_documented(void **state)
{
    (void)state;
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    sinew_Axis root[4] = { sinew_axis_slide(x), sinew_axis_slide(y), sinew_axis_slide(z),
        sinew_axis_ball() };
    sinew_Axis turns[5] = { sinew_axis_hinge(z, -1.0, 1.0), sinew_axis_hinge(x, -1.0, 1.0),
        sinew_axis_hinge(z, -1.0, 1.0), sinew_axis_slide(sinew_vec3(0.0, -1.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.6, 0.8, 0.0)) };
    sinew_Axis knee = sinew_axis_hinge(x, 0.0, 2.0);
    enum { JOINTS = 8, COORDINATES = 19 };
    sinew_JointDef joints[JOINTS];
    for (int j = 0; j < JOINTS; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
    }
    joints[0].name = "Hips", joints[0].axes = root, joints[0].axis_count = 4;
    joints[1].name = "Leg", joints[1].axes = turns, joints[1].axis_count = 5;
    joints[2].name = "Knee", joints[2].axes = &knee, joints[2].axis_count = 1;
    joints[3].name = "Knee", joints[3].axes = &knee, joints[3].axis_count = 1;
    // joints called as coordinates of others are
    joints[4].name = "Leg.rx", joints[4].axes = &knee, joints[4].axis_count = 1;
    joints[5].name = "Arm.rz", joints[5].axes = &knee, joints[5].axis_count = 1;
    joints[6].name = "Arm", joints[6].axes = turns, joints[6].axis_count = 2;
    joints[7].name = "Leg", joints[7].axes = &knee, joints[7].axis_count = 1;
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, JOINTS, NULL, &skeleton, NULL), NULL);
    static const char *const expected[] = { "Hips.tx", "Hips.ty", "Hips.tz", "Hips.qx", "Hips.qy",
        "Hips.qz", "Hips.qw", "Leg.rz", "Leg.rx", "Leg.r3", "Leg.t4", "Leg.t5", "Knee", "Knee#2",
        "Leg.rx", "Arm.rz", "Arm.rz", "Arm.rx", "Leg#2" };
    TEST_INT(sinew_skeleton_coordinate_count(skeleton), COORDINATES);
    for (int c = 0; c < COORDINATES; ++c) {
        char name[32];
        sinew_skeleton_coordinate_name(skeleton, c, name, sizeof name);
        assert_string_equal(name, expected[c]);
    }
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Knee"), 12);
    TEST_INT(sinew_skeleton_find_joint(skeleton, "Knee"), 2);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Leg.rx"), 8);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Arm.rz"), 15);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Arm.rx"), 17);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Leg"), 18);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Knee#2"), 13);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Leg#2"), 18);
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Leg#1.r3"), 9);
    static const char *const nobody[] = { "Hips", "Knee#3", "Knee#0", "Knee#", "Knee#02", "Knee#x",
        "#2", "Leg#2.rz", "Knee#99999999999999999999" };
    for (size_t i = 0; i < sizeof nobody / sizeof nobody[0]; ++i) {
        TEST_INT(sinew_skeleton_find_coordinate(skeleton, nobody[i]), -1);
    }
    TEST_INT(sinew_skeleton_find_coordinate(skeleton, "Knee.rx"), -1);
    sinew_skeleton_destroy(skeleton);
}

/// Where the hips stand against a root that marks the origin is no part of the body's size.
static void test_size_without_a_mark_of_the_origin(void **state)
{
    (void)state;
    sinew_Axis slides[3] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)) };
    static const char *const names[] = { "Root", "Hips", "Leg", "Spine" };
    static const int parents[] = { -1, 0, 1, 1 };
    static const double heights[] = { 0.0, 0.9, -0.8, 0.5 };
    for (int free = 0; free < 2; ++free) {
        sinew_JointDef joints[4];
        for (int j = 0; j < 4; ++j) {
            joints[j] = sinew_joint_def_default();
            joints[j].name = names[j];
            joints[j].parent = parents[j];
            joints[j].offset = sinew_vec3(0.0, heights[j], j == 1 ? 4.5 : 0.0);
        }
        joints[1].axes = slides;
        joints[1].axis_count = free == 1 ? 3 : 0;
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(joints, 4, NULL, &skeleton, NULL), NULL);
        TEST_NEAR(sinew_skeleton_size(skeleton), free == 1 ? 1.3 : 4.5, 1e-12);
        sinew_skeleton_destroy(skeleton);
    }
}

/// Subtrees, ancestors, chain lengths, places of numbers and the size, against their plain meaning.
static void test_structure_queries(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2102, i);
        sinew_Skeleton *skeleton = body_random(&random, 1 + test_int(&random, 40), BODY_EVERYTHING);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
        const sinew_AxisPlace *places = sinew_skeleton_axis_places(skeleton);
        int count = sinew_skeleton_joint_count(skeleton);
        int axis = 0, coordinate = 0, dof = 0;
        for (int j = 0; j < count; ++j) {
            int below = 0;
            for (int k = 0; k < count; ++k) {
                // climb from k: is j on the way, and how long is the way?
                double length = 0.0;
                int above = k;
                while (above >= 0 && above != j) {
                    length += sinew_vec3_length(joints[above].offset);
                    above = joints[above].parent;
                }
                TEST_TRUE(sinew_skeleton_is_ancestor(skeleton, j, k) == (above == j));
                below += above == j;
                if (above == j) {
                    TEST_NEAR(sinew_skeleton_chain_length(skeleton, j, k), length, 1e-14);
                }
            }
            TEST_INT(joints[j].subtree_count, below);
            TEST_INT(joints[j].axis_start, axis);
            TEST_INT(joints[j].coordinate_start, coordinate);
            TEST_INT(joints[j].dof_start, dof);
            for (int a = 0; a < joints[j].axis_count; ++a, ++axis) {
                TEST_INT(places[axis].joint, j);
                TEST_INT(places[axis].coordinate, coordinate);
                TEST_INT(places[axis].dof, dof);
                coordinate += axes[axis].kind == SINEW_AXIS_BALL ? 4 : 1;
                dof += axes[axis].kind == SINEW_AXIS_BALL ? 3 : 1;
            }
            TEST_INT(joints[j].coordinate_count, coordinate - joints[j].coordinate_start);
            TEST_INT(joints[j].dof_count, dof - joints[j].dof_start);
        }
        TEST_INT(sinew_skeleton_axis_count(skeleton), axis);
        TEST_INT(sinew_skeleton_coordinate_count(skeleton), coordinate);
        TEST_INT(sinew_skeleton_dof_count(skeleton), dof);

        // joints of the zero pose in a box
        double q[BODY_MAX_NUMBERS] = { 0.0 };
        for (int a = 0; a < axis; ++a) {
            if (axes[a].kind == SINEW_AXIS_BALL) { q[places[a].coordinate + 3] = 1.0; }
        }
        sinew_Transform world[BODY_MAX_JOINTS];
        sinew_pose_forward(skeleton, q, world);
        double size = 1e-6;
        for (int j = 0; j < count; ++j) {
            for (int k = 0; k < count; ++k) {
                sinew_Vec3 d = sinew_vec3_sub(world[j].position, world[k].position);
                size = fmax(size, fmax(d.x, fmax(d.y, d.z)));
            }
        }
        TEST_NEAR(sinew_skeleton_size(skeleton), size, 1e-13);
        sinew_skeleton_destroy(skeleton);
    }
}

/// Slides, hinges, universal joints and balls mix in one body, even in one joint, and the analytic
/// Jacobian of such a body equals central differences.
static void test_mixed_joint_types_skel5(void **state)
{
    (void)state;
    sinew_Vec3 x = { 1.0, 0.0, 0.0 }, y = { 0.0, 1.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
    sinew_Axis slide = sinew_axis_slide(z), hinge = sinew_axis_hinge(x, -2.0, 2.0);
    sinew_Axis universal[2] = { sinew_axis_hinge(z, -2.0, 2.0), sinew_axis_hinge(y, -2.0, 2.0) };
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis all[4] = { slide, universal[0], universal[1], ball };
    const sinew_Axis *axes[6] = { &slide, &ball, universal, &hinge, all, NULL };
    static const int axis_counts[6] = { 1, 1, 2, 1, 4, 0 };
    static const int dof_counts[6] = { 1, 3, 2, 1, 6, 0 };
    sinew_JointDef joints[6];
    for (int j = 0; j < 6; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.05, 0.3, 0.02);
        joints[j].axes = axes[j];
        joints[j].axis_count = axis_counts[j];
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 6, NULL, &skeleton, NULL), NULL);
    enum { DOFS = 13 };
    TEST_INT(sinew_skeleton_dof_count(skeleton), DOFS);
    TEST_INT(sinew_skeleton_coordinate_count(skeleton), 15);
    for (int j = 0; j < 6; ++j) {
        TEST_INT(sinew_skeleton_joints(skeleton)[j].dof_count, dof_counts[j]);
    }
    sinew_Goal goal = sinew_goal_pose(5, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity());
    double worst = 0.0;
    for (int i = 0; i < 1000; ++i) {
        test_Random random = test_case(2103, i);
        double q[16], scratch_q[16], analytic[6 * DOFS], numeric[6 * DOFS];
        sinew_Transform world[6], scratch[6];
        body_random_pose(&random, skeleton, 1.5, q);
        sinew_pose_forward(skeleton, q, world);
        sinew_jacobian(skeleton, q, world, &goal, analytic);
        sinew_jacobian_numeric(
            skeleton, q, &goal, SINEW_DIFFERENCE_CENTRAL, 1e-5, scratch_q, scratch, numeric);
        for (int k = 0; k < 6 * DOFS; ++k) { worst = fmax(worst, fabs(analytic[k] - numeric[k])); }
    }
    print_message("    Jacobian of all joint types: off by at most %.2g\n", worst);
    TEST_NEAR(worst, 0.0, 1e-7);
    sinew_skeleton_destroy(skeleton);
}

// ---------------------------------------------------------------------------------------------
// Memory

static sinew_BallLimit *make_cone(double half_angle, double twist)
{
    static const sinew_Vec3 axis = { 1.0, 0.0, 0.0 };
    sinew_ReachWindow window = sinew_reach_cone(&axis, half_angle);
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    def.windows = &window;
    def.window_count = 1;
    def.twist_lower = -twist;
    def.twist_upper = twist;
    sinew_BallLimit *limit = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, &message), &message);
    return limit;
}

static void set_limited(
    sinew_JointDef *joints, sinew_Axis *axes, sinew_BallLimit *const *limits, int count)
{
    for (int j = 0; j < count; ++j) {
        axes[j] = sinew_axis_ball();
        axes[j].limit = limits[j];
        joints[j] = sinew_joint_def_default();
        joints[j].name = "ball";
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.1, 0.0, 0.0);
        joints[j].axes = &axes[j];
        joints[j].axis_count = 1;
    }
}

/// Limits of balls are copied: the skeleton keeps its own when the user's are gone, and a limit on
/// a hinge, which has no use for it, is not taken over.
static void test_limits_are_copied(void **state)
{
    (void)state;
    enum { COUNT = 3 };
    sinew_BallLimit *limits[COUNT];
    for (int j = 0; j < COUNT; ++j) { limits[j] = make_cone(0.3 + 0.2 * j, 0.5); }
    sinew_JointDef joints[COUNT];
    sinew_Axis axes[COUNT];
    set_limited(joints, axes, limits, COUNT);
    axes[2] = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -1.0, 1.0);
    axes[2].limit = limits[2];
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, COUNT, NULL, &skeleton, NULL), NULL);
    for (int j = 0; j < COUNT; ++j) { sinew_ball_limit_destroy(limits[j]); }
    memset(axes, 0xa5, sizeof axes);
    memset(joints, 0xa5, sizeof joints);

    const sinew_Axis *own = sinew_skeleton_axes(skeleton);
    TEST_TRUE(own[2].limit == NULL);
    for (int j = 0; j < 2; ++j) {
        double half = 0.3 + 0.2 * j;
        sinew_Vec3 y = { 0.0, 1.0, 0.0 };
        TEST_TRUE(own[j].limit != NULL);
        TEST_TRUE(
            sinew_ball_limit_allows(own[j].limit, sinew_quat_from_axis_angle(y, half - 1e-9)));
        sinew_Quat outside = sinew_quat_from_axis_angle(y, half + 0.25);
        TEST_NEAR(sinew_ball_limit_violation(own[j].limit, outside), 0.25, 1e-12);
    }
    sinew_skeleton_destroy(skeleton);
}

/// Whichever allocation fails, creation says so, hands nothing out and gives everything back; with
/// enough memory all of it comes from the allocator and goes back to it.
static void test_failed_allocations_leave_nothing(void **state)
{
    (void)state;
    enum { COUNT = 5 };
    sinew_BallLimit *limits[COUNT];
    for (int j = 0; j < COUNT; ++j) { limits[j] = j == 2 ? NULL : make_cone(0.3 + 0.2 * j, 0.5); }
    sinew_JointDef joints[COUNT];
    sinew_Axis axes[COUNT];
    for (int limited = 0; limited < 2; ++limited) {
        set_limited(joints, axes, limits, COUNT);
        for (int j = 0; !limited && j < COUNT; ++j) { axes[j].limit = NULL; }
        long needed = 0;
        for (long n = 1;; ++n) {
            test_Memory memory;
            test_memory_init(&memory);
            memory.fail_at = n;
            sinew_Skeleton *skeleton = (sinew_Skeleton *)(uintptr_t)1;
            sinew_Message message = { "" };
            sinew_Status status = sinew_skeleton_create(
                joints, COUNT, &memory.allocator, &skeleton, &message);
            if (status == SINEW_STATUS_OK) {
                needed = memory.alloc_count;
                TEST_TRUE(memory.live_bytes > 0);
                sinew_skeleton_destroy(skeleton);
            } else {
                TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
                TEST_TRUE(skeleton == NULL);
                TEST_TRUE(strstr(message.text, "memory") != NULL);
            }
            TEST_INT((long long)memory.live_bytes, 0);
            TEST_TRUE(!memory.wrong_size);
            if (status == SINEW_STATUS_OK) { break; }
            TEST_TRUE(n < 100);
        }
        print_message("    %s limits: %ld allocations\n", limited ? "with" : "without", needed);
        TEST_TRUE(needed >= (limited ? 2 + 4 : 1));
    }
    for (int j = 0; j < COUNT; ++j) { sinew_ball_limit_destroy(limits[j]); }
}

TEST_MAIN(cmocka_unit_test(test_deep_and_bushy_trees_skel1),
    cmocka_unit_test(test_cycles_and_missing_parents_refused_skel1),
    cmocka_unit_test(test_depth_first_order_skel1), cmocka_unit_test(test_joint_rules_skel1),
    cmocka_unit_test(test_axis_rules_skel1), cmocka_unit_test(test_arguments_refused_skel1),
    cmocka_unit_test(test_coordinate_names_round_trip),
    cmocka_unit_test(test_coordinate_names_as_documented), cmocka_unit_test(test_structure_queries),
    cmocka_unit_test(test_size_without_a_mark_of_the_origin),
    cmocka_unit_test(test_mixed_joint_types_skel5), cmocka_unit_test(test_limits_are_copied),
    cmocka_unit_test(test_failed_allocations_leave_nothing))
