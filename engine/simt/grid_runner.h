// Runs all blocks of a launch, or a sample of them: on all cores if the result cannot depend on it, else in
// ascending order on one.
#pragma once

#include "simt/block_runner.h"
#include "simt/emulator.h"

namespace lockstep::simt {

struct LaunchOutcome {
    trace::GridCounts counts;
    std::vector<trace::FocusBlock> focus;  // ascending block
    std::vector<trace::FindingCollector> findings;
    std::vector<SampledBox> sample;
    std::vector<trace::BufferHabit> habits;  // by allocation, where there is memory that lasts
    bool sequential = false, complete = true;
    bool communicates =
        false;         // of a sample: its blocks do, or may, so that it says nothing about the others
    u64 followed = 0;  // blocks that followed a script
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
    std::span<const trace::SampleBox> sample;  // empty: all blocks
    const Options& options;
    const BlockWatch* watch;  // of each block; may be null
    Stop& stop;
};

LaunchOutcome runLaunch(const LaunchPlan& plan);

}  // namespace lockstep::simt
