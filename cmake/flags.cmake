# What all targets are compiled with, and how a library becomes a static and a shared one.

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)

# Same input, same bits on every compiler: no contraction, no fast-math. errno and traps of
# floating point are not used, and doing without them costs no bits.
if(MSVC)
    set(sinew_flags /std:c17 /fp:precise)
    set(sinew_warnings /W4 /WX)
else()
    set(sinew_flags -std=c17 -ffp-contract=off -fno-math-errno -fno-trapping-math)
    # Packing straight-line code into vectors makes small matrices slower with gcc 12: what was stored
    # as numbers is loaded again as vectors before it has arrived (15 % of a leg's solve).
    list(APPEND sinew_flags $<$<C_COMPILER_ID:GNU>:-fno-tree-slp-vectorize>)
    # And where the machine may fuse multiplications (-march=x86-64-v3 and later, native) gcc 12 fuses
    # those of alternating sums in loops whatever was said above: no such instructions at all. AVX-512
    # has some of its own, older AMD machines others.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        check_c_compiler_flag("-mno-fma -mno-fma4 -mno-avx512f" SINEW_CAN_REFUSE_FUSED)
        if(SINEW_CAN_REFUSE_FUSED)
            list(APPEND sinew_flags -mno-fma -mno-fma4 -mno-avx512f)
        endif()
    endif()
    # clang 14 packs it for WebAssembly (-msimd128) into other bits.
    list(APPEND sinew_flags $<$<C_COMPILER_ID:Clang>:-fno-slp-vectorize>)
    set(sinew_warnings -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
    # the old unit of 32-bit x86 computes in 80 bits
    check_c_source_compiles("#ifndef __i386__
        #error
        #endif
        int main(void) { return 0; }" SINEW_IS_X86_32)
    if(SINEW_IS_X86_32)
        list(APPEND sinew_flags -msse2 -mfpmath=sse)
    endif()
endif()
if(SINEW_NO_VECTOR)
    list(APPEND sinew_flags -DSINEW_NO_VECTOR)
endif()

# The mathematical library, where it is one of its own: asked anew by whoever uses an installed library, whose
# compiler may be another one. On Windows it is part of the C library, with MinGW as well.
set(sinew_libm "$<$<NOT:$<PLATFORM_ID:Windows>>:m>")
# flags of the linker where it knows them
check_linker_flag(C "LINKER:--no-undefined" SINEW_LINKER_NO_UNDEFINED)
check_linker_flag(C "LINKER:--exclude-libs,ALL" SINEW_LINKER_EXCLUDE_LIBS)


# sinew_target_flags(target [POSIX])
function(sinew_target_flags target)
    cmake_parse_arguments(arg "POSIX" "" "" ${ARGN})
    target_compile_options(${target} PRIVATE ${sinew_flags})
    if(SINEW_WARNINGS_AS_ERRORS)
        target_compile_options(${target} PRIVATE ${sinew_warnings})
    endif()
    if(arg_POSIX)
        target_compile_definitions(${target} PRIVATE _POSIX_C_SOURCE=200809L)
    endif()
    if(SINEW_SANITIZE)
        target_compile_options(${target} PRIVATE
            -fsanitize=${SINEW_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PUBLIC -fsanitize=${SINEW_SANITIZE})
    endif()
endfunction()

# Libraries alone: programs of games and of the web give threads small stacks. Builds for finding faults
# keep each variable in a place of its own, so there it is only said.
if(NOT MSVC AND SINEW_WARNINGS_AS_ERRORS)
    set(sinew_library_flags -Wframe-larger-than=8192)
    if(SINEW_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
        list(APPEND sinew_library_flags -Wno-error=frame-larger-than=)
    endif()
endif()

# A program takes what it calls, not the whole of each file, where its linker is asked to (--gc-sections).
if(NOT MSVC)
    list(APPEND sinew_library_flags -ffunction-sections -fdata-sections)
endif()

# sinew_add_library(name SOURCES ... [USES library] [LINK ...] [HIDES ...] [POSIX])
#
# Compiles once, position independent and with hidden names, and makes two libraries of it: name
# (shared) and name-static. Private functions, which tests and benchmarks call, are reachable in
# the static one alone. What it hides is linked, but users do not see it.
function(sinew_add_library name)
    cmake_parse_arguments(arg "POSIX" "USES" "SOURCES;LINK;HIDES" ${ARGN})
    set(posix "")
    if(arg_POSIX)
        set(posix POSIX)
    endif()

    add_library(${name}-objects OBJECT ${arg_SOURCES})
    sinew_target_flags(${name}-objects ${posix})
    target_compile_options(${name}-objects PRIVATE ${sinew_library_flags})
    set_target_properties(${name}-objects PROPERTIES
        POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_compile_definitions(${name}-objects PRIVATE SINEW_BUILDING)
    target_include_directories(${name}-objects PRIVATE
        ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

    # for its headers
    target_link_libraries(${name}-objects PRIVATE ${arg_HIDES})

    get_property(has_shared GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
    if(NOT has_shared)
        # WebAssembly: modules are linked from the objects
        target_link_libraries(${name}-objects PUBLIC ${arg_LINK})
        add_library(${name}-static STATIC $<TARGET_OBJECTS:${name}-objects>)
        target_include_directories(${name}-static PUBLIC ${PROJECT_SOURCE_DIR}/include)
        set_target_properties(${name}-static PROPERTIES LINKER_LANGUAGE C)
        return()
    endif()
    add_library(${name} SHARED $<TARGET_OBJECTS:${name}-objects>)
    set_target_properties(${name} PROPERTIES
        VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        LINKER_LANGUAGE C)
    # public, as inline functions of the headers call into libm
    target_link_libraries(${name} PUBLIC ${arg_LINK} PRIVATE ${arg_HIDES})
    if(SINEW_SANITIZE)
        target_link_options(${name} PRIVATE -fsanitize=${SINEW_SANITIZE})
    elseif(SINEW_LINKER_NO_UNDEFINED)
        target_link_options(${name} PRIVATE LINKER:--no-undefined)
    endif()

    add_library(${name}-static STATIC $<TARGET_OBJECTS:${name}-objects>)
    set_target_properties(${name}-static PROPERTIES LINKER_LANGUAGE C)
    # where import libraries of shared ones end like static ones, the names must differ
    if(NOT WIN32)
        set_target_properties(${name}-static PROPERTIES OUTPUT_NAME ${name})
    endif()
    target_compile_definitions(${name}-static INTERFACE SINEW_STATIC)
    target_link_libraries(${name}-static PUBLIC ${arg_LINK} PRIVATE ${arg_HIDES})
    # private headers, for what is built in this tree
    target_include_directories(${name}-static INTERFACE
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)

    foreach(library ${name} ${name}-static)
        target_include_directories(${library} PUBLIC
            $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
            $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
        add_library(sinew::${library} ALIAS ${library})
    endforeach()
    if(arg_USES)
        # Public functions come from the shared library. Private ones are hidden in there: this one
        # takes a copy of the few it calls (memory, messages), and keeps it to itself.
        target_link_libraries(${name} PUBLIC ${arg_USES} PRIVATE ${arg_USES}-static)
        if(SINEW_LINKER_EXCLUDE_LIBS)
            target_link_options(${name} PRIVATE LINKER:--exclude-libs,lib${arg_USES}.a)
        endif()
        # installed side by side: finds the other wherever both are
        if(APPLE)
            set_target_properties(${name} PROPERTIES INSTALL_RPATH "@loader_path")
        else()
            set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN")
        endif()
        target_link_libraries(${name}-static PUBLIC ${arg_USES}-static)
    endif()
endfunction()
