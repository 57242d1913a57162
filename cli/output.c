#include "output.h"

#include "arguments.h"

#include <errno.h>
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

/// Most files that one call reads and does not overwrite.
enum { MAX_PROTECTED = 4096 };
static struct {
    dev_t device;
    ino_t file;
} protected_files[MAX_PROTECTED];
static int protected_count;
static bool forced;

void cli_output_protect(const char *path)
{
    struct stat about;
    if (protected_count == MAX_PROTECTED || stat(path, &about) != 0) { return; }
    protected_files[protected_count].device = about.st_dev;
    protected_files[protected_count].file = about.st_ino;
    protected_count += 1;
}

void cli_output_force(void)
{
    forced = true;
}

bool cli_output_allowed(const char *path)
{
    struct stat about;
    if (forced || stat(path, &about) != 0) { return true; }
    for (int i = 0; i < protected_count; ++i) {
        if (protected_files[i].device == about.st_dev && protected_files[i].file == about.st_ino) {
            cli_error("%s: was read and would be overwritten; --force allows it", path);
            return false;
        }
    }
    return true;
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
    if (strcmp(path, "-") == 0) {
        if (!cli_output_claim()) { return false; }
        output->stream = fdopen(dup(claimed), "w");
    } else if (!cli_output_allowed(path)) {
        return false;
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
