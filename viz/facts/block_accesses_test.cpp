// Who touches an element, and what a cell of a stage that the cursor's step does not touch answers to the
// mouse.
#include "viz/facts/block_accesses.h"

#include "base/device_addresses.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr trace::Space kGlobal = trace::Space::Global, kShared = trace::Space::Shared;

// Blocks of 2 x 2 threads: one warp. 6 steps of set-up; a round has 6 of loading, a barrier, 2 of three steps
// each and a barrier.
TEST(BlockAccessesTest, FindsTheNearestOfTheAccessesThatTouchAnElement) {
    const run::Run run = tiledMatmul(3, 2, true);
    const Cursor cursor{.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = Lane{2}, .step = 7};
    const BlockAccesses accesses(run, cursor);
    const auto& warp = lookUp(run, cursor).block->warps[0];
    // M[2][0] is read once, by lane 0.
    const u64 m20 = deviceAddressOf(0) + 6 * 4;
    ASSERT_EQ(accesses.of(kGlobal, m20).size(), 1u);
    const auto found = accesses.nearest(kGlobal, m20, 99);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->touch.step, 7u);
    EXPECT_EQ(found->touch.lanes, LaneMask::of(Lane{0}));
    EXPECT_EQ(found->touch.kind, trace::AccessKind::Load);
    EXPECT_EQ(found->more, 0u);
    // Mds[0][0] is stored and read by two lanes in each of two rounds.
    const std::span<const BlockAccesses::Touch> mds = accesses.of(kShared, 0);
    ASSERT_EQ(mds.size(), 4u);
    EXPECT_EQ(mds[0].kind, trace::AccessKind::Store);
    EXPECT_EQ(mds[1].lanes.count(), 2u) << "lanes of one instruction are one access";
    EXPECT_EQ(accesses.nearest(kShared, 0, warp.steps[mds[1].step].order)->touch.step, mds[1].step)
        << "the access itself is nearest";
    EXPECT_EQ(accesses.nearest(kShared, 0, 0)->touch.step, mds[0].step);
    EXPECT_EQ(accesses.nearest(kShared, 0, 100'000)->touch.step, mds[3].step);
    EXPECT_EQ(accesses.nearest(kShared, 0, mds[2].order - 1)->touch.step, mds[2].step);
    EXPECT_FALSE(accesses.nearest(kGlobal, deviceAddressOf(0), 0)) << "another block's";
    EXPECT_FALSE(accesses.nearest(kGlobal, deviceAddressOf(0) - 4, 0));
    EXPECT_FALSE(accesses.nearest(kShared, 1 << 20, 0));
}

TEST(BlockAccessesTest, AWideAccessTouchesAllElementsThatItCovers) {
    RunBuilder b("wide.cu", "kernel");
    b.buffer("in", {256}, std::vector<f32>(256, 1));
    const Pc load = b.instruction("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]", 1);
    b.launch({1, 1, 1}, {32, 1, 1});
    b.block({0, 0, 0});
    b.access(
        0, load, LaneMask::all(), kGlobal, trace::AccessKind::Load,
        [](u32 lane) { return deviceAddressOf(0) + u64{lane} * 16; }, [](u32) { return 1.0f; }, 16);
    const run::Run run = b.finish();
    const BlockAccesses accesses(run, {});
    for (const u64 element : {0, 1, 3, 4, 127}) {
        const auto found = accesses.nearest(kGlobal, deviceAddressOf(0) + element * 4, 0);
        ASSERT_TRUE(found) << element;
        EXPECT_EQ(found->touch.lanes, LaneMask::of(Lane{u32(element / 4)}));
    }
    EXPECT_FALSE(accesses.nearest(kGlobal, deviceAddressOf(0) + 128 * 4, 0));
}

// In every stage: whatever the block touches at any step leads there from wherever the cursor stands, and
// says who touches it.
TEST(BlockAccessesTest, EveryCellThatTheBlockTouchesLeadsToAnAccess) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    struct Sample {
        const char* name;
        run::Run run;
        Cursor cursor;
        std::vector<std::string> cells;
    };
    const auto at = [](Dim3 block, u32 step) {
        return Cursor{.launch = {}, .block = block, .warp = {}, .lane = {}, .step = step};
    };
    run::Run plain = tiledMatmul(3, 2, true);
    plain.catalog.reset();  // drawn as buffers
    const Sample samples[] = {
        {"matmul",
         tiledMatmul(3, 2, true),
         at({1, 1, 0}, 0),
         {"M[2][0]", "M[2][2]", "N[0][2]", "N[2][2]", "Mds[0][0]", "Mds[1][1]", "Nds[1][0]"}},
        {"buffers",
         std::move(plain),
         at({1, 1, 0}, 0),
         {"M[2][0]", "M[2][2]", "N[0][2]", "N[2][2]", "P[2][2]", "Mds[0][0]", "Nds[1][0]"}},
        {"transpose",
         transpose(16, 8, 9),
         at({0, 1, 0}, 0),
         {"in[8][0]", "in[15][7]", "out[0][8]", "tile[0][0]", "tile[7][7]"}},
        {"reduction", treeSum(64), at({0, 0, 0}, 0), {"partial[0]", "partial[63]"}},
    };
    for (const Sample& sample : samples)
        for (const Language language : {Language::English, Language::Chinese}) {
            const Scene scene = findView("stage")->build({.run = sample.run,
                                                          .cursor = sample.cursor,
                                                          .profile = model::defaultProfile(),
                                                          .size = {900, 640},
                                                          .language = language,
                                                          .metrics = *fonts});
            for (const std::string& cell : sample.cells) {
                const bool leads = std::ranges::any_of(scene.hits, [&](const HitArea& area) {
                    const std::string text = area.hit.text();
                    return text.starts_with(cell) && area.hit.go && !(*area.hit.go == sample.cursor) &&
                           lookUp(sample.run, *area.hit.go).access &&
                           text.find(language == Language::English ? "at step" : "步") != std::string::npos;
                });
                EXPECT_TRUE(leads) << sample.name << ": " << cell;
            }
        }
}

