// Nothing gets in the way: the drawer of the experiment closes again, controls stay where they are from run
// to run, tooltips lie within the window and tell no answer.
#include "app/panels/lesson/lesson_words.h"
#include "app/shell/window_tests/window_driver.h"

#include <map>

namespace lockstep::shell {
namespace {

constexpr const char* kButton = "//##bar/experiment/$$0/##segment";

bool isDrawerOpen() {
    const ImGuiWindow* drawer = Hand::windowOf("##experiment");
    return drawer && drawer->WasActive;
}

// Of root windows, from the bottom up.
int paintedAs(const char* name) {
    const ImVector<ImGuiWindow*>& windows = ImGui::GetCurrentContext()->Windows;
    for (int i = 0; i < windows.Size; ++i)
        if (std::string_view(windows[i]->Name) == name) return i;
    return -1;
}

void clickAt(Hand& hand, ImVec2 at) { hand.drag(at, at); }

ImVec2 besideDrawer() {
    const ImGuiWindow& drawer = *Hand::windowOf("##experiment");
    const ImVec2 window = ImGui::GetMainViewport()->Size;
    return {(drawer.Pos.x + drawer.Size.x + window.x) / 2, drawer.Pos.y + drawer.Size.y / 2};
}

// Opened each time, it closes by its button, by Esc and by a click beside it.
void opensAndCloses(Hand& hand) {
    ASSERT_FALSE(isDrawerOpen());
    const auto open = [&] {
        hand.click(kButton);
        hand.frames(2);
        ASSERT_TRUE(isDrawerOpen());
    };
    open();
    hand.frames(30);
    ASSERT_TRUE(isDrawerOpen()) << "until it is closed";
    hand.click(kButton);
    EXPECT_FALSE(isDrawerOpen()) << "its button";
    open();
    hand.press(ImGuiKey_Escape);
    EXPECT_FALSE(isDrawerOpen()) << "Esc";
    open();
    clickAt(hand, besideDrawer());
    EXPECT_FALSE(isDrawerOpen()) << "a click beside it";
}

class DrawerWindowTest : public testing::TestWithParam<viz::Size> {
protected:
    void with(const std::function<void(Hand&)>& work) {
        withWindow([](Request& request) { request.size = GetParam(); }, work);
    }
};

TEST_P(DrawerWindowTest, OverAComparisonOpensAndCloses) {
    with([](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
        hand.await([&] { return hand.state().compared.run && !hand.state().compared.job.running; },
                   "both runs end");
        opensAndCloses(hand);
        hand.click(kButton);
        hand.frames(3);
        EXPECT_GT(paintedAs("##experiment"), paintedAs("##comparison")) << "in front of the pictures";
        EXPECT_GT(paintedAs("##experiment"), paintedAs("##comparebar"));
        hand.photograph("drawer-" + std::to_string(int(GetParam().width)));
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        EXPECT_TRUE(hand.state().showPalette) << "all else works";
        hand.frames(3);
        EXPECT_GT(paintedAs("##palette"), paintedAs("##experiment"));
        hand.press(ImGuiKey_Escape);
        EXPECT_FALSE(hand.state().showPalette);
        EXPECT_TRUE(isDrawerOpen()) << "Esc closes one thing";
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        hand.frames(3);
        EXPECT_FALSE(hand.state().compared.open);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
        hand.frames(3);
        EXPECT_FALSE(isDrawerOpen()) << "it belongs to what it was opened over";
    });
}

TEST_P(DrawerWindowTest, BesideALessonCoversNoQuestion) {
    with([](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        hand.write("lesson tiles");
        hand.press(ImGuiKey_Enter);
        hand.await([&] { return hand.state().lessons.step != nullptr && !hand.state().lessons.isUnderWay; },
                   "the step is on show");
        hand.frames(5);
        opensAndCloses(hand);
        hand.click(kButton);
        hand.frames(3);
        EXPECT_FALSE(Hand::windowOf("##experiment")->Rect().Overlaps(Hand::windowOf("##lesson")->Rect()));
        hand.photograph("drawer-lesson-" + std::to_string(int(GetParam().width)));
        hand.press(ImGuiKey_Escape);
        EXPECT_TRUE(hand.state().lessons.open);
    });
}

INSTANTIATE_TEST_SUITE_P(Sizes, DrawerWindowTest,
                         testing::Values(viz::Size{800, 600}, viz::Size{1440, 900}, viz::Size{2560, 1440}),
                         [](const testing::TestParamInfo<viz::Size>& info) {
                             return std::to_string(int(info.param.width));
                         });

TEST(DrawerWindowTest, InASmallWindowHasWorkingFieldsAndMenus) {
    const auto small = [](Request& request) { request.size = {800, 600}; };
    withWindow(small, [](Hand& hand) {
        hand.awaitRun();
        opensAndCloses(hand);
        hand.click(kButton);
        hand.type("//##experiment/width/##field", 5);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 5);
        EXPECT_TRUE(isDrawerOpen());
        hand.choose("//##experiment/##variant",
                    hand.state().catalog->find("matmul")->find("naive")->title.en);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.variant, "naive");
        EXPECT_TRUE(isDrawerOpen()) << "a list of its own is not beside it";
        hand.click("//##bar/more/##icon");
        hand.frames(3);
        EXPECT_FALSE(ImGui::GetCurrentContext()->OpenPopupStack.empty()) << "the menu opens";
        hand.press(ImGuiKey_Escape);
    });
}

