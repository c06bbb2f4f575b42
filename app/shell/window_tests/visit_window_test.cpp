// One session from start to end, by a user who wants to know where the time goes.
#include "app/shell/files/preferences.h"
#include "app/shell/files/recent_file.h"
#include "app/shell/window_tests/window_driver.h"
#include "model/access/shared_wavefronts.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace lockstep::shell {
namespace {

const trace::WarpTrace& warpAtCursor(const app::State& state) {
    return state.run->recording.trace.find(state.cursor.launch, state.cursor.block)
        ->warps[state.cursor.warp.value];
}

// Wavefronts of the access to shared memory at the cursor; 0 where there is none.
u32 wavefrontsAtCursor(const app::State& state) {
    const trace::WarpTrace& warp = warpAtCursor(state);
    const u32 access = warp.steps[state.cursor.step].access;
    if (access >= warp.accesses.size() || warp.accesses[access].space != trace::Space::Shared) return 0;
    return model::sharedWavefronts(warp.unpack(warp.accesses[access]), state.run->profile);
}

TEST(VisitTest, FromTheFirstPictureToAnExportedComparison) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep-visit";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto kept = [&](Request& request) {
        request.size = {1440, 900};
        request.layoutFile = folder / "window.ini";
        request.preferencesFile = folder / "preferences.conf";
        request.recentFile = folder / "recent.json";
    };
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.family, "matmul");

        // Another kernel, another size: each runs at once.
        hand.choose("//##experiment/##family", hand.state().catalog->find("transpose")->title.en);
        hand.awaitRun();
        hand.choose("//##experiment/##variant",
                    hand.state().catalog->find("transpose")->find("shared")->title.en);
        hand.awaitRun();
        hand.type("//##experiment/rows/##field", 96);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("rows"), 96);
        const auto before = hand.state().run;
        hand.press(ImGuiMod_Ctrl | ImGuiKey_R);
        hand.awaitRun();
        EXPECT_NE(hand.state().run, before);
        EXPECT_TRUE(hand.state().run->comparison->correct);
        EXPECT_TRUE(hand.state().run->recording.findings.empty());

        // The first conflict.
        hand.press(ImGuiKey_Home);
        EXPECT_EQ(wavefrontsAtCursor(hand.state()), 0u);
        hand.press(ImGuiKey_C);
        EXPECT_FALSE(hand.state().inVain);
        EXPECT_EQ(wavefrontsAtCursor(hand.state()), 32u) << "a column of a tile 32 words wide";
        hand.press(ImGuiKey_2);
        hand.frames(6);
        EXPECT_NE(hand.sentence().find("32 wavefronts instead of 1"), std::string::npos) << hand.sentence();

        // Beside the variant that has none, and into a file.
        hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
        hand.await([&] { return hand.state().compared.run && !hand.state().compared.job.running; },
                   "the second run ends");
        EXPECT_EQ(hand.state().compared.choice->values.at("rows"), 96);
        EXPECT_FALSE(hand.scene("compare").marks.empty());
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        EXPECT_EQ(hand.state().exporting.settings.view, "compare");
        hand.write("//##exportdialogue/##file", (folder / "both.svg").string().c_str());
        hand.click("//##exportdialogue/format/$$1/##segment");
        hand.click("//##exportdialogue/export/##text");
        hand.await([&] { return !hand.state().exporting.running; }, "the export ends");
        EXPECT_EQ(hand.state().exporting.written, (folder / "both.svg").string());
        hand.press(ImGuiKey_Escape);
        std::ifstream in(folder / "both.svg", std::ios::binary);
        const std::string svg{std::istreambuf_iterator<char>(in), {}};
        EXPECT_NE(svg.find("<desc>lockstep transpose/shared "), std::string::npos);
        EXPECT_NE(svg.find(" --view compare "), std::string::npos);

        // In the other language, in a smaller window, which is then closed.
        const viz::Cursor cursor = hand.state().cursor;
        hand.press(ImGuiKey_L);
        EXPECT_EQ(hand.state().language, Language::Chinese);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.resize({1280, 720});
        hand.frames(8);
        EXPECT_EQ(hand.state().cursor, cursor);
        EXPECT_EQ(Hand::windowOf("##experiment")->ScrollMax.y, 0);
        EXPECT_FALSE(hand.scene("banks").marks.empty());
        EXPECT_FALSE(hand.state().fault);
        hand.photograph("visit");
    });
    const Preferences preferences = readPreferences(folder / "preferences.conf");
    EXPECT_EQ(preferences.language, Language::Chinese);
    ASSERT_TRUE(preferences.size);
    EXPECT_EQ(preferences.size->width, 1280);
    EXPECT_FALSE(preferences.theme) << "it was not touched";
    const Recent recent = readRecent(folder / "recent.json");
    ASSERT_FALSE(recent.experiments.empty());
    EXPECT_EQ(recent.experiments.front().variant, "shared");
    EXPECT_EQ(recent.experiments.front().values.at("rows"), 96);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::shell
