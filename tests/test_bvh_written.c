// What sinew writes as BVH it reads back without being told anything: at its size, with its joints, and other
// programs find what they look for in it.

#include "sinew/sinew.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_JOINTS = 16 };

/// A body with a trunk, arms and two legs of a length, or an arm alone of that length; metres.
static sinew_Clip *make_body(bool has_legs, double leg, sinew_Skeleton **out_skeleton)
{
    static const struct {
        const char *name;
        int parent;
        double x, y;
    } man[] = { { "Hips", -1, 0.0, 1.0 }, { "Spine", 0, 0.0, 0.3 }, { "Head", 1, 0.0, 0.3 },
        { "LeftArm", 1, 0.2, 0.2 }, { "LeftHand", 3, 0.5, 0.0 }, { "RightArm", 1, -0.2, 0.2 },
        { "RightHand", 5, -0.5, 0.0 }, { "LeftUpLeg", 0, 0.1, 0.0 }, { "LeftLeg", 7, 0.0, -0.5 },
        { "LeftFoot", 8, 0.0, -0.5 }, { "RightUpLeg", 0, -0.1, 0.0 }, { "RightLeg", 10, 0.0, -0.5 },
        { "RightFoot", 11, 0.0, -0.5 } };
    sinew_JointDef defs[MOST_JOINTS];
    const sinew_Axis ball = sinew_axis_ball();
    const int count = has_legs ? 13 : 3;
    for (int j = 0; j < count; ++j) {
        defs[j] = sinew_joint_def_default();
        defs[j].name = man[j].name;
        defs[j].parent = man[j].parent;
        defs[j].offset = sinew_vec3(man[j].x * leg, man[j].y * leg, 0.0);
        defs[j].axes = &ball;
        defs[j].axis_count = 1;
    }
    sinew_Message message = { "" };
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_skeleton_create(defs, count, NULL, out_skeleton, &message), &message);
    TEST_OK(sinew_clip_create(*out_skeleton, 2, 0.0416667, NULL, &clip), &message);
    return clip;
}

static char *write_text(const sinew_Clip *clip, const sinew_WriteOptions *options)
{
    char *data = NULL;
    size_t size = 0;
    sinew_Message message = { "" };
    TEST_OK(
        sinew_motion_write_memory("x.bvh", clip, options, NULL, &data, &size, &message), &message);
    char *text = realloc(data, size + 1);
    TEST_TRUE(text != NULL);
    if (text != NULL) { text[size] = '\0'; }
    return text;
}

static sinew_MotionFile *read_text(const char *text, double unit)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file = NULL;
    sinew_Message message = { "" };
    options.unit = unit;
    TEST_OK(
        sinew_motion_read_memory(text, strlen(text), "x.bvh", &options, &file, &message), &message);
    return file;
}

static const char *frame_time_of(const char *text)
{
    const char *found = strstr(text, "Frame Time: ");
    TEST_TRUE(found != NULL);
    return found + strlen("Frame Time: ");
}

static void check_same_size(const sinew_Clip *clip, const sinew_MotionFile *file)
{
    const sinew_Skeleton *a = sinew_clip_skeleton(clip), *b = sinew_motion_skeleton(file);
    const double size = sinew_skeleton_size(a);
    TEST_INT(sinew_skeleton_joint_count(b), sinew_skeleton_joint_count(a));
    for (int j = 0; j < sinew_skeleton_joint_count(a); ++j) {
        TEST_VEC3_NEAR(
            sinew_skeleton_joints(b)[j].offset, sinew_skeleton_joints(a)[j].offset, 1e-9 * size);
    }
    TEST_TRUE(sinew_clip_frame_time(sinew_motion_clip(file)) == sinew_clip_frame_time(clip));
}

// bodies from a beetle to a giant and arms that are none, in the unit that is usual and in others
static void what_is_written_has_its_size(void **state)
{
    (void)state;
    static const double legs[] = { 0.004, 0.05, 0.2, 0.45, 0.8, 0.95, 1.3, 4.0, 9.0, 70.0 };
    static const double units[] = { 0.0, 1.0, 0.1, 0.001, 0.0254, 0.3048, 0.0254 / 0.45, 0.37, 3.0,
        1e-6 };
    for (int has_legs = 0; has_legs < 2; ++has_legs) {
        for (size_t i = 0; i < sizeof legs / sizeof legs[0]; ++i) {
            for (size_t u = 0; u < sizeof units / sizeof units[0]; ++u) {
                sinew_Skeleton *skeleton = NULL;
                sinew_Clip *clip = make_body(has_legs, legs[i], &skeleton);
                sinew_WriteOptions options = sinew_write_options_default();
                options.unit = units[u];
                char *text = write_text(clip, &options);
                sinew_MotionFile *file = read_text(text, 0.0);
                check_same_size(clip, file);
                // and once more, written like what was read
                options.unit = 0.0;
                options.like = file;
                char *again = write_text(sinew_motion_clip(file), &options);
                assert_string_equal(again, text);
                free(again);
                free(text);
                sinew_motion_destroy(file);
                sinew_clip_destroy(clip);
                sinew_skeleton_destroy(skeleton);
            }
        }
    }
}

