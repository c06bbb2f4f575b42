#include "app/panels/main_window.h"

#include "app/panels/commands.h"
#include "app/panels/editor/editor_words.h"
#include "app/panels/first_run.h"
#include "app/panels/first_start.h"
#include "app/panels/fixed_part.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/panels.h"
#include "app/panels/playlist/lecture_screen.h"
#include "app/panels/playlist/playlist_column.h"
#include "app/panels/terms.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"
#include "explain/findings/finding_at.h"
#include "viz/cursor/lookup.h"
#include "viz/marks/frame.h"
#include "viz/scene/scene_text.h"

#include <imgui.h>
#include <imgui_internal.h>  // DockBuilder: the first layout

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr Words kChooseAnother = english("Choose another variant");

constexpr f32 kTransportHeight = 44;
// Widths of the experiment and the source: a window wider than a laptop's has space for longer names and
// lines.
f32 leftWidth(f32 window) { return std::round(std::clamp(window * 0.125f, 232.0f, 320.0f)); }
f32 sourceWidth(f32 docks) { return std::round(std::clamp(docks * 0.32f, 460.0f, 820.0f)); }
constexpr f32 kNarrow = 1200;      // below, the source is a tab of the middle
constexpr f32 kVeryNarrow = 1000;  // below, the experiment is drawn over the views, and only when asked for
constexpr int kUntilTabs = 2;      // frames
constexpr f32 kLeastDock = 160;
constexpr f32 kLow = 640;         // below, sentence and timeline are smaller
constexpr f32 kBriefHeight = 24;  // height of the line that says what to look at
constexpr f32 kLowBrief = 20, kLowSentence = 46,
              kLowTimeline =
                  92;  // of a low window, together no taller than sentence and timeline without that line
constexpr f32 kMoreWarps = 4;  // what the line of other warps takes of the row in a low window
// Initial places of the views, by task: those at the right; all others are in the middle. On top: one of
// each (mainViewsOf).
struct Arrangement {
    std::string_view task;
    std::array<std::string_view, 8> atTheRight{};
};
constexpr std::array kArrangements{
    Arrangement{"explore", {"source", "read", "lanes", "findings", "memory", "times"}},
    Arrangement{"measure", {"source", "read", "lanes", "findings", "stage"}}};

const Arrangement& arrangementOf(std::string_view task) {
    const auto found = std::ranges::find(kArrangements, task, &Arrangement::task);
    return found == kArrangements.end() ? kArrangements.front() : *found;
}

u32 warpsOfBlock(const State& state) {
    const trace::FocusBlock* block =
        state.run ? state.run->recording.trace.find(state.cursor.launch, state.cursor.block) : nullptr;
    return block ? std::max(1u, u32(block->warps.size())) : 1;
}

// Of a run whose steps do not all have room, the timeline has a strip more: the numbers below stay in sight.
f32 scrubHeight(const State& state, f32 width) {
    constexpr f32 kStrip = 18, kNames = 132, kLeastStep = 2;
    const u32 steps = state.run ? viz::stepsOfWarp(*state.run, state.cursor) : 0;
    return kLeastStep * f32(steps) > width - kNames ? kStrip : 0;
}

// Where a view has nothing to show yet, what gives it something. `corner`: of the view, on the screen.
void drawWayToCompare(PanelContext& context, ImVec2 corner) {
    const Language language = context.state.language;
    const std::string_view text = kChooseAnother.in(language);
    const f32 wide = widthOf(context, text) + 24;
    const ImVec2 low = ImGui::GetWindowPos(),
                 high{low.x + ImGui::GetWindowWidth(), low.y + ImGui::GetWindowHeight()};
    ImGui::SetCursorScreenPos({(low.x + high.x - wide) / 2,
                               std::min((corner.y + high.y) / 2 + kControlHeight, high.y - kControlHeight)});
    if (textButton(context, "compare", text, {words::kCompareWithHover.in(language), "guide/pictures.md"}))
        context.send(CompareWithAnother{});
}

// What stands below is not of what was typed.
void dimFrom(PanelContext& context, ImVec2 corner) {
    constexpr f32 kDim = 0.7f;
    const ImVec2 low = ImGui::GetWindowPos(),
                 high{low.x + ImGui::GetWindowWidth(), low.y + ImGui::GetWindowHeight()};
    ImGui::GetWindowDrawList()->AddRectFilled({low.x, corner.y}, high, ink(context, RoleKind::Ground, kDim));
}

// Covered, hidden, or itself: then true.
bool drawView(PanelContext& context, ScenePanel& panel, bool& moving) {
    const State& state = context.state;
    const viz::ViewRow& view = panel.view();
    if (!view.needsRun) drawPlaygroundControls(context);
    if (isCovered(state, view.name)) return drawCovered(context), false;
    if (state.playlists.hidesView(view.name)) return drawUnrevealed(context, view.name), false;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    if (view.showsBoth && state.run && !state.compared.choice) ImGui::SetNextItemAllowOverlap();
    const ImVec2 picture = ImGui::GetCursorScreenPos();
    moving |= panel.draw(context);
    if (!view.needsRun && state.playground.fault) dimFrom(context, picture);
    if (view.showsBoth && state.run && !state.compared.choice) drawWayToCompare(context, corner);
    return true;
}

