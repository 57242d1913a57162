#include "body/role_tokens.h"

#include "body/role_words.h"

#include <string.h>

// what remains of a name after normalisation; longer names are cut
#define TEXT_SIZE 512

// words shorter than this are not looked for inside runs of letters: everything is full of them
#define MIN_PIECE 3

typedef struct Text {
    char bytes[TEXT_SIZE];
    int length;
    bool is_asian;
} Text;

static void put(Text *text, char c)
{
    if (text->length < TEXT_SIZE - 1) { text->bytes[text->length++] = c; }
}

static void put_word(Text *text, const char *word)
{
    put(text, ' ');
    for (; *word != '\0'; ++word) { put(text, *word); }
    put(text, ' ');
}

// ---------------------------------------------------------------------------------------------
// Normalisation

// one code point of UTF-8; broken bytes count as one sign each and give U+FFFD
static uint32_t decode(const char *text, int *out_length)
{
    const unsigned char *s = (const unsigned char *)text;
    int more = s[0] < 0x80 ? 0 : (s[0] >= 0xf0 ? 3 : (s[0] >= 0xe0 ? 2 : (s[0] >= 0xc0 ? 1 : -1)));
    *out_length = 1;
    if (more == 0) { return s[0]; }
    if (more < 0) { return 0xfffd; }
    uint32_t code = s[0] & (0x3fu >> more);
    for (int i = 1; i <= more; ++i) {
        if ((s[i] & 0xc0) != 0x80) { return 0xfffd; }
        code = (code << 6) | (s[i] & 0x3fu);
    }
    *out_length = more + 1;
    return code;
}

// letters of U+00C0..U+017F without their accents; '?' where there is no plain letter
static const char plain_letters[] = "AAAAAAACEEEEIIIIDNOOOOO?OUUUUYTs"
                                    "aaaaaaaceeeeiiiidnooooo?ouuuuyty"
                                    "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
                                    "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
                                    "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs"
                                    "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

static const char *after_name_space(const char *name)
{
    const char *start = name;
    for (const char *c = name; *c != '\0'; ++c) {
        if ((*c == ':' || *c == '|') && c[1] != '\0') { start = c + 1; }
    }
    return start;
}

static void normalize(const char *name, Text *text)
{
    text->length = 0;
    text->is_asian = false;
    for (const char *c = after_name_space(name); *c != '\0';) {
        int length;
        size_t word_length = 0;
        uint32_t code = decode(c, &length);
        const char *english = code >= 0x80 ? snw_word_translate(c, &word_length) : NULL;
        if (code < 0x80) {
            put(text, (char)code);
        } else if (english != NULL) {
            put_word(text, english);
            text->is_asian = true;
            length = (int)word_length;
        } else if (code >= 0xff01 && code <= 0xff5e) {
            put(text, (char)(code - 0xfee0)); // full width
        } else if (code >= 0xc0 && code <= 0x17f && plain_letters[code - 0xc0] != '?') {
            put(text, plain_letters[code - 0xc0]);
            if (code == 0xdf) { put(text, 's'); } // sharp s
        } else if (code < 0x300 || code > 0x36f) {
            put(text, ' '); // not a combining accent
        }
        c += length;
    }
    text->bytes[text->length] = '\0';
}

// ---------------------------------------------------------------------------------------------
// Tokens

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_token(snw_Tokens *tokens, const char *text, int length, bool is_number)
{
    if (tokens->count == SNW_MAX_TOKENS) { return; }
    snw_Token *token = &tokens->list[tokens->count++];
    if (length > SNW_TOKEN_SIZE - 1) { length = SNW_TOKEN_SIZE - 1; }
    for (int i = 0; i < length; ++i) {
        token->text[i] = (char)(is_upper(text[i]) ? text[i] - 'A' + 'a' : text[i]);
    }
    token->text[length] = '\0';
    token->is_number = is_number;
}

static bool is_known(const char *text, int start, int length)
{
    char word[SNW_TOKEN_SIZE];
    int rows;
    memcpy(word, text + start, (size_t)length);
    word[length] = '\0';
    return snw_word_find(word, &rows) != NULL;
}

typedef struct Cuts {
    double cost[SNW_TOKEN_SIZE][2]; // of the letters before here; without and with a side letter
    int from[SNW_TOKEN_SIZE][2];    // where the last piece starts; its state is that of is_letter
    bool is_letter[SNW_TOKEN_SIZE][2];
} Cuts;

static void offer(Cuts *cuts, int at, int state, double cost, int from, bool is_letter)
{
    if (!(cost < cuts->cost[at][state])) { return; }
    cuts->cost[at][state] = cost;
    cuts->from[at][state] = from;
    cuts->is_letter[at][state] = is_letter;
}

// the fewest known words that make up a run of letters; one side letter at an end costs half a word
static void find_cuts(const char *text, int length, Cuts *cuts)
{
    for (int i = 0; i <= length; ++i) { cuts->cost[i][0] = cuts->cost[i][1] = 1e9; }
    cuts->cost[0][0] = 0.0;
    for (int at = 1; at <= length; ++at) {
        for (int start = 0; start < at; ++start) {
            int piece = at - start;
            bool letter = piece == 1 && (start == 0 || at == length)
                && (text[start] == 'l' || text[start] == 'r');
            if (letter) { offer(cuts, at, 1, cuts->cost[start][0] + 0.5, start, true); }
            if (piece < MIN_PIECE || !is_known(text, start, piece)) { continue; }
            offer(cuts, at, 0, cuts->cost[start][0] + 1.0, start, false);
            offer(cuts, at, 1, cuts->cost[start][1] + 1.0, start, false);
        }
    }
}

