# GLFW: the window and its input.
find_package(glfw3 REQUIRED CONFIG)
third_party_note_version(glfw "${glfw3_VERSION}")
third_party_alias(glfw glfw)
