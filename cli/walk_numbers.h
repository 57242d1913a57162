#ifndef CLI_WALK_NUMBERS_H
#define CLI_WALK_NUMBERS_H

// Public numbers of a walker by name, for trials (--set).

#include "sinew/walker.h"

enum { CLI_MOST_NUMBERS = 64 };

/// NAME=VALUE as they were given.
typedef struct cli_WalkNumbers {
    const char *texts[CLI_MOST_NUMBERS];
    int count;
} cli_WalkNumbers;

bool cli_take_number(cli_WalkNumbers *numbers, const char *text);
/// Whether all are numbers that a style has: paper, or natural.
bool cli_numbers_fit(const cli_WalkNumbers *numbers, bool is_paper);
/// Whether there is one with a prefix, such as "manner.".
bool cli_numbers_are_of(const cli_WalkNumbers *numbers, const char *prefix);
/// Whether a message is about one of them: begins with its name.
bool cli_numbers_are_blamed(const cli_WalkNumbers *numbers, const char *message);
/// Put them into the definition of a walker, which judges their values; false after a message.
bool cli_set_numbers(const cli_WalkNumbers *numbers, sinew_WalkerDef *def);

#endif
