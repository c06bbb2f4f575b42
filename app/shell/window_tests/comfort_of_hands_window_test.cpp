// What the hand meets: tooltips, the wheel, copying, exporting, the size of everything.
#include "app/shell/files/preferences.h"
#include "app/shell/window_tests/shipped_machines.h"
#include "app/shell/window_tests/window_driver.h"
#include "viz/scene/scene_text.h"

#include <algorithm>
#include <fstream>

namespace lockstep::shell {
namespace {

ImRect onScreen(const Hand& hand, const char* view, const viz::Rect& rect) {
    const viz::Scene& scene = hand.scene(view);
    const ImGuiWindow* window = Hand::windowOf((std::string("###") + view).c_str());
    const ImVec2 origin{window->Rect().Max.x - scene.size.width, window->Rect().Max.y - scene.size.height};
    return {{origin.x + rect.x, origin.y + rect.y}, {origin.x + rect.right(), origin.y + rect.bottom()}};
}

TEST(TooltipsWindowTest, LieBesideWhatTheyExplain) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto explains = [&](const ImRect& what, const std::string& name) {
            hand.hover(what.GetCenter());
            const auto tooltipNow = [] {
                const ImGuiWindow* window = Hand::windowOf("##Tooltip_00");
                return window && window->WasActive && !window->Hidden ? window : nullptr;
            };
            for (int frame = 0; frame < 90 && !tooltipNow(); ++frame)
                hand.frames(1);
            hand.frames(3);
            const ImGuiWindow* tip = tooltipNow();
            ASSERT_TRUE(tip) << name;
            EXPECT_FALSE(tip->Rect().Overlaps(what)) << name;
            EXPECT_TRUE(ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(tip->Rect())) << name;
        };
        for (const char* view : {"stage", "source", "lanes"}) {
            hand.bringUp(view);
            hand.frames(5);
            const auto& hits = hand.scene(view).hits;
            for (std::size_t i = 0, seen = 0; i < hits.size() && seen < 12; i += 1 + hits.size() / 12) {
                const viz::Rect rect = hits[i].rect;
                const ImRect place = onScreen(hand, view, rect);
                const viz::Hit* top = hand.scene(view).hitAt(rect.centre());
                if (top != &hits[i].hit || hits[i].hit.text().empty() || rect.height > 100) continue;
                if (!Hand::windowOf((std::string("###") + view).c_str())->Rect().Contains(place)) continue;
                explains(place, std::string(view) + ": " + hits[i].hit.text());
                ++seen;
            }
        }
        for (const char* window : {"##bar", "##experiment", "##transport"})
            for (const Hand::Item& item : hand.itemsOf((std::string("//") + window).c_str())) {
                const ImRect place = hand.rectOf(item.id);
                if (place.GetHeight() > 60 || place.GetWidth() < 8) continue;
                explains(place, std::string(window) + ": " + item.label);
            }
    });
}

TEST(WheelWindowTest, ScrollsTheListOfLanes) {
    const auto wide = [](Request& request) {
        request.size = {1600, 800};
        request.choice = {"matmul", "tiled", {{"width", 64}, {"tile", 16}, {"j", 48}, {"k", 40}, {"l", 72}}};
    };
    withWindow(wide, [](Hand& hand) {
        hand.awaitRun();
        const app::State& state = hand.state();
        const auto list = [&] { return hand.scene("stage").lanes.value(); };
        const ImVec2 middle = onScreen(hand, "stage", list().area).GetCenter();
        const viz::Cursor before = state.cursor;
        const u32 first = list().first;
        ASSERT_LT(first, list().most);
        hand.wheel(middle, -1);
        EXPECT_EQ(list().first, first + 1);
        for (u32 i = 0; i < kWarpSize; ++i)
            hand.wheel(middle, -1);
        EXPECT_EQ(list().first, list().most);
        hand.wheel(middle, 1);
        EXPECT_EQ(list().first, list().most - 1) << "no notch is lost at the end";
        EXPECT_EQ(state.cursor, before);
        EXPECT_EQ(state.views.find("stage")->second.zoom, 0) << "the matrices stay as they are";
        hand.photograph("lane-list");
        hand.press(ImGuiKey_DownArrow);
        EXPECT_EQ(list().first, first) << "the list follows the cursor again";
    });
}

