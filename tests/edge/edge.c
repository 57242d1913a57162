// Calls every public function with NULL, indices and enums that are none, numbers that are not finite and
// definitions without their defaults, and with numbers in and around their ranges, one other thing at a time. Each
// function is called in a process of its own, so that a crash or a hang names the call.
//
// What is answered, statuses, messages, results and what is written to out_..., is for each function the
// same as ever: tests/edge/hashes.txt. SINEW_EDGE_TELL=1 prints it. Who changes an answer on purpose writes the
// file anew: SINEW_GOLDEN_WRITE=1 build/release/tests/edge
// usage: edge [NAME]

#include "edge.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_VALUES 2048
/// A call that takes longer hangs, seconds.
#define PATIENCE 20

/// What the child tells its parent.
typedef struct Progress {
    int variant;   ///< of the call that is under way
    int silent;    ///< errors whose message was empty
    uint64_t hash; ///< of what was answered
    char said[400];
} Progress;

static Progress *progress;
static const edge_Call *calling;
/// Bytes that are written anew before each call, of what calls write to: more than any of them does.
#define FRESH 16384
static const char nothing[FRESH];
static edge_Value values[EDGE_MAX_ARGUMENTS][MAX_VALUES];
static int value_counts[EDGE_MAX_ARGUMENTS];

static edge_Value *add_value(int argument, const char *said)
{
    if (value_counts[argument] == MAX_VALUES) {
        printf("edge: more than %d values\n", MAX_VALUES);
        exit(2);
    }
    edge_Value *value = &values[argument][value_counts[argument]++];
    memset(value, 0, sizeof *value);
    value->said = said;
    return value;
}

static void add_pointer(int argument, void *pointer, const char *said)
{
    add_value(argument, said)->pointer = pointer;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), size = strlen(end);
    return length >= size && strcmp(text + length - size, end) == 0;
}

static void *copy_of(const void *good, size_t size)
{
    void *copy = malloc(size);
    if (copy == NULL) { exit(2); }
    memcpy(copy, good, size);
    return copy;
}

// ---------------------------------------------------------------------------------------------
// Memory that is over: of the allocations of a call the one that user says fails

#define SCARCE 40
static int allocation;

static void *alloc_scarce(size_t size, size_t alignment, void *user)
{
    if (allocation++ == *(const int *)user) { return NULL; }
    size_t whole = (size + alignment - 1) / alignment * alignment;
    return aligned_alloc(alignment, whole);
}

static void free_scarce(void *memory, size_t size, void *user)
{
    (void)size;
    (void)user;
    free(memory);
}

static sinew_Allocator scarce(int failing)
{
    static int numbers[SCARCE];
    numbers[failing] = failing;
    return (sinew_Allocator){ alloc_scarce, free_scarce, &numbers[failing] };
}

static const double numbers[] = { NAN, INFINITY, -1.0, 0.0, 1e300, 1e-300, -INFINITY, -0.5, 1e-3,
    0.1, 0.5, 1.0, 1.5, 2.0, 10.0, 100.0, 1000.0, 1e4 };
// those in the middle are no lengths that an array is promised to have
static const int integers[] = { -1, INT_MIN, INT_MAX, 1000, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    12, 16, 17, 18, 19, 20, 31, 32, 33, 64, 65, 100, 101, 256, 257, 1001 };
enum {
    WRONG = 2, // integers that no count is
    NUMBERS = (int)(sizeof numbers / sizeof numbers[0]),
    INTEGERS = (int)(sizeof integers / sizeof integers[0])
};

// ---------------------------------------------------------------------------------------------
// What is answered

static void tell_bits(uint64_t bits)
{
    for (int byte = 0; byte < 8; ++byte) {
        progress->hash = (progress->hash ^ (bits >> (8 * byte) & 255U)) * UINT64_C(0x100000001b3);
    }
}

static bool is_telling(void)
{
    return getenv("SINEW_EDGE_TELL") != NULL;
}

