# One folder, one target. A header can be included only where its folder is listed under USES: every target gets a
# folder of its own (headers/<target>) that holds nothing but a link to its sources, and links are PRIVATE.
#
#   lockstep_library(trace USES base LIBRARIES zstd)
#
# takes the folder's *.cpp as the library, its *_test.cpp as trace_test and each of its fuzz_*.cpp as a fuzzer.
# engine/trace/event.h is included as "trace/event.h", app/state/update.h as "app/state/update.h".

# For every test that runs our code: leaks and races of third-party code.
set(LOCKSTEP_TEST_ENVIRONMENT "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/leaks_of_others.txt:print_suppressions=0"
    "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/races_of_others.txt:print_suppressions=0")
# Seconds after which a test hangs; the sanitizers slow everything down several times.
set(LOCKSTEP_TEST_TIMEOUT 900)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    set(LOCKSTEP_TEST_TIMEOUT 3600)
endif()

# Path under which a source folder's headers are included.
function(lockstep_namespace out folder)
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${folder}")
    string(REGEX REPLACE "^engine/" "" path "${path}")
    set(${out} "${path}" PARENT_SCOPE)
endfunction()

# Makes the folder's headers visible, as namespace/..., to targets that link this one. Subfolders that are
# targets of their own (EXCLUDE) are left out; then each entry is linked by itself.
function(lockstep_publish_headers target namespace)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCLUDE")
    set(farm "${PROJECT_BINARY_DIR}/headers/${target}")
    set(link "${farm}/${namespace}")
    if(arg_EXCLUDE)
        file(REMOVE_RECURSE "${farm}")
        file(MAKE_DIRECTORY "${link}")
        file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *)
        list(FILTER entries EXCLUDE REGEX "\\.(cpp|txt|md)$")
        list(REMOVE_ITEM entries ${arg_EXCLUDE})
        foreach(entry IN LISTS entries)
            file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/${entry}" "${link}/${entry}" SYMBOLIC)
        endforeach()
    else()
        cmake_path(GET link PARENT_PATH parent)
        file(MAKE_DIRECTORY "${parent}")
        file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${link}" SYMBOLIC)
    endif()
endfunction()

