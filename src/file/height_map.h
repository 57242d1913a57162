#ifndef SNW_HEIGHT_MAP_H
#define SNW_HEIGHT_MAP_H

// Heights of a file as its rows stand there, top row first, each from left to right.

#include "file/buffer.h"
#include "sinew/terrain_file.h"

typedef struct snw_HeightGrid {
    int columns, rows;
    snw_Buffer values; ///< doubles; of pictures 0..1
} snw_HeightGrid;

/// Bytes that every PNG file begins with.
#define SNW_PNG_SIGNATURE "\x89PNG\r\n\x1a\n"

sinew_Status snw_height_map_read_png(const char *data, size_t size, const char *name,
    snw_HeightGrid *grid, sinew_Message *out_message);

#endif
