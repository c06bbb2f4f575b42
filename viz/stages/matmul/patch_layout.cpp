#include "viz/stages/matmul/patch_layout.h"

#include "viz/marks/frame.h"
#include "viz/scene/tokens.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr f32 kSide = 250, kGap = 14, kName = 22, kLargestCell = 40;

// As large as it gets in the area, below the names and left of P's.
void place(MatrixCross& cross, const Rect& area, f32 gap, f32 forName, f32 largest, bool toTheRight) {
    cross.cell = std::min({(area.width - gap - forName) / f32(cross.inner + cross.columns),
                           (area.height - gap) / f32(cross.top + cross.rows), largest});
    if (cross.cell > 4) cross.cell = std::floor(cross.cell);
    const f32 c = cross.cell;
    const f32 left =
        toTheRight ? area.right() - gap - forName - f32(cross.inner + cross.columns) * c : area.x;
    cross.m = {left, area.y + f32(cross.top) * c + gap};
    cross.p = {left + f32(cross.inner) * c + gap, cross.m.y};
    cross.n = {cross.p.x, area.y};
}

std::vector<explain::CellIndex> patchOf(const explain::PatchFacts& facts) {
    std::vector<explain::CellIndex> cells;
    for (const explain::ThreadSums::Sum& sum : facts.sums->sums)
        cells.push_back(sum.cell);
    return cells;
}

}  // namespace

PatchLayout layoutPatches(const explain::PatchFacts& facts, const Rect& body, const ViewInput& in) {
    const explain::PatchBlock& block = *facts.block;
    PatchLayout l;
    const bool presented = in.isPresented;
    const f32 side = body.width >= 640 && body.height >= 300 && !presented ? kSide : 0;
    constexpr f32 kKeyedFrom = 240, kKeyedWide = 420;
    const f32 key = side == 0 && !presented && body.height >= kKeyedFrom && body.width >= kKeyedWide
                        ? keyStrip(body.width)
                        : 0;
    const Rect area{body.x + side + space::kInset, body.y + 6, body.width - side - 2 * space::kInset,
                    body.height - key - 14};
    l.side = {body.x + space::kInset, body.y + 10, std::max(0.0f, side - space::kInset - 8),
              body.height - 20};
    if (key > 0) l.key = {body.x + space::kInset, body.bottom() - key, body.width - 2 * space::kInset, key};

    const auto outer = [](const explain::Matrix& matrix, s64 first, u32 count, bool ofRows) {
        return std::max<u32>(u32(ofRows ? matrix.rows : matrix.columns),
                             u32(std::max<s64>(0, first + count)));
    };
    const u32 allRows = outer(block.p, block.firstRow, block.rows, true),
              allColumns = outer(block.p, block.firstColumn, block.columns, false);
    MatrixCross whole{.m = {},
                      .n = {},
                      .p = {},
                      .inner = u32(block.m.matrix.columns),
                      .top = u32(block.n.matrix.rows),
                      .rows = allRows,
                      .columns = allColumns};
    if (block.isTiled()) {
        l.map = whole;
        l.main = {.m = {},
                  .n = {},
                  .p = {},
                  .inner = block.m.tile ? block.m.spots.wide() : 0,
                  .top = block.n.tile ? block.n.spots.wide() : 0,
                  .rows = block.rows,
                  .columns = block.columns};
    } else {
        l.main = whole;
    }
    constexpr f32 kLeast = 130, kShare = 0.4f, kWidest = 430, kTitles = 52, kRegister = 20, kNumber = 27,
                  kLeastMap = 84, kBetween = 16;
    const auto nameWide = [&](const explain::Matrix& matrix) {
        return in.metrics.width(matrix.name, type::kBody, Face::TextBold) + 6;
    };
    const explain::PatchExtents extents = explain::extentsOf(patchOf(facts));
    const f32 forP = nameWide(block.p), tall = area.height - kName - 4,
              registersTall = kTitles + f32(extents.rows.size() + 1) * kRegister,
              registersWide = 34 + f32(extents.columns.size() + 1) * kNumber;  // with numbers
    const f32 byHeight = std::min((tall - kGap) / f32(l.main.top + l.main.rows), kLargestCell),
              needed = byHeight * f32(l.main.inner + l.main.columns) + 2 * kGap + forP;
    const auto placeMap = [&](const Rect& room) {
        place(l.map,
              {room.x + nameWide(block.m.matrix), room.y + 4, room.width - nameWide(block.m.matrix) - 6,
               room.height - 4},
              10, forP, 8, false);
    };
    const auto placeMain = [&](f32 left, f32 height) {
        const f32 x = area.x + left + (left > 0 ? kBetween : 0);
        place(l.main, {x, area.y + kName, area.right() - x, height - kName - 4}, kGap, forP, kLargestCell,
              true);
    };
    l.map.cell = 0;
    // Numbers in registers have no room beside the rest, but below it.
    const f32 beside =
                  std::clamp(std::max(area.width * kShare, area.width - needed - kBetween), kLeast, kWidest),
              above = area.height - registersTall - kBetween;
    constexpr f32 kLeastAbove = 170;
    if (beside < registersWide && area.width * 0.5f < registersWide && above >= kLeastAbove &&
        registersWide <= area.width) {
        const f32 left = l.map.top > 0 ? area.width * 0.34f : 0;
        placeMain(left, above);
        if (left > 0) placeMap({area.x, area.y, left, above});
        l.registers = {area.x, area.bottom() - registersTall, area.width, registersTall};
    } else if (area.width >= 2 * kLeast + 60 && area.height >= 150) {
        const f32 left = std::max(beside, std::min(registersWide, area.width * 0.5f));
        placeMain(left, area.height);
        // Registers that can be read come first.
        const f32 mapTall = l.map.top > 0
                                ? std::clamp(area.height - registersTall,
                                             std::min(kLeastMap, area.height * 0.3f), area.height * 0.42f)
                                : 0;
        // A magnifier beside it, where the tiles' cells are too small for numbers.
        constexpr f32 kLoupe = 236, kLeastForBoth = 360;
        const f32 loupe =
            l.main.cell < PatchLayout::kLeastValueCell && left >= kLeastForBoth && !presented ? kLoupe : 0;
        if (mapTall >= kLeastMap) placeMap({area.x, area.y, left - loupe, mapTall});
        const f32 top = area.y + (mapTall >= kLeastMap ? mapTall + 10 : 0);
        l.registers = {area.x, top, left, area.bottom() - top};
    } else {
        placeMain(0, area.height);
    }
    constexpr f32 kLeastCell = 0.25f;
    l.fits = area.width > 140 && area.height > 90 && l.main.cell >= kLeastCell;
    return l;
}

}  // namespace lockstep::viz
