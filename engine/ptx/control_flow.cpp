#include "ptx/control_flow.h"

#include "ptx/post_dominators.h"

#include <algorithm>

namespace lockstep::ptx {
namespace {

enum class Flow : u8 {
    Next,
    Branch,
    Leave
};  // Branch: to labels; Leave: the function ends for the lanes that run this

Flow flowOf(const Instruction& i) {
    const OpcodeRow& row = opcodeTable()[i.opcode];
    if (row.opcodeClass != OpcodeClass::Control) return Flow::Next;
    if (row.name == "bra" || row.name == "brx") return Flow::Branch;
    if (row.name == "ret" || row.name == "exit" || row.name == "trap") return Flow::Leave;
    return Flow::Next;
}

template <class Visit> void forEachTarget(const Instruction& i, const Module& module, Visit visit) {
    for (const Operand& operand : module.operandsOf(i)) {
        if (const auto* label = std::get_if<LabelOperand>(&operand)) visit(label->target);
        if (const auto* list = std::get_if<VectorOperand>(&operand))
            for (const Operand& element : list->elements)
                visit(std::get<LabelOperand>(element).target);
    }
}

}  // namespace

bool needsReturn(const Function& function, const Module& module) {
    const u32 end = u32(module.instructions.size());
    if (end == function.first.value) return true;
    const Instruction& last = module.instructions[end - 1];
    if (last.guard.present || flowOf(last) == Flow::Next) return true;
    bool leadsBehind = false;
    for (u32 pc = function.first.value; pc < end && !leadsBehind; ++pc) {
        const Instruction& i = module.instructions[pc];
        if (flowOf(i) == Flow::Branch)
            forEachTarget(i, module, [&](Pc target) { leadsBehind |= target.value == end; });
    }
    return leadsBehind;
}

void buildControlFlow(Function& function, const Module& module) {
    const u32 first = function.first.value, count = function.end.value - first;
    std::vector<u32> blockAt(count, 0);  // 1 = a block starts here; then the number of the block
    blockAt[0] = 1;
    for (u32 n = 0; n < count; ++n) {
        const Instruction& i = module.instructions[first + n];
        const Flow flow = flowOf(i);
        if (flow == Flow::Next) continue;
        if (flow == Flow::Branch)
            forEachTarget(i, module, [&](Pc target) { blockAt[target.value - first] = 1; });
        if (n + 1 < count) blockAt[n + 1] = 1;
    }

    function.blocks.clear();
    for (u32 n = 0; n < count; ++n) {
        if (blockAt[n]) {
            if (n) function.blocks.back().end = Pc{first + n};
            function.blocks.push_back({.first = Pc{first + n}, .end = function.end, .successors = {}});
        }
        blockAt[n] = u32(function.blocks.size() - 1);
    }

    std::vector<bool> leaves(function.blocks.size());
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
        BasicBlock& block = function.blocks[b];
        const Instruction& last = module.instructions[block.end.value - 1];
        const Flow flow = flowOf(last);
        if (flow == Flow::Branch)
            forEachTarget(last, module,
                          [&](Pc target) { block.successors.push_back(blockAt[target.value - first]); });
        if (flow == Flow::Next || last.guard.present) block.successors.push_back(u32(b + 1));
        leaves[b] = flow == Flow::Leave;
    }
    computePostDominators(function.blocks, leaves);
}

}  // namespace lockstep::ptx
