// Clips: creation, sampling, resampling.

#include "sinew/clip.h"
#include "testing.h"

#include <string.h>

// a free root with a ball, and a hinge below it
static sinew_Skeleton *make_skeleton(void)
{
    sinew_Axis root_axes[2] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)), sinew_axis_ball() };
    sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -3.0, 3.0);
    sinew_JointDef joints[2] = { sinew_joint_def_default(), sinew_joint_def_default() };
    joints[0].name = "root";
    joints[0].parent = -1;
    joints[0].axes = root_axes;
    joints[0].axis_count = 2;
    joints[1].name = "elbow";
    joints[1].parent = 0;
    joints[1].offset = sinew_vec3(0.0, 1.0, 0.0);
    joints[1].axes = &hinge;
    joints[1].axis_count = 1;
    sinew_Skeleton *skeleton;
    sinew_Message message;
    TEST_OK(sinew_skeleton_create(joints, 2, NULL, &skeleton, &message), &message);
    return skeleton;
}

#define WIDTH 6

static void fill(sinew_Clip *clip)
{
    for (int f = 0; f < sinew_clip_frame_count(clip); ++f) {
        double q[WIDTH] = { 0.5 * f, 0.0, 0.0, 0.0, 1.0, -0.25 * f };
        sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), 0.1 * f);
        // every other frame the same rotation with the other sign
        double sign = f % 2 == 0 ? 1.0 : -1.0;
        q[1] = sign * turn.x;
        q[2] = sign * turn.y;
        q[3] = sign * turn.z;
        q[4] = sign * turn.w;
        memcpy(sinew_clip_frame(clip, f), q, sizeof q);
    }
}

static void test_create(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    TEST_INT(sinew_skeleton_coordinate_count(skeleton), WIDTH);
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, 5, 0.01, NULL, &clip), NULL);
    TEST_TRUE(sinew_clip_skeleton(clip) == skeleton);
    TEST_INT(sinew_clip_frame_count(clip), 5);
    TEST_NEAR(sinew_clip_frame_time(clip), 0.01, 0.0);
    TEST_NEAR(sinew_clip_duration(clip), 0.04, 1e-17);
    double rest[WIDTH];
    sinew_pose_rest(skeleton, rest);
    for (int f = 0; f < 5; ++f) {
        TEST_ARRAY_NEAR(sinew_clip_frame_const(clip, f), rest, WIDTH, 0.0);
    }
    sinew_clip_destroy(clip);
    sinew_clip_destroy(NULL);

    TEST_INT(sinew_clip_create(NULL, 1, 0.01, NULL, &clip), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(clip == NULL);
    TEST_INT(sinew_clip_create(skeleton, -1, 0.01, NULL, &clip), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_clip_create(skeleton, 1, 0.0, NULL, &clip), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_clip_create(skeleton, 1, NAN, NULL, &clip), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_clip_create(skeleton, 1, INFINITY, NULL, &clip), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_clip_create(skeleton, 1000000000, 0.01, NULL, &clip), SINEW_STATUS_CAPACITY);
    sinew_skeleton_destroy(skeleton);
}

static void test_memory_failures(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    for (int n = 1; n <= 3; ++n) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        sinew_Clip *clip;
        sinew_Status status = sinew_clip_create(skeleton, 100, 0.01, &memory.allocator, &clip);
        TEST_INT(status, n <= 2 ? SINEW_STATUS_OUT_OF_MEMORY : SINEW_STATUS_OK);
        sinew_clip_destroy(clip);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
    }
    sinew_skeleton_destroy(skeleton);
}

