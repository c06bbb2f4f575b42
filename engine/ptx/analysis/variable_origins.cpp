#include "ptx/analysis/variable_origins.h"

#include "ptx/analysis/register_uses.h"
#include "ptx/opcodes.h"

#include <algorithm>
#include <array>

namespace lockstep::ptx {
namespace {

// What a register's values are made from, as far as the definitions looked at say. Each step leads away from
// Nothing.
struct Origin {
    enum class Kind : u8 { Nothing, Number, Variable, Unknown } kind = Kind::Nothing;
    VariableId variable{};
    bool operator==(const Origin&) const = default;
};
using Kind = Origin::Kind;

// Of either: two ways to one register.
Origin either(Origin a, Origin b) {
    if (a.kind == Kind::Nothing || a == b) return b;
    return b.kind == Kind::Nothing ? a : Origin{Kind::Unknown, {}};
}

// A distance added to an address leads to somewhere in the same variable.
Origin sum(Origin a, Origin b) {
    if (a.kind == Kind::Nothing || b.kind == Kind::Nothing) return {};
    if (a.kind == Kind::Number) return b;
    return b.kind == Kind::Number ? a : Origin{Kind::Unknown, {}};
}

// Anything else makes numbers of numbers.
Origin number(Origin a) { return a.kind == Kind::Variable ? Origin{Kind::Unknown, {}} : a; }

// Instructions through which an address remains one.
struct Rule {
    std::string_view opcode;
    std::size_t sources;
    Origin (*apply)(std::span<const Origin>);
};
using Sources = std::span<const Origin>;
constexpr std::array kRules = {
    Rule{"add", 2, [](Sources s) { return sum(s[0], s[1]); }},
    Rule{"and", 2, [](Sources s) { return sum(s[0], s[1]); }},
    Rule{"cvt", 1, [](Sources s) { return s[0]; }},
    Rule{"cvta", 1, [](Sources s) { return s[0]; }},
    Rule{"mad", 3, [](Sources s) { return sum(sum(number(s[0]), number(s[1])), s[2]); }},
    Rule{"max", 2, [](Sources s) { return either(s[0], s[1]); }},
    Rule{"min", 2, [](Sources s) { return either(s[0], s[1]); }},
    Rule{"mov", 1, [](Sources s) { return s[0]; }},
    Rule{"or", 2, [](Sources s) { return sum(s[0], s[1]); }},
    Rule{"selp", 2, [](Sources s) { return either(s[0], s[1]); }},
    Rule{"sub", 2, [](Sources s) { return sum(s[0], number(s[1])); }},
    Rule{"xor", 2, [](Sources s) { return sum(s[0], s[1]); }},
};

class Solver {
public:
    Solver(const Module& module, const Function& function)
        : module_(module), function_(function), origins_(function.registers.size()) {}

    std::vector<std::optional<VariableId>> solve() {
        for (bool changed = true; changed;) {
            changed = false;
            for (u32 pc = function_.first.value; pc < function_.end.value; ++pc) {
                const Instruction& instruction = module_.at(Pc{pc});
                const Origin made = resultOf(instruction);
                forEachWritten(module_, instruction, [&](RegisterId id) {
                    Origin& origin = origins_[id.value];
                    const Origin after = either(origin, made);
                    changed |= after != origin;
                    origin = after;
                });
            }
        }
        std::vector<std::optional<VariableId>> variables;
        variables.reserve(origins_.size());
        for (const Origin& origin : origins_)
            variables.push_back(origin.kind == Kind::Variable ? std::optional(origin.variable)
                                                              : std::nullopt);
        return variables;
    }

private:
    Origin resultOf(const Instruction& instruction) const {
        if (!hasResult(module_, instruction)) return {};
        const std::span<const Operand> sources = module_.operandsOf(instruction).subspan(1);
        const auto rule = std::ranges::find(kRules, opcodeTable()[instruction.opcode].name, &Rule::opcode);
        std::array<Origin, 3> known;
        if (rule != kRules.end() && sources.size() >= rule->sources) {
            std::ranges::transform(sources.first(rule->sources), known.begin(),
                                   [&](const Operand& source) { return originOf(source); });
            return rule->apply(known);
        }
        // What memory holds, and what other lanes pass on, may be an address of anything; as an index it is a
        // number like any other.
        bool isReady = true, isNumber = true;
        for (const Operand& source : sources) {
            if (std::holds_alternative<AddressOperand>(source)) continue;
            const Kind kind = originOf(source).kind;
            isReady &= kind != Kind::Nothing;
            isNumber &= kind == Kind::Number;
        }
        return !isReady ? Origin{} : Origin{isNumber ? Kind::Number : Kind::Unknown, {}};
    }

    Origin originOf(const Operand& operand) const {
        if (const auto* variable = std::get_if<VariableOperand>(&operand))
            return {Kind::Variable, variable->id};
        if (const auto* reg = std::get_if<RegisterOperand>(&operand)) return origins_[reg->id.value];
        return {Kind::Number, {}};
    }

    const Module& module_;
    const Function& function_;
    std::vector<Origin> origins_;
};

}  // namespace

std::vector<std::optional<VariableId>> variableOrigins(const Module& module, const Function& function) {
    return Solver(module, function).solve();
}

}  // namespace lockstep::ptx
