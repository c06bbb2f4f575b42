// The least PTX version that a text needs: a driver older than the compiler refuses what names the compiler's
// own.
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

// What the text's .version line says.
std::optional<PtxVersion> statedVersion(std::string_view ptx);
// From the target and the instructions; the stated one where an instruction is not known here.
std::optional<PtxVersion> minimumPtxVersion(std::string_view ptx);
// The text with its .version replaced.
std::string withVersion(std::string ptx, PtxVersion version);

}  // namespace lockstep::cuda
