#include "table.h"

#include "shown.h"

#include "base/assert.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cli_Table cli_table_begin(const char *alignment)
{
    cli_Table table;
    memset(&table, 0, sizeof table);
    table.columns = (int)strlen(alignment);
    SNW_ASSERT(table.columns <= CLI_TABLE_COLUMNS);
    for (int i = 0; i < table.columns; ++i) { table.right[i] = alignment[i] == 'r'; }
    return table;
}

static bool reserve_row(cli_Table *table)
{
    if (table->row_count < table->capacity) { return true; }
    size_t capacity = table->capacity == 0 ? 16 : 2 * table->capacity;
    void *cells = realloc(table->cells, capacity * (size_t)table->columns * CLI_TABLE_CELL);
    if (cells == NULL) {
        table->failed = true;
        return false;
    }
    table->cells = cells;
    table->capacity = capacity;
    return true;
}

void cli_table_cell(cli_Table *table, const char *format, ...)
{
    if (table->failed || !reserve_row(table)) { return; }
    size_t row = table->row_count * (size_t)table->columns;
    char *cell = table->cells[row + (size_t)table->filled];
    va_list arguments;
    va_start(arguments, format);
    char text[CLI_TABLE_TEXT];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_shown(text, cell, CLI_TABLE_CELL);

    table->filled += 1;
    if (table->filled == table->columns) {
        table->filled = 0;
        table->row_count += 1;
    }
}

int cli_text_width(const char *text)
{
    int width = 0;
    for (const char *c = text; *c != '\0'; ++c) {
        if (((unsigned char)*c & 0xc0) != 0x80) { width += 1; }
    }
    return width;
}

void cli_table_end(cli_Table *table, const char *indent)
{
    int widths[CLI_TABLE_COLUMNS] = { 0 };
    for (size_t r = 0; r < table->row_count; ++r) {
        for (int c = 0; c < table->columns; ++c) {
            int width = cli_text_width(table->cells[r * (size_t)table->columns + (size_t)c]);
            if (width > widths[c]) { widths[c] = width; }
        }
    }
    for (size_t r = 0; r < table->row_count; ++r) {
        fputs(indent, stdout);
        for (int c = 0; c < table->columns; ++c) {
            const char *cell = table->cells[r * (size_t)table->columns + (size_t)c];
            int space = widths[c] - cli_text_width(cell);
            bool last = c + 1 == table->columns;
            if (table->right[c]) { printf("%*s", space, ""); }
            fputs(cell, stdout);
            if (!last) { printf("%*s", table->right[c] ? 2 : space + 2, ""); }
        }
        putchar('\n');
    }
    free(table->cells);
    memset(table, 0, sizeof *table);
}
