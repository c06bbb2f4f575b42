// One --arg of the command line: "f32[4096]=random" is a buffer, "f32[64][48]=random" one of 64 rows and 48
// columns, "i32:96" a scalar, "hex:0a00" the bytes of a struct.
#pragma once

#include "base/buffer.h"
#include "base/expected.h"

#include <filesystem>
#include <string_view>
#include <variant>

namespace lockstep::catalog {

using ArgumentValue = std::variant<Buffer, ScalarArgument>;

// `index` counts from 0 and names the argument in messages; it also selects its random stream.
Expected<ArgumentValue> parseArgument(std::string_view text, u32 index, u64 seed);

}  // namespace lockstep::catalog
