#include "arguments.h"

#include "input.h"
#include "output.h"
#include "suggest.h"

#include "base/message.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------
// Values

bool cli_parse_whole(const char *option, const char *text, long lower, long upper, long *out_value)
{
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    bool plain = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    if (!plain || *end != '\0' || errno != 0 || value < lower || value > upper) {
        cli_error("%s: found '%s', expected a whole number %ld..%ld", option, text, lower, upper);
        return false;
    }
    *out_value = value;
    return true;
}

/// Decimal digits, sign, point and exponent alone: strtod also takes "inf", "nan" and "0x1p3".
static bool read_decimal(const char *text, char **out_end, double *out_value)
{
    size_t length = strspn(text, "+-.0123456789eE");
    if (length == 0) { return false; }
    *out_value = strtod(text, out_end);
    return *out_end == text + length && isfinite(*out_value);
}

static const char *describe_range(double lower, double upper, char *buffer, size_t size)
{
    if (isinf(lower) && isinf(upper)) {
        snprintf(buffer, size, "a number");
    } else if (isinf(upper)) {
        snprintf(buffer, size, "a number of at least %g", lower);
    } else {
        snprintf(buffer, size, "a number %g..%g", lower, upper);
    }
    return buffer;
}

bool cli_parse_number(
    const char *option, const char *text, double lower, double upper, double *out_value)
{
    char *end = NULL;
    char range[64];
    double value = 0.0;
    bool good = read_decimal(text, &end, &value) && *end == '\0';
    if (!good || value < lower || value > upper) {
        cli_error("%s: found '%s', expected %s", option, text,
            describe_range(lower, upper, range, sizeof range));
        return false;
    }
    *out_value = value;
    return true;
}

int cli_parse_numbers(
    const char *option, const char *text, int min_count, int max_count, double *out_values)
{
    const char *place = text;
    int count = 0;
    while (count < max_count) {
        char *end = NULL;
        if (!read_decimal(place, &end, &out_values[count])) { break; }
        count += 1;
        if (*end == '\0') {
            if (count < min_count) { break; }
            return count;
        }
        if (*end != ',') { break; }
        place = end + 1;
    }
    if (min_count == max_count) {
        cli_error("%s: found '%s', expected %d number%s with commas between", option, text,
            min_count, snw_plural(min_count));
    } else {
        cli_error("%s: found '%s', expected %d to %d numbers with commas between", option, text,
            min_count, max_count);
    }
    return 0;
}

int cli_parse_choice(const char *option, const char *text, const char *const *words, int count)
{
    char list[256] = "";
    for (int i = 0; i < count; ++i) {
        if (strcmp(words[i], text) == 0) { return i; }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s",
            i == 0              ? ""
                : i + 1 < count ? ", "
                                : " or ",
            words[i]);
    }
    cli_error("%s: found '%s', expected %s", option, text, list);
    return -1;
}

// ---------------------------------------------------------------------------------------------
// Shared options

const cli_Option cli_common_options[] = {
    { CLI_OPTION_JSON, "json", 0, NULL, "print one JSON object instead of text" },
    { CLI_OPTION_FORCE, "force", 0, NULL, "let an output replace a file that was read" },
    { CLI_OPTION_HELP, "help", 'h', NULL, "explain this command" },
    { 0, NULL, 0, NULL, NULL },
};