// The title of the view on top, in the free part of its tab row.
void drawCaption(PanelContext& context, std::string_view caption) {
    const ImGuiDockNode* node = ImGui::GetWindowDockNode();
    if (!node || !node->TabBar || !node->HostWindow || caption.empty()) return;
    // While docks are laid out anew, views without a tab yet are drawn as well.
    if (node->VisibleWindow != ImGui::GetCurrentWindow()) return;
    const TextLook look{.size = viz::type::kCode, .role = RoleKind::TextSecond};
    const ImRect row = node->TabBar->BarRect;
    const f32 right = row.Max.x - viz::space::kInset,
              room = right - row.Min.x - node->TabBar->WidthAllTabs - viz::space::kInset;
    // Its first parts are the most general: the cursor's label has them, too.
    constexpr std::string_view kBetween = " · ";
    f32 width = widthOf(context, caption, look);
    for (; width > room; width = widthOf(context, caption, look)) {
        const std::size_t end = caption.find(kBetween);
        if (end == std::string_view::npos) return;
        caption.remove_prefix(end + kBetween.size());
    }
    ImGui::PushClipRect(row.Min, row.Max, false);
    drawText(context, *node->HostWindow->DrawList, {right - width, row.GetCenter().y}, caption, look);
    ImGui::PopClipRect();
}

// Where the tabs of a dock scroll, the one that is cut fades out.
void fadeCutTab(const ImGuiTabBar& tabs) {
    constexpr f32 kFade = 40;
    const ImU32 ground = ImGui::GetColorU32(ImGuiCol_TitleBg), none = ground & ~IM_COL32_A_MASK;
    const ImRect& bar = tabs.BarRect;
    for (const ImGuiTabItem& tab : tabs.Tabs) {
        if (tab.Flags & (ImGuiTabItemFlags_Leading | ImGuiTabItemFlags_Trailing)) continue;
        const f32 left = bar.Min.x + tab.Offset - tabs.ScrollingAnim, right = left + tab.Width;
        const f32 shownLeft = std::max(left, tabs.ScrollingRectMinX),
                  shownRight = std::min(right, tabs.ScrollingRectMaxX);
        if (shownRight <= shownLeft) continue;
        const f32 wide = std::min(kFade, shownRight - shownLeft);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        if (shownRight < right)
            list.AddRectFilledMultiColor({shownRight - wide, bar.Min.y}, {shownRight, bar.Max.y}, none,
                                         ground, ground, none);
        if (left < shownLeft)
            list.AddRectFilledMultiColor({shownLeft, bar.Min.y}, {shownLeft + wide, bar.Max.y}, ground, none,
                                         none, ground);
    }
}

// The button after the tabs of a dock: maximizes its view.
void drawEnlargeButton(PanelContext& context, ImGuiDockNode* node, std::string_view view) {
    if (!node || !ImGui::DockNodeBeginAmendTabBar(node)) return;
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    if (ImGui::TabItemButton("    ###enlarge", ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip))
        context.send(Enlarge{std::string(view)});
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    drawIcon(*ImGui::GetWindowDrawList(), Icon::Enlarge, {(low.x + high.x) / 2, (low.y + high.y) / 2},
             ink(context, RoleKind::TextSecond));
    helped(context, {words::kEnlargeHelp.in(context.state.language), "guide/window.md"});
    fadeCutTab(*node->TabBar);
    ImGui::PopFont();
    ImGui::DockNodeEndAmendTabBar();
}

// Brings the view's tab to the front, regardless of focus: if several windows request focus in a frame, ImGui
// gives it to the last, and only that one's tab comes to the front by itself.
void putInFront(std::string_view view) {
    const ImGuiWindow* window = ImGui::FindWindowByName(("###" + std::string(view)).c_str());
    if (window && window->DockNode && window->DockNode->TabBar)
        window->DockNode->TabBar->NextSelectedTabId = window->TabId;
}

f32 roomOf(const ScenePanel& panel) { return panel.place()->area.width * panel.place()->area.height; }

// Whether the mouse was pressed in the current window, or on its tab.
bool isClicked() {
    return (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered()) ||
           ImGui::GetActiveID() == ImGui::GetCurrentWindow()->TabId;
}

constexpr std::string_view kPlayground = "playground";
constexpr const char* kExperimentPart = "##experiment";
constexpr const char* kEditorWindow = "###editor";

// The button after the tabs of the source's dock: opens its file in the editor.
void drawEditButton(PanelContext& context, ImGuiDockNode* node) {
    const Language language = context.state.language;
    if (!node || !ImGui::DockNodeBeginAmendTabBar(node)) return;
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const std::string name = std::string(words::kEdit.in(language)) + "###edit";
    if (ImGui::TabItemButton(name.c_str(), ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip))
        context.send(EditorAction{EditFile{}});
    helped(context, {words::kEditHelp.in(language), "guide/editor.md"});
    ImGui::PopFont();
    ImGui::DockNodeEndAmendTabBar();
}

// A dialog, a list or a menu lies over the drawer of the experiment.
bool isOverDrawer(const State& state) {
    return isAsked(state) || state.showKeys || state.showSaid || isAnyPopupOpen();
}

// ImGui's name of the view's window: the title may change with the language, the part after ### must not.
std::string windowName(const viz::ViewRow& view, Language language) {
    return say(language, view.title) + "###" + std::string(view.name);
}

}  // namespace

MainWindow::Arrangements MainWindow::arrangements() const {
    Arrangements all = arrangements_;
    if (!task_.empty() && !laidOutNarrow_) all[task_] = ImGui::SaveIniSettingsToMemory();
    return all;
}

