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

// ---------------------------------------------------------------------------------------------
// Memory of this program (--wrap): what is not written before it is read is no zero, and what is written
// behind its end ends the program. So a slip of one in a bound is seen without sanitizers.

#ifdef GOLDEN_GUARD

enum { HEAD = 64, TAIL = 64 };

void *__real_malloc(size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *memory);

static void *guarded(size_t size, int fill)
{
    unsigned char *block = size < SIZE_MAX - HEAD - TAIL ? __real_malloc(size + HEAD + TAIL) : NULL;
    if (block == NULL) { return NULL; }
    // a double of these bytes is no small number, an int no index
    memset(block, 0x5c, HEAD);
    memcpy(block, &size, sizeof size);
    memset(block + HEAD, fill, size);
    memset(block + HEAD + size, 0x7b, TAIL);
    return block + HEAD;
}

void *__wrap_malloc(size_t size)
{
    return guarded(size, 0x7b);
}

void *__wrap_calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) { return NULL; }
    return guarded(count * size, 0);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    // malloc aligns to 16 and HEAD keeps that
    return alignment <= 16 ? guarded(size, 0x7b) : NULL;
}

void __wrap_free(void *memory)
{
    if (memory == NULL) { return; }
    unsigned char *block = (unsigned char *)memory - HEAD;
    size_t size;
    memcpy(&size, block, sizeof size);
    uint64_t mark;
    memcpy(&mark, block + sizeof size, sizeof mark);
    if (mark != UINT64_C(0x5c5c5c5c5c5c5c5c)) {
        // of the C library's own, as realpath gives
        __real_free(memory);
        return;
    }
    bool whole = true;
    for (size_t i = sizeof size; i < HEAD; ++i) { whole = whole && block[i] == 0x5c; }
    for (size_t i = 0; i < TAIL; ++i) { whole = whole && block[HEAD + size + i] == 0x7b; }
    if (!whole) {
        print_error("something was written beside a block of %zu bytes\n", size);
        abort();
    }
    memset(block, 0x7d, size + HEAD);
    __real_free(block);
}

void *__wrap_realloc(void *memory, size_t size)
{
    void *again = guarded(size, 0x7b);
    if (again == NULL || memory == NULL) { return again; }
    size_t old;
    memcpy(&old, (unsigned char *)memory - HEAD, sizeof old);
    memcpy(again, memory, old < size ? old : size);
    __wrap_free(memory);
    return again;
}

#endif

TEST_MAIN(cmocka_unit_test(test_core), cmocka_unit_test(test_files))
