# The fonts of window, SVG and PNG: six files of one pinned version, copied into the build's fonts/ folder, so that
# all pictures agree. None is a variable font, stb_truetype and ImGui read them all; in the .ttc files Noto Sans CJK SC
# is face 2 (0 JP, 1 KR, 2 SC, 3 TC, 4 HK). LIBRARIES fonts gives LOCKSTEP_FONT_FOLDER, for a program in its build
# folder; an installed one finds share/lockstep/fonts beside itself.
third_party_debian_files(inter inter FILES
    usr/share/fonts/opentype/inter/Inter-Regular.otf
    usr/share/fonts/opentype/inter/Inter-SemiBold.otf)
third_party_debian_files(jetbrainsMono jetbrains_mono FILES
    usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf
    usr/share/fonts/truetype/jetbrains-mono/JetBrainsMono-SemiBold.ttf)
third_party_debian_files(notoCjk noto_cjk FILES
    usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc
    usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc)

set(LOCKSTEP_FONT_FOLDER "${PROJECT_BINARY_DIR}/fonts")
file(COPY "${inter}/" "${jetbrainsMono}/" "${notoCjk}/" DESTINATION "${LOCKSTEP_FONT_FOLDER}")
add_library(fonts INTERFACE)
target_compile_definitions(fonts INTERFACE "LOCKSTEP_FONT_FOLDER=\"${LOCKSTEP_FONT_FOLDER}\"")
third_party_alias(fonts fonts)
install(DIRECTORY "${LOCKSTEP_FONT_FOLDER}" DESTINATION share/lockstep)
