#include "model/shuffle_sentence.h"

#include "model/words.h"
#include "ptx/register_uses.h"
#include "ptx/shuffle_lanes.h"

#include <fmt/format.h>

#include <optional>

namespace lockstep::model {
namespace {

using ptx::ShuffleMode;

std::optional<ShuffleMode> modeOf(std::string_view form) {
    constexpr std::pair<std::string_view, ShuffleMode> kModes[] = {{".up", ShuffleMode::Up},
                                                                   {".down", ShuffleMode::Down},
                                                                   {".bfly", ShuffleMode::Butterfly},
                                                                   {".idx", ShuffleMode::Index}};
    for (const auto& [name, mode] : kModes)
        if (form.find(name) != std::string_view::npos) return mode;
    return std::nullopt;
}

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
    const std::optional<ShuffleMode> mode = modeOf(module.at(pc).form);
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

}  // namespace

Text shuffleSentence(const ptx::Module& module, Pc pc, LaneMask active, const Text& who, const Text& lanes) {
    const ptx::Instruction& instruction = module.at(pc);
    const std::optional<Exchange> exchange = exchangeOf(module, pc, active);
    if (!exchange)
        return {fmt::format("{} shuffles in {}: each takes the value of another lane ({}).", who.en, lanes.en,
                            instruction.name),
                fmt::format("{}在{}上洗牌：各取另一个通道的值（{}）。", who.zh, lanes.zh, instruction.name)};
    const Text takers = laneList(exchange->takers), givers = laneList(exchange->givers),
               keepers = laneList(exchange->keepers);
    const bool one = exchange->takers.count() == 1, shared = exchange->givers.count() == 1;
    const std::string exampleEn = one || shared
                                      ? ""
                                      : fmt::format(", lane {} that of lane {}", exchange->firstTaker.value,
                                                    exchange->firstGiver.value),
                      exampleZh = one || shared
                                      ? ""
                                      : fmt::format("（通道 {} 取通道 {} 的）", exchange->firstTaker.value,
                                                    exchange->firstGiver.value);
    const bool noneKeeps = exchange->keepers.empty(), oneKeeps = exchange->keepers.count() == 1;
    return {
        fmt::format(
            "{}: {} {} the {} of {}{}{} ({}).", who.en, takers.en, one ? "takes" : "take",
            shared ? "value" : "values", givers.en, exampleEn,
            noneKeeps ? "" : fmt::format("; {} {} own", keepers.en, oneKeeps ? "keeps its" : "keep their"),
            instruction.name),
        fmt::format("{}：{}{}取{}的值{}{}（{}）。", who.zh, takers.zh, one || shared ? "" : "分别", givers.zh,
                    exampleZh, noneKeeps ? "" : "；" + keepers.zh + "保持原值", instruction.name)};
}

}  // namespace lockstep::model