// what people have is written as it ever was; what is told on reading is believed before any note
static void only_what_would_be_mistaken_is_noted(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = NULL;
    sinew_Clip *clip = make_body(true, 0.85, &skeleton);
    char *text = write_text(clip, NULL);
    TEST_TRUE(strncmp(frame_time_of(text), "0.0416667\n", 10) == 0);
    sinew_MotionFile *file = read_text(text, 0.0);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_GUESSED);
    TEST_NEAR(sinew_motion_unit(file), 0.01, 0.0);
    sinew_motion_destroy(file);
    free(text);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);

    clip = make_body(true, 0.2, &skeleton);
    text = write_text(clip, NULL);
    static const char noted[] = "0.041666700000000000000000000000"
                                "10000000000000\n";
    TEST_TRUE(strncmp(frame_time_of(text), noted, sizeof noted - 1) == 0);
    // the number is the same to everybody
    TEST_TRUE(strtod(frame_time_of(text), NULL) == 0.0416667);
    TEST_TRUE(strtof(frame_time_of(text), NULL) == 0.0416667F);
    file = read_text(text, 0.0);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_NOTED);
    TEST_NEAR(sinew_motion_unit(file), 0.01, 0.0);
    for (int i = 0; i < sinew_motion_warning_count(file); ++i) {
        TEST_TRUE(strncmp(sinew_motion_warning(file, i), "unit:", 5) != 0);
    }
    sinew_motion_destroy(file);
    file = read_text(text, 0.0254);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_GIVEN);
    TEST_NEAR(sinew_motion_unit(file), 0.0254, 0.0);
    sinew_motion_destroy(file);
    free(text);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// frame times of any kind can have the note, and long numbers of others are none
static void notes_are_told_from_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *time;
        double seconds, unit;
    } cases[] = {
        { "0.04", 0.04, 1.0 },
        { "1.00000000000000000000000000000010000000000000", 1.0, 0.01 },
        { "0.040000000000000000000000000000254000000000000", 0.04, 0.254 },
        { "2.50000000000000000000000000000010000000000000e-05", 2.5e-5, 0.01 },
        { "0.033333333333333333333333333333333333333333333", 0.033333333333333333, 1.0 },
        { "0.0333333333333333328707440640061976008300000000", 0.033333333333333333, 1.0 },
        { "0.500000000000000000000000000000", 0.5, 1.0 },
        { "0.50000000000000000000000000000000000000000000", 0.5, 1.0 },
        { "0.500000000000000000000000000000999999999999999999999999999999", 0.5, 1.0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[400];
        snprintf(text, sizeof text,
            "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 1\n"
            "Frame Time: %s\n",
            cases[i].time);
        sinew_MotionFile *file = read_text(text, 0.0);
        TEST_NEAR(sinew_motion_unit(file), cases[i].unit, 0.0);
        TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(file)), cases[i].seconds, 0.0);
        sinew_motion_destroy(file);
    }
    static const double times[] = { 1.0, 20.0, 1e-5, 1.2345678901234567e-6, 1.0 / 3.0, 86400.0 };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; ++i) {
        sinew_Skeleton *skeleton = NULL;
        sinew_Clip *body = make_body(true, 0.2, &skeleton), *clip = NULL;
        TEST_OK(sinew_clip_create(skeleton, 1, times[i], NULL, &clip), NULL);
        char *text = write_text(clip, NULL);
        sinew_MotionFile *file = read_text(text, 0.0);
        check_same_size(clip, file);
        sinew_motion_destroy(file);
        free(text);
        sinew_clip_destroy(clip);
        sinew_clip_destroy(body);
        sinew_skeleton_destroy(skeleton);
    }
}

static int count(const char *text, const char *word)
{
    int found = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; ++at) { ++found; }
    return found;
}

