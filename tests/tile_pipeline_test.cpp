// Which tile a warp loads while it multiplies another (explain/matrices/tile_pipeline.h): kernels that
// prefetch with cp.async or into registers, and those that do not.
#include "explain/matrices/tile_pipeline.h"

#include "support/kernels_of_others.h"
#include "support/run_shipped.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

std::optional<explain::TilePipeline> pipelineOf(const run::Run& run) {
    const trace::FocusBlock& of = run.recording.trace.blocks.front();
    const Cursor cursor{.launch = of.launch, .block = of.block, .warp = {}, .lane = {}, .step = 0};
    return explain::tilePipeline(run, cursor, explain::LazyFlow(run, cursor));
}
std::optional<explain::TilePipeline> pipelineOf(const std::string& name) {
    const Expected<run::Run> run = runShipped(name, {});
    EXPECT_TRUE(run) << describe(run.error());
    return run ? pipelineOf(*run) : std::nullopt;
}

TEST(TilePipelineTest, APrefetchedTileIsLoadedWhileTheOneBeforeIsMultiplied) {
    for (const char* name : {"matmul/double-buffered", "matmul/warp-tiled"}) {
        SCOPED_TRACE(name);
        const auto pipeline = pipelineOf(name);
        ASSERT_TRUE(pipeline);
        ASSERT_EQ(pipeline->tiles.size(), 8u) << "64 wide, 8 deep";
        EXPECT_TRUE(pipeline->overlaps());
        for (u32 t = 0; t < 8; ++t) {
            const auto& tile = pipeline->tiles[t];
            EXPECT_FALSE(tile.load.empty());
            EXPECT_FALSE(tile.multiply.empty());
            EXPECT_LE(tile.load.end, tile.multiply.begin) << "it is there before it is used";
            if (t == 7) continue;
            EXPECT_LT(pipeline->tiles[t + 1].load.begin, tile.multiply.end);
            EXPECT_GT(pipeline->tiles[t + 1].load.end, tile.multiply.begin);
        }
    }
}

TEST(TilePipelineTest, WithoutPrefetchingNothingOverlaps) {
    for (const char* name : {"matmul/tiled", "matmul/tiled-bounds", "matmul/register-2d", "matmul/padded"}) {
        SCOPED_TRACE(name);
        const auto pipeline = pipelineOf(name);
        ASSERT_TRUE(pipeline);
        EXPECT_FALSE(pipeline->overlaps());
        for (std::size_t t = 0; t + 1 < pipeline->tiles.size(); ++t)
            EXPECT_LE(pipeline->tiles[t].multiply.end, pipeline->tiles[t + 1].load.begin);
    }
    EXPECT_FALSE(pipelineOf("matmul/naive")) << "there are no tiles";
    EXPECT_FALSE(pipelineOf("transpose/shared")) << "nothing is multiplied";
}

TEST(TilePipelineTest, AKernelOfOtherHandsPrefetchesToo) {
    const Expected<run::Run> ahead = runOfOthers("mm_reg_double_buffer.cu");
    ASSERT_TRUE(ahead) << describe(ahead.error());
    const auto pipeline = pipelineOf(*ahead);
    ASSERT_TRUE(pipeline);
    EXPECT_TRUE(pipeline->overlaps());
    // Two buffers alone do not help: what is loaded is stored at once, so each warp waits for it before it
    // multiplies.
    const Expected<run::Run> waits = runOfOthers("mm_double_buffer.cu");
    ASSERT_TRUE(waits) << describe(waits.error());
    const auto without = pipelineOf(*waits);
    ASSERT_TRUE(without);
    EXPECT_FALSE(without->overlaps());
}

TEST(TilePipelineTest, SaysWhatGoesOnAtAStep) {
    const auto pipeline = pipelineOf("matmul/double-buffered");
    ASSERT_TRUE(pipeline);
    const u32 step = pipeline->tiles[1].multiply.begin;
    EXPECT_EQ(pipeline->multipliedAt(step), 1u);
    EXPECT_EQ(pipeline->loadedAt(pipeline->tiles[2].load.begin), 2u);
    EXPECT_FALSE(pipeline->multipliedAt(0));
}

}  // namespace
}  // namespace lockstep
