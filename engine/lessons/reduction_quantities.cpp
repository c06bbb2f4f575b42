#include "lessons/reduction_quantities.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace lockstep::lessons {
namespace {

constexpr f64 kMostExact = 1e15;  // whole numbers that an f64 has all of

// "sdata[0] = 3, sdata[16] = 5", by place.
std::string listOf(const explain::ReductionFacts& facts, const std::map<u64, s64>& values) {
    std::string text;
    for (const auto& [at, value] : values)
        text += (text.empty() ? "" : ", ") + facts.array.nameOf(at) + " = " + std::to_string(value);
    return text;
}

// What stands in the places that are added.
std::optional<std::string> operandsOf(const PlaceOnShow& place) {
    const auto facts = reductionAt(place);
    const auto additions = additionsOf(place);
    if (!facts || !additions) return {};
    std::map<u64, s64> values;
    for (const explain::Addition& one : *additions) {
        for (const explain::Addend& from : one.from)
            values.emplace(from.place, s64(from.value));
        if (one.own) values.emplace(one.own->place, s64(one.own->value));
    }
    return listOf(*facts, values);
}

std::optional<std::string> newValuesOf(const PlaceOnShow& place) {
    const auto facts = reductionAt(place);
    const auto additions = additionsOf(place);
    if (!facts || !additions) return {};
    std::map<u64, s64> values;
    for (const explain::Addition& one : *additions)
        values[one.to] = s64(one.sum);
    return listOf(*facts, values);
}

// How many new values the rounds make, the first one and the last; and those before the one asked about.
Message roundsClue(const PlaceOnShow& place) {
    const auto facts = reductionAt(place);
    if (!facts) return {};
    return Message(english("The first round makes {0} new {0:value|values}, the last one {1}."),
                   facts->rounds.front().size(), facts->rounds.back().size());
}
Message addersClue(const PlaceOnShow& place) {
    const auto facts = reductionAt(place);
    if (!facts || place.round > facts->rounds.size()) return {};
    if (place.round > 1)
        return Message(english("The round before makes {0} new {0:value|values}."),
                       facts->rounds[place.round - 2].size());
    return Message(english("Before the first round {0} {0:place holds|places hold} a value."),
                   facts->start.size());
}

Message halvedClue(const PlaceOnShow& place) {
    const Launch& launch = place.run->recording.launches[place.cursor.launch.value];
    const u64 threads = launch.grid.count() * launch.block.count();
    return Message(english("The grid has {0} {0:thread|threads}: {1} are left after the first halving."),
                   threads, (threads + 1) / 2);
}

}  // namespace

std::optional<explain::ReductionFacts> reductionAt(const PlaceOnShow& place) {
    const explain::LazyFlow flow(*place.run, place.cursor);
    if (place.access && place.access->space == trace::Space::Shared && !place.access->active.empty())
        for (const explain::SharedArray& array : explain::sharedArrays(*place.run, place.cursor.launch))
            if (array.contains(place.access->addresses[place.access->active.lowest().value]))
                if (auto facts = explain::reductionFacts(*place.run, place.cursor, flow, array)) return facts;
    return explain::reductionFacts(*place.run, place.cursor, flow);
}

Expected<std::vector<explain::Addition>> additionsOf(const PlaceOnShow& place) {
    const auto facts = reductionAt(place);
    if (!facts)
        return fail(FaultKind::Usage,
                    english("no thread stores what it makes of two places of shared memory; an if that "
                            "replaces a value and an atomic operation make no rounds"));
    if (place.round > facts->rounds.size())
        return fail(FaultKind::Usage, Message(english("it has {0} {0:round|rounds}, not {1}"),
                                              facts->rounds.size(), place.round));
    std::vector<explain::Addition> additions = facts->rounds[place.round - 1];
    std::ranges::sort(additions, {}, &explain::Addition::to);
    for (const explain::Addition& one : additions)
        if (one.sum != std::floor(one.sum) || std::abs(one.sum) > kMostExact)
            return fail(FaultKind::Usage, english("the new values of this round are no whole numbers"));
    return additions;
}

std::vector<Quantity> reductionRows() {
    using P = const PlaceOnShow&;
    return {
        {"round", english("round of the sum that the question asks about"),
         NumberOf([](P p) -> std::optional<s64> { return p.round; }), roundsClue},
        {"rounds", english("rounds in which the block's threads add up in shared memory"),
         NumberOf([](P p) -> std::optional<s64> {
             const auto facts = reductionAt(p);
             return facts ? std::optional<s64>(facts->count()) : std::nullopt;
         }),
         roundsClue},
        {"adders", english("threads that make new values in this round"),
         NumberOf([](P p) -> std::optional<s64> {
             const auto additions = additionsOf(p);
             if (!additions) return std::nullopt;
             std::set<std::pair<u32, u32>> threads;
             for (const explain::Addition& one : *additions)
                 threads.emplace(one.warp.value, one.lane.value);
             return threads.size();
         }),
         addersClue},
        {"tree_rounds", english("rounds of halving, from all threads of the grid to one"),
         NumberOf([](P p) -> std::optional<s64> {
             const Launch& launch = p.run->recording.launches[p.cursor.launch.value];
             return std::bit_width(launch.grid.count() * launch.block.count() - 1);
         }),
         halvedClue},
        {"operands", english("what stands in the places that this round combines"), NameOf(operandsOf)},
        {"new_values", english("what this round stores"), NameOf(newValuesOf)},
    };
}

}  // namespace lockstep::lessons