// many programs refuse a last joint without an End Site; those that sinew adds are no joints to it, and End Sites
// of others with zeros stay joints
static void last_joints_have_end_sites(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = NULL;
    sinew_Clip *clip = make_body(true, 0.85, &skeleton);
    char *text = write_text(clip, NULL);
    TEST_INT(count(text, "End Site\n"), 5); // head, hands and feet
    TEST_INT(count(text, "\t\tEnd Site\n"), 5);
    TEST_INT(count(text, "{"), count(text, "}"));
    TEST_INT(count(text, "CHANNELS 3"), 12);
    sinew_MotionFile *file = read_text(text, 0.0);
    check_same_size(clip, file);
    sinew_motion_destroy(file);
    free(text);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);

    file = read_text(
        "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "JOINT a\n{\nOFFSET 0 1 0\nEnd Site\n{\nOFFSET -0.0 -0.0 -0.0\n}\n}\n"
        "JOINT b\n{\nOFFSET 0 1 0\nEnd Site\n{\nOFFSET 0 0 0\n}\n"
        "End Site\n{\n\tOFFSET -0 -0 -0 \n}\n}\n"
        "JOINT c\n{\nOFFSET -0 -0 -0\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 1\n0 0 0\n",
        1.0);
    static const char *const names[] = { "r", "a", "a_end", "b", "b_end", "c" };
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), 6);
    for (int j = 0; j < 6; ++j) {
        assert_string_equal(sinew_skeleton_joints(sinew_motion_skeleton(file))[j].name, names[j]);
    }
    sinew_motion_destroy(file);
}

// Joints that cannot move have no channels, in the middle as at the end, and come back where they were. Hinges have three:
// Blender's reader knows none and all three rotations, and no joint between.
static void fixed_joints_have_no_channels(void **state)
{
    (void)state;
    static const char *const names[] = { "base", "arm", "flange", "wrist", "tool" };
    const sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -3.0, 3.0);
    sinew_JointDef joints[5];
    for (int j = 0; j < 5; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.1 * j, 0.5, 0.0);
        joints[j].axes = &hinge;
        joints[j].axis_count = j % 2;
    }
    sinew_Skeleton *skeleton = NULL;
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_skeleton_create(joints, 5, NULL, &skeleton, NULL), NULL);
    TEST_OK(sinew_clip_create(skeleton, 3, 0.04, NULL, &clip), NULL);
    for (int f = 0; f < 3; ++f) {
        double *q = sinew_clip_frame(clip, f);
        q[0] = 0.3 * f;
        q[1] = -0.5 * f;
    }
    char *text = write_text(clip, NULL);
    TEST_INT(count(text, "CHANNELS 0\n"), 2);
    TEST_INT(count(text, "CHANNELS 3 "), 2);
    TEST_INT(count(text, "CHANNELS"), 5);
    sinew_MotionFile *file = read_text(text, 0.0);
    const sinew_Skeleton *again = sinew_motion_skeleton(file);
    TEST_INT(sinew_skeleton_joint_count(again), 5);
    for (int f = 0; f < 3; ++f) {
        sinew_Transform before[5], after[5];
        sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, f), before);
        sinew_pose_forward(again, sinew_clip_frame_const(sinew_motion_clip(file), f), after);
        for (int j = 0; j < 5; ++j) {
            TEST_NEAR(sinew_vec3_distance(before[j].position, after[j].position), 0.0, 1e-7);
        }
    }
    sinew_motion_destroy(file);
    free(text);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void check_refused(const sinew_Clip *clip, double unit, const char *said)
{
    sinew_WriteOptions options = sinew_write_options_default();
    options.unit = unit;
    sinew_Message message = { "" };
    char *data = NULL;
    size_t size = 0;
    TEST_INT(sinew_motion_write_memory("x.bvh", clip, &options, NULL, &data, &size, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    if (strstr(message.text, said) == NULL) { fail_msg("found: %s", message.text); }
    TEST_TRUE(data == NULL && size == 0);
}

// offsets, positions, names and times that the reader refuses, each with what is wrong
static void what_cannot_be_read_is_not_written(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = NULL;
    sinew_Clip *clip = make_body(true, 2.0, &skeleton);
    check_refused(clip, 1e-9, "joint 0 (\"Hips\") is 2e+9");
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);

    char name[300] = "";
    memset(name, 'x', sizeof name - 1);
    const sinew_Axis slide = sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0));
    sinew_JointDef joint = sinew_joint_def_default();
    joint.axes = &slide;
    joint.axis_count = 1;
    for (int i = 0; i < 3; ++i) {
        joint.name = i == 0 ? name : "a";
        TEST_OK(sinew_skeleton_create(&joint, 1, NULL, &skeleton, NULL), NULL);
        TEST_OK(sinew_clip_create(skeleton, 2, i == 1 ? 1e-7 : 0.1, NULL, &clip), NULL);
        sinew_clip_frame(clip, 1)[0] = i == 2 ? 2.0e3 : 0.0;
        static const char *const said[] = { "a name of 299 bytes", "lasts 1e-7 s", "is 2e+9" };
        check_refused(clip, 1e-6, said[i]);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
}

