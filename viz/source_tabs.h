// The tabs of the source view: its ViewState::option, and what they are called on the command line.
#pragma once

#include "base/integers.h"

#include <array>
#include <string_view>

namespace lockstep::viz {

inline constexpr s32 kCudaTab = 0, kPtxTab = 1, kMachineTab = 2;
inline constexpr std::array<std::string_view, 3> kSourceTabs{"cuda", "ptx", "machine"};

}  // namespace lockstep::viz
