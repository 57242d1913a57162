#ifndef BENCH_SHARE_H
#define BENCH_SHARE_H

// Many independent pieces of work, shared out among processes.

#include <stdbool.h>
#include <stddef.h>

/// How to do a piece: index 0..count-1; result points to result_size bytes, all zero. It runs in a process of
/// its own, so what it changes elsewhere is lost.
typedef void bench_ShareWork(void *user, int index, void *result);

/// Do them all; results do not depend on the number of processes (1..64). results has room for count
/// results of result_size bytes each (below 4 kB, which a pipe takes in one piece) and is all zero:
/// what a process that breaks down had to do stays so. told may be NULL; it hears how many are done.
/// False when not all processes could be started, or without memory.
bool bench_share(bench_ShareWork *work, void *user, void *results, size_t result_size, int count,
    int processes, void (*told)(void *told_user, int done), void *told_user);

/// Processors of this machine, 1..64.
int bench_processor_count(void);

#endif
