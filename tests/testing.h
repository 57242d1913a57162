#ifndef TESTING_H
#define TESTING_H

// A few helpers over cmocka: seeded random numbers, comparisons that print both values and the
// seed, data files, a counting allocator, and a main function with a name filter.

// cmocka wants these first
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sinew/vecmath.h"

// ---------------------------------------------------------------------------------------------
// Random numbers (xoshiro256**). The environment SINEW_TEST_SEED is added to every seed, so that
// long runs see other cases; failures print the seed that the test was written with.
// Draw one number in an argument list, not two: their order is the compiler's, and the cases of a
// seed must be the same with every compiler.

typedef struct test_Random {
    uint64_t state[4];
} test_Random;

/// A generator; prints the seed and remembers it for the messages of the test.
test_Random test_random(uint64_t seed);

/// The generator of one of many cases: for (i...) { test_Random random = test_case(seed, i); ... }.
/// Prints the seed at case 0; messages name seed and case, so that one case can be run alone.
test_Random test_case(uint64_t seed, int index);

uint64_t test_bits(test_Random *random);
/// In [0, 1).
double test_uniform(test_Random *random);
/// In [lower, upper).
double test_range(test_Random *random, double lower, double upper);
/// In 0..count - 1.
int test_int(test_Random *random, int count);
/// Normally distributed, mean 0, deviation 1.
double test_normal(test_Random *random);
sinew_Vec3 test_unit_vector(test_Random *random);
/// Each component in [-size, size).
sinew_Vec3 test_vector(test_Random *random, double size);
/// Uniform over all rotations.
sinew_Quat test_unit_quat(test_Random *random);
/// Random rotation, position as test_vector.
sinew_Transform test_transform(test_Random *random, double size);

// ---------------------------------------------------------------------------------------------
// Comparisons. Each stops the test and prints place, text, both values and the seed. NaN is never
// near anything.

#define TEST_TRUE(condition) test_check_true((condition), #condition, __FILE__, __LINE__)
#define TEST_NEAR(actual, expected, tolerance) \
    test_check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
#define TEST_INT(actual, expected) test_check_int((actual), (expected), #actual, __FILE__, __LINE__)
#define TEST_VEC3_NEAR(actual, expected, tolerance) \
    test_check_vec3((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
/// The same rotation, whatever the sign of the quaternion; tolerance on each component.
#define TEST_QUAT_NEAR(actual, expected, tolerance) \
    test_check_quat((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
/// actual and expected are arrays of count doubles.
#define TEST_ARRAY_NEAR(actual, expected, count, tolerance) \
    test_check_array((actual), (expected), (count), (tolerance), #actual, __FILE__, __LINE__)
/// A sinew_Status that must be OK; message is a sinew_Message * or NULL.
#define TEST_OK(status, message) test_check_ok((status), (message), #status, __FILE__, __LINE__)

void test_check_true(bool condition, const char *text, const char *file, int line);
void test_check_near(
    double actual, double expected, double tolerance, const char *text, const char *file, int line);
void test_check_int(
    long long actual, long long expected, const char *text, const char *file, int line);
void test_check_vec3(sinew_Vec3 actual, sinew_Vec3 expected, double tolerance, const char *text,
    const char *file, int line);
void test_check_quat(sinew_Quat actual, sinew_Quat expected, double tolerance, const char *text,
    const char *file, int line);
void test_check_array(const double *actual, const double *expected, int count, double tolerance,
    const char *text, const char *file, int line);
void test_check_ok(sinew_Status status, const sinew_Message *message, const char *text,
    const char *file, int line);

// ---------------------------------------------------------------------------------------------
// Files

/// Full path of a file of the shared test data, such as "bvh/x.bvh", or NULL (and a message) when it
/// is not there; then the test calls skip(). The environment SINEW_DATA names the folder, else it
/// is ../shared/data beside the source tree. Static memory, good for the next 7 calls.
const char *data_path(const char *name);

/// Path for a file that a test writes, in a folder that goes away when the program ends normally.
/// Static memory, good for the next 7 calls.
const char *test_temp_path(const char *name);

// ---------------------------------------------------------------------------------------------
// Memory

/// malloc and free that count, and fail on demand. Hand &memory.allocator to a create function.
typedef struct test_Memory {
    sinew_Allocator allocator;
    long alloc_count, free_count;
    size_t live_bytes; ///< taken and not given back
    long fail_at;      ///< the alloc of this number (from 1) returns NULL; 0: none
    bool wrong_size;   ///< a free named another size than its alloc
} test_Memory;

/// Memory at a multiple of 64, as arenas want it, filled with what no one should rely on; NULL when there is
/// none. aligned_alloc is not on every machine.
void *test_block(size_t size);
void test_block_free(void *memory);

/// Prepare; the struct must stay where it is while it is used.
void test_memory_init(test_Memory *memory);

// ---------------------------------------------------------------------------------------------
// Main

/// int main() of a test file: TEST_MAIN(cmocka_unit_test(a), cmocka_unit_test(b)). An argument is
/// a filter on test names with * and ?.
#define TEST_MAIN(...)                                         \
    int main(int argc, char **argv)                            \
    {                                                          \
        const struct CMUnitTest tests[] = { __VA_ARGS__ };     \
        test_arguments(argc, argv);                            \
        return cmocka_run_group_tests(tests, NULL, NULL) != 0; \
    }

/// Reads the arguments; for a main function written by hand.
void test_arguments(int argc, char **argv);

#endif
