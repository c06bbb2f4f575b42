// Draws the multiplication for a hall.
#include "viz/stages/matmul/multiply_alone.h"

#include "base/device_addresses.h"
#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/frame.h"
#include "viz/marks/token.h"
#include "viz/messages.h"
#include "viz/parts/first_around.h"
#include "viz/stages/matmul/product_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kIndices = 22, kNames = 46, kSign = 22, kLargestCell = 88, kLeastGridCell = 40, kSumWide = 96,
              kLeastPairWide = 29, kLargestPairWide = 64, kPairTall = 40, kPairsTop = 24, kBetweenPairs = 8,
              kSumTall = 44, kInCell = 8;
constexpr Words kKeyInUse = english("of the cursor's thread");
// A factor: a tile, or the whole matrix where there are no tiles.
struct Factor {
    std::string name;
    bool isN = false;
    u64 rows = 1, columns = 1, place = 0;  // place: in use
    bool isRead = true;  // false: it is still to be read, as the other one of the pair has been
    const Operand* operand = nullptr;
    std::map<u64, const Transfer*> kept{};  // what a tile holds, by place

    u64 row() const { return place / columns; }
    u64 column() const { return place % columns; }
    u64 along() const { return isN ? row() : column(); }  // k
    u64 length() const { return isN ? rows : columns; }
    u64 placeAlong(u64 k) const { return isN ? k * columns + column() : row() * columns + k; }
};

// A value as it stands in a cell.
struct Held {
    std::string text;
    Role fill = role(RoleKind::Raised);
    std::string lane;
    bool ghost = false;  // made up by the kernel
};

class MultiplyAlone {
public:
    MultiplyAlone(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                  const explain::BlockAccesses& accesses)
        : canvas_(canvas), in_(in), facts_(facts), here_(here), accesses_(accesses) {}

    bool draw(const Rect& body) {
        const Rect area{body.x + space::kInset, body.y, body.width - 2 * space::kInset, body.height - 8};
        return findFactors() && (drawGrids(area) || drawPairs(area));
    }
    bool drawLoupe(const Rect& area) {
        constexpr f32 kLeastPairTall = 28, kAllElse = kPairsTop + kBetweenPairs + 18 + kSumTall + 36;
        pairTall_ = std::clamp((area.height - kAllElse) / 2, kLeastPairTall, kPairTall);
        const f32 high = kAllElse + 2 * pairTall_;
        isLoupe_ = true;
        return area.height >= high && findFactors() &&
               drawPairs({area.x, area.y + (area.height - high) / 2, area.width, high});
    }

private:
    bool findFactors() {
        mine_ = accumulatorOf(in_.run, facts_, *here_.block, in_.cursor.warp, in_.cursor.lane);
        if (!(mine_.m || mine_.n) || !(facts_.textbook || (mine_.m && mine_.n))) return false;
        m_ = factorOf(facts_.m, mine_.m, false);
        n_ = factorOf(facts_.n, mine_.n, true);
        if (!m_.isRead) m_.place = ownRow() * m_.columns + n_.along();
        if (!n_.isRead) n_.place = m_.along() * n_.columns + ownColumn();
        return m_.place < m_.rows * m_.columns && n_.place < n_.rows * n_.columns;
    }

    // The row of M's tile and the column of N's tile, or of the matrices, that belong to the cursor's thread.
    CellIndex own() const {
        const CellIndex element = facts_.elementOf(in_.cursor.block,
                                                   explain::threadOf(launchOf(in_.run, in_.cursor.launch),
                                                                     in_.cursor.warp, in_.cursor.lane)),
                        first = facts_.elementOf(in_.cursor.block, {0, 0, 0});
        return facts_.tiled() ? CellIndex{element.row - first.row, element.column - first.column} : element;
    }
    u64 ownRow() const { return u64(own().row); }
    u64 ownColumn() const { return u64(own().column); }

