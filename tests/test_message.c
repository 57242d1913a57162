// What messages are written with: numbers, texts and letters, without stdio.

#include "testing.h"

#include "base/message.h"

#include <stdlib.h>
#include <string.h>

static void check(const char *expected, sinew_Message message)
{
    if (strcmp(message.text, expected) == 0) { return; }
    print_error("'%s', expected '%s'\n", message.text, expected);
    TEST_TRUE(false);
}

/// Six digits and no trailing zeros; powers of ten from 1e6 on and below 1e-5.
static void test_numbers_are_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = {
        { 0.0, "0" },
        { 1.0, "1" },
        { -2.5, "-2.5" },
        { 10.0, "10" },
        { 99999.94, "99999.9" },
        { 100000.0, "100000" },
        { 123456.4, "123456" },
        { 999999.4, "999999" },
        { 999999.6, "1e+6" },
        { 1234567.0, "1.23457e+6" },
        { 0.1, "0.1" },
        { 0.00012, "0.00012" },
        { 0.00001, "0.00001" },
        { 0.000001, "1e-6" },
        { 1e300, "1e+300" },
        { -1e-300, "-1e-300" },
        { (double)INFINITY, "inf" },
        { -(double)INFINITY, "-inf" },
        { (double)NAN, "nan" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        sinew_Message message;
        snw_message_set(&message, "%g", rows[i].value);
        check(rows[i].text, message);
    }
}

/// Read back, a number of any size is right to six digits.
static void test_numbers_come_back(void **state)
{
    (void)state;
    test_Random random = test_random(1);
    for (int i = 0; i < 20000; ++i) {
        double value = copysign(exp(test_range(&random, -40.0, 40.0)), i % 2 - 0.5);
        sinew_Message message;
        snw_message_set(&message, "%g", value);
        TEST_NEAR(strtod(message.text, NULL) / value, 1.0, 5.1e-6);
        TEST_TRUE(strlen(message.text) < 14);
    }
}

static void test_other_letters(void **state)
{
    (void)state;
    sinew_Message message;
    snw_message_set(&message, "%d %d %z %s %s %c%c 100 %%", 0, -2147483647 - 1, (size_t)18, "a\nb",
        (const char *)NULL, '~', 7);
    check("0 -2147483648 18 a?b (none) ~? 100 %", message);
    char longer[2 * sizeof message.text];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    snw_message_set(&message, "%s", longer);
    TEST_INT((long long)strlen(message.text), (long long)sizeof message.text - 1);
}

TEST_MAIN(cmocka_unit_test(test_numbers_are_short), cmocka_unit_test(test_numbers_come_back),
    cmocka_unit_test(test_other_letters))
