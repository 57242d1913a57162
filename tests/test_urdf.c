// URDF files: small robots made for each kind of joint and each mistake; the real ones against
// poses computed here from the numbers of the XML with 4 x 4 matrices.

#include "command.h"
#include "sinew/sinew.h"

#include "sinew/file.h"

#include <math.h>
#include <time.h>

// ---------------------------------------------------------------------------------------------
// Helpers

static sinew_Status read_copy(const char *text, size_t size, const sinew_ReadOptions *options,
    sinew_MotionFile **out_file, sinew_Message *out_message)
{
    // a copy of its own, so that the sanitizer sees a read past the end
    char *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    if (size > 0) { memcpy(copy, text, size); }
    sinew_Status status = sinew_motion_read_memory(
        copy, size, "t.urdf", options, out_file, out_message);
    free(copy);
    return status;
}

static sinew_MotionFile *read_robot(const char *text)
{
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    TEST_OK(read_copy(text, strlen(text), NULL, &file, &message), &message);
    return file;
}

static void check_refused(const char *text, const char *wanted)
{
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    TEST_INT(read_copy(text, strlen(text), NULL, &file, &message), SINEW_STATUS_BAD_FILE);
    TEST_TRUE(file == NULL);
    assert_string_equal(message.text, wanted);
}

static bool has_warning(const sinew_MotionFile *file, const char *part)
{
    for (int i = 0; i < sinew_motion_warning_count(file); ++i) {
        if (strstr(sinew_motion_warning(file, i), part) != NULL) { return true; }
    }
    return false;
}

static const sinew_Axis *axes_of(const sinew_MotionFile *file, const char *joint, int want_count)
{
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    int index = sinew_skeleton_find_joint(skeleton, joint);
    TEST_TRUE(index >= 0);
    const sinew_Joint *found = &sinew_skeleton_joints(skeleton)[index];
    TEST_INT(found->axis_count, want_count);
    return sinew_skeleton_axes(skeleton) + found->axis_start;
}

// ---------------------------------------------------------------------------------------------
// Kinds of joints

#define LINKS(a, b) "<parent link='" a "'/><child link='" b "'/>"

static const char every_kind[] =
    "<?xml version='1.0'?>\n<!-- <robot> in a comment -->\n<robot name='all'>\n"
    "<link name='base'><inertial><origin xyz='1 2 3'/><mass value='4.5'/></inertial></link>\n"
    "<link name='a'/><link name='b'/><link name='c'/><link name='d'/><link name='e'/>"
    "<link name='f'/><link name='g'/><link name='tool0'/>\n"
    "<joint name='hinge' type='revolute'>" LINKS("base",
        "a") "<origin xyz='0.1 0.2 0.3' "
             "rpy='0.3 -0.4 0.5'/><axis xyz='0 0 2'/><limit lower='0.5' upper='1.5' "
             "effort='1'/></joint>\n"
             "<joint name='wheel' type='continuous'>" LINKS("a",
                 "b") "<axis xyz='0 1 0'/>"
                      "<limit lower='-1' upper='1'/></joint>\n"
                      "<joint name='slide' type='prismatic'>" LINKS("b",
                          "c") "<limit upper='0.2'/></joint>\n"
                               "<joint name='plane' type='planar'>" LINKS("base",
                                   "d") "<axis xyz='0 0 1'/></joint>\n"
                                        "<joint name='free' type='floating'>" LINKS("base",
                                            "e") "</joint>\n"
                                                 "<joint name='glue' type='fixed'>" LINKS("e",
                                                     "f") "<axis xyz='0 0 0'/></joint>\n"
                                                          "<joint name='follower' "
                                                          "type='revolute'>" LINKS("f",
                                                              "g") "<limit lower='-3' upper='3'/>"
                                                                   "<mimic joint='hinge' "
                                                                   "multiplier='-2' "
                                                                   "offset='0.25'/></joint>\n"
                                                                   "<joint name='flange' "
                                                                   "type='fixed'>" LINKS("c",
                                                                       "tool0") "<origin xyz='0 0 "
                                                                                "1'/></joint>\n"
                                                                                "<transmission "
                                                                                "name='t'><joint "
                                                                                "name='hinge'/"
                                                                                "><axis "
                                                                                "xyz='x'/></"
                                                                                "transmission>\n"
                                                                                "<gazebo><link "
                                                                                "name='base'/"
                                                                                "><joint "
                                                                                "name='hinge' "
                                                                                "type='none'/></"
                                                                                "gazebo></robot>\n";

