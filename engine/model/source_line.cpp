#include "model/source_line.h"

#include "ptx/own_location.h"

#include <algorithm>

namespace lockstep::model {
namespace {

// What the line table says of this very instruction.
SourceLine ownLineOf(Pc pc, const ptx::Module& module) {
    const ptx::Location& own = ptx::ownLocation(module, pc);
    return {own.file, own.line};
}

// The block follows a jump and has one predecessor elsewhere: the preceding text is unrelated.
bool isOnlyJumpedTo(const ptx::Function& function, u32 block) {
    u32 leading = 0;
    bool fallsIn = false;
    for (u32 from = 0; from < function.blocks.size(); ++from) {
        const u32 times = u32(std::ranges::count(function.blocks[from].successors, block));
        leading += times;
        fallsIn |= times > 0 && from + 1 == block;
    }
    return leading == 1 && !fallsIn;
}

}  // namespace

Pc nearestInstructionWithLine(Pc pc, const ptx::Module& module, const std::function<bool(Pc)>& hasLine) {
    if (module.locations.size() <= 1) return pc;  // no instruction has a line
    const ptx::Function& function = module.functions[module.functionOf(pc).value];
    const u32 number = function.blockOf(pc);
    const ptx::BasicBlock& block = function.blocks[number];
    Pc at = pc;
    while (at > block.first && !hasLine(at))
        --at.value;
    if (hasLine(at)) return at;
    if (isOnlyJumpedTo(function, number))
        for (Pc after = pc; after < block.end; ++after.value)
            if (hasLine(after)) return after;
    while (at > function.first && !hasLine(at))
        --at.value;
    return hasLine(at) ? at : pc;
}

SourceLine sourceLineOf(Pc pc, const ptx::Module& module) {
    if (pc.value >= module.instructions.size()) return {};
    const SourceLine own = ownLineOf(pc, module);
    if (own.line != 0) return own;
    return ownLineOf(
        nearestInstructionWithLine(pc, module, [&](Pc at) { return ownLineOf(at, module).line != 0; }),
        module);
}

}  // namespace lockstep::model
