// Texts that stand somewhere on a page, in the order in which they are read: panels beside each other one
// after another, tables as tables.
#pragma once

#include "base/integers.h"
#include "viz/scene/scene.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

// On one baseline, y.
struct PlacedText {
    std::string text;
    f32 left = 0, right = 0, y = 0;
    bool isMono = false;
};

// A paragraph has one row of one cell or more; a table several rows of as many cells, some of them empty;
// code several rows of one cell, indented as it is drawn.
struct ReadingBlock {
    std::vector<std::vector<std::string>> rows;
    bool isCode = false;
    bool isTable() const { return rows.size() > 1 && !isCode; }
};

struct ReadingOrder {
    std::vector<ReadingBlock> blocks;
    std::vector<Rect> areas;  // of panels and what stands between them, together the whole page
};

// A line from top to bottom between two panels.
struct Divider {
    f32 x = 0, top = 0, bottom = 0;
};

ReadingOrder readingOrder(std::vector<PlacedText> texts, Size size, std::span<const Divider> dividers = {});

}  // namespace lockstep::viz
