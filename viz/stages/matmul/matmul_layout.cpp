// Finds the largest cells that fit.
#include "viz/stages/matmul/matmul_layout.h"

#include "viz/cursor/presentation.h"
#include "viz/marks/frame.h"
#include "viz/scene/tokens.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr f32 kSide = 250, kAcross = 44, kRight = 24, kBottom = 24, kStrip = 84;
constexpr f32 kLow = 320;      // below this height
constexpr u32 kFewCells = 24;  // along an edge: small matrices are never magnified

// Room for the names, with indices where there is height for them.
f32 topNames(bool low) { return low ? 28 : 46; }
f32 between(bool low) { return low ? 32 : 62; }
f32 belowAll(bool low) { return low ? 8 : kBottom; }
constexpr f32 kLargestCell = 80, kLargestTileCell = 88, kLeastReadable = 13;

f32 rowsOf(const explain::SharedArray& tile) {
    return f32(tile.elements()) / f32(std::max<u64>(1, tile.columns()));
}

// The matrices as large as they get, the tiles in the free quarter.
void placeWhole(MatmulLayout& l, const MatmulFacts& facts, const Rect& area) {
    const f32 nWidth = f32(l.columnsN) * l.cell, mWidth = f32(l.inner) * l.cell;
    l.n = {area.right() - kRight - nWidth, area.y + topNames(l.low)};
    l.p = {l.n.x, l.n.y + f32(l.inner) * l.cell + between(l.low)};
    l.m = {l.p.x - kAcross - mWidth, l.p.y};
    const f32 columns = facts.tiled() ? f32(std::max(facts.m.tile->columns(), facts.n.tile->columns())) : 1,
              rows = facts.tiled() ? std::max(rowsOf(*facts.m.tile), rowsOf(*facts.n.tile)) : 1;
    const f32 left = area.x + 12, top = area.y + 34;
    const auto placeTiles = [&](f32 right, f32 bottom) {
        l.slotHeight =
            std::clamp((bottom - area.y) * 0.16f, 12.0f, std::clamp(area.height * 0.06f, 34.0f, 48.0f));
        if (l.slotRows > 2) l.slotHeight = std::max(10.0f, l.slotHeight * 2 / f32(l.slotRows));
        l.panel = {left, top, right - left, bottom - l.slotHeight * f32(l.slotRows) - 10 - top};
        l.tileCell = std::max(0.0f, std::min({(l.panel.width - 48) / (2 * columns),
                                              (l.panel.height - 44) / rows, kLargestTileCell}));
        if (l.tileCell > 4) l.tileCell = std::floor(l.tileCell);
    };
    // In the free quarter; where that is too low for digits, left of M if there is more room.
    placeTiles(area.right() - kRight - std::min(nWidth, area.width * 0.6f) - 30,
               std::max(area.y + 60, l.p.y - 38));
    const f32 inQuarter = l.tileCell;
    constexpr f32 kTooSmallForDigits = 30;
    if (l.low || inQuarter < kTooSmallForDigits) {
        const MatmulLayout quarter = l;
        placeTiles(l.m.x - 40, l.low ? area.bottom() - 8 : std::min(area.bottom() - 8, l.m.y + 8));
        if (!l.low && l.tileCell <= inQuarter) l = quarter;
    }
    if (!facts.tiled()) return;
    const f32 slotTop = l.panel.bottom() + 10;
    // The panel is no larger than it must be.
    const f32 wide = 48 + 2 * columns * l.tileCell, tall = 44 + rows * l.tileCell;
    if (slotTop < l.p.y) l.panel.y += std::max(0.0f, (l.panel.height - tall) / 2);
    l.panel.width = std::min(l.panel.width, std::max(wide, 200.0f));
    l.panel.height = std::min(l.panel.height, tall);
    const f32 gap = (l.panel.width - 2 * columns * l.tileCell) / 3;
    l.mds = {l.panel.x + gap, l.panel.y + 34};
    l.nds = {l.panel.x + 2 * gap + columns * l.tileCell, l.panel.y + 34};
    l.mSlotTop = l.nSlotTop = std::min(slotTop, l.panel.bottom() + 14);
}

