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
# public headers of which the core defines no function belong to sinew-io
sed -n 's/^[a-z].*\(sinew_[a-z0-9_]*\)(.*/\1/p' src/[!f]*/*.c | sort -u >"$work/of-core"
without=
for header in include/sinew/*.h; do
    sed -n 's/^SINEW_[A-Z]*.*\(sinew_[a-z0-9_]*\)(.*/\1/p' "$header" | sort -u >"$work/declared"
    if [ -s "$work/declared" ] && [ -z "$(comm -12 "$work/declared" "$work/of-core")" ]; then
        without="$without --without $header"
    fi
done
# shellcheck disable=SC2086 # words on purpose
"$work/amalgamate" "$out" $without \
    $(LC_ALL=C ls src/base/*.c src/math/*.c src/body/*.c src/solve/*.c src/motion/*.c src/walk/*.c)
