#include "explain/matrices/tile_spots.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace lockstep::explain {
namespace {

// What comes most often, and how often.
std::pair<s64, std::size_t> mostOf(const std::vector<s64>& numbers) {
    std::map<s64, std::size_t> counts;
    for (std::size_t first = 0, end = 0; first < numbers.size(); first = end) {
        while (end < numbers.size() && numbers[end] == numbers[first])
            ++end;
        counts[numbers[first]] += end - first;
    }
    const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
    return most == counts.end() ? std::pair<s64, std::size_t>{} : std::pair{most->first, most->second};
}

// How far apart in the tile neighbors are: along a line, and from line to line.
struct Strides {
    s64 line = 0, k = 0;
};

std::optional<Strides> stridesOf(std::span<const KeptElement> kept, u64 places) {
    std::map<std::pair<s64, s64>, u64> first;  // by line and k: those of the first round
    for (const KeptElement& element : kept)
        if (element.round == kept.front().round)
            first.emplace(std::pair{element.line, element.k}, element.place);
    std::vector<s64> along, across;
    for (const auto& [at, place] : first) {
        if (const auto next = first.find({at.first, at.second + 1}); next != first.end())
            along.push_back(s64(next->second) - s64(place));
        if (const auto next = first.find({at.first + 1, at.second}); next != first.end())
            across.push_back(s64(next->second) - s64(place));
    }
    Strides strides{mostOf(across).first, mostOf(along).first};
    // Of a single row or column the other step does not matter, as long as it leads elsewhere.
    if (across.empty()) strides.line = strides.k == 1 ? s64(places) : 1;
    if (along.empty()) strides.k = strides.line == 1 ? s64(places) : 1;
    return strides.line > 0 && strides.k > 0 && strides.line != strides.k ? std::optional(strides)
                                                                          : std::nullopt;
}

// Where a round's tile begins: its first line's first element, as most of its elements have it.
struct Begin {
    s64 offset = 0;  // place - line * strides.line - k * strides.k
    std::optional<s64> line, k;
    void include(s64 otherLine, s64 otherK) {
        line = std::min(line.value_or(otherLine), otherLine), k = std::min(k.value_or(otherK), otherK);
    }
    s64 place(const Strides& strides) const { return offset + *line * strides.line + *k * strides.k; }
};

// The first line and k of each round; of one of zeros alone those that would follow.
void nameFirsts(const std::vector<Begin>& begins, TileSpots& spots) {
    for (const Begin& begin : begins) {
        const bool isFirst = spots.firstK.empty();
        spots.firstLine.push_back(begin.line.value_or(isFirst ? 0 : spots.firstLine.back()));
        spots.firstK.push_back(begin.k.value_or(isFirst ? 0 : spots.firstK.back() + spots.depth));
    }
}

std::optional<TileSpots> byStrides(std::span<const KeptElement> kept,
                                   std::span<const std::vector<u64>> filled, u64 places, bool rows) {
    const std::optional<Strides> strides = stridesOf(kept, places);
    if (!strides) return std::nullopt;
    const auto offsetOf = [&](const KeptElement& e) {
        return s64(e.place) - e.line * strides->line - e.k * strides->k;
    };
    std::vector<std::vector<s64>> offsets(filled.size());
    for (const KeptElement& element : kept)
        offsets[element.round].push_back(offsetOf(element));
    std::vector<Begin> begins(filled.size());
    for (std::size_t r = 0; r < filled.size(); ++r)
        begins[r].offset = mostOf(offsets[r]).first;
    const auto fits = [&](const KeptElement& e) { return offsetOf(e) == begins[e.round].offset; };
    // Elsewhere a kernel may keep the last row or column again, in place of those that there are not.
    const auto nameOf = [](const KeptElement& e) { return std::tuple(e.round, e.line, e.k); };
    std::set<std::tuple<u32, s64, s64>> elsewhere;
    for (const KeptElement& element : kept)
        if (!fits(element)) elsewhere.insert(nameOf(element));
    for (const KeptElement& element : kept)
        if (!elsewhere.empty() && fits(element)) elsewhere.erase(nameOf(element));
    const auto others = elsewhere.empty() ? 0 : std::ranges::count_if(kept, [&](const KeptElement& element) {
        return elsewhere.contains(nameOf(element));
    });
    if (20 * std::size_t(others) > kept.size()) return std::nullopt;
    TileSpots spots{.spots = std::vector<std::optional<TileSpots::Spot>>(places)};
    for (const KeptElement& e : kept)
        if (fits(e)) begins[e.round].include(e.line, e.k);
    spots.isTransposed = (strides->line < strides->k) == rows;
    // Of each round the place of its first element; where nothing was read, as in the round before.
    std::set<s64> copies;
    std::vector<s64> firstPlace(filled.size());
    for (std::size_t r = 0; r < filled.size(); ++r)
        if (begins[r].line) copies.insert(firstPlace[r] = begins[r].place(*strides));
    const auto within = [&](u64 place, s64 first) -> std::optional<TileSpots::Spot> {
        s64 distance = s64(place) - first;
        if (distance < 0) return std::nullopt;
        TileSpots::Spot spot;
        if (strides->line > strides->k) {
            spot.line = u32(distance / strides->line), distance %= strides->line;
            spot.k = u32(distance / strides->k);
        } else {
            spot.k = u32(distance / strides->k), distance %= strides->k;
            spot.line = u32(distance / strides->line);
        }
        return spot;
    };
    for (std::size_t r = 0; r < filled.size(); ++r)
        for (const u64 place : filled[r])
            if (const auto spot = begins[r].line ? within(place, firstPlace[r]) : std::nullopt)
                spots.lines = std::max(spots.lines, spot->line + 1),
                spots.depth = std::max(spots.depth, spot->k + 1);
    constexpr u32 kMostCopies = 8;  // stages of a pipeline
    spots.copies = u32(copies.size());
    if (spots.copies == 0 || spots.copies > kMostCopies) return std::nullopt;
    nameFirsts(begins, spots);
    for (u64 place = 0; place < places; ++place) {   // also where nothing is ever put
        auto copy = copies.upper_bound(s64(place));  // that begins last before it
        if (copy == copies.begin()) continue;
        --copy;
        const auto spot = within(place, *copy);
        if (!spot || spot->line >= spots.lines || spot->k >= spots.depth) continue;
        spots.spots[place] = {spot->line, u32(std::distance(copies.begin(), copy)) * spots.depth + spot->k};
    }
    return spots;
}

// Places that no strides explain, as of a swizzle: each for itself, as long as it is always the same.
std::optional<TileSpots> byTable(std::span<const KeptElement> kept, std::span<const std::vector<u64>> filled,
                                 u64 places) {
    TileSpots spots{.spots = std::vector<std::optional<TileSpots::Spot>>(places)};
    std::vector<Begin> begins(filled.size());
    for (const KeptElement& e : kept)
        begins[e.round].include(e.line, e.k);
    std::map<std::pair<u32, u32>, u64> placeOf;
    for (const KeptElement& e : kept) {
        if (e.place >= places) return std::nullopt;
        const TileSpots::Spot spot{u32(e.line - *begins[e.round].line), u32(e.k - *begins[e.round].k)};
        std::optional<TileSpots::Spot>& known = spots.spots[e.place];
        const auto [there, isNew] = placeOf.try_emplace({spot.line, spot.k}, e.place);
        if ((known && *known != spot) || there->second != e.place) return std::nullopt;
        known = spot;
        spots.lines = std::max(spots.lines, spot.line + 1), spots.depth = std::max(spots.depth, spot.k + 1);
    }
    nameFirsts(begins, spots);
    return spots;
}

}  // namespace

std::optional<TileSpots> tileSpots(std::span<const KeptElement> kept,
                                   std::span<const std::vector<u64>> filled, u64 places, bool rows) {
    if (kept.empty()) return std::nullopt;
    if (std::optional<TileSpots> spots = byStrides(kept, filled, places, rows)) return spots;
    return byTable(kept, filled, places);
}

}  // namespace lockstep::explain
