// Real motion files, where they are: every one loads, comes back, and agrees with what others
// computed from it. Skipped without the data folder.

#include "sinew/file.h"
#include "testing.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_FILES 100
#define MAX_JOINTS 256

typedef struct FileList {
    char names[MAX_FILES][128]; // "bvh/x.bvh"
    int count;
} FileList;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void add_folder(FileList *list, const char *folder)
{
    const char *path = data_path(folder);
    DIR *dir = path != NULL ? opendir(path) : NULL;
    if (dir == NULL) { return; }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL && list->count < MAX_FILES;) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || length > 100 || strcmp(entry->d_name + length - 4, ".bvh") != 0) {
            continue;
        }
        snprintf(
            list->names[list->count++], sizeof list->names[0], "%s/%.100s", folder, entry->d_name);
    }
    closedir(dir);
}

// all BVH files in order, or skips the test
static const FileList *list_files(void)
{
    static FileList list;
    list.count = 0;
    add_folder(&list, "bvh");
    add_folder(&list, "hand");
    if (list.count == 0) { skip(); }
    qsort(list.names, (size_t)list.count, sizeof list.names[0], compare_names);
    return &list;
}

static sinew_MotionFile *read_file(const char *name, const sinew_ReadOptions *options)
{
    const char *path = data_path(name);
    if (path == NULL) { skip(); }
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read(path, options, &file, &message), &message);
    TEST_TRUE(sinew_skeleton_joint_count(sinew_motion_skeleton(file)) <= MAX_JOINTS);
    return file;
}

static void world_of(const sinew_MotionFile *file, int frame, sinew_Transform *out_world)
{
    sinew_pose_forward(sinew_motion_skeleton(file),
        sinew_clip_frame_const(sinew_motion_clip(file), frame), out_world);
}

static bool has_warning(const sinew_MotionFile *file, const char *part)
{
    for (int i = 0; i < sinew_motion_warning_count(file); ++i) {
        if (strstr(sinew_motion_warning(file, i), part) != NULL) { return true; }
    }
    return false;
}

static void check_same_skeleton(const sinew_MotionFile *a, const sinew_MotionFile *b)
{
    int count = sinew_skeleton_joint_count(sinew_motion_skeleton(a));
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(b)), count);
    for (int j = 0; j < count; ++j) {
        const sinew_Joint *x = &sinew_skeleton_joints(sinew_motion_skeleton(a))[j];
        const sinew_Joint *y = &sinew_skeleton_joints(sinew_motion_skeleton(b))[j];
        assert_string_equal(y->name, x->name);
        TEST_INT(y->parent, x->parent);
        TEST_INT(y->axis_count, x->axis_count);
        TEST_VEC3_NEAR(y->offset, x->offset, 0.0);
        TEST_INT(sinew_motion_is_end_site(b, j), sinew_motion_is_end_site(a, j));
    }
}

static double largest_distance(const sinew_MotionFile *a, const sinew_MotionFile *b)
{
    static sinew_Transform world_a[MAX_JOINTS], world_b[MAX_JOINTS];
    int joints = sinew_skeleton_joint_count(sinew_motion_skeleton(a));
    int frames = sinew_clip_frame_count(sinew_motion_clip(a));
    double largest = 0.0;
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(b)), frames);
    for (int f = 0; f < frames; ++f) {
        world_of(a, f, world_a);
        world_of(b, f, world_b);
        for (int j = 0; j < joints; ++j) {
            largest = fmax(largest, sinew_vec3_distance(world_a[j].position, world_b[j].position));
        }
    }
    return largest;
}

static void write_like(const sinew_MotionFile *file, const sinew_Clip *clip, const char *path)
{
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
}

