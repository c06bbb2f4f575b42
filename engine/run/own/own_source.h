// A user's own .cu file as passed to the device compiler: without host code, with the user's headers.
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

// Without host code; if that fails, as written. The Fault is that of the first attempt.
Expected<cuda::CompiledPtx> compileOwnSource(const source::CourseFile& course, const std::string& text,
                                             const std::string& name, const cuda::CompileOptions& options);

// What the PTX that a file was compiled to has wrong, as asm() or an array too large may have: at the line of
// the file that it comes from, where that is known.
Fault atSource(Fault fault, std::string_view ptx, const std::filesystem::path& file, std::string_view source);

// The template instance meant by `entry`, which names a template without arguments, or is empty if the file
// has only one kernel: the one that the file launches, if exactly one; else `entry`.
std::string entryIn(const source::CourseFile& course, const std::string& entry);

}  // namespace lockstep::run
