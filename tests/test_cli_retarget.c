// `sinew retarget`: one clip, folders of clips that go on where they stopped, maps, individuals.

#include "command.h"

#include "sinew/file.h"
#include "sinew/sinew.h"

#include <sys/stat.h>
#include <unistd.h>

static bool says(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) { print_message("not found: %s\nin: %s\n", part, text); }
    return found;
}

/// Paths that outlive the next calls of data_path.
static bool find_data(char clip[512], char character[512])
{
    const char *path = data_path("bvh/bandai_2_run_normal_004.bvh");
    if (path == NULL) { return false; }
    snprintf(clip, 512, "%s", path);
    path = data_path("gltf/cesium_man.gltf");
    if (path == NULL) { return false; }
    snprintf(character, 512, "%s", path);
    return true;
}

static void clips_go_to_characters(void **state)
{
    (void)state;
    char clip[512], character[512], out[512];
    if (!find_data(clip, character)) { skip(); }
    snprintf(out, sizeof out, "%s", test_temp_path("running.glb"));
    const test_Run *run = run_sinew("retarget '%s' --to '%s' -o '%s' --json", clip, character, out);
    assert_int_equal(run->code, 0);
    assert_true(is_json_object(run->out));
    assert_true(json_number(run->out, "frames") == 75.0);
    assert_true(json_number(run->out, "slide_mm_median") <= 0.5);
    assert_true(json_number(run->out, "slide_mm_max") <= 5.0);
    assert_true(json_number(run->out, "limit_violation_rad") == 0.0);
    run = run_sinew("info '%s'", out);
    assert_int_equal(run->code, 0);
    assert_true(says(run->out, "75 at 30 per second"));
    // inside guessed limits, and somebody old, who takes longer
    run = run_sinew(
        "retarget '%s' --to '%s' --rig auto -i old -o '%s' --json", clip, character, out);
    assert_int_equal(run->code, 0);
    assert_true(json_number(run->out, "limit_violation_rad") == 0.0);
    assert_true(json_number(run->out, "frames") > 90.0);
}

// what swinging feet do is told: these toes were 45 mm below the floor, and no figure was
static void depths_are_told(void **state)
{
    (void)state;
    char clip[512], character[512];
    const char *path = data_path("bvh/bandai_2_walk-turn-left_normal_005.bvh");
    if (path == NULL) { skip(); }
    snprintf(clip, sizeof clip, "%s", path);
    snprintf(character, sizeof character, "%s", data_path("bvh/xsens_jl_tpose.bvh"));
    const test_Run *run = run_sinew("retarget '%s' --to '%s' --json", clip, character);
    assert_int_equal(run->code, 0);
    assert_true(json_number(run->out, "below_floor_mm_max") <= 0.1);
    assert_true(json_number(run->out, "below_floor_mm_p99") <= 0.1);
    assert_true(json_number(run->out, "source_below_floor_mm_max") <= 1.0);
    run = run_sinew("retarget '%s' --to '%s'", clip, character);
    assert_true(says(run->out, "at most, soles of all frames; p99 0.0"));
    // feet that are free are told against the floor that they are seen on
    run = run_sinew("retarget '%s' --to '%s' --free-feet --json", clip, character);
    assert_true(json_number(run->out, "below_floor_mm_max") >= 20.0);
}

// a robot's file fixes its base, which floats here; its up is told
static void robots_travel(void **state)
{
    (void)state;
    char clip[512], robot[512], out[512];
    const char *path = data_path("bvh/bandai_2_walk_normal_003.bvh");
    if (path == NULL) { skip(); }
    snprintf(clip, sizeof clip, "%s", path);
    snprintf(robot, sizeof robot, "%s", data_path("urdf/unitree_g1_29dof.urdf"));
    snprintf(out, sizeof out, "%s", test_temp_path("robot.bvh"));
    const test_Run *run = run_sinew("retarget '%s' --to '%s' -o '%s'", clip, robot, out);
    assert_int_equal(run->code, 0);
    assert_true(says(run->err, "the base floats, so that it can travel (--float)"));
    assert_true(says(run->out, "its up is +Z, as its file has it; the source's is +Y"));
    run = run_sinew("retarget '%s' --to '%s' --float --json", clip, robot);
    assert_int_equal(run->code, 0);
    assert_true(run->err[0] == '\0');
    assert_true(json_number(run->out, "slide_mm_median") <= 0.5);
    assert_true(says(run->out, "its up is +Z"));
    // what is refused is told in one line
    snprintf(robot, sizeof robot, "%s", data_path("urdf/panda.urdf"));
    run = run_sinew("retarget '%s' --to '%s' -o '%s'", clip, robot, out);
    assert_int_equal(run->code, 1);
    assert_true(says(run->err, "no stance"));
    assert_ptr_equal(strchr(run->err, '\n'), strrchr(run->err, '\n'));
    run = run_sinew("walk --rig '%s' -s 1", robot);
    assert_int_equal(run->code, 1);
    assert_true(says(run->err, "no left leg"));
    assert_ptr_equal(strchr(run->err, '\n'), strrchr(run->err, '\n'));
}

