// Numbers as text in the WebAssembly module: the same text and bits as the C library here.

#include "testing.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double libc_strtod(const char *text)
{
    return strtod(text, NULL);
}

static int libc_print(char *out, size_t room, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out, room, format, arguments);
    va_end(arguments);
    return length;
}

#undef snprintf
#undef vsnprintf
#undef strtod
#undef localeconv
#define snprintf js_snprintf
#define vsnprintf js_vsnprintf
#define strtod js_strtod
#define localeconv js_localeconv
double js_strtod(const char *restrict text, char **restrict end);
struct lconv *js_localeconv(void);
int js_vsnprintf(char *restrict text, size_t room, const char *restrict format, va_list arguments);
int js_snprintf(char *restrict text, size_t room, const char *restrict format, ...);
#include "bindings/js/glue/text.c"

static void check_number(double value, int digits)
{
    char mine[400], other[400];
    TEST_INT(js_snprintf(mine, sizeof mine, "%.*g", digits, value),
        libc_print(other, sizeof other, "%.*g", digits, value));
    assert_string_equal(mine, other);
    const double a = js_strtod(other, NULL), b = libc_strtod(other);
    TEST_TRUE(memcmp(&a, &b, sizeof a) == 0);
}

static void test_numbers_are_those_of_the_c_library(void **state)
{
    (void)state;
    for (int i = 0; i < 20000; ++i) {
        test_Random random = test_case(7, i);
        uint64_t bits = test_bits(&random);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (i % 3 == 0) { value = (double)(int64_t)bits / 3.3e16; }
        if (i % 3 == 1) { value = (double)(bits % 1000000) / 1000.0; }
        if (!isfinite(value)) { continue; }
        check_number(value, 1 + (int)(test_bits(&random) % 25));
        check_number(value, 17);
    }
}

static void test_edges(void **state)
{
    (void)state;
    static const char *const texts[] = { "1e-400", "4.9e-324", "2.4703282292062327e-324",
        "2.4703282292062328e-324", "1.7976931348623159e308", "1.7976931348623157e308", "1e400", "0",
        "0.000", "-0.0", "00012.50", "9007199254740993", "9007199254740992.99999999999999999999",
        "1e23", "8.5e22", "1e5000", "1e-5000", "12345678901234567890123456789e-30",
        "2.2250738585072011e-308", "+.5", "5." };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char *end;
        const double a = js_strtod(texts[i], &end), b = libc_strtod(texts[i]);
        TEST_TRUE(memcmp(&a, &b, sizeof a) == 0 && *end == '\0');
    }
    char mine[100], other[100];
    for (double value = 0.0; value < 12.0; value += 0.25) {
        js_snprintf(mine, sizeof mine, "%.0f|%g|%.3g", value, value, value);
        libc_print(other, sizeof other, "%.0f|%g|%.3g", value, value, value);
        assert_string_equal(mine, other);
    }
    js_snprintf(mine, 24, "%04x %d%% %s %.3s %u %lld %c %.*s", 0xabU, -5, "word", "abcdef",
        4000000000U, -99999999999LL, 'x', 2, "pq7");
    libc_print(other, 24, "%04x %d%% %s %.3s %u %lld %c %.*s", 0xabU, -5, "word", "abcdef",
        4000000000U, -99999999999LL, 'x', 2, "pq7");
    assert_string_equal(mine, other);
}

TEST_MAIN(cmocka_unit_test(test_numbers_are_those_of_the_c_library), cmocka_unit_test(test_edges))
