#include "model/occupancy/cooperative_launch.h"

#include "base/text/counted.h"
#include "model/occupancy/occupancy.h"
#include "ptx/analysis/shared_layout.h"

namespace lockstep::model {

std::optional<Message> cooperativeMistake(const ptx::Module& module, const ptx::Function& entry,
                                          const Launch& launch, const Profile& profile) {
    if (profile.major < 6)  // CUDA C++ Programming Guide, "Grid Synchronization"
        return Message(english("{0} has no cooperative launches; devices from cc 6.0 on do"), profile.card);
    const u64 shared = ptx::sharedLayout(module, entry, launch.dynamicSharedBytes).totalBytes;
    const Occupancy fits = occupancy({.threads = launch.block.count(),
                                      .sharedBytes = shared,
                                      .registersPerThread = {},
                                      .gridBlocks = launch.grid.count()},
                                     profile);
    const u64 resident = u64{fits.possibleBlocksPerSm} * profile.multiprocessors;
    if (launch.grid.count() <= resident) return std::nullopt;
    return Message(english("a cooperative launch of {0} {0:block|blocks}, of which the device holds {1} at "
                           "a time: choose a smaller grid"),
                   grouped(launch.grid.count()), grouped(resident));
}

}  // namespace lockstep::model
