#ifndef PICTURES_PLOT_H
#define PICTURES_PLOT_H

#include "pictures/camera.h"
#include "pictures/canvas.h"

/// Moments that are marked on the x axis.
typedef struct snw_Marks {
    const double *x;
    int count;
} snw_Marks;

/// Draw a plot into a rectangle of the page; text is the size of its letters in pixels.
void snw_plot_draw(
    cairo_t *cr, const picture_Plot *plot, snw_Rect rect, double text, snw_Marks marks);

/// Whether the definition can be drawn.
sinew_Status snw_size_check(int width, int height, int least, int most, sinew_Message *out_message);

#endif
