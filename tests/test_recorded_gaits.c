// The table of recorded gaits against the files it was taken from.

#include "testing.h"

#include "scenes/recorded_gaits.h"
#include "sinew/file.h"
#include "walk/gait_curves.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// BVH files

static snw_Gait read_bvh(const char *path)
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
    sinew_RoleOptions role_options = sinew_role_options_default();
    role_options.is_end_site = is_end;
    const sinew_PoseList motion = { sinew_clip_frame_const(clip, 0), sinew_clip_frame_count(clip) };
    role_options.motion = &motion;
    sinew_RoleGuess *roles;
    TEST_OK(sinew_roles_guess(skeleton, &role_options, NULL, &roles, &message), &message);
    snw_GaitBody body;
    TEST_TRUE(snw_gait_body(skeleton, roles, roles->up, &body));
    snw_Gait gait;
    TEST_OK(snw_gait_read(clip, &body, 0.0, 1e9, NULL, &gait), NULL);
    sinew_roles_destroy(roles);
    free(is_end);
    sinew_motion_destroy(file);
    return gait;
}

// ---------------------------------------------------------------------------------------------
// DeepMimic clips: rows of dt, root position, rotations (w, x, y, z) and hinge angles; +X ahead

enum { ROW = 44, MOST_ROWS = 400, LOOPS = 3 };

static int read_rows(const char *path, double (*rows)[ROW])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char text[1 << 18];
    size_t size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = '\0';
    char *place = strstr(text, "Frames");
    assert_non_null(place);
    int count = 0;
    for (place = strchr(place, '[') + 1; (place = strchr(place, '[')) != NULL; ++count) {
        ++place;
        TEST_TRUE(count < MOST_ROWS);
        for (int i = 0; i < ROW; ++i) {
            rows[count][i] = strtod(place, &place);
            place += strcspn(place, ",]");
            if (*place == ',') { ++place; }
        }
    }
    return count;
}

static sinew_Skeleton *make_deepmimic_legs(void)
{
    sinew_Axis root[4] = { sinew_axis_slide(sinew_vec3(1.0, 0.0, 0.0)),
        sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0)), sinew_axis_slide(sinew_vec3(0.0, 0.0, 1.0)),
        sinew_axis_ball() };
    sinew_Axis ball = sinew_axis_ball();
    sinew_Axis knee = sinew_axis_hinge(sinew_vec3(0.0, 0.0, 1.0), -4.0, 4.0);
    sinew_JointDef joints[9];
    static const int parents[9] = { -1, 0, 1, 2, 3, 0, 5, 6, 7 };
    static const char *const names[9] = { "root", "thigh_l", "shin_l", "foot_l", "toe_l", "thigh_r",
        "shin_r", "foot_r", "toe_r" };
    for (int j = 0; j < 9; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].parent = parents[j];
        joints[j].name = names[j];
        int part = j == 0 ? -1 : (j - 1) % 4;
        joints[j].axes = part < 0 ? root : part == 1 ? &knee : &ball;
        joints[j].axis_count = part < 0 ? 4 : part < 3 ? 1 : 0;
        if (part == 0) { joints[j].offset = sinew_vec3(0.0, 0.0, j == 1 ? -0.084887 : 0.084887); }
        if (part == 1) { joints[j].offset = sinew_vec3(0.0, -0.421546, 0.0); }
        if (part == 2) { joints[j].offset = sinew_vec3(0.0, -0.40987, 0.0); }
        if (part == 3) { joints[j].offset = sinew_vec3(0.1335, -0.06, 0.0); }
    }
    sinew_Skeleton *skeleton;
    sinew_Message message;
    TEST_OK(sinew_skeleton_create(joints, 9, NULL, &skeleton, &message), &message);
    return skeleton;
}

static void put_quat(double *q, const double *row)
{
    sinew_Quat r = { row[1], row[2], row[3], row[0] };
    r = sinew_quat_normalize(r);
    memcpy(q, &r, sizeof r);
}

