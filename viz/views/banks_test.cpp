// The banks' picture: every piece of a deep pile has its lane's number, and the words in memory stand where
// no piece is.
#include "viz/cursor/presentation.h"
#include "viz/parts/bank_picture.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/testing/test_tidy.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

class BanksTest : public ::testing::Test {
protected:
    void SetUp() override {
        Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_.emplace(std::move(*fonts));
    }
    Scene shown(const run::Run& run, Size size, Language language = Language::English) const {
        return findView("banks")->build(
            {.run = run,
             .cursor = {.launch = {}, .block = {1, 0, 0}, .warp = Warp{1}, .lane = Lane{9}, .step = 1},
             .profile = model::defaultProfile(),
             .size = size,
             .language = language,
             .metrics = *fonts_,
             .titled = false});
    }
    static bool says(const Scene& scene, std::string_view what) {
        return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->text == what;
        });
    }
    // Numbers that stand on a color of the degrees.
    static u32 numberedPieces(const Scene& scene) {
        return u32(std::ranges::count_if(scene.marks, [](const Mark& mark) {
            const auto* text = std::get_if<TextMark>(&mark);
            return text && text->role.kind == RoleKind::InkOn && text->role.onKind == RoleKind::Degree;
        }));
    }
    std::optional<Fonts> fonts_;
};

// In the window's middle, in the halves of a comparison, and where the display is small.
TEST_F(BanksTest, EveryPieceOfADeepPileHasItsNumber) {
    for (const Size size : {Size{718, 500}, Size{720, 500}, Size{745, 490}, Size{1000, 700}})
        for (const u32 pitch : {32u, 33u})
            EXPECT_EQ(numberedPieces(shown(columnRead(pitch), size)), 32u)
                << size.width << " x " << size.height << ", pitch " << pitch;
}

TEST_F(BanksTest, TheWordsAreLargeAndLieOnNoPiece) {
    for (const Size size : {Size{718, 500}, Size{720, 500}, Size{1000, 700}})
        for (const u32 pitch : {32u, 33u, 34u}) {
            const Scene scene = shown(columnRead(pitch), size);
            std::optional<Rect> panel;
            std::vector<Rect> pieces;
            f32 word = 0;
            for (const Mark& mark : scene.marks)
                if (const auto* rect = std::get_if<RectMark>(&mark)) {
                    if (rect->fill.kind == RoleKind::Ground && rect->rect.width > 200 &&
                        rect->rect.height > 100)
                        panel = rect->rect;
                    if (rect->fill.kind == RoleKind::Degree && !panel) pieces.push_back(rect->rect);
                    if (rect->fill.kind == RoleKind::Degree && panel && rect->rect.y < panel->bottom())
                        word = rect->rect.width;
                }
            ASSERT_TRUE(panel) << pitch;
            EXPECT_EQ(pieces.size(), 32u);
            for (const Rect& piece : pieces)
                EXPECT_FALSE(meet(piece, *panel).width > 0 && meet(piece, *panel).height > 0)
                    << piece.x << ", " << piece.y;
            EXPECT_GE(word, pitch == 32 ? 4.9f : 3.9f)
                << size.width << " x " << size.height << ", pitch " << pitch << ": a word can be seen";
            EXPECT_TRUE(untidyTexts(scene, *fonts_).empty());
            EXPECT_TRUE(says(scene, "lane 9 · word " + std::to_string(9 * pitch + 1))) << "the cursor's";
        }
}

TEST_F(BanksTest, LanesStandBesideAPileWhoseRowsAreTooLowForNumbers) {
    for (const Language language : {Language::English, Language::Chinese}) {
        const run::Run run = columnRead(32);
        const ViewInput in{
            .run = run,
            .cursor = {.launch = {}, .block = {1, 0, 0}, .warp = Warp{1}, .lane = Lane{9}, .step = 1},
            .profile = model::defaultProfile(),
            .size = hallLayout({1440, 900}).viewSize(),
            .language = language,
            .metrics = *fonts_};
        const Scene scene = presented(*findView("banks"), in);
        EXPECT_TRUE(says(scene, language == Language::English ? "lane 0" : "通道 0"));
        for (const char* lane : {"4", "8", "28"})
            EXPECT_TRUE(says(scene, lane)) << lane;
        EXPECT_TRUE(untidyTexts(scene, *fonts_).empty()) << untidyTexts(scene, *fonts_).front();
    }
}

TEST_F(BanksTest, AFormulaSaysWhichWordEachLaneWants) {
    EXPECT_TRUE(says(shown(columnRead(32), {718, 500}), "word = 32·lane + 1, so bank 1 for every lane"));
    EXPECT_TRUE(says(shown(columnRead(33), {718, 500}), "word = 33·lane + 1, so bank (lane + 1) mod 32"));
    EXPECT_TRUE(says(shown(columnRead(34), {718, 500}), "word = 34·lane + 1, so bank (2·lane + 1) mod 32"));
    EXPECT_TRUE(says(shown(columnRead(32), {718, 500}, Language::Chinese),
                     "字 = 32·通道 + 1，所以每个通道的字都在存储体 1"));
}

// Fitted from the recorded addresses: one lane that wants another word, and there is none.
TEST_F(BanksTest, NoFormulaIsSaidThatDoesNotHoldForEveryLane) {
    RunBuilder b("odd.cu", "__global__ void kernel() {\n  x = tile[i];\n}\n");
    b.shared("tile", 4096);
    const Pc load = b.instruction("ld.shared.f32 %f1, [%r1]", 2);
    b.launch({2, 1, 1}, {64, 1, 1});
    b.block({1, 0, 0});
    for (u32 w = 0; w < 2; ++w)
        for (u32 i = 0; i < 2; ++i)
            b.access(
                w, load, LaneMask::all(), trace::Space::Shared, trace::AccessKind::Load,
                [](u32 lane) { return u64{lane == 31 ? 40 : lane} * 4; }, [](u32) { return 0.0f; });
    const Scene scene = shown(b.finish(), {718, 500});
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark)) {
            EXPECT_EQ(text->text.find("word ="), std::string::npos) << text->text;
        }
}

}  // namespace
}  // namespace lockstep::viz
