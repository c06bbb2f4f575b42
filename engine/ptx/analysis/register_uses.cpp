#include "ptx/analysis/register_uses.h"

#include "ptx/opcodes.h"

namespace lockstep::ptx {

bool hasResult(const Module& module, const Instruction& instruction) {
    const std::span<const Operand> operands = module.operandsOf(instruction);
    const OpcodeRow& row = opcodeTable()[instruction.opcode];
    if (operands.empty() || std::holds_alternative<AddressOperand>(operands[0]) ||
        row.opcodeClass == OpcodeClass::Control)
        return false;
    // The coordinates of a surface: [a, {x, y}].
    if (const auto* place = std::get_if<VectorOperand>(&operands[0]);
        place && !place->elements.empty() && std::holds_alternative<AddressOperand>(place->elements[0]))
        return false;
    // Of the block's barriers, only those that combine a predicate.
    if (row.name == "bar" || row.name == "barrier")
        return instruction.form.find("red") != std::string_view::npos;
    // In the rule for the opcode's operands, results have a "=", fragments of matrices are a list; "*" stands
    // for a rule of its own.
    return row.operands.find_first_of("={*") != std::string_view::npos;
}

}  // namespace lockstep::ptx
