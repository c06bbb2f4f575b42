// A key and the modifiers that it was pressed with, together in one frame, however fast they are let go.
#pragma once

#include <imgui_internal.h>

namespace lockstep::shell {

// ImGui takes what it can of its queue into a frame, and with a key that went down the release of Ctrl or
// Shift behind it: the chord would be read as a plain key. Takes off the queue what comes from there on; it
// goes back behind the queue once the frame has begun.
ImVector<ImGuiInputEvent> takeWhatBreaksChords(ImVector<ImGuiInputEvent>& queue);

}  // namespace lockstep::shell
