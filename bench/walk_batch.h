#ifndef WALK_BATCH_H
#define WALK_BATCH_H

// Many walks at once, shared out among processes.

#include "bench/share.h"
#include "bench/walk_scenarios.h"

/// One walk to do and what came of it.
typedef struct bench_WalkJob {
    bench_Walk walk;
    bench_WalkRun run;
    bool is_done; ///< false: the process that had it broke down
    bench_WalkResult result;
    sinew_Message
        message; ///< why the walk could not begin, or its last update failed; may be empty
} bench_WalkJob;

/// Run them all; results do not depend on the number of processes (1..64). told may be NULL; it
/// hears how many are done. False when no process could be started.
bool bench_walk_batch(bench_WalkJob *jobs, int job_count, int processes,
    void (*told)(void *user, int done), void *user);

#endif
