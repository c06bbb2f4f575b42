// Of the stage of patches: the tiles with what they hold, and the block's part of P with the threads'
// patches; or, without tiles, the matrices.
#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stages/matmul/patch_drawing.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {

using namespace message;
using explain::Activity;

namespace {

constexpr Words kTransposed = english("{0}, transposed");

// Neighbors' patches do not run into each other.
Rect apart(const Rect& rect) { return rect.width > 5 && rect.height > 5 ? rect.inset(0.5f) : rect; }

}  // namespace

// The product that is drawn begins with the block's first row and column where there are tiles.
Rect PatchStage::areaOf(const CellBlock& block) const {
    const bool isPart = facts_.block->isTiled();
    const f32 c = layout_.main.cell;
    return {layout_.main.p.x + f32(block.column - (isPart ? facts_.block->firstColumn : 0)) * c,
            layout_.main.p.y + f32(block.row - (isPart ? facts_.block->firstRow : 0)) * c,
            f32(block.columns) * c, f32(block.rows) * c};
}

Rect PatchStage::cellArea(const MatrixCross& cross, const Matrix& m, CellIndex cell) const {
    const Point origin = m.buffer == facts_.block->m.matrix.buffer   ? cross.m
                         : m.buffer == facts_.block->n.matrix.buffer ? cross.n
                                                                     : cross.p;
    return {origin.x + f32(cell.column) * cross.cell, origin.y + f32(cell.row) * cross.cell, cross.cell,
            cross.cell};
}

void PatchStage::drawBands() {
    for (const CellBlock& block : blocksOf(patch_)) {
        const Rect area = areaOf(block), whole = layout_.main.pArea();
        canvas_.rect({layout_.main.m.x, area.y, whole.right() - layout_.main.m.x, area.height},
                     {.fill = warpColor(kBand)});
        canvas_.rect({area.x, layout_.main.n.y, area.width, whole.bottom() - layout_.main.n.y},
                     {.fill = warpColor(kBand)});
    }
}

