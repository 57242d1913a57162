#!/bin/sh
# The core compiles for wasm32-wasi and imports nothing. Exit status 77 (skipped) where clang for
# WebAssembly, wasm-ld, wasi-libc or the compiler's run time is not installed.
# usage: check_wasm.sh SOURCE_FOLDER WASM_IMPORTS_PROGRAM
root=$1
imports=$2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

skip() {
    echo "skipped: $1"
    exit 77
}

# the first clang that has the run time for this target and a linker beside it
runtime=
for clang in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19; do
    command -v "$clang" >/dev/null || continue
    version=$("$clang" -dumpversion | cut -d. -f1)
    folder=$("$clang" -print-resource-dir)/lib
    runtime=$(find "$folder/" -path '*wasi*' -name 'libclang_rt.builtins*.a' | head -n 1)
    linker=$(command -v "wasm-ld-$version" || command -v wasm-ld)
    [ -n "$runtime" ] && [ -n "$linker" ] && break
done
[ -n "$runtime" ] || skip "no clang with libclang-rt-dev-wasm32 (Debian 12: libclang-rt-14-dev-wasm32)"
[ -n "$linker" ] || skip "no wasm-ld (Debian: lld)"
libc=/usr/lib/wasm32-wasi
[ -f "$libc/libc.a" ] || skip "no wasi-libc"

flags="--target=wasm32-wasi -O2 -std=c17 -ffp-contract=off -fno-math-errno -fno-trapping-math
    -fvisibility=hidden -DNDEBUG -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
for floor in base math body solve motion; do
    for source in "$root/src/$floor"/*.c; do
        [ -f "$source" ] || continue
        printf '"%s" -o "%s"\n' "$source" "$work/$floor-$(basename "$source" .c).o"
    done
done | xargs -P 2 -L 1 "$clang" $flags -I"$root/include" -I"$root/src" -c || exit 1
objects=$(ls "$work"/*.o)

# linked by hand: the driver runs wasm-opt behind our back where that is installed
"$linker" -m wasm32 --no-entry --entry _initialize --export-dynamic --strip-all \
    "$libc/crt1-reactor.o" $objects -L"$libc" -lc "$runtime" -o "$work/sinew.wasm" || exit 1
"$imports" "$work/sinew.wasm" _initialize memory \
    sinew_skeleton_create sinew_solver_create sinew_solver_solve sinew_tracker_update || exit 1
echo "wasm: $(wc -c <"$work/sinew.wasm") bytes, built by $clang $version"
