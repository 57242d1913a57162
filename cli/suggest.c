#include "suggest.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 64 };

static int lower(char c)
{
    return tolower((unsigned char)c);
}

static size_t smallest(size_t a, size_t b)
{
    return a < b ? a : b;
}

/// Edit distance with neighbours swapped counted once, capitals ignored; words beyond the longest
/// are never close. Damerau (1964), in its form without edits between swapped letters.
static size_t edit_distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST_WORD + 1];
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST_WORD || b_length > LONGEST_WORD) { return LONGEST_WORD; }

    for (size_t j = 0; j <= b_length; ++j) { rows[0][j] = j; }
    for (size_t i = 1; i <= a_length; ++i) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3];
        const size_t *above_that = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b_length; ++j) {
            size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
            row[j] = smallest(smallest(above[j] + 1, row[j - 1] + 1), above[j - 1] + change);
            bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2])
                && lower(a[i - 2]) == lower(b[j - 1]);
            if (swapped) { row[j] = smallest(row[j], above_that[j - 2] + 1); }
        }
    }
    return rows[a_length % 3][b_length];
}

cli_Suggestion cli_suggest_begin(const char *word)
{
    // a third of the letters may be wrong, so that short words do not match everything
    cli_Suggestion suggestion = { word, NULL, 1 + strlen(word) / 3 };
    if (strlen(word) >= 3 && suggestion.best_distance < 2) { suggestion.best_distance = 2; }
    suggestion.best_distance += 1;
    return suggestion;
}

void cli_suggest_offer(cli_Suggestion *suggestion, const char *candidate)
{
    size_t distance = edit_distance(suggestion->word, candidate);
    if (distance < suggestion->best_distance) {
        suggestion->best_distance = distance;
        suggestion->best = candidate;
    }
}
