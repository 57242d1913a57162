#ifndef PICTURES_FIGURE_H
#define PICTURES_FIGURE_H

// A posed character on a page: lit quickly, cut out, and laid over what the page has there.

#include "pictures/character.h"
#include "pictures/shade.h"
#include "pictures/things.h"

/// How a figure is drawn.
typedef struct snw_FigureStyle {
    /// 0 drawn fully, 1 gone into the paper.
    double fade;
    /// Of one pale colour.
    bool ghost;
} snw_FigureStyle;

/// things: what stands beside it, or NULL.
sinew_Status snw_figure_draw(cairo_t *cr, const snw_Camera *camera, const snw_Character *character,
    const snw_Things *things, snw_FigureStyle style);

#endif
