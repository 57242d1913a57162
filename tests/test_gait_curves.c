// Gait curves: of a walk whose joint angles are prescribed, and of recorded walks.

#include "testing.h"

#include "measure/gait_compare.h"
#include "sinew/file.h"
#include "walk/gait_curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degrees = 180.0 / SINEW_PI;

// ---------------------------------------------------------------------------------------------
// A walk by formula: hips that travel, thighs, knees and ankles that follow sines

enum { PERIOD_FRAMES = 120, FRAMES = 600 };

static sinew_Skeleton *make_skeleton(void)
{
    sinew_Axis root_axes[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_ball() };
    sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -3.0, 3.0);
    sinew_JointDef joints[10];
    static const char *const names[10] = { "Hips", "LeftUpLeg", "LeftLeg", "LeftFoot",
        "LeftToeBase", "RightUpLeg", "RightLeg", "RightFoot", "RightToeBase", "Spine" };
    static const int parents[10] = { -1, 0, 1, 2, 3, 0, 5, 6, 7, 0 };
    for (int j = 0; j < 10; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = parents[j];
        joints[j].axes = j == 0 ? root_axes : &hinge;
        joints[j].axis_count = j == 0 ? 4 : 1;
        int part = j == 0 || j == 9 ? 0 : (j - 1) % 4;
        if (part > 0) { joints[j].offset = sinew_vec3(0.0, part < 3 ? -0.45 : -0.07, 0.0); }
        if (part == 3) { joints[j].offset.z = 0.15; }
    }
    joints[1].offset = sinew_vec3(0.1, 0.0, 0.0);
    joints[5].offset = sinew_vec3(-0.1, 0.0, 0.0);
    joints[9].offset = sinew_vec3(0.0, 0.4, 0.0);
    sinew_Skeleton *skeleton;
    sinew_Message message;
    TEST_OK(sinew_skeleton_create(joints, 10, NULL, &skeleton, &message), &message);
    return skeleton;
}

/// Angles at a phase, degrees.
static double hip_at(double phase)
{
    return 8.0 + 25.0 * cos(2.0 * SINEW_PI * phase);
}
static double knee_at(double phase)
{
    return 30.0 + 25.0 * sin(2.0 * SINEW_PI * phase) + 4.0 * cos(4.0 * SINEW_PI * phase);
}
static double ankle_at(double phase)
{
    return 6.0 * sin(2.0 * SINEW_PI * phase - 0.5);
}

/// Walks in any direction; heading turns the whole body about the vertical.
static sinew_Clip *make_walk(const sinew_Skeleton *skeleton, double heading, double speed)
{
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, FRAMES, 0.01, NULL, &clip), NULL);
    for (int f = 0; f < FRAMES; ++f) {
        double *q = sinew_clip_frame(clip, f);
        double way = speed * f * 0.01;
        sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), heading);
        q[0] = way * sin(heading);
        q[1] = 0.9;
        q[2] = way * cos(heading);
        memcpy(&q[3], &turn, sizeof turn);
        for (int side = 0; side < 2; ++side) {
            double phase = (double)f / PERIOD_FRAMES + 0.5 * side;
            double *leg = &q[7 + 4 * side];
            leg[0] = -hip_at(phase) / degrees;
            leg[1] = knee_at(phase) / degrees;
            leg[2] = -ankle_at(phase) / degrees;
        }
    }
    return clip;
}

static snw_GaitBody find_body(const sinew_Skeleton *skeleton, const bool *is_end, const double *q)
{
    sinew_RoleOptions options = sinew_role_options_default();
    options.is_end_site = is_end;
    const sinew_PoseList motion = { q, 1 };
    options.motion = q != NULL ? &motion : NULL;
    sinew_RoleGuess *roles;
    sinew_Message message;
    TEST_OK(sinew_roles_guess(skeleton, &options, NULL, &roles, &message), &message);
    snw_GaitBody body;
    TEST_TRUE(snw_gait_body(skeleton, roles, roles->up, &body));
    sinew_roles_destroy(roles);
    return body;
}

