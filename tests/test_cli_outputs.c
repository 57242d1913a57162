// What the command writes takes the place of nothing that it read or wrote in the same call.

#include "command.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

static const char arm[] = "HIERARCHY\nROOT a\n{\n OFFSET 0 0 0\n CHANNELS 6 Xposition Yposition "
                          "Zposition Zrotation Xrotation Yrotation\n JOINT b\n {\n  OFFSET 0 1 0\n "
                          " CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n   OFFSET 0 "
                          "1 0\n  }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n"
                          "0 0 0 0 0 0 0 0 0\n0 0 0 0 9 0 0 0 0\n";

/// A folder with a person's motion w.bvh, the same as m.bvh and, under the name of a picture, as w.png.
static const char *make_folder(void)
{
    static char folder[1024];
    // all names, so that the files are taken away at the end
    static const char *const names[] = { "w.bvh", "m.bvh", "w.png", "arm.bvh", "arm.gltf", "w.glb",
        "buffer.png", "r.rig.json", "x.bvh", "y.bvh", "z.bvh", "z.json" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *path = test_temp_path(names[i]);
        if (i > 3) { continue; }
        if (i == 3) {
            write_text(path, arm);
            continue;
        }
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
        char file[1100];
        snprintf(file, sizeof file, "%s/made.bvh", folder);
        assert_int_equal(run_sinew("convert scene:MAN18 '%s' --fps 5", file)->code, 0);
        assert_int_equal(rename(file, path), 0);
    }
    return folder;
}

static bool same_text(const char *path, const char *text)
{
    static char now[4 << 20];
    return read_text(path, now, sizeof now) > 0 && strcmp(now, text) == 0;
}

/// An @ in the arguments stands for the folder.
static const test_Run *run_in(const char *folder, const char *arguments)
{
    char line[4096];
    size_t used = 0;
    for (const char *c = arguments; *c != '\0'; ++c) {
        bool is_folder = c[0] == '@';
        used += (size_t)snprintf(
            line + used, sizeof line - used, "%.*s", is_folder ? 1000 : 1, is_folder ? folder : c);
    }
    return run_sinew("%s", line);
}

static void what_was_read_is_kept(void **state)
{
    (void)state;
    static char before[4 << 20];
    const char *folder = make_folder();
    char path[1100];
    assert_int_equal(run_in(folder, "rig @/w.bvh -o @/r.rig.json")->code, 0);
    static const struct {
        const char *arguments, *kept;
    } cases[] = {
        { "retarget @/w.bvh --to @/m.bvh -o @/w.bvh", "w.bvh" },
        { "retarget @/w.bvh --to @/m.bvh -o @/m.bvh", "m.bvh" },
        { "retarget @/w.bvh --to @/m.bvh -o @/ --again", "w.bvh" },
        { "retarget @ --to scene:MAN18 -o @ --again", "m.bvh" },
        { "rig @/w.bvh -r @/r.rig.json -o @/r.rig.json", "r.rig.json" },
        { "rig @/w.bvh --stance @/w.bvh", "w.bvh" },
        { "render @/w.png -o @/w.png", "w.png" },
        { "walk -s 0.1 -r @/w.bvh -o @/w.bvh", "w.bvh" },
        { "clean @/w.bvh -o @/./w.bvh", "w.bvh" },
        { "track @/w.bvh -o @/w.bvh", "w.bvh" },
        { "convert @/w.bvh @/w.bvh", "w.bvh" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].kept);
        assert_true(read_text(path, before, sizeof before) > 0);
        const test_Run *run = run_in(folder, cases[i].arguments);
        if (run->code != 1 || strstr(run->err, "was read and would be overwritten") == NULL
            || !same_text(path, before)) {
            fail_msg("%s: code %d, %s", cases[i].arguments, run->code, run->err);
        }
    }
    // keys are written as JSON under any name
    snprintf(path, sizeof path, "%s/w.bvh", folder);
    const test_Run *run = run_in(folder, "switch @/w.bvh --keys @/w.bvh");
    assert_int_equal(run->code, 1);
    assert_non_null(strstr(run->err, "was read"));
    // who insists gets it
    assert_int_equal(run_in(folder, "retarget @/w.bvh --to @/m.bvh -o @/w.bvh --force")->code, 0);
    assert_int_equal(
        run_in(folder, "rig @/w.bvh -r @/r.rig.json -o @/r.rig.json --force")->code, 0);
}