static void test_sample(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, 4, 0.1, NULL, &clip), NULL);
    fill(clip);
    double q[WIDTH];
    // frames themselves, bit by bit
    for (int f = 0; f < 4; ++f) {
        sinew_clip_sample(clip, f * 0.1, q);
        TEST_ARRAY_NEAR(q, sinew_clip_frame_const(clip, f), WIDTH, 0.0);
    }
    // between: straight, and the shorter arc though the signs differ
    sinew_clip_sample(clip, 0.125, q);
    TEST_NEAR(q[0], 0.625, 1e-12);
    TEST_NEAR(q[5], -0.3125, 1e-12);
    sinew_Quat got = { q[1], q[2], q[3], q[4] };
    TEST_QUAT_NEAR(got, sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), 0.125), 1e-12);
    // cropped to the clip
    sinew_clip_sample(clip, -5.0, q);
    TEST_ARRAY_NEAR(q, sinew_clip_frame_const(clip, 0), WIDTH, 0.0);
    sinew_clip_sample(clip, 99.0, q);
    TEST_ARRAY_NEAR(q, sinew_clip_frame_const(clip, 3), WIDTH, 0.0);
    sinew_clip_sample(clip, NAN, q);
    TEST_ARRAY_NEAR(q, sinew_clip_frame_const(clip, 0), WIDTH, 0.0);
    sinew_clip_destroy(clip);

    // nothing to sample: the rest pose
    TEST_OK(sinew_clip_create(skeleton, 0, 0.1, NULL, &clip), NULL);
    TEST_NEAR(sinew_clip_duration(clip), 0.0, 0.0);
    double rest[WIDTH];
    sinew_pose_rest(skeleton, rest);
    sinew_clip_sample(clip, 0.3, q);
    TEST_ARRAY_NEAR(q, rest, WIDTH, 0.0);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void test_resample(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *clip, *other;
    TEST_OK(sinew_clip_create(skeleton, 2752, 0.0083333, NULL, &clip), NULL);
    fill(clip);

    // the same rate copies
    TEST_OK(sinew_clip_resample(clip, 0.0083333, NULL, &other), NULL);
    TEST_INT(sinew_clip_frame_count(other), 2752);
    for (int f = 0; f < 2752; ++f) {
        TEST_ARRAY_NEAR(
            sinew_clip_frame_const(other, f), sinew_clip_frame_const(clip, f), WIDTH, 0.0);
    }
    sinew_clip_destroy(other);

    // a frame time that was rounded in the file loses no frame
    TEST_OK(sinew_clip_resample(clip, 1.0 / 120.0, NULL, &other), NULL);
    TEST_INT(sinew_clip_frame_count(other), 2752);
    sinew_clip_destroy(other);

    // twice as fast and back
    TEST_OK(sinew_clip_resample(clip, 0.0083333 / 2.0, NULL, &other), NULL);
    TEST_INT(sinew_clip_frame_count(other), 2 * 2751 + 1);
    TEST_NEAR(sinew_clip_duration(other), sinew_clip_duration(clip), 1e-12);
    TEST_NEAR(sinew_clip_frame_const(other, 2001)[0], 0.5 * 1000.5, 1e-9);
    for (int f = 0; f < 2752; ++f) {
        TEST_NEAR(
            sinew_clip_frame_const(other, 2 * f)[5], sinew_clip_frame_const(clip, f)[5], 1e-9);
    }
    sinew_clip_destroy(other);

    // slower than the clip is long: the first frame is left
    TEST_OK(sinew_clip_resample(clip, 1000.0, NULL, &other), NULL);
    TEST_INT(sinew_clip_frame_count(other), 1);
    TEST_ARRAY_NEAR(sinew_clip_frame_const(other, 0), sinew_clip_frame_const(clip, 0), WIDTH, 0.0);
    sinew_clip_destroy(other);

    TEST_INT(sinew_clip_resample(clip, 0.0, NULL, &other), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(other == NULL);
    TEST_INT(sinew_clip_resample(clip, 1e-12, NULL, &other), SINEW_STATUS_CAPACITY);
    TEST_INT(sinew_clip_resample(NULL, 0.1, NULL, &other), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_clip_destroy(clip);
    TEST_OK(sinew_clip_create(skeleton, 0, 0.1, NULL, &clip), NULL);
    TEST_OK(sinew_clip_resample(clip, 0.05, NULL, &other), NULL);
    TEST_INT(sinew_clip_frame_count(other), 0);
    sinew_clip_destroy(other);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(test_create), cmocka_unit_test(test_memory_failures),
    cmocka_unit_test(test_sample), cmocka_unit_test(test_resample))
