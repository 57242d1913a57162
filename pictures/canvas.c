#include "pictures/canvas.h"

#include "base/message.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const snw_Color SNW_PAPER = { 0.984, 0.980, 0.972 };
const snw_Color SNW_INK = { 0.145, 0.160, 0.185 };
const snw_Color SNW_QUIET = { 0.435, 0.455, 0.485 };
const snw_Color SNW_FAINT = { 0.865, 0.855, 0.835 };
const snw_Color SNW_TARGET = { 0.840, 0.145, 0.330 };
const snw_Color SNW_MEAN = { 0.205, 0.435, 0.640 };
const snw_Color SNW_WORST = { 0.850, 0.420, 0.250 };

const snw_Color SNW_CURVES[SNW_CURVE_COUNT] = {
    { 0.235, 0.470, 0.680 },
    { 0.865, 0.450, 0.270 },
    { 0.250, 0.580, 0.500 },
    { 0.560, 0.400, 0.640 },
    { 0.800, 0.620, 0.200 },
    { 0.420, 0.450, 0.500 },
};

// longest line of text, bytes
#define MAX_TEXT 512

typedef enum Format { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF } Format;

typedef struct Bytes {
    unsigned char *data;
    size_t count, capacity;
} Bytes;

struct snw_Canvas {
    Format format;
    char *path;
    cairo_surface_t *surface;
    cairo_t *cr;
    Bytes bytes;
};

snw_Color snw_color_mix(snw_Color a, snw_Color b, double t)
{
    snw_Color r = { a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t };
    return r;
}

void snw_color_set(cairo_t *cr, snw_Color color, double alpha)
{
    cairo_set_source_rgba(cr, color.r, color.g, color.b, alpha);
}

bool snw_path_ends(const char *path, const char *ending)
{
    size_t length = strlen(path), want = strlen(ending);
    if (length < want) { return false; }
    for (size_t i = 0; i < want; ++i) {
        if (tolower((unsigned char)path[length - want + i]) != ending[i]) { return false; }
    }
    return true;
}

static cairo_status_t append_bytes(void *closure, const unsigned char *data, unsigned int count)
{
    Bytes *bytes = closure;
    if (count == 0) { return CAIRO_STATUS_SUCCESS; }
    if (bytes->data == NULL || bytes->count + count > bytes->capacity) {
        size_t capacity = 2 * (bytes->count + count) + 4096;
        unsigned char *grown = realloc(bytes->data, capacity);
        if (!grown) { return CAIRO_STATUS_NO_MEMORY; }
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    memcpy(bytes->data + bytes->count, data, count);
    bytes->count += count;
    return CAIRO_STATUS_SUCCESS;
}

void snw_canvas_abandon(snw_Canvas *canvas)
{
    if (canvas->cr) { cairo_destroy(canvas->cr); }
    if (canvas->surface) { cairo_surface_destroy(canvas->surface); }
    free(canvas->bytes.data);
    free(canvas->path);
    free(canvas);
}

static cairo_surface_t *make_surface(snw_Canvas *canvas, int width, int height)
{
    switch (canvas->format) {
    case FORMAT_SVG:
        return cairo_svg_surface_create_for_stream(append_bytes, &canvas->bytes, width, height);
    case FORMAT_PDF: {
        cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
            append_bytes, &canvas->bytes, width, height);
        // a fixed date, so that the same picture has the same bytes
        cairo_pdf_surface_set_metadata(
            surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
        return surface;
    }
    case FORMAT_PNG: break;
    }
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
}

sinew_Status snw_canvas_open(
    const char *path, int width, int height, snw_Canvas **out_canvas, sinew_Message *out_message)
{
    *out_canvas = NULL;
    snw_Canvas *canvas = calloc(1, sizeof *canvas);
    if (!canvas) { return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY, "out of memory"); }

    if (snw_path_ends(path, ".png")) {
        canvas->format = FORMAT_PNG;
    } else if (snw_path_ends(path, ".svg")) {
        canvas->format = FORMAT_SVG;
    } else if (snw_path_ends(path, ".pdf")) {
        canvas->format = FORMAT_PDF;
    } else {
        snw_canvas_abandon(canvas);
        return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
            "%s: found an unknown ending, expected .png, .svg or .pdf", path);
    }

    canvas->path = malloc(strlen(path) + 1);
    if (canvas->path) {
        strcpy(canvas->path, path);
        canvas->surface = make_surface(canvas, width, height);
        canvas->cr = cairo_create(canvas->surface);
    }
    if (!canvas->path || cairo_status(canvas->cr) != CAIRO_STATUS_SUCCESS) {
        snw_canvas_abandon(canvas);
        return snw_fail(out_message, SINEW_STATUS_OUT_OF_MEMORY,
            "%s: no memory for a page of %d x %d", path, width, height);
    }
    snw_text_prepare(canvas->cr);
    snw_color_set(canvas->cr, SNW_PAPER, 1.0);
    cairo_paint(canvas->cr);
    *out_canvas = canvas;
    return SINEW_STATUS_OK;
}

