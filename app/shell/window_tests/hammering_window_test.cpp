// Thousands of random keys, and restarts between them: whatever they lead to, the docks fill their place and
// no tab lies over another. LOCKSTEP_RANDOM_KEYS=10000 presses so many of them.
#include "app/panels/commands.h"
#include "app/shell/window_tests/window_driver.h"

#include <algorithm>
#include <cstdlib>
#include <random>

namespace lockstep::shell {
namespace {

std::vector<ImGuiKeyChord> keysToPress() {
    std::vector<ImGuiKeyChord> keys{ImGuiKey_Escape, ImGuiKey_Escape, ImGuiKey_Enter, ImGuiKey_Tab};
    for (int key = ImGuiKey_1; key <= ImGuiKey_9; ++key)
        keys.push_back(key);
    for (const app::Command& command : app::commands())
        for (const int chord : command.chords)
            if (chord && command.id != "quit" && command.id != "open" && command.id != "present")
                keys.push_back(chord);
    return keys;
}

// What is wrong with the docks, if anything.
std::string faultOfDocks() {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    f32 area = 0;
    const ImGuiDockNode* root = nullptr;
    for (int i = 0; i < context.DockContext.Nodes.Data.Size; ++i) {
        auto* node = static_cast<ImGuiDockNode*>(context.DockContext.Nodes.Data[i].val_p);
        if (!node || node->LastFrameActive != context.FrameCount) continue;
        if (node->IsRootNode()) root = node;
        if (!node->IsLeafNode() || !node->IsVisible) continue;
        area += node->Size.x * node->Size.y;
        if (!node->TabBar) continue;
        std::vector<ImGuiTabItem> tabs(node->TabBar->Tabs.begin(), node->TabBar->Tabs.end());
        // The button at the end has a place of its own, at which the tabs are cut.
        std::erase_if(tabs, [](const ImGuiTabItem& tab) { return tab.Flags & ImGuiTabItemFlags_Trailing; });
        std::ranges::sort(tabs, {}, &ImGuiTabItem::Offset);
        for (std::size_t t = 1; t < tabs.size(); ++t)
            if (tabs[t].LastFrameVisible == context.FrameCount &&
                tabs[t - 1].LastFrameVisible == context.FrameCount &&
                tabs[t].Offset + 0.5f < tabs[t - 1].Offset + tabs[t - 1].Width)
                return "a tab lies over another";
        if (node->VisibleWindow && node->VisibleWindow->LastFrameActive + 1 < context.FrameCount)
            return "the view in front is not drawn";
    }
    // All but the lines between them.
    if (root && area < 0.98f * root->Size.x * root->Size.y) return "a corner is left empty";
    return {};
}

TEST(HammeringWindowTest, RandomKeysAndRestartsLeaveTheDocksInOrder) {
    const char* asked = std::getenv("LOCKSTEP_RANDOM_KEYS");
    const int most = asked ? std::atoi(asked) : 120, starts = asked ? 20 : 3;
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "lockstep_hammering";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::vector<ImGuiKeyChord> keys = keysToPress();
    std::mt19937 random(20);
    for (int start = 0; start < starts; ++start)
        withWindow(
            [&](Request& request) {
                request.layoutFile = folder / "window.ini";
                request.size = start % 2 ? viz::Size{1440, 900} : viz::Size{1280, 800};
            },
            [&](Hand& hand) {
                hand.awaitRun();
                hand.frames(6);
                EXPECT_EQ(faultOfDocks(), "") << "after start " << start;
                std::string pressed;
                for (int i = 0; i < most / starts; ++i) {
                    const ImGuiKeyChord key = keys[random() % keys.size()];
                    pressed += std::string(ImGui::GetKeyChordName(key)) + " ";
                    hand.press(key);
                    if (i % 20 == 19) hand.frames(8);
                    const bool hasDocks = !hand.state().compared.open && !isEnlarged(hand.state()) &&
                                          !hand.state().presenting.on;
                    if (i % 20 == 19 && hasDocks) {
                        ASSERT_EQ(faultOfDocks(), "") << "start " << start << ": " << pressed;
                    }
                    ASSERT_FALSE(hand.state().quit);
                }
                hand.photograph("hammered-" + std::to_string(start));
            });
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lockstep::shell
