// The minimum PTX version that a text needs: a driver older than the compiler rejects the compiler's own
// version.
#pragma once

#include "base/integers.h"

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep::cuda {

struct PtxVersion {
    u32 major = 0, minor = 0;
    constexpr auto operator<=>(const PtxVersion&) const = default;
};

// The version in the text's .version line.
std::optional<PtxVersion> statedVersion(std::string_view ptx);
// From the target and the instructions; the stated one if an instruction is unknown here.
std::optional<PtxVersion> minimumPtxVersion(std::string_view ptx);
// The text with its .version replaced.
std::string withVersion(std::string ptx, PtxVersion version);

}  // namespace lockstep::cuda
