#include "testing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef _WIN32
#include <io.h>
#endif

#define PATH_COUNT 8
#define TEMP_COUNT 256

static struct {
    bool seeded;
    uint64_t seed;
    int index; // of the case, -1 for none
} current = { false, 0, -1 };

static char temp_folder[256];
static char temp_files[TEMP_COUNT][512];
static int temp_count;

// ---------------------------------------------------------------------------------------------
// Random numbers

static uint64_t rotate_left(uint64_t x, int count)
{
    return (x << count) | (x >> (64 - count));
}

// splitmix64 spreads a small seed over the whole state
static uint64_t splitmix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

static test_Random make_random(uint64_t seed, uint64_t stream)
{
    const char *offset = getenv("SINEW_TEST_SEED");
    uint64_t x = seed + (offset != NULL ? strtoull(offset, NULL, 0) : 0);
    x = splitmix(&x) ^ (stream * 0xd1342543de82ef95ULL);
    test_Random random;
    for (int i = 0; i < 4; ++i) { random.state[i] = splitmix(&x); }
    return random;
}

test_Random test_random(uint64_t seed)
{
    current.seeded = true;
    current.seed = seed;
    current.index = -1;
    print_message("    seed %llu\n", (unsigned long long)seed);
    return make_random(seed, 0);
}

test_Random test_case(uint64_t seed, int index)
{
    if (index == 0) { test_random(seed); }
    current.seeded = true;
    current.seed = seed;
    current.index = index;
    return make_random(seed, (uint64_t)index + 1);
}