void edge_tell_whole(long long value)
{
    tell_bits((uint64_t)value);
    if (is_telling()) { printf("  %lld", value); }
}

void edge_tell_number(double value)
{
    uint64_t bits = UINT64_C(0x7ff8000000000000);
    if (value == value) { memcpy(&bits, &value, sizeof bits); }
    tell_bits(bits);
    if (is_telling()) { printf("  %.17g", value); }
}

void edge_tell_text(const char *text)
{
    for (; text != NULL && *text != '\0'; ++text) {
        tell_bits((unsigned char)*text);
        if (is_telling()) { putchar(*text); }
    }
    tell_bits(256);
}

void edge_tell_struct(const char *type, const void *place)
{
    for (int i = 0; i < edge_field_count; ++i) {
        const edge_Field *field = &edge_fields[i];
        if (strcmp(field->owner, type) != 0) { continue; }
        const char *at = (const char *)place + field->offset;
        double number;
        int whole;
        if (field->kind == EDGE_DOUBLE) {
            memcpy(&number, at, sizeof number);
            edge_tell_number(number);
        } else if (field->kind == EDGE_INT) {
            memcpy(&whole, at, sizeof whole);
            edge_tell_whole(whole);
        }
    }
}

// what stands in the room for answers; how walkers walk is not told here but by test_golden
static void tell_answers(const edge_Value *arguments)
{
    for (int i = 0; i < calling->argument_count; ++i) {
        const edge_Argument *a = &calling->arguments[i];
        const char *room = arguments[i].pointer;
        if (strncmp(a->name, "out_", 4) != 0 || room == NULL || ends_with(a->type, "**")
            || strcmp(a->name, "out_message") == 0
            || strncmp(calling->name, "sinew_walker_", 13) == 0) {
            continue;
        }
        char type[64] = "";
        memcpy(type, a->type, strcspn(a->type, " *"));
        for (size_t k = 0; k < 40 && strcmp(type, "double") == 0; ++k) {
            double number;
            memcpy(&number, room + k * sizeof number, sizeof number);
            edge_tell_number(number);
        }
        for (size_t k = 0; k < 40 && strcmp(type, "int") == 0; ++k) {
            int whole;
            memcpy(&whole, room + k * sizeof whole, sizeof whole);
            edge_tell_whole(whole);
        }
        if (strcmp(type, "char") == 0) { edge_tell_text(room); }
        edge_tell_struct(type, room);
    }
}

#define HASHES SINEW_SOURCE_DIR "/tests/edge/hashes.txt"

typedef struct Line {
    char name[64];
    unsigned long long hash;
} Line;

static Line lines[1024];
static int line_count;

static void read_lines(void)
{
    FILE *file = fopen(HASHES, "r");
    while (file != NULL && line_count < 1024
        && fscanf(file, "%63s %llx", lines[line_count].name, &lines[line_count].hash) == 2) {
        ++line_count;
    }
    if (file != NULL) { (void)fclose(file); }
}

static bool is_writing(void)
{
    return getenv("SINEW_GOLDEN_WRITE") != NULL;
}

// whether a function answers as ever; written anew, it does. Sizes of memory stand in some messages.
static bool is_as_ever(void)
{
    int i = 0;
    while (i < line_count && strcmp(lines[i].name, calling->name) != 0) { ++i; }
    if (sizeof(void *) != 8 || (i < line_count && lines[i].hash == progress->hash)) { return true; }
    if (is_writing() && i < 1024) {
        line_count = i < line_count ? line_count : i + 1;
        snprintf(lines[i].name, sizeof lines[i].name, "%s", calling->name);
        lines[i].hash = progress->hash;
        return true;
    }
    printf("%s answers otherwise than tests/edge/hashes.txt says: now %016llx\n", calling->name,
        (unsigned long long)progress->hash);
    return false;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const Line *)a)->name, ((const Line *)b)->name);
}

