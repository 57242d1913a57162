// BVH reader and writer on small files made for each dialect and each mistake.

#include "file/text.h"
#include "math/euler.h"
#include "sinew/file.h"
#include "testing.h"

#include <dirent.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------------------------------------
// Helpers

static sinew_MotionFile *read_bytes(const char *data, size_t size, const sinew_ReadOptions *options)
{
    // a copy of its own, so that the sanitizer sees a read past the end
    char *copy = malloc(size > 0 ? size : 1);
    TEST_TRUE(copy != NULL);
    if (copy == NULL) { return NULL; }
    if (size > 0) { memcpy(copy, data, size); }
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read_memory(copy, size, "test.bvh", options, &file, &message), &message);
    free(copy);
    return file;
}

static sinew_MotionFile *read_text(const char *text)
{
    return read_bytes(text, strlen(text), NULL);
}

static void check_refused_bytes(
    const char *data, size_t size, sinew_Status wanted, const char *wanted_message)
{
    char *copy = malloc(size > 0 ? size : 1);
    TEST_TRUE(copy != NULL);
    if (copy == NULL) { return; }
    if (size > 0) { memcpy(copy, data, size); }
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    sinew_Status status = sinew_motion_read_memory(copy, size, "t.bvh", NULL, &file, &message);
    free(copy);
    TEST_TRUE(file == NULL);
    if (strcmp(message.text, wanted_message) != 0) {
        print_error("got:    %s\nwanted: %s\n", message.text, wanted_message);
    }
    assert_string_equal(message.text, wanted_message);
    TEST_INT(status, wanted);
}

static void check_refused(const char *text, const char *wanted_message)
{
    check_refused_bytes(text, strlen(text), SINEW_STATUS_BAD_FILE, wanted_message);
}

static bool has_warning(const sinew_MotionFile *file, const char *part)
{
    for (int i = 0; i < sinew_motion_warning_count(file); ++i) {
        if (strstr(sinew_motion_warning(file, i), part) != NULL) { return true; }
    }
    return false;
}

static void check_warning(const sinew_MotionFile *file, const char *part)
{
    if (has_warning(file, part)) { return; }
    print_error("no warning says \"%s\"; there are:\n", part);
    for (int i = 0; i < sinew_motion_warning_count(file); ++i) {
        print_error("  %s\n", sinew_motion_warning(file, i));
    }
    fail();
}

#define MAX_TEST_JOINTS 64

static void world_of(const sinew_MotionFile *file, int frame, sinew_Transform *out_world)
{
    const sinew_Clip *clip = sinew_motion_clip(file);
    TEST_TRUE(sinew_skeleton_joint_count(sinew_clip_skeleton(clip)) <= MAX_TEST_JOINTS);
    sinew_pose_forward(sinew_clip_skeleton(clip), sinew_clip_frame_const(clip, frame), out_world);
}

static void check_same_motion(
    const sinew_MotionFile *a, const sinew_MotionFile *b, double tolerance)
{
    int joints = sinew_skeleton_joint_count(sinew_motion_skeleton(a));
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(b)), joints);
    TEST_INT(
        sinew_clip_frame_count(sinew_motion_clip(b)), sinew_clip_frame_count(sinew_motion_clip(a)));
    sinew_Transform world_a[MAX_TEST_JOINTS], world_b[MAX_TEST_JOINTS];
    for (int f = 0; f < sinew_clip_frame_count(sinew_motion_clip(a)); ++f) {
        world_of(a, f, world_a);
        world_of(b, f, world_b);
        for (int j = 0; j < joints; ++j) {
            TEST_VEC3_NEAR(world_b[j].position, world_a[j].position, tolerance);
        }
    }
}

static const char *temp_file(const char *name, const char *text)
{
    const char *path = test_temp_path(name);
    FILE *out = fopen(path, "wb");
    TEST_TRUE(out != NULL);
    if (out == NULL) { return path; }
    fwrite(text, 1, strlen(text), out);
    fclose(out);
    return path;
}

static char *load(const char *path)
{
    FILE *in = fopen(path, "rb");
    TEST_TRUE(in != NULL);
    if (in == NULL) { return NULL; }
    char *text = calloc(1, 1 << 20);
    size_t used = text != NULL ? fread(text, 1, (1 << 20) - 1, in) : 0;
    TEST_TRUE(used > 0);
    fclose(in);
    return text;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// every way of writing a number is read as strtod reads it
static void test_numbers(void **state)
{
    (void)state;
    static const char *const fixed[] = { "0", "-0", "+1", ".0083333", "1.", "-.5", "1e3", "1E-3",
        "1e+22", "1e23", "9007199254740993", "123456789012345678", "0.1", "4.9e-324", "1e-400",
        "2.2250738585072011e-308", "1.7976931348623157e308", "0000000000000000000000000000001.5",
        "3.14159265358979323846264338327950288", "-9.23872e-007",
        "0.000000000000000000000000000001", "1e-99999999999" };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; ++i) {
        snw_Text text = { fixed[i], strlen(fixed[i]), 0, "", NULL, false };
        double value;
        TEST_INT(snw_text_number(&text, &value), SNW_NUMBER_OK);
        TEST_TRUE(value == strtod(fixed[i], NULL));
        TEST_INT((long long)text.at, (long long)text.size);
    }
    test_Random random = test_random(21);
    for (int i = 0; i < 300000; ++i) {
        char printed[64];
        static const char *const formats[] = { "%.3f", "%.6f", "%.10f", "%.17g", "%.6e", "%.15g" };
        double value = test_normal(&random) * pow(10.0, test_int(&random, 13) - 6);
        snprintf(printed, sizeof printed, formats[test_int(&random, 6)], value);
        snw_Text text = { printed, strlen(printed), 0, "", NULL, false };
        double back;
        TEST_INT(snw_text_number(&text, &back), SNW_NUMBER_OK);
        TEST_TRUE(back == strtod(printed, NULL));
    }
    static const char *const none[] = { "", ".", "-", "+", "e5", "1e", "1e+", "1.5.2", "0x10",
        "1,5", "12abc", "--1", "1-2" };
    for (size_t i = 0; i < sizeof none / sizeof none[0]; ++i) {
        snw_Text text = { none[i], strlen(none[i]), 0, "", NULL, false };
        double value;
        TEST_INT(snw_text_number(&text, &value), SNW_NUMBER_NONE);
    }
    static const char *const wild[] = { "nan", "NaN", "-nan", "nan(0x1)", "inf", "-Infinity",
        "1e400", "1.#IND", "-1.#QNAN" };
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; ++i) {
        snw_Text text = { wild[i], strlen(wild[i]), 0, "", NULL, false };
        double value;
        TEST_INT(snw_text_number(&text, &value), SNW_NUMBER_NOT_FINITE);
    }
}

static void test_number_text(void **state)
{
    (void)state;
    char text[SNW_NUMBER_SIZE];
    static const struct {
        double value;
        int decimals;
        const char *text;
    } cases[] = { { 0.0, 6, "0" }, { -0.0, 6, "0" }, { -1e-9, 6, "0" }, { 1.5, 6, "1.5" },
        { -103.511, 6, "-103.511" }, { 2.0000004, 6, "2" }, { 2.0000006, 6, "2.000001" },
        { 0.05, 2, "0.05" }, { 1234567.0, 6, "1234567" }, { -0.000001, 6, "-0.000001" },
        { 99.9999999, 6, "100" }, { 7.25, 0, "7" }, { 1e18, 6, "1e+18" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        int length = snw_format_decimals(cases[i].value, cases[i].decimals, text);
        assert_string_equal(text, cases[i].text);
        TEST_INT(length, (long long)strlen(text));
    }
    test_Random random = test_random(22);
    for (int i = 0; i < 20000; ++i) {
        double value = test_normal(&random) * pow(10.0, test_int(&random, 30) - 15);
        snw_format_exact(value, text);
        TEST_TRUE(strtod(text, NULL) == value);
    }
    snw_format_exact(0.1, text);
    assert_string_equal(text, "0.1");
}

// numbers do not depend on the process's locale (skipped where no such locale is installed)
static void test_decimal_comma_locale(void **state)
{
    (void)state;
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "de_DE") == NULL) {
        skip();
    }
    snw_Text text = { "1234567890.12345678901", 22, 0, "", NULL, false };
    double value = 0.0;
    snw_NumberResult result = snw_text_number(&text, &value);
    char printed[SNW_NUMBER_SIZE];
    snw_format_exact(0.5, printed);
    setlocale(LC_NUMERIC, "C");
    TEST_INT(result, SNW_NUMBER_OK);
    TEST_TRUE(value == 1234567890.12345678901);
    assert_string_equal(printed, "0.5");
}

// ---------------------------------------------------------------------------------------------
// Dialects

#define ARM                                                                         \
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 0 0\n"                                      \
    " CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"     \
    " JOINT Arm\n {\n  OFFSET 0 10 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n" \
    "  End Site\n  {\n   OFFSET 5 0 0\n  }\n }\n}\n"
#define ARM_MOTION \
    "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3 10 20 30 -40 50 60\n4 5 6 0 0 0 90 0 0\n"