static void test_kinds_of_joints(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_robot(every_kind);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    TEST_INT(sinew_motion_format(file), SINEW_FORMAT_URDF);
    TEST_INT(sinew_skeleton_joint_count(skeleton), 9);
    TEST_INT(sinew_clip_frame_count(sinew_motion_clip(file)), 0);
    TEST_NEAR(sinew_motion_unit(file), 1.0, 0.0);
    TEST_INT(sinew_motion_unit_source(file), SINEW_UNIT_GIVEN);

    // depth first, children in the order of the file
    static const char *const order[] = { "base", "hinge", "wheel", "slide", "flange", "plane",
        "free", "glue", "follower" };
    const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
    for (int j = 0; j < 9; ++j) { assert_string_equal(joints[j].name, order[j]); }

    axes_of(file, "base", 0);
    TEST_NEAR(joints[0].mass, 4.5, 0.0);
    TEST_VEC3_NEAR(joints[0].mass_center, sinew_vec3(1.0, 2.0, 3.0), 0.0);

    const sinew_Axis *hinge = axes_of(file, "hinge", 1);
    TEST_INT(hinge->kind, SINEW_AXIS_HINGE);
    TEST_VEC3_NEAR(hinge->direction, sinew_vec3(0.0, 0.0, 1.0), 0.0);
    TEST_NEAR(hinge->lower, 0.5, 0.0);
    TEST_NEAR(hinge->upper, 1.5, 0.0);
    TEST_NEAR(hinge->rest, 0.5, 0.0);
    TEST_NEAR(hinge->mobility, 1.0, 0.0);
    TEST_VEC3_NEAR(joints[1].offset, sinew_vec3(0.1, 0.2, 0.3), 0.0);

    const sinew_Axis *wheel = axes_of(file, "wheel", 1);
    TEST_TRUE(wheel->lower == -INFINITY && wheel->upper == INFINITY);
    const sinew_Axis *slide = axes_of(file, "slide", 1);
    TEST_INT(slide->kind, SINEW_AXIS_SLIDE);
    TEST_VEC3_NEAR(slide->direction, sinew_vec3(1.0, 0.0, 0.0), 0.0);
    TEST_TRUE(slide->lower == 0.0 && slide->upper == 0.2);

    const sinew_Axis *plane = axes_of(file, "plane", 3);
    TEST_VEC3_NEAR(plane[0].direction, sinew_vec3(1.0, 0.0, 0.0), 0.0);
    TEST_VEC3_NEAR(plane[1].direction, sinew_vec3(0.0, 1.0, 0.0), 0.0);
    TEST_INT(plane[2].kind, SINEW_AXIS_HINGE);
    const sinew_Axis *ball = axes_of(file, "free", 4);
    TEST_INT(ball[3].kind, SINEW_AXIS_BALL);
    axes_of(file, "glue", 0);

    // locked at offset + multiplier x 0.5
    const sinew_Axis *follower = axes_of(file, "follower", 1);
    TEST_NEAR(follower->mobility, 0.0, 0.0);
    TEST_NEAR(follower->rest, -0.75, 1e-15);

    TEST_TRUE(has_warning(file, "+Z, not along +Y"));
    TEST_TRUE(has_warning(file, "do not move by themselves: follower"));
    TEST_TRUE(has_warning(file, "1 joint with an axis whose length is not 1: made 1, first hinge"));
    TEST_TRUE(has_warning(file, "lower or upper: ignored, first wheel"));
    TEST_TRUE(has_warning(file, "0 outside the range: rest at the nearest end, first hinge"));
    TEST_INT(sinew_motion_warning_count(file), 5);
    sinew_motion_destroy(file);
}

// angles are radians; what looks like degrees is kept as it is, and told
static void test_degrees_are_told(void **state)
{
    (void)state;
    static const char *format =
        "<robot name='r'><link name='a'/><link name='b'/><link name='c'/>"
        "<joint name='arm' type='revolute'><parent link='a'/><child link='b'/>"
        "<origin rpy='0 %s 0'/><limit lower='%s' upper='%s'/></joint>"
        "<joint name='lift' type='prismatic'><parent link='b'/><child link='c'/>"
        "<limit lower='0' upper='180'/></joint></robot>";
    static const struct {
        const char *rpy, *lower, *upper;
        bool far, turned;
    } cases[] = { { "0", "-180", "180", true, false }, { "0", "0", "90", true, false },
        { "0", "-90", "inf", true, false }, { "0", "-10", "10", false, false },
        { "0", "-1e308", "1e308", false, false }, { "-90", "-3", "3", false, true },
        { "6.3", "-3", "3", false, false } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char text[1000];
        snprintf(text, sizeof text, format, cases[i].rpy, cases[i].lower, cases[i].upper);
        sinew_MotionFile *file = read_robot(text);
        TEST_TRUE(has_warning(file,
                      "1 joint with a range beyond two turns, as degrees taken for "
                      "radians would have, first arm")
            == cases[i].far);
        TEST_TRUE(has_warning(file, "1 joint with an rpy beyond two turns") == cases[i].turned);
        sinew_motion_destroy(file);
    }
}

static void test_links_have_names(void **state)
{
    (void)state;
    sinew_MotionFile *file = read_robot(every_kind);
    TEST_INT(sinew_motion_find_joint(file, "slide"), 3);
    TEST_INT(sinew_motion_find_joint(file, "c"), 3);
    TEST_INT(sinew_motion_find_joint(file, "tool0"), 4);
    TEST_INT(sinew_motion_find_joint(file, "base"), 0);
    TEST_INT(sinew_motion_find_joint(file, "nothing"), -1);
    assert_string_equal(sinew_motion_link(file, 4), "tool0");
    TEST_TRUE(sinew_motion_link(file, 9) == NULL && sinew_motion_link(file, -1) == NULL);
    sinew_motion_destroy(file);

    // a joint goes before a link of its name, the root included
    file = read_robot("<robot><link name='x'/><link name='y'/><link name='z'/>"
                      "<joint name='z' type='fixed'>" LINKS("x",
                          "y") "</joint>"
                               "<joint name='x' type='fixed'>" LINKS("y", "z") "</joint></robot>");
    TEST_INT(sinew_motion_find_joint(file, "z"), 1);
    TEST_INT(sinew_motion_find_joint(file, "x"), 2);
    TEST_INT(sinew_motion_find_joint(file, "y"), 1);
    sinew_motion_destroy(file);
}

static void test_units_and_infinite_limits(void **state)
{
    (void)state;
    static const char text[] =
        "<robot><link name='a'/><link name='b'><inertial><origin xyz='0 0 10'/></inertial></link>"
        "<link name='c'/><joint name='s' type='prismatic'>" LINKS(
            "a", "b") "<origin xyz='1000 0 0'/><limit lower='-inf' upper='500'/></joint>"
                      "<joint name='t' type='revolute'>" LINKS(
                          "b", "c") "<limit lower='-1e+16' upper='+Infinity'/></joint></robot>";
    sinew_ReadOptions options = sinew_read_options_default();
    sinew_MotionFile *file;
    sinew_Message message;
    options.unit = 0.001;
    TEST_OK(read_copy(text, strlen(text), &options, &file, &message), &message);
    const sinew_Joint *joints = sinew_skeleton_joints(sinew_motion_skeleton(file));
    TEST_NEAR(joints[1].offset.x, 1.0, 1e-15);
    TEST_NEAR(joints[1].mass_center.z, 0.01, 1e-15);
    const sinew_Axis *slide = axes_of(file, "s", 1), *hinge = axes_of(file, "t", 1);
    TEST_TRUE(slide->lower == -INFINITY);
    TEST_NEAR(slide->upper, 0.5, 1e-15);
    TEST_TRUE(hinge->lower == -INFINITY && hinge->upper == INFINITY);
    TEST_NEAR(sinew_motion_unit(file), 0.001, 0.0);
    sinew_motion_destroy(file);
}

