#include "command.h"

#include "pictures/gizmo.h"
#include "pictures/pictures.h"
#include "pictures/reach.h"
#include "pictures/stage.h"
#include "scenes/scenes.h"
#include "shape/body.h"
#include "sinew/file.h"
#include "sinew/rig.h"
#include "sinew/sinew.h"

#include <sys/stat.h>
#include <unistd.h>

// Pictures and films: formats, same bytes, errors, degenerate motions, what is drawn of a body, and
// the outlines of reach windows on a sphere.

enum { MOST_BYTES = 4 << 20 };

static const char *const endings[3] = { ".png", ".svg", ".pdf" };

static scene_Scene *open_scene(const char *name)
{
    scene_Scene *scene = NULL;
    TEST_OK(scene_create(name, NULL, &scene, NULL), NULL);
    return scene;
}

static sinew_Clip *motion_of(const scene_Scene *scene, int frames)
{
    sinew_Clip *clip = NULL;
    TEST_OK(scene_motion(scene, 1.0 / 30.0, frames, &clip), NULL);
    return clip;
}

static char *read_bytes(const char *path, size_t *out_size)
{
    char *data = malloc(MOST_BYTES);
    assert_non_null(data);
    long size = read_text(path, data, MOST_BYTES);
    TEST_TRUE(size > 0 && size < MOST_BYTES - 1);
    *out_size = (size_t)size;
    return data;
}

// images in a text, whose letters say nothing
static void blank_images(char *text)
{
    for (char *at = strstr(text, ";base64,"); at; at = strstr(at, ";base64,")) {
        for (at += 8; *at && *at != '"'; ++at) { *at = '.'; }
    }
}

static void check_signature(const char *path)
{
    size_t size;
    char *data = read_bytes(path, &size);
    const char *ending = strrchr(path, '.');
    if (strcmp(ending, ".png") == 0) {
        TEST_TRUE(size > 500 && memcmp(data, "\x89PNG\r\n\x1a\n", 8) == 0);
        TEST_TRUE(memcmp(data + size - 8, "IEND", 4) == 0);
    } else if (strcmp(ending, ".svg") == 0) {
        TEST_TRUE(memcmp(data, "<?xml", 5) == 0 && strstr(data, "<svg") && strstr(data, "</svg>"));
        // numbers that are none would stand in the paths
        blank_images(data);
        TEST_TRUE(strstr(data, "nan") == NULL && strstr(data, "inf") == NULL);
    } else if (strcmp(ending, ".pdf") == 0) {
        TEST_TRUE(memcmp(data, "%PDF-", 5) == 0 && memcmp(data + size - 6, "%%EOF", 5) == 0);
    }
    free(data);
}

