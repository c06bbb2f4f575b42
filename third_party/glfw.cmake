# GLFW: the window and its input.
find_package(glfw3 REQUIRED CONFIG)
third_party_note_version(glfw "${glfw3_VERSION}")
add_library(glfw_without_gl INTERFACE)
target_link_libraries(glfw_without_gl INTERFACE glfw)
target_compile_definitions(glfw_without_gl INTERFACE GLFW_INCLUDE_NONE)  # glad declares OpenGL
third_party_alias(glfw glfw_without_gl)
