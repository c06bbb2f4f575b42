// Hints on how the work is shared out among threads, warps and SMs.
#include "base/text/counted.h"
#include "explain/branches.h"
#include "explain/hints/hint_sums.h"
#include "model/branches/branch_lines.h"
#include "ptx/analysis/register_uses.h"
#include "ptx/opcodes.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

// The part of the text that a branch decides about: a loop with its body, else up to reconvergence.
struct Stretch {
    LaunchId launch;
    u32 first = 0, last = 0;
    bool holds(LaunchId of, Pc pc) const { return of == launch && pc.value >= first && pc.value <= last; }
};
Stretch stretchOf(const ptx::Module& module, const model::BranchReport& branch) {
    Stretch stretch{branch.launch, branch.pc.value, branch.pc.value};
    const Pc meeting = module.reconvergence(branch.pc);
    stretch.last = meeting == kNoPc ? module.functions[module.functionOf(branch.pc).value].end.value
                                    : std::max(stretch.last, meeting.value);
    if (const auto target = targetOf(module, branch.pc))
        stretch.first = std::min(stretch.first, target->value);
    return stretch;
}

bool isLoop(const ptx::Module& module, const model::BranchReport& branch) {
    const auto target = targetOf(module, branch.pc);
    return target && target->value <= branch.pc.value;
}

// Whether nothing accesses memory before the branch: so a bounds check returns.
bool isBeforeAccesses(const HintInput& in, const model::BranchReport& branch) {
    return std::ranges::none_of(in.report.sites, [&](const model::SiteReport& site) {
        return site.launch == branch.launch && site.executions > 0 && site.pc < branch.pc;
    });
}

// A check of bounds, which at the edge of the data has to diverge: in one warp of a block whose threads stand
// in a row, else in a warp of each row.
bool isEdge(const HintInput& in, const model::BranchReport& branch) {
    const auto target = targetOf(in.module, branch.pc);
    if (!target || !model::endsThread(in.module, *target) || !isBeforeAccesses(in, branch)) return false;
    const Launch& launch = in.recording.launches[branch.launch.value];
    return launch.block.y * launch.block.z > 1 || branch.divergent <= launch.grid.count();
}

// Whether loaded values may decide the branch: then another assignment of threads cures nothing. Instructions
// are followed back without regard to their order.
bool dependsOnData(const ptx::Module& module, Pc branch) {
    const ptx::Function& function = module.functions[module.functionOf(branch).value];
    std::vector<bool> wanted(function.registers.size());
    const auto want = [&](ptx::RegisterId id) {
        const bool isNew = id.value < wanted.size() && !wanted[id.value];
        if (isNew) wanted[id.value] = true;
        return isNew;
    };
    want(module.at(branch).guard.predicate);
    for (bool grows = true; grows;) {
        grows = false;
        for (Pc pc = function.first; pc < function.end; ++pc.value) {
            const ptx::Instruction& instruction = module.at(pc);
            bool isWanted = false;
            ptx::forEachWritten(module, instruction, [&](ptx::RegisterId id) {
                isWanted |= id.value < wanted.size() && wanted[id.value];
            });
            if (!isWanted) continue;
            const ptx::OpcodeClass kind = ptx::opcodeTable()[instruction.opcode].opcodeClass;
            const ptx::StateSpace space = instruction.modifiers.space;
            const bool isConstant = space == ptx::StateSpace::Param || space == ptx::StateSpace::Const;
            if (kind == ptx::OpcodeClass::Atomic || kind == ptx::OpcodeClass::Warp ||
                (instruction.name.starts_with("ld") && !isConstant))
                return true;
            ptx::forEachRead(module, instruction, [&](ptx::RegisterId id) { grows |= want(id); });
            if (instruction.guard.present) grows |= want(instruction.guard.predicate);
        }
    }
    return false;
}

}  // namespace