static void write_lines(void)
{
    FILE *file = fopen(HASHES, "w");
    if (file == NULL) { exit(2); }
    qsort(lines, (size_t)line_count, sizeof lines[0], compare_names);
    for (int i = 0; i < line_count; ++i) {
        (void)fprintf(file, "%s %016llx\n", lines[i].name, lines[i].hash);
    }
    if (fclose(file) != 0) { exit(2); }
}

// ---------------------------------------------------------------------------------------------
// Values

static const char *said_of(const char *format, double number)
{
    char said[40];
    snprintf(said, sizeof said, format, number);
    return copy_of(said, sizeof said);
}

// the good struct with one field that is wrong; how many things an array has is the caller's promise
static void add_broken_fields(int argument, const edge_Thing *thing)
{
    for (int i = 0; i < edge_field_count; ++i) {
        const edge_Field *field = &edge_fields[i];
        if (strcmp(field->owner, thing->type) != 0) { continue; }
        bool is_count = ends_with(field->name, "count") || strcmp(field->name, "columns") == 0
            || strcmp(field->name, "rows") == 0 || strcmp(field->name, "capacity") == 0
            || strcmp(field->name, "samples") == 0;
        int count = field->kind == EDGE_DOUBLE ? NUMBERS
            : field->kind == EDGE_ADDRESS      ? 1
            : field->kind == EDGE_MEMORY       ? SCARCE
            : is_count                         ? WRONG
                                               : INTEGERS;
        for (int k = 0; k < count; ++k) {
            char *copy = copy_of(thing->good, thing->size);
            if (field->kind == EDGE_DOUBLE) {
                memcpy(copy + field->offset, &numbers[k], sizeof(double));
            } else if (field->kind == EDGE_INT) {
                memcpy(copy + field->offset, &integers[k], sizeof(int));
            } else if (field->kind == EDGE_MEMORY) {
                const sinew_Allocator memory = scarce(k);
                memcpy(copy + field->offset, &memory, sizeof memory);
            } else {
                memset(copy + field->offset, 0, sizeof(void *));
            }
            add_pointer(argument, copy, field->name);
        }
    }
}

// a pointer to something of our own types, or to numbers
static void add_things(int argument, const edge_Argument *a)
{
    const char *type = strncmp(a->type, "const ", 6) == 0 ? a->type + 6 : a->type;
    size_t length = strcspn(type, " *");
    bool writes = type == a->type; // not const
    if (ends_with(type, "**") || strncmp(a->name, "out_", 4) == 0
        || strncmp(a->name, "scratch", 7) == 0) {
        add_pointer(argument, calloc(1, EDGE_ROOM), "room");
        values[argument][0].fresh = nothing;
        add_pointer(argument, NULL, "NULL");
        return;
    }
    if (ends_with(calling->name, "_destroy")) {
        add_pointer(argument, NULL, "NULL");
        return;
    }
    if (strcmp(a->type, "const char *") == 0) {
        if (strcmp(a->name, "path") == 0) {
            add_pointer(argument, (void *)(uintptr_t) "none.bvh", "a path");
        } else if (strcmp(a->name, "data") != 0) {
            add_pointer(argument, (void *)(uintptr_t) "Hips", "Hips");
            add_pointer(argument, (void *)(uintptr_t) "nobody", "an unknown name");
        }
        static char long_name[3000];
        memset(long_name, 'x', sizeof long_name - 1);
        if (strcmp(a->name, "data") != 0) { add_pointer(argument, long_name, "a long name"); }
    }
    if (strcmp(a->type, "const char *const *") == 0) {
        static const char *names[1000];
        for (int i = 0; i < 1000; ++i) { names[i] = "a name"; }
        add_pointer(argument, names, "names");
        add_pointer(argument, NULL, "NULL");
        return;
    }
    const edge_Thing *thing = edge_thing(type, length);
    if (thing == NULL) {
        printf("edge: %s wants a good %s: add it to edge_make.c\n", calling->name, a->type);
        exit(2);
    }
    void *good = thing->good;
    if (writes && thing->is_array) { good = copy_of(good, EDGE_ROOM); }
    add_pointer(argument, good, "good");
    if (writes && thing->is_array) { values[argument][0].fresh = thing->good; }
    add_pointer(argument, NULL, "NULL");
    if (thing->size == 0) { return; }
    if (thing->is_array) {
        void *filled = malloc(EDGE_ROOM);
        if (filled == NULL) { exit(2); }
        memset(filled, 0xff, EDGE_ROOM); // every number is NaN
        add_pointer(argument, filled, "NaN");
        return;
    }
    for (int k = 0; k < SCARCE && strcmp(thing->type, "sinew_Allocator") == 0; ++k) {
        const sinew_Allocator memory = scarce(k);
        add_pointer(argument, copy_of(&memory, sizeof memory), said_of("%.0f allocations", k));
    }
    void *zeroed = calloc(1, EDGE_ROOM);
    add_pointer(argument, zeroed, "zeroed");
    add_broken_fields(argument, thing);
}

