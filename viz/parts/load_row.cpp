// Draws a row of a tile that is being loaded.
#include "viz/parts/load_row.h"

#include "explain/numbers.h"
#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/parts/first_around.h"
#include "viz/stages/matmul/matmul_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

constexpr f32 kTop = 24, kTall = 40, kBetween = 34, kLeastWide = 28, kLargestWide = 64, kInCell = 7;

class LoadRow {
public:
    LoadRow(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here)
        : canvas_(canvas),
          in_(in),
          facts_(facts),
          here_(here),
          operand_(facts.onN ? facts.n : facts.m),
          columns_(std::max<u64>(1, operand_.tile->columns())) {}

    bool draw(const Rect& body) {
        const Rect area{body.x + space::kInset, body.y, body.width - 2 * space::kInset, body.height - 8};
        const Transfer* mine = nullptr;
        for (const Transfer& t : operand_.transfers)
            if (isNow(t) && t.lane == in_.cursor.lane && t.asked) mine = &t;
        if (!mine) return false;
        row_ = mine->place / columns_;
        for (const Transfer& t : operand_.transfers)
            if (isNow(t) && t.asked && t.place / columns_ == row_) all_.push_back(&t);
        std::ranges::sort(all_, {}, [](const Transfer* t) { return t->place; });
        const TextStyle head{.size = type::kBody, .bold = true, .mono = true};
        const s64 ahead = mine->asked->column - s64(mine->place % columns_);  // of the tile in its matrix
        const std::string from = fmt::format("{}[{}][{}c]", operand_.matrix.name, mine->asked->row,
                                             ahead ? fmt::format("{}+", ahead) : ""),
                          to = fmt::format("{}[{}][c]", operand_.tile->name, row_);
        const f32 label = std::max(canvas_.width(from, head), canvas_.width(to, head)) + 10,
                  room = area.width - label;
        wide_ = std::floor(std::clamp(room / f32(all_.size()), kLeastWide, kLargestWide));
        const std::size_t shown = std::min(all_.size(), std::size_t(std::max(0.0f, room) / wide_)),
                          at = std::size_t(std::ranges::find(all_, mine) - all_.begin());
        if (shown < std::min<std::size_t>(4, all_.size()) || area.height < kTop * 2 + 2 * kTall + kBetween)
            return false;
        const std::size_t first = firstAround(at, shown, all_.size());
        all_ = {all_.begin() + std::ptrdiff_t(first), all_.begin() + std::ptrdiff_t(first + shown)};
        chooseNumbers();
        const Point above{area.x + label, area.y + kTop}, below{above.x, above.y + kTall + kBetween};
        canvas_.text({area.x, above.y + kTall / 2}, from, head);
        canvas_.text({area.x, below.y + kTall / 2}, to, head);
        canvas_.text({above.x - 14, above.y - 11}, "c",
                     {.size = type::kBody, .bold = true, .mono = true, .align = Align::Right});
        for (std::size_t i = 0; i < all_.size(); ++i)
            drawColumn(*all_[i], f32(i) * wide_, above, below);
        const f32 top = below.y + kTall + kTop;
        drawPicture({above.x, top, area.right() - above.x, area.bottom() - top});
        return true;
    }

private:
    bool isNow(const Transfer& t) const { return t.round == facts_.round && t.warp == in_.cursor.warp; }
    Role color(const Transfer& t, f32 alpha = 1) const {
        return warpRole(t.warp, t.lane, explain::lanesOf(*here_.block, t.warp), alpha);
    }
    bool isRead(const Transfer& t) const { return (t.loadStep ? t.loadOrder : t.storeOrder) <= facts_.order; }
    bool isKept(const Transfer& t) const { return t.storeOrder <= facts_.order; }
    bool isInside(const Transfer& t) const { return operand_.matrix.contains(*t.asked); }

    std::string textOf(const Transfer& t) const {
        return brief_ && t.value.ends_with(".0") ? t.value.substr(0, t.value.size() - 2) : t.value;
    }
    // In one size, and "7" for "7.0" in all of them where one has no room.
    void chooseNumbers() {
        const auto longest = [&] {
            std::size_t most = 1;
            for (const Transfer* t : all_)
                most = std::max(most, textOf(*t).size());
            return std::string(most, '0');
        };
        brief_ =
            canvas_.width(longest(), {.size = type::kAxis, .bold = true, .mono = true}) > wide_ - kInCell;
        size_ = fittingSize(canvas_, longest(), wide_ - kInCell, {.bold = true, .mono = true}, kTall * 0.45f);
    }

