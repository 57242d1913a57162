#!/bin/sh
# Installs into an empty folder, then builds a user's project against it: with find_package and
# with pkg-config, shared and static, and runs them all.
# usage: check_install.sh BUILD_FOLDER
set -e
build=$1
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"

quietly() {
    if ! "$@" >"$work/log" 2>&1; then
        echo "failed: $*"
        cat "$work/log"
        exit 1
    fi
}

quietly cmake --install "$build" --prefix "$work/first"
# whatever was installed can be moved
mv "$work/first" "$work/tree"
pc=$(dirname "$(find "$work/tree" -name sinew.pc)")
libs=$(dirname "$pc")

echo "find_package, shared and static"
quietly cmake -S "$here/install/consumer" -B "$work/consumer" \
    -DCMAKE_PREFIX_PATH="$work/tree" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Release
quietly cmake --build "$work/consumer"
for program in consumer consumer-static consumer-io consumer-static-io; do
    quietly "$work/consumer/$program"
done

# Laid out, not built: this compiler is none of that system. There is no libm on Windows.
echo "find_package, on Windows"
mkdir "$work/windows"
cp "$here/install/consumer/main.c" "$work/windows"
cat >"$work/windows/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.20)
project(windows LANGUAGES C)
find_package(sinew REQUIRED COMPONENTS sinew)
add_executable(consumer-static main.c)
target_link_libraries(consumer-static PRIVATE sinew::sinew-static)
END
quietly cmake -S "$work/windows" -B "$work/windows" -G "Unix Makefiles" -DCMAKE_PREFIX_PATH="$work/tree" \
    -DCMAKE_C_COMPILER="$CC" -DCMAKE_C_COMPILER_WORKS=ON -DCMAKE_SYSTEM_NAME=Windows
line=$work/windows/CMakeFiles/consumer-static.dir
if ! grep -rq libsinew "$line" || grep -r -e '-lm\b' "$line"; then
    echo "a program would be linked with libm on Windows"
    exit 1
fi

echo "pkg-config, shared"
PKG_CONFIG_PATH=$pc
export PKG_CONFIG_PATH
source=$here/install/consumer/main.c
quietly "$CC" -std=c17 "$source" -o "$work/shared" $(pkg-config --cflags --libs sinew)
quietly "$CC" -std=c17 -DCONSUMER_USES_FILES "$source" -o "$work/shared-io" \
    $(pkg-config --cflags --libs sinew-io)
quietly env LD_LIBRARY_PATH="$libs" "$work/shared"
quietly env LD_LIBRARY_PATH="$libs" "$work/shared-io"

echo "pkg-config, static"
quietly "$CC" -std=c17 -DSINEW_STATIC -static "$source" -o "$work/static" \
    $(pkg-config --static --cflags --libs sinew)
quietly "$CC" -std=c17 -DSINEW_STATIC -DCONSUMER_USES_FILES -static "$source" \
    -o "$work/static-io" $(pkg-config --static --cflags --libs sinew-io)
quietly "$work/static"
quietly "$work/static-io"

echo "the core needs libm and libc alone, and shows nothing but its interface"
needs=$(objdump -p "$libs/libsinew.so" | sed -n 's/^ *NEEDED *//p' | grep -v '^lib[cm]\.so\|^ld-' || true)
if [ -n "$needs" ]; then
    echo "libsinew.so also needs: $needs"
    exit 1
fi
for library in libsinew.so libsinew-io.so; do
    names=$(nm -D --defined-only "$libs/$library" | awk '{ print $3 }' | grep -v '^sinew_' || true)
    if [ -n "$names" ]; then
        echo "$library exports names beyond sinew_*: $names"
        exit 1
    fi
done
twice=$(for library in libsinew.so libsinew-io.so; do
    nm -D --defined-only "$libs/$library" | awk '{ print $3 }'
done | sort | uniq -d)
if [ -n "$twice" ]; then
    echo "both libraries export: $twice"
    exit 1
fi
if grep -rn "$build" "$work/tree" --include=*.cmake --include=*.pc; then
    echo "an installed file names the build folder"
    exit 1
fi
if [ -x "$work/tree/bin/sinew" ]; then
    quietly "$work/tree/bin/sinew" --help
fi

echo "install: ok"
