// The extents of a reference's buffers, from what the user gave and from the buffers' lengths.
#pragma once

#include "catalog/references/references.h"

namespace lockstep::catalog {

using Extents = std::map<std::string, u64, std::less<>>;

// An argument that stands for one of the reference's buffers.
struct SuppliedBuffer {
    u32 argument = 0;  // its index, for messages
    u64 elements = 0;
};

// The names of its extents, each once.
std::vector<std::string_view> extentsOf(const Reference& reference);

// `supplied`: one for each of the reference's buffers. `given`: extents by name, the square's name among
// them. What is not given follows from the lengths, squares first; then every buffer is exactly as long as
// its extents. A buffer may be longer than given extents: then its first elements are used.
Expected<Extents> solveExtents(const Reference& reference, std::span<const SuppliedBuffer> supplied,
                               const Extents& given);

// "M, N, P and width (or j, k and l)": what may follow the reference's name.
Message namesTaken(const Reference& reference);
// "a, b and c"
Message listed(std::span<const std::string_view> names);

}  // namespace lockstep::catalog
