// Draws the transpose stage.
#include "viz/stage/transpose_stage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "model/sentence.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/marks/way.h"
#include "viz/messages.h"
#include "viz/numbers.h"
#include "viz/phrases.h"

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kNames = 34, kGap = 44, kLargestCell = 34, kLeastCell = 2, kRegisters = 62, kKey = 26;

// The part of an array that is drawn, and where.
struct Sheet {
    std::string name;
    u64 rows = 0, columns = 0;                        // of the whole array
    u64 firstRow = 0, firstColumn = 0, shownRows = 0, shownColumns = 0;
    Point at{};
    f32 cell = 1;

    bool shows(CellIndex c) const { return u64(c.row) >= firstRow && u64(c.row) < firstRow + shownRows && u64(c.column) >= firstColumn && u64(c.column) < firstColumn + shownColumns; }
    Rect rectOf(CellIndex c) const { return {at.x + f32(u64(c.column) - firstColumn) * cell, at.y + f32(u64(c.row) - firstRow) * cell, cell, cell}; }
    f32 width() const { return f32(shownColumns) * cell; }
    f32 height() const { return f32(shownRows) * cell; }
    bool whole() const { return shownRows == rows && shownColumns == columns; }
};

// What some cells of an array span.
struct Span {
    CellIndex low{1 << 30, 1 << 30}, high{-1, -1};
    u64 cells = 0;
    void add(CellIndex c) {
        low = {std::min(low.row, c.row), std::min(low.column, c.column)};
        high = {std::max(high.row, c.row), std::max(high.column, c.column)};
        ++cells;
    }
    bool empty() const { return cells == 0; }
};

std::string textOf(Language language, const Span& span) {
    const bool oneRow = span.low.row == span.high.row, oneColumn = span.low.column == span.high.column;
    if (oneRow && oneColumn) return say(language, kAtCell, span.low.row, span.low.column);
    if (oneRow) return say(language, kAtRow, span.low.row, span.low.column, span.high.column);
    if (oneColumn) return say(language, kAtColumn, span.low.column, span.low.row, span.high.row);
    return say(language, kAtRows, span.low.row, span.high.row, span.low.column, span.high.column);
}

class TransposeStage {
public:
    TransposeStage(const ViewInput& in, const TransposeFacts& facts, const Here& here)
        : in_(in), facts_(facts), here_(here), canvas_(in.size, in.metrics), exist_(lanesOf(*here.block, in.cursor.warp)) {
        gather();
    }

    Scene build() {
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), caption());
        if (!layOut(body)) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
        drawMatrix(input_, facts_.in, &Moved::from, &Moved::loaded, Move::Load);
        drawMatrix(output_, facts_.out, &Moved::to, &Moved::stored, Move::Store);
        if (tile_.rows) drawTile();
        drawWays();
        drawRegisters();
        drawKeys({body.x + space::kInset, body.bottom() - kKey / 2});
        Scene scene = std::move(canvas_).take(sentence());
        scene.animating = in_.motion < 1;
        return scene;
    }

