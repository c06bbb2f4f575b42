# stb: reading and writing of pictures, glyph outlines. Included as <stb/stb_truetype.h>; the code is compiled once, here.
find_path(STB_INCLUDE_DIR stb/stb_truetype.h REQUIRED)
add_library(stb STATIC "${CMAKE_CURRENT_LIST_DIR}/stb.c")
target_include_directories(stb SYSTEM PUBLIC "${STB_INCLUDE_DIR}")
target_compile_options(stb PRIVATE -w)
target_link_libraries(stb PUBLIC m)
third_party_alias(stb stb)
