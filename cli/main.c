// The command `sinew`: finds the command asked for and runs it.

#include "commands.h"
#include "suggest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const cli_Command *const commands[] = { &cli_command_info, &cli_command_rig,
    &cli_command_solve, &cli_command_track, &cli_command_retarget, &cli_command_ground,
    &cli_command_walk, &cli_command_switch, &cli_command_figures, &cli_command_convert,
    &cli_command_render, &cli_command_bench };
enum { COMMAND_COUNT = (int)(sizeof commands / sizeof commands[0]) };

static void print_overview(FILE *stream)
{
    fprintf(stream,
        "sinew: inverse kinematics for motion files\n\n"
        "Use: sinew COMMAND [ARGUMENTS]\n\nCommands:\n");
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        fprintf(stream, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(stream,
        "\nsinew COMMAND --help explains each; --json prints one object for machines.\n"
        "Where a motion file goes in, scene:NAME takes a built-in body (sinew info --scenes).\n"
        "Exit codes: 0 done, 1 bad input or a goal that solve left unmet, 2 wrong usage.\n");
}

static const cli_Command *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; ++i) {
        if (strcmp(commands[i]->name, name) == 0) { return commands[i]; }
    }
    return NULL;
}

static int say_unknown(const char *name)
{
    cli_Suggestion suggestion = cli_suggest_begin(name);
    for (int i = 0; i < COMMAND_COUNT; ++i) { cli_suggest_offer(&suggestion, commands[i]->name); }
    cli_suggest_offer(&suggestion, "--help");
    cli_suggest_offer(&suggestion, "--version");
    const char *kind = name[0] == '-' ? "option" : "command";
    if (suggestion.best != NULL) {
        cli_error("unknown %s '%s'; did you mean '%s'?", kind, name, suggestion.best);
    } else {
        cli_error("unknown %s '%s'; sinew --help lists the commands", kind, name);
    }
    return CLI_USAGE;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("sinew %s\n", sinew_version());
        return CLI_DONE;
    }
    bool help = strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (help && argc == 2) {
        print_overview(stdout);
        return CLI_DONE;
    }
    const cli_Command *command = find_command(help ? argv[2] : name);
    if (command == NULL) { return say_unknown(help ? argv[2] : name); }
    if (help) {
        cli_print_help(command);
        return CLI_DONE;
    }
    return command->run(argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    // a closed pipe shows as a failed write, so that temporary files are still taken away
    signal(SIGPIPE, SIG_IGN);
    int code = dispatch(argc, argv);

    // what could not be printed was not done; a reader that has seen enough needs no message
    bool failed = ferror(stdout) != 0;
    if (fflush(stdout) != 0) { failed = true; }
    if (failed) {
        if (errno != EPIPE) { cli_error("cannot write to standard output: %s", strerror(errno)); }
        return CLI_FAILED;
    }
    return code;
}
