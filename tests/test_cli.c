// The command line as a user meets it: help, exit codes, messages, JSON, determinism.

#include "command.h"

#include <unistd.h>

static const char *const commands[] = { "info", "solve", "track", "convert", "render", "bench" };
enum { COMMAND_COUNT = (int)(sizeof commands / sizeof commands[0]) };

/// One line on stderr that begins with "sinew: " and has the text in it; nothing on stdout.
static void expect_error(const test_Run *run, int code, const char *text)
{
    const char *line_end = strchr(run->err, '\n');
    bool one_line = line_end != NULL && line_end[1] == '\0';
    bool good = run->code == code && one_line && strncmp(run->err, "sinew: ", 7) == 0
        && strstr(run->err, text) != NULL && run->out[0] == '\0';
    if (!good) {
        fail_msg("code %d (want %d), stderr \"%s\" (want one line with \"%s\"), stdout \"%.80s\"",
            run->code, code, run->err, text, run->out);
    }
}

static void expect_done(const test_Run *run)
{
    if (run->code != 0 || run->err[0] != '\0') {
        fail_msg("code %d, stderr \"%s\"", run->code, run->err);
    }
}

static const char *expect_json(const test_Run *run)
{
    expect_done(run);
    if (!is_json_object(run->out)) { fail_msg("not one JSON object: %.400s", run->out); }
    return run->out;
}

static void expect_fields(const char *json, const char *const *names)
{
    for (; *names != NULL; ++names) {
        if (json_field(json, *names) == NULL) {
            fail_msg("no field \"%s\" in %.400s", *names, json);
        }
    }
}

static bool same_files(const char *a, const char *b)
{
    static char text_a[4 << 20], text_b[4 << 20];
    long size_a = read_text(a, text_a, sizeof text_a), size_b = read_text(b, text_b, sizeof text_b);
    return size_a > 0 && size_a == size_b && memcmp(text_a, text_b, (size_t)size_a) == 0;
}

// ---------------------------------------------------------------------------------------------

static void json_checker_tells_right_from_wrong(void **state)
{
    (void)state;
    TEST_TRUE(is_json_object("{}\n"));
    TEST_TRUE(is_json_object("{\"a\": [1, -2.5e-7, {\"b\": null}], \"c\": \"\\u00e9\\\"\"}\n"));
    TEST_TRUE(!is_json_object("{}"));
    TEST_TRUE(!is_json_object("{}{}\n"));
    TEST_TRUE(!is_json_object("[1]\n"));
    TEST_TRUE(!is_json_object("{\"a\": nan}\n"));
    TEST_TRUE(!is_json_object("{\"a\": 01}\n"));
    TEST_TRUE(!is_json_object("{\"a\": 1,}\n"));
    TEST_TRUE(!is_json_object("{\"a\" 1}\n"));
    TEST_TRUE(!is_json_object("{\"a\": \"\t\"}\n"));
    TEST_NEAR(json_number("{\"x\": {\"n\": 3}, \"n\": 4}\n", "n"), 4.0, 0.0);
    TEST_TRUE(json_field("{\"x\": 1}\n", "y") == NULL);
}

static void help_explains_every_command(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("--help");
    expect_done(run);
    for (int i = 0; i < COMMAND_COUNT; ++i) { TEST_TRUE(strstr(run->out, commands[i]) != NULL); }
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        run = run_sinew("%s --help", commands[i]);
        expect_done(run);
        TEST_TRUE(strstr(run->out, "Examples:\n") != NULL);
        TEST_TRUE(strstr(run->out, "--json") != NULL);
        for (const char *line = run->out; *line != '\0';) {
            size_t length = strcspn(line, "\n");
            if (length > 100) { fail_msg("too wide: %.*s", (int)length, line); }
            line += length + 1;
        }
        static char direct[sizeof run->out];
        memcpy(direct, run->out, sizeof direct);
        run = run_sinew("help %s", commands[i]);
        expect_done(run);
        assert_string_equal(run->out, direct);
    }
    run = run_sinew("--version");
    expect_done(run);
    assert_string_equal(run->out, "sinew 0.1.0\n");
}

/// What is not there is told before what else a command wants, whichever it is.
static void what_is_missing_is_told_first(void **state)
{
    (void)state;
    static const char *const cases[] = { "info %s", "rig %s", "solve %s", "solve %s --goal Ankle=0",
        "solve %s --goals x.csv --all", "track %s --max-speed 3 --cold", "retarget %s", "ground %s",
        "clean %s", "switch %s", "convert %s b.txt", "render %s" };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char line[100];
        snprintf(line, sizeof line, cases[i], "scene:NOPE");
        expect_error(run_sinew("%s", line), 1, "scene:NOPE: found scene 'NOPE', expected one of");
        snprintf(line, sizeof line, cases[i], "nofile.bvh");
        expect_error(run_sinew("%s", line), 1, "nofile.bvh: cannot be opened: No such file");
    }
}

