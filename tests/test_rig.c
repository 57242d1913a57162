// Rigs: what they hold, files, applying, converting poses, fitting, and recorded motion within guessed
// limits.

#include "testing.h"

#include "sinew/file.h"
#include "sinew/rig_starts.h"
#include "sinew/track.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sinew_Skeleton *make_arm(void)
{
    sinew_JointDef defs[4];
    sinew_Axis root[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_ball() };
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -INFINITY, INFINITY);
    static const char *const names[4] = { "root", "bone", "bone", "tip" };
    for (int j = 0; j < 4; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = names[j];
        defs[j].parent = j - 1;
        defs[j].offset = sinew_vec3(j == 0 ? 0.0 : 0.3, j == 2 ? 0.1 : 0.0, 0.0);
        defs[j].axes = j == 0 ? root : j == 3 ? &hinge : &ball;
        defs[j].axis_count = j == 0 ? 4 : 1;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_skeleton_create(defs, 4, NULL, &skeleton, &message), &message);
    return skeleton;
}

static sinew_Rig *make_rig(void)
{
    sinew_Rig *rig = NULL;
    TEST_OK(sinew_rig_create(NULL, &rig), NULL);
    return rig;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    TEST_TRUE(file != NULL);
    char *text = calloc(1, 1 << 20);
    TEST_TRUE(text != NULL);
    size_t size = fread(text, 1, (1 << 20) - 1, file);
    TEST_TRUE(size < (1 << 20) - 1);
    fclose(file);
    return text;
}

static sinew_Status read_rig_text(
    const char *text, const sinew_Skeleton *skeleton, sinew_Rig **out, sinew_Message *message)
{
    message->text[0] = '\0';
    return sinew_rig_read_memory(text, strlen(text), "x.json", skeleton, NULL, out, message);
}

// ---------------------------------------------------------------------------------------------
// What a rig holds

static void keys_number_equal_names(void **state)
{
    (void)state;
    sinew_Skeleton *arm = make_arm();
    char key[32];
    sinew_rig_key(arm, 1, key, sizeof key);
    TEST_TRUE(strcmp(key, "bone") == 0);
    sinew_rig_key(arm, 2, key, sizeof key);
    TEST_TRUE(strcmp(key, "bone#2") == 0);
    sinew_rig_key(arm, 2, key, 6);
    TEST_TRUE(strlen(key) == 5);
    TEST_INT(sinew_rig_key_joint(arm, "bone"), 1);
    TEST_INT(sinew_rig_key_joint(arm, "bone#1"), 1);
    TEST_INT(sinew_rig_key_joint(arm, "bone#2"), 2);
    TEST_INT(sinew_rig_key_joint(arm, "bone#3"), -1);
    TEST_INT(sinew_rig_key_joint(arm, "bone#"), -1);
    TEST_INT(sinew_rig_key_joint(arm, "bone#99999999999"), -1);
    TEST_INT(sinew_rig_key_joint(arm, "nothing"), -1);
    sinew_skeleton_destroy(arm);
}

static void refining_changes_what_is_said(void **state)
{
    (void)state;
    sinew_Rig *rig = make_rig(), *over = make_rig();
    sinew_RigJoint joint = sinew_rig_joint_default("bone");
    sinew_Vec3 points[3] = { { 0.0, 20.0, 0.0 }, { 120.0, 30.0, 0.0 }, { 240.0, 25.0, 0.0 } };
    sinew_RigWindow window = { true, points, 3, 0.0 };
    joint.has = SINEW_RIG_HAS_WINDOWS | SINEW_RIG_HAS_MASS;
    joint.windows = &window;
    joint.window_count = 1;
    joint.mass = 3.0;
    TEST_OK(sinew_rig_set_joint(rig, &joint), NULL);
    // nothing of the caller's is kept
    points[0].y = 1.0;
    TEST_NEAR(sinew_rig_joint(rig, 0)->windows[0].points[0].y, 20.0, 0.0);

    sinew_RigJoint more = sinew_rig_joint_default("bone");
    more.has = SINEW_RIG_HAS_TWIST | SINEW_RIG_HAS_MASS;
    more.twist.lower = -10.0;
    more.twist.upper = 12.0;
    more.mass = 4.0;
    TEST_OK(sinew_rig_set_joint(over, &more), NULL);
    more.key = "other";
    TEST_OK(sinew_rig_set_joint(over, &more), NULL);
    TEST_OK(sinew_rig_refine(rig, over), NULL);
    TEST_INT(sinew_rig_joint_count(rig), 2);
    const sinew_RigJoint *both = sinew_rig_find_joint(rig, "bone");
    TEST_INT(both->window_count, 1);
    TEST_NEAR(both->windows[0].points[1].y, 30.0, 0.0);
    TEST_NEAR(both->twist.upper, 12.0, 0.0);
    TEST_NEAR(both->mass, 4.0, 0.0);
    sinew_rig_destroy(rig);
    sinew_rig_destroy(over);
}

static bool takes_joint(sinew_Rig *rig, const sinew_RigJoint *joint)
{
    return sinew_rig_set_joint(rig, joint) == SINEW_STATUS_OK;
}