static void check_same_bytes(const char *a, const char *b)
{
    size_t size_a, size_b;
    char *bytes_a = read_bytes(a, &size_a), *bytes_b = read_bytes(b, &size_b);
    TEST_TRUE(size_a == size_b);
    TEST_TRUE(memcmp(bytes_a, bytes_b, size_a) == 0);
    free(bytes_a);
    free(bytes_b);
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

// ---------------------------------------------------------------------------------------------
// Formats and bytes

typedef enum Kind {
    KIND_SHEET,
    KIND_THINGS,
    KIND_STILL,
    KIND_LIMITS,
    KIND_PLOT,
    KIND_MAP,
    KIND_COUNT
} Kind;

static const picture_Thing things[] = {
    { PICTURE_THING_BOX, PICTURE_THING_GREY, { 0.3, 1.2, 0.2 }, { 0.2, 0.1, 0.2 } },
    { PICTURE_THING_BALL, PICTURE_THING_GREEN, { 0.2, 0.6, 0.1 }, { 0.1, 0.1, 0.1 } },
    { PICTURE_THING_TUBE, PICTURE_THING_YELLOW, { 0.3, 1.3, 0.2 }, { 0.06, 0.1, 0.06 } },
};

// three corners of a right angle whose sides are as 2 to 1
static sinew_Status write_map(const char *path, sinew_Message *m)
{
    static const double x[3] = { 0.0, 2.0, 2.0 }, y[3] = { 0.0, 0.0, 1.0 };
    static const char *const names[3] = { "start", NULL, "end" };
    picture_Plot plot = picture_plot_default();
    picture_Series series = { .x = x, .y = y, .count = 3, .names = names };
    plot.series = &series;
    plot.series_count = 1;
    plot.is_map = true;
    return picture_plot_write(&plot, path, m);
}

static sinew_Status write_kind(
    Kind kind, const sinew_Clip *clip, const char *path, sinew_Message *m)
{
    static const double errors[4] = { 1e-21, 2e-4, 5e-4, 1e-3 };
    static const int iterations[4] = { 9, 2, 2, 3 };
    if (kind == KIND_SHEET) {
        picture_Sheet sheet = picture_sheet_default();
        sheet.clip = clip;
        sheet.width = 640;
        sheet.title = "a \xff sheet";
        if (sinew_clip_frame_count(clip) == 4) {
            sheet.mean_error = sheet.max_error = errors;
            sheet.iterations = iterations;
        }
        return picture_sheet_write(&sheet, path, m);
    }
    if (kind == KIND_THINGS) {
        static const char *const captions[2] = { "before", NULL };
        picture_Sheet sheet = picture_sheet_default();
        sheet.clip = clip;
        sheet.width = 320;
        sheet.things = things;
        sheet.thing_count = 3;
        sheet.figure_count = 2;
        sheet.captions = captions;
        sheet.layout = PICTURE_LAYOUT_CELLS;
        sheet.whole_trails = true;
        return picture_sheet_write(&sheet, path, m);
    }
    if (kind == KIND_MAP) { return write_map(path, m); }
    if (kind == KIND_STILL) {
        picture_Still still = picture_still_default();
        still.skeleton = sinew_clip_skeleton(clip);
        still.q = sinew_clip_frame_const(clip, 0);
        still.width = still.height = 400;
        return picture_still_write(&still, path, m);
    }
    if (kind == KIND_LIMITS) {
        picture_Limits limits = picture_limits_default();
        limits.skeleton = sinew_clip_skeleton(clip);
        limits.q = sinew_clip_frame_const(clip, 0);
        limits.width = 560;
        limits.height = 400;
        return picture_limits_write(&limits, path, m);
    }
    picture_Plot plot = picture_plot_default();
    picture_Series series = {
        .label = "error", .y = errors, .count = 4, .filled = true, .dots = true
    };
    plot.series = &series;
    plot.series_count = 1;
    return picture_plot_write(&plot, path, m);
}

static void all_formats_are_written_with_the_same_bytes(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("LIMITARM");
    sinew_Clip *clip = motion_of(scene, 4);
    for (int pass = 0; pass < 2; ++pass) {
        for (int k = 0; k < KIND_COUNT * 3; ++k) {
            char once[32], again[32];
            sinew_Message message = { "" };
            snprintf(once, sizeof once, "once%d%s", k, endings[k % 3]);
            snprintf(again, sizeof again, "again%d%s", k, endings[k % 3]);
            const char *path = test_temp_path(pass == 0 ? once : again);
            TEST_OK(write_kind((Kind)(k / 3), clip, path, &message), &message);
            check_signature(path);
            if (pass == 1) { check_same_bytes(test_temp_path(once), path); }
        }
        // a clock must not show
        if (pass == 0) { sleep(1); }
    }
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

static void what_cannot_be_written_leaves_no_file(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("LIMITARM");
    sinew_Clip *clip = motion_of(scene, 4);
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        sinew_Message message = { "" };
        sinew_Status status = write_kind((Kind)kind, clip, "/nowhere/at/all/x.png", &message);
        TEST_INT(status, SINEW_STATUS_CANNOT_WRITE);
        TEST_TRUE(strstr(message.text, "/nowhere/at/all/x.png") != NULL);
        TEST_TRUE(strchr(message.text, '\n') == NULL);

        const char *other = test_temp_path("picture.bmp");
        status = write_kind((Kind)kind, clip, other, &message);
        TEST_INT(status, SINEW_STATUS_UNSUPPORTED);
        TEST_TRUE(!exists(other));

        // a folder of that name is left alone
        const char *folder = test_temp_path("folder.png");
        mkdir(folder, 0755);
        status = write_kind((Kind)kind, clip, folder, &message);
        TEST_INT(status, SINEW_STATUS_CANNOT_WRITE);
        TEST_INT(rmdir(folder), 0);
    }
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

/// One of x is as long on a map as one of y: the right angle of write_map keeps its shape.
static void maps_have_one_scale(void **state)
{
    (void)state;
    sinew_Message message = { "" };
    const char *path = test_temp_path("map.svg");
    TEST_OK(write_map(path, &message), &message);
    size_t size;
    char *text = read_bytes(path, &size);
    bool found = false;
    for (const char *at = strstr(text, "d=\"M "); at != NULL; at = strstr(at + 1, "d=\"M ")) {
        double a[2], b[2], c[2];
        if (sscanf(at, "d=\"M %lf %lf L %lf %lf L %lf %lf \"", &a[0], &a[1], &b[0], &b[1], &c[0],
                &c[1])
                < 6
            || a[1] != b[1] || b[0] != c[0] || b[0] - a[0] < 100.0) {
            // a letter
            continue;
        }
        found = true;
        TEST_NEAR((b[0] - a[0]) / (b[1] - c[1]), 2.0, 1e-3);
    }
    TEST_TRUE(found);
    free(text);
}

/// The colour of a ball inside a box is hidden, that of one before it is not.
static void things_hide_each_other(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("LEG");
    sinew_Clip *clip = motion_of(scene, 1);
    picture_Thing pair[2] = {
        { PICTURE_THING_BOX, PICTURE_THING_GREY, { 0.4, 0.5, 0.4 }, { 0.2, 0.2, 0.2 } },
        { PICTURE_THING_BALL, PICTURE_THING_GREEN, { 0.4, 0.5, 0.4 }, { 0.1, 0.1, 0.1 } },
    };
    picture_Sheet sheet = picture_sheet_default();
    sheet.clip = clip;
    sheet.width = 400;
    sheet.things = pair;
    sheet.thing_count = 2;
    sheet.view.toward_camera = sinew_vec3(0.0, 0.0, 1.0);
    char paths[4][1024];
    for (int i = 0; i < 4; ++i) {
        static const char *const names[4] = { "hidden_green.png", "hidden_yellow.png",
            "seen_green.png", "seen_yellow.png" };
        sinew_Message message = { "" };
        snprintf(paths[i], sizeof paths[i], "%s", test_temp_path(names[i]));
        pair[1].color = i % 2 == 0 ? PICTURE_THING_GREEN : PICTURE_THING_YELLOW;
        pair[1].place.z = i < 2 ? 0.4 : 0.6;
        TEST_OK(picture_sheet_write(&sheet, paths[i], &message), &message);
    }
    check_same_bytes(paths[0], paths[1]);
    size_t green, yellow;
    char *first = read_bytes(paths[2], &green), *second = read_bytes(paths[3], &yellow);
    TEST_TRUE(green != yellow || memcmp(first, second, green) != 0);
    free(first);
    free(second);
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

static void broken_definitions_are_refused(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("LEG");
    sinew_Clip *clip = motion_of(scene, 4);
    const char *path = test_temp_path("refused.png");
    sinew_Message message = { "" };
    picture_Sheet sheet = picture_sheet_default();
    TEST_INT(picture_sheet_write(&sheet, path, &message), SINEW_STATUS_INVALID_ARGUMENT);
    sheet.clip = clip;
    sheet.figure_count = 61;
    TEST_INT(picture_sheet_write(&sheet, path, &message), SINEW_STATUS_INVALID_ARGUMENT);
    sheet.figure_count = 2;
    sheet.width = 9000;
    TEST_INT(picture_sheet_write(&sheet, path, &message), SINEW_STATUS_INVALID_ARGUMENT);
    int joint = 99;
    sheet.width = 400;
    sheet.trail_joints = &joint;
    sheet.trail_count = 1;
    TEST_INT(picture_sheet_write(&sheet, path, &message), SINEW_STATUS_INVALID_ARGUMENT);

    picture_Thing flat = things[0];
    flat.size.y = 0.0;
    sheet.trail_count = 0;
    sheet.things = &flat;
    sheet.thing_count = 1;
    TEST_INT(picture_sheet_write(&sheet, path, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strstr(message.text, "things[0]") != NULL);

    picture_Limits limits = picture_limits_default();
    limits.skeleton = scene->skeleton;
    limits.q = sinew_clip_frame_const(clip, 0);
    limits.joint = 99;
    TEST_INT(picture_limits_write(&limits, path, &message), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_JointDef root = sinew_joint_def_default();
    sinew_Skeleton *plain = NULL;
    double q = 0.0;
    root.name = "only";
    TEST_OK(sinew_skeleton_create(&root, 1, NULL, &plain, NULL), NULL);
    limits.skeleton = plain;
    limits.q = &q;
    limits.joint = -2;
    TEST_INT(picture_limits_write(&limits, path, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(!exists(path));
    sinew_skeleton_destroy(plain);
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Films

static void films_are_made_where_ffmpeg_is(void **state)
{
    (void)state;
    if (!picture_film_available()) { skip(); }
    scene_Scene *scene = open_scene("ARM");
    sinew_Clip *clip = motion_of(scene, 6);
    picture_Film film = picture_film_default();
    film.clip = clip;
    film.width = 161;
    film.height = 120;
    for (int i = 0; i < 2; ++i) {
        size_t size;
        sinew_Message message = { "" };
        const char *path = test_temp_path(i == 0 ? "film.mp4" : "film.gif");
        TEST_OK(picture_film_write(&film, path, &message), &message);
        char *data = read_bytes(path, &size);
        TEST_TRUE(i == 0 ? memcmp(data + 4, "ftyp", 4) == 0 : memcmp(data, "GIF89a", 6) == 0);
        free(data);
    }
    sinew_Message message = { "" };
    TEST_INT(picture_film_write(&film, "/nowhere/x.mp4", &message), SINEW_STATUS_CANNOT_WRITE);
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

static void without_ffmpeg_one_line_says_so(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("ARM");
    sinew_Clip *clip = motion_of(scene, 3);
    char *kept = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    setenv("PATH", "", 1);
    picture_Film film = picture_film_default();
    sinew_Message message = { "" };
    film.clip = clip;
    const char *path = test_temp_path("none.mp4");
    bool available = picture_film_available();
    sinew_Status status = picture_film_write(&film, path, &message);
    const test_Run *run = run_sinew("render scene:ARM -o %s", path);
    if (kept) { setenv("PATH", kept, 1); }
    free(kept);
    TEST_TRUE(!available);
    TEST_INT(status, SINEW_STATUS_UNSUPPORTED);
    TEST_TRUE(strstr(message.text, "ffmpeg") != NULL && strchr(message.text, '\n') == NULL);
    TEST_TRUE(!exists(path));
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "ffmpeg") != NULL);
    TEST_INT(strchr(run->err, '\n') - run->err, (long long)strlen(run->err) - 1);
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

// ---------------------------------------------------------------------------------------------
// Degenerate motions

// count joints, each with three hinges and the root with slides; bones of that length
static sinew_Skeleton *make_chain(int count, double length)
{
    const sinew_Vec3 x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 };
    sinew_Axis axes[6] = { sinew_axis_slide(x), sinew_axis_slide(y), sinew_axis_slide(z),
        sinew_axis_hinge(z, -1.0, 1.0), sinew_axis_hinge(x, -0.5, 2.0),
        sinew_axis_hinge(y, -INFINITY, INFINITY) };
    sinew_JointDef joints[8];
    sinew_Skeleton *skeleton = NULL;
    sinew_Message message = { "" };
    for (int i = 0; i < count; ++i) {
        joints[i] = sinew_joint_def_default();
        joints[i].name = "joint";
        joints[i].parent = i - 1;
        joints[i].offset = sinew_vec3(0.0, i > 0 ? length : 0.0, 0.0);
        joints[i].axes = i > 0 ? axes + 3 : axes;
        joints[i].axis_count = i > 0 ? 3 : 6;
    }
    TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, &message), &message);
    return skeleton;
}

static void degenerate_motions_are_drawn(void **state)
{
    (void)state;
    static const double lengths[4] = { 0.0, 1e-12, 0.3, 1e6 };
    static const int frames[3] = { 0, 1, 5 };
    for (int joints = 1; joints <= 7; joints += 3) {
        for (int l = 0; l < 4; ++l) {
            sinew_Skeleton *skeleton = make_chain(joints, lengths[l]);
            for (int f = 0; f < 3; ++f) {
                sinew_Clip *clip = NULL;
                sinew_Message message = { "" };
                TEST_OK(sinew_clip_create(skeleton, frames[f], 0.1, NULL, &clip), NULL);
                if (frames[f] == 5) {
                    // far away at once
                    sinew_clip_frame(clip, 3)[0] = 1e12;
                }
                const char *path = test_temp_path("degenerate.svg");
                TEST_OK(write_kind(KIND_SHEET, clip, path, &message), &message);
                check_signature(path);
                if (frames[f] > 0) {
                    TEST_OK(write_kind(KIND_STILL, clip, path, &message), &message);
                    check_signature(path);
                }
                if (frames[f] > 0 && joints > 1 && lengths[l] >= 0.3) {
                    TEST_OK(write_kind(KIND_LIMITS, clip, path, &message), &message);
                    check_signature(path);
                }
                sinew_clip_destroy(clip);
            }
            sinew_skeleton_destroy(skeleton);
        }
    }
}

static void degenerate_plots_are_drawn(void **state)
{
    (void)state;
    static const double values[6][3] = { { 0, 0, 0 }, { NAN, INFINITY, -INFINITY }, { 1, 1, 1 },
        { 1e-300, 1e300, 1 }, { -1, 0, 1e308 }, { 5e-324, 0, 1e-9 } };
    for (int i = 0; i < 6; ++i) {
        for (int scale = PICTURE_SCALE_AUTO; scale <= PICTURE_SCALE_LOG; ++scale) {
            for (int count = 0; count <= 3; ++count) {
                picture_Series series = {
                    .y = values[i], .count = count, .filled = true, .dots = true
                };
                picture_Plot plot = picture_plot_default();
                sinew_Message message = { "" };
                const char *path = test_temp_path("plot.svg");
                plot.series = &series;
                plot.series_count = 1;
                plot.y_scale = plot.x_scale = (picture_Scale)scale;
                TEST_OK(picture_plot_write(&plot, path, &message), &message);
                check_signature(path);
            }
        }
    }
}

// a first frame that is met exactly does not stretch the axis
static void logarithmic_axes_are_bounded(void **state)
{
    (void)state;
    double errors[2][300];
    const char *paths[2];
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; i < 300; ++i) { errors[k][i] = 0.002 * (1.0 + i * i % 97) * (i + 1); }
        errors[k][0] = k == 0 ? 1e-21 : 1e-9;
        picture_Series series = { .y = errors[k], .count = 300, .filled = true };
        picture_Plot plot = picture_plot_default();
        sinew_Message message = { "" };
        paths[k] = test_temp_path(k == 0 ? "bound0.svg" : "bound1.svg");
        plot.series = &series;
        plot.series_count = 1;
        TEST_OK(picture_plot_write(&plot, paths[k], &message), &message);
    }
    check_same_bytes(paths[0], paths[1]);
}

// ---------------------------------------------------------------------------------------------
// Bodies and floors

// a file whose figure stands along +Z is turned, also where no joint is a head, as on Unitree's G1
static void files_with_z_up_are_drawn_upright(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int parent;
        sinew_Vec3 offset;
    } body[] = { { "Hips", -1, { 0, 0, 1 } }, { "Box", 0, { 0, 0, 0 } },
        { "BoxEnd", 1, { 0, 0, 0.1 } }, { "Chest", 0, { 0, 0, 0.3 } },
        { "LeftArm", 3, { 0, 0.2, 0.2 } }, { "LeftForeArm", 4, { 0, 0.1, -0.3 } },
        { "LeftHand", 5, { 0, 0, -0.3 } }, { "RightArm", 3, { 0, -0.2, 0.2 } },
        { "RightForeArm", 7, { 0, -0.1, -0.3 } }, { "RightHand", 8, { 0, 0, -0.3 } },
        { "LeftUpLeg", 0, { 0, 0.1, 0 } }, { "LeftLeg", 10, { 0, 0, -0.45 } },
        { "LeftFoot", 11, { 0, 0, -0.45 } }, { "RightUpLeg", 0, { 0, -0.1, 0 } },
        { "RightLeg", 13, { 0, 0, -0.45 } }, { "RightFoot", 14, { 0, 0, -0.45 } } };
    enum { COUNT = (int)(sizeof body / sizeof body[0]) };
    const sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[COUNT];
    sinew_Skeleton *skeleton = NULL;
    for (int j = 0; j < COUNT; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = body[j].name;
        joints[j].parent = body[j].parent;
        joints[j].offset = body[j].offset;
        joints[j].axes = &ball;
        joints[j].axis_count = 1;
    }
    TEST_OK(sinew_skeleton_create(joints, COUNT, NULL, &skeleton, NULL), NULL);
    double q[4 * COUNT];
    sinew_pose_rest(skeleton, q);
    const sinew_PoseList motion = { q, 1 };
    snw_Body drawn;
    TEST_TRUE(snw_body_create(skeleton, sinew_vec3(0.0, 0.0, 0.0), &motion, &drawn));
    sinew_Vec3 up = sinew_quat_rotate(drawn.upright, sinew_vec3(0.0, 0.0, 1.0));
    TEST_VEC3_NEAR(up, sinew_vec3(0.0, 1.0, 0.0), 1e-12);
    snw_body_destroy(&drawn);

    // so is a ghost whose file has another up than the figure's, whichever of the two is turned
    scene_Scene *scene = open_scene("MAN18");
    double rest[128];
    sinew_pose_rest(scene->skeleton, rest);
    for (int turned = 0; turned < 2; ++turned) {
        snw_StageDef def = { 0 };
        def.skeleton = turned ? skeleton : scene->skeleton;
        def.q = turned ? q : rest;
        def.ghost_skeleton = turned ? scene->skeleton : skeleton;
        def.ghost_q = turned ? rest : q;
        snw_Stage stage;
        TEST_OK(snw_stage_create(&def, &stage, NULL), NULL);
        up = turned ? sinew_vec3(0.0, 1.0, 0.0) : sinew_vec3(0.0, 0.0, 1.0);
        TEST_VEC3_NEAR(
            sinew_quat_rotate(stage.ghost_body.upright, up), sinew_vec3(0.0, 1.0, 0.0), 1e-12);
        snw_stage_destroy(&stage);
    }
    scene_destroy(scene);
    sinew_skeleton_destroy(skeleton);
}

static void stray_ends_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int parent;
        sinew_Vec3 offset;
    } body[11] = { { "hips", -1, { 0, 1, 0 } }, { "spine", 0, { 0, 0.3, 0 } },
        { "head", 1, { 0, 0.3, 0 } }, { "LeftArm", 1, { 0.2, 0.2, 0 } },
        { "LeftHand", 3, { 0.5, 0, 0 } }, { "LeftTip", 4, { 0.1, 0, 0 } },
        { "RightArm", 1, { -0.2, 0.2, 0 } }, { "RightHand", 6, { -0.5, 0, 0 } },
        { "RightTip", 7, { 1.6, 0, 0 } }, { "LeftLeg", 0, { 0.1, -0.5, 0 } },
        { "RightLeg", 0, { -0.1, -0.5, 0 } } };
    for (int stray = 0; stray < 2; ++stray) {
        sinew_JointDef joints[11];
        sinew_Skeleton *skeleton = NULL;
        for (int j = 0; j < 11; ++j) {
            joints[j] = sinew_joint_def_default();
            joints[j].name = body[j].name;
            joints[j].parent = body[j].parent;
            joints[j].offset = body[j].offset;
        }
        if (!stray) { joints[8].offset.x = -0.1; }
        TEST_OK(sinew_skeleton_create(joints, 11, NULL, &skeleton, NULL), NULL);
        snw_Body drawn;
        TEST_TRUE(snw_body_create(skeleton, sinew_vec3(0, 0, 0), NULL, &drawn));
        TEST_INT(drawn.stray[8], stray);
        TEST_TRUE(!drawn.stray[5] && drawn.size < 2.0);
        double q = 0.0;
        sinew_Transform scratch[11];
        sinew_Vec3 positions[11];
        snw_body_pose(&drawn, &q, scratch, positions);
        TEST_VEC3_NEAR(positions[8],
            sinew_vec3_add(positions[7], sinew_vec3(stray ? 0.0 : -0.1, 0.0, 0.0)), 1e-12);
        for (int i = 0; i < drawn.bone_count; ++i) { TEST_TRUE(!stray || drawn.bones[i].to != 8); }
        snw_body_destroy(&drawn);
        sinew_skeleton_destroy(skeleton);
    }
}