static void wrong_usage_exits_with_2(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *text;
    } cases[] = {
        { "slove", "did you mean 'solve'" },
        { "solve scene:LEG --goal Ankle=1,2,3,1,2,3,4", "found the quaternion 1,2,3,4" },
        { "solve scene:LEG --goal Ankle=1,2,3:zz", "found ':zz', expected each axis once" },
        { "retarget scene:MAN18 --to scene:MAN18 -i old:0.5,old:0.7", "found old twice" },
        { "render scene:ARM -o x.png --fps 30", "--fps and --fine go with a film" },
        { "render scene:ARM -o x.png --frame 3 --frames 5", "go with a contact sheet" },
        { "render scene:ARM -o x.png --terrain mud", "terrain 'mud' is unknown" },
        { "ground scene:MAN18 --terrain ramp", "ramp:DEGREES" },
        { "switch scene:MAN18 --at 0.5 --to-ik 0..1", "--at and --to-ik exclude each other" },
        { "xyzzy", "unknown command 'xyzzy'" },
        { "--versoin", "did you mean '--version'" },
        { "help nothing", "unknown command 'nothing'" },
        { "solve", "expected: sinew solve FILE" },
        { "solve scene:LEG", "expected --goal or --goals" },
        { "solve scene:LEG --goal Ankle=0,0,0 --goals x.csv", "exclude each other" },
        { "solve scene:LEG --iteratons 3", "did you mean '--iterations'" },
        { "solve scene:LEG --goal Ankle=0,0,0 --iterations abc",
            "--iterations: found 'abc', expected a whole number 1..1000000" },
        { "solve scene:LEG --goal Ankle=0,0,0 --iterations 0", "found '0'" },
        { "solve scene:LEG --goal Ankle=0,0,0 --iterations 99999999999999999999", "found '9999" },
        { "solve scene:LEG --goal Ankle=0,0,0 --iterations ' 3'", "found ' 3'" },
        { "solve scene:LEG --goal Ankle=0,0,0 --iterations", "needs a value" },
        { "solve scene:LEG --goal Ankle=0,0,0 --json=yes", "takes no value" },
        { "solve scene:LEG --goal Ankle=0,0,0 --tolerance 1e-3,-1", "above 0" },
        { "solve scene:LEG --goal Ankle=0,0,0 --tolerance nan", "found 'nan'" },
        { "solve scene:LEG --goal Ankle=0,0,0 --damping -1", "found '-1'" },
        { "solve scene:LEG --goal Ankle=0,0,0 --method ccdd", "expected auto, pinv" },
        { "solve scene:LEG --goal Ankle=0,0,0 --sweep up", "found 'up', expected tip or root" },
        { "solve scene:LEG --goal Ankle=0,0,0 --limits soft", "expected active, clamp or none" },
        { "solve scene:LEG --goal Ankle=0,0,0 --restarts -1", "whole number 0..100000" },
        { "solve scene:LEG --goal Ankle=0,0,0 --seed x", "--seed: found 'x'" },
        { "solve scene:LEG --goal Ankle=0,0,0 -m dls --branch first",
            "--branch: dls does not know it, auto does" },
        { "solve scene:LEG --goal Ankle=0,0,0 -m dls --sweep tip",
            "--sweep: dls does not know it, ccd does" },
        { "solve scene:LEG --goal Ankle=0,0,0 -m ccd --form rows",
            "--form: ccd does not know it, dls does" },
        { "solve scene:LEG --goal Ankle=0,0,0 --damping .1 -m auto",
            "--damping: auto does not know it" },
        { "solve scene:LEG --goal Ankle=0,0,0 --damping .1 -m sdls",
            "--damping: sdls does not know it" },
        { "track scene:LEG -m ccd --form tree", "--form: ccd does not know it, dls does" },
        { "track scene:LEG -m auto", "--method auto: the tracker" },
        { "solve scene:LEG --goal Ankle=0,0,0:p1:p2", "found ':p1' and another one before" },
        { "solve scene:LEG --goal Ankle=0,0,0:w1:w2", "found ':w1' and another one before" },
        { "solve scene:LEG --goal Ankle=0,0,0:x:y", "found ':x' and another one before" },
        { "track scene:LEG --max-speed 0", "--max-speed: found '0'" },
        { "track scene:LEG --max-speed 3 --cold", "exclude each other" },
        { "solve scene:LEG --goal Ankle=0,0,0 -x", "unknown option '-x'" },
        { "solve scene:LEG --goal Ankle", "expected JOINT=x,y,z" },
        { "solve scene:LEG --goal Ankle=1,2", "found '1,2'" },
        { "solve scene:LEG --goal Ankle=1,2,3,4", "expected 3 or 7" },
        { "solve scene:LEG --goal Ankle=1,2,inf", "found '1,2,inf'" },
        { "solve scene:LEG --goal Ankle=1,2,0x3", "found '1,2,0x3'" },
        { "solve scene:LEG --goal Ankle=1,2,3,0,0,0,0", "quaternion" },
        { "solve scene:LEG --goal Ankle=0,0,0 --jacobian full", "needs an orientation" },
        { "solve scene:LEG --rest -1", "--rest: found '-1', expected a weight" },
        { "solve scene:LEG --aim Ankle=1,2,3,0,0,0", "--aim: found the direction 0,0,0" },
        { "solve scene:LEG --level Ankle=0,1,0,0,0,0", "--level: found the direction 0,0,0" },
        { "solve scene:LEG --support ''", "--support: found ''" },
        { "bench flops --base x", "--base does not go with flops" },
        { "bench gait --targets 5", "--targets does not go with gait" },
        { "bench closed --method dls", "--method does not go with closed" },
        { "bench arms --tip x", "--base and --tip go with files" },
        { "retarget scene:MAN18 --to scene:MAN18 --again", "--again goes with many clips" },
        { "info --scenes --unit m", "--unit and --scenes exclude each other" },
        { "figures --list -o x", "--output and --list exclude each other" },
        { "solve scene:ARM --all --goal Wrist=0,0,0 --branch first", "--branch and --all exclude" },
        { "switch scene:MAN18 --start-ik --to-ik 0..1", "--start-ik goes with" },
        { "render scene:MAN18 -o x.png --stick", "--stick goes with --terrain" },
        { "render scene:MAN18 -o x.mp4 --fine", "--fine goes with a body" },
        { "convert scene:MAN18 x.bvh --animation-name N", "--animation-name goes with a glTF" },
        { "convert scene:MAN18 scene:LEG out --to bvh --animation-name N",
            "--animation-name goes with" },
        { "convert scene:MAN18 - --animation-name N", "--animation-name goes with a glTF" },
        { "track scene:MAN18 --animation-name N", "--animation-name goes with a glTF" },
        { "rig scene:MAN18 --stance x.bvh --animation-name N",
            "--animation-name goes with a glTF" },
        { "rig scene:MAN18 --margin 3", "--margin goes with --fit" },
        { "rig scene:MAN18 --from Hips", "--from goes with --starts" },
        { "solve scene:LEG --goal Ankle=0,0,0 -o x.png", "ends in .bvh, .glb or .gltf" },
        { "solve scene:LEG --goal Ankle=0,0,0 --picture x.bvh", ".png, .svg or .pdf" },
        { "info", "expected: sinew info FILE" },
        { "rig a b", "one argument too many: 'b'" },
        { "info scene:LEG --unit parsec", "found 'parsec'" },
        { "info scene:LEG --unit 0", "found '0'" },
        { "convert a.bvh", "expected: sinew convert IN... OUT" },
        { "convert scene:LEG b.txt", "ends in .bvh" },
        { "convert scene:LEG b.bvh --fps 0", "--fps: found '0'" },
        { "convert scene:LEG b.bvh --rename A", "expected OLD=NEW" },
        { "convert scene:LEG b.bvh --rename Ankle=", "found 'Ankle=', expected OLD=NEW" },
        { "convert scene:LEG b.bvh --rename =B", "found '=B', expected OLD=NEW" },
        { "convert scene:LEG b.bvh --rename =", "expected OLD=NEW" },
        { "convert scene:LEG b.bvh --rename ''", "expected OLD=NEW" },
        { "render scene:LEG", "expected -o FILE" },
        { "render scene:LEG -o x.jpg", ".png, .svg, .pdf, .mp4 or .gif" },
        { "render scene:LEG -o x.mp4 --frame 3", "--frame makes a picture, not a film" },
        { "walk -o x.avi", "ends in .bvh, .glb, .gltf, .mp4 or .gif, or -" },
        { "track scene:LEG -o x.mp4", "ends in .bvh, .glb or .gltf, or -" },
        { "track scene:LEG --tolerance 1e-3,1e13", "--tolerance: found '1e-3,1e13'" },
        { "render scene:LEG -o x.png --size 5", "found '5'" },
        { "render scene:LEG -o x.png --camera up", "expected front" },
        { "bench flop", "did you mean 'flops'" },
        { "bench charakters", "did you mean 'characters'" },
        { "bench nothing", "unknown benchmark" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        expect_error(run_sinew("%s", cases[i].arguments), 2, cases[i].text);
    }
    TEST_INT(run_sinew("%s", "")->code, 2);
}

