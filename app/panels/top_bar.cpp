// The bar: backend, profile, language and theme.
#include "app/panels/palette_entries.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"
#include "model/profiles/card_names.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

namespace lockstep::app {
namespace {

using viz::RoleKind;

// Tasks: the window laid out for a task, for two runs, or for a presentation.
struct About {
    const Words *name, *help;
    Action (*action)();
    bool (*isOn)(const State&);
};
constexpr std::array kAbout{
    About{&words::kExplore, &words::kExploreHelp, []() -> Action { return SetTask{"explore"}; },
          [](const State& s) { return !s.compared.open && s.task == "explore"; }},
    About{&words::kMeasure, &words::kMeasureHelp, []() -> Action { return SetTask{"measure"}; },
          [](const State& s) { return !s.compared.open && s.task == "measure"; }},
    About{&words::kCompare, &words::kCompareHelp, []() -> Action { return CompareWithAnother{}; },
          [](const State& s) { return s.compared.open; }},
    About{&words::kPresent, &words::kPresentHelp, []() -> Action { return Present{}; },
          [](const State& s) { return s.presenting.on; }}};

void chooseTask(PanelContext& context) {
    std::array<std::string_view, kAbout.size()> names;
    std::vector<Help> help;
    int on = -1;
    for (std::size_t i = 0; i < kAbout.size(); ++i) {
        names[i] = kAbout[i].name->in(context.state.language);
        help.emplace_back(kAbout[i].help->in(context.state.language), "guide/window.md");
        if (kAbout[i].isOn(context.state)) on = int(i);
    }
    if (const int chosen = segments(context, "task", names, on, help); chosen >= 0)
        context.send(kAbout[std::size_t(chosen)].action());
}

// Recent experiments, and files: `path` as typed so far.
void drawRecentMenu(PanelContext& context, std::string& path) {
    const Language language = context.state.language;
    if (textButton(context, "recent", words::kRecent.in(language),
                   {words::kRecentHelp.in(language), "guide/window.md"}))
        ImGui::OpenPopup("recent menu");
    ImGui::SetNextWindowSizeConstraints({320, 0}, {560, 700});
    if (!beginMenu("recent menu")) return;
    if (ImGui::Selectable(words::kOpen.in(language).data())) context.send(ChooseFile{});
    helped(context, {words::kOpenHelp.in(language), "guide/window.md"});
    ImGui::SetNextItemWidth(-1);
    if (ImGui::IsWindowAppearing()) path.clear(), ImGui::SetKeyboardFocusHere();
    if (ImGui::InputTextWithHint("##path", words::kOwnPath.in(language).data(), &path,
                                 ImGuiInputTextFlags_EnterReturnsTrue) &&
        !path.empty()) {
        context.send(OpenFile{path});
        ImGui::CloseCurrentPopup();
    }
    helped(context, {words::kOpenHelp.in(language), "guide/window.md"});
    ImGui::Separator();
    bool any = false;
    for (const PaletteEntry& entry : paletteEntries(context.state)) {
        if (!entry.id.starts_with("recent.")) continue;
        any = true;
        const std::string row = entry.text + "   " + entry.note + "##" + entry.id;
        if (ImGui::Selectable(row.c_str())) context.send(entry.action);
        helped(context, {words::kRecentRowHelp.in(language), "guide/window.md"});
    }
    if (!any) paragraph(context, words::kNoRecent.in(language), {.role = RoleKind::TextSecond}, 300);
    ImGui::EndPopup();
}

std::string nextTheme(const std::string& name) {
    const auto themes = viz::themes();
    for (std::size_t i = 0; i < themes.size(); ++i)
        if (themes[i].name == name) return std::string(themes[(i + 1) % themes.size()].name);
    return std::string(themes.front().name);
}

// The profile: with the card's name if the bar has space for it.
std::string rulesText(const State& state) {
    constexpr f32 kNamesCard = 1400;
    const model::Profile* current = model::findProfile(state.profile);
    const bool namesCard = ImGui::GetMainViewport()->WorkSize.x >= kNamesCard;
    return say(state.language, words::kRules,
               !current    ? state.profile
               : namesCard ? model::knownAs(*current)
                           : model::capabilityOf(*current));
}

void drawRulesMenu(PanelContext& context) {
    const Language language = context.state.language;
    const std::string text = rulesText(context.state);
    if (textButton(context, "rules", text, {words::kRulesHover.in(language), "internals/accuracy.md"}))
        ImGui::OpenPopup("rules menu");
    if (!beginMenu("rules menu")) return;
    for (const model::Profile& profile : model::profiles()) {
        const std::string row = "cc " + model::knownAs(profile) + "   " + profile.card;
        if (ImGui::Selectable(row.c_str(), profile.name == context.state.profile))
            context.send(SetProfile{profile.name});
        helped(context, {words::kRulesHover.in(language), "internals/accuracy.md"});
    }
    ImGui::EndPopup();
}

// The switch between the emulator and this machine's GPU. The GPU that is in use, or one of several, has a
// menu: which, and how it is timed.
class BackendSwitch {
public:
    explicit BackendSwitch(PanelContext& context) : context_(context), state_(context.state) {
        const std::size_t count = state_.gpus.any() ? state_.gpus.names->size() : 0;
        gpu_ = count > 1 ? say(state_.language, words::kGpuNumber, state_.device)
                         : std::string(words::kGpu.in(state_.language));
    }

    f32 width() const {
        return widthOf(context_, words::kEmulator.in(state_.language)) + widthOf(context_, gpu_) + 48;
    }

