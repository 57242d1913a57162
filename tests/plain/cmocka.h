#ifndef PLAIN_CMOCKA_H
#define PLAIN_CMOCKA_H

// The few things of cmocka that the tests use, for machines that have no cmocka: tests are run one after
// the other, the first failed comparison leaves a test by longjmp. In front of -I it takes cmocka's place.

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
};

#define cmocka_unit_test(function) \
    {                              \
#function, function        \
    }

enum { PLAIN_PASSED, PLAIN_FAILED, PLAIN_SKIPPED };

// of cmocka.c
extern jmp_buf plain_leave;
extern const char *plain_filter;

#define print_message printf
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define cmocka_set_test_filter(pattern) (plain_filter = (pattern))

_Noreturn static inline void plain_fail(const char *file, int line)
{
    fprintf(stderr, "%s:%d: failed\n", file, line);
    longjmp(plain_leave, PLAIN_FAILED);
}

#define _fail(file, line) plain_fail((file), (line))
#define fail() plain_fail(__FILE__, __LINE__)
#define fail_msg(...) (print_error(__VA_ARGS__), plain_fail(__FILE__, __LINE__))
#define skip() longjmp(plain_leave, PLAIN_SKIPPED)
#define plain_check(condition) ((condition) ? (void)0 : fail_msg("%s\n", #condition))

#define assert_true(condition) plain_check(condition)
#define assert_false(condition) plain_check(!(condition))
#define assert_int_equal(a, b) plain_check((a) == (b))
#define assert_null(a) plain_check((a) == NULL)
#define assert_non_null(a) plain_check((a) != NULL)
#define assert_string_equal(a, b) plain_check(strcmp((a), (b)) == 0)
#define assert_string_not_equal(a, b) plain_check(strcmp((a), (b)) != 0)

// * and ? as in the names of files
static inline bool plain_matches(const char *name, const char *pattern)
{
    if (*pattern == '*') {
        return plain_matches(name, pattern + 1)
            || (*name != '\0' && plain_matches(name + 1, pattern));
    }
    if (*name == '\0' || *pattern == '\0') { return *name == *pattern; }
    return (*pattern == '?' || *pattern == *name) && plain_matches(name + 1, pattern + 1);
}

static inline int plain_run(const struct CMUnitTest *tests, int count)
{
    static const char *const words[] = { "OK", "FAILED", "SKIPPED" };
    int failed = 0;
    for (volatile int i = 0; i < count; ++i) {
        if (plain_filter != NULL && !plain_matches(tests[i].name, plain_filter)) { continue; }
        void *state = NULL;
        int result = setjmp(plain_leave);
        if (result == PLAIN_PASSED) { tests[i].test(&state); }
        printf("[ %s ] %s\n", words[result], tests[i].name);
        fflush(stdout);
        failed += result == PLAIN_FAILED;
    }
    return failed;
}

#define cmocka_run_group_tests(tests, setup, teardown) \
    plain_run((tests), (int)(sizeof(tests) / sizeof(tests)[0]))

#endif
