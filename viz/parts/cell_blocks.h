// Cells of a matrix as the fewest rectangles that are easily found: runs of a row, and equal runs below one
// another.
#pragma once

#include "explain/arrays/matrix.h"

#include <span>
#include <vector>

namespace lockstep::viz {

struct CellBlock {
    s64 row = 0, column = 0;
    u32 rows = 1, columns = 1;
    bool operator==(const CellBlock&) const = default;
};
std::vector<CellBlock> blocksOf(std::span<const explain::CellIndex> cells);

}  // namespace lockstep::viz
