#ifndef CLI_FILES_H
#define CLI_FILES_H

// Several files for one call: names as given, and the motion files of folders by name.

#include <stdbool.h>

typedef struct cli_Files {
    char **list;
    int count, capacity;
    bool failed; ///< for cli_files_collect: memory ran out
} cli_Files;

/// Start from zeros. A folder stands for its .bvh, .glb and .gltf in the order of their names. False
/// after a message, also when there is no file; give it back in any case.
bool cli_files_collect(cli_Files *files, const char *const *names, int name_count);
void cli_files_free(cli_Files *files);

bool cli_is_folder(const char *path);

#endif
