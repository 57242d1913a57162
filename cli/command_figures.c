// `sinew figures`: figures of the papers, drawn from what the library does.

#include "commands.h"
#include "figures.h"
#include "input.h"
#include "json.h"
#include "output.h"
#include "progress.h"
#include "suggest.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { OUT = 1, FORMAT, ONLY, LIST };

static const cli_Option own_options[] = {
    { OUT, "output", 'o', "DIR", "folder for the pictures (made where there is none)" },
    { FORMAT, "format", 0, "png|svg|pdf", "of the pictures (default png)" },
    { ONLY, "only", 0, "NAME", "this figure alone; once or more" },
    { LIST, "list", 0, NULL, "print names of figures and what they show, and draw nothing" },
    { 0, NULL, 0, NULL, NULL },
};

enum { MOST_FIGURES = 64 };

/// Figures to draw: rows of all tables.
typedef struct Choice {
    const cli_Figure *figures[MOST_FIGURES];
    int count;
} Choice;

static void choose_all(Choice *choice)
{
    const cli_Figure *const tables[] = { cli_figures_meredith, cli_figures_blow, cli_figures_hoang,
        cli_figures_bhatti };
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; ++t) {
        for (const cli_Figure *figure = tables[t]; figure->name != NULL; ++figure) {
            if (choice->count < MOST_FIGURES) { choice->figures[choice->count++] = figure; }
        }
    }
}

// adds one to those that were named
static bool choose(Choice *choice, const char *name)
{
    Choice all = { 0 };
    choose_all(&all);
    cli_Suggestion close = cli_suggest_begin(name);
    char names[2048] = "";
    for (int i = 0; i < all.count; ++i) {
        if (strcmp(all.figures[i]->name, name) == 0) {
            if (choice->count < MOST_FIGURES) { choice->figures[choice->count++] = all.figures[i]; }
            return true;
        }
        cli_suggest_offer(&close, all.figures[i]->name);
        size_t used = strlen(names);
        snprintf(
            names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", all.figures[i]->name);
    }
    if (close.best != NULL) {
        cli_error("--only: found '%s', did you mean '%s'? There are %s", name, close.best, names);
    } else {
        cli_error("--only: found '%s', expected one of %s", name, names);
    }
    return false;
}

static int list(const Choice *choice, bool json)
{
    cli_Json out = { 0 };
    if (json) {
        out = cli_json_begin();
        cli_json_array(&out, "figures");
    }
    for (int i = 0; i < choice->count; ++i) {
        const cli_Figure *figure = choice->figures[i];
        if (json) {
            cli_json_object(&out, NULL);
            cli_json_text(&out, "name", figure->name);
            cli_json_text(&out, "what", figure->what);
            cli_json_object_end(&out);
        } else {
            cli_print("%-24s %s\n", figure->name, figure->what);
        }
    }
    if (json) {
        cli_json_array_end(&out);
        cli_json_end(&out);
    }
    return CLI_DONE;
}

static int draw(const Choice *choice, const char *folder, const char *format, bool json)
{
    struct stat known;
    if (stat(folder, &known) != 0 && mkdir(folder, 0777) != 0) {
        return cli_error("%s: the folder cannot be made", folder);
    }
    cli_Json out = { 0 };
    if (json) {
        out = cli_json_begin();
        cli_json_array(&out, "figures");
    }
    cli_Progress progress = cli_progress_begin("drawing", choice->count);
    bool good = true;
    for (int i = 0; good && i < choice->count; ++i) {
        const cli_Figure *figure = choice->figures[i];
        char path[4096];
        int length = snprintf(path, sizeof path, "%s/%s.%s", folder, figure->name, format);
        if (length < 0 || (size_t)length >= sizeof path) {
            return cli_error("%s: the path is too long", folder);
        }
        cli_progress_update(&progress, i);
        good = cli_figure_draw(figure, path);
        if (good && json) {
            cli_json_text(&out, NULL, path);
        } else if (good) {
            cli_progress_end(&progress);
            cli_print("%s: %s\n", path, figure->what);
        }
    }
    cli_progress_end(&progress);
    if (json) {
        cli_json_array_end(&out);
        cli_json_end(&out);
    }
    return good ? CLI_DONE : CLI_FAILED;
}

static int run(int argc, char **argv)
{
    static const char *const formats[] = { "png", "svg", "pdf" };
    cli_Parser parser;
    Choice choice = { 0 };
    const char *value = NULL, *folder = NULL;
    int format = 0;
    bool only_list = false;
    cli_parser_begin(&parser, &cli_command_figures, argc, argv);
    for (const cli_Option *option; (option = cli_parser_next(&parser, &value)) != NULL;) {
        switch (option->id) {
        case OUT: folder = value; break;
        case LIST: only_list = true; break;
        case FORMAT: format = cli_parse_choice("--format", value, formats, 3); break;
        case ONLY:
            if (!choose(&choice, value)) { cli_parser_fail(&parser); }
            break;
        default: break;
        }
        if (format < 0) { cli_parser_fail(&parser); }
    }
    if (parser.leave) { return parser.exit_code; }
    if (choice.count == 0) { choose_all(&choice); }
    if (only_list) { return list(&choice, parser.json); }
    if (folder == NULL) {
        return cli_usage_error(&cli_command_figures, "where to? -o DIR says so");
    }
    if (!cli_check_folder("--output", folder)) { return CLI_USAGE; }
    return draw(&choice, folder, formats[format], parser.json);
}

static const cli_Rule rules[] = {
    { "output format", CLI_GOES_WITHOUT, "list" },
    { NULL, CLI_GOES_WITH, NULL },
};

const cli_Command cli_command_figures = {
    "figures",
    "Draw figures of the papers anew, from what the library does",
    "-o DIR [OPTIONS]",
    "Meredith and Maddock (2004), figures 1.2 to 1.7 and joint weights; Blow (2002), figures 1 and "
    "2;\n"
    "Hoang (2014), figures 1 to 3; Bhatti et al. (2013), figures 1, 2 and 7 to 9. docs/figures.md "
    "says\n"
    "which is which.\n",
    "  sinew figures -o figures\n"
    "  sinew figures -o figures --format svg\n"
    "  sinew figures -o figures --only hoang-2014-3\n"
    "  sinew figures --list\n",
    { own_options, cli_common_options },
    0,
    0,
    run,
    false,
    rules,
};
