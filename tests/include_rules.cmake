# Test: every folder can include the headers of the folders named here and no others. The compiler is asked, with the
# include path that the build gives each folder's target, so that a wrong USES or a leaking library is found.
#
#   cmake -D COMPILER=... -D SOURCE_FOLDER=... -D FOLDERS_OF=... -D HEADERS=... -P include_rules.cmake
#
# FOLDERS_OF holds, per target with sources, <target>.folders: its include path.
cmake_minimum_required(VERSION 3.25)

set(engine base operations ptx sass trace simt cuda record model time explain catalog source run exercises lessons playlists)
# Parts of the runtime library that programs are linked with: their own target, and what it says to the engine.

set(may_include_base "")
set(may_include_operations base trace)
set(may_include_ptx base)
set(may_include_sass base ptx)
set(may_include_trace base)
set(may_include_simt base ptx trace)
set(may_include_cuda base ptx sass trace)
set(may_include_record base ptx trace)
set(may_include_model base ptx sass trace)
set(may_include_time base ptx sass trace simt model)
set(may_include_explain base ptx trace simt model)
set(may_include_catalog base)
set(may_include_source base)
set(may_include_run base ptx sass trace simt cuda record model time explain catalog source)
set(may_include_exercises base ptx trace simt cuda model explain catalog run)
set(may_include_lessons base ptx trace simt model sass time explain catalog run)
set(may_include_playlists base ptx trace simt model sass explain catalog run lessons)
set(may_include_cudart_protocol "")
set(may_include_lockstep_cudart cudart_protocol)
set(may_include_program base operations ptx trace simt cuda model explain run cudart_protocol)
set(may_include_viz ${engine})
set(may_include_painter_svg ${engine} viz)
set(may_include_painter_raster ${engine} viz)
set(may_include_painter_imgui ${engine} viz)
set(may_include_app_state ${engine} viz)
set(may_include_app_panels ${engine} viz painter_imgui app_state)
set(may_include_app_shell ${engine} viz painter_svg painter_raster painter_imgui app_state app_panels)
set(may_include_app_cli ${engine} exercises program viz painter_svg painter_raster app_state app_shell)

set(failures "")

# One header of each target, as it is included.
file(GLOB targets RELATIVE "${HEADERS}" "${HEADERS}/*")
set(probe "")
foreach(target IN LISTS targets)
    if(NOT DEFINED may_include_${target})
        list(APPEND failures "${target} has no rule here")
    endif()
    file(GLOB_RECURSE headers FOLLOW_SYMLINKS RELATIVE "${HEADERS}/${target}" "${HEADERS}/${target}/*.h")
    if(target STREQUAL viz)
        list(FILTER headers EXCLUDE REGEX "/painters/")
    endif()
    if(headers)
        list(GET headers 0 header_${target})
        string(APPEND probe "#if __has_include(\"${header_${target}}\")\nvisible ${target}\n#endif\n")
    endif()
endforeach()
set(probeFile "${FOLDERS_OF}/probe.cpp")
file(WRITE "${probeFile}" "${probe}")

file(GLOB lists "${FOLDERS_OF}/*.folders")
foreach(list IN LISTS lists)
    cmake_path(GET list STEM target)
    file(READ "${list}" folders)
    list(TRANSFORM folders PREPEND -I)

    execute_process(COMMAND "${COMPILER}" -std=c++20 -E -P ${folders} "${probeFile}"
        OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "visible [a-z_0-9]+" visible "${output}")
    list(TRANSFORM visible REPLACE "visible " "")
    if(header_${target} AND NOT target IN_LIST visible)
        list(APPEND failures "${target} cannot include its own ${header_${target}}: this test sees nothing")
    endif()
    foreach(other IN LISTS visible)
        if(NOT other STREQUAL target AND NOT other IN_LIST may_include_${target})
            list(APPEND failures "${target} must not be able to include ${header_${other}}")
        endif()
    endforeach()

    # What cannot be seen does not compile.
    foreach(other IN LISTS targets)
        if(header_${other} AND NOT other IN_LIST visible)
            set(wrong "${FOLDERS_OF}/${target}_wrong.cpp")
            file(WRITE "${wrong}" "#include \"${header_${other}}\"\n")
            execute_process(COMMAND "${COMPILER}" -std=c++20 -fsyntax-only ${folders} "${wrong}"
                RESULT_VARIABLE status ERROR_VARIABLE message)
            if(status EQUAL 0 OR NOT message MATCHES "${header_${other}}")
                list(APPEND failures "${target} compiles with ${header_${other}}")
            endif()
            break()
        endif()
    endforeach()
endforeach()

# A path with .. would go around all that.
file(GLOB_RECURSE sources "${SOURCE_FOLDER}/engine/*" "${SOURCE_FOLDER}/viz/*" "${SOURCE_FOLDER}/app/*")
list(FILTER sources INCLUDE REGEX "\\.(cpp|h)$")
foreach(source IN LISTS sources)
    file(STRINGS "${source}" upwards REGEX "^#include \"\\.\\./")
    if(upwards)
        list(APPEND failures "${source}: ${upwards}")
    endif()
endforeach()

if(failures)
    list(JOIN failures "\n  " text)
    message(FATAL_ERROR "  ${text}")
endif()
