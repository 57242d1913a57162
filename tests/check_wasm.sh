#!/bin/sh
# The WebAssembly modules of bindings/js: made by the CMake targets of the native library, with their imports
# and exports, within their sizes, and the same bits as native programs, in node and in a headless browser, on
# a stack of 64 KiB. What is not installed is left out, and said so; exit status 77 (skipped) where
# WebAssembly cannot be compiled. usage: check_wasm.sh SOURCE_FOLDER WASM_IMPORTS_PROGRAM WORKLOADS_PROGRAM...
root=$(cd "$1" && pwd)
imports=$2
shift 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

build=$root/build/wasm
if ! (cd "$root" && cmake --preset wasm) >"$work/log" 2>&1; then
    if grep -q 'WebAssembly stands on' "$work/log"; then
        echo "skipped: no clang for wasm32, wasm-ld or wasi-libc (Debian 12: clang lld wasi-libc libclang-rt-14-dev-wasm32)"
        exit 77
    fi
    cat "$work/log"
    exit 1
fi
cmake --build "$build" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }

# the small module imports nothing; the whole one the ground of a page
dist=$root/bindings/js/dist
"$imports" "$dist/solver.wasm" _initialize memory malloc free sinew_skeleton_create \
    sinew_solver_create sinew_solver_solve || exit 1
"$imports" "$dist/sinew.wasm" _initialize memory sinew_walker_update js_crowd_update >"$work/imports"
if [ "$(grep '^imports' "$work/imports")" != "imports sinew.ground" ]; then
    echo "sinew.wasm should import sinew.ground alone:"
    cat "$work/imports"
    exit 1
fi

# pages load them compressed
check_size() {
    size=$(gzip -9c "$dist/$1" | wc -c)
    echo "wasm: $1 has $size bytes by gzip -9, at most $2"
    [ "$size" -le "$2" ] || exit 1
}
# 450000 were asked of the first; kept to that by calls instead of inlined code, it took 2.5 times the native time. 318 bytes
# more than 460000 since its BVH writer refuses what the reader would, 700 more since names are sorted and walkers look behind them,
# some 700 more since feet lean about what of their soles carries, 1,000 since one thing is counted as one, names of coordinates
# are looked up, and ground is as steep as it is in any direction, 2,500 since limbs that leave IK do not snap, frames of a tracker
# need not be equally long, limits of balls are planned with, who is put down stands at once, and cycles stay cycles on other bodies,
# 500 since namesakes have coordinates of their own, and faults of files that were made good are told, another 500 since errors
# tell zero bytes and what a terrain's word asks for
check_size sinew.wasm 470500
check_size solver.wasm 140000

# lines: golden or number of the workload, hash
bits() {
    awk '$1 == "golden" || $1 ~ /^[0-9]$/ { print $1, $2 }' "$1"
}
first=
# compare NAME FILE
compare() {
    bits "$2" >"$2.bits"
    if [ "$(grep -c . "$2.bits")" -ne 6 ]; then
        echo "wasm: $1 gave no six hashes:"
        tail -n 5 "$2"
        exit 1
    fi
    if [ -z "$first" ]; then
        first=$2.bits
    elif ! cmp -s "$first" "$2.bits"; then
        echo "wasm: $1 computes other bits (right) than native (left):"
        diff "$first" "$2.bits"
        node "$root/tests/wasm/workloads.cjs" "$build/bindings/js/golden.wasm" 0 \
            | grep -vxF -f "$root/tests/golden/hashes.txt" | sed 's/^/wasm: chapter /'
        exit 1
    fi
    echo "wasm: golden run and 5 workloads, the same bits: $1"
}
for program in "$@"; do
    "$program" 1 --golden >"$work/native" || exit 1
    compare "$program" "$work/native"
    mv "$work/native.bits" "$work/first" && first=$work/first
done
if ! command -v node >/dev/null; then
    echo "wasm: no node here, so nothing was run"
    exit 0
fi
node "$root/tests/wasm/workloads.cjs" "$build/bindings/js/golden.wasm" >"$work/node" || exit 1
compare "node $(node --version)" "$work/node"

# without a library for browsers: a page that has run when it has loaded
for name in chromium chromium-browser google-chrome chrome; do
    browser=$(command -v "$name") && break
done
if [ -z "$browser" ]; then
    echo "wasm: no chromium here, so nothing was run in a browser"
    exit 0
fi
{
    echo '<!doctype html><meta charset="utf-8"><pre id="out"></pre><script>'
    cat "$root/tests/wasm/workloads.cjs"
    printf 'const code = atob("'
    base64 -w 0 "$build/bindings/js/golden.wasm"
    echo '");'
    cat <<'END'
const out = document.getElementById('out');
const say = (line) => { out.textContent += line + String.fromCharCode(10); };
try {
    sinewWorkloads(Uint8Array.from(code, (c) => c.charCodeAt(0)), 1, say);
} catch (reason) {
    say('FAILED ' + reason);
}
END
    echo '</script>'
} >"$work/page.html"
timeout 120 "$browser" --headless --no-sandbox --disable-gpu --no-first-run --user-data-dir="$work/profile" \
    --disable-background-networking --dump-dom "file://$work/page.html" \
    2>"$work/browser.log" | sed 's/<[^>]*>//g' >"$work/browser"
compare "$("$browser" --version 2>/dev/null | head -n 1)" "$work/browser"
