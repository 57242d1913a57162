#ifndef PICTURES_CANVAS_H
#define PICTURES_CANVAS_H

// A page to draw on that becomes a PNG, SVG or PDF file, with the colours and letters of all
// pictures.

#include "pictures/pictures.h"

#include <cairo.h>

typedef struct snw_Color {
    double r, g, b;
} snw_Color;

extern const snw_Color SNW_PAPER, SNW_INK, SNW_QUIET, SNW_FAINT, SNW_TARGET, SNW_MEAN, SNW_WORST;

/// Colours of curves, of trails and of limbs that have no side.
#define SNW_CURVE_COUNT 6
extern const snw_Color SNW_CURVES[SNW_CURVE_COUNT];

snw_Color snw_color_mix(snw_Color a, snw_Color b, double t);
void snw_color_set(cairo_t *cr, snw_Color color, double alpha);

typedef struct snw_Canvas snw_Canvas;

/// Start a page of that size; the ending of path decides the format.
sinew_Status snw_canvas_open(
    const char *path, int width, int height, snw_Canvas **out_canvas, sinew_Message *out_message);

cairo_t *snw_canvas_cairo(snw_Canvas *canvas);

/// Finish the page, write it to a temporary file and rename that. The canvas is gone afterwards,
/// whatever happens.
sinew_Status snw_canvas_close(snw_Canvas *canvas, sinew_Message *out_message);

/// Throw the page away without writing anything.
void snw_canvas_abandon(snw_Canvas *canvas);

/// After drawing: close the canvas, or throw it away where drawing ran out of memory.
sinew_Status snw_canvas_finish(snw_Canvas *canvas, sinew_Status drawn, sinew_Message *out_message);

/// A name beside path that no file has yet, and the file opened for writing. The caller frees it.
/// NULL on failure, with errno set.
char *snw_temporary_open(const char *path, int *out_descriptor);
/// After it was renamed or unlinked: frees the name.
void snw_temporary_done(char *name);

/// Whether path ends in that ending (".png"), capitals aside.
bool snw_path_ends(const char *path, const char *ending);

typedef enum snw_Align {
    SNW_ALIGN_LEFT,
    SNW_ALIGN_CENTER,
    SNW_ALIGN_RIGHT,
} snw_Align;

/// Letters that look the same wherever the same font is installed.
void snw_text_prepare(cairo_t *cr);

/// One line of text with its baseline at y, shortened with an ellipsis where it is wider than
/// limit (<= 0: no limit). Bytes that are no UTF-8 become '?'. Returns the width drawn.
double snw_text_draw(cairo_t *cr, double x, double y, double size, bool bold, snw_Align align,
    double limit, const char *text);

/// A title with its baseline at y, and a smaller subtitle below it, each within its limit; NULL: none.
void snw_titles_draw(cairo_t *cr, double x, double y, double size, const char *title,
    double title_limit, const char *subtitle, double subtitle_limit);

double snw_text_width(cairo_t *cr, double size, bool bold, const char *text);

#endif
