#include "model/branches/arriving_lanes.h"

#include "ptx/analysis/control_flow.h"
#include "ptx/opcodes.h"

#include <optional>
#include <string_view>

namespace lockstep::model {
namespace {

using ptx::BasicBlock;
using ptx::Function;
using ptx::Module;

bool isBranch(const ptx::Instruction& instruction) {
    const std::string_view name = ptx::opcodeTable()[instruction.opcode].name;
    return name == "bra" || name == "brx";
}

// Taken from an unguarded instruction: the active lanes are the same throughout the block.
std::optional<u64> lanesOf(const BasicBlock& block, const Module& module,
                           const std::vector<trace::PcCounts>& perPc) {
    for (u32 pc = block.first.value; pc < block.end.value; ++pc)
        if (!module.instructions[pc].guard.present) return perPc[pc].activeLanes;
    return std::nullopt;
}

}  // namespace

std::vector<u64> arrivingLanes(const Module& module, const std::vector<trace::PcCounts>& perPc) {
    std::vector<u64> came(perPc.size());
    for (std::size_t pc = 0; pc < perPc.size(); ++pc)
        came[pc] = perPc[pc].activeLanes;
    if (perPc.size() < module.instructions.size()) return came;
    for (const Function& function : module.functions)
        for (const BasicBlock& block : function.blocks) {
            std::optional<u64> lanes = lanesOf(block, module, perPc);
            // A block that is only a guarded branch: lanes that take it plus lanes seen after it.
            if (!lanes && block.end.value == block.first.value + 1 && block.successors.size() == 2 &&
                ptx::waysTo(function, block.successors[1]) == 1)
                if (const auto next = lanesOf(function.blocks[block.successors[1]], module, perPc))
                    lanes = perPc[block.first.value].activeLanes + *next;
            for (u32 pc = block.first.value; lanes && pc < block.end.value; ++pc)
                if (module.instructions[pc].guard.present) came[pc] = *lanes;
        }
    return came;
}

u64 lanesAtWork(const Module& module, const std::vector<trace::PcCounts>& perPc, const std::vector<u64>& came,
                Pc pc) {
    return pc.value < module.instructions.size() && isBranch(module.at(pc)) ? came[pc.value]
                                                                            : perPc[pc.value].activeLanes;
}

}  // namespace lockstep::model
