#include "explain/instruction_flow.h"

#include "ptx/analysis/register_uses.h"

#include <algorithm>
#include <string_view>

namespace lockstep::explain {
namespace {

using ptx::Operand, ptx::Type;

std::span<const Operand> elementsOf(const Operand& operand) {
    if (const auto* vector = std::get_if<ptx::VectorOperand>(&operand)) return vector->elements;
    return {&operand, 1};
}

bool hasPart(std::string_view form, std::string_view part) {
    const std::size_t at = form.find(part);
    return at != std::string_view::npos && (at + part.size() == form.size() || form[at + part.size()] == '.');
}

bool isInteger(Type type) {
    using enum Type;
    return type == U8 || type == U16 || type == U32 || type == U64 || type == S8 || type == S16 ||
           type == S32 || type == S64 || type == B8 || type == B16 || type == B32 || type == B64;
}

// Whether every value of the one type is a value of the other, or is cut to its low bytes.
bool keepsValue(const ptx::Instruction& i) {
    using enum Type;
    const Type to = i.types[0], from = i.types[1];
    if (i.modifiers.sat || i.modifiers.ftz) return false;
    if (isInteger(to) && isInteger(from)) return true;
    const bool rounds = i.modifiers.rounding != ptx::Rounding::None;
    if (to == from) return !rounds && (to == F32 || to == F64 || to == F16 || to == BF16);
    return (to == F32 && (from == F16 || from == BF16)) ||
           (to == F64 && (from == F32 || from == F16 || from == BF16));
}

class Reader {
public:
    Reader(const ptx::Module& module, Pc pc)
        : module_(module),
          i_(module.at(pc)),
          operands_(module.operandsOf(i_)),
          row_(ptx::opcodeTable()[i_.opcode]) {}

    InstructionFlow read() {
        flow_.writesCarry = i_.modifiers.carry;
        flow_.readsCarry = row_.name == "addc" || row_.name == "subc" || row_.name == "madc";
        readRegisters();
        flow_.effect = effect();
        return std::move(flow_);
    }

private:
    void readRegisters() {
        if (i_.guard.present) flow_.reads.push_back({InstructionFlow::kGuard, 0, i_.guard.predicate});
        const bool hasResult = ptx::hasResult(module_, i_);
        for (u32 o = 0; o < operands_.size(); ++o) {
            u32 element = 0;
            for (const Operand& one : elementsOf(operands_[o])) {
                u32 of = 0;
                ptx::forEachRegister(one, [&](ptx::RegisterId id) {
                    if (o == 0 && hasResult)
                        flow_.writes.push_back({u8(element + of++), id});
                    else
                        flow_.reads.push_back({u8(o), u8(element), id});
                });
                ++element;
            }
        }
        if (flow_.readsCarry) flow_.reads.push_back({InstructionFlow::kCarry, 0, {}});
    }

    Effect effect() {
        if (row_.name == "ld" || row_.name == "ldu") return load();
        if (row_.name == "st") return store();
        if (row_.name == "atom" || row_.name == "red")
            return memory(Effect::Atomic, row_.name == "red" ? 1 : 2);
        if (row_.name == "cp") return copy();
        if (row_.name == "mov") return move();
        if (row_.name == "cvta") return moveOf(1, ptx::bytesOf(i_.types[0]));
        if (row_.name == "cvt" && operands_.size() == 2 && keepsValue(i_)) return convert();
        if (row_.name == "selp") {
            flow_.extra = 2;
            return Effect::Select;
        }
        if (row_.opcodeClass == ptx::OpcodeClass::Warp && !flow_.writes.empty()) return exchange();
        if (flow_.writes.empty()) return Effect::None;
        const bool isOpaque = row_.opcodeClass == ptx::OpcodeClass::Barrier ||
                              row_.opcodeClass == ptx::OpcodeClass::Memory ||
                              row_.opcodeClass == ptx::OpcodeClass::Atomic || row_.name == "activemask";
        return isOpaque ? Effect::Opaque : Effect::Compute;
    }

