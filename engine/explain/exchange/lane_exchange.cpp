#include "explain/exchange/lane_exchange.h"

#include "explain/cursor/lookup.h"
#include "ptx/shuffle_lanes.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

using Kind = LaneExchange::Kind;

// By how an instruction's form begins; the first that fits counts.
struct Row {
    std::string_view form;
    Kind kind;
    std::string_view function;
};
constexpr std::array kRows{
    Row{"shfl.sync.up", Kind::Shuffle, "__shfl_up_sync"},
    Row{"shfl.sync.down", Kind::Shuffle, "__shfl_down_sync"},
    Row{"shfl.sync.bfly", Kind::Shuffle, "__shfl_xor_sync"},
    Row{"shfl.sync.idx", Kind::Shuffle, "__shfl_sync"},
    Row{"shfl.up", Kind::Shuffle, "__shfl_up"},
    Row{"shfl.down", Kind::Shuffle, "__shfl_down"},
    Row{"shfl.bfly", Kind::Shuffle, "__shfl_xor"},
    Row{"shfl.idx", Kind::Shuffle, "__shfl"},
    Row{"vote.sync.all", Kind::Vote, "__all_sync"},
    Row{"vote.sync.any", Kind::Vote, "__any_sync"},
    Row{"vote.sync.uni", Kind::Vote, "__uni_sync"},
    Row{"vote.sync.ballot", Kind::Vote, "__ballot_sync"},
    Row{"vote.all", Kind::Vote, "__all"},
    Row{"vote.any", Kind::Vote, "__any"},
    Row{"vote.uni", Kind::Vote, "__uni"},
    Row{"vote.ballot", Kind::Vote, "__ballot"},
    Row{"match.any", Kind::Match, "__match_any_sync"},
    Row{"match.all", Kind::Match, "__match_all_sync"},
    Row{"redux.sync.add", Kind::Reduction, "__reduce_add_sync"},
    Row{"redux.sync.min", Kind::Reduction, "__reduce_min_sync"},
    Row{"redux.sync.max", Kind::Reduction, "__reduce_max_sync"},
    Row{"redux.sync.and", Kind::Reduction, "__reduce_and_sync"},
    Row{"redux.sync.or", Kind::Reduction, "__reduce_or_sync"},
    Row{"redux.sync.xor", Kind::Reduction, "__reduce_xor_sync"},
};

const Row* rowOf(std::string_view form) {
    const auto* const row =
        std::ranges::find_if(kRows, [&](const Row& row) { return form.starts_with(row.form); });
    return row == kRows.end() ? nullptr : row;
}

// A register of bits holds a float where it is moved from one, or to one; it is a part of a wider number
// where it is packed or unpacked.
struct Moved {
    ptx::Type type = ptx::Type::None;
    bool isPart = false;
};
Moved movedAs(const ptx::Module& module, Pc pc, u32 operand) {
    const ptx::Operand& wanted = module.operandsOf(module.at(pc))[operand];
    const auto* held = std::get_if<ptx::RegisterOperand>(&wanted);
    const auto* pair = std::get_if<ptx::PairOperand>(&wanted);
    if (!held && !pair) return {};
    const ptx::RegisterId id = held ? held->id : pair->value;
    const auto isIt = [&](const ptx::Operand& operand) {
        const auto* other = std::get_if<ptx::RegisterOperand>(&operand);
        return other && other->id == id;
    };
    const ptx::Function& function = module.functions[module.functionOf(pc).value];
    for (Pc at = function.first; at < function.end; ++at.value) {
        const ptx::Instruction& instruction = module.at(at);
        const auto operands = module.operandsOf(instruction);
        if (!instruction.form.starts_with("mov.") || operands.size() != 2) continue;
        for (const std::size_t side : {0u, 1u}) {
            const auto* parts = std::get_if<ptx::VectorOperand>(&operands[side]);
            if (parts && std::ranges::any_of(parts->elements, isIt)) return {ptx::Type::None, true};
            const auto* other = std::get_if<ptx::RegisterOperand>(&operands[1 - side]);
            if (!other || !isIt(operands[side])) continue;
            const ptx::Type type = function.registers[other->id.value].type;
            if (ptx::isFloat(type)) return {type, false};
        }
    }
    return {};
}

// Lanes with one member mask form a group; without masks, all of them.
std::vector<LaneMask> groupsOf(LaneMask active, const std::optional<LaneRegister>& masks) {
    if (!masks) return {active};
    std::vector<LaneMask> groups;
    for (LaneMask left = active; !left.empty();) {
        LaneMask group;
        for (const Lane lane : left)
            if (masks->values.bits[lane.value] == masks->values.bits[left.lowest().value])
                group = group | LaneMask::of(lane);
        groups.push_back(group);
        left = left & ~group;
    }
    return groups;
}

}  // namespace

std::string_view exchangeFunction(std::string_view form) {
    const Row* const row = rowOf(form);
    return row ? row->function : std::string_view();
}
bool isExchange(const ptx::Module& module, Pc pc) { return rowOf(module.at(pc).form) != nullptr; }

std::optional<LaneExchange> laneExchangeAt(const Recorded& run, const Cursor& cursor,
                                           WarpRegisters& registers) {
    const CursorContext here = lookUp(run, cursor);
    const Row* row = here.step ? rowOf(run.module->at(here.step->pc).form) : nullptr;
    if (!row) return std::nullopt;
    const Pc pc = here.step->pc;
    const ptx::Instruction& instruction = run.module->at(pc);
    const bool isSync = instruction.form.find(".sync") != std::string_view::npos;
    const u32 step = cursor.step;
    std::optional<LaneRegister> given = registers.operand(pc, 1, step),
                                received = registers.operand(pc, 0, step + 1);
    if (!given || !received) return std::nullopt;
    LaneExchange exchange{.kind = row->kind,
                          .function = row->function,
                          .active = here.step->active,
                          .given = std::move(*given),
                          .received = std::move(*received)};
    for (const u32 operand : {0u, 1u}) {
        const Moved moved = movedAs(*run.module, pc, operand);
        LaneRegister& held = operand == 0 ? exchange.received : exchange.given;
        if (moved.type != ptx::Type::None) held.type = moved.type;
        exchange.isPart |= moved.isPart;
    }
    if (row->kind != Kind::Shuffle) {
        exchange.groups = groupsOf(exchange.active, isSync ? registers.operand(pc, 2, step) : std::nullopt);
        return exchange;
    }
    const std::optional<ptx::ShuffleMode> mode = ptx::shuffleModeOf(instruction.form);
    const std::optional<LaneRegister> by = registers.operand(pc, 2, step),
                                      bounds = registers.operand(pc, 3, step);
    if (!mode || !by || !bounds) return std::nullopt;
    if (!(exchange.active & ~(by->values.known & bounds->values.known)).empty()) return std::nullopt;
    for (const Lane lane : exchange.active) {
        const ptx::ShuffleRead read = ptx::shuffleRead(*mode, lane.value, u32(by->values.bits[lane.value]),
                                                       u32(bounds->values.bits[lane.value]));
        const Lane giver = exchange.active.has(Lane{read.lane}) ? Lane{read.lane} : lane;
        exchange.from[lane.value] = u8(giver.value);
        if (giver != lane) exchange.takers = exchange.takers | LaneMask::of(lane);
    }
    return exchange;
}

}  // namespace lockstep::explain
