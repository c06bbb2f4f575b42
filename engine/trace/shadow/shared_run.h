// Bytes of shared memory one after the other.
#pragma once

#include "base/integers.h"

#include <vector>

namespace lockstep::trace {

struct SharedRun {
    u32 offsetBytes = 0, bytes = 0;
    bool operator==(const SharedRun&) const = default;
};

// The granules (of 1 << shift bytes) of which has(granule), ascending.
template <class Has> std::vector<SharedRun> runsOf(u32 sharedBytes, u32 shift, Has has) {
    std::vector<SharedRun> runs;
    const u32 granules = (sharedBytes + (1u << shift) - 1) >> shift;
    for (u32 granule = 0; granule < granules; ++granule) {
        if (!has(granule)) continue;
        const u32 at = granule << shift;
        if (!runs.empty() && runs.back().offsetBytes + runs.back().bytes == at)
            runs.back().bytes += 1u << shift;
        else
            runs.push_back({at, 1u << shift});
    }
    return runs;
}

}  // namespace lockstep::trace