static void add_letters(snw_Tokens *tokens, const char *text, int length)
{
    int first = tokens->count;
    int rows;
    add_token(tokens, text, length, false);
    if (tokens->count == first) { return; }

    char run[SNW_TOKEN_SIZE];
    memcpy(run, tokens->list[first].text, sizeof run);
    length = (int)strlen(run);
    if (length < MIN_PIECE + 1 || snw_word_find(run, &rows) != NULL) { return; }
    Cuts cuts;
    find_cuts(run, length, &cuts);
    int state = cuts.cost[length][1] < cuts.cost[length][0] ? 1 : 0;
    if (cuts.cost[length][state] > 1e8) { return; }

    int starts[SNW_TOKEN_SIZE], ends[SNW_TOKEN_SIZE], count = 0;
    for (int at = length; at > 0;) {
        starts[count] = cuts.from[at][state];
        ends[count++] = at;
        int from = cuts.from[at][state];
        if (cuts.is_letter[at][state]) { state = 0; }
        at = from;
    }
    tokens->count = first;
    while (count-- > 0) {
        add_token(tokens, run + starts[count], ends[count] - starts[count], false);
    }
}

// a run of capitals that no lower-case letter follows | an optional capital and lower-case letters
// | digits
static int run_length(const char *text)
{
    int length = 0;
    if (is_digit(text[0])) {
        while (is_digit(text[length])) { ++length; }
        return length;
    }
    while (is_upper(text[length])) { ++length; }
    if (!is_lower(text[length])) { return length; }
    if (length > 1) { return length - 1; }
    while (is_lower(text[length])) { ++length; }
    return length;
}

void snw_tokens_cut(const char *name, snw_Tokens *out_tokens)
{
    Text text;
    normalize(name, &text);
    out_tokens->count = 0;
    out_tokens->is_asian = text.is_asian;
    out_tokens->is_connector = text.bytes[0] == '_' && text.bytes[1] == '_';
    for (int i = 0; i < text.length;) {
        const char *at = text.bytes + i;
        int length = run_length(at);
        if (length == 0) {
            ++i;
            continue;
        }
        if (is_digit(at[0])) {
            add_token(out_tokens, at, length, true);
        } else {
            add_letters(out_tokens, at, length);
        }
        i += length;
    }
}

void snw_tokens_drop(snw_Tokens *tokens, int index)
{
    int behind = tokens->count - index - 1;
    memmove(&tokens->list[index], &tokens->list[index + 1], (size_t)behind * sizeof(snw_Token));
    --tokens->count;
}

bool snw_token_is(const snw_Token *token, const char *text)
{
    return strcmp(token->text, text) == 0;
}

uint32_t snw_token_hash(uint32_t hash, const char *text)
{
    for (; *text != '\0'; ++text) { hash = (hash ^ (unsigned char)*text) * 16777619u; }
    return (hash ^ 0xffu) * 16777619u;
}

// ---------------------------------------------------------------------------------------------
// Pairs

static bool begins_pair(const snw_Token *token)
{
    static const char *const firsts[] = { "up", "upper", "fore", "lower", "low", "lo", "toe",
        "collar", "in", "skull", "rib", "mid" };
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; ++i) {
        if (snw_token_is(token, firsts[i])) { return true; }
    }
    return false;
}

// "lu" "arm" (of LUArm) becomes "l" "uarm"
static bool join_side_pair(snw_Tokens *tokens, int i)
{
    snw_Token *a = &tokens->list[i], *b = &tokens->list[i + 1];
    bool is_side = a->text[0] == 'l' || a->text[0] == 'r';
    bool is_part = a->text[1] == 'u' || a->text[1] == 'f';
    if (strlen(a->text) != 2 || !is_side || !is_part) { return false; }
    if (!snw_token_is(b, "arm") && !snw_token_is(b, "leg")) { return false; }
    char joined[SNW_TOKEN_SIZE] = { a->text[1] };
    memcpy(joined + 1, b->text, 4);
    int rows;
    if (snw_word_find(joined, &rows) == NULL) { return false; }
    memcpy(b->text, joined, sizeof joined);
    a->text[1] = '\0';
    return true;
}

void snw_tokens_join(snw_Tokens *tokens)
{
    for (int i = 0; i + 1 < tokens->count; ++i) {
        snw_Token *a = &tokens->list[i], *b = &tokens->list[i + 1];
        size_t a_length = strlen(a->text), b_length = strlen(b->text);
        if (b->is_number || join_side_pair(tokens, i)) { continue; }
        if (!begins_pair(a) || a_length + b_length > SNW_TOKEN_SIZE - 1) { continue; }
        char joined[2 * SNW_TOKEN_SIZE];
        int rows;
        memcpy(joined, a->text, a_length);
        memcpy(joined + a_length, b->text, b_length + 1);
        if (snw_word_find(joined, &rows) == NULL) { continue; }
        memcpy(a->text, joined, a_length + b_length + 1);
        snw_tokens_drop(tokens, i + 1);
    }
}
