#!/bin/sh
# The golden run on another machine gives the same hashes: 32-bit x86, a big-endian one under qemu, Windows
# under wine, which also runs the tests of the core. Exit status 77 (skipped) where the compiler or the
# machine is not installed, or SINEW_TEST_PLATFORMS is not set: each takes a minute.
# usage: check_platform.sh SOURCE_FOLDER i686|s390x|windows
root=$(cd "$1" && pwd)
platform=$2
work=$(mktemp -d) || exit 2
# wine's own programs go on for a moment, and write
trap 'rm -rf "$work" 2>/dev/null || { sleep 5; rm -rf "$work"; }' EXIT

skip() {
    echo "skipped: $1"
    exit 77
}

find_program() {
    for name in "$@"; do
        command -v "$name" && return
    done
    skip "none of $* (Debian: $packages)"
}

[ -n "$SINEW_TEST_PLATFORMS" ] || skip "SINEW_TEST_PLATFORMS is not set"
case $platform in
i686)
    packages="gcc-i686-linux-gnu libc6-dev-i386-cross"
    compiler=$(find_program i686-linux-gnu-gcc) || { echo "$compiler"; exit 77; }
    options="-static -msse2 -mfpmath=sse"
    machine=
    ;;
s390x)
    packages="gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user"
    compiler=$(find_program s390x-linux-gnu-gcc) || { echo "$compiler"; exit 77; }
    machine=$(find_program qemu-s390x qemu-s390x-static) || { echo "$machine"; exit 77; }
    options=-static
    ;;
windows)
    packages="gcc-mingw-w64-x86-64 wine64"
    compiler=$(find_program x86_64-w64-mingw32-gcc) || { echo "$compiler"; exit 77; }
    machine=$(find_program wine64 wine /usr/lib/wine/wine64) || { echo "$machine"; exit 77; }
    options="-static -D__USE_MINGW_ANSI_STDIO=1"
    export WINEDEBUG=-all WINEPREFIX="$work/wine"
    ;;
*)
    echo "no platform $platform"
    exit 2
    ;;
esac

options="-std=c17 -O2 -DSINEW_STATIC $options"
sh "$root/tools/amalgamate.sh" "$work/user" || exit 1
mkdir "$work/scenes"
# shellcheck disable=SC2086 # words on purpose
"$compiler" $options -c "$work/user/sinew.c" -o "$work/sinew.o" || exit 1
for source in "$root"/scenes/*.c "$root"/measure/*.c; do
    # shellcheck disable=SC2086
    "$compiler" $options -I"$root" -I"$root/include" -I"$root/src" -c "$source" \
        -o "$work/scenes/$(basename "$source" .c).o" || exit 1
done
for source in "$root"/tests/golden/golden*.c "$root/tests/soak/soak_make.c" "$root/tests/golden/main.c"; do
    case $source in */golden_files.c) continue ;; esac
    mkdir -p "$work/golden"
    # shellcheck disable=SC2086
    "$compiler" $options -I"$root" -I"$root/include" -I"$root/src" -I"$root/tests" -c "$source" \
        -o "$work/golden/$(basename "$source" .c).o" || exit 1
done
"$compiler" -static "$work/sinew.o" "$work"/scenes/*.o "$work"/golden/*.o -o "$work/golden.exe" -lm || exit 1
$machine "$work/golden.exe" | tr -d '\r' >"$work/found"
chapters=$(grep -c . "$work/found")
grep -vxF -f "$root/tests/golden/hashes.txt" "$work/found" >"$work/other"
if [ "$chapters" -lt 20 ] || [ -s "$work/other" ]; then
    echo "$platform gives other bits than tests/golden/hashes.txt in these of $chapters chapters:"
    cat "$work/other"
    exit 1
fi
echo "$platform: $chapters chapters, the same bits"
[ "$platform" = windows ] || exit 0

# the files of sinew-io that want neither a disk nor a package, for grounds by name
mkdir "$work/file"
for source in "$root"/src/file/*.c; do
    case $source in */disk.c | */urdf_*.c | */height_map_png.c) continue ;; esac
    # shellcheck disable=SC2086
    "$compiler" $options -I"$root/include" -I"$root/src" -c "$source" -o "$work/file/$(basename "$source" .c).o" \
        || exit 1
done

# the tests of the core, with a stand-in for cmocka; those of files, command and POSIX are left out
failures=0
count=0
for source in "$root"/tests/test_*.c; do
    if grep -qE 'unistd\.h|sys/|time\.h|"(command|gltf|golden/|file/|cli/|bench/|pictures/|sinew/(file|gltf|.*_file|rig_starts)\.h)|SINEW_DATA|data_path' \
        "$source" "$root"/tests/none 2>/dev/null; then continue; fi
    name=$(basename "$source" .c)
    # shellcheck disable=SC2086
    if ! "$compiler" $options -O1 -D_POSIX_C_SOURCE=200809L -DSINEW_SOURCE_DIR=\"..\" -I"$root/tests/plain" \
        -I"$root/tests" -I"$root" -I"$root/include" -I"$root/src" "$source" "$root/tests/testing.c" \
        "$root/tests/plain/cmocka.c" "$work"/file/*.o "$work/sinew.o" "$work"/scenes/*.o -o "$work/$name.exe" \
        -lm -lpthread >"$work/log" 2>&1; then
        echo "$name does not compile:"
        grep -m 3 -E 'error|undefined' "$work/log"
        failures=$((failures + 1))
        continue
    fi
    if ! $machine "$work/$name.exe" >"$work/log" 2>&1; then
        echo "$name fails:"
        grep -B 5 'FAILED' "$work/log" | head -n 20
        failures=$((failures + 1))
    fi
    count=$((count + $(grep -c '^\[ OK \]' "$work/log")))
    rm -f "$work/$name.exe"
done
echo "windows: $count tests passed, $failures programs failed"
[ "$failures" -eq 0 ]