TEST(ColumnWindowTest, ControlsStayWhereTheyAreFromRunToRun) {
    for (const viz::Size size : {viz::Size{1440, 900}, viz::Size{1280, 720}})
        withWindow(
            [&](Request& request) { request.size = size; },
            [](Hand& hand) {
                hand.awaitRun();
                hand.frames(5);
                const auto places = [&] {
                    std::map<std::string, f32> tops;
                    for (const char* item : {"//##experiment/##family", "//##experiment/##variant",
                                             "//##experiment/width/##field", "//##experiment/tile/##field"})
                        tops[item] = hand.rectOf(item).Min.y;
                    return tops;
                };
                const auto before = places();
                for (const auto& [width, tile] : {std::pair{4, 2}, {5, 2}, {5, 3}, {9, 2}, {4, 2}, {3, 2}}) {
                    hand.type("//##experiment/width/##field", width);
                    hand.awaitRun();
                    hand.type("//##experiment/tile/##field", tile);
                    hand.awaitRun();
                    hand.frames(3);
                    EXPECT_EQ(places(), before) << "width " << width << ", tile " << tile;
                }
            });
}

const ImGuiWindow* tooltipNow() {
    const ImGuiWindow* window = Hand::windowOf("##Tooltip_00");
    return window && window->WasActive && !window->Hidden ? window : nullptr;
}

// What is under the mouse has a tooltip; it lies within the window.
void expectWithin(Hand& hand, ImVec2 at, const std::string& what) {
    hand.hover(at);
    for (int frame = 0; frame < 30 && !tooltipNow(); ++frame)
        hand.frames(1);
    hand.frames(3);
    const ImGuiWindow* tip = tooltipNow();
    ASSERT_TRUE(tip) << what;
    EXPECT_TRUE(ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(tip->Rect())) << what;
}

void hoverOver(Hand& hand, const char* view, const char* windowName, std::size_t most) {
    hand.frames(5);
    const ImGuiWindow& window = *Hand::windowOf(windowName);
    const auto& hits = hand.scene(view).hits;
    for (std::size_t i = 0, seen = 0; i < hits.size() && seen < most; i += 1 + hits.size() / (2 * most)) {
        const viz::Point middle = hits[i].rect.centre();
        if (hits[i].hit.text().empty() || hand.scene(view).hitAt(middle) != &hits[i].hit) continue;
        const viz::Size size = hand.scene(view).size;
        const f32 scale = window.InnerRect.GetWidth() / size.width;
        const ImVec2 at{window.InnerRect.Min.x + middle.x * scale,
                        window.InnerRect.Max.y - (size.height - middle.y) * scale};
        if (!window.InnerRect.Contains(at)) continue;
        expectWithin(hand, at, std::string(view) + ": " + hits[i].hit.text());
        ++seen;
    }
}

