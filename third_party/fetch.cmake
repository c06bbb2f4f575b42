# Fetches what no -dev package has into a cache outside the checkout, so that it is downloaded once per machine.
# Included by the recipes, and by scripts that run without a project (cmake -P).
include("${CMAKE_CURRENT_LIST_DIR}/versions.cmake")

if(DEFINED ENV{LOCKSTEP_CACHE})
    set(defaultCache "$ENV{LOCKSTEP_CACHE}")
elseif(DEFINED ENV{XDG_CACHE_HOME})
    set(defaultCache "$ENV{XDG_CACHE_HOME}/lockstep")
else()
    set(defaultCache "$ENV{HOME}/.cache/lockstep")
endif()
set(LOCKSTEP_CACHE "${defaultCache}" CACHE PATH "Where downloads are kept, shared by all checkouts")

# Value of one cell of versions.cmake.
function(third_party_cell out name key)
    get_property(value GLOBAL PROPERTY THIRD_PARTY_${name}_${key})
    set(${out} "${value}" PARENT_SCOPE)
endfunction()

# Says so when the distribution has another version than the one we test with.
function(third_party_note_version name found)
    third_party_cell(version ${name} VERSION)
    if(NOT found VERSION_EQUAL version)
        message(STATUS "${name}: found ${found}, tested with ${version}")
    endif()
endfunction()

function(third_party_check_hash archive sha256)
    file(SHA256 "${archive}" actual)
    if(NOT actual STREQUAL sha256)
        file(REMOVE "${archive}")
        message(FATAL_ERROR "${archive} has SHA-256 ${actual}, expected ${sha256}. It has been removed; run this again, "
            "and if it happens again, do not trust the source.")
    endif()
endfunction()

# Runs a command that leaves exactly one file in an empty folder; gives that file.
function(third_party_download out)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;HELP" "COMMAND")
    file(REMOVE_RECURSE "${arg_FOLDER}")
    file(MAKE_DIRECTORY "${arg_FOLDER}")
    execute_process(COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${arg_FOLDER}"
        RESULT_VARIABLE status OUTPUT_VARIABLE text ERROR_VARIABLE text)
    file(GLOB files "${arg_FOLDER}/*")
    list(LENGTH files count)
    if(NOT status EQUAL 0 OR NOT count EQUAL 1)
        set(${out} "" PARENT_SCOPE)
        list(JOIN arg_COMMAND " " command)
        if(arg_HELP)
            message(FATAL_ERROR "${command} failed (${status}).\n${text}\n${arg_HELP}")
        endif()
        return()
    endif()
    set(${out} "${files}" PARENT_SCOPE)
endfunction()

# Downloads a PyPI archive, checks it, and unpacks those of its files that match PATTERNS into a folder.
# SOURCE: the source package; else a binary wheel.
function(third_party_unpack_pypi name folder)
    cmake_parse_arguments(PARSE_ARGV 2 arg "SOURCE" "" "PATTERNS")
    third_party_cell(version ${name} VERSION)
    third_party_cell(package ${name} PYPI)
    third_party_cell(sha256 ${name} SHA256)
    third_party_cell(megabytes ${name} MEGABYTES)
    set(size "")
    if(megabytes)
        set(size ", ${megabytes} MB")
    endif()
    message(STATUS "${name}: downloading ${package} ${version}${size}")
    find_program(PIP_PROGRAM NAMES pip3 pip REQUIRED)
    # Named, not :all:, which would have pip compile the tools that it needs to look into a source package.
    set(kind --only-binary)
    if(arg_SOURCE)
        set(kind --no-binary)
    endif()
    third_party_download(archive FOLDER "${folder}.download"
        COMMAND "${PIP_PROGRAM}" download --disable-pip-version-check --no-deps ${kind} "${package}" "${package}==${version}"
        HELP "The Python package index could not be reached, or no longer has this version.")
    third_party_check_hash("${archive}" ${sha256})
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${folder}" PATTERNS ${arg_PATTERNS})
    file(REMOVE_RECURSE "${folder}.download")
endfunction()

# The folder <cache>/<name>-<version> with those files of a PyPI source package that match PATTERNS; fetched once.
function(third_party_pypi_source out name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "PATTERNS")
    third_party_cell(version ${name} VERSION)
    set(folder "${LOCKSTEP_CACHE}/${name}-${version}")
    set(${out} "${folder}" PARENT_SCOPE)
    file(MAKE_DIRECTORY "${LOCKSTEP_CACHE}")
    file(LOCK "${LOCKSTEP_CACHE}/${name}.lock" GUARD FUNCTION)
    if(NOT EXISTS "${folder}")
        set(partial "${LOCKSTEP_CACHE}/partial-${name}")
        file(REMOVE_RECURSE "${partial}")
        third_party_unpack_pypi(${name} "${partial}" SOURCE PATTERNS ${arg_PATTERNS})
        file(RENAME "${partial}" "${folder}")
    endif()
endfunction()

# Unpacks FILES of a Debian package that is not installed, and its copyright file, once, into <cache>/<name>-<version>.
function(third_party_debian_files out name)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FILES")
    third_party_cell(version ${name} VERSION)
    third_party_cell(package ${name} FONT)
    third_party_cell(sha256 ${name} SHA256)
    string(REPLACE ":" "_" folder "${LOCKSTEP_CACHE}/${name}-${version}")
    set(${out} "${folder}" PARENT_SCOPE)
    file(MAKE_DIRECTORY "${LOCKSTEP_CACHE}")
    file(LOCK "${LOCKSTEP_CACHE}/${name}.lock" GUARD FUNCTION)
    if(EXISTS "${folder}")
        return()
    endif()

    message(STATUS "${name}: downloading ${package} ${version}")
    find_program(APT_GET_PROGRAM apt-get REQUIRED)
    set(partial "${LOCKSTEP_CACHE}/partial-${name}")
    file(REMOVE_RECURSE "${partial}")
    third_party_download(archive FOLDER "${partial}/archive"
        COMMAND "${APT_GET_PROGRAM}" download "${package}=${version}")
    if(archive)
        third_party_check_hash("${archive}" ${sha256})
    else()
        third_party_download(archive FOLDER "${partial}/archive"
            COMMAND "${APT_GET_PROGRAM}" download "${package}"
            HELP "This system's archive has no package ${package}; after apt-get update it may have.")
        cmake_path(GET archive FILENAME file)
        message(WARNING "This system has no ${package} ${version}; ${file} is used instead. Text in pictures will not "
            "look quite as on Debian 12, and the golden pictures will not match.")
    endif()
    execute_process(COMMAND dpkg-deb --extract "${archive}" "${partial}/package" COMMAND_ERROR_IS_FATAL ANY)
    foreach(file IN LISTS arg_FILES)
        file(COPY "${partial}/package/${file}" DESTINATION "${partial}/content")
    endforeach()
    file(COPY_FILE "${partial}/package/usr/share/doc/${package}/copyright" "${partial}/content/${package}.copyright")
    file(RENAME "${partial}/content" "${folder}")
    file(REMOVE_RECURSE "${partial}")
endfunction()
