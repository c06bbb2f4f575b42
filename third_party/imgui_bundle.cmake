# Dear ImGui (docking branch, GLFW and OpenGL 3 backends), ImGuiColorTextEdit and the test engine, all from
# one source package.
#
# Dear ImGui is compiled twice: as it ships, and with the test engine's hooks. Which of the two a program gets is its
# own choice (its property LOCKSTEP_TEST_ENGINE, set by linking third_party::test_engine through lockstep_test), so that
# painters, panels and shell are compiled once and the shipped program holds no trace of the test engine.
third_party_pypi_source(bundle imgui_bundle PATTERNS
    */external/imgui/imgui/* */external/ImGuiColorTextEdit/ImGuiColorTextEdit/*
    */external/imgui_test_engine/imgui_test_engine/*)
third_party_cell(version imgui_bundle VERSION)
set(external "${bundle}/imgui_bundle-${version}/external")
set(imguiFolder "${external}/imgui/imgui")

function(third_party_imgui_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;INCLUDE")
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_include_directories(${name} SYSTEM PUBLIC ${arg_INCLUDE})
    # Instrumented, these alone would take ten minutes of the preset asan.
    target_compile_options(${name} PRIVATE -w -fno-sanitize=all)
endfunction()

add_library(imgui_headers INTERFACE)
target_include_directories(imgui_headers SYSTEM INTERFACE
    "${imguiFolder}" "${imguiFolder}/backends" "${imguiFolder}/misc/cpp")
target_compile_definitions(imgui_headers INTERFACE IMGUI_DISABLE_OBSOLETE_FUNCTIONS)

set(imguiSources
    "${imguiFolder}/imgui.cpp" "${imguiFolder}/imgui_demo.cpp" "${imguiFolder}/imgui_draw.cpp"
    "${imguiFolder}/imgui_stacklayout.cpp" "${imguiFolder}/imgui_tables.cpp" "${imguiFolder}/imgui_widgets.cpp"
    "${imguiFolder}/backends/imgui_impl_glfw.cpp" "${imguiFolder}/backends/imgui_impl_opengl3.cpp"
    "${imguiFolder}/misc/cpp/imgui_stdlib.cpp")
third_party_imgui_library(imgui_shipped SOURCES ${imguiSources})
target_link_libraries(imgui_shipped PUBLIC imgui_headers third_party::glfw third_party::dl)

add_library(imgui INTERFACE)
target_link_libraries(imgui INTERFACE imgui_headers
    $<IF:$<BOOL:$<TARGET_PROPERTY:LOCKSTEP_TEST_ENGINE>>,imgui_testable,imgui_shipped>)
third_party_alias(imgui imgui)

third_party_imgui_library(textedit
    SOURCES "${external}/ImGuiColorTextEdit/ImGuiColorTextEdit/TextEditor.cpp"
    INCLUDE "${external}/ImGuiColorTextEdit/ImGuiColorTextEdit")
target_link_libraries(textedit PUBLIC imgui)
third_party_alias(textedit textedit)

if(LOCKSTEP_TESTS)
    set(engineFolder "${external}/imgui_test_engine/imgui_test_engine/imgui_test_engine")
    file(GLOB engineSources "${engineFolder}/*.cpp")
    third_party_imgui_library(imgui_testable SOURCES ${imguiSources})
    third_party_imgui_library(test_engine SOURCES ${engineSources} INCLUDE "${engineFolder}")
    target_compile_definitions(test_engine PUBLIC
        IMGUI_ENABLE_TEST_ENGINE IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1)
    target_compile_definitions(imgui_testable PRIVATE IMGUI_ENABLE_TEST_ENGINE)
    # Each calls the other.
    target_link_libraries(imgui_testable PUBLIC imgui_headers third_party::glfw third_party::dl PRIVATE test_engine)
    target_link_libraries(test_engine PUBLIC imgui_headers imgui_testable third_party::threads)
    third_party_alias(test_engine test_engine)
endif()