void MainWindow::arrange(const State& state) {
    layOutAnew_ |= state.timesLaidOut != timesLaidOut_;
    timesLaidOut_ = state.timesLaidOut;
    if (state.task == task_) return;
    const bool isFirst = task_.empty();
    if (!isFirst) arrangements_ = arrangements();
    task_ = state.task;
    inFront_.clear();
    if (const auto kept = arrangements_.find(task_); kept != arrangements_.end())
        ImGui::LoadIniSettingsFromMemory(kept->second.data(), kept->second.size()),
            framesUntilTabs_ = kUntilTabs;
    else
        layOutAnew_ = !isFirst;
    if (laidOutNarrow_) layOutAnew_ = true;  // the saved one is for a wider window
}

MainWindow::MainWindow() {
    for (const viz::ViewRow& view : viz::views())
        panels_.push_back(std::make_unique<ScenePanel>(view, blocks_));
}

ScenePanel* MainWindow::panelNamed(std::string_view name) const {
    const auto found =
        std::ranges::find_if(panels_, [&](const auto& panel) { return panel->view().name == name; });
    return found == panels_.end() ? nullptr : found->get();
}

const viz::Scene* MainWindow::sceneOf(std::string_view view) const {
    const ScenePanel* panel = panelNamed(view);
    return panel ? &panel->scene() : nullptr;
}

bool MainWindow::stillShows(const run::Run* run) const {
    return std::ranges::any_of(panels_, [&](const auto& panel) {
        return panel->view().needsRun && panel->place() && panel->shown() == run;
    });
}

u32 MainWindow::largeInFrames() const {
    u32 count = 0;
    for (const auto& panel : panels_)
        count += panel->largeInFrames();
    return count;
}

viz::Scene MainWindow::picture(const State& state, const viz::TextMetrics& metrics) const {
    WindowParts parts = parts_;
    for (const auto& panel : panels_)
        if (const auto place = panel->place(); place && (state.run || !panel->view().needsRun))
            parts.views.push_back({.title = say(state.language, panel->view().title),
                                   .scene = &panel->scene(),
                                   .area = place->area,
                                   .scale = place->scale});
    return windowPicture(state, parts, metrics);
}

