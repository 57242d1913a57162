// In place of urdf_*.c where there is no expat: robots are not read.

#include "base/message.h"
#include "file/format.h"
#include "file/urdf.h"

bool snw_urdf_begins(snw_Text *text)
{
    (void)text;
    return false;
}

static sinew_Status read_robot(
    snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    (void)options;
    (void)file;
    return snw_fail(text->message, SINEW_STATUS_UNSUPPORTED,
        "%s: found a robot, and this build reads no XML", text->name);
}

const snw_FormatRow snw_format_urdf = {
    .format = SINEW_FORMAT_URDF,
    .name = "URDF",
    .begins = snw_urdf_begins,
    .read = read_robot,
};
