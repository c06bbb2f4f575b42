// A .cu file of the user's own as the device compiler gets it: host code left out, the user's headers with
// it.
#pragma once

#include "cuda/compiler/nvrtc.h"
#include "source/course_file.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::run {

source::CourseFile readOwnSource(const std::string& text, const std::filesystem::path& file,
                                 const std::vector<std::string>& defines,
                                 const std::vector<std::filesystem::path>& includeFolders);

// With the host code left out; where that fails, as written. The Fault is that of the first attempt.
Expected<cuda::CompiledPtx> compileOwnSource(const source::CourseFile& course, const std::string& text,
                                             const std::string& name, cuda::CompileOptions options);

// The instance of a template that `entry` names without its arguments, or that is the file's only kernel, if
// the file launches exactly one; else `entry`.
std::string entryIn(const source::CourseFile& course, const std::string& entry);

}  // namespace lockstep::run
