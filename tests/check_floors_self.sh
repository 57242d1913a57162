#!/bin/sh
# The check of the floors finds violations planted in a copy of the sources.
here=$(cd "$(dirname "$0")" && pwd)
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT
failures=0

cp -R "$here/../src" "$copy/src"
cp -R "$here/../include" "$copy/include"
if ! sh "$here/check_floors.sh" "$copy" >/dev/null; then
    echo "the copy fails before anything is planted"
    exit 1
fi

# plant FILE LINE: the check must fail once LINE stands in FILE
plant() {
    mkdir -p "$(dirname "$copy/$1")"
    echo "$2" >>"$copy/$1"
    if sh "$here/check_floors.sh" "$copy" >/dev/null; then
        echo "not found: '$2' in $1"
        failures=$((failures + 1))
    fi
    # pull it out again
    rm "$copy/$1"
    if [ -f "$here/../$1" ]; then cp "$here/../$1" "$copy/$1"; else rmdir "$(dirname "$copy/$1")" 2>/dev/null || true; fi
}

plant "src/base/planted.c" '#include "sinew/vecmath.h"'
plant "src/math/planted.c" '#include "body/pose.h"'
plant "src/body/planted.c" '#include "sinew/solver.h"'
plant "src/body/planted.c" '  #  include "solve/anything.h"'
plant "src/solve/planted.c" '#include <stdio.h>'
plant "src/motion/planted.c" '#include <time.h>'
plant "src/motion/planted.c" '#include "walk/anything.h"'
plant "src/walk/planted.c" '#include "file/anything.h"'
plant "src/motion/planted.c" '#include "sinew/file.h"'
plant "src/solve/planted.c" '#include "scenes/scenes.h"'
plant "src/body/role_words.h" '#include "body/role_tokens.h"'
plant "include/sinew/pose.h" '#include "body/mass.h"'
plant "src/attic/planted.c" '#include <math.h>'

if [ "$failures" -gt 0 ]; then exit 1; fi
echo "floors: all 13 planted violations were found"