void PatchStage::drawProduct() {
    const explain::PatchBlock& block = *facts_.block;
    const Rect area = layout_.main.pArea();
    const f32 c = layout_.main.cell, zoom = std::max(1.0f, in_.state.zoom);
    const s64 firstRow = block.isTiled() ? block.firstRow : 0,
              firstColumn = block.isTiled() ? block.firstColumn : 0;
    // What there is of P, and what lies outside.
    const auto countInside = [](u64 extent, s64 first, u32 shown) {
        return u32(std::clamp<s64>(s64(extent) - first, 0, shown));
    };
    const u32 rowsInside = countInside(block.p.rows, firstRow, layout_.main.rows),
              columnsInside = countInside(block.p.columns, firstColumn, layout_.main.columns);
    const f32 insideRows = f32(rowsInside) * c, insideColumns = f32(columnsInside) * c;
    const auto drawOutside = [&](const Rect& outside) {
        if (outside.width > 0.5f && outside.height > 0.5f)
            canvas_.rect(outside, {.stroke = {role(RoleKind::Ghost, 0.5f)},
                                   .hatch = role(RoleKind::Ghost, kGhostIdle),
                                   .hatchPitch = 6});
    };
    drawOutside({area.x + insideColumns, area.y, area.width - insideColumns, area.height});
    drawOutside({area.x, area.y + insideRows, insideColumns, area.height - insideRows});
    const Rect inside{area.x, area.y, insideColumns, insideRows};
    if (insideRows > 0 && insideColumns > 0) canvas_.rect(inside, {.fill = role(RoleKind::Raised)});
    canvas_.hit(area, {.hover = partText(in_.language, {u64(std::max<s64>(0, firstRow)), rowsInside},
                                         {u64(std::max<s64>(0, firstColumn)), columnsInside}, block.p.name)});
    std::vector<Rect> patches;  // outlined under the magnifier, where there may be nothing else to see
    // Patches: stored ones in their lane's color, those of the cursor's warp faintly before.
    for (const auto& [thread, stored] : block.stored) {
        const Warp warp{thread.first};
        const Lane lane{thread.second};
        std::vector<CellIndex> all, done;
        for (const explain::PatchBlock::Stored& one : stored) {
            all.push_back(one.cell);
            if (one.order <= facts_.order) done.push_back(one.cell);
        }
        if (warp == in_.cursor.warp && done.size() < all.size())
            for (const CellBlock& cells : blocksOf(all))
                canvas_.rect(apart(areaOf(cells)),
                             {.fill = laneColor(warp, lane, isCursor(warp, lane) ? 0.75f : 0.3f)});
        for (const CellBlock& cells : blocksOf(done))
            canvas_.rect(apart(areaOf(cells)), {.fill = laneColor(warp, lane)});
        const std::vector<CellBlock> blocks = blocksOf(all);
        for (const CellBlock& cells : blocks)
            if (zoom > 1) patches.push_back(areaOf(cells));
        constexpr std::size_t kMostPieces = 16;  // others answer the mouse as part of the whole
        if (blocks.size() > kMostPieces && !isCursor(warp, lane)) continue;
        for (const CellBlock& cells : blocks) {
            Hit hit;
            hit.hoverLater = [input = in_, held = facts_.block, warp, lane] {
                return patchOfThread(input, *held, warp, lane);
            };
            hit.go = at(warp, lane, warp == in_.cursor.warp ? in_.cursor.step : stored.front().step);
            canvas_.hit(areaOf(cells), std::move(hit));
        }
    }
    // The cells of large ones apart, in lines that the magnifier leaves thin.
    if (c * zoom >= 6) {
        const Stroke between{role(RoleKind::Ground), Stroke{}.width / zoom};
        for (u32 column = 1; f32(column) * c < inside.width; ++column)
            canvas_.line({inside.x + f32(column) * c, inside.y},
                         {inside.x + f32(column) * c, inside.bottom()}, between);
        for (u32 row = 1; f32(row) * c < inside.height; ++row)
            canvas_.line({inside.x, inside.y + f32(row) * c}, {inside.right(), inside.y + f32(row) * c},
                         between);
    }
    for (const Rect& patch : patches)
        canvas_.rect(patch, {.stroke = {role(RoleKind::Edge), 2 / zoom}});
    // Values of the cursor's thread, where there is room.
    if (c >= kLeastValueCell)
        for (std::size_t i = 0; i < facts_.sums->sums.size(); ++i)
            if (const auto value = facts_.now[i].stored ? facts_.now[i].stored : facts_.now[i].sum) {
                const Role fill =
                    laneColor(in_.cursor.warp, in_.cursor.lane, facts_.now[i].stored ? 1.0f : 0.75f);
                const Rect cell = areaOf({facts_.sums->sums[i].cell.row, facts_.sums->sums[i].cell.column});
                const std::string text = explain::numberText(
                    *value, explain::isFloatElement(in_.run.recording.initial[block.p.buffer].type), 5);
                TextStyle style{.bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)};
                style.size = fittingSize(canvas_, text, cell.width - 4, style, valueSize(cell.height));
                if (style.size > 0) canvas_.text(cell.centre(), text, style);
            }
    for (std::size_t i = 0; i < patch_.size(); ++i)
        drawSumCell(areaOf({patch_[i].row, patch_[i].column}), i);
    for (const CellBlock& cells : blocksOf(patch_))
        cursorBox(canvas_, areaOf(cells), c > 8 ? radius::kCell : 1);
}

void PatchStage::drawSumCell(const Rect& cell, std::size_t sum) {
    const CellIndex& index = patch_[sum];
    const Matrix& p = facts_.block->p;
    const auto value = facts_.now[sum].stored ? facts_.now[sum].stored : facts_.now[sum].sum;
    if (value && p.contains(index))
        canvas_.cell({.rect = cell,
                      .at = addressOf(p, u64(index.row) * p.columns + u64(index.column)),
                      .value = value});
}

Rect PatchStage::spotArea(const PatchOperand& operand, explain::TileSpots::Spot spot) const {
    const f32 c = layout_.main.cell;
    if (operand.isN) {
        const f32 x =
            layout_.main.n.x +
            f32(operand.spots.firstLine[facts_.round(true)] - facts_.block->firstColumn + spot.line) * c;
        return {x, layout_.main.n.y + f32(spot.k) * c, c, c};
    }
    const f32 y = layout_.main.m.y +
                  f32(operand.spots.firstLine[facts_.round(false)] - facts_.block->firstRow + spot.line) * c;
    return {layout_.main.m.x + f32(spot.k) * c, y, c, c};
}

