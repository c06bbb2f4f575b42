// A size that is too large for the emulator is refused with a sentence, and a sample of its blocks is one
// click away; what is shown of it says so.
#include "app/panels/words.h"
#include "app/shell/window_tests/window_driver.h"
#include "viz/scene/scene_text.h"

#include <algorithm>
#include <fstream>

namespace lockstep::shell {
namespace {

// 3,000 instructions a thread.
constexpr const char* kLoop = R"(.version 8.3
.target sm_90
.address_size 64
.visible .entry loop(.param .u64 out)
{
    .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %d<2>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, 0;
L:  add.u32 %r1, %r1, 1;
    setp.lt.u32 %p1, %r1, 1000;
    @%p1 bra L;
    red.global.add.u32 [%d1], 1;
    ret;
}
)";

// Written once: a file that changes runs again.
const std::string& ptxFile() {
    static const std::string file = [] {
        const std::filesystem::path path =
            std::filesystem::path(::testing::TempDir()) / "lockstep_sample.ptx";
        std::ofstream(path, std::ios::binary | std::ios::trunc) << kLoop;
        return path.string();
    }();
    return file;
}

app::Choice choiceOf(const std::string& grid) {
    app::Choice choice;
    choice.own = app::OwnKernel{.file = ptxFile(),
                                .entry = "loop",
                                .grid = grid,
                                .block = "64",
                                .arguments = {"u32[1]=zero"},
                                .defines = {}};
    return choice;
}

const char* const kButton = "//##experiment/sample/##text";

void launchWith(Hand& hand, const char* grid) {
    hand.drop(ptxFile());
    hand.await([&] { return hand.state().dialog.has_value(); }, "it is asked how to launch it");
    hand.text("//##own kernel/##grid", grid);
    hand.text("//##own kernel/##block", "64");
    hand.text("//##own kernel/##argument 0", "u32[1]=zero");
    hand.click("//##own kernel/run/##text");
}

bool says(Hand& hand, std::string_view what) {
    std::vector<app::DrawnText> texts;
    hand.listTexts(&texts);
    hand.listTexts(nullptr);
    return std::ranges::any_of(texts, [&](const app::DrawnText& text) {
        return text.window == "##experiment" && text.text.starts_with(what);
    });
}

TEST(SampleWindowTest, ASizeThatIsTooLargeIsOfferedAsASample) {
    withWindow([](Request& request) { request.choice = choiceOf("100"); },
               [&](Hand& hand) {
                   hand.awaitRun();
                   const auto before = hand.state().run;
                   EXPECT_FALSE(before->recording.sample);
                   launchWith(hand, "16777216");
                   hand.await([&] { return hand.state().isTooLarge(); }, "it is refused");
                   EXPECT_EQ(hand.state().run, before) << "the last picture stays";
                   EXPECT_TRUE(says(hand, "Still on screen: "));
                   EXPECT_FALSE(says(hand, "No findings")) << "which is no result of this size";
                   EXPECT_FALSE(hand.state().fault) << "it is said where the sample is offered";
                   hand.photograph("sample-offered");
                   hand.click(kButton);
                   hand.awaitRun();
                   EXPECT_FALSE(hand.state().isTooLarge());
                   EXPECT_FALSE(says(hand, "Still on screen"));
                   ASSERT_TRUE(hand.state().run->recording.sample);
                   EXPECT_EQ(hand.state().run->recording.sample->blocks, 64u);
                   EXPECT_EQ(hand.state().run->recording.sample->of, 16777216u);
                   EXPECT_TRUE(hand.state().run->recording.sample->isExtrapolated());
                   hand.bringUp("memory");
                   hand.photograph("sample-shown");
                   EXPECT_NE(viz::tableText(hand.scene("memory")).find("Sample: 64 of 16,777,216 blocks"),
                             std::string::npos);
                   // A small size runs whole. Its first blocks are shown before the others have run, as a
                   // sample that is under way.
                   launchWith(hand, "100");
                   hand.await(
                       [&] {
                           return hand.state().run->recording.launches.front().grid.x == 100 &&
                                  !hand.state().job.running;
                       },
                       "it runs to its end");
                   EXPECT_FALSE(hand.state().run->recording.sample);
               });
}

TEST(SampleWindowTest, IsOfferedBeforeThereIsAnyRun) {
    withWindow([](Request& request) { request.choice = choiceOf("16777216"); },
               [&](Hand& hand) {
                   hand.await([&] { return hand.state().isTooLarge(); }, "it is refused");
                   hand.frames(3);
                   hand.photograph("sample-offered-first");
                   EXPECT_FALSE(hand.state().run);
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                   hand.write("run a sample");
                   hand.press(ImGuiKey_Enter);
                   hand.awaitRun();
                   EXPECT_TRUE(hand.state().run->recording.sample);
               });
}

}  // namespace
}  // namespace lockstep::shell
