// Draws the transpose stage.
#include "viz/stages/transpose/transpose_stage.h"

#include "base/device_addresses.h"
#include "base/text/counted.h"
#include "base/text/punctuation.h"
#include "explain/numbers.h"
#include "explain/sentences/sentence.h"
#include "viz/cursor/presentation.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/marks/way.h"
#include "viz/messages.h"
#include "viz/parts/conflicting_thread.h"
#include "viz/parts/links_to_accesses.h"
#include "viz/parts/nearby_access.h"
#include "viz/phrases.h"
#include "viz/stages/transpose/transpose_key.h"
#include "viz/stages/transpose/transpose_loupe.h"
#include "viz/stages/transpose/transpose_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace lockstep::viz {
namespace {

using explain::kNever, explain::Move, explain::Moved, explain::TransposeFacts;
using namespace message;

constexpr Words kWords = english("{0} {0:word|words}");
constexpr Words kWordOfLane = english("{0} = {1}: lane {2} moves it.");

constexpr f32 kNames = 34, kGap = 44, kLargestCell = 34, kLeastCell = 2, kRegisters = 62;
constexpr u64 kBanksOfRow = 32;  // words in a row of a tile whose shape the source does not tell

class TransposeStage {
public:
    TransposeStage(const ViewInput& in, const TransposeFacts& facts, const CursorContext& here)
        : in_(in),
          facts_(facts),
          here_(here),
          canvas_(in.size, in.metrics),
          exist_(explain::lanesOf(*here.block, in.cursor.warp)),
          accesses_(accessesOfBlock(in)),
          second_(explain::conflictingThreadAt(in.run, in.cursor, in.language)) {
        gather();
    }

    Scene build() {
        const Rect body = head(canvas_, in_, kStageTitle.in(in_.language), caption());
        if (!layOut(body)) return emptyScene(in_, kStageTitle, say(in_.language, kTooSmall));
        chooseNotes();
        drawMatrix(input_, facts_.in, &Moved::from, &Moved::loaded, Move::Load);
        drawMatrix(output_, facts_.out, &Moved::to, &Moved::stored, Move::Store);
        if (tile_.rows) drawTile();
        drawWays();
        drawRegisters();
        drawLoupes(body);
        if (secondAt_) draw(canvas_, *second_, *secondAt_, body);
        if (keyHeight() > 0) drawKeys({body.x + space::kInset, body.bottom() - keyHeight() / 2});
        Scene scene = std::move(canvas_).take(sentence());
        scene.animating = in_.motion < 1;
        scene.panes = {{{0, 0, in_.size.width, in_.size.height}, beyond_}};
        return scene;
    }

private:
    f32 keyHeight() const { return in_.isPresented ? 0 : keyStrip(in_.size.width); }
    Role color(Lane lane, f32 alpha = 1) const { return warpRole(in_.cursor.warp, lane, exist_, alpha); }
    explain::CellIndex placeOf(u64 place) const {
        return {s64(place / tile_.columns), s64(place % tile_.columns)};
    }