// frames and sensors beside a machine's joints are not drawn, its tool is
static void frames_of_machines_are_left_out(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int parent;
        bool turns, shown;
    } parts[8] = { { "base", -1, false, true }, { "antenna", 0, false, false },
        { "antenna_frame", 1, false, false }, { "column", 0, false, true },
        { "shoulder", 3, true, true }, { "camera", 4, false, false }, { "elbow", 4, true, true },
        { "tool", 6, false, true } };
    const sinew_Axis axis = sinew_axis_hinge(sinew_vec3(1.0, 0.0, 0.0), -1.0, 1.0);
    for (int has_column = 0; has_column < 2; ++has_column) {
        sinew_JointDef joints[8];
        sinew_Skeleton *skeleton = NULL;
        int count = 0;
        for (int j = 0; j < 8; ++j) {
            // without fixed links between its joints what is fixed is a part of the body
            if (!has_column && (j == 2 || j == 3)) { continue; }
            joints[count] = sinew_joint_def_default();
            joints[count].name = parts[j].name;
            joints[count].parent = !has_column && j > 3 ? (j == 4 ? 0 : parts[j].parent - 2)
                                                        : parts[j].parent;
            joints[count].offset = sinew_vec3(0.05 * (j % 2), 0.3, 0.1 * (j == 5));
            joints[count].axes = parts[j].turns ? &axis : NULL;
            joints[count++].axis_count = parts[j].turns;
        }
        TEST_OK(sinew_skeleton_create(joints, count, NULL, &skeleton, NULL), NULL);
        snw_Body body;
        TEST_TRUE(snw_body_create(skeleton, sinew_vec3(0.0, 1.0, 0.0), NULL, &body));
        for (int j = 0; j < count; ++j) { TEST_INT(body.stray[j], has_column && !parts[j].shown); }
        snw_body_destroy(&body);
        sinew_skeleton_destroy(skeleton);
    }
}

