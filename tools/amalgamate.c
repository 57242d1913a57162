// Makes one sinew.h and one sinew.c of the core, for who adds two files to a project.
//
// usage: amalgamate FOLDER_OUT [--without HEADER]... SOURCE.c...     in the root of the sources
//
// Public headers become sinew.h, in the order in which include/sinew/sinew.h names them; private headers
// and sources become sinew.c. Names that belong to one source file (they have no prefix) get that
// file's name in front, as many files have a function `measure` of their own.

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NAMES 512  // of one source file
#define MAX_FILES 512  // headers and sources together
#define MAX_SKIPPED 16 // headers left out
#define MAX_DEPTH 256  // of brackets

static void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("amalgamate: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

// ---------------------------------------------------------------------------------------------
// Tokens

typedef enum Kind { KIND_SPACE, KIND_TEXT, KIND_WORD, KIND_MARK, KIND_END } Kind;

typedef struct Token {
    Kind kind;
    const char *start;
    int length;
    bool in_directive;
} Token;

typedef struct Tokens {
    Token *list;
    int count;
    char *text;
} Tokens;

static bool is(const Token *token, const char *text)
{
    return token->length == (int)strlen(text)
        && memcmp(token->start, text, (size_t)token->length) == 0;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) { stop("%s cannot be read", path); }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    if (text == NULL || fread(text, 1, (size_t)size, file) != (size_t)size) {
        stop("%s cannot be read", path);
    }
    fclose(file);
    return text;
}

// end of a comment, text or character constant that starts here
static const char *skip_quoted(const char *p)
{
    char quote = *p++;
    while (*p != '\0' && *p != quote) { p += *p == '\\' && p[1] != '\0' ? 2 : 1; }
    return *p == quote ? p + 1 : p;
}

static const char *skip_comment(const char *p)
{
    if (p[1] == '/') { return p + strcspn(p, "\n"); }
    const char *end = strstr(p + 2, "*/");
    return end != NULL ? end + 2 : p + strlen(p);
}

static Token next_token(const char *p)
{
    Token token = { KIND_MARK, p, 1, false };
    const char *end = p + 1;
    if (*p == '\0') {
        token.kind = KIND_END;
        end = p;
    } else if (isspace((unsigned char)*p) || (*p == '\\' && p[1] == '\n')) {
        token.kind = KIND_SPACE;
    } else if (*p == '/' && (p[1] == '/' || p[1] == '*')) {
        token.kind = KIND_SPACE;
        end = skip_comment(p);
    } else if (*p == '"' || *p == '\'') {
        token.kind = KIND_TEXT;
        end = skip_quoted(p);
    } else if (isalpha((unsigned char)*p) || *p == '_') {
        token.kind = KIND_WORD;
        while (isalnum((unsigned char)*end) || *end == '_') { ++end; }
    } else if (isdigit((unsigned char)*p)) {
        token.kind = KIND_TEXT;
        while (isalnum((unsigned char)*end) || *end == '.' || *end == '_'
            || ((*end == '+' || *end == '-') && strchr("eEpP", end[-1]) != NULL)) {
            ++end;
        }
    } else if (*p == '-' && p[1] == '>') {
        end = p + 2;
    }
    token.length = (int)(end - p);
    return token;
}

static Tokens tokenize(const char *path)
{
    Tokens r = { NULL, 0, read_text(path) };
    int room = 0;
    bool in_directive = false, line_starts = true;
    for (const char *p = r.text;;) {
        if (r.count == room) {
            room = room > 0 ? 2 * room : 4096;
            r.list = realloc(r.list, (size_t)room * sizeof *r.list);
            if (r.list == NULL) { stop("out of memory"); }
        }
        Token token = next_token(p);
        if (line_starts && *p == '#') { in_directive = true; }
        if (*p == '\n' && token.kind == KIND_SPACE) { in_directive = false; }
        if (*p == '\n' || !isspace((unsigned char)*p)) { line_starts = *p == '\n'; }
        token.in_directive = in_directive;
        r.list[r.count++] = token;
        if (token.kind == KIND_END) { return r; }
        p += token.length;
    }
}

// ---------------------------------------------------------------------------------------------
// Names of one source file

typedef struct Name {
    char text[96];
    bool is_value; // function or variable: members of structures may have the same name
} Name;

typedef struct Names {
    Name list[MAX_NAMES];
    int count;
} Names;

static Name *find_name(Names *names, const Token *token)
{
    for (int i = 0; i < names->count; ++i) {
        if (is(token, names->list[i].text)) { return &names->list[i]; }
    }
    return NULL;
}

static void add_name(Names *names, const Token *token, bool is_value)
{
    static const char *const shared[] = { "snw_", "sinew_", "SNW_", "SINEW_" };
    if (token == NULL || token->kind != KIND_WORD || token->length >= 96) { return; }
    if (is(token, "_Static_assert")) { return; }
    for (int i = 0; i < 4; ++i) {
        if (strncmp(token->start, shared[i], strlen(shared[i])) == 0) { return; }
    }
    if (find_name(names, token) != NULL) { return; }
    if (names->count == MAX_NAMES) { stop("more than %d names in a file", MAX_NAMES); }
    Name *name = &names->list[names->count++];
    memcpy(name->text, token->start, (size_t)token->length);
    name->text[token->length] = '\0';
    name->is_value = is_value;
}

