#include "scenes/scenes.h"
#include "sinew/sinew.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Keyed animation: few keys keep a motion within what was asked, measured by forward kinematics at frames; from joints to
// handles and back; files.

#define RATE 60.0

typedef struct Stage {
    scene_Scene *scene;
    const sinew_Skeleton *skeleton;
    sinew_Clip *clip;
    sinew_SwitchLimb limbs[SINEW_MAX_SWITCH_LIMBS];
    int limb_count;
    sinew_Keys *keys;
    sinew_Switch *sw;
    double *q;
    sinew_Transform *is, *should;
} Stage;

// limbs, keys and a switch for the skeleton
static void furnish(Stage *stage)
{
    sinew_RoleGuess *roles;
    TEST_OK(sinew_roles_guess(stage->skeleton, NULL, NULL, &roles, NULL), NULL);
    stage->limb_count = sinew_switch_find_limbs(
        stage->skeleton, roles, stage->limbs, SINEW_MAX_SWITCH_LIMBS);
    sinew_roles_destroy(roles);
    TEST_OK(sinew_keys_create(
                stage->skeleton, stage->limbs, stage->limb_count, NULL, &stage->keys, NULL),
        NULL);
    sinew_SwitchDef def = sinew_switch_def_default();
    def.skeleton = stage->skeleton;
    def.limbs = stage->limbs;
    def.limb_count = stage->limb_count;
    if (stage->limb_count > 0) { TEST_OK(sinew_switch_create(&def, &stage->sw, NULL), NULL); }
    size_t joints = (size_t)sinew_skeleton_joint_count(stage->skeleton);
    stage->q = malloc((size_t)sinew_skeleton_coordinate_count(stage->skeleton) * sizeof(double));
    stage->is = malloc(joints * sizeof(sinew_Transform));
    stage->should = malloc(joints * sizeof(sinew_Transform));
}

static void clear_away(Stage *stage)
{
    sinew_keys_destroy(stage->keys);
    sinew_switch_destroy(stage->sw);
    free(stage->q);
    free(stage->is);
    free(stage->should);
}

static Stage open_stage(const char *name, int frames)
{
    Stage stage;
    memset(&stage, 0, sizeof stage);
    TEST_OK(scene_create(name, NULL, &stage.scene, NULL), NULL);
    stage.skeleton = stage.scene->skeleton;
    TEST_OK(sinew_clip_create(stage.skeleton, frames, 1.0 / RATE, NULL, &stage.clip), NULL);
    for (int f = 0; f < frames; ++f) {
        scene_pose_at(stage.scene, f / RATE, sinew_clip_frame(stage.clip, f));
    }
    furnish(&stage);
    return stage;
}

static void close_stage(Stage *stage)
{
    clear_away(stage);
    sinew_clip_destroy(stage->clip);
    scene_destroy(stage->scene);
}

// the farthest that any joint of a pose is from where the clip has it at a frame
static double deviation(Stage *stage, const double *q, int frame)
{
    double most = 0.0;
    sinew_pose_forward(stage->skeleton, q, stage->is);
    sinew_pose_forward(stage->skeleton, sinew_clip_frame_const(stage->clip, frame), stage->should);
    for (int j = 0; j < sinew_skeleton_joint_count(stage->skeleton); ++j) {
        most = fmax(most, sinew_vec3_distance(stage->is[j].position, stage->should[j].position));
    }
    return most;
}

