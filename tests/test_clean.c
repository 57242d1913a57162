// Cleaning recorded motion: slides before and after by a reader, kinematics and contacts of their own; planted
// spikes; nothing told gets worse.

#include "feet_truth.h"

#include "sinew/clean.h"

static const char *const captures[] = { "bvh/cmu_12_01_walk_mb.bvh", "bvh/cmu_01_01_mb.bvh",
    "bvh/bandai_2_walk_normal_003.bvh", "bvh/mass_kick.bvh", "bvh/mass_dance.bvh" };
enum { CAPTURES = (int)(sizeof captures / sizeof captures[0]) };

static sinew_GroundSample sample_level(void *user, double x, double z)
{
    (void)x;
    (void)z;
    return (sinew_GroundSample){ *(const double *)user, { 0.0, 1.0, 0.0 } };
}

// a number of the command's JSON, the first of that name after a text
static double told(const char *json, const char *after, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *from = strstr(json, after);
    assert_non_null(from);
    from = strstr(from, key);
    assert_non_null(from);
    return strtod(from + strlen(key), NULL);
}

static void captures_get_no_worse(void **state)
{
    (void)state;
    static const char *const figures[] = { "slide_mm_median", "slide_mm_max", "penetration_mm_p99",
        "limit_violation_rad", "jitter" };
    const sinew_Ground level = { NULL, NULL };
    int held = 0, compared = 0;
    for (int i = 0; i < CAPTURES; ++i) {
        Body b;
        if (!open_body(&b, captures[i])) { skip(); }
        const char *out = test_temp_path("clean.bvh");
        const test_Run *run = run_sinew("clean %s -o %s --json", data_path(captures[i]), out);
        TEST_INT(run->code, 0);
        for (int k = 0; k < (int)(sizeof figures / sizeof figures[0]); ++k) {
            double before = told(run->out, "\"before\"", figures[k]);
            TEST_TRUE(told(run->out, "\"after\"", figures[k]) <= before + 0.01);
        }
        if (strstr(run->out, "\"feet_held\": true") != NULL) {
            Seen seen = look(&b, out, &level), before = look(&b, data_path(captures[i]), &level);
            print_message("%s: %d contacts, slide %.2f mm (median %.2f), before %.2f (%.2f)\n",
                captures[i], seen.contacts, 1e3 * seen.slide, 1e3 * seen.typical,
                1e3 * before.slide, 1e3 * before.typical);
            TEST_TRUE(seen.contacts >= 4);
            TEST_TRUE(seen.typical <= 0.002);
            // a capture whose floor is not at 0 shows no contact to compare with
            if (before.contacts >= 4) {
                TEST_TRUE(before.typical >= 0.003);
                TEST_TRUE(seen.slide <= 0.5 * before.slide);
                ++compared;
            }
            ++held;
        }
        close_body(&b);
    }
    TEST_TRUE(held == CAPTURES && compared >= 1);
}

// the floor comes to height 0 where feet are left as well, by a way up or down that changes nothing else
static void floors_of_feet_that_are_left_come_to_0(void **state)
{
    (void)state;
    static const char *const clips[] = { "bvh/bvhtoolbox_walk01.bvh",
        "bvh/bvhtoolbox_mocapbank.bvh", "bvh/dfki_custom_skeleton_walk.bvh" };
    static const char *const figures[] = { "slide_mm_median", "slide_mm_max", "penetration_mm_p99",
        "jitter" };
    for (int i = 0; i < 3; ++i) {
        if (data_path(clips[i]) == NULL) { skip(); }
        const char *out = test_temp_path("floor.bvh");
        const test_Run *run = run_sinew("clean %s -o %s --json", data_path(clips[i]), out);
        TEST_INT(run->code, 0);
        TEST_TRUE(strstr(run->out, "\"feet_held\": false") != NULL);
        // what it would have worsened is named
        TEST_TRUE(strstr(run->out, "\"feet_left_for\": \"s") != NULL);
        TEST_TRUE(fabs(told(run->out, "\"before\"", "floor_mm")) >= 30.0);
        TEST_NEAR(told(run->out, "\"after\"", "floor_mm"), 0.0, 0.01);
        // read again, it is there
        run = run_sinew("clean %s --json", out);
        TEST_NEAR(told(run->out, "\"before\"", "floor_mm"), 0.0, 0.01);
        run = run_sinew("clean %s", data_path(clips[i]));
        TEST_TRUE(strstr(run->out, "Feet are left: holding them would worsen s") != NULL);
    }
    // nothing but the height differs where frames are left, too
    const test_Run *run = run_sinew("clean %s --json", data_path(clips[2]));
    for (int k = 0; k < (int)(sizeof figures / sizeof figures[0]); ++k) {
        TEST_NEAR(told(run->out, "\"after\"", figures[k]), told(run->out, "\"before\"", figures[k]),
            1e-6);
    }
}