private:
    Role colour(Lane lane, f32 alpha = 1) const { return warpRole(in_.cursor.warp, lane, exist_, alpha); }
    CellIndex placeOf(u64 place) const { return {s64(place / tile_.columns), s64(place % tile_.columns)}; }

    // The elements of the step at the cursor; between accesses those of the warp's last one, or of its first to come.
    void gather() {
        const u32 order = here_.step->order;
        const auto ofStep = [&](u32 step) {
            const u32 at = here_.warp->steps[step].order;
            for (const Moved& moved : facts_.moved)
                if (facts_.moveAt(moved, at) != Move::None) now_.push_back(&moved), move_ = facts_.moveAt(moved, at);
            return !now_.empty();
        };
        order_ = order;
        if (ofStep(in_.cursor.step)) return;
        const auto touches = [&](u32 step) { return here_.warp->steps[step].access != trace::Step::kNone; };
        for (u32 step = in_.cursor.step; step-- > 0;)
            if (touches(step) && ofStep(step)) break;
        for (u32 step = in_.cursor.step + 1; now_.empty() && step < here_.warp->steps.size(); ++step)
            if (touches(step)) ofStep(step);
        move_ = Move::None;
    }

    Lane laneOf(const Moved& m) const {
        return m.taken <= order_ && m.taker.warp == in_.cursor.warp ? m.taker.lane : m.loader.lane;
    }
    bool isCursor(const Moved& m) const { return laneOf(m) == in_.cursor.lane; }

    std::string caption() const {
        std::string text = say(in_.language, kBlock, coordinates(in_.cursor.block, launchOf(in_.run, in_.cursor.launch).grid));
        text += " · " + say(in_.language, kWarpLower, in_.cursor.warp.value);
        switch (move_) {
            case Move::None: return text;
            case Move::Load: return text + " · " + say(in_.language, kDoingLoad, facts_.in.name);
            case Move::Keep: return text + " · " + say(in_.language, kDoingKeepIn, facts_.tile->name);
            case Move::Take: return text + " · " + say(in_.language, kDoingTake, facts_.tile->name);
            case Move::Store: return text + " · " + say(in_.language, kDoingResult, facts_.out.name);
        }
        return text;
    }

    std::string sentence() const {
        std::string text = model::sentenceAt(*in_.run.module, in_.run.recording, *here_.block, in_.cursor.warp, in_.cursor.step, in_.profile, arrayShapes(in_.run, in_.cursor.launch)).in(in_.language);
        if (move_ == Move::None) return text;
        const bool stores = move_ == Move::Store;
        Span there;
        for (const Moved* m : now_)
            if (stores) there.add(facts_.in.cellOf(m->from));
            else if (m->stored != kNever) there.add(facts_.out.cellOf(m->to));
        if (there.empty()) return text;
        return text + (in_.language == Language::English ? " " : "") + say(in_.language, kTheyLie, stores ? facts_.in.name : facts_.out.name, textOf(in_.language, there), there.cells);
    }

    // ---- Where things stand

    // All of the array if its cells can be told apart, else what the block touches of it.
    static Sheet sheetOf(const Matrix& matrix, const Span& touched, bool whole) {
        Sheet sheet{.name = matrix.name, .rows = matrix.rows, .columns = matrix.columns};
        if (whole || touched.empty()) return sheet.shownRows = matrix.rows, sheet.shownColumns = matrix.columns, sheet;
        sheet.firstRow = u64(touched.low.row), sheet.firstColumn = u64(touched.low.column);
        sheet.shownRows = u64(touched.high.row) - sheet.firstRow + 1, sheet.shownColumns = u64(touched.high.column) - sheet.firstColumn + 1;
        return sheet;
    }

    bool layOut(const Rect& body) {
        Span read, written;
        for (const Moved& m : facts_.moved) {
            read.add(facts_.in.cellOf(m.from));
            if (m.stored != kNever) written.add(facts_.out.cellOf(m.to));
        }
        if (facts_.tile && std::ranges::any_of(facts_.moved, [](const Moved& m) { return m.kept != kNever; })) {
            const u64 columns = std::max<u64>(1, facts_.tile->columns());
            tile_ = {.name = facts_.tile->name, .rows = facts_.tile->elements() / columns, .columns = columns, .shownRows = facts_.tile->elements() / columns, .shownColumns = columns};
        }
        const f32 left = body.x + space::kInset, width = body.width - 2 * space::kInset, height = body.height - kNames - kRegisters - kKey - 20;
        const f32 gaps = tile_.rows ? 2 * kGap : kGap;
        const auto cellFor = [&] {
            return std::min({(width - gaps) / f32(input_.shownColumns + output_.shownColumns + tile_.shownColumns), height / f32(std::max({input_.shownRows, output_.shownRows, tile_.shownRows})), kLargestCell});
        };
        constexpr f32 kTellApart = 4;
        for (const bool whole : {true, false}) {
            input_ = sheetOf(facts_.in, read, whole), output_ = sheetOf(facts_.out, written, whole);
            if (cellFor() >= kTellApart) break;
        }
        const f32 cell = cellFor() >= 6 ? std::floor(cellFor()) : cellFor();
        if (cell < kLeastCell || width < 200) return false;
        const f32 used = cell * f32(input_.shownColumns + output_.shownColumns + tile_.shownColumns) + gaps;
        f32 x = left + (width - used) / 2;
        for (Sheet* sheet : {&input_, &tile_, &output_}) {
            if (sheet->shownRows == 0) continue;
            sheet->cell = cell;
            sheet->at = {x, body.y + kNames + std::max(0.0f, (height - sheet->height()) / 3)};
            x += sheet->width() + kGap;
        }
        const f32 registers = std::min(32.0f, width / f32(kWarpSize));
        registers_ = {body.centre().x - registers * kWarpSize / 2, body.bottom() - kKey - 34, registers * kWarpSize, 26};
        return true;
    }

    // ---- Matrices and tile

    void drawName(const Sheet& sheet) {
        const TextStyle name{.size = type::kTitle, .bold = true}, note{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        const f32 wide = canvas_.textWithin({sheet.at.x, sheet.at.y - 14}, std::max(sheet.width(), 60.0f), sheet.name, name);
        const std::string size = fmt::format("{} × {}", sheet.rows, sheet.columns);
        const f32 room = std::min(sheet.width() + kGap - wide - 14, in_.size.width - sheet.at.x - wide - 12);
        std::string text = size;
        if (!sheet.whole()) text = say(in_.language, kPartOf, sheet.firstRow, sheet.firstRow + sheet.shownRows - 1, sheet.firstColumn, sheet.firstColumn + sheet.shownColumns - 1, size);
        if (canvas_.width(text, note) > room) text = fmt::format("[{}…{}][{}…{}]", sheet.firstRow, sheet.firstRow + sheet.shownRows - 1, sheet.firstColumn, sheet.firstColumn + sheet.shownColumns - 1);
        if (canvas_.width(text, note) > room) text = size;
        if (canvas_.width(text, note) <= room) canvas_.text({sheet.at.x + wide + 8, sheet.at.y - 13}, text, note);
    }

    // Neighbouring cells of a row that look alike are one mark.
    template <class Wanted>
    void fillRuns(const Sheet& sheet, const RectStyle& style, Wanted&& wanted) {
        const f32 gap = sheet.cell > 12 ? 1 : sheet.cell > 5 ? 0.5f : 0;
        for (u64 r = 0; r < sheet.shownRows; ++r)
            for (u64 c = 0; c < sheet.shownColumns;) {
                const u64 first = c;
                while (c < sheet.shownColumns && wanted(r * sheet.shownColumns + c) && (gap == 0 || c == first)) ++c;
                if (c == first) {
                    ++c;
                    continue;
                }
                canvas_.rect(Rect{sheet.at.x + f32(first) * sheet.cell, sheet.at.y + f32(r) * sheet.cell, f32(c - first) * sheet.cell, sheet.cell}.inset(gap), style);
            }
    }

    std::size_t indexIn(const Sheet& sheet, CellIndex c) const { return std::size_t((u64(c.row) - sheet.firstRow) * sheet.shownColumns + u64(c.column) - sheet.firstColumn); }

    // In the lane's colour if the step moves it from or to here, else an outline: the same element elsewhere.
    void markNow(const Sheet& sheet, const Moved& m, CellIndex c, bool here) {
        if (!sheet.shows(c)) return;
        const Rect cell = sheet.rectOf(c);
        const Lane lane = laneOf(m);
        if (here) {
            const f32 gap = sheet.cell > 12 ? 1 : sheet.cell > 5 ? 0.5f : 0;
            canvas_.rect(cell.inset(gap), {.fill = colour(lane), .radius = sheet.cell > 12 ? radius::kCell : 0.0f});
        } else {
            canvas_.rect(cell.inset(sheet.cell > 5 ? 1 : 0.5f), {.stroke = {colour(lane), sheet.cell > 12 ? 1.5f : 1.0f}, .radius = sheet.cell > 12 ? radius::kCell : 0.0f});
        }
        if (sheet.cell >= 22) {
            const Role fill = colour(lane);
            TextStyle style{.mono = true, .align = Align::Centre, .role = here ? inkOn(fill) : role(RoleKind::Text)};
            const std::string value = numberText(m.value, true, 4);
            style.size = fittingSize(canvas_, value, cell.width - 4, style, type::kCode);
            if (style.size > 0) canvas_.text(cell.centre(), value, style);
        }
        Cursor go = in_.cursor;
        go.lane = lane;
        canvas_.hit(cell, {.hover = say(in_.language, kElementOfLane, sheet.name, c.row, c.column, numberText(m.value, true), lane.value), .go = go});
        if (isCursor(m) && !boxed_.contains(&sheet)) {
            boxed_.insert(&sheet);
            boxes_.push_back(cell);
        }
    }

    void drawMatrix(const Sheet& sheet, const Matrix& matrix, u64 Moved::*element, u32 Moved::*when, Move here) {
        drawName(sheet);
        if (sheet.cell < 6) {
            canvas_.rect({sheet.at.x, sheet.at.y, sheet.width(), sheet.height()}, {.fill = role(RoleKind::Raised)});
        } else {
            fillRuns(sheet, {.fill = role(RoleKind::Raised)}, [](std::size_t) { return true; });
        }
        std::vector<char> done(std::size_t(sheet.shownRows * sheet.shownColumns));
        for (const Moved& m : facts_.moved)
            if (const CellIndex c = matrix.cellOf(m.*element); m.*when < order_ && sheet.shows(c)) done[indexIn(sheet, c)] = 1;
        fillRuns(sheet, {.fill = role(RoleKind::Wasted)}, [&](std::size_t i) { return done[i] != 0; });
        for (const Moved* m : now_)
            if (m->*when != kNever) markNow(sheet, *m, matrix.cellOf(m->*element), move_ == here && (here == Move::Load || in_.motion >= 1));
        canvas_.rect({sheet.at.x - 1, sheet.at.y - 1, sheet.width() + 2, sheet.height() + 2}, {.stroke = {role(RoleKind::Line)}, .radius = 1});
    }

    void drawTile() {
        drawName(tile_);
        const std::size_t places = std::size_t(tile_.rows * tile_.columns);
        std::vector<char> used(places);
        std::vector<const Moved*> holds(places);
        for (const Moved& m : facts_.moved) {
            if (m.kept == kNever || m.place >= places) continue;
            used[m.place] = 1;
            const Moved*& held = holds[m.place];
            if (m.kept <= order_ && (m.kept < order_ || in_.motion >= 1) && (!held || held->kept < m.kept)) held = &m;
        }
        canvas_.rect({tile_.at.x - 1, tile_.at.y - 1, tile_.width() + 2, tile_.height() + 2}, {.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Edge)}, .radius = 1});
        fillRuns(tile_, {.fill = role(RoleKind::Raised, 0.6f)}, [&](std::size_t i) { return used[i] && !holds[i]; });
        fillRuns(tile_, {.hatch = role(RoleKind::Ghost, 0.8f), .hatchPitch = 5}, [&](std::size_t i) { return !used[i]; });
        hasPadding_ = std::ranges::find(used, 0) != used.end();
        for (u32 w = 0; w < here_.block->warps.size(); ++w)
            fillRuns(tile_, {.fill = warpRole(Warp{w}, Lane{0}, 0, 0.5f)}, [&](std::size_t i) { return holds[i] && holds[i]->loader.warp == Warp{w}; });
        for (const Moved* m : now_)
            if (m->kept != kNever && m->place < places) markNow(tile_, *m, placeOf(m->place), (move_ == Move::Keep && in_.motion >= 1) || move_ == Move::Take);
    }

    // ---- Registers, and the ways from and to them

    Rect registerOf(Lane lane) const {
        const f32 wide = registers_.width / f32(kWarpSize);
        return {registers_.x + f32(lane.value) * wide, registers_.y, wide, registers_.height};
    }

    std::optional<Rect> memoryOf(const Moved& m) const {
        const Sheet& sheet = move_ == Move::Load ? input_ : move_ == Move::Store ? output_ : tile_;
        const CellIndex c = move_ == Move::Load ? facts_.in.cellOf(m.from) : move_ == Move::Store ? facts_.out.cellOf(m.to) : placeOf(m.place);
        return sheet.shows(c) ? std::optional(sheet.rectOf(c)) : std::nullopt;
    }

    void drawWays() {
        if (move_ == Move::None) return;
        const bool reads = move_ == Move::Load || move_ == Move::Take;
        const auto wayOf = [&](const Moved& m) -> std::optional<Curve> {
            const std::optional<Rect> cell = memoryOf(m);
            if (!cell) return std::nullopt;
            const Point memory = cell->centre(), held{registerOf(laneOf(m)).centre().x, registers_.y};
            const Curve down{memory, Point{memory.x, memory.y + (held.y - memory.y) * 0.55f}, {held.x, held.y - 40}, held};
            return reads ? down : Curve{down[3], down[2], down[1], down[0]};
        };
        const f32 gone = ease(in_.motion);
        for (const Moved* m : now_) {
            const std::optional<Curve> way = wayOf(*m);
            if (!way || isCursor(*m)) continue;
            canvas_.curve(part(*way, 0, std::max(0.01f, gone)), {colour(laneOf(*m), 0.45f), 1});
        }
        for (const Moved* m : now_) {
            const std::optional<Curve> way = wayOf(*m);
            if (!way) continue;
            if (isCursor(*m)) draw(canvas_, Way{.from = (*way)[0], .curve = *way, .role = colour(laneOf(*m)), .read = true, .travelled = gone});
            if (in_.motion >= 1) continue;
            const Point at = pointAt(*way, gone);
            canvas_.rect({at.x - 3, at.y - 3, 6, 6}, {.fill = colour(laneOf(*m)), .radius = 1});
        }
    }

    void drawRegisters() {
        std::array<const Moved*, kWarpSize> held{};
        for (const Moved* m : now_) held[laneOf(*m).value] = m;
        const bool arriving = (move_ == Move::Load || move_ == Move::Take) && in_.motion < 1;
        // Ways pass behind the name.
        const std::string name = say(in_.language, kRegistersOf, in_.cursor.warp.value);
        const TextStyle style{.size = type::kCode, .bold = true};
        canvas_.rect({registers_.x - 2, registers_.y - 22, canvas_.width(name, style) + 6, 16}, {.fill = role(RoleKind::Ground), .radius = 2});
        canvas_.text({registers_.x, registers_.y - 14}, name, style);
        for (u32 l = 0; l < exist_; ++l) {
            const Lane lane{l};
            const Rect box = registerOf(lane).inset(1);
            const bool full = held[l] && !arriving;
            if (full) canvas_.rect(box, {.fill = colour(lane), .radius = 2});
            else canvas_.rect(box, {.fill = role(RoleKind::Ground), .stroke = {held[l] ? colour(lane) : role(RoleKind::Line)}, .radius = 2});
            const TextStyle number{.size = std::min(type::kAxis, box.width * 0.6f), .bold = true, .mono = true, .align = Align::Centre, .role = full ? inkOn(colour(lane)) : role(RoleKind::TextThird)};
            if (number.size >= 7) canvas_.text(box.centre(), std::to_string(l), number);
            Cursor go = in_.cursor;
            go.lane = lane;
            canvas_.hit(registerOf(lane), {.hover = laneSentence(in_, here_, lane), .go = go});
        }
        for (const Rect& cell : boxes_) cursorBox(canvas_, cell.inset(cell.width > 12 ? 1.0f : -1.0f), cell.width > 12 ? radius::kControl : 2.0f);
        cursorBox(canvas_, registerOf(in_.cursor.lane).inset(1), 3);
    }

    void drawKeys(Point at) {
        const Role mine = colour(Lane{0});
        std::vector<KeyRow> rows;
        rows.push_back({[mine](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2}); }, say(in_.language, kKeyMovedNow)});
        rows.push_back({[mine](Canvas& c, Point p) { c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1.5f}, .radius = 2}); }, say(in_.language, kKeySameElement)});
        rows.push_back({[](Canvas& c, Point p) { c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2}); }, say(in_.language, kKeyMovedBefore)});
        if (tile_.rows) rows.push_back({[](Canvas& c, Point p) { for (u32 w = 0; w < 2; ++w) c.rect({p.x - 8 + 8 * f32(w), p.y - 6, 8, 12}, {.fill = warpRole(Warp{w}, Lane{0}, 0, 0.5f)}); }, say(in_.language, kKeyTileHolds)});
        if (hasPadding_) rows.push_back({[](Canvas& c, Point p) { ghostCell(c, {p.x - 9, p.y - 7, 18, 14}, true); }, say(in_.language, kKeyPadding)});
        rows.push_back({[](Canvas& c, Point p) { cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3); }, say(in_.language, kKeyCursor)});
        keyRow(canvas_, at, in_.size.width - 2 * space::kInset, rows);
    }

    const ViewInput& in_;
    const TransposeFacts& facts_;
    const Here& here_;
    Canvas canvas_;
    u32 exist_, order_ = 0;
    Move move_ = Move::None;
    std::vector<const Moved*> now_;
    Sheet input_, output_, tile_;
    Rect registers_;
    bool hasPadding_ = false;
    std::set<const Sheet*> boxed_;  // arrays whose cell of the cursor's lane is known
    std::vector<Rect> boxes_;
};

}  // namespace

Scene buildTransposeStage(const ViewInput& in, const TransposeFacts& facts) {
    const Here here = lookUp(in.run, in.cursor);
    return TransposeStage(in, facts, here).build();
}

}  // namespace lockstep::viz
