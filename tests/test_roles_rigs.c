// Joint roles by name on bodies made here: every naming dialect, harder rigs, robots, animals.

#include "role_bodies.h"

static int check_dialect(const char *dialect, const Names *names)
{
    int wrong = 0;
    for (int pose = 0; pose < 2; ++pose) {
        static Body body;
        memset(&body, 0, sizeof body);
        add_standard_body(&body, names, pose == 1);
        sinew_RoleGuess *result;
        wrong += check_body(&body, dialect, &result);
        bool is_sure = result->kind == SINEW_BODY_HUMANOID && result->confidence > 0.8
            && result->source == SINEW_ROLES_BY_NAMES;
        if (!is_sure) {
            print_message("    %s: %s by %s, confidence %g\n", dialect,
                sinew_body_kind_name(result->kind), sinew_role_source_name(result->source),
                result->confidence);
            ++wrong;
        }
        sinew_roles_destroy(result);
    }
    return wrong;
}

// all 53 naming dialects on one body, in T and A pose
static void test_dialects(void **state)
{
    (void)state;
    FILE *file = open_notes("dialect-joints.csv");
    if (file == NULL) { skip(); }
    static Names names;
    char line[512], dialect[64] = "", current[64], role[24], name[64];
    int dialects = 0, failed = 0;
    bool has_line = fgets(line, sizeof line, file) != NULL;
    while (has_line) {
        has_line = fgets(line, sizeof line, file) != NULL;
        current[0] = '\0';
        if (has_line) {
            const char *at = read_field(line, current, sizeof current);
            at = read_field(at, role, sizeof role);
            read_field(at, name, sizeof name);
        }
        if (strcmp(current, dialect) != 0 && names.count > 0) {
            ++dialects;
            failed += check_dialect(dialect, &names) > 0;
            names.count = 0;
        }
        snprintf(dialect, sizeof dialect, "%s", current);
        if (has_line) { add_name(&names, role, name); }
    }
    fclose(file);
    print_message("%d dialects, %d with errors\n", dialects, failed);
    TEST_INT(dialects, 53);
    TEST_INT(failed, 0);
}
// ---------------------------------------------------------------------------------------------
// Harder rigs

static void test_twists_in_chain(void **state)
{
    (void)state;
    static Body body;
    make(&body, &genesis);
    insert_above(&body, "lThighTwist", "helper", "lShin", 0.5);
    insert_above(&body, "rThighTwist", "helper", "rShin", 0.5);
    insert_above(&body, "lShldrTwist", "helper", "lForearmBend", 0.5);
    insert_above(&body, "rForearmTwist", "helper", "rHand", 0.5);
    insert_above(&body, "lMetatarsals", "helper", "lToe", 0.4);
    hang(&body, "lPectoral", "helper", "chestUpper", 0.1, 0.0, 0.05);
    TEST_INT(check_body(&body, "Genesis", NULL), 0);

    make(&body, &rigify);
    insert_above(&body, "DEF-thigh.L.001", "helper", "DEF-shin.L", 0.5);
    insert_above(&body, "DEF-thigh.R.001", "helper", "DEF-shin.R", 0.5);
    insert_above(&body, "DEF-upper_arm.L.001", "helper", "DEF-forearm.L", 0.5);
    insert_above(&body, "DEF-forearm.R.001", "helper", "DEF-hand.R", 0.5);
    insert_above(&body, "DEF-spine.005", "neck", "DEF-spine.006", 0.5);
    hang(&body, "DEF-pelvis.L", "helper", "DEF-spine", 0.1, 0.1, 0.0);
    hang(&body, "DEF-breast.R", "helper", "DEF-spine.003", -0.1, 0.0, 0.1);
    TEST_INT(check_body(&body, "Rigify", NULL), 0);
}

