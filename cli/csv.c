#include "csv.h"

#include "arguments.h"
#include "output.h"

#include "base/message.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_csv_error(const cli_Csv *csv, int place, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_error("%s:%ld:%d: %s", csv->path, csv->line_number, place, text);
}

void cli_csv_spoil(cli_Csv *csv, int place, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(csv->message, sizeof csv->message, "%.80s:%ld:%d: %s", csv->path, csv->line_number,
        place, text);
}

/// The next line with something in it, without its end.
static cli_CsvResult next_line(cli_Csv *csv)
{
    for (;;) {
        errno = 0;
        ssize_t length = getline(&csv->line, &csv->line_size, csv->stream);
        if (length < 0) {
            if (ferror(csv->stream) == 0 && errno == 0) { return CLI_CSV_END; }
            cli_error("%s: cannot be read: %s", csv->path, strerror(errno));
            return CLI_CSV_ERROR;
        }
        csv->line_number += 1;
        if (strlen(csv->line) != (size_t)length) {
            cli_csv_error(csv, (int)strlen(csv->line) + 1, "found a zero byte, expected text");
            return CLI_CSV_ERROR;
        }
        csv->line[strcspn(csv->line, "\r\n")] = '\0';
        const char *first = csv->line + strspn(csv->line, " \t");
        if (*first != '\0' && *first != '#') { return CLI_CSV_ROW; }
    }
}

/// Cut the next cell out of a line: terminated in place, without spaces and quotes around it.
/// NULL at the end. out_place counts from 1.
static char *next_cell(char *line, char **cursor, int *out_place)
{
    if (*cursor == NULL) { return NULL; }
    char *start = *cursor + strspn(*cursor, " \t");
    char *end = NULL;
    *out_place = (int)(start - line) + 1;
    if (*start == '"' && strchr(start + 1, '"') != NULL) {
        start += 1;
        char *quote = strchr(start, '"');
        end = quote + strcspn(quote, ",");
        *cursor = *end == ',' ? end + 1 : NULL;
        *quote = '\0';
        return start;
    }
    end = start + strcspn(start, ",");
    *cursor = *end == ',' ? end + 1 : NULL;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) { end -= 1; }
    *end = '\0';
    return start;
}

static bool add_column(cli_Csv *csv, const char *name, int place)
{
    size_t count = (size_t)csv->column_count + 1;
    char **names = realloc(csv->names, count * sizeof *names);
    if (names != NULL) { csv->names = names; }
    int *places = realloc(csv->places, count * sizeof *places);
    if (places != NULL) { csv->places = places; }
    char *copy = strdup(name);
    if (names == NULL || places == NULL || copy == NULL) {
        free(copy);
        cli_error("%s: %s", csv->path, sinew_status_text(SINEW_STATUS_OUT_OF_MEMORY));
        return false;
    }
    csv->names[csv->column_count] = copy;
    csv->places[csv->column_count] = place;
    csv->column_count += 1;
    return true;
}

static bool read_header(cli_Csv *csv)
{
    cli_CsvResult result = next_line(csv);
    if (result == CLI_CSV_END) {
        csv->line_number += 1;
        cli_csv_error(csv, 1, "found the end of the file, expected the names of the columns");
    }
    if (result != CLI_CSV_ROW) { return false; }

    char *cursor = csv->line;
    if (strncmp(cursor, "\xef\xbb\xbf", 3) == 0) { cursor += 3; }
    int place = 0;
    for (char *cell; (cell = next_cell(csv->line, &cursor, &place)) != NULL;) {
        if (!add_column(csv, cell, place)) { return false; }
    }
    // as programs write where the comma is for decimals
    size_t other = csv->column_count == 1 ? strcspn(csv->names[0], ";\t") : 0;
    if (csv->column_count == 1 && csv->names[0][other] != '\0') {
        cli_csv_error(csv, csv->places[0] + (int)other,
            "found a %s, expected a comma between columns",
            csv->names[0][other] == ';' ? "semicolon" : "tab");
        return false;
    }
    return true;
}

bool cli_csv_open(cli_Csv *csv, const char *path)
{
    memset(csv, 0, sizeof *csv);
    csv->path = path;
    bool standard = strcmp(path, "-") == 0;
    if (standard) { csv->path = "standard input"; }
    csv->stream = standard ? fdopen(dup(STDIN_FILENO), "r") : fopen(path, "r");
    if (csv->stream == NULL) {
        cli_error("%s: cannot be read: %s", path, strerror(errno));
        return false;
    }
    if (!standard) { cli_output_protect(path); }
    if (!read_header(csv)) {
        cli_csv_close(csv);
        return false;
    }
    return true;
}

void cli_csv_close(cli_Csv *csv)
{
    if (csv->stream != NULL) { fclose(csv->stream); }
    for (int i = 0; i < csv->column_count; ++i) { free(csv->names[i]); }
    free(csv->names);
    free(csv->places);
    free(csv->line);
    memset(csv, 0, sizeof *csv);
}

/// Digits, sign, point and exponent alone; strtod also takes "inf", "nan" and hexadecimal.
static bool read_number(const char *text, double *out_value)
{
    char *end = NULL;
    size_t length = strspn(text, "+-.0123456789eE");
    *out_value = strtod(text, &end);
    return length > 0 && end == text + length && *end == '\0' && isfinite(*out_value);
}

cli_CsvResult cli_csv_next(cli_Csv *csv, double *out_values)
{
    cli_CsvResult result = next_line(csv);
    if (result != CLI_CSV_ROW) { return result; }

    char *cursor = csv->line;
    int place = 0, count = 0;
    for (char *cell; (cell = next_cell(csv->line, &cursor, &place)) != NULL;) {
        if (count == csv->column_count) {
            cli_csv_spoil(csv, place, "found '%.40s', expected the end of the line after %d cell%s",
                cell, csv->column_count, snw_plural(csv->column_count));
            return CLI_CSV_BAD;
        }
        if (!read_number(cell, &out_values[count])) {
            cli_csv_spoil(
                csv, place, "found '%.40s', expected a number for %s", cell, csv->names[count]);
            return CLI_CSV_BAD;
        }
        count += 1;
    }
    if (count < csv->column_count) {
        cli_csv_spoil(csv, place, "found %d cell%s, expected %d as in the first line", count,
            snw_plural(count), csv->column_count);
        return CLI_CSV_BAD;
    }
    return CLI_CSV_ROW;
}
