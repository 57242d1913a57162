#ifndef COMMAND_H
#define COMMAND_H

// Running the command `sinew` in tests and reading what it says. The environment SINEW_BIN names
// another program than the one of this build.

#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#ifndef SINEW_COMMAND
#define SINEW_COMMAND "sinew"
#endif

/// What a run said; texts are cut at their size.
typedef struct test_Run {
    int code; ///< exit code, 1000 and more for a signal
    char out[262144], err[4096];
} test_Run;

/// The whole of a file, terminated and cut to size; how many bytes, -1 when it cannot be read.
static inline long read_text(const char *path, char *out_text, size_t size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) { return -1; }
    size_t length = fread(out_text, 1, size - 1, file);
    out_text[length] = '\0';
    fclose(file);
    return (long)length;
}

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

/// Run `sinew ARGUMENTS` through the shell. Static memory, good until the next run.
static inline const test_Run *run_sinew(const char *format, ...)
{
    static test_Run run;
    char arguments[4096], line[8192];
    const char *program = getenv("SINEW_BIN");
    static char out_path[1024], err_path[1024];
    if (out_path[0] == '\0') {
        // fontconfig keeps memory until the end, which is no leak of ours
        static char leaks[1100];
        const char *known = test_temp_path("known-leaks");
        write_text(known, "leak:libfontconfig\n");
        snprintf(leaks, sizeof leaks, "suppressions=%s:print_suppressions=0", known);
        setenv("LSAN_OPTIONS", leaks, 0);
        snprintf(out_path, sizeof out_path, "%s", test_temp_path("stdout"));
        snprintf(err_path, sizeof err_path, "%s", test_temp_path("stderr"));
    }
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(line, sizeof line, "'%s' >'%s' 2>'%s' %s", program != NULL ? program : SINEW_COMMAND,
        out_path, err_path, arguments);
    int status = system(line);
    run.code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
    read_text(out_path, run.out, sizeof run.out);
    read_text(err_path, run.err, sizeof run.err);
    return &run;
}

// ---------------------------------------------------------------------------------------------
// JSON: enough of a reader to tell whether a text is right, and to look up fields

static inline const char *skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static inline const char *skip_string(const char *p)
{
    if (*p++ != '"') { return NULL; }
    for (; *p != '"'; ++p) {
        if ((unsigned char)*p < 0x20) { return NULL; }
        if (*p != '\\') { continue; }
        p += 1;
        if (*p == 'u') {
            if (strspn(p + 1, "0123456789abcdefABCDEF") < 4) { return NULL; }
            p += 4;
        } else if (*p == '\0' || strchr("\"\\/bfnrt", *p) == NULL) {
            return NULL;
        }
    }
    return p + 1;
}

static inline const char *skip_number(const char *p)
{
    if (*p == '-') { p += 1; }
    size_t digits = strspn(p, "0123456789");
    if (digits == 0 || (p[0] == '0' && digits > 1)) { return NULL; }
    p += digits;
    if (*p == '.') {
        digits = strspn(p + 1, "0123456789");
        if (digits == 0) { return NULL; }
        p += 1 + digits;
    }
    if (*p == 'e' || *p == 'E') {
        p += 1;
        if (*p == '+' || *p == '-') { p += 1; }
        digits = strspn(p, "0123456789");
        if (digits == 0) { return NULL; }
        p += digits;
    }
    return p;
}

/// The text after one value, or NULL when it is none.
static inline const char *skip_value(const char *p)
{
    static const char *const words[] = { "true", "false", "null" };
    p = skip_space(p);
    if (*p == '"') { return skip_string(p); }
    if (*p == '{' || *p == '[') {
        char close = *p == '{' ? '}' : ']';
        p = skip_space(p + 1);
        if (*p == close) { return p + 1; }
        for (;;) {
            if (close == '}') {
                p = skip_string(skip_space(p));
                if (p == NULL) { return NULL; }
                p = skip_space(p);
                if (*p++ != ':') { return NULL; }
            }
            p = skip_value(p);
            if (p == NULL) { return NULL; }
            p = skip_space(p);
            if (*p == close) { return p + 1; }
            if (*p++ != ',') { return NULL; }
        }
    }
    for (int i = 0; i < 3; ++i) {
        if (strncmp(p, words[i], strlen(words[i])) == 0) { return p + strlen(words[i]); }
    }
    return skip_number(p);
}

/// Whether a text is exactly one JSON object on one line.
static inline bool is_json_object(const char *text)
{
    if (text[0] != '{') { return false; }
    const char *end = skip_value(text);
    return end != NULL && strcmp(end, "\n") == 0;
}

/// The value of a field of the outermost object, or NULL.
static inline const char *json_field(const char *text, const char *name)
{
    const char *p = text + 1;
    for (;;) {
        p = skip_space(p);
        const char *end = skip_string(p);
        if (end == NULL) { return NULL; }
        bool found = (size_t)(end - p) == strlen(name) + 2
            && strncmp(p + 1, name, strlen(name)) == 0;
        p = skip_space(end) + 1;
        if (found) { return skip_space(p); }
        p = skip_value(p);
        if (p == NULL || *skip_space(p) != ',') { return NULL; }
        p = skip_space(p) + 1;
    }
}

/// A number of the outermost object; the test fails when there is none.
static inline double json_number(const char *text, const char *name)
{
    const char *value = json_field(text, name);
    if (value == NULL || skip_number(value) == NULL) {
        fail_msg("no number \"%s\" in %s", name, text);
    }
    return value != NULL ? strtod(value, NULL) : 0.0;
}

#endif