static void test_twist_leaves_and_ik(void **state)
{
    (void)state;
    static Body body;
    make(&body, &unreal);
    hang(&body, "thigh_twist_01_l", "helper", "thigh_l", 0.0, -0.1, 0.0);
    hang(&body, "upperarm_twist_01_r", "helper", "upperarm_r", -0.05, 0.0, 0.0);
    hang(&body, "lowerarm_twist_01_l", "helper", "lowerarm_l", 0.05, 0.0, 0.0);
    hang(&body, "ik_foot_root", "helper", "root", 0.0, 0.0, 0.0);
    hang(&body, "ik_foot_l", "helper", "ik_foot_root", 0.1, 0.07, 0.0);
    hang(&body, "ik_foot_r", "helper", "ik_foot_root", -0.1, 0.07, 0.0);
    hang(&body, "ik_hand_root", "helper", "root", 0.0, 0.0, 0.0);
    hang(&body, "ik_hand_gun", "helper", "ik_hand_root", -0.7, 1.4, 0.0);
    hang(&body, "ik_hand_l", "helper", "ik_hand_gun", 1.4, 0.0, 0.0);
    hang(&body, "ik_hand_r", "helper", "ik_hand_gun", 0.0, 0.0, 0.0);
    hang(&body, "index_metacarpal_l", "index0_l", "hand_l", 0.03, 0.0, 0.02);
    hang(&body, "index_01_l", "index1_l", "index_metacarpal_l", 0.05, 0.0, 0.0);
    hang(&body, "index_02_l", "index2_l", "index_01_l", 0.04, 0.0, 0.0);
    hang(&body, "index_03_l", "index3_l", "index_02_l", 0.03, 0.0, 0.0);
    // a finger of its palm's bone and two more
    hang(&body, "middle_metacarpal_l", "middle0_l", "hand_l", 0.03, 0.0, 0.0);
    hang(&body, "middle_01_l", "middle1_l", "middle_metacarpal_l", 0.05, 0.0, 0.0);
    hang(&body, "middle_02_l", "middle2_l", "middle_01_l", 0.04, 0.0, 0.0);
    hang(&body, "thumb_01_r", "thumb1_r", "hand_r", -0.02, 0.0, 0.03);
    hang(&body, "thumb_02_r", "thumb2_r", "thumb_01_r", -0.03, 0.0, 0.02);
    hang(&body, "thumb_03_r", "thumb3_r", "thumb_02_r", -0.03, 0.0, 0.02);
    TEST_INT(check_body(&body, "Unreal", NULL), 0);
}

static void test_biped(void **state)
{
    (void)state;
    static Body body;
    make(&body, &biped);
    int spine = find_bone(&body, "Bip01 Spine"), neck = find_bone(&body, "Bip01 Neck");
    body.bones[find_bone(&body, "Bip01 L Thigh")].parent = spine;
    body.bones[find_bone(&body, "Bip01 R Thigh")].parent = spine;
    body.bones[find_bone(&body, "Bip01 L Clavicle")].parent = neck;
    body.bones[find_bone(&body, "Bip01 R Clavicle")].parent = neck;
    static const char *const fingers[] = { "thumb", "index", "middle", "ring", "pinky" };
    for (int f = 0; f < 5; ++f) {
        char parent[64] = "Bip01 L Hand", name[64], role[24];
        for (int i = 0; i < 3; ++i) {
            snprintf(name, sizeof name, i == 0 ? "Bip01 L Finger%d" : "Bip01 L Finger%d%d", f, i);
            snprintf(role, sizeof role, "%s%d_l", fingers[f], i + 1);
            hang(&body, name, role, parent, 0.03, 0.0, i == 0 ? 0.04 - 0.02 * f : 0.0);
            snprintf(parent, sizeof parent, "%s", name);
        }
        snprintf(name, sizeof name, "Bip01 L Finger%dNub", f);
        hang(&body, name, "end_l", parent, 0.02, 0.0, 0.0);
    }
    hang(&body, "Bip01 Footsteps", "helper", "Bip01 Pelvis", 0.0, -0.9, 0.0);
    hang(&body, "Bip01 Ponytail1", "helper", "Bip01 Head", 0.0, 0.0, -0.1);
    TEST_INT(check_body(&body, "Biped", NULL), 0);
}

