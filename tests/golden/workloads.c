// The golden hash and those of the five workloads, with times: a line each, for comparing builds.
// usage: workloads [PASSES [--golden]]

#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    static Workload work;
    const int passes = argc > 1 ? atoi(argv[1]) : 1;
    if (argc > 2) { printf("golden %016llx\n", (unsigned long long)golden_run()); }
    for (int kind = 0; kind < WORKLOAD_COUNT; ++kind) {
        double least[WORKLOAD_CHUNKS], sum = 0.0;
        int operations = 0;
        for (int pass = 0; pass < passes; ++pass) {
            workload_begin(&work, kind);
            for (int c = 0; c < WORKLOAD_CHUNKS; ++c) {
                const double start = now();
                workload_chunk(&work);
                const double took = now() - start;
                if (pass == 0 || took < least[c]) { least[c] = took; }
            }
        }
        for (int c = 0; c < WORKLOAD_CHUNKS; ++c) { sum += least[c]; }
        operations = WORKLOAD_CHUNKS * work.operations;
        printf("%d %016llx %.4f %d/%d %s\n", kind, (unsigned long long)work.hash,
            1e6 * sum / operations, work.met, operations, workload_names[kind]);
    }
    workload_destroy(&work);
    return 0;
}
