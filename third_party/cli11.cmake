# CLI11: the command line's options.
find_package(CLI11 REQUIRED CONFIG)
third_party_note_version(cli11 "${CLI11_VERSION}")
third_party_alias(cli11 CLI11::CLI11)