// What a person's hips hang on is no part of it: a root on the floor that stays behind, three metres away.
static void roots_that_stay_behind_are_no_bones(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    const int count = sinew_skeleton_joint_count(scene->skeleton);
    const sinew_Joint *own = sinew_skeleton_joints(scene->skeleton);
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    sinew_JointDef joints[64];
    TEST_TRUE(count < 64);
    joints[0] = sinew_joint_def_default();
    joints[0].name = "Root";
    for (int j = 0; j < count; ++j) {
        joints[j + 1] = sinew_joint_def_default();
        joints[j + 1].name = own[j].name;
        joints[j + 1].parent = own[j].parent + 1;
        joints[j + 1].offset = own[j].offset;
        joints[j + 1].rest_rotation = own[j].rest_rotation;
        joints[j + 1].axes = axes + own[j].axis_start;
        joints[j + 1].axis_count = own[j].axis_count;
    }
    joints[1].offset.x += 3.0;
    sinew_Skeleton *skeleton = NULL;
    TEST_OK(sinew_skeleton_create(joints, count + 1, NULL, &skeleton, NULL), NULL);
    snw_Body without, with;
    const sinew_Vec3 up = { 0.0, 1.0, 0.0 };
    TEST_TRUE(snw_body_create(scene->skeleton, up, NULL, &without));
    TEST_TRUE(snw_body_create(skeleton, up, NULL, &with));
    TEST_NEAR(with.size, without.size, 1e-9);
    TEST_TRUE(with.has_legs);
    TEST_INT(with.bone_count, without.bone_count);
    TEST_INT(with.bones[0].from, without.bones[0].from + 1);
    snw_body_destroy(&without);
    snw_body_destroy(&with);
    sinew_skeleton_destroy(skeleton);
    scene_destroy(scene);
}