// soles of robots go with the last hinge of the ankle, and where limits leave no pose that lies as a person's sole
// does, it is the turn that gives way, or the heel rises: none stands in the floor
static void robots_stand_on_the_floor(void **state)
{
    (void)state;
    static const struct {
        const char *robot, *clip;
        double below;
    } cases[] = { { "romeo", "bandai_2_walk_normal_003", 2.0 },
        { "romeo", "bandai_2_run_normal_004", 2.0 }, { "nao", "bandai_2_walk_normal_003", 1.0 },
        { "talos_full_v2", "fair_zombie", 2.0 }, { "unitree_g1_29dof", "fair_zombie", 2.0 } };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char clip[512], robot[512], name[100];
        snprintf(name, sizeof name, "bvh/%s.bvh", cases[i].clip);
        const char *path = data_path(name);
        if (path == NULL) { skip(); }
        snprintf(clip, sizeof clip, "%s", path);
        snprintf(name, sizeof name, "urdf/%s.urdf", cases[i].robot);
        snprintf(robot, sizeof robot, "%s", data_path(name));
        const test_Run *run = run_sinew("retarget '%s' --to '%s' --float --json", clip, robot);
        assert_int_equal(run->code, 0);
        double below = json_number(run->out, "below_floor_mm_max");
        if (!(below <= cases[i].below)) { fail_msg("%s, %s: %g mm", robot, clip, below); }
        assert_true(json_number(run->out, "limit_violation_rad") <= 0.0);
    }
}

