// Presentation: kernel and cursor, the stage, or a lens in its place if chosen, and the sentence. Nothing
// else.
#include "app/panels/first_run.h"
#include "app/panels/lesson/lesson_column.h"
#include "app/panels/main_window.h"
#include "app/panels/panels.h"
#include "app/panels/playlist/lecture_screen.h"
#include "app/panels/widgets.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/presentation.h"
#include "viz/scene/tokens.h"

#include <imgui.h>

#include <algorithm>
#include <utility>

namespace lockstep::app {
namespace {

using viz::RoleKind;

namespace hall = viz::hall;

}  // namespace

std::string windowTitle(const State& state) {
    const catalog::Family* family = state.catalog->find(state.choice.family);
    const catalog::Variant* variant = family ? family->find(state.choice.variant) : nullptr;
    if (variant && state.run->catalog) return variant->title.in(state.language);
    const std::size_t slash = state.run->source.rfind('/');
    return slash == std::string::npos ? state.run->source : state.run->source.substr(slash + 1);
}

namespace {

// Whether the view in the stage's place has its own sentence; of one that shows accesses, for the instruction
// at the cursor: else it could only say that it has nothing to show.
bool speaksOf(const State& state, std::string_view lens) {
    const viz::CursorContext here = viz::lookUp(*state.run, state.cursor);
    const viz::ViewRow* view = viz::findView(lens);
    if (!view) return false;
    return view->accessesOf ? here.access && view->accessesOf == here.access->space
                            : view->says || !view->needsRun;
}

// The largest size at which the sentence takes at most two lines. A long one gets a smaller font, then more
// lines, and where these would take too much of the view, a font that only the first rows read.
TextLook lookOfSentence(const PanelContext& context, const std::string& sentence, f32 width, f32 screen,
                        f32 most) {
    constexpr f32 kStep = 4, kSmallStep = 2;
    TextLook look{.size = hall::kSentence * screen};
    for (f32 size = hall::kSentence; size > hall::kLeastSentence; size -= kStep) {
        look.size = size * screen;
        if (heightOf(context, sentence, look, width) < 2.5f * look.size * viz::type::kLineHeight) return look;
    }
    for (f32 size = hall::kLeastSentence;; size -= kSmallStep) {
        look.size = size * screen;
        if (size <= hall::kLeastReading || heightOf(context, sentence, look, width) <= most) return look;
    }
}

void drawHead(PanelContext& context, ImDrawList& list, const std::string& caption, f32 width, f32 screen) {
    const TextLook title{.size = hall::kTitle * screen, .face = viz::Face::TextBold},
        place{.size = hall::kPlace * screen, .role = RoleKind::TextSecond};
    const std::string ofEntry = titleOnShow(context.state),
                      text = ofEntry.empty() ? windowTitle(context.state) : ofEntry;
    const f32 y = hall::kHead * screen * 0.55f, x = hall::kInset * screen,
              after = x + widthOf(context, text, title) + 36 * screen;
    drawText(context, list, {x, y}, text, title);
    if (after + widthOf(context, caption, place) < width - x)
        drawText(context, list, {after, y}, caption, place);
}

}  // namespace

bool MainWindow::drawPresenting(PanelContext& context) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const viz::Size size{viewport.WorkSize.x, viewport.WorkSize.y};
    const Presenting& presenting = context.state.presenting;
    bool moving = false;

    ImGui::SetNextWindowPos(viewport.WorkPos);
    ImGui::SetNextWindowSize(viewport.WorkSize);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleColor(ImGuiCol_WindowBg,
                          presenting.black ? IM_COL32_BLACK : ink(context, RoleKind::Ground));
    ImGui::Begin("##present", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus);
    if (!presenting.black && !context.state.run) drawFirstRun(context);
    if (!presenting.black && context.state.run) {
        ScenePanel* stage = panelNamed("stage");
        const bool hasLens = !presenting.lens.empty() && !isCovered(context.state, presenting.lens);
        ScenePanel* lens = hasLens ? panelNamed(presenting.lens) : nullptr;
        ScenePanel& shown = lens ? *lens : *stage;
        const PlaylistState& playlists = context.state.playlists;
        const bool asks = playlists.entry && playlists.hidesView(shown.view().name) &&
                          playlists.isViewOfEntry(shown.view().name);
        const std::string ofEntry = sentenceOfEntry(context.state, asks);
        // The room for a view's own sentence is that of the last one: it is known once the view is drawn.
        const f32 screen = viz::hallLayout(size).screen, padding = hall::kPadding * screen,
                  width = size.width - 2 * padding, most = viz::mostOfSentence(size);
        if (!ofEntry.empty()) saidInHall_ = ofEntry;
        const f32 high =
            heightOf(context, saidInHall_, lookOfSentence(context, saidInHall_, width, screen, most), width);
        const viz::HallLayout layout = viz::hallLayout(size, high);
        // One of them has the whole area: side by side neither would be readable. Both sentences are needed.
        SceneLook large{.scale = layout.letters, .presenting = true};
        if (presenting.lens == "read") large.least = hall::kLeastReading / viz::type::kBody * screen;
        if (lens)
            stage->update(context, {layout.view.width, layout.view.height},
                          {.scale = layout.letters, .presenting = true});
        ImGui::SetCursorPos({layout.view.x, layout.view.y});
        ImGui::BeginChild(shown.view().name.data(), {layout.view.width, layout.view.height},
                          ImGuiChildFlags_None,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                              ImGuiWindowFlags_NoBackground);
        if (context.state.playlists.hidesView(shown.view().name))
            drawUnrevealed(context, shown.view().name, layout.letters);
        else
            moving |= shown.draw(context, large);
        ImGui::EndChild();
        const std::string said = !ofEntry.empty()       ? ofEntry
                                 : context.state.inVain ? noFurtherStepText(context.state)
                                 : lens && speaksOf(context.state, presenting.lens) ? lens->sentence()
                                                                                    : stage->sentence();
        moving |= said != std::exchange(saidInHall_, said);
        const TextLook look = lookOfSentence(context, said, width, screen, most);
        const f32 text = std::min(heightOf(context, said, look, width), most);
        ImDrawList& list = *ImGui::GetWindowDrawList();
        drawHead(context, list, stage->scene().caption, size.width, screen);
        parts_.bar = {0, 0, size.width, layout.view.y};
        parts_.sentence = layout.sentence;
        parts_.said = said;
        parts_.sentenceSize = look.size;
        parts_.screen = screen;
        parts_.caption = stage->scene().caption;

        const ImVec2 from{viewport.WorkPos.x, viewport.WorkPos.y + layout.sentence.y},
            to{from.x + size.width, viewport.WorkPos.y + size.height};
        list.AddLine(from, {to.x, from.y}, ink(context, RoleKind::Line), screen);
        list.AddRectFilled(from, {from.x + hall::kBarWidth * screen, to.y}, ink(context, RoleKind::Cursor));
        ImGui::SetCursorPos({padding, layout.sentence.y + (layout.sentence.height - text) / 2});
        ImGui::BeginChild("##sentence", {width, text + 1}, ImGuiChildFlags_None,
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse |
                              ImGuiWindowFlags_NoBackground);  // as wide as it was measured
        paragraphWithin(context, said, look, text + 1);
        ImGui::EndChild();
    }
    ImGui::End();
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    return moving;
}

}  // namespace lockstep::app