static void test_plain_file(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(ARM ARM_MOTION);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    TEST_INT(sinew_motion_format(file), SINEW_FORMAT_BVH);
    TEST_INT(sinew_skeleton_joint_count(skeleton), 3);
    TEST_INT(sinew_skeleton_dof_count(skeleton), 9);
    TEST_INT(sinew_clip_frame_count(clip), 2);
    TEST_NEAR(sinew_clip_frame_time(clip), 0.1, 0.0);
    assert_string_equal(sinew_skeleton_joints(skeleton)[2].name, "Arm_end");
    TEST_TRUE(sinew_motion_is_end_site(file, 2) && !sinew_motion_is_end_site(file, 1));
    TEST_TRUE(!sinew_motion_is_end_site(file, -1) && !sinew_motion_is_end_site(file, 3));
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_ASSUMED);
    TEST_NEAR(sinew_motion_unit(file), 1.0, 0.0);

    sinew_Transform world[MAX_TEST_JOINTS];
    world_of(file, 1, world);
    TEST_VEC3_NEAR(world[0].position, sinew_vec3(4.0, 5.0, 6.0), 1e-15);
    TEST_VEC3_NEAR(world[1].position, sinew_vec3(4.0, 15.0, 6.0), 1e-14);
    TEST_VEC3_NEAR(world[2].position, sinew_vec3(4.0, 20.0, 6.0), 1e-14);
    double radians = SINEW_PI / 180.0;
    double angles[3] = { 10.0 * radians, 20.0 * radians, 30.0 * radians };
    world_of(file, 0, world);
    int zxy[3] = { 2, 0, 1 };
    TEST_QUAT_NEAR(world[0].rotation, snw_euler_to_quat(zxy, angles), 1e-15);
    sinew_motion_destroy(file);
}

// odd capitals, tabs, every line end, a byte order mark, glued labels, braces on the line, no last line end
static void test_odd_text(void **state)
{
    (void)state;
    sinew_MotionFile *plain = read_text(ARM ARM_MOTION);
    static const char *const same[] = {
        // tabs, capitals, blank lines, CR LF
        "\r\n\r\nhierarchy\r\nRoot\tHips \t\r\n\r\n{\r\n\toffset\t0\t0\t0\r\n"
        "\tChannels 6 XPOSITION yposition Zposition zRotation Xrotation Yrotation\r\n"
        "\tjoint Arm\r\n\t{\r\n\t\tOFFSET 0 10 0 \r\n\tCHANNELS 3 Zrotation Xrotation Yrotation\r\n"
        "END SITE\r\n{\r\nOFFSET 5.0 0e0 .0\r\n}\r\n}\r\n}\r\nmotion\r\n\r\nFRAMES:\t2\r\nframe "
        "time:\t.1\r\n\r\n"
        "1 2 3 10 20 30 -40 50 60\r\n\r\n\r\n4\t5\t6\t0\t0\t0\t90\t0\t0\t\r\n\r\n",
        // lone carriage returns
        "HIERARCHY\rROOT Hips\r{\rOFFSET 0 0 0\rCHANNELS 6 Xposition Yposition Zposition Zrotation "
        "Xrotation Yrotation\r"
        "JOINT Arm\r{\rOFFSET 0 10 0\rCHANNELS 3 Zrotation Xrotation Yrotation\rEnd "
        "Site\r{\rOFFSET 5 0 0\r}\r}\r}\r"
        "MOTION\rFrames: 2\rFrame Time: 0.1\r1 2 3 10 20 30 -40 50 60\r4 5 6 0 0 0 90 0 0\r",
        // a byte order mark, glued labels, braces on the line of the name, no last line end
        "\xef\xbb\xbfHIERARCHY ROOT Hips {OFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
        "Zrotation Xrotation "
        "Yrotation JOINT Arm{ OFFSET 0 10 0 CHANNELS 3 Zrotation Xrotation Yrotation End "
        "Site{OFFSET 5 0 0}}}MOTION\n"
        "Frames:2\nFrameTime:1e-1\n1 2 3 10 20 30 -40 50 60\n4 5 6 0 0 0 90 0 0",
        // labels without or with loose colons, mixed line ends, name on the next line, wrapped numbers
        "HIERARCHY\nROOT\nHips\r\n{\nOFFSET 0 0\n0\nCHANNELS 6 Xposition Yposition "
        "Zposition\nZrotation Xrotation Yrotation\n"
        "JOINT Arm\n{\nCHANNELS 3 Zrotation Xrotation Yrotation\nOFFSET 0 10 0\nEnd\n{\nOFFSET 5 0 "
        "0\nCHANNELS 0\n}\n}\n}\n"
        "MOTION\nFrames 2\nFrame Time : 0.1\n1 2 3 10 20\n30 -40 50 60\n4 5 6 0 0 0 90 0 0\n\n  \n",
        // what DOS put at the end
        ARM ARM_MOTION "\x1a",
    };
    for (size_t i = 0; i < sizeof same / sizeof same[0]; ++i) {
        sinew_MotionFile *file = read_text(same[i]);
        check_same_motion(plain, file, 0.0);
        assert_string_equal(sinew_skeleton_joints(sinew_motion_skeleton(file))[0].name, "Hips");
        assert_string_equal(sinew_skeleton_joints(sinew_motion_skeleton(file))[1].name, "Arm");
        TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(file)), 0.1, 0.0);
        if (i == 0) { check_warning(file, "Frame Time begins with a point: taken as 0.1 s"); }
        if (i == 1) { check_warning(file, "text: lines end with a lone carriage return"); }
        if (i == 2) { check_warning(file, "text: byte order mark at the start"); }
        if (i == 2) { check_warning(file, "text: the last line has no end"); }
        if (i == 3) { check_warning(file, "text: different line ends in one file"); }
        sinew_motion_destroy(file);
    }
    sinew_motion_destroy(plain);
}

static void test_names(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(
        "HIERARCHY\nROOT mixamorig:Hips\n{\nOFFSET 0 0 0\n"
        "CHANNELS 3 Xrotation Yrotation Zrotation\n"
        "JOINT Bip01 L Arm \n{\nOFFSET 0 1 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd Site "
        "hand tip\n{\nOFFSET 0 1 0\n}\n"
        "End Site\n{\nOFFSET 0 2 0\n}\nEnd Site\n{\nOFFSET 0 3 0\n}\n}\n"
        "JOINT \xe8\x85\x95\xff\n{\nOFFSET 1 1 0\nCHANNELS 0\n}\n"
        "JOINT twin\n{\nOFFSET 1 1 0\nCHANNELS 0\n}\nJOINT twin\n{\nOFFSET 1 2 0\nCHANNELS "
        "0\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 1\n0 0 0 0 0 0\n");
    const sinew_Joint *joints = sinew_skeleton_joints(sinew_motion_skeleton(file));
    static const char *const names[] = { "mixamorig:Hips", "Bip01 L Arm", "Bip01 L Arm_end",
        "Bip01 L Arm_end2", "Bip01 L Arm_end3", "\xe8\x85\x95\xff", "twin", "twin" };
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), 8);
    for (int j = 0; j < 8; ++j) { assert_string_equal(joints[j].name, names[j]); }
    check_warning(file, "names with colons, such as \"mixamorig:Hips\"");
    check_warning(file, "names with spaces, such as \"Bip01 L Arm\"");
    check_warning(file, "End Sites with names, such as \"hand tip\"");
    check_warning(file, "1 joint has the name of another, such as \"twin\"");
    check_warning(file, "1 joint with several End Sites, first Bip01 L Arm");
    check_warning(file, "3 joints at the end of a chain without End Site");
    check_warning(file, "3 joints without channels");

    // all of it comes back
    const char *path = test_temp_path("names.bvh");
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    sinew_Message message;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, &message), &message);
    sinew_MotionFile *again;
    TEST_OK(sinew_motion_read(path, NULL, &again, &message), &message);
    const sinew_Joint *joints_again = sinew_skeleton_joints(sinew_motion_skeleton(again));
    for (int j = 0; j < 8; ++j) { assert_string_equal(joints_again[j].name, names[j]); }
    check_warning(again, "End Sites with names, such as \"hand tip\"");
    sinew_motion_destroy(again);
    sinew_motion_destroy(file);
}

// any order, mixed in one file, is the product of the rotations in that order
static void test_all_rotation_orders(void **state)
{
    (void)state;
    static const int orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 },
        { 2, 0, 1 }, { 2, 1, 0 } };
    char text[4096] = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n";
    size_t used = strlen(text);
    for (int o = 0; o < 6; ++o) {
        used += (size_t)snprintf(text + used, sizeof text - used,
            "JOINT j%d\n{\nOFFSET 0 0 1\nCHANNELS 3 %crotation %crotation %crotation\n}\n", o,
            'X' + orders[o][0], 'X' + orders[o][1], 'X' + orders[o][2]);
    }
    snprintf(text + used, sizeof text - used,
        "}\nMOTION\nFrames: 1\nFrame Time: 1\n"
        "10 20 30 10 20 30 10 20 30 10 20 30 10 20 30 10 20 30\n");
    sinew_MotionFile *file = read_text(text);
    sinew_Transform world[MAX_TEST_JOINTS];
    world_of(file, 0, world);
    double radians = SINEW_PI / 180.0;
    double angles[3] = { 10.0 * radians, 20.0 * radians, 30.0 * radians };
    for (int o = 0; o < 6; ++o) {
        TEST_QUAT_NEAR(world[o + 1].rotation, snw_euler_to_quat(orders[o], angles), 1e-15);
    }
    sinew_motion_destroy(file);

    // and three hinges in that order are the same
    sinew_ReadOptions options = sinew_read_options_default();
    options.euler_joints = true;
    file = read_bytes(text, strlen(text), &options);
    TEST_INT(sinew_skeleton_coordinate_count(sinew_motion_skeleton(file)), 18);
    world_of(file, 0, world);
    for (int o = 0; o < 6; ++o) {
        TEST_QUAT_NEAR(world[o + 1].rotation, snw_euler_to_quat(orders[o], angles), 1e-15);
    }
    sinew_motion_destroy(file);
}