static void what_a_gltf_names_is_kept(void **state)
{
    (void)state;
    const char *folder = make_folder();
    assert_int_equal(run_in(folder, "convert @/arm.bvh @/arm.gltf")->code, 0);
    // the buffer inside becomes a file beside, whose name is that of a picture
    static char text[1 << 20];
    char path[1100], beside[1100];
    snprintf(path, sizeof path, "%s/arm.gltf", folder);
    snprintf(beside, sizeof beside, "%s/buffer.png", folder);
    assert_true(read_text(path, text, sizeof text) > 0);
    char *at = strstr(text, "\"data:"), *end = at != NULL ? strchr(at + 1, '"') : NULL;
    if (end == NULL) { skip(); }
    char *comma = strchr(at, ',');
    assert_non_null(comma);
    char line[2000];
    FILE *encoded = fopen(test_temp_path("base64"), "w");
    assert_non_null(encoded);
    fprintf(encoded, "%.*s", (int)(end - comma - 1), comma + 1);
    fclose(encoded);
    snprintf(line, sizeof line, "base64 -d '%s' >'%s'", test_temp_path("base64"), beside);
    assert_int_equal(system(line), 0);
    static char whole[1 << 20];
    snprintf(whole, sizeof whole, "%.*s\"buffer.png%s", (int)(at - text), text, end);
    write_text(path, whole);
    assert_int_equal(run_in(folder, "info @/arm.gltf")->code, 0);
    const test_Run *run = run_in(folder, "render @/arm.gltf -o @/buffer.png");
    assert_int_equal(run->code, 1);
    assert_non_null(strstr(run->err, "buffer.png: was read and would be overwritten"));
}

static void two_outputs_have_two_names(void **state)
{
    (void)state;
    const char *folder = make_folder();
    static const char *const cases[] = {
        "retarget @/w.bvh --to @/m.bvh --map-out @/x.bvh -o @/x.bvh",
        "retarget @/w.bvh --to @/m.bvh --map-out @/x.bvh -o @/x.bvh --force",
        "switch @/w.bvh --keys @/y.bvh --controls @/y.bvh",
        "rig @/w.bvh --stance @/z.bvh -o @/z.json --force",
    };
    char path[1100], link[1100];
    snprintf(path, sizeof path, "%s/z.bvh", folder);
    snprintf(link, sizeof link, "%s/z.json", folder);
    write_text(path, "x");
    assert_int_equal(symlink(path, link), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const test_Run *run = run_in(folder, cases[i]);
        if (run->code != 1 || strstr(run->err, "is another output of this call") == NULL) {
            fail_msg("%s: code %d, %s", cases[i], run->code, run->err);
        }
    }
    // two clips that become one file
    snprintf(path, sizeof path, "%s/w.glb", folder);
    assert_int_equal(run_in(folder, "convert @/w.bvh @/w.glb")->code, 0);
    const test_Run *run = run_in(folder, "retarget @/w.bvh @/w.glb --to @/m.bvh -o @/out/");
    assert_int_equal(run->code, 1);
    assert_non_null(strstr(run->err, "would become one file"));
    // standard output takes one of them, and a motion of retarget as well as any other
    run = run_in(folder, "switch @/w.bvh --at 0.5 --controls - -o -");
    assert_int_equal(run->code, 1);
    assert_non_null(strstr(run->err, "standard output"));
    run = run_in(folder, "retarget @/w.bvh --to @/m.bvh -o -");
    assert_int_equal(run->code, 0);
    assert_int_equal(strncmp(run->out, "HIERARCHY", 9), 0);
}

