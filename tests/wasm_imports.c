// Reads the sections of a WebAssembly module: prints its imports and counts its exports of
// sinew_*. Exit status 0 only when it imports nothing and exports each name that is asked for.
// usage: wasm_imports FILE.wasm [EXPORT ...]

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_IMPORT 2
#define SECTION_EXPORT 7

typedef struct Reader {
    const unsigned char *at, *end;
} Reader;

static void fail(const char *text)
{
    fprintf(stderr, "not a WebAssembly module: %s\n", text);
    exit(2);
}

static unsigned read_byte(Reader *reader)
{
    if (reader->at >= reader->end) { fail("it ends too early"); }
    return *reader->at++;
}

// LEB128, seven bits a byte, lowest first
static uint32_t read_number(Reader *reader)
{
    uint64_t value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
        unsigned byte = read_byte(reader);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) { return (uint32_t)value; }
    }
    fail("a number is too long");
    return 0;
}

static Reader read_bytes(Reader *reader, uint32_t size)
{
    if (size > (size_t)(reader->end - reader->at)) { fail("a section is longer than the file"); }
    Reader part = { reader->at, reader->at + size };
    reader->at += size;
    return part;
}

static int name_length(Reader name)
{
    return (int)(name.end - name.at);
}

// the module's and the field's name of each import; the import section's entries have kinds of
// different shapes, but the first names are enough to complain about
static uint32_t print_imports(Reader section)
{
    uint32_t count = read_number(&section);
    if (count > 0) {
        Reader module = read_bytes(&section, read_number(&section));
        Reader field = read_bytes(&section, read_number(&section));
        printf("imports %.*s.%.*s%s\n", name_length(module), (const char *)module.at,
            name_length(field), (const char *)field.at, count > 1 ? " and more" : "");
    }
    return count;
}

static int find_exports(Reader section, int wanted_count, char **wanted, bool *found)
{
    int sinew_count = 0;
    uint32_t count = read_number(&section);
    for (uint32_t i = 0; i < count; ++i) {
        Reader name = read_bytes(&section, read_number(&section));
        read_byte(&section);   // kind
        read_number(&section); // index
        size_t length = (size_t)name_length(name);
        if (length > 6 && memcmp(name.at, "sinew_", 6) == 0) { ++sinew_count; }
        for (int w = 0; w < wanted_count; ++w) {
            bool same = strlen(wanted[w]) == length && memcmp(name.at, wanted[w], length) == 0;
            if (same) { found[w] = true; }
        }
    }
    return sinew_count;
}

static Reader read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    static unsigned char data[1 << 24];
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    Reader reader = { data, data + size };
    return reader;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: wasm_imports FILE.wasm [EXPORT ...]\n");
        return 2;
    }
    Reader module = read_file(argv[1]);
    Reader head = read_bytes(&module, 8);
    if (memcmp(head.at, "\0asm\1\0\0\0", 8) != 0) { fail("its first bytes are others"); }

    uint32_t import_count = 0;
    int export_count = 0, missing = 0;
    bool *found = calloc((size_t)argc, sizeof *found);
    if (found == NULL) { return 2; }
    while (module.at < module.end) {
        unsigned kind = read_byte(&module);
        Reader section = read_bytes(&module, read_number(&module));
        if (kind == SECTION_IMPORT) { import_count = print_imports(section); }
        if (kind == SECTION_EXPORT) {
            export_count = find_exports(section, argc - 2, argv + 2, found);
        }
    }
    for (int w = 0; w < argc - 2; ++w) {
        if (found[w]) { continue; }
        printf("does not export %s\n", argv[w + 2]);
        ++missing;
    }
    printf("%u imports, %d exports of sinew_*\n", (unsigned)import_count, export_count);
    free(found);
    return import_count == 0 && missing == 0 ? 0 : 1;
}