// the directions of a plane are at right angles to its axis and to each other
static void test_planar_axes(void **state)
{
    (void)state;
    test_Random random = test_random(71);
    for (int i = 0; i < 200; ++i) {
        sinew_Vec3 axis = test_unit_vector(&random);
        char text[600];
        snprintf(text, sizeof text,
            "<robot><link name='a'/><link name='b'/><joint name='p' type='planar'>" LINKS(
                "a", "b") "<axis xyz='%.17g %.17g %.17g'/></joint></robot>",
            axis.x, axis.y, axis.z);
        sinew_MotionFile *file = read_robot(text);
        const sinew_Axis *plane = axes_of(file, "p", 3);
        TEST_NEAR(sinew_vec3_dot(plane[0].direction, axis), 0.0, 1e-15);
        TEST_VEC3_NEAR(sinew_vec3_cross(plane[0].direction, plane[1].direction), axis, 1e-15);
        TEST_VEC3_NEAR(plane[2].direction, axis, 1e-15);
        sinew_motion_destroy(file);
    }
}

// ---------------------------------------------------------------------------------------------
// What is a URDF file

static void test_recognised_by_content(void **state)
{
    (void)state;
    static const char *const heads[] = { "<robot>", "\xef\xbb\xbf<robot name='x'>",
        " \r\n<robot\n>", "<?xml version='1.0'?><!-- HIERARCHY --><?pi?><robot>",
        "<!DOCTYPE robot SYSTEM 'robot.dtd'>\n<robot>",
        "<?xml version='1.0' encoding='ISO-8859-1'?><robot name='\xe9'>" };
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; ++i) {
        char text[400];
        snprintf(text, sizeof text, "%s<link name='only'/></robot>", heads[i]);
        sinew_MotionFile *file = read_robot(text);
        TEST_INT(sinew_skeleton_joint_count(sinew_motion_skeleton(file)), 1);
        TEST_INT(sinew_skeleton_coordinate_count(sinew_motion_skeleton(file)), 0);
        sinew_motion_destroy(file);
    }
    static const char *const others[] = { "<robots/>", "<sdf><robot/></sdf>", "<!-- <robot> -->",
        "<roboto>", "<svg><!-- <robot> --></svg>" };
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        sinew_MotionFile *file;
        sinew_Message message;
        sinew_Status status = sinew_motion_read_memory(
            others[i], strlen(others[i]), "t.xml", NULL, &file, &message);
        TEST_INT(status, SINEW_STATUS_UNSUPPORTED);
        TEST_TRUE(strstr(message.text, "found an XML file") != NULL);
        // what is named a URDF file is told as one
        status = read_copy(others[i], strlen(others[i]), NULL, &file, &message);
        TEST_INT(status, SINEW_STATUS_BAD_FILE);
        TEST_TRUE(strstr(message.text, "expected <robot") != NULL);
    }
}

// ---------------------------------------------------------------------------------------------
// Mistakes

#define HEAD "<robot>\n<link name='a'/><link name='b'/>\n"
#define JOINT(type, inside)                                                                   \
    HEAD "<joint name='j' type='" type "'>\n  <parent link='a'/><child link='b'/>\n  " inside \
         "\n</joint></robot>"

