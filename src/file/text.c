#include "file/text.h"

#include "base/message.h"
#include "file/buffer.h"

#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Words

bool snw_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool snw_is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

void snw_text_skip_space(snw_Text *text)
{
    while (text->at < text->size && snw_is_space(text->data[text->at])) { ++text->at; }
}

void snw_text_skip_blanks(snw_Text *text)
{
    while (text->at < text->size && snw_is_space(text->data[text->at])
        && !snw_is_line_end(text->data[text->at])) {
        ++text->at;
    }
}

bool snw_text_at_end(const snw_Text *text)
{
    return text->at >= text->size;
}

static bool ends_word(char c)
{
    return snw_is_space(c) || c == '{' || c == '}';
}

snw_Span snw_text_peek(snw_Text *text)
{
    snw_text_skip_space(text);
    snw_Span span = { text->data + text->at, 0 };
    size_t left = text->size - text->at;
    while (span.length < left && !ends_word(span.start[span.length])) { ++span.length; }
    if (span.length == 0 && left > 0) { span.length = 1; } // a brace
    return span;
}

snw_Span snw_text_take(snw_Text *text)
{
    snw_Span span = snw_text_peek(text);
    text->at += span.length;
    return span;
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool snw_span_is(snw_Span span, const char *word)
{
    if (strlen(word) != span.length) { return false; }
    for (size_t i = 0; i < span.length; ++i) {
        if (to_lower(span.start[i]) != to_lower(word[i])) { return false; }
    }
    return true;
}

snw_Span snw_text_take_rest_of_line(snw_Text *text)
{
    snw_text_skip_blanks(text);
    snw_Span span = { text->data + text->at, 0 };
    while (text->at < text->size && !snw_is_line_end(text->data[text->at])
        && text->data[text->at] != '{') {
        ++text->at;
        ++span.length;
    }
    while (span.length > 0 && snw_is_space(span.start[span.length - 1])) { --span.length; }
    return span;
}

bool snw_text_take_label(snw_Text *text, const char *words)
{
    size_t start = text->at;
    snw_text_skip_space(text);
    for (const char *w = words; *w != '\0'; ++w) {
        if (*w == ' ') {
            snw_text_skip_blanks(text);
            continue;
        }
        if (snw_text_at_end(text) || to_lower(text->data[text->at]) != *w) {
            text->at = start;
            return false;
        }
        ++text->at;
    }
    size_t after = text->at;
    snw_text_skip_blanks(text);
    if (!snw_text_at_end(text) && text->data[text->at] == ':') {
        ++text->at;
        return true;
    }
    text->at = after;
    if (!snw_text_at_end(text) && !snw_is_space(text->data[after])) {
        text->at = start; // a longer word
        return false;
    }
    return true;
}

size_t snw_text_count_words(const snw_Text *text)
{
    size_t count = 0;
    unsigned after_space = 1;
    for (size_t i = text->at; i < text->size; ++i) {
        char c = text->data[i];
        unsigned space = (unsigned)(c == ' ') | (unsigned)((unsigned char)(c - '\t') < 5);
        count += after_space & (space ^ 1U);
        after_space = space;
    }
    return count;
}

// ---------------------------------------------------------------------------------------------
// Numbers

// exact as doubles
static const double powers_of_ten[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
    1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
#define MAX_EXACT_POWER 22
// one more digit keeps a mantissa of this size below 2^53, exact as a double
#define MAX_MANTISSA_BEFORE_DIGIT ((((uint64_t)1 << 53) - 9) / 10)

#define MAX_NUMBER_LENGTH 1000

int snw_hex_digit(char c)
{
    if (c >= '0' && c <= '9') { return c - '0'; }
    if (c >= 'a' && c <= 'f') { return c - 'a' + 10; }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

// strtod knows the locale's point alone; span is already known to be a number
static double convert_slowly(snw_Span span)
{
    char copy[MAX_NUMBER_LENGTH + 40];
    const char *point = localeconv()->decimal_point;
    size_t used = 0;
    for (size_t i = 0; i < span.length; ++i) {
        if (span.start[i] != '.') {
            copy[used++] = span.start[i];
            continue;
        }
        for (const char *p = point; *p != '\0' && used < sizeof copy - 1; ++p) {
            copy[used++] = *p;
        }
    }
    copy[used] = '\0';
    return strtod(copy, NULL);
}

// nan, inf, infinity, 1.#IND and the like
static bool is_not_finite_word(snw_Span span)
{
    if (span.length > 0 && (span.start[0] == '+' || span.start[0] == '-')) {
        ++span.start;
        --span.length;
    }
    if (span.length >= 3 && span.start[0] == '1' && span.start[1] == '.' && span.start[2] == '#') {
        return true;
    }
    snw_Span three = { span.start, span.length < 3 ? span.length : 3 };
    return snw_span_is(three, "nan") || snw_span_is(span, "inf") || snw_span_is(span, "infinity");
}

static snw_NumberResult refuse_number(snw_Text *text)
{
    return is_not_finite_word(snw_text_peek(text)) ? SNW_NUMBER_NOT_FINITE : SNW_NUMBER_NONE;
}

snw_NumberResult snw_text_number(snw_Text *text, double *out_value)
{
    snw_text_skip_space(text);
    const char *start = text->data + text->at;
    const char *end = text->data + text->size;
    const char *p = start;
    bool negative = false;
    if (p < end && (*p == '-' || *p == '+')) { negative = *p++ == '-'; }

    // digits into one integer; once it is full the slow way takes over
    uint64_t mantissa = 0;
    bool full = false;
    const char *digits = p;
    for (; p < end && is_digit(*p); ++p) {
        full = full || mantissa > MAX_MANTISSA_BEFORE_DIGIT;
        mantissa = mantissa * 10 + (uint64_t)(*p - '0');
    }
    ptrdiff_t digit_count = p - digits;
    ptrdiff_t exponent = 0;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        for (; p < end && is_digit(*p); ++p) {
            full = full || mantissa > MAX_MANTISSA_BEFORE_DIGIT;
            mantissa = mantissa * 10 + (uint64_t)(*p - '0');
        }
        digit_count += p - fraction;
        exponent = -(p - fraction);
    }
    if (digit_count == 0) { return refuse_number(text); }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *e = p + 1;
        bool negative_exponent = false;
        if (e < end && (*e == '-' || *e == '+')) { negative_exponent = *e++ == '-'; }
        if (e >= end || !is_digit(*e)) { return SNW_NUMBER_NONE; }
        ptrdiff_t written = 0;
        for (; e < end && is_digit(*e); ++e) {
            if (written < 100000) { written = written * 10 + (*e - '0'); }
        }
        exponent += negative_exponent ? -written : written;
        p = e;
    }
    if (p < end && !ends_word(*p)) { return refuse_number(text); }

    double value;
    snw_Span span = { start, (size_t)(p - start) };
    if (!full && exponent <= 0 && exponent >= -MAX_EXACT_POWER) {
        value = (double)mantissa / powers_of_ten[-exponent]; // both exact, so rounded once
        value = negative ? -value : value;
    } else if (!full && exponent > 0 && exponent <= MAX_EXACT_POWER) {
        value = (double)mantissa * powers_of_ten[exponent];
        value = negative ? -value : value;
    } else if (span.length > MAX_NUMBER_LENGTH) {
        return SNW_NUMBER_NONE;
    } else {
        value = convert_slowly(span);
    }
    if (!isfinite(value)) { return SNW_NUMBER_NOT_FINITE; }
    text->at += span.length;
    *out_value = value;
    return SNW_NUMBER_OK;
}

// ---------------------------------------------------------------------------------------------
// Places and messages

/// Line and column of a place.
static void find_place(const snw_Text *text, size_t at, size_t *out_line, size_t *out_column)
{
    size_t line = 1, line_start = 0;
    for (size_t i = 0; i < at && i < text->size; ++i) {
        char c = text->data[i];
        bool pair = c == '\r' && i + 1 < text->size && text->data[i + 1] == '\n';
        if (snw_is_line_end(c) && !pair) {
            ++line;
            line_start = i + 1;
        }
    }
    // a byte order mark takes no room on the first line
    if (line_start == 0 && at >= 3 && text->size >= 3
        && memcmp(text->data, "\xef\xbb\xbf", 3) == 0) {
        line_start = 3;
    }
    *out_line = line;
    *out_column = at - line_start + 1;
}

#define MAX_QUOTED 40

static void fail_with(
    const snw_Text *text, size_t at, const char *found, const char *format, va_list arguments)
{
    char expected[200];
    vsnprintf(expected, sizeof expected, format, arguments);
    if (text->counts_bytes) {
        snw_message_set(
            text->message, "%s: byte %z: found %s, expected %s", text->name, at, found, expected);
        return;
    }
    size_t line, column;
    find_place(text, at, &line, &column);
    snw_message_set(text->message, "%s:%z:%z: found %s, expected %s", text->name, line, column,
        found, expected);
}

sinew_Status snw_text_fail_at(
    const snw_Text *text, size_t at, const char *found, const char *expected, ...)
{
    va_list arguments;
    va_start(arguments, expected);
    fail_with(text, at, found, expected, arguments);
    va_end(arguments);
    return SINEW_STATUS_BAD_FILE;
}

sinew_Status snw_text_fail(snw_Text *text, const char *expected, ...)
{
    snw_Span word = snw_text_peek(text);
    size_t at = text->at;
    char found[MAX_QUOTED + 8];
    // the rest of a word behind a zero byte would not be seen, and what is seen looks right
    const char *zero = word.length > 0 ? memchr(word.start, '\0', word.length) : NULL;
    if (word.length == 0) {
        snprintf(found, sizeof found, "the end of the file");
    } else if (zero != NULL) {
        at += (size_t)(zero - word.start);
        snprintf(found, sizeof found, "a zero byte");
    } else if (word.length > MAX_QUOTED) {
        snprintf(found, sizeof found, "\"%.*s...\"", MAX_QUOTED - 3, word.start);
    } else {
        snprintf(found, sizeof found, "\"%.*s\"", (int)word.length, word.start);
    }
    va_list arguments;
    va_start(arguments, expected);
    fail_with(text, at, found, expected, arguments);
    va_end(arguments);
    return SINEW_STATUS_BAD_FILE;
}

snw_TextSurvey snw_text_survey(const snw_Text *text)
{
    snw_TextSurvey survey = { false, false, false, false };
    survey.byte_order_mark = text->size >= 3 && memcmp(text->data, "\xef\xbb\xbf", 3) == 0;
    survey.no_final_line_end = text->size > 0 && !snw_is_line_end(text->data[text->size - 1]);
    size_t pairs = 0, feeds = 0, returns = 0;
    const char *end = text->data + text->size;
    const char *p = text->data;
    while (p < end && (p = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        ++feeds;
        pairs += p > text->data && p[-1] == '\r';
        ++p;
    }
    p = text->data;
    while (p < end && (p = memchr(p, '\r', (size_t)(end - p))) != NULL) {
        ++returns;
        ++p;
    }
    survey.lone_carriage_returns = returns > pairs;
    int kinds = (pairs > 0) + (feeds > pairs) + (returns > pairs);
    survey.mixed_line_ends = kinds > 1;
    return survey;
}

// ---------------------------------------------------------------------------------------------
// Writing numbers

// printf knows the locale's point alone
int snw_format_significant(double value, int digits, char out[SNW_NUMBER_SIZE])
{
    if (value == 0.0) { value = 0.0; } // no minus
    char printed[64];
    int count = snprintf(printed, sizeof printed, "%.*g", digits, value);
    const char *point = localeconv()->decimal_point;
    size_t point_length = strlen(point);
    const char *place = printed + strspn(printed, "-0123456789");
    if (point_length > 0 && strncmp(place, point, point_length) == 0 && count > 0) {
        size_t before = (size_t)(place - printed);
        memcpy(out, printed, before);
        out[before] = '.';
        strcpy(out + before + 1, place + point_length);
    } else {
        strcpy(out, printed);
    }
    return (int)strlen(out);
}

int snw_format_exact(double value, char out[SNW_NUMBER_SIZE])
{
    for (int digits = 15;; ++digits) {
        int count = snw_format_significant(value, digits, out);
        snw_Text text = { out, (size_t)count, 0, "", NULL, false };
        double again;
        if (digits >= 17 || (snw_text_number(&text, &again) == SNW_NUMBER_OK && again == value)) {
            return count;
        }
    }
}

int snw_format_decimals(double value, int decimals, char out[SNW_NUMBER_SIZE])
{
    double scaled = fabs(value) * powers_of_ten[decimals];
    if (!(scaled < 9e15)) {
        return snw_format_significant(value, 17, out);
    } // too large to have such decimals

    uint64_t digits = (uint64_t)(scaled + 0.5);
    int left = decimals;
    while (left > 0 && digits % 10 == 0) {
        digits /= 10;
        --left;
    }
    // from the last digit to the first
    char reversed[SNW_NUMBER_SIZE];
    int used = 0;
    bool negative = value < 0.0 && digits > 0;
    for (int i = 0; i < left; ++i) {
        reversed[used++] = (char)('0' + digits % 10);
        digits /= 10;
    }
    if (left > 0) { reversed[used++] = '.'; }
    do {
        reversed[used++] = (char)('0' + digits % 10);
        digits /= 10;
    } while (digits > 0);
    if (negative) { reversed[used++] = '-'; }
    for (int i = 0; i < used; ++i) { out[i] = reversed[used - 1 - i]; }
    out[used] = '\0';
    return used;
}

bool snw_bytes_contain(const char *data, size_t size, const char *part)
{
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= size; ++i) {
        if (memcmp(data + i, part, length) == 0) { return true; }
    }
    return false;
}

bool snw_bytes_begin(const char *data, size_t size, const char *part)
{
    size_t length = strlen(part);
    return size >= length && memcmp(data, part, length) == 0;
}

bool snw_name_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), want = strlen(ending);
    if (length <= want) { return false; }
    snw_Span span = { path + length - want, want };
    return snw_span_is(span, ending);
}

bool snw_buffer_add_number(snw_Buffer *buffer, double value)
{
    char number[SNW_NUMBER_SIZE];
    snw_format_exact(value, number);
    return snw_buffer_add_text(buffer, number);
}
