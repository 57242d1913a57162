#!/bin/sh
# Makes sinew.h and sinew.c, the core in two files, from the sources. usage: amalgamate.sh FOLDER_OUT
set -e
root=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"

"$CC" -std=c17 -O1 "$root/tools/amalgamate.c" -o "$work/amalgamate"
cd "$root"
without=
# headers of sinew-io
for header in file gltf keys_file rig_starts steering_file terrain_file; do
    without="$without --without include/sinew/$header.h"
done
# shellcheck disable=SC2086 # words on purpose
"$work/amalgamate" "$out" $without \
    $(LC_ALL=C ls src/base/*.c src/math/*.c src/body/*.c src/solve/*.c src/motion/*.c src/walk/*.c)
