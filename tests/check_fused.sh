#!/bin/sh
# Whoever builds for a machine that fuses multiplications, by CMake or sinew.c, gets code that does not: no
# such instruction, and the golden hashes where this machine runs it. Exit status 77 (skipped) where
# SINEW_TEST_PLATFORMS is not set (it takes minutes) or the compiler knows no such machine.
# usage: check_fused.sh SOURCE_FOLDER
root=$(cd "$1" && pwd)
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"

# no_fused WHAT FILE
no_fused() {
    objdump -d --no-show-raw-insn "$2" >"$work/code" || exit 1
    # what is read must be code
    if ! grep -q 'mulsd' "$work/code" || grep -nE 'vfn?m(add|sub)' "$work/code" | head -n 5 | grep .; then
        echo "$1: fused multiplications, or no code"
        exit 1
    fi
    echo "$1: none is fused"
}

[ -n "$SINEW_TEST_PLATFORMS" ] || { echo "skipped: SINEW_TEST_PLATFORMS is not set"; exit 77; }
sh "$root/tools/amalgamate.sh" "$work/user" || exit 1
for machine in x86-64-v3 x86-64-v4 bdver4; do
    "$CC" -march=$machine -E -x c /dev/null >/dev/null 2>&1 || { echo "skipped: no $machine"; exit 77; }
    "$CC" -std=c17 -O3 -march=$machine -DSINEW_STATIC -c "$work/user/sinew.c" -o "$work/sinew.o" || exit 1
    no_fused "sinew.c, $machine" "$work/sinew.o"
done
for machine in x86-64-v3 x86-64-v4; do
    build=$work/$machine
    cmake -S "$root" -B "$build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_FLAGS=-march=$machine \
        -DSINEW_BUILD_CLI=OFF -DSINEW_BUILD_EXAMPLES=OFF -DSINEW_WARNINGS_AS_ERRORS=OFF >"$work/log" 2>&1 &&
        cmake --build "$build" --target sinew-static -j2 >>"$work/log" 2>&1 || { tail "$work/log"; exit 1; }
    no_fused "CMake, $machine" "$build/libsinew.a"
done
if ! grep -q '\<fma\>' /proc/cpuinfo 2>/dev/null; then
    echo "this machine fuses none: the golden run says nothing"
    exit 0
fi
build=$work/x86-64-v3
cmake --build "$build" --target test_golden -j2 >"$work/log" 2>&1 && "$build/tests/test_golden" >"$work/log" 2>&1 ||
    { tail "$work/log"; exit 1; }
echo "CMake, x86-64-v3: the same bits"
