// Runs commands at their keys, and shows the table of keys.
#include "app/panels/commands.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace lockstep::app {
namespace {

// What a text field does not use itself: function keys, and Ctrl with anything but the keys for editing.
bool worksWhileTyping(ImGuiKeyChord chord) {
    constexpr std::array kEditing{
        ImGuiKey_A,       ImGuiKey_C,         ImGuiKey_V,         ImGuiKey_X,         ImGuiKey_Y,
        ImGuiKey_Z,       ImGuiKey_Home,      ImGuiKey_End,       ImGuiKey_LeftArrow, ImGuiKey_RightArrow,
        ImGuiKey_UpArrow, ImGuiKey_DownArrow, ImGuiKey_Backspace, ImGuiKey_Delete};
    const auto key = ImGuiKey(chord & ~ImGuiMod_Mask_);
    if (key >= ImGuiKey_F1 && key <= ImGuiKey_F24) return true;
    return (chord & ImGuiMod_Ctrl) && std::ranges::find(kEditing, key) == kEditing.end();
}

// What the editor's text uses besides: the next place with what is selected.
bool isOfEditor(ImGuiKeyChord chord) { return chord == (ImGuiMod_Ctrl | ImGuiKey_D); }

// What a control that has the focus is moved and pressed by.
bool isOfControls(ImGuiKeyChord chord) {
    constexpr std::array kTheirs{
        ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,  ImGuiKey_DownArrow, ImGuiKey_Space,
        ImGuiKey_Enter,     ImGuiKey_PageUp,     ImGuiKey_PageDown, ImGuiKey_Home,      ImGuiKey_End};
    return std::ranges::find(kTheirs, ImGuiKey(chord & ~ImGuiMod_Mask_)) != kTheirs.end() &&
           !(chord & ImGuiMod_Ctrl);
}

// The launch form alone is asked, and of a file that can be run as it is.
bool isAboutAProgram(const State& state) {
    return state.dialog && !state.exporting.open && !state.showPalette && !state.browsing &&
           state.program.files.contains(state.dialog->kernel.file);
}

// By one of its keys: another command may have taken some of them.
bool isReachable(const Command& command, const State& state) {
    return std::ranges::any_of(command.chords,
                               [&](int chord) { return chord && !isTaken(chord, command, state); });
}

constexpr std::size_t kNumberedViews = 9;

// "Views: 1 Stage · 2 Banks ..."
std::string viewKeys(Language language) {
    std::string all;
    const std::span<const viz::ViewRow> views = viz::views();
    for (std::size_t i = 0; i < std::min(views.size(), kNumberedViews); ++i)
        all += fmt::format("{}{} {}", i ? " · " : "", i + 1, views[i].title.in(language));
    return say(language, words::kKeyViews, all);
}

}  // namespace

void handleKeys(PanelContext& context) {
    if (context.state.showKeys && ImGui::IsKeyPressed(ImGuiKey_Escape)) return context.send(ShowKeys{false});
    if (context.state.showSaid && ImGui::IsKeyPressed(ImGuiKey_Escape)) return context.send(ShowSaid{false});
    if (!context.state.term.empty() && !isAsked(context.state) && ImGui::IsKeyPressed(ImGuiKey_Escape))
        return context.send(ShowTerm{});
    // As the launch form's button does.
    if (isAboutAProgram(context.state) && ImGui::IsKeyChordPressed(ImGuiKey_F5))
        return context.send(ProgramAction{RunProgram{}});
    if (isAsked(context.state) || context.escapeTaken) return;
    // A list or a menu that is open takes the keys as a field does.
    const bool isTyping =
        ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup);
    for (const Command& command : commands()) {
        if (!isOffered(command, context.state)) continue;
        for (const int chord : command.chords)
            if (chord && (!isTyping || worksWhileTyping(chord)) &&
                !(context.isEditing && isOfEditor(chord)) && !isTaken(chord, command, context.state) &&
                !(context.hasFocus && isOfControls(chord)) && ImGui::IsKeyChordPressed(chord))
                context.send(command.action(context.state));
    }
    if (isTyping) return;
    const std::span<const viz::ViewRow> views = viz::views();
    for (std::size_t i = 0; i < std::min(views.size(), kNumberedViews); ++i)
        if (ImGui::IsKeyChordPressed(ImGuiKey_1 + int(i))) context.send(BringUp{std::string(views[i].name)});
}

void drawKeys(PanelContext& context) {
    if (!context.state.showKeys) return;
    const Language language = context.state.language;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport.GetCenter().x, viewport.GetCenter().y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowFocus();
    // In a low window the rows are closer; in one that is lower still they scroll.
    constexpr f32 kLow = 760, kMargin = 8;
    const bool isLow = viewport.WorkSize.y < kLow;
    const f32 side = isLow ? 16.0f : 24.0f;
    const TextLook text{.size = isLow ? viz::type::kCode : viz::type::kBody};
    ImGui::SetNextWindowSizeConstraints({0, 0}, {viewport.WorkSize.x, viewport.WorkSize.y - 2 * kMargin});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, isLow ? ImVec2(side, 8) : ImVec2(side, 20));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGap, isLow ? 0 : viz::space::kGrid));
    if (ImGui::Begin("##keys", nullptr,
                     ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                         ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                         ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings)) {
        label(context, words::kKeys.in(language), {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        struct Row {
            std::string_view keys, does;
        };
        std::vector<Row> rows;
        for (const Command& command : commands())
            if (!command.keys.empty() && isOffered(command, context.state) &&
                (command.chords[0] == 0 || isReachable(command, context.state)))
                rows.push_back({command.keys, command.name->in(language)});
        rows.push_back({"Ctrl C", words::kKeyCopy.in(language)});
        // Two columns: one would be taller than a small window.
        constexpr f32 kKeysWide = 96;
        const std::size_t half = (rows.size() + 1) / 2;
        f32 widest = 0, widestRight = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            f32& most = i < half ? widest : widestRight;
            most = std::max(most, widthOf(context, rows[i].does, text));
        }
        const f32 second = side + kKeysWide + widest + 32;
        for (std::size_t i = 0; i < half; ++i)
            for (std::size_t row = i; row < rows.size(); row += half) {
                if (row != i) ImGui::SameLine(second);
                label(context, rows[row].keys, {.size = viz::type::kCode, .face = viz::Face::MonoBold});
                ImGui::SameLine((row != i ? second : side) + kKeysWide);
                label(context, rows[row].does, text);
            }
        ImGui::Dummy({1, viz::space::kGrid});
        paragraph(context, viewKeys(language), {.size = text.size, .role = viz::RoleKind::TextSecond},
                  second + kKeysWide + widestRight);
        if (textButton(context, "close", words::kClose.in(language),
                       {words::kCloseHelp.in(language), "guide/window.md"}))
            context.send(ShowKeys{false});
    }
    ImGui::End();
    ImGui::PopStyleVar(4);
}

}  // namespace lockstep::app
