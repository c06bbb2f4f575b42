// The keys: one table that is acted on and shown.
#include <array>

#include <imgui.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

namespace lockstep::app {
namespace {

using viz::Stride;
using viz::Words;

struct KeyRow {
    std::string_view shown;
    const Words* does;  // one row of help for a pair of keys; null: the row before says it
    ImGuiKeyChord chord;
    Action action;
};

Action nextThemeAction(const State& state) {
    const auto themes = viz::themes();
    for (std::size_t i = 0; i < themes.size(); ++i)
        if (themes[i].name == state.theme) return SetTheme{std::string(themes[(i + 1) % themes.size()].name)};
    return SetTheme{std::string(themes.front().name)};
}

std::vector<KeyRow> keyRows(const State& state) {
    const Stride unit = state.playback.unit;
    return {
        {"Space", &words::kKeyPlay, ImGuiKey_Space, TogglePlay{}},
        {"→  ←", &words::kKeyStep, ImGuiKey_RightArrow, Step{unit, false}},
        {"", nullptr, ImGuiKey_LeftArrow, Step{unit, true}},
        {"Page ↓  Page ↑", &words::kKeyLine, ImGuiKey_PageDown, Step{Stride::Line, false}},
        {"", nullptr, ImGuiKey_PageUp, Step{Stride::Line, true}},
        {"Shift → ←", &words::kKeyPhase, ImGuiMod_Shift | ImGuiKey_RightArrow, Step{Stride::Phase, false}},
        {"", nullptr, ImGuiMod_Shift | ImGuiKey_LeftArrow, Step{Stride::Phase, true}},
        {"Home  End", &words::kKeyEnds, ImGuiKey_Home, ToEnd{true}},
        {"", nullptr, ImGuiKey_End, ToEnd{false}},
        {"[  ]", &words::kKeyWarp, ImGuiKey_LeftBracket, ChangeWarp{-1}},
        {"", nullptr, ImGuiKey_RightBracket, ChangeWarp{1}},
        {"{  }", &words::kKeyBlock, ImGuiMod_Shift | ImGuiKey_LeftBracket, ChangeBlock{-1}},
        {"", nullptr, ImGuiMod_Shift | ImGuiKey_RightBracket, ChangeBlock{1}},
        {"↑  ↓", &words::kKeyLane, ImGuiKey_UpArrow, ChangeLane{-1}},
        {"", nullptr, ImGuiKey_DownArrow, ChangeLane{1}},
        {"A", &words::kKeyAccess, ImGuiKey_A, Step{Stride::SameLine, false}},
        {"", nullptr, ImGuiMod_Shift | ImGuiKey_A, Step{Stride::SameLine, true}},
        {"C", &words::kKeyConflict, ImGuiKey_C, Step{Stride::Conflict, false}},
        {"", nullptr, ImGuiMod_Shift | ImGuiKey_C, Step{Stride::Conflict, true}},
        {"D", &words::kKeyDivergence, ImGuiKey_D, Step{Stride::Divergence, false}},
        {"", nullptr, ImGuiMod_Shift | ImGuiKey_D, Step{Stride::Divergence, true}},
        {"F", &words::kKeyFinding, ImGuiKey_F, Step{Stride::Finding, false}},
        {"", nullptr, ImGuiMod_Shift | ImGuiKey_F, Step{Stride::Finding, true}},
        {"P", &words::kKeyTake, ImGuiKey_P, TakeAccess{}},
        {"Ctrl Z  Ctrl Y", &words::kKeyUndo, ImGuiMod_Ctrl | ImGuiKey_Z, Undo{}},
        {"", nullptr, ImGuiMod_Ctrl | ImGuiKey_Y, Redo{}},
        {"", nullptr, ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z, Redo{}},
        {"M", &words::kKeyMotion, ImGuiKey_M, SetReduceMotion{!state.reduceMotion}},
        {"T", &words::kKeyTheme, ImGuiKey_T, nextThemeAction(state)},
        {"L", &words::kKeyLanguage, ImGuiKey_L, SetLanguage{state.language == Language::English ? Language::Chinese : Language::English}},
        {"Ctrl Q", &words::kKeyQuit, ImGuiMod_Ctrl | ImGuiKey_Q, Quit{}},
    };
}

}  // namespace

void handleKeys(PanelContext& context) {
    if (ImGui::IsKeyPressed(ImGuiKey_F1, false)) context.send(ShowKeys{!context.state.showKeys});
    if (context.state.showKeys && ImGui::IsKeyPressed(ImGuiKey_Escape)) context.send(ShowKeys{false});
    if (ImGui::GetIO().WantTextInput) return;
    for (const KeyRow& row : keyRows(context.state))
        if (ImGui::IsKeyChordPressed(row.chord)) context.send(row.action);
    const std::span<const viz::ViewRow> views = viz::views();
    for (std::size_t i = 0; i < views.size() && i < 9; ++i)
        if (ImGui::IsKeyChordPressed(ImGuiKey_1 + int(i))) context.send(BringUp{std::string(views[i].name)});
}

void drawKeys(PanelContext& context) {
    if (!context.state.showKeys) return;
    const Language language = context.state.language;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    ImGui::SetNextWindowPos({viewport.GetCenter().x, viewport.GetCenter().y}, ImGuiCond_Always, {0.5f, 0.5f});
    ImGui::SetNextWindowFocus();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(24, 20));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, viz::radius::kPanel);
    if (ImGui::Begin("##keys", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoSavedSettings)) {
        label(context, words::kKeys.in(language), {.size = viz::type::kTitle, .face = viz::Face::TextBold});
        const auto rowOf = [&](std::string_view keys, std::string_view does) {
            label(context, keys, {.size = viz::type::kCode, .face = viz::Face::MonoBold});
            ImGui::SameLine(170);
            label(context, does);
        };
        for (const KeyRow& row : keyRows(context.state))
            if (row.does) rowOf(row.shown, row.does->in(language));
        rowOf("1 - 9", words::kKeyViews.in(language));
        rowOf("Ctrl E", words::kKeyExport.in(language));
        rowOf("Ctrl C", words::kKeyCopy.in(language));
        rowOf("F1", words::kKeyHelp.in(language));
        if (textButton(context, "close", words::kClose.in(language))) context.send(ShowKeys{false});
    }
    ImGui::End();
    ImGui::PopStyleVar(3);
}

}  // namespace lockstep::app
