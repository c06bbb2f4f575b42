#include "model/occupancy/launch_occupancy.h"

#include "ptx/analysis/shared_layout.h"

namespace lockstep::model {

Occupancy occupancyOf(const ptx::Module& module, const Launch& launch, const Profile& profile,
                      std::optional<u32> registersPerThread) {
    const ptx::Function* entry = module.findEntry(launch.entry);
    const u64 sharedBytes = entry ? ptx::sharedLayout(module, *entry, launch.dynamicSharedBytes).totalBytes
                                  : launch.dynamicSharedBytes;
    return occupancy({.threads = launch.block.count(),
                      .sharedBytes = sharedBytes,
                      .registersPerThread = registersPerThread,
                      .gridBlocks = launch.grid.count()},
                     profile);
}

}  // namespace lockstep::model