    // The elements of the step at the cursor; between accesses those of the warp's last one, or of its first
    // to come.
    void gather() {
        const u32 order = here_.step->order;
        const auto ofStep = [&](u32 step) {
            const u32 at = here_.warp->steps[step].order;
            for (const Moved& moved : facts_.moved)
                if (facts_.moveAt(moved, at) != Move::None)
                    now_.push_back(&moved), move_ = facts_.moveAt(moved, at), shown_ = step;
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
        std::string text = say(in_.language, kBlock,
                               coordinates(in_.cursor.block, launchOf(in_.run, in_.cursor.launch).grid));
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
        std::string text = explain::sentenceAt(*in_.run.module, in_.run.recording, *here_.block,
                                               in_.cursor.warp, in_.cursor.step, in_.profile,
                                               explain::arrayShapes(in_.run, in_.cursor.launch))
                               .in(in_.language);
        if (shown_ && *shown_ != in_.cursor.step)
            text += pictureIsOf(in_.language, *shown_, *shown_ > in_.cursor.step);
        if (move_ == Move::None) return text;
        const bool stores = move_ == Move::Store;
        std::set<s64> rows, columns;
        u64 cells = 0;
        for (const Moved* m : now_) {
            if (!stores && m->stored == kNever) continue;
            const explain::CellIndex there = stores ? facts_.in.cellOf(m->from) : facts_.out.cellOf(m->to);
            rows.insert(there.row), columns.insert(there.column), ++cells;
        }
        if (cells == 0) return text;
        const std::string place = linesText(in_.language, rows, true) + listComma(in_.language) +
                                  linesText(in_.language, columns, false);
        return text + sentenceGap(in_.language) +
               say(in_.language, stores ? kTheyLie : kTheyBelong, stores ? facts_.in.name : facts_.out.name,
                   place, cells);
    }

    // ---- Where things stand

    // How much of the arrays is drawn: the most whose cells can be told apart.
    enum class Part : u8 { Whole, OfBlock, OfStep, AroundCursor };

    struct Touched {
        Span read, written, held;
    };
    void touch(Touched& touched, const Moved& m) const {
        touched.read.add(facts_.in.cellOf(m.from));
        if (m.stored != kNever) touched.written.add(facts_.out.cellOf(m.to));
        if (m.kept != kNever && tile_.rows) touched.held.add(placeOf(m.place));
    }

    static void narrow(TransposeSheet& sheet, const Span& touched) {
        sheet.firstRow = sheet.firstColumn = 0, sheet.shownRows = sheet.rows,
        sheet.shownColumns = sheet.columns;
        if (touched.empty()) return;
        sheet.firstRow = u64(touched.low.row), sheet.firstColumn = u64(touched.low.column);
        sheet.shownRows = u64(touched.high.row) - sheet.firstRow + 1,
        sheet.shownColumns = u64(touched.high.column) - sheet.firstColumn + 1;
    }

    // Of what the step moves, the element of the cursor's lane.
    const Moved* nearest() const {
        const auto mine = std::ranges::find_if(now_, [&](const Moved* m) { return isCursor(*m); });
        return mine != now_.end() ? *mine : now_.empty() ? nullptr : now_.front();
    }

    void choose(Part part, const Touched& block, const Touched& step, Size room) {
        const Span whole;
        const Touched& touched = part == Part::OfBlock ? block : step;
        narrow(input_, part == Part::Whole ? whole : touched.read);
        narrow(output_, part == Part::Whole ? whole : touched.written);
        if (tile_.rows) narrow(tile_, part <= Part::OfBlock ? whole : step.held);
        const Moved* m = nearest();
        if (part != Part::AroundCursor || !m) return;
        constexpr f32 kCell = 5;
        const u64 rows = u64(room.height / kCell), columns = u64(room.width / kCell / (tile_.rows ? 3 : 2));
        input_.crop(rows, columns, facts_.in.cellOf(m->from));
        if (m->stored != kNever) output_.crop(rows, columns, facts_.out.cellOf(m->to));
        if (m->kept != kNever && tile_.rows) tile_.crop(rows, columns, placeOf(m->place));
    }

    bool layOut(const Rect& body) {
        input_ = {.name = facts_.in.name, .rows = facts_.in.rows, .columns = facts_.in.columns};
        output_ = {.name = facts_.out.name, .rows = facts_.out.rows, .columns = facts_.out.columns};
        if (facts_.tile &&
            std::ranges::any_of(facts_.moved, [](const Moved& m) { return m.kept != kNever; })) {
            const bool folded = facts_.tile->shape.size() < 2 && facts_.tile->elements() > kBanksOfRow;
            const u64 columns = folded ? kBanksOfRow : std::max<u64>(1, facts_.tile->columns());
            tile_ = {.name = facts_.tile->name,
                     .rows = (facts_.tile->elements() + columns - 1) / columns,
                     .columns = columns,
                     .folded = folded};
        }
        Touched block, step;
        for (const Moved& m : facts_.moved)
            touch(block, m);
        for (const Moved* m : now_)
            touch(step, *m);
        const f32 left = body.x + space::kInset, width = body.width - 2 * space::kInset,
                  height = body.height - kNames - kRegisters - keyHeight() - 20;
        const f32 gaps = tile_.rows ? 2 * kGap : kGap;
        if (width < 200 || height < 20) return false;
        const auto cellFor = [&] {
            return std::min(
                {(width - gaps) / f32(input_.shownColumns + output_.shownColumns + tile_.shownColumns),
                 height / f32(std::max({input_.shownRows, output_.shownRows, tile_.shownRows})),
                 kLargestCell});
        };
        constexpr f32 kTellApart = 4;
        for (const Part part : {Part::Whole, Part::OfBlock, Part::OfStep, Part::AroundCursor}) {
            choose(part, block, step, {width - gaps, height});
            if (cellFor() >= (part == Part::Whole ? kTellApart : kLeastCell)) break;
        }
        const f32 cell = cellFor() >= 6 ? std::floor(cellFor()) : cellFor();
        const f32 used = cell * f32(input_.shownColumns + output_.shownColumns + tile_.shownColumns) + gaps;
        f32 x = left + (width - used) / 2;
        for (TransposeSheet* sheet : {&input_, &tile_, &output_}) {
            if (sheet->shownRows == 0) continue;
            sheet->cell = cell;
            const Beyond more = sheet->cut().beyond(cell);
            beyond_ = {std::max(beyond_.left, more.left), std::max(beyond_.top, more.top),
                       std::max(beyond_.right, more.right), std::max(beyond_.bottom, more.bottom)};
            if (in_.state.zoom <= 1) sheet->scroll(in_.state.pan);
            sheet->at = {x, body.y + kNames + std::max(0.0f, (height - sheet->height()) / 3)};
            x += sheet->width() + kGap;
        }
        const f32 registers = std::min(32.0f, width / f32(kWarpSize));
        registers_ = {body.centre().x - registers * kWarpSize / 2, body.bottom() - keyHeight() - 48,
                      registers * kWarpSize, 26};
        return true;
    }

    // ---- Matrices and tile

    // What stands behind an array's name, from the longest to the shortest: which part is drawn and of how
    // much, the same as indices, that it is a part.
    std::array<std::string, 3> notesOf(const TransposeSheet& sheet) const {
        const auto folded = [&](const explain::SharedArray& tile) {
            return tile.components > 1
                       ? say(in_.language, kElementsOfBytes, grouped(tile.elements() / tile.components),
                             tile.components * tile.elementBytes)
                       : say(in_.language, kWords, grouped(tile.elements()));
        };
        const std::string size =
            sheet.folded ? folded(*facts_.tile) : fmt::format("{} × {}", sheet.rows, sheet.columns);
        if (sheet.folded)
            return {size, size,
                    say(in_.language, kElements, grouped(facts_.tile->elements() / facts_.tile->components))};
        const std::vector<std::string> parts = sheet.cut().names(in_.language, sheet.cut().indices(), size);
        return parts.empty() ? std::array{size, size, size} : std::array{parts[0], parts[1], parts[2]};
    }
    static constexpr TextStyle kNameStyle{.size = type::kTitle, .bold = true};
    f32 nameRoom(const TransposeSheet& sheet) const { return std::max(sheet.width(), 60.0f); }
    f32 nameWidth(const TransposeSheet& sheet) const {
        return canvas_.width(canvas_.cut(sheet.name, nameRoom(sheet), kNameStyle), kNameStyle);
    }
    bool hasRoomFor(const TransposeSheet& sheet, const std::string& note) const {
        const f32 wide = nameWidth(sheet);
        const f32 toEdge = in_.size.width - sheet.at.x - wide - 12;
        return canvas_.width(note, {.size = type::kAxis}) <=
               (&sheet == &output_ ? toEdge : std::min(sheet.width() + kGap - wide - 14, toEdge));
    }

    // The same of both matrices, so that one does not tell what the other leaves out.
    void chooseNotes() {
        const std::array<std::string, 3> in = notesOf(input_), out = notesOf(output_);
        while (note_ < 2 && !(hasRoomFor(input_, in[note_]) && hasRoomFor(output_, out[note_])))
            ++note_;
    }

    void drawName(const TransposeSheet& sheet) {
        const CutArray cut = sheet.cut();
        if (cut.isCut()) {
            cut.drawThumbs(canvas_, {sheet.at.x, sheet.at.y, sheet.width(), sheet.height()});
            canvas_.hit(
                {sheet.at.x, sheet.at.y - kNames, nameRoom(sheet), kNames - 2},
                {.hover = scrollText(in_.language, fmt::format("{} × {}", sheet.rows, sheet.columns),
                                     cut.names(in_.language, cut.indices(), {}).front(), sheet.name)});
        }
        canvas_.textWithin({sheet.at.x, sheet.at.y - 14}, nameRoom(sheet), sheet.name, kNameStyle);
        const TextStyle note{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
        const std::array<std::string, 3> notes = notesOf(sheet);
        std::size_t form = note_;
        if (&sheet == &tile_)
            for (form = 0; form < 2 && !hasRoomFor(sheet, notes[form]);)
                ++form;
        if (hasRoomFor(sheet, notes[form]))
            return (void)canvas_.text({sheet.at.x + nameWidth(sheet) + 8, sheet.at.y - 13}, notes[form],
                                      note);
        // Above the name, where it has no room beside it; the output is the last.
        const f32 room = &sheet == &output_ ? in_.size.width - sheet.at.x - 4 : sheet.width() + kGap - 8;
        if (canvas_.width(notes[form], note) <= room)
            canvas_.text({sheet.at.x, sheet.at.y - 28}, notes[form], note);
    }

    // Neighboring cells of a row that look alike are one mark.
    template <class Wanted>
    void fillRuns(const TransposeSheet& sheet, const RectStyle& style, Wanted&& wanted) {
        const f32 gap = sheet.cell > 12 ? 1 : sheet.cell > 5 ? 0.5f : 0;
        for (u64 r = 0; r < sheet.shownRows; ++r)
            for (u64 c = 0; c < sheet.shownColumns;) {
                const u64 first = c;
                while (c < sheet.shownColumns && wanted(r * sheet.shownColumns + c) &&
                       (gap == 0 || c == first))
                    ++c;
                if (c == first) {
                    ++c;
                    continue;
                }
                canvas_.rect(Rect{sheet.at.x + f32(first) * sheet.cell, sheet.at.y + f32(r) * sheet.cell,
                                  f32(c - first) * sheet.cell, sheet.cell}
                                 .inset(gap),
                             style);
            }
    }

    std::size_t indexIn(const TransposeSheet& sheet, explain::CellIndex c) const {
        return std::size_t((u64(c.row) - sheet.firstRow) * sheet.shownColumns + u64(c.column) -
                           sheet.firstColumn);
    }

    // In the lane's color if the step moves it from or to here, else an outline: the same element elsewhere.
    void markNow(const TransposeSheet& sheet, const Moved& m, explain::CellIndex c, bool here) {
        if (!sheet.shows(c)) return;
        const Rect cell = sheet.rectOf(c);
        const Lane lane = laneOf(m);
        if (here) {
            const f32 gap = sheet.cell > 12 ? 1 : sheet.cell > 5 ? 0.5f : 0;
            canvas_.rect(cell.inset(gap),
                         {.fill = color(lane), .radius = sheet.cell > 12 ? radius::kCell : 0.0f});
        } else {
            canvas_.rect(cell.inset(sheet.cell > 5 ? 1 : 0.5f),
                         {.stroke = {color(lane), sheet.cell > 12 ? 1.5f : 1.0f},
                          .radius = sheet.cell > 12 ? radius::kCell : 0.0f});
        }
        if (sheet.cell >= 22) {
            const Role fill = color(lane);
            TextStyle style{
                .mono = true, .align = Align::Centre, .role = here ? inkOn(fill) : role(RoleKind::Text)};
            const std::string value = explain::numberText(m.value, true, 4);
            style.size = fittingSize(canvas_, value, cell.width - 4, style, type::kCode);
            if (style.size > 0) canvas_.text(cell.centre(), value, style);
        }
        Cursor go = in_.cursor;
        go.lane = lane;
        const std::string value = explain::numberText(m.value, true);
        canvas_.hit(
            cell,
            {.hover = sheet.folded
                          ? say(in_.language, kWordOfLane, facts_.tile->nameOf(m.place), value, lane.value)
                          : say(in_.language, kElementOfLane, sheet.name, c.row, c.column, value, lane.value),
             .go = go});
        if (isCursor(m) && !boxed_.contains(&sheet)) {
            boxed_.insert(&sheet);
            boxes_.push_back(cell);
        }
    }

    // What the block touches at another step answers the mouse, too.
    template <class AddressOf>
    void leadToAccesses(const TransposeSheet& sheet, trace::Space space, AddressOf&& addressOf) {
        for (u64 row = sheet.firstRow; row < sheet.firstRow + sheet.shownRows; ++row)
            for (u64 column = sheet.firstColumn; column < sheet.firstColumn + sheet.shownColumns; ++column) {
                const std::string name = sheet.folded ? facts_.tile->nameOf(row * sheet.columns + column)
                                                      : fmt::format("{}[{}][{}]", sheet.name, row, column);
                canvas_.cell(
                    {.rect = sheet.rectOf({s64(row), s64(column)}),
                     .of = space == trace::Space::Shared ? ValueCell::Of::Shared : ValueCell::Of::Global,
                     .at = addressOf(row, column)});
                if (second_ && second_->isAt(space, addressOf(row, column), 1))
                    secondAt_ = sheet.rectOf({s64(row), s64(column)});
                if (Hit hit = linkTo(in_, *accesses_, space, addressOf(row, column), order_, name); hit.go)
                    canvas_.hit(sheet.rectOf({s64(row), s64(column)}), std::move(hit));
            }
    }

    void drawMatrix(const TransposeSheet& sheet, const explain::Matrix& matrix, u64 Moved::*element,
                    u32 Moved::*when, Move here) {
        drawName(sheet);
        if (sheet.cell < 6) {
            canvas_.rect({sheet.at.x, sheet.at.y, sheet.width(), sheet.height()},
                         {.fill = role(RoleKind::Raised)});
        } else {
            fillRuns(sheet, {.fill = role(RoleKind::Raised)}, [](std::size_t) { return true; });
        }
        std::vector<char> done(std::size_t(sheet.shownRows * sheet.shownColumns));
        for (const Moved& m : facts_.moved)
            if (const explain::CellIndex c = matrix.cellOf(m.*element); m.*when < order_ && sheet.shows(c))
                done[indexIn(sheet, c)] = 1;
        fillRuns(sheet, {.fill = role(RoleKind::Wasted)}, [&](std::size_t i) { return done[i] != 0; });
        const u64 base = deviceAddressOf(matrix.buffer),
                  bytes = info(in_.run.recording.initial[matrix.buffer].type).bytes;
        leadToAccesses(sheet, trace::Space::Global,
                       [&](u64 row, u64 column) { return base + (row * matrix.columns + column) * bytes; });
        for (const Moved* m : now_)
            if (m->*when != kNever)
                markNow(sheet, *m, matrix.cellOf(m->*element),
                        move_ == here && (here == Move::Load || in_.motion >= 1));
        canvas_.rect({sheet.at.x - 1, sheet.at.y - 1, sheet.width() + 2, sheet.height() + 2},
                     {.stroke = {role(RoleKind::Line)}, .radius = 1});
    }

    void drawTile() {
        drawName(tile_);
        const std::size_t shown = std::size_t(tile_.shownRows * tile_.shownColumns);
        std::vector<char> used(shown);
        std::vector<const Moved*> holds(shown);
        for (const Moved& m : facts_.moved) {
            const explain::CellIndex at = placeOf(m.place);
            if (m.kept == kNever || !tile_.shows(at)) continue;
            used[indexIn(tile_, at)] = 1;
            const Moved*& held = holds[indexIn(tile_, at)];
            if (m.kept <= order_ && (m.kept < order_ || in_.motion >= 1) && (!held || held->kept < m.kept))
                held = &m;
        }
        canvas_.rect({tile_.at.x - 1, tile_.at.y - 1, tile_.width() + 2, tile_.height() + 2},
                     {.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Edge)}, .radius = 1});
        fillRuns(tile_, {.fill = role(RoleKind::Raised, 0.6f)},
                 [&](std::size_t i) { return used[i] && !holds[i]; });
        fillRuns(tile_, kTransposePadding, [&](std::size_t i) { return !used[i]; });
        hasPadding_ = std::ranges::find(used, 0) != used.end();
        for (u32 w = 0; w < here_.block->warps.size(); ++w)
            fillRuns(tile_, {.fill = warpRole(Warp{w}, Lane{0}, 0, 0.5f)},
                     [&](std::size_t i) { return holds[i] && holds[i]->loader.warp == Warp{w}; });
        leadToAccesses(tile_, trace::Space::Shared, [&](u64 row, u64 column) {
            return facts_.tile->base + (row * tile_.columns + column) * facts_.tile->elementBytes;
        });
        for (const Moved* m : now_)
            if (m->kept != kNever)
                markNow(tile_, *m, placeOf(m->place),
                        (move_ == Move::Keep && in_.motion >= 1) || move_ == Move::Take);
    }

