#include "app/shell/drawing/gui.h"

#include "app/panels/widgets.h"
#include "app/shell/key_chords.h"

#include <imgui.h>

namespace lockstep::shell {

Gui::Gui(const viz::Fonts& fonts, Shows shows)
    : fonts_(fonts), shows_(shows), context_(ImGui::CreateContext()) {
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigFlags |= ImGuiConfigFlags_DockingEnable;
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    io.ConfigDockingAlwaysTabBar = true;
    io.IniFilename = nullptr;
    imguiFonts_ = viz::addFonts(fonts);
    ImGui::GetStyle().FontSizeBase = imguiFonts_.size(viz::Face::Text, viz::type::kBody);
}

Gui::~Gui() { ImGui::DestroyContext(context_); }

bool Gui::frame(const app::State& state, std::vector<app::Action>& actions) {
    // The notes are not for the hall: they keep the window's theme.
    const bool isWindow = shows_ == Shows::Window;
    const viz::Theme* theme = viz::findTheme(isWindow ? app::themeShown(state) : state.theme);
    if (!theme) theme = &viz::defaultTheme();
    if (styledFor_ != theme->name) {
        app::applyStyle(*theme);
        styledFor_ = theme->name;
    }
    if (isWindow) window_.arrange(state);
    ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
    flags = !isWindow || window_.navigates() ? flags | ImGuiConfigFlags_NavEnableKeyboard
                                             : flags & ~ImGuiConfigFlags_NavEnableKeyboard;
    ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
    const ImVector<ImGuiInputEvent> later = takeWhatBreaksChords(queue);
    ImGui::NewFrame();
    for (const ImGuiInputEvent& event : later)
        queue.push_back(event);
    if (controls_) controls_->clear();
    if (texts_) texts_->clear();
    app::PanelContext context{state, *theme, fonts_, imguiFonts_, actions, controls_};
    context.texts = texts_;
    const bool moving = isWindow && window_.draw(context);
    if (!isWindow) app::drawNotesPage(context, clock_);
    ImGui::Render();
    return moving;
}

}  // namespace lockstep::shell
