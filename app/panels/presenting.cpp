// For a hall: what runs and where it stands, the stage, a lens beside it if one is wanted, and the sentence. Nothing else.
#include <algorithm>
#include <array>

#include <imgui.h>

#include "app/panels/main_window.h"
#include "app/panels/first_run.h"
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "viz/lookup.h"

namespace lockstep::app {
namespace {

using viz::RoleKind;

// Sizes of a screen of 1440 x 900, as the mock-up has them.
constexpr viz::Size kScreen{1440, 900};
constexpr f32 kTitle = 30, kPlace = 26, kSentence = 44, kLeastSentence = 28, kInset = 40, kHead = 84, kBarWidth = 4, kPadding = 28;
constexpr u32 kSentenceLines = 3;  // of the smallest size: beyond, the stage would lose too much
// Letters at their largest: the views' smallest are 11 pixels high.
constexpr f32 kLargest = 2.4f;

// The room that a view needs before its letters may grow.
struct Least {
    std::string_view view;
    viz::Size size;
};
constexpr std::array kLeast{Least{"stage", {460, 330}}, Least{"banks", {560, 330}}, Least{"sectors", {560, 330}},
                            Least{"lanes", {560, 300}}, Least{"source", {520, 280}}};

f32 scaleFor(std::string_view view, viz::Size room, f32 screen) {
    const auto least = std::ranges::find(kLeast, view, &Least::view);
    if (least == kLeast.end()) return screen;
    return std::max(1.0f, std::min({kLargest * screen, room.width / least->size.width, room.height / least->size.height}));
}

}  // namespace

std::string windowTitle(const State& state) {
    const catalog::Family* family = state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (variant && state.run->catalog) return variant->title.in(state.language);
    const std::size_t slash = state.run->source.rfind('/');
    return slash == std::string::npos ? state.run->source : state.run->source.substr(slash + 1);
}

namespace {

// Whether the lens has a sentence of its own for the instruction at the cursor; else it could only say that it has nothing to show.
bool speaksOf(const State& state, std::string_view lens) {
    const viz::Here here = viz::lookUp(*state.run, state.cursor);
    return here.access && ((lens == "banks" && here.access->space == trace::Space::Shared) || (lens == "sectors" && here.access->space == trace::Space::Global));
}

// The largest size at which the sentence takes no more than two lines; a long one gets smaller letters, then a third line.
TextLook lookOfSentence(const PanelContext& context, const std::string& sentence, f32 width, f32 screen) {
    TextLook look{.size = kSentence * screen};
    for (f32 size = kSentence; size > kLeastSentence; size -= 4) {
        look.size = size * screen;
        if (heightOf(context, sentence, look, width) < 2.5f * look.size * viz::type::kLineHeight) return look;
    }
    look.size = kLeastSentence * screen;
    return look;
}

void drawHead(PanelContext& context, ImDrawList& list, const std::string& caption, f32 width, f32 screen) {
    const TextLook title{.size = kTitle * screen, .face = viz::Face::TextBold}, place{.size = kPlace * screen, .role = RoleKind::TextSecond};
    const std::string text = windowTitle(context.state);
    const f32 y = kHead * screen * 0.55f, x = kInset * screen, after = x + widthOf(context, text, title) + 36 * screen;
    drawText(context, list, {x, y}, text, title);
    if (after + widthOf(context, caption, place) < width - x) drawText(context, list, {after, y}, caption, place);
}

}  // namespace

bool MainWindow::drawPresenting(PanelContext& context) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const viz::Size size{viewport.WorkSize.x, viewport.WorkSize.y};
    const f32 screen = std::min(size.width / kScreen.width, size.height / kScreen.height);
    const Presenting& presenting = context.state.presenting;
    bool moving = false;

    ImGui::SetNextWindowPos(viewport.WorkPos);
    ImGui::SetNextWindowSize(viewport.WorkSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, presenting.black ? IM_COL32_BLACK : ink(context, RoleKind::Ground));
    ImGui::Begin("##present", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    if (!presenting.black && !context.state.run) drawFirstRun(context);
    if (!presenting.black && context.state.run) {
        ScenePanel* stage = panelNamed("stage");
        ScenePanel* lens = presenting.lens.empty() ? nullptr : panelNamed(presenting.lens);
        // Its height depends on the sentence, which depends on nothing that the height changes.
        const std::string said = context.state.inVain ? textInVain(context.state) : lens && speaksOf(context.state, presenting.lens) ? lens->sentence() : stage->sentence();
        const f32 padding = kPadding * screen, width = size.width - 2 * padding;
        const TextLook look = lookOfSentence(context, said, width, screen);
        const f32 lineHeight = look.size * viz::type::kLineHeight;
        const f32 text = std::min(heightOf(context, said, look, width), f32(kSentenceLines) * lineHeight + 1);
        const f32 below = std::max(text, 2 * kSentence * viz::type::kLineHeight * screen) + 1.5f * padding;
        const f32 top = kHead * screen, room = size.height - top - below;

        const f32 inset = kInset * screen * 0.5f;
        const auto place = [&](ScenePanel& panel, f32 x, f32 wide) {
            ImGui::SetCursorPos({x, top});
            ImGui::BeginChild(panel.view().name.data(), {wide, room}, ImGuiChildFlags_None, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
            moving |= panel.draw(context, {.scale = scaleFor(panel.view().name, {wide, room}, screen), .presenting = true});
            ImGui::EndChild();
        };
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const f32 stageWide = lens ? std::floor((size.width - 3 * inset) / 2) : size.width - 2 * inset;
        place(*stage, inset, stageWide);
        if (lens) {
            place(*lens, 2 * inset + stageWide, stageWide);
            const f32 x = viewport.WorkPos.x + 1.5f * inset + stageWide;
            list.AddLine({x, viewport.WorkPos.y + top}, {x, viewport.WorkPos.y + top + room}, ink(context, RoleKind::Line), screen);
        }
        drawHead(context, list, stage->scene().caption, size.width, screen);
        parts_.bar = {0, 0, size.width, top};
        parts_.sentence = {0, top + room, size.width, below};
        parts_.said = said;
        parts_.sentenceSize = look.size;

        const ImVec2 from{viewport.WorkPos.x, viewport.WorkPos.y + top + room}, to{from.x + size.width, viewport.WorkPos.y + size.height};
        list.AddLine(from, {to.x, from.y}, ink(context, RoleKind::Line), screen);
        list.AddRectFilled(from, {from.x + kBarWidth * screen, to.y}, ink(context, RoleKind::Cursor));
        ImGui::SetCursorPos({padding, top + room + (below - text) / 2});
        paragraphWithin(context, said, look, f32(kSentenceLines) * lineHeight + 1);
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return moving;
}

}  // namespace lockstep::app
