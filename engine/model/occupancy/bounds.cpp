#include "model/occupancy/bounds.h"

#include "base/text/counted.h"
#include "base/text/quantities.h"
#include "model/branches/contraction.h"
#include "ptx/opcodes.h"
#include "trace/sector_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lockstep::model {
namespace {

// CUDA C++ Programming Guide, "Arithmetic Instructions": a fused multiply-add counts as two operations.
u32 operationsOf(const ptx::Instruction& instruction) {
    const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name;
    if (opcode == "fma" || opcode == "mad") return 2;
    return opcode == "add" || opcode == "sub" || opcode == "mul" ? 1 : 0;
}

// Instructions that fusing multiplications with additions may save, per type: no more than there are of
// either.
class Fused {
public:
    explicit Fused(const Contraction& contraction) : contraction_(contraction) {}

    void count(std::size_t pc, const ptx::Instruction& instruction, f64 times) {
        Pair& pair = pairs_[instruction.types[0]];
        if (contraction_.multiplications[pc]) pair.multiplications += times;
        if (contraction_.additions[pc]) pair.additions += times;
    }
    f64 saved(ptx::Type type) const {
        const auto pair = pairs_.find(type);
        return pair == pairs_.end() ? 0 : pair->second.saved();
    }
    f64 saved() const {
        f64 sum = 0;
        for (const auto& [type, pair] : pairs_)
            sum += pair.saved();
        return sum;
    }

private:
    struct Pair {
        f64 multiplications = 0, additions = 0;
        f64 saved() const { return std::min(multiplications, additions); }
    };
    const Contraction& contraction_;
    std::map<ptx::Type, Pair> pairs_;
};

struct Arithmetic {
    f64 fp32Instructions = 0, fp64Instructions = 0;  // of threads
    f64 operations = 0;
};

Arithmetic arithmeticOf(const ptx::Module& module, const trace::Recording& recording,
                        const Contraction& contraction) {
    Arithmetic sum;
    Fused fused(contraction);
    for (const trace::GridCounts& counts : recording.counts)
        for (std::size_t pc = 0; pc < counts.perPc.size() && pc < module.instructions.size(); ++pc) {
            const ptx::Instruction& instruction = module.instructions[pc];
            const u32 operations = operationsOf(instruction);
            const bool isSingle = instruction.types[0] == ptx::Type::F32,
                       isDouble = instruction.types[0] == ptx::Type::F64;
            if (operations == 0 || (!isSingle && !isDouble)) continue;
            const f64 lanes = f64(counts.perPc[pc].activeLanes);
            (isSingle ? sum.fp32Instructions : sum.fp64Instructions) += lanes;
            sum.operations += operations * lanes;
            fused.count(pc, instruction, lanes);
        }
    sum.fp32Instructions -= fused.saved(ptx::Type::F32);
    sum.fp64Instructions -= fused.saved(ptx::Type::F64);
    return sum;
}

// Warp instructions that no compiler can remove: floating-point arithmetic after fusing, accesses to memory
// after merging, atomics, barriers. Of the others (moves, addresses, conversions) machine code may have fewer
// than PTX, so they bound nothing.
f64 certainInstructions(const ptx::Module& module, const trace::Recording& recording, const Report& report,
                        const Contraction& contraction) {
    std::vector<bool> isMergedAway(module.instructions.size());
    for (const SiteReport& site : report.sites)
        if (site.merged && site.merged->first != site.pc && site.pc.value < isMergedAway.size())
            isMergedAway[site.pc.value] = true;
    f64 sum = 0;
    Fused fused(contraction);
    for (const trace::GridCounts& counts : recording.counts)
        for (std::size_t pc = 0; pc < counts.perPc.size() && pc < module.instructions.size(); ++pc) {
            const ptx::Instruction& instruction = module.instructions[pc];
            const ptx::OpcodeClass kind = ptx::opcodeTable()[instruction.opcode].opcodeClass;
            const bool isAccess = (kind == ptx::OpcodeClass::Memory || kind == ptx::OpcodeClass::Atomic) &&
                                  (instruction.modifiers.space == ptx::StateSpace::Global ||
                                   instruction.modifiers.space == ptx::StateSpace::Shared);
            const bool isArithmetic = operationsOf(instruction) > 0 && ptx::isFloat(instruction.types[0]);
            if (!isMergedAway[pc] && (isAccess || isArithmetic || kind == ptx::OpcodeClass::Barrier))
                sum += f64(counts.perPc[pc].executions);
            if (isArithmetic) fused.count(pc, instruction, f64(counts.perPc[pc].executions));
        }
    return sum - fused.saved();
}

f64 counter(const Report& report, const char* name) {
    const auto found = report.counters.find(name);
    return found == report.counters.end() ? 0.0 : f64(found->second);
}

// Sectors that come from device memory, each once, if L2 is empty when the run begins: those that were read.
// A launch may find in L2 what an earlier one left there, yet neither more than L2 holds nor more than it
// reads.
f64 certainReads(const CacheCounts& caches, const Report& report, const CacheFigures& figures) {
    std::map<LaunchId, f64> found;  // by launches after the first
    for (const SiteReport& site : report.sites)
        if (site.launch > LaunchId{0} && site.space == trace::Space::Global &&
            site.kind != trace::AccessKind::Store)
            found[site.launch] += f64(site.sectors);
    f64 sectors = f64(std::min(caches.l2ReadsLeast, caches.l2ReadMisses));
    for (const auto& [launch, most] : found)
        sectors -= std::min(most, f64(figures.l2Bytes) / trace::kSectorBytes);
    return std::max(0.0, sectors);
}

// Sectors written to device memory: stored sectors, once each, less what L2 can hold at the end.
f64 certainWrites(const CacheCounts& caches, const trace::Recording& recording, const CacheFigures& figures) {
    f64 bytes = 0;
    for (const Buffer& buffer : recording.initial)
        bytes += f64(buffer.bytes.size());
    const f64 stored =
        std::min(bytes, trace::kSectorBytes * f64(caches.dramWrites) + f64(figures.l2DirtyBytes));
    return std::max(0.0, stored - f64(figures.l2Bytes)) / trace::kSectorBytes;
}

}  // namespace