static void test_valve_helpers(void **state)
{
    (void)state;
    static Body body;
    make(&body, &valve);
    static const char *const helpers[][2] = { { "Forearm", "Ulna" }, { "Forearm", "Wrist" },
        { "UpperArm", "Elbow" }, { "UpperArm", "Bicep" }, { "UpperArm", "Shoulder" },
        { "Clavicle", "Trapezius" } };
    for (int i = 0; i < 12; ++i) {
        char parent[64], name[64];
        char side = i % 2 == 0 ? 'L' : 'R';
        double sign = i % 2 == 0 ? 1.0 : -1.0;
        snprintf(parent, sizeof parent, "ValveBiped.Bip01_%c_%s", side, helpers[i / 2][0]);
        snprintf(name, sizeof name, "ValveBiped.Bip01_%c_%s", side, helpers[i / 2][1]);
        hang(&body, name, "helper", parent, sign * 0.15, 0.01, 0.0);
    }
    hang(&body, "ValveBiped.weapon_bone", "helper", "ValveBiped.Bip01_R_Hand", -0.1, 0.0, 0.0);
    TEST_INT(check_body(&body, "Valve", NULL), 0);
}

static void test_mmd(void **state)
{
    (void)state;
    static Body body;
    make(&body, &mmd);
    hang(&body, "下半身", "pelvis", "センター", 0.0, 0.0, 0.0);
    int pelvis = find_bone(&body, "下半身");
    static const char *const sides[] = { "左", "右" };
    for (int s = 0; s < 2; ++s) {
        char name[64], parent[64];
        double sign = s == 0 ? 1.0 : -1.0;
        snprintf(name, sizeof name, "%s足", sides[s]);
        body.bones[find_bone(&body, name)].parent = pelvis;
        snprintf(name, sizeof name, "%s足ＩＫ", sides[s]);
        hang(&body, name, "helper", "全ての親", sign * 0.1, 0.07, 0.0);
        snprintf(parent, sizeof parent, "%s足ＩＫ", sides[s]);
        snprintf(name, sizeof name, "%sつま先ＩＫ", sides[s]);
        hang(&body, name, "helper", parent, 0.0, 0.0, 0.1);
        static const char *const doubles[] = { "足D", "ひざD", "足首D", "足先EX" };
        snprintf(parent, sizeof parent, "下半身");
        for (int d = 0; d < 4; ++d) {
            snprintf(name, sizeof name, "%s%s", sides[s], doubles[d]);
            hang(&body, name, "helper", parent, d == 0 ? sign * 0.09 : 0.0, -0.25, 0.0);
            snprintf(parent, sizeof parent, "%s", name);
        }
        char below[64];
        snprintf(name, sizeof name, "%s腕捩", sides[s]);
        snprintf(below, sizeof below, "%sひじ", sides[s]);
        insert_above(&body, name, "helper", below, 0.5);
        snprintf(name, sizeof name, "%s手捩", sides[s]);
        snprintf(below, sizeof below, "%s手首", sides[s]);
        insert_above(&body, name, "helper", below, 0.5);
        snprintf(name, sizeof name, "%s肩P", sides[s]);
        snprintf(below, sizeof below, "%s肩", sides[s]);
        insert_above(&body, name, "helper", below, 0.9);
    }
    TEST_INT(check_body(&body, "MMD", NULL), 0);
}

static void test_mirrored(void **state)
{
    (void)state;
    static Body body;
    make(&body, &mixamo);
    for (int i = 0; i < body.count; ++i) { body.bones[i].place.x = -body.bones[i].place.x; }
    sinew_RoleGuess *result;
    TEST_INT(check_body(&body, "mirrored", &result), 0);
    TEST_INT(result->warning_count, 1);
    TEST_TRUE(strstr(result->warnings[0], "mirrored") != NULL);
    TEST_TRUE(result->confidence < 0.9);
    TEST_VEC3_NEAR(result->left, sinew_vec3(1.0, 0.0, 0.0), 1e-12); // as seen, not as named
    sinew_roles_destroy(result);
}

