#!/bin/sh
# Each floor of src/ includes only itself and the floors below it; the core knows no stdio, clock
# or locale, and no POSIX. usage: check_floors.sh [ROOT]
root=${1:-$(dirname "$0")/..}
cd "$root" || exit 2
failures=0
files=0

complain() {
    echo "$1"
    failures=$((failures + 1))
}

# check_floor FLOOR ALLOWED_FLOORS
check_floor() {
    for file in $(find "src/$1" -name '*.[ch]' 2>/dev/null | sort); do
        files=$((files + 1))
        # lines such as   12:"base/message.h"   or   3:<stdio.h>
        for include in $(sed -n 's/^[ \t]*#[ \t]*include[ \t]*\([<"][^">]*[">]\).*/\1/p' "$file"); do
            name=${include#?}
            name=${name%?}
            case $include in
            '"sinew/'*) check_public "$file" "$1" "$name" ;;
            '"'*)
                floor=${name%%/*}
                case " $2 " in
                *" $floor "*) [ -f "src/$name" ] || complain "$file: \"$name\" is not in src/" ;;
                *) complain "$file: includes \"$name\", but $1 may use only: $2" ;;
                esac
                ;;
            '<sinew/'*) complain "$file: write \"$name\" with quotes" ;;
            *) [ "$1" = file ] || check_system "$file" "$name" ;;
            esac
        done
    done
}

# public headers belong to floors as well: the core never sees those of files
check_public() {
    case $2:$3 in
    file:*) ;;
    base:sinew/base.h) ;;
    base:*) complain "$1: includes $3, but base may use only sinew/base.h" ;;
    math:sinew/base.h | math:sinew/vecmath.h) ;;
    math:*) complain "$1: includes $3, but math may use only sinew/base.h and sinew/vecmath.h" ;;
    body:sinew/base.h | body:sinew/vecmath.h | body:sinew/skeleton.h | body:sinew/pose.h) ;;
    body:sinew/goal.h | body:sinew/jacobian.h | body:sinew/solver.h | body:sinew/clip.h \
        | body:sinew/track.h) complain "$1: includes $3, which belongs to a higher floor than body" ;;
    solve:sinew/clip.h | solve:sinew/track.h | solve:sinew/walker.h)
        complain "$1: includes $3, which belongs to a higher floor than solve" ;;
    motion:sinew/walker.h) complain "$1: includes $3, which belongs to a higher floor than motion" ;;
    *:sinew/file.h | *:sinew/gltf.h | *:sinew/sinew.h) complain "$1: includes $3, but the core knows no files" ;;
    esac
}

check_system() {
    case $2 in
    stdio.h | time.h | locale.h | wchar.h | errno.h | assert.h | signal.h | threads.h | setjmp.h \
        | unistd.h | fcntl.h | pthread.h | sys/*)
        complain "$1: includes <$2>; the core has no stdio, clock, locale or system calls" ;;
    esac
}

check_floor base "base"
check_floor math "base math"
check_floor body "base math body"
check_floor solve "base math body solve"
check_floor motion "base math body solve motion"
check_floor walk "base math body solve motion walk"
check_floor file "base math body solve motion walk file"

for folder in src/*; do
    case ${folder#src/} in
    base | math | body | solve | motion | walk | file) ;;
    *) complain "$folder: no floor of that name; say in $0 what it may use" ;;
    esac
done

# Circles: X.c and X.h count as one file.
# lines "FROM TO" of units that include each other; tsort names the members of each circle it breaks
links=$(grep -r '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[a-z]*/[^"]*\.h"' src |
    sed -n 's|^src/\([^:]*\)\.[ch]:.*"\([^"]*\)\.h".*|\1 \2|p' | grep -v ' sinew/' |
    awk '$1 != $2' | sort -u)
for member in $(printf '%s\n' "$links" | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z].*\/.*\)$/\1/p' | sort -u); do
    complain "src/$member: is part of a circle of files that include each other"
done

# faces: what users include knows public headers alone
for name in $(sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' include/sinew/*.h | sort -u); do
    [ -f "include/sinew/$name" ] || complain "include/sinew: a face includes \"$name\", which is not public"
done

if [ "$files" -eq 0 ]; then complain "no source files under $root/src"; fi
if [ "$failures" -gt 0 ]; then
    echo "floors: $failures violations in $files files"
    exit 1
fi
echo "floors: $files files, each uses only the floors below it"
