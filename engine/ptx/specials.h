// Look-up of special registers by name, component included.
#pragma once

#include "ptx/instruction.h"

#include <optional>

namespace lockstep::ptx {

std::optional<Special> findSpecial(std::string_view name);  // "%tid.x"

// Special registers of PTX that have no value here: "%pm0", "%envreg7". An instruction that reads one has its
// own form, "mov.u32 with %pm0", so that other kernels of the module can run.
bool isForeignSpecial(std::string_view name);
inline constexpr std::string_view kWithSpecial = " with ";

}  // namespace lockstep::ptx