static void test_zero_joints(void **state)
{
    (void)state;
    static Body body;
    make(&body, &cmu);
    for (int s = 0; s < 2; ++s) {
        const char *letter = s == 0 ? "L" : "R", *word = s == 0 ? "Left" : "Right";
        char name[64], other[64];
        snprintf(name, sizeof name, "%sHipJoint", letter);
        snprintf(other, sizeof other, "%sUpLeg", word);
        insert_above(&body, name, "helper", other, 0.0);
        snprintf(name, sizeof name, "%sFingerBase", word);
        snprintf(other, sizeof other, "%sHand", word);
        hang(&body, name, "helper", other, 0.0, 0.0, 0.0);
        snprintf(other, sizeof other, "%sFingerBase", word);
        snprintf(name, sizeof name, "%sFingers", letter);
        hang(&body, name, "helper", other, 0.0, -0.08, 0.0);
        snprintf(other, sizeof other, "%sHand", word);
        snprintf(name, sizeof name, "%sThumb", letter);
        hang(&body, name, s == 0 ? "thumb1_l" : "thumb1_r", other, 0.0, 0.0, 0.0);
        snprintf(other, sizeof other, "%sShoulder", word);
        int shoulder = find_bone(&body, other);
        body.bones[shoulder].place = body.bones[find_bone(&body, "Spine1")].place;
    }
    TEST_INT(check_body(&body, "CMU", NULL), 0);
}

// legs hang on pelvis connectors, twins with underscores, numbered toes
static void test_connectors(void **state)
{
    (void)state;
    static Body body;
    make(&body, &rigify);
    insert_above(&body, "DEF-pelvis.L", "helper", "DEF-thigh.L", 0.8);
    insert_above(&body, "DEF-pelvis.R", "helper", "DEF-thigh.R", 0.8);
    insert_above(&body, "__DEF-upper_arm.L", "helper", "DEF-upper_arm.L", 0.9);
    TEST_INT(check_body(&body, "connectors", NULL), 0);
}

// ---------------------------------------------------------------------------------------------
// Robots, animals, hands

typedef struct RobotJoint {
    const char *name, *role;
    int parent;
    double x, y, z; // from the parent; Z up, X forward
    bool is_fixed;
} RobotJoint;

static void make_robot(Body *body, const RobotJoint *joints, int count)
{
    memset(body, 0, sizeof *body);
    body->is_robot = true;
    for (int i = 0; i < count; ++i) {
        const RobotJoint *joint = &joints[i];
        sinew_Vec3 place = sinew_vec3(joint->x, joint->y, joint->z);
        if (joint->parent >= 0) { place = sinew_vec3_add(place, body->bones[joint->parent].place); }
        int bone = add_bone(body, joint->name, joint->role, joint->parent, place);
        body->bones[bone].is_fixed = joint->is_fixed;
    }
}

static void test_numbered_robot(void **state)
{
    (void)state;
    static const RobotJoint joints[] = {
        { "base_link", "hips", -1, 0.0, 0.0, 1.0, true },
        { "leg_left_1_joint", "thigh_l", 0, 0.0, 0.08, -0.1, false },
        { "leg_left_2_joint", "thigh_l", 1, 0.0, 0.0, 0.0, false },
        { "leg_left_3_joint", "thigh_l", 2, 0.0, 0.0, 0.0, false },
        { "leg_left_4_joint", "shin_l", 3, 0.0, 0.0, -0.38, false },
        { "leg_left_5_joint", "foot_l", 4, 0.0, 0.0, -0.33, false },
        { "leg_left_6_joint", "foot_l", 5, 0.0, 0.0, 0.0, false },
        { "left_sole_fix_joint", "none", 6, 0.0, 0.0, -0.1, true },
        { "leg_right_1_joint", "thigh_r", 0, 0.0, -0.08, -0.1, false },
        { "leg_right_2_joint", "thigh_r", 8, 0.0, 0.0, 0.0, false },
        { "leg_right_3_joint", "thigh_r", 9, 0.0, 0.0, 0.0, false },
        { "leg_right_4_joint", "shin_r", 10, 0.0, 0.0, -0.38, false },
        { "leg_right_5_joint", "foot_r", 11, 0.0, 0.0, -0.33, false },
        { "leg_right_6_joint", "foot_r", 12, 0.0, 0.0, 0.0, false },
        { "torso_1_joint", "spine1", 0, 0.0, 0.0, 0.07, false },
        { "torso_2_joint", "spine2", 14, 0.0, 0.0, 0.0, false },
        { "arm_left_1_joint", "upperarm_l", 15, 0.0, 0.16, 0.23, false },
        { "arm_left_2_joint", "upperarm_l", 16, 0.0, 0.02, 0.0, false },
        { "arm_left_3_joint", "upperarm_l", 17, 0.0, 0.0, -0.05, false },
        { "arm_left_4_joint", "forearm_l", 18, 0.02, 0.0, -0.27, false },
        { "arm_left_5_joint", "hand_l", 19, -0.02, 0.0, -0.26, false },
        { "arm_left_6_joint", "hand_l", 20, 0.0, 0.0, 0.0, false },
        { "arm_left_7_joint", "hand_l", 21, 0.0, 0.0, 0.0, false },
        { "gripper_left_joint", "helper", 22, 0.0, 0.0, -0.1, false },
        { "arm_right_1_joint", "upperarm_r", 15, 0.0, -0.16, 0.23, false },
        { "arm_right_2_joint", "upperarm_r", 24, 0.0, -0.02, 0.0, false },
        { "arm_right_3_joint", "upperarm_r", 25, 0.0, 0.0, -0.05, false },
        { "arm_right_4_joint", "forearm_r", 26, 0.02, 0.0, -0.27, false },
        { "arm_right_5_joint", "hand_r", 27, -0.02, 0.0, -0.26, false },
        { "arm_right_6_joint", "hand_r", 28, 0.0, 0.0, 0.0, false },
        { "arm_right_7_joint", "hand_r", 29, 0.0, 0.0, 0.0, false },
        { "head_1_joint", "head", 15, 0.02, 0.0, 0.3, false },
        { "head_2_joint", "head", 31, 0.0, 0.0, 0.02, false },
    };
    static Body body;
    make_robot(&body, joints, (int)(sizeof joints / sizeof joints[0]));
    sinew_RoleGuess *result;
    TEST_INT(check_body(&body, "numbered robot", &result), 0);
    TEST_INT(result->kind, SINEW_BODY_HUMANOID);
    TEST_VEC3_NEAR(result->up, sinew_vec3(0.0, 0.0, 1.0), 1e-12);
    TEST_VEC3_NEAR(result->left, sinew_vec3(0.0, 1.0, 0.0), 1e-12);
    TEST_VEC3_NEAR(result->forward, sinew_vec3(1.0, 0.0, 0.0), 1e-12);
    sinew_roles_destroy(result);
}

