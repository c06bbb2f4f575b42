#include "explain/branches.h"

#include "ptx/opcodes.h"

namespace lockstep::explain {

bool isBranch(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return false;
    const std::string_view opcode = ptx::opcodeTable()[module.at(pc).opcode].name;
    return opcode == "bra" || opcode == "brx";
}

bool isConditionalBranch(const ptx::Module& module, Pc pc) {
    return isBranch(module, pc) && module.at(pc).guard.present;
}

}  // namespace lockstep::explain