static void folders_go_on_where_they_stopped(void **state)
{
    (void)state;
    char clip[512], character[512], folder[512], in[512], text[600];
    if (!find_data(clip, character)) { skip(); }
    snprintf(in, sizeof in, "%s", test_temp_path("clips"));
    snprintf(folder, sizeof folder, "%s", test_temp_path("done"));
    assert_int_equal(mkdir(in, 0777), 0);
    for (int i = 0; i < 3; ++i) {
        snprintf(text, sizeof text, "%s/run%d.bvh", in, i);
        assert_int_equal(symlink(clip, text), 0);
    }
    snprintf(text, sizeof text, "%s/broken.bvh", in);
    write_text(text, "HIERARCHY\nROOT a\n{\n");
    const test_Run *run = run_sinew(
        "retarget '%s' --to '%s' -o '%s/' --json", in, character, folder);
    assert_int_equal(run->code, 1);
    assert_true(json_number(run->out, "clips") == 4.0);
    assert_true(json_number(run->out, "failed") == 1.0);
    assert_true(says(run->err, "broken.bvh:"));
    // one is taken away, and alone is made again
    snprintf(text, sizeof text, "%s/run1.glb", folder);
    assert_int_equal(unlink(text), 0);
    snprintf(text, sizeof text, "%s/broken.bvh", in);
    assert_int_equal(unlink(text), 0);
    run = run_sinew("retarget '%s' --to '%s' -o '%s/'", in, character, folder);
    assert_int_equal(run->code, 0);
    assert_true(says(run->out, "3 clips, 2 done before"));
    // clips that lie where their answers would go were not done before
    run = run_sinew("retarget '%s' --to scene:MAN18 -o '%s/'", in, in);
    assert_int_equal(run->code, 1);
    assert_true(says(run->out, "3 clips, 0 done before"));
    assert_true(says(run->err, "was read and would be overwritten"));
    for (int i = 0; i < 3; ++i) {
        snprintf(text, sizeof text, "%s/run%d.glb", folder, i);
        assert_int_equal(unlink(text), 0);
        snprintf(text, sizeof text, "%s/run%d.bvh", in, i);
        assert_int_equal(unlink(text), 0);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(rmdir(in), 0);
}

static void maps_are_written_and_read(void **state)
{
    (void)state;
    char clip[512], character[512], map[512], a[512], b[512];
    static char one[1 << 20], two[1 << 20];
    if (!find_data(clip, character)) { skip(); }
    snprintf(map, sizeof map, "%s", test_temp_path("map.json"));
    snprintf(a, sizeof a, "%s", test_temp_path("a.bvh"));
    snprintf(b, sizeof b, "%s", test_temp_path("b.bvh"));
    const test_Run *run = run_sinew(
        "retarget '%s' --to '%s' -o '%s' --map-out '%s'", character, clip, a, map);
    assert_int_equal(run->code, 0);
    assert_true(read_text(map, one, sizeof one) > 0);
    assert_true(is_json_object(one));
    assert_true(says(one, "\"Hips\": \"node2\""));
    // the same map gives the same motion, another one another
    run = run_sinew("retarget '%s' --to '%s' -o '%s' --map '%s'", character, clip, b, map);
    assert_int_equal(run->code, 0);
    assert_true(read_text(a, one, sizeof one) > 0 && read_text(b, two, sizeof two) > 0);
    assert_string_equal(one, two);
    write_text(map, "{\"joints\": {\"UpperArm_L\": null}}");
    run = run_sinew("retarget '%s' --to '%s' -o '%s' --map '%s'", character, clip, b, map);
    assert_int_equal(run->code, 0);
    assert_true(read_text(b, two, sizeof two) > 0);
    assert_true(strcmp(one, two) != 0);
    write_text(map, "{\"joints\": {\"Hip\": \"node2\"}}");
    run = run_sinew("retarget '%s' --to '%s' --map '%s'", character, clip, map);
    assert_int_equal(run->code, 1);
    assert_true(says(run->err, "did you mean \"Hips\"?"));
}

static void slips_are_told(void **state)
{
    (void)state;
    char clip[512], character[512];
    if (!find_data(clip, character)) { skip(); }
    static const struct {
        const char *arguments, *said;
        int code;
    } slips[] = {
        { "retarget '%s'", "--to", 2 },
        { "retarget '%s' --to scene:MAN18 --individual lame", "stiff_knee_left", 2 },
        { "retarget '%s' --to scene:MAN18 -o x.fbx", ".bvh", 2 },
        { "retarget '%s' --to scene:SPIDER",
            "sinew: scene:SPIDER: the target: no stance: the body is no person", 1 },
        { "retarget '%s' --to nobody.glb", "nobody.glb", 1 },
        { "retarget '%s' --to scene:MAN18 --reach 2", "--reach", 2 },
        { "retarget '%s' '%s' --to scene:MAN18", "folder", 2 },
    };
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; ++i) {
        char line[2048];
        const char *first = strstr(slips[i].arguments, "%s");
        const char *second = strstr(first + 2, "%s");
        if (second != NULL) {
            snprintf(line, sizeof line, "retarget '%s' '%s' --to scene:MAN18", clip, clip);
        } else {
            snprintf(line, sizeof line, "retarget '%s%s", clip, first + 2);
        }
        const test_Run *run = run_sinew("%s", line);
        if (run->code != slips[i].code) { print_message("%s\n%s", line, run->err); }
        assert_int_equal(run->code, slips[i].code);
        assert_true(says(run->err, slips[i].said));
    }
}

// a file is bad input (1), words of the command line are wrong usage (2)
static void files_of_individuals_say_what_is_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        { "{\"sinew_individual\":9,\"traits\":{}}", ":1:21: found 9, expected version 1" },
        { "{\"sinew_individual\":1,\"traits\":{\"limp\":0.7}}", ":1:33: found \"limp\"," },
        { "{\"sinew_individual\":1,\"traits\":{\"old\":7}}", ":1:39: found 7, expected" },
        { "{\"sinew_individual\":1,\"traits\":[]}", ":1:32: found a list of 0, expected" },
        { "{\"sinew_individual\":1,\"traits\":{},\"x\":1}", ":1:35: found \"x\", expected" },
        { "{\"traits\":{}}", ":1:1: found an object, expected" },
        { "[]", ":1:1: found a list of 0, expected" },
    };
    char path[512];
    snprintf(path, sizeof path, "%s", test_temp_path("somebody.json"));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        write_text(path, wrong[i].text);
        const test_Run *run = run_sinew("retarget scene:MAN18 --to scene:MAN18 -i '%s'", path);
        assert_int_equal(run->code, 1);
        assert_true(says(run->err, wrong[i].said));
        run = run_sinew("rig scene:MAN18 -i '%s'", path);
        assert_int_equal(run->code, 1);
        assert_true(says(run->err, wrong[i].said));
    }
    assert_int_equal(run_sinew("rig scene:MAN18 -i limp")->code, 2);
}