// a to b and back to a: joints within 1e-6 of the body height, names, order and offsets the same
static void test_round_trips(void **state)
{
    (void)state;
    const FileList *list = list_files();
    double worst = 0.0;
    for (int i = 0; i < list->count; ++i) {
        sinew_MotionFile *first = read_file(list->names[i], NULL);
        const char *path = test_temp_path("b.bvh");
        write_like(first, sinew_motion_clip(first), path);
        sinew_MotionFile *second, *third;
        TEST_OK(sinew_motion_read(path, NULL, &second, NULL), NULL);
        path = test_temp_path("c.bvh");
        write_like(second, sinew_motion_clip(second), path);
        TEST_OK(sinew_motion_read(path, NULL, &third, NULL), NULL);
        check_same_skeleton(first, second);
        check_same_skeleton(first, third);
        TEST_NEAR(sinew_motion_unit(third), sinew_motion_unit(first), 0.0);
        TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(third)),
            sinew_clip_frame_time(sinew_motion_clip(first)), 0.0);
        double size = sinew_skeleton_size(sinew_motion_skeleton(first));
        double moved = fmax(largest_distance(first, second), largest_distance(first, third)) / size;
        worst = fmax(worst, moved);
        if (!(moved <= 1e-6)) {
            print_error("%s moved by %g of its size\n", list->names[i], moved);
        }
        TEST_TRUE(moved <= 1e-6);
        sinew_motion_destroy(third);
        sinew_motion_destroy(second);
        sinew_motion_destroy(first);
    }
    print_message("%d files, largest move %.2g of the body's size\n", list->count, worst);
}

// The numbers of a file, between its Frame Time line and its end.
static double *load_numbers(const char *path, int count)
{
    FILE *in = fopen(path, "rb");
    TEST_TRUE(in != NULL);
    if (in == NULL) { return NULL; }
    double *numbers = calloc((size_t)count + 1, sizeof *numbers);
    char line[1024];
    while (fgets(line, sizeof line, in) != NULL && strncmp(line, "Frame Time", 10) != 0) {}
    int read = 0;
    while (numbers != NULL && read < count && fscanf(in, "%lf", &numbers[read]) == 1) { ++read; }
    fclose(in);
    TEST_INT(read, count);
    return numbers;
}

// the angles written are the angles of the file itself, frame by frame, wherever the file is
// continuous: no new jumps
static void test_angles_survive(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_file("bvh/cmu_12_03_mb.bvh", NULL);
    const char *path = test_temp_path("angles.bvh");
    write_like(file, sinew_motion_clip(file), path);
    int frames = sinew_clip_frame_count(sinew_motion_clip(file)), width = 96;
    double *source = load_numbers(data_path("bvh/cmu_12_03_mb.bvh"), frames * width);
    double *written = load_numbers(path, frames * width);
    int jumps_source = 0, jumps_written = 0;
    for (int i = 0; i < width; ++i) { TEST_NEAR(written[i], source[i], 1e-5); }
    for (int i = width; i < frames * width; ++i) {
        jumps_source += fabs(source[i] - source[i - width]) > 60.0;
        jumps_written += fabs(written[i] - written[i - width]) > 60.0;
    }
    print_message(
        "steps above 60 degrees: %d in the source, %d written\n", jumps_source, jumps_written);
    TEST_TRUE(jumps_written <= jumps_source);
    free(source);
    free(written);
    sinew_motion_destroy(file);
}

// Steps in which an angle of a joint changes by 1 rad more than the joint turns.
static int count_angle_jumps(const char *path)
{
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *balls, *hinges;
    TEST_OK(sinew_motion_read(path, NULL, &balls, NULL), NULL);
    options.euler_joints = true;
    TEST_OK(sinew_motion_read(path, &options, &hinges, NULL), NULL);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(balls);
    int jumps = 0;
    for (int i = 0; i < sinew_skeleton_axis_count(skeleton); ++i) {
        if (sinew_skeleton_axes(skeleton)[i].kind != SINEW_AXIS_BALL) { continue; }
        const sinew_AxisPlace *place = &sinew_skeleton_axis_places(skeleton)[i];
        const sinew_Joint *euler = &sinew_skeleton_joints(
            sinew_motion_skeleton(hinges))[place->joint];
        int angles = euler->coordinate_start + euler->coordinate_count - 3;
        for (int f = 1; f < sinew_clip_frame_count(sinew_motion_clip(balls)); ++f) {
            const double *a = sinew_clip_frame_const(sinew_motion_clip(balls), f - 1)
                + place->coordinate;
            const double *b = sinew_clip_frame_const(sinew_motion_clip(balls), f)
                + place->coordinate;
            sinew_Quat qa = { a[0], a[1], a[2], a[3] }, qb = { b[0], b[1], b[2], b[3] };
            const double *x = sinew_clip_frame_const(sinew_motion_clip(hinges), f - 1) + angles;
            const double *y = sinew_clip_frame_const(sinew_motion_clip(hinges), f) + angles;
            double change = fmax(fabs(y[0] - x[0]), fmax(fabs(y[1] - x[1]), fabs(y[2] - x[2])));
            jumps += change - sinew_quat_angle(qa, qb) > 1.0;
        }
    }
    sinew_motion_destroy(hinges);
    sinew_motion_destroy(balls);
    return jumps;
}

