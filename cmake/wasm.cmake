# Toolchain of WebAssembly: clang, wasm-ld of the same version, wasi-libc, and the compiler's run time
# (Debian 12: clang lld wasi-libc libclang-rt-14-dev-wasm32). SINEW_WASM_STACK: bytes of stack.

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(SINEW_WASM ON)

set(sinew_wasm_libc /usr/lib/wasm32-wasi)
# the first clang that has the run time for this target and a linker beside it
if(NOT SINEW_WASM_RUNTIME)
    foreach(name clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19)
        unset(found CACHE)
        find_program(found ${name})
        if(NOT found)
            continue()
        endif()
        execute_process(COMMAND ${found} -dumpversion OUTPUT_VARIABLE version)
        execute_process(COMMAND ${found} -print-resource-dir
            OUTPUT_VARIABLE resources OUTPUT_STRIP_TRAILING_WHITESPACE)
        string(REGEX MATCH "^[0-9]+" version "${version}")
        file(GLOB_RECURSE runtime "${resources}/lib/*libclang_rt.builtins*wasm32.a"
            "${resources}/lib/wasm32*/libclang_rt.builtins.a")
        unset(linker CACHE)
        find_program(linker NAMES wasm-ld-${version} wasm-ld)
        if(runtime AND linker AND EXISTS ${sinew_wasm_libc}/libc.a)
            list(GET runtime 0 runtime)
            set(SINEW_WASM_CLANG ${found} CACHE FILEPATH "")
            set(SINEW_WASM_LINKER ${linker} CACHE FILEPATH "")
            set(SINEW_WASM_RUNTIME ${runtime} CACHE FILEPATH "")
            break()
        endif()
    endforeach()
    unset(found CACHE)
    unset(linker CACHE)
endif()
if(NOT SINEW_WASM_RUNTIME)
    message(FATAL_ERROR "WebAssembly stands on clang with its run time for wasm32, lld and wasi-libc "
        "(Debian 12: clang lld wasi-libc libclang-rt-14-dev-wasm32)")
endif()

set(CMAKE_C_COMPILER ${SINEW_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
# what every browser with SIMD knows as well
set(CMAKE_C_FLAGS_INIT "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
# nothing of the machine that compiles is in there
set(CMAKE_FIND_ROOT_PATH ${sinew_wasm_libc})
foreach(kind LIBRARY INCLUDE PACKAGE)
    set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()

# Linked by hand: the driver runs wasm-opt behind our back where that is installed. The stack comes
# first, so that running out of it traps instead of writing over data.
set(SINEW_WASM_STACK 1048576 CACHE STRING "Bytes of stack of WebAssembly modules")
set(CMAKE_C_LINK_EXECUTABLE "${SINEW_WASM_LINKER} -m wasm32 --no-entry --entry _initialize --gc-sections \
--strip-all --compress-relocations --stack-first -z stack-size=${SINEW_WASM_STACK} <LINK_FLAGS> ${sinew_wasm_libc}/crt1-reactor.o \
<OBJECTS> <LINK_LIBRARIES> -L${sinew_wasm_libc} -lc ${SINEW_WASM_RUNTIME} -o <TARGET>")
