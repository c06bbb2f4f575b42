// The bar: what runs it, whose rules, which language and theme.
#include <array>

#include <imgui.h>

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "model/profile.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;
using viz::say;

std::string capability(const model::Profile& profile) { return std::to_string(profile.major) + "." + std::to_string(profile.minor); }

std::string nextTheme(const std::string& name) {
    const auto themes = viz::themes();
    for (std::size_t i = 0; i < themes.size(); ++i)
        if (themes[i].name == name) return std::string(themes[(i + 1) % themes.size()].name);
    return std::string(themes.front().name);
}

void drawRulesMenu(PanelContext& context) {
    const Language language = context.state.language;
    const model::Profile* current = model::findProfile(context.state.profile);
    const std::string text = say(language, words::kRules, current ? capability(*current) : context.state.profile);
    if (textButton(context, "rules", text, 0, words::kRulesHover.in(language))) ImGui::OpenPopup("rules menu");
    if (!ImGui::BeginPopup("rules menu")) return;
    for (const model::Profile& profile : model::profiles()) {
        const std::string row = "cc " + capability(profile) + "   " + profile.card;
        if (ImGui::Selectable(row.c_str(), profile.name == context.state.profile)) context.send(SetProfile{profile.name});
    }
    ImGui::EndPopup();
}

}  // namespace

bool drawTopBar(PanelContext& context, ExperimentButton experiment) {
    const Language language = context.state.language;
    const ImVec2 at = ImGui::GetWindowPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawIcon(list, Icon::Logo, {at.x + 26, at.y + kBarHeight / 2 - 1}, ink(context, RoleKind::Text));
    drawText(context, list, {at.x + 46, at.y + kBarHeight / 2}, "Lockstep", {.size = viz::type::kTitle, .face = viz::Face::TextBold});
    bool toggled = false;
    ImGui::SetCursorPos({132, (kBarHeight - kControlHeight) / 2});
    const std::array layouts{words::kExplore.in(language), words::kCompare.in(language)};
    const int layout = segments(context, "layouts", layouts, context.state.beside.open ? 1 : 0);
    if (layout == 0) context.send(OpenComparison{false});
    if (layout == 1) context.send(CompareWithAnother{});
    if (experiment != ExperimentButton::None) {
        ImGui::SameLine();
        const std::array names{words::kExperiment.in(language)};
        toggled = segments(context, "experiment", names, experiment == ExperimentButton::Open ? 0 : -1) == 0;
    }

    const std::string rules = say(language, words::kRules, "10.0");
    const std::string_view emulator = words::kEmulator.in(language), other = language == Language::English ? "中文" : "English";
    const f32 widths = widthOf(context, rules) + widthOf(context, emulator) + widthOf(context, other) + widthOf(context, "F1") + 4 * 24 + kButtonWidth + 4 * viz::space::kGap;
    ImGui::SetCursorPos({ImGui::GetWindowWidth() - widths - viz::space::kInset, (kBarHeight - kControlHeight) / 2});
    pill(context, emulator, words::kEmulatorHover.in(language));
    ImGui::SameLine();
    drawRulesMenu(context);
    ImGui::SameLine();
    if (textButton(context, "language", other, 0, words::kLanguageHover.in(language)))
        context.send(SetLanguage{language == Language::English ? Language::Chinese : Language::English});
    ImGui::SameLine();
    if (iconButton(context, "theme", Icon::Theme, words::kThemeHover.in(language))) context.send(SetTheme{nextTheme(context.state.theme)});
    ImGui::SameLine();
    if (textButton(context, "keys", "F1", 0, words::kKeysHover.in(language))) context.send(ShowKeys{});
    return toggled;
}

}  // namespace lockstep::app