// vertebrae that turn as what is between two others say so in the map: read back as it was written it changes nothing
static void maps_know_what_is_between(void **state)
{
    (void)state;
    char clip[512], character[512], map[512], a[512], b[512];
    const char *path = data_path("bvh/fair_dab.bvh");
    if (path == NULL) { skip(); }
    snprintf(clip, sizeof clip, "%s", path);
    path = data_path("bvh/cmu_12_01_walk_mb.bvh");
    if (path == NULL) { skip(); }
    snprintf(character, sizeof character, "%s", path);
    snprintf(map, sizeof map, "%s", test_temp_path("between.json"));
    snprintf(a, sizeof a, "%s", test_temp_path("between-a.bvh"));
    snprintf(b, sizeof b, "%s", test_temp_path("between-b.bvh"));
    static char one[1 << 20], two[1 << 20];
    const test_Run *run = run_sinew(
        "retarget '%s' --to '%s' -o '%s' --map-out '%s'", clip, character, a, map);
    assert_int_equal(run->code, 0);
    assert_true(read_text(map, one, sizeof one) > 0);
    TEST_TRUE(says(one, "\"LowerBack\": [\"Spine\", \"Spine1\", 0.33"));
    run = run_sinew("retarget '%s' --to '%s' -o '%s' --map '%s'", clip, character, b, map);
    assert_int_equal(run->code, 0);
    assert_true(read_text(a, one, sizeof one) > 0 && read_text(b, two, sizeof two) > 0);
    TEST_TRUE(strcmp(one, two) == 0);
    static const char *const wrong[] = { "[\"Spine\", \"Spine1\"]", "[\"Spine\", \"Spine1\", 2]",
        "[\"Spine\", 1, 0.5]", "[]", "3", "[\"Spine\", \"Spine1\", 0.5, 0.5]" };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        char text[200];
        snprintf(text, sizeof text, "{\"joints\": {\"LowerBack\": %s}}", wrong[i]);
        write_text(map, text);
        run = run_sinew("retarget '%s' --to '%s' --map '%s'", clip, character, map);
        assert_int_equal(run->code, 1);
        TEST_TRUE(says(run->err, "between.json:1:26: found "));
    }
    write_text(map, "{\"joints\": {\"LowerBack\": [\"Spine\", \"Spin1\", 0.5]}}");
    run = run_sinew("retarget '%s' --to '%s' --map '%s'", clip, character, map);
    TEST_TRUE(run->code == 1
        && says(run->err, "1:36: found \"Spin1\", expected a joint of the source; did you mean"));
    write_text(map, "{\"sinew_map\": 2, \"joints\": {}}");
    run = run_sinew("retarget '%s' --to '%s' --map '%s'", clip, character, map);
    TEST_TRUE(run->code == 1 && says(run->err, "1:15: found 2, expected version 1"));
}

// how far joints of the first and the last frame are apart, metres
static double seam_of(const char *path)
{
    sinew_MotionFile *file = NULL;
    TEST_OK(sinew_motion_read(path, NULL, &file, NULL), NULL);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    int joints = sinew_skeleton_joint_count(skeleton), last = sinew_clip_frame_count(clip) - 1;
    sinew_Transform *world = calloc(2 * (size_t)joints, sizeof *world);
    assert_non_null(world);
    sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, 0), world);
    sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, last), world + joints);
    double seam = 0.0;
    for (int j = 0; j < joints; ++j) {
        seam = fmax(seam, sinew_vec3_distance(world[j].position, world[joints + j].position));
    }
    free(world);
    sinew_motion_destroy(file);
    return seam;
}

