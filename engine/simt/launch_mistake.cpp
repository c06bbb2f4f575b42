#include "simt/launch_mistake.h"

#include "base/counted.h"
#include "ptx/shared_layout.h"

namespace lockstep::simt {
namespace {

constexpr u64 kMostBlocks = 0xffffffff;  // blocks are counted in 32 bits

std::string text(Dim3 d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}
bool fits(Dim3 d, Dim3 most) { return d.x <= most.x && d.y <= most.y && d.z <= most.z; }

std::optional<LaunchMistake> shapeMistake(const ptx::Function& entry, const Launch& launch,
                                          const DeviceLimits& limits) {
    using enum LaunchPart;
    if (!launch.grid.count() || !launch.block.count())
        return LaunchMistake{launch.grid.count() ? Block : Grid,
                             "grid and block need at least 1 in every dimension"};
    if (!fits(launch.block, limits.block) || launch.block.count() > limits.threadsPerBlock)
        return LaunchMistake{Block, "a block of " + text(launch.block) +
                                        " has too many threads; this device allows " +
                                        std::to_string(limits.threadsPerBlock) + " a block and " +
                                        text(limits.block) + " by dimension: choose a smaller block"};
    if (fits(launch.grid, limits.grid) && launch.grid.count() > kMostBlocks)
        return LaunchMistake{Grid, "a grid of " + text(launch.grid) +
                                       " has more than 4,294,967,295 blocks, the " +
                                       "most that can be run here: choose a smaller grid"};
    if (!fits(launch.grid, limits.grid))
        return LaunchMistake{Grid, "a grid of " + text(launch.grid) + " is too large; this device allows " +
                                       text(limits.grid) + ": choose a smaller grid"};
    if (entry.requiredThreads && *entry.requiredThreads != launch.block)
        return LaunchMistake{Block, "it was compiled for blocks of " + text(*entry.requiredThreads) +
                                        " (.reqntid): launch it with that block"};
    if (entry.maxThreads && launch.block.count() > entry.maxThreads->count())
        return LaunchMistake{Block, "it was compiled for at most " +
                                        counted(entry.maxThreads->count(), "thread") +
                                        " a block (.maxntid, __launch_bounds__): choose a smaller block"};
    return std::nullopt;
}

std::optional<LaunchMistake> sharedMistake(const ptx::SharedLayout& layout, const Launch& launch,
                                           const DeviceLimits& limits) {
    if (layout.staticBytes > limits.sharedBytesPerBlock)
        return LaunchMistake{
            {},
            "its shared arrays take " + std::to_string(layout.staticBytes) + " bytes, this device allows " +
                std::to_string(limits.sharedBytesPerBlock) +
                ": make them smaller, or declare one extern __shared__ array and pass its size at launch"};
    const u64 needed = u64{layout.staticBytes} + launch.dynamicSharedBytes;
    if (layout.totalBytes > limits.sharedBytesOptIn || needed > limits.sharedBytesOptIn)
        return LaunchMistake{LaunchPart::DynamicSharedBytes,
                             "it needs " + std::to_string(needed) +
                                 " bytes of shared memory, this device allows " +
                                 std::to_string(limits.sharedBytesOptIn) +
                                 ": use a smaller tile or fewer bytes of dynamic shared memory"};
    return std::nullopt;
}

}  // namespace

std::optional<LaunchMistake> launchMistake(const ptx::Module& module, const ptx::Function& entry,
                                           const Launch& launch, const DeviceLimits& limits) {
    if (std::optional<LaunchMistake> mistake = shapeMistake(entry, launch, limits)) return mistake;
    return sharedMistake(ptx::sharedLayout(module, entry, launch.dynamicSharedBytes), launch, limits);
}

}  // namespace lockstep::simt