void MainWindow::layOutDocks(u32 dockspace, f32 width, f32 height, bool narrow) const {
    ImGui::DockBuilderRemoveNode(dockspace);
    ImGui::DockBuilderAddNode(dockspace, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(dockspace, {width, height});
    ImGuiID middle = dockspace, right = dockspace;
    if (!narrow)
        ImGui::DockBuilderSplitNode(dockspace, ImGuiDir_Right, sourceWidth(width) / width, &right, &middle);
    for (const auto& panel : panels_) {
        const std::string_view name = panel->view().name;
        if (panel->view().isStrip) continue;
        const bool onTheRight =
            std::ranges::find(arrangementOf(task_).atTheRight, name) != arrangementOf(task_).atTheRight.end();
        ImGui::DockBuilderDockWindow(("###" + std::string(name)).c_str(), onTheRight ? right : middle);
    }
    ImGui::DockBuilderDockWindow(kEditorWindow, right);
    ImGui::DockBuilderFinish(dockspace);
}

// A view that was dropped outside the docks, now or at an earlier start, goes back to the one it came from:
// afloat, it would cover what has no other place. In the view's window.
void MainWindow::keepDocked(std::string_view view) {
    constexpr int kUntilDropped = 3;  // frames: ImGui docks what was dropped a frame later
    const ImGuiWindow& window = *ImGui::GetCurrentWindow();
    const ImGuiDockNode* root = window.DockNode ? ImGui::DockNodeGetRootNode(window.DockNode) : nullptr;
    int& afloat = framesAfloat_[std::string(view)];
    if (root && root->ID == dockspace_) {
        homes_.insert_or_assign(std::string(view), window.DockId);
        afloat = 0;
        return;
    }
    if (framesUntilOnTop_ > 0 || framesUntilTabs_ > 0 || ImGui::IsMouseDown(ImGuiMouseButton_Left))
        afloat = 0;
    if (++afloat < kUntilDropped) return;
    const auto home = homes_.find(view);
    ImGuiDockNode* dock = home == homes_.end() ? nullptr : ImGui::DockBuilderGetNode(home->second);
    if (!dock || ImGui::DockNodeGetRootNode(dock)->ID != dockspace_)
        dock = ImGui::DockBuilderGetCentralNode(dockspace_);
    if (dock) ImGui::SetWindowDock(ImGui::GetCurrentWindow(), dock->ID, ImGuiCond_Always);
    afloat = 0;
}

bool MainWindow::drawViews(PanelContext& context) {
    bool moving = false;
    // A window's tab exists from its second frame on.
    const bool newLayout = framesUntilOnTop_ > 0 && --framesUntilOnTop_ == 0;
    framesUntilTabs_ = std::max(0, framesUntilTabs_ - 1);
    const bool bringUp = context.state.timesBroughtUp != timesBroughtUp_ && framesUntilOnTop_ == 0 &&
                         framesUntilTabs_ == 0 && !newLayout;
    if (bringUp) timesBroughtUp_ = context.state.timesBroughtUp;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
    std::map<ImGuiDockNode*, std::string_view> onTopOf;  // the front view of each tab row
    for (const auto& panel : panels_) {
        const viz::ViewRow& view = panel->view();
        if (view.isStrip) continue;
        // In a new layout: the task's main view, and its companion at the right.
        const MainViews first = mainViewsOf(task_);
        const bool onTop =
            newLayout && (view.name == first.middle || (view.name == first.right && !laidOutNarrow_));
        if (onTop || (bringUp && context.state.broughtUp == view.name)) ImGui::SetNextWindowFocus();
        ImGui::PushFont(context.fonts.font(viz::Face::Text),
                        context.fonts.size(viz::Face::Text, viz::type::kBody));
        const bool open = ImGui::Begin(
            windowName(view, context.state.language).c_str(), nullptr,
            ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::PopFont();
        keepDocked(view.name);
        if (isClicked() && context.state.turnedTo != view.name)
            context.send(TurnTo{std::string(view.name)});  // on top or not: its tab is
        if (ImGui::GetActiveID() == ImGui::GetCurrentWindow()->TabId &&
            ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left))
            context.send(Enlarge{std::string(view.name)});
        if (open) {
            if (drawView(context, *panel, moving)) drawCaption(context, panel->scene().caption);
            if (panel->place()) onTopOf[ImGui::GetWindowDockNode()] = view.name;
        }
        ImGui::End();
    }
    if (drawEditor(context)) onTopOf[ImGui::FindWindowByName(kEditorWindow)->DockNode] = "editor";
    if (const ImGuiWindow* source = ImGui::FindWindowByName("###source");
        source && context.state.choice.own && !context.state.editor.open)
        drawEditButton(context, source->DockNode);
    for (const auto& [node, view] : onTopOf)
        if (mayBeEnlarged(view)) drawEnlargeButton(context, node, view);
    // ImGui forgets it of docks that are not drawn. In one dock, as of a narrow window, the later one is in
    // front.
    if (docksWereHidden_ && framesUntilTabs_ == 0) {
        docksWereHidden_ = false;
        for (const std::string& view : inFront_)
            if (!newLayout) putInFront(view);
    }
    if (bringUp) putInFront(context.state.broughtUpBeside), putInFront(context.state.broughtUp);
    if (newLayout) {
        putInFront(mainViewsOf(task_).middle);
        if (!laidOutNarrow_) putInFront(mainViewsOf(task_).right);
    }
    if (!docksWereHidden_ && !newLayout && framesUntilOnTop_ == 0) {
        inFront_.clear();
        for (const auto& [node, view] : onTopOf)
            inFront_.emplace_back(view);
    }
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    moving |= keepTurnedToInSight(context);
    takeSentence(context);
    return settles(newLayout || bringUp) || moving;
}

// ImGui shows a tab that was put in front some frames later, for which no event comes.
bool MainWindow::settles(bool hasBegun) {
    constexpr int kUntilShown = 3;  // frames
    if (hasBegun || framesUntilOnTop_ > 0 || framesUntilTabs_ > 0 || framesUntilEditorOnTop_ > 0)
        framesUntilSettled_ = kUntilShown;
    else
        framesUntilSettled_ = std::max(0, framesUntilSettled_ - 1);
    return framesUntilSettled_ > 0;
}

// A window of the docks, at first a tab beside the source. True where it is in front.
bool MainWindow::drawEditor(PanelContext& context) {
    constexpr int kUntilFocusSettles = 4;  // frames: its tab is there from the second one on
    const EditorState& state = context.state.editor;
    if (!state.open || !state.inFront()) {
        framesUntilEditorOnTop_ = 0;
        return false;
    }
    if (timesEdited_ != state.timesFocused)
        timesEdited_ = state.timesFocused, framesUntilEditorOnTop_ = kUntilFocusSettles;
    if (const ImGuiWindow* source = ImGui::FindWindowByName("###source"); source && source->DockId)
        ImGui::SetNextWindowDockID(source->DockId, ImGuiCond_FirstUseEver);
    if (framesUntilEditorOnTop_ > 0) {
        --framesUntilEditorOnTop_;
        putInFront("editor");
    }
    bool stays = true;
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    const std::string name = std::string(words::kEditor.in(context.state.language)) + kEditorWindow;
    const bool isOpen = ImGui::Begin(
        name.c_str(), &stays,
        ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopFont();
    keepDocked("editor");
    if (isOpen) editor_.draw(context);
    const bool isInFront = isOpen && ImGui::GetWindowDockNode();
    ImGui::End();
    if (!stays) context.send(EditorAction{ShowEditor{false}});
    return isInFront;
}

void MainWindow::takeSentence(PanelContext& context) {
    // The editor may cover all of them, and what a view that shows a sentence alone says is there already.
    const ScenePanel* speaks = speaker(context.state);
    const bool isThere = speaks && speaks->scene().isSentenceAlone,
               isCovered = !speaks && context.state.editor.open;
    if (ScenePanel* hidden = panelNamed(mainViewsOf(task_).middle);
        hidden && hidden != speaks && context.state.run && (isThere || isCovered)) {
        hidden->update(context, {ImGui::GetMainViewport()->WorkSize.x, ImGui::GetMainViewport()->WorkSize.y});
        sentence_ = hidden->sentence();
    } else if (speaks && !speaks->sentence().empty()) {
        sentence_ = speaks->sentence();
    }
    // A finding there matters more than what the access does.
    if (context.state.run)
        if (std::optional<std::string> found =
                explain::findingSentence(*context.state.run, context.state.cursor, context.state.language))
            sentence_ = std::move(*found);
}

template <class Rank> const ScenePanel* MainWindow::firstInSight(Rank&& rank) const {
    const ScenePanel* first = nullptr;
    for (const auto& panel : panels_)
        if (!panel->view().isStrip && panel->place() && (!first || rank(*panel) > rank(*first)))
            first = panel.get();
    return first;
}

const run::Run* MainWindow::runOnShow() const {
    const ScenePanel* panel = firstInSight(roomOf);
    return panel ? panel->shown() : nullptr;
}

const ScenePanel* MainWindow::speaker(const State& state) const {
    return firstInSight([&](const ScenePanel& panel) {
        return std::tuple(!panel.sentence().empty(), !panel.scene().isSentenceAlone, panel.view().says,
                          panel.view().name == state.turnedTo, roomOf(panel));
    });
}

// A view that is covered, or hidden by another task, is no longer the active one.
bool MainWindow::keepTurnedToInSight(PanelContext& context) {
    constexpr int kUntilOnTop = 3;  // frames, for one just requested
    const ScenePanel* panel = panelNamed(context.state.turnedTo);
    if (panel && panel->view().isStrip) panel = panelNamed(context.state.toEnlarge);
    const bool isInSight = panel && panel->place(), settles = framesUntilOnTop_ > 0 || framesUntilTabs_ > 0;
    const ScenePanel* other = isInSight ? nullptr : firstInSight(roomOf);
    framesOutOfSight_ = other && !settles ? framesOutOfSight_ + 1 : 0;
    if (framesOutOfSight_ > kUntilOnTop) context.send(TurnTo{std::string(other->view().name)});
    return other;
}

// Keys for the active view.
void MainWindow::handleViewKeys(PanelContext& context) const {
    if (isAsked(context.state)) return;
    const std::string view = viewInHand(context.state);
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_E)) context.send(OpenExport{view});
    if (ImGui::GetIO().WantTextInput || !context.state.run) return;
    const viz::Scene* scene = sceneOf(view);
    if (scene && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_C)) {
        const std::string text = viz::tableText(*scene);
        ImGui::SetClipboardText(text.c_str());
        context.send(
            Say{Message(words::kCopiedText, std::ranges::count(text, '\n'), viz::findView(view)->title)});
    }
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C)) context.send(CopyPicture{view});
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_C)) copyCommandLine(context, view);
}

