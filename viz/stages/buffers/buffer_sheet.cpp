// One sheet of the stage of any kernel: its cells, what marks them, and the part of a larger one that is in
// view.
#include "base/text/punctuation.h"
#include "explain/sentences/lane_lists.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/diamond.h"
#include "viz/messages.h"
#include "viz/phrases.h"
#include "viz/stages/buffers/buffer_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kNeverUsedHover = english("{0}: this block neither writes nor reads it.");
constexpr Words kHaloHover = english("Halo: a cell of a neighboring block.");
constexpr Words kHaloCopyHover = english("Halo: a copy of a neighboring block's cell.");
constexpr Words kReadBeforeHover = english("{2:Lane|Lanes} {0} of warp {1} {2:has|have} read this value.");

constexpr u32 kMostCharacters = 6, kBriefCharacters = 3;

// In so few characters where that can be: "57" of 57.31, "4.8" of 4.83, "0" of 0.0.
std::string inBrief(const std::string& value) {
    const f64 number = std::strtod(value.c_str(), nullptr);
    if (value.empty() || !std::isfinite(number) || std::abs(number) >= 1000 ||
        value.find('.') == std::string::npos)
        return value;
    std::string text = fmt::format("{:.{}f}", number, std::abs(number) < 9.95 ? 1 : 0);
    return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
}

// Of `count` lines of cells, where line `first` begins at `corner`: those between the two places.
std::pair<u64, u64> linesBetween(f32 corner, f32 cell, u64 first, u64 count, f32 from, f32 to) {
    constexpr f32 kHair = 1e-3f;  // of a cell: what rounding leaves of the next one is not seen
    const auto at = [&](f32 place, f32 by) {
        return u64(
            std::clamp<s64>(s64(first) + s64(std::floor((place - corner) / cell + by)), 0, s64(count)));
    };
    const u64 begin = at(from, kHair);
    return {begin, std::max(begin, at(to, 1 - kHair))};
}

}  // namespace

void BufferStage::drawSheet(const Sheet& sheet, const Rect& area, f32 titleRoom) {
    const Rect grid{area.x + gutter_, area.y + titleHeight(), area.width - gutter_,
                    area.height - titleHeight()};
    SheetOnShow on = showOf(sheet, grid);
    place(on);
    drawHeading(on, area, titleRoom);
    if (isIndexed_) drawIndices(on);
    const std::size_t firstHit = canvas_.scene().hits.size(), firstCell = canvas_.scene().cells.size();
    panes_.push_back(on.pane);
    if (on.zoomed.on()) canvas_.clip(on.view);
    chooseDigits(on);
    ours_.reset(), marked_.clear();
    drawCells(on);
    drawReads(on);
    if (sheet.part) drawParts(on);
    markConflict(on);
    markOwn(on);
    right_ = std::max(right_, on.view.right());
    const f32 inset = on.cell > 12 ? 1 : 0;
    if (ours_ && on.digits == 0 && !on.zoomed.on()) near_ = Near{sheet, ours_->second, on.before, area.y};
    if (ours_) cursorBox(canvas_, ours_->first.inset(inset), on.cell > 20 ? radius::kControl : 2);
    if (on.zoomed.on()) {
        canvas_.unclip();
        cuts_.push_back(
            {on.zoomed, firstHit, canvas_.scene().hits.size(), firstCell, canvas_.scene().cells.size()});
    }
    cutOf(sheet, on.seen).drawThumbs(canvas_, on.view);
}

SheetOnShow BufferStage::showOf(const Sheet& sheet, const Rect& grid) const {
    SheetOnShow on{.sheet = sheet, .grid = grid, .shown = {}};
    on.now = touches_.now(sheet), on.before = touches_.before(sheet), on.read = touches_.readBefore(sheet);
    constexpr f32 kLeast = 3, kLeastShrunk = 4;
    u64 columns = sheet.shownColumns();
    f32 cell = std::min(grid.width / f32(columns), kLargestCell);
    if (cell < kLeast) {
        cell = kLeast;
        columns = std::clamp<u64>(u64(std::max(0.0f, grid.width) / cell), 1, columns);
    }
    if (cell * f32(sheet.shownRows()) > grid.height)
        if (const f32 shrunk = grid.height / f32(sheet.shownRows()); shrunk >= kLeastShrunk) cell = shrunk;
    const u64 rows = std::clamp<u64>(u64(std::max(0.0f, grid.height) / cell), 1, sheet.shownRows());
    const u64 focus = on.now.empty() ? touches_.last(sheet) : on.now.begin()->first;
    // So that a third of what is shown lies before what is touched.
    const auto startAt = [](u64 wanted, u64 before, u64 first, u64 end, u64 count) {
        return std::clamp<u64>(wanted > before ? wanted - before : 0, first, end - count);
    };
    const explain::CellRange& window = sheet.window;
    const u64 row = rows < sheet.shownRows()
                        ? startAt(focus / sheet.columns, rows / 3, window.firstRow, window.endRow, rows)
                        : window.firstRow,
              column = columns < sheet.shownColumns() ? startAt(focus % sheet.columns, columns / 4,
                                                                window.firstColumn, window.endColumn, columns)
                                                      : window.firstColumn;
    on.shown = {row, row + rows, column, column + columns};
    on.cell = cell;
    return on;
}

