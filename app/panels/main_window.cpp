#include "app/panels/main_window.h"

#include <algorithm>

#include <imgui.h>
#include <imgui_internal.h>  // DockBuilder: the first layout

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr f32 kLeftWidth = 232, kSourceWidth = 460, kTransportHeight = 44, kTimelineHeight = 140, kSentenceHeight = viz::space::kSentence;
constexpr f32 kNarrow = 1200;  // below, the source is a tab of the middle
constexpr ImGuiWindowFlags kFixed = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                    ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

// A part of the window with a place of its own.
enum class Content : u8 { Fills, Scrolls };  // edge to edge, or a padded column that scrolls
template <class Draw>
void fixedPart(const char* name, viz::Rect place, Content content, Draw&& draw) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::SetNextWindowPos({origin.x + place.x, origin.y + place.y});
    ImGui::SetNextWindowSize({place.width, place.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, content == Content::Scrolls ? ImVec2(viz::space::kInset, 10) : ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
    const ImGuiWindowFlags scrolling = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    if (ImGui::Begin(name, nullptr, content == Content::Scrolls ? kFixed & ~scrolling : kFixed | scrolling)) draw();
    ImGui::End();
    ImGui::PopStyleVar(2);
}

void hairline(PanelContext& context, viz::Point from, viz::Point to) {
    const ImVec2 origin = ImGui::GetMainViewport()->WorkPos;
    ImGui::GetForegroundDrawList()->AddLine({origin.x + from.x, origin.y + from.y}, {origin.x + to.x, origin.y + to.y}, ink(context, RoleKind::Line));
}

// What ImGui calls the view's window: the title may change with the language, the part behind ### may not.
std::string windowName(const viz::ViewRow& view, Language language) { return view.title.in(language) + "###" + std::string(view.name); }

}  // namespace

MainWindow::MainWindow() {
    for (const viz::ViewRow& view : viz::views()) panels_.push_back(std::make_unique<ScenePanel>(view));
}

ScenePanel* MainWindow::panelNamed(std::string_view name) {
    const auto found = std::ranges::find_if(panels_, [&](const auto& panel) { return panel->view().name == name; });
    return found == panels_.end() ? nullptr : found->get();
}

void MainWindow::layOutDocks(u32 dockspace, f32 width, f32 height) const {
    ImGui::DockBuilderRemoveNode(dockspace);
    ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(dockspace, {width, height});
    ImGuiID middle = dockspace, right = dockspace;
    if (width + kLeftWidth >= kNarrow) ImGui::DockBuilderSplitNode(dockspace, ImGuiDir_Right, kSourceWidth / width, &right, &middle);
    for (const auto& panel : panels_) {
        const std::string_view name = panel->view().name;
        if (name == "timeline") continue;  // has its own place
        const bool onTheRight = name == "source" || name == "lanes" || name == "findings" || name == "memory";
        ImGui::DockBuilderDockWindow(("###" + std::string(name)).c_str(), onTheRight ? right : middle);
    }
    ImGui::DockBuilderFinish(dockspace);
}

bool MainWindow::drawViews(PanelContext& context) {
    bool moving = false;
    const bool bringUp = context.state.timesBroughtUp != timesBroughtUp_ && !newLayout_;
    if (bringUp) timesBroughtUp_ = context.state.timesBroughtUp;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
    for (const auto& panel : panels_) {
        const viz::ViewRow& view = panel->view();
        if (view.name == "timeline") continue;
        // In a new layout the source lies on top at the right, and the stage has the keys.
        const bool onTop = newLayout_ && (view.name == "source" || view.name == "stage");
        if (onTop || (bringUp && context.state.broughtUp == view.name)) ImGui::SetNextWindowFocus();
        ImGui::PushFont(context.fonts.font(viz::Face::Text), context.fonts.size(viz::Face::Text, viz::type::kBody));
        const bool open = ImGui::Begin(windowName(view, context.state.language).c_str(), nullptr, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::PopFont();
        if (open) moving |= panel->draw(context);
        ImGui::End();
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    newLayout_ = false;
    return moving;
}

bool MainWindow::draw(PanelContext& context) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const f32 width = viewport.WorkSize.x, height = viewport.WorkSize.y;
    const f32 bottom = height - kTransportHeight - kTimelineHeight;       // where the transport begins
    const f32 middleHeight = bottom - kBarHeight - kSentenceHeight;
    handleKeys(context);

    fixedPart("##bar", {0, 0, width, kBarHeight}, Content::Fills, [&] { drawTopBar(context); });
    fixedPart("##experiment", {0, kBarHeight, kLeftWidth, bottom - kBarHeight}, Content::Scrolls, [&] { drawExperiment(context); });

    bool moving = false;
    const viz::Rect docks{kLeftWidth, kBarHeight, width - kLeftWidth, middleHeight};
    fixedPart("##docks", docks, Content::Fills, [&] {
        const ImGuiID dockspace = ImGui::GetID("views");
        if (!ImGui::DockBuilderGetNode(dockspace)) {
            layOutDocks(dockspace, docks.width, docks.height);
            newLayout_ = true;
        }
        ImGui::DockSpace(dockspace, {0, 0}, ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton);
    });
    moving |= drawViews(context);

    fixedPart("##sentence", {kLeftWidth, kBarHeight + middleHeight, width - kLeftWidth, kSentenceHeight}, Content::Fills, [&] {
        if (context.state.fault) {
            ImGui::SetCursorPos({viz::space::kInset, 12});
            drawFault(context);
        } else if (!context.state.run) {
            drawSentence(context, std::string(words::kFirstRun.in(context.state.language)));
        } else if (ScenePanel* stage = panelNamed("stage")) {
            drawSentence(context, stage->sentence());
        }
    });
    fixedPart("##transport", {0, bottom, width, kTransportHeight}, Content::Fills, [&] { drawTransport(context); });
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
    fixedPart("##timeline", {0, bottom + kTransportHeight, width, kTimelineHeight}, Content::Fills, [&] {
        if (ScenePanel* timeline = panelNamed("timeline")) moving |= timeline->draw(context);
    });
    ImGui::PopStyleColor();

    hairline(context, {0, kBarHeight}, {width, kBarHeight});
    hairline(context, {kLeftWidth, kBarHeight}, {kLeftWidth, bottom});
    hairline(context, {0, bottom}, {width, bottom});
    hairline(context, {kLeftWidth, kBarHeight + middleHeight}, {width, kBarHeight + middleHeight});
    drawKeys(context);
    return moving;
}

}  // namespace lockstep::app
