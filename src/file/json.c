#include "file/json.h"

#include "base/memory.h"
#include "base/message.h"

#include <stdio.h>
#include <string.h>

#define CHUNK_SIZE 32768

// Longest number that is read, bytes.
#define MAX_NUMBER 400

typedef struct Chunk {
    struct Chunk *next;
    size_t size, used;
} Chunk;

typedef struct Parser {
    snw_Text *text;
    snw_JsonTree *tree;
    sinew_Status status;
    int depth;
} Parser;

// ---------------------------------------------------------------------------------------------
// Memory

void *snw_json_take(snw_JsonTree *tree, size_t size)
{
    if (size > SIZE_MAX / 2) { return NULL; }
    size_t need = (size + 15) & ~(size_t)15, head = (sizeof(Chunk) + 15) & ~(size_t)15;
    Chunk *chunk = tree->chunks;
    if (chunk == NULL || chunk->size - chunk->used < need) {
        size_t whole = head + (need > CHUNK_SIZE ? need : CHUNK_SIZE);
        chunk = snw_alloc(&tree->allocator, whole);
        if (chunk == NULL) { return NULL; }
        chunk->next = tree->chunks;
        chunk->size = whole;
        chunk->used = head;
        tree->chunks = chunk;
    }
    void *piece = (char *)chunk + chunk->used;
    chunk->used += need;
    return piece;
}

static void *take(Parser *parser, size_t size)
{
    void *piece = snw_json_take(parser->tree, size);
    if (piece == NULL) { parser->status = SINEW_STATUS_OUT_OF_MEMORY; }
    return piece;
}

void snw_json_destroy(snw_JsonTree *tree)
{
    for (Chunk *chunk = tree->chunks; chunk != NULL;) {
        Chunk *next = chunk->next;
        snw_free(&tree->allocator, chunk, chunk->size);
        chunk = next;
    }
    tree->chunks = NULL;
    tree->top = NULL;
}

// ---------------------------------------------------------------------------------------------
// Words

static void skip_space(snw_Text *text)
{
    while (text->at < text->size) {
        char c = text->data[text->at];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') { return; }
        ++text->at;
    }
}

static char peek(const snw_Text *text)
{
    return text->at < text->size ? text->data[text->at] : '\0';
}

static bool fail(Parser *parser, const char *expected)
{
    snw_Text *text = parser->text;
    char c = peek(text);
    char found[16] = "\"?\"";
    found[1] = c;
    bool plain = c > ' ' && c < 0x7f;
    parser->status = snw_text_fail_at(text, text->at,
        text->at >= text->size ? "the end of the file"
            : plain            ? found
                               : "something that is no JSON",
        "%s", expected);
    return false;
}

// four hexadecimal digits; -1 when they are none
static int take_code_unit(snw_Text *text)
{
    int unit = 0;
    for (int i = 0; i < 4; ++i) {
        int digit = snw_hex_digit(peek(text));
        if (digit < 0) { return -1; }
        unit = 16 * unit + digit;
        ++text->at;
    }
    return unit;
}

