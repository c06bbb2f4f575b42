// NumPy's .npy files as Buffers: C order, little endian, our element types, header versions 1 to 3.
// Format: numpy.lib.format, "NPY format".
#pragma once

#include "base/buffer.h"
#include "base/expected.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

// The file's contents; the Buffer is named after the file. Anything that is not such a file is a Fault.
Expected<Buffer> readNpy(const std::filesystem::path& file);
// The same, refusing a file of another element type or another number of elements.
Expected<Buffer> readNpy(const std::filesystem::path& file, ElementType type, u64 count);

Expected<void> writeNpy(const std::filesystem::path& file, const Buffer& buffer);

// The same on bytes in memory; `name` is the file's in messages.
Expected<Buffer> parseNpy(std::span<const std::byte> bytes, const std::string& name);
std::vector<std::byte> formatNpy(const Buffer& buffer);

}  // namespace lockstep