static void test_mistakes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "<robot/>", "t.urdf:1:9: found no <link>, expected at least one" },
        { "<robot>\n<link/></robot>",
            "t.urdf:2:1: found <link> without name, expected name=\"...\"" },
        { "<robot>\n<link name=''/></robot>",
            "t.urdf:2:1: found <link> without name, expected name=\"...\"" },
        { "<robot><link name='a&#10;b'/></robot>",
            "t.urdf:1:20: found \"a name with control characters\", expected a name of at most 250 "
            "plain bytes" },
        { HEAD "<link name='a'/></robot>",
            "t.urdf:3:1: found a second link \"a\", expected another name" },
        { HEAD "</robot>",
            "t.urdf:2:17: found a second root, link \"b\", expected one root, which is \"a\"" },
        { HEAD "<joint name='j' type='fixed'>" LINKS(
              "a", "b") "</joint>\n"
                        "<joint name='j' type='fixed'>" LINKS("b", "a") "</joint></robot>",
            "t.urdf:4:1: found a second joint \"j\", expected another name" },
        { HEAD "<joint name='j' type='fixed'>" LINKS(
              "a", "b") "</joint>\n"
                        "<joint name='k' type='fixed'>" LINKS("b", "a") "</joint></robot>",
            "t.urdf:4:1: found a ring of joints with link \"a\", expected a tree" },
        { HEAD "<joint name='j' type='fixed'>" LINKS("b", "b") "</joint></robot>",
            "t.urdf:3:1: found a ring of joints with link \"b\", expected a tree" },
        { HEAD "<joint name='j' type='fixed'>" LINKS(
              "a", "b") "</joint>\n"
                        "<joint name='k' type='fixed'>" LINKS("a", "b") "</joint></robot>",
            "t.urdf:4:48: found a second joint to link \"b\", expected one parent for each link" },
        { HEAD "<joint name='j' type='fixed'>\n<parent link='nowhere'/><child link='b'/></joint>"
               "</robot>",
            "t.urdf:4:1: found link \"nowhere\", expected a link of the file" },
        { HEAD "<joint name='j' type='fixed'>\n<parent link='a'/><child link='c'/></joint></robot>",
            "t.urdf:4:19: found link \"c\", expected a link of the file" },
        { HEAD "<joint name='j' type='fixed'><child link='b'/></joint></robot>",
            "t.urdf:3:1: found joint \"j\", expected a <parent link=\"...\"/> in it" },
        { HEAD "<joint name='j' type='fixed'><parent link='b'/></joint></robot>",
            "t.urdf:3:1: found joint \"j\", expected a <child link=\"...\"/> in it" },
        { JOINT("fixed", "<child link='b'/>"), "t.urdf:5:3: found a second <child>, expected one" },
        { JOINT("revolut", ""),
            "t.urdf:3:23: found \"revolut\", expected fixed, revolute, "
            "continuous, prismatic, planar or floating" },
        { HEAD "<joint name='j'/></robot>",
            "t.urdf:3:1: found <joint> without type, expected type=\"revolute\" or another" },
        { JOINT("revolute", ""),
            "t.urdf:3:1: found joint \"j\" without limit, expected a <limit "
            ".../> in it, or type=\"continuous\"" },
        { JOINT("prismatic", ""),
            "t.urdf:3:1: found joint \"j\" without limit, expected a <limit .../> in it" },
        { JOINT("revolute", "<limit lower='1' upper='-1'/>"),
            "t.urdf:5:3: found range 1..-1 of joint \"j\", expected lower <= upper" },
        { JOINT("revolute", "<limit lower='inf' upper='inf'/>"),
            "t.urdf:5:3: found range inf..inf of joint \"j\", expected lower <= upper" },
        { JOINT("revolute", "<limit lower='0' upper='nan'/>"),
            "t.urdf:5:27: found \"nan\", expected a number" },
        { JOINT("revolute", "<limit lower='0' upper='${pi}'/>"),
            "t.urdf:5:27: found \"${pi}\", expected a number" },
        { JOINT("continuous", "<axis xyz='0 0 0'/>"),
            "t.urdf:5:3: found axis 0 0 0 of joint \"j\", expected a direction" },
        { JOINT("continuous", "<axis xyz='0 1'/>"),
            "t.urdf:5:14: found \"0 1\", expected three numbers, each at most 1e9" },
        { JOINT("fixed", "<origin xyz='0 1 2 3'/>"),
            "t.urdf:5:16: found \"0 1 2 3\", expected three numbers, each at most 1e9" },
        { JOINT("fixed", "<origin rpy='0 1 x' xyz = '0 0 0'/>"),
            "t.urdf:5:16: found \"0 1 x\", expected three numbers, each at most 1e9" },
        { JOINT("fixed", "<origin xyz=\n  '0 1 1e99'/>"),
            "t.urdf:6:4: found \"0 1 1e99\", expected three numbers, each at most 1e9" },
        { JOINT("continuous", "<mimic joint='k'/>"),
            "t.urdf:5:3: found mimic of joint \"k\", expected a joint of the file" },
        { JOINT("continuous", "<mimic joint='j'/>"),
            "t.urdf:5:3: found mimic of joint \"j\", expected one that ends at a joint without "
            "mimic (64 in a row at most)" },
        { JOINT("continuous", "<mimic/>"),
            "t.urdf:5:3: found <mimic> without joint, expected joint=\"...\"" },
        { "<robot><link name='a'><inertial><mass value='-1'/></inertial></link></robot>",
            "t.urdf:1:46: found \"-1\", expected a mass of 0 or more" },
        { "<robot>\n<xacro:macro/></robot>",
            "t.urdf:2:1: found a xacro macro, expected a plain "
            "URDF file, which the program xacro makes of it" },
        { "<robot>\n<link name='a'>\n</robot>",
            "t.urdf:3:3: found mismatched tag, expected well-formed XML" },
        { "<robot>\n<link name='a'/>\n",
            "t.urdf:3:1: found the end of the file, expected </robot>" },
        { "<robot name='&undefined;'/>",
            "t.urdf:1:1: found undefined entity, expected well-formed XML" },
        { "<!DOCTYPE robot [\n<!ENTITY a 'b'>]>\n<robot/>",
            "t.urdf:1:17: found a DOCTYPE with declarations, expected none: they are not read" },
        { "<robot><link name='a'/></robot><robot/>",
            "t.urdf:1:32: found junk after document element, expected well-formed XML" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        check_refused(cases[i].text, cases[i].message);
    }
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// a thousand million letters in a few hundred bytes; nesting; names without end; endless chains
static void test_attacks(void **state)
{
    (void)state;
    size_t size = 8u << 20;
    char *text = malloc(size);
    assert_non_null(text);
    double start = seconds();

    size_t used = (size_t)snprintf(text, size, "<!DOCTYPE robot [<!ENTITY l0 'lollollol'>");
    for (int i = 1; i < 10; ++i) {
        used += (size_t)snprintf(text + used, size - used, "<!ENTITY l%d '", i);
        for (int k = 0; k < 10; ++k) {
            used += (size_t)snprintf(text + used, size - used, "&l%d;", i - 1);
        }
        used += (size_t)snprintf(text + used, size - used, "'>");
    }
    snprintf(text + used, size - used, "]><robot><link name='&l9;'/></robot>");
    check_refused(
        text, "t.urdf:1:17: found a DOCTYPE with declarations, expected none: they are not read");

    used = (size_t)snprintf(text, size, "<robot>");
    for (int i = 0; i < 200000; ++i) { used += (size_t)snprintf(text + used, size - used, "<a>"); }
    check_refused(
        text, "t.urdf:1:389: found elements nested too deep, expected at most 128 levels");

    used = (size_t)snprintf(text, size, "<robot><link name='");
    memset(text + used, 'n', 1 << 20);
    snprintf(text + used + (1 << 20), 100, "'/></robot>");
    check_refused(text,
        "t.urdf:1:20: found \"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\", expected a "
        "name of at most 250 plain bytes");

    // a chain of 20,000 joints is no mistake
    int count = 20000;
    used = (size_t)snprintf(text, size, "<robot><link name='0'/>");
    for (int i = 1; i <= count; ++i) {
        used += (size_t)snprintf(text + used, size - used,
            "<joint name='j%d' type='continuous'><parent link='%d'/><child link='%d'/></joint>"
            "<link name='%d'/>",
            i, i - 1, i, i);
    }
    snprintf(text + used, size - used, "</robot>");
    sinew_MotionFile *file = read_robot(text);
    TEST_INT(sinew_skeleton_dof_count(sinew_motion_skeleton(file)), count);
    sinew_motion_destroy(file);

    used = (size_t)snprintf(text, size, "<robot>");
    for (int i = 0; i <= SINEW_MAX_JOINTS; ++i) {
        used += (size_t)snprintf(text + used, size - used, "<link name='%d'/>", i);
    }
    snprintf(text + used, size - used, "</robot>");
    sinew_Message message;
    TEST_INT(read_copy(text, strlen(text), NULL, &file, &message), SINEW_STATUS_BAD_FILE);
    TEST_TRUE(strstr(message.text, "found one more link, expected at most 100000 links") != NULL);
    free(text);
    print_message("%.2f s\n", seconds() - start);
    TEST_TRUE(seconds() - start < 10.0);
}

