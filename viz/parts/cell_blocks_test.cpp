// How cells are put together to rectangles.
#include "viz/parts/cell_blocks.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

using explain::CellIndex;

TEST(CellBlocksTest, APatchIsOneAndAStridedOneIsItsPieces) {
    std::vector<CellIndex> patch, pieces;
    for (s64 row : {2, 3, 4})
        for (s64 column : {5, 6})
            patch.push_back({row, column}), pieces.push_back({row, 4 * column}),
                pieces.push_back({row, 4 * column + 1});
    EXPECT_EQ(blocksOf(patch), (std::vector<CellBlock>{{2, 5, 3, 2}}));
    EXPECT_EQ(blocksOf(pieces), (std::vector<CellBlock>{{2, 20, 3, 2}, {2, 24, 3, 2}}));
    EXPECT_TRUE(blocksOf({}).empty());
}

}  // namespace
}  // namespace lockstep::viz
