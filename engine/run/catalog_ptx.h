// The PTX of a kernel of the catalog: prebuilt, or what NVRTC makes of it here.
#pragma once

#include "base/expected.h"
#include "catalog/catalog.h"
#include "cuda/compiler/nvrtc.h"
#include "run/resources.h"

#include <string>

namespace lockstep::run {

// The text below assets/ptx if it is of this source and these values, else compiled from the source.
Expected<std::string> ptxOf(const Resources& resources, const catalog::Family& family,
                            const catalog::Variant& variant, const catalog::Values& values,
                            const std::string& source);

// A Fault where these values are not prebuilt and there is nothing to compile with: which values are.
Expected<void> checkCompilable(const catalog::Family& family, const catalog::Variant& variant,
                               const catalog::Values& values);

// What NVRTC makes of the source for these values, for the oldest devices and drivers that can run it.
Expected<cuda::CompiledPtx> compileForAnyDevice(const catalog::Family& family,
                                                const catalog::Variant& variant,
                                                const catalog::Values& values, const std::string& source);

}  // namespace lockstep::run
