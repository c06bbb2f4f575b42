// Threads of a matrix product that compute several elements each: which ones, what they add up, and where
// their tiles stand. The sums that are followed have to come to what the kernel stores.
#include "explain/matrices/patch_facts.h"
#include "support/kernels_of_others.h"
#include "support/run_shipped.h"

#include <gtest/gtest.h>

#include <cmath>

namespace lockstep {
namespace {

using namespace explain;

struct Case {
    std::string_view file;
    u32 rows, columns;          // of a thread's patch
    u32 partRows, partColumns;  // of the block's
    u32 products;               // of each sum
    u32 depth, copies;          // of M's tile; 0: it has none
    bool isTransposed;
};
constexpr Case kCases[] = {
    {"mm_reg_row4_direct.cu", 1, 4, 8, 16, 32, 0, 1, false},
    {"mm_reg_col4_apart.cu", 4, 1, 16, 16, 48, 16, 1, false},  // with those of zeros
    {"mm_reg_4x4_vectors.cu", 4, 4, 32, 32, 64, 8, 1, true},
    {"mm_reg_double_buffer.cu", 2, 2, 16, 16, 16, 4, 2, false},
    {"mm_reg_one_dynamic_array.cu", 2, 2, 16, 16, 32, 16, 1, false},
    {"mm_reg_ragged.cu", 4, 4, 16, 16, 12, 4, 1, false},
    {"mm_reg_warp_pieces.cu", 4, 4, 32, 64, 64, 4, 1, true},
    {"mm_reg_left_tile_only.cu", 8, 1, 8, 32, 64, 32, 1, false},
    {"mm_reg_3x2_grid_1d.cu", 3, 2, 12, 16, 20, 0, 1, false},
    {"matmul_coarse_tiles.cu", 1, 4, 8, 32, 32, 8, 1, false},
    {"matmul_async_copies.cu", 2, 1, 16, 16, 32, 32, 1,
     false},  // both are under way before the first barrier
    {"matmul_swizzled.cu", 4, 1, 32, 32, 64, 32, 1, false},
    {"hgemm_float_tiles.cu", 4, 4, 32, 32, 64, 8, 1, false},
    {"mm_register_far_2x2.cu", 2, 2, 32, 32, 0, 16, 1, false},
};

Cursor firstBlock() { return {.launch = {}, .block = {0, 0, 0}, .warp = {}, .lane = {}, .step = 0}; }

std::shared_ptr<const PatchBlock> patchesOf(const run::Run& run) {
    const Cursor cursor = firstBlock();
    const auto lazy = std::make_shared<const LazyFlow>(run, cursor);
    const BlockFlow* flow = lazy->get();
    if (!flow) return nullptr;
    const ProvedShape proved = shapeOf(*run.module, run.recording.initial, *lookUp(run, cursor).block, *flow);
    return proved.shape == Shape::Matmul ? patchBlock(run, cursor, matmulRoles(run, proved), lazy) : nullptr;
}

TEST(PatchesTest, OfKernelsOfOtherHandsAreWhatTheyStore) {
    for (const Case& c : kCases) {
        SCOPED_TRACE(c.file);
        const Expected<run::Run> run = runOfOthers(c.file);
        ASSERT_TRUE(run) << describe(run.error());
        const std::shared_ptr<const PatchBlock> block = patchesOf(*run);
        ASSERT_TRUE(block);
        EXPECT_EQ(block->rows, c.partRows);
        EXPECT_EQ(block->columns, c.partColumns);
        EXPECT_EQ(block->m.tile.has_value(), c.depth > 0);
        if (c.depth > 0) {
            EXPECT_EQ(block->m.spots.depth, c.depth);
            EXPECT_EQ(block->m.spots.copies, c.copies);
            EXPECT_EQ(block->m.spots.isTransposed, c.isTransposed);
        }
        for (u32 w = 0; w < block->block->warps.size(); ++w)
            for (u32 lane = 0; lane < lanesOf(*block->block, Warp{w}); lane += 5) {
                const ThreadSums& sums = block->sumsOf(Warp{w}, Lane{lane});
                ASSERT_EQ(sums.sums.size(), c.rows * c.columns);
                std::vector<CellIndex> cells;
                for (const ThreadSums::Sum& sum : sums.sums)
                    cells.push_back(sum.cell);
                const PatchExtents extents = extentsOf(cells);
                EXPECT_TRUE(extents.isWhole);
                EXPECT_EQ(extents.rows.size(), c.rows);
                EXPECT_EQ(extents.columns.size(), c.columns);
                const auto now = sums.after(u32(block->block->warps[w].steps.size()));
                for (std::size_t i = 0; i < now.size(); ++i) {
                    if (c.products > 0) {
                        EXPECT_EQ(now[i].products, c.products);
                    }
                    ASSERT_TRUE(now[i].sum && now[i].stored);
                    EXPECT_EQ(*now[i].sum, *now[i].stored) << "sum " << i << " of lane " << lane;
                }
            }
    }
}

// The pipeline stores zeros behind its last tile, which are never multiplied.
TEST(PatchesTest, TilesAreThoseThatAnythingWasLoadedFor) {
    const Expected<run::Run> run = runShipped("matmul/warp-tiled", {{"width", "64"}});
    ASSERT_TRUE(run) << describe(run.error());
    const std::shared_ptr<const PatchBlock> block = patchesOf(*run);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->m.rounds.size(), 9u);
    EXPECT_EQ(block->m.tiles(), 8u);
    EXPECT_EQ(block->n.tiles(), 8u);
}

TEST(PatchesTest, OfTheCatalogHaveTheirTilesAndTheCursorsProduct) {
    const Expected<run::Run> run = runShipped("matmul/vector-loads", {{"width", "64"}});
    ASSERT_TRUE(run) << describe(run.error());
    const std::shared_ptr<const PatchBlock> block = patchesOf(*run);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->m.rounds.size(), 8u);
    EXPECT_EQ(block->m.spots.lines, 128u) << "rows that the matrix has not are of the tile, too";
    EXPECT_EQ(block->m.spots.depth, 8u);
    EXPECT_TRUE(block->m.spots.isTransposed);
    EXPECT_FALSE(block->n.spots.isTransposed);
    const ThreadSums& sums = block->sumsOf(Warp{0}, Lane{2});
    ASSERT_EQ(sums.sums.size(), 64u);
    const ThreadSums::Product& product = sums.products[64 * 11 + 5];
    Cursor cursor = firstBlock();
    cursor.lane = Lane{2}, cursor.step = product.step;
    const auto facts = patchFacts(*run, cursor, block);
    ASSERT_TRUE(facts && facts->product);
    EXPECT_EQ(facts->activity, Activity::Multiply);
    EXPECT_EQ(facts->round(), 1u) << "k = 11 is in the second tile";
    const CellIndex cell = sums.sums[product.sum].cell;
    EXPECT_EQ(*block->sourceOf(block->m, Warp{0}, product.m), (CellIndex{cell.row, 11}));
    EXPECT_EQ(*block->sourceOf(block->n, Warp{0}, product.n), (CellIndex{11, cell.column}));
    EXPECT_EQ(facts->now[product.sum].products, 12u);
}

}  // namespace
}  // namespace lockstep
