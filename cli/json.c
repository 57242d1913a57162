#include "json.h"

#include "shown.h"

#include "file/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cli_number_text(double value, char out_text[32])
{
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(out_text, 32, "%.*g", digits, value);
        if (strtod(out_text, NULL) == value) { break; }
    }
    return out_text;
}

static void put_byte(FILE *stream, char byte)
{
    char escaped[8];
    fwrite(escaped, 1, snw_json_escape(byte, escaped), stream);
}

void cli_json_quote(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const char *c = text; *c != '\0'; ++c) { put_byte(stream, *c); }
    fputc('"', stream);
}

static void print_text(const char *text)
{
    putchar('"');
    for (const char *c = text; *c != '\0';) {
        int length = cli_utf8_length(c);
        if (length == 0) {
            // a byte of some older encoding: shown as the Latin-1 letter, so the output is valid
            printf("\\u%04x", (unsigned char)*c);
        } else {
            for (int i = 0; i < length; ++i) { put_byte(stdout, c[i]); }
        }
        c += length > 0 ? length : 1;
    }
    putchar('"');
}

static void begin_item(cli_Json *json, const char *key)
{
    if (json->has_items[json->depth]) { fputs(",", stdout); }
    if (json->depth > 0 && json->has_items[json->depth]) { putchar(' '); }
    json->has_items[json->depth] = true;
    if (key != NULL) {
        print_text(key);
        fputs(": ", stdout);
    }
}

static void open_level(cli_Json *json, char bracket)
{
    putchar(bracket);
    json->depth += 1;
    json->has_items[json->depth] = false;
}

cli_Json cli_json_begin(void)
{
    cli_Json json;
    memset(&json, 0, sizeof json);
    open_level(&json, '{');
    return json;
}

void cli_json_end(cli_Json *json)
{
    json->depth -= 1;
    puts("}");
}

void cli_json_object(cli_Json *json, const char *key)
{
    begin_item(json, key);
    open_level(json, '{');
}

void cli_json_object_end(cli_Json *json)
{
    json->depth -= 1;
    putchar('}');
}

void cli_json_array(cli_Json *json, const char *key)
{
    begin_item(json, key);
    open_level(json, '[');
}

void cli_json_array_end(cli_Json *json)
{
    json->depth -= 1;
    putchar(']');
}

void cli_json_number(cli_Json *json, const char *key, double value)
{
    char text[32];
    begin_item(json, key);
    fputs(isfinite(value) ? cli_number_text(value, text) : "null", stdout);
}

void cli_json_whole(cli_Json *json, const char *key, long value)
{
    begin_item(json, key);
    printf("%ld", value);
}

void cli_json_text(cli_Json *json, const char *key, const char *value)
{
    begin_item(json, key);
    print_text(value);
}

void cli_json_bool(cli_Json *json, const char *key, bool value)
{
    begin_item(json, key);
    fputs(value ? "true" : "false", stdout);
}

void cli_json_vec3(cli_Json *json, const char *key, sinew_Vec3 value)
{
    cli_json_array(json, key);
    cli_json_number(json, NULL, value.x);
    cli_json_number(json, NULL, value.y);
    cli_json_number(json, NULL, value.z);
    cli_json_array_end(json);
}
