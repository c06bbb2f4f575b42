#include "model/branches/contraction.h"

#include "ptx/opcodes.h"

#include <algorithm>
#include <string_view>

namespace lockstep::model {
namespace {

std::string_view opcodeOf(const ptx::Instruction& instruction) {
    return ptx::opcodeTable()[instruction.opcode].name;
}

bool isContractible(const ptx::Instruction& instruction) {
    return ptx::isFloat(instruction.types[0]) && instruction.modifiers.rounding == ptx::Rounding::None;
}

// Registers of one function: backward, those whose value an addition may use; forward, those that may hold a
// product.
class Products {
public:
    Products(const ptx::Module& module, const ptx::Function& function)
        : module_(module),
          function_(function),
          added_(function.registers.size()),
          product_(function.registers.size()) {
        forEach([&](Pc, const ptx::Instruction& instruction) {
            if (isAddition(instruction)) forEachSource(instruction, [&](u32 id) { added_[id] = true; });
            if (isMultiplication(instruction)) forTarget(instruction, [&](u32 id) { product_[id] = true; });
        });
        for (bool changed = true; changed;) {
            changed = false;
            forEach([&](Pc, const ptx::Instruction& instruction) {
                const std::string_view opcode = opcodeOf(instruction);
                if (opcode != "mov" && opcode != "neg" && opcode != "abs") return;
                forTarget(instruction, [&](u32 to) {
                    forEachSource(instruction, [&](u32 from) {
                        if (added_[to] && !added_[from]) added_[from] = changed = true;
                        if (product_[from] && !product_[to]) product_[to] = changed = true;
                    });
                });
            });
        }
    }

    void addTo(Contraction& found) const {
        forEach([&](Pc pc, const ptx::Instruction& instruction) {
            if (isMultiplication(instruction))
                forTarget(instruction, [&](u32 id) { found.multiplications[pc.value] = added_[id]; });
            if (isAddition(instruction))
                forEachSource(instruction, [&](u32 id) {
                    found.additions[pc.value] = found.additions[pc.value] || product_[id];
                });
        });
    }

private:
    static bool isMultiplication(const ptx::Instruction& instruction) {
        return opcodeOf(instruction) == "mul" && isContractible(instruction);
    }
    static bool isAddition(const ptx::Instruction& instruction) {
        return (opcodeOf(instruction) == "add" || opcodeOf(instruction) == "sub") &&
               isContractible(instruction);
    }
    template <class Do> void forEach(Do&& what) const {
        for (u32 pc = function_.first.value; pc < function_.end.value; ++pc)
            what(Pc{pc}, module_.instructions[pc]);
    }
    template <class Do> void forTarget(const ptx::Instruction& instruction, Do&& what) const {
        const auto operands = module_.operandsOf(instruction);
        if (operands.empty()) return;
        if (const auto* target = std::get_if<ptx::RegisterOperand>(&operands[0])) what(target->id.value);
    }
    template <class Do> void forEachSource(const ptx::Instruction& instruction, Do&& what) const {
        for (const ptx::Operand& operand :
             module_.operandsOf(instruction).subspan(std::min<std::size_t>(instruction.operandCount, 1)))
            if (const auto* source = std::get_if<ptx::RegisterOperand>(&operand)) what(source->id.value);
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    std::vector<bool> added_, product_;
};

}  // namespace

Contraction contraction(const ptx::Module& module) {
    Contraction found{std::vector<bool>(module.instructions.size()),
                      std::vector<bool>(module.instructions.size())};
    for (const ptx::Function& function : module.functions)
        if (!function.isDeclaration) Products(module, function).addTo(found);
    return found;
}

}  // namespace lockstep::model
