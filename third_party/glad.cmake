# glad: a loader of OpenGL 3.3 core, generated at configure time. OpenGL itself is opened at run time, by GLFW.
find_program(GLAD_PROGRAM glad REQUIRED)
set(gladFolder "${PROJECT_BINARY_DIR}/glad")
if(NOT EXISTS "${gladFolder}/src/gl.c")
    execute_process(COMMAND "${GLAD_PROGRAM}" --quiet --reproducible --api gl:core=3.3 --out-path "${gladFolder}" c
        COMMAND_ERROR_IS_FATAL ANY)
endif()
add_library(glad STATIC EXCLUDE_FROM_ALL "${gladFolder}/src/gl.c")
target_include_directories(glad SYSTEM PUBLIC "${gladFolder}/include")
target_compile_options(glad PRIVATE -w)
third_party_alias(glad glad)
