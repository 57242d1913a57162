// Images of skins: PNG by cairo, JPEG by libjpeg where there is one.

#include "pictures/pictures.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Largest side of an image, pixels.
#define MAX_SIDE 16384

typedef struct Stream {
    const unsigned char *data;
    size_t size, at;
} Stream;

static cairo_status_t read_stream(void *user, unsigned char *out, unsigned int length)
{
    Stream *stream = user;
    if (length > stream->size - stream->at) { return CAIRO_STATUS_READ_ERROR; }
    memcpy(out, stream->data + stream->at, length);
    stream->at += length;
    return CAIRO_STATUS_SUCCESS;
}

static bool take_pixels(int width, int height, picture_Texture *out_texture)
{
    if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE) { return false; }
    out_texture->pixels = malloc((size_t)width * (size_t)height * sizeof *out_texture->pixels);
    out_texture->width = width;
    out_texture->height = height;
    return out_texture->pixels != NULL;
}

static bool decode_png(const unsigned char *data, size_t size, picture_Texture *out_texture)
{
    Stream stream = { data, size, 0 };
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(read_stream, &stream);
    const int width = cairo_image_surface_get_width(surface);
    const int height = cairo_image_surface_get_height(surface);
    const cairo_format_t format = cairo_image_surface_get_format(surface);
    const bool good = cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
        && (format == CAIRO_FORMAT_RGB24 || format == CAIRO_FORMAT_ARGB32)
        && take_pixels(width, height, out_texture);
    for (int y = 0; y < height && good; ++y) {
        memcpy(out_texture->pixels + (size_t)y * (size_t)width,
            cairo_image_surface_get_data(surface)
                + (size_t)y * (size_t)cairo_image_surface_get_stride(surface),
            (size_t)width * sizeof *out_texture->pixels);
    }
    cairo_surface_destroy(surface);
    return good;
}

#ifdef PICTURES_HAVE_JPEG
#include <setjmp.h>

#include <jpeglib.h>

typedef struct Failure {
    struct jpeg_error_mgr manager;
    jmp_buf way_out;
} Failure;

static void leave(j_common_ptr info)
{
    Failure *failure = (Failure *)(void *)info->err;
    longjmp(failure->way_out, 1);
}

static void say_nothing(j_common_ptr info)
{
    (void)info;
}

// rows one by one; what fails leaves through way_out
static bool read_rows(struct jpeg_decompress_struct *info, picture_Texture *out_texture)
{
    const int width = (int)info->output_width, height = (int)info->output_height;
    if (!take_pixels(width, height, out_texture)) { return false; }
    JSAMPARRAY row = info->mem->alloc_sarray(
        (j_common_ptr)info, JPOOL_IMAGE, info->output_width * 3, 1);
    while (info->output_scanline < info->output_height) {
        uint32_t *out = out_texture->pixels + (size_t)info->output_scanline * (size_t)width;
        jpeg_read_scanlines(info, row, 1);
        for (int x = 0; x < width; ++x) {
            const unsigned char *p = row[0] + 3 * x;
            out[x] = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
        }
    }
    jpeg_finish_decompress(info);
    return true;
}

static bool decode_jpeg(const unsigned char *data, size_t size, picture_Texture *out_texture)
{
    struct jpeg_decompress_struct info;
    Failure failure;
    info.err = jpeg_std_error(&failure.manager);
    failure.manager.error_exit = leave;
    failure.manager.output_message = say_nothing;
    if (setjmp(failure.way_out) != 0) {
        jpeg_destroy_decompress(&info);
        return false;
    }
    jpeg_create_decompress(&info);
    jpeg_mem_src(&info, data, (unsigned long)size);
    jpeg_read_header(&info, TRUE);
    info.out_color_space = JCS_RGB;
    jpeg_start_decompress(&info);
    const bool good = read_rows(&info, out_texture);
    jpeg_destroy_decompress(&info);
    return good;
}
#else
static bool decode_jpeg(const unsigned char *data, size_t size, picture_Texture *out_texture)
{
    (void)data;
    (void)size;
    (void)out_texture;
    return false;
}
#endif

bool picture_texture_decode(const unsigned char *data, size_t size, picture_Texture *out_texture)
{
    memset(out_texture, 0, sizeof *out_texture);
    bool good = false;
    if (data != NULL && size > 8 && memcmp(data, "\x89PNG", 4) == 0) {
        good = decode_png(data, size, out_texture);
    } else if (data != NULL && size > 8 && data[0] == 0xff && data[1] == 0xd8) {
        good = decode_jpeg(data, size, out_texture);
    }
    if (!good) { picture_texture_free(out_texture); }
    return good;
}

void picture_texture_free(picture_Texture *texture)
{
    free(texture->pixels);
    memset(texture, 0, sizeof *texture);
}