typedef struct Seen {
    int blue, orange, changed;
} Seen;

static Seen look_at_figure(snw_Stage *stage, const snw_Camera *camera, snw_FigureStyle style)
{
    enum { SIZE = 200 };
    static uint32_t pixels[SIZE * SIZE];
    cairo_surface_t *surface = cairo_image_surface_create_for_data(
        (unsigned char *)pixels, CAIRO_FORMAT_RGB24, SIZE, SIZE, 4 * SIZE);
    cairo_t *cr = cairo_create(surface);
    snw_color_set(cr, SNW_PAPER, 1.0);
    cairo_paint(cr);
    cairo_surface_flush(surface);
    const uint32_t paper = pixels[0];
    TEST_INT(snw_figure_draw(cr, camera, snw_stage_character(stage), NULL, style), SINEW_STATUS_OK);
    cairo_surface_flush(surface);
    Seen seen = { 0, 0, 0 };
    for (int i = 0; i < SIZE * SIZE; ++i) {
        const int red = (int)(pixels[i] >> 16) & 255, blue = (int)pixels[i] & 255;
        seen.blue += blue > red + 40;
        seen.orange += red > blue + 40;
        seen.changed += abs(red - ((int)(paper >> 16) & 255)) > 3;
    }
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
    return seen;
}

/// A scene on a stage, at its first moment.
typedef struct Staged {
    scene_Scene *scene;
    sinew_Clip *clip;
    snw_Stage stage;
} Staged;

static void open_stage(const char *name, int frames, Staged *out)
{
    snw_StageDef def = { 0 };
    out->scene = open_scene(name);
    out->clip = motion_of(out->scene, frames);
    def.skeleton = out->scene->skeleton;
    def.clip = out->clip;
    TEST_OK(snw_stage_create(&def, &out->stage, NULL), NULL);
    snw_stage_set(&out->stage, 0.0);
}

static void close_stage(Staged *staged)
{
    snw_stage_destroy(&staged->stage);
    sinew_clip_destroy(staged->clip);
    scene_destroy(staged->scene);
}

// A motion that repeats itself at the spacing of the figures shows other moments of it, one that does not the same as
// ever.
static void sheets_do_not_lock_onto_a_period(void **state)
{
    (void)state;
    enum { PERIOD = 30, COUNT = 9, FRAMES = PERIOD * (COUNT - 1) + 1 };
    Staged staged;
    double frames[COUNT];
    open_stage("MAN18", FRAMES, &staged);
    snw_stage_choose_frames(&staged.stage, COUNT, frames);
    for (int i = 0; i < COUNT; ++i) { TEST_NEAR(frames[i], PERIOD * i, 0.0); }
    snw_stage_destroy(&staged.stage);

    size_t width = (size_t)sinew_skeleton_coordinate_count(staged.scene->skeleton);
    for (int f = 0; f < FRAMES; ++f) {
        memcpy(sinew_clip_frame(staged.clip, f), sinew_clip_frame_const(staged.clip, f % PERIOD),
            width * sizeof(double));
    }
    snw_StageDef def = { 0 };
    def.skeleton = staged.scene->skeleton;
    def.clip = staged.clip;
    TEST_OK(snw_stage_create(&def, &staged.stage, NULL), NULL);
    snw_stage_choose_frames(&staged.stage, COUNT, frames);
    double lowest = PERIOD, highest = 0.0;
    for (int i = 0; i < COUNT; ++i) {
        TEST_NEAR(frames[i], floor(frames[i]), 0.0);
        lowest = fmin(lowest, fmod(frames[i], PERIOD));
        highest = fmax(highest, fmod(frames[i], PERIOD));
    }
    TEST_TRUE(highest - lowest > PERIOD / 4);
    TEST_TRUE(frames[COUNT - 1] >= FRAMES - 1 - PERIOD && frames[COUNT - 1] < FRAMES);
    close_stage(&staged);
}

