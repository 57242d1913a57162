#!/bin/sh
# With a compiler and CMake alone the core configures, builds, installs and is found; a user who also
# asks for files is told that they are not there. usage: check_bare.sh SOURCE_FOLDER
set -e
root=$(cd "$1" && pwd)
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

# as if no package were installed
none=
for package in EXPAT PNG PkgConfig orocos_kdl; do none="$none -DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"; done
# shellcheck disable=SC2086 # words on purpose
quietly cmake -S "$root" -B "$work/build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0 $none
quietly cmake --build "$work/build" -j2
quietly cmake --install "$work/build" --prefix "$work/tree"
# shellcheck disable=SC2086
if cmake -S "$root" -B "$work/asked" -DCMAKE_C_COMPILER="$CC" -DSINEW_BUILD_IO=ON $none \
    >"$work/log" 2>&1 || ! grep -q expat "$work/log"; then
    echo "files were asked for without expat, and nothing was said"
    exit 1
fi

mkdir "$work/user"
cp "$root/tests/install/consumer/main.c" "$work/user"
cat >"$work/user/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
find_package(sinew REQUIRED COMPONENTS sinew)
find_package(sinew QUIET OPTIONAL_COMPONENTS io)
if(sinew_io_FOUND OR TARGET sinew::sinew-io)
    message(FATAL_ERROR "files are found, but were not installed")
endif()
foreach(library sinew sinew-static)
    add_executable(user-\${library} main.c)
    target_link_libraries(user-\${library} PRIVATE sinew::\${library})
endforeach()
END
quietly cmake -S "$work/user" -B "$work/user/build" -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$work/tree"
quietly cmake --build "$work/user/build"
for library in sinew sinew-static; do quietly "$work/user/build/user-$library"; done
echo "bare: ok"
