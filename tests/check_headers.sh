#!/bin/sh
# Each public header compiles alone, as C17 and as C++11; its functions are documented, one by one or as a block of lines that
# follow each other; and the calls that headers and pages show are ones of functions that there are.
# usage: check_headers.sh SOURCE_FOLDER
root=$1
: "${CC:=cc}"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
failures=0
count=0

# compile COMPILER LANGUAGE STANDARD HEADER
compile() {
    "$1" -x "$2" "-std=$3" $warnings -fsyntax-only -I"$root/include" "$work/user.$2" || {
        echo "not valid $3: $4"
        failures=$((failures + 1))
    }
}

# a C compiler knows C++ when its C++ part is installed
cxx=
echo 'int x;' >"$work/probe.c++"
for compiler in "$CC" c++ clang++; do
    if "$compiler" -x c++ -fsyntax-only "$work/probe.c++" 2>/dev/null; then
        cxx=$compiler
        break
    fi
done
for header in "$root"/include/sinew/*.h; do
    name=sinew/$(basename "$header")
    count=$((count + 1))
    # twice, so that the guards are tried as well
    printf '#include <%s>\n#include <%s>\nint used_%d;\n' "$name" "$name" "$count" >"$work/user.c"
    cp "$work/user.c" "$work/user.c++"
    compile "$CC" c c17 "$name"
    if [ -n "$cxx" ]; then compile "$cxx" c++ c++11 "$name"; fi
done
if [ -z "$cxx" ]; then echo "no C++ compiler here: C++11 was not tried"; fi
bare=$(awk '
    /^$/ { told = 0 }
    /^\/\/\// { told = 1 }
    /^(SINEW_API|SINEW_EXPERIMENTAL|static inline) / && !told { print FILENAME ": no comment tells what this is: " $0 }
' "$root"/include/sinew/*.h)
if [ -n "$bare" ]; then
    echo "$bare"
    failures=$((failures + 1))
fi
here=$(dirname "$0")
awk -f "$here/shown_calls.awk" "$root"/include/sinew/*.h "$root"/README.md "$root"/docs/*.md || failures=$((failures + 1))
if [ "$failures" -gt 0 ] || [ "$count" -eq 0 ]; then exit 1; fi
echo "headers: $count compile alone as C17${cxx:+ and C++11}"
