// Joint roles of real files: the golden table, and how far shape alone gets. Skipped without the
// data folder or without the table (environment SINEW_NOTES, else ../notes beside the data).

#include "role_bodies.h"
#include "sinew/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_JOINTS 512
#define MAX_FILES 120

typedef struct Loaded {
    sinew_MotionFile *file;
    sinew_RoleGuess *guess;
} Loaded;

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), own = strlen(ending);
    return length >= own && strcmp(text + length - own, ending) == 0;
}

// robots are known by the format, and must be right in every row of the table
static bool is_robot(const char *name)
{
    return ends_with(name, ".urdf");
}

// false when no reader knows the format yet
static bool load(const char *name, bool ignore_names, Loaded *loaded)
{
    const char *path = data_path(name);
    if (path == NULL || sinew_motion_read(path, NULL, &loaded->file, NULL) != SINEW_STATUS_OK) {
        return false;
    }
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(loaded->file);
    const sinew_Clip *clip = sinew_motion_clip(loaded->file);
    bool is_end_site[MAX_JOINTS];
    int count = sinew_skeleton_joint_count(skeleton);
    TEST_TRUE(count <= MAX_JOINTS);
    for (int j = 0; j < count; ++j) { is_end_site[j] = sinew_motion_is_end_site(loaded->file, j); }
    sinew_RoleOptions options = sinew_role_options_default();
    options.ignore_names = ignore_names;
    options.is_robot = is_robot(name);
    options.is_end_site = is_end_site;
    sinew_PoseList motion = { NULL, sinew_clip_frame_count(clip) };
    if (motion.count > 0) {
        motion.q = sinew_clip_frame_const(clip, 0);
        options.motion = &motion;
    }
    sinew_Message message = { "" };
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &loaded->guess, &message), &message);
    return true;
}

static void unload(Loaded *loaded)
{
    sinew_roles_destroy(loaded->guess);
    sinew_motion_destroy(loaded->file);
}

static void role_text(const Loaded *loaded, int joint, char *out_name, size_t size)
{
    const sinew_JointRole *role = &loaded->guess->joints[joint];
    sinew_role_name(role->role, role->side, role->number, out_name, size);
}

// ---------------------------------------------------------------------------------------------
// The golden table

typedef struct Row {
    char file[80], joint[80], role[32];
    int node;
} Row;

typedef struct Table {
    Row *rows;
    int count;
} Table;

static Table read_table(void)
{
    Table table = { NULL, 0 };
    FILE *file = open_notes("expected-roles.csv");
    if (file == NULL) { skip(); }
    char line[512], node[16];
    int capacity = 4096;
    table.rows = malloc((size_t)capacity * sizeof *table.rows);
    TEST_TRUE(table.rows != NULL);
    if (fgets(line, sizeof line, file) == NULL) { line[0] = '\0'; }
    while (table.count < capacity && fgets(line, sizeof line, file) != NULL) {
        Row *row = &table.rows[table.count++];
        const char *at = read_field(line, row->file, sizeof row->file);
        at = read_field(at, node, sizeof node);
        at = read_field(at, row->joint, sizeof row->joint);
        read_field(at, row->role, sizeof row->role);
        row->node = atoi(node);
    }
    fclose(file);
    return table;
}

static bool is_main_role(const char *role)
{
    static const char *const parts[] = { "hips", "spine", "chest", "neck", "head", "clavicle",
        "upperarm", "forearm", "hand", "thigh", "shin", "foot", "toe", "front_" };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i) {
        if (strncmp(role, parts[i], strlen(parts[i])) == 0) { return true; }
    }
    return false;
}

// the table knows only helper where the library tells helpers, twists and ends apart
static bool is_same_role(const char *expected, const char *found)
{
    bool is_rest = strcmp(found, "helper") == 0 || strncmp(found, "twist", 5) == 0
        || strncmp(found, "helper_", 7) == 0 || strncmp(found, "end", 3) == 0
        || strcmp(found, "none") == 0;
    if (strcmp(expected, "helper") == 0) { return is_rest; }
    if (strcmp(expected, "face") == 0) { return strncmp(found, "face", 4) == 0; }
    return strcmp(expected, found) == 0;
}

// wrong joints of one file; counts those that matter most apart
static int compare_file(const Table *table, int first, int end, const Loaded *loaded, int *out_main)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(loaded->file);
    int wrong = 0;
    *out_main = 0;
    for (int i = first; i < end; ++i) {
        const Row *row = &table->rows[i];
        char found[32] = "missing";
        int joint = row->node;
        bool fits = joint < sinew_skeleton_joint_count(skeleton)
            && strcmp(sinew_skeleton_joints(skeleton)[joint].name, row->joint) == 0;
        if (!fits) { joint = sinew_skeleton_find_joint(skeleton, row->joint); }
        if (joint >= 0) { role_text(loaded, joint, found, sizeof found); }
        if (is_same_role(row->role, found)) { continue; }
        ++wrong;
        *out_main += is_main_role(row->role) || is_main_role(found);
        print_message("        %s: %s, want %s\n", row->joint, found, row->role);
    }
    return wrong;
}