// One declaration outside of all functions, from token `from` on; returns where the next starts.
typedef struct Declaration {
    int depth;                    // of brackets
    bool is_type, is_enum, found; // found: the declared name
    bool has_parameters, has_value;
    const Token *last; // word or mark before this one
} Declaration;

static bool opens(const Token *t)
{
    return t->kind == KIND_MARK && strchr("({[", *t->start) != NULL;
}

static bool closes(const Token *t)
{
    return t->kind == KIND_MARK && strchr(")}]", *t->start) != NULL;
}

static void read_open(Names *names, Declaration *d, const Token *t)
{
    bool brace = is(t, "{");
    if (d->depth == 0 && !brace && !d->found && !d->has_value) {
        // a function, an array, or (*name)(...), which read_inside sees
        add_name(names, d->last, !d->is_type);
        d->found = d->last->kind == KIND_WORD;
    }
    if (d->depth == 0 && is(t, "(")) { d->has_parameters = true; }
    ++d->depth;
}

static int read_declaration(Names *names, const Tokens *tokens, int from)
{
    Declaration d = { 0 };
    const Token *before_last = NULL;
    bool function = false;
    int i = from;
    for (; tokens->list[i].kind != KIND_END; ++i) {
        const Token *t = &tokens->list[i];
        if (t->in_directive || t->kind == KIND_SPACE) { continue; }
        if (d.depth == 0 && is(t, "typedef")) { d.is_type = true; }
        if (d.depth == 0 && is(t, "enum")) { d.is_enum = true; }
        if (is(t, "{") && d.depth == 0) {
            bool tagged = before_last != NULL
                && (is(before_last, "struct") || is(before_last, "enum")
                    || is(before_last, "union"));
            if (tagged) { add_name(names, d.last, false); }
            function = d.has_parameters && !d.has_value;
        }
        // (*name)(...) of a pointer to a function
        if (d.depth == 1 && !function && d.last != NULL && is(d.last, "*") && before_last != NULL
            && is(before_last, "(") && !d.found && !d.has_value) {
            add_name(names, t, !d.is_type);
            d.found = true;
        }
        if (d.depth == 1 && d.is_enum && !d.has_parameters && d.last != NULL && t->kind == KIND_WORD
            && (is(d.last, "{") || is(d.last, ","))) {
            add_name(names, t, false);
        }
        if (opens(t)) {
            read_open(names, &d, t);
        } else if (closes(t)) {
            --d.depth;
            if (d.depth == 0 && is(t, "}") && function) { return i + 1; }
        } else if (d.depth == 0 && (is(t, "=") || is(t, ";") || is(t, ","))) {
            if (!d.found && !d.has_value) { add_name(names, d.last, !d.is_type); }
            d.has_value = is(t, "=");
            d.found = false;
            if (is(t, ";")) { return i + 1; }
        }
        before_last = d.last;
        d.last = t;
    }
    return i;
}

static void find_names(Names *names, const Tokens *tokens)
{
    names->count = 0;
    for (int i = 0; i < tokens->count; ++i) {
        const Token *t = &tokens->list[i];
        if (t->in_directive && is(t, "define")) { add_name(names, t + 2, false); }
    }
    int i = 0;
    while (tokens->list[i].kind != KIND_END) { i = read_declaration(names, tokens, i); }
}

// ---------------------------------------------------------------------------------------------
// Writing

static char written[MAX_FILES][256];
static int written_count;
static const char *skipped[MAX_SKIPPED];
static int skipped_count;

// whether a file still has to be written
static bool is_new(const char *path)
{
    for (int i = 0; i < skipped_count; ++i) {
        if (strcmp(path, skipped[i]) == 0) { return false; }
    }
    for (int i = 0; i < written_count; ++i) {
        if (strcmp(path, written[i]) == 0) { return false; }
    }
    if (written_count == MAX_FILES || strlen(path) >= 256) { stop("too many files at %s", path); }
    strcpy(written[written_count++], path);
    return true;
}

static void write_file(FILE *out, const char *path, bool is_public);

// `#include "x"` at token i: the file itself. Returns the token after it.
static int write_include(FILE *out, const Tokens *tokens, int i, bool is_public)
{
    while (tokens->list[i].kind != KIND_TEXT) { ++i; }
    const Token *name = &tokens->list[i];
    char path[512];
    const char *start = name->start + 1;
    int length = name->length - 2;
    bool from_public = length > 6 && memcmp(start, "sinew/", 6) == 0;
    if (from_public) {
        snprintf(path, sizeof path, "include/%.*s", length, start);
    } else {
        snprintf(path, sizeof path, "%s%.*s", is_public ? "include/sinew/" : "src/", length, start);
    }
    // sources have sinew.h above them
    if (!from_public || is_public) { write_file(out, path, is_public); }
    return i + 1;
}

