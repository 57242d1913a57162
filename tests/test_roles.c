// Joint roles: names of roles, effectors, mirrors, shape alone, bad arguments, garbage.

#include "role_bodies.h"

#include "body/role_words.h"

// ---------------------------------------------------------------------------------------------
// The interface

static void test_role_names(void **state)
{
    (void)state;
    for (int r = SINEW_ROLE_ROOT; r < SINEW_ROLE_COUNT; ++r) {
        for (int s = SINEW_SIDE_NONE; s <= SINEW_SIDE_RIGHT; ++s) {
            for (int number = 0; number < 12; ++number) {
                char name[24], again[24];
                sinew_JointRole role;
                sinew_role_name((sinew_Role)r, (sinew_Side)s, number, name, sizeof name);
                TEST_TRUE(sinew_role_parse(name, &role));
                TEST_INT(role.role, r);
                TEST_INT(role.side, s);
                sinew_role_name(role.role, role.side, role.number, again, sizeof again);
                assert_string_equal(again, name);
            }
        }
    }
    sinew_JointRole role = { SINEW_ROLE_NONE, SINEW_SIDE_NONE, 7 };
    static const char *const bad[] = { "", "none", "hip", "hips1", "spine", "spinex", "spine12345",
        "_l", "hand_", "hand_L", "index", "l", "Hips" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        TEST_TRUE(!sinew_role_parse(bad[i], &role));
    }
    TEST_INT(role.number, 7);
    char small[4];
    sinew_role_name(SINEW_ROLE_UPPERARM, SINEW_SIDE_LEFT, 0, small, sizeof small);
    assert_string_equal(small, "upp");
    sinew_role_name(SINEW_ROLE_UPPERARM, SINEW_SIDE_LEFT, 0, NULL, 0);
}

// binary search needs the table sorted; scores stay in their range
static void test_word_table(void **state)
{
    (void)state;
    for (int i = 0; i < snw_word_count(); ++i) {
        const snw_Word *word = snw_word_at(i);
        int rows;
        const snw_Word *first = snw_word_find(word->text, &rows);
        TEST_TRUE(first != NULL && first <= word && word < first + rows);
        TEST_TRUE(i == 0 || strcmp(snw_word_at(i - 1)->text, word->text) <= 0);
        TEST_TRUE((word->tenths > 0) == (word->kind < SNW_PART_COUNT) && word->tenths <= 30);
    }
    int rows;
    TEST_TRUE(snw_word_find("zzz", &rows) == NULL && rows == 0);
    size_t length;
    assert_string_equal(snw_word_translate("手首", &length), "wrist");
    TEST_INT((long long)length, 6);
}

static void test_effectors_and_mirrors(void **state)
{
    (void)state;
    static Body body;
    make(&body, &unreal);
    hang(&body, "thigh_twist_01_l", "twist_l", "thigh_l", 0.0, -0.1, 0.0);
    hang(&body, "thigh_twist_01_r", "twist_r", "thigh_r", 0.0, -0.1, 0.0);
    Order order;
    sinew_Skeleton *skeleton = build(&body, &order);
    sinew_RoleGuess *result = guess(&body, skeleton);
    static const char *const want[] = { "pelvis", "head", "hand_l", "hand_r", "foot_l", "foot_r",
        "ball_l", "ball_r" };
    int joints[8] = { 0 };
    TEST_INT(sinew_roles_effectors(result, joints, 8), 8);
    for (int i = 0; i < 8; ++i) {
        assert_string_equal(sinew_skeleton_joints(skeleton)[joints[i]].name, want[i]);
    }
    int one = -1;
    TEST_INT(sinew_roles_effectors(result, &one, 1), 8);
    TEST_INT(one, joints[0]);

    static const char *const pairs[][2] = { { "hand_l", "hand_r" }, { "ball_r", "ball_l" },
        { "thigh_twist_01_l", "thigh_twist_01_r" }, { "spine_02", "spine_02" },
        { "root", "root" } };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        TEST_INT(result->mirror[sinew_skeleton_find_joint(skeleton, pairs[i][0])],
            sinew_skeleton_find_joint(skeleton, pairs[i][1]));
    }
    int spine = sinew_roles_find(result, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, 2);
    assert_string_equal(sinew_skeleton_joints(skeleton)[spine].name, "spine_02");
    TEST_INT(sinew_roles_find(result, SINEW_ROLE_SPINE, SINEW_SIDE_NONE, 3), -1);
    TEST_INT(sinew_roles_find(result, SINEW_ROLE_TAIL, SINEW_SIDE_NONE, -1), -1);
    TEST_INT(sinew_roles_find(NULL, SINEW_ROLE_TAIL, SINEW_SIDE_NONE, -1), -1);
    TEST_NEAR(result->stature, STATURE, 0.02);
    sinew_roles_destroy(result);
    sinew_skeleton_destroy(skeleton);
}