static void add_values(int argument)
{
    const edge_Argument *a = &calling->arguments[argument];
    value_counts[argument] = 0;
    if (a->kind == EDGE_POINTER) {
        add_things(argument, a);
    } else if (a->kind == EDGE_STRUCT) {
        const edge_Thing *thing = edge_thing(a->type, strlen(a->type));
        if (thing == NULL) {
            printf("edge: %s wants a good %s: add it to edge_make.c\n", calling->name, a->type);
            exit(2);
        }
        add_pointer(argument, thing->good, "good");
        add_pointer(argument, calloc(1, EDGE_ROOM), "zeroed");
        add_broken_fields(argument, thing);
    } else if (strcmp(a->type, "double") == 0) {
        add_value(argument, "1")->number = 1.0;
        for (int i = 0; i < NUMBERS; ++i) {
            add_value(argument, said_of("%g", numbers[i]))->number = numbers[i];
        }
    } else if (strcmp(a->type, "size_t") == 0) {
        add_value(argument, "64")->size = 64;
        add_value(argument, "0")->size = 0;
        add_value(argument, "1")->size = 1;
    } else if (strcmp(a->type, "bool") == 0) {
        add_value(argument, "false")->integer = 0;
        add_value(argument, "true")->integer = 1;
    } else {
        bool is_count = ends_with(a->name, "count") || strcmp(a->name, "capacity") == 0;
        add_value(argument, is_count ? "1" : "0")->integer = is_count ? 1 : 0;
        for (int i = 0; i < (is_count ? WRONG : INTEGERS); ++i) {
            add_value(argument, said_of("%.0f", integers[i]))->integer = integers[i];
        }
        if (is_count) { add_value(argument, "0")->integer = 0; }
    }
}

// What no function can see: how many joints an array has that comes without a skeleton.
static bool is_promise(const char *said)
{
    return strcmp(calling->name, "sinew_goal_error") == 0 && strcmp(said, "goal: joint") == 0;
}

// 0: everything good; then one wrong value at a time; last, everything wrong. False after that.
static bool choose(int variant, edge_Value *out, char *said, size_t size)
{
    for (int i = 0; i < calling->argument_count; ++i) { out[i] = values[i][0]; }
    snprintf(said, size, "all arguments good");
    if (variant-- == 0) { return true; }
    for (int i = 0; i < calling->argument_count; ++i) {
        if (variant < value_counts[i] - 1) {
            out[i] = values[i][variant + 1];
            snprintf(said, size, "%s: %s", calling->arguments[i].name, out[i].said);
            return true;
        }
        variant -= value_counts[i] - 1;
    }
    for (int i = 0; i < calling->argument_count; ++i) {
        out[i] = values[i][value_counts[i] > 1 ? 1 : 0];
    }
    snprintf(said, size, "all arguments wrong");
    return variant == 0;
}

static const sinew_Message *message_of(const edge_Value *arguments)
{
    for (int i = 0; i < calling->argument_count; ++i) {
        if (strcmp(calling->arguments[i].name, "out_message") == 0) { return arguments[i].pointer; }
    }
    return NULL;
}

