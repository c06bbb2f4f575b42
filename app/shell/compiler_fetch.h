// Fetches NVRTC and the CUDA headers, or ptxas and nvdisasm, for a machine without the CUDA toolkit, as
// scripts/get-nvrtc and scripts/get-ptxas do.
#pragma once

#include "app/state/state.h"
#include "base/expected.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace lockstep::shell {

// root: of the resources. Empty: it did not come with the program.
std::filesystem::path recipeOf(app::Fetched what, const std::filesystem::path& root);

// Runs the recipe by CMake, which has pip download the packages. began: is told each package when its
// download begins ("nvidia-cuda-nvrtc 13.0.88, 90 MB"). A Fault of kind Cancelled: `cancelled` was set.
Expected<void> fetchCompiler(const std::filesystem::path& recipe, const std::atomic<bool>& cancelled,
                             const std::function<void(std::string_view package)>& began);

// The reason in CMake's output of an error: its last paragraph before the call stack, on one line.
std::string reasonIn(std::string_view output);

}  // namespace lockstep::shell
