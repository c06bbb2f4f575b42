// Buffers by the names that the kernel's source has for them, so that what is said of an access is found
// there.
#pragma once

#include "base/buffer.h"
#include "ptx/module.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::run {

// The name of each buffer: that of the parameter which it is passed for, where all launches that have it
// agree and no other buffer is called so; else its own.
std::vector<std::string> namesInSource(const ptx::Module& module, std::span<const Launch> launches,
                                       std::span<const Buffer> buffers);

}  // namespace lockstep::run