    // ---- Registers, and the ways from and to them

    Rect registerOf(Lane lane) const {
        const f32 wide = registers_.width / f32(kWarpSize);
        return {registers_.x + f32(lane.value) * wide, registers_.y, wide, registers_.height};
    }

    std::optional<Rect> memoryOf(const Moved& m) const {
        const TransposeSheet& sheet = move_ == Move::Load ? input_ : move_ == Move::Store ? output_ : tile_;
        const explain::CellIndex c = move_ == Move::Load    ? facts_.in.cellOf(m.from)
                                     : move_ == Move::Store ? facts_.out.cellOf(m.to)
                                                            : placeOf(m.place);
        return sheet.shows(c) ? std::optional(sheet.rectOf(c)) : std::nullopt;
    }

    void drawWays() {
        if (move_ == Move::None) return;
        const bool reads = move_ == Move::Load || move_ == Move::Take;
        const auto wayOf = [&](const Moved& m) -> std::optional<Curve> {
            const std::optional<Rect> cell = memoryOf(m);
            if (!cell) return std::nullopt;
            const Point memory = cell->centre(), held{registerOf(laneOf(m)).centre().x, registers_.y};
            const Curve down{
                memory, Point{memory.x, memory.y + (held.y - memory.y) * 0.55f}, {held.x, held.y - 40}, held};
            return reads ? down : Curve{down[3], down[2], down[1], down[0]};
        };
        const f32 gone = ease(in_.motion);
        for (const Moved* m : now_) {
            const std::optional<Curve> way = wayOf(*m);
            if (!way || isCursor(*m)) continue;
            canvas_.curve(part(*way, 0, std::max(0.01f, gone)), {color(laneOf(*m), 0.45f), 1});
        }
        for (const Moved* m : now_) {
            const std::optional<Curve> way = wayOf(*m);
            if (!way) continue;
            if (isCursor(*m))
                draw(canvas_, Way{.from = (*way)[0],
                                  .curve = *way,
                                  .role = color(laneOf(*m)),
                                  .read = true,
                                  .travelled = gone});
            if (in_.motion >= 1) continue;
            const Point at = pointAt(*way, gone);
            canvas_.rect({at.x - 3, at.y - 3, 6, 6}, {.fill = color(laneOf(*m)), .radius = 1});
        }
    }

