#include "pictures/plot.h"

#include "base/message.h"

#include <math.h>
#include <stdio.h>

// One axis of a plot: values between low and high go to pixels between start and end.
typedef struct Axis {
    bool logarithmic;
    double low, high;
    double start, end;
    double ticks[24];
    int tick_count;
} Axis;

static double place_on(const Axis *axis, double value)
{
    double low = axis->low, high = axis->high;
    if (axis->logarithmic) {
        // what lies below the axis runs along it
        value = log10(fmax(value, low));
        low = log10(low);
        high = log10(high);
    }
    return axis->start + (axis->end - axis->start) * (value - low) / (high - low);
}

static bool can_show(const Axis *axis, double value)
{
    return isfinite(value) && fabs(value) < 1e300 && !(axis->logarithmic && value < 0.0);
}

// ---------------------------------------------------------------------------------------------
// Ranges and ticks

static double value_of(const picture_Series *series, int i, bool of_x)
{
    if (of_x) { return series->x ? series->x[i] : (double)i; }
    return series->y[i];
}

// decades of a logarithmic axis at most; fewer when less than one number of this many lies in the
// lowest of them
#define MOST_DECADES 5
#define LONELY 200

typedef struct Spread {
    double low, high, least_positive;
    int count;
    // numbers that are not positive, and those at least k decades below the largest
    int not_positive, below[MOST_DECADES + 1];
} Spread;

static bool usable_number(double value)
{
    return isfinite(value) && fabs(value) < 1e300;
}

static Spread measure_spread(const picture_Plot *plot, bool of_x)
{
    Spread spread = { INFINITY, -INFINITY, INFINITY, 0, 0, { 0 } };
    for (int pass = 0; pass < 2; ++pass) {
        for (int s = 0; s < plot->series_count; ++s) {
            for (int i = 0; i < plot->series[s].count; ++i) {
                double value = value_of(&plot->series[s], i, of_x);
                if (!usable_number(value)) { continue; }
                if (pass == 0) {
                    spread.low = fmin(spread.low, value);
                    spread.high = fmax(spread.high, value);
                    if (value > 0.0) { spread.least_positive = fmin(spread.least_positive, value); }
                    spread.not_positive += !(value > 0.0);
                    ++spread.count;
                    continue;
                }
                double bound = spread.high;
                for (int k = 0; k <= MOST_DECADES; ++k, bound *= 0.1) {
                    spread.below[k] += value <= bound;
                }
            }
        }
    }
    return spread;
}

static void find_range(const picture_Plot *plot, bool of_x, picture_Scale scale, Axis *axis)
{
    Spread spread = measure_spread(plot, of_x);
    // a few numbers far below, as of a first frame that is met exactly, decide nothing
    bool spans = spread.low >= 0.0 && spread.high > 0.0 && spread.below[2] > spread.count / LONELY;
    bool positive = spread.not_positive <= spread.count / LONELY;
    axis->logarithmic = (scale == PICTURE_SCALE_LOG && isfinite(spread.least_positive))
        || (scale == PICTURE_SCALE_AUTO && positive && spans);
    axis->low = spread.low;
    axis->high = spread.high;
    if (axis->logarithmic) {
        int decades = MOST_DECADES;
        while (decades > 1 && spread.below[decades - 1] <= spread.count / LONELY) { --decades; }
        axis->low = spread.least_positive;
        if (!of_x) { axis->low = fmax(axis->low, spread.high * pow(10.0, -decades)); }
    }
    if (!(axis->low <= axis->high)) {
        axis->low = 0.0;
        axis->high = 1.0;
    }
}

// 1, 2 or 5 times a power of ten, at least that large
static double round_step(double want)
{
    double decade = pow(10.0, floor(log10(want)));
    double rest = want / decade;
    return decade
        * (rest <= 1.0 + 1e-9        ? 1.0
                : rest <= 2.0 + 1e-9 ? 2.0
                : rest <= 5.0 + 1e-9 ? 5.0
                                     : 10.0);
}

// whole decades, and ticks on as many of them as there is room for
static void settle_logarithmic(Axis *axis, int room)
{
    int low = (int)floor(log10(axis->low) + 1e-9), high = (int)ceil(log10(axis->high) - 1e-9);
    if (high <= low) { high = low + 1; }
    int step = 1;
    while ((high - low) / step + 1 > room) { ++step; }
    axis->low = pow(10.0, low);
    axis->high = pow(10.0, high);
    axis->tick_count = 0;
    for (int e = low; e <= high && axis->tick_count < 24; e += step) {
        axis->ticks[axis->tick_count++] = pow(10.0, e);
    }
}