    Factor factorOf(const Operand& operand, const std::optional<Accumulator::Factor>& read, bool isN) const {
        Factor f{.name = operand.matrix.name,
                 .isN = isN,
                 .rows = operand.matrix.rows,
                 .columns = operand.matrix.columns,
                 .place = read ? read->place : 0,
                 .isRead = read.has_value(),
                 .operand = &operand};
        if (!facts_.tiled()) return f;
        f.name = operand.tile->name, f.columns = std::max<u64>(1, operand.tile->columns()),
        f.rows = operand.tile->elements() / f.columns;
        for (const Transfer& t : operand.transfers)
            if (const Transfer*& newest = f.kept[t.place];
                t.storeOrder <= facts_.order && (!newest || newest->storeOrder < t.storeOrder))
                newest = &t;
        return f;
    }

    Held heldAt(const Factor& f, u64 place) const {
        Held held;
        if (facts_.tiled()) {
            const auto found = f.kept.find(place);
            if (found == f.kept.end() || !found->second) return held;
            const Transfer& t = *found->second;
            held.text = t.value, held.lane = std::to_string(t.lane.value), held.ghost = !t.loadStep;
            held.fill = warpRole(t.warp, t.lane, explain::lanesOf(*here_.block, t.warp));
        } else {
            const Buffer& buffer = in_.run.recording.initial[f.operand->matrix.buffer];
            if (place < buffer.count())
                held.text =
                    explain::numberText(buffer.valueAt(place), explain::isFloatElement(buffer.type), 8);
            if (f.isN ? place % f.columns == f.column() : place / f.columns == f.row())
                held.fill = warpRole(in_.cursor.warp, in_.cursor.lane,
                                     explain::lanesOf(*here_.block, in_.cursor.warp), 0.5f);
        }
        if (brief_ && held.text.ends_with(".0")) held.text.resize(held.text.size() - 2);
        return held;
    }

    // All numbers of these places in one size, and "7" for "7.0" in all of them where one has no room.
    void chooseNumbers(const std::vector<std::pair<const Factor*, u64>>& places, f32 wide) {
        const auto longest = [&] {
            std::size_t most = 1;
            for (const auto& [f, place] : places)
                most = std::max(most, heldAt(*f, place).text.size());
            return std::string(most, '0');
        };
        const TextStyle style{.size = type::kAxis, .bold = true, .mono = true};
        brief_ = false;
        brief_ = canvas_.width(longest(), style) > wide - kInCell;
        longest_ = longest();
    }

    Hit hitOf(const Factor& f, u64 place) const {
        const std::string name = fmt::format("{}[{}][{}]", f.name, place / f.columns, place % f.columns);
        if (facts_.tiled()) {
            const auto found = f.kept.find(place);
            const Transfer* t = found == f.kept.end() ? nullptr : found->second;
            return linkTo(in_, accesses_, trace::Space::Shared,
                          f.operand->tile->base + place * f.operand->tile->elementBytes, facts_.order,
                          t ? say(in_.language, facts_.rounds > 1 ? kTileHolds : kStoredByLane, name,
                                  t->value, t->lane.value, t->warp.value, t->round + 1, facts_.rounds)
                            : name);
        }
        const u32 buffer = f.operand->matrix.buffer;
        return linkTo(in_, accesses_, trace::Space::Global,
                      deviceAddressOf(buffer) + place * info(in_.run.recording.initial[buffer].type).bytes,
                      facts_.order, name);
    }

