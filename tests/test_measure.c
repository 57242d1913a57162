// Measures of motions: speed, shaking, flips, differences, height.

#include "testing.h"

#include "math/select.h"
#include "measure/motion_meter.h"

#include <stdlib.h>

/// A hinge about X at the root, a ball above it, and a fixed end; bones of 1 m and 0.5 m along Y.
static sinew_Skeleton *make_skeleton(void)
{
    sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -10.0, 10.0);
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[3] = { sinew_joint_def_default(), sinew_joint_def_default(),
        sinew_joint_def_default() };
    joints[0].name = "root";
    joints[0].parent = -1;
    joints[0].axes = &hinge;
    joints[0].axis_count = 1;
    joints[1].name = "middle";
    joints[1].parent = 0;
    joints[1].offset = sinew_vec3(0.0, 1.0, 0.0);
    joints[1].axes = &ball;
    joints[1].axis_count = 1;
    joints[2].name = "end";
    joints[2].parent = 1;
    joints[2].offset = sinew_vec3(0.0, 0.5, 0.0);
    sinew_Skeleton *skeleton;
    sinew_Message message;
    TEST_OK(sinew_skeleton_create(joints, 3, NULL, &skeleton, &message), &message);
    return skeleton;
}

static sinew_Clip *make_clip(const sinew_Skeleton *skeleton, int frame_count)
{
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, frame_count, 0.01, NULL, &clip), NULL);
    return clip;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void select_finds_what_sorting_finds(void **state)
{
    (void)state;
    for (int i = 0; i < 500; ++i) {
        test_Random random = test_case(31, i);
        double values[64], sorted[64];
        int count = 1 + test_int(&random, 64), different = 1 + test_int(&random, 40);
        for (int k = 0; k < count; ++k) { values[k] = sorted[k] = test_int(&random, different); }
        qsort(sorted, (size_t)count, sizeof *sorted, compare);
        size_t index = (size_t)test_int(&random, count);
        TEST_NEAR(snw_select(values, (size_t)count, index), sorted[index], 0.0);
    }
}

