// In place of urdf_*.c where there is no expat: robots are not read.

#include "base/message.h"
#include "file/format.h"
#include "file/urdf.h"

bool snw_urdf_begins(const snw_Text *text)
{
    (void)text;
    return false;
}

sinew_Status snw_urdf_read(snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    (void)options;
    (void)file;
    return snw_fail(text->message, SINEW_STATUS_UNSUPPORTED,
        "%s: found a robot, and this build reads no XML", text->name);
}

static bool begins(snw_Text *text)
{
    return snw_urdf_begins(text);
}

const snw_FormatRow snw_format_urdf = {
    .format = SINEW_FORMAT_URDF,
    .name = "URDF",
    .begins = begins,
    .read = snw_urdf_read,
};
