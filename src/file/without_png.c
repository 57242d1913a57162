// In place of height_map_png.c where there is no libpng: heights come as text, or as a grid of numbers.

#include "base/message.h"
#include "file/height_map.h"

sinew_Status snw_height_map_read_png(const char *data, size_t size, const char *name,
    snw_HeightGrid *grid, sinew_Message *out_message)
{
    (void)data;
    (void)size;
    (void)grid;
    return snw_fail(out_message, SINEW_STATUS_UNSUPPORTED,
        "%s: found a PNG picture, and this build decodes none", name);
}
