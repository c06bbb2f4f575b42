// Copies and transposes: what is stored is what was loaded, elsewhere.
#include "base/text/counted.h"
#include "explain/shape_rules.h"

#include <algorithm>

namespace lockstep::explain {
namespace {

struct Move {
    s64 from = 0, to = 0;  // elements
};
// Of the two buffers between which most elements are moved.
struct Moves {
    u32 from = 0, to = 0;
    std::vector<Move> all;
};

// None: too little of what the block stores was merely moved.
std::optional<Moves> movesOf(const BlockValues& values) {
    std::map<std::pair<u32, u32>, std::vector<Move>> between;
    std::size_t moved = 0, made = 0;
    for (const Output& output : values.outputs) {
        made += values.isMade(output);
        if (!values.isMoved(output) || output.kind != trace::AccessKind::Store || output.isPlacedByData)
            continue;
        const ValueGraph::Node& node = values.graph.node(output.value);
        if (node.buffer == output.cell.buffer || values.graph.isGathered(node.buffer)) continue;
        between[{node.buffer, output.cell.buffer}].push_back({node.element, output.cell.element});
        ++moved;
    }
    if (values.isSteered || !isMost(moved + made, values.outputs.size()) || moved < 2) return std::nullopt;
    const auto most = std::ranges::max_element(between, {}, [](const auto& b) { return b.second.size(); });
    return Moves{most->first.first, most->first.second, most->second};
}

// How far apart neighbors of one side come to lie on the other; none: they stay neighbors, or there are none.
std::optional<s64> strideOf(const Moves& moves, s64 Move::*side, s64 Move::*other) {
    std::map<s64, s64> at;
    for (const Move& move : moves.all)
        at[move.*side] = move.*other;
    for (const auto& [element, place] : at)
        if (const auto next = at.find(element + 1); next != at.end() && next->second > place + 1)
            return next->second - place;
    return std::nullopt;
}

// Rows and columns of one matrix of a buffer, which may hold several.
struct Extent {
    s64 rows = 0, columns = 0;
};
std::optional<Extent> extentOf(const BlockValues& values, u32 buffer) {
    const std::vector<u64>& shape = values.graph.buffers()[buffer].shape;
    if (shape.size() < 2) return std::nullopt;
    return Extent{s64(shape[shape.size() - 2]), s64(shape.back())};
}

bool isTransposed(const Move& move, const Extent& from, const Extent& to) {
    const s64 fromPlane = from.rows * from.columns, toPlane = to.rows * to.columns;
    if (move.from < 0 || move.to < 0 || fromPlane == 0 || toPlane == 0) return false;
    const s64 a = move.from % fromPlane, b = move.to % toPlane;
    return a / from.columns == b % to.columns && a % from.columns == b / to.columns;
}

std::optional<ProvedShape> prove(const BlockValues& values, const Moves& moves, const Extent& from,
                                 const Extent& to) {
    std::set<s64> rows, columns;
    std::size_t fitting = 0;
    for (const Move& move : moves.all) {
        fitting += isTransposed(move, from, to);
        rows.insert(move.from / std::max<s64>(1, from.columns));
        columns.insert(move.from % std::max<s64>(1, from.columns));
    }
    if (!isMost(fitting, moves.all.size()) || rows.size() < 2 || columns.size() < 2) return std::nullopt;
    return ProvedShape{
        .shape = Shape::Transpose,
        .evidence = {Message(english("Row i, column j of {0} goes to row j, column i of {1}."),
                             values.graph.buffers()[moves.from].name, values.graph.buffers()[moves.to].name),
                     Message(english("{0} of {1} match."), grouped(fitting), grouped(moves.all.size()))},
        .buffers = {values.shaped(moves.from, u64(from.columns)), values.shaped(moves.to, u64(to.columns))}};
}

}  // namespace

std::optional<ProvedShape> provedTranspose(const BlockValues& values) {
    const std::optional<Moves> moves = movesOf(values);
    if (!moves) return std::nullopt;
    const std::optional<Extent> from = extentOf(values, moves->from), to = extentOf(values, moves->to);
    if (from && to)
        if (auto proved = prove(values, *moves, *from, *to)) return proved;
    // Of flat buffers, and of a kernel that takes a matrix for one of another width, the addresses tell the
    // widths: neighbors in a row come to lie as far apart as the other side has columns.
    const auto columnsTo = strideOf(*moves, &Move::from, &Move::to),
               columnsFrom = strideOf(*moves, &Move::to, &Move::from);
    if (!columnsTo || !columnsFrom) return std::nullopt;
    return prove(values, *moves, {*columnsTo, *columnsFrom}, {*columnsFrom, *columnsTo});
}

std::optional<ProvedShape> provedCopy(const BlockValues& values) {
    const std::optional<Moves> moves = movesOf(values);
    if (!moves) return std::nullopt;
    // Each to one place: what several take, as an enlarged picture does, is no copy.
    std::set<s64> taken;
    for (const Move& move : moves->all)
        taken.insert(move.from);
    if (!isMost(taken.size(), moves->all.size())) return std::nullopt;
    return ProvedShape{
        .shape = Shape::Copy,
        .evidence = {Message(
            english("{0} receives elements of {1} unchanged: {2} of the {3} that the block stores."),
            values.graph.buffers()[moves->to].name, values.graph.buffers()[moves->from].name,
            grouped(moves->all.size()), grouped(values.outputs.size()))},
        .buffers = {values.shaped(moves->from), values.shaped(moves->to)}};
}

}  // namespace lockstep::explain
