#include "time/machine/run_launch.h"

#include "trace/sector_size.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::time {
namespace {

Unexpected badAccess(const LaunchState& launch, const Program& program) {
    const BadAccess& bad = *launch.badAccess;
    Unexpected fault = fail(FaultKind::Unsupported,
                            Message(english("its machine code accesses 0x{0}, which lies outside of memory"),
                                    fmt::format("{:x}", bad.address)));
    Fault named = fault.value();
    named.block = bad.block;
    if (program.code[bad.instruction].pc != kNoPc) named.pc = program.code[bad.instruction].pc;
    return Unexpected{std::move(named)};
}

// So many instructions of a warp before the next has its turn: it may wait for what that one does.
constexpr u32 kTurn = 10'000;

class BlockRun {
public:
    BlockRun(BlockState& block, LaunchCounts& counts) : block_(block), counts_(counts) {}

    // False: nobody can go on, though the block has not ended.
    bool turn() {
        bool went = false;
        u32 waiting = 0, done = 0;
        for (WarpState& warp : block_.warps) {
            for (u32 i = 0; i < kTurn && !warp.isDone() && canStep(warp); ++i) {
                count(warp, step(warp));
                went = true;
            }
            done += warp.isDone();
            waiting += isAtBlockBarrier(warp);
        }
        isDone_ = done == block_.warps.size();
        if (isDone_) return true;
        if (waiting && waiting + done == block_.warps.size()) {
            for (WarpState& warp : block_.warps)
                if (!warp.isDone()) passBlockBarrier(warp);
            return true;
        }
        return went;
    }
    bool isDone() const { return isDone_; }

private:
    void count(const WarpState& warp, const Step& step) {
        ++counts_.warpInstructions;
        counts_.threadInstructions += u32(LaneMask{step.lanes}.count());
        if (step.op->space != MemorySpace::Global || !step.lanes) return;
        const u32 sectors = sectorsOf(warp.access);
        switch (step.op->action) {
            case MemoryAction::Load:
            case MemoryAction::AsyncCopy: counts_.globalLoadSectors += sectors; break;
            case MemoryAction::Store: counts_.globalStoreSectors += sectors; break;
            case MemoryAction::Atomic:
            case MemoryAction::Reduction: break;
        }
    }

    BlockState& block_;
    LaunchCounts& counts_;
    bool isDone_ = false;
};

}  // namespace

u32 sectorsOf(const MemoryAccess& access) {
    std::array<u64, 2 * kWarpSize> sectors;
    u32 count = 0;
    for (const Lane lane : LaneMask{access.lanes}) {
        const u64 sector = access.addresses[lane.value] / trace::kSectorBytes;
        // Neighbors mostly share one.
        if (count && sectors[count - 1] == sector) continue;
        sectors[count++] = sector;
    }
    if (std::ranges::is_sorted(sectors.begin(), sectors.begin() + count)) {
        return u32(std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin());
    }
    std::sort(sectors.begin(), sectors.begin() + count);
    return u32(std::unique(sectors.begin(), sectors.begin() + count) - sectors.begin());
}

Expected<LaunchCounts> runLaunch(const Program& program, const simt::DeviceMemory& memory,
                                 const ExecutionLimit& limit) {
    LaunchState launch{.memory = &memory, .badAccess = {}};
    LaunchCounts counts;
    BlockState block;
    const u64 blocks = program.geometry.grid.count();
    for (u64 i = 0; i < blocks; i += limit.oneBlockIn) {
        ++counts.blocks;
        startBlock(block, launch, program, coordinatesOf(i, program.geometry.grid));
        BlockRun run(block, counts);
        while (!run.isDone()) {
            if (!run.turn())
                return fail(FaultKind::Unsupported,
                            english("warps of its machine code wait for each other without end"));
            if (launch.badAccess) return badAccess(launch, program);
            if (counts.warpInstructions > limit.warpInstructions)
                return fail(FaultKind::TooLarge, english("its machine code executes too many instructions"));
            if (limit.executed) *limit.executed = counts.warpInstructions;
            if (limit.cancelled && *limit.cancelled) return fail(FaultKind::Cancelled, english("canceled"));
        }
    }
    return counts;
}

}  // namespace lockstep::time