// what could not be written and read back, or has no memory behind it, is not taken
static void wrong_joints_are_refused(void **state)
{
    (void)state;
    sinew_Rig *rig = make_rig();
    sinew_Vec3 points[3] = { { 0.0, 20.0, 0.0 }, { 120.0, 30.0, 0.0 }, { 240.0, 25.0, 0.0 } };
    const sinew_RigWindow good = { true, points, 3, 0.0 };
    sinew_RigWindow window = good;
    const sinew_RigJoint none = sinew_rig_joint_default("bone");
    sinew_RigJoint joint = none;
    joint.has = SINEW_RIG_HAS_WINDOWS;
    joint.windows = &window;
    joint.window_count = 1;
    TEST_TRUE(takes_joint(rig, &joint));
#define REFUSED_WINDOW(change)                \
    do {                                      \
        window = good;                        \
        change;                               \
        TEST_TRUE(!takes_joint(rig, &joint)); \
    } while (0)
    REFUSED_WINDOW(window.points = NULL);
    REFUSED_WINDOW(window.point_count = 0);
    REFUSED_WINDOW(window.point_count = 2);
    REFUSED_WINDOW(window.point_count = -1);
    REFUSED_WINDOW(window.point_count = SINEW_MAX_WINDOW_RAYS + 1);
    REFUSED_WINDOW(window.point_count = 1); // a cone of no width
    REFUSED_WINDOW((window.point_count = 1, window.cone_half_angle = NAN));
    REFUSED_WINDOW(points[1].x = NAN);
    points[1].x = 120.0;
    REFUSED_WINDOW(points[2].y = 200.0);
    points[2].y = 25.0;
    window = good;
    joint.star = true;
    TEST_TRUE(takes_joint(rig, &joint));
    joint.star_center.y = -1.0;
    TEST_TRUE(!takes_joint(rig, &joint));
    joint.windows = NULL;
    TEST_TRUE(!takes_joint(rig, &joint));
    joint.window_count = -1;
    TEST_TRUE(!takes_joint(rig, &joint));
#define REFUSED(flag, change)                 \
    do {                                      \
        joint = none;                         \
        joint.has = (flag);                   \
        change;                               \
        TEST_TRUE(!takes_joint(rig, &joint)); \
        joint.has = 0;                        \
        TEST_TRUE(takes_joint(rig, &joint));  \
    } while (0)
    REFUSED(SINEW_RIG_HAS_KIND, joint.kind = (sinew_RigKind)55);
    REFUSED(SINEW_RIG_HAS_KIND, joint.kind = (sinew_RigKind)-1);
    REFUSED(SINEW_RIG_HAS_ROLE, joint.role.role = (sinew_Role)999);
    REFUSED(SINEW_RIG_HAS_RESPONSE, joint.response = (sinew_LimitResponse)3);
    REFUSED(SINEW_RIG_HAS_RANGES, joint.range_count = 500);
    REFUSED(SINEW_RIG_HAS_RANGES, joint.range_count = -1);
    REFUSED(SINEW_RIG_HAS_RANGES, (joint.range_count = 1, joint.ranges[0].lower = NAN));
    REFUSED(SINEW_RIG_HAS_RANGES, (joint.range_count = 1, joint.ranges[0].lower = 1.0));
    REFUSED(SINEW_RIG_HAS_TWIST, joint.twist.upper = NAN);
    REFUSED(SINEW_RIG_HAS_TWIST, joint.twist.upper = 10.0); // of one end
    REFUSED(SINEW_RIG_HAS_NEUTRAL, joint.neutral.w = 0.0);
    REFUSED(SINEW_RIG_HAS_BONE, joint.bone.x = NAN);
    REFUSED(SINEW_RIG_HAS_MOBILITY, joint.mobility = -1.0);
    REFUSED(SINEW_RIG_HAS_MASS, joint.mass = INFINITY);
    REFUSED(SINEW_RIG_HAS_MASS_CENTER, joint.mass_center.z = NAN);
    REFUSED(SINEW_RIG_HAS_OBJECT, joint.object = NULL);
    REFUSED(2u * SINEW_RIG_HAS_OBJECT, joint.mass = 1.0);
    TEST_INT(sinew_rig_joint_count(rig), 1);

    const sinew_RigEffector effector = { "grip", "bone", { 0.0, NAN, 0.0 } };
    TEST_INT(sinew_rig_set_effector(rig, &effector), SINEW_STATUS_INVALID_ARGUMENT);
    double value = NAN;
    sinew_RigValues values = { "bone", &value, 1 };
    const sinew_RigPose pose = { "first", &values, 1 };
    TEST_INT(sinew_rig_set_pose(rig, &pose), SINEW_STATUS_INVALID_ARGUMENT);
    value = 1.0;
    TEST_OK(sinew_rig_set_pose(rig, &pose), NULL);
    values.value_count = SINEW_MAX_AXES_PER_JOINT + 4;
    TEST_INT(sinew_rig_set_pose(rig, &pose), SINEW_STATUS_INVALID_ARGUMENT);

    // what has no status keeps what it had
    sinew_rig_set_unit(rig, 0.01);
    sinew_rig_set_unit(rig, NAN);
    sinew_rig_set_unit(rig, -1.0);
    TEST_NEAR(sinew_rig_unit(rig), 0.01, 0.0);
    sinew_rig_set_unit(rig, 0.0);
    TEST_NEAR(sinew_rig_unit(rig), 0.0, 0.0);
    sinew_rig_destroy(rig);
}

static void wrong_starts_are_refused(void **state)
{
    (void)state;
    sinew_Rig *rig = make_rig();
    const double value = 1.0;
    sinew_RigValues values = { "tip", &value, 1 };
    sinew_RigPose pose = { "", &values, 1 };
    sinew_RigGoal goal = { "pose", "tip", NULL, { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 0.0, 1.0 } };
    double centroid[7] = { 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0 };
    int place = 0;
    const sinew_RigStarts good = { "reach", 1.0, &goal, 1, &pose, 1, centroid, &place, 1 };
    sinew_RigStarts starts = good;
    TEST_OK(sinew_rig_set_starts(rig, &starts), NULL);
#define REFUSED_STARTS(change)                                                       \
    do {                                                                             \
        starts = good;                                                               \
        change;                                                                      \
        TEST_INT(sinew_rig_set_starts(rig, &starts), SINEW_STATUS_INVALID_ARGUMENT); \
    } while (0)
    REFUSED_STARTS(starts.reach = NAN);
    REFUSED_STARTS(starts.goal_count = 65);
    REFUSED_STARTS(starts.pose_count = 0);
    REFUSED_STARTS(starts.centroid_count = 5000);
    REFUSED_STARTS(place = 1);
    place = 0;
    REFUSED_STARTS(goal.kind = "aim");
    goal.kind = "pose";
    REFUSED_STARTS(goal.offset.x = NAN);
    goal.offset.x = 0.0;
    REFUSED_STARTS(centroid[3] = NAN);
    sinew_rig_destroy(rig);
}

