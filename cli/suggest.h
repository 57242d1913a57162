#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

// "Did you mean ...": the known word that is closest to a mistyped one.

#include <stdbool.h>
#include <stddef.h>

/// Collects the best candidate. Start with cli_suggest_begin, offer all, read best (NULL: none).
typedef struct cli_Suggestion {
    const char *word;
    const char *best;
    size_t best_distance;
} cli_Suggestion;

cli_Suggestion cli_suggest_begin(const char *word);
void cli_suggest_offer(cli_Suggestion *suggestion, const char *candidate);

#endif
