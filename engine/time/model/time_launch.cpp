#include "time/model/time_launch.h"

#include "base/check.h"
#include "model/caches/block_distribution.h"
#include "model/occupancy/occupancy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace lockstep::time {
namespace {

// SMs run ahead of each other by so much at most: less than any answer of L2 takes.
constexpr u64 kStride = 64;

// Which SM gets which block when: blocks come one after the other, breadth-first, each SM's at a distance;
// after the first ones, the whole device starts them at a rate.
class Dispatcher {
public:
    Dispatcher(u64 blocks, u32 sms, f64 share, u32 threads, const TimeProfile& times)
        : blocks_(blocks),
          rate_(1 / (threads > kLargeBlock ? times.cyclesPerLargeBlock : times.cyclesPerBlock) * share),
          atOnce_(u64{times.blocksAtOnce} * sms) {}

    bool isDone() const { return next_ == blocks_; }
    // The next block, and when it may start on an SM that has room since `ready`.
    std::pair<u64, u64> take(u64 ready) {
        const u64 block = next_++;
        const u64 at = block < atOnce_ ? ready : rate_.serve(ready);
        return {block, at};
    }

private:
    static constexpr u32 kLargeBlock = 512;  // threads; measured with 256 and 1,024

    u64 blocks_, next_ = 0;
    Throughput rate_;
    u64 atOnce_;
};

u32 blocksPerSm(u32 own, const Program& program, const model::Profile& profile, Change change) {
    if (change == Change::OneBlock) return 1;
    if (change != Change::MoreWarps) return own;
    return model::occupancy({.threads = program.geometry.block.count(),
                             .sharedBytes = 0,
                             .registersPerThread = 0,
                             .gridBlocks = ~u64{0}},
                            profile)
        .possibleBlocksPerSm;
}

u64 l1BytesOf(const Program& program, const model::Profile& profile, u32 blocksPerSm, u32 registers) {
    const model::CacheFigures& figures = *profile.caches;
    const u64 shared = program.geometry.sharedBytes, threads = program.geometry.block.count();
    const u32 warpsAllow =
        model::occupancy(
            {.threads = threads, .sharedBytes = 0, .registersPerThread = registers, .gridBlocks = ~u64{0}},
            profile)
            .blocksPerSm;
    const u64 unit = profile.sharedAllocationUnit;
    const u64 allocated = (shared + profile.sharedReservedPerBlock + unit - 1) / unit * unit;
    const u64 split =
        model::sharedSplit(allocated, shared > 0, u32(threads), std::min(warpsAllow, profile.blocksPerSm),
                           blocksPerSm, profile.blocksPerSm, figures);
    return figures.unifiedBytes - std::min(split + figures.unusedBytes, figures.unifiedBytes);
}

}  // namespace

