// One line on standard error: what went wrong.

#include "arguments.h"
#include "shown.h"

#include <stdarg.h>
#include <stdio.h>

static void print_line(const char *command, const char *format, va_list arguments)
{
    // a message stays one line whatever a file name or joint name has in it
    char text[1024], line[1024];
    if (vsnprintf(text, sizeof text, format, arguments) < 0) { text[0] = '\0'; }
    cli_shown(text, line, sizeof line);
    if (command != NULL) {
        fprintf(stderr, "sinew: %s: %s (sinew %s --help explains)\n", command, line, command);
    } else {
        fprintf(stderr, "sinew: %s\n", line);
    }
}

int cli_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(NULL, format, arguments);
    va_end(arguments);
    return CLI_FAILED;
}

bool cli_out_of_memory(void)
{
    cli_error("%s", sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
    return false;
}

int cli_usage_error(const cli_Command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(command->name, format, arguments);
    va_end(arguments);
    return CLI_USAGE;
}
