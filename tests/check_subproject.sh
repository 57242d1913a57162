#!/bin/sh
# As a subproject, by add_subdirectory or FetchContent, sinew builds its core alone: no files, command,
# tests, examples or install rules.
# usage: check_subproject.sh SOURCE_FOLDER
set -e
root=$(cd "$1" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"

mkdir "$work/project"
cp "$root/tests/install/consumer/main.c" "$work/project/main.c"
cat >"$work/project/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C)
if(FETCH)
    include(FetchContent)
    FetchContent_Declare(sinew SOURCE_DIR "$root")
    FetchContent_MakeAvailable(sinew)
else()
    add_subdirectory("$root" sinew)
endif()
add_executable(user main.c)
target_link_libraries(user PRIVATE sinew::sinew-static)
END
if ! cmake -S "$work/project" -B "$work/fetch" -DCMAKE_C_COMPILER="$CC" -DFETCH=ON >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
if ! { cmake -S "$work/project" -B "$work/build" -DCMAKE_C_COMPILER="$CC" &&
    cmake --build "$work/build" -j2 && "$work/build/user"; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
if find "$work/build" -name 'test_*' -o -name 'libsinew-scenes*' -o -name 'libsinew-io*' | grep .; then
    echo "a subproject builds more than the libraries"
    exit 1
fi
echo "subproject: ok"
