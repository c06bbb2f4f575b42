// Lines of the source for instructions to which the compiler's line table gives none: short code, from the
// kernel's basic blocks.
#include "witness/record/facts.h"

namespace lockstep::witness {

// The line of the nearest instruction before it in its block; in a block that is reached by one jump alone
// (an `else`), of the nearest one behind it; else of the nearest one before it in the function.
std::vector<u32> filledLines(const ptx::Module& module, const std::vector<u32>& own) {
    std::vector<u32> lines = own;
    for (const ptx::Function& function : module.functions)
        for (u32 b = 0; b < function.blocks.size(); ++b) {
            const ptx::BasicBlock& block = function.blocks[b];
            u32 jumps = 0, fallsIn = 0;
            for (u32 from = 0; from < function.blocks.size(); ++from)
                for (const u32 to : function.blocks[from].successors)
                    jumps += to == b, fallsIn += to == b && from + 1 == b;
            for (u32 pc = block.first.value; pc < block.end.value && pc < own.size(); ++pc) {
                if (own[pc]) continue;
                if (pc > block.first.value && lines[pc - 1]) {
                    lines[pc] = lines[pc - 1];
                    continue;
                }
                if (jumps == 1 && fallsIn == 0)
                    for (u32 on = pc; on < block.end.value && !lines[pc]; ++on)
                        lines[pc] = own[on];
                for (u32 back = pc; back-- > function.first.value && !lines[pc];)
                    lines[pc] = own[back];
            }
        }
    return lines;
}

}  // namespace lockstep::witness
