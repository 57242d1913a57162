#include "bench/share.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_PROCESSES = 64 };

typedef struct Share {
    bench_ShareWork *work;
    void *user;
    size_t result_size;
    int count, processes;
} Share;

int bench_processor_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_PROCESSES ? MOST_PROCESSES : (int)count;
}

/// One piece, as it goes through the pipe: its number, then the result.
static void do_piece(const Share *share, int index, char *note)
{
    memcpy(note, &index, sizeof index);
    memset(note + sizeof index, 0, share->result_size);
    // a result may hold doubles and pointers, and the note is not aligned for them
    void *result = calloc(1, share->result_size);
    if (result == NULL) { _exit(1); }
    share->work(share->user, index, result);
    memcpy(note + sizeof index, result, share->result_size);
    free(result);
}

/// The work of one process: each processes-th piece. Does not return.
static void work_on(const Share *share, int first, int pipe_end, char *note)
{
    size_t size = sizeof(int) + share->result_size;
    for (int i = first; i < share->count; i += share->processes) {
        do_piece(share, i, note);
        if (write(pipe_end, note, size) != (ssize_t)size) { _exit(1); }
    }
    _exit(0);
}

/// One whole note; false at the end.
static bool read_note(int pipe_end, char *note, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t got = read(pipe_end, note + have, size - have);
        if (got < 0 && errno == EINTR) { continue; }
        if (got <= 0) { return false; }
        have += (size_t)got;
    }
    return true;
}

static void take_note(const Share *share, const char *note, char *results)
{
    int index;
    memcpy(&index, note, sizeof index);
    memcpy(results + (size_t)index * share->result_size, note + sizeof index, share->result_size);
}

bool bench_share(bench_ShareWork *work, void *user, void *results, size_t result_size, int count,
    int processes, void (*told)(void *told_user, int done), void *told_user)
{
    if (processes > MOST_PROCESSES) { processes = MOST_PROCESSES; }
    Share share = { work, user, result_size, count, processes };
    int ends[2], done = 0, started = 0;
    if (processes < 2 || pipe(ends) != 0) {
        for (int i = 0; i < count; ++i) {
            work(user, i, (char *)results + (size_t)i * result_size);
            if (told != NULL) { told(told_user, i + 1); }
        }
        return true;
    }
    char *note = malloc(sizeof(int) + result_size);
    if (note == NULL) { return false; }
    // nothing that waits in a buffer may be written twice
    fflush(NULL);
    pid_t children[MOST_PROCESSES];
    for (int k = 0; k < processes; ++k) {
        pid_t child = fork();
        if (child == 0) {
            close(ends[0]);
            work_on(&share, k, ends[1], note);
        }
        if (child > 0) { children[started++] = child; }
    }
    close(ends[1]);
    while (started > 0 && read_note(ends[0], note, sizeof(int) + result_size)) {
        take_note(&share, note, results);
        if (told != NULL) { told(told_user, ++done); }
    }
    close(ends[0]);
    for (int k = 0; k < started; ++k) { waitpid(children[k], NULL, 0); }
    free(note);
    return started == processes;
}
