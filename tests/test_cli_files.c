// Files that commands are given and make: what is read back, what is refused before anything is made.

#include "command.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *folder_of_test(void)
{
    static char folder[1024];
    const char *path = test_temp_path("x");
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    return folder;
}

/// A motion of a scene in the folder of this test.
static const char *make_motion(const char *scene, const char *name, const char *options)
{
    static char paths[8][1100];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s", test_temp_path(name));
    const test_Run *run = run_sinew("convert scene:%s '%s' %s", scene, path, options);
    if (run->code != 0) { fail_msg("%s", run->err); }
    return path;
}

static void expect(const test_Run *run, int code, const char *said)
{
    const char *end = strchr(run->err, '\n');
    if (run->code != code || strstr(run->err, said) == NULL) {
        fail_msg("code %d, %s", run->code, run->err);
    }
    // one line, and where more help is
    assert_true(end != NULL
        && (end[1] == '\0' || strncmp(end + 1, "Try", 3) == 0
            || strncmp(end + 1, "usage", 5) == 0));
}

// a body of any size, there and back through files that say nothing of their unit
static void bodies_keep_their_size(void **state)
{
    (void)state;
    static const char *const scenes[] = { "ARM", "SPIDER", "QUADRUPED", "MAN18", "HAND", "LEG" };
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; ++i) {
        const char *there = make_motion(scenes[i], "there.bvh", "--fps 10");
        char metres[1100], again[1100];
        snprintf(metres, sizeof metres, "%s", test_temp_path("metres.bvh"));
        snprintf(again, sizeof again, "%s", test_temp_path("again.bvh"));
        assert_int_equal(run_sinew("convert '%s' '%s' --unit m", there, metres)->code, 0);
        assert_int_equal(run_sinew("convert '%s' '%s' --unit cm", metres, again)->code, 0);
        static char first[1 << 20], second[1 << 20];
        assert_true(read_text(there, first, sizeof first) > 0);
        assert_true(read_text(again, second, sizeof second) > 0);
        // the hierarchy, in which all lengths are
        *strstr(first, "MOTION") = *strstr(second, "MOTION") = '\0';
        assert_string_equal(second, first);
    }
    // a giant, whom a glTF of somebody else would not be believed
    const char *man = make_motion("MAN18", "there.bvh", "--fps 10");
    char giant[1100];
    snprintf(giant, sizeof giant, "%s", test_temp_path("giant.glb"));
    assert_int_equal(run_sinew("convert '%s' '%s' --input-unit m", man, giant)->code, 0);
    assert_non_null(strstr(run_sinew("info '%s'", giant)->out, "a stature of 175.051 m"));
    const char *spider = make_motion("SPIDER", "there.bvh", "");
    const test_Run *run = run_sinew("walk --rig '%s' --seconds 0.5", spider);
    if (run->code != 0) { fail_msg("%s", run->err); }
    run = run_sinew("info '%s'", spider);
    assert_non_null(strstr(run->out, "cm (as the file notes)"));
}

// several files go into a folder, which has no name of a file
static void a_folder_is_not_called_as_a_file(void **state)
{
    (void)state;
    const char *a = make_motion("MAN18", "a.bvh", "--fps 5");
    const char *b = make_motion("MAN18", "b.bvh", "--fps 5");
    static const char *const names[] = { "one.bvh", "one.GLB", "one.png", "one.json" };
    struct stat about;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char out[1100];
        snprintf(out, sizeof out, "%s", test_temp_path(names[i]));
        expect(run_sinew("convert '%s' '%s' '%s'", a, b, out), 2, "expected a folder");
        assert_int_not_equal(stat(out, &about), 0);
        expect(run_sinew("retarget '%s' '%s' --to scene:MAN18 -o '%s'", a, b, out), 2,
            "expected a folder");
        assert_int_not_equal(stat(out, &about), 0);
        expect(run_sinew("convert '%s' '%s'", folder_of_test(), out), 2, "expected a folder");
        assert_int_not_equal(stat(out, &about), 0);
    }
    // one that is there is a folder whatever its name
    char out[1100], made[1200];
    snprintf(out, sizeof out, "%s", test_temp_path("takes.bvh"));
    assert_int_equal(mkdir(out, 0777), 0);
    assert_int_equal(run_sinew("convert '%s' '%s' '%s'", a, b, out)->code, 0);
    for (int i = 0; i < 2; ++i) {
        snprintf(made, sizeof made, "%s/%s", out, i == 0 ? "a.bvh" : "b.bvh");
        assert_int_equal(unlink(made), 0);
    }
    assert_int_equal(rmdir(out), 0);
}

