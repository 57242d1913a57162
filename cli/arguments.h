#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

// Reading a command's arguments: tables of options, strict numbers, help, and hints for slips.

#include "sinew/file.h"
#include "sinew/solver.h"

/// What the program exits with.
enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

/// One option. A table ends with an entry whose name is NULL.
typedef struct cli_Option {
    /// What the command's switch looks at, > 0. Shared options have ids of 100 and more.
    int id;
    const char *name;  ///< without the dashes
    char letter;       ///< one-letter form, or 0
    const char *value; ///< how help calls the value; NULL for a switch
    const char *help;
} cli_Option;

/// What options ask of each other. Names stand with spaces between; a table ends with one whose options are NULL.
typedef struct cli_Rule {
    const char *options; ///< each of these
    enum { CLI_GOES_WITH, CLI_GOES_WITHOUT } how;
    const char *others; ///< needs one of these, or none of them
} cli_Rule;

/// Most tables of options that one command may have, and most plain arguments it may take.
#define CLI_MAX_TABLES 6
#define CLI_MAX_PLAIN 4096
/// Most options of one command.
#define CLI_MAX_OPTIONS 96

typedef struct cli_Command {
    const char *name;
    const char *summary;  ///< one line for the list of commands
    const char *synopsis; ///< what follows the name
    const char *details;  ///< text of the help between synopsis and options; whole lines
    const char *examples; ///< whole lines
    const cli_Option *options[CLI_MAX_TABLES];
    int plain_min, plain_max;
    /// argv[0] is the command's name; returns the exit code.
    int (*run)(int argc, char **argv);
    /// Plain arguments name what is read, where there must be two, the last is what is written.
    bool reads;
    /// Options that would do nothing, or contradict each other, are refused; NULL: any go together.
    const cli_Rule *rules;
} cli_Command;

/// Options that every command has: --json, --force and --help.
extern const cli_Option cli_common_options[];
/// How the solver works; see cli_SolverSettings.
extern const cli_Option cli_solver_options[];
/// How a motion file is read; see cli_take_input_option.
extern const cli_Option cli_input_options[];
/// --animation-name, of commands that write motions; what it says is kept by cli_output_call_animation.
extern const cli_Option cli_motion_options[];
/// --picture.
extern const cli_Option cli_picture_options[];

enum {
    CLI_OPTION_HELP = 100,
    CLI_OPTION_JSON,
    CLI_OPTION_FORCE,
    CLI_OPTION_METHOD,
    CLI_OPTION_JACOBIAN,
    CLI_OPTION_ITERATIONS,
    CLI_OPTION_TOLERANCE,
    CLI_OPTION_DAMPING,
    CLI_OPTION_TIME_BUDGET,
    CLI_OPTION_COLD,
    CLI_OPTION_SWEEP,
    CLI_OPTION_LIMITS,
    CLI_OPTION_RESTARTS,
    CLI_OPTION_BRANCH,
    CLI_OPTION_SEED,
    CLI_OPTION_SOFT_REACH,
    CLI_OPTION_FORM,
    CLI_OPTION_UNIT,
    CLI_OPTION_BVH_POSITIONS,
    CLI_OPTION_ANIMATION,
    CLI_OPTION_ANIMATION_NAME,
    CLI_OPTION_PICTURE,
};

/// Reading in progress.
typedef struct cli_Parser {
    const cli_Command *command;
    int argc;
    char **argv;
    const char *plain[CLI_MAX_PLAIN]; ///< arguments that are no options
    int plain_count;
    bool json;
    const char *picture; ///< of --picture
    const char *motion;  ///< where --output or --stance says that a motion is written
    const cli_Option
        *said[CLI_MAX_OPTIONS]; ///< options in the order of their tables, NULL: not said
    /// Set by cli_parser_next when it ends: go on, or leave with exit_code.
    bool leave;
    int exit_code;
} cli_Parser;