// written angles jump where gimbal lock makes them, nowhere else, and never more than in the source
static void test_no_new_angle_jumps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int most;
    } files[] = { { "bvh/cmu_01_01_mb.bvh", 0 }, { "bvh/fair_dab.bvh", 0 },
        { "bvh/mass_backflip.bvh", 6 }, { "bvh/boxing_toes_offbyone.bvh", 2 },
        { "bvh/rokokovision_walking.bvh", 17 } };
    for (int i = 0; i < 5; ++i) {
        sinew_MotionFile *file = read_file(files[i].name, NULL);
        const char *path = test_temp_path("jumps.bvh");
        write_like(file, sinew_motion_clip(file), path);
        int source = count_angle_jumps(data_path(files[i].name)), written = count_angle_jumps(path);
        print_message(
            "%s: %d jumps of angles in the source, %d written\n", files[i].name, source, written);
        TEST_TRUE(written <= source && written <= files[i].most);
        sinew_motion_destroy(file);
    }
}

// SKEL-8, files read as hinges pose the same as files read as balls
static void test_hinges_pose_the_same(void **state)
{
    (void)state;
    const FileList *list = list_files();
    sinew_ReadOptions options = sinew_read_options_default();
    options.euler_joints = true;
    for (int i = 0; i < list->count; ++i) {
        sinew_MotionFile *balls = read_file(list->names[i], NULL);
        sinew_MotionFile *hinges = read_file(list->names[i], &options);
        double size = sinew_skeleton_size(sinew_motion_skeleton(balls));
        TEST_TRUE(largest_distance(balls, hinges) <= 1e-12 * size
                * (1.0
                    + sinew_vec3_length(
                          sinew_skeleton_joints(sinew_motion_skeleton(balls))[0].offset)
                        / size));
        sinew_motion_destroy(hinges);
        sinew_motion_destroy(balls);
    }
}

// positions computed by another program for the same file, five decimals, file units
static void test_third_party_positions(void **state)
{
    (void)state;
    const char *path = data_path("bvh/bvhtoolbox_walk01_pos.csv");
    if (path == NULL) { skip(); }
    sinew_MotionFile *file = read_file("bvh/bvhtoolbox_walk01.bvh", NULL);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    FILE *in = fopen(path, "rb");
    TEST_TRUE(in != NULL);
    if (in == NULL) { return; }
    static char line[1 << 14];
    static sinew_Transform world[MAX_JOINTS];
    int columns[MAX_JOINTS * 3], count = 0;
    TEST_TRUE(fgets(line, sizeof line, in) != NULL);
    // time,Hips.x,Hips.y,...: the joint of every third column; End Sites are called X_End there
    (void)strtok(line, ",\r\n");
    for (char *word; (word = strtok(NULL, ",\r\n")) != NULL;) {
        *strrchr(word, '.') = '\0';
        size_t length = strlen(word);
        if (length > 4 && strcmp(word + length - 4, "_End") == 0) {
            memcpy(word + length - 4, "_end", 4);
        }
        columns[count++] = sinew_skeleton_find_joint(skeleton, word);
        TEST_TRUE(columns[count - 1] >= 0);
    }
    TEST_INT(count, 3 * 24);
    double worst = 0.0;
    for (int f = 0; f < sinew_clip_frame_count(sinew_motion_clip(file)); ++f) {
        TEST_TRUE(fgets(line, sizeof line, in) != NULL);
        world_of(file, f, world);
        (void)strtok(line, ",\r\n");
        for (int c = 0; c < count; c += 3) {
            sinew_Vec3 expected;
            expected.x = strtod(strtok(NULL, ",\r\n"), NULL);
            expected.y = strtod(strtok(NULL, ",\r\n"), NULL);
            expected.z = strtod(strtok(NULL, ",\r\n"), NULL);
            sinew_Vec3 got = sinew_vec3_scale(
                world[columns[c]].position, 1.0 / sinew_motion_unit(file));
            worst = fmax(worst, fabs(got.x - expected.x));
            worst = fmax(worst, fmax(fabs(got.y - expected.y), fabs(got.z - expected.z)));
        }
    }
    fclose(in);
    print_message("largest difference %.3g file units\n", worst);
    TEST_TRUE(worst <= 5.1e-6); // they print five decimals
    sinew_motion_destroy(file);
}

