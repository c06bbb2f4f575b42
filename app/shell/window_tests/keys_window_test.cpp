// The keyboard: shortcuts and what has the focus.
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

const ImVector<ImGuiPopupData>& openPopups() { return ImGui::GetCurrentContext()->OpenPopupStack; }

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

}  // namespace
}  // namespace lockstep::shell
