// Two pictures of two runs: which of their cells do not hold the same at the two cursors.
#pragma once

#include "viz/view.h"

#include <vector>

namespace lockstep::viz {

// Cells of the first and of the second picture: of those for which the other run has an element of that array
// with that index, the ones that hold another value there, as the runs recorded it, or that hold one while
// the other holds none.
struct DifferingCells {
    std::vector<Rect> first, second;
};
DifferingCells differingCells(const Scene& first, const ViewInput& a, const Scene& second,
                              const ViewInput& b);

// The edges of rectangles without those that two of them share: around cells that touch each other as one.
std::vector<LineMark> outlinesOf(const std::vector<Rect>& cells, const Stroke& stroke);

}  // namespace lockstep::viz