// two conversions of one recording with other rotation orders: the same positions, one frame apart
static void test_two_conversions_agree(void **state)
{
    (void)state;
    sinew_MotionFile *mb = read_file("bvh/cmu_01_01_mb.bvh", NULL);
    sinew_MotionFile *max = read_file("bvh/cmu_01_01_max_first1000.bvh", NULL);
    static sinew_Transform world_a[MAX_JOINTS], world_b[MAX_JOINTS];
    double worst = 0.0, size = sinew_skeleton_size(sinew_motion_skeleton(mb));
    TEST_NEAR(sinew_motion_unit(max), sinew_motion_unit(mb), 0.0);
    for (int f = 0; f < 1000; ++f) {
        world_of(mb, f + 1, world_a);
        world_of(max, f, world_b);
        for (int j = 0; j < 38; ++j) {
            // the offsets of the finger joints differ between the two, and with them all below
            const char *name = sinew_skeleton_joints(sinew_motion_skeleton(mb))[j].name;
            if (sinew_motion_is_end_site(mb, j) || strstr(name, "Fingers") != NULL) { continue; }
            worst = fmax(worst, sinew_vec3_distance(world_a[j].position, world_b[j].position));
        }
    }
    print_message("largest difference %.2g of the body's size\n", worst / size);
    TEST_TRUE(worst <= 1e-12 * size);
    sinew_motion_destroy(max);
    sinew_motion_destroy(mb);
}

// ---------------------------------------------------------------------------------------------
// Units and oddities

