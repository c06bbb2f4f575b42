// A magnifier: the values around one element of an array whose cells are too small for numbers.
#pragma once

#include "viz/cursor/cursor.h"
#include "viz/scene/canvas.h"

#include <functional>
#include <optional>
#include <string>

namespace lockstep::viz {

struct LoupeCell {
    std::string value{};  // empty: nothing is known to stand there
    Role fill = role(RoleKind::Raised);
    std::string hover{};
    std::optional<Cursor> go{};
    std::optional<ValueCell> standsFor{};  // whose rectangle is filled in
};

struct Loupe {
    static constexpr f32 kRow = 22, kTitle = 18, kIndices = 16;
    static constexpr u32 kMostRows = 5, kMostColumns = 9, kLeast = 3;

    std::string title;                  // "in[12][5]"
    std::string note{}, noteInBrief{};  // of which moment, beside the title where there is room
    u64 rows = 0, columns = 0;          // of the array
    u64 row = 0, column = 0;            // the element in the middle
    std::function<LoupeCell(u64 row, u64 column)> cellOf;

    // The width that so many columns take.
    f32 widthOf(const Canvas& canvas, u32 shown) const;
    // As many cells as have room, around the element; how much of the area they took. None: fewer than three
    // rows or columns of an array that has more have room.
    std::optional<Size> draw(Canvas& canvas, const Rect& area) const;

private:
    f32 cellWidth(const Canvas& canvas) const;
    f32 gutter(const Canvas& canvas) const;
};

}  // namespace lockstep::viz
