#include "ptx/signatures.h"

#include "ptx/opcodes.h"

namespace lockstep::ptx {
namespace {

ModifierContext contextOf(const OpcodeRow& row) {
    if (row.name == "set" || row.name == "setp") return ModifierContext::Compares;
    if (row.opcodeClass == OpcodeClass::Atomic || row.name == "redux") return ModifierContext::IsAtomic;
    return ModifierContext::Plain;
}

Message missingType(std::string_view name, u32 which) {
    constexpr Words kNeeds[] = {english("'{0}' needs a type; add one such as .s32 or .f32"),
                                english("'{0}' needs a second type; add one such as .s32 or .f32"),
                                english("'{0}' needs a third type; add one such as .s32 or .f32"),
                                english("'{0}' needs a fourth type; add one such as .s32 or .f32")};
    return Message(kNeeds[which - 1], name);
}

Signature makeSignature(std::string_view name, u32 addressBits, StringPool& pool) {
    Signature signature;
    const std::size_t dot = std::min(name.find('.'), name.size());
    std::string_view base = name.substr(0, dot);
    const std::string_view dotted = name.substr(dot);
    const bool ofCluster = base == "barrier" && dotted.starts_with(".cluster.");
    if (base == "barrier" && !ofCluster) base = "bar";

    const OpcodeRow* row = findOpcode(base);
    if (!row) {
        signature.mistake =
            Message(english("unknown opcode '{0}'; PTX up to 9.0 is read: check the spelling"), base);
        return signature;
    }
    const ParsedModifiers parsed = parseModifiers(dotted, contextOf(*row), ofCluster);
    const bool anyModifier = row->operands == "*" && row->opcodeClass != OpcodeClass::Control;
    if (parsed.unknown.data() && !anyModifier) {
        signature.mistake =
            Message(english("unknown modifier '.{0}' of '{1}': check the spelling"), parsed.unknown, base);
        return signature;
    }
    const bool accessesMemory =
        row->opcodeClass == OpcodeClass::Memory || row->opcodeClass == OpcodeClass::Atomic;
    ResolvedRules rules = resolveRules(row->operands, parsed, accessesMemory, addressBits);
    if (rules.alternatives.empty()) {
        signature.mistake =
            rules.missingType
                ? missingType(name, rules.missingType)
                : Message(english("'{0}' is incomplete; a modifier such as .sync is missing"), name);
        return signature;
    }

    Instruction& i = signature.prototype;
    i.opcode = u16(row - opcodeTable().data());
    i.modifiers = parsed.modifiers;
    if (accessesMemory && i.modifiers.space == StateSpace::None) i.modifiers.space = StateSpace::Generic;
    i.types = parsed.types;
    i.form = pool.intern(std::string(base) + parsed.form);
    signature.alternatives = std::move(rules.alternatives);
    signature.isCall = base == "call";
    signature.cacheHint = parsed.cacheHint;
    return signature;
}

}  // namespace

const Signature& SignatureTable::find(std::string_view name, u32 addressBits) {
    auto found = signatures_.find(name);
    if (found == signatures_.end())
        found = signatures_.emplace(name, makeSignature(name, addressBits, pool_)).first;
    return found->second;
}

}  // namespace lockstep::ptx
