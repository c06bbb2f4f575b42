// The keyboard: shortcuts and what has the focus.
#include "app/panels/commands.h"
#include "app/panels/keys_page.h"
#include "app/shell/window_tests/window_driver.h"

namespace lockstep::shell {
namespace {

TEST(KeysWindowTest, ShortcutsWorkWhileATextFieldHasTheFocus) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto typing = [&] {
            hand.text("//##experiment/width/##field", "5");
            EXPECT_TRUE(ImGui::GetIO().WantTextInput);
        };
        typing();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
        EXPECT_TRUE(hand.state().showPalette);
        hand.press(ImGuiKey_Escape);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 5) << "what was typed counts";
        typing();
        hand.press(ImGuiKey_F1);
        EXPECT_TRUE(hand.state().showKeys);
        hand.press(ImGuiKey_F1);
        EXPECT_FALSE(hand.state().showKeys);
        typing();
        hand.press(ImGuiMod_Ctrl | ImGuiKey_2);
        EXPECT_EQ(hand.state().task, "measure");
        hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
        typing();
        const auto before = hand.state().choice;
        const std::string theme = hand.state().theme;
        hand.press(ImGuiMod_Ctrl | ImGuiKey_Z);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_A);
        hand.write("t");
        EXPECT_EQ(hand.state().choice, before) << "the field's own keys stay the field's";
        EXPECT_EQ(hand.state().theme, theme);
        hand.press(ImGuiKey_Escape);
    });
}

TEST(KeysWindowTest, LettersRightAfterAFieldsEnterAreNoShortcuts) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.text("//##experiment/width/##field", "5");
        const std::string theme = hand.state().theme, view = hand.state().turnedTo;
        hand.press(ImGuiKey_Enter);
        for (const ImGuiKey key : {ImGuiKey_T, ImGuiKey_3, ImGuiKey_Z})
            hand.press(key);
        EXPECT_EQ(hand.state().theme, theme);
        EXPECT_EQ(hand.state().turnedTo, view);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 5);
        const f64 begun = ImGui::GetTime();
        hand.await([&] { return ImGui::GetTime() > begun + 1; }, "a second");
        hand.press(ImGuiKey_T);
        EXPECT_NE(hand.state().theme, theme) << "later they are";
    });
}

const ImVector<ImGuiPopupData>& openPopups() { return ImGui::GetCurrentContext()->OpenPopupStack; }

TEST(KeysWindowTest, TheTableOfKeysIsSearchedAndHasAllOfThem) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_F1);
        hand.frames(4);
        hand.photograph("keys-all");
        hand.write("indent");
        hand.frames(4);
        EXPECT_TRUE(hand.isDrawn("Indent lines, or unindent"));
        EXPECT_FALSE(hand.isDrawn("Next warp"));
        hand.photograph("keys-searched");
        EXPECT_EQ(hand.state().choice.variant, "tiled-bounds") << "what is typed there is no command";
        hand.press(ImGuiKey_Escape);
        hand.frames(2);
        EXPECT_FALSE(hand.state().showKeys);
        const auto has = [&](std::string_view query, std::string_view does) {
            return std::ranges::any_of(app::keyRows(hand.state(), query),
                                       [&](const app::KeyRow& row) { return row.does == does; });
        };
        EXPECT_TRUE(has("tour", "Tour of the window, in 4 steps"));
        EXPECT_TRUE(has("", "Next event"));
        EXPECT_TRUE(has("CTRL f", "Find and replace in the text"));
        EXPECT_TRUE(app::keyRows(hand.state(), "nothing like it").empty());
        for (const app::Command& command : app::commands())
            EXPECT_TRUE(has("", command.name->english())) << command.id;
    });
}

TEST(KeysWindowTest, ThePaletteTakesKernelsAndViewsBeforeTermsAndCommands) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        const auto enter = [&](const char* text) {
            hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
            hand.write(text);
            hand.press(ImGuiKey_Enter);
            hand.awaitRun();
            hand.frames(4);
        };
        enter("reduction");
        EXPECT_EQ(hand.state().choice.family, "reduction");
        EXPECT_TRUE(hand.state().term.empty());
        enter("playground");
        EXPECT_EQ(hand.state().turnedTo, "playground");
        EXPECT_EQ(hand.state().playground.typed, "tid * 32") << "it is what it was";
        enter("warp");
        EXPECT_EQ(hand.state().term, "warp") << "no kernel and no view is called that";
    });
}

TEST(KeysWindowTest, TheTableOfKeysIsWhole) {
    for (const viz::Size size : {viz::Size{1440, 900}, viz::Size{1920, 1080}})
        for (const Language language : {Language::English, Language::Chinese})
            withWindow(
                [&](Request& request) {
                    request.size = size;
                    request.language = language;
                },
                [&](Hand& hand) {
                    hand.awaitRun();
                    hand.press(ImGuiKey_F1);
                    hand.frames(4);
                    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
                        if (!std::string_view(window->Name).starts_with("##keys/")) continue;
                        EXPECT_EQ(window->ScrollMax.y, 0) << size.width << " x " << size.height;
                    }
                });
}

