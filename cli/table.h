#ifndef CLI_TABLE_H
#define CLI_TABLE_H

// Text tables for people: columns as wide as their longest cell, numbers to the right.

#include <stdbool.h>
#include <stddef.h>

enum { CLI_TABLE_COLUMNS = 16, CLI_TABLE_CELL = 96, CLI_TABLE_TEXT = 1024 };

typedef struct cli_Table {
    int columns;
    bool right[CLI_TABLE_COLUMNS]; ///< columns of numbers
    size_t row_count, capacity;
    char (*cells)[CLI_TABLE_CELL]; ///< row_count x columns
    int filled;                    ///< cells of the row that is being filled
    bool failed;                   ///< out of memory; rows are missing
} cli_Table;

/// alignment has one letter for each column: l or r; at most CLI_TABLE_COLUMNS.
cli_Table cli_table_begin(const char *alignment);
/// The next cell; a full row begins the next one. Longer texts are cut, and what is no letter is written out (shown.h).
void cli_table_cell(cli_Table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Print to stdout with the indent in front of each line, and give the memory back.
void cli_table_end(cli_Table *table, const char *indent);

/// Letters of a UTF-8 text as it stands on a screen, bytes beyond ASCII counted once a letter.
int cli_text_width(const char *text);

#endif