static void poses_are_kept(void **state)
{
    (void)state;
    sinew_Skeleton *arm = make_arm();
    sinew_Rig *rig = make_rig();
    int count = sinew_skeleton_coordinate_count(arm);
    double q[32], back[32];
    test_Random random = test_random(3);
    sinew_pose_rest(arm, q);
    for (int j = 0; j < 3; ++j) {
        sinew_Quat turn = test_unit_quat(&random);
        double *v = &q[j == 0 ? 3 : 3 + 4 * j];
        v[0] = turn.x;
        v[1] = turn.y;
        v[2] = turn.z;
        v[3] = turn.w;
    }
    q[0] = 1.25;
    q[count - 1] = 0.7;
    sinew_rig_set_unit(rig, 0.01);
    TEST_OK(sinew_rig_capture_pose(rig, "reach", arm, q), NULL);
    TEST_NEAR(sinew_rig_pose(rig, 0)->joints[0].values[0], 125.0, 1e-12);
    TEST_OK(sinew_rig_pose_values(rig, sinew_rig_pose(rig, 0), arm, back, NULL), NULL);
    TEST_ARRAY_NEAR(back, q, count, 1e-14);
    // again under the same name: replaced
    TEST_OK(sinew_rig_capture_pose(rig, "reach", arm, back), NULL);
    TEST_INT(sinew_rig_pose_count(rig), 1);
    sinew_rig_destroy(rig);
    sinew_skeleton_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Files

static double random_number(test_Random *random)
{
    // all digits of a double, now and then plain ones
    return test_int(random, 4) == 0 ? test_int(random, 90) : test_range(random, 0.5, 89.0);
}

static void add_random_joint(test_Random *random, sinew_Rig *rig, const char *key)
{
    sinew_RigJoint joint = sinew_rig_joint_default(key);
    sinew_Vec3 points[12], cone = { 0.0, 0.0, 0.0 };
    sinew_RigWindow windows[2];
    joint.has = (unsigned)test_int(random, 1 << 13);
    joint.role.role = SINEW_ROLE_UPPERARM;
    joint.role.side = test_int(random, 2) == 0 ? SINEW_SIDE_LEFT : SINEW_SIDE_RIGHT;
    joint.role.number = 0;
    joint.kind = (sinew_RigKind)test_int(random, SINEW_RIG_KIND_COUNT);
    joint.neutral = test_unit_quat(random);
    joint.bone = test_unit_quat(random);
    joint.mirrored = test_int(random, 2) == 0;
    double start = test_range(random, 0.0, 5.0), swing = test_range(random, 20.0, 70.0);
    int count = 3 + test_int(random, 8);
    for (int p = 0; p < count; ++p) {
        points[p] = sinew_vec3(start + 360.0 * p / count, swing, 0.0);
    }
    sinew_RigWindow loop = { true, points, count, 0.0 };
    sinew_RigWindow round = { true, &cone, 1, random_number(random) };
    windows[0] = loop;
    windows[1] = round;
    joint.windows = windows;
    joint.window_count = 1 + test_int(random, 2);
    joint.star = joint.window_count == 1 && test_int(random, 2) == 0;
    joint.twist.lower = 0.0 - random_number(random); // 0, not -0: files write one zero
    joint.twist.upper = random_number(random);
    joint.response = (sinew_LimitResponse)test_int(random, 3);
    joint.range_count = test_int(random, 3);
    for (int r = 0; r < joint.range_count; ++r) {
        joint.ranges[r].lower = test_int(random, 4) == 0 ? -INFINITY : 0.0 - random_number(random);
        joint.ranges[r].upper = random_number(random);
    }
    joint.mobility = random_number(random);
    joint.mass = random_number(random);
    joint.mass_center = test_vector(random, 100.0);
    joint.object = test_int(random, 2) == 0 ? "a sword" : "meshes/\xc3\xa4 \"b\".obj";
    TEST_OK(sinew_rig_set_joint(rig, &joint), NULL);
}

static void check_equal_joints(const sinew_RigJoint *a, const sinew_RigJoint *b)
{
    TEST_TRUE(strcmp(a->key, b->key) == 0);
    TEST_TRUE(a->has == b->has);
    if (a->has & SINEW_RIG_HAS_NEUTRAL) {
        TEST_TRUE(memcmp(&a->neutral, &b->neutral, sizeof a->neutral) == 0);
    }
    if (a->has & SINEW_RIG_HAS_TWIST) {
        TEST_TRUE(memcmp(&a->twist, &b->twist, sizeof a->twist) == 0);
    }
    if (a->has & SINEW_RIG_HAS_RANGES) {
        TEST_INT(a->range_count, b->range_count);
        for (int r = 0; r < a->range_count; ++r) {
            TEST_TRUE(memcmp(&a->ranges[r], &b->ranges[r], sizeof a->ranges[r]) == 0);
        }
    }
    if (a->has & SINEW_RIG_HAS_MASS_CENTER) {
        TEST_TRUE(memcmp(&a->mass_center, &b->mass_center, sizeof a->mass_center) == 0);
    }
    if (a->has & SINEW_RIG_HAS_OBJECT) { TEST_TRUE(strcmp(a->object, b->object) == 0); }
    if (!(a->has & SINEW_RIG_HAS_WINDOWS)) { return; }
    TEST_INT(a->window_count, b->window_count);
    TEST_INT(a->star, b->star);
    for (int w = 0; w < a->window_count; ++w) {
        const sinew_RigWindow *x = &a->windows[w], *y = &b->windows[w];
        TEST_INT(x->point_count, y->point_count);
        TEST_TRUE(x->polar == y->polar && x->cone_half_angle == y->cone_half_angle);
        size_t size = (size_t)x->point_count * sizeof(sinew_Vec3);
        TEST_TRUE(memcmp(x->points, y->points, size) == 0);
    }
}

// LIM-15, SKEL-9: what was edited comes back unchanged, bit for bit
static void files_keep_every_bit(void **state)
{
    (void)state;
    for (int i = 0; i < 60; ++i) {
        test_Random random = test_case(21, i);
        sinew_Rig *rig = make_rig(), *back = NULL;
        sinew_Message message = { "" };
        sinew_rig_set_unit(rig, test_range(&random, 1e-3, 1.0));
        add_random_joint(&random, rig, "plain");
        add_random_joint(&random, rig, "a \"name\" \\ with\tall #2 \xc3\xa4\xe8\x82\xa9");
        add_random_joint(&random, rig, "mixamorig:LeftArm");
        sinew_RigEffector effector = { "grip", "plain", test_vector(&random, 3.0) };
        TEST_OK(sinew_rig_set_effector(rig, &effector), NULL);
        const double values[4] = { 0.1, -0.7, 1e-300, 12345678.9 };
        sinew_RigValues joints[2] = { { "plain", values, 4 }, { "tip", values + 1, 1 } };
        sinew_RigPose pose = { "first", joints, 2 };
        TEST_OK(sinew_rig_set_pose(rig, &pose), NULL);
        double centroids[14];
        for (int c = 0; c < 14; ++c) { centroids[c] = test_normal(&random); }
        const int places[2] = { 1, 0 };
        sinew_RigGoal goal = { "pose", "tip", "plain", test_vector(&random, 1.0),
            test_unit_quat(&random) };
        sinew_RigPose start_poses[2] = { pose, pose };
        sinew_RigStarts starts = { "reach", 61.7, &goal, 1, start_poses, 2, centroids, places, 2 };
        TEST_OK(sinew_rig_set_starts(rig, &starts), NULL);

        const char *path = test_temp_path("a.rig.json"), *again = test_temp_path("b.rig.json");
        TEST_OK(sinew_rig_write(path, rig, &message), &message);
        TEST_OK(sinew_rig_read(path, NULL, NULL, &back, &message), &message);
        TEST_TRUE(sinew_rig_unit(back) == sinew_rig_unit(rig));
        TEST_INT(sinew_rig_joint_count(back), 3);
        for (int j = 0; j < 3; ++j) {
            check_equal_joints(sinew_rig_joint(rig, j), sinew_rig_joint(back, j));
        }
        TEST_TRUE(memcmp(sinew_rig_starts(back, 0)->centroids, centroids, sizeof centroids) == 0);
        TEST_OK(sinew_rig_write(again, back, &message), &message);
        char *first = read_text(path), *second = read_text(again);
        TEST_TRUE(strcmp(first, second) == 0);
        free(first);
        free(second);
        sinew_rig_destroy(rig);
        sinew_rig_destroy(back);
    }
}

static void messages_tell_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "", "x.json:1:1: found the end of the file, expected a value" },
        { "[1]", "x.json:1:1: found a list of 1, expected a rig, an object with \"sinew_rig\": 1" },
        { "{}", "x.json:1:1: found an object, expected the key \"sinew_rig\": 1" },
        { "{\"sinew_rig\": 2}", "x.json:1:15: found 2, expected version 1 of the format" },
        { "{\"sinew_rig\": 1,}", "x.json:1:17: found \"}\", expected a key in quotes" },
        { "{\"sinew_rig\": 1} x", "x.json:1:18: found \"x\", expected the end of the file" },
        { "{\"sinew_rig\": 1, \"units\": 1}",
            "x.json:1:18: found \"units\", expected a key of rigs; did you mean \"unit\"?" },
        { "{\"sinew_rig\": 1,\n \"unit\": \"yard\"}",
            "x.json:2:10: found \"yard\", expected m, dm, cm, mm, inch, foot or metres" },
        { "{\"sinew_rig\": 1, \"sinew_rig\": 1}",
            "x.json:1:18: found the same key again, expected each key once" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {}, \"bone\": {}}}",
            "x.json:1:41: found the same name again, expected each name once" },
        { "{\"sinew_rig\": 1, \"effectors\": {\"a\": {\"joint\": \"bone\"}, \"a\": {\"joint\": "
          "\"bone\"}}}",
            "x.json:1:56: found the same name again, expected each name once" },
        { "{\"sinew_rig\": 1, \"joints\": {\n  \"bnoe\": {}}}",
            "x.json:2:3: found \"bnoe\", expected a joint of the skeleton; did you mean "
            "\"bone\"?" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"twits\": [0, 1]}}}",
            "x.json:1:38: found \"twits\", expected a key of joints; did you mean \"twist\"?" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"twist\": [1, 0]}}}",
            "x.json:1:47: found a list of 2, expected the lower end first" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"twist\": [-200, 0]}}}",
            "x.json:1:47: found a list of 2, expected a range inside -180 to 180, or null" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"kind\": \"baall\"}}}",
            "x.json:1:46: found \"baall\", expected as-is, free, ball, universal, hinge or fixed; "
            "did you mean \"ball\"?" },
        // three of five letters are no slip of the hand
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"kind\": \"hixxx\"}}}",
            "x.json:1:46: found \"hixxx\", expected as-is, free, ball, universal, hinge or fixed" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"kind\": \"ball\", \"windows\": "
          "[{\"polar\": [[0, 20], "
          "[180, 20], [90, 20], [270, 20]]}]}}}",
            "x.json:1:37: found windows[0] is not convex: want corners in order around one "
            "hemisphere, each side a plane through the joint (or set star), expected a limit that "
            "can be made" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"role\": \"uperarm_l\"}}}",
            "x.json:1:46: found \"uperarm_l\", expected a role such as \"upperarm_l\"; did you "
            "mean "
            "\"upperarm_l\"?" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"mass\": -1}}}",
            "x.json:1:46: found -1, expected a number, at least 0" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"mass\": 1e999}}}",
            "x.json:1:46: found a number that is too large or too long, expected a number" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"neutral\": [0, 0, 0, 2]}}}",
            "x.json:1:49: found a list of 4, expected a quaternion [x, y, z, w] of length 1" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"windows\": [{\"polar\": [[0, 20], [90, "
          "20]]}]}}}",
            "x.json:1:50: found an object, expected 3 or more points" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"windows\": [{\"polar\": [[0, 20], [90, "
          "200], "
          "[180, 20]]}]}}}",
            "x.json:1:70: found a list of 2, expected [azimuth, swing], swing 0 to 180" },
        { "{\"sinew_rig\": 1, \"joints\": {\"bone\": {\"ranges\": [[0, \"x\"]]}}}",
            "x.json:1:53: found \"x\", expected a number" },
        { "{\"sinew_rig\": 1, \"effectors\": {\"hand\": {\"joint\": \"tipp\"}}}",
            "x.json:1:50: found \"tipp\", expected a joint of the skeleton; did you mean "
            "\"tip\"?" },
        { "{\"sinew_rig\": 1, \"poses\": {\"p\": {\"tip\": []}}}",
            "x.json:1:41: found a list of 0, expected the joint's coordinates, a list of 1 to 9 "
            "numbers" },
        { "{\"sinew_rig\": 1, \"starts\": {\"s\": {\"reach\": 1}}}",
            "x.json:1:34: found an object, expected reach, goals, poses and centroids" },
    };
    sinew_Skeleton *arm = make_arm();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sinew_Rig *rig = NULL;
        sinew_Message message;
        TEST_INT(read_rig_text(cases[i].text, arm, &rig, &message), SINEW_STATUS_BAD_FILE);
        TEST_TRUE(rig == NULL);
        if (strcmp(message.text, cases[i].message) != 0) {
            print_message("got  %s\nwant %s\n", message.text, cases[i].message);
        }
        TEST_TRUE(strcmp(message.text, cases[i].message) == 0);
    }
    sinew_skeleton_destroy(arm);
}

