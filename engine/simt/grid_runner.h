// Runs all blocks of a launch: on all cores if the result cannot depend on it, else in ascending order on
// one.
#pragma once

#include "simt/block_runner.h"
#include "simt/emulator.h"

namespace lockstep::simt {

struct LaunchOutcome {
    trace::GridCounts counts;
    std::vector<trace::FocusBlock> focus;  // ascending block
    std::vector<trace::FindingCollector> findings;
    bool sequential = false, complete = true;
    u32 threads = 1;
};

struct LaunchPlan {
    const Program& program;
    const DeviceMemory& device;
    std::span<const Buffer> buffers;
    GridShape shape;
    std::vector<u64> focus;  // linear, ascending
    bool focusAll = false;
    std::span<const Buffer> initial;  // the buffers' contents before this launch, if the caller keeps them
    const Options& options;
    Stop& stop;
};

LaunchOutcome runLaunch(const LaunchPlan& plan);

}  // namespace lockstep::simt
