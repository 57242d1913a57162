// docs/json.md against what the commands print: every printed field is told, every field that is told is printed, or
// where that is seldom, known to the command; and every key in the sources has its place there.

#include "command.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 160, PATH = 200 };

/// A field of a table.
typedef struct Field {
    char path[PATH];
    bool seldom, seen;
} Field;

/// The fields of one part of the page.
typedef struct Part {
    Field fields[MOST];
    int count;
    const char *title; // up to the end of its line
} Part;

static char page[65536];

// ---------------------------------------------------------------------------------------------
// The page

static const char *line_end(const char *p)
{
    const char *end = strchr(p, '\n');
    return end != NULL ? end : p + strlen(p);
}

// the names in the first cell of a row
static void read_row(Part *part, const char *row, const char *end)
{
    const char *cell = row + 1, *stop = strchr(cell, '|');
    bool seldom = strstr(cell, "†") != NULL && strstr(cell, "†") < stop;
    assert_true(stop != NULL && stop < end);
    for (const char *p = strchr(cell, '`'); p != NULL && p < stop; p = strchr(p, '`')) {
        const char *close = strchr(p + 1, '`');
        assert_true(part->count < MOST && close != NULL && close - p < PATH);
        Field *field = &part->fields[part->count++];
        snprintf(field->path, PATH, "%.*s", (int)(close - p - 1), p + 1);
        field->seldom = seldom;
        field->seen = false;
        p = close + 1;
    }
}

// ---------------------------------------------------------------------------------------------
// Paths

