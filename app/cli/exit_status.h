// How the program ends.
#pragma once

namespace lockstep::cli {

// Stable: scripts look at them.
inline constexpr int kDone = 0, kKernelIsWrong = 1, kUsageError = 2,
                     kCancelled = 130;  // as a shell has it of a program that Ctrl+C ended

}  // namespace lockstep::cli
