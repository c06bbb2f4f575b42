#include "viz/glossary/term_marks.h"

#include "explain/glossary/glossary.h"
#include "viz/scene/fonts.h"
#include "viz/testing/test_run.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace lockstep::viz {
namespace {

const Fonts& fonts() {
    static const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    return *fonts;
}

Scene sceneOf(std::vector<Mark> marks) {
    Scene scene;
    scene.size = {400, 300};
    scene.marks = std::move(marks);
    return scene;
}

TextMark text(Point at, std::string words, Face face = Face::Text) {
    return {.at = at, .text = std::move(words), .face = face, .role = role(RoleKind::Text)};
}

TEST(TermMarksTest, MarksTheFirstOfEachTermInReadingOrder) {
    const auto marks = markTerms(sceneOf({text({20, 90}, "a warp again"), text({20, 40}, "one warp"),
                                          text({200, 41}, "the same warp, its lanes")}),
                                 fonts(), Language::English);
    ASSERT_EQ(marks.size(), 2u);
    EXPECT_EQ(marks[0].term, explain::findTerm("warp"));
    EXPECT_EQ(marks[0].baseline, 40);
    EXPECT_NEAR(marks[0].word.x, 20 + fonts().width("one ", 13, Face::Text), 0.1);
    EXPECT_NEAR(marks[0].word.width, fonts().width("warp", 13, Face::Text), 0.5);
    EXPECT_EQ(marks[1].term, explain::findTerm("lane"));
}

TEST(TermMarksTest, LeavesCodeAndWhatIsCutOrCoveredAlone) {
    EXPECT_TRUE(markTerms(sceneOf({text({20, 40}, "warp", Face::Mono)}), fonts(), Language::English).empty());
    EXPECT_TRUE(markTerms(sceneOf({text({385, 40}, "warp")}), fonts(), Language::English).empty())
        << "it leaves the scene";
    EXPECT_TRUE(markTerms(sceneOf({ClipMark{Rect{0, 0, 30, 300}}, text({20, 40}, "warp"), ClipMark{}}),
                          fonts(), Language::English)
                    .empty())
        << "it is clipped";
    EXPECT_TRUE(markTerms(sceneOf({text({20, 40}, "warp"),
                                   RectMark{.rect = {0, 0, 100, 100}, .fill = role(RoleKind::Panel)}}),
                          fonts(), Language::English)
                    .empty())
        << "it is covered";
    EXPECT_TRUE(
        markTerms(sceneOf({TextMark{.at = {20, 40}, .text = "warp", .role = inkOn(warpRole(Warp{0}))}}),
                  fonts(), Language::English)
            .empty())
        << "it stands on a color";
    const auto second =
        markTerms(sceneOf({text({385, 40}, "warp"), text({20, 80}, "warp")}), fonts(), Language::English);
    ASSERT_EQ(second.size(), 1u) << "then the next one is the first that is seen";
    EXPECT_EQ(second[0].baseline, 80);
}

TEST(TermMarksTest, KeepsToTheTextWhereverItIsAligned) {
    TextMark right = text({300, 40}, "a warp");
    right.align = Align::Right;
    const auto marks = markTerms(sceneOf({right}), fonts(), Language::English);
    ASSERT_EQ(marks.size(), 1u);
    EXPECT_NEAR(marks[0].word.right(), 300, 0.1);
}

TEST(TermMarksTest, NoViewHasALineOutsideOfItOrATermTwice) {
    const run::Run run = tiledMatmul(20, 4, true);
    const Cursor cursor{.launch = {}, .block = {1, 2, 0}, .warp = {}, .lane = {}, .step = 15};
    std::size_t seen = 0;
    for (const ViewRow& view : views())
        for (const Size size : {Size{1280, 720}, Size{460, 675}, Size{1440, 160}, Size{40, 30}})
            for (const Language language : {Language::English, Language::Chinese}) {
                const Scene scene = view.build({.run = run,
                                                .cursor = cursor,
                                                .profile = model::defaultProfile(),
                                                .size = size,
                                                .language = language,
                                                .metrics = fonts()});
                const auto marks = markTerms(scene, fonts(), language);
                std::set<std::string_view> ids;
                for (const TermMark& mark : marks) {
                    EXPECT_TRUE(ids.insert(mark.term->id).second) << view.name << ": " << mark.term->id;
                    EXPECT_GE(mark.word.x, -0.5f);
                    EXPECT_LE(mark.word.right(), size.width + 0.5f);
                }
                EXPECT_EQ(underlines(marks, scene.size).marks.size(), marks.size());
                seen += marks.size();
            }
    EXPECT_GT(seen, 60u) << "the test sees terms";
}

}  // namespace
}  // namespace lockstep::viz