cairo_t *snw_canvas_cairo(snw_Canvas *canvas)
{
    return canvas->cr;
}

// the length of a name with a number, as a quote or a hash in front of it says; 0: none is here
static size_t name_length(const Bytes *bytes, size_t at)
{
    static const char *const words[2] = { "surface", "image" };
    if (at == 0 || (bytes->data[at - 1] != '"' && bytes->data[at - 1] != '#')) { return 0; }
    for (int i = 0; i < 2; ++i) {
        const size_t length = strlen(words[i]);
        if (at + length < bytes->count && memcmp(bytes->data + at, words[i], length) == 0
            && isdigit(bytes->data[at + length])) {
            return length;
        }
    }
    return 0;
}

// cairo counts "surfaceN" and "imageN" over the life of the process; counted from 1 in each file, the
// same picture has the same bytes (text is drawn as outlines, and images hold neither quote nor hash)
static bool renumber_surfaces(Bytes *bytes)
{
    Bytes out = { NULL, 0, 0 };
    unsigned long known[256];
    size_t known_count = 0;

    for (size_t i = 0; i < bytes->count;) {
        const size_t length = name_length(bytes, i);
        if (length == 0) {
            if (append_bytes(&out, bytes->data + i, 1) != CAIRO_STATUS_SUCCESS) { break; }
            ++i;
            continue;
        }
        append_bytes(&out, bytes->data + i, (unsigned int)length);
        unsigned long number = 0;
        for (i += length; i < bytes->count && isdigit(bytes->data[i]); ++i) {
            number = number * 10 + (unsigned long)(bytes->data[i] - '0');
        }
        size_t place = 0;
        while (place < known_count && known[place] != number) { ++place; }
        if (place == known_count && known_count < 256) { known[known_count++] = number; }
        char text[24];
        int count = snprintf(text, sizeof text, "%zu", place + 1);
        append_bytes(&out, (const unsigned char *)text, (unsigned int)count);
    }
    free(bytes->data);
    *bytes = out;
    return out.data != NULL;
}

static const char *volatile unfinished; // what a signal takes away

void picture_interrupt(void)
{
    if (unfinished) { unlink(unfinished); }
}

void snw_temporary_done(char *name)
{
    unfinished = NULL;
    free(name);
}

char *snw_temporary_open(const char *path, int *out_descriptor)
{
    size_t size = strlen(path) + 48;
    char *name = malloc(size);
    if (!name) { return NULL; }

    // the ending stays at the end, because programs judge a file by it
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(path, '.');
    if (!dot || (slash && dot < slash)) { dot = path + strlen(path); }
    for (int attempt = 0; attempt < 100; ++attempt) {
        snprintf(
            name, size, "%.*s.tmp%ld-%d%s", (int)(dot - path), path, (long)getpid(), attempt, dot);
        // a signal between making the file and noting its name would leave it behind
        sigset_t all, kept;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, &kept);
        *out_descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (*out_descriptor >= 0) { unfinished = name; }
        sigprocmask(SIG_SETMASK, &kept, NULL);
        if (*out_descriptor >= 0) { return name; }
        if (errno != EEXIST) { break; }
    }
    int error = errno;
    free(name);
    errno = error;
    return NULL;
}

