// Calls every public function with NULL, indices and enums that are none, numbers that are not finite and
// definitions without their defaults, one wrong thing at a time. Each function is called in a process of
// its own, so that a crash or a hang names the call.
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

#define MAX_VALUES 512
/// A call that takes longer hangs, seconds.
#define PATIENCE 20

/// What the child tells its parent.
typedef struct Progress {
    int variant; ///< of the call that is under way
    int silent;  ///< errors whose message was empty
    char said[400];
} Progress;

static Progress *progress;
static const edge_Call *calling;
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

static const double wrong_numbers[] = { NAN, INFINITY, -1.0, 0.0, 1e300, 1e-300 };
static const int wrong_integers[] = { -1, INT_MIN, INT_MAX, 1000 };

// the good struct with one field that is wrong; how many things an array has is the caller's promise
static void add_broken_fields(int argument, const edge_Thing *thing)
{
    for (int i = 0; i < edge_field_count; ++i) {
        const edge_Field *field = &edge_fields[i];
        if (strcmp(field->owner, thing->type) != 0) { continue; }
        bool is_count = ends_with(field->name, "count") || strcmp(field->name, "columns") == 0
            || strcmp(field->name, "rows") == 0 || strcmp(field->name, "capacity") == 0
            || strcmp(field->name, "samples") == 0;
        for (size_t k = 0; k < 6; ++k) {
            if (field->kind == EDGE_INT && (k >= 4 || (is_count && k >= 2))) { break; }
            if (field->kind == EDGE_ADDRESS && k >= 1) { break; }
            char *copy = copy_of(thing->good, thing->size);
            if (field->kind == EDGE_DOUBLE) {
                memcpy(copy + field->offset, &wrong_numbers[k], sizeof(double));
            } else if (field->kind == EDGE_INT) {
                memcpy(copy + field->offset, &wrong_integers[k], sizeof(int));
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
        add_pointer(argument, NULL, "NULL");
        return;
    }
    if (ends_with(calling->name, "_destroy")) {
        add_pointer(argument, NULL, "NULL");
        return;
    }
    if (strcmp(a->type, "const char *") == 0) {
        if (strcmp(a->name, "path") == 0) {
            add_pointer(argument, (void *)(uintptr_t) "/tmp/sinew-edge-none.bvh", "a path");
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
    add_pointer(argument, NULL, "NULL");
    if (thing->size == 0) { return; }
    if (thing->is_array) {
        void *filled = malloc(EDGE_ROOM);
        if (filled == NULL) { exit(2); }
        memset(filled, 0xff, EDGE_ROOM); // every number is NaN
        add_pointer(argument, filled, "NaN");
        return;
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
        static const char *const said[] = { "NaN", "infinite", "-1", "0", "1e300", "1e-300" };
        add_value(argument, "1")->number = 1.0;
        for (int i = 0; i < 6; ++i) { add_value(argument, said[i])->number = wrong_numbers[i]; }
    } else if (strcmp(a->type, "size_t") == 0) {
        add_value(argument, "64")->size = 64;
        add_value(argument, "0")->size = 0;
        add_value(argument, "1")->size = 1;
    } else if (strcmp(a->type, "bool") == 0) {
        add_value(argument, "false")->integer = 0;
        add_value(argument, "true")->integer = 1;
    } else {
        bool is_count = ends_with(a->name, "count") || strcmp(a->name, "capacity") == 0;
        static const char *const said[] = { "-1", "the least int", "the largest int", "1000" };
        add_value(argument, is_count ? "1" : "0")->integer = is_count ? 1 : 0;
        for (int i = 0; i < (is_count ? 2 : 4); ++i) {
            add_value(argument, said[i])->integer = wrong_integers[i];
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

static sinew_Message *message_of(const edge_Value *arguments)
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
        sinew_Message *message = message_of(arguments);
        if (message != NULL) { message->text[0] = '\0'; }
        alarm(PATIENCE);
        int status = calling->run(arguments);
        if (status > 0 && message != NULL && !is_told(variant, arguments, message)) {
            printf("%s (%s): the message is '%s'\n", calling->name, said, message->text);
            ++progress->silent;
        }
        if (getenv("SINEW_EDGE_TELL") != NULL) {
            printf("%s (%s): %d %s\n", calling->name, said, status,
                message != NULL ? message->text : "");
        }
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
            fflush(stdout);
            _exit(0);
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

static void remove_folder(const char *folder)
{
    DIR *entries = opendir(".");
    for (struct dirent *e = entries != NULL ? readdir(entries) : NULL; e != NULL;
         e = readdir(entries)) {
        // "." and ".." stay
        if (unlink(e->d_name) != 0) { (void)rmdir(e->d_name); }
    }
    if (entries != NULL) { closedir(entries); }
    if (chdir("/") == 0) { (void)rmdir(folder); }
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/sinew-edge-XXXXXX";
    if (!enter_folder(folder)) { return 2; }
    progress = mmap(
        NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) { return 2; }
    edge_make();
    int functions = 0, broken = 0, failures = 0;
    for (int i = 0; i < edge_call_count; ++i) {
        calling = &edge_calls[i];
        if (argc > 1 && strcmp(argv[1], calling->name) != 0) { continue; }
        int failed = try_function();
        ++functions;
        if (failed > 0) { ++broken; }
        failures += failed;
    }
    remove_folder(folder);
    printf("%d functions, %d of them broken (by %d calls)\n", functions, broken, failures);
    return functions == 0 || broken > 0;
}