void cli_parser_begin(cli_Parser *parser, const cli_Command *command, int argc, char **argv);

/// The next option and its value, or NULL at the end; then look at parser->leave. --help, --json,
/// --picture and plain arguments are dealt with inside.
const cli_Option *cli_parser_next(cli_Parser *parser, const char **out_value);

/// Whether an option was said.
bool cli_parser_said(const cli_Parser *parser, const char *name);

/// Whether all that was said besides --json, --force and --help is among some names, with spaces between; else false after
/// a message that it does not go with what there is.
bool cli_parser_allow(const cli_Parser *parser, const char *what, const char *names);

/// Stop reading because of a wrong value; the message was printed already.
void cli_parser_fail(cli_Parser *parser);

/// Help of one command on stdout.
void cli_print_help(const cli_Command *command);

/// Text for people on stdout, like printf. Names come from files: what is no letter in an argument is written out
/// (shown.h), and the only ends of lines are those of the format.
void cli_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// `sinew: ...` on stderr, one line; returns CLI_FAILED.
int cli_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/// The same with a pointer to the command's help; returns CLI_USAGE.
int cli_usage_error(const cli_Command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Tell that there is no memory; returns false.
bool cli_out_of_memory(void);

/// A whole number or a number, and nothing else, within the range; false after a message of the
/// kind `--iterations: found 'abc', expected a whole number 1..1000000`.
bool cli_parse_whole(const char *option, const char *text, long lower, long upper, long *out_value);
bool cli_parse_number(
    const char *option, const char *text, double lower, double upper, double *out_value);
/// Numbers with commas between, min_count..max_count of them; returns how many, 0 after a message.
int cli_parse_numbers(
    const char *option, const char *text, int min_count, int max_count, double *out_values);
/// One of count words; its index, or -1 after a message.
int cli_parse_choice(const char *option, const char *text, const char *const *words, int count);

/// How the solver was asked to work. Zero means: not said.
typedef struct cli_SolverSettings {
    bool method_said;  ///< --method, be it auto
    bool method_given; ///< another one than auto
    sinew_Method method;
    enum { CLI_ROWS_DEFAULT, CLI_ROWS_HALF, CLI_ROWS_FULL, CLI_ROWS_HYBRID } rows;
    int iterations;
    double position_tolerance, orientation_tolerance;
    bool damping_given;
    double damping;
    double time_budget; ///< seconds
    bool cold;
    sinew_LinearForm form;
    bool sweep_given;
    sinew_SweepOrder sweep;
    sinew_LimitMode limits;
    bool restarts_given;
    int restarts;
    bool branch_given;
    sinew_BranchChoice branch;
    uint64_t seed;
    bool soft_reach_given;
    double soft_reach;
} cli_SolverSettings;

/// Take one of the shared solver options; false after a message.
bool cli_take_solver_option(cli_SolverSettings *settings, int id, const char *value);

/// Whether the method that will solve has all that was asked for; false after a message that names the one
/// which has it.
bool cli_settings_fit(const cli_SolverSettings *settings, sinew_Method method);
/// Take --unit or --bvh-positions; false after a message.
bool cli_take_input_option(sinew_ReadOptions *options, int id, const char *value);
/// Metres in a unit given as m, dm, cm, mm, inch, foot or a number; false after a message.
bool cli_parse_unit(const char *option, const char *text, double *out_metres);
/// Name of a unit, or NULL when it has none.
const char *cli_unit_name(double metres);

/// The method of a single solve: what was said, else what other options imply, else auto.
sinew_Method cli_solve_method(const cli_SolverSettings *settings);

/// Options for solving one problem by the method asked for (or meant: damping and forms are dls's),
/// with what was said; restarts where nothing was said about them.
sinew_SolveOptions cli_solve_options(const cli_SolverSettings *settings);
/// Put what was said besides the method into options.
void cli_settings_apply(const cli_SolverSettings *settings, sinew_SolveOptions *options);

#endif