std::vector<Hint> divergence(const HintInput& in) {
    std::vector<const model::BranchReport*> branches;
    for (const model::BranchReport& branch : in.report.branches)
        if (branch.lanesLost > 0) branches.push_back(&branch);
    std::ranges::stable_sort(branches, std::ranges::greater{}, &model::BranchReport::lanesLost);
    struct Losses {
        u64 lanes = 0, divergent = 0, executions = 0;
        bool isLoop = false;
    };
    SumsByLine<Losses> sums;  // an unrolled loop has a branch many times
    std::vector<Stretch> told;
    for (const model::BranchReport* branch : branches) {
        // Of nested branches the one that costs most.
        if (std::ranges::any_of(told,
                                [&](const Stretch& s) { return s.holds(branch->launch, branch->pc); }) ||
            isEdge(in, *branch))
            continue;
        told.push_back(stretchOf(in.module, *branch));
        if (!isLoop(in.module, *branch) && dependsOnData(in.module, branch->pc)) continue;
        Losses& sum = sums.at(in.module, branch->launch, branch->pc, 0);
        if (sum.lanes == 0) sum.isLoop = isLoop(in.module, *branch);
        sum.lanes += branch->lanesLost, sum.divergent += branch->divergent,
            sum.executions += branch->executions;
    }
    std::vector<Hint> hints;
    sums.forEach([&](const HintPlace& place, const Losses& sum) {
        const u64 slots = sum.lanes / kWarpSize;
        // The one warp at the end of the data: nothing that could be cured.
        if (sum.divergent == 1 && 2 * slots < in.issueSlots()) return;
        Hint hint = hintAt(place, HintUnit::IssueSlots, slots, in.issueSlots());
        hint.what = Message(english("Warps diverge in {0} of {1} {1:execution|executions}, and their "
                                    "inactive lanes waste as much as {2} issue {2:slot|slots}."),
                            grouped(sum.divergent), grouped(sum.executions), grouped(slots));
        hint.cure =
            sum.isLoop
                ? english(
                      "Give the lanes of a warp loops of equal length: sort the work by its length, or "
                      "let a whole warp share one item of it.")
                : english(
                      "Let whole warps take the same path: choose by consecutive threads, not by every "
                      "second one, and share the work of a single lane among all.");
        hints.push_back(std::move(hint));
    });
    return hints;
}