static bool find_file(const char *name, char *out_name, size_t size)
{
    static const char *const folders[] = { "bvh", "hand", "asf", "gltf", "urdf" };
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; ++i) {
        const char *root = data_path(folders[i]);
        if (root == NULL) { continue; }
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", root, name);
        FILE *file = fopen(path, "r");
        if (file == NULL) { continue; }
        fclose(file);
        snprintf(out_name, size, "%s/%s", folders[i], name);
        return true;
    }
    return false;
}

static int first_of_next_file(const Table *table, int first)
{
    int end = first;
    while (end < table->count && strcmp(table->rows[end].file, table->rows[first].file) == 0) {
        ++end;
    }
    return end;
}

// hips, spine, head, both arms and legs of every file, one file excepted at most
static void test_golden_roles(void **state)
{
    (void)state;
    if (data_path("bvh") == NULL) { skip(); }
    Table table = read_table();
    int files = 0, unread = 0, wrong_main = 0, wrong_any = 0, robots = 0;
    for (int first = 0, end; first < table.count; first = end) {
        end = first_of_next_file(&table, first);
        char name[128];
        Loaded loaded;
        if (!find_file(table.rows[first].file, name, sizeof name) || !load(name, false, &loaded)) {
            print_message("    %-40s not readable yet\n", table.rows[first].file);
            ++unread;
            continue;
        }
        int main_count;
        int wrong = compare_file(&table, first, end, &loaded, &main_count);
        ++files;
        wrong_main += main_count > 0;
        wrong_any += wrong > 0;
        robots += is_robot(name) && wrong == 0;
        print_message("    %-40s %s, %s by %s, confidence %.2f\n", table.rows[first].file,
            wrong == 0 ? "right" : (main_count == 0 ? "main joints right" : "WRONG"),
            sinew_body_kind_name(loaded.guess->kind), sinew_role_source_name(loaded.guess->source),
            loaded.guess->confidence);
        unload(&loaded);
    }
    free(table.rows);
    print_message("%d files: %d all right, %d with a wrong main joint; %d not readable yet\n",
        files, files - wrong_any, wrong_main, unread);
    TEST_TRUE(files >= 20);
    TEST_INT(robots, 11);
    TEST_TRUE(wrong_main <= 1);
}

// ---------------------------------------------------------------------------------------------
// All BVH files

typedef struct FileList {
    char names[MAX_FILES][160];
    int count;
} FileList;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static FileList *list_files(const char *folder)
{
    static FileList list;
    list.count = 0;
    const char *path = data_path(folder);
    DIR *dir = path != NULL ? opendir(path) : NULL;
    if (dir == NULL) { skip(); }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && list.count < MAX_FILES;) {
        if (!ends_with(entry->d_name, ".bvh")) { continue; }
        snprintf(
            list.names[list.count++], sizeof list.names[0], "%s/%.100s", folder, entry->d_name);
    }
    closedir(dir);
    qsort(list.names, (size_t)list.count, sizeof list.names[0], compare_names);
    return &list;
}

static const char *const main_joints[] = { "hips", "chest", "head", "upperarm_l", "upperarm_r",
    "forearm_l", "forearm_r", "hand_l", "hand_r", "thigh_l", "thigh_r", "shin_l", "shin_r",
    "foot_l", "foot_r" };
#define MAIN_COUNT ((int)(sizeof main_joints / sizeof main_joints[0]))

static int find_named(const sinew_RoleGuess *guess, const char *name)
{
    sinew_JointRole role;
    TEST_TRUE(sinew_role_parse(name, &role));
    return sinew_roles_find(guess, role.role, role.side, role.number);
}

static bool has_main_joints(const sinew_RoleGuess *guess)
{
    for (int i = 0; i < MAIN_COUNT; ++i) {
        if (find_named(guess, main_joints[i]) < 0) { return false; }
    }
    return true;
}

