#include "output.h"

#include "arguments.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

// what a signal takes away
static const char *volatile unfinished;
// standard output while a file goes there, -1 else
static int claimed = -1;

/// A file that was read or written by this call, whatever names it has.
typedef struct Known {
    dev_t device;
    ino_t file;
    bool is_written;
} Known;
static Known *known;
static int known_count, known_capacity;
// not all could be noted, so any file might be one of them
static bool lost_some;
static bool forced, printed;
static const char *animation_name;

static void note(const char *path, bool is_written)
{
    struct stat about;
    // devices and pipes are not replaced
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) { return; }
    if (known_count == known_capacity) {
        int capacity = 2 * known_capacity + 64;
        Known *grown = realloc(known, (size_t)capacity * sizeof *grown);
        lost_some = lost_some || grown == NULL;
        if (grown == NULL) { return; }
        known = grown;
        known_capacity = capacity;
    }
    known[known_count++] = (Known){ about.st_dev, about.st_ino, is_written };
}

void cli_output_protect(const char *path)
{
    note(path, false);
}

sinew_Status cli_output_written(const char *path, sinew_Status status)
{
    if (status == SINEW_STATUS_OK) { note(path, true); }
    return status;
}

void cli_output_force(void)
{
    forced = true;
}

void cli_output_call_animation(const char *name)
{
    animation_name = name;
}

const char *cli_output_animation(void)
{
    return animation_name;
}

sinew_Status cli_output_admit(const char *path, sinew_Message *out_message)
{
    struct stat about;
    const char *reason = NULL;
    if (strcmp(path, "-") == 0) {
        if (printed) { reason = "standard output is that of another output of this call"; }
        printed = true;
    } else if (stat(path, &about) == 0 && S_ISREG(about.st_mode)) {
        if (lost_some) { reason = "no memory to know whether it was read"; }
        for (int i = 0; i < known_count; ++i) {
            if (known[i].device != about.st_dev || known[i].file != about.st_ino) { continue; }
            if (known[i].is_written) {
                reason = "is another output of this call as well";
            } else if (reason == NULL && !forced) {
                reason = "was read and would be overwritten; --force allows it";
            }
        }
    }
    if (reason == NULL) { return SINEW_STATUS_OK; }
    snprintf(out_message->text, sizeof out_message->text, "%.200s: %s", path, reason);
    return SINEW_STATUS_CANNOT_WRITE;
}

void cli_output_hold_streams(void)
{
    static const int wrong_way[] = { O_WRONLY, O_RDONLY, O_RDONLY };
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        if (fcntl(stream, F_GETFD) < 0) { (void)!open("/dev/null", wrong_way[stream]); }
    }
}

bool cli_output_claim(void)
{
    if (claimed >= 0) { return true; }
    fflush(stdout);
    claimed = dup(STDOUT_FILENO);
    if (claimed >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0) { return true; }
    cli_error("standard output: %s", strerror(errno));
    return false;
}

bool cli_output_print(const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(claimed, data, size);
        if (done < 0 && errno == EINTR) { continue; }
        if (done <= 0) {
            // a reader that has seen enough needs no message
            if (errno != EPIPE) { cli_error("standard output: %s", strerror(errno)); }
            return false;
        }
        data += done;
        size -= (size_t)done;
    }
    return true;
}

void cli_output_interrupt(void)
{
    if (unfinished != NULL) { unlink(unfinished); }
}

static bool is_device(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/// A new file beside path, with the rights that a plain new file gets.
static FILE *create_beside(const char *path, char **out_name)
{
    static const char ending[] = ".part-XXXXXX";
    size_t size = strlen(path) + sizeof ending;
    char *name = malloc(size);
    if (name == NULL) { return NULL; }
    snprintf(name, size, "%s%s", path, ending);
    int descriptor = mkstemp(name);
    if (descriptor < 0) {
        free(name);
        return NULL;
    }
    mode_t mask = umask(0);
    umask(mask);
    FILE *stream = fchmod(descriptor, 0666 & ~mask) == 0 ? fdopen(descriptor, "w") : NULL;
    if (stream == NULL) {
        close(descriptor);
        unlink(name);
        free(name);
        return NULL;
    }
    *out_name = name;
    return stream;
}

bool cli_output_open(cli_Output *output, const char *path)
{
    output->path = path;
    output->temporary = NULL;
    output->stream = NULL;
    sinew_Message message = { "" };
    if (cli_output_admit(path, &message) != SINEW_STATUS_OK) {
        cli_error("%s", message.text);
        return false;
    }
    if (strcmp(path, "-") == 0) {
        if (!cli_output_claim()) { return false; }
        output->stream = fdopen(dup(claimed), "w");
    } else {
        // a signal between making the file and noting its name would leave it behind
        sigset_t all, kept;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, &kept);
        output->stream = is_device(path) ? fopen(path, "w")
                                         : create_beside(path, &output->temporary);
        unfinished = output->temporary;
        sigprocmask(SIG_SETMASK, &kept, NULL);
    }
    if (output->stream == NULL) {
        cli_error("%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    return true;
}

bool cli_output_commit(cli_Output *output)
{
    bool good = ferror(output->stream) == 0;
    good = fclose(output->stream) == 0 && good;
    output->stream = NULL;
    if (good && output->temporary != NULL) { good = rename(output->temporary, output->path) == 0; }
    if (!good) {
        cli_error("%s: cannot be written: %s", output->path, strerror(errno));
        if (output->temporary != NULL) { unlink(output->temporary); }
    }
    if (good) { note(output->path, true); }
    unfinished = NULL;
    free(output->temporary);
    output->temporary = NULL;
    return good;
}

void cli_output_abandon(cli_Output *output)
{
    if (output->stream != NULL) { fclose(output->stream); }
    if (output->temporary != NULL) { unlink(output->temporary); }
    unfinished = NULL;
    free(output->temporary);
    output->stream = NULL;
    output->temporary = NULL;
}

bool cli_has_ending(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

const char *cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}
