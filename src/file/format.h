#ifndef SNW_FORMAT_H
#define SNW_FORMAT_H

// Formats of motion files: a format is a row of SINEW_FORMAT_LIST and a file that defines snw_format_<word>.

#include "file/bvh.h"

enum { SNW_FORMAT_ENDINGS = 3 };

typedef struct snw_FormatRow {
    sinew_FileFormat format;
    const char *name; ///< as people call it
    /// Whether a text is of this format, by its first bytes.
    bool (*begins)(snw_Text *text);
    /// Reads it into an empty file.
    sinew_Status (*read)(snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file);
    /// What files of this kind look like beyond their first bytes (open.c), NULL: like nothing else; and endings of
    /// their names. One that looks so, or is empty, and is named so is read, and is told what is wrong with it.
    const char *looks;
    const char *names[SNW_FORMAT_ENDINGS];
    /// Endings of files that are written, NULL behind them; none where it is read alone.
    const char *endings[SNW_FORMAT_ENDINGS];
    /// The bytes of a file for a clip. path: where it will stand.
    sinew_Status (*write)(const char *path, const sinew_Clip *clip,
        const sinew_WriteOptions *options, snw_Buffer *out_bytes, sinew_Message *out_message);
} snw_FormatRow;

/// The format of a text, NULL when it is none of them.
const snw_FormatRow *snw_format_begins(snw_Text *text);
/// The format of files that are named and look so; looks NULL: empty. NULL when it is none of them.
const snw_FormatRow *snw_format_named(const char *path, const char *looks);
/// The format that is written under a name, NULL for another ending.
const snw_FormatRow *snw_format_written(const char *path);

#endif
