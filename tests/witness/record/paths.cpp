// Which lanes come to each step of a warp: those whose next instruction it is, whatever its guard then
// says.
#include "witness/record/facts.h"

#include <algorithm>
#include <array>

namespace lockstep::witness {

// Each lane's next instruction, followed through the warp's steps: an unguarded step says itself which lanes
// it has; behind a guarded one those that came go on, or to where it leads.
std::vector<LaneMask> arrivingLanes(const ptx::Module& module, const trace::WarpTrace& warp, u32 exist) {
    constexpr u32 kUnknown = ~u32{0}, kEnded = kUnknown - 1;
    std::array<u32, kWarpSize> next;
    next.fill(kUnknown);
    std::vector<LaneMask> arriving;
    arriving.reserve(warp.steps.size());
    for (const trace::Step& step : warp.steps) {
        const u32 pc = step.pc.value;
        if (pc >= module.instructions.size())
            return std::vector<LaneMask>(warp.steps.size(), LaneMask::firstLanes(exist));
        const ptx::Instruction& instruction = module.at(step.pc);
        u32 came = step.active.bits;
        if (instruction.guard.present)
            for (u32 lane = 0; lane < kWarpSize; ++lane)
                came |= next[lane] == pc ? 1u << lane : 0;
        arriving.push_back(LaneMask{came});
        const bool jumps = instruction.form.starts_with("bra"),
                   ends = instruction.form.starts_with("ret") || instruction.form.starts_with("exit"),
                   leaves = instruction.form.starts_with("brx") || instruction.form.starts_with("call");
        u32 target = kUnknown;
        for (const ptx::Operand& operand : module.operandsOf(instruction))
            if (const auto* label = std::get_if<ptx::LabelOperand>(&operand); label && jumps)
                target = label->target.value;
        for (u32 lane = 0; lane < kWarpSize; ++lane) {
            if (!(came >> lane & 1)) continue;
            const bool isOn = step.active.bits >> lane & 1;
            next[lane] = isOn && jumps ? target : isOn && ends ? kEnded : isOn && leaves ? kUnknown : pc + 1;
        }
    }
    return arriving;
}

namespace {

// Of a block, from an instruction without a guard, or else from what leads there: lanes that jump to it and
// lanes that fall into it.
u64 comingTo(const RunFacts& run, const ptx::Function& function, u32 number, u32 depth) {
    const ptx::Module& module = *run.run().module;
    const auto activeOf = [&](u32 pc) {
        const auto found = run.ofPc().find(pc);
        return found == run.ofPc().end() ? u64{0} : found->second.activeLanes;
    };
    const ptx::BasicBlock& block = function.blocks[number];
    for (u32 pc = block.first.value; pc < block.end.value; ++pc)
        if (!module.at(Pc{pc}).guard.present) return activeOf(pc);
    u64 lanes = 0;
    for (u32 from = 0; from < function.blocks.size() && depth < 64; ++from) {
        const ptx::BasicBlock& before = function.blocks[from];
        if (std::ranges::find(before.successors, number) == before.successors.end()) continue;
        const u32 last = before.end.value - 1;
        const bool jumps = module.at(Pc{last}).form.starts_with("bra");
        const bool fallsIn = from + 1 == number;
        if (!jumps)
            lanes += comingTo(run, function, from, depth + 1);
        else
            lanes += fallsIn ? comingTo(run, function, from, depth + 1) - activeOf(last) : activeOf(last);
    }
    return lanes;
}

}  // namespace

u64 RunFacts::lanesComingTo(Pc pc) const {
    const ptx::Function& function = run_.module->functions[run_.module->functionOf(pc).value];
    return comingTo(*this, function, function.blockOf(pc), 0);
}

}  // namespace lockstep::witness
