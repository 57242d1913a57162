#include "file/cells.h"

#include <stdio.h>

static bool at_line_end(const snw_Text *text)
{
    return snw_text_at_end(text) || snw_is_line_end(text->data[text->at]);
}

static bool is_separator(char c)
{
    return c == ',' || c == ';';
}

bool snw_cells_next_line(snw_Text *text)
{
    for (;;) {
        snw_text_skip_space(text);
        if (snw_text_at_end(text)) { return false; }
        if (text->data[text->at] != '#') { return true; }
        while (!at_line_end(text)) { ++text->at; }
    }
}

snw_Span snw_cells_peek(snw_Text *text)
{
    snw_text_skip_blanks(text);
    snw_Span span = { text->data + text->at, 0 };
    const size_t left = text->size - text->at;
    while (span.length < left && !snw_is_space(span.start[span.length])
        && !is_separator(span.start[span.length])) {
        ++span.length;
    }
    return span;
}

snw_Span snw_cells_take(snw_Text *text)
{
    const snw_Span span = snw_cells_peek(text);
    text->at += span.length;
    snw_text_skip_blanks(text);
    if (!snw_text_at_end(text) && is_separator(text->data[text->at])) { ++text->at; }
    return span;
}

snw_CellResult snw_cells_number(snw_Text *text, double *out_value, size_t *out_at)
{
    snw_text_skip_blanks(text);
    if (at_line_end(text)) { return SNW_CELL_LINE_END; }
    const snw_Span span = snw_cells_peek(text);
    const size_t place = text->at;
    if (out_at != NULL) { *out_at = place; }
    if (span.length == 0) {
        snw_text_fail_at(text, place, "an empty cell", "a number");
        return SNW_CELL_BAD;
    }

    // the number must end where the cell ends
    snw_Text cell = *text;
    cell.size = place + span.length;
    const snw_NumberResult result = snw_text_number(&cell, out_value);
    if (result != SNW_NUMBER_OK || cell.at != cell.size) {
        char found[64];
        snprintf(
            found, sizeof found, "'%.*s'", span.length < 40 ? (int)span.length : 40, span.start);
        snw_text_fail_at(
            text, place, found, result == SNW_NUMBER_NOT_FINITE ? "a finite number" : "a number");
        return SNW_CELL_BAD;
    }
    snw_cells_take(text);
    return SNW_CELL_NUMBER;
}
