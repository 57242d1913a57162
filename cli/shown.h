#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

// Texts of files as a screen may have them: a name can hold what moves a cursor or clears a terminal.

#include <stddef.h>

/// Bytes of the UTF-8 letter at text, 0 when it is none.
int cli_utf8_length(const char *text);

/// A text with what is no letter written out: \n, \t, \r, and \x1b for other control characters and for bytes that are
/// no UTF-8. Returns its length; what has no room is left out from a whole letter on. size > 0.
size_t cli_shown(const char *text, char *out_shown, size_t size);

#endif
