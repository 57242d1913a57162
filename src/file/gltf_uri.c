// Base64 (RFC 4648) and percent signs of URIs (RFC 3986).

#include "file/gltf.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int digit_value(char c)
{
    if (c >= 'A' && c <= 'Z') { return c - 'A'; }
    if (c >= 'a' && c <= 'z') { return c - 'a' + 26; }
    if (c >= '0' && c <= '9') { return c - '0' + 52; }
    if (c == '+' || c == '-') { return 62; }
    return c == '/' || c == '_' ? 63 : -1;
}

bool snw_base64_decode(const char *text, size_t length, unsigned char *out, size_t *out_size)
{
    size_t used = 0;
    uint32_t bits = 0;
    int held = 0;
    while (length > 0 && text[length - 1] == '=') { --length; }
    for (size_t i = 0; i < length; ++i) {
        int value = digit_value(text[i]);
        if (value < 0) { return false; }
        bits = (bits << 6) | (uint32_t)value;
        held += 6;
        if (held >= 8) {
            held -= 8;
            out[used++] = (unsigned char)(bits >> held);
        }
    }
    *out_size = used;
    return length % 4 != 1;
}

void snw_base64_encode(const unsigned char *data, size_t size, snw_Buffer *out)
{
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16;
        if (left > 1) { bits |= (uint32_t)data[i + 1] << 8; }
        if (left > 2) { bits |= data[i + 2]; }
        char text[4] = { digits[bits >> 18], digits[(bits >> 12) & 63], digits[(bits >> 6) & 63],
            digits[bits & 63] };
        if (left < 3) { text[3] = '='; }
        if (left < 2) { text[2] = '='; }
        snw_buffer_add(out, text, 4);
    }
}

void snw_uri_decode(const char *uri, char *out)
{
    while (*uri != '\0') {
        int high = uri[0] == '%' ? snw_hex_digit(uri[1]) : -1;
        int low = high >= 0 ? snw_hex_digit(uri[2]) : -1;
        // a file's name has no zero byte in it
        if (low >= 0 && 16 * high + low > 0) {
            *out++ = (char)(16 * high + low);
            uri += 3;
        } else {
            *out++ = *uri++;
        }
    }
    *out = '\0';
}