static sinew_Status write_bytes(const char *path, const Bytes *bytes, sinew_Message *out_message)
{
    int descriptor = -1;
    char *name = snw_temporary_open(path, &descriptor);
    if (!name) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s", path,
            strerror(errno));
    }

    size_t done = 0;
    int error = 0;
    while (done < bytes->count && error == 0) {
        ssize_t count = write(descriptor, bytes->data + done, bytes->count - done);
        if (count > 0) {
            done += (size_t)count;
        } else if (count == 0) {
            error = EIO;
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (close(descriptor) != 0 && error == 0) { error = errno; }
    if (error == 0 && rename(name, path) != 0) { error = errno; }
    if (error != 0) { unlink(name); }
    snw_temporary_done(name);
    if (error != 0) {
        return snw_fail(out_message, SINEW_STATUS_CANNOT_WRITE, "%s: cannot be written: %s", path,
            strerror(error));
    }
    return SINEW_STATUS_OK;
}

sinew_Status snw_canvas_close(snw_Canvas *canvas, sinew_Message *out_message)
{
    cairo_status_t drawn = cairo_status(canvas->cr);
    if (drawn == CAIRO_STATUS_SUCCESS && canvas->format == FORMAT_PNG) {
        drawn = cairo_surface_write_to_png_stream(canvas->surface, append_bytes, &canvas->bytes);
    }
    cairo_destroy(canvas->cr);
    canvas->cr = NULL;
    cairo_surface_finish(canvas->surface);
    if (drawn == CAIRO_STATUS_SUCCESS) { drawn = cairo_surface_status(canvas->surface); }
    if (drawn == CAIRO_STATUS_SUCCESS && canvas->format == FORMAT_SVG
        && !renumber_surfaces(&canvas->bytes)) {
        drawn = CAIRO_STATUS_NO_MEMORY;
    }

    sinew_Status status = SINEW_STATUS_OK;
    if (drawn == CAIRO_STATUS_SUCCESS) {
        status = write_bytes(canvas->path, &canvas->bytes, out_message);
    } else {
        status = snw_fail(out_message,
            drawn == CAIRO_STATUS_NO_MEMORY ? SINEW_STATUS_OUT_OF_MEMORY
                                            : SINEW_STATUS_CANNOT_WRITE,
            "%s: the picture cannot be drawn: %s", canvas->path, cairo_status_to_string(drawn));
    }
    snw_canvas_abandon(canvas);
    return status;
}

sinew_Status snw_canvas_finish(snw_Canvas *canvas, sinew_Status drawn, sinew_Message *out_message)
{
    if (drawn == SINEW_STATUS_OK) { return snw_canvas_close(canvas, out_message); }
    snw_fail(out_message, drawn, "%s: no memory for the picture", canvas->path);
    snw_canvas_abandon(canvas);
    return drawn;
}

// ---------------------------------------------------------------------------------------------
// Text

// bytes of the UTF-8 character that starts here, 0 when it is none
static int measure_character(const unsigned char *s)
{
    if (s[0] >= 0x20 && s[0] < 0x7f) { return 1; }
    int count = s[0] >= 0xc2 && s[0] < 0xe0 ? 2
        : s[0] >= 0xe0 && s[0] < 0xf0       ? 3
        : s[0] >= 0xf0 && s[0] < 0xf5       ? 4
                                            : 0;
    for (int i = 1; i < count; ++i) {
        if ((s[i] & 0xc0) != 0x80) { return 0; }
    }
    // overlong forms, surrogates and beyond the last plane are refused by cairo
    if (s[0] == 0xe0 && s[1] < 0xa0) { return 0; }
    if (s[0] == 0xed && s[1] >= 0xa0) { return 0; }
    if (s[0] == 0xf0 && s[1] < 0x90) { return 0; }
    if (s[0] == 0xf4 && s[1] >= 0x90) { return 0; }
    return count;
}

static void clean_text(const char *text, char *out, size_t size)
{
    size_t length = 0;
    const unsigned char *s = (const unsigned char *)text;
    while (*s) {
        int count = measure_character(s);
        if (length + (size_t)(count > 0 ? count : 1) + 1 > size) { break; }
        if (count == 0) {
            out[length++] = '?';
            ++s;
        }
        for (int i = 0; i < count; ++i) { out[length++] = (char)*s++; }
    }
    out[length] = '\0';
}

void snw_text_prepare(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

static double set_font_and_measure(cairo_t *cr, double size, bool bold, const char *text)
{
    cairo_select_font_face(cr, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
        bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(cr, size);
    cairo_text_extents_t extents;
    cairo_text_extents(cr, text, &extents);
    return extents.x_advance;
}

double snw_text_width(cairo_t *cr, double size, bool bold, const char *text)
{
    char clean[MAX_TEXT];
    clean_text(text, clean, sizeof clean);
    return set_font_and_measure(cr, size, bold, clean);
}

double snw_text_draw(cairo_t *cr, double x, double y, double size, bool bold, snw_Align align,
    double limit, const char *text)
{
    char clean[MAX_TEXT + 4];
    clean_text(text, clean, MAX_TEXT);
    double width = set_font_and_measure(cr, size, bold, clean);

    // take characters away until it fits
    size_t length = strlen(clean);
    while (limit > 0.0 && width > limit && length > 0) {
        do {
            --length;
        } while (length > 0 && ((unsigned char)clean[length] & 0xc0) == 0x80);
        strcpy(clean + length, "\xe2\x80\xa6");
        width = set_font_and_measure(cr, size, bold, clean);
    }

    if (align == SNW_ALIGN_CENTER) { x -= 0.5 * width; }
    if (align == SNW_ALIGN_RIGHT) { x -= width; }
    cairo_move_to(cr, x, y);
    cairo_show_text(cr, clean);
    return width;
}

void snw_titles_draw(cairo_t *cr, double x, double y, double size, const char *title,
    double title_limit, const char *subtitle, double subtitle_limit)
{
    if (title) {
        snw_color_set(cr, SNW_INK, 1.0);
        snw_text_draw(cr, x, y, size, true, SNW_ALIGN_LEFT, title_limit, title);
        y += 1.03 * size;
    }
    if (subtitle) {
        snw_color_set(cr, SNW_QUIET, 1.0);
        snw_text_draw(cr, x, y, 0.57 * size, false, SNW_ALIGN_LEFT, subtitle_limit, subtitle);
    }
}