    void draw() const {
        const std::array<std::string_view, 2> names{words::kEmulator.in(state_.language), gpu_};
        const std::vector<Help> help{{words::kEmulatorHover.in(state_.language), "internals/emulator.md"},
                                     {gpuHover(), "guide/gpu.md"}};
        const int clicked =
            segments(context_, "backend", names, state_.usesGpu() ? 1 : 0, help, state_.gpus.any() ? 2 : 1);
        if (clicked == 0) context_.send(SetBackend{"emulator", state_.device});
        const bool asks = clicked == 1 && (state_.usesGpu() || state_.gpus.names->size() > 1);
        if (clicked == 1 && !asks) context_.send(SetBackend{"gpu", 0});
        if (asks) ImGui::OpenPopup("gpus");
        drawMenu();
    }

private:
    std::string gpuHover() const {
        if (state_.gpus.any())
            return say(state_.language, words::kGpuHover, (*state_.gpus.names)[state_.device]);
        return state_.gpus.why ? describe(*state_.gpus.why, state_.language)
                               : std::string(words::kLookingForGpu.in(state_.language));
    }
    void drawMenu() const {
        if (!beginMenu("gpus")) return;
        for (u32 device = 0; device < state_.gpus.names->size(); ++device) {
            const std::string row =
                say(state_.language, words::kGpuNumber, device) + "   " + (*state_.gpus.names)[device];
            if (ImGui::Selectable(row.c_str(), state_.usesGpu() && device == state_.device))
                context_.send(SetBackend{"gpu", device});
            helped(context_,
                   {say(state_.language, words::kGpuHover, (*state_.gpus.names)[device]), "guide/gpu.md"});
        }
        ImGui::Separator();
        if (ImGui::MenuItem(words::kColdTimes.in(state_.language).data(), nullptr, state_.coldTimes))
            context_.send(SetColdTimes{!state_.coldTimes});
        helped(context_, {words::kColdTimesHelp.in(state_.language), "guide/gpu.md"});
        ImGui::EndPopup();
    }

    PanelContext& context_;
    const State& state_;
    std::string gpu_;
};

}  // namespace

bool drawTopBar(PanelContext& context, ExperimentButton experiment, std::string& path) {
    const Language language = context.state.language;
    const ImVec2 at = ImGui::GetWindowPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawIcon(list, Icon::Logo, {at.x + 26, at.y + kBarHeight / 2 - 1}, ink(context, RoleKind::Text));
    drawText(context, list, {at.x + 46, at.y + kBarHeight / 2}, "Lockstep",
             {.size = viz::type::kTitle, .face = viz::Face::TextBold});
    bool toggled = false;
    ImGui::SetCursorPos({132, (kBarHeight - kControlHeight) / 2});
    if (experiment != ExperimentButton::None) {
        const std::array names{words::kExperiment.in(language)};
        toggled = segments(context, "experiment", names, experiment == ExperimentButton::Open ? 0 : -1,
                           {{words::kExperimentHelp.in(language), "guide/window.md"}}) == 0;
        ImGui::SameLine();
    }
    if (experiment == ExperimentButton::None || context.state.compared.open || isEnlarged(context.state))
        chooseTask(context);

    const std::string rules = rulesText(context.state);
    const BackendSwitch backend(context);
    const std::string_view other = rowOf(nextLanguage(language)).name;
    f32 widths = widthOf(context, words::kRecent.in(language)) + 24 + viz::space::kGap + backend.width() +
                 widthOf(context, rules) + widthOf(context, other) + widthOf(context, "F1") + 3 * 24 +
                 kButtonWidth + 4 * viz::space::kGap;
    // Buttons for commands that also have keys, in a window with space for them.
    f32 room = ImGui::GetWindowWidth() - viz::space::kInset - widths - (ImGui::GetItemRectMax().x - at.x);
    const auto fits = [&](f32 width) {
        if (room < width + 2 * viz::space::kGap) return false;
        room -= width + viz::space::kGap, widths += width + viz::space::kGap;
        return true;
    };
    const bool hasExport = fits(kButtonWidth),
               hasPalette = fits(widthOf(context, words::kPaletteButton.in(language)) + 24);
    ImGui::SetCursorPos(
        {ImGui::GetWindowWidth() - widths - viz::space::kInset, (kBarHeight - kControlHeight) / 2});
    if (hasPalette) {
        if (textButton(context, "palette", words::kPaletteButton.in(language),
                       {words::kPaletteButtonHelp.in(language), "guide/window.md"}))
            context.send(ShowPalette{});
        ImGui::SameLine();
    }
    drawRecentMenu(context, path);
    ImGui::SameLine();
    if (hasExport) {
        if (iconButton(context, "export", Icon::Export,
                       {words::kExportButtonHelp.in(language), "guide/pictures.md"}))
            context.send(OpenExport{viewInHand(context.state)});
        ImGui::SameLine();
    }
    backend.draw();
    ImGui::SameLine();
    drawRulesMenu(context);
    ImGui::SameLine();
    const LanguageRow& next = rowOf(nextLanguage(language));
    const std::string hover = say(next.id, words::kLanguageHover, next.name);
    if (textButton(context, "language", other, {hover, "guide/window.md"}))
        context.send(SetLanguage{nextLanguage(language)});
    ImGui::SameLine();
    if (iconButton(context, "theme", Icon::Theme,
                   {words::kThemeHover.in(language), "internals/visual-grammar.md"}))
        context.send(SetTheme{nextTheme(context.state.theme)});
    ImGui::SameLine();
    if (textButton(context, "keys", "F1", {words::kKeysHover.in(language), "guide/window.md"}))
        context.send(ShowKeys{});
    return toggled;
}

}  // namespace lockstep::app