bool MainWindow::drawComparison(PanelContext& context, viz::Rect place) {
    bool moving = false;
    fixedPart("##comparebar", {place.x, place.y, place.width, kBarHeight}, Content::Fills,
              [&] { drawCompareBar(context); });
    const f32 fault = context.state.fault ? kBarHeight : 0;
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
    fixedPart("##comparison", {place.x, place.y + kBarHeight, place.width, place.height - kBarHeight - fault},
              Content::Fills, [&] {
                  if (!context.state.run)
                      drawFirstRun(context);
                  else if (isCovered(context.state, "compare"))
                      drawCovered(context);
                  else if (ScenePanel* panel = panelNamed("compare"))
                      moving |= panel->draw(context);
              });
    ImGui::PopStyleColor();
    if (context.state.fault)
        fixedPart("##comparefault", {place.x, place.bottom() - fault, place.width, fault}, Content::Fills,
                  [&] {
                      ImGui::SetCursorPos({viz::space::kInset, 6});
                      drawFault(context);
                  });
    return moving;
}

bool MainWindow::drawDocksAndSentence(PanelContext& context, viz::Rect docks, f32 sentenceHeight,
                                      bool narrow) {
    fixedPart("##docks", docks, Content::Fills, [&] {
        const ImGuiID dockspace = dockspace_ = ImGui::GetID("views");
        if (!ImGui::DockBuilderGetNode(dockspace) || narrow != laidOutNarrow_ || layOutAnew_) {
            constexpr int kUntilFocusSettles =
                4;  // the requester (the palette, a menu) returns its focus first
            framesUntilOnTop_ = layOutAnew_ ? kUntilFocusSettles : kUntilTabs;
            layOutAnew_ = false;
            layOutDocks(dockspace, docks.width, docks.height, narrow);
            laidOutNarrow_ = narrow;
        }
        // Six tabs fit into the narrowest column.
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(7, ImGui::GetStyle().FramePadding.y));
        ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing,
                            ImVec2(viz::space::kGrid, ImGui::GetStyle().ItemInnerSpacing.y));
        // A splitter leaves so much of either side.
        ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(kLeastDock, kLeastDock));
        ImGui::DockSpace(dockspace, {0, 0},
                         ImGuiDockNodeFlags_NoWindowMenuButton | ImGuiDockNodeFlags_NoCloseButton);
        ImGui::PopStyleVar(3);
    });
    const bool moving = drawViews(context);
    drawSentencePart(context, {docks.x, docks.bottom(), docks.width, sentenceHeight});
    return moving;
}

// A maximized view, under a row in the place of the tabs.
bool MainWindow::drawEnlarged(PanelContext& context, viz::Rect place) {
    if (dockspace_)
        ImGui::DockSpace(dockspace_, {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);  // the docks are kept
    ScenePanel* panel = panelNamed(context.state.enlarged.at(context.state.task));
    if (!panel) return false;
    bool moving = false;
    fixedPart("##enlargedbar", {place.x, place.y, place.width, kHeadHeight}, Content::Fills, [&] {
        ImGui::SetCursorPos({viz::space::kInset, (kHeadHeight - kControlHeight) / 2});
        controlLabel(context, panel->view().title.in(context.state.language), {.face = viz::Face::TextBold});
        ImGui::SameLine(0, viz::space::kGap);
        const bool back = iconButton(context, "restore", Icon::Restore,
                                     {words::kRestoreHelp.in(context.state.language), "guide/window.md"});
        if (back || (ImGui::IsWindowHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)))
            context.send(Enlarge{});
        const TextLook look{.size = viz::type::kCode, .role = RoleKind::TextSecond};
        // The column that names the kernel is covered.
        const std::string kernel =
            panel->view().needsRun && context.state.run
                ? viz::kernelAndSize(*context.state.run, context.state.cursor.launch, context.state.language)
                : std::string();
        const std::string& caption = panel->scene().caption;
        ImGui::SameLine(0, 2 * viz::space::kGap);
        const f32 right = place.width - viz::space::kInset, wide = widthOf(context, caption, look),
                  end = ImGui::GetCursorPosX() + widthOf(context, kernel, look);
        controlLabel(context, kernel, look);
        if (end + 3 * viz::space::kGap + wide > right) return;
        ImGui::SameLine(right - wide);
        controlLabel(context, caption, look);
    });
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
    fixedPart("##enlarged", {place.x, place.y + kHeadHeight, place.width, place.height - kHeadHeight},
              Content::Fills, [&] { (void)drawView(context, *panel, moving); });
    ImGui::PopStyleColor();
    takeSentence(context);
    return moving;
}