// The operand that is loaded at the left, its tile at the right, the registers below the tile. False where
// the cells would be too small to be read.
bool placeAlone(MatmulLayout& l, const MatmulFacts& facts, const Rect& area) {
    const explain::SharedArray& tile = *(facts.onN ? facts.n : facts.m).tile;
    const f32 rows = f32(facts.onN ? l.inner : l.rowsM), columns = f32(facts.onN ? l.columnsN : l.inner),
              tileRows = rowsOf(tile), tileColumns = f32(tile.columns());
    constexpr f32 kNames = 40, kIndices = 34, kForMatrix = 0.5f, kForTile = 0.36f;
    l.low = false;
    constexpr f32 kFlat = 220;  // below this height registers are flat, so that the tile is not
    l.slotHeight = l.slotRows > 2 ? 16 : area.height < kFlat ? 24 : 40;
    const f32 slots = l.slotHeight * f32(l.slotRows) + (area.height < kFlat ? 20 : 26), top = area.y + kNames;
    l.cell = std::min(
        {(area.height - kNames - 16) / rows, (area.width * kForMatrix - kIndices) / columns, kLargestCell});
    l.tileCell = std::floor(std::min(
        {(area.height - kNames - slots) / tileRows, area.width * kForTile / tileColumns, kLargestTileCell}));
    if (l.cell < kLeastReadable || l.tileCell < kLeastReadable) return false;
    l.m = l.n = {area.x + kIndices, top};
    l.mds = l.nds = {area.right() - kRight - tileColumns * l.tileCell, top};
    l.mSlotTop = l.nSlotTop = top + tileRows * l.tileCell + 18;
    l.alone = true;
    return true;
}

// The block's tiles as large as they get, N's above its part of P and M's left of it; the matrices in the
// free quarter. False where tiles have no room either, as those of a matrix that is far smaller than its
// tile.
bool placeMagnified(MatmulLayout& l, const MatmulFacts& facts, const Rect& area) {
    const f32 mColumns = f32(facts.m.tile->columns()), nColumns = f32(facts.n.tile->columns()),
              mRows = rowsOf(*facts.m.tile), nRows = rowsOf(*facts.n.tile);
    constexpr f32 kName = 20;                 // of the map's names
    constexpr f32 kLow = 240, kLittle = 420;  // height, between which every pixel is for the tiles
    const bool isLittle = area.height >= kLow && area.height < kLittle;
    const f32 bottom = isLittle ? 6 : kBottom;
    l.slotHeight = l.slotRows > 2 || isLittle ? 9 : 14;
    const f32 slots = l.slotHeight * f32(l.slotRows) + 8;
    l.tileCell = std::min({(area.width - 12 - kAcross - kRight) / (mColumns + nColumns),
                           (area.height - 2 * slots - 24 - bottom) / (mRows + nRows), 40.0f});
    if (l.tileCell > 4) l.tileCell = isLittle ? std::floor(2 * l.tileCell) / 2 : std::floor(l.tileCell);
    if (l.tileCell < 1) return false;
    const f32 c = l.tileCell;
    l.nds = {area.right() - kRight - nColumns * c, area.y + 10 + slots};
    l.sums = Point{l.nds.x, l.nds.y + nRows * c + 14 + slots};
    l.mds = {l.nds.x - kAcross - mColumns * c, l.sums->y};
    l.mSlotTop = l.mds.y - slots;
    l.nSlotTop = l.nds.y - slots;
    // The map, with its names, above M's tile.
    const f32 left = area.x + 12, width = l.mds.x + mColumns * c - left,
              height = l.mSlotTop - area.y - 2 * kName - 20;
    constexpr f32 kGap = 22;
    l.cell = std::max(0.02f, std::min((width - kGap) / f32(l.inner + l.columnsN),
                                      (height - kGap) / f32(l.inner + l.rowsM)));
    const f32 right = left + f32(l.inner + l.columnsN) * l.cell + kGap;
    l.n = {right - f32(l.columnsN) * l.cell, area.y + kName + 6};
    l.p = {l.n.x, l.n.y + f32(l.inner) * l.cell + kGap};
    l.m = {left, l.p.y};
    return true;
}