// shape alone, with doubts said; a facing that nothing shows costs confidence
static void test_names_ignored(void **state)
{
    (void)state;
    static Body body;
    make(&body, &mixamo);
    Order order;
    sinew_Skeleton *skeleton = build(&body, &order);
    sinew_RoleOptions options = sinew_role_options_default();
    options.ignore_names = true;
    sinew_RoleGuess *result;
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &result, NULL), NULL);
    TEST_INT(result->source, SINEW_ROLES_BY_TOPOLOGY);
    TEST_TRUE(result->confidence > 0.3 && result->confidence < 0.7);
    for (int i = 0; i < body.count; ++i) {
        char found[32];
        const sinew_JointRole *role = &result->joints[order.joints[i]];
        sinew_role_name(role->role, role->side, role->number, found, sizeof found);
        assert_string_equal(found, body.bones[i].role);
    }
    sinew_roles_destroy(result);
    sinew_skeleton_destroy(skeleton);
}

// all bones along one line: the rest pose shows nothing, the reference pose does
static void test_stacked_rest(void **state)
{
    (void)state;
    static Body body;
    make(&body, &mixamo);
    Order order;
    sinew_Skeleton *figure = build(&body, &order);
    static sinew_JointDef defs[MAX_BONES];
    static double q[4 * MAX_BONES];
    sinew_Axis ball = sinew_axis_ball();
    static sinew_Quat world[MAX_BONES];
    for (int j = 0; j < order.count; ++j) {
        const sinew_Joint *joint = &sinew_skeleton_joints(figure)[j];
        defs[j] = sinew_joint_def_default();
        defs[j].name = joint->name;
        defs[j].parent = joint->parent;
        defs[j].offset = sinew_vec3(sinew_vec3_length(joint->offset), 0.0, 0.0);
        defs[j].axes = &ball;
        defs[j].axis_count = 1;
        world[j] = sinew_quat_identity();
    }
    // forks keep their offsets: only one child can be reached by turning the parent
    for (int j = 0; j < order.count; ++j) {
        int children = 0, child = -1;
        for (int k = j + 1; k < order.count; ++k) {
            if (defs[k].parent == j) {
                ++children;
                child = k;
            }
        }
        sinew_Quat parent = defs[j].parent >= 0 ? world[defs[j].parent] : sinew_quat_identity();
        world[j] = sinew_quat_identity();
        if (children == 1) {
            sinew_Vec3 along = sinew_skeleton_joints(figure)[child].offset;
            along = sinew_vec3_normalize_or(along, sinew_vec3(1.0, 0.0, 0.0));
            world[j] = sinew_quat_between(sinew_vec3(1.0, 0.0, 0.0), along);
        } else {
            for (int k = j + 1; k < order.count; ++k) {
                if (defs[k].parent == j) {
                    defs[k].offset = sinew_skeleton_joints(figure)[k].offset;
                }
            }
        }
        sinew_Quat local = sinew_quat_mul(sinew_quat_conjugate(parent), world[j]);
        memcpy(&q[4 * j], &local, sizeof local);
    }
    sinew_Skeleton *stacked;
    TEST_OK(sinew_skeleton_create(defs, order.count, NULL, &stacked, NULL), NULL);
    sinew_RoleOptions options = sinew_role_options_default();
    const sinew_PoseList motion = { q, 1 };
    options.motion = &motion;
    for (int pass = 0; pass < 2; ++pass) {
        options.ignore_names = pass == 1;
        sinew_RoleGuess *result;
        TEST_OK(sinew_roles_guess(stacked, &options, NULL, &result, NULL), NULL);
        TEST_TRUE(result->reference_frame == 0);
        TEST_VEC3_NEAR(result->up, sinew_vec3(0.0, 1.0, 0.0), 1e-9);
        TEST_VEC3_NEAR(result->left, sinew_vec3(1.0, 0.0, 0.0), 1e-9);
        int hand = sinew_roles_find(result, SINEW_ROLE_HAND, SINEW_SIDE_LEFT, -1);
        assert_string_equal(defs[hand].name, "mixamorig:LeftHand");
        sinew_roles_destroy(result);
    }
    sinew_skeleton_destroy(stacked);
    sinew_skeleton_destroy(figure);
}

