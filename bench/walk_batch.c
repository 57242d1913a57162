#include "bench/walk_batch.h"

#include <stdlib.h>

/// What a process says about one walk.
typedef struct Outcome {
    bool is_done;
    bench_WalkResult result;
    sinew_Message message;
} Outcome;

static void run_job(void *user, int index, void *result)
{
    const bench_WalkJob *job = &((const bench_WalkJob *)user)[index];
    Outcome *outcome = result;
    if (!bench_walk_run(&job->walk, &job->run, &outcome->result, &outcome->message)) {
        outcome->result.faults |= BENCH_WALK_BAD;
    }
    outcome->is_done = true;
}

bool bench_walk_batch(bench_WalkJob *jobs, int job_count, int processes,
    void (*told)(void *user, int done), void *user)
{
    Outcome *outcomes = calloc((size_t)job_count, sizeof *outcomes);
    if (outcomes == NULL) { return false; }
    bool started = bench_share(
        run_job, jobs, outcomes, sizeof *outcomes, job_count, processes, told, user);
    for (int i = 0; i < job_count; ++i) {
        jobs[i].is_done = outcomes[i].is_done;
        jobs[i].result = outcomes[i].result;
        jobs[i].message = outcomes[i].message;
    }
    free(outcomes);
    return started;
}