    void drawRegisters() {
        std::array<const Moved*, kWarpSize> held{};
        for (const Moved* m : now_)
            held[laneOf(*m).value] = m;
        const bool arriving = (move_ == Move::Load || move_ == Move::Take) && in_.motion < 1;
        // Below them: ways come from above.
        const std::string name = say(in_.language, kRegistersOf, in_.cursor.warp.value);
        const TextStyle style{.size = type::kCode, .bold = true};
        canvas_.text({registers_.x, registers_.bottom() + 12}, name, style);
        for (u32 l = 0; l < exist_; ++l) {
            const Lane lane{l};
            const Rect box = registerOf(lane).inset(1);
            const bool full = held[l] && !arriving;
            if (full)
                canvas_.rect(box, {.fill = color(lane), .radius = 2});
            else
                canvas_.rect(box, {.fill = role(RoleKind::Ground),
                                   .stroke = {held[l] ? color(lane) : role(RoleKind::Line)},
                                   .radius = 2});
            const TextStyle number{.size = std::min(type::kAxis, box.width * 0.75f),
                                   .bold = true,
                                   .mono = true,
                                   .align = Align::Centre,
                                   .role = full ? inkOn(color(lane)) : role(RoleKind::TextThird)};
            if (number.size >= 7) canvas_.text(box.centre(), std::to_string(l), number);
            Cursor go = in_.cursor;
            go.lane = lane;
            canvas_.hit(registerOf(lane), {.hover = laneSentence(in_, here_, lane), .go = go});
        }
        for (const Rect& cell : boxes_)
            cursorBox(canvas_, cell.inset(cell.width > 12 ? 1.0f : -1.0f),
                      cell.width > 12 ? radius::kControl : 2.0f);
        cursorBox(canvas_, registerOf(in_.cursor.lane).inset(1), 3);
    }

