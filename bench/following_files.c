// The recorded motions of the test data, in order of their names.

#include "bench/following.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FILES = 256, NAME_SIZE = 96 };

typedef struct Names {
    char text[MOST_FILES][NAME_SIZE];
    int count;
} Names;

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void list_motions(Names *names)
{
    char path[600];
    names->count = 0;
    // the folder of any file that is known to be there
    if (!bench_data_path("bvh/cmu_01_01_mb.bvh", path, sizeof path)) { return; }
    *strrchr(path, '/') = '\0';
    DIR *folder = opendir(path);
    if (folder == NULL) { return; }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL && names->count < MOST_FILES;) {
        const char *dot = strrchr(entry->d_name, '.');
        size_t length = strlen(entry->d_name);
        if (dot == NULL || strcmp(dot, ".bvh") != 0 || length >= NAME_SIZE) { continue; }
        memcpy(names->text[names->count++], entry->d_name, length + 1);
    }
    closedir(folder);
    qsort(names->text, (size_t)names->count, sizeof names->text[0], compare_names);
}

int bench_motion_count(void)
{
    static Names names;
    list_motions(&names);
    return names.count;
}

bool bench_motion_path(int index, char *out_path, size_t size)
{
    static Names names;
    list_motions(&names);
    char file[NAME_SIZE + 8];
    if (index >= names.count) { return false; }
    snprintf(file, sizeof file, "bvh/%s", names.text[index]);
    return bench_data_path(file, out_path, size);
}
