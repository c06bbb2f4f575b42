// Everything that what a compiler makes of a source depends on, as one text: two compilations with the same
// text have the same result.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cuda {

struct Compilation {
    std::string source, name;  // name: of the source's file
    std::vector<std::string> options, entries;
    std::vector<std::pair<std::string, std::string>> headers;  // by #include name: not read from files
    // Where #include looks, in addition to the folder of the file that includes.
    std::vector<std::filesystem::path> folders;
    // Of the compiler: a file below is known by its size and time, and what it includes in turn is taken as
    // known.
    std::vector<std::filesystem::path> compilerFolders;
    std::string compiler;  // which one, and which version
};

// Reads the files that the source includes, and those that they include: every file that an #include may mean
// is part of the text, whichever the preprocessor then takes. None: what is compiled cannot be known without
// compiling (an #include by a macro, __has_include, the time of compilation), or is larger than a cache
// keeps.
std::optional<std::string> keyOf(const Compilation& compilation);

}  // namespace lockstep::cuda