static void texts_are_decoded(void **state)
{
    (void)state;
    sinew_Rig *rig = NULL;
    sinew_Message message;
    const char *text =
        "\xef\xbb\xbf{\"sinew_rig\":1,\"$schema\":\"rig.schema.json\",\"unit\":\"cm\","
        "\"joints\":{\"\\u00e4\\ud83d\\ude00\\n\\/\":{\"mass\":1.5e0}}}";
    TEST_OK(read_rig_text(text, NULL, &rig, &message), &message);
    TEST_NEAR(sinew_rig_unit(rig), 0.01, 0.0);
    TEST_TRUE(strcmp(sinew_rig_joint(rig, 0)->key, "\xc3\xa4\xf0\x9f\x98\x80\n/") == 0);
    sinew_rig_destroy(rig);
    static const char *const bad[] = { "{\"sinew_rig\":1,\"joints\":{\"\\ud83d\":{}}}",
        "{\"sinew_rig\":1,\"joints\":{\"\\u0000\":{}}}",
        "{\"sinew_rig\":1,\"joints\":{\"\\x\":{}}}", "{\"sinew_rig\":1,\"joints\":{\"",
        "{\"sinew_rig\":01}", "{\"sinew_rig\":1.}", "{\"sinew_rig\":+1}", "{\"sinew_rig\":nul}" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        TEST_INT(read_rig_text(bad[i], NULL, &rig, &message), SINEW_STATUS_BAD_FILE);
        TEST_TRUE(strncmp(message.text, "x.json:1:", 9) == 0);
    }
    // deep nesting ends with a message, not with the stack
    char *deep = malloc(200001);
    memset(deep, '[', 200000);
    deep[200000] = '\0';
    TEST_INT(read_rig_text(deep, NULL, &rig, &message), SINEW_STATUS_BAD_FILE);
    free(deep);
}

static void mutated_files_do_no_harm(void **state)
{
    (void)state;
    static const char pieces[][12] = { "{", "}", "[", "]", ",", ":", "\"", "null", "-1", "1e308",
        "0", "true", "\\u", "[0, 1]", "\"cone\"", "\"rays\"", "180", "\"x\": 1" };
    sinew_Skeleton *arm = make_arm();
    sinew_Rig *rig = make_rig();
    test_Random make = test_random(5);
    add_random_joint(&make, rig, "bone");
    add_random_joint(&make, rig, "bone#2");
    sinew_rig_set_unit(rig, 0.01);
    double q[32];
    sinew_pose_rest(arm, q);
    TEST_OK(sinew_rig_capture_pose(rig, "rest", arm, q), NULL);
    const char *path = test_temp_path("seed.rig.json");
    TEST_OK(sinew_rig_write(path, rig, NULL), NULL);
    sinew_rig_destroy(rig);
    char *seed = read_text(path);
    size_t length = strlen(seed);
    int good = 0;
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(22, i);
        char *text = malloc(length + 64);
        size_t size = length;
        memcpy(text, seed, length + 1);
        for (int m = 0; m <= test_int(&random, 3); ++m) {
            size_t at = (size_t)test_int(&random, (int)size);
            const char *piece = pieces[test_int(&random, (int)(sizeof pieces / sizeof pieces[0]))];
            size_t step = strlen(piece);
            switch (test_int(&random, 4)) {
            case 0: text[at] = (char)test_int(&random, 256); break;
            case 1: size = at; break;
            case 2:
                if (size + step < length + 60) {
                    memmove(text + at + step, text + at, size - at);
                    memcpy(text + at, piece, step);
                    size += step;
                }
                break;
            default: memcpy(text + at, piece, step < size - at ? step : size - at); break;
            }
            if (size == 0) { break; }
        }
        sinew_Rig *read = NULL;
        sinew_Message message = { "" };
        sinew_Status status = sinew_rig_read_memory(
            text, size, "x.json", arm, NULL, &read, &message);
        TEST_TRUE((status == SINEW_STATUS_OK) == (read != NULL));
        if (read != NULL) {
            sinew_Skeleton *rigged = NULL;
            ++good;
            (void)sinew_rig_apply(arm, read, NULL, &rigged, &message);
            sinew_skeleton_destroy(rigged);
        } else {
            TEST_TRUE(status == SINEW_STATUS_BAD_FILE && message.text[0] != '\0');
        }
        sinew_rig_destroy(read);
        free(text);
    }
    print_message("%d of 20000 could still be read\n", good);
    TEST_TRUE(good > 100 && good < 15000);
    free(seed);
    sinew_skeleton_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Applying