// a goal without weight is not told as met
static void goals_left_out_are_told(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("solve scene:LEG --goal Ankle=9,9,9:w0");
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "All goals that weigh anything are met") != NULL);
    TEST_TRUE(strstr(run->out, "left out") != NULL);
}

static void bad_input_exits_with_1(void **state)
{
    (void)state;
    expect_error(run_sinew("info nowhere.bvh"), 1, "nowhere.bvh");
    expect_error(run_sinew("info /"), 1, "folder");
    expect_error(run_sinew("info scene:NOTHING"), 1, "MAN18");
    expect_error(run_sinew("info scene:MAN18 --animation 3"), 1, "scene:MAN18 is no glTF file");
    expect_error(run_sinew("clean scene:QUADRUPED"), 1,
        "scene:QUADRUPED: no stance: the body is no person on two legs (quadruped)");
    expect_error(run_sinew("solve scene:LEG --goal Ankel=0,0,0"), 1, "did you mean 'Ankle'");
    expect_error(run_sinew("solve scene:LEG --goal Ankle=1e300,0,0"), 1, "goal");
    expect_error(
        run_sinew("solve scene:MAN18 --goal LeftHand=0,0,0 --from RightArm"), 1, "not above");
    expect_error(run_sinew("solve scene:LEG --goal Ankle=0,0,0 --frame 600"), 1, "600 frames");
    expect_error(run_sinew("solve scene:LEG --goal Ankle=0.3,0,0:in:Ankle"), 1,
        "nothing moves 'Ankle' in its own frame");
    expect_error(run_sinew("track scene:MAN18 --targets LeftHnad"), 1, "did you mean 'LeftHand'");
    expect_error(run_sinew("convert scene:LEG /nowhere/x.bvh"), 1, "/nowhere/x.bvh");
    // what an input cannot have is not left aside
    expect_error(run_sinew("info scene:LEG --bvh-positions add"), 1, "scene:LEG is no BVH file");
    expect_error(run_sinew("info scene:LEG --unit cm"), 1, "--unit: scene:LEG is in metres");
    expect_error(run_sinew("solve scene:LEG --goal Ankle=0,0,0 --float"), 1, "is no robot");
    expect_error(run_sinew("retarget scene:MAN18 --to scene:MAN18 --float"), 1, "is no robot");
    const char *out = test_temp_path("renamed.bvh");
    expect_error(
        run_sinew("convert scene:LEG '%s' --rename Anke=Foot", out), 1, "did you mean 'Ankle'");
    expect_error(
        run_sinew("convert scene:LEG '%s' --rename 'Ankle=a b'", out), 1, "without spaces");
    // what was an End Site would have its old name again when it is read
    const char *ended = test_temp_path("ended.bvh");
    write_text(ended,
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
        "Site\n{\n"
        "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
    expect_error(run_sinew("convert '%s' '%s' --rename a_end=tip", ended, out), 1, "an End Site");
    expect_error(run_sinew("convert scene:LEG '%s' --rename Ankle=Knee", out), 1,
        "--rename: Knee would be the name of two joints");
    expect_error(run_sinew("convert scene:LEG '%s' --rename Ankle=A --rename Ankle=B", out), 1,
        "--rename: Ankle is renamed twice");
    TEST_TRUE(access(out, F_OK) != 0);
}

static void unwritable_output_exits_with_1(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK) != 0) { skip(); }
    const test_Run *run = run_sinew("info scene:LEG >/dev/full");
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "cannot write to standard output") != NULL);
}

static void a_reader_that_leaves_is_no_crash(void **state)
{
    (void)state;
    const test_Run *run = run_sinew("info scene:CHAIN1000 | head -c 1 >/dev/null");
    TEST_INT(run->code, 0);
    assert_string_equal(run->err, "");
}

