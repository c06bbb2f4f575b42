// Hints from what the recorded blocks did, access by access.
#include "base/text/counted.h"
#include "base/text/quantities.h"
#include "explain/hints/hint_sums.h"
#include "model/access/global_sectors.h"
#include "model/occupancy/launch_occupancy.h"
#include "ptx/analysis/shared_layout.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using trace::Space;

HintUnit unitOf(const HintInput& in) {
    return model::countsSectors(trace::AccessKind::Load, in.profile) ? HintUnit::Sectors
                                                                     : HintUnit::Transactions;
}

std::string nameOf(const HintInput& in, u32 buffer) {
    return buffer < in.recording.initial.size() ? in.recording.initial[buffer].name : std::string();
}

// How often: "8", "6.4".
std::string timesText(u64 all, u64 each) {
    return all % each == 0 ? grouped(all / each) : threeDigits(f64(all) / f64(each));
}

}  // namespace

std::vector<Hint> reloaded(const HintInput& in) {
    // Fewer are what L1 is for: the neighbors of a small stencil, a row that is read three times.
    constexpr u64 kOften = 8;
    std::vector<Hint> hints;
    for (u32 launch = 0; launch < in.recording.launches.size(); ++launch) {
        const LaunchId id{launch};
        const RecordedAccesses::Loads* worst = nullptr;
        u32 buffer = 0;
        u64 excess = 0;
        for (const auto& [key, loads] : in.recorded.loads()) {
            // Irregular: data decide which elements, so that no tile of them can be loaded in advance.
            if (key.first != id || loads.words == 0 || 4 * loads.irregular > loads.requests) continue;
            // A table of a few elements is as good in L1.
            constexpr u64 kFewSectors = 32;
            if (loads.distinctSectors < kFewSectors * loads.blocks) continue;
            if (loads.laneWords < kOften * loads.words || loads.sectors < 4 * loads.distinctSectors) continue;
            excess += loads.sectors - loads.distinctSectors;
            if (loads.requestWords < 2 * loads.words) continue;
            if (!worst || loads.sectors > worst->sectors) worst = &loads, buffer = key.second;
        }
        if (!worst) continue;
        Hint hint =
            hintAt(placeOf(in.module, id, worst->most), unitOf(in), excess, in.recorded.globalSectors());
        hint.ofRecorded = true;
        hint.what =
            Message(english("Threads of a block load the same elements of {0} from global memory: each "
                            "one {1} times on average."),
                    nameOf(in, buffer), timesText(worst->laneWords, worst->words));
        hint.cure = english(
            "Load a tile of it into shared memory once, and let all threads of the block use "
            "the tile.");
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::vector<Hint> storedAgain(const HintInput& in) {
    struct Stores {
        u64 lanes = 0, again = 0, sectors = 0;
        std::optional<u32> buffer{};
    };
    SumsByLine<Stores> sums;
    for (const auto& [key, site] : in.recorded.sites()) {
        if (site.space != Space::Global || site.kind != trace::AccessKind::Store) continue;
        Stores& sum = sums.at(in.module, key.launch, key.pc, 0);
        sum.lanes += site.lanes, sum.again += site.again, sum.sectors += site.sectors;
        sum.buffer = site.buffer;
    }
    constexpr u64 kOften = 4;
    std::vector<Hint> hints;
    sums.forEach([&](const HintPlace& place, const Stores& sum) {
        const u64 once = sum.lanes - sum.again;  // would do
        if (!sum.buffer || sum.lanes < kOften * once) return;
        const u64 needed = sum.sectors * once / sum.lanes;
        Hint hint = hintAt(place, unitOf(in), sum.sectors - needed, in.recorded.globalSectors());
        hint.ofRecorded = true;
        hint.what =
            Message(english("The same elements of {0} are stored by the same threads again and again: "
                            "each one {1} times on average."),
                    nameOf(in, *sum.buffer), timesText(sum.lanes, once));
        hint.cure = english(
            "Keep the value in a local variable, that is, a register, and store it once, "
            "after the loop.");
        hints.push_back(std::move(hint));
    });
    return hints;
}

std::vector<Hint> contendedAtomics(const HintInput& in) {
    // One lane of a warp, for all of it, is how it should be done.
    constexpr u64 kManyLanes = 8, kOften = 4;
    std::vector<Hint> hints;
    for (const auto& [key, atomics] : in.recorded.atomics()) {
        if (atomics.addresses == 0 || atomics.updates < kManyLanes * atomics.requests ||
            atomics.updates < kOften * atomics.addresses)
            continue;
        const RecordedAccesses::Site* site = in.recorded.site(key.launch, key.pc);
        if (!site || site->sectors == 0) continue;
        const u64 needed = std::min(atomics.addresses, site->sectors);
        Hint hint = hintAt(placeOf(in.module, key.launch, key.pc), unitOf(in), site->sectors - needed,
                           in.recorded.globalSectors());
        hint.ofRecorded = true;
        hint.what = Message(english("The threads of a block update the same elements of global memory "
                                    "atomically: each one {0} times on average."),
                            timesText(atomics.updates, atomics.addresses));
        hint.cure = english(
            "Add up within the warp or in shared memory first, and update global memory "
            "once per block.");
        hints.push_back(std::move(hint));
    }
    return hints;
}

namespace {

// Synchronizes in other ways, too: what a barrier is for is then not told by accesses alone.
bool synchronizesOtherwise(const HintInput& in) {
    return std::ranges::any_of(in.module.instructions, [](const ptx::Instruction& instruction) {
        const std::string_view form = instruction.form;
        return form.starts_with("membar") || form.starts_with("fence") || form.starts_with("mbarrier") ||
               form.starts_with("cp.async") || form.starts_with("bar.red") || form.starts_with("atom") ||
               form.starts_with("red.") || form.starts_with("st.release") || form.starts_with("ld.acquire");
    });
}

}  // namespace

std::vector<Hint> unneededBarriers(const HintInput& in) {
    std::vector<Hint> hints;
    if (synchronizesOtherwise(in)) return hints;
    for (const auto& entry : in.recorded.barriers()) {
        const auto& launch = entry.first;
        const auto& barriers = entry.second;
        if (barriers.all == 0) continue;
        const auto add = [&](Pc pc, u64 executions, const Words& what) {
            u64 steps = 0;
            for (const trace::FocusBlock& block : in.recording.trace.blocks)
                for (const trace::WarpTrace& warp : block.warps)
                    steps += warp.steps.size();
            Hint hint = hintAt(placeOf(in.module, launch, pc), HintUnit::IssueSlots, executions, steps);
            hint.ofRecorded = true;
            hint.what = Message(what, grouped(executions));
            hint.cure = english("Leave it out: every warp of the block waits there for the slowest one.");
            hints.push_back(std::move(hint));
        };
        if (!barriers.exchanges) {
            for (const auto& [pc, executions] : barriers.byPc)
                add(pc, executions,
                    english("Nothing that one thread writes is used by another thread of its block, so the "
                            "barrier orders nothing: executed {0} {0:time|times} by warps."));
            continue;
        }
        for (const auto& [pc, executions] : barriers.empty)
            add(pc, executions,
                english("No thread accesses memory between the barrier before it and this one, so it orders "
                        "nothing more: executed {0} {0:time|times} by warps."));
    }
    return hints;
}

std::vector<Hint> unusedSharedMemory(const HintInput& in) {
    std::vector<Hint> hints;
    if (!in.recorded.isWhole()) return hints;
    for (u32 launch = 0; launch < in.recording.launches.size(); ++launch) {
        const Launch& of = in.recording.launches[launch];
        const ptx::Function* entry = in.module.findEntry(of.entry);
        const u64 touched = in.recorded.sharedBytesTouched(LaunchId{launch});
        if (!entry) continue;
        const u64 has = ptx::sharedLayout(in.module, *entry, of.dynamicSharedBytes).totalBytes;
        if (touched == 0 || has < 2 * touched) continue;
        const model::Occupancy occupancy = model::occupancyOf(in.module, of, in.profile, {});
        const model::Occupancy without = model::occupancy({.threads = of.block.count(),
                                                           .sharedBytes = touched,
                                                           .registersPerThread = {},
                                                           .gridBlocks = of.grid.count()},
                                                          in.profile);
        if (occupancy.possibleLimit != "shared memory" || occupancy.possibleWarpsPerSm == 0 ||
            without.possibleWarpsPerSm < 2 * occupancy.possibleWarpsPerSm)
            continue;
        Hint hint = hintAt({.launch = LaunchId{launch}, .pc = kNoPc, .line = {}}, HintUnit::Bytes,
                           has - touched, has);
        hint.ofRecorded = true;
        hint.what =
            Message(english("A block has {0} {0:byte|bytes} of shared memory and uses {1} of them, so that "
                            "only {2} {2:warp|warps} can be resident on an SM instead of {3}."),
                    grouped(has), grouped(touched), occupancy.possibleWarpsPerSm, without.possibleWarpsPerSm);
        hint.cure = english("Ask for no more shared memory than the block uses.");
        hints.push_back(std::move(hint));
    }
    return hints;
}

}  // namespace lockstep::explain