    // The lane's number in the corner, the value below it where there is height for both.
    void drawCell(const Factor& f, u64 place, const Rect& cell) {
        const Held held = heldAt(f, place);
        const Rect box = cell.inset(2);
        const Role ink = held.ghost ? role(RoleKind::Text) : inkOn(held.fill);
        Role hatch = isLoupe_ ? held.fill : role(RoleKind::Ghost);  // beside the tiles, as there
        hatch.alpha = 0.45f;
        if (held.ghost)
            canvas_.rect(box, {.fill = role(RoleKind::Ground),
                               .stroke = {held.fill, line::kUnread},
                               .radius = radius::kControl,
                               .hatch = hatch});
        else
            canvas_.rect(box, {.fill = held.fill, .radius = radius::kControl});
        const bool numbered = !held.lane.empty() && box.height >= 2 * type::kAxis + 10;
        TextStyle style{.bold = true, .mono = true, .align = Align::Centre, .role = ink};
        style.size = fittingSize(canvas_, longest_, cell.width - kInCell, style,
                                 std::min(valueSize(box.height), box.height * (numbered ? 0.45f : 0.6f)));
        const Point centre{box.centre().x, numbered ? box.bottom() - 5 - style.size / 2 : box.centre().y};
        const Point corner{box.x + 10, box.y + 9};
        const TextStyle lane{
            .size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = ink};
        if (held.ghost) {
            if (style.size > 0) textOnGround(canvas_, centre, held.text, style);
            if (numbered) textOnGround(canvas_, corner, held.lane, lane);
        } else {
            if (style.size > 0) canvas_.text(centre, held.text, style);
            if (numbered) canvas_.text(corner, held.lane, lane);
        }
        canvas_.hit(cell, hitOf(f, place));
    }

    // ---- Whole tiles

    bool drawGrids(const Rect& area) {
        const u64 columns = m_.columns + n_.columns, rows = std::max(m_.rows, n_.rows);
        const u64 sumRows = facts_.swapped ? facts_.threads.x : facts_.threads.y,
                  sumColumns = facts_.swapped ? facts_.threads.y : facts_.threads.x;
        const auto cellFor = [&](f32 wide, u64 across, u64 down) {
            return std::floor(
                std::min({wide / f32(across), (area.height - kNames) / f32(down), kLargestCell}));
        };
        const f32 factors = area.width - 2 * kIndices - kSign;
        constexpr f32 kForSums = 60;  // a sum has seven digits
        const f32 withSums =
            facts_.tiled() && facts_.textbook
                ? cellFor(factors - kSign - kIndices, columns + sumColumns, std::max(rows, sumRows))
                : 0;
        const bool hasSums = withSums >= kForSums;
        const f32 cell = hasSums ? withSums : cellFor(factors - kSign - kSumWide, columns, rows);
        if (cell < kLeastGridCell) return false;
        const f32 used = 2 * kIndices + 2 * kSign + f32(columns) * cell +
                         (hasSums ? kIndices + f32(sumColumns) * cell : kSumWide);
        const f32 top = area.y + kNames + std::max(0.0f, (area.height - kNames - f32(rows) * cell) / 3);
        f32 x = area.x + std::max(0.0f, (area.width - used) / 2);
        std::vector<std::pair<const Factor*, u64>> places;
        for (const Factor* f : {&m_, &n_})
            for (u64 place = 0; place < f->rows * f->columns; ++place)
                places.emplace_back(f, place);
        chooseNumbers(places, cell);
        for (const Factor* f : {&m_, &n_}) {
            drawGrid(*f, {x + kIndices, top}, cell);
            x += kIndices + f32(f->columns) * cell;
            canvas_.text({x + kSign / 2, top + f32(rows) * cell / 2}, f->isN ? "=" : "×",
                         {.size = type::kName, .bold = true, .align = Align::Centre});
            x += kSign;
        }
        if (hasSums)
            drawSums({x + kIndices, top}, cell);
        else
            drawSum({x, top + f32(rows) * cell / 2 - 24, kSumWide, 48});
        if (const f32 bottom = top + f32(std::max(rows, hasSums ? sumRows : 0)) * cell;
            area.bottom() - bottom >= keyStrip(area.width))
            drawKey({area.x + kIndices, area.bottom() - keyStrip(area.width) / 2}, area.width - kIndices);
        return true;
    }