const cli_Option cli_solver_options[] = {
    { CLI_OPTION_METHOD, "method", 'm', "METHOD",
        "auto (default), pinv, transpose, dls, sdls or ccd" },
    { CLI_OPTION_JACOBIAN, "jacobian", 0, "ROWS",
        "half: positions alone; full: positions and orientations of every\n"
        "goal; hybrid: what each goal asks for (default)" },
    { CLI_OPTION_ITERATIONS, "iterations", 0, "N", "at most N iterations" },
    { CLI_OPTION_TOLERANCE, "tolerance", 0, "M[,RAD]",
        "a goal is met within M metres and RAD radians (default 1e-3,1e-2;\n"
        "one number stands for both)" },
    { CLI_OPTION_DAMPING, "damping", 0, "L|auto",
        "damping of dls, metres per radian (implies dls; refused with another\nmethod)" },
    { CLI_OPTION_TIME_BUDGET, "time-budget", 0, "US",
        "start no iteration after US microseconds (results then depend on\nthe machine)" },
    { CLI_OPTION_FORM, "form", 0, "FORM",
        "how dls solves its linear systems: auto, rows, dofs, tree or\nrecursion; all give the "
        "same step (implies dls)" },
    { CLI_OPTION_SWEEP, "sweep", 0, "ORDER",
        "tip or root: the joint that a sweep of ccd begins with (default tip;\n"
        "root costs more a sweep and gets stuck less often)" },
    { CLI_OPTION_LIMITS, "limits", 0, "HOW",
        "active: hold joints at their limits and let the others make up for it\n"
        "(default); clamp: crop after each step; none: ignore limits" },
    { CLI_OPTION_COLD, "cold", 0, NULL,
        "start from the rest pose, not from the pose given or the last frame" },
    { CLI_OPTION_RESTARTS, "restarts", 0, "N",
        "try again from up to N random poses inside the limits while a goal is\n"
        "not met (default 8, 1000 for auto; 0 in motions)" },
    { CLI_OPTION_BRANCH, "branch", 0, "WHICH",
        "answer of an arm in closed form: nearest (default), first, or kept:\n"
        "steps from the pose given before any closed form" },
    { CLI_OPTION_SEED, "seed", 0, "N", "seed of these poses (default 0)" },
    { CLI_OPTION_SOFT_REACH, "soft-reach", 0, "SHARE",
        "ease goals near full stretch over this share of the reach, 0 to 0.2,\n"
        "so that knees and elbows do not snap straight; what it costs in place\n"
        "is told (default 0; 0.02 in track with a rig)" },
    { 0, NULL, 0, NULL, NULL },
};

const cli_Option cli_input_options[] = {
    { CLI_OPTION_UNIT, "unit", 'u', "U",
        "length unit of the file: m, dm, cm, mm, inch, foot or metres as a\n"
        "number (default: as the file notes, else guessed so that a figure has\n"
        "a human size)" },
    { CLI_OPTION_BVH_POSITIONS, "bvh-positions", 0, "HOW",
        "position channels of a BVH file replace OFFSET, are added to it,\n"
        "or auto: replace for the root, found out for the others" },
    { CLI_OPTION_ANIMATION, "animation", 0, "NAME|N",
        "animation of a glTF file, by name or number from 0 (default: the last\n"
        "one that sinew wrote, else the first)" },
    { 0, NULL, 0, NULL, NULL },
};

const cli_Option cli_motion_options[] = {
    { CLI_OPTION_ANIMATION_NAME, "animation-name", 0, "NAME",
        "what the animation is called that is written into a glTF file (default:\n"
        "as the motion that was read, by its file where it has no name)" },
    { 0, NULL, 0, NULL, NULL },
};

const cli_Option cli_picture_options[] = {
    { CLI_OPTION_PICTURE, "picture", 'p', "FILE", "draw the result: .png, .svg or .pdf" },
    { 0, NULL, 0, NULL, NULL },
};

static bool take_method(cli_SolverSettings *settings, const char *value)
{
    const char *words[SINEW_METHOD_COUNT];
    for (int m = 0; m < SINEW_METHOD_COUNT; ++m) { words[m] = sinew_method_name((sinew_Method)m); }
    int choice = cli_parse_choice("--method", value, words, SINEW_METHOD_COUNT);
    if (choice < 0) { return false; }
    settings->method_said = true;
    settings->method_given = choice != SINEW_METHOD_AUTO;
    settings->method = (sinew_Method)choice;
    return true;
}

// what the solver takes (src/solve/options.c)
#define LEAST_TOLERANCE 1e-300
#define MOST_TOLERANCE 1e12

