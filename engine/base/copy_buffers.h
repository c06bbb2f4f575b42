// Copies of buffers that may be given up: hundreds of megabytes take as long as the machine is busy.
#pragma once

#include "base/buffer.h"

#include <functional>
#include <span>
#include <vector>

namespace lockstep {

// isUnwanted: asked between megabytes; may be empty. False: it was given up, and `to` holds no whole copy.
bool copyBuffers(std::span<const Buffer> from, std::vector<Buffer>& to,
                 const std::function<bool()>& isUnwanted);
// Of the contents alone.
bool copyBytes(const std::vector<std::byte>& from, std::vector<std::byte>& to,
               const std::function<bool()>& isUnwanted);

}  // namespace lockstep
