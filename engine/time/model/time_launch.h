// A launch in time: its blocks come to the SMs, which run them; how long it takes, and what its warps wait
// for.
#pragma once

#include "base/progress.h"
#include "time/model/sm.h"

#include <atomic>

namespace lockstep::time {

struct TimeOptions {
    // SMs that are simulated at most: 0 means all that the device has; each has its share of blocks and of
    // the bandwidth behind it.
    u32 sms = 0;
    // How much of the launch is simulated, about. What is left out: first waves of blocks, which are taken to
    // go on at the pace of those before and behind them, then SMs. Not where a record is kept.
    f64 share = 1;
    u64 mostWarpInstructions = 2'000'000'000;  // then it is given up
    // The same launch has run just before: L2 has all that there is room for, and the code is near. Else both
    // are cold, as under ncu.
    bool isRepeated = false;
    Change change = Change::None;
    u32 mostBlocksPerSm = 0;  // that are resident at once; 0: as many as there is room for
    const std::atomic<bool>* cancelled = nullptr;
    std::atomic<u64>* issued = nullptr;  // warp instructions so far; may be none
    // Keeps what the SM does that runs a block (its linear number), which is among those that are run where
    // not all SMs are; may be none.
    SmRecord* record = nullptr;
    u64 recordedBlock = 0;
};

struct LaunchTime {
    u64 elapsedCycles = 0;     // ncu: gpc__cycles_elapsed.max; waves that were left out are in it
    u64 activeCycles = 0;      // ncu: sm__cycles_active.max
    f64 meanActiveCycles = 0;  // ncu: sm__cycles_active.avg, of the SMs that had a block
    u32 simulatedSms = 0, sms = 0;
    u64 simulatedBlocks = 0, blocks = 0;
    u32 blocksPerSm = 0;  // that are resident at once
    SmCounts counts;      // of the blocks that were simulated; cycles are not used
    u64 dramReadSectors = 0;
    StallTable stalls;   // by instruction, cycles of warps
    StallTable exposed;  // of these, those in which no warp of the sub-core issued
    f64 seconds = 0;     // that the model took

    bool isWhole() const { return simulatedBlocks == blocks; }
};

// registersPerThread: of the compiled kernel. memory: what the launch works on; it is left as the launch
// leaves it where all blocks are simulated, else as some of its blocks do. Fault: what runLaunch() has, too.
Expected<LaunchTime> timeLaunch(const Program& program, const simt::DeviceMemory& memory,
                                const model::Profile& profile, const TimeProfile& times,
                                std::optional<u32> registersPerThread, const TimeOptions& options = {});

StallCycles sumOf(const StallTable& stalls);  // over instructions
// Warps' cycles by reason, per instruction that was issued, as ncu's
// smsp__average_warps_issue_stalled_<reason>_per_issue_active gives them.
std::array<f64, kStalls> stallsPerIssue(const StallCycles& sum);

}  // namespace lockstep::time
