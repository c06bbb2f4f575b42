#include "viz/parts/cell_blocks.h"

#include <algorithm>
#include <set>

namespace lockstep::viz {

std::vector<CellBlock> blocksOf(std::span<const explain::CellIndex> cells) {
    std::set<std::pair<s64, s64>> sorted;
    for (const explain::CellIndex& cell : cells)
        sorted.insert({cell.row, cell.column});
    std::vector<CellBlock> runs, blocks;
    for (const auto& [row, column] : sorted)
        if (!runs.empty() && runs.back().row == row && runs.back().column + runs.back().columns == column)
            ++runs.back().columns;
        else
            runs.push_back({row, column});
    for (const CellBlock& run : runs) {
        const auto above = std::ranges::find_if(blocks, [&](const CellBlock& block) {
            return block.row + block.rows == run.row && block.column == run.column &&
                   block.columns == run.columns;
        });
        if (above == blocks.end())
            blocks.push_back(run);
        else
            ++above->rows;
    }
    return blocks;
}

}  // namespace lockstep::viz
