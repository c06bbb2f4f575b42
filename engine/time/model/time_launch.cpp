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

u32 blocksPerSm(u32 own, const Program& program, const model::Profile& profile, const TimeOptions& options) {
    if (options.change == Change::OneBlock) return 1;
    if (options.mostBlocksPerSm) return std::min(own, options.mostBlocksPerSm);
    if (options.change != Change::MoreWarps) return own;
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

// Which part of a launch is simulated.
struct Part {
    u32 sms = 0;
    u64 step = 1;  // of the launch's blocks each so-many-th is there for these SMs
    u64 offset = 0;
    u64 blocksOfAll = 0;  // without those of other SMs
    u64 blocks = 0;       // that are run
    u64 wave = 1;         // blocks that are resident at once
    u64 waves = 1, runWaves = 1;

    u64 blockOf(u64 number, u64 launchBlocks) const {
        const u64 waveOfLaunch = number / wave * waves / runWaves;
        return std::min((waveOfLaunch * wave + number % wave) * step + offset, launchBlocks - 1);
    }
    f64 shareOfSms() const { return 1 / f64(step); }
    f64 shareOfWaves() const { return f64(blocks) / f64(blocksOfAll); }
};

// With fewer the pace of waves is not known.
constexpr u64 kLeastWaves = 6;
constexpr u32 kLeastSms = 2;
constexpr f64 kMostMoreSms = 1.4;

Part partOf(u64 blocks, u32 allSms, u32 blocksPerSm, const TimeOptions& options) {
    Part part;
    part.waves = std::max<u64>(1, blocks / (u64{allSms} * blocksPerSm));
    part.runWaves = std::max(kLeastWaves, u64(std::ceil(f64(part.waves) * options.share)));
    // A little less is not worth it.
    if (options.record || part.runWaves * 4 > part.waves * 3) part.runWaves = part.waves;
    u32 most = options.sms ? std::min(options.sms, allSms) : allSms;
    if (options.share < 1 && !options.record) {
        const f64 left = options.share * f64(part.waves) / f64(part.runWaves);
        most = std::min(most, u32(std::clamp(f64(allSms) * left, f64(kLeastSms), f64(allSms))));
    }
    // As many parts of the blocks as of the SMs; somewhat more of them where that is the nearer.
    part.sms = most;
    while (part.sms < allSms && allSms % part.sms)
        ++part.sms;
    if (options.sms || f64(part.sms) > kMostMoreSms * f64(most))
        for (part.sms = most; allSms % part.sms;)
            --part.sms;
    // Where fewer SMs are simulated than have something to do, each stands for others, which take their
    // share.
    part.step = blocks < allSms ? (blocks + part.sms - 1) / part.sms : allSms / part.sms;
    part.offset = part.sms == allSms || !options.record ? 0 : options.recordedBlock % part.step;
    part.blocksOfAll = part.sms == allSms ? blocks : (blocks - part.offset + part.step - 1) / part.step;
    if (part.sms == allSms) part.step = 1;
    part.blocks = part.blocksOfAll;
    part.wave = u64{part.sms} * blocksPerSm;
    // The last wave is as full as it is in the launch.
    if (part.runWaves < part.waves) part.blocks = part.runWaves * part.wave + part.blocksOfAll % part.wave;
    return part;
}

// A launch while it is simulated: its SMs, what is behind them, and who gets which block.
class Simulation {
public:
    Simulation(const Program& program, const simt::DeviceMemory& memory, const model::Profile& profile,
               const TimeProfile& times, u32 registers, u32 blocksThatFit, const TimeOptions& options)
        : program_(program),
          times_(times),
          options_(options),
          launchBlocks_(program.geometry.grid.count()),
          blocksPerSm_(blocksPerSm(blocksThatFit, program, profile, options)),
          part_(partOf(launchBlocks_, profile.multiprocessors, blocksPerSm_, options)),
          ops_(timedOps(program, times)),
          launch_{.memory = &memory, .badAccess = {}},
          bandwidth_(options.change == Change::TwiceTheBandwidth ? 2 : 1),
          behind_(times, *profile.caches, part_.shareOfSms(), part_.shareOfWaves(), bandwidth_),
          shapes_(profile, options.change, ops_.size()),
          dispatcher_(part_.blocks, part_.sms, part_.shareOfSms(), u32(program.geometry.block.count()),
                      times),
          records_(options.record ? part_.sms : 0) {
        if (options.isRepeated)
            for (const simt::Allocation& allocation : memory.allocations())
                behind_.warm(allocation.base, allocation.bytes);
        result_.sms = profile.multiprocessors;
        result_.simulatedSms = part_.sms;
        result_.blocks = launchBlocks_;
        result_.simulatedBlocks = part_.blocks;
        result_.blocksPerSm = blocksPerSm_;
        result_.stalls.assign(ops_.size(), {});
        result_.exposed.assign(ops_.size(), {});
        makeSms(profile, l1BytesOf(program, profile, blocksThatFit, registers));
    }

    Expected<LaunchTime> run() {
        for (u64 until = kStride;;) {
            u64 next = Sm::kNever;
            for (const std::unique_ptr<Sm>& sm : sms_) {
                sm->runUntil(until);
                next = std::min(next, sm->nextEvent());
            }
            if (launch_.badAccess)
                return fail(FaultKind::Unsupported,
                            Message(english("its machine code accesses 0x{0}, which lies outside of memory"),
                                    fmt::format("{:x}", launch_.badAccess->address)));
            if (next == Sm::kNever) break;
            until = std::max(until + kStride, (next / kStride + 1) * kStride);
            if (const Expected<void> goesOn = report(); !goesOn) return Unexpected{goesOn.error()};
        }
        return result();
    }

private:
    void makeSms(const model::Profile& profile, u64 l1Bytes) {
        SmSettings settings{.program = &program_,
                            .ops = &ops_,
                            .times = &times_,
                            .l1Bytes = l1Bytes,
                            .isRepeated = options_.isRepeated,
                            .blocksAtOnce = blocksPerSm_,
                            .change = options_.change,
                            .bandwidth = bandwidth_,
                            .shapes = &shapes_};
        for (u32 i = 0; i < part_.sms; ++i) {
            settings.number = i;
            Sm& sm = *sms_.emplace_back(
                std::make_unique<Sm>(settings, launch_, behind_, result_.stalls, result_.exposed));
            // Which SM gets a block that comes late is not known before.
            if (options_.record) sm.record = &records_[i];
            sm.whenBlockEnds = [this, &sm](u64 cycle) {
                noteEnd(cycle);
                if (!dispatcher_.isDone() && sm.hasRoom())
                    begin(sm,
                          std::max(cycle + times_.blockReturnCycles, sm.lastStart() + times_.blockGapCycles));
            };
        }
        const std::vector<u32> places =
            part_.sms == profile.multiprocessors
                ? model::dealBlocks(part_.blocks, part_.sms, blocksPerSm_, profile.caches->groups)
                : std::vector<u32>();
        const u64 resident = std::min(part_.blocks, part_.wave);
        for (u64 i = 0; i < resident; ++i) {
            Sm& sm = *sms_[places.empty() ? i % part_.sms : places[i]];
            begin(sm, sm.resident() ? sm.lastStart() + times_.blockGapCycles : 0);
        }
    }

    bool isEveryWaveRun() const { return part_.blocks == part_.blocksOfAll; }
    // Of the ends of blocks, those between which the pace of waves is taken: the first wave's last one, and
    // the last one before the last wave.
    u64 firstEnd() const { return part_.wave - 1; }
    u64 lastEnd() const { return part_.blocks - part_.wave - 1; }

    void noteEnd(u64 cycle) {
        ends_.push_back(cycle);
        if (isEveryWaveRun()) return;
        if (ends_.size() == firstEnd() + 1) before_ = {result_.stalls, result_.exposed};
        if (ends_.size() == lastEnd() + 1) behindThem_ = {result_.stalls, result_.exposed};
    }

    void begin(Sm& sm, u64 ready) {
        const auto [number, at] = dispatcher_.take(ready);
        const u64 block = part_.blockOf(number, launchBlocks_);
        sm.start(block, coordinatesOf(block, program_.geometry.grid), at);
    }

    Expected<void> report() const {
        u64 instructions = 0;
        for (const std::unique_ptr<Sm>& sm : sms_)
            instructions += sm->counts().warpInstructions;
        if (options_.issued) *options_.issued = instructions;
        if (instructions > options_.mostWarpInstructions)
            return fail(FaultKind::TooLarge, english("its machine code executes too many instructions"));
        if (options_.cancelled && *options_.cancelled) return fail(FaultKind::Cancelled, english("canceled"));
        return {};
    }

    // How often the waves that were left out are as much as those between the first and the last.
    f64 timesLeftOut() const { return f64(part_.blocksOfAll - part_.blocks) / f64(lastEnd() - firstEnd()); }
    // That they take: as many blocks at the same pace.
    u64 cyclesLeftOut() {
        if (isEveryWaveRun()) return 0;
        std::ranges::sort(ends_);
        return u64(f64(ends_[lastEnd()] - ends_[firstEnd()]) * timesLeftOut());
    }
    // Their warps wait as those of the waves between do.
    void addStallsLeftOut() {
        if (isEveryWaveRun()) return;
        const auto add = [&](StallTable& all, const StallTable& from, const StallTable& to) {
            for (std::size_t i = 0; i < all.size(); ++i)
                for (std::size_t s = 0; s < kStalls; ++s)
                    all[i][s] += u64(std::llround(f64(to[i][s] - from[i][s]) * timesLeftOut()));
        };
        add(result_.stalls, before_.stalls, behindThem_.stalls);
        add(result_.exposed, before_.exposed, behindThem_.exposed);
    }

    Expected<LaunchTime> result() {
        u64 busy = 0, active = 0;
        for (const std::unique_ptr<Sm>& sm : sms_) {
            if (sm->isStuck() || sm->resident())
                return fail(FaultKind::Unsupported,
                            english("warps of its machine code wait for each other without end"));
            const SmCounts& counts = sm->counts();
            result_.counts.warpInstructions += counts.warpInstructions;
            result_.counts.threadInstructions += counts.threadInstructions;
            result_.counts.globalLoadSectors += counts.globalLoadSectors;
            result_.counts.globalStoreSectors += counts.globalStoreSectors;
            result_.counts.sharedWavefronts += counts.sharedWavefronts;
            result_.counts.l1LoadHits += counts.l1LoadHits;
            if (!counts.lastActive) continue;
            ++busy;
            active += counts.activeCycles;
            result_.activeCycles = std::max(result_.activeCycles, counts.activeCycles);
            result_.elapsedCycles = std::max(result_.elapsedCycles, counts.lastActive + times_.launchCycles);
        }
        if (busy)
            result_.elapsedCycles =
                std::max(result_.elapsedCycles, behind_.lastAtomic() + times_.launchCycles);
        const u64 leftOut = cyclesLeftOut();
        addStallsLeftOut();
        result_.activeCycles += leftOut;
        result_.elapsedCycles += leftOut;
        // Nobody waits for atomics without a result: L2 may take longer for them than the blocks that made
        // them.
        const f64 timesAll = f64(part_.blocksOfAll) / f64(std::max<u64>(1, part_.blocks));
        if (!isEveryWaveRun())
            result_.elapsedCycles = std::max(
                result_.elapsedCycles,
                behind_.firstAtomic() + u64(behind_.busiestAtomics() * timesAll) + times_.launchCycles);
        result_.meanActiveCycles = busy ? f64(active) / f64(busy) + f64(leftOut) : 0;
        for (SmRecord& record : records_)
            if (std::ranges::find(record.warps, options_.recordedBlock, &WarpRecord::block) !=
                record.warps.end())
                *options_.record = std::move(record);
        result_.dramReadSectors = behind_.dramSectors();
        return std::move(result_);
    }

    const Program& program_;
    const TimeProfile& times_;
    const TimeOptions& options_;
    u64 launchBlocks_;
    u32 blocksPerSm_;
    Part part_;
    std::vector<TimedOp> ops_;
    LaunchState launch_;
    f64 bandwidth_;
    MemorySystem behind_;
    AccessShapes shapes_;
    Dispatcher dispatcher_;
    std::vector<SmRecord> records_;
    std::vector<u64> ends_;  // of blocks
    // Until the first wave had ended, and until the last one began.
    struct Stalls {
        StallTable stalls, exposed;
    } before_, behindThem_;
    LaunchTime result_;
    std::vector<std::unique_ptr<Sm>> sms_;
};

}  // namespace

Expected<LaunchTime> timeLaunch(const Program& program, const simt::DeviceMemory& memory,
                                const model::Profile& profile, const TimeProfile& times,
                                std::optional<u32> registersPerThread, const TimeOptions& options) {
    CHECK(profile.caches.has_value(), "a device with times has caches that are known");
    const auto begun = std::chrono::steady_clock::now();
    const u32 registers = registersPerThread.value_or(program.registers);
    const u32 blocksThatFit = model::occupancy({.threads = program.geometry.block.count(),
                                                .sharedBytes = program.geometry.sharedBytes,
                                                .registersPerThread = registers,
                                                .gridBlocks = program.geometry.grid.count()},
                                               profile)
                                  .possibleBlocksPerSm;
    if (!blocksThatFit) return fail(FaultKind::Usage, english("not one block of this launch fits an SM"));
    Simulation simulation(program, memory, profile, times, registers, blocksThatFit, options);
    Expected<LaunchTime> result = simulation.run();
    if (result)
        result->seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - begun).count();
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