// a motion without frames is made of none, and none is made; what is a body alone is still converted
static void no_motion_without_frames(void **state)
{
    (void)state;
    char out[1100];
    snprintf(out, sizeof out, "%s", test_temp_path("out.bvh"));
    expect(run_sinew("walk --seconds 0 -o '%s'", out), 2, "--seconds: found 0");
    expect(run_sinew("walk --seconds 1e-10"), 2, "--seconds: found 1e-10");
    const char *zero = make_motion("MAN18", "zero.bvh", "--fps 5");
    static char text[1 << 20];
    assert_true(read_text(zero, text, sizeof text) > 0);
    strcpy(strstr(text, "Frames:"), "Frames: 0\nFrame Time: 0.2\n");
    write_text(zero, text);
    static const char *const commands[] = { "retarget '%s' --to scene:MAN18 -o '%s'",
        "clean '%s' -o '%s'", "track '%s' -o '%s'", "ground '%s' --terrain flat -o '%s'" };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; ++i) {
        char line[4096];
        if (snprintf(line, sizeof line, commands[i], zero, out) < 0) { fail(); }
        expect(run_sinew("%s", line), 1, "zero.bvh: there is no frame to");
        assert_int_not_equal(access(out, F_OK), 0);
    }
    const test_Run *run = run_sinew("convert '%s' '%s'", zero, out);
    assert_int_equal(run->code, 0);
    assert_non_null(strstr(run->out, " 0 frames"));
}

// what a reader would find otherwise is not written, and what stood there stays
static void convert_writes_what_can_be_read_back(void **state)
{
    (void)state;
    const char *man = make_motion("MAN18", "man.bvh", "--fps 5");
    char out[1100];
    snprintf(out, sizeof out, "%s", test_temp_path("kept.bvh"));
    write_text(out, "as it was");
    expect(
        run_sinew("convert '%s' '%s' --unit 1e9", man, out), 1, "kept.bvh: not written: a joint");
    static char text[64];
    assert_true(read_text(out, text, sizeof text) > 0);
    assert_string_equal(text, "as it was");
    expect(run_sinew("convert '%s' - --unit 1e9", man), 1, "standard output: not written");
    snprintf(out, sizeof out, "%s", test_temp_path("none.glb"));
    expect(run_sinew("convert scene:LEG '%s' --fps 20100", out), 1, "6 joints and 200000 frames");
    assert_int_not_equal(access(out, F_OK), 0);
    // far from the origin single precision has no more than a share of the way: 1 mm after 10 km
    static char moved[1 << 20];
    assert_true(read_text(man, moved, sizeof moved) > 0);
    char *frame = strstr(moved, "Frames:");
    strcpy(frame, "Frames: 1\nFrame Time: 0.2\n1000123.4 100 0");
    for (int k = 0; k < 54; ++k) { strcat(frame, " 0"); }
    strcat(frame, "\n");
    write_text(man, moved);
    const test_Run *run = run_sinew("convert '%s' '%s'", man, out);
    assert_int_equal(run->code, 0);
}

static void a_target_is_given_once(void **state)
{
    (void)state;
    expect(run_sinew("track scene:MAN18 --targets LeftHand,LeftHand"), 1,
        "--targets: 'LeftHand' is given twice");
    expect(run_sinew("track scene:MAN18 --targets LeftHand,Head,LeftHand:pose"), 1,
        "--targets: 'LeftHand' is given twice");
}

// a ghost is where it is at the same time, at whatever rate it was recorded
static void ghosts_keep_time(void **state)
{
    (void)state;
    const char *fast = make_motion("MAN18", "fast.bvh", "--fps 60");
    char slow[1100], pictures[2][1100];
    snprintf(slow, sizeof slow, "%s", test_temp_path("slow.bvh"));
    assert_int_equal(run_sinew("convert '%s' '%s' --fps 15", fast, slow)->code, 0);
    static const char *const kinds[] = { "--frame 30", "--frames 3" };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        for (int k = 0; k < 2; ++k) {
            snprintf(pictures[k], sizeof pictures[k], "%s",
                test_temp_path(k == 0 ? "fast.svg" : "slow.svg"));
            const test_Run *run = run_sinew("render '%s' --ghost '%s' %s --title t -o '%s'", slow,
                k == 0 ? fast : slow, kinds[i], pictures[k]);
            if (run->code != 0) { skip(); } // without pictures
        }
        static char texts[2][8 << 20];
        for (int k = 0; k < 2; ++k) {
            assert_true(read_text(pictures[k], texts[k], sizeof texts[k]) > 0);
        }
        assert_true(strcmp(texts[0], texts[1]) == 0);
    }
}

// what rounding leaves of a slide is no length
static void nothing_is_told_as_nothing(void **state)
{
    (void)state;
    const char *walk = test_temp_path("nothing.bvh");
    TEST_INT(run_sinew("walk -s 4 -o '%s'", walk)->code, 0);
    const test_Run *run = run_sinew("clean '%s'", walk);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->out, "e-1") == NULL);
}