// every humanoid is known as one, with all main joints, and the others are not
static void test_kinds_of_files(void **state)
{
    (void)state;
    FileList *list = list_files("bvh");
    int humanoids = 0;
    for (int i = 0; i < list->count; ++i) {
        Loaded loaded;
        if (!load(list->names[i], false, &loaded)) { continue; }
        bool is_body = strstr(list->names[i], "sinusoidal") == NULL
            && strstr(list->names[i], "full_precision") == NULL;
        bool is_right = is_body
            ? loaded.guess->kind == SINEW_BODY_HUMANOID && has_main_joints(loaded.guess)
            : loaded.guess->kind == SINEW_BODY_OTHER;
        humanoids += is_body;
        print_message("    %-45s %s %.2f, %.2f m, left %g %g %g, up %g %g %g, forward %g %g %g%s\n",
            list->names[i], sinew_body_kind_name(loaded.guess->kind), loaded.guess->confidence,
            loaded.guess->stature, loaded.guess->left.x, loaded.guess->left.y, loaded.guess->left.z,
            loaded.guess->up.x, loaded.guess->up.y, loaded.guess->up.z, loaded.guess->forward.x,
            loaded.guess->forward.y, loaded.guess->forward.z,
            loaded.guess->reference_frame >= 0 ? " (of a frame)" : "");
        for (int w = 0; w < loaded.guess->warning_count; ++w) {
            print_message("        %s\n", loaded.guess->warnings[w]);
        }
        TEST_TRUE(is_right);
        unload(&loaded);
    }
    print_message("%d humanoids\n", humanoids);
    TEST_TRUE(humanoids >= 39);
}

static void test_hands(void **state)
{
    (void)state;
    FileList *list = list_files("hand");
    for (int i = 0; i < list->count; ++i) {
        Loaded loaded;
        if (!load(list->names[i], false, &loaded)) { continue; }
        TEST_INT(loaded.guess->kind, SINEW_BODY_HAND);
        int hand = find_named(loaded.guess, "hand_r");
        TEST_TRUE(hand >= 0 && find_named(loaded.guess, "forearm_r") >= 0);
        for (int f = SINEW_ROLE_THUMB; f <= SINEW_ROLE_PINKY; ++f) {
            for (int number = 1; number <= 3; ++number) {
                TEST_TRUE(
                    sinew_roles_find(loaded.guess, (sinew_Role)f, SINEW_SIDE_RIGHT, number) > hand);
            }
        }
        // the ends of the bones, not the joints that turn them
        int tips[8];
        TEST_INT(sinew_roles_effectors(loaded.guess, tips, 8), 5);
        for (int f = 0; f < 5; ++f) {
            TEST_INT(loaded.guess->joints[tips[f]].role, SINEW_ROLE_END);
            TEST_INT(loaded.guess->joints[tips[f] - 1].role, SINEW_ROLE_THUMB + f);
        }
        unload(&loaded);
    }
}

static void join_effectors(const Loaded *loaded, char *out_text, size_t size)
{
    const sinew_Joint *joints = sinew_skeleton_joints(sinew_motion_skeleton(loaded->file));
    int effectors[16];
    int count = sinew_roles_effectors(loaded->guess, effectors, 16);
    size_t used = 0;
    out_text[0] = '\0';
    for (int i = 0; i < count && used < size; ++i) {
        used += (size_t)snprintf(
            out_text + used, size - used, "%s%s", i > 0 ? " " : "", joints[effectors[i]].name);
    }
}

// what a person would pull each machine by
static void test_effectors_of_machines(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        sinew_BodyKind kind;
        const char *effectors;
    } machines[] = {
        { "urdf/a1_quadruped.urdf", SINEW_BODY_QUADRUPED,
            "FL_toe_fixed FR_toe_fixed RL_toe_fixed RR_toe_fixed" },
        { "urdf/anymal_b.urdf", SINEW_BODY_QUADRUPED,
            "LF_ADAPTER_TO_FOOT RF_ADAPTER_TO_FOOT LH_ADAPTER_TO_FOOT RH_ADAPTER_TO_FOOT" },
        { "urdf/solo12.urdf", SINEW_BODY_QUADRUPED, "FL_ANKLE FR_ANKLE HL_ANKLE HR_ANKLE" },
        { "urdf/baxter.urdf", SINEW_BODY_UPPER_BODY, "head_pan left_w2 right_w2" },
        { "urdf/pr2.urdf", SINEW_BODY_UPPER_BODY,
            "head_tilt_joint l_wrist_roll_joint r_wrist_roll_joint" },
        { "urdf/nao.urdf", SINEW_BODY_HUMANOID,
            "HeadPitch LWristYaw RWristYaw LAnkleRoll RAnkleRoll" },
        { "urdf/romeo.urdf", SINEW_BODY_HUMANOID,
            "HeadRoll LWristPitch RWristPitch LAnkleRoll RAnkleRoll" },
        { "urdf/simple_humanoid.urdf", SINEW_BODY_HUMANOID,
            "LARM_WRIST_R RARM_WRIST_R LLEG_ANKLE_R RLEG_ANKLE_R" },
        { "urdf/talos_full_v2.urdf", SINEW_BODY_HUMANOID,
            "head_2_joint arm_left_7_joint arm_right_7_joint leg_left_6_joint leg_right_6_joint" },
        { "urdf/unitree_g1_29dof.urdf", SINEW_BODY_HUMANOID,
            "left_wrist_yaw_joint right_wrist_yaw_joint left_ankle_roll_joint "
            "right_ankle_roll_joint" },
        { "urdf/kinova_jaco.urdf", SINEW_BODY_ROBOT_ARM, "j2s6s200_joint_6" },
        { "urdf/kuka_iiwa.urdf", SINEW_BODY_ROBOT_ARM, "lbr_iiwa_joint_7" },
        { "urdf/panda.urdf", SINEW_BODY_ROBOT_ARM, "panda_hand_joint" },
        { "urdf/tiago.urdf", SINEW_BODY_ROBOT_ARM, "hand_palm_joint" },
        { "urdf/ur5.urdf", SINEW_BODY_ROBOT_ARM, "wrist_3_joint" },
        { "urdf/ur5_limited.urdf", SINEW_BODY_ROBOT_ARM, "wrist_3_joint" },
        { "urdf/r2d2.urdf", SINEW_BODY_OTHER, "" },
        { "hand/allegro_right_hand.urdf", SINEW_BODY_HAND,
            "joint_15.0_tip joint_7.0_tip joint_3.0_tip joint_11.0_tip" },
    };
    int seen = 0;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; ++i) {
        Loaded loaded;
        char found[512];
        if (!load(machines[i].file, false, &loaded)) { continue; }
        join_effectors(&loaded, found, sizeof found);
        TEST_INT(loaded.guess->kind, machines[i].kind);
        assert_string_equal(found, machines[i].effectors);
        unload(&loaded);
        ++seen;
    }
    if (seen == 0) { skip(); }
}

