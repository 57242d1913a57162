#include "output.h"

#include "arguments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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
    output->stream = is_device(path) ? fopen(path, "w") : create_beside(path, &output->temporary);
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
    free(output->temporary);
    output->temporary = NULL;
    return good;
}

void cli_output_abandon(cli_Output *output)
{
    if (output->stream != NULL) { fclose(output->stream); }
    if (output->temporary != NULL) { unlink(output->temporary); }
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
