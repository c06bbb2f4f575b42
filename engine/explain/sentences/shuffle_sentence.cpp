#include "explain/sentences/shuffle_sentence.h"

#include "explain/sentences/words.h"
#include "ptx/analysis/register_uses.h"
#include "ptx/shuffle_lanes.h"

#include <optional>
#include <string_view>

namespace lockstep::explain {
namespace {

using ptx::ShuffleMode;

// The constant that a register holds all the time: it is written once, by a mov of a number.
std::optional<u32> constantOf(const ptx::Module& module, Pc pc, ptx::RegisterId id) {
    const ptx::Function& function = module.functions[module.functionOf(pc).value];
    std::optional<u32> constant;
    u32 writers = 0;
    for (Pc at = function.first; at < function.end; ++at.value) {
        const ptx::Instruction& instruction = module.at(at);
        bool writes = false;
        ptx::forEachWritten(module, instruction, [&](ptx::RegisterId to) { writes = writes || to == id; });
        if (!writes) continue;
        const auto operands = module.operandsOf(instruction);
        const auto* number =
            operands.size() == 2 ? std::get_if<ptx::ImmediateOperand>(&operands[1]) : nullptr;
        if (++writers > 1 || !number || !instruction.form.starts_with("mov")) return std::nullopt;
        constant = u32(number->bits);
    }
    return constant;
}

std::optional<u32> constantAt(const ptx::Module& module, Pc pc, std::size_t operand) {
    const auto operands = module.operandsOf(module.at(pc));
    if (operand >= operands.size()) return std::nullopt;
    if (const auto* number = std::get_if<ptx::ImmediateOperand>(&operands[operand])) return u32(number->bits);
    const auto* held = std::get_if<ptx::RegisterOperand>(&operands[operand]);
    return held ? constantOf(module, pc, held->id) : std::nullopt;
}

struct Exchange {
    LaneMask takers, givers, keepers;
    Lane firstTaker, firstGiver;
};

// Nothing where distance or bounds are not known from the code, or where a lane reads an inactive one.
std::optional<Exchange> exchangeOf(const ptx::Module& module, Pc pc, LaneMask active) {
    const std::optional<ShuffleMode> mode = ptx::shuffleModeOf(module.at(pc).form);
    const std::optional<u32> by = constantAt(module, pc, 2), bounds = constantAt(module, pc, 3);
    if (!mode || !by || !bounds) return std::nullopt;
    Exchange exchange{};
    for (const Lane lane : active) {
        const ptx::ShuffleRead read = ptx::shuffleRead(*mode, lane.value, *by, *bounds);
        const Lane giver{read.lane};
        if (!active.has(giver)) return std::nullopt;
        if (giver == lane) {
            exchange.keepers = exchange.keepers | LaneMask::of(lane);
            continue;
        }
        if (exchange.takers.empty()) exchange.firstTaker = lane, exchange.firstGiver = giver;
        exchange.takers = exchange.takers | LaneMask::of(lane);
        exchange.givers = exchange.givers | LaneMask::of(giver);
    }
    return exchange.takers.empty() ? std::nullopt : std::optional(exchange);
}

// "lanes 0–15 take the values of lanes 16–31, for example lane 0 that of lane 16"
Message whoTakesWhat(const Exchange& exchange) {
    const Message takers = laneList(exchange.takers), givers = laneList(exchange.givers);
    if (exchange.takers.count() == 1) return Message(english("{0} takes the value of {1}"), takers, givers);
    if (exchange.givers.count() == 1) return Message(english("{0} take the value of {1}"), takers, givers);
    return Message(english("{0} take the values of {1}, for example lane {2} that of lane {3}"), takers,
                   givers, exchange.firstTaker.value, exchange.firstGiver.value);
}

}  // namespace

Message shuffleSentence(const ptx::Module& module, Pc pc, LaneMask active, const Message& who,
                        const Message& lanes) {
    const std::string_view name = module.at(pc).name;
    const std::optional<Exchange> exchange = exchangeOf(module, pc, active);
    if (!exchange)
        return Message(english("{0} shuffles in {1}: each takes the value of another lane ({2})."), who,
                       lanes, name);
    return Message(exchange->keepers.empty()        ? english("{0}: {1} ({2}).")
                   : exchange->keepers.count() == 1 ? english("{0}: {1}; {3} keeps its own ({2}).")
                                                    : english("{0}: {1}; {3} keep their own ({2})."),
                   who, whoTakesWhat(*exchange), name, laneList(exchange->keepers));
}

}  // namespace lockstep::explain