// ---------------------------------------------------------------------------------------------

static void info_json_has_its_fields(void **state)
{
    (void)state;
    static const char *const names[] = { "joints", "dofs", "frames", "fps", "height_m", "unit",
        "roles", "warnings", NULL };
    const char *json = expect_json(run_sinew("info scene:MAN18 --json"));
    expect_fields(json, names);
    TEST_NEAR(json_number(json, "dofs"), 42.0, 0.0);
    TEST_NEAR(json_number(json, "fps"), 60.0, 1e-9);
    TEST_TRUE(json_number(json, "height_m") > 1.2 && json_number(json, "height_m") < 2.2);
    json = expect_json(run_sinew("info --scenes --json"));
    TEST_TRUE(strstr(json, "\"MAN18\"") != NULL);
}

static void info_keeps_odd_names_valid(void **state)
{
    (void)state;
    const char *path = test_temp_path("odd.bvh");
    write_text(path,
        "HIERARCHY\nROOT H\xe9\"\\p\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "JOINT K\xc3\xa4se\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n"
        "}\n}\nMOTION\nFrames: 1\nFrame Time: .0083333\n0 0 0 0\n");
    const char *json = expect_json(run_sinew("info '%s' --json", path));
    TEST_TRUE(strstr(json, "K\xc3\xa4se") != NULL);
    TEST_TRUE(strstr(json, "\\u00e9\\\"\\\\p") != NULL);
    TEST_NEAR(json_number(json, "fps"), 120.0, 1e-9);
    expect_done(run_sinew("info '%s'", path));
}

static void solve_tells_whether_goals_are_met(void **state)
{
    (void)state;
    static const char *const names[] = { "status", "iterations", "goals", "limit_violation_rad",
        "time_us", NULL };
    const test_Run *run = run_sinew("solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3 --json");
    const char *json = expect_json(run);
    expect_fields(json, names);
    TEST_TRUE(strncmp(json_field(json, "status"), "\"converged\"", 11) == 0);
    TEST_TRUE(strstr(json, "\"joint\": \"LeftHand\", \"position_error_m\": ") != NULL);
    TEST_TRUE(strstr(json, "\"orientation_error_rad\": ") != NULL);
    TEST_TRUE(json_number(json, "limit_violation_rad") <= 0.0);

    // out of reach: told, and the exit code says so
    run = run_sinew("solve scene:LEG --goal Ankle=5,5,5 --json");
    TEST_INT(run->code, 1);
    TEST_TRUE(is_json_object(run->out));
    TEST_TRUE(strstr(run->out, "\"status\": \"converged\"") == NULL);
    run = run_sinew("solve scene:LEG --goal Ankle=5,5,5");
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->out, "not met") != NULL);

    // all answers, as the example of --help asks, and none
    run = run_sinew("solve scene:ARM --goal Grip=0.3,1.2,0.3,0.7071,0,0,-0.7071 --all");
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "20 answers, by their way") != NULL);
    TEST_TRUE(strstr(run_sinew("solve --help")->out, "Grip=0.3,1.2,0.3,0.7071,0,0,-0.7071 --all")
        != NULL);
    run = run_sinew("solve scene:ARM --goal Grip=0.3,1.2,0.3,0,0,0,1 --all");
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->out, "No pose meets the goal.") != NULL);
    TEST_TRUE(strstr(run->out, "swivels") == NULL);
}

static void every_method_solves(void **state)
{
    (void)state;
    static const char *const methods[] = { "auto", "pinv", "transpose", "dls", "sdls", "ccd",
        "ccd --sweep root" };
    for (int i = 0; i < 7; ++i) {
        const test_Run *run = run_sinew("solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3 --method %s "
                                        "--iterations 2000 --tolerance 2e-3 --json",
            methods[i]);
        expect_json(run);
    }
    expect_json(
        run_sinew("solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3,0,0,0,1 --jacobian half --json"));
    expect_json(run_sinew(
        "solve scene:MAN18 --goal LeftHand=0.3,1.1,0.3,0,0,0,1.004 --time-budget 1e6 --json"));
}

// the answer alone, without the time; static memory, good until the call after the next
static const char *solved_pose(const char *arguments)
{
    static char poses[2][4096];
    static int turn;
    const test_Run *run = run_sinew("solve %s --json", arguments);
    const char *pose = json_field(run->out, "q");
    if (pose == NULL) { fail_msg("no pose: %.400s%s", run->out, run->err); }
    turn = 1 - turn;
    snprintf(poses[turn], sizeof poses[turn], "%s", pose);
    return poses[turn];
}

/// RST-1: from the straight leg, which no step can shorten, goals are met after restarts; the seed
/// decides where these start.
static void restarts_free_a_straight_leg(void **state)
{
    (void)state;
    const char *goal = "scene:LEG --method dls --goal Ankle=0.09,0.5,0.1";
    const char *json = expect_json(run_sinew("solve %s --json", goal));
    TEST_TRUE(strncmp(json_field(json, "status"), "\"converged\"", 11) == 0);
    TEST_TRUE(json_number(json, "restarts") >= 1.0 && json_number(json, "restarts") <= 8.0);
    TEST_TRUE(json_number(json, "limit_violation_rad") <= 0.0);

    const test_Run *run = run_sinew("solve %s --restarts 0 --json", goal);
    TEST_INT(run->code, 1);
    TEST_NEAR(json_number(run->out, "restarts"), 0.0, 0.0);
    run = run_sinew("solve scene:LEG --method dls --goal Ankle=5,5,5 --restarts 3 --json");
    TEST_INT(run->code, 1);
    TEST_NEAR(json_number(run->out, "restarts"), 3.0, 0.0);

    assert_string_equal(solved_pose("scene:LEG --method dls --goal Ankle=0.09,0.5,0.1 --seed 7"),
        solved_pose("scene:LEG --method dls --goal Ankle=0.09,0.5,0.1 --seed 7"));
    assert_string_not_equal(
        solved_pose("scene:LEG --method dls --goal Ankle=0.09,0.5,0.1 --seed 7"),
        solved_pose("scene:LEG --method dls --goal Ankle=0.09,0.5,0.1 --seed 8"));
}

