#!/bin/sh
# The core in two files compiles with all warnings and runs an example, also under the address sanitizer. With SINEW_TEST_PLATFORMS set it
# also gives the golden hashes, compiled for a machine that fuses multiplications, with and without vectors.
# usage: check_amalgamate.sh SOURCE_FOLDER
set -e
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"

# a user has the two files and nothing else
sh "$root/tools/amalgamate.sh" "$work/user"
mkdir "$work/sinew"
for header in "$root"/include/sinew/*.h; do
    echo '#include "../user/sinew.h"' >"$work/sinew/$(basename "$header")"
done
if grep -n '#include "' "$work/user/sinew.h" "$work/user/sinew.c" | grep -v '"sinew.h"'; then
    echo "the two files want a third"
    exit 1
fi

# program OUT SOURCE OPTION...: sinew.c and a program in one; the program is compiled with $own as well
own=
program() {
    out=$1
    source=$2
    shift 2
    # shellcheck disable=SC2086 # words on purpose
    "$CC" -std=c17 "$@" $warnings -DSINEW_STATIC -c "$work/user/sinew.c" -o "$work/sinew.o"
    # shellcheck disable=SC2086
    "$CC" -std=c17 "$@" $own -DSINEW_STATIC -I"$work" -I"$root" -I"$root/tests" $source "$work/sinew.o" \
        -o "$work/$out" -lm
}

program example "$root/examples/01_reach.c" -O0
"$work/example" >"$work/log" || { cat "$work/log"; exit 1; }
# names of a system header that only some builds include must stay theirs
echo 'int main(void) { return 0; }' >"$work/none.c"
if "$CC" -fsanitize=address "$work/none.c" -o "$work/none" 2>/dev/null && "$work/none" 2>/dev/null; then
    own=-fsanitize=address
    program guarded "$root/examples/01_reach.c" -O0 -fsanitize=address
    own=
    "$work/guarded" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
else
    echo "amalgamate: no address sanitizer here, so nothing was built with it"
fi
if "$CC" -ffast-math -fsyntax-only "$work/user/sinew.c" 2>/dev/null; then
    echo "-ffast-math is not refused"
    exit 1
fi
if [ -z "$SINEW_TEST_PLATFORMS" ]; then
    echo "amalgamate: ok; with SINEW_TEST_PLATFORMS set the golden run is run as well"
    exit 0
fi

# what is asked of the library must be the same; sinew.c has to look after itself
own="-ffp-contract=off -fno-tree-slp-vectorize"
fused=
if grep -q '\<fma\>' /proc/cpuinfo 2>/dev/null && "$CC" -march=x86-64-v3 -E -x c /dev/null >/dev/null 2>&1; then
    fused=-march=x86-64-v3
fi
chapters=$(echo "$root"/tests/golden/golden*.c | tr ' ' '\n' | grep -v '/golden_files\.c$')
for options in "-O3 $fused" "-O2 -DSINEW_NO_VECTOR $fused"; do
    # shellcheck disable=SC2086,SC2116
    program golden "$root/tests/golden/main.c $(echo $chapters) $root/tests/soak/soak_make.c $(echo "$root"/scenes/*.c)" \
        "-I$root/src" $options
    "$work/golden" >"$work/found"
    if [ "$(grep -c . "$work/found")" -lt 20 ] || grep -vxF -f "$root/tests/golden/hashes.txt" "$work/found"; then
        echo "$CC $options gives other bits than tests/golden/hashes.txt in these chapters"
        exit 1
    fi
    echo "$CC $options: $(grep -c . "$work/found") chapters, the same bits"
done