static void few_keys_keep_a_motion(void **state)
{
    (void)state;
    const char *names[] = { "MAN18", "SPIDER", "HAND" };
    for (int n = 0; n < 3; ++n) {
        Stage stage = open_stage(names[n], 240);
        const double distances[] = { 5e-3, 2e-3, 1e-4 };
        int last_keys = 0;
        for (int i = 0; i < 3; ++i) {
            sinew_KeysTolerance tolerance = { distances[i], 10.0 * distances[i] };
            sinew_KeysFigures figures;
            TEST_OK(sinew_keys_from_clip(stage.keys, stage.clip, &tolerance, &figures, NULL), NULL);
            double most = 0.0;
            for (int f = 0; f < 240; ++f) {
                sinew_keys_sample(stage.keys, f / RATE, stage.q);
                most = fmax(most, deviation(&stage, stage.q, f));
            }
            print_message("%s within %g mm: %d keys, %.1f frames for each, %.4f mm off\n", names[n],
                1e3 * distances[i], figures.keys, figures.frames_per_key, 1e3 * most);
            TEST_TRUE(most <= distances[i]);
            TEST_TRUE(most <= figures.distance + 1e-12);
            TEST_TRUE(figures.keys > last_keys);
            last_keys = figures.keys;
        }
        close_stage(&stage);
    }
}

// hinges without limits that pass half a turn, each at its own pace, and quaternions of either sign: the numbers jump,
// the motion does not, and keys are as few as without the jumps
static void jumps_of_numbers_are_no_motion(void **state)
{
    (void)state;
    enum { FRAMES = 121 };
    const sinew_Vec3 along[3] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 } };
    sinew_Axis hinges[3], ball = sinew_axis_ball();
    sinew_JointDef joints[3];
    const char *const names[3] = { "turns", "rolls", "end" };
    for (int j = 0; j < 3; ++j) {
        hinges[j] = sinew_axis_hinge(along[j], -INFINITY, INFINITY);
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.0, j > 0 ? 0.3 : 0.0, 0.0);
    }
    joints[0].axes = hinges;
    joints[0].axis_count = 3;
    joints[1].axes = &ball;
    joints[1].axis_count = 1;
    sinew_Skeleton *skeleton;
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, NULL), NULL);
    int counts[2];
    for (int jumps = 0; jumps < 2; ++jumps) {
        sinew_Clip *clip;
        TEST_OK(sinew_clip_create(skeleton, FRAMES, 1.0 / RATE, NULL, &clip), NULL);
        for (int f = 0; f < FRAMES; ++f) {
            double *q = sinew_clip_frame(clip, f), sign = jumps && f % 2 == 1 ? -1.0 : 1.0;
            for (int k = 0; k < 3; ++k) {
                q[k] = 0.03 * (k + 2) * f;
                if (jumps) { q[k] = remainder(q[k], 2.0 * SINEW_PI); }
            }
            sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.02 * f);
            q[3] = sign * turn.x, q[4] = sign * turn.y, q[5] = sign * turn.z, q[6] = sign * turn.w;
        }
        sinew_Keys *keys;
        sinew_KeysFigures figures;
        TEST_OK(sinew_keys_create(skeleton, NULL, 0, NULL, &keys, NULL), NULL);
        TEST_OK(sinew_keys_from_clip(keys, clip, NULL, &figures, NULL), NULL);
        TEST_TRUE(figures.distance <= 2e-3);
        counts[jumps] = figures.keys;
        sinew_keys_destroy(keys);
        sinew_clip_destroy(clip);
    }
    print_message("%d keys, %d of numbers that jump\n", counts[0], counts[1]);
    TEST_INT(counts[1], counts[0]);
    sinew_skeleton_destroy(skeleton);
}

// recorded walks at 120 frames per second: at most one key for five frames of a channel
static void recorded_walks_need_few_keys(void **state)
{
    (void)state;
    const char *files[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/cmu_12_03_mb.bvh",
        "bvh/mass_walk.bvh" };
    for (int i = 0; i < 3; ++i) {
        const char *path = data_path(files[i]);
        if (path == NULL) { skip(); }
        sinew_ReadOptions options = sinew_read_options_default();
        sinew_MotionFile *file;
        TEST_OK(sinew_motion_read(path, &options, &file, NULL), NULL);
        sinew_Keys *keys;
        TEST_OK(sinew_keys_create(sinew_motion_skeleton(file), NULL, 0, NULL, &keys, NULL), NULL);
        sinew_KeysFigures figures;
        TEST_OK(sinew_keys_from_clip(keys, sinew_motion_clip(file), NULL, &figures, NULL), NULL);
        print_message("%s: %.1f frames for each key, %.3f mm\n", files[i], figures.frames_per_key,
            1e3 * figures.distance);
        TEST_TRUE(figures.frames_per_key >= 5.0);
        TEST_TRUE(figures.distance <= 2e-3);
        TEST_TRUE(figures.angle <= 2e-2);
        sinew_keys_destroy(keys);
        sinew_motion_destroy(file);
    }
}