void MainWindow::drawSentencePart(PanelContext& context, viz::Rect place) {
    if (const std::string brief = briefOf(context.state); !brief.empty()) {
        const f32 height = ImGui::GetMainViewport()->WorkSize.y < kLow ? kLowBrief : kBriefHeight;
        fixedPart("##brief", {place.x, place.y, place.width, height}, Content::Fills,
                  [&] { drawBrief(context, brief); });
        place = {place.x, place.y + height, place.width, place.height - height};
    }
    fixedPart("##sentence", place, Content::Fills, [&] {
        const UnderlinesTerms underlined(context);
        if (context.state.fault) {
            ImGui::SetCursorPos({viz::space::kInset, 12});
            drawFault(context);
        } else if (context.state.lessons.hidesAnswer()) {
            drawSentence(context, std::string(words::kLessonNoSentence.in(context.state.language)));
        } else if (context.state.playlists.hides(playlists::Part::Sentence)) {
            drawSentence(context, sentenceOfEntry(context.state, true));
        } else if (context.state.playground.fault && context.state.turnedTo == kPlayground) {
            drawSentence(context, describe(*context.state.playground.fault, context.state.language));
        } else if (!context.state.run) {
            drawSentence(context, context.state.isTooLarge()
                                      ? tooLargeText(context.state)
                                      : std::string(words::kFirstRun.in(context.state.language)));
        } else {
            drawSentence(context, context.state.inVain ? noFurtherStepText(context.state) : sentence_);
        }
    });
}

// What opens under a mouse that rests is not what somebody points at: it is explained once the mouse moves.
// In a presentation, neither is a picture that keys have brought.
void MainWindow::noteWhatCame(PanelContext& context) {
    constexpr f32 kMoved = 4;
    const State& state = context.state;
    const bool presents = state.presenting.on;
    Came now{.parts = {state.exporting.open, state.dialog.has_value(), state.showPalette, state.browsing,
                       state.showKeys, state.showHint, presents, state.program.open, state.lessons.open,
                       state.playlists.open},
             .tour = state.tour,
             .term = state.term};
    if (presents) now.lens = state.presenting.lens, now.cursor = state.cursor;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (now != came_) came_ = std::move(now), mouseThen_ = {mouse.x, mouse.y};
    if (mouseThen_ && std::hypot(mouse.x - mouseThen_->x, mouse.y - mouseThen_->y) > kMoved)
        mouseThen_.reset();
    context.explainsNothing = mouseThen_.has_value();
}