// each allocation of the library fails in turn: no leak, no crash, the right status
static void test_without_memory(void **state)
{
    (void)state;
    for (long fail_at = 1;; ++fail_at) {
        test_Memory memory;
        test_memory_init(&memory);
        memory.fail_at = fail_at;
        sinew_ReadOptions options = sinew_read_options_default();
        options.allocator = memory.allocator;
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        sinew_Status status = read_copy(
            every_kind, sizeof every_kind - 1, &options, &file, &message);
        bool enough = memory.alloc_count < fail_at;
        TEST_INT(status, enough ? SINEW_STATUS_OK : SINEW_STATUS_OUT_OF_MEMORY);
        sinew_motion_destroy(file);
        TEST_INT((long long)memory.live_bytes, 0);
        TEST_TRUE(!memory.wrong_size);
        if (enough) {
            print_message("%ld allocations\n", memory.alloc_count);
            TEST_TRUE(fail_at > 10);
            return;
        }
    }
}

// 20,000 times bytes and pieces of a robot are changed: read or refused with one line
static void test_fuzz(void **state)
{
    (void)state;
    static const char *const words[] = { "'", "<", ">", "/>", "0", "-1e308", "inf", "nan", "&amp;",
        "<joint", "</joint>", "<link name='a'/>", "lower", "''", "revolute", "planar", "floating",
        "\xff", "<!--", "]]>", "<mimic joint='hinge'/>", "base" };
    int read = 0, count = 20000;
    test_Random random = test_random(72);
    for (int i = 0; i < count; ++i) {
        char text[sizeof every_kind + 200];
        size_t size = sizeof every_kind - 1;
        memcpy(text, every_kind, size);
        int changes = 1 + test_int(&random, 4);
        for (int c = 0; c < changes; ++c) {
            size_t at = (size_t)test_int(&random, (int)size);
            int kind = test_int(&random, 8);
            if (kind >= 4) {
                // other numbers keep the XML whole
                while (at < size && (text[at] < '0' || text[at] > '9')) { ++at; }
                if (at < size) { text[at] = "0123456789.-e "[test_int(&random, 14)]; }
            } else if (kind == 0) {
                text[at] = (char)test_int(&random, 256);
            } else if (kind == 1) {
                const char *word = words[test_int(&random, (int)(sizeof words / sizeof words[0]))];
                size_t length = strlen(word);
                if (at + length <= size) { memcpy(text + at, word, length); }
            } else if (kind == 2) {
                // a piece moves to another place
                size_t length = (size_t)test_int(&random, 60);
                size_t from = (size_t)test_int(&random, (int)(size - length));
                if (at + length <= size) { memmove(text + at, text + from, length); }
            } else {
                size_t length = (size_t)test_int(&random, 40);
                if (at + length > size) { length = size - at; }
                memmove(text + at, text + at + length, size - at - length);
                size -= length;
            }
        }
        sinew_MotionFile *file;
        sinew_Message message = { "" };
        sinew_Status status = read_copy(text, size, NULL, &file, &message);
        if (status == SINEW_STATUS_OK) {
            ++read;
            double q[64];
            sinew_Transform world[64];
            TEST_TRUE(sinew_skeleton_joint_count(sinew_motion_skeleton(file)) <= 64);
            sinew_pose_rest(sinew_motion_skeleton(file), q);
            TEST_OK(sinew_pose_check(sinew_motion_skeleton(file), q, &message), &message);
            TEST_NEAR(sinew_pose_limit_violation(sinew_motion_skeleton(file), q), 0.0, 0.0);
            sinew_pose_forward(sinew_motion_skeleton(file), q, world);
        } else {
            TEST_TRUE(strncmp(message.text, "t.urdf:", 7) == 0);
            TEST_TRUE(strchr(message.text, '\n') == NULL);
        }
        sinew_motion_destroy(file);
    }
    print_message("%d of %d read\n", read, count);
    TEST_TRUE(read > count / 50 && read < count);
}

// ---------------------------------------------------------------------------------------------
// The real files

typedef struct Robot {
    const char *file;
    int links, revolute, fixed, prismatic, continuous, mimic;
} Robot;

// as the README of the data counts them
static const Robot robots[] = {
    { "urdf/panda.urdf", 13, 7, 3, 2, 0, 1 },
    { "urdf/ur5.urdf", 11, 6, 4, 0, 0, 0 },
    { "urdf/ur5_limited.urdf", 11, 6, 4, 0, 0, 0 },
    { "urdf/kinova_jaco.urdf", 13, 3, 6, 0, 3, 0 },
    { "urdf/baxter.urdf", 57, 15, 37, 4, 0, 2 },
    { "urdf/pr2.urdf", 82, 25, 51, 1, 4, 10 },
    { "urdf/tiago.urdf", 78, 45, 29, 1, 2, 0 },
    { "urdf/talos_full_v2.urdf", 60, 44, 15, 0, 0, 12 },
    { "urdf/romeo.urdf", 82, 55, 26, 0, 0, 22 },
    { "urdf/simple_humanoid.urdf", 31, 29, 1, 0, 0, 0 },
    { "urdf/solo12.urdf", 17, 12, 4, 0, 0, 0 },
    { "urdf/anymal_b.urdf", 23, 12, 10, 0, 0, 0 },
    { "urdf/kuka_iiwa.urdf", 8, 7, 0, 0, 0, 0 },
    { "urdf/nao.urdf", 79, 26, 36, 0, 16, 17 },
    { "urdf/a1_quadruped.urdf", 22, 12, 9, 0, 0, 0 },
    { "urdf/r2d2.urdf", 16, 2, 7, 1, 5, 0 },
    { "urdf/unitree_g1_29dof.urdf", 40, 29, 10, 0, 0, 0 },
    { "hand/allegro_right_hand.urdf", 21, 16, 4, 0, 0, 0 },
};
#define ROBOT_COUNT ((int)(sizeof robots / sizeof robots[0]))

static sinew_MotionFile *open_robot(const char *name)
{
    const char *path = data_path(name);
    if (path == NULL) { skip(); }
    sinew_MotionFile *file;
    sinew_Message message = { "" };
    TEST_OK(sinew_motion_read(path, NULL, &file, &message), &message);
    return file;
}

