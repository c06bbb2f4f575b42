// A stencil: every element is computed from others at the same distances.
#include "base/text/counted.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

struct Distance {
    s64 rows = 0, columns = 0;
    auto operator<=>(const Distance&) const = default;
};
using Distances = std::vector<Distance>;

// Of a flat buffer everything is one row.
Distance distanceOf(const BlockValues& values, ValueGraph::Cell from, ValueGraph::Cell to) {
    const auto fromColumns = values.columnsOf(from.buffer), toColumns = values.columnsOf(to.buffer);
    if (!fromColumns || !toColumns) return {0, from.element - to.element};
    const s64 a = s64(*fromColumns), b = s64(*toColumns);
    const s64 row = from.element >= 0 ? from.element / a : -((-from.element + a - 1) / a);
    const s64 column = from.element - row * a;
    // Of several planes, as of channels, each is looked at by itself.
    const std::vector<u64>&fromShape = values.graph.buffers()[from.buffer].shape,
          &toShape = values.graph.buffers()[to.buffer].shape;
    const s64 fromRow = fromShape.size() > 2 ? row % s64(fromShape[fromShape.size() - 2]) : row;
    const s64 toRow = toShape.size() > 2 ? to.element / b % s64(toShape[toShape.size() - 2]) : to.element / b;
    return {fromRow - toRow, column - to.element % b};
}

bool areNeighbors(const Distances& distances) {
    for (std::size_t i = 1; i < distances.size(); ++i)
        if (distances[i].rows == distances[i - 1].rows &&
            distances[i].columns - distances[i - 1].columns <= 2)
            return true;
    if (std::ranges::any_of(distances, [&](const Distance& d) {
            return std::ranges::binary_search(distances, Distance{d.rows + 1, d.columns});
        }))
        return true;
    // A column of a flat buffer: equally far apart.
    for (std::size_t i = 2; i < distances.size(); ++i)
        if (distances[i].columns - distances[i - 1].columns != distances[1].columns - distances[0].columns)
            return false;
    return distances.size() > 2;
}

struct Pattern {
    std::vector<Distances> all;  // of each output
    std::set<s64> elements;      // of all
    std::size_t uses = 0;        // of these
    // Neighbors take the same elements, as they do not where each sums up a column of its own.
    bool overlaps() const { return 2 * uses >= 3 * elements.size(); }
};

struct Buffers {
    u32 from = 0, to = 0;
    auto operator<=>(const Buffers&) const = default;
};

// Of each pair of buffers.
std::map<Buffers, Pattern> patternsOf(const BlockValues& values) {
    std::map<Buffers, Pattern> patterns;
    for (const Output& output : values.outputs) {
        if (output.isPlacedByData || output.kind != trace::AccessKind::Store) continue;
        std::map<u32, std::vector<s64>> ofBuffer;
        for (const ValueGraph::Cell& cell : values.elementsBehind(output))
            ofBuffer[cell.buffer].push_back(cell.element);
        for (const auto& [buffer, elements] : ofBuffer) {
            if (buffer == output.cell.buffer || elements.size() < 2 || values.graph.isGathered(buffer))
                continue;
            Pattern& pattern = patterns[{buffer, output.cell.buffer}];
            Distances& distances = pattern.all.emplace_back();
            for (const s64 element : elements)
                distances.push_back(distanceOf(values, {buffer, element}, output.cell));
            std::ranges::sort(distances);
            distances.erase(std::ranges::unique(distances).begin(), distances.end());
            pattern.elements.insert(elements.begin(), elements.end());
            pattern.uses += elements.size();
        }
    }
    return patterns;
}

}  // namespace

std::optional<ProvedShape> provedStencil(const BlockValues& values) {
    constexpr std::size_t kLeastOutputs = 4, kMostNeighbors = 512;
    const std::map<Buffers, Pattern> patterns = patternsOf(values);
    const auto most =
        std::ranges::max_element(patterns, {}, [](const auto& p) { return p.second.all.size(); });
    if (most == patterns.end() || most->second.all.size() < kLeastOutputs || !most->second.overlaps())
        return std::nullopt;
    const auto& [buffers, pattern] = *most;
    std::map<Distances, std::size_t> counts;
    for (const Distances& distances : pattern.all)
        ++counts[distances];
    const auto usual = std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; });
    const Distances& whole = usual->first;
    // Where the data end, some neighbors are missing; what is clamped to the edge may come from elsewhere.
    std::size_t fitting = 0;
    for (const auto& [distances, count] : counts)
        if (std::ranges::includes(whole, distances)) fitting += count;
    if (whole.size() > kMostNeighbors || 3 * usual->second < pattern.all.size() ||
        !isMost(fitting, pattern.all.size()) || !areNeighbors(whole))
        return std::nullopt;
    return ProvedShape{
        .shape = Shape::Stencil,
        .evidence = {Message(english("Each element of {0} depends on {1} {1:element|elements} of {2} at "
                                     "fixed offsets from its own index."),
                             values.graph.buffers()[buffers.to].name, grouped(whole.size()),
                             values.graph.buffers()[buffers.from].name),
                     Message(english("{0} of {1} match."), grouped(fitting), grouped(pattern.all.size()))},
        .buffers = {values.shaped(buffers.from), values.shaped(buffers.to)}};
}

}  // namespace lockstep::explain
