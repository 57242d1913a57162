// `sinew manual`: the manual page, made of the same tables as --help.

#include "commands.h"

#include <stdio.h>
#include <string.h>

/// Text for troff: no backslash, hyphen or leading dot of it may be taken for a request.
static void print_escaped(const char *text, bool line_start)
{
    for (; *text != '\0'; ++text) {
        if (line_start && (*text == '.' || *text == '\'')) { fputs("\\&", stdout); }
        if (*text == '\\') {
            fputs("\\e", stdout);
        } else if (*text == '-') {
            fputs("\\-", stdout);
        } else {
            putchar(*text);
        }
        line_start = *text == '\n';
    }
}

static void print_option(const cli_Option *option)
{
    printf(".TP\n\\fB");
    if (option->letter != 0) { printf("\\-%c\\fR, \\fB", option->letter); }
    printf("\\-\\-");
    print_escaped(option->name, false);
    printf("\\fR");
    if (option->value != NULL) {
        printf(" \\fI");
        print_escaped(option->value, false);
        printf("\\fR");
    }
    putchar('\n');
    print_escaped(option->help, true);
    putchar('\n');
}

static void print_command(const cli_Command *command)
{
    printf(".SH SINEW ");
    for (const char *c = command->name; *c != '\0'; ++c) {
        putchar(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
    }
    printf("\n\\fBsinew %s\\fR ", command->name);
    print_escaped(command->synopsis, false);
    printf("\n.PP\n");
    print_escaped(command->summary, true);
    printf(".\n.PP\n.nf\n");
    print_escaped(command->details, true);
    printf(".fi\n");
    for (int t = 0; t < CLI_MAX_TABLES && command->options[t] != NULL; ++t) {
        for (const cli_Option *o = command->options[t]; o->name != NULL; ++o) { print_option(o); }
    }
    printf(".PP\nExamples:\n.PP\n.nf\n");
    print_escaped(command->examples, true);
    printf(".fi\n");
}

static int run(int argc, char **argv)
{
    cli_Parser parser;
    const char *value = NULL;
    cli_parser_begin(&parser, &cli_command_manual, argc, argv);
    while (cli_parser_next(&parser, &value) != NULL) {}
    if (parser.leave) { return parser.exit_code; }

    printf(".TH SINEW 1 \"\" \"sinew %s\"\n.SH NAME\n", sinew_version());
    printf("sinew \\- inverse kinematics for motion files\n.SH SYNOPSIS\n");
    printf("\\fBsinew\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        printf(".TP\n\\fB%s\\fR\n", cli_commands[i]->name);
        print_escaped(cli_commands[i]->summary, true);
        putchar('\n');
    }
    printf(".SH EXIT STATUS\n0 done, 1 bad input or an unmet goal, 2 wrong usage.\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) { print_command(cli_commands[i]); }
    return CLI_DONE;
}

static const cli_Option own_options[] = {
    { CLI_OPTION_HELP, "help", 'h', NULL, "explain this command" },
    { 0, NULL, 0, NULL, NULL },
};

const cli_Command cli_command_manual = {
    "manual",
    "Print the manual page",
    "",
    "The page is troff, of the same tables as --help; an installed sinew has it as man sinew.\n",
    "  sinew manual >sinew.1\n"
    "  sinew manual | man -l -\n",
    { own_options },
    0,
    0,
    run,
    false,
    NULL,
};
