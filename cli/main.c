// The command `sinew`: finds the command asked for and runs it.

#include "commands.h"
#include "output.h"
#include "suggest.h"

#include "pictures/pictures.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#define COMMAND_ROW(name) &cli_command_##name,
const cli_Command *const cli_commands[] = { CLI_COMMANDS(COMMAND_ROW) NULL };

static void print_overview(FILE *stream)
{
    fprintf(stream,
        "sinew: inverse kinematics for motion files\n\n"
        "Use: sinew COMMAND [ARGUMENTS]\n\nCommands:\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        fprintf(stream, "  %-11s%s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    fprintf(stream,
        "\nsinew COMMAND --help explains each; --json prints one object for machines.\n"
        "Where a motion file goes in, scene:NAME takes a built-in body (sinew info --scenes) and - "
        "reads\n"
        "standard input; - as an output writes BVH or CSV to standard output. A file that was read "
        "is\n"
        "replaced with --force alone.\n"
        "Exit codes: 0 done, 1 bad input or a goal that solve left unmet, 2 wrong usage.\n");
}

static const cli_Command *find_command(const char *name)
{
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        if (strcmp(cli_commands[i]->name, name) == 0) { return cli_commands[i]; }
    }
    return NULL;
}

static int say_unknown(const char *name)
{
    cli_Suggestion suggestion = cli_suggest_begin(name);
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        cli_suggest_offer(&suggestion, cli_commands[i]->name);
    }
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

// What is half written goes, then the signal has its usual end: not before, as it may come twice (timeout sends it to the
// process and to its group).
static void interrupt(int number)
{
    cli_output_interrupt();
    picture_interrupt();
    signal(number, SIG_DFL);
    raise(number);
}

static void watch_signals(void)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        struct sigaction action, kept;
        memset(&action, 0, sizeof action);
        action.sa_handler = interrupt;
        sigemptyset(&action.sa_mask);
        // nohup and background jobs of plain shells ignore some of them, and stay so
        if (sigaction(numbers[i], NULL, &kept) == 0 && kept.sa_handler != SIG_IGN) {
            sigaction(numbers[i], &action, NULL);
        }
    }
}

int main(int argc, char **argv)
{
    cli_output_hold_streams();
    watch_signals();
    // a closed pipe and a file that may grow no more show as failed writes, so that temporary files are still taken away
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
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