TEST(BlockAccessesTest, AreGatheredOnceForABlock) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(3, 2, true);
    ViewCache kept;
    ViewInput in{.run = run,
                 .cursor = {.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = {}, .step = 0},
                 .profile = model::defaultProfile(),
                 .size = {900, 640},
                 .metrics = *fonts,
                 .cache = &kept};
    (void)findView("stage")->build(in);
    const auto first = accessesOfBlock(in);
    in.cursor.step = 8;
    (void)findView("stage")->build(in);
    EXPECT_EQ(accessesOfBlock(in), first);
}

TEST(BlockAccessesTest, SaysWhoTouchesAnElementAndHowOften) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts);
    const run::Run run = tiledMatmul(3, 2, true);
    ViewInput in{.run = run,
                 .cursor = {.launch = {}, .block = {1, 1, 0}, .warp = {}, .lane = {}, .step = 0},
                 .profile = model::defaultProfile(),
                 .size = {900, 640},
                 .metrics = *fonts};
    const auto accesses = accessesOfBlock(in);
    EXPECT_EQ(linkTo(in, *accesses, kGlobal, deviceAddressOf(0) + 24, 0, "M[2][0] = 2.0").text(),
              "M[2][0] = 2.0. Warp 0, lane 0 reads it at step 8.");
    EXPECT_EQ(linkTo(in, *accesses, kShared, 0, 0, "").text(),
              "Warp 0, lane 0 writes it at step 9; 3 more accesses.");
    in.language = Language::Chinese;
    EXPECT_EQ(linkTo(in, *accesses, kShared, 0, 0, "").text(),
              "线程束 0 的通道 0 在第 9 步写入它；另有 3 次访问。");
}

}  // namespace
}  // namespace lockstep::viz
