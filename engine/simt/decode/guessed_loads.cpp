#include "simt/decode/guessed_loads.h"

#include "ptx/analysis/register_uses.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <variant>

namespace lockstep::simt {
namespace {

using ptx::Instruction;
using ptx::Operand;

const ptx::RegisterId* registerIn(const Operand& operand) {
    const auto* value = std::get_if<ptx::RegisterOperand>(&operand);
    return value ? &value->id : nullptr;
}

class Guesses {
public:
    Guesses(const ptx::Module& module, const ptx::Function& function)
        : module_(module), function_(function) {}

    std::vector<bool> find() {
        std::vector<bool> found(end() - first());
        for (u32 pc = first(); pc < end(); ++pc) {
            if (nameAt(pc) != "atom" || at(pc).form.find(".cas") == std::string_view::npos) continue;
            const auto operands = operandsAt(pc);
            if (operands.size() < 3) continue;
            if (definitions_.empty()) listDefinitions();  // few functions get here
            if (const ptx::RegisterId* compared = registerIn(operands[2]))
                mark(*compared, wordOf(operands[1]), found);
        }
        return found;
    }

private:
    // The origin of an address: a register that is not a copy, or a variable, plus a byte offset.
    struct Word {
        std::variant<std::monostate, ptx::RegisterId, ptx::VariableId> base;
        s64 offsetBytes = 0;
        bool operator==(const Word&) const = default;
    };

    void listDefinitions() {
        definitions_.resize(function_.registers.size());
        for (u32 pc = first(); pc < end(); ++pc)
            forEachWritten(module_, at(pc),
                           [&](ptx::RegisterId id) { definitions_[id.value].push_back(pc); });
    }

    u32 first() const { return function_.first.value; }
    u32 end() const { return function_.end.value; }
    const Instruction& at(u32 pc) const { return module_.instructions[pc]; }
    std::string_view nameAt(u32 pc) const { return ptx::opcodeTable()[at(pc).opcode].name; }
    std::span<const Operand> operandsAt(u32 pc) const { return module_.operandsOf(at(pc)); }

    // The one definition of a register, if it is a copy.
    std::optional<Operand> copied(ptx::RegisterId id) const {
        const std::vector<u32>& definitions = definitions_[id.value];
        if (definitions.size() != 1 || (nameAt(definitions[0]) != "mov" && nameAt(definitions[0]) != "cvta"))
            return {};
        const auto operands = operandsAt(definitions[0]);
        return operands.size() == 2 ? std::optional(operands[1]) : std::nullopt;
    }
    Word wordOf(const Operand& operand) const {
        Word word;
        if (const auto* address = std::get_if<ptx::AddressOperand>(&operand))
            word = {address->base, address->offsetBytes};
        else if (const ptx::RegisterId* id = registerIn(operand))
            word.base = *id;
        for (u32 steps = 0; steps < kMostCopies; ++steps) {
            const auto* id = std::get_if<ptx::RegisterId>(&word.base);
            const std::optional<Operand> from = id ? copied(*id) : std::nullopt;
            if (!from) break;
            if (const ptx::RegisterId* other = registerIn(*from))
                word.base = *other;
            else if (const auto* variable = std::get_if<ptx::VariableOperand>(&*from))
                word = {variable->id, word.offsetBytes + variable->offsetBytes};
            else
                break;
        }
        return word;
    }

    // All loads of the word whose value, copied or not, `value` may hold.
    void mark(ptx::RegisterId value, const Word& word, std::vector<bool>& found) const {
        if (std::holds_alternative<std::monostate>(word.base)) return;
        std::vector<ptx::RegisterId> values{value};
        for (std::size_t i = 0; i < values.size(); ++i)
            for (const u32 pc : definitions_[values[i].value]) {
                const auto operands = operandsAt(pc);
                if (nameAt(pc) == "ld" && operands.size() == 2 && wordOf(operands[1]) == word)
                    found[pc - first()] = true;
                if (nameAt(pc) != "mov" || operands.size() != 2) continue;
                const ptx::RegisterId* from = registerIn(operands[1]);
                if (from && std::ranges::find(values, *from) == values.end()) values.push_back(*from);
            }
    }

    static constexpr u32 kMostCopies = 64;  // in a row; they may be cyclic

    const ptx::Module& module_;
    const ptx::Function& function_;
    std::vector<std::vector<u32>> definitions_;  // by register: where it is written
};

}  // namespace

std::vector<bool> guessedLoads(const ptx::Module& module, const ptx::Function& function) {
    return Guesses(module, function).find();
}

}  // namespace lockstep::simt
