#ifndef CLI_CSV_H
#define CLI_CSV_H

// Tables of numbers with a header line, read row by row. Cells are parted by commas; spaces around
// them, quotes, CRLF, a byte order mark, blank lines and lines that begin with # are put up with.
// Messages name file, line, column, what was found and what was expected.

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct cli_Csv {
    const char *path;
    FILE *stream;
    char *line;
    size_t line_size;
    long line_number;
    /// Names of the columns.
    char **names;
    /// Where each cell of the header stands, from 1, for messages.
    int *places;
    int column_count;
    /// What is wrong with the row that cli_csv_next called BAD, one line.
    char message[640];
} cli_Csv;

typedef enum cli_CsvResult { CLI_CSV_ROW, CLI_CSV_END, CLI_CSV_BAD, CLI_CSV_ERROR } cli_CsvResult;

/// Open and read the header. False after a message; then nothing is open.
bool cli_csv_open(cli_Csv *csv, const char *path);
void cli_csv_close(cli_Csv *csv);

/// The next row, column_count numbers. BAD when it is none, with csv->message; the rows after it can
/// be read. ERROR after a printed message.
cli_CsvResult cli_csv_next(cli_Csv *csv, double *out_values);

/// Call the row at hand bad: the text goes to csv->message.
void cli_csv_spoil(cli_Csv *csv, int place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Print a message about a place in the file; place counts from 1.
void cli_csv_error(const cli_Csv *csv, int place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
