// What an opcode does: the opcode table has it, in English; what is more than a formula is translated.
#include "explain/sentences/sentence.h"
#include "ptx/opcodes.h"
#include "ptx/types.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace lockstep::explain {
namespace {

// "a >= b" of setp and set. Empty: the comparison is none of numbers in C (num, nan).
std::string_view signOf(ptx::Comparison comparison) {
    using ptx::Comparison;
    switch (comparison) {
        case Comparison::Eq:
        case Comparison::Equ: return "==";
        case Comparison::Ne:
        case Comparison::Neu: return "!=";
        case Comparison::Lt:
        case Comparison::Lo:
        case Comparison::Ltu: return "<";
        case Comparison::Le:
        case Comparison::Ls:
        case Comparison::Leu: return "<=";
        case Comparison::Gt:
        case Comparison::Hi:
        case Comparison::Gtu: return ">";
        case Comparison::Ge:
        case Comparison::Hs:
        case Comparison::Geu: return ">=";
        default: return {};
    }
}

std::string_view signOf(ptx::BooleanOp boolean) {
    return boolean == ptx::BooleanOp::And ? "&&" : boolean == ptx::BooleanOp::Or ? "||" : "^";
}

Words spaceInWords(ptx::StateSpace space) {
    switch (space) {
        case ptx::StateSpace::Global: return english("global memory");
        case ptx::StateSpace::Shared: return english("shared memory");
        case ptx::StateSpace::Local: return english("local memory");
        case ptx::StateSpace::Const: return english("constant memory");
        default: return english("the kernel's parameters");
    }
}

// What its types, its state space or its comparison say more than the table has for all of its forms.
std::optional<Message> summaryOfForm(const ptx::Instruction& instruction, std::string_view opcode) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    if (opcode == "cvt" && instruction.types[0] != ptx::Type::None && instruction.types[1] != ptx::Type::None)
        return Message(english("converts {0} to {1}"), ptx::nameOf(instruction.types[1]),
                       ptx::nameOf(instruction.types[0]));
    if (opcode == "cvta" && modifiers.space != ptx::StateSpace::None &&
        modifiers.space != ptx::StateSpace::Generic)
        return Message(modifiers.to ? english("converts a generic address to a {0} address")
                                    : english("converts an address in {0} to a generic one"),
                       spaceInWords(modifiers.space));
    if (opcode == "setp")
        if (const std::string_view sign = signOf(modifiers.comparison); !sign.empty())
            return Message::plain(modifiers.boolean == ptx::BooleanOp::None
                                      ? fmt::format("p = a {} b", sign)
                                      : fmt::format("p = (a {} b) {} c", sign, signOf(modifiers.boolean)));
    return std::nullopt;
}

}  // namespace

Message opcodeSummary(const ptx::Instruction& instruction) {
    if (instruction.opcode >= ptx::opcodeTable().size()) return {};
    const ptx::OpcodeRow& row = ptx::opcodeTable()[instruction.opcode];
    if (std::optional<Message> form = summaryOfForm(instruction, row.name)) return *form;
    const std::string_view summary = row.summary;
    if (const std::optional<Words> words = Words::of(keyOfText("", summary))) return *words;
    return Message::plain(std::string(summary));
}

}  // namespace lockstep::explain