// whether two paths are one, a name in capitals being any
static bool fits(const char *told, const char *path)
{
    while (*told != '\0' || *path != '\0') {
        size_t a = strcspn(told, ".["), b = strcspn(path, ".[");
        bool any = a > 1 && strspn(told, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == a;
        if (b == 0 ? a != 0 : !any && (a != b || strncmp(told, path, a) != 0)) { return false; }
        told += a;
        path += b;
        if (*told != *path) { return false; }
        if (*told != '\0') {
            ++told;
            ++path;
        }
    }
    return true;
}

// as it is told, before one with names in capitals
static Field *find_field(Part *part, const char *path)
{
    for (int i = 0; i < part->count; ++i) {
        if (strcmp(part->fields[i].path, path) == 0) { return &part->fields[i]; }
    }
    for (int i = 0; i < part->count; ++i) {
        if (fits(part->fields[i].path, path)) { return &part->fields[i]; }
    }
    return NULL;
}

static int untold;

static void see(Part *part, const char *path)
{
    char parent[PATH];
    Field *field = find_field(part, path);
    const char *last = strrchr(path, '.');
    if (field == NULL && last != NULL
        && (strcmp(last, ".value") == 0 || strcmp(last, ".time_s") == 0
            || strcmp(last, ".where") == 0)) {
        snprintf(parent, sizeof parent, "%.*s", (int)(last - path), path);
        field = find_field(part, parent);
    }
    if (field != NULL) {
        field->seen = true;
        return;
    }
    print_error("%.*s: '%s' is printed and not told\n", (int)(line_end(part->title) - part->title),
        part->title, path);
    ++untold;
}

/// All fields of a value; returns the text after it.
static const char *see_value(Part *part, const char *p, const char *path)
{
    char below[PATH];
    p = skip_space(p);
    if (*p != '{' && *p != '[') {
        see(part, path);
        return skip_value(p);
    }
    char close = *p == '{' ? '}' : ']';
    snprintf(below, sizeof below, "%s[]", path);
    p = skip_space(p + 1);
    if (*p == close) {
        see(part, close == '}' ? path : below);
        return p + 1;
    }
    for (;; p = skip_space(p + 1)) {
        if (close == '}') {
            const char *end = skip_string(p);
            snprintf(below, sizeof below, "%s%s%.*s", path, path[0] != '\0' ? "." : "",
                (int)(end - p - 2), p + 1);
            // names of axes have points of their own
            for (char *c = below + strlen(path) + 1; path[0] != '\0' && *c != '\0'; ++c) {
                if (*c == '.') { *c = '_'; }
            }
            p = skip_space(end) + 1;
        }
        p = skip_space(see_value(part, p, below));
        if (*p == close) { return p + 1; }
    }
}

// ---------------------------------------------------------------------------------------------
// The test

static void write_inputs(void)
{
    const char *path = test_temp_path("x");
    char folder[1024];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(run_sinew("walk --seconds 4 -o walk.bvh")->code, 0);
    assert_int_equal(run_sinew("convert walk.bvh me.glb")->code, 0);
    assert_int_equal(mkdir("takes", 0777), 0);
    assert_int_equal(run_sinew("convert walk.bvh takes/walk.bvh")->code, 0);
    write_text("takes/broken.bvh", "HIERARCHY\nROOT a\n{\n");
    write_text("goals.csv", "LeftHand.x,LeftHand.y,LeftHand.z\n0.3,1.2,0.3\n3,3,3\n");
    write_text("robot.urdf",
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent "
        "link='a'/>"
        "<child link='b'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/></joint></robot>");
}

static void run_line(Part *part, const char *line, const char *end)
{
    char arguments[512];
    snprintf(arguments, sizeof arguments, "%.*s", (int)(end - line), line);
    const test_Run *run = run_sinew("%s", arguments);
    if (run->code > 1 || run->out[0] != '{') { fail_msg("sinew %s: %s", arguments, run->err); }
    static char out[sizeof run->out];
    snprintf(out, sizeof out, "%s", run->out);
    const char *after = see_value(part, out, "");
    if (strcmp(after, "\n") != 0) {
        fail_msg("sinew %s: found '%.40s' behind the object", arguments, after);
    }
}

static bool is_known_key(const char *path)
{
    char key[PATH], call[2200];
    const char *last = strrchr(path, '.');
    snprintf(key, sizeof key, "%s", last != NULL ? last + 1 : path);
    key[strcspn(key, "[")] = '\0';
    if (key[0] >= 'A' && key[0] <= 'Z') { return true; }
    snprintf(call, sizeof call, "grep -qF '\"%s\"' %s/cli/*.c", key, SINEW_SOURCE_DIR);
    return system(call) == 0;
}

static int end_part(const Part *part)
{
    int wrong = 0;
    for (int i = 0; i < part->count; ++i) {
        const Field *f = &part->fields[i];
        if (f->seen || (f->seldom && is_known_key(f->path))) { continue; }
        print_error("%.*s: '%s' is told and not printed\n",
            (int)(line_end(part->title) - part->title), part->title, f->path);
        ++wrong;
    }
    return wrong;
}

static void printed_fields_are_told(void **state)
{
    (void)state;
    static Part part;
    int wrong = 0, lines = 0, parts = 0;
    assert_true(
        read_text(SINEW_SOURCE_DIR "/docs/json.md", page, sizeof page) < (long)sizeof page - 1);
    write_inputs();
    for (const char *p = strstr(page, "\n## "); p != NULL; p = strstr(p, "\n## ")) {
        const char *end = strstr(p + 1, "\n## ");
        p += 4;
        memset(&part, 0, sizeof part);
        part.title = p;
        for (int pass = 0; pass < 2; ++pass) {
            for (const char *l = p; l != NULL && *l != '\0' && (end == NULL || l < end);
                 l = line_end(l) + 1) {
                if (pass == 0 && strncmp(l, "| `", 3) == 0) { read_row(&part, l, line_end(l)); }
                if (pass == 1 && strncmp(l, "    sinew ", 10) == 0) {
                    run_line(&part, l + 10, line_end(l));
                    ++lines;
                }
                if (*line_end(l) == '\0') { break; }
            }
        }
        wrong += end_part(&part);
        ++parts;
    }
    assert_int_equal(wrong + untold, 0);
    assert_true(parts >= 14 && lines >= parts);
}

// The names that a call of the JSON writer has as keys, second argument of cli_json_...
static int check_call(const char *file, const char *call)
{
    const char *p = strchr(call, '(');
    int depth = 0, argument = 0, missing = 0;
    for (; p != NULL && *p != '\0' && *p != ';' && argument < 2; ++p) {
        if (*p == '"') {
            const char *end = skip_string(p);
            char told[PATH];
            size_t size = (size_t)(end - p) - 2;
            bool is_key = argument == 1 && size > 0 && size < PATH - 4
                && strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_0123456789") == size;
            if (is_key) {
                bool found = false;
                static const char *const before[] = { "`", "." },
                                         *const behind[] = { "`", ".", "[" };
                for (int i = 0; i < 6 && !found; ++i) {
                    snprintf(told, sizeof told, "%s%.*s%s", before[i % 2], (int)size, p + 1,
                        behind[i / 2]);
                    found = strstr(page, told) != NULL;
                }
                if (!found) {
                    print_error("%s: the key '%.*s' is not told\n", file, (int)size, p + 1);
                }
                missing += found ? 0 : 1;
            }
            p = end - 1;
        } else {
            depth += *p == '(' || *p == '[' ? 1 : *p == ')' || *p == ']' ? -1 : 0;
            if (depth == 0) { break; }
            argument += depth == 1 && *p == ',' ? 1 : 0;
        }
    }
    return missing;
}

static void keys_in_sources_are_told(void **state)
{
    (void)state;
    static char text[131072];
    char path[1024];
    int missing = 0, files = 0;
    assert_true(read_text(SINEW_SOURCE_DIR "/docs/json.md", page, sizeof page) > 0);
    DIR *folder = opendir(SINEW_SOURCE_DIR "/cli");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *ending = strrchr(entry->d_name, '.');
        if (ending == NULL || strcmp(ending, ".c") != 0 || strcmp(entry->d_name, "json.c") == 0) {
            continue;
        }
        snprintf(path, sizeof path, "%s/cli/%s", SINEW_SOURCE_DIR, entry->d_name);
        assert_true(read_text(path, text, sizeof text) < (long)sizeof text - 1);
        for (const char *call = text; (call = strstr(call, "cli_json_")) != NULL; ++call) {
            missing += check_call(entry->d_name, call);
        }
        ++files;
    }
    closedir(folder);
    assert_true(files > 30);
    assert_int_equal(missing, 0);
}

TEST_MAIN(cmocka_unit_test(printed_fields_are_told), cmocka_unit_test(keys_in_sources_are_told))