// Toes below the floor are brought up though contacts that did not slide at all then slide by a few millimetres: feet
// stood firmly and pointed into the floor in the air.
static void toes_come_out_of_the_floor(void **state)
{
    (void)state;
    char clip[512];
    const char *pointed = test_temp_path("toes.bvh");
    Body b;
    if (!open_body(&b, "bvh/xsens_jl_tpose.bvh")) { skip(); }
    close_body(&b);
    snprintf(clip, sizeof clip, "%s", data_path("bvh/bandai_2_walk-turn-left_normal_005.bvh"));
    const test_Run *run = run_sinew(
        "retarget %s --to %s -o %s", clip, data_path("bvh/xsens_jl_tpose.bvh"), pointed);
    TEST_INT(run->code, 0);
    sinew_MotionFile *file = NULL;
    TEST_INT(sinew_motion_read(pointed, NULL, &file, NULL), SINEW_STATUS_OK);
    const sinew_Clip *held = sinew_motion_clip(file);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    sinew_Clip *made = NULL;
    int frames = sinew_clip_frame_count(held);
    TEST_INT(sinew_clip_create(skeleton, frames, sinew_clip_frame_time(held), NULL, &made),
        SINEW_STATUS_OK);
    for (int t = 0; t < frames; ++t) {
        sinew_Transform world[MOST_JOINTS], local[MOST_JOINTS];
        const double *q = sinew_clip_frame_const(held, t);
        sinew_pose_forward(skeleton, q, world);
        sinew_pose_to_local(skeleton, q, local);
        for (int s = 0; s < 2; ++s) {
            int ankle = sinew_motion_find_joint(file, s == 0 ? "LeftAnkle" : "RightAnkle");
            double high = fmin(fmax((world[ankle].position.y - 0.1) / 0.08, 0.0), 1.0);
            sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.5 * high);
            local[ankle].rotation = sinew_quat_mul(local[ankle].rotation, turn);
        }
        TEST_INT(sinew_pose_from_local(skeleton, local, q, sinew_clip_frame(made, t), NULL, NULL),
            SINEW_STATUS_OK);
    }
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    TEST_INT(sinew_motion_write(pointed, made, &options, NULL), SINEW_STATUS_OK);
    run = run_sinew("clean %s --json", pointed);
    TEST_TRUE(told(run->out, "\"before\"", "slide_mm_max") <= 0.5);
    TEST_TRUE(told(run->out, "\"before\"", "penetration_mm_p99") >= 20.0);
    TEST_TRUE(strstr(run->out, "\"feet_held\": true") != NULL);
    TEST_TRUE(told(run->out, "\"after\"", "slide_mm_max") <= 5.0);
    TEST_TRUE(told(run->out, "\"after\"", "penetration_mm_p99") <= 0.1);
    sinew_clip_destroy(made);
    sinew_motion_destroy(file);
}

// Ends of contacts that moved: how many of the ends of one point's contacts are within a frame in the other motion.
static void compare_times(const bool *before, const bool *after, int frames, int *ends, int *kept)
{
    for (int t = 1; t < frames; ++t) {
        if (before[t] == before[t - 1]) { continue; }
        bool near = false;
        for (int k = t - 1; k <= t + 1; ++k) {
            near |= k > 0 && k < frames && after[k] == before[t] && after[k - 1] == before[t - 1];
        }
        *ends += 1;
        *kept += near;
    }
}

static void contacts_keep_their_times(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double share; ///< of the ends of contacts that are within a frame, 8 ms of the last
    } clips[] = { { "bvh/bandai_2_walk_normal_003.bvh", 0.95 },
        { "bvh/bandai_2_walk_elderly_001.bvh", 0.95 }, { "bvh/cmu_01_01_mb.bvh", 0.6 } };
    static bool before[4][MOST_FRAMES];
    for (int i = 0; i < (int)(sizeof clips / sizeof clips[0]); ++i) {
        Body b;
        if (!open_body(&b, clips[i].file)) { skip(); }
        const char *out = test_temp_path("clean.bvh");
        const test_Run *run = run_sinew("clean %s -o %s --json", data_path(clips[i].file), out);
        TEST_INT(run->code, 0);
        TEST_TRUE(strstr(run->out, "\"feet_held\": true") != NULL);
        // heights count from the floor that the motion stands on
        sinew_Ground from = { NULL, NULL }, to = { NULL, NULL };
        double floor = told(run->out, "\"before\"", "floor_mm") / 1e3;
        from.sample = sample_level;
        from.user = &floor;
        (void)look(&b, data_path(clips[i].file), &from);
        memcpy(before, seen_standing, sizeof before);
        (void)look(&b, out, &to);
        int frames = sinew_clip_frame_count(b.clip), ends = 0, kept = 0;
        if (frames > MOST_FRAMES) { frames = MOST_FRAMES; }
        for (int p = 0; p < 4; ++p) {
            compare_times(before[p], seen_standing[p], frames, &ends, &kept);
        }
        print_message("%s: %d of %d ends of contacts within a frame\n", clips[i].file, kept, ends);
        TEST_TRUE(ends >= 40 && kept >= clips[i].share * ends);
        close_body(&b);
    }
}

