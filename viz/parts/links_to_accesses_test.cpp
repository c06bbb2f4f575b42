// What a cell of a stage that the cursor's step does not touch answers to the mouse.
#include "viz/parts/links_to_accesses.h"

#include "base/device_addresses.h"
#include "viz/cursor/lookup.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr trace::Space kGlobal = trace::Space::Global, kShared = trace::Space::Shared;

// In every stage: whatever the block touches at any step leads there from wherever the cursor stands, and
// says who touches it.
TEST(LinksToAccessesTest, EveryCellThatTheBlockTouchesLeadsToAnAccess) {
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

TEST(LinksToAccessesTest, AreGatheredOnceForABlock) {
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

TEST(LinksToAccessesTest, SaysWhoTouchesAnElementAndHowOften) {
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
              "M[2][0] = 2.0. Nearest access in time: warp 0, lane 0 reads it at step 8.");
    EXPECT_EQ(linkTo(in, *accesses, kShared, 0, 0, "").text(),
              "Nearest access in time: warp 0, lane 0 writes it at step 9; 3 more accesses.");
    in.language = Language::Chinese;
    EXPECT_EQ(linkTo(in, *accesses, kShared, 0, 0, "").text(),
              "线程束 0 的通道 0 在第 9 步写入它；另有 3 次访问。");
}

}  // namespace
}  // namespace lockstep::viz