static bool take_tolerance(cli_SolverSettings *settings, const char *value)
{
    double numbers[2];
    int count = cli_parse_numbers("--tolerance", value, 1, 2, numbers);
    if (count == 0) { return false; }
    for (int i = 0; i < count; ++i) {
        if (numbers[i] >= LEAST_TOLERANCE && numbers[i] <= MOST_TOLERANCE) { continue; }
        cli_error("--tolerance: found '%s', expected numbers above 0, at most 1e12", value);
        return false;
    }
    settings->position_tolerance = numbers[0];
    settings->orientation_tolerance = numbers[count - 1];
    return true;
}

static bool take_damping(cli_SolverSettings *settings, const char *value)
{
    settings->damping_given = true;
    settings->damping = -1.0;
    if (strcmp(value, "auto") == 0) { return true; }
    return cli_parse_number("--damping", value, 0.0, 1e6, &settings->damping);
}

static bool take_form(cli_SolverSettings *settings, const char *value)
{
    const char *words[SINEW_FORM_COUNT];
    for (int f = 0; f < SINEW_FORM_COUNT; ++f) { words[f] = sinew_form_name((sinew_LinearForm)f); }
    int choice = cli_parse_choice("--form", value, words, SINEW_FORM_COUNT);
    if (choice < 0) { return false; }
    settings->form = (sinew_LinearForm)choice;
    return true;
}

static bool take_sweep(cli_SolverSettings *settings, const char *value)
{
    static const char *const words[] = { "tip", "root" };
    int choice = cli_parse_choice("--sweep", value, words, 2);
    if (choice < 0) { return false; }
    settings->sweep_given = true;
    settings->sweep = choice == 0 ? SINEW_SWEEP_TIP_TO_ROOT : SINEW_SWEEP_ROOT_TO_TIP;
    return true;
}

static bool take_branch(cli_SolverSettings *settings, const char *value)
{
    static const char *const words[] = { "nearest", "first", "kept" };
    int choice = cli_parse_choice("--branch", value, words, 3);
    if (choice < 0) { return false; }
    settings->branch_given = true;
    settings->branch = (sinew_BranchChoice)choice;
    return true;
}

static bool take_limits(cli_SolverSettings *settings, const char *value)
{
    static const char *const words[] = { "active", "clamp", "none" };
    static const sinew_LimitMode modes[] = { SINEW_LIMITS_ACTIVE, SINEW_LIMITS_CLAMP,
        SINEW_LIMITS_NONE };
    int choice = cli_parse_choice("--limits", value, words, 3);
    if (choice < 0) { return false; }
    settings->limits = modes[choice];
    return true;
}

bool cli_take_solver_option(cli_SolverSettings *settings, int id, const char *value)
{
    static const char *const rows[] = { "half", "full", "hybrid" };
    long whole = 0;
    double number = 0.0;
    int choice = 0;
    switch (id) {
    case CLI_OPTION_METHOD: return take_method(settings, value);
    case CLI_OPTION_JACOBIAN:
        choice = cli_parse_choice("--jacobian", value, rows, 3);
        if (choice < 0) { return false; }
        settings->rows = choice == 0 ? CLI_ROWS_HALF
            : choice == 1            ? CLI_ROWS_FULL
                                     : CLI_ROWS_HYBRID;
        return true;
    case CLI_OPTION_ITERATIONS:
        if (!cli_parse_whole("--iterations", value, 1, 1000000, &whole)) { return false; }
        settings->iterations = (int)whole;
        return true;
    case CLI_OPTION_TOLERANCE: return take_tolerance(settings, value);
    case CLI_OPTION_DAMPING: return take_damping(settings, value);
    case CLI_OPTION_TIME_BUDGET:
        if (!cli_parse_number("--time-budget", value, 1e-3, 1e12, &number)) { return false; }
        settings->time_budget = number * 1e-6;
        return true;
    case CLI_OPTION_FORM: return take_form(settings, value);
    case CLI_OPTION_COLD: settings->cold = true; return true;
    case CLI_OPTION_SWEEP: return take_sweep(settings, value);
    case CLI_OPTION_LIMITS: return take_limits(settings, value);
    case CLI_OPTION_RESTARTS:
        if (!cli_parse_whole("--restarts", value, 0, 100000, &whole)) { return false; }
        settings->restarts_given = true;
        settings->restarts = (int)whole;
        return true;
    case CLI_OPTION_BRANCH: return take_branch(settings, value);
    case CLI_OPTION_SEED:
        if (!cli_parse_whole("--seed", value, 0, 2147483647L, &whole)) { return false; }
        settings->seed = (uint64_t)whole;
        return true;
    case CLI_OPTION_SOFT_REACH:
        settings->soft_reach_given = true;
        return cli_parse_number("--soft-reach", value, 0.0, 0.2, &settings->soft_reach);
    default: return false;
    }
}