// front is where the figure looks, whatever way it looks in the world
static void cameras_stand_about_the_figure(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("MAN18");
    const sinew_Skeleton *skeleton = scene->skeleton;
    size_t joints = (size_t)sinew_skeleton_joint_count(skeleton);
    size_t width = (size_t)sinew_skeleton_coordinate_count(skeleton);
    sinew_Transform *local = calloc(joints, sizeof *local);
    double *q = calloc(width, sizeof *q);
    assert_non_null(local);
    assert_non_null(q);
    sinew_pose_rest(skeleton, q);
    sinew_pose_to_local(skeleton, q, local);
    const sinew_Quat turn = sinew_quat_from_axis_angle(sinew_vec3(0.0, 1.0, 0.0), 0.5 * SINEW_PI);
    local[0].rotation = sinew_quat_mul(turn, local[0].rotation);
    TEST_OK(sinew_pose_from_local(skeleton, local, NULL, q, NULL, NULL), NULL);
    static const sinew_Vec3 sides[2] = { { 0.0, 0.0, 1.0 }, { 1.0, 0.0, 0.0 } };
    static const sinew_Vec3 in_world[2] = { { 1.0, 0.0, 0.0 }, { 0.0, 0.0, -1.0 } };
    for (int i = 0; i < 4; ++i) {
        snw_StageDef def = { 0 };
        snw_Stage stage;
        def.skeleton = skeleton;
        def.q = q;
        def.view.toward_camera = sides[i / 2];
        def.view.from_figure = i % 2 == 0;
        TEST_OK(snw_stage_create(&def, &stage, NULL), NULL);
        TEST_VEC3_NEAR(stage.toward, def.view.from_figure ? in_world[i / 2] : sides[i / 2], 1e-9);
        snw_stage_destroy(&stage);
    }
    free(q);
    free(local);
    scene_destroy(scene);
}

// sides have their colours, ghosts none, and what has faded is gone; only the figure's place is painted
static void figures_have_sides_and_fade(void **state)
{
    (void)state;
    Staged staged;
    open_stage("MAN18", 30, &staged);
    const snw_Rect rect = { 50.0, 50.0, 100.0, 100.0 };
    const snw_Camera camera = snw_stage_camera(&staged.stage, rect, 0.0);
    const snw_FigureStyle full = { 0.0, false }, pale = { 0.0, true }, gone = { 1.0, false };
    const Seen own = look_at_figure(&staged.stage, &camera, full);
    TEST_TRUE(own.blue > 100 && own.orange > 100 && own.changed < 100 * 100);
    const Seen ghost = look_at_figure(&staged.stage, &camera, pale);
    TEST_TRUE(ghost.blue == 0 && ghost.orange == 0 && ghost.changed > 500);
    TEST_INT(look_at_figure(&staged.stage, &camera, gone).changed, 0);

    // whole inside the rectangle, filling it one way
    double low_y = INFINITY, high_y = -INFINITY;
    const snw_Character *character = snw_stage_character(&staged.stage);
    for (int v = 0; v < character->skin.vertex_count; ++v) {
        const snw_Spot spot = snw_camera_project(&camera, character->vertices[v]);
        low_y = fmin(low_y, spot.y);
        high_y = fmax(high_y, spot.y);
        TEST_TRUE(spot.x > 50.0 && spot.x < 150.0);
    }
    TEST_TRUE(low_y > 50.0 && high_y < 150.0 && high_y - low_y > 90.0);
    close_stage(&staged);
}

// A ghost of another body, a metre above the figure, is drawn whole: in the frame of one pose, and in sheets
// below their header.
/// Whether two colours differ by no more than what rounding does.
static bool is_alike(uint32_t a, uint32_t b)
{
    for (int shift = 0; shift < 32; shift += 8) {
        if (abs((int)(a >> shift & 255u) - (int)(b >> shift & 255u)) > 2) { return false; }
    }
    return true;
}

static void ghosts_are_inside_their_pictures(void **state)
{
    (void)state;
    scene_Scene *scenes[2] = { open_scene("MAN18"), open_scene("MAN18") };
    sinew_Clip *clips[2] = { motion_of(scenes[0], 60), motion_of(scenes[1], 60) };
    for (int f = 0; f < 60; ++f) { sinew_clip_frame(clips[1], f)[1] += 1.0; }
    snw_StageDef def = { 0 };
    def.skeleton = scenes[0]->skeleton;
    def.clip = clips[0];
    def.ghost_skeleton = scenes[1]->skeleton;
    def.ghost = clips[1];
    snw_Stage stage;
    TEST_OK(snw_stage_create(&def, &stage, NULL), NULL);
    snw_stage_set(&stage, 30.0);
    const snw_Rect rect = { 50.0, 50.0, 100.0, 100.0 };
    const snw_Camera camera = snw_stage_camera(&stage, rect, 0.0);
    snw_character_pose(&stage.ghost_character, stage.shown_ghost_q);
    for (int v = 0; v < stage.ghost_character.skin.vertex_count; ++v) {
        const snw_Spot spot = snw_camera_project(&camera, stage.ghost_character.vertices[v]);
        TEST_TRUE(spot.x > 50.0 && spot.x < 150.0 && spot.y > 50.0 && spot.y < 150.0);
    }
    snw_stage_destroy(&stage);

    const picture_Layout layouts[2] = { PICTURE_LAYOUT_PATH, PICTURE_LAYOUT_CELLS };
    for (int i = 0; i < 2; ++i) {
        picture_Sheet sheet = picture_sheet_default();
        sinew_Message message = { "" };
        const char *path = test_temp_path("ghosts.png");
        sheet.clip = clips[0];
        sheet.ghost = clips[1];
        sheet.layout = layouts[i];
        sheet.figure_count = 3;
        sheet.trail_count = 0;
        sheet.width = 800;
        TEST_OK(picture_sheet_write(&sheet, path, &message), &message);
        cairo_surface_t *read = cairo_image_surface_create_from_png(path);
        TEST_INT(cairo_surface_status(read), CAIRO_STATUS_SUCCESS);
        // the keys are in the right half
        const unsigned char *rows = cairo_image_surface_get_data(read);
        int painted = 0;
        for (int y = 0; y < 34; ++y) {
            const uint32_t *row = (const void *)(rows
                + (size_t)y * (size_t)cairo_image_surface_get_stride(read));
            for (int x = 0; x < 400; ++x) { painted += !is_alike(row[x], row[0]); }
        }
        TEST_INT(painted, 0);
        cairo_surface_destroy(read);
    }
    for (int i = 0; i < 2; ++i) {
        sinew_clip_destroy(clips[i]);
        scene_destroy(scenes[i]);
    }
}