// a ghost of another body is drawn, and told
static void ghosts_of_others_are_told(void **state)
{
    (void)state;
    const char *picture = test_temp_path("ghost.png");
    const char *line = "render scene:MAN18 --ghost scene:%s -n 2 -o '%s'";
    const test_Run *run = run_sinew(line, "BODY11", picture);
    TEST_INT(run->code, 0);
    TEST_TRUE(strstr(run->err, "is another character than scene:MAN18") != NULL);
    run = run_sinew(line, "MAN18", picture);
    TEST_INT(run->code, 0);
    TEST_TRUE(run->err[0] == '\0');
}

static int count_lines(const char *text)
{
    int count = 0;
    for (const char *c = text; *c != '\0'; ++c) { count += *c == '\n' ? 1 : 0; }
    return count;
}

/// Whether a terminal would show all of a text as letters and lines.
static bool is_plain(const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; ++c) {
        if ((*c < 0x20 && *c != '\n') || *c == 0x7f || (*c == 0xc2 && c[1] < 0xa0)) {
            return false;
        }
    }
    return true;
}

// Names of a file can hold what clears a screen or adds a line: texts write it out, also in messages.
static void names_do_not_command_a_terminal(void **state)
{
    (void)state;
    static const char *const calls[] = { "info '%s'", "rig '%s'", "solve '%s' --goal hips=0,1,0",
        "solve '%s' --all --goal hips=0,1,0", "track '%s' --targets hips", "render '%s'",
        "solve '%s' --goal Hips=0,1,0", "convert '%s' -",
        "switch '%s' --limb arm_l --at 0.2 --out x.y" };
    enum { CALLS = (int)(sizeof calls / sizeof calls[0]) };
    static char text[1 << 20], bad[1 << 20];
    char path[1100], call[1300];
    const char *plain = make_motion("MAN18", "plain.gltf", "--fps 5");
    assert_true(read_text(plain, text, sizeof text) > 0);
    size_t used = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        bad[used++] = *c;
        // a clear screen, the end of a line, a control character of two bytes, delete
        static const char evil[] = "\\u001b[2J\\n\\u009b\\u007f", key[] = "\"name\":\"";
        bool names = c - text >= (long)sizeof key - 2
            && strncmp(c - (sizeof key - 2), key, sizeof key - 1) == 0;
        if (names) { used += (size_t)snprintf(bad + used, sizeof bad - used, "%s", evil); }
    }
    bad[used] = '\0';
    snprintf(path, sizeof path, "%s", test_temp_path("bad.gltf"));
    write_text(path, bad);
    for (int i = 0; i < CALLS; ++i) {
        snprintf(call, sizeof call, calls[i], plain);
        const test_Run *run = run_sinew("%s", call);
        int code = run->code, out_lines = count_lines(run->out), err_lines = count_lines(run->err);
        snprintf(call, sizeof call, calls[i], path);
        run = run_sinew("%s", call);
        bool is_written = strstr(calls[i], " -") == calls[i] + strlen(calls[i]) - 2;
        bool is_name = strstr(calls[i], "Hips=") != NULL;
        if (!is_name && run->code != code) {
            fail_msg("%s: code %d, %s", call, run->code, run->err);
        }
        if (!(is_written || is_plain(run->out)) || !is_plain(run->err)) {
            fail_msg("%s: control characters in %s%s", call, run->out, run->err);
        }
        if (!is_name && !is_written) {
            TEST_INT(count_lines(run->out), out_lines);
            TEST_INT(count_lines(run->err), err_lines);
        }
    }
    const test_Run *run = run_sinew("info '%s'", path);
    assert_non_null(strstr(run->out, " \\x1b[2J\\n\\xc2\\x9b\\x7fHips "));
    assert_non_null(strstr(run->out, "0 \\x1b[2J\\n\\xc2\\x9b\\x7fMAN18, "));
    // letters that are none of ASCII stay
    write_text(path,
        "HIERARCHY\nROOT B\xc3\xa4r\xff\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation "
        "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: "
        "0.1\n0 0 0\n");
    assert_int_equal(rename(path, test_temp_path("bad.bvh")), 0);
    run = run_sinew("info '%s'", test_temp_path("bad.bvh"));
    assert_int_equal(run->code, 0);
    assert_non_null(strstr(run->out, "B\xc3\xa4r\\xff"));
}

TEST_MAIN(cmocka_unit_test(names_do_not_command_a_terminal),
    cmocka_unit_test(ghosts_of_others_are_told), cmocka_unit_test(nothing_is_told_as_nothing),
    cmocka_unit_test(bodies_keep_their_size), cmocka_unit_test(a_folder_is_not_called_as_a_file),
    cmocka_unit_test(no_motion_without_frames),
    cmocka_unit_test(convert_writes_what_can_be_read_back),
    cmocka_unit_test(a_target_is_given_once), cmocka_unit_test(ghosts_keep_time))
