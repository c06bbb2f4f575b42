// A large run's scenes are built in the background: no frame waits for one, and in the end all views show the
// run.
#include "app/shell/window_tests/window_driver.h"

namespace lockstep::shell {
namespace {

app::Choice choiceOf(const catalog::Catalog& catalog, const char* width) {
    const auto found = catalog.lookUp("matmul/tiled");
    const std::vector<std::pair<std::string, std::string>> settings{{"width", width}, {"tile", "16"}};
    app::Choice choice{.family = "matmul", .variant = "tiled", .values = {}};
    if (const Expected<catalog::Values> values = catalog::resolve(*found->first, *found->second, settings))
        choice.values = *values;
    return choice;
}

void awaitPictures(Hand& hand) {
    hand.await([&] { return !hand.window().isBuilding() && !hand.state().job.running; }, "all is drawn");
}

TEST(BackgroundSceneWindowTest, NoFrameWaitsForTheScenesOfALargeRun) {
    withWindow([](Request& request) { request.choice = choiceOf(*request.catalog, "512"); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   awaitPictures(hand);
                   EXPECT_GT(hand.window().builtInBackground(), 0u);
                   EXPECT_EQ(hand.window().largeInFrames(), 0u);
                   EXPECT_TRUE(hand.window().stillShows(hand.state().run.get()));
                   EXPECT_FALSE(hand.scene("stage").hits.empty());
                   const auto before = hand.state().run;
                   const u64 built = hand.window().builtInBackground();
                   // Steps within a block need no new facts.
                   for (int step = 0; step < 8; ++step)
                       hand.press(ImGuiKey_RightArrow);
                   EXPECT_EQ(hand.window().builtInBackground(), built);
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_R);
                   hand.await([&] { return hand.state().run != before; }, "it runs again");
                   hand.awaitRun();
                   awaitPictures(hand);
                   EXPECT_GT(hand.window().builtInBackground(), built);
                   EXPECT_EQ(hand.window().largeInFrames(), 0u);
                   EXPECT_FALSE(hand.window().stillShows(before.get()));
               });
}

TEST(BackgroundSceneWindowTest, ScenesOfASmallRunAreThereInTheNextFrame) {
    withWindow([](Request& request) { request.choice = choiceOf(*request.catalog, "32"); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   EXPECT_EQ(hand.window().builtInBackground(), 0u);
                   EXPECT_TRUE(hand.window().stillShows(hand.state().run.get()));
               });
}

}  // namespace
}  // namespace lockstep::shell
