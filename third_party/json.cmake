# nlohmann json: the --json output of the command line, recordings and profiles.
find_package(nlohmann_json REQUIRED CONFIG)
third_party_note_version(json "${nlohmann_json_VERSION}")
third_party_alias(json nlohmann_json::nlohmann_json)
