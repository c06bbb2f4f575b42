# toml++: the catalogue's family.toml.
find_package(tomlplusplus REQUIRED CONFIG)
third_party_alias(toml tomlplusplus::tomlplusplus)
