#include "viz/parts/loupe.h"

#include "viz/marks/cell.h"
#include "viz/marks/cursor_box.h"
#include "viz/parts/first_around.h"

#include <algorithm>
#include <cmath>

namespace lockstep::viz {
namespace {

const TextStyle kValue{.size = type::kCode, .mono = true, .align = Align::Centre};
const TextStyle kIndex{
    .size = type::kAxis, .mono = true, .align = Align::Centre, .role = role(RoleKind::TextSecond)};

struct Window {
    u64 first = 0, count = 0;
};
Window around(u64 at, u64 all, u64 most) {
    const u64 count = std::min(all, most);
    return {firstAround(at, count, all), count};
}

}  // namespace

// One width for all: that of the widest number that may come into view.
f32 Loupe::cellWidth(const Canvas& canvas) const {
    const Window r = around(row, rows, kMostRows), c = around(column, columns, kMostColumns);
    f32 wide = canvas.width("000", kValue);
    for (u64 i = r.first; i < r.first + r.count; ++i)
        for (u64 j = c.first; j < c.first + c.count; ++j)
            wide = std::max(wide, canvas.width(cellOf(i, j).value, kValue));
    return std::ceil(wide) + 10;
}

f32 Loupe::gutter(const Canvas& canvas) const {
    return rows > 1 ? canvas.width(std::to_string(rows), kIndex) + 8 : 0;
}

f32 Loupe::widthOf(const Canvas& canvas, u32 shown) const {
    return gutter(canvas) + cellWidth(canvas) * f32(std::min<u64>(shown, columns));
}

std::optional<Size> Loupe::draw(Canvas& canvas, const Rect& area) const {
    if (rows == 0 || columns == 0 || row >= rows || column >= columns) return std::nullopt;
    const f32 wide = cellWidth(canvas), left = gutter(canvas);
    const auto most = [](f32 room, f32 each, u32 limit) {
        return std::min<u64>(limit, u64(std::max(0.0f, room) / each));
    };
    const Window r = around(row, rows, most(area.height - kTitle - kIndices, kRow, kMostRows)),
                 c = around(column, columns, most(area.width - left, wide, kMostColumns));
    if (r.count < std::min<u64>(kLeast, rows) || c.count < std::min<u64>(kLeast, columns))
        return std::nullopt;
    const Size took{left + wide * f32(c.count), kTitle + kIndices + kRow * f32(r.count)};
    canvas.rect({area.x - 6, area.y - 4, took.width + 12, took.height + 10},
                {.fill = role(RoleKind::Ground), .stroke = {role(RoleKind::Line)}, .radius = radius::kPanel});
    const f32 titleWide = canvas.textWithin({area.x, area.y + kTitle / 2}, took.width, title,
                                            {.size = type::kCode, .bold = true, .mono = true});
    const TextStyle noteStyle{.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextSecond)};
    for (const std::string& moment : {note, noteInBrief})
        if (!moment.empty() && titleWide + 12 + canvas.width(moment, noteStyle) <= took.width) {
            canvas.text({area.x + took.width, area.y + kTitle / 2}, moment, noteStyle);
            break;
        }
    const Point origin{area.x + left, area.y + kTitle + kIndices};
    for (u64 j = 0; j < c.count; ++j)
        canvas.text({origin.x + (f32(j) + 0.5f) * wide, origin.y - kIndices / 2}, std::to_string(c.first + j),
                    kIndex);
    TextStyle number = kIndex;
    number.align = Align::Right;
    for (u64 i = 0; i < r.count; ++i) {
        const f32 y = origin.y + f32(i) * kRow;
        if (rows > 1) canvas.text({origin.x - 5, y + kRow / 2}, std::to_string(r.first + i), number);
        for (u64 j = 0; j < c.count; ++j) {
            LoupeCell content = cellOf(r.first + i, c.first + j);
            const Rect cell{origin.x + f32(j) * wide, y, wide, kRow};
            canvas.rect(cell.inset(1), {.fill = content.fill, .radius = radius::kCell});
            TextStyle style = kValue;
            style.role = content.fill.kind == RoleKind::Raised || content.fill.kind == RoleKind::Ground ||
                                 content.fill.kind == RoleKind::Inactive
                             ? role(RoleKind::Text)
                             : inkOn(content.fill);
            if (!content.value.empty()) canvas.text(cell.centre(), content.value, style);
            if (content.standsFor) {
                content.standsFor->rect = cell;
                canvas.cell(*content.standsFor);
            }
            if (!content.hover.empty())
                canvas.hit(cell, {.hover = std::move(content.hover), .go = content.go});
        }
    }
    cursorBox(
        canvas,
        Rect{origin.x + f32(column - c.first) * wide, origin.y + f32(row - r.first) * kRow, wide, kRow}.inset(
            0.5f),
        radius::kCell);
    return took;
}

}  // namespace lockstep::viz