Message resourceName(const std::string& resource) {
    struct Row {
        std::string_view resource;
        Words name;
    };
    constexpr Row kRows[] = {
        {"device_memory", english("device memory")},
        {"l2", english("reading from the L2 cache")},
        {"shared_memory", english("shared memory")},
        {"issue_slots", english("instruction issue")},
        {"fp32", english("32-bit floating-point arithmetic")},
        {"fp64", english("64-bit floating-point arithmetic")},
    };
    for (const Row& row : kRows)
        if (row.resource == resource) return row.name;
    return Message::plain(resource);
}

Words noBoundOfL2() { return english("L2 cache: no bound, for this card has no sourced bandwidth"); }

f64 RooflinePoint::attainable() const {
    return std::min(peakOperationsPerSecond, operationsPerByte() * bytesPerSecond);
}

std::optional<Bounds> boundsOf(const ptx::Module& module, const trace::Recording& recording,
                               const Report& report, const std::optional<CacheCounts>& caches,
                               const Profile& profile) {
    if (recording.sample) {
        const std::optional<trace::Recording> grid = wholeGrids(recording);
        if (!grid) return std::nullopt;
        Report whole = makeReport(module, *grid, profile);
        whole.occupancy = report.occupancy;
        return boundsOf(module, *grid, whole, std::nullopt, profile);
    }
    if (!profile.speed) return std::nullopt;
    const Speed& speed = *profile.speed;
    Bounds bounds;
    for (const Launch& launch : recording.launches) {
        if (launch.grid.count() <= bounds.blocks) continue;
        bounds.blocks = launch.grid.count();
        bounds.warps = bounds.blocks * ((launch.block.count() + kWarpSize - 1) / kWarpSize);
    }
    bounds.launches = u32(recording.launches.size());
    bounds.launchMs = speed.launchMilliseconds();
    bounds.multiprocessors = u32(std::min<u64>(profile.multiprocessors, bounds.blocks));
    bounds.multiprocessorsOfDevice = profile.multiprocessors;
    bounds.warpSlots = u64{profile.multiprocessors} * profile.warpsPerSm;
    const f64 cyclesPerSecond = 1e6 * speed.clockMhz * bounds.multiprocessors;
    const Contraction fusible = contraction(module);
    const Arithmetic arithmetic = arithmeticOf(module, recording, fusible);

    const auto add = [&](const char* resource, f64 amount, const char* unit, f64 perSecond) {
        if (amount > 0 && perSecond > 0) bounds.all.push_back({resource, amount, unit, perSecond});
    };
    const f64 bytes = caches && profile.caches
                          ? trace::kSectorBytes * (certainReads(*caches, report, *profile.caches) +
                                                   certainWrites(*caches, recording, *profile.caches))
                          : 0;
    add("device_memory", bytes, "bytes", 1e6 * speed.memoryMBPerSecond);
    if (caches)
        bounds.storesMs =
            1e3 * trace::kSectorBytes * f64(caches->dramWrites) / (1e6 * speed.memoryMBPerSecond);
    bounds.knowsL2 = speed.l2ReadMBPerSecond.has_value();
    if (bounds.knowsL2 && caches)
        add("l2", trace::kSectorBytes * f64(caches->l2ReadsLeast), "bytes", 1e6 * *speed.l2ReadMBPerSecond);
    f64 wavefronts = 0;
    for (const char* operation : {"ld", "st", "atom"})
        wavefronts += counter(
            report, fmt::format("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_{}", operation).c_str());
    // One wavefront per clock on each SM: NVIDIA Nsight Compute, "Hardware Model", L1TEX data stage.
    add("shared_memory", wavefronts, "wavefronts", cyclesPerSecond);
    add("issue_slots", certainInstructions(module, recording, report, fusible), "warp instructions",
        cyclesPerSecond * speed.issueLanes / kWarpSize);
    add("fp32", arithmetic.fp32Instructions, "operations", cyclesPerSecond * speed.fp32Lanes);
    add("fp64", arithmetic.fp64Instructions, "operations", cyclesPerSecond * speed.fp64Lanes);
    std::ranges::stable_sort(bounds.all, std::ranges::greater{}, &Bound::leastMs);
    bounds.roofline = {
        .operations = arithmetic.operations,
        .bytes = bytes,
        .peakOperationsPerSecond =
            2e6 * speed.clockMhz * profile.multiprocessors *
            (arithmetic.fp64Instructions > arithmetic.fp32Instructions ? speed.fp64Lanes : speed.fp32Lanes),
        .bytesPerSecond = 1e6 * speed.memoryMBPerSecond};
    return bounds;
}

