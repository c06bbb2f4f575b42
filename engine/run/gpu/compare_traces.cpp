#include "run/gpu/compare_traces.h"

#include "base/check.h"
#include "explain/sentences/words.h"

#include <algorithm>
#include <set>

namespace lockstep::run {

using trace::FocusBlock;
using trace::StoredAccess;
using trace::WarpTrace;

namespace {

// Whether the instruction depends on what other threads do at the moment, or on time.
bool waits(const ptx::Module& module, Pc pc) {
    const ptx::Instruction& instruction = module.at(pc);
    const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name;
    const ptx::Ordering ordering = instruction.modifiers.ordering;
    if (opcode == "mbarrier") return instruction.form.find("_wait") != std::string_view::npos;
    if (opcode == "ld")
        return ordering != ptx::Ordering::None && ordering != ptx::Ordering::Weak &&
               instruction.modifiers.space != ptx::StateSpace::Shared;
    return std::ranges::any_of(module.operandsOf(instruction), [](const ptx::Operand& operand) {
        const auto* special = std::get_if<ptx::SpecialOperand>(&operand);
        using enum ptx::Special;
        constexpr ptx::Special kOfTheMachine[] = {Clock,         ClockHi,       Clock64, GlobalTimer,
                                                  GlobalTimerLo, GlobalTimerHi, SmId,    NSmId,
                                                  WarpId,        NWarpId,       GridId};
        return special && std::ranges::find(kOfTheMachine, special->special) != std::end(kOfTheMachine);
    });
}

// The result of what a finding names is undefined.
std::set<u32> pcsOf(const std::vector<trace::Finding>& findings) {
    std::set<u32> pcs;
    for (const trace::Finding& finding : findings) {
        if (trace::isRemark(finding.kind)) continue;
        pcs.insert(finding.who.pc.value);
        if (finding.other) pcs.insert(finding.other->pc.value);
    }
    return pcs;
}

// Instructions whose values depend on thread order, or on uninitialized data.
std::set<u32> undefinedPcs(const ptx::Module& module, const std::vector<trace::Finding>& findings,
                           const trace::Trace& trace) {
    std::set<u32> pcs = pcsOf(findings);
    for (u32 pc = 0; pc < module.instructions.size(); ++pc)
        if (waits(module, Pc{pc})) pcs.insert(pc);
    for (const FocusBlock& block : trace.blocks)
        for (const WarpTrace& warp : block.warps)
            for (const StoredAccess& access : warp.accesses)
                if (access.kind == trace::AccessKind::Atomic) pcs.insert(access.pc.value);
    return pcs;
}

class BlockComparison {
public:
    BlockComparison(const FocusBlock& emulated, const FocusBlock& recorded, const std::set<u32>& undefined,
                    bool isBehindRace, TraceComparison& result, std::set<u32>& regrouped)
        : emulated_(emulated),
          recorded_(recorded),
          result_(result),
          regrouped_(regrouped),
          firstRace_(isBehindRace ? 0 : ~0u) {
        for (const WarpTrace& warp : emulated.warps)
            for (u32 step = 0; step < warp.steps.size(); ++step)
                if (undefined.contains(warp.steps[step].pc.value)) {
                    firstRace_ = std::min(firstRace_, warp.phaseOf(step));
                    break;
                }
    }

    void compare() {
        CHECK_EQ(emulated_.warps.size(), recorded_.warps.size(), "both are the same block");
        for (warp_ = 0; warp_ < emulated_.warps.size(); ++warp_) {
            const WarpTrace &a = emulated_.warps[warp_], &b = recorded_.warps[warp_];
            result_.steps += a.steps.size();
            result_.accesses += a.accesses.size();
            const u32 lanes = std::min(emulated_.threads - warp_ * kWarpSize, kWarpSize);
            for (u32 lane = 0; lane < lanes; ++lane)
                compareLane(a, b, Lane{lane});
        }
        if (firstRace_ != ~0u)
            result_.racedAccessesDiffer |= racedAccesses(emulated_) != racedAccesses(recorded_);
    }

private:
    static u32 next(const WarpTrace& warp, u32 step, Lane lane) {
        while (step < warp.steps.size() && !warp.steps[step].active.has(lane))
            ++step;
        return step;
    }

    // Instruction and address of every thread's access from the first race on, sorted.
    std::vector<std::pair<u32, u64>> racedAccesses(const FocusBlock& block) const {
        std::vector<std::pair<u32, u64>> accesses;
        for (const WarpTrace& warp : block.warps)
            for (u32 step = 0; step < warp.steps.size(); ++step) {
                const u32 at = warp.steps[step].access;
                if (at == trace::Step::kNone || warp.phaseOf(step) < firstRace_) continue;
                for (Lane lane : warp.accesses[at].active)
                    accesses.emplace_back(warp.accesses[at].pc.value, warp.address(warp.accesses[at], lane));
            }
        std::ranges::sort(accesses);
        return accesses;
    }

