#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

// Text files that appear when they are complete: written beside their place, then renamed.

#include "sinew/base.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_Output {
    FILE *stream;
    const char *path;
    char *temporary; ///< NULL when path is a device or pipe and is written to directly
} cli_Output;

/// False after a message.
bool cli_output_open(cli_Output *output, const char *path);
/// Complete: give it its name. False after a message; then nothing was changed.
bool cli_output_commit(cli_Output *output);
/// Take back what was written.
void cli_output_abandon(cli_Output *output);

/// Before anything is opened: a standard stream that the caller closed stands open the wrong way round, so that reading or
/// writing it fails where it is tried, and no file that is opened later takes its number, and what is printed with it.
void cli_output_hold_streams(void);

/// `-` as a name of an output: what is written goes to standard output, and everything else that is
/// printed there goes to standard error from here on. False after a message.
bool cli_output_claim(void);
/// Write bytes to the claimed standard output; false after a message.
bool cli_output_print(const char *data, size_t size);

/// A file that is read: outputs do not replace it unless forced. cli/disk.h does this.
void cli_output_protect(const char *path);
/// Let outputs replace what was read.
void cli_output_force(void);
/// What animations are called that are written, as --animation-name says; NULL: not said.
void cli_output_call_animation(const char *name);
const char *cli_output_animation(void);
/// Whether path may be written: no file that was read, unless forced, and none that this call has
/// written. CANNOT_WRITE with a message. cli/disk.h and cli_output_open do this.
sinew_Status cli_output_admit(const char *path, sinew_Message *out_message);
/// What came of writing path; gives it back.
sinew_Status cli_output_written(const char *path, sinew_Status status);

/// Take away unfinished files; safe in a signal handler.
void cli_output_interrupt(void);

/// Whether path ends so, capitals ignored; ending has the dot.
bool cli_has_ending(const char *path, const char *ending);

/// The part of a path after its folders.
const char *cli_base_name(const char *path);

#endif