void BufferStage::place(SheetOnShow& on) const {
    const Sheet& sheet = on.sheet;
    const explain::CellRange& shown = on.shown;
    const f32 cell = on.cell, wide = f32(shown.endColumn - shown.firstColumn) * cell,
              tall = f32(shown.endRow - shown.firstRow) * cell;
    on.pane = {on.grid, cutOf(sheet, shown).beyond(cell)};
    on.zoomed = Zoomed(in_.state, on.pane);
    on.cell *= on.zoomed.zoom;
    if (on.zoomed.on()) {
        on.view = on.grid;
    } else {  // row by row, so that none is cut through
        on.view = {on.grid.x, on.grid.y, wide, tall};
        const auto whole = [&](f32 pan) { return std::round(pan / cell) * cell; };
        on.zoomed.pan = {whole(on.zoomed.pan.x), whole(on.zoomed.pan.y)};
    }
    on.corner = on.zoomed.at(Point{on.grid.x, on.grid.y});
    const auto [fromRow, endRow] =
        linesBetween(on.corner.y, on.cell, shown.firstRow, sheet.rows(), on.view.y, on.view.bottom());
    const auto [fromColumn, endColumn] =
        linesBetween(on.corner.x, on.cell, shown.firstColumn, sheet.columns, on.view.x, on.view.right());
    on.seen = {fromRow, endRow, fromColumn, endColumn};
}

// Numbers in all cells or in none, and of one size: those that happen to be short would look like something
// special. Shorter ones where longer ones have no room.
void BufferStage::chooseDigits(SheetOnShow& on) const {
    for (u32 characters = kMostCharacters;
         on.cell >= kNumbered && on.digits == 0 && characters >= kBriefCharacters; --characters) {
        std::size_t longest = 0;
        for (u64 row = on.seen.firstRow; row < on.seen.endRow; ++row)
            for (u64 column = on.seen.firstColumn; column < on.seen.endColumn; ++column)
                if (const u64 element = row * on.sheet.columns + column; element < on.sheet.elements)
                    longest = std::max(longest, shortValue(on, element, characters).size());
        on.digits =
            fittingSize(canvas_, std::string(longest, '0'), on.cell - (characters > kBriefCharacters ? 7 : 3),
                        {.bold = true, .mono = true}, valueSize(on.cell));
        on.characters = characters;
    }
}

void BufferStage::drawCells(SheetOnShow& on) {
    const Sheet& sheet = on.sheet;
    for (u64 row = on.seen.firstRow; row < on.seen.endRow; ++row)
        for (u64 column = on.seen.firstColumn; column < on.seen.endColumn; ++column)
            if (const u64 element = row * sheet.columns + column; element < sheet.elements)
                drawCell(on, element, on.boxOf(row, column));
}

void BufferStage::drawCell(SheetOnShow& on, u64 element, const Rect& box) {
    const Sheet& sheet = on.sheet;
    const u64 address = sheet.base + element * sheet.bytes;
    if (const auto touch = on.now.find(element); touch != on.now.end()) {
        drawTouched(on, element, box, touch->second);
    } else if (sheet.part && !sheet.part->halo.empty() && sheet.space == trace::Space::Shared &&
               !accesses_->touches(sheet.space, address)) {
        // Of a tile with a halo: its corners, and places whose cells would lie outside of the matrix.
        ghostCell(canvas_, box, false);
        hasUnused_ = true;
        canvas_.hit(box, {.hover = say(in_.language, kNeverUsedHover, sheet.nameOf(element))});
    } else {
        drawUntouched(on, element, box);
    }
    canvas_.cell(cellOf(sheet, element, box));
}

