// Look-up of special registers by name, component included.
#pragma once

#include "ptx/instruction.h"

#include <optional>

namespace lockstep::ptx {

std::optional<Special> findSpecial(std::string_view name);  // "%tid.x"

}  // namespace lockstep::ptx