TEST(TooltipsWindowTest, LieWithinTheWindowWhereverTheyAre) {
    for (const viz::Size size : {viz::Size{800, 600}, viz::Size{1440, 900}})
        withWindow(
            [&](Request& request) {
                request.size = size;
                request.language = Language::Chinese;
            },
            [](Hand& hand) {
                hand.awaitRun();
                for (const char* view : {"stage", "source", "memory"}) {
                    hand.bringUp(view);
                    hoverOver(hand, view, (std::string("###") + view).c_str(), 16);
                }
                hoverOver(hand, "timeline", "##timeline", 8);
            });
}

TEST(TooltipsWindowTest, OfAViewTellNothingBeforeTheAnswer) {
    withWindow(
        [](Request& request) {
            request.size = {1440, 900};
        },
        [](Hand& hand) {
            hand.awaitRun();
            hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
            hand.write("lesson tiles");
            hand.press(ImGuiKey_Enter);
            hand.await([&] { return hand.state().lessons.hidesAnswer(); }, "a question is open");
            hand.frames(30);
            const auto isSaid = [&](const std::string& text) {
                std::vector<app::DrawnText> texts;
                hand.listTexts(&texts);
                hand.frames(5);
                hand.listTexts(nullptr);
                return std::ranges::any_of(texts, [&](const app::DrawnText& drawn) {
                    return drawn.window.starts_with("##Tooltip") &&
                           text.find(drawn.text) != std::string::npos;
                });
            };
            const ImGuiWindow& window = *Hand::windowOf("###stage");
            const viz::Scene& stage = hand.scene("stage");
            bool isTried = false;
            for (const viz::HitArea& area : stage.hits) {
                const std::string text = area.hit.text();
                if (text.find("computes P[") == std::string::npos) continue;
                const viz::Point middle = area.rect.centre();
                const f32 scale = window.InnerRect.GetWidth() / stage.size.width;
                hand.hover({window.InnerRect.Min.x + middle.x * scale,
                            window.InnerRect.Max.y - (stage.size.height - middle.y) * scale});
                hand.frames(20);
                EXPECT_TRUE(tooltipNow());
                EXPECT_FALSE(isSaid(text)) << text;
                isTried = true;
                break;
            }
            EXPECT_TRUE(isTried);
        });
}

TEST(KeysWindowTest, NoTooltipLiesOverTheTableOfKeys) {
    withWindow(
        [](Request& request) {
            request.size = {1440, 900};
        },
        [](Hand& hand) {
            hand.awaitRun();
            const ImGuiWindow& source = *Hand::windowOf("###source");
            hand.hover({source.InnerRect.Min.x + 200, source.InnerRect.GetCenter().y});
            hand.frames(60);
            hand.press(ImGuiKey_F1);
            hand.frames(10);
            ASSERT_TRUE(hand.state().showKeys);
            EXPECT_FALSE(tooltipNow());
            EXPECT_TRUE(hand.isDrawn("1 Stage · 2 Banks"));
            hand.photograph("keys");
        });
}

TEST(CompareWindowTest, TheTabOfTheComparisonOffersOneWhereThereIsNone) {
    for (const viz::Size size : {viz::Size{800, 600}, viz::Size{1440, 900}})
        withWindow(
            [&](Request& request) { request.size = size; },
            [](Hand& hand) {
                hand.awaitRun();
                hand.bringUp("compare");
                hand.frames(5);
                hand.photograph("compare-tab-" + std::to_string(int(ImGui::GetMainViewport()->Size.x)));
                hand.click("//###compare/compare/##text");
                hand.await([&] { return hand.state().compared.run != nullptr; }, "both have run");
                EXPECT_TRUE(hand.state().compared.open);
            });
}

}  // namespace
}  // namespace lockstep::shell
