// Of the matrix stage: M, N and P, their cells, indices and names, and what a thread writes into P.
#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stages/matmul/matmul_drawing.h"
#include "viz/stages/matmul/product_words.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::viz {

using namespace message;

void MatmulStage::drawBands() {
    if (!facts_.textbook) return;
    const auto [first, last] = blockElements();
    const f32 c = layout_.cell, rows = f32(last.row - first.row + 1) * c,
              columns = f32(last.column - first.column + 1) * c;
    const f32 top = layout_.p.y + f32(first.row) * c, left = layout_.p.x + f32(first.column) * c;
    canvas_.rect({layout_.m.x - 2, top, layout_.p.x + f32(layout_.columnsN) * c - layout_.m.x + 4, rows},
                 {.fill = warpColor(kBand)});
    canvas_.rect({left, layout_.n.y - 2, columns, layout_.p.y + f32(layout_.rowsM) * c - layout_.n.y + 4},
                 {.fill = warpColor(kBand)});
}

std::pair<CellIndex, CellIndex> MatmulStage::blockElements() const {
    return {facts_.elementOf(in_.cursor.block, {0, 0, 0}),
            facts_.elementOf(in_.cursor.block, {launch_.block.x - 1, launch_.block.y - 1, 0})};
}

u64 MatmulStage::addressOf(const Matrix& m, u64 element) const {
    return deviceAddressOf(m.buffer) + element * info(in_.run.recording.initial[m.buffer].type).bytes;
}

Hit MatmulStage::linkToElement(const Matrix& m, u64 element, std::string said) const {
    return linkTo(in_, *accesses_, trace::Space::Global, addressOf(m, element), facts_.order,
                  std::move(said));
}

void MatmulStage::drawMatrix(const Operand& operand, Point origin, bool isN) {
    const Matrix& m = operand.matrix;
    const u32 rows = isN ? layout_.inner : layout_.rowsM, columns = isN ? layout_.columnsN : layout_.inner;
    std::map<std::pair<s64, s64>, const Transfer*> lit;  // cells that this round's transfers concern
    const bool loading = facts_.activity == Activity::Load || facts_.activity == Activity::Keep;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts_.round) continue;
        const Progress p = progressOf(t);
        if (p == Progress::Ahead || (p == Progress::Stored && !loading)) continue;
        if (!(loading && &operand == &current()) && p == Progress::Stored) continue;
        if (t.asked) lit.emplace(std::pair{t.asked->row, t.asked->column}, &t);
        if (t.read && !t.outside) lit[{t.read->row, t.read->column}] = &t;
    }
    if (layout_.cell < 5) {
        drawMap(m, origin, rows, columns);
    } else {
        const Buffer& buffer = in_.run.recording.initial[m.buffer];
        const auto [firstRow, endRow] = rowsInView(origin, rows);
        const auto [firstColumn, endColumn] = columnsInView(origin, columns);
        for (u32 r = u32(firstRow); r < endRow; ++r)
            for (u32 c = u32(firstColumn); c < endColumn; ++c) {
                const CellIndex index{r, c};
                const Rect cell = layout_.cellAt(origin, index);
                const auto found = lit.find({r, c});
                const Transfer* t = found == lit.end() ? nullptr : found->second;
                if (!m.contains(index)) {
                    ghostCell(canvas_, cell, t != nullptr);
                    if (t && !t->loadStep && layout_.cell >= 34) {
                        drawLaneNumber(cell, t->lane);
                        textOnGround(canvas_, {cell.centre().x, cell.centre().y + 4}, t->value,
                                     {.size = type::kBody, .mono = true, .role = role(RoleKind::TextSecond)});
                    }
                    if (t && isWrong(*t)) drawNoFurtherStep(cell, t->lane);
                    canvas_.hit(
                        cell,
                        {.hover = say(in_.language, kCellOutside, cellName(m, index), m.name),
                         .go = t ? std::optional(at(t->warp, t->lane, t->loadStep.value_or(t->storeStep)))
                                 : std::nullopt});
                    continue;
                }
                const u64 element = u64(r) * m.columns + c;
                const std::string value = element < buffer.count() ? cellText(m, element) : std::string();
                valueCell(canvas_, cell, role(RoleKind::Raised));
                canvas_.cell({.rect = cell, .at = addressOf(m, element)});
                if (!t) drawCellValue(cell, value, false);
                if (t) {
                    canvas_.rect(cell.inset(1),
                                 {.fill = laneColor(t->warp, t->lane, 0.5f), .radius = radius::kCell});
                    drawCellValue(cell, value, true);
                    if (layout_.cell >= kNumberOverValue) drawLaneNumber(cell, t->lane);
                    if (t->isAlias()) frameWrong(cell);
                }
                if (t)
                    canvas_.hit(cell, {.hover = say(in_.language, kCellRead, cellName(m, index), value,
                                                    t->lane.value, t->warp.value),
                                       .go = at(t->warp, t->lane, t->loadStep.value_or(t->storeStep))});
                else
                    canvas_.hit(cell, linkToElement(m, element,
                                                    say(in_.language, kCellIs, cellName(m, index), value)));
            }
    }
    drawTileOutline(operand, origin);
    if (const u64 bytes = info(in_.run.recording.initial[m.buffer].type).bytes;
        second_ &&
        second_->isAt(trace::Space::Global, deviceAddressOf(m.buffer), m.rows * m.columns * bytes)) {
        const u64 element = (second_->address - deviceAddressOf(m.buffer)) / bytes;
        secondAt_ = layout_.cellAt(origin, m.cellOf(element));
    }
}