// ---------------------------------------------------------------------------------------------
// Shape alone

// the main joints of a humanoid, by shape, are those by name
static int compare_main_joints(const Loaded *by_name, const Loaded *by_shape)
{
    int wrong = 0;
    for (int i = 0; i < MAIN_COUNT; ++i) {
        int want = find_named(by_name->guess, main_joints[i]);
        int found = find_named(by_shape->guess, main_joints[i]);
        if (want == found) { continue; }
        const sinew_Joint *joints = sinew_skeleton_joints(sinew_motion_skeleton(by_name->file));
        print_message("        %s: %s, want %s\n", main_joints[i],
            found >= 0 ? joints[found].name : "none", want >= 0 ? joints[want].name : "none");
        ++wrong;
    }
    return wrong;
}

// at least 70 % of the humanoids with all names removed
static void test_shape_alone(void **state)
{
    (void)state;
    FileList *list = list_files("bvh");
    int humanoids = 0, right = 0;
    for (int i = 0; i < list->count; ++i) {
        Loaded by_name, by_shape;
        if (!load(list->names[i], false, &by_name)) { continue; }
        TEST_TRUE(load(list->names[i], true, &by_shape));
        if (by_name.guess->kind == SINEW_BODY_HUMANOID) {
            int wrong = compare_main_joints(&by_name, &by_shape);
            print_message("    %-45s %s, confidence %.2f\n", list->names[i],
                wrong == 0 ? "right" : "WRONG", by_shape.guess->confidence);
            ++humanoids;
            right += wrong == 0;
            TEST_TRUE(by_shape.guess->confidence < by_name.guess->confidence);
        }
        unload(&by_shape);
        unload(&by_name);
    }
    print_message("shape alone: %d of %d humanoids right\n", right, humanoids);
    TEST_TRUE(right >= 0.7 * humanoids);
}

// 200 joints within 5 ms; the largest file has more
static void test_speed(void **state)
{
    (void)state;
    Loaded loaded;
    if (!load("bvh/makehuman_tpose_6ch.bvh", false, &loaded)) { skip(); }
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(loaded.file);
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        struct timespec before, after;
        sinew_RoleGuess *guess;
        clock_gettime(CLOCK_MONOTONIC, &before);
        TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &guess, NULL), NULL);
        clock_gettime(CLOCK_MONOTONIC, &after);
        sinew_roles_destroy(guess);
        double seconds = (double)(after.tv_sec - before.tv_sec)
            + 1e-9 * (double)(after.tv_nsec - before.tv_nsec);
        best = seconds < best ? seconds : best;
    }
    print_message("%d joints: %.2f ms\n", sinew_skeleton_joint_count(skeleton), 1e3 * best);
    TEST_TRUE(best < 0.05); // ten times the goal: sanitizers and busy machines
    unload(&loaded);
}

TEST_MAIN(cmocka_unit_test(test_golden_roles), cmocka_unit_test(test_kinds_of_files),
    cmocka_unit_test(test_hands), cmocka_unit_test(test_effectors_of_machines),
    cmocka_unit_test(test_shape_alone), cmocka_unit_test(test_speed))