// SW-2, SW-3: a range of joints becomes handles, and joints again; the hand is where it was, and nothing pops at the ends
static void ranges_go_to_ik_and_back(void **state)
{
    (void)state;
    Stage stage = open_stage("MAN18", 240);
    sinew_KeysTolerance tolerance = { 5e-4, 5e-3 };
    sinew_KeysFigures figures;
    for (int limb = 0; limb < stage.limb_count; ++limb) {
        TEST_OK(sinew_keys_from_clip(stage.keys, stage.clip, &tolerance, &figures, NULL), NULL);
        TEST_OK(
            sinew_keys_to_ik(stage.keys, limb, 1.0, 3.0, RATE, &tolerance, &figures, NULL), NULL);
        TEST_TRUE(figures.distance <= tolerance.distance);
        for (int back = 0; back < 2; ++back) {
            double most = 0.0;
            int tip = stage.limbs[limb].tip;
            for (int f = 0; f < 240; ++f) {
                TEST_OK(sinew_keys_apply(stage.keys, f / RATE, stage.sw, 1.0 / RATE, NULL), NULL);
                bool ik = sinew_switch_blend(stage.sw, limb) == 1.0;
                TEST_INT(ik, back == 0 && f >= 60 && f < 180);
                (void)deviation(&stage, sinew_switch_pose(stage.sw), f);
                most = fmax(
                    most, sinew_vec3_distance(stage.is[tip].position, stage.should[tip].position));
            }
            print_message(
                "limb %d, %s: tip %.3f mm off\n", limb, back ? "back in FK" : "in IK", 1e3 * most);
            TEST_TRUE(most <= 3.0 * tolerance.distance);
            if (back == 0) {
                TEST_OK(
                    sinew_keys_to_fk(stage.keys, limb, 1.0, 3.0, RATE, &tolerance, &figures, NULL),
                    NULL);
            }
        }
    }
    close_stage(&stage);
}

// limbs of recorded people, some of them nearly straight: in IK, and when they are back, no joint of the limb nor anything that
// hangs on it is farther from where the joints' own keys have it than was asked; at every frame of the motion
static void keyed_limbs_stay_near_their_joints(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double from, to;
    } cases[] = { { "bvh/mass_walk.bvh", 0.1, 0.6 }, { "bvh/mass_walk.bvh", 0.2, 0.7 },
        { "bvh/bandai_2_run_normal_004.bvh", 0.5, 1.5 },
        { "bvh/bandai_2_walk_normal_003.bvh", 2.0, 4.0 }, { "bvh/bvhtoolbox_walk01.bvh", 1.0, 3.0 },
        { "bvh/cmu_12_01_walk_mb.bvh", 1.0, 2.5 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const char *path = data_path(cases[i].file);
        if (path == NULL) { skip(); }
        sinew_MotionFile *file;
        TEST_OK(sinew_motion_read(path, NULL, &file, NULL), NULL);
        const sinew_Clip *clip = sinew_motion_clip(file);
        Stage stage;
        memset(&stage, 0, sizeof stage);
        stage.skeleton = sinew_motion_skeleton(file);
        furnish(&stage);
        double frame_time = sinew_clip_frame_time(clip), most = 0.0;
        sinew_KeysTolerance tolerance = sinew_keys_tolerance_default();
        for (int limb = 0; limb < stage.limb_count; ++limb) {
            if (stage.limbs[limb].middle < 0) { continue; }
            sinew_KeysFigures figures;
            TEST_OK(sinew_keys_from_clip(stage.keys, clip, &tolerance, NULL, NULL), NULL);
            TEST_OK(sinew_keys_to_ik(stage.keys, limb, cases[i].from, cases[i].to, 1.0 / frame_time,
                        &tolerance, &figures, NULL),
                NULL);
            TEST_TRUE(figures.distance <= tolerance.distance);
            TEST_TRUE(figures.angle <= tolerance.angle);
            const sinew_Joint *joints = sinew_skeleton_joints(stage.skeleton);
            int root = stage.limbs[limb].root, end = root + joints[root].subtree_count;
            for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
                TEST_OK(
                    sinew_keys_apply(stage.keys, f * frame_time, stage.sw, frame_time, NULL), NULL);
                sinew_keys_sample(stage.keys, f * frame_time, stage.q);
                sinew_pose_forward(stage.skeleton, stage.q, stage.should);
                sinew_pose_forward(stage.skeleton, sinew_switch_pose(stage.sw), stage.is);
                for (int j = root; j < end; ++j) {
                    most = fmax(
                        most, sinew_vec3_distance(stage.is[j].position, stage.should[j].position));
                }
            }
        }
        print_message("%s: %.3f mm off its joints' keys\n", cases[i].file, 1e3 * most);
        TEST_TRUE(most <= tolerance.distance);
        clear_away(&stage);
        sinew_motion_destroy(file);
    }
}

