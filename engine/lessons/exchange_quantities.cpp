// What lanes of a warp hand each other, and who holds what afterwards.
#include "explain/exchange/lane_exchange.h"
#include "explain/sentences/lane_lists.h"
#include "explain/source/source_line.h"
#include "lessons/quantity_rows.h"

#include <bit>

namespace lockstep::lessons {
namespace {

using P = const PlaceOnShow&;
using Number = std::optional<s64>;
using explain::LaneExchange;

std::optional<LaneExchange> exchangeAt(P place, u32 step) {
    Cursor cursor = place.cursor;
    cursor.step = step;
    const auto registers = explain::WarpRegisters::of(*place.run, cursor);
    return registers ? explain::laneExchangeAt(*place.run, cursor, **registers) : std::nullopt;
}
std::optional<LaneExchange> exchangeOf(P place) { return exchangeAt(place, place.cursor.step); }

s64 valueIn(const explain::LaneRegister& held, u32 lane) {
    return s64(std::bit_cast<s32>(u32(held.values.bits[lane])));
}

// The first of the shuffles of this line since the warp's last barrier: it brings what the lanes add up.
u32 firstExchange(P place) {
    const ptx::Module& module = *place.run->module;
    const trace::WarpTrace& warp = place.warp();
    const explain::SourceLine line = explain::lineOf(module, place.here.step->pc);
    u32 first = place.cursor.step;
    u32 earliest = 0;
    for (const u32 barrier : warp.barrierSteps)
        if (barrier < first) earliest = barrier;
    for (u32 step = first; step-- > earliest;)
        if (const Pc pc = warp.steps[step].pc;
            explain::isExchange(module, pc) && explain::lineOf(module, pc) == line)
            first = step;
    return first;
}

u32 sumOfGiven(const LaneExchange& exchange) {
    u32 sum = 0;
    for (const Lane lane : exchange.active)
        sum += u32(exchange.given.values.bits[lane.value]);
    return sum;
}

// Lanes whose own value and received one add up to the sum of all lanes.
std::optional<LaneMask> holders(P place) {
    const std::optional<LaneExchange> now = exchangeOf(place),
                                      first = exchangeAt(place, firstExchange(place));
    if (!now || !first || now->kind != LaneExchange::Kind::Shuffle) return {};
    const u32 total = sumOfGiven(*first);
    LaneMask lanes;
    for (const Lane lane : now->active)
        if (u32(now->given.values.bits[lane.value]) + u32(now->received.values.bits[lane.value]) == total)
            lanes = lanes | LaneMask::of(lane);
    return lanes;
}

std::optional<LaneMask> votingLanes(P place) {
    const std::optional<LaneExchange> exchange = exchangeOf(place);
    if (!exchange || exchange->kind != LaneExchange::Kind::Vote) return {};
    LaneMask lanes;
    for (const Lane lane : exchange->active)
        if (exchange->given.values.bits[lane.value] != 0) lanes = lanes | LaneMask::of(lane);
    return lanes;
}

Message votesClue(const LaneExchange& exchange, LaneMask voting) {
    const Message lanes(
        Text{explain::lanesText(voting, Language::English), explain::lanesText(voting, Language::Chinese)});
    return Message(english("In {0}() {2:lane|lanes} {1} {2:votes|vote} yes."), std::string(exchange.function),
                   lanes, voting.count());
}

// The lane that a lane at the warp's edge would take from, if there were one: as far away as that of all
// lanes that take another's value. None: they do not take from one distance, or it is within the warp.
std::optional<s64> laneBeyond(const LaneExchange& exchange, Lane lane) {
    std::optional<s64> away;
    for (const Lane taker : exchange.takers) {
        const s64 distance = s64(exchange.from[taker.value]) - s64(taker.value);
        if (away && *away != distance) return {};
        away = distance;
    }
    const s64 beyond = s64(lane.value) + away.value_or(0);
    return beyond < 0 || beyond >= s64(kWarpSize) ? std::optional(beyond) : std::nullopt;
}

// Between which lanes those lie that vote yes below the cursor's lane; empty: fewer than two do.
Message lowerVotesClue(P place) {
    const std::optional<LaneMask> voting = votingLanes(place);
    const LaneMask lower = voting ? *voting & LaneMask::firstLanes(place.cursor.lane.value) : LaneMask{};
    if (lower.count() < 2) return {};
    return Message(
        english("Below lane {0}, lane {1} is the lowest that votes yes, and lane {2} the highest."),
        place.cursor.lane.value, lower.lowest().value, u32(std::bit_width(lower.bits)) - 1);
}

// What a lane takes in a shuffle.
Message takenBy(const LaneExchange& exchange, Lane lane) {
    if (exchange.from[lane.value] == lane.value) {
        if (const std::optional<s64> beyond = laneBeyond(exchange, lane))
            return Message(english("In {0}() lane {1} keeps its own value: a warp has no lane {2}."),
                           std::string(exchange.function), lane.value, *beyond);
        return Message(english("In {0}() lane {1} keeps its own value."), std::string(exchange.function),
                       lane.value);
    }
    return Message(english("In {0}() lane {1} takes the value of lane {2}."), std::string(exchange.function),
                   lane.value, u32(exchange.from[lane.value]));
}

// Of another lane than the cursor's: one that takes another lane's value, or does not, as that of the cursor.
Message exchangeClue(P place) {
    const std::optional<LaneExchange> exchange = exchangeOf(place);
    if (!exchange) return {};
    if (const std::optional<LaneMask> voting = votingLanes(place)) return votesClue(*exchange, *voting);
    if (exchange->kind != LaneExchange::Kind::Shuffle) return {};
    const LaneMask others = exchange->active & ~LaneMask::of(place.cursor.lane);
    const bool takes = exchange->takers.has(place.cursor.lane);
    const LaneMask alike = others & (takes ? exchange->takers : ~exchange->takers);
    if (others.empty()) return {};
    return takenBy(*exchange, alike.empty() ? others.lowest() : alike.lowest());
}

Message exchangeOfLane(P place, Lane lane) {
    const std::optional<LaneExchange> exchange = exchangeOf(place);
    if (!exchange || exchange->kind != LaneExchange::Kind::Shuffle) return {};
    return exchange->active.has(lane) ? takenBy(*exchange, lane) : activityOfLane(place, lane);
}

Message voteOfLane(P place, Lane lane) {
    const std::optional<LaneMask> voting = votingLanes(place);
    if (!voting) return {};
    return Message(voting->has(lane) ? english("Lane {0} votes yes.") : english("Lane {0} votes no."),
                   lane.value);
}

Message sumOfLane(P place, Lane lane) {
    const std::optional<LaneExchange> now = exchangeOf(place),
                                      first = exchangeAt(place, firstExchange(place));
    if (!now || !first || !now->active.has(lane)) return activityOfLane(place, lane);
    const u32 sum = u32(now->given.values.bits[lane.value]) + u32(now->received.values.bits[lane.value]);
    return Message(english("Lane {0} then has {1}; all lanes together brought {2}."), lane.value,
                   s64(std::bit_cast<s32>(sum)), s64(std::bit_cast<s32>(sumOfGiven(*first))));
}

template <class Of> Number ofShuffle(P place, const Of& of) {
    const std::optional<LaneExchange> exchange = exchangeOf(place);
    if (!exchange || exchange->kind != LaneExchange::Kind::Shuffle) return {};
    return Number(of(*exchange, place.cursor.lane.value));
}

Number totalOfWarp(P place) {
    const std::optional<LaneExchange> first = exchangeAt(place, firstExchange(place));
    if (!first) return {};
    return s64(std::bit_cast<s32>(sumOfGiven(*first)));
}

// What two lanes bring to the sum.
Message broughtClue(P place) {
    const std::optional<LaneExchange> first = exchangeAt(place, firstExchange(place));
    if (!first || first->active.count() < 2) return {};
    const u32 one = first->active.lowest().value, last = u32(std::bit_width(first->active.bits)) - 1;
    return Message(english("Lane {0} brings {1}, lane {2} brings {3}."), one, valueIn(first->given, one),
                   last, valueIn(first->given, last));
}

}  // namespace

std::vector<Quantity> exchangeRows() {
    return {
        {"from_lane", english("lane whose value the cursor's lane takes in this shuffle"), NumberOf([](P p) {
             return ofShuffle(p, [](const LaneExchange& e, u32 lane) { return s64(e.from[lane]); });
         }),
         exchangeClue},
        {"brought", english("value that the cursor's lane brings to this shuffle"), NumberOf([](P p) {
             return ofShuffle(p, [](const LaneExchange& e, u32 lane) { return valueIn(e.given, lane); });
         }),
         exchangeClue},
        {"received", english("value that the cursor's lane has from this shuffle"), NumberOf([](P p) {
             return ofShuffle(p, [](const LaneExchange& e, u32 lane) { return valueIn(e.received, lane); });
         }),
         exchangeClue},
        {"taking_lanes", english("lanes that take another lane's value in this shuffle"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             const auto exchange = exchangeOf(p);
             if (!exchange || exchange->kind != LaneExchange::Kind::Shuffle) return {};
             return exchange->takers;
         }),
         exchangeClue, exchangeOfLane},
        {"sum_lanes",
         english("lanes that have the sum of all lanes once they have added what this shuffle brings"),
         LanesOf(holders), exchangeClue, sumOfLane},
        {"warp_sum", english("sum of what all lanes bring to the first of these shuffles"),
         NumberOf(totalOfWarp), broughtClue},
        {"voting_lanes", english("lanes that vote yes in this step"), LanesOf(votingLanes), exchangeClue,
         voteOfLane},
        {"lower_votes", english("lanes below the cursor's lane that vote yes in this step"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             const std::optional<LaneMask> lanes = votingLanes(p);
             return lanes ? std::optional(*lanes & LaneMask::firstLanes(p.cursor.lane.value)) : std::nullopt;
         }),
         Clues(lowerVotesClue, exchangeClue), voteOfLane},
    };
}

}  // namespace lockstep::lessons
