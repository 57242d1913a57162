#include "shown.h"

#include "arguments.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_utf8_length(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    int length = c[0] < 0x80          ? 1
        : c[0] >= 0xc2 && c[0] < 0xe0 ? 2
        : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
        : c[0] >= 0xf0 && c[0] < 0xf5 ? 4
                                      : 0;
    for (int i = 1; i < length; ++i) {
        if ((c[i] & 0xc0) != 0x80) { return 0; }
    }

    // longer forms than needed, surrogates, and beyond the last code point
    bool wrong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0)
        || (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90);
    return length > 1 && wrong ? 0 : length;
}

/// The letter at text, or its first byte written out; returns how many bytes of text that is.
static int show_letter(const char *text, char out[8])
{
    const unsigned char *c = (const unsigned char *)text;
    int length = cli_utf8_length(text);
    // 0x80 to 0x9f are control characters as well, which some terminals obey
    bool is_control = c[0] < 0x20 || c[0] == 0x7f || (c[0] == 0xc2 && c[1] < 0xa0);
    if (length > 0 && !is_control) {
        snprintf(out, 8, "%.*s", length, text);
        return length;
    }
    switch (c[0]) {
    case '\n': snprintf(out, 8, "\\n"); break;
    case '\r': snprintf(out, 8, "\\r"); break;
    case '\t': snprintf(out, 8, "\\t"); break;
    default: snprintf(out, 8, "\\x%02x", c[0]); break;
    }
    return 1;
}

size_t cli_shown(const char *text, char *out_shown, size_t size)
{
    size_t used = 0;
    for (char letter[8]; *text != '\0'; used += strlen(letter)) {
        text += show_letter(text, letter);
        if (used + strlen(letter) >= size) { break; }
        memcpy(out_shown + used, letter, strlen(letter));
    }
    out_shown[used] = '\0';
    return used;
}

/// A format filled in, in memory of its own; NULL without any.
static char *fill(const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (text != NULL) { vsnprintf(text, (size_t)length + 1, format, again); }
    va_end(again);
    return text;
}

void cli_print(const char *format, ...)
{
    // the lines that the format ends are those where another sign in their place shows in the text
    char *flat = malloc(strlen(format) + 1);
    if (flat != NULL) {
        strcpy(flat, format);
        for (char *c = flat; *c != '\0'; ++c) { *c = *c == '\n' ? ' ' : *c; }
    }
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    char *text = fill(format, arguments), *other = flat != NULL ? fill(flat, again) : NULL;
    va_end(again);
    va_end(arguments);
    for (const char *c = text; other != NULL && c != NULL && *c != '\0';) {
        char letter[8];
        if (*c != other[c - text]) {
            putchar(*c);
            c += 1;
        } else {
            c += show_letter(c, letter);
            fputs(letter, stdout);
        }
    }
    if (text == NULL || other == NULL) { cli_out_of_memory(); }
    free(other);
    free(text);
    free(flat);
}
