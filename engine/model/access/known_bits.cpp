#include "model/access/known_bits.h"

#include "ptx/opcodes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace lockstep::model {
namespace {

using ptx::Instruction;
using ptx::Operand;
using Sources = std::span<const KnownBits>;

constexpr u32 maskOf(u32 bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }
constexpr KnownBits knownBits(u32 value, u32 known, bool constant = false) {
    return {value & maskOf(known), u8(known), constant};
}

// Trailing zeros that are certain.
u32 trailingZeros(KnownBits a) { return std::min<u32>(u32(std::countr_zero(a.value)), a.known); }

// What both have in common.
KnownBits meet(KnownBits a, KnownBits b) {
    return knownBits(a.value,
                     std::min({u32(a.known), u32(b.known), u32(std::countr_zero(a.value ^ b.value))}),
                     a.constant && b.constant);
}

// For a sum of unknown values ptxas keeps the trailing zeros: machine code for cc 9.0 reads a row from s +
// 256 * tid + 8 in a loop by 8 bytes at a time, the same row from s + 8 by 16.
KnownBits asFarAsProven(KnownBits a) { return a.constant ? a : knownBits(0, trailingZeros(a)); }

// (a + 2^m x)(b + 2^n y) = ab + 2^m x b + 2^n y a + ...: the unknown bits of one factor are shifted up by the
// trailing zeros of the other.
KnownBits times(KnownBits a, KnownBits b) {
    const u32 known =
        std::min({a.known + trailingZeros(b), b.known + trailingZeros(a), u32{KnownBits::kMost}});
    return knownBits(a.value * b.value, known);
}

KnownBits negated(KnownBits a) { return knownBits(0u - a.value, a.known); }

// Result bits are known one by one; only the lowest run of known bits is kept.
KnownBits lowestRun(u32 value, u32 mask) { return knownBits(value, u32(std::countr_one(mask))); }

KnownBits bitwiseAnd(KnownBits a, KnownBits b) {
    const u32 ofA = maskOf(a.known), ofB = maskOf(b.known);
    return lowestRun(a.value & b.value, (ofA & ofB) | (ofA & ~a.value) | (ofB & ~b.value));
}
KnownBits bitwiseOr(KnownBits a, KnownBits b) {
    const u32 ofA = maskOf(a.known), ofB = maskOf(b.known);
    return lowestRun(a.value | b.value, (ofA & ofB) | (ofA & a.value) | (ofB & b.value));
}
KnownBits bitwiseXor(KnownBits a, KnownBits b) {
    return knownBits(a.value ^ b.value, std::min(a.known, b.known));
}

bool isNumber(KnownBits a) { return a.constant && a.known == KnownBits::kMost; }

KnownBits shiftedLeft(KnownBits a, KnownBits by) {
    if (!isNumber(by)) return knownBits(0, trailingZeros(a));
    return by.value >= 32 ? constantBits(0)
                          : knownBits(a.value << by.value, std::min<u32>(a.known + by.value, 32));
}
KnownBits shiftedRight(KnownBits a, KnownBits by) {
    if (!isNumber(by) || by.value >= a.known) return {};
    return knownBits(a.value >> by.value, a.known - by.value);
}

// The low bits of an integer instruction's result, from those of its sources.
struct Rule {
    std::string_view opcode;
    std::size_t sources;
    KnownBits (*apply)(Sources);
};
constexpr std::array kRules = {
    Rule{"add", 2, [](Sources s) { return plus(s[0], s[1]); }},
    Rule{"and", 2, [](Sources s) { return bitwiseAnd(s[0], s[1]); }},
    Rule{"cvt", 1, [](Sources s) { return s[0]; }},
    Rule{"cvta", 1,
         [](Sources s) { return s[0]; }},  // the windows of the spaces begin at large powers of two
    Rule{"mad", 3, [](Sources s) { return plus(times(s[0], s[1]), s[2]); }},
    Rule{"max", 2, [](Sources s) { return meet(s[0], s[1]); }},
    Rule{"min", 2, [](Sources s) { return meet(s[0], s[1]); }},
    Rule{"mov", 1, [](Sources s) { return s[0]; }},
    Rule{"mul", 2, [](Sources s) { return times(s[0], s[1]); }},
    Rule{"neg", 1, [](Sources s) { return negated(s[0]); }},
    Rule{"or", 2, [](Sources s) { return bitwiseOr(s[0], s[1]); }},
    Rule{"selp", 2, [](Sources s) { return meet(s[0], s[1]); }},
    Rule{"shl", 2, [](Sources s) { return shiftedLeft(s[0], s[1]); }},
    Rule{"shr", 2, [](Sources s) { return shiftedRight(s[0], s[1]); }},
    Rule{"sub", 2, [](Sources s) { return plus(s[0], negated(s[1])); }},
    Rule{"xor", 2, [](Sources s) { return bitwiseXor(s[0], s[1]); }},
};

const Rule* ruleOf(const Instruction& instruction) {
    const std::string_view opcode = ptx::opcodeTable()[instruction.opcode].name;
    const auto found = std::ranges::find(kRules, opcode, &Rule::opcode);
    // High halves of products and incoming carries say nothing about low bits; floats are not integers.
    const bool isOther =
        instruction.name.find(".hi.") != std::string_view::npos || instruction.modifiers.carry ||
        std::ranges::any_of(instruction.types, [](ptx::Type type) { return ptx::isFloat(type); });
    return found == kRules.end() || isOther ? nullptr : &*found;
}

class Solver {
public:
    Solver(const ptx::Module& module, const ptx::Function& function, const ptx::SharedLayout& layout)
        : module_(module), function_(function), layout_(layout), bits_(function.registers.size()) {}

