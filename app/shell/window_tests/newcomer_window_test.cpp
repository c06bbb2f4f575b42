// What somebody does who has just opened the window: types numbers as people write them, points, drags and
// clicks twice where once is enough.
#include "app/shell/window_tests/window_driver.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace lockstep::shell {
namespace {

const ImGuiWindow* tooltipNow() {
    const ImGuiWindow* window = Hand::windowOf("##Tooltip_00");
    return window && window->WasActive && !window->Hidden ? window : nullptr;
}

bool isDocked(const char* window) {
    const ImGuiWindow* found = Hand::windowOf(window);
    return found && found->DockNode && ImGui::DockNodeGetRootNode(found->DockNode)->IsDockSpace();
}

TEST(NumberFieldTest, TakesNumbersAsPeopleWriteThemAndRefusesTheRestAloud) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        constexpr const char* kField = "//##experiment/width/##field";
        constexpr std::pair<const char*, s64> kTaken[] = {{"1,0", 3},      {"4*2", 8},    {"2^4", 16},
                                                          {"1.5 K", 1536}, {"abc", 1536}, {"1,000,000", 4096},
                                                          {"1e1", 10},     {"", 10},      {"12", 12}};
        for (const auto& [typed, value] : kTaken) {
            const std::size_t before = hand.state().notices.size();
            const s64 was = hand.state().choice.values.at("width");
            hand.text(kField, typed);
            hand.press(ImGuiKey_Enter);
            EXPECT_EQ(hand.state().choice.values.at("width"), value) << typed;
            if (value == was) {
                ASSERT_FALSE(hand.state().notices.empty()) << typed;
                EXPECT_NE(hand.state().notices.back().text.english().find("is not a whole number"),
                          std::string::npos)
                    << typed << ": " << before;
            }
        }
        hand.photograph("number-refused");
        hand.awaitRun();
    });
}

TEST(NumberFieldTest, ASizeThatWasDraggedIsKeptAsOneThatWasTyped) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const ImRect slider = hand.rectOf(hand.idOf("//##experiment/width/##slider"));
        const float y = slider.GetCenter().y, wide = slider.GetWidth();
        hand.drag({slider.Min.x + wide * 0.2f, y}, {slider.Min.x + wide * 0.35f, y});
        hand.awaitRun();
        hand.frames(4);
        EXPECT_FALSE(hand.state().dragging);
        ASSERT_FALSE(hand.state().recent.empty());
        EXPECT_EQ(hand.state().recent.front(), hand.state().choice);
        EXPECT_GT(hand.state().choice.values.at("width"), 3);
    });
}

TEST(RestartTest, ComesBackToTheSamePlace) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lockstep_restart";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto kept = [&](Request& request) {
        request.recentFile = folder / "recent.json";
        request.cursor = lastPlace(request.recentFile);
    };
    viz::Cursor at;
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Shift | ImGuiKey_RightArrow);
        hand.press(ImGuiKey_RightArrow);
        hand.frames(4);
        at = hand.state().cursor;
        EXPECT_GT(at.step, 1u);
    });
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        EXPECT_EQ(hand.state().cursor, at);
    });
    std::filesystem::remove_all(folder);
}

TEST(KeyboardFocusTest, TabGoesFromNumberToNumberAndAViewThatAKeyTurnsToGivesTheKeysBack) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        hand.click("//##experiment/width/##field");
        hand.press(ImGuiKey_Tab);
        EXPECT_EQ(ImGui::GetActiveID(), hand.idOf("//##experiment/tile/##field"));
        hand.press(ImGuiKey_Tab);
        EXPECT_EQ(ImGui::GetCurrentContext()->NavId, hand.idOf("//##experiment/run/##text"));
        hand.press(ImGuiKey_3);
        hand.frames(4);
        EXPECT_EQ(hand.state().turnedTo, "sectors");
        hand.press(ImGuiKey_RightArrow);
        EXPECT_GT(hand.state().cursor.step, 0u) << "the arrows are the cursor's";
    });
}

TEST(TooltipsWindowTest, NothingIsExplainedThatCameUnderARestingMouse) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const ImGuiWindow& source = *Hand::windowOf("###source");
        const ImVec2 at{source.InnerRect.Min.x + 200, source.InnerRect.GetCenter().y};
        const std::array<std::pair<ImGuiKeyChord, const char*>, 3> covers{
            std::pair{ImGuiMod_Ctrl | ImGuiKey_P, "the palette"},
            std::pair{ImGuiMod_Ctrl | ImGuiKey_E, "the export"},
            std::pair{ImGuiKeyChord(ImGuiKey_F11), "a presentation"}};
        for (const auto& [key, what] : covers) {
            hand.hover({at.x, at.y - 40});
            hand.hover(at);
            for (int frame = 0; frame < 60 && !tooltipNow(); ++frame)
                hand.frames(1);
            ASSERT_TRUE(tooltipNow()) << what;
            hand.press(key);
            hand.frames(10);
            EXPECT_FALSE(tooltipNow()) << what;
            hand.press(ImGuiKey_Escape);
            hand.frames(10);
            EXPECT_FALSE(tooltipNow()) << "behind " << what;
        }
        hand.hover({at.x, at.y - 40});
        for (int frame = 0; frame < 60 && !tooltipNow(); ++frame)
            hand.frames(1);
        EXPECT_TRUE(tooltipNow()) << "the mouse has moved";
    });
}