static void prescribed_angles_come_back(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    snw_GaitBody body = find_body(skeleton, NULL, NULL);
    TEST_NEAR(body.leg_length, 0.97, 1e-9);
    for (int way = 0; way < 4; ++way) {
        sinew_Clip *clip = make_walk(skeleton, 1.7 * way, 1.2);
        snw_Gait gait;
        TEST_OK(snw_gait_read(clip, &body, 0.0, 100.0, NULL, &gait), NULL);
        TEST_TRUE(gait.stride_count >= 7);
        TEST_NEAR(gait.period, 0.01 * PERIOD_FRAMES, 0.005);
        TEST_NEAR(gait.speed, 1.2, 1e-6);
        TEST_NEAR(gait.stride, 1.2 * 1.2 / 0.97, 0.01);
        TEST_NEAR(gait.froude, 1.2 / sqrt(9.81 * 0.97), 1e-6);

        // the strike is somewhere; from there on the curves are those prescribed
        double best = 1e9;
        for (int k = 0; k < 400; ++k) {
            double worst = 0.0;
            for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
                double phase = k / 400.0 + (double)p / SNW_GAIT_POINTS;
                double hip = fabs(gait.curves[SNW_GAIT_HIP][p] - hip_at(phase));
                double knee = fabs(gait.curves[SNW_GAIT_KNEE][p] - knee_at(phase));
                worst = fmax(worst, fmax(hip, knee));
            }
            best = fmin(best, worst);
        }
        TEST_TRUE(best < 0.6);
        double high = -1e9, low = 1e9;
        for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
            // dorsiflexion is the foot against the shin, whose lean is hip less knee
            double pitch = gait.curves[SNW_GAIT_FOOT_PITCH][p] + gait.curves[SNW_GAIT_KNEE][p]
                - gait.curves[SNW_GAIT_HIP][p];
            TEST_NEAR(gait.curves[SNW_GAIT_ANKLE][p], pitch, 0.01);
            high = fmax(high, gait.curves[SNW_GAIT_ANKLE][p]);
            low = fmin(low, gait.curves[SNW_GAIT_ANKLE][p]);
        }
        TEST_NEAR(high - low, 12.0, 0.05);
        sinew_clip_destroy(clip);
    }
    sinew_skeleton_destroy(skeleton);
}

static void standing_has_no_strides(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    snw_GaitBody body = find_body(skeleton, NULL, NULL);
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, 100, 0.01, NULL, &clip), NULL);
    snw_Gait gait;
    TEST_OK(snw_gait_read(clip, &body, 0.0, 100.0, NULL, &gait), NULL);
    TEST_INT(gait.stride_count, 0);
    TEST_NEAR(gait.period, 0.0, 0.0);
    TEST_OK(snw_gait_read(clip, &body, 0.5, 0.5, NULL, &gait), NULL);
    TEST_INT(gait.stride_count, 0);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void memory_that_is_short_is_told_and_none_is_lost(void **state)
{
    (void)state;
    sinew_Skeleton *skeleton = make_skeleton();
    snw_GaitBody body = find_body(skeleton, NULL, NULL);
    sinew_Clip *clip = make_walk(skeleton, 0.0, 1.0);
    for (long fail = 1; fail < 100; ++fail) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail;
        snw_Gait gait;
        sinew_Status status = snw_gait_read(clip, &body, 0.0, 9.0, &memory.allocator, &gait);
        TEST_TRUE(memory.live_bytes == 0);
        TEST_TRUE(!memory.wrong_size);
        if (status == SINEW_STATUS_OK) {
            TEST_TRUE(fail > 5 && gait.stride_count > 0);
            break;
        }
        TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
        TEST_INT(gait.stride_count, 0);
    }
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

static void correlation_and_rms_of_known_curves(void **state)
{
    (void)state;
    double a[SNW_GAIT_POINTS], b[SNW_GAIT_POINTS], c[SNW_GAIT_POINTS], flat[SNW_GAIT_POINTS];
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        double angle = 2.0 * SINEW_PI * p / SNW_GAIT_POINTS;
        a[p] = 10.0 * sin(angle);
        b[p] = 3.0 + 20.0 * sin(angle);
        c[p] = -7.0 + 10.0 * cos(angle);
        flat[p] = 4.0;
    }
    TEST_NEAR(measure_gait_correlation(a, b), 1.0, 1e-12);
    TEST_NEAR(measure_gait_correlation(a, c), 0.0, 1e-12);
    TEST_NEAR(measure_gait_correlation(a, flat), 0.0, 0.0);
    TEST_NEAR(measure_gait_rms(a, b), 10.0 / sqrt(2.0), 1e-12);
    TEST_NEAR(measure_gait_rms(a, c), 10.0, 1e-12);
}

// ---------------------------------------------------------------------------------------------
// Recorded walks

static snw_Gait read_recording(const char *path, int *out_count)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file;
    sinew_Message message;
    TEST_OK(sinew_motion_read(path, &options, &file, &message), &message);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    int joint_count = sinew_skeleton_joint_count(skeleton);
    bool *is_end = calloc((size_t)joint_count, sizeof *is_end);
    assert_non_null(is_end);
    for (int j = 0; j < joint_count; ++j) { is_end[j] = sinew_motion_is_end_site(file, j); }
    snw_GaitBody body = find_body(skeleton, is_end, sinew_clip_frame_const(clip, 0));
    snw_Gait gait;
    TEST_OK(snw_gait_read(clip, &body, 0.0, 1e9, NULL, &gait), NULL);
    free(is_end);
    sinew_motion_destroy(file);
    ++*out_count;
    return gait;
}