    void drawColumn(const Transfer& t, f32 x, Point above, Point below) {
        const Rect source{above.x + x, above.y, wide_, kTall}, target{below.x + x, below.y, wide_, kTall};
        const f32 middle = source.centre().x;
        canvas_.text(
            {middle, above.y - 11}, std::to_string(t.place % columns_),
            {.size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)});
        if (isInside(t))
            drawHeld(t, source, isRead(t) ? color(t, 0.5f) : role(RoleKind::Raised));
        else
            ghostCell(canvas_, source.inset(1), true);
        if (t.outside || t.isAlias())
            canvas_.rect(source.inset(2),
                         {.stroke = {role(RoleKind::Finding), line::kTile}, .radius = radius::kControl});
        if (isRead(t))
            canvas_.line({middle, source.bottom() + 2}, {middle, isKept(t) ? target.y - 2 : target.y - 10},
                         {color(t), t.loadStep ? line::kRead : line::kUnread,
                          t.loadStep ? Dash::Solid : Dash::Dashed});
        if (isKept(t))
            drawHeld(t, target, color(t));
        else
            canvas_.rect(target.inset(2),
                         {.stroke = {color(t), line::kNext, Dash::Dashed}, .radius = radius::kControl});
        Cursor go = in_.cursor;
        go.lane = t.lane;
        for (const Rect& cell : {source, target})
            canvas_.hit(cell, {.hover = transferSentence(in_, operand_, t), .go = go});
        if (t.lane != in_.cursor.lane) return;
        cursorBox(canvas_, source.inset(3), radius::kControl);
        cursorBox(canvas_, target.inset(3), radius::kControl);
    }

    // Its lane in the corner, its value below.
    void drawHeld(const Transfer& t, const Rect& cell, Role fill) {
        const Rect box = cell.inset(2);
        const Role ink = fill.kind == RoleKind::Raised ? role(RoleKind::TextSecond) : inkOn(fill);
        canvas_.rect(box, {.fill = fill, .radius = radius::kControl});
        canvas_.text({box.x + 10, box.y + 9}, std::to_string(t.lane.value),
                     {.size = type::kAxis, .bold = true, .mono = true, .align = Align::Centre, .role = ink});
        if (size_ > 0)
            canvas_.text({box.centre().x, box.bottom() - 5 - size_ / 2}, textOf(t),
                         {.size = size_, .bold = true, .mono = true, .align = Align::Centre, .role = ink});
    }

    // The tile in its matrix, and this row of it, small.
    void drawPicture(const Rect& area) {
        constexpr f32 kLeast = 30, kLargest = 120;
        const f32 tall = std::min({area.height, area.width / 2, kLargest});
        if (tall < kLeast) return;
        const Matrix& m = operand_.matrix;
        const f32 cell = tall / f32(std::max(m.rows, m.columns));
        const Point at{area.x + canvas_.width(m.name, {.size = type::kTitle, .bold = true}) + 12, area.y};
        canvas_.text({area.x, area.y + 10}, m.name, {.size = type::kTitle, .bold = true});
        canvas_.rect({at.x, at.y, f32(m.columns) * cell, f32(m.rows) * cell},
                     {.fill = role(RoleKind::Raised)});
        CellIndex low{1 << 30, 1 << 30}, high{-1, -1};
        for (const Transfer& t : operand_.transfers) {
            if (t.round != facts_.round || !t.asked) continue;
            low = {std::min(low.row, t.asked->row), std::min(low.column, t.asked->column)};
            high = {std::max(high.row, t.asked->row), std::max(high.column, t.asked->column)};
        }
        const auto frame = [&](CellIndex from, CellIndex to, const RectStyle& style) {
            canvas_.rect(
                {at.x + f32(from.column) * cell, at.y + f32(from.row) * cell,
                 f32(to.column - from.column + 1) * cell, std::max(2.0f, f32(to.row - from.row + 1) * cell)},
                style);
        };
        const Role warp = warpRole(in_.cursor.warp);
        frame(*all_.front()->asked, *all_.back()->asked, {.fill = warp});
        frame(low, high, {.stroke = {warp, line::kTile}});
    }

    Canvas& canvas_;
    const ViewInput& in_;
    const MatmulFacts& facts_;
    const CursorContext& here_;
    const Operand& operand_;
    u64 columns_, row_ = 0;
    std::vector<const Transfer*> all_;  // of the row, those shown
    f32 wide_ = 0, size_ = 0;
    bool brief_ = false;
};

}  // namespace

bool drawLoadRow(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                 const Rect& body) {
    return facts.tiled() && LoadRow(canvas, in, facts, here).draw(body);
}

}  // namespace lockstep::viz
