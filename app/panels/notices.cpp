// Says for a while what has just been done.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"

#include <imgui.h>
#include <imgui_internal.h>  // above all that is not a dialog

#include <algorithm>

namespace lockstep::app {

void drawNotices(PanelContext& context, const viz::Rect& area) {
    constexpr f32 kMargin = 12, kWidest = 460;
    if (context.state.notices.empty()) return;
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::SetNextWindowPos({origin.x + area.x + area.width / 2, origin.y + area.bottom() - kMargin},
                            ImGuiCond_Always, {0.5f, 1});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(viz::space::kInset, 10));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::Begin("##notices", nullptr,
                     ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoFocusOnAppearing)) {
        ImGui::BringWindowToDisplayFront(ImGui::GetCurrentWindow());
        for (const Notice& notice : context.state.notices)
            paragraph(context, notice.text, {},
                      std::min({kWidest, area.width - 60, widthOf(context, notice.text) + 2}));
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

void copyCommandLine(PanelContext& context, std::string_view view) {
    const std::string line = commandLine(context.state, view);
    if (line.empty()) return;
    ImGui::SetClipboardText(line.c_str());
    context.send(Say{say(context.state.language, words::kCopiedLine, line)});
}

}  // namespace lockstep::app
