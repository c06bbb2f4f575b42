#include "simt/decode/launch_mistake.h"

#include "base/text/counted.h"
#include "ptx/analysis/shared_layout.h"

namespace lockstep::simt {
namespace {

constexpr u64 kMostBlocks = 0xffffffff;  // block counts are 32 bits

std::string text(Dim3 d) {
    return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}
bool fits(Dim3 d, Dim3 most) { return d.x <= most.x && d.y <= most.y && d.z <= most.z; }

std::optional<LaunchMistake> shapeMistake(const ptx::Function& entry, const Launch& launch,
                                          const DeviceLimits& limits) {
    using enum LaunchPart;
    if (!launch.grid.count() || !launch.block.count())
        return LaunchMistake{launch.grid.count() ? Block : Grid,
                             english("grid and block need at least 1 in every dimension")};
    if (!fits(launch.block, limits.block) || launch.block.count() > limits.threadsPerBlock)
        return LaunchMistake{Block,
                             Message(english("a block of {0} has too many threads; this device allows {1} a "
                                             "block and {2} by dimension: choose a smaller block"),
                                     text(launch.block), limits.threadsPerBlock, text(limits.block))};
    if (fits(launch.grid, limits.grid) && launch.grid.count() > kMostBlocks)
        return LaunchMistake{Grid, Message(english("a grid of {0} has more than 4,294,967,295 blocks, the "
                                                   "most that can be run here: choose a smaller grid"),
                                           text(launch.grid))};
    if (!fits(launch.grid, limits.grid))
        return LaunchMistake{
            Grid,
            Message(english("a grid of {0} is too large; this device allows {1}: choose a smaller grid"),
                    text(launch.grid), text(limits.grid))};
    if (entry.requiredThreads && *entry.requiredThreads != launch.block)
        return LaunchMistake{
            Block, Message(english("it was compiled for blocks of {0} (.reqntid): launch it with that block"),
                           text(*entry.requiredThreads))};
    if (entry.maxThreads && launch.block.count() > entry.maxThreads->count())
        return LaunchMistake{Block,
                             Message(english("it was compiled for at most {0} {0:thread|threads} a block "
                                             "(.maxntid, __launch_bounds__): choose a smaller block"),
                                     grouped(entry.maxThreads->count()))};
    return std::nullopt;
}

std::optional<LaunchMistake> sharedMistake(const ptx::SharedLayout& layout, const Launch& launch,
                                           const DeviceLimits& limits) {
    if (layout.staticBytes > limits.sharedBytesPerBlock)
        return LaunchMistake{
            {},
            Message(english("its shared arrays take {0} {0:byte|bytes}, this device allows {1}: make them "
                            "smaller, or "
                            "declare one extern __shared__ array and pass its size at launch"),
                    layout.staticBytes, limits.sharedBytesPerBlock)};
    const u64 needed = u64{layout.staticBytes} + launch.dynamicSharedBytes;
    if (layout.totalBytes > limits.sharedBytesOptIn || needed > limits.sharedBytesOptIn)
        return LaunchMistake{
            LaunchPart::DynamicSharedBytes,
            Message(english("it needs {0} {0:byte|bytes} of shared memory, this device allows {1}: "
                            "use a smaller tile or fewer bytes of dynamic shared memory"),
                    needed, limits.sharedBytesOptIn)};
    return std::nullopt;
}

}  // namespace

std::optional<LaunchMistake> launchMistake(const ptx::Module& module, const ptx::Function& entry,
                                           const Launch& launch, const DeviceLimits& limits) {
    if (std::optional<LaunchMistake> mistake = shapeMistake(entry, launch, limits)) return mistake;
    return sharedMistake(ptx::sharedLayout(module, entry, launch.dynamicSharedBytes), launch, limits);
}

}  // namespace lockstep::simt