/// Five recorded walks against figures that were taken from them by another program: speed over the
/// root of g times leg length, stride in leg lengths, period.
static void recorded_walks_have_their_known_figures(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double froude, stride, period;
    } clips[] = {
        { "bvh/cmu_12_01_walk_mb.bvh", 0.3194, 1.440, 1.285 },
        { "bvh/cmu_12_03_mb.bvh", 0.3035, 1.417, 1.347 },
        { "bvh/mass_walk.bvh", 0.4105, 1.533, 1.150 },
        { "bvh/bvhtoolbox_walk01.bvh", 0.454, 1.663, 1.139 },
        { "bvh/cmu_03_03_daz.bvh", 0.5394, 1.801, 0.9917 },
    };
    int count = 0;
    for (int i = 0; i < (int)(sizeof clips / sizeof clips[0]); ++i) {
        const char *path = data_path(clips[i].name);
        if (path == NULL) { skip(); }
        snw_Gait gait = read_recording(path, &count);
        TEST_TRUE(gait.strike_count >= 2);
        TEST_NEAR(gait.froude, clips[i].froude, 0.06 * clips[i].froude);
        TEST_NEAR(gait.stride, clips[i].stride, 0.08 * clips[i].stride);
        TEST_NEAR(gait.period, clips[i].period, 0.05 * clips[i].period);
        TEST_TRUE(gait.bounce > 0.015 && gait.bounce < 0.075);
    }
    TEST_INT(count, 5);
}

/// The same clips' curves, likewise; 2 % of a stride apart, at 0, 10, ... 90 %.
static void recorded_curves_are_those_known(void **state)
{
    (void)state;
    const char *table = data_path("../notes/gait/recorded_cycles.csv");
    if (table == NULL) { skip(); }
    static const struct {
        const char *name, *file;
        double least[3]; // correlation of hip, knee and ankle
        double rms[3];   // degrees
    } clips[] = {
        { "cmu_12_01_walk_mb", "bvh/cmu_12_01_walk_mb.bvh", { .997, .995, .99 },
            { 1.5, 2.5, 1.5 } },
        { "cmu_12_03_mb", "bvh/cmu_12_03_mb.bvh", { .995, .988, .98 }, { 2, 3, 2 } },
        { "mass_walk", "bvh/mass_walk.bvh", { .985, .985, .95 }, { 2, 3.5, 3.5 } },
        { "bvhtoolbox_walk01", "bvh/bvhtoolbox_walk01.bvh", { .995, .99, .975 }, { 1.5, 2, 2.5 } },
        { "cmu_03_03_daz", "bvh/cmu_03_03_daz.bvh", { .998, .998, .995 }, { 1, 1.2, 1.2 } },
    };
    static const char *const curves[3] = { "hip", "knee", "ank" };
    char known_path[1024];
    snprintf(known_path, sizeof known_path, "%s", table);
    int compared = 0, count = 0;
    for (int i = 0; i < (int)(sizeof clips / sizeof clips[0]); ++i) {
        const char *path = data_path(clips[i].file);
        if (path == NULL) { skip(); }
        snw_Gait gait = read_recording(path, &count);
        FILE *file = fopen(known_path, "r");
        assert_non_null(file);
        char line[4096];
        while (fgets(line, sizeof line, file) != NULL) {
            char *name = strtok(line, ","), *curve = strtok(NULL, ",");
            strtok(NULL, ",");
            if (name == NULL || curve == NULL || strcmp(name, clips[i].name) != 0) { continue; }
            for (int c = 0; c < 3; ++c) {
                if (strcmp(curve, curves[c]) != 0) { continue; }
                double known[SNW_GAIT_POINTS];
                for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
                    const char *number = strtok(NULL, ",");
                    assert_non_null(number);
                    known[p] = atof(number);
                }
                const double *read = gait.curves[SNW_GAIT_HIP + c];
                TEST_TRUE(measure_gait_correlation(read, known) >= clips[i].least[c]);
                TEST_TRUE(measure_gait_rms(read, known) <= clips[i].rms[c]);
                ++compared;
            }
        }
        fclose(file);
    }
    TEST_INT(compared, 15);
}

TEST_MAIN(cmocka_unit_test(prescribed_angles_come_back), cmocka_unit_test(standing_has_no_strides),
    cmocka_unit_test(memory_that_is_short_is_told_and_none_is_lost),
    cmocka_unit_test(correlation_and_rms_of_known_curves),
    cmocka_unit_test(recorded_walks_have_their_known_figures),
    cmocka_unit_test(recorded_curves_are_those_known))
