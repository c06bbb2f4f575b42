// Another ImGui context for a while.
#pragma once

#include <imgui.h>

namespace lockstep::shell {

// ImGui draws into the current context; restores the one on screen.
class WithContext {
public:
    explicit WithContext(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) {
        ImGui::SetCurrentContext(context);
    }
    ~WithContext() { ImGui::SetCurrentContext(before_); }
    WithContext(const WithContext&) = delete;
    WithContext& operator=(const WithContext&) = delete;

private:
    ImGuiContext* before_;
};

}  // namespace lockstep::shell
