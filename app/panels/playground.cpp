// The controls of the playground, above its picture: what the lanes access, the width, the space, and the row
// layout.
#include "viz/cursor/playground.h"

#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/panels/words.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <misc/cpp/imgui_stdlib.h>
#include <tuple>
#include <vector>

namespace lockstep::app {
namespace {

using model::AccessPattern;
using viz::RoleKind;

constexpr std::array kWidths{1u, 2u, 4u, 8u, 16u};
constexpr Words kPaddingLess = english("One element of padding less behind each row"),
                kPaddingMore = english("One element of padding more behind each row");
constexpr TextLook kSecond{.role = RoleKind::TextSecond};
constexpr f32 kPresetWidth = 300, kLeastPreset = 220, kLeastExpression = 150, kPaddingWidth = 130,
              kRowWidth = 48;

// Places the next control beside the last one, or on a new line if it does not fit.
void beside(f32 width) {
    ImGui::SameLine();
    if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

void choosePreset(PanelContext& context) {
    const std::span<const model::AccessPreset> presets = model::accessPresets();
    std::vector<std::string> titles;
    for (const model::AccessPreset& preset : presets)
        titles.emplace_back(preset.title.in(context.state.language));
    const model::AccessPreset* const now = model::presetOf(context.state.playground.shown.pattern);
    const int on = now ? int(now - presets.data()) : -1;
    if (on < 0) titles.push_back(std::string(words::kOwnPattern.in(context.state.language)));
    // Narrower if the expression then fits beside it: the controls' height is lost to the pictures.
    const f32 avail = ImGui::GetContentRegionAvail().x,
              forBoth = avail - widthOf(context, words::kElementIs.in(context.state.language)) -
                        kLeastExpression - 4 * viz::space::kGap;
    const f32 width =
        std::min(forBoth >= kLeastPreset ? std::min(kPresetWidth, forBoth) : kPresetWidth, avail);
    const int chosen =
        dropDown(context, "##presets", titles, on < 0 ? int(titles.size()) - 1 : on,
                 {words::kPresetHelp.in(context.state.language), "internals/visual-grammar.md"}, width);
    if (chosen >= 0 && chosen < int(presets.size()))
        context.send(SetPattern{presets[std::size_t(chosen)].pattern});
}

void typeExpression(PanelContext& context, f32 width) {
    std::string text = context.state.playground.typed;
    ImGui::PushFont(context.fonts.font(viz::Face::Mono),
                    context.fonts.size(viz::Face::Mono, viz::type::kBody));
    ImGui::SetNextItemWidth(width);
    const std::string hint(words::kPlacedByHand.in(context.state.language));
    if (ImGui::InputTextWithHint("##expression", hint.c_str(), &text)) context.send(TypeExpression{text});
    ImGui::PopFont();
    helped(context, {words::kExpressionHover.in(context.state.language), "internals/visual-grammar.md"});
}

template <std::size_t kCount>
void chooseOne(PanelContext& context, const char* id, const std::array<std::string_view, kCount>& texts,
               int on, auto&& change, const Words& help, bool first = false) {
    f32 width = 0;
    for (const std::string_view text : texts)
        width += widthOf(context, text) + 24;
    if (!first) beside(width);
    ImGui::BeginGroup();
    const int chosen =
        segments(context, id, texts, on, {{help.in(context.state.language), "internals/visual-grammar.md"}});
    ImGui::EndGroup();
    if (chosen < 0 || chosen == on) return;
    AccessPattern pattern = context.state.playground.shown.pattern;
    change(pattern, chosen);
    context.send(SetPattern{std::move(pattern)});
}

void chooseRows(PanelContext& context) {
    const Language language = context.state.language;
    AccessPattern pattern = context.state.playground.shown.pattern;
    const std::string_view row = words::kRowOf.in(language), padding = words::kPaddingOf.in(language);
    controlLabel(context, row, kSecond);
    ImGui::SameLine();
    s64 elements = pattern.rows.elements;
    if (numberField(context, "##row", elements, kRowWidth,
                    {words::kRowHelp.in(language), "internals/visual-grammar.md"})) {
        pattern.rows.elements = u32(std::clamp<s64>(elements, 1, 65536));
        context.send(SetPattern{pattern});
    }
    beside(widthOf(context, padding) + kPaddingWidth + viz::space::kGap);
    controlLabel(context, padding, kSecond);
    ImGui::SameLine();
    const Help help{words::kPaddingHover.in(language), "internals/visual-grammar.md"};
    constexpr f32 inner = 2;  // they are the field's
    const f32 button = ImGui::GetFrameHeight();
    s64 padded = pattern.rows.padding;
    bool isPadded = numberField(context, "##padding", padded, kPaddingWidth - 2 * (inner + button), help);
    for (const auto& [text, by, does] : {std::tuple{"-", -1, &kPaddingLess}, {"+", 1, &kPaddingMore}}) {
        ImGui::SameLine(0, inner);
        if (ImGui::Button(text, {button, button})) padded += by, isPadded = true;
        helped(context, {does->in(language), "internals/visual-grammar.md"});
    }
    if (isPadded) {
        pattern.rows.padding = u32(std::clamp<s64>(padded, 0, 1024));
        context.send(SetPattern{pattern});
    }
}

}  // namespace

void drawPlaygroundControls(PanelContext& context) {
    const Language language = context.state.language;
    const PlaygroundState& playground = context.state.playground;
    const AccessPattern& pattern = playground.shown.pattern;
    ImGui::PushFont(context.fonts.font(viz::Face::Text),
                    context.fonts.size(viz::Face::Text, viz::type::kBody));
    ImGui::SetCursorPos(
        {ImGui::GetCursorPosX() + viz::space::kInset, ImGui::GetCursorPosY() + viz::space::kGap});
    ImGui::BeginGroup();
    const f32 right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - viz::space::kInset;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(viz::space::kGap, 6));