// SKEL-9
static void applying_keeps_the_rest(void **state)
{
    (void)state;
    sinew_Skeleton *arm = make_arm(), *rigged = NULL;
    sinew_Rig *rig = NULL;
    sinew_Message message;
    TEST_OK(
        read_rig_text("{\"sinew_rig\":1, \"unit\":0.01, \"joints\":{"
                      "\"root\":{\"ranges\":[[-100,100],null,[0,null]]},"
                      "\"bone\":{\"windows\":[{\"cone\":30,\"polar\":[[0,0]]}],\"twist\":[-10,20],"
                      "\"mass\":2,\"mass_center\":[10,0,0],\"mobility\":0.5,\"object\":\"glove\"},"
                      "\"tip\":{\"ranges\":[[-90,45]]}}}",
            arm, &rig, &message),
        &message);
    TEST_OK(sinew_rig_apply(arm, rig, NULL, &rigged, &message), &message);
    TEST_INT(sinew_skeleton_coordinate_count(rigged), sinew_skeleton_coordinate_count(arm));
    const sinew_Axis *axes = sinew_skeleton_axes(rigged);
    TEST_NEAR(axes[0].lower, -1.0, 1e-15);
    TEST_TRUE(isinf(axes[1].upper) && axes[2].lower == 0.0 && isinf(axes[2].upper));
    TEST_TRUE(axes[3].limit == NULL && axes[4].limit != NULL && axes[5].limit == NULL);
    TEST_NEAR(axes[6].lower, -0.5 * SINEW_PI, 1e-15);
    TEST_NEAR(axes[4].mobility, 0.5, 0.0);
    TEST_TRUE(strcmp(sinew_skeleton_joints(rigged)[1].object, "glove") == 0);
    TEST_TRUE(sinew_skeleton_joints(rigged)[0].object == NULL);
    TEST_NEAR(sinew_skeleton_joints(rigged)[1].mass, 2.0, 0.0);
    TEST_NEAR(sinew_skeleton_joints(rigged)[1].mass_center.x, 0.1, 1e-15);
    // the bone of "bone" goes to (0.3, 0.1, 0): a swing of 31 degrees about z is outside by one
    sinew_Quat turn = sinew_quat_from_axis_angle(
        sinew_vec3(0.0, 0.0, 1.0), 31.0 * SINEW_PI / 180.0);
    TEST_NEAR(sinew_ball_limit_violation(axes[4].limit, turn), SINEW_PI / 180.0, 1e-9);
    sinew_skeleton_destroy(rigged);
    sinew_rig_destroy(rig);

    static const char *const bad[] = {
        "{\"sinew_rig\":1, \"joints\":{\"nobody\":{}}}",
        "{\"sinew_rig\":1, \"joints\":{\"tip\":{\"ranges\":[[0,1],[0,1]]}}}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        TEST_OK(read_rig_text(bad[i], NULL, &rig, &message), &message);
        TEST_INT(sinew_rig_apply(arm, rig, NULL, &rigged, &message), SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(rigged == NULL && message.text[0] != '\0');
        sinew_rig_destroy(rig);
    }
    sinew_skeleton_destroy(arm);
}

static void poses_go_to_other_kinds(void **state)
{
    (void)state;
    sinew_Skeleton *arm = make_arm(), *rigged = NULL;
    sinew_Rig *rig = NULL;
    sinew_Message message;
    TEST_OK(
        read_rig_text("{\"sinew_rig\":1, \"joints\":{"
                      "\"bone\":{\"kind\":\"hinge\",\"neutral\":[0.6,0,0,0.8],\"bone\":[0,0,0,1],"
                      "\"ranges\":[[-100,100]]},"
                      "\"bone#2\":{\"kind\":\"universal\",\"neutral\":[0,0.6,0,0.8],"
                      "\"bone\":[0,0.6,0,0.8]},"
                      "\"tip\":{\"kind\":\"ball\"}}}",
            arm, &rig, &message),
        &message);
    TEST_OK(sinew_rig_apply(arm, rig, NULL, &rigged, &message), &message);
    // three slides and a ball, a hinge, two hinges, a ball
    TEST_INT(sinew_skeleton_coordinate_count(rigged), 7 + 1 + 2 + 4);
    for (int i = 0; i < 200; ++i) {
        test_Random random = test_case(23, i);
        double q[14], there[16], back[14];
        sinew_pose_rest(rigged, q);
        q[1] = test_normal(&random);
        sinew_Quat turn = test_unit_quat(&random);
        q[3] = turn.x;
        q[4] = turn.y;
        q[5] = turn.z;
        q[6] = turn.w;
        for (int c = 7; c < 10; ++c) { q[c] = test_range(&random, -1.5, 1.5); }
        // only what the tip's hinge of the arm can do
        double angle = test_range(&random, -3.0, 3.0);
        q[12] = sin(0.5 * angle);
        q[13] = cos(0.5 * angle);
        double lost = -1.0;
        sinew_Transform a[4], b[4];
        TEST_OK(sinew_rig_convert_pose(rigged, q, arm, there, &lost), NULL);
        TEST_NEAR(lost, 0.0, 1e-7);
        sinew_pose_forward(rigged, q, a);
        sinew_pose_forward(arm, there, b);
        for (int j = 0; j < 4; ++j) {
            TEST_VEC3_NEAR(b[j].position, a[j].position, 1e-12);
            TEST_QUAT_NEAR(b[j].rotation, a[j].rotation, 1e-12);
        }
        TEST_OK(sinew_rig_convert_pose(arm, there, rigged, back, &lost), NULL);
        TEST_NEAR(lost, 0.0, 1e-7);
        sinew_pose_forward(rigged, back, b);
        TEST_QUAT_NEAR(b[3].rotation, a[3].rotation, 1e-12);
    }
    // what a hinge cannot do is told
    double q[16], there[14], lost = 0.0;
    sinew_pose_rest(arm, q);
    sinew_Quat aside = sinew_quat_mul(sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.3),
        sinew_quat_normalize((sinew_Quat){ 0.6, 0.0, 0.0, 0.8 }));
    q[7] = aside.x;
    q[8] = aside.y;
    q[9] = aside.z;
    q[10] = aside.w;
    TEST_OK(sinew_rig_convert_pose(arm, q, rigged, there, &lost), NULL);
    TEST_NEAR(lost, 0.3, 1e-9);
    sinew_rig_destroy(rig);
    sinew_skeleton_destroy(rigged);
    sinew_skeleton_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Fitting

static void fitted_limits_hold_what_was_seen(void **state)
{
    (void)state;
    enum { FRAMES = 400, WIDTH = 16 };
    sinew_Skeleton *arm = make_arm();
    for (int i = 0; i < 30; ++i) {
        test_Random random = test_case(24, i);
        double *frames = calloc(FRAMES, WIDTH * sizeof *frames);
        // from hardly moving to all round
        double size = i == 0 ? 0.0 : test_range(&random, 0.05, i % 5 == 0 ? 3.0 : 1.0);
        sinew_Quat center = test_unit_quat(&random);
        for (int f = 0; f < FRAMES; ++f) {
            double *q = frames + (size_t)f * WIDTH;
            sinew_pose_rest(arm, q);
            for (int b = 0; b < 2; ++b) {
                sinew_Vec3 turn = test_vector(&random, size);
                sinew_Quat ball = sinew_quat_mul(sinew_quat_exp(turn), center);
                q[7 + 4 * b] = ball.x;
                q[8 + 4 * b] = ball.y;
                q[9 + 4 * b] = ball.z;
                q[10 + 4 * b] = ball.w;
            }
            q[15] = test_range(&random, -size, size);
        }
        sinew_Rig *rig = make_rig();
        sinew_Message message = { "" };
        sinew_PoseList lists[2] = { { frames, 150 }, { frames + 150 * WIDTH, FRAMES - 150 } };
        TEST_OK(sinew_rig_fit(rig, arm, lists, 2, 5.0, &message), &message);
        sinew_Skeleton *rigged = NULL;
        TEST_OK(sinew_rig_apply(arm, rig, NULL, &rigged, &message), &message);
        for (int f = 0; f < FRAMES; ++f) {
            const double *q = frames + (size_t)f * WIDTH;
            TEST_NEAR(sinew_pose_limit_violation(rigged, q), 0.0, 1e-9);
        }
        // and little more: what did not move is held within the margin
        const sinew_RigJoint *bone = sinew_rig_find_joint(rig, "bone");
        if (i == 0) {
            TEST_INT(bone->window_count, 1);
            TEST_TRUE(bone->windows[0].point_count <= 6);
            for (int p = 0; p < bone->windows[0].point_count; ++p) {
                TEST_TRUE(bone->windows[0].points[p].y < 8.0);
            }
            TEST_NEAR(bone->twist.upper - bone->twist.lower, 10.0, 1e-6);
        }
        // the root carries the body, it has no limit
        TEST_TRUE(sinew_rig_find_joint(rig, "root") == NULL);
        TEST_INT(sinew_rig_find_joint(rig, "tip")->range_count, 1);
        sinew_skeleton_destroy(rigged);
        sinew_rig_destroy(rig);
        free(frames);
    }
    sinew_skeleton_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Start tables

static void start_tables_are_kept(void **state)
{
    (void)state;
    sinew_Skeleton *arm = make_arm();
    sinew_Rig *rig = make_rig(), *read = NULL;
    sinew_StartTable *table = NULL, *back = NULL;
    sinew_Message message = { "" };
    sinew_Goal goal = sinew_goal_pose(3, sinew_vec3(0.0, 0.0, 0.0), sinew_quat_identity());
    goal.chain_root = 1;
    goal.joint_from_effector.position = sinew_vec3(0.1, 0.02, 0.0);
    sinew_StartDef def = sinew_start_def_default();
    def.skeleton = arm;
    def.goals = &goal;
    def.goal_count = 1;
    def.target_count = 60;
    def.candidate_count = 8;
    TEST_OK(sinew_start_table_build(&def, &table, NULL, &message), &message);
    sinew_rig_set_unit(rig, 0.01);
    TEST_OK(sinew_rig_keep_starts(rig, "tip", arm, table), NULL);
    const char *path = test_temp_path("starts.rig.json");
    TEST_OK(sinew_rig_write(path, rig, &message), &message);
    TEST_OK(sinew_rig_read(path, arm, NULL, &read, &message), &message);
    TEST_OK(sinew_rig_start_table(read, sinew_rig_starts(read, 0), arm, NULL, &back, &message),
        &message);
    const sinew_StartTableData *a = sinew_start_table_data(table);
    const sinew_StartTableData *b = sinew_start_table_data(back);
    TEST_INT(b->start_count, a->start_count);
    TEST_INT(b->centroid_count, a->centroid_count);
    TEST_INT(b->goals[0].joint, 3);
    TEST_INT(b->goals[0].chain_root, 1);
    TEST_INT(b->goals[0].kind, SINEW_GOAL_POSE);
    TEST_VEC3_NEAR(
        b->goals[0].joint_from_effector.position, goal.joint_from_effector.position, 1e-15);
    TEST_NEAR(b->reach, a->reach, 1e-12);
    TEST_ARRAY_NEAR(b->poses, a->poses, a->start_count * a->coordinate_count, 1e-13);
    TEST_ARRAY_NEAR(b->centroids, a->centroids, a->centroid_count * 7, 1e-13);
    for (int c = 0; c < a->centroid_count; ++c) {
        TEST_INT(b->centroid_starts[c], a->centroid_starts[c]);
    }
    sinew_start_table_destroy(table);
    sinew_start_table_destroy(back);
    sinew_rig_destroy(rig);
    sinew_rig_destroy(read);
    sinew_skeleton_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Memory

static void guesses_survive_lack_of_memory(void **state)
{
    (void)state;
    sinew_Skeleton *arm = make_arm();
    sinew_RoleGuess *roles = NULL;
    TEST_OK(sinew_roles_guess(arm, NULL, NULL, &roles, NULL), NULL);
    bool finished = false;
    for (long n = 1; !finished && n < 100; ++n) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        sinew_Rig *rig = NULL;
        sinew_Skeleton *rigged = NULL;
        sinew_Status status = sinew_rig_guess(arm, roles, NULL, &memory.allocator, &rig, NULL);
        if (status == SINEW_STATUS_OK) {
            status = sinew_rig_apply(arm, rig, &memory.allocator, &rigged, NULL);
        }
        finished = status == SINEW_STATUS_OK;
        if (!finished) { TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY); }
        sinew_skeleton_destroy(rigged);
        sinew_rig_destroy(rig);
        TEST_TRUE(memory.live_bytes == 0);
        TEST_TRUE(!memory.wrong_size);
    }
    TEST_TRUE(finished);
    sinew_roles_destroy(roles);
    sinew_skeleton_destroy(arm);
}

// ---------------------------------------------------------------------------------------------
// Recorded motion

typedef struct Recording {
    sinew_MotionFile *file;
    sinew_RoleGuess *roles;
    sinew_Rig *rig;
    sinew_Skeleton *rigged;
} Recording;

static void open_recording(Recording *recording, const char *path)
{
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read(path, NULL, &recording->file, &message), &message);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(recording->file);
    const sinew_Clip *clip = sinew_motion_clip(recording->file);
    int count = sinew_skeleton_joint_count(skeleton);
    bool *ends = calloc((size_t)count, sizeof *ends);
    for (int j = 0; j < count; ++j) { ends[j] = sinew_motion_is_end_site(recording->file, j); }
    sinew_RoleOptions options = sinew_role_options_default();
    options.is_end_site = ends;
    const sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    options.motion = &motion;
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &recording->roles, &message), &message);
    free(ends);
    sinew_RigOptions rig_options = sinew_rig_options_default();
    rig_options.motion = &motion;
    rig_options.unit = sinew_motion_unit(recording->file);
    TEST_OK(
        sinew_rig_guess(skeleton, recording->roles, &rig_options, NULL, &recording->rig, &message),
        &message);
    TEST_OK(
        sinew_rig_apply(skeleton, recording->rig, NULL, &recording->rigged, &message), &message);
}

