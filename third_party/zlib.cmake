# zlib: compression inside PNG files. Its archive where there is one, so that the program needs no library more at run time.
find_path(ZLIB_INCLUDE_DIR zlib.h REQUIRED)
find_library(ZLIB_LIBRARY NAMES libz.a z REQUIRED)
add_library(zlib INTERFACE)
target_include_directories(zlib SYSTEM INTERFACE "${ZLIB_INCLUDE_DIR}")
target_link_libraries(zlib INTERFACE "${ZLIB_LIBRARY}")
third_party_alias(zlib zlib)