static void limits_are_kept_as_asked(void **state)
{
    (void)state;
    // a knee that would have to bend forward
    const char *goal = "scene:LEG --goal Ankle=0.09,0.9,-0.6 --restarts 0 --frame 20";
    const char *const kept[] = { "active", "clamp" };
    for (int i = 0; i < 2; ++i) {
        const test_Run *run = run_sinew("solve %s --limits %s --json", goal, kept[i]);
        TEST_TRUE(json_number(run->out, "limit_violation_rad") <= 0.0);
    }
    const test_Run *run = run_sinew("solve %s --limits none --json", goal);
    TEST_TRUE(json_number(run->out, "limit_violation_rad") > 0.01);
}

/// RST-4: cold answers depend on the goals alone.
static void cold_forgets_the_start(void **state)
{
    (void)state;
    const char *goal = "--goal Ankle=0.15,0.3,0.25";
    char warm[200], cold[200], rest[200];
    snprintf(warm, sizeof warm, "scene:LEG %s --frame 30", goal);
    snprintf(cold, sizeof cold, "scene:LEG %s --frame 30 --cold", goal);
    snprintf(rest, sizeof rest, "scene:LEG %s", goal);
    assert_string_equal(solved_pose(cold), solved_pose(rest));
    assert_string_not_equal(solved_pose(cold), solved_pose(warm));
}

static void max_speed_bounds_the_joints(void **state)
{
    (void)state;
    // all joints of this hand are single balls, so that a joint is as fast as its axis
    const char *json = expect_json(run_sinew("track scene:HAND --json"));
    TEST_TRUE(json_number(json, "max_joint_speed") > 1.5);
    json = expect_json(run_sinew("track scene:HAND --max-speed 1 --json"));
    TEST_TRUE(json_number(json, "max_joint_speed") <= 1.0 + 1e-9);
    // also where no target is, as in the other arm and the head
    json = expect_json(run_sinew("track scene:MAN18 --targets LeftHand --json"));
    TEST_TRUE(json_number(json, "max_joint_speed") > 2.0);
    json = expect_json(run_sinew("track scene:MAN18 --targets LeftHand --max-speed 1 --json"));
    TEST_TRUE(json_number(json, "max_joint_speed") <= 1.0 + 1e-9);
    TEST_TRUE(json_number(json, "mean_error_m") > 1e-4);
}

// the ground of a file whose figure stands along Z is x and y: 16 cm of height were asked of the mass before
static void the_ground_is_where_figures_stand(void **state)
{
    (void)state;
    const char *path = data_path("bvh/fair_dab.bvh");
    if (path == NULL) { skip(); }
    const char *line = "solve '%s' --frame 50 --rig auto --goal hand_l=0.3,0.2,1.4 %s";
    static const char *const goals[] = { "--com 0,0", "--support foot_l,foot_r,toe_l,toe_r",
        "--support -0.1,-0.1,0.1,-0.1,0,0.1", "--level head", "--aim head=0,-3,1.5" };
    for (size_t i = 0; i < sizeof goals / sizeof goals[0]; ++i) {
        const test_Run *run = run_sinew(line, path, goals[i]);
        if (run->code != 0) { fail_msg("%s: %s%s", goals[i], run->out, run->err); }
    }
    // ahead is where the figure looks at the start, -Y: the head turns by little to what stands there
    const test_Run *run = run_sinew("solve '%s' --aim head=0,-30,1.5 --from head --json", path);
    TEST_INT(run->code, 0);
    TEST_TRUE(json_number(run->out, "iterations") <= 3.0);
}

static void solve_writes_the_pose(void **state)
{
    (void)state;
    const char *path = test_temp_path("pose.bvh");
    const char *picture = test_temp_path("pose.svg");
    expect_done(run_sinew(
        "solve scene:MAN18 --goal LeftHand=0.4,1.1,0.3 -o '%s' --picture '%s'", path, picture));
    const char *json = expect_json(run_sinew("info '%s' --json", path));
    TEST_NEAR(json_number(json, "frames"), 1.0, 0.0);
    TEST_TRUE(access(picture, F_OK) == 0);

    // from the answer there is nothing left to do
    json = expect_json(
        run_sinew("solve '%s' --unit cm --frame 0 --goal LeftHand=0.4,1.1,0.3 --json", path));
    TEST_NEAR(json_number(json, "iterations"), 0.0, 0.0);
}

static void track_json_has_its_fields(void **state)
{
    (void)state;
    static const char *const names[] = { "frames", "mean_error_m", "max_error_m", "mean_iterations",
        "us_per_frame", "frames_per_second", "max_joint_speed", "source_max_joint_speed",
        "jitter_ratio", "rotation_error_rad", "limit_violation_rad", NULL };
    const char *out = test_temp_path("tracked.bvh");
    const char *json = expect_json(run_sinew("track scene:MAN18 -o '%s' --json", out));
    expect_fields(json, names);
    TEST_NEAR(json_number(json, "frames"), 600.0, 0.0);
    TEST_TRUE(json_number(json, "mean_error_m") <= 5e-4);
    TEST_TRUE(json_number(json, "us_per_frame") > 0.0);
    json = expect_json(run_sinew("info '%s' --json", out));
    TEST_NEAR(json_number(json, "frames"), 600.0, 0.0);

    json = expect_json(run_sinew("track scene:MAN18 --targets key --json"));
    TEST_NEAR(json_number(json, "targets"), 6.0, 0.0);
    json = expect_json(run_sinew("track scene:MAN18 --targets LeftHand,RightHand:pose --json"));
    TEST_NEAR(json_number(json, "targets"), 2.0, 0.0);
}