// Position channels below the root are read as added to OFFSET or in its place, whichever keeps the bones longer alike.
// Hips whose way looks like the other one are where they were all the same.
static void hips_are_read_where_they_were(void **state)
{
    (void)state;
    int dropped = 0;
    for (int c = 0; c < 400; ++c) {
        test_Random random = test_case(93, c);
        sinew_Axis axes[4];
        sinew_JointDef defs[4];
        for (int i = 0; i < 3; ++i) {
            axes[i] = sinew_axis_slide(sinew_vec3(i == 0, i == 1, i == 2));
        }
        axes[3] = sinew_axis_ball();
        for (int j = 0; j < 4; ++j) {
            static const char *const names[] = { "Reference", "Hips", "Spine", "Head" };
            defs[j] = sinew_joint_def_default();
            defs[j].name = names[j];
            defs[j].parent = j - 1;
            defs[j].axes = j < 2 ? axes : axes + 3;
            defs[j].axis_count = j < 2 ? 4 : 1;
            if (j > 0) { defs[j].offset = sinew_vec3(0.0, 0.4, 0.0); }
        }
        // some stand far from the mark of the origin, where their recording began
        double far = test_int(&random, 2) ? 5.0 : 0.2;
        defs[1].offset = sinew_vec3(0.05, 0.9, test_range(&random, -far, far));
        sinew_Skeleton *skeleton = NULL;
        sinew_Clip *clip = NULL;
        TEST_OK(sinew_skeleton_create(defs, 4, NULL, &skeleton, NULL), NULL);
        TEST_OK(sinew_clip_create(skeleton, 12, 0.04, NULL, &clip), NULL);
        double begin = test_range(&random, -far, far);
        for (int f = 0; f < 12; ++f) {
            double *q = sinew_clip_frame(clip, f);
            sinew_pose_rest(skeleton, q);
            q[sinew_skeleton_joints(skeleton)[1].coordinate_start + 2] = begin + 0.05 * f;
        }
        sinew_WriteOptions options = sinew_write_options_default();
        char *text = write_text(clip, &options);
        sinew_MotionFile *file = read_text(text, 0.0), *again = NULL;
        // and once more in the layout of that file
        options.like = file;
        char *second = write_text(sinew_motion_clip(file), &options);
        again = read_text(second, 0.0);
        dropped += strstr(text, "Hips\n\t{\n\t\tOFFSET 0 0 0\n") != NULL ? 1 : 0;
        for (int f = 0; f < 12; ++f) {
            sinew_Vec3 at = sinew_pose_local(skeleton, sinew_clip_frame_const(clip, f), 1).position;
            const sinew_MotionFile *files[2] = { file, again };
            for (int i = 0; i < 2; ++i) {
                const sinew_Clip *read = sinew_motion_clip(files[i]);
                sinew_Vec3 found = sinew_pose_local(
                    sinew_clip_skeleton(read), sinew_clip_frame_const(read, f), 1)
                                       .position;
                TEST_NEAR(sinew_vec3_distance(at, found), 0.0, 1e-5);
            }
        }
        sinew_motion_destroy(again);
        sinew_motion_destroy(file);
        free(second);
        free(text);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(skeleton);
    }
    // the OFFSET stays where it is understood
    TEST_TRUE(dropped > 20 && dropped < 300);
}

TEST_MAIN(cmocka_unit_test(hips_are_read_where_they_were),
    cmocka_unit_test(what_is_written_has_its_size), cmocka_unit_test(fixed_joints_have_no_channels),
    cmocka_unit_test(only_what_would_be_mistaken_is_noted),
    cmocka_unit_test(notes_are_told_from_numbers), cmocka_unit_test(last_joints_have_end_sites),
    cmocka_unit_test(what_cannot_be_read_is_not_written))
