#ifndef BENCH_FLOP_TIMES_H
#define BENCH_FLOP_TIMES_H

// Times of the published way and of ours, with their counted flops.

#include "bench/flop_study.h"

typedef struct flop_Timing {
    const char *work;
    int m, n; ///< n = 0: the solve alone
    long flops_published, flops_default;
    double seconds_published, seconds_default; ///< medians
} flop_Timing;

enum { FLOP_TIMINGS = 6 };

/// The solve alone and steps 3 to 6, with three and with six rows. Takes about a second.
void flop_times_run(const flop_Study *study, flop_Timing out_timings[FLOP_TIMINGS]);

#endif
