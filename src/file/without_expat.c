// In place of urdf_*.c where there is no expat: robots are not read, and are told so.

#include "base/message.h"
#include "file/format.h"
#include "file/urdf.h"

bool snw_urdf_begins(snw_Text *text)
{
    size_t at = text->at;
    while (at < text->size && snw_is_space(text->data[at])) { ++at; }
    return at < text->size && text->data[at] == '<';
}

static sinew_Status read_robot(
    snw_Text *text, const sinew_ReadOptions *options, sinew_MotionFile *file)
{
    (void)options;
    (void)file;
    return snw_fail(text->message, SINEW_STATUS_UNSUPPORTED,
        "%s: found an XML file, expected BVH or glTF: this build reads no robots (URDF)",
        text->name);
}

const snw_FormatRow snw_format_urdf = {
    .format = SINEW_FORMAT_URDF,
    .name = "URDF",
    .begins = snw_urdf_begins,
    .read = read_robot,
    .looks = "an XML file",
    .names = { ".urdf" },
};
