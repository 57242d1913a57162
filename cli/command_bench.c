// `sinew bench`: tables of measured figures.

#include "commands.h"

#include "suggest.h"

#include "bench/bench.h"

#include <stdio.h>
#include <string.h>

enum { OPTION_TARGETS = 1, OPTION_BASE, OPTION_TIP, OPTION_MARKDOWN };

static const cli_Option options[] = {
    { CLI_OPTION_METHOD, "method", 'm', "METHOD",
        "pinv, transpose, dls, sdls, ccd or auto (default): for all, arms, chains" },
    { OPTION_TARGETS, "targets", 'n', "N",
        "goals of each row, for all, arms, chains, closed, following (default by\nbenchmark)" },
    { CLI_OPTION_SEED, "seed", 0, "N",
        "seed of the first goal, for all, arms, chains, closed, following\n(default 1)" },
    { OPTION_BASE, "base", 0, "LINK", "arms: what the chain of the given files stands on" },
    { OPTION_TIP, "tip", 0, "LINK", "arms: what reaches (default: the end of the longest chain)" },
    { OPTION_MARKDOWN, "markdown", 0, NULL, "all, following: as a table for a README" },
    { 0, NULL, 0, NULL, NULL },
};

// those that take a request, with the options that they look at, and those that measure one thing
static const struct {
    const char *name;
    int (*run_request)(const bench_Request *request);
    int (*run)(bool json);
    const char *options;
    bool takes_more; // files or parts
} benches[] = {
    { "alive", NULL, sinew_bench_alive, "", false },
    { "all", sinew_bench_all, NULL, "method targets seed markdown", false },
    { "arms", sinew_bench_arms, NULL, "method targets seed base tip", true },
    { "chains", sinew_bench_chains, NULL, "method targets seed", false },
    { "characters", sinew_bench_characters, NULL, "", false },
    { "closed", sinew_bench_closed, NULL, "targets seed", true },
    { "errata", NULL, sinew_bench_errata, "", false },
    { "flops", NULL, sinew_bench_flops, "", false },
    { "following", sinew_bench_following, NULL, "targets seed markdown", true },
    { "gait", NULL, sinew_bench_gait, "", false },
    { "limits", NULL, sinew_bench_limits, "", false },
    { "paper", NULL, sinew_bench_paper, "", false },
    { "related", NULL, sinew_bench_related, "", false },
    { "retarget", sinew_bench_retarget, NULL, "", true },
    { "solvers", NULL, sinew_bench_solvers, "", false },
    { "switch", NULL, sinew_bench_switch, "", false },
};
enum { BENCH_COUNT = (int)(sizeof benches / sizeof benches[0]) };

static bool take_method(bench_Request *request, const char *value)
{
    const char *words[SINEW_METHOD_COUNT + 1];
    int count = 0;
    bool has_auto = false;
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) {
        words[count++] = sinew_method_name((sinew_Method)m);
        has_auto = has_auto || strcmp(words[m], "auto") == 0;
    }
    if (!has_auto) { words[count++] = "auto"; }
    int choice = cli_parse_choice("--method", value, words, count);
    if (choice < 0) { return false; }
    request->method_given = choice < SINEW_METHOD_COUNT;
    if (request->method_given) { request->method = (sinew_Method)choice; }
    return true;
}

static bool take_option(bench_Request *request, int id, const char *value)
{
    long number = 0;
    switch (id) {
    case CLI_OPTION_METHOD: return take_method(request, value);
    case OPTION_TARGETS:
        if (!cli_parse_whole("--targets", value, 1, 10000000, &number)) { return false; }
        request->targets = (int)number;
        return true;
    case CLI_OPTION_SEED:
        if (!cli_parse_whole("--seed", value, 0, 1000000000000, &number)) { return false; }
        request->seed = (uint64_t)number;
        return true;
    case OPTION_BASE: request->base = value; return true;
    case OPTION_TIP: request->tip = value; return true;
    case OPTION_MARKDOWN: request->markdown = true; return true;
    default: return true;
    }
}

