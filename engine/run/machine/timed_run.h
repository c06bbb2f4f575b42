// A run's machine code in time: what it takes on the run's device, and why it takes that long. The machine
// code is executed for it; what it leaves in memory, and how many sectors it accesses, must be what the
// emulator of the PTX says, else there is no time.
#pragma once

#include "base/progress.h"
#include "base/text/message.h"
#include "run/run.h"
#include "sass/machine_code.h"
#include "time/model/time_launch.h"

#include <array>
#include <optional>
#include <vector>

namespace lockstep::run {

struct TimedLine {
    std::string file;
    u32 line = 0;
    u64 issued = 0;  // warp instructions
    // Cycles of warps that waited before instructions of this line, by reason; and of these the cycles in
    // which no other warp of the sub-core issued either.
    time::StallCycles stalls{}, exposed{};
};

struct TimedRun {
    std::vector<time::LaunchTime> launches = {};
    u64 elapsedCycles = 0;  // of all launches, one after the other
    u64 activeCycles = 0;   // the longest that an SM had work
    f64 microseconds = 0;   // at the profile's clock
    u32 clockMhz = 0;
    std::array<f64, time::kStalls> stalls{};  // warps per issued instruction, by reason
    std::vector<TimedLine> lines = {};        // in the order of files and lines
    std::string compiler;                     // of the machine code
    bool isWhole = true;                      // all blocks were simulated
    // How many blocks the check executed where not all; then the elements that these stored were compared,
    // and no sectors.
    std::optional<u64> checkedBlocks = {};
    // What stands wherever this time stands: how far it may be off; and where that has no room.
    Message error, errorBrief;
    std::optional<f64> errorPercent{};  // the same as a figure: the mean error of launches of its kind
};

struct TimingOptions {
    time::TimeOptions model;  // its record: of the launch below
    LaunchId recordedLaunch{};
    // Of more warp instructions than this a part is timed. It may have some more where that takes no longer
    // than the check of all blocks beside it: the fewer SMs are simulated, the rarer two of their blocks load
    // the same.
    u64 wholeUpTo = 5'000'000;
    // Of more warp instructions than this a part of the blocks is checked, where one launch without atomics
    // to global memory is all that the run has.
    u64 mostChecked = 300'000'000;
    Progress* progress = nullptr;  // in warp instructions, about
};

// Fault: why there is no time for this run, whatever its machine code.
Expected<void> canBeTimed(const Run& run);
// How much of the run's launches to simulate, so that about so many warp instructions are executed.
f64 shareWithin(const Run& run, u64 warpInstructions);
// Fault: why there is no time for this run.
Expected<TimedRun> timeRun(const Run& run, const sass::MachineCode& code, const TimingOptions& options = {});

}  // namespace lockstep::run
