// What recordings have of one variant at different block sizes, all else being the same: what fits on an SM
// there, as the driver said, and the time.
#pragma once

#include "run/recordings/times_facts.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep::run {

struct OccupancyTime {
    std::string value;  // of OccupancyTimes::parameter
    u64 threads = 0;    // per block
    u32 registers = 0, blocksPerSm = 0;
    f64 milliseconds = 0;    // median of the kernel
    bool isTheRuns = false;  // recorded of the run on show
    u64 warpsPerSm() const { return blocksPerSm * ((threads + 31) / 32); }
};

struct OccupancyTimes {
    const RecordedMachine* machine = nullptr;
    std::string parameter;       // that sets the block size
    std::vector<Setting> fixed;  // all others
    std::vector<OccupancyTime> rows;
};

// Of the first machine and parameter that have at least two block sizes: with the run's own values of all
// others where they were recorded so, else those with most block sizes, of equals the last ones recorded.
std::optional<OccupancyTimes> occupancyTimes(const catalog::Experiment& experiment,
                                             std::span<const RecordedMachine> machines);

}  // namespace lockstep::run