static void convert_changes_what_was_asked(void **state)
{
    (void)state;
    const char *out = test_temp_path("converted.bvh"), *again = test_temp_path("again.bvh");
    const char *json = expect_json(run_sinew("convert scene:MAN18 '%s' --fps 30 --unit inch "
                                             "--rename LeftHand=Paw --json",
        out));
    TEST_NEAR(json_number(json, "frames"), 300.0, 1.0);
    TEST_TRUE(json_number(json, "max_error_m") <= 1.7e-6);
    json = expect_json(run_sinew("info '%s' --unit inch --json", out));
    TEST_NEAR(json_number(json, "fps"), 30.0, 1e-6);
    TEST_TRUE(strstr(json, "\"name\": \"Paw\"") != NULL);
    TEST_TRUE(strstr(json, "\"name\": \"LeftHand\"") == NULL);

    // a file keeps its details, a joint renamed and one name with '=' included
    json = expect_json(run_sinew("convert '%s' '%s' --rename Paw=a=b --json", out, again));
    TEST_TRUE(json_number(json, "max_error_m") <= 1.7e-6);
    json = expect_json(run_sinew("info '%s' --json", again));
    TEST_TRUE(strstr(json, "\"name\": \"a=b\"") != NULL);
    TEST_INT(run_sinew("convert '%s' '%s' --rename a=b=Paw", again, again)->code, 1);
    TEST_TRUE(!same_files(out, again));
    expect_json(run_sinew("convert '%s' '%s' --rename a=b=Paw --json --force", again, again));
    TEST_TRUE(same_files(out, again));
}

/// Bones keep their twist: rotations tell it, and where places alone do not, the motion that is followed does.
static void track_keeps_the_twist_of_bones(void **state)
{
    (void)state;
    const char *json = expect_json(run_sinew("track scene:MAN18 --json"));
    TEST_TRUE(json_number(json, "rotation_error_rad") < 0.01);
    json = expect_json(run_sinew("track scene:MAN18 --jacobian half --json"));
    TEST_TRUE(json_number(json, "rotation_error_rad") < 0.01);
    json = expect_json(run_sinew("track scene:MAN18 --jacobian half --cold --json"));
    TEST_TRUE(json_number(json, "rotation_error_rad") > 0.1);
}

// Hips, head, hands and feet leave headings, elbows and knees open: they stay as they are in the motion.
static void what_targets_leave_open_stays(void **state)
{
    (void)state;
    const char *json = expect_json(run_sinew("track scene:MAN18 --targets key --json"));
    TEST_TRUE(json_number(json, "rotation_error_rad") < 0.01);
    static const char *const clips[] = { "bvh/dfki_custom_skeleton_walk.bvh", "bvh/fair_dab.bvh",
        "bvh/mass_kick.bvh", "bvh/bandai_2_walk-turn-left_normal_005.bvh",
        "bvh/rokokovision_boxing.bvh" };
    for (size_t i = 0; i < sizeof clips / sizeof clips[0]; ++i) {
        const char *path = data_path(clips[i]);
        if (path == NULL) { skip(); }
        json = expect_json(run_sinew("track '%s' --rig auto --targets key --json", path));
        TEST_TRUE(json_number(json, "rotation_error_rad") < 0.03);
        TEST_TRUE(json_number(json, "mean_error_m") < 0.2e-3);
        TEST_TRUE(json_number(json, "max_error_m") < 1e-3);
        TEST_TRUE(json_number(json, "jitter_ratio") < 1.1);
    }
}

static void pipes_and_folders(void **state)
{
    (void)state;
    const char *one = test_temp_path("one.bvh"), *two = test_temp_path("two.bvh");
    const char *folder = test_temp_path("folder"), *piped = test_temp_path("piped.bvh");
    expect_done(run_sinew("convert scene:LEG '%s'", one));
    expect_done(run_sinew("convert scene:ARM '%s'", two));
    TEST_INT(run_sinew("convert - - <'%s' | cat >'%s'", one, piped)->code, 0);
    TEST_INT(run_sinew("convert - '%s' <'%s'", piped, one)->code, 0);
    TEST_TRUE(same_files(one, piped));

    // the broken one fails alone
    write_text(piped, "HIERARCHY");
    TEST_INT(run_sinew("convert '%s' '%s' '%s' '%s' --to glb", one, piped, two, folder)->code, 1);
    const test_Run *run = run_sinew("info '%s' --json", folder);
    TEST_INT(run->code, 0);
    const char *second = strchr(run->out, '\n') + 1;
    TEST_TRUE(second[0] == '{' && is_json_object(second));
    TEST_INT(run_sinew("info '%s' '%s' '%s'", one, piped, two)->code, 1);
    TEST_TRUE(strstr(run_sinew("info '%s' '%s' '%s'", one, piped, two)->out, "two.bvh") != NULL);
}

/// Text from a file that a batch of this much takes a while for: killed in the midst, nothing is left.
static void an_interrupted_batch_leaves_nothing(void **state)
{
    (void)state;
    const char *folder = test_temp_path("killed");
    char line[2048];
    snprintf(line, sizeof line,
        "mkdir -p '%s' && (echo Ankle.x,Ankle.y,Ankle.z; yes 0.1,0.2,0) | "
        "timeout -s TERM 0.3 '%s' solve scene:LEG --goals - -o '%s/out.csv' 2>/dev/null",
        folder, SINEW_COMMAND, folder);
    TEST_TRUE(system(line) != 0);
    snprintf(line, sizeof line, "test -z \"$(ls -A '%s')\"", folder);
    TEST_INT(system(line), 0);
}

/// Every command and option of the help is in the manual and in each shell's completion.
static void pages_hold_every_option(void **state)
{
    (void)state;
    static const char *const pages[] = { "manual", "completion bash", "completion zsh",
        "completion fish" };
    for (int p = 0; p < 4; ++p) {
        const test_Run *run = run_sinew("%s", pages[p]);
        TEST_INT(run->code, 0);
        TEST_TRUE(strstr(run->out, "retarget") != NULL);
        TEST_TRUE(strstr(run->out, p == 0 ? "time\\-budget" : "time-budget") != NULL);
        TEST_TRUE(strstr(run->out, "rename") != NULL);
    }
}

