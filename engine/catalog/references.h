// What the kernels should compute, computed on the CPU: one table of functions by name, as family.toml names
// them.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"

#include <atomic>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::catalog {

// The buffers a reference works on are found by name; their types and dimensions are fixed, their extents
// must agree.
struct ReferenceBuffer {
    std::string_view name;
    ElementType type;
    std::size_t dimensions;
};

struct Reference {
    std::string_view name;
    std::vector<ReferenceBuffer> buffers;
    // Empty if the extents go together, else what is wrong with them.
    std::string (*checkShapes)(std::span<const Buffer>);
    // Output buffers by index; empty if cancelled.
    std::map<u32, Buffer> (*compute)(std::span<const Buffer>, const std::atomic<bool>* cancelled);
};

std::span<const Reference> references();
const Reference* findReference(std::string_view name);

// Index of the buffer of this name; it exists.
u32 indexOf(std::span<const Buffer> buffers, std::string_view name);

}  // namespace lockstep::catalog
