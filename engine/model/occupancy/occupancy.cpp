#include "base/indices.h"
#include "model/occupancy/occupancy_limits.h"

#include <algorithm>
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

// cuda_occupancy.h of the CUDA toolkit 6.5: warps are allocated in pairs on cc 1.x (where registers are
// allocated per block).
u64 warpsTaken(u64 threads, const Profile& profile) {
    const u64 warps = divideUp(threads, kWarpSize);
    return profile.registersPerWarp ? warps : roundUp(warps, 2);
}

// cuda_occupancy.h of the CUDA toolkits 6.5 to 8.0: for some counts cc 2.x uses twice its unit.
u64 registerUnit(u64 registersPerThread, const Profile& profile) {
    constexpr std::array<u64, 8> kInTwoUnits{21, 22, 29, 30, 37, 38, 45, 46};
    const bool isDouble =
        profile.major == 2 && std::ranges::find(kInTwoUnits, registersPerThread) != kInTwoUnits.end();
    return isDouble ? 2 * u64{profile.registerAllocationUnit} : profile.registerAllocationUnit;
}

u64 blocksByRegisters(const BlockNeeds& needs, const Profile& profile) {
    const u64 registers = needs.registersPerThread.value_or(0);
    if (registers == 0) return kUnlimited;
    if (registers > profile.registersPerThread) return 0;
    const u64 warps = divideUp(needs.threads, kWarpSize);
    if (!profile.registersPerWarp)  // cc 1.x: per block
        return profile.registersPerSm / roundUp(warpsTaken(needs.threads, profile) * registers * kWarpSize,
                                                profile.registerAllocationUnit);
    // Each part of the SM holds whole warps in its own register file. A block is admitted as if it used all
    // parts evenly.
    const u64 perWarp = roundUp(registers * kWarpSize, registerUnit(registers, profile));
    const auto blocksOn = [&](u64 parts) -> u64 {
        if (perWarp * roundUp(warps, parts) > profile.registersPerSm) return 0;
        return profile.registersPerSm / parts / perWarp * parts / warps;
    };
    // cuda_occupancy.h: a block on cc 6.0, whose SMs have two parts, must also fit on the four of the
    // family's other SMs.
    constexpr u64 kPartsOfOthersOf6 = 4;
    if (profile.major == 6 && blocksOn(kPartsOfOthersOf6) == 0) return 0;
    return blocksOn(profile.registerPartitions);
}

struct Limit {
    const char* name;
    u64 blocks;
};

std::array<Limit, 4> limitsOf(const BlockNeeds& needs, const Profile& profile) {
    return {Limit{"warps", needs.threads > profile.threadsPerBlock
                               ? 0
                               : profile.warpsPerSm / warpsTaken(needs.threads, profile)},
            Limit{"blocks", profile.blocksPerSm},
            Limit{"shared memory", blocksBySharedMemory(needs, profile)},
            Limit{"registers", blocksByRegisters(needs, profile)}};
}

}  // namespace

Occupancy occupancy(const BlockNeeds& needs, const Profile& profile) {
    const u64 warps = divideUp(needs.threads, kWarpSize);
    if (warps == 0) return {};
    const std::array<Limit, 4> limits = limitsOf(needs, profile);
    const Limit* least = &limits[0];
    for (const Limit& limit : limits)
        if (limit.blocks < least->blocks) least = &limit;
    const Limit grid{"grid", needs.gridBlocks};
    Occupancy answer;
    answer.possibleBlocksPerSm = u32(least->blocks);
    answer.possibleWarpsPerSm = u32(least->blocks * warps);
    answer.possibleLimit = least->name;
    answer.blocksPerWave = least->blocks * profile.multiprocessors;
    if (answer.blocksPerWave > 0) {
        answer.waves = divideUp(needs.gridBlocks, answer.blocksPerWave);
        answer.blocksInLastWave =
            answer.waves ? needs.gridBlocks - (answer.waves - 1) * answer.blocksPerWave : 0;
    }
    if (grid.blocks < least->blocks) least = &grid;
    answer.blocksPerSm = u32(least->blocks);
    answer.warpsPerSm = u32(least->blocks * warps);
    answer.limitedBy = least->name;
    return answer;
}

std::vector<OccupancyLimit> occupancyLimits(const BlockNeeds& needs, const Profile& profile) {
    std::vector<OccupancyLimit> limits;
    if (needs.threads == 0) return limits;
    for (const Limit& limit : limitsOf(needs, profile))
        limits.push_back(
            {limit.name, limit.blocks == kUnlimited ? std::nullopt : std::optional(limit.blocks)});
    return limits;
}

}  // namespace lockstep::model
