#include "model/access/warp_aggregation.h"

#include "ptx/opcodes.h"

#include <algorithm>

namespace lockstep::model {
namespace {

using ptx::AtomicOp;
using ptx::Instruction;
using ptx::OpcodeClass;
using ptx::Operand;
using ptx::RegisterId;

bool isUniformSpecial(ptx::Special special) {
    switch (special) {
        case ptx::Special::TidX:
        case ptx::Special::TidY:
        case ptx::Special::TidZ:
        case ptx::Special::LaneId:
        case ptx::Special::WarpId:
        case ptx::Special::LaneMaskEq:
        case ptx::Special::LaneMaskLe:
        case ptx::Special::LaneMaskLt:
        case ptx::Special::LaneMaskGe:
        case ptx::Special::LaneMaskGt:
        case ptx::Special::Clock:
        case ptx::Special::ClockHi:
        case ptx::Special::Clock64: return false;
        default: return true;
    }
}

// Which registers hold the same value in all active lanes, as far as the PTX proves it.
class Uniformity {
public:
    Uniformity(const ptx::Module& module, const ptx::Function& function)
        : module_(module),
          function_(function),
          varies_(function.registers.size()),
          definitions_(function.registers.size()),
          counts_(function.registers.size()) {
        forEachTarget([&](RegisterId id, const Instruction& instruction) {
            ++definitions_[id.value];
            for (const Operand& operand : module_.operandsOf(instruction).subspan(1)) {
                const auto* source = std::get_if<ptx::RegisterOperand>(&operand);
                if (source && source->id == id) counts_[id.value] = true;
            }
        });
        for (bool changed = true; changed;) {
            changed = false;
            forEachTarget([&](RegisterId id, const Instruction& instruction) {
                if (varies_[id.value] || !mayVary(id, instruction)) return;
                varies_[id.value] = changed = true;
            });
        }
    }

    bool isUniform(const Operand& operand) const {
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand)) return !varies_[reg->id.value];
        if (const auto* special = std::get_if<ptx::SpecialOperand>(&operand))
            return isUniformSpecial(special->special);
        if (const auto* address = std::get_if<ptx::AddressOperand>(&operand)) {
            const auto* base = std::get_if<RegisterId>(&address->base);
            return !base || !varies_[base->value];
        }
        return !std::holds_alternative<ptx::VectorOperand>(operand) &&
               !std::holds_alternative<ptx::PairOperand>(operand);
    }

private:
    template <class Visit> void forEachTarget(const Visit& visit) {
        for (u32 pc = function_.first.value; pc < function_.end.value; ++pc) {
            const Instruction& instruction = module_.at(Pc{pc});
            const std::span<const Operand> operands = module_.operandsOf(instruction);
            if (operands.empty()) continue;
            if (const auto* target = std::get_if<ptx::RegisterOperand>(&operands[0]))
                visit(target->id, instruction);
            if (const auto* pair = std::get_if<ptx::PairOperand>(&operands[0]))
                visit(pair->value, instruction), visit(pair->predicate, instruction);
            if (const auto* list = std::get_if<ptx::VectorOperand>(&operands[0]))
                for (const Operand& element : list->elements)
                    if (const auto* target = std::get_if<ptx::RegisterOperand>(&element))
                        visit(target->id, instruction);
        }
    }