// R at the end is roll where P or Y stand beside it; HIP_R is no right hip
static void test_robot_axes(void **state)
{
    (void)state;
    static const RobotJoint joints[] = {
        { "base_link", "root", -1, 0.0, 0.0, 0.7, true },
        { "waist", "hips", 0, 0.0, 0.0, 0.1, false },
        { "RLEG_HIP_R", "thigh_r", 1, 0.0, -0.1, 0.0, false },
        { "RLEG_HIP_P", "thigh_r", 2, 0.0, 0.0, 0.0, false },
        { "RLEG_HIP_Y", "thigh_r", 3, 0.0, 0.0, 0.0, false },
        { "RLEG_KNEE", "shin_r", 4, 0.0, 0.0, -0.35, false },
        { "RLEG_ANKLE_P", "foot_r", 5, 0.0, 0.0, -0.35, false },
        { "RLEG_ANKLE_R", "foot_r", 6, 0.0, 0.0, 0.0, false },
        { "LLEG_HIP_R", "thigh_l", 1, 0.0, 0.1, 0.0, false },
        { "LLEG_HIP_P", "thigh_l", 8, 0.0, 0.0, 0.0, false },
        { "LLEG_HIP_Y", "thigh_l", 9, 0.0, 0.0, 0.0, false },
        { "LLEG_KNEE", "shin_l", 10, 0.0, 0.0, -0.35, false },
        { "LLEG_ANKLE_P", "foot_l", 11, 0.0, 0.0, -0.35, false },
        { "LLEG_ANKLE_R", "foot_l", 12, 0.0, 0.0, 0.0, false },
        { "WAIST_P", "spine1", 1, 0.0, 0.0, 0.2, false },
        { "WAIST_R", "spine2", 14, 0.0, 0.0, 0.0, false },
        { "CHEST", "spine3", 15, 0.0, 0.0, 0.1, false },
        { "RARM_SHOULDER_P", "upperarm_r", 16, 0.0, -0.2, 0.2, false },
        { "RARM_SHOULDER_R", "upperarm_r", 17, 0.0, 0.0, 0.0, false },
        { "RARM_ELBOW", "forearm_r", 18, 0.0, 0.0, -0.3, false },
        { "RARM_WRIST_P", "hand_r", 19, 0.0, 0.0, -0.25, false },
        { "RARM_WRIST_R", "hand_r", 20, 0.0, 0.0, 0.0, false },
        { "LARM_SHOULDER_P", "upperarm_l", 16, 0.0, 0.2, 0.2, false },
        { "LARM_SHOULDER_R", "upperarm_l", 22, 0.0, 0.0, 0.0, false },
        { "LARM_ELBOW", "forearm_l", 23, 0.0, 0.0, -0.3, false },
        { "LARM_WRIST_P", "hand_l", 24, 0.0, 0.0, -0.25, false },
        { "LARM_WRIST_R", "hand_l", 25, 0.0, 0.0, 0.0, false },
    };
    static Body body;
    make_robot(&body, joints, (int)(sizeof joints / sizeof joints[0]));
    TEST_INT(check_body(&body, "axes", NULL), 0);
}

