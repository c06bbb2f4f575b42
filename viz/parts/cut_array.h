// An array of which a part has room: how much of it is shown is said in words, and where that lies at its
// edges.
#pragma once

#include "viz/phrases.h"
#include "viz/scene/canvas.h"

#include <string>
#include <vector>

namespace lockstep::viz {

struct CutArray {
    Lines rows, columns;  // that are shown
    u64 allRows = 0, allColumns = 0;

    bool isCut() const { return rows.count < allRows || columns.count < allColumns; }
    // From the longest to the shortest way to say it: "14 of 66 rows: [20–33][0–31]", "14 of 66 rows",
    // "14/66 rows", "[20–33][0–31] of 66 × 32". None: it is shown whole. indices: "[20–33][0–31]".
    std::vector<std::string> names(Language language, const std::string& indices,
                                   const std::string& size) const;
    std::string indices() const;
    // How far the pane that shows it goes on, in cells of that size.
    Beyond beyond(f32 cell) const;
    // Beside and below its cells: which part of it they are.
    void drawThumbs(Canvas& canvas, const Rect& cells) const;
};

// "3", "3–7".
std::string spanText(u64 first, u64 count);
// Under the mouse: how to come to the rest. part: CutArray::names' first.
std::string scrollText(Language language, const std::string& size, const std::string& part,
                       const std::string& array);
// The same of an array without rows and columns of its own: "448 of 1,024 elements: [0–447]".
std::vector<std::string> namesOfPart(Language language, Lines elements, u64 all, const std::string& size);

// Of one that is folded into rows of which the ends have no room: "320 of 512 elements".
std::vector<std::string> namesOfSome(Language language, u64 shown, u64 all);

}  // namespace lockstep::viz