static void test_arguments_and_memory(void **state)
{
    (void)state;
    static Body body;
    make(&body, &cmu);
    Order order;
    sinew_Skeleton *skeleton = build(&body, &order);
    sinew_RoleGuess *result = NULL;
    sinew_Message message = { "" };
    TEST_INT(sinew_roles_guess(NULL, NULL, NULL, &result, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_roles_guess(skeleton, NULL, NULL, NULL, NULL), SINEW_STATUS_INVALID_ARGUMENT);
    static double q[4 * MAX_BONES];
    q[5] = NAN;
    sinew_RoleOptions options = sinew_role_options_default();
    const sinew_PoseList motion = { q, 1 };
    options.motion = &motion;
    TEST_INT(sinew_roles_guess(skeleton, &options, NULL, &result, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    assert_string_equal(message.text, "motion, frame 0: number 5 is not finite");
    sinew_roles_destroy(NULL);

    options.motion = NULL;
    for (int names = 0; names < 2; ++names) {
        options.ignore_names = names == 0;
        long fail_at = 0;
        sinew_Status status;
        do {
            test_Memory memory;
            test_memory_init(&memory);
            memory.fail_at = ++fail_at;
            status = sinew_roles_guess(skeleton, &options, &memory.allocator, &result, NULL);
            TEST_TRUE((status == SINEW_STATUS_OK) == (result != NULL));
            sinew_roles_destroy(result);
            TEST_INT((long long)memory.live_bytes, 0);
            TEST_TRUE(!memory.wrong_size);
        } while (status == SINEW_STATUS_OUT_OF_MEMORY);
        TEST_TRUE(fail_at > 3);
    }
    sinew_skeleton_destroy(skeleton);
}

// ---------------------------------------------------------------------------------------------
// Garbage

static void random_name(test_Random *random, char *out_name, size_t size)
{
    static const char *const pieces[] = { "left", "R", "_", ".", ":", "|", "hip", "Leg", "ARM",
        "hand", "foot", "spine", "neck", "head", "finger", "thumb", "01", "7", "twist", "IK", "左",
        "足首", "\xff", "\xe3\x81", "é", "fl", "RR", "toe", "shoulder", "wrist", "root", "__", "l",
        "r", "upper", "tip", "end", "index" };
    size_t used = 0;
    int count = test_int(random, 7);
    out_name[0] = '\0';
    for (int i = 0; i < count; ++i) {
        const char *piece = pieces[test_int(random, (int)(sizeof pieces / sizeof pieces[0]))];
        size_t length = strlen(piece);
        if (used + length + 2 > size) { break; }
        memcpy(out_name + used, piece, length + 1);
        used += length;
        if (test_int(random, 8) == 0) {
            out_name[used++] = (char)(1 + test_int(random, 255));
            out_name[used] = '\0';
        }
    }
}

static sinew_Skeleton *random_skeleton(test_Random *random, int count, bool *is_end)
{
    sinew_JointDef *defs = malloc((size_t)count * sizeof *defs);
    char(*names)[48] = malloc((size_t)count * sizeof *names);
    TEST_TRUE(defs != NULL && names != NULL);
    sinew_Axis axes[2] = { sinew_axis_ball(), sinew_axis_hinge(sinew_vec3(1, 0, 0), -1.0, 1.0) };
    int straight = test_int(random, 4);
    for (int j = 0; j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        random_name(random, names[j], sizeof names[j]);
        defs[j].name = names[j];
        int parent = j - 1;
        while (parent > 0 && test_int(random, 8) < straight) { parent = defs[parent].parent; }
        if (parent == 0 && j > 1 && test_int(random, 50) == 0) { parent = -1; }
        defs[j].parent = parent;
        defs[j].offset = test_vector(random, test_int(random, 5) == 0 ? 0.0 : 1.0);
        if (test_int(random, 20) == 0) { defs[j].offset = sinew_vec3(5e8, -5e8, 1e-300); }
        if (test_int(random, 3) == 0) { defs[j].offset = sinew_vec3(0.0, 0.3, 0.0); }
        defs[j].axes = &axes[test_int(random, 2)];
        defs[j].axis_count = test_int(random, 4) > 0;
        is_end[j] = test_int(random, 10) == 0;
    }
    sinew_Skeleton *skeleton;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, count, NULL, &skeleton, &message), &message);
    free(names);
    free(defs);
    return skeleton;
}

static void check_guess(const sinew_RoleGuess *result, int count)
{
    TEST_INT(result->joint_count, count);
    TEST_TRUE(result->confidence >= 0.0 && result->confidence <= 1.0);
    TEST_NEAR(sinew_vec3_length(result->up), 1.0, 1e-9);
    TEST_NEAR(sinew_vec3_length(result->left), 1.0, 1e-9);
    TEST_NEAR(sinew_vec3_length(result->forward), 1.0, 1e-9);
    TEST_NEAR(sinew_vec3_dot(result->up, result->left), 0.0, 1e-9);
    for (int j = 0; j < count; ++j) {
        int mirror = result->mirror[j];
        TEST_TRUE(mirror >= -1 && mirror < count);
        TEST_TRUE(mirror < 0 || result->mirror[mirror] == j);
    }
    for (int i = 0; i < result->warning_count; ++i) {
        TEST_TRUE(result->warnings[i][0] != '\0' && strchr(result->warnings[i], '\n') == NULL);
    }
}

// random names on random trees: no crash, the same guess twice
static void test_garbage(void **state)
{
    (void)state;
    static bool is_end[256];
    int bodies = 0;
    for (int i = 0; i < 3000; ++i) {
        test_Random random = test_case(31, i);
        int count = 1 + test_int(&random, i % 10 == 0 ? 200 : 50);
        sinew_Skeleton *skeleton = random_skeleton(&random, count, is_end);
        sinew_RoleOptions options = sinew_role_options_default();
        options.ignore_names = test_int(&random, 3) == 0;
        options.is_robot = test_int(&random, 2) == 0;
        options.is_end_site = test_int(&random, 2) == 0 ? is_end : NULL;
        sinew_RoleGuess *first, *second;
        TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &first, NULL), NULL);
        TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &second, NULL), NULL);
        check_guess(first, count);
        TEST_INT(second->kind, first->kind);
        TEST_TRUE(second->confidence == first->confidence && second->stature == first->stature);
        TEST_INT(memcmp(first->joints, second->joints, (size_t)count * sizeof *first->joints), 0);
        TEST_INT(memcmp(first->mirror, second->mirror, (size_t)count * sizeof *first->mirror), 0);
        bodies += first->kind != SINEW_BODY_OTHER;
        int effectors[64];
        TEST_TRUE(sinew_roles_effectors(first, effectors, 64) >= 0);
        sinew_roles_destroy(second);
        sinew_roles_destroy(first);
        sinew_skeleton_destroy(skeleton);
    }
    print_message("%d of 3000 taken for bodies\n", bodies);
}

