// Finds the largest cells that fit.
#include "viz/stage/matmul_layout.h"

#include <algorithm>
#include <cmath>

#include "viz/tokens.h"

namespace lockstep::viz {
namespace {

constexpr f32 kSide = 250, kTopNames = 46, kBetween = 62, kAcross = 44, kRight = 24, kBottom = 24, kStrip = 84;
constexpr f32 kLargestCell = 56, kLeastReadable = 13;

u32 upTo(u64 extent, u32 step) { return u32((extent + step - 1) / std::max(1u, step) * std::max(1u, step)); }

}  // namespace

MatmulLayout layoutMatmul(const MatmulFacts& facts, const Launch& launch, const Rect& body, const ViewState& state) {
    MatmulLayout l;
    const u32 tileRows = facts.swapped ? facts.threads.x : facts.threads.y, tileColumns = facts.swapped ? facts.threads.y : facts.threads.x;
    const u32 gridRows = facts.swapped ? launch.grid.x : launch.grid.y, gridColumns = facts.swapped ? launch.grid.y : launch.grid.x;
    // Cells that threads reach for, the matrix or not.
    l.rowsM = u32(facts.m.matrix.rows);
    l.columnsN = u32(facts.n.matrix.columns);
    l.inner = u32(facts.m.matrix.columns);
    if (facts.textbook) {
        l.rowsM = std::max<u32>(l.rowsM, std::min<u32>(gridRows * tileRows, upTo(l.rowsM, tileRows)));
        l.columnsN = std::max<u32>(l.columnsN, std::min<u32>(gridColumns * tileColumns, upTo(l.columnsN, tileColumns)));
        if (facts.tiled()) l.inner = upTo(l.inner, tileColumns);
    }
    const f32 side = body.width >= 640 && body.height >= 300 ? kSide : 0;
    const bool strip = (facts.m.anyAlias || facts.n.anyAlias) && body.height > 380 && body.width > 480;
    const Rect area{body.x + side, body.y, body.width - side, body.height - (strip ? kStrip : 0)};
    const auto cellFor = [&](f32 width, f32 height) {
        return std::min({(width - kAcross - kRight - 24) / f32(l.inner + l.columnsN), (height - kTopNames - kBetween - kBottom) / f32(l.inner + l.rowsM), kLargestCell});
    };
    l.cell = cellFor(area.width, area.height);
    l.overview = l.cell < kLeastReadable;
    if (l.overview && facts.tiled()) l.cell = std::min(cellFor(area.width * 0.46f, area.height), cellFor(area.width, area.height * 0.56f));
    if (state.zoom > 1) l.cell *= state.zoom;
    const f32 nWidth = f32(l.columnsN) * l.cell, mWidth = f32(l.inner) * l.cell;
    const Point shift = state.zoom > 1 ? state.pan : Point{};
    l.n = {area.right() - kRight - nWidth + shift.x, area.y + kTopNames + shift.y};
    l.p = {l.n.x, l.n.y + f32(l.inner) * l.cell + kBetween};
    l.m = {l.p.x - kAcross - mWidth, l.p.y};
    l.fits = l.cell > 0.02f && area.width > 160 && area.height > 160;
    // The free quarter.
    const f32 left = area.x + 12, right = area.right() - kRight - std::min(nWidth, area.width * 0.6f) - 30, bottom = std::max(area.y + 60, (state.zoom > 1 ? area.y + area.height * 0.45f : l.p.y) - 50);
    l.slotRows = std::clamp(u32(32 / std::max(1u, tileColumns)), 1u, std::max(1u, tileRows));
    l.slotHeight = std::clamp((bottom - area.y) * 0.16f, 12.0f, 34.0f);
    if (l.slotRows > 2) l.slotHeight = std::max(10.0f, l.slotHeight * 2 / f32(l.slotRows));
    l.slotTop = bottom - l.slotHeight * f32(l.slotRows);
    l.panel = {left, area.y + 34, right - left, l.slotTop - 10 - (area.y + 34)};
    if (facts.tiled()) {
        const f32 columns = f32(std::max(facts.m.tile->columns(), facts.n.tile->columns()));
        const f32 rows = f32(std::max(facts.m.tile->elements(), facts.n.tile->elements())) / columns;
        l.tileCell = std::min({(l.panel.width - 48) / (2 * columns), (l.panel.height - 44) / rows, 64.0f});
        if (l.tileCell > 4) l.tileCell = std::floor(l.tileCell);
        // The panel is no larger than it must be.
        const f32 wide = 48 + 2 * columns * l.tileCell, tall = 44 + rows * l.tileCell;
        l.panel.y += std::max(0.0f, (l.panel.height - tall) / 2);
        l.panel.width = std::min(l.panel.width, std::max(wide, 200.0f));
        l.panel.height = std::min(l.panel.height, tall);
        const f32 gap = (l.panel.width - 2 * columns * l.tileCell) / 3;
        l.mds = {l.panel.x + gap, l.panel.y + 34};
        l.nds = {l.panel.x + 2 * gap + columns * l.tileCell, l.panel.y + 34};
        l.slotTop = std::min(l.slotTop, l.panel.bottom() + 14);
    }
    l.side = {body.x + space::kInset, body.y + 10, std::max(0.0f, side - space::kInset - 8), body.height - 20};
    if (strip) l.strip = Rect{body.x + side + 12, body.bottom() - kStrip, body.width - side - 12 - kRight, kStrip - 6};
    return l;
}

}  // namespace lockstep::viz
