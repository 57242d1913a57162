#include "files.h"

#include "arguments.h"
#include "output.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 1000000 };

static void add_name(cli_Files *files, const char *folder, const char *name)
{
    if (files->count == files->capacity) {
        int capacity = files->capacity * 2 + 64;
        char **grown = capacity <= MOST_FILES
            ? realloc(files->list, (size_t)capacity * sizeof *grown)
            : NULL;
        files->failed = files->failed || grown == NULL;
        if (grown == NULL) { return; }
        files->list = grown;
        files->capacity = capacity;
    }
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    files->failed = files->failed || path == NULL;
    if (path == NULL) { return; }
    snprintf(path, size, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
    files->list[files->count++] = path;
}

static bool is_motion(const char *name)
{
    return name[0] != '.' && sinew_format_of_name(name) != SINEW_FORMAT_UNKNOWN;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool cli_is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool cli_files_collect(cli_Files *files, const char *const *names, int name_count)
{
    for (int i = 0; i < name_count; ++i) {
        if (!cli_is_folder(names[i])) {
            add_name(files, "", names[i]);
            continue;
        }
        DIR *folder = opendir(names[i]);
        if (folder == NULL) {
            cli_error("%s: %s", names[i], strerror(errno));
            return false;
        }
        int first = files->count;
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            if (is_motion(entry->d_name)) { add_name(files, names[i], entry->d_name); }
        }
        closedir(folder);
        if (files->count > first) {
            qsort(
                files->list + first, (size_t)(files->count - first), sizeof *files->list, by_name);
        }
    }
    if (files->failed) {
        cli_error("too many files, or no memory for them");
        return false;
    }
    if (files->count == 0) {
        cli_error("%s: found a folder without .bvh, .glb or .gltf", names[0]);
        return false;
    }
    return true;
}

void cli_files_free(cli_Files *files)
{
    for (int i = 0; i < files->count; ++i) { free(files->list[i]); }
    free(files->list);
    memset(files, 0, sizeof *files);
}
