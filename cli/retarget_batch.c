// Many clips on one character: one process a processor, each takes the next clip; what a run before has
// finished is left, since files appear only when they are complete.

#include "retarget_run.h"

#include "arguments.h"
#include "files.h"
#include "output.h"
#include "progress.h"
#include "table.h"

#include "base/message.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_WORKERS = 64 };

/// What a worker sends for a clip; smaller than what a pipe takes in one piece.
typedef struct Answer {
    int index;
    cli_RetargetFigures figures;
} Answer;
_Static_assert(sizeof(Answer) <= 4096, "an answer goes through a pipe in one piece");

// ---------------------------------------------------------------------------------------------
// Which clips

// the clip's name in the other folder, with the ending of the character's format
static void output_of(
    const cli_RetargetTarget *target, const char *folder, const char *clip, char *out, size_t size)
{
    bool gltf = target->input.file != NULL
        && sinew_motion_format(target->input.file) == SINEW_FORMAT_GLTF;
    const char *base = cli_base_name(clip);
    const char *dot = strrchr(base, '.');
    int length = dot != NULL ? (int)(dot - base) : (int)strlen(base);
    bool slash = folder[0] != '\0' && folder[strlen(folder) - 1] == '/';
    snprintf(
        out, size, "%s%s%.*s.%s", folder, slash ? "" : "/", length, base, gltf ? "glb" : "bvh");
}

// what output_of makes of a name: up to the last dot
static int compare_stems(const void *a, const void *b)
{
    const char *names[2] = { cli_base_name(*(char *const *)a), cli_base_name(*(char *const *)b) };
    size_t lengths[2];
    for (int i = 0; i < 2; ++i) {
        const char *dot = strrchr(names[i], '.');
        lengths[i] = dot != NULL ? (size_t)(dot - names[i]) : strlen(names[i]);
    }
    size_t shorter = lengths[0] < lengths[1] ? lengths[0] : lengths[1];
    int order = memcmp(names[0], names[1], shorter);
    if (order != 0 || lengths[0] == lengths[1]) { return order; }
    return lengths[0] < lengths[1] ? -1 : 1;
}

static bool names_differ(const cli_Files *names)
{
    size_t count = (size_t)names->count;
    char **sorted = malloc(count * sizeof *sorted);
    if (sorted == NULL) { return cli_out_of_memory(); }
    memcpy(sorted, names->list, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_stems);
    bool differ = true;
    for (size_t i = 1; i < count && differ; ++i) {
        differ = compare_stems(&sorted[i - 1], &sorted[i]) != 0;
        if (!differ) { cli_error("%s and %s would become one file", sorted[i - 1], sorted[i]); }
    }
    free(sorted);
    return differ;
}

// ---------------------------------------------------------------------------------------------
// Work

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void work_on(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const char *clip, cli_RetargetFigures *figures)
{
    char out[2048];
    output_of(target, request->out, clip, out, sizeof out);
    // a clip that lies where its answer would go is none
    if (!request->again && access(out, F_OK) == 0 && !is_same_file(out, clip)) {
        memset(figures, 0, sizeof *figures);
        figures->done = figures->skipped = true;
        return;
    }
    cli_retarget_one(target, request, clip, out, NULL, figures);
}

// takes every index that it reads, answers each, ends when there is none
static void be_worker(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const cli_Files *names, int from, int to)
{
    Answer answer;
    for (int index; read(from, &index, sizeof index) == (ssize_t)sizeof index;) {
        memset(&answer, 0, sizeof answer);
        answer.index = index;
        work_on(target, request, names->list[index], &answer.figures);
        if (write(to, &answer, sizeof answer) != (ssize_t)sizeof answer) { break; }
    }
    _exit(0);
}

static int worker_count(int clips)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int count = processors < 1 ? 1 : processors > MOST_WORKERS ? MOST_WORKERS : (int)processors;
    return count < clips ? count : clips;
}