// open: the range ends at ticks; otherwise it ends where the numbers do
static void settle_linear(Axis *axis, int room, bool from_zero, bool open)
{
    if (from_zero && axis->low > 0.0) { axis->low = 0.0; }
    if (from_zero && axis->high < 0.0) { axis->high = 0.0; }
    double range = axis->high - axis->low;
    double large = fmax(fabs(axis->low), fabs(axis->high));
    if (!(range > 1e-12 * large) || range < 1e-290) {
        // one value alone is put in the middle
        double half = large > 0.0 ? 0.5 * large : 0.5;
        axis->low -= from_zero && axis->low == 0.0 ? 0.0 : half;
        axis->high += half;
        range = axis->high - axis->low;
    }
    double step = round_step(range / room);
    double first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
    if (open) {
        first = floor(axis->low / step + 1e-9);
        last = ceil(axis->high / step - 1e-9);
        axis->low = first * step;
        axis->high = last * step;
    }
    axis->tick_count = 0;
    for (double k = first; k <= last && axis->tick_count < 24; k += 1.0) {
        axis->ticks[axis->tick_count++] = k * step;
    }
}

static void format_tick(const Axis *axis, double value, char *out, size_t size)
{
    static const char *const digits[10] = { "\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
        "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    double magnitude = fabs(value);
    bool far = magnitude > 0.0 && (magnitude < 0.9e-3 || magnitude >= 1e6);
    if (!axis->logarithmic || !far) {
        // ticks next to a step of their own size are zero
        double step = axis->tick_count > 1 ? fabs(axis->ticks[1] - axis->ticks[0]) : 0.0;
        snprintf(out, size, "%.6g", magnitude < 1e-9 * step ? 0.0 : value);
        return;
    }
    int exponent = (int)lround(log10(value));
    int absolute = exponent < 0 ? -exponent : exponent;
    snprintf(out, size, "10%s%s%s%s", exponent < 0 ? "\u207b" : "",
        absolute >= 100 ? digits[absolute / 100 % 10] : "",
        absolute >= 10 ? digits[absolute / 10 % 10] : "", digits[absolute % 10]);
}

// ---------------------------------------------------------------------------------------------
// Drawing

static void draw_axes(
    cairo_t *cr, const picture_Plot *plot, const Axis *x, const Axis *y, double text)
{
    char label[64];
    double left = x->start, right = x->end, bottom = y->start;
    cairo_set_line_width(cr, 0.8);
    for (int i = 0; i < y->tick_count; ++i) {
        double at = floor(place_on(y, y->ticks[i])) + 0.5;
        // the axis itself comes later
        snw_color_set(cr, SNW_FAINT, at > bottom - 1.0 ? 0.0 : 1.0);
        cairo_new_path(cr);
        cairo_move_to(cr, left, at);
        cairo_line_to(cr, right, at);
        cairo_stroke(cr);
        format_tick(y, y->ticks[i], label, sizeof label);
        snw_color_set(cr, SNW_QUIET, 1.0);
        snw_text_draw(
            cr, left - 0.6 * text, at + 0.35 * text, text, false, SNW_ALIGN_RIGHT, 0.0, label);
    }

    double base = floor(bottom) + 0.5;
    snw_color_set(cr, SNW_QUIET, 0.9);
    cairo_set_line_width(cr, 1.0);
    cairo_new_path(cr);
    cairo_move_to(cr, left, base);
    cairo_line_to(cr, right, base);
    cairo_stroke(cr);
    double end_label = plot->x_label ? snw_text_width(cr, text, false, plot->x_label) : 0.0;
    for (int i = 0; i < x->tick_count; ++i) {
        double at = place_on(x, x->ticks[i]);
        if (plot->is_map) {
            snw_color_set(cr, SNW_FAINT, 1.0);
            cairo_new_path(cr);
            cairo_move_to(cr, floor(at) + 0.5, base);
            cairo_line_to(cr, floor(at) + 0.5, y->end);
            cairo_stroke(cr);
            snw_color_set(cr, SNW_QUIET, 0.9);
        }
        cairo_new_path(cr);
        cairo_move_to(cr, at, base);
        cairo_line_to(cr, at, base + 0.35 * text);
        cairo_stroke(cr);
        format_tick(x, x->ticks[i], label, sizeof label);
        // the name of the axis stands at its end, in the row of the ticks
        double half = 0.5 * snw_text_width(cr, text, false, label);
        if (at + half > right - end_label - text && end_label > 0.0) { continue; }
        snw_text_draw(cr, at, base + 1.6 * text, text, false, SNW_ALIGN_CENTER, 0.0, label);
    }
    if (plot->x_label) {
        snw_text_draw(cr, right, base + 1.6 * text, text, false, SNW_ALIGN_RIGHT, right - left,
            plot->x_label);
    }
}

// Curves with many more points than pixels are drawn by the extremes of each column.
typedef struct Column {
    double x, first, low, high, last;
    int count;
} Column;

static void flush_column(cairo_t *cr, const Column *column, bool *is_open)
{
    if (column->count == 0) { return; }
    if (*is_open) {
        cairo_line_to(cr, column->x, column->first);
    } else {
        cairo_move_to(cr, column->x, column->first);
    }
    *is_open = true;
    if (column->count > 1) {
        cairo_line_to(cr, column->x, column->low);
        cairo_line_to(cr, column->x, column->high);
        cairo_line_to(cr, column->x, column->last);
    }
}

static void trace_series(
    cairo_t *cr, const picture_Series *series, int start, int end, const Axis *x, const Axis *y)
{
    const bool dense = series->count > 2.0 * fabs(x->end - x->start);
    Column column = { 0.0, 0.0, 0.0, 0.0, 0.0, 0 };
    bool is_open = false;
    for (int i = start; i < end; ++i) {
        double vx = value_of(series, i, true), vy = series->y[i];
        if (!can_show(x, vx) || !can_show(y, vy)) {
            flush_column(cr, &column, &is_open);
            column.count = 0;
            is_open = false;
            continue;
        }
        double px = place_on(x, vx), py = place_on(y, vy);
        if (dense && column.count > 0 && floor(px) == floor(column.x)) {
            column.low = fmin(column.low, py);
            column.high = fmax(column.high, py);
            column.last = py;
            ++column.count;
            continue;
        }
        flush_column(cr, &column, &is_open);
        Column next = { px, py, py, py, py, 1 };
        column = next;
    }
    flush_column(cr, &column, &is_open);
}

static void fill_below(
    cairo_t *cr, const picture_Series *series, const Axis *x, const Axis *y, snw_Color color)
{
    // each unbroken run of points is closed along the axis
    int i = 0;
    while (i < series->count) {
        int start = i;
        while (i < series->count && can_show(x, value_of(series, i, true))
            && can_show(y, series->y[i])) {
            ++i;
        }
        if (i - start > 1) {
            double first = place_on(x, value_of(series, start, true));
            double last = place_on(x, value_of(series, i - 1, true));
            cairo_new_path(cr);
            trace_series(cr, series, start, i, x, y);
            cairo_line_to(cr, last, y->start);
            cairo_line_to(cr, first, y->start);
            cairo_close_path(cr);
            snw_color_set(cr, color, 0.16);
            cairo_fill(cr);
        }
        ++i;
    }
}

static void draw_series(cairo_t *cr, const picture_Series *series, const Axis *x, const Axis *y,
    snw_Color color, double text)
{
    if (series->filled) { fill_below(cr, series, x, y, color); }
    snw_color_set(cr, color, 1.0);
    cairo_set_line_width(cr, 0.12 * text);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    const double dashes[2] = { 0.7 * text, 0.45 * text };
    cairo_set_dash(cr, dashes, series->dashed ? 2 : 0, 0.0);
    cairo_new_path(cr);
    if (!series->no_line) { trace_series(cr, series, 0, series->count, x, y); }
    cairo_stroke(cr);
    cairo_set_dash(cr, NULL, 0, 0.0);

    // a point alone is no line; dots show it
    for (int i = 0; (series->dots || series->count == 1) && i < series->count; ++i) {
        double vx = value_of(series, i, true);
        if (!can_show(x, vx) || !can_show(y, series->y[i])) { continue; }
        cairo_new_path(cr);
        cairo_arc(cr, place_on(x, vx), place_on(y, series->y[i]), 0.24 * text, 0.0, 2.0 * SINEW_PI);
        cairo_fill(cr);
    }
}

static void draw_names(
    cairo_t *cr, const picture_Series *series, const Axis *x, const Axis *y, double text)
{
    for (int i = 0; series->names && i < series->count; ++i) {
        double vx = value_of(series, i, true), vy = series->y[i];
        if (!series->names[i] || !can_show(x, vx) || !can_show(y, vy)) { continue; }
        double px = place_on(x, vx), py = place_on(y, vy);
        // what would leave the plot stands on the other side
        double width = snw_text_width(cr, text, false, series->names[i]);
        bool fits = px + width + 0.6 * text <= x->end;
        cairo_new_path(cr);
        cairo_move_to(cr, fits ? px + 0.55 * text : px - 0.55 * text - width, py - 0.45 * text);
        cairo_text_path(cr, series->names[i]);
        snw_color_set(cr, SNW_PAPER, 0.9);
        cairo_set_line_width(cr, 0.3 * text);
        cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
        cairo_stroke(cr);
        snw_color_set(cr, SNW_INK, 1.0);
        snw_text_draw(cr, fits ? px + 0.55 * text : px - 0.55 * text, py - 0.45 * text, text, false,
            fits ? SNW_ALIGN_LEFT : SNW_ALIGN_RIGHT, 0.0, series->names[i]);
    }
}

static snw_Color series_color(int i)
{
    return SNW_CURVES[i % SNW_CURVE_COUNT];
}

// labels in a row that ends at the right; returns where it starts
static double draw_legend(
    cairo_t *cr, const picture_Plot *plot, double left, double right, double y, double text)
{
    double x = right;
    for (int s = plot->series_count - 1; s >= 0; --s) {
        const char *label = plot->series[s].label;
        if (!label || !*label) { continue; }
        double width = fmin(snw_text_width(cr, text, false, label), 0.4 * (right - left));
        if (x - width - 2.0 * text < left) { break; }
        snw_color_set(cr, SNW_INK, 1.0);
        snw_text_draw(cr, x, y, text, false, SNW_ALIGN_RIGHT, width + 0.5, label);
        x -= width + 0.5 * text;
        snw_color_set(cr, series_color(s), 1.0);
        cairo_set_line_width(cr, 0.22 * text);
        cairo_new_path(cr);
        cairo_move_to(cr, x - 1.3 * text, y - 0.36 * text);
        cairo_line_to(cr, x, y - 0.36 * text);
        cairo_stroke(cr);
        x -= 2.6 * text;
    }
    return x;
}

// room around what a map shows, as a share of it
#define MAP_MARGIN 0.06

// widen the axis that has more pixels for each of its units
static void settle_map(Axis *x, Axis *y, int x_room, int y_room)
{
    Axis *axes[2] = { x, y };
    double least = INFINITY;
    for (int i = 0; i < 2; ++i) {
        double around = fmax(MAP_MARGIN * (axes[i]->high - axes[i]->low), 1e-12);
        axes[i]->low -= around;
        axes[i]->high += around;
        least = fmin(least, fabs(axes[i]->end - axes[i]->start) / (axes[i]->high - axes[i]->low));
    }
    for (int i = 0; i < 2; ++i) {
        double half = 0.5 * fabs(axes[i]->end - axes[i]->start) / least;
        double middle = 0.5 * (axes[i]->low + axes[i]->high);
        axes[i]->low = middle - half;
        axes[i]->high = middle + half;
        settle_linear(axes[i], i == 0 ? x_room : y_room, false, false);
    }
}

static void draw_marks(cairo_t *cr, snw_Marks marks, const Axis *x, const Axis *y, double text)
{
    snw_color_set(cr, SNW_QUIET, 0.55);
    for (int i = 0; i < marks.count; ++i) {
        if (!can_show(x, marks.x[i]) || marks.x[i] < x->low || marks.x[i] > x->high) { continue; }
        double at = place_on(x, marks.x[i]), r = 0.28 * text;
        cairo_new_path(cr);
        cairo_move_to(cr, at, y->start - 0.2 * text);
        cairo_line_to(cr, at - r, y->start - 0.2 * text - 1.6 * r);
        cairo_line_to(cr, at + r, y->start - 0.2 * text - 1.6 * r);
        cairo_close_path(cr);
        cairo_fill(cr);
    }
}

void snw_plot_draw(
    cairo_t *cr, const picture_Plot *plot, snw_Rect rect, double text, snw_Marks marks)
{
    // a head line with the title and the legend, then the plot
    double head = rect.y + 1.15 * text;
    double legend_start = draw_legend(
        cr, plot, rect.x + 0.25 * rect.width, rect.x + rect.width, head, text);
    snw_color_set(cr, SNW_INK, 1.0);
    double limit = legend_start - rect.x - text;
    if (plot->title && limit > text) {
        snw_text_draw(cr, rect.x, head, 1.15 * text, true, SNW_ALIGN_LEFT, limit, plot->title);
    }
    double top = rect.y + 2.3 * text;
    if (plot->y_label) {
        snw_color_set(cr, SNW_QUIET, 1.0);
        top += 1.5 * text;
        snw_text_draw(
            cr, rect.x, top - 0.7 * text, text, false, SNW_ALIGN_LEFT, rect.width, plot->y_label);
    }

    Axis x = { 0 }, y = { 0 };
    y.start = floor(rect.y + rect.height - 2.2 * text);
    y.end = top + 0.3 * text;
    int room = (int)fmin(fmax((y.start - y.end) / (2.6 * text), 1.0), 12.0);
    const int y_room = room;
    find_range(plot, false, plot->is_map ? PICTURE_SCALE_LINEAR : plot->y_scale, &y);
    const double low = y.low, high = y.high;
    if (y.logarithmic) {
        settle_logarithmic(&y, room + 1);
    } else {
        settle_linear(&y, room, plot->y_from_zero, true);
    }

    // the widest label decides where the plot starts
    double widest = 0.0;
    for (int i = 0; i < y.tick_count; ++i) {
        char label[64];
        format_tick(&y, y.ticks[i], label, sizeof label);
        widest = fmax(widest, snw_text_width(cr, text, false, label));
    }
    x.start = rect.x + widest + 0.8 * text;
    x.end = rect.x + rect.width;
    room = (int)fmin(fmax((x.end - x.start) / (5.5 * text), 1.0), 14.0);
    const bool is_linear = plot->x_scale == PICTURE_SCALE_AUTO || plot->is_map;
    find_range(plot, true, is_linear ? PICTURE_SCALE_LINEAR : plot->x_scale, &x);
    if (plot->is_map) {
        y.low = low;
        y.high = high;
        settle_map(&x, &y, room, y_room);
    } else if (x.logarithmic) {
        settle_logarithmic(&x, room + 1);
    } else {
        settle_linear(&x, room, false, false);
    }

    draw_axes(cr, plot, &x, &y, text);
    draw_marks(cr, marks, &x, &y, text);
    for (int s = 0; s < plot->series_count; ++s) {
        draw_series(cr, &plot->series[s], &x, &y, series_color(s), text);
    }
    for (int s = 0; s < plot->series_count; ++s) { draw_names(cr, &plot->series[s], &x, &y, text); }
}

// ---------------------------------------------------------------------------------------------
// Files

sinew_Status snw_size_check(int width, int height, int least, int most, sinew_Message *out_message)
{
    if (width < least || width > most || height < least || height > most) {
        return snw_fail(out_message, SINEW_STATUS_INVALID_ARGUMENT,
            "the picture's size is %d x %d, want %d to %d pixels on each side", width, height,
            least, most);
    }
    return SINEW_STATUS_OK;
}

picture_Plot picture_plot_default(void)
{
    picture_Plot plot = { 0 };
    plot.y_from_zero = true;
    plot.width = 900;
    plot.height = 540;
    return plot;
}

sinew_Status picture_plot_write(
    const picture_Plot *plot, const char *path, sinew_Message *out_message)
{
    if (!plot || !path || plot->series_count < 0 || (plot->series_count > 0 && !plot->series)) {
        return snw_fail(
            out_message, SINEW_STATUS_INVALID_ARGUMENT, "a plot needs series and a path");
    }
    for (int s = 0; s < plot->series_count; ++s) {
        if (plot->series[s].count < 0 || (plot->series[s].count > 0 && !plot->series[s].y)) {
            return snw_fail(
                out_message, SINEW_STATUS_INVALID_ARGUMENT, "series[%d].y is missing", s);
        }
    }
    sinew_Status status = snw_size_check(plot->width, plot->height, 64, 8000, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    snw_Canvas *canvas;
    status = snw_canvas_open(path, plot->width, plot->height, &canvas, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    double text = fmin(fmax(0.5 * (plot->width / 60.0 + plot->height / 36.0), 7.0), 40.0);
    snw_Rect rect = { 1.6 * text, 1.4 * text, plot->width - 3.6 * text, plot->height - 2.4 * text };
    snw_Marks none = { NULL, 0 };
    snw_plot_draw(snw_canvas_cairo(canvas), plot, rect, text, none);
    return snw_canvas_close(canvas, out_message);
}
