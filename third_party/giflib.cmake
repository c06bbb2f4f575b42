# giflib: writing of GIF. Its archive where there is one, so that the program needs no library more at run time.
find_path(GIFLIB_INCLUDE_DIR gif_lib.h REQUIRED)
find_library(GIFLIB_LIBRARY NAMES libgif.a gif REQUIRED)
add_library(giflib INTERFACE)
target_include_directories(giflib SYSTEM INTERFACE "${GIFLIB_INCLUDE_DIR}")
target_link_libraries(giflib INTERFACE "${GIFLIB_LIBRARY}")
third_party_alias(giflib giflib)
