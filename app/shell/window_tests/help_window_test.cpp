// Every control of the window says what it is for, in both languages, and names a page of the documentation
// that there is.
#include "app/shell/window_tests/window_driver.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>

namespace lockstep::shell {
namespace {

// Not controls: views and their tabs, scroll bars, ImGui's own grips, rows of a list.
bool isControl(const Hand::Item& item) {
    for (const char* other :
         {"#SCROLL", "#RESIZE", "#TAB", "##Tab", "#CLOSE", "#COLLAPSE", "##entry", "##OverflowMenu"})
        if (item.label.find(other) != std::string::npos) return false;
    return viz::findView(item.label) == nullptr && !item.label.empty();
}

struct Seen {
    std::string window, label, text;
};

// The controls of a window, by id; a failure for each without help.
void look(Hand& hand, const std::vector<app::HelpedControl>& controls, const char* window, std::size_t least,
          std::map<ImGuiID, Seen>& seen) {
    ASSERT_NE(Hand::windowOf(window), nullptr) << window;
    std::size_t count = 0;
    for (const Hand::Item& item : hand.itemsOf((std::string("//") + window).c_str())) {
        const auto help = std::ranges::find_if(controls, [&](const app::HelpedControl& control) {
            return control.id == item.id || control.id == item.parent;
        });
        if (help == controls.end()) {
            EXPECT_FALSE(isControl(item)) << window << ": " << item.label << " has no help";
            continue;
        }
        ++count;
        EXPECT_FALSE(help->text.empty()) << window << ": " << item.label;
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs" / help->page))
            << window << ": " << item.label << " leads to " << help->page;
        seen[item.id] = {window, item.label, help->text};
    }
    EXPECT_GE(count, least) << window << ": the test sees its controls";
}

std::map<ImGuiID, Seen> walk(Hand& hand, const std::vector<app::HelpedControl>& controls,
                             const std::string& kernel) {
    std::map<ImGuiID, Seen> seen;
    look(hand, controls, "##bar", 10, seen);
    look(hand, controls, "##experiment", 8, seen);
    look(hand, controls, "##transport", 11, seen);
    hand.bringUp("playground");
    look(hand, controls, "###playground", 14, seen);
    hand.press(ImGuiKey_F1);
    look(hand, controls, "##keys", 1, seen);
    hand.press(ImGuiKey_Escape);
    hand.press(ImGuiMod_Ctrl | ImGuiKey_P);
    look(hand, controls, "##palette", 1, seen);
    hand.write("glossary: warp shuffle");
    hand.press(ImGuiKey_Enter);
    look(hand, controls, "##glossary", 4, seen);
    hand.press(ImGuiKey_Escape);
    hand.press(ImGuiMod_Ctrl | ImGuiKey_E);
    look(hand, controls, "##exportdialogue", 9, seen);
    hand.click("//##exportdialogue/format/$$2/##segment");
    look(hand, controls, "##exportdialogue", 11, seen);
    hand.press(ImGuiKey_Escape);
    hand.drop("/there/is/none.txt");
    hand.await([&] { return hand.state().fault.has_value(); }, "that is no kernel");
    look(hand, controls, "##sentence", 1, seen);
    hand.click("//##sentence/dismiss/##text");
    hand.drop(kernel);
    hand.await([&] { return hand.state().dialog.has_value(); }, "the kernel's launch is asked for");
    look(hand, controls, "##own kernel", 7, seen);
    hand.press(ImGuiKey_Escape);
    hand.press(ImGuiMod_Ctrl | ImGuiKey_3);
    hand.awaitRun();
    look(hand, controls, "##comparebar", 3, seen);
    hand.press(ImGuiMod_Ctrl | ImGuiKey_1);
    return seen;
}

TEST(HelpTest, EveryControlSaysWhatItIsForInBothLanguages) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "lockstep_help_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "scale.ptx") << ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry "
                                           "scale(.param .u64 data)\n{\nret;\n}\n";
    const auto prepare = [](Request& request) {
        request.size = {1600, 900};
        request.hint = true;
    };
    withWindow(prepare, [&](Hand& hand) {
        hand.awaitRun();
        std::vector<app::HelpedControl> controls;
        hand.listControls(&controls);
        std::map<ImGuiID, Seen> hint;
        look(hand, controls, "##hint", 5, hint);
        const std::map<ImGuiID, Seen> english = walk(hand, controls, (folder / "scale.ptx").string());
        hand.click("//##bar/language/##text");
        EXPECT_EQ(hand.state().language, Language::Chinese);
        const std::map<ImGuiID, Seen> chinese = walk(hand, controls, (folder / "scale.ptx").string());
        EXPECT_GT(english.size(), 60u);
        for (const auto& [id, seen] : chinese) {
            const auto before = english.find(id);
            if (before == english.end()) continue;
            EXPECT_NE(before->second.text, seen.text)
                << seen.window << ": " << seen.label << " says the same in both languages";
        }
        hand.listControls(nullptr);
    });
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::shell
