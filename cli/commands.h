#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

// The commands, one file each. A row here makes one known: `sinew NAME`, its help, manual page and
// shell completion.

#include "arguments.h"

/// In the order of the help.
#define CLI_COMMANDS(ROW) \
    ROW(info)             \
    ROW(rig)              \
    ROW(solve)            \
    ROW(track)            \
    ROW(retarget)         \
    ROW(ground)           \
    ROW(clean)            \
    ROW(walk)             \
    ROW(switch)           \
    ROW(figures)          \
    ROW(convert)          \
    ROW(render)           \
    ROW(studio)           \
    ROW(bench)            \
    ROW(manual)           \
    ROW(completion)

#define CLI_DECLARE_COMMAND(name) extern const cli_Command cli_command_##name;
CLI_COMMANDS(CLI_DECLARE_COMMAND)
#undef CLI_DECLARE_COMMAND

/// All of them, then NULL.
extern const cli_Command *const cli_commands[];

#endif