    void drawFrame(const std::string& name, Point at, f32 cell, u64 rows, u64 columns, u64 firstRow,
                   u64 firstColumn) {
        canvas_.text({at.x, at.y - 32}, name, {.size = type::kTitle, .bold = true});
        TextStyle index{
            .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
        for (u64 c = 0; c < columns; ++c)
            canvas_.text({at.x + (f32(c) + 0.5f) * cell, at.y - 11}, std::to_string(firstColumn + c), index);
        index.align = Align::Right;
        for (u64 r = 0; r < rows; ++r)
            canvas_.text({at.x - 6, at.y + (f32(r) + 0.5f) * cell}, std::to_string(firstRow + r), index);
    }

    void drawGrid(const Factor& f, Point at, f32 cell) {
        drawFrame(f.name, at, cell, f.rows, f.columns, 0, 0);
        for (u64 place = 0; place < f.rows * f.columns; ++place) {
            const u64 row = place / f.columns, column = place % f.columns;
            drawCell(f, place, {at.x + f32(column) * cell, at.y + f32(row) * cell, cell, cell});
        }
        drawInUse(f, at, cell, 4);
    }

    // The row of M or the column of N, and in it the element that is multiplied now.
    void drawInUse(const Factor& f, Point at, f32 cell, f32 inset) {
        const Rect segment = f.isN ? Rect{at.x + f32(f.column()) * cell, at.y, cell, f32(f.rows) * cell}
                                   : Rect{at.x, at.y + f32(f.row()) * cell, f32(f.columns) * cell, cell};
        canvas_.rect(segment, {.stroke = {role(RoleKind::Text), line::kTile}, .radius = radius::kControl});
        if (f.isRead)
            cursorBox(
                canvas_,
                Rect{at.x + f32(f.column()) * cell, at.y + f32(f.row()) * cell, cell, cell}.inset(inset),
                radius::kControl);
    }

    // What every thread of the block has summed so far.
    void drawSums(Point at, f32 cell) {
        const u64 rows = facts_.swapped ? facts_.threads.x : facts_.threads.y,
                  columns = facts_.swapped ? facts_.threads.y : facts_.threads.x;
        const Launch& launch = launchOf(in_.run, in_.cursor.launch);
        const CellIndex first = facts_.elementOf(in_.cursor.block, {0, 0, 0});
        drawFrame(facts_.p.name, at, cell, rows, columns, u64(first.row), u64(first.column));
        std::optional<Rect> ours;
        for (u32 w = 0; w < here_.block->warps.size(); ++w)
            for (u32 l = 0; l < explain::lanesOf(*here_.block, Warp{w}); ++l) {
                const CellIndex element =
                    facts_.elementOf(in_.cursor.block, explain::threadOf(launch, Warp{w}, Lane{l}));
                const Rect cellRect{at.x + f32(element.column - first.column) * cell,
                                    at.y + f32(element.row - first.row) * cell, cell, cell};
                const bool exists = facts_.p.contains(element);
                const Accumulator& a = accumulatorOf(in_.run, facts_, *here_.block, Warp{w}, Lane{l});
                const std::string sum = explain::numberText(a.stored.value_or(a.sum), true, 7);
                if (exists)
                    valueCell(canvas_, cellRect.inset(1),
                              a.stored ? warpRole(Warp{w}, Lane{l}, explain::lanesOf(*here_.block, Warp{w}))
                                       : role(RoleKind::Raised),
                              sum, true);
                else
                    ghostCell(canvas_, cellRect.inset(1), true);
                constexpr f32 kForNote = 48;
                const bool isSum = !a.stored && cell >= kForNote;
                const TextStyle noteOfSum{.size = type::kAxis, .role = role(RoleKind::TextSecond)};
                if (exists && isSum)
                    canvas_.text({cellRect.x + 8, cellRect.y + 12}, std::string(kSum.in(in_.language)),
                                 noteOfSum);
                if (!exists && isSum) {  // it adds up all the same
                    TextStyle style{.mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
                    style.size = fittingSize(canvas_, sum, cell - 16, style, cell * 0.22f);
                    if (style.size > 0) textOnGround(canvas_, cellRect.centre(), sum, style);
                    const std::string note(kSum.in(in_.language));
                    textOnGround(canvas_,
                                 {cellRect.x + 8 + canvas_.width(note, noteOfSum) / 2, cellRect.y + 12}, note,
                                 noteOfSum);
                }
                Cursor go = in_.cursor;
                go.lane = Lane{l};
                const bool isOurs = Warp{w} == in_.cursor.warp && go.lane == in_.cursor.lane;
                const std::string name =
                    fmt::format("{}[{}][{}]", facts_.p.name, element.row, element.column);
                Hit hit{.hover = say(in_.language, ownershipOf(facts_, element),
                                     coordinates(explain::threadOf(launch, Warp{w}, Lane{l}), launch.block),
                                     name)};
                if (Warp{w} == in_.cursor.warp) hit.go = go;
                canvas_.hit(cellRect, std::move(hit));
                if (isOurs) ours = cellRect.inset(4);
            }
        if (ours) cursorBox(canvas_, *ours, radius::kControl);
    }

    void drawKey(Point at, f32 width) {
        const Role color = warpRole(in_.cursor.warp);
        std::vector<KeyRow> rows;
        if (facts_.tiled())
            rows.push_back({[color](Canvas& c, Point p) { drawValueSign(c, p, color, true); },
                            say(in_.language, kKeyValue)});
        rows.push_back({[](Canvas& c, Point p) {
                            cursorBox(c, {p.x - 9, p.y - 6, 18, 12}, 3);
                        },
                        say(in_.language, kKeyInUse)});
        if (facts_.tiled())
            rows.push_back({[](Canvas& c, Point p) {
                                ghostCell(c, {p.x - 12, p.y - 8, 24, 16}, true);
                            },
                            say(in_.language, kKeyOutside)});
        keyRow(canvas_, at, width, drawnOf(canvas_, rows));
    }

    // The running sum of the cursor's thread.
    void drawSum(const Rect& box) {
        const std::string sum = explain::numberText(mine_.stored.value_or(mine_.sum), true, 9);
        const TextStyle note{.size = type::kAxis, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
        canvas_.text({box.centre().x, box.y - 10}, std::string(kSum.in(in_.language)), note);
        canvas_.rect(box, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        TextStyle style{.bold = true, .mono = true, .align = Align::Centre};
        style.size = fittingSize(canvas_, sum, box.width - 8, style, type::kName);
        if (style.size > 0) canvas_.text(box.centre(), sum, style);
        cursorBox(canvas_, box.inset(2), radius::kControl);
    }

    // ---- The row above the column

    bool drawPairs(const Rect& area) {
        const TextStyle head{.size = type::kBody, .bold = true, .mono = true};
        const std::string rowName = fmt::format("{}[{}][k]", m_.name, m_.row()),
                          columnName = fmt::format("{}[k][{}]", n_.name, n_.column());
        const f32 label = std::max(canvas_.width(rowName, head), canvas_.width(columnName, head)) + 14;
        const u64 length = std::min(m_.length(), n_.length());
        const f32 room = area.width - label;
        const f32 wide = std::floor(std::clamp(room / f32(length), kLeastPairWide, kLargestPairWide));
        const u64 shown = std::min<u64>(length, u64(std::max(0.0f, room) / wide));
        if (shown < 4 || area.height < kPairsTop + 2 * pairTall_ + kBetweenPairs + 40) return false;
        const u64 k = m_.isRead ? m_.along() : n_.along(), first = firstAround(k, shown, length);
        const f32 left = area.x + label, top = area.y + kPairsTop;
        const TextStyle index{
            .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)};
        std::vector<std::pair<const Factor*, u64>> places;
        for (const Factor* f : {&m_, &n_})
            for (u64 i = 0; i < shown; ++i)
                places.emplace_back(f, f->placeAlong(first + i));
        chooseNumbers(places, wide);
        canvas_.text({left - 14, top - 11}, "k",
                     {.size = type::kBody, .bold = true, .mono = true, .align = Align::Right});
        for (const Factor* f : {&m_, &n_}) {
            const f32 y = top + (f->isN ? pairTall_ + kBetweenPairs : 0);
            canvas_.text({area.x, y + pairTall_ / 2}, f->isN ? columnName : rowName, head);
            for (u64 i = 0; i < shown; ++i) {
                const Rect cell{left + f32(i) * wide, y, wide, pairTall_};
                drawCell(*f, f->placeAlong(first + i), cell);
                if (f->isRead && first + i == f->along()) cursorBox(canvas_, cell.inset(3), radius::kControl);
            }
        }
        for (u64 i = 0; i < shown; ++i) {
            TextStyle style = index;
            if (first + i == k) style.bold = true, style.role = role(RoleKind::Text);
            canvas_.text({left + (f32(i) + 0.5f) * wide, top - 11}, std::to_string(first + i), style);
        }
        const f32 below = top + 2 * pairTall_ + kBetweenPairs + 18;
        if (isLoupe_) {
            drawSum({left, below + 18, kSumWide + 20, kSumTall});
            return true;
        }
        drawPictures({area.x + kSumWide + 60, below, area.width - kSumWide - 60, area.bottom() - below});
        drawSum({area.x, below + std::max(18.0f, (area.bottom() - below) / 2 - 16), kSumWide + 20, kSumTall});
        return true;
    }

    // Both tiles small, without numbers: where the row and the column lie.
    void drawPictures(const Rect& area) {
        constexpr f32 kLeast = 3, kLargest = 12, kNameWide = 56;
        const u64 rows = std::max(m_.rows, n_.rows);
        const f32 cell = std::min({(area.width - 2 * kNameWide - 40) / f32(m_.columns + n_.columns),
                                   area.height / f32(rows), kLargest});
        if (cell < kLeast) return;
        f32 x = area.right() - f32(m_.columns + n_.columns) * cell - 2 * kNameWide - 24;
        for (const Factor* f : {&m_, &n_}) {
            canvas_.text({x + kNameWide - 8, area.y + 8}, f->name,
                         {.size = type::kBody, .bold = true, .align = Align::Right});
            const Point at{x + kNameWide, area.y};
            for (u64 place = 0; place < f->rows * f->columns; ++place) {
                const u64 row = place / f->columns, column = place % f->columns;
                const Rect box{at.x + f32(column) * cell, at.y + f32(row) * cell, cell, cell};
                canvas_.rect(box.inset(cell > 5 ? 0.5f : 0.25f), {.fill = heldAt(*f, place).fill});
                canvas_.hit(box, hitOf(*f, place));
            }
            drawInUse(*f, at, cell, 0);
            x += kNameWide + f32(f->columns) * cell + 24;
        }
    }

    Canvas& canvas_;
    const ViewInput& in_;
    const MatmulFacts& facts_;
    const CursorContext& here_;
    const explain::BlockAccesses& accesses_;
    Accumulator mine_;
    Factor m_, n_;
    bool brief_ = false;  // "7" for "7.0"
    f32 pairTall_ = kPairTall;
    bool isLoupe_ = false;  // beside the matrices, not alone
    std::string longest_;   // of the numbers that are drawn
};

}  // namespace

bool drawMultiplyAlone(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts,
                       const CursorContext& here, const explain::BlockAccesses& accesses, const Rect& body) {
    return MultiplyAlone(canvas, in, facts, here, accesses).draw(body);
}

bool drawMultiplyLoupe(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts,
                       const CursorContext& here, const explain::BlockAccesses& accesses, const Rect& area) {
    return MultiplyAlone(canvas, in, facts, here, accesses).drawLoupe(area);
}

}  // namespace lockstep::viz
