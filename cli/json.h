#ifndef CLI_JSON_H
#define CLI_JSON_H

// A small JSON writer to stdout. Keys are NULL for the items of an array. Numbers have the fewest
// digits that read back as the same double; what is not finite becomes null.

#include "sinew/vecmath.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_Json {
    int depth;
    bool has_items[8]; ///< whether the object or array of that depth has something in it
} cli_Json;

cli_Json cli_json_begin(void);
/// Closes the outermost object and ends the line.
void cli_json_end(cli_Json *json);

void cli_json_object(cli_Json *json, const char *key);
void cli_json_object_end(cli_Json *json);
void cli_json_array(cli_Json *json, const char *key);
void cli_json_array_end(cli_Json *json);

void cli_json_number(cli_Json *json, const char *key, double value);
void cli_json_whole(cli_Json *json, const char *key, long value);
void cli_json_text(cli_Json *json, const char *key, const char *value);
void cli_json_bool(cli_Json *json, const char *key, bool value);
/// An array of x, y and z.
void cli_json_vec3(cli_Json *json, const char *key, sinew_Vec3 value);

/// A text in quotes, its bytes as they are, into a file.
void cli_json_quote(FILE *stream, const char *text);

/// The shortest decimal text of a finite number that reads back as the same double.
const char *cli_number_text(double value, char out_text[32]);

#endif
