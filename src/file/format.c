#include "file/format.h"

#include <string.h>

#define DECLARE(name, word) extern const snw_FormatRow snw_format_##word;
SINEW_FORMAT_LIST(DECLARE)

#define ROW(name, word) &snw_format_##word,
static const snw_FormatRow *const format_rows[] = { SINEW_FORMAT_LIST(ROW) };

enum { FORMATS = (int)(sizeof format_rows / sizeof format_rows[0]) };

const snw_FormatRow *snw_format_begins(snw_Text *text)
{
    for (int i = 0; i < FORMATS; ++i) {
        if (format_rows[i]->begins(text)) { return format_rows[i]; }
    }
    return NULL;
}

const snw_FormatRow *snw_format_written(const char *path)
{
    for (int i = 0; i < FORMATS; ++i) {
        for (int e = 0; e < SNW_FORMAT_ENDINGS && format_rows[i]->endings[e] != NULL; ++e) {
            if (snw_name_ends(path, format_rows[i]->endings[e])) { return format_rows[i]; }
        }
    }
    return NULL;
}

sinew_FileFormat sinew_format_of_name(const char *path)
{
    const snw_FormatRow *row = path != NULL ? snw_format_written(path) : NULL;
    return row != NULL ? row->format : SINEW_FORMAT_UNKNOWN;
}

const char *sinew_format_name(sinew_FileFormat format)
{
    for (int i = 0; i < FORMATS; ++i) {
        if (format_rows[i]->format == format) { return format_rows[i]->name; }
    }
    return "unknown";
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
