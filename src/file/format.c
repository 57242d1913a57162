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

const snw_FormatRow *snw_format_named(const char *path, const char *looks)
{
    for (int i = 0; i < FORMATS; ++i) {
        const snw_FormatRow *row = format_rows[i];
        if (looks != NULL && (row->looks == NULL || strcmp(looks, row->looks) != 0)) { continue; }
        for (int e = 0; e < SNW_FORMAT_ENDINGS && row->names[e] != NULL; ++e) {
            if (snw_name_ends(path, row->names[e])) { return row; }
        }
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