Message multiprocessorsText(const Bounds& bounds) {
    if (bounds.multiprocessors >= bounds.multiprocessorsOfDevice) return {};
    return Message(english("The bounds for arithmetic, shared memory and instruction issue assume {0} of the "
                           "{1} {1:SM|SMs}: the grid has only {2} {2:block|blocks}."),
                   bounds.multiprocessors, bounds.multiprocessorsOfDevice, grouped(bounds.blocks));
}

namespace {

bool isFar(const Bounds& bounds, f64 measuredMs) {
    constexpr f64 kFar = 2;  // times the bound
    return bounds.binding() && measuredMs >= kFar * bounds.binding()->leastMs();
}

}  // namespace

Message launchText(const Bounds& bounds, f64 measuredMs) {
    constexpr f64 kGoodPart = 0.2;
    if (!isFar(bounds, measuredMs) || !bounds.launchMs ||
        bounds.launches * *bounds.launchMs < kGoodPart * measuredMs)
        return {};
    if (bounds.launches == 1)
        return Message(
            english("The bound leaves out launch overhead: an empty kernel already takes about {0}."),
            timeText(*bounds.launchMs));
    return Message(english("The bound leaves out the overhead of {1} {1:launch|launches}: an empty kernel "
                           "already takes about {0} per launch."),
                   timeText(*bounds.launchMs), bounds.launches);
}

Message tooFewWarpsText(const Bounds& bounds, f64 measuredMs) {
    if (!isFar(bounds, measuredMs) || bounds.warps >= bounds.warpSlots) return {};
    return Message(english("The grid has only {0} {0:warp|warps}, too few to fill the GPU, which can hold up "
                           "to {1}."),
                   grouped(bounds.warps), grouped(bounds.warpSlots));
}

Message storesText(const Bounds& bounds) {
    const Bound* binding = bounds.binding();
    if (!binding || binding->resource == "device_memory" || bounds.storesMs <= binding->leastMs()) return {};
    return english("Stores are left out of the bound: the cache may keep what they write.");
}

Message describe(const Bounds& bounds, std::optional<f64> measuredMs) {
    const Bound* binding = bounds.binding();
    if (!binding) return english("Nothing that this run did takes a time that can be bounded.");
    Message text(binding->resource == "device_memory"
                     ? english("The kernel cannot take less than {0}: {1} alone needs that long, if the L2 "
                               "cache is empty at first. This is a lower bound, not a prediction.")
                 : binding->resource == "issue_slots"
                     ? english("The kernel cannot take less than {0}: just issuing the instructions that no "
                               "compiler can omit takes that long. This is a lower bound, not a prediction.")
                     : english("The kernel cannot take less than {0}: {1} alone needs that long. This is a "
                               "lower bound, not a prediction."),
                 timeText(binding->leastMs()), resourceName(binding->resource));
    const auto add = [&text](const Message& more) {
        if (!more.empty()) text = Message(english("two sentences", "{0} {1}"), text, more);
    };
    if (binding->resource != "device_memory" && binding->resource != "l2") add(multiprocessorsText(bounds));
    if (measuredMs && binding->leastMs() > 0) {
        add(Message(english("Measured: {0}, {1} times the lower bound."), timeText(*measuredMs),
                    threeDigits(*measuredMs / binding->leastMs())));
        add(launchText(bounds, *measuredMs));
        add(tooFewWarpsText(bounds, *measuredMs));
    }
    add(storesText(bounds));
    return text;
}

}  // namespace lockstep::model
