// An array of the transpose stage: the part of it that is drawn, and where.
#pragma once

#include "explain/arrays/matrix.h"
#include "viz/parts/cut_array.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace lockstep::viz {

struct TransposeSheet {
    std::string name;
    u64 rows = 0, columns = 0;  // of the whole array
    u64 firstRow = 0, firstColumn = 0, shownRows = 0, shownColumns = 0;
    Point at{};
    f32 cell = 1;

    bool shows(explain::CellIndex c) const {
        return u64(c.row) >= firstRow && u64(c.row) < firstRow + shownRows && u64(c.column) >= firstColumn &&
               u64(c.column) < firstColumn + shownColumns;
    }
    Rect rectOf(explain::CellIndex c) const {
        return {at.x + f32(u64(c.column) - firstColumn) * cell, at.y + f32(u64(c.row) - firstRow) * cell,
                cell, cell};
    }
    f32 width() const { return f32(shownColumns) * cell; }
    f32 height() const { return f32(shownRows) * cell; }
    bool whole() const { return shownRows == rows && shownColumns == columns; }
    bool folded = false;  // one row of words, drawn as rows of 32: a bank is a column

    CutArray cut() const {
        return {.rows = {firstRow, shownRows},
                .columns = {firstColumn, shownColumns},
                .allRows = rows,
                .allColumns = columns};
    }
    // So many pixels on, in whole cells and no further than its ends.
    void scroll(Point pan) {
        const auto moved = [&](u64 first, f32 by, u64 shown, u64 all) {
            const s64 lines = std::lround(std::clamp(by / cell, -1e6f, 1e6f));
            return u64(std::clamp<s64>(s64(first) - lines, 0, s64(all - shown)));
        };
        firstRow = moved(firstRow, pan.y, shownRows, rows);
        firstColumn = moved(firstColumn, pan.x, shownColumns, columns);
    }

    // No more than so many rows and columns, those around `c`.
    void crop(u64 mostRows, u64 mostColumns, explain::CellIndex c) {
        const auto cut = [](u64& first, u64& shown, u64 most, u64 around) {
            if (shown <= most) return;
            const u64 end = first + shown;
            first = std::clamp(around > most / 2 ? around - most / 2 : 0, first, end - most);
            shown = most;
        };
        cut(firstRow, shownRows, std::max<u64>(1, mostRows), u64(std::max<s64>(0, c.row)));
        cut(firstColumn, shownColumns, std::max<u64>(1, mostColumns), u64(std::max<s64>(0, c.column)));
    }
};

// What some cells of an array span.
struct Span {
    explain::CellIndex low{1 << 30, 1 << 30}, high{-1, -1};
    u64 cells = 0;
    void add(explain::CellIndex c) {
        low = {std::min(low.row, c.row), std::min(low.column, c.column)};
        high = {std::max(high.row, c.row), std::max(high.column, c.column)};
        ++cells;
    }
    bool empty() const { return cells == 0; }
};

// "columns 0 to 31", "columns 0 and 4".
std::string linesText(Language language, const std::set<s64>& lines, bool areRows);

}  // namespace lockstep::viz
