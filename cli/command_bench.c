// `sinew bench`: tables of measured figures.

#include "commands.h"

#include "suggest.h"

#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(bool json);
} benches[] = {
    { "characters", sinew_bench_characters },
    { "flops", sinew_bench_flops },
    { "limits", sinew_bench_limits },
    { "solvers", sinew_bench_solvers },
};
enum { BENCH_COUNT = (int)(sizeof benches / sizeof benches[0]) };

static int run(int argc, char **argv)
{
    cli_Parser parser;
    const char *value = NULL;
    cli_parser_begin(&parser, &cli_command_bench, argc, argv);
    while (cli_parser_next(&parser, &value) != NULL) {}
    if (parser.leave) { return parser.exit_code; }

    cli_Suggestion suggestion = cli_suggest_begin(parser.plain[0]);
    for (int i = 0; i < BENCH_COUNT; ++i) {
        if (strcmp(parser.plain[0], benches[i].name) == 0) { return benches[i].run(parser.json); }
        cli_suggest_offer(&suggestion, benches[i].name);
    }
    if (suggestion.best != NULL) {
        return cli_usage_error(&cli_command_bench, "unknown benchmark '%s'; did you mean '%s'?",
            parser.plain[0], suggestion.best);
    }
    return cli_usage_error(&cli_command_bench, "unknown benchmark '%s'", parser.plain[0]);
}

const cli_Command cli_command_bench = {
    "bench",
    "Measure the solvers and the claims of the papers",
    "characters|flops|limits|solvers [OPTIONS]",
    "characters  limbs, hand and whole body with every method and way to keep limits: goals met,\n"
    "            time, restarts; which joints move, corners of windows, starts (a minute)\n"
    "flops       counted operations of the published algorithms beside the published numbers\n"
    "limits      times of the tests of ball limits, and what each of them accepts\n"
    "solvers     LEG, ARM, HAND and MAN18 with every method: goals met, error, iterations, time\n"
    "            by phase\n",
    "  sinew bench flops\n"
    "  sinew bench solvers --json\n"
    "  sinew bench characters\n",
    { cli_common_options },
    1,
    1,
    run,
};