// one or two rotations, or the same axis twice, are hinges; rotations before positions change nothing
static void test_few_and_shuffled_channels(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(
        "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Zrotation Yposition Xrotation Xposition Yrotation Zposition\n"
        "JOINT knee\n{\nOFFSET 0 -1 0\nCHANNELS 1 Xrotation\n"
        "JOINT ankle\n{\nOFFSET 0 -1 0\nCHANNELS 2 Zrotation Xrotation\n"
        "JOINT odd\n{\nOFFSET 0 -1 0\nCHANNELS 3 Xrotation Yrotation Xrotation\n}\n}\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 1\n30 2 10 1 20 3 90 45 -45 10 20 30\n");
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    TEST_INT(sinew_skeleton_coordinate_count(skeleton), 7 + 1 + 2 + 3);
    const double *q = sinew_clip_frame_const(sinew_motion_clip(file), 0);
    double radians = SINEW_PI / 180.0;
    TEST_NEAR(q[0], 1.0, 0.0);
    TEST_NEAR(q[1], 2.0, 0.0);
    TEST_NEAR(q[2], 3.0, 0.0);
    TEST_NEAR(q[sinew_skeleton_find_coordinate(skeleton, "knee")], 90.0 * radians, 1e-16);
    TEST_NEAR(q[sinew_skeleton_find_coordinate(skeleton, "ankle.rz")], 45.0 * radians, 1e-16);
    TEST_NEAR(q[sinew_skeleton_find_coordinate(skeleton, "ankle.rx")], -45.0 * radians, 1e-16);
    sinew_Transform world[MAX_TEST_JOINTS];
    world_of(file, 0, world);
    int zxy[3] = { 2, 0, 1 };
    double angles[3] = { 30.0 * radians, 10.0 * radians, 20.0 * radians };
    TEST_QUAT_NEAR(world[0].rotation, snw_euler_to_quat(zxy, angles), 1e-15);
    TEST_VEC3_NEAR(world[0].position, sinew_vec3(1.0, 2.0, 3.0), 1e-15);
    check_warning(file, "1 joint with rotations listed before positions");
    check_warning(
        file, "3 joints with other than three different rotations (read as hinges), first knee");

    // written back into the same channels in the same order
    const char *path = test_temp_path("shuffled.bvh");
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    sinew_Message message;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, &message), &message);
    char *text = load(path);
    TEST_TRUE(
        strstr(text, "CHANNELS 6 Zrotation Yposition Xrotation Xposition Yrotation Zposition\n")
        != NULL);
    TEST_TRUE(strstr(text, "\n30 2 10 1 20 3 90 45 -45 10 20 30\n") != NULL);
    free(text);
    sinew_motion_destroy(file);
}

static void test_root_offset(void **state)
{
    (void)state;
    const char *text = "HIERARCHY\nROOT r\n{\nOFFSET 0 100 0\nCHANNELS 6 Xposition Yposition "
                       "Zposition Xrotation Yrotation "
                       "Zrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: "
                       "1\n1 2 3 0 0 0\n0 0 0 0 0 0\n";
    sinew_MotionFile *file = read_text(text);
    sinew_Transform world[MAX_TEST_JOINTS];
    world_of(file, 0, world);
    TEST_VEC3_NEAR(world[0].position, sinew_vec3(1.0, 2.0, 3.0), 1e-13);
    check_warning(
        file, "root r has OFFSET 0 100 0, replaced by its position channels; they start near 0");
    // the rest pose keeps the root at its OFFSET
    double rest[8];
    sinew_pose_rest(sinew_motion_skeleton(file), rest);
    sinew_pose_forward(sinew_motion_skeleton(file), rest, world);
    TEST_VEC3_NEAR(world[0].position, sinew_vec3(0.0, 100.0, 0.0), 0.0);
    sinew_motion_destroy(file);

    sinew_ReadOptions options = sinew_read_options_default();
    options.positions = SINEW_BVH_POSITIONS_ADD;
    file = read_bytes(text, strlen(text), &options);
    world_of(file, 0, world);
    TEST_VEC3_NEAR(world[0].position, sinew_vec3(1.0, 102.0, 3.0), 1e-13);
    TEST_TRUE(!has_warning(file, "replaced"));
    const char *path = test_temp_path("added.bvh");
    sinew_WriteOptions write = sinew_write_options_default();
    write.like = file;
    sinew_Message message;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &write, &message), &message);
    char *written = load(path);
    TEST_TRUE(strstr(written, "\n1 2 3 0 0 0\n0 0 0 0 0 0\n") != NULL);
    TEST_TRUE(strstr(written, "OFFSET 0 100 0\n") != NULL);
    free(written);
    sinew_motion_destroy(file);
}

// positions on all joints: the reading that keeps the bones' lengths
static void test_positions_below_root(void **state)
{
    (void)state;
    static const char head[] =
        "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
        "JOINT a\n{\nOFFSET 0 5 0\nCHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation "
        "Zrotation\n"
        "JOINT b\n{\nOFFSET 3 0 0\nCHANNELS 2 Xposition Zrotation\n}\n}\n}\nMOTION\nFrames: "
        "1\nFrame Time: 1\n";
    char text[1000];
    sinew_Transform world[MAX_TEST_JOINTS];
    snprintf(text, sizeof text, "%s0 0 0 0 5.01 0 0 0 0 3 0\n", head);
    sinew_MotionFile *file = read_text(text);
    world_of(file, 0, world);
    TEST_VEC3_NEAR(world[1].position, sinew_vec3(0.0, 5.01, 0.0), 1e-14);
    TEST_VEC3_NEAR(world[2].position, sinew_vec3(3.0, 5.01, 0.0), 1e-14);
    check_warning(file, "position channels on 2 joints below the root: they replace OFFSET");
    sinew_motion_destroy(file);

    snprintf(text, sizeof text, "%s0 0 0 0 0.01 0 0 0 0 0 0\n", head);
    file = read_text(text);
    world_of(file, 0, world);
    TEST_VEC3_NEAR(world[1].position, sinew_vec3(0.0, 5.01, 0.0), 1e-14);
    TEST_VEC3_NEAR(world[2].position, sinew_vec3(3.0, 5.01, 0.0), 1e-14);
    check_warning(file, "position channels on 2 joints below the root: added to OFFSET");
    sinew_motion_destroy(file);

    sinew_ReadOptions options = sinew_read_options_default();
    options.positions = SINEW_BVH_POSITIONS_REPLACE;
    file = read_bytes(text, strlen(text), &options);
    world_of(file, 0, world);
    TEST_VEC3_NEAR(world[1].position, sinew_vec3(0.0, 0.01, 0.0), 1e-14);
    check_warning(file, "they replace OFFSET, as asked");
    sinew_motion_destroy(file);
}

static void test_frame_counts(void **state)
{
    (void)state;
    // more frames than the header says
    sinew_MotionFile *file = read_text(
        ARM "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 10 20 30 -40 50 60\n4 5 6 0 0 0 90 0 0\n");
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 2);
    check_warning(file, "the header says 1 frame, the file has 2: all are kept");
    sinew_motion_destroy(file);
    // none
    file = read_text(ARM "MOTION\nFrames: 0\nFrame Time: 0\n");
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 0);
    check_warning(file, "no frames");
    check_warning(file, "Frame Time is 0: taken as 1/30 s");
    sinew_motion_destroy(file);
    file = read_text(ARM "MOTION\nFrames: 0\nFrame Time: 1e-5\n");
    check_warning(file, "Frame Time is 1e-05 s: 100000 frames per second");
    const char *path = test_temp_path("empty.bvh");
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, NULL), NULL);
    sinew_motion_destroy(file);
    TEST_OK(sinew_motion_read(path, NULL, &file, NULL), NULL);
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 0);
    sinew_motion_destroy(file);
    // no channels at all
    file = read_text(
        "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n"
        "MOTION\nFrames: 3\nFrame Time: 0.1\n");
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 3);
    sinew_motion_destroy(file);
}

static void test_several_roots(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n"
        "ROOT b\n{\nOFFSET 1 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nJOINT c\n{\nOFFSET 0 1 "
        "0\n}\n}\n"
        "MOTION\nFrames: 1\nFrame Time: 1\n1 2 3 0 0 90\n");
    sinew_Transform world[MAX_TEST_JOINTS];
    world_of(file, 0, world);
    TEST_VEC3_NEAR(world[0].position, sinew_vec3(1.0, 2.0, 3.0), 0.0);
    TEST_VEC3_NEAR(world[2].position, sinew_vec3(0.0, 0.0, 0.0), 1e-15);
    check_warning(file, "2 roots: kept");
    sinew_motion_destroy(file);
}