static void test_counts_of_real_files(void **state)
{
    (void)state;
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        sinew_MotionFile *file = open_robot(robots[r].file);
        const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
        const sinew_Joint *joints = sinew_skeleton_joints(skeleton);
        int fixed = 0, revolute = 0, prismatic = 0, continuous = 0, mimic = 0, moving = 0;
        for (int j = 1; j < sinew_skeleton_joint_count(skeleton); ++j) {
            const sinew_Axis *axis = sinew_skeleton_axes(skeleton) + joints[j].axis_start;
            TEST_TRUE(joints[j].axis_count <= 1);
            fixed += joints[j].axis_count == 0;
            if (joints[j].axis_count == 0) { continue; }
            bool hinge = axis->kind == SINEW_AXIS_HINGE;
            bool limited = isfinite(axis->lower) && isfinite(axis->upper);
            ++moving;
            mimic += axis->mobility == 0.0;
            prismatic += axis->kind == SINEW_AXIS_SLIDE;
            revolute += hinge && limited;
            continuous += hinge && !limited;
            TEST_NEAR(sinew_vec3_length(axis->direction), 1.0, 1e-15);
        }
        print_message("    %-30s %2d joints, %2d dofs, %2d mimic, %d warnings\n", robots[r].file,
            sinew_skeleton_joint_count(skeleton), sinew_skeleton_dof_count(skeleton), mimic,
            sinew_motion_warning_count(file));
        TEST_INT(sinew_skeleton_joint_count(skeleton), robots[r].links);
        TEST_INT(fixed, robots[r].fixed);
        TEST_INT(revolute, robots[r].revolute);
        TEST_INT(prismatic, robots[r].prismatic);
        TEST_INT(continuous, robots[r].continuous);
        TEST_INT(mimic, robots[r].mimic);
        TEST_INT(sinew_skeleton_dof_count(skeleton), moving);
        sinew_motion_destroy(file);
    }
}

// one joint as the text of the file has it, found without any of the library
typedef struct Plain {
    char name[100], type[20], parent[100], child[100];
    double xyz[3], rpy[3], axis[3], lower, upper, value;
} Plain;

enum { MAX_PLAIN = 128 };

// the value of an attribute of the first such element before end
static bool plain_attribute(const char *start, const char *end, const char *element,
    const char *key, char *out_value, size_t size)
{
    char open[40], want[40];
    snprintf(open, sizeof open, "<%s", element);
    snprintf(want, sizeof want, "%s=\"", key);
    const char *tag = start;
    do {
        tag = strstr(tag, open);
        if (tag == NULL || tag >= end) { return false; }
        tag += strlen(open);
    } while (strchr(" \t\r\n", *tag) == NULL);
    const char *close = strchr(tag, '>'), *value = tag;
    do {
        value = strstr(value, want);
        if (value == NULL || value > close) { return false; }
        value += strlen(want);
    } while (strchr(" \t\r\n", value[-1 - (ptrdiff_t)strlen(want)]) == NULL);
    snprintf(out_value, size, "%.*s", (int)strcspn(value, "\""), value);
    return true;
}

static void plain_numbers(
    const char *start, const char *end, const char *element, const char *key, double out[3])
{
    char value[200];
    if (!plain_attribute(start, end, element, key, value, sizeof value)) { return; }
    TEST_INT(sscanf(value, "%lf %lf %lf", &out[0], &out[1], &out[2]), 3);
}

static int read_plain(char *text, Plain *plain)
{
    int count = 0;
    for (char *c = text; (c = strstr(c, "<!--")) != NULL;) {
        char *end = strstr(c, "-->");
        assert_non_null(end);
        memset(c, ' ', (size_t)(end + 3 - c));
    }
    for (char *at = text; (at = strstr(at, "<joint ")) != NULL; ++at) {
        const char *end = strstr(at, "</joint>");
        Plain *p = &plain[count];
        memset(p, 0, sizeof *p);
        // those of transmissions have neither type nor parent
        if (end == NULL || !plain_attribute(at, end, "joint", "type", p->type, sizeof p->type)
            || !plain_attribute(at, end, "parent", "link", p->parent, sizeof p->parent)) {
            continue;
        }
        assert_true(plain_attribute(at, end, "joint", "name", p->name, sizeof p->name));
        assert_true(plain_attribute(at, end, "child", "link", p->child, sizeof p->child));
        p->axis[0] = 1.0;
        plain_numbers(at, end, "origin", "xyz", p->xyz);
        plain_numbers(at, end, "origin", "rpy", p->rpy);
        plain_numbers(at, end, "axis", "xyz", p->axis);
        char value[100];
        if (plain_attribute(at, end, "limit", "lower", value, sizeof value)) {
            p->lower = strtod(value, NULL);
        }
        if (plain_attribute(at, end, "limit", "upper", value, sizeof value)) {
            p->upper = strtod(value, NULL);
        }
        assert_true(++count < MAX_PLAIN);
    }
    return count;
}

typedef struct Matrix {
    double m[4][4];
} Matrix;

static Matrix multiply(Matrix a, Matrix b)
{
    Matrix r;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            r.m[i][j] = 0.0;
            for (int k = 0; k < 4; ++k) { r.m[i][j] += a.m[i][k] * b.m[k][j]; }
        }
    }
    return r;
}

static Matrix translation(double x, double y, double z)
{
    Matrix r = { { { 1, 0, 0, x }, { 0, 1, 0, y }, { 0, 0, 1, z }, { 0, 0, 0, 1 } } };
    return r;
}

// about any direction, by Rodrigues
static Matrix rotation(const double direction[3], double angle)
{
    double n = sqrt(
        direction[0] * direction[0] + direction[1] * direction[1] + direction[2] * direction[2]);
    double x = direction[0] / n, y = direction[1] / n, z = direction[2] / n;
    double c = cos(angle), s = sin(angle), v = 1.0 - c;
    Matrix r = { { { c + x * x * v, x * y * v - z * s, x * z * v + y * s, 0 },
        { y * x * v + z * s, c + y * y * v, y * z * v - x * s, 0 },
        { z * x * v - y * s, z * y * v + x * s, c + z * z * v, 0 }, { 0, 0, 0, 1 } } };
    return r;
}