    // Below the arrays, where there is most room, over the ways that pass there.
    void drawLoupes(const Rect& body) {
        constexpr f32 kNumbered = 22, kBelow = 26, kApart = 24;
        const Moved* m = nearest();
        if (!m || input_.cell >= kNumbered || in_.isPresented) return;
        const f32 tileEnd = tile_.rows ? tile_.at.y + tile_.height() : 0,
                  inputEnd = input_.at.y + input_.height(), outputEnd = output_.at.y + output_.height();
        const f32 left = input_.at.x + input_.width() + kApart,
                  belowOthers = std::max(tileEnd, outputEnd) + kBelow,
                  belowInput = std::max(tileEnd, inputEnd) + kBelow, bottom = registers_.y - kApart;
        const Rect right{left, belowOthers, body.right() - space::kInset - left, bottom - belowOthers};
        const Rect under{body.x + space::kInset, belowInput, output_.at.x - kApart - body.x - space::kInset,
                         bottom - belowInput};
        TransposeLoupe{in_, facts_, order_, *m}.draw(canvas_, right.height >= under.height ? right : under);
    }

    void drawKeys(Point at) {
        const std::vector<KeyRow> rows =
            transposeKey(in_.language, color(Lane{0}), tile_.rows > 0, hasPadding_);
        keyRow(canvas_, at, in_.size.width - 2 * space::kInset, drawnOf(canvas_, rows));
    }

    const ViewInput& in_;
    const TransposeFacts& facts_;
    const CursorContext& here_;
    Canvas canvas_;
    u32 exist_, order_ = 0;
    std::optional<u32> shown_;  // the step that the picture is of
    std::shared_ptr<const explain::BlockAccesses> accesses_;
    std::optional<explain::ConflictingThread> second_;
    std::optional<Rect> secondAt_;  // where it is drawn once all else is
    Move move_ = Move::None;
    std::vector<const Moved*> now_;
    TransposeSheet input_, output_, tile_;
    std::size_t note_ = 0;  // which of their notes the two matrices have
    Rect registers_;
    Beyond beyond_;  // how far the arrays go on
    bool hasPadding_ = false;
    std::set<const TransposeSheet*> boxed_;  // arrays whose cell of the cursor's lane is known
    std::vector<Rect> boxes_;
};

}  // namespace

Scene buildTransposeStage(const ViewInput& in, const TransposeFacts& facts) {
    const CursorContext here = lookUp(in.run, in.cursor);
    return TransposeStage(in, facts, here).build();
}

}  // namespace lockstep::viz
