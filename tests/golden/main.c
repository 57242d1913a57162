// Prints the hash of the golden run, for machines and compilers without the test library.

#include "golden.h"

#include <stdio.h>

int main(void)
{
    uint64_t hash = golden_run();
    printf("0x%08lx%08lx\n", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffU));
    return 0;
}