static Matrix world_of_link(const Plain *plain, int count, const char *link)
{
    static const double x[3] = { 1, 0, 0 }, y[3] = { 0, 1, 0 }, z[3] = { 0, 0, 1 };
    for (int i = 0; i < count; ++i) {
        const Plain *p = &plain[i];
        if (strcmp(p->child, link) != 0) { continue; }
        Matrix m = world_of_link(plain, count, p->parent);
        m = multiply(m, translation(p->xyz[0], p->xyz[1], p->xyz[2]));
        m = multiply(m, rotation(z, p->rpy[2]));
        m = multiply(m, rotation(y, p->rpy[1]));
        m = multiply(m, rotation(x, p->rpy[0]));
        if (strcmp(p->type, "prismatic") == 0) {
            return multiply(m,
                translation(p->axis[0] * p->value, p->axis[1] * p->value, p->axis[2] * p->value));
        }
        return strcmp(p->type, "fixed") == 0 ? m : multiply(m, rotation(p->axis, p->value));
    }
    return translation(0.0, 0.0, 0.0);
}

static void check_link(const Plain *plain, int count, const char *link, sinew_Transform found)
{
    Matrix want = world_of_link(plain, count, link);
    TEST_VEC3_NEAR(found.position, sinew_vec3(want.m[0][3], want.m[1][3], want.m[2][3]), 1e-12);
    for (int k = 0; k < 3; ++k) {
        sinew_Vec3 unit = sinew_vec3(k == 0, k == 1, k == 2);
        TEST_VEC3_NEAR(sinew_quat_rotate(found.rotation, unit),
            sinew_vec3(want.m[0][k], want.m[1][k], want.m[2][k]), 1e-12);
    }
}

// every link of every robot in random poses within the limits of the file
static void test_poses_of_real_files(void **state)
{
    (void)state;
    static char text[1 << 20];
    static Plain plain[MAX_PLAIN];
    long checked = 0;
    for (int r = 0; r < ROBOT_COUNT; ++r) {
        sinew_MotionFile *file = open_robot(robots[r].file);
        assert_true(read_text(data_path(robots[r].file), text, sizeof text) > 0);
        int count = read_plain(text, plain);
        const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
        int joint_count = sinew_skeleton_joint_count(skeleton);
        TEST_INT(count, joint_count - 1);
        for (int pose = 0; pose < 8; ++pose) {
            test_Random random = test_case(73, pose);
            double q[MAX_PLAIN];
            sinew_Transform world[MAX_PLAIN];
            sinew_pose_rest(skeleton, q);
            for (int i = 0; i < count; ++i) {
                int c = sinew_skeleton_find_coordinate(skeleton, plain[i].name);
                bool fixed = strcmp(plain[i].type, "fixed") == 0;
                assert_true((c >= 0) == !fixed);
                if (fixed) { continue; }
                bool turns = strcmp(plain[i].type, "continuous") == 0;
                plain[i].value = turns ? test_range(&random, -3.0, 3.0)
                                       : test_range(&random, plain[i].lower, plain[i].upper);
                q[c] = plain[i].value;
            }
            TEST_NEAR(sinew_pose_limit_violation(skeleton, q), 0.0, 0.0);
            sinew_pose_forward(skeleton, q, world);
            for (int i = 0; i < count; ++i) {
                int joint = sinew_skeleton_find_joint(skeleton, plain[i].name);
                check_link(plain, count, plain[i].child, world[joint]);
                // by the name of the link as well, except where a joint has that name
                int by_link = sinew_motion_find_joint(file, plain[i].child);
                if (sinew_skeleton_find_joint(skeleton, plain[i].child) < 0) {
                    TEST_INT(by_link, joint);
                }
                ++checked;
            }
        }
        sinew_motion_destroy(file);
    }
    print_message("%ld links\n", checked);
}

// the limits and masses of one robot, number by number
static void test_numbers_of_panda(void **state)
{
    (void)state;
    sinew_MotionFile *file = open_robot("urdf/panda.urdf");
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Axis *axis = axes_of(file, "panda_joint4", 1);
    TEST_NEAR(axis->lower, -3.0718, 0.0);
    TEST_NEAR(axis->upper, -0.0698, 0.0);
    TEST_NEAR(axis->rest, -0.0698, 0.0);
    TEST_TRUE(has_warning(file, "do not move by themselves: panda_finger_joint2"));
    double mass = 0.0;
    for (int j = 0; j < sinew_skeleton_joint_count(skeleton); ++j) {
        mass += sinew_skeleton_joints(skeleton)[j].mass;
    }
    print_message("%.3f kg\n", mass);
    TEST_TRUE(mass > 15.0 && mass < 25.0);
    sinew_motion_destroy(file);
}

// goals at reachable places, start in the middle: what follows another joint never moves
static void test_solves_and_keeps_mimics(void **state)
{
    (void)state;
    sinew_MotionFile *file = open_robot("urdf/panda.urdf");
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    int tool = sinew_motion_find_joint(file, "panda_leftfinger");
    int locked = sinew_skeleton_find_coordinate(skeleton, "panda_finger_joint2");
    TEST_TRUE(tool >= 0 && locked >= 0);
    sinew_SolverDef def = sinew_solver_def_default();
    def.skeleton = skeleton;
    sinew_Solver *solver;
    sinew_Message message = { "" };
    TEST_OK(sinew_solver_create(&def, &solver, &message), &message);
    int met = 0;
    for (int i = 0; i < 50; ++i) {
        test_Random random = test_case(74, i);
        double q[16], want[16];
        sinew_Transform world[16];
        const sinew_Axis *axes = sinew_skeleton_axes(skeleton);
        for (int a = 0; a < sinew_skeleton_axis_count(skeleton); ++a) {
            want[a] = test_range(&random, axes[a].lower, axes[a].upper);
        }
        want[locked] = 0.0;
        sinew_pose_forward(skeleton, want, world);
        sinew_pose_middle(skeleton, q);
        q[locked] = 0.0;
        sinew_Goal goal = sinew_goal_pose(tool, world[tool].position, world[tool].rotation);
        sinew_SolveOptions options = sinew_solve_options_default(SINEW_METHOD_DAMPED);
        sinew_Report report;
        TEST_OK(sinew_solver_solve(solver, &options, &goal, 1, q, &report, &message), &message);
        met += report.outcome == SINEW_OUTCOME_CONVERGED;
        TEST_NEAR(q[locked], 0.0, 0.0);
        TEST_NEAR(report.limit_violation, 0.0, 0.0);
    }
    print_message("%d of 50 met\n", met);
    TEST_TRUE(met > 25);
    sinew_solver_destroy(solver);
    sinew_motion_destroy(file);
}