static snw_Gait read_deepmimic(const char *path)
{
    static double rows[MOST_ROWS][ROW];
    int count = read_rows(path, rows);
    TEST_TRUE(count > 10);
    sinew_Skeleton *skeleton = make_deepmimic_legs();
    sinew_Clip *clip;
    int frames = LOOPS * (count - 1);
    TEST_OK(sinew_clip_create(skeleton, frames, rows[0][0], NULL, &clip), NULL);
    for (int f = 0; f < frames; ++f) {
        const double *row = rows[f % (count - 1)];
        double *q = sinew_clip_frame(clip, f);
        for (int i = 0; i < 3; ++i) {
            double lap = i == 1 ? 0.0 : rows[count - 1][1 + i] - rows[0][1 + i];
            q[i] = row[1 + i] + lap * (f / (count - 1));
        }
        put_quat(&q[3], &row[4]);
        // the right leg comes before the right arm, then the left leg
        put_quat(&q[7], &row[30]);
        q[11] = row[34];
        put_quat(&q[12], &row[35]);
        put_quat(&q[16], &row[16]);
        q[20] = row[20];
        put_quat(&q[21], &row[21]);
    }
    snw_GaitBody body = { { 1, 5 }, { 2, 6 }, { 3, 7 }, { 4, 8 }, 0.421546 + 0.40987 + 0.06,
        sinew_quat_identity() };
    snw_Gait gait;
    TEST_OK(snw_gait_read(clip, &body, 0.0, 1e9, NULL, &gait), NULL);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
    return gait;
}

// ---------------------------------------------------------------------------------------------

static void print_array(const char *name, const double *values)
{
    printf("        .%s = {", name);
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) { printf(" %.1f,", values[p]); }
    printf(" },\n");
}

/// Shown when the table is wrong, so that it can be renewed.
static void print_entry(const char *name, int half, const snw_Gait *gait)
{
    printf("    {\n        .name = \"%s\",\n        .half = %d,\n        .froude = %.4f,\n"
           "        .stride = %.3f,\n",
        name, half, gait->froude, gait->stride);
    print_array("hip", gait->curves[SNW_GAIT_HIP]);
    print_array("knee", gait->curves[SNW_GAIT_KNEE]);
    print_array("ankle", gait->curves[SNW_GAIT_ANKLE]);
    printf("    },\n");
}

static bool is_near(const double *a, const double *b)
{
    for (int p = 0; p < SNW_GAIT_POINTS; ++p) {
        if (fabs(a[p] - b[p]) > 0.06) { return false; }
    }
    return true;
}

static void the_table_is_what_the_files_say(void **state)
{
    (void)state;
    assert_int_equal(SNW_GAIT_POINTS, SCENE_GAIT_POINTS);
    int right = 0;
    for (int i = 0; i < SCENE_RECORDED_GAITS; ++i) {
        const scene_RecordedGait *known = &scene_recorded_gaits[i];
        char name[128];
        bool is_bvh = strncmp(known->name, "humanoid3d", 10) != 0;
        snprintf(
            name, sizeof name, is_bvh ? "bvh/%s.bvh" : "bvh/deepmimic_json/%s.txt", known->name);
        const char *path = data_path(name);
        if (path == NULL) { skip(); }
        snw_Gait gait = is_bvh ? read_bvh(path) : read_deepmimic(path);
        TEST_TRUE(gait.stride_count > 0);
        bool same = fabs(gait.froude - known->froude) < 1e-4
            && fabs(gait.stride - known->stride) < 1e-3
            && is_near(gait.curves[SNW_GAIT_HIP], known->hip)
            && is_near(gait.curves[SNW_GAIT_KNEE], known->knee)
            && is_near(gait.curves[SNW_GAIT_ANKLE], known->ankle);
        if (!same) { print_entry(known->name, known->half, &gait); }
        right += same;
    }
    TEST_INT(right, SCENE_RECORDED_GAITS);
}

static void halves_have_three_clips_and_no_common_person(void **state)
{
    (void)state;
    int counts[2] = { 0, 0 }, of_person_12[2] = { 0, 0 };
    for (int i = 0; i < SCENE_RECORDED_GAITS; ++i) {
        const scene_RecordedGait *gait = &scene_recorded_gaits[i];
        TEST_TRUE(gait->half == 0 || gait->half == 1);
        ++counts[gait->half];
        of_person_12[gait->half] += strncmp(gait->name, "cmu_12_", 7) == 0;
    }
    TEST_INT(counts[0], 3);
    TEST_INT(counts[1], 3);
    TEST_INT(of_person_12[0] * of_person_12[1], 0);
}

TEST_MAIN(cmocka_unit_test(the_table_is_what_the_files_say),
    cmocka_unit_test(halves_have_three_clips_and_no_common_person))