    choosePreset(context);
    const std::string_view label = words::kElementIs.in(language);
    beside(widthOf(context, label) + kLeastExpression);
    controlLabel(context, label, kSecond);
    ImGui::SameLine();
    typeExpression(context, std::max(80.0f, right - ImGui::GetCursorPosX()));

    const std::array<std::string_view, 2> spaces{words::kSpaceShared.in(language),
                                                 words::kSpaceGlobal.in(language)};
    const std::array<std::string_view, 2> operations{words::kOpLoad.in(language),
                                                     words::kOpStore.in(language)};
    const std::array<std::string_view, kWidths.size()> widths{"1 B", "2 B", "4 B", "8 B", "16 B"};
    const std::array<std::string_view, 2> order{words::kInOrder.in(language), words::kSwizzle.in(language)};
    chooseOne(
        context, "space", spaces, pattern.space == trace::Space::Global,
        [](AccessPattern& p, int i) { p.space = i ? trace::Space::Global : trace::Space::Shared; },
        words::kSpaceHelp, true);
    chooseOne(
        context, "operation", operations, pattern.operation == trace::AccessKind::Store,
        [](AccessPattern& p, int i) { p.operation = i ? trace::AccessKind::Store : trace::AccessKind::Load; },
        words::kOperationHelp);
    chooseOne(
        context, "width", widths, int(std::ranges::find(kWidths, pattern.widthBytes) - kWidths.begin()),
        [](AccessPattern& p, int i) { p.widthBytes = kWidths[std::size_t(i)]; }, words::kWidthHelp);
    chooseOne(
        context, "order", order, pattern.rows.swizzled,
        [](AccessPattern& p, int i) { p.rows.swizzled = i == 1; }, words::kOrderHelp);

    beside(widthOf(context, words::kRowOf.in(language)) + kRowWidth + 3 * viz::space::kGap +
           widthOf(context, words::kPaddingOf.in(language)) + kPaddingWidth);
    chooseRows(context);

    const Lane lane = playground.shown.lane;
    const std::string switchLane =
        say(language, pattern.off.has(lane) ? words::kSwitchOn : words::kSwitchOff, lane.value);
    beside(widthOf(context, switchLane) + 24);
    if (textButton(context, "switch lane", switchLane,
                   {words::kSwitchLaneHelp.in(language), "internals/visual-grammar.md"}))
        context.send(SwitchLane{lane});
    const std::string_view take = words::kTakeAccess.in(language), reset = words::kReset.in(language);
    beside(widthOf(context, take) + 24);
    ImGui::BeginDisabled(!context.state.run || !viz::patternAt(*context.state.run, context.state.cursor));
    if (textButton(context, "take", take,
                   {words::kTakeAccessHover.in(language), "internals/visual-grammar.md"}))
        context.send(TakeAccess{});
    ImGui::EndDisabled();
    beside(widthOf(context, reset) + 24);
    if (textButton(context, "reset", reset, {words::kResetHelp.in(language), "internals/visual-grammar.md"}))
        context.send(ResetPlayground{});
    // Below the controls, none of which it moves.
    if (playground.fault)
        paragraph(context, describe(*playground.fault, language), {.role = RoleKind::Finding});

    ImGui::PopStyleVar();
    ImGui::EndGroup();
    ImGui::SetCursorPosX(0);
    ImGui::PopFont();
}

}  // namespace lockstep::app