bool cli_settings_fit(const cli_SolverSettings *settings, sinew_Method method)
{
    const struct {
        const char *option;
        bool given;
        sinew_Method owner;
    } own[] = {
        { "--damping", settings->damping_given, SINEW_METHOD_DAMPED },
        { "--form", settings->form != SINEW_FORM_AUTO, SINEW_METHOD_DAMPED },
        { "--sweep", settings->sweep_given, SINEW_METHOD_CCD },
        { "--branch", settings->branch_given, SINEW_METHOD_AUTO },
    };
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
        if (!own[i].given || own[i].owner == method) { continue; }
        cli_error("%s: %s does not know it, %s does (--method)", own[i].option,
            sinew_method_name(method), sinew_method_name(own[i].owner));
        return false;
    }
    return true;
}

static const struct {
    const char *name;
    double metres;
} units[] = {
    { "m", 1.0 },
    { "dm", 0.1 },
    { "cm", 0.01 },
    { "mm", 0.001 },
    { "inch", 0.0254 },
    { "foot", 0.3048 },
};
enum { UNIT_COUNT = (int)(sizeof units / sizeof units[0]) };

bool cli_parse_unit(const char *option, const char *text, double *out_metres)
{
    for (int i = 0; i < UNIT_COUNT; ++i) {
        if (strcmp(units[i].name, text) == 0) {
            *out_metres = units[i].metres;
            return true;
        }
    }
    char *end = NULL;
    double value = 0.0;
    bool good = read_decimal(text, &end, &value) && *end == '\0';
    if (!good || !(value >= 1e-9) || value > 1e9) {
        cli_error("%s: found '%s', expected m, dm, cm, mm, inch, foot or metres as a number",
            option, text);
        return false;
    }
    *out_metres = value;
    return true;
}

const char *cli_unit_name(double metres)
{
    for (int i = 0; i < UNIT_COUNT; ++i) {
        if (fabs(units[i].metres - metres) < 1e-9 * metres) { return units[i].name; }
    }
    return NULL;
}

bool cli_take_input_option(sinew_ReadOptions *options, int id, const char *value)
{
    static const char *const words[] = { "auto", "replace", "add" };
    static const sinew_BvhPositions ways[] = { SINEW_BVH_POSITIONS_AUTO,
        SINEW_BVH_POSITIONS_REPLACE, SINEW_BVH_POSITIONS_ADD };
    if (id == CLI_OPTION_UNIT) { return cli_parse_unit("--unit", value, &options->unit); }
    if (id == CLI_OPTION_ANIMATION) {
        options->animation = value;
        return true;
    }
    int choice = cli_parse_choice("--bvh-positions", value, words, 3);
    if (choice < 0) { return false; }
    options->positions = ways[choice];
    return true;
}

void cli_settings_apply(const cli_SolverSettings *settings, sinew_SolveOptions *options)
{
    if (settings->rows == CLI_ROWS_HALF) { options->rows = SINEW_ROWS_HALF; }
    if (settings->iterations > 0) {
        options->max_iterations = settings->iterations;
        if (options->min_iterations > settings->iterations) {
            options->min_iterations = settings->iterations;
        }
    }
    if (settings->position_tolerance > 0.0) {
        options->position_tolerance = settings->position_tolerance;
        options->orientation_tolerance = settings->orientation_tolerance;
    }
    if (settings->damping_given) { options->damping = settings->damping; }
    if (settings->form != SINEW_FORM_AUTO) { options->form = settings->form; }
    options->time_budget = settings->time_budget;
    options->sweep = settings->sweep;
    options->limits = settings->limits;
    if (settings->restarts_given) { options->restarts = settings->restarts; }
    options->seed = settings->seed;
    options->branch = settings->branch;
    if (settings->soft_reach_given) { options->soft_reach = settings->soft_reach; }
}

