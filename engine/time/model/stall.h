// Why a warp does not issue, in Nsight Compute's words (Nsight Compute documentation, "Warp Stall Reasons").
#pragma once

#include "base/integers.h"

#include <array>
#include <string_view>

namespace lockstep::time {

enum class Stall : u8 {
    Selected,  // it issues
    NotSelected,
    Wait,
    BranchResolving,
    NoInstruction,
    LongScoreboard,
    ShortScoreboard,
    ImcMiss,
    DispatchStall,
    MathPipeThrottle,
    MioThrottle,
    LgThrottle,
    Barrier,
    Membar,
    Drain,
};
inline constexpr std::size_t kStalls = 15;

// As in ncu's metrics smsp__average_warps_issue_stalled_<name>_per_issue_active.
inline constexpr std::array<std::string_view, kStalls> kStallNames = {
    "selected",        "not_selected",     "wait",     "branch_resolving", "no_instruction",
    "long_scoreboard", "short_scoreboard", "imc_miss", "dispatch_stall",   "math_pipe_throttle",
    "mio_throttle",    "lg_throttle",      "barrier",  "membar",           "drain",
};
constexpr std::string_view nameOf(Stall stall) { return kStallNames[std::size_t(stall)]; }

// Cycles of warps by reason.
using StallCycles = std::array<u64, kStalls>;

}  // namespace lockstep::time