void MatmulStage::drawAllIndices(bool all) {
    if (!withIndices()) return;
    if (all || facts_.onN)
        drawIndices(layout_.n, layout_.inner, layout_.columnsN, u32(facts_.n.matrix.rows),
                    u32(facts_.n.matrix.columns));
    if (all || !facts_.onN)
        drawIndices(layout_.m, layout_.rowsM, layout_.inner, u32(facts_.m.matrix.rows),
                    u32(facts_.m.matrix.columns));
    if (all)
        drawIndices(layout_.p, layout_.rowsM, layout_.columnsN, u32(facts_.p.rows), u32(facts_.p.columns));
}

void MatmulStage::drawNoFurtherStep(const Rect& cell, Lane lane) {
    frameWrong(cell);
    // Below the lane's number, where that stands in the corner.
    const bool hasLane = layout_.cell >= kNumberOverValue;
    if (layout_.cell >= kIndexCell)
        textOnGround(canvas_,
                     hasLane ? Point{cell.centre().x + cell.width / 8, cell.centre().y + cell.height / 6}
                             : cell.centre(),
                     "?", {.size = std::min(type::kTitle, layout_.cell * 0.6f), .bold = true, .mono = true});
    if (hasLane)
        textOnGround(canvas_, {cell.x + 13, cell.y + 12}, std::to_string(lane.value),
                     {.size = type::kAxis, .bold = true, .mono = true});
}

std::string MatmulStage::cellText(const Matrix& m, u64 element) {
    const Buffer& buffer = in_.run.recording.initial[m.buffer];
    const auto whole = [&](u64 e) {
        return explain::numberText(buffer.valueAt(e), explain::isFloatElement(buffer.type), cellCharacters());
    };
    const auto [known, isNew] = brief_.try_emplace(m.buffer, false);
    if (isNew && (layout_.alone || layout_.cell >= kIndexCell))
        for (u64 e = 0; e < buffer.count() && !known->second; ++e)
            known->second =
                explain::numberText(buffer.valueAt(e), explain::isFloatElement(buffer.type)).size() >
                cellCharacters();
    if (isNew && layout_.cell < kNumberOverValue && layout_.cell >= kIndexCell) {
        const TextStyle least{.size = leastDigits(), .mono = true};
        for (u64 e = 0; e < buffer.count() && !known->second; ++e)
            known->second =
                canvas_.width(std::string(std::max<std::size_t>(whole(e).size(), cellCharacters()), '0'),
                              least) > roomForValue({0, 0, layout_.cell, layout_.cell});
    }
    return known->second ? shortened(whole(element)) : whole(element);
}