// paths that go on beyond a cell fade before its edge: they ended in a hard cut
static void cells_fade_at_their_edges(void **state)
{
    (void)state;
    enum { FRAMES = 40, WIDTH = 800, MARGIN = 24, EDGE = MARGIN + (WIDTH - 2 * MARGIN) / 3 };
    scene_Scene *scene = open_scene("MAN18");
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_clip_create(scene->skeleton, FRAMES, 1.0 / 30.0, NULL, &clip), NULL);
    for (int t = 0; t < FRAMES; ++t) {
        double *q = sinew_clip_frame(clip, t);
        sinew_pose_rest(scene->skeleton, q);
        q[0] += 0.1 * t;
    }
    picture_Sheet sheet = picture_sheet_default();
    sinew_Message message = { "" };
    const char *path = test_temp_path("cells.png");
    sheet.clip = clip;
    sheet.layout = PICTURE_LAYOUT_CELLS;
    sheet.figure_count = 3;
    sheet.whole_trails = true;
    sheet.width = WIDTH;
    TEST_OK(picture_sheet_write(&sheet, path, &message), &message);
    cairo_surface_t *read = cairo_image_surface_create_from_png(path);
    TEST_INT(cairo_surface_status(read), CAIRO_STATUS_SUCCESS);
    const unsigned char *rows = cairo_image_surface_get_data(read);
    const int high = cairo_image_surface_get_height(read);
    int most[2] = { 0, 0 }; // where the first cell ends and the next begins, further in
    for (int y = 60; y < high - 40; ++y) {
        const uint32_t *row = (const void *)(rows
            + (size_t)y * (size_t)cairo_image_surface_get_stride(read));
        for (int i = 0; i < 4; ++i) {
            const int x[4] = { EDGE - 1, EDGE + 1, EDGE - 20, EDGE + 20 };
            for (int shift = 0; shift < 24; shift += 8) {
                int off = abs((int)(row[x[i]] >> shift & 255) - (int)(row[0] >> shift & 255));
                if (off > most[i / 2]) { most[i / 2] = off; }
            }
        }
    }
    print_message("off the paper: %d at the edges, %d inside\n", most[0], most[1]);
    TEST_TRUE(most[0] <= 16 && most[1] >= 60);
    cairo_surface_destroy(read);
    sinew_clip_destroy(clip);
    scene_destroy(scene);
}

// the soles of who stands are on the floor that is drawn
static void feet_are_on_the_floor(void **state)
{
    (void)state;
    static const char *const names[2] = { "MAN18", "SPIDER" };
    for (int i = 0; i < 2; ++i) {
        Staged staged;
        open_stage(names[i], 200, &staged);
        const snw_Character *character = snw_stage_character(&staged.stage);
        double low = INFINITY;
        for (int v = 0; v < character->skin.vertex_count; ++v) {
            low = fmin(low, character->vertices[v].y);
        }
        TEST_NEAR(low, staged.stage.floor, 0.01 * staged.stage.body.size);
        close_stage(&staged);
    }
}

static bool has_floor(const sinew_Clip *clip)
{
    snw_StageDef def = { 0 };
    snw_Stage stage;
    def.skeleton = sinew_clip_skeleton(clip);
    def.clip = clip;
    TEST_OK(snw_stage_create(&def, &stage, NULL), NULL);
    bool floor = stage.has_floor;
    snw_stage_destroy(&stage);
    return floor;
}

static void floors_are_where_something_stands(void **state)
{
    (void)state;
    static const char *const names[4] = { "MAN18", "SPIDER", "ARM", "CHAIN10" };
    for (int i = 0; i < 4; ++i) {
        scene_Scene *scene = open_scene(names[i]);
        sinew_Clip *clip = motion_of(scene, 300);
        TEST_INT(has_floor(clip), i < 2);
        sinew_clip_destroy(clip);
        scene_destroy(scene);
    }
    // what goes up and down hovers
    sinew_Skeleton *skeleton = make_chain(4, 0.1);
    sinew_Clip *clip = NULL;
    TEST_OK(sinew_clip_create(skeleton, 100, 0.1, NULL, &clip), NULL);
    for (int f = 0; f < 100; ++f) { sinew_clip_frame(clip, f)[1] = 0.5 + 0.3 * sin(0.2 * f); }
    TEST_TRUE(!has_floor(clip));
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// ---------------------------------------------------------------------------------------------
// Reach windows

static void check_region(const sinew_BallLimit *limit, int seed)
{
    enum { VIEWS = 40, POINTS = 300 };
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 8, 8);
    cairo_t *cr = cairo_create(surface);
    snw_Reach reach;
    TEST_TRUE(snw_reach_create(limit, &reach));
    int inside = 0, outside = 0;
    for (int view = 0; view < VIEWS; ++view) {
        test_Random random = test_case((uint64_t)seed, view);
        sinew_Vec3 toward = test_unit_vector(&random);
        snw_Camera camera = snw_camera_look(sinew_vec3(0.2, 0.1, -0.3), toward, 40.0);
        camera.focal = 40000.0;
        snw_Globe globe = { &camera, { 0.2, 0.1, -0.3 }, 0.2, test_unit_quat(&random) };
        for (int near = 0; near < 2; ++near) {
            cairo_new_path(cr);
            TEST_TRUE(snw_reach_trace(cr, &reach, &globe, near != 0));
            cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD);
            for (int i = 0; i < POINTS; ++i) {
                sinew_Vec3 p = test_unit_vector(&random);
                double height = sinew_vec3_dot(sinew_quat_rotate(globe.turn, p), toward);
                double margin = snw_reach_margin(&reach, p);
                // close to edges the page has its own opinion
                if ((near ? height : -height) < 0.15 || fabs(margin) < 0.03) { continue; }
                snw_Spot spot = snw_globe_project(&globe, p);
                TEST_INT(cairo_in_fill(cr, spot.x, spot.y) != 0, snw_reach_allows(&reach, p));
                TEST_INT(margin > 0.0, snw_reach_allows(&reach, p));
                inside += margin > 0.0;
                outside += margin < 0.0;
            }
        }
    }
    TEST_TRUE(inside > 100 && outside > 100);
    snw_reach_destroy(&reach);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

