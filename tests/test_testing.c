// The helpers themselves: what all other tests lean on.

#include "testing.h"

#include <string.h>

static void random_numbers_repeat(void **state)
{
    (void)state;
    test_Random a = test_random(1), b = test_random(1), c = test_case(1, 1);
    bool differs = false;
    for (int i = 0; i < 100; ++i) {
        uint64_t bits = test_bits(&a);
        TEST_TRUE(bits == test_bits(&b));
        differs = differs || bits != test_bits(&c);
    }
    TEST_TRUE(differs);
}

static void random_numbers_fill_their_range(void **state)
{
    (void)state;
    double sum = 0.0, square_sum = 0.0;
    sinew_Vec3 direction_sum = { 0.0, 0.0, 0.0 };
    const int count = 20000;
    for (int i = 0; i < count; ++i) {
        test_Random random = test_case(2, i);
        double u = test_range(&random, -2.0, 6.0);
        TEST_TRUE(u >= -2.0 && u < 6.0);
        sum += u;
        double n = test_normal(&random);
        square_sum += n * n;
        sinew_Vec3 d = test_unit_vector(&random);
        TEST_NEAR(sinew_vec3_length(d), 1.0, 1e-15);
        direction_sum = sinew_vec3_add(direction_sum, d);
        sinew_Quat q = test_unit_quat(&random);
        TEST_NEAR(sinew_quat_dot(q, q), 1.0, 1e-15);
        int k = test_int(&random, 7);
        TEST_TRUE(k >= 0 && k < 7);
    }
    // five standard deviations of each mean
    TEST_NEAR(sum / count, 2.0, 5.0 * 2.31 / 141.0);
    TEST_NEAR(square_sum / count, 1.0, 5.0 * 1.42 / 141.0);
    TEST_VEC3_NEAR(sinew_vec3_scale(direction_sum, 1.0 / count), sinew_vec3(0.0, 0.0, 0.0),
        5.0 * 0.58 / 141.0);
}

static void memory_is_counted(void **state)
{
    (void)state;
    test_Memory memory;
    test_memory_init(&memory);
    memory.fail_at = 2;
    sinew_Allocator *a = &memory.allocator;
    char *block = a->alloc(100, 64, a->user);
    TEST_TRUE(block != NULL && (uintptr_t)block % 64 == 0);
    memset(block, 1, 100);
    TEST_TRUE(a->alloc(8, 64, a->user) == NULL);
    TEST_INT((long long)memory.live_bytes, 100);
    a->free(block, 100, a->user);
    TEST_INT((long long)memory.live_bytes, 0);
    TEST_TRUE(!memory.wrong_size);
    TEST_INT(memory.alloc_count, 2);
    TEST_INT(memory.free_count, 1);
}

TEST_MAIN(cmocka_unit_test(random_numbers_repeat),
    cmocka_unit_test(random_numbers_fill_their_range), cmocka_unit_test(memory_is_counted))