static int run(int argc, char **argv)
{
    cli_Parser parser;
    const char *value = NULL;
    bench_Request request = { .seed = 1 };
    cli_parser_begin(&parser, &cli_command_bench, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        if (!take_option(&request, option->id, value)) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    request.json = parser.json;
    request.files = &parser.plain[1];
    request.file_count = parser.plain_count - 1;

    const char *name = parser.plain[0];
    cli_Suggestion suggestion = cli_suggest_begin(name);
    for (int i = 0; i < BENCH_COUNT; ++i) {
        cli_suggest_offer(&suggestion, benches[i].name);
        if (strcmp(name, benches[i].name) != 0) { continue; }
        if (!cli_parser_allow(&parser, name, benches[i].options)) { return CLI_USAGE; }
        if (request.file_count > 0 && !benches[i].takes_more) {
            return cli_usage_error(&cli_command_bench, "%s takes no files", name);
        }
        bool of_files = request.base != NULL || request.tip != NULL;
        if (of_files && request.file_count == 0) {
            return cli_usage_error(&cli_command_bench, "--base and --tip go with files");
        }
        return benches[i].run != NULL ? benches[i].run(request.json)
                                      : benches[i].run_request(&request);
    }
    if (suggestion.best != NULL) {
        return cli_usage_error(&cli_command_bench, "unknown benchmark '%s'; did you mean '%s'?",
            name, suggestion.best);
    }
    return cli_usage_error(&cli_command_bench, "unknown benchmark '%s'", name);
}

const cli_Command cli_command_bench = {
    "bench",
    "Measure the solvers and the claims of the papers",
    "NAME [FILE|PART...]",
    "alive       the walker above its legs beside recorded people: trunk, arms, head, starts, "
    "stops,\n"
    "            standing; each number that was asked for (half a minute)\n"
    "all         every goal set for the solver and what it reaches, arms, chains and characters,\n"
    "            beside KDL, in one table; as text, flops, paper, gait and limits follow "
    "(minutes)\n"
    "arms        robot arms with the protocol of TRAC-IK's comparison: share solved within "
    "limits,\n"
    "            time; beside Orocos KDL where it is installed. URDF files, or those of\n"
    "            $SINEW_DATA/urdf, else ../shared/data/urdf\n"
    "chains      chains of 10 to 1000 hinges: time by link\n"
    "characters  limbs, hand and whole body: the goals set; then every method and way to keep\n"
    "            limits: goals met, time, restarts; which joints move, corners of windows, starts\n"
    "            (minutes)\n"
    "closed      closed forms: arms (first and nearest answer, branch kept, all answers; goals on\n"
    "            bounds and at zero), small (legs, limbs of balls), limbs (every limb of the "
    "robots\n"
    "            and recorded bodies of the test data); PARTs alone. SINEW_PEER: a solver of your\n"
    "            own beside them (docs/solvers.md)\n"
    "errata      what the papers print and what comes out when it is computed, a line each\n"
    "flops       counted operations of the published algorithms beside the published numbers\n"
    "following   goals that move, frame by frame: limbs (straight ones), bodies (recorded, from "
    "rest),\n"
    "            trees (robots, several goals), diagnosis (of goals that are not met), tracker\n"
    "            (30 cases in and out of reach), clips (recorded motions inside limits); each "
    "line\n"
    "            that was asked for, with a verdict;\n"
    "            PARTs alone (minutes)\n"
    "gait        hip, knee and ankle of the walker beside recorded people; fitted to one half of "
    "the\n"
    "            recordings and judged by the other (a minute)\n"
    "limits      times of the tests of ball limits, and what each of them accepts\n"
    "paper       walking with half, full and hybrid Jacobian beside the published table; its "
    "claims\n"
    "            (a minute)\n"
    "related     what the papers say of other methods, run here: lengths of chains, point masses,\n"
    "            an analytic arm on a spine, jerk near full stretch\n"
    "retarget    ten recorded clips on five characters, judged from outside; parts: closed, "
    "limits,\n"
    "            live, now\n"
    "solvers     LEG, ARM, HAND and MAN18 with every method: goals met, error, iterations, time\n"
    "            by phase, what a ceiling of iterations bounds\n"
    "switch      FK and IK on one chain: steps at switches, beside a rig of three chains\n",
    "  sinew bench flops\n"
    "  sinew bench solvers --json\n"
    "  sinew bench characters\n"
    "  sinew bench following trees tracker\n"
    "  sinew bench arms robot.urdf --tip tool0 --targets 100000\n",
    { options, cli_common_options },
    1,
    CLI_MAX_PLAIN,
    run,
    false,
    NULL,
};