uint64_t test_bits(test_Random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

double test_uniform(test_Random *random)
{
    return (double)(test_bits(random) >> 11) * 0x1p-53;
}

double test_range(test_Random *random, double lower, double upper)
{
    return lower + (upper - lower) * test_uniform(random);
}

int test_int(test_Random *random, int count)
{
    return (int)(test_bits(random) % (uint64_t)count);
}

double test_normal(test_Random *random)
{
    // Box and Muller; 1 - u is never 0
    double radius = sqrt(-2.0 * log(1.0 - test_uniform(random)));
    return radius * cos(2.0 * SINEW_PI * test_uniform(random));
}

sinew_Vec3 test_unit_vector(test_Random *random)
{
    for (;;) {
        sinew_Vec3 v = test_vector(random, 1.0);
        double length = sinew_vec3_length(v);
        if (length > 0.1 && length <= 1.0) { return sinew_vec3_scale(v, 1.0 / length); }
    }
}

sinew_Vec3 test_vector(test_Random *random, double size)
{
    sinew_Vec3 v;
    v.x = test_range(random, -size, size);
    v.y = test_range(random, -size, size);
    v.z = test_range(random, -size, size);
    return v;
}

sinew_Quat test_unit_quat(test_Random *random)
{
    sinew_Quat q;
    q.x = test_normal(random);
    q.y = test_normal(random);
    q.z = test_normal(random);
    q.w = test_normal(random);
    return sinew_quat_normalize(q);
}

sinew_Transform test_transform(test_Random *random, double size)
{
    sinew_Transform t;
    t.position = test_vector(random, size);
    t.rotation = test_unit_quat(random);
    return t;
}

// ---------------------------------------------------------------------------------------------
// Comparisons

static void stop(const char *file, int line)
{
    if (current.index >= 0) {
        print_error("    seed %llu, case %d\n", (unsigned long long)current.seed, current.index);
    } else if (current.seeded) {
        print_error("    seed %llu\n", (unsigned long long)current.seed);
    }
    _fail(file, line);
}

// written so that NaN is far
static bool is_near(double actual, double expected, double tolerance)
{
    return actual == expected || fabs(actual - expected) <= tolerance;
}

void test_check_true(bool condition, const char *text, const char *file, int line)
{
    if (condition) { return; }
    print_error("%s:%d: not true: %s\n", file, line, text);
    stop(file, line);
}

void test_check_near(
    double actual, double expected, double tolerance, const char *text, const char *file, int line)
{
    if (is_near(actual, expected, tolerance)) { return; }
    print_error("%s:%d: %s is %.17g, expected %.17g within %g; off by %g\n", file, line, text,
        actual, expected, tolerance, actual - expected);
    stop(file, line);
}

void test_check_int(
    long long actual, long long expected, const char *text, const char *file, int line)
{
    if (actual == expected) { return; }
    print_error("%s:%d: %s is %lld, expected %lld\n", file, line, text, actual, expected);
    stop(file, line);
}

void test_check_array(const double *actual, const double *expected, int count, double tolerance,
    const char *text, const char *file, int line)
{
    for (int i = 0; i < count; ++i) {
        if (is_near(actual[i], expected[i], tolerance)) { continue; }
        print_error("%s:%d: (%s)[%d] is %.17g, expected %.17g within %g; off by %g\n", file, line,
            text, i, actual[i], expected[i], tolerance, actual[i] - expected[i]);
        stop(file, line);
    }
}

void test_check_vec3(sinew_Vec3 actual, sinew_Vec3 expected, double tolerance, const char *text,
    const char *file, int line)
{
    double a[3] = { actual.x, actual.y, actual.z };
    double e[3] = { expected.x, expected.y, expected.z };
    test_check_array(a, e, 3, tolerance, text, file, line);
}

void test_check_quat(sinew_Quat actual, sinew_Quat expected, double tolerance, const char *text,
    const char *file, int line)
{
    double sign = sinew_quat_dot(actual, expected) < 0.0 ? -1.0 : 1.0;
    double a[4] = { sign * actual.x, sign * actual.y, sign * actual.z, sign * actual.w };
    double e[4] = { expected.x, expected.y, expected.z, expected.w };
    test_check_array(a, e, 4, tolerance, text, file, line);
}

void test_check_ok(
    sinew_Status status, const sinew_Message *message, const char *text, const char *file, int line)
{
    if (status == SINEW_STATUS_OK) { return; }
    print_error("%s:%d: %s is %d (%s)%s%s\n", file, line, text, (int)status,
        sinew_status_text(status), message != NULL ? ": " : "",
        message != NULL ? message->text : "");
    stop(file, line);
}

// ---------------------------------------------------------------------------------------------
// Files

#ifdef _WIN32
static char *mkdtemp(char *pattern)
{
    return _mktemp(pattern) != NULL && mkdir(pattern) == 0 ? pattern : NULL;
}
#endif

static char *next_path(void)
{
    static char paths[PATH_COUNT][1024];
    static int next;
    next = (next + 1) % PATH_COUNT;
    return paths[next];
}

const char *data_path(const char *name)
{
    char *path = next_path();
    const char *folder = getenv("SINEW_DATA");
    if (folder != NULL) {
        snprintf(path, 1024, "%s/%s", folder, name);
    } else {
        snprintf(path, 1024, "%s/../shared/data/%s", SINEW_SOURCE_DIR, name);
    }
    if (access(path, R_OK) == 0) { return path; }
    print_message("    no %s: set SINEW_DATA to the folder of the test data\n", path);
    return NULL;
}

static void remove_temp_files(void)
{
    for (int i = 0; i < temp_count; ++i) { remove(temp_files[i]); }
    rmdir(temp_folder);
}

const char *test_temp_path(const char *name)
{
    if (temp_folder[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        snprintf(temp_folder, sizeof temp_folder, "%s/sinew-test-XXXXXX",
            parent != NULL ? parent : "/tmp");
        if (mkdtemp(temp_folder) == NULL) {
            fprintf(stderr, "%s: cannot be made: %s\n", temp_folder, strerror(errno));
            exit(1);
        }
        atexit(remove_temp_files);
    }
    char *path = next_path();
    snprintf(path, 1024, "%s/%s", temp_folder, name);
    if (temp_count < TEMP_COUNT && strlen(path) < sizeof temp_files[0]) {
        memcpy(temp_files[temp_count++], path, strlen(path) + 1);
    }
    return path;
}

// ---------------------------------------------------------------------------------------------
// Memory

// every block is aligned to this and has its size and what malloc gave in front, as far before as this
#define BLOCK_HEAD ((size_t)64)

void *test_block(size_t size)
{
    char *raw = malloc(size + 2 * BLOCK_HEAD);
    if (raw == NULL) { return NULL; }
    char *head = raw + (BLOCK_HEAD - (size_t)((uintptr_t)raw % BLOCK_HEAD));
    memcpy(head, &size, sizeof size);
    memcpy(head + sizeof size, &raw, sizeof raw);
    return memset(head + BLOCK_HEAD, 0xa5, size); // whoever relies on zeros finds out
}

void test_block_free(void *memory)
{
    if (memory == NULL) { return; }
    char *raw = NULL;
    memcpy(&raw, (char *)memory - BLOCK_HEAD + sizeof(size_t), sizeof raw);
    free(raw);
}

static void *count_alloc(size_t size, size_t alignment, void *user)
{
    test_Memory *memory = user;
    ++memory->alloc_count;
    if (memory->alloc_count == memory->fail_at || alignment > BLOCK_HEAD) { return NULL; }
    void *block = test_block(size);
    memory->live_bytes += block != NULL ? size : 0;
    return block;
}

static void count_free(void *pointer, size_t size, void *user)
{
    test_Memory *memory = user;
    ++memory->free_count;
    size_t taken = 0;
    memcpy(&taken, (char *)pointer - BLOCK_HEAD, sizeof taken);
    if (taken != size) { memory->wrong_size = true; }
    memory->live_bytes -= taken;
    test_block_free(pointer);
}

void test_memory_init(test_Memory *memory)
{
    memset(memory, 0, sizeof *memory);
    memory->allocator.alloc = count_alloc;
    memory->allocator.free = count_free;
    memory->allocator.user = memory;
}

void test_arguments(int argc, char **argv)
{
    if (argc > 1) { cmocka_set_test_filter(argv[1]); }
}
