// Names buffers as the kernel's source does, so that texts about an access match the source.
#pragma once

#include "base/buffer.h"
#include "ptx/module.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::run {

// The name of each buffer: that of the parameter it is passed for, if all launches that use it agree and no
// other buffer has that name; else its own.
std::vector<std::string> namesInSource(const ptx::Module& module, std::span<const Launch> launches,
                                       std::span<const Buffer> buffers);

}  // namespace lockstep::run
