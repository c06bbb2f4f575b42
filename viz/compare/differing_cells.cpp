#include "viz/compare/differing_cells.h"

#include "viz/facts/cell_memory.h"

#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace lockstep::viz {
namespace {

// What the cells of a picture hold, by element; of several for one the first.
std::map<CellIdentity, HeldInCell> heldIn(const Scene& scene, CellMemory& memory) {
    std::map<CellIdentity, HeldInCell> all;
    for (const ValueCell& cell : scene.cells)
        if (const auto which = memory.identityOf(cell)) {
            if (cell.value)
                all.try_emplace(*which, HeldInCell{.number = cell.value});
            else if (const auto held = memory.heldAt(*which))
                all.try_emplace(*which, *held);
        }
    return all;
}

std::vector<Rect> differing(const Scene& scene, CellMemory& own,
                            const std::map<CellIdentity, HeldInCell>& mine,
                            const std::map<CellIdentity, HeldInCell>& theirs, CellMemory& other) {
    std::vector<Rect> cells;
    for (const ValueCell& cell : scene.cells) {
        const auto which = own.identityOf(cell);
        const auto held = which ? mine.find(*which) : mine.end();
        if (held == mine.end()) continue;
        const auto drawn = theirs.find(*which);
        // An element that the other picture does not show is compared as its memory has it; a number that is
        // none of memory's only with another one.
        const std::optional<HeldInCell> there = drawn != theirs.end() ? drawn->second
                                                : held->second.number || which->version > 0
                                                    ? std::nullopt
                                                    : other.heldAt(*which);
        if (there && !(held->second == *there)) cells.push_back(cell.rect);
    }
    return cells;
}

}  // namespace

DifferingCells differingCells(const Scene& first, const ViewInput& a, const Scene& second,
                              const ViewInput& b) {
    if (first.cells.empty() || second.cells.empty()) return {};
    CellMemory ofA(a), ofB(b);
    const std::map<CellIdentity, HeldInCell> inA = heldIn(first, ofA), inB = heldIn(second, ofB);
    return {differing(first, ofA, inA, inB, ofB), differing(second, ofB, inB, inA, ofA)};
}

std::vector<LineMark> outlinesOf(const std::vector<Rect>& cells, const Stroke& stroke) {
    // Edges on a grid of half pixels: across or not, where the line lies, from where to where on it.
    using Edge = std::tuple<bool, s32, s32, s32>;
    const auto half = [](f32 place) { return s32(std::lround(2 * place)); };
    std::map<Edge, u32> edges;
    for (const Rect& r : cells) {
        const s32 left = half(r.x), right = half(r.right()), top = half(r.y), bottom = half(r.bottom());
        ++edges[{true, top, left, right}], ++edges[{true, bottom, left, right}];
        ++edges[{false, left, top, bottom}], ++edges[{false, right, top, bottom}];
    }
    std::vector<LineMark> lines;
    for (const auto& [edge, count] : edges) {
        if (count > 1) continue;
        const auto [across, at, from, to] = edge;
        const f32 line = f32(at) / 2, begin = f32(from) / 2, end = f32(to) / 2;
        // On with the one before it, where that ends here.
        LineMark* last = lines.empty() ? nullptr : &lines.back();
        if (last && across && last->from.y == line && last->to.y == line && last->to.x == begin)
            last->to.x = end;
        else if (last && !across && last->from.x == line && last->to.x == line && last->to.y == begin)
            last->to.y = end;
        else
            lines.push_back({.from = across ? Point{begin, line} : Point{line, begin},
                             .to = across ? Point{end, line} : Point{line, end},
                             .stroke = stroke});
    }
    return lines;
}

}  // namespace lockstep::viz