TEST(KeysWindowTest, EscapeClosesAnOpenListAndNothingElse) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        hand.press(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
        ASSERT_TRUE(hand.state().range);
        const auto before = hand.state().choice;
        const std::string theme = hand.state().theme;
        for (const char* list : {"//##experiment/##family", "//##experiment/##variant",
                                 "//##bar/recent/##text", "//##bar/rules/##text"}) {
            hand.click(list);
            ASSERT_EQ(openPopups().Size, 1) << list;
            const ImRect menu = openPopups().back().Window->Rect();
            EXPECT_TRUE(ImRect({0, 0}, ImGui::GetMainViewport()->Size).Contains(menu)) << list;
            hand.press(ImGuiKey_T);
            EXPECT_EQ(hand.state().theme, theme) << "letters are not commands there: " << list;
            hand.press(ImGuiKey_Escape);
            hand.frames(2);
            EXPECT_EQ(openPopups().Size, 0) << list;
            EXPECT_TRUE(hand.state().range) << "Esc was meant for the list: " << list;
            hand.click("//##transport/first/##icon");  // where a row would have been
            EXPECT_EQ(hand.state().choice, before) << list;
        }
    });
}

TEST(KeysWindowTest, RecentWaitsForAPathInItsFieldBelowItsButton) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        for (const char* path : {"/nowhere/first.lks", "/nowhere/second.lks"}) {
            hand.click("//##bar/recent/##text");
            ASSERT_EQ(openPopups().Size, 1);
            const ImGuiWindow& menu = *openPopups().back().Window;
            EXPECT_GE(menu.Pos.y, Hand::windowOf("##bar")->Rect().Max.y - 8) << "the button is in sight";
            EXPECT_TRUE(ImGui::GetIO().WantTextInput);
            hand.photograph("recent-menu");
            hand.write(path);
            hand.press(ImGuiKey_Enter);
            hand.await([&] { return hand.state().fault && hand.state().fault->place.file == path; },
                       "only what was written now is opened");
            EXPECT_EQ(openPopups().Size, 0);
            hand.click("//##sentence/dismiss/##text");
        }
    });
}

TEST(KeysWindowTest, TabReachesEveryControlInOrderAndEscapeGivesTheKeysBack) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.press(ImGuiKey_Home);
        const ImGuiContext& imgui = *ImGui::GetCurrentContext();
        const auto focused = [&] { return imgui.ActiveId ? imgui.ActiveId : imgui.NavId; };
        std::vector<ImGuiID> order;
        std::vector<std::string> windows;
        for (int i = 0; i < 80; ++i) {
            hand.press(ImGuiKey_Tab);
            if (!order.empty() && focused() == order.front()) break;
            order.push_back(focused());
            EXPECT_TRUE(imgui.NavCursorVisible || imgui.IO.WantTextInput) << "where it is can be seen";
            if (windows.empty() || windows.back() != imgui.NavWindow->RootWindow->Name)
                windows.emplace_back(imgui.NavWindow->RootWindow->Name);
        }
        EXPECT_GT(order.size(), 25u);
        EXPECT_LT(order.size(), 80u) << "the last one is followed by the first";
        const auto reaches = [&](const char* item) {
            return std::ranges::find(order, hand.idOf(item)) != order.end();
        };
        for (const char* item :
             {"//##bar/recent/##text", "//##bar/task/$$1/##segment", "//##experiment/##family",
              "//##experiment/width/##field", "//##experiment/run/##text", "//##transport/play/##icon",
              "//##transport/units/$$1/##segment", "//##transport/##speed"})
            EXPECT_TRUE(reaches(item)) << item;
        ASSERT_GE(windows.size(), 3u);
        EXPECT_EQ(windows.front(), "##bar");
        EXPECT_EQ(windows[1], "##experiment");
        EXPECT_EQ(hand.state().cursor.step, 0u);

        const auto tabTo = [&](const char* item) {
            for (int i = 0; i < 90 && focused() != hand.idOf(item); ++i)
                hand.press(ImGuiKey_Tab);
            ASSERT_EQ(focused(), hand.idOf(item)) << item;
        };
        tabTo("//##transport/step/##icon");
        hand.photograph("keyboard-focus");
        hand.press(ImGuiKey_Enter);
        hand.frames(2);
        const u32 first = hand.state().cursor.step;
        EXPECT_GT(first, 0u) << "Enter presses it";
        hand.press(ImGuiKey_RightArrow);
        hand.frames(2);
        EXPECT_EQ(hand.state().cursor.step, first) << "arrows are the controls' now";
        hand.press(ImGuiKey_Escape);
        hand.press(ImGuiKey_RightArrow);
        EXPECT_GT(hand.state().cursor.step, first) << "and the cursor's again";
        tabTo("//##experiment/width/##field");
        hand.write("5");
        hand.press(ImGuiKey_Tab);
        hand.awaitRun();
        EXPECT_EQ(hand.state().choice.values.at("width"), 5) << "a field is written into at once";
        tabTo("//##experiment/##variant");
        hand.press(ImGuiKey_Space);
        hand.frames(2);
        ASSERT_EQ(openPopups().Size, 1);
        hand.press(ImGuiKey_UpArrow);
        hand.press(ImGuiKey_Enter);
        hand.awaitRun();
        EXPECT_EQ(openPopups().Size, 0);
        EXPECT_NE(hand.state().choice.variant, "tiled-bounds") << "arrows and Enter choose from a list";
        const std::string variant = hand.state().choice.variant;
        hand.press(ImGuiMod_Shift | ImGuiKey_Tab);
        EXPECT_EQ(focused(), hand.idOf("//##experiment/##family")) << "and back";
        hand.click("//##transport/first/##icon");
        hand.press(ImGuiKey_RightArrow);
        EXPECT_GT(hand.state().cursor.step, 0u) << "the mouse gives the keys back, too";
    });
}

}  // namespace
}  // namespace lockstep::shell
