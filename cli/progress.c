#include "progress.h"

#include "clock.h"

#include <stdio.h>
#include <unistd.h>

/// Seconds before the line appears, and between two changes of it.
static const double patience = 1.0, interval = 0.1;

cli_Progress cli_progress_begin(const char *label, long total)
{
    cli_Progress progress = { label, total, cli_clock(NULL), 0.0, isatty(STDERR_FILENO) == 1,
        false };
    return progress;
}

void cli_progress_update(cli_Progress *progress, long done)
{
    if (!progress->terminal) { return; }
    double now = cli_clock(NULL);
    if (now - progress->start < patience || now - progress->last_shown < interval) { return; }

    progress->last_shown = now;
    progress->shown = true;
    if (progress->total > 0) {
        double share = (double)done / (double)progress->total;
        double left = share > 0.0 ? (now - progress->start) * (1.0 - share) / share : 0.0;
        fprintf(stderr, "\r\033[K%s %3.0f %%  %ld of %ld, %.0f s left", progress->label,
            100.0 * share, done, progress->total, left);
    } else {
        fprintf(stderr, "\r\033[K%s %ld", progress->label, done);
    }
    fflush(stderr);
}

void cli_progress_end(cli_Progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