static void close_recording(Recording *recording)
{
    sinew_skeleton_destroy(recording->rigged);
    sinew_rig_destroy(recording->rig);
    sinew_roles_destroy(recording->roles);
    sinew_motion_destroy(recording->file);
}

// mean distance of joints, metres; every so many frames
static double follow(const Recording *recording, int step, double *out_violation)
{
    const sinew_Clip *clip = sinew_motion_clip(recording->file);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(recording->file);
    int count = sinew_skeleton_joint_count(skeleton), frames = 0;
    sinew_TrackerDef def = sinew_tracker_def_default();
    sinew_Tracker *tracker = NULL;
    sinew_Message message = { "" };
    def.skeleton = recording->rigged;
    def.max_goals = count;
    def.frame_time = sinew_clip_frame_time(clip) * step;
    def.options.velocity_weight = 1e-3;
    TEST_OK(sinew_tracker_create(&def, &tracker, &message), &message);
    sinew_Transform *world = calloc((size_t)count, sizeof *world);
    sinew_Goal *goals = calloc((size_t)count, sizeof *goals);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(skeleton), sizeof *q);
    double sum = 0.0;
    *out_violation = 0.0;
    for (int f = 0; f < sinew_clip_frame_count(clip); f += step, ++frames) {
        sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, f), world);
        for (int j = 0; j < count; ++j) { goals[j] = sinew_goal_position(j, world[j].position); }
        TEST_OK(sinew_tracker_update(tracker, goals, count, q, NULL, &message), &message);
        double outside = sinew_pose_limit_violation(recording->rigged, q);
        *out_violation = fmax(*out_violation, outside);
        const sinew_GoalResult *results = sinew_tracker_goal_results(tracker);
        for (int j = 0; j < count; ++j) { sum += results[j].position_error / count; }
    }
    free(world);
    free(goals);
    free(q);
    sinew_tracker_destroy(tracker);
    return sum / frames;
}