// what bodies of known size measure: unit, and where it came from
static const struct {
    const char *name;
    double unit;
    sinew_UnitSource source;
} expected_units[] = {
    { "bvh/boxing_toes_offbyone.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/bvh11_sample_6ch_all.bvh", 0.0254, SINEW_UNIT_GUESSED },
    { "bvh/bvhtoolbox_mocapbank.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/bvhtoolbox_walk01.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/cmu_01_01_max_first1000.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_01_01_mb.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_01_03_mb.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_03_03_daz.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/cmu_12_01_walk_mb.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_12_03_mb.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_131_01_max.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_131_01_scaled_m.bvh", 1.0, SINEW_UNIT_GUESSED },
    { "bvh/cmu_131_02_max.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_131_03_max.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/cmu_14_jumping_jacks_30fps.bvh", 0.0254 / 0.45, SINEW_UNIT_GUESSED },
    { "bvh/dfki_custom_skeleton_walk.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/fair_dab.bvh", 0.0385, SINEW_UNIT_SCALED },
    { "bvh/fair_jumping.bvh", 0.0385, SINEW_UNIT_SCALED },
    { "bvh/fair_zombie.bvh", 0.0385, SINEW_UNIT_SCALED },
    { "bvh/fairmotion_sinusoidal_noendsite.bvh", 1.0, SINEW_UNIT_ASSUMED },
    { "bvh/makehuman_benchmark_6ch.bvh", 0.1, SINEW_UNIT_GUESSED },
    { "bvh/makehuman_dance1_pose.bvh", 0.1, SINEW_UNIT_GUESSED },
    { "bvh/makehuman_debug_2frames.bvh", 0.0254, SINEW_UNIT_GUESSED },
    { "bvh/makehuman_face_poseunits.bvh", 0.1, SINEW_UNIT_GUESSED },
    { "bvh/makehuman_tpose_6ch.bvh", 0.1, SINEW_UNIT_GUESSED },
    { "bvh/makehuman_walk1.bvh", 0.1, SINEW_UNIT_GUESSED },
    { "bvh/mass_backflip.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/mass_dance.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/mass_kick.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/mass_pirouette.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/mass_walk.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/pfnn_hierarchy.bvh", 1.0, SINEW_UNIT_GUESSED },
    { "bvh/pybvh_example_mixed_orders.bvh", 0.0254, SINEW_UNIT_GUESSED },
    { "bvh/pybvh_full_precision_frame_time.bvh", 1.0, SINEW_UNIT_ASSUMED },
    { "bvh/pybvh_standard_skeleton.bvh", 0.0254, SINEW_UNIT_GUESSED },
    { "bvh/rokokovision_boxing.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/rokokovision_jumping_in_place.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/rokokovision_kicking.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/rokokovision_walking.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/rokokovision_wave_dance.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "bvh/xsens_jl_tpose.bvh", 0.01, SINEW_UNIT_GUESSED },
    { "hand/leap_clenching.bvh", 0.001, SINEW_UNIT_GUESSED },
    { "hand/leap_thumbelina.bvh", 0.001, SINEW_UNIT_GUESSED },
};

static void test_units(void **state)
{
    (void)state;
    (void)list_files();
    int wrong = 0, count = (int)(sizeof expected_units / sizeof expected_units[0]);
    for (int i = 0; i < count; ++i) {
        sinew_MotionFile *file = read_file(expected_units[i].name, NULL);
        double expected = expected_units[i].unit;
        bool same = fabs(sinew_motion_unit(file) - expected) <= 0.002 * expected
            && sinew_motion_unit_source(file) == expected_units[i].source;
        if (!same) {
            print_error("%s: unit %g, expected %g\n", expected_units[i].name,
                sinew_motion_unit(file), expected);
        }
        wrong += !same;
        sinew_motion_destroy(file);
    }
    print_message("%d of %d units as measured\n", count - wrong, count);
    TEST_INT(wrong, 0);
}

// each oddity that was measured in these files is said
static const struct {
    const char *name, *warning;
} expected_warnings[] = {
    { "bvh/boxing_toes_offbyone.bvh", "the header says 3069 frames, the file has 3070" },
    { "hand/leap_clenching.bvh", "the header says 190 frames, the file has 191" },
    { "hand/leap_clenching.bvh", "text: the last line has no end" },
    { "hand/leap_clenching.bvh", "the hand 0.142 m long" },
    { "bvh/bvh11_sample_6ch_all.bvh",
        "position channels on 18 joints below the root: they replace OFFSET" },
    { "bvh/makehuman_benchmark_6ch.bvh",
        "position channels on 133 joints below the root: added to OFFSET" },
    { "bvh/makehuman_tpose_6ch.bvh",
        "position channels on 143 joints below the root: added to OFFSET" },
    { "bvh/rokokovision_walking.bvh",
        "root Hips has OFFSET 0 94 0, replaced by its position channels" },
    { "bvh/rokokovision_walking.bvh", "frame 0 is far from frame 1" },
    { "bvh/dfki_custom_skeleton_walk.bvh", "they start near 0, so they may be differences to it" },
    { "bvh/cmu_01_01_mb.bvh",
        "10 joints on top of the parent (bones of length zero), first LHipJoint" },
    { "bvh/cmu_01_01_mb.bvh", "Frame Time begins with a point: taken as 0.0083333 s" },
    { "bvh/cmu_01_01_mb.bvh", "frame 0 is far from frame 1" },
    { "bvh/cmu_01_01_mb.bvh", "as in CMU recordings" },
    { "bvh/cmu_01_03_mb.bvh", "by more than 115 degrees in one step" },
    { "bvh/cmu_12_01_walk_mb.bvh", "text: different line ends in one file" },
    { "bvh/mass_walk.bvh", "18 End Sites of length zero" },
    { "bvh/mass_walk.bvh", "1 End Site longer than half the figure" },
    { "bvh/fair_dab.bvh", "no unit makes a figure 44.15 units tall human, scaled to 1.7 m" },
    { "bvh/fair_dab.bvh", "the figure stands along +Z" },
    { "bvh/fairmotion_sinusoidal_noendsite.bvh", "1 joint at the end of a chain without End Site" },
};

static void test_oddities_are_told(void **state)
{
    (void)state;
    (void)list_files();
    for (size_t i = 0; i < sizeof expected_warnings / sizeof expected_warnings[0]; ++i) {
        sinew_MotionFile *file = read_file(expected_warnings[i].name, NULL);
        bool told = has_warning(file, expected_warnings[i].warning);
        if (!told) {
            print_error("%s: nothing says \"%s\"\n", expected_warnings[i].name,
                expected_warnings[i].warning);
        }
        TEST_TRUE(told);
        sinew_motion_destroy(file);
    }
}

// bones keep their length: files with positions on all joints are read the right way round
static void test_bone_lengths_hold(void **state)
{
    (void)state;
    static const char *const names[] = { "bvh/bvh11_sample_6ch_all.bvh",
        "bvh/makehuman_tpose_6ch.bvh", "bvh/makehuman_benchmark_6ch.bvh" };
    static sinew_Transform world[MAX_JOINTS];
    for (int i = 0; i < 3; ++i) {
        sinew_MotionFile *file = read_file(names[i], NULL);
        const sinew_Joint *joints = sinew_skeleton_joints(sinew_motion_skeleton(file));
        double size = sinew_skeleton_size(sinew_motion_skeleton(file));
        world_of(file, 0, world);
        for (int j = 0; j < sinew_skeleton_joint_count(sinew_motion_skeleton(file)); ++j) {
            if (joints[j].parent < 0) { continue; }
            double length = sinew_vec3_distance(
                world[j].position, world[joints[j].parent].position);
            TEST_NEAR(length, sinew_vec3_length(joints[j].offset), 0.002 * size);
        }
        sinew_motion_destroy(file);
    }
}

static void test_other_formats_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *name, *looks;
    } others[] = { { "asf/cmu_01.asf", "found an ASF skeleton file" },
        { "asf/cmu_01_01.amc", "found an AMC motion file" },
        { "terrain/raylib_heightmap.png", "found a PNG picture" } };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        const char *path = data_path(others[i].name);
        if (path == NULL) { skip(); }
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        TEST_INT(sinew_motion_read(path, NULL, &file, &message), SINEW_STATUS_UNSUPPORTED);
        TEST_TRUE(strstr(message.text, others[i].looks) != NULL);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// whole files, from disk to clip; printed, not judged, as machines differ
