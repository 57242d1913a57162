#include "sinew/base.h"

#define TEXT_OF(x) #x
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *sinew_version(void)
{
    return VERSION_TEXT(SINEW_VERSION_MAJOR, SINEW_VERSION_MINOR, SINEW_VERSION_PATCH);
}

const char *sinew_status_text(sinew_Status status)
{
    switch (status) {
#define STATUS_CASE(name, text) \
    case name: return text;
        SINEW_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "unknown status";
}