static sinew_Skeleton *long_chain(int count, bool is_comb)
{
    sinew_JointDef *defs = malloc((size_t)count * sizeof *defs);
    TEST_TRUE(defs != NULL);
    sinew_Axis ball = sinew_axis_ball();
    for (int j = 0; j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = "LeftLeg";
        defs[j].parent = is_comb && j > 0 && j % 2 == 0 ? j - 2 : j - 1;
        defs[j].offset = sinew_vec3(0.0, 0.1, 0.0);
        defs[j].axes = &ball;
        defs[j].axis_count = 1;
    }
    sinew_Skeleton *skeleton;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, count, NULL, &skeleton, &message), &message);
    free(defs);
    return skeleton;
}

// as many joints as are looked at, and one more: then a plain answer
static void test_many_joints(void **state)
{
    (void)state;
    for (int i = 0; i < 5; ++i) {
        int count = SINEW_MAX_ROLE_JOINTS + (i == 4);
        sinew_Skeleton *skeleton = long_chain(count, i % 2 == 1);
        sinew_RoleOptions options = sinew_role_options_default();
        options.ignore_names = i < 2;
        sinew_RoleGuess *result;
        TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &result, NULL), NULL);
        check_guess(result, count);
        if (i == 4) {
            TEST_INT(result->kind, SINEW_BODY_OTHER);
            TEST_INT(result->warning_count, 1);
            TEST_TRUE(strstr(result->warnings[0], "too many joints to guess roles") != NULL);
        }
        sinew_roles_destroy(result);
        sinew_skeleton_destroy(skeleton);
    }
}

TEST_MAIN(cmocka_unit_test(test_role_names), cmocka_unit_test(test_word_table),
    cmocka_unit_test(test_effectors_and_mirrors), cmocka_unit_test(test_names_ignored),
    cmocka_unit_test(test_stacked_rest), cmocka_unit_test(test_arguments_and_memory),
    cmocka_unit_test(test_garbage), cmocka_unit_test(test_many_joints))