/// A motion whose frames last as long as nothing does is refused, or goes through as it is.
static void frames_last_as_files_say(void **state)
{
    (void)state;
    const char *folder = make_folder();
    static char text[4 << 20], timed[4 << 20];
    char path[1100];
    snprintf(path, sizeof path, "%s/m.bvh", folder);
    assert_true(read_text(path, text, sizeof text) > 0);
    const char *time = strstr(text, "Frame Time:"), *after = strchr(time, '\n');
    static const struct {
        const char *time, *arguments, *said;
        int code;
    } cases[] = {
        { "1e-12", "walk --like @/m.bvh -s 1", "m.bvh:157:13: found \"1e-12\"", 1 },
        { "1e-12", "info @/m.bvh", "expected a frame time of 1e-06 to 86400 seconds", 1 },
        { "5", "walk --like @/m.bvh -s 1", "no walk to learn from", 1 },
        { "86400", "convert @/m.bvh @/x.bvh --fps 30", "more than the 2147483648 numbers", 1 },
        { "86400", "convert @/m.bvh @/w.glb", "w.glb: the motion lasts", 1 },
        { "1e-6", "convert @/m.bvh @/w.glb", "51 frames at 1e+06 per second", 0 },
        // of television, which programs round to five digits
        { "0.041708", "info @/m.bvh", " at 23.9762 per second", 0 },
        { "0.0333667", "info @/m.bvh", " at 29.97 per second", 0 },
        { "0.0166833", "info @/m.bvh --json", "\"fps\": 59.94", 0 },
        { ".0083333", "info @/m.bvh", " at 120 per second", 0 },
        { "1e-6", "render @/m.bvh --body --marks -o @/buffer.png", "Picture", 0 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        snprintf(timed, sizeof timed, "%.*sFrame Time: %s%s", (int)(time - text), text,
            cases[i].time, after);
        write_text(path, timed);
        const test_Run *run = run_in(folder, cases[i].arguments);
        const char *said = cases[i].code == 0 ? run->out : run->err;
        if (run->code != cases[i].code || strstr(said, cases[i].said) == NULL) {
            fail_msg("%s, %s: code %d, %s%s", cases[i].time, cases[i].arguments, run->code,
                run->out, run->err);
        }
    }
    // a single frame has its rate in a glTF as well
    const char *frames = strstr(text, "Frames:"), *first = strchr(after + 1, '\n');
    snprintf(timed, sizeof timed, "%.*sFrames: 1\nFrame Time: 0.0416667%.*s\n",
        (int)(frames - text), text, (int)(first - after), after);
    write_text(path, timed);
    assert_int_equal(run_in(folder, "convert @/m.bvh @/w.glb")->code, 0);
    const test_Run *one = run_in(folder, "convert @/w.glb @/x.bvh");
    if (strstr(one->out, "1 frame at 24 per second") == NULL) {
        fail_msg("one: %s%s", one->out, one->err);
    }
    // without frames: a glTF holds the body as it is
    snprintf(timed, sizeof timed, "%.*sFrames: 0\nFrame Time: 0.1\n",
        (int)(strstr(text, "Frames:") - text), text);
    write_text(path, timed);
    const test_Run *run = run_in(folder, "convert @/m.bvh @/w.glb");
    if (run->code != 0) { fail_msg("no frames: %s", run->err); }
}

// a closed standard output is one that fails as a full disk does: what was asked for was right
static void closed_streams_fail_where_they_are_used(void **state)
{
    (void)state;
    static const char *const prints[] = { "info scene:ARM", "convert scene:ARM -",
        "track scene:ARM -o -", "solve scene:ARM --goal Grip=0.3,1.2,0.3 -o -" };
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; ++i) {
        const test_Run *run = run_sinew("%s >&-", prints[i]);
        TEST_INT(run->code, 1);
        TEST_TRUE(strstr(run->err, "standard output: Bad file descriptor") != NULL);
    }
    const test_Run *run = run_sinew("info - <&-");
    TEST_TRUE(run->code == 1 && strstr(run->err, "standard input: cannot be read") != NULL);
    TEST_INT(run_sinew("info scene:ARM 2>&-")->code, 0);
}

static int count_files(const char *folder)
{
    int count = 0;
    DIR *files = opendir(folder);
    TEST_TRUE(files != NULL);
    while (readdir(files) != NULL) { ++count; }
    closedir(files);
    return count;
}

// a file that may grow no more is a failed write, and leaves nothing behind (the process was killed, and what it had written
// stayed)
static void a_file_that_may_not_grow_is_taken_away(void **state)
{
    (void)state;
    const char *folder = make_folder();
    const int files = count_files(folder);
    struct rlimit before, small;
    TEST_INT(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 40000;
    TEST_INT(setrlimit(RLIMIT_FSIZE, &small), 0);
    const test_Run *run = run_in(folder, "walk --seconds 20 -o @/x.bvh");
    TEST_INT(setrlimit(RLIMIT_FSIZE, &before), 0);
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "x.bvh: cannot be written: File too large") != NULL);
    TEST_INT(count_files(folder), files);
}

// frames that are too long are told as the file has them (it was a word of the library's: frame_time)
static void rates_that_are_too_slow_are_told(void **state)
{
    (void)state;
    const char *folder = make_folder();
    TEST_INT(run_in(folder, "convert @/w.bvh @/y.bvh --fps 2")->code, 0);
    const test_Run *run = run_in(folder, "ground @/y.bvh --terrain hills:1 -o @/z.bvh");
    TEST_INT(run->code, 1);
    TEST_TRUE(strstr(run->err, "2 frames per second, expected 5 to 1000") != NULL);
}

TEST_MAIN(cmocka_unit_test(what_was_read_is_kept), cmocka_unit_test(what_a_gltf_names_is_kept),
    cmocka_unit_test(two_outputs_have_two_names), cmocka_unit_test(frames_last_as_files_say),
    cmocka_unit_test(closed_streams_fail_where_they_are_used),
    cmocka_unit_test(a_file_that_may_not_grow_is_taken_away),
    cmocka_unit_test(rates_that_are_too_slow_are_told))