// a rest pose put in front, and a capture that turns a joint over in one frame, are told, not changed
static void test_jumps(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(
        ARM "MOTION\nFrames: 5\nFrame Time: 0.01\n0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 80 0 0\n"
            "0 0 0 0 0 0 81 0 0\n0 0 0 0 0 0 82 0 0\n0 0 0 0 0 0 83 0 0\n");
    check_warning(file, "frame 0 is far from frame 1 (1 joint, Arm by 80 degrees)");
    TEST_TRUE(!has_warning(file, "in one step"));
    sinew_motion_destroy(file);
    file = read_text(
        ARM "MOTION\nFrames: 5\nFrame Time: 0.01\n0 0 0 0 0 0 78 0 0\n0 0 0 0 0 0 80 0 0\n"
            "0 0 0 0 0 0 260 0 0\n0 0 0 0 0 0 262 0 0\n0 0 0 0 0 0 -96 0 0\n");
    check_warning(
        file, "1 turn of a joint by more than 115 degrees in one step, first Arm after frame 1");
    TEST_TRUE(!has_warning(file, "far from frame 1"));
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Units

static void check_unit(const char *left_thigh, const char *shin, const char *foot,
    double thigh_length, double shin_length, double unit, sinew_UnitSource source)
{
    char text[2000];
    snprintf(text, sizeof text,
        "HIERARCHY\nROOT Body\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
        "JOINT left%s\n{\nOFFSET %g 0 0\nJOINT left%s\n{\nOFFSET 0 %g 0\nJOINT left%s\n{\nOFFSET 0 "
        "%g 0\n}\n}\n}\n"
        "JOINT right%s\n{\nOFFSET %g 0 0\nJOINT right%s\n{\nOFFSET 0 %g 0\nJOINT "
        "right%s\n{\nOFFSET 0 %g 0\n}\n}\n}\n"
        "}\nMOTION\nFrames: 0\nFrame Time: 1\n",
        left_thigh, 0.2 * thigh_length, shin, -thigh_length, foot, -shin_length, left_thigh,
        -0.2 * thigh_length, shin, -thigh_length, foot, -shin_length);
    sinew_MotionFile *file = read_text(text);
    TEST_NEAR(sinew_motion_unit(file), unit, 1e-12);
    TEST_INT(sinew_motion_unit_source(file), source);
    sinew_motion_destroy(file);
}

static void test_unit_guess(void **state)
{
    (void)state;
    static const double units[] = { 1.0, 0.01, 0.001, 0.1, 0.0254, 0.3048 };
    static const char *const names[][3] = { { "UpLeg", "Leg", "Foot" }, { "Hip", "Knee", "Ankle" },
        { "Thigh", "Shin", "Foot" }, { "_upperleg01", "_lowerleg01", "_foot" },
        { "Leg", "Knee", "Ankle" }, { "-a", "-b", "-c" } };
    for (size_t n = 0; n < sizeof names / sizeof names[0]; ++n) {
        for (int u = 0; u < 6; ++u) {
            check_unit(names[n][0], names[n][1], names[n][2], 0.42 / units[u], 0.43 / units[u],
                units[u], SINEW_UNIT_GUESSED);
        }
        // 44 units tall: no unit fits
        check_unit(names[n][0], names[n][1], names[n][2], 10.8, 10.8, 1.7 * 0.491 / 21.6,
            SINEW_UNIT_SCALED);
    }
}

static void test_unit_of_hands_and_given_units(void **state)
{
    (void)state;
    char text[4000] = "HIERARCHY\nROOT forearm\n{\nOFFSET 0 0 0\nJOINT palm\n{\nOFFSET 0 0 0\n";
    size_t used = strlen(text);
    for (int i = 0; i < 5; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used,
            "JOINT f%d1\n{\nOFFSET %d 0 80\nJOINT f%d2\n{\nOFFSET 0 0 40\n"
            "JOINT f%d3\n{\nOFFSET 0 0 30\nEnd Site\n{\nOFFSET 0 0 20\n}\n}\n}\n}\n",
            i, 10 * i, i, i);
    }
    snprintf(text + used, sizeof text - used, "}\n}\nMOTION\nFrames: 0\nFrame Time: 1\n");
    sinew_MotionFile *file = read_text(text);
    TEST_NEAR(sinew_motion_unit(file), 0.001, 0.0);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_GUESSED);
    check_warning(file, "unit: no legs found, taken as mm, which makes the hand 0.179 m long");
    sinew_motion_destroy(file);

    // eight equal legs are no person's, so nothing is known
    used = (size_t)snprintf(text, sizeof text, "HIERARCHY\nROOT spider\n{\nOFFSET 0 0 0\n");
    for (int i = 0; i < 8; ++i) {
        used += (size_t)snprintf(text + used, sizeof text - used,
            "JOINT a%d\n{\nOFFSET %d 0 0\nJOINT b%d\n{\nOFFSET 0 5 0\nJOINT c%d\n{\nOFFSET 0 -6 "
            "0\n}\n}\n}\n",
            i, i - 4, i, i);
    }
    snprintf(text + used, sizeof text - used, "}\nMOTION\nFrames: 0\nFrame Time: 1\n");
    file = read_text(text);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_ASSUMED);
    sinew_motion_destroy(file);
    // absurd legs neither
    check_unit("UpLeg", "Leg", "Foot", 3e8, 3e8, 1.0, SINEW_UNIT_ASSUMED);
    check_unit("UpLeg", "Leg", "Foot", 1e-30, 1e-30, 1.0, SINEW_UNIT_ASSUMED);

    sinew_ReadOptions options = sinew_read_options_default();
    options.unit = 0.5;
    file = read_bytes(ARM ARM_MOTION, strlen(ARM ARM_MOTION), &options);
    TEST_NEAR(sinew_motion_unit(file), 0.5, 0.0);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_GIVEN);
    sinew_Transform world[MAX_TEST_JOINTS];
    world_of(file, 1, world);
    TEST_VEC3_NEAR(world[2].position, sinew_vec3(2.0, 10.0, 3.0), 1e-14);
    sinew_motion_destroy(file);

    // a unit that makes the body larger than a skeleton may be
    options.unit = 1e9;
    sinew_Message message = { "" };
    TEST_INT(sinew_motion_read_memory(
                 ARM ARM_MOTION, strlen(ARM ARM_MOTION), "t.bvh", &options, &file, &message),
        SINEW_STATUS_BAD_FILE);
    TEST_TRUE(strncmp(message.text, "t.bvh: with a unit of 1e+9 m, joint 1", 37) == 0);

    static const double wrong[] = { -1.0, NAN, INFINITY, 1e-30, 1e30 };
    for (int i = 0; i < 5; ++i) {
        options.unit = wrong[i];
        message.text[0] = '\0';
        TEST_INT(sinew_motion_read_memory("", 0, "x", &options, &file, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        TEST_TRUE(message.text[0] != '\0');
    }
    options = sinew_read_options_default();
    options.positions = (sinew_BvhPositions)9;
    TEST_INT(sinew_motion_read_memory("", 0, "x", &options, &file, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    TEST_TRUE(strcmp(message.text, "options.positions is 9, want 0..2") == 0);
}

// ---------------------------------------------------------------------------------------------
// Mistakes

#define HEAD "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\n"
#define ONE "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n"

static void test_hierarchy_mistakes(void **state)
{
    (void)state;
    check_refused("",
        "t.bvh:1:1: found the end of the file, expected HIERARCHY, the first word of a BVH file");
    check_refused("  \n hello",
        "t.bvh:2:2: found \"hello\", expected HIERARCHY, the first word of a BVH file");
    check_refused("HIERARCHY\n", "t.bvh:2:1: found the end of the file, expected ROOT");
    check_refused("HIERARCHY\nJOINT a", "t.bvh:2:1: found \"JOINT\", expected ROOT");
    check_refused("HIERARCHY\r\nROOT\r\n{", "t.bvh:3:1: found \"{\", expected a name after ROOT");
    check_refused("HIERARCHY\nROOT r\nOFFSET",
        "t.bvh:3:1: found \"OFFSET\", expected \"{\" after the joint's name");
    check_refused("HIERARCHY\nROOT r\n{\n}", "t.bvh:4:1: found \"}\", expected OFFSET");
    check_refused("HIERARCHY\nROOT r\n{\nOFFSET 0 x 0",
        "t.bvh:4:10: found \"x\", expected a component of OFFSET, a number");
    check_refused("HIERARCHY\nROOT r\n{\n\tOFFSET 0 0 nan\n",
        "t.bvh:4:13: found \"nan\", expected a component of OFFSET, a finite number");
    check_refused("HIERARCHY\nROOT r\n{\nOFFSET 0 0 1e99\n",
        "t.bvh:4:12: found \"1e99\", expected a component of OFFSET, at most 1e+09 in size");
    check_refused("HIERARCHY\nROOT r\n{\nOFFSET 0 0",
        "t.bvh:4:11: found the end of the file, expected a component of OFFSET, a number");
    check_refused(HEAD "CHANNELS 7 Xposition",
        "t.bvh:5:10: found \"7\", expected a number of channels, 0 to 6");
    check_refused(
        HEAD "CHANNELS -1", "t.bvh:5:10: found \"-1\", expected a number of channels, 0 to 6");
    check_refused(
        HEAD "CHANNELS 1.5", "t.bvh:5:10: found \"1.5\", expected a number of channels, 0 to 6");
    check_refused(HEAD "CHANNELS 2 Xrotation\n}",
        "t.bvh:6:1: found \"}\", expected a channel, Xposition to Zrotation");
    check_refused(HEAD "CHANNELS 1 Wrotation",
        "t.bvh:5:12: found \"Wrotation\", expected a channel, Xposition to Zrotation");
    check_refused(HEAD "CHANNELS 2 Xposition Xposition",
        "t.bvh:5:22: found \"Xposition\", expected each position channel once");
    check_refused(HEAD "CHANNELS 1 Xrotation Yrotation",
        "t.bvh:5:22: found \"Yrotation\", expected JOINT, End Site or \"}\"");
    check_refused(
        HEAD "CHANNELS 0\nROOT s", "t.bvh:6:1: found \"ROOT\", expected JOINT, End Site or \"}\"");
    check_refused(
        HEAD "MOTION", "t.bvh:5:1: found \"MOTION\", expected CHANNELS, JOINT, End Site or \"}\"");
    check_refused(
        HEAD "End Site\n{\nOFFSET 0 0 0\nJOINT x", "t.bvh:8:1: found \"JOINT\", expected \"}\"");
    check_refused(HEAD "End Site\n{\nOFFSET 0 0 0\nCHANNELS 3",
        "t.bvh:8:10: found \"3\", expected no channels in an End Site");
    check_refused(HEAD "}\n}", "t.bvh:6:1: found \"}\", expected MOTION or another ROOT");
    check_refused(
        HEAD "}\n", "t.bvh:6:1: found the end of the file, expected MOTION or another ROOT");
}

static void test_motion_mistakes(void **state)
{
    (void)state;
    check_refused(ONE "MOTION\n3", "t.bvh:8:1: found \"3\", expected \"Frames:\"");
    check_refused(
        ONE "MOTION\nFrames: many", "t.bvh:8:9: found \"many\", expected a whole number of frames");
    check_refused(
        ONE "MOTION\nFrames: -1", "t.bvh:8:9: found \"-1\", expected a whole number of frames");
    check_refused(
        ONE "MOTION\nFrames: 1\n1 2 3", "t.bvh:9:1: found \"1\", expected \"Frame Time:\"");
    check_refused(ONE "MOTION\nFrames: 1\nFrame Time: -0.1\n1 2 3",
        "t.bvh:9:13: found \"-0.1\", expected a frame time of 0 or more seconds");
    check_refused(ONE "MOTION\nFrames: 1\nFrame Time: inf\n1 2 3",
        "t.bvh:9:13: found \"inf\", expected the frame time, a finite number");
    // of no recording: what is derived from it leaves any range
    check_refused(ONE "MOTION\nFrames: 1\nFrame Time: 1e-12\n1 2 3",
        "t.bvh:9:13: found \"1e-12\", expected a frame time of 1e-06 to 86400 seconds, or 0 where "
        "it is "
        "unknown");
    check_refused(ONE "MOTION\nFrames: 1\nFrame Time: 1e6\n1 2 3",
        "t.bvh:9:13: found \"1e6\", expected a frame time of 1e-06 to 86400 seconds, or 0 where it "
        "is "
        "unknown");
    // too few frames, a frame cut short, a broken number
    check_refused(ONE "MOTION\nFrames: 3\nFrame Time: 0.1\n1 2 3\n4 5 6\n",
        "t.bvh:12:1: found the end of the file after 2 frames, expected 3 frames");
    check_refused(ONE "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5",
        "t.bvh:11:4: found the end of the file, expected number 3 of 3 in frame 1");
    check_refused(ONE "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3\n4 5\n",
        "t.bvh:12:1: found the end of the file, expected number 3 of 3 in frame 1");
    check_refused(ONE "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 x 6\n",
        "t.bvh:11:3: found \"x\", expected a number, number 2 of 3 in frame 1");
    check_refused(ONE "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5 -nan\n",
        "t.bvh:11:5: found \"-nan\", expected a finite number, number 3 of 3 in frame 1");
    check_refused(ONE "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4 5 1e+20\n",
        "t.bvh:11:5: found \"1e+20\", expected at most 1e+09 in size");
    check_refused(ONE "MOTION\nFrames: 2\nFrame Time: 0.1\n1 2 3\n4,5 5 6\n",
        "t.bvh:11:1: found \"4,5\", expected a number, number 1 of 3 in frame 1");
    // a recording that broke off: most of it is not there
    check_refused(ONE "MOTION\nFrames: 280\nFrame Time: 0.1\n1 2 3\n4 5 6\n7.1",
        "t.bvh:12:4: found the end of the file, expected number 2 of 3 in frame 2");
    // a number is missing in the middle: the next line must not fill the hole
    check_refused(ONE "MOTION\nFrames: 3\nFrame Time: 0.1\n1 2 3\r\n4 5\r\n7 8 9 1\r\n",
        "t.bvh:12:3: found \"8\", expected the end of the line after the 3 numbers of frame 1");
    check_refused(ONE "MOTION\nFrames: 1\nFrame Time: 0.1\n1 2 3 4\n",
        "t.bvh:10:7: found \"4\", expected the end of the line after the 3 numbers of frame 0");
    check_refused(
        "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: 1\nFrame Time: 1\n5\n",
        "t.bvh:10:1: found \"5\", expected the end of the file, as no joint has channels");
    check_refused("HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION\nFrames: "
                  "2000000000\nFrame Time: 1\n",
        "t.bvh:8:9: found \"2000000000\", expected at most 1000000 frames without channels");
}

static void test_long_words_in_messages(void **state)
{
    (void)state;
    check_refused("HIERARCHY\nabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
        "t.bvh:2:1: found \"abcdefghijklmnopqrstuvwxyzabcdefghijk...\", expected ROOT");
    check_refused("HIERARCHY\n\x01\x02x", "t.bvh:2:1: found \"??x\", expected ROOT");
    // a name without end
    char text[1000];
    memset(text, 'n', sizeof text);
    memcpy(text, "HIERARCHY\nROOT ", 15);
    text[sizeof text - 1] = '\0';
    check_refused(text,
        "t.bvh:2:6: found \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\", expected a name of at most "
        "250 bytes");
}

// text behind a zero byte is not seen, and what is before it may look right
static void test_zero_bytes(void **state)
{
    (void)state;
    static const char word[] = "HIERARCHY\nROOT r\n{\nOFF\0SET 0 0 0",
                      name[] = "HIERARCHY\nROOT r\0s\n{",
                      number[] = "HIERARCHY\nROOT r\n{\nOFFSET 0 1.5\0 0",
                      first[] = "HIERARCHY\nROOT r\n{\nOFFSET 0 \0 0";
    const sinew_Status bad = SINEW_STATUS_BAD_FILE;
    check_refused_bytes(
        word, sizeof word - 1, bad, "t.bvh:4:4: found a zero byte, expected OFFSET");
    check_refused_bytes(
        name, sizeof name - 1, bad, "t.bvh:2:7: found a zero byte, expected a name without it");
    check_refused_bytes(number, sizeof number - 1, bad,
        "t.bvh:4:13: found a zero byte, expected a component of OFFSET, a number");
    check_refused_bytes(first, sizeof first - 1, bad,
        "t.bvh:4:10: found a zero byte, expected a component of OFFSET, a number");
}

static void test_other_formats(void **state)
{
    (void)state;
    static const struct {
        const char *data;
        const char *looks;
    } cases[] = { { "{ \"x\": 1 }", "a JSON file" }, { "<?xml?><robots name='x'>", "an XML file" },
        { "<a/>", "an XML file" }, { "Kaydara FBX Binary", "an FBX file" },
        { "; FBX 7.4", "an FBX file" }, { "# AST\n:version 1.10", "an ASF skeleton file" },
        { ":FULLY-SPECIFIED\n1\n", "an AMC motion file" }, { "\xff\xfeH", "UTF-16 text" },
        { "PK\x03\x04", "a compressed file" }, { "\x89PNG\r\n", "a PNG picture" } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char wanted[200];
        snprintf(wanted, sizeof wanted,
            "t.bvh:1:1: found %s, expected a BVH file (HIERARCHY ... MOTION ...), a glTF file or a "
            "URDF file (<robot ...>)",
            cases[i].looks);
        check_refused_bytes(cases[i].data, strlen(cases[i].data), SINEW_STATUS_UNSUPPORTED, wanted);
    }
}

// What is cut short, or has another top, is told as the format that its name says; what looks otherwise as before.
static void test_named_formats(void **state)
{
    (void)state;
    static const struct {
        const char *name, *data, *wanted;
    } cases[] = {
        { "t.gltf", "{\"nodes\": [ {\"na",
            "t.gltf: byte 16: found the end of the file, expected \" at the end of the text" },
        { "t.GLTF", "", "t.GLTF: byte 0: found the end of the file, expected a value" },
        { "t.gltf", "{ \"x\": 1 }",
            "t.gltf: byte 0: found no \"version\", expected asset.version" },
        { "t.glb", " \n", "t.glb: byte 2: found the end of the file, expected a value" },
        { "t.urdf", "", "t.urdf:1:1: found the end of the file, expected <robot ...>" },
        { "t.urdf", "  \n\n", "t.urdf:3:1: found the end of the file, expected <robot ...>" },
        { "t.urdf", "<robots/>", "t.urdf:1:1: found another element, expected <robot>" },
        { "t.urdf", "<!-- a robot", "t.urdf:1:1: found unclosed token, expected well-formed XML" },
        { "t.bvh", "",
            "t.bvh:1:1: found the end of the file, expected HIERARCHY, the first word of a BVH "
            "file" },
        { "t.gltf", "hello",
            "t.gltf:1:1: found \"hello\", expected HIERARCHY, the first word of a BVH file" },
        { "t.urdf", "{ \"x\": 1 }",
            "t.urdf:1:1: found a JSON file, expected a BVH file (HIERARCHY ... MOTION ...), a glTF "
            "file or a URDF file (<robot ...>)" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        sinew_Status status = sinew_motion_read_memory(
            cases[i].data, strlen(cases[i].data), cases[i].name, NULL, &file, &message);
        TEST_TRUE(status == SINEW_STATUS_BAD_FILE || status == SINEW_STATUS_UNSUPPORTED);
        assert_null(file);
        assert_string_equal(message.text, cases[i].wanted);
    }
}

typedef struct Peak {
    size_t live, most;
    size_t all; // ever taken: the work that growing arrays makes
} Peak;

static void *peak_alloc(size_t size, size_t alignment, void *user)
{
    Peak *peak = user;
    peak->live += size;
    peak->all += size;
    peak->most = peak->live > peak->most ? peak->live : peak->most;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void peak_free(void *memory, size_t size, void *user)
{
    ((Peak *)user)->live -= size;
    free(memory);
}

// absurd counts and depths: one clear line or success, in 200 MB and without copying things over and over
static void test_hostile_sizes(void **state)
{
    (void)state;
    check_refused(ONE "MOTION\nFrames: 1000000000\nFrame Time: 0.1\n1 2 3\n",
        "t.bvh:11:1: found the end of the file after 1 frame, expected 1000000000 frames");
    check_refused(ONE "MOTION\nFrames: 99999999999999999999999999\nFrame Time: 0.1\n1 2 3\n",
        "t.bvh:8:9: found \"99999999999999999999999999\", expected a whole number of frames");

    for (int depth = 99999; depth <= 100000; ++depth) {
        size_t size = (size_t)depth * 48 + 1000;
        char *text = malloc(size);
        TEST_TRUE(text != NULL);
        if (text == NULL) { return; }
        size_t used = (size_t)snprintf(text, size, "HIERARCHY\nROOT r\n{\nOFFSET 0 1 0\n");
        for (int i = 1; i < depth; ++i) {
            used += (size_t)snprintf(text + used, size - used, "JOINT j\n{\nOFFSET 0 1 0\n");
        }
        used += (size_t)snprintf(text + used, size - used, "End Site\n{\nOFFSET 0 1 0\n}\n");
        for (int i = 0; i < depth; ++i) {
            used += (size_t)snprintf(text + used, size - used, "}\n");
        }
        used += (size_t)snprintf(text + used, size - used, "MOTION\nFrames: 1\nFrame Time: 1\n");
        Peak peak = { used, used, 0 };
        sinew_ReadOptions options = sinew_read_options_default();
        options.allocator.alloc = peak_alloc;
        options.allocator.free = peak_free;
        options.allocator.user = &peak;
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        sinew_Status status = sinew_motion_read_memory(
            text, used, "t.bvh", &options, &file, &message);
        if (depth == 100000) {
            // joints and the End Site are one too many
            TEST_INT(status, SINEW_STATUS_BAD_FILE);
            assert_string_equal(message.text,
                "t.bvh:300003:1: found \"{\", expected at most 100000 joints (End Sites count)");
        } else {
            TEST_OK(status, &message);
            sinew_motion_destroy(file);
        }
        TEST_INT((long long)peak.live, (long long)used);
        print_message("depth %d: %.0f MB at most, %.0f MB in all\n", depth, (double)peak.most / 1e6,
            (double)peak.all / 1e6);
        TEST_TRUE(peak.most < (size_t)200000000);
        TEST_TRUE(peak.all < (size_t)400000000);
        free(text);
    }
}

static void test_paths(void **state)
{
    (void)state;
    sinew_MotionFile *file;
    sinew_Message message;
    TEST_INT(
        sinew_motion_read("/no/such/file.bvh", NULL, &file, &message), SINEW_STATUS_CANNOT_READ);
    assert_string_equal(
        message.text, "/no/such/file.bvh: cannot be opened: No such file or directory");
    TEST_INT(sinew_motion_read("", NULL, &file, &message), SINEW_STATUS_CANNOT_READ);
    TEST_TRUE(strncmp(message.text, "a path without a name: cannot be opened", 39) == 0);
    TEST_INT(sinew_motion_read("/", NULL, &file, &message), SINEW_STATUS_CANNOT_READ);
    assert_string_equal(message.text, "/: found a folder, expected a file");
    const char *fifo = test_temp_path("fifo");
    if (mkfifo(fifo, 0600) == 0) {
        TEST_INT(sinew_motion_read(fifo, NULL, &file, &message), SINEW_STATUS_CANNOT_READ);
        TEST_TRUE(
            strstr(message.text, "found a pipe or a device, expected a regular file") != NULL);
        unlink(fifo);
    }
    TEST_INT(sinew_motion_read("/dev/zero", NULL, &file, &message), SINEW_STATUS_CANNOT_READ);
    TEST_INT(sinew_motion_read(NULL, NULL, &file, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_motion_read("x", NULL, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_motion_read_memory(NULL, 5, "x", NULL, &file, &message),
        SINEW_STATUS_INVALID_ARGUMENT);
    const char *path = temp_file("plain.bvh", ARM ARM_MOTION);
    TEST_OK(sinew_motion_read(path, NULL, &file, &message), &message);
    sinew_motion_destroy(file);
    sinew_motion_destroy(NULL);
}

// every failing allocation gives OUT_OF_MEMORY and leaks nothing
static void test_memory_failures(void **state)
{
    (void)state;
    static const char text[] = ARM ARM_MOTION;
    bool done = false;
    int n = 1;
    for (; n < 200 && !done; ++n) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = n;
        sinew_ReadOptions options = sinew_read_options_default();
        options.allocator = memory.allocator;
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        sinew_Status status = sinew_motion_read_memory(
            text, sizeof text - 1, "t.bvh", &options, &file, &message);
        done = status == SINEW_STATUS_OK && memory.alloc_count < n;
        if (status != SINEW_STATUS_OK) {
            TEST_INT(status, SINEW_STATUS_OUT_OF_MEMORY);
            assert_string_equal(message.text, "t.bvh: no memory to read the file");
        }
        sinew_motion_destroy(file);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
    }
    TEST_TRUE(done && n > 10);
}

// ---------------------------------------------------------------------------------------------
// Writing

static void test_round_trip_keeps_text(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(ARM ARM_MOTION);
    const char *path = test_temp_path("back.bvh");
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    sinew_Message message;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, &message), &message);
    char *text = load(path);
    // the file's own angles come back, and its layout
    TEST_TRUE(
        strstr(text, "Frames: 2\nFrame Time: 0.1\n1 2 3 10 20 30 -40 50 60\n4 5 6 0 0 0 90 0 0\n")
        != NULL);
    TEST_TRUE(
        strstr(text,
            "\tJOINT Arm\n\t{\n\t\tOFFSET 0 10 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 5 0 0\n\t\t}\n\t}\n}\n")
        != NULL);
    free(text);
    sinew_motion_destroy(file);
}

// angles beyond a half turn and in the far half of the middle angle are kept, frame after frame
static void test_angles_stay_continuous(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(
        ARM "MOTION\nFrames: 4\nFrame Time: 0.1\n0 0 0 370 100 -200 0 0 0\n"
            "0 0 0 380 103 -195 0 0 0\n0 0 0 390 106 -190 0 0 0\n0 0 0 400 109 -185 0 0 0\n");
    const char *path = test_temp_path("far.bvh");
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, NULL), NULL);
    char *text = load(path);
    TEST_TRUE(strstr(text,
                  "\n0 0 0 370 100 -200 0 0 0\n0 0 0 380 103 -195 0 0 0\n0 0 0 390 106 -190 0 0 0\n"
                  "0 0 0 400 109 -185 0 0 0\n")
        != NULL);
    free(text);
    sinew_motion_destroy(file);
}

// balls into a file of hinges and hinges into a file of balls, when joints and names are the same
static void test_like_with_other_axes(void **state)
{
    (void)state;
    sinew_ReadOptions euler = sinew_read_options_default();
    euler.euler_joints = true;
    sinew_MotionFile *balls = read_text(ARM ARM_MOTION);
    sinew_MotionFile *hinges = read_bytes(ARM ARM_MOTION, strlen(ARM ARM_MOTION), &euler);
    sinew_MotionFile *pairs[2][2] = { { balls, hinges }, { hinges, balls } };
    for (int i = 0; i < 2; ++i) {
        const char *path = test_temp_path("cross.bvh");
        sinew_WriteOptions options = sinew_write_options_default();
        options.like = pairs[i][1];
        sinew_Message message;
        TEST_OK(
            sinew_motion_write(path, sinew_motion_clip(pairs[i][0]), &options, &message), &message);
        sinew_MotionFile *again;
        TEST_OK(sinew_motion_read(path, NULL, &again, &message), &message);
        check_same_motion(balls, again, 1e-6);
        sinew_motion_destroy(again);
    }
    sinew_motion_destroy(hinges);

    // other joints, another name, channels that cannot say the motion
    static const struct {
        const char *text;
        const char *message;
    } others[] = {
        { ONE "MOTION\nFrames: 0\nFrame Time: 1\n",
            "the clip has 3 joints, the file to write like has 1" },
        { "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nJOINT Arm\n{\nOFFSET 0 10 0\n}\nEnd "
          "Site\n{\nOFFSET 5 0 0\n}\n}\n"
          "MOTION\nFrames: 0\nFrame Time: 1\n",
            "joint 2 (\"Arm_end\") has another parent in the file to write like" },
        { "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition "
          "Xrotation Yrotation Zrotation\n"
          "JOINT Arm\n{\nOFFSET 0 10 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 5 0 0\n}\n}\n}\n"
          "MOTION\nFrames: 0\nFrame Time: 1\n",
            "joint 1 (\"Arm\") turns about other axes in the clip, which its channels in the file "
            "to write like cannot say" },
        { "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
          "JOINT Arm\n{\nOFFSET 0 10 0\nCHANNELS 3 Xrotation Yrotation Zrotation\nEnd "
          "Site\n{\nOFFSET 5 0 0\n}\n}\n}\n"
          "MOTION\nFrames: 0\nFrame Time: 1\n",
            "joint 0 (\"Hips\") is off its OFFSET in the clip, which its channels in the file to "
            "write like cannot say" },
    };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        sinew_MotionFile *other = read_text(others[i].text);
        sinew_WriteOptions options = sinew_write_options_default();
        options.like = other;
        sinew_Message message;
        const char *path = test_temp_path("never.bvh");
        TEST_INT(sinew_motion_write(path, sinew_motion_clip(balls), &options, &message),
            SINEW_STATUS_INVALID_ARGUMENT);
        assert_string_equal(message.text, others[i].message);
        TEST_TRUE(access(path, F_OK) != 0);
        sinew_motion_destroy(other);
    }
    sinew_motion_destroy(balls);
}

// the names written are those of the clip's skeleton; names that would break the file are mended
static void test_renamed_joints(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(ARM ARM_MOTION);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    static const char *const names[][2] = { { "Pelvis", "Left Arm" },
        { "line\nbreak", "\xc3\xa9 }" }, { " ", "a{b" } };
    static const char *const read_names[][2] = { { "Pelvis", "Left Arm" },
        { "line_break", "\xc3\xa9 }" }, { "joint0", "a_b" } };
    for (int i = 0; i < 3; ++i) {
        sinew_JointDef defs[3];
        for (int j = 0; j < 3; ++j) {
            const sinew_Joint *joint = &sinew_skeleton_joints(skeleton)[j];
            defs[j] = sinew_joint_def_default();
            defs[j].name = j < 2 ? names[i][j] : joint->name;
            defs[j].parent = joint->parent;
            defs[j].offset = joint->offset;
            defs[j].axes = sinew_skeleton_axes(skeleton) + joint->axis_start;
            defs[j].axis_count = joint->axis_count;
        }
        sinew_Skeleton *renamed;
        sinew_Message message;
        TEST_OK(sinew_skeleton_create(defs, 3, NULL, &renamed, &message), &message);
        sinew_Clip *clip;
        TEST_OK(sinew_clip_create(renamed, 0, 0.1, NULL, &clip), NULL);
        const char *path = test_temp_path("renamed.bvh");
        sinew_WriteOptions options = sinew_write_options_default();
        options.like = file;
        TEST_OK(sinew_motion_write(path, clip, &options, &message), &message);
        sinew_MotionFile *again;
        TEST_OK(sinew_motion_read(path, NULL, &again, &message), &message);
        for (int j = 0; j < 2; ++j) {
            assert_string_equal(
                sinew_skeleton_joints(sinew_motion_skeleton(again))[j].name, read_names[i][j]);
        }
        TEST_TRUE(sinew_motion_is_end_site(again, 2));
        sinew_motion_destroy(again);
        sinew_clip_destroy(clip);
        sinew_skeleton_destroy(renamed);
    }
    sinew_motion_destroy(file);
}

static void test_write_in_another_unit(void **state)
{
    (void)state;
    sinew_ReadOptions read = sinew_read_options_default();
    read.unit = 0.01;
    sinew_MotionFile *file = read_bytes(ARM ARM_MOTION, strlen(ARM ARM_MOTION), &read);
    const char *path = test_temp_path("metres.bvh");
    sinew_WriteOptions options = sinew_write_options_default();
    options.like = file;
    options.unit = 1.0;
    TEST_OK(sinew_motion_write(path, sinew_motion_clip(file), &options, NULL), NULL);
    char *text = load(path);
    TEST_TRUE(strstr(text, "OFFSET 0 0.1 0\n") != NULL);
    TEST_TRUE(strstr(text, "\n0.01 0.02 0.03 10 20 30 -40 50 60\n") != NULL);
    free(text);
    read.unit = 1.0;
    sinew_MotionFile *again;
    TEST_OK(sinew_motion_read(path, &read, &again, NULL), NULL);
    check_same_motion(file, again, 1e-9);
    sinew_motion_destroy(again);
    sinew_motion_destroy(file);
}

// a skeleton that never was a file: hinges, slides, a still joint, odd names, a rest rotation
static void test_write_without_like(void **state)
{
    (void)state;
    sinew_Axis slide = sinew_axis_slide(sinew_vec3(0.0, 1.0, 0.0));
    sinew_Axis hinge = sinew_axis_hinge(sinew_vec3(0.6, 0.8, 0.0), -2.0, 2.0);
    sinew_Axis ball = sinew_axis_ball();
    sinew_JointDef joints[6];
    static const char *const names[6] = { "body", "two words", "", "brace{}", "tool", "tool_end" };
    for (int j = 0; j < 6; ++j) {
        joints[j] = sinew_joint_def_default();
        joints[j].name = names[j];
        joints[j].parent = j - 1;
        joints[j].offset = sinew_vec3(0.1 * j, 0.3, -0.05);
    }
    joints[1].axes = &hinge;
    joints[1].axis_count = 1;
    joints[2].axes = &slide;
    joints[2].axis_count = 1;
    joints[3].axes = &ball;
    joints[3].axis_count = 1;
    joints[3].rest_rotation = sinew_quat_from_axis_angle(sinew_vec3(1.0, 0.0, 0.0), 0.5);
    sinew_Skeleton *skeleton;
    sinew_Message message;
    TEST_OK(sinew_skeleton_create(joints, 6, NULL, &skeleton, &message), &message);
    sinew_Clip *clip;
    TEST_OK(sinew_clip_create(skeleton, 3, 1.0 / 60.0, NULL, &clip), NULL);
    test_Random random = test_random(31);
    for (int f = 0; f < 3; ++f) {
        double *q = sinew_clip_frame(clip, f);
        sinew_Quat turn = test_unit_quat(&random);
        q[0] = test_range(&random, -2.0, 2.0);
        q[1] = test_range(&random, -1.0, 1.0);
        q[2] = turn.x;
        q[3] = turn.y;
        q[4] = turn.z;
        q[5] = turn.w;
    }
    const char *path = test_temp_path("made.bvh");
    TEST_OK(sinew_motion_write(path, clip, NULL, &message), &message);
    sinew_ReadOptions options = sinew_read_options_default();
    options.unit = 0.01;
    sinew_MotionFile *file;
    TEST_OK(sinew_motion_read(path, &options, &file, &message), &message);
    static const char *const read_names[6] = { "body", "two words", "joint2", "brace_}", "tool",
        "tool_end" };
    TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), 6);
    sinew_Transform expected[6], got[6];
    for (int f = 0; f < 3; ++f) {
        sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, f), expected);
        world_of(file, f, got);
        for (int j = 0; j < 6; ++j) {
            TEST_VEC3_NEAR(got[j].position, expected[j].position, 1e-6);
            assert_string_equal(
                sinew_skeleton_joints(sinew_motion_skeleton(file))[j].name, read_names[j]);
        }
    }
    TEST_TRUE(sinew_motion_is_end_site(file, 5));
    TEST_NEAR(sinew_clip_frame_time(sinew_motion_clip(file)), 1.0 / 60.0, 0.0);
    sinew_motion_destroy(file);
    sinew_clip_destroy(clip);
    sinew_skeleton_destroy(skeleton);
}