static void files_keep_every_number(void **state)
{
    (void)state;
    Stage stage = open_stage("MAN18", 120);
    TEST_OK(sinew_keys_from_clip(stage.keys, stage.clip, NULL, NULL, NULL), NULL);
    TEST_OK(sinew_keys_to_ik(stage.keys, 0, 0.5, 1.5, RATE, NULL, NULL, NULL), NULL);
    const char *path = test_temp_path("man.keys.json");
    sinew_Message message;
    TEST_OK(sinew_keys_write(path, stage.keys, &message), &message);
    sinew_Keys *read;
    TEST_OK(
        sinew_keys_create(stage.skeleton, stage.limbs, stage.limb_count, NULL, &read, NULL), NULL);
    TEST_OK(sinew_keys_read(path, read, &message), &message);
    TEST_INT(sinew_keys_channel_count(read), sinew_keys_channel_count(stage.keys));
    for (int i = 0; i < sinew_keys_channel_count(read); ++i) {
        sinew_Channel a = sinew_keys_channel(read, i), b = sinew_keys_channel(stage.keys, i);
        TEST_INT(a.kind, b.kind);
        TEST_INT(a.index, b.index);
        TEST_INT(a.key_count, b.key_count);
        TEST_INT(a.interpolation, b.interpolation);
        size_t values = (size_t)a.key_count * (size_t)a.width;
        TEST_ARRAY_NEAR(a.times, b.times, a.key_count, 0.0);
        TEST_ARRAY_NEAR(a.values, b.values, (int)values, 0.0);
        if (b.slopes != NULL) { TEST_ARRAY_NEAR(a.slopes, b.slopes, (int)(2 * values), 0.0); }
    }

    // broken files say where and what
    static const struct {
        const char *text, *said;
    } broken[] = {
        { "{}", "expected \"sinew_keys\": 1" },
        { "{\"sinew_keys\": 1}", "a list \"channels\"" },
        { "{\"sinew_keys\": 1, \"channels\": [{\"joint\": \"Nose\"}]}", "a joint's name" },
        { "{\"sinew_keys\": 1, \"channels\": [{\"limb\": 99, \"what\": \"pole\"}]}", "\"limb\"" },
        { "{\"sinew_keys\": 1, \"channels\": [{\"joint\": \"Neck\"}]}", "\"interpolation\"" },
        { "{\"sinew_keys\": 1, \"channels\": [{\"joint\": \"Neck\", \"interpolation\": \"linear\","
          "\"times\": [0, 1], \"values\": [1, 2, 3]}]}",
            "3 values for each time" },
        { "{\"sinew_keys\": 1, \"channels\": [{\"joint\": \"Neck\", \"interpolation\": \"stepped\","
          "\"times\": [1, 1], \"values\": [1, 2, 3, 4, 5, 6]}]}",
            "later than the one before" },
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        TEST_INT(sinew_keys_read_memory(
                     broken[i].text, strlen(broken[i].text), "broken", read, &message),
            SINEW_STATUS_BAD_FILE);
        if (strstr(message.text, broken[i].said) == NULL) { print_message("%s\n", message.text); }
        TEST_TRUE(strstr(message.text, broken[i].said) != NULL);
    }
    sinew_keys_destroy(read);
    close_stage(&stage);
}

