// The bar: backend, profile, language and theme.
#include "app/panels/editor/editor_words.h"
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/lesson/lesson_words.h"
#include "app/panels/palette_entries.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/update.h"
#include "explain/sentences/finding_groups.h"
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
bool isOfTask(const State& s, std::string_view task) {
    return !s.compared.open && !s.lessons.open && !s.playlists.open && s.task == task;
}
constexpr std::array kAbout{
    About{&words::kExplore, &words::kExploreHelp, []() -> Action { return SetTask{"explore"}; },
          [](const State& s) { return isOfTask(s, "explore"); }},
    About{&words::kMeasure, &words::kMeasureHelp, []() -> Action { return SetTask{"measure"}; },
          [](const State& s) { return isOfTask(s, "measure"); }},
    About{&words::kCompare, &words::kCompareHelp, []() -> Action { return CompareWithAnother{}; },
          [](const State& s) { return s.compared.open; }},
    About{&words::kLessons, &words::kLessonsHelp, []() -> Action { return LessonAction{ShowLessons{}}; },
          [](const State& s) { return s.lessons.open && !s.compared.open; }},
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
    if (!context.state.choice.family.empty()) {
        if (ImGui::Selectable(words::kKeyEditCopy.in(language).data()))
            context.send(EditorAction{EditCopy{}});
        helped(context, {words::kEditCopyHelp.in(language), "guide/editor.md"});
    }
    if (ImGui::Selectable(words::kKeyNewKernel.in(language).data())) context.send(EditorAction{NewKernel{}});
    helped(context, {words::kNewKernelHelp.in(language), "guide/editor.md"});
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

void drawRules(PanelContext& context) {
    const Language language = context.state.language;
    for (const model::Profile& profile : model::profiles()) {
        const std::string row = "cc " + model::knownAs(profile) + "   " + profile.card;
        if (ImGui::Selectable(row.c_str(), profile.name == context.state.profile))
            context.send(SetProfile{profile.name});
        helped(context, {words::kRulesHover.in(language), "internals/accuracy.md"});
    }
}

void drawRulesMenu(PanelContext& context) {
    const Language language = context.state.language;
    const std::string text = rulesText(context.state);
    if (textButton(context, "rules", text, {words::kRulesHover.in(language), "internals/accuracy.md"}))
        ImGui::OpenPopup("rules menu");
    if (!beginMenu("rules menu")) return;
    drawRules(context);
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

// What stands in the bar, and what of it there is no room for: that is in a menu at its right end.
class Bar {
public:
    Bar(PanelContext& context, std::string& path)
        : context_(context), state_(context.state), path_(path), backend_(context) {
        for (const About& about : kAbout)
            wide_[Tasks] += widthOf(context, about.name->in(state_.language)) + 24;
        const LanguageRow& next = rowOf(nextLanguage(state_.language));
        wide_[Palette] = button(words::kPaletteButton.in(state_.language));
        wide_[Recent] = button(words::kRecent.in(state_.language));
        wide_[Export] = wide_[Theme] = wide_[More] = kButtonWidth;
        wide_[Backend] = backend_.width();
        wide_[Rules] = button(rulesText(state_));
        wide_[Languages] = button(next.name);
        wide_[Keys] = button("F1");
    }

    // Leaves out what is reached most easily otherwise, until the rest has room.
    void fit(f32 room) {
        constexpr std::array kLeaving{Palette, Export, Tasks, Theme, Languages, Keys, Rules};
        has_.fill(true);
        has_[More] = false;
        for (const Part part : kLeaving) {
            if (needed() <= room) return;
            has_[part] = false;
            has_[More] = true;
        }
    }
    // Of all but the tasks.
    f32 width() const {
        f32 width = -viz::space::kGap;
        for (std::size_t part = 0; part < kParts; ++part)
            if (has_[part] && part != Tasks) width += wide_[part] + viz::space::kGap;
        return width;
    }

    bool drawTasks() const {
        if (has_[Tasks]) chooseTask(context_);
        return has_[Tasks];
    }
    void draw() {
        const Language language = state_.language;
        auto isNext = [this, isFirst = true](Part part) mutable {
            if (has_[part] && !isFirst) ImGui::SameLine();
            isFirst &= !has_[part];
            return has_[part];
        };
        if (isNext(Palette) && textButton(context_, "palette", words::kPaletteButton.in(language),
                                          {words::kPaletteButtonHelp.in(language), "guide/window.md"}))
            context_.send(ShowPalette{});
        if (isNext(Recent)) drawRecentMenu(context_, path_);
        if (isNext(Export) && iconButton(context_, "export", Icon::Export,
                                         {words::kExportButtonHelp.in(language), "guide/pictures.md"}))
            context_.send(OpenExport{viewInHand(state_)});
        if (isNext(Backend)) backend_.draw();
        if (isNext(Rules)) drawRulesMenu(context_);
        const LanguageRow& next = rowOf(nextLanguage(language));
        if (isNext(Languages) &&
            textButton(context_, "language", next.name,
                       {say(next.id, words::kLanguageHover, next.name), "guide/window.md"}))
            context_.send(SetLanguage{next.id});
        if (isNext(Theme) && iconButton(context_, "theme", Icon::Theme,
                                        {words::kThemeHover.in(language), "internals/visual-grammar.md"}))
            context_.send(SetTheme{nextTheme(state_.theme)});
        if (isNext(Keys) &&
            textButton(context_, "keys", "F1", {words::kKeysHover.in(language), "guide/window.md"}))
            context_.send(ShowKeys{});
        if (isNext(More)) drawMore();
    }

private:
    enum Part : u8 { Tasks, Palette, Recent, Export, Backend, Rules, Languages, Theme, Keys, More };
    static constexpr std::size_t kParts = More + 1;

    f32 button(std::string_view text) const { return widthOf(context_, text) + 24; }
    f32 needed() const { return width() + (has_[Tasks] ? wide_[Tasks] + 2 * viz::space::kGap : 0); }

    void row(Part part, std::string_view text, const Help& help, Action action, bool isOn = false) const {
        if (has_[part]) return;
        if (ImGui::Selectable(std::string(text).c_str(), isOn)) context_.send(std::move(action));
        helped(context_, help);
    }
    void drawMore() const {
        const Language language = state_.language;
        if (iconButton(context_, "more", Icon::More, {words::kMoreHelp.in(language), "guide/window.md"}))
            ImGui::OpenPopup("more menu");
        if (!beginMenu("more menu")) return;
        for (const About& about : kAbout)
            row(Tasks, about.name->in(language), {about.help->in(language), "guide/window.md"},
                about.action(), about.isOn(state_));
        if (!has_[Tasks]) ImGui::Separator();
        row(Palette, words::kKeyPalette.in(language),
            {words::kPaletteButtonHelp.in(language), "guide/window.md"}, ShowPalette{});
        row(Export, words::kExport.in(language), {words::kExportButtonHelp.in(language), "guide/pictures.md"},
            OpenExport{viewInHand(state_)});
        const LanguageRow& next = rowOf(nextLanguage(language));
        row(Languages, next.name, {say(next.id, words::kLanguageHover, next.name), "guide/window.md"},
            SetLanguage{next.id});
        row(Theme, words::kKeyTheme.in(language), {words::kThemeHover.in(language), "guide/window.md"},
            SetTheme{nextTheme(state_.theme)});
        row(Keys, words::kKeys.in(language), {words::kKeysHover.in(language), "guide/window.md"}, ShowKeys{});
        if (!has_[Rules]) {
            ImGui::Separator();
            drawRules(context_);
        }
        ImGui::EndPopup();
    }

    PanelContext& context_;
    const State& state_;
    std::string& path_;
    BackendSwitch backend_;
    std::array<f32, kParts> wide_{};
    std::array<bool, kParts> has_{};
};

// With the number of problems of the run, which the closed drawer would hide.
std::string experimentText(const State& state, ExperimentButton button) {
    std::string name(words::kExperiment.in(state.language));
    if (button != ExperimentButton::Closed || !state.run || state.isOfAnother() || hidesResult(state))
        return name;
    const u64 problems = explain::tallyOf(state.run->recording.findings, *state.run->module).problems;
    return problems ? say(state.language, words::kExperimentProblems, name, problems) : name;
}

}  // namespace

BarClick drawTopBar(PanelContext& context, ExperimentButton experiment, std::string& path) {
    const Language language = context.state.language;
    const ImVec2 at = ImGui::GetWindowPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    drawIcon(list, Icon::Logo, {at.x + 26, at.y + kBarHeight / 2 - 1}, ink(context, RoleKind::Text));
    drawText(context, list, {at.x + 46, at.y + kBarHeight / 2}, "Lockstep",
             {.size = viz::type::kTitle, .face = viz::Face::TextBold});
    BarClick click;
    constexpr f32 kBegin = 132, kGap = viz::space::kGap;
    const bool hasButton = experiment != ExperimentButton::None;
    const std::string button = experimentText(context.state, experiment);
    Bar bar(context, path);
    bar.fit(ImGui::GetWindowWidth() - viz::space::kInset - kBegin - 2 * kGap -
            (hasButton ? widthOf(context, button) + 24 + kGap : 0));
    ImGui::SetCursorPos({kBegin, (kBarHeight - kControlHeight) / 2});
    const bool hasTasks = bar.drawTasks();
    // Behind the tasks: they stay where they are when it comes and goes.
    if (hasButton) {
        if (hasTasks) ImGui::SameLine(0, kGap);
        const std::array<std::string_view, 1> names{button};
        click.toggled = segments(context, "experiment", names, experiment == ExperimentButton::Open ? 0 : -1,
                                 {{words::kExperimentHelp.in(language), "guide/window.md"}}) == 0;
        click.isOver = ImGui::IsMouseHoveringRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    }
    ImGui::SetCursorPos(
        {ImGui::GetWindowWidth() - bar.width() - viz::space::kInset, (kBarHeight - kControlHeight) / 2});
    bar.draw();
    return click;
}

}  // namespace lockstep::app
