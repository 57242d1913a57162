#ifndef SINEW_TERRAIN_FILE_H
#define SINEW_TERRAIN_FILE_H

/// \file
/// Terrains by name and from files of heights. Part of libsinew-io.
///
/// Names: flat, hills[:SEED], rough[:SEED], stairs[:RISE,TREAD] (metres), kerbs[:RISE,EVERY]
/// (single steps up and down, EVERY metres apart; kerbs:1,3 are walls, kerbs:-0.5,0.6 ditches), ramp:DEGREES
/// (level ground, up, level, down and so on along +Z), slope:DEGREES[,TOWARD] (one plane that rises toward so many
/// degrees from +Z toward +X; slope:20,90 rises to the left).
///
/// Files: PNG pictures (8 or 16 bits of grey, less, or colour by its luminance, 0.2126 R + 0.7152 G
/// + 0.0722 B of the stored values; transparency is ignored; more than 2^22 pixels want a byte of
/// the file for 64 of theirs) and text grids (numbers parted by white
/// space, commas or semicolons, a line for each row; blank lines and lines that begin with # are put
/// up with). Both lie on the ground as a map does, seen from above with its top toward +Z: the first
/// row is the farthest along +Z, the first column the farthest along +X.

#include "terrain.h"

#ifdef __cplusplus
extern "C" {
#endif

/// How heights of a file become ground. Start from sinew_height_map_options_default().
typedef struct sinew_HeightMapOptions {
    /// Metres between neighbours, 1e-4..1e4. Default 0.25.
    double cell;
    /// Metres that a picture's white is above its black, or metres of one unit of a text, within
    /// +-1e6. Default 0: 4 for pictures, 1 for texts.
    double height;
    /// Added to all heights, metres, within +-1e6. Default 0.
    double base;
    /// Default SINEW_OUTSIDE_MIRROR.
    sinew_TerrainOutside outside;
    /// PNG files alone are decoded with memory of malloc.
    sinew_Allocator allocator;
} sinew_HeightMapOptions;

/// The defaults told above.
SINEW_API sinew_HeightMapOptions sinew_height_map_options_default(void);

/// Read a PNG picture or a text grid; which, is found by content. The middle of the map is the
/// origin. options may be NULL. On failure *out_terrain is NULL and the message is one line: FILE:
/// byte N (PNG) or FILE:LINE:COLUMN (text), what was found and what was expected. CANNOT_READ,
/// BAD_FILE, CAPACITY, OUT_OF_MEMORY, INVALID_ARGUMENT.
SINEW_API sinew_Status sinew_height_map_read(const char *path,
    const sinew_HeightMapOptions *options, sinew_Terrain **out_terrain, sinew_Message *out_message);

/// The same from memory; name stands for the file in messages.
SINEW_API sinew_Status sinew_height_map_read_memory(const char *data, size_t size, const char *name,
    const sinew_HeightMapOptions *options, sinew_Terrain **out_terrain, sinew_Message *out_message);

/// Read a name of the list above into a definition. INVALID_ARGUMENT, with a message that quotes
/// what was found, for other names and for numbers out of range.
SINEW_API sinew_Status sinew_terrain_parse(
    const char *name, sinew_TerrainDef *out_def, sinew_Message *out_message);

/// Make a terrain from a name of the list above, or from FILE[:CELL[,HEIGHT]], metres as in
/// sinew_HeightMapOptions. A name in the list is never a file; ./flat is one. allocator may be NULL.
SINEW_API sinew_Status sinew_terrain_open(const char *name, const sinew_Allocator *allocator,
    sinew_Terrain **out_terrain, sinew_Message *out_message);

#ifdef __cplusplus
}
#endif

#endif