static void bench_json_is_one_object(void **state)
{
    (void)state;
    expect_json(run_sinew("bench flops --json"));
}

static void same_command_same_bytes(void **state)
{
    (void)state;
    const char *a = test_temp_path("a.bvh"), *b = test_temp_path("b.bvh");
    const char *a_picture = test_temp_path("a.svg"), *b_picture = test_temp_path("b.svg");
    const char *track = "track scene:MAN18 --targets key -o '%s' --picture '%s'";
    expect_done(run_sinew(track, a, a_picture));
    expect_done(run_sinew(track, b, b_picture));
    TEST_TRUE(same_files(a, b));
    TEST_TRUE(same_files(a_picture, b_picture));
    const char *c = test_temp_path("c.bvh"), *d = test_temp_path("d.bvh");
    expect_done(run_sinew("convert '%s' '%s' --fps 25", a, c));
    expect_done(run_sinew("convert '%s' '%s' --fps 25", b, d));
    TEST_TRUE(same_files(c, d));
    const char *endings[] = { "png", "svg", "pdf" };
    for (int i = 0; i < 3; ++i) {
        char first[16], second[16];
        snprintf(first, sizeof first, "p1.%s", endings[i]);
        snprintf(second, sizeof second, "p2.%s", endings[i]);
        const char *p1 = test_temp_path(first), *p2 = test_temp_path(second);
        expect_done(run_sinew("render scene:LEG --frames 4 --size 640 -o '%s'", p1));
        expect_done(run_sinew("render scene:LEG --frames 4 --size 640 -o '%s'", p2));
        TEST_TRUE(same_files(p1, p2));
    }
}

static void real_files_are_told_and_followed(void **state)
{
    (void)state;
    const char *path = data_path("bvh/cmu_12_01_walk_mb.bvh");
    if (path == NULL) { skip(); }
    const char *json = expect_json(run_sinew("info '%s' --json", path));
    TEST_NEAR(json_number(json, "frames"), 524.0, 0.0);
    TEST_NEAR(json_number(json, "fps"), 120.0, 1e-9);
    TEST_TRUE(json_number(json, "height_m") > 1.2 && json_number(json, "height_m") < 2.2);
    TEST_TRUE(strstr(json, "Frame Time") != NULL);
    const char *picture = test_temp_path("walk.png");
    json = expect_json(run_sinew("track '%s' --picture '%s' --json", path, picture));
    TEST_TRUE(json_number(json, "mean_error_m") <= 5e-4);
    TEST_TRUE(json_number(json, "max_error_m") <= 5e-3);
    TEST_TRUE(json_number(json, "jitter_ratio") <= 1.1);
    TEST_TRUE(access(picture, F_OK) == 0);
    json = expect_json(run_sinew("track '%s' --targets key --json", path));
    TEST_NEAR(json_number(json, "targets"), 6.0, 0.0);
    TEST_TRUE(json_number(json, "mean_error_m") <= 1e-3);
    TEST_TRUE(
        json_number(json, "max_joint_speed") <= 3.0 * json_number(json, "source_max_joint_speed"));
}

// a root that stays at the origin for a whole run says nothing of where the hips are
static void hips_are_followed_below_a_root(void **state)
{
    (void)state;
    const char *path = data_path("bvh/bandai_2_run_normal_004.bvh");
    if (path == NULL) { skip(); }
    const char *json = expect_json(run_sinew("track '%s' --rig auto --targets key --json", path));
    TEST_NEAR(json_number(json, "targets"), 6.0, 0.0);
    TEST_TRUE(json_number(json, "mean_error_m") <= 1e-3);
    TEST_TRUE(json_number(json, "max_error_m") <= 5e-3);
}

// the jump out of an added T-pose leads to the nearer branch of the arm, from which the walk can be followed
static void a_walk_is_followed_after_a_stance(void **state)
{
    (void)state;
    const char *path = data_path("bvh/rokokovision_walking.bvh");
    if (path == NULL) { skip(); }
    const char *json = expect_json(run_sinew("track '%s' --rig auto --targets key --json", path));
    TEST_TRUE(json_number(json, "mean_error_m") <= 0.3e-3);
    TEST_TRUE(json_number(json, "max_error_m") <= 50e-3);
}

// info tells what a robot's file says of its joints: ranges in radians and metres, mimics, masses
static void ranges_and_masses_of_robots_are_told(void **state)
{
    (void)state;
    const char *path = data_path("urdf/panda.urdf");
    if (path == NULL) { skip(); }
    const char *json = expect_json(run_sinew("info '%s' --json", path));
    static const char *const said[] = {
        "\"axes\": [{\"kind\": \"hinge\", \"direction\": [0, 0, 1], \"lower_rad\": -3.0718, "
        "\"upper_rad\": -0.0698, \"locked\": false}]",
        "\"axes\": [{\"kind\": \"slide\", \"direction\": [0, -1, 0], \"lower_m\": 0, "
        "\"upper_m\": 0.04, \"locked\": true}]",
        "\"axes\": [], \"mass_kg\": 0.629769, \"mass_center_m\": [-0.041018, -0.00014, 0.049974]",
    };
    for (size_t i = 0; i < sizeof said / sizeof said[0]; ++i) {
        TEST_TRUE(strstr(json, said[i]) != NULL);
    }
}