void MatmulStage::drawLaneNumber(const Rect& cell, Lane lane) {
    canvas_.text({cell.x + 13, cell.y + 10}, std::to_string(lane.value),
                 {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre});
}

void MatmulStage::drawCellValue(const Rect& cell, const std::string& value, bool lit, bool bright) {
    TextStyle style{.bold = bright,
                    .mono = true,
                    .align = Align::Centre,
                    .role = role(lit || bright ? RoleKind::Text : RoleKind::TextSecond)};
    drawValueOf(std::max<std::size_t>(value.size(), cellCharacters()), cell, value, style,
                lit && cell.height > 38 ? 4.0f : 0.0f);
}

void MatmulStage::drawValueOf(std::size_t characters, const Rect& cell, const std::string& value,
                              TextStyle style, f32 down) {
    const auto sizeFor = [&](std::size_t count) {
        return fittingSize(canvas_, std::string(count, '0'), roomForValue(cell), style,
                           valueSize(cell.height));
    };
    std::string shown = value;
    style.size = sizeFor(characters);
    if (style.size == 0)
        shown = shortened(value), style.size = sizeFor(std::max<std::size_t>(shown.size(), 3));
    if (style.size > 0) canvas_.text({cell.centre().x, cell.centre().y + down}, shown, style);
}

std::string MatmulStage::sumText(const Accumulator& sum) const {
    return explain::numberText(sum.stored.value_or(sum.sum), true, layout_.cell > 34 ? 7 : 4);
}

std::size_t MatmulStage::sumCharacters() {
    if (sumCharacters_ > 0) return sumCharacters_;
    sumCharacters_ = cellCharacters();
    for (const auto& [thread, sum] : accumulators_)
        sumCharacters_ = std::max(sumCharacters_, sumText(sum).size());
    return sumCharacters_;
}

void MatmulStage::drawMap(const Matrix& m, Point origin, u32 rows, u32 columns) {
    const f32 c = layout_.cell;
    if (rows > m.rows || columns > m.columns)
        canvas_.rect({origin.x, origin.y, f32(columns) * c, f32(rows) * c},
                     {.stroke = {role(RoleKind::Ghost, 0.5f)},
                      .hatch = role(RoleKind::Ghost, kGhostIdle),
                      .hatchPitch = 5});
    canvas_.rect({origin.x, origin.y, f32(m.columns) * c, f32(m.rows) * c}, {.fill = role(RoleKind::Raised)});
    const f32 tileX = f32(facts_.threads.x) * c, tileY = f32(facts_.threads.y) * c;
    hitMap(m, origin);
    if (tileX < 5 || tileY < 5) return;
    for (f32 x = tileX; x < f32(columns) * c - 0.5f; x += tileX)
        canvas_.line({origin.x + x, origin.y}, {origin.x + x, origin.y + f32(rows) * c},
                     {role(RoleKind::Ground)});
    for (f32 y = tileY; y < f32(rows) * c - 0.5f; y += tileY)
        canvas_.line({origin.x, origin.y + y}, {origin.x + f32(columns) * c, origin.y + y},
                     {role(RoleKind::Ground)});
}

void MatmulStage::hitMap(const Matrix& m, Point origin) {
    constexpr f32 kLeast = 5;
    const auto cellsOf = [&](u32 threads) {
        const u32 tile = std::max(1u, threads);
        return tile * u32(std::max(1.0f, std::ceil(kLeast / (f32(tile) * layout_.cell))));
    };
    const u32 tall = cellsOf(facts_.threads.y), wide = cellsOf(facts_.threads.x);
    for (u64 row = 0; row < m.rows; row += tall)
        for (u64 column = 0; column < m.columns; column += wide) {
            const u64 endRow = std::min(row + tall, m.rows), endColumn = std::min(column + wide, m.columns);
            const Rect area{origin.x + f32(column) * layout_.cell, origin.y + f32(row) * layout_.cell,
                            f32(endColumn - column) * layout_.cell, f32(endRow - row) * layout_.cell};
            const std::string said = partText(in_.language, {u64(row), u64(endRow - row)},
                                              {u64(column), u64(endColumn - column)}, m.name);
            if (m.buffer == facts_.p.buffer)
                canvas_.hit(area, {.hover = said, .go = blockOf({s64(row), s64(column)})});
            else
                canvas_.hit(area, {.hover = said,
                                   .go = linkToElement(m, row * m.columns + column, {})
                                             .go});  // whose first element is that far; not all of it
        }
}

