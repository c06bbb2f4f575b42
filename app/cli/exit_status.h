// How the program ends.
#pragma once

namespace lockstep::cli {

// Stable: scripts depend on them.
inline constexpr int kDone = 0, kKernelIsWrong = 1, kUsageError = 2,
                     kAnswerIsWrong = 1,  // or what was checked has mistakes
    kTimeIsUp = 124,                      // of `exec`, as timeout reports it
    kCancelled = 130;                     // as shells report a program ended by Ctrl+C

}  // namespace lockstep::cli
