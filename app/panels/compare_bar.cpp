// Which two runs are compared: the variant of each, and the sizes of the second.
#include "app/panels/panels.h"
#include "app/panels/program/program_words.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"
#include "app/state/program_update.h"
#include "catalog/prebuilt.h"

#include <imgui.h>

#include <algorithm>

namespace lockstep::app {
namespace {

using viz::RoleKind;

constexpr f32 kWideList = 360, kLeastList = 130, kWholeName = 480, kField = 128, kLeastField = 84,
              kNarrowBar = 1000;
constexpr f32 kAroundList = 44;  // its letter and the gaps

// The family's variants; returns the one chosen, or null.
const catalog::Variant* chooseVariant(PanelContext& context, const char* id, const catalog::Family& family,
                                      const std::string& current, const Words& help, f32 width) {
    std::vector<std::string> titles;
    int on = -1;
    for (const catalog::Variant& variant : family.variants) {
        if (variant.name == current) on = int(titles.size());
        titles.push_back(variant.title.in(context.state.language));
    }
    const int chosen =
        dropDown(context, id, titles, on, {help.in(context.state.language), "guide/pictures.md"}, width);
    return chosen < 0 ? nullptr : &family.variants[std::size_t(chosen)];
}

void letter(PanelContext& context, const char* text) {
    controlLabel(context, text, {.size = viz::type::kTitle, .face = viz::Face::TextBold});
    ImGui::SameLine();
}

// In a narrow bar a number has the room of the largest and no more: the names of the variants need it.
f32 fieldOf(const catalog::Parameter& parameter) {
    return parameter.isChoice() || ImGui::GetWindowWidth() >= kNarrowBar ? kField : kLeastField;
}

// What the sizes of a variant take of the bar.
f32 widthOfSizes(const PanelContext& context, const catalog::Family& family, const Choice& choice) {
    const catalog::Variant* variant = family.find(choice.variant);
    f32 width = 0;
    for (const catalog::Parameter& parameter : family.parameters)
        if (variant && std::ranges::find(variant->parameters, parameter.name) != variant->parameters.end())
            width += widthOf(context, parameter.name) + fieldOf(parameter) + 2 * viz::space::kInset;
    return width;
}

// The second run's sizes, as many as fit.
void chooseSizes(PanelContext& context, const catalog::Family& family, const Choice& choice) {
    const catalog::Variant* variant = family.find(choice.variant);
    if (!variant) return;
    for (const catalog::Parameter& parameter : family.parameters) {
        if (std::ranges::find(variant->parameters, parameter.name) == variant->parameters.end() ||
            !choice.values.contains(parameter.name))
            continue;
        ImGui::SameLine(0, viz::space::kInset);
        if (ImGui::GetContentRegionAvail().x <
            widthOf(context, parameter.name) + fieldOf(parameter) + 2 * viz::space::kInset)
            return;
        controlLabel(context, parameter.name, {.role = RoleKind::TextSecond});
        Help help{parameter.help.in(context.state.language), "guide/pictures.md"};
        if (const std::optional<Message> values = catalog::prebuiltValues(family, *variant, parameter);
            values && !context.state.hasCompiler)
            help.text += "\n" + say(context.state.language, words::kPrebuilt, *values);
        if (ImGui::IsItemHovered()) helpOn(context, help.text, help.page);
        ImGui::SameLine();
        Choice to = choice;
        s64& value = to.values[parameter.name];
        const std::string id = "##b " + parameter.name;
        if (parameter.isChoice()) {
            if (const int chosen = dropDown(context, id.c_str(), parameter.choices, int(value), help, kField);
                chosen >= 0)
                value = chosen;
        } else {
            (void)numberField(context, id.c_str(), value, fieldOf(parameter), help);
        }
        if (to != choice) context.send(CompareWith{std::move(to)});
    }
}

// Two launches of a program.
void chooseLaunches(PanelContext& context) {
    const State& state = context.state;
    const Language language = state.language;
    const std::vector<ProgramLaunch> launches = launchesOf(state.program);
    std::vector<std::string> texts;
    int first = -1, second = -1;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        texts.push_back(say(language, words::kProgramLaunchNumber, launches[i].number, launches[i].title));
        if (state.choice.launch == launches[i]) first = int(i);
        if (state.compared.choice && state.compared.choice->launch == launches[i]) second = int(i);
    }
    const f32 list = std::clamp(ImGui::GetContentRegionAvail().x / 4, kLeastList, kWideList);
    letter(context, "A");
    if (const int chosen = dropDown(context, "##a launch", texts, first,
                                    {words::kCompareFirstLaunchHelp.in(language), "guide/window.md"}, list);
        chosen >= 0)
        context.send(ProgramAction{OpenLaunch{launches[std::size_t(chosen)].number}});
    ImGui::SameLine(0, viz::space::kInset);
    letter(context, "B");
    if (const int chosen = dropDown(context, "##b launch", texts, second,
                                    {words::kCompareLaunchHelp.in(language), "guide/window.md"}, list);
        chosen >= 0)
        context.send(ProgramAction{CompareLaunch{launches[std::size_t(chosen)].number}});
}

}  // namespace

void drawCompareBar(PanelContext& context) {
    const State& state = context.state;
    if (state.choice.launch) {
        ImGui::SetCursorPos({viz::space::kInset, (kBarHeight - kControlHeight) / 2});
        return chooseLaunches(context);
    }
    const catalog::Family* family = state.catalog->find(state.choice.family);
    if (!family) return;
    ImGui::SetCursorPos({viz::space::kInset, (kBarHeight - kControlHeight) / 2});
    const Choice& second = state.compared.choice ? *state.compared.choice : state.choice;
    // What the sizes leave.
    const f32 sizes = state.compared.choice ? widthOfSizes(context, *family, second) : 0;
    const f32 list =
        std::clamp((ImGui::GetContentRegionAvail().x - sizes) / 2 - kAroundList, kLeastList, kWholeName);
    letter(context, "A");
    if (const catalog::Variant* variant = chooseVariant(context, "##a variant", *family, state.choice.variant,
                                                        words::kCompareFirstHelp, list))
        context.send(ChooseVariant{family->name, variant->name});
    ImGui::SameLine(0, viz::space::kInset);
    letter(context, "B");
    if (const catalog::Variant* variant = chooseVariant(
            context, "##b variant", *family, state.compared.choice ? second.variant : std::string(),
            words::kCompareSecondHelp, list)) {
        Choice to = second;
        to.variant = variant->name;
        context.send(CompareWith{std::move(to)});
    }
    if (state.compared.choice) chooseSizes(context, *family, *state.compared.choice);
    constexpr f64 kShownAfter = 0.5;
    const std::string_view underWay = words::kBesideUnderWay.in(state.language);
    if (!state.compared.job.running || state.compared.job.seconds < kShownAfter) return;
    ImGui::SameLine(ImGui::GetWindowWidth() - widthOf(context, underWay) - viz::space::kInset);
    controlLabel(context, underWay, {.role = RoleKind::TextSecond});
}

}  // namespace lockstep::app
