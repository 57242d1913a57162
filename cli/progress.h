#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

// One line of progress on a terminal, shown when work takes longer than a second.

#include <stdbool.h>

typedef struct cli_Progress {
    const char *label;
    long total;
    double start, last_shown;
    bool terminal, shown;
} cli_Progress;

/// total is how much there is to do, 0 when that is not known.
cli_Progress cli_progress_begin(const char *label, long total);
void cli_progress_update(cli_Progress *progress, long done);
/// Takes the line away.
void cli_progress_end(cli_Progress *progress);

#endif
