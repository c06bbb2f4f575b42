#include "app/panels/file_browser.h"

#include "app/panels/editor/editor_words.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::app {
namespace {

constexpr Words kOpensPath = english("Enter opens this path");

using viz::RoleKind;

constexpr f32 kWide = 560, kHigh = 360;
constexpr std::size_t kMostEntries = 5000;

bool canBeOpened(const std::filesystem::path& file) {
    constexpr std::array<std::string_view, 3> kKinds{".cu", ".ptx", ".lks"};
    return std::ranges::find(kKinds, file.extension().string()) != kKinds.end();
}

bool contains(std::string_view text, std::string_view part) {
    return !std::ranges::search(
                text, part,
                [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); })
                .empty() ||
           part.empty();
}

}  // namespace

void FileBrowser::go(const std::filesystem::path& folder) {
    std::error_code error;
    folder_ = std::filesystem::weakly_canonical(folder, error);
    entries_.clear();
    typed_.clear();
    selected_ = 0;
    takesKeys_ = scrolls_ = true;
    if (folder_.has_relative_path()) entries_.push_back({"..", true});
    const auto options = std::filesystem::directory_options::skip_permission_denied;
    for (std::filesystem::directory_iterator at(folder_, options, error), end;
         !error && at != end && entries_.size() < kMostEntries; at.increment(error)) {
        const std::string name = at->path().filename().string();
        std::error_code ignored;
        const bool isFolder = at->is_directory(ignored);
        if (!name.starts_with('.') && (isFolder || canBeOpened(at->path())))
            entries_.push_back({name, isFolder});
    }
    std::ranges::stable_sort(entries_, [](const Entry& a, const Entry& b) {
        if ((a.name == "..") != (b.name == "..")) return a.name == "..";
        return a.isFolder != b.isFolder ? a.isFolder : a.name < b.name;
    });
}

std::vector<const FileBrowser::Entry*> FileBrowser::matching() const {
    std::vector<const Entry*> rows;
    for (const Entry& entry : entries_)
        if (contains(entry.name, typed_)) rows.push_back(&entry);
    return rows;
}

void FileBrowser::choose(PanelContext& context, const Entry& entry) {
    if (entry.isFolder) return go(folder_ / std::string(entry.name));
    context.send(Browse{false});
    context.send(OpenFile{(folder_ / entry.name).string()});
}

// Typed as a whole: a folder to go to, or a file to open.
void FileBrowser::choosePath(PanelContext& context) {
    std::error_code ignored;
    if (std::filesystem::is_directory(typed_, ignored)) return go(std::string(typed_));
    context.send(Browse{false});
    context.send(OpenFile{typed_});
}

void FileBrowser::drawRows(PanelContext& context, const std::vector<const Entry*>& rows, f32 width) {
    ImGui::BeginChild("##rows", {width, kHigh});
    for (int row = 0; row < int(rows.size()); ++row) {
        const Entry entry = *rows[std::size_t(row)];
        const std::string text = entry.name + (entry.isFolder ? "/" : "");
        const bool clicked = ImGui::Selectable(text.c_str(), row == selected_);
        if (row == selected_ && scrolls_) ImGui::SetScrollHereY();
        helped(context, {words::kBrowserRowHelp.in(context.state.language), "guide/window.md"});
        if (clicked) {
            choose(context, entry);
            break;  // the rows are others now
        }
    }
    scrolls_ = false;
    if (rows.empty()) {
        std::error_code ignored;
        const bool isPath = typed_.find('/') != std::string::npos && std::filesystem::exists(typed_, ignored);
        label(context, (isPath ? kOpensPath : words::kPaletteNothing).in(context.state.language),
              {.role = RoleKind::TextSecond});
    }
    ImGui::EndChild();
}

void FileBrowser::draw(PanelContext& context) {
    constexpr const char* kName = "##files";
    const State& state = context.state;
    const Language language = state.language;
    if (state.browsing && !isOpen_) {
        if (folder_.empty() && state.choice.own)
            go(std::filesystem::path(state.choice.own->file).parent_path());
        else
            go(folder_.empty() ? std::filesystem::path(".") : folder_);
        ImGui::OpenPopup(kName);
    }
    isOpen_ = state.browsing;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const f32 width = std::min(kWide, viewport.WorkSize.x - 80);
    ImGui::SetNextWindowPos(viewport.GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(24, 20));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::BeginPopupModal(kName, nullptr,
                               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoDocking |
                                   ImGuiWindowFlags_NoSavedSettings)) {
        label(context, words::kOpenTitle.in(language),
              {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        paragraph(context, folder_.string(), {.role = RoleKind::TextSecond}, width);
        if (takesKeys_) ImGui::SetKeyboardFocusHere();
        takesKeys_ = false;
        ImGui::SetNextItemWidth(width);
        if (ImGui::InputTextWithHint("##name", words::kBrowserField.in(language).data(), &typed_))
            selected_ = 0, scrolls_ = true;
        helped(context, {words::kBrowserHelp.in(language), "guide/window.md"});
        const std::vector<const Entry*> rows = matching();
        for (const auto& [key, by] : {std::pair{ImGuiKey_DownArrow, 1}, std::pair{ImGuiKey_UpArrow, -1}})
            if (ImGui::IsKeyPressed(key)) selected_ += by, scrolls_ = true;
        selected_ = std::clamp(selected_, 0, std::max(0, int(rows.size()) - 1));
        const bool entered = ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter);
        if (entered && typed_.find('/') != std::string::npos)
            choosePath(context);
        else if (entered && !rows.empty())
            choose(context, Entry(*rows[std::size_t(selected_)]));
        else
            drawRows(context, rows, width);
        if (entered) takesKeys_ = true;  // Enter takes the focus from the field
        if (textButton(context, "close", words::kClose.in(language),
                       {words::kCloseHelp.in(language), "guide/window.md"}) ||
            ImGui::IsKeyPressed(ImGuiKey_Escape))
            context.send(Browse{false});
        ImGui::SameLine();
        if (textButton(context, "new", words::kBrowserNew.in(language),
                       {words::kNewKernelHelp.in(language), "guide/editor.md"}))
            context.send(Browse{false}), context.send(EditorAction{NewKernel{}});
        if (!state.browsing) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar(3);
}

}  // namespace lockstep::app