bool MainWindow::draw(PanelContext& context) {
    noteWhatCame(context);
    context.builder = builder_ ? &*builder_ : nullptr;
    if (builder_) builder_->newFrame();
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const f32 width = viewport.WorkSize.x, height = viewport.WorkSize.y;
    const bool comparing = context.state.compared.open;
    const bool enlarged = !comparing && isEnlarged(context.state);
    const bool lecturing = context.state.playlists.open;
    const bool learning =
        (context.state.lessons.open || lecturing) && !comparing && !context.state.presenting.on;
    const bool beside = width >= kVeryNarrow && !comparing && !enlarged && !learning, low = height < kLow;
    // One row more per warp of the block, up to a fifth of the window, or a quarter if there is height for
    // it.
    const f32 rows = 15.0f * (f32(warpsOfBlock(context.state)) - 1),
              most = std::floor(height / (height > 1000 ? 4.0f : 4.2f));
    const bool hasBrief = !briefOf(context.state).empty();
    const f32 timelineHeight = comparing ? 0
                               : low ? (hasBrief ? kLowTimeline : 104) + scrubHeight(context.state, width) +
                                           (rows > 0 ? kMoreWarps : 0)
                                     : std::clamp(140 + rows, 140.0f, std::max(140.0f, most));
    const f32 briefHeight = !hasBrief ? 0 : low ? kLowBrief : kBriefHeight;
    const f32 sentenceHeight = comparing ? 0
                                         : (!low       ? viz::space::kSentence
                                            : hasBrief ? kLowSentence
                                                       : 54) +
                                               briefHeight;
    const f32 ofExperiment = leftWidth(width), ofLesson = learning ? lessonWidth(width) : 0,
              left = beside ? ofExperiment : ofLesson;
    const f32 bottom = height - kTransportHeight - timelineHeight;  // where the transport begins
    const f32 middleHeight = bottom - kBarHeight - sentenceHeight;
    context.isEditing = context.state.editor.open && editor_.hasKeyboard();
    focus_.begin(context);
    keepDrawer(context, beside);
    handleKeys(context);
    if (comparing || enlarged || context.state.presenting.on)
        docksWereHidden_ = true, framesUntilTabs_ = kUntilTabs;  // until they are drawn again
    parts_ = {.window = {width, height}};
    if (context.state.presenting.on) {
        // The docks are kept.
        if (dockspace_) ImGui::DockSpace(dockspace_, {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
        const bool moving = drawPresenting(context);
        keys_.draw(context);
        drawSaid(context);
        drawGlossaryCard(context);
        palette_.draw(context);
        return moving;
    }
    handleViewKeys(context);
    if (context.state.program.open && !comparing) return drawProgram(context, {width, height}), false;
    if (learning && !lecturing && context.state.lessons.key.empty())
        return drawStartPage(context, {width, height});

    linesBetween({width, height}, [&] {
        hairline(context, {0, kBarHeight}, {width, kBarHeight});
        if (beside) hairline(context, {ofExperiment, kBarHeight}, {ofExperiment, bottom});
        if (learning) hairline(context, {ofLesson, kBarHeight}, {ofLesson, bottom});
        hairline(context, {0, bottom}, {width, bottom});
        if (!comparing)
            hairline(context, {left, kBarHeight + middleHeight}, {width, kBarHeight + middleHeight});
    });
    fixedPart("##bar", {0, 0, width, kBarHeight}, Content::Fills, [&] {
        const BarClick click = drawTopBar(context,
                                          beside            ? ExperimentButton::None
                                          : showExperiment_ ? ExperimentButton::Open
                                                            : ExperimentButton::Closed,
                                          path_);
        if (click.toggled) showExperiment_ = !showExperiment_;
        onDrawerButton_ = click.isOver;
    });
    const auto experiment = [&] {
        const UnderlinesTerms underlined(context);
        drawExperiment(context);
    };
    if (beside)
        fixedPart(kExperimentPart, {0, kBarHeight, ofExperiment, bottom - kBarHeight}, Content::Scrolls,
                  experiment);

    if (learning && lecturing)
        drawPlaylist(context, {0, kBarHeight, ofLesson, bottom - kBarHeight});
    else if (learning)
        drawLesson(context, {0, kBarHeight, ofLesson, bottom - kBarHeight});

    bool moving = false;
    if (comparing) moving = drawComparison(context, {0, kBarHeight, width, middleHeight});
    const viz::Rect docks{left, kBarHeight, width - left, middleHeight};
    if (enlarged)
        moving |= drawEnlarged(context, docks),
            drawSentencePart(context, {docks.x, docks.bottom(), docks.width, sentenceHeight});
    else if (!comparing)
        moving |= drawDocksAndSentence(context, docks, sentenceHeight, width < kNarrow);
    fixedPart("##transport", {0, bottom, width, kTransportHeight}, Content::Fills,
              [&] { drawTransport(context); });
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ink(context, RoleKind::Ground));
    if (!comparing)
        fixedPart("##timeline", {0, bottom + kTransportHeight, width, timelineHeight}, Content::Fills, [&] {
            if (ScenePanel* timeline = panelNamed("timeline")) moving |= timeline->draw(context);
        });
    ImGui::PopStyleColor();

    parts_ = {.window = {width, height},
              .bar = {0, 0, width, kBarHeight},
              .transport = {0, bottom, width, kTransportHeight},
              .said = sentence_};
    if (beside) parts_.experiment = {0, kBarHeight, ofExperiment, bottom - kBarHeight};
    if (!comparing)
        parts_.sentence = {docks.x, docks.bottom() + briefHeight, docks.width, sentenceHeight - briefHeight};
    if (!comparing && briefHeight > 0) parts_.brief = {docks.x, docks.bottom(), docks.width, briefHeight};

    // Beside a question, not over it.
    if (!beside && showExperiment_)
        drawDrawer(context, {ofLesson, kBarHeight, ofExperiment, bottom - kBarHeight}, experiment);
    if (!comparing)  // it would cover the differences
        drawFirstStartOver(context,
                           {.window = docks,
                            .sentence = {docks.x, docks.bottom(), docks.width, sentenceHeight},
                            .timeline = {0, bottom + kTransportHeight, width, timelineHeight},
                            .experiment = beside ? viz::Rect{0, kBarHeight, ofExperiment, bottom - kBarHeight}
                                                 : viz::Rect{}});
    drawOverlays(context, {left, kBarHeight, width - left, middleHeight});
    return moving;
}

// Before the keys: what closes the drawer of the experiment, but for its button.
void MainWindow::keepDrawer(PanelContext& context, bool beside) {
    const State& state = context.state;
    const std::array now{state.compared.open,      state.lessons.open, state.playlists.open,
                         state.presenting.on,      state.program.open, isEnlarged(state),
                         state.lessons.key.empty()};
    const bool isElsewhere = beside || now != drawerAmong_;
    drawerAmong_ = now;
    if (isElsewhere) showExperiment_ = false;
    if (!showExperiment_ || isOverDrawer(state)) return;
    if (!context.escapeTaken && !ImGui::GetIO().WantTextInput && state.term.empty() &&
        ImGui::IsKeyPressed(ImGuiKey_Escape)) {
        showExperiment_ = false;
        context.escapeTaken = true;
    }
    const ImGuiWindow* under = ImGui::GetCurrentContext()->HoveredWindow;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !onDrawerButton_ &&
        !(under && under->RootWindow->ID == ImHashStr(kExperimentPart)))
        showExperiment_ = false;
}

