// Same input, same bits: a hash for each part of the library over what it gives for many random inputs is the
// same for every compiler, every optimisation level, and with sanitizers; and it is the one that
// tests/golden/hashes.txt says. Who changes what a part gives on purpose writes the file anew:
//
//     SINEW_GOLDEN_WRITE=1 build/release/tests/test_golden
//
// and says in the commit why the hashes named there changed.

#include "testing.h"

#include "golden/golden.h"

#include <stdio.h>
#include <stdlib.h>

#define HASHES SINEW_SOURCE_DIR "/tests/golden/hashes.txt"

typedef struct Line {
    char name[32], digits[17];
} Line;

static Line lines[64];
static int line_count;

static void read_lines(void)
{
    FILE *file = fopen(HASHES, "r");
    line_count = 0;
    while (file != NULL && line_count < 64
        && fscanf(file, "%31s %16s", lines[line_count].name, lines[line_count].digits) == 2) {
        ++line_count;
    }
    if (file != NULL) { (void)fclose(file); }
}

static void write_lines(void)
{
    FILE *file = fopen(HASHES, "w");
    TEST_TRUE(file != NULL);
    for (int i = 0; i < line_count; ++i) {
        (void)fprintf(file, "%s %s\n", lines[i].name, lines[i].digits);
    }
    TEST_INT(fclose(file), 0);
}

static Line *find_line(const char *name)
{
    for (int i = 0; i < line_count; ++i) {
        if (strcmp(lines[i].name, name) == 0) { return &lines[i]; }
    }
    TEST_TRUE(line_count < 64);
    Line *line = &lines[line_count++];
    (void)snprintf(line->name, sizeof line->name, "%s", name);
    line->digits[0] = '\0';
    return line;
}

static void check(const golden_Chapter *chapters, int count)
{
    bool all_same = true, write = getenv("SINEW_GOLDEN_WRITE") != NULL;
    const char *only = getenv("SINEW_GOLDEN_ONLY"), *eager = getenv("SINEW_GOLDEN_EAGER");
    read_lines();
    for (int i = 0; i < count; ++i) {
        if (only != NULL && strcmp(only, chapters[i].name) != 0) { continue; }
        char digits[17];
        golden_digits(chapters[i].run(), digits);
        Line *line = find_line(chapters[i].name);
        if (strcmp(line->digits, digits) == 0) { continue; }
        print_error("%s is now %s, tests/golden/hashes.txt has '%s'\n", chapters[i].name, digits,
            line->digits);
        (void)snprintf(line->digits, sizeof line->digits, "%s", digits);
        all_same = false;
        if (eager != NULL && !write) { break; }
    }
    if (write) { write_lines(); }
    TEST_TRUE(all_same || write);
}

static void test_core(void **state)
{
    (void)state;
    check(golden_core_chapters, golden_core_count);
}

static void test_files(void **state)
{
    (void)state;
    check(golden_more_chapters, golden_more_count);
}

TEST_MAIN(cmocka_unit_test(test_core), cmocka_unit_test(test_files))