    void compareLane(const WarpTrace& a, const WarpTrace& b, Lane lane) {
        const bool isWhole = !emulated_.truncated && !recorded_.truncated;
        bool differs = false;
        for (u32 i = next(a, 0, lane), j = next(b, 0, lane);;
             i = next(a, i + 1, lane), j = next(b, j + 1, lane)) {
            const bool endsA = i == a.steps.size(), endsB = j == b.steps.size();
            if (endsA && endsB) return;
            const u32 phase = endsA ? a.phaseOf(u32(a.steps.size())) : a.phaseOf(i);
            if (endsA || endsB || a.steps[i].pc != b.steps[j].pc) {
                if ((endsA || endsB) && !isWhole) return;
                tell(result_.paths, result_.first, phase, differs, lane, [&] {
                    return endsA ? "goes on at pc " + std::to_string(b.steps[j].pc.value) +
                                       " where the emulator's ended"
                                 : "is at " +
                                       (endsB ? "its end" : "pc " + std::to_string(b.steps[j].pc.value)) +
                                       " instead of pc " + std::to_string(a.steps[i].pc.value);
                });
                return;
            }
            if (a.steps[i].active != b.steps[j].active) {
                tell(result_.groups, result_.firstGroup, phase, differs, lane, [&] {
                    return "executes pc " + std::to_string(a.steps[i].pc.value) + " with " +
                           std::to_string(b.steps[j].active.count()) + " lanes instead of " +
                           std::to_string(a.steps[i].active.count());
                });
                if (phase < firstRace_) regrouped_.insert(a.steps[i].pc.value);
            }
            compareAccesses(a, a.steps[i], b, b.steps[j], lane, phase, differs);
        }
    }

    // A step has one access, a copy two; with generic addresses in several spaces, one per space.
    void compareAccesses(const WarpTrace& a, const trace::Step& stepA, const WarpTrace& b,
                         const trace::Step& stepB, Lane lane, u32 phase, bool& differs) {
        if (stepA.access == trace::Step::kNone || stepB.access == trace::Step::kNone) return;
        u32 i = stepA.access, j = stepB.access;
        for (;; ++i, ++j) {
            while (i < a.accesses.size() && a.accesses[i].pc == stepA.pc && !a.accesses[i].active.has(lane))
                ++i;
            while (j < b.accesses.size() && b.accesses[j].pc == stepB.pc && !b.accesses[j].active.has(lane))
                ++j;
            if (i >= a.accesses.size() || j >= b.accesses.size() || a.accesses[i].pc != stepA.pc ||
                b.accesses[j].pc != stepB.pc)
                return;
            const StoredAccess &x = a.accesses[i], &y = b.accesses[j];
            const std::string pc = "pc " + std::to_string(x.pc.value);
            if (x.space != y.space || x.kind != y.kind || x.widthBytes != y.widthBytes ||
                a.address(x, lane) != b.address(y, lane))
                tell(result_.addresses, result_.first, phase, differs, lane, [&] {
                    return "is at " + std::string(nameOf(y.space)) + " address " +
                           std::to_string(b.address(y, lane)) + " at " + pc + " instead of " +
                           std::string(nameOf(x.space)) + " address " + std::to_string(a.address(x, lane));
                });
            else if (!std::ranges::equal(a.value(x, lane), b.value(y, lane)))
                tell(result_.values, result_.first, phase, differs, lane,
                     [&] { return "has another value at " + pc; });
            if (x.kind != trace::AccessKind::AsyncCopy) return;
        }
    }

    template <class Words>
    void tell(u64& count, std::string& first, u32 phase, bool& differs, Lane lane, const Words& words) {
        if (phase >= firstRace_) {
            result_.raced += !differs;
            differs = true;
            return;
        }
        ++count;
        if (!first.empty()) return;
        const Dim3 at = emulated_.block;
        first = "block " + explain::coordinates(at, {1, 1, 1}) + ", warp " + std::to_string(warp_) +
                ", lane " + std::to_string(lane.value) + " " + words();
    }

    const FocusBlock &emulated_, &recorded_;
    TraceComparison& result_;
    std::set<u32>& regrouped_;  // pcs
    u32 firstRace_;             // phase
    u32 warp_ = 0;
};

}  // namespace

TraceComparison compareTraces(const ptx::Module& module, const trace::Trace& emulated,
                              const trace::Trace& recorded, const std::vector<trace::Finding>& findings) {
    TraceComparison result;
    CHECK_EQ(emulated.blocks.size(), recorded.blocks.size(), "both have the same focus");
    const std::set<u32> undefined = undefinedPcs(module, findings, emulated);
    std::optional<LaunchId> firstFaulty;  // its results are undefined as well
    for (const trace::Finding& finding : findings)
        if (!trace::isRemark(finding.kind) && (!firstFaulty || finding.launch < *firstFaulty))
            firstFaulty = finding.launch;
    std::set<u32> regrouped;
    for (std::size_t i = 0; i < emulated.blocks.size(); ++i) {
        result.blocks += 1;
        result.truncated |= emulated.blocks[i].truncated || recorded.blocks[i].truncated;
        const bool isBehind = firstFaulty && *firstFaulty < emulated.blocks[i].launch;
        BlockComparison(emulated.blocks[i], recorded.blocks[i], undefined, isBehind, result, regrouped)
            .compare();
    }
    result.regrouped = regrouped.size();
    return result;
}

}  // namespace lockstep::run