// Over whatever is on show, but for what lies over the drawer itself. It takes the focus from nothing: a
// button would lose its click by that, and a menu would close.
template <class Draw> void MainWindow::drawDrawer(PanelContext& context, viz::Rect place, Draw&& draw) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    fixedPart(kExperimentPart, place, Content::Scrolls, draw);
    ImGui::PopStyleVar();
    ImGuiWindow* drawer = ImGui::FindWindowByName(kExperimentPart);
    if (drawer && !isOverDrawer(context.state)) ImGui::BringWindowToDisplayFront(drawer);
}

// In the place of everything below the bar: lessons, and exercises beside them where there is room.
bool MainWindow::drawStartPage(PanelContext& context, viz::Size window) {
    constexpr f32 kForTwo = 900, kLessonsShare = 0.55f, kWidest = 1500;
    if (dockspace_) ImGui::DockSpace(dockspace_, {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
    docksWereHidden_ = true, framesUntilTabs_ = kUntilTabs;
    const bool isBeside = window.width >= kForTwo;
    const f32 wide = std::min(window.width, kWidest), left = (window.width - wide) / 2,
              ofLessons = isBeside ? std::round(wide * kLessonsShare) : wide;
    const f32 fault = context.state.fault ? kBarHeight : 0, top = 2 * kBarHeight,
              height = window.height - top - fault;  // at the bottom it moves nothing from under the mouse
    linesBetween(window, [&] {
        hairline(context, {0, kBarHeight}, {window.width, kBarHeight});
        if (isBeside) hairline(context, {left + ofLessons, top}, {left + ofLessons, top + height});
    });
    fixedPart("##bar", {0, 0, window.width, kBarHeight}, Content::Fills,
              [&] { (void)drawTopBar(context, ExperimentButton::None, path_); });
    fixedPart("##lessonhead", {left, kBarHeight, wide, kBarHeight}, Content::Fills,
              [&] { lesson_.drawHead(context); });
    if (context.state.fault)
        fixedPart("##lessonfault", {left, window.height - fault, wide, fault}, Content::Fills, [&] {
            ImGui::SetCursorPos({viz::space::kInset, 6});
            drawFault(context);
        });
    lesson_.putExercisesBeside(isBeside);
    fixedPart("##lesson", {left, top, ofLessons, height}, Content::Scrolls,
              [&] { lesson_.drawBody(context); });
    if (isBeside)
        fixedPart("##exercises", {left + ofLessons, top, wide - ofLessons, height}, Content::Scrolls,
                  [&] { drawExerciseList(context); });
    parts_.bar = {0, 0, window.width, kBarHeight};
    drawOverlays(context, {0, kBarHeight, window.width, window.height - kBarHeight});
    return false;
}

void MainWindow::drawOverlays(PanelContext& context, viz::Rect notices) {
    drawNotices(context, notices);
    drawErrands(context, notices);
    keys_.draw(context);
    drawSaid(context);
    drawExport(context);
    ownKernelForm_.draw(context);
    fileBrowser_.draw(context);
    drawGlossaryCard(context);
    palette_.draw(context);
}

// In the place of everything below the bar.
void MainWindow::drawProgram(PanelContext& context, viz::Size window) {
    if (dockspace_) ImGui::DockSpace(dockspace_, {0, 0}, ImGuiDockNodeFlags_KeepAliveOnly);
    docksWereHidden_ = true, framesUntilTabs_ = kUntilTabs;
    program_.draw(context, {0, kBarHeight, window.width, window.height - kBarHeight});
    fixedPart("##bar", {0, 0, window.width, kBarHeight}, Content::Fills,
              [&] { (void)drawTopBar(context, ExperimentButton::None, path_); });
    parts_.bar = {0, 0, window.width, kBarHeight};
    drawOverlays(context, {0, kBarHeight, window.width, window.height - kBarHeight});
}

void MainWindow::drawLesson(PanelContext& context, viz::Rect place) {
    const f32 foot = context.state.lessons.current() ? kLessonFoot : 0,
              head = context.state.lessons.current() ? kLessonHead : kBarHeight;
    fixedPart("##lessonhead", {place.x, place.y, place.width, head}, Content::Fills,
              [&] { lesson_.drawHead(context); });
    fixedPart("##lesson", {place.x, place.y + head, place.width, place.height - head - foot},
              Content::Scrolls, [&] { lesson_.drawBody(context); });
    if (foot > 0)
        fixedPart("##lessonfoot", {place.x, place.bottom() - foot, place.width, foot}, Content::Fills,
                  [&] { lesson_.drawFoot(context); });
}

void MainWindow::drawPlaylist(PanelContext& context, viz::Rect place) {
    const bool isOn = context.state.playlists.isOn();
    const f32 foot = isOn ? kLessonFoot : 0, head = isOn ? kLessonHead : kBarHeight;
    fixedPart("##playlisthead", {place.x, place.y, place.width, head}, Content::Fills,
              [&] { drawPlaylistHead(context); });
    fixedPart("##playlist", {place.x, place.y + head, place.width, place.height - head - foot},
              Content::Scrolls, [&] { drawPlaylistBody(context); });
    if (foot > 0)
        fixedPart("##playlistfoot", {place.x, place.bottom() - foot, place.width, foot}, Content::Fills,
                  [&] { drawPlaylistFoot(context); });
}

// What it tells of is told where it stands. A view that is not in front is not to be seen.
void MainWindow::drawFirstStartOver(PanelContext& context, const ToldParts& parts) const {
    ToldParts told = parts;
    for (const auto& [view, part] : {std::pair{"stage", &ToldParts::stage}, {"source", &ToldParts::source}})
        if (const ScenePanel* panel = panelNamed(view); panel && panel->place())
            told.*part = panel->place()->area;
    drawFirstStart(context, told);
}

}  // namespace lockstep::app
