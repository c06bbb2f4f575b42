# fmt: text from values. Debian ships it as a shared library only, so a portable binary takes the headers.
find_package(fmt REQUIRED CONFIG)
third_party_note_version(fmt "${fmt_VERSION}")
third_party_alias(fmt $<IF:$<BOOL:${LOCKSTEP_STATIC}>,fmt::fmt-header-only,fmt::fmt>)
