#include "ptx/analysis/control_flow.h"

#include "ptx/analysis/post_dominators.h"

#include <algorithm>
#include <utility>

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

std::vector<std::vector<u32>> predecessorsOf(const std::vector<BasicBlock>& blocks) {
    std::vector<std::vector<u32>> predecessors(blocks.size());
    for (u32 b = 0; b < blocks.size(); ++b)
        for (const u32 s : blocks[b].successors)
            predecessors[s].push_back(b);
    return predecessors;
}

// The blocks `from`, and those that lead to them through blocks that `goesOn` is true of.
template <class GoesOn>
std::vector<bool> linkTo(std::vector<u32> from, const std::vector<BasicBlock>& blocks, const GoesOn& goesOn) {
    const std::vector<std::vector<u32>> predecessors = predecessorsOf(blocks);
    std::vector<bool> leads(blocks.size());
    for (const u32 b : from)
        leads[b] = true;
    while (!from.empty()) {
        const u32 b = from.back();
        from.pop_back();
        for (const u32 before : predecessors[b])
            if (!leads[before] && goesOn(blocks[before])) {
                leads[before] = true;
                from.push_back(before);
            }
    }
    return leads;
}

// Nothing is done there but to leave, or to jump to where that is so.
std::vector<bool> endsOf(const Function& function, const Module& module) {
    const auto isOnly = [&](const BasicBlock& block, Flow flow) {
        const Instruction& first = module.instructions[block.first.value];
        return block.end.value == block.first.value + 1 && !first.guard.present && flowOf(first) == flow;
    };
    std::vector<u32> ends;
    for (u32 b = 0; b < function.blocks.size(); ++b)
        if (isOnly(function.blocks[b], Flow::Leave)) ends.push_back(b);
    return linkTo(std::move(ends), function.blocks, [&](const BasicBlock& block) {
        return block.successors.size() == 1 && isOnly(block, Flow::Branch);
    });
}

// A thread that leaves a kernel early is not waited for: branches whose paths meet nowhere but at the end
// meet where those do that go on to the kernel's end proper, the last block that leaves. ptxas does so: of
// `if (a) { if (b) { ...; return; } ... } rest` it makes a BSSY for `rest`, from which lanes go with an EXIT
// (13.0 for sm_90).
void meetWithoutThoseThatLeave(Function& function, const Module& module) {
    const std::vector<bool> ends = endsOf(function, module);
    const auto meetsAtTheEnd = [&](const BasicBlock& block) {
        return block.successors.size() > 1 &&
               (block.immediatePostDominator == BasicBlock::kExit || ends[block.immediatePostDominator]);
    };
    if (std::ranges::none_of(function.blocks, meetsAtTheEnd)) return;
    std::vector<BasicBlock> kept = function.blocks;
    u32 last = BasicBlock::kExit;
    for (u32 b = 0; b < kept.size(); ++b) {
        std::erase_if(kept[b].successors, [&](u32 s) { return ends[s]; });
        const bool isTrap = opcodeTable()[module.instructions[kept[b].end.value - 1].opcode].name == "trap";
        if (kept[b].successors.empty() && !ends[b] && !isTrap) last = b;
    }
    if (last == BasicBlock::kExit) return;
    const std::vector<bool> goesOn = linkTo({last}, kept, [](const BasicBlock&) { return true; });
    std::vector<bool> leaves(kept.size());
    for (u32 b = 0; b < kept.size(); ++b) {
        std::erase_if(kept[b].successors, [&](u32 s) { return !goesOn[b] || !goesOn[s]; });
        leaves[b] = b == last || !goesOn[b];
    }
    computePostDominators(kept, leaves);
    for (u32 b = 0; b < kept.size(); ++b)
        if (kept[b].successors.size() > 1 && kept[b].immediatePostDominator != BasicBlock::kExit &&
            meetsAtTheEnd(function.blocks[b]))
            function.blocks[b].immediatePostDominator = kept[b].immediatePostDominator;
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
    if (function.isEntry) meetWithoutThoseThatLeave(function, module);
}

u32 waysTo(const Function& function, u32 block) {
    u32 ways = block == 0;
    for (const BasicBlock& other : function.blocks)
        ways += u32(std::ranges::count(other.successors, block));
    return ways;
}

}  // namespace lockstep::ptx