// LIM-15: what is filled on the sphere is what the limit allows, from every side
static void windows_are_drawn_where_they_are(void **state)
{
    (void)state;
    scene_Scene *scene = open_scene("LIMITARM");
    const sinew_Axis *axes = sinew_skeleton_axes(scene->skeleton);
    int windows = 0;
    for (int a = 0; a < sinew_skeleton_axis_count(scene->skeleton); ++a) {
        if (axes[a].limit) { check_region(axes[a].limit, 10 + windows++); }
    }
    TEST_TRUE(windows >= 2);
    scene_destroy(scene);

    // narrow, half of everything, nearly everything
    static const double openings[3] = { 0.5, 0.5 * SINEW_PI, 2.5 };
    const sinew_Vec3 axis = { 0.6, 0.0, 0.8 };
    for (int i = 0; i < 3; ++i) {
        sinew_BallLimitDef def = sinew_ball_limit_def_default();
        sinew_ReachWindow window = sinew_reach_cone(&axis, openings[i]);
        sinew_BallLimit *limit = NULL;
        def.windows = &window;
        def.window_count = 1;
        TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, NULL), NULL);
        check_region(limit, 20 + i);
        sinew_ball_limit_destroy(limit);
    }
}

// three cones around a triangle that none of them covers
static void holes_between_windows_stay_open(void **state)
{
    (void)state;
    sinew_Vec3 axes[3];
    sinew_ReachWindow windows[3];
    for (int i = 0; i < 3; ++i) {
        double a = 2.0 * SINEW_PI * i / 3.0;
        axes[i] = sinew_vec3(cos(0.7), sin(0.7) * cos(a), sin(0.7) * sin(a));
        windows[i] = sinew_reach_cone(&axes[i], 0.63);
    }
    sinew_BallLimitDef def = sinew_ball_limit_def_default();
    sinew_BallLimit *limit = NULL;
    def.windows = windows;
    def.window_count = 3;
    TEST_OK(sinew_ball_limit_create(&def, NULL, &limit, NULL), NULL);
    snw_Reach reach;
    TEST_TRUE(snw_reach_create(limit, &reach));
    TEST_INT(reach.loop_count, 2);
    snw_reach_destroy(&reach);
    check_region(limit, 30);
    sinew_ball_limit_destroy(limit);
}

// bones that a rig divides for its twist are as long as the limb, and limits of limbs are drawn however many there are
static void limits_of_divided_limbs_are_drawn(void **state)
{
    (void)state;
    static const char *const names[] = { "upperleg01.L", "upperarm01.R", "foot.L", "head" };
    const char *path = data_path("bvh/makehuman_tpose_6ch.bvh");
    if (path == NULL) { skip(); }
    sinew_MotionFile *file = NULL;
    sinew_RoleGuess *roles = NULL;
    sinew_Rig *rig = NULL;
    sinew_Skeleton *limited = NULL;
    TEST_OK(sinew_motion_read(path, NULL, &file, NULL), NULL);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    TEST_OK(sinew_roles_guess(skeleton, NULL, NULL, &roles, NULL), NULL);
    TEST_OK(sinew_rig_guess(skeleton, roles, NULL, NULL, &rig, NULL), NULL);
    TEST_OK(sinew_rig_apply(skeleton, rig, NULL, &limited, NULL), NULL);
    double *q = calloc((size_t)sinew_skeleton_coordinate_count(limited), sizeof *q);
    assert_non_null(q);
    sinew_pose_rest(limited, q);
    snw_Body body;
    snw_JointLimit *limits = NULL;
    int count = 0;
    TEST_TRUE(snw_body_create(limited, sinew_vec3(0.0, 0.0, 1.0), NULL, &body));
    TEST_TRUE(snw_limits_create(&body, q, 0.05 * body.size, &limits, &count));
    for (int n = 0; n < 4; ++n) {
        int joint = sinew_skeleton_find_joint(limited, names[n]), found = -1;
        for (int i = 0; i < count; ++i) { found = limits[i].joint == joint ? i : found; }
        TEST_TRUE(joint >= 0 && found >= 0);
        if (n == 0) { TEST_TRUE(limits[found].length > 0.35); } // of which 8 cm are above the twist
    }
    snw_limits_destroy(limits, count);
    snw_body_destroy(&body);
    free(q);
    sinew_skeleton_destroy(limited);
    sinew_rig_destroy(rig);
    sinew_roles_destroy(roles);
    sinew_motion_destroy(file);
}

static void limits_are_drawn_by_the_command(void **state)
{
    (void)state;
    const char *path = test_temp_path("arm.png");
    TEST_INT(run_sinew("render scene:LIMITARM --limits --joint Wrist -o %s", path)->code, 0);
    check_signature(path);
    TEST_INT(run_sinew("render scene:LEG --limits --frame 20 -s 600x400 -o %s", path)->code, 0);
    TEST_INT(run_sinew("render scene:HAND --limits -o %s", path)->code, 1);
    TEST_INT(run_sinew("render scene:LEG --joint Knee -o %s", path)->code, 2);
    TEST_INT(run_sinew("render scene:LEG --limits --joint Nose -o %s", path)->code, 1);
    TEST_INT(run_sinew("render scene:LEG --limits -o %s.mp4", path)->code, 2);
}

TEST_MAIN(cmocka_unit_test(all_formats_are_written_with_the_same_bytes),
    cmocka_unit_test(files_with_z_up_are_drawn_upright),
    cmocka_unit_test(cells_fade_at_their_edges),
    cmocka_unit_test(what_cannot_be_written_leaves_no_file), cmocka_unit_test(maps_have_one_scale),
    cmocka_unit_test(things_hide_each_other), cmocka_unit_test(broken_definitions_are_refused),
    cmocka_unit_test(films_are_made_where_ffmpeg_is),
    cmocka_unit_test(without_ffmpeg_one_line_says_so),
    cmocka_unit_test(degenerate_motions_are_drawn), cmocka_unit_test(degenerate_plots_are_drawn),
    cmocka_unit_test(logarithmic_axes_are_bounded), cmocka_unit_test(stray_ends_are_left_out),
    cmocka_unit_test(frames_of_machines_are_left_out),
    cmocka_unit_test(sheets_do_not_lock_onto_a_period),
    cmocka_unit_test(cameras_stand_about_the_figure), cmocka_unit_test(figures_have_sides_and_fade),
    cmocka_unit_test(roots_that_stay_behind_are_no_bones),
    cmocka_unit_test(ghosts_are_inside_their_pictures), cmocka_unit_test(feet_are_on_the_floor),
    cmocka_unit_test(floors_are_where_something_stands),
    cmocka_unit_test(windows_are_drawn_where_they_are),
    cmocka_unit_test(holes_between_windows_stay_open),
    cmocka_unit_test(limits_of_divided_limbs_are_drawn),
    cmocka_unit_test(limits_are_drawn_by_the_command))
