#include "simt/tally.h"

#include "ptx/opcodes.h"

#include <string_view>

namespace lockstep::simt {
namespace {

bool isConditionalBranch(const ptx::Instruction& instruction) {
    const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
    return instruction.guard.present && (name == "bra" || name == "brx");
}

// to[i] += times * from[i], modulo 2^64.
void addTo(std::vector<u64>& to, const std::vector<u64>& from, u64 times) {
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += times * from[i];
}

}  // namespace

void Tally::add(const Tally& other, u64 times) {
    for (std::size_t i = 0; i < segments.size(); ++i) {
        segments[i].executions += times * other.segments[i].executions;
        segments[i].lanes += times * other.segments[i].lanes;
    }
    addTo(guardedLanes, other.guardedLanes, times);
    addTo(divergent, other.divergent, times);
    followed += times * other.followed;
}

void Tally::subtract(const Tally& other) { add(other, ~u64{0}); }

void Tally::fill(const Program& program, trace::GridCounts& counts) const {
    const auto& instructions = program.module->instructions;
    counts.perPc.assign(instructions.size(), {});
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const Segment& segment = program.segments[i];
        for (u32 pc = segment.firstPc; pc < segment.firstPc + segment.instructions; ++pc) {
            counts.perPc[pc].executions += segments[i].executions;
            if (!instructions[pc].guard.present)
                counts.perPc[pc].activeLanes += segments[i].lanes;
            else if (isConditionalBranch(instructions[pc]))  // a lane that does not jump executes it, too
                counts.threadInstructions += segments[i].lanes;
        }
    }
    for (std::size_t pc = 0; pc < instructions.size(); ++pc) {
        counts.perPc[pc].activeLanes += guardedLanes[pc];
        counts.perPc[pc].divergent = divergent[pc];
        counts.warpInstructions += counts.perPc[pc].executions;
        if (!isConditionalBranch(instructions[pc])) counts.threadInstructions += counts.perPc[pc].activeLanes;
    }
}

}  // namespace lockstep::simt
