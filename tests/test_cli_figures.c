// `sinew figures`.

#include "command.h"

static bool says(const char *text, const char *part)
{
    bool found = strstr(text, part) != NULL;
    if (!found) { print_message("not found: %s\nin: %s\n", part, text); }
    return found;
}

// files of the folder go one by one; the folder goes with the test's others when it is empty
static void remove_folder(const char *folder)
{
    char line[1200];
    snprintf(line, sizeof line, "rm -r '%s'", folder);
    assert_int_equal(system(line), 0);
}

static unsigned whole_at(const unsigned char *bytes)
{
    return (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3];
}

// a whole PNG of a size that can be read, with more in it than one colour
static void check_png(const char *path)
{
    static const unsigned char start[16] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0, 0, 0,
        13, 'I', 'H', 'D', 'R' };
    static unsigned char bytes[4 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) { fail_msg("%s is not there", path); }
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    if (size < 20000 || size == sizeof bytes || memcmp(bytes, start, sizeof start) != 0
        || memcmp(bytes + size - 8, "IEND", 4) != 0) {
        fail_msg("%s: %zu bytes, no PNG of a figure", path, size);
    }
    unsigned width = whole_at(bytes + 16), height = whole_at(bytes + 20);
    if (width < 800 || width > 2000 || height < 500 || height > 1500) {
        fail_msg("%s: %u x %u pixels", path, width, height);
    }
}

/// FIG-1: every figure of the papers is listed, and is drawn.
static void all_figures_are_drawn_fig1(void **state)
{
    (void)state;
    static const char *const wanted[] = { "meredith-2004-1.2", "meredith-2004-1.3",
        "meredith-2004-1.4", "meredith-2004-1.5", "meredith-2004-1.6", "meredith-2004-1.7",
        "blow-2002-1", "blow-2002-2", "hoang-2014-1", "hoang-2014-2", "hoang-2014-3",
        "bhatti-2013-1", "bhatti-2013-2", "bhatti-2013-7", "bhatti-2013-8", "bhatti-2013-9" };
    char names[4096];
    const test_Run *run = run_sinew("figures --list");
    assert_int_equal(run->code, 0);
    snprintf(names, sizeof names, "%.4000s", run->out);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; ++i) {
        char line[64];
        snprintf(line, sizeof line, "%s ", wanted[i]);
        assert_true(says(names, line));
    }
    char folder[1024];
    snprintf(folder, sizeof folder, "%s", test_temp_path("figures"));
    run = run_sinew("figures -o '%s' --json", folder);
    assert_int_equal(run->code, 0);
    assert_true(is_json_object(run->out));
    int count = 0;
    for (char *line = strtok(names, "\n"); line != NULL; line = strtok(NULL, "\n"), ++count) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%.*s.png", folder, (int)strcspn(line, " "), line);
        assert_true(says(run->out, path));
        check_png(path);
    }
    assert_true(count >= 16);
    remove_folder(folder);
}

static void one_figure_is_drawn(void **state)
{
    (void)state;
    char folder[1024], path[1200], text[256];
    snprintf(folder, sizeof folder, "%s", test_temp_path("one"));
    const test_Run *run = run_sinew(
        "figures -o '%s' --format svg --only bhatti-2013-8 --only meredith-2004-1.4", folder);
    assert_int_equal(run->code, 0);
    assert_true(says(run->out, "meredith-2004-1.4.svg: the lift curve\n"));
    assert_null(strstr(run->out, "hoang"));
    snprintf(path, sizeof path, "%s/bhatti-2013-8.svg", folder);
    assert_true(read_text(path, text, sizeof text) > 0);
    assert_true(says(text, "<svg"));
    remove_folder(folder);
}

static void slips_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *said;
        int code;
    } slips[] = {
        { "figures", "-o DIR", 2 },
        { "figures -o x --format gif", "png", 2 },
        { "figures -o x --only hoang-2014-4", "did you mean 'hoang-2014-", 2 },
        { "figures -o x --only nose", "meredith-2004-1.2, ", 2 },
        { "figures -o /nowhere/at/all --only bhatti-2013-8", "cannot be made", 1 },
    };
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; ++i) {
        const test_Run *run = run_sinew("%s", slips[i].arguments);
        if (run->code != slips[i].code) {
            print_message("%s: %d\n", slips[i].arguments, run->code);
        }
        assert_int_equal(run->code, slips[i].code);
        assert_true(says(run->err, slips[i].said));
        assert_true(says(run->err, "\n"));
    }
}

TEST_MAIN(cmocka_unit_test(all_figures_are_drawn_fig1), cmocka_unit_test(one_figure_is_drawn),
    cmocka_unit_test(slips_are_told))
