// `sinew completion`: what a shell needs to complete commands and options, made of their tables.

#include "commands.h"

#include <stdio.h>
#include <string.h>

/// Options of a command in turn: `*io_table` and `*io_row` are the place, 0 and 0 at first.
static const cli_Option *next_option(const cli_Command *command, int *io_table, int *io_row)
{
    while (*io_table < CLI_MAX_TABLES && command->options[*io_table] != NULL) {
        const cli_Option *option = &command->options[*io_table][*io_row];
        *io_row += 1;
        if (option->name != NULL) { return option; }
        *io_table += 1;
        *io_row = 0;
    }
    return NULL;
}

/// The first line of a help text within single quotes; zsh takes brackets and colons for its own.
static void print_quoted(const char *text, bool for_zsh)
{
    for (; *text != '\0' && *text != '\n'; ++text) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else if (for_zsh && strchr("[]:\\", *text) != NULL) {
            printf("\\%c", *text);
        } else {
            putchar(*text);
        }
    }
}

static void print_bash(void)
{
    printf("# bash completion of sinew\n_sinew() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} options=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
    for (int i = 0; cli_commands[i] != NULL; ++i) { printf("%s ", cli_commands[i]->name); }
    printf("--help --version' -- \"$word\"))\n        return\n    fi\n"
           "    case ${COMP_WORDS[1]} in\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        int table = 0, row = 0;
        const char *between = "";
        printf("    %s) options='", cli_commands[i]->name);
        for (const cli_Option *o; (o = next_option(cli_commands[i], &table, &row)) != NULL;) {
            printf("%s--%s", between, o->name);
            between = " ";
        }
        printf("' ;;\n");
    }
    printf("    esac\n    case $word in\n"
           "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
           "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
           "    esac\n}\ncomplete -o filenames -F _sinew sinew\n");
}

static void print_zsh(void)
{
    printf("#compdef sinew\nlocal -a commands\ncommands=(\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        printf("    '%s:", cli_commands[i]->name);
        print_quoted(cli_commands[i]->summary, true);
        printf("'\n");
    }
    printf(")\nif (( CURRENT == 2 )); then\n    _describe command commands\n    return\nfi\n"
           "local command=$words[2]\nshift words\n(( CURRENT-- ))\ncase $command in\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        int table = 0, row = 0;
        printf("%s)\n    _arguments", cli_commands[i]->name);
        for (const cli_Option *o; (o = next_option(cli_commands[i], &table, &row)) != NULL;) {
            printf(" \\\n        '--%s[", o->name);
            print_quoted(o->help, true);
            printf(o->value != NULL ? "]:" : "]");
            if (o->value != NULL) {
                print_quoted(o->value, true);
                printf(":_files");
            }
            putchar('\'');
        }
        printf(" \\\n        '*:file:_files' ;;\n");
    }
    printf("esac\n");
}

static void print_fish(void)
{
    printf("# fish completion of sinew\n");
    for (int i = 0; cli_commands[i] != NULL; ++i) {
        const char *name = cli_commands[i]->name;
        int table = 0, row = 0;
        printf("complete -c sinew -n __fish_use_subcommand -f -a %s -d '", name);
        print_quoted(cli_commands[i]->summary, false);
        printf("'\n");
        for (const cli_Option *o; (o = next_option(cli_commands[i], &table, &row)) != NULL;) {
            printf("complete -c sinew -n '__fish_seen_subcommand_from %s' -l %s", name, o->name);
            if (o->letter != 0) { printf(" -s %c", o->letter); }
            printf("%s -d '", o->value != NULL ? " -r" : "");
            print_quoted(o->help, false);
            printf("'\n");
        }
    }
}

static int run(int argc, char **argv)
{
    static const char *const shells[] = { "bash", "zsh", "fish" };
    cli_Parser parser;
    const char *value = NULL;
    cli_parser_begin(&parser, &cli_command_completion, argc, argv);
    while (cli_parser_next(&parser, &value) != NULL) {}
    if (parser.leave) { return parser.exit_code; }
    switch (cli_parse_choice("completion", parser.plain[0], shells, 3)) {
    case 0: print_bash(); return CLI_DONE;
    case 1: print_zsh(); return CLI_DONE;
    case 2: print_fish(); return CLI_DONE;
    default: return CLI_USAGE;
    }
}

static const cli_Option own_options[] = {
    { CLI_OPTION_HELP, "help", 'h', NULL, "explain this command" },
    { 0, NULL, 0, NULL, NULL },
};

const cli_Command cli_command_completion = {
    "completion",
    "Print what a shell completes commands and options by",
    "bash|zsh|fish",
    "Made of the same tables as --help; an installed sinew has it in place.\n",
    "  source <(sinew completion bash)\n"
    "  sinew completion fish >~/.config/fish/completions/sinew.fish\n",
    { own_options },
    1,
    1,
    run,
    false,
    NULL,
};
