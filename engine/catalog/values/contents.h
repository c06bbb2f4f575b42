// Initial contents of a buffer, in the syntax shared by the command line and family.toml:
//
//   zero              all bytes zero
//   iota              0, 1, 2, ... shuffled by the seed
//   const:2.5         one value
//   random            whole numbers 0..254 (0..127 for i8), or reals from [0, 1) for f16, f32 and f64
//   random:0:254      whole numbers LO..HI, both included, for every type
//   random:0.0:1.0    reals from [LO, HI), where LO or HI has a point or an exponent; not for integers
//   data/x.npy        a file of the same element type and number of elements
#pragma once

#include "base/buffer.h"
#include "base/expected.h"

#include <filesystem>
#include <string_view>

namespace lockstep::catalog {

// Maximum size of one buffer: larger ones belong on a GPU, not in a picture.
inline constexpr u64 kMaxBufferBytes = u64{2} << 30;

// Selects random numbers: every stream (a buffer, an argument) of a seed has its own.
struct RandomStream {
    u64 seed = 1, stream = 0;
};

// Fault: `words` are not valid contents for this type. Does not open files.
Expected<void> checkContents(std::string_view words, ElementType type);

// Fills buffer.bytes, which must have its size. Files are relative to `folder`; a flat buffer takes a file's
// shape.
Expected<void> fill(Buffer& buffer, std::string_view words, RandomStream random,
                    const std::filesystem::path& folder = {});

}  // namespace lockstep::catalog