// Feeds clips to workers and takes their figures. False when no process could be started.
static bool share_out(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const cli_Files *names, cli_RetargetFigures *figures)
{
    int tasks[2], answers[2], started = 0;
    if (pipe(tasks) != 0) { return false; }
    if (pipe(answers) != 0) {
        close(tasks[0]);
        close(tasks[1]);
        return false;
    }
    fflush(stdout);
    pid_t workers[MOST_WORKERS];
    for (int w = 0; w < worker_count(names->count); ++w) {
        pid_t pid = fork();
        if (pid == 0) {
            close(tasks[1]);
            close(answers[0]);
            be_worker(target, request, names, tasks[0], answers[1]);
        }
        if (pid > 0) { workers[started++] = pid; }
    }
    close(tasks[0]);
    close(answers[1]);
    cli_Progress progress = cli_progress_begin("retargeting clip", names->count);
    int sent = 0, received = 0;
    // two tasks a worker are ahead, so that none waits; far fewer than fill a pipe
    while (started > 0 && received < names->count) {
        while (sent < names->count && sent < received + 2 * started) {
            if (write(tasks[1], &sent, sizeof sent) != (ssize_t)sizeof sent) { break; }
            ++sent;
        }
        Answer answer;
        if (read(answers[0], &answer, sizeof answer) != (ssize_t)sizeof answer) { break; }
        figures[answer.index] = answer.figures;
        cli_progress_update(&progress, ++received);
    }
    cli_progress_end(&progress);
    close(tasks[1]);
    close(answers[0]);
    for (int w = 0; w < started; ++w) { waitpid(workers[w], NULL, 0); }
    return started > 0;
}

// ---------------------------------------------------------------------------------------------
// Telling

static void print_json(const cli_Files *names, const cli_RetargetFigures *figures, int failed)
{
    cli_Json out = cli_json_begin();
    cli_json_whole(&out, "clips", names->count);
    cli_json_whole(&out, "failed", failed);
    cli_json_array(&out, "results");
    for (int i = 0; i < names->count; ++i) {
        const cli_RetargetFigures *f = &figures[i];
        cli_json_object(&out, NULL);
        cli_json_text(&out, "clip", names->list[i]);
        cli_json_text(&out, "status", f->skipped ? "skipped" : f->done ? "done" : "failed");
        if (f->message[0] != '\0') { cli_json_text(&out, "message", f->message); }
        if (f->done && !f->skipped) { cli_retarget_put_json(&out, f); }
        cli_json_object_end(&out);
    }
    cli_json_array_end(&out);
    cli_json_end(&out);
}

static void print_table(const cli_Files *names, const cli_RetargetFigures *figures, int failed)
{
    int skipped = 0;
    static const char *const heads[] = { "clip", "frames", "slide med", "max mm", "below",
        "hips mm", "" };
    cli_Table table = cli_table_begin("lrrrrrl");
    for (int i = 0; i < 7; ++i) { cli_table_cell(&table, "%s", heads[i]); }
    for (int i = 0; i < names->count; ++i) {
        const cli_RetargetFigures *f = &figures[i];
        skipped += f->skipped ? 1 : 0;
        if (f->skipped) { continue; }
        cli_table_cell(&table, "%s", cli_base_name(names->list[i]));
        cli_table_cell(&table, "%d", f->report.frame_count);
        cli_table_cell(&table, "%.1f", 1e3 * f->slide_median);
        cli_table_cell(&table, "%.1f", 1e3 * f->slide_max);
        cli_table_cell(&table, "%.1f", 1e3 * f->below_max);
        cli_table_cell(&table, "%.0f", 1e3 * f->report.hips_lowered_max);
        cli_table_cell(&table, "%s", f->done ? "" : "failed");
    }
    cli_table_end(&table, "  ");
    cli_print("%d clip%s, %d done before (--again does them anew), %d failed\n", names->count,
        snw_plural(names->count), skipped, failed);
}

int cli_retarget_batch(cli_RetargetTarget *target, const cli_RetargetRequest *request,
    const char *const *clips, int clip_count)
{
    cli_Files names = { NULL, 0, 0, false };
    int failed = 0, code = CLI_FAILED;
    cli_RetargetFigures *figures = NULL;
    if (cli_files_collect(&names, clips, clip_count) && names_differ(&names)) {
        // each worker reads some of them, and none may replace what another reads
        for (int i = 0; i < names.count; ++i) { cli_output_protect(names.list[i]); }
        if (mkdir(request->out, 0777) != 0 && errno != EEXIST) {
            cli_error("%s: %s", request->out, strerror(errno));
        } else if ((figures = calloc((size_t)names.count + 1, sizeof *figures)) == NULL
            || !share_out(target, request, &names, figures)) {
            cli_out_of_memory();
        } else {
            for (int i = 0; i < names.count; ++i) { failed += figures[i].done ? 0 : 1; }
            if (request->json) {
                print_json(&names, figures, failed);
            } else {
                print_table(&names, figures, failed);
            }
            code = failed > 0 ? CLI_FAILED : CLI_DONE;
        }
    }
    cli_files_free(&names);
    free(figures);
    return code;
}
