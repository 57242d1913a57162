#ifndef CLI_WALK_MANNER_H
#define CLI_WALK_MANNER_H

// Whose walk it is, as the command line says it.

#include "sinew/manner.h"

typedef struct cli_MannerText {
    const char *names; ///< "plain", or traits with strengths, or a file of them; NULL
    const char *like;  ///< a recorded walk; NULL
    double lively;     ///< below 0: not said
} cli_MannerText;

/// The walk that a manner was learned from; stride_count 0: none.
typedef struct cli_Learned {
    int stride_count;
    double stride, cadence, speed; ///< metres, steps a minute, m/s
} cli_Learned;

/// The manner, and what it was learned from. CLI_DONE, or another exit code after a message.
int cli_read_manner(
    const cli_MannerText *text, uint64_t seed, sinew_Manner *out_manner, cli_Learned *out_learned);

/// Text for --manner in a command's list of options.
#define CLI_MANNER_NAMES                                                                      \
    "or\nold, tired, heavy, child, bad_back, limp_left, limp_right, happy, sad, angry, with " \
    "strengths\n(old=0.5), joined by commas; or a file of them"

#endif