// files with six channels a joint: bones keep their recorded lengths, whatever is asked of them
static void slides_of_bones_keep_to_what_was_recorded(void **state)
{
    (void)state;
    static const char text[] =
        "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition Zposition "
        "Zrotation Xrotation Yrotation\n JOINT LeftUpLeg\n {\n  OFFSET 10 -5 0\n  CHANNELS 6 "
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation\n  JOINT LeftLeg\n  {\n   "
        "OFFSET 0 -40 0\n   CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation "
        "Yrotation\n   End Site\n   {\n    OFFSET 0 -40 0\n   }\n  }\n }\n}\nMOTION\nFrames: 2\n"
        "Frame Time: 0.01\n0 90 0 0 0 0 10 -5 0 0 0 0 0 -40 0 0 0 0\n"
        "5 91 3 0 0 0 10 -5.00000000001 0 0 9 0 0 -40.5 0 0 9 0\n";
    sinew_ReadOptions read = sinew_read_options_default();
    read.unit = 0.01;
    sinew_MotionFile *motion = NULL;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read_memory(text, sizeof text - 1, "legs.bvh", &read, &motion, &message),
        &message);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(motion);
    const sinew_Clip *clip = sinew_motion_clip(motion);
    sinew_RoleGuess *roles = NULL;
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &roles, &message), &message);
    sinew_RigOptions options = sinew_rig_options_default();
    sinew_PoseList frames = { sinew_clip_frame_const(clip, 0), 2 };
    options.motion = &frames;
    options.unit = 0.01;
    for (int hinges = 0; hinges < 2; ++hinges) {
        options.hinges = hinges == 1;
        sinew_Rig *rig = NULL;
        sinew_Skeleton *rigged = NULL;
        TEST_OK(sinew_rig_guess(skeleton, roles, &options, NULL, &rig, &message), &message);
        TEST_OK(sinew_rig_apply(skeleton, rig, NULL, &rigged, &message), &message);
        for (int j = 0; j < 3; ++j) {
            const sinew_Joint *joint = &sinew_skeleton_joints(rigged)[j];
            for (int a = 0; a < 3; ++a) {
                const sinew_Axis *slide = &sinew_skeleton_axes(rigged)[joint->axis_start + a];
                TEST_INT(slide->kind, SINEW_AXIS_SLIDE);
                bool stretches = j == 2 && a == 1;
                if (j == 0) {
                    TEST_TRUE(isinf(slide->lower) && isinf(slide->upper));
                } else {
                    TEST_NEAR(slide->upper - slide->lower, stretches ? 0.005 : 0.0, 1e-12);
                    // rounding of the file is no freedom: what does not stretch is locked
                    TEST_TRUE(stretches || slide->upper == slide->lower);
                }
            }
        }
        sinew_skeleton_destroy(rigged);
        sinew_rig_destroy(rig);
    }
    sinew_roles_destroy(roles);
    sinew_motion_destroy(motion);
}

static const char *const recordings[] = { "boxing_toes_offbyone", "bvh11_sample_6ch_all",
    "bvhtoolbox_mocapbank", "bvhtoolbox_walk01", "cmu_01_01_max_first1000", "cmu_01_01_mb",
    "cmu_01_03_mb", "cmu_03_03_daz", "cmu_12_01_walk_mb", "cmu_131_01_max", "cmu_131_03_max",
    "cmu_14_jumping_jacks_30fps", "dfki_custom_skeleton_walk", "fair_dab", "fair_jumping",
    "fair_zombie", "makehuman_walk1", "mass_backflip", "mass_dance", "mass_kick", "mass_pirouette",
    "mass_walk", "rokokovision_boxing", "rokokovision_kicking", "rokokovision_walking",
    "rokokovision_wave_dance" };
enum { RECORDING_COUNT = (int)(sizeof recordings / sizeof recordings[0]) };

static void recordings_are_followed_within_guessed_limits(void **state)
{
    (void)state;
    int found = 0;
    for (int i = 0; i < RECORDING_COUNT; ++i) {
        char name[96];
        snprintf(name, sizeof name, "bvh/%s.bvh", recordings[i]);
        const char *path = data_path(name);
        if (path == NULL) { continue; }
        Recording recording;
        double violation = 0.0;
        open_recording(&recording, path);
        int frames = sinew_clip_frame_count(sinew_motion_clip(recording.file));
        double mean = follow(&recording, frames > 600 ? 2 : 1, &violation);
        print_message("%-28s mean %.3f mm, limits exceeded by %.1e rad\n", recordings[i],
            1e3 * mean, violation);
        TEST_TRUE(violation < 1e-9);
        TEST_TRUE(mean <= 1e-3);
        close_recording(&recording);
        ++found;
    }
    if (found == 0) { skip(); }
}

// poses of joints outside the limits guessed for them, and outside by more than 10 degrees
static void count_outside(const Recording *recording, long *all, long *outside, long *far)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(recording->file);
    const sinew_Clip *clip = sinew_motion_clip(recording->file);
    const sinew_Axis *axes = sinew_skeleton_axes(recording->rigged);
    const sinew_AxisPlace *places = sinew_skeleton_axis_places(recording->rigged);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(recording->rigged), sizeof *q);
    for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
        sinew_Message message = { "" };
        TEST_OK(sinew_rig_convert_pose(
                    skeleton, sinew_clip_frame_const(clip, f), recording->rigged, q, NULL),
            &message);
        for (int a = 0; a < sinew_skeleton_axis_count(recording->rigged); ++a) {
            if (axes[a].limit == NULL) { continue; }
            const double *v = &q[places[a].coordinate];
            sinew_Quat ball = { v[0], v[1], v[2], v[3] };
            double violation = sinew_ball_limit_violation(axes[a].limit, ball);
            ++*all;
            *outside += violation > 1e-9 ? 1 : 0;
            *far += violation > 10.0 * SINEW_PI / 180.0 ? 1 : 0;
        }
    }
    free(q);
}

// limits are wide enough for what people were recorded doing
static void recordings_are_inside_guessed_limits(void **state)
{
    (void)state;
    long all = 0, outside = 0, far = 0;
    for (int i = 0; i < RECORDING_COUNT; ++i) {
        char name[96];
        snprintf(name, sizeof name, "bvh/%s.bvh", recordings[i]);
        const char *path = data_path(name);
        if (path == NULL) { continue; }
        Recording recording;
        open_recording(&recording, path);
        count_outside(&recording, &all, &outside, &far);
        close_recording(&recording);
    }
    if (all == 0) { skip(); }
    print_message("of %ld poses of joints %.2f %% outside, %.2f %% by more than 10 degrees\n", all,
        100.0 * (double)outside / (double)all, 100.0 * (double)far / (double)all);
    TEST_TRUE((double)outside <= 0.01 * (double)all);
    TEST_TRUE((double)far <= 0.0035 * (double)all);
}

