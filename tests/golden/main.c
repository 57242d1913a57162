// Prints the hash of every chapter of the core, for machines and compilers without the test library.

#include "golden.h"

#include <stdio.h>

int main(void)
{
    for (int i = 0; i < golden_core_count; ++i) {
        char digits[17];
        golden_digits(golden_core_chapters[i].run(), digits);
        printf("%s %s\n", golden_core_chapters[i].name, digits);
        fflush(stdout);
    }
    return 0;
}
