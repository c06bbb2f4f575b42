// What the stage says of a scan: its rounds, and what threads keep in them.
#include "viz/cursor/presentation.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

TEST(ScanStageTest, SaysWhatTheCursorsLaneAddsAndShowsTheValuesThatAreKept) {
    Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const run::Run run = scan();
    Cursor cursor{.launch = {},
                  .block = {0, 0, 0},
                  .warp = {},
                  .lane = Lane{3},
                  .step = 11};  // the store of the second round
    const Scene scene = findView("stage")->build({.run = run,
                                                  .cursor = cursor,
                                                  .profile = model::defaultProfile(),
                                                  .size = {1000, 520},
                                                  .metrics = *fonts});
    EXPECT_NE(scene.sentence.find("Lane 3: rows[3] = rows[19] + rows[17]: 6.0 = 5.0 + 1.0."),
              std::string::npos)
        << scene.sentence;
    const auto shows = [&](std::string_view text) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* t = std::get_if<TextMark>(&mark);
            return t && t->text.find(text) != std::string::npos;
        });
    };
    EXPECT_TRUE(shows("round 2 of 4 · stride 2"));
    EXPECT_TRUE(shows("unchanged"));
    EXPECT_TRUE(shows("14 add, 2 copy"));
    // A lane that only copies is not idle.
    cursor.lane = Lane{0};
    const Scene copies = findView("stage")->build({.run = run,
                                                   .cursor = cursor,
                                                   .profile = model::defaultProfile(),
                                                   .size = {1000, 520},
                                                   .metrics = *fonts});
    EXPECT_NE(copies.sentence.find("Lane 0: rows[0] = rows[16]: 0.0."), std::string::npos) << copies.sentence;
    cursor.lane = Lane{3};
    // Where not all rounds have room, how many have.
    const Scene low = findView("stage")->build({.run = run,
                                                .cursor = cursor,
                                                .profile = model::defaultProfile(),
                                                .size = {1000, 140},
                                                .metrics = *fonts});
    EXPECT_TRUE(std::ranges::any_of(low.marks, [](const Mark& mark) {
        const auto* t = std::get_if<TextMark>(&mark);
        return t && t->text.find("of 4 rounds shown") != std::string::npos;
    }));
    // In a hall, too, values are there, which letters smaller than the least would not be.
    const Scene inHall = presented(*findView("stage"), {.run = run,
                                                        .cursor = cursor,
                                                        .profile = model::defaultProfile(),
                                                        .size = hallLayout({1440, 900}).viewSize(),
                                                        .metrics = *fonts});
    EXPECT_TRUE(std::ranges::any_of(inHall.marks, [](const Mark& mark) {
        const auto* t = std::get_if<TextMark>(&mark);
        return t && t->text == "6.0";
    }));
}

}  // namespace
}  // namespace lockstep::viz