std::vector<Hint> partialWarps(const HintInput& in) {
    std::vector<Hint> hints;
    for (u32 launch = 0; launch < in.recording.launches.size(); ++launch) {
        const Launch& of = in.recording.launches[launch];
        const u64 threads = of.block.count(), lanes = (threads + kWarpSize - 1) / kWarpSize * kWarpSize;
        // A single block has as many threads as there is work.
        if (of.grid.count() < 2 || threads == lanes) continue;
        Hint hint = hintAt({.launch = LaunchId{launch}, .pc = kNoPc, .line = {}}, HintUnit::Lanes,
                           lanes - threads, lanes);
        hint.what = Message(english("A block of {0} {0:thread|threads} takes {1} {1:warp|warps}, that is, "
                                    "{2} {2:lane|lanes}: the others are never active."),
                            grouped(threads), grouped(lanes / kWarpSize), grouped(lanes));
        hint.cure = Message(
            english("Give a block a multiple of {0} {0:thread|threads}, 128 or 256 for example."), kWarpSize);
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::vector<Hint> idleThreads(const HintInput& in) {
    std::vector<Hint> hints;
    for (const model::BranchReport& branch : in.report.branches) {
        const Launch& launch = in.recording.launches[branch.launch.value];
        const u64 threads = launch.grid.count() * launch.block.count();
        const auto target = targetOf(in.module, branch.pc);
        if (!target || !model::endsThread(in.module, *target) || branch.activeLanes != threads) continue;
        const std::vector<trace::PcCounts>& perPc = in.recording.counts[branch.launch.value].perPc;
        const u64 idle = perPc[branch.pc.value].activeLanes;
        // Whole warps have nothing to do.
        const u64 going = branch.pc.value + 1 < perPc.size() ? perPc[branch.pc.value + 1].executions : 0;
        // One block is what a scan leaves idle, whose first block has no sum to add.
        if (idle < 2 * launch.block.count() || in.recording.sample || !isBeforeAccesses(in, branch) ||
            2 * (branch.executions - going) < branch.executions)
            continue;
        Hint hint = hintAt(placeOf(in.module, branch.launch, branch.pc), HintUnit::Threads, idle, threads);
        hint.what =
            Message(english("{0} of the {1} {1:thread|threads} have nothing to do: they return here."),
                    grouped(idle), grouped(threads));
        hint.cure = english(
            "Launch as many blocks as the data need: their number, divided by the threads of "
            "a block and rounded up.");
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::vector<Hint> fewBlocks(const HintInput& in) {
    // With less to do, more blocks would hardly be sooner. A few blocks with large tiles are what a product
    // of small matrices has to live with.
    constexpr u64 kLong = 10'000, kForEachBlock = 50;
    std::vector<Hint> hints;
    for (u32 launch = 0; launch < in.recording.launches.size(); ++launch) {
        const Launch& of = in.recording.launches[launch];
        const u64 blocks = of.grid.count(), warps = blocks * ((of.block.count() + kWarpSize - 1) / kWarpSize);
        if (launch >= in.recording.counts.size() ||
            (blocks > 1 && kForEachBlock * blocks > in.profile.multiprocessors) ||
            in.recording.counts[launch].warpInstructions < kLong * warps)
            continue;
        Hint hint = hintAt({.launch = LaunchId{launch}, .pc = kNoPc, .line = {}}, HintUnit::Multiprocessors,
                           in.profile.multiprocessors - blocks, in.profile.multiprocessors);
        hint.what = Message(english("The grid has {0} {0:block|blocks} for {1} SMs, and each of its warps "
                                    "issues {2} {2:instruction|instructions} on average."),
                            grouped(blocks), grouped(in.profile.multiprocessors),
                            grouped(in.recording.counts[launch].warpInstructions / warps));
        hint.cure = english(
            "Share the work among more threads and blocks: fewer elements for each thread, or "
            "loops with a stride of the whole grid.");
        hints.push_back(std::move(hint));
    }
    return hints;
}

std::vector<Hint> accidentalDoubles(const HintInput& in) {
    using ptx::Type;
    struct Doubles {
        u64 executions = 0, arithmetic = 0, back = 0;
    };
    SumsByLine<Doubles> sums;
    u64 arithmetic = 0, back = 0;
    for (u32 launch = 0; launch < in.recording.counts.size(); ++launch) {
        const std::vector<trace::PcCounts>& perPc = in.recording.counts[launch].perPc;
        for (u32 pc = 0; pc < perPc.size() && pc < in.module.instructions.size(); ++pc) {
            const ptx::Instruction& instruction = in.module.instructions[pc];
            const u64 executions = perPc[pc].executions;
            if (executions == 0) continue;
            const bool isDouble = instruction.types[0] == Type::F64,
                       toFloat = instruction.types[0] == Type::F32 && instruction.types[1] == Type::F64;
            if (!isDouble && !toFloat) continue;
            const ptx::OpcodeClass kind = ptx::opcodeTable()[instruction.opcode].opcodeClass;
            // Doubles that the kernel is given, or keeps, are meant.
            if (kind == ptx::OpcodeClass::Memory || kind == ptx::OpcodeClass::Atomic) return {};
            const bool isConversion = instruction.name.starts_with("cvt");
            sums.at(in.module, LaunchId{launch}, Pc{pc}, 0).executions += executions;
            (toFloat ? back : arithmetic) += toFloat || !isConversion ? executions : 0;
        }
    }
    // A sum that is kept in double on purpose is converted once, at its end.
    if (arithmetic == 0 || 4 * back < arithmetic) return {};
    std::vector<Hint> hints;
    sums.forEach([&](const HintPlace& place, const Doubles& sum) {
        Hint hint = hintAt(place, HintUnit::IssueSlots, sum.executions, in.issueSlots());
        hint.what =
            Message(english("Floats are converted to double and back: {0} instruction {0:issue|issues} "
                            "in 64-bit arithmetic."),
                    grouped(sum.executions));
        hint.cure = english(
            "Write constants and functions as float: 0.5f rather than 0.5, sqrtf rather than "
            "sqrt of a double.");
        hints.push_back(std::move(hint));
    });
    return hints;
}

}  // namespace lockstep::explain