std::optional<Rect> MatmulStage::outlineOf(const Operand& operand, Point origin) const {
    std::optional<CellIndex> low, high;
    for (const Transfer& t : operand.transfers) {
        const std::optional<CellIndex>& c = t.asked ? t.asked : t.read;
        if (t.round != facts_.round || !c) continue;
        low = low ? CellIndex{std::min(low->row, c->row), std::min(low->column, c->column)} : *c;
        high = high ? CellIndex{std::max(high->row, c->row), std::max(high->column, c->column)} : *c;
    }
    if (!low) return std::nullopt;
    const f32 c = layout_.cell;
    return clampBox({origin.x + f32(low->column) * c - 1, origin.y + f32(low->row) * c - 1,
                     f32(high->column - low->column + 1) * c + 2, f32(high->row - low->row + 1) * c + 2});
}

void MatmulStage::drawTileOutline(const Operand& operand, Point origin) {
    const std::optional<Rect> found = outlineOf(operand, origin);
    if (!found) return;
    const f32 c = layout_.cell;
    const Rect box = *found;
    const bool ahead = std::ranges::any_of(operand.transfers, [&](const Transfer& t) {
        return t.round == facts_.round && t.warp == in_.cursor.warp && progressOf(t) == Progress::Ahead;
    });
    canvas_.rect(box, {.stroke = ahead ? Stroke{warpColor(), line::kNext, Dash::Dashed}
                                       : Stroke{warpColor(), line::kTile},
                       .radius = c > 10 ? radius::kControl : 1.0f});
}

Rect MatmulStage::clampBox(Rect r) {
    r.width = std::max(r.width, 4.0f), r.height = std::max(r.height, 4.0f);
    return r;
}

void MatmulStage::drawIndices(Point origin, u32 rows, u32 columns, u32 realRows, u32 realColumns) {
    const auto style = [&](bool inside) {
        return TextStyle{.size = std::min(type::kCode, layout_.cell * 0.6f),
                         .mono = true,
                         .align = Align::Centre,
                         .role = role(inside ? RoleKind::TextSecond : RoleKind::TextThird)};
    };
    const auto write = [&](Point centre, const std::string& number, const TextStyle& style) {
        if (facts_.activity == Activity::Load || facts_.activity == Activity::Keep)
            textOnGround(canvas_, centre, number, style);
        else
            canvas_.text(centre, number, style);
    };
    const auto [firstRow, endRow] = rowsInView(origin, rows);
    const auto [firstColumn, endColumn] = columnsInView(origin, columns);
    for (u32 c = u32(firstColumn); c < endColumn; ++c)
        write({origin.x + (f32(c) + 0.5f) * layout_.cell, origin.y - 10}, std::to_string(c),
              style(c < realColumns));
    for (u32 r = u32(firstRow); r < endRow; ++r) {
        const std::string number = std::to_string(r);
        write({origin.x - 7 - canvas_.width(number, style(true)) / 2,
               origin.y + (f32(r) + 0.5f) * layout_.cell},
              number, style(r < realRows));
    }
}