static bool includes_file(const Tokens *tokens, int i)
{
    if (!tokens->list[i].in_directive || !is(&tokens->list[i], "#")) { return false; }
    for (++i; tokens->list[i].kind == KIND_SPACE && tokens->list[i].in_directive; ++i) {}
    if (!is(&tokens->list[i], "include")) { return false; }
    for (++i; tokens->list[i].kind == KIND_SPACE && tokens->list[i].in_directive; ++i) {}
    return tokens->list[i].kind == KIND_TEXT;
}

static void write_tokens(
    FILE *out, const Tokens *tokens, Names *names, const char *prefix, bool is_public)
{
    bool structure[MAX_DEPTH] = { false };
    int depth = 0;
    const Token none = { KIND_MARK, "", 0, false }, *last = &none, *before_last = &none;
    for (int i = 0; tokens->list[i].kind != KIND_END; ++i) {
        const Token *t = &tokens->list[i];
        if (includes_file(tokens, i)) { i = write_include(out, tokens, i, is_public); }
        t = &tokens->list[i];
        const Name *name = t->kind == KIND_WORD ? find_name(names, t) : NULL;
        bool member = is(last, ".") || is(last, "->");
        if (name != NULL && !member && !(name->is_value && structure[depth])) {
            fprintf(out, "%s_", prefix);
        }
        fwrite(t->start, 1, (size_t)t->length, out);
        if (t->kind == KIND_SPACE) { continue; }
        if (is(t, "{")) {
            if (++depth == MAX_DEPTH) { stop("brackets too deep"); }
            structure[depth] = is(last, "struct") || is(last, "union") || is(before_last, "struct")
                || is(before_last, "union");
        } else if (is(t, "}") && depth > 0) {
            --depth;
        }
        before_last = last;
        last = t;
    }
}

static void write_file(FILE *out, const char *path, bool is_public)
{
    static Names names; // of the one source that is being written; headers have none of their own
    if (!is_new(path)) { return; }
    Tokens tokens = tokenize(path);
    char prefix[128] = "";
    bool is_source = strcmp(path + strlen(path) - 2, ".c") == 0;
    Names *own = &(Names){ .count = 0 };
    if (is_source) {
        const char *base = strrchr(path, '/') + 1;
        snprintf(prefix, sizeof prefix, "%.*s", (int)strlen(base) - 2, base);
        find_names(&names, &tokens);
        own = &names;
        fprintf(out, "\n// %s\n", path);
    }
    write_tokens(out, &tokens, own, prefix, is_public);
    free(tokens.list);
    free(tokens.text);
}

static FILE *open_out(const char *folder, const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "wb");
    if (out == NULL) { stop("%s cannot be written", path); }
    return out;
}

static void close_out(FILE *out)
{
    if (ferror(out) != 0 || fclose(out) != 0) { stop("a file cannot be written"); }
}

// what the build files of the library say by options
static const char head[] =
    "// sinew, the core in one file, made by ./run amalgamate. Beside it stands sinew.h. Compile "
    "it as\n"
    "// C17 and link with the mathematical library (-lm). Licence: MIT, see the project.\n"
    "\n"
    "// same input, same bits: no fused multiplications\n"
    "#if defined(__clang__)\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#pragma clang diagnostic ignored \"-Wunused-function\" // a small function that no source "
    "here needs\n"
    "#elif defined(__GNUC__)\n"
    "// vectors made of straight-line code are fused all the same by gcc 12\n"
    "#pragma GCC optimize(\"-ffp-contract=off\", \"-fno-tree-slp-vectorize\")\n"
    "// and so are vectors made of loops: no such instructions at all\n"
    "#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)\n"
    "#pragma GCC target(\"no-fma,no-fma4,no-avx512f\")\n"
    "#endif\n"
    "#elif defined(_MSC_VER)\n"
    "#pragma fp_contract(off)\n"
    "#endif\n"
    "\n"
    "#ifndef SINEW_STATIC\n"
    "#define SINEW_BUILDING\n"
    "#endif\n"
    "#include \"sinew.h\"\n";

int main(int argc, char **argv)
{
    if (argc < 3) { stop("usage: amalgamate FOLDER_OUT [--without HEADER]... SOURCE.c..."); }
    int i = 2;
    for (; i + 1 < argc && strcmp(argv[i], "--without") == 0; i += 2) {
        if (skipped_count == MAX_SKIPPED) { stop("more than %d headers left out", MAX_SKIPPED); }
        skipped[skipped_count++] = argv[i + 1];
    }
    FILE *out = open_out(argv[1], "sinew.h");
    fputs("// sinew, all public headers of the core in one, made by ./run amalgamate. Licence: "
          "MIT.\n\n",
        out);
    write_file(out, "include/sinew/sinew.h", true);
    close_out(out);

    out = open_out(argv[1], "sinew.c");
    fputs(head, out);
    for (; i < argc; ++i) { write_file(out, argv[i], false); }
    close_out(out);
    return 0;
}