TEST(DocksTest, AViewThatIsDroppedOutsideGoesBackToItsDock) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("occupancy");
        const ImGuiID home = Hand::windowOf("###occupancy")->DockId;
        const ImRect tab = hand.rectOf(Hand::windowOf("###occupancy")->TabId);
        hand.drag(tab.GetCenter(), {700, ImGui::GetMainViewport()->Size.y - 30});
        hand.frames(10);
        EXPECT_TRUE(isDocked("###occupancy"));
        EXPECT_EQ(Hand::windowOf("###occupancy")->DockId, home);
        // As an arrangement of an earlier start may have it.
        ImGui::SetWindowDock(ImGui::FindWindowByName("###banks"), 0, ImGuiCond_Always);
        ImGui::SetWindowPos("###banks", {-600, 700});
        hand.frames(12);
        EXPECT_TRUE(isDocked("###banks"));
    });
}

TEST(DocksTest, ASplitterLeavesEitherSideSomeWidth) {
    withWindow({}, [](Hand& hand) {
        constexpr float kLeast = 150;
        hand.awaitRun();
        hand.frames(6);
        const auto dragTo = [&](float x) {
            const ImRect source = Hand::windowOf("###source")->Rect();
            hand.drag({source.Min.x - 1, source.GetCenter().y}, {x, source.GetCenter().y});
            hand.frames(6);
        };
        dragTo(ImGui::GetMainViewport()->Size.x - 3);
        EXPECT_GE(Hand::windowOf("###source")->Size.x, kLeast);
        EXPECT_LT(Hand::windowOf("###source")->Size.x, 2 * kLeast) << "it was dragged";
        dragTo(3);
        EXPECT_GE(Hand::windowOf("###stage")->Size.x, kLeast);
    });
}

TEST(TooltipTest, OfASourceLineIsSmallStaysInItsViewAndWaitsBehindAClick) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.frames(6);
        const viz::Scene& scene = hand.scene("source");
        const ImGuiWindow& window = *Hand::windowOf("###source");
        const ImVec2 origin{window.Rect().Max.x - scene.size.width, window.Rect().Max.y - scene.size.height};
        const auto line = std::ranges::find_if(
            scene.hits, [](const viz::HitArea& area) { return area.hit.box && area.hit.go; });
        ASSERT_NE(line, scene.hits.end());
        const ImVec2 at{origin.x + line->rect.centre().x, origin.y + line->rect.centre().y};
        hand.hover(at);
        hand.frames(20);
        ASSERT_TRUE(tooltipNow());
        EXPECT_LT(tooltipNow()->Size.y, 260);
        EXPECT_GE(tooltipNow()->Pos.x, window.Pos.x) << "beside it is the stage";
        hand.click(at);
        hand.frames(20);
        EXPECT_FALSE(tooltipNow()) << "what comes of it is looked at";
        hand.hover({at.x + 20, at.y});
        hand.frames(20);
        EXPECT_TRUE(tooltipNow());
    });
}

TEST(FirstStartTest, ADoubleClickOnTheTourDoesNotLeaveItAndItsDoorsAreFoundAgain) {
    withWindow([](Request& request) { request.hint = true; },
               [](Hand& hand) {
                   hand.awaitRun();
                   hand.doubleClick("//##hint/tour/##text");
                   hand.frames(4);
                   EXPECT_TRUE(hand.state().tour);
                   hand.click("//##tour/leave/##text");
                   EXPECT_FALSE(hand.state().tour);
                   for (const char* word : {"welcome", "doors", "start"}) {
                       hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                       hand.write(word);
                       hand.press(ImGuiKey_Enter);
                       hand.frames(4);
                       EXPECT_TRUE(hand.state().showHint) << word;
                       hand.click("//##hint/taken/##text");
                   }
                   hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
                   hand.write("template");
                   EXPECT_TRUE(hand.isDrawn("New kernel from a template"));
               });
}

TEST(ExportTest, EscInAListOfTheDialogClosesTheListAlone) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        hand.frames(4);
        ASSERT_TRUE(hand.state().exporting.open);
        hand.click("//##exportdialogue/##what");
        ASSERT_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 2);
        hand.press(ImGuiKey_Escape);
        hand.frames(4);
        EXPECT_EQ(ImGui::GetCurrentContext()->OpenPopupStack.Size, 1);
        EXPECT_TRUE(hand.state().exporting.open);
        hand.press(ImGuiKey_Escape);
        hand.frames(4);
        EXPECT_FALSE(hand.state().exporting.open);
    });
}

TEST(ResultTest, AClickOnTheProblemsShowsThem) {
    withWindow(
        [](Request& request) {
            request.choice = {.family = "matmul", .variant = "tiled", .values = {{"width", 3}, {"tile", 2}}};
        },
        [](Hand& hand) {
            hand.awaitRun();
            hand.click("//##experiment/##verdict findings");
            hand.frames(4);
            EXPECT_EQ(hand.state().turnedTo, "findings");
        });
}

}  // namespace
}  // namespace lockstep::shell
