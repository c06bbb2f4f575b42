#include "lessons/reduction_quantities.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace lockstep::lessons {
namespace {

constexpr f64 kMostExact = 1e15;  // whole numbers that an f64 has all of

// "sdata[0] = 3, sdata[16] = 5": what stands in the places that are added.
std::optional<std::string> operandsOf(const PlaceOnShow& place) {
    const auto facts = explain::reductionFacts(*place.run, place.cursor);
    const auto additions = additionsOf(place);
    if (!facts || !additions) return {};
    std::map<u64, s64> values;
    for (const explain::Addition& one : *additions) {
        for (const explain::Addend& from : one.from)
            values.emplace(from.place, s64(from.value));
        if (one.own) values.emplace(one.own->place, s64(one.own->value));
    }
    std::string text;
    for (const auto& [at, value] : values)
        text += (text.empty() ? "" : ", ") + facts->array.nameOf(at) + " = " + std::to_string(value);
    return text;
}

}  // namespace

Expected<std::vector<explain::Addition>> additionsOf(const PlaceOnShow& place) {
    const auto facts = explain::reductionFacts(*place.run, place.cursor);
    if (!facts) return fail(FaultKind::Usage, english("the block adds up nothing in shared memory"));
    if (place.round > facts->rounds.size())
        return fail(FaultKind::Usage, Message(english("it has {0} {0:round|rounds}, not {1}"),
                                              facts->rounds.size(), place.round));
    std::vector<explain::Addition> additions = facts->rounds[place.round - 1];
    std::ranges::sort(additions, {}, &explain::Addition::to);
    for (const explain::Addition& one : additions)
        if (one.sum != std::floor(one.sum) || std::abs(one.sum) > kMostExact)
            return fail(FaultKind::Usage, english("the sums of this round are no whole numbers"));
    return additions;
}

std::vector<Quantity> reductionRows() {
    using P = const PlaceOnShow&;
    return {
        {"round", english("round of the sum that the question asks about"),
         NumberOf([](P p) -> std::optional<s64> { return p.round; })},
        {"rounds", english("rounds in which the block's threads add up in shared memory"),
         NumberOf([](P p) -> std::optional<s64> {
             const auto facts = explain::reductionFacts(*p.run, p.cursor);
             return facts ? std::optional<s64>(facts->count()) : std::nullopt;
         })},
        {"adders", english("threads that add in this round"), NumberOf([](P p) -> std::optional<s64> {
             const auto additions = additionsOf(p);
             return additions ? std::optional<s64>(additions->size()) : std::nullopt;
         })},
        {"tree_rounds", english("rounds of halving, from all threads of the grid to one"),
         NumberOf([](P p) -> std::optional<s64> {
             const Launch& launch = p.run->recording.launches[p.cursor.launch.value];
             return std::bit_width(launch.grid.count() * launch.block.count() - 1);
         }),
         +[](P p) {
             const Launch& launch = p.run->recording.launches[p.cursor.launch.value];
             const u64 threads = launch.grid.count() * launch.block.count();
             return Message(english("{0} {0:thread|threads}: halved {1} {1:time|times}, one is left."),
                            threads, s64(std::bit_width(threads - 1)));
         }},
        {"operands", english("what stands in the places that this round adds"), NameOf(operandsOf)},
    };
}

}  // namespace lockstep::lessons
