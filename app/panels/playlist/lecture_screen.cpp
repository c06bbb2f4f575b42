#include "app/panels/playlist/lecture_screen.h"

#include "app/panels/lesson/markdown_text.h"
#include "app/panels/playlist/playlist_words.h"
#include "app/state/lesson_choice.h"
#include "base/text/punctuation.h"
#include "playlists/answer_in_words.h"
#include "viz/scene/tokens.h"

#include <imgui.h>

#include <algorithm>

namespace lockstep::app {
namespace {

using playlists::EntryOnShow, playlists::Part, playlists::Picture;
using viz::RoleKind;

std::string textOf(const EntryOnShow& entry, Language language) {
    const std::string& body = entry.step->in(language).body;
    if (!entry.question) return body;
    return (body.empty() ? body : body + "\n\n") + playlists::questionInWords(*entry.question, language);
}

f32 heightOf(const std::vector<TextLine>& lines, f32 line) {
    f32 height = 0;
    for (const TextLine& one : lines)
        height += one.above + line;
    return height;
}

// In the middle of the window's height.
void drawLarge(PanelContext& context, const std::vector<TextLine>& lines, f32 size, f32 left) {
    const f32 line = size * viz::type::kLineHeight;
    const ImVec2 at = ImGui::GetWindowPos();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    f32 y = at.y + std::max(0.0f, (ImGui::GetWindowHeight() - heightOf(lines, line)) / 2);
    for (const TextLine& one : lines) {
        y += one.above;
        for (const Span& span : one.spans)
            drawText(context, list, {at.x + left + span.x, y + line / 2}, span.text,
                     {.size = size, .face = span.face});
        y += line;
    }
}

// As large as it fits, up to `most`.
void drawQuestion(PanelContext& context, std::string_view text, f32 most) {
    constexpr f32 kShrinks = 0.92f, kWidestOfLetters = 34;
    const ImVec2 room = ImGui::GetWindowSize();
    for (f32 size = most;; size = std::max(viz::type::kBody, size * kShrinks)) {
        const f32 inset = std::max(viz::space::kInset, size),
                  width = std::min(room.x - 2 * inset, kWidestOfLetters * size);
        const std::vector<TextLine> lines = layOutMarkdown(text, context.metrics, size, width);
        const bool fits = heightOf(lines, size * viz::type::kLineHeight) <= room.y - 2 * inset;
        if (!fits && size > viz::type::kBody) continue;
        return drawLarge(context, lines, size, std::max(inset, (room.x - width) / 2));
    }
}

std::string withoutMarks(std::string_view markdown) {
    std::string text;
    for (const char c : markdown)
        if (c == '\n')
            text += ' ';
        else if (c != '*' && c != '`')
            text += c;
    return text;
}

// The last paragraph of what is asked.
std::string askedInBrief(const EntryOnShow& entry, Language language) {
    const std::string& body =
        entry.question ? entry.question->in(language).body : entry.step->in(language).body;
    const std::size_t last = body.rfind("\n\n");
    return withoutMarks(last == std::string::npos ? body : body.substr(last + 2));
}

std::string answerOf(const EntryOnShow& entry, Language language) {
    return say(language, words::kPlaylistAnswer,
               playlists::answerInOneLine(*entry.question, entry.question->answer, language)) +
           fullStop(language) + sentenceGap(language) + withoutMarks(entry.question->in(language).reveal);
}

}  // namespace

void drawUnrevealed(PanelContext& context, std::string_view view, f32 scale) {
    const Language language = context.state.language;
    const PlaylistState& state = context.state.playlists;
    if (state.isViewOfEntry(view))
        if (const std::string text = textOf(*state.entry, language); !text.empty())
            return drawQuestion(context, text, viz::type::kTitle * scale);
    const std::string_view text = words::kPlaylistCovered.in(language);
    const TextLook look{.size = viz::type::kTitle * scale, .role = RoleKind::TextSecond};
    const f32 width = std::min(widthOf(context, text, look) + 1, ImGui::GetWindowWidth());
    ImGui::SetCursorPos({(ImGui::GetWindowWidth() - width) / 2,
                         std::max(viz::space::kInset, (ImGui::GetWindowHeight() - look.size) / 2)});
    paragraph(context, text, look, width);
}

std::string sentenceOfEntry(const State& state, bool isAskedInView) {
    const PlaylistState& playlists = state.playlists;
    if (!playlists.isOn() || !playlists.entry) return {};
    const EntryOnShow& entry = *playlists.entry;
    if (playlists.hides(Part::Sentence))
        return isAskedInView && playlists.hides(Part::View)
                   ? std::string(words::kPlaylistCovered.in(state.language))
                   : askedInBrief(entry, state.language);
    const bool isItsPicture = playlists.revealed && playlists.picture == entry.answerPicture;
    if (!entry.question || !isItsPicture || standsElsewhere(state)) return {};
    return answerOf(entry, state.language);
}

std::string titleOnShow(const State& state) {
    const PlaylistState& playlists = state.playlists;
    if (!playlists.isOn() || !playlists.entry || standsElsewhere(state)) return {};
    return playlists.entry->pictures[playlists.picture].named(playlists.entry->step->in(state.language).title,
                                                              state.language);
}

bool standsElsewhere(const State& state) {
    const PlaylistState& playlists = state.playlists;
    if (!playlists.entry) return true;
    if (state.job.running && state.isOfAnother()) return false;  // on its way there
    const Picture& picture = playlists.entry->pictures[playlists.picture];
    const Cursor place = playlists.withholdsRun() ? playlists.entry->cursorBefore() : picture.cursor;
    if (picture.own) return state.choice != choiceOf(*picture.own) || state.cursor != place;
    return state.choice.own || state.choice.family != picture.family ||
           state.choice.variant != picture.variant || state.cursor != place ||
           !std::ranges::all_of(picture.values, [&](const auto& value) {
               const auto now = state.choice.values.find(value.first);
               return now != state.choice.values.end() && now->second == value.second;
           });
}

}  // namespace lockstep::app
