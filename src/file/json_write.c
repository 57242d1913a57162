#include "file/json.h"

#include <stdio.h>

size_t snw_json_escape(char byte, char out_escaped[8])
{
    if (byte == '"' || byte == '\\') {
        out_escaped[0] = '\\';
        out_escaped[1] = byte;
        return 2;
    }
    if ((unsigned char)byte < 0x20) {
        return (size_t)snprintf(out_escaped, 8, "\\u%04x", (unsigned)(unsigned char)byte);
    }
    out_escaped[0] = byte;
    return 1;
}

void snw_json_put_text(snw_Buffer *out, const char *text)
{
    snw_buffer_add_text(out, "\"");
    for (const char *c = text; *c != '\0'; ++c) {
        char escaped[8];
        snw_buffer_add(out, escaped, snw_json_escape(*c, escaped));
    }
    snw_buffer_add_text(out, "\"");
}
