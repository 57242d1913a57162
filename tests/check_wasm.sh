#!/bin/sh
# The core compiles for wasm32-wasi, imports nothing, and with a stack of 64 KiB gives the golden hash in
# node (left out, and said so, where there is no node). Exit status 77 (skipped) where clang for
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
# scenes and the golden run stand in a module of their own, which a user's does not have
cat >"$work/golden.c" <<END
#include "golden/golden.h"
static uint64_t hash;
__attribute__((export_name("golden_low"))) uint32_t golden_low(void)
{
    hash = golden_run();
    return (uint32_t)hash;
}
__attribute__((export_name("golden_high"))) uint32_t golden_high(void) { return (uint32_t)(hash >> 32); }
END
mkdir "$work/core" "$work/scenes"
{
    for floor in base math body solve motion walk; do
        for source in "$root/src/$floor"/*.c; do
            printf '"%s" -o "%s"\n' "$source" "$work/core/$floor-$(basename "$source" .c).o"
        done
    done
    for source in "$root"/scenes/*.c "$work/golden.c"; do
        printf '"%s" -o "%s"\n' "$source" "$work/scenes/$(basename "$source" .c).o"
    done
} | xargs -P 2 -L 1 "$clang" $flags -I"$root" -I"$root/tests" -I"$root/include" -I"$root/src" -c || exit 1

# linked by hand: the driver runs wasm-opt behind our back where that is installed
# link OUT OBJECT...
link() {
    out=$1
    shift
    "$linker" -m wasm32 --no-entry --entry _initialize --export-dynamic --strip-all -z stack-size=65536 \
        --stack-first "$libc/crt1-reactor.o" "$@" -L"$libc" -lc "$runtime" -o "$out" || exit 1
}
link "$work/sinew.wasm" "$work"/core/*.o
"$imports" "$work/sinew.wasm" _initialize memory \
    sinew_skeleton_create sinew_solver_create sinew_solver_solve sinew_tracker_update \
    sinew_walker_create sinew_walker_update sinew_transforms_from_matrices_float \
    sinew_pose_from_local sinew_job_two_bone || exit 1
echo "wasm: $(wc -c <"$work/sinew.wasm") bytes, built by $clang $version"

command -v node >/dev/null || { echo "wasm: no node here, so nothing was run"; exit 0; }
link "$work/golden.wasm" "$work"/core/*.o "$work"/scenes/*.o
cat >"$work/run.cjs" <<'END'
(() => {
    const bytes = require('fs').readFileSync(process.argv[2]);
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {});
    exports._initialize();
    const half = (x) => (x >>> 0).toString(16).padStart(8, '0');
    const low = exports.golden_low();
    console.log('0x' + half(exports.golden_high()) + half(low));
})();
END
wanted=$(sed -n 's/^#define GOLDEN_HASH UINT64_C(\(.*\))/\1/p' "$root/tests/test_golden.c")
found=$(node "$work/run.cjs" "$work/golden.wasm")
if [ "$found" != "$wanted" ]; then
    echo "wasm gives '$found', tests/test_golden.c has $wanted"
    exit 1
fi
echo "wasm: $found in node, with a stack of 64 KiB"