// ---------------------------------------------------------------------------------------------
// The command

static const char *write_every_kind(void)
{
    const char *path = test_temp_path("every.urdf");
    write_text(path, every_kind);
    return path;
}

static void check_says(const char *text, const char *part)
{
    if (strstr(text, part) != NULL) { return; }
    print_error("\"%s\" is not in:\n%s\n", part, text);
    fail();
}

static void test_command_info(void **state)
{
    (void)state;
    const char *path = write_every_kind();
    const test_Run *run = run_sinew("info %s", path);
    TEST_INT(run->code, 0);
    check_says(run->out, "(URDF)");
    check_says(run->out, "URDF files are in metres");
    check_says(run->out, "locked");
    check_says(run->out, "tool0");
    run = run_sinew("info %s --json", path);
    TEST_INT(run->code, 0);
    check_says(run->out, "\"format\": \"URDF\"");
    check_says(run->out, "\"link\": \"tool0\"");

    const char *bad = test_temp_path("bad.urdf");
    write_text(bad, "<robot>\n<link name='a'/><link name='b'/></robot>");
    run = run_sinew("info %s", bad);
    TEST_INT(run->code, 1);
    check_says(run->err, "bad.urdf:2:17: found a second root, link \"b\"");
}

static void test_command_solve(void **state)
{
    (void)state;
    const char *path = write_every_kind();
    // by link, across a fixed joint
    const test_Run *run = run_sinew("solve %s --goal tool0=0.3,0.1,1.2 --json", path);
    TEST_TRUE(run->code == 0 || run->code == 1);
    check_says(run->out, "\"joint\": \"tool0\"");
    run = run_sinew("solve %s --goal tool=0,0,0", path);
    TEST_INT(run->code, 1);
    check_says(run->err, "did you mean 'tool0'?");

    // rows start in rest, as a single goal does; no iteration at the goal shows the start
    const char *goals = test_temp_path("goals.csv"), *answers = test_temp_path("answers.csv");
    sinew_MotionFile *file = read_robot(every_kind);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    double q[64];
    sinew_Transform world[16];
    sinew_pose_rest(skeleton, q);
    sinew_pose_forward(skeleton, q, world);
    int tool = sinew_motion_find_joint(file, "tool0");
    char text[400];
    snprintf(text, sizeof text, "tool0.x,tool0.y,tool0.z\n%.17g,%.17g,%.17g\n",
        world[tool].position.x, world[tool].position.y, world[tool].position.z);
    write_text(goals, text);
    sinew_motion_destroy(file);
    run = run_sinew("solve %s --goals %s -o %s", path, goals, answers);
    TEST_INT(run->code, 0);
    TEST_TRUE(read_text(answers, text, sizeof text) > 0);
    static char whole[8192];
    read_text(answers, whole, sizeof whole);
    check_says(whole, "\nconverged,");
    check_says(whole, ",0,0,0,"); // no turn to make, no violation, no iteration
    // the hinge of 0.5..1.5 rests on its bound, the slide of 0..0.2 at 0; the follower stays at its rest
    check_says(whole, ",0.5,0,0,");
    check_says(whole, ",-0.75,");
}

// seconds that `sinew info` takes for a base of fixed joints: all on one link, or every other one an end of a long row
static double time_static_base(const char *name, bool is_row)
{
    const char *path = test_temp_path(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "<robot name='base'><link name='l0'/>");
    for (int i = 1; i <= 60000; ++i) {
        int parent = !is_row || i < 3 ? 0 : i % 2 == 1 ? i - 1 : i - 2;
        fprintf(file,
            "<link name='l%d'/><joint name='j%d' type='fixed'><parent link='l%d'/>"
            "<child link='l%d'/></joint>\n",
            i, i, parent, i);
    }
    fprintf(file, "</robot>");
    assert_int_equal(fclose(file), 0);
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    TEST_INT(run_sinew("info '%s' --json", path)->code, 0);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

// limbs were looked for from each end up to the root: 12 times as long in a row
static void test_static_bases_take_linear_time(void **state)
{
    (void)state;
    double flat = time_static_base("flat.urdf", false), row = time_static_base("row.urdf", true);
    print_message("all on one link %.2f s, in a row %.2f s\n", flat, row);
    TEST_TRUE(row < 5.0 * flat + 0.5);
}

static void test_command_rig_and_picture(void **state)
{
    (void)state;
    const char *path = write_every_kind();
    const char *rig = test_temp_path("every.rig.json"), *picture = test_temp_path("every.png");
    const char *pose = test_temp_path("every.bvh");
    TEST_INT(run_sinew("rig %s -o %s", path, rig)->code, 0);
    TEST_INT(run_sinew("info %s --rig %s", path, rig)->code, 0);
    const test_Run *run = run_sinew(
        "solve %s --goal wheel=0.1,0.2,0.3 --picture %s -o %s", path, picture, pose);
    if (run->code != 0) { print_error("%s%s", run->out, run->err); }
    TEST_INT(run->code, 0);
    TEST_INT(run_sinew("info %s", pose)->code, 0);
    // no motion to follow
    run = run_sinew("track %s --targets all -o %s", path, pose);
    TEST_INT(run->code, 1);
    check_says(run->err, "no frame to follow");
}

TEST_MAIN(cmocka_unit_test(test_kinds_of_joints), cmocka_unit_test(test_degrees_are_told),
    cmocka_unit_test(test_links_have_names), cmocka_unit_test(test_units_and_infinite_limits),
    cmocka_unit_test(test_planar_axes), cmocka_unit_test(test_recognised_by_content),
    cmocka_unit_test(test_mistakes), cmocka_unit_test(test_attacks),
    cmocka_unit_test(test_without_memory), cmocka_unit_test(test_fuzz),
    cmocka_unit_test(test_counts_of_real_files), cmocka_unit_test(test_poses_of_real_files),
    cmocka_unit_test(test_numbers_of_panda), cmocka_unit_test(test_solves_and_keeps_mimics),
    cmocka_unit_test(test_command_info), cmocka_unit_test(test_command_solve),
    cmocka_unit_test(test_static_bases_take_linear_time),
    cmocka_unit_test(test_command_rig_and_picture))
