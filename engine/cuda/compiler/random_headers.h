// cuRAND's device interface in our own words (assets/cuda/include), for kernels whose compiler has no header
// for it: NVIDIA's is in the toolkit, but not in the packages that NVRTC comes in.
#pragma once

#include "cuda/compiler/standard_headers.h"

#include <span>

namespace lockstep::cuda {

inline constexpr const char* kRandomHeader = "curand_kernel.h";
// It, and what it includes.
std::span<const StandardHeader> randomHeaders();

}  // namespace lockstep::cuda
