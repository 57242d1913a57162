#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

// The commands, one file each.

#include "arguments.h"

extern const cli_Command cli_command_info;
extern const cli_Command cli_command_rig;
extern const cli_Command cli_command_solve;
extern const cli_Command cli_command_track;
extern const cli_Command cli_command_walk;
extern const cli_Command cli_command_switch;
extern const cli_Command cli_command_retarget;
extern const cli_Command cli_command_ground;
extern const cli_Command cli_command_figures;
extern const cli_Command cli_command_convert;
extern const cli_Command cli_command_render;
extern const cli_Command cli_command_bench;

#endif