/// Random poses that a problem is tried from before a published method gives it up. All reachable goals of single
/// limbs and hands were met with these.
enum { DEFAULT_RESTARTS = 8 };

sinew_Method cli_solve_method(const cli_SolverSettings *settings)
{
    bool damped = settings->damping_given || settings->form != SINEW_FORM_AUTO;
    return settings->method_said || !damped ? settings->method : SINEW_METHOD_DAMPED;
}

sinew_SolveOptions cli_solve_options(const cli_SolverSettings *settings)
{
    sinew_SolveOptions options = sinew_solve_options_default(cli_solve_method(settings));
    if (options.method != SINEW_METHOD_AUTO) { options.restarts = DEFAULT_RESTARTS; }
    if (settings->cold) { options.start = SINEW_START_REST; }
    cli_settings_apply(settings, &options);
    return options;
}

// ---------------------------------------------------------------------------------------------
// Options

enum { PLAIN = 1, FIRST_LONG = 1000 };

void cli_parser_begin(cli_Parser *parser, const cli_Command *command, int argc, char **argv)
{
    memset(parser, 0, sizeof *parser);
    parser->command = command;
    parser->argc = argc;
    parser->argv = argv;
    optind = 1;
    opterr = 0;
}

void cli_parser_fail(cli_Parser *parser)
{
    parser->leave = true;
    parser->exit_code = CLI_USAGE;
}

/// All options of a command in one list; returns their number.
static int list_options(const cli_Command *command, const cli_Option **out_list)
{
    int count = 0;
    for (int t = 0; t < CLI_MAX_TABLES && command->options[t] != NULL; ++t) {
        for (const cli_Option *o = command->options[t]; o->name != NULL && count < CLI_MAX_OPTIONS;
             ++o) {
            out_list[count] = o;
            count += 1;
        }
    }
    return count;
}