// joint and axis in two or three letters: shz is the shoulder's turn about z
static void test_joint_codes(void **state)
{
    (void)state;
    static const RobotJoint joints[] = {
        { "pelvis", "hips", -1, 0.0, 0.0, 0.9, false },
        { "back_bkz", "spine1", 0, 0.0, 0.0, 0.15, false },
        { "back_bky", "spine2", 1, 0.0, 0.0, 0.15, false },
        { "l_shz", "upperarm_l", 2, 0.0, 0.2, 0.2, false },
        { "l_shx", "upperarm_l", 3, 0.0, 0.05, 0.0, false },
        { "l_ely", "forearm_l", 4, 0.0, 0.3, 0.0, false },
        { "l_wry", "hand_l", 5, 0.0, 0.25, 0.0, false },
        { "r_shz", "upperarm_r", 2, 0.0, -0.2, 0.2, false },
        { "r_shx", "upperarm_r", 7, 0.0, -0.05, 0.0, false },
        { "r_ely", "forearm_r", 8, 0.0, -0.3, 0.0, false },
        { "r_wry", "hand_r", 9, 0.0, -0.25, 0.0, false },
        { "l_hpz", "thigh_l", 0, 0.0, 0.1, 0.0, false },
        { "l_hpy", "thigh_l", 11, 0.0, 0.0, -0.05, false },
        { "l_kny", "shin_l", 12, 0.0, 0.0, -0.4, false },
        { "l_aky", "foot_l", 13, 0.0, 0.0, -0.4, false },
        { "r_hpz", "thigh_r", 0, 0.0, -0.1, 0.0, false },
        { "r_hpy", "thigh_r", 15, 0.0, 0.0, -0.05, false },
        { "r_kny", "shin_r", 16, 0.0, 0.0, -0.4, false },
        { "r_aky", "foot_r", 17, 0.0, 0.0, -0.4, false },
    };
    static Body body;
    make_robot(&body, joints, (int)(sizeof joints / sizeof joints[0]));
    sinew_RoleGuess *result;
    TEST_INT(check_body(&body, "codes", &result), 0);
    TEST_INT(result->source, SINEW_ROLES_BY_NAMES);
    sinew_roles_destroy(result);
}

static void test_leg_codes(void **state)
{
    (void)state;
    static const char *const codes[] = { "FL", "FR", "RL", "RR" };
    static const char *const roles[][3] = { { "front_thigh_l", "front_shin_l", "front_foot_l" },
        { "front_thigh_r", "front_shin_r", "front_foot_r" }, { "thigh_l", "shin_l", "foot_l" },
        { "thigh_r", "shin_r", "foot_r" } };
    static Body body;
    memset(&body, 0, sizeof body);
    body.is_robot = true;
    int trunk = add_bone(&body, "trunk", "hips", -1, sinew_vec3(0.0, 0.0, 0.4));
    body.bones[trunk].is_fixed = true;
    for (int i = 0; i < 4; ++i) {
        char name[64];
        double x = i < 2 ? 0.2 : -0.2, y = i % 2 == 0 ? 0.1 : -0.1;
        snprintf(name, sizeof name, "%s_hip_joint", codes[i]);
        int hip = add_bone(&body, name, roles[i][0], trunk, sinew_vec3(x, y, 0.4));
        snprintf(name, sizeof name, "%s_upper_joint", codes[i]);
        int upper = add_bone(&body, name, roles[i][0], hip, sinew_vec3(x, 1.5 * y, 0.4));
        snprintf(name, sizeof name, "%s_lower_joint", codes[i]);
        int lower = add_bone(&body, name, roles[i][1], upper, sinew_vec3(x, 1.5 * y, 0.2));
        snprintf(name, sizeof name, "%s_toe_fixed", codes[i]);
        int toe = add_bone(&body, name, roles[i][2], lower, sinew_vec3(x, 1.5 * y, 0.0));
        body.bones[toe].is_fixed = true;
    }
    sinew_RoleGuess *result;
    TEST_INT(check_body(&body, "leg codes", &result), 0);
    TEST_INT(result->kind, SINEW_BODY_QUADRUPED);
    int effectors[8];
    // the feet, not the knees that move them; nothing moves the trunk
    TEST_INT(sinew_roles_effectors(result, effectors, 8), 4);
    for (int i = 0; i < 4; ++i) { TEST_INT(effectors[i], 4 * (i + 1)); }
    sinew_roles_destroy(result);
}

