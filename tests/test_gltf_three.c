// Written glTF files as three.js reads them: an independent reader with skinning of its own. Needs node,
// and three installed by npm in the folder that SINEW_THREE names.

#include "command.h"

#include "sinew/gltf.h"
#include "sinew/pose.h"

#include <math.h>

static const char *const files[] = { "box_animated.gltf", "cesium_man.gltf",
    "interpolation_test.gltf", "rigged_simple.gltf", "robot_expressive.glb",
    "simple_skin_assimp.gltf" };
#define FILE_COUNT ((int)(sizeof files / sizeof files[0]))

static const char *three_folder(void)
{
    const char *folder = getenv("SINEW_THREE");
    char line[1200];
    if (folder == NULL) { return NULL; }
    snprintf(line, sizeof line, "node --version >/dev/null 2>&1 && test -d '%s/node_modules/three'",
        folder);
    return system(line) == 0 ? folder : NULL;
}

static void put_vertices(FILE *out, const sinew_GltfPose *pose, const sinew_Gltf *gltf)
{
    for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
        int count = sinew_gltf_part(gltf, p)->vertex_count;
        sinew_Vec3 *places = malloc((size_t)count * sizeof *places);
        assert_non_null(places);
        sinew_gltf_part_vertices(pose, p, places);
        for (int v = 0; v < count; ++v) {
            fprintf(out, "%.17g %.17g %.17g\n", places[v].x, places[v].y, places[v].z);
        }
        free(places);
    }
}

static void put_parts(FILE *out, const sinew_Gltf *gltf)
{
    int ordinal = 0, last = -1;
    fprintf(out, "%d\n", sinew_gltf_part_count(gltf));
    for (int p = 0; p < sinew_gltf_part_count(gltf); ++p) {
        const sinew_GltfPart *part = sinew_gltf_part(gltf, p);
        ordinal = part->node == last ? ordinal + 1 : 0;
        last = part->node;
        fprintf(out, "%d %d %d\n", part->node, ordinal, part->vertex_count);
    }
}

// rest, three times of each animation of the file, and three frames of the clip as the one after them
static void dump_poses(const char *path, const sinew_MotionFile *file, const sinew_Clip *clip)
{
    const sinew_Gltf *gltf = sinew_motion_gltf(file);
    static const double parts[] = { 0.21, 0.5, 1.0 };
    int animations = sinew_gltf_animation_count(gltf);
    sinew_GltfPose *pose = NULL;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    TEST_OK(sinew_gltf_pose_create(gltf, NULL, &pose), NULL);
    put_parts(out, gltf);
    fprintf(out, "%d\n-1 0\n", 1 + 3 * animations + (clip != NULL ? 3 : 0));
    put_vertices(out, pose, gltf);
    for (int i = 0; i < 3 * animations; ++i) {
        double time = parts[i % 3] * sinew_gltf_animation_duration(gltf, i / 3);
        fprintf(out, "%d %.17g\n", i / 3, time);
        sinew_gltf_pose_animate(pose, i / 3, time);
        put_vertices(out, pose, gltf);
    }
    for (int i = 0; clip != NULL && i < 3; ++i) {
        int frame = (int)(parts[i] * (sinew_clip_frame_count(clip) - 1));
        fprintf(out, "%d %.17g\n", animations, frame * sinew_clip_frame_time(clip));
        sinew_gltf_pose_joints(
            pose, file, sinew_clip_skeleton(clip), sinew_clip_frame_const(clip, frame));
        put_vertices(out, pose, gltf);
    }
    sinew_gltf_pose_destroy(pose);
    fclose(out);
}

static double ask_three(
    const char *folder, const char *path, const char *dump, const char *original)
{
    static char text[4096];
    char line[4096];
    const char *answer = test_temp_path("three.txt");
    snprintf(line, sizeof line, "node '%s/tests/gltf_three.mjs' '%s' '%s' '%s' '%s' >'%s' 2>&1",
        SINEW_SOURCE_DIR, folder, path, dump, original, answer);
    int status = system(line);
    assert_true(read_text(answer, text, sizeof text) > 0);
    print_message("    %s: %s", strrchr(path, '/') + 1, text);
    assert_int_equal(status, 0);
    const char *figure = strstr(text, "off by ");
    assert_non_null(figure);
    return strtod(figure + 7, NULL);
}

static void check_file(const char *folder, const char *name)
{
    const char *source = data_path(name);
    if (source == NULL) { return; }
    char path[600], original[600], dump[600];
    snprintf(original, sizeof original, "%s", source);
    snprintf(dump, sizeof dump, "%s", test_temp_path("dump.txt"));
    sinew_Message message = { "" };
    sinew_MotionFile *file = NULL;
    TEST_OK(sinew_motion_read(original, NULL, &file, &message), &message);
    // another rate, so that it is another motion
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_clip_resample(sinew_motion_clip(file), 1.0 / 37.0, NULL, &clip), NULL);
    dump_poses(dump, file, clip);
    static const char *const endings[] = { "glb", "gltf" };
    for (int i = 0; i < 2; ++i) {
        char file_name[40];
        snprintf(file_name, sizeof file_name, "three.%s", endings[i]);
        snprintf(path, sizeof path, "%s", test_temp_path(file_name));
        sinew_WriteOptions options = sinew_write_options_default();
        options.like = file;
        TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
        double off = ask_three(folder, path, dump, original);
        TEST_TRUE(off <= 1e-6);
    }
    sinew_clip_destroy(clip);
    sinew_motion_destroy(file);
}

// ENG-3
static void test_three_sees_the_same_vertices_eng3(void **state)
{
    (void)state;
    const char *folder = three_folder();
    if (folder == NULL) {
        print_message("skipped: no node, or no three in the folder that SINEW_THREE names\n");
        skip();
    }
    for (int i = 0; i < FILE_COUNT; ++i) {
        char name[80];
        snprintf(name, sizeof name, "gltf/%s", files[i]);
        check_file(folder, name);
    }
}

TEST_MAIN(cmocka_unit_test(test_three_sees_the_same_vertices_eng3))