TEST(WheelWindowTest, NoViewAsksToScrollAtItsEnd) {
    const auto withMachines = [](Request& request) {
        request.choice = {"matmul", "tiled", {{"width", 64}, {"tile", 16}, {"j", 48}, {"k", 40}, {"l", 72}}};
        request.machines = shippedMachines();
        request.size = {1280, 800};
    };
    withWindow(withMachines, [](Hand& hand) {
        hand.awaitRun();
        for (const char* view : {"times", "memory"}) {
            hand.bringUp(view);
            hand.frames(6);
            const auto asks = [&] {
                return viz::tableText(hand.scene(view)).find("scroll") != std::string::npos;
            };
            EXPECT_TRUE(asks() || std::string_view(view) != "times") << view;
            const ImVec2 middle = Hand::windowOf((std::string("###") + view).c_str())->Rect().GetCenter();
            for (int i = 0; i < 12; ++i)
                hand.wheel(middle, -5);
            hand.frames(3);
            EXPECT_FALSE(asks()) << view;
        }
    });
}

TEST(CopyWindowTest, SaysWhatWasCopied) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("memory");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_C);
        ASSERT_EQ(hand.state().notices.size(), 1u);
        const std::string text = ImGui::GetClipboardText();
        EXPECT_EQ(hand.state().notices.back().text.english(),
                  "Copied from Memory: " + std::to_string(std::ranges::count(text, '\n')) + " lines of text");
        hand.press(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C);
        ASSERT_EQ(hand.state().notices.size(), 2u) << "below the other";
        EXPECT_EQ(hand.state().notices.back().text.english(),
                  "Copied: " + std::string(ImGui::GetClipboardText()));
        EXPECT_TRUE(Hand::windowOf("##notices")->Active);
        hand.photograph("copied");
        hand.await([&] { return hand.state().notices.empty(); }, "it is said for a while");
        hand.frames(2);
        EXPECT_FALSE(Hand::windowOf("##notices")->Active);
        hand.press(ImGuiKey_F7);
        hand.frames(4);
        EXPECT_TRUE(Hand::windowOf("##said")->Active);
        EXPECT_TRUE(hand.isDrawn("Copied from Memory")) << "and can be read again";
        hand.photograph("said");
        hand.click("//##said/copy/##text");
        EXPECT_TRUE(std::string(ImGui::GetClipboardText()).starts_with("Copied: lockstep "))
            << "the latest first";
        hand.press(ImGuiKey_Escape);
        hand.frames(2);
        EXPECT_FALSE(hand.state().showSaid);
    });
}

TEST(ExportWindowTest, NamesAndRemembersItsFolderAndCancelsWhereNothingElseWas) {
    const std::filesystem::path folder =
        std::filesystem::path(::testing::TempDir()) / "lockstep-export-folder";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto kept = [&](Request& request) {
        request.preferencesFile = folder / "preferences.conf";
        request.exportFolder = readPreferences(request.preferencesFile).exportFolder;
        if (request.exportFolder.empty()) request.exportFolder = "/somewhere";
    };
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        EXPECT_EQ(hand.state().exporting.settings.file, "/somewhere/matmul-tiled-bounds-stage.png");
        hand.click("//##exportdialogue/format/$$2/##segment");
        hand.write("//##exportdialogue/##file", (folder / "a.gif").string().c_str());
        const ImRect close = hand.rectOf("//##exportdialogue/close/##text"),
                     now = hand.rectOf("//##exportdialogue/export/##text");
        hand.click("//##exportdialogue/export/##text");
        ASSERT_TRUE(hand.state().exporting.running);
        const ImRect cancel = hand.rectOf("//##exportdialogue/cancel/##text");
        EXPECT_FALSE(cancel.Overlaps(now)) << "a second click on Export cancels nothing";
        EXPECT_NEAR(cancel.Min.x, close.Min.x, 40) << "it is where Close was";
        hand.photograph("export-running");
        hand.await([&] { return !hand.state().exporting.running; }, "it ends");
        EXPECT_EQ(hand.state().exporting.written, (folder / "a.gif").string());
        hand.photograph("export-written");
        EXPECT_EQ(hand.rectOf("//##exportdialogue/export/##text").Min.y, now.Min.y) << "nothing has moved";
        EXPECT_GT(hand.rectOf("//##exportdialogue/folder/##text").GetWidth(), 20)
            << "the folder can be opened";
    });
    EXPECT_EQ(readPreferences(folder / "preferences.conf").exportFolder, folder.string());
    withWindow(kept, [&](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
        EXPECT_EQ(hand.state().exporting.settings.file, (folder / "matmul-tiled-bounds-stage.png").string());
    });
    std::filesystem::remove_all(folder);
}