    std::vector<KnownBits> solve() {
        // Iterates down from "not yet defined", so that a loop counter keeps what its start and its step have
        // in common.
        for (bool changed = true; changed;) {
            changed = false;
            for (u32 pc = function_.first.value; pc < function_.end.value; ++pc)
                changed |= define(module_.at(Pc{pc}));
        }
        std::vector<KnownBits> known;
        for (const std::optional<KnownBits>& bits : bits_)
            known.push_back(bits.value_or(KnownBits{}));
        return known;
    }

private:
    bool define(const Instruction& instruction) {
        const std::span<const Operand> operands = module_.operandsOf(instruction);
        if (operands.empty()) return false;
        if (const auto* target = std::get_if<ptx::RegisterOperand>(&operands[0]))
            return lower(target->id, resultOf(instruction, operands));
        if (const auto* pair = std::get_if<ptx::PairOperand>(&operands[0]))
            return lower(pair->value, KnownBits{});
        bool changed = false;
        if (const auto* list = std::get_if<ptx::VectorOperand>(&operands[0]))
            for (const Operand& element : list->elements)
                if (const auto* target = std::get_if<ptx::RegisterOperand>(&element))
                    changed |= lower(target->id, KnownBits{});
        return changed;
    }

    // None: a source has no value yet.
    std::optional<KnownBits> resultOf(const Instruction& instruction,
                                      std::span<const Operand> operands) const {
        const Rule* rule = ruleOf(instruction);
        if (!rule || operands.size() < rule->sources + 1) return KnownBits{};
        std::array<KnownBits, 3> sources;
        for (std::size_t n = 0; n < rule->sources; ++n) {
            const std::optional<KnownBits> source = bitsOf(operands[n + 1]);
            if (!source) return std::nullopt;
            sources[n] = *source;
        }
        const Sources used(sources.data(), rule->sources);
        KnownBits result = rule->apply(used);
        const auto others = std::ranges::count_if(used, [](KnownBits source) { return !isNumber(source); });
        const bool steps = rule->opcode == "add" || rule->opcode == "sub" || rule->opcode == "mov";
        result.constant =
            others == 0 || (others == 1 && steps && std::ranges::all_of(used, &KnownBits::constant));
        return asFarAsProven(result);
    }

    std::optional<KnownBits> bitsOf(const Operand& operand) const {
        if (const auto* reg = std::get_if<ptx::RegisterOperand>(&operand)) {
            const u32 width = 8 * ptx::bytesOf(function_.registers[reg->id.value].type);
            std::optional<KnownBits> bits = bits_[reg->id.value];
            if (bits && bits->known > width)
                bits = knownBits(bits->value, width, bits->constant);  // the rest is sign or zero extension
            return bits;
        }
        if (const auto* immediate = std::get_if<ptx::ImmediateOperand>(&operand))
            return constantBits(immediate->bits);
        if (const auto* variable = std::get_if<ptx::VariableOperand>(&operand))
            return plus(lowBitsOfAddress(module_, variable->id, layout_),
                        constantBits(u64(variable->offsetBytes)));
        return KnownBits{};
    }

    bool lower(ptx::RegisterId target, std::optional<KnownBits> to) {
        if (!to) return false;
        std::optional<KnownBits>& bits = bits_[target.value];
        const KnownBits before = bits.value_or(*to);
        const KnownBits after = meet(before, *to);
        const bool changed = !bits || after != *bits;
        bits = after;
        return changed;
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    const ptx::SharedLayout& layout_;
    std::vector<std::optional<KnownBits>> bits_;
};

}  // namespace

KnownBits plus(KnownBits a, KnownBits b) {
    return knownBits(a.value + b.value, std::min(a.known, b.known), a.constant && b.constant);
}
KnownBits constantBits(u64 value) { return {u32(value), KnownBits::kMost, true}; }

KnownBits lowBitsOfAddress(const ptx::Module& module, ptx::VariableId variable,
                           const ptx::SharedLayout& layout) {
    const ptx::Variable& declared = module.variables[variable.value];
    const bool isDynamic = declared.isExtern && declared.sizeBytes == 0;
    const auto placed = std::ranges::find(layout.variables, variable, &ptx::SharedLayout::Placed::variable);
    // A block's shared memory begins at a multiple of 256 bytes; ptxas does not fix where its dynamic part
    // begins.
    if (placed != layout.variables.end() && !isDynamic) return constantBits(placed->offsetBytes);
    return knownBits(0, u32(std::countr_zero(std::max(declared.alignBytes, 1u))));
}

std::vector<KnownBits> knownLowBits(const ptx::Module& module, const ptx::Function& function,
                                    const ptx::SharedLayout& layout) {
    return Solver(module, function, layout).solve();
}

}  // namespace lockstep::model
