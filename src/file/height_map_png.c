// PNG pictures as heights, decoded by libpng.

#include "base/message.h"
#include "file/height_map.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// Rec. 709 luminance
#define RED 0.2126
#define GREEN 0.7152
#define BLUE 0.0722

typedef struct Source {
    const char *data;
    size_t size, at;
    const char *name;
    sinew_Message *message;
    png_bytep pixels;  // row by row
    png_bytepp starts; // of the rows
} Source;

static void give_bytes(png_structp png, png_bytep out, png_size_t count)
{
    Source *source = png_get_io_ptr(png);
    if (count > source->size - source->at) {
        source->at = source->size;
        png_error(png, "the end of the file, expected more of the picture");
    }
    memcpy(out, source->data + source->at, count);
    source->at += count;
}

static void fail(png_structp png, png_const_charp text)
{
    const Source *source = png_get_error_ptr(png);
    snw_message_set(source->message, "%s: byte %z: found %s", source->name, source->at, text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

// One byte of deflate makes 1032 at most, so a small file cannot ask for much memory. Unpacked pixels may
// have eight times the bytes of packed ones (1 bit to 8).
#define BEST_RATIO ((size_t)8 * 1032)
// A large picture that is packed better shows nothing but one level, and would take a gigabyte out of half a
// megabyte: bytes of pixels for each of the file, and from how many pixels on.
#define LARGE_RATIO 64
#define LARGE_PICTURE ((size_t)1 << 22)

// header and pixels: 1 or 3 channels of 8 or 16 bits, high byte first
static void decode(png_structp png, png_infop info, Source *source)
{
    png_set_read_fn(png, source, give_bytes);
    png_set_user_limits(png, 1 << 20, 1 << 20);
    png_read_info(png, info);
    const size_t columns = png_get_image_width(png, info), rows = png_get_image_height(png, info);
    if (columns < 2 || rows < 2) {
        png_error(png, "a picture with less than 2 rows or columns, expected at least 2");
    }
    if (rows > SINEW_TERRAIN_MAX_VERTICES / columns) {
        png_error(png, "a picture with more than 2^26 pixels, expected fewer");
    }
    png_set_expand(png);
    png_set_strip_alpha(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);

    const size_t row_size = png_get_rowbytes(png, info);
    const size_t ratio = rows * columns > LARGE_PICTURE ? LARGE_RATIO : BEST_RATIO;
    if (row_size / ratio > (source->size + 1024) / rows) {
        png_error(png, "more pixels than a file of this size can hold, expected fewer");
    }
    source->pixels = malloc(row_size * rows);
    source->starts = malloc(rows * sizeof *source->starts);
    if (source->pixels == NULL || source->starts == NULL) {
        png_error(png, "no memory, expected enough for the picture");
    }
    for (size_t r = 0; r < rows; ++r) { source->starts[r] = source->pixels + r * row_size; }
    png_read_image(png, source->starts);
    png_read_end(png, NULL);
}

static double value_at(const unsigned char *sample, bool wide)
{
    return wide ? (sample[0] * 256 + sample[1]) / 65535.0 : sample[0] / 255.0;
}

static bool take_heights(
    png_structp png, png_infop info, const Source *source, snw_HeightGrid *grid)
{
    const size_t columns = png_get_image_width(png, info), rows = png_get_image_height(png, info);
    const size_t row_size = png_get_rowbytes(png, info), channels = png_get_channels(png, info);
    const bool wide = png_get_bit_depth(png, info) == 16;
    const size_t width = wide ? 2 : 1;
    double *values = snw_buffer_extend(&grid->values, rows * columns * sizeof *values);
    if (values == NULL) { return false; }
    for (size_t r = 0; r < rows; ++r) {
        const unsigned char *sample = source->pixels + r * row_size;
        for (size_t c = 0; c < columns; ++c, sample += channels * width) {
            *values++ = channels < 3
                ? value_at(sample, wide)
                : RED * value_at(sample, wide) + GREEN * value_at(sample + width, wide)
                    + BLUE * value_at(sample + 2 * width, wide);
        }
    }
    grid->columns = (int)columns;
    grid->rows = (int)rows;
    return true;
}

// false after a message; what longjmp leaves is given back by the caller
static bool decode_guarded(png_structp png, png_infop info, Source *source)
{
    if (setjmp(png_jmpbuf(png))) { return false; }
    decode(png, info, source);
    return true;
}

sinew_Status snw_height_map_read_png(const char *data, size_t size, const char *name,
    snw_HeightGrid *grid, sinew_Message *out_message)
{
    Source source = { data, size, 0, name, out_message, NULL, NULL };
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, fail, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    sinew_Status status = SINEW_STATUS_OUT_OF_MEMORY;
    snw_message_set(out_message, "%s: no memory for the picture", name);
    if (info != NULL) {
        if (!decode_guarded(png, info, &source)) {
            status = SINEW_STATUS_BAD_FILE;
        } else if (take_heights(png, info, &source, grid)) {
            status = SINEW_STATUS_OK;
        }
    }
    free(source.pixels);
    free(source.starts);
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}
