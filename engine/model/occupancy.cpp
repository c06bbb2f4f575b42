#include "model/occupancy.h"

#include "base/indices.h"

#include <array>

namespace lockstep::model {
namespace {

constexpr u64 kUnlimited = ~u64{0};

constexpr u64 divideUp(u64 a, u64 b) { return (a + b - 1) / b; }
constexpr u64 roundUp(u64 a, u64 unit) { return divideUp(a, unit) * unit; }

u64 blocksBySharedMemory(const BlockNeeds& needs, const Profile& profile) {
    const u64 bytes =
        roundUp(needs.sharedBytes + profile.sharedReservedPerBlock, profile.sharedAllocationUnit);
    if (needs.sharedBytes > profile.sharedBytesOptIn) return 0;
    return bytes == 0 ? kUnlimited : profile.sharedBytesPerSm / bytes;
}

u64 blocksByRegisters(const BlockNeeds& needs, const Profile& profile) {
    const u64 registers = needs.registersPerThread.value_or(0);
    if (registers == 0) return kUnlimited;
    if (registers > profile.registersPerThread) return 0;
    const u64 warps = divideUp(needs.threads, kWarpSize);
    if (!profile.registersPerWarp)  // cc 1.x: the block's warps, rounded up to two, as one piece
        return profile.registersPerSm /
               roundUp(roundUp(warps, 2) * registers * kWarpSize, profile.registerAllocationUnit);
    // Each part of the SM holds whole warps in its own register file. A block is admitted as if it used all
    // parts evenly.
    const u64 perWarp = roundUp(registers * kWarpSize, profile.registerAllocationUnit);
    if (perWarp * roundUp(warps, profile.registerPartitions) > profile.registersPerSm) return 0;
    const u64 warpsThatFit =
        profile.registersPerSm / profile.registerPartitions / perWarp * profile.registerPartitions;
    return warpsThatFit / warps;
}

}  // namespace

Occupancy occupancy(const BlockNeeds& needs, const Profile& profile) {
    const u64 warps = divideUp(needs.threads, kWarpSize);
    if (warps == 0) return {};
    struct Limit {
        const char* name;
        u64 blocks;
    };
    const std::array limits = {
        Limit{"warps", needs.threads > profile.threadsPerBlock ? 0 : profile.warpsPerSm / warps},
        Limit{"blocks", profile.blocksPerSm},
        Limit{"shared memory", blocksBySharedMemory(needs, profile)},
        Limit{"registers", blocksByRegisters(needs, profile)},
        Limit{"grid", needs.gridBlocks},
    };
    const Limit* least = &limits[0];
    for (const Limit& limit : limits)
        if (limit.blocks < least->blocks) least = &limit;
    return {.blocksPerSm = u32(least->blocks),
            .warpsPerSm = u32(least->blocks * warps),
            .limitedBy = least->name};
}

}  // namespace lockstep::model
