#include "file/height_map.h"

#include "base/memory.h"
#include "base/message.h"
#include "file/cells.h"

#include <math.h>
#include <string.h>

#define PICTURE_HEIGHT 4.0
// Of heights in metres, which terrains hold to as well.
#define HIGHEST 1e6

sinew_HeightMapOptions sinew_height_map_options_default(void)
{
    sinew_HeightMapOptions options = { 0 };
    options.cell = 0.25;
    options.outside = SINEW_OUTSIDE_MIRROR;
    return options;
}

static sinew_Status read_text(const char *data, size_t size, const char *name, snw_HeightGrid *grid,
    sinew_Message *out_message)
{
    snw_Text text = { data, size, 0, name, out_message, false };
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) { text.at = 3; }
    size_t count = 0, rows = 0, columns = 0;
    while (snw_cells_next_line(&text)) {
        const size_t line = text.at;
        size_t in_row = 0;
        double value;
        snw_CellResult result;
        while ((result = snw_cells_number(&text, &value, NULL)) == SNW_CELL_NUMBER) {
            if (++count > SINEW_TERRAIN_MAX_VERTICES) {
                return snw_fail(out_message, SINEW_STATUS_CAPACITY,
                    "%s: more than %z heights, want at most that", name,
                    SINEW_TERRAIN_MAX_VERTICES);
            }
            if (!snw_buffer_add(&grid->values, &value, sizeof value)) {
                return snw_fail(
                    out_message, SINEW_STATUS_OUT_OF_MEMORY, "%s: no memory for the heights", name);
            }
            ++in_row;
        }
        if (result == SNW_CELL_BAD) { return SINEW_STATUS_BAD_FILE; }
        if (rows == 0) { columns = in_row; }
        if (in_row != columns || columns < 2) {
            sinew_Message found;
            snw_message_set(&found, "%z number%s in this row", in_row, snw_plural((double)in_row));
            return columns < 2
                ? snw_text_fail_at(&text, line, found.text, "at least 2")
                : snw_text_fail_at(&text, line, found.text, "%zu as in the first row", columns);
        }
        ++rows;
    }
    if (rows < 2) {
        sinew_Message found;
        snw_message_set(&found, "%z row%s of numbers", rows, snw_plural((double)rows));
        return snw_text_fail_at(&text, size, found.text, "at least 2");
    }
    grid->columns = (int)columns;
    grid->rows = (int)rows;
    return SINEW_STATUS_OK;
}

static sinew_Status check_options(
    const sinew_HeightMapOptions *options, const char *name, sinew_Message *out_message)
{
    if (!(fabs(options->height) <= HIGHEST) || !(fabs(options->base) <= HIGHEST)) {
        return snw_refuse(out_message, "%s: height is %g and base %g, want both within +-1e6", name,
            options->height, options->base);
    }
    return SINEW_STATUS_OK;
}

// the file's rows as a terrain's: the first is the farthest along +Z, and +X is to its left
static sinew_Status make_terrain(const snw_HeightGrid *grid, const sinew_HeightMapOptions *options,
    double height, const char *name, sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    const size_t count = (size_t)grid->columns * (size_t)grid->rows;
    double *values = (double *)(void *)grid->values.data;
    for (size_t i = 0; i < count; ++i) {
        values[i] = options->base + height * values[i];
        if (fabs(values[i]) <= HIGHEST) { continue; }
        return snw_fail(out_message, SINEW_STATUS_BAD_FILE,
            "%s: row %z, number %z: found a height of %g m, expected one within +-%g", name,
            i / (size_t)grid->columns + 1, i % (size_t)grid->columns + 1, values[i], HIGHEST);
    }
    for (size_t i = 0; i < count / 2; ++i) {
        const double kept = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = kept;
    }
    sinew_TerrainDef def = sinew_terrain_def_default(SINEW_TERRAIN_GRID);
    def.heights = values;
    def.columns = grid->columns;
    def.rows = grid->rows;
    def.cell = options->cell;
    def.outside = options->outside;
    def.allocator = options->allocator;
    sinew_Message why;
    const sinew_Status status = sinew_terrain_create(&def, out_terrain, &why);
    if (status != SINEW_STATUS_OK) { snw_fail(out_message, status, "%s: %s", name, why.text); }
    return status;
}

sinew_Status sinew_height_map_read_memory(const char *data, size_t size, const char *name,
    const sinew_HeightMapOptions *options, sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    if (out_terrain == NULL) { return snw_refuse(out_message, "out_terrain is NULL"); }
    *out_terrain = NULL;
    sinew_Status status = SNW_CHECK_NULL(out_message, "data name", data, name);
    if (status != SINEW_STATUS_OK) { return status; }
    const sinew_HeightMapOptions used = options ? *options : sinew_height_map_options_default();
    status = check_options(&used, name, out_message);
    if (status != SINEW_STATUS_OK) { return status; }

    const size_t signature = strlen(SNW_PNG_SIGNATURE);
    const bool is_png = size >= signature && memcmp(data, SNW_PNG_SIGNATURE, signature) == 0;
    const double height = used.height != 0.0 ? used.height : is_png ? PICTURE_HEIGHT : 1.0;
    snw_HeightGrid grid = { 0, 0, snw_buffer_create(&used.allocator) };
    status = is_png ? snw_height_map_read_png(data, size, name, &grid, out_message)
                    : read_text(data, size, name, &grid, out_message);
    if (status == SINEW_STATUS_OK) {
        status = make_terrain(&grid, &used, height, name, out_terrain, out_message);
    }
    snw_buffer_destroy(&grid.values);
    return status;
}

sinew_Status sinew_height_map_read(const char *path, const sinew_HeightMapOptions *options,
    sinew_Terrain **out_terrain, sinew_Message *out_message)
{
    if (out_terrain == NULL) { return snw_refuse(out_message, "out_terrain is NULL"); }
    *out_terrain = NULL;
    if (path == NULL) { return snw_refuse(out_message, "path is NULL"); }
    const sinew_Allocator allocator = snw_allocator_or_default(
        options ? &options->allocator : NULL);
    char *data;
    size_t size, capacity;
    sinew_Status status = snw_text_read_file(
        path, &allocator, &data, &size, &capacity, out_message);
    if (status != SINEW_STATUS_OK) { return status; }
    status = sinew_height_map_read_memory(data, size, path, options, out_terrain, out_message);
    snw_free(&allocator, data, capacity);
    return status;
}