// arm names on an animal: it stands on four feet
static void test_animal(void **state)
{
    (void)state;
    static Body body;
    memset(&body, 0, sizeof body);
    int hips = add_bone(&body, "b_Hip_01", "hips", -1, sinew_vec3(0.0, 0.5, -0.3));
    int spine = add_bone(&body, "b_Spine01_02", "spine1", hips, sinew_vec3(0.0, 0.52, 0.0));
    int chest = add_bone(&body, "b_Spine02_03", "chest", spine, sinew_vec3(0.0, 0.5, 0.3));
    int neck = add_bone(&body, "b_Neck_04", "neck", chest, sinew_vec3(0.0, 0.6, 0.4));
    add_bone(&body, "b_Head_05", "head", neck, sinew_vec3(0.0, 0.7, 0.5));
    int tail = add_bone(&body, "b_Tail01_012", "tail", hips, sinew_vec3(0.0, 0.45, -0.4));
    add_bone(&body, "b_Tail02_013", "tail", tail, sinew_vec3(0.0, 0.35, -0.5));
    for (int s = 0; s < 2; ++s) {
        static const char *const front[] = { "UpperArm_09", "ForeArm_010", "Hand_011" };
        static const char *const hind[] = { "Leg01_015", "Leg02_016", "Foot01_017", "Foot02_018" };
        static const char *const front_roles[] = { "front_thigh", "front_shin", "front_foot" };
        static const char *const hind_roles[] = { "thigh", "shin", "foot", "toe" };
        double x = s == 0 ? 0.08 : -0.08;
        int parent = chest;
        char name[64], role[24];
        for (int i = 0; i < 3; ++i) {
            snprintf(name, sizeof name, "b_%s%s", s == 0 ? "Left" : "Right", front[i]);
            snprintf(role, sizeof role, "%s_%c", front_roles[i], s == 0 ? 'l' : 'r');
            parent = add_bone(&body, name, role, parent, sinew_vec3(x, 0.44 - 0.21 * i, 0.3));
        }
        parent = hips;
        for (int i = 0; i < 4; ++i) {
            snprintf(name, sizeof name, "b_%s%s", s == 0 ? "Left" : "Right", hind[i]);
            snprintf(role, sizeof role, "%s_%c", hind_roles[i], s == 0 ? 'l' : 'r');
            double y = i == 3 ? 0.01 : 0.45 - 0.2 * i;
            parent = add_bone(&body, name, role, parent, sinew_vec3(x, y, i == 3 ? -0.22 : -0.3));
        }
    }
    sinew_RoleGuess *result;
    TEST_INT(check_body(&body, "fox", &result), 0);
    TEST_INT(result->kind, SINEW_BODY_QUADRUPED);
    TEST_VEC3_NEAR(result->forward, sinew_vec3(0.0, 0.0, 1.0), 1e-12);
    sinew_roles_destroy(result);
}

