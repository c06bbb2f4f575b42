// Terms of the glossary in the window: underlined, explained under the mouse, opened from there and from the
// palette.
#include "app/shell/window_tests/window_driver.h"
#include "explain/glossary/glossary.h"
#include "viz/glossary/term_marks.h"

#include <algorithm>

namespace lockstep::shell {
namespace {

std::vector<viz::TermMark> marksOf(const Hand& hand, const char* view) {
    return viz::markTerms(hand.scene(view), Hand::fonts(), hand.state().language);
}

// On the screen; a view's scene lies at the lower right of its window.
ImVec2 placeOf(const Hand& hand, const char* view, viz::Point at) {
    const viz::Scene& scene = hand.scene(view);
    const ImGuiWindow* window = Hand::windowOf((std::string("###") + view).c_str());
    return {window->Rect().Max.x - scene.size.width + at.x, window->Rect().Max.y - scene.size.height + at.y};
}

bool isExplained() {
    const ImGuiWindow* tooltip = Hand::windowOf("##Tooltip_00");
    return tooltip && tooltip->WasActive;
}

// The first place of a part of the window, row by row, at which a right click opens a term; empty: there is
// none.
std::string firstTermOf(Hand& hand, const char* part) {
    const ImRect area = Hand::windowOf(part)->InnerRect;
    for (f32 y = area.Min.y + 14; y < area.Max.y - 4; y += 12)
        for (f32 x = area.Min.x + 20; x < area.Max.x - 8; x += 16) {
            hand.hover({x, y});
            if (!isExplained()) continue;
            hand.rightClick({x, y});
            if (!hand.state().term.empty()) return hand.state().term;
        }
    return {};
}

TEST(GlossaryWindowTest, ATermIsExplainedUnderTheMouseAndOpensWithARightClick) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const std::vector<viz::TermMark> marks = marksOf(hand, "stage");
        ASSERT_FALSE(marks.empty());
        for (const viz::TermMark& mark : marks) {
            const ImVec2 at = placeOf(hand, "stage", mark.word.centre());
            hand.hover(at);
            EXPECT_TRUE(isExplained()) << mark.term->id;
            hand.rightClick(at);
            EXPECT_EQ(hand.state().term, mark.term->id);
            EXPECT_TRUE(Hand::windowOf("##glossary")->Active);
            hand.press(ImGuiKey_Escape);
            EXPECT_TRUE(hand.state().term.empty());
            EXPECT_FALSE(Hand::windowOf("##glossary")->WasActive);
        }
    });
}

TEST(GlossaryWindowTest, TheSentenceHasTermsToo) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_NE(explain::findTerm(firstTermOf(hand, "##sentence")), nullptr);
    });
}

TEST(GlossaryWindowTest, NothingIsUnderlinedInAPresentationOrWhereItIsNotWanted) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const viz::TermMark mark = marksOf(hand, "stage").front();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.write("underline glossary");
        hand.press(ImGuiKey_Enter);
        EXPECT_FALSE(hand.state().underlineTerms);
        hand.rightClick(placeOf(hand, "stage", mark.word.centre()));
        EXPECT_TRUE(hand.state().term.empty());
    });
}

TEST(GlossaryWindowTest, ThePaletteOpensATermInEitherLanguageAndItsCardLeadsOn) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto type = [&](const char* text) {
            hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
            hand.write(text);
            hand.press(ImGuiKey_Enter);
            EXPECT_FALSE(hand.state().showPalette) << text;
        };
        type("warp");
        EXPECT_EQ(hand.state().term, "warp");
        type("wavefront");
        EXPECT_EQ(hand.state().term, "wavefront");
        type("线程束");
        EXPECT_EQ(hand.state().term, "warp");
        type("glossary bank conf");
        EXPECT_EQ(hand.state().term, "bank-conflict");
        type("banks");
        EXPECT_EQ(hand.state().term, "bank-conflict")
            << "it is a view and a family, no term in full: the card stays";
        hand.photograph("glossary-card");
        hand.click("//##glossary/wavefront/##text");
        EXPECT_EQ(hand.state().term, "wavefront");
        hand.click("//##glossary/close/##text");
        EXPECT_TRUE(hand.state().term.empty());
        hand.press(ImGuiKey_L);
        type("线程束");
        EXPECT_EQ(hand.state().term, "warp");
        hand.photograph("glossary-card-zh");
    });
}

TEST(GlossaryWindowTest, AListThatIsOpenedLiesOverTheCardAndEscapeClosesOneAfterTheOther) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.write("warp");
        hand.press(ImGuiKey_Enter);
        ASSERT_EQ(hand.state().term, "warp");
        hand.click("//##experiment/##variant");
        hand.frames(3);
        const ImGuiContext& imgui = *ImGui::GetCurrentContext();
        ASSERT_EQ(imgui.OpenPopupStack.Size, 1);
        ImGuiWindow* const list = imgui.OpenPopupStack.back().Window;
        ImGuiWindow* const card = Hand::windowOf("##glossary");
        ASSERT_TRUE(list->Rect().Overlaps(card->Rect()));
        EXPECT_TRUE(ImGui::IsWindowAbove(list, card));
        hand.photograph("glossary-card-below-a-list");
        hand.press(ImGuiKey_Escape);
        hand.frames(2);
        EXPECT_EQ(imgui.OpenPopupStack.Size, 0);
        EXPECT_EQ(hand.state().term, "warp");
        hand.press(ImGuiKey_Escape);
        hand.frames(2);
        EXPECT_TRUE(hand.state().term.empty());
    });
}

TEST(GlossaryWindowTest, NoCardIsCutInASmallWindow) {
    withWindow(
        [](Request& request) {
            request.size = {640, 480};
        },
        [](Hand& hand) {
            hand.awaitRun();
            const explain::Term* longest = *std::ranges::max_element(
                explain::glossary(), {},
                [](const explain::Term* term) { return term->text.english().size(); });
            hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
            hand.write(std::string(longest->name.english()).c_str());
            hand.press(ImGuiKey_Enter);
            ASSERT_EQ(hand.state().term, longest->id);
            hand.frames(3);
            const ImGuiWindow* card = Hand::windowOf("##glossary");
            EXPECT_GE(card->Pos.x, 0);
            EXPECT_GE(card->Pos.y, 0);
            EXPECT_LE(card->Rect().Max.x, 640);
            EXPECT_LE(card->Rect().Max.y, 480);
            EXPECT_EQ(card->ScrollMax.x, 0) << "and nothing is beyond its right edge";
            hand.photograph("glossary-card-small");
        });
}

}  // namespace
}  // namespace lockstep::shell