    bool mayVary(RegisterId id, const Instruction& instruction) const {
        const ptx::OpcodeRow& row = ptx::opcodeTable()[instruction.opcode];
        // A register's value where paths join depends on the path; only loop counters are followed.
        if (definitions_[id.value] > 1 && !counts_[id.value]) return true;
        const bool isKnownKind = row.opcodeClass == OpcodeClass::Arithmetic ||
                                 row.opcodeClass == OpcodeClass::Move || row.name == "ld";
        if (!isKnownKind || (row.name == "ld" && instruction.modifiers.space == ptx::StateSpace::Local))
            return true;
        return !std::ranges::all_of(module_.operandsOf(instruction).subspan(1),
                                    [&](const Operand& operand) { return isUniform(operand); });
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    std::vector<bool> varies_;
    std::vector<u32> definitions_;
    std::vector<bool> counts_;  // a definition that reads the register itself
};

bool isRead(const ptx::Module& module, const ptx::Function& function, RegisterId id) {
    const auto reads = [&](const Operand& operand) {
        const auto* reg = std::get_if<ptx::RegisterOperand>(&operand);
        const auto* address = std::get_if<ptx::AddressOperand>(&operand);
        const auto* base = address ? std::get_if<RegisterId>(&address->base) : nullptr;
        const auto* list = std::get_if<ptx::VectorOperand>(&operand);
        const auto isIt = [&](const Operand& element) {
            const auto* inside = std::get_if<ptx::RegisterOperand>(&element);
            return inside && inside->id == id;
        };
        return (reg && reg->id == id) || (base && *base == id) ||
               (list && std::ranges::any_of(list->elements, isIt));
    };
    for (u32 pc = function.first.value; pc < function.end.value; ++pc) {
        const Instruction& instruction = module.at(Pc{pc});
        const std::span<const Operand> operands = module.operandsOf(instruction);
        if (instruction.guard.present && instruction.guard.predicate == id) return true;
        const bool writesFirst = !operands.empty() &&
                                 std::holds_alternative<ptx::RegisterOperand>(operands[0]) &&
                                 ptx::opcodeTable()[instruction.opcode].opcodeClass != OpcodeClass::Barrier;
        if (std::ranges::any_of(operands.subspan(writesFirst ? 1 : 0), reads)) return true;
    }
    return false;
}

bool isAggregated(const ptx::Module& module, const ptx::Function& function, const Instruction& instruction,
                  const Uniformity& uniformity) {
    const ptx::OpcodeRow& row = ptx::opcodeTable()[instruction.opcode];
    if (row.opcodeClass != OpcodeClass::Atomic || instruction.modifiers.vector != 1) return false;
    const AtomicOp operation = instruction.modifiers.atomic;
    const bool isAdd = operation == AtomicOp::Add;
    const bool isOther = operation == AtomicOp::Min || operation == AtomicOp::Max ||
                         operation == AtomicOp::And || operation == AtomicOp::Or ||
                         operation == AtomicOp::Xor;
    const u32 bytes = ptx::bytesOf(instruction.types[0]);
    if ((!isAdd && !isOther) || ptx::isFloat(instruction.types[0]) || (bytes != 4 && bytes != 8))
        return false;

    const std::span<const Operand> operands = module.operandsOf(instruction);
    const auto address = std::ranges::find_if(
        operands, [](const Operand& o) { return std::holds_alternative<ptx::AddressOperand>(o); });
    if (address == operands.end() || address + 1 == operands.end() || !uniformity.isUniform(*address))
        return false;
    if (bytes == 8) return isAdd && uniformity.isUniform(*(address + 1));
    const auto* old = std::get_if<ptx::RegisterOperand>(&operands[0]);
    return isAdd || !old || !isRead(module, function, old->id);
}

}  // namespace

std::vector<bool> warpAggregatedAtomics(const ptx::Module& module, const ptx::Function& function) {
    std::vector<bool> aggregated(module.instructions.size());
    const bool hasAtomics = std::any_of(
        module.instructions.begin() + function.first.value, module.instructions.begin() + function.end.value,
        [](const Instruction& i) { return ptx::opcodeTable()[i.opcode].opcodeClass == OpcodeClass::Atomic; });
    if (!hasAtomics) return aggregated;
    const Uniformity uniformity(module, function);
    for (u32 pc = function.first.value; pc < function.end.value; ++pc)
        aggregated[pc] = isAggregated(module, function, module.at(Pc{pc}), uniformity);
    return aggregated;
}

trace::WarpAccess byOneLane(trace::WarpAccess access) {
    if (!access.active.empty()) access.active = LaneMask::of(access.active.lowest());
    return access;
}

}  // namespace lockstep::model
