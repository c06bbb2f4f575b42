// Ctrl let go in the same frame as the key that it was held for.
#include "app/shell/key_chords.h"

#include <gtest/gtest.h>

namespace lockstep::shell {
namespace {

ImGuiInputEvent keyEvent(ImGuiKey key, bool down) {
    ImGuiInputEvent event;
    event.Type = ImGuiInputEventType_Key;
    event.Key.Key = key;
    event.Key.Down = down;
    return event;
}

TEST(WholeChordsTest, AModifierThatIsLetGoWaitsForTheNextFrame) {
    ImVector<ImGuiInputEvent> queue;
    for (const auto& [key, down] : {std::pair{ImGuiKey(ImGuiMod_Ctrl), true},
                                    {ImGuiKey_LeftCtrl, true},
                                    {ImGuiKey_C, true},
                                    {ImGuiKey(ImGuiMod_Ctrl), false},
                                    {ImGuiKey_LeftCtrl, false},
                                    {ImGuiKey_C, false}})
        queue.push_back(keyEvent(key, down));
    const ImVector<ImGuiInputEvent> later = takeWhatBreaksChords(queue);
    ASSERT_EQ(queue.Size, 3) << "Ctrl and C go down in one frame";
    EXPECT_EQ(queue[2].Key.Key, ImGuiKey_C);
    ASSERT_EQ(later.Size, 3);
    EXPECT_EQ(later[0].Key.Key, ImGuiKey(ImGuiMod_Ctrl));
    EXPECT_FALSE(later[0].Key.Down);
}

TEST(WholeChordsTest, WhatBreaksNoChordIsLeftToImGui) {
    ImVector<ImGuiInputEvent> queue;
    for (const auto& [key, down] : {std::pair{ImGuiKey(ImGuiMod_Shift), true},
                                    {ImGuiKey_A, true},
                                    {ImGuiKey_A, false},
                                    {ImGuiKey_B, true}})
        queue.push_back(keyEvent(key, down));
    EXPECT_EQ(takeWhatBreaksChords(queue).Size, 0);
    EXPECT_EQ(queue.Size, 4);
}

}  // namespace
}  // namespace lockstep::shell
