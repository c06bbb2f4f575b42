# Compiler settings of the whole build: language level, warnings, floating point, target processor, cache.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

# Figures must agree to the last bit on every machine: the compiler must not fuse a*b+c on its own.
add_compile_options(-ffp-contract=off)

if(NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
    set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()

# It caches what includes precompiled headers only if it is told that these do not use __TIME__.
find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
endif()

# The emulator's inner loops need 256-bit vectors; everything else is built for any x86-64.
set(detectedCpu "")
if(EXISTS /proc/cpuinfo AND NOT CMAKE_CROSSCOMPILING)
    file(READ /proc/cpuinfo cpuinfo LIMIT 8192)
    set(detectedCpu x86-64-v3)
    foreach(feature avx2 fma bmi1 bmi2 f16c movbe abm)
        if(NOT cpuinfo MATCHES "flags[^\n]* ${feature}[ \n]")
            set(detectedCpu "")
        endif()
    endforeach()
endif()
set(LOCKSTEP_CPU "${detectedCpu}" CACHE STRING "-march of engine/simt; empty for the compiler's own default")

# Fuzzers need all code instrumented; the sanitizers' findings end the run.
if(LOCKSTEP_FUZZ)
    if(NOT CMAKE_CXX_COMPILER_ID STREQUAL Clang)
        message(FATAL_ERROR "LOCKSTEP_FUZZ needs clang 16 or later (libFuzzer); use the preset fuzz")
    endif()
    option(LOCKSTEP_FUZZ_ALL "Also those that need nearly all of the engine" OFF)
    set(LOCKSTEP_FUZZ_RUNS 2000 CACHE STRING "Inputs that ctest gives each fuzzer")
    add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
        -Wno-pass-failed)  # loops of the emulator that are not vectorized with sanitizers
    add_link_options(-fsanitize=address,undefined)
    add_custom_target(fuzzers COMMENT "All fuzzers")
endif()

if(LOCKSTEP_STATIC)
    add_link_options(-static-libstdc++ -static-libgcc)
endif()

# g++ collects garbage while it compiles, a tenth of the time; no file of ours needs a gigabyte.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    add_compile_options(--param=ggc-min-heapsize=1000000)
endif()

# What every target of ours gets, and no library of others.
function(lockstep_compile_options target)
    target_compile_options(${target} PRIVATE -Wall -Wextra)
    # g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651, fixed in 13), and in strings
    # of precompiled headers copies of impossible lengths.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread
                               -Wno-array-bounds)
    endif()
    # With the sanitizers, g++ sees uses before initialization inside std::regex that are not there (GCC bug 105562).
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    # g++ 13 sees copies beyond the end of vectors that are not there (GCC bug 107852 and others like it).
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13 AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
        target_compile_options(${target} PRIVATE -Wno-array-bounds)
    endif()
endfunction()

# Of what takes no part in emulation: quicker to compile, and quick enough (scenes within 4 % of -O3 where they take a
# millisecond). With so little known of what is inlined, g++ sees uses before initialization that are not there.
set(LOCKSTEP_COLD "")
if(CMAKE_BUILD_TYPE STREQUAL Release)
    set(LOCKSTEP_COLD -O1)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        list(APPEND LOCKSTEP_COLD -Wno-maybe-uninitialized)
    endif()
endif()