static void planted_spikes_go(void **state)
{
    (void)state;
    Body b;
    if (!open_body(&b, captures[2])) { skip(); }
    int count = sinew_skeleton_coordinate_count(b.body.skeleton);
    int frames = sinew_clip_frame_count(b.clip);
    int arm = sinew_roles_find(b.roles, SINEW_ROLE_FOREARM, SINEW_SIDE_LEFT, -1);
    sinew_Clip *spoiled = NULL, *clean = NULL;
    TEST_OK(
        sinew_clip_create(b.body.skeleton, frames, sinew_clip_frame_time(b.clip), NULL, &spoiled),
        NULL);
    for (int t = 0; t < frames; ++t) {
        memcpy(sinew_clip_frame(spoiled, t), sinew_clip_frame_const(b.clip, t),
            (size_t)count * sizeof(double));
    }
    const sinew_Joint *joint = &sinew_skeleton_joints(b.body.skeleton)[arm];
    double *step = calloc((size_t)sinew_skeleton_dof_count(b.body.skeleton), sizeof *step);
    step[joint->dof_start + joint->dof_count - 1] = 0.8;
    for (int t = 20; t < frames - 5; t += 25) {
        double *q = sinew_clip_frame(spoiled, t);
        sinew_pose_integrate(b.body.skeleton, q, step, q);
    }
    free(step);
    sinew_CleanDef def = sinew_clean_def_default();
    sinew_CleanReport report;
    sinew_Message message = { "" };
    def.body = b.body;
    def.hold_feet = def.remove_jitter = false;
    TEST_OK(sinew_clean_clip(&def, spoiled, &clean, &report, &message), &message);
    TEST_TRUE(report.spikes >= (frames - 25) / 25);
    for (int t = 20; t < frames - 5; t += 25) {
        sinew_Quat was =
            sinew_pose_local(b.body.skeleton, sinew_clip_frame_const(b.clip, t), arm).rotation;
        sinew_Quat is =
            sinew_pose_local(b.body.skeleton, sinew_clip_frame_const(clean, t), arm).rotation;
        TEST_TRUE(sinew_quat_angle(was, is) < 0.12);
    }
    sinew_clip_destroy(clean);
    sinew_clip_destroy(spoiled);
    def.cookie = 0;
    TEST_INT(sinew_clean_clip(&def, b.clip, &clean, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    assert_null(clean);
    close_body(&b);
    TEST_INT(run_sinew("clean")->code, 2);
    TEST_INT(run_sinew("clean scene:SPIDER")->code, 1);
}

// a root above the hips that stays at the origin is still there when the floor came to height 0
static void roots_stay_where_they_are(void **state)
{
    (void)state;
    static const char *const clips[] = { "bvh/bandai_2_walk_elderly_001.bvh",
        "bvh/bandai_2_walk-turn-right_active_003.bvh" };
    for (int i = 0; i < 2; ++i) {
        sinew_MotionFile *file = NULL;
        if (data_path(clips[i]) == NULL) { skip(); }
        const char *out = test_temp_path("rooted.bvh");
        TEST_INT(run_sinew("clean %s -o %s", data_path(clips[i]), out)->code, 0);
        TEST_INT(sinew_motion_read(out, NULL, &file, NULL), SINEW_STATUS_OK);
        const sinew_Clip *clip = sinew_motion_clip(file);
        for (int t = 0; t < sinew_clip_frame_count(clip); ++t) {
            sinew_Transform root = sinew_pose_local(
                sinew_motion_skeleton(file), sinew_clip_frame_const(clip, t), 0);
            TEST_TRUE(sinew_vec3_length(root.position) <= 1e-6);
            TEST_TRUE(sinew_quat_angle(root.rotation, sinew_quat_identity()) <= 1e-6);
        }
        sinew_motion_destroy(file);
    }
}

// limits hold where feet are left, too
static void limits_hold_where_feet_are_left(void **state)
{
    (void)state;
    static const char *const clips[] = { "bvh/dfki_custom_skeleton_walk.bvh",
        "bvh/cmu_131_02_max.bvh" };
    for (int i = 0; i < 2; ++i) {
        if (data_path(clips[i]) == NULL) { skip(); }
        const test_Run *run = run_sinew("clean %s --rig auto --json", data_path(clips[i]));
        TEST_INT(run->code, 0);
        TEST_TRUE(strstr(run->out, "\"feet_held\": false") != NULL);
        TEST_TRUE(told(run->out, "\"before\"", "limit_violation_rad") > 0.01);
        TEST_TRUE(told(run->out, "\"after\"", "limit_violation_rad") < 1e-9);
    }
}

TEST_MAIN(cmocka_unit_test(captures_get_no_worse), cmocka_unit_test(contacts_keep_their_times),
    cmocka_unit_test(floors_of_feet_that_are_left_come_to_0),
    cmocka_unit_test(toes_come_out_of_the_floor), cmocka_unit_test(planted_spikes_go),
    cmocka_unit_test(roots_stay_where_they_are), cmocka_unit_test(limits_hold_where_feet_are_left))