static void say_unknown_option(
    const cli_Parser *parser, const cli_Option **list, int count, const char *argument)
{
    char word[80];
    if (strncmp(argument, "--", 2) != 0) {
        cli_usage_error(parser->command, "unknown option '%s'", argument);
        return;
    }
    snprintf(word, sizeof word, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
    for (int i = 0; i < count; ++i) {
        if (strcmp(list[i]->name, word) == 0) {
            cli_usage_error(parser->command, "--%s takes no value", word);
            return;
        }
    }
    cli_Suggestion suggestion = cli_suggest_begin(word);
    for (int i = 0; i < count; ++i) { cli_suggest_offer(&suggestion, list[i]->name); }
    if (suggestion.best != NULL) {
        cli_usage_error(
            parser->command, "unknown option '--%s'; did you mean '--%s'?", word, suggestion.best);
    } else {
        cli_usage_error(parser->command, "unknown option '--%s'", word);
    }
}

/// One step of getopt_long: FIRST_LONG and the index into list for an option, PLAIN for a plain
/// argument, else what getopt_long tells: -1 at the end, '?' unknown, ':' no value.
static int next_option(cli_Parser *parser, const cli_Option **list, int count)
{
    struct option longs[CLI_MAX_OPTIONS + 1];
    char letters[2 + 2 * CLI_MAX_OPTIONS + 1];
    size_t used = 0;

    // '-': plain arguments come in their place; ':': a missing value is told apart
    letters[used++] = '-';
    letters[used++] = ':';
    memset(longs, 0, sizeof longs);
    for (int i = 0; i < count; ++i) {
        longs[i].name = list[i]->name;
        longs[i].has_arg = list[i]->value != NULL ? required_argument : no_argument;
        longs[i].val = FIRST_LONG + i;
        if (list[i]->letter != 0) {
            letters[used++] = list[i]->letter;
            if (list[i]->value != NULL) { letters[used++] = ':'; }
        }
    }
    letters[used] = '\0';
    int found = getopt_long(parser->argc, parser->argv, letters, longs, NULL);
    if (found == PLAIN || found == -1 || found == '?' || found == ':') { return found; }
    if (found >= FIRST_LONG) { return found; }
    for (int i = 0; i < count; ++i) {
        if (list[i]->letter == found) { return FIRST_LONG + i; }
    }
    return '?';
}

static bool take_plain(cli_Parser *parser, const char *argument)
{
    if (parser->plain_count >= parser->command->plain_max) {
        cli_usage_error(parser->command, "one argument too many: '%s'", argument);
        cli_parser_fail(parser);
        return false;
    }
    parser->plain[parser->plain_count] = argument;
    parser->plain_count += 1;
    return true;
}

bool cli_parser_said(const cli_Parser *parser, const char *name)
{
    for (int i = 0; i < CLI_MAX_OPTIONS; ++i) {
        if (parser->said[i] != NULL && strcmp(parser->said[i]->name, name) == 0) { return true; }
    }
    return false;
}

/// The next of some names with spaces between, as a text; false at their end.
static bool next_name(const char **names, char *out_name, size_t size)
{
    *names += strspn(*names, " ");
    size_t length = strcspn(*names, " ");
    snprintf(out_name, size, "%.*s", (int)length, *names);
    *names += length;
    return length > 0;
}

static bool is_among(const char *name, const char *names)
{
    char each[64];
    while (next_name(&names, each, sizeof each)) {
        if (strcmp(each, name) == 0) { return true; }
    }
    return false;
}

bool cli_parser_allow(const cli_Parser *parser, const char *what, const char *names)
{
    for (int i = 0; i < CLI_MAX_OPTIONS; ++i) {
        const cli_Option *said = parser->said[i];
        bool is_common = said != NULL && said->id >= CLI_OPTION_HELP
            && said->id <= CLI_OPTION_FORCE;
        if (said == NULL || is_common || is_among(said->name, names)) { continue; }
        cli_usage_error(parser->command, "--%s does not go with %s", said->name, what);
        return false;
    }
    return true;
}

static bool check_rule(const cli_Parser *parser, const cli_Rule *rule)
{
    char option[64], other[64], list[256] = "";
    const char *others = rule->others, *found = NULL;
    while (found == NULL && next_name(&others, other, sizeof other)) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s--%s", used > 0 ? " or " : "", other);
        if (cli_parser_said(parser, other)) { found = other; }
    }
    if ((found != NULL) == (rule->how == CLI_GOES_WITH)) { return true; }
    for (const char *options = rule->options; next_name(&options, option, sizeof option);) {
        if (!cli_parser_said(parser, option)) { continue; }
        if (rule->how == CLI_GOES_WITH) {
            cli_usage_error(parser->command, "--%s goes with %s", option, list);
        } else {
            cli_usage_error(parser->command, "--%s and --%s exclude each other", option, found);
        }
        return false;
    }
    return true;
}

/// A name of an animation is for glTF files: of a motion that goes nowhere, or into another one, it would be lost.
static bool check_animation_name(const cli_Parser *parser)
{
    const char *out = parser->motion;
    bool is_last = parser->command->plain_min > 1;
    if (is_last && parser->plain_count > 0) { out = parser->plain[parser->plain_count - 1]; }
    if (cli_output_animation() == NULL) { return true; }
    bool keeps = out != NULL && strcmp(out, "-") != 0
        && sinew_format_of_name(out) != SINEW_FORMAT_BVH && !cli_has_ending(out, ".csv");
    if (!keeps) {
        cli_usage_error(parser->command, "--animation-name goes with a glTF file that is written");
    }
    return keeps;
}