static void fitted_recordings_are_inside(void **state)
{
    (void)state;
    static const char *const names[] = { "fair_dab", "mass_backflip", "cmu_131_02_max" };
    int found = 0;
    for (int i = 0; i < 3; ++i) {
        char name[96];
        snprintf(name, sizeof name, "bvh/%s.bvh", names[i]);
        const char *path = data_path(name);
        if (path == NULL) { continue; }
        Recording recording;
        sinew_Message message = { "" };
        open_recording(&recording, path);
        const sinew_Skeleton *skeleton = sinew_motion_skeleton(recording.file);
        const sinew_Clip *clip = sinew_motion_clip(recording.file);
        sinew_PoseList list = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
        TEST_OK(sinew_rig_fit(recording.rig, skeleton, &list, 1, 5.0, &message), &message);
        sinew_skeleton_destroy(recording.rigged);
        TEST_OK(
            sinew_rig_apply(skeleton, recording.rig, NULL, &recording.rigged, &message), &message);
        for (int f = 0; f < list.count; ++f) {
            TEST_NEAR(sinew_pose_limit_violation(recording.rigged, sinew_clip_frame_const(clip, f)),
                0.0, 1e-9);
        }
        close_recording(&recording);
        ++found;
    }
    if (found == 0) { skip(); }
}

// Keys are cut to the room there is, the number of a repeated name last, and nothing is written beyond it.
static void test_keys_are_cut_to_size(void **state)
{
    (void)state;
    sinew_JointDef joints[13];
    for (int j = 0; j < 13; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = "vertebra";
        joints[j].parent = j - 1;
    }
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, 13, NULL, &skeleton, NULL), NULL);
    for (int j = 0; j < 13; ++j) {
        char whole[64];
        sinew_rig_key(skeleton, j, whole, sizeof whole);
        TEST_INT(sinew_rig_key_joint(skeleton, whole), j);
        for (size_t size = 1; size <= strlen(whole) + 3; ++size) {
            char key[64];
            memset(key, '!', sizeof key);
            sinew_rig_key(skeleton, j, key, size);
            size_t length = strlen(key);
            TEST_TRUE(length < size);
            for (size_t k = size; k < sizeof key; ++k) { TEST_TRUE(key[k] == '!'); }
            if (size > strlen(whole)) { assert_string_equal(key, whole); }
        }
    }
    sinew_skeleton_destroy(skeleton);
}

// Names are found among sorted ones: of random trees with names that come often, begin alike, look like keys or are
// empty, the same joints as by looking at every one.
static void random_names_are_found(void **state)
{
    (void)state;
    static const char *const names[] = { "a", "ab", "abc", "b", "", "a#2", "#", "A", "\xc3\xa4" };
    enum { NAMES = (int)(sizeof names / sizeof names[0]), MOST = 40 };
    for (int c = 0; c < 500; ++c) {
        test_Random random = test_case(77, c);
        sinew_JointDef joints[MOST];
        int count = 1 + test_int(&random, MOST - 1);
        for (int j = 0; j < count; ++j) {
            joints[j] = sinew_joint_def_default();
            joints[j].name = names[test_int(&random, NAMES)];
            joints[j].parent = j - 1;
        }
        sinew_Skeleton *skeleton = NULL;
        TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, NULL), NULL);
        for (int n = 0; n < NAMES; ++n) {
            int first = -1, last = -1, times = 0;
            for (int j = count - 1; j >= 0; --j) {
                bool same = strcmp(joints[j].name, names[n]) == 0;
                if (same && last < 0) { last = j; }
                if (same) { first = j; }
                times += same ? 1 : 0;
            }
            TEST_INT(sinew_skeleton_find_joint(skeleton, names[n]), first);
            char key[64], expected[64], beyond[64];
            snprintf(expected, sizeof expected, times > 1 ? "%s#%d" : "%s", names[n], times);
            snprintf(beyond, sizeof beyond, "%s#%d", names[n], times + 1);
            sinew_rig_key(skeleton, last, key, sizeof key);
            if (times > 0) { assert_string_equal(key, expected); }
            // a joint may be called as the key of another one: its own name comes first
            bool is_name = strcmp(beyond, "a#2") == 0;
            if (!is_name) { TEST_INT(sinew_rig_key_joint(skeleton, beyond), -1); }
        }
        sinew_skeleton_destroy(skeleton);
    }
}

// Reading, guessing and asking by name cost no square of the joints: 45,000 of 3 slides took a minute.
static void large_rigs_are_made_and_found(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    sinew_JointDef *joints = calloc(COUNT, sizeof *joints);
    char(*names)[16] = calloc(COUNT, sizeof *names);
    sinew_Axis slides[3];
    for (int i = 0; i < 3; ++i) {
        slides[i] = sinew_axis_slide(
            sinew_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0));
    }
    for (int j = 0; j < COUNT; ++j) {
        snprintf(names[j], sizeof names[j], "bone%d", j % 60000);
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j == 0 ? -1 : 0;
        joints[j].axes = slides;
        joints[j].axis_count = 3;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_RoleGuess *roles = NULL;
    sinew_Rig *rig = NULL;
    TEST_OK(sinew_skeleton_create(joints, COUNT, NULL, &skeleton, NULL), NULL);
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &roles, NULL), NULL);
    clock_t start = clock();
    TEST_OK(sinew_rig_guess(skeleton, roles, NULL, NULL, &rig, NULL), NULL);
    TEST_INT(sinew_rig_joint_count(rig), COUNT - 1);
    for (int j = 1; j < COUNT; ++j) {
        char key[32];
        sinew_rig_key(skeleton, j, key, sizeof key);
        TEST_INT(sinew_rig_key_joint(skeleton, key), j);
        TEST_TRUE(sinew_rig_find_joint(rig, key) == sinew_rig_joint(rig, j - 1));
    }
    // 0.1 s where it is quick, so also under valgrind; each of the squares alone was 20 s and more
    TEST_TRUE((double)(clock() - start) / CLOCKS_PER_SEC < 10.0);
    sinew_rig_destroy(rig);
    sinew_roles_destroy(roles);
    sinew_skeleton_destroy(skeleton);
    free(names);
    free(joints);
}

TEST_MAIN(cmocka_unit_test(test_keys_are_cut_to_size), cmocka_unit_test(random_names_are_found),
    cmocka_unit_test(large_rigs_are_made_and_found),
    cmocka_unit_test(slides_of_bones_keep_to_what_was_recorded),
    cmocka_unit_test(keys_number_equal_names), cmocka_unit_test(refining_changes_what_is_said),
    cmocka_unit_test(wrong_joints_are_refused), cmocka_unit_test(wrong_starts_are_refused),
    cmocka_unit_test(poses_are_kept), cmocka_unit_test(files_keep_every_bit),
    cmocka_unit_test(messages_tell_the_place), cmocka_unit_test(texts_are_decoded),
    cmocka_unit_test(mutated_files_do_no_harm), cmocka_unit_test(applying_keeps_the_rest),
    cmocka_unit_test(poses_go_to_other_kinds), cmocka_unit_test(fitted_limits_hold_what_was_seen),
    cmocka_unit_test(start_tables_are_kept), cmocka_unit_test(guesses_survive_lack_of_memory),
    cmocka_unit_test(recordings_are_followed_within_guessed_limits),
    cmocka_unit_test(recordings_are_inside_guessed_limits),
    cmocka_unit_test(fitted_recordings_are_inside))
