#include "app/panels/keyboard_focus.h"

#include "app/panels/commands.h"
#include "app/panels/widgets.h"

#include <imgui.h>
#include <imgui_internal.h>  // what has the focus

#include <algorithm>

namespace lockstep::app {

bool KeyboardFocus::navigates() const { return on_ || (!isBrowsing_ && isAnyPopupOpen()); }

void KeyboardFocus::begin(PanelContext& context) {
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    // Dialogs and menus go through their own controls, as ImGui does it.
    const bool isElsewhere = isAnyPopupOpen() || isAsked(context.state) || context.state.showKeys ||
                             context.state.showSaid || context.state.presenting.on;
    if (!isElsewhere && !context.isEditing && ImGui::IsKeyPressed(ImGuiKey_Tab) && !imgui.IO.KeyCtrl &&
        !imgui.IO.KeyAlt) {
        ImGui::NavMoveRequestCancel();
        move(imgui.IO.KeyShift ? -1 : 1);
    } else if (on_ && !isElsewhere && !imgui.IO.WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        ImGui::SetNavCursorVisible(false);
        context.escapeTaken = true;
    }
    // A view that a key turned to has no control with the focus: the keys are the cursor's again.
    const ImGuiWindow* now = imgui.NavWindow ? imgui.NavWindow->RootWindow : nullptr;
    if (std::ranges::find(stops_, imgui.NavId, &FocusStop::id) != stops_.end())
        window_ = now;
    else if (on_ && !isElsewhere && !imgui.IO.WantTextInput && now != window_)
        ImGui::SetNavCursorVisible(false);
    // ImGui has closed a list or a menu before this frame began.
    if (hadPopup_ && ImGui::IsKeyPressed(ImGuiKey_Escape)) context.escapeTaken = true;
    hadPopup_ = isAnyPopupOpen();
    const int popups = imgui.OpenPopupStack.Size;
    context.hasListOpen = std::max(popups_, popups) > 1;
    popups_ = popups;
    isBrowsing_ = context.state.browsing;
    // Letters that follow at once belong to what was typed, until something else is done.
    constexpr f64 kTypesOn = 0.6;
    const bool isTyped = imgui.IO.WantTextInput && !context.isEditing && !isElsewhere &&
                         (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
    context.typesOn = !imgui.IO.WantTextInput && typedAt_ >= 0 && imgui.Time - typedAt_ < kTypesOn;
    if (imgui.IO.KeyCtrl || imgui.IO.KeyAlt || ImGui::IsMouseClicked(ImGuiMouseButton_Left)) typedAt_ = -1;
    if (isTyped || (context.typesOn && !imgui.IO.InputQueueCharacters.empty())) typedAt_ = imgui.Time;
    on_ = on_ && (imgui.NavCursorVisible || imgui.IO.WantTextInput || isElsewhere);
    context.hasFocus = on_ && !isElsewhere;
    stops_.clear();
    context.stops = &stops_;
}

void KeyboardFocus::move(int by) {
    if (stops_.empty()) return;
    ImGuiContext& imgui = *ImGui::GetCurrentContext();
    const u32 now = imgui.ActiveId ? imgui.ActiveId : on_ ? imgui.NavId : 0;
    const auto here = std::ranges::find(stops_, now, &FocusStop::id);
    const auto count = std::ptrdiff_t(stops_.size());
    const std::ptrdiff_t at =
        here == stops_.end() ? (by > 0 ? 0 : count - 1) : (here - stops_.begin() + by + count) % count;
    const FocusStop& stop = stops_[std::size_t(at)];
    ImGui::ClearActiveID();  // what was typed there counts
    ImGui::FocusWindow(stop.window);
    const ImRect place{{stop.place.x, stop.place.y}, {stop.place.right(), stop.place.bottom()}};
    ImGui::SetNavID(stop.id, ImGuiNavLayer_Main, stop.window->NavRootFocusScopeId,
                    ImGui::WindowRectAbsToRel(stop.window, place));
    ImGui::ScrollToRect(stop.window, place, ImGuiScrollFlags_KeepVisibleEdgeY);
    ImGui::SetNavCursorVisible(true);
    imgui.NavHighlightItemUnderNav = true;
    if (stop.isText) {
        imgui.NavNextActivateId = stop.id;
        imgui.NavNextActivateFlags = ImGuiActivateFlags_PreferInput | ImGuiActivateFlags_FromTabbing;
    }
    on_ = true;
}

}  // namespace lockstep::app