std::map<u64, const explain::Transfer*> PatchStage::keptIn(bool isN) const {
    std::map<u64, const Transfer*> kept;
    for (const Transfer& t : facts_.transfers(isN)) {
        if (t.storeOrder > facts_.order) continue;
        const Transfer*& newest = kept[t.place];
        if (!newest || newest->storeOrder < t.storeOrder) newest = &t;
    }
    return kept;
}

RectStyle PatchStage::madeUpStyle(Role edge) const {
    const f32 c = layout_.main.cell;
    edge.alpha = 0.45f;
    constexpr f32 kLeastHatched = 5, kLeastEdged = 2.5f;  // in smaller cells lines are specks
    if (c <= kLeastHatched)
        return {.fill = role(RoleKind::Ghost, kGhostIdle),
                .stroke = {edge, c > kLeastEdged ? std::min(1.0f, c / 4) : 0.0f}};
    return {.fill = role(RoleKind::Ground), .hatch = edge, .hatchPitch = c > 12 ? 7.0f : 4.0f};
}

void PatchStage::drawTile(const PatchOperand& operand) {
    const f32 c = layout_.main.cell, gap = c > 8 ? 1.0f : c > 3 ? 0.25f : 0;
    const std::map<u64, const Transfer*> kept = keptIn(operand.isN);
    constexpr std::size_t kMostHits = 2500;
    const bool answers = operand.spots.spots.size() <= kMostHits;
    std::size_t longest = 0;
    for (const auto& [place, t] : kept)
        longest = std::max(longest, t->value.size());
    for (u64 place = operand.firstPlace; place < operand.endPlace; ++place) {
        const auto spot = operand.spots.at(place);
        if (!spot) continue;
        const Rect cell = spotArea(operand, *spot), box = cell.inset(gap);
        canvas_.cell({.rect = cell,
                      .of = ValueCell::Of::Shared,
                      .at = operand.tile->base + place * operand.tile->elementBytes});
        const auto found = kept.find(place);
        if (found == kept.end()) {
            canvas_.rect(box, {.fill = role(RoleKind::Ground),
                               .stroke = {role(RoleKind::Edge, c > 5 ? 0.5f : 0.0f), c > 5 ? 1.0f : 0.0f}});
            if (answers)
                canvas_.hit(cell, linkToPlace(operand, place,
                                              say(in_.language, kTileEmpty, placeName(operand, place))));
            continue;
        }
        const Transfer& t = *found->second;
        const bool stale = t.round < facts_.round(operand.isN);
        const Role fill = stale ? role(RoleKind::Inactive) : laneColor(t.warp, t.lane);
        if (!t.loadStep) {
            canvas_.rect(box, madeUpStyle(stale ? role(RoleKind::Ghost) : laneColor(t.warp, t.lane)));
        } else {
            canvas_.rect(box, {.fill = fill});
            if (t.outside || t.isAlias() || !t.asked)
                canvas_.rect(box, {.stroke = {role(RoleKind::Finding), c > 12 ? 2.0f : 1.0f}});
        }
        if (c >= kLeastValueCell) {
            TextStyle style{.bold = !stale,
                            .mono = true,
                            .align = Align::Centre,
                            .role = t.loadStep ? inkOn(fill) : role(RoleKind::Text)};
            style.size =
                fittingSize(canvas_, std::string(longest, '0'), box.width - 3, style, valueSize(box.height));
            if (style.size > 0) {
                if (t.loadStep)
                    canvas_.text(box.centre(), t.value, style);
                else
                    textOnGround(canvas_, box.centre(), t.value, style);
            }
        }
        if (answers)
            canvas_.hit(
                cell,
                linkToPlace(operand, place,
                            say(in_.language,
                                operand.tiles() > 1 && t.round < operand.tiles() ? kTileHolds : kStoredByLane,
                                placeName(operand, place), t.value, t.lane.value, t.warp.value, t.round + 1,
                                operand.tiles())));
    }
    const f32 lines = f32(operand.spots.lines) * c, wide = f32(operand.spots.wide()) * c;
    const Rect first = spotArea(operand, {});
    canvas_.rect(
        {first.x - 0.5f, first.y - 0.5f, (operand.isN ? lines : wide) + 1, (operand.isN ? wide : lines) + 1},
        {.stroke = {role(RoleKind::Edge)}});
    if (operand.spots.copies > 1) {  // where one tile ends and the next begins
        for (u32 copy = 1; copy < operand.spots.copies; ++copy) {
            const Rect from = spotArea(operand, {0, copy * operand.spots.depth}),
                       to = spotArea(operand, {operand.spots.lines - 1, copy * operand.spots.depth});
            canvas_.line({from.x, from.y},
                         operand.isN ? Point{to.right(), from.y} : Point{from.x, to.bottom()},
                         {role(RoleKind::Edge), line::kTile});
        }
    }
}