TEST(NarrowWindowTest, WhatHasNoRoomInTheBarIsInItsMenu) {
    for (const viz::Size size : {viz::Size{640, 480}, viz::Size{800, 600}})
        withWindow([&](Request& request) { request.size = size; },
                   [&](Hand& hand) {
                       hand.awaitRun();
                       const f32 wide = ImGui::GetMainViewport()->Size.x;
                       f32 end = 0;
                       for (const Hand::Item& item : hand.itemsOf("//##bar")) {
                           const ImRect place = hand.rectOf(item.id);
                           EXPECT_GE(place.Min.x, end - 1) << item.label << " lies over another";
                           EXPECT_LE(place.Max.x, wide) << item.label;
                           end = place.Max.x;
                       }
                       const auto chooses = [&](const char* row) { hand.choose("//##bar/more/##icon", row); };
                       chooses("Measure");
                       EXPECT_EQ(hand.state().task, "measure");
                       chooses("Explore");
                       chooses("Command palette");
                       EXPECT_TRUE(hand.state().showPalette);
                       hand.press(ImGuiKey_Escape);
                       chooses("Export");
                       EXPECT_TRUE(hand.state().exporting.open);
                       hand.press(ImGuiKey_Escape);
                       hand.frames(2);
                       chooses("Compare");
                       hand.awaitRun();
                       EXPECT_TRUE(hand.state().compared.open);
                   });
}

TEST(ZoomWindowTest, EverythingGrowsAndShrinksAndIsRemembered) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "lockstep-zoom";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto kept = [&](Request& request) {
        request.preferencesFile = folder / "preferences.conf";
        request.zoom = readPreferences(request.preferencesFile).zoom.value_or(1);
    };
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        const auto wide = [] { return ImGui::GetMainViewport()->Size.x; };
        const f32 before = wide();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
        hand.frames(4);
        EXPECT_FLOAT_EQ(hand.state().zoom, 1.25f);
        EXPECT_NEAR(wide(), before / 1.25f, 1) << "so much less fits";
        hand.click("//##transport/first/##icon");
        EXPECT_EQ(hand.state().cursor.step, 0u);
        hand.photograph("zoomed-125");
        for (int i = 0; i < 20; ++i)
            hand.press(ImGuiMod_Ctrl | ImGuiKey_Equal);
        hand.frames(4);
        EXPECT_GE(wide(), 800) << "never so large that nothing fits";
        hand.photograph("zoomed-most");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_0);
        hand.frames(4);
        EXPECT_EQ(wide(), before);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Minus);
        hand.frames(4);
        EXPECT_NEAR(wide(), before / 0.9f, 1);
    });
    EXPECT_FLOAT_EQ(readPreferences(folder / "preferences.conf").zoom.value_or(0), 0.9f);
    withWindow(kept, [](Hand& hand) {
        hand.awaitRun();
        EXPECT_FLOAT_EQ(hand.state().zoom, 0.9f);
    });
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::shell
