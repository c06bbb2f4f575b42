// Which registers an instruction writes, and which it reads. Its guard is not an operand: check it
// separately.
#pragma once

#include "ptx/module.h"

#include <span>

namespace lockstep::ptx {

// The result stands first, where there is one: an address, or what an instruction without a result starts
// with, is read.
bool hasResult(const Module& module, const Instruction& instruction);

// Every register in the operand: its own, of an address the base, of a vector all elements'.
template <class Visit> void forEachRegister(const Operand& operand, const Visit& visit) {
    if (const auto* value = std::get_if<RegisterOperand>(&operand)) visit(value->id);
    if (const auto* pair = std::get_if<PairOperand>(&operand)) visit(pair->value), visit(pair->predicate);
    if (const auto* address = std::get_if<AddressOperand>(&operand))
        if (const auto* id = std::get_if<RegisterId>(&address->base)) visit(*id);
    if (const auto* list = std::get_if<VectorOperand>(&operand))
        for (const Operand& element : list->elements)
            forEachRegister(element, visit);
}
template <class Visit>
void forEachWritten(const Module& module, const Instruction& instruction, const Visit& visit) {
    if (hasResult(module, instruction)) forEachRegister(module.operandsOf(instruction)[0], visit);
}
template <class Visit>
void forEachRead(const Module& module, const Instruction& instruction, const Visit& visit) {
    for (const Operand& operand :
         module.operandsOf(instruction).subspan(hasResult(module, instruction) ? 1 : 0))
        forEachRegister(operand, visit);
}

}  // namespace lockstep::ptx