void magnify(MatmulLayout& l, const Zoomed& zoom) {
    l.zoom = zoom;
    if (!zoom.on()) return;
    for (f32* size : {&l.cell, &l.tileCell, &l.slotHeight})
        *size *= zoom.zoom;
    for (Point* corner : {&l.m, &l.n, &l.p, &l.mds, &l.nds})
        *corner = zoom.at(*corner);
    if (l.sums) l.sums = zoom.at(*l.sums);
    l.panel = zoom.at(l.panel);
    l.mSlotTop = zoom.atY(l.mSlotTop), l.nSlotTop = zoom.atY(l.nSlotTop);
}

u32 upTo(u64 extent, u32 step) { return u32((extent + step - 1) / std::max(1u, step) * std::max(1u, step)); }

}  // namespace

MatmulLayout layoutMatmul(const MatmulFacts& facts, const Launch& launch, const Rect& body,
                          const ViewInput& in) {
    const ViewState& state = in.state;
    const bool presented = in.isPresented;
    MatmulLayout l;
    const u32 tileRows = facts.swapped ? facts.threads.x : facts.threads.y,
              tileColumns = facts.swapped ? facts.threads.y : facts.threads.x;
    const u32 gridRows = facts.swapped ? launch.grid.x : launch.grid.y,
              gridColumns = facts.swapped ? launch.grid.y : launch.grid.x;
    // Cells that threads reach for, the matrix or not.
    l.rowsM = u32(facts.m.matrix.rows);
    l.columnsN = u32(facts.n.matrix.columns);
    l.inner = u32(facts.m.matrix.columns);
    if (facts.textbook) {
        l.rowsM = std::max<u32>(l.rowsM, std::min<u32>(gridRows * tileRows, upTo(l.rowsM, tileRows)));
        l.columnsN = std::max<u32>(l.columnsN,
                                   std::min<u32>(gridColumns * tileColumns, upTo(l.columnsN, tileColumns)));
        if (facts.tiled()) l.inner = upTo(l.inner, tileColumns);
    }
    const f32 side = body.width >= 640 && body.height >= 300 && !presented ? kSide : 0;
    const bool strip =
        (facts.m.anyAlias || facts.n.anyAlias) && body.height > (presented ? 250 : 380) && body.width > 480;
    constexpr f32 kKeyedFrom = 240, kKeyedWide = 420;
    const f32 key = side == 0 && !presented && body.height >= kKeyedFrom && body.width >= kKeyedWide
                        ? keyStrip(body.width)
                        : 0;
    const Rect area{body.x + side, body.y, body.width - side, body.height - key - (strip ? kStrip : 0)};
    constexpr f32 kThreeDigits = 20.5f;
    const auto cellFor = [&](bool low) {
        return std::min(
            {(area.width - kAcross - kRight - 24) / f32(l.inner + l.columnsN),
             (area.height - topNames(low) - between(low) - belowAll(low)) / f32(l.inner + l.rowsM),
             kLargestCell});
    };
    // Values rather than indices, where there is no height for both.
    l.low = body.height < kLow || (cellFor(false) < kThreeDigits && cellFor(true) >= kThreeDigits);
    l.cell = cellFor(l.low);
    l.slotRows = std::clamp(u32(32 / std::max(1u, tileColumns)), 1u, std::max(1u, tileRows));
    l.magnified = l.cell < kLeastReadable && l.inner + l.rowsM > kFewCells && facts.tiled() && facts.textbook;
    const bool loading = facts.activity == Activity::Load || facts.activity == Activity::Keep;
    const bool alone = presented && loading && facts.tiled() && facts.textbook;
    MatmulLayout multiplyAlone = l, magnified = l;
    if (alone && placeAlone(multiplyAlone, facts, area))
        l = multiplyAlone, l.magnified = false;
    else if (l.magnified && placeMagnified(magnified, facts, area))
        l = magnified;
    else
        l.magnified = false, placeWhole(l, facts, area);
    l.fits = l.cell > 0 && area.width > 160 && area.height > 160;
    l.side = {body.x + space::kInset, body.y + 10, std::max(0.0f, side - space::kInset - 8),
              body.height - 20};
    if (key > 0) l.key = {body.x + space::kInset, body.bottom() - key, body.width - 2 * space::kInset, key};
    if (strip)
        l.strip = Rect{body.x + side + 12, body.bottom() - key - kStrip, body.width - side - 12 - kRight,
                       kStrip - 6};
    magnify(l, Zoomed(state, {area}));
    return l;
}

}  // namespace lockstep::viz