ValueCell BufferStage::cellOf(const Sheet& sheet, u64 element, const Rect& box) {
    return {.rect = box,
            .of = sheet.space == trace::Space::Shared ? ValueCell::Of::Shared : ValueCell::Of::Global,
            .at = sheet.base + element * sheet.bytes};
}

void BufferStage::drawTouched(SheetOnShow& on, u64 element, const Rect& box, LaneMask lanes) {
    const Lane lane = lanes.has(in_.cursor.lane) ? in_.cursor.lane : lanes.lowest();
    const Role fill = warpRole(in_.cursor.warp, lane, exist_);
    drawValue(on, box, fill, element, true);
    if (isAtomic_ && on.cell >= (on.digits > 0 ? kForDiamondBesideDigits : kForDiamond))
        diamond(canvas_, {box.right() - 7, box.y + 7}, inkOn(fill));
    if (lanes.has(in_.cursor.lane) && !ours_) ours_ = {box, element};
    Cursor go = in_.cursor;
    go.lane = lane;
    // Under the mouse there is room for all digits of what a cell says as "1.007M".
    const std::string value = valueOf(on.sheet, on.before, element, explain::kInSentence);
    canvas_.hit(box,
                {.hover = say(in_.language, value.empty() ? kTouchHoverUnknown : kTouchHoverLanes,
                              on.sheet.nameOf(element), value, explain::lanesText(lanes, in_.language),
                              in_.cursor.warp.value,
                              verbFor(on.sheet.space, here_.access->kind).in(in_.language), lanes.count()),
                 .go = go});
}

void BufferStage::drawUntouched(SheetOnShow& on, u64 element, const Rect& box) {
    const Sheet& sheet = on.sheet;
    const u64 address = sheet.base + element * sheet.bytes;
    const bool isSeen = on.before.contains(element);
    drawValue(on, box, role(isSeen ? RoleKind::Wasted : RoleKind::Raised), element, false);
    if (const auto reader = on.read.find(element); reader != on.read.end())
        marked_.emplace_back(box, reader->second.has(in_.cursor.lane));
    constexpr f32 kUnderTheMouse = 8;  // smaller ones are hard to hit
    const std::string value = valueOf(sheet, on.before, element, explain::kInSentence);
    if (Hit hit =
            linkTo(in_, *accesses_, sheet.space, address, here_.step->order, saidOf(on, element, value));
        on.cell >= kUnderTheMouse || hit.go)
        canvas_.hit(box, std::move(hit));
}

// "tile[3][4] = 7.0. Halo: a copy of a neighboring block's cell."
std::string BufferStage::saidOf(const SheetOnShow& on, u64 element, const std::string& value) const {
    const Sheet& sheet = on.sheet;
    const bool isShared = sheet.space == trace::Space::Shared,
               isHalo = sheet.part && sheet.part->halo.contains(element),
               isUnwritten = value.empty() && !on.before.contains(element) && isShared &&
                             accesses_->touches(sheet.space, sheet.base + element * sheet.bytes);
    const std::string name = sheet.nameOf(element);
    const bool isEnglish = in_.language == Language::English;
    const std::string stop = isEnglish ? ". " : "。", separator = isEnglish ? " " : "";
    std::string said = isUnwritten     ? say(in_.language, kTileEmpty, name)
                       : value.empty() ? name
                                       : say(in_.language, kTouchHover, name, value);
    if (isHalo) said.append(stop).append(say(in_.language, isShared ? kHaloCopyHover : kHaloHover));
    if (const auto reader = on.read.find(element); reader != on.read.end())
        said.append(isHalo ? separator : stop)
            .append(say(in_.language, kReadBeforeHover, explain::lanesText(reader->second, in_.language),
                        in_.cursor.warp.value, reader->second.count()));
    return said;
}

void BufferStage::drawValue(const SheetOnShow& on, const Rect& box, Role fill, u64 element, bool isBold) {
    valueCell(canvas_, box, fill);
    if (on.digits == 0 || on.digits > on.view.height) return;
    // In the middle of what is seen of a cell that is larger than all that is seen.
    Point middle = box.centre();
    if (box.width > on.view.width)
        middle.x = (std::max(box.x, on.view.x) + std::min(box.right(), on.view.right())) / 2;
    if (box.height > on.view.height)
        middle.y = (std::max(box.y, on.view.y) + std::min(box.bottom(), on.view.bottom())) / 2;
    canvas_.text(middle, shortValue(on, element, on.characters),
                 {.size = on.digits,
                  .bold = isBold,
                  .mono = true,
                  .align = Align::Centre,
                  .role = fill.kind == RoleKind::Raised ? role(RoleKind::TextSecond) : inkOn(fill)});
}

