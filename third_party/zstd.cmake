# zstd: compression of stored traces.
find_package(zstd REQUIRED CONFIG)
third_party_note_version(zstd "${zstd_VERSION}")
third_party_alias(zstd $<IF:$<BOOL:${LOCKSTEP_STATIC}>,zstd::libzstd_static,zstd::libzstd_shared>)
