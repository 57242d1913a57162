#ifndef SNW_CELLS_H
#define SNW_CELLS_H

// Tables of numbers as text: lines of cells that are parted by white space, commas or semicolons.

#include "file/text.h"

/// Go to the next line with content; blank lines and lines that begin with # are skipped. False at
/// the end of the text.
bool snw_cells_next_line(snw_Text *text);

typedef enum snw_CellResult {
    SNW_CELL_NUMBER,
    SNW_CELL_LINE_END, ///< none left in this line; a comma at its end is put up with
    SNW_CELL_BAD       ///< the message says why
} snw_CellResult;

/// The next number of this line. *out_at (may be NULL) is its place.
snw_CellResult snw_cells_number(snw_Text *text, double *out_value, size_t *out_at);

/// The characters up to the next separator or the end of the line, nothing is taken.
snw_Span snw_cells_peek(snw_Text *text);
/// The same, taken, with the separator behind it.
snw_Span snw_cells_take(snw_Text *text);

#endif