Expected<LaunchTime> timeLaunch(const Program& program, const simt::DeviceMemory& memory,
                                const model::Profile& profile, const TimeProfile& times,
                                std::optional<u32> registersPerThread, const TimeOptions& options) {
    CHECK(profile.caches.has_value(), "a device with times has caches that are known");
    const auto begun = std::chrono::steady_clock::now();
    const u64 blocks = program.geometry.grid.count();
    const u32 registers = registersPerThread.value_or(program.registers);
    const model::Occupancy occupancy = model::occupancy({.threads = program.geometry.block.count(),
                                                         .sharedBytes = program.geometry.sharedBytes,
                                                         .registersPerThread = registers,
                                                         .gridBlocks = blocks},
                                                        profile);
    if (!occupancy.possibleBlocksPerSm)
        return fail(FaultKind::Usage, english("not one block of this launch fits an SM"));
    LaunchTime result;
    result.sms = profile.multiprocessors;
    result.simulatedSms = options.sms ? std::min(options.sms, result.sms) : result.sms;
    // As many parts of the blocks as of the SMs.
    while (result.sms % result.simulatedSms)
        --result.simulatedSms;
    result.blocksPerSm = blocksPerSm(occupancy.possibleBlocksPerSm, program, profile, options.change);
    const u32 sms = result.simulatedSms;
    const bool isWhole = sms == result.sms;
    // Where fewer SMs are simulated than have something to do, each stands for others, which take their
    // share, and every so-many-th block is run.
    const u64 step = blocks < result.sms ? (blocks + sms - 1) / sms : result.sms / sms;
    const f64 share = 1 / f64(step);

    const std::vector<TimedOp> ops = timedOps(program, times);
    LaunchState launch{.memory = &memory, .badAccess = {}};
    const f64 bandwidth = options.change == Change::TwiceTheBandwidth ? 2 : 1;
    MemorySystem behind(times, *profile.caches, share, bandwidth);
    if (options.isRepeated)
        for (const simt::Allocation& allocation : memory.allocations())
            behind.warm(allocation.base, allocation.bytes);
    result.stalls.assign(ops.size(), {});
    const SmSettings settings{
        .program = &program,
        .ops = &ops,
        .times = &times,
        .profile = &profile,
        .l1Bytes = l1BytesOf(program, profile, occupancy.possibleBlocksPerSm, registers),
        .isRepeated = options.isRepeated,
        .blocksAtOnce = result.blocksPerSm,
        .change = options.change,
        .bandwidth = bandwidth};

    const u64 offset = isWhole || !options.record ? 0 : options.recordedBlock % step;
    const u64 run = isWhole ? blocks : (blocks - offset + step - 1) / step;
    const auto blockOf = [&](u64 number) { return std::min(number * step + offset, blocks - 1); };
    Dispatcher dispatcher(run, sms, share, u32(program.geometry.block.count()), times);

    std::vector<std::unique_ptr<Sm>> all;
    // Which SM gets a block that comes late is not known before.
    std::vector<SmRecord> records(options.record ? sms : 0);
    for (u32 i = 0; i < sms; ++i) {
        all.push_back(std::make_unique<Sm>(settings, launch, behind, result.stalls));
        if (options.record) all.back()->record = &records[i];
    }
    const auto begin = [&](Sm& sm, u64 ready) {
        const auto [number, at] = dispatcher.take(ready);
        sm.start(blockOf(number), coordinatesOf(blockOf(number), program.geometry.grid), at);
    };
    for (u32 i = 0; i < sms; ++i) {
        Sm& sm = *all[i];
        sm.whenBlockEnds = [&, i](u64 cycle) {
            Sm& own = *all[i];
            if (!dispatcher.isDone() && own.hasRoom())
                begin(own, std::max(cycle + times.blockReturnCycles, own.lastStart() + times.blockGapCycles));
        };
    }
    const std::vector<u32> places =
        isWhole ? model::dealBlocks(run, sms, result.blocksPerSm, profile.caches->groups)
                : std::vector<u32>();
    const u64 resident = std::min<u64>(run, u64{sms} * result.blocksPerSm);
    for (u64 i = 0; i < resident; ++i) {
        Sm& sm = *all[places.empty() ? i % sms : places[i]];
        begin(sm, sm.resident() ? sm.lastStart() + times.blockGapCycles : 0);
    }

    for (u64 until = kStride;;) {
        u64 next = Sm::kNever;
        for (const std::unique_ptr<Sm>& sm : all) {
            sm->runUntil(until);
            next = std::min(next, sm->nextEvent());
        }
        if (launch.badAccess)
            return fail(FaultKind::Unsupported,
                        Message(english("its machine code accesses 0x{0}, which lies outside of memory"),
                                fmt::format("{:x}", launch.badAccess->address)));
        if (next == Sm::kNever) break;
        until = std::max(until + kStride, (next / kStride + 1) * kStride);
        u64 instructions = 0;
        for (const std::unique_ptr<Sm>& sm : all)
            instructions += sm->counts().warpInstructions;
        if (options.issued) *options.issued = instructions;
        if (instructions > options.mostWarpInstructions)
            return fail(FaultKind::TooLarge, english("its machine code executes too many instructions"));
        if (options.cancelled && *options.cancelled) return fail(FaultKind::Cancelled, english("canceled"));
    }
    u64 busy = 0, active = 0;
    for (const std::unique_ptr<Sm>& sm : all) {
        if (sm->isStuck() || sm->resident())
            return fail(FaultKind::Unsupported,
                        english("warps of its machine code wait for each other without end"));
        const SmCounts& counts = sm->counts();
        result.counts.warpInstructions += counts.warpInstructions;
        result.counts.threadInstructions += counts.threadInstructions;
        result.counts.globalLoadSectors += counts.globalLoadSectors;
        result.counts.globalStoreSectors += counts.globalStoreSectors;
        result.counts.sharedWavefronts += counts.sharedWavefronts;
        result.counts.l1LoadHits += counts.l1LoadHits;
        if (!counts.lastActive) continue;
        ++busy;
        active += counts.activeCycles;
        result.activeCycles = std::max(result.activeCycles, counts.activeCycles);
        result.elapsedCycles = std::max(result.elapsedCycles, counts.lastActive + times.launchCycles);
    }
    for (SmRecord& record : records)
        if (std::ranges::find(record.warps, options.recordedBlock, &WarpRecord::block) != record.warps.end())
            *options.record = std::move(record);
    result.meanActiveCycles = busy ? f64(active) / f64(busy) : 0;
    result.dramReadSectors = behind.dramSectors();
    result.seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - begun).count();
    return result;
}

StallCycles sumOf(const StallTable& stalls) {
    StallCycles sum{};
    for (const StallCycles& row : stalls)
        for (std::size_t i = 0; i < kStalls; ++i)
            sum[i] += row[i];
    return sum;
}

std::array<f64, kStalls> stallsPerIssue(const StallCycles& sum) {
    std::array<f64, kStalls> ratios{};
    if (const f64 issued = f64(sum[std::size_t(Stall::Selected)]); issued > 0)
        for (std::size_t i = 0; i < kStalls; ++i)
            ratios[i] = f64(sum[i]) / issued;
    return ratios;
}

}  // namespace lockstep::time
