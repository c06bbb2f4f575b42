# toml++: the catalogue's family.toml. Headers alone: Debian's library would be one more file to carry along.
find_path(TOMLPLUSPLUS_INCLUDE_DIR toml++/toml.h REQUIRED)
add_library(toml INTERFACE)
target_include_directories(toml SYSTEM INTERFACE "${TOMLPLUSPLUS_INCLUDE_DIR}")
third_party_alias(toml toml)
