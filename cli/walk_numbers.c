#include "walk_numbers.h"

#include "arguments.h"
#include "output.h"
#include "suggest.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Row {
    const char *name;
    size_t place;
} Row;

#define ROW(field)                               \
    {                                            \
#field, offsetof(sinew_WalkerDef, field) \
    }
static const Row rows[] = {
    ROW(response.follow_time),
    ROW(response.acceleration),
    ROW(response.braking),
    ROW(response.turning),
    ROW(response.settling),
    ROW(response.hurry),
    ROW(limits.step_height),
    ROW(limits.drop),
    ROW(limits.slope),
    ROW(limits.gap),
    ROW(ornaments.bob),
    ROW(ornaments.swing),
    ROW(ornaments.sway),
    ROW(ornaments.list),
    ROW(ornaments.lean),
    ROW(ornaments.spine),
    ROW(ornaments.arms),
    ROW(ornaments.head),
    ROW(paper.stride),
    ROW(paper.cadence),
    ROW(paper.stand_height),
    ROW(paper.walk_height),
    ROW(paper.bob),
    ROW(paper.swing),
    ROW(paper.clearance),
    ROW(paper.gap),
    ROW(paper.heel_rise),
};
#undef ROW
enum { ROW_COUNT = (int)(sizeof rows / sizeof rows[0]) };

static const char manner_prefix[] = "manner.";
static const char paper_prefix[] = "paper.", ornaments_prefix[] = "ornaments.";
/// The one that is no number but a choice: the lift curve is turned over a rise (1) or skewed (0).
static const char rotate_name[] = "paper.rotate";

bool cli_take_number(cli_WalkNumbers *numbers, const char *text)
{
    if (numbers->count == CLI_MOST_NUMBERS) {
        cli_error("--set is given at most %d times", (int)CLI_MOST_NUMBERS);
        return false;
    }
    if (strchr(text, '=') == NULL) {
        cli_error("--set takes NAME=VALUE, found '%s'", text);
        return false;
    }
    numbers->texts[numbers->count++] = text;
    return true;
}

static bool tell_unknown(const char *name)
{
    cli_Suggestion suggestion = cli_suggest_begin(name);
    for (int i = 0; i < ROW_COUNT; ++i) { cli_suggest_offer(&suggestion, rows[i].name); }
    if (suggestion.best != NULL) {
        cli_error("--set: no number '%s'; did you mean '%s'?", name, suggestion.best);
        return false;
    }
    char names[800];
    size_t length = 0;
    for (int i = 0; i < ROW_COUNT; ++i) {
        int size = snprintf(names + length, sizeof names - length, "%s, ", rows[i].name);
        if (size < 0 || length + (size_t)size >= sizeof names) { break; }
        length += (size_t)size;
    }
    names[length] = '\0';
    cli_error("--set: no number '%s'; there are %s%s, and manner. with a field of sinew/manner.h",
        name, names, rotate_name);
    return false;
}

static bool set_number(const char *text, sinew_WalkerDef *def)
{
    char name[64];
    const char *value = strchr(text, '=');
    snprintf(name, sizeof name, "%.*s", (int)(value - text), text);
    double number;
    if (!cli_parse_number("--set", value + 1, -1e6, 1e6, &number)) { return false; }
    const size_t prefix = sizeof manner_prefix - 1;
    if (strncmp(name, manner_prefix, prefix) == 0) {
        sinew_Message message = { "" };
        if (sinew_manner_set(&def->manner, name + prefix, number, &message) == SINEW_STATUS_OK) {
            return true;
        }
        cli_error("--set: %s", message.text);
        return false;
    }
    if (strcmp(name, rotate_name) == 0) {
        def->paper.rotate = number != 0.0;
        return true;
    }
    for (int i = 0; i < ROW_COUNT; ++i) {
        if (strcmp(name, rows[i].name) != 0) { continue; }
        memcpy((char *)def + rows[i].place, &number, sizeof number);
        return true;
    }
    return tell_unknown(name);
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool cli_numbers_fit(const cli_WalkNumbers *numbers, bool is_paper)
{
    for (int i = 0; i < numbers->count; ++i) {
        const char *text = numbers->texts[i];
        if (begins(text, ornaments_prefix)) { continue; }
        if (begins(text, paper_prefix) != is_paper) { return false; }
    }
    return true;
}

bool cli_numbers_are_of(const cli_WalkNumbers *numbers, const char *prefix)
{
    for (int i = 0; i < numbers->count; ++i) {
        if (begins(numbers->texts[i], prefix)) { return true; }
    }
    return false;
}

bool cli_numbers_are_blamed(const cli_WalkNumbers *numbers, const char *message)
{
    for (int i = 0; i < numbers->count; ++i) {
        size_t length = strcspn(numbers->texts[i], "=");
        if (strncmp(message, numbers->texts[i], length) == 0 && message[length] == ' ') {
            return true;
        }
    }
    return false;
}

bool cli_set_numbers(const cli_WalkNumbers *numbers, sinew_WalkerDef *def)
{
    for (int i = 0; i < numbers->count; ++i) {
        if (!set_number(numbers->texts[i], def)) { return false; }
    }
    return true;
}