// how much the first and the last frame differ in heights of joints and in how far these are from each other, metres: not in the way
static double seam_on_the_way(const char *path, double *out_way)
{
    sinew_MotionFile *file = NULL;
    TEST_OK(sinew_motion_read(path, NULL, &file, NULL), NULL);
    const sinew_Skeleton *skeleton = sinew_motion_skeleton(file);
    const sinew_Clip *clip = sinew_motion_clip(file);
    int joints = sinew_skeleton_joint_count(skeleton), last = sinew_clip_frame_count(clip) - 1;
    sinew_Transform *first = calloc(2 * (size_t)joints, sizeof *first), *end = first + joints;
    assert_non_null(first);
    sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, 0), first);
    sinew_pose_forward(skeleton, sinew_clip_frame_const(clip, last), end);
    double seam = 0.0;
    for (int j = 0; j < joints; ++j) {
        seam = fmax(seam, fabs(first[j].position.y - end[j].position.y));
        for (int k = 0; k < j; ++k) {
            seam = fmax(seam,
                fabs(sinew_vec3_distance(first[j].position, first[k].position)
                    - sinew_vec3_distance(end[j].position, end[k].position)));
        }
    }
    *out_way = sinew_vec3_distance(first[0].position, end[0].position);
    free(first);
    sinew_motion_destroy(file);
    return seam;
}

// a cycle that goes somewhere stays one as well: its ends were a foot's landing and what it fades from, 31 mm apart
static void cycles_with_a_way_close(void **state)
{
    (void)state;
    static const char *const ways[] = { "", "--turn 0.5", "--speed -0.7" };
    const char *character = data_path("bvh/xsens_jl_tpose.bvh");
    if (character == NULL) { skip(); }
    char cycle[512], out[512];
    snprintf(cycle, sizeof cycle, "%s", test_temp_path("cycle.bvh"));
    snprintf(out, sizeof out, "%s", test_temp_path("cycling.bvh"));
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(run_sinew("walk --loop %s -o '%s' --force", ways[i], cycle)->code, 0);
        const test_Run *run = run_sinew(
            "retarget '%s' --to '%s' -o '%s' --force --json", cycle, character, out);
        assert_int_equal(run->code, 0);
        TEST_TRUE(json_number(run->out, "prints_left") <= 2.0);
        double way;
        TEST_TRUE(seam_on_the_way(out, &way) < 1e-5);
        TEST_TRUE(way > 0.5);
    }
}

// feet that never stand, as those of a cycle in place, clear the floor as well: longer ones were 24 mm in it; and the cycle
// stays one
static void cycles_in_place_clear_the_floor(void **state)
{
    (void)state;
    static const char *const characters[] = { "bvh/xsens_jl_tpose.bvh", "bvh/mass_walk.bvh",
        "bvh/bandai_1_dash_normal_001.bvh" };
    char cycle[512], out[512];
    snprintf(cycle, sizeof cycle, "%s", test_temp_path("cycle.bvh"));
    snprintf(out, sizeof out, "%s", test_temp_path("cycling.bvh"));
    assert_int_equal(run_sinew("walk --loop --in-place -o '%s'", cycle)->code, 0);
    assert_true(seam_of(cycle) < 1e-6);
    for (int i = 0; i < 3; ++i) {
        const char *character = data_path(characters[i]);
        if (character == NULL) { skip(); }
        const test_Run *run = run_sinew(
            "retarget '%s' --to '%s' -o '%s' --force --json", cycle, character, out);
        assert_int_equal(run->code, 0);
        assert_true(says(run->out, "\"prints_left\": 0, \"prints_right\": 0"));
        TEST_TRUE(json_number(run->out, "below_floor_mm_max") <= 0.1);
        TEST_TRUE(seam_of(out) < 1e-6);
    }
}

TEST_MAIN(cmocka_unit_test(cycles_with_a_way_close), cmocka_unit_test(clips_go_to_characters),
    cmocka_unit_test(depths_are_told), cmocka_unit_test(cycles_in_place_clear_the_floor),
    cmocka_unit_test(files_of_individuals_say_what_is_wrong),
    cmocka_unit_test(maps_know_what_is_between), cmocka_unit_test(robots_travel),
    cmocka_unit_test(robots_stand_on_the_floor), cmocka_unit_test(folders_go_on_where_they_stopped),
    cmocka_unit_test(maps_are_written_and_read), cmocka_unit_test(slips_are_told))