static void broken_calls_are_refused(void **state)
{
    (void)state;
    Stage stage = open_stage("MAN18", 30);
    const sinew_Status bad = SINEW_STATUS_INVALID_ARGUMENT;
    sinew_KeysTolerance none = { 0.0, 1.0 };
    TEST_INT(sinew_keys_from_clip(stage.keys, stage.clip, &none, NULL, NULL), bad);
    TEST_INT(sinew_keys_from_clip(NULL, stage.clip, NULL, NULL, NULL), bad);
    TEST_INT(sinew_keys_to_ik(stage.keys, 99, 0.0, 1.0, RATE, NULL, NULL, NULL), bad);
    TEST_INT(sinew_keys_to_ik(stage.keys, 0, 1.0, 1.0, RATE, NULL, NULL, NULL), bad);
    TEST_INT(sinew_keys_to_fk(stage.keys, 0, 0.0, NAN, RATE, NULL, NULL, NULL), bad);
    TEST_INT(sinew_keys_to_fk(stage.keys, 0, 0.0, 1.0, 0.0, NULL, NULL, NULL), bad);
    TEST_INT(sinew_keys_apply(stage.keys, NAN, stage.sw, 0.1, NULL), bad);
    double times[] = { 0.0, 1.0 }, values[] = { 0.0, NAN };
    sinew_Channel channel = { SINEW_CHANNEL_ROLL, 0, 1, SINEW_INTERPOLATION_LINEAR, 2, times,
        values, NULL };
    TEST_INT(sinew_keys_set_channel(stage.keys, &channel, NULL), bad);
    values[1] = 1.0;
    channel.width = 2;
    TEST_INT(sinew_keys_set_channel(stage.keys, &channel, NULL), bad);
    channel.width = 1;
    TEST_OK(sinew_keys_set_channel(stage.keys, &channel, NULL), NULL);
    TEST_INT(sinew_keys_channel_count(stage.keys), 1);
    // what is wrong is said, and a quaternion of no length is no turn
    sinew_Message message = { "" };
    channel.interpolation = (sinew_Interpolation)9;
    TEST_INT(sinew_keys_set_channel(stage.keys, &channel, &message), bad);
    TEST_TRUE(strstr(message.text, "interpolation 9, want 0..") != NULL);
    double toes[8] = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0 };
    sinew_Channel toe = { SINEW_CHANNEL_TOE, 0, 4, SINEW_INTERPOLATION_LINEAR, 2, times, toes,
        NULL };
    TEST_INT(sinew_keys_set_channel(stage.keys, &toe, &message), bad);
    TEST_TRUE(strcmp(message.text, "key 1 has a quaternion of length 0, want 1") == 0);
    toes[4] = 1.0;
    TEST_OK(sinew_keys_set_channel(stage.keys, &toe, &message), &message);
    close_stage(&stage);
}

TEST_MAIN(cmocka_unit_test(few_keys_keep_a_motion),
    cmocka_unit_test(jumps_of_numbers_are_no_motion),
    cmocka_unit_test(recorded_walks_need_few_keys), cmocka_unit_test(ranges_go_to_ik_and_back),
    cmocka_unit_test(keyed_limbs_stay_near_their_joints), cmocka_unit_test(files_keep_every_number),
    cmocka_unit_test(broken_calls_are_refused))