static void speed_is_the_fastest_turn(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *clip = make_clip(skeleton, 20);
    for (int f = 0; f < 20; ++f) {
        // the hinge turns evenly; the ball once, 0.3 rad in frame 7, with its sign turned over
        double *q = sinew_clip_frame(clip, f);
        q[0] = 0.1 * f;
        sinew_Quat ball = sinew_quat_from_axis_angle(sinew_vec3(0.0, 0.0, 1.0), f < 7 ? 0.2 : 0.5);
        double sign = f % 2 == 0 ? 1.0 : -1.0;
        q[1] = sign * ball.x;
        q[2] = sign * ball.y;
        q[3] = sign * ball.z;
        q[4] = sign * ball.w;
    }
    measure_Motion measure;
    TEST_OK(measure_motion(clip, NULL, &measure), NULL);
    TEST_NEAR(measure.max_joint_speed, 30.0, 1e-9);
    TEST_INT(measure.fastest_joint, 1);
    TEST_INT(measure.fastest_frame, 7);
    TEST_INT(measure.flip_count, 0);
    TEST_INT(measure.flip_joint, -1);
    // 36 changes, two of them of 0.3 rad: the 99th percentile
    TEST_NEAR(measure.jitter, 0.3, 1e-9);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void shaking_is_seen_and_even_motion_is_not(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *clip = make_clip(skeleton, 1000);
    measure_Motion even, shaken;
    test_Random random = test_random(5);
    for (int f = 0; f < 1000; ++f) { sinew_clip_frame(clip, f)[0] = 0.002 * f; }
    TEST_OK(measure_motion(clip, NULL, &even), NULL);
    for (int f = 0; f < 1000; ++f) {
        sinew_clip_frame(clip, f)[0] += test_range(&random, -1e-3, 1e-3);
    }
    TEST_OK(measure_motion(clip, NULL, &shaken), NULL);
    TEST_TRUE(even.jitter < 1e-12);
    TEST_TRUE(shaken.jitter > 1e-3 && shaken.jitter < 4e-3);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void flips_are_counted(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *clip = make_clip(skeleton, 10);
    for (int f = 4; f < 10; ++f) { sinew_clip_frame(clip, f)[0] = 3.0; }
    measure_Motion measure;
    TEST_OK(measure_motion(clip, NULL, &measure), NULL);
    TEST_INT(measure.flip_count, 1);
    TEST_INT(measure.flip_joint, 0);
    TEST_INT(measure.flip_frame, 4);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void short_clips_are_measured(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    for (int frames = 0; frames < 3; ++frames) {
        sinew_Clip *clip = make_clip(skeleton, frames);
        measure_Motion measure;
        double height = 0.0;
        TEST_OK(measure_motion(clip, NULL, &measure), NULL);
        TEST_NEAR(measure.max_joint_speed, 0.0, 0.0);
        TEST_NEAR(measure.jitter, 0.0, 0.0);
        TEST_INT(measure.fastest_joint, -1);
        TEST_OK(measure_height(clip, NULL, &height), NULL);
        TEST_NEAR(height, 1.5, 1e-12);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

static void differences_are_those_of_joints(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *a = make_clip(skeleton, 4), *b = make_clip(skeleton, 4);
    double mean = 1.0, largest = 1.0, distance = 1.0;
    TEST_OK(measure_rotation_error(a, b, NULL, &mean, &largest), NULL);
    TEST_NEAR(mean, 0.0, 1e-12);
    TEST_NEAR(largest, 0.0, 1e-12);

    // one frame turned by 0.4 at the root: both turning joints, one of four frames
    sinew_clip_frame(b, 2)[0] = 0.4;
    TEST_OK(measure_rotation_error(a, b, NULL, &mean, &largest), NULL);
    TEST_NEAR(mean, 0.1, 1e-9);
    TEST_NEAR(largest, 0.4, 1e-9);
    TEST_OK(measure_position_error(a, b, NULL, &distance), NULL);
    TEST_NEAR(distance, 3.0 * sin(0.2), 1e-12);
    sinew_clip_destroy(a);
    sinew_clip_destroy(b);
    sinew_skeleton_destroy(skeleton);
}

static void joints_that_travel_and_turn_are_told(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    TEST_TRUE(!measure_joint_travels(skeleton, 0));
    TEST_TRUE(measure_joint_travels(skeleton, 1));
    TEST_TRUE(measure_joint_travels(skeleton, 2));
    TEST_TRUE(measure_joint_turns(skeleton, 0));
    TEST_TRUE(measure_joint_turns(skeleton, 1));
    TEST_TRUE(!measure_joint_turns(skeleton, 2));
    sinew_skeleton_destroy(skeleton);
}

static void lost_memory_is_told_and_given_back(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    sinew_Clip *clip = make_clip(skeleton, 5);
    for (long fail_at = 1; fail_at <= 3; ++fail_at) {
        test_Memory memory;
        measure_Motion measure;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        TEST_INT(measure_motion(clip, &memory.allocator, &measure), SINEW_STATUS_OUT_OF_MEMORY);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
    }
    for (long fail_at = 1; fail_at <= 2; ++fail_at) {
        test_Memory memory;
        double mean, largest;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        TEST_INT(measure_rotation_error(clip, clip, &memory.allocator, &mean, &largest),
            SINEW_STATUS_OUT_OF_MEMORY);
        TEST_INT((long long)memory.live_bytes, 0);
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

TEST_MAIN(cmocka_unit_test(select_finds_what_sorting_finds),
    cmocka_unit_test(speed_is_the_fastest_turn),
    cmocka_unit_test(shaking_is_seen_and_even_motion_is_not), cmocka_unit_test(flips_are_counted),
    cmocka_unit_test(short_clips_are_measured), cmocka_unit_test(differences_are_those_of_joints),
    cmocka_unit_test(joints_that_travel_and_turn_are_told),
    cmocka_unit_test(lost_memory_is_told_and_given_back))
