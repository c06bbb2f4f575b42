// The line above the sentence: what to look at in this kernel, at any window size.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "base/text/words.h"

#include <imgui.h>

namespace lockstep::app {
namespace {

constexpr Words kReadMore = english("Read");
constexpr Words kOfPlayground = english("Playground: what you set up there, not this kernel.");
constexpr Words kReadMoreHelp = english(
    "What to look at, what this variant fixes, what is still wrong, and the questions that its figures raise "
    "(R)");

}  // namespace

std::string briefOf(const State& state) {
    // It would answer the questions, of later steps and entries, too.
    if ((state.lessons.open && !state.lessons.key.empty()) || state.playlists.isOn()) return {};
    if (state.run && state.turnedTo == "playground") return std::string(kOfPlayground.in(state.language));
    const catalog::Family* family = state.catalog ? state.catalog->find(state.choice.family) : nullptr;
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    return variant && state.run ? variant->brief.in(state.language) : std::string();
}

void drawBrief(PanelContext& context, const std::string& brief) {
    const Language language = context.state.language;
    const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + viz::space::kBar, at.y + size.y}, ink(context, viz::RoleKind::Cursor));
    const std::string_view more = kReadMore.in(language);
    const TextLook second{.role = viz::RoleKind::TextSecond}, first{.face = viz::Face::TextBold};
    const f32 middle = at.y + size.y / 2 + 2, left = at.x + viz::space::kBar + viz::space::kInset,
              wide = widthOf(context, more, second), right = at.x + size.x - viz::space::kInset;
    // The line is never truncated: if it does not fit beside the link, the font gets smaller.
    TextLook look = first;
    for (const TextLook& smaller :
         {TextLook{}, TextLook{.size = viz::type::kCode}, TextLook{.size = viz::type::kAxis}}) {
        if (left + widthOf(context, brief, look) + viz::space::kInset <= right - wide) break;
        look = smaller;
    }
    drawText(context, list, {left, middle}, brief, look);
    drawText(context, list, {right - wide, middle}, more, second);
    list.AddLine({right - wide, middle + 8}, {right, middle + 8}, ink(context, viz::RoleKind::TextThird));
    ImGui::SetCursorPos({0, 0});
    if (ImGui::InvisibleButton("read", size)) context.send(BringUp{"read"});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    helped(context, {kReadMoreHelp.in(language), "guide/window.md"});
}

}  // namespace lockstep::app
