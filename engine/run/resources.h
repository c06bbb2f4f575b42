// Where the program's own files are: kernels, prebuilt PTX, fonts, lessons.
#pragma once

#include "base/expected.h"

#include <filesystem>

namespace lockstep::run {

struct Resources {
    std::filesystem::path root;  // holds kernels/ and assets/
    std::filesystem::path kernels() const { return root / "kernels"; }
    std::filesystem::path assets() const { return root / "assets"; }
};

// The folder that `chosen` names (the user's LOCKSTEP_RESOURCES) if not empty; else share/lockstep beside the
// program; else the nearest folder above the program that holds kernels/ and assets/ (a build folder inside
// the repository).
Expected<Resources> findResources(const std::filesystem::path& program, const std::filesystem::path& chosen);

}  // namespace lockstep::run