// a message says which pointer is missing; what fails with good arguments says what it says
static bool is_told(int variant, const edge_Value *arguments, const sinew_Message *message)
{
    static sinew_Message usual;
    if (variant == 0) { usual = *message; }
    if (message->text[0] == '\0') { return false; }
    int missing = -1, wrong = 0;
    for (int i = 0; i < calling->argument_count; ++i) {
        if (strcmp(arguments[i].said, values[i][0].said) == 0) { continue; }
        ++wrong;
        if (strcmp(arguments[i].said, "NULL") == 0) { missing = i; }
    }
    if (wrong != 1 || missing < 0 || strcmp(message->text, usual.text) == 0) { return true; }
    char wanted[100];
    snprintf(wanted, sizeof wanted, "%s is NULL", calling->arguments[missing].name);
    return strstr(message->text, wanted) != NULL;
}

static void run_variants(int first)
{
    edge_Value arguments[EDGE_MAX_ARGUMENTS];
    char said[400];
    for (int variant = first; choose(variant, arguments, said, sizeof said); ++variant) {
        progress->variant = variant;
        if (is_promise(said)) { continue; }
        memcpy(progress->said, said, sizeof said);
        for (int i = 0; i < calling->argument_count; ++i) {
            if (arguments[i].fresh != NULL) {
                memcpy(arguments[i].pointer, arguments[i].fresh, FRESH);
            }
        }
        const sinew_Message *message = message_of(arguments);
        allocation = 0;
        alarm(PATIENCE);
        int status = calling->run(arguments);
        if (status > 0 && message != NULL && !is_told(variant, arguments, message)) {
            printf("%s (%s): the message is '%s'\n", calling->name, said, message->text);
            ++progress->silent;
        }
        if (is_telling()) { printf("\n%s (%s): %d ", calling->name, said, status); }
        tell_bits((uint64_t)status);
        // how much memory there is, is the machine's affair
        if (status == SINEW_STATUS_OUT_OF_MEMORY) { continue; }
        if (status > 0 && message != NULL) { edge_tell_text(message->text); }
        tell_answers(arguments);
    }
    alarm(0);
}

// how many calls of a function crash, hang or fail in silence
static int try_function(void)
{
    int failures = 0;
    for (int i = 0; i < calling->argument_count; ++i) { add_values(i); }
    memset(progress, 0, sizeof *progress);
    for (int first = 0;;) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) { exit(2); }
        if (child == 0) {
            run_variants(first);
            exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) { break; }
        printf("%s (%s): %s\n", calling->name, progress->said,
            WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM ? "hangs" : "crashes");
        ++failures;
        first = progress->variant + 1;
    }
    return failures + progress->silent;
}

/// A folder of its own: texts that are tried as paths may be made into files.
static bool enter_folder(char *folder)
{
    return mkdtemp(folder) != NULL && chdir(folder) == 0;
}

static void empty_folder(void)
{
    DIR *entries = opendir(".");
    for (struct dirent *e = entries != NULL ? readdir(entries) : NULL; e != NULL;
         e = readdir(entries)) {
        // "." and ".." stay
        if (unlink(e->d_name) != 0) { (void)rmdir(e->d_name); }
    }
    if (entries != NULL) { closedir(entries); }
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/sinew-edge-XXXXXX";
    if (!enter_folder(folder)) { return 2; }
    progress = mmap(
        NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) { return 2; }
    read_lines();
    edge_make();
    int functions = 0, broken = 0, failures = 0;
    for (int i = 0; i < edge_call_count; ++i) {
        calling = &edge_calls[i];
        if (argc > 1 && strcmp(argv[1], calling->name) != 0) { continue; }
        empty_folder();
        int failed = try_function() + (is_as_ever() ? 0 : 1);
        ++functions;
        if (failed > 0) { ++broken; }
        failures += failed;
    }
    empty_folder();
    if (chdir("/") == 0) { (void)rmdir(folder); }
    if (is_writing()) { write_lines(); }
    printf("%d functions, %d of them broken (by %d calls)\n", functions, broken, failures);
    return functions == 0 || broken > 0;
}
