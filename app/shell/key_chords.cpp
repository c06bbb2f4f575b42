#include "app/shell/key_chords.h"

namespace lockstep::shell {
namespace {

// Left Ctrl and the like send their own event and that of their modifier.
bool isModifier(ImGuiKey key) {
    return (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper) || (key & ImGuiMod_Mask_) != 0;
}

}  // namespace

ImVector<ImGuiInputEvent> takeWhatBreaksChords(ImVector<ImGuiInputEvent>& queue) {
    ImVector<ImGuiInputEvent> later;
    bool isPressed = false;
    for (int i = 0; i < queue.Size; ++i) {
        if (queue[i].Type != ImGuiInputEventType_Key) continue;
        const bool modifies = isModifier(queue[i].Key.Key);
        if (isPressed && modifies) {
            for (int rest = i; rest < queue.Size; ++rest)
                later.push_back(queue[rest]);
            queue.resize(i);
            break;
        }
        isPressed |= !modifies && queue[i].Key.Down;
    }
    return later;
}

}  // namespace lockstep::shell
