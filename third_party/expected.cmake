# tl::expected: a value or a fault (the standard library of g++ 12 has no std::expected).
find_package(tl-expected REQUIRED CONFIG)
third_party_note_version(expected "${tl-expected_VERSION}")
third_party_alias(expected tl::expected)