void MatmulStage::drawNames() {
    if (layout_.magnified) {
        const TextStyle style{.size = type::kBody, .bold = true};
        const f32 c = layout_.cell;
        // Left of it where M's leaves room: the ways of what is loaded go to the right.
        const std::string name(facts_.n.matrix.name);
        const f32 wide = canvas_.width(name, style), left = layout_.n.x - 6 - wide,
                  behind = layout_.m.x + canvas_.width(facts_.m.matrix.name, style) + 6;
        canvas_.text({left >= behind ? left : layout_.n.x + f32(layout_.columnsN) * c + 6, layout_.n.y + 8},
                     name, style);
        canvas_.text({layout_.p.x + f32(layout_.columnsN) * c + 6, layout_.p.y + 8}, facts_.p.name, style);
        canvas_.text({layout_.m.x, layout_.m.y - 11}, facts_.m.matrix.name, style);
        return;
    }
    const TextStyle style{.size = type::kName, .bold = true, .align = Align::Right};
    const f32 above = withIndices() ? 32.0f : 14.0f;
    const f32 right = layout_.p.x + f32(layout_.columnsN) * layout_.cell;
    canvas_.text(
        {right, layout_.zoom.on() ? layout_.n.y - above
                                  : std::max(layout_.n.y - above, in_.titled ? space::kHead + 12 : 12)},
        facts_.n.matrix.name, style);
    canvas_.text({layout_.m.x + f32(layout_.inner) * layout_.cell, layout_.m.y - above}, facts_.m.matrix.name,
                 style);
    const std::string product = facts_.p.name + " = " + facts_.m.matrix.name + " × " + facts_.n.matrix.name;
    const f32 room = f32(layout_.columnsN) * layout_.cell + 20;
    canvas_.text({right, layout_.p.y - above}, canvas_.width(product, style) < room ? product : facts_.p.name,
                 style);
}

void MatmulStage::drawResult() {
    const Matrix& m = facts_.p;
    const f32 c = layout_.cell;
    if (c < 5) {
        drawMap(m, layout_.p, layout_.rowsM, layout_.columnsN);
    } else {
        const auto [firstRow, endRow] = rowsInView(layout_.p, layout_.rowsM);
        const auto [firstColumn, endColumn] = columnsInView(layout_.p, layout_.columnsN);
        for (u32 r = u32(firstRow); r < endRow; ++r)
            for (u32 q = u32(firstColumn); q < endColumn; ++q) {
                const CellIndex index{r, q};
                const Rect cell = layout_.cellAt(layout_.p, index);
                if (m.contains(index))
                    valueCell(canvas_, cell, role(RoleKind::Raised));
                else
                    ghostCell(canvas_, cell, false);
                // A block's own elements show what its threads have summed.
                if (m.contains(index) && !(facts_.textbook && isOfBlock(index)))
                    canvas_.cell({.rect = cell, .at = addressOf(m, u64(r) * m.columns + q)});
                if (const auto go = blockOf(index))
                    canvas_.hit(cell,
                                {.hover = m.contains(index)
                                              ? say(in_.language, kElementOfBlock, cellName(m, index),
                                                    coordinates(go->block, launch_.grid))
                                              : say(in_.language, kCellOutside, cellName(m, index), m.name),
                                 .go = go});
            }
    }
    u32 without = 0, all = 0;
    if (facts_.textbook)
        for (u32 w = 0; w < here_.block->warps.size(); ++w)
            for (u32 l = 0; l < explain::lanesOf(*here_.block, Warp{w}); ++l) {
                const CellIndex index =
                    facts_.elementOf(in_.cursor.block, explain::threadOf(launch_, Warp{w}, Lane{l}));
                ++all;
                without += !m.contains(index);
                if (c >= 5) drawThreadResult(Warp{w}, Lane{l}, index);
            }
    if (facts_.textbook) {
        const auto [first, last] = blockElements();
        const Rect box =
            clampBox({layout_.p.x + f32(first.column) * c - 1, layout_.p.y + f32(first.row) * c - 1,
                      f32(last.column - first.column + 1) * c + 2, f32(last.row - first.row + 1) * c + 2});
        canvas_.rect(box, {.stroke = {warpColor(), line::kNext}, .radius = c > 10 ? radius::kControl : 1.0f});
    }
    if (without > 0 && !layout_.magnified && !layout_.low) {
        const TextStyle style{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextThird)};
        const std::string text = say(in_.language, kThreadsWithoutElement, without, all, m.name);
        const f32 right = layout_.p.x + f32(layout_.columnsN) * c;
        canvas_.textWithin({right, layout_.p.y + f32(layout_.rowsM) * c + 13},
                           right - layout_.side.right() - 30, text, style);
    }
}

