#ifndef CLI_OUTPUT_H
#define CLI_OUTPUT_H

// Text files that appear when they are complete: written beside their place, then renamed.

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

/// `-` as a name of an output: what is written goes to standard output, and everything else that is
/// printed there goes to standard error from here on. False after a message.
bool cli_output_claim(void);
/// Write bytes to the claimed standard output; false after a message.
bool cli_output_print(const char *data, size_t size);

/// A file that was read: outputs do not replace it unless forced.
void cli_output_protect(const char *path);
/// Let outputs replace what was read.
void cli_output_force(void);
/// Whether path may be written; false after a message.
bool cli_output_allowed(const char *path);

/// Take away unfinished files; safe in a signal handler.
void cli_output_interrupt(void);

/// Whether path ends so, capitals ignored; ending has the dot.
bool cli_has_ending(const char *path, const char *ending);

/// The part of a path after its folders.
const char *cli_base_name(const char *path);

#endif
