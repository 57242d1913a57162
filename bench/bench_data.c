#include "bench/bench_setup.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_there(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) { return false; }
    fclose(file);
    return true;
}

bool bench_data_path(const char *name, char *out_path, size_t size)
{
    const char *folder = getenv("SINEW_DATA");
    if (folder != NULL) {
        snprintf(out_path, size, "%s/%s", folder, name);
        return is_there(out_path);
    }
    // as the tests do: beside the sources; and beside where the command was called
    static const char *const folders[] = { SINEW_SOURCE_DIR "/../shared/data", "../shared/data" };
    for (int i = 0; i < 2; ++i) {
        snprintf(out_path, size, "%s/%s", folders[i], name);
        if (is_there(out_path)) { return true; }
    }
    return false;
}