// A matrix that threads read themselves.
void PatchStage::drawOperand(const PatchOperand& operand) {
    const Matrix& m = operand.matrix;
    const MatrixCross& cross = layout_.main;
    const f32 c = cross.cell;
    const Rect area = operand.isN ? cross.nArea() : cross.mArea();
    canvas_.rect({area.x, area.y, f32(m.columns) * c, f32(m.rows) * c}, {.fill = role(RoleKind::Raised)});
    if (c < 6) return;
    const Buffer& buffer = in_.run.recording.initial[m.buffer];
    for (u64 row = 0; row < m.rows; ++row)
        for (u64 column = 0; column < m.columns; ++column) {
            const Rect cell = cellArea(cross, m, {s64(row), s64(column)});
            const u64 element = row * m.columns + column;
            const std::string value =
                element < buffer.count()
                    ? explain::numberText(buffer.valueAt(element), explain::isFloatElement(buffer.type), 5)
                    : std::string();
            canvas_.cell({.rect = cell, .at = addressOf(m, element)});
            if (column > 0) canvas_.line({cell.x, cell.y}, {cell.x, cell.bottom()}, {role(RoleKind::Ground)});
            if (row > 0) canvas_.line({cell.x, cell.y}, {cell.right(), cell.y}, {role(RoleKind::Ground)});
            if (c >= kLeastValueCell) {
                TextStyle style{.mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
                style.size = fittingSize(canvas_, value, cell.width - 3, style, valueSize(cell.height));
                if (style.size > 0) canvas_.text(cell.centre(), value, style);
            }
            canvas_.hit(
                cell, linkToElement(m, element,
                                    say(in_.language, kCellIs, cellName(m, {s64(row), s64(column)}), value)));
        }
}

// The rows of M, or the columns of N, that the cursor's thread multiplies.
void PatchStage::drawLines(const PatchOperand& operand) {
    if (facts_.block->isTiled() && !operand.tile) return;
    std::vector<CellIndex> cells;
    for (const s64 line : operand.isN ? extents_.columns : extents_.rows)
        cells.push_back(operand.isN ? CellIndex{0, line} : CellIndex{line, 0});
    for (const CellBlock& run : blocksOf(cells)) {
        const Rect area = areaOf(run);
        const Rect box = operand.isN
                             ? Rect{area.x, layout_.main.n.y, area.width, layout_.main.nArea().height}
                             : Rect{layout_.main.m.x, area.y, layout_.main.mArea().width, area.height};
        canvas_.rect(box, {.stroke = {role(RoleKind::TextSecond), line::kTile}, .radius = 1});
    }
}

std::optional<Rect> PatchStage::factorArea(bool isN, const ThreadSums::Factor& factor) const {
    const PatchOperand& operand = facts_.operand(isN);
    if (operand.tile) {
        const auto spot = operand.spots.at(operand.placeOf(factor.address));
        return spot ? std::optional(spotArea(operand, *spot)) : std::nullopt;
    }
    if (facts_.block->isTiled()) return std::nullopt;
    return cellArea(layout_.main, operand.matrix, factor.cell);
}

// What lanes of the warp read now: each place in the color of its lowest lane; the cursor's lane's framed.
void PatchStage::drawReads() {
    if (facts_.activity != Activity::Multiply || facts_.between || facts_.product || !here_.access) return;
    const trace::StoredAccess& access = *here_.access;
    const PatchOperand& operand = facts_.operand(facts_.onN);
    const u32 bytes = operand.tile ? operand.tile->elementBytes
                                   : info(in_.run.recording.initial[operand.matrix.buffer].type).bytes;
    std::map<u64, LaneMask> lanesAt;
    for (const Lane lane : access.active)
        for (u32 part = 0; (part + 1) * bytes <= access.widthBytes; ++part) {
            LaneMask& lanes = lanesAt[here_.warp->address(access, lane) + u64{part} * bytes];
            lanes = lanes | LaneMask::of(lane);
        }
    std::optional<Rect> cursorAt;
    for (const auto& [address, lanes] : lanesAt) {
        ThreadSums::Factor factor;
        factor.address = address;
        if (!operand.tile) {
            const u64 element = (address - deviceAddressOf(operand.matrix.buffer)) / bytes;
            if (element >= operand.matrix.rows * operand.matrix.columns) continue;
            factor.cell = operand.matrix.cellOf(element);
        }
        const std::optional<Rect> area = factorArea(facts_.onN, factor);
        if (!area) continue;
        Rect box = *area;
        box.width = std::max(box.width, 2.0f), box.height = std::max(box.height, 2.0f);
        canvas_.rect(
            box, {.fill = laneColor(in_.cursor.warp, lanes.lowest()), .stroke = {role(RoleKind::Text), 1}});
        if (lanes.has(in_.cursor.lane))
            cursorAt = cursorAt
                           ? Rect{std::min(cursorAt->x, box.x), std::min(cursorAt->y, box.y),
                                  std::max(cursorAt->right(), box.right()) - std::min(cursorAt->x, box.x),
                                  std::max(cursorAt->bottom(), box.bottom()) - std::min(cursorAt->y, box.y)}
                           : box;
    }
    if (cursorAt) cursorBox(canvas_, *cursorAt, 2);
}

// The two factors of the cursor's product, and the sum that it goes to.
void PatchStage::drawFactors() {
    if (!facts_.product) return;
    for (const bool isN : {false, true})
        if (const auto area = factorArea(isN, isN ? facts_.product->n : facts_.product->m)) {
            Rect box = *area;
            box.width = std::max(box.width, 3.0f), box.height = std::max(box.height, 3.0f);
            cursorBox(canvas_, box, 2);
        }
    const CellIndex cell = facts_.sums->sums[facts_.product->sum].cell;
    Rect box = areaOf({cell.row, cell.column});
    box.width = std::max(box.width, 2.5f), box.height = std::max(box.height, 2.5f);
    if (layout_.main.cell < kLeastValueCell)
        canvas_.rect(box, {.fill = role(RoleKind::Cursor)});
    else
        cursorBox(canvas_, box.inset(2), 2);
}

void PatchStage::drawNames() {
    const explain::PatchBlock& block = *facts_.block;
    const MatrixCross& cross = layout_.main;
    const TextStyle name{.size = type::kBody, .bold = true};
    const TextStyle note{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
    const auto titled = [&](Point at, f32 room, const PatchOperand& operand, bool rightAligned) {
        const std::string title = operand.tile ? operand.tile->name : operand.matrix.name;
        const bool isAll =
            operand.tile && operand.firstPlace == 0 && operand.endPlace == operand.tile->elements();
        std::string extents = isAll ? operand.tile->extentsText() : std::string();
        if (isAll && operand.spots.isTransposed) extents = say(in_.language, kTransposed, extents);
        const f32 wide = canvas_.width(title, name),
                  more = extents.empty() ? 0 : canvas_.width(extents, note) + 6;
        const bool both = wide + more <= room;
        const f32 x = rightAligned ? at.x - wide - (both ? more : 0) : at.x;
        if (rightAligned) leftOfNames_ = std::min(leftOfNames_, x);
        canvas_.text({x, at.y}, title, name);
        if (both && more > 0) canvas_.text({x + wide + 6, at.y}, extents, note);
    };
    const f32 leftOfM =
        std::max(layout_.side.right(), layout_.map.cell > 0 ? layout_.map.pArea().right() + 24
                                       : layout_.registers.right() <= cross.m.x ? layout_.registers.right()
                                                                                : 0);
    // N's above it, M's above it where there is room left of N's, and P's at its right below.
    if (!block.isTiled() || block.n.tile)
        titled({cross.n.x, cross.n.y - 11}, cross.nArea().width, block.n, false);
    if (!block.isTiled() || block.m.tile)
        titled({cross.p.x - 14, cross.m.y - 11}, cross.p.x - 22 - leftOfM, block.m, true);
    canvas_.text({cross.pArea().right() + 4, cross.p.y + 8}, block.p.name, name);
}

}  // namespace lockstep::viz
