#ifndef SNW_JSON_H
#define SNW_JSON_H

// JSON (RFC 8259) as a tree that knows where everything stands.

#include "file/buffer.h"
#include "file/text.h"

/// Deepest nesting of objects and arrays.
#define SNW_JSON_MAX_DEPTH 128

typedef enum snw_JsonKind {
    SNW_JSON_NULL,
    SNW_JSON_FALSE,
    SNW_JSON_TRUE,
    SNW_JSON_NUMBER,
    SNW_JSON_TEXT,
    SNW_JSON_ARRAY,
    SNW_JSON_OBJECT,
} snw_JsonKind;

typedef struct snw_Json {
    snw_JsonKind kind;
    const char *key;  ///< of an item of an object, UTF-8; NULL elsewhere
    const char *text; ///< of a text, UTF-8
    double number;    ///< finite
    int count;        ///< items of an array or object
    struct snw_Json *child, *next;
    size_t key_at, at; ///< where key and value begin, bytes from the start of the file
    size_t end;        ///< behind the last byte of the value
} snw_Json;

typedef struct snw_JsonTree {
    snw_Json *top;
    void *chunks; ///< private
    sinew_Allocator allocator;
} snw_JsonTree;

/// Read a whole text from text->at on. BAD_FILE with a message that tells the place, or OUT_OF_MEMORY;
/// then there is nothing to give back.
sinew_Status snw_json_read(
    snw_Text *text, const sinew_Allocator *allocator, snw_JsonTree *out_tree);

void snw_json_destroy(snw_JsonTree *tree);

/// Zeroed memory that lives as long as the tree; NULL without memory.
void *snw_json_take(snw_JsonTree *tree, size_t size);

/// The value of a key of an object, the last one where it comes twice; NULL when there is none, or
/// object is NULL or something else.
const snw_Json *snw_json_get(const snw_Json *object, const char *key);

/// Room for a value in a message.
#define SNW_JSON_SHOWN 64

/// A value as messages tell it: `null`, `3`, `"text"`, `a list of 2`, `an object`.
void snw_json_describe(const snw_Json *value, char out_text[SNW_JSON_SHOWN]);
/// Tell where a value is, what it is, and what was expected.
sinew_Status snw_json_fail(const snw_Text *text, const snw_Json *value, const char *expected);

// ---------------------------------------------------------------------------------------------
// Writing: json_write.c

/// How a byte of a text stands between quotes: itself, or an escape. Returns how many characters of out_escaped
/// that takes; there is no 0 behind them.
size_t snw_json_escape(char byte, char out_escaped[8]);

/// A text in quotes.
void snw_json_put_text(snw_Buffer *out, const char *text);

#endif
