// Prints the hash of every chapter of the core, or of those named, for machines and compilers without the test
// library.

#include "golden.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    for (int i = 0; i < golden_core_count; ++i) {
        bool asked = argc < 2;
        for (int a = 1; a < argc; ++a) {
            asked = asked || strcmp(argv[a], golden_core_chapters[i].name) == 0;
        }
        if (!asked) { continue; }
        char digits[17];
        golden_digits(golden_core_chapters[i].run(), digits);
        printf("%s %s\n", golden_core_chapters[i].name, digits);
        fflush(stdout);
    }
    return 0;
}
