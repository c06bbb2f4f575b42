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

std::optional<Pc> targetOf(const ptx::Module& module, Pc pc) {
    if (pc.value >= module.instructions.size()) return std::nullopt;
    for (const ptx::Operand& operand : module.operandsOf(module.at(pc)))
        if (const auto* label = std::get_if<ptx::LabelOperand>(&operand)) return label->target;
    return std::nullopt;
}

}  // namespace lockstep::explain