static size_t put_utf8(int code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | (code >> 6));
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | (code >> 12));
        out[1] = (char)(0x80 | ((code >> 6) & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | (code >> 18));
    out[1] = (char)(0x80 | ((code >> 12) & 0x3f));
    out[2] = (char)(0x80 | ((code >> 6) & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

// behind \u: one unit, or two that make a pair
static bool take_code(Parser *parser, char *out, size_t *used)
{
    snw_Text *text = parser->text;
    int code = take_code_unit(text);
    if (code < 0) { return fail(parser, "four hexadecimal digits"); }
    if (code >= 0xd800 && code < 0xdc00 && peek(text) == '\\') {
        ++text->at;
        if (peek(text) != 'u') { return fail(parser, "the second half of the character, \\u"); }
        ++text->at;
        int low = take_code_unit(text);
        if (low < 0xdc00 || low >= 0xe000) {
            return fail(parser, "the second half of the character");
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code == 0 || (code >= 0xd800 && code < 0xe000)) { return fail(parser, "a character"); }
    *used += put_utf8(code, out + *used);
    return true;
}

static bool take_escape(Parser *parser, char *out, size_t *used)
{
    static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    snw_Text *text = parser->text;
    char c = peek(text);
    const char *letter = c != '\0' ? strchr(letters, c) : NULL;
    if (letter != NULL) {
        out[(*used)++] = meanings[letter - letters];
        ++text->at;
        return true;
    }
    if (c != 'u') { return fail(parser, "one of \" \\ / b f n r t u behind \\"); }
    ++text->at;
    return take_code(parser, out, used);
}

// the text that begins here, without its quotes and escapes
static const char *take_text(Parser *parser)
{
    snw_Text *text = parser->text;
    size_t length = 0;
    ++text->at;
    while (text->at + length < text->size && text->data[text->at + length] != '"') {
        length += text->data[text->at + length] == '\\' ? 2 : 1;
    }
    // escapes never get longer
    char *out = take(parser, length + 1);
    if (out == NULL) { return NULL; }
    size_t used = 0;
    while (peek(text) != '"') {
        char c = peek(text);
        if (text->at >= text->size || (unsigned char)c < 0x20) {
            fail(parser, "\" at the end of the text");
            return NULL;
        }
        ++text->at;
        if (c != '\\') {
            out[used++] = c;
        } else if (!take_escape(parser, out, &used)) {
            return NULL;
        }
    }
    ++text->at;
    out[used] = '\0';
    return out;
}

static size_t skip_digits(snw_Text *text)
{
    size_t start = text->at;
    while (peek(text) >= '0' && peek(text) <= '9') { ++text->at; }
    return text->at - start;
}

static bool take_number(Parser *parser, double *out)
{
    snw_Text *text = parser->text;
    size_t start = text->at;
    if (peek(text) == '-') { ++text->at; }
    bool leading_zero = peek(text) == '0';
    size_t digits = skip_digits(text);
    if (digits == 0 || (leading_zero && digits > 1)) {
        text->at = start;
        return fail(parser, digits == 0 ? "a number" : "a number without leading zeros");
    }
    if (peek(text) == '.') {
        ++text->at;
        if (skip_digits(text) == 0) { return fail(parser, "a digit"); }
    }
    if (peek(text) == 'e' || peek(text) == 'E') {
        ++text->at;
        if (peek(text) == '+' || peek(text) == '-') { ++text->at; }
        if (skip_digits(text) == 0) { return fail(parser, "a digit"); }
    }
    snw_Text number = { text->data + start, text->at - start, 0, text->name, NULL, false };
    if (number.size <= MAX_NUMBER && snw_text_number(&number, out) == SNW_NUMBER_OK) {
        return true;
    }
    text->at = start;
    parser->status = snw_text_fail_at(
        text, start, "a number that is too large or too long", "a number");
    return false;
}

// ---------------------------------------------------------------------------------------------
// Values

static bool take_value(Parser *parser, snw_Json *json);

static bool take_word(Parser *parser, const char *word, snw_Json *json, snw_JsonKind kind)
{
    snw_Text *text = parser->text;
    size_t length = strlen(word);
    if (text->size - text->at < length || memcmp(text->data + text->at, word, length) != 0) {
        return fail(parser, "a value");
    }
    text->at += length;
    json->kind = kind;
    return true;
}

static bool take_key(Parser *parser, snw_Json *item)
{
    snw_Text *text = parser->text;
    if (peek(text) != '"') { return fail(parser, "a key in quotes"); }
    item->key_at = text->at;
    item->key = take_text(parser);
    if (item->key == NULL) { return false; }
    skip_space(text);
    if (peek(text) != ':') { return fail(parser, ": behind the key"); }
    ++text->at;
    return true;
}

static bool take_items(Parser *parser, snw_Json *json, char closing)
{
    snw_Text *text = parser->text;
    snw_Json **link = &json->child;
    const char *expected = closing == '}' ? ", or }" : ", or ]";
    ++text->at;
    skip_space(text);
    if (peek(text) == closing) {
        ++text->at;
        return true;
    }
    for (;;) {
        snw_Json *item = take(parser, sizeof *item);
        if (item == NULL) { return false; }
        memset(item, 0, sizeof *item);
        skip_space(text);
        if (closing == '}' && !take_key(parser, item)) { return false; }
        if (!take_value(parser, item)) { return false; }
        *link = item;
        link = &item->next;
        ++json->count;
        skip_space(text);
        char c = peek(text);
        if (c != ',' && c != closing) { return fail(parser, expected); }
        ++text->at;
        if (c == closing) { return true; }
    }
}

static bool take_plain_value(Parser *parser, snw_Json *json)
{
    snw_Text *text = parser->text;
    char c = peek(text);
    switch (c) {
    case '{':
    case '[': {
        json->kind = c == '{' ? SNW_JSON_OBJECT : SNW_JSON_ARRAY;
        if (parser->depth == SNW_JSON_MAX_DEPTH) { return fail(parser, "less nesting"); }
        ++parser->depth;
        bool good = take_items(parser, json, c == '{' ? '}' : ']');
        --parser->depth;
        return good;
    }
    case '"':
        json->kind = SNW_JSON_TEXT;
        json->text = take_text(parser);
        return json->text != NULL;
    case 't': return take_word(parser, "true", json, SNW_JSON_TRUE);
    case 'f': return take_word(parser, "false", json, SNW_JSON_FALSE);
    case 'n': return take_word(parser, "null", json, SNW_JSON_NULL);
    default:
        if (c != '-' && (c < '0' || c > '9')) { return fail(parser, "a value"); }
        json->kind = SNW_JSON_NUMBER;
        return take_number(parser, &json->number);
    }
}

static bool take_value(Parser *parser, snw_Json *json)
{
    skip_space(parser->text);
    json->at = parser->text->at;
    bool good = take_plain_value(parser, json);
    json->end = parser->text->at;
    return good;
}

void snw_json_describe(const snw_Json *value, char out_text[SNW_JSON_SHOWN])
{
    switch (value->kind) {
    case SNW_JSON_NULL: snprintf(out_text, SNW_JSON_SHOWN, "null"); break;
    case SNW_JSON_FALSE: snprintf(out_text, SNW_JSON_SHOWN, "false"); break;
    case SNW_JSON_TRUE: snprintf(out_text, SNW_JSON_SHOWN, "true"); break;
    case SNW_JSON_NUMBER: snprintf(out_text, SNW_JSON_SHOWN, "%g", value->number); break;
    case SNW_JSON_TEXT:
        snprintf(out_text, SNW_JSON_SHOWN, "\"%.40s%s\"", value->text,
            strlen(value->text) > 40 ? "..." : "");
        break;
    case SNW_JSON_ARRAY: snprintf(out_text, SNW_JSON_SHOWN, "a list of %d", value->count); break;
    case SNW_JSON_OBJECT: snprintf(out_text, SNW_JSON_SHOWN, "an object"); break;
    }
}

sinew_Status snw_json_fail(const snw_Text *text, const snw_Json *value, const char *expected)
{
    char found[SNW_JSON_SHOWN];
    snw_json_describe(value, found);
    return snw_text_fail_at(text, value->at, found, "%s", expected);
}

const snw_Json *snw_json_get(const snw_Json *object, const char *key)
{
    const snw_Json *found = NULL;
    if (object == NULL || object->kind != SNW_JSON_OBJECT) { return NULL; }
    for (const snw_Json *item = object->child; item != NULL; item = item->next) {
        if (strcmp(item->key, key) == 0) { found = item; }
    }
    return found;
}

sinew_Status snw_json_read(snw_Text *text, const sinew_Allocator *allocator, snw_JsonTree *out_tree)
{
    snw_JsonTree tree = { NULL, NULL, snw_allocator_or_default(allocator) };
    Parser parser = { text, &tree, SINEW_STATUS_OK, 0 };
    bool good = false;
    tree.top = take(&parser, sizeof *tree.top);
    if (tree.top != NULL) {
        memset(tree.top, 0, sizeof *tree.top);
        good = take_value(&parser, tree.top);
        skip_space(text);
        if (good && text->at < text->size) { good = fail(&parser, "the end of the file"); }
    }
    if (!good) {
        if (parser.status == SINEW_STATUS_OUT_OF_MEMORY) {
            snw_message_set(text->message, "%s: no memory to read the file", text->name);
        }
        snw_json_destroy(&tree);
        return parser.status;
    }
    *out_tree = tree;
    return SINEW_STATUS_OK;
}