// a failure leaves the old file as it was and no other behind
static void test_write_failures(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(ARM ARM_MOTION);
    const sinew_Clip *clip = sinew_motion_clip(file);
    sinew_Message message;
    TEST_INT(sinew_motion_write("/no/such/folder/x.bvh", clip, NULL, &message),
        SINEW_STATUS_CANNOT_WRITE);
    assert_string_equal(
        message.text, "/no/such/folder/x.bvh: cannot be written: No such file or directory");
    TEST_INT(sinew_motion_write("/tmp/x.fbx", clip, NULL, &message), SINEW_STATUS_UNSUPPORTED);
    assert_string_equal(
        message.text, "/tmp/x.fbx: found another ending, expected .bvh, .glb or .gltf");
    const char *folder = test_temp_path("folder.bvh");
    TEST_INT(mkdir(folder, 0700), 0);
    TEST_INT(sinew_motion_write(folder, clip, NULL, &message), SINEW_STATUS_CANNOT_WRITE);
    TEST_TRUE(strstr(message.text, "found a folder, expected a file") != NULL);
    rmdir(folder);
    TEST_INT(sinew_motion_write(NULL, clip, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    TEST_INT(sinew_motion_write("x.bvh", NULL, NULL, &message), SINEW_STATUS_INVALID_ARGUMENT);
    sinew_WriteOptions options = sinew_write_options_default();
    options.unit = NAN;
    TEST_INT(sinew_motion_write("x.bvh", clip, &options, &message), SINEW_STATUS_INVALID_ARGUMENT);

    // behind a link the file itself is replaced; the link stays
    const char *target = temp_file("target.bvh", "old");
    const char *link = test_temp_path("link.bvh");
    if (symlink(target, link) == 0) {
        TEST_OK(sinew_motion_write(link, clip, NULL, &message), &message);
        struct stat about;
        TEST_INT(lstat(link, &about), 0);
        TEST_TRUE(S_ISLNK(about.st_mode));
        char *text = load(target);
        TEST_TRUE(strncmp(text, "HIERARCHY", 9) == 0);
        free(text);
        unlink(link);
    }
    sinew_motion_destroy(file);
}

// a disk that is full: the file that was there stays, and nothing is left beside it
static void test_full_disk(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_text(ARM ARM_MOTION);
    const char *path = temp_file("kept.bvh", "old");
    struct rlimit before, small;
    TEST_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    TEST_INT(setrlimit(RLIMIT_FSIZE, &small), 0);
    sinew_Message message = { "" };
    sinew_Status status = sinew_motion_write(path, sinew_motion_clip(file), NULL, &message);
    TEST_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    TEST_INT(status, SINEW_STATUS_CANNOT_WRITE);
    TEST_TRUE(strstr(message.text, "kept.bvh: cannot be written: File too large") != NULL);
    char *text = load(path);
    assert_string_equal(text, "old");
    free(text);

    char folder[1024];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    DIR *dir = opendir(folder);
    TEST_TRUE(dir != NULL);
    for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL;) {
        TEST_TRUE(strstr(entry->d_name, ".tmp") == NULL);
    }
    closedir(dir);
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// Anything at all

static void mutate(test_Random *random, char *text, size_t *size, size_t capacity)
{
    static const char *const words[] = { "{", "}", "JOINT x", "End Site", "OFFSET 1 2 3",
        "CHANNELS 3", "ROOT", "MOTION", "Frames: 99999", "Frame Time:", "1e308", "-", "nan", "\r",
        "\n", "\t", ":", "Xrotation", "0.5", "\xff", "\0" };
    int count = 1 + test_int(random, 3);
    for (int i = 0; i<count && * size> 0; ++i) {
        size_t at = (size_t)test_int(random, (int)*size);
        switch (test_int(random, 8)) {
        case 0: text[at] = (char)test_int(random, 256); break;
        case 1: *size = at; break;
        case 2: { // drop a piece
            size_t length = (size_t)test_int(random, 40);
            if (length > *size - at) { length = *size - at; }
            memmove(text + at, text + at + length, *size - at - length);
            *size -= length;
            break;
        }
        case 3: { // put a word in
            const char *word = words[test_int(random, (int)(sizeof words / sizeof words[0]))];
            size_t length = strlen(word);
            if (*size + length > capacity) { break; }
            memmove(text + at + length, text + at, *size - at);
            memcpy(text + at, word, length);
            *size += length;
            break;
        }
        case 4: { // repeat a piece elsewhere
            size_t to = (size_t)test_int(random, (int)*size), length = (size_t)test_int(random, 60);
            if (length > *size - at) { length = *size - at; }
            if (length > *size - to) { length = *size - to; }
            memmove(text + to, text + at, length);
            break;
        }
        default: // another digit, which often leaves a valid file
            if (text[at] >= '0' && text[at] <= '9') {
                text[at] = (char)('0' + test_int(random, 10));
            }
            break;
        }
    }
}

static void test_random_damage(void **state)
{
    (void)state;
    static const char *const seeds[] = { ARM ARM_MOTION,
        "HIERARCHY\r\nROOT a:b\r\n{\r\nOFFSET 0 0 0\r\nCHANNELS 6 Zrotation Yposition Xrotation "
        "Xposition Yrotation Zposition\r\n"
        "JOINT LeftUpLeg\r\n{\r\nOFFSET 1 0 0\r\nCHANNELS 1 Xrotation\r\nJOINT "
        "LeftLeg\r\n{\r\nOFFSET 0 -40 0\r\nCHANNELS 0\r\n"
        "JOINT LeftFoot\r\n{\r\nOFFSET 0 -41 0\r\nEnd Site x\r\n{\r\nOFFSET 0 0 1\r\n}\r\nEnd "
        "Site\r\n{\r\nOFFSET 0 0 2\r\n}\r\n}\r\n}\r\n}\r\n}\r\n"
        "MOTION\r\nFrames: 3\r\nFrame Time: .0083333\r\n1 2 3 4 5 6 7\r\n1 2 3 4 5 6 7\r\n1e-3 2 3 "
        "4 5 6 180\r\n",
        "HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 3 Xposition Yposition Zposition\n}\nROOT "
        "b\n{\nOFFSET 0 0 0\n"
        "CHANNELS 6 Xrotation Yrotation Xrotation Zrotation Yrotation Xrotation\nJOINT "
        "c\n{\nOFFSET 0 0 0\n"
        "CHANNELS 3 Xposition Yposition Zposition\n}\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1 2 3 4 "
        "5 6 7 8 9 0 0 0\n" };
    int accepted = 0, refused = 0;
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(41, i);
        const char *seed = seeds[test_int(&random, 3)];
        size_t size = strlen(seed), capacity = size + 200;
        char *text = malloc(capacity);
        TEST_TRUE(text != NULL);
        if (text == NULL) { return; }
        memcpy(text, seed, size);
        mutate(&random, text, &size, capacity);
        // memory of exactly that size, so that the sanitizer sees a byte too far
        char *exact = malloc(size > 0 ? size : 1);
        TEST_TRUE(exact != NULL);
        if (exact == NULL) { return; }
        memcpy(exact, text, size);
        free(text);
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        sinew_Status status = sinew_motion_read_memory(exact, size, "t.bvh", NULL, &file, &message);
        if (status == SINEW_STATUS_OK) {
            ++accepted;
            TEST_TRUE(file != NULL);
            // what was read can be posed, and written
            const sinew_Clip *clip = sinew_motion_clip(file);
            for (int f = 0; f < sinew_clip_frame_count(clip) && f < 5; ++f) {
                TEST_OK(sinew_pose_check(
                            sinew_motion_skeleton(file), sinew_clip_frame_const(clip, f), &message),
                    &message);
            }
            sinew_WriteOptions options = sinew_write_options_default();
            options.like = file;
            if (i % 20 == 0) {
                TEST_OK(sinew_motion_write(test_temp_path("damaged.bvh"), clip, &options, &message),
                    &message);
            }
        } else {
            ++refused;
            TEST_TRUE(
                file == NULL && message.text[0] != '\0' && strchr(message.text, '\n') == NULL);
            TEST_TRUE(status == SINEW_STATUS_BAD_FILE || status == SINEW_STATUS_UNSUPPORTED);
        }
        sinew_motion_destroy(file);
        free(exact);
    }
    print_message("%d accepted, %d refused\n", accepted, refused);
    TEST_TRUE(accepted > 500 && refused > 5000);
}

TEST_MAIN(cmocka_unit_test(test_numbers), cmocka_unit_test(test_number_text),
    cmocka_unit_test(test_decimal_comma_locale), cmocka_unit_test(test_plain_file),
    cmocka_unit_test(test_odd_text), cmocka_unit_test(test_names),
    cmocka_unit_test(test_all_rotation_orders), cmocka_unit_test(test_few_and_shuffled_channels),
    cmocka_unit_test(test_root_offset), cmocka_unit_test(test_positions_below_root),
    cmocka_unit_test(test_frame_counts), cmocka_unit_test(test_several_roots),
    cmocka_unit_test(test_jumps), cmocka_unit_test(test_unit_guess),
    cmocka_unit_test(test_unit_of_hands_and_given_units), cmocka_unit_test(test_hierarchy_mistakes),
    cmocka_unit_test(test_motion_mistakes), cmocka_unit_test(test_zero_bytes),
    cmocka_unit_test(test_long_words_in_messages), cmocka_unit_test(test_other_formats),
    cmocka_unit_test(test_named_formats), cmocka_unit_test(test_hostile_sizes),
    cmocka_unit_test(test_paths), cmocka_unit_test(test_memory_failures),
    cmocka_unit_test(test_round_trip_keeps_text), cmocka_unit_test(test_angles_stay_continuous),
    cmocka_unit_test(test_like_with_other_axes), cmocka_unit_test(test_renamed_joints),
    cmocka_unit_test(test_write_in_another_unit), cmocka_unit_test(test_write_without_like),
    cmocka_unit_test(test_write_failures), cmocka_unit_test(test_full_disk),
    cmocka_unit_test(test_random_damage))
