#include "ptx/analysis/barrier_paths.h"

#include <algorithm>
#include <vector>

namespace lockstep::ptx {
namespace {

bool isBarrierOfBlock(const Instruction& instruction) {
    const std::string_view name = instruction.name;
    return name.starts_with("bar.sync") || name.starts_with("bar.red") ||
           name.starts_with("barrier.cluster.wait") || name.starts_with("barrier.sync") ||
           name.starts_with("barrier.red");
}

bool isBarrier(const Instruction& instruction, BarrierOf of) {
    return isBarrierOfBlock(instruction) ||
           (of == BarrierOf::BlockOrWarp && instruction.name.starts_with("bar.warp.sync"));
}

enum class End { Reached, Barrier, OfBlock };

// Along one basic block, from `first` on.
End walk(Pc first, Pc end, Pc to, const Module& module, BarrierOf barrier) {
    for (u32 pc = first.value; pc < end.value; ++pc) {
        if (pc == to.value) return End::Reached;
        if (isBarrier(module.at(Pc(pc)), barrier)) return End::Barrier;
    }
    return End::OfBlock;
}

}  // namespace

bool reachesWithoutBarrier(Pc from, Pc to, const Module& module, BarrierOf barrier) {
    const FunctionId id = module.functionOf(from);
    if (id.value >= module.functions.size()) return false;
    const Function& function = module.functions[id.value];
    if (to.value < function.first.value || to.value >= function.end.value) return false;

    const u32 start = function.blockOf(from);
    const End begin = walk(Pc(from.value + 1), function.blocks[start].end, to, module, barrier);
    if (begin != End::OfBlock) return begin == End::Reached;
    std::vector<bool> seen(function.blocks.size());
    std::vector<u32> open = function.blocks[start].successors;
    while (!open.empty()) {
        const u32 next = open.back();
        open.pop_back();
        if (next >= seen.size() || seen[next]) continue;
        seen[next] = true;
        const BasicBlock& block = function.blocks[next];
        const End end = walk(block.first, block.end, to, module, barrier);
        if (end == End::Reached) return true;
        if (end == End::OfBlock) open.insert(open.end(), block.successors.begin(), block.successors.end());
    }
    return false;
}

}  // namespace lockstep::ptx
