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

}  // namespace
}  // namespace lockstep::shell