// the second of two joints of one name has values of its own, and goals
static void joints_of_one_name_are_told_apart(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_temp_path("twins.bvh"));
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(
        "HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT B\n{\n"
        "OFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT B\n{\nOFFSET 0 1 0\n"
        "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\n}\n}\nMOTION\n"
        "Frames: 1\nFrame Time: 0.1\n0 0 0 0 0 0 0 0 0\n",
        file);
    fclose(file);
    const char *json = expect_json(
        run_sinew("solve '%s' --unit m --goal 'B#2=1,1,0' --json", path));
    TEST_TRUE(strstr(json, "\"joint\": \"B#2\"") != NULL);
    const char *first = strstr(json, "\"B.qw\"");
    TEST_TRUE(first != NULL && strstr(first + 1, "\"B.qw\"") == NULL);
    TEST_TRUE(strstr(json, "\"B#2.qw\"") != NULL);
}

// A first pose whose arm is 1.3 rad outside the guessed limits is cropped into a valley, 0.34 m from its hand; from the
// targets alone the body comes as near as anywhere else.
static void a_first_pose_outside_limits_is_no_trap(void **state)
{
    (void)state;
    const char *path = data_path("bvh/mass_pirouette.bvh");
    if (path == NULL) { skip(); }
    const char *json = expect_json(run_sinew("track '%s' --rig auto --json", path));
    TEST_TRUE(json_number(json, "max_error_m") <= 50e-3);
    TEST_TRUE(json_number(json, "mean_error_m") <= 1e-3);
}

// the ground of a robot is x and y, and its base floats where that is asked for
static void robots_keep_their_balance(void **state)
{
    (void)state;
    const char *robot = test_temp_path("robot.urdf");
    write_text(robot,
        "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"/>"
        "<link name=\"b\"><inertial><mass value=\"1\"/></inertial></link>"
        "<joint name=\"along_y\" type=\"prismatic\"><parent link=\"base\"/><child link=\"a\"/>"
        "<axis xyz=\"0 1 0\"/><limit lower=\"-3\" upper=\"3\"/></joint>"
        "<joint name=\"along_z\" type=\"prismatic\"><parent link=\"a\"/><child link=\"b\"/>"
        "<axis xyz=\"0 0 1\"/><limit lower=\"-3\" upper=\"3\"/></joint></robot>");
    const char *json = expect_json(
        run_sinew("solve '%s' --support=-0.1,1,0.1,1,0.1,2,-0.1,2 --json", robot));
    TEST_NEAR(json_number(json_field(json, "q"), "along_y"), 1.01, 1e-3);
    TEST_NEAR(json_number(json_field(json, "q"), "along_z"), 0.0, 1e-9);

    TEST_INT(run_sinew("solve '%s' --support=5,1,6,1,6,2,5,2 --json", robot)->code, 1);
    json = expect_json(run_sinew("solve '%s' --float --support=5,1,6,1,6,2,5,2 --json", robot));
    TEST_NEAR(json_number(json_field(json, "q"), "base.tx"), 5.01, 1e-3);

    const test_Run *run = run_sinew("solve '%s' --support=5,1,6,1,6,2:xy", robot);
    TEST_INT(run->code, 2);
    TEST_TRUE(strstr(run->err, "--support: found axes that count") != NULL);
}

// a robot has limits and no frames: they are drawn in its rest pose
static void limits_of_robots_are_drawn(void **state)
{
    (void)state;
    const char *robot = test_temp_path("limited.urdf"), *picture = test_temp_path("limits.svg");
    write_text(robot,
        "<robot name=\"r\"><link name=\"base\"/><link name=\"a\"/><link name=\"b\"/>"
        "<joint name=\"elbow\" type=\"revolute\"><parent link=\"base\"/><child link=\"a\"/>"
        "<origin xyz=\"0 0 1\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\"/></joint>"
        "<joint name=\"tip\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>"
        "<origin xyz=\"0 0 1\"/></joint></robot>");
    expect_done(run_sinew("render '%s' --limits -o '%s'", robot, picture));
    expect_error(
        run_sinew("render '%s' --limits --frame 0 -o '%s'", robot, picture), 1, "--frame: found 0");
}

TEST_MAIN(cmocka_unit_test(json_checker_tells_right_from_wrong),
    cmocka_unit_test(help_explains_every_command), cmocka_unit_test(what_is_missing_is_told_first),
    cmocka_unit_test(wrong_usage_exits_with_2), cmocka_unit_test(bad_input_exits_with_1),
    cmocka_unit_test(goals_left_out_are_told), cmocka_unit_test(unwritable_output_exits_with_1),
    cmocka_unit_test(a_reader_that_leaves_is_no_crash), cmocka_unit_test(info_json_has_its_fields),
    cmocka_unit_test(info_keeps_odd_names_valid),
    cmocka_unit_test(solve_tells_whether_goals_are_met), cmocka_unit_test(every_method_solves),
    cmocka_unit_test(restarts_free_a_straight_leg), cmocka_unit_test(limits_are_kept_as_asked),
    cmocka_unit_test(cold_forgets_the_start), cmocka_unit_test(max_speed_bounds_the_joints),
    cmocka_unit_test(the_ground_is_where_figures_stand), cmocka_unit_test(solve_writes_the_pose),
    cmocka_unit_test(track_json_has_its_fields), cmocka_unit_test(convert_changes_what_was_asked),
    cmocka_unit_test(bench_json_is_one_object), cmocka_unit_test(track_keeps_the_twist_of_bones),
    cmocka_unit_test(what_targets_leave_open_stays), cmocka_unit_test(pipes_and_folders),
    cmocka_unit_test(pages_hold_every_option),
    cmocka_unit_test(an_interrupted_batch_leaves_nothing),
    cmocka_unit_test(same_command_same_bytes), cmocka_unit_test(real_files_are_told_and_followed),
    cmocka_unit_test(hips_are_followed_below_a_root),
    cmocka_unit_test(a_walk_is_followed_after_a_stance),
    cmocka_unit_test(a_first_pose_outside_limits_is_no_trap),
    cmocka_unit_test(joints_of_one_name_are_told_apart),
    cmocka_unit_test(ranges_and_masses_of_robots_are_told),
    cmocka_unit_test(robots_keep_their_balance), cmocka_unit_test(limits_of_robots_are_drawn))