std::optional<Cursor> MatmulStage::blockOf(CellIndex index) const {
    if (!facts_.textbook) return std::nullopt;
    const u32 y = u32(index.row) / std::max(1u, facts_.swapped ? launch_.block.x : launch_.block.y),
              x = u32(index.column) / std::max(1u, facts_.swapped ? launch_.block.y : launch_.block.x);
    Cursor there = in_.cursor;
    there.block = facts_.swapped ? Dim3{y, x, 0} : Dim3{x, y, 0};
    return there;
}

bool MatmulStage::isOfBlock(CellIndex index) const {
    const auto [first, last] = blockElements();
    return index.row >= first.row && index.row <= last.row && index.column >= first.column &&
           index.column <= last.column;
}

void MatmulStage::drawSumCell(const Rect& cell, CellIndex index, const Accumulator& sum) {
    canvas_.cell({.rect = cell,
                  .at = addressOf(facts_.p, u64(index.row) * facts_.p.columns + u64(index.column)),
                  .value = sum.stored         ? sum.stored
                           : sum.products > 0 ? std::optional(sum.sum)
                                              : std::nullopt});
}

void MatmulStage::drawThreadResult(Warp warp, Lane lane, CellIndex index) {
    const Rect cell = layout_.cellAt(layout_.p, index);
    const bool exists = facts_.p.contains(index);
    const auto found = accumulators_.find({warp.value, lane.value});
    if (!exists) ghostCell(canvas_, cell, true);
    const Accumulator a = found == accumulators_.end() ? Accumulator{} : found->second;
    if (exists) drawSumCell(cell, index, a);
    // A thread without an element adds up all the same; what it stored, if anything, lies elsewhere. Before
    // the first product it is not known whether the sum has been set to zero yet.
    if (a.stored ? exists : a.products > 0) {
        const std::string value = sumText(a);
        if (a.stored) {
            const Role fill = laneColor(warp, lane);
            valueCell(canvas_, cell, fill);
            drawValueOf(sumCharacters(), cell, value,
                        {.bold = true, .mono = true, .align = Align::Centre, .role = inkOn(fill)});
        } else {
            const std::string note(kSum.in(in_.language));
            const TextStyle style{.size = type::kAxis, .role = role(RoleKind::TextThird)};
            if (layout_.cell >= 38 && exists)
                canvas_.text({cell.x + 5, cell.y + 9}, note, style);
            else if (layout_.cell >= 38)
                textOnGround(canvas_, {cell.x + 5 + canvas_.width(note, style) / 2, cell.y + 9}, note, style);
            drawValueOf(sumCharacters(), cell, value,
                        {.mono = true,
                         .align = Align::Centre,
                         .role = role(layout_.cell >= 38 ? RoleKind::Text : RoleKind::TextSecond)},
                        layout_.cell > 38 ? 4.0f : 0.0f);
        }
    }
    canvas_.hit(cell, {.hover = say(in_.language, ownershipOf(facts_, index),
                                    coordinates(explain::threadOf(launch_, warp, lane), launch_.block),
                                    cellName(facts_.p, index)),
                       .go = at(warp, lane, in_.cursor.step)});
    markStoreTest(warp, lane, cell);
    if (isCursor(warp, lane) &&
        (facts_.activity == Activity::Multiply || facts_.activity == Activity::Result))
        cursorBox(canvas_, cell.inset(1));
}

void MatmulStage::markStoreTest(Warp warp, Lane lane, const Rect& cell) {
    constexpr f32 kLeast = 12, kBelowValue = 30;
    if (!passing_ || warp != in_.cursor.warp || cell.width < kLeast) return;
    const f32 scale = std::min(1.2f, cell.width / 24);
    const Point at = cell.height >= kBelowValue ? Point{cell.right() - 10, cell.bottom() - 10}
                                                : cell.centre();  // beside the value, if there is one
    if (passing_->has(lane))
        tick(canvas_, at, kPasses, scale), hasTicks_ = true;
    else
        cross(canvas_, at, kFails, scale), hasCrosses_ = true;
}

}  // namespace lockstep::viz
