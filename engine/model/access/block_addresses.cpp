#include "model/access/block_addresses.h"

#include "ptx/opcodes.h"

namespace lockstep::model {
namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::RegisterId;

// Only the first operand of a PTX instruction can be a destination.
template <class Visit> void forEachTarget(std::span<const Operand> operands, const Visit& visit) {
    if (operands.empty()) return;
    if (const auto* target = std::get_if<ptx::RegisterOperand>(&operands[0])) visit(target->id);
    if (const auto* pair = std::get_if<ptx::PairOperand>(&operands[0]))
        visit(pair->value), visit(pair->predicate);
    if (const auto* list = std::get_if<ptx::VectorOperand>(&operands[0]))
        for (const Operand& element : list->elements)
            if (const auto* target = std::get_if<ptx::RegisterOperand>(&element)) visit(target->id);
}

}  // namespace

BlockAddresses::BlockAddresses(const ptx::Module& module, const ptx::Function& function,
                               const ptx::SharedLayout& layout)
    : module_(module),
      layout_(layout),
      registerBits_(knownLowBits(module, function, layout)),
      onlyDefinition_(function.registers.size()) {
    std::vector<u32> definitions(function.registers.size());
    for (u32 pc = function.first.value; pc < function.end.value; ++pc)
        forEachTarget(module.operandsOf(module.at(Pc{pc})), [&](RegisterId id) {
            onlyDefinition_[id.value] = ++definitions[id.value] == 1 ? std::optional(Pc{pc}) : std::nullopt;
        });
}

void BlockAddresses::beginBlock() {
    rootBits_.clear();
    registers_.clear();
    variables_.clear();
}

void BlockAddresses::pass(const Instruction& instruction) {
    const std::optional<RootedAddress> sum = sumOf(instruction);
    forEachTarget(module_.operandsOf(instruction), [&](RegisterId id) {
        registers_[id] = sum && !instruction.guard.present ? *sum : newRoot(registerBits_[id.value]);
    });
}

RootedAddress BlockAddresses::of(RegisterId id) {
    if (const auto found = registers_.find(id); found != registers_.end()) return found->second;
    // Defined in another block: if only once, its value here is the same as there, provided its sources' are
    // too.
    constexpr u32 kLongestChain = 64;
    std::optional<RootedAddress> sum;
    if (const std::optional<Pc> definition = onlyDefinition_[id.value];
        definition && depth_ < kLongestChain) {
        const Instruction& instruction = module_.at(*definition);
        bool lasts = !instruction.guard.present;
        for (const Operand& operand : module_.operandsOf(instruction))
            if (const auto* source = std::get_if<ptx::RegisterOperand>(&operand))
                lasts &= onlyDefinition_[source->id.value].has_value() && !registers_.contains(source->id);
        ++depth_;
        if (lasts) sum = sumOf(instruction);
        --depth_;
    }
    return registers_[id] = sum ? *sum : newRoot(registerBits_[id.value]);
}

RootedAddress BlockAddresses::of(ptx::VariableId id) {
    if (const auto found = variables_.find(id); found != variables_.end()) return found->second;
    return variables_[id] = newRoot(lowBitsOfAddress(module_, id, layout_));
}

RootedAddress BlockAddresses::of(const ptx::AddressOperand& operand) {
    RootedAddress address;
    if (const auto* base = std::get_if<RegisterId>(&operand.base))
        address = of(*base);
    else if (const auto* variable = std::get_if<ptx::VariableId>(&operand.base))
        address = of(*variable);
    else
        address = newRoot(constantBits(0));
    address.offsetBytes += operand.offsetBytes;
    return address;
}

KnownBits BlockAddresses::knownBits(RootedAddress address) const {
    return plus(rootBits_[address.root], constantBits(u64(address.offsetBytes)));
}

std::optional<RootedAddress> BlockAddresses::sumOf(const Instruction& instruction) {
    const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name;
    const std::span<const Operand> operands = module_.operandsOf(instruction);
    if (operands.empty() || !std::holds_alternative<ptx::RegisterOperand>(operands[0])) return std::nullopt;
    if (opcode == "mov" && operands.size() == 2) {
        if (const auto* source = std::get_if<ptx::RegisterOperand>(&operands[1])) return of(source->id);
        if (const auto* variable = std::get_if<ptx::VariableOperand>(&operands[1])) {
            RootedAddress address = of(variable->id);
            address.offsetBytes += variable->offsetBytes;
            return address;
        }
    }
    if (opcode == "add" && operands.size() == 3 && !ptx::isFloat(instruction.types[0]) &&
        !instruction.modifiers.carry) {
        const auto* source = std::get_if<ptx::RegisterOperand>(&operands[1]);
        const auto* constant = std::get_if<ptx::ImmediateOperand>(&operands[2]);
        if (source && constant) {
            RootedAddress address = of(source->id);
            const bool isWide = ptx::bytesOf(instruction.types[0]) == 8;
            address.offsetBytes += isWide ? s64(constant->bits) : s64(s32(u32(constant->bits)));
            return address;
        }
    }
    return std::nullopt;
}

RootedAddress BlockAddresses::newRoot(KnownBits bits) {
    rootBits_.push_back(bits);
    return {Root(rootBits_.size() - 1), 0};
}

}  // namespace lockstep::model