    Effect memory(Effect effect, u32 value) {
        flow_.value = u8(value);
        flow_.elements = i_.modifiers.vector;
        flow_.elementBytes = ptx::bytesOf(i_.types[0]);
        return effect;
    }
    // Of a function's parameter or of what it is called with; none: it is the kernel's, or no parameter.
    bool isPassed(const Operand& operand) {
        const auto* address = std::get_if<ptx::AddressOperand>(&operand);
        const auto* id = address ? std::get_if<ptx::VariableId>(&address->base) : nullptr;
        if (i_.modifiers.space != ptx::StateSpace::Param || !id) return false;
        for (const ptx::Function& function : module_.functions)
            if (function.isEntry && std::ranges::find(function.parameters, *id) != function.parameters.end())
                return false;
        flow_.parameter = *id;
        flow_.offsetBytes = address->offsetBytes;
        return true;
    }
    Effect load() {
        memory(Effect::Load, 1);
        if (i_.modifiers.space == ptx::StateSpace::Param && operands_.size() > 1) {
            if (isPassed(operands_[1])) {
                flow_.extra = u8(flow_.elements);
                return Effect::Receive;
            }
            if (const auto* address = std::get_if<ptx::AddressOperand>(&operands_[1]);
                address && std::holds_alternative<ptx::VariableId>(address->base))
                return Effect::Parameter;
        }
        flow_.extra = u8(flow_.elements);
        return Effect::Load;
    }
    Effect store() {
        memory(Effect::Store, 1);
        return isPassed(operands_[0]) ? Effect::PassOn : Effect::Store;
    }
    Effect copy() {
        if (operands_.size() < 3 || !hasPart(i_.form, ".async")) return Effect::None;
        const auto* size = std::get_if<ptx::ImmediateOperand>(&operands_[2]);
        if (!size || hasPart(i_.form, ".mbarrier")) return Effect::None;
        flow_.elementBytes = u32(size->bits);
        flow_.takesBytes = flow_.readOf(3).has_value();
        flow_.extra = flow_.takesBytes;
        return Effect::Copy;
    }

    Effect moveOf(u32 operand, u32 bytes) {
        flow_.value = u8(operand);
        flow_.valueBytes = bytes;
        return Effect::Move;
    }
    Effect move() {
        if (operands_.size() != 2) return Effect::Opaque;
        const u32 bytes = i_.types[0] == Type::Pred ? 4 : ptx::bytesOf(i_.types[0]);
        const bool unpacks = std::holds_alternative<ptx::VectorOperand>(operands_[0]),
                   packs = std::holds_alternative<ptx::VectorOperand>(operands_[1]);
        if (!unpacks && !packs) return moveOf(1, bytes);
        flow_.value = 1;
        flow_.elements = u32(elementsOf(operands_[unpacks ? 0 : 1]).size());
        flow_.elementBytes = bytes / flow_.elements;
        return unpacks ? Effect::Unpack : Effect::Pack;
    }
    Effect convert() {
        flow_.reshapes = !isInteger(i_.types[0]) && i_.types[0] != i_.types[1];
        return moveOf(1, ptx::bytesOf(i_.types[1]));
    }
    Effect exchange() {
        if (row_.name == "elect") return Effect::Opaque;
        if (!i_.modifiers.sync && row_.name != "shfl") return Effect::Opaque;
        flow_.extra = 1;
        flow_.value = 1;
        if (row_.name != "shfl") return Effect::Exchange;
        flow_.shuffle = hasPart(i_.form, ".up")     ? ptx::ShuffleMode::Up
                        : hasPart(i_.form, ".down") ? ptx::ShuffleMode::Down
                        : hasPart(i_.form, ".bfly") ? ptx::ShuffleMode::Butterfly
                                                    : ptx::ShuffleMode::Index;
        return Effect::Shuffle;
    }

    const ptx::Module& module_;
    const ptx::Instruction& i_;
    std::span<const Operand> operands_;
    const ptx::OpcodeRow& row_;
    InstructionFlow flow_;
};

}  // namespace

std::optional<u32> InstructionFlow::readOf(u32 operand, u32 element) const {
    for (u32 i = 0; i < reads.size(); ++i)
        if (reads[i].operand == operand && reads[i].element == element) return i;
    return std::nullopt;
}

std::optional<u32> InstructionFlow::elementOf(ptx::RegisterId written) const {
    for (const Written& one : writes)
        if (one.id == written) return one.element;
    return std::nullopt;
}

InstructionFlow instructionFlow(const ptx::Module& module, Pc pc) { return Reader(module, pc).read(); }

}  // namespace lockstep::explain
