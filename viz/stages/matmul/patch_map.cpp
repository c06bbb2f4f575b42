// Of the stage of patches: the whole matrices, small, with the block's tiles and its part of P; and what is
// moved from there into the tiles.
#include "viz/marks/cursor_box.h"
#include "viz/marks/way.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stages/matmul/patch_drawing.h"

#include <algorithm>

namespace lockstep::viz {

using namespace message;
using explain::Activity;

namespace {

Rect atLeast(Rect rect, f32 size) {
    rect.width = std::max(rect.width, size), rect.height = std::max(rect.height, size);
    return rect;
}

}  // namespace

void PatchStage::drawMapOf(const Matrix& m, Point origin) {
    const f32 c = layout_.map.cell;
    canvas_.rect({origin.x, origin.y, f32(m.columns) * c, f32(m.rows) * c}, {.fill = role(RoleKind::Raised)});
}

// Which block computes an element of P: where the cursor's shows that each has a part of its size, row after
// row.
std::optional<Cursor> PatchStage::blockAt(s64 row, s64 column) const {
    const explain::PatchBlock& block = *facts_.block;
    const Dim3 here = in_.cursor.block, grid = launch_.grid;
    const auto fits = [&](u32 down, u32 across, u32 rowsOfBlocks, u32 columnsOfBlocks) {
        return s64(down) * block.rows == block.firstRow && s64(across) * block.columns == block.firstColumn &&
               u64{rowsOfBlocks} * block.rows >= block.p.rows &&
               u64{columnsOfBlocks} * block.columns >= block.p.columns;
    };
    const u32 down = u32(row / block.rows), across = u32(column / block.columns);
    Cursor there = in_.cursor;
    if (fits(here.y, here.x, grid.y, grid.x))
        there.block = {across, down, here.z};
    else if (fits(here.x, here.y, grid.x, grid.y))
        there.block = {down, across, here.z};
    else
        return std::nullopt;
    return there;
}

std::optional<Rect> PatchStage::tileInMap(const PatchOperand& operand, u32 round) const {
    if (!operand.tile || round >= operand.spots.firstK.size()) return std::nullopt;
    const CellIndex first = operand.cellOf({0, 0}, round);
    const f32 c = layout_.map.cell;
    const Point origin = operand.isN ? layout_.map.n : layout_.map.m;
    const u32 rows = operand.isN ? operand.spots.depth : operand.spots.lines,
              columns = operand.isN ? operand.spots.lines : operand.spots.depth;
    return Rect{origin.x + f32(first.column) * c, origin.y + f32(first.row) * c, f32(columns) * c,
                f32(rows) * c};
}

void PatchStage::drawMap() {
    const explain::PatchBlock& block = *facts_.block;
    const MatrixCross& map = layout_.map;
    const f32 c = map.cell;
    const CellBlock part{block.firstRow, block.firstColumn, block.rows, block.columns};
    const f32 top = map.p.y + f32(part.row) * c, left = map.p.x + f32(part.column) * c;
    canvas_.rect({map.m.x, top, map.pArea().right() - map.m.x, f32(part.rows) * c},
                 {.fill = warpColor(kBand)});
    canvas_.rect({left, map.n.y, f32(part.columns) * c, map.pArea().bottom() - map.n.y},
                 {.fill = warpColor(kBand)});
    drawMapOf(block.m.matrix, map.m);
    drawMapOf(block.n.matrix, map.n);
    drawMapOf(block.p, map.p);
    // A click on P leads to the block whose part it is.
    if (f32(block.rows) * c >= 3 && f32(block.columns) * c >= 3)
        for (u64 row = 0; row < block.p.rows; row += block.rows)
            for (u64 column = 0; column < block.p.columns; column += block.columns) {
                const u64 rows = std::min<u64>(block.rows, block.p.rows - row),
                          columns = std::min<u64>(block.columns, block.p.columns - column);
                const Rect area{map.p.x + f32(column) * c, map.p.y + f32(row) * c, f32(columns) * c,
                                f32(rows) * c};
                if (row > 0) canvas_.line({area.x, area.y}, {area.right(), area.y}, {role(RoleKind::Ground)});
                if (column > 0)
                    canvas_.line({area.x, area.y}, {area.x, area.bottom()}, {role(RoleKind::Ground)});
                if (const auto go = blockAt(s64(row), s64(column)))
                    canvas_.hit(
                        area, {.hover = partText(in_.language, {row, rows}, {column, columns}, block.p.name),
                               .go = go});
            }
    for (const PatchOperand* operand : {&block.m, &block.n})
        if (const auto tile = tileInMap(*operand, facts_.round(operand->isN)))
            canvas_.rect(atLeast(*tile, 3), {.stroke = {warpColor(), line::kTile}, .radius = 1});
    canvas_.rect(atLeast({left, top, f32(part.columns) * c, f32(part.rows) * c}, 4),
                 {.stroke = {warpColor(), line::kTile}, .radius = 1});
    const TextStyle name{.size = type::kBody, .bold = true};
    canvas_.text({map.n.x - 5, map.n.y + 7}, block.n.matrix.name,
                 {.size = type::kBody, .bold = true, .align = Align::Right});
    canvas_.text({map.m.x - 5, map.m.y + 7}, block.m.matrix.name,
                 {.size = type::kBody, .bold = true, .align = Align::Right});
    canvas_.text({map.pArea().right() + 4, map.p.y + 7}, block.p.name, name);
}

// The names of matrices and tiles are the bold texts.
bool PatchStage::crossesName(const Curve& curve) const {
    constexpr u32 kSamples = 200;
    for (const Mark& mark : canvas_.scene().marks) {
        const auto* text = std::get_if<TextMark>(&mark);
        if (!text || text->face != Face::TextBold) continue;
        const f32 wide = in_.metrics.width(text->text, text->size, text->face);
        const f32 left = text->at.x - (text->align == Align::Right ? wide : 0);  // at: baseline
        const Rect around{left, text->at.y - text->size * 0.75f, wide, text->size * 0.75f};
        for (u32 n = 0; n <= kSamples; ++n)
            if (around.contains(pointAt(curve, f32(n) / kSamples))) return true;
    }
    return false;
}

void PatchStage::drawMoves() {
    if (layout_.map.cell <= 0 || (facts_.activity != Activity::Load && facts_.activity != Activity::Keep))
        return;
    const PatchOperand& operand = facts_.operand(facts_.onN);
    if (!operand.tile) return;
    const Transfer* mine = nullptr;
    std::vector<const Transfer*> moved;
    for (const Transfer& t : facts_.transfers(facts_.onN))
        if (isNow(t) && operand.spots.at(t.place)) {
            moved.push_back(&t);
            if (isCursor(t.warp, t.lane) && !mine) mine = &t;
        }
    const auto sourceOf = [&](const Transfer& t) -> std::optional<Rect> {
        if (!t.loadStep || !t.read || t.outside) return std::nullopt;
        return atLeast(cellArea(layout_.map, operand.matrix, *t.read), 2);
    };
    const auto draw = [&](const Transfer& t) {
        const Rect place = spotArea(operand, *operand.spots.at(t.place));
        const auto source = sourceOf(t);
        if (source) canvas_.rect(*source, {.fill = laneColor(t.warp, t.lane)});
        if (facts_.activity == Activity::Keep) return;
        if (!source) return;
        const Point from = source->centre(), end = place.centre();
        const Curve curve{from, {from.x + 30, from.y}, {end.x - 40, end.y}, end};
        if (crossesName(curve)) return;
        const f32 travelled = facts_.between ? 1.0f : ease(in_.motion);
        if (isCursor(t.warp, t.lane))
            viz::draw(canvas_, Way{.from = from,
                                   .curve = curve,
                                   .role = laneColor(t.warp, t.lane),
                                   .read = true,
                                   .travelled = travelled});
        else
            canvas_.curve(part(curve, 0, std::max(0.02f, travelled)), {laneColor(t.warp, t.lane, 0.35f), 1});
    };
    for (const Transfer* t : moved)
        if (t != mine) draw(*t);
    if (!mine) return;
    draw(*mine);
    if (const auto source = sourceOf(*mine)) cursorBox(canvas_, *source, 2);
    cursorBox(canvas_, atLeast(spotArea(operand, *operand.spots.at(mine->place)), 2), 2);
}

}  // namespace lockstep::viz
