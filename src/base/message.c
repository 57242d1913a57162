#include "base/message.h"

#include <math.h>
#include <stdarg.h>

typedef struct Writer {
    char *text;
    size_t used, size; // size counts the terminator
} Writer;

static void put(Writer *writer, char c)
{
    if (writer->used + 1 < writer->size) { writer->text[writer->used++] = c; }
}

static void put_text(Writer *writer, const char *text)
{
    for (; *text != '\0'; ++text) { put(writer, (unsigned char)*text < 0x20 ? '?' : *text); }
}

static void put_unsigned(Writer *writer, unsigned long long value)
{
    char digits[24];
    int count = 0;
    do {
        digits[count++] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    while (count > 0) { put(writer, digits[--count]); }
}

// six significant digits, trailing zeros dropped, as %g of printf
static void put_double(Writer *writer, double value)
{
    if (isnan(value)) {
        put_text(writer, "nan");
        return;
    }
    if (value < 0.0) {
        put(writer, '-');
        value = -value;
    }
    if (isinf(value)) {
        put_text(writer, "inf");
        return;
    }
    int exponent = 0;
    if (value > 0.0) {
        while (value >= 10.0) {
            value /= 10.0;
            ++exponent;
        }
        while (value < 1.0) {
            value *= 10.0;
            --exponent;
        }
    }
    unsigned long long digits = (unsigned long long)(value * 1e5 + 0.5);
    if (digits >= 1000000ULL) {
        digits /= 10;
        ++exponent;
    }
    int digit_count = 6;
    while (digit_count > 1 && digits % 10 == 0) {
        digits /= 10;
        --digit_count;
    }
    char text[8];
    for (int i = digit_count - 1; i >= 0; --i) {
        text[i] = (char)('0' + digits % 10);
        digits /= 10;
    }
    bool scientific = exponent < -5 || exponent > 5;
    int point = scientific ? 0 : exponent; // index of the last digit before the point
    if (point < 0) {
        put_text(writer, "0.");
        for (int i = -1; i > point; --i) { put(writer, '0'); }
    }
    for (int i = 0; i < digit_count || i <= point; ++i) {
        put(writer, i < digit_count ? text[i] : '0');
        if (i == point && i + 1 < digit_count) { put(writer, '.'); }
    }
    if (scientific) {
        put(writer, 'e');
        put(writer, exponent < 0 ? '-' : '+');
        put_unsigned(writer, (unsigned long long)(exponent < 0 ? -exponent : exponent));
    }
}

static void put_formatted(Writer *writer, const char *format, va_list arguments)
{
    for (const char *f = format; *f != '\0'; ++f) {
        if (*f != '%') {
            put(writer, *f);
            continue;
        }
        ++f;
        if (*f == 'd') {
            int value = va_arg(arguments, int);
            if (value < 0) { put(writer, '-'); }
            put_unsigned(
                writer, value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value);
        } else if (*f == 'z') {
            put_unsigned(writer, va_arg(arguments, size_t));
        } else if (*f == 's') {
            const char *text = va_arg(arguments, const char *);
            put_text(writer, text != NULL ? text : "(none)");
        } else if (*f == 'c') {
            int c = va_arg(arguments, int);
            put(writer, c < 0x20 || c > 0x7e ? '?' : (char)c);
        } else if (*f == 'g') {
            put_double(writer, va_arg(arguments, double));
        } else if (*f == '%') {
            put(writer, '%');
        } else {
            return; // an unknown letter: the rest of the arguments cannot be read
        }
    }
}

static void set(sinew_Message *message, const char *before, const char *format, va_list arguments)
{
    if (message == NULL) { return; }
    Writer writer = { message->text, 0, sizeof message->text };
    put_text(&writer, before);
    put_formatted(&writer, format, arguments);
    writer.text[writer.used] = '\0';
}

void snw_message_set(sinew_Message *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(message, "", format, arguments);
    va_end(arguments);
}

sinew_Status snw_fail(sinew_Message *message, sinew_Status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(message, "", format, arguments);
    va_end(arguments);
    return status;
}

sinew_Status snw_refuse(sinew_Message *message, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(message, "", format, arguments);
    va_end(arguments);
    return SINEW_STATUS_INVALID_ARGUMENT;
}

sinew_Status snw_no_memory(sinew_Message *message, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    set(message, "no memory for ", what, arguments);
    va_end(arguments);
    return SINEW_STATUS_OUT_OF_MEMORY;
}

sinew_Status snw_check_null(
    sinew_Message *message, const char *names, const void *const *pointers, size_t count)
{
    size_t at = 0;
    while (at < count && pointers[at] != NULL) { ++at; }
    if (at == count) { return SINEW_STATUS_OK; }
    if (message == NULL) { return SINEW_STATUS_INVALID_ARGUMENT; }
    for (; at > 0; ++names) { at -= *names == ' ' ? 1 : 0; }
    Writer writer = { message->text, 0, sizeof message->text };
    for (; *names != '\0' && *names != ' '; ++names) { put(&writer, *names); }
    put_text(&writer, " is NULL");
    writer.text[writer.used] = '\0';
    return SINEW_STATUS_INVALID_ARGUMENT;
}

sinew_Status snw_check_ranges(
    sinew_Message *message, const char *owner, const snw_Range *ranges, size_t count)
{
    for (const snw_Range *r = ranges; r < ranges + count; ++r) {
        if (r->value >= r->lower && r->value <= r->upper) { continue; }
        return snw_refuse(message, "%s%s%s is %g, want %g..%g", owner, *owner != '\0' ? "." : "",
            r->name, r->value, r->lower, r->upper);
    }
    return SINEW_STATUS_OK;
}
