# Portable File Dialogs: one header that lets zenity, kdialog or the like of the desktop ask for a file.
third_party_pypi_source(dialogs file_dialogs PATTERNS */external/portable_file_dialogs/portable_file_dialogs/*)
third_party_cell(version file_dialogs VERSION)
add_library(file_dialogs INTERFACE)
target_include_directories(file_dialogs SYSTEM INTERFACE
    "${dialogs}/imgui_bundle-${version}/external/portable_file_dialogs/portable_file_dialogs")
third_party_alias(file_dialogs file_dialogs)