static void test_reading_speed(void **state)
{
    (void)state;
    const char *path = data_path("bvh/cmu_01_03_mb.bvh");
    if (path == NULL) { skip(); }
    double best_read = INFINITY, best_write = INFINITY;
    for (int i = 0; i < 5; ++i) {
        double start = seconds();
        sinew_MotionFile *file = read_file("bvh/cmu_01_03_mb.bvh", NULL);
        best_read = fmin(best_read, seconds() - start);
        start = seconds();
        write_like(file, sinew_motion_clip(file), test_temp_path("speed.bvh"));
        best_write = fmin(best_write, seconds() - start);
        sinew_motion_destroy(file);
    }
    print_message("3.4 MB read in %.1f ms (%.0f MB/s), written in %.1f ms\n", 1e3 * best_read,
        3.4156 / best_read, 1e3 * best_write);
    TEST_TRUE(best_read < 5.0);
}

TEST_MAIN(cmocka_unit_test(test_round_trips), cmocka_unit_test(test_angles_survive),
    cmocka_unit_test(test_no_new_angle_jumps), cmocka_unit_test(test_hinges_pose_the_same),
    cmocka_unit_test(test_third_party_positions), cmocka_unit_test(test_two_conversions_agree),
    cmocka_unit_test(test_units), cmocka_unit_test(test_oddities_are_told),
    cmocka_unit_test(test_bone_lengths_hold), cmocka_unit_test(test_other_formats_are_named),
    cmocka_unit_test(test_reading_speed))
