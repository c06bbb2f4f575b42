// Keeps a key and its modifiers together in one frame, however fast they are released.
#pragma once

#include <imgui_internal.h>

namespace lockstep::shell {

// ImGui processes as much of its queue per frame as it can, including, with a key press, the following
// release of Ctrl or Shift: the chord would be read as a plain key. Removes the events from there on; they
// are appended to the queue again once the frame has begun.
ImVector<ImGuiInputEvent> takeWhatBreaksChords(ImVector<ImGuiInputEvent>& queue);

}  // namespace lockstep::shell
