// How sheets share a part of the picture: how large their cells get, how vectors are folded, and which part
// of a matrix is shown.
#pragma once

#include "explain/arrays/sheet.h"
#include "viz/scene/scene.h"

namespace lockstep::viz {

using explain::Sheet;

class SheetLayout {
public:
    static constexpr f32 kGap = 28, kApart = 12, kLargestCell = 34,
                         kNumbered =
                             16;  // between sheets, across and down; of cells, and of those with digits

    // gutter, title: pixels left of a sheet and above it, which its cells don't get. The parts must outlive
    // this.
    SheetLayout(const explain::BlockParts& parts, f32 gutter, f32 title)
        : parts_(parts), gutter_(gutter), title_(title) {}

    // Pixels of a cell where the sheets stand side by side, each as wide as its share of the columns, or one
    // above the other.
    struct Fit {
        f32 beside = kLargestCell, above = kLargestCell;
        f32 best() const { return std::max(beside, above); }
    };
    Fit fitOf(const std::vector<Sheet>& sheets, const Rect& area) const;
    // Share of the width, in no unit.
    static f32 weightOf(const Sheet& sheet);
    static f32 weightOf(const std::vector<Sheet>& sheets);

    // As they are to be drawn: where the cells of the whole would be too small for digits, the block's part
    // of a matrix and a little more.
    std::vector<Sheet> fitted(const std::vector<const Sheet*>& wanted, const Rect& area) const;
    // Whether the cells are clearly larger with all sheets in one row than with the least of these rows.
    bool isClearer(const std::vector<const Sheet*>& all, const Rect& whole,
                   const std::vector<std::pair<std::vector<const Sheet*>, Rect>>& rows) const;
    // Of matrices of which a part is shown, the rows around it that have room, as many above as below where
    // there are so many.
    static void showMoreRows(std::vector<Sheet>& sheets, u64 most);

private:
    std::vector<Sheet> folded(const std::vector<const Sheet*>& sheets, const Rect& area) const;
    explain::CellRange partAround(const Sheet& sheet) const;

    const explain::BlockParts& parts_;
    f32 gutter_, title_;
};

}  // namespace lockstep::viz
