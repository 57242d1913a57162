#include "bench/walk_batch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/// What a process says about one walk. Shorter than what a pipe takes in one piece (512 bytes is the
/// least that POSIX allows, 4096 what there is), or parts of two could mix.
typedef struct Note {
    int index;
    bench_WalkResult result;
    sinew_Message message;
} Note;

int bench_processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 64 ? 64 : (int)count;
}

static void run_job(const bench_WalkJob *job, int index, Note *note)
{
    memset(note, 0, sizeof *note);
    note->index = index;
    if (!bench_walk_run(&job->walk, &job->run, &note->result, &note->message)) {
        note->result.faults |= BENCH_WALK_BAD;
    }
}

static void take_note(bench_WalkJob *jobs, const Note *note)
{
    bench_WalkJob *job = &jobs[note->index];
    job->is_done = true;
    job->result = note->result;
    job->message = note->message;
}

/// The work of one process: each processes-th walk. Does not return.
static void work(const bench_WalkJob *jobs, int job_count, int first, int processes, int pipe_end)
{
    for (int i = first; i < job_count; i += processes) {
        Note note;
        run_job(&jobs[i], i, &note);
        if (write(pipe_end, &note, sizeof note) != (ssize_t)sizeof note) { _exit(1); }
    }
    _exit(0);
}

/// One whole note; false at the end.
static bool read_note(int pipe_end, Note *note)
{
    size_t have = 0;
    while (have < sizeof *note) {
        ssize_t got = read(pipe_end, (char *)note + have, sizeof *note - have);
        if (got < 0 && errno == EINTR) { continue; }
        if (got <= 0) { return false; }
        have += (size_t)got;
    }
    return true;
}

bool bench_walk_batch(bench_WalkJob *jobs, int job_count, int processes,
    void (*told)(void *user, int done), void *user)
{
    int ends[2];
    int started = 0, done = 0;
    pid_t children[64];
    if (processes < 2 || pipe(ends) != 0) {
        for (int i = 0; i < job_count; ++i) {
            Note note;
            run_job(&jobs[i], i, &note);
            take_note(jobs, &note);
            if (told != NULL) { told(user, i + 1); }
        }
        return true;
    }
    // nothing that waits in a buffer may be written twice
    fflush(NULL);
    for (int k = 0; k < processes; ++k) {
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            work(jobs, job_count, k, processes, ends[1]);
        }
        if (child > 0) { children[started++] = child; }
    }
    close(ends[1]);
    Note note;
    while (started > 0 && read_note(ends[0], &note)) {
        take_note(jobs, &note);
        if (told != NULL) { told(user, ++done); }
    }
    close(ends[0]);
    for (int k = 0; k < started; ++k) { waitpid(children[k], NULL, 0); }
    return started == processes;
}