static bool check_options(const cli_Parser *parser)
{
    for (const cli_Rule *rule = parser->command->rules; rule != NULL && rule->options != NULL;
         ++rule) {
        if (!check_rule(parser, rule)) { return false; }
    }
    return check_animation_name(parser);
}

static void finish_parsing(cli_Parser *parser)
{
    while (optind < parser->argc) {
        if (!take_plain(parser, parser->argv[optind])) { return; }
        optind += 1;
    }
    if (!check_options(parser)) {
        cli_parser_fail(parser);
        return;
    }
    // of several, one that is missing spoils its own row alone
    int read_count = parser->plain_count - (parser->command->plain_min > 1 ? 1 : 0);
    if (parser->command->reads && read_count == 1 && !cli_input_exists(parser->plain[0])) {
        parser->leave = true;
        parser->exit_code = CLI_FAILED;
        return;
    }
    if (parser->plain_count < parser->command->plain_min) {
        cli_usage_error(parser->command, "expected: sinew %s %s", parser->command->name,
            parser->command->synopsis);
        cli_parser_fail(parser);
    }
}

const cli_Option *cli_parser_next(cli_Parser *parser, const char **out_value)
{
    const cli_Option *list[CLI_MAX_OPTIONS];
    int count = list_options(parser->command, list);
    while (!parser->leave) {
        int before = optind;
        int found = next_option(parser, list, count);
        *out_value = optarg;
        if (found == -1) {
            finish_parsing(parser);
            return NULL;
        }
        const cli_Option *option = found >= FIRST_LONG ? list[found - FIRST_LONG] : NULL;
        if (option != NULL) { parser->said[found - FIRST_LONG] = option; }
        if (found == PLAIN) {
            take_plain(parser, optarg);
        } else if (found == ':') {
            cli_usage_error(parser->command, "%s needs a value", parser->argv[optind - 1]);
            cli_parser_fail(parser);
        } else if (option == NULL) {
            // optind stays on the argument when another letter of the same cluster follows
            say_unknown_option(
                parser, list, count, parser->argv[optind > before ? optind - 1 : before]);
            cli_parser_fail(parser);
        } else if (option->id == CLI_OPTION_HELP) {
            cli_print_help(parser->command);
            parser->leave = true;
        } else if (option->id == CLI_OPTION_JSON) {
            parser->json = true;
        } else if (option->id == CLI_OPTION_FORCE) {
            cli_output_force();
        } else if (option->id == CLI_OPTION_ANIMATION_NAME) {
            cli_output_call_animation(optarg);
        } else if (option->id == CLI_OPTION_PICTURE) {
            parser->picture = optarg;
        } else {
            bool writes = strcmp(option->name, "output") == 0
                || strcmp(option->name, "stance") == 0;
            if (writes && optarg != NULL && !cli_has_ending(optarg, ".json")) {
                parser->motion = optarg;
            }
            return option;
        }
    }
    return NULL;
}

// ---------------------------------------------------------------------------------------------
// Help

static void print_option(const cli_Option *option)
{
    enum { COLUMN = 26 };
    char head[64];
    char letter[8] = "    ";
    if (option->letter != 0) { snprintf(letter, sizeof letter, "-%c, ", option->letter); }
    snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name,
        option->value != NULL ? " " : "", option->value != NULL ? option->value : "");
    printf("%-*s", COLUMN, head);
    if (strlen(head) >= COLUMN) { printf("\n%*s", COLUMN, ""); }
    for (const char *c = option->help; *c != '\0'; ++c) {
        putchar(*c);
        if (*c == '\n') { printf("%*s", COLUMN, ""); }
    }
    putchar('\n');
}

void cli_print_help(const cli_Command *command)
{
    printf("sinew %s %s\n\n%s.\n\n%s\nOptions:\n", command->name, command->synopsis,
        command->summary, command->details);
    for (int t = 0; t < CLI_MAX_TABLES && command->options[t] != NULL; ++t) {
        for (const cli_Option *o = command->options[t]; o->name != NULL; ++o) { print_option(o); }
    }
    printf("\nExamples:\n%s", command->examples);
}