// two of many legs with names of thigh and shin are no person's
static void test_insect(void **state)
{
    (void)state;
    static const char *const parts[] = { "Thigh", "Shin", "Foot" };
    for (int pairs = 1; pairs <= 3; ++pairs) {
        static Body body;
        memset(&body, 0, sizeof body);
        int trunk = add_bone(&body, "Body", "", -1, sinew_vec3(0.0, 0.3, 0.0));
        add_bone(&body, "Head", "", trunk, sinew_vec3(0.0, 0.35, 0.3));
        for (int leg = 0; leg < 2 * pairs; ++leg) {
            double side = leg % 2 == 0 ? 1.0 : -1.0, z = 0.1 * (1 - leg / 2);
            int parent = trunk;
            for (int i = 0; i < 3; ++i) {
                char name[64];
                // the first pair is numbered as the others are
                snprintf(
                    name, sizeof name, "%c%d%s", leg % 2 == 0 ? 'L' : 'R', leg / 2 + 1, parts[i]);
                sinew_Vec3 at = { side * (0.05 + 0.1 * i), 0.3 - 0.15 * i, z };
                parent = add_bone(&body, name, "", parent, at);
            }
        }
        sinew_RoleGuess *result;
        TEST_INT(check_body(&body, "insect", &result), 0);
        TEST_INT(result->kind, pairs < 2 ? SINEW_BODY_HUMANOID : SINEW_BODY_OTHER);
        sinew_roles_destroy(result);
    }
}

static void test_bare_hand(void **state)
{
    (void)state;
    static Body body;
    memset(&body, 0, sizeof body);
    int palm = add_bone(&body, "", "hand", -1, sinew_vec3(0.0, 0.0, 0.0));
    static const char *const names[] = { "index", "middle", "ring", "thumb" };
    for (int f = 0; f < 4; ++f) {
        int parent = palm;
        sinew_Vec3 base = f < 3 ? sinew_vec3(0.03 - 0.03 * f, 0.1, 0.0)
                                : sinew_vec3(0.06, 0.03, 0.0);
        sinew_Vec3 along = f < 3 ? sinew_vec3(0.0, 0.04, 0.0) : sinew_vec3(0.03, -0.01, 0.0);
        for (int i = 0; i < 3; ++i) {
            char role[24];
            snprintf(role, sizeof role, "%s%d", names[f], i + 1);
            parent = add_bone(&body, "", role, parent, sinew_vec3_add_scaled(base, along, i));
        }
    }
    sinew_RoleGuess *result;
    TEST_INT(check_body(&body, "bare hand", &result), 0);
    TEST_INT(result->kind, SINEW_BODY_HAND);
    sinew_roles_destroy(result);
}

// an arm of one side, its wrist a flange: no hand
static void test_arm_of_a_side(void **state)
{
    (void)state;
    static const char *const names[] = { "left_shoulder_pan_joint", "left_shoulder_lift_joint",
        "left_elbow_joint", "left_wrist_1_joint", "left_wrist_2_joint", "left_wrist_3_joint" };
    static Body body;
    memset(&body, 0, sizeof body);
    body.is_robot = true;
    int parent = -1;
    for (int i = 0; i < 6; ++i) {
        parent = add_bone(&body, names[i], "none", parent, sinew_vec3(0.0, 0.1 * i, 0.2 * i));
    }
    sinew_RoleGuess *result;
    int tool = -1;
    TEST_INT(check_body(&body, "arm of a side", &result), 0);
    TEST_INT(result->kind, SINEW_BODY_ROBOT_ARM);
    TEST_INT(sinew_roles_effectors(result, &tool, 1), 1);
    TEST_INT(tool, parent);
    sinew_roles_destroy(result);
}

TEST_MAIN(cmocka_unit_test(test_joint_codes), cmocka_unit_test(test_dialects),
    cmocka_unit_test(test_twists_in_chain), cmocka_unit_test(test_arm_of_a_side),
    cmocka_unit_test(test_twist_leaves_and_ik), cmocka_unit_test(test_biped),
    cmocka_unit_test(test_valve_helpers), cmocka_unit_test(test_mmd),
    cmocka_unit_test(test_mirrored), cmocka_unit_test(test_zero_joints),
    cmocka_unit_test(test_connectors), cmocka_unit_test(test_numbered_robot),
    cmocka_unit_test(test_robot_axes), cmocka_unit_test(test_leg_codes),
    cmocka_unit_test(test_animal), cmocka_unit_test(test_insect), cmocka_unit_test(test_bare_hand))