std::string BufferStage::valueOf(const Sheet& sheet, const std::map<u64, explain::SheetTouches::Seen>& before,
                                 u64 element, u32 most) {
    if (const auto seen = before.find(element); seen != before.end())
        return seen->second.size == 0 ? std::string()
                                      : explain::valueText(seen->second.value(), seen->second.type, most);
    return sheet.buffer && element < sheet.buffer->count()
               ? explain::numberText(sheet.buffer->valueAt(element),
                                     explain::isFloatElement(sheet.buffer->type), most)
               : std::string();
}

std::string BufferStage::shortValue(const SheetOnShow& on, u64 element, u32 characters) {
    constexpr u32 kToShorten = 8;
    const bool isBrief = characters <= kBriefCharacters;
    const std::string value = valueOf(on.sheet, on.before, element, isBrief ? kToShorten : characters);
    return isBrief ? inBrief(value) : value;
}

void BufferStage::drawReads(const SheetOnShow& on) {
    const f32 inset = on.cell > 12 ? 1 : 0;
    for (const auto& [box, byCursor] : marked_) {
        drawRead(canvas_, box.inset(inset + 0.75f), warpRole(in_.cursor.warp), byCursor);
        (byCursor ? hasCursorsSources_ : hasSources_) = true;
    }
}

template <class Contains>
void BufferStage::drawOutline(const SheetOnShow& on, Contains&& contains, const Stroke& stroke) {
    const explain::CellRange& seen = on.seen;
    const auto isIn = [&](u64 row, u64 column) {
        return seen.contains(row, column) && contains(row, column);
    };
    for (const bool across : {true, false}) {
        const u64 firstLine = across ? seen.firstRow : seen.firstColumn,
                  endLine = across ? seen.endRow : seen.endColumn;
        const u64 first = across ? seen.firstColumn : seen.firstRow,
                  end = across ? seen.endColumn : seen.endRow;
        for (u64 at = firstLine; at <= endLine; ++at) {
            std::optional<u64> from;
            for (u64 i = first; i <= end; ++i) {
                const auto side = [&](u64 which) { return across ? isIn(which, i) : isIn(i, which); };
                const bool isEdge = i < end && (at > firstLine && side(at - 1)) != (at < endLine && side(at));
                if (isEdge && !from) from = i;
                if (isEdge || !from) continue;
                const auto point = [&](u64 along) {
                    const Rect box = across ? on.boxOf(at, along) : on.boxOf(along, at);
                    return Point{box.x, box.y};
                };
                canvas_.line(point(*from), point(i), stroke);
                from.reset();
            }
        }
    }
}

void BufferStage::drawParts(const SheetOnShow& on) {
    const explain::BlockPart& part = *on.sheet.part;
    const auto isOwn = [&](u64 row, u64 column) { return part.own.contains(row, column); };
    if (!part.halo.empty()) {
        hasHalo_ = true;
        drawOutline(
            on,
            [&](u64 row, u64 column) {
                return isOwn(row, column) || part.halo.contains(row * on.sheet.columns + column);
            },
            kHaloLine);
    }
    drawOutline(on, isOwn, kPartLine);
    hasPart_ = true;
}

void BufferStage::markConflict(const SheetOnShow& on) {
    const Sheet& sheet = on.sheet;
    if (!second_ || !second_->isAt(sheet.space, sheet.base, sheet.elements * sheet.bytes)) return;
    const u64 element = (second_->address - sheet.base) / sheet.bytes, row = element / sheet.columns,
              column = element % sheet.columns;
    if (on.seen.contains(row, column)) secondAt_ = on.boxOf(row, column);
}

void BufferStage::markOwn(const SheetOnShow& on) {
    if (!own_ || !on.sheet.part || on.cell < kForThreadElement) return;
    const std::optional<explain::ThreadElement> own = explain::threadElementIn(*on.sheet.part, parts_, *own_);
    if (!own || !on.seen.contains(own->row, own->column)) return;
    drawThreadElement(canvas_, on.boxOf(own->row, own->column));
    hasOwnCell_ = true;
}

}  // namespace lockstep::viz
