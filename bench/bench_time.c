#include "bench/bench.h"

#include <stddef.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_RUNS = 101 };

double bench_clock(void *unused)
{
    struct timespec now;
    (void)unused;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bench_Times bench_time_prepared(
    void (*prepare)(void *user), void (*work)(void *user), void *user, int calls, int runs)
{
    double times[MAX_RUNS];
    if (runs < 1) { runs = 1; }
    if (runs > MAX_RUNS) { runs = MAX_RUNS; }
    if (calls < 1) { calls = 1; }

    // run -1 warms up
    for (int run = -1; run < runs; ++run) {
        if (prepare != NULL) { prepare(user); }
        double start = bench_clock(NULL);
        for (int call = 0; call < calls; ++call) { work(user); }
        double time = (bench_clock(NULL) - start) / calls;
        if (run >= 0) { times[run] = time; }
    }
    qsort(times, (size_t)runs, sizeof *times, compare);

    bench_Times result = { times[runs / 2], times[0], 0.0 };
    double quartiles = times[runs * 3 / 4] - times[runs / 4];
    if (result.median > 0.0) { result.spread = quartiles / result.median; }
    return result;
}

bench_Times bench_time(void (*work)(void *user), void *user, int calls, int runs)
{
    return bench_time_prepared(NULL, work, user, calls, runs);
}
