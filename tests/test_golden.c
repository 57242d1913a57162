// Same input, same bits: a hash over the poses of a long run is the same for every compiler, every
// optimisation level, and with sanitizers.

#include "testing.h"

#include "golden/golden.h"

// FNV-1a over the bits of all poses below. It changes with every change to the arithmetic of the
// solver, the tracker, the scenes or their random poses; the test prints the new value, and builds
// of gcc and clang at -O0, -O2 and -O3 must agree on it, and so must other machines (check_platform.sh).
#define GOLDEN_HASH UINT64_C(0xb57e54c19f886641)

static void test_golden_hash(void **state)
{
    (void)state;
    uint64_t hash = golden_run();
    if (hash != GOLDEN_HASH) {
        print_error("the hash is now 0x%016llx, tests/test_golden.c has 0x%016llx\n",
            (unsigned long long)hash, (unsigned long long)GOLDEN_HASH);
    }
    TEST_TRUE(hash == GOLDEN_HASH);
}

TEST_MAIN(cmocka_unit_test(test_golden_hash))