# The folder's translation units, without subfolders that are targets of their own.
function(lockstep_sources out pattern)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "EXCLUDE")
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${pattern}")
    foreach(subfolder IN LISTS arg_EXCLUDE)
        list(FILTER sources EXCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/${subfolder}/")
    endforeach()
    set(${out} "${sources}" PARENT_SCOPE)
endfunction()

# lockstep_library(<target> [EXCLUDE subfolders that are targets of their own] [USES our targets]
#                  [LIBRARIES third-party targets] [PUBLIC_LIBRARIES those that our headers show]
#                  [DEFINITIONS ...] [COMPILE_OPTIONS ...] [TEST_USES ...] [TEST_LIBRARIES ...]
#                  [COLD] [OWN_PRECOMPILED] [PRECOMPILED_HEADERS headers of ours])
# Third-party targets are named without their third_party:: prefix. COLD: takes no part in emulation.
# OWN_PRECOMPILED: its options change what headers compile to (-march, OpenMP), so that it needs its own.
# PRECOMPILED_HEADERS: what most of its files include, as <viz/view.h>; read once, too.
function(lockstep_library target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "COLD;OWN_PRECOMPILED" ""
        "EXCLUDE;USES;LIBRARIES;PUBLIC_LIBRARIES;DEFINITIONS;COMPILE_OPTIONS;TEST_USES;TEST_LIBRARIES;PRECOMPILED_HEADERS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "lockstep_library(${target}): unknown arguments ${arg_UNPARSED_ARGUMENTS}")
    endif()
    list(TRANSFORM arg_LIBRARIES PREPEND third_party:: OUTPUT_VARIABLE libraries)
    list(TRANSFORM arg_PUBLIC_LIBRARIES PREPEND third_party:: OUTPUT_VARIABLE publicLibraries)

    lockstep_sources(sources *.cpp EXCLUDE ${arg_EXCLUDE})
    set(tests ${sources})
    set(fuzzers ${sources})
    list(FILTER sources EXCLUDE REGEX "(_test|/main|/fuzz_[a-z0-9_]*)\\.cpp$")
    list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
    list(FILTER fuzzers INCLUDE REGEX "/fuzz_[a-z0-9_]*\\.cpp$")

    lockstep_namespace(namespace "${CMAKE_CURRENT_SOURCE_DIR}")
    lockstep_publish_headers(${target} "${namespace}" EXCLUDE ${arg_EXCLUDE})
    set_property(GLOBAL APPEND PROPERTY LOCKSTEP_LIBRARIES ${target})

    set(precompiled standard)
    set(testsPrecompiled tests)
    if(arg_OWN_PRECOMPILED)
        lockstep_precompiled(${target} LIBRARIES ${libraries} COMPILE_OPTIONS ${arg_COMPILE_OPTIONS})
        set(precompiled ${target})
        set(testsPrecompiled ${target})
    endif()
    set(headers "")
    if(arg_PRECOMPILED_HEADERS AND LOCKSTEP_PRECOMPILED)
        set(precompiled none)
        set(headers ${LOCKSTEP_PRECOMPILED_HEADERS} ${arg_PRECOMPILED_HEADERS})
    endif()
    set(cold "")
    if(arg_COLD)
        set(cold ${LOCKSTEP_COLD})
    endif()

    # Headers alone are an INTERFACE target; what they link still comes along, what they include does not.
    if(sources)
        add_library(${target} STATIC ${sources})
        target_include_directories(${target} PUBLIC "${PROJECT_BINARY_DIR}/headers/${target}")
        target_link_libraries(${target} PRIVATE ${arg_USES} ${libraries} PUBLIC ${publicLibraries})
        lockstep_own_target(${target} PRECOMPILED ${precompiled} DEFINITIONS ${arg_DEFINITIONS}
            COMPILE_OPTIONS ${cold} ${arg_COMPILE_OPTIONS})
        if(headers)
            target_precompile_headers(${target} PRIVATE ${headers})
        endif()
    else()
        add_library(${target} INTERFACE)
        target_include_directories(${target} INTERFACE "${PROJECT_BINARY_DIR}/headers/${target}")
        target_link_libraries(${target} INTERFACE ${publicLibraries})
        foreach(used IN LISTS arg_USES libraries)
            target_link_libraries(${target} INTERFACE $<LINK_ONLY:${used}>)
        endforeach()
    endif()

    if(LOCKSTEP_TESTS OR LOCKSTEP_FUZZ)
        foreach(source IN LISTS fuzzers)
            lockstep_fuzzer(${source} USES ${target} ${arg_USES} LIBRARIES ${arg_LIBRARIES} PRECOMPILED ${precompiled}
                COMPILE_OPTIONS ${arg_COMPILE_OPTIONS})
        endforeach()
    endif()
    if(tests AND LOCKSTEP_TESTS)
        lockstep_test(${target}_test SOURCES ${tests}
            USES ${target} ${arg_USES} ${arg_TEST_USES} LIBRARIES ${arg_LIBRARIES} ${arg_TEST_LIBRARIES}
            PRECOMPILED ${testsPrecompiled} DEFINITIONS ${arg_DEFINITIONS} COMPILE_OPTIONS ${arg_COMPILE_OPTIONS})
    endif()
endfunction()

# The headers of others that most files include, read once: a third of the time of a first build. A file includes what it
# needs all the same, as a build without them does (fuzz, headless).
option(LOCKSTEP_PRECOMPILED "Precompile headers of the standard library" ON)
set(LOCKSTEP_PRECOMPILED_HEADERS <algorithm> <any> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstring> <deque>
    <filesystem> <fstream> <functional> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <string>
    <string_view> <thread> <tuple> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)

# Makes precompiled_<name> of these headers and LIBRARIES, for targets of the same COMPILE_OPTIONS.
function(lockstep_precompiled name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LIBRARIES;COMPILE_OPTIONS")
    if(LOCKSTEP_PRECOMPILED)
        set(source "${PROJECT_BINARY_DIR}/precompiled/${name}.cpp")
        if(NOT EXISTS "${source}")
            file(WRITE "${source}" "")
        endif()
        add_library(precompiled_${name} OBJECT "${source}")
        target_link_libraries(precompiled_${name} PRIVATE ${arg_LIBRARIES})
        lockstep_own_target(precompiled_${name} PRECOMPILED none COMPILE_OPTIONS ${arg_COMPILE_OPTIONS})
        target_precompile_headers(precompiled_${name} PRIVATE ${LOCKSTEP_PRECOMPILED_HEADERS} ${arg_HEADERS})
    endif()
endfunction()

# Settings of a target that holds code of ours. __FILE__ and std::source_location give paths from the repository's root.
function(lockstep_own_target target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PRECOMPILED" "DEFINITIONS;COMPILE_OPTIONS")
    lockstep_compile_options(${target})
    target_compile_definitions(${target} PRIVATE ${arg_DEFINITIONS})
    target_compile_options(${target} PRIVATE "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=" ${arg_COMPILE_OPTIONS})
    if(NOT arg_PRECOMPILED)
        set(arg_PRECOMPILED standard)
    endif()
    if(TARGET precompiled_${arg_PRECOMPILED})
        target_link_libraries(${target} PRIVATE third_party::fmt)  # whose headers are among them
        target_precompile_headers(${target} REUSE_FROM precompiled_${arg_PRECOMPILED})
    endif()
endfunction()

# lockstep_test(<name> SOURCES ... [USES our targets] [LIBRARIES third-party targets] [PRECOMPILED tests]
#               [DEFINITIONS ...] [COMPILE_OPTIONS ...])
# makes one GoogleTest program and one ctest entry of the sources: a process per program, not per test case, keeps ctest quick. One that
# drives the window has three, each with a third of its tests.
function(lockstep_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PRECOMPILED" "SOURCES;USES;LIBRARIES;DEFINITIONS;COMPILE_OPTIONS")
    if(NOT arg_PRECOMPILED)
        set(arg_PRECOMPILED tests)
    endif()
    list(TRANSFORM arg_LIBRARIES PREPEND third_party::)
    add_executable(${name} ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_USES} ${arg_LIBRARIES} third_party::gtest)
    if(third_party::test_engine IN_LIST arg_LIBRARIES)
        set_target_properties(${name} PROPERTIES LOCKSTEP_TEST_ENGINE ON)
    endif()
    lockstep_own_target(${name} PRECOMPILED ${arg_PRECOMPILED}
        DEFINITIONS "LOCKSTEP_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\"" "LOCKSTEP_BINARY_DIR=\"${PROJECT_BINARY_DIR}\"" ${arg_DEFINITIONS}
        COMPILE_OPTIONS ${LOCKSTEP_COLD} ${arg_COMPILE_OPTIONS})
    set(environment ${LOCKSTEP_TEST_ENVIRONMENT})
    set(display "")
    set(processes 1)
    if(third_party::test_engine IN_LIST arg_LIBRARIES)
        # It drives the real window: on a screen of its own in memory, drawn by Mesa, the same on every machine. A process opens some 200
        # windows one after another, each with the drivers loaded anew, then there is no OpenGL for another: hence several processes.
        set(processes 3)
        find_program(XVFB_RUN xvfb-run)
        if(XVFB_RUN)
            set(display "${XVFB_RUN}" --auto-servernum --server-args "-screen 0 2560x1440x24 -noreset")
            list(APPEND environment LIBGL_ALWAYS_SOFTWARE=1)
        else()
            message(WARNING "${name} opens a window and will need a display: there is no xvfb-run here (scripts/setup test installs it)")
        endif()
    endif()
    foreach(process RANGE 1 ${processes})
        set(test ${name})
        if(process GREATER 1)
            set(test ${name}_${process})
        endif()
        set(share "")
        if(processes GREATER 1)
            math(EXPR index "${process} - 1")
            set(share GTEST_TOTAL_SHARDS=${processes} GTEST_SHARD_INDEX=${index})
        endif()
        add_test(NAME ${test} COMMAND ${display} ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${name}> --gtest_brief=1)
        set_tests_properties(${test} PROPERTIES TIMEOUT ${LOCKSTEP_TEST_TIMEOUT} ENVIRONMENT "${environment};${share}")
        if(processes GREATER 1)
            set_tests_properties(${test} PROPERTIES RESOURCE_LOCK ${name})  # one after another: they write the same files
        endif()
    endforeach()
endfunction()

# lockstep_fuzzer(<folder/fuzz_name.cpp> [USES our targets] [LIBRARIES third-party targets] [PRECOMPILED standard]
# [COMPILE_OPTIONS ...]) makes a program of a file that defines LLVMFuzzerTestOneInput, and a ctest entry: with LOCKSTEP_FUZZ a short libFuzzer run that
# starts from the corpus in tests/fuzz/<name>/, else a replay of that corpus. One that needs engine/run needs nearly all of the engine
# with sanitizers: it is made with LOCKSTEP_FUZZ_ALL only (scripts/test --slow fuzz).
function(lockstep_fuzzer source)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PRECOMPILED" "USES;LIBRARIES;COMPILE_OPTIONS")
    if(LOCKSTEP_FUZZ AND "run" IN_LIST arg_USES AND NOT LOCKSTEP_FUZZ_ALL)
        return()
    endif()
    list(TRANSFORM arg_LIBRARIES PREPEND third_party::)
    cmake_path(GET source STEM program)
    string(REGEX REPLACE "^fuzz_" "" name "${program}")
    set(corpus "${PROJECT_SOURCE_DIR}/tests/fuzz/${name}")
    if(NOT IS_DIRECTORY "${corpus}")
        message(FATAL_ERROR "${source} needs a corpus: put at least one input into tests/fuzz/${name}/")
    endif()

    add_executable(${program} "${source}")
    target_link_libraries(${program} PRIVATE ${arg_USES} ${arg_LIBRARIES})
    lockstep_own_target(${program} PRECOMPILED ${arg_PRECOMPILED} COMPILE_OPTIONS ${arg_COMPILE_OPTIONS})
    if(LOCKSTEP_FUZZ)
        set(found "${CMAKE_CURRENT_BINARY_DIR}/${program}.corpus")
        file(MAKE_DIRECTORY "${found}")
        target_link_options(${program} PRIVATE -fsanitize=fuzzer)
        add_test(NAME ${program}
            COMMAND ${program} -runs=${LOCKSTEP_FUZZ_RUNS} -timeout=10 -rss_limit_mb=4096 "${found}" "${corpus}")
        add_dependencies(fuzzers ${program})
    else()
        target_sources(${program} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/replay_corpus.cpp")
        add_test(NAME ${program} COMMAND ${program} "${corpus}")
    endif()
    set_tests_properties(${program} PROPERTIES TIMEOUT $<IF:$<BOOL:${LOCKSTEP_FUZZ_ALL}>,3000,300>)
endfunction()

# lockstep_program(<name> [USES our targets]) makes an executable of the folder's main.cpp, once there is one.
function(lockstep_program name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
    lockstep_sources(sources main.cpp)
    if(sources)
        add_executable(${name} ${sources})
        target_link_libraries(${name} PRIVATE ${arg_USES})
        lockstep_own_target(${name})
        set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
        install(TARGETS ${name})
    endif()
endfunction()
